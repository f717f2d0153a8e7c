//! Ways around a ring: how far a position that wraps around is from where it must be.
//!
//! A position that goes round in a ring of `n` never falls for ever, and neither does its difference to a goal; but the
//! way that is left, in the direction in which it goes, does. Which number is `n` is guessed: what a remainder is taken
//! by, a parameter, or a number to which the model compares the position. A wrong guess is harmless: it is one more number
//! that no rank uses.

use num_bigint::BigInt;
use wherefore_smt::{SmtOp, SmtTerm, SmtTermId, SortId, SymbolId};

use crate::kripke::PlaceGraph;

/// The most numbers that may be the size of a ring.
const MOST_SIZES: usize = 4;

/// The most positions and goals.
const MOST_TARGETS: usize = 3;

/// The ways that are left to a goal in rings, in both directions.
pub(crate) fn around(kripke: &mut PlaceGraph, goal: SmtTermId) -> Vec<SmtTermId> {
    let targets = targets(kripke, goal);
    let mut all = Vec::new();
    for (position, target) in targets {
        for size in sizes(kripke, position) {
            let terms = kripke.terms();
            let at = terms.var(position);
            for (from, to) in [(at, target), (target, at)] {
                let ahead = terms.less_equal(from, to);
                let way = terms.op(SmtOp::Sub, &[to, from]);
                let wrapped = terms.op(SmtOp::Add, &[way, size]);
                all.push(terms.ite(ahead, way, wrapped));
            }
        }
    }
    all
}

/// Integers of the state that the goal says to be equal to something.
fn targets(kripke: &mut PlaceGraph, goal: SmtTermId) -> Vec<(SymbolId, SmtTermId)> {
    let current = kripke.system.current();
    let terms = kripke.terms();
    let mut found = Vec::new();
    let mut open = vec![goal];
    while let Some(term) = open.pop() {
        let node = terms.get(term).clone();
        open.extend(node.operands());
        let SmtTerm::Op(SmtOp::Equal, sides) = node else {
            continue;
        };
        for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if let Some(symbol) = terms.as_symbol(one)
                && current.contains(&symbol)
                && terms.info(symbol).sort == SortId::INT
                && !terms.free(other).contains(&symbol)
                && found.len() < MOST_TARGETS
            {
                found.push((symbol, other));
            }
        }
    }
    found
}

/// What may be the size of the ring that a position goes round.
fn sizes(kripke: &mut PlaceGraph, position: SymbolId) -> Vec<SmtTermId> {
    let (trans, axioms) = (kripke.trans, kripke.axioms);
    let parameters = kripke.system.parameters.clone();
    let terms = kripke.terms();
    let mut found = Vec::new();
    let mut numbers: Vec<BigInt> = Vec::new();
    let mut open = vec![trans, axioms];
    while let Some(term) = open.pop() {
        let node = terms.get(term).clone();
        open.extend(node.operands());
        match node {
            SmtTerm::Op(SmtOp::Mod, sides) if terms.free(sides[0]).contains(&position) => {
                found.push(sides[1]);
            }
            SmtTerm::Op(SmtOp::Equal | SmtOp::Less | SmtOp::LessEqual, sides) => {
                for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    if let SmtTerm::Int(number) = terms.get(other).clone()
                        && terms.free(one).contains(&position)
                    {
                        numbers.push(number);
                    }
                }
            }
            _ => {}
        }
    }
    for parameter in parameters {
        let info = terms.info(parameter);
        if info.sort == SortId::INT && info.args.is_empty() {
            found.push(terms.var(parameter));
        }
    }
    // A position that is compared with its greatest value has one value more.
    for number in numbers {
        for size in [number.clone() + 1, number] {
            if size >= BigInt::from(2) {
                found.push(terms.int(size));
            }
        }
    }
    let mut sizes = Vec::new();
    for size in found {
        if !sizes.contains(&size) && !terms.free(size).contains(&position) {
            sizes.push(size);
        }
    }
    sizes.truncate(MOST_SIZES);
    sizes
}
