//! The fair hull without variables that no step reads.
//!
//! A variable that only remembers something of the last step, for fairness conditions to read, has no
//! influence on what can happen next. So whether a state has a fair path does not depend on its value, and
//! the fixpoint is found over the other variables. A condition that reads the variable is then one on
//! steps: instead of going on to a state where it is true, a path goes on to a step into one.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use wherefore_base::Run;
use wherefore_logic::Fairness;
use wherefore_model::{Model, VarId};

use super::Symbolic;
use super::bdd::{Bdd, Bdds};
use super::encoding::{BitEncoding, StateSide};
use super::relation::{RelationPart, cube};

/// The variables of the state that no step reads.
pub(super) struct Unread {
    cube: Bdd,
    /// The reachable states without them, once asked for.
    reachable: OnceLock<Bdd>,
}

impl Unread {
    pub(super) fn new(
        model: &Model,
        encoding: &BitEncoding,
        bdds: &Bdds,
        parts: &[RelationPart],
    ) -> Run<Self> {
        let read: BTreeSet<_> = parts.iter().flat_map(|part| &part.reads).collect();
        let states = (0..model.state_vars()).map(|var| (StateSide::Now, VarId::new(var)));
        Ok(Self {
            cube: cube(bdds, encoding, states.filter(|var| !read.contains(var)))?,
            reachable: OnceLock::new(),
        })
    }
}

impl Symbolic<'_> {
    /// States in `stay` with a fair infinite path within `stay`, after Emerson and Lei (1986); `None`
    /// where nothing is gained, or where staying depends on a variable that no step reads.
    pub(super) fn hull_without_unread(
        &self,
        stay: &Bdd,
        fairness: &Fairness<Bdd>,
    ) -> Run<Option<Bdd>> {
        let bdds = &self.bdds;
        if bdds.is_one(&self.unread.cube) || !fairness.compassion.is_empty() {
            return Ok(None);
        }
        let wide = bdds.exists(stay, &self.unread.cube)?;
        // The fixpoint below does not see unread variables, so staying must not depend on one.
        if bdds.and(&wide, &self.reachable)? != *stay {
            return Ok(None);
        }
        let reachable = bdds.exists(&self.reachable, &self.unread.cube)?;
        let reachable = self.unread.reachable.get_or_init(|| reachable);
        let mut core = wide;
        loop {
            bdds.budget().check()?;
            let before = core.clone();
            for condition in &fairness.justice {
                let of_states = bdds.exists(condition, &self.unread.cube)?;
                let goal = match bdds.and(&of_states, &self.reachable)? == *condition {
                    true => bdds.and(&core, &of_states)?,
                    // The condition reads an unread variable, whose value is set by the step into
                    // the state.
                    false => bdds.and(&core, &self.before(&bdds.and(&core, condition)?)?)?,
                };
                core = self.reaching(&core, &goal)?;
            }
            // Where every state has a successor and nothing was removed, no image is needed.
            while !(self.total && core == *reachable) {
                bdds.budget().check()?;
                let next = bdds.and(&core, &self.before(&core)?)?;
                if next == core {
                    break;
                }
                core = next;
            }
            if core == before {
                return Ok(Some(bdds.and(&core, stay)?));
            }
        }
    }

    /// States with a path through a set into a part of it.
    fn reaching(&self, within: &Bdd, goal: &Bdd) -> Run<Bdd> {
        let bdds = &self.bdds;
        let mut all = goal.clone();
        let mut fresh = goal.clone();
        while !bdds.is_zero(&fresh) {
            bdds.budget().check()?;
            let before = bdds.and(&self.before(&fresh)?, within)?;
            fresh = bdds.minus(&before, &all)?;
            all = bdds.or(&all, &fresh)?;
        }
        Ok(all)
    }
}
