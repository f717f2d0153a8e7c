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
use wherefore_syntax::{Cursor, Failed, ParseReport, Parser};

use crate::ast::{AlloyExpr, AlloyExprId, AlloyExprKind, AlloyIdent, AlloyModule};
use crate::lexer::{self, Edition};
use crate::token::{AlloyToken, Keyword, Sign};

type Parse<T> = Result<T, Failed>;

/// What reading a file gives.
pub(crate) struct ReadModule {
    pub(crate) module: AlloyModule,
    pub(crate) report: ParseReport,
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
    module: AlloyModule,
    effort: &Effort<'_>,
) -> (AlloyModule, Option<AlloyExprId>, ParseReport) {
    let mut read = |edition, module| {
        let mut parser = AlloyParser::new(sources, file, names, edition, effort);
        parser.module = module;
        let root = parser.expression().and_then(|root| match parser.peek() {
            AlloyToken::End => Ok(root.id),
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

/// An expression with the parentheses around it.
#[derive(Clone, Copy)]
struct ParsedExpr {
    id: AlloyExprId,
    span: Span,
    /// Whether it is a quantifier or `let`, which ends whatever it stands in.
    binds: bool,
}

struct AlloyParser<'a> {
    cursor: Cursor<'a, AlloyToken>,
    edition: Edition,
    names: &'a mut Names,
    module: AlloyModule,
    report: ParseReport,
    effort: &'a Effort<'a>,
}

impl<'a> Parser<'a> for AlloyParser<'a> {
    type Kind = AlloyToken;
    type Error = Failed;

    fn cursor(&self) -> &Cursor<'a, AlloyToken> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'a, AlloyToken> {
        &mut self.cursor
    }

    fn reject(&mut self, wrong: Diagnostic) -> Failed {
        self.report.tell(wrong);
        Failed
    }

    fn advise(&self, wrong: Diagnostic, expected: &str) -> Diagnostic {
        self.advised(wrong, expected)
    }
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
        let mut report = ParseReport::with_warnings_apart();
        diagnostics.into_iter().for_each(|d| report.tell(d));
        Self {
            cursor: Cursor::new(file, text, tokens),
            edition,
            names,
            module: AlloyModule::default(),
            report,
            effort,
        }
    }

    /// A qualified name: `a/b/c`, `this/a` or `seq/a`; `what` is as "a signature".
    fn name(&mut self, what: &str) -> Parse<AlloyIdent> {
        let start = self.here();
        let mut text = String::new();
        let prefixed = matches!(
            self.peek(),
            AlloyToken::Keyword(Keyword::This | Keyword::Seq)
        ) && self.ahead(1) == AlloyToken::Sign(Sign::Slash);
        if prefixed {
            text.push_str(self.text());
            text.push('/');
            self.skip(2);
        }
        loop {
            text.push_str(self.simple_name(what)?);
            let goes_on = self.is(Sign::Slash) && self.ahead(1) == AlloyToken::Ident;
            if !goes_on {
                break;
            }
            self.skip(1);
            text.push('/');
        }
        let span = start.to(self.before());
        let symbol = self.names.intern(&text);
        Ok(AlloyIdent { symbol, span })
    }

    fn simple_name(&mut self, what: &str) -> Parse<&'a str> {
        match self.peek() {
            AlloyToken::Ident => Ok(self.advance()),
            AlloyToken::Keyword(keyword) if !keyword.opens_paragraph() => {
                let diagnostic = self.reserved(keyword, what);
                Err(self.reject(diagnostic))
            }
            _ => Err(self.unexpected(&format!("the name of {what}"))),
        }
    }

    /// A name without a slash, for something that is declared here.
    fn declared(&mut self, what: &str) -> Parse<AlloyIdent> {
        let name = self.name(what)?;
        if self.names.text(name.symbol).contains('/') {
            let message = format!("The name of {what} cannot contain a slash where it is declared");
            return Err(self.wrong(name.span, message));
        }
        if self.names.text(name.symbol).contains('$') {
            let message = format!("The name of {what} cannot contain `$` where it is declared");
            let diagnostic = Diagnostic::error(name.span, message)
                .help("`$` is for atoms of instances and for names of the meta level.");
            return Err(self.reject(diagnostic));
        }
        Ok(name)
    }

    fn add(&mut self, kind: AlloyExprKind, span: Span) -> ParsedExpr {
        let id = self.module.exprs.push(AlloyExpr { kind, span });
        let binds = false;
        ParsedExpr { id, span, binds }
    }
}
