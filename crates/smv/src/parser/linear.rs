//! Parsing of linear-time operators, of PSL as far as it is LTL or CTL in other words, and of `COMPUTE`.

use wherefore_base::Span;

use super::{Failed, Parse, Parsed, Parser};
use crate::ast::{ExprKind, Item, LinearSign, Spec, SpecBody, UnaryOp, Within};
use crate::token::{Keyword, Sign, TokenKind};

/// Which operators a formula may have besides those of CTL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Logic {
    /// No others.
    Branching,
    /// Those of LTL.
    Linear,
    /// Those of LTL, and their names in PSL.
    Psl,
}

impl Parser<'_> {
    /// `LTLSPEC f`
    pub(super) fn linear_spec(&mut self, items: &mut Vec<Item>) -> Parse<()> {
        let name = self.spec_name()?;
        let formula = self.in_logic(Logic::Linear, Self::expression)?;
        items.push(Item::Spec(Spec {
            name,
            body: SpecBody::Ltl(formula.id),
            span: formula.span,
        }));
        self.optional_end()
    }

    /// `PSLSPEC f`; what cannot be read is skipped, up to its semicolon or the next section.
    pub(super) fn psl_spec(&mut self, items: &mut Vec<Item>) -> Parse<()> {
        let name = self.spec_name()?;
        let (start, at) = (self.here(), self.at);
        let told = self.report.clone();
        let cases = self.open_cases;
        let read = self.in_logic(Logic::Psl, |p| {
            let formula = p.expression()?;
            p.optional_end()?;
            Ok(formula)
        });
        let (body, span) = match read {
            Ok(formula) => (SpecBody::Psl(Some(formula.id)), formula.span),
            Err(Failed) => {
                self.report = told;
                self.open_cases = cases;
                self.at = at;
                (SpecBody::Psl(None), self.skipped(start)?)
            }
        };
        items.push(Item::Spec(Spec { name, body, span }));
        Ok(())
    }

    /// `COMPUTE MIN [f, g]` or `COMPUTE MAX [f, g]`
    pub(super) fn compute_spec(&mut self, items: &mut Vec<Item>) -> Parse<()> {
        let name = self.spec_name()?;
        let start = self.here();
        let longest = match self.peek() {
            TokenKind::Keyword(Keyword::MinQuantity) => false,
            TokenKind::Keyword(Keyword::MaxQuantity) => true,
            _ => return Err(self.unexpected("`MIN` or `MAX`")),
        };
        self.at += 1;
        let open = self.here();
        self.expect(Sign::OpenBracket, "after `MIN` or `MAX`")?;
        let from = self.expression()?.id;
        self.expect(Sign::Comma, "between the two conditions")?;
        let to = self.expression()?.id;
        self.expect_close(Sign::CloseBracket, open)?;
        items.push(Item::Spec(Spec {
            name,
            body: SpecBody::Compute { longest, from, to },
            span: start.to(self.before()),
        }));
        self.optional_end()
    }

    /// The place of everything up to the end of a property.
    fn skipped(&mut self, start: Span) -> Parse<Span> {
        let mut end = None;
        loop {
            match self.peek() {
                TokenKind::End => break,
                TokenKind::Keyword(keyword) if keyword.opens_section() => break,
                TokenKind::Sign(Sign::Semicolon) => {}
                _ => end = Some(self.here()),
            }
            self.at += 1;
        }
        match end {
            Some(end) => Ok(start.to(end)),
            None => Err(self.unexpected("a formula")),
        }
    }

    /// Reads something with other operators than those of CTL.
    pub(super) fn in_logic<T>(
        &mut self,
        logic: Logic,
        read: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let outer = std::mem::replace(&mut self.logic, logic);
        let result = read(self);
        self.logic = outer;
        result
    }

    /// The linear-time operator that stands here before its operand, if one may.
    pub(super) fn linear_before(&self, keyword: Keyword) -> Option<LinearSign> {
        if self.logic == Logic::Branching {
            return None;
        }
        Some(match keyword {
            Keyword::X => LinearSign::Next,
            Keyword::F => LinearSign::Finally,
            Keyword::G => LinearSign::Globally,
            Keyword::Y => LinearSign::Yesterday,
            Keyword::Z => LinearSign::WeakYesterday,
            Keyword::O => LinearSign::Once,
            Keyword::H => LinearSign::Historically,
            _ => return None,
        })
    }

    /// The linear-time operator that stands here between two operands, if one may. `W` and `R` are no
    /// reserved words, so they are names by token.
    pub(super) fn linear_between(&self) -> Option<LinearSign> {
        if self.logic == Logic::Branching || self.in_brackets {
            return None;
        }
        let token = self.token();
        Some(match (token.kind, self.text_of(token)) {
            (TokenKind::Keyword(Keyword::U), _) => LinearSign::Until,
            (TokenKind::Keyword(Keyword::V), _) | (TokenKind::Ident, "R") => LinearSign::Release,
            (TokenKind::Keyword(Keyword::S), _) => LinearSign::Since,
            (TokenKind::Keyword(Keyword::T), _) => LinearSign::Triggered,
            (TokenKind::Ident, "W") => LinearSign::WeakUntil,
            _ => return None,
        })
    }

    /// `F f` or `F [m, n] f` and their like; `operand` reads what follows.
    pub(super) fn linear(
        &mut self,
        sign: LinearSign,
        operand: impl FnOnce(&mut Self) -> Parse<Parsed>,
    ) -> Parse<Parsed> {
        let start = self.here();
        self.at += 1;
        let bounded = sign.takes_bounds() && self.is(Sign::OpenBracket);
        let within = match bounded {
            true => Some(self.bracketed_bounds()?),
            false => None,
        };
        let operand = operand(self)?;
        let kind = ExprKind::Linear(sign, within, operand.id, None);
        Ok(self.add(kind, start.to(operand.span)))
    }

    fn bracketed_bounds(&mut self) -> Parse<Within> {
        let open = self.here();
        self.at += 1;
        let least = self.bound()?.id;
        self.expect(Sign::Comma, "between the bounds of the operator")?;
        let most = self.bound()?.id;
        self.expect_close(Sign::CloseBracket, open)?;
        Ok(Within { least, most })
    }

    /// An operator of PSL that is spelled as a name; `None` when there is none here.
    pub(super) fn psl(&mut self) -> Option<Parse<Parsed>> {
        if self.logic != Logic::Psl {
            return None;
        }
        let token = self.token();
        let strong = self.peek_second() == TokenKind::Sign(Sign::Not);
        Some(match self.text_of(token) {
            "always" => self.linear(LinearSign::Globally, Self::expression),
            "never" => self.psl_never(),
            "eventually" if strong => {
                self.at += 1;
                self.linear(LinearSign::Finally, Self::psl_operand)
            }
            "forall" => self.psl_forall(),
            _ => return None,
        })
    }

    /// `next f` and `next! f` are `X f`: there is a next position in every infinite run.
    pub(super) fn psl_next(&mut self) -> Parse<Parsed> {
        let sign = self.tokens.get(self.at + 1);
        let is_strong = sign.is_some_and(|sign| {
            sign.kind == TokenKind::Sign(Sign::Not) && sign.text.0 == self.token().text.1
        });
        self.at += usize::from(is_strong);
        self.linear(LinearSign::Next, Self::psl_operand)
    }

    /// `never f` is `G !f`.
    fn psl_never(&mut self) -> Parse<Parsed> {
        self.linear(LinearSign::Globally, |p| {
            let operand = p.expression()?;
            let not = ExprKind::Unary(UnaryOp::Not, operand.id);
            Ok(p.add(not, operand.span))
        })
    }

    /// `forall i in {..} : f` where `f` does not speak of `i`, so that it is `f`.
    fn psl_forall(&mut self) -> Parse<Parsed> {
        self.at += 1;
        let variable = self.ident("a variable")?;
        if !self.eat_keyword(Keyword::In) {
            return Err(self.unexpected("`in`"));
        }
        let open = self.here();
        self.expect(Sign::OpenBrace, "after `in`")?;
        self.list(Sign::CloseBrace, open)?;
        self.expect(Sign::Colon, "before what is said of all")?;
        let from = self.at;
        let body = self.expression()?;
        let name = self.names.text(variable.symbol);
        let mut tokens = self.tokens[from..self.at].iter();
        if tokens.any(|&token| self.text_of(token) == name) {
            return Err(self.unexpected("the end of the formula"));
        }
        Ok(body)
    }
}
