//! Parsing of linear-time operators and of `COMPUTE`.

use wherefore_syntax::Parser;

use super::{Parse, ParsedSmv, SmvParser};
use crate::ast::{LinearSign, ModuleItem, SmvExprKind, Spec, SpecBody, StepBounds};
use crate::token::{Keyword, Sign, SmvToken};

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

impl SmvParser<'_> {
    /// `LTLSPEC f`
    pub(super) fn linear_spec(&mut self, items: &mut Vec<ModuleItem>) -> Parse<()> {
        let name = self.spec_name()?;
        let formula = self.in_logic(Logic::Linear, Self::expression)?;
        items.push(ModuleItem::Spec(Spec {
            name,
            body: SpecBody::Ltl(formula.id),
            span: formula.span,
        }));
        self.optional_end()
    }

    /// `COMPUTE MIN [f, g]` or `COMPUTE MAX [f, g]`
    pub(super) fn compute_spec(&mut self, items: &mut Vec<ModuleItem>) -> Parse<()> {
        let name = self.spec_name()?;
        let start = self.here();
        let longest = match self.peek() {
            SmvToken::Keyword(Keyword::MinQuantity) => false,
            SmvToken::Keyword(Keyword::MaxQuantity) => true,
            _ => return Err(self.unexpected("`MIN` or `MAX`")),
        };
        self.skip(1);
        let open = self.here();
        self.expect(Sign::OpenBracket, "after `MIN` or `MAX`")?;
        let from = self.expression()?.id;
        self.expect(Sign::Comma, "between the two conditions")?;
        let to = self.expression()?.id;
        self.expect_close(Sign::CloseBracket, open)?;
        items.push(ModuleItem::Spec(Spec {
            name,
            body: SpecBody::Compute { longest, from, to },
            span: start.to(self.before()),
        }));
        self.optional_end()
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
        Some(match (self.peek(), self.text()) {
            (SmvToken::Keyword(Keyword::U), _) => LinearSign::Until,
            (SmvToken::Keyword(Keyword::V), _) | (SmvToken::Ident, "R") => LinearSign::Release,
            (SmvToken::Keyword(Keyword::S), _) => LinearSign::Since,
            (SmvToken::Keyword(Keyword::T), _) => LinearSign::Triggered,
            (SmvToken::Ident, "W") => LinearSign::WeakUntil,
            _ => return None,
        })
    }

    /// `F f` or `F [m, n] f` and their like; `operand` reads what follows.
    pub(super) fn linear(
        &mut self,
        sign: LinearSign,
        operand: impl FnOnce(&mut Self) -> Parse<ParsedSmv>,
    ) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1);
        let bounded = sign.takes_bounds() && self.is(Sign::OpenBracket);
        let within = if bounded {
            Some(self.bracketed_bounds()?)
        } else {
            None
        };
        let operand = operand(self)?;
        let kind = SmvExprKind::Linear(sign, within, operand.id, None);
        Ok(self.add(kind, start.to(operand.span)))
    }

    fn bracketed_bounds(&mut self) -> Parse<StepBounds> {
        let open = self.here();
        self.skip(1);
        let least = self.bound()?.id;
        self.expect(Sign::Comma, "between the bounds of the operator")?;
        let most = self.bound()?.id;
        self.expect_close(Sign::CloseBracket, open)?;
        Ok(StepBounds { least, most })
    }
}
