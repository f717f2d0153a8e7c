//! Debugging of formulas of linear time that no formula of CTL stands for.

use wherefore_base::Budget;
use wherefore_check::Tableau;
use wherefore_evidence::Investigator;
use wherefore_logic::Op;
use wherefore_model::{Model, Query};
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_tagged::{LinearMonitor, LinearProducts, MOST_PLACES, Monitor, UnfoldedModel};

use super::{NotAnalysed, TaggedModel, endless_run, notes, plain_evidence};
use crate::subjects::model::ModelSubject;

/// How far the states of a product with a tableau are listed.
const LIMITS: ExplorationLimits = ExplorationLimits {
    states: 400_000,
    transitions: 4_000_000,
};

/// Builds the subject of a formula over the listed states of the model.
pub(super) fn over(
    session: &ModelSubject,
    space: &Explicit<'_>,
    property: usize,
    query: &Query,
    unfolded: UnfoldedModel,
    budget: &Budget,
) -> Result<TaggedModel, NotAnalysed> {
    let model = session.model();
    let mut formula = query.formula.clone();
    formula.add(Op::Not(formula.root()), None);
    let opposite = Query {
        formula,
        ..query.clone()
    };
    let span = model.properties[property].span;
    let tableaux = [query, &opposite].map(|query| Tableau::new(model, query, span));
    budget.phase("listing the runs that refute and satisfy the formula");
    let refuting = listed(&tableaux[0].model, budget)?;
    let satisfying = listed(&tableaux[1].model, budget)?;
    let products = LinearProducts {
        space,
        query,
        refuting: &refuting,
        satisfying: &satisfying,
    };
    let monitor = LinearMonitor::new(&unfolded, products, budget)?;
    let monitor = monitor.ok_or_else(|| {
        too_large(&format!(
            "the states of the model and what is still possible in them make more than {MOST_PLACES} places"
        ))
    })?;
    let notes = notes(session, query, &unfolded, &[]);
    let investigator = Investigator::new(space)?;
    let finding =
        investigator.investigate_linear(property, &plain_evidence(), &tableaux[0], &refuting);
    let class = finding.class;
    Ok(TaggedModel {
        run: endless_run(space, finding, &unfolded),
        unfolded,
        monitor: Monitor::Linear(Box::new(monitor)),
        safety: false,
        class,
        notes,
    })
}

fn listed<'p>(product: &'p Model, budget: &Budget) -> Result<Explicit<'p>, NotAnalysed> {
    let explored = Explicit::explore(product, LIMITS, budget)?;
    explored.map_err(|large| too_large(&format!("with the automaton of the formula, {large}")))
}

fn too_large(what: &str) -> NotAnalysed {
    NotAnalysed::Unsupported(format!(
        "{what}, and they are listed one by one here; smaller ranges or a formula with fewer temporal operators would help, \
         and `wherefore check --count` shows several runs"
    ))
}
