//! Parsing of what operators are applied to: names, numbers, constants, and things in brackets.

use wherefore_base::{Span, deep};
use wherefore_syntax::Parser;

use super::{AlloyParser, Parse, ParsedExpr};
use crate::ast::{AlloyExprKind, AlloyQuantifier, AlloyUnaryOp, Constant};
use crate::lexer::parse_number;
use crate::token::{AlloyToken, Keyword, Sign};

impl AlloyParser<'_> {
    /// A name, a number, a constant, or something in brackets; with the primes after it.
    pub(super) fn primary(&mut self) -> Parse<ParsedExpr> {
        let mut whole = self.base()?;
        while self.eat(Sign::Prime) {
            let span = whole.span.to(self.before());
            whole = self.add(AlloyExprKind::Unary(AlloyUnaryOp::Prime, whole.id), span);
        }
        Ok(whole)
    }

    fn base(&mut self) -> Parse<ParsedExpr> {
        let start = self.here();
        match self.peek() {
            AlloyToken::Number => self.number(start, 1),
            AlloyToken::Sign(Sign::Minus) if self.ahead(1) == AlloyToken::Number => {
                self.skip(1);
                self.number(start, -1)
            }
            AlloyToken::Text => {
                let text = unescaped(self.advance());
                let symbol = self.names.intern(&text);
                Ok(self.add(AlloyExprKind::Text(symbol), start))
            }
            AlloyToken::Sign(Sign::Open) => {
                self.skip(1);
                let inner = deep(|| self.expression())?;
                self.expect_close(Sign::Close, start)?;
                let span = start.to(self.before());
                Ok(ParsedExpr {
                    id: inner.id,
                    span,
                    binds: false,
                })
            }
            AlloyToken::Sign(Sign::OpenBrace) if self.declares(1) => self.comprehension(start),
            AlloyToken::Sign(Sign::OpenBrace) => deep(|| self.block()),
            AlloyToken::Sign(Sign::At) => {
                self.skip(1);
                let name = self.name("a field")?;
                Ok(self.add(AlloyExprKind::Name(name.symbol, true), start.to(name.span)))
            }
            AlloyToken::Ident => self.named(),
            AlloyToken::Keyword(keyword) => self.word(keyword, start),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn named(&mut self) -> Parse<ParsedExpr> {
        let name = self.name("an expression")?;
        Ok(self.add(AlloyExprKind::Name(name.symbol, false), name.span))
    }

    fn number(&mut self, start: Span, sign: i32) -> Parse<ParsedExpr> {
        // A number that is too large was told already.
        let value = parse_number(self.advance()).unwrap_or(0);
        let span = start.to(self.before());
        Ok(self.add(AlloyExprKind::Number(sign * value), span))
    }

    fn comprehension(&mut self, start: Span) -> Parse<ParsedExpr> {
        self.skip(1);
        let decls = self.separated(Sign::Comma, |p| p.decl("a variable", false))?;
        let body = if self.is(Sign::CloseBrace) {
            self.add(AlloyExprKind::Block(Vec::new()), start)
        } else {
            self.bar_or_block()?
        };
        self.expect_close(Sign::CloseBrace, start)?;
        let kind = AlloyExprKind::Quantified(AlloyQuantifier::Comprehension, decls, body.id);
        Ok(self.add(kind, start.to(self.before())))
    }

    /// A reserved word that is an expression.
    fn word(&mut self, keyword: Keyword, start: Span) -> Parse<ParsedExpr> {
        let slash = self.ahead(1) == AlloyToken::Sign(Sign::Slash);
        let (constant, width) = match keyword {
            Keyword::This if slash => return self.named(),
            Keyword::Seq if self.ahead(2) == AlloyToken::Keyword(Keyword::SigInt) => {
                (Constant::SeqInt, 3)
            }
            Keyword::Seq if slash => return self.named(),
            Keyword::This => (Constant::This, 1),
            Keyword::None => (Constant::None, 1),
            Keyword::Univ => (Constant::Univ, 1),
            Keyword::Iden => (Constant::Iden, 1),
            Keyword::SigInt => (Constant::Int, 1),
            Keyword::String => (Constant::String, 1),
            Keyword::Disj => (Constant::Disj, 1),
            Keyword::Int | Keyword::Sum => (Constant::IntCast, 1),
            Keyword::Fun => match self.built_in() {
                Some("min") => (Constant::Min, 3),
                Some("max") => (Constant::Max, 3),
                Some("next") => (Constant::Next, 3),
                _ => return Err(self.unexpected("an expression")),
            },
            Keyword::Pred if self.built_in() == Some("totalOrder") => (Constant::TotalOrder, 3),
            _ => return Err(self.unexpected("an expression")),
        };
        self.skip(width);
        let span = start.to(self.before());
        Ok(self.add(AlloyExprKind::Constant(constant), span))
    }
}

/// A string without its quotes.
fn unescaped(text: &str) -> String {
    let text = text.strip_prefix('"').unwrap_or(text);
    let text = text.strip_suffix('"').unwrap_or(text);
    let mut plain = String::new();
    let mut escaped = false;
    for c in text.chars() {
        match c {
            '\\' if !escaped => escaped = true,
            'n' if escaped => {
                plain.push('\n');
                escaped = false;
            }
            c => {
                plain.push(c);
                escaped = false;
            }
        }
    }
    plain
}
