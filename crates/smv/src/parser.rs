//! Tokens to syntax tree.
//!
//! A recursive-descent parser; expressions are parsed by precedence climbing. After an error it
//! goes on at the next semicolon or section, so that one run tells several mistakes.

mod expr;
mod item;
mod linear;
mod psl;

use wherefore_base::{Diagnostic, Effort, FileId, IndexVec, Names, SourceMap, Span};

use crate::ast::{Expr, ExprId, ExprKind, Ident, PathOp, Program};
use crate::lexer;
use crate::report::Report;
use crate::token::{Keyword, Sign, Token, TokenKind};
use linear::Logic;

/// What says in each process whether it runs; every program has the name.
pub(crate) const RUNNING: &str = "running";

/// Reads a file as a program; the program ends early when the effort is over.
pub(crate) fn program(
    sources: &SourceMap,
    file: FileId,
    effort: &Effort<'_>,
) -> (Program, Vec<Diagnostic>) {
    let mut names = Names::default();
    names.intern(RUNNING);
    let mut parser = SmvParser::new(sources, file, names, effort);
    let modules = if parser.report.failed() {
        Vec::new()
    } else {
        parser.modules()
    };
    let program = Program {
        names: parser.names,
        exprs: parser.exprs,
        modules,
    };
    (program, parser.report.finish())
}

/// The expressions of a text, and the one that is the whole text.
pub(crate) struct Single {
    pub(crate) exprs: IndexVec<ExprId, Expr>,
    pub(crate) root: ExprId,
    /// The whole of it, with the parentheses around it.
    pub(crate) span: Span,
}

/// Reads a file as one expression or formula; new names are added to `names`.
pub(crate) fn single(
    sources: &SourceMap,
    file: FileId,
    names: &mut Names,
) -> Result<Single, Vec<Diagnostic>> {
    let effort = Effort::default();
    let mut parser = SmvParser::new(sources, file, std::mem::take(names), &effort);
    let root = if parser.report.failed() {
        Err(Failed)
    } else {
        parser.single()
    };
    *names = parser.names;
    match root {
        Ok(ParsedSmv { id, span }) if !parser.report.failed() => Ok(Single {
            exprs: parser.exprs,
            root: id,
            span,
        }),
        _ => Err(parser.report.finish()),
    }
}

/// A syntax error was reported, or the effort is over; what was being read is given up.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// An expression with the parentheses around it.
#[derive(Clone, Copy)]
struct ParsedSmv {
    id: ExprId,
    span: Span,
}

struct SmvParser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    names: Names,
    exprs: IndexVec<ExprId, Expr>,
    report: Report,
    effort: &'a Effort<'a>,
    /// How many `case` are open: their semicolons do not end a declaration.
    open_cases: usize,
    /// Which temporal operators may stand here.
    logic: Logic,
    /// Whether `U` and its like belong to the brackets of `E [..]` or `A [..]`.
    in_brackets: bool,
}

impl<'a> SmvParser<'a> {
    fn new(sources: &'a SourceMap, file: FileId, names: Names, effort: &'a Effort<'a>) -> Self {
        let text = sources.file(file).text();
        let (tokens, diagnostics) = lexer::tokens(file, text, effort);
        let mut report = Report::default();
        diagnostics.into_iter().for_each(|d| report.tell(d));
        Self {
            file,
            text,
            tokens,
            at: 0,
            names,
            exprs: IndexVec::new(),
            report,
            effort,
            open_cases: 0,
            logic: Logic::Branching,
            in_brackets: false,
        }
    }

    fn single(&mut self) -> Parse<ParsedSmv> {
        let parsed = self.in_logic(Logic::Linear, Self::expression)?;
        self.eat(Sign::Semicolon);
        if self.peek() != TokenKind::End {
            return Err(self.unexpected("the end of the formula"));
        }
        Ok(parsed)
    }

    /// Whether going on is of no use.
    fn given_up(&self) -> bool {
        self.report.is_full() || self.effort.is_over()
    }

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek(&self) -> TokenKind {
        self.token().kind
    }

    fn peek_second(&self) -> TokenKind {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + 1).min(last)].kind
    }

    /// The place of the present token.
    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// The place of the token before the present one.
    fn before(&self) -> Span {
        self.span_of(self.tokens[self.at.saturating_sub(1)])
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start as usize, token.end as usize)
    }

    fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.text.0 as usize..token.text.1 as usize]
    }

    /// Takes the present token; the end of the text is never passed.
    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn is(&self, sign: Sign) -> bool {
        self.peek() == TokenKind::Sign(sign)
    }

    fn eat(&mut self, sign: Sign) -> bool {
        let found = self.is(sign);
        if found {
            self.at += 1;
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.peek() == TokenKind::Keyword(keyword);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, sign: Sign, after: &str) -> Parse<()> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{}` {after}", sign.text())))
    }

    /// The sign that closes what was opened at a place.
    fn expect_close(&mut self, sign: Sign, open: Span) -> Parse<()> {
        if self.eat(sign) {
            return Ok(());
        }
        let expected = format!("an operator or `{}`", sign.text());
        let diagnostic = self.misplaced(&expected);
        self.report.tell(diagnostic.see(open, "this is not closed"));
        Err(Failed)
    }

    /// The semicolon that ends a declaration.
    fn expect_end(&mut self, what: &str) -> Parse<()> {
        if self.eat(Sign::Semicolon) {
            return Ok(());
        }
        let next = self.peek();
        let starts_another = matches!(next, TokenKind::Ident | TokenKind::End)
            || matches!(next, TokenKind::Keyword(keyword)
                if keyword.opens_section() || matches!(keyword, Keyword::Init | Keyword::Next));
        if starts_another {
            let end = self.before().end as usize;
            let span = Span::new(self.file, end.saturating_sub(1), end);
            let diagnostic = Diagnostic::error(span, format!("A `;` is missing after {what}"))
                .because("write `;` after this");
            self.report.tell(diagnostic);
            return Err(Failed);
        }
        Err(self.unexpected(&format!("`;` after {what}")))
    }

    /// A name that the user chooses; `what` is as "a variable".
    fn ident(&mut self, what: &str) -> Parse<Ident> {
        let token = self.token();
        match token.kind {
            TokenKind::Ident => {
                self.at += 1;
                let span = self.span_of(token);
                let symbol = self.names.intern(self.text_of(token));
                Ok(Ident { symbol, span })
            }
            TokenKind::Keyword(keyword) if !keyword.opens_section() => {
                let message = format!(
                    "`{}` is a reserved word and cannot name {what}",
                    keyword.text()
                );
                let diagnostic = Diagnostic::error(self.here(), message)
                    .help("Choose another name, for example with a letter or digit added.");
                self.report.tell(diagnostic);
                Err(Failed)
            }
            _ => Err(self.unexpected(&format!("the name of {what}"))),
        }
    }

    /// Says that the present token does not fit.
    fn unexpected(&mut self, expected: &str) -> Failed {
        let diagnostic = self.misplaced(expected);
        self.report.tell(diagnostic);
        Failed
    }

    /// What to say about the present token, which does not fit.
    fn misplaced(&self, expected: &str) -> Diagnostic {
        let token = self.token();
        let (here, text) = (self.here(), self.text_of(token));
        let shown: String = text.chars().take(40).collect();
        let diagnostic = match token.kind {
            TokenKind::End => {
                let message = format!("The text ends where {expected} is expected");
                Diagnostic::error(here, message)
            }
            TokenKind::Unknown => {
                let message = format!(
                    "The character {} cannot be used here",
                    show_character(&shown)
                );
                Diagnostic::error(here, message).because(format!("{expected} is expected"))
            }
            _ => {
                let message = format!("`{shown}` stands where {expected} is expected");
                Diagnostic::error(here, message)
            }
        };
        match self.advice(token) {
            Some(advice) => diagnostic.help(advice),
            None if token.kind == TokenKind::Sign(Sign::Equal) && expected.starts_with("`:=`") => {
                diagnostic.help("Assignments and defines are written with `:=`.")
            }
            None => diagnostic,
        }
    }

    /// What somebody who wrote this token here probably wants.
    fn advice(&self, token: Token) -> Option<&'static str> {
        const COMMENT: &str = "A comment starts with `--` and goes to the end of the line.";
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let before = before.filter(|before| before.end == token.start);
        let after = self
            .tokens
            .get(self.at + 1)
            .filter(|after| after.start == token.end);
        let [before, here, after] = [before.as_ref(), Some(&token), after]
            .map(|token| token.map_or("", |token| self.text_of(*token)));
        Some(match (before, here, after) {
            ("=", "=", _) => "Equality is written `=`.",
            ("=", ">", _) => "Implication is written `->`.",
            ("&", "&", _) | (_, "AND" | "and" | "And", _) => "Conjunction is written `&`.",
            ("|", "|", _) | (_, "OR" | "or" | "Or", _) => "Disjunction is written `|`.",
            ("/", "/" | "*", _) | (_, "/", "/" | "*") => COMMENT,
            (_, "%", _) => "The remainder of a division is written `mod`.",
            (_, "~", _) => "Negation is written `!`.",
            (_, "\"" | "'", _) => "Symbolic constants are written without quotes.",
            (_, "`", _) => {
                "If this file is meant for the macro processor m4, run m4 first and check the result."
            }
            _ => return None,
        })
    }

    /// Says that a part of the language is not supported yet, once.
    fn unsupported(&mut self, span: Span, what: &str) -> Failed {
        let message = format!("{what} are not supported yet");
        self.report.tell_once(Diagnostic::error(span, message));
        Failed
    }

    /// Skips what is left of a broken declaration: up to its semicolon, or to the next section.
    fn recover(&mut self) {
        let mut cases = std::mem::take(&mut self.open_cases);
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Keyword(keyword) if keyword.opens_section() => return,
                TokenKind::Keyword(Keyword::Case) => cases += 1,
                TokenKind::Keyword(Keyword::Esac) => cases = cases.saturating_sub(1),
                TokenKind::Sign(Sign::Semicolon) if cases == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn add(&mut self, kind: ExprKind, span: Span) -> ParsedSmv {
        let mut temporal = matches!(kind, ExprKind::Path(..) | ExprKind::Linear(..));
        let mut linear = matches!(kind, ExprKind::Linear(..));
        for operand in kind.operands() {
            temporal |= self.exprs[operand].temporal;
            linear |= self.exprs[operand].linear;
        }
        let id = self.exprs.push(Expr {
            kind,
            span,
            temporal,
            linear,
        });
        ParsedSmv { id, span }
    }

    fn add_path(
        &mut self,
        quantifier: crate::ast::Quantifier,
        path: PathOp,
        span: Span,
    ) -> ParsedSmv {
        self.add(ExprKind::Path(quantifier, path), span)
    }
}

/// A character as shown in a message: itself, with its code if it may not be what it looks like.
fn show_character(text: &str) -> String {
    match text.chars().next() {
        Some(c) if c.is_ascii_graphic() => format!("`{c}`"),
        Some(c) if c.is_alphanumeric() => format!("`{c}` (U+{:04X})", c as u32),
        Some(c) => format!("U+{:04X}", c as u32),
        None => "here".to_owned(),
    }
}
