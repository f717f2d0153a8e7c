//! Formulas of LTL that say the same as a formula of CTL.
//!
//! `A G f` is `AG A f`, `A X f` is `AX A f`, a conjunction is true of all paths where its parts are, and a disjunction
//! where all parts but one speak of the present state. What must happen and what must hold until then speak of states
//! only. This is a part of the common fragment that Maidl (2000) describes.

use wherefore_base::deep;

use crate::{Formula, LinearOp, Op, PathOp, Quantifier, SubId};

/// The formula of CTL that holds where the formula of LTL is true of every path; `None` if none is known.
pub fn as_ctl(formula: &Formula) -> Option<Formula> {
    let mut making = BranchingMaker::new(formula);
    making.every(formula.root(), true)?;
    Some(making.made)
}

/// What is true from some time on, if that is what a formula of LTL says: `p` of `F G p`, for a condition on states.
pub fn stable(formula: &Formula) -> Option<Formula> {
    let mut making = BranchingMaker::new(formula);
    let (mut at, mut holds) = (formula.root(), true);
    let mut wanted = [true, false].into_iter().peekable();
    while let Some(&finally) = wanted.peek() {
        // Under a negation `F` stands for `G`, and the other way round.
        match (formula.op(at), holds) {
            (Op::Not(f), _) => (at, holds) = (f, !holds),
            (Op::Linear(LinearOp::Finally(f)), positive) if positive == finally => {
                at = f;
                wanted.next();
            }
            (Op::Linear(LinearOp::Globally(f)), positive) if positive != finally => {
                at = f;
                wanted.next();
            }
            _ => return None,
        }
    }
    making.state(at, holds)?;
    Some(making.made)
}

struct BranchingMaker<'f> {
    formula: &'f Formula,
    states: wherefore_base::IndexVec<SubId, bool>,
    made: Formula,
}

impl<'f> BranchingMaker<'f> {
    fn new(formula: &'f Formula) -> Self {
        Self {
            formula,
            states: formula.propositional(),
            made: Formula::new(),
        }
    }

    fn add(&mut self, op: Op, like: SubId) -> SubId {
        self.made.add(op, self.formula.node(like).span)
    }

    /// That a sub-formula is true of every path, or false of every path.
    fn every(&mut self, sub: SubId, holds: bool) -> Option<SubId> {
        if self.states[sub] {
            return self.state(sub, holds);
        }
        deep(|| match self.formula.op(sub) {
            Op::Not(f) => self.every(f, !holds),
            Op::And(f, g) if holds => self.both((f, true), (g, true), sub),
            Op::And(f, g) => self.either((f, false), (g, false), sub),
            Op::Or(f, g) if holds => self.either((f, true), (g, true), sub),
            Op::Or(f, g) => self.both((f, false), (g, false), sub),
            Op::Implies(f, g) if holds => self.either((f, false), (g, true), sub),
            Op::Implies(f, g) => self.both((f, true), (g, false), sub),
            Op::Linear(op) => self.path(op, holds, sub),
            Op::Const(_) | Op::Atom(_) | Op::Iff(..) | Op::Xor(..) | Op::Path(..) => None,
        })
    }

    fn both(&mut self, f: (SubId, bool), g: (SubId, bool), like: SubId) -> Option<SubId> {
        let (f, g) = (self.every(f.0, f.1)?, self.every(g.0, g.1)?);
        Some(self.add(Op::And(f, g), like))
    }

    fn either(&mut self, f: (SubId, bool), g: (SubId, bool), like: SubId) -> Option<SubId> {
        // `A f | A g` is stronger than `A (f | g)`, unless one side speaks of the present state.
        if !self.states[f.0] && !self.states[g.0] {
            return None;
        }
        let (f, g) = (self.every(f.0, f.1)?, self.every(g.0, g.1)?);
        Some(self.add(Op::Or(f, g), like))
    }

    fn path(&mut self, op: LinearOp, holds: bool, like: SubId) -> Option<SubId> {
        use LinearOp as L;
        let path = match (op, holds) {
            (L::Next(f), _) => PathOp::Next(self.every(f, holds)?),
            (L::Globally(f), true) | (L::Finally(f), false) => {
                PathOp::Globally(self.every(f, holds)?)
            }
            // `F G p` is not `AF AG p`: what must come has to be a condition on the state.
            (L::Finally(f), true) | (L::Globally(f), false) => {
                PathOp::Finally(self.state(f, holds)?)
            }
            (L::Until(f, g), true) => PathOp::Until(self.state(f, true)?, self.state(g, true)?),
            (L::WeakUntil(f, g), true) => {
                PathOp::WeakUntil(self.state(f, true)?, self.state(g, true)?)
            }
            (L::Release(f, g), true) => PathOp::Release(self.state(f, true)?, self.state(g, true)?),
            (L::Until(f, g), false) => {
                PathOp::Release(self.state(f, false)?, self.state(g, false)?)
            }
            (L::Release(f, g), false) => {
                PathOp::Until(self.state(f, false)?, self.state(g, false)?)
            }
            _ => return None,
        };
        Some(self.add(Op::Path(Quantifier::Forall, path), like))
    }

    /// A copy of a condition on states, or of its denial.
    fn state(&mut self, sub: SubId, holds: bool) -> Option<SubId> {
        if !self.states[sub] {
            return None;
        }
        let copy = self.copy(sub);
        Some(match holds {
            true => copy,
            false => self.add(Op::Not(copy), sub),
        })
    }

    fn copy(&mut self, sub: SubId) -> SubId {
        let op = self.formula.op(sub);
        let mut inner = |f| deep(|| self.copy(f));
        let op = match op {
            Op::Not(f) => Op::Not(inner(f)),
            Op::And(f, g) => Op::And(inner(f), inner(g)),
            Op::Or(f, g) => Op::Or(inner(f), inner(g)),
            Op::Implies(f, g) => Op::Implies(inner(f), inner(g)),
            Op::Iff(f, g) => Op::Iff(inner(f), inner(g)),
            Op::Xor(f, g) => Op::Xor(inner(f), inner(g)),
            op @ (Op::Const(_) | Op::Atom(_) | Op::Path(..) | Op::Linear(_)) => op,
        };
        self.add(op, sub)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtomId;

    /// A formula in prefix form, one letter for an operator: `!` `&` `|` `>` `X` `F` `G` `U` and atoms `p` `q`.
    fn read(text: &str) -> Formula {
        fn sub(formula: &mut Formula, letters: &mut std::str::Chars<'_>) -> SubId {
            let letter = letters.next().expect("the text has a whole formula");
            let mut next = |formula: &mut Formula| sub(formula, letters);
            let op = match letter {
                'p' => Op::Atom(AtomId::new(0)),
                'q' => Op::Atom(AtomId::new(1)),
                '!' => Op::Not(next(formula)),
                'X' => Op::Linear(LinearOp::Next(next(formula))),
                'F' => Op::Linear(LinearOp::Finally(next(formula))),
                'G' => Op::Linear(LinearOp::Globally(next(formula))),
                _ => {
                    let (f, g) = (next(formula), next(formula));
                    match letter {
                        '&' => Op::And(f, g),
                        '|' => Op::Or(f, g),
                        '>' => Op::Implies(f, g),
                        _ => Op::Linear(LinearOp::Until(f, g)),
                    }
                }
            };
            formula.add(op, None)
        }
        let mut formula = Formula::new();
        sub(&mut formula, &mut text.chars());
        formula
    }

    fn shown(formula: Option<Formula>) -> String {
        let shown = |formula: Formula| {
            let atom = |atom: AtomId| ["p", "q"][atom.index()].to_string();
            formula.show(formula.root(), &atom).to_string()
        };
        formula.map_or("none".to_string(), shown)
    }

    #[test]
    fn the_common_fragment_is_found_and_nothing_else() {
        for (linear, branching) in [
            ("GFp", "AG AF p"),
            ("G>pFq", "AG (!p | AF q)"),
            ("!F&p!q", "AG !(p & !q)"),
            ("!Upq", "A[!p R !q]"),
            ("&XpUpq", "AX p & A[p U q]"),
            ("FGp", "none"),
            ("FXp", "none"),
            ("|GpGq", "none"),
            (">GFpGFq", "none"),
        ] {
            assert_eq!(shown(as_ctl(&read(linear))), branching, "{linear}");
        }
    }

    #[test]
    fn what_holds_from_some_time_on_is_recognised_under_negations() {
        assert_eq!(shown(stable(&read("FGp"))), "p");
        assert_eq!(shown(stable(&read("!GFp"))), "!p");
        assert_eq!(shown(stable(&read("GFp"))), "none");
        assert_eq!(shown(stable(&read("FGXp"))), "none");
        assert_eq!(shown(stable(&read("Fp"))), "none");
    }
}
