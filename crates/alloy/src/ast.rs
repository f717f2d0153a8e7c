//! The syntax tree of one Alloy file, as written.
//!
//! Expressions live in one arena and refer to each other by [`AlloyExprId`], operands before operators,
//! so that absurdly nested input costs no recursion to hold or to drop. Names are not resolved here: a
//! qualified name is one [`Symbol`] with its slashes.

use wherefore_base::{IndexVec, Span, Symbol, define_id};

define_id!(
    /// An expression of a [`AlloyModule`].
    pub struct AlloyExprId
);

/// A name and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlloyIdent {
    /// The name, with its slashes if it is qualified.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Default, Debug)]
pub struct AlloyModule {
    /// `module name`, if it is there.
    pub name: Option<AlloyIdent>,
    /// The formal parameters.
    pub params: Vec<Param>,
    /// The modules it opens.
    pub opens: Vec<OpenDecl>,
    /// The signatures, and the enumerations among them.
    pub sigs: Vec<SigDecl>,
    /// Predicates and functions.
    pub functions: Vec<FunctionDecl>,
    /// Facts, with their names.
    pub facts: Vec<(Option<AlloyIdent>, AlloyExprId)>,
    /// Assertions.
    pub assertions: Vec<(Option<AlloyIdent>, AlloyExprId)>,
    /// Macros: `let` at the top level.
    pub macros: Vec<Macro>,
    /// Commands, in source order.
    pub commands: Vec<CommandDecl>,
    /// All expressions, operands before operators.
    pub exprs: IndexVec<AlloyExprId, AlloyExpr>,
    /// Where `seq` is used as a multiplicity first: it opens the module of sequences.
    pub seq: Option<Span>,
}

/// A formal parameter of a module.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: AlloyIdent,
    /// Whether the signature given for it gets an exact scope.
    pub exactly: bool,
}

/// `open path[arguments] as alias`
#[derive(Clone, Debug)]
pub struct OpenDecl {
    /// Whether the names are for this module only.
    pub private: bool,
    /// The path of the module.
    pub path: AlloyIdent,
    /// The signatures given for its parameters.
    pub arguments: Vec<AlloyIdent>,
    /// The name it goes by here.
    pub alias: Option<AlloyIdent>,
    /// The whole paragraph.
    pub span: Span,
}

/// How many: of a signature, or of what an expression in a declaration may stand for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mult {
    /// Any number.
    Set,
    /// At least one.
    Some,
    /// At most one.
    Lone,
    /// Exactly one.
    One,
}

/// A signature of a file.
#[derive(Clone, Debug)]
pub struct SigDecl {
    /// Its name.
    pub name: AlloyIdent,
    /// Whether it is hidden from other modules.
    pub private: bool,
    /// Whether its atoms are those of its children.
    pub is_abstract: bool,
    /// Whether it may change over time.
    pub var: bool,
    /// `one`, `lone` or `some`.
    pub mult: Option<Mult>,
    /// Whether it is an enumeration.
    pub is_enum: bool,
    /// Its place among the signatures.
    pub parent: Parent,
    /// Its fields.
    pub fields: Vec<Decl>,
    /// The fact after its fields.
    pub fact: Option<AlloyExprId>,
}

/// What a signature is a part of.
#[derive(Clone, Debug)]
pub enum Parent {
    /// Nothing: it is a top-level signature.
    None,
    /// `extends P`
    Extends(AlloyIdent),
    /// `in A + B`, or `= A + B` when it is exactly that.
    In {
        /// The signatures it is a subset of.
        of: Vec<AlloyIdent>,
        /// Whether it is all of them.
        exactly: bool,
    },
}

/// `disj a, b: disj expression`, or `a = expression`.
#[derive(Clone, Debug)]
pub struct Decl {
    /// Whether the names are hidden from other modules.
    pub private: bool,
    /// Whether the values may change over time.
    pub var: bool,
    /// Whether the names stand for disjoint values.
    pub disj: bool,
    /// Whether different atoms have disjoint values.
    pub disj_value: bool,
    /// Whether the value is the expression itself (`=`).
    pub defined: bool,
    /// The names.
    pub names: Vec<AlloyIdent>,
    /// What their values are taken from.
    pub bound: AlloyExprId,
}

/// A predicate or function.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// Its name.
    pub name: AlloyIdent,
    /// Whether it is hidden from other modules.
    pub private: bool,
    /// Its parameters; a receiver comes first and is named `this`.
    pub params: Vec<Decl>,
    /// What a function returns; a predicate has none.
    pub result: Option<AlloyExprId>,
    /// Its body.
    pub body: AlloyExprId,
}

/// `let name[params] = body` at the top level.
#[derive(Clone, Debug)]
pub struct Macro {
    /// Its name.
    pub name: AlloyIdent,
    /// Whether it is hidden from other modules.
    pub private: bool,
    /// Its parameters.
    pub params: Vec<AlloyIdent>,
    /// What it stands for.
    pub body: AlloyExprId,
}

/// `run` or `check`.
#[derive(Clone, Debug)]
pub struct CommandDecl {
    /// Whether it is `check`.
    pub check: bool,
    /// The name before the colon.
    pub label: Option<AlloyIdent>,
    /// What is run or checked.
    pub target: CommandTarget,
    /// The scope over all signatures: `for N`.
    pub overall: Option<i32>,
    /// Whether there is a `for` clause.
    pub scoped: bool,
    /// The scopes by signature.
    pub scopes: Vec<TypeScope>,
    /// `expect 0` or `expect 1`.
    pub expect: Option<i32>,
    /// Whether it goes on from the command before it (`=>`).
    pub follows: bool,
    /// The whole paragraph.
    pub span: Span,
}

/// What a command runs or checks.
#[derive(Clone, Copy, Debug)]
pub enum CommandTarget {
    /// A predicate, function or assertion with this name.
    Name(AlloyIdent),
    /// A formula.
    Formula(AlloyExprId),
}

/// What a scope is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoped {
    /// A signature.
    Sig(AlloyIdent),
    /// The bits of an integer.
    Int,
    /// The length of sequences.
    Seq,
    /// The strings.
    String,
    /// The length of traces.
    Steps,
}

/// `exactly 3 A`, `2..5 B` or `1.. steps`.
#[derive(Clone, Copy, Debug)]
pub struct TypeScope {
    /// Whether it is exact.
    pub exactly: bool,
    /// The number, or the first one of a growing scope.
    pub from: i32,
    /// The last number of a growing scope; `None` when it grows without end.
    pub to: Option<i32>,
    /// By how much a growing scope grows.
    pub step: i32,
    /// What it is for.
    pub what: Scoped,
    /// Where it stands.
    pub span: Span,
}

/// An expression or formula.
#[derive(Clone, Debug)]
pub struct AlloyExpr {
    /// What it is.
    pub kind: AlloyExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum AlloyExprKind {
    /// A name; with `@`, a field by itself also where `this` would be joined to it.
    Name(Symbol, bool),
    /// A number.
    Number(i32),
    /// A string, without its quotes.
    Text(Symbol),
    /// A word with a fixed meaning.
    Constant(Constant),
    /// An operator before or after its operand.
    Unary(AlloyUnaryOp, AlloyExprId),
    /// An operator between two operands.
    Binary(AlloyBinaryOp, AlloyExprId, AlloyExprId),
    /// `a m -> n b`
    Arrow(Mult, Mult, AlloyExprId, AlloyExprId),
    /// `a.b`, or `b[a]` when it is written as a box.
    Join(AlloyExprId, AlloyExprId),
    /// `condition => then else otherwise`
    IfElse(AlloyExprId, AlloyExprId, AlloyExprId),
    /// `let name = value | body`
    Let(AlloyIdent, AlloyExprId, AlloyExprId),
    /// `all x: A | body`, and also `{x: A | body}` and `sum x: A | body`.
    Quantified(AlloyQuantifier, Vec<Decl>, AlloyExprId),
    /// `{ a b c }`: all of them.
    Block(Vec<AlloyExprId>),
}

/// A word with a fixed meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// `none`
    None,
    /// `univ`
    Univ,
    /// `iden`
    Iden,
    /// `Int`
    Int,
    /// `seq/Int`
    SeqInt,
    /// `String`
    String,
    /// `this`
    This,
    /// `disj`, before `[`
    Disj,
    /// `pred/totalOrder`
    TotalOrder,
    /// `int` or `sum`, before `[`
    IntCast,
    /// `fun/min`
    Min,
    /// `fun/max`
    Max,
    /// `fun/next`
    Next,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AlloyUnaryOp {
    /// `not`
    Not,
    /// `no`
    No,
    /// `some`; in a declaration a multiplicity.
    Some,
    /// `lone`; in a declaration a multiplicity.
    Lone,
    /// `one`; in a declaration a multiplicity.
    One,
    /// `set`, in declarations only.
    Set,
    /// `seq`
    Seq,
    /// `#`
    Cardinality,
    /// `int` or `sum` before an expression
    IntCast,
    /// `~`
    Transpose,
    /// `^`
    Closure,
    /// `*`
    ReflexiveClosure,
    /// `'`
    Prime,
    /// `always`
    Always,
    /// `eventually`
    Eventually,
    /// `after`
    After,
    /// `before`
    Before,
    /// `historically`
    Historically,
    /// `once`
    Once,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AlloyBinaryOp {
    /// `or`
    Or,
    /// `iff`
    Iff,
    /// `implies`
    Implies,
    /// `and`
    And,
    /// `until`
    Until,
    /// `since`
    Since,
    /// `releases`
    Releases,
    /// `triggered`
    Triggered,
    /// `a ; b`: `a` now and `b` in the next state.
    Then,
    /// `in`
    In,
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`, keeping the sign
    ShiftRight,
    /// `>>>`, filling with zeros
    ShiftRightZeros,
    /// `+`
    Union,
    /// `-`
    Difference,
    /// `fun/add`
    Add,
    /// `fun/sub`
    Sub,
    /// `fun/mul`
    Mul,
    /// `fun/div`
    Div,
    /// `fun/rem`
    Rem,
    /// `++`
    Override,
    /// `&`
    Intersection,
    /// `<:`
    Domain,
    /// `:>`
    Range,
}

/// What a declaration of variables is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AlloyQuantifier {
    /// `all`
    All,
    /// `some`
    Some,
    /// `no`
    No,
    /// `lone`
    Lone,
    /// `one`
    One,
    /// `sum`
    Sum,
    /// `{ .. }`
    Comprehension,
}
