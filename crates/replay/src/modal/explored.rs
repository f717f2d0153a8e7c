//! For replay: equations at states, explored anew and solved from the definition.
//!
//! Blocks are solved one after the other by passing over their equations until nothing changes any more:
//! slower than the solver, and with nothing in common with it.

use std::collections::{HashMap, VecDeque};

use wherefore_base::{Budget, Run};
use wherefore_logic::SubId;
use wherefore_logic::modal::{Fixpoint, ModalOp};
use wherefore_model::lts::{Lts, ModalQuestion, StateId};

/// So often is an equation at a state looked at, on average; what needs more is not re-checked.
const PASSES: usize = 100;

/// What an equation at a state needs.
fn needed(
    lts: &Lts,
    question: &ModalQuestion,
    (sub, state): (SubId, StateId),
) -> Vec<(SubId, StateId)> {
    match &question.system.equations[sub].op {
        ModalOp::Const(_) => vec![],
        ModalOp::All(subs) | ModalOp::Any(subs) => subs.iter().map(|&sub| (sub, state)).collect(),
        ModalOp::Some(action, next) | ModalOp::Every(action, next) => {
            let action = &question.actions[*action];
            let steps = lts.steps(state).iter();
            let steps = steps.filter(|step| action.contains(step.label));
            steps.map(|step| (*next, step.to)).collect()
        }
    }
}

/// Equations at states, everything that they need, and their truth.
pub(super) struct ExploredEquations {
    places: HashMap<(SubId, StateId), usize>,
    pub(super) pairs: Vec<(SubId, StateId)>,
    /// What each of them needs.
    pub(super) needs: Vec<Vec<usize>>,
    pub(super) truth: Vec<bool>,
}

impl ExploredEquations {
    /// Explores what equations at states need, and solves it; `None` if it is more than so many equations
    /// at states, or takes too long.
    pub(super) fn from(
        lts: &Lts,
        question: &ModalQuestion,
        starts: impl IntoIterator<Item = (SubId, StateId)>,
        most: usize,
        budget: &Budget,
    ) -> Run<Option<Self>> {
        let mut found = Self {
            places: HashMap::new(),
            pairs: vec![],
            needs: vec![],
            truth: vec![],
        };
        let mut pairs: Vec<(SubId, StateId)> = Vec::new();
        for start in starts {
            found.place(&mut pairs, start);
        }
        let mut needs: Vec<Vec<usize>> = Vec::new();
        let mut meter = budget.meter();
        while let Some(&(sub, state)) = pairs.get(needs.len()) {
            meter.tick()?;
            if pairs.len() > most {
                return Ok(None);
            }
            let need = needed(lts, question, (sub, state)).into_iter();
            let need = need.map(|pair| found.place(&mut pairs, pair));
            needs.push(need.collect());
        }
        let solved = found.solve(question, &pairs, &needs, budget)?;
        (found.pairs, found.needs) = (pairs, needs);
        Ok(solved.then_some(found))
    }

    /// What an equation at a state needs within fewer steps than so many, unsolved: all are said to have one truth. `None` if
    /// it is more than so many equations at states.
    pub(super) fn nearby(
        lts: &Lts,
        question: &ModalQuestion,
        start: (SubId, StateId),
        truth: bool,
        (depth, most): (u32, usize),
        budget: &Budget,
    ) -> Run<Option<Self>> {
        let mut found = Self {
            places: HashMap::new(),
            pairs: vec![],
            needs: vec![],
            truth: vec![],
        };
        let mut pairs = Vec::new();
        found.place(&mut pairs, start);
        let mut away = vec![0_u32];
        let mut open = VecDeque::from([0]);
        let mut meter = budget.meter();
        let mut looked: HashMap<usize, Vec<usize>> = HashMap::new();
        while let Some(place) = open.pop_front() {
            meter.tick()?;
            if away[place] >= depth || looked.contains_key(&place) {
                continue;
            }
            let (sub, _) = pairs[place];
            let op = &question.system.equations[sub].op;
            let cost = u32::from(matches!(op, ModalOp::Some(..) | ModalOp::Every(..)));
            let mut need = Vec::new();
            for pair in needed(lts, question, pairs[place]) {
                let to = found.place(&mut pairs, pair);
                need.push(to);
                away.resize(pairs.len(), u32::MAX);
                if away[place] + cost < away[to] {
                    away[to] = away[place] + cost;
                    match cost {
                        0 => open.push_front(to),
                        _ => open.push_back(to),
                    }
                }
            }
            looked.insert(place, need);
            if pairs.len() > most {
                return Ok(None);
            }
        }
        found.truth = vec![truth; pairs.len()];
        let places = 0..pairs.len();
        found.needs = places
            .map(|at| looked.remove(&at).unwrap_or_default())
            .collect();
        found.pairs = pairs;
        Ok(Some(found))
    }

    /// Whether an equation holds at a state, if they are among what was explored.
    pub(super) fn holds(&self, sub: SubId, state: StateId) -> Option<bool> {
        let place = self.places.get(&(sub, state))?;
        Some(self.truth[*place])
    }

    /// The states that were explored, each once and in order.
    pub(super) fn states(&self) -> Vec<StateId> {
        let mut states: Vec<StateId> = self.places.keys().map(|&(_, state)| state).collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    fn place(&mut self, pairs: &mut Vec<(SubId, StateId)>, pair: (SubId, StateId)) -> usize {
        *self.places.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() - 1
        })
    }

    /// Solves what was explored; whether that came to an end.
    fn solve(
        &mut self,
        question: &ModalQuestion,
        pairs: &[(SubId, StateId)],
        needs: &[Vec<usize>],
        budget: &Budget,
    ) -> Run<bool> {
        let equations = &question.system.equations;
        let mut blocks: Vec<Vec<usize>> = vec![vec![]; question.system.blocks.len()];
        self.truth = vec![false; pairs.len()];
        for (place, &(sub, _)) in pairs.iter().enumerate() {
            let block = equations[sub].block as usize;
            blocks[block].push(place);
            // A least fixpoint is approached from below, a greatest one from above.
            self.truth[place] = question.system.blocks[block] == Fixpoint::Greatest;
        }
        let mut left = pairs.len().saturating_mul(PASSES);
        let mut meter = budget.meter();
        // A block needs itself and those before it only, so one after the other is enough.
        for block in &blocks {
            let mut backward = true;
            loop {
                let mut changed = false;
                for at in 0..block.len() {
                    meter.tick()?;
                    let at = if backward { block.len() - 1 - at } else { at };
                    let place = block[at];
                    let mut needed = needs[place].iter().map(|&need| self.truth[need]);
                    let truth = match &equations[pairs[place].0].op {
                        ModalOp::Const(value) => *value,
                        ModalOp::All(_) | ModalOp::Every(..) => needed.all(|truth| truth),
                        ModalOp::Any(_) | ModalOp::Some(..) => needed.any(|truth| truth),
                    };
                    changed |= truth != self.truth[place];
                    self.truth[place] = truth;
                }
                if !changed {
                    break;
                }
                let Some(less) = left.checked_sub(block.len()) else {
                    return Ok(false);
                };
                left = less;
                // Passes go both ways in turn, so that a long chain settles soon whichever way it runs.
                backward = !backward;
            }
        }
        Ok(true)
    }
}
