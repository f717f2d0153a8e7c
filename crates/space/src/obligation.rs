//! Discharging obligations: what must be so for all values of the variables, reachable or not.
//!
//! Most obligations follow from the values that terms can have at first sight, or from the intervals in which they
//! lie; small ones are decided by trying all valuations; the rest by decision diagrams.

mod interval;
mod possible;

use wherefore_base::{Budget, Diagnostic, Run, Value};
use wherefore_model::{Domain, Model, Obligation, Requirement, Support, VarId};

use crate::eval::{PartialEvaluator, ReadMode};
use crate::symbolic::{BddCompiler, Bdds, BitEncoding, StateSide, static_order};
use interval::Intervals;
use possible::Possible;

/// Up to this many valuations are tried one by one.
const TRIED: u128 = 4096;

/// One diagnostic for each obligation that is not met, in their order; `{value}` in its texts
/// becomes the least offending value.
pub fn discharge(model: &Model, budget: &Budget) -> Run<Vec<Diagnostic>> {
    budget.phase("checking that values fit");
    let mut offending: Vec<Option<Value>> = vec![None; model.obligations.len()];
    let mut left = Vec::new();
    let (mut possible, mut intervals) = (Possible::new(model), Intervals::new(model));
    let mut trial = ValuationTrial::new(model);
    for (at, obligation) in model.obligations.iter().enumerate() {
        budget.check()?;
        if possible.surely_met(obligation) || intervals.surely_met(obligation) {
            continue;
        }
        match Valuations::of(model, obligation) {
            Some(valuations) => offending[at] = trial.offending(obligation, valuations, budget)?,
            None => left.push(at),
        }
    }
    if !left.is_empty() {
        let encoding = BitEncoding::new(model, &static_order(model));
        let bdds = Bdds::new(encoding.count(), budget)?;
        bdds.reorder(encoding.groups());
        let mut compiler = BddCompiler::new(model, &encoding, &bdds);
        for at in left {
            offending[at] = offending_by_bdd(&mut compiler, &model.obligations[at])?;
        }
    }
    let broken = model.obligations.iter().zip(offending);
    let diagnostic = |(obligation, value): (&Obligation, Option<Value>)| {
        value.map(|value| explain(model, &obligation.otherwise, value))
    };
    Ok(broken.filter_map(diagnostic).collect())
}

/// Fills in the offending value.
fn explain(model: &Model, template: &Diagnostic, value: Value) -> Diagnostic {
    let shown = model.names.show(value).to_string();
    let fill = |text: &mut String| *text = text.replace("{value}", &shown);
    let mut diagnostic = template.clone();
    fill(&mut diagnostic.message);
    diagnostic
        .labels
        .iter_mut()
        .for_each(|label| fill(&mut label.text));
    diagnostic.help.iter_mut().for_each(fill);
    diagnostic
}

/// The variables an obligation reads, in the present and in the next state.
fn support(model: &Model, obligation: &Obligation) -> Support {
    let terms = obligation
        .when
        .iter()
        .copied()
        .chain([obligation.requires.term()]);
    Support::of(model, terms)
}

/// Enumerates the values of the variables that an obligation reads.
struct Valuations {
    now: Vec<VarId>,
    next: Vec<VarId>,
    count: u64,
}

impl Valuations {
    /// `None` when there are too many.
    fn of(model: &Model, obligation: &Obligation) -> Option<Self> {
        let Support { now, next } = support(model, obligation);
        let sizes = now
            .iter()
            .chain(&next)
            .map(|&var| model.vars[var].domain.size());
        let count = sizes.fold(1u128, u128::saturating_mul);
        (count <= TRIED).then(|| Self {
            now: now.into_iter().collect(),
            next: next.into_iter().collect(),
            count: count as u64,
        })
    }
}

/// Tries valuations one by one.
struct ValuationTrial<'m> {
    model: &'m Model,
    evaluator: PartialEvaluator<'m>,
    /// Any state; variables that an obligation does not read do not matter.
    state: Vec<Value>,
}

impl<'m> ValuationTrial<'m> {
    fn new(model: &'m Model) -> Self {
        let states = model.vars.iter().take(model.state_vars());
        Self {
            model,
            evaluator: PartialEvaluator::new(model),
            state: states.map(|variable| variable.domain.value(0)).collect(),
        }
    }

    fn offending(
        &mut self,
        obligation: &Obligation,
        valuations: Valuations,
        budget: &Budget,
    ) -> Run<Option<Value>> {
        let mut least: Option<Value> = None;
        for number in 0..valuations.count {
            if number % 256 == 0 {
                budget.check()?;
            }
            self.set(&valuations, number);
            let found = self.offending_here(obligation);
            least = least.into_iter().chain(found).min();
        }
        Ok(least)
    }

    /// Gives the variables the values of one valuation.
    fn set(&mut self, valuations: &Valuations, mut number: u64) {
        let model = self.model;
        let mut digit = |var: VarId| {
            let domain: &Domain = &model.vars[var].domain;
            // The number is read in digits whose bases are the sizes of the domains.
            let value = domain.value(number % (domain.last() + 1));
            number /= domain.last() + 1;
            value
        };
        let mut inputs = Vec::new();
        for &var in &valuations.now {
            match self.state.get_mut(var.index()) {
                Some(place) => *place = digit(var),
                // Inputs come after the variables of the state, so they have no place there.
                None => inputs.push((var, digit(var))),
            }
        }
        self.evaluator.start(self.state.iter().copied());
        for (var, value) in inputs {
            self.evaluator.set(var.index(), Some(value));
        }
        for &var in &valuations.next {
            self.evaluator.set(var.index(), Some(digit(var)));
        }
    }

    fn offending_here(&mut self, obligation: &Obligation) -> Option<Value> {
        let evaluator = &mut self.evaluator;
        if !obligation
            .when
            .iter()
            .all(|&t| evaluator.truth(ReadMode::Step, t) == Some(true))
        {
            return None;
        }
        match obligation.requires {
            Requirement::Holds(term) => {
                let truth = evaluator.truth(ReadMode::Step, term);
                (truth != Some(true)).then_some(Value::Bool(false))
            }
            Requirement::Assign(var, term) => {
                let mut values = Vec::new();
                evaluator.choices(ReadMode::Step, term, &mut values)?;
                let domain = &self.model.vars[var].domain;
                values
                    .into_iter()
                    .filter(|&value| domain.index_of(value).is_none())
                    .min()
            }
        }
    }
}

fn offending_by_bdd(compiler: &mut BddCompiler<'_>, obligation: &Obligation) -> Run<Option<Value>> {
    let (model, encoding, bdds) = (compiler.model, compiler.encoding, compiler.bdds);
    let Support { now, next } = support(model, obligation);
    let now = now.into_iter().map(|var| (var, StateSide::Now));
    let next = next.into_iter().map(|var| (var, StateSide::Next));
    let mut context = bdds.one();
    for (var, side) in now.chain(next) {
        context = bdds.and(&context, &encoding.valid((model, bdds), var, side)?)?;
    }
    for &term in &obligation.when {
        context = bdds.and(&context, &compiler.condition(term)?)?;
    }
    match obligation.requires {
        Requirement::Holds(term) => {
            let broken = bdds.minus(&context, &compiler.condition(term)?)?;
            Ok((!bdds.is_zero(&broken)).then_some(Value::Bool(false)))
        }
        Requirement::Assign(var, term) => {
            let domain = &model.vars[var].domain;
            // Parts ascend, so the first offending value is the least.
            for (value, when) in compiler.parts(term)?.iter() {
                if domain.index_of(*value).is_none() && !bdds.is_zero(&bdds.and(&context, when)?) {
                    return Ok(Some(*value));
                }
            }
            Ok(None)
        }
    }
}
