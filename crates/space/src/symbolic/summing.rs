//! The transition relation as sums over next states need it.
//!
//! A run is a sequence of states, so two inputs that make the same step are one step. A sum over next
//! states can be taken part by part, as an image can: a variable of the next state goes as soon as no
//! later part reads it. Inputs cannot, for they are not summed over but quantified; parts that share
//! an input are joined first.

use std::collections::BTreeSet;

use wherefore_base::Run;
use wherefore_model::{Model, VarId};

use super::bdd::{Bdd, Bdds, Bit};
use super::encoding::{BitEncoding, StateSide};
use super::relation::{RelationPart, RelationVar, cube, greedy};
use super::weights::Gone;

/// Parts that share an input are joined as long as the result has no more nodes.
const MOST_NODES: usize = 200_000;

/// Inputs with no more values together are taken one value after the other.
const MOST_VALUATIONS: u128 = 256;

/// The steps of a model without inputs, part by part, with the variables of the next state that no
/// later part reads.
pub(super) struct Summing {
    pub(super) steps: Vec<(Bdd, Gone)>,
}

impl Summing {
    /// From the parts of a relation; `None` when it is too large without its inputs.
    pub(super) fn new(
        model: &Model,
        encoding: &BitEncoding,
        bdds: &Bdds,
        parts: &[RelationPart],
    ) -> Run<Option<Self>> {
        let Some(parts) = without_inputs(model, encoding, bdds, parts)? else {
            return Ok(None);
        };
        let states = (0..model.state_vars()).map(VarId::new);
        let mut left: BTreeSet<RelationVar> = states.map(|var| (StateSide::Next, var)).collect();
        let width = |(side, var): RelationVar| encoding.bits(var, side).len();
        let order = greedy(&parts, &left, width);
        let bits = |vars: &[RelationVar]| -> Vec<Bit> {
            let own = |&(side, var): &RelationVar| encoding.bits(var, side).iter().copied();
            vars.iter().flat_map(own).collect()
        };
        let mut steps = Vec::new();
        for &at in order.iter().rev() {
            // Seen from the end, the first reader of a variable is the last to be joined.
            let last = parts[at].reads.iter().filter(|var| left.contains(var));
            let last: Vec<RelationVar> = last.copied().collect();
            for var in &last {
                left.remove(var);
            }
            let gone = Gone::new(bdds, &bits(&last));
            steps.push((parts[at].function.clone(), gone));
        }
        let unread: Vec<RelationVar> = left.into_iter().collect();
        // Pushed last, this is the first step: variables that no part reads go at once.
        steps.push((bdds.one(), Gone::new(bdds, &bits(&unread))));
        steps.reverse();
        Ok(Some(Self { steps }))
    }
}

/// Joins parts that share an input, and quantifies the inputs.
fn without_inputs(
    model: &Model,
    encoding: &BitEncoding,
    bdds: &Bdds,
    parts: &[RelationPart],
) -> Run<Option<Vec<RelationPart>>> {
    let is_input = |&(_, var): &RelationVar| var.index() >= model.state_vars();
    let inputs = |part: &RelationPart| -> BTreeSet<RelationVar> {
        let reads = part.reads.iter();
        reads.filter(|var| is_input(var)).copied().collect()
    };
    let mut groups: Vec<(BTreeSet<RelationVar>, Vec<&RelationPart>)> = Vec::new();
    for part in parts {
        let (mut shared, mut members) = (inputs(part), vec![part]);
        // A part may connect groups that had no input in common so far.
        let (joined, others) = groups
            .into_iter()
            .partition(|(other, _)| !other.is_disjoint(&shared));
        groups = others;
        for (other, parts) in Vec::<(BTreeSet<RelationVar>, Vec<&RelationPart>)>::from_iter(joined)
        {
            shared.extend(other);
            members.extend(parts);
        }
        groups.push((shared, members));
    }
    let mut result = Vec::new();
    for (inputs, members) in groups {
        let function = match valuations(model, encoding, bdds, &inputs)? {
            Some(valuations) => by_valuation(bdds, &valuations, &members)?,
            None => by_conjunction(bdds, &cube(bdds, encoding, inputs)?, &members)?,
        };
        let Some(function) = function else {
            return Ok(None);
        };
        let reads = members.iter().flat_map(|part| &part.reads);
        let reads = reads.filter(|var| !is_input(var)).copied().collect();
        result.push(RelationPart { function, reads });
    }
    Ok(Some(result))
}

/// All values of some inputs together, each as a conjunction of literals; `None` when they are many.
fn valuations(
    model: &Model,
    encoding: &BitEncoding,
    bdds: &Bdds,
    inputs: &BTreeSet<RelationVar>,
) -> Run<Option<Vec<Bdd>>> {
    let sizes = inputs.iter().map(|(_, var)| model.vars[*var].domain.size());
    let many = sizes.fold(1u128, |product, size| product.saturating_mul(size));
    if many > MOST_VALUATIONS {
        return Ok(None);
    }
    let mut all = vec![bdds.one()];
    for &(side, var) in inputs {
        let mut longer = Vec::new();
        for index in 0..=model.vars[var].domain.last() {
            let value = bdds.cube(encoding.literals(var, side, index))?;
            for shorter in &all {
                longer.push(bdds.and(shorter, &value)?);
            }
        }
        all = longer;
    }
    Ok(Some(all))
}

/// The steps by any of the inputs: what the parts say under each of them.
fn by_valuation(bdds: &Bdds, valuations: &[Bdd], parts: &[&RelationPart]) -> Run<Option<Bdd>> {
    let mut any = bdds.zero();
    for valuation in valuations {
        let mut all = bdds.one();
        for part in parts {
            all = bdds.and(&all, &bdds.restrict(&part.function, valuation)?)?;
        }
        any = bdds.or(&any, &all)?;
        if bdds.size(&any) > MOST_NODES {
            return Ok(None);
        }
    }
    Ok(Some(any))
}

/// The steps by any of the inputs: what the parts say together, and then the inputs quantified.
fn by_conjunction(bdds: &Bdds, inputs: &Bdd, parts: &[&RelationPart]) -> Run<Option<Bdd>> {
    let mut all = bdds.one();
    for part in parts {
        all = bdds.and(&all, &part.function)?;
        if bdds.size(&all) > MOST_NODES {
            return Ok(None);
        }
    }
    bdds.exists(&all, inputs).map(Some)
}
