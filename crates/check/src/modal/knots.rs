//! Knots: which equations need one another in a circle.
//!
//! A circle lies within a block, since a block needs itself and earlier ones only. So fixpoints matter in
//! circles only, and what is no circle can be read off its operands, whatever its block.

use wherefore_base::IndexVec;
use wherefore_logic::SubId;
use wherefore_logic::modal::{ModalOp, System};

/// The strongly connected components of the equations of a system (Tarjan, 1972).
#[derive(Clone, Debug)]
pub struct Knots {
    /// The component of each equation. Those that a component needs have smaller numbers.
    knot: IndexVec<SubId, u32>,
    /// The place of each equation in its component.
    place: IndexVec<SubId, u32>,
    /// The equations, component by component.
    members: Vec<SubId>,
    /// Where each component starts among the members, and where the last one ends.
    starts: Vec<usize>,
    circle: Vec<bool>,
}

impl Knots {
    /// The components of a system.
    pub fn new(system: &System) -> Self {
        let count = system.equations.len();
        let mut search = Search {
            system,
            number: vec![UNSEEN; count],
            low: vec![0; count],
            next: 0,
            stack: Vec::new(),
            knots: Self {
                knot: vec![UNSEEN; count].into(),
                place: vec![0; count].into(),
                members: Vec::with_capacity(count),
                starts: vec![0],
                circle: Vec::new(),
            },
        };
        for sub in system.equations.ids() {
            search.from(sub);
        }
        search.knots
    }

    /// The components, operands first.
    pub fn in_order(&self) -> impl Iterator<Item = &[SubId]> {
        self.starts
            .windows(2)
            .map(|ends| &self.members[ends[0]..ends[1]])
    }

    /// Whether an equation needs itself, perhaps through others.
    pub fn is_circle(&self, sub: SubId) -> bool {
        self.circle[self.knot[sub] as usize]
    }

    /// Whether two equations need one another, or are the same.
    pub fn same(&self, one: SubId, other: SubId) -> bool {
        self.knot[one] == self.knot[other]
    }

    /// The number of the component of an equation; those that it needs have smaller numbers.
    pub fn number(&self, sub: SubId) -> usize {
        self.knot[sub] as usize
    }

    /// The place of an equation among those of its component.
    pub fn place(&self, sub: SubId) -> usize {
        self.place[sub] as usize
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.circle.len()
    }

    /// Whether there is no component, since there is no equation.
    pub fn is_empty(&self) -> bool {
        self.circle.is_empty()
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

const UNSEEN: u32 = u32::MAX;

struct Search<'a> {
    system: &'a System,
    number: Vec<u32>,
    low: Vec<u32>,
    next: u32,
    /// Equations whose component is not complete yet.
    stack: Vec<SubId>,
    knots: Knots,
}

impl Search<'_> {
    fn from(&mut self, start: SubId) {
        if self.number[start.index()] != UNSEEN {
            return;
        }
        // Equations on the way, each with the number of operands that were looked at.
        let mut way: Vec<(SubId, usize)> = Vec::new();
        self.enter(start, &mut way);
        while let Some((sub, at)) = way.last_mut() {
            let sub = *sub;
            let operand = operands(&self.system.equations[sub].op).get(*at).copied();
            *at += 1;
            match operand {
                Some(operand) if self.number[operand.index()] == UNSEEN => {
                    self.enter(operand, &mut way);
                }
                Some(operand) if self.knots.knot[operand] == UNSEEN => {
                    let low = self.number[operand.index()].min(self.low[sub.index()]);
                    self.low[sub.index()] = low;
                }
                Some(_) => {}
                None => {
                    way.pop();
                    if let Some((before, _)) = way.last() {
                        let low = self.low[sub.index()].min(self.low[before.index()]);
                        self.low[before.index()] = low;
                    }
                    if self.low[sub.index()] == self.number[sub.index()] {
                        self.complete(sub);
                    }
                }
            }
        }
    }

    fn enter(&mut self, sub: SubId, way: &mut Vec<(SubId, usize)>) {
        self.number[sub.index()] = self.next;
        self.low[sub.index()] = self.next;
        self.next += 1;
        self.stack.push(sub);
        way.push((sub, 0));
    }

    /// Everything on the stack from this equation on is a component.
    fn complete(&mut self, root: SubId) {
        let start = self.knots.members.len();
        let knot = self.knots.circle.len() as u32;
        loop {
            let sub = self.stack.pop().expect("the root is on the stack");
            self.knots.knot[sub] = knot;
            self.knots.members.push(sub);
            if sub == root {
                break;
            }
        }
        let members = &mut self.knots.members[start..];
        members.sort_unstable();
        for (place, &sub) in members.iter().enumerate() {
            self.knots.place[sub] = place as u32;
        }
        let alone = members.len() == 1;
        let needs_itself = operands(&self.system.equations[root].op).contains(&root);
        self.knots.circle.push(!alone || needs_itself);
        self.knots.starts.push(self.knots.members.len());
    }
}
