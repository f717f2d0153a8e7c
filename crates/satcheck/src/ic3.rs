//! Invariants from clauses, each inductive relative to what is known so far (Bradley 2011; Eén, Mishchenko
//! and Brayton 2011).
//!
//! Level `n` over-approximates the states within `n` steps of the initial ones. States from which the
//! condition is reached are excluded, level by level, with as few bits as will do; what excludes them is
//! pushed to higher levels as far as it holds. When all of a level was pushed, it is an invariant. What is
//! known stays true for other conditions, so one after the other can be asked, and after a stop the work
//! goes on.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use wherefore_base::{Budget, Run};
use wherefore_model::{Model, TermId, VarId};
use wherefore_sat::{BitSystem, CircuitEdge, Cnf, Lit, SatAnswer, Solver, Unrolling};

use crate::certificate::Clause;
use crate::frames::{BitCube, Frames, clause, state_bits};
use crate::lifting::{LiftedState, Lifting};

/// After so many questions the solver is made anew: each leaves a clause behind that is of no use.
const QUESTIONS: usize = 3000;

/// What came of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum InductiveFrame {
    /// No reachable state satisfies the condition; these clauses and its negation are inductive.
    Invariant(Vec<Clause>),
    /// One does, within so many steps.
    Reached(usize),
}

/// The search for an invariant.
#[derive(Debug)]
pub(crate) struct Ic3<'m, S> {
    system: BitSystem<'m>,
    unrolling: Unrolling,
    /// The bits of the state, which variables they belong to, and their edges.
    bits: Vec<(VarId, usize)>,
    now: Vec<CircuitEdge>,
    next: Vec<CircuitEdge>,
    queries: FrameQueries<S>,
    lifting: Lifting<S>,
    frames: Frames,
}

/// The solver and what it knows.
#[derive(Debug)]
struct FrameQueries<S> {
    solver: S,
    cnf: Cnf,
    now: Vec<Lit>,
    next: Vec<Lit>,
    /// Makes the present state initial.
    initial: Lit,
    /// Makes a step between the two states.
    step: Lit,
    /// Excludes what is excluded up to each level.
    levels: Vec<Lit>,
    asked: usize,
}

/// Whether a cube can be reached in one step from the states of a level outside of it.
enum ConsecutionAnswer {
    /// It cannot; this part of the cube is enough for that.
    Inductive(BitCube),
    /// It can, from this state.
    CounterexampleToInduction(Box<LiftedState>),
}

/// States to exclude at a level: the lowest level first, then the latest.
type ProofObligation = Reverse<(usize, Reverse<usize>)>;

impl<'m, S: Solver> Ic3<'m, S> {
    pub(crate) fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let system = BitSystem::new(model, budget)?;
        let mut unrolling = Unrolling::new();
        let bits = state_bits(model);
        let mut edges = |position: usize| -> Vec<CircuitEdge> {
            let of = |&(var, place): &(VarId, usize)| unrolling.bits(&system, position, var)[place];
            bits.iter().map(of).collect()
        };
        let (now, next) = (edges(0), edges(1));
        let lifting = Lifting::new(&system, &mut unrolling);
        let queries = FrameQueries::new(&system, &mut unrolling, &now, &next);
        Ok(Self {
            system,
            unrolling,
            bits,
            now,
            next,
            queries,
            lifting,
            frames: Frames::default(),
        })
    }

    /// Whether some reachable state satisfies a condition.
    pub(crate) fn prove(&mut self, bad: TermId, budget: &Budget) -> Run<InductiveFrame> {
        let bad = self.system.condition(bad)?;
        let bad = self.unrolling.at(&self.system, 0, bad);
        if self.satisfies(0, bad, budget)?.is_some() {
            return Ok(InductiveFrame::Reached(0));
        }
        if self.frames.len() == 0 {
            self.grow();
        }
        let mut top = 1;
        loop {
            while self.frames.len() <= top {
                self.grow();
            }
            budget.done(top as u64);
            while let Some(state) = self.satisfies(top, bad, budget)? {
                let unrolling = &self.unrolling;
                let cube = self
                    .lifting
                    .within(unrolling, &self.now, &state, bad, budget)?;
                if let Some(steps) = self.exclude(cube, top, budget)? {
                    return Ok(InductiveFrame::Reached(steps));
                }
            }
            if let Some(level) = self.push(top, budget)? {
                let clauses = self.frames.from(level);
                let clauses = clauses.map(|cube| clause(&self.bits, cube));
                return Ok(InductiveFrame::Invariant(clauses.collect()));
            }
            top += 1;
        }
    }

    fn grow(&mut self) {
        self.frames.grow();
        let lit = self.queries.solver.new_var();
        self.queries.levels.push(lit);
    }

    /// A state at a level that satisfies a condition.
    fn satisfies(
        &mut self,
        level: usize,
        bad: CircuitEdge,
        budget: &Budget,
    ) -> Run<Option<Vec<bool>>> {
        self.refresh();
        let queries = &mut self.queries;
        let circuit = self.unrolling.circuit();
        let lit = queries.cnf.demand(circuit, bad, &mut queries.solver);
        let mut assumptions = queries.at_level(level);
        assumptions.push(lit);
        Ok(match queries.solver.solve(&assumptions, budget)? {
            SatAnswer::Unsat => None,
            SatAnswer::Sat => Some(queries.state()),
        })
    }

    /// Excludes a cube at a level and all that leads to it; in how many steps it is reached, if it is.
    fn exclude(&mut self, cube: BitCube, top: usize, budget: &Budget) -> Run<Option<usize>> {
        let mut cubes: Vec<(BitCube, usize)> = vec![(cube, 0)];
        let mut obligations: BinaryHeap<ProofObligation> = BinaryHeap::new();
        obligations.push(Reverse((top, Reverse(0))));
        while let Some(Reverse((level, Reverse(at)))) = obligations.pop() {
            budget.check()?;
            let (cube, depth) = cubes[at].clone();
            // Every state of the cube leads to the condition in `depth` steps, so one initial state
            // is enough.
            if level == 0 || self.initial(&cube, budget)?.is_some() {
                return Ok(Some(depth));
            }
            // Another cube may have excluded this one meanwhile.
            if self.frames.excludes(&cube, level) {
                // The cube leads to the condition, so it has to go from the higher levels as well.
                if level < top {
                    obligations.push(Reverse((level + 1, Reverse(at))));
                }
                continue;
            }
            match self.consecution(&cube, level - 1, budget)? {
                ConsecutionAnswer::Inductive(part) => {
                    // The part that the solver needed may let initial states in, of which the
                    // clause must be true.
                    let part = self.outside_initial(part, &cube, budget)?;
                    let part = self.generalise(part, level - 1, budget)?;
                    // The clause goes as far up as it holds, so that it is not found again level by level.
                    let mut highest = level;
                    while highest < top
                        && let ConsecutionAnswer::Inductive(_) =
                            self.consecution(&part, highest, budget)?
                    {
                        highest += 1;
                    }
                    self.learn(part, highest);
                    if highest < top {
                        obligations.push(Reverse((highest + 1, Reverse(at))));
                    }
                }
                ConsecutionAnswer::CounterexampleToInduction(found) => {
                    let into = cube.iter().map(|&(bit, _)| self.bits[bit as usize].0);
                    let into: BTreeSet<VarId> = into.collect();
                    let unrolling = &self.unrolling;
                    let before = self
                        .lifting
                        .before(unrolling, &self.now, &found, &into, budget)?;
                    // The cube is asked about again after its predecessor, which has the lower
                    // level and comes first.
                    obligations.push(Reverse((level, Reverse(at))));
                    obligations.push(Reverse((level - 1, Reverse(cubes.len()))));
                    cubes.push((before, depth + 1));
                }
            }
        }
        Ok(None)
    }

    /// Excludes a cube up to a level.
    fn learn(&mut self, cube: BitCube, level: usize) {
        let queries = &mut self.queries;
        queries.exclude(&cube, level);
        self.frames.exclude(cube, level);
    }

    /// A state before a cube, at a level and outside the cube.
    fn consecution(
        &mut self,
        cube: &BitCube,
        level: usize,
        budget: &Budget,
    ) -> Run<ConsecutionAnswer> {
        self.refresh();
        let queries = &mut self.queries;
        queries.asked += 1;
        // An activation literal: the clause counts for this question only.
        let outside = queries.solver.new_var();
        let mut excluded: Vec<Lit> = cube.iter().map(|&bit| !queries.now(bit)).collect();
        excluded.push(!outside);
        queries.solver.add_clause(&excluded);
        let mut assumptions = queries.at_level(level);
        assumptions.extend([outside, queries.step]);
        assumptions.extend(cube.iter().map(|&bit| queries.next(bit)));
        let before = match queries.solver.solve(&assumptions, budget)? {
            SatAnswer::Unsat => {
                // Fewer bits make a larger cube, and what lies outside of it lies outside of the
                // old one: the answer stays.
                let mut part = cube.clone();
                part.retain(|&bit| queries.solver.failed(queries.next(bit)));
                ConsecutionAnswer::Inductive(part)
            }
            SatAnswer::Sat => ConsecutionAnswer::CounterexampleToInduction(Box::new(self.found())),
        };
        let queries = &mut self.queries;
        // The clause is satisfied for ever, so the solver may drop it.
        queries.solver.add_clause(&[!outside]);
        Ok(before)
    }

    /// The step that the solver found.
    fn found(&mut self) -> LiftedState {
        let queries = &mut self.queries;
        let model = self.system.model();
        let mut next = vec![Vec::new(); model.state_vars()];
        for ((var, _), (&edge, &lit)) in self.bits.iter().zip(self.next.iter().zip(&queries.next)) {
            next[var.index()].push((edge, queries.solver.value(lit)));
        }
        let mut input = Vec::new();
        for var in (model.state_vars()..model.vars.len()).map(VarId::new) {
            for edge in self.unrolling.bits(&self.system, 0, var) {
                let lit = queries.cnf.known(edge);
                // An input that no clause mentions may have any value.
                let value = lit.is_some_and(|lit| queries.solver.value(lit));
                input.push((edge, value));
            }
        }
        LiftedState {
            state: queries.state(),
            input,
            next,
        }
    }

    /// An initial state in a cube.
    fn initial(&mut self, cube: &BitCube, budget: &Budget) -> Run<Option<Vec<bool>>> {
        let queries = &mut self.queries;
        let mut assumptions = vec![queries.initial];
        assumptions.extend(cube.iter().map(|&bit| queries.now(bit)));
        Ok(match queries.solver.solve(&assumptions, budget)? {
            SatAnswer::Unsat => None,
            SatAnswer::Sat => Some(queries.state()),
        })
    }

    /// A part of a cube with enough of its bits to have no initial state, as the cube has none.
    fn outside_initial(
        &mut self,
        mut part: BitCube,
        whole: &BitCube,
        budget: &Budget,
    ) -> Run<BitCube> {
        while let Some(state) = self.initial(&part, budget)? {
            // The state is outside the whole cube, so some bit of that keeps it out.
            let missing = whole
                .iter()
                .find(|&&(bit, value)| state[bit as usize] != value);
            let Some(&missing) = missing else {
                return Ok(whole.clone());
            };
            // A cube is kept in the order of its bits.
            let at = part.partition_point(|bit| *bit < missing);
            part.insert(at, missing);
        }
        Ok(part)
    }

    /// Leaves out one bit after the other, as long as nothing at the level leads into the cube.
    fn generalise(&mut self, cube: BitCube, level: usize, budget: &Budget) -> Run<BitCube> {
        let mut cube = cube;
        let mut at = 0;
        while at < cube.len() && cube.len() > 1 {
            let mut smaller = cube.clone();
            smaller.remove(at);
            if self.initial(&smaller, budget)?.is_none()
                && let ConsecutionAnswer::Inductive(part) =
                    self.consecution(&smaller, level, budget)?
            {
                cube = self.outside_initial(part, &smaller, budget)?;
                // What was tried before stays in place, unless it is gone by itself.
                at = at.min(cube.len());
            } else {
                at += 1;
            }
        }
        Ok(cube)
    }

    /// Pushes what is excluded to higher levels; the level above one that has nothing left.
    fn push(&mut self, top: usize, budget: &Budget) -> Run<Option<usize>> {
        for level in 1..=top {
            if self.frames.len() == level + 1 {
                self.grow();
            }
            let mut at = 0;
            while let Some(cube) = self.frames.level(level).get(at).cloned() {
                match self.consecution(&cube, level, budget)? {
                    ConsecutionAnswer::Inductive(_) => {
                        self.frames.take(level, at);
                        self.learn(cube, level + 1);
                    }
                    ConsecutionAnswer::CounterexampleToInduction(_) => at += 1,
                }
            }
            // All of this level holds after one more step: it is the same set as the level above,
            // so it is inductive.
            if self.frames.level(level).is_empty() {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }

    fn refresh(&mut self) {
        if self.queries.asked <= QUESTIONS {
            return;
        }
        self.queries = FrameQueries::new(&self.system, &mut self.unrolling, &self.now, &self.next);
        for level in 0..self.frames.len() {
            let lit = self.queries.solver.new_var();
            self.queries.levels.push(lit);
            for cube in self.frames.level(level) {
                self.queries.exclude(cube, level);
            }
        }
    }
}

impl<S: Solver> FrameQueries<S> {
    fn new(
        system: &BitSystem<'_>,
        unrolling: &mut Unrolling,
        now: &[CircuitEdge],
        next: &[CircuitEdge],
    ) -> Self {
        let mut solver = S::empty();
        let mut cnf = Cnf::new();
        let (initial, step) = (solver.new_var(), solver.new_var());
        // Constraints on states hold at the present state in every question, at the next one only
        // with a step.
        let invar = system.invar.iter();
        let rules = system.init.iter().map(|&edge| (0, edge, Some(initial)));
        let rules = rules.chain(invar.clone().map(|&edge| (0, edge, None)));
        let rules = rules.chain(system.trans.iter().map(|&edge| (0, edge, Some(step))));
        let rules = rules.chain(invar.map(|&edge| (1, edge, Some(step))));
        for (position, edge, when) in rules {
            let edge = unrolling.at(system, position, edge);
            let circuit = unrolling.circuit();
            match when {
                None => cnf.require(circuit, edge, &mut solver),
                Some(when) => {
                    let lit = cnf.demand(circuit, edge, &mut solver);
                    solver.add_clause(&[!when, lit]);
                }
            }
        }
        let circuit = unrolling.circuit();
        let mut literals = |edges: &[CircuitEdge]| -> Vec<Lit> {
            let edges = edges.iter();
            edges
                .map(|&edge| cnf.literal(circuit, edge, &mut solver))
                .collect()
        };
        let (now, next) = (literals(now), literals(next));
        Self {
            solver,
            cnf,
            now,
            next,
            initial,
            step,
            levels: Vec::new(),
            asked: 0,
        }
    }

    fn now(&self, (bit, value): (u32, bool)) -> Lit {
        self.now[bit as usize].negated_if(!value)
    }

    fn next(&self, (bit, value): (u32, bool)) -> Lit {
        self.next[bit as usize].negated_if(!value)
    }

    /// What is assumed of a state at a level.
    fn at_level(&self, level: usize) -> Vec<Lit> {
        match level {
            0 => vec![self.initial],
            // What is excluded up to a higher level is excluded at this one, too.
            _ => self.levels[level..].to_vec(),
        }
    }

    fn exclude(&mut self, cube: &BitCube, level: usize) {
        let mut clause: Vec<Lit> = cube.iter().map(|&bit| !self.now(bit)).collect();
        clause.push(!self.levels[level]);
        self.solver.add_clause(&clause);
    }

    /// The state that the solver found.
    fn state(&mut self) -> Vec<bool> {
        let now = self.now.iter();
        now.map(|&lit| self.solver.value(lit)).collect()
    }
}
