//! Words: numbers of a fixed width, and their bits.

use wherefore_base::{Diagnostic, Span, Value, Word};
use wherefore_model::{BinaryOp as TermOp, Requirement, Term, TermId, WordOp};

use super::{ExprContext, SmvLowering};
use crate::approx::Approx;
use crate::ast::{SmvBinaryOp, SmvExprId, SmvFunction, SmvUnaryOp};
use crate::scope::{Typed, ValueSort};

impl SmvLowering<'_> {
    /// An operator on two operands, at least one of which is a word.
    pub(super) fn word_binary(
        &mut self,
        op: SmvBinaryOp,
        a: Typed,
        b: Typed,
        spans: [Span; 3],
    ) -> Option<Typed> {
        use SmvBinaryOp as B;
        let (a, b) = (self.one(a, spans[0]), self.one(b, spans[1]));
        let (a, b) = (a?, b?);
        match op {
            B::Concat => return self.concat(a, b, spans),
            B::ShiftLeft => return self.shift(TermOp::ShiftLeft, a, b, spans),
            B::ShiftRight => return self.shift(TermOp::ShiftRight, a, b, spans),
            B::RotateLeft | B::RotateRight => return self.rotate(op, a, b, spans),
            _ => {}
        }
        if a.sort != b.sort {
            let message = format!("`{}` is for two words of the same type", op.sign());
            let diagnostic = Diagnostic::error(spans[2], message)
                .see(spans[0], format!("this is {}", a.sort.adjective()))
                .see(spans[1], format!("this is {}", b.sort.adjective()));
            self.report.tell(diagnostic);
            return None;
        }
        if matches!(op, B::Div | B::Mod) {
            let surely = matches!(self.model.terms.get(b.term), Term::Const(Value::Word(w)) if w.bits() != 0);
            if !surely {
                self.never_zero(&b, spans[1])?;
            }
        }
        let plain = match op {
            B::Less => Some(TermOp::Less),
            B::LessEqual => Some(TermOp::LessEqual),
            B::Greater => Some(TermOp::Greater),
            B::GreaterEqual => Some(TermOp::GreaterEqual),
            B::Add => Some(TermOp::Add),
            B::Sub => Some(TermOp::Sub),
            B::Mul => Some(TermOp::Mul),
            B::Div => Some(TermOp::Div),
            B::Mod => Some(TermOp::Mod),
            B::And => Some(TermOp::BitAnd),
            B::Or => Some(TermOp::BitOr),
            B::Xor => Some(TermOp::BitXor),
            _ => None,
        };
        let span = spans[2];
        match (plain, op) {
            (Some(op), _) if op.is_condition() => Some(self.condition_of(op, a, b, span)),
            (Some(op), _) => Some(self.word_of(op, a, b, span)),
            (None, B::Implies) => {
                let not = self.complement(a, span);
                Some(self.word_of(TermOp::BitOr, not, b, span))
            }
            (None, B::Iff | B::Xnor) => {
                let differs = self.word_of(TermOp::BitXor, a, b, span);
                Some(self.complement(differs, span))
            }
            _ => {
                let message = format!("`{}` is not for words", op.sign());
                self.report.tell(Diagnostic::error(span, message));
                None
            }
        }
    }

    /// `!a` or `-a`
    pub(super) fn word_unary(
        &mut self,
        op: SmvUnaryOp,
        a: Typed,
        a_span: Span,
        span: Span,
    ) -> Option<Typed> {
        let a = self.one(a, a_span)?;
        match op {
            SmvUnaryOp::Not => Some(self.complement(a, span)),
            SmvUnaryOp::Negate => {
                if let Term::Const(Value::Word(word)) = *self.model.terms.get(a.term) {
                    let zero = Word::new(word.is_signed(), word.width(), 0);
                    let negated = zero.calculate(word, i128::wrapping_sub);
                    return Some(self.constant(Value::Word(negated), span));
                }
                let zero = self.word_constant(a.sort, 0, span);
                Some(self.word_of(TermOp::Sub, zero, a, span))
            }
        }
    }

    /// `of[high:low]`
    pub(super) fn selection(
        &mut self,
        context: ExprContext,
        [of, high, low]: [SmvExprId; 3],
        span: Span,
    ) -> Option<Typed> {
        let (of_span, high_span) = (self.exprs[of].span, self.exprs[high].span);
        let place = high_span.to(self.exprs[low].span);
        let typed = self.expr(context, of)?;
        let typed = self.one(typed, of_span)?;
        let (high, low) = (
            self.constant_bound(context, high),
            self.constant_bound(context, low),
        );
        let (high, low) = (high?, low?);
        let ValueSort::Word(_, width) = typed.sort else {
            return self.no_word(&typed, of_span);
        };
        let places = (u32::try_from(high), u32::try_from(low));
        let (Ok(high), Ok(low)) = places else {
            return self.no_bits(width, place);
        };
        if high < low || high >= width {
            return self.no_bits(width, place);
        }
        Some(self.selected(typed, high, low, span))
    }

    /// A function that makes a word, or is of one.
    pub(super) fn word_call(
        &mut self,
        function: SmvFunction,
        values: &[Typed],
        arguments: &[SmvExprId],
        span: Span,
    ) -> Option<Typed> {
        let a = values.first()?.clone();
        let a_span = self.exprs[arguments[0]].span;
        match function {
            SmvFunction::Word1 => {
                let sort = ValueSort::Word(false, 1);
                let (one, zero) = (
                    self.word_constant(sort, 1, span),
                    self.word_constant(sort, 0, span),
                );
                let term = self.term(Term::Ite(a.term, one.term, zero.term), span);
                return Some(Typed { term, sort, ..a });
            }
            SmvFunction::Uwconst | SmvFunction::Swconst => {
                return self.constant_word(
                    function == SmvFunction::Swconst,
                    values,
                    arguments,
                    span,
                );
            }
            _ => {}
        }
        let ValueSort::Word(signed, width) = a.sort else {
            return self.no_word(&a, a_span);
        };
        match function {
            SmvFunction::Sizeof => Some(self.constant(Value::Int(i64::from(width)), span)),
            SmvFunction::Signed | SmvFunction::Unsigned => {
                let wanted = function == SmvFunction::Signed;
                if signed == wanted {
                    let message = format!("This is {} already", a.sort.adjective());
                    self.report.tell(Diagnostic::error(a_span, message));
                    return None;
                }
                Some(self.converted(a, wanted, width, span))
            }
            _ => {
                let number = self.argument(values, arguments, 1)?;
                let wider = match function {
                    SmvFunction::Extend => number.checked_add(i64::from(width)),
                    _ => Some(number),
                };
                let wider = self.word_width(wider, self.exprs[arguments[1]].span)?;
                if signed && wider < width {
                    // The sign stays, and the lowest bits.
                    let sign = self.selected(a.clone(), width - 1, width - 1, span);
                    let cut = if wider == 1 {
                        sign
                    } else {
                        let rest = self.selected(a, wider - 2, 0, span);
                        self.joined(sign, rest, wider, span)
                    };
                    return Some(self.converted(cut, true, wider, span));
                }
                Some(self.converted(a, signed, wider, span))
            }
        }
    }

    /// The number a word stands for.
    pub(super) fn word_number(
        &mut self,
        a: Typed,
        signed: bool,
        width: u32,
        span: Span,
    ) -> Option<Typed> {
        let unused = i64::BITS - width;
        // Shifted to the right, the extreme values of 64 bits become those of `width` bits.
        let (low, high) = match (signed, unused.checked_sub(1)) {
            (true, _) => (i64::MIN >> unused, i64::MAX >> unused),
            (false, Some(unused)) => (0, i64::MAX >> unused),
            (false, None) => {
                let message = "Not every unsigned word of 64 bits is an integer of 64 bits";
                self.report.tell(
                    Diagnostic::error(span, message)
                        .help("Take fewer of its bits, as in `toint(w[62:0])`."),
                );
                return None;
            }
        };
        Some(Typed {
            term: self.term(Term::Word(WordOp::ToInt, a.term), span),
            sort: ValueSort::Int,
            values: Approx::interval(low, high),
            ..a
        })
    }

    fn constant_word(
        &mut self,
        signed: bool,
        values: &[Typed],
        arguments: &[SmvExprId],
        span: Span,
    ) -> Option<Typed> {
        let number = self.argument(values, arguments, 0)?;
        let width = self.argument(values, arguments, 1)?;
        let width = self.word_width(Some(width), self.exprs[arguments[1]].span)?;
        let word = Word::of_number(signed, width, number.into());
        if word.number() != number.into() {
            let sort = ValueSort::Word(signed, width);
            let message = format!("{number} does not fit {}", sort.adjective());
            self.report.tell(Diagnostic::error(span, message));
            return None;
        }
        Some(self.constant(Value::Word(word), span))
    }

    /// An argument that must be a constant integer.
    fn argument(&mut self, values: &[Typed], arguments: &[SmvExprId], at: usize) -> Option<i64> {
        let span = self.exprs[arguments[at]].span;
        let typed = self.want(values[at].clone(), ValueSort::Int, span)?;
        let number = typed.values.single();
        if number.is_none() {
            let message = "This argument must be a constant integer";
            self.report.tell(Diagnostic::error(span, message));
        }
        number
    }

    fn word_width(&mut self, width: Option<i64>, span: Span) -> Option<u32> {
        let fitting = width.and_then(|width| u32::try_from(width).ok());
        let fitting = fitting.filter(|width| (1..=Word::WIDEST).contains(width));
        if fitting.is_none() {
            let message = format!("A word has from 1 to {} bits", Word::WIDEST);
            self.report.tell(Diagnostic::error(span, message));
        }
        fitting
    }

    fn concat(&mut self, a: Typed, b: Typed, spans: [Span; 3]) -> Option<Typed> {
        let (ValueSort::Word(_, left), ValueSort::Word(_, right)) = (a.sort, b.sort) else {
            let (other, span) = match a.sort.is_word() {
                true => (b, spans[1]),
                false => (a, spans[0]),
            };
            return self.no_word(&other, span);
        };
        let width = self.word_width(Some(i64::from(left) + i64::from(right)), spans[2])?;
        Some(self.joined(a, b, width, spans[2]))
    }

    fn joined(&mut self, a: Typed, b: Typed, width: u32, span: Span) -> Typed {
        let joined = self.word_of(TermOp::Concat, a, b, span);
        Typed {
            sort: ValueSort::Word(false, width),
            ..joined
        }
    }

    /// A shift, by an integer or an unsigned word that is never more than the width.
    fn shift(&mut self, op: TermOp, a: Typed, by: Typed, spans: [Span; 3]) -> Option<Typed> {
        let ValueSort::Word(_, width) = a.sort else {
            return self.no_word(&a, spans[0]);
        };
        let by = self.amount(by, width, spans[1])?;
        let shifted = self.word_of(op, a, by, spans[2]);
        Some(shifted)
    }

    /// `a <<< by` is `(a << by) | (a >> (width - by))`, without signs.
    fn rotate(&mut self, op: SmvBinaryOp, a: Typed, by: Typed, spans: [Span; 3]) -> Option<Typed> {
        let ValueSort::Word(signed, width) = a.sort else {
            return self.no_word(&a, spans[0]);
        };
        let span = spans[2];
        let by = self.amount(by, width, spans[1])?;
        let by = match by.sort {
            ValueSort::Word(signed, size) => self.word_number(by, signed, size, spans[1])?,
            _ => by,
        };
        let whole = self.constant(Value::Int(i64::from(width)), spans[1]);
        let rest = Typed {
            term: self.term(Term::Binary(TermOp::Sub, whole.term, by.term), spans[1]),
            ..by.clone()
        };
        let (out, back) = match op {
            SmvBinaryOp::RotateLeft => (TermOp::ShiftLeft, TermOp::ShiftRight),
            _ => (TermOp::ShiftRight, TermOp::ShiftLeft),
        };
        // A shift of a signed word to the right would fill in copies of its sign.
        let plain = match signed {
            true => self.converted(a, false, width, span),
            false => a,
        };
        let (out, back) = (
            self.word_of(out, plain.clone(), by, span),
            self.word_of(back, plain, rest, span),
        );
        let rotated = self.word_of(TermOp::BitOr, out, back, span);
        Some(match signed {
            true => self.converted(rotated, true, width, span),
            false => rotated,
        })
    }

    /// By how much a word is shifted: from 0 to its width.
    fn amount(&mut self, by: Typed, width: u32, span: Span) -> Option<Typed> {
        let fits = match by.sort {
            ValueSort::Int => {
                let width = i64::from(width);
                let within = by
                    .values
                    .bounds()
                    .is_some_and(|(least, most)| least >= 0 && most <= width);
                (!within).then(|| self.between(by.term, width, span))
            }
            ValueSort::Word(false, size) => {
                // A narrow word may be too small to go beyond the width, and then nothing is left to show.
                let within = u64::MAX >> (u64::BITS - size) <= u64::from(width);
                (!within).then(|| {
                    let most = self.word_constant(by.sort, width.into(), span).term;
                    self.term(Term::Binary(TermOp::LessEqual, by.term, most), span)
                })
            }
            _ => {
                let message = format!(
                    "A word is shifted by an integer or an unsigned word, but this is {}",
                    by.sort.adjective()
                );
                self.report.tell(Diagnostic::error(span, message));
                return None;
            }
        };
        if let Some(fits) = fits {
            let message =
                format!("The word is shifted by less than 0 or more than its {width} bits");
            let otherwise = Diagnostic::error(span, message)
                .help("Shift inside a `case` or `? :` whose condition keeps the number in bounds.");
            self.oblige(Requirement::Holds(fits), otherwise);
        }
        Some(by)
    }

    /// `0 <= term & term <= most`
    fn between(&mut self, term: TermId, most: i64, span: Span) -> TermId {
        let bounds = [(TermOp::GreaterEqual, 0), (TermOp::LessEqual, most)].map(|(op, n)| {
            let bound = self.constant(Value::Int(n), span).term;
            self.term(Term::Binary(op, term, bound), span)
        });
        self.term(Term::Binary(TermOp::And, bounds[0], bounds[1]), span)
    }

    /// A word of the type of the first operand.
    fn word_of(&mut self, op: TermOp, a: Typed, b: Typed, span: Span) -> Typed {
        Typed {
            term: self.term(Term::Binary(op, a.term, b.term), span),
            reads_next: a.reads_next || b.reads_next,
            reads_input: a.reads_input || b.reads_input,
            values: Approx::none(),
            ..a
        }
    }

    fn complement(&mut self, a: Typed, span: Span) -> Typed {
        let ones = self.word_constant(a.sort, u64::MAX, span);
        self.word_of(TermOp::BitXor, a, ones, span)
    }

    fn selected(&mut self, a: Typed, high: u32, low: u32, span: Span) -> Typed {
        let select = WordOp::Select(high, low);
        Typed {
            term: self.term(Term::Word(select, a.term), span),
            sort: ValueSort::Word(false, high - low + 1),
            ..a
        }
    }

    fn converted(&mut self, a: Typed, signed: bool, width: u32, span: Span) -> Typed {
        let convert = WordOp::Convert { signed, width };
        Typed {
            term: self.term(Term::Word(convert, a.term), span),
            sort: ValueSort::Word(signed, width),
            ..a
        }
    }

    fn word_constant(&mut self, sort: ValueSort, bits: u64, span: Span) -> Typed {
        let (signed, width) = match sort {
            ValueSort::Word(signed, width) => (signed, width),
            _ => (false, 1),
        };
        self.constant(Value::Word(Word::new(signed, width, bits)), span)
    }

    fn no_word(&mut self, found: &Typed, span: Span) -> Option<Typed> {
        let message = format!(
            "A word is expected here, but this is {}",
            found.sort.adjective()
        );
        self.report.tell(Diagnostic::error(span, message));
        None
    }

    fn no_bits(&mut self, width: u32, span: Span) -> Option<Typed> {
        let message = format!(
            "The word has the bits {} to 0, the greater place first",
            width - 1
        );
        self.report.tell(Diagnostic::error(span, message));
        None
    }
}
