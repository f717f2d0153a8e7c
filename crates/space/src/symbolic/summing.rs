//! The transition relation as sums over next states need it.
//!
//! A run is a sequence of states, so two inputs that make the same step are one step. A sum over next
//! states can be taken part by part, as an image can: a variable of the next state goes as soon as no
//! later part reads it. Inputs cannot, for they are not summed over but quantified; parts that share
//! an input are joined first.

use std::collections::BTreeSet;

use wherefore_base::Run;
use wherefore_model::{Model, VarId};

use super::bdd::{Bdd, Bdds, Level};
use super::encoding::{Encoding, Side};
use super::relation::{Copied, Part, cube, greedy};
use super::weights::Gone;

/// Parts that share an input are joined as long as the result has no more nodes.
const MOST_NODES: usize = 200_000;

/// The steps of a model without inputs, part by part, with the variables of the next state that no
/// later part reads.
pub(super) struct Summing {
    pub(super) steps: Vec<(Bdd, Gone)>,
}

impl Summing {
    /// From the parts of a relation; `None` when it is too large without its inputs.
    pub(super) fn new(
        model: &Model,
        encoding: &Encoding,
        bdds: &Bdds,
        parts: &[Part],
    ) -> Run<Option<Self>> {
        let Some(parts) = without_inputs(model, encoding, bdds, parts)? else {
            return Ok(None);
        };
        let states = (0..model.state_vars()).map(VarId::new);
        let mut left: BTreeSet<Copied> = states.map(|var| (Side::Next, var)).collect();
        let width = |(side, var): Copied| encoding.bits(var, side).len();
        let order = greedy(&parts, &left, width);
        let levels = |vars: &[Copied]| -> Vec<Level> {
            let bits = |&(side, var): &Copied| encoding.bits(var, side).iter().copied();
            vars.iter().flat_map(bits).collect()
        };
        let mut steps = Vec::new();
        for &at in order.iter().rev() {
            let last = parts[at].reads.iter().filter(|var| left.contains(var));
            let last: Vec<Copied> = last.copied().collect();
            for var in &last {
                left.remove(var);
            }
            let gone = Gone::new(bdds, &levels(&last));
            steps.push((parts[at].function.clone(), gone));
        }
        let unread: Vec<Copied> = left.into_iter().collect();
        steps.push((bdds.one(), Gone::new(bdds, &levels(&unread))));
        steps.reverse();
        Ok(Some(Self { steps }))
    }
}

/// Joins parts that share an input, and quantifies the inputs.
fn without_inputs(
    model: &Model,
    encoding: &Encoding,
    bdds: &Bdds,
    parts: &[Part],
) -> Run<Option<Vec<Part>>> {
    let is_input = |&(_, var): &Copied| var.index() >= model.state_vars();
    let shares = |a: &Part, b: &Part| {
        let mut inputs = a.reads.iter().filter(|var| is_input(var));
        inputs.any(|var| b.reads.contains(var))
    };
    let mut groups: Vec<Part> = Vec::new();
    for part in parts {
        let mut joined = part.clone();
        let mut others = Vec::new();
        for group in groups {
            if !shares(part, &group) {
                others.push(group);
                continue;
            }
            joined.function = bdds.and(&joined.function, &group.function)?;
            joined.reads.extend(&group.reads);
            if bdds.size(&joined.function) > MOST_NODES {
                return Ok(None);
            }
        }
        others.push(joined);
        groups = others;
    }
    for group in &mut groups {
        let inputs: Vec<Copied> = group
            .reads
            .iter()
            .filter(|v| is_input(v))
            .copied()
            .collect();
        group.function = bdds.exists(&group.function, &cube(bdds, encoding, inputs)?)?;
        group.reads.retain(|var| !is_input(var));
    }
    Ok(Some(groups))
}
