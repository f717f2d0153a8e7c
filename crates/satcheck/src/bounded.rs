//! Bounded model checking: runs of at most so many steps, and those that loop within them.
//!
//! A run that is found refutes the property, whatever the bound (Biere, Cimatti, Clarke and Zhu 1999). That none is
//! found says nothing of longer ones, unless no run that could still refute the property has as many steps: then
//! there is none at all.

use wherefore_base::{Budget, Run};
use wherefore_check::Tableau;
use wherefore_logic::{Fairness, PathRule};
use wherefore_model::{Model, PropertyBody};
use wherefore_sat::Strongest;

use crate::decide::{SatRefutation, lifted};
use crate::lasso::Lassos;
use crate::question::{always, is_eventually, linear, refuted};
use crate::safety::BoundedReach;

const SINGLE: &str =
    "bounded search looks at one run at a time, and no single run says whether this holds";
const FAIR: &str = "bounded search does not answer formulas that count fair paths alone; \
     without `--bmc` every state is looked at";

/// What bounded search says of a property.
#[derive(Clone, Debug)]
pub enum Bounded {
    /// A run refutes it.
    Fails(SatRefutation),
    /// No run of so many steps can still refute it, so none does.
    Holds(usize),
    /// No run within the bound refutes it. A longer one may.
    Open,
    /// Single runs do not say it; the sentence says why.
    Unfit(String),
}

/// Looks for a run of at most so many steps, or a lasso of so many, that refutes a property, given by its index.
///
/// # Panics
/// When the model has no property with this index.
pub fn bounded(model: &Model, property: usize, most: usize, budget: &Budget) -> Run<Bounded> {
    let place = model.properties[property].span;
    let (query, ends) = match &model.properties[property].body {
        PropertyBody::Unsupported(why) => return Ok(Bounded::Unfit(why.clone())),
        PropertyBody::Distance(_) => {
            let why = "numbers of steps are not properties of single runs";
            return Ok(Bounded::Unfit(why.to_owned()));
        }
        PropertyBody::Linear(query) => (query.clone(), false),
        // Where every initial state counts, also one without a fair path, a fair run does not say it all.
        PropertyBody::Query(query) if query.rule == PathRule::PlainFair => {
            return Ok(Bounded::Unfit(FAIR.to_owned()));
        }
        PropertyBody::Query(query) => {
            let finite = matches!(query.rule, PathRule::Reach | PathRule::Plain);
            if let Some(condition) = always(query).filter(|_| finite) {
                return no_state(&refuted(model, query, condition), most, budget);
            }
            match linear(model, query) {
                Some(linear) => (linear, finite && !is_eventually(query)),
                None => return Ok(Bounded::Unfit(SINGLE.to_owned())),
            }
        }
    };
    let mut model = model.clone();
    if matches!(query.rule, PathRule::Reach | PathRule::Plain) {
        model.fairness = Fairness::default();
    }
    let vars = model.state_vars();
    let tableau = Box::new(Tableau::new(&model, &query, place));
    budget.phase("looking for a lasso of bounded length");
    let mut lassos = Lassos::<Strongest>::new(&tableau.model, budget)?;
    while lassos.length() <= most {
        budget.done(lassos.length() as u64);
        let length = lassos.length();
        if lassos.next(budget)? {
            let product = lassos.trace(budget)?;
            return Ok(Bounded::Fails(SatRefutation {
                trace: lifted(&product, vars),
                product: Some((tableau, product)),
                at_least: length,
            }));
        }
        // Runs that end may refute a property where paths may end, and are not looked at here.
        if !ends && lassos.is_dead_end(budget)? {
            return Ok(Bounded::Holds(length));
        }
    }
    Ok(Bounded::Open)
}

fn no_state(question: &crate::question::NoState, most: usize, budget: &Budget) -> Run<Bounded> {
    budget.phase("looking for a run of bounded length");
    let mut reach = BoundedReach::<Strongest>::new(&question.model, question.bad, budget)?;
    while reach.depth() <= most {
        budget.done(reach.depth() as u64);
        if reach.next(budget)? {
            let at_least = reach.depth();
            return Ok(Bounded::Fails(SatRefutation {
                trace: reach.trace(question.model.state_vars(), budget)?,
                product: None,
                at_least,
            }));
        }
    }
    Ok(Bounded::Open)
}
