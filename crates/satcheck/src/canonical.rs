//! Of the runs that a solver could find, the one that every engine shows.
//!
//! Their number of positions is settled before. Of them the run is taken along which the fewest variables
//! change, and of these the least: state by state, in declaration order of variables and values. Bits are
//! settled one after the other, each to 0 where some run is left.

use wherefore_base::{Budget, Run};
use wherefore_model::VarId;
use wherefore_sat::{CircuitEdge, Lit, Solver};

use crate::steps::{BoundedTrace, RunSteps};

/// Changes are counted when there are at most so many places where a variable could change.
const COUNTED: usize = 4096;

/// The run that every engine shows, among those under the assumptions. There is at least one. So many of the
/// variables count, the first ones. When the budget ends, the run that was found so far.
pub(crate) fn canonical<S: Solver>(
    steps: &mut RunSteps<'_, S>,
    vars: usize,
    positions: usize,
    back: Option<usize>,
    assumptions: &[Lit],
    budget: &Budget,
) -> Run<BoundedTrace> {
    // Bits have to be known to the solver before it is asked, or it gives them no values.
    for position in 0..positions {
        steps.bits(position);
    }
    // The solver is asked nothing else after this, so assumptions may become clauses.
    for &lit in assumptions {
        steps.solver.add_clause(&[lit]);
    }
    let found = steps.solve(&[], budget)?;
    debug_assert!(found, "there is a run under the assumptions");
    let mut trace = BoundedTrace {
        states: steps.states(0..positions),
        back,
    };
    // What was found stays found.
    let _ = settle(steps, vars, &mut trace, budget);
    Ok(trace)
}

fn settle<S: Solver>(
    steps: &mut RunSteps<'_, S>,
    vars: usize,
    trace: &mut BoundedTrace,
    budget: &Budget,
) -> Run<()> {
    let positions = trace.states.len();
    let moves = positions - 1 + usize::from(trace.back.is_some());
    if moves * vars <= COUNTED {
        fewest_changes(steps, vars, trace, budget)?;
    }
    for position in 0..positions {
        for (var, bits) in steps.bits(position).into_iter().take(vars).enumerate() {
            let domain = &steps.model().vars[VarId::new(var)].domain;
            // The highest bit comes first: it decides which of two indices is less.
            for (place, bit) in bits.into_iter().enumerate().rev() {
                let index = domain.index_of(trace.states[position][var]);
                let set = index.is_some_and(|index| index >> place & 1 == 1);
                // Where the run at hand has a 0, that run shows that 0 is possible.
                if set && steps.solve(&[!bit], budget)? {
                    trace.states = steps.states(0..positions);
                    steps.solver.add_clause(&[!bit]);
                } else {
                    steps.solver.add_clause(&[bit.negated_if(!set)]);
                }
            }
        }
    }
    Ok(())
}

/// Leaves only runs along which as few variables change as possible.
fn fewest_changes<S: Solver>(
    steps: &mut RunSteps<'_, S>,
    vars: usize,
    trace: &mut BoundedTrace,
    budget: &Budget,
) -> Run<()> {
    let positions = trace.states.len();
    let mut changes = Vec::new();
    let last = trace.back.map(|back| (positions - 1, back));
    for (from, to) in (1..positions).map(|to| (to - 1, to)).chain(last) {
        for var in (0..vars).map(VarId::new) {
            let pairs = steps.unrolling.bits(&steps.system, from, var);
            let others = steps.unrolling.bits(&steps.system, to, var);
            let circuit = steps.circuit();
            let differ: Vec<CircuitEdge> = pairs
                .into_iter()
                .zip(others)
                .map(|(a, b)| circuit.xor(a, b))
                .collect();
            changes.push(circuit.any(differ));
        }
    }
    let count = steps.circuit().count(changes);
    let mut fewest = changed(trace, vars);
    // From the run's count down, as long as there is a run with fewer.
    while let Some(fewer) = fewest.checked_sub(1) {
        let within = steps.circuit().at_most(&count, fewer as u64);
        // This is assumed and not required, since there may be no such run.
        let lit = steps.demand(within);
        if !steps.solve(&[lit], budget)? {
            break;
        }
        trace.states = steps.states(0..positions);
        fewest = changed(trace, vars);
    }
    let within = steps.circuit().at_most(&count, fewest as u64);
    steps.require(within);
    Ok(())
}

/// How many of the first variables change along a run, step by step.
fn changed(trace: &BoundedTrace, vars: usize) -> usize {
    let states = &trace.states;
    let back = trace.back.map(|back| (states.len() - 1, back));
    let pairs = (1..states.len()).map(|to| (to - 1, to)).chain(back);
    let differ = pairs.map(|(a, b)| {
        states[a]
            .iter()
            .zip(&states[b])
            .take(vars)
            .filter(|(x, y)| x != y)
    });
    differ.map(Iterator::count).sum()
}
