//! Guessing ranks: numbers of a state that fall with every step and stay above a bound.
//!
//! A rank is guessed as a linear combination of the numbers of the state and of indicators (1 where a condition holds),
//! with coefficients that fit the steps seen so far, and every step for which the guess is wrong becomes one more to fit
//! (Podelski and Rybalchenko 2004 for the linear case; counterexample-guided as in Solar-Lezama et al. 2006). Where one
//! rank is not enough, several are taken, the most significant first: each may only rise where an earlier one falls.

use num_bigint::BigInt;
use wherefore_base::Budget;
use wherefore_smt::eval::eval;
use wherefore_smt::{Rational, SmtOp, SmtTerm, SmtTermId, SmtTerms, SmtValue, Sort, SortId, infix};

use crate::answer::SmtObligation;
use crate::asker::{Script, TermSession};
use crate::fit::{AtLeast, GuessSize, SIZES, combination, fit};
use crate::houdini::candidates;
use crate::kripke::{PlaceGraph, StateCopy};
use crate::ring::around;
use crate::solver::Satisfiability;
use crate::toward::refuted;
use crate::trouble::SolverTrouble;

/// The most guesses for one rank.
const MOST_GUESSES: usize = 120;

/// The most ranks of a tuple.
const MOST_RANKS: usize = 4;

/// The most features that guesses are made of.
const MOST_FEATURES: usize = 60;

/// A search for ranks.
pub(crate) struct Ranking {
    kripke: PlaceGraph,
    from: StateCopy,
    to: StateCopy,
    /// That there is a step inside the region, over the two places.
    step: SmtTermId,
    /// That there is a step with which no rank may rise, over the two places.
    calm: Option<SmtTermId>,
    /// Numbers over the present state.
    features: Vec<SmtTermId>,
}

/// A step that was seen: the features before and after it.
#[derive(Clone)]
struct StepSample {
    before: Vec<Rational>,
    after: Vec<Rational>,
    /// Whether the step need not make the rank fall.
    calm: bool,
}

/// The steps that a guess is about, over the two places.
#[derive(Clone, Copy)]
struct RankedSteps {
    /// Those with which it must fall.
    left: SmtTermId,
    /// Those with which it must not rise.
    calm: Option<SmtTermId>,
}

/// How much a guess must achieve.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Demand {
    /// It falls with every step.
    Falls,
    /// It never rises, and falls with the first step that was seen.
    NeverRises,
}

impl Ranking {
    /// The search among states of a region. With every step of `trans` the rank must fall; with every step of `calm`, if
    /// there are any, it must not rise.
    pub(crate) fn new(
        kripke: &mut PlaceGraph,
        region: SmtTermId,
        goal: SmtTermId,
        trans: SmtTermId,
        calm: Option<SmtTermId>,
    ) -> Self {
        let features = features(kripke, region, goal);
        let mut own = kripke.clone();
        let (from, to) = (own.place(), own.place());
        let edge = own.edge(from, to);
        let (inside, axioms) = (own.at(region, from), own.axioms);
        let mut inside = |trans: SmtTermId| {
            let step = own.along(trans, &edge);
            own.terms().and(&[axioms, inside, step])
        };
        let (step, calm) = (inside(trans), calm.map(inside));
        Self {
            kripke: own,
            from,
            to,
            step,
            calm,
            features,
        }
    }

    /// A tuple of ranks, the most significant first.
    pub(crate) fn find(
        &mut self,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<Vec<SmtTermId>>, SolverTrouble> {
        let mut found: Vec<SmtTermId> = Vec::new();
        while found.len() < MOST_RANKS {
            // Steps with which an earlier rank falls are settled: later ranks may rise with them.
            let mut left = vec![self.step];
            for &rank in &found {
                let falls = self.falls(rank);
                left.push(self.kripke.terms().not(falls));
            }
            let left = self.kripke.terms().and(&left);
            if refuted(&mut self.kripke, asker, left, budget)? {
                return Ok(Some(found));
            }
            let calm = self.calm_beyond(&found);
            let steps = RankedSteps { left, calm };
            let mut samples = Vec::new();
            if let Some(rank) = self.guess(steps, Demand::Falls, &mut samples, asker, budget)? {
                found.push(rank);
                continue;
            }
            // A rank that never rises with what is left, and falls with some of it, leaves less to the next
            // one.
            let better = self.better(steps, &samples, asker, budget)?;
            match better {
                Some(rank) => found.push(rank),
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// One rank that never rises, and falls with some step.
    pub(crate) fn partial(
        &mut self,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        let (left, calm) = (self.step, self.calm);
        let steps = RankedSteps { left, calm };
        let mut samples = Vec::new();
        match self.guess(steps, Demand::Falls, &mut samples, asker, budget)? {
            Some(rank) => Ok(Some(rank)),
            None => self.better(steps, &samples, asker, budget),
        }
    }

    /// The terms, with those that the search made.
    pub(crate) fn into_terms(self) -> SmtTerms {
        self.kripke.system.terms
    }

    /// A rank that never rises, and falls with one of the steps that were seen.
    fn better(
        &mut self,
        steps: RankedSteps,
        samples: &[StepSample],
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        for pivot in 0..samples.len().min(6) {
            let mut seen = samples.to_vec();
            if seen[pivot].calm {
                continue;
            }
            // `coefficients` asks for a fall in the first sample only.
            seen.swap(0, pivot);
            let better = self.guess(steps, Demand::NeverRises, &mut seen, asker, budget)?;
            if better.is_some() {
                return Ok(better);
            }
        }
        Ok(None)
    }

    /// That there is a calm step with which none of these ranks falls.
    fn calm_beyond(&mut self, ranks: &[SmtTermId]) -> Option<SmtTermId> {
        let mut parts = vec![self.calm?];
        for &rank in ranks {
            let falls = self.falls(rank);
            parts.push(self.kripke.terms().not(falls));
        }
        Some(self.kripke.terms().and(&parts))
    }

    /// That a rank is bounded before the step and falls with it.
    fn falls(&mut self, rank: SmtTermId) -> SmtTermId {
        let sort = self.kripke.system.terms.sort(rank);
        let (before, after) = (
            self.kripke.at(rank, self.from),
            self.kripke.at(rank, self.to),
        );
        let terms = self.kripke.terms();
        let zero = terms.zero(sort);
        let one = one(terms, sort);
        let bounded = terms.less_equal(zero, before);
        // The fall is by one or more: a real number could fall for ever by less and stay above its bound.
        let more = terms.op(SmtOp::Add, &[after, one]);
        let less = terms.less_equal(more, before);
        terms.and(&[bounded, less])
    }

    fn never_rises(&mut self, rank: SmtTermId) -> SmtTermId {
        let (before, after) = (
            self.kripke.at(rank, self.from),
            self.kripke.at(rank, self.to),
        );
        self.kripke.terms().less_equal(after, before)
    }

    fn guess(
        &mut self,
        steps: RankedSteps,
        demand: Demand,
        samples: &mut Vec<StepSample>,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        let left = steps.left;
        if samples.is_empty() {
            match self.sample(left, false, asker, budget)? {
                Some(sample) => samples.push(sample),
                None => return Ok(None),
            }
        }
        // Samples are only added, so a size that did not fit before cannot fit later.
        let mut size = 0;
        for _ in 0..MOST_GUESSES {
            budget.check()?;
            let Some(rank) = self.fitting(samples, demand, &mut size, asker, budget)? else {
                return Ok(None);
            };
            let wanted = match demand {
                Demand::Falls => self.falls(rank),
                Demand::NeverRises => self.never_rises(rank),
            };
            let wrong = self.kripke.terms().not(wanted);
            let wrong = self.kripke.terms().and(&[left, wrong]);
            let rises = self.rises(rank, steps.calm);
            if let Some(sample) = self.sample(wrong, false, asker, budget)? {
                samples.push(sample);
            } else if let Some(rises) = rises
                && let Some(sample) = self.sample(rises, true, asker, budget)?
            {
                samples.push(sample);
            } else {
                let terms = self.kripke.terms();
                // A solver that gave no sample may also have given up: only a refutation confirms the guess.
                let rises = rises.unwrap_or_else(|| terms.bool(false));
                let either = terms.or(&[wrong, rises]);
                return Ok(refuted(&mut self.kripke, asker, either, budget)?.then_some(rank));
            }
        }
        Ok(None)
    }

    /// A step with this condition, if there is one that can be read.
    fn sample(
        &mut self,
        condition: SmtTermId,
        calm: bool,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<StepSample>, SolverTrouble> {
        asker.push();
        asker.assert(self.kripke.terms(), condition);
        let outcome = asker.check(budget)?;
        if outcome != Satisfiability::Sat {
            asker.pop();
            return Ok(None);
        }
        let mut sample = Vec::new();
        for place in [self.from, self.to] {
            let values = crate::houdini::state_values(&mut self.kripke, asker, place, budget)?;
            let mut numbers = Vec::new();
            for feature in self.features.clone() {
                let there = self.kripke.at(feature, place);
                let number = match eval(&self.kripke.system.terms, there, &values) {
                    Ok(SmtValue::Int(number)) => Rational::from(number),
                    Ok(SmtValue::Real(number)) => number,
                    _ => {
                        asker.pop();
                        return Ok(None);
                    }
                };
                numbers.push(number);
            }
            sample.push(numbers);
        }
        asker.pop();
        let after = sample.pop().unwrap_or_default();
        let before = sample.pop().unwrap_or_default();
        Ok(Some(StepSample {
            before,
            after,
            calm,
        }))
    }

    /// A rank that fits the samples, of the smallest size that has one.
    fn fitting(
        &mut self,
        samples: &[StepSample],
        demand: Demand,
        size: &mut usize,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        while *size < SIZES.len() {
            if let Some(coefficients) =
                self.coefficients(samples, demand, SIZES[*size], asker, budget)?
            {
                return Ok(Some(self.rank(&coefficients)));
            }
            *size += 1;
        }
        Ok(None)
    }

    fn coefficients(
        &mut self,
        samples: &[StepSample],
        demand: Demand,
        size: GuessSize,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<Vec<BigInt>>, SolverTrouble> {
        let demands = samples.iter().enumerate().map(|(number, sample)| {
            let rises = sample.calm || (demand == Demand::NeverRises && number > 0);
            let fall = AtLeast::fall(&sample.before, &sample.after, i64::from(!rises));
            vec![match rises {
                true => vec![fall],
                // The bound is needed where the rank falls; elsewhere it is enough that it does not rise.
                false => vec![AtLeast::natural(&sample.before), fall],
            }]
        });
        let demands: Vec<_> = demands.collect();
        let terms = &self.kripke.system.terms;
        fit(terms, self.features.len(), &demands, size, asker, budget)
    }

    fn rank(&mut self, coefficients: &[BigInt]) -> SmtTermId {
        combination(&mut self.kripke.system.terms, &self.features, coefficients)
    }

    /// That one of these steps makes a rank rise, if there are any.
    fn rises(&mut self, rank: SmtTermId, calm: Option<SmtTermId>) -> Option<SmtTermId> {
        let calm = calm?;
        let stays = self.never_rises(rank);
        let rises = self.kripke.terms().not(stays);
        Some(self.kripke.terms().and(&[calm, rises]))
    }

    /// The ranks as texts.
    pub(crate) fn shown(&self, ranks: &[SmtTermId]) -> Vec<String> {
        let terms = &self.kripke.system.terms;
        ranks.iter().map(|&rank| infix::text(terms, rank)).collect()
    }

    /// That with every step one rank falls and no earlier one rises.
    pub(crate) fn obligation(&mut self, ranks: &[SmtTermId]) -> SmtObligation {
        let mut ways = Vec::new();
        let mut earlier = Vec::new();
        for &rank in ranks {
            let mut parts = earlier.clone();
            parts.push(self.falls(rank));
            ways.push(self.kripke.terms().and(&parts));
            earlier.push(self.never_rises(rank));
        }
        let any = self.kripke.terms().or(&ways);
        let wrong = self.kripke.terms().not(any);
        let step = self.step;
        SmtObligation {
            claim: "the rank falls with every step that does not reach the goal".to_string(),
            query: Script::query(self.kripke.terms(), "ALL", &[step, wrong]),
        }
    }

    /// That no rank rises with a calm step, unless an earlier one falls.
    pub(crate) fn calm_obligation(&mut self, ranks: &[SmtTermId]) -> Option<SmtObligation> {
        if ranks.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for (at, &rank) in ranks.iter().enumerate() {
            let calm = self.calm_beyond(&ranks[..at]);
            all.push(self.rises(rank, calm)?);
        }
        let any = self.kripke.terms().or(&all);
        let claim = match ranks {
            [_] => "the rank rises with no other step",
            _ => "no rank rises with any other step, unless an earlier one falls",
        };
        Some(SmtObligation {
            claim: claim.to_string(),
            query: Script::query(self.kripke.terms(), "ALL", &[any]),
        })
    }
}

fn one(terms: &mut wherefore_smt::SmtTerms, sort: SortId) -> SmtTermId {
    match sort {
        SortId::REAL => terms.real(Rational::from(BigInt::from(1))),
        _ => terms.int(1),
    }
}

/// The numbers of the state and the parameters, ways around rings, then indicators of what the model compares for equality.
pub(crate) fn features(
    kripke: &mut PlaceGraph,
    region: SmtTermId,
    goal: SmtTermId,
) -> Vec<SmtTermId> {
    let mut symbols = kripke.system.current();
    symbols.extend(&kripke.system.parameters);
    let mut all = Vec::new();
    let mut indicators = Vec::new();
    for symbol in symbols {
        let info = kripke.system.terms.info(symbol).clone();
        if !info.args.is_empty() {
            continue;
        }
        let terms = kripke.terms();
        let var = terms.var(symbol);
        match terms.sorts.get(info.sort).clone() {
            Sort::Int | Sort::Real => all.push(var),
            Sort::Bool => indicators.push(var),
            Sort::Enumeration(_, constants) if constants.len() <= 12 => {
                for at in 0..constants.len() {
                    let constant = terms.add(SmtTerm::Constant(info.sort, at as u32));
                    indicators.push(terms.equal(var, constant));
                }
            }
            _ => {}
        }
    }
    all.extend(around(kripke, goal));
    let compared = candidates(kripke, &[region]);
    let terms = kripke.terms();
    let equations = compared.into_iter().filter(|&term| match terms.get(term) {
        SmtTerm::Op(SmtOp::Equal, sides) => terms.sorts.is_number(terms.sort(sides[0])),
        _ => false,
    });
    let equations: Vec<SmtTermId> = equations.collect();
    indicators.extend(equations);
    let (one, zero) = (terms.int(1), terms.int(0));
    // Numbers of the state are always kept; the limit cuts indicators only.
    for indicator in indicators {
        if all.len() >= MOST_FEATURES {
            break;
        }
        let number = terms.ite(indicator, one, zero);
        if !all.contains(&number) {
            all.push(number);
        }
    }
    all
}
