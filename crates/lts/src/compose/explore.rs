//! The states of a composition, made when somebody steps into them.
//!
//! Compositions stand in a list, children before parents. A state of a composition is a tuple of states of
//! its children; what can happen there is found out once and kept. So a net within a net grows only as far
//! as the rest of the whole lets it.

use std::sync::Arc;

use wherefore_base::{Budget, Meter, deep};
use wherefore_model::lts::{ActionLabel, LabelId, Lts, LtsStep, StateId};

use crate::LtsHalt;
use crate::halt::counted;
use crate::reduce::with_used_labels;

use super::buffer::Messages;
use super::origins::SystemOrigin;
use super::rules::SyncRules;
use super::table::Tuples;

const NONE: u32 = u32::MAX;

/// A system that is there, or is being made.
pub(super) enum NetworkNode {
    /// A system, and where it comes from if somebody wants to know.
    Given(Arc<Lts>, Option<SystemOrigin>),
    Par(Box<Par>),
    Buffer(Messages, StepRows),
}

/// Systems side by side.
pub(super) struct Par {
    /// Where the branches are in the list.
    pub(super) children: Vec<usize>,
    pub(super) rules: SyncRules,
    pub(super) states: Tuples,
    rows: StepRows,
}

/// The steps of states for which they were asked.
#[derive(Default)]
pub(super) struct StepRows {
    /// By state, where its steps are; [`NONE`] before anybody asks.
    places: Vec<(u32, u32)>,
    steps: Vec<LtsStep>,
}

impl StepRows {
    fn get(&self, state: u32) -> &[LtsStep] {
        let (start, end) = self.places[state as usize];
        &self.steps[start as usize..end as usize]
    }

    fn knows(&self, state: u32) -> bool {
        let place = self.places.get(state as usize);
        place.is_some_and(|&(start, _)| start != NONE)
    }

    /// Takes the steps from a place on as those of a state.
    fn keep(&mut self, state: u32, start: usize) -> Result<(), LtsHalt> {
        let start = counted(start, "transitions")?;
        let end = counted(self.steps.len(), "transitions")?;
        if self.places.len() <= state as usize {
            self.places.resize(state as usize + 1, (NONE, NONE));
        }
        self.places[state as usize] = (start, end);
        Ok(())
    }
}

impl NetworkNode {
    pub(super) fn par(children: Vec<usize>, rules: SyncRules) -> Self {
        NetworkNode::Par(Box::new(Par {
            states: Tuples::new(children.len()),
            children,
            rules,
            rows: StepRows::default(),
        }))
    }

    pub(super) fn buffer(messages: Messages) -> Self {
        NetworkNode::Buffer(messages, StepRows::default())
    }

    pub(super) fn labels(&self) -> &[ActionLabel] {
        match self {
            NetworkNode::Given(lts, _) => lts.labels().as_slice(),
            NetworkNode::Par(par) => par.rules.labels(),
            NetworkNode::Buffer(messages, _) => messages.labels(),
        }
    }

    pub(super) fn rules_mut(&mut self) -> Option<&mut SyncRules> {
        match self {
            NetworkNode::Par(par) => Some(&mut par.rules),
            NetworkNode::Given(..) | NetworkNode::Buffer(..) => None,
        }
    }

    fn initial(&self) -> u32 {
        match self {
            NetworkNode::Given(lts, _) => lts.initial().index() as u32,
            NetworkNode::Par(_) | NetworkNode::Buffer(..) => 0,
        }
    }

    /// The steps of a state that was expanded.
    fn steps(&self, state: u32) -> &[LtsStep] {
        match self {
            NetworkNode::Given(lts, _) => lts.steps(StateId::new(state as usize)),
            NetworkNode::Par(par) => par.rows.get(state),
            NetworkNode::Buffer(_, rows) => rows.get(state),
        }
    }
}

/// The whole of a system in a list. What it is made of is given up.
pub(super) fn explore(
    nodes: &mut [NetworkNode],
    root: usize,
    budget: &Budget,
) -> Result<Arc<Lts>, LtsHalt> {
    if matches!(nodes[root], NetworkNode::Par(_)) {
        expand_all(nodes, root, budget)?;
    }
    match give_up(nodes, root) {
        NetworkNode::Given(lts, _) => Ok(lts),
        NetworkNode::Par(mut par) => Ok(Arc::new(par.take_lts())),
        NetworkNode::Buffer(..) => unreachable!("a buffer is never alone"),
    }
}

/// The whole of a system in a list. What it is made of stays, without the steps.
pub(super) fn explore_and_keep(
    nodes: &mut [NetworkNode],
    root: usize,
    budget: &Budget,
) -> Result<Arc<Lts>, LtsHalt> {
    if matches!(nodes[root], NetworkNode::Par(_)) {
        expand_all(nodes, root, budget)?;
    }
    let lts = match &mut nodes[root] {
        NetworkNode::Given(lts, _) => Arc::clone(lts),
        NetworkNode::Par(par) => Arc::new(par.take_lts()),
        NetworkNode::Buffer(..) => unreachable!("a buffer is never alone"),
    };
    for node in nodes {
        match node {
            NetworkNode::Given(..) => {}
            NetworkNode::Par(par) => {
                par.rows = StepRows::default();
                par.states.forget_index();
            }
            NetworkNode::Buffer(_, rows) => *rows = StepRows::default(),
        }
    }
    Ok(lts)
}

/// Takes a system with everything it is made of from a list.
fn give_up(nodes: &mut [NetworkNode], root: usize) -> NetworkNode {
    let nothing = Arc::new(Lts::new(vec![], 1, StateId::new(0), &[]));
    let mut take =
        |at: usize| std::mem::replace(&mut nodes[at], NetworkNode::Given(nothing.clone(), None));
    let taken = take(root);
    let children = |node: &NetworkNode| match node {
        NetworkNode::Par(par) => par.children.clone(),
        NetworkNode::Given(..) | NetworkNode::Buffer(..) => vec![],
    };
    let mut more = children(&taken);
    while let Some(at) = more.pop() {
        more.extend(children(&take(at)));
    }
    taken
}

/// All states of a composition, in the order in which they are found.
fn expand_all(nodes: &mut [NetworkNode], root: usize, budget: &Budget) -> Result<(), LtsHalt> {
    budget.phase("composing the systems");
    let mut meter = budget.meter();
    ready(nodes, root)?;
    // States are numbered as they are found, so this order is breadth first.
    for state in 0.. {
        let NetworkNode::Par(par) = &nodes[root] else {
            break;
        };
        if state as usize == par.states.len() {
            break;
        }
        expand(nodes, root, state, &mut meter)?;
    }
    Ok(())
}

/// Makes the first states of a composition and of everything in it.
fn ready(nodes: &mut [NetworkNode], root: usize) -> Result<(), LtsHalt> {
    // Children stand before their parents, so they are ready first.
    for at in 0..=root {
        let (below, rest) = nodes.split_at_mut(at);
        if let NetworkNode::Par(par) = &mut rest[0]
            && par.states.len() == 0
        {
            let initial = par.children.iter().map(|&child| below[child].initial());
            let initial: Vec<u32> = initial.collect();
            par.states.number(&initial)?;
        }
    }
    Ok(())
}

/// Finds out what can happen in a state of a system.
fn expand(
    nodes: &mut [NetworkNode],
    at: usize,
    state: u32,
    meter: &mut Meter,
) -> Result<(), LtsHalt> {
    // Children stand before their parents, so both can be held at once.
    let (below, rest) = nodes.split_at_mut(at);
    match &mut rest[0] {
        NetworkNode::Given(..) => Ok(()),
        NetworkNode::Buffer(messages, rows) if !rows.knows(state) => {
            meter.tick()?;
            let start = rows.steps.len();
            messages.steps(state, &mut rows.steps)?;
            rows.keep(state, start)
        }
        NetworkNode::Par(par) if !par.rows.knows(state) => {
            let tuple = par.states.get(state).to_vec();
            for (&child, &inner) in par.children.iter().zip(&tuple) {
                deep(|| expand(below, child, inner, meter))?;
            }
            par.expand(below, state, &tuple, meter)
        }
        NetworkNode::Buffer(..) | NetworkNode::Par(_) => Ok(()),
    }
}

impl Par {
    /// The steps from a tuple of states whose own steps are known.
    fn expand(
        &mut self,
        below: &[NetworkNode],
        state: u32,
        tuple: &[u32],
        meter: &mut Meter,
    ) -> Result<(), LtsHalt> {
        let rows = self.children.iter().zip(tuple);
        let mut moves = StateMoves {
            rows: rows
                .map(|(&child, &inner)| below[child].steps(inner))
                .collect(),
            target: tuple.to_vec(),
            meter,
            flat: Vec::new(),
            found: Vec::new(),
        };
        moves.find(&self.rules)?;
        let StateMoves {
            flat, mut found, ..
        } = moves;
        // New states are numbered in the order of labels, and the sort is stable.
        found.sort_by_key(|&(label, _)| label);
        let start = self.rows.steps.len();
        for (label, at) in found {
            let to = self.states.number(&flat[at..at + tuple.len()])?;
            self.rows.steps.push(LtsStep {
                label: LabelId::new(label as usize),
                to: StateId::new(to as usize),
            });
        }
        self.rows.steps[start..].sort_unstable();
        crate::reduce::dedup_from(&mut self.rows.steps, start);
        self.rows.keep(state, start)
    }

    /// Everything that was found, when every state was expanded in order.
    fn take_lts(&mut self) -> Lts {
        let rows = std::mem::take(&mut self.rows);
        // The rows were kept in the order of states, so each ends where the next one begins.
        let starts = std::iter::once(0).chain(rows.places.iter().map(|&(_, end)| end));
        let starts = starts.collect();
        with_used_labels(self.rules.labels(), StateId::new(0), starts, rows.steps)
    }
}

/// What can happen in one state of a composition.
struct StateMoves<'a> {
    /// By branch, what it can do.
    rows: Vec<&'a [LtsStep]>,
    /// Where the branches are after what is being tried.
    target: Vec<u32>,
    meter: &'a mut Meter,
    /// The targets found so far, one after the other, and by label where they start.
    flat: Vec<u32>,
    found: Vec<(u32, usize)>,
}

impl<'a> StateMoves<'a> {
    fn find(&mut self, rules: &SyncRules) -> Result<(), LtsHalt> {
        let mut others: Vec<(usize, &'a [LtsStep])> = Vec::new();
        for branch in 0..self.rows.len() {
            let here = self.target[branch];
            for step in self.rows[branch] {
                self.target[branch] = step.to.index() as u32;
                let label = step.label.index();
                if let Some(free) = rules.free(branch, label) {
                    self.keep(free)?;
                }
                for &lead in rules.leads(branch, label) {
                    let rule = rules.rule(lead);
                    others.clear();
                    // The lead is the first of a rule's offers that steps, so no combination is found twice.
                    for offer in &rule.offers[lead.offer as usize + 1..] {
                        self.meter.tick()?;
                        let steps = with_label(self.rows[offer.branch as usize], offer.label);
                        if !steps.is_empty() {
                            others.push((offer.branch as usize, steps));
                        }
                    }
                    self.choose(&others, rule.together - 1, rule.result)?;
                }
            }
            self.target[branch] = here;
        }
        Ok(())
    }

    /// So many of these branches step, too, in every way.
    fn choose(
        &mut self,
        others: &[(usize, &'a [LtsStep])],
        together: usize,
        result: u32,
    ) -> Result<(), LtsHalt> {
        if together == 0 {
            return self.keep(result);
        }
        // As many branches must be left as still have to step.
        for at in 0..(others.len() + 1).saturating_sub(together) {
            let (branch, steps) = others[at];
            let here = self.target[branch];
            for step in steps {
                self.target[branch] = step.to.index() as u32;
                deep(|| self.choose(&others[at + 1..], together - 1, result))?;
            }
            self.target[branch] = here;
        }
        Ok(())
    }

    fn keep(&mut self, label: u32) -> Result<(), LtsHalt> {
        self.meter.tick()?;
        self.found.push((label, self.flat.len()));
        self.flat.extend_from_slice(&self.target);
        Ok(())
    }
}

/// The steps with a label, of steps in the order of labels.
fn with_label(steps: &[LtsStep], label: u32) -> &[LtsStep] {
    let label = label as usize;
    let start = steps.partition_point(|step| step.label.index() < label);
    let count = steps[start..].partition_point(|step| step.label.index() == label);
    &steps[start..start + count]
}
