//! Facts about all states at once, as that every state has a step.
//!
//! The complete system is made of what single states and single steps are. What a fact says of all states together is
//! looked at afterwards, in the system of those that can be reached: an instance with exactly these states is made, and the
//! fact is evaluated in it.

use wherefore_alloy::model::{Command, Fact, Quantifier, SigId, TermId, TermKind, VarId};
use wherefore_alloy::{Choices, Lowered, Meaning, Model as Alloy, Override, lower_facts};
use wherefore_base::{Budget, Value};
use wherefore_relational::{
    AtomId, Evaluator, Expr, FormulaId, Options, RelationId, Search, TupleSet,
};
use wherefore_sat::Batsat;

use crate::complete::{Attribute, System, Values};
use crate::misfit::Misfit;
use crate::reading::{Reading, all_states, conjuncts, states_for_all};
use crate::system::{only_atoms, shown};

/// A fact that some states do not satisfy together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The fact.
    pub fact: TermId,
    /// For a fact about each of the states, the first that breaks it, by its place.
    pub state: Option<usize>,
}

/// The first fact about all states at once that is false in the system of these states, all of them different and each given
/// by the values of the variables of the complete system; none if all are true.
///
/// # Errors
/// When the states do not make up one instance, or the budget ends.
pub fn broken_fact(
    alloy: &Alloy,
    reading: &Reading,
    (system, states): (&System, &[Vec<Value>]),
    (command, choices): (&Command, &Choices),
    budget: &Budget,
) -> Result<Option<Broken>, Misfit> {
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
    let (Ok(number), 1, true) = (i32::try_from(states.len()), others.count(), fields) else {
        return Err(unfit.clone());
    };
    let mut choices = choices.clone();
    choices.scopes.push(Override {
        name: alloy.sigs[reading.state].label.clone(),
        number,
        exactly: true,
    });
    let mut lowered = lower_facts(&single(alloy, reading), command, &choices, 1)?;
    let atoms = lowered.scopes.upper[reading.state.index()].iter();
    let atoms: Vec<AtomId> = atoms.map(|&atom| AtomId::new(atom)).collect();
    for attribute in &system.attributes {
        let kept = kept(alloy, &lowered, (system, attribute), &atoms, states);
        let (relation, kept) = kept.ok_or_else(|| unfit.clone())?;
        lowered.problem.narrow(relation, kept.clone(), kept);
    }
    let options = Options {
        symmetry: 0,
        ..Options::default()
    };
    let mut search = Search::<Batsat>::new(&lowered.problem, &options, budget)?;
    let instance = search.next(budget)?.ok_or_else(|| unfit.clone())?;
    drop(search);
    for &(fact, _) in &reading.whole {
        let universe = lowered.problem.universe().clone();
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
        let mut evaluator = Evaluator::new(&lowered.problem, &instance, budget)?;
        if evaluator.holds(formulas[0])? {
            continue;
        }
        for (place, &formula) in formulas[1..].iter().enumerate() {
            if !evaluator.holds(formula)? {
                let state = Some(place);
                return Ok(Some(Broken { fact, state }));
            }
        }
        return Ok(Some(Broken { fact, state: None }));
    }
    Ok(None)
}

/// What a fact says of each state, and whether that is to be so or not.
fn of_each(alloy: &Alloy, state: SigId, fact: TermId) -> Option<(VarId, TermId, bool)> {
    if let Some((vars, body)) = states_for_all(alloy, state, fact) {
        let &[s] = &vars[..] else {
            return None;
        };
        return Some((s, body, true));
    }
    let TermKind::Quantified(Quantifier::No, bindings, body) = &alloy.terms[fact].kind else {
        return None;
    };
    match all_states(alloy, state, bindings)?[..] {
        [s] => Some((s, *body, false)),
        _ => None,
    }
}

/// The model without facts about all states at once.
fn single(alloy: &Alloy, reading: &Reading) -> Alloy {
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

/// The relation of a field, with its value in these states; none if it is no relation, or cannot have that value.
fn kept(
    alloy: &Alloy,
    lowered: &Lowered,
    (system, attribute): (&System, &Attribute),
    atoms: &[AtomId],
    states: &[Vec<Value>],
) -> Option<(RelationId, TupleSet)> {
    let problem = &lowered.problem;
    let &Expr::Relation(id) = problem.expr(lowered.states[0].fields[attribute.field?.index()])
    else {
        return None;
    };
    let (relation, universe) = (&problem.relations()[id], problem.universe());
    let only = only_atoms(alloy, lowered);
    let mut rows = Vec::new();
    for row in relation.upper.iter() {
        let place = atoms.iter().position(|atom| *atom == row[0])?;
        let text = row[1..].iter().map(|&atom| shown(universe, &only, atom));
        let text = text.collect::<Vec<_>>().join("->");
        if has(system, attribute, &states[place], &text) {
            rows.push(row);
        }
    }
    let kept = TupleSet::from_tuples(universe.packing(), relation.arity(), rows);
    let fits = relation.lower.is_subset(&kept);
    fits.then_some((id, kept))
}

/// Whether a field has a tuple in a state.
fn has(system: &System, attribute: &Attribute, state: &[Value], text: &str) -> bool {
    let value = |var: wherefore_model::VarId| state.get(var.index()).copied();
    match &attribute.values {
        Values::One(var) => {
            let own = value(*var).map(|value| system.model.names.show(value).to_string());
            own.as_deref() == Some(text)
        }
        Values::Tuples(tuples) => {
            let mut there = tuples.iter().filter(|(tuple, _)| tuple == text);
            there.any(|(_, var)| value(*var) == Some(Value::Bool(true)))
        }
    }
}

fn formula(meaning: Meaning, unfit: &Misfit) -> Result<FormulaId, Misfit> {
    match meaning {
        Meaning::Formula(formula) => Ok(formula),
        _ => Err(unfit.clone()),
    }
}
