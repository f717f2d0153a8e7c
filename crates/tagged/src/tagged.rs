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
//! are depends on the [`TagReading`].
//!
//! The transitions of the graph are not stored: they follow from the system and the monitor.

use wherefore_base::{Budget, IndexVec, Run, define_id};
use wherefore_model::lts::{ActionLabel, LabelId, Lts, LtsStep, StateId};

use crate::endless::survey_counted;
use crate::linear::LinearMonitor;
use crate::monitor::{Monitor, Observer, Pair};
use crate::pairs::{FIRST, Pairs, UNSEEN};
use crate::paths::Paths;
use crate::prospect::{Prospect, survey};
use crate::tour::{Tour, ZoneNote, is_bad, node_of};

pub use crate::tags::{NeighbourhoodKind, TagCounts, TagTarget, TaggedStep, Uses, ZoneTag};

define_id!(
    /// A node of a [`Tagged`] graph, numbered breadth first.
    pub struct NodeId
);

/// Which pairs are good and which are bad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TagReading {
    /// Safety, as published: good where the violation cannot happen any more; bad where no step into the
    /// good zone can follow any more.
    Branching,
    /// Safety: good as above; bad where every maximal run violates the property (*fated*). For systems
    /// in which the violation stays possible for ever, where the published reading has no correct step.
    Fate,
    /// Inevitability: good where every maximal run does what it must; bad where none does. A run does
    /// what it must when its monitor accepts again and again, or where it ends; for a monitor that
    /// accepts for ever once it does, when it accepts at all.
    Inevitable,
    /// A formula of linear time: good where every run that counts satisfies it, bad where none does. A run is taken from its
    /// start, so what a node remembers of the states before it counts.
    Linear,
}

impl TagReading {
    /// Whether good and bad say what every run from there comes to, so that a counterexample is a run that ends or goes
    /// round for ever.
    pub fn is_of_whole_runs(self) -> bool {
        matches!(self, TagReading::Inevitable | TagReading::Linear)
    }
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

/// All counterexamples of a property, with tags.
#[derive(Clone, Debug)]
pub struct Tagged<'a> {
    lts: &'a Lts,
    monitor: Monitor,
    paths: Paths,
    reading: TagReading,
    prospect: Prospect,
    pairs: Pairs,
    nodes: IndexVec<NodeId, Pair>,
    notes: IndexVec<NodeId, ZoneNote>,
    /// The first node of each distance, and after them the number of nodes.
    layers: Vec<u32>,
    uses: IndexVec<LabelId, Uses>,
    counts: TagCounts,
}

impl<'a> Tagged<'a> {
    /// Explores the system together with the monitor and finds the zones.
    pub fn new(lts: &'a Lts, monitor: Monitor, reading: TagReading, budget: &Budget) -> Run<Self> {
        Self::choosing(lts, monitor, |_| reading, budget)
    }

    /// The same, with a reading that depends on what can happen from the start.
    pub fn choosing(
        lts: &'a Lts,
        monitor: Monitor,
        choose: impl FnOnce(Prospect) -> TagReading,
        budget: &Budget,
    ) -> Run<Self> {
        Self::under(lts, monitor, Paths::maximal(), choose, budget)
    }

    /// The same where not all maximal runs count: zones that speak of runs speak of those that do.
    ///
    /// A monitor that waits again and again is read as [`TagReading::Inevitable`], and that of a formula of linear time as
    /// [`TagReading::Linear`], whatever is chosen.
    pub fn under(
        lts: &'a Lts,
        monitor: Monitor,
        paths: Paths,
        choose: impl FnOnce(Prospect) -> TagReading,
        budget: &Budget,
    ) -> Run<Self> {
        let mut tagged = Self {
            lts,
            pairs: Pairs::new(lts, monitor.states()),
            monitor,
            paths,
            reading: TagReading::Branching,
            prospect: Prospect::Never,
            nodes: IndexVec::new(),
            notes: IndexVec::new(),
            layers: Vec::new(),
            uses: vec![Uses::default(); lts.labels().len()].into(),
            counts: TagCounts::default(),
        };
        let start = (tagged.monitor.initial(lts)).map(|at| Pair {
            state: lts.initial(),
            at,
        });
        let Some(start) = start else {
            tagged.reading = choose(Prospect::Never);
            return Ok(tagged);
        };
        // The table is taken out while the survey fills it, and comes back from the walk.
        let mut pairs = std::mem::replace(&mut tagged.pairs, Pairs::new(lts, 0));
        let absorbing = tagged.monitor.absorbing();
        if absorbing {
            tagged.prospect = match &tagged.monitor {
                Monitor::Labels(dfa) => survey(lts, dfa, start, &mut pairs, budget),
                Monitor::States(set) => survey(lts, set, start, &mut pairs, budget),
                Monitor::Watch(watch) => survey(lts, watch, start, &mut pairs, budget),
                Monitor::Linear(_) => unreachable!("it accepts nothing for ever"),
            }?;
            tagged.reading = choose(tagged.prospect);
        } else if let Monitor::Linear(_) = &tagged.monitor {
            tagged.reading = TagReading::Linear;
        } else {
            tagged.reading = TagReading::Inevitable;
        }
        // The published reading of safety is about what can follow, whichever runs count.
        if !tagged.is_plain() && tagged.reading != TagReading::Branching {
            // The first survey has left its own words there.
            if absorbing {
                pairs = Pairs::new(lts, tagged.monitor.states());
            }
            tagged.prospect = match &tagged.monitor {
                Monitor::Linear(linear) => known_prospects(linear, start, &mut pairs),
                monitor => survey_counted(lts, monitor, &tagged.paths, start, &mut pairs, budget)?,
            };
        }
        let tour = Tour::new(lts, tagged.reading, pairs);
        let tour = match &tagged.monitor {
            Monitor::Labels(dfa) => tour.run(dfa, start, tagged.prospect, budget),
            Monitor::States(set) => tour.run(set, start, tagged.prospect, budget),
            Monitor::Watch(watch) => tour.run(watch, start, tagged.prospect, budget),
            Monitor::Linear(linear) => tour.run(&**linear, start, tagged.prospect, budget),
        }?;
        tagged.pairs = tour.pairs;
        tagged.nodes = tour.nodes;
        tagged.notes = tour.notes;
        tagged.layers = tour.layers;
        tagged.uses = tour.uses;
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

    /// Which runs count.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Whether all maximal runs count and the monitor accepts for ever once it does.
    pub(crate) fn is_plain(&self) -> bool {
        self.paths.are_maximal() && self.monitor.absorbing()
    }

    /// What the zones mean.
    pub fn reading(&self) -> TagReading {
        self.reading
    }

    /// What can happen from the start.
    pub fn prospect(&self) -> Prospect {
        self.prospect
    }

    /// How many there are of what.
    pub fn counts(&self) -> &TagCounts {
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
    pub fn kind(&self, node: NodeId) -> Option<NeighbourhoodKind> {
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
        self.among(node, self.lts.steps(self.nodes[node].state))
    }

    /// The steps of a node with a label, by the state of the system they enter.
    pub fn steps_with(
        &self,
        node: NodeId,
        label: LabelId,
    ) -> impl Iterator<Item = TaggedStep> + '_ {
        let steps = self.lts.steps(self.nodes[node].state);
        // The steps of a state are in the order of labels.
        let start = steps.partition_point(|step| step.label < label);
        let count = steps[start..].partition_point(|step| step.label == label);
        self.among(node, &steps[start..start + count])
    }

    #[inline]
    fn among<'s>(
        &'s self,
        node: NodeId,
        steps: &'s [LtsStep],
    ) -> impl Iterator<Item = TaggedStep> + 's {
        let at = self.nodes[node].at;
        steps.iter().map(move |&step| {
            let next = self.monitor.next(at, step);
            let word = next.map_or(UNSEEN, |at| self.pairs.get(Pair { state: step.to, at }));
            let (to, tag) = match word {
                // The walk has numbered every pair that is not good.
                ..FIRST => (TagTarget::Sink(step.to), ZoneTag::Correct),
                word if is_bad(word) => (TagTarget::Node(node_of(word)), ZoneTag::Incorrect),
                word => (TagTarget::Node(node_of(word)), ZoneTag::Neutral),
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
            TagTarget::Node(to) => Some((step.label, to)),
            TagTarget::Sink(_) => None,
        })
    }

    /// The nodes that steps of a node with a label lead to.
    pub fn moves_with(&self, node: NodeId, label: LabelId) -> impl Iterator<Item = NodeId> + '_ {
        (self.steps_with(node, label)).filter_map(|step| match step.to {
            TagTarget::Node(to) => Some(to),
            TagTarget::Sink(_) => None,
        })
    }

    /// Visits the steps of a node that lead to nodes: for loops over the whole graph.
    #[inline]
    pub(crate) fn each_move(&self, node: NodeId, visit: impl FnMut(LabelId, NodeId)) {
        match &self.monitor {
            Monitor::Labels(dfa) => self.each_move_of(dfa, node, visit),
            Monitor::States(set) => self.each_move_of(set, node, visit),
            Monitor::Watch(watch) => self.each_move_of(watch, node, visit),
            Monitor::Linear(linear) => self.each_move_of(&**linear, node, visit),
        }
    }

    #[inline(always)]
    fn each_move_of<O: Observer>(
        &self,
        observer: &O,
        node: NodeId,
        mut visit: impl FnMut(LabelId, NodeId),
    ) {
        let Pair { state, at } = self.nodes[node];
        for &step in self.lts.steps(state) {
            if let Some(at) = observer.next(at, step) {
                let word = self.pairs.get(Pair { state: step.to, at });
                if word >= FIRST {
                    visit(step.label, node_of(word));
                }
            }
        }
    }

    /// How often a label is used.
    pub fn uses(&self, label: LabelId) -> Uses {
        self.uses[label]
    }

    /// The text and nature of a label.
    pub fn label(&self, label: LabelId) -> &'a ActionLabel {
        &self.lts.labels()[label]
    }
}

/// Notes what a monitor for a formula of linear time knows of each pair.
fn known_prospects(linear: &LinearMonitor, start: Pair, pairs: &mut Pairs) -> Prospect {
    for (pair, prospect) in linear.prospects() {
        pairs.set(pair, prospect.word());
    }
    Prospect::of(pairs.get(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{never, system, tagged};

    fn kinds(graph: &Tagged<'_>) -> Vec<Option<NeighbourhoodKind>> {
        graph.nodes().map(|node| graph.kind(node)).collect()
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
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let counts = graph.counts();
        assert_eq!(
            (counts.states, counts.transitions, counts.labels),
            (4, 4, 4)
        );
        assert_eq!(counts.tags, [1, 2, 2]);
        assert_eq!(counts.kinds, [0, 0, 0, 1]);
        assert_eq!(graph.kind(NodeId::new(1)), Some(NeighbourhoodKind::Cin));
        assert_eq!(graph.distance(NodeId::new(3)), 3);
        assert_eq!(graph.layer(2).collect::<Vec<_>>(), [NodeId::new(2)]);
        assert_eq!(graph.layer(9).count(), 0);
    }

    #[test]
    fn where_bad_stays_possible_for_ever_only_fate_tells_steps_apart() {
        let lts = system(
            3,
            &[(0, "go", 1), (1, "back", 0), (1, "slip", 2), (2, "BAD", 2)],
        );
        let branching = tagged(&lts, &["BAD"], TagReading::Branching);
        assert_eq!(branching.counts().kinds, [0, 1, 0, 0]);
        assert_eq!(branching.zone(NodeId::new(0)), Zone::Bad);
        let fate = tagged(&lts, &["BAD"], TagReading::Fate);
        assert_eq!(fate.zone(NodeId::new(0)), Zone::Open);
        assert_eq!(kinds(&fate)[..2], [None, Some(NeighbourhoodKind::In)]);
    }

    #[test]
    fn the_four_types_are_told_apart_by_the_steps_that_leave() {
        let lts = system(
            6,
            &[
                (0, "ok", 5),
                (0, "on", 1),
                (1, "BAD", 5),
                (1, "on", 2),
                (2, "BAD", 5),
                (2, "ok", 5),
                (2, "on", 3),
                (3, "BAD", 5),
                (3, "ok", 5),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let expected = [
            NeighbourhoodKind::Cn,
            NeighbourhoodKind::In,
            NeighbourhoodKind::Cin,
            NeighbourhoodKind::Ci,
        ]
        .map(Some);
        let at = |state| graph.nodes_at(StateId::new(state)).next();
        let found = [0, 1, 2, 3].map(|state| at(state).and_then(|node| graph.kind(node)));
        assert_eq!(found, expected);
    }

    #[test]
    fn one_label_can_be_right_and_wrong_at_the_same_place() {
        let lts = system(4, &[(0, "a", 1), (0, "a", 2), (0, "a", 3), (1, "BAD", 1)]);
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let steps: Vec<ZoneTag> = graph.steps(NodeId::new(0)).map(|step| step.tag).collect();
        assert_eq!(
            steps,
            [ZoneTag::Incorrect, ZoneTag::Correct, ZoneTag::Correct]
        );
        assert_eq!(kinds(&graph), [Some(NeighbourhoodKind::Ci), None, None]);
        let a = lts.label("a").expect("it is there");
        let uses = graph.uses(a);
        assert_eq!((uses.between, uses.correct, uses.incorrect), (1, 2, 1));
        assert_eq!(graph.moves_with(NodeId::new(0), a).count(), 1);
    }

    #[test]
    fn internal_steps_are_steps_like_others() {
        let lts = system(5, &[(0, "a", 1), (1, "i", 2), (0, "b", 3), (3, "BAD", 4)]);
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        assert_eq!(kinds(&graph), [Some(NeighbourhoodKind::Ci), None, None]);
    }

    #[test]
    fn a_step_to_the_same_state_enters_and_leaves() {
        let lts = system(
            3,
            &[
                (0, "again", 0),
                (0, "BAD", 1),
                (0, "ok", 2),
                (1, "again", 1),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        assert_eq!(graph.counts().tags, [1, 2, 1]);
        assert_eq!(kinds(&graph), [Some(NeighbourhoodKind::Cin), None]);
    }

    #[test]
    fn inevitability_has_correct_steps_where_nothing_can_prevent_it() {
        let lts = system(
            4,
            &[(0, "go", 1), (0, "away", 2), (1, "done", 3), (2, "rest", 2)],
        );
        let graph = tagged(&lts, &["done"], TagReading::Inevitable);
        assert_eq!(graph.counts().tags, [1, 2, 0]);
        assert_eq!(kinds(&graph), [Some(NeighbourhoodKind::Ci), None]);
    }

    #[test]
    fn a_monitor_of_states_waits_for_one_of_them() {
        let lts = system(4, &[(0, "a", 1), (0, "b", 2), (1, "c", 3)]);
        let mut awaited = fixedbitset::FixedBitSet::with_capacity(4);
        awaited.insert(3);
        let monitor = Monitor::States(awaited);
        let unlimited = Budget::unlimited();
        let graph =
            Tagged::new(&lts, monitor, TagReading::Branching, &unlimited).expect("no limit");
        assert_eq!(graph.counts().tags, [1, 2, 0]);
        assert!(graph.accepting(NodeId::new(2)));
    }

    #[test]
    fn a_map_of_pairs_gives_the_same_graph_as_a_table() {
        let lts = system(
            4,
            &[
                (0, "a", 1),
                (1, "a", 2),
                (2, "b", 0),
                (1, "BAD", 3),
                (2, "stop", 3),
            ],
        );
        let (reading, unlimited) = (TagReading::Branching, Budget::unlimited());
        let monitor = never(&lts, &["a", "BAD"]);
        let start = Pair {
            state: lts.initial(),
            at: 0,
        };
        let run = |mut pairs: Pairs| {
            let Monitor::Labels(dfa) = &monitor else {
                panic!("it reads labels");
            };
            let prospect = survey(&lts, dfa, start, &mut pairs, &unlimited).expect("no limit");
            let tour = Tour::new(&lts, reading, pairs);
            let tour = tour
                .run(dfa, start, prospect, &unlimited)
                .expect("no limit");
            (tour.nodes.as_slice().to_vec(), tour.counts)
        };
        let table = run(Pairs::new(&lts, monitor.states()));
        assert_eq!(table, run(Pairs::Map(Default::default())));
    }
}
