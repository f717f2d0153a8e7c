//! The value of an expression on an instance.

use wherefore_alloy::model::AlloyModel;
use wherefore_alloy::{LoweredCommand, Scene, TermMeaning, expression, expression_with};
use wherefore_base::{Budget, Diagnostic, SourceFile, Span, Stop};
use wherefore_relational::{Instance, Overflow, ProblemRefusal, RelEvaluator, TupleSet};

use super::instances::hitch_at;
use super::{AlloySubject, AnswerInstance, CommandQuestion, Evaluated, ExpressionValue, Hitch};
use crate::refusal::Rejected;
use crate::subjects::model::EXPRESSION;

/// Why an expression has no value.
#[derive(Clone, Debug)]
pub enum NoValue {
    /// It is wrong, or too much for the evaluator.
    Rejected(Rejected),
    /// Time, memory or patience ran out.
    Stopped(Stop),
}

impl AlloySubject {
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
        question: &CommandQuestion<'_>,
        found: &AnswerInstance,
        budget: &Budget,
    ) -> Vec<Evaluated> {
        let texts = question.choices().evaluate.iter();
        let values = texts.map(|text| {
            let value = |state| self.evaluate(question, found, text, state, budget);
            evaluated(text, &found.scene, value)
        });
        values.collect()
    }

    /// The values of expressions in each state of an instance of which nothing but its scene is at hand.
    pub fn values_in(
        &self,
        scene: &Scene,
        command: usize,
        texts: &[String],
        overflow: Overflow,
        budget: &Budget,
    ) -> Vec<Evaluated> {
        let here = self.commands()[command].span;
        let values = texts.iter().map(|text| {
            let value = |state| {
                let told = |model: &_| Ok(LoweredCommand::of_scene(model, scene, overflow));
                self.value(scene, text, state, here, told, budget)
            };
            evaluated(text, scene, value)
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
        question: &CommandQuestion<'_>,
        found: &AnswerInstance,
        text: &str,
        state: usize,
        budget: &Budget,
    ) -> Result<ExpressionValue, NoValue> {
        let problem = |_: &_| {
            let lowered = question.lowered_for(found);
            let lowered = lowered.map_err(|refused| refused.diagnostic)?;
            Ok((lowered.clone(), found.instance.clone()))
        };
        let here = question.command().span;
        self.value(&found.scene, text, state, here, problem, budget)
    }

    /// The value of an expression in a state of a scene, which is an instance of a problem.
    fn value(
        &self,
        scene: &Scene,
        text: &str,
        state: usize,
        here: Span,
        problem: impl FnOnce(&AlloyModel) -> Result<(LoweredCommand, Instance), Diagnostic>,
        budget: &Budget,
    ) -> Result<ExpressionValue, NoValue> {
        let mut sources = self.sources.clone();
        let file = sources.add(SourceFile::new(EXPRESSION, text));
        // The model itself stays as it is: its strings are the atoms of later problems.
        let mut loaded = self.loaded.clone();
        let given = scene.given(&loaded.model);
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
        let (mut lowered, instance) =
            problem(&loaded.model).map_err(|diagnostic| reject(vec![diagnostic]))?;
        let packing = lowered.problem.universe().packing();
        let values = values.iter().zip(&names);
        let values =
            values.map(|(rows, name)| TupleSet::from_tuples(packing, name.columns.len(), rows));
        let given: Vec<_> = vars.into_iter().zip(values).collect();
        let meaning = lowered.meaning_with(&loaded.model, term, state, &given);
        let meaning = meaning.map_err(|diagnostic| reject(vec![diagnostic]))?;
        let refused = |refusal: ProblemRefusal| match hitch_at(refusal, here) {
            Hitch::Stopped(stop) => NoValue::Stopped(stop),
            Hitch::Refused(refused) => reject(vec![refused.diagnostic]),
        };
        // Nodes that were added may use relations that the instance has no value for: constants.
        let instance = instance.completed(&lowered.problem);
        let mut evaluator =
            RelEvaluator::new(&lowered.problem, &instance, budget).map_err(refused)?;
        Ok(match meaning {
            TermMeaning::Formula(formula) => {
                ExpressionValue::Truth(evaluator.holds(formula).map_err(refused)?)
            }
            TermMeaning::Int(int) => {
                ExpressionValue::Number(evaluator.integer(int).map_err(refused)?)
            }
            TermMeaning::Expr(expr) => {
                let tuples = evaluator.tuples(expr).map_err(refused)?;
                ExpressionValue::Rows {
                    arity: tuples.arity(),
                    rows: tuples.iter().collect(),
                }
            }
        })
    }
}

/// The values of an expression in each state of a scene.
fn evaluated(
    text: &str,
    scene: &Scene,
    value: impl Fn(usize) -> Result<ExpressionValue, NoValue>,
) -> Evaluated {
    let states = (0..scene.moments.len()).map(|state| {
        value(state).map_err(|none| match none {
            NoValue::Stopped(stop) => stop.to_string(),
            NoValue::Rejected(rejected) => {
                let mut messages = rejected.diagnostics.into_iter().map(|d| d.message);
                messages.next().unwrap_or_default()
            }
        })
    });
    Evaluated {
        text: text.to_string(),
        states: states.collect(),
    }
}
