//! Covering the initial states: proofs of `EF p`, `E[p U q]` and, by loops, of `EG p` without quantifiers.
//!
//! With several initial states one path proves nothing. A solver picks an initial state that is not covered yet and a path
//! from it; what the path chose is written as terms over the initial state and the parameters, so that the condition
//! under which the same choices succeed is a formula about the initial state: a piece of the cover. When the
//! pieces cover all initial states, the property holds.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, deep};
use wherefore_smt::eval::{eval, holds};
use wherefore_smt::{
    SmtCtl, SmtOp, SmtTerm, SmtTermId, SmtTerms, SmtValuation, SmtValue, Substitution, SymbolId,
};

use crate::answer::{SmtAttempt, SmtCertificate, SmtObligation, SmtOptions, SmtProof};
use crate::asker::{Script, TermSession};
use crate::finding::SmtFinding;
use crate::houdini::known_values;
use crate::kripke::{PlaceGraph, StateCopy};
use crate::never::{EndlessPaths, shape};
use crate::plan::{BoundedReading, PlanWitness, WitnessPlan};
use crate::solver::Satisfiability;
use crate::trouble::SolverTrouble;
use crate::unroll::{fair_paths, reach};

/// What is looked for.
const COVERS: &str = "paths from all initial states";

/// The most pieces of a cover.
const MOST_PIECES: usize = 24;

/// The most steps of a path.
const MOST_STEPS: usize = 10;

/// Proves a disjunction of conditions and one formula about some path, if it can.
pub(crate) fn cover(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    let Some((conditions, path)) = shape(&mut kripke, part, EndlessPaths::Too) else {
        return SmtFinding::Open(Vec::new());
    };
    if kripke.system.has_functions() {
        return SmtFinding::Open(Vec::new());
    }
    let path = fair_paths(&mut kripke, &path);
    match pieces(&mut kripke, conditions, &path, choices, budget) {
        Ok(finding) => finding,
        Err(trouble) => SmtFinding::stopped(COVERS, &trouble),
    }
}

fn pieces(
    kripke: &mut PlaceGraph,
    conditions: SmtTermId,
    path: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<SmtFinding, SolverTrouble> {
    let solver = &choices.solvers[0];
    let mut asker = TermSession::start(solver, &kripke.system.terms, choices.limits, budget)?;
    // The first piece is no path: where one of the conditions holds, nothing has to be reached.
    let mut covered = vec![conditions];
    let mut steps = 0;
    while covered.len() <= MOST_PIECES {
        let mut work = kripke.clone();
        let start = work.place();
        let (axioms, init) = (work.axioms, work.system.init);
        let any = work.terms().or(&covered);
        let open = work.terms().not(any);
        let (init, open) = (work.at(init, start), work.at(open, start));
        let open = work.terms().and(&[axioms, init, open]);
        asker.push();
        asker.assert(work.terms(), open);
        let outcome = asker.check(budget)?;
        asker.pop();
        match outcome {
            Satisfiability::Unsat => {
                let claim = match covered.len() {
                    2 => "from every initial state the path can be taken".to_string(),
                    count => format!(
                        "from every initial state one of {} paths can be taken",
                        count - 1
                    ),
                };
                return Ok(SmtFinding::Holds(SmtProof {
                    engine: "cover".to_string(),
                    certificates: vec![shown(
                        &kripke.system.terms,
                        path,
                        steps,
                        covered.len() - 1,
                        kripke.system.terms.as_bool(conditions) != Some(false),
                    )],
                    obligations: vec![SmtObligation {
                        claim,
                        query: Script::query(work.terms(), "ALL", &[open]),
                    }],
                    checked_by: vec![solver.title()],
                }));
            }
            Satisfiability::Sat => {}
            Satisfiability::Unknown(why) => {
                return Ok(SmtFinding::Open(vec![SmtAttempt::new(COVERS, why)]));
            }
        }
        // `steps` is kept between pieces: what is uncovered only shrinks, and no shorter path was found for
        // it.
        loop {
            let mut work = kripke.clone();
            let start = work.place();
            let open = uncovered(&mut work, &covered, start);
            let Some(plan) =
                WitnessPlan::new(&mut work, path, start, steps, BoundedReading::Surely)
            else {
                return Ok(SmtFinding::Open(Vec::new()));
            };
            let goal = plan.term(&mut work);
            asker.push();
            asker.assert(work.terms(), open);
            asker.assert(work.terms(), goal);
            let outcome = asker.check(budget)?;
            if outcome == Satisfiability::Sat {
                let piece = piece(&mut work, &mut asker, &plan, start, budget)?;
                asker.pop();
                let Some(piece) = piece else {
                    let why = "one was found that cannot be read";
                    return Ok(SmtFinding::Open(vec![SmtAttempt::new(COVERS, why)]));
                };
                // The terms of the copy know more than ours: go on with them.
                kripke.system.terms = work.system.terms;
                covered.push(piece);
                break;
            }
            asker.pop();
            steps += 1;
            if steps > MOST_STEPS.min(choices.bound) {
                let why = format!("none of up to {} steps from some of them", steps - 1);
                return Ok(SmtFinding::Open(vec![SmtAttempt::new(COVERS, why)]));
            }
        }
    }
    let why = format!("{MOST_PIECES} are not enough");
    Ok(SmtFinding::Open(vec![SmtAttempt::new(COVERS, why)]))
}

/// What a cover by so many paths shows.
fn shown(
    terms: &SmtTerms,
    path: &SmtCtl,
    steps: usize,
    count: usize,
    at_once: bool,
) -> SmtCertificate {
    match reach(terms, path, steps) {
        reach @ SmtCertificate::Reach { .. } if !at_once => reach,
        _ => SmtCertificate::Paths { count, at_once },
    }
}

fn uncovered(kripke: &mut PlaceGraph, covered: &[SmtTermId], start: StateCopy) -> SmtTermId {
    let (axioms, init) = (kripke.axioms, kripke.system.init);
    let any = kripke.terms().or(covered);
    let open = kripke.terms().not(any);
    let (init, open) = (kripke.at(init, start), kripke.at(open, start));
    kripke.terms().and(&[axioms, init, open])
}

/// The condition on the present state under which the path that was found can be taken.
fn piece(
    kripke: &mut PlaceGraph,
    asker: &mut TermSession,
    plan: &WitnessPlan,
    start: StateCopy,
    budget: &Budget,
) -> Result<Option<SmtTermId>, SolverTrouble> {
    let mut symbols = kripke.system.parameters.clone();
    symbols.extend(kripke.all_symbols());
    let values = known_values(kripke, asker, &symbols, budget)?;
    let Some(witness) = plan.witness(kripke, start, &values) else {
        return Ok(None);
    };
    let mut chosen = PathChoices::new(kripke, start, &values);
    if chosen.along(kripke, &witness).is_none() {
        return Ok(None);
    }
    let condition = plan.term(kripke);
    // Places off the run occur in the plan too. Any term will do for them: the condition says whether the
    // plan succeeds with these choices, and that is enough for a path to exist.
    for symbol in kripke.all_symbols() {
        if chosen.by_term(kripke, symbol).is_none() {
            return Ok(None);
        }
    }
    let mut by = Substitution::default();
    for (&symbol, &term) in &chosen.terms {
        by.put(symbol, term);
    }
    let condition = kripke.terms().substitute(condition, &by);
    let own = kripke.symbols(start).to_vec();
    let back: Vec<(SymbolId, SymbolId)> = own.into_iter().zip(kripke.system.current()).collect();
    Ok(Some(kripke.terms().renamed(condition, back)))
}

/// Terms over the first state and the parameters for everything that a path chose.
struct PathChoices<'a> {
    values: &'a SmtValuation,
    /// What terms may be made of: parameters, then the first state.
    pool: Vec<SymbolId>,
    terms: FxHashMap<SymbolId, SmtTermId>,
}

impl<'a> PathChoices<'a> {
    fn new(kripke: &mut PlaceGraph, start: StateCopy, values: &'a SmtValuation) -> Self {
        let mut pool = kripke.system.parameters.clone();
        pool.extend(kripke.symbols(start));
        let own = kripke.symbols(start).to_vec();
        let terms = own
            .into_iter()
            .map(|symbol| (symbol, kripke.terms().var(symbol)));
        let terms = terms.collect();
        Self {
            values,
            pool,
            terms,
        }
    }

    fn along(&mut self, kripke: &mut PlaceGraph, witness: &PlanWitness) -> Option<()> {
        for edge in &witness.edges {
            for &input in &edge.inputs {
                self.by_term(kripke, input)?;
            }
            let step = kripke.step(edge);
            let targets = kripke.symbols(edge.to).to_vec();
            let mut equations = Vec::new();
            self.equations(kripke.terms(), step, &mut equations);
            for target in targets {
                if self.terms.contains_key(&target) {
                    continue;
                }
                let defined = equations
                    .iter()
                    .find(|(symbol, _)| *symbol == target)
                    .map(|&(_, term)| term);
                let Some(term) = defined else {
                    self.by_term(kripke, target)?;
                    continue;
                };
                // What was chosen before is written over the first state already.
                let mut by = Substitution::default();
                for (&symbol, &term) in &self.terms {
                    by.put(symbol, term);
                }
                let term = kripke.terms().substitute(term, &by);
                self.terms.insert(target, term);
            }
        }
        Some(())
    }

    /// The equations of a condition that are true here.
    fn equations(
        &self,
        terms: &mut SmtTerms,
        condition: SmtTermId,
        out: &mut Vec<(SymbolId, SmtTermId)>,
    ) {
        if let Some(disjuncts) = crate::enabled::disjuncts(terms, condition) {
            let holds = disjuncts
                .into_iter()
                .find(|&part| holds(terms, part, self.values) == Ok(true));
            if let Some(part) = holds {
                deep(|| self.equations(terms, part, out));
            }
            return;
        }
        match terms.get(condition).clone() {
            SmtTerm::Op(SmtOp::And, parts) => {
                for part in parts {
                    deep(|| self.equations(terms, part, out));
                }
            }
            SmtTerm::Op(SmtOp::Equal, sides) => {
                for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    // An equation with the symbol on both sides defines nothing.
                    if let Some(symbol) = terms.as_symbol(one)
                        && !self.terms.contains_key(&symbol)
                        && !terms.free(other).contains(&symbol)
                    {
                        out.push((symbol, other));
                        break;
                    }
                }
            }
            _ => {}
        }
    }

    /// A term with the value of a symbol: a constant of the first state or a parameter, a number near one, or the value.
    fn by_term(&mut self, kripke: &mut PlaceGraph, symbol: SymbolId) -> Option<SmtTermId> {
        if let Some(&term) = self.terms.get(&symbol) {
            return Some(term);
        }
        let known = self.values.get(symbol).cloned();
        let terms = kripke.terms();
        let sort = terms.info(symbol).sort;
        let same_sort = |terms: &SmtTerms, other: SymbolId| terms.info(other).sort == sort;
        let mut candidates: Vec<SymbolId> = self.pool.clone();
        candidates.retain(|&other| same_sort(terms, other) && terms.info(other).args.is_empty());
        let Some(value) = known else {
            // The value could not be read: any symbol of the sort is a guess, which the piece will check.
            let term = terms.var(*candidates.first()?);
            self.terms.insert(symbol, term);
            return Some(term);
        };
        let equal = candidates
            .iter()
            .find(|&&other| self.values.get(other) == Some(&value));
        let near = candidates
            .iter()
            .find_map(|&other| match (self.values.get(other)?, &value) {
                (SmtValue::Int(base), SmtValue::Int(value)) => Some((other, value - base)),
                _ => None,
            });
        let term = match (equal, near) {
            (Some(&other), _) => terms.var(other),
            (None, Some((other, by))) => {
                let (base, by) = (terms.var(other), terms.int(by));
                terms.op(SmtOp::Add, &[base, by])
            }
            (None, None) => match value.term(terms) {
                Some(term) => term,
                None => {
                    // A value without a name: what has it, or, as a guess that the piece will check, anything.
                    let guess = candidates.first().map(|&other| terms.var(other));
                    let made = self.made(terms, &value, sort).or(guess)?;
                    self.terms.insert(symbol, made);
                    return Some(made);
                }
            },
        };
        self.terms.insert(symbol, term);
        Some(term)
    }

    /// A selection from an array of the pool that has this value.
    fn made(
        &self,
        terms: &mut SmtTerms,
        value: &SmtValue,
        sort: wherefore_smt::SortId,
    ) -> Option<SmtTermId> {
        for &array in &self.pool {
            for &index in &self.pool {
                let wherefore_smt::Sort::Array(from, to) = *terms.sorts.get(terms.info(array).sort)
                else {
                    break;
                };
                if to != sort || terms.info(index).sort != from {
                    continue;
                }
                let (array, index) = (terms.var(array), terms.var(index));
                let select = terms.op(SmtOp::Select, &[array, index]);
                if eval(terms, select, self.values).as_ref() == Ok(value) {
                    return Some(select);
                }
            }
        }
        None
    }
}
