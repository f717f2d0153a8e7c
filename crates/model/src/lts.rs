//! Labelled transition systems: numbered states, and transitions with names.
//!
//! Where a [`crate::Model`] describes its steps, an [`Lts`] lists them. Its form is canonical: labels are
//! numbered in the order of their texts, the steps of a state are ordered by label and target, and each
//! stands there once. So the order of labels is the order of their numbers, and the same system read
//! from differently ordered files is the same value.

use wherefore_base::{IndexVec, define_id};
use wherefore_logic::modal::ModalSystem;
use wherefore_logic::{ActionId, Nfa, Piece};

define_id!(
    /// A state of an [`Lts`].
    pub struct StateId
);
define_id!(
    /// A label of an [`Lts`]; ids are in the order of the texts.
    pub struct LabelId
);

/// The name of transitions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActionLabel {
    /// The name, as the user wrote it, without quotes.
    pub text: String,
    /// Whether it stands for internal steps, as CADP's `i` and mCRL2's `tau`.
    pub internal: bool,
}

/// A transition without its source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LtsStep {
    /// Its name.
    pub label: LabelId,
    /// The state it enters.
    pub to: StateId,
}

/// `from --label--> to`
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// The state it leaves.
    pub from: StateId,
    /// Its name.
    pub label: LabelId,
    /// The state it enters.
    pub to: StateId,
}

/// A transition without its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepBack {
    /// Its name.
    pub label: LabelId,
    /// The state it leaves.
    pub from: StateId,
}

/// A labelled transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    labels: IndexVec<LabelId, ActionLabel>,
    initial: StateId,
    /// Where the steps of each state start, and after them where the last ones end.
    starts: Vec<u32>,
    steps: Vec<LtsStep>,
}

impl Lts {
    /// A system from its transitions in any order. Labels may be in any order, but each text only once.
    ///
    /// # Panics
    /// When a state or a label does not exist, or there are more than 2^32 - 1 transitions.
    pub fn new(
        labels: Vec<ActionLabel>,
        states: usize,
        initial: StateId,
        transitions: &[Transition],
    ) -> Self {
        // A counting sort by source, in linear time.
        let mut starts = vec![0u32; states + 1];
        u32::try_from(transitions.len()).expect("transitions are counted with 32 bits");
        for transition in transitions {
            starts[transition.from.index() + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut at = starts.clone();
        let unset = LtsStep {
            label: LabelId::new(0),
            to: StateId::new(0),
        };
        let mut steps = vec![unset; transitions.len()];
        for transition in transitions {
            let place = &mut at[transition.from.index()];
            steps[*place as usize] = LtsStep {
                label: transition.label,
                to: transition.to,
            };
            *place += 1;
        }
        Self::from_rows(labels, initial, starts, steps)
    }

    /// A system from the steps of each state in turn: those of state `s` are
    /// `steps[starts[s]..starts[s + 1]]`, in any order.
    ///
    /// # Panics
    /// When a state or a label does not exist, or the boundaries do not fit the steps.
    pub fn from_rows(
        labels: Vec<ActionLabel>,
        initial: StateId,
        mut starts: Vec<u32>,
        mut steps: Vec<LtsStep>,
    ) -> Self {
        let states = starts.len() - 1;
        assert!(initial.index() < states, "the initial state exists");
        assert_eq!(starts[states] as usize, steps.len(), "every step has a row");
        let mut ordered: Vec<(ActionLabel, usize)> = labels.into_iter().zip(0..).collect();
        ordered.sort_unstable();
        let mut rank = vec![LabelId::new(0); ordered.len()];
        for (position, (_, given)) in ordered.iter().enumerate() {
            rank[*given] = LabelId::new(position);
        }
        let labels: Vec<ActionLabel> = ordered.into_iter().map(|(label, _)| label).collect();
        let mut kept = 0;
        let mut start = 0;
        for state in 0..states {
            let end = starts[state + 1] as usize;
            let row = &mut steps[start..end];
            for step in &mut *row {
                assert!(step.to.index() < states, "the target exists");
                step.label = rank[step.label.index()];
            }
            // One comparison of numbers instead of two of ids.
            row.sort_unstable_by_key(|step| {
                (step.label.index() as u64) << 32 | step.to.index() as u64
            });
            // The place is free: the old beginning of the row is in `start`, and its end was read above.
            starts[state] = kept as u32;
            // A row stays in place where nothing was dropped before it and nothing stands twice in it.
            if kept == start && row.windows(2).all(|pair| pair[0] != pair[1]) {
                kept = end;
            } else {
                let first = kept;
                for index in start..end {
                    let step = steps[index];
                    if kept == first || steps[kept - 1] != step {
                        steps[kept] = step;
                        kept += 1;
                    }
                }
            }
            start = end;
        }
        starts[states] = kept as u32;
        steps.truncate(kept);
        Self {
            labels: labels.into(),
            initial,
            starts,
            steps,
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The states in order.
    pub fn state_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<> {
        (0..self.states()).map(StateId::new)
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.steps.len()
    }

    /// The labels, also those without a transition.
    pub fn labels(&self) -> &IndexVec<LabelId, ActionLabel> {
        &self.labels
    }

    /// The text of a label.
    pub fn text(&self, label: LabelId) -> &str {
        &self.labels[label].text
    }

    /// The label with this text.
    pub fn label(&self, text: &str) -> Option<LabelId> {
        let found = self
            .labels
            .as_slice()
            // Labels are in the order of their texts.
            .binary_search_by(|label| label.text.as_str().cmp(text));
        found.ok().map(LabelId::new)
    }

    /// Where it starts.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The steps of a state, by label and then by target.
    #[inline]
    pub fn steps(&self, state: StateId) -> &[LtsStep] {
        let state = state.index();
        &self.steps[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// All transitions, by source, label and target.
    pub fn all_transitions(&self) -> impl Iterator<Item = Transition> + '_ {
        self.state_ids().flat_map(move |from| {
            let steps = self.steps(from).iter();
            steps.map(move |&LtsStep { label, to }| Transition { from, label, to })
        })
    }

    /// The same transitions, found from the states they enter.
    pub fn reversed(&self) -> Reversed {
        let mut starts = vec![0u32; self.starts.len()];
        for step in &self.steps {
            starts[step.to.index() + 1] += 1;
        }
        for state in 0..self.states() {
            starts[state + 1] += starts[state];
        }
        let mut at = starts.clone();
        let unset = StepBack {
            label: LabelId::new(0),
            from: StateId::new(0),
        };
        let mut steps = vec![unset; self.steps.len()];
        // Transitions come in the order of their sources, so those into each state do, too.
        for transition in self.all_transitions() {
            let place = &mut at[transition.to.index()];
            steps[*place as usize] = StepBack {
                label: transition.label,
                from: transition.from,
            };
            *place += 1;
        }
        Reversed { starts, steps }
    }
}

/// The transitions of an [`Lts`], found from the states they enter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reversed {
    starts: Vec<u32>,
    steps: Vec<StepBack>,
}

impl Reversed {
    /// The transitions into a state, by source and label.
    #[inline]
    pub fn steps(&self, state: StateId) -> &[StepBack] {
        let state = state.index();
        &self.steps[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}

/// What the states of a system are called besides their numbers.
pub trait LtsStateTexts: std::fmt::Debug + Sync {
    /// What a state is called; `None` where its number is all there is.
    fn state_text(&self, state: StateId) -> Option<String>;
}

/// A set of labels: what an action formula means in one system.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LabelSet {
    has: Vec<bool>,
}

impl LabelSet {
    /// The labels for which `holds` is true.
    pub fn new(lts: &Lts, holds: impl FnMut(&ActionLabel) -> bool) -> Self {
        Self {
            has: lts.labels.iter().map(holds).collect(),
        }
    }

    /// Whether a label is in it.
    #[inline]
    pub fn contains(&self, label: LabelId) -> bool {
        self.has[label.index()]
    }

    /// The labels in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = LabelId> + '_ {
        let all = self.has.iter().enumerate();
        all.filter(|(_, has)| **has)
            .map(|(index, _)| LabelId::new(index))
    }

    /// Whether every label is in it.
    pub fn is_full(&self) -> bool {
        !self.has.contains(&false)
    }

    /// Whether no label is in it.
    pub fn is_empty(&self) -> bool {
        !self.has.contains(&true)
    }
}

/// A property of one system: its formula as equations, what its actions mean there, and whether it is of
/// a form that can be debugged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModalQuestion {
    /// The formula.
    pub system: ModalSystem,
    /// The labels that each action matches.
    pub actions: IndexVec<ActionId, LabelSet>,
    /// What it says of the runs of the system.
    pub form: PropertyForm,
}

/// What a formula says of the runs of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyForm {
    /// `[R] false`: no run begins with a sequence of the piece.
    Never(Nfa, Piece),
    /// Every maximal run performs these actions, in this order, perhaps with others in between.
    Inevitable(Vec<ActionId>),
    /// Something else; the sentence says why it is neither.
    Other(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str) -> ActionLabel {
        ActionLabel {
            text: text.to_string(),
            internal: false,
        }
    }

    fn transition(from: usize, label: usize, to: usize) -> Transition {
        Transition {
            from: from.into(),
            label: label.into(),
            to: to.into(),
        }
    }

    #[test]
    fn the_form_does_not_depend_on_the_order_of_transitions_and_labels() {
        let one = Lts::new(
            vec![label("b"), label("a")],
            2,
            StateId::new(0),
            &[
                transition(0, 0, 1),
                transition(1, 0, 0),
                transition(0, 1, 1),
                transition(0, 0, 1),
            ],
        );
        let other = Lts::new(
            vec![label("a"), label("b")],
            2,
            StateId::new(0),
            &[
                transition(1, 1, 0),
                transition(0, 0, 1),
                transition(0, 1, 1),
            ],
        );
        assert_eq!(one, other);
        assert_eq!((one.states(), one.transitions()), (2, 3));
        assert_eq!(one.text(one.steps(StateId::new(0))[0].label), "a");
        assert_eq!(one.label("b"), Some(LabelId::new(1)));
    }

    #[test]
    fn reversed_transitions_are_the_same_ones() {
        let transitions = [
            transition(0, 0, 1),
            transition(2, 0, 1),
            transition(1, 0, 1),
        ];
        let lts = Lts::new(vec![label("a")], 3, StateId::new(0), &transitions);
        let reversed = lts.reversed();
        let into: Vec<usize> = reversed
            .steps(StateId::new(1))
            .iter()
            .map(|step| step.from.index())
            .collect();
        assert_eq!(into, [0, 1, 2]);
        assert!(reversed.steps(StateId::new(0)).is_empty());
    }
}
