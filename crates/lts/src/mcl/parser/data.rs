//! Parsing of action patterns and of expressions over data.

use wherefore_base::{Diagnostic, Span, deep};
use wherefore_syntax::{Infix, Level, Parser, Precedence};

use super::super::ast::{
    ActionPattern, DataOperator, DataTerm, DataTermId, DataTermKind, DataType, MclKind,
    OfferPattern, PatternBinder,
};
use super::super::token::MclToken;
use super::formula::ParsedFormula;
use super::{MclName, MclParser, Parse};
use crate::quoted::unquoted;

const LOOSEST: Level = 0;
const ADD: Level = 5;

impl MclParser<'_, '_> {
    /// `{ GATE ?x:nat !e ... where condition }`
    pub(super) fn pattern(&mut self) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let start = self.here();
        self.skip(1);
        let mut pattern = ActionPattern {
            gate: None,
            offers: Vec::new(),
            more: false,
            condition: None,
            binders: Vec::new(),
        };
        if let Some(gate) = self.word().filter(|&word| word != "where") {
            self.skip(1);
            pattern.gate = Some(gate.to_owned());
        } else if !self.is("...") {
            return Err(self.unexpected("the gate of an action pattern, or `...`"));
        }
        let before = self.pattern.replace(depth);
        let read = self.offers(&mut pattern);
        self.pattern = before;
        read?;
        self.expect_close("}", start)?;
        Ok(self.done(MclKind::Pattern(Box::new(pattern)), start, depth))
    }

    fn offers(&mut self, pattern: &mut ActionPattern) -> Parse<()> {
        loop {
            let here = self.here();
            if pattern.more && (self.is("!") || self.is("?")) {
                let message = "`...` stands for all further offers, so none can follow it";
                return Err(self.wrong(here, message));
            }
            if self.eat("!") {
                let term = self.expression(ADD)?;
                pattern.offers.push(OfferPattern::Equal(term));
            } else if self.eat("?") {
                self.received(pattern)?;
            } else if self.eat("...") {
                pattern.more = true;
            } else if self.eat_word("where") {
                pattern.condition = Some(self.expression(LOOSEST)?);
                return Ok(());
            } else if self.is("}") {
                return Ok(());
            } else {
                return Err(self.unexpected("an offer (`!e`, `?x:nat`, `...`), `where` or `}`"));
            }
        }
    }

    /// `x:T`, `any`, `any of T`
    fn received(&mut self, pattern: &mut ActionPattern) -> Parse<()> {
        if self.eat_word("any") {
            let typed = self.eat(":") || self.eat_word("of") || self.named_type().is_some();
            let kind = if typed {
                self.type_name()?
            } else {
                DataType::Any
            };
            pattern.offers.push(OfferPattern::Any(kind));
            return Ok(());
        }
        let (name, span) = self.name("a variable")?;
        self.expect(":", "and a type (as in `?x:nat`)")?;
        let kind = self.type_name()?;
        if pattern.binders.iter().any(|binder| binder.name == name) {
            let message = format!("This pattern binds `{name}` twice");
            let wrong = Diagnostic::error(span, message)
                .help("Two equal offers are written with another variable and `where x = y`.");
            return Err(self.reject(wrong));
        }
        let slot = self.new_slot();
        let id = self.reader.tree.used.push(false);
        self.bind(name, MclName::Data(slot, Some(id)));
        pattern.offers.push(OfferPattern::Bind(kind, slot));
        pattern.binders.push(PatternBinder {
            name: name.to_owned(),
            slot,
            id,
        });
        Ok(())
    }

    fn named_type(&self) -> Option<&str> {
        self.word()
            .filter(|word| matches!(*word, "nat" | "int" | "bool" | "string"))
    }

    fn type_name(&mut self) -> Parse<DataType> {
        let (name, span) = self.name("a type")?;
        Ok(match name.to_ascii_lowercase().as_str() {
            "nat" => DataType::Nat,
            "int" => DataType::Int,
            "bool" => DataType::Bool,
            "string" => DataType::Text,
            "real" | "natset" | "char" => {
                let message = format!("Values of type `{name}` are not supported");
                let wrong = Diagnostic::error(span, message);
                return Err(self
                    .reject(wrong.help("Use `string`, which takes any value as it is printed.")));
            }
            _ => DataType::Any,
        })
    }

    /// `exists x:nat among { a ... b } . F`
    pub(super) fn quantified(&mut self, exists: bool) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let start = self.here();
        self.skip(1);
        let (name, name_span) = self.name("a variable")?;
        self.expect(":", "and a type")?;
        self.type_name()?;
        if !self.eat_word("among") {
            let wrong = self
                .misplaced("`among { a ... b }`")
                .help("Only quantifiers over ranges of numbers are supported.");
            return Err(self.reject(wrong));
        }
        let open = self.here();
        self.expect("{", "before a range")?;
        let low = self.expression(ADD)?;
        self.expect("...", "between the bounds of a range")?;
        let high = self.expression(ADD)?;
        self.expect_close("}", open)?;
        self.expect(".", "after a quantifier")?;
        let slot = self.new_slot();
        self.bind(name, MclName::Data(slot, None));
        let body = self.body_of(start.to(name_span))?;
        self.forget(depth);
        let kind = MclKind::Quantified(exists, slot, name.to_owned(), low, high, body);
        Ok(self.done(kind, start, depth))
    }

    /// A number as an argument of a macro.
    pub(super) fn number_argument(&mut self) -> Parse<ParsedFormula> {
        let depth = self.trail.len();
        let start = self.here();
        let term = self.number()?;
        Ok(self.done(MclKind::Data(term), start, depth))
    }

    fn number(&mut self) -> Parse<DataTermId> {
        let text = self.advance();
        let span = self.before();
        match text.parse() {
            Ok(number) => Ok(self.term(DataTermKind::Int(number), span, u32::MAX)),
            Err(_) => {
                let message = "This numeral is too large: integers have 64 bits";
                Err(self.wrong(span, message))
            }
        }
    }

    pub(super) fn term(&mut self, kind: DataTermKind, span: Span, reaches: u32) -> DataTermId {
        self.reader.tree.terms.push(DataTerm {
            kind,
            span,
            reaches,
        })
    }

    /// An expression whose operators all bind at least as tightly as `level`.
    fn expression(&mut self, level: Level) -> Parse<DataTermId> {
        let grammar = Precedence {
            operand: |parser: &mut Self, _| parser.primary(),
            infix: |parser: &Self, _: &DataTermId| parser.operator(),
            join: Self::joined,
        };
        self.climb(level, &grammar)
    }

    fn joined(&mut self, left: DataTermId, infix: Infix<DataOperator>) -> Parse<DataTermId> {
        let right = self.expression(infix.level + 1)?;
        let terms = &self.reader.tree.terms;
        let (one, other) = (&terms[left], &terms[right]);
        let (span, reaches) = (one.span.to(other.span), one.reaches.min(other.reaches));
        let kind = DataTermKind::Binary(infix.op, left, right);
        Ok(self.term(kind, span, reaches))
    }

    fn operator(&self) -> Option<Infix<DataOperator>> {
        let (op, level) = match self.peek() {
            MclToken::Sign(sign) => match sign {
                "=" => (DataOperator::Equal, 4),
                "<>" => (DataOperator::Unequal, 4),
                "<" => (DataOperator::Less, 4),
                "<=" => (DataOperator::AtMost, 4),
                ">" => (DataOperator::Greater, 4),
                ">=" => (DataOperator::AtLeast, 4),
                "+" => (DataOperator::Add, ADD),
                "-" => (DataOperator::Subtract, ADD),
                "*" => (DataOperator::Multiply, 6),
                "/" => (DataOperator::Divide, 6),
                _ => return None,
            },
            MclToken::Word => match self.word()? {
                "equ" => (DataOperator::Equ, 0),
                "implies" => (DataOperator::Implies, 1),
                "or" => (DataOperator::Or, 2),
                "and" => (DataOperator::And, 3),
                "div" => (DataOperator::Divide, 6),
                "mod" => (DataOperator::Remainder, 6),
                _ => return None,
            },
            _ => return None,
        };
        let width = 1;
        Some(Infix { op, level, width })
    }

    fn primary(&mut self) -> Parse<DataTermId> {
        let start = self.here();
        match self.peek() {
            MclToken::Number => self.number(),
            MclToken::Text => {
                let text = unquoted(self.text());
                self.skip(1);
                Ok(self.term(DataTermKind::Word(text), start, u32::MAX))
            }
            MclToken::Sign("(") => {
                self.skip(1);
                let inner = self.expression(LOOSEST)?;
                self.expect_close(")", start)?;
                self.reader.tree.terms[inner].span = start.to(self.before());
                Ok(inner)
            }
            MclToken::Sign(sign @ ("-" | "+")) => {
                self.skip(1);
                let inner = deep(|| self.primary())?;
                if sign == "+" {
                    return Ok(inner);
                }
                self.unary(DataTermKind::Minus(inner), inner, start)
            }
            MclToken::Word => self.worded_term(start),
            _ => Err(self.unexpected("a value or an expression")),
        }
    }

    fn unary(&mut self, kind: DataTermKind, inner: DataTermId, start: Span) -> Parse<DataTermId> {
        let reaches = self.reader.tree.terms[inner].reaches;
        let span = start.to(self.before());
        Ok(self.term(kind, span, reaches))
    }

    fn worded_term(&mut self, start: Span) -> Parse<DataTermId> {
        let word = self.word().unwrap_or_default();
        if word == "not" {
            self.skip(1);
            // `not` takes a comparison with it, but no connective.
            let inner = self.expression(4)?;
            return self.unary(DataTermKind::Not(inner), inner, start);
        }
        if let Some((meaning, reaches)) = self.meaning(word) {
            self.skip(1);
            let kind = match meaning {
                MclName::Data(slot, _) => DataTermKind::Variable(slot),
                MclName::Parameter(slot) => DataTermKind::Parameter(slot),
                MclName::Variable(_) => {
                    let message = format!("`{word}` is a fixpoint, not a value");
                    return Err(self.wrong(start, message));
                }
            };
            return Ok(self.term(kind, start, reaches));
        }
        let kind = match word {
            "true" | "TRUE" => DataTermKind::Bool(true),
            "false" | "FALSE" => DataTermKind::Bool(false),
            "where" | "or" | "and" | "implies" | "equ" => {
                return Err(self.unexpected("a value or an expression"));
            }
            _ => DataTermKind::Word(word.to_owned()),
        };
        self.skip(1);
        Ok(self.term(kind, start, u32::MAX))
    }
}
