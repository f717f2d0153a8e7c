//! The transition systems under `examples/lts` are what their stories say: each is explored here from a
//! description of what its parts do, and compared with the file.
//!
//! `UPDATE_EXAMPLES=1 cargo test -p wherefore-acceptance examples` writes the files anew.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::hash::Hash;
use std::path::Path;

/// What can happen in a state: the name of each step, and the state it leads to.
type Steps<S> = Vec<(String, S)>;

/// Explores a system from its first state, breadth first, and writes it down as AUT.
fn aut<S: Clone + Eq + Hash>(first: S, steps: impl Fn(&S) -> Steps<S>) -> String {
    let mut numbers = HashMap::from([(first.clone(), 0)]);
    let mut states = vec![first];
    let mut lines = String::new();
    let mut transitions = 0;
    let mut at = 0;
    while at < states.len() {
        for (label, to) in steps(&states[at].clone()) {
            let number = *numbers.entry(to.clone()).or_insert_with(|| {
                states.push(to);
                states.len() - 1
            });
            writeln!(lines, "({at}, \"{label}\", {number})").expect("a string grows");
            transitions += 1;
        }
        at += 1;
    }
    format!("des (0, {transitions}, {})\n{lines}", states.len())
}

/// Compares a file with what it should be, or writes it.
fn agrees(name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lts");
    let path = folder.join(name);
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        fs::write(&path, text).expect("the example can be written");
    }
    let there = fs::read_to_string(&path).expect("the example is there");
    assert_eq!(there, text, "{name} is not what its description says");
}

/// A vending machine with tea for one coin and beer for two, and a customer with two coins.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Vending {
    /// Steps until the machine is ready.
    warming: u8,
    /// What the customer wants.
    wants: Option<&'static str>,
    /// Coins in the purse of the customer.
    purse: u8,
    /// Coins that the machine believes to hold.
    credit: u8,
    /// What the display says: the drink was refused since the credit is too small.
    refused: bool,
    /// A drink is on its way.
    brewing: bool,
    /// The customer has gone.
    gone: bool,
}

#[test]
fn the_vending_machine_is_as_described() {
    let first = Vending {
        warming: 2,
        wants: None,
        purse: 2,
        credit: 0,
        refused: false,
        brewing: false,
        gone: false,
    };
    let steps = |s: &Vending| {
        let mut steps = Steps::new();
        let mut step = |label: &str, to: Vending| steps.push((label.to_string(), to));
        if s.warming > 0 {
            let label = if s.warming == 2 {
                "SWITCH ON"
            } else {
                "WARM UP"
            };
            let to = Vending {
                warming: s.warming - 1,
                ..s.clone()
            };
            step(label, to);
            return steps;
        }
        let Some(drink) = s.wants else {
            for drink in ["BEER", "TEA"] {
                let to = Vending {
                    wants: Some(drink),
                    ..s.clone()
                };
                step(&format!("WANT !{drink}"), to);
            }
            return steps;
        };
        if s.gone {
            return steps;
        }
        if s.brewing {
            let to = Vending {
                brewing: false,
                gone: true,
                ..s.clone()
            };
            step(&format!("SERVE !{drink}"), to);
            return steps;
        }
        let price = if drink == "BEER" { 2 } else { 1 };
        if s.purse > 0 && s.credit < price {
            let to = Vending {
                purse: s.purse - 1,
                credit: s.credit + 1,
                refused: false,
                ..s.clone()
            };
            step("COIN", to);
        }
        if s.credit > 0 && !s.refused {
            let served = Vending {
                credit: s.credit.saturating_sub(price),
                brewing: true,
                ..s.clone()
            };
            let refused = Vending {
                refused: true,
                ..s.clone()
            };
            let to = if s.credit < price { refused } else { served };
            step(&format!("CHOOSE !{drink}"), to);
        }
        // Coins that pay for the drink are kept.
        if s.credit > 0 && s.credit < price && s.purse < 2 {
            let to = Vending {
                purse: s.purse + 1,
                // The bug: while the display shows a refusal, the coin comes back and still counts.
                credit: if s.refused { s.credit } else { s.credit - 1 },
                refused: false,
                ..s.clone()
            };
            step("RETURN", to);
        }
        steps
    };
    agrees("vending.aut", &aut(first, steps));
}

/// A part of a system: `(from, label, to)`, starting in state 0.
type Part = &'static [(u8, &'static str, u8)];

/// Several parts side by side. The last one is the shelf: whoever does something that the shelf has a
/// say in does it together with the shelf, unless it forgets to.
struct Workers {
    parts: Vec<Part>,
    shelf: Part,
    forgets: &'static [&'static str],
}

impl Workers {
    fn aut(&self) -> String {
        let has_a_say = |label: &str| {
            let known = self.shelf.iter().any(|step| step.1 == label);
            known && !self.forgets.contains(&label)
        };
        let first = (vec![0; self.parts.len()], 0);
        aut(first, |(workers, shelf): &(Vec<u8>, u8)| {
            let own = self.shelf.iter().filter(|step| step.0 == *shelf);
            let mut steps = Steps::new();
            for (at, part) in self.parts.iter().enumerate() {
                for &(_, label, to) in part.iter().filter(|step| step.0 == workers[at]) {
                    let mut next = workers.clone();
                    next[at] = to;
                    if !has_a_say(label) {
                        steps.push((label.to_string(), (next, *shelf)));
                        continue;
                    }
                    for &(.., shelf) in own.clone().filter(|step| step.1 == label) {
                        steps.push((label.to_string(), (next.clone(), shelf)));
                    }
                }
            }
            let of_workers = |label: &str| {
                let mut all = self.parts.iter().flat_map(|part| part.iter());
                all.any(|step| step.1 == label)
            };
            for &(_, label, to) in own.filter(|step| !of_workers(step.1)) {
                steps.push((label.to_string(), (workers.clone(), to)));
            }
            steps
        })
    }
}

/// Produces one piece.
const PRODUCER: Part = &[(0, "PREPARE", 1), (1, "PRODUCE !P", 2)];
/// Produces for ever.
const EAGER_PRODUCER: Part = &[(0, "PREPARE", 1), (1, "PRODUCE !P", 0)];
/// Opens the shop, and consumes one piece after the other.
const CONSUMER: Part = &[(0, "OPEN", 1), (1, "CONSUME !C", 1)];
/// Takes a turn as a producer or as a consumer.
const BOTH: Part = &[
    (0, "TURN !PRODUCE", 1),
    (1, "PRODUCE !B", 3),
    (0, "TURN !CONSUME", 2),
    (2, "CONSUME !B", 3),
    (3, "REST", 4),
];
/// Room for one piece.
const SHELF: Part = &[
    (0, "PRODUCE !P", 1),
    (0, "PRODUCE !B", 1),
    (1, "CONSUME !C", 0),
    (1, "CONSUME !B", 0),
];

#[test]
fn three_workers_without_a_bug_are_as_described() {
    let workers = Workers {
        parts: vec![PRODUCER, CONSUMER, BOTH],
        shelf: SHELF,
        forgets: &[],
    };
    agrees("workers.aut", &workers.aut());
}

#[test]
fn a_worker_who_does_not_look_before_consuming_is_as_described() {
    let workers = Workers {
        parts: vec![PRODUCER, CONSUMER, BOTH],
        shelf: SHELF,
        // The bug: the third one consumes without asking the shelf.
        forgets: &["CONSUME !B"],
    };
    agrees("early.aut", &workers.aut());
}

/// Looks whether there is room, and then puts its piece there.
const LOOKING_PRODUCER: Part = &[(0, "PREPARE", 1), (1, "LOOK !P", 2), (2, "PRODUCE !P", 3)];
/// The same, for ever.
const EAGER_LOOKING_PRODUCER: Part = &[(0, "PREPARE", 1), (1, "LOOK !P", 2), (2, "PRODUCE !P", 0)];
/// Looks, too, when it is a producer.
const LOOKING_BOTH: Part = &[
    (0, "TURN !PRODUCE", 1),
    (1, "LOOK !B", 5),
    (5, "PRODUCE !B", 3),
    (0, "TURN !CONSUME", 2),
    (2, "CONSUME !B", 3),
    (3, "REST", 4),
];
/// The same, and after a rest it begins again.
const TIRELESS_LOOKING_BOTH: Part = &[
    (0, "TURN !PRODUCE", 1),
    (1, "LOOK !B", 5),
    (5, "PRODUCE !B", 3),
    (0, "TURN !CONSUME", 2),
    (2, "CONSUME !B", 3),
    (3, "REST", 0),
];
/// The bug: who looks does not reserve the place, and a second piece pushes the first one down.
const SHELF_WITHOUT_RESERVATION: Part = &[
    (0, "LOOK !P", 0),
    (0, "LOOK !B", 0),
    (0, "PRODUCE !P", 1),
    (0, "PRODUCE !B", 1),
    (1, "PRODUCE !P", 2),
    (1, "PRODUCE !B", 2),
    (1, "CONSUME !C", 0),
    (1, "CONSUME !B", 0),
    (2, "LOSE", 1),
];

#[test]
fn workers_who_do_not_reserve_a_place_are_as_described() {
    let workers = Workers {
        parts: vec![LOOKING_PRODUCER, CONSUMER, LOOKING_BOTH],
        shelf: SHELF_WITHOUT_RESERVATION,
        forgets: &[],
    };
    agrees("lost.aut", &workers.aut());
    let workers = Workers {
        parts: vec![EAGER_LOOKING_PRODUCER, CONSUMER, TIRELESS_LOOKING_BOTH],
        shelf: SHELF_WITHOUT_RESERVATION,
        forgets: &[],
    };
    agrees("endless.aut", &workers.aut());
}

/// Produces and consumes, in either order. The bug: in one of them it does not clean in between.
const CARELESS_BOTH: Part = &[
    (0, "TURN !PRODUCE", 1),
    (1, "PRODUCE !B", 2),
    (2, "CLEAN", 3),
    (3, "CONSUME !B", 4),
    (0, "TURN !CONSUME", 5),
    (5, "CONSUME !B", 6),
    (6, "PRODUCE !B", 4),
];

#[test]
fn a_worker_who_cleans_in_one_turn_only_is_as_described() {
    let workers = Workers {
        parts: vec![EAGER_PRODUCER, CONSUMER, CARELESS_BOTH],
        shelf: SHELF,
        forgets: &[],
    };
    agrees("careless.aut", &workers.aut());
}

/// The bug: tastes before it checks.
const TASTING_CONSUMER: Part = &[(0, "OPEN", 1), (1, "CONSUME !C", 2), (2, "CHECK", 1)];
/// The same bug.
const TASTING_BOTH: Part = &[
    (0, "TURN !PRODUCE", 1),
    (1, "PRODUCE !B", 4),
    (0, "TURN !CONSUME", 2),
    (2, "CONSUME !B", 3),
    (3, "CHECK", 4),
    (4, "REST", 5),
];

#[test]
fn workers_who_taste_before_they_check_are_as_described() {
    let workers = Workers {
        parts: vec![PRODUCER, TASTING_CONSUMER, TASTING_BOTH],
        shelf: SHELF,
        forgets: &[],
    };
    agrees("unchecked.aut", &workers.aut());
}

/// What a player of the tournament does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Player {
    /// Picks a weapon next.
    Ready,
    /// Has picked one.
    Armed(usize),
    /// Says next that this one has lost.
    Won(usize),
    /// Has lost.
    Out,
}

#[test]
fn the_tournament_is_as_described() {
    const WEAPONS: [&str; 3] = ["ROCK", "PAPER", "SCISSORS"];
    const ROCK: usize = 0;
    const CHEATER: usize = 1;
    let beats = |one: usize, other: usize| one == (other + 1) % 3;
    let tournament = aut([Player::Ready; 3], |players: &[Player; 3]| {
        let mut steps = Steps::new();
        let mut step = |label: String, changes: &[(usize, Player)]| {
            let mut next = *players;
            changes.iter().for_each(|&(at, player)| next[at] = player);
            steps.push((label, next));
        };
        for (at, player) in players.iter().enumerate() {
            match *player {
                Player::Ready => {
                    for (weapon, name) in WEAPONS.iter().enumerate() {
                        let label = format!("PICK !{} !{name}", at + 1);
                        step(label, &[(at, Player::Armed(weapon))]);
                    }
                }
                Player::Armed(mine) => {
                    for (other, opponent) in players.iter().enumerate().skip(at + 1) {
                        let Player::Armed(hers) = *opponent else {
                            continue;
                        };
                        let label = format!(
                            "GAME !{} !{} !{} !{}",
                            at + 1,
                            other + 1,
                            WEAPONS[mine],
                            WEAPONS[hers]
                        );
                        // The bug: the cheater who loses with a rock stays.
                        let beaten = |at: usize, weapon: usize| match (at + 1, weapon) {
                            (CHEATER, ROCK) => Player::Ready,
                            _ => Player::Out,
                        };
                        let ends = if beats(mine, hers) {
                            [(at, Player::Won(other + 1)), (other, beaten(other, hers))]
                        } else if beats(hers, mine) {
                            [(at, beaten(at, mine)), (other, Player::Won(at + 1))]
                        } else {
                            [(at, Player::Ready), (other, Player::Ready)]
                        };
                        step(label, &ends);
                    }
                }
                Player::Won(loser) => {
                    step(format!("LOSER !{loser}"), &[(at, Player::Ready)]);
                }
                Player::Out => {}
            }
        }
        steps
    });
    agrees("tournament.aut", &tournament);
}
