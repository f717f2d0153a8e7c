//! The tagged graph: all counterexamples of a property, and where good and bad part.
//!
//! Its nodes are pairs of a state of the system and a state of the monitor from which the property can
//! still be broken. Each pair lies in a [`Zone`]; a step is tagged by the zone it enters:
//!
//! * *correct*: into [`Zone::Good`]. These pairs are not nodes; they are drawn as one sink;
//! * *incorrect*: into [`Zone::Bad`];
//! * *neutral*: into [`Zone::Open`], where nothing is decided yet.
//!
//! So all steps into a node have one tag, and a *neighbourhood* (a place where the choice is made) is an
//! open node with a step that leaves the open zone, after Barbon, Leroy and Salaün (2019). What the zones
//! are depends on the [`Reading`].
//!
//! The transitions of the graph are not stored: they follow from the system and the monitor.

use wherefore_base::{Budget, IndexVec, Run, define_id};
use wherefore_model::lts::{Label, LabelId, Lts, Reversed, StateId, Step};

use crate::monitor::{Monitor, Pair};

define_id!(
    /// A node of a [`Tagged`] graph, numbered breadth first.
    pub struct NodeId
);

/// Which pairs are good and which are bad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reading {
    /// Safety, as published: good where the violation cannot happen any more; bad where no step into the
    /// good zone can follow any more.
    Branching,
    /// Safety: good as above; bad where every maximal run violates the property (*fated*). For systems
    /// in which the violation stays possible for ever, where the published reading has no correct step.
    Fate,
    /// Inevitability: good where every maximal run does what it must; bad where none does.
    Inevitable,
}

/// What can still happen at a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Zone {
    /// The property is safe.
    Good,
    /// Nothing is decided.
    Open,
    /// The property is lost.
    Bad,
}

/// The zone that a step enters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tag {
    /// Enters the good zone.
    Correct,
    /// Enters the bad zone.
    Incorrect,
    /// Enters the open zone.
    Neutral,
}

impl Tag {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Tag::Correct => "correct",
            Tag::Incorrect => "incorrect",
            Tag::Neutral => "neutral",
        }
    }
}

/// The type of a neighbourhood: which steps leave it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// `cn`: correct and neutral ones.
    Cn,
    /// `in`: incorrect and neutral ones; or only incorrect ones, at the initial state of a system that
    /// is bad from the start.
    In,
    /// `ci`: correct and incorrect ones.
    Ci,
    /// `cin`: all three.
    Cin,
}

impl Kind {
    /// All types, in the order of tables.
    pub const ALL: [Kind; 4] = [Kind::Cn, Kind::In, Kind::Ci, Kind::Cin];

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Cn => "cn",
            Kind::In => "in",
            Kind::Ci => "ci",
            Kind::Cin => "cin",
        }
    }
}

/// Where a step of a [`Tagged`] graph leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// To a node.
    Node(NodeId),
    /// Into the good zone: the state of the system it enters.
    Sink(StateId),
}

/// A step of a [`Tagged`] graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaggedStep {
    /// Its name.
    pub label: LabelId,
    /// Where it leads.
    pub to: Target,
    /// Its tag.
    pub tag: Tag,
}

/// How many there are of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Nodes (the sink is none).
    pub states: usize,
    /// Steps between nodes: the transitions of the counterexample LTS.
    pub transitions: usize,
    /// Labels on steps between nodes.
    pub labels: usize,
    /// Correct, incorrect and neutral steps.
    pub tags: [usize; 3],
    /// Neighbourhoods of each type, in the order of [`Kind::ALL`].
    pub kinds: [usize; 4],
}

impl Counts {
    /// How many steps have a tag.
    pub fn tagged(&self, tag: Tag) -> usize {
        self.tags[tag as usize]
    }

    /// How many neighbourhoods are of a type.
    pub fn of(&self, kind: Kind) -> usize {
        self.kinds[kind as usize]
    }

    /// How many neighbourhoods there are.
    pub fn neighbourhoods(&self) -> usize {
        self.kinds.iter().sum()
    }
}

/// All counterexamples of a property, with tags.
#[derive(Clone, Debug)]
pub struct Tagged<'a> {
    lts: &'a Lts,
    monitor: Monitor,
    reading: Reading,
    pairs: Pairs,
    nodes: IndexVec<NodeId, Pair>,
    zones: IndexVec<NodeId, Zone>,
    kinds: IndexVec<NodeId, Option<Kind>>,
    counts: Counts,
}

impl<'a> Tagged<'a> {
    /// Explores the system together with the monitor and finds the zones.
    pub fn new(lts: &'a Lts, monitor: Monitor, reading: Reading, budget: &Budget) -> Run<Self> {
        let product = Product::explore(lts, &monitor, budget)?;
        let zones = product.zones(reading, budget)?;
        let Product {
            mut pairs, found, ..
        } = product;
        let mut nodes: IndexVec<NodeId, Pair> = IndexVec::new();
        let mut kept = IndexVec::new();
        for (pair, zone) in found.into_iter().zip(zones) {
            let name = match zone {
                Zone::Good => GOOD,
                Zone::Open | Zone::Bad => {
                    kept.push(zone);
                    nodes.push(pair).index() as u32
                }
            };
            pairs.set(pair, name);
        }
        let mut tagged = Self {
            lts,
            monitor,
            reading,
            pairs,
            kinds: vec![None; kept.len()].into(),
            nodes,
            zones: kept,
            counts: Counts::default(),
        };
        tagged.look_around(budget)?;
        Ok(tagged)
    }

    /// The system.
    pub fn lts(&self) -> &'a Lts {
        self.lts
    }

    /// What watches it.
    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// What the zones mean.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// How many there are of what.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The node where runs start; `None`: the property holds.
    pub fn initial(&self) -> Option<NodeId> {
        // Nodes are numbered breadth first, and if any is kept the first one is.
        (!self.nodes.is_empty()).then(|| NodeId::new(0))
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// The states of system and monitor at a node.
    pub fn pair(&self, node: NodeId) -> Pair {
        self.nodes[node]
    }

    /// The node of a pair, if it is one.
    pub fn node(&self, pair: Pair) -> Option<NodeId> {
        match self.pairs.get(pair) {
            UNSEEN | GOOD => None,
            node => Some(NodeId::new(node as usize)),
        }
    }

    /// The zone of a node; never [`Zone::Good`].
    pub fn zone(&self, node: NodeId) -> Zone {
        self.zones[node]
    }

    /// The type of the neighbourhood at a node, if there is one.
    pub fn kind(&self, node: NodeId) -> Option<Kind> {
        self.kinds[node]
    }

    /// Whether the monitor accepts at a node. For safety: the property is broken here.
    pub fn accepting(&self, node: NodeId) -> bool {
        self.monitor.accepting(self.nodes[node].at)
    }

    /// The steps of a node, by label and then by the state of the system they enter.
    #[inline]
    pub fn steps(&self, node: NodeId) -> impl Iterator<Item = TaggedStep> + '_ {
        let Pair { state, at } = self.nodes[node];
        let steps = self.lts.steps(state).iter();
        steps.map(move |&step| {
            let next = self.monitor.next(at, step);
            let to = next.map(|at| Pair { state: step.to, at });
            let (to, tag) = match to.map(|pair| self.pairs.get(pair)) {
                None | Some(GOOD | UNSEEN) => (Target::Sink(step.to), Tag::Correct),
                Some(node) => {
                    let node = NodeId::new(node as usize);
                    let tag = match self.zones[node] {
                        Zone::Bad => Tag::Incorrect,
                        Zone::Open | Zone::Good => Tag::Neutral,
                    };
                    (Target::Node(node), tag)
                }
            };
            TaggedStep {
                label: step.label,
                to,
                tag,
            }
        })
    }

    /// The text and nature of a label.
    pub fn label(&self, label: LabelId) -> &'a Label {
        &self.lts.labels()[label]
    }

    /// Counts, and finds the neighbourhoods.
    fn look_around(&mut self, budget: &Budget) -> Run<()> {
        let mut meter = budget.meter();
        let mut counts = Counts {
            states: self.nodes.len(),
            ..Counts::default()
        };
        let mut used = vec![false; self.lts.labels().len()];
        for node in self.nodes() {
            meter.tick()?;
            let mut here = [0; 3];
            for step in self.steps(node) {
                here[step.tag as usize] += 1;
                if step.tag != Tag::Correct {
                    used[step.label.index()] = true;
                }
            }
            for (sum, count) in counts.tags.iter_mut().zip(here) {
                *sum += count;
            }
            let lost_at_once = node.index() == 0 && self.zones[node] == Zone::Bad;
            let kind = match here.map(|count| count > 0) {
                _ if lost_at_once => Some(Kind::In),
                _ if self.zones[node] == Zone::Bad => None,
                [true, true, true] => Some(Kind::Cin),
                [true, true, false] => Some(Kind::Ci),
                [true, false, _] => Some(Kind::Cn),
                [false, true, _] => Some(Kind::In),
                [false, false, _] => None,
            };
            self.kinds[node] = kind;
            if let Some(kind) = kind {
                counts.kinds[kind as usize] += 1;
            }
        }
        counts.transitions = counts.tagged(Tag::Incorrect) + counts.tagged(Tag::Neutral);
        counts.labels = used.iter().filter(|used| **used).count();
        self.counts = counts;
        Ok(())
    }
}

/// A pair that was not visited.
const UNSEEN: u32 = u32::MAX;
/// A pair in the good zone.
const GOOD: u32 = u32::MAX - 1;

/// A number for each pair that was visited; room is made for a state when it is visited first.
#[derive(Clone, Debug)]
struct Pairs {
    width: usize,
    /// Where the numbers of each state stand, counted in rows from 1; 0: nowhere.
    rows: Vec<u32>,
    numbers: Vec<u32>,
}

impl Pairs {
    fn new(lts: &Lts, monitor: &Monitor) -> Self {
        Self {
            width: monitor.states() as usize,
            rows: vec![0; lts.states()],
            numbers: Vec::new(),
        }
    }

    #[inline]
    fn get(&self, pair: Pair) -> u32 {
        match self.rows[pair.state.index()] {
            0 => UNSEEN,
            row => self.numbers[(row as usize - 1) * self.width + pair.at as usize],
        }
    }

    fn set(&mut self, pair: Pair, number: u32) {
        let row = &mut self.rows[pair.state.index()];
        if *row == 0 {
            self.numbers.resize(self.numbers.len() + self.width, UNSEEN);
            *row = (self.numbers.len() / self.width) as u32;
        }
        let row = *row as usize - 1;
        self.numbers[row * self.width + pair.at as usize] = number;
    }
}

/// Everything reachable in the system with its monitor.
struct Product<'a> {
    lts: &'a Lts,
    monitor: &'a Monitor,
    pairs: Pairs,
    /// The pairs, breadth first.
    found: Vec<Pair>,
}

impl<'a> Product<'a> {
    fn explore(lts: &'a Lts, monitor: &'a Monitor, budget: &Budget) -> Run<Self> {
        let mut meter = budget.meter();
        let mut pairs = Pairs::new(lts, monitor);
        let mut found = Vec::new();
        if let Some(at) = monitor.initial(lts) {
            let state = lts.initial();
            pairs.set(Pair { state, at }, 0);
            found.push(Pair { state, at });
        }
        let mut next = 0;
        while next < found.len() {
            meter.tick()?;
            let Pair { state, at } = found[next];
            for &step in lts.steps(state) {
                let Some(at) = monitor.next(at, step) else {
                    continue;
                };
                let to = Pair { state: step.to, at };
                if pairs.get(to) == UNSEEN {
                    pairs.set(to, found.len() as u32);
                    found.push(to);
                }
            }
            next += 1;
        }
        Ok(Self {
            lts,
            monitor,
            pairs,
            found,
        })
    }

    fn zones(&self, reading: Reading, budget: &Budget) -> Run<Vec<Zone>> {
        let back = self.lts.reversed();
        let accepting: Vec<bool> = (self.found.iter())
            .map(|pair| self.monitor.accepting(pair.at))
            .collect();
        let possible = self.possible(&back, accepting.clone(), None, budget)?;
        let zone = |good: bool, bad: bool| match (good, bad) {
            (true, _) => Zone::Good,
            (false, true) => Zone::Bad,
            (false, false) => Zone::Open,
        };
        let all = 0..self.found.len();
        Ok(match reading {
            Reading::Branching => {
                let leaves = |&pair: &Pair| {
                    let mut steps = self.lts.steps(pair.state).iter();
                    steps.any(|&step| {
                        let next = self.monitor.next(pair.at, step);
                        next.is_none_or(|at| {
                            let to = self.pairs.get(Pair { state: step.to, at });
                            !possible[to as usize]
                        })
                    })
                };
                let chance = (self.found.iter().zip(&possible))
                    .map(|(pair, possible)| *possible && leaves(pair))
                    .collect();
                let chance = self.possible(&back, chance, Some(&possible), budget)?;
                all.map(|n| zone(!possible[n], !chance[n])).collect()
            }
            Reading::Fate => {
                let fated = self.inevitable(&back, &accepting, budget)?;
                all.map(|n| zone(!possible[n], fated[n])).collect()
            }
            Reading::Inevitable => {
                let sure = self.inevitable(&back, &accepting, budget)?;
                all.map(|n| zone(sure[n], !possible[n])).collect()
            }
        })
    }

    /// Where some run reaches a goal, through pairs of `within` only.
    fn possible(
        &self,
        back: &Reversed,
        goals: Vec<bool>,
        within: Option<&[bool]>,
        budget: &Budget,
    ) -> Run<Vec<bool>> {
        let mut meter = budget.meter();
        let mut reached = goals;
        let mut queue: Vec<u32> = (0..reached.len() as u32)
            .filter(|&n| reached[n as usize])
            .collect();
        while let Some(node) = queue.pop() {
            meter.tick()?;
            self.before(back, node, |from| {
                let inside = within.is_none_or(|within| within[from as usize]);
                if inside && !std::mem::replace(&mut reached[from as usize], true) {
                    queue.push(from);
                }
            });
        }
        Ok(reached)
    }

    /// Where every maximal run reaches a goal.
    fn inevitable(&self, back: &Reversed, goals: &[bool], budget: &Budget) -> Run<Vec<bool>> {
        let mut meter = budget.meter();
        let mut open: Vec<u32> = (self.found.iter())
            .map(|pair| self.lts.steps(pair.state).len() as u32)
            .collect();
        let mut sure = goals.to_vec();
        let mut queue: Vec<u32> = (0..sure.len() as u32)
            .filter(|&n| sure[n as usize])
            .collect();
        while let Some(node) = queue.pop() {
            meter.tick()?;
            self.before(back, node, |from| {
                let from_index = from as usize;
                open[from_index] -= 1;
                if open[from_index] == 0 && !sure[from_index] {
                    sure[from_index] = true;
                    queue.push(from);
                }
            });
        }
        Ok(sure)
    }

    /// The pairs from which a step leads to this one, once for each step.
    fn before(&self, back: &Reversed, node: u32, mut visit: impl FnMut(u32)) {
        let Pair { state, at } = self.found[node as usize];
        for step in back.steps(state) {
            let label = step.label;
            for before in 0..self.monitor.states() {
                if self.monitor.next(before, Step { label, to: state }) == Some(at) {
                    let from = Pair {
                        state: step.from,
                        at: before,
                    };
                    let from = self.pairs.get(from);
                    if from != UNSEEN {
                        visit(from);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use wherefore_logic::{ActionId, Nfa};
    use wherefore_model::lts::{LabelSet, Transition};

    use super::*;
    use crate::dfa::Dfa;

    fn system(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
        let mut texts: Vec<&str> = transitions.iter().map(|t| t.1).collect();
        texts.sort_unstable();
        texts.dedup();
        let labels = texts.iter().map(|text| Label {
            text: text.to_string(),
            internal: *text == "i",
        });
        let transitions: Vec<Transition> = (transitions.iter())
            .map(|&(from, text, to)| Transition {
                from: from.into(),
                label: LabelId::new(texts.binary_search(&text).expect("it is one of them")),
                to: to.into(),
            })
            .collect();
        Lts::new(labels.collect(), states, StateId::new(0), &transitions)
    }

    /// `[true* . "BAD"] false`
    fn never_bad(lts: &Lts) -> Monitor {
        let actions: IndexVec<ActionId, LabelSet> = vec![
            LabelSet::new(lts, |_| true),
            LabelSet::new(lts, |label| label.text == "BAD"),
        ]
        .into();
        let mut nfa = Nfa::new();
        let any = nfa.action(ActionId::new(0));
        let any = nfa.star(any);
        let bad = nfa.action(ActionId::new(1));
        let piece = nfa.then(any, bad);
        let dfa = Dfa::beginning_with(&nfa, piece, &actions, lts, &Budget::unlimited());
        Monitor::Labels(dfa.expect("no limit"))
    }

    #[test]
    fn a_choice_between_good_and_bad_is_a_neighbourhood() {
        let lts = system(
            5,
            &[
                (0, "go", 1),
                (1, "BAD", 2),
                (1, "good", 3),
                (1, "wait", 0),
                (2, "end", 4),
            ],
        );
        let unlimited = Budget::unlimited();
        let tagged =
            Tagged::new(&lts, never_bad(&lts), Reading::Branching, &unlimited).expect("no limit");
        let counts = tagged.counts();
        assert_eq!((counts.states, counts.transitions), (4, 4));
        assert_eq!(counts.tags, [1, 2, 2]);
        assert_eq!(counts.kinds, [0, 0, 0, 1]);
        assert_eq!(tagged.kind(NodeId::new(1)), Some(Kind::Cin));
    }

    #[test]
    fn where_bad_stays_possible_for_ever_only_fate_tells_steps_apart() {
        let lts = system(
            3,
            &[(0, "go", 1), (1, "back", 0), (1, "slip", 2), (2, "BAD", 2)],
        );
        let unlimited = Budget::unlimited();
        let branching =
            Tagged::new(&lts, never_bad(&lts), Reading::Branching, &unlimited).expect("no limit");
        assert_eq!(branching.counts().kinds, [0, 1, 0, 0]);
        assert_eq!(branching.zone(NodeId::new(0)), Zone::Bad);
        let fate = Tagged::new(&lts, never_bad(&lts), Reading::Fate, &unlimited).expect("no limit");
        assert_eq!(fate.zone(NodeId::new(0)), Zone::Open);
        assert_eq!(fate.kind(NodeId::new(1)), Some(Kind::In));
    }
}
