//! Modalities with regular formulas, from their ends to their beginnings.

use wherefore_base::{Span, deep};
use wherefore_logic::SubId;
use wherefore_logic::modal::{Fixpoint, ModalOp};

use super::super::ast::{MclKind, MclNodeId};
use super::super::token::one_line;
use super::{FrameId, Held, MclLower, MclLowering, SHOWN};

/// A modality that is being lowered.
#[derive(Clone, Copy)]
pub(super) struct ModalityReading {
    /// The modality.
    id: MclNodeId,
    frame: FrameId,
    positive: bool,
    /// Whether every sequence counts, or some.
    every: bool,
    /// Where what is left to read begins.
    rest: u32,
    /// Whether variables over data are used in what is left to read, or after it.
    open: bool,
}

/// What follows a regular formula.
#[derive(Clone, Copy)]
enum Continuation {
    Sub(SubId),
    Formula(MclNodeId),
}

impl MclLowering<'_> {
    /// `[R] F` or `<R> F`.
    pub(super) fn modality(
        &mut self,
        regular: MclNodeId,
        body: Option<MclNodeId>,
        id: MclNodeId,
        frame: FrameId,
        positive: bool,
        every: bool,
    ) -> MclLower<SubId> {
        let then = match body {
            Some(body) => Continuation::Formula(body),
            None => Continuation::Sub(self.constant(positive, self.tree.nodes[id].span)),
        };
        let reading = ModalityReading {
            id,
            frame,
            positive,
            every,
            rest: self.tree.nodes[id].span.start,
            open: body.is_some_and(|body| !self.tree.nodes[body].closed),
        };
        self.parts(regular, frame, then, reading, true)
    }

    /// `<R> @`: sequences of R follow each other for ever. `[R] -|`: they do not.
    pub(super) fn looping(
        &mut self,
        regular: MclNodeId,
        id: MclNodeId,
        frame: FrameId,
        positive: bool,
        exists: bool,
    ) -> MclLower<SubId> {
        // What goes on for ever in rounds of one or more of R goes on so in rounds of R.
        let mut regular = regular;
        while let MclKind::Repeat(inner, 1, None) = self.tree.nodes[regular].kind {
            regular = inner;
        }
        let holds = positive == exists;
        let fixpoint = if holds {
            Fixpoint::Greatest
        } else {
            Fixpoint::Least
        };
        let span = self.tree.nodes[id].span;
        let text = self.text(id, frame, positive);
        let head = self.equations.head(fixpoint, span, span, text);
        let reading = ModalityReading {
            id,
            frame,
            positive,
            every: !holds,
            rest: span.start,
            open: false,
        };
        let body = self.parts(regular, frame, Continuation::Sub(head), reading, false)?;
        self.equations.set(head, ModalOp::All(vec![body]));
        Ok(head)
    }

    /// The equation of a regular formula with what follows it.
    fn regular(
        &mut self,
        id: MclNodeId,
        frame: FrameId,
        then: SubId,
        reading: ModalityReading,
    ) -> MclLower<SubId> {
        self.spend()?;
        deep(|| self.new_regular(id, frame, then, reading))
    }

    fn new_regular(
        &mut self,
        id: MclNodeId,
        frame: FrameId,
        then: SubId,
        reading: ModalityReading,
    ) -> MclLower<SubId> {
        let tree = self.tree;
        let node = &tree.nodes[id];
        match &node.kind {
            MclKind::Nil => Ok(then),
            MclKind::Then(_) => self.parts(id, frame, Continuation::Sub(then), reading, false),
            MclKind::Either(ways) => {
                let mut subs = Vec::with_capacity(ways.len());
                for &way in ways {
                    subs.push(self.parts(way, frame, Continuation::Sub(then), reading, false)?);
                }
                Ok(self.choice(subs, reading, node.span))
            }
            MclKind::Repeat(_, low, None) => self.unbounded(id, *low, frame, then, reading),
            MclKind::Repeat(body, low, Some(high)) => {
                let mut sub = then;
                // From the last round that may be left out to the first: each is followed by the rest or by
                // the end.
                for _ in *low..*high {
                    let round = self.parts(*body, frame, Continuation::Sub(sub), reading, false)?;
                    sub = self.choice(vec![round, then], reading, node.span);
                }
                self.times(*body, *low, frame, sub, reading)
            }
            MclKind::Parameter(slot) => match self.frames[frame].slots[slot.index()] {
                Held::Argument(argument, home) => {
                    self.parts(argument, home, Continuation::Sub(then), reading, false)
                }
                _ => Err(self.not_a(id, "a sequence of actions")),
            },
            MclKind::Call(called, arguments) => {
                let inner = self.expand(*called, arguments, frame)?;
                let body = tree.macros[*called].body;
                self.parts(body, inner, Continuation::Sub(then), reading, false)
            }
            MclKind::Box(..)
            | MclKind::Diamond(..)
            | MclKind::Loop(_)
            | MclKind::NoLoop(_)
            | MclKind::Fixpoint(..)
            | MclKind::Variable(_)
            | MclKind::Quantified(..)
            | MclKind::Data(_) => Err(self.not_a(id, "a sequence of actions")),
            _ => {
                let action = self.action(id, frame)?;
                Ok(self.step(action, then, reading, node.span))
            }
        }
    }

    /// A regular formula as a sequence of parts: what a part binds, the parts after it and the formula
    /// at the end may use. `whole` if it is all that stands in the modality.
    fn parts(
        &mut self,
        id: MclNodeId,
        frame: FrameId,
        then: Continuation,
        reading: ModalityReading,
        whole: bool,
    ) -> MclLower<SubId> {
        let tree = self.tree;
        let mut parts = Vec::new();
        let own = match &tree.nodes[id].kind {
            MclKind::Then(own) if whole => own.as_slice(),
            _ => std::slice::from_ref(&id),
        };
        for &part in own {
            // The first part is shown with the bracket before it.
            let start = if part == own[0] {
                reading.rest
            } else {
                tree.nodes[part].outer.start
            };
            let mut open = vec![part];
            while let Some(part) = open.pop() {
                self.spend()?;
                match &tree.nodes[part].kind {
                    MclKind::Then(inner) => open.extend(inner.iter().rev()),
                    _ => parts.push((part, if whole { start } else { reading.rest })),
                }
            }
        }
        self.sequence(&parts, frame, then, reading)
    }

    fn sequence(
        &mut self,
        parts: &[(MclNodeId, u32)],
        frame: FrameId,
        then: Continuation,
        reading: ModalityReading,
    ) -> MclLower<SubId> {
        // What comes before the first part that binds is lowered once; the rest, once for each value.
        let binds = parts.iter().position(|(part, _)| self.binds(*part));
        let (before, mut sub) = match binds {
            None => {
                let sub = match then {
                    Continuation::Sub(sub) => sub,
                    Continuation::Formula(body) => {
                        self.state(body, reading.frame, reading.positive)?
                    }
                };
                (parts, sub)
            }
            Some(at) => {
                let (part, rest) = parts[at];
                let reading = ModalityReading { rest, ..reading };
                let after = &parts[at + 1..];
                let sub = deep(|| self.bound(part, after, frame, then, reading))?;
                (&parts[..at], sub)
            }
        };
        let mut open = reading.open || binds.is_some();
        // What follows a part must be an equation by then, so the parts are taken from the end.
        for &(part, rest) in before.iter().rev() {
            open |= !self.tree.nodes[part].closed;
            let reading = ModalityReading {
                rest,
                open,
                ..reading
            };
            sub = self.regular(part, frame, sub, reading)?;
        }
        Ok(sub)
    }

    /// A pattern whose variables are used later, and all that follows: once for each of their values.
    fn bound(
        &mut self,
        part: MclNodeId,
        after: &[(MclNodeId, u32)],
        frame: FrameId,
        then: Continuation,
        reading: ModalityReading,
    ) -> MclLower<SubId> {
        let tree = self.tree;
        let MclKind::Pattern(pattern) = &tree.nodes[part].kind else {
            return Err(self.not_a(part, "an action pattern"));
        };
        let used = || pattern.binders.iter().filter(|binder| tree.used[binder.id]);
        let mut subs = Vec::new();
        for (values, action) in self.matches(part, frame)? {
            let scene = self.scene;
            self.scenes += 1;
            self.scene = self.scenes;
            for (binder, value) in used().zip(values) {
                self.values.push((&binder.name, value.clone()));
                self.frames[frame].slots[binder.slot.index()] = Held::Value(value);
            }
            let next = self.sequence(after, frame, then, reading);
            let open = ModalityReading {
                open: true,
                ..reading
            };
            let step = next.map(|next| self.step(action, next, open, tree.nodes[part].span));
            let shown = self.values.len() - used().count();
            self.values.truncate(shown);
            self.scene = scene;
            subs.push(step?);
        }
        Ok(self.choice(subs, reading, tree.nodes[part].span))
    }

    /// Whether a part of a sequence binds a variable that is used after it.
    fn binds(&self, part: MclNodeId) -> bool {
        match &self.tree.nodes[part].kind {
            MclKind::Pattern(pattern) => {
                let mut binders = pattern.binders.iter();
                binders.any(|binder| self.tree.used[binder.id])
            }
            _ => false,
        }
    }

    /// `R*`, or so many R at least.
    fn unbounded(
        &mut self,
        id: MclNodeId,
        low: u32,
        frame: FrameId,
        then: SubId,
        reading: ModalityReading,
    ) -> MclLower<SubId> {
        let tree = self.tree;
        let node = &tree.nodes[id];
        let MclKind::Repeat(body, ..) = node.kind else {
            return Err(self.not_a(id, "a repetition"));
        };
        let scene = if node.closed { 0 } else { self.scene };
        let key = (id, frame, then, reading.id, reading.positive, scene);
        let (head, round) = match self.rounds.get(&key) {
            Some(&known) => known,
            None => {
                let fixpoint = if reading.every {
                    Fixpoint::Greatest
                } else {
                    Fixpoint::Least
                };
                let text = self.rest(reading);
                // The round leads back to the head, so the head is made first.
                let head = self.equations.head(fixpoint, node.span, node.span, text);
                let round = self.parts(body, frame, Continuation::Sub(head), reading, false)?;
                let both = vec![round, then];
                self.equations.set(head, joined(both, reading.every));
                self.rounds.insert(key, (head, round));
                (head, round)
            }
        };
        match low {
            0 => Ok(head),
            // The round that leads to the head is one of them.
            _ => self.times(body, low - 1, frame, round, reading),
        }
    }

    fn times(
        &mut self,
        body: MclNodeId,
        times: u32,
        frame: FrameId,
        then: SubId,
        reading: ModalityReading,
    ) -> MclLower<SubId> {
        let mut sub = then;
        for _ in 0..times {
            sub = self.parts(body, frame, Continuation::Sub(sub), reading, false)?;
        }
        Ok(sub)
    }

    fn step(
        &mut self,
        action: wherefore_logic::ActionId,
        then: SubId,
        reading: ModalityReading,
        span: Span,
    ) -> SubId {
        let op = if reading.every {
            ModalOp::Every(action, then)
        } else {
            ModalOp::Some(action, then)
        };
        let text = self.rest(reading);
        self.equations.add(op, span, text)
    }

    fn choice(&mut self, mut subs: Vec<SubId>, reading: ModalityReading, span: Span) -> SubId {
        if subs.len() == 1 {
            return subs.remove(0);
        }
        let text = self.rest(reading);
        self.equations.add(joined(subs, reading.every), span, text)
    }

    /// The modality with what is left to read, for people.
    fn rest(&self, reading: ModalityReading) -> String {
        let node = &self.tree.nodes[reading.id];
        let whole = reading.rest == node.span.start;
        let span = Span {
            start: reading.rest,
            ..node.span
        };
        let bracket = match node.kind {
            _ if whole => "",
            MclKind::Box(..) => "[",
            _ => "<",
        };
        let not = if reading.positive { "" } else { "not " };
        let text = one_line(self.tree.text(span), SHOWN);
        let with = self.with_what(reading.frame, !reading.open);
        format!("{not}{bracket}{text}{with}")
    }
}

fn joined(subs: Vec<SubId>, every: bool) -> ModalOp {
    if every {
        ModalOp::All(subs)
    } else {
        ModalOp::Any(subs)
    }
}
