//! The walk that numbers the nodes of a tagged graph, tags their steps and finds the neighbourhoods.

use wherefore_base::{Budget, IndexVec, Run, Stop};
use wherefore_model::lts::{LabelId, Lts};

use crate::monitor::{Observer, Pair};
use crate::pairs::{FIRST, Pairs};
use crate::prospect::Prospect;
use crate::tagged::{NodeId, TagReading, Zone};
use crate::tags::{NeighbourhoodKind, TagCounts, Uses, ZoneTag};

/// The zone of a pair with a prospect.
#[inline]
pub(crate) fn zone(reading: TagReading, prospect: Prospect) -> Zone {
    use Prospect::{Certain, Free, Never, Stuck};
    match (reading, prospect) {
        (TagReading::Branching | TagReading::Fate, Never)
        | (TagReading::Inevitable | TagReading::Linear, Certain) => Zone::Good,
        (TagReading::Branching, Free)
        | (TagReading::Fate, Free | Stuck)
        | (TagReading::Inevitable | TagReading::Linear, Free | Stuck) => Zone::Open,
        (TagReading::Branching, Stuck | Certain)
        | (TagReading::Fate, Certain)
        | (TagReading::Inevitable | TagReading::Linear, Never) => Zone::Bad,
    }
}

/// The zone of a node in one bit, and the type of its neighbourhood.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneNote(u8);

impl ZoneNote {
    const BAD: u8 = 8;

    #[inline]
    pub(crate) fn zone(self) -> Zone {
        if self.0 & Self::BAD == 0 {
            Zone::Open
        } else {
            Zone::Bad
        }
    }

    #[inline]
    pub(crate) fn kind(self) -> Option<NeighbourhoodKind> {
        match self.0 & 7 {
            0 => None,
            kind => Some(NeighbourhoodKind::ALL[kind as usize - 1]),
        }
    }
}

/// The word of a node: its number and whether it is bad.
#[inline]
pub(crate) fn word_of(node: u32, bad: bool) -> u32 {
    (node << 1) + FIRST + u32::from(bad)
}

#[inline]
pub(crate) fn node_of(word: u32) -> NodeId {
    NodeId::new(((word - FIRST) >> 1) as usize)
}

#[inline]
pub(crate) fn is_bad(word: u32) -> bool {
    (word - FIRST) & 1 == 1
}

/// The walk that numbers the nodes breadth first, counts, and finds the neighbourhoods.
pub(crate) struct Tour<'a> {
    lts: &'a Lts,
    reading: TagReading,
    pub(crate) pairs: Pairs,
    pub(crate) nodes: IndexVec<NodeId, Pair>,
    pub(crate) notes: IndexVec<NodeId, ZoneNote>,
    pub(crate) layers: Vec<u32>,
    pub(crate) uses: IndexVec<LabelId, Uses>,
    pub(crate) counts: TagCounts,
}

impl<'a> Tour<'a> {
    pub(crate) fn new(lts: &'a Lts, reading: TagReading, pairs: Pairs) -> Self {
        Self {
            lts,
            reading,
            pairs,
            nodes: IndexVec::new(),
            notes: IndexVec::new(),
            layers: vec![0],
            uses: vec![Uses::default(); lts.labels().len()].into(),
            counts: TagCounts::default(),
        }
    }

    pub(crate) fn run<O: Observer>(
        mut self,
        observer: &O,
        start: Pair,
        prospect: Prospect,
        budget: &Budget,
    ) -> Run<Self> {
        let mut meter = budget.meter();
        if zone(self.reading, prospect) != Zone::Good {
            self.enter(start, zone(self.reading, prospect))?;
        }
        let (mut next, mut layer) = (0, 1);
        while next < self.nodes.len() {
            meter.tick()?;
            // All nodes of one distance are done, and what was found meanwhile is the next layer.
            if next == layer {
                self.layers.push(layer as u32);
                layer = self.nodes.len();
            }
            let node = NodeId::new(next);
            let tags = self.expand(observer, node)?;
            self.note(node, tags);
            next += 1;
        }
        self.layers.push(self.nodes.len() as u32);
        let counts = &mut self.counts;
        counts.states = self.nodes.len();
        counts.transitions = counts.tagged(ZoneTag::Incorrect) + counts.tagged(ZoneTag::Neutral);
        counts.labels = (self.uses.iter()).filter(|uses| uses.between > 0).count();
        Ok(self)
    }

    /// Enters what follows a node and counts the tags of its steps.
    #[inline]
    fn expand<O: Observer>(&mut self, observer: &O, node: NodeId) -> Run<[usize; 3]> {
        let Pair { state, at } = self.nodes[node];
        // A step that decides leaves a neighbourhood, unless all is lost before.
        let deciding = node.index() == 0 || self.notes[node].zone() == Zone::Open;
        let mut tags = [0; 3];
        for &step in self.lts.steps(state) {
            let Some(at) = observer.next(at, step) else {
                tags[ZoneTag::Correct as usize] += 1;
                self.uses[step.label].correct += 1;
                continue;
            };
            let to = Pair { state: step.to, at };
            let mut word = self.pairs.get(to);
            if word < FIRST {
                // What was not met by the survey is where the monitor accepts.
                match zone(self.reading, Prospect::of(word)) {
                    Zone::Good => {
                        tags[ZoneTag::Correct as usize] += 1;
                        self.uses[step.label].correct += 1;
                        continue;
                    }
                    zone => word = self.enter(to, zone)?,
                }
            }
            let uses = &mut self.uses[step.label];
            uses.between += 1;
            if is_bad(word) {
                tags[ZoneTag::Incorrect as usize] += 1;
                uses.incorrect += usize::from(deciding);
            } else {
                tags[ZoneTag::Neutral as usize] += 1;
            }
        }
        Ok(tags)
    }

    fn enter(&mut self, pair: Pair, zone: Zone) -> Run<u32> {
        // A word has one bit for the zone beside the number.
        if self.nodes.len() >= (1 << 31) - FIRST as usize {
            return Err(Stop::Memory);
        }
        let bad = zone == Zone::Bad;
        let word = word_of(self.nodes.len() as u32, bad);
        self.pairs.set(pair, word);
        self.nodes.push(pair);
        self.notes
            .push(ZoneNote(if bad { ZoneNote::BAD } else { 0 }));
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
            _ if lost && node.index() == 0 => NeighbourhoodKind::In,
            _ if lost => return,
            [true, true, true] => NeighbourhoodKind::Cin,
            [true, true, false] => NeighbourhoodKind::Ci,
            [true, false, _] => NeighbourhoodKind::Cn,
            [false, true, _] => NeighbourhoodKind::In,
            [false, false, _] => return,
        };
        self.notes[node].0 |= 1 + kind as u8;
        self.counts.kinds[kind as usize] += 1;
    }
}
