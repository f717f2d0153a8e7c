//! Terms as SMT-LIB text. What is shared is written once, in a `let`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;
use wherefore_base::deep;

use crate::number::Rational;
use crate::sort::Sort;
use crate::term::{
    BitsOp, SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SymbolId, SymbolKind,
};

/// A symbol as SMT-LIB writes it: between bars where it needs them.
pub fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    match starts && name.chars().all(plain) && !RESERVED.contains(&name) {
        true => name.to_string(),
        // Bars and backslashes cannot be written at all: readers never make such names.
        false => format!("|{}|", name.replace(['|', '\\'], "_")),
    }
}

const RESERVED: [&str; 14] = [
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "assert",
];

/// The text of a term.
pub fn text(terms: &SmtTerms, term: SmtTermId) -> String {
    let mut printer = Printer {
        terms,
        named: FxHashMap::default(),
        out: String::new(),
    };
    printer.scope(term);
    printer.out
}

/// The declarations of all sorts that are not built in, in order.
pub fn sort_declarations(terms: &SmtTerms) -> Vec<String> {
    let mut lines = Vec::new();
    for sort in terms.sorts.ids() {
        match terms.sorts.get(sort) {
            Sort::Uninterpreted(name) => lines.push(format!("(declare-sort {} 0)", quoted(name))),
            Sort::Enumeration(name, constants) => {
                let constants: Vec<String> = constants
                    .iter()
                    .map(|c| format!("({})", quoted(c)))
                    .collect();
                let constants = constants.join(" ");
                lines.push(format!(
                    "(declare-datatypes (({} 0)) (({constants})))",
                    quoted(name)
                ));
            }
            _ => {}
        }
    }
    lines
}

/// The declaration or definition of a symbol.
pub fn declaration(terms: &SmtTerms, symbol: SymbolId) -> String {
    let info = terms.info(symbol);
    let (name, sort) = (quoted(&info.name), terms.sorts.text(info.sort));
    match &info.kind {
        SymbolKind::Defined { params, body } => {
            let params = binders(terms, params);
            format!(
                "(define-fun {name} ({params}) {sort} {})",
                text(terms, *body)
            )
        }
        SymbolKind::Declared | SymbolKind::Bound => {
            let args: Vec<String> = info
                .args
                .iter()
                .map(|&sort| terms.sorts.text(sort))
                .collect();
            format!("(declare-fun {name} ({}) {sort})", args.join(" "))
        }
    }
}

/// The name by which a symbol is printed. Bound symbols whose name has another meaning, too, get a number, so that
/// nothing is captured.
pub fn name(terms: &SmtTerms, symbol: SymbolId) -> String {
    let info = terms.info(symbol);
    match info.kind {
        SymbolKind::Bound if !terms.is_plain(&info.name) => {
            quoted(&terms.unused(&format!("{}!{}", info.name, symbol.index())))
        }
        _ => quoted(&info.name),
    }
}

/// Bound symbols with their sorts: `(x Int) (y Bool)`.
pub fn binders(terms: &SmtTerms, symbols: &[SymbolId]) -> String {
    let mut out = String::new();
    for &symbol in symbols {
        let sort = terms.sorts.text(terms.info(symbol).sort);
        let separator = if out.is_empty() { "" } else { " " };
        let _ = write!(out, "{separator}({} {sort})", name(terms, symbol));
    }
    out
}

/// An integer as SMT-LIB writes it: `5`, `(- 5)`.
pub fn integer(value: &BigInt) -> String {
    match value.sign() {
        Sign::Minus => format!("(- {})", -value),
        _ => value.to_string(),
    }
}

/// A rational number as SMT-LIB writes it: `5.0`, `(- (/ 1.0 3.0))`.
pub fn rational(value: &Rational) -> String {
    let (num, den) = (value.numerator(), value.denominator());
    let positive = if num.sign() == Sign::Minus {
        -num
    } else {
        num.clone()
    };
    let text = match value.is_integer() {
        true => format!("{positive}.0"),
        false => format!("(/ {positive}.0 {den}.0)"),
    };
    match num.sign() {
        Sign::Minus => format!("(- {text})"),
        _ => text,
    }
}

/// The name of an operator, as it stands at the head of an application.
pub(crate) fn head(terms: &SmtTerms, op: SmtOp) -> String {
    let name = match op {
        SmtOp::Not => "not",
        SmtOp::And => "and",
        SmtOp::Or => "or",
        SmtOp::Implies => "=>",
        SmtOp::Ite => "ite",
        SmtOp::Equal => "=",
        SmtOp::Distinct => "distinct",
        SmtOp::Neg | SmtOp::Sub => "-",
        SmtOp::Add => "+",
        SmtOp::Mul => "*",
        SmtOp::Div => "/",
        SmtOp::IntDiv => "div",
        SmtOp::Mod => "mod",
        SmtOp::Abs => "abs",
        SmtOp::Less => "<",
        SmtOp::LessEqual => "<=",
        SmtOp::ToReal => "to_real",
        SmtOp::ToInt => "to_int",
        SmtOp::IsInt => "is_int",
        SmtOp::Divisible(by) => return format!("(_ divisible {by})"),
        SmtOp::Select => "select",
        SmtOp::Store => "store",
        SmtOp::ConstArray(sort) => return format!("(as const {})", terms.sorts.text(sort)),
        SmtOp::Bits(op) => return bits_head(op),
    };
    name.to_string()
}

fn bits_head(op: BitsOp) -> String {
    let name = match op {
        BitsOp::Concat => "concat",
        BitsOp::Extract(high, low) => return format!("(_ extract {high} {low})"),
        BitsOp::ZeroExtend(by) => return format!("(_ zero_extend {by})"),
        BitsOp::SignExtend(by) => return format!("(_ sign_extend {by})"),
        BitsOp::Not => "bvnot",
        BitsOp::Neg => "bvneg",
        BitsOp::And => "bvand",
        BitsOp::Or => "bvor",
        BitsOp::Xor => "bvxor",
        BitsOp::Add => "bvadd",
        BitsOp::Sub => "bvsub",
        BitsOp::Mul => "bvmul",
        BitsOp::Udiv => "bvudiv",
        BitsOp::Urem => "bvurem",
        BitsOp::Sdiv => "bvsdiv",
        BitsOp::Srem => "bvsrem",
        BitsOp::Smod => "bvsmod",
        BitsOp::Shl => "bvshl",
        BitsOp::Lshr => "bvlshr",
        BitsOp::Ashr => "bvashr",
        BitsOp::Ult => "bvult",
        BitsOp::Ule => "bvule",
        BitsOp::Slt => "bvslt",
        BitsOp::Sle => "bvsle",
    };
    name.to_string()
}

struct Printer<'a> {
    terms: &'a SmtTerms,
    /// Names of terms that a `let` around the present place gives.
    named: FxHashMap<SmtTermId, String>,
    out: String,
}

impl Printer<'_> {
    /// A term in which nothing is named yet but what surrounding `let`s name: the whole term, or what a quantifier
    /// says.
    fn scope(&mut self, term: SmtTermId) {
        let terms = self.terms;
        let levels = self.shared(term);
        let mut given = Vec::new();
        let count = levels.len();
        // Parts of one level do not use each other, so that one `let` can name them all.
        for level in levels.into_values() {
            self.out.push_str("(let (");
            let mut names = Vec::new();
            for (at, shared) in level.into_iter().enumerate() {
                // The name of a shared part must not hide a symbol.
                let name = terms.unused(&format!("let!{}", shared.index()));
                let separator = if at == 0 { "" } else { " " };
                let _ = write!(self.out, "{separator}({name} ");
                self.body(shared);
                self.out.push(')');
                names.push((shared, name));
            }
            self.out.push_str(") ");
            for (shared, name) in names {
                self.named.insert(shared, name);
                given.push(shared);
            }
        }
        self.term(term);
        for _ in 0..count {
            self.out.push(')');
        }
        for shared in given {
            self.named.remove(&shared);
        }
    }

    /// The parts that occur more than once here, outside of quantifiers, by how many others they nest.
    fn shared(&self, root: SmtTermId) -> BTreeMap<u32, Vec<SmtTermId>> {
        let mut uses: FxHashMap<SmtTermId, u32> = FxHashMap::default();
        let mut order = Vec::new();
        self.count(root, &mut uses, &mut order);
        let mut depth: FxHashMap<SmtTermId, u32> = FxHashMap::default();
        let mut levels: BTreeMap<u32, Vec<SmtTermId>> = BTreeMap::new();
        for term in order {
            let inside = match self.terms.get(term) {
                // What is below a quantifier has a scope of its own, with a `let` of its own.
                SmtTerm::Quantified(..) => 0,
                other => {
                    let depths = other
                        .operands()
                        .iter()
                        .map(|operand| depth.get(operand).copied().unwrap_or(0));
                    depths.max().unwrap_or(0)
                }
            };
            // A leaf is as short as a name for it would be.
            let worth = !self.terms.get(term).operands().is_empty();
            let shared = worth && uses[&term] > 1;
            if shared {
                levels.entry(inside).or_default().push(term);
            }
            depth.insert(term, inside + u32::from(shared));
        }
        levels
    }

    /// Counts the uses of terms in the present scope, and lists them operands first.
    fn count(
        &self,
        term: SmtTermId,
        uses: &mut FxHashMap<SmtTermId, u32>,
        order: &mut Vec<SmtTermId>,
    ) {
        let known = uses.entry(term).or_default();
        *known += 1;
        if *known > 1 || self.named.contains_key(&term) {
            return;
        }
        let node = self.terms.get(term);
        if !matches!(node, SmtTerm::Quantified(..)) {
            for &operand in node.operands() {
                deep(|| self.count(operand, uses, order));
            }
        }
        order.push(term);
    }

    fn term(&mut self, term: SmtTermId) {
        match self.named.get(&term) {
            Some(name) => self.out.push_str(name),
            None => self.body(term),
        }
    }

    fn body(&mut self, term: SmtTermId) {
        let terms = self.terms;
        match terms.get(term) {
            SmtTerm::Bool(value) => {
                let _ = write!(self.out, "{value}");
            }
            SmtTerm::Int(value) => self.out.push_str(&integer(value)),
            SmtTerm::Real(value) => self.out.push_str(&rational(value)),
            SmtTerm::BitVec(value, width) => {
                let _ = write!(
                    self.out,
                    "#b{:0>1$}",
                    value.to_str_radix(2),
                    *width as usize
                );
            }
            SmtTerm::Constant(sort, at) => match terms.sorts.get(*sort) {
                Sort::Enumeration(_, constants) => {
                    self.out.push_str(&quoted(&constants[*at as usize]))
                }
                _ => {
                    let _ = write!(self.out, "{at}");
                }
            },
            SmtTerm::Apply(symbol, args) => {
                self.application(&name(terms, *symbol), args);
            }
            SmtTerm::Op(op, operands) => self.application(&head(terms, *op), operands),
            SmtTerm::Quantified(quantifier, symbols, body) => {
                let name = match quantifier {
                    SmtQuantifier::Forall => "forall",
                    SmtQuantifier::Exists => "exists",
                };
                let _ = write!(self.out, "({name} ({}) ", binders(terms, symbols));
                deep(|| self.scope(*body));
                self.out.push(')');
            }
        }
    }

    fn application(&mut self, head: &str, operands: &[SmtTermId]) {
        if operands.is_empty() {
            self.out.push_str(head);
            return;
        }
        self.out.push('(');
        self.out.push_str(head);
        for &operand in operands {
            self.out.push(' ');
            deep(|| self.term(operand));
        }
        self.out.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::SortId;

    #[test]
    fn what_is_shared_is_written_once() {
        let mut terms = SmtTerms::default();
        let x = terms.declare("x y", &[], SortId::INT);
        let mut sum = terms.var(x);
        for _ in 0..40 {
            sum = terms.op(SmtOp::Add, &[sum, sum]);
        }
        let written = text(&terms, sum);
        assert!(written.len() < 4000, "{written}");
        assert!(written.contains("|x y|"));
        assert_eq!(written.matches('(').count(), written.matches(')').count());
    }

    #[test]
    fn bound_variables_stay_inside_their_binder() {
        let mut terms = SmtTerms::default();
        let (x, y) = (
            terms.bound("x", SortId::INT),
            terms.declare("y", &[], SortId::INT),
        );
        let (vx, vy) = (terms.var(x), terms.var(y));
        let sum = terms.op(SmtOp::Add, &[vx, vy]);
        let positive = terms.less(vy, sum);
        let other = terms.less(sum, vx);
        let body = terms.or(&[positive, other]);
        let all = terms.quantified(SmtQuantifier::Forall, &[x], body);
        assert_eq!(
            text(&terms, all),
            format!(
                "(forall ((x Int)) (let ((let!{0} (+ x y))) (or (< y let!{0}) (< let!{0} x))))",
                sum.index()
            )
        );
    }

    #[test]
    fn numbers_are_written_as_the_standard_asks() {
        assert_eq!(integer(&BigInt::from(-5)), "(- 5)");
        let third = Rational::new(BigInt::from(-1), BigInt::from(3)).expect("not by zero");
        assert_eq!(rational(&third), "(- (/ 1.0 3.0))");
        assert_eq!(quoted("a|b c"), "|a_b c|");
    }
}
