//! Tokens to syntax tree.
//!
//! A recursive-descent parser; expressions are parsed by precedence climbing. After an error it
//! goes on at the next semicolon or section, so that one run tells several mistakes.

mod expr;
mod item;
mod linear;
mod psl;

use wherefore_base::{Diagnostic, Effort, FileId, IndexVec, Names, SourceMap, Span};

use crate::ast::{SmvExpr, SmvExprId, SmvExprKind, SmvIdent, SmvPathOp, SmvProgramText};
use crate::lexer;
use crate::token::{Keyword, Sign, SmvToken};
use linear::Logic;
use wherefore_syntax::{Cursor, Failed, ParseReport, Parser};

type Parse<T> = Result<T, Failed>;

/// What says in each process whether it runs; every program has the name.
pub(crate) const RUNNING: &str = "running";

/// Reads a file as a program; the program ends early when the effort is over.
pub(crate) fn program(
    sources: &SourceMap,
    file: FileId,
    effort: &Effort<'_>,
) -> (SmvProgramText, Vec<Diagnostic>) {
    let mut names = Names::default();
    names.intern(RUNNING);
    let mut parser = SmvParser::new(sources, file, names, effort);
    let modules = if parser.report.failed() {
        Vec::new()
    } else {
        parser.modules()
    };
    let program = SmvProgramText {
        names: parser.names,
        exprs: parser.exprs,
        modules,
    };
    (program, parser.report.finish())
}

/// The expressions of a text, and the one that is the whole text.
pub(crate) struct Single {
    pub(crate) exprs: IndexVec<SmvExprId, SmvExpr>,
    pub(crate) root: SmvExprId,
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

/// An expression with the parentheses around it.
#[derive(Clone, Copy)]
struct ParsedSmv {
    id: SmvExprId,
    span: Span,
}

struct SmvParser<'a> {
    cursor: Cursor<'a, SmvToken>,
    names: Names,
    exprs: IndexVec<SmvExprId, SmvExpr>,
    report: ParseReport,
    effort: &'a Effort<'a>,
    /// How many `case` are open: their semicolons do not end a declaration.
    open_cases: usize,
    /// Which temporal operators may stand here.
    logic: Logic,
    /// Whether `U` and its like belong to the brackets of `E [..]` or `A [..]`.
    in_brackets: bool,
}

impl<'a> Parser<'a> for SmvParser<'a> {
    type Kind = SmvToken;
    type Error = Failed;

    fn cursor(&self) -> &Cursor<'a, SmvToken> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'a, SmvToken> {
        &mut self.cursor
    }

    fn reject(&mut self, wrong: Diagnostic) -> Failed {
        self.report.tell(wrong);
        Failed
    }

    fn advise(&self, wrong: Diagnostic, expected: &str) -> Diagnostic {
        match self.advice() {
            Some(advice) => wrong.help(advice),
            None if self.is(Sign::Equal) && expected.starts_with("`:=`") => {
                wrong.help("Assignments and defines are written with `:=`.")
            }
            None => wrong,
        }
    }
}

impl<'a> SmvParser<'a> {
    fn new(sources: &'a SourceMap, file: FileId, names: Names, effort: &'a Effort<'a>) -> Self {
        let text = sources.file(file).text();
        let (tokens, diagnostics) = lexer::tokens(file, text, effort);
        let mut report = ParseReport::default();
        diagnostics.into_iter().for_each(|d| report.tell(d));
        Self {
            cursor: Cursor::new(file, text, tokens),
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
        if !self.is(SmvToken::End) {
            return Err(self.unexpected("the end of the formula"));
        }
        Ok(parsed)
    }

    /// Whether going on is of no use.
    fn given_up(&self) -> bool {
        self.report.is_full() || self.effort.is_over()
    }

    /// The semicolon that ends a declaration.
    fn expect_end(&mut self, what: &str) -> Parse<()> {
        if self.eat(Sign::Semicolon) {
            return Ok(());
        }
        let next = self.peek();
        let starts_another = matches!(next, SmvToken::Ident | SmvToken::End)
            || matches!(next, SmvToken::Keyword(keyword)
                if keyword.opens_section() || matches!(keyword, Keyword::Init | Keyword::Next));
        if starts_another {
            let end = self.before().end as usize;
            let span = Span::new(self.cursor.file, end.saturating_sub(1), end);
            let diagnostic = Diagnostic::error(span, format!("A `;` is missing after {what}"))
                .because("write `;` after this");
            return Err(self.reject(diagnostic));
        }
        Err(self.unexpected(&format!("`;` after {what}")))
    }

    /// A name that the user chooses; `what` is as "a variable".
    fn ident(&mut self, what: &str) -> Parse<SmvIdent> {
        match self.peek() {
            SmvToken::Ident => {
                let span = self.here();
                let symbol = self.names.intern(self.cursor.text_of(self.cursor.token()));
                self.skip(1);
                Ok(SmvIdent { symbol, span })
            }
            SmvToken::Keyword(keyword) if !keyword.opens_section() => {
                let message = format!(
                    "`{}` is a reserved word and cannot name {what}",
                    keyword.text()
                );
                let diagnostic = Diagnostic::error(self.here(), message)
                    .help("Choose another name, for example with a letter or digit added.");
                Err(self.reject(diagnostic))
            }
            _ => Err(self.unexpected(&format!("the name of {what}"))),
        }
    }

    /// What somebody who wrote this token here probably wants.
    fn advice(&self) -> Option<&'static str> {
        const COMMENT: &str = "A comment starts with `--` and goes to the end of the line.";
        let (cursor, token) = (&self.cursor, self.cursor.token());
        let before = cursor.behind(1).filter(|before| before.end == token.start);
        let after = cursor.tokens.get(cursor.at + 1);
        let after = after.filter(|after| after.start == token.end);
        let [before, here, after] = [before, Some(token), after]
            .map(|token| token.map_or("", |token| cursor.text_of(token)));
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
    fn unsupported(&mut self, span: Span, what: &str) {
        let message = format!("{what} are not supported yet");
        self.report.tell_once(Diagnostic::error(span, message));
    }

    /// Skips what is left of a broken declaration: up to its semicolon, or to the next section.
    fn recover(&mut self) {
        let mut cases = std::mem::take(&mut self.open_cases);
        loop {
            match self.peek() {
                SmvToken::End => return,
                SmvToken::Keyword(keyword) if keyword.opens_section() => return,
                SmvToken::Keyword(Keyword::Case) => cases += 1,
                SmvToken::Keyword(Keyword::Esac) => cases = cases.saturating_sub(1),
                SmvToken::Sign(Sign::Semicolon) if cases == 0 => {
                    self.skip(1);
                    return;
                }
                _ => {}
            }
            self.skip(1);
        }
    }

    fn add(&mut self, kind: SmvExprKind, span: Span) -> ParsedSmv {
        let mut temporal = matches!(kind, SmvExprKind::Path(..) | SmvExprKind::Linear(..));
        let mut linear = matches!(kind, SmvExprKind::Linear(..));
        for operand in kind.operands() {
            temporal |= self.exprs[operand].temporal;
            linear |= self.exprs[operand].linear;
        }
        let id = self.exprs.push(SmvExpr {
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
        path: SmvPathOp,
        span: Span,
    ) -> ParsedSmv {
        self.add(SmvExprKind::Path(quantifier, path), span)
    }
}
