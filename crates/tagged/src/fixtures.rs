//! Small systems and properties for tests.

use wherefore_base::{Budget, IndexVec, Rng};
use wherefore_logic::modal::ModalSystem;
use wherefore_logic::{ActionId, Nfa, Piece, SubId};
use wherefore_model::lts::{
    ActionLabel, LabelId, LabelSet, Lts, ModalQuestion, PropertyForm, StateId, Transition,
};

use crate::dfa::Dfa;
use crate::monitor::Monitor;
use crate::tagged::{TagReading, Tagged};

/// A system that starts in state 0.
pub(crate) fn system(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
    starting_at(0, states, transitions)
}

/// A system that starts in some state.
pub(crate) fn starting_at(
    initial: usize,
    states: usize,
    transitions: &[(usize, &str, usize)],
) -> Lts {
    let mut texts: Vec<&str> = transitions.iter().map(|t| t.1).collect();
    texts.sort_unstable();
    texts.dedup();
    let labels = texts.iter().map(|text| ActionLabel {
        text: text.to_string(),
        internal: *text == "i",
    });
    let transitions: Vec<Transition> = (transitions.iter())
        .map(|&(from, text, to)| Transition {
            from: from.into(),
            label: LabelId::new(texts.binary_search(&text).expect("it is one of them")),
            to: to.into(),
        })
        .collect();
    Lts::new(
        labels.collect(),
        states,
        StateId::new(initial),
        &transitions,
    )
}

/// A random system with some labels `a` to `c` and perhaps `BAD`, always the same for a seed.
pub(crate) fn random_system(seed: u64) -> Lts {
    let mut rng = Rng::new(seed);
    let mut below = |bound: usize| rng.below(bound);
    let states = 2 + below(5);
    let transitions = 1 + below(2 * states);
    let texts = ["BAD", "a", "b", "c"];
    let transitions: Vec<(usize, &str, usize)> = (0..transitions)
        .map(|_| (below(states), texts[below(4)], below(states)))
        .collect();
    system(states, &transitions)
}

/// The regular formula `true* . A . true* . B ...` of these labels, with what its actions mean.
pub(crate) fn then_labels(lts: &Lts, texts: &[&str]) -> (Nfa, Piece, IndexVec<ActionId, LabelSet>) {
    let mut nfa = Nfa::new();
    let mut actions: IndexVec<ActionId, LabelSet> = IndexVec::new();
    let any = actions.push(LabelSet::new(lts, |_| true));
    let mut whole = nfa.nil();
    for text in texts {
        let action = actions.push(LabelSet::new(lts, |label| label.text == *text));
        let wait = nfa.action(any);
        let wait = nfa.star(wait);
        let step = nfa.action(action);
        let part = nfa.then(wait, step);
        whole = nfa.then(whole, part);
    }
    (nfa, whole, actions)
}

/// `[true* . A . true* . B ...] false`
pub(crate) fn never(lts: &Lts, texts: &[&str]) -> Monitor {
    let (nfa, piece, actions) = then_labels(lts, texts);
    let dfa = Dfa::beginning_with(&nfa, piece, &actions, lts, &Budget::unlimited());
    Monitor::Labels(dfa.expect("no limit"))
}

/// The same as a question.
pub(crate) fn never_question(lts: &Lts, texts: &[&str]) -> ModalQuestion {
    let (nfa, piece, actions) = then_labels(lts, texts);
    question(actions, PropertyForm::Never(nfa, piece))
}

/// That these labels inevitably come in this order.
pub(crate) fn inevitable_question(lts: &Lts, texts: &[&str]) -> ModalQuestion {
    let (_, _, actions) = then_labels(lts, texts);
    let order = (1..=texts.len()).map(ActionId::new).collect();
    question(actions, PropertyForm::Inevitable(order))
}

/// A question of a form.
pub(crate) fn question(actions: IndexVec<ActionId, LabelSet>, form: PropertyForm) -> ModalQuestion {
    ModalQuestion {
        system: ModalSystem {
            equations: IndexVec::new(),
            blocks: Vec::new(),
            root: SubId::new(0),
        },
        actions,
        form,
    }
}

/// The graph of a safety property `[true* . A . true* . B ...] false`.
pub(crate) fn tagged<'a>(lts: &'a Lts, texts: &[&str], reading: TagReading) -> Tagged<'a> {
    let monitor = match reading {
        TagReading::Branching | TagReading::Fate => never(lts, texts),
        TagReading::Inevitable | TagReading::Linear => {
            let (_, _, actions) = then_labels(lts, texts);
            let order: Vec<ActionId> = (1..=texts.len()).map(ActionId::new).collect();
            let dfa = Dfa::in_order(&order, &actions, lts, &Budget::unlimited());
            Monitor::Labels(dfa.expect("no limit"))
        }
    };
    Tagged::new(lts, monitor, reading, &Budget::unlimited()).expect("no limit")
}
