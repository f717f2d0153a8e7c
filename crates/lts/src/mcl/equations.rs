//! From equations in the order they were made to a system in blocks.
//!
//! The strongly connected components of the equations are what must be solved together. One that has
//! least and greatest fixpoints in it alternates, which the system cannot say. All others are laid on
//! levels, each level one block.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};
use wherefore_base::{Budget, Diagnostic, IndexVec, Span, Successor, strongly_connected};
use wherefore_logic::SubId;
use wherefore_logic::modal::{Equation, Fixpoint, ModalOp, ModalSystem};

/// Equations in the making.
#[derive(Debug, Default)]
pub(super) struct Equations {
    raw: Vec<RawEquation>,
    /// Equations that say the same of the same place are one.
    known: FxHashMap<(ModalOp, Span, u64), SubId>,
}

#[derive(Debug)]
struct RawEquation {
    op: ModalOp,
    /// Whether it is the head of a fixpoint, and where that stands.
    head: Option<(Fixpoint, Span)>,
    text: String,
    span: Span,
}

/// A system, and which of its equations depend on themselves.
pub(super) struct BuiltEquations {
    pub(super) system: ModalSystem,
    pub(super) cyclic: IndexVec<SubId, bool>,
}

impl Equations {
    pub(super) fn len(&self) -> usize {
        self.raw.len()
    }

    /// An equation for `op`.
    pub(super) fn add(&mut self, op: ModalOp, span: Span, text: String) -> SubId {
        // Texts are not kept twice: if two were taken for one, only what is shown would differ.
        let key = (op.clone(), span, FxBuildHasher.hash_one(&text));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let head = None;
        let id = self.push(RawEquation {
            op,
            head,
            text,
            span,
        });
        self.known.insert(key, id);
        id
    }

    /// The head of a fixpoint whose right side is set later; `place` is what to show of it.
    pub(super) fn head(
        &mut self,
        fixpoint: Fixpoint,
        place: Span,
        span: Span,
        text: String,
    ) -> SubId {
        self.push(RawEquation {
            op: ModalOp::All(Vec::new()),
            head: Some((fixpoint, place)),
            text,
            span,
        })
    }

    /// Sets the right side of a head.
    pub(super) fn set(&mut self, head: SubId, op: ModalOp) {
        self.raw[head.index()].op = op;
    }

    /// Whether an equation is a constant, and which.
    pub(super) fn constant(&self, sub: SubId) -> Option<bool> {
        match self.raw[sub.index()].op {
            ModalOp::Const(truth) => Some(truth),
            _ => None,
        }
    }

    fn push(&mut self, raw: RawEquation) -> SubId {
        self.raw.push(raw);
        SubId::new(self.raw.len() - 1)
    }

    /// The system whose formula is `root`.
    ///
    /// # Errors
    /// When fixpoints alternate.
    pub(super) fn build(self, root: SubId) -> Result<BuiltEquations, Diagnostic> {
        let components = EquationComponents::of(&self.raw, root);
        let solved = self.solutions(&components)?;
        let aliases = self.aliases();
        let levels = self.levels(&components, &solved);
        Ok(self.number(
            aliases[root.index()],
            &aliases,
            &components,
            &levels,
            &solved,
        ))
    }

    /// Which solution counts in each component that depends on itself.
    fn solutions(
        &self,
        components: &EquationComponents,
    ) -> Result<Vec<Option<Fixpoint>>, Diagnostic> {
        let mut heads: Vec<[Option<Span>; 2]> = vec![[None; 2]; components.count];
        for (raw, &component) in self.raw.iter().zip(&components.of) {
            if component == UNSEEN || !components.cyclic[component as usize] {
                continue;
            }
            if let Some((fixpoint, place)) = raw.head {
                heads[component as usize][fixpoint as usize].get_or_insert(place);
            }
        }
        let mut solutions = Vec::with_capacity(heads.len());
        for (component, [least, greatest]) in heads.into_iter().enumerate() {
            solutions.push(match (least, greatest) {
                (Some(least), Some(greatest)) => {
                    return Err(Diagnostic::error(
                        least,
                        "This formula is not alternation-free: a least and a greatest fixpoint depend on each other",
                    )
                    .because("the least fixpoint")
                    .see(greatest, "the greatest fixpoint")
                    .help("A repetition is a fixpoint too: least in `<R*> F`, greatest in `[R*] F`."));
                }
                (Some(_), None) => Some(Fixpoint::Least),
                // What depends on itself has a head: nothing else is used before it is made.
                (None, _) => components.cyclic[component].then_some(Fixpoint::Greatest),
            });
        }
        Ok(solutions)
    }

    /// The equation that stands for each: those that only name another are left out. One that names
    /// itself in the end stands for itself.
    fn aliases(&self) -> Vec<SubId> {
        let mut aliases: Vec<SubId> = (0..self.raw.len()).map(SubId::new).collect();
        // Which walk came by first, counted from one.
        let mut seen = vec![0usize; self.raw.len()];
        for start in 0..self.raw.len() {
            let walk = start + 1;
            let mut path = Vec::new();
            let mut at = start;
            while seen[at] == 0 {
                seen[at] = walk;
                match &self.raw[at].op {
                    ModalOp::All(subs) | ModalOp::Any(subs) if subs.len() == 1 => {
                        path.push(at);
                        at = subs[0].index();
                    }
                    _ => break,
                }
            }
            // The walk has closed on itself or has come to an equation that names no other; else an earlier
            // one knows.
            let end = if seen[at] == walk {
                SubId::new(at)
            } else {
                aliases[at]
            };
            for id in path {
                aliases[id] = end;
            }
        }
        aliases
    }

    /// The level of each component: at least that of what it uses, and greatest fixpoints on even ones.
    fn levels(&self, components: &EquationComponents, solved: &[Option<Fixpoint>]) -> Vec<u32> {
        let mut levels = vec![0u32; components.count];
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); components.count];
        for (id, &component) in components.of.iter().enumerate() {
            // Equations that the root does not use have no component.
            if let Some(members) = members.get_mut(component as usize) {
                members.push(id);
            }
        }
        // Components are numbered after those they use.
        for component in 0..components.count {
            let mut level = 0;
            for &member in &members[component] {
                for used in used(&self.raw[member].op) {
                    let other = components.of[used.index()] as usize;
                    if other != component {
                        level = level.max(levels[other]);
                    }
                }
            }
            let wants = match solved[component] {
                Some(Fixpoint::Greatest) => level % 2 == 1,
                Some(Fixpoint::Least) => level % 2 == 0,
                None => false,
            };
            levels[component] = level + u32::from(wants);
        }
        // What has no fixpoint may be on any level: the lowest one that is needed spares a block.
        let lowest = (0..components.count).filter(|&c| solved[c].is_some());
        let lowest = lowest.map(|c| levels[c]).min().unwrap_or(0);
        for level in &mut levels {
            *level = (*level).max(lowest);
        }
        levels
    }

    /// The equations that the root uses, in the order in which they are met.
    fn number(
        self,
        root: SubId,
        aliases: &[SubId],
        components: &EquationComponents,
        levels: &[u32],
        solved: &[Option<Fixpoint>],
    ) -> BuiltEquations {
        let mut numbers: Vec<Option<SubId>> = vec![None; self.raw.len()];
        let mut order = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if numbers[id.index()].is_some() {
                continue;
            }
            numbers[id.index()] = Some(SubId::new(order.len()));
            order.push(id);
            let before = open.len();
            open.extend(used(&self.raw[id.index()].op).map(|sub| aliases[sub.index()]));
            // The first operand is on top of the stack, so that it is numbered first.
            open[before..].reverse();
        }
        let level = |id: &SubId| levels[components.of[id.index()] as usize];
        let lowest = order.iter().map(level).min().unwrap_or(0);
        let highest = order.iter().map(level).max().unwrap_or(0);
        let blocks = (lowest..=highest).map(|level| match level % 2 {
            0 => Fixpoint::Greatest,
            _ => Fixpoint::Least,
        });
        let new =
            |sub: &SubId| numbers[aliases[sub.index()].index()].expect("what is used was numbered");
        let mut equations = IndexVec::new();
        let mut cyclic = IndexVec::new();
        let mut raw: Vec<Option<RawEquation>> = self.raw.into_iter().map(Some).collect();
        for id in &order {
            let RawEquation { op, text, span, .. } =
                raw[id.index()].take().expect("each is numbered once");
            let component = components.of[id.index()] as usize;
            let op = match op {
                ModalOp::Const(truth) => ModalOp::Const(truth),
                // It names itself: what is so in no, or in every finite number of moves.
                ModalOp::All(subs) | ModalOp::Any(subs)
                    if subs.len() == 1 && aliases[subs[0].index()] == *id =>
                {
                    ModalOp::Const(solved[component] == Some(Fixpoint::Greatest))
                }
                ModalOp::All(subs) => ModalOp::All(subs.iter().map(new).collect()),
                ModalOp::Any(subs) => ModalOp::Any(subs.iter().map(new).collect()),
                ModalOp::Some(action, sub) => ModalOp::Some(action, new(&sub)),
                ModalOp::Every(action, sub) => ModalOp::Every(action, new(&sub)),
            };
            equations.push(Equation {
                op,
                block: level(id) - lowest,
                text,
                span: Some(span),
            });
            cyclic.push(components.cyclic[component]);
        }
        let system = ModalSystem {
            equations,
            blocks: blocks.collect(),
            root: SubId::new(0),
        };
        BuiltEquations { system, cyclic }
    }
}

/// The equations on a right side.
fn used(op: &ModalOp) -> impl Iterator<Item = SubId> + '_ {
    let subs: &[SubId] = match op {
        ModalOp::Const(_) => &[],
        ModalOp::All(subs) | ModalOp::Any(subs) => subs,
        ModalOp::Some(_, sub) | ModalOp::Every(_, sub) => std::slice::from_ref(sub),
    };
    subs.iter().copied()
}

const UNSEEN: u32 = u32::MAX;

/// Strongly connected components, those used numbered before those that use them.
struct EquationComponents {
    /// The component of each equation, or [`UNSEEN`] if the root does not use it.
    of: Vec<u32>,
    count: usize,
    /// Whether a component has a cycle.
    cyclic: Vec<bool>,
}

impl EquationComponents {
    fn of(raw: &[RawEquation], root: SubId) -> Self {
        let mut this = Self {
            of: vec![UNSEEN; raw.len()],
            count: 0,
            cyclic: Vec::new(),
        };
        let operand = |sub: SubId, at: usize| match used(&raw[sub.index()].op).nth(at) {
            Some(operand) => Successor::Node(operand),
            None => Successor::End,
        };
        let complete = |members: &[SubId], _: &mut _| {
            for member in members {
                this.of[member.index()] = this.count as u32;
            }
            let root = members[0];
            // A component of one equation is a cycle only if the equation names itself.
            let needs_itself = used(&raw[root.index()].op).any(|sub| sub == root);
            this.cyclic.push(members.len() > 1 || needs_itself);
            this.count += 1;
            Ok(())
        };
        let mut meter = Budget::unlimited().meter();
        strongly_connected(raw.len(), [root], operand, complete, &mut meter)
            .expect("there is no limit");
        this
    }
}
