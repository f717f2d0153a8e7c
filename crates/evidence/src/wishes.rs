//! Wishes about evidence that only properties with a proof claim by claim can be given.
//!
//! A property of linear time is shown by runs, and a number of steps by nothing but the number. What was
//! asked for beyond that is told, not silently left out.

use wherefore_proof::{EvidenceWish, Measure, Note, Verdict};

use crate::investigate::EvidenceOptions;

/// Which wishes mean nothing for a property about runs or numbers of steps with this verdict; `led`: a
/// strategy is to choose its evidence.
pub fn unavailable(
    options: &EvidenceOptions,
    led: bool,
    number: bool,
    verdict: &Verdict,
) -> Option<Note> {
    let fails = *verdict == Verdict::Fails || number;
    let wishes = [
        (EvidenceWish::Strategy, led && number),
        (EvidenceWish::Time, options.evidence_time.is_some() && fails),
        (EvidenceWish::Each, options.several.each && fails),
        (EvidenceWish::Count, options.several.count > 1 && number),
        (
            EvidenceWish::Abstract,
            options.abstraction.is_some() && fails,
        ),
        (
            EvidenceWish::Environment,
            !options.environment.is_empty() && fails && !number,
        ),
        (EvidenceWish::Witness, options.witness && number),
        (
            EvidenceWish::Minimal,
            options.minimal != Measure::default() && number,
        ),
    ];
    let wishes: Vec<EvidenceWish> = wishes
        .into_iter()
        .filter(|(_, asked)| *asked)
        .map(|(wish, _)| wish)
        .collect();
    (!wishes.is_empty()).then_some(Note::Unavailable(wishes))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::several::SeveralOptions;

    #[test]
    fn what_was_not_asked_for_is_not_told() {
        let options = EvidenceOptions::default();
        assert_eq!(unavailable(&options, false, false, &Verdict::Fails), None);
        assert_eq!(unavailable(&options, false, true, &Verdict::Holds), None);
    }

    #[test]
    fn a_wish_is_told_where_it_would_have_changed_something() {
        let options = EvidenceOptions {
            witness: true,
            several: SeveralOptions {
                count: 2,
                ..SeveralOptions::default()
            },
            ..EvidenceOptions::default()
        };
        let told = |number| unavailable(&options, true, number, &Verdict::Fails);
        assert_eq!(told(false), None);
        assert_eq!(
            told(true),
            Some(Note::Unavailable(vec![
                EvidenceWish::Strategy,
                EvidenceWish::Count,
                EvidenceWish::Witness,
            ]))
        );
        let options = EvidenceOptions {
            evidence_time: Some(Duration::from_secs(1)),
            ..EvidenceOptions::default()
        };
        let told = |verdict| unavailable(&options, false, false, &verdict);
        assert_eq!(
            told(Verdict::Fails),
            Some(Note::Unavailable(vec![EvidenceWish::Time]))
        );
        assert_eq!(told(Verdict::Holds), None);
    }
}
