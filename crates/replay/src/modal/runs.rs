//! Re-checking the runs: segments, loops, what they are said to show.

use std::collections::{BTreeSet, HashSet};
use wherefore_proof::{OccurrenceId, ProofId, Segment, SegmentEnding, Shape};

use super::{ModalReplay, Rechecked, ReplayFault, ensure};

impl ModalReplay<'_> {
    /// Segments run along edges, tell every occurrence once, and go round where the proof does.
    pub(super) fn segments(&self) -> Rechecked {
        let evidence = self.evidence;
        let links: HashSet<_> = self.edges.iter().map(|&(from, _, to)| (from, to)).collect();
        let proof = evidence.proof.iter();
        let claimed: HashSet<_> = proof.map(|node| (node.claim, node.at)).collect();
        let mut told = BTreeSet::new();
        let mut walked = HashSet::new();
        let mut loops = Vec::new();
        let mut main_end = None;
        let mut steps = 0;
        for (number, segment) in evidence.segments.iter().enumerate() {
            let (start, own) = self.start(number, segment, &told)?;
            ensure(!segment.main || segment.from == main_end, || {
                "the main run is broken".into()
            })?;
            ensure(segment.fair.is_empty(), || "nothing is fair here".into())?;
            for &at in &segment.states {
                let fresh = self.state(at).is_some() && told.insert(at);
                ensure(fresh, || "a state is told twice".into())?;
            }
            let mut here = start;
            let back = match segment.ending {
                SegmentEnding::Goal => None,
                SegmentEnding::Loop(to) | SegmentEnding::Joins(to) => Some(to),
                SegmentEnding::DeadEnd => {
                    return Err(ReplayFault::Wrong("a run ends in no goal".into()));
                }
            };
            for to in own.iter().copied().chain(back) {
                ensure(links.contains(&(here, to)), || "a run has no step".into())?;
                ensure(told.contains(&to), || "a run joins nothing".into())?;
                walked.insert((here, to));
                here = to;
                steps += 1;
            }
            if segment.main {
                main_end = Some(here);
            }
            let serves = claimed.contains(&(segment.serves, start));
            ensure(serves, || "a run serves no claim".into())?;
            if let SegmentEnding::Loop(to) = segment.ending {
                let closes = segment.states.contains(&to) || segment.from == Some(to);
                ensure(closes, || "a loop does not close".into())?;
                loops.push(to);
            }
        }
        ensure(told.len() == evidence.occurrences.len(), || {
            "a state is in no run".into()
        })?;
        ensure(walked == links, || "a step is in no run".into())?;
        ensure(evidence.minimal.length == steps, || {
            "the length is another one".into()
        })?;
        self.outline(!loops.is_empty())?;
        self.loops(&loops)
    }

    /// Where a segment starts, and the occurrences after that.
    fn start<'s>(
        &self,
        number: usize,
        segment: &'s Segment,
        told: &BTreeSet<OccurrenceId>,
    ) -> Result<(OccurrenceId, &'s [OccurrenceId]), ReplayFault> {
        match (segment.from, &segment.states[..]) {
            (None, [first, rest @ ..]) if number == 0 && *first == OccurrenceId::new(0) => {
                Ok((*first, rest))
            }
            (Some(from), own) if told.contains(&from) => Ok((from, own)),
            _ => Err(ReplayFault::Wrong("a run starts nowhere".into())),
        }
    }

    /// The shape is the one that the segments and regions have.
    fn outline(&self, looping: bool) -> Rechecked {
        let evidence = self.evidence;
        let branching = evidence.segments.iter().any(|segment| !segment.main);
        let shape = match (branching, looping, evidence.regions.is_empty()) {
            (false, false, true) => Shape::Path,
            (false, true, true) => Shape::Lasso,
            (false, false, false) => Shape::Region,
            _ => Shape::Tree,
        };
        let known = evidence.minimal.at_least <= evidence.minimal.length;
        ensure(evidence.shape == shape && known, || {
            "the shape is another one".into()
        })
    }

    /// Where a run goes round, the proof does.
    fn loops(&self, loops: &[OccurrenceId]) -> Rechecked {
        let proof = &self.evidence.proof;
        let comes_back = |start: ProofId| {
            let mut seen = HashSet::new();
            let mut open = vec![start];
            while let Some(node) = open.pop() {
                for &premise in &proof[node].premises {
                    if premise == start {
                        return true;
                    }
                    if proof.get(premise).is_some() && seen.insert(premise) {
                        open.push(premise);
                    }
                }
            }
            false
        };
        for &to in loops {
            let mut here = proof.ids().filter(|&id| proof[id].at == to);
            ensure(here.any(comes_back), || {
                "the proof does not go round a loop".into()
            })?;
        }
        Ok(())
    }
}
