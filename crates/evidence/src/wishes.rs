//! Wishes about evidence that only properties with a proof claim by claim can be given.
//!
//! A property of linear time is shown by one run, and a number of steps by nothing but the number. What was
//! asked for beyond that is told, not silently left out.

use wherefore_proof::{Measure, Note, Verdict, Wish};

use crate::investigate::Options;

/// Which wishes mean nothing for a property about runs or numbers of steps with this verdict; `led`: a
/// strategy is to choose its evidence.
pub fn unavailable(options: &Options, led: bool, number: bool, verdict: &Verdict) -> Option<Note> {
    let fails = *verdict == Verdict::Fails || number;
    let holds = *verdict == Verdict::Holds;
    let wishes = [
        (Wish::Strategy, led && fails),
        (Wish::Time, options.evidence_time.is_some() && fails),
        (Wish::Each, options.several.each && fails),
        (Wish::Count, options.several.count > 1 && fails),
        (Wish::Abstract, options.abstraction.is_some() && fails),
        (
            Wish::Environment,
            !options.environment.is_empty() && fails && !number,
        ),
        (Wish::Witness, options.witness && holds),
        (
            Wish::Minimal,
            options.minimal != Measure::default() && number,
        ),
    ];
    let wishes: Vec<Wish> = wishes
        .into_iter()
        .filter(|(_, asked)| *asked)
        .map(|(wish, _)| wish)
        .collect();
    (!wishes.is_empty()).then_some(Note::Unavailable(wishes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::several::Several;

    #[test]
    fn what_was_not_asked_for_is_not_told() {
        let options = Options::default();
        assert_eq!(unavailable(&options, false, false, &Verdict::Fails), None);
        assert_eq!(unavailable(&options, false, true, &Verdict::Holds), None);
    }

    #[test]
    fn a_wish_is_told_where_it_would_have_changed_something() {
        let options = Options {
            witness: true,
            several: Several {
                count: 2,
                ..Several::default()
            },
            ..Options::default()
        };
        let told = |led, verdict| unavailable(&options, led, false, &verdict);
        assert_eq!(
            told(true, Verdict::Fails),
            Some(Note::Unavailable(vec![Wish::Strategy, Wish::Count]))
        );
        assert_eq!(
            told(true, Verdict::Holds),
            Some(Note::Unavailable(vec![Wish::Witness]))
        );
    }
}
