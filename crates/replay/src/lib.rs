//! Replay: the independent re-check of evidence.
//!
//! Nothing is believed. Every state and step is checked with the plain interpreter of the model, every
//! proof node against the rule it names, every loop for fairness, every region by exploring it anew.
//! This crate uses models, formulas with their kernels and the types of evidence only; engines, checker
//! and builder share no code with it. [`SentenceChecker`] decides what sentences about evidence assert. [`modal`] does the same for labelled transition systems, [`rerun()`]
//! runs traces that somebody wrote down, and [`cause()`] says which constraint gave a variable its value.

pub mod modal;

mod abstracted;
mod cause;
mod counted;
mod explored;
mod guessed;
mod linear;
mod linear_proof;
mod loops;
mod proof;
mod rerun;
mod runs;
mod sentences;
mod universal;
mod walked;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use wherefore_base::{Budget, Run, Stop, Value, deep};
use wherefore_logic::{Goal, Op, SubId};
use wherefore_model::{Env, Interpreter, Model, Query};
use wherefore_proof::{Claim, Evidence, OccurrenceId, ProofId, Replay, Rule};

use explored::ExploredStates;

pub use abstracted::{Sample, replay_abstract, replay_set_proof};
pub use cause::{Cause, CauseKind, cause};
pub use counted::{count_statements, count_where};
pub use rerun::{BrokenConstraint, Death, Rerun, Track, Walk, broken_step, rerun};
pub use sentences::{ReachableStates, SentenceBase, SentenceChecker};
pub use walked::Walked;

/// What a partial re-check says when all that is shown was re-checked, but not all is shown.
pub const OPEN: &str = "an obligation is open";

/// To re-check notes, at most so many states are explored.
const FEW_STATES: usize = 300;
/// To re-check a region, at most so many.
const MANY_STATES: usize = 2_000;

/// Re-checks an evidence for the claim that a query holds (or fails) in an initial state.
pub fn replay(
    model: &Model,
    query: &Query,
    holds: bool,
    evidence: &Evidence,
    budget: &Budget,
) -> Run<Replay> {
    replay_with(&Walked::default(), model, query, holds, evidence, budget)
}

/// [`replay`] after others of the same model, whose steps were looked up.
pub fn replay_with(
    walked: &Walked,
    model: &Model,
    query: &Query,
    holds: bool,
    evidence: &Evidence,
    budget: &Budget,
) -> Run<Replay> {
    let mut replayer = EvidenceReplay::new(walked, model, query, evidence, budget);
    let checked = replayer.everything(holds);
    match checked.and_then(|()| replayer.annotations()) {
        Ok(()) if replayer.skipped.is_empty() => Ok(Replay::Ok),
        Ok(()) => {
            let skipped: Vec<&str> = replayer.skipped.iter().copied().collect();
            Ok(Replay::Partial(skipped.join("; ")))
        }
        Err(ReplayFault::Wrong(what)) => Ok(Replay::Failed(what)),
        Err(ReplayFault::Stop(stop)) => Err(stop),
    }
}

/// What is wrong with an evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// What, in words.
    pub what: String,
    /// The proof node that does not follow from its premises, if that is the flaw.
    pub node: Option<ProofId>,
}

/// The first flaw of an evidence that was made for another version of a model or property; `None`
/// when it shows what it shows here, too.
///
/// Unlike [`replay`], this does not mind truth values that are noted beside the proof.
pub fn first_flaw(
    model: &Model,
    query: &Query,
    holds: bool,
    evidence: &Evidence,
    budget: &Budget,
) -> Run<Option<Flaw>> {
    let walked = Walked::default();
    let mut replayer = EvidenceReplay::new(&walked, model, query, evidence, budget);
    match replayer.everything(holds) {
        Ok(()) => Ok(None),
        Err(ReplayFault::Wrong(what)) => Ok(Some(Flaw {
            what,
            node: replayer.at_node,
        })),
        Err(ReplayFault::Stop(stop)) => Err(stop),
    }
}

/// Why a re-check ended early.
pub(crate) enum ReplayFault {
    /// The evidence is wrong; the sentence says where.
    Wrong(String),
    /// The budget ended.
    Stop(Stop),
}

impl From<Stop> for ReplayFault {
    fn from(stop: Stop) -> Self {
        ReplayFault::Stop(stop)
    }
}

/// What a part of a re-check comes to.
pub(crate) type Rechecked = Result<(), ReplayFault>;

/// The re-check goes on only if this is so.
pub(crate) fn ensure(truth: bool, otherwise: impl FnOnce() -> String) -> Rechecked {
    match truth {
        true => Ok(()),
        false => Err(ReplayFault::Wrong(otherwise())),
    }
}

struct EvidenceReplay<'a> {
    walked: &'a Walked,
    model: &'a Model,
    query: &'a Query,
    evidence: &'a Evidence,
    budget: &'a Budget,
    interpreter: Interpreter<'a>,
    /// The ends of all edges.
    linked: HashSet<(OccurrenceId, OccurrenceId)>,
    /// Goals that are known to say that a path starts, or not to.
    says_path: RefCell<HashMap<Goal, bool>>,
    /// Everything that can follow from the evidence, if that is little, and the truth of every
    /// sub-formula there.
    explored: Option<(ExploredStates, Vec<explored::ExploredSet>)>,
    /// How many states were tried for that.
    explored_up_to: usize,
    /// The reachable states, if they are few and a region asks for them.
    reachable: Option<Vec<Arc<[Value]>>>,
    /// What could not be re-checked.
    skipped: BTreeSet<&'static str>,
    /// The proof node that is being re-checked.
    at_node: Option<ProofId>,
}

impl<'a> EvidenceReplay<'a> {
    fn new(
        walked: &'a Walked,
        model: &'a Model,
        query: &'a Query,
        evidence: &'a Evidence,
        budget: &'a Budget,
    ) -> Self {
        Self {
            walked,
            model,
            query,
            evidence,
            budget,
            interpreter: Interpreter::new(model),
            linked: evidence.edges.iter().map(|e| (e.from, e.to)).collect(),
            says_path: RefCell::default(),
            explored: None,
            explored_up_to: 0,
            reachable: None,
            skipped: BTreeSet::new(),
            at_node: None,
        }
    }

    /// Everything but the truth values that are noted beside the proof.
    fn everything(&mut self, holds: bool) -> Rechecked {
        let first = OccurrenceId::new(0);
        let occurrences = &self.evidence.occurrences;
        ensure(!occurrences.is_empty(), || "there is no state".into())?;
        // Nothing is taken for granted, not even that the values fit the model.
        for occurrence in occurrences.iter() {
            let fits = occurrence.values.len() == self.model.state_vars()
                && occurrence.truth.len() == self.query.formula.len();
            ensure(fits, || "a state does not fit the model".into())?;
            for (var, value) in self.model.vars.iter().zip(&occurrence.values) {
                let inside = var.domain.index_of(*value).is_some();
                ensure(inside, || format!("`{}` has an impossible value", var.name))?;
            }
        }
        let initial = self
            .interpreter
            .broken_by_initial(self.values(first))
            .is_none();
        ensure(initial, || "the first state is not initial".into())?;
        self.edges()?;
        if self.is_run() {
            return self.run(holds);
        }
        ensure(!self.query.formula.is_linear(), || {
            "a linear-time formula is shown by a run".into()
        })?;
        self.segments()?;
        if !self.evidence.regions.is_empty() {
            self.list_reachable()?;
        }

        let root = self.evidence.proof.get(ProofId::new(0));
        let claim = Claim::Formula(
            Goal {
                sub: self.query.formula.root(),
                holds,
            },
            None,
        );
        let about = root.is_some_and(|node| node.claim == claim && node.at == first);
        ensure(about, || "the proof is not about the property".into())?;
        for (id, node) in self.evidence.proof.entries() {
            self.budget.check()?;
            ensure(occurrences.get(node.at).is_some(), || {
                "a proof node has no state".into()
            })?;
            let known = node
                .premises
                .iter()
                .all(|&p| self.evidence.proof.get(p).is_some());
            ensure(known, || "a proof node has no premise".into())?;
            self.at_node = Some(id);
            self.node(id, node)?;
        }
        // From here on no single node is to blame.
        self.at_node = None;
        self.loops()?;
        let named: HashSet<_> = self.evidence.proof.iter().filter_map(|n| n.rule).collect();
        for (id, _) in self.evidence.regions.entries() {
            ensure(named.contains(&Rule::Region(id)), || {
                "a region proves nothing".into()
            })?;
        }
        Ok(())
    }

    fn values(&self, at: OccurrenceId) -> &[Value] {
        &self.evidence.occurrences[at].values
    }

    fn same_state(&self, a: OccurrenceId, b: OccurrenceId) -> bool {
        self.values(a) == self.values(b)
    }
}

/// Whether a formula without path operators is true.
fn proposition(query: &Query, interpreter: &Interpreter<'_>, sub: SubId, env: Env<'_>) -> bool {
    let truth = |sub| deep(|| proposition(query, interpreter, sub, env));
    match query.formula.op(sub) {
        Op::Atom(atom) => interpreter.truth(query.atoms[atom], env),
        op => connective(op, truth).unwrap_or_else(|| unreachable!("it has no path operator")),
    }
}

/// The truth of a constant, or of a connective from that of its operands; `None` for everything else.
fn connective(op: Op, of: impl Fn(SubId) -> bool) -> Option<bool> {
    Some(match op {
        Op::Const(value) => value,
        Op::Not(f) => !of(f),
        Op::And(f, g) => of(f) && of(g),
        Op::Or(f, g) => of(f) || of(g),
        Op::Implies(f, g) => !of(f) || of(g),
        Op::Iff(f, g) => of(f) == of(g),
        Op::Xor(f, g) => of(f) != of(g),
        Op::Atom(_) | Op::Linear(_) | Op::Path(..) => return None,
    })
}
