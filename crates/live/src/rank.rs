//! Ranks: values that are bounded below and fall with every step, so that something must happen.
//!
//! Where no number of steps is enough for all states, a rank may be: it is guessed as a linear combination of the numbers
//! of the state and of indicators (1 where a condition holds), with coefficients that fit the steps seen so far, and every
//! step for which the guess is wrong becomes one more to fit (Podelski and Rybalchenko 2004 for the linear case;
//! counterexample-guided as in Solar-Lezama et al. 2006). Where one rank is not enough, several are taken, the most
//! significant first: each may only rise where an earlier one falls.

use num_bigint::BigInt;
use wherefore_base::Budget;
use wherefore_smt::eval::eval;
use wherefore_smt::{Ctl, Op, Rational, Sort, SortId, SymbolId, Term, TermId, Value, print};

use crate::always::Promise;
use crate::answer::{Certificate, Choices, Obligation, Proof};
use crate::asker::{Asker, Script};
use crate::finding::Finding;
use crate::houdini::{candidates, houdini, obligations};
use crate::kripke::{Kripke, Place};
use crate::reading::Reading;
use crate::ring::around;
use crate::solver::Outcome;
use crate::toward::{Goal, refuted};
use crate::trouble::Trouble;

/// The most guesses for one rank.
const MOST_GUESSES: usize = 120;

/// The most ranks of a tuple.
const MOST_RANKS: usize = 4;

/// How large the coefficients of a guess are together; the next one is tried when none fits.
const SIZES: [i64; 4] = [2, 4, 8, 40];

/// The most features that guesses are made of.
const MOST_FEATURES: usize = 60;

/// Proves `AF q` and `A[p U q]`, also as promises under `AG`, if there is a rank.
pub(crate) fn ranks(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    match search(kripke, part, choices, budget) {
        Ok(Ok(proof)) => Finding::Holds(proof),
        Ok(Err(sentences)) => Finding::Open(sentences),
        Err(trouble) => Finding::Open(vec![format!(
            "The search for a rank was stopped: {trouble}."
        )]),
    }
}

fn search(
    kripke: &Kripke,
    part: &Ctl,
    choices: &Choices,
    budget: &Budget,
) -> Result<Result<Proof, Vec<String>>, Trouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() {
        return Ok(Err(Vec::new()));
    }
    let solver = &choices.solvers[0];
    let mut asker = Asker::start(solver, &kripke.system.terms, choices.limits, budget)?;
    let mut duties = Vec::new();
    let mut certificates = Vec::new();
    let goal = match Goal::of(&mut kripke, part) {
        Some(goal) => goal,
        None => {
            let Some(promise) = Promise::of(&mut kripke, part) else {
                return Ok(Err(Vec::new()));
            };
            let guesses = candidates(&mut kripke, &[promise.asked, promise.kept]);
            let (init, trans) = (kripke.system.init, kripke.trans);
            let kept = houdini(&kripke, init, trans, guesses, &mut asker, budget)?;
            let invariant = kripke.terms().and(&kept);
            duties.extend(obligations(
                &kripke,
                init,
                trans,
                invariant,
                "the invariant",
            ));
            certificates.push(Certificate::Invariant(print::text(
                &kripke.system.terms,
                invariant,
            )));
            // From here on all states satisfy the invariant.
            let primed = kripke.system.primed(invariant);
            kripke.trans = kripke.terms().and(&[invariant, trans, primed]);
            let start = kripke.terms().and(&[invariant, promise.asked]);
            Goal {
                start,
                stay: promise.stay,
                goal: promise.kept,
            }
        }
    };
    let open = kripke.terms().not(goal.goal);
    let open_next = kripke.system.primed(open);
    let trans = kripke.trans;
    let trans = kripke.terms().and(&[open, trans, open_next]);
    let start = kripke.terms().and(&[goal.start, open]);
    let guesses = candidates(&mut kripke, &[goal.goal, goal.start]);
    let region = houdini(&kripke, start, trans, guesses, &mut asker, budget)?;
    let region = kripke.terms().and(&region);
    duties.extend(obligations(&kripke, start, trans, region, "the region"));
    let passed = kripke.terms().and(&[region, open]);
    match goal.way(&kripke, passed, &mut asker, budget)? {
        Ok(duty) => duties.extend(duty),
        Err(sentences) => return Ok(Err(sentences)),
    }
    let mut ranking = Ranking::new(&mut kripke, region, goal.goal, trans);
    let Some(parts) = ranking.find(&mut asker, budget)? else {
        return Ok(Err(vec![
            "No rank is found among linear ones, sums of indicators and tuples of these."
                .to_string(),
        ]));
    };
    duties.push(ranking.obligation(&parts));
    let shown = parts
        .iter()
        .map(|&part| print::text(&ranking.kripke.system.terms, part))
        .collect();
    if kripke.terms().as_bool(region) != Some(true) {
        certificates.push(Certificate::Invariant(print::text(
            &kripke.system.terms,
            region,
        )));
    }
    certificates.push(Certificate::Rank(shown));
    Ok(Ok(Proof {
        engine: "rank".to_string(),
        certificates,
        obligations: duties,
        checked_by: vec![solver.title()],
    }))
}

/// A step that was seen: the features before and after it.
#[derive(Clone)]
struct Sample {
    before: Vec<Rational>,
    after: Vec<Rational>,
}

struct Ranking {
    kripke: Kripke,
    from: Place,
    to: Place,
    /// That there is a step inside the region, over the two places.
    step: TermId,
    /// Numbers over the present state.
    features: Vec<TermId>,
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
    fn new(kripke: &mut Kripke, region: TermId, goal: TermId, trans: TermId) -> Self {
        let features = features(kripke, region, goal);
        let mut own = kripke.clone();
        let (from, to) = (own.place(), own.place());
        let edge = own.edge(from, to);
        let (inside, step) = (own.at(region, from), own.along(trans, &edge));
        let axioms = own.axioms;
        let step = own.terms().and(&[axioms, inside, step]);
        Self {
            kripke: own,
            from,
            to,
            step,
            features,
        }
    }

    /// A tuple of ranks, the most significant first.
    fn find(&mut self, asker: &mut Asker, budget: &Budget) -> Result<Option<Vec<TermId>>, Trouble> {
        let mut found: Vec<TermId> = Vec::new();
        while found.len() < MOST_RANKS {
            let mut left = vec![self.step];
            for &rank in &found {
                let falls = self.falls(rank);
                left.push(self.kripke.terms().not(falls));
            }
            let left = self.kripke.terms().and(&left);
            if refuted(&mut self.kripke, asker, left, budget)? {
                return Ok(Some(found));
            }
            let mut samples = Vec::new();
            if let Some(rank) = self.guess(left, Demand::Falls, &mut samples, asker, budget)? {
                found.push(rank);
                continue;
            }
            let mut better = None;
            for pivot in 0..samples.len().min(6) {
                let mut seen = samples.clone();
                seen.swap(0, pivot);
                better = self.guess(left, Demand::NeverRises, &mut seen, asker, budget)?;
                if better.is_some() {
                    break;
                }
            }
            match better {
                Some(rank) => found.push(rank),
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// That a rank is bounded before the step and falls with it.
    fn falls(&mut self, rank: TermId) -> TermId {
        let sort = self.kripke.system.terms.sort(rank);
        let (before, after) = (
            self.kripke.at(rank, self.from),
            self.kripke.at(rank, self.to),
        );
        let terms = self.kripke.terms();
        let zero = terms.zero(sort);
        let one = one(terms, sort);
        let bounded = terms.less_equal(zero, before);
        let more = terms.op(Op::Add, &[after, one]);
        let less = terms.less_equal(more, before);
        terms.and(&[bounded, less])
    }

    fn never_rises(&mut self, rank: TermId) -> TermId {
        let (before, after) = (
            self.kripke.at(rank, self.from),
            self.kripke.at(rank, self.to),
        );
        self.kripke.terms().less_equal(after, before)
    }

    fn guess(
        &mut self,
        left: TermId,
        demand: Demand,
        samples: &mut Vec<Sample>,
        asker: &mut Asker,
        budget: &Budget,
    ) -> Result<Option<TermId>, Trouble> {
        if samples.is_empty() {
            match self.sample(left, asker, budget)? {
                Some(sample) => samples.push(sample),
                None => return Ok(None),
            }
        }
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
            match self.sample(wrong, asker, budget)? {
                Some(sample) => samples.push(sample),
                None => {
                    return Ok(refuted(&mut self.kripke, asker, wrong, budget)?.then_some(rank));
                }
            }
        }
        Ok(None)
    }

    /// A step with this condition, if there is one that can be read.
    fn sample(
        &mut self,
        condition: TermId,
        asker: &mut Asker,
        budget: &Budget,
    ) -> Result<Option<Sample>, Trouble> {
        asker.push();
        asker.assert(self.kripke.terms(), condition);
        let outcome = asker.check(budget)?;
        if outcome != Outcome::Sat {
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
                    Ok(Value::Int(number)) => Rational::from(number),
                    Ok(Value::Real(number)) => number,
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
        Ok(Some(Sample { before, after }))
    }

    /// A rank that fits the samples, of the smallest size that has one.
    fn fitting(
        &mut self,
        samples: &[Sample],
        demand: Demand,
        size: &mut usize,
        asker: &mut Asker,
        budget: &Budget,
    ) -> Result<Option<TermId>, Trouble> {
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
        samples: &[Sample],
        demand: Demand,
        size: i64,
        asker: &mut Asker,
        budget: &Budget,
    ) -> Result<Option<Vec<BigInt>>, Trouble> {
        let mut work = self.kripke.system.terms.clone();
        let terms = &mut work;
        let count = self.features.len() + 1;
        let symbols: Vec<SymbolId> = (0..count)
            .map(|n| terms.declare(format!("coefficient@{n}"), &[], SortId::INT))
            .collect();
        let vars: Vec<TermId> = symbols.iter().map(|&symbol| terms.var(symbol)).collect();
        let zero = terms.int(0);
        let mut parts = Vec::new();
        let mut sizes = Vec::new();
        for &var in &vars[..count - 1] {
            let positive = terms.less_equal(zero, var);
            let negative = terms.op(Op::Neg, &[var]);
            sizes.push(terms.ite(positive, var, negative));
        }
        let most = terms.int(size);
        let total = sum(terms, &sizes);
        parts.push(terms.less_equal(total, most));
        for (number, sample) in samples.iter().enumerate() {
            let scale = sample
                .before
                .iter()
                .chain(&sample.after)
                .fold(BigInt::from(1), |scale, value| scale * value.denominator());
            let scaled = |value: &Rational| value.numerator() * (&scale / value.denominator());
            let (mut fall, mut here) = (Vec::new(), Vec::new());
            for (at, &var) in vars[..count - 1].iter().enumerate() {
                let (before, after) = (scaled(&sample.before[at]), scaled(&sample.after[at]));
                let (by, value) = (terms.int(&before - &after), terms.int(before));
                fall.push(terms.op(Op::Mul, &[by, var]));
                here.push(terms.op(Op::Mul, &[value, var]));
            }
            let scale_term = terms.int(scale.clone());
            here.push(terms.op(Op::Mul, &[scale_term, vars[count - 1]]));
            let (fall, here) = (sum(terms, &fall), sum(terms, &here));
            let least = match demand {
                Demand::NeverRises if number > 0 => zero,
                _ => {
                    parts.push(terms.less_equal(zero, here));
                    scale_term
                }
            };
            parts.push(terms.less_equal(least, fall));
        }
        let all = terms.and(&parts);
        asker.push();
        asker.assert(terms, all);
        let outcome = asker.check(budget)?;
        let mut found = None;
        if outcome == Outcome::Sat {
            let values = asker.values(terms, &symbols, &mut Reading::default(), budget)?;
            let numbers = values.into_iter().map(|value| match value {
                Some(Value::Int(number)) => Some(number),
                _ => None,
            });
            found = numbers.collect();
        }
        asker.pop();
        Ok(found)
    }

    /// The linear combination of the features.
    fn rank(&mut self, coefficients: &[BigInt]) -> TermId {
        let real = self
            .features
            .iter()
            .any(|&feature| self.kripke.system.terms.sort(feature) == SortId::REAL);
        let terms = &mut self.kripke.system.terms;
        let number = |terms: &mut wherefore_smt::Terms, value: &BigInt| match real {
            true => terms.real(Rational::from(value.clone())),
            false => terms.int(value.clone()),
        };
        let mut parts = Vec::new();
        let zero = BigInt::default();
        for (&feature, coefficient) in self.features.iter().zip(coefficients) {
            if *coefficient == zero {
                continue;
            }
            let value = match real && terms.sort(feature) == SortId::INT {
                true => terms.op(Op::ToReal, &[feature]),
                false => feature,
            };
            let factor = number(terms, coefficient);
            parts.push(match *coefficient == BigInt::from(1) {
                true => value,
                false => terms.op(Op::Mul, &[factor, value]),
            });
        }
        if let Some(last) = coefficients.last()
            && (*last != zero || parts.is_empty())
        {
            parts.push(number(terms, last));
        }
        sum(terms, &parts)
    }

    /// That with every step one rank falls and no earlier one rises.
    fn obligation(&mut self, ranks: &[TermId]) -> Obligation {
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
        Obligation {
            claim: "the rank falls with every step that does not reach the goal".to_string(),
            query: Script::query(self.kripke.terms(), "ALL", &[step, wrong]),
        }
    }
}

fn one(terms: &mut wherefore_smt::Terms, sort: SortId) -> TermId {
    match sort {
        SortId::REAL => terms.real(Rational::from(BigInt::from(1))),
        _ => terms.int(1),
    }
}

fn sum(terms: &mut wherefore_smt::Terms, parts: &[TermId]) -> TermId {
    match parts {
        [] => terms.int(0),
        [one] => *one,
        _ => terms.op(Op::Add, parts),
    }
}

/// The numbers of the state and the parameters, ways around rings, then indicators of what the model compares for equality.
fn features(kripke: &mut Kripke, region: TermId, goal: TermId) -> Vec<TermId> {
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
                    let constant = terms.add(Term::Constant(info.sort, at as u32));
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
        Term::Op(Op::Equal, sides) => terms.sorts.is_number(terms.sort(sides[0])),
        _ => false,
    });
    let equations: Vec<TermId> = equations.collect();
    indicators.extend(equations);
    let (one, zero) = (terms.int(1), terms.int(0));
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
