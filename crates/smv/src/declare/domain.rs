//! The domains of variables.

use rustc_hash::FxHashSet;
use wherefore_base::{Diagnostic, Span, Value, Word};
use wherefore_model::Number;

use super::constant::KnownConstants;
use super::{DeclarationBuilder, Domain, InstanceId, TypeDecl, ValueSort};
use crate::ast::EnumValue;

impl DeclarationBuilder<'_, '_> {
    /// The domain of a type; a stand-in if the type is wrong, which is told.
    pub(super) fn domain(
        &mut self,
        context: InstanceId,
        ty: &TypeDecl,
        known: &mut KnownConstants,
    ) -> (Domain, ValueSort) {
        match ty {
            TypeDecl::Bool
            | TypeDecl::Instance(..)
            | TypeDecl::Process(..)
            | TypeDecl::Array(..) => (Domain::Bool, ValueSort::Bool),
            TypeDecl::Word(signed, width) => {
                let span = self.program.exprs[*width].span;
                let width = self.constant(context, *width, known);
                let width = self.width(width, span);
                let domain = Domain::Word {
                    signed: *signed,
                    width,
                };
                (domain, ValueSort::Word(*signed, width))
            }
            TypeDecl::Number(number, _) => {
                let sort = match number {
                    Number::Integer => ValueSort::Int,
                    Number::Real => ValueSort::Real,
                };
                // The range is a stand-in: `variables` notes that such a number has no bounds.
                let (low, high) = (i32::MIN.into(), i32::MAX.into());
                (Domain::Range { low, high }, sort)
            }
            TypeDecl::Enum(values, span) => self.enumeration(values, *span),
            TypeDecl::Range(low, high) => {
                let span = self.program.exprs[*low]
                    .span
                    .to(self.program.exprs[*high].span);
                let low = self.constant(context, *low, known);
                let high = self.constant(context, *high, known);
                let domain = match (low, high) {
                    (Some(low), Some(high)) => self.range(low, high, span),
                    _ => Domain::Range { low: 0, high: 0 },
                };
                (domain, ValueSort::Int)
            }
        }
    }

    fn width(&mut self, width: Option<i64>, span: Span) -> u32 {
        let fitting = width.and_then(|width| u32::try_from(width).ok());
        let fitting = fitting.filter(|width| (1..=Word::WIDEST).contains(width));
        if fitting.is_none() && width.is_some() {
            let message = format!("A word has from 1 to {} bits", Word::WIDEST);
            self.report.tell(Diagnostic::error(span, message));
        }
        fitting.unwrap_or(1)
    }

    fn range(&mut self, low: i64, high: i64, span: Span) -> Domain {
        if low > high {
            let message = format!("The range {low}..{high} is empty");
            let diagnostic = Diagnostic::error(span, message).help("The least value comes first.");
            self.report.tell(diagnostic);
        } else if i32::try_from(low).is_err() || i32::try_from(high).is_err() {
            self.report.tell(Diagnostic::error(
                span,
                "The bounds of a range must fit 32 bits",
            ));
        }
        // Where the bounds are wrong the range is a stand-in, which must not be empty.
        Domain::Range {
            low: low.min(high),
            high: high.max(low),
        }
    }

    fn enumeration(&mut self, values: &[EnumValue], span: Span) -> (Domain, ValueSort) {
        let mut list: Vec<Value> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut sort = None;
        for EnumValue { value, span: here } in values {
            let of_value = match value {
                Value::Bool(_) => ValueSort::Bool,
                Value::Int(_) => ValueSort::Int,
                Value::Symbol(_) => ValueSort::Symbolic,
                Value::Word(word) => ValueSort::Word(word.is_signed(), word.width()),
            };
            let joined = sort.map_or(Some(of_value), |sort: ValueSort| sort.join(of_value));
            if joined.is_none() {
                let message = "Truth values cannot be listed together with other values";
                self.report.tell(Diagnostic::error(*here, message));
            }
            sort = joined.or(sort);
            if seen.insert(*value) {
                list.push(*value);
            } else {
                let message = format!(
                    "The value `{}` is listed twice",
                    self.program.names.show(*value)
                );
                self.report.tell(Diagnostic::warning(*here, message));
            }
        }
        match sort {
            Some(ValueSort::Bool) if list.len() == 2 => (Domain::Bool, ValueSort::Bool),
            Some(ValueSort::Bool) => {
                let diagnostic = Diagnostic::error(span, "A list of truth values must have both")
                    .help("Write `boolean`.");
                self.report.tell(diagnostic);
                (Domain::Bool, ValueSort::Bool)
            }
            sort => (
                Domain::Enum(list.into()),
                sort.unwrap_or(ValueSort::Symbolic),
            ),
        }
    }
}
