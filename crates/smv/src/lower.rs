//! Syntax tree to terms: types are checked and names resolved on the way.
//!
//! Each define and each parameter that stands for an expression is lowered once for the present
//! and once for the next state, in whatever context it is used; what it reads is remembered and
//! checked at each use. So the size of the model grows with the text, not with its unfolding.

mod array;
mod chain;
mod choice;
mod constraint;
mod cycle;
mod dialect;
mod linear;
mod name;
mod operator;
mod process;
mod property;
mod word;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, Effort, IndexVec, Span, Value, deep};
use wherefore_model::{BinaryOp as TermOp, Model, Obligation, Requirement, Term, TermId};

pub(crate) use self::constraint::{constraints, unused_parameters};
pub(crate) use self::cycle::cycles;
pub(crate) use self::property::{outside_formula, properties};
use crate::approx::Approx;
use crate::ast::{SmvBinaryOp, SmvExpr, SmvExprId, SmvExprKind, SmvUnaryOp};
use crate::scope::{InstanceId, NamedId, SmvScope, Typed, ValueSort};
use wherefore_syntax::ParseReport;

/// About how many bytes are kept of a term.
const TERM: usize = 64;

/// Which state of a step an expression is read in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Time {
    Now,
    Next,
}

/// What an expression may read at its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadingRules {
    /// Whether it may read the next state.
    pub(crate) next: bool,
    /// Whether it may read inputs.
    pub(crate) input: bool,
    /// The place, as "in an `INIT` constraint".
    pub(crate) place: &'static str,
}

impl ReadingRules {
    /// Everything may be read.
    pub(crate) const fn step(place: &'static str) -> Self {
        Self {
            next: true,
            input: true,
            place,
        }
    }

    /// Only the present state may be read.
    pub(crate) const fn state(place: &'static str) -> Self {
        Self {
            next: false,
            input: false,
            place,
        }
    }
}

/// How an expression is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExprContext {
    pub(crate) instance: InstanceId,
    pub(crate) time: Time,
    pub(crate) rules: ReadingRules,
}

/// Turns expressions into terms of a model. Results are `None` when a mistake was told.
pub(crate) struct SmvLowering<'a> {
    pub(crate) scope: &'a SmvScope,
    /// The tree that is being lowered.
    pub(crate) exprs: &'a IndexVec<SmvExprId, SmvExpr>,
    /// The tree of the model, which the bodies of names are in.
    program: &'a IndexVec<SmvExprId, SmvExpr>,
    pub(crate) model: &'a mut Model,
    pub(crate) report: &'a mut ParseReport,
    pub(crate) effort: &'a Effort<'a>,
    /// The names being lowered, outermost first.
    visiting: Vec<NamedId>,
    /// The same with the time they are read in, for a quick look.
    open: FxHashSet<(NamedId, Time)>,
    /// Whether names were found that need themselves.
    circular: bool,
    /// The conditions under which the present expression matters.
    path: Vec<choice::GuardOnPath>,
    /// Whether obligations are left out, because the same expression has them elsewhere.
    quiet: bool,
    /// Terms that were converted between truth values and integers; whether to truth values.
    conversions: FxHashMap<(TermId, bool), TermId>,
}

impl<'a> SmvLowering<'a> {
    pub(crate) fn new(
        scope: &'a SmvScope,
        exprs: &'a IndexVec<SmvExprId, SmvExpr>,
        program: &'a IndexVec<SmvExprId, SmvExpr>,
        model: &'a mut Model,
        report: &'a mut ParseReport,
        effort: &'a Effort<'a>,
    ) -> Self {
        Self {
            scope,
            exprs,
            program,
            model,
            report,
            effort,
            visiting: Vec::new(),
            open: FxHashSet::default(),
            circular: false,
            path: Vec::new(),
            quiet: false,
            conversions: FxHashMap::default(),
        }
    }

    /// A condition: one truth value.
    pub(crate) fn condition(&mut self, context: ExprContext, id: SmvExprId) -> Option<Typed> {
        let typed = self.expr(context, id)?;
        self.want(typed, ValueSort::Bool, self.exprs[id].span)
    }

    /// An expression with one value, of any sort.
    pub(crate) fn value(&mut self, context: ExprContext, id: SmvExprId) -> Option<TermId> {
        let typed = self.expr(context, id)?;
        let typed = self.one(typed, self.exprs[id].span)?;
        Some(typed.term)
    }

    /// Any expression, sets included.
    ///
    /// Chains of operators lean to the left, so the left spine is walked in a loop.
    pub(crate) fn expr(&mut self, context: ExprContext, id: SmvExprId) -> Option<Typed> {
        let mut spine = Vec::new();
        let mut at = id;
        while let SmvExprKind::Binary(op, left, right) = self.exprs[at].kind
            && op != SmvBinaryOp::Range
        {
            spine.push((op, left, right, self.exprs[at].span));
            at = left;
        }
        self.effort.spend(TERM)?;
        let mut value = deep(|| self.operand(context, at));
        while let Some((op, left, right, span)) = spine.pop() {
            self.effort.spend(TERM)?;
            let other = deep(|| self.expr(context, right));
            let spans = [self.exprs[left].span, self.exprs[right].span, span];
            value = match (value, other) {
                (Some(a), Some(b)) => self.binary(op, a, b, spans),
                _ => None,
            };
        }
        value
    }

    fn operand(&mut self, context: ExprContext, id: SmvExprId) -> Option<Typed> {
        let exprs = self.exprs;
        let span = exprs[id].span;
        match &exprs[id].kind {
            SmvExprKind::Bool(b) => Some(self.constant(Value::Bool(*b), span)),
            SmvExprKind::Int(n) => Some(self.constant(Value::Int(*n), span)),
            SmvExprKind::Word(word) => Some(self.constant(Value::Word(*word), span)),
            SmvExprKind::Fraction(top, bottom) => self.fraction(*top, *bottom, span),
            SmvExprKind::Name(_) | SmvExprKind::SelfName | SmvExprKind::Dot(..) => {
                self.name(context, id)
            }
            SmvExprKind::Index(of, index) => self.element(context, *of, *index, span),
            SmvExprKind::Bits(of, high, low) => self.selection(context, [*of, *high, *low], span),
            SmvExprKind::Array(_) => self.whole_array(span),
            SmvExprKind::Unary(op, a) => {
                let a_span = exprs[*a].span;
                let a = self.expr(context, *a)?;
                match op {
                    _ if a.sort.is_word() => self.word_unary(*op, a, a_span, span),
                    SmvUnaryOp::Not => {
                        let a = self.want(a, ValueSort::Bool, a_span)?;
                        let term = self.model.terms.add(Term::Not(a.term), Some(span));
                        Some(Typed { term, ..a })
                    }
                    SmvUnaryOp::Negate => self.negate(a, a_span, span),
                }
            }
            SmvExprKind::Binary(_, low, high) => self.range(context, *low, *high, span),
            SmvExprKind::Ternary(condition, then, otherwise) => {
                self.ternary(context, [*condition, *then, *otherwise], span)
            }
            SmvExprKind::Case(branches) => self.case(context, branches, span),
            SmvExprKind::Set(members) => self.set(context, members, span),
            SmvExprKind::Next(inner) => self.next(context, *inner, span),
            SmvExprKind::Call(function, arguments) => {
                self.call(context, *function, arguments, span)
            }
            SmvExprKind::Path(..) | SmvExprKind::Linear(..) => {
                let message = format!("A temporal operator cannot be used {}", context.rules.place);
                let diagnostic = Diagnostic::error(span, message)
                    .help("Temporal operators belong to properties, outside of the expressions they speak about.");
                self.report.tell(diagnostic);
                None
            }
        }
    }

    fn next(&mut self, context: ExprContext, inner: SmvExprId, span: Span) -> Option<Typed> {
        if context.time == Time::Next {
            let diagnostic = Diagnostic::error(span, "`next` cannot be nested")
                .help("A constraint speaks of the present and the next state only.");
            self.report.tell(diagnostic);
            return None;
        }
        if !context.rules.next {
            let message = format!("`next` cannot be used {}", context.rules.place);
            self.report.tell(Diagnostic::error(span, message));
            return None;
        }
        let time = Time::Next;
        self.expr(ExprContext { time, ..context }, inner)
    }

    /// A constant.
    fn constant(&mut self, value: Value, span: Span) -> Typed {
        let sort = match value {
            Value::Bool(_) => ValueSort::Bool,
            Value::Int(_) => ValueSort::Int,
            Value::Symbol(_) => ValueSort::Symbolic,
            Value::Word(word) => ValueSort::Word(word.is_signed(), word.width()),
        };
        Typed {
            term: self.model.terms.add(Term::Const(value), Some(span)),
            sort,
            set: false,
            values: Approx::value(value),
            reads_next: false,
            reads_input: false,
        }
    }

    /// A number that is no integer, or is written as if it were none.
    fn fraction(&mut self, top: i64, bottom: i64, span: Span) -> Option<Typed> {
        if self.model.unbounded.is_empty() {
            let diagnostic = Diagnostic::error(
                span,
                "All numbers of this model are integers, and this is a fraction",
            )
            .help("Real numbers are for models with variables of type `real` or `integer`.");
            self.report.tell(diagnostic);
            return None;
        }
        let [top, bottom] = [top, bottom].map(|n| self.constant(Value::Int(n), span));
        // The mark tells a fraction from a division of integers.
        let term = self.term(Term::Binary(TermOp::Div, top.term, bottom.term), span);
        self.model.unbounded.fractions.insert(term);
        Some(Typed {
            term,
            sort: ValueSort::Real,
            values: Approx::none(),
            ..top
        })
    }

    /// Insists on one number.
    fn number(&mut self, typed: Typed, span: Span) -> Option<Typed> {
        match typed.sort {
            ValueSort::Real => self.one(typed, span),
            _ => self.want(typed, ValueSort::Int, span),
        }
    }

    /// Insists on one value of a sort.
    fn want(&mut self, typed: Typed, sort: ValueSort, span: Span) -> Option<Typed> {
        let typed = self.adapted(typed, sort);
        if typed.sort != sort {
            let wanted = match sort {
                ValueSort::Bool => "a truth value".into(),
                other => other.adjective(),
            };
            let message = format!(
                "Here {wanted} is expected, but this is {}",
                typed.sort.adjective()
            );
            let diagnostic = Diagnostic::error(span, message);
            self.report
                .tell(self.truth_advice(diagnostic, typed.sort, sort));
            return None;
        }
        self.one(typed, span)
    }

    /// Insists on one value, not several.
    fn one(&mut self, typed: Typed, span: Span) -> Option<Typed> {
        if typed.set {
            let diagnostic = Diagnostic::error(span, "Here one value is expected, but this is a set of values")
                .help("A set can be the whole value of an assignment, a branch of it, or an operand of `union` and `in`.");
            self.report.tell(diagnostic);
            return None;
        }
        Some(typed)
    }

    /// Adds how truth values are written, where integers and truth values are mixed up.
    fn truth_advice(&self, diagnostic: Diagnostic, a: ValueSort, b: ValueSort) -> Diagnostic {
        match (a, b) {
            (ValueSort::Bool, ValueSort::Int) | (ValueSort::Int, ValueSort::Bool) => diagnostic.help(
                "Truth values are not integers: write `TRUE` and `FALSE`, convert with `toint`, or read an old file with `--smv-dialect old`.",
            ),
            _ => diagnostic,
        }
    }

    /// Adds an obligation under the conditions of the present path.
    fn oblige(&mut self, requires: Requirement, otherwise: Diagnostic) {
        if self.quiet {
            return;
        }
        let when = self.path_condition().into_iter().collect();
        self.model.obligations.push(Obligation {
            requires,
            when,
            otherwise,
        });
    }

    fn term(&mut self, term: Term, span: Span) -> TermId {
        self.model.terms.add(term, Some(span))
    }
}
