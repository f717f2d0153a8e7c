//! The syntax tree of an SMV program, as written.
//!
//! Expressions live in one arena and refer to each other by [`SmvExprId`], operands before operators,
//! so that even absurdly nested input costs no recursion to hold or to drop. Names are not
//! resolved and types are not checked here.

use wherefore_base::{
    Diagnostic, Effort, FileId, IndexVec, Names, SourceMap, Span, Symbol, Word, define_id,
};
pub use wherefore_logic::Quantifier;

define_id!(
    /// An expression of a [`SmvProgramText`].
    pub struct SmvExprId
);

/// Reads the text of a file as an SMV program.
///
/// This never fails: what cannot be read is left out of the tree and told in the diagnostics.
pub fn parse(sources: &SourceMap, file: FileId) -> (SmvProgramText, Vec<Diagnostic>) {
    crate::parser::program(sources, file, &Effort::default())
}

/// A whole file.
#[derive(Clone, Default, Debug)]
pub struct SmvProgramText {
    /// The texts of all names.
    pub names: Names,
    /// All expressions, operands before operators.
    pub exprs: IndexVec<SmvExprId, SmvExpr>,
    /// The modules in source order.
    pub modules: Vec<SmvModule>,
}

/// A name and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmvIdent {
    /// The name.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// `MODULE name(params)` and its body.
#[derive(Clone, Debug)]
pub struct SmvModule {
    /// Its name.
    pub name: SmvIdent,
    /// Its formal parameters.
    pub params: Vec<SmvIdent>,
    /// Its declarations and constraints, in source order.
    pub items: Vec<ModuleItem>,
}

/// `name := body` or `owner.name := body` in `DEFINE`.
#[derive(Clone, Copy, Debug)]
pub struct DefineDecl {
    /// The path to the instance in which the name is defined, if it is not this one.
    pub owner: Option<SmvExprId>,
    /// The name.
    pub name: SmvIdent,
    /// What it stands for; its names are read here, not in the owner.
    pub body: SmvExprId,
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
pub enum ModuleItem {
    /// `name : type;` in one of the sections for variables.
    Var(VarSection, SmvIdent, TypeDecl),
    /// `name := body;` in `DEFINE`.
    Define(DefineDecl),
    /// A symbol declared by `CONSTANTS`.
    Constant(SmvIdent),
    /// A line of `ASSIGN`.
    Assign(Assign),
    /// `INIT`, `INVAR` or `TRANS`.
    Constraint(ConstraintKind, SmvExprId),
    /// `FAIRNESS` or `JUSTICE`.
    Justice(SmvExprId),
    /// `COMPASSION (first, second)`.
    Compassion(SmvExprId, SmvExprId),
    /// A property.
    Spec(Spec),
    /// `ISA module`: the body of that module stands here.
    Isa(SmvIdent),
}

/// The type of a variable.
#[derive(Clone, Debug)]
pub enum TypeDecl {
    /// `boolean`
    Bool,
    /// `{idle, busy, 3}`
    Enum(Vec<EnumValue>, Span),
    /// `low..high`
    Range(SmvExprId, SmvExprId),
    /// `module(arguments)`
    Instance(SmvIdent, Vec<SmvExprId>, Span),
    /// `process module(arguments)`
    Process(SmvIdent, Vec<SmvExprId>, Span),
    /// `unsigned word[width]` or `signed word[width]`; whether it has a sign.
    Word(bool, SmvExprId),
    /// `array low..high of type`
    Array(SmvExprId, SmvExprId, Box<TypeDecl>),
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
    pub target: SmvExprId,
    /// The value.
    pub value: SmvExprId,
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
    pub name: Option<SmvIdent>,
    /// What it claims.
    pub body: SpecBody,
    /// The formula without its keyword, name and semicolon.
    pub span: Span,
}

/// What a property claims.
#[derive(Clone, Copy, Debug)]
pub enum SpecBody {
    /// `SPEC` or `CTLSPEC`.
    Ctl(SmvExprId),
    /// `INVARSPEC`.
    Invar(SmvExprId),
    /// `LTLSPEC`.
    Ltl(SmvExprId),
    /// `PSLSPEC`; `None` when it is in a part of PSL that is not read.
    Psl(Option<SmvExprId>),
    /// `COMPUTE MIN [from, to]` or `COMPUTE MAX [from, to]`.
    Compute {
        /// Whether it is `MAX`.
        longest: bool,
        /// Where paths start.
        from: SmvExprId,
        /// Where they arrive.
        to: SmvExprId,
    },
}

/// An expression and where it stands, without the parentheses around it.
#[derive(Clone, Debug)]
pub struct SmvExpr {
    /// The outermost operator.
    pub kind: SmvExprKind,
    /// Where it stands.
    pub span: Span,
    /// Whether a temporal operator occurs in it.
    pub temporal: bool,
    /// Whether an operator of LTL occurs in it.
    pub linear: bool,
}

/// The outermost operator of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmvExprKind {
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
    Dot(SmvExprId, SmvIdent),
    /// `a[i]`
    Index(SmvExprId, SmvExprId),
    /// `a[high:low]`
    Bits(SmvExprId, SmvExprId, SmvExprId),
    /// `[a, b]`, an array; never empty.
    Array(Box<[SmvExprId]>),
    /// An operator with one operand.
    Unary(SmvUnaryOp, SmvExprId),
    /// An operator with two operands.
    Binary(SmvBinaryOp, SmvExprId, SmvExprId),
    /// `a ? b : c`
    Ternary(SmvExprId, SmvExprId, SmvExprId),
    /// `case .. esac`, the branches in order; never empty.
    Case(Box<[CaseBranch]>),
    /// `{a, b}`; never empty.
    Set(Box<[SmvExprId]>),
    /// `next(a)`
    Next(SmvExprId),
    /// A built-in function.
    Call(SmvFunction, Box<[SmvExprId]>),
    /// `E` or `A` and what is said of the paths.
    Path(Quantifier, SmvPathOp),
    /// An operator of LTL with its bounds, if it has some, and one operand or two.
    Linear(LinearSign, Option<StepBounds>, SmvExprId, Option<SmvExprId>),
}

impl SmvExprKind {
    /// The operands in order; the bounds of path operators are left out.
    pub fn operands(&self) -> Vec<SmvExprId> {
        match self {
            SmvExprKind::Bool(_)
            | SmvExprKind::Int(_)
            | SmvExprKind::Word(_)
            | SmvExprKind::Fraction(..)
            | SmvExprKind::Name(_)
            | SmvExprKind::SelfName => Vec::new(),
            SmvExprKind::Dot(a, _) | SmvExprKind::Unary(_, a) | SmvExprKind::Next(a) => vec![*a],
            SmvExprKind::Index(a, b) | SmvExprKind::Binary(_, a, b) => vec![*a, *b],
            SmvExprKind::Bits(a, b, c) | SmvExprKind::Ternary(a, b, c) => vec![*a, *b, *c],
            SmvExprKind::Case(branches) => {
                let parts = branches.iter().flat_map(|b| [b.condition, b.value]);
                parts.collect()
            }
            SmvExprKind::Set(items) | SmvExprKind::Array(items) | SmvExprKind::Call(_, items) => {
                items.to_vec()
            }
            SmvExprKind::Path(_, path) => path.operands().collect(),
            SmvExprKind::Linear(_, _, a, b) => [*a].into_iter().chain(*b).collect(),
        }
    }
}

/// `condition : value;` in a `case`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaseBranch {
    /// When the branch is taken, if none before it is.
    pub condition: SmvExprId,
    /// Its value.
    pub value: SmvExprId,
    /// The whole branch without its semicolon.
    pub span: Span,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SmvUnaryOp {
    /// `!a`
    Not,
    /// `-a`
    Negate,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum SmvBinaryOp {
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

impl SmvBinaryOp {
    /// The sign the user writes.
    pub fn sign(self) -> &'static str {
        match self {
            SmvBinaryOp::And => "&",
            SmvBinaryOp::Or => "|",
            SmvBinaryOp::Xor => "xor",
            SmvBinaryOp::Xnor => "xnor",
            SmvBinaryOp::Implies => "->",
            SmvBinaryOp::Iff => "<->",
            SmvBinaryOp::Equal => "=",
            SmvBinaryOp::Unequal => "!=",
            SmvBinaryOp::Less => "<",
            SmvBinaryOp::LessEqual => "<=",
            SmvBinaryOp::Greater => ">",
            SmvBinaryOp::GreaterEqual => ">=",
            SmvBinaryOp::In => "in",
            SmvBinaryOp::Union => "union",
            SmvBinaryOp::Range => "..",
            SmvBinaryOp::Add => "+",
            SmvBinaryOp::Sub => "-",
            SmvBinaryOp::Mul => "*",
            SmvBinaryOp::Div => "/",
            SmvBinaryOp::Mod => "mod",
            SmvBinaryOp::Concat => "::",
            SmvBinaryOp::ShiftLeft => "<<",
            SmvBinaryOp::ShiftRight => ">>",
            SmvBinaryOp::RotateLeft => "<<<",
            SmvBinaryOp::RotateRight => ">>>",
        }
    }
}

/// A built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SmvFunction {
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

impl SmvFunction {
    /// The name the user writes.
    pub fn name(self) -> &'static str {
        match self {
            SmvFunction::Count => "count",
            SmvFunction::ToInt => "toint",
            SmvFunction::Bool => "bool",
            SmvFunction::Abs => "abs",
            SmvFunction::Max => "max",
            SmvFunction::Min => "min",
            SmvFunction::Word1 => "word1",
            SmvFunction::Signed => "signed",
            SmvFunction::Unsigned => "unsigned",
            SmvFunction::Extend => "extend",
            SmvFunction::Resize => "resize",
            SmvFunction::Sizeof => "sizeof",
            SmvFunction::Uwconst => "uwconst",
            SmvFunction::Swconst => "swconst",
        }
    }

    /// How many arguments it takes; `None` for any number from one on.
    pub fn arity(self) -> Option<usize> {
        match self {
            SmvFunction::Count => None,
            SmvFunction::ToInt
            | SmvFunction::Bool
            | SmvFunction::Abs
            | SmvFunction::Word1
            | SmvFunction::Signed
            | SmvFunction::Unsigned
            | SmvFunction::Sizeof => Some(1),
            SmvFunction::Max
            | SmvFunction::Min
            | SmvFunction::Extend
            | SmvFunction::Resize
            | SmvFunction::Uwconst
            | SmvFunction::Swconst => Some(2),
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
pub enum SmvPathOp {
    /// `X f`
    Next(SmvExprId),
    /// `F f`
    Finally(SmvExprId),
    /// `G f`
    Globally(SmvExprId),
    /// `[f U g]`
    Until(SmvExprId, SmvExprId),
    /// `[f W g]`
    WeakUntil(SmvExprId, SmvExprId),
    /// `[f R g]` or `[f V g]`
    Release(SmvExprId, SmvExprId),
    /// `BF m..n f`
    FinallyWithin(StepBounds, SmvExprId),
    /// `BG m..n f`
    GloballyWithin(StepBounds, SmvExprId),
    /// `[f BU m..n g]`
    UntilWithin(StepBounds, SmvExprId, SmvExprId),
}

impl SmvPathOp {
    /// The operands in order, bounds left out.
    pub fn operands(self) -> impl Iterator<Item = SmvExprId> {
        let (first, second) = match self {
            SmvPathOp::Next(f)
            | SmvPathOp::Finally(f)
            | SmvPathOp::Globally(f)
            | SmvPathOp::FinallyWithin(_, f)
            | SmvPathOp::GloballyWithin(_, f) => (f, None),
            SmvPathOp::Until(f, g)
            | SmvPathOp::WeakUntil(f, g)
            | SmvPathOp::Release(f, g)
            | SmvPathOp::UntilWithin(_, f, g) => (f, Some(g)),
        };
        std::iter::once(first).chain(second)
    }
}

/// `least..most`: how many steps may pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepBounds {
    /// The fewest steps.
    pub least: SmvExprId,
    /// The most steps.
    pub most: SmvExprId,
}
