//! Parsing of expressions and formulas, by precedence climbing.
//!
//! From loose to tight: `;`, quantifiers and `let` (as far to the right as possible, but not past `;`), `or`, `iff`,
//! `implies`, `and`, operators of time between formulas, `not` and the other operators of time,
//! comparisons and `no some lone one`, shifts, `+ -`, multiplication, `#`, `++`, `&`, `->`, `<:`, `:>`,
//! joins, `~ ^ *`, and primes. `->` and `implies` group to the right, all others to the left.

use wherefore_base::{Diagnostic, deep};
use wherefore_syntax::{Failed, Infix, Level, Parser, Precedence};

use super::{AlloyParser, Parse, ParsedExpr};
use crate::ast::{
    AlloyBinaryOp, AlloyExpr, AlloyExprId, AlloyExprKind, AlloyQuantifier, AlloyUnaryOp, Constant,
    Decl, Mult,
};
use crate::token::{AlloyToken, Keyword, Sign};

const OR: Level = 1;
const IFF: Level = 2;
const IMPLIES: Level = 3;
const AND: Level = 4;
const TIME: Level = 5;
const NOT: Level = 6;
const COMPARE: Level = 7;
const SHIFT: Level = 8;
const UNION: Level = 9;
const MULTIPLY: Level = 10;
const COUNT: Level = 11;
const OVERRIDE: Level = 12;
const INTERSECT: Level = 13;
const ARROW: Level = 14;
const DOMAIN: Level = 15;
const RANGE: Level = 16;
const JOIN: Level = 17;
const TIGHT: Level = 18;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum AlloyInfix {
    Binary(AlloyBinaryOp),
    /// The same, negated.
    Negated(AlloyBinaryOp),
    Arrow(Mult, Mult),
    Dot,
    Box,
}

type AlloyPrecedence<'a> = Precedence<AlloyParser<'a>, ParsedExpr, AlloyInfix, Failed>;

impl AlloyParser<'_> {
    /// A whole expression or formula.
    pub(super) fn expression(&mut self) -> Parse<ParsedExpr> {
        let left = self.at_level(OR)?;
        if !self.eat(Sign::Semicolon) {
            return Ok(left);
        }
        let right = deep(|| self.expression())?;
        let kind = AlloyExprKind::Binary(AlloyBinaryOp::Then, left.id, right.id);
        Ok(self.add(kind, left.span.to(right.span)))
    }

    /// `{ .. }`: formulas that follow each other.
    pub(super) fn block(&mut self) -> Parse<ParsedExpr> {
        let open = self.here();
        self.expect(Sign::OpenBrace, "before the formulas")?;
        let mut formulas = Vec::new();
        while !self.is(Sign::CloseBrace) {
            let opens = matches!(self.peek(), AlloyToken::Keyword(word)
                if word.opens_paragraph() && self.ahead(1) != AlloyToken::Sign(Sign::Slash));
            if opens || self.is(AlloyToken::End) {
                return Err(self
                    .expect_close(Sign::CloseBrace, open)
                    .expect_err("not there"));
            }
            formulas.push(self.expression()?.id);
        }
        self.skip(1);
        Ok(self.add(AlloyExprKind::Block(formulas), open.to(self.before())))
    }

    /// `a, b: disj expression` or, where it is allowed, `a = expression`.
    pub(super) fn decl(&mut self, what: &str, may_define: bool) -> Parse<Decl> {
        let mut flags = [false; 3];
        loop {
            match self.peek() {
                AlloyToken::Keyword(Keyword::Var) => flags[0] = true,
                AlloyToken::Keyword(Keyword::Private) => flags[1] = true,
                AlloyToken::Keyword(Keyword::Disj) => flags[2] = true,
                AlloyToken::Keyword(word @ (Keyword::Part | Keyword::Exh)) => {
                    let message =
                        format!("`{}` is not a part of the language any more", word.text());
                    let diagnostic = Diagnostic::error(self.here(), message)
                        .help("State the partition in a fact, with `disj[..]` and `=`.");
                    return Err(self.reject(diagnostic));
                }
                _ => break,
            }
            self.skip(1);
        }
        let [var, private, disj] = flags;
        let names = self.separated(Sign::Comma, |p| p.declared(what))?;
        let defined = may_define && self.is(Sign::Equal);
        if defined {
            self.skip(1);
        } else {
            self.expect(Sign::Colon, &format!("after the name of {what}"))?;
        }
        let disj_value = self.eat(Keyword::Disj);
        if defined && (disj || disj_value) {
            let message = "What is defined with `=` cannot be disjoint";
            return Err(self.wrong(self.before(), message));
        }
        let bound = self.expression()?.id;
        Ok(Decl {
            private,
            var,
            disj,
            disj_value,
            defined,
            names,
            bound,
        })
    }

    /// An expression whose operators all bind at least as tightly as `level`.
    fn at_level(&mut self, level: Level) -> Parse<ParsedExpr> {
        let grammar: AlloyPrecedence<'_> = Precedence {
            operand: |parser, level| {
                parser
                    .effort
                    .spend(2 * size_of::<AlloyExpr>())
                    .ok_or(Failed)?;
                parser.prefix(level)
            },
            // A quantifier or `let` takes everything on its right.
            infix: |parser, left| if left.binds { None } else { parser.infix() },
            join: Self::joined,
        };
        self.climb(level, &grammar)
    }

    fn joined(&mut self, left: ParsedExpr, infix: Infix<AlloyInfix>) -> Parse<ParsedExpr> {
        let level = infix.level;
        match infix.op {
            AlloyInfix::Box => self.boxed(left),
            AlloyInfix::Dot => self.dot(left),
            AlloyInfix::Binary(AlloyBinaryOp::Implies) => self.implies(left),
            AlloyInfix::Binary(op) => {
                self.binary(left, level + 1, |a, b| AlloyExprKind::Binary(op, a, b))
            }
            AlloyInfix::Arrow(m, n) => {
                self.binary(left, level, |a, b| AlloyExprKind::Arrow(m, n, a, b))
            }
            AlloyInfix::Negated(op) => {
                let inner = self.binary(left, level + 1, |a, b| AlloyExprKind::Binary(op, a, b))?;
                let kind = AlloyExprKind::Unary(AlloyUnaryOp::Not, inner.id);
                Ok(ParsedExpr {
                    binds: inner.binds,
                    ..self.add(kind, inner.span)
                })
            }
        }
    }

    fn binary(
        &mut self,
        left: ParsedExpr,
        level: Level,
        kind: impl FnOnce(AlloyExprId, AlloyExprId) -> AlloyExprKind,
    ) -> Parse<ParsedExpr> {
        let right = self.at_level(level)?;
        let whole = self.add(kind(left.id, right.id), left.span.to(right.span));
        Ok(ParsedExpr {
            binds: right.binds,
            ..whole
        })
    }

    /// What follows `=>`.
    fn implies(&mut self, left: ParsedExpr) -> Parse<ParsedExpr> {
        let then = self.at_level(IMPLIES)?;
        if then.binds || !self.eat(Keyword::Else) {
            let kind = AlloyExprKind::Binary(AlloyBinaryOp::Implies, left.id, then.id);
            let whole = self.add(kind, left.span.to(then.span));
            return Ok(ParsedExpr {
                binds: then.binds,
                ..whole
            });
        }
        let otherwise = self.at_level(IMPLIES)?;
        let kind = AlloyExprKind::IfElse(left.id, then.id, otherwise.id);
        let whole = self.add(kind, left.span.to(otherwise.span));
        Ok(ParsedExpr {
            binds: otherwise.binds,
            ..whole
        })
    }

    /// What follows a dot.
    fn dot(&mut self, left: ParsedExpr) -> Parse<ParsedExpr> {
        let here = self.here();
        let constant = match self.peek() {
            AlloyToken::Keyword(Keyword::Disj) => Some(Constant::Disj),
            AlloyToken::Keyword(Keyword::Int | Keyword::Sum) => Some(Constant::IntCast),
            _ => None,
        };
        let right = match constant {
            Some(constant) => {
                self.skip(1);
                self.add(AlloyExprKind::Constant(constant), here)
            }
            None => self.at_level(TIGHT)?,
        };
        let kind = AlloyExprKind::Join(left.id, right.id);
        let whole = self.add(kind, left.span.to(right.span));
        Ok(ParsedExpr {
            binds: right.binds,
            ..whole
        })
    }

    /// What follows `[`: each argument is joined from the left.
    fn boxed(&mut self, target: ParsedExpr) -> Parse<ParsedExpr> {
        let open = self.before();
        let mut arguments = Vec::new();
        while !self.is(Sign::CloseBracket) {
            arguments.push(deep(|| self.expression())?);
            if !self.eat(Sign::Comma) {
                break;
            }
        }
        self.expect_close(Sign::CloseBracket, open)?;
        let span = target.span.to(self.before());
        let mut whole = ParsedExpr { span, ..target };
        for argument in arguments {
            whole = self.add(AlloyExprKind::Join(argument.id, whole.id), span);
        }
        Ok(whole)
    }

    /// The operator here, how tightly it binds, and how many tokens it has.
    fn infix(&self) -> Option<Infix<AlloyInfix>> {
        use AlloyBinaryOp as B;
        let of = |op, level| Some(infix(AlloyInfix::Binary(op), level, 1));
        match self.peek() {
            AlloyToken::Sign(sign) => match sign {
                Sign::OrOr => of(B::Or, OR),
                Sign::Iff => of(B::Iff, IFF),
                Sign::Implies if self.goes_on_with_a_command() => None,
                Sign::Implies => of(B::Implies, IMPLIES),
                Sign::AndAnd => of(B::And, AND),
                Sign::ShiftLeft => of(B::ShiftLeft, SHIFT),
                Sign::ShiftRight => of(B::ShiftRightZeros, SHIFT),
                Sign::ShiftArith => of(B::ShiftRight, SHIFT),
                Sign::Plus => of(B::Union, UNION),
                Sign::Minus => of(B::Difference, UNION),
                Sign::PlusPlus => of(B::Override, OVERRIDE),
                Sign::Ampersand => of(B::Intersection, INTERSECT),
                Sign::Domain => of(B::Domain, DOMAIN),
                Sign::Range => of(B::Range, RANGE),
                Sign::Dot => Some(infix(AlloyInfix::Dot, JOIN, 1)),
                Sign::OpenBracket => Some(infix(AlloyInfix::Box, JOIN, 1)),
                Sign::Arrow => Some(self.arrow(Mult::Set, 1)),
                Sign::Not => self.negated(),
                _ => compare(AlloyToken::Sign(sign)).and_then(|op| of(op, COMPARE)),
            },
            AlloyToken::Keyword(keyword) => match keyword {
                Keyword::Or => of(B::Or, OR),
                Keyword::Iff => of(B::Iff, IFF),
                Keyword::Implies => of(B::Implies, IMPLIES),
                Keyword::And => of(B::And, AND),
                Keyword::Until => of(B::Until, TIME),
                Keyword::Since => of(B::Since, TIME),
                Keyword::Releases => of(B::Releases, TIME),
                Keyword::Triggered => of(B::Triggered, TIME),
                Keyword::In => of(B::In, COMPARE),
                Keyword::Not => self.negated(),
                Keyword::Fun => self.arithmetic(),
                _ if self.ahead(1) == AlloyToken::Sign(Sign::Arrow) => {
                    multiplicity(self.peek()).map(|mult| self.arrow(mult, 2))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `=> run ..` or `=> label: run ..` after a command.
    pub(super) fn goes_on_with_a_command(&self) -> bool {
        let labelled =
            self.ahead(1) == AlloyToken::Ident && self.ahead(2) == AlloyToken::Sign(Sign::Colon);
        let word = self.ahead(if labelled { 3 } else { 1 });
        matches!(word, AlloyToken::Keyword(Keyword::Run | Keyword::Check))
    }

    fn arrow(&self, left: Mult, width: usize) -> Infix<AlloyInfix> {
        match multiplicity(self.ahead(width)) {
            Some(right) => infix(AlloyInfix::Arrow(left, right), ARROW, width + 1),
            None => infix(AlloyInfix::Arrow(left, Mult::Set), ARROW, width),
        }
    }

    fn negated(&self) -> Option<Infix<AlloyInfix>> {
        compare(self.ahead(1)).map(|op| infix(AlloyInfix::Negated(op), COMPARE, 2))
    }

    /// `fun/add` and its like, which the modules of integers are written with.
    fn arithmetic(&self) -> Option<Infix<AlloyInfix>> {
        let (op, level) = match self.built_in()? {
            "add" => (AlloyBinaryOp::Add, UNION),
            "sub" => (AlloyBinaryOp::Sub, UNION),
            "mul" => (AlloyBinaryOp::Mul, MULTIPLY),
            "div" => (AlloyBinaryOp::Div, MULTIPLY),
            "rem" => (AlloyBinaryOp::Rem, MULTIPLY),
            _ => return None,
        };
        Some(infix(AlloyInfix::Binary(op), level, 3))
    }

    /// The last part of `fun/..` or `pred/..`.
    pub(super) fn built_in(&self) -> Option<&str> {
        let slash = self.ahead(1) == AlloyToken::Sign(Sign::Slash);
        let name = self.cursor.ahead(2);
        (slash && name.kind == AlloyToken::Ident).then(|| self.cursor.text_of(name))
    }

    /// An operand with the operators before it, which must bind at least as tightly as `level`.
    fn prefix(&mut self, level: Level) -> Parse<ParsedExpr> {
        if let Some(quantifier) = self.quantifier() {
            return self.quantified(quantifier);
        }
        use AlloyUnaryOp as U;
        let boxed = self.ahead(1) == AlloyToken::Sign(Sign::OpenBracket);
        let slash = self.ahead(1) == AlloyToken::Sign(Sign::Slash);
        let (op, own, operand) = match self.peek() {
            AlloyToken::Sign(sign) => match sign {
                Sign::Not => (U::Not, NOT, NOT),
                Sign::Hash => (U::Cardinality, COUNT, COUNT),
                Sign::Tilde => (U::Transpose, TIGHT, TIGHT),
                Sign::Caret => (U::Closure, TIGHT, TIGHT),
                Sign::Star => (U::ReflexiveClosure, TIGHT, TIGHT),
                _ => return self.primary(),
            },
            AlloyToken::Keyword(keyword) => match keyword {
                Keyword::Let => return self.let_in(),
                Keyword::Not => (U::Not, NOT, NOT),
                Keyword::Always => (U::Always, NOT, NOT),
                Keyword::Eventually => (U::Eventually, NOT, NOT),
                Keyword::After => (U::After, NOT, NOT),
                Keyword::Before => (U::Before, NOT, NOT),
                Keyword::Historically => (U::Historically, NOT, NOT),
                Keyword::Once => (U::Once, NOT, NOT),
                Keyword::No => (U::No, COMPARE, SHIFT),
                Keyword::Some => (U::Some, COMPARE, SHIFT),
                Keyword::Lone => (U::Lone, COMPARE, SHIFT),
                Keyword::One => (U::One, COMPARE, SHIFT),
                Keyword::Set => (U::Set, COMPARE, SHIFT),
                Keyword::Seq if !slash => (U::Seq, COMPARE, SHIFT),
                Keyword::Int | Keyword::Sum if !boxed => (U::IntCast, COUNT, COUNT),
                Keyword::All => {
                    let message = "`all` needs a declaration: `all x: A | formula`";
                    return Err(self.wrong(self.here(), message));
                }
                _ => return self.primary(),
            },
            _ => return self.primary(),
        };
        let start = self.here();
        if own < level {
            let text = self.text();
            let message = format!("`{text}` binds more loosely than the operator before it");
            let diagnostic = Diagnostic::error(start, message).help(self.advice_for_loose(op));
            return Err(self.reject(diagnostic));
        }
        self.skip(1);
        if op == U::Seq {
            self.module.seq.get_or_insert(start);
        }
        let inner = self.at_level(operand)?;
        let whole = self.add(AlloyExprKind::Unary(op, inner.id), start.to(inner.span));
        Ok(ParsedExpr {
            binds: inner.binds,
            ..whole
        })
    }

    /// Whether a quantifier with its declaration starts here.
    fn quantifier(&self) -> Option<AlloyQuantifier> {
        let quantifier = match self.peek() {
            AlloyToken::Keyword(Keyword::All) => AlloyQuantifier::All,
            AlloyToken::Keyword(Keyword::Some) => AlloyQuantifier::Some,
            AlloyToken::Keyword(Keyword::No) => AlloyQuantifier::No,
            AlloyToken::Keyword(Keyword::Lone) => AlloyQuantifier::Lone,
            AlloyToken::Keyword(Keyword::One) => AlloyQuantifier::One,
            AlloyToken::Keyword(Keyword::Sum) => AlloyQuantifier::Sum,
            _ => return None,
        };
        // In `f: lone A, g: B` the word is a multiplicity.
        let before = self.cursor.behind(1).map(|token| token.kind);
        let in_declaration = matches!(
            before,
            Some(AlloyToken::Sign(Sign::Colon) | AlloyToken::Keyword(Keyword::Disj))
        );
        (!in_declaration && self.declares(1)).then_some(quantifier)
    }

    /// Whether `a, b :` starts this many tokens ahead.
    pub(super) fn declares(&self, mut ahead: usize) -> bool {
        for word in [Keyword::Private, Keyword::Disj] {
            if self.ahead(ahead) == AlloyToken::Keyword(word) {
                ahead += 1;
            }
        }
        if matches!(
            self.ahead(ahead),
            AlloyToken::Keyword(Keyword::Part | Keyword::Exh)
        ) {
            ahead += 1;
        }
        while self.ahead(ahead) == AlloyToken::Ident {
            match self.ahead(ahead + 1) {
                AlloyToken::Sign(Sign::Comma) => ahead += 2,
                AlloyToken::Sign(Sign::Colon) => return true,
                _ => return false,
            }
        }
        false
    }

    fn quantified(&mut self, quantifier: AlloyQuantifier) -> Parse<ParsedExpr> {
        let start = self.here();
        self.skip(1);
        let decls = self.separated(Sign::Comma, |p| p.decl("a variable", false))?;
        let body = self.bar_or_block()?;
        let kind = AlloyExprKind::Quantified(quantifier, decls, body.id);
        let whole = self.add(kind, start.to(body.span));
        Ok(ParsedExpr {
            binds: true,
            ..whole
        })
    }

    fn let_in(&mut self) -> Parse<ParsedExpr> {
        let start = self.here();
        self.skip(1);
        let mut bindings = Vec::new();
        loop {
            let name = self.declared("a variable")?;
            self.expect(Sign::Equal, "after the name of a variable of `let`")?;
            bindings.push((name, self.expression()?.id));
            if !self.eat(Sign::Comma) {
                break;
            }
        }
        let mut body = self.bar_or_block()?;
        for (name, value) in bindings.into_iter().rev() {
            let span = start.to(body.span);
            body = self.add(AlloyExprKind::Let(name, value, body.id), span);
        }
        Ok(ParsedExpr {
            binds: true,
            ..body
        })
    }

    pub(super) fn bar_or_block(&mut self) -> Parse<ParsedExpr> {
        if self.eat(Sign::Bar) {
            return self.at_level(OR);
        }
        if self.is(Sign::OpenBrace) {
            return deep(|| self.block());
        }
        Err(self.unexpected("`|` or `{` before the body"))
    }
}

fn infix(op: AlloyInfix, level: Level, width: usize) -> Infix<AlloyInfix> {
    Infix { op, level, width }
}

/// The comparison that a token stands for.
fn compare(kind: AlloyToken) -> Option<AlloyBinaryOp> {
    Some(match kind {
        AlloyToken::Keyword(Keyword::In) => AlloyBinaryOp::In,
        AlloyToken::Sign(Sign::Equal) => AlloyBinaryOp::Equal,
        AlloyToken::Sign(Sign::Less) => AlloyBinaryOp::Less,
        AlloyToken::Sign(Sign::LessEqual) => AlloyBinaryOp::LessEqual,
        AlloyToken::Sign(Sign::Greater) => AlloyBinaryOp::Greater,
        AlloyToken::Sign(Sign::GreaterEqual) => AlloyBinaryOp::GreaterEqual,
        _ => return None,
    })
}

fn multiplicity(kind: AlloyToken) -> Option<Mult> {
    match kind {
        AlloyToken::Keyword(Keyword::One) => Some(Mult::One),
        AlloyToken::Keyword(Keyword::Lone) => Some(Mult::Lone),
        AlloyToken::Keyword(Keyword::Some) => Some(Mult::Some),
        AlloyToken::Keyword(Keyword::Set) => Some(Mult::Set),
        _ => None,
    }
}
