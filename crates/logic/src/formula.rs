//! The formula tree.

use std::fmt;

use wherefore_base::{IndexVec, Span, deep, define_id};

use crate::ltl::{LinearOp, WrittenFormula};

define_id!(
    /// A sub-formula of a [`Formula`].
    pub struct SubId
);
define_id!(
    /// A basic proposition; its meaning belongs to the model.
    pub struct AtomId
);

/// Whether some path or every path is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantifier {
    /// `E`: some path.
    Exists,
    /// `A`: every path.
    Forall,
}

/// `least..most`: how many steps may pass, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bounds {
    /// The fewest steps.
    pub least: u32,
    /// The most steps.
    pub most: u32,
}

/// What is said of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PathOp {
    /// `X f`: the second state satisfies `f`.
    Next(SubId),
    /// `F f`: some state satisfies `f`.
    Finally(SubId),
    /// `G f`: every state satisfies `f`.
    Globally(SubId),
    /// `f U g`: some state satisfies `g`, and every state before it `f`.
    Until(SubId, SubId),
    /// `f W g`: `f U g` or `G f`.
    WeakUntil(SubId, SubId),
    /// `f R g`: `g` holds up to and with the first state where `f` does, or for ever.
    Release(SubId, SubId),
    /// `cG f`: every state satisfies `f`, and the path is fair whatever the path rule says of others.
    FairGlobally(SubId),
    /// `BF m..n f`: some state from the m-th to the n-th satisfies `f`.
    FinallyWithin(Bounds, SubId),
    /// `BG m..n f`: every state from the m-th to the n-th satisfies `f`.
    GloballyWithin(Bounds, SubId),
    /// `f BU m..n g`: a state from the m-th to the n-th satisfies `g`, and every state before it `f`.
    UntilWithin(Bounds, SubId, SubId),
}

impl PathOp {
    /// The operands in order.
    pub fn operands(self) -> impl Iterator<Item = SubId> {
        let (first, second) = match self {
            PathOp::Next(f)
            | PathOp::Finally(f)
            | PathOp::Globally(f)
            | PathOp::FairGlobally(f)
            | PathOp::FinallyWithin(_, f)
            | PathOp::GloballyWithin(_, f) => (f, None),
            PathOp::Until(f, g)
            | PathOp::WeakUntil(f, g)
            | PathOp::Release(f, g)
            | PathOp::UntilWithin(_, f, g) => (f, Some(g)),
        };
        std::iter::once(first).chain(second)
    }

    /// The operator over other operands.
    #[must_use]
    pub fn map(self, mut of: impl FnMut(SubId) -> SubId) -> Self {
        match self {
            PathOp::Next(f) => PathOp::Next(of(f)),
            PathOp::Finally(f) => PathOp::Finally(of(f)),
            PathOp::Globally(f) => PathOp::Globally(of(f)),
            PathOp::Until(f, g) => PathOp::Until(of(f), of(g)),
            PathOp::WeakUntil(f, g) => PathOp::WeakUntil(of(f), of(g)),
            PathOp::Release(f, g) => PathOp::Release(of(f), of(g)),
            PathOp::FairGlobally(f) => PathOp::FairGlobally(of(f)),
            PathOp::FinallyWithin(bounds, f) => PathOp::FinallyWithin(bounds, of(f)),
            PathOp::GloballyWithin(bounds, f) => PathOp::GloballyWithin(bounds, of(f)),
            PathOp::UntilWithin(bounds, f, g) => PathOp::UntilWithin(bounds, of(f), of(g)),
        }
    }
}

/// The outermost operator of a sub-formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// `TRUE` or `FALSE`.
    Const(bool),
    /// A basic proposition.
    Atom(AtomId),
    /// `!f`
    Not(SubId),
    /// `f & g`
    And(SubId, SubId),
    /// `f | g`
    Or(SubId, SubId),
    /// `f -> g`
    Implies(SubId, SubId),
    /// `f <-> g`
    Iff(SubId, SubId),
    /// `f xor g`
    Xor(SubId, SubId),
    /// `E` or `A` and what is said of the paths.
    Path(Quantifier, PathOp),
    /// What is said of the run that is spoken about, without `E` or `A`.
    Linear(LinearOp),
}

impl Op {
    /// The operands in order.
    pub fn operands(self) -> impl Iterator<Item = SubId> {
        let (plain, path) = match self {
            Op::Linear(linear) => {
                let mut operands = linear.operands();
                ([operands.next(), operands.next()], None)
            }
            Op::Const(_) | Op::Atom(_) => ([None, None], None),
            Op::Not(f) => ([Some(f), None], None),
            Op::And(f, g) | Op::Or(f, g) | Op::Implies(f, g) | Op::Iff(f, g) | Op::Xor(f, g) => {
                ([Some(f), Some(g)], None)
            }
            Op::Path(_, path) => ([None, None], Some(path)),
        };
        let path = path.into_iter().flat_map(PathOp::operands);
        plain.into_iter().flatten().chain(path)
    }

    /// The same operator over other operands, which are asked for in order.
    #[must_use]
    pub fn map(self, mut to: impl FnMut(SubId) -> SubId) -> Self {
        match self {
            Op::Const(_) | Op::Atom(_) => self,
            Op::Not(f) => Op::Not(to(f)),
            Op::And(f, g) => Op::And(to(f), to(g)),
            Op::Or(f, g) => Op::Or(to(f), to(g)),
            Op::Implies(f, g) => Op::Implies(to(f), to(g)),
            Op::Iff(f, g) => Op::Iff(to(f), to(g)),
            Op::Xor(f, g) => Op::Xor(to(f), to(g)),
            Op::Linear(linear) => Op::Linear(linear.map(to)),
            Op::Path(quantifier, path) => Op::Path(quantifier, path.map(to)),
        }
    }
}

/// A sub-formula: its operator and where it stands in the source, if it stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaNode {
    /// The outermost operator.
    pub op: Op,
    /// Where the user wrote it.
    pub span: Option<Span>,
}

/// A temporal formula: of CTL, or of LTL where it has [`Op::Linear`] and no [`Op::Path`].
///
/// Invariant: operands come before the operators that use them, so ascending [`SubId`]s are an
/// evaluation order, and the last sub-formula is the formula itself. Each sub-formula is the operand
/// of at most one other: ids name *occurrences*.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    nodes: IndexVec<SubId, FormulaNode>,
}

impl Formula {
    /// A formula without any sub-formula yet; build it with [`Formula::add`], operands first.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a sub-formula whose operands were added before.
    ///
    /// # Panics
    /// When an operand was not added before.
    pub fn add(&mut self, op: Op, span: Option<Span>) -> SubId {
        assert!(
            op.operands().all(|sub| sub.index() < self.nodes.len()),
            "operands are added first"
        );
        self.nodes.push(FormulaNode { op, span })
    }

    /// The formula itself, as a sub-formula.
    ///
    /// # Panics
    /// When nothing was added yet.
    pub fn root(&self) -> SubId {
        let last = self.nodes.len().checked_sub(1);
        SubId::new(last.expect("a formula has at least one sub-formula"))
    }

    /// A sub-formula.
    pub fn node(&self, sub: SubId) -> FormulaNode {
        self.nodes[sub]
    }

    /// The operator of a sub-formula.
    pub fn op(&self, sub: SubId) -> Op {
        self.nodes[sub].op
    }

    /// All sub-formulas, operands before operators.
    pub fn subs(&self) -> impl DoubleEndedIterator<Item = SubId> + ExactSizeIterator + use<> {
        self.nodes.ids()
    }

    /// How many sub-formulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no sub-formula yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// For each sub-formula, whether it speaks of the present state only.
    pub fn propositional(&self) -> IndexVec<SubId, bool> {
        let mut result: IndexVec<SubId, bool> = IndexVec::new();
        for node in self.nodes.iter() {
            // Operands come before their operators, so what they are is known.
            let plain = !matches!(node.op, Op::Path(..) | Op::Linear(_));
            result.push(plain && node.op.operands().all(|sub| result[sub]));
        }
        result
    }

    /// Whether it has an operator of linear time.
    pub fn is_linear(&self) -> bool {
        let mut nodes = self.nodes.iter();
        nodes.any(|node| matches!(node.op, Op::Linear(_)))
    }

    /// Prints a sub-formula, asking `atom` for the text of each basic proposition.
    pub fn show<'a>(&'a self, sub: SubId, atom: &'a dyn Fn(AtomId) -> String) -> impl fmt::Display {
        ShowFormula {
            formula: self,
            sub,
            atom,
        }
    }
}

struct ShowFormula<'a> {
    formula: &'a Formula,
    sub: SubId,
    atom: &'a dyn Fn(AtomId) -> String,
}

impl ShowFormula<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, sub: SubId, inner: bool) -> fmt::Result {
        deep(|| self.write_here(f, sub, inner))
    }

    fn write_here(&self, f: &mut fmt::Formatter<'_>, sub: SubId, inner: bool) -> fmt::Result {
        let op = self.formula.op(sub);
        let (a, sign, b) = match op {
            Op::Const(true) => return f.write_str("TRUE"),
            Op::Const(false) => return f.write_str("FALSE"),
            Op::Atom(atom) => {
                let text = (self.atom)(atom);
                // A text with a space may be an operation, so inside of another one it gets brackets.
                let bare = !inner || !text.contains(' ');
                return if bare {
                    f.write_str(&text)
                } else {
                    write!(f, "({text})")
                };
            }
            Op::Not(a) => {
                f.write_str("!")?;
                return self.write(f, a, true);
            }
            Op::Path(quantifier, path) => return self.write_path(f, quantifier, path),
            Op::Linear(linear) => match linear.written() {
                WrittenFormula::Between(a, sign, b) => (a, sign, b),
                WrittenFormula::Before(sign, bounds, a) => {
                    f.write_str(sign)?;
                    if let Some(Bounds { least, most }) = bounds {
                        write!(f, " [{least}, {most}]")?;
                    }
                    f.write_str(" ")?;
                    return self.write(f, a, true);
                }
            },
            Op::And(a, b) => (a, "&", b),
            Op::Or(a, b) => (a, "|", b),
            Op::Implies(a, b) => (a, "->", b),
            Op::Iff(a, b) => (a, "<->", b),
            Op::Xor(a, b) => (a, "xor", b),
        };
        if inner {
            f.write_str("(")?;
        }
        self.write(f, a, true)?;
        write!(f, " {sign} ")?;
        self.write(f, b, true)?;
        if inner {
            f.write_str(")")?;
        }
        Ok(())
    }

    fn write_path(&self, f: &mut fmt::Formatter<'_>, q: Quantifier, path: PathOp) -> fmt::Result {
        let q = match q {
            Quantifier::Exists => "E",
            Quantifier::Forall => "A",
        };
        let within = |b: Bounds| format!("{}..{}", b.least, b.most);
        let (name, a) = match path {
            PathOp::Next(a) => (format!("{q}X"), a),
            PathOp::Finally(a) => (format!("{q}F"), a),
            PathOp::Globally(a) => (format!("{q}G"), a),
            PathOp::FairGlobally(a) => (format!("{q}cG"), a),
            PathOp::FinallyWithin(b, a) => (format!("{q}BF {}", within(b)), a),
            PathOp::GloballyWithin(b, a) => (format!("{q}BG {}", within(b)), a),
            PathOp::Until(a, b) => return self.write_binary(f, q, a, "U", b),
            PathOp::WeakUntil(a, b) => return self.write_binary(f, q, a, "W", b),
            PathOp::Release(a, b) => return self.write_binary(f, q, a, "R", b),
            PathOp::UntilWithin(bounds, a, b) => {
                let sign = format!("BU {}", within(bounds));
                return self.write_binary(f, q, a, &sign, b);
            }
        };
        write!(f, "{name} ")?;
        self.write(f, a, true)
    }

    fn write_binary(
        &self,
        f: &mut fmt::Formatter<'_>,
        q: &str,
        a: SubId,
        sign: &str,
        b: SubId,
    ) -> fmt::Result {
        write!(f, "{q}[")?;
        self.write(f, a, false)?;
        write!(f, " {sign} ")?;
        self.write(f, b, false)?;
        f.write_str("]")
    }
}

impl fmt::Display for ShowFormula<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.sub, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_prints_as_it_is_written() {
        let mut formula = Formula::new();
        let p = formula.add(Op::Atom(AtomId::new(0)), None);
        let q = formula.add(Op::Atom(AtomId::new(1)), None);
        let af = formula.add(Op::Path(Quantifier::Forall, PathOp::Finally(q)), None);
        let implies = formula.add(Op::Implies(p, af), None);
        formula.add(
            Op::Path(Quantifier::Forall, PathOp::Globally(implies)),
            None,
        );
        let atom = |atom: AtomId| ["p", "x = 1"][atom.index()].to_string();
        let text = formula.show(formula.root(), &atom).to_string();
        assert_eq!(text, "AG (p -> AF (x = 1))");
    }
}
