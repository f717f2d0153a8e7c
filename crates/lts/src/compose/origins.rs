//! Where the states and steps of a composed system come from.
//!
//! Of a composition the tuples of its states are kept, not the steps: which transitions of which files take part in a step is
//! found out again for the steps that somebody asks about.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use wherefore_base::deep;
use wherefore_model::lts::{ActionLabel, LabelId, Lts, LtsStep, StateId};

use super::explore::{NetworkNode, Par};
use super::internal::Internal;
use super::relabel::Relabelling;

/// Where a given system comes from.
#[derive(Clone, Debug)]
pub(super) enum SystemOrigin {
    /// A file, perhaps with other labels.
    File {
        /// The number of the file.
        file: usize,
        /// The system in the file.
        read: Arc<Lts>,
        /// By state here, its number in the file; the same without it.
        states: Option<Vec<StateId>>,
        /// By label in the file, what it is called here; `None`: it is cut.
        names: Vec<Option<ActionLabel>>,
    },
    /// These files, reduced together: it is not known which transition does what.
    Reduced(BTreeSet<usize>),
}

impl SystemOrigin {
    pub(super) fn file(file: usize, read: Arc<Lts>, internal: &Internal<'_>) -> Self {
        let name = |label: &ActionLabel| {
            let mut label = label.clone();
            if label.internal {
                label.text = internal.name().to_string();
            }
            Some(label)
        };
        SystemOrigin::File {
            file,
            states: None,
            names: read.labels().iter().map(name).collect(),
            read,
        }
    }

    /// The origin of a part of a network that is reduced.
    pub(super) fn reduced(nodes: &[NetworkNode], root: usize) -> Self {
        let mut files = BTreeSet::new();
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            match &nodes[at] {
                NetworkNode::Given(_, Some(SystemOrigin::File { file, .. })) => {
                    files.insert(*file);
                }
                NetworkNode::Given(_, Some(SystemOrigin::Reduced(inner))) => files.extend(inner),
                NetworkNode::Given(_, None) | NetworkNode::Buffer(..) => {}
                NetworkNode::Par(par) => open.extend(&par.children),
            }
        }
        SystemOrigin::Reduced(files)
    }

    /// The labels are others now; `kept`: the states that are left, by their numbers before.
    pub(super) fn relabel(
        &mut self,
        how: &Relabelling,
        internal: &Internal<'_>,
        kept: Option<Vec<StateId>>,
    ) {
        let SystemOrigin::File { states, names, .. } = self else {
            return;
        };
        for name in names {
            let Some(label) = name.as_ref().filter(|label| !label.internal) else {
                continue;
            };
            let text = how.apply(&label.text, internal);
            *name = text.map(|text| ActionLabel {
                internal: text == internal.name(),
                text,
            });
        }
        if let Some(kept) = kept {
            *states = Some(match states {
                Some(before) => kept.iter().map(|at| before[at.index()]).collect(),
                None => kept,
            });
        }
    }
}

/// Where the states and steps of a composed system come from.
pub struct Origins {
    nodes: Vec<NetworkNode>,
    root: Option<usize>,
    files: Vec<String>,
}

/// What takes part in a step of a composed system.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LiftedStep {
    /// The transitions of files, from left to right.
    pub moves: Vec<PartMove>,
    /// Files of reduced parts that take part: which transition of them does is not known.
    pub reduced: BTreeSet<usize>,
}

/// A transition of a file that takes part in a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartMove {
    /// The file, by number.
    pub file: usize,
    /// The state it leaves.
    pub from: StateId,
    /// Its label, in the file.
    pub label: LabelId,
    /// The state it enters.
    pub to: StateId,
}

/// Where a part of a composition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafState {
    /// In this state of a file.
    File(StateId),
    /// In this state of a reduced system.
    Reduced(StateId),
    /// So many messages are in a buffer.
    Messages(usize),
}

impl fmt::Display for LeafState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeafState::File(state) | LeafState::Reduced(state) => write!(f, "{}", state.index()),
            LeafState::Messages(count) => write!(f, "[{count}]"),
        }
    }
}

impl fmt::Debug for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = ("files", &self.files);
        f.debug_struct("Origins").field(files.0, files.1).finish()
    }
}

impl Origins {
    pub(super) fn new(nodes: Vec<NetworkNode>, root: Option<usize>, files: Vec<String>) -> Self {
        Self { nodes, root, files }
    }

    /// The names of the files, each once.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The files within parts that are reduced, by number.
    pub fn reduced_files(&self) -> BTreeSet<usize> {
        let reduced = self.nodes.iter().filter_map(|node| match node {
            NetworkNode::Given(_, Some(SystemOrigin::Reduced(files))) => Some(files),
            _ => None,
        });
        reduced.flatten().copied().collect()
    }

    /// Where each part is in a state of the whole, from left to right.
    pub fn leaves(&self, state: StateId) -> Vec<LeafState> {
        let mut leaves = Vec::new();
        if let Some(root) = self.root {
            self.leaves_of(root, state.index() as u32, &mut leaves);
        }
        leaves
    }

    fn leaves_of(&self, node: usize, state: u32, leaves: &mut Vec<LeafState>) {
        let id = StateId::new(state as usize);
        match &self.nodes[node] {
            NetworkNode::Given(_, Some(SystemOrigin::File { states, .. })) => {
                let states = states.as_ref();
                leaves.push(LeafState::File(states.map_or(id, |all| all[id.index()])));
            }
            NetworkNode::Given(..) => leaves.push(LeafState::Reduced(id)),
            NetworkNode::Buffer(messages, _) => {
                leaves.push(LeafState::Messages(messages.count(state)));
            }
            NetworkNode::Par(par) => {
                for (&child, &inner) in par.children.iter().zip(par.states.get(state)) {
                    deep(|| self.leaves_of(child, inner, leaves));
                }
            }
        }
    }

    /// What takes part in a step of the whole; of several possibilities the first. `None` where there is no such step.
    pub fn lift(&self, from: StateId, label: &str, to: StateId) -> Option<LiftedStep> {
        let root = self.root?;
        let labels = self.nodes[root].labels();
        let label = labels.binary_search_by(|other| other.text.as_str().cmp(label));
        let step = NodeStep {
            from: from.index() as u32,
            label: label.ok()? as u32,
            to: to.index() as u32,
        };
        self.lift_in(root, step)
    }

    fn lift_in(&self, node: usize, step: NodeStep) -> Option<LiftedStep> {
        match &self.nodes[node] {
            NetworkNode::Given(lts, origin) => lift_given(lts, origin.as_ref(), step),
            NetworkNode::Buffer(messages, _) => messages
                .leads(step.from, step.label, step.to)
                .then(LiftedStep::default),
            NetworkNode::Par(par) => self.lift_par(par, step),
        }
    }

    fn lift_par(&self, par: &Par, step: NodeStep) -> Option<LiftedStep> {
        let (from, to) = (par.states.get(step.from), par.states.get(step.to));
        let moved: Vec<usize> = (0..from.len()).filter(|&at| from[at] != to[at]).collect();
        let branch = |branch: usize, label: u32| {
            let inner = NodeStep {
                from: from[branch],
                label,
                to: to[branch],
            };
            deep(|| self.lift_in(par.children[branch], inner))
        };
        // A step of one branch alone: of the one that moved, or of any where none did.
        if moved.len() <= 1 {
            let alone = (0..from.len()).filter(|at| moved.is_empty() || moved[0] == *at);
            for at in alone {
                for label in par.rules.free_as(at, step.label) {
                    if let Some(lifted) = branch(at, label) {
                        return Some(lifted);
                    }
                }
            }
        }
        for rule in par.rules.with_result(step.label) {
            let mut able: Vec<(usize, LiftedStep)> = Vec::new();
            for offer in &rule.offers {
                let at = offer.branch as usize;
                if let Some(lifted) = branch(at, offer.label) {
                    able.push((at, lifted));
                }
            }
            let moves = able.iter().filter(|(at, _)| moved.contains(at)).count();
            if moves < moved.len() || moved.len() > rule.together || able.len() < rule.together {
                continue;
            }
            // Who moved takes part; the first of those that step without moving make up the number.
            let mut spare = rule.together - moved.len();
            let mut whole = LiftedStep::default();
            for (at, lifted) in able {
                if !moved.contains(&at) {
                    if spare == 0 {
                        continue;
                    }
                    spare -= 1;
                }
                whole.moves.extend(lifted.moves);
                whole.reduced.extend(lifted.reduced);
            }
            return Some(whole);
        }
        None
    }
}

/// A step of a node, by the numbers that states and labels have there.
#[derive(Clone, Copy)]
struct NodeStep {
    from: u32,
    label: u32,
    to: u32,
}

fn lift_given(lts: &Lts, origin: Option<&SystemOrigin>, step: NodeStep) -> Option<LiftedStep> {
    let (from, to) = (step.from as usize, StateId::new(step.to as usize));
    let label = LabelId::new(step.label as usize);
    let here = LtsStep { label, to };
    lts.steps(StateId::new(from)).binary_search(&here).ok()?;
    let mut lifted = LiftedStep::default();
    match origin? {
        SystemOrigin::Reduced(files) => lifted.reduced.extend(files),
        SystemOrigin::File {
            file,
            read,
            states,
            names,
        } => {
            let there = |state: usize| {
                let states = states.as_ref();
                states.map_or(StateId::new(state), |all| all[state])
            };
            let (from, to) = (there(from), there(to.index()));
            let text = &lts.labels()[label].text;
            let named = |step: &&LtsStep| {
                let name = names[step.label.index()].as_ref();
                step.to == to && name.is_some_and(|name| name.text == *text)
            };
            let label = read.steps(from).iter().find(named)?.label;
            lifted.moves.push(PartMove {
                file: *file,
                from,
                label,
                to,
            });
        }
    }
    Some(lifted)
}

#[cfg(test)]
mod tests {
    use wherefore_base::{Budget, FileId};

    use super::*;
    use crate::aut::{ReadOptions, parse};
    use crate::compose::{BuildFailure, Net};

    const FILES: [(&str, &str); 2] = [
        (
            "one",
            "des (0, 6, 3)\n(0, A, 1)\n(1, B, 2)\n(2, A, 0)\n(0, B, 0)\n(1, tau, 0)\n(2, C !1, 2)\n",
        ),
        (
            "two",
            "des (1, 4, 2)\n(1, A, 0)\n(0, B, 1)\n(0, C !1, 0)\n(1, i, 1)\n",
        ),
    ];

    fn composed(text: &str) -> (Lts, Origins) {
        let net = Net::parse(FileId::new(0), text).expect("it parses");
        let budget = Budget::unlimited();
        let load = |name: &str| {
            let (_, text) = FILES.iter().find(|(file, _)| *file == name).ok_or(())?;
            let read = parse(text.as_bytes(), &ReadOptions::default(), &budget);
            Ok(read.expect("no limit").expect("it is right"))
        };
        let internal = ReadOptions::default().internal;
        let built = net.build_with_origins(load, &internal, &budget);
        let (built, origins) = built
            .map_err(|_: BuildFailure<()>| ())
            .expect("it is right");
        let plain = net
            .build(load, &internal, &budget)
            .map_err(|_: BuildFailure<()>| ());
        assert_eq!(plain.expect("it is right").lts, built.lts);
        (built.lts, origins)
    }

    #[test]
    fn every_step_is_one_of_transitions_that_lead_from_leaf_to_leaf() {
        for net in [
            "\"one\"",
            "par A in \"one\" || \"two\" end par",
            "par A #2 in \"one\" || \"two\" || \"one\" end par",
            "par \"A\" * \"B\" -> \"D\" in \"one\" || \"two\" end par rename D -> B hide B",
            "par in \"one\" cut B || \"two\" hide A, B end par",
            "par A in par B in \"one\" || \"two\" end par hide C || \"one\" rename C -> A end par",
            "par in \"one\" || \"two\" end par buffer fifo 1 A -> B",
            "par in \"one\" || \"two\" end par buffer bag 2 A -> B cut C",
        ] {
            let (lts, origins) = composed(net);
            let mut steps = 0;
            for step in lts.all_transitions() {
                let lifted = origins.lift(step.from, lts.text(step.label), step.to);
                let lifted = lifted.unwrap_or_else(|| panic!("{net}: {step:?}"));
                assert!(
                    !lifted.moves.is_empty() && lifted.reduced.is_empty(),
                    "{net}"
                );
                let (from, to) = (origins.leaves(step.from), origins.leaves(step.to));
                let ways: Vec<(LeafState, LeafState)> = from.into_iter().zip(to).collect();
                for one in &lifted.moves {
                    let way = (LeafState::File(one.from), LeafState::File(one.to));
                    assert!(ways.contains(&way), "{net}: {step:?} {one:?}");
                }
                let moved = ways
                    .iter()
                    .filter(|(from, to)| from != to && matches!(from, LeafState::File(_)));
                assert!(moved.count() <= lifted.moves.len(), "{net}: {step:?}");
                steps += 1;
            }
            assert!(steps > 2, "{net}");
            let nowhere = origins.lift(lts.initial(), "no such label", lts.initial());
            assert_eq!(nowhere, None);
        }
    }

    #[test]
    fn of_a_part_that_is_reduced_only_the_file_is_known() {
        let (lts, origins) = composed("par A in \"one\" reduce strong || \"two\" end par");
        assert_eq!(origins.reduced_files(), BTreeSet::from([0]));
        let lifted = lts.all_transitions().map(|step| {
            let lifted = origins.lift(step.from, lts.text(step.label), step.to);
            lifted.expect("it is a step")
        });
        let lifted: Vec<LiftedStep> = lifted.collect();
        assert!(lifted.iter().any(|step| step.reduced.contains(&0)));
        assert!(
            lifted
                .iter()
                .all(|step| step.moves.iter().all(|one| one.file == 1))
        );
    }
}
