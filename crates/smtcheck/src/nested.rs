//! Formulas inside formulas: an inner one that is a condition on the state after all is replaced by that condition.
//!
//! A temporal formula over conditions is a least or a greatest fixpoint. It is computed backwards, from what it says at once:
//! the next state is eliminated at each turn (see [`crate::enabled`]), and if a turn adds nothing to the states of an
//! invariant, the formula is equal to the condition that was reached, in all states that matter. What is left has no formula
//! inside another, and the other engines know what to do with it.

use rustc_hash::FxHashSet;
use wherefore_base::{Budget, deep};
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Deadlock, SmtCtl, SmtTermId, SmtTerms, SymbolId};

use crate::always::Promise;
use crate::answer::{SmtObligation, SmtOptions, SmtProof};
use crate::asker::{Script, TermSession};
use crate::enabled::some;
use crate::houdini::{candidates, houdini_invariant, shown};
use crate::kripke::PlaceGraph;
use crate::toward::refuted;
use crate::trouble::SolverTrouble;

/// The most turns of a fixpoint.
const MOST_TURNS: usize = 10;

/// The most terms that a condition may be made of.
const MOST_TERMS: usize = 1500;

/// A formula without formulas inside others, equal to another one in every state that can be reached; and why.
pub(crate) struct Flat {
    pub(crate) formula: SmtCtl,
    /// The terms that the formula is made of.
    pub(crate) terms: SmtTerms,
    pub(crate) why: SmtProof,
}

/// The flat form of a formula that has formulas inside others, if it is found.
pub(crate) fn flattened(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<Flat>, SolverTrouble> {
    let mut kripke = kripke.clone();
    let plain = !kripke.system.has_functions() && kripke.system.fairness.is_empty();
    if !plain || !is_nested(part, kripke.terms()) {
        return Ok(None);
    }
    // Promises have engines of their own, which say more: a number of steps, a rank, a run.
    if Promise::of(&mut kripke, part).is_some() {
        return Ok(None);
    }
    let solver = &choices.solvers[0];
    let mut asker = TermSession::start(solver, &kripke.system.terms, choices.limits, budget)?;
    let guesses = candidates(&mut kripke, &[]);
    let (init, trans) = (kripke.system.init, kripke.trans);
    let (invariant, mut duties) =
        houdini_invariant(&mut kripke, init, trans, guesses, &mut asker, budget)?;
    let mut work = NestedWorker {
        kripke,
        invariant,
        asker,
        duties: Vec::new(),
    };
    let Some(formula) = work.flat(part, budget)? else {
        return Ok(None);
    };
    duties.append(&mut work.duties);
    let certificates = shown(&mut work.kripke, invariant);
    Ok(Some(Flat {
        formula,
        terms: work.kripke.system.terms,
        why: SmtProof {
            engine: "fixpoints of inner formulas".to_string(),
            certificates: certificates.into_iter().collect(),
            obligations: duties,
            checked_by: vec![solver.title()],
        },
    }))
}

/// Whether a temporal operator is inside another, or several are alternatives.
fn is_nested(part: &SmtCtl, terms: &mut SmtTerms) -> bool {
    match part {
        SmtCtl::Atom(_) => false,
        SmtCtl::Not(inner) => is_nested(inner, terms),
        SmtCtl::And(parts) | SmtCtl::Or(parts) => {
            let temporal = parts.iter().filter(|f| f.state(terms).is_none()).count();
            temporal > 1 || parts.iter().any(|f| deep(|| is_nested(f, terms)))
        }
        SmtCtl::Next(_, f) | SmtCtl::Finally(_, f) | SmtCtl::Globally(_, f) => {
            f.state(terms).is_none()
        }
        SmtCtl::Until(_, f, g) | SmtCtl::WeakUntil(_, f, g) => {
            f.state(terms).is_none() || g.state(terms).is_none()
        }
    }
}

struct NestedWorker {
    kripke: PlaceGraph,
    invariant: SmtTermId,
    asker: TermSession,
    duties: Vec<SmtObligation>,
}

impl NestedWorker {
    /// The formula with conditions in place of the formulas inside it.
    fn flat(&mut self, part: &SmtCtl, budget: &Budget) -> Result<Option<SmtCtl>, SolverTrouble> {
        let mut atom = |f: &SmtCtl| -> Result<Option<Box<SmtCtl>>, SolverTrouble> {
            let condition = self.condition(f, budget)?;
            Ok(condition.map(|condition| Box::new(SmtCtl::Atom(condition))))
        };
        Ok(match part {
            SmtCtl::Next(path, f) => atom(f)?.map(|f| SmtCtl::Next(*path, f)),
            SmtCtl::Finally(path, f) => atom(f)?.map(|f| SmtCtl::Finally(*path, f)),
            SmtCtl::Globally(path, f) => atom(f)?.map(|f| SmtCtl::Globally(*path, f)),
            SmtCtl::Until(path, f, g) => match (atom(f)?, atom(g)?) {
                (Some(f), Some(g)) => Some(SmtCtl::Until(*path, f, g)),
                _ => None,
            },
            SmtCtl::WeakUntil(path, f, g) => match (atom(f)?, atom(g)?) {
                (Some(f), Some(g)) => Some(SmtCtl::WeakUntil(*path, f, g)),
                _ => None,
            },
            other => atom(other)?.map(|f| *f),
        })
    }

    /// The condition that a formula is, if it is found.
    fn condition(
        &mut self,
        formula: &SmtCtl,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        if let Some(condition) = formula.state(self.kripke.terms()) {
            return Ok(Some(condition));
        }
        let yes = self.kripke.terms().bool(true);
        let no = self.kripke.terms().bool(false);
        let (path, stay, goal, least) = match formula {
            SmtCtl::And(parts) | SmtCtl::Or(parts) => {
                let mut conditions = Vec::new();
                for part in parts {
                    match deep(|| self.condition(part, budget))? {
                        Some(condition) => conditions.push(condition),
                        None => return Ok(None),
                    }
                }
                let terms = self.kripke.terms();
                return Ok(Some(match formula {
                    SmtCtl::And(_) => terms.and(&conditions),
                    _ => terms.or(&conditions),
                }));
            }
            SmtCtl::Next(path, f) => {
                let Some(inner) = deep(|| self.condition(f, budget))? else {
                    return Ok(None);
                };
                return Ok(self.before(*path, inner));
            }
            SmtCtl::Finally(path, f) => {
                (*path, Some(yes), deep(|| self.condition(f, budget))?, true)
            }
            SmtCtl::Globally(path, f) => {
                (*path, deep(|| self.condition(f, budget))?, Some(no), false)
            }
            SmtCtl::Until(path, f, g) | SmtCtl::WeakUntil(path, f, g) => {
                let stay = deep(|| self.condition(f, budget))?;
                let goal = deep(|| self.condition(g, budget))?;
                (*path, stay, goal, matches!(formula, SmtCtl::Until(..)))
            }
            SmtCtl::Atom(_) | SmtCtl::Not(_) => return Ok(None),
        };
        let (Some(stay), Some(goal)) = (stay, goal) else {
            return Ok(None);
        };
        self.fixpoint(path, stay, goal, least, budget)
    }

    /// The least or greatest set with the states of the goal, and those of `stay` that go on in the set.
    fn fixpoint(
        &mut self,
        path: For,
        stay: SmtTermId,
        goal: SmtTermId,
        least: bool,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        let mut set = self.kripke.terms().bool(!least);
        for _ in 0..MOST_TURNS {
            budget.check()?;
            let Some(mut on) = self.before(path, set) else {
                return Ok(None);
            };
            if self.kripke.deadlock == Deadlock::Fail {
                let Some(live) = self.kripke.live else {
                    return Ok(None);
                };
                let terms = self.kripke.terms();
                let dead = terms.not(live);
                // At a dead end what had to stay has stayed, and what had to come never does.
                match (path, least) {
                    (For::Exists, false) => on = terms.or(&[dead, on]),
                    (For::Forall, true) => on = terms.and(&[live, on]),
                    _ => {}
                }
            }
            let terms = self.kripke.terms();
            let more = terms.and(&[stay, on]);
            let then = terms.or(&[goal, more]);
            if size(terms, then) > MOST_TERMS || terms.has_quantifier(then) {
                return Ok(None);
            }
            // The sets of a least fixpoint grow and those of a greatest one shrink: one inclusion shows
            // equality.
            let (smaller, larger) = if least { (set, then) } else { (then, set) };
            let outside = terms.not(smaller);
            let axioms = self.kripke.axioms;
            let terms = self.kripke.terms();
            let differs = terms.and(&[axioms, self.invariant, larger, outside]);
            if refuted(&mut self.kripke, &mut self.asker, differs, budget)? {
                self.duties.push(SmtObligation {
                    claim: "one more step changes nothing of the condition of an inner formula"
                        .to_string(),
                    query: Script::query(self.kripke.terms(), "ALL", &[differs]),
                });
                return Ok(Some(set));
            }
            set = then;
        }
        Ok(None)
    }

    /// That some next state, or every one, satisfies a condition; none where the next state cannot be eliminated.
    fn before(&mut self, path: For, condition: SmtTermId) -> Option<SmtTermId> {
        let wanted: Vec<SymbolId> = {
            let next = self.kripke.system.next();
            next.into_iter().chain(self.kripke.inputs.clone()).collect()
        };
        let trans = self.kripke.trans;
        let next = match path {
            For::Exists => self.kripke.system.primed(condition),
            For::Forall => {
                let denied = self.kripke.terms().not(condition);
                self.kripke.system.primed(denied)
            }
        };
        let terms = self.kripke.terms();
        let both = terms.and(&[trans, next]);
        let found = some(terms, both, &wanted)?;
        Some(match path {
            For::Exists => found,
            For::Forall => terms.not(found),
        })
    }
}

/// How many different terms a term is made of.
fn size(terms: &SmtTerms, term: SmtTermId) -> usize {
    let mut seen = FxHashSet::default();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            open.extend(terms.get(term).operands());
        }
    }
    seen.len()
}
