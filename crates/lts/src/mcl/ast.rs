//! The syntax tree: formulas of all three kinds in one arena.
//!
//! Action, regular and state formulas share their words and much of their grammar, and a macro does not
//! say which kind its parameters are. So there is one kind of node, and what a formula is used as
//! decides what it must be. Names are resolved: each macro, and each property, has numbered slots for
//! its parameters and variables.

use std::sync::Arc;

use wherefore_base::{FileId, IndexVec, Span, define_id};
use wherefore_logic::modal::Fixpoint;

define_id!(
    /// A formula of a [`Tree`].
    pub(super) struct NodeId
);
define_id!(
    /// An expression over data.
    pub(super) struct TermId
);
define_id!(
    /// A macro.
    pub(super) struct MacroId
);
define_id!(
    /// A place for a parameter or a variable, in a macro or a property.
    pub(super) struct Slot
);
define_id!(
    /// A variable over data that an action pattern binds, in the whole tree.
    pub(super) struct BinderId
);

/// All that was read.
#[derive(Clone, Default, Debug)]
pub(super) struct Tree {
    pub(super) nodes: IndexVec<NodeId, Node>,
    pub(super) terms: IndexVec<TermId, Term>,
    pub(super) macros: IndexVec<MacroId, Macro>,
    pub(super) properties: Vec<Declared>,
    /// Whether a variable over data is used outside of the pattern that binds it.
    pub(super) used: IndexVec<BinderId, bool>,
    /// The texts of the files, for what equations say.
    pub(super) texts: Vec<(FileId, Arc<str>)>,
}

impl Tree {
    /// The text of a place.
    pub(super) fn text(&self, span: Span) -> &str {
        let file = self.texts.iter().find(|(file, _)| *file == span.file);
        let range = span.start as usize..span.end as usize;
        file.and_then(|(_, text)| text.get(range)).unwrap_or("")
    }
}

/// A property of a file.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: Option<String>,
    pub(super) root: NodeId,
    pub(super) slots: usize,
}

/// `macro NAME (parameters) = body end_macro`; the parameters have the first slots.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) parameters: Vec<String>,
    pub(super) body: NodeId,
    pub(super) slots: usize,
    pub(super) span: Span,
}

/// A formula.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Where it stands.
    pub(super) span: Span,
    /// Where it stands with the parentheses around it.
    pub(super) outer: Span,
    /// Whether it means the same wherever it stands in its macro or property: all its variables are its
    /// own.
    pub(super) closed: bool,
    /// The outermost variable it uses, as its depth.
    pub(super) reaches: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    True,
    False,
    /// The empty sequence.
    Nil,
    /// The internal action.
    Tau,
    /// Every other action.
    Visible,
    /// `"SEND !1"`
    Label(String),
    /// `'SEND .*'`, with what stands between the quotes.
    Regex(String),
    Pattern(Box<Pattern>),
    Not(NodeId),
    And(Vec<NodeId>),
    Or(Vec<NodeId>),
    Implies(NodeId, NodeId),
    Equ(NodeId, NodeId),
    /// `R . S`
    Then(Vec<NodeId>),
    /// `R | S`
    Either(Vec<NodeId>),
    /// At least, and at most so many times.
    Repeat(NodeId, u32, Option<u32>),
    /// `[R] F`
    Box(NodeId, NodeId),
    /// `<R> F`
    Diamond(NodeId, NodeId),
    /// `<R> @`
    Loop(NodeId),
    /// `[R] -|`
    NoLoop(NodeId),
    /// With where its first words stand.
    Fixpoint(Fixpoint, Slot, NodeId, Span),
    /// A variable of a fixpoint.
    Variable(Slot),
    /// A parameter of the macro.
    Parameter(Slot),
    /// `exists` (true) or `forall` over the numbers of a range.
    Quantified(bool, Slot, String, TermId, TermId, NodeId),
    Call(MacroId, Vec<NodeId>),
    /// A value, as an argument of a macro.
    Data(TermId),
}

/// `{ GATE offers where condition }`
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pattern {
    /// The gate; `None`: any.
    pub(super) gate: Option<String>,
    pub(super) offers: Vec<Offer>,
    /// Whether there may be further offers: `...`
    pub(super) more: bool,
    pub(super) condition: Option<TermId>,
    pub(super) binders: Vec<Binder>,
}

/// A variable that a pattern binds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Binder {
    pub(super) name: String,
    pub(super) slot: Slot,
    pub(super) id: BinderId,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Offer {
    /// `?any`, `?any of T`
    Any(Type),
    /// `?x:T`
    Bind(Type, Slot),
    /// `!e`
    Equal(TermId),
}

/// What values an offer takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Nat,
    Int,
    Bool,
    /// Any value at all, as a text.
    Text,
    /// Any value at all.
    Any,
}

/// An expression over data.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    pub(super) span: Span,
    pub(super) reaches: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum TermKind {
    Int(i64),
    Bool(bool),
    /// A text, or a name that is no variable.
    Word(String),
    Variable(Slot),
    Parameter(Slot),
    Not(TermId),
    Minus(TermId),
    Binary(Operator, TermId, TermId),
}

/// An operator of expressions over data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    And,
    Or,
    Implies,
    Equ,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
