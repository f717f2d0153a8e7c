//! The value of an expression on an instance.

use wherefore_alloy::{Meaning, expression, expression_with};
use wherefore_base::{Budget, SourceFile, Stop};
use wherefore_relational::{Evaluator, Refusal, TupleSet};

use super::{AlloySession, Evaluated, Found, Hitch, Question, Value};
use crate::session::{EXPRESSION, Rejected};

/// Why an expression has no value.
#[derive(Clone, Debug)]
pub enum NoValue {
    /// It is wrong, or too much for the evaluator.
    Rejected(Rejected),
    /// Time, memory or patience ran out.
    Stopped(Stop),
}

impl AlloySession {
    /// Whether a text is an expression of the model.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read_expression(&self, text: &str) -> Result<(), Rejected> {
        let mut sources = self.sources.clone();
        let file = sources.add(SourceFile::new(EXPRESSION, text));
        match expression(&mut sources, file, &mut self.loaded.clone()) {
            Ok(_) => Ok(()),
            Err(diagnostics) => Err(Rejected {
                sources,
                diagnostics,
            }),
        }
    }

    /// The values of the expressions that are wanted in each instance.
    pub(super) fn values(
        &self,
        question: &Question<'_>,
        found: &Found,
        budget: &Budget,
    ) -> Vec<Evaluated> {
        let texts = question.choices().evaluate.iter();
        let values = texts.map(|text| {
            let states = (0..found.scene.moments.len()).map(|state| {
                let value = self.evaluate(question, found, text, state, budget);
                value.map_err(|none| match none {
                    NoValue::Stopped(stop) => stop.to_string(),
                    NoValue::Rejected(rejected) => {
                        let mut messages = rejected.diagnostics.into_iter().map(|d| d.message);
                        messages.next().unwrap_or_default()
                    }
                })
            });
            Evaluated {
                text: text.clone(),
                states: states.collect(),
            }
        });
        values.collect()
    }

    /// The value of an expression, a formula or an integer in a state of an instance. It is evaluated as it
    /// is defined, without a solver. Beside the names of the model it may use those of the atoms of the
    /// instance (`Book$0`) and of its witnesses (`$show_b`).
    ///
    /// # Errors
    /// What is wrong with the expression, or that the budget ended.
    pub fn evaluate(
        &self,
        question: &Question<'_>,
        found: &Found,
        text: &str,
        state: usize,
        budget: &Budget,
    ) -> Result<Value, NoValue> {
        let mut sources = self.sources.clone();
        let file = sources.add(SourceFile::new(EXPRESSION, text));
        // The model itself stays as it is: its strings are the atoms of later problems.
        let mut loaded = self.loaded.clone();
        let given = found.scene.given(&loaded.model);
        let given = given
            .into_iter()
            .filter(|(given, _)| text.contains(&given.name));
        let (names, values): (Vec<_>, Vec<_>) = given.unzip();
        let read = expression_with(&mut sources, file, &mut loaded, &names);
        let reject = |diagnostics| {
            NoValue::Rejected(Rejected {
                sources: sources.clone(),
                diagnostics,
            })
        };
        let (term, vars) = read.map_err(&reject)?;
        let lowered = question.lowered_for(found);
        let mut lowered = lowered
            .map_err(|refused| reject(vec![refused.diagnostic]))?
            .clone();
        let packing = lowered.problem.universe().packing();
        let values = values.iter().zip(&names);
        let values =
            values.map(|(rows, name)| TupleSet::from_tuples(packing, name.columns.len(), rows));
        let given: Vec<_> = vars.into_iter().zip(values).collect();
        let meaning = lowered.meaning_with(&loaded.model, term, state, &given);
        let meaning = meaning.map_err(|diagnostic| reject(vec![diagnostic]))?;
        let refused = |refusal: Refusal| match question.hitch(refusal) {
            Hitch::Stopped(stop) => NoValue::Stopped(stop),
            Hitch::Refused(refused) => reject(vec![refused.diagnostic]),
        };
        // Nodes that were added may use relations that the instance has no value for: constants.
        let instance = found.instance.completed(&lowered.problem);
        let mut evaluator = Evaluator::new(&lowered.problem, &instance, budget).map_err(refused)?;
        Ok(match meaning {
            Meaning::Formula(formula) => Value::Truth(evaluator.holds(formula).map_err(refused)?),
            Meaning::Int(int) => Value::Number(evaluator.integer(int).map_err(refused)?),
            Meaning::Expr(expr) => {
                let tuples = evaluator.tuples(expr).map_err(refused)?;
                Value::Rows {
                    arity: tuples.arity(),
                    rows: tuples.iter().collect(),
                }
            }
        })
    }
}
