//! A resolved and typed model: what every name means is known.
//!
//! Terms live in one arena, operands before operators. Names of signatures, fields and functions are
//! replaced by ids; overloading is decided; implicit `this` is written out; macros are unfolded.

use wherefore_base::{IndexVec, Names, Span, Symbol, define_id};

pub use crate::ast::{BinaryOp, Mult, Quantifier, Scoped, UnaryOp};
use crate::types::Type;

define_id!(
    /// A signature of a [`Model`].
    pub struct SigId
);
define_id!(
    /// A field of a [`Model`].
    pub struct FieldId
);
define_id!(
    /// A predicate or function of a [`Model`].
    pub struct FunctionId
);
define_id!(
    /// A variable of a [`Model`]: of a quantifier, of a `let`, or a parameter.
    pub struct VarId
);
define_id!(
    /// A typed expression of a [`Model`].
    pub struct TermId
);

/// A resolved model.
#[derive(Clone, Default, Debug)]
pub struct Model {
    /// The texts of names and strings.
    pub names: Names,
    /// The signatures; the first five are built in.
    pub sigs: IndexVec<SigId, Sig>,
    /// The fields.
    pub fields: IndexVec<FieldId, Field>,
    /// Predicates and functions.
    pub functions: IndexVec<FunctionId, Function>,
    /// Variables.
    pub vars: IndexVec<VarId, Variable>,
    /// The modules that Alloy does not have: the file in which it looks for one that is opened, and what the text is
    /// called here.
    pub lent: Vec<(String, String)>,
    /// All terms, operands before operators.
    pub terms: IndexVec<TermId, Term>,
    /// The facts of all modules, without those of signatures.
    pub facts: Vec<Fact>,
    /// The assertions of all modules.
    pub assertions: Vec<Fact>,
    /// The commands of the main module.
    pub commands: Vec<Command>,
    /// Signatures whose scope is exact because a module says so of its parameter.
    pub exact: Vec<SigId>,
}

impl Model {
    /// `univ`
    pub const UNIV: usize = 0;
    /// `Int`
    pub const INT: usize = 1;
    /// `seq/Int`
    pub const SEQ_INT: usize = 2;
    /// `String`
    pub const STRING: usize = 3;
    /// `none`
    pub const NONE: usize = 4;
    /// How many signatures are built in.
    pub const BUILT_IN: usize = 5;

    /// The signatures that the user declared, in the order of modules and places.
    pub fn declared(&self) -> impl Iterator<Item = (SigId, &Sig)> {
        self.sigs.entries().skip(Self::BUILT_IN)
    }

    /// Whether a signature is the other one or below it.
    pub fn is_within(&self, sig: SigId, other: SigId) -> bool {
        let mut at = Some(sig);
        while let Some(sig) = at {
            if sig == other {
                return true;
            }
            at = self.sigs[sig].extends();
        }
        false
    }

    /// Whether anything in the model changes over time.
    pub fn has_time(&self) -> bool {
        self.sigs.iter().any(|sig| sig.var) || self.fields.iter().any(|field| field.var)
    }
}

/// Where a signature stands among the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// It has atoms of its own, or shares those of the one it extends.
    Extends(SigId),
    /// It is a subset of others.
    In {
        /// The others.
        of: Vec<SigId>,
        /// Whether it is all of them.
        exactly: bool,
    },
    /// It is `univ`.
    Top,
}

/// A signature.
#[derive(Clone, Debug)]
pub struct Sig {
    /// Its name, with the path of its module if that is not the main one.
    pub label: String,
    /// Where it stands.
    pub place: Place,
    /// The signatures that extend it.
    pub children: Vec<SigId>,
    /// Whether its atoms are those of its children.
    pub is_abstract: bool,
    /// `one`, `lone` or `some`.
    pub mult: Option<Mult>,
    /// Whether it is an enumeration.
    pub is_enum: bool,
    /// Whether it may change over time.
    pub var: bool,
    /// Whether it is hidden from other modules.
    pub private: bool,
    /// Its fields, by declaration.
    pub decls: Vec<FieldDecl>,
    /// The variable that stands for an atom of it in its fields and facts.
    pub this: VarId,
    /// What is said of every atom.
    pub fact: Option<TermId>,
    /// Its type.
    pub ty: Type,
    /// Where its name is declared.
    pub span: Span,
}

impl Sig {
    /// The signature it extends; `univ` for a top-level one.
    pub fn extends(&self) -> Option<SigId> {
        match self.place {
            Place::Extends(parent) => Some(parent),
            _ => None,
        }
    }

    /// Whether it has atoms of its own.
    pub fn is_top_level(&self) -> bool {
        self.extends() == Some(SigId::new(Model::UNIV))
    }
}

/// `disj f, g: disj bound`
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// The fields.
    pub fields: Vec<FieldId>,
    /// Whether the fields of one atom are disjoint.
    pub disj: bool,
    /// Whether different atoms have disjoint values.
    pub disj_value: bool,
    /// What the value for `this` is taken from.
    pub bound: TermId,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Symbol,
    /// The signature it belongs to.
    pub sig: SigId,
    /// What it is, when it is defined by `=`.
    pub definition: Option<TermId>,
    /// Whether it may change over time.
    pub var: bool,
    /// Whether it is hidden from other modules.
    pub private: bool,
    /// Its type, with the column of its signature.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A predicate or function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, with the path of its module if that is not the main one.
    pub label: String,
    /// Its parameters.
    pub params: Vec<Binding>,
    /// What it returns; a predicate has none.
    pub result: Option<TermId>,
    /// Its body.
    pub body: Option<TermId>,
    /// Whether it is hidden from other modules.
    pub private: bool,
    /// Where its name is declared.
    pub span: Span,
}

impl Function {
    /// How many arguments it takes.
    pub fn arity(&self) -> usize {
        self.params.iter().map(|binding| binding.vars.len()).sum()
    }

    /// Its parameters one by one.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.params
            .iter()
            .flat_map(|binding| binding.vars.iter().copied())
    }
}

/// `disj x, y: bound`
#[derive(Clone, Debug)]
pub struct Binding {
    /// The variables.
    pub vars: Vec<VarId>,
    /// Whether they stand for disjoint values.
    pub disj: bool,
    /// What they are taken from, with its multiplicity.
    pub bound: TermId,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A fact or an assertion.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its name, with the path of its module if that is not the main one; may be empty.
    pub label: String,
    /// What it says.
    pub body: TermId,
    /// Where it stands.
    pub span: Span,
}

/// `run` or `check`.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its name: the label, or what it runs or checks, or `run$1` and the like.
    pub label: String,
    /// Whether it is `check`.
    pub check: bool,
    /// What must hold beside the facts: for `check`, the assertion itself, not its negation.
    pub goal: Goal,
    /// The scope over all signatures.
    pub overall: Option<i32>,
    /// Whether there is a `for` clause.
    pub scoped: bool,
    /// The scopes by signature.
    pub scopes: Vec<Scope>,
    /// `expect 0` or `expect 1`.
    pub expect: Option<i32>,
    /// Whether it goes on from the command before it.
    pub follows: bool,
    /// Where it stands.
    pub span: Span,
}

/// What a command is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A formula.
    Formula(TermId),
    /// A predicate or function, for some values of its parameters.
    Function(FunctionId),
}

/// What a scope is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeOf {
    /// A signature.
    Sig(SigId),
    /// The bits of an integer.
    Int,
    /// The length of sequences.
    Seq,
    /// The strings.
    String,
    /// The length of traces.
    Steps,
}

/// A scope by signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// What it is for.
    pub of: ScopeOf,
    /// Whether it is exact.
    pub exactly: bool,
    /// The number, or the first one of a growing scope.
    pub from: i32,
    /// The last number of a growing scope; `None` when it grows without end.
    pub to: Option<i32>,
    /// By how much a growing scope grows.
    pub step: i32,
    /// Where it stands.
    pub span: Span,
}

/// A typed expression or formula.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What a term is.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A signature.
    Sig(SigId),
    /// A field, with the column of its signature.
    Field(FieldId),
    /// A variable.
    Var(VarId),
    /// `iden`
    Iden,
    /// No tuple, with this many columns.
    Empty(usize),
    /// A number.
    Number(i32),
    /// The least integer.
    Min,
    /// The greatest integer.
    Max,
    /// The pairs of an integer and the next one.
    Next,
    /// A string.
    Text(Symbol),
    /// An atom of an instance by its name, in an expression about the instance.
    Atom(Symbol),
    /// Something that uses this name of the meta level, which is not supported.
    Meta(Symbol),
    /// An operator with one operand. `Some`, `Lone`, `One` are formulas here.
    Unary(UnaryOp, TermId),
    /// A multiplicity of a declaration, or after `in`.
    Mult(Mult, TermId),
    /// An operator with two operands.
    Binary(BinaryOp, TermId, TermId),
    /// `a m -> n b`
    Arrow(Mult, Mult, TermId, TermId),
    /// `a.b`
    Join(TermId, TermId),
    /// `condition => then else otherwise`
    IfElse(TermId, TermId, TermId),
    /// `let x = value | body`
    Let(VarId, TermId, TermId),
    /// A quantifier, a comprehension or a sum.
    Quantified(Quantifier, Vec<Binding>, TermId),
    /// A predicate or function with its arguments.
    Call(FunctionId, Vec<TermId>),
    /// All of them.
    Block(Vec<TermId>),
    /// `disj[a, b, ..]`
    Disj(Vec<TermId>),
    /// `pred/totalOrder[elements, first, next]`
    TotalOrder(TermId, TermId, TermId),
}

impl TermKind {
    /// The terms it is made of, without the bodies of what it calls.
    pub fn operands(&self) -> Vec<TermId> {
        match self {
            TermKind::Sig(_)
            | TermKind::Field(_)
            | TermKind::Var(_)
            | TermKind::Iden
            | TermKind::Empty(_)
            | TermKind::Number(_)
            | TermKind::Min
            | TermKind::Max
            | TermKind::Next
            | TermKind::Text(_)
            | TermKind::Atom(_)
            | TermKind::Meta(_) => Vec::new(),
            TermKind::Unary(_, a) | TermKind::Mult(_, a) => vec![*a],
            TermKind::Binary(_, a, b) | TermKind::Arrow(_, _, a, b) | TermKind::Join(a, b) => {
                vec![*a, *b]
            }
            TermKind::Let(_, a, b) => vec![*a, *b],
            TermKind::IfElse(a, b, c) | TermKind::TotalOrder(a, b, c) => vec![*a, *b, *c],
            TermKind::Quantified(_, bindings, body) => {
                let bounds = bindings.iter().map(|binding| binding.bound);
                bounds.chain([*body]).collect()
            }
            TermKind::Call(_, parts) | TermKind::Block(parts) | TermKind::Disj(parts) => {
                parts.clone()
            }
        }
    }
}
