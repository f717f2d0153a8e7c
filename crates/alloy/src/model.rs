//! A resolved and typed model: what every name means is known.
//!
//! Terms live in one arena, operands before operators. Names of signatures, fields and functions are
//! replaced by ids; overloading is decided; implicit `this` is written out; macros are unfolded.

use wherefore_base::{IndexVec, Names, Span, Symbol, define_id};

pub use crate::ast::{AlloyBinaryOp, AlloyQuantifier, AlloyUnaryOp, Mult, Scoped};
use crate::types::AlloyType;

define_id!(
    /// A signature of a [`AlloyModel`].
    pub struct SigId
);
define_id!(
    /// A field of a [`AlloyModel`].
    pub struct FieldId
);
define_id!(
    /// A predicate or function of a [`AlloyModel`].
    pub struct FunctionId
);
define_id!(
    /// A variable of a [`AlloyModel`]: of a quantifier, of a `let`, or a parameter.
    pub struct AlloyVarId
);
define_id!(
    /// A typed expression of a [`AlloyModel`].
    pub struct AlloyTermId
);

/// A resolved model.
#[derive(Clone, Default, Debug)]
pub struct AlloyModel {
    /// The texts of names and strings.
    pub names: Names,
    /// The signatures; the first five are built in.
    pub sigs: IndexVec<SigId, Sig>,
    /// The fields.
    pub fields: IndexVec<FieldId, Field>,
    /// Predicates and functions.
    pub functions: IndexVec<FunctionId, Function>,
    /// Variables.
    pub vars: IndexVec<AlloyVarId, AlloyVariable>,
    /// The modules that Alloy does not have: the file in which it looks for one that is opened, and what the text is
    /// called here.
    pub lent: Vec<(String, String)>,
    /// All terms, operands before operators.
    pub terms: IndexVec<AlloyTermId, AlloyTerm>,
    /// The facts of all modules, without those of signatures.
    pub facts: Vec<Fact>,
    /// The assertions of all modules.
    pub assertions: Vec<Fact>,
    /// The commands of the main module.
    pub commands: Vec<Command>,
    /// Signatures whose scope is exact because a module says so of its parameter.
    pub exact: Vec<SigId>,
}

impl AlloyModel {
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
pub enum AlloyPlace {
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
    pub place: AlloyPlace,
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
    pub this: AlloyVarId,
    /// What is said of every atom.
    pub fact: Option<AlloyTermId>,
    /// Its type.
    pub ty: AlloyType,
    /// Where its name is declared.
    pub span: Span,
}

impl Sig {
    /// The signature it extends; `univ` for a top-level one.
    pub fn extends(&self) -> Option<SigId> {
        match self.place {
            AlloyPlace::Extends(parent) => Some(parent),
            _ => None,
        }
    }

    /// Whether it has atoms of its own.
    pub fn is_top_level(&self) -> bool {
        self.extends() == Some(SigId::new(AlloyModel::UNIV))
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
    pub bound: AlloyTermId,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Symbol,
    /// The signature it belongs to.
    pub sig: SigId,
    /// What it is, when it is defined by `=`.
    pub definition: Option<AlloyTermId>,
    /// Whether it may change over time.
    pub var: bool,
    /// Whether it is hidden from other modules.
    pub private: bool,
    /// Its type, with the column of its signature.
    pub ty: AlloyType,
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
    pub result: Option<AlloyTermId>,
    /// Its body.
    pub body: Option<AlloyTermId>,
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
    pub fn vars(&self) -> impl Iterator<Item = AlloyVarId> + '_ {
        self.params
            .iter()
            .flat_map(|binding| binding.vars.iter().copied())
    }
}

/// `disj x, y: bound`
#[derive(Clone, Debug)]
pub struct Binding {
    /// The variables.
    pub vars: Vec<AlloyVarId>,
    /// Whether they stand for disjoint values.
    pub disj: bool,
    /// What they are taken from, with its multiplicity.
    pub bound: AlloyTermId,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct AlloyVariable {
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub ty: AlloyType,
    /// Where it is declared.
    pub span: Span,
}

/// A fact or an assertion.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its name, with the path of its module if that is not the main one; may be empty.
    pub label: String,
    /// What it says.
    pub body: AlloyTermId,
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
    pub goal: CommandGoal,
    /// The scope over all signatures.
    pub overall: Option<i32>,
    /// Whether there is a `for` clause.
    pub scoped: bool,
    /// The scopes by signature.
    pub scopes: Vec<SigScope>,
    /// `expect 0` or `expect 1`.
    pub expect: Option<i32>,
    /// Whether it goes on from the command before it.
    pub follows: bool,
    /// Where it stands.
    pub span: Span,
}

/// What a command is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandGoal {
    /// A formula.
    Formula(AlloyTermId),
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
pub struct SigScope {
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
pub struct AlloyTerm {
    /// What it is.
    pub kind: AlloyTermKind,
    /// Its type.
    pub ty: AlloyType,
    /// Where it stands.
    pub span: Span,
}

/// What a term is.
#[derive(Clone, Debug)]
pub enum AlloyTermKind {
    /// A signature.
    Sig(SigId),
    /// A field, with the column of its signature.
    Field(FieldId),
    /// A variable.
    Var(AlloyVarId),
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
    Unary(AlloyUnaryOp, AlloyTermId),
    /// A multiplicity of a declaration, or after `in`.
    Mult(Mult, AlloyTermId),
    /// An operator with two operands.
    Binary(AlloyBinaryOp, AlloyTermId, AlloyTermId),
    /// `a m -> n b`
    Arrow(Mult, Mult, AlloyTermId, AlloyTermId),
    /// `a.b`
    Join(AlloyTermId, AlloyTermId),
    /// `condition => then else otherwise`
    IfElse(AlloyTermId, AlloyTermId, AlloyTermId),
    /// `let x = value | body`
    Let(AlloyVarId, AlloyTermId, AlloyTermId),
    /// A quantifier, a comprehension or a sum.
    Quantified(AlloyQuantifier, Vec<Binding>, AlloyTermId),
    /// A predicate or function with its arguments.
    Call(FunctionId, Vec<AlloyTermId>),
    /// All of them.
    Block(Vec<AlloyTermId>),
    /// `disj[a, b, ..]`
    Disj(Vec<AlloyTermId>),
    /// `pred/totalOrder[elements, first, next]`
    TotalOrder(AlloyTermId, AlloyTermId, AlloyTermId),
}

impl AlloyTermKind {
    /// The terms it is made of, without the bodies of what it calls.
    pub fn operands(&self) -> Vec<AlloyTermId> {
        match self {
            AlloyTermKind::Sig(_)
            | AlloyTermKind::Field(_)
            | AlloyTermKind::Var(_)
            | AlloyTermKind::Iden
            | AlloyTermKind::Empty(_)
            | AlloyTermKind::Number(_)
            | AlloyTermKind::Min
            | AlloyTermKind::Max
            | AlloyTermKind::Next
            | AlloyTermKind::Text(_)
            | AlloyTermKind::Atom(_)
            | AlloyTermKind::Meta(_) => Vec::new(),
            AlloyTermKind::Unary(_, a) | AlloyTermKind::Mult(_, a) => vec![*a],
            AlloyTermKind::Binary(_, a, b)
            | AlloyTermKind::Arrow(_, _, a, b)
            | AlloyTermKind::Join(a, b) => {
                vec![*a, *b]
            }
            AlloyTermKind::Let(_, a, b) => vec![*a, *b],
            AlloyTermKind::IfElse(a, b, c) | AlloyTermKind::TotalOrder(a, b, c) => vec![*a, *b, *c],
            AlloyTermKind::Quantified(_, bindings, body) => {
                let bounds = bindings.iter().map(|binding| binding.bound);
                bounds.chain([*body]).collect()
            }
            AlloyTermKind::Call(_, parts)
            | AlloyTermKind::Block(parts)
            | AlloyTermKind::Disj(parts) => parts.clone(),
        }
    }
}
