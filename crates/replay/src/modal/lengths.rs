//! How many steps any evidence of a claim about a labelled transition system has at least.
//!
//! Claims at explored states need others. What they need at once costs nothing, a step costs one; of several things that are
//! all needed the dearest counts, since runs may share their steps, and what is claimed of every step may be shown without
//! any. A claim that may go round for ever costs a way to a loop and the loop.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run};
use wherefore_logic::Goal;
use wherefore_logic::modal::{ModalOp, Move};
use wherefore_model::lts::ModalQuestion;

use super::explored::ExploredEquations;
use crate::loops::NEVER;

/// So many claims are visited, of all searches together.
const MOST_VISITS: usize = 4_000_000;

impl ExploredEquations {
    /// How many steps evidence for what is true of the first equation explored has at least, if these are fewer than the
    /// limit; `None` if finding out takes too long.
    pub(super) fn fewest_steps(
        &self,
        question: &ModalQuestion,
        limit: u32,
        budget: &Budget,
    ) -> Run<Option<u32>> {
        // A claim that fails needs claims that fail, so those of one truth are enough.
        let holds = self.truth[0];
        let pairs = self.pairs.iter();
        let moves = pairs.map(|&(sub, _)| question.system.moves(Goal { sub, holds }));
        let moves: Vec<Move> = moves.collect();
        let Some(mut costs) = self.loops(question, &moves, limit, budget)? else {
            return Ok(None);
        };
        let mut visits = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for place in (0..costs.len()).rev() {
                visits += 1 + self.needs[place].len();
                budget.check()?;
                if visits > MOST_VISITS {
                    return Ok(None);
                }
                if self.truth[place] != holds {
                    continue;
                }
                let needed = self.needs[place].iter().map(|&need| costs[need]);
                let cost = match moves[place] {
                    Move::Constant => match question.system.equations[self.pairs[place].0].op {
                        ModalOp::Const(value) if value != holds => NEVER,
                        _ => 0,
                    },
                    Move::EveryStep(..) => 0,
                    Move::Each(_) => needed.max().unwrap_or(0),
                    Move::One(_) => needed.min().unwrap_or(NEVER),
                    Move::SomeStep(..) => needed.min().unwrap_or(NEVER).saturating_add(1),
                };
                if cost < costs[place] {
                    costs[place] = cost;
                    changed = true;
                }
            }
        }
        Ok(Some(costs[0]))
    }

    /// For each claim that may go round for ever, the steps of the shortest loop through it, if they are fewer than the
    /// limit.
    fn loops(
        &self,
        question: &ModalQuestion,
        moves: &[Move],
        limit: u32,
        budget: &Budget,
    ) -> Run<Option<Vec<u32>>> {
        let holds = self.truth[0];
        let endless: Vec<bool> = (self.pairs.iter().zip(&self.truth))
            .map(|(&(sub, _), &truth)| {
                truth == holds && !question.system.must_end(Goal { sub, holds })
            })
            .collect();
        let mut loops = vec![NEVER; self.pairs.len()];
        let mut visits = 0;
        for head in (0..loops.len()).filter(|&place| endless[place]) {
            budget.check()?;
            let mut away: FxHashMap<usize, u32> = FxHashMap::default();
            let mut open = VecDeque::from([(head, 0_u32)]);
            while let Some((place, steps)) = open.pop_front() {
                if steps >= loops[head].min(limit) {
                    continue;
                }
                let cost = u32::from(matches!(moves[place], Move::SomeStep(..)));
                if matches!(moves[place], Move::EveryStep(..)) {
                    continue;
                }
                for &to in self.needs[place].iter().filter(|&&to| endless[to]) {
                    visits += 1;
                    let steps = steps + cost;
                    if to == head {
                        loops[head] = loops[head].min(steps);
                    } else if away.get(&to).is_none_or(|&known| steps < known) {
                        away.insert(to, steps);
                        // What costs nothing is looked at first, so that nothing is found again with fewer steps.
                        match cost {
                            0 => open.push_front((to, steps)),
                            _ => open.push_back((to, steps)),
                        }
                    }
                }
                if visits > MOST_VISITS {
                    return Ok(None);
                }
            }
        }
        Ok(Some(loops))
    }
}
