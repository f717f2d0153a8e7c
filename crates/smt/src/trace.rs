//! Runs of a system, as a solver finds them, and their replay by our own evaluator.

use crate::eval::{CannotEvaluate, holds};
use crate::sort::SortId;
use crate::system::TermSystem;
use crate::term::SymbolId;
use crate::value::{FunctionValue, SmtValuation, SmtValue};

/// What a symbol is in an interpretation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TraceMeaning {
    /// The value of a constant or variable.
    Value(SmtValue),
    /// A function.
    Function(FunctionValue),
}

/// A run: `state --step--> state --step--> ...`, and perhaps back to a state of it.
///
/// Invariant: each state says what every part of the state is, in the order of [`TermSystem::state`]; each step says what
/// every input is, in the order of [`TermSystem::inputs`]; there is a step for every state but the last, and one more if
/// the run goes back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SolverTrace {
    /// How many values uninterpreted sorts have.
    pub universes: Vec<(SortId, u32)>,
    /// What the parameters are.
    pub parameters: Vec<(SymbolId, TraceMeaning)>,
    /// The states in order.
    pub states: Vec<Vec<TraceMeaning>>,
    /// The inputs of the steps in order.
    pub inputs: Vec<Vec<TraceMeaning>>,
    /// The state that comes after the last one, if the run goes on for ever.
    pub back: Option<usize>,
}

/// Why a run is not one of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceFault {
    /// It breaks what is required: which requirement, in words.
    Broken(String),
    /// Our evaluator cannot tell: which requirement, in words, and why.
    Unknown(String, CannotEvaluate),
}

impl SolverTrace {
    /// The steps as pairs of positions of states.
    pub fn steps(&self) -> Vec<(usize, usize)> {
        let last = self.states.len().saturating_sub(1);
        let back = self.back.map(|back| (last, back));
        (0..last).map(|at| (at, at + 1)).chain(back).collect()
    }

    /// What the symbols are in a state.
    pub fn at(&self, system: &TermSystem, state: usize) -> SmtValuation {
        let mut valuation = SmtValuation::default();
        for &(sort, count) in &self.universes {
            valuation.set_universe(sort, count);
        }
        for (symbol, meaning) in &self.parameters {
            set(&mut valuation, *symbol, meaning);
        }
        for (var, meaning) in system.state.iter().zip(&self.states[state]) {
            set(&mut valuation, var.current, meaning);
        }
        valuation
    }

    /// What the symbols are in a step, by its position among [`SolverTrace::steps`].
    pub fn in_step(&self, system: &TermSystem, step: usize) -> SmtValuation {
        let (from, to) = self.steps()[step];
        let mut valuation = self.at(system, from);
        for (var, meaning) in system.state.iter().zip(&self.states[to]) {
            set(&mut valuation, var.next, meaning);
        }
        for (&input, meaning) in system
            .inputs
            .iter()
            .zip(self.inputs.get(step).into_iter().flatten())
        {
            set(&mut valuation, input, meaning);
        }
        valuation
    }

    /// Whether it is a run of the system: the axioms hold, its first state is initial if it starts there, and each step
    /// is a step.
    pub fn replay(&self, system: &TermSystem, from_initial: bool) -> Result<(), TraceFault> {
        let check = |what: String, held: Result<bool, CannotEvaluate>| match held {
            Ok(true) => Ok(()),
            Ok(false) => Err(TraceFault::Broken(what)),
            Err(why) => Err(TraceFault::Unknown(what, why)),
        };
        if self.states.is_empty() {
            return Err(TraceFault::Broken("the run has no state".into()));
        }
        if self
            .states
            .iter()
            .any(|state| state.len() != system.state.len())
        {
            return Err(TraceFault::Broken(
                "a state of the run does not fit the system".into(),
            ));
        }
        if self.back.is_some_and(|back| back >= self.states.len()) {
            return Err(TraceFault::Broken(
                "the run goes back to no state of it".into(),
            ));
        }
        let first = self.at(system, 0);
        // Axioms speak of parameters, which are the same in all states.
        for &axiom in &system.axioms {
            check("the axioms".into(), holds(&system.terms, axiom, &first))?;
        }
        if from_initial {
            check(
                "the initial condition".into(),
                holds(&system.terms, system.init, &first),
            )?;
        }
        for step in 0..self.steps().len() {
            let valuation = self.in_step(system, step);
            let held = holds(&system.terms, system.trans, &valuation);
            check(
                format!("the transition relation at step {}", step + 1),
                held,
            )?;
        }
        Ok(())
    }

    /// The name of each step: the first action that it is, if it is one.
    pub fn actions(&self, system: &TermSystem) -> Vec<Option<usize>> {
        let steps = 0..self.steps().len();
        let named = steps.map(|step| {
            let valuation = self.in_step(system, step);
            let is = |term| holds(&system.terms, term, &valuation) == Ok(true);
            system.actions.iter().position(|action| is(action.term))
        });
        named.collect()
    }
}

fn set(valuation: &mut SmtValuation, symbol: SymbolId, meaning: &TraceMeaning) {
    match meaning {
        TraceMeaning::Value(value) => valuation.set(symbol, value.clone()),
        TraceMeaning::Function(function) => valuation.set_function(symbol, function.clone()),
    }
}
