//! What became of wishes about whole runs.

use wherefore_evidence::{WishBest, WishOutcome};

use super::{Sentence, SentenceAssertion, SentencePart, count};
use crate::words::clean;

/// What became of a wish, in a sentence: `wish `avoid:x`: met`.
pub(crate) fn wish_text(outcome: &WishOutcome) -> Sentence {
    let name = Sentence::from(SentencePart::Formula(clean(&outcome.name)));
    let text = match outcome.is_met() {
        true => say!("wish {}: met", name),
        false => say!(
            "wish {}: not met: {}{}",
            name,
            exceptions(outcome),
            known(outcome)
        ),
    };
    text.asserting(SentenceAssertion::Wished(outcome.clone()))
}

/// Where the evidence is not as wished.
fn exceptions(outcome: &WishOutcome) -> Sentence {
    let mut told: Vec<Sentence> = Vec::new();
    if outcome.idle {
        told.push("the loop does nothing for it".into());
    }
    let exceptions = |n: u32| count(n as usize, "exception");
    if outcome.turn > 0 {
        told.push(say!(
            "{} in each turn of the loop",
            exceptions(outcome.turn)
        ));
    }
    if outcome.way > 0 {
        told.push(match outcome.loops {
            true => say!("{} on the way to the loop", exceptions(outcome.way)),
            false => exceptions(outcome.way),
        });
    }
    let mut told = told.into_iter();
    let first = told.next().unwrap_or_default();
    told.fold(first, |all, next| say!("{}, {}", all, next))
}

/// What is known of other evidence.
fn known(outcome: &WishOutcome) -> &'static str {
    match outcome.best {
        WishBest::Proved if outcome.first => "; no run does better",
        WishBest::Proved => "; no run that is best for the wishes before does better",
        WishBest::Limit => "; the search for the best run came to its limit",
        WishBest::Open => "; whether other evidence does better is not known",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(idle: bool, turn: u32, way: u32) -> WishOutcome {
        WishOutcome {
            name: "avoid:x".to_string(),
            first: true,
            loops: true,
            idle,
            turn,
            way,
            best: WishBest::Proved,
        }
    }

    #[test]
    fn a_wish_is_met_or_its_exceptions_are_counted() {
        let text = |outcome: WishOutcome| wish_text(&outcome).to_string();
        assert_eq!(text(outcome(false, 0, 0)), "wish `avoid:x`: met");
        assert_eq!(
            text(outcome(true, 1, 2)),
            "wish `avoid:x`: not met: the loop does nothing for it, 1 exception in each turn of the \
             loop, 2 exceptions on the way to the loop; no run does better"
        );
        let path = WishOutcome {
            loops: false,
            first: false,
            ..outcome(false, 0, 1)
        };
        assert_eq!(
            text(path),
            "wish `avoid:x`: not met: 1 exception; no run that is best for the wishes before does \
             better"
        );
        let limit = WishOutcome {
            best: WishBest::Limit,
            ..outcome(false, 0, 1)
        };
        assert!(text(limit).ends_with("the search for the best run came to its limit"));
    }
}
