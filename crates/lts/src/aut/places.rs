//! Where the transitions of a text are, for those who point at them or change them.

use std::ops::Range;

use wherefore_model::lts::{LabelId, Lts, StateId, Transition};

use super::text::is_blank;
use super::{header, line};

/// Where things are in the text of an AUT file; places are bytes of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutPlaces {
    /// Where the header says how many transitions there are.
    pub count: Range<usize>,
    /// The transitions, in the order of the text.
    pub transitions: Vec<TransitionPlace>,
}

/// A transition and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionPlace {
    /// The transition.
    pub transition: Transition,
    /// Its line, without the line feed and without blanks around.
    pub line: Range<usize>,
    /// Where the next line begins.
    pub end: usize,
    /// Its label, with the quotes if it has some.
    pub label: Range<usize>,
    /// The number of the state that it enters.
    pub target: Range<usize>,
}

impl AutPlaces {
    /// The places in the text that a system was read from; `None` where the text is not that of the system.
    pub fn of(text: &str, lts: &Lts) -> Option<Self> {
        let mut count = None;
        let mut transitions = Vec::new();
        let mut at = text.len() - text.trim_start_matches('\u{feff}').len();
        while at < text.len() {
            let rest = &text.as_bytes()[at..];
            let length = rest.iter().position(|&byte| byte == b'\n');
            let bytes = &rest[..length.unwrap_or(rest.len())];
            let end = (at + bytes.len() + 1).min(text.len());
            if !bytes.iter().all(|&byte| is_blank(byte)) {
                match &count {
                    None => count = Some(placed_count(bytes, at)?),
                    Some(_) => transitions.push(placed(text, bytes, at, end, lts)?),
                }
            }
            at = end;
        }
        Some(Self {
            count: count?,
            transitions,
        })
    }
}

fn placed_count(line: &[u8], at: usize) -> Option<Range<usize>> {
    let (_, count) = header::placed(line)?;
    Some(at + count.start..at + count.end)
}

fn placed(text: &str, bytes: &[u8], at: usize, end: usize, lts: &Lts) -> Option<TransitionPlace> {
    let found = line::placed(bytes, lts.states())?;
    let label: LabelId = lts.label(text.get(at + found.label.start..at + found.label.end)?)?;
    let quoted = found.label.start > 0 && bytes[found.label.start - 1] == b'"';
    let around = usize::from(quoted);
    let first = bytes.iter().position(|&byte| !is_blank(byte))?;
    let last = bytes.iter().rposition(|&byte| !is_blank(byte))?;
    Some(TransitionPlace {
        transition: Transition {
            from: found.from,
            label,
            to: found.to,
        },
        line: at + first..at + last + 1,
        end,
        label: at + found.label.start - around..at + found.label.end + around,
        target: at + found.target.start..at + found.target.end,
    })
}

/// A system from transitions, with the labels and states of another one.
pub(crate) fn with_transitions(lts: &Lts, transitions: &[Transition]) -> Lts {
    let labels = lts.labels().iter().cloned().collect();
    Lts::new(labels, lts.states(), lts.initial(), transitions)
}

impl AutPlaces {
    /// The system with one transition left out, or another one in its place.
    pub fn changed(&self, lts: &Lts, at: usize, instead: Option<Transition>) -> Lts {
        let mut transitions: Vec<Transition> = Vec::with_capacity(self.transitions.len());
        for (number, place) in self.transitions.iter().enumerate() {
            match (number == at, instead) {
                (true, Some(other)) => transitions.push(other),
                (true, None) => {}
                (false, _) => transitions.push(place.transition),
            }
        }
        with_transitions(lts, &transitions)
    }

    /// The transitions at which a step of the system is written.
    pub fn lines_of(
        &self,
        from: StateId,
        label: LabelId,
        to: StateId,
    ) -> impl Iterator<Item = usize> {
        let wanted = Transition { from, label, to };
        let all = self.transitions.iter().enumerate();
        all.filter(move |(_, place)| place.transition == wanted)
            .map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::Budget;

    use super::*;
    use crate::aut::{ReadOptions, parse};

    fn read(text: &str) -> Lts {
        let lts = parse(
            text.as_bytes(),
            &ReadOptions::default(),
            &Budget::unlimited(),
        );
        lts.expect("no limit").expect("it is right")
    }

    #[test]
    fn lines_labels_and_targets_are_found_in_both_dialects() {
        let text =
            "\u{feff}\ndes (0, 3, 10)\r\n (0,\"A, B\", 01 ) \r\n\n(1, i, 0)\n(9, G !{x, y}, 9)";
        let lts = read(text);
        let places = AutPlaces::of(text, &lts).expect("it is its text");
        assert_eq!(&text[places.count.clone()], "3");
        let told: Vec<[&str; 3]> = (places.transitions.iter())
            .map(|p| {
                [
                    &text[p.line.clone()],
                    &text[p.label.clone()],
                    &text[p.target.clone()],
                ]
            })
            .collect();
        assert_eq!(
            told,
            [
                ["(0,\"A, B\", 01 )", "\"A, B\"", "01"],
                ["(1, i, 0)", "i", "0"],
                ["(9, G !{x, y}, 9)", "G !{x, y}", "9"],
            ]
        );
    }

    #[test]
    fn a_line_that_is_left_out_leaves_its_twin() {
        let text = "des (0, 3, 2)\n(0, A, 1)\n(0, A, 1)\n(1, B, 0)\n";
        let lts = read(text);
        let places = AutPlaces::of(text, &lts).expect("it is its text");
        assert_eq!(places.changed(&lts, 0, None), lts);
        assert_eq!(places.changed(&lts, 2, None).transitions(), 1);
    }
}
