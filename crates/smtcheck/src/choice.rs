//! Ranks with a choice: what can be reached however far away it is.
//!
//! `EF q` holds if from every state there is *some* step after which a rank is smaller, as long as `q` does not hold: whoever
//! chooses these steps arrives. No number of steps has to be enough for all states. The steps to choose from are the kinds
//! of steps of the system; a guess is corrected by states in which none of them makes the rank fall.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::eval::{eval, holds};
use wherefore_smt::{
    Rational, SmtCtl, SmtOp, SmtTerm, SmtTermId, SmtTerms, SmtValuation, SmtValue, SortId,
    SymbolId, infix,
};

use crate::answer::{SmtCertificate, SmtObligation, SmtOptions, SmtProof};
use crate::asker::{Script, TermSession};
use crate::cases::{StepCase, cases};
use crate::finding::SmtFinding;
use crate::fit::{AtLeast, SIZES, combination, fit};
use crate::houdini::{candidates, houdini_invariant, shown, state_values};
use crate::kripke::PlaceGraph;
use crate::never::{EndlessPaths, shape};
use crate::ranking::features;
use crate::solver::Satisfiability;
use crate::toward::refuted;
use crate::trouble::SolverTrouble;

/// The most guesses.
const MOST_GUESSES: usize = 100;

/// The most numbers that say how much is missing to a comparison.
const MOST_SHORTFALLS: usize = 16;

/// The most numbers that count in one case only.
const MOST_SWITCHED: usize = 16;

/// Proves a disjunction of conditions and one `EF q` or `E[p U q]`, by itself or under `AG`, if there is a rank.
pub(crate) fn choosing(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let found = search(kripke, part, choices, budget);
    SmtFinding::of_search(found, "ranking functions with a choice")
}

fn search(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<SmtProof>, SolverTrouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() || !kripke.system.fairness.is_empty() {
        return Ok(None);
    }
    let (inner, always) = match part {
        SmtCtl::Globally(For::Forall, inner) => (&**inner, true),
        other => (other, false),
    };
    let Some((conditions, path)) = shape(&mut kripke, inner, EndlessPaths::Not) else {
        return Ok(None);
    };
    let terms = kripke.terms();
    let (stay, goal) = match &path {
        SmtCtl::Finally(For::Exists, goal) => (Some(terms.bool(true)), goal.state(terms)),
        SmtCtl::Until(For::Exists, stay, goal) => (stay.state(terms), goal.state(terms)),
        _ => (None, None),
    };
    let (Some(stay), Some(goal), Some(cases)) = (stay, goal, cases(&mut kripke)) else {
        return Ok(None);
    };
    let solver = &choices.solvers[0];
    let mut asker = TermSession::start(solver, &kripke.system.terms, choices.limits, budget)?;
    let guesses = candidates(&mut kripke, &[conditions, stay, goal]);
    let (init, trans) = (kripke.system.init, kripke.trans);
    let (invariant, mut duties) =
        houdini_invariant(&mut kripke, init, trans, guesses, &mut asker, budget)?;
    let other = kripke.terms().not(conditions);
    // Under `AG` the way may begin in any state that is reached, of which the invariant is what is known.
    let start = match always {
        true => kripke.terms().and(&[invariant, other]),
        false => kripke.terms().and(&[init, other]),
    };
    let features = numbers(&mut kripke, invariant, goal);
    let open = kripke.terms().not(goal);
    let mut search = ChoiceSearch {
        kripke,
        cases,
        invariant,
        stay,
        goal,
        open,
        features,
    };
    let begins = search.begins_badly(start);
    if !refuted(&mut search.kripke, &mut asker, begins, budget)? {
        return Ok(None);
    }
    let Some(rank) = search.rank(&mut asker, budget)? else {
        return Ok(None);
    };
    let stuck = search.stuck(rank);
    let terms = search.kripke.terms();
    for (claim, query) in [
        ("the way begins in states where it may begin", begins),
        (
            "from every state on the way some step makes the rank fall",
            stuck,
        ),
    ] {
        duties.push(SmtObligation {
            claim: claim.to_string(),
            query: Script::query(terms, "ALL", &[query]),
        });
    }
    let chosen = SmtCertificate::ChosenRank {
        rank: infix::text(terms, rank),
        goal: infix::text(terms, goal),
    };
    let mut certificates: Vec<SmtCertificate> =
        shown(&mut search.kripke, invariant).into_iter().collect();
    certificates.push(chosen);
    Ok(Some(SmtProof {
        engine: "rank with a choice".to_string(),
        certificates,
        obligations: duties,
        checked_by: vec![solver.title()],
    }))
}

/// The numbers that ranks are made of: as for other ranks, and how much is missing to each comparison of the model.
fn numbers(kripke: &mut PlaceGraph, invariant: SmtTermId, goal: SmtTermId) -> Vec<SmtTermId> {
    let compared = candidates(kripke, &[goal]);
    let mut all = Vec::new();
    let terms = kripke.terms();
    for term in compared {
        let SmtTerm::Op(SmtOp::Less | SmtOp::LessEqual | SmtOp::Equal, sides) =
            terms.get(term).clone()
        else {
            continue;
        };
        if !terms.sorts.is_number(terms.sort(sides[0])) {
            continue;
        }
        for (a, b) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let (zero, ahead) = (terms.zero(terms.sort(a)), terms.less(a, b));
            let missing = terms.op(SmtOp::Sub, &[b, a]);
            let shortfall = terms.ite(ahead, missing, zero);
            if all.len() < MOST_SHORTFALLS && !all.contains(&shortfall) {
                all.push(shortfall);
            }
        }
    }
    let mut found = features(kripke, invariant, goal);
    found.extend(all);
    found.extend(switched(kripke));
    found
}

/// Each number of the state where a part of it is true, and zero elsewhere: what counts up in one case may count down in
/// another.
fn switched(kripke: &mut PlaceGraph) -> Vec<SmtTermId> {
    let current = kripke.system.current();
    let terms = kripke.terms();
    let of = |terms: &SmtTerms, wanted: &[SortId]| -> Vec<SymbolId> {
        let is = |symbol: &&SymbolId| {
            let info = terms.info(**symbol);
            info.args.is_empty() && wanted.contains(&info.sort)
        };
        current.iter().filter(is).copied().collect()
    };
    let (switches, numbers) = (
        of(terms, &[SortId::BOOL]),
        of(terms, &[SortId::INT, SortId::REAL]),
    );
    let mut all = Vec::new();
    for &number in &numbers {
        for &switch in &switches {
            let (on, number) = (terms.var(switch), terms.var(number));
            let zero = terms.zero(terms.sort(number));
            all.push(terms.ite(on, number, zero));
        }
    }
    all.truncate(MOST_SWITCHED);
    all
}

struct ChoiceSearch {
    kripke: PlaceGraph,
    cases: Vec<StepCase>,
    invariant: SmtTermId,
    stay: SmtTermId,
    goal: SmtTermId,
    open: SmtTermId,
    features: Vec<SmtTermId>,
}

impl ChoiceSearch {
    /// That a state where the way begins is not as it must be on the way.
    fn begins_badly(&mut self, start: SmtTermId) -> SmtTermId {
        let axioms = self.kripke.axioms;
        let terms = self.kripke.terms();
        let broken = terms.not(self.stay);
        terms.and(&[axioms, start, self.open, broken])
    }

    /// That a state on the way has no step that reaches the goal or makes the rank fall.
    fn stuck(&mut self, rank: SmtTermId) -> SmtTermId {
        let axioms = self.kripke.axioms;
        let terms = self.kripke.terms();
        let sort = terms.sort(rank);
        let (zero, one) = (terms.zero(sort), one(terms, sort));
        let natural = terms.less_equal(zero, rank);
        let mut parts = vec![axioms, self.invariant, self.open, self.stay];
        for case in &self.cases {
            let (goal, stay) = (case.after(terms, self.goal), case.after(terms, self.stay));
            let after = case.after(terms, rank);
            let more = terms.op(SmtOp::Add, &[after, one]);
            let falls = terms.less_equal(more, rank);
            let nearer = terms.and(&[stay, natural, falls]);
            let useful = terms.or(&[goal, nearer]);
            let taken = terms.and(&[case.guard, useful]);
            parts.push(terms.not(taken));
        }
        terms.and(&parts)
    }

    fn rank(
        &mut self,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        // The first guess is constant: it is right if every state on the way is one step from the goal.
        let mut rank = self.kripke.terms().int(0);
        if self
            .features
            .iter()
            .any(|&f| self.kripke.system.terms.sort(f) == SortId::REAL)
        {
            rank = self.kripke.terms().zero(SortId::REAL);
        }
        let mut samples: Vec<Vec<Vec<AtLeast>>> = Vec::new();
        let mut size = 0;
        for _ in 0..MOST_GUESSES {
            budget.check()?;
            let stuck = self.stuck(rank);
            let mut work = self.kripke.clone();
            let at = work.place();
            let query = work.at(stuck, at);
            asker.push();
            asker.assert(work.terms(), query);
            match asker.check(budget)? {
                Satisfiability::Unsat => {
                    asker.pop();
                    return Ok(Some(rank));
                }
                Satisfiability::Unknown(_) => return Ok(None),
                Satisfiability::Sat => {}
            }
            let there = state_values(&mut work, asker, at, budget)?;
            asker.pop();
            let here = work.as_present(at, &there);
            match self.options(&here) {
                Some(options) if !options.is_empty() => samples.push(options),
                _ => return Ok(None),
            }
            let count = self.features.len();
            let mut fitting = None;
            while fitting.is_none() && size < SIZES.len() {
                let terms = &self.kripke.system.terms;
                fitting = fit(terms, count, &samples, SIZES[size], asker, budget)?;
                if fitting.is_none() {
                    size += 1;
                }
            }
            let Some(coefficients) = fitting else {
                return Ok(None);
            };
            rank = combination(self.kripke.terms(), &self.features, &coefficients);
        }
        Ok(None)
    }

    /// What the coefficients must achieve in a state, for each step that may be chosen there; none if that cannot be said.
    fn options(&mut self, here: &SmtValuation) -> Option<Vec<Vec<AtLeast>>> {
        let before = self.evaluated(None, here)?;
        let mut options = Vec::new();
        for case in self.cases.clone() {
            let terms = self.kripke.terms();
            let stay = case.after(terms, self.stay);
            let can = terms.and(&[case.guard, stay]);
            // No case reaches the goal from here, or the state were not stuck: each has to make the rank
            // fall.
            if holds(terms, can, here) == Ok(true) {
                let after = self.evaluated(Some(&case), here)?;
                options.push(vec![
                    AtLeast::natural(&before),
                    AtLeast::fall(&before, &after, 1),
                ]);
            }
        }
        Some(options)
    }

    /// The features of a state, or of the one after a step.
    fn evaluated(&mut self, case: Option<&StepCase>, here: &SmtValuation) -> Option<Vec<Rational>> {
        let mut numbers = Vec::new();
        for &feature in &self.features {
            let terms = &mut self.kripke.system.terms;
            let term = match case {
                Some(case) => case.after(terms, feature),
                None => feature,
            };
            numbers.push(match eval(terms, term, here) {
                Ok(SmtValue::Int(number)) => Rational::from(number),
                Ok(SmtValue::Real(number)) => number,
                _ => return None,
            });
        }
        Some(numbers)
    }
}

fn one(terms: &mut wherefore_smt::SmtTerms, sort: SortId) -> SmtTermId {
    match sort {
        SortId::REAL => terms.real(Rational::from(num_bigint::BigInt::from(1))),
        _ => terms.int(1),
    }
}
