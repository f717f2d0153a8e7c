//! Formulas of LTL.

use wherefore_base::{Diagnostic, Span, deep};
use wherefore_logic::{LinearOp, PathRule};
use wherefore_model::{PropertyBody, Query};

use super::property::Building;
use super::{ExprContext, ReadingRules, SmvLowering, Time};
use crate::ast::{LinearSign, SmvExprId, StepBounds};
use crate::scope::InstanceId;

/// A bounded operator looks at most so many steps ahead or back: each takes a variable of its own.
const FARTHEST: u32 = 1_000;

impl SmvLowering<'_> {
    /// A property in LTL; its atoms may read inputs.
    pub(super) fn linear_query(
        &mut self,
        instance: InstanceId,
        root: SmvExprId,
    ) -> Option<PropertyBody> {
        let context = ExprContext {
            instance,
            time: Time::Now,
            rules: ReadingRules {
                next: true,
                input: true,
                place: "in an LTL formula",
            },
        };
        let mut building = Building {
            linear: true,
            ..Building::default()
        };
        self.formula(context, root, &mut building)?;
        if building.too_far {
            return Some(PropertyBody::Unsupported(format!(
                "bounds of linear-time operators above {FARTHEST} are not supported"
            )));
        }
        Some(PropertyBody::Linear(Query {
            formula: building.formula,
            atoms: building.atoms,
            rule: PathRule::FairInfinite,
        }))
    }

    /// An operator of LTL over its operands.
    pub(super) fn linear_op(
        &mut self,
        context: ExprContext,
        (sign, within): (LinearSign, Option<StepBounds>),
        (a, b): (SmvExprId, Option<SmvExprId>),
        building: &mut Building,
    ) -> Option<LinearOp> {
        use LinearSign as L;
        let f = deep(|| self.formula(context, a, building));
        let g = b.map(|b| deep(|| self.formula(context, b, building)));
        let bounds = match within {
            Some(within) => Some(self.bounds(context, within)?),
            None => None,
        };
        building.too_far |= bounds.is_some_and(|bounds| bounds.most > FARTHEST);
        let f = f?;
        if let Some(g) = g {
            let op = match sign {
                L::Until => LinearOp::Until,
                L::WeakUntil => LinearOp::WeakUntil,
                L::Release => LinearOp::Release,
                L::Since => LinearOp::Since,
                L::Triggered => LinearOp::Triggered,
                _ => unreachable!("the other operators have one operand"),
            };
            return Some(op(f, g?));
        }
        Some(match (sign, bounds) {
            (L::Finally, Some(bounds)) => LinearOp::FinallyWithin(bounds, f),
            (L::Globally, Some(bounds)) => LinearOp::GloballyWithin(bounds, f),
            (L::Once, Some(bounds)) => LinearOp::OnceWithin(bounds, f),
            (L::Historically, Some(bounds)) => LinearOp::HistoricallyWithin(bounds, f),
            (L::Next, _) => LinearOp::Next(f),
            (L::Finally, None) => LinearOp::Finally(f),
            (L::Globally, None) => LinearOp::Globally(f),
            (L::Yesterday, _) => LinearOp::Yesterday(f),
            (L::WeakYesterday, _) => LinearOp::WeakYesterday(f),
            (L::Once, None) => LinearOp::Once(f),
            (L::Historically, None) => LinearOp::Historically(f),
            _ => unreachable!("the other operators have two operands"),
        })
    }

    /// Says that an operator of one logic stands in a formula of the other.
    pub(super) fn mixed_logics<T>(&mut self, span: Span, found: &str, within: &str) -> Option<T> {
        let message = format!("An operator of {found} cannot stand in a formula of {within}");
        let help = "`F p` speaks of one run (LTL), `EF p` and `AF p` of the paths from a state (CTL); \
                    a formula has operators of one kind only.";
        self.report
            .tell(Diagnostic::error(span, message).help(help));
        None
    }
}
