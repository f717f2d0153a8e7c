//! Long chains of defines, lowered from their far end.
//!
//! A define is lowered when it is first needed, inside whatever needs it. Where defines need each
//! other hundreds of levels deep, the rest of the chain is put in order first, so that each one finds
//! what it needs already there and the stack stays short.

use rustc_hash::FxHashMap;

use super::{SmvLowering, Time};
use crate::ast::{SmvExprId, SmvExprKind};
use crate::scope::{Entity, NamedId, Resolved};

/// Names that need each other through so many others are put in order first.
const DEEP: usize = 200;

impl SmvLowering<'_> {
    /// Lowers what a name needs, if it is deep inside others.
    ///
    /// Names that need themselves are left alone: lowering them the ordinary way tells so.
    pub(super) fn lower_needed(&mut self, id: NamedId, time: Time) {
        if self.visiting.len() < DEEP || self.circular {
            return;
        }
        let Some(order) = self.order_of_needed(id, time) else {
            self.circular = true;
            return;
        };
        for needed in order {
            self.named_at(needed, time, self.scope.named[needed].span);
        }
    }

    /// The names that a name needs and that are not lowered yet, each after those it needs; `None` if
    /// one of them needs itself, or when the effort is over.
    fn order_of_needed(&self, id: NamedId, time: Time) -> Option<Vec<NamedId>> {
        let mut order = Vec::new();
        // Whether what a name needs is being looked at.
        let mut open: FxHashMap<NamedId, bool> = FxHashMap::default();
        let mut stack = vec![(id, false)];
        while let Some((named, leave)) = stack.pop() {
            self.effort.spend(0)?;
            if leave {
                open.insert(named, false);
                order.push(named);
                continue;
            }
            match open.get(&named) {
                Some(true) => return None,
                Some(false) => continue,
                None => {}
            }
            open.insert(named, true);
            stack.push((named, true));
            for needed in self.needed_by(named) {
                let lowered = self.scope.named[needed].lowered[time as usize].get();
                if self.open.contains(&(needed, time)) {
                    return None;
                } else if lowered.is_none() {
                    stack.push((needed, false));
                }
            }
        }
        // The last of them is the name itself, which is lowered by whoever asked.
        order.pop();
        Some(order)
    }

    /// The names in the body of a name.
    fn needed_by(&self, named: NamedId) -> Vec<NamedId> {
        let named = &self.scope.named[named];
        let mut found = Vec::new();
        let mut open: Vec<SmvExprId> = vec![named.body];
        while let Some(id) = open.pop() {
            match &self.exprs[id].kind {
                SmvExprKind::Name(_) | SmvExprKind::Dot(..) => {
                    let resolved = self.scope.resolve(self.exprs, named.context, id);
                    if let Ok(Resolved::Entity(Entity::Named(needed))) = resolved {
                        found.push(needed);
                    }
                }
                kind => open.extend(kind.operands()),
            }
        }
        found
    }
}
