//! Questions about one state or two, whichever they are: what a solver says of the definitions alone.

use wherefore_alloy::model::{AlloyTermId, AlloyVarId, Command, FieldId, Mult};
use wherefore_alloy::{
    AlloyModel, LoweredCommand, LoweringOptions, TermMeaning, lower_declarations,
};
use wherefore_base::Budget;
use wherefore_relational::{
    FormulaId, Instance, RelEvaluator, RelExprId, Search, SearchOptions, TupleSet, UniverseAtomId,
};
use wherefore_sat::Batsat;

use crate::complete::with_two_states;
use crate::misfit::TcmcMisfit;
use crate::reading::{OfPairs, SystemReading};

/// Which of the two states a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PairSide {
    /// The present one.
    Now,
    /// The next one.
    Next,
}

/// A universe with two states.
pub(crate) struct StatePair<'a> {
    model: &'a AlloyModel,
    reading: &'a SystemReading,
    lowered: LoweredCommand,
    states: [TupleSet; 2],
    /// What every state satisfies, of each of the two.
    invariants: [Vec<FormulaId>; 2],
    /// What is said without states.
    still: Vec<FormulaId>,
}

/// Two states that a solver found, as texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeenPair {
    pub(crate) now: String,
    pub(crate) next: String,
}

impl<'a> StatePair<'a> {
    /// With `records`, states with equal fields are equal; without, they are atoms.
    pub(crate) fn new(
        model: &'a AlloyModel,
        reading: &'a SystemReading,
        command: &Command,
        choices: &LoweringOptions,
        records: bool,
    ) -> Result<Self, TcmcMisfit> {
        let choices = with_two_states(model, reading, choices);
        let mut lowered = lower_declarations(model, command, &choices)?;
        lowered.records = records.then_some(reading.state);
        let atoms = &lowered.scopes.upper[reading.state.index()];
        let &[now, next] = &atoms[..] else {
            let message = "The signature of the states cannot have two atoms";
            return Err(TcmcMisfit::new(model.sigs[reading.state].span, message));
        };
        let universe = lowered.problem.universe();
        let states = [now, next].map(|atom| universe.set([UniverseAtomId::new(atom)]));
        let mut pair = Self {
            model,
            reading,
            lowered,
            states,
            invariants: [Vec::new(), Vec::new()],
            still: Vec::new(),
        };
        for &(s, body) in &reading.invariants {
            for (at, of) in [PairSide::Now, PairSide::Next].into_iter().enumerate() {
                let formula = pair.formula(body, &[(s, of)])?;
                pair.invariants[at].push(formula);
            }
        }
        for &term in &reading.still {
            let formula = pair.formula(term, &[])?;
            pair.still.push(formula);
        }
        Ok(pair)
    }

    /// What a term says where some variables stand for the states.
    pub(crate) fn formula(
        &mut self,
        term: AlloyTermId,
        states: &[(AlloyVarId, PairSide)],
    ) -> Result<FormulaId, TcmcMisfit> {
        let given = states
            .iter()
            .map(|&(var, of)| (var, self.state(of).clone()));
        let given: Vec<(AlloyVarId, TupleSet)> = given.collect();
        match self.lowered.meaning_with(self.model, term, 0, &given)? {
            TermMeaning::Formula(formula) => Ok(formula),
            _ => Err(TcmcMisfit::new(
                self.model.terms[term].span,
                "This is not a formula",
            )),
        }
    }

    fn state(&self, of: PairSide) -> &TupleSet {
        &self.states[match of {
            PairSide::Now => 0,
            PairSide::Next => 1,
        }]
    }

    pub(crate) fn not(&mut self, formula: FormulaId) -> FormulaId {
        self.lowered.problem.not(formula)
    }

    /// What every state satisfies, of one of them.
    pub(crate) fn invariants(&self, of: PairSide) -> &[FormulaId] {
        match of {
            PairSide::Now => &self.invariants[0],
            PairSide::Next => &self.invariants[1],
        }
    }

    /// That all fields of the two states are equal.
    pub(crate) fn equal_fields(&mut self) -> FormulaId {
        let fields = self.fields();
        let problem = &mut self.lowered.problem;
        let [now, next] = self.states.clone();
        let (now, next) = (problem.constant("now", now), problem.constant("next", next));
        let (now, next) = (problem.rel(now), problem.rel(next));
        let parts: Vec<FormulaId> = fields
            .into_iter()
            .map(|(_, field)| {
                let (a, b) = (problem.join(now, field), problem.join(next, field));
                problem.equal(a, b)
            })
            .collect();
        problem.and(parts)
    }

    /// The fields of the states that are not defined by others.
    fn fields(&self) -> Vec<(String, RelExprId)> {
        let fields = self.model.fields.entries();
        let own = fields
            .filter(|(_, field)| field.sig == self.reading.state && field.definition.is_none());
        let named = own.map(|(id, field)| {
            let name = self.model.names.text(field.name).to_owned();
            (name, self.lowered.states[0].fields[id.index()])
        });
        named.collect()
    }

    /// Two states that satisfy some formulas, if there are any. What every state satisfies is asked of the
    /// states in `present`.
    pub(crate) fn find(
        &self,
        wanted: &[FormulaId],
        present: &[PairSide],
        budget: &Budget,
    ) -> Result<Option<SeenPair>, TcmcMisfit> {
        let instance = self.instance(wanted, present, budget)?;
        instance
            .map(|instance| self.told(&instance, budget))
            .transpose()
    }

    /// An instance with two such states, as [`StatePair::find`] looks for them.
    pub(crate) fn instance(
        &self,
        wanted: &[FormulaId],
        present: &[PairSide],
        budget: &Budget,
    ) -> Result<Option<Instance>, TcmcMisfit> {
        // This is a copy, so that what is wanted once is not required for good.
        let mut problem = self.lowered.problem.clone();
        let always = present.iter().flat_map(|&of| self.invariants(of));
        for &formula in wanted.iter().chain(&self.still).chain(always) {
            problem.require(formula);
        }
        let mut search: Search<'_, Batsat> =
            Search::new(&problem, &SearchOptions::default(), budget)?;
        Ok(search.next(budget)?)
    }

    /// The values of the fields of the present state in an instance.
    pub(crate) fn present(
        &self,
        instance: &Instance,
        budget: &Budget,
    ) -> Result<Vec<TupleSet>, TcmcMisfit> {
        let problem = &self.lowered.problem;
        let instance = instance.completed(problem);
        let mut evaluator = RelEvaluator::new(problem, &instance, budget)?;
        let mut values = Vec::new();
        for (_, field) in self.fields() {
            let rows = evaluator.tuples(field)?;
            let own = rows.iter().filter(|row| self.states[0].contains(&row[..1]));
            let own: Vec<Vec<UniverseAtomId>> = own.map(|row| row[1..].to_vec()).collect();
            values.push(TupleSet::from_tuples(rows.packing(), rows.arity() - 1, own));
        }
        Ok(values)
    }

    /// That the fields of the present state have these values, which may be from a model with other multiplicities.
    pub(crate) fn is_present(&mut self, values: &[TupleSet]) -> FormulaId {
        let fields = self.fields();
        let now = self.states[0].clone();
        let problem = &mut self.lowered.problem;
        let now = problem.constant("now", now);
        let now = problem.rel(now);
        let mut parts = Vec::new();
        for ((_, field), value) in fields.into_iter().zip(values) {
            let value = problem.constant("value", value.clone());
            let (value, own) = (problem.rel(value), problem.join(now, field));
            parts.push(problem.equal(own, value));
        }
        problem.and(parts)
    }

    /// That a field has so many values in a state.
    pub(crate) fn has(&mut self, field: FieldId, mult: Mult, of: PairSide) -> FormulaId {
        let field = self.lowered.states[0].fields[field.index()];
        let state = self.state(of).clone();
        let problem = &mut self.lowered.problem;
        let state = problem.constant("state", state);
        let state = problem.rel(state);
        let value = problem.join(state, field);
        match mult {
            Mult::One => problem.one(value),
            Mult::Lone => problem.lone(value),
            Mult::Some => problem.some(value),
            _ => problem.and([]),
        }
    }

    pub(crate) fn all_of(&mut self, formulas: &[FormulaId]) -> FormulaId {
        self.lowered.problem.and(formulas)
    }

    /// The two states of an instance.
    pub(crate) fn told(
        &self,
        instance: &Instance,
        budget: &Budget,
    ) -> Result<SeenPair, TcmcMisfit> {
        let problem = &self.lowered.problem;
        let instance = instance.completed(problem);
        let mut evaluator = RelEvaluator::new(problem, &instance, budget)?;
        let mut texts = [Vec::new(), Vec::new()];
        for (name, field) in self.fields() {
            let tuples = evaluator.tuples(field)?;
            for (text, state) in texts.iter_mut().zip(&self.states) {
                let rows = tuples.iter().filter(|row| state.contains(&row[..1]));
                let rows: Vec<String> = rows.map(|row| self.text(&row[1..])).collect();
                let value = match &rows[..] {
                    [one] => one.clone(),
                    several => format!("{{{}}}", several.join(", ")),
                };
                text.push(format!("{name} = {value}"));
            }
        }
        let [now, next] = texts.map(|parts| parts.join(", "));
        Ok(SeenPair { now, next })
    }

    /// A tuple as text; the only atom of a signature is called like the signature.
    fn text(&self, tuple: &[UniverseAtomId]) -> String {
        let universe = self.lowered.problem.universe();
        let atoms = tuple.iter().map(|&atom| {
            let name = universe.name(atom);
            let only = self.model.declared().any(|(id, sig)| {
                sig.mult == Some(Mult::One)
                    && self.lowered.scopes.upper[id.index()] == [atom.index()]
            });
            match only {
                true => name.strip_suffix("$0").unwrap_or(name),
                false => name,
            }
        });
        atoms.collect::<Vec<_>>().join("->")
    }
}

/// Two atoms that are copies of a state, as far as the facts allow for such: as the facts do not say that two states
/// with equal fields are equal.
pub(crate) fn equal_copies(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<Option<SeenPair>, TcmcMisfit> {
    let mut pair = StatePair::new(model, reading, command, choices, false)?;
    let mut wanted = vec![pair.equal_fields()];
    for &OfPairs { states, body, .. } in &reading.pairs {
        let (s, t) = states;
        wanted.push(pair.formula(body, &[(s, PairSide::Now), (t, PairSide::Next)])?);
        // A fact about pairs speaks of these two in either order.
        wanted.push(pair.formula(body, &[(s, PairSide::Next), (t, PairSide::Now)])?);
    }
    pair.find(&wanted, &[PairSide::Now, PairSide::Next], budget)
}

/// Makes sure that steps that are told by implications are the steps of one system: what is enough for a step is what
/// every step satisfies.
pub(crate) fn check_implications(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<(), TcmcMisfit> {
    if reading.enough.is_empty() {
        return Ok(());
    }
    let mut pair = StatePair::new(model, reading, command, choices, true)?;
    let (s, t, body) = reading.step;
    let both = [PairSide::Now, PairSide::Next];
    let step = pair.formula(body, &[(s, PairSide::Now), (t, PairSide::Next)])?;
    let no_step = pair.not(step);
    // Left open are pairs that the facts allow as a step, but that nothing makes one.
    let mut open = vec![step];
    for &(s, t, said) in &reading.enough {
        let enough = pair.formula(said, &[(s, PairSide::Now), (t, PairSide::Next)])?;
        if let Some(SeenPair { now, next }) = pair.find(&[enough, no_step], &both, budget)? {
            let message = format!(
                "This is enough for a step that another fact forbids, from ({now}) to ({next}): where both states \
                 are, the facts cannot hold together"
            );
            return Err(TcmcMisfit::new(model.terms[said].span, message));
        }
        open.push(pair.not(enough));
    }
    let Some(SeenPair { now, next }) = pair.find(&open, &both, budget)? else {
        return Ok(());
    };
    let message = format!(
        "The facts leave open whether there is a step from ({now}) to ({next}), so they do not define one system"
    );
    Err(TcmcMisfit::new(model.terms[body].span, message))
}

/// A fact about every step that the definition of the steps does not keep, if there is one, with such a step.
pub(crate) fn broken_promise(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<Option<(AlloyTermId, SeenPair)>, TcmcMisfit> {
    if reading.promised.is_empty() {
        return Ok(None);
    }
    let mut pair = StatePair::new(model, reading, command, choices, true)?;
    let (s, t, body) = reading.step;
    let step = pair.formula(body, &[(s, PairSide::Now), (t, PairSide::Next)])?;
    for &(s, t, said) in &reading.promised {
        let kept = pair.formula(said, &[(s, PairSide::Now), (t, PairSide::Next)])?;
        let broken = pair.not(kept);
        let seen = pair.find(&[step, broken], &[PairSide::Now, PairSide::Next], budget)?;
        if let Some(seen) = seen {
            return Ok(Some((said, seen)));
        }
    }
    Ok(None)
}

/// A fact about pairs of states that does not follow from their being known by their fields, if there is one.
pub(crate) fn restricts_pairs(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<Option<AlloyTermId>, TcmcMisfit> {
    if reading.pairs.is_empty() {
        return Ok(None);
    }
    let mut pair = StatePair::new(model, reading, command, choices, true)?;
    for &OfPairs { fact, states, body } in &reading.pairs {
        let (s, t) = states;
        let said = pair.formula(body, &[(s, PairSide::Now), (t, PairSide::Next)])?;
        let broken = pair.not(said);
        if pair
            .find(&[broken], &[PairSide::Now, PairSide::Next], budget)?
            .is_some()
        {
            return Ok(Some(fact));
        }
    }
    Ok(None)
}
