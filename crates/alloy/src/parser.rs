//! Tokens to syntax tree.
//!
//! A recursive-descent parser; expressions are parsed by precedence climbing. After an error it goes
//! on at the next paragraph, so that one run tells several mistakes.

mod advice;
mod command;
mod expr;
mod paragraph;
mod primary;

use wherefore_base::{Diagnostic, Effort, FileId, Names, SourceMap, Span};

use crate::ast::{Expr, ExprId, ExprKind, Ident, Module};
use crate::lexer::{self, Edition};
use crate::report::Report;
use crate::token::{Keyword, Sign, Token, TokenKind};

/// What reading a file gives.
pub(crate) struct ReadModule {
    pub(crate) module: Module,
    pub(crate) report: Report,
}

/// Reads a file, in the edition given or else in the one in which it can be read.
///
/// When it can be read in neither, the edition counts in which the first mistake comes later.
pub(crate) fn module(
    sources: &SourceMap,
    file: FileId,
    names: &mut Names,
    edition: Option<Edition>,
    effort: &Effort<'_>,
) -> ReadModule {
    let mut read = |edition| read_in(sources, file, names, edition, effort);
    if let Some(edition) = edition {
        return read(edition);
    }
    let six = read(Edition::Six);
    let Some(first) = six.report.first_error() else {
        return six;
    };
    let four = read(Edition::Four);
    match four.report.first_error() {
        Some(other) if other <= first => six,
        _ => four,
    }
}

/// Reads a file as one expression, which is added to those of a module. Primes are letters if that helps.
pub(crate) fn expression(
    sources: &SourceMap,
    file: FileId,
    names: &mut Names,
    module: Module,
    effort: &Effort<'_>,
) -> (Module, Option<ExprId>, Report) {
    let mut read = |edition, module| {
        let mut parser = AlloyParser::new(sources, file, names, edition, effort);
        parser.module = module;
        let root = parser.expression().and_then(|root| match parser.peek() {
            TokenKind::End => Ok(root.id),
            _ => Err(parser.unexpected("the end of the expression")),
        });
        (parser.module, root.ok(), parser.report)
    };
    let (six, root, report) = read(Edition::Six, module.clone());
    if !report.failed() {
        return (six, root, report);
    }
    let four = read(Edition::Four, module);
    if four.2.failed() {
        return (six, root, report);
    }
    four
}

fn read_in(
    sources: &SourceMap,
    file: FileId,
    names: &mut Names,
    edition: Edition,
    effort: &Effort<'_>,
) -> ReadModule {
    let mut parser = AlloyParser::new(sources, file, names, edition, effort);
    parser.paragraphs();
    ReadModule {
        module: parser.module,
        report: parser.report,
    }
}

/// A syntax error was reported, or the effort is over; what was being read is given up.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// An expression with the parentheses around it.
#[derive(Clone, Copy)]
struct ParsedExpr {
    id: ExprId,
    span: Span,
    /// Whether it is a quantifier or `let`, which ends whatever it stands in.
    binds: bool,
}

struct AlloyParser<'a> {
    file: FileId,
    text: &'a str,
    edition: Edition,
    tokens: Vec<Token>,
    at: usize,
    names: &'a mut Names,
    module: Module,
    report: Report,
    effort: &'a Effort<'a>,
}

impl<'a> AlloyParser<'a> {
    fn new(
        sources: &'a SourceMap,
        file: FileId,
        names: &'a mut Names,
        edition: Edition,
        effort: &'a Effort<'a>,
    ) -> Self {
        let text = sources.file(file).text();
        let (tokens, diagnostics) = lexer::tokens(file, text, edition, effort);
        let mut report = Report::default();
        diagnostics.into_iter().for_each(|d| report.tell(d));
        Self {
            file,
            text,
            edition,
            tokens,
            at: 0,
            names,
            module: Module::default(),
            report,
            effort,
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of a token further on.
    fn ahead(&self, count: usize) -> TokenKind {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + count).min(last)].kind
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
        &self.text[token.start as usize..token.end as usize]
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

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == TokenKind::Keyword(keyword)
    }

    fn eat(&mut self, sign: Sign) -> bool {
        let found = self.is(sign);
        if found {
            self.at += 1;
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
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
        let mut diagnostic = self.misplaced(&expected);
        if diagnostic.labels.iter().all(|label| label.span != open) {
            diagnostic = diagnostic.see(open, "this is not closed");
        }
        self.report.tell(diagnostic);
        Err(Failed)
    }

    /// A qualified name: `a/b/c`, `this/a` or `seq/a`; `what` is as "a signature".
    fn name(&mut self, what: &str) -> Parse<Ident> {
        let start = self.here();
        let mut text = String::new();
        let prefixed = matches!(
            self.peek(),
            TokenKind::Keyword(Keyword::This | Keyword::Seq)
        ) && self.ahead(1) == TokenKind::Sign(Sign::Slash);
        if prefixed {
            text.push_str(self.text_of(self.token()));
            text.push('/');
            self.at += 2;
        }
        loop {
            text.push_str(self.simple_name(what)?);
            let goes_on = self.is(Sign::Slash) && self.ahead(1) == TokenKind::Ident;
            if !goes_on {
                break;
            }
            self.at += 1;
            text.push('/');
        }
        let span = start.to(self.before());
        let symbol = self.names.intern(&text);
        Ok(Ident { symbol, span })
    }

    fn simple_name(&mut self, what: &str) -> Parse<&'a str> {
        let token = self.token();
        match token.kind {
            TokenKind::Ident => {
                self.at += 1;
                Ok(self.text_of(token))
            }
            TokenKind::Keyword(keyword) if !keyword.opens_paragraph() => {
                let diagnostic = self.reserved(keyword, what);
                self.report.tell(diagnostic);
                Err(Failed)
            }
            _ => Err(self.unexpected(&format!("the name of {what}"))),
        }
    }

    /// A name without a slash, for something that is declared here.
    fn declared(&mut self, what: &str) -> Parse<Ident> {
        let name = self.name(what)?;
        if self.names.text(name.symbol).contains('/') {
            let message = format!("The name of {what} cannot contain a slash where it is declared");
            self.report.tell(Diagnostic::error(name.span, message));
            return Err(Failed);
        }
        if self.names.text(name.symbol).contains('$') {
            let message = format!("The name of {what} cannot contain `$` where it is declared");
            let diagnostic = Diagnostic::error(name.span, message)
                .help("`$` is for atoms of instances and for names of the meta level.");
            self.report.tell(diagnostic);
            return Err(Failed);
        }
        Ok(name)
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
                Diagnostic::error(here, format!("The text ends where {expected} is expected"))
            }
            TokenKind::Unknown => {
                let message = format!(
                    "The character {} cannot be used here",
                    show_character(&shown)
                );
                Diagnostic::error(here, message).because(format!("{expected} is expected"))
            }
            _ => Diagnostic::error(
                here,
                format!("`{shown}` stands where {expected} is expected"),
            ),
        };
        self.advise(diagnostic, expected)
    }

    fn add(&mut self, kind: ExprKind, span: Span) -> ParsedExpr {
        let id = self.module.exprs.push(Expr { kind, span });
        let binds = false;
        ParsedExpr { id, span, binds }
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
