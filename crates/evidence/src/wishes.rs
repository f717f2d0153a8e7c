//! Wishes about evidence that only properties with a proof claim by claim can be given.
//!
//! A property of linear time is shown by runs, and a number of steps by nothing but the number. What was
//! asked for beyond that is told, not silently left out.

use wherefore_proof::{EvidenceWish, Measure};

use crate::investigate::EvidenceOptions;

/// The wishes for evidence that were made; `led`: by a strategy with opinions.
pub fn wishes_made(options: &EvidenceOptions, led: bool) -> Vec<EvidenceWish> {
    let wishes = [
        (EvidenceWish::Strategy, led),
        (EvidenceWish::Time, options.evidence_time.is_some()),
        (EvidenceWish::Each, options.several.each),
        (EvidenceWish::Count, options.several.count > 1),
        (EvidenceWish::Abstract, options.abstraction.is_some()),
        (EvidenceWish::Environment, !options.environment.is_empty()),
        (EvidenceWish::Witness, options.witness),
        (EvidenceWish::Minimal, options.minimal != Measure::default()),
    ];
    let made = wishes.into_iter().filter(|(_, made)| *made);
    made.map(|(wish, _)| wish).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::several::SeveralOptions;

    #[test]
    fn the_wishes_that_were_made_are_listed() {
        assert_eq!(wishes_made(&EvidenceOptions::default(), false), []);
        let options = EvidenceOptions {
            witness: true,
            evidence_time: Some(Duration::from_secs(1)),
            several: SeveralOptions {
                count: 2,
                ..SeveralOptions::default()
            },
            ..EvidenceOptions::default()
        };
        let made = [
            EvidenceWish::Strategy,
            EvidenceWish::Time,
            EvidenceWish::Count,
            EvidenceWish::Witness,
        ];
        assert_eq!(wishes_made(&options, true), made);
    }
}
