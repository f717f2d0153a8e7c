//! What the states of a position have in common.

use wherefore_base::Run;
use wherefore_model::VarId;
use wherefore_proof::AbstractPosition;
use wherefore_space::{StateSpace, cover};

/// A position is described by at most so many cubes.
const CUBES: usize = 8;

/// Describes the states of a position, of which there is at least one.
pub(super) fn position<S: StateSpace>(space: &S, states: &S::Set) -> Run<AbstractPosition> {
    space.budget().check()?;
    let model = space.model();
    let first = space.first(states)?.map(|state| space.values(&state));
    let mut common = Vec::new();
    for (at, value) in first.into_iter().flatten().enumerate() {
        let var = VarId::new(at);
        if model.vars[var].domain.size() > 1 {
            let same = space.states_with(&[(var, vec![value])])?;
            if space.is_empty(&space.minus(states, &same)?) {
                common.push((var, value));
            }
        }
    }
    let cover = cover(space, states, CUBES)?;
    let free = (0..model.state_vars()).map(VarId::new).filter(|&var| {
        let told = cover.cubes.iter().flat_map(|cube| &cube.values);
        let fixed = common.iter().any(|(other, _)| *other == var);
        let single = model.vars[var].domain.size() == 1;
        cover.complete && !single && !fixed && !told.into_iter().any(|(other, _)| *other == var)
    });
    Ok(AbstractPosition {
        states: space.count(states)?,
        free: free.collect(),
        common,
        cover,
    })
}
