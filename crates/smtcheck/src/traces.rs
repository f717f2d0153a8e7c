//! From the values of a solver to runs that are replayed.

use wherefore_base::Budget;
use wherefore_smt::{SmtCtl, SmtValuation, SmtValue, SolverTrace, SymbolId, TraceMeaning};

use crate::answer::RefutationRun;
use crate::asker::TermSession;
use crate::kripke::{PlaceEdge, PlaceGraph, StateCopy};
use crate::plan::{PlanWitness, WitnessPlan};
use crate::reading::ModelReader;
use crate::trouble::SolverTrouble;

/// Something that must be proved of a state of a run.
pub(crate) struct ClaimAt {
    pub(crate) run: usize,
    pub(crate) state: usize,
    pub(crate) formula: SmtCtl,
}

/// Runs, and what must be proved of their states.
#[derive(Default)]
pub(crate) struct ClaimingRuns {
    pub(crate) runs: Vec<RefutationRun>,
    pub(crate) claims: Vec<ClaimAt>,
}

/// The runs that a plan found, if our own evaluator agrees with all of it; otherwise a sentence that says why not.
pub(crate) fn runs(
    kripke: &mut PlaceGraph,
    asker: &mut TermSession,
    plan: &WitnessPlan,
    start: StateCopy,
    from_initial: bool,
    budget: &Budget,
) -> Result<Result<Vec<RefutationRun>, String>, SolverTrouble> {
    let found = runs_and_claims(kripke, asker, plan, start, from_initial, budget)?;
    Ok(found.map(|found| found.runs))
}

/// The same, with what must be proved of states of the runs.
pub(crate) fn runs_and_claims(
    kripke: &mut PlaceGraph,
    asker: &mut TermSession,
    plan: &WitnessPlan,
    start: StateCopy,
    from_initial: bool,
    budget: &Budget,
) -> Result<Result<ClaimingRuns, String>, SolverTrouble> {
    let mut symbols = kripke.system.parameters.clone();
    symbols.extend(kripke.all_symbols());
    let info = |symbol: &SymbolId| kripke.system.terms.info(*symbol);
    if symbols.iter().any(|symbol| !info(symbol).args.is_empty()) {
        let why = "A run was found, but functions are part of it, and it cannot be replayed.";
        return Ok(Err(why.to_string()));
    }
    let mut reading = ModelReader::default();
    let found = asker.values(&kripke.system.terms, &symbols, &mut reading, budget)?;
    let mut values = SmtValuation::default();
    for (&symbol, value) in symbols.iter().zip(found) {
        match value {
            Some(value) => values.set(symbol, value),
            None => {
                let name = &kripke.system.terms.info(symbol).name;
                return Ok(Err(format!(
                    "one is found, but the value of {name} cannot be read"
                )));
            }
        }
    }
    let universes = reading.universes(&kripke.system.terms);
    for &(sort, count) in &universes {
        values.set_universe(sort, count);
    }
    let Some(witness) = plan.witness(kripke, start, &values) else {
        return Ok(Err(
            "one is found, but our own evaluator does not confirm it".to_string(),
        ));
    };
    let parameters = kripke
        .system
        .parameters
        .iter()
        .map(|&symbol| (symbol, meaning(&values, symbol)));
    let base = SolverTrace {
        universes,
        parameters: parameters.collect(),
        ..SolverTrace::default()
    };
    let mut found = ClaimingRuns::default();
    collect(kripke, &witness, None, &base, &values, &mut found);
    for (number, branch) in found.runs.iter().enumerate() {
        if branch
            .trace
            .replay(&kripke.system, from_initial && number == 0)
            .is_err()
        {
            return Ok(Err("one is found, but its replay fails".to_string()));
        }
    }
    Ok(Ok(found))
}

/// The run along places that a solver found, replayed by our own evaluator; none if a value cannot be read or the replay
/// fails.
pub(crate) fn path(
    kripke: &PlaceGraph,
    asker: &mut TermSession,
    places: &[StateCopy],
    edges: &[PlaceEdge],
    from_initial: bool,
    budget: &Budget,
) -> Result<Option<SolverTrace>, SolverTrouble> {
    let system = &kripke.system;
    let mut symbols = system.parameters.clone();
    for &place in places {
        symbols.extend(kripke.symbols(place));
    }
    let count = system.inputs.len();
    for edge in edges {
        symbols.extend(&edge.inputs[..count]);
    }
    let plain = |symbol: &SymbolId| system.terms.info(*symbol).args.is_empty();
    if !symbols.iter().all(plain) {
        return Ok(None);
    }
    let mut reading = ModelReader::default();
    let found = asker.values(&system.terms, &symbols, &mut reading, budget)?;
    let Some(found) = found.into_iter().collect::<Option<Vec<SmtValue>>>() else {
        return Ok(None);
    };
    let mut meanings = found.into_iter().map(TraceMeaning::Value);
    let mut take = |count: usize| meanings.by_ref().take(count).collect::<Vec<_>>();
    let parameters = take(system.parameters.len());
    let trace = SolverTrace {
        universes: reading.universes(&system.terms),
        parameters: system.parameters.iter().copied().zip(parameters).collect(),
        states: places.iter().map(|_| take(system.state.len())).collect(),
        inputs: edges.iter().map(|_| take(count)).collect(),
        back: None,
    };
    Ok(trace.replay(system, from_initial).is_ok().then_some(trace))
}

fn collect(
    kripke: &PlaceGraph,
    witness: &PlanWitness,
    from: Option<(usize, usize)>,
    base: &SolverTrace,
    values: &SmtValuation,
    out: &mut ClaimingRuns,
) {
    let number = out.runs.len();
    let inputs = kripke.system.inputs.len();
    let meanings = |symbols: &[SymbolId]| {
        symbols
            .iter()
            .map(|&symbol| meaning(values, symbol))
            .collect()
    };
    let trace = SolverTrace {
        states: witness
            .places
            .iter()
            .map(|&place| meanings(kripke.symbols(place)))
            .collect(),
        inputs: witness
            .edges
            .iter()
            .map(|edge| meanings(&edge.inputs[..inputs]))
            .collect(),
        back: witness.back,
        ..base.clone()
    };
    out.runs.push(RefutationRun { from, trace });
    let claims = witness.claims.iter().map(|(at, claim)| ClaimAt {
        run: number,
        state: *at,
        formula: claim.clone(),
    });
    out.claims.extend(claims);
    for (at, branch) in &witness.branches {
        collect(kripke, branch, Some((number, *at)), base, values, out);
    }
}

fn meaning(values: &SmtValuation, symbol: SymbolId) -> TraceMeaning {
    TraceMeaning::Value(values.get(symbol).cloned().unwrap_or(SmtValue::Bool(false)))
}
