//! Counterexample graphs by the letter of their definitions (Barbon, Leroy and Salaün, 2019), with the
//! repairs that `docs/debug.md` lists.
//!
//! A monitor state is what is left of the regular formula, two being one when no sequence tells them
//! apart. Everything else is read off lists of transitions, again and again until nothing changes.

use std::collections::BTreeSet;

use wherefore_model::lts::Lts;

use crate::random_lts::Regular;

/// What is left to read; `None`: the formula was read, whatever follows.
type Rest = Option<Regular>;

/// The tag of a transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NaiveTag {
    /// Leads where the violation is impossible.
    Correct,
    /// Nothing correct can follow.
    Incorrect,
    /// Neither.
    Neutral,
}

/// A counterexample graph.
#[derive(Clone, Debug)]
pub struct NaiveGraph {
    /// The state of the system and the number of what is left to read, of each node. The first node is
    /// initial; no node: the property holds.
    pub nodes: Vec<(usize, usize)>,
    /// Where the formula was read.
    pub accepting: Vec<bool>,
    /// Source, label, target. The target is `None` for correct transitions.
    pub transitions: Vec<(usize, String, Option<usize>, NaiveTag)>,
    /// How many different rests there are that can still be completed.
    pub rests: usize,
}

fn after(rest: &Rest, label: &str) -> Rest {
    let rest = rest.as_ref()?.after(label);
    (!rest.nullable()).then_some(rest)
}

/// Whether no sequence of these labels tells the two apart.
fn same(one: &Rest, other: &Rest, labels: &[&str]) -> bool {
    let mut seen = BTreeSet::new();
    let mut queue = vec![(one.clone(), other.clone())];
    while let Some((one, other)) = queue.pop() {
        if one.is_none() != other.is_none() {
            return false;
        }
        if seen.insert((one.clone(), other.clone())) {
            queue.extend(labels.iter().map(|l| (after(&one, l), after(&other, l))));
        }
    }
    true
}

impl NaiveGraph {
    /// All runs of the system that begin with a sequence of the formula.
    pub fn new(lts: &Lts, formula: &Regular) -> Self {
        let labels: Vec<&str> = lts.labels().iter().map(|l| l.text.as_str()).collect();
        let mut rests: Vec<Rest> = Vec::new();
        let mut number = |rest: Rest| {
            let known = rests.iter().position(|other| same(other, &rest, &labels));
            known.unwrap_or_else(|| {
                rests.push(rest);
                rests.len() - 1
            })
        };
        let start: Rest = (!formula.nullable()).then(|| formula.clone());
        // All pairs that can be reached, and the transitions between them.
        let mut nodes = vec![(lts.initial().index(), start.clone(), number(start))];
        let mut transitions = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            let (state, rest, _) = nodes[at].clone();
            for step in lts.steps(state.into()) {
                let label = lts.text(step.label);
                let rest = after(&rest, label);
                let name = (step.to.index(), number(rest.clone()));
                let known = nodes.iter().position(|n| (n.0, n.2) == name);
                let to = known.unwrap_or_else(|| {
                    nodes.push((name.0, rest, name.1));
                    nodes.len() - 1
                });
                transitions.push((at, label.to_string(), to));
            }
            at += 1;
        }
        // Those from which the formula can be read to its end.
        let mut kept: Vec<bool> = nodes.iter().map(|n| n.1.is_none()).collect();
        spread(&mut kept, &transitions);
        let names: Vec<usize> = (0..nodes.len()).filter(|&n| kept[n]).collect();
        let name = |n: usize| names.binary_search(&n).ok();
        let mut tagged: Vec<(usize, String, Option<usize>, NaiveTag)> = Vec::new();
        for (from, label, to) in &transitions {
            if let Some(from) = name(*from) {
                let tag = match name(*to) {
                    Some(_) => NaiveTag::Neutral,
                    None => NaiveTag::Correct,
                };
                tagged.push((from, label.clone(), name(*to), tag));
            }
        }
        // A transition is incorrect when no correct one follows.
        let mut chance: Vec<bool> = (0..names.len())
            .map(|n| tagged.iter().any(|t| t.0 == n && t.3 == NaiveTag::Correct))
            .collect();
        let inner: Vec<(usize, String, usize)> = (tagged.iter())
            .filter_map(|t| Some((t.0, t.1.clone(), t.2?)))
            .collect();
        spread(&mut chance, &inner);
        for transition in &mut tagged {
            if transition.2.is_some_and(|to| !chance[to]) {
                transition.3 = NaiveTag::Incorrect;
            }
        }
        // The rests that can still be completed, by some sequence at all.
        let mut open = vec![(!formula.nullable()).then(|| formula.clone())];
        let mut at = 0;
        while at < open.len() {
            for label in &labels {
                let rest = after(&open[at], label);
                if !open.iter().any(|other| same(other, &rest, &labels)) {
                    open.push(rest);
                }
            }
            at += 1;
        }
        let dead = Some(Regular::None);
        let rests = open.iter().filter(|rest| !same(rest, &dead, &labels));
        Self {
            accepting: names.iter().map(|&n| nodes[n].1.is_none()).collect(),
            nodes: names.iter().map(|&n| (nodes[n].0, nodes[n].2)).collect(),
            transitions: tagged,
            rests: rests.count(),
        }
    }

    /// The type of the neighbourhood at a node: which tags its steps have.
    pub fn neighbourhood(&self, node: usize) -> Option<&'static str> {
        let out = |tag| self.transitions.iter().any(|t| t.0 == node && t.3 == tag);
        let mut incoming = self.transitions.iter().filter(|t| t.2 == Some(node));
        let lost = incoming.any(|t| t.3 == NaiveTag::Incorrect);
        let starts = out(NaiveTag::Correct) || (out(NaiveTag::Incorrect) && !lost);
        // The initial state of a system that is lost from the start, also when a cycle leads back to it.
        let nothing_open = !out(NaiveTag::Correct) && !out(NaiveTag::Neutral);
        match (
            out(NaiveTag::Correct),
            out(NaiveTag::Incorrect),
            out(NaiveTag::Neutral),
        ) {
            _ if node == 0 && nothing_open => Some("in"),
            _ if !starts => None,
            (true, true, true) => Some("cin"),
            (true, true, false) => Some("ci"),
            (true, false, _) => Some("cn"),
            (false, _, _) => Some("in"),
        }
    }

    /// From where every maximal run violates the property.
    pub fn fated(&self) -> Vec<bool> {
        // The largest set from which a run can go on for ever, or end, without violating it.
        let mut free: Vec<bool> = self.accepting.iter().map(|accepting| !accepting).collect();
        loop {
            let avoids = |node: usize| {
                let mut out = self.transitions.iter().filter(|t| t.0 == node).peekable();
                out.peek().is_none() || out.any(|t| t.2.is_none_or(|to| free[to]))
            };
            let next: Vec<bool> = (0..free.len()).map(|n| free[n] && avoids(n)).collect();
            if next == free {
                return free.iter().map(|free| !free).collect();
            }
            free = next;
        }
    }

    /// A path with one more step between nodes, in every way.
    pub fn longer(
        &self,
        (nodes, labels): &(Vec<usize>, Vec<String>),
    ) -> Vec<(Vec<usize>, Vec<String>)> {
        let last = *nodes.last().expect("a path has a node");
        let out = self.transitions.iter().filter(|t| t.0 == last);
        out.filter_map(|t| {
            let nodes = nodes.iter().copied().chain([t.2?]).collect();
            let labels = labels.iter().chain([&t.1]).cloned().collect();
            Some((nodes, labels))
        })
        .collect()
    }
}

/// Adds the sources of transitions into the set until nothing changes.
fn spread(set: &mut [bool], transitions: &[(usize, String, usize)]) {
    loop {
        let before = set.to_vec();
        for (from, _, to) in transitions {
            set[*from] |= set[*to];
        }
        if before == set {
            return;
        }
    }
}
