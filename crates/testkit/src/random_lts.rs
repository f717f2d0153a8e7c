//! Small labelled transition systems and regular formulas, and the plain reading of the latter.

use std::collections::BTreeSet;

use wherefore_base::IndexVec;
use wherefore_logic::{ActionId, Nfa, Piece};
use wherefore_model::lts::{ActionLabel, LabelId, LabelSet, Lts, StateId, Transition};

use crate::Rng;

/// The labels of random systems, in order; the third one is internal.
pub const LABELS: [&str; 4] = ["BAD", "a", "i", "z"];

/// A system from triples of source, label and target. State 0 is initial; `i` is internal.
///
/// # Panics
/// When a state does not exist.
pub fn system(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
    let texts: BTreeSet<&str> = transitions.iter().map(|t| t.1).collect();
    let texts: Vec<&str> = texts.into_iter().collect();
    let labels = texts.iter().map(|text| ActionLabel {
        text: (*text).to_string(),
        internal: *text == "i",
    });
    let transitions = transitions.iter().map(|&(from, text, to)| Transition {
        from: from.into(),
        label: LabelId::new(texts.binary_search(&text).expect("it is one of them")),
        to: to.into(),
    });
    let transitions: Vec<Transition> = transitions.collect();
    Lts::new(labels.collect(), states, StateId::new(0), &transitions)
}

/// A system with up to so many states and on average up to two steps each; not all are reachable.
pub fn random_system(rng: &mut Rng, most_states: usize) -> Lts {
    let states = 1 + rng.below(most_states);
    let count = rng.below(2 * states + 2);
    let transitions: Vec<(usize, &str, usize)> = (0..count)
        .map(|_| (rng.below(states), *rng.pick(&LABELS), rng.below(states)))
        .collect();
    system(states, &transitions)
}

/// A regular formula; an action is the set of labels it matches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Regular {
    /// No sequence.
    None,
    /// The empty sequence.
    Nil,
    /// One of these labels.
    Action(BTreeSet<String>),
    /// One after the other.
    Then(Box<Regular>, Box<Regular>),
    /// One of these.
    Or(BTreeSet<Regular>),
    /// Any number of times.
    Star(Box<Regular>),
}

impl Regular {
    /// A formula with so many operators.
    pub fn random(rng: &mut Rng, size: usize) -> Self {
        if size == 0 {
            return match rng.below(8) {
                0 => Regular::Nil,
                1 | 2 => Regular::Action(LABELS.map(str::to_string).into()),
                _ => {
                    let some = LABELS.iter().filter(|_| rng.chance(2, 5));
                    Regular::Action(some.map(|label| (*label).to_string()).collect())
                }
            };
        }
        let left = rng.below(size);
        match rng.below(5) {
            0 | 1 => {
                let one = Self::random(rng, left);
                Regular::Then(Box::new(one), Box::new(Self::random(rng, size - 1 - left)))
            }
            2 => Regular::Or([Self::random(rng, left), Self::random(rng, size - 1 - left)].into()),
            _ => Regular::Star(Box::new(Self::random(rng, size - 1))),
        }
    }

    /// The automaton under test.
    pub fn nfa(
        &self,
        nfa: &mut Nfa,
        actions: &mut IndexVec<ActionId, LabelSet>,
        lts: &Lts,
    ) -> Piece {
        match self {
            Regular::None => nfa.none(),
            Regular::Nil => nfa.nil(),
            Regular::Action(labels) => {
                let set = LabelSet::new(lts, |label| labels.contains(&label.text));
                let action = actions.push(set);
                nfa.action(action)
            }
            Regular::Then(one, other) => {
                let (one, other) = (one.nfa(nfa, actions, lts), other.nfa(nfa, actions, lts));
                nfa.then(one, other)
            }
            Regular::Or(parts) => {
                let parts: Vec<Piece> = (parts.iter())
                    .map(|part| part.nfa(nfa, actions, lts))
                    .collect();
                let joined = parts.into_iter().reduce(|one, other| nfa.or(one, other));
                joined.unwrap_or_else(|| nfa.none())
            }
            Regular::Star(body) => {
                let body = body.nfa(nfa, actions, lts);
                nfa.star(body)
            }
        }
    }

    /// The formula in MCL.
    pub fn mcl(&self) -> String {
        match self {
            Regular::None => "false".to_string(),
            Regular::Nil => "nil".to_string(),
            Regular::Action(labels) if labels.is_empty() => "false".to_string(),
            Regular::Action(labels) => {
                let quoted: Vec<String> = labels.iter().map(|l| format!("\"{l}\"")).collect();
                format!("({})", quoted.join(" or "))
            }
            Regular::Then(one, other) => format!("({} . {})", one.mcl(), other.mcl()),
            Regular::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(Regular::mcl).collect();
                format!("({})", parts.join(" | "))
            }
            Regular::Star(body) => format!("({})*", body.mcl()),
        }
    }

    /// Whether the empty sequence is one of it.
    pub fn nullable(&self) -> bool {
        match self {
            Regular::None | Regular::Action(_) => false,
            Regular::Nil | Regular::Star(_) => true,
            Regular::Then(one, other) => one.nullable() && other.nullable(),
            Regular::Or(parts) => parts.iter().any(Regular::nullable),
        }
    }

    /// What may follow after a label (Brzozowski, 1964).
    #[must_use]
    pub fn after(&self, label: &str) -> Self {
        match self {
            Regular::None | Regular::Nil => Regular::None,
            Regular::Action(labels) if labels.contains(label) => Regular::Nil,
            Regular::Action(_) => Regular::None,
            Regular::Then(one, other) => {
                let first = then(one.after(label), (**other).clone());
                match one.nullable() {
                    true => or([first, other.after(label)]),
                    false => first,
                }
            }
            Regular::Or(parts) => or(parts.iter().map(|part| part.after(label))),
            Regular::Star(body) => then(body.after(label), self.clone()),
        }
    }
}

fn then(one: Regular, other: Regular) -> Regular {
    match (one, other) {
        (Regular::None, _) | (_, Regular::None) => Regular::None,
        (Regular::Nil, other) => other,
        (one, Regular::Nil) => one,
        // To the right, so that equal sequences of parts look equal.
        (Regular::Then(first, second), other) => {
            Regular::Then(first, Box::new(then(*second, other)))
        }
        (one, other) => Regular::Then(Box::new(one), Box::new(other)),
    }
}

fn or(parts: impl IntoIterator<Item = Regular>) -> Regular {
    let mut flat = BTreeSet::new();
    for part in parts {
        match part {
            Regular::None => {}
            Regular::Or(inner) => flat.extend(inner),
            part => {
                flat.insert(part);
            }
        }
    }
    match flat.len() {
        0 => Regular::None,
        1 => flat.pop_first().expect("there is one"),
        _ => Regular::Or(flat),
    }
}
