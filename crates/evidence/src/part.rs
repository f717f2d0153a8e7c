//! Truth in a system of which a space has a part only: some of its states and steps.
//!
//! What some path shows is so in the whole as well; that every path is one way cannot be seen in a part, unless
//! the state itself decides it. So each sub-formula is taken twice: as what is certainly true, and as what may
//! be (three values, after Bruns and Godefroid 1999).

use wherefore_base::{IndexVec, Run};
use wherefore_logic::{Formula, Op, PathOp, Quantifier, SubId};
use wherefore_model::Query;
use wherefore_proof::Evidence;
use wherefore_space::StateSpace;

use crate::investigate::Investigator;

impl<S: StateSpace> Investigator<'_, S> {
    /// Leaves of the truth that is noted at the states of an evidence what is so in every system that has all
    /// paths of this space, and perhaps others.
    pub fn forget_the_rest(&self, query: &Query, evidence: &mut Evidence) -> Run<()> {
        let limits = TruthBounds::of(&query.formula);
        let solution = self.checker.solve(&Query {
            formula: limits.formula,
            ..query.clone()
        })?;
        let states = evidence.occurrences.iter();
        let states: Vec<_> = states.map(|at| at.values.clone()).collect();
        let located = self.locate(&states)?;
        let space = self.checker.space();
        for (at, state) in evidence.occurrences.ids().zip(located) {
            let truth = &mut evidence.occurrences[at].truth;
            let within = |sub: SubId| {
                let mut state = state.iter();
                state.any(|state| space.contains(&solution.sat[sub], state))
            };
            for (sub, &(certain, possible)) in limits.of.entries() {
                truth[sub] = match (within(certain), within(possible)) {
                    (true, _) => Some(true),
                    (_, false) => Some(false),
                    _ => None,
                };
            }
        }
        Ok(())
    }
}

/// For each sub-formula of another formula, where it is certainly true and where it may be.
struct TruthBounds {
    formula: Formula,
    of: IndexVec<SubId, (SubId, SubId)>,
}

impl TruthBounds {
    fn of(formula: &Formula) -> Self {
        let mut limits = Self {
            formula: Formula::new(),
            of: IndexVec::new(),
        };
        for sub in formula.subs() {
            let both = limits.both(formula.op(sub));
            limits.of.push(both);
        }
        limits
    }

    fn both(&mut self, op: Op) -> (SubId, SubId) {
        let low = |limits: &Self, sub: SubId| limits.of[sub].0;
        let high = |limits: &Self, sub: SubId| limits.of[sub].1;
        match op {
            Op::Const(_) | Op::Atom(_) | Op::Linear(_) => {
                let same = self.add(op);
                (same, same)
            }
            Op::Not(f) => {
                let (low, high) = self.of[f];
                (self.add(Op::Not(high)), self.add(Op::Not(low)))
            }
            Op::And(f, g) => {
                let ((f, may_f), (g, may_g)) = (self.of[f], self.of[g]);
                (self.add(Op::And(f, g)), self.add(Op::And(may_f, may_g)))
            }
            Op::Or(f, g) => {
                let ((f, may_f), (g, may_g)) = (self.of[f], self.of[g]);
                (self.add(Op::Or(f, g)), self.add(Op::Or(may_f, may_g)))
            }
            Op::Implies(f, g) => {
                let ((f, may_f), (g, may_g)) = (self.of[f], self.of[g]);
                // The premise counts against an implication: where it may be true, the conclusion must be
                // certain.
                let certain = self.add(Op::Implies(may_f, g));
                (certain, self.add(Op::Implies(f, may_g)))
            }
            Op::Iff(f, g) => {
                let (same, differ) = self.compared(f, g);
                (same, self.add(Op::Not(differ)))
            }
            Op::Xor(f, g) => {
                let (same, differ) = self.compared(f, g);
                (differ, self.add(Op::Not(same)))
            }
            Op::Path(Quantifier::Exists, path) => {
                // A path of the part is a path of the whole.
                let shown = Op::Path(Quantifier::Exists, path.map(|f| low(self, f)));
                let shown = self.add(shown);
                // The whole may have any other path, so only what the state itself rules out is impossible.
                let may = match path {
                    PathOp::Globally(f) | PathOp::Release(_, f) => high(self, f),
                    PathOp::Until(f, g) | PathOp::WeakUntil(f, g) => {
                        self.add(Op::Or(high(self, f), high(self, g)))
                    }
                    _ => self.add(Op::Const(true)),
                };
                (shown, may)
            }
            Op::Path(Quantifier::Forall, path) => {
                // A path of the part that breaks the claim breaks it in the whole.
                let unbroken = Op::Path(Quantifier::Forall, path.map(|f| high(self, f)));
                let unbroken = self.add(unbroken);
                // Of paths that are not in the part only the state itself can say anything.
                let here = match path {
                    PathOp::Finally(f) | PathOp::Until(_, f) | PathOp::WeakUntil(_, f) => {
                        low(self, f)
                    }
                    PathOp::Release(f, g) => self.add(Op::And(low(self, f), low(self, g))),
                    _ => self.add(Op::Const(false)),
                };
                (here, unbroken)
            }
        }
    }

    /// That two sub-formulas are certainly the same, and that they certainly differ.
    fn compared(&mut self, f: SubId, g: SubId) -> (SubId, SubId) {
        let ((f, may_f), (g, may_g)) = (self.of[f], self.of[g]);
        let (not_f, not_g) = (self.add(Op::Not(may_f)), self.add(Op::Not(may_g)));
        let pairs = [(f, g), (not_f, not_g), (f, not_g), (not_f, g)];
        let [both, neither, first, second] = pairs.map(|(f, g)| self.add(Op::And(f, g)));
        let same = self.add(Op::Or(both, neither));
        (same, self.add(Op::Or(first, second)))
    }

    fn add(&mut self, op: Op) -> SubId {
        self.formula.add(op, None)
    }
}
