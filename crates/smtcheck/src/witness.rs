//! Witnesses: runs that show a property that holds because some path exists.
//!
//! Where the property speaks of paths that exist only, the runs are all of it: they are found by unrolling. In `EX (p &
//! AF r)` they are not: what is said of all paths from a state is proved of that state alone, as [`crate::contrary`] does. A
//! solver proposes the runs; a state for which there is no proof is ruled out, and the solver is asked again.

use std::time::Duration;

use wherefore_base::Budget;
use wherefore_smt::{SmtCtl, SmtProperty, SmtTermId, TermSystem, TraceMeaning, infix};

use crate::answer::{RefutationRun, SmtClaim, SmtOptions, SmtProof, SmtWitness};
use crate::asker::TermSession;
use crate::auto::Pace;
use crate::contrary::{equation, proved, started_at};
use crate::decide::rechecked;
use crate::kripke::{PlaceGraph, StateCopy};
use crate::plan::{BoundedReading, WitnessPlan};
use crate::solver::{Satisfiability, SolverKind};
use crate::traces::{self, ClaimAt, ClaimingRuns};
use crate::trouble::SolverTrouble;
use crate::unroll::{From, SmtUnrolling, chooses_paths, fair_paths, speaks_of_all_paths};

/// The most steps of a witness.
const WITNESS_STEPS: usize = 64;

/// How long the search for a witness may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long the proof of one claim may take.
const CLAIM_PATIENCE: Duration = Duration::from_secs(1);

/// The lengths of paths that are tried where something has to be proved of their states.
const LENGTHS: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24];

/// How many steps are looked ahead when states are proposed of which something has to be proved.
const LOOKS: [usize; 3] = [0, 1, 4];

/// The most proofs that are tried.
const MOST_PROOFS: usize = 12;

/// Runs that show a property that is known to hold and says of some path that it exists, with proofs of what it says of all
/// paths from states of them; none if no few steps show it.
pub fn witness(
    system: &TermSystem,
    property: &SmtProperty,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtWitness {
    let mut kripke = PlaceGraph::new(system, choices.deadlock);
    let (Some(formula), Some(solver)) = (property.ctl(kripke.terms()), choices.solvers.first())
    else {
        return SmtWitness::default();
    };
    let claimed = formula.negation_normal(kripke.terms());
    if !chooses_paths(&claimed) {
        return SmtWitness::default();
    }
    let budget = budget.within(PATIENCE);
    if speaks_of_all_paths(&claimed) {
        // Somebody who is stopped has found nothing: the verdict stands without a witness.
        let found = mixed(&kripke, &claimed, choices, &budget);
        return found.ok().flatten().unwrap_or_default();
    }
    // What shows the property is what refutes its denial.
    let denied = formula.negated(kripke.terms());
    let unrolling = SmtUnrolling {
        kripke: &kripke,
        formula: &denied,
        from: From::Init,
        bound: choices.bound.min(WITNESS_STEPS),
        solver,
        limits: choices.limits,
    };
    SmtWitness {
        runs: unrolling.runs_only(&budget),
        claims: Vec::new(),
    }
}

/// A witness of a formula that says something of all paths, too.
fn mixed(
    kripke: &PlaceGraph,
    claimed: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<SmtWitness>, SolverTrouble> {
    // The formula alone may be universal at its root: then no run is chosen.
    if is_universal(claimed) || kripke.system.has_functions() {
        return Ok(None);
    }
    let mut kripke = kripke.clone();
    let claimed = fair_paths(&mut kripke, claimed);
    let mut search = ClaimSearch {
        kripke,
        choices,
        shown: Vec::new(),
        excluded: Vec::new(),
    };
    for steps in LENGTHS {
        for look in LOOKS {
            while let Some(ClaimingRuns { runs, claims }) =
                search.propose(&claimed, steps, look, budget)?
            {
                match search.prove(&runs, claims, budget)? {
                    Proving::Shown(claims) => return Ok(Some(SmtWitness { runs, claims })),
                    // The next proposal is another one.
                    Proving::Excluded => {}
                    Proving::GivenUp => return Ok(None),
                }
            }
        }
    }
    Ok(None)
}

/// Whether all that a formula says is about all paths from a state.
fn is_universal(formula: &SmtCtl) -> bool {
    match formula {
        SmtCtl::And(parts) | SmtCtl::Or(parts) => parts
            .iter()
            .all(|f| wherefore_base::deep(|| is_universal(f))),
        SmtCtl::Atom(_) => true,
        SmtCtl::Not(_) => false,
        SmtCtl::Next(path, _)
        | SmtCtl::Finally(path, _)
        | SmtCtl::Globally(path, _)
        | SmtCtl::Until(path, ..)
        | SmtCtl::WeakUntil(path, ..) => *path == wherefore_logic::Quantifier::Forall,
    }
}

/// A state of which something is to be proved: what the parameters and the variables are.
type ClaimState = (Vec<TraceMeaning>, Vec<TraceMeaning>);

/// What comes of proving claims.
enum Proving {
    /// All of them are proved.
    Shown(Vec<SmtClaim>),
    /// One of them is not, and it is excluded from now on.
    Excluded,
    /// No more proofs are tried.
    GivenUp,
}

struct ClaimSearch<'a> {
    kripke: PlaceGraph,
    choices: &'a SmtOptions,
    /// What is proved.
    shown: Vec<(SmtCtl, ClaimState, SmtProof)>,
    /// What no proof was found for.
    excluded: Vec<(SmtCtl, ClaimState)>,
}

impl ClaimSearch<'_> {
    /// Runs that show a formula if something is true of their states.
    fn propose(
        &self,
        claimed: &SmtCtl,
        steps: usize,
        look: usize,
        budget: &Budget,
    ) -> Result<Option<ClaimingRuns>, SolverTrouble> {
        budget.check()?;
        let mut work = self.kripke.clone();
        let start = work.place();
        let reading = BoundedReading::Claiming(look);
        let Some(plan) = WitnessPlan::new(&mut work, claimed, start, steps, reading) else {
            return Ok(None);
        };
        let (axioms, init) = (work.axioms, work.system.init);
        let mut parts = vec![axioms, work.at(init, start), plan.term(&mut work)];
        let mut claims = Vec::new();
        plan.claims(&mut claims);
        for (formula, place, flag) in claims {
            for (_, state) in self.excluded.iter().filter(|(of, _)| of == formula) {
                if let Some(there) = is_state(&mut work, place, state) {
                    let terms = work.terms();
                    let flag = terms.var(flag);
                    let both = terms.and(&[flag, there]);
                    parts.push(terms.not(both));
                }
            }
        }
        let all = work.terms().and(&parts);
        let solver = &self.choices.solvers[0];
        let limits = self.choices.limits;
        let mut asker = TermSession::start(solver, &work.system.terms, limits, budget)?;
        asker.assert(work.terms(), all);
        let outcome = match solver.kind {
            SolverKind::Z3 if work.system.terms.has_quantifier(all) => {
                asker.check_by("(check-sat-using (or-else qsat smt))", budget)?
            }
            _ => asker.check(budget)?,
        };
        if outcome != Satisfiability::Sat {
            return Ok(None);
        }
        let found = traces::runs_and_claims(&mut work, &mut asker, &plan, start, true, budget)?;
        Ok(found.ok())
    }

    /// Proves claims about states of runs.
    fn prove(
        &mut self,
        runs: &[RefutationRun],
        claims: Vec<ClaimAt>,
        budget: &Budget,
    ) -> Result<Proving, SolverTrouble> {
        let mut all: Vec<SmtClaim> = Vec::new();
        for ClaimAt {
            run,
            state,
            formula,
        } in claims
        {
            let trace = &runs[run].trace;
            let parameters = trace.parameters.iter();
            let parameters = parameters.map(|(_, meaning)| meaning.clone()).collect();
            let here = (parameters, trace.states[state].clone());
            let known = self
                .shown
                .iter()
                .find(|(of, at, _)| *of == formula && *at == here);
            let proof = match known {
                Some((_, _, proof)) => proof.clone(),
                None => {
                    budget.check()?;
                    let tried = self.shown.len() + self.excluded.len();
                    let alone = started_at(&self.kripke, trace, state);
                    let alone = alone.filter(|_| tried < MOST_PROOFS);
                    let Some(alone) = alone else {
                        return Ok(Proving::GivenUp);
                    };
                    let patience = budget.within(CLAIM_PATIENCE);
                    match proved(&alone, &formula, self.choices, &patience) {
                        Some(proof) => {
                            let pace = Pace::measured(Duration::ZERO);
                            let proof = rechecked(proof, self.choices, pace, budget);
                            self.shown.push((formula.clone(), here, proof.clone()));
                            proof
                        }
                        None => {
                            self.excluded.push((formula, here));
                            return Ok(Proving::Excluded);
                        }
                    }
                }
            };
            let formula = infix::formula(&self.kripke.system.terms, &formula);
            let told = |claim: &SmtClaim| {
                (claim.run, claim.state) == (run, state) && claim.formula == formula
            };
            if !all.iter().any(told) {
                all.push(SmtClaim {
                    run,
                    state,
                    formula,
                    proof,
                });
            }
        }
        Ok(Proving::Shown(all))
    }
}

/// That a place is a state with these values; none if one of them has no name.
fn is_state(kripke: &mut PlaceGraph, place: StateCopy, state: &ClaimState) -> Option<SmtTermId> {
    let (parameters, values) = state;
    let mut parts = Vec::new();
    let symbols = kripke.system.parameters.clone();
    for (symbol, meaning) in symbols.into_iter().zip(parameters) {
        parts.push(equation(kripke, symbol, meaning)?);
    }
    let symbols = kripke.symbols(place).to_vec();
    for (symbol, meaning) in symbols.into_iter().zip(values) {
        parts.push(equation(kripke, symbol, meaning)?);
    }
    Some(kripke.terms().and(&parts))
}
