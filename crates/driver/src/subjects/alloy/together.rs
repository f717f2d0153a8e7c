//! Facts about all states at once, looked at in the states of a complete system that can be reached.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use wherefore_alloy::LoweringOptions;
use wherefore_alloy::model::Command;
use wherefore_base::{Budget, Stop, Value};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_tcmc::{CompleteSystem, MOST_OTHERS, SystemReading, TcmcMisfit, broken_fact};

use super::AlloySubject;

/// How a state is come to.
#[derive(Clone, Copy, Default)]
struct Entered {
    initial: bool,
    /// The place of the first state that has a step to it.
    from: Option<usize>,
}

/// States as values of variables, and for each how it is come to.
type Reached = (Vec<Vec<Value>>, Vec<Entered>);

/// Facts about all states are looked at in systems of no more states.
const MOST_STATES: usize = 100;

impl AlloySubject {
    /// Makes sure that what the facts say of all states at once is true of those that can be reached.
    ///
    /// # Errors
    /// When it is not, when there are too many of them, or when the budget ends.
    pub(super) fn together(
        &self,
        reading: &SystemReading,
        system: &CompleteSystem,
        asked: (&Command, &LoweringOptions),
        budget: &Budget,
    ) -> Result<(), TcmcMisfit> {
        let model = self.model();
        let Some((_, unfit)) = reading.whole.first() else {
            return Ok(());
        };
        let limits = ExplorationLimits {
            states: MOST_STATES,
            transitions: MOST_STATES * MOST_STATES,
        };
        let Ok(space) = Explicit::explore(&system.model, limits, budget)? else {
            return Err(unfit.clone());
        };
        let (states, entered) = breadth_first(system, &space)?;
        let broken = broken_fact(model, reading, (system, &states), asked, budget)?;
        let Some(broken) = broken else {
            return Ok(());
        };
        let text = system.text(&states[broken.state]);
        let Entered { initial, from } = entered[broken.state];
        let step = from.map(|from| {
            let from = system.text(&states[from]);
            format!("cut the step from ({from}) to ({text})")
        });
        let start = initial.then(|| format!("take away the initial state ({text})"));
        let would: Vec<String> = start.into_iter().chain(step).collect();
        let would = would.join(" and ");
        let message = format!(
            "This fact is false of the {} states that can be reached, also with up to {MOST_OTHERS} others, and would \
             {would}: the facts are inconsistent, or do not define one system",
            states.len()
        );
        let span = model.terms[broken.fact].span;
        Err(TcmcMisfit::Shape { message, span })
    }
}

/// The states that can be reached, the nearest first.
fn breadth_first(system: &CompleteSystem, space: &Explicit) -> Result<Reached, Stop> {
    let (mut states, mut entered) = (Vec::new(), Vec::<Entered>::new());
    // Counters beside the fields make no state of the model.
    let mut places = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::new();
    for state in space.listed(space.initial()) {
        open.push_back((state?, None));
    }
    while let Some((state, before)) = open.pop_front() {
        let values: Vec<Value> = space.values(&state);
        let place = *places.entry(system.text(&values)).or_insert_with(|| {
            states.push(values.clone());
            entered.push(Entered::default());
            states.len() - 1
        });
        entered[place].initial |= before.is_none();
        entered[place].from = entered[place].from.or(before);
        if seen.insert(values) {
            for next in space.successors(&state)? {
                open.push_back((next?, Some(place)));
            }
        }
    }
    Ok((states, entered))
}
