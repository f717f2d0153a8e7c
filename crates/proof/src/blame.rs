//! What is to blame for a failure: places of the text, and changes that mend it.

use std::collections::BTreeSet;

use wherefore_base::{Span, Value};
use wherefore_model::{TextChange, VarId};

use crate::OccurrenceId;

/// What is to blame for the failure of a property: places of the text, the likeliest first.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Blame {
    /// The places, one for each line.
    pub suspects: Vec<Suspect>,
    /// How many changes were tried: read anew, and checked or refuted by a counterexample that they still show.
    pub tried: usize,
    /// How many changes were left out, since no step of the counterexample depends on their places.
    pub excluded: usize,
    /// How many changes nobody tried, since the effort was spent.
    pub untried: usize,
    /// Whether no expression at any other place can make the property hold: each of them is known not to.
    pub no_others: bool,
    /// Whether no changes are tried in this language: the places are those that the counterexample hinges on, and `excluded` counts the
    /// conditions that can be anything without a change of it.
    pub hinges_only: bool,
    /// Pairs of places that can make the property hold together, and neither alone.
    pub pairs: Vec<(Span, Span)>,
    /// Where the values that the failure depends on come from, if somebody asked.
    pub slice: Slice,
}

impl Blame {
    /// The changes that mend the property, the best first.
    pub fn mends(&self) -> impl Iterator<Item = (&Suspect, &Mend)> {
        let suspects = self.suspects.iter();
        suspects.filter_map(|suspect| Some((suspect, suspect.mend.as_ref()?)))
    }
}

/// A place of the text that may be to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// Where it is.
    pub span: Span,
    /// What speaks against it.
    pub role: SuspectRole,
    /// What another expression there can do.
    pub power: PlacePower,
    /// Where the counterexample hinges on it first, with which value.
    pub hinge: Option<Hinge>,
    /// The steps of the counterexample that take the transition which stands there, by the occurrences that they enter.
    pub steps: Vec<OccurrenceId>,
    /// A change at this place that makes the property hold.
    pub mend: Option<Mend>,
}

/// A point of a counterexample at which an expression has a value without which it would be none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hinge {
    /// The state, or the one that the step leaves.
    pub at: OccurrenceId,
    /// What the expression denotes there: one value, or several to choose from.
    pub now: Vec<Value>,
    /// Another value, with which the run would be no counterexample.
    pub other: Value,
    /// What would be otherwise.
    pub effect: HingeEffect,
}

/// What would be otherwise at a point of a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HingeEffect {
    /// The state could not be initial.
    Start,
    /// The state could not be.
    State,
    /// The step could not be taken.
    Step,
    /// A condition of the property or of fairness would have another truth value.
    Condition,
}

/// What speaks against a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SuspectRole {
    /// A change there makes the property hold, and no property that held fails.
    Mends,
    /// A change there makes the property hold, and others fail.
    MendsAtACost,
    /// The counterexample could be another one if something else stood there.
    Hinges,
}

impl SuspectRole {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            SuspectRole::Mends => "mends",
            SuspectRole::MendsAtACost => "mends_at_a_cost",
            SuspectRole::Hinges => "hinges",
        }
    }
}

/// What an expression can do for a property that fails: the place is left free, to denote any value of its type in
/// each situation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlacePower {
    /// With well chosen values the property holds, and so does everything that holds now.
    MendsAndKeeps,
    /// With well chosen values the property holds.
    Mends,
    /// Nobody knows.
    Open,
    /// Nobody tries changes in this language.
    Untried,
}

/// A change with which a property holds, and what becomes of the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mend {
    /// The change.
    pub change: TextChange,
    /// How many of the properties hold then.
    pub holds: usize,
    /// How many were decided then.
    pub of: usize,
    /// The properties that held and fail then, by index.
    pub breaks: Vec<usize>,
    /// The properties that hold now and were not decided then, by index.
    pub open: Vec<usize>,
    /// The properties that hold vacuously then and do not now, by index; empty where nobody looked.
    pub vacuous: Vec<usize>,
    /// Whether some runs end then, or none counts, where that was not so before.
    pub ends: bool,
    /// Whether internal steps can go on for ever then, where they could not before.
    pub diverges: bool,
    /// The labels of steps that can be taken now and not then.
    pub loses: Vec<String>,
    /// What must be written otherwise, too, for the text to be right.
    pub also: Vec<TextChange>,
}

/// Where the values come from that a failure depends on: back along the run to its first state, to inputs, and to what the text
/// leaves open.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Slice {
    /// The values, each once: first those that the failure depends on, then those that they rest on.
    pub values: Vec<SliceValue>,
    /// How many values that these rest on are left out, since they are too many.
    pub left_out: usize,
}

/// A value on a run, and what in the text gave it or kept it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SliceValue {
    /// The state.
    pub at: OccurrenceId,
    /// The variable of the state.
    pub var: VarId,
    /// The other values that the text would have allowed here, if they are few: it was chosen among these and its own.
    pub allowed: Vec<Value>,
    /// Whether the text says nothing of it here.
    pub free: bool,
    /// What the text says, in the order in which it is read.
    pub parts: Vec<SlicePart>,
    /// The values that this rests on: as long as these are as they are, all parts are what they are. Those of inputs stand with
    /// the state that the step leaves.
    pub rests_on: Vec<(OccurrenceId, VarId)>,
}

/// An expression of the text that gave a value or kept it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlicePart {
    /// The expression: of a branch, the whole branch.
    pub span: Span,
    /// What it did.
    pub role: SliceRole,
    /// The conditions that decided it, with their truth: for a branch that was not taken, what made its condition false.
    pub since: Vec<(Span, bool)>,
}

/// What an expression did for a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SliceRole {
    /// It comes first, and its condition was false.
    NotTaken,
    /// Its condition was true, and what stands in it gave the value.
    Taken,
    /// It gave the value.
    Gave,
    /// With another value it would not have been true.
    Required,
    /// It speaks of the value, and is true with every other one, too.
    Allowed,
}

/// The values that a counterexample hinges on.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Causes {
    /// The occurrences and variables, in order.
    pub pairs: BTreeSet<(OccurrenceId, VarId)>,
    /// Whether these are the causes by their definition, or those of the approximation.
    pub exact: bool,
}
