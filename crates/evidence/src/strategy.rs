//! Strategies: who makes the choices in a proof.
//!
//! The interface is that of Chechik and Gurfinkel (2005). Before a proof grows, a strategy may add and
//! remove rules, and may do so again later; then it is asked which obligation to show next and which of the ways on offer to take,
//! and is told what became of it. It sees the whole proof so far. What it cannot do is make a proof
//! wrong: only ways that are so are offered.
//!
//! Strategies compose by narrowing. Each returns *all* it likes best of what it is given, the next one
//! chooses among these, and of what is left in the end the first is taken.

use wherefore_base::{IndexVec, Run, Value};
use wherefore_model::{Model, Query, TermId};
use wherefore_proof::{Claim, OccurrenceId, ProofId, ProofNode};

/// Who makes the choices in a proof.
pub trait Strategy {
    /// Whether it may choose otherwise than nobody would; if not, it is never asked.
    fn has_opinions(&self) -> bool {
        true
    }

    /// Adds and removes rules before the proof grows.
    fn init(&mut self, _rules: &mut Rules) -> Run<()> {
        Ok(())
    }

    /// Which of the obligations to show next: all that are liked equally. Those it returns none of stay
    /// open; when it returns nothing, the proof is left as it is.
    fn pick_leaf(&mut self, _proof: &dyn Proof, leaves: &[ProofId]) -> Run<Vec<ProofId>> {
        Ok(leaves.to_vec())
    }

    /// Adds and removes rules while the proof grows, after an obligation was picked and before the ways to show it are
    /// offered; whether it did. Rules that were added keep their numbers.
    fn change_rules(&mut self, _rules: &mut Rules) -> Run<bool> {
        Ok(false)
    }

    /// Which of the ways to take, by number: all that are liked equally. Nothing means no opinion.
    fn pick_rule(&mut self, _proof: &dyn Proof, _leaf: ProofId, _ways: &[Way]) -> Run<Vec<usize>> {
        Ok(vec![])
    }

    /// What was done at an obligation, and which premises it has now.
    fn rule_applied(
        &mut self,
        _proof: &dyn Proof,
        _leaf: ProofId,
        _way: &Way,
        _premises: &[ProofId],
    ) -> Run<()> {
        Ok(())
    }
}

/// No opinion: what happens then is the shortest evidence that is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shortest;

impl Strategy for Shortest {
    fn has_opinions(&self) -> bool {
        false
    }
}

/// The proof so far, as strategies see it.
pub trait Proof {
    /// The model.
    fn model(&self) -> &Model;

    /// The property.
    fn query(&self) -> &Query;

    /// The nodes; the first is the root. Ranks are not filled in.
    fn nodes(&self) -> &IndexVec<ProofId, ProofNode>;

    /// The values of the state at an occurrence.
    fn values(&self, at: OccurrenceId) -> Vec<Value>;

    /// How far a path of a node has come: how many nodes of the same path are before it.
    fn depth(&self, node: ProofId) -> usize;

    /// The node before a node on the same path.
    fn before(&self, node: ProofId) -> Option<ProofId>;

    /// Whether a condition is true in the state at an occurrence.
    fn is_true(&self, condition: TermId, at: OccurrenceId) -> Run<bool>;

    /// What is to come at an obligation.
    fn outlook(&self, leaf: ProofId) -> Run<Outlook>;

    /// Whether showing an obligation takes more than so many steps: of runs, or from its state to the farthest of
    /// those that must all be looked at.
    fn takes_more_than(&self, leaf: ProofId, steps: u32) -> Run<bool>;

    /// Whether a condition is true in the state that a way on offer steps to; `None` when it makes no
    /// step.
    fn is_true_after(&self, condition: TermId, way: usize) -> Run<Option<bool>>;

    /// Whether the state that a way on offer steps to is in the proof already; `None` when it makes no
    /// step.
    fn is_known_after(&self, way: usize) -> Option<bool>;

    /// What is to come after one of the ways that are on offer at present.
    fn outlook_after(&self, way: usize) -> Run<Outlook>;

    /// Whether a way on offer leads to evidence that is as good as any for the wishes about whole runs up to
    /// the one with this number; `None` when nobody knows.
    fn is_best_for(&self, wish: usize, way: usize) -> Run<Option<bool>>;
}

/// A way to show an obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What is done.
    pub kind: WayKind,
    /// The state it steps to, if it makes a step.
    pub to: Option<Vec<Value>>,
    /// The added rule that offers it, by number; `None` for the rules that are always there.
    pub by: Option<usize>,
    /// Whether it is what happens when nobody has an opinion.
    pub planned: bool,
    /// The obligations it leaves, each with the state it is about. Those that are shown already are
    /// among them.
    pub premises: Vec<Subgoal>,
}

/// A claim at a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subgoal {
    /// What is claimed.
    pub claim: Claim,
    /// The state.
    pub values: Vec<Value>,
}

/// The kinds of ways.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WayKind {
    /// The values of the state decide.
    State,
    /// The branch with this number.
    Branch(usize),
    /// One step.
    Step,
    /// Every step.
    EveryStep,
    /// The goal of the path is reached here.
    Goal,
    /// The path goes on.
    Continue,
    /// A loop through this state, of so many steps.
    Loop(usize),
    /// A step back to an earlier state of the path, which makes a loop of so many steps.
    Close(usize),
    /// The path ends in a state without successor.
    DeadEnd,
    /// The path may end anywhere.
    Stop,
    /// Everything that can follow was explored.
    Region,
    /// Every reachable state has a path.
    Total,
    /// The run begins here.
    Start,
    /// The run shown refutes the property.
    Run,
}

impl WayKind {
    /// The name used in documents and scripts.
    pub fn name(self) -> &'static str {
        match self {
            WayKind::State => "state",
            WayKind::Branch(_) => "branch",
            WayKind::Step => "step",
            WayKind::EveryStep => "every-step",
            WayKind::Goal => "goal",
            WayKind::Continue => "continue",
            WayKind::Loop(_) => "loop",
            WayKind::Close(_) => "close",
            WayKind::DeadEnd => "dead-end",
            WayKind::Stop => "stop",
            WayKind::Region => "region",
            WayKind::Total => "total",
            WayKind::Start => "start",
            WayKind::Run => "run",
        }
    }
}

/// What is to come for a claim at a state: how it is shown when nobody has an opinion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Outlook {
    /// How many steps of runs there are in all, loops included.
    pub steps: u32,
    /// If it ends in a loop: of how many steps.
    pub turn: Option<u32>,
}

/// The rules that a strategy adds and removes, and what it wishes of whole runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Wishes about whole runs, the most important one first.
    pub wishes: Vec<RunWish>,
    /// Added rules; ways name them by their number.
    pub added: Vec<Guide>,
    /// The added rules that do for a wish where the search for the best evidence comes to its limit.
    pub stand_ins: Vec<usize>,
    /// Names of kinds of ways that are not offered, unless nothing else is.
    pub removed: Vec<&'static str>,
}

/// A wish about whole runs. Each chooses among what is best for those before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunWish {
    /// The wish as it is shown to users.
    pub name: String,
    /// What is wished for.
    pub kind: WishKind,
}

/// What is wished of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WishKind {
    /// Every state is one where the condition has this truth.
    Keep(TermId, bool),
    /// Every step follows the automaton, and a loop takes arrows of it again and again.
    Along(Automaton),
    /// The loop passes a state where the condition is true.
    Through(TermId),
}

impl Rules {
    /// Adds a wish about whole runs; returns its number.
    pub fn wish(&mut self, name: impl Into<String>, kind: WishKind) -> usize {
        let name = name.into();
        self.wishes.push(RunWish { name, kind });
        self.wishes.len() - 1
    }

    /// Adds a rule that does for a wish where the search for the best evidence comes to its limit; returns its
    /// number.
    pub fn stand_in(&mut self, guide: Guide) -> usize {
        let number = self.add(guide);
        self.stand_ins.push(number);
        number
    }

    /// The rules without those that do for wishes. Numbers stay as they are.
    pub(crate) fn without_stand_ins(&self) -> Self {
        let mut rules = self.clone();
        for number in std::mem::take(&mut rules.stand_ins) {
            rules.added[number] = Guide::Nothing;
        }
        rules
    }

    /// Adds a rule; returns its number.
    pub fn add(&mut self, guide: Guide) -> usize {
        self.added.push(guide);
        self.added.len() - 1
    }

    /// Takes back a rule that was added. The other rules keep their numbers.
    pub fn drop(&mut self, rule: usize) {
        if let Some(guide) = self.added.get_mut(rule) {
            *guide = Guide::Nothing;
        }
    }

    /// Offers a kind of way, by name, again.
    pub fn restore(&mut self, kind: &str) {
        self.removed.retain(|removed| *removed != kind);
    }

    /// Takes a kind of way, by name, out of what is offered.
    pub fn remove(&mut self, kind: &'static str) {
        self.removed.push(kind);
    }
}

/// An added rule: which of the steps that are so it takes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Guide {
    /// A step to a state where a condition is true (or false).
    Where(TermId, bool),
    /// A step to a state that is in the proof already (or is not).
    Explored(bool),
    /// A step to the same state.
    Here,
    /// The whole path follows an automaton of conditions, with the fewest exceptions, then the fewest
    /// steps.
    Along(Automaton),
    /// The loop passes through a state where the condition is true.
    Through(TermId),
    /// The shortest loop that begins at most so many steps from here.
    Loop(u32),
    /// The proof starts in this state, if it may.
    Start(Vec<Value>),
    /// No step.
    Nothing,
}

/// Conditions on the states that a path steps to, one after the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Automaton {
    /// The arrows that leave each state of the automaton, the first state being where it starts. A
    /// step along an arrow leads to a state where its condition has this truth.
    pub arrows: Vec<Vec<Arrow>>,
    /// States of the automaton: a run that goes on for ever should enter one of them again and again. None: it should
    /// take any arrows again and again.
    pub again: Vec<usize>,
}

impl Automaton {
    /// Whether a loop is to take arrows of it at all: an automaton with one state only says how states are to be.
    pub(crate) fn is_to_move(&self) -> bool {
        self.arrows.len() > 1 || !self.again.is_empty()
    }
}

/// An arrow of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    /// The condition.
    pub condition: TermId,
    /// Whether it must be true or false.
    pub truth: bool,
    /// Where the arrow leads.
    pub to: usize,
}
