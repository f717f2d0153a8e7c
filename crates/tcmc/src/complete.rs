//! The complete transition system of a model, for given scopes of everything but the states.
//!
//! A state is the values of its fields, so each tuple that a field may have is a variable of the system. The
//! definitions are compiled in a universe with two states, the present one and the next one: the tuples of
//! the first are the variables now, those of the second the variables after the step. The two may be equal;
//! `=` between them compares their fields. Relations that do not belong to states keep their first value.

use wherefore_alloy::model::{Command, FieldId};
use wherefore_alloy::{
    AlloyModel as Alloy, LoweringOptions, Override, Scopes, lower_declarations, scopes,
};
use wherefore_base::{Budget, Value};
use wherefore_model::{Model, VarId};

use crate::formulas::Formulas;
use crate::misfit::TcmcMisfit;
use crate::pair::{broken_promise, check_implications, restricts_pairs};
use crate::property::AskedFormula;
use crate::reading::SystemReading;
use crate::system::SystemBuilder;

/// A complete transition system.
#[derive(Clone, Debug)]
pub struct CompleteSystem {
    /// The system, with the formulas of the commands as its properties.
    pub model: Model,
    /// How its variables make up fields and relations.
    pub attributes: Vec<Attribute>,
}

/// A field of the states or a relation of the model, as variables of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// The field, if it is one of the states.
    pub field: Option<FieldId>,
    /// Its value.
    pub values: FieldValues,
}

/// How variables make up the value of a field or a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldValues {
    /// There is one atom, which is the value of a variable.
    One(VarId),
    /// There are tuples, each of them told by a variable: the texts of all that may be there.
    Tuples(Vec<(String, VarId)>),
}

impl CompleteSystem {
    /// A state, given by the values of its variables, as the values of its fields.
    pub fn text(&self, values: &[Value]) -> String {
        let value = |var: VarId| values.get(var.index()).copied();
        let fields = self
            .attributes
            .iter()
            .filter(|attribute| attribute.field.is_some());
        let parts = fields.map(|attribute| {
            let text = match &attribute.values {
                FieldValues::One(var) => match value(*var) {
                    Some(value) => self.model.names.show(value).to_string(),
                    None => String::new(),
                },
                FieldValues::Tuples(tuples) => {
                    let there = tuples
                        .iter()
                        .filter(|(_, var)| value(*var) == Some(Value::Bool(true)));
                    let there: Vec<&str> = there.map(|(text, _)| text.as_str()).collect();
                    match there[..] {
                        [one] => one.to_string(),
                        _ => format!("{{{}}}", there.join(", ")),
                    }
                }
            };
            format!("{} = {text}", attribute.name)
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// Makes the complete system in which commands ask for formulas. All of them must have the scopes of the first
/// one, but for that of the states; those that have others get no answer. A model with facts about all states at once does
/// not fit; whoever looks at these later, with [`broken_fact`](crate::broken_fact), makes it without them.
///
/// # Errors
/// When the model does not fit, or when the budget ends.
///
/// # Panics
/// When there is no command.
pub fn complete(
    alloy: &Alloy,
    reading: &SystemReading,
    commands: &[(&Command, Result<AskedFormula, String>)],
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<CompleteSystem, TcmcMisfit> {
    let first = commands.first().expect("there is a command").0;
    if let Some((_, misfit)) = reading.whole.first() {
        return Err(misfit.clone());
    }
    if let Some(fact) = restricts_pairs(alloy, reading, first, choices, budget)? {
        let span = alloy.terms[fact].span;
        return Err(TcmcMisfit::Pairs { fact, span });
    }
    check_implications(alloy, reading, first, choices, budget)?;
    if let Some((fact, seen)) = broken_promise(alloy, reading, first, choices, budget)? {
        return Err(TcmcMisfit::Cut {
            span: alloy.terms[fact].span,
            from: seen.now,
            to: seen.next,
        });
    }
    complete_as_watched(alloy, reading, commands, choices, budget)
}

/// The complete system without any formula but one, its only property: no step that can be reached breaks
/// what is said of every step. The state after such a step is told by a variable of its own.
///
/// # Errors
/// As of [`complete()`].
pub fn watched(
    alloy: &Alloy,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<CompleteSystem, TcmcMisfit> {
    let choices = with_two_states(alloy, reading, choices);
    let mut lowered = lower_declarations(alloy, command, &choices)?;
    lowered.records = Some(reading.state);
    let formulas = Formulas::new(alloy, reading, &[], &mut lowered)?;
    SystemBuilder::new(alloy, reading, &lowered, budget)?.watch(&formulas)
}

/// Makes the complete system as [`complete()`] does, where somebody made sure with [`watched`] that no step that can be
/// reached breaks what is said of every step.
///
/// # Errors
/// As of [`complete()`].
///
/// # Panics
/// As [`complete()`].
pub fn complete_as_watched(
    alloy: &Alloy,
    reading: &SystemReading,
    commands: &[(&Command, Result<AskedFormula, String>)],
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<CompleteSystem, TcmcMisfit> {
    let choices = with_two_states(alloy, reading, choices);
    let first = commands.first().expect("there is a command").0;
    let mut lowered = lower_declarations(alloy, first, &choices)?;
    // States with equal fields are equal: `=` between two states compares their fields.
    lowered.records = Some(reading.state);
    let mut asked = Vec::new();
    for (command, formula) in commands {
        let formula = match formula {
            Err(why) => Err(why.clone()),
            Ok(_) if !same_scopes(&scopes(alloy, command, &choices.scopes)?, &lowered.scopes) => {
                Err(format!(
                    "its scopes are not those of `{}`; check it by itself, or give the same scopes with --scope",
                    first.label
                ))
            }
            Ok(formula) => Ok(formula),
        };
        asked.push((*command, formula));
    }
    let formulas = Formulas::new(alloy, reading, &asked, &mut lowered)?;
    let builder = SystemBuilder::new(alloy, reading, &lowered, budget)?;
    builder.finish(&asked, &formulas)
}

/// Whether two commands ask of the same system: of the same atoms, but for the states.
///
/// # Errors
/// When the scopes of a command are wrong.
pub fn of_one_system(
    alloy: &Alloy,
    reading: &SystemReading,
    (a, b): (&Command, &Command),
    choices: &LoweringOptions,
) -> Result<bool, TcmcMisfit> {
    let choices = with_two_states(alloy, reading, choices);
    let scopes = |command| scopes(alloy, command, &choices.scopes);
    Ok(same_scopes(&scopes(a)?, &scopes(b)?))
}

/// A command with its formula, or why it has none here.
pub(crate) type WantedFormula<'a> = (&'a Command, Result<&'a AskedFormula, String>);

/// Whether two commands speak of the same atoms.
fn same_scopes(a: &Scopes, b: &Scopes) -> bool {
    (a.bits, a.sequence, &a.atoms) == (b.bits, b.sequence, &b.atoms)
        && (&a.lower, &a.upper, &a.most) == (&b.lower, &b.upper, &b.most)
}

/// Choices in which there are two states, and next to nothing of what the module declares.
pub(crate) fn with_two_states(
    alloy: &Alloy,
    reading: &SystemReading,
    choices: &LoweringOptions,
) -> LoweringOptions {
    let mut choices = choices.clone();
    choices.scopes.extend(two_states(alloy, reading));
    choices
}

fn two_states(alloy: &Alloy, reading: &SystemReading) -> Vec<Override> {
    let mut scopes = vec![Override {
        name: alloy.sigs[reading.state].label.clone(),
        number: 2,
        exactly: true,
    }];
    for (id, sig) in alloy.declared() {
        if reading.module.owns(alloy, id) && sig.is_top_level() && sig.mult.is_none() {
            scopes.push(Override {
                name: sig.label.clone(),
                number: 1,
                exactly: false,
            });
        }
    }
    scopes
}
