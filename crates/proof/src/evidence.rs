//! The evidence type and the findings that carry it.

use num_bigint::BigUint;
use wherefore_base::{IndexVec, Stop, Value, define_id};
use wherefore_logic::{Bounds, Class, Goal, SubId};
use wherefore_model::{Cover, Query, SpaceEngine};

use crate::certificate::Certified;
use crate::{Abstracted, Blame, Causes, Decision, EvidenceWish, Measure, More, Why, WishOutcome};

define_id!(
    /// An occurrence of a state in an evidence.
    pub struct OccurrenceId
);
define_id!(
    /// A node of a proof.
    pub struct ProofId
);
define_id!(
    /// A region of an evidence.
    pub struct RegionId
);

/// The answer to a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds in every initial state that counts.
    Holds,
    /// It fails in some initial state that counts.
    Fails,
    /// Nobody knows yet, and why.
    Unknown(UnknownReason),
}

/// Why a verdict is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// Time, memory or patience ran out.
    Stopped(Stop),
    /// The property is of a kind we cannot answer; the sentence says what would work.
    Unsupported(String),
}

/// Everything found out about one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which property: an index into the properties of the model.
    pub property: usize,
    /// The answer.
    pub verdict: Verdict,
    /// The kind of claim; `None` for properties that are not supported.
    pub class: Option<Class>,
    /// Whether the property holds by its form: it says of runs only that they go on, which is so in every
    /// model.
    pub by_form: bool,
    /// For a property that holds: whether part of it never mattered.
    pub vacuity: Vacuity,
    /// Why the property fails, or why an existential one holds.
    pub evidence: Option<Evidence>,
    /// All shortest evidence at once, if asked for and if there is evidence.
    pub abstraction: Option<Abstracted>,
    /// Further evidence, and the parts of a property that fails.
    pub more: More,
    /// For a universal property that holds, if asked for: a run on which it matters.
    pub witness: Option<PropertyWitness>,
    /// For a property that holds, if asked for: why, as data that somebody else can check.
    pub certificate: Option<Certified>,
    /// For a property that holds, if asked for: why, for people.
    pub why: Option<Why>,
    /// For a number of steps to compute: the number.
    pub quantity: Option<Quantity>,
    /// For a property that fails: where its evidence could still have kept it. Not part of the proof.
    pub decisions: Vec<Decision>,
    /// For a property that fails: the places of the text that are to blame, if somebody looked for them.
    pub blame: Option<Blame>,
    /// What became of each wish about whole runs that the evidence was chosen by, in order.
    pub wishes: Vec<WishOutcome>,
    /// Things the reader must know to read the verdict rightly.
    pub notes: Vec<Note>,
}

impl Finding {
    /// A verdict, and nothing else yet.
    pub fn new(property: usize, verdict: Verdict, class: Option<Class>) -> Self {
        Self {
            property,
            verdict,
            class,
            by_form: false,
            vacuity: Vacuity::NotChecked,
            evidence: None,
            abstraction: None,
            more: More::default(),
            witness: None,
            certificate: None,
            why: None,
            quantity: None,
            decisions: vec![],
            blame: None,
            wishes: vec![],
            notes: vec![],
        }
    }
}

impl Finding {
    /// The evidence, all further evidence and the evidence of the witness, as far as there are.
    pub fn evidences(&self) -> impl Iterator<Item = &Evidence> {
        let witness = self.witness.as_ref().map(|witness| &witness.evidence);
        let all = self.evidence.iter().chain(self.more.evidences());
        all.chain(witness)
    }

    /// Whether the property holds and it is told of it alone that there is no initial state.
    pub fn holds_without_start(&self) -> bool {
        let holds = self.verdict == Verdict::Holds && self.quantity.is_none();
        holds && self.notes.contains(&Note::NoInitialState)
    }

    /// Whether the verdict rests on the lack of runs that count.
    pub fn rests_on_no_run(&self) -> bool {
        let decisive = |note: &Note| matches!(note, Note::NoFairState(why) if why.decisive);
        self.notes.iter().any(decisive)
    }

    /// Why the property holds, if it does only because no run counts.
    pub fn holds_without_run(&self) -> Option<NoRun> {
        let holds = self.verdict == Verdict::Holds && self.quantity.is_none();
        self.notes.iter().find_map(|note| match note {
            Note::NoFairState(why) if holds && why.decisive => Some(*why),
            _ => None,
        })
    }
}

/// A number of steps that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantity {
    /// So many.
    Steps(u32),
    /// No number is enough: the fewest steps where there is no path, the most where paths take ever more
    /// of them or never arrive.
    Infinite,
    /// There is no state to start from.
    Undefined,
}

/// A run on which a property that holds matters: the counterexample of the property with one part
/// taken as the constant that is worst for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyWitness {
    /// The property with that part replaced. Sub-formulas keep their ids.
    pub query: Query,
    /// The part.
    pub replaced: SubId,
    /// What it is taken as.
    pub by: bool,
    /// Why the property would fail.
    pub evidence: Evidence,
}

/// Whether part of a property that holds never mattered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// Nobody looked (the property fails, is existential, or time ran out).
    NotChecked,
    /// Every part matters.
    Matters,
    /// The property holds whatever the truth of this occurrence of a sub-formula.
    Vacuous {
        /// The largest occurrence that never mattered.
        sub: SubId,
    },
}

/// A circumstance that changes what a verdict means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// The model has no initial state: everything holds.
    NoInitialState,
    /// No run counts, so what is said of every run is true and what is said of some run is false. Under the rule of
    /// SMV no initial state counts then, and every property holds.
    NoFairState(NoRun),
    /// The verdict is this one instead, that it holds or that it fails, where runs that end in a deadlock count, too.
    DeadlocksMatter(bool),
    /// These initial states have no fair path and were not checked: how many, and the least one.
    UnfairInitialStates(BigUint, Vec<Value>),
    /// Some reachable states have no successor: how many, the least one among those nearest to the
    /// initial states, and how many steps away it is.
    Deadlocks {
        /// How many states have no successor.
        count: BigUint,
        /// The values of the nearest one.
        nearest: Vec<Value>,
        /// How many steps it is away from the initial states.
        distance: u32,
    },
    /// These wishes mean nothing for the property, and changed nothing.
    Unavailable {
        /// The wishes.
        wishes: Vec<EvidenceWish>,
        /// Why: a sentence without its full stop.
        why: String,
    },
    /// What an engine says of its answer: a sentence without its full stop.
    Said(String),
}

/// Why no reachable state starts a path that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRun {
    /// What is known of the reachable states without a successor; `None` if there are none.
    pub deadlock: Option<Deadlocked>,
    /// The fairness constraints that runs which go on for ever do not meet; `None` if there are no such runs.
    pub unfair: Option<UnmetFairness>,
    /// Whether the verdict rests on it: without operators on paths it would be another one.
    pub decisive: bool,
}

/// Where runs end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadlocked {
    /// The only state without a successor is so many steps from the initial states.
    Only(u32),
    /// The nearest of several states without a successor is so many steps from the initial states.
    Nearest(u32),
    /// Every run ends after so many steps at most.
    Within(u32),
}

/// Which fairness constraints no run meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnmetFairness {
    /// The condition of this justice constraint is not true again and again on any run.
    Justice(usize),
    /// This compassion constraint alone is broken by every run.
    Compassion(usize),
    /// Each constraint is met by some run, and no run meets all of them.
    Together,
}

/// How large the explored system is and who explored it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpaceSummary {
    /// The engine that held the states.
    pub engine: SpaceEngine,
    /// How many states are reachable.
    pub states: BigUint,
    /// How many transitions there are between them, if known.
    pub transitions: Option<u64>,
    /// How many symmetries there are, if states that these turn into each other are counted as few.
    pub symmetries: usize,
    /// How many initial states there are.
    pub initial: BigUint,
    /// What every property of the model is subject to.
    pub notes: Vec<Note>,
}

/// The outline of an evidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// States in a row (perhaps only one).
    Path,
    /// States in a row, the last of which steps back to an earlier one.
    Lasso,
    /// Several segments that branch off one another.
    Tree,
    /// A path (perhaps of one state) to a closed set of states that is the reason.
    Region,
}

impl Shape {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Path => "path",
            Shape::Lasso => "lasso",
            Shape::Tree => "tree",
            Shape::Region => "region",
        }
    }
}

/// A state at a point of an evidence; the same state may occur at several points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// Values of the state variables.
    pub values: Vec<Value>,
    /// The truth of every sub-formula here; `None` where it is not known.
    pub truth: IndexVec<SubId, Option<bool>>,
}

/// `from --input--> to`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvidenceEdge {
    /// The occurrence it leaves.
    pub from: OccurrenceId,
    /// The occurrence it enters.
    pub to: OccurrenceId,
    /// Values of the inputs.
    pub input: Vec<Value>,
}

/// How a segment ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentEnding {
    /// At its goal, or where another segment goes on.
    Goal,
    /// With a step back to this occurrence of the same segment (or the one it starts from).
    Loop(OccurrenceId),
    /// In a state without successor, as the path rule allows.
    DeadEnd,
    /// With a step to an occurrence of another segment, where the rest is shown already.
    Joins(OccurrenceId),
}

/// A run of occurrences that serves one claim: `from -> states[0] -> states[1] -> ... ending`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// The occurrence it starts from, which belongs to an earlier segment; `None` only for the first
    /// segment, whose first state is initial.
    pub from: Option<OccurrenceId>,
    /// The claim it serves.
    pub serves: Claim,
    /// Its own occurrences, in order; may be empty when it only loops or joins.
    pub states: Vec<OccurrenceId>,
    /// Whether it is part of the main run; the others branch off.
    pub main: bool,
    /// How it ends.
    pub ending: SegmentEnding,
    /// For a loop: at which of its occurrences each fairness constraint is met, constraints in model
    /// order, justice first. `None` for a compassion pair whose first condition never occurs in the loop.
    pub fair: Vec<Option<OccurrenceId>>,
}

/// What is claimed of an occurrence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Claim {
    /// A sub-formula holds or fails. For bounded operators, with the bounds that are left here.
    Formula(Goal, Option<Bounds>),
    /// A path of the path rule starts here.
    HasPath,
}

/// How a claim follows from its premises.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// The values of the state decide.
    State,
    /// The branch with this number of [`wherefore_logic::Kernel::Branches`]: all its goals, here.
    Branch(usize),
    /// The claim's goal at one successor, and a path from there if the path rule asks for one.
    Step,
    /// The claim's goal at every successor; all successors are listed. Successors without a path are
    /// left out where the path rule does. A claim about every path follows from its stay goals here and
    /// from itself at every successor.
    EveryStep,
    /// The goal of the path pattern is reached here: its goals, here, and a path from here if the path
    /// rule asks for one.
    Goal,
    /// Not yet: the stay goals here, and then the same claim at the next occurrence (the last premise).
    Continue,
    /// The path may end here, in a state without successor: the stay goals here.
    DeadEnd,
    /// A finite path may end anywhere: the stay goals here.
    Stop,
    /// Exploring everything that can follow shows it.
    Region(RegionId),
    /// Every reachable state has a path of the path rule: there is no deadlock and no fairness
    /// constraint.
    Total,
    /// The path of a past operator comes to where the run begins: the stay goals here.
    Start,
    /// The run shown is fair and goes on for ever, and along it the formula is so by the definition of
    /// its linear-time operators. The root of its proof; its premise, if the proof goes on, is the same claim,
    /// from where the claims at each position follow by the rules above.
    Run,
}

/// A claim at an occurrence, and why it is so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofNode {
    /// What is claimed.
    pub claim: Claim,
    /// Where.
    pub at: OccurrenceId,
    /// Why; `None`: an obligation, not shown yet.
    pub rule: Option<Rule>,
    /// How many steps the goal is away, for claims that must reach one; falls along `Continue` and, for
    /// claims about every path, along `EveryStep`.
    pub rank: Option<u32>,
    /// What it follows from. A claim that may hold for ever may have an earlier node of the same claim
    /// as its last premise: that closes the loop.
    pub premises: Vec<ProofId>,
}

/// A set of states that is closed: from within, only states within follow (until the claim's own goal
/// is reached), and none of them breaks the claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The occurrence it is entered at.
    pub at: OccurrenceId,
    /// What it shows.
    pub claim: Claim,
    /// How many states it has.
    pub size: BigUint,
    /// What its states have in common, among the reachable states.
    pub cover: Cover,
    /// All its states in order, when they are few.
    pub states: Option<Vec<Vec<Value>>>,
}

/// How small an evidence is known to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimality {
    /// What it has as few of as possible.
    pub measure: Measure,
    /// How many of these it has.
    pub length: u32,
    /// How many of these every evidence has; equal to `length` when it is proved least.
    pub at_least: u32,
}

impl Minimality {
    /// Whether nothing smaller exists.
    pub fn proved(&self) -> bool {
        self.at_least == self.length
    }
}

/// What the independent re-check said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replay {
    /// Not re-checked (yet).
    NotDone,
    /// Everything was re-checked.
    Ok,
    /// What is shown was re-checked, but not everything it rests on: the sentence says what not.
    Partial(String),
    /// It is wrong. A bug of ours: such evidence is never shown as evidence.
    Failed(String),
}

/// Why a claim about the initial states is so, as a graph with a proof.
///
/// Invariant: the first occurrence is an initial state; the first proof node is the claim about the
/// property itself, there; every edge of a segment is among `edges`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The outline.
    pub shape: Shape,
    /// Occurrences of states, in the order in which they are told.
    pub occurrences: IndexVec<OccurrenceId, Occurrence>,
    /// Steps between them.
    pub edges: Vec<EvidenceEdge>,
    /// The runs they form. Segments of the main run follow one another in order; each starts where the
    /// one before ended.
    pub segments: Vec<Segment>,
    /// Closed sets that show universal claims.
    pub regions: IndexVec<RegionId, Region>,
    /// The proof; node 0 is its root.
    pub proof: IndexVec<ProofId, ProofNode>,
    /// How short it is.
    pub minimal: Minimality,
    /// What the independent re-check said.
    pub replay: Replay,
    /// For a property that fails: the values that the failure depends on, if somebody looked for them. Not part of the proof.
    pub causes: Option<Causes>,
}

impl Evidence {
    /// The main run: its occurrences in order, and where its last step goes back to if it is a lasso.
    pub fn main_run(&self) -> (Vec<OccurrenceId>, Option<OccurrenceId>) {
        let main = self.segments.iter().filter(|segment| segment.main);
        let run = main
            .clone()
            .flat_map(|segment| segment.states.iter().copied());
        // The main run is one run, so it has one loop at most.
        let back = main.clone().find_map(|segment| match segment.ending {
            SegmentEnding::Loop(to) => Some(to),
            SegmentEnding::Goal | SegmentEnding::DeadEnd | SegmentEnding::Joins(_) => None,
        });
        (run.collect(), back)
    }

    /// How many steps its main run has, the one back to its loop included.
    pub fn main_steps(&self) -> usize {
        let (run, back) = self.main_run();
        // The step back leads to no occurrence of its own.
        run.len().saturating_sub(1) + usize::from(back.is_some())
    }
}
