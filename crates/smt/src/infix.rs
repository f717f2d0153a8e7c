//! Terms as people write them: `x + 1 <= y`, `mode = off & !open`.
//!
//! This is for screens; solvers get [`crate::print`]. Nothing is named by a `let`, so that a term with much sharing may
//! be long: it is cut off after a number of letters, with three dots.

use num_bigint::{BigInt, Sign};
use wherefore_base::deep;
use wherefore_logic::Quantifier;

use crate::ctl::SmtCtl;
use crate::number::Rational;
use crate::print;
use crate::sort::Sort;
use crate::term::{SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms};

/// A longer text is cut off.
const MOST_LETTERS: usize = 600;

/// How tightly the parts of a text hold together; a part in a tighter place gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Choice,
    Implication,
    Disjunction,
    Conjunction,
    Comparison,
    Sum,
    Product,
    Atom,
}

/// The text of a term.
pub fn text(terms: &SmtTerms, term: SmtTermId) -> String {
    let mut writer = InfixWriter {
        terms,
        out: String::new(),
    };
    writer.term(term, Tightness::Choice);
    let mut out = writer.out;
    if let Some((end, _)) = out.char_indices().nth(MOST_LETTERS) {
        out.truncate(end);
        out.push_str("...");
    }
    out
}

/// The text of a formula: `AF (c > 5)`.
pub fn formula(terms: &SmtTerms, formula: &SmtCtl) -> String {
    let inside = |f: &SmtCtl| deep(|| self::formula(terms, f));
    // An operand with connectives of its own.
    let operand = |f: &SmtCtl| match f {
        SmtCtl::Atom(term) if !is_compound(terms, *term) => inside(f),
        SmtCtl::Atom(_) | SmtCtl::And(_) | SmtCtl::Or(_) => format!("({})", inside(f)),
        _ => inside(f),
    };
    let joined =
        |all: &[SmtCtl], sign: &str| all.iter().map(operand).collect::<Vec<_>>().join(sign);
    let every = |path: &Quantifier| match path {
        Quantifier::Forall => "A",
        Quantifier::Exists => "E",
    };
    match formula {
        SmtCtl::Atom(term) => text(terms, *term),
        SmtCtl::Not(inner) => format!("!{}", operand(inner)),
        SmtCtl::And(all) => joined(all, " & "),
        SmtCtl::Or(all) => joined(all, " | "),
        SmtCtl::Next(path, f) => format!("{}X {}", every(path), operand(f)),
        SmtCtl::Finally(path, f) => format!("{}F {}", every(path), operand(f)),
        SmtCtl::Globally(path, f) => format!("{}G {}", every(path), operand(f)),
        SmtCtl::Until(path, f, g) => format!("{} [{} U {}]", every(path), inside(f), inside(g)),
        SmtCtl::WeakUntil(path, f, g) => {
            format!("{} [{} W {}]", every(path), inside(f), inside(g))
        }
    }
}

/// Whether the text of a term is more than a name or a number.
fn is_compound(terms: &SmtTerms, term: SmtTermId) -> bool {
    text(terms, term).contains(' ')
}

struct InfixWriter<'a> {
    terms: &'a SmtTerms,
    out: String,
}

impl InfixWriter<'_> {
    fn term(&mut self, term: SmtTermId, place: Tightness) {
        // What is cut off in the end is not written: shared parts could take for ever.
        if self.out.len() > 4 * MOST_LETTERS {
            return;
        }
        // Integers among real numbers are written as they are.
        if let SmtTerm::Op(SmtOp::ToReal, inner) = self.terms.get(term) {
            return deep(|| self.term(inner[0], place));
        }
        let own = self.tightness(term);
        if own < place {
            self.out.push('(');
        }
        deep(|| self.body(term));
        if own < place {
            self.out.push(')');
        }
    }

    fn tightness(&self, term: SmtTermId) -> Tightness {
        match self.terms.get(term) {
            SmtTerm::Quantified(..) => Tightness::Choice,
            SmtTerm::Int(value) if value.sign() == Sign::Minus => Tightness::Sum,
            SmtTerm::Real(value) if is_negative(value) => Tightness::Sum,
            SmtTerm::Op(op, operands) => match op {
                SmtOp::Ite => Tightness::Choice,
                SmtOp::Implies => Tightness::Implication,
                SmtOp::Or if operands.len() > 1 => Tightness::Disjunction,
                SmtOp::And if operands.len() > 1 => Tightness::Conjunction,
                SmtOp::Not => match self.terms.get(operands[0]) {
                    SmtTerm::Op(SmtOp::Equal | SmtOp::Less | SmtOp::LessEqual, _) => {
                        Tightness::Comparison
                    }
                    _ => Tightness::Atom,
                },
                SmtOp::Equal | SmtOp::Less | SmtOp::LessEqual | SmtOp::Divisible(_) => {
                    Tightness::Comparison
                }
                SmtOp::Distinct if operands.len() == 2 => Tightness::Comparison,
                SmtOp::Neg | SmtOp::Add | SmtOp::Sub => Tightness::Sum,
                SmtOp::Mul if self.negative_factor(term).is_some() => Tightness::Sum,
                SmtOp::Mul | SmtOp::Div | SmtOp::IntDiv | SmtOp::Mod => Tightness::Product,
                _ => Tightness::Atom,
            },
            _ => Tightness::Atom,
        }
    }

    fn body(&mut self, term: SmtTermId) {
        let terms = self.terms;
        match terms.get(term) {
            SmtTerm::Bool(true) => self.out.push_str("TRUE"),
            SmtTerm::Bool(false) => self.out.push_str("FALSE"),
            SmtTerm::Int(value) => self.out.push_str(&value.to_string()),
            SmtTerm::Real(value) => self.out.push_str(&decimal(value)),
            SmtTerm::BitVec(..) => self.out.push_str(&print::text(terms, term)),
            SmtTerm::Constant(sort, at) => match terms.sorts.get(*sort) {
                Sort::Enumeration(_, constants) => self.out.push_str(&constants[*at as usize]),
                _ => self.out.push_str(&at.to_string()),
            },
            SmtTerm::Apply(symbol, args) => {
                self.out.push_str(&terms.info(*symbol).name);
                if !args.is_empty() {
                    self.list("(", args, ")");
                }
            }
            SmtTerm::Op(op, operands) => self.operator(*op, operands, term),
            SmtTerm::Quantified(quantifier, symbols, body) => {
                let word = match quantifier {
                    SmtQuantifier::Forall => "for all",
                    SmtQuantifier::Exists => "for some",
                };
                let names = symbols.iter().map(|&s| terms.info(s).name.clone());
                let names: Vec<String> = names.collect();
                self.out.push_str(&format!("{word} {}: ", names.join(", ")));
                self.term(*body, Tightness::Choice);
            }
        }
    }

    fn operator(&mut self, op: SmtOp, operands: &[SmtTermId], term: SmtTermId) {
        use Tightness::{Atom, Comparison, Disjunction, Implication, Product};
        match (op, operands) {
            (SmtOp::And, []) => self.out.push_str("TRUE"),
            (SmtOp::Or, []) => self.out.push_str("FALSE"),
            (SmtOp::And, all) => self.joined(all, " & ", Comparison),
            (SmtOp::Or, all) => self.joined(all, " | ", Comparison),
            (SmtOp::Implies, [a, b]) => {
                self.term(*a, Disjunction);
                self.out.push_str(" -> ");
                self.term(*b, Implication);
            }
            (SmtOp::Ite, [condition, then, other]) => {
                self.term(*condition, Implication);
                self.out.push_str(" ? ");
                self.term(*then, Implication);
                self.out.push_str(" : ");
                self.term(*other, Implication);
            }
            (SmtOp::Not, [inner]) => match self.terms.get(*inner).clone() {
                SmtTerm::Op(SmtOp::Equal, sides) => self.equality("!=", sides[0], sides[1]),
                SmtTerm::Op(SmtOp::Less, sides) => self.ordered(sides[1], sides[0], false),
                SmtTerm::Op(SmtOp::LessEqual, sides) => self.ordered(sides[1], sides[0], true),
                _ => {
                    self.out.push('!');
                    self.term(*inner, Atom);
                }
            },
            (SmtOp::Equal, [a, b]) => self.equality("=", *a, *b),
            (SmtOp::Distinct, [a, b]) => self.equality("!=", *a, *b),
            (SmtOp::Less, [a, b]) => self.ordered(*a, *b, true),
            (SmtOp::LessEqual, [a, b]) => self.ordered(*a, *b, false),
            (SmtOp::Neg, [a]) => {
                self.out.push('-');
                self.term(*a, Product);
            }
            (SmtOp::Add, all) => self.sum(all),
            (SmtOp::Sub, all) => self.joined(all, " - ", Product),
            (SmtOp::Mul, all) => match self.negative_factor(term) {
                Some((factor, rest)) => {
                    self.out.push('-');
                    self.scaled(&factor, rest);
                }
                None => self.joined(all, " * ", Product),
            },
            (SmtOp::Div, [a, b]) => self.between(*a, " / ", *b, Product),
            (SmtOp::IntDiv, [a, b]) => self.between(*a, " div ", *b, Product),
            (SmtOp::Mod, [a, b]) => self.between(*a, " mod ", *b, Product),
            (SmtOp::Abs, [_]) => self.list("abs(", operands, ")"),
            (SmtOp::Divisible(by), [a]) => {
                self.term(*a, Product);
                self.out.push_str(&format!(" mod {by} = 0"));
            }
            (SmtOp::Select, [array, index]) => {
                self.term(*array, Atom);
                self.list("[", &[*index], "]");
            }
            (op, operands) => {
                let head = print::head(self.terms, op);
                self.list(&format!("{head}("), operands, ")");
            }
        }
    }

    fn between(&mut self, a: SmtTermId, sign: &str, b: SmtTermId, place: Tightness) {
        self.term(a, place);
        self.out.push_str(sign);
        self.term(b, Tightness::Atom);
    }

    fn joined(&mut self, all: &[SmtTermId], sign: &str, place: Tightness) {
        for (at, &term) in all.iter().enumerate() {
            if at > 0 {
                self.out.push_str(sign);
            }
            self.term(term, place);
        }
    }

    fn list(&mut self, open: &str, all: &[SmtTermId], close: &str) {
        self.out.push_str(open);
        self.joined(all, ", ", Tightness::Choice);
        self.out.push_str(close);
    }

    /// `a < b` or `a <= b`, with a value on the right.
    fn ordered(&mut self, a: SmtTermId, b: SmtTermId, strict: bool) {
        let values = (self.terms.get(a).is_value(), self.terms.get(b).is_value());
        match (values == (true, false), strict) {
            (true, true) => self.comparison(">", b, a),
            (true, false) => self.comparison(">=", b, a),
            (false, true) => self.comparison("<", a, b),
            (false, false) => self.comparison("<=", a, b),
        }
    }

    /// `a = b` or `a != b`, with a value on the right.
    fn equality(&mut self, sign: &str, a: SmtTermId, b: SmtTermId) {
        match (self.terms.get(a).is_value(), self.terms.get(b).is_value()) {
            (true, false) => self.comparison(sign, b, a),
            _ => self.comparison(sign, a, b),
        }
    }

    fn comparison(&mut self, sign: &str, a: SmtTermId, b: SmtTermId) {
        self.term(a, Tightness::Sum);
        self.out.push_str(&format!(" {sign} "));
        self.term(b, Tightness::Sum);
    }

    fn sum(&mut self, all: &[SmtTermId]) {
        // What is added comes first, then what is taken away, numbers last among each.
        let mut order: Vec<SmtTermId> = all.to_vec();
        order.sort_by_key(|&term| (self.is_taken_away(term), self.terms.get(term).is_value()));
        for (at, &term) in order.iter().enumerate() {
            let (negative, magnitude) = match self.terms.get(term) {
                SmtTerm::Int(value) if value.sign() == Sign::Minus => {
                    (true, Some((-value).to_string()))
                }
                SmtTerm::Real(value) if is_negative(value) => {
                    (true, Some(decimal(&value.negated())))
                }
                _ => (false, None),
            };
            let factor = self.negative_factor(term);
            let negative = negative || factor.is_some();
            match (at, negative) {
                (0, true) => self.out.push('-'),
                (0, false) => {}
                (_, true) => self.out.push_str(" - "),
                (_, false) => self.out.push_str(" + "),
            }
            match (magnitude, factor) {
                (Some(magnitude), _) => self.out.push_str(&magnitude),
                (None, Some((factor, rest))) => self.scaled(&factor, rest),
                (None, None) => self.term(term, Tightness::Product),
            }
        }
    }

    fn is_taken_away(&self, term: SmtTermId) -> bool {
        match self.terms.get(term) {
            SmtTerm::Int(value) => value.sign() == Sign::Minus,
            SmtTerm::Real(value) => is_negative(value),
            _ => self.negative_factor(term).is_some(),
        }
    }

    /// `x`, `2 * x`
    fn scaled(&mut self, factor: &str, term: SmtTermId) {
        if factor != "1" {
            self.out.push_str(&format!("{factor} * "));
        }
        self.term(term, Tightness::Product);
    }

    /// Of `-2 * x`: `2` and `x`; also of `-x`.
    fn negative_factor(&self, term: SmtTermId) -> Option<(String, SmtTermId)> {
        let one = || "1".to_string();
        match self.terms.get(term) {
            SmtTerm::Op(SmtOp::Neg, operands) => Some((one(), operands[0])),
            SmtTerm::Op(SmtOp::Mul, operands) => {
                let [factor, rest] = operands[..] else {
                    return None;
                };
                match self.terms.get(factor) {
                    SmtTerm::Int(value) if value.sign() == Sign::Minus => {
                        Some(((-value).to_string(), rest))
                    }
                    SmtTerm::Real(value) if is_negative(value) => {
                        Some((decimal(&value.negated()), rest))
                    }
                    SmtTerm::Op(SmtOp::Neg, inner) => match self.terms.get(inner[0]) {
                        SmtTerm::Int(value) => Some((value.to_string(), rest)),
                        SmtTerm::Real(value) => Some((decimal(value), rest)),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// `14.5` where few digits are enough, otherwise `1/3`.
fn decimal(value: &Rational) -> String {
    let thousand = BigInt::from(1000);
    if value.is_integer() || &thousand % value.denominator() != BigInt::from(0) {
        return value.to_string();
    }
    let digits = (value.numerator() * &thousand / value.denominator())
        .magnitude()
        .to_string();
    let digits = format!("{digits:0>4}");
    let (whole, part) = digits.split_at(digits.len() - 3);
    let sign = if is_negative(value) { "-" } else { "" };
    format!("{sign}{whole}.{}", part.trim_end_matches('0'))
}

fn is_negative(value: &Rational) -> bool {
    value.numerator() < &BigInt::from(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_base::FileId;

    /// The conjuncts of a condition over integers `x`, `y` and `z`, a real number `r` and a truth value `b`.
    fn plain(condition: &str) -> Vec<String> {
        let declared = "(declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)
            (declare-fun r () Real) (declare-fun b () Bool) (declare-fun x1 () Int)
            (define-fun .x () Int (! x :next x1))
            (define-fun .t () Bool (! (= x1 x) :trans true))";
        let text = format!("{declared} (define-fun .i () Bool (! {condition} :init true))");
        let mut read = crate::read("model", FileId::new(0), &text);
        assert!(read.is_usable(), "{:?}", read.diagnostics);
        let terms = &mut read.system.terms;
        let conjuncts = terms.plain_conjuncts(read.system.init);
        conjuncts
            .iter()
            .map(|&part| super::text(terms, part))
            .collect()
    }

    #[test]
    fn conditions_are_written_as_people_write_them() {
        for (condition, shown) in [
            ("(not (>= (+ x (* (- 1) y)) 0))", "x < y"),
            ("(<= 0 x)", "x >= 0"),
            ("(not (<= x 5))", "x > 5"),
            ("(<= (+ x (* (- 1) y)) 1)", "x <= y + 1"),
            ("(< x (+ y 1))", "x <= y"),
            ("(<= (* 2 x) (+ 4 (* 2 y)))", "x <= y + 2"),
            ("(not (= x 5))", "x != 5"),
            ("(= (- x y) 0)", "x = y"),
            ("(> (* 0.5 r) 1.0)", "r > 2"),
            ("(>= r 14.5)", "r >= 14.5"),
            ("(< (* 3.0 r) 1.0)", "r < 1/3"),
            ("(= 5 x)", "x = 5"),
            ("(< (+ (* (- 1) x) y (- 2)) (* z z))", "y < x + z * z + 2"),
            ("(not b)", "!b"),
            ("(or b (and (< x 1) (< y 2)))", "b | (x < 1 & y < 2)"),
            ("(not (and b (< x y)))", "!b | y <= x"),
            ("(= (mod x 2) 0)", "x mod 2 = 0"),
            ("(< (* (+ x 1) y) z)", "(x + 1) * y < z"),
            ("(= (ite b x y) 3)", "(b ? x : y) = 3"),
        ] {
            assert_eq!(plain(condition), [shown], "{condition}");
        }
        assert_eq!(plain("(and b (< x 1) b)"), ["b", "x < 1"]);
    }

    #[test]
    fn a_condition_made_plain_says_the_same() {
        use crate::value::{SmtValuation, SmtValue};
        let mut terms = SmtTerms::default();
        let names = ["x", "y"];
        let symbols = names.map(|name| terms.declare(name, &[], crate::sort::SortId::INT));
        let vars = symbols.map(|symbol| terms.var(symbol));
        let mut checked = 0;
        for (a, b, k, op) in cases() {
            let (left, right) = (terms.int(a), terms.int(b));
            let left = terms.op(SmtOp::Mul, &[left, vars[0]]);
            let right = terms.op(SmtOp::Mul, &[right, vars[1]]);
            let number = terms.int(k);
            let right = terms.op(SmtOp::Add, &[right, number]);
            let condition = match op {
                0 => terms.less(left, right),
                1 => terms.less_equal(left, right),
                2 => terms.equal(left, right),
                _ => {
                    let equal = terms.less(left, right);
                    terms.not(equal)
                }
            };
            let parts = terms.plain_conjuncts(condition);
            let plain = terms.and(&parts);
            for (x, y) in (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x, y))) {
                let mut values = SmtValuation::default();
                values.set(symbols[0], SmtValue::Int(x.into()));
                values.set(symbols[1], SmtValue::Int(y.into()));
                let before = crate::eval::holds(&terms, condition, &values);
                assert_eq!(crate::eval::holds(&terms, plain, &values), before);
                checked += 1;
            }
        }
        assert_eq!(checked, 5 * 5 * 7 * 4 * 81);
    }

    fn cases() -> impl Iterator<Item = (i64, i64, i64, usize)> {
        let factors = (-2..=2).flat_map(|a| (-2..=2).map(move |b| (a, b)));
        let numbers = factors.flat_map(|(a, b)| (-3..=3).map(move |k| (a, b, k)));
        numbers.flat_map(|(a, b, k)| (0..4).map(move |op| (a, b, k, op)))
    }
}
