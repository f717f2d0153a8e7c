//! Counterexample graphs that another tool wrote: products with their pairs, pruned ones, tagged ones.

use std::collections::BTreeMap;

use wherefore_model::lts::{Lts, StateId};
use wherefore_tagged::{NodeId, TagTarget, Tagged};

/// A product that was not pruned: the label of its final markers, and the state of the system that each
/// of its states stands for.
pub(crate) struct Product {
    pub(crate) lts: Lts,
    pub(crate) system: Vec<usize>,
}

/// The label that marks final states there.
const FINAL: &str = "i";

/// Reads lines like `3 = {12, 0}`.
pub(crate) fn pairs(text: &str) -> Result<Vec<usize>, String> {
    let mut system = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let parsed = line.split_once('=').and_then(|(state, pair)| {
            let (first, _) = pair.trim().strip_prefix('{')?.split_once(',')?;
            Some((
                state.trim().parse::<usize>().ok()?,
                first.trim().parse().ok()?,
            ))
        });
        match parsed {
            Some((state, first)) if state == system.len() => system.push(first),
            _ => {
                return Err(format!(
                    "`{line}` is not the pair of state {}",
                    system.len()
                ));
            }
        }
    }
    Ok(system)
}

impl Product {
    /// Which states can reach a final one.
    fn kept(&self) -> Vec<bool> {
        let back = self.lts.reversed();
        let is_final = |state: StateId| {
            let mut steps = self.lts.steps(state).iter();
            steps.any(|step| self.lts.text(step.label) == FINAL)
        };
        let mut queue: Vec<StateId> = self.lts.state_ids().filter(|&s| is_final(s)).collect();
        let mut kept = vec![false; self.lts.states()];
        while let Some(state) = queue.pop() {
            if !std::mem::replace(&mut kept[state.index()], true) {
                queue.extend(back.steps(state).iter().map(|step| step.from));
            }
        }
        kept
    }

    /// Walks this product and ours at once, along labels and states of the system: they are the same
    /// graph, or the first difference is told.
    pub(crate) fn same(&self, ours: &Tagged<'_>) -> Result<(), String> {
        let kept = self.kept();
        let count = kept.iter().filter(|kept| **kept).count();
        if count != ours.nodes().len() {
            return Err(format!(
                "{} nodes, but {count} were shipped",
                ours.nodes().len()
            ));
        }
        let Some(initial) = ours.initial() else {
            return Ok(());
        };
        let mut partner: BTreeMap<NodeId, StateId> = BTreeMap::new();
        let mut queue = vec![(initial, self.lts.initial())];
        while let Some((node, state)) = queue.pop() {
            if let Some(known) = partner.insert(node, state) {
                if known != state {
                    return Err(format!("node {} is two shipped states", node.index()));
                }
                continue;
            }
            let mut here: Vec<(&str, usize, NodeId)> = (ours.steps(node))
                .filter_map(|step| match step.to {
                    TagTarget::Node(to) => {
                        let text = ours.label(step.label).text.as_str();
                        Some((text, ours.pair(to).state.index(), to))
                    }
                    TagTarget::Sink(_) => None,
                })
                .collect();
            let mut there: Vec<(&str, usize, StateId)> = (self.lts.steps(state).iter())
                .filter(|step| self.lts.text(step.label) != FINAL && kept[step.to.index()])
                .map(|step| {
                    (
                        self.lts.text(step.label),
                        self.system[step.to.index()],
                        step.to,
                    )
                })
                .collect();
            here.sort();
            there.sort();
            let key = |step: &(&str, usize, NodeId)| (step.0.to_string(), step.1);
            let other = |step: &(&str, usize, StateId)| (step.0.to_string(), step.1);
            if !here.iter().map(key).eq(there.iter().map(other)) {
                return Err(format!("the steps of node {} differ", node.index()));
            }
            queue.extend(
                here.iter()
                    .zip(&there)
                    .map(|(here, there)| (here.2, there.2)),
            );
        }
        let mut states: Vec<StateId> = partner.values().copied().collect();
        states.sort_unstable();
        states.dedup();
        match states.len() == partner.len() && partner.len() == count {
            true => Ok(()),
            false => Err("two nodes are one shipped state".to_string()),
        }
    }
}

/// Whether two systems are the same up to the numbers of their states, told by refining colours until
/// every state has its own.
pub(crate) fn isomorphic(one: &Lts, other: &Lts) -> Result<(), String> {
    if (one.states(), one.transitions()) != (other.states(), other.transitions()) {
        return Err(format!(
            "{} states and {} transitions, but {} and {} were shipped",
            one.states(),
            one.transitions(),
            other.states(),
            other.transitions()
        ));
    }
    // Colours of the states of both, told apart by colour before, by steps and by steps back.
    let mut colours: Vec<usize> = [one, other]
        .iter()
        .flat_map(|lts| {
            lts.state_ids()
                .map(|state| usize::from(state == lts.initial()))
        })
        .collect();
    let mut count = 0;
    loop {
        let mut names = BTreeMap::new();
        let mut next = Vec::new();
        for (lts, start) in [(one, 0), (other, one.states())] {
            let back = lts.reversed();
            for state in lts.state_ids() {
                let colour = |to: StateId| colours[start + to.index()];
                let mut out: Vec<_> = (lts.steps(state).iter())
                    .map(|step| (lts.text(step.label).to_string(), colour(step.to)))
                    .collect();
                let mut into: Vec<_> = (back.steps(state).iter())
                    .map(|step| (lts.text(step.label).to_string(), colour(step.from)))
                    .collect();
                out.sort();
                into.sort();
                let fresh = names.len();
                let name = names.entry((colour(state), out, into)).or_insert(fresh);
                next.push(*name);
            }
        }
        colours = next;
        if names.len() == count {
            break;
        }
        count = names.len();
    }
    if count != one.states() {
        return Err(format!(
            "{count} kinds of states tell {} apart",
            one.states()
        ));
    }
    let painted = |lts: &Lts, start: usize| {
        let mut painted: Vec<(usize, String, usize)> = (lts.all_transitions())
            .map(|t| {
                let colour = |state: StateId| colours[start + state.index()];
                (colour(t.from), lts.text(t.label).to_string(), colour(t.to))
            })
            .collect();
        painted.sort();
        painted
    };
    match painted(one, 0) == painted(other, one.states()) {
        true => Ok(()),
        false => Err("the transitions differ".to_string()),
    }
}

/// What a tagged file counts: transitions of each tag, neighbourhoods of each type, states.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    pub(crate) states: usize,
    pub(crate) tags: [usize; 3],
    pub(crate) kinds: [usize; 4],
}

/// Reads lines like `(12:N:GR, "LOSS":RED, 15)`.
pub(crate) fn counted(text: &str) -> Result<Counted, String> {
    let mut tags = [0; 3];
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    let mut states = std::collections::BTreeSet::new();
    for line in text.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let parsed = line.trim().strip_prefix('(').and_then(|line| {
            let (source, rest) = line.strip_suffix(')')?.split_once(',')?;
            let (label, target) = rest.rsplit_once(',')?;
            let (_, tag) = label.rsplit_once(':')?;
            Some((source.trim(), tag.trim(), target.trim()))
        });
        let (source, tag, target) = parsed.ok_or(format!("`{line}` has no tag"))?;
        let tag = ["GREEN", "RED", "BLACK"]
            .iter()
            .position(|name| *name == tag);
        tags[tag.ok_or(format!("`{line}` has no known tag"))?] += 1;
        let (source, kind) = match source.split_once(":N:") {
            Some((source, kind)) => (source, Some(kind)),
            None => (source, None),
        };
        if let Some(kind) = kind {
            kinds.insert(source, kind);
        }
        states.extend([source, target].into_iter().filter(|state| *state != "-1"));
    }
    let of = |name: &str| kinds.values().filter(|kind| **kind == name).count();
    Ok(Counted {
        states: states.len(),
        tags,
        kinds: ["G", "R", "GR", "GRB"].map(of),
    })
}
