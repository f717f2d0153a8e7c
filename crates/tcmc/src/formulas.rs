//! The definitions of a transition system as formulas over two states, the present one and the next one.

use wherefore_alloy::model::{AlloyTermId, AlloyTermKind, AlloyVarId, Mult, SigId};
use wherefore_alloy::{AlloyModel as Alloy, LoweredCommand, TermMeaning};
use wherefore_base::Span;
use wherefore_relational::{FormulaId, Problem, TupleSet, UniverseAtomId};

use crate::complete::WantedFormula;
use crate::derive::{OperationGuard, guards};
use crate::fairness::{Fair, FairnessConstraint};
use crate::misfit::TcmcMisfit;
use crate::operation::Operation;
use crate::reading::SystemReading;
use crate::system::{only_atoms, shown};

/// So many operations, with their arguments, are told apart.
const MOST_OPERATIONS: usize = 256;

/// What a step is called that no operation begins.
pub(crate) const NO_OPERATION: &str = "no operation";

/// The definitions as formulas over the present state and the next one.
pub(crate) struct Formulas {
    pub(crate) initial: FormulaId,
    pub(crate) step: FormulaId,
    /// What is asked for again and again, and where that is written.
    pub(crate) fair: Vec<(FormulaId, Span)>,
    /// Whether several of these are counted off.
    pub(crate) counted: bool,
    /// What holds in every state and of everything else; formulas of declarations speak of both states.
    pub(crate) always: Vec<(FormulaId, Option<Span>)>,
    /// What is said of every step.
    pub(crate) promised: Vec<FormulaId>,
    /// The names of the operations that a step is one of, and what they are; empty if they are not known.
    pub(crate) operations: Vec<(String, FormulaId)>,
    /// Whether operations are what begins them, beside what a step is.
    pub(crate) guarded: bool,
    /// For each command, what its atoms mean.
    pub(crate) atoms: Vec<Vec<FormulaId>>,
    pub(crate) spans: Spans,
}

pub(crate) struct Spans {
    pub(crate) initial: Span,
    pub(crate) step: Span,
}

impl Formulas {
    pub(crate) fn new(
        alloy: &Alloy,
        reading: &SystemReading,
        asked: &[WantedFormula<'_>],
        lowered: &mut LoweredCommand,
    ) -> Result<Self, TcmcMisfit> {
        let atoms = &lowered.scopes.upper[reading.state.index()];
        let &[now, next] = &atoms[..] else {
            let span = alloy.sigs[reading.state].span;
            return Err(TcmcMisfit::new(
                span,
                "The signature of the states cannot have two atoms",
            ));
        };
        let universe = lowered.problem.universe().clone();
        let state = |atom: usize| universe.set([UniverseAtomId::new(atom)]);
        let (now, next) = (state(now), state(next));
        let present = lowered.problem.constant("now", now.clone());
        let present = lowered.problem.rel(present);
        let mut formula = |term: AlloyTermId, states: &[(AlloyVarId, &TupleSet)]| {
            let given = states.iter().map(|&(var, state)| (var, state.clone()));
            let given: Vec<(AlloyVarId, TupleSet)> = given.collect();
            match lowered.meaning_with(alloy, term, 0, &given)? {
                TermMeaning::Formula(formula) => Ok(formula),
                _ => Err(TcmcMisfit::new(
                    alloy.terms[term].span,
                    "This is not a formula",
                )),
            }
        };
        let initial = formula(reading.initial.1, &[(reading.initial.0, &now)])?;
        let (s, t, body) = reading.step;
        let step = formula(body, &[(s, &now), (t, &next)])?;
        let mut always = Vec::new();
        // They are said of the present state only: as invariants of the system they hold in every state.
        for &(s, body) in &reading.invariants {
            always.push((formula(body, &[(s, &now)])?, Some(alloy.terms[body].span)));
        }
        for &term in &reading.still {
            always.push((formula(term, &[])?, Some(alloy.terms[term].span)));
        }
        let mut promised = Vec::new();
        for &(s, t, body) in &reading.promised {
            promised.push(formula(body, &[(s, &now), (t, &next)])?);
        }
        let mut atoms = Vec::new();
        for (_, formula) in asked {
            let mut of_command = Vec::new();
            for &term in formula.iter().flat_map(|formula| formula.atoms.iter()) {
                let TermMeaning::Expr(set) = lowered.meaning(alloy, term, 0)? else {
                    let span = alloy.terms[term].span;
                    return Err(TcmcMisfit::new(span, "This is not a set of states"));
                };
                of_command.push(lowered.problem.is_in(present, set));
            }
            atoms.push(of_command);
        }
        let guards = guards_of_steps(alloy, reading, lowered, &now)?;
        let guarded = !guards.is_empty();
        let operations = match guarded {
            true => guards,
            false => operations(alloy, reading, lowered, [&now, &next])?,
        };
        let operations = joined(operations, &mut lowered.problem);
        let mut fair = Vec::new();
        for one in &reading.fair {
            fair.extend(constraints(alloy, one, lowered, &now)?);
        }
        Ok(Self {
            initial,
            step,
            fair,
            counted: reading.counted,
            always,
            promised,
            operations,
            guarded,
            atoms,
            spans: Spans {
                initial: alloy.terms[reading.initial.1].span,
                step: alloy.terms[body].span,
            },
        })
    }
}

/// What a definition of fair states asks for again and again. A constraint whose atom is not there asks for nothing.
fn constraints(
    alloy: &Alloy,
    fair: &Fair,
    lowered: &mut LoweredCommand,
    now: &TupleSet,
) -> Result<Vec<(FormulaId, Span)>, TcmcMisfit> {
    let span = alloy.terms[fair.body].span;
    let each = match fair.of {
        FairnessConstraint::Only | FairnessConstraint::Of(_) => vec![None],
        FairnessConstraint::Each(var, sig) => {
            let atoms = lowered.scopes.upper[sig.index()].iter();
            atoms.map(|&atom| Some((var, sig, atom))).collect()
        }
    };
    let universe = lowered.problem.universe().clone();
    let mut found = Vec::new();
    for one in each {
        let mut given = vec![(fair.s, now.clone())];
        let value =
            one.map(|(var, sig, atom)| (var, sig, universe.set([UniverseAtomId::new(atom)])));
        if let Some((var, _, value)) = &value {
            given.push((*var, value.clone()));
        }
        let TermMeaning::Formula(formula) = lowered.meaning_with(alloy, fair.body, 0, &given)?
        else {
            return Err(TcmcMisfit::new(span, "This is not a formula"));
        };
        let formula = match value {
            None => formula,
            Some((_, sig, value)) => {
                let atom = lowered.problem.constant("constraint", value);
                let atom = lowered.problem.rel(atom);
                let sig = lowered.states[0].sigs[sig.index()];
                let there = lowered.problem.is_in(atom, sig);
                lowered.problem.implies(there, formula)
            }
        };
        found.push((formula, span));
    }
    Ok(found)
}

/// Operations by their names, each once: what is written several times happens in any of these ways.
fn joined(operations: Vec<(String, FormulaId)>, problem: &mut Problem) -> Vec<(String, FormulaId)> {
    let mut found: Vec<(String, FormulaId)> = Vec::new();
    for (name, formula) in operations {
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, ways)) => *ways = problem.or([*ways, formula]),
            None => found.push((name, formula)),
        }
    }
    found
}

/// What begins the operations of a step that is a conjunction of implications, and what begins none of them.
fn guards_of_steps(
    alloy: &Alloy,
    reading: &SystemReading,
    lowered: &mut LoweredCommand,
    now: &TupleSet,
) -> Result<Vec<(String, FormulaId)>, TcmcMisfit> {
    let mut found = Vec::new();
    for OperationGuard { name, lets, guard } in guards(alloy, reading.step).unwrap_or_default() {
        // Every variable of a guard stands for the present state.
        let present = lets.iter().map(|(var, _)| *var).chain([reading.step.0]);
        let given: Vec<(AlloyVarId, TupleSet)> = present.map(|var| (var, now.clone())).collect();
        match lowered.meaning_with(alloy, guard, 0, &given)? {
            TermMeaning::Formula(formula) => found.push((name, formula)),
            _ => return Ok(Vec::new()),
        }
    }
    if !found.is_empty() {
        let begins: Vec<FormulaId> = found.iter().map(|(_, begins)| *begins).collect();
        let some = lowered.problem.or(begins);
        found.push((NO_OPERATION.to_owned(), lowered.problem.not(some)));
    }
    Ok(found)
}

/// The operations of a step with all their arguments; none if there are too many.
fn operations(
    alloy: &Alloy,
    reading: &SystemReading,
    lowered: &mut LoweredCommand,
    [now, next]: [&TupleSet; 2],
) -> Result<Vec<(String, FormulaId)>, TcmcMisfit> {
    let mut found = Vec::new();
    let only = only_atoms(alloy, lowered);
    for operation in &reading.operations {
        let Some(values) = arguments(alloy, lowered, operation) else {
            return Ok(Vec::new());
        };
        if found.len() + values.len() > MOST_OPERATIONS {
            return Ok(Vec::new());
        }
        for chosen in values {
            let universe = lowered.problem.universe().clone();
            let mut given = vec![(operation.s, now.clone()), (operation.t, next.clone())];
            let mut parts = Vec::new();
            let mut texts = Vec::new();
            for &(var, sig, atom) in &chosen {
                let value = universe.set([atom]);
                texts.push(shown(&universe, &only, atom).to_owned());
                let constant = lowered.problem.constant("argument", value.clone());
                let constant = lowered.problem.rel(constant);
                let sig = lowered.states[0].sigs[sig.index()];
                // The atom is one that the signature may have, and need not be there.
                parts.push(lowered.problem.is_in(constant, sig));
                given.push((var, value));
            }
            match lowered.meaning_with(alloy, operation.call, 0, &given)? {
                TermMeaning::Formula(formula) => parts.push(formula),
                _ => return Ok(Vec::new()),
            }
            let name = match texts.is_empty() {
                true => operation.name.clone(),
                false => format!("{}[{}]", operation.name, texts.join(", ")),
            };
            found.push((name, lowered.problem.and(parts)));
        }
    }
    Ok(found)
}

/// An argument of an operation: the variable, the signature it is from, and its value.
pub(crate) type Argument = (AlloyVarId, SigId, UniverseAtomId);

/// All values of the other arguments of an operation; none if they are not atoms of signatures, or are too
/// many.
pub(crate) fn arguments(
    alloy: &Alloy,
    lowered: &LoweredCommand,
    operation: &Operation,
) -> Option<Vec<Vec<Argument>>> {
    let mut all = vec![Vec::new()];
    for binding in &operation.some {
        let AlloyTermKind::Mult(Mult::One, bound) = alloy.terms[binding.bound].kind else {
            return None;
        };
        let AlloyTermKind::Sig(sig) = alloy.terms[bound].kind else {
            return None;
        };
        if binding.disj || sig.index() < Alloy::BUILT_IN {
            return None;
        }
        for &var in &binding.vars {
            let atoms = &lowered.scopes.upper[sig.index()];
            if all.len() * atoms.len() > MOST_OPERATIONS {
                return None;
            }
            let with = |chosen: &Vec<Argument>| {
                let chosen = chosen.clone();
                atoms.iter().map(move |&atom| {
                    let argument = (var, sig, UniverseAtomId::new(atom));
                    chosen.iter().copied().chain([argument]).collect()
                })
            };
            all = all.iter().flat_map(with).collect();
        }
    }
    Some(all)
}
