//! The old dialect, in which 0 and 1 are truth values.
//!
//! Where a truth value is wanted, an integer that can only be 0 or 1 is one; where integers are meant, a
//! truth value is 0 or 1. In the new dialect everything stays as it is.

use wherefore_base::{Value, deep};
use wherefore_model::{BinaryOp as TermOp, Term, TermId};

use super::SmvLowering;
use crate::SmvDialect;
use crate::approx::Approx;
use crate::scope::{Typed, ValueSort};

impl SmvLowering<'_> {
    /// A value as one of the wanted sort, if the dialect allows that.
    pub(super) fn adapted(&mut self, typed: Typed, wanted: ValueSort) -> Typed {
        if self.scope.dialect == SmvDialect::New {
            return typed;
        }
        let bit = typed.values.fits(&Approx::interval(0, 1));
        match (typed.sort, wanted) {
            (ValueSort::Int, ValueSort::Bool) if bit => Typed {
                term: self.as_truth(typed.term),
                sort: ValueSort::Bool,
                values: Approx::none(),
                ..typed
            },
            (ValueSort::Bool, ValueSort::Int | ValueSort::Mixed) => Typed {
                term: self.as_number(typed.term),
                sort: ValueSort::Int,
                values: Approx::interval(0, 1),
                ..typed
            },
            _ => typed,
        }
    }

    /// Two values that belong together: where only one is a truth value, it becomes an integer.
    pub(super) fn adapted_pair(&mut self, a: Typed, b: Typed) -> (Typed, Typed) {
        let (a_sort, b_sort) = (a.sort, b.sort);
        (
            self.adapted_beside(a, b_sort),
            self.adapted_beside(b, a_sort),
        )
    }

    /// Values that belong together: where only some are truth values, they become integers.
    pub(super) fn adapted_list(&mut self, list: Vec<Typed>) -> Vec<Typed> {
        let other = list
            .iter()
            .map(|typed| typed.sort)
            .find(|s| *s != ValueSort::Bool);
        let Some(other) = other else {
            return list;
        };
        let list = list.into_iter();
        list.map(|typed| self.adapted_beside(typed, other))
            .collect()
    }

    fn adapted_beside(&mut self, typed: Typed, other: ValueSort) -> Typed {
        match (typed.sort, other) {
            (ValueSort::Bool, ValueSort::Int | ValueSort::Mixed | ValueSort::Symbolic) => {
                self.adapted(typed, ValueSort::Int)
            }
            _ => typed,
        }
    }

    /// A term whose values are 0 and 1 as one whose values are truth values.
    fn as_truth(&mut self, id: TermId) -> TermId {
        self.in_other_values(id, true)
    }

    /// A term whose values are truth values as one whose values are 0 and 1.
    fn as_number(&mut self, id: TermId) -> TermId {
        self.in_other_values(id, false)
    }

    /// Converts the values of a term. Sets and choices are converted inside, since what is outside of them
    /// must be one value; what was converted before is not walked again.
    fn in_other_values(&mut self, id: TermId, to_truth: bool) -> TermId {
        if let Some(&known) = self.conversions.get(&(id, to_truth)) {
            return known;
        }
        let span = self.model.terms.span(id);
        let term = match self.model.terms.get(id).clone() {
            Term::Const(Value::Int(n)) if to_truth => Term::Const(Value::Bool(n != 0)),
            Term::Const(Value::Bool(b)) if !to_truth => Term::Const(Value::Int(i64::from(b))),
            Term::Ite(condition, a, b) => {
                let a = deep(|| self.in_other_values(a, to_truth));
                Term::Ite(condition, a, deep(|| self.in_other_values(b, to_truth)))
            }
            Term::Set(members) => {
                let members = members.iter();
                let members =
                    members.map(|&member| deep(|| self.in_other_values(member, to_truth)));
                Term::Set(members.collect())
            }
            _ => {
                let [one, zero] =
                    [1, 0].map(|n| self.model.terms.add(Term::Const(Value::Int(n)), span));
                match to_truth {
                    true => Term::Binary(TermOp::Unequal, id, zero),
                    false => Term::Ite(id, one, zero),
                }
            }
        };
        let converted = self.model.terms.add(term, span);
        self.conversions.insert((id, to_truth), converted);
        converted
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};

    use crate::{LoadedSmv, SmvDialect, load_in};

    fn read(dialect: SmvDialect, text: &str) -> LoadedSmv {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("old.smv", text));
        load_in(dialect, &sources, file, &Budget::unlimited()).expect("no limit")
    }

    fn errors(loaded: &LoadedSmv) -> Vec<&Diagnostic> {
        loaded.diagnostics.iter().filter(|d| d.is_error()).collect()
    }

    const OLD: &str = "MODULE main
VAR a : boolean; b : {0, 1}; n : 0..3; s : {x, y};
ASSIGN
  init(a) := 0;
  next(a) := case b = 1 & !a : {0, 1}; n + a = 2 : b; 1 : a; esac;
  next(b) := a;
  next(n) := a ? 0 : b + 1;
TRANS next(s) = x | b
FAIRNESS 1
CTLSPEC AG (a = 1 -> AF (b | a in {0}))
LTLSPEC G (b -> F !b)
";

    #[test]
    fn zero_and_one_are_truth_values_in_the_old_dialect() {
        let loaded = read(SmvDialect::Old, OLD);
        assert_eq!(errors(&loaded), Vec::<&Diagnostic>::new());
        assert_eq!(loaded.scope.dialect(), SmvDialect::Old);
    }

    #[test]
    fn the_new_dialect_says_how_to_read_an_old_file() {
        let loaded = read(SmvDialect::New, OLD);
        let first = errors(&loaded)[0];
        assert!(first.help.iter().any(|h| h.contains("--smv-dialect old")));
    }

    #[test]
    fn other_integers_are_no_truth_values() {
        let text = "MODULE main VAR a : boolean; n : 0..3; ASSIGN next(a) := n; INVAR n | a";
        assert_eq!(errors(&read(SmvDialect::Old, text)).len(), 2);
    }

    #[test]
    fn shared_choices_are_converted_once() {
        let mut text = "MODULE main VAR c : boolean; DEFINE d0 := c ? {0, 1} : 0;\n".to_string();
        for n in 1..60 {
            let before = n - 1;
            text.push_str(&format!("d{n} := c ? d{before} : d{before};\n"));
        }
        text.push_str("ASSIGN next(c) := d59;");
        assert_eq!(errors(&read(SmvDialect::Old, &text)).len(), 0);
    }
}
