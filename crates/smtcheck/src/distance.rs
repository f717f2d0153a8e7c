//! Distances: ranks that count how far a condition has to travel.
//!
//! Where something is handed on from one part of the state to the next, as the greatest number in a ring of processes, the
//! goal is a condition on one part, and what counts is how far away the nearest part is of which the same holds. The
//! parts are lined up along the steps, backwards from the goal, and the rank is the place of the first part of which the
//! condition holds. Whether it falls with every step is one query for the whole line, however long it is; where that fails,
//! the line is made one part at a time.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use wherefore_base::Budget;
use wherefore_smt::{SmtCtl, SmtOp, SmtTerm, SmtTermId, SmtTerms, Substitution, SymbolId, infix};

use crate::always::Promise;
use crate::answer::{SmtCertificate, SmtObligation, SmtOptions, SmtProof};
use crate::asker::{Script, TermSession};
use crate::finding::SmtFinding;
use crate::houdini::{candidates, conditions, houdini_invariant};
use crate::kripke::PlaceGraph;
use crate::toward::{LivenessGoal, refuted};
use crate::trouble::SolverTrouble;

/// The most parts of a line.
const MOST_PARTS: usize = 256;

/// The most parts of a line that is made one part at a time.
const FEW_PARTS: usize = 32;

/// Up to so many parts of the state, conditions of the whole model are candidates for the invariant.
const SMALL_STATE: usize = 8;

/// Proves `AF q` and `A[p U q]`, also as promises under `AG`, if the distance to `q` falls.
pub(crate) fn distances(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let lean = without_distinct(kripke);
    let worlds = lean.iter().chain([kripke]);
    for world in worlds {
        match search(world, part, choices, budget) {
            Ok(Some(proof)) => return SmtFinding::Holds(proof),
            Ok(None) => {}
            Err(trouble) => {
                return SmtFinding::stopped("distances", &trouble);
            }
        }
    }
    SmtFinding::Open(Vec::new())
}

/// The system without axioms that only say that many things differ, if it has any. They are costly and seldom needed,
/// and what holds without them holds with them.
pub(crate) fn without_distinct(kripke: &PlaceGraph) -> Option<PlaceGraph> {
    let mut lean = kripke.clone();
    let axioms = lean.axioms;
    let all = lean.terms().conjuncts(axioms);
    let terms = &lean.system.terms;
    let costly = |&axiom: &SmtTermId| matches!(terms.get(axiom), SmtTerm::Op(SmtOp::Distinct, of) if of.len() > 3);
    let kept: Vec<SmtTermId> = all.iter().copied().filter(|axiom| !costly(axiom)).collect();
    if kept.len() == all.len() {
        return None;
    }
    lean.axioms = lean.terms().and(&kept);
    Some(lean)
}

fn search(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<SmtProof>, SolverTrouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() {
        return Ok(None);
    }
    let (goal, promised) = match LivenessGoal::of(&mut kripke, part) {
        Some(goal) => (goal, false),
        None => match Promise::of(&mut kripke, part) {
            Some(promise) => (promise.goal(), true),
            None => return Ok(None),
        },
    };
    let lines = lines(&mut kripke, goal.goal);
    if lines.is_empty() {
        return Ok(None);
    }
    let solver = &choices.solvers[0];
    let mut asker = TermSession::start(solver, &kripke.system.terms, choices.limits, budget)?;
    for line in lines {
        let mut attempt = DistanceAttempt::new(&kripke, goal, promised, &line, &mut asker, budget)?;
        let Some(mut proof) = attempt.proof(line.conditions, &mut asker, budget)? else {
            continue;
        };
        proof.checked_by.push(solver.title());
        return Ok(Some(proof));
    }
    Ok(None)
}

/// Conditions in the order of their distance from the goal, and what may be invariant about them.
struct DistanceLine {
    conditions: Vec<SmtTermId>,
    guesses: Vec<SmtTermId>,
}

/// The lines that lead to a goal, one for each part of the state that the goal speaks of.
fn lines(kripke: &mut PlaceGraph, goal: SmtTermId) -> Vec<DistanceLine> {
    let current = kripke.system.current();
    let about = kripke.system.terms.free(goal);
    let from: Vec<SymbolId> = current
        .iter()
        .copied()
        .filter(|symbol| about.contains(symbol))
        .collect();
    let sources = sources(kripke);
    let mut lines = Vec::new();
    for &symbol in &from {
        let parts = nearest_first(kripke, symbol, &from, &sources);
        if parts.len() < 2 || parts.len() > MOST_PARTS {
            continue;
        }
        let terms = kripke.terms();
        let conditions = parts
            .iter()
            .map(|&part| instead(terms, goal, symbol, part))
            .collect();
        let mut guesses = Vec::new();
        for (a, b) in comparisons(terms, goal, symbol) {
            for &part in &parts {
                let (a, b) = (
                    instead(terms, a, symbol, part),
                    instead(terms, b, symbol, part),
                );
                guesses.push(terms.less_equal(a, b));
                guesses.push(terms.less_equal(b, a));
            }
        }
        if kripke.system.state.len() <= SMALL_STATE {
            guesses.extend(candidates(kripke, &[goal]));
        }
        lines.push(DistanceLine {
            conditions,
            guesses,
        });
    }
    lines
}

/// For each part of the state, the parts of which its next value is made.
fn sources(kripke: &mut PlaceGraph) -> FxHashMap<SymbolId, BTreeSet<SymbolId>> {
    let trans = kripke.trans;
    let conjuncts = kripke.terms().conjuncts(trans);
    let mut sources: FxHashMap<SymbolId, BTreeSet<SymbolId>> = FxHashMap::default();
    for conjunct in conjuncts {
        let free = kripke.system.terms.free(conjunct);
        for var in &kripke.system.state {
            if free.contains(&var.next) {
                sources
                    .entry(var.current)
                    .or_default()
                    .extend(free.iter().copied());
            }
        }
    }
    sources
}

/// The parts of the state with the sort of this one, this one first, then those of which it is made, and so on.
fn nearest_first(
    kripke: &PlaceGraph,
    first: SymbolId,
    without: &[SymbolId],
    sources: &FxHashMap<SymbolId, BTreeSet<SymbolId>>,
) -> Vec<SymbolId> {
    let terms = &kripke.system.terms;
    let sort = terms.info(first).sort;
    let state: BTreeSet<SymbolId> = kripke.system.current().into_iter().collect();
    let mut found = vec![first];
    let mut seen = BTreeSet::from([first]);
    let mut at = 0;
    while at < found.len() {
        for &next in sources.get(&found[at]).into_iter().flatten() {
            let fits = state.contains(&next) && terms.info(next).sort == sort;
            if fits && !without.contains(&next) && seen.insert(next) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

/// A condition with one part of the state in place of another.
pub(crate) fn instead(
    terms: &mut SmtTerms,
    condition: SmtTermId,
    symbol: SymbolId,
    other: SymbolId,
) -> SmtTermId {
    let mut by = Substitution::default();
    by.rename(symbol, other);
    terms.substitute(condition, &by)
}

/// The numbers that a condition compares, where one side speaks of this symbol.
fn comparisons(
    terms: &mut SmtTerms,
    condition: SmtTermId,
    symbol: SymbolId,
) -> Vec<(SmtTermId, SmtTermId)> {
    let mut found = Vec::new();
    let mut open = vec![condition];
    while let Some(term) = open.pop() {
        let node = terms.get(term).clone();
        open.extend(node.operands());
        if let SmtTerm::Op(SmtOp::Equal | SmtOp::Less | SmtOp::LessEqual, sides) = node
            && terms.sorts.is_number(terms.sort(sides[0]))
            && terms.free(term).contains(&symbol)
            && !terms.has_quantifier(term)
        {
            found.push((sides[0], sides[1]));
        }
    }
    found
}

struct DistanceAttempt {
    kripke: PlaceGraph,
    goal: LivenessGoal,
    /// What holds in every state that matters.
    invariant: SmtTermId,
    /// Whether that is so in every reachable state.
    promised: bool,
    duties: Vec<SmtObligation>,
    /// That the goal is not reached.
    open: SmtTermId,
    /// That there is a step in which it is not reached.
    step: SmtTermId,
}

impl DistanceAttempt {
    fn new(
        kripke: &PlaceGraph,
        goal: LivenessGoal,
        promised: bool,
        line: &DistanceLine,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Self, SolverTrouble> {
        let mut kripke = kripke.clone();
        let open = kripke.terms().not(goal.goal);
        let open_next = kripke.system.primed(open);
        let trans = kripke.trans;
        let step = kripke.terms().and(&[open, trans, open_next]);
        // A promise is made in any state that is reached, so the invariant must be one of the whole system.
        // Otherwise only the way from the start matters, as long as the goal has not been reached.
        let (start, along) = match promised {
            true => (kripke.system.init, trans),
            false => (kripke.terms().and(&[goal.start, open]), step),
        };
        let guesses = line.guesses.clone();
        let (invariant, duties) =
            houdini_invariant(&mut kripke, start, along, guesses, asker, budget)?;
        Ok(Self {
            kripke,
            goal,
            invariant,
            promised,
            duties,
            open,
            step,
        })
    }

    /// A proof by this line, or by what can be made of its conditions.
    fn proof(
        &mut self,
        line: Vec<SmtTermId>,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<SmtProof>, SolverTrouble> {
        let mut line = line;
        if !self.is_covered(&line, asker, budget)? {
            return Ok(None);
        }
        let falls = self.falls(&line);
        if !refuted(&mut self.kripke, asker, falls, budget)? {
            line = self.made_one_by_one(&line, asker, budget)?;
            let falls = self.falls(&line);
            let fits = line.len() > 1
                && self.is_covered(&line, asker, budget)?
                && refuted(&mut self.kripke, asker, falls, budget)?;
            if !fits {
                return Ok(None);
            }
        }
        let near = self.near(&line);
        let passed = self.kripke.terms().and(&[self.invariant, self.open, near]);
        let mut duties = std::mem::take(&mut self.duties);
        match self.goal.way(&self.kripke, passed, asker, budget)? {
            Ok(duty) => duties.extend(duty),
            Err(_) => return Ok(None),
        }
        let (covered, falls) = (self.uncovered(&line), self.falls(&line));
        for (claim, denied) in [
            ("the goal has a distance at the start", covered),
            (
                "the distance falls with every step that does not reach the goal",
                falls,
            ),
        ] {
            duties.push(SmtObligation {
                claim: claim.to_string(),
                query: Script::query(self.kripke.terms(), "ALL", &[denied]),
            });
        }
        let terms = &self.kripke.system.terms;
        let goal = infix::text(terms, self.goal.goal);
        let mut certificates = Vec::new();
        let plain = self.kripke.terms().plain_conjuncts(self.invariant);
        if !plain.is_empty() {
            let condition = conditions(&self.kripke, &plain);
            certificates.push(match self.promised {
                true => SmtCertificate::Invariant {
                    condition,
                    until: None,
                    implies: None,
                },
                false => SmtCertificate::OnTheWay {
                    condition,
                    goal: goal.clone(),
                },
            });
        }
        certificates.push(SmtCertificate::Distance {
            conditions: shown(&self.kripke.system.terms, &line),
            count: line.len(),
            goal,
        });
        Ok(Some(SmtProof {
            engine: "distance".to_string(),
            certificates,
            obligations: duties,
            checked_by: Vec::new(),
        }))
    }

    /// That one of the conditions holds.
    fn near(&mut self, line: &[SmtTermId]) -> SmtTermId {
        self.kripke.terms().or(line)
    }

    /// That a state where the goal becomes due has no distance.
    fn uncovered(&mut self, line: &[SmtTermId]) -> SmtTermId {
        let near = self.near(line);
        let (axioms, start) = (self.kripke.axioms, self.goal.start);
        let far = self.kripke.terms().not(near);
        let all = [axioms, start, self.invariant, self.open, far];
        self.kripke.terms().and(&all)
    }

    fn is_covered(
        &mut self,
        line: &[SmtTermId],
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<bool, SolverTrouble> {
        let uncovered = self.uncovered(line);
        refuted(&mut self.kripke, asker, uncovered, budget)
    }

    /// That a step from a state with a distance does not make it smaller.
    fn falls(&mut self, line: &[SmtTermId]) -> SmtTermId {
        let near = self.near(line);
        let terms = self.kripke.terms();
        // A state without a distance gets the greatest number: to lose all conditions counts as a rise.
        let mut distance = terms.int(line.len() as i64);
        for (at, &condition) in line.iter().enumerate().rev() {
            let here = terms.int(at as i64);
            distance = terms.ite(condition, here, distance);
        }
        let after = self.kripke.system.primed(distance);
        let rises = self.kripke.terms().less_equal(distance, after);
        let axioms = self.kripke.axioms;
        let all = [axioms, self.invariant, near, self.step, rises];
        self.kripke.terms().and(&all)
    }

    /// The conditions in an order in which each leads to an earlier one; those that lead to none are left out.
    fn made_one_by_one(
        &mut self,
        line: &[SmtTermId],
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Vec<SmtTermId>, SolverTrouble> {
        if line.len() > FEW_PARTS {
            return Ok(Vec::new());
        }
        let mut made = vec![line[0]];
        let mut left = line[1..].to_vec();
        loop {
            let before = left.len();
            let mut still = Vec::new();
            for condition in left {
                budget.check()?;
                let near = self.near(&made);
                let near_next = self.kripke.system.primed(near);
                let terms = self.kripke.terms();
                let misses = terms.not(near_next);
                let axioms = self.kripke.axioms;
                let all = [axioms, self.invariant, condition, self.step, misses];
                let query = self.kripke.terms().and(&all);
                match refuted(&mut self.kripke, asker, query, budget)? {
                    true => made.push(condition),
                    false => still.push(condition),
                }
            }
            left = still;
            if left.is_empty() || left.len() == before {
                return Ok(made);
            }
        }
    }
}

/// The conditions as texts, of many the first ones and the last.
fn shown(terms: &SmtTerms, line: &[SmtTermId]) -> Vec<String> {
    let text = |&condition: &SmtTermId| infix::text(terms, condition);
    match line {
        [a, b, c, _, .., last] => vec![text(a), text(b), text(c), text(last)],
        few => few.iter().map(text).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_base::FileId;

    fn ring(n: usize) -> PlaceGraph {
        let each = |text: &dyn Fn(usize) -> String| (0..n).map(text).collect::<String>();
        let now = each(&|i| format!("(x{i} Int) "));
        let then = each(&|i| format!("(y{i} Int) "));
        let steps = each(&|i| format!("(= y{i} (+ x{} 0)) ", (i + 1) % n));
        let text = format!(
            "(define-fun Init ({now}) Bool true)
             (define-fun Next ({now} {then}) Bool (and {steps}))
             (define-fun it ({now}) Bool (! (ctl.AF (= x0 3)) :ctl-property it))"
        );
        let read = wherefore_smt::read("ring", FileId::new(0), &text);
        PlaceGraph::new(&read.system, None)
    }

    #[test]
    fn the_parts_of_a_ring_are_lined_up_against_the_steps() {
        let mut kripke = ring(4);
        let property = kripke.system.properties[0].clone();
        let formula = property.ctl(kripke.terms()).expect("it is of CTL");
        let goal = LivenessGoal::of(&mut kripke, &formula).expect("it is a goal");
        let lines = lines(&mut kripke, goal.goal);
        let [line] = &lines[..] else {
            panic!("there is one line");
        };
        let shown: Vec<String> = line
            .conditions
            .iter()
            .map(|&condition| infix::text(&kripke.system.terms, condition))
            .collect();
        assert_eq!(shown, ["x0 = 3", "x1 = 3", "x2 = 3", "x3 = 3"]);
    }
}
