//! The published tables about transition systems in Alloy, row by row, and the models that stand for them.
//!
//! Numbers are seconds. `published` is what a paper prints, `peer` what the Alloy Analyzer 6 with MiniSat took for
//! the authors' own file on a machine like ours, with the fact that every state has a step.

/// A model.
pub(crate) struct Source {
    pub(crate) name: &'static str,
    /// The authors' file, if it can be had.
    pub(crate) theirs: Option<&'static str>,
    /// Our model.
    pub(crate) ours: &'static str,
    /// What our model needs for these rows: every state has a step, and checks that fail.
    pub(crate) more: &'static str,
    /// The signature of the states, theirs and ours.
    states: [&'static str; 2],
    /// Other signatures, theirs and ours, with their scopes by size.
    sigs: &'static [[&'static str; 2]],
    split: fn(usize) -> Vec<usize>,
    /// The names of properties with their commands, theirs and ours.
    commands: &'static [(&'static str, Option<&'static str>, &'static str)],
}

impl Source {
    /// The command for a property, if the model has one.
    pub(crate) fn command(&self, whose: &str, property: &str) -> Option<&'static str> {
        let mut commands = self.commands.iter();
        let &(_, theirs, ours) = commands.find(|(name, ..)| *name == property)?;
        match whose {
            "theirs" => theirs,
            _ => Some(ours),
        }
    }

    /// The scopes whose sum is a size.
    pub(crate) fn scopes(&self, whose: &str, size: usize) -> Vec<(&'static str, usize)> {
        let at = usize::from(whose != "theirs");
        let others = (self.split)(size);
        let rest = size - others.iter().sum::<usize>();
        let sigs = self.sigs.iter().map(|names| names[at]);
        [(self.states[at], rest)]
            .into_iter()
            .chain(sigs.zip(others))
            .collect()
    }

    /// The scopes of everything but the states, for a complete system with so much of the first of them.
    pub(crate) fn others(&self, whose: &str, first: usize) -> Vec<(&'static str, usize)> {
        let at = usize::from(whose != "theirs");
        let sigs = self.sigs.iter().map(|names| names[at]).enumerate();
        // Of chairs there is one less than of players.
        sigs.map(|(place, sig)| (sig, first - place)).collect()
    }
}

/// A row of a table.
pub(crate) struct Row {
    pub(crate) table: &'static str,
    /// The place of its model among [`SOURCES`].
    pub(crate) source: usize,
    pub(crate) property: &'static str,
    pub(crate) size: usize,
    pub(crate) published: &'static str,
    pub(crate) peer: Option<f64>,
    /// Whether the check is one that fails, so that a run is taken out.
    pub(crate) failing: bool,
}

/// A complete system.
pub(crate) struct Complete {
    pub(crate) source: usize,
    /// How many players, telephones or floors there are.
    pub(crate) size: usize,
    /// What NuSMV took for the same system written by hand.
    pub(crate) peer: Option<f64>,
}

const CHAIRS: usize = 0;
const ELEVATOR: usize = 1;
const TELEPHONE: usize = 2;
const LIGHTS: usize = 3;
const MUTEX: usize = 4;

pub(crate) const SOURCES: [Source; 5] = [
    Source {
        name: "musical chairs",
        theirs: Some("MusicalChairs_nancy.als"),
        ours: include_str!("../../../../../examples/alloy/musical_chairs.als"),
        more: "fact { all g: Game | some h: Game | g -> h in nextState }
check NotAlice { ctl_mc[af[{g: Game | g.playing = Alice}]] } for 3
check OneOrTheOther {
  ctl_mc[or_[ag[{g: Game | Alice in g.playing}], ag[{g: Game | g.playing != Alice}]]]
} for 3",
        states: ["State", "Game"],
        sigs: &[["Player", "Player"], ["Chair", "Chair"]],
        split: |size| match size {
            ..=12 => vec![2, 1],
            13..=16 => vec![3, 2],
            _ => vec![4, 3],
        },
        commands: &[
            ("safety", Some("1"), "OneTooFew"),
            ("existential", Some("2"), "AliceWins"),
            ("finite liveness", Some("3"), "TheySit"),
            ("infinite liveness", Some("4"), "SomebodyWins"),
            ("liveness", None, "NotAlice"),
            ("subgraph", None, "OneOrTheOther"),
        ],
    },
    Source {
        name: "elevator",
        theirs: None,
        ours: include_str!("../../../../../examples/alloy/elevator.als"),
        more: "check OpensOrHeld {
  ctl_mc[af[{m: Moment | m.door = Open or no m.called or m.key = Held}]]
} for 3",
        states: ["", "Moment"],
        sigs: &[["", "Floor"]],
        split: |_| vec![3],
        commands: &[
            ("safety", None, "HeldOpen"),
            ("finite liveness", None, "OpensOrHeld"),
            ("infinite liveness", None, "TopIsServed"),
        ],
    },
    Source {
        name: "feature interaction",
        theirs: Some("FeatureInteraction_nancy.als"),
        ours: include_str!("../../../../../examples/alloy/telephone.als"),
        more: "",
        states: ["State", "Exchange"],
        sigs: &[["PhoneNumber", "Telephone"]],
        split: |_| vec![4],
        commands: &[("safety", Some("MC"), "NotToItself")],
    },
    Source {
        name: "traffic light",
        theirs: None,
        ours: include_str!("../../../../../examples/alloy/traffic_light.als"),
        more: "check NobodyWaits { ctlfc_mc[ag[{c: Crossing | no c.waiting}]] } for 3
check GreenSoon { ctlfc_mc[af[{c: Crossing | Green in Road.(c.light)}]] } for 3
check AllOrNone {
  ctlfc_mc[or_[ax[{c: Crossing | North in c.waiting}], ax[{c: Crossing | no c.waiting}]]]
} for 3",
        states: ["", "Crossing"],
        sigs: &[],
        split: |_| vec![],
        commands: &[
            ("safety", None, "OneAtATime"),
            ("safety that fails", None, "NobodyWaits"),
            ("liveness", None, "GreenSoon"),
            ("subgraph", None, "AllOrNone"),
        ],
    },
    Source {
        name: "mutual exclusion",
        theirs: None,
        ours: include_str!("../../../../../examples/alloy/mutex.als"),
        more: "",
        states: ["", "Moment"],
        sigs: &[],
        split: |_| vec![],
        commands: &[("safety that fails", None, "NeverBothAmongRudeOnes")],
    },
];

const TABLE_1: &str =
    "Farheen, Day, Vakili and Abbassi 2020, Table 1: checks that pass, runs that have an instance";
const TABLE_I: &str = "Kember, Tran, Gao and Day 2019, Table I: checks that fail, with the smallest run (published: TCMC / Path / Subgraph)";

const fn holds(
    source: usize,
    property: &'static str,
    size: usize,
    published: &'static str,
    peer: Option<f64>,
) -> Row {
    Row {
        table: TABLE_1,
        source,
        property,
        size,
        published,
        peer,
        failing: false,
    }
}

const fn fails(source: usize, property: &'static str, size: usize, published: &'static str) -> Row {
    Row {
        table: TABLE_I,
        source,
        property,
        size,
        published,
        peer: None,
        failing: true,
    }
}

pub(crate) const ROWS: &[Row] = &[
    holds(CHAIRS, "safety", 8, "0.041", Some(0.025)),
    holds(CHAIRS, "safety", 10, "1.037", Some(0.529)),
    holds(CHAIRS, "safety", 11, "", Some(2.669)),
    holds(CHAIRS, "safety", 12, "", Some(13.7)),
    holds(CHAIRS, "safety", 13, "8.547", Some(2.709)),
    holds(CHAIRS, "safety", 14, "", Some(11.0)),
    holds(CHAIRS, "safety", 15, "711", Some(57.0)),
    holds(CHAIRS, "safety", 18, ">3600", Some(302.0)),
    holds(CHAIRS, "existential", 8, "0.011", Some(0.013)),
    holds(CHAIRS, "existential", 10, "0.076", Some(0.014)),
    holds(CHAIRS, "existential", 11, "", Some(0.036)),
    holds(CHAIRS, "existential", 13, "0.377", Some(0.307)),
    holds(CHAIRS, "existential", 15, "0.488", None),
    holds(CHAIRS, "existential", 18, "4.386", None),
    holds(CHAIRS, "finite liveness", 8, "0.015", Some(0.016)),
    holds(CHAIRS, "finite liveness", 10, "0.025", Some(0.079)),
    holds(CHAIRS, "finite liveness", 11, "", Some(0.087)),
    holds(CHAIRS, "finite liveness", 13, "0.050", Some(0.101)),
    holds(CHAIRS, "finite liveness", 15, "0.096", None),
    holds(CHAIRS, "finite liveness", 18, "0.134", None),
    holds(CHAIRS, "infinite liveness", 8, "0.132", Some(0.037)),
    holds(CHAIRS, "infinite liveness", 10, "0.379", Some(0.825)),
    holds(CHAIRS, "infinite liveness", 11, "", Some(3.486)),
    holds(CHAIRS, "infinite liveness", 12, "", Some(18.0)),
    holds(CHAIRS, "infinite liveness", 13, "4.726", Some(4.065)),
    holds(CHAIRS, "infinite liveness", 14, "", Some(23.5)),
    holds(CHAIRS, "infinite liveness", 15, "389", Some(123.0)),
    holds(CHAIRS, "infinite liveness", 18, ">3600", Some(436.0)),
    holds(ELEVATOR, "safety", 12, "0.626", None),
    holds(ELEVATOR, "safety", 13, "1.934", None),
    holds(ELEVATOR, "safety", 14, "22.621", None),
    holds(ELEVATOR, "safety", 15, "191", None),
    holds(ELEVATOR, "finite liveness", 12, "1.815", None),
    holds(ELEVATOR, "finite liveness", 13, "16.111", None),
    holds(ELEVATOR, "finite liveness", 14, "84", None),
    holds(ELEVATOR, "finite liveness", 15, "578", None),
    holds(ELEVATOR, "infinite liveness", 12, "2.197", None),
    holds(ELEVATOR, "infinite liveness", 13, "18.676", None),
    holds(ELEVATOR, "infinite liveness", 14, "244", None),
    holds(ELEVATOR, "infinite liveness", 15, ">3600", None),
    holds(TELEPHONE, "safety", 8, "", Some(1.24)),
    holds(TELEPHONE, "safety", 9, "2.54", Some(10.0)),
    holds(TELEPHONE, "safety", 10, "18.40", Some(92.0)),
    holds(TELEPHONE, "safety", 11, "565", None),
    holds(TELEPHONE, "safety", 12, ">3600", None),
    holds(LIGHTS, "safety", 16, "0.711", None),
    holds(LIGHTS, "safety", 17, "3.815", None),
    holds(LIGHTS, "safety", 18, "715", None),
    holds(LIGHTS, "safety", 19, ">3600", None),
    fails(CHAIRS, "liveness", 11, "3.4/4.0/-"),
    fails(CHAIRS, "liveness", 12, "69/2.3/-"),
    fails(LIGHTS, "safety that fails", 18, "188/330/-"),
    fails(LIGHTS, "liveness", 18, "17/338/-"),
    fails(MUTEX, "safety that fails", 10, "56/94/-"),
    fails(MUTEX, "safety that fails", 14, "143/18/-"),
    fails(CHAIRS, "subgraph", 12, "31/89/111"),
    fails(LIGHTS, "subgraph", 12, "6/170/72"),
];

const fn complete(source: usize, size: usize, peer: Option<f64>) -> Complete {
    Complete { source, size, peer }
}

pub(crate) const COMPLETE: &[Complete] = &[
    complete(CHAIRS, 3, None),
    complete(CHAIRS, 4, Some(0.02)),
    complete(CHAIRS, 5, Some(0.14)),
    complete(CHAIRS, 6, Some(0.40)),
    complete(CHAIRS, 7, Some(1.7)),
    complete(CHAIRS, 8, Some(12.7)),
    complete(CHAIRS, 9, None),
    complete(CHAIRS, 10, None),
    complete(TELEPHONE, 2, None),
    complete(TELEPHONE, 3, None),
    complete(ELEVATOR, 3, None),
    complete(LIGHTS, 0, None),
    complete(MUTEX, 0, None),
];
