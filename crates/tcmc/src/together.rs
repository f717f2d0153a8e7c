//! Facts about all states at once, as that every state has a step.
//!
//! The complete system is made of what single states and single steps are. What a fact says of all states together is
//! looked at afterwards, in the system of those that can be reached: an instance with exactly these states is made, and the
//! fact is evaluated in it. Where it is false, a solver is asked whether it can be true beside some other states. If not,
//! the states are added one after the other, and the first that cannot be there is the one that the fact takes away.

use wherefore_alloy::model::{
    AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyVarId, Command, Fact, SigId,
};
use wherefore_alloy::{
    AlloyModel as Alloy, LoweredCommand, LoweringOptions, Override, TermMeaning, lower_facts,
};
use wherefore_base::{Budget, Value};
use wherefore_relational::{
    FormulaId, Instance, RelEvaluator, RelExpr, RelationId, Search, SearchOptions, TupleSet,
    UniverseAtomId,
};
use wherefore_sat::Batsat;

use crate::complete::{Attribute, CompleteSystem, FieldValues};
use crate::misfit::TcmcMisfit;
use crate::reading::{SystemReading, all_states, conjuncts, states_for_all};
use crate::system::{only_atoms, shown};

/// So many states that cannot be reached may be there for a fact's sake.
pub const MOST_OTHERS: usize = 3;

/// A fact that some states do not satisfy together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenTogether {
    /// The fact.
    pub fact: AlloyTermId,
    /// The first state that breaks it, by its place: by itself, for a fact about each state, or beside those before it.
    pub state: usize,
}

/// The first fact about all states at once that is false in the system of these states, all of them different and each given
/// by the values of the variables of the complete system; none if all are true, or can be beside a few other states.
///
/// # Errors
/// When the states do not make up one instance, or the budget ends.
pub fn broken_fact(
    alloy: &Alloy,
    reading: &SystemReading,
    (system, states): (&CompleteSystem, &[Vec<Value>]),
    asked: (&Command, &LoweringOptions),
    budget: &Budget,
) -> Result<Option<BrokenTogether>, TcmcMisfit> {
    let Some((_, unfit)) = reading.whole.first() else {
        return Ok(None);
    };
    let others = alloy
        .declared()
        .filter(|(id, _)| reading.module.owns(alloy, *id));
    let fields = system
        .attributes
        .iter()
        .all(|attribute| attribute.field.is_some());
    // Relations that belong to no state would have values that these states do not give.
    if others.count() != 1 || !fields {
        return Err(unfit.clone());
    }
    let together = JointStates {
        reading,
        system,
        asked,
        unfit,
    };
    let Some((fact, state)) = together.first_false(alloy, states, budget)? else {
        return Ok(None);
    };
    if together.possible(alloy, states, budget)? {
        return Ok(None);
    }
    if let Some(state) = state {
        return Ok(Some(BrokenTogether { fact, state }));
    }
    // The first `possible` states can be there together and the first `impossible` ones cannot. Halving keeps
    // that, so the state between them is one that cannot be added.
    let (mut possible, mut impossible) = (0, states.len());
    while impossible - possible > 1 {
        let middle = possible.midpoint(impossible);
        match together.possible(alloy, &states[..middle], budget)? {
            true => possible = middle,
            false => impossible = middle,
        }
    }
    let state = possible;
    Ok(Some(BrokenTogether { fact, state }))
}

/// Systems that have given states.
struct JointStates<'a> {
    reading: &'a SystemReading,
    system: &'a CompleteSystem,
    asked: (&'a Command, &'a LoweringOptions),
    /// Why nothing is known where these states are no instance.
    unfit: &'a TcmcMisfit,
}

impl JointStates<'_> {
    /// The facts of a model where these states are there, and no more than so many others.
    fn lowered(
        &self,
        alloy: &Alloy,
        states: &[Vec<Value>],
        others: usize,
    ) -> Result<(LoweredCommand, Vec<UniverseAtomId>), TcmcMisfit> {
        let (command, choices) = self.asked;
        let state = self.reading.state;
        let mut choices = choices.clone();
        choices.scopes.push(Override {
            name: alloy.sigs[state].label.clone(),
            number: i32::try_from(states.len() + others).map_err(|_| self.unfit.clone())?,
            exactly: others == 0,
        });
        let mut lowered = lower_facts(alloy, command, &choices, 1)?;
        let atoms = give_states(alloy, state, &mut lowered, (self.system, states));
        let atoms = atoms.ok_or_else(|| self.unfit.clone())?;
        Ok((lowered, atoms))
    }

    /// Whether the facts can hold where these states are there, beside a few others.
    fn possible(
        &self,
        alloy: &Alloy,
        states: &[Vec<Value>],
        budget: &Budget,
    ) -> Result<bool, TcmcMisfit> {
        let (lowered, _) = self.lowered(alloy, states, MOST_OTHERS)?;
        Ok(found(&lowered, budget)?.is_some())
    }

    /// The first fact that is false where exactly these states are there; and if it is one about each state, the first that
    /// breaks it.
    fn first_false(
        &self,
        alloy: &Alloy,
        states: &[Vec<Value>],
        budget: &Budget,
    ) -> Result<Option<(AlloyTermId, Option<usize>)>, TcmcMisfit> {
        let (reading, unfit) = (self.reading, self.unfit);
        // The facts in question are left out of the instance: they are evaluated in it.
        let (mut lowered, atoms) = self.lowered(&single(alloy, reading), states, 0)?;
        let instance = found(&lowered, budget)?.ok_or_else(|| unfit.clone())?;
        let universe = lowered.problem.universe().clone();
        for &(fact, _) in &reading.whole {
            let mut formulas = vec![formula(lowered.meaning(alloy, fact, 0)?, unfit)?];
            if let Some((s, body, so)) = of_each(alloy, reading.state, fact) {
                for &atom in &atoms {
                    let given = [(s, universe.set([atom]))];
                    let said = formula(lowered.meaning_with(alloy, body, 0, &given)?, unfit)?;
                    formulas.push(match so {
                        true => said,
                        false => lowered.problem.not(said),
                    });
                }
            }
            let instance = instance.completed(&lowered.problem);
            let mut evaluator = RelEvaluator::new(&lowered.problem, &instance, budget)?;
            if evaluator.holds(formulas[0])? {
                continue;
            }
            for (place, &formula) in formulas[1..].iter().enumerate() {
                if !evaluator.holds(formula)? {
                    return Ok(Some((fact, Some(place))));
                }
            }
            return Ok(Some((fact, None)));
        }
        Ok(None)
    }
}

/// An instance, if there is one.
fn found(lowered: &LoweredCommand, budget: &Budget) -> Result<Option<Instance>, TcmcMisfit> {
    let options = SearchOptions {
        symmetry: 0,
        ..SearchOptions::default()
    };
    let mut search = Search::<Batsat>::new(&lowered.problem, &options, budget)?;
    Ok(search.next(budget)?)
}

/// What a fact says of each state, and whether that is to be so or not.
fn of_each(
    alloy: &Alloy,
    state: SigId,
    fact: AlloyTermId,
) -> Option<(AlloyVarId, AlloyTermId, bool)> {
    if let Some((vars, body)) = states_for_all(alloy, state, fact) {
        let &[s] = &vars[..] else {
            return None;
        };
        return Some((s, body, true));
    }
    let AlloyTermKind::Quantified(AlloyQuantifier::No, bindings, body) = &alloy.terms[fact].kind
    else {
        return None;
    };
    match all_states(alloy, state, bindings)?[..] {
        [s] => Some((s, *body, false)),
        _ => None,
    }
}

/// The model without facts about all states at once.
fn single(alloy: &Alloy, reading: &SystemReading) -> Alloy {
    let mut model = alloy.clone();
    model.facts.clear();
    for fact in &alloy.facts {
        for body in conjuncts(alloy, fact.body) {
            if !reading.whole.iter().any(|(whole, _)| *whole == body) {
                let fact = fact.clone();
                model.facts.push(Fact { body, ..fact });
            }
        }
    }
    model
}

/// Makes the first atoms of a signature these states, each given by the values of the variables of the complete system, and
/// gives them; none if they cannot be made so.
pub fn give_states(
    alloy: &Alloy,
    state: SigId,
    lowered: &mut LoweredCommand,
    (system, states): (&CompleteSystem, &[Vec<Value>]),
) -> Option<Vec<UniverseAtomId>> {
    let atoms = lowered.scopes.upper[state.index()].get(..states.len())?;
    let atoms: Vec<UniverseAtomId> = atoms
        .iter()
        .map(|&atom| UniverseAtomId::new(atom))
        .collect();
    let of_states = system
        .attributes
        .iter()
        .filter(|attribute| attribute.field.is_some());
    for attribute in of_states {
        let kept = kept(alloy, lowered, (system, attribute), &atoms, states);
        let (relation, lower, upper) = kept?;
        lowered.problem.narrow(relation, lower, upper);
    }
    let problem = &mut lowered.problem;
    let known = problem.universe().set(atoms.iter().copied());
    let &RelExpr::Relation(all) = problem.expr(lowered.states[0].sigs[state.index()]) else {
        return None;
    };
    let (lower, upper) = (
        &problem.relations()[all].lower,
        &problem.relations()[all].upper,
    );
    if !known.is_subset(lower) {
        let (lower, upper) = (lower.union(&known), upper.clone());
        problem.narrow(all, lower, upper);
    }
    Some(atoms)
}

/// The relation of a field with bounds that have its value in these states, and anything in others; none if it is no
/// relation, or cannot have that value.
fn kept(
    alloy: &Alloy,
    lowered: &LoweredCommand,
    (system, attribute): (&CompleteSystem, &Attribute),
    atoms: &[UniverseAtomId],
    states: &[Vec<Value>],
) -> Option<(RelationId, TupleSet, TupleSet)> {
    let problem = &lowered.problem;
    let &RelExpr::Relation(id) = problem.expr(lowered.states[0].fields[attribute.field?.index()])
    else {
        return None;
    };
    let (relation, universe) = (&problem.relations()[id], problem.universe());
    let only = only_atoms(alloy, lowered);
    let (mut known, mut open) = (Vec::new(), Vec::new());
    for row in relation.upper.iter() {
        let Some(place) = atoms.iter().position(|atom| *atom == row[0]) else {
            open.push(row);
            continue;
        };
        let text = row[1..].iter().map(|&atom| shown(universe, &only, atom));
        let text = text.collect::<Vec<_>>().join("->");
        if has(system, attribute, &states[place], &text) {
            known.push(row);
        }
    }
    open.extend(known.iter().cloned());
    let set = |rows| TupleSet::from_tuples(universe.packing(), relation.arity(), rows);
    let (known, upper) = (set(known), set(open));
    let fits = relation.lower.is_subset(&known);
    fits.then_some((id, known, upper))
}

/// Whether a field has a tuple in a state.
fn has(system: &CompleteSystem, attribute: &Attribute, state: &[Value], text: &str) -> bool {
    let value = |var: wherefore_model::VarId| state.get(var.index()).copied();
    match &attribute.values {
        FieldValues::One(var) => {
            let own = value(*var).map(|value| system.model.names.show(value).to_string());
            own.as_deref() == Some(text)
        }
        FieldValues::Tuples(tuples) => {
            let mut there = tuples.iter().filter(|(tuple, _)| tuple == text);
            there.any(|(_, var)| value(*var) == Some(Value::Bool(true)))
        }
    }
}

fn formula(meaning: TermMeaning, unfit: &TcmcMisfit) -> Result<FormulaId, TcmcMisfit> {
    match meaning {
        TermMeaning::Formula(formula) => Ok(formula),
        _ => Err(unfit.clone()),
    }
}
