//! Parsing of formulas.
//!
//! One grammar for action, regular and state formulas. From loose to tight: `|`, `.`, then `*`, `+`, `?`
//! and `{n}` after an operand, then `equ`, `implies`, `or`, `and`, then `not`, modalities and
//! parentheses. So `not 'A' or 'B'*` repeats the whole action formula, as it must: only sequences are
//! repeated. A fixpoint reaches as far to the right as it can.

use wherefore_base::{Diagnostic, Span, deep};
use wherefore_logic::modal::Fixpoint;
use wherefore_syntax::{Failed, Infix, Level, Parser, Precedence};

use super::super::ast::{DataTermKind, MclKind, MclNodeId};
use super::super::token::MclToken;
use super::{MclName, MclParser, Parse};
use crate::quoted::unquoted;

/// A formula with the parentheses around it.
#[derive(Clone, Copy)]
pub(super) struct ParsedFormula {
    pub(super) id: MclNodeId,
    pub(super) span: Span,
    /// How many names are in scope before it.
    depth: usize,
}

const EQU: Level = 0;
const IMPLIES: Level = 1;
const OR: Level = 2;
const AND: Level = 3;

/// What connects formulas.
#[derive(Clone, Copy)]
enum Connective {
    Equ,
    Implies,
    Or,
    And,
}

/// Constructs of later versions of the language, and what to write instead.
const UNSUPPORTED: [(&str, &str); 13] = [
    (
        "if",
        "Write the condition with `and`, `or` and `not`, or in the `where` of an action pattern.",
    ),
    (
        "case",
        "Write an alternative for each case, joined with `|` or `or`.",
    ),
    (
        "let",
        "Write the value where it is used, or a macro with a parameter.",
    ),
    (
        "while",
        "Repeat with `*`; a condition on data goes in the `where` of an action pattern.",
    ),
    (
        "for",
        "Repeat a fixed number of times with `R{n}` or `R{n,m}`.",
    ),
    (
        "loop",
        "Repeat with `*`, and end the repetition with what follows it.",
    ),
    (
        "repeat",
        "Repeat with `+`, and end the repetition with what follows it.",
    ),
    (
        "choice",
        "Bind a variable in an action pattern, as in `{ SEND ?x:nat }`.",
    ),
    (
        "prob",
        "Probabilities need another kind of model; only `<R> F` and `[R] F` are decided.",
    ),
    ("trivial", "Write `true`."),
    ("AG", "Write `[true*] F`."),
    ("EF", "Write `<true*> F`."),
    ("AF", "Write `mu X . (F or (<true> true and [true] X))`."),
];

impl<'r> MclParser<'r, '_> {
    /// A whole formula.
    pub(super) fn formula(&mut self) -> Parse<ParsedFormula> {
        deep(|| self.alternatives())
    }

    /// `R | S`
    fn alternatives(&mut self) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let first = self.sequence()?;
        if !self.is("|") {
            return Ok(first);
        }
        // What one alternative binds is unknown in the others.
        self.forget(depth);
        let mut parts = vec![first.id];
        let mut span = first.span;
        while self.eat("|") {
            let next = self.sequence()?;
            self.forget(depth);
            parts.push(next.id);
            span = span.to(next.span);
        }
        let id = self.add(MclKind::Either(parts), span, depth);
        Ok(ParsedFormula { id, span, depth })
    }

    /// `R . S`
    fn sequence(&mut self) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let first = self.repeated()?;
        if !self.is(".") {
            return Ok(first);
        }
        let mut parts = vec![first.id];
        let mut span = first.span;
        // What is bound before a `.` is known after it, so nothing is forgotten here.
        while self.eat(".") {
            let next = self.repeated()?;
            parts.push(next.id);
            span = span.to(next.span);
        }
        let id = self.add(MclKind::Then(parts), span, depth);
        Ok(ParsedFormula { id, span, depth })
    }

    /// `R*`, `R+`, `R?`, `R{n}`, `R{n,m}`, `R{n,}`
    fn repeated(&mut self) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let mut body = self.connected(EQU)?;
        loop {
            let (low, high) = if self.eat("*") {
                (0, None)
            } else if self.eat("+") {
                (1, None)
            } else if self.eat("?") {
                (0, Some(1))
            } else if self.is("{") {
                self.bounds()?
            } else {
                break;
            };
            // What a repetition binds may not have happened, or several times: it is unknown afterwards.
            self.forget(depth);
            let span = body.span.to(self.before());
            let id = self.add(MclKind::Repeat(body.id, low, high), span, depth);
            body = ParsedFormula { id, span, depth };
        }
        if let Some(word @ ("and" | "or" | "implies" | "equ")) = self.word() {
            let message = format!(
                "`{word}` joins action formulas or state formulas, but a sequence of actions stands before it"
            );
            let here = self.here();
            let wrong = Diagnostic::error(here, message).see(body.span, "this is repeated");
            return Err(self.reject(wrong.help("Alternatives of sequences are written with `|`.")));
        }
        Ok(body)
    }

    /// `{n}`, `{n,m}`, `{n,}`, with `...` as another comma.
    fn bounds(&mut self) -> Parse<(u32, Option<u32>)> {
        let open = self.here();
        self.skip(1);
        let low = self.bound()?;
        let mut high = Some(low);
        if self.eat(",") || self.eat("...") {
            high = None;
            if self.is(MclToken::Number) {
                high = Some(self.bound()?);
            }
        }
        self.expect_close("}", open)?;
        if let Some(high) = high.filter(|&high| high < low) {
            let message = format!("Nothing is repeated at least {low} and at most {high} times");
            let span = open.to(self.before());
            return Err(self.wrong(span, message));
        }
        Ok((low, high))
    }

    fn bound(&mut self) -> Parse<u32> {
        if !self.is(MclToken::Number) {
            return Err(self.unexpected("a number of repetitions"));
        }
        let (text, span) = (self.advance(), self.before());
        match text.parse() {
            Ok(number) => Ok(number),
            Err(_) => {
                let message = "This number of repetitions is too large";
                Err(self.wrong(span, message))
            }
        }
    }

    /// Operands joined by connectives that bind at least as tightly as `level`.
    fn connected(&mut self, level: Level) -> Parse<ParsedFormula> {
        let grammar = Precedence {
            operand: |parser: &mut Self, _| parser.operand(),
            infix: |parser: &Self, _: &ParsedFormula| parser.connective(),
            join: Self::connect,
        };
        self.climb(level, &grammar)
    }

    fn connect(&mut self, left: ParsedFormula, infix: Infix<Connective>) -> Parse<ParsedFormula> {
        let Infix { op, level, .. } = infix;
        let depth = left.depth;
        self.forget(depth);
        let mut parts = vec![left.id];
        let mut span = left.span;
        loop {
            // `implies` groups to the right, and what it takes there has all others of it.
            let next = self.connected(level + Level::from(level != IMPLIES))?;
            self.forget(depth);
            parts.push(next.id);
            span = span.to(next.span);
            let again = self.connective().is_some_and(|next| next.level == level);
            if level < OR || !again {
                break;
            }
            self.skip(1);
        }
        let kind = match op {
            Connective::And => MclKind::And(parts),
            Connective::Or => MclKind::Or(parts),
            Connective::Implies => MclKind::Implies(parts[0], parts[1]),
            Connective::Equ => MclKind::Equ(parts[0], parts[1]),
        };
        let id = self.add(kind, span, depth);
        Ok(ParsedFormula { id, span, depth })
    }

    fn connective(&self) -> Option<Infix<Connective>> {
        let (op, level) = match self.word()? {
            "and" => (Connective::And, AND),
            "or" => (Connective::Or, OR),
            "implies" => (Connective::Implies, IMPLIES),
            "equ" => (Connective::Equ, EQU),
            _ => return None,
        };
        let width = 1;
        Some(Infix { op, level, width })
    }

    /// A formula that no connective before or after it tears apart.
    fn operand(&mut self) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let start = self.here();
        let kind = match self.peek() {
            MclToken::Word => return self.worded(),
            MclToken::Text => MclKind::Label(unquoted(self.text())),
            MclToken::Regex => {
                let text = self.text();
                MclKind::Regex(text[1..text.len() - 1].to_owned())
            }
            MclToken::Number => return self.number_argument(),
            MclToken::Sign("(") => {
                self.skip(1);
                let inner = self.formula()?;
                self.expect_close(")", start)?;
                let span = start.to(self.before());
                // The parentheses belong to what is shown, not to the formula.
                self.reader.tree.nodes[inner.id].outer = span;
                return Ok(ParsedFormula { span, ..inner });
            }
            MclToken::Sign(open @ ("[" | "<")) => return self.modality(open, depth),
            MclToken::Sign("@") => {
                self.skip(1);
                if !self.is("(") {
                    return Err(self.unexpected("`(` after `@`"));
                }
                let body = self.operand()?;
                self.forget(depth);
                return Ok(self.done(MclKind::Loop(body.id), start, depth));
            }
            MclToken::Sign("{") => return self.pattern(),
            _ => return Err(self.unexpected("a formula")),
        };
        self.skip(1);
        Ok(self.done(kind, start, depth))
    }

    /// Adds a formula that ends before the present token.
    pub(super) fn done(&mut self, kind: MclKind, start: Span, depth: usize) -> ParsedFormula {
        let span = start.to(self.before());
        let id = self.add(kind, span, depth);
        ParsedFormula { id, span, depth }
    }

    /// `[R] F`, `<R> F`, `[R] -|`, `<R> @`
    fn modality(&mut self, open: &str, depth: usize) -> Parse<ParsedFormula> {
        let start = self.here();
        self.skip(1);
        let regular = self.formula()?.id;
        self.expect_close(if open == "[" { "]" } else { ">" }, start)?;
        let kind = if open == "[" && self.eat("-|") {
            MclKind::NoLoop(regular)
        } else if open == "<" && self.eat("@") {
            MclKind::Loop(regular)
        } else {
            let body = deep(|| self.operand())?.id;
            match open {
                "[" => MclKind::Box(regular, body),
                _ => MclKind::Diamond(regular, body),
            }
        };
        self.forget(depth);
        Ok(self.done(kind, start, depth))
    }

    fn worded(&mut self) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let start = self.here();
        let word = self.word().unwrap_or_default();
        let kind = match word {
            "true" => MclKind::True,
            "false" => MclKind::False,
            "nil" => MclKind::Nil,
            "tau" => MclKind::Tau,
            "visible" => MclKind::Visible,
            "not" => {
                self.skip(1);
                let body = deep(|| self.operand())?;
                self.forget(depth);
                return Ok(self.done(MclKind::Not(body.id), start, depth));
            }
            "mu" => return self.fixpoint(Fixpoint::Least),
            "nu" => return self.fixpoint(Fixpoint::Greatest),
            "macro" | "end_macro" | "library" | "end_library" | "where" | "and" | "or"
            | "implies" | "equ" => return Err(self.unexpected("a formula")),
            _ => return self.named(word),
        };
        self.skip(1);
        Ok(self.done(kind, start, depth))
    }

    /// `mu X . F`
    fn fixpoint(&mut self, fixpoint: Fixpoint) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let start = self.here();
        self.skip(1);
        let (name, name_span) = self.name("a variable")?;
        if self.is("(") {
            let here = self.here();
            let message = "Fixpoints with parameters are not supported";
            let wrong = Diagnostic::error(here, message);
            return Err(
                self.reject(wrong.help("Write a fixpoint for each value of the parameter."))
            );
        }
        self.expect(".", "after the variable of a fixpoint")?;
        let slot = self.new_slot();
        self.bind(name, MclName::Variable(slot));
        let place = start.to(name_span);
        let body = self.body_of(place)?;
        self.forget(depth);
        Ok(self.done(MclKind::Fixpoint(fixpoint, slot, body, place), start, depth))
    }

    /// What a fixpoint or a quantifier is about: as far as it goes. Where somebody may think that it
    /// ends sooner, it is told.
    pub(super) fn body_of(&mut self, head: Span) -> Parse<MclNodeId> {
        let body = self.connected(EQU)?;
        let node = &self.reader.tree.nodes[body.id];
        let torn = matches!(
            node.kind,
            MclKind::And(_) | MclKind::Or(_) | MclKind::Implies(..) | MclKind::Equ(..)
        );
        // Parentheses show that it is meant so.
        if torn && node.outer == node.span {
            let shown = self.cursor.text[head.start as usize..head.end as usize].to_owned();
            let message = format!("`{shown}` reaches as far as it can");
            let warning = Diagnostic::warning(head, message)
                .see(body.span, "it is about all of this")
                .help("Write parentheses around what it is about.");
            self.tell(warning);
        }
        Ok(body.id)
    }

    /// A variable, a parameter, or a macro with its arguments.
    fn named(&mut self, word: &'r str) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let start = self.here();
        if let Some((meaning, reaches)) = self.meaning(word) {
            self.skip(1);
            let kind = match meaning {
                MclName::Variable(slot) => MclKind::Variable(slot),
                MclName::Parameter(slot) => MclKind::Parameter(slot),
                MclName::Data(slot, _) => {
                    let term = self.term(DataTermKind::Variable(slot), start, reaches);
                    MclKind::Data(term)
                }
            };
            let parsed = self.done(kind, start, depth);
            let node = &mut self.reader.tree.nodes[parsed.id];
            node.reaches = reaches;
            node.closed = reaches as usize >= depth;
            return Ok(parsed);
        }
        if matches!(word, "exists" | "forall") {
            return self.quantified(word == "exists");
        }
        self.skip(1);
        let mut arguments = Vec::new();
        let mut called = false;
        if self.is("(") {
            called = true;
            self.arguments(&mut arguments)?;
        }
        let span = start.to(self.before());
        let key = (word.to_owned(), arguments.len());
        if let Some(&id) = self.reader.macros.get(&key) {
            return Ok(self.done(MclKind::Call(id, arguments), start, depth));
        }
        let unsupported = UNSUPPORTED.iter().find(|(name, _)| *name == word);
        let wrong = match unsupported {
            Some((name, advice)) => {
                Diagnostic::error(start, format!("`{name}` is not supported")).help(*advice)
            }
            None => self.undefined(word, called.then_some(arguments.len()), span),
        };
        self.tell(wrong);
        if unsupported.is_some() {
            return Err(Failed);
        }
        // The formula goes on with something harmless, so that other mistakes are told as well.
        Ok(self.done(MclKind::False, start, depth))
    }

    /// `(x, y)`
    fn arguments(&mut self, arguments: &mut Vec<MclNodeId>) -> Parse<()> {
        let depth = self.trail.len();
        let open = self.here();
        self.skip(1);
        if self.eat(")") {
            return Ok(());
        }
        loop {
            let argument = self.formula()?;
            self.forget(depth);
            arguments.push(argument.id);
            if self.eat(")") {
                return Ok(());
            }
            if !self.eat(",") {
                self.expect_close(")", open)?;
                return Ok(());
            }
        }
    }
}
