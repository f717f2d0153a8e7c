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
    /// A formula of a [`MclTree`].
    pub(super) struct MclNodeId
);
define_id!(
    /// An expression over data.
    pub(super) struct DataTermId
);
define_id!(
    /// A macro.
    pub(super) struct MacroId
);
define_id!(
    /// A place for a parameter or a variable, in a macro or a property.
    pub(super) struct MclSlot
);
define_id!(
    /// A variable over data that an action pattern binds, in the whole tree.
    pub(super) struct BinderId
);

/// All that was read.
#[derive(Clone, Default, Debug)]
pub(super) struct MclTree {
    pub(super) nodes: IndexVec<MclNodeId, MclNode>,
    pub(super) terms: IndexVec<DataTermId, DataTerm>,
    pub(super) macros: IndexVec<MacroId, MclMacro>,
    pub(super) properties: Vec<DeclaredProperty>,
    /// Whether a variable over data is used outside of the pattern that binds it.
    pub(super) used: IndexVec<BinderId, bool>,
    /// The texts of the files, for what equations say.
    pub(super) texts: Vec<(FileId, Arc<str>)>,
}

impl MclTree {
    /// The text of a place.
    pub(super) fn text(&self, span: Span) -> &str {
        let file = self.texts.iter().find(|(file, _)| *file == span.file);
        let range = span.start as usize..span.end as usize;
        file.and_then(|(_, text)| text.get(range)).unwrap_or("")
    }

    /// The depth of the outermost variable that a formula uses, from those of its parts. What a name itself
    /// reaches is set by who adds it.
    pub(super) fn reaches(&self, kind: &MclKind) -> u32 {
        let node = |id: &MclNodeId| self.nodes[*id].reaches;
        let least = |ids: &[MclNodeId]| ids.iter().map(node).min().unwrap_or(u32::MAX);
        match kind {
            MclKind::True
            | MclKind::False
            | MclKind::Nil
            | MclKind::Tau
            | MclKind::Visible
            | MclKind::Label(_)
            | MclKind::Regex(_)
            | MclKind::Variable(_)
            | MclKind::Parameter(_) => u32::MAX,
            MclKind::Pattern(pattern) => {
                let offers = pattern.offers.iter().filter_map(|offer| match offer {
                    OfferPattern::Equal(term) => Some(term),
                    _ => None,
                });
                let terms = offers.chain(&pattern.condition);
                let reaches = terms.map(|&term| self.terms[term].reaches).min();
                reaches.unwrap_or(u32::MAX)
            }
            MclKind::Not(a)
            | MclKind::Repeat(a, ..)
            | MclKind::Loop(a)
            | MclKind::NoLoop(a)
            | MclKind::Fixpoint(_, _, a, _) => node(a),
            MclKind::Implies(a, b)
            | MclKind::Equ(a, b)
            | MclKind::Box(a, b)
            | MclKind::Diamond(a, b) => node(a).min(node(b)),
            MclKind::And(all)
            | MclKind::Or(all)
            | MclKind::Then(all)
            | MclKind::Either(all)
            | MclKind::Call(_, all) => least(all),
            MclKind::Quantified(_, _, _, low, high, a) => {
                let bounds = self.terms[*low].reaches.min(self.terms[*high].reaches);
                node(a).min(bounds)
            }
            MclKind::Data(term) => self.terms[*term].reaches,
        }
    }
}

/// A property of a file.
#[derive(Clone, Debug)]
pub(super) struct DeclaredProperty {
    pub(super) name: Option<String>,
    pub(super) root: MclNodeId,
    pub(super) slots: usize,
}

/// `macro NAME (parameters) = body end_macro`; the parameters have the first slots.
#[derive(Clone, Debug)]
pub(super) struct MclMacro {
    pub(super) parameters: Vec<String>,
    pub(super) body: MclNodeId,
    pub(super) slots: usize,
    pub(super) span: Span,
}

/// A formula.
#[derive(Clone, Debug)]
pub(super) struct MclNode {
    pub(super) kind: MclKind,
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
pub(super) enum MclKind {
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
    Pattern(Box<ActionPattern>),
    Not(MclNodeId),
    And(Vec<MclNodeId>),
    Or(Vec<MclNodeId>),
    Implies(MclNodeId, MclNodeId),
    Equ(MclNodeId, MclNodeId),
    /// `R . S`
    Then(Vec<MclNodeId>),
    /// `R | S`
    Either(Vec<MclNodeId>),
    /// At least, and at most so many times.
    Repeat(MclNodeId, u32, Option<u32>),
    /// `[R] F`
    Box(MclNodeId, MclNodeId),
    /// `<R> F`
    Diamond(MclNodeId, MclNodeId),
    /// `<R> @`
    Loop(MclNodeId),
    /// `[R] -|`
    NoLoop(MclNodeId),
    /// With where its first words stand.
    Fixpoint(Fixpoint, MclSlot, MclNodeId, Span),
    /// A variable of a fixpoint.
    Variable(MclSlot),
    /// A parameter of the macro.
    Parameter(MclSlot),
    /// `exists` (true) or `forall` over the numbers of a range.
    Quantified(bool, MclSlot, String, DataTermId, DataTermId, MclNodeId),
    Call(MacroId, Vec<MclNodeId>),
    /// A value, as an argument of a macro.
    Data(DataTermId),
}

/// `{ GATE offers where condition }`
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ActionPattern {
    /// The gate; `None`: any.
    pub(super) gate: Option<String>,
    pub(super) offers: Vec<OfferPattern>,
    /// Whether there may be further offers: `...`
    pub(super) more: bool,
    pub(super) condition: Option<DataTermId>,
    pub(super) binders: Vec<PatternBinder>,
}

/// A variable that a pattern binds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PatternBinder {
    pub(super) name: String,
    pub(super) slot: MclSlot,
    pub(super) id: BinderId,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum OfferPattern {
    /// `?any`, `?any of T`
    Any(DataType),
    /// `?x:T`
    Bind(DataType, MclSlot),
    /// `!e`
    Equal(DataTermId),
}

/// What values an offer takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DataType {
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
pub(super) struct DataTerm {
    pub(super) kind: DataTermKind,
    pub(super) span: Span,
    pub(super) reaches: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum DataTermKind {
    Int(i64),
    Bool(bool),
    /// A text, or a name that is no variable.
    Word(String),
    Variable(MclSlot),
    Parameter(MclSlot),
    Not(DataTermId),
    Minus(DataTermId),
    Binary(DataOperator, DataTermId, DataTermId),
}

/// An operator of expressions over data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DataOperator {
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
