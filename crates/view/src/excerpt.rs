//! Excerpts: the part of an explanation between a start and a stop condition.
//!
//! The start condition is a sub-formula of the property: the excerpt begins where the proof comes to
//! a claim about it. It ends at claims about the stop condition, whose own proof is left out
//! (Chechik and Gurfinkel, 2005, section 4.3).

use std::collections::BTreeSet;

use wherefore_evidence::{Claim, OccurrenceId, ProofId, RegionId, Rule, SegmentEnding};
use wherefore_logic::SubId;

use crate::manner::Manner;
use crate::parts::parts;
use crate::strands::Strand;
use crate::words::Telling;

/// Which part of a proof is told.
pub(crate) struct Excerpt {
    /// The outermost claims that are told, in the order in which the proof comes to them.
    pub(crate) roots: Vec<ProofId>,
    /// Whether it is everything.
    pub(crate) whole: bool,
    /// The claim about the stop condition that the proof comes to first.
    pub(crate) stopped: Option<Claim>,
    stop: BTreeSet<SubId>,
    /// For each occurrence, whether something that is told is claimed there.
    shown: Vec<bool>,
    /// The regions that are told.
    regions: BTreeSet<RegionId>,
    /// The steps that what is told goes along.
    steps: BTreeSet<(OccurrenceId, OccurrenceId)>,
}

/// A strand without the rows that are not told, and how many these are.
pub(crate) struct Trimmed<'a> {
    pub(crate) strand: Strand<'a>,
    pub(crate) before: usize,
    pub(crate) after: usize,
}

impl Excerpt {
    /// What a manner asks to be told of an evidence.
    pub(crate) fn new(telling: &Telling<'_>, manner: &Manner<'_>) -> Self {
        let find = |part: Option<&_>| -> Option<BTreeSet<SubId>> {
            let part = part?;
            let subs = parts(telling.report.model, telling.query, part);
            // A condition that is not part of this property is about another one.
            (!subs.is_empty()).then(|| subs.into_iter().collect())
        };
        let (start, stop) = (find(manner.start), find(manner.stop));
        let whole = start.is_none() && stop.is_none();
        let mut excerpt = Self {
            roots: roots(telling, start.as_ref()),
            whole,
            stopped: None,
            stop: stop.unwrap_or_default(),
            shown: vec![],
            regions: BTreeSet::new(),
            steps: BTreeSet::new(),
        };
        if !whole {
            excerpt.collect(telling);
        }
        excerpt
    }

    /// Whether there is nothing to tell.
    pub(crate) fn is_empty(&self) -> bool {
        !self.whole && self.roots.is_empty()
    }

    /// Whether a claim is told without its proof.
    pub(crate) fn stops_at(&self, claim: Claim) -> bool {
        match claim {
            Claim::Formula(goal, _) => self.stop.contains(&goal.sub),
            Claim::HasPath => false,
        }
    }

    /// Whether anything is told of an occurrence.
    pub(crate) fn shows(&self, at: OccurrenceId) -> bool {
        self.whole || self.shown.get(at.index()).is_some_and(|&shown| shown)
    }

    /// Whether a region is told.
    pub(crate) fn shows_region(&self, region: RegionId) -> bool {
        self.whole || self.regions.contains(&region)
    }

    /// A strand as far as it is told; `None`: not at all.
    pub(crate) fn trim<'a>(&self, strand: &Strand<'a>) -> Option<Trimmed<'a>> {
        let mut strand = strand.clone();
        if self.whole {
            return Some(Trimmed {
                strand,
                before: 0,
                after: 0,
            });
        }
        let rows: Vec<OccurrenceId> = strand.rows().collect();
        let own = usize::from(strand.from.is_some());
        let closes = strand
            .closing()
            .zip(rows.last())
            .is_some_and(|(to, &last)| self.steps.contains(&(last, to)));
        let first = rows.iter().position(|&row| self.shows(row))?;
        let last = rows.iter().rposition(|&row| self.shows(row))?;
        // A branch of which only the place where it starts is told is told there.
        if last < own && !closes {
            return None;
        }
        if first > 0 || own == 0 {
            strand.from = None;
            strand.states = rows[first..=last].to_vec();
        } else {
            strand.states = rows[own..=last].to_vec();
        }
        if !closes || last + 1 < rows.len() {
            strand.ending = SegmentEnding::Goal;
        }
        Some(Trimmed {
            strand,
            before: first,
            after: rows.len() - 1 - last,
        })
    }

    fn collect(&mut self, telling: &Telling<'_>) {
        let proof = &telling.evidence.proof;
        self.shown = vec![false; telling.evidence.occurrences.len()];
        let mut seen = vec![false; proof.len()];
        let mut open = self.roots.clone();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let node = &proof[id];
            self.shown[node.at.index()] = true;
            if self.stops_at(node.claim) {
                self.stopped.get_or_insert(node.claim);
                continue;
            }
            if let Some(Rule::Region(region)) = node.rule {
                self.regions.insert(region);
            }
            let moves: &[ProofId] = match (node.rule, &node.premises[..]) {
                (Some(Rule::Continue), [.., last]) => std::slice::from_ref(last),
                (Some(Rule::Step | Rule::EveryStep), all) => all,
                _ => &[],
            };
            let to = moves.iter().map(|&to| (node.at, proof[to].at));
            self.steps.extend(to);
            open.extend(&node.premises);
        }
    }
}

/// The outermost nodes for the start condition; without one, the root.
fn roots(telling: &Telling<'_>, start: Option<&BTreeSet<SubId>>) -> Vec<ProofId> {
    let proof = &telling.evidence.proof;
    if proof.is_empty() {
        return vec![];
    }
    let root = ProofId::new(0);
    let Some(start) = start else {
        return vec![root];
    };
    let mut seen = vec![false; proof.len()];
    let mut open = vec![root];
    let mut roots = Vec::new();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        match proof[id].claim {
            Claim::Formula(goal, _) if start.contains(&goal.sub) => roots.push(id),
            _ => open.extend(proof[id].premises.iter().rev()),
        }
    }
    roots
}
