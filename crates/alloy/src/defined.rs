//! The values of functions without parameters on an instance: sets and relations that users name to see them.

use wherefore_base::Budget;
use wherefore_relational::{Instance, RelEvaluator};

use crate::lower::{LoweredCommand, TermMeaning};
use crate::model::{AlloyModel, Function, SigId};
use crate::scene::{Scene, SceneRow};

/// A function without parameters, with its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defined {
    /// Its name.
    pub name: String,
    /// The products of signatures that make its type.
    pub types: Vec<Vec<SigId>>,
    /// Its rows, state by state.
    pub states: Vec<Vec<SceneRow>>,
}

/// How often the evaluation of a function asks whether to go on: a second or two.
const MOST: u64 = 10_000;

impl Scene {
    /// The functions of the main module that take nothing. One that is too much for the evaluator is left out.
    pub fn defined(&self, model: &AlloyModel) -> Vec<Defined> {
        let own = |function: &&Function| function.arity() == 0 && !function.label.contains('/');
        let functions = model.functions.iter().filter(own);
        functions
            .filter_map(|function| self.value_of(model, function))
            .collect()
    }

    fn value_of(&self, model: &AlloyModel, function: &Function) -> Option<Defined> {
        let (result, body) = (function.result?, function.body?);
        let ty = &model.terms[result].ty;
        let mut types = ty.real_products(ty.arity()?);
        if types.is_empty() {
            return None;
        }
        let (lowered, instance) = LoweredCommand::of_scene(model, self, self.overflow);
        let mut states = Vec::with_capacity(self.moments.len());
        for state in 0..self.moments.len() {
            let mut lowered = lowered.clone();
            let meaning = lowered.meaning(model, body, state).ok()?;
            let rows = rows(&lowered, &instance, &meaning)?;
            for row in &rows {
                self.widen(model, &mut types, row)?;
            }
            states.push(rows);
        }
        Some(Defined {
            name: function.label.clone(),
            types,
            states,
        })
    }

    /// Makes a type have a row: what a function returns need not be what it declares.
    fn widen(&self, model: &AlloyModel, types: &mut Vec<Vec<SigId>>, row: &SceneRow) -> Option<()> {
        let sigs = row.iter().map(|&atom| self.atoms[atom].sig);
        let sigs: Vec<SigId> = sigs.collect::<Option<_>>()?;
        let has = |product: &Vec<SigId>| {
            let mut columns = sigs.iter().zip(product);
            columns.all(|(&sig, &of)| model.is_within(sig, of))
        };
        if !types.iter().any(has) {
            types.push(sigs);
        }
        Some(())
    }
}

/// The rows of a set, a relation or a number.
fn rows(
    lowered: &LoweredCommand,
    instance: &Instance,
    meaning: &TermMeaning,
) -> Option<Vec<SceneRow>> {
    let instance = instance.completed(&lowered.problem);
    let budget = Budget::unlimited().counted(MOST);
    let mut evaluator = RelEvaluator::new(&lowered.problem, &instance, &budget).ok()?;
    match meaning {
        TermMeaning::Formula(_) => None,
        TermMeaning::Expr(expr) => Some(evaluator.tuples(*expr).ok()?.iter().collect()),
        TermMeaning::Int(int) => {
            let value = evaluator.integer(*int).ok()??;
            let mut atoms = lowered.problem.integers().atoms.iter();
            let (atom, _) = atoms.find(|(_, known)| *known == value)?;
            Some(vec![vec![*atom]])
        }
    }
}
