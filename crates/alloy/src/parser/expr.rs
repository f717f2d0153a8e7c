//! Parsing of expressions and formulas, by precedence climbing.
//!
//! From loose to tight: `;`, quantifiers and `let` (as far to the right as possible, but not past `;`), `or`, `iff`,
//! `implies`, `and`, operators of time between formulas, `not` and the other operators of time,
//! comparisons and `no some lone one`, shifts, `+ -`, multiplication, `#`, `++`, `&`, `->`, `<:`, `:>`,
//! joins, `~ ^ *`, and primes. `->` and `implies` group to the right, all others to the left.

use wherefore_base::{Diagnostic, deep};

use super::{AlloyParser, Failed, Parse, ParsedExpr};
use crate::ast::{BinaryOp, Constant, Decl, Expr, ExprId, ExprKind, Mult, Quantifier, UnaryOp};
use crate::token::{Keyword, Sign, TokenKind};

/// How tightly an operator binds; greater is tighter.
type Level = u8;

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
    Binary(BinaryOp),
    /// The same, negated.
    Negated(BinaryOp),
    Arrow(Mult, Mult),
    Dot,
    Box,
}

impl AlloyParser<'_> {
    /// A whole expression or formula.
    pub(super) fn expression(&mut self) -> Parse<ParsedExpr> {
        let left = self.at_level(OR)?;
        if !self.eat(Sign::Semicolon) {
            return Ok(left);
        }
        let right = deep(|| self.expression())?;
        let kind = ExprKind::Binary(BinaryOp::Then, left.id, right.id);
        Ok(self.add(kind, left.span.to(right.span)))
    }

    /// `{ .. }`: formulas that follow each other.
    pub(super) fn block(&mut self) -> Parse<ParsedExpr> {
        let open = self.here();
        self.expect(Sign::OpenBrace, "before the formulas")?;
        let mut formulas = Vec::new();
        while !self.is(Sign::CloseBrace) {
            let opens = matches!(self.peek(), TokenKind::Keyword(word)
                if word.opens_paragraph() && self.ahead(1) != TokenKind::Sign(Sign::Slash));
            if opens || self.peek() == TokenKind::End {
                return Err(self
                    .expect_close(Sign::CloseBrace, open)
                    .expect_err("not there"));
            }
            formulas.push(self.expression()?.id);
        }
        self.at += 1;
        Ok(self.add(ExprKind::Block(formulas), open.to(self.before())))
    }

    /// `a, b: disj expression` or, where it is allowed, `a = expression`.
    pub(super) fn decl(&mut self, what: &str, may_define: bool) -> Parse<Decl> {
        let mut flags = [false; 3];
        loop {
            match self.peek() {
                TokenKind::Keyword(Keyword::Var) => flags[0] = true,
                TokenKind::Keyword(Keyword::Private) => flags[1] = true,
                TokenKind::Keyword(Keyword::Disj) => flags[2] = true,
                TokenKind::Keyword(word @ (Keyword::Part | Keyword::Exh)) => {
                    let message =
                        format!("`{}` is not a part of the language any more", word.text());
                    let diagnostic = Diagnostic::error(self.here(), message)
                        .help("State the partition in a fact, with `disj[..]` and `=`.");
                    self.report.tell(diagnostic);
                    return Err(Failed);
                }
                _ => break,
            }
            self.at += 1;
        }
        let [var, private, disj] = flags;
        let mut names = vec![self.declared(what)?];
        while self.eat(Sign::Comma) {
            names.push(self.declared(what)?);
        }
        let defined = may_define && self.is(Sign::Equal);
        if defined {
            self.at += 1;
        } else {
            self.expect(Sign::Colon, &format!("after the name of {what}"))?;
        }
        let disj_value = self.eat_keyword(Keyword::Disj);
        if defined && (disj || disj_value) {
            let message = "What is defined with `=` cannot be disjoint";
            self.report.tell(Diagnostic::error(self.before(), message));
            return Err(Failed);
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
        self.effort.spend(2 * size_of::<Expr>()).ok_or(Failed)?;
        let mut left = deep(|| self.prefix(level))?;
        while !left.binds {
            let Some((op, binds, width)) = self.infix() else {
                break;
            };
            if binds < level {
                break;
            }
            self.at += width;
            left = match op {
                AlloyInfix::Box => self.boxed(left)?,
                AlloyInfix::Dot => self.dot(left)?,
                AlloyInfix::Binary(BinaryOp::Implies) => self.implies(left)?,
                AlloyInfix::Binary(op) => {
                    self.binary(left, binds + 1, |a, b| ExprKind::Binary(op, a, b))?
                }
                AlloyInfix::Arrow(m, n) => {
                    self.binary(left, binds, |a, b| ExprKind::Arrow(m, n, a, b))?
                }
                AlloyInfix::Negated(op) => {
                    let inner = self.binary(left, binds + 1, |a, b| ExprKind::Binary(op, a, b))?;
                    let kind = ExprKind::Unary(UnaryOp::Not, inner.id);
                    ParsedExpr {
                        binds: inner.binds,
                        ..self.add(kind, inner.span)
                    }
                }
            };
        }
        Ok(left)
    }

    fn binary(
        &mut self,
        left: ParsedExpr,
        level: Level,
        kind: impl FnOnce(ExprId, ExprId) -> ExprKind,
    ) -> Parse<ParsedExpr> {
        let right = deep(|| self.at_level(level))?;
        let whole = self.add(kind(left.id, right.id), left.span.to(right.span));
        Ok(ParsedExpr {
            binds: right.binds,
            ..whole
        })
    }

    /// What follows `=>`.
    fn implies(&mut self, left: ParsedExpr) -> Parse<ParsedExpr> {
        let then = deep(|| self.at_level(IMPLIES))?;
        if then.binds || !self.eat_keyword(Keyword::Else) {
            let kind = ExprKind::Binary(BinaryOp::Implies, left.id, then.id);
            let whole = self.add(kind, left.span.to(then.span));
            return Ok(ParsedExpr {
                binds: then.binds,
                ..whole
            });
        }
        let otherwise = deep(|| self.at_level(IMPLIES))?;
        let kind = ExprKind::IfElse(left.id, then.id, otherwise.id);
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
            TokenKind::Keyword(Keyword::Disj) => Some(Constant::Disj),
            TokenKind::Keyword(Keyword::Int | Keyword::Sum) => Some(Constant::IntCast),
            _ => None,
        };
        let right = match constant {
            Some(constant) => {
                self.at += 1;
                self.add(ExprKind::Constant(constant), here)
            }
            None => deep(|| self.at_level(TIGHT))?,
        };
        let kind = ExprKind::Join(left.id, right.id);
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
            whole = self.add(ExprKind::Join(argument.id, whole.id), span);
        }
        Ok(whole)
    }

    /// The operator here, how tightly it binds, and how many tokens it has.
    fn infix(&self) -> Option<(AlloyInfix, Level, usize)> {
        use BinaryOp as B;
        let of = |op, level| Some((AlloyInfix::Binary(op), level, 1));
        match self.peek() {
            TokenKind::Sign(sign) => match sign {
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
                Sign::Dot => Some((AlloyInfix::Dot, JOIN, 1)),
                Sign::OpenBracket => Some((AlloyInfix::Box, JOIN, 1)),
                Sign::Arrow => Some(self.arrow(Mult::Set, 1)),
                Sign::Not => self.negated(),
                _ => compare(TokenKind::Sign(sign)).and_then(|op| of(op, COMPARE)),
            },
            TokenKind::Keyword(keyword) => match keyword {
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
                _ if self.ahead(1) == TokenKind::Sign(Sign::Arrow) => {
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
            self.ahead(1) == TokenKind::Ident && self.ahead(2) == TokenKind::Sign(Sign::Colon);
        let word = self.ahead(if labelled { 3 } else { 1 });
        matches!(word, TokenKind::Keyword(Keyword::Run | Keyword::Check))
    }

    fn arrow(&self, left: Mult, width: usize) -> (AlloyInfix, Level, usize) {
        match multiplicity(self.ahead(width)) {
            Some(right) => (AlloyInfix::Arrow(left, right), ARROW, width + 1),
            None => (AlloyInfix::Arrow(left, Mult::Set), ARROW, width),
        }
    }

    fn negated(&self) -> Option<(AlloyInfix, Level, usize)> {
        compare(self.ahead(1)).map(|op| (AlloyInfix::Negated(op), COMPARE, 2))
    }

    /// `fun/add` and its like, which the modules of integers are written with.
    fn arithmetic(&self) -> Option<(AlloyInfix, Level, usize)> {
        let (op, level) = match self.built_in()? {
            "add" => (BinaryOp::Add, UNION),
            "sub" => (BinaryOp::Sub, UNION),
            "mul" => (BinaryOp::Mul, MULTIPLY),
            "div" => (BinaryOp::Div, MULTIPLY),
            "rem" => (BinaryOp::Rem, MULTIPLY),
            _ => return None,
        };
        Some((AlloyInfix::Binary(op), level, 3))
    }

    /// The last part of `fun/..` or `pred/..`.
    pub(super) fn built_in(&self) -> Option<&str> {
        let slash = self.ahead(1) == TokenKind::Sign(Sign::Slash);
        let name = self.tokens.get(self.at + 2);
        let name = name.filter(|name| slash && name.kind == TokenKind::Ident)?;
        Some(self.text_of(*name))
    }

    /// An operand with the operators before it, which must bind at least as tightly as `level`.
    fn prefix(&mut self, level: Level) -> Parse<ParsedExpr> {
        if let Some(quantifier) = self.quantifier() {
            return self.quantified(quantifier);
        }
        use UnaryOp as U;
        let boxed = self.ahead(1) == TokenKind::Sign(Sign::OpenBracket);
        let slash = self.ahead(1) == TokenKind::Sign(Sign::Slash);
        let (op, own, operand) = match self.peek() {
            TokenKind::Sign(sign) => match sign {
                Sign::Not => (U::Not, NOT, NOT),
                Sign::Hash => (U::Cardinality, COUNT, COUNT),
                Sign::Tilde => (U::Transpose, TIGHT, TIGHT),
                Sign::Caret => (U::Closure, TIGHT, TIGHT),
                Sign::Star => (U::ReflexiveClosure, TIGHT, TIGHT),
                _ => return self.primary(),
            },
            TokenKind::Keyword(keyword) => match keyword {
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
                    self.report.tell(Diagnostic::error(self.here(), message));
                    return Err(Failed);
                }
                _ => return self.primary(),
            },
            _ => return self.primary(),
        };
        let start = self.here();
        if own < level {
            let text = self.text_of(self.token());
            let message = format!("`{text}` binds more loosely than the operator before it");
            let diagnostic = Diagnostic::error(start, message).help(self.advice_for_loose(op));
            self.report.tell(diagnostic);
            return Err(Failed);
        }
        self.at += 1;
        if op == U::Seq {
            self.module.seq.get_or_insert(start);
        }
        let inner = self.at_level(operand)?;
        let whole = self.add(ExprKind::Unary(op, inner.id), start.to(inner.span));
        Ok(ParsedExpr {
            binds: inner.binds,
            ..whole
        })
    }

    /// Whether a quantifier with its declaration starts here.
    fn quantifier(&self) -> Option<Quantifier> {
        let quantifier = match self.peek() {
            TokenKind::Keyword(Keyword::All) => Quantifier::All,
            TokenKind::Keyword(Keyword::Some) => Quantifier::Some,
            TokenKind::Keyword(Keyword::No) => Quantifier::No,
            TokenKind::Keyword(Keyword::Lone) => Quantifier::Lone,
            TokenKind::Keyword(Keyword::One) => Quantifier::One,
            TokenKind::Keyword(Keyword::Sum) => Quantifier::Sum,
            _ => return None,
        };
        // In `f: lone A, g: B` the word is a multiplicity.
        let before = self.at.checked_sub(1).map(|at| self.tokens[at].kind);
        let in_declaration = matches!(
            before,
            Some(TokenKind::Sign(Sign::Colon) | TokenKind::Keyword(Keyword::Disj))
        );
        (!in_declaration && self.declares(1)).then_some(quantifier)
    }

    /// Whether `a, b :` starts this many tokens ahead.
    pub(super) fn declares(&self, mut ahead: usize) -> bool {
        for word in [Keyword::Private, Keyword::Disj] {
            if self.ahead(ahead) == TokenKind::Keyword(word) {
                ahead += 1;
            }
        }
        if matches!(
            self.ahead(ahead),
            TokenKind::Keyword(Keyword::Part | Keyword::Exh)
        ) {
            ahead += 1;
        }
        while self.ahead(ahead) == TokenKind::Ident {
            match self.ahead(ahead + 1) {
                TokenKind::Sign(Sign::Comma) => ahead += 2,
                TokenKind::Sign(Sign::Colon) => return true,
                _ => return false,
            }
        }
        false
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parse<ParsedExpr> {
        let start = self.here();
        self.at += 1;
        let mut decls = vec![self.decl("a variable", false)?];
        while self.eat(Sign::Comma) {
            decls.push(self.decl("a variable", false)?);
        }
        let body = self.bar_or_block()?;
        let kind = ExprKind::Quantified(quantifier, decls, body.id);
        let whole = self.add(kind, start.to(body.span));
        Ok(ParsedExpr {
            binds: true,
            ..whole
        })
    }

    fn let_in(&mut self) -> Parse<ParsedExpr> {
        let start = self.here();
        self.at += 1;
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
            body = self.add(ExprKind::Let(name, value, body.id), span);
        }
        Ok(ParsedExpr {
            binds: true,
            ..body
        })
    }

    pub(super) fn bar_or_block(&mut self) -> Parse<ParsedExpr> {
        if self.eat(Sign::Bar) {
            return deep(|| self.at_level(OR));
        }
        if self.is(Sign::OpenBrace) {
            return deep(|| self.block());
        }
        Err(self.unexpected("`|` or `{` before the body"))
    }
}

/// The comparison that a token stands for.
fn compare(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Keyword(Keyword::In) => BinaryOp::In,
        TokenKind::Sign(Sign::Equal) => BinaryOp::Equal,
        TokenKind::Sign(Sign::Less) => BinaryOp::Less,
        TokenKind::Sign(Sign::LessEqual) => BinaryOp::LessEqual,
        TokenKind::Sign(Sign::Greater) => BinaryOp::Greater,
        TokenKind::Sign(Sign::GreaterEqual) => BinaryOp::GreaterEqual,
        _ => return None,
    })
}

fn multiplicity(kind: TokenKind) -> Option<Mult> {
    match kind {
        TokenKind::Keyword(Keyword::One) => Some(Mult::One),
        TokenKind::Keyword(Keyword::Lone) => Some(Mult::Lone),
        TokenKind::Keyword(Keyword::Some) => Some(Mult::Some),
        TokenKind::Keyword(Keyword::Set) => Some(Mult::Set),
        _ => None,
    }
}
