//! Steps that are lost because a field would not have as many values as its declaration says.
//!
//! An operation that moves to the floor above says nothing of the top floor: there the field of the next state would be
//! empty, the declaration says that it has one value, and so the operation silently cannot happen.

use wherefore_alloy::model::{AlloyTerm, AlloyTermKind, Command, FieldId, Mult};
use wherefore_alloy::{AlloyModel, LoweringOptions};
use wherefore_base::{Budget, Span};
use wherefore_relational::FormulaId;

use crate::derive::Precondition;
use crate::misfit::TcmcMisfit;
use crate::pair::{PairSide, StatePair};
use crate::reading::SystemReading;

/// So many states are looked at for one operation: in some of them it may happen in another way.
const TRIES: usize = 8;

/// For each operation that cannot happen in a state only because of how many values a field has in the next one: where
/// the operation is written, and that in a sentence.
pub(crate) fn lost_steps(
    model: &AlloyModel,
    reading: &SystemReading,
    (command, choices): (&Command, &LoweringOptions),
    operations: &[Precondition],
    budget: &Budget,
) -> Result<Vec<(Span, String)>, TcmcMisfit> {
    let (loose, fields) = loosened(model, reading);
    let mut told = Vec::new();
    if fields.is_empty() {
        return Ok(told);
    }
    let mut loose_pair = StatePair::new(&loose, reading, command, choices, true)?;
    let mut pair = StatePair::new(model, reading, command, choices, true)?;
    let kept = |pair: &mut StatePair<'_>, of: PairSide| {
        let kept = fields
            .iter()
            .map(|&(field, mult)| pair.has(field, mult, of));
        kept.collect::<Vec<FormulaId>>()
    };
    let now = kept(&mut loose_pair, PairSide::Now);
    let next = kept(&mut loose_pair, PairSide::Next);
    let next = loose_pair.all_of(&next);
    let broken = loose_pair.not(next);
    for operation in operations {
        let states = [(operation.s, PairSide::Now), (operation.t, PairSide::Next)];
        let happens = loose_pair.formula(operation.happens, &states)?;
        let happens_here = pair.formula(operation.happens, &states)?;
        let mut wanted = now.clone();
        wanted.extend([happens, broken]);
        for _ in 0..TRIES {
            let Some(lost) =
                loose_pair.instance(&wanted, &[PairSide::Now, PairSide::Next], budget)?
            else {
                break;
            };
            let values = loose_pair.present(&lost, budget)?;
            let here = pair.is_present(&values);
            let both = [PairSide::Now, PairSide::Next];
            let other = pair.instance(&[here, happens_here], &both, budget)?;
            if other.is_none() {
                let seen = loose_pair.told(&lost, budget)?;
                let text = format!(
                    "The operation `{}` cannot happen in the state ({}), since a field would not have as many values \
                     as it is declared with: ({})",
                    operation.name, seen.now, seen.next
                );
                told.push((model.terms[operation.happens].span, text));
                break;
            }
            // In this state the operation can happen in another way: the next try looks at another state.
            let there = loose_pair.is_present(&values);
            wanted.push(loose_pair.not(there));
        }
    }
    Ok(told)
}

/// The model with fields of states that have any number of values, and how many they are declared with.
fn loosened(model: &AlloyModel, reading: &SystemReading) -> (AlloyModel, Vec<(FieldId, Mult)>) {
    let mut loose = model.clone();
    let mut fields = Vec::new();
    for (place, decl) in model.sigs[reading.state].decls.iter().enumerate() {
        let bound = &model.terms[decl.bound];
        let AlloyTermKind::Mult(mult @ (Mult::One | Mult::Lone | Mult::Some), inner) = bound.kind
        else {
            continue;
        };
        let kind = AlloyTermKind::Mult(Mult::Set, inner);
        let any = loose.terms.push(AlloyTerm {
            kind,
            ..bound.clone()
        });
        loose.sigs[reading.state].decls[place].bound = any;
        fields.extend(decl.fields.iter().map(|&field| (field, mult)));
    }
    (loose, fields)
}
