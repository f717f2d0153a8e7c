//! Syntax tree to question: what a property says of one system.
//!
//! Negation is pushed down on the way: every formula is lowered as it is or negated. A modality becomes
//! equations from the end of its regular formula to the beginning: what is left to read after an action
//! is an equation, and a repetition is a fixpoint, greatest in `[R*] F` and least in `<R*> F`. That is
//! linear in the formula (Mateescu and Sighireanu, 2003).
//!
//! Macros are expanded here, by name: an argument is lowered where its parameter stands, with the
//! variables of the place it was written at. Variables over data are expanded over the values that
//! occur in labels.

mod action;
mod regular;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, IndexVec, Span, deep, define_id};
use wherefore_logic::SubId;
use wherefore_logic::modal::{Fixpoint, ModalOp};
use wherefore_model::lts::{Lts, ModalQuestion};

use self::action::LabelSets;
use super::ast::{DataTermId, DataTermKind, MclKind, MclNodeId, MclSlot, MclTree};
use super::data::{DataValue, apply};
use super::equations::Equations;
use super::form::form;
use super::token::one_line;

/// A formula that needs more equations, or more steps to find them, is given up.
const MOST_EQUATIONS: usize = 1_000_000;
const MOST_STEPS: usize = 4_000_000;
/// How many steps the expansion of a macro counts for.
const EXPANSION: usize = 8;

/// How much of a formula an equation shows.
const SHOWN: usize = 160;
/// How much of an argument of a macro is shown.
const SHOWN_ARGUMENT: usize = 40;

/// Lowers the property with this number.
pub(super) fn lower(
    tree: &MclTree,
    property: usize,
    lts: &Lts,
) -> Result<(ModalQuestion, Vec<Diagnostic>), Vec<Diagnostic>> {
    let declared = &tree.properties[property];
    let mut lowerer = MclLowering {
        tree,
        actions: LabelSets::new(lts),
        equations: Equations::default(),
        frames: IndexVec::new(),
        scene: 0,
        scenes: 0,
        values: Vec::new(),
        known: FxHashMap::default(),
        rounds: FxHashMap::default(),
        work: 0,
        place: tree.nodes[declared.root].outer,
    };
    let lowered = lowerer.whole(declared.root, declared.slots);
    lowered.map_err(|wrong| vec![*wrong])
}

define_id!(
    /// An expansion of a macro, or the property itself.
    struct FrameId
);

/// The parameters and variables of an expansion.
struct Frame {
    slots: Vec<Held>,
    /// What its parameters stand for, for people: ` with A = "SEND"`.
    with: String,
}

/// What a slot holds.
#[derive(Clone)]
enum Held {
    Nothing,
    /// A fixpoint, and whether it stands there negated.
    Variable(SubId, bool),
    /// An argument, and the expansion it was written in.
    Argument(MclNodeId, FrameId),
    Value(DataValue),
}

type MclLower<T> = Result<T, Box<Diagnostic>>;

/// What has been lowered: a formula in an expansion, as it is or negated, in a scene.
type LoweredKey = (MclNodeId, FrameId, bool, u32);

/// A repetition in an expansion with what follows it, in a modality as it is or negated, in a scene.
type RepetitionKey = (MclNodeId, FrameId, SubId, MclNodeId, bool, u32);

struct MclLowering<'a> {
    tree: &'a MclTree,
    actions: LabelSets<'a>,
    equations: Equations,
    frames: IndexVec<FrameId, Frame>,
    /// Which variables hold what at present, as a number: a new one whenever one gets a value.
    scene: u32,
    scenes: u32,
    /// The variables over data with their present values, for people.
    values: Vec<(&'a str, DataValue)>,
    known: FxHashMap<LoweredKey, SubId>,
    /// The repetitions that have been lowered, and their rounds.
    rounds: FxHashMap<RepetitionKey, (SubId, SubId)>,
    work: usize,
    /// The property.
    place: Span,
}

impl<'a> MclLowering<'a> {
    fn whole(
        &mut self,
        root: MclNodeId,
        slots: usize,
    ) -> MclLower<(ModalQuestion, Vec<Diagnostic>)> {
        let frame = self.frames.push(Frame {
            slots: vec![Held::Nothing; slots],
            with: String::new(),
        });
        let root = self.state(root, frame, true)?;
        let equations = std::mem::take(&mut self.equations);
        let built = equations.build(root).map_err(Box::new)?;
        let warnings = self.warnings();
        let mut actions = self.actions.sets();
        let form = form(&built, &mut actions, self.actions.lts);
        let question = ModalQuestion {
            system: built.system,
            actions,
            form,
        };
        Ok((question, warnings))
    }

    /// The equation of a state formula, or of its negation.
    fn state(&mut self, id: MclNodeId, frame: FrameId, positive: bool) -> MclLower<SubId> {
        self.spend()?;
        // A closed formula reads no variable from outside, so it means the same in every scene.
        let scene = if self.tree.nodes[id].closed {
            0
        } else {
            self.scene
        };
        let key = (id, frame, positive, scene);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let sub = deep(|| self.new_state(id, frame, positive))?;
        self.known.insert(key, sub);
        Ok(sub)
    }

    fn new_state(&mut self, id: MclNodeId, frame: FrameId, positive: bool) -> MclLower<SubId> {
        let tree = self.tree;
        let node = &tree.nodes[id];
        match &node.kind {
            MclKind::True => Ok(self.constant(positive, node.span)),
            MclKind::False => Ok(self.constant(!positive, node.span)),
            MclKind::Not(inner) => self.state(*inner, frame, !positive),
            MclKind::And(parts) => self.joined(parts, positive, id, frame, positive),
            MclKind::Or(parts) => self.joined(parts, !positive, id, frame, positive),
            MclKind::Implies(one, other) => {
                let parts = vec![
                    self.state(*one, frame, !positive)?,
                    self.state(*other, frame, positive)?,
                ];
                Ok(self.join(parts, !positive, id, frame, positive))
            }
            MclKind::Equ(one, other) => {
                // `f equ g` is that both hold or both fail; negated, that one holds and the other fails.
                let mut sides = Vec::new();
                for truth in [true, false] {
                    let parts = vec![
                        self.state(*one, frame, truth)?,
                        self.state(*other, frame, truth == positive)?,
                    ];
                    sides.push(self.join(parts, true, id, frame, positive));
                }
                Ok(self.join(sides, false, id, frame, positive))
            }
            MclKind::Box(regular, body) => {
                self.modality(*regular, Some(*body), id, frame, positive, positive)
            }
            MclKind::Diamond(regular, body) => {
                self.modality(*regular, Some(*body), id, frame, positive, !positive)
            }
            MclKind::Loop(regular) => self.looping(*regular, id, frame, positive, true),
            MclKind::NoLoop(regular) => self.looping(*regular, id, frame, positive, false),
            MclKind::Fixpoint(fixpoint, slot, body, place) => {
                let fixpoint = if positive { *fixpoint } else { dual(*fixpoint) };
                let text = self.text(id, frame, positive);
                let head = self.equations.head(fixpoint, *place, node.span, text);
                let body = self.with(frame, *slot, Held::Variable(head, positive), |this| {
                    this.state(*body, frame, positive)
                })?;
                self.equations.set(head, ModalOp::All(vec![body]));
                Ok(head)
            }
            MclKind::Variable(slot) => match self.frames[frame].slots[slot.index()] {
                Held::Variable(sub, held) if held == positive => Ok(sub),
                _ => {
                    let name = tree.text(node.span);
                    let message =
                        format!("`{name}` stands under an odd number of negations in its fixpoint");
                    let wrong = Diagnostic::error(node.span, message);
                    Err(Box::new(wrong.help("A fixpoint is only defined if its variable stands under an even number of `not`, left sides of `implies` and sides of `equ`.")))
                }
            },
            MclKind::Parameter(slot) => match self.frames[frame].slots[slot.index()] {
                Held::Argument(argument, home) => self.state(argument, home, positive),
                _ => Err(self.not_a(id, "a state formula")),
            },
            MclKind::Call(called, arguments) => {
                let inner = self.expand(*called, arguments, frame)?;
                self.state(tree.macros[*called].body, inner, positive)
            }
            MclKind::Quantified(exists, slot, name, low, high, body) => {
                let (low, high) = (self.number(*low, frame)?, self.number(*high, frame)?);
                let mut parts = Vec::new();
                for number in low..=high {
                    self.spend()?;
                    self.values.push((name, DataValue::Int(number)));
                    let part =
                        self.with(frame, *slot, Held::Value(DataValue::Int(number)), |this| {
                            this.state(*body, frame, positive)
                        });
                    self.values.pop();
                    parts.push(part?);
                }
                Ok(self.join(parts, *exists != positive, id, frame, positive))
            }
            _ => Err(self.not_a(id, "a state formula")),
        }
    }

    fn constant(&mut self, truth: bool, span: Span) -> SubId {
        self.equations
            .add(ModalOp::Const(truth), span, truth.to_string())
    }

    /// `and` or `or` of parts that may be negated.
    fn joined(
        &mut self,
        parts: &[MclNodeId],
        all: bool,
        id: MclNodeId,
        frame: FrameId,
        positive: bool,
    ) -> MclLower<SubId> {
        let mut subs = Vec::with_capacity(parts.len());
        for &part in parts {
            subs.push(self.state(part, frame, positive)?);
        }
        Ok(self.join(subs, all, id, frame, positive))
    }

    fn join(
        &mut self,
        mut subs: Vec<SubId>,
        all: bool,
        id: MclNodeId,
        frame: FrameId,
        positive: bool,
    ) -> SubId {
        // What is true adds nothing to a conjunction, and what is false nothing to a disjunction.
        subs.retain(|&sub| self.equations.constant(sub) != Some(all));
        let op = if all {
            ModalOp::All(subs)
        } else {
            ModalOp::Any(subs)
        };
        let text = self.text(id, frame, positive);
        self.equations.add(op, self.tree.nodes[id].span, text)
    }

    /// Does something while a slot holds something.
    fn with<T>(
        &mut self,
        frame: FrameId,
        slot: MclSlot,
        held: Held,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let held = std::mem::replace(&mut self.frames[frame].slots[slot.index()], held);
        // A number of a scene is never used again, since what was lowered is remembered by it.
        self.scenes += 1;
        let scene = std::mem::replace(&mut self.scene, self.scenes);
        let result = work(self);
        self.scene = scene;
        self.frames[frame].slots[slot.index()] = held;
        result
    }

    /// A new expansion of a macro.
    fn expand(
        &mut self,
        called: super::ast::MacroId,
        arguments: &[MclNodeId],
        home: FrameId,
    ) -> MclLower<FrameId> {
        self.spend()?;
        let tree = self.tree;
        let definition = &tree.macros[called];
        let mut slots = vec![Held::Nothing; definition.slots];
        let mut with = String::new();
        for ((slot, &argument), name) in slots.iter_mut().zip(arguments).zip(&definition.parameters)
        {
            // A parameter that is handed on is what it stands for, however often it is.
            *slot = match &tree.nodes[argument].kind {
                MclKind::Parameter(outer) => self.frames[home].slots[outer.index()].clone(),
                // The value is taken now: where the argument is used, the variable may hold another one.
                MclKind::Data(term) if !tree.nodes[argument].closed => {
                    Held::Value(self.value(*term, home)?)
                }
                _ => Held::Argument(argument, home),
            };
            let shown = match slot {
                Held::Argument(argument, _) => {
                    one_line(tree.text(tree.nodes[*argument].span), SHOWN_ARGUMENT)
                }
                Held::Value(value) => value.to_string(),
                _ => continue,
            };
            with.push_str(if with.is_empty() { " with " } else { ", " });
            with.push_str(name);
            with.push_str(" = ");
            with.push_str(&shown);
        }
        self.work += EXPANSION + definition.slots;
        Ok(self.frames.push(Frame { slots, with }))
    }

    /// The value of an expression.
    fn value(&mut self, id: DataTermId, frame: FrameId) -> MclLower<DataValue> {
        self.spend()?;
        deep(|| self.new_value(id, frame))
    }

    fn new_value(&mut self, id: DataTermId, frame: FrameId) -> MclLower<DataValue> {
        let term = &self.tree.terms[id];
        let wrong = |message: String| Box::new(Diagnostic::error(term.span, message));
        match &term.kind {
            DataTermKind::Int(number) => Ok(DataValue::Int(*number)),
            DataTermKind::Bool(truth) => Ok(DataValue::Bool(*truth)),
            DataTermKind::Word(text) => Ok(DataValue::Text(text.clone())),
            DataTermKind::Variable(slot) | DataTermKind::Parameter(slot) => {
                let held = self.frames[frame].slots[slot.index()].clone();
                match held {
                    Held::Value(value) => Ok(value),
                    Held::Argument(argument, home) => match &self.tree.nodes[argument].kind {
                        MclKind::Data(term) => self.value(*term, home),
                        MclKind::Label(text) => Ok(DataValue::Text(text.clone())),
                        MclKind::True => Ok(DataValue::Bool(true)),
                        MclKind::False => Ok(DataValue::Bool(false)),
                        _ => Err(self.not_a(argument, "a value")),
                    },
                    _ => Err(wrong("This variable has no value here".to_owned())),
                }
            }
            DataTermKind::Not(inner) => match self.value(*inner, frame)? {
                DataValue::Bool(truth) => Ok(DataValue::Bool(!truth)),
                other => Err(wrong(format!(
                    "`{other}` is negated, but it is no truth value"
                ))),
            },
            DataTermKind::Minus(inner) => {
                let value = self.value(*inner, frame)?;
                apply(
                    super::ast::DataOperator::Subtract,
                    &DataValue::Int(0),
                    &value,
                )
                .map_err(wrong)
            }
            DataTermKind::Binary(operator, one, other) => {
                let one = self.value(*one, frame)?;
                let other = self.value(*other, frame)?;
                apply(*operator, &one, &other).map_err(wrong)
            }
        }
    }

    fn number(&mut self, id: DataTermId, frame: FrameId) -> MclLower<i64> {
        match self.value(id, frame)? {
            DataValue::Int(number) => Ok(number),
            other => {
                let message = format!("`{other}` is no number, which the bound of a range must be");
                Err(Box::new(Diagnostic::error(
                    self.tree.terms[id].span,
                    message,
                )))
            }
        }
    }

    /// What an equation says, for people: a formula as it is written, perhaps negated.
    fn text(&self, id: MclNodeId, frame: FrameId, positive: bool) -> String {
        let node = &self.tree.nodes[id];
        let text = one_line(self.tree.text(node.span), SHOWN);
        let joined = matches!(
            node.kind,
            MclKind::And(_) | MclKind::Or(_) | MclKind::Implies(..) | MclKind::Equ(..)
        );
        let with = self.with_what(frame, node.closed);
        match (positive, joined) {
            (true, _) => format!("{text}{with}"),
            (false, true) => format!("not ({text}){with}"),
            (false, false) => format!("not {text}{with}"),
        }
    }

    /// What parameters and variables over data stand for.
    fn with_what(&self, frame: FrameId, closed: bool) -> String {
        let mut with = self.frames[frame].with.clone();
        if !closed {
            for (name, value) in &self.values {
                with.push_str(if with.is_empty() { " with " } else { ", " });
                with.push_str(&format!("{name} = {value}"));
            }
        }
        with
    }

    /// Counts a step of the work.
    fn spend(&mut self) -> MclLower<()> {
        self.work += 1;
        if self.equations.len() > MOST_EQUATIONS || self.work > MOST_STEPS {
            let message = format!(
                "This formula is too large: written out it needs more than {MOST_EQUATIONS} equations or {MOST_STEPS} steps"
            );
            let wrong = Diagnostic::error(self.place, message);
            return Err(Box::new(wrong.help("Macros, bounded repetitions, variables over data and `equ` are written out; use fewer of them inside each other.")));
        }
        Ok(())
    }

    /// Says that a formula is of the wrong kind.
    fn not_a(&self, id: MclNodeId, expected: &str) -> Box<Diagnostic> {
        let node = &self.tree.nodes[id];
        let (found, advice) = match &node.kind {
            MclKind::Label(_)
            | MclKind::Regex(_)
            | MclKind::Pattern(_)
            | MclKind::Tau
            | MclKind::Visible => (
                "an action",
                "Write `<A> true` for \"A is possible\", or `[A] false` for \"A is impossible\".",
            ),
            MclKind::Nil | MclKind::Then(_) | MclKind::Either(_) | MclKind::Repeat(..) => (
                "a sequence of actions",
                "Write `<R> true` for \"R is possible\", or `[R] false` for \"R is impossible\".",
            ),
            MclKind::Data(_) => (
                "a value",
                "Conditions on values are written in action patterns: `{ SEND ?x:nat where x < 3 }`.",
            ),
            _ => (
                "a state formula",
                "Modalities and fixpoints cannot stand inside actions; they follow a modality, as in `[R] F`.",
            ),
        };
        let message = format!("This is {found}, but {expected} is expected here");
        let wrong = Diagnostic::error(node.span, message);
        let advice = match (expected, found) {
            ("a value", _) => return Box::new(wrong),
            ("an action", "a sequence of actions") => {
                "`not`, `and`, `or`, `implies` and `equ` join single actions; sequences are joined with `.` and `|`."
            }
            _ => advice,
        };
        Box::new(wrong.help(advice))
    }
}

fn dual(fixpoint: Fixpoint) -> Fixpoint {
    match fixpoint {
        Fixpoint::Least => Fixpoint::Greatest,
        Fixpoint::Greatest => Fixpoint::Least,
    }
}
