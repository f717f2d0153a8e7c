//! From which states properties are asked, where the user chose them.

use num_bigint::BigUint;

use super::{Sentence, SentenceAssertion, formula};
use crate::report::StartStates;
use crate::words::clean;

/// "asked from 12 reachable states where `floor = 2`; 4 more satisfy it, and no run reaches them".
pub(crate) fn start_text(starts: &StartStates) -> Sentence {
    let condition = formula(clean(&starts.text));
    let states = |n: &BigUint| match *n == BigUint::from(1_u32) {
        true => "1 state".to_string(),
        false => format!("{n} states"),
    };
    let (reachable, none) = (&starts.reachable, BigUint::ZERO);
    let sentence = match &starts.unreachable {
        Some(others) if *reachable == none => {
            let are = match *others == BigUint::from(1_u32) {
                true => "is not reachable",
                false => "are not reachable",
            };
            say!(
                "asked from {} where {}, which {}",
                states(others),
                condition,
                are
            )
        }
        Some(others) if *others == none => {
            let all = match *reachable == BigUint::from(1_u32) {
                true => "which is reachable",
                false => "all reachable",
            };
            say!(
                "asked from {} where {}, {}",
                states(reachable),
                condition,
                all
            )
        }
        Some(others) if starts.only_reachable => {
            let more = match *others == BigUint::from(1_u32) {
                true => "1 more satisfies it, and no run reaches that".to_string(),
                false => format!("{others} more satisfy it, and no run reaches those"),
            };
            let asked = reachable_states(reachable);
            say!("asked from {} where {}; {}", asked, condition, more)
        }
        Some(others) => {
            let all = states(&(reachable + others));
            say!(
                "asked from {} where {}, of which {} are reachable",
                all,
                condition,
                reachable.to_string()
            )
        }
        None if starts.only_reachable => {
            say!(
                "asked from {} where {}",
                reachable_states(reachable),
                condition
            )
        }
        None => {
            let asked = "asked from all states where";
            say!(
                "{} {}, of which {} are reachable",
                asked,
                condition,
                reachable.to_string()
            )
        }
    };
    let sentence = match starts.recounted {
        true => sentence,
        // Nobody but the engine counted them.
        false => say!("{} (counted by the engine alone)", sentence),
    };
    sentence.asserting(SentenceAssertion::Starts(starts.clone()))
}

fn reachable_states(n: &BigUint) -> String {
    match *n == BigUint::from(1_u32) {
        true => "1 reachable state".to_string(),
        false => format!("{n} reachable states"),
    }
}
