//! Causes on a run: the values that the failure of a property depends on.
//!
//! The value of a variable at an occurrence of a state is a cause if another value there, perhaps together with other
//! values elsewhere none of which helps without it, would keep the run from refuting the property. That is the definition of
//! Halpern and Pearl (2005), which Beer, Ben-David, Chockler, Orni and Trefler (2009) use to mark counterexamples with red
//! dots. As they do, we ask for the first failure: where a path comes to what refutes the property, what comes later does not
//! count. Whether a value is a cause is hard to decide, so it is decided for few values. For many, we take the values
//! that proofs of the failure along the run rest on: their approximation, in linear time. Where the property wants each
//! condition true only, or false only, it has all causes.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use wherefore_base::{Budget, Run, Value};
use wherefore_logic::{Goal, Kernel, Op, RunKernel, SubId};
use wherefore_model::{BinaryOp, Model, Query, Support, Term, TermId, VarId};
use wherefore_proof::{Causes, Evidence, OccurrenceId};

use crate::beyond::{Beyond, BeyondClaim};
use crate::course::{FailingCourse, ShownClaims};

/// So much may be evaluated to find exact causes: combinations of values, times sub-formulas, times positions.
const EXACT_WORK: usize = 200_000;

/// An occurrence, and a variable of its state.
type Pair = (usize, VarId);

/// The values that a counterexample hinges on; `None` if it is too long, or rests on too much that can follow.
///
/// # Errors
/// When the budget ends.
pub fn causes(
    model: &Model,
    query: &Query,
    evidence: &Evidence,
    budget: &Budget,
) -> Run<Option<Causes>> {
    let Some(beyond) = Beyond::of(model, query, evidence, budget)? else {
        return Ok(None);
    };
    let Some(course) = FailingCourse::of(model, query, evidence, beyond.claims) else {
        return Ok(None);
    };
    let values = evidence.occurrences.iter().map(|o| o.values.clone());
    let values: Vec<Vec<Value>> = values.collect();
    let shown = course.shown(&values, None);
    if !shown.is(course.root(), 0) {
        return Ok(None);
    }
    let search = CauseSearch {
        model,
        course,
        values,
        shown,
    };
    let exact = match beyond.complete {
        true => search.exact(budget)?,
        false => None,
    };
    let is_exact = exact.is_some();
    let pairs = exact.unwrap_or_else(|| search.approximate());
    let declared = pairs.into_iter().filter(|(_, var)| {
        // Helpers of the reader have no name that anybody knows.
        model.vars[*var].is_declared()
    });
    Ok(Some(Causes {
        pairs: declared
            .map(|(at, var)| (OccurrenceId::new(at), var))
            .collect(),
        exact: is_exact,
    }))
}

struct CauseSearch<'a> {
    model: &'a Model,
    course: FailingCourse<'a>,
    /// The values at each occurrence.
    values: Vec<Vec<Value>>,
    /// What is shown with them.
    shown: ShownClaims,
}

/// What a failure follows from in the end.
enum ShownLeaf<'c> {
    /// A condition at a position.
    Condition(TermId, usize),
    /// What can follow somewhere.
    Beyond(&'c BeyondClaim),
}

/// A claim at a position; of a bounded operator after so many steps.
type ClaimAt = (SubId, bool, usize, u32);

impl CauseSearch<'_> {
    /// The causes by their definition; `None` if that is too much work.
    fn exact(&self, budget: &Budget) -> Run<Option<BTreeSet<Pair>>> {
        let pairs: Vec<Pair> = self.read_pairs().into_iter().collect();
        let each = self.course.query.formula.len() * self.course.occurrence.len();
        let most = EXACT_WORK / each.max(1);
        let mut others: Vec<Vec<Value>> = Vec::new();
        let mut strides: Vec<usize> = Vec::new();
        let mut count = 1_usize;
        for &pair in &pairs {
            // More values than this would be too many combinations.
            let Some(values) = self.other_values(pair, most / count) else {
                return Ok(None);
            };
            strides.push(count);
            count *= values.len() + 1;
            others.push(values);
        }
        // A combination of values is a number with a digit for each pair; 0 is the value as it is.
        let digit = |code: usize, at: usize| code / strides[at] % (others[at].len() + 1);
        let mut fails = vec![true; count];
        let mut safe = vec![true; count];
        let mut causes = BTreeSet::new();
        let mut values = self.values.clone();
        for code in 0..count {
            budget.check()?;
            for (at, &(occurrence, var)) in pairs.iter().enumerate() {
                values[occurrence][var.index()] = match digit(code, at) {
                    0 => self.values[occurrence][var.index()],
                    other => others[at][other - 1],
                };
            }
            let shown = self.course.shown(&values, Some(&self.shown));
            fails[code] = shown.is(self.course.root(), 0);
            // Whoever takes some of the changes back comes to a smaller number, which is known.
            let mut fewer = (0..pairs.len()).filter(|&at| digit(code, at) > 0);
            safe[code] = fails[code] && fewer.all(|at| safe[code - digit(code, at) * strides[at]]);
        }
        for code in (0..count).filter(|&code| !fails[code]) {
            for at in (0..pairs.len()).filter(|&at| digit(code, at) > 0) {
                if safe[code - digit(code, at) * strides[at]] {
                    causes.insert(pairs[at]);
                }
            }
        }
        Ok(Some(causes))
    }

    /// The values that proofs of the failure rest on.
    fn approximate(&self) -> BTreeSet<Pair> {
        let mut pairs = BTreeSet::new();
        self.walk(true, &mut |leaf| match leaf {
            ShownLeaf::Condition(term, at) => {
                let mut open = vec![term];
                let mut seen = HashSet::new();
                while let Some(term) = open.pop() {
                    if seen.insert(term) {
                        self.rests_on(term, at, &mut open, &mut pairs);
                    }
                }
            }
            ShownLeaf::Beyond(claim) => {
                let breaking = claim.breaking(&self.values[claim.at]);
                pairs.extend(breaking.into_iter().flatten().map(|var| (claim.at, var)));
            }
        });
        pairs
    }

    /// All values that the failure may depend on.
    fn read_pairs(&self) -> BTreeSet<Pair> {
        let mut pairs = BTreeSet::new();
        self.walk(false, &mut |leaf| match leaf {
            ShownLeaf::Condition(term, at) => self.read(term, at, &mut pairs),
            ShownLeaf::Beyond(claim) => {
                let vars = (0..self.model.state_vars()).map(VarId::new);
                pairs.extend(vars.map(|var| (claim.at, var)));
            }
        });
        pairs
    }

    /// Adds the values that a term reads at a position.
    fn read(&self, term: TermId, at: usize, pairs: &mut BTreeSet<Pair>) {
        let support = Support::of(self.model, [term]);
        let states = self.model.state_vars();
        let here = self.course.occurrence[at];
        let now = support.now.into_iter().filter(|v| v.index() < states);
        pairs.extend(now.map(|var| (here, var)));
        if let Some(&to) = self.course.steps(false, at).first() {
            let there = self.course.occurrence[to];
            pairs.extend(support.next.into_iter().map(|var| (there, var)));
        }
    }

    /// Takes a condition apart: into the operands that its truth rests on, or into the values that it reads.
    fn rests_on(
        &self,
        term: TermId,
        at: usize,
        operands: &mut Vec<TermId>,
        pairs: &mut BTreeSet<Pair>,
    ) {
        let truth = |term: TermId| {
            let env = self.course.env(&self.values, at);
            self.course.interpreter().truth(term, env)
        };
        use BinaryOp as B;
        match self.model.terms.get(term) {
            Term::Not(a) => operands.push(*a),
            // Of what decides alone, everything that does; otherwise both.
            Term::Binary(op @ (B::And | B::Or | B::Implies), a, b) => {
                let decides = |term: TermId, left: bool| match op {
                    B::And => !truth(term),
                    B::Or => truth(term),
                    _ => truth(term) != left,
                };
                let deciding = [(*a, true), (*b, false)];
                let alone = deciding.iter().filter(|(term, left)| decides(*term, *left));
                let alone: Vec<TermId> = alone.map(|(term, _)| *term).collect();
                match alone.is_empty() {
                    true => operands.extend([*a, *b]),
                    false => operands.extend(alone),
                }
            }
            _ => self.read(term, at, pairs),
        }
    }

    /// The other values of a pair, of those that no condition tells apart one; `None` if they are more than there may be.
    fn other_values(&self, (occurrence, var): Pair, most: usize) -> Option<Vec<Value>> {
        let atoms = self.course.query.atoms.iter().copied();
        let reading: Vec<(TermId, Support)> = atoms
            .map(|atom| (atom, Support::of(self.model, [atom])))
            .filter(|(_, support)| support.now.contains(&var) || support.next.contains(&var))
            .collect();
        let now = self.values[occurrence][var.index()];
        let domain = &self.model.vars[var].domain;
        let alone = reading
            .iter()
            .all(|(_, support)| support.now.len() == 1 && support.next.is_empty());
        let rests_beyond = self
            .course
            .beyond
            .iter()
            .any(|claim| claim.at == occurrence);
        if !alone || rests_beyond {
            // What a value means depends on other values.
            let few = domain.size() <= most as u128;
            return few.then(|| domain.values().filter(|value| *value != now).collect());
        }
        if domain.size() > EXACT_WORK as u128 {
            return None;
        }
        let mut state = self.values[occurrence].clone();
        let mut told_apart = |value: Value| -> Vec<bool> {
            state[var.index()] = value;
            let env = wherefore_model::Env::state(&state);
            let truth = |(term, _): &(TermId, Support)| self.course.interpreter().truth(*term, env);
            reading.iter().map(truth).collect()
        };
        let as_it_is = told_apart(now);
        let mut classes: BTreeMap<Vec<bool>, Value> = BTreeMap::new();
        for value in domain.values() {
            classes.entry(told_apart(value)).or_insert(value);
        }
        classes.remove(&as_it_is);
        let others: Vec<Value> = classes.into_values().collect();
        (others.len() < most).then_some(others)
    }

    /// Goes through the claims that the failure follows from: those that are shown, or all that could be. `leaf` gets
    /// each condition at each position, and each claim about what can follow.
    fn walk(&self, only_shown: bool, leaf: &mut dyn FnMut(ShownLeaf<'_>)) {
        let course = &self.course;
        let root = course.root();
        let mut open: Vec<ClaimAt> = vec![(root.sub, root.holds, 0, 0)];
        let mut seen: HashSet<ClaimAt> = HashSet::new();
        let counts = |goals: &[Goal], at: usize| !only_shown || self.shown.all(goals, at);
        while let Some(claim) = open.pop() {
            if !seen.insert(claim) {
                continue;
            }
            let (sub, holds, at, passed) = claim;
            let goal = Goal { sub, holds };
            let mut beyond = course.beyond.iter();
            if let Some(claim) = beyond.find(|claim| (claim.goal, claim.at) == (goal, at)) {
                leaf(ShownLeaf::Beyond(claim));
                continue;
            }
            let all = |goals: &[Goal], at: usize| -> Vec<ClaimAt> {
                let goals = goals.iter().map(|goal| (goal.sub, goal.holds, at, 0));
                goals.collect()
            };
            let RunKernel { past, kernel } = course.kernel(goal);
            match kernel {
                Kernel::State => {
                    if let Op::Atom(atom) = course.query.formula.op(sub) {
                        leaf(ShownLeaf::Condition(course.query.atoms[atom], at));
                    }
                }
                Kernel::Branches(branches) => {
                    for goals in branches.iter().filter(|goals| counts(goals, at)) {
                        open.extend(all(goals, at));
                    }
                }
                Kernel::Step(_, next) => {
                    for &to in course.steps(*past, at) {
                        if counts(&[*next], to) {
                            open.push((next.sub, next.holds, to, 0));
                        }
                    }
                }
                Kernel::Path(pattern) => {
                    let goals = pattern.goal.as_deref();
                    let there = goals.is_some_and(|goals| self.shown.all(goals, at));
                    if let Some(goals) = goals.filter(|goals| counts(goals, at)) {
                        open.extend(all(goals, at));
                    }
                    // The first goal counts.
                    if there || course.is_universal(pattern.quantifier) {
                        continue;
                    }
                    open.extend(all(&pattern.stay, at));
                    for &to in course.steps(*past, at) {
                        if counts(&[goal], to) {
                            open.push((sub, holds, to, 0));
                        }
                    }
                }
                Kernel::Bounded(bounds, pattern) => {
                    // What is shown after some steps is not noted, so all of it is looked at.
                    if let Some(goals) = pattern.goal.as_deref().filter(|g| counts(g, at)) {
                        open.extend(all(goals, at));
                    }
                    if counts(&pattern.stay, at) {
                        open.extend(all(&pattern.stay, at));
                    }
                    if passed < bounds.most {
                        let steps = course.steps(*past, at).iter();
                        open.extend(steps.map(|&to| (sub, holds, to, passed + 1)));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
