//! Certificates: why a property holds, as data that somebody else can check.
//!
//! A certificate names sets of states by conditions on variables, and says of each why it has its place:
//! an *invariant* that every run keeps, *claims* (a sub-formula is true in this set, within the
//! invariant), and for whatever must happen some day *layers*, which are taken away one after the other
//! until no run is left that could avoid it. Each rule is local: it speaks of a state, or of a state and
//! its successors.
//!
//! The rules are those of the deductive systems for CTL with fairness (Emerson and Lei 1986; Kesten and
//! Pnueli 2005).

use wherefore_base::{Stop, Value};
use wherefore_logic::{Goal, PathRule};
use wherefore_model::Cube;

/// `x = 1 & y in {a, b}`, or any of several such; or none of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateSet {
    /// The cubes.
    pub cubes: Vec<Cube>,
    /// Whether the set has the states outside all cubes; otherwise, those in some cube. Outside, it is a
    /// conjunction of clauses.
    pub outside: bool,
}

impl StateSet {
    /// Every state.
    pub fn everything() -> Self {
        Self {
            cubes: Vec::new(),
            outside: true,
        }
    }

    /// Whether it has every state, by the way it is written.
    pub fn is_everything(&self) -> bool {
        let whole = self.cubes.iter().any(Cube::is_whole);
        match self.outside {
            true => self.cubes.is_empty(),
            false => whole,
        }
    }
}

/// Why a run cannot stay in a layer for ever, given that it stays in what is left of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerReason {
    /// Every step leads out of what is left.
    StepsOut,
    /// The layer is never left again and never meets the justice condition with this number.
    Justice(usize),
    /// The layer is never left again and never meets the second condition of the compassion pair with this
    /// number: so its states with the first condition are met finitely often, and only these go.
    Compassion(usize),
}

/// A set of states that is taken away from a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// The states; those outside of what is left of the region do not matter.
    pub states: StateSet,
    /// Why no run stays among them for ever.
    pub reason: LayerReason,
}

/// States without a fair path: closed under steps, and every one of them is taken away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfairStates {
    /// The states.
    pub states: StateSet,
    /// The layers, in the order in which they are taken away.
    pub layers: Vec<Layer>,
}

/// States each of which starts a fair path among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndlessStates {
    /// The states; each has a step to another one of them.
    pub states: StateSet,
    /// For each justice condition, then for each compassion pair: rings around the states that meet it
    /// (of a pair, the second condition). From a state of a ring a step leads to the goal or to a ring
    /// before.
    pub rings: Vec<Vec<StateSet>>,
}

/// States that a path starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveStates {
    /// Where a path can stay for ever.
    pub endless: EndlessStates,
    /// Rings around these states: from there a path leads to them. A compassion pair may ask for some.
    pub around: Vec<StateSet>,
}

/// How a claim follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// By the next states: `EX`, `AX`.
    Step,
    /// The set is closed: from its states only states of the set follow, until the goal is reached (`AG`,
    /// `A[f W g]`).
    Closed,
    /// The set is closed, and no run stays in it without reaching the goal (`AF`, `A[f U g]`).
    Leaves(Vec<Layer>),
    /// From a state of a ring a step leads to an end, or to a ring before (`EF`, `E[f U g]`); an end is the
    /// goal, or a state from where the path can stay for ever (`EG`, `E[f W g]`).
    Reaches {
        /// The rings around the ends.
        rings: Vec<StateSet>,
        /// Where staying for ever is possible.
        endless: Option<EndlessStates>,
    },
    /// One set for each number of steps that are left, from none up to the upper bound; the last is the set
    /// of the claim.
    Bounded(Vec<StateSet>),
}

/// A claim: the goal is so at every state of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// What is claimed.
    pub goal: Goal,
    /// Where.
    pub states: StateSet,
    /// Why.
    pub how: How,
}

/// Why a property holds.
///
/// All sets but the invariant speak of the states of the invariant only. A sub-formula without a claim is
/// claimed nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// States that no run leaves: a superset of the reachable ones.
    pub invariant: StateSet,
    /// States without a fair path, where they matter.
    pub unfair: Option<UnfairStates>,
    /// States with a path, where it matters that there is one.
    pub live: Option<LiveStates>,
    /// The claims about sub-formulas with path operators, operands first.
    pub claims: Vec<Proved>,
}

impl Certificate {
    /// All its sets, in order.
    pub fn sets(&self) -> Vec<&StateSet> {
        let mut sets = vec![&self.invariant];
        if let Some(unfair) = &self.unfair {
            sets.push(&unfair.states);
            sets.extend(unfair.layers.iter().map(|layer| &layer.states));
        }
        if let Some(live) = &self.live {
            sets.extend(live.endless.sets());
            sets.extend(&live.around);
        }
        for claim in &self.claims {
            sets.push(&claim.states);
            match &claim.how {
                How::Step | How::Closed => {}
                How::Leaves(layers) => sets.extend(layers.iter().map(|layer| &layer.states)),
                How::Reaches { rings, endless } => {
                    sets.extend(rings);
                    sets.extend(endless.iter().flat_map(EndlessStates::sets));
                }
                // The last set is that of the claim, which is listed already.
                How::Bounded(steps) => sets.extend(steps.iter().rev().skip(1)),
            }
        }
        sets
    }

    /// How many cubes its sets have.
    pub fn cubes(&self) -> usize {
        self.sets().iter().map(|set| set.cubes.len()).sum()
    }
}

impl EndlessStates {
    fn sets(&self) -> impl Iterator<Item = &StateSet> {
        std::iter::once(&self.states).chain(self.rings.iter().flatten())
    }
}

/// What the sets of a certificate speak of, and what they show there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// The states of the model: that the property holds.
    Model,
    /// The product of the model with the tableau of the property: that no fair run refutes it.
    Product,
    /// The states of the model: that none of them has what every run that refutes the property comes to.
    States,
    /// The product, watched by a counter of turns: that no run has more than so many.
    Turns(Turns),
    /// The product, watched for fair loops: that no run closes one.
    Loops {
        /// Where the watching variables begin.
        watches: usize,
    },
}

/// A bound on how often the runs of a product meet all fairness constraints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// No run has more turns.
    pub most: usize,
    /// Up to how many turns are counted.
    pub counted: usize,
    /// Where the variables of the counter begin.
    pub watches: usize,
}

/// What became of the wish for a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certified {
    /// There is one.
    Given {
        /// The certificate.
        certificate: Box<Certificate>,
        /// What its sets speak of, and what they show there.
        over: Over,
        /// How many conditions it comes down to, and what the solver said.
        recheck: Recheck,
    },
    /// There is none, and why.
    None(NoCertificate),
}

/// What the independent check of a certificate said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// So many conditions, all of them true.
    Ok(usize),
    /// A condition that is not true. A bug of ours.
    Broken(BrokenCondition),
    /// Not finished.
    Stopped(Stop),
}

/// Why there is no certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCertificate {
    /// It would have more than so many cubes.
    Cubes(usize),
    /// It would have more than so many layers or rings.
    Layers(usize),
    /// Its sets do not prove it. A bug of ours.
    Unproved,
    /// Certificates do not know this path rule.
    Rule(PathRule),
    /// The property is a number of steps.
    Quantity,
    /// The engine gives none.
    Engine,
    /// It takes more work than is spent on it.
    Effort,
    /// The property is about runs, and no formula about states says the same.
    Runs,
    /// The work was cut short.
    Stopped(Stop),
}

/// What a condition is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionSubject {
    /// Every initial state is in the invariant.
    Start,
    /// No step leaves the invariant.
    Kept,
    /// The property is claimed at every initial state that counts.
    Property,
    /// The set of states without a fair path.
    Unfair,
    /// The set of states with a path.
    Live,
    /// A claim.
    Claim(Goal),
}

/// Why a certificate is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenCondition {
    /// What the condition is about that is not true; `None` when the certificate makes no sense.
    pub about: Option<ConditionSubject>,
    /// The condition, or what makes no sense, as a sentence without its end.
    pub text: String,
    /// A state that breaks it.
    pub state: Option<Vec<Value>>,
    /// The state after it, where a step breaks it.
    pub next: Option<Vec<Value>>,
}
