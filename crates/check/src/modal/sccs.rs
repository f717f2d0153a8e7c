//! Strongly connected components of equations: which of them need one another in a circle.
//!
//! A circle lies within a block, since a block needs itself and earlier ones only. So fixpoints matter in
//! circles only, and what is no circle can be read off its operands, whatever its block.

use wherefore_base::{Budget, IndexVec, Successor, strongly_connected};
use wherefore_logic::SubId;
use wherefore_logic::modal::{ModalOp, ModalSystem};

/// The strongly connected components of the equations of a system.
#[derive(Clone, Debug)]
pub struct EquationSccs {
    /// The component of each equation. Those that a component needs have smaller numbers.
    component: IndexVec<SubId, u32>,
    /// The place of each equation in its component.
    place: IndexVec<SubId, u32>,
    /// The equations, component by component.
    members: Vec<SubId>,
    /// Where each component starts among the members, and where the last one ends.
    starts: Vec<usize>,
    /// Whether the equations of each component need themselves.
    cyclic: Vec<bool>,
}

impl EquationSccs {
    /// The components of a system.
    pub fn new(system: &ModalSystem) -> Self {
        let count = system.equations.len();
        let mut sccs = Self {
            component: vec![0; count].into(),
            place: vec![0; count].into(),
            members: Vec::with_capacity(count),
            starts: vec![0],
            cyclic: Vec::new(),
        };
        let operand = |sub: SubId, at: usize| {
            let operand = operands(&system.equations[sub].op).get(at);
            operand.map_or(Successor::End, |&operand| Successor::Node(operand))
        };
        let complete = |members: &[SubId], _: &mut _| {
            sccs.add(system, members);
            Ok(())
        };
        let starts = system.equations.ids();
        let mut meter = Budget::unlimited().meter();
        strongly_connected(count, starts, operand, complete, &mut meter)
            .expect("there is no limit");
        sccs
    }

    fn add(&mut self, system: &ModalSystem, members: &[SubId]) {
        let mut members = members.to_vec();
        // Sorted, the places in a component do not depend on the way of the search.
        members.sort_unstable();
        for (place, &sub) in members.iter().enumerate() {
            self.component[sub] = self.cyclic.len() as u32;
            self.place[sub] = place as u32;
        }
        let first = members[0];
        let needs_itself = operands(&system.equations[first].op).contains(&first);
        self.cyclic.push(members.len() > 1 || needs_itself);
        self.members.extend(members);
        self.starts.push(self.members.len());
    }

    /// The components, operands first.
    pub fn in_order(&self) -> impl Iterator<Item = &[SubId]> {
        self.starts
            .windows(2)
            .map(|ends| &self.members[ends[0]..ends[1]])
    }

    /// Whether an equation needs itself, perhaps through others.
    pub fn is_cyclic(&self, sub: SubId) -> bool {
        self.cyclic[self.component[sub] as usize]
    }

    /// Whether two equations need one another, or are the same.
    pub fn same(&self, one: SubId, other: SubId) -> bool {
        self.component[one] == self.component[other]
    }

    /// The number of the component of an equation; those that it needs have smaller numbers.
    pub fn number(&self, sub: SubId) -> usize {
        self.component[sub] as usize
    }

    /// The place of an equation among those of its component.
    pub fn place(&self, sub: SubId) -> usize {
        self.place[sub] as usize
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.cyclic.len()
    }

    /// Whether there is no component, since there is no equation.
    pub fn is_empty(&self) -> bool {
        self.cyclic.is_empty()
    }
}

/// The equations that an equation uses.
pub(super) fn operands(op: &ModalOp) -> &[SubId] {
    match op {
        ModalOp::Const(_) => &[],
        ModalOp::All(subs) | ModalOp::Any(subs) => subs,
        ModalOp::Some(_, sub) | ModalOp::Every(_, sub) => std::slice::from_ref(sub),
    }
}
