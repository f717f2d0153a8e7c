//! Values as solvers print them.
//!
//! Solvers agree on numbers and truth values; values of uninterpreted sorts are names of their own (`Key!val!3`, `@Key_3`),
//! which become numbers in the order in which they are seen.

use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;
use wherefore_base::deep;
use wherefore_smt::sexp::{Sexp, SexpKind};
use wherefore_smt::{ArrayValue, Rational, SmtTerms, SmtValue, Sort, SortId};

/// Reads values of one model.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelReader {
    atoms: FxHashMap<(SortId, String), u32>,
    counts: FxHashMap<SortId, u32>,
}

impl ModelReader {
    /// The value of this sort that a solver printed, if it is one that we know how to read.
    pub(crate) fn value(
        &mut self,
        terms: &SmtTerms,
        text: &Sexp,
        sort: SortId,
    ) -> Option<SmtValue> {
        match terms.sorts.get(sort) {
            Sort::Bool => match text.symbol()? {
                "true" => Some(SmtValue::Bool(true)),
                "false" => Some(SmtValue::Bool(false)),
                _ => None,
            },
            Sort::Int => {
                let number = number(text)?;
                number.is_integer().then(|| SmtValue::Int(number.floor()))
            }
            Sort::Real => number(text).map(SmtValue::Real),
            Sort::BitVec(width) => bits(text, *width),
            Sort::Enumeration(_, constants) => {
                let name = name(text)?;
                let at = constants.iter().position(|constant| constant == name)?;
                Some(SmtValue::Constant(sort, u32::try_from(at).ok()?))
            }
            Sort::Uninterpreted(_) => Some(self.atom(sort, name(text)?)),
            Sort::Array(index, element) => self.array(terms, text, *index, *element),
        }
    }

    /// Some value of this sort.
    pub(crate) fn any(&mut self, terms: &SmtTerms, sort: SortId) -> Option<SmtValue> {
        Some(match terms.sorts.get(sort) {
            Sort::Bool => SmtValue::Bool(false),
            Sort::Int => SmtValue::Int(BigInt::default()),
            Sort::Real => SmtValue::Real(Rational::from(BigInt::default())),
            Sort::BitVec(width) => SmtValue::BitVec(BigUint::default(), *width),
            Sort::Enumeration(..) => SmtValue::Constant(sort, 0),
            Sort::Uninterpreted(_) => {
                self.counts.entry(sort).or_insert(1);
                SmtValue::Atom(sort, 0)
            }
            Sort::Array(_, element) => {
                let element = deep(|| self.any(terms, *element))?;
                SmtValue::Array(ArrayValue::constant(element))
            }
        })
    }

    /// How many values of each uninterpreted sort were seen; at least one.
    pub(crate) fn universes(&self, terms: &SmtTerms) -> Vec<(SortId, u32)> {
        let free = terms
            .sorts
            .ids()
            .filter(|&sort| matches!(terms.sorts.get(sort), Sort::Uninterpreted(_)));
        free.map(|sort| (sort, self.counts.get(&sort).copied().unwrap_or(1)))
            .collect()
    }

    fn atom(&mut self, sort: SortId, name: &str) -> SmtValue {
        let count = self.counts.entry(sort).or_default();
        let at = *self
            .atoms
            .entry((sort, name.to_string()))
            .or_insert_with(|| {
                *count += 1;
                *count - 1
            });
        SmtValue::Atom(sort, at)
    }

    fn array(
        &mut self,
        terms: &SmtTerms,
        text: &Sexp,
        index: SortId,
        element: SortId,
    ) -> Option<SmtValue> {
        // `(store (store ((as const S) v) i v) i v)`: the stores from the outside in.
        let mut stores = Vec::new();
        let mut inner = text;
        while inner.head() == Some("store") {
            let [_, array, at, value] = inner.list()? else {
                return None;
            };
            stores.push((at, value));
            inner = array;
        }
        let [constant, default] = inner.list()? else {
            return None;
        };
        let [as_, const_, _] = constant.list()? else {
            return None;
        };
        if as_.symbol()? != "as" || const_.symbol()? != "const" {
            return None;
        }
        let default = deep(|| self.value(terms, default, element))?;
        let mut array = ArrayValue::constant(default);
        for (at, value) in stores.into_iter().rev() {
            let at = deep(|| self.value(terms, at, index))?;
            let value = deep(|| self.value(terms, value, element))?;
            array = array.store(at, value);
        }
        Some(SmtValue::Array(array))
    }
}

/// A name, or a name with its sort: `(as x S)`.
fn name(text: &Sexp) -> Option<&str> {
    match text.list() {
        Some([as_, name, _]) if as_.symbol() == Some("as") => name.symbol(),
        Some(_) => None,
        None => text.symbol(),
    }
}

fn number(text: &Sexp) -> Option<Rational> {
    match &text.kind {
        SexpKind::Numeral(digits) | SexpKind::Decimal(digits) => Rational::decimal(digits),
        SexpKind::List(items) => match (text.head()?, &items[1..]) {
            ("-", [inner]) => Some(deep(|| number(inner))?.negated()),
            ("/", [a, b]) => deep(|| number(a))?.div(&deep(|| number(b))?),
            ("to_real", [inner]) => deep(|| number(inner)),
            _ => None,
        },
        _ => None,
    }
}

fn bits(text: &Sexp, width: u32) -> Option<SmtValue> {
    let value = match &text.kind {
        SexpKind::Binary(digits) => BigUint::parse_bytes(digits.as_bytes(), 2)?,
        SexpKind::Hex(digits) => BigUint::parse_bytes(digits.as_bytes(), 16)?,
        SexpKind::List(items) => match &items[..] {
            [underscore, number, _] if underscore.symbol() == Some("_") => {
                let digits = number.symbol()?.strip_prefix("bv")?;
                BigUint::parse_bytes(digits.as_bytes(), 10)?
            }
            _ => return None,
        },
        _ => return None,
    };
    (value.bits() <= u64::from(width)).then_some(SmtValue::BitVec(value, width))
}

#[cfg(test)]
mod tests {
    use wherefore_base::FileId;
    use wherefore_smt::sexp;

    use super::*;

    fn shown(
        terms: &SmtTerms,
        reading: &mut ModelReader,
        text: &str,
        sort: SortId,
    ) -> Option<String> {
        let (all, _) = sexp::read(FileId::new(0), text);
        let value = reading.value(terms, &all[0], sort)?;
        Some(value.show(terms).to_string())
    }

    #[test]
    fn values_are_read_as_z3_and_cvc5_print_them() {
        let mut terms = SmtTerms::default();
        let colour = Sort::Enumeration("Colour".into(), vec!["red".into(), "blue".into()]);
        let colour = terms.sorts.add(colour);
        let key = terms.sorts.add(Sort::Uninterpreted("Key".into()));
        let byte = terms.sorts.add(Sort::BitVec(8));
        let map = terms.sorts.add(Sort::Array(SortId::INT, key));
        let mut reading = ModelReader::default();
        let mut shown = |text: &str, sort| shown(&terms, &mut reading, text, sort);
        assert_eq!(shown("(- 12)", SortId::INT).as_deref(), Some("-12"));
        assert_eq!(
            shown("(/ 1.0 2.0)", SortId::REAL),
            shown("(/ 3 6)", SortId::REAL)
        );
        assert_eq!(shown("(- (/ 1 3))", SortId::REAL).as_deref(), Some("-1/3"));
        assert_eq!(shown("(as blue Colour)", colour).as_deref(), Some("blue"));
        assert_eq!(shown("#x0f", byte), shown("(_ bv15 8)", byte));
        assert_eq!(shown("Key!val!7", key).as_deref(), Some("Key0"));
        let array = "(store ((as const (Array Int Key)) Key!val!7) 3 Key!val!0)";
        assert_eq!(shown(array, map).as_deref(), Some("[3: Key1, else Key0]"));
        assert_eq!(shown("(_ as-array k!0)", map), None);
        assert_eq!(shown("(root-obj (+ (^ x 2) (- 2)) 1)", SortId::REAL), None);
    }
}
