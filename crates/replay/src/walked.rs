//! Steps that were looked up: what re-checks of the same model share.
//!
//! The plain interpreter is slow, and the evidence for every property of a model leads through the same
//! states. What it said of a state once is remembered; nothing but the interpreter is ever asked.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Value};
use wherefore_model::Interpreter;

/// At most so many values are tried to find the steps of one state.
pub(super) const TRIES: u64 = 4_000;

/// When more states are known than this, all are forgotten.
const MOST: usize = 20_000;

/// A state that was met, by its number.
pub(super) type MetState = usize;

/// States of one model, numbered as they were met, and the steps between them.
#[derive(Default)]
pub struct Walked {
    known: RefCell<KnownSteps>,
    /// So many states are said to follow from wherever an evidence starts. Where they are more than are ever re-checked,
    /// that spares the attempt to explore them; nothing else is believed for it.
    pub(super) following: usize,
}

#[derive(Default)]
struct KnownSteps {
    numbers: FxHashMap<Arc<[Value]>, MetState>,
    states: Vec<Arc<[Value]>>,
    next: Vec<NextStates>,
}

/// Where steps lead to.
#[derive(Clone)]
enum NextStates {
    /// Nobody asked.
    Unknown,
    /// To more states than this, or finding out takes too long.
    MoreThan(usize),
    /// To these states.
    To(Arc<[MetState]>),
}

impl Walked {
    /// Nothing yet, of a model where so many states follow from each initial one.
    pub fn following(following: usize) -> Self {
        Self {
            following,
            ..Self::default()
        }
    }

    /// Forgets everything if that is a lot. Numbers mean nothing afterwards.
    pub(super) fn make_room(&self) {
        let mut known = self.known.borrow_mut();
        if known.states.len() > MOST {
            *known = KnownSteps::default();
        }
    }

    /// The number of a state.
    pub(super) fn meet(&self, state: &[Value]) -> MetState {
        self.known.borrow_mut().meet(state)
    }

    /// The state with a number.
    pub(super) fn state(&self, met: MetState) -> Arc<[Value]> {
        self.known.borrow().states[met].clone()
    }

    /// The successors of a state, each once; `None` when there are more than `most` or finding them takes more
    /// than [`TRIES`].
    pub(super) fn next(
        &self,
        interpreter: &Interpreter<'_>,
        met: MetState,
        most: usize,
        budget: &Budget,
    ) -> Run<Option<Arc<[MetState]>>> {
        let (known, state) = {
            let known = self.known.borrow();
            (known.next[met].clone(), known.states[met].clone())
        };
        match known {
            NextStates::To(next) => return Ok((next.len() <= most).then_some(next)),
            // It was tried in vain with at least as much room.
            NextStates::MoreThan(few) if most <= few => return Ok(None),
            NextStates::MoreThan(_) | NextStates::Unknown => {}
        }
        let steps = interpreter.few_steps(&state, most, TRIES, budget)?;
        let mut known = self.known.borrow_mut();
        let Some(steps) = steps else {
            known.next[met] = NextStates::MoreThan(most);
            return Ok(None);
        };
        let mut next: Vec<MetState> = steps.iter().map(|step| known.meet(&step.next)).collect();
        next.sort_unstable();
        next.dedup();
        let next: Arc<[MetState]> = next.into();
        known.next[met] = NextStates::To(next.clone());
        Ok((next.len() <= most).then_some(next))
    }
}

impl KnownSteps {
    fn meet(&mut self, state: &[Value]) -> MetState {
        if let Some(&met) = self.numbers.get(state) {
            return met;
        }
        let met = self.states.len();
        let state: Arc<[Value]> = state.into();
        self.numbers.insert(state.clone(), met);
        self.states.push(state);
        self.next.push(NextStates::Unknown);
        met
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_base::{SourceFile, SourceMap};
    use wherefore_model::Model;

    fn model(text: &str) -> Model {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("model.smv", text));
        let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited());
        loaded.expect("nobody stops this budget").model
    }

    #[test]
    fn what_is_remembered_is_what_the_interpreter_says() {
        let model = model(
            "MODULE main\nVAR n : 0..5;\nIVAR up : boolean; loud : boolean;\nASSIGN init(n) := 0;\n\
             next(n) := case up & n < 5 : n + 1; n > 1 : {0, n}; TRUE : n; esac;\n",
        );
        let (interpreter, budget) = (Interpreter::new(&model), Budget::unlimited());
        let walked = Walked::default();
        let first = walked.meet(&[Value::Int(0)]);
        let mut open = vec![first];
        let mut seen = vec![];
        while let Some(met) = open.pop() {
            if seen.contains(&met) {
                continue;
            }
            seen.push(met);
            let state = walked.state(met);
            let mut said = interpreter.steps(&state, &budget).expect("no limit");
            said.sort_by_key(|step| step.next[0]);
            said.dedup_by_key(|step| step.next[0]);
            let few = walked.next(&interpreter, met, 0, &budget);
            assert!(few.expect("no limit").is_none(), "there is a step");
            for _ in 0..2 {
                let next = walked
                    .next(&interpreter, met, 3, &budget)
                    .expect("no limit");
                let next = next.expect("there are few");
                let mut states: Vec<Value> = next.iter().map(|&to| walked.state(to)[0]).collect();
                states.sort();
                let said: Vec<Value> = said.iter().map(|step| step.next[0]).collect();
                assert_eq!(states, said);
                open.extend(next.iter());
            }
        }
        assert_eq!(seen.len(), 6);
    }

    #[test]
    fn a_state_with_too_many_steps_has_none_that_are_known() {
        let vars: String = (0..13)
            .map(|at| format!("VAR b{at} : boolean;\n"))
            .collect();
        let model = model(&format!("MODULE main\n{vars}"));
        let (interpreter, budget) = (Interpreter::new(&model), Budget::unlimited());
        let walked = Walked::default();
        let met = walked.meet(&[Value::Bool(false); 13]);
        for most in [10, usize::MAX, usize::MAX] {
            let next = walked.next(&interpreter, met, most, &budget);
            assert!(next.expect("no limit").is_none(), "at most {most}");
        }
    }
}
