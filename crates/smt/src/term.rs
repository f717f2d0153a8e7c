//! Terms: typed, made once each, shared.
//!
//! A term is an id in [`SmtTerms`], which also holds the sorts and the symbols. Equal terms are one term, so
//! large expressions with repeated parts stay small; `let` needs no term of its own for the same reason.
//! Bound variables are symbols of their own, a new one for each binder, so that nothing is captured by accident.

use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;
use wherefore_base::{IndexVec, Span, define_id};

use crate::number::Rational;
use crate::sort::{Sort, SortId, Sorts};

define_id!(
    /// A term in [`SmtTerms`].
    pub struct SmtTermId
);
define_id!(
    /// A symbol in [`SmtTerms`]: a constant, a function, or a bound variable.
    pub struct SymbolId
);

/// What a symbol stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// Declared: its value is whatever an interpretation says.
    Declared,
    /// Bound by a quantifier, or a parameter of a definition.
    Bound,
    /// Defined by a term over its parameters.
    Defined {
        /// The parameters, which are bound symbols.
        params: Box<[SymbolId]>,
        /// What it stands for.
        body: SmtTermId,
    },
}

/// A constant, a function, or a bound variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtSymbol {
    /// Its name, without quotes. Names of symbols that are not bound are unique among those that are printed.
    pub name: String,
    /// The sorts of its arguments; none for a constant.
    pub args: Box<[SortId]>,
    /// The sort of its value.
    pub sort: SortId,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Where it is declared, if it stands in a text.
    pub span: Option<Span>,
}

/// Whether all values are meant or some value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SmtQuantifier {
    /// For all values.
    Forall,
    /// For some values.
    Exists,
}

impl SmtQuantifier {
    /// The other one.
    #[must_use]
    pub fn dual(self) -> Self {
        match self {
            SmtQuantifier::Forall => SmtQuantifier::Exists,
            SmtQuantifier::Exists => SmtQuantifier::Forall,
        }
    }
}

/// An operator of a theory.
///
/// `>` and `>=` are `<` and `<=` with their operands exchanged, chains such as `a < b < c` are conjunctions, and
/// `xor` is an equation that is denied: readers make these of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SmtOp {
    /// `not`, of one.
    Not,
    /// `and`, of any number.
    And,
    /// `or`, of any number.
    Or,
    /// `=>`, of two.
    Implies,
    /// `ite`, of three.
    Ite,
    /// `=`, of two of one sort, truth values too.
    Equal,
    /// `distinct`, of two or more of one sort.
    Distinct,
    /// `-` of one number.
    Neg,
    /// `+`, of two or more numbers.
    Add,
    /// `-`, of two or more numbers.
    Sub,
    /// `*`, of two or more numbers.
    Mul,
    /// `/`, of two reals.
    Div,
    /// `div`, of two integers.
    IntDiv,
    /// `mod`, of two integers.
    Mod,
    /// `abs`, of an integer.
    Abs,
    /// `<`, of two numbers.
    Less,
    /// `<=`, of two numbers.
    LessEqual,
    /// `to_real`, of an integer.
    ToReal,
    /// `to_int`, of a real.
    ToInt,
    /// `is_int`, of a real.
    IsInt,
    /// `(_ divisible n)`, of an integer.
    Divisible(u32),
    /// `select`, of an array and an index.
    Select,
    /// `store`, of an array, an index and an element.
    Store,
    /// The array of this sort whose elements are all equal to the operand.
    ConstArray(SortId),
    /// An operator on bit vectors.
    Bits(BitsOp),
}

/// An operator on bit vectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum BitsOp {
    Concat,
    Extract(u32, u32),
    ZeroExtend(u32),
    SignExtend(u32),
    Not,
    Neg,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
}

/// A term. Operands are terms that were made before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SmtTerm {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A real number that is rational.
    Real(Rational),
    /// A bit vector: its value and its width.
    BitVec(BigUint, u32),
    /// A constant of an enumeration, by its place in it.
    Constant(SortId, u32),
    /// A symbol applied to so many arguments as it has; a constant or a variable to none.
    Apply(SymbolId, Box<[SmtTermId]>),
    /// An operator and its operands.
    Op(SmtOp, Box<[SmtTermId]>),
    /// A quantifier, the symbols it binds, and what it says of them.
    Quantified(SmtQuantifier, Box<[SymbolId]>, SmtTermId),
}

impl SmtTerm {
    /// The operands in order.
    pub fn operands(&self) -> &[SmtTermId] {
        match self {
            SmtTerm::Apply(_, operands) | SmtTerm::Op(_, operands) => operands,
            SmtTerm::Quantified(_, _, body) => std::slice::from_ref(body),
            SmtTerm::Bool(_)
            | SmtTerm::Int(_)
            | SmtTerm::Real(_)
            | SmtTerm::BitVec(..)
            | SmtTerm::Constant(..) => &[],
        }
    }

    /// Whether it is a value that is written down.
    pub fn is_value(&self) -> bool {
        matches!(
            self,
            SmtTerm::Bool(_)
                | SmtTerm::Int(_)
                | SmtTerm::Real(_)
                | SmtTerm::BitVec(..)
                | SmtTerm::Constant(..)
        )
    }
}

/// All sorts, symbols and terms of a system.
///
/// Invariant: operands come before the terms that use them, every term is well sorted, and equal terms are one.
#[derive(Clone, Default, Debug)]
pub struct SmtTerms {
    /// The sorts.
    pub sorts: Sorts,
    symbols: IndexVec<SymbolId, SmtSymbol>,
    terms: IndexVec<SmtTermId, (SmtTerm, SortId)>,
    ids: FxHashMap<SmtTerm, SmtTermId>,
    /// How many symbols have a name.
    names: FxHashMap<String, u32>,
    /// How many symbols that are not bound have a name.
    fixed: FxHashMap<String, u32>,
}

impl SmtTerms {
    /// A new symbol.
    pub fn symbol(&mut self, symbol: SmtSymbol) -> SymbolId {
        *self.names.entry(symbol.name.clone()).or_default() += 1;
        if symbol.kind != SymbolKind::Bound {
            *self.fixed.entry(symbol.name.clone()).or_default() += 1;
        }
        self.symbols.push(symbol)
    }

    /// A new declared constant or function that stands in no text.
    pub fn declare(&mut self, name: impl Into<String>, args: &[SortId], sort: SortId) -> SymbolId {
        self.symbol(SmtSymbol {
            name: name.into(),
            args: args.into(),
            sort,
            kind: SymbolKind::Declared,
            span: None,
        })
    }

    /// A new bound variable.
    pub fn bound(&mut self, name: impl Into<String>, sort: SortId) -> SymbolId {
        self.symbol(SmtSymbol {
            name: name.into(),
            args: Box::default(),
            sort,
            kind: SymbolKind::Bound,
            span: None,
        })
    }

    /// What is known of a symbol.
    pub fn info(&self, symbol: SymbolId) -> &SmtSymbol {
        &self.symbols[symbol]
    }

    /// Says what a declared symbol stands for, from now on.
    pub fn define(&mut self, symbol: SymbolId, params: &[SymbolId], body: SmtTermId) {
        self.symbols[symbol].kind = SymbolKind::Defined {
            params: params.into(),
            body,
        };
    }

    /// Renames a symbol everywhere.
    pub fn rename(&mut self, symbol: SymbolId, name: impl Into<String>) {
        let name = name.into();
        let fixed = self.symbols[symbol].kind != SymbolKind::Bound;
        *self.names.entry(name.clone()).or_default() += 1;
        if fixed {
            *self.fixed.entry(name.clone()).or_default() += 1;
        }
        let before = std::mem::replace(&mut self.symbols[symbol].name, name);
        let counts = [Some(&mut self.names), fixed.then_some(&mut self.fixed)];
        for count in counts
            .into_iter()
            .flatten()
            .filter_map(|counts| counts.get_mut(&before))
        {
            *count -= 1;
        }
    }

    /// Whether a name means one thing only, or nothing.
    pub fn is_plain(&self, name: &str) -> bool {
        let symbols = self.names.get(name).copied().unwrap_or(0);
        symbols <= 1 && !self.sorts.is_constant(name) && !crate::operators::NAMES.contains(&name)
    }

    /// A name that no symbol has, as close to the wanted one as can be.
    pub fn unused(&self, wanted: &str) -> String {
        let taken = |name: &str| {
            self.names.get(name).is_some_and(|&count| count > 0) || !self.is_plain(name)
        };
        numbered(wanted, taken)
    }

    /// A name for a new constant or function, as close to the wanted one as can be: bound variables that have it, too,
    /// are printed by other names.
    pub fn unused_by_symbols(&self, wanted: &str) -> String {
        let taken = |name: &str| {
            let symbols = self.fixed.get(name).copied().unwrap_or(0);
            symbols > 0 || self.sorts.is_constant(name) || crate::operators::NAMES.contains(&name)
        };
        numbered(wanted, taken)
    }

    /// All symbols in the order in which they were made.
    pub fn symbols(&self) -> impl DoubleEndedIterator<Item = SymbolId> + use<> {
        self.symbols.ids()
    }

    /// The term with this id.
    pub fn get(&self, id: SmtTermId) -> &SmtTerm {
        &self.terms[id].0
    }

    /// The sort of a term.
    pub fn sort(&self, id: SmtTermId) -> SortId {
        self.terms[id].1
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The operands of a term, as a list of its own.
    pub fn operands(&self, id: SmtTermId) -> Vec<SmtTermId> {
        self.get(id).operands().to_vec()
    }

    /// The truth value that a term is, if it is one.
    pub fn as_bool(&self, id: SmtTermId) -> Option<bool> {
        match self.get(id) {
            SmtTerm::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The symbol that a term is, if it is a constant or a variable.
    pub fn as_symbol(&self, id: SmtTermId) -> Option<SymbolId> {
        match self.get(id) {
            SmtTerm::Apply(symbol, args) if args.is_empty() => Some(*symbol),
            _ => None,
        }
    }

    /// The term as it is, without any simplification; its operands must fit it.
    pub fn add(&mut self, term: SmtTerm) -> SmtTermId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let sort = self.sort_of(&term);
        let id = self.terms.push((term.clone(), sort));
        self.ids.insert(term, id);
        id
    }

    fn sort_of(&mut self, term: &SmtTerm) -> SortId {
        match term {
            SmtTerm::Bool(_) | SmtTerm::Quantified(..) => SortId::BOOL,
            SmtTerm::Int(_) => SortId::INT,
            SmtTerm::Real(_) => SortId::REAL,
            SmtTerm::BitVec(_, width) => self.sorts.add(Sort::BitVec(*width)),
            SmtTerm::Constant(sort, _) => *sort,
            SmtTerm::Apply(symbol, _) => self.symbols[*symbol].sort,
            SmtTerm::Op(op, operands) => self.sort_of_op(*op, operands),
        }
    }

    fn sort_of_op(&mut self, op: SmtOp, operands: &[SmtTermId]) -> SortId {
        match op {
            SmtOp::Not
            | SmtOp::And
            | SmtOp::Or
            | SmtOp::Implies
            | SmtOp::Equal
            | SmtOp::Distinct
            | SmtOp::Less
            | SmtOp::LessEqual
            | SmtOp::IsInt
            | SmtOp::Divisible(_) => SortId::BOOL,
            SmtOp::Ite => self.sort(operands[1]),
            SmtOp::Neg | SmtOp::Add | SmtOp::Sub | SmtOp::Mul | SmtOp::Abs | SmtOp::Store => {
                self.sort(operands[0])
            }
            SmtOp::Div | SmtOp::ToReal => SortId::REAL,
            SmtOp::IntDiv | SmtOp::Mod | SmtOp::ToInt => SortId::INT,
            SmtOp::Select => match self.sorts.get(self.sort(operands[0])) {
                Sort::Array(_, element) => *element,
                _ => SortId::BOOL,
            },
            SmtOp::ConstArray(sort) => sort,
            SmtOp::Bits(op) => self.sort_of_bits(op, operands),
        }
    }

    fn sort_of_bits(&mut self, op: BitsOp, operands: &[SmtTermId]) -> SortId {
        let first = self.sort(operands[0]);
        let width = self.width(first);
        let width = match op {
            BitsOp::Ult | BitsOp::Ule | BitsOp::Slt | BitsOp::Sle => return SortId::BOOL,
            BitsOp::Concat => operands[1..]
                .iter()
                .fold(width, |sum, &operand| sum + self.width(self.sort(operand))),
            BitsOp::Extract(high, low) => high - low + 1,
            BitsOp::ZeroExtend(by) | BitsOp::SignExtend(by) => width + by,
            _ => return first,
        };
        self.sorts.add(Sort::BitVec(width))
    }

    /// How many bits the values of a sort have; none for other sorts than bit vectors.
    pub fn width(&self, sort: SortId) -> u32 {
        match self.sorts.get(sort) {
            Sort::BitVec(width) => *width,
            _ => 0,
        }
    }
}

fn numbered(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_string();
    let mut number = 1;
    while taken(&name) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    name
}
