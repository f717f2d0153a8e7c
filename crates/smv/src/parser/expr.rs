//! Parsing of expressions and formulas, by precedence climbing.

use wherefore_base::{Diagnostic, NoWord, Span, deep};
use wherefore_syntax::{Failed, Infix, Level, Parser, Precedence};

use super::linear::Logic;
use super::psl::Meeting;
use super::{Parse, ParsedSmv, SmvParser};
use crate::ast::{
    CaseBranch, LinearSign, Quantifier, SmvBinaryOp, SmvExpr, SmvExprId, SmvExprKind, SmvFunction,
    SmvPathOp, SmvUnaryOp, StepBounds,
};
use crate::token::{Keyword, Sign, SmvToken};

const LOOSEST: Level = 0;
const IMPLIES: Level = 1;
const IFF: Level = 2;
const MEETING: Level = 3;
const TERNARY: Level = 4;
const OR: Level = 5;
const AND: Level = 6;
const UNTIL: Level = 7;
const COMPARE: Level = 8;
const IN: Level = 9;
const UNION: Level = 10;
const RANGE: Level = 11;
const SHIFT: Level = 12;
const ADD: Level = 13;
const MULTIPLY: Level = 14;
const NEGATE: Level = 15;
const CONCAT: Level = 16;
const NOT: Level = 17;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum SmvInfix {
    Binary(SmvBinaryOp),
    Linear(LinearSign),
    Psl(Meeting),
    /// `? :`
    Ternary,
}

type SmvPrecedence<'a> = Precedence<SmvParser<'a>, ParsedSmv, SmvInfix, Failed>;

impl SmvParser<'_> {
    /// A whole expression or formula.
    pub(super) fn expression(&mut self) -> Parse<ParsedSmv> {
        self.at_level(LOOSEST)
    }

    /// A bound of a range: an expression in which `..` is not an operator.
    pub(super) fn bound(&mut self) -> Parse<ParsedSmv> {
        self.at_level(ADD)
    }

    /// An expression whose operators all bind at least as tightly as `level`.
    fn at_level(&mut self, level: Level) -> Parse<ParsedSmv> {
        let grammar: SmvPrecedence<'_> = Precedence {
            operand: |parser, _| {
                parser
                    .effort
                    .spend(2 * size_of::<SmvExpr>())
                    .ok_or(Failed)?;
                parser.prefix()
            },
            infix: |parser, _| parser.infix(),
            join: Self::joined,
        };
        self.climb(level, &grammar)
    }

    /// An operator with what is on its left and what it takes on its right.
    fn joined(&mut self, left: ParsedSmv, infix: Infix<SmvInfix>) -> Parse<ParsedSmv> {
        if let SmvInfix::Ternary = infix.op {
            return self.ternary(left);
        }
        // Operators of one level group to the left, but `->`.
        let right = match infix.op {
            SmvInfix::Binary(SmvBinaryOp::Implies) => self.at_level(infix.level)?,
            _ => self.at_level(infix.level + 1)?,
        };
        let kind = match infix.op {
            SmvInfix::Binary(op) => SmvExprKind::Binary(op, left.id, right.id),
            SmvInfix::Linear(sign) => SmvExprKind::Linear(sign, None, left.id, Some(right.id)),
            SmvInfix::Psl(meeting) => return Ok(self.met(meeting, left, right)),
            SmvInfix::Ternary => unreachable!("it was read above"),
        };
        Ok(self.add(kind, left.span.to(right.span)))
    }

    fn ternary(&mut self, condition: ParsedSmv) -> Parse<ParsedSmv> {
        let then = self.expression()?;
        self.expect(Sign::Colon, "between the two values of `? :`")?;
        // `? :` groups to the right.
        let otherwise = self.at_level(TERNARY)?;
        let kind = SmvExprKind::Ternary(condition.id, then.id, otherwise.id);
        Ok(self.add(kind, condition.span.to(otherwise.span)))
    }

    fn infix(&self) -> Option<Infix<SmvInfix>> {
        let of = |op, level, width| Some(Infix { op, level, width });
        if let Some(sign) = self.linear_between() {
            return of(SmvInfix::Linear(sign), UNTIL, 1);
        }
        if let Some(meeting) = self.meeting() {
            return of(SmvInfix::Psl(meeting), MEETING, meeting.tokens());
        }
        let (op, level) = match self.peek() {
            SmvToken::Sign(Sign::Question) => return of(SmvInfix::Ternary, TERNARY, 1),
            SmvToken::Sign(sign) => match sign {
                Sign::Implies => (SmvBinaryOp::Implies, IMPLIES),
                Sign::Iff => (SmvBinaryOp::Iff, IFF),
                Sign::Or => (SmvBinaryOp::Or, OR),
                Sign::And => (SmvBinaryOp::And, AND),
                Sign::Equal => (SmvBinaryOp::Equal, COMPARE),
                Sign::Unequal => (SmvBinaryOp::Unequal, COMPARE),
                Sign::Less => (SmvBinaryOp::Less, COMPARE),
                Sign::LessEqual => (SmvBinaryOp::LessEqual, COMPARE),
                Sign::Greater => (SmvBinaryOp::Greater, COMPARE),
                Sign::GreaterEqual => (SmvBinaryOp::GreaterEqual, COMPARE),
                Sign::Dots => (SmvBinaryOp::Range, RANGE),
                Sign::ShiftLeft => (SmvBinaryOp::ShiftLeft, SHIFT),
                Sign::ShiftRight => (SmvBinaryOp::ShiftRight, SHIFT),
                Sign::RotateLeft => (SmvBinaryOp::RotateLeft, SHIFT),
                Sign::RotateRight => (SmvBinaryOp::RotateRight, SHIFT),
                Sign::Concat => (SmvBinaryOp::Concat, CONCAT),
                Sign::Plus => (SmvBinaryOp::Add, ADD),
                Sign::Minus => (SmvBinaryOp::Sub, ADD),
                Sign::Star => (SmvBinaryOp::Mul, MULTIPLY),
                Sign::Slash => (SmvBinaryOp::Div, MULTIPLY),
                _ => return None,
            },
            SmvToken::Keyword(keyword) => match keyword {
                Keyword::Xor => (SmvBinaryOp::Xor, OR),
                Keyword::Xnor => (SmvBinaryOp::Xnor, OR),
                Keyword::In => (SmvBinaryOp::In, IN),
                Keyword::Union => (SmvBinaryOp::Union, UNION),
                Keyword::Mod => (SmvBinaryOp::Mod, MULTIPLY),
                _ => return None,
            },
            _ => return None,
        };
        of(SmvInfix::Binary(op), level, 1)
    }

    /// What an operator of PSL before it speaks of: everything up to `until` or `->`.
    pub(super) fn psl_operand(&mut self) -> Parse<ParsedSmv> {
        self.at_level(OR)
    }

    /// An operand with the operators before and after it.
    fn prefix(&mut self) -> Parse<ParsedSmv> {
        let start = self.here();
        match self.peek() {
            SmvToken::Sign(Sign::Not) => self.unary(SmvUnaryOp::Not, NOT),
            SmvToken::Sign(Sign::Minus) => self.unary(SmvUnaryOp::Negate, NEGATE),
            SmvToken::Sign(Sign::Plus) if self.ahead(1) == SmvToken::Number => {
                self.skip(1);
                self.number(start)
            }
            SmvToken::Sign(Sign::Open) => {
                self.skip(1);
                // Inside parentheses `U` does not belong to the brackets around them.
                let brackets = std::mem::take(&mut self.in_brackets);
                let inner = self.expression()?;
                self.in_brackets = brackets;
                self.expect_close(Sign::Close, start)?;
                let span = start.to(self.before());
                let inner = ParsedSmv { id: inner.id, span };
                self.indexed(inner)
            }
            SmvToken::Sign(Sign::OpenBrace) => self.set(),
            SmvToken::Sign(Sign::OpenBracket) => self.array(),
            SmvToken::Number => self.number(start),
            SmvToken::WordLiteral => self.word(start),
            SmvToken::Fraction => self.fraction(start),
            SmvToken::Ident => match self.psl() {
                Some(parsed) => parsed,
                None => self.name(),
            },
            SmvToken::Keyword(Keyword::Next) if self.logic == Logic::Psl => {
                self.psl_next(LinearSign::Globally)
            }
            SmvToken::Keyword(keyword) => self.keyword(keyword),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn unary(&mut self, op: SmvUnaryOp, level: Level) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        let operand = self.at_level(level)?;
        Ok(self.add(SmvExprKind::Unary(op, operand.id), start.to(operand.span)))
    }

    fn number(&mut self, start: Span) -> Parse<ParsedSmv> {
        let text = self.advance();
        let span = start.to(self.before());
        match text.parse() {
            Ok(number) => Ok(self.add(SmvExprKind::Int(number), span)),
            Err(_) => {
                let message = "This numeral is too large: integers have 64 bits";
                Err(self.wrong(span, message))
            }
        }
    }

    /// A fraction.
    fn fraction(&mut self, start: Span) -> Parse<ParsedSmv> {
        let text = self.advance();
        let parts = match text.strip_prefix(['f', 'F']) {
            Some(quotient) => {
                let (top, bottom) = quotient[1..]
                    .split_once('/')
                    .unwrap_or((&quotient[1..], "1"));
                top.parse().ok().zip(bottom.parse().ok())
            }
            None => text.split_once('.').and_then(|(whole, rest)| {
                let digits = u32::try_from(rest.len()).ok()?;
                let top = format!("{whole}{rest}").parse().ok()?;
                Some((top, 10_i64.checked_pow(digits)?))
            }),
        };
        match parts {
            Some((top, bottom)) if bottom > 0 => {
                Ok(self.add(SmvExprKind::Fraction(top, bottom), start))
            }
            Some(_) => Err(self.wrong(start, "This divides by zero")),
            None => {
                let message = "This fraction is too long: both of its parts must fit 64 bits";
                Err(self.wrong(start, message))
            }
        }
    }

    /// A numeral of a word type.
    fn word(&mut self, start: Span) -> Parse<ParsedSmv> {
        let problem = match self.advance().parse() {
            Ok(word) => {
                let word = self.add(SmvExprKind::Word(word), start);
                return self.indexed(word);
            }
            Err(NoWord::Form) => "This is no word",
            Err(NoWord::Width) => "The width of this word is not from 1 to 64 bits",
            Err(NoWord::Number) => "The number does not fit the width of this word",
        };
        let diagnostic = Diagnostic::error(start, problem)
            .help("A word is written as `0ud8_13`, `0sd8_13`, `0ub4_1101` or `0uh8_a5`: sign, base, width, number.");
        Err(self.reject(diagnostic))
    }

    /// `a`, `a.b`, `a[i]`
    fn name(&mut self) -> Parse<ParsedSmv> {
        let ident = self.ident("an expression")?;
        let name = self.add(SmvExprKind::Name(ident.symbol), ident.span);
        self.dotted(name)
    }

    fn dotted(&mut self, mut name: ParsedSmv) -> Parse<ParsedSmv> {
        loop {
            if self.eat(Sign::Dot) {
                let part = self.ident("a part of an instance")?;
                name = self.add(SmvExprKind::Dot(name.id, part), name.span.to(part.span));
            } else if self.is(Sign::OpenBracket) {
                name = self.index(name)?;
            } else {
                return Ok(name);
            }
        }
    }

    /// What is in parentheses, with the indices after it.
    fn indexed(&mut self, mut inner: ParsedSmv) -> Parse<ParsedSmv> {
        while self.is(Sign::OpenBracket) {
            inner = self.index(inner)?;
        }
        Ok(inner)
    }

    /// `a[i]` or `a[high:low]`
    fn index(&mut self, of: ParsedSmv) -> Parse<ParsedSmv> {
        let open = self.here();
        self.skip(1);
        let index = deep(|| self.expression())?;
        if self.eat(Sign::Colon) {
            let low = deep(|| self.expression())?;
            self.expect_close(Sign::CloseBracket, open)?;
            let span = of.span.to(self.before());
            return Ok(self.add(SmvExprKind::Bits(of.id, index.id, low.id), span));
        }
        self.expect_close(Sign::CloseBracket, open)?;
        let span = of.span.to(self.before());
        Ok(self.add(SmvExprKind::Index(of.id, index.id), span))
    }

    /// `[a, b]`
    fn array(&mut self) -> Parse<ParsedSmv> {
        let open = self.here();
        self.skip(1);
        let items = self.list(Sign::CloseBracket, open)?;
        let array = self.add(SmvExprKind::Array(items.into()), open.to(self.before()));
        self.indexed(array)
    }

    /// The name on the left of an assignment.
    pub(super) fn target(&mut self) -> Parse<ParsedSmv> {
        if self.peek() == SmvToken::Keyword(Keyword::SelfName) {
            return self.keyword(Keyword::SelfName);
        }
        let ident = self.ident("a variable")?;
        let name = self.add(SmvExprKind::Name(ident.symbol), ident.span);
        self.dotted(name)
    }

    fn set(&mut self) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        if self.is(Sign::CloseBrace) {
            let span = start.to(self.here());
            let diagnostic = Diagnostic::error(span, "A set has at least one member").help(
                "A choice among no values is impossible; write the members between the braces.",
            );
            return Err(self.reject(diagnostic));
        }
        let items = self.list(Sign::CloseBrace, start)?;
        let span = start.to(self.before());
        Ok(self.add(SmvExprKind::Set(items.into()), span))
    }

    /// Expressions with commas between them, and the sign that ends them.
    pub(super) fn list(&mut self, end: Sign, open: Span) -> Parse<Vec<SmvExprId>> {
        let items = self.separated(Sign::Comma, |p| Ok(p.expression()?.id))?;
        self.expect_close(end, open)?;
        Ok(items)
    }

    fn keyword(&mut self, keyword: Keyword) -> Parse<ParsedSmv> {
        use Keyword as K;
        use Quantifier::{Exists, Forall};
        let start = self.here();
        if let Some(sign) = self.linear_before(keyword) {
            return self.linear(sign, |p| p.at_level(COMPARE));
        }
        match keyword {
            K::True | K::False => {
                self.skip(1);
                Ok(self.add(SmvExprKind::Bool(keyword == K::True), start))
            }
            K::SelfName => {
                self.skip(1);
                let name = self.add(SmvExprKind::SelfName, start);
                self.dotted(name)
            }
            K::Case => self.case(),
            K::Next => {
                self.skip(1);
                let open = self.here();
                self.expect(Sign::Open, "after `next`")?;
                let inner = self.expression()?;
                self.expect_close(Sign::Close, open)?;
                let next = self.add(SmvExprKind::Next(inner.id), start.to(self.before()));
                self.indexed(next)
            }
            K::Count => self.call(SmvFunction::Count),
            K::Toint => self.call(SmvFunction::ToInt),
            K::Bool => self.call(SmvFunction::Bool),
            K::Abs => self.call(SmvFunction::Abs),
            K::Max => self.call(SmvFunction::Max),
            K::Min => self.call(SmvFunction::Min),
            K::Word1 => self.call(SmvFunction::Word1),
            K::Signed => self.call(SmvFunction::Signed),
            K::Unsigned => self.call(SmvFunction::Unsigned),
            K::Extend => self.call(SmvFunction::Extend),
            K::Resize => self.call(SmvFunction::Resize),
            K::Sizeof => self.call(SmvFunction::Sizeof),
            K::Uwconst => self.call(SmvFunction::Uwconst),
            K::Swconst => self.call(SmvFunction::Swconst),
            K::Ex => self.path(Exists, SmvPathOp::Next),
            K::Ax => self.path(Forall, SmvPathOp::Next),
            K::Ef => self.path(Exists, SmvPathOp::Finally),
            K::Af => self.path(Forall, SmvPathOp::Finally),
            K::Eg => self.path(Exists, SmvPathOp::Globally),
            K::Ag => self.path(Forall, SmvPathOp::Globally),
            K::Ebf => self.path_within(Exists, SmvPathOp::FinallyWithin),
            K::Abf => self.path_within(Forall, SmvPathOp::FinallyWithin),
            K::Ebg => self.path_within(Exists, SmvPathOp::GloballyWithin),
            K::Abg => self.path_within(Forall, SmvPathOp::GloballyWithin),
            K::E => self.path_between(Exists),
            K::A => self.path_between(Forall),
            K::X | K::F | K::G | K::U | K::V | K::Y | K::Z | K::H | K::O | K::S | K::T => {
                let message = format!(
                    "`{}` is an operator of LTL and cannot stand here",
                    keyword.text()
                );
                let advice = match keyword {
                    K::X | K::F | K::G => {
                        let text = keyword.text();
                        format!("In CTL write `A{text}` for every path or `E{text}` for some path.")
                    }
                    _ => "It is a reserved word, so it cannot be a name either.".to_owned(),
                };
                Err(self.reject(Diagnostic::error(start, message).help(advice)))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn case(&mut self) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        self.open_cases += 1;
        let mut branches = Vec::new();
        while !self.eat(Keyword::Esac) {
            if self.peek() == SmvToken::End {
                let message = "This `case` has no `esac`";
                return Err(self.wrong(start, message));
            }
            let condition = self.expression()?;
            self.expect(
                Sign::Colon,
                "between the condition and the value of a branch",
            )?;
            let value = self.expression()?;
            let span = condition.span.to(value.span);
            branches.push(CaseBranch {
                condition: condition.id,
                value: value.id,
                span,
            });
            if self.peek() == SmvToken::Keyword(Keyword::Esac) || !self.eat(Sign::Semicolon) {
                return Err(self.unexpected("`;` after the branch of a `case`"));
            }
        }
        self.open_cases -= 1;
        let span = start.to(self.before());
        if branches.is_empty() {
            let message = "A `case` has at least one branch";
            return Err(self.wrong(span, message));
        }
        Ok(self.add(SmvExprKind::Case(branches.into()), span))
    }

    fn call(&mut self, function: SmvFunction) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        let open = self.here();
        self.expect(Sign::Open, &format!("after `{}`", function.name()))?;
        let items = self.list(Sign::Close, open)?;
        let span = start.to(self.before());
        if let Some(arity) = function.arity().filter(|&arity| arity != items.len()) {
            let (name, found) = (function.name(), items.len());
            let noun = if arity == 1 { "argument" } else { "arguments" };
            let verb = if found == 1 { "is" } else { "are" };
            let message = format!("`{name}` takes {arity} {noun}, but {found} {verb} given");
            return Err(self.wrong(span, message));
        }
        let call = self.add(SmvExprKind::Call(function, items.into()), span);
        self.indexed(call)
    }

    /// `EX f` and its like: the operand binds more tightly than `&`.
    fn path(&mut self, quantifier: Quantifier, op: fn(SmvExprId) -> SmvPathOp) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        let operand = self.at_level(COMPARE)?;
        Ok(self.add_path(quantifier, op(operand.id), start.to(operand.span)))
    }

    /// `EBF m..n f` and its like.
    fn path_within(
        &mut self,
        quantifier: Quantifier,
        op: fn(StepBounds, SmvExprId) -> SmvPathOp,
    ) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        let within = self.within()?;
        let operand = self.at_level(COMPARE)?;
        Ok(self.add_path(quantifier, op(within, operand.id), start.to(operand.span)))
    }

    fn within(&mut self) -> Parse<StepBounds> {
        let least = self.at_level(NEGATE)?.id;
        self.expect(Sign::Dots, "between the bounds of the operator")?;
        let most = self.at_level(NEGATE)?.id;
        Ok(StepBounds { least, most })
    }

    /// `E [f U g]` and its like. `W` and `R` are no reserved words, so they are names by token.
    fn path_between(&mut self, quantifier: Quantifier) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        let open = self.here();
        self.expect(
            Sign::OpenBracket,
            "after `E` or `A` alone, as in `A [p U q]`,",
        )?;
        let brackets = std::mem::replace(&mut self.in_brackets, true);
        let first = self.expression();
        self.in_brackets = brackets;
        let first = first?;
        let op: fn(SmvExprId, SmvExprId) -> SmvPathOp = match (self.peek(), self.text()) {
            (SmvToken::Keyword(Keyword::U), _) => SmvPathOp::Until,
            (SmvToken::Keyword(Keyword::V), _) | (SmvToken::Ident, "R") => SmvPathOp::Release,
            (SmvToken::Ident, "W") => SmvPathOp::WeakUntil,
            (SmvToken::Keyword(Keyword::Bu), _) => {
                self.skip(1);
                let within = self.within()?;
                let second = self.expression()?;
                self.expect_close(Sign::CloseBracket, open)?;
                let path = SmvPathOp::UntilWithin(within, first.id, second.id);
                return Ok(self.add_path(quantifier, path, start.to(self.before())));
            }
            _ => return Err(self.unexpected("`U`, `W`, `R` or `BU`")),
        };
        self.skip(1);
        let second = self.expression()?;
        self.expect_close(Sign::CloseBracket, open)?;
        Ok(self.add_path(quantifier, op(first.id, second.id), start.to(self.before())))
    }
}
