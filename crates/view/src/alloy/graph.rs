//! An instance as a graph: what is drawn, before it is said how.
//!
//! As in the Alloy visualizer, atoms are nodes and a row of a field is an arrow from its first to its last
//! atom, with the atoms between them in brackets: `addr [Name0]`. Subset signatures and witnesses are
//! written into the nodes. Values that have nothing of their own, such as numbers and the members of an
//! enumeration, are written into the nodes that have them: `price: 3`.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_alloy::model::SigId;
use wherefore_alloy::scene::{Moment, SceneRow};
use wherefore_relational::UniverseAtomId;

use super::instance::{Labels, ShownInstance};
use crate::words::clean;

/// So many lines are written into a node or at an arrow.
const MOST_LINES: usize = 16;

/// The pictures of an instance: one for each state.
pub(crate) struct InstanceGraph {
    pub(crate) states: Vec<InstanceState>,
}

/// The picture of a state.
#[derive(Default)]
pub(crate) struct InstanceState {
    /// What stands above it.
    pub(crate) heading: Option<String>,
    /// The nodes, by atom.
    pub(crate) nodes: BTreeMap<UniverseAtomId, InstanceNode>,
    /// The arrows, by what they connect.
    pub(crate) edges: BTreeMap<Ends, InstanceEdge>,
}

/// An atom.
pub(crate) struct InstanceNode {
    pub(crate) title: String,
    /// What is said of it, a line each.
    pub(crate) lines: Vec<String>,
    /// The number of its top-level signature among those that are drawn.
    pub(crate) kind: usize,
    /// Whether it is a witness of the command.
    pub(crate) witness: bool,
}

/// What an arrow connects, and whether it is there for witnesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ends {
    pub(crate) from: UniverseAtomId,
    pub(crate) to: UniverseAtomId,
    pub(crate) witness: bool,
}

/// All arrows that connect the same atoms.
#[derive(Default)]
pub(crate) struct InstanceEdge {
    /// What they are called, a line each.
    pub(crate) labels: Vec<String>,
    /// Whether they go back, too.
    pub(crate) both: bool,
}

impl InstanceGraph {
    /// What is drawn of an instance.
    pub(crate) fn new(instance: &ShownInstance<'_>) -> Self {
        let drawing = Drawing::new(instance);
        let states = instance.moments();
        let states = states.map(|(state, moment)| InstanceState {
            heading: instance.heading(state),
            ..drawing.state(moment)
        });
        Self {
            states: states.collect(),
        }
    }
}

struct Drawing<'a> {
    instance: &'a ShownInstance<'a>,
    labels: Labels<'a>,
    /// The top-level signatures that have atoms, with their numbers.
    kinds: BTreeMap<SigId, usize>,
}

impl<'a> Drawing<'a> {
    fn new(instance: &'a ShownInstance<'a>) -> Self {
        let sigs = instance.scene.atoms.iter().filter_map(|atom| atom.sig);
        let sigs: BTreeSet<SigId> = sigs.filter(|&sig| !instance.is_hidden(sig)).collect();
        let (values, others): (Vec<SigId>, Vec<SigId>) =
            sigs.into_iter().partition(|&sig| instance.is_value(sig));
        let mut kinds = BTreeMap::new();
        for sig in others.into_iter().chain(values) {
            let number = kinds.len();
            kinds.entry(instance.top(sig)).or_insert(number);
        }
        Self {
            instance,
            labels: Labels::new(*instance),
            kinds,
        }
    }

    fn state(&self, moment: &Moment) -> InstanceState {
        let mut state = InstanceState::default();
        for &sig in self.kinds.keys() {
            for &atom in &moment.sigs[sig] {
                if !self.is_value(atom) {
                    self.node(&mut state, atom);
                }
            }
        }
        self.subsets(&mut state, moment);
        for (field, rows) in moment.fields.entries() {
            let name = self.instance.field(field);
            let owner = self.instance.model.fields[field].sig;
            if self.instance.is_hidden(owner) {
                // The order of an enumeration is the one in which it is written.
                let name = lower_case(&name);
                let rows = rows.iter().filter(|row| !self.is_value(row[1]));
                rows.for_each(|row| self.row(&mut state, &name, &row[1..]));
            } else {
                rows.iter().for_each(|row| self.row(&mut state, &name, row));
            }
        }
        self.witnesses(&mut state);
        join_pairs(&mut state.edges);
        let nodes = state.nodes.values_mut().map(|node| &mut node.lines);
        let edges = state.edges.values_mut().map(|edge| &mut edge.labels);
        nodes.chain(edges).for_each(shorten);
        state
    }

    fn subsets(&self, state: &mut InstanceState, moment: &Moment) {
        let model = self.instance.model;
        let mut sets: BTreeMap<UniverseAtomId, Vec<String>> = BTreeMap::new();
        for (sig, _) in model.declared() {
            if self.instance.is_subset(sig) {
                for &atom in &moment.sigs[sig] {
                    sets.entry(atom).or_default().push(self.labels.sig(sig));
                }
            }
        }
        for (atom, sets) in sets {
            let line = format!("({})", sets.join(", "));
            self.node(state, atom).lines.push(line);
        }
    }

    /// A row of a field: an arrow, or a line in a node.
    fn row(&self, state: &mut InstanceState, name: &str, row: &[UniverseAtomId]) {
        let (Some(&from), Some(&to)) = (row.first(), row.last()) else {
            return;
        };
        if row.len() == 1 {
            self.node(state, from).lines.push(format!("({name})"));
            return;
        }
        let name = self.with_middle(name, row);
        if self.is_value(to) {
            let value = self.labels.atom(to);
            let lines = &mut self.node(state, from).lines;
            let start = format!("{name}: ");
            match lines.iter_mut().find(|line| line.starts_with(&start)) {
                Some(line) => *line = format!("{line}, {value}"),
                None => lines.push(start + &value),
            }
            return;
        }
        self.arrow(state, (from, to), name, false);
    }

    fn witnesses(&self, state: &mut InstanceState) {
        // Those that depend on other variables are functions, and would be most of the arrows.
        let witnesses = self.instance.scene.witnesses.iter();
        for witness in witnesses.filter(|witness| witness.outer == 0) {
            let name = clean(&witness.name);
            for row in &witness.rows {
                self.witness(state, &name, row);
            }
        }
    }

    fn witness(&self, state: &mut InstanceState, name: &str, row: &SceneRow) {
        match row[..] {
            [] => {}
            [atom] => {
                let node = self.node(state, atom);
                node.witness = true;
                node.lines.push(name.to_string());
            }
            [from, .., to] => {
                let name = self.with_middle(name, row);
                self.arrow(state, (from, to), name, true);
            }
        }
    }

    fn arrow(
        &self,
        state: &mut InstanceState,
        (from, to): (UniverseAtomId, UniverseAtomId),
        label: String,
        witness: bool,
    ) {
        self.node(state, from);
        self.node(state, to);
        let ends = Ends { from, to, witness };
        state.edges.entry(ends).or_default().labels.push(label);
    }

    fn with_middle(&self, name: &str, row: &[UniverseAtomId]) -> String {
        match row {
            [_, middle @ .., _] if !middle.is_empty() => {
                let middle: Vec<String> = middle.iter().map(|&a| self.labels.atom(a)).collect();
                format!("{name} [{}]", middle.join(", "))
            }
            _ => name.to_string(),
        }
    }

    fn node<'s>(&self, state: &'s mut InstanceState, atom: UniverseAtomId) -> &'s mut InstanceNode {
        state.nodes.entry(atom).or_insert_with(|| {
            let sig = self.instance.scene.atoms[atom].sig;
            let top = sig.map(|sig| self.instance.top(sig));
            let kind = top.and_then(|top| self.kinds.get(&top).copied());
            InstanceNode {
                title: self.labels.atom(atom),
                lines: Vec::new(),
                kind: kind.unwrap_or(self.kinds.len()),
                witness: false,
            }
        })
    }

    fn is_value(&self, atom: UniverseAtomId) -> bool {
        let sig = self.instance.scene.atoms[atom].sig;
        sig.is_none_or(|sig| self.instance.is_value(sig))
    }
}

/// Arrows there and back that are called the same become one.
fn join_pairs(edges: &mut BTreeMap<Ends, InstanceEdge>) {
    let all: Vec<Ends> = edges.keys().copied().collect();
    for ends in all {
        let back = Ends {
            from: ends.to,
            to: ends.from,
            ..ends
        };
        if ends.from >= ends.to {
            continue;
        }
        let same = match (edges.get(&ends), edges.get(&back)) {
            (Some(there), Some(back)) => there.labels == back.labels,
            _ => false,
        };
        if same {
            edges.remove(&back);
            if let Some(edge) = edges.get_mut(&ends) {
                edge.both = true;
            }
        }
    }
}

/// Leaves out what is more than can be read.
fn shorten(lines: &mut Vec<String>) {
    if lines.len() > MOST_LINES {
        let more = lines.len() - (MOST_LINES - 1);
        lines.truncate(MOST_LINES - 1);
        lines.push(format!("and {more} more"));
    }
}

fn lower_case(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
