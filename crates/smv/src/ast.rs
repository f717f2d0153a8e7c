//! The syntax tree of an SMV program, as written.
//!
//! Expressions live in one arena and refer to each other by [`ExprId`], operands before operators,
//! so that even absurdly nested input costs no recursion to hold or to drop. Names are not
//! resolved and types are not checked here.

use wherefore_base::{
    Diagnostic, Effort, FileId, IndexVec, Names, SourceMap, Span, Symbol, Word, define_id,
};
pub use wherefore_logic::Quantifier;

define_id!(
    /// An expression of a [`Program`].
    pub struct ExprId
);

/// Reads the text of a file as an SMV program.
///
/// This never fails: what cannot be read is left out of the tree and told in the diagnostics.
pub fn parse(sources: &SourceMap, file: FileId) -> (Program, Vec<Diagnostic>) {
    crate::parser::program(sources, file, &Effort::default())
}

/// A whole file.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// The texts of all names.
    pub names: Names,
    /// All expressions, operands before operators.
    pub exprs: IndexVec<ExprId, Expr>,
    /// The modules in source order.
    pub modules: Vec<Module>,
}

/// A name and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// `MODULE name(params)` and its body.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Ident,
    /// Its formal parameters.
    pub params: Vec<Ident>,
    /// Its declarations and constraints, in source order.
    pub items: Vec<Item>,
}

/// `name := body` or `owner.name := body` in `DEFINE`.
#[derive(Clone, Copy, Debug)]
pub struct Define {
    /// The path to the instance in which the name is defined, if it is not this one.
    pub owner: Option<ExprId>,
    /// The name.
    pub name: Ident,
    /// What it stands for; its names are read here, not in the owner.
    pub body: ExprId,
}

/// Which section declares a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarSection {
    /// `VAR`
    State,
    /// `FROZENVAR`
    Frozen,
    /// `IVAR`
    Input,
}

/// A part of a module's body.
#[derive(Clone, Debug)]
pub enum Item {
    /// `name : type;` in one of the sections for variables.
    Var(VarSection, Ident, Type),
    /// `name := body;` in `DEFINE`.
    Define(Define),
    /// A symbol declared by `CONSTANTS`.
    Constant(Ident),
    /// A line of `ASSIGN`.
    Assign(Assign),
    /// `INIT`, `INVAR` or `TRANS`.
    Constraint(ConstraintKind, ExprId),
    /// `FAIRNESS` or `JUSTICE`.
    Justice(ExprId),
    /// `COMPASSION (first, second)`.
    Compassion(ExprId, ExprId),
    /// A property.
    Spec(Spec),
    /// `ISA module`: the body of that module stands here.
    Isa(Ident),
}

/// The type of a variable.
#[derive(Clone, Debug)]
pub enum Type {
    /// `boolean`
    Bool,
    /// `{idle, busy, 3}`
    Enum(Vec<EnumValue>, Span),
    /// `low..high`
    Range(ExprId, ExprId),
    /// `module(arguments)`
    Instance(Ident, Vec<ExprId>, Span),
    /// `process module(arguments)`
    Process(Ident, Vec<ExprId>, Span),
    /// `unsigned word[width]` or `signed word[width]`; whether it has a sign.
    Word(bool, ExprId),
    /// `array low..high of type`
    Array(ExprId, ExprId, Box<Type>),
    /// `integer` or `real`: numbers without bounds.
    Number(wherefore_model::Number, Span),
}

/// A value listed in an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnumValue {
    /// The value.
    pub value: wherefore_base::Value,
    /// Where it stands.
    pub span: Span,
}

/// What an assignment fixes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssignKind {
    /// `x := e`
    Present,
    /// `init(x) := e`
    Init,
    /// `next(x) := e`
    Next,
}

/// `x := e`, `init(x) := e` or `next(x) := e`.
#[derive(Clone, Copy, Debug)]
pub struct Assign {
    /// What it fixes.
    pub kind: AssignKind,
    /// The name of the variable, as `x` or `sub.x`.
    pub target: ExprId,
    /// The value.
    pub value: ExprId,
    /// The whole assignment without its semicolon.
    pub span: Span,
}

/// Which section a constraint stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstraintKind {
    /// `INIT`
    Init,
    /// `INVAR`
    Invar,
    /// `TRANS`
    Trans,
}

/// A property.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The name given with `NAME name :=`.
    pub name: Option<Ident>,
    /// What it claims.
    pub body: SpecBody,
    /// The formula without its keyword, name and semicolon.
    pub span: Span,
}

/// What a property claims.
#[derive(Clone, Copy, Debug)]
pub enum SpecBody {
    /// `SPEC` or `CTLSPEC`.
    Ctl(ExprId),
    /// `INVARSPEC`.
    Invar(ExprId),
    /// `LTLSPEC`.
    Ltl(ExprId),
    /// `PSLSPEC`; `None` when it is in a part of PSL that is not read.
    Psl(Option<ExprId>),
    /// `COMPUTE MIN [from, to]` or `COMPUTE MAX [from, to]`.
    Compute {
        /// Whether it is `MAX`.
        longest: bool,
        /// Where paths start.
        from: ExprId,
        /// Where they arrive.
        to: ExprId,
    },
}

/// An expression and where it stands, without the parentheses around it.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The outermost operator.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// Whether a temporal operator occurs in it.
    pub temporal: bool,
    /// Whether an operator of LTL occurs in it.
    pub linear: bool,
}

/// The outermost operator of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// A numeral.
    Int(i64),
    /// A numeral of a word type, as `0ud4_3`.
    Word(Word),
    /// A fraction, as `1.5` or `f'3/2`: numerator and denominator, which is positive.
    Fraction(i64, i64),
    /// A name: a variable, a define, a parameter, an instance or a symbolic constant.
    Name(Symbol),
    /// `self`
    SelfName,
    /// `a.b`
    Dot(ExprId, Ident),
    /// `a[i]`
    Index(ExprId, ExprId),
    /// `a[high:low]`
    Bits(ExprId, ExprId, ExprId),
    /// `[a, b]`, an array; never empty.
    Array(Box<[ExprId]>),
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `a ? b : c`
    Ternary(ExprId, ExprId, ExprId),
    /// `case .. esac`, the branches in order; never empty.
    Case(Box<[Branch]>),
    /// `{a, b}`; never empty.
    Set(Box<[ExprId]>),
    /// `next(a)`
    Next(ExprId),
    /// A built-in function.
    Call(Function, Box<[ExprId]>),
    /// `E` or `A` and what is said of the paths.
    Path(Quantifier, PathOp),
    /// An operator of LTL with its bounds, if it has some, and one operand or two.
    Linear(LinearSign, Option<Within>, ExprId, Option<ExprId>),
}

impl ExprKind {
    /// The operands in order; the bounds of path operators are left out.
    pub fn operands(&self) -> Vec<ExprId> {
        match self {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Word(_)
            | ExprKind::Fraction(..)
            | ExprKind::Name(_)
            | ExprKind::SelfName => Vec::new(),
            ExprKind::Dot(a, _) | ExprKind::Unary(_, a) | ExprKind::Next(a) => vec![*a],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![*a, *b],
            ExprKind::Bits(a, b, c) | ExprKind::Ternary(a, b, c) => vec![*a, *b, *c],
            ExprKind::Case(branches) => {
                let parts = branches.iter().flat_map(|b| [b.condition, b.value]);
                parts.collect()
            }
            ExprKind::Set(items) | ExprKind::Array(items) | ExprKind::Call(_, items) => {
                items.to_vec()
            }
            ExprKind::Path(_, path) => path.operands().collect(),
            ExprKind::Linear(_, _, a, b) => [*a].into_iter().chain(*b).collect(),
        }
    }
}

/// `condition : value;` in a `case`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// When the branch is taken, if none before it is.
    pub condition: ExprId,
    /// Its value.
    pub value: ExprId,
    /// The whole branch without its semicolon.
    pub span: Span,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!a`
    Not,
    /// `-a`
    Negate,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Union,
    /// `low..high`, a set.
    Range,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Concat,
    ShiftLeft,
    ShiftRight,
    RotateLeft,
    RotateRight,
}

impl BinaryOp {
    /// The sign the user writes.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "xor",
            BinaryOp::Xnor => "xnor",
            BinaryOp::Implies => "->",
            BinaryOp::Iff => "<->",
            BinaryOp::Equal => "=",
            BinaryOp::Unequal => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::In => "in",
            BinaryOp::Union => "union",
            BinaryOp::Range => "..",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "mod",
            BinaryOp::Concat => "::",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::RotateLeft => "<<<",
            BinaryOp::RotateRight => ">>>",
        }
    }
}

/// A built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// `count(a, b, ..)`: how many of the conditions are true.
    Count,
    /// `toint(a)`: 1 for `TRUE`, 0 for `FALSE`, the number of a word; an integer stays as it is.
    ToInt,
    /// `bool(a)`: whether an integer or a word of one bit is not 0; a condition stays as it is.
    Bool,
    /// `abs(a)`
    Abs,
    /// `max(a, b)`
    Max,
    /// `min(a, b)`
    Min,
    /// `word1(a)`: a truth value as a word of one bit.
    Word1,
    /// `signed(a)`: the same bits with a sign.
    Signed,
    /// `unsigned(a)`: the same bits without a sign.
    Unsigned,
    /// `extend(a, n)`: the same number with `n` bits more.
    Extend,
    /// `resize(a, n)`: with `n` bits.
    Resize,
    /// `sizeof(a)`: how many bits it has.
    Sizeof,
    /// `uwconst(number, width)`
    Uwconst,
    /// `swconst(number, width)`
    Swconst,
}

impl Function {
    /// The name the user writes.
    pub fn name(self) -> &'static str {
        match self {
            Function::Count => "count",
            Function::ToInt => "toint",
            Function::Bool => "bool",
            Function::Abs => "abs",
            Function::Max => "max",
            Function::Min => "min",
            Function::Word1 => "word1",
            Function::Signed => "signed",
            Function::Unsigned => "unsigned",
            Function::Extend => "extend",
            Function::Resize => "resize",
            Function::Sizeof => "sizeof",
            Function::Uwconst => "uwconst",
            Function::Swconst => "swconst",
        }
    }

    /// How many arguments it takes; `None` for any number from one on.
    pub fn arity(self) -> Option<usize> {
        match self {
            Function::Count => None,
            Function::ToInt
            | Function::Bool
            | Function::Abs
            | Function::Word1
            | Function::Signed
            | Function::Unsigned
            | Function::Sizeof => Some(1),
            Function::Max
            | Function::Min
            | Function::Extend
            | Function::Resize
            | Function::Uwconst
            | Function::Swconst => Some(2),
        }
    }
}

/// An operator of LTL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum LinearSign {
    Next,
    Finally,
    Globally,
    Until,
    WeakUntil,
    Release,
    Yesterday,
    WeakYesterday,
    Once,
    Historically,
    Since,
    Triggered,
}

impl LinearSign {
    /// Whether it may have bounds, as in `F [1, 3] p`.
    pub fn takes_bounds(self) -> bool {
        use LinearSign as L;
        matches!(self, L::Finally | L::Globally | L::Once | L::Historically)
    }
}

/// What is said of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathOp {
    /// `X f`
    Next(ExprId),
    /// `F f`
    Finally(ExprId),
    /// `G f`
    Globally(ExprId),
    /// `[f U g]`
    Until(ExprId, ExprId),
    /// `[f W g]`
    WeakUntil(ExprId, ExprId),
    /// `[f R g]` or `[f V g]`
    Release(ExprId, ExprId),
    /// `BF m..n f`
    FinallyWithin(Within, ExprId),
    /// `BG m..n f`
    GloballyWithin(Within, ExprId),
    /// `[f BU m..n g]`
    UntilWithin(Within, ExprId, ExprId),
}

impl PathOp {
    /// The operands in order, bounds left out.
    pub fn operands(self) -> impl Iterator<Item = ExprId> {
        let (first, second) = match self {
            PathOp::Next(f)
            | PathOp::Finally(f)
            | PathOp::Globally(f)
            | PathOp::FinallyWithin(_, f)
            | PathOp::GloballyWithin(_, f) => (f, None),
            PathOp::Until(f, g)
            | PathOp::WeakUntil(f, g)
            | PathOp::Release(f, g)
            | PathOp::UntilWithin(_, f, g) => (f, Some(g)),
        };
        std::iter::once(first).chain(second)
    }
}

/// `least..most`: how many steps may pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Within {
    /// The fewest steps.
    pub least: ExprId,
    /// The most steps.
    pub most: ExprId,
}
