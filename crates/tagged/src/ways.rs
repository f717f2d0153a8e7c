//! The ways that lead on from a node, in terms of values: which choices are right and which are wrong.

use wherefore_model::lts::StateId;

use crate::cover::cover;
use crate::tagged::{NodeId, TagTarget, Tagged, TaggedStep, ZoneTag};
use crate::values::{ColumnId, NodeValues, TextId};

/// A node with more combinations of inputs and next states than this is not described by values.
const MOST: usize = 4096;

/// `variable = value`
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Setting {
    /// The variable.
    pub column: ColumnId,
    /// Its value.
    pub value: TextId,
}

/// `variable: old -> new`
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WayChange {
    /// The variable.
    pub column: ColumnId,
    /// Its value before the step.
    pub old: TextId,
    /// Its value after the step.
    pub new: TextId,
}

/// Steps of a node that have the same tag, and what they have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AvoidingWay {
    /// Their tag.
    pub tag: ZoneTag,
    /// The inputs, and the values after the step, that no step with another tag has: what decides.
    pub decides: Vec<Setting>,
    /// What changes in all of them, apart from what decides.
    pub changes: Vec<WayChange>,
    /// The variables that differ among them, apart from what decides: any value they can have here leads
    /// the same way.
    pub free: Vec<ColumnId>,
    /// The steps, in the order of [`Tagged::steps`].
    pub steps: Vec<TaggedStep>,
}

/// The ways that lead on from a node: correct ones first, then incorrect, then neutral ones. Empty when
/// there are more steps than can be described.
///
/// The ways of one tag have all steps with that tag between them; a step may go more than one of them.
pub fn ways(graph: &Tagged<'_>, values: &NodeValues, node: NodeId) -> Vec<AvoidingWay> {
    let from = graph.pair(node).state;
    let steps: Vec<TaggedStep> = graph.steps(node).collect();
    let Some(rows) = rows(graph, values, from, &steps) else {
        return Vec::new();
    };
    let columns = values.columns().len();
    // State variables are given up before inputs, later ones before earlier ones; what is the same
    // everywhere never matters.
    let differs = |at: &usize| {
        rows.iter()
            .any(|row| row.values[*at] != rows[0].values[*at])
    };
    let places = (0..values.width())
        .rev()
        .chain((values.width()..columns).rev());
    let give_up: Vec<usize> = places.filter(differs).collect();
    let mut ways = Vec::new();
    for tag in [ZoneTag::Correct, ZoneTag::Incorrect, ZoneTag::Neutral] {
        let (inside, outside): (Vec<&InputRow>, Vec<&InputRow>) =
            rows.iter().partition(|row| steps[row.step].tag == tag);
        let plain = |rows: &[&InputRow]| {
            rows.iter()
                .map(|row| row.values.clone())
                .collect::<Vec<_>>()
        };
        for cube in cover(&plain(&inside), &plain(&outside), &give_up) {
            let members: Vec<&InputRow> = cube.rows.iter().map(|&at| inside[at]).collect();
            ways.push(describe(values, from, tag, &cube.places, &members, &steps));
        }
    }
    ways
}

/// One combination of an input and a next state.
struct InputRow {
    /// The values after the step, then the inputs.
    values: Vec<TextId>,
    /// Which step it belongs to.
    step: usize,
}

fn rows(
    graph: &Tagged<'_>,
    values: &NodeValues,
    from: StateId,
    steps: &[TaggedStep],
) -> Option<Vec<InputRow>> {
    let mut rows = Vec::new();
    let inputs_known = |step: &TaggedStep| !values.inputs(from, target(graph, step)).is_empty();
    let with_inputs = values.width() < values.columns().len() && steps.iter().all(inputs_known);
    for (at, step) in steps.iter().enumerate() {
        let to = target(graph, step);
        let after = values.at(to)?;
        let mut add = |input: &[TextId]| {
            let mut row = after.to_vec();
            row.extend(input);
            // Where inputs are not known they are all the same, and decide nothing.
            row.resize(values.columns().len(), TextId::new(0));
            rows.push(InputRow {
                values: row,
                step: at,
            });
        };
        match with_inputs {
            true => values.inputs(from, to).iter().for_each(|input| add(input)),
            false => add(&[]),
        }
        if rows.len() > MOST {
            return None;
        }
    }
    Some(rows)
}

/// The state of the system that a step enters.
fn target(graph: &Tagged<'_>, step: &TaggedStep) -> StateId {
    match step.to {
        TagTarget::Node(node) => graph.pair(node).state,
        TagTarget::Sink(state) => state,
    }
}

fn describe(
    values: &NodeValues,
    from: StateId,
    tag: ZoneTag,
    places: &[usize],
    members: &[&InputRow],
    steps: &[TaggedStep],
) -> AvoidingWay {
    let first = &members[0].values;
    let decides = places.iter().map(|&at| Setting {
        column: ColumnId::new(at),
        value: first[at],
    });
    let others = (0..first.len()).filter(|at| places.binary_search(at).is_err());
    let (same, free): (Vec<usize>, Vec<usize>) =
        others.partition(|&at| members.iter().all(|row| row.values[at] == first[at]));
    let before = values.at(from);
    let change = |at: usize| {
        let old = *before?.get(at)?;
        (old != first[at]).then(|| WayChange {
            column: ColumnId::new(at),
            old,
            new: first[at],
        })
    };
    let mut of: Vec<usize> = members.iter().map(|row| row.step).collect();
    // The rows of a step are neighbours.
    of.dedup();
    AvoidingWay {
        tag,
        decides: decides.collect(),
        changes: same.into_iter().filter_map(change).collect(),
        free: free.into_iter().map(ColumnId::new).collect(),
        steps: of.into_iter().map(|at| steps[at]).collect(),
    }
}
