//! Operators and built-in functions.

use wherefore_base::{Diagnostic, Span, Value, Word, deep};
use wherefore_model::{BinaryOp as TermOp, Requirement, Term};

use super::{ExprContext, SmvLowering};
use crate::approx::Approx;
use crate::ast::{SmvBinaryOp, SmvExprId, SmvFunction};
use crate::scope::{Typed, ValueSort};

/// The most members a range may have where it is a set.
const LARGEST_SET: i64 = 1 << 16;

impl SmvLowering<'_> {
    /// An operator on two lowered operands; `spans` are theirs and that of the whole.
    pub(super) fn binary(
        &mut self,
        op: SmvBinaryOp,
        a: Typed,
        b: Typed,
        spans: [Span; 3],
    ) -> Option<Typed> {
        use SmvBinaryOp as B;
        let (a, b) = match op {
            B::Equal | B::Unequal | B::In | B::Union => self.adapted_pair(a, b),
            _ => (a, b),
        };
        // Equality, membership and union are the same for words as for other values.
        let of_words = !matches!(op, B::Equal | B::Unequal | B::In | B::Union);
        if of_words && (a.sort.is_word() || b.sort.is_word()) {
            return self.word_binary(op, a, b, spans);
        }
        match op {
            B::And => self.logical(TermOp::And, a, b, spans),
            B::Or => self.logical(TermOp::Or, a, b, spans),
            B::Implies => self.logical(TermOp::Implies, a, b, spans),
            B::Iff | B::Xnor => self.logical(TermOp::Equal, a, b, spans),
            B::Xor => self.logical(TermOp::Unequal, a, b, spans),
            B::Equal | B::Unequal => {
                let (a, b) = (self.one(a, spans[0]), self.one(b, spans[1]));
                let (a, b) = (a?, b?);
                self.comparable(op, &a, &b, spans)?;
                let op = if op == B::Equal {
                    TermOp::Equal
                } else {
                    TermOp::Unequal
                };
                Some(self.condition_of(op, a, b, spans[2]))
            }
            B::Less => self.order(TermOp::Less, a, b, spans),
            B::LessEqual => self.order(TermOp::LessEqual, a, b, spans),
            B::Greater => self.order(TermOp::Greater, a, b, spans),
            B::GreaterEqual => self.order(TermOp::GreaterEqual, a, b, spans),
            B::In => {
                self.comparable(op, &a, &b, spans)?;
                let term = self.term(Term::Member(a.term, b.term), spans[2]);
                Some(Typed {
                    term,
                    sort: ValueSort::Bool,
                    set: false,
                    values: Approx::none(),
                    reads_next: a.reads_next || b.reads_next,
                    reads_input: a.reads_input || b.reads_input,
                })
            }
            B::Union => self.union(vec![a, b], spans[2]),
            B::Add => self.arithmetic(TermOp::Add, a, b, spans),
            B::Sub => self.arithmetic(TermOp::Sub, a, b, spans),
            B::Mul => self.arithmetic(TermOp::Mul, a, b, spans),
            B::Div => self.arithmetic(TermOp::Div, a, b, spans),
            B::Mod => self.arithmetic(TermOp::Mod, a, b, spans),
            B::Concat | B::ShiftLeft | B::ShiftRight | B::RotateLeft | B::RotateRight => {
                let message = format!(
                    "`{}` is for words, but this is {}",
                    op.sign(),
                    a.sort.adjective()
                );
                self.report.tell(Diagnostic::error(spans[0], message));
                None
            }
            B::Range => unreachable!("ranges are lowered as sets"),
        }
    }

    pub(super) fn condition_of(&mut self, op: TermOp, a: Typed, b: Typed, span: Span) -> Typed {
        Typed {
            term: self.term(Term::Binary(op, a.term, b.term), span),
            sort: ValueSort::Bool,
            set: false,
            values: Approx::none(),
            reads_next: a.reads_next || b.reads_next,
            reads_input: a.reads_input || b.reads_input,
        }
    }

    fn logical(&mut self, op: TermOp, a: Typed, b: Typed, spans: [Span; 3]) -> Option<Typed> {
        let (a, b) = (
            self.want(a, ValueSort::Bool, spans[0]),
            self.want(b, ValueSort::Bool, spans[1]),
        );
        Some(self.condition_of(op, a?, b?, spans[2]))
    }

    fn order(&mut self, op: TermOp, a: Typed, b: Typed, spans: [Span; 3]) -> Option<Typed> {
        let (a, b) = (self.number(a, spans[0]), self.number(b, spans[1]));
        Some(self.condition_of(op, a?, b?, spans[2]))
    }

    fn comparable(
        &mut self,
        op: SmvBinaryOp,
        a: &Typed,
        b: &Typed,
        spans: [Span; 3],
    ) -> Option<()> {
        if a.sort.meets(b.sort) {
            return Some(());
        }
        let message = format!("`{}` compares values of different types", op.sign());
        let diagnostic = Diagnostic::error(spans[2], message)
            .see(spans[0], format!("this is {}", a.sort.adjective()))
            .see(spans[1], format!("this is {}", b.sort.adjective()));
        self.report
            .tell(self.truth_advice(diagnostic, a.sort, b.sort));
        None
    }

    fn arithmetic(&mut self, op: TermOp, a: Typed, b: Typed, spans: [Span; 3]) -> Option<Typed> {
        let (a, b) = match op {
            // Real numbers have no remainder.
            TermOp::Mod => (
                self.want(a, ValueSort::Int, spans[0]),
                self.want(b, ValueSort::Int, spans[1]),
            ),
            _ => (self.number(a, spans[0]), self.number(b, spans[1])),
        };
        let (a, b) = (a?, b?);
        if matches!(op, TermOp::Div | TermOp::Mod) && self.may_be_zero(&b) {
            self.never_zero(&b, spans[1])?;
        }
        if a.sort == ValueSort::Real || b.sort == ValueSort::Real {
            let term = self.term(Term::Binary(op, a.term, b.term), spans[2]);
            return Some(Typed {
                term,
                sort: ValueSort::Real,
                values: Approx::none(),
                reads_next: a.reads_next || b.reads_next,
                reads_input: a.reads_input || b.reads_input,
                ..a
            });
        }
        let Some(values) = a.values.arithmetic(op, &b.values) else {
            return self.overflow(spans[2]);
        };
        let term = self.term(Term::Binary(op, a.term, b.term), spans[2]);
        Some(Typed {
            term,
            values,
            reads_next: a.reads_next || b.reads_next,
            reads_input: a.reads_input || b.reads_input,
            ..a
        })
    }

    fn may_be_zero(&self, divisor: &Typed) -> bool {
        match divisor.sort {
            ValueSort::Real => match *self.model.terms.get(divisor.term) {
                Term::Binary(TermOp::Div, top, _)
                    if self.model.unbounded.fractions.contains(&divisor.term) =>
                {
                    *self.model.terms.get(top) == Term::Const(Value::Int(0))
                }
                _ => true,
            },
            _ => divisor.values.has_zero(),
        }
    }

    /// Sees to it that a divisor is never zero.
    pub(super) fn never_zero(&mut self, divisor: &Typed, span: Span) -> Option<()> {
        if divisor.values.single() == Some(0) {
            self.report
                .tell(Diagnostic::error(span, "This divides by zero"));
            return None;
        }
        let zero = match divisor.sort {
            ValueSort::Word(signed, width) => Value::Word(Word::new(signed, width, 0)),
            _ => Value::Int(0),
        };
        let zero = self.constant(zero, span).term;
        let nonzero = self.term(Term::Binary(TermOp::Unequal, divisor.term, zero), span);
        let otherwise = Diagnostic::error(span, "This divisor can be zero")
            .help("Divide inside a `case` or `? :` whose condition excludes zero.");
        self.oblige(Requirement::Holds(nonzero), otherwise);
        Some(())
    }

    fn overflow(&mut self, span: Span) -> Option<Typed> {
        let diagnostic =
            Diagnostic::error(span, "The value of this expression may not fit 64 bits");
        self.report.tell(diagnostic);
        None
    }

    /// `-a`; of a numeral it is a constant.
    pub(super) fn negate(&mut self, a: Typed, a_span: Span, span: Span) -> Option<Typed> {
        let a = self.number(a, a_span)?;
        if let Term::Const(Value::Int(n)) = *self.model.terms.get(a.term)
            && let Some(n) = n.checked_neg()
        {
            return Some(self.constant(Value::Int(n), span));
        }
        let Some(values) = a.values.negated() else {
            return self.overflow(span);
        };
        let term = self.term(Term::Negate(a.term), span);
        Some(Typed { term, values, ..a })
    }

    /// `{a, b, ..}`
    pub(super) fn set(
        &mut self,
        context: ExprContext,
        members: &[SmvExprId],
        span: Span,
    ) -> Option<Typed> {
        let members: Vec<_> = members
            .iter()
            .map(|&m| deep(|| self.expr(context, m)))
            .collect();
        let members: Option<Vec<Typed>> = members.into_iter().collect();
        self.union(members?, span)
    }

    fn union(&mut self, members: Vec<Typed>, span: Span) -> Option<Typed> {
        let members = self.adapted_list(members);
        let terms = members.iter().map(|m| m.term).collect();
        let mut members = members.into_iter();
        let mut all = members.next()?;
        for member in members {
            let Some(sort) = all.sort.join(member.sort) else {
                let (a, b) = (all.sort, member.sort);
                let message = format!(
                    "The members of a set have different types: one is {}, another is {}",
                    a.adjective(),
                    b.adjective()
                );
                let diagnostic = Diagnostic::error(span, message);
                self.report.tell(self.truth_advice(diagnostic, a, b));
                return None;
            };
            all.sort = sort;
            all.values = all.values.or(&member.values);
            all.reads_next |= member.reads_next;
            all.reads_input |= member.reads_input;
        }
        all.term = self.term(Term::Set(terms), span);
        all.set = true;
        Some(all)
    }

    /// `low..high` as a set.
    pub(super) fn range(
        &mut self,
        context: ExprContext,
        low: SmvExprId,
        high: SmvExprId,
        span: Span,
    ) -> Option<Typed> {
        let low = self.constant_bound(context, low);
        let high = self.constant_bound(context, high);
        let (low, high) = (low?, high?);
        let problem = if low > high {
            format!("The range {low}..{high} is empty")
        } else if high.checked_sub(low).is_none_or(|size| size >= LARGEST_SET) {
            format!("A range has at most {LARGEST_SET} members where it is a set")
        } else {
            let members = (low..=high).map(|n| self.constant(Value::Int(n), span));
            let members = members.collect();
            return self.union(members, span);
        };
        self.report.tell(Diagnostic::error(span, problem));
        None
    }

    /// The value of an expression that must be a constant integer.
    pub(super) fn constant_bound(&mut self, context: ExprContext, id: SmvExprId) -> Option<i64> {
        let span = self.exprs[id].span;
        let typed = self.expr(context, id)?;
        let typed = self.want(typed, ValueSort::Int, span)?;
        let value = typed.values.single();
        if value.is_none() {
            self.report.tell(Diagnostic::error(
                span,
                "A bound must be a constant integer",
            ));
        }
        value
    }

    /// A built-in function.
    pub(super) fn call(
        &mut self,
        context: ExprContext,
        function: SmvFunction,
        arguments: &[SmvExprId],
        span: Span,
    ) -> Option<Typed> {
        let wanted = match function {
            SmvFunction::Count => Some(ValueSort::Bool),
            SmvFunction::Abs | SmvFunction::Max | SmvFunction::Min => Some(ValueSort::Int),
            SmvFunction::Word1 => Some(ValueSort::Bool),
            SmvFunction::ToInt
            | SmvFunction::Bool
            | SmvFunction::Signed
            | SmvFunction::Unsigned
            | SmvFunction::Extend
            | SmvFunction::Resize
            | SmvFunction::Sizeof
            | SmvFunction::Uwconst
            | SmvFunction::Swconst => None,
        };
        let mut values = Vec::new();
        let mut wrong = false;
        for &argument in arguments {
            let here = self.exprs[argument].span;
            let value = deep(|| self.expr(context, argument));
            let value = value.and_then(|value| match wanted {
                Some(sort) => self.want(value, sort, here),
                None => self.one(value, here),
            });
            wrong |= value.is_none();
            values.extend(value);
        }
        if wrong {
            return None;
        }
        match (function, &*values) {
            (SmvFunction::Count, _) => Some(Typed {
                term: self.term(Term::Count(values.iter().map(|v| v.term).collect()), span),
                sort: ValueSort::Int,
                set: false,
                values: Approx::interval(0, values.len() as i64),
                reads_next: values.iter().any(|v| v.reads_next),
                reads_input: values.iter().any(|v| v.reads_input),
            }),
            (SmvFunction::ToInt, [a]) => self.as_integer(a.clone(), arguments[0], span),
            (SmvFunction::Bool, [a]) => self.as_condition(a.clone(), arguments[0], span),
            (SmvFunction::Abs, [a]) => {
                let negated = self.negate(a.clone(), span, span)?;
                let zero = self.constant(Value::Int(0), span);
                self.either(TermOp::Less, [a.clone(), zero], negated, a.clone(), span)
            }
            (SmvFunction::Max, [a, b]) => {
                let compared = [a.clone(), b.clone()];
                self.either(TermOp::Greater, compared, a.clone(), b.clone(), span)
            }
            (SmvFunction::Min, [a, b]) => {
                let compared = [a.clone(), b.clone()];
                self.either(TermOp::Less, compared, a.clone(), b.clone(), span)
            }
            (function, values) => self.word_call(function, values, arguments, span),
        }
    }

    /// `then` where the comparison holds, `otherwise` elsewhere.
    fn either(
        &mut self,
        op: TermOp,
        [left, right]: [Typed; 2],
        then: Typed,
        otherwise: Typed,
        span: Span,
    ) -> Option<Typed> {
        let condition = self.condition_of(op, left, right, span);
        let term = self.term(Term::Ite(condition.term, then.term, otherwise.term), span);
        Some(Typed {
            term,
            values: then.values.or(&otherwise.values),
            reads_next: condition.reads_next,
            reads_input: condition.reads_input,
            ..then
        })
    }

    fn as_integer(&mut self, a: Typed, argument: SmvExprId, span: Span) -> Option<Typed> {
        if let ValueSort::Word(signed, width) = a.sort {
            return self.word_number(a, signed, width, span);
        }
        if a.sort != ValueSort::Bool {
            return self.want(a, ValueSort::Int, self.exprs[argument].span);
        }
        let (one, zero) = (
            self.constant(Value::Int(1), span),
            self.constant(Value::Int(0), span),
        );
        Some(Typed {
            term: self.term(Term::Ite(a.term, one.term, zero.term), span),
            sort: ValueSort::Int,
            values: Approx::interval(0, 1),
            ..a
        })
    }

    fn as_condition(&mut self, a: Typed, argument: SmvExprId, span: Span) -> Option<Typed> {
        if a.sort == ValueSort::Bool {
            return Some(a);
        }
        if let ValueSort::Word(signed, 1) = a.sort {
            let one = self.constant(Value::Word(Word::new(signed, 1, 1)), span);
            return Some(self.condition_of(TermOp::Equal, a, one, span));
        }
        let a = self.want(a, ValueSort::Int, self.exprs[argument].span)?;
        let zero = self.constant(Value::Int(0), span);
        Some(self.condition_of(TermOp::Unequal, a, zero, span))
    }
}
