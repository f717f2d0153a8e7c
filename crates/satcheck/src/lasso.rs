//! Runs that go on for ever, fairly: lassos, one step longer each time.
//!
//! A lasso of `n` steps is a run whose position `n` is the same state as an earlier one (Biere, Cimatti,
//! Clarke and Zhu 1999). Fairness is asked of the positions between the two.

use wherefore_base::{Budget, Run};
use wherefore_model::Model;
use wherefore_sat::{CircuitEdge, Lit, Solver};

use crate::canonical::canonical;
use crate::steps::{BoundedTrace, RunSteps};

/// Fair lassos from the initial states of a model.
#[derive(Debug)]
pub(crate) struct Lassos<'m, S> {
    steps: RunSteps<'m, S>,
    justice: Vec<CircuitEdge>,
    compassion: Vec<(CircuitEdge, CircuitEdge)>,
    /// There is none with fewer steps.
    length: usize,
    /// Of the present length: that the loop begins at each of the positions, and that there is one.
    loops: Vec<CircuitEdge>,
    found: Option<Lit>,
}

impl<'m, S: Solver> Lassos<'m, S> {
    pub(crate) fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let mut steps = RunSteps::new(model, budget)?;
        steps.require_initial();
        let fairness = &model.fairness;
        let justice = fairness.justice.iter();
        let justice = justice.map(|&term| steps.system.condition(term));
        let justice = justice.collect::<Run<_>>()?;
        let mut compassion = Vec::new();
        for &(p, q) in &fairness.compassion {
            compassion.push((steps.system.condition(p)?, steps.system.condition(q)?));
        }
        Ok(Self {
            steps,
            justice,
            compassion,
            length: 1,
            loops: Vec::new(),
            found: None,
        })
    }

    /// No fair lasso has fewer steps.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Whether there is a fair lasso of exactly [`Lassos::length`] steps; if not, the length grows.
    pub(crate) fn next(&mut self, budget: &Budget) -> Run<bool> {
        let lit = match self.found {
            Some(lit) => lit,
            None => self.ask(),
        };
        if self.steps.solve(&[lit], budget)? {
            return Ok(true);
        }
        self.length += 1;
        self.found = None;
        Ok(false)
    }

    /// The lasso that every engine shows, after [`Lassos::next`] found that there is one.
    pub(crate) fn trace(mut self, budget: &Budget) -> Run<BoundedTrace> {
        let found = self.found.expect("a lasso was found");
        // The shorter the way to the loop, the better.
        for (back, start) in self.loops.clone().into_iter().enumerate() {
            let lits = [found, self.steps.demand(start)];
            if self.steps.solve(&lits, budget)? {
                let vars = self.steps.model().state_vars();
                let steps = &mut self.steps;
                return canonical(steps, vars, self.length, Some(back), &lits, budget);
            }
        }
        unreachable!("one of the positions is where the loop begins")
    }

    /// Some lasso, after [`Lassos::next`] found that there is one.
    pub(crate) fn any(mut self, budget: &Budget) -> Run<BoundedTrace> {
        let found = self.found.expect("a lasso was found");
        // Bits have to be known to the solver before it is asked, or it gives them no values.
        for position in 0..=self.length {
            self.steps.bits(position);
        }
        let again = self.steps.solve(&[found], budget)?;
        debug_assert!(again, "a lasso was found");
        let mut states = self.steps.states(0..self.length + 1);
        let last = states.pop().expect("a lasso has a step");
        let back = states.iter().position(|state| *state == last);
        Ok(BoundedTrace { states, back })
    }

    /// Whether no run from the initial states has as many steps as a lasso would have by now.
    pub(crate) fn is_dead_end(&mut self, budget: &Budget) -> Run<bool> {
        Ok(!self.steps.solve(&[], budget)?)
    }

    /// A literal that asks for a fair lasso of the present length.
    fn ask(&mut self) -> Lit {
        self.steps.extend(self.length);
        let mut starts = Vec::new();
        for back in 0..self.length {
            starts.push(self.steps.same(back, self.length));
        }
        let starts = self.choices(&starts);
        let fair = self.fair(&starts);
        let some = self.steps.circuit().any(starts.iter().copied());
        let found = self.steps.circuit().and(some, fair);
        let lit = self.steps.demand(found);
        self.loops = starts;
        self.found = Some(lit);
        lit
    }

    /// One of the positions is chosen as the beginning of the loop, if the state of one comes back: the
    /// edges say which. Several may have the state; a free choice is made by new inputs.
    fn choices(&mut self, same: &[CircuitEdge]) -> Vec<CircuitEdge> {
        let circuit = self.steps.circuit();
        let mut taken = CircuitEdge::FALSE;
        let mut choices = Vec::new();
        for (at, &same) in same.iter().enumerate() {
            // The last position takes the choice that none before it wanted.
            let wanted = match at + 1 < self.length {
                true => circuit.input(),
                false => CircuitEdge::TRUE,
            };
            let here = circuit.and(same, wanted);
            let here = circuit.and(here, !taken);
            // A position that wants the choice takes it, even where its state is another: then
            // there is no lasso.
            taken = circuit.or(taken, wanted);
            choices.push(here);
        }
        choices
    }

    fn fair(&mut self, starts: &[CircuitEdge]) -> CircuitEdge {
        let mut inside = Vec::new();
        let mut within = CircuitEdge::FALSE;
        for &start in starts {
            // From the beginning of the loop on, all positions are inside.
            within = self.steps.circuit().or(within, start);
            inside.push(within);
        }
        let mut all = Vec::new();
        for condition in self.justice.clone() {
            all.push(self.somewhere(&inside, condition));
        }
        for (p, q) in self.compassion.clone() {
            let (p, q) = (self.somewhere(&inside, p), self.somewhere(&inside, q));
            all.push(self.steps.circuit().or(!p, q));
        }
        self.steps.circuit().all(all)
    }

    /// That a condition holds at a position inside the loop.
    fn somewhere(&mut self, inside: &[CircuitEdge], condition: CircuitEdge) -> CircuitEdge {
        let mut met = Vec::new();
        for (position, &inside) in inside.iter().enumerate() {
            let here = self.steps.at(position, condition);
            met.push(self.steps.circuit().and(inside, here));
        }
        self.steps.circuit().any(met)
    }
}
