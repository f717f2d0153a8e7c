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

use wherefore_base::{Budget, IndexVec, Run, Stop, define_id};
use wherefore_model::lts::{Label, LabelId, Lts, StateId};

use crate::monitor::{Monitor, Observer, Pair};
use crate::pairs::{FIRST, Pairs, UNSEEN};
use crate::prospect::{Prospect, survey};

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
    prospect: Prospect,
    pairs: Pairs,
    nodes: IndexVec<NodeId, Pair>,
    notes: IndexVec<NodeId, Note>,
    /// The first node of each distance, and after them the number of nodes.
    layers: Vec<u32>,
    counts: Counts,
}

impl<'a> Tagged<'a> {
    /// Explores the system together with the monitor and finds the zones.
    pub fn new(lts: &'a Lts, monitor: Monitor, reading: Reading, budget: &Budget) -> Run<Self> {
        Self::choosing(lts, monitor, |_| reading, budget)
    }

    /// The same, with a reading that depends on what can happen from the start.
    pub fn choosing(
        lts: &'a Lts,
        monitor: Monitor,
        choose: impl FnOnce(Prospect) -> Reading,
        budget: &Budget,
    ) -> Run<Self> {
        let mut tagged = Self {
            lts,
            pairs: Pairs::new(lts, monitor.states()),
            monitor,
            reading: Reading::Branching,
            prospect: Prospect::Never,
            nodes: IndexVec::new(),
            notes: IndexVec::new(),
            layers: Vec::new(),
            counts: Counts::default(),
        };
        let start = (tagged.monitor.initial(lts)).map(|at| Pair {
            state: lts.initial(),
            at,
        });
        let Some(start) = start else {
            tagged.reading = choose(Prospect::Never);
            return Ok(tagged);
        };
        let mut pairs = std::mem::replace(&mut tagged.pairs, Pairs::new(lts, 0));
        tagged.prospect = match &tagged.monitor {
            Monitor::Labels(dfa) => survey(lts, dfa, start, &mut pairs, budget),
            Monitor::States(set) => survey(lts, set, start, &mut pairs, budget),
        }?;
        tagged.reading = choose(tagged.prospect);
        let tour = Tour::new(lts, tagged.reading, pairs);
        let tour = match &tagged.monitor {
            Monitor::Labels(dfa) => tour.run(dfa, start, tagged.prospect, budget),
            Monitor::States(set) => tour.run(set, start, tagged.prospect, budget),
        }?;
        tagged.pairs = tour.pairs;
        tagged.nodes = tour.nodes;
        tagged.notes = tour.notes;
        tagged.layers = tour.layers;
        tagged.counts = tour.counts;
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

    /// What can happen from the start.
    pub fn prospect(&self) -> Prospect {
        self.prospect
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
    #[inline]
    pub fn pair(&self, node: NodeId) -> Pair {
        self.nodes[node]
    }

    /// The node of a pair, if it is one.
    pub fn node(&self, pair: Pair) -> Option<NodeId> {
        let inside = pair.state.index() < self.lts.states() && pair.at < self.monitor.states();
        let word = if inside { self.pairs.get(pair) } else { UNSEEN };
        (word >= FIRST).then(|| node_of(word))
    }

    /// The nodes at which the system is in a state, by the state of the monitor.
    pub fn nodes_at(&self, state: StateId) -> impl Iterator<Item = NodeId> + '_ {
        let pairs = (0..self.monitor.states()).map(move |at| Pair { state, at });
        pairs.filter_map(|pair| self.node(pair))
    }

    /// How many steps the shortest way from the initial node has.
    pub fn distance(&self, node: NodeId) -> usize {
        let number = node.index() as u32;
        self.layers.partition_point(|&first| first <= number) - 1
    }

    /// The nodes at a distance from the initial node.
    pub fn layer(&self, distance: usize) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let bound = |index: usize| {
            self.layers
                .get(index)
                .map_or(self.nodes.len(), |&n| n as usize)
        };
        (bound(distance)..bound(distance + 1)).map(NodeId::new)
    }

    /// The zone of a node; never [`Zone::Good`].
    #[inline]
    pub fn zone(&self, node: NodeId) -> Zone {
        self.notes[node].zone()
    }

    /// The type of the neighbourhood at a node, if there is one.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Option<Kind> {
        self.notes[node].kind()
    }

    /// Whether the monitor accepts at a node. For safety: the property is broken here.
    #[inline]
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
            let word = next.map_or(UNSEEN, |at| self.pairs.get(Pair { state: step.to, at }));
            let (to, tag) = match word {
                ..FIRST => (Target::Sink(step.to), Tag::Correct),
                word if is_bad(word) => (Target::Node(node_of(word)), Tag::Incorrect),
                word => (Target::Node(node_of(word)), Tag::Neutral),
            };
            TaggedStep {
                label: step.label,
                to,
                tag,
            }
        })
    }

    /// The steps of a node that lead to nodes.
    #[inline]
    pub fn moves(&self, node: NodeId) -> impl Iterator<Item = (LabelId, NodeId)> + '_ {
        self.steps(node).filter_map(|step| match step.to {
            Target::Node(to) => Some((step.label, to)),
            Target::Sink(_) => None,
        })
    }

    /// The text and nature of a label.
    pub fn label(&self, label: LabelId) -> &'a Label {
        &self.lts.labels()[label]
    }
}

/// The zone of a pair with a prospect.
#[inline]
fn zone(reading: Reading, prospect: Prospect) -> Zone {
    use Prospect::{Certain, Free, Never, Stuck};
    match (reading, prospect) {
        (Reading::Branching | Reading::Fate, Never) | (Reading::Inevitable, Certain) => Zone::Good,
        (Reading::Branching, Free)
        | (Reading::Fate, Free | Stuck)
        | (Reading::Inevitable, Free | Stuck) => Zone::Open,
        (Reading::Branching, Stuck | Certain)
        | (Reading::Fate, Certain)
        | (Reading::Inevitable, Never) => Zone::Bad,
    }
}

/// The zone of a node in one bit, and the type of its neighbourhood.
#[derive(Clone, Copy, Debug)]
struct Note(u8);

impl Note {
    const BAD: u8 = 8;

    #[inline]
    fn zone(self) -> Zone {
        if self.0 & Self::BAD == 0 {
            Zone::Open
        } else {
            Zone::Bad
        }
    }

    #[inline]
    fn kind(self) -> Option<Kind> {
        match self.0 & 7 {
            0 => None,
            kind => Some(Kind::ALL[kind as usize - 1]),
        }
    }
}

/// The word of a node: its number and whether it is bad.
#[inline]
fn word_of(node: u32, bad: bool) -> u32 {
    (node << 1) + FIRST + u32::from(bad)
}

#[inline]
fn node_of(word: u32) -> NodeId {
    NodeId::new(((word - FIRST) >> 1) as usize)
}

#[inline]
fn is_bad(word: u32) -> bool {
    (word - FIRST) & 1 == 1
}

/// The walk that numbers the nodes breadth first, counts, and finds the neighbourhoods.
struct Tour<'a> {
    lts: &'a Lts,
    reading: Reading,
    pairs: Pairs,
    nodes: IndexVec<NodeId, Pair>,
    notes: IndexVec<NodeId, Note>,
    layers: Vec<u32>,
    counts: Counts,
}

impl<'a> Tour<'a> {
    fn new(lts: &'a Lts, reading: Reading, pairs: Pairs) -> Self {
        Self {
            lts,
            reading,
            pairs,
            nodes: IndexVec::new(),
            notes: IndexVec::new(),
            layers: vec![0],
            counts: Counts::default(),
        }
    }

    fn run<O: Observer>(
        mut self,
        observer: &O,
        start: Pair,
        prospect: Prospect,
        budget: &Budget,
    ) -> Run<Self> {
        let mut meter = budget.meter();
        let mut used = vec![false; self.lts.labels().len()];
        if zone(self.reading, prospect) != Zone::Good {
            self.enter(start, zone(self.reading, prospect))?;
        }
        let (mut next, mut layer) = (0, 1);
        while next < self.nodes.len() {
            meter.tick()?;
            if next == layer {
                self.layers.push(layer as u32);
                layer = self.nodes.len();
            }
            let node = NodeId::new(next);
            let tags = self.expand(observer, node, &mut used)?;
            self.note(node, tags);
            next += 1;
        }
        self.layers.push(self.nodes.len() as u32);
        let counts = &mut self.counts;
        counts.states = self.nodes.len();
        counts.transitions = counts.tagged(Tag::Incorrect) + counts.tagged(Tag::Neutral);
        counts.labels = used.iter().filter(|used| **used).count();
        Ok(self)
    }

    /// Enters what follows a node and counts the tags of its steps.
    #[inline]
    fn expand<O: Observer>(
        &mut self,
        observer: &O,
        node: NodeId,
        used: &mut [bool],
    ) -> Run<[usize; 3]> {
        let Pair { state, at } = self.nodes[node];
        let mut tags = [0; 3];
        for &step in self.lts.steps(state) {
            let Some(at) = observer.next(at, step) else {
                tags[Tag::Correct as usize] += 1;
                continue;
            };
            let to = Pair { state: step.to, at };
            let mut word = self.pairs.get(to);
            if word < FIRST {
                // What was not met by the survey is where the monitor accepts.
                match zone(self.reading, Prospect::of(word)) {
                    Zone::Good => {
                        tags[Tag::Correct as usize] += 1;
                        continue;
                    }
                    zone => word = self.enter(to, zone)?,
                }
            }
            used[step.label.index()] = true;
            let tag = if is_bad(word) {
                Tag::Incorrect
            } else {
                Tag::Neutral
            };
            tags[tag as usize] += 1;
        }
        Ok(tags)
    }

    fn enter(&mut self, pair: Pair, zone: Zone) -> Run<u32> {
        if self.nodes.len() >= (1 << 31) - FIRST as usize {
            return Err(Stop::Memory);
        }
        let bad = zone == Zone::Bad;
        let word = word_of(self.nodes.len() as u32, bad);
        self.pairs.set(pair, word);
        self.nodes.push(pair);
        self.notes.push(Note(if bad { Note::BAD } else { 0 }));
        Ok(word)
    }

    /// Finds whether a node whose steps have these tags is a neighbourhood.
    #[inline]
    fn note(&mut self, node: NodeId, tags: [usize; 3]) {
        for (sum, count) in self.counts.tags.iter_mut().zip(tags) {
            *sum += count;
        }
        let lost = self.notes[node].zone() == Zone::Bad;
        let kind = match tags.map(|count| count > 0) {
            // Lost from the start.
            _ if lost && node.index() == 0 => Kind::In,
            _ if lost => return,
            [true, true, true] => Kind::Cin,
            [true, true, false] => Kind::Ci,
            [true, false, _] => Kind::Cn,
            [false, true, _] => Kind::In,
            [false, false, _] => return,
        };
        self.notes[node].0 |= 1 + kind as u8;
        self.counts.kinds[kind as usize] += 1;
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
