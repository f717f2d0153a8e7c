//! Proofs that use fairness: what must happen on every path that is fair.
//!
//! A fair path takes steps from states with a fair condition again and again. So something must happen if there is a rank
//! that never rises on the way and falls with every step from such a state (Lehmann, Pnueli and Stavi 1981). More
//! generally, a path that never arrives stays in fewer and fewer of the steps on the way:
//!
//! - a rank that never rises falls finitely often: from some time on only the steps are taken with which it does not fall;
//! - a condition that stays once it holds divides them: from some time on it holds always, or it never does.
//!
//! Once no step is left that starts with some fair condition, no fair path is left.

use wherefore_base::{Budget, deep};
use wherefore_smt::{SmtCtl, SmtOp, SmtTermId, SortId, SymbolId, infix};

use crate::answer::{SmtAttempt, SmtCertificate, SmtObligation, SmtOptions, SmtProof};
use crate::approach::Approach;
use crate::asker::Script;
use crate::finding::SmtFinding;
use crate::houdini::candidates;
use crate::kripke::PlaceGraph;
use crate::ranking::Ranking;
use crate::solver::Satisfiability;
use crate::trouble::SolverTrouble;

/// The most sets of steps that are looked at.
const MOST_SETS: usize = 48;

/// The most conditions that may divide a set of steps.
const MOST_DIVISIONS: usize = 160;

/// The most ranks that are taken one after the other.
const MOST_TURNS: usize = 4;

/// Proves `AF q` and `A[p U q]`, also as promises under `AG`, of fair paths, if it can. Where there is no fairness every path
/// is fair, and a rank may be another one in each case.
pub(crate) fn fairly(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    SmtFinding::of_attempt(
        search(kripke, part, choices, budget),
        "ranking functions with fairness",
    )
}

fn search(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Result<SmtProof, Vec<SmtAttempt>>, SolverTrouble> {
    let mut way = match Approach::of(kripke, part, choices, budget)? {
        Ok(way) => way,
        Err(tried) => return Ok(Err(tried)),
    };
    let unfair = way.kripke.system.fairness.is_empty();
    if unfair {
        // Every path takes steps again and again.
        let any = way.kripke.terms().bool(true);
        way.kripke.system.fairness.push(any);
    }
    let steps = way.trans;
    let mut search = FairSearch::new(way);
    // Without fairness one rank is looked for by others.
    let by_one = !unfair && search.by_one_rank(steps, budget)?;
    let found = by_one || deep(|| search.none_fair(steps, MOST_TURNS, &mut Vec::new(), budget))?;
    if !found {
        return Ok(Err(SmtAttempt::none(match unfair {
            true => "ranking functions in cases",
            false => "ranking functions with fairness",
        })));
    }
    let mut certificates = std::mem::take(&mut search.way.certificates);
    let goal = search.way.shown.clone();
    let ranks = std::mem::take(&mut search.ranks);
    certificates.extend(ranks.into_iter().map(|ranks| match &search.used[..] {
        [fair] if by_one => SmtCertificate::FairRank {
            ranks,
            fair: fair.clone(),
            goal: goal.clone(),
        },
        _ => SmtCertificate::CaseRank(ranks),
    }));
    if !unfair && !search.used.is_empty() {
        certificates.push(SmtCertificate::Fairness(search.used));
    }
    if !search.divided.is_empty() {
        certificates.push(SmtCertificate::Cases(search.divided));
    }
    Ok(Ok(SmtProof {
        engine: match unfair {
            true => "rank in cases",
            false => "rank with fairness",
        }
        .to_string(),
        certificates,
        obligations: search.way.duties,
        checked_by: vec![choices.solvers[0].title()],
    }))
}

struct FairSearch {
    way: Approach,
    /// Conditions that may divide steps.
    conditions: Vec<SmtTermId>,
    /// How many sets of steps were looked at.
    sets: usize,
    used: Vec<String>,
    divided: Vec<String>,
    ranks: Vec<Vec<String>>,
}

impl FairSearch {
    fn new(mut way: Approach) -> Self {
        let (region, goal) = (way.region, way.goal);
        let mut speaks = vec![region, goal];
        speaks.extend(&way.kripke.system.fairness);
        let mut conditions = candidates(&mut way.kripke, &speaks);
        let terms = &way.kripke.system.terms;
        let control = |term: SmtTermId| {
            let number = |&symbol: &SymbolId| {
                let sort = terms.info(symbol).sort;
                sort == SortId::INT || sort == SortId::REAL
            };
            !terms.free(term).iter().any(number)
        };
        // The sort is stable, and truncation drops conditions on numbers before conditions on control.
        conditions.sort_by_key(|&condition| !control(condition));
        conditions.truncate(MOST_DIVISIONS);
        Self {
            way,
            conditions,
            sets: 0,
            used: Vec::new(),
            divided: Vec::new(),
            ranks: Vec::new(),
        }
    }

    /// The search for ranks that fall with steps from states with a condition and rise with none of the others.
    fn ranking(&mut self, steps: SmtTermId, fair: SmtTermId) -> Ranking {
        let terms = self.way.kripke.terms();
        let unfair = terms.not(fair);
        let falls = terms.and(&[fair, steps]);
        let calm = terms.and(&[unfair, steps]);
        let (region, goal) = (self.way.region, self.way.goal);
        Ranking::new(&mut self.way.kripke, region, goal, falls, Some(calm))
    }

    /// Shows that no fair path takes only these steps, by one tuple of ranks.
    fn by_one_rank(&mut self, steps: SmtTermId, budget: &Budget) -> Result<bool, SolverTrouble> {
        for fair in self.way.kripke.system.fairness.clone() {
            let mut ranking = self.ranking(steps, fair);
            let Some(ranks) = ranking.find(&mut self.way.asker, budget)? else {
                continue;
            };
            let mut falls = ranking.obligation(&ranks);
            falls.claim =
                "the rank falls with every step from a state with the fair condition".to_string();
            self.way.duties.push(falls);
            self.way.duties.extend(ranking.calm_obligation(&ranks));
            let shown = ranking.shown(&ranks);
            self.uses(fair);
            if !shown.is_empty() && !self.ranks.contains(&shown) {
                self.ranks.push(shown);
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Shows that no fair path takes only these steps from some time on.
    fn none_fair(
        &mut self,
        steps: SmtTermId,
        turns: usize,
        divided: &mut Vec<SmtTermId>,
        budget: &Budget,
    ) -> Result<bool, SolverTrouble> {
        budget.check()?;
        self.sets += 1;
        if self.sets > MOST_SETS {
            return Ok(false);
        }
        for fair in self.way.kripke.system.fairness.clone() {
            let both = self.way.kripke.terms().and(&[fair, steps]);
            if self.is_empty(both, budget)? == Some(true) {
                self.shows("no step that is left starts with the fair condition", both);
                self.uses(fair);
                return Ok(true);
            }
        }
        if let Some(condition) = self.division(steps, divided, budget)? {
            let after = self.way.kripke.system.primed(condition);
            let terms = self.way.kripke.terms();
            let (not, not_after) = (terms.not(condition), terms.not(after));
            let leaves = terms.and(&[steps, condition, not_after]);
            // A step with which the condition begins to hold is taken at most once, so neither part has it.
            let with = terms.and(&[steps, condition, after]);
            let without = terms.and(&[steps, not, not_after]);
            self.shows(
                "a condition that divides the steps stays once it holds",
                leaves,
            );
            let text = infix::text(&self.way.kripke.system.terms, condition);
            if !self.divided.contains(&text) {
                self.divided.push(text);
            }
            divided.push(condition);
            let both = deep(|| self.none_fair(with, turns, divided, budget))?
                && deep(|| self.none_fair(without, turns, divided, budget))?;
            divided.pop();
            return Ok(both);
        }
        if self.by_one_rank(steps, budget)? {
            return Ok(true);
        }
        if turns == 0 {
            return Ok(false);
        }
        for fair in self.way.kripke.system.fairness.clone() {
            if let Some(rest) = self.after_a_rank(steps, fair, budget)? {
                return deep(|| self.none_fair(rest, turns - 1, divided, budget));
            }
        }
        Ok(false)
    }

    /// The steps that are left when a rank has stopped to fall, which falls with some step from a state with the condition
    /// and never rises; none if no such rank is found.
    fn after_a_rank(
        &mut self,
        steps: SmtTermId,
        fair: SmtTermId,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        let mut ranking = self.ranking(steps, fair);
        let Some(rank) = ranking.partial(&mut self.way.asker, budget)? else {
            return Ok(None);
        };
        // The search made terms of its own.
        self.way.kripke.system.terms = ranking.into_terms();
        let after = self.way.kripke.system.primed(rank);
        let terms = self.way.kripke.terms();
        let sort = terms.sort(rank);
        let (zero, stays) = (terms.zero(sort), terms.less_equal(after, rank));
        let one = match sort {
            SortId::REAL => terms.real(wherefore_smt::Rational::from(num_bigint::BigInt::from(1))),
            _ => terms.int(1),
        };
        let more = terms.op(SmtOp::Add, &[after, one]);
        let (natural, less) = (terms.less_equal(zero, rank), terms.less_equal(more, rank));
        let falls = terms.and(&[natural, less]);
        let (rises, no_fall) = (terms.not(stays), terms.not(falls));
        let wrong = terms.and(&[steps, rises]);
        let rest = terms.and(&[steps, no_fall]);
        self.shows("a rank never rises with the steps that are left", wrong);
        let shown = vec![infix::text(&self.way.kripke.system.terms, rank)];
        if !self.ranks.contains(&shown) {
            self.ranks.push(shown);
        }
        Ok(Some(rest))
    }

    /// A condition that stays once it holds, where both steps with it and steps without it are left; rather one that may
    /// begin to hold than one that never changes.
    fn division(
        &mut self,
        steps: SmtTermId,
        divided: &[SmtTermId],
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        let mut constant = None;
        for condition in self.conditions.clone() {
            budget.check()?;
            if divided.contains(&condition) {
                continue;
            }
            let after = self.way.kripke.system.primed(condition);
            let terms = self.way.kripke.terms();
            let (not, not_after) = (terms.not(condition), terms.not(after));
            let leaves = terms.and(&[steps, condition, not_after]);
            let with = terms.and(&[steps, condition, after]);
            let without = terms.and(&[steps, not, not_after]);
            let begins = terms.and(&[steps, not, after]);
            if self.is_empty(leaves, budget)? == Some(true)
                && self.is_empty(with, budget)? == Some(false)
                && self.is_empty(without, budget)? == Some(false)
            {
                if self.is_empty(begins, budget)? == Some(false) {
                    return Ok(Some(condition));
                }
                constant = constant.or(Some(condition));
            }
        }
        Ok(constant)
    }

    /// Whether no step on the way satisfies a condition, if that is known.
    fn is_empty(
        &mut self,
        steps: SmtTermId,
        budget: &Budget,
    ) -> Result<Option<bool>, SolverTrouble> {
        let mut work = self.way.kripke.clone();
        let query = self.over_places(&mut work, steps);
        self.way.asker.push();
        self.way.asker.assert(work.terms(), query);
        let outcome = self.way.asker.check(budget);
        self.way.asker.pop();
        Ok(match outcome? {
            Satisfiability::Unsat => Some(true),
            Satisfiability::Sat => Some(false),
            Satisfiability::Unknown(_) => None,
        })
    }

    /// Keeps the obligation that no step on the way satisfies a condition.
    fn shows(&mut self, claim: &str, steps: SmtTermId) {
        let mut work = self.way.kripke.clone();
        let query = self.over_places(&mut work, steps);
        self.way.duties.push(SmtObligation {
            claim: claim.to_string(),
            query: Script::query(work.terms(), "ALL", &[query]),
        });
    }

    fn over_places(&self, work: &mut PlaceGraph, steps: SmtTermId) -> SmtTermId {
        let (from, to) = (work.place(), work.place());
        let edge = work.edge(from, to);
        let (inside, axioms) = (work.at(self.way.region, from), work.axioms);
        let step = work.along(steps, &edge);
        work.terms().and(&[axioms, inside, step])
    }

    fn uses(&mut self, fair: SmtTermId) {
        let text = infix::text(&self.way.kripke.system.terms, fair);
        if !self.used.contains(&text) {
            self.used.push(text);
        }
    }
}
