//! `case` and `? :`, and the conditions under which their parts matter.

use wherefore_base::{Diagnostic, Span, deep};
use wherefore_model::{BinaryOp as TermOp, Requirement, Term, TermId, Terms};

use super::{ExprContext, SmvLowering};
use crate::ast::{CaseBranch, SmvExprId, SmvExprKind};
use crate::scope::Typed;

/// A condition on the way to an expression.
pub(super) struct GuardOnPath {
    condition: BranchCondition,
    /// The conjunction of all conditions up to this one, once it was asked for.
    all: Option<Option<TermId>>,
}

enum BranchCondition {
    /// This is true.
    Is(TermId),
    /// This is false.
    Not(TermId),
    /// None of these is true: the conditions of the branches before.
    NoneOf {
        conditions: Vec<TermId>,
        /// The disjunction of the first few of them, kept to be extended.
        any: Option<(usize, TermId)>,
    },
}

impl GuardOnPath {
    fn new(condition: BranchCondition) -> Self {
        Self {
            condition,
            all: None,
        }
    }

    fn is(condition: &Typed) -> Self {
        Self::new(BranchCondition::Is(condition.term))
    }

    fn not(condition: &Typed) -> Self {
        Self::new(BranchCondition::Not(condition.term))
    }
}

impl BranchCondition {
    fn term(&mut self, terms: &mut Terms) -> Option<TermId> {
        match self {
            BranchCondition::Is(term) => Some(*term),
            BranchCondition::Not(term) => Some(terms.add(Term::Not(*term), None)),
            BranchCondition::NoneOf { conditions, any } => {
                let (done, so_far) = any.unwrap_or((1, *conditions.first()?));
                let or = |a, &b| terms.add(Term::Binary(TermOp::Or, a, b), None);
                let all = conditions[done..].iter().fold(so_far, or);
                *any = Some((conditions.len(), all));
                Some(terms.add(Term::Not(all), None))
            }
        }
    }
}

impl SmvLowering<'_> {
    /// The conjunction of the conditions on the way to the present expression, if there are any.
    ///
    /// Conjunctions are kept along the way, so that deep nesting does not make them long.
    pub(super) fn path_condition(&mut self) -> Option<TermId> {
        let terms = &mut self.model.terms;
        let known = self.path.iter().rposition(|step| step.all.is_some());
        let mut all = known.and_then(|at| self.path[at].all.flatten());
        for step in &mut self.path[known.map_or(0, |at| at + 1)..] {
            all = match (all, step.condition.term(terms)) {
                (Some(a), Some(b)) => Some(terms.add(Term::Binary(TermOp::And, a, b), None)),
                (a, b) => a.or(b),
            };
            step.all = Some(all);
        }
        all
    }

    /// `condition ? then : otherwise`
    pub(super) fn ternary(
        &mut self,
        context: ExprContext,
        parts: [SmvExprId; 3],
        span: Span,
    ) -> Option<Typed> {
        let [condition, then, otherwise] = parts;
        let condition = deep(|| self.condition(context, condition));
        let then = self.under(condition.as_ref().map(GuardOnPath::is), context, then);
        let otherwise = self.under(condition.as_ref().map(GuardOnPath::not), context, otherwise);
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        self.ite(condition, then, otherwise, span, span)
    }

    /// `case .. esac`: the first branch whose condition is true. Where no condition is the literal
    /// `TRUE`, it remains to be shown that always one is.
    pub(super) fn case(
        &mut self,
        context: ExprContext,
        branches: &[CaseBranch],
        span: Span,
    ) -> Option<Typed> {
        let depth = self.path.len();
        // One entry serves all branches: the conditions that are passed are added to it.
        self.path.push(GuardOnPath::new(BranchCondition::NoneOf {
            conditions: Vec::new(),
            any: None,
        }));
        let mut lowered = Vec::new();
        let mut complete = false;
        for branch in branches {
            let condition = deep(|| self.condition(context, branch.condition));
            let step = condition.as_ref().map(GuardOnPath::is);
            let value = self.under(step, context, branch.value);
            if let Some(condition) = &condition {
                self.passed(depth, condition.term);
            }
            // Branches behind a literal `TRUE` are still read for their mistakes, but are never taken.
            let matters = !complete;
            complete |= self.exprs[branch.condition].kind == SmvExprKind::Bool(true);
            lowered.push((condition, value, branch.span, matters));
        }
        self.path.truncate(depth);
        let mut result: Option<Typed> = None;
        let mut wrong = false;
        let mut conditions = Vec::new();
        for (condition, value, here, matters) in lowered.into_iter().rev() {
            let (Some(condition), Some(value)) = (condition, value) else {
                wrong = true;
                continue;
            };
            if !matters {
                continue;
            }
            conditions.push(condition.term);
            result = match result {
                // The last branch needs no test: its condition is `TRUE`, or that some condition is true
                // remains to be shown.
                None => Some(Typed {
                    reads_next: value.reads_next || condition.reads_next,
                    reads_input: value.reads_input || condition.reads_input,
                    ..value
                }),
                Some(rest) => Some(self.ite(condition, value, rest, here, span)?),
            };
        }
        if wrong {
            return None;
        }
        if !complete {
            conditions.reverse();
            self.exhaustive(&conditions, span);
        }
        result
    }

    /// Notes that what follows is under the negation of the condition of a branch.
    fn passed(&mut self, depth: usize, condition: TermId) {
        let step = &mut self.path[depth];
        if let BranchCondition::NoneOf { conditions, .. } = &mut step.condition {
            conditions.push(condition);
            // The conjunction that was kept lacks this condition.
            step.all = None;
        }
    }

    /// Lowers an expression under one more condition.
    fn under(
        &mut self,
        step: Option<GuardOnPath>,
        context: ExprContext,
        id: SmvExprId,
    ) -> Option<Typed> {
        let depth = self.path.len();
        self.path.extend(step);
        let result = deep(|| self.expr(context, id));
        self.path.truncate(depth);
        result
    }

    /// `here` is the place of the branch, `whole` that of the expression it belongs to.
    pub(super) fn ite(
        &mut self,
        condition: Typed,
        then: Typed,
        otherwise: Typed,
        here: Span,
        whole: Span,
    ) -> Option<Typed> {
        let (then, otherwise) = self.adapted_pair(then, otherwise);
        let Some(sort) = then.sort.join(otherwise.sort) else {
            let (a, b) = (then.sort, otherwise.sort);
            let message = format!(
                "The branches have different types: one is {}, another is {}",
                a.adjective(),
                b.adjective()
            );
            let mut diagnostic = Diagnostic::error(here, message);
            if here != whole {
                diagnostic = diagnostic.because(format!("this one is {}", a.adjective()));
            }
            self.report.tell(self.truth_advice(diagnostic, a, b));
            return None;
        };
        let term = self.term(Term::Ite(condition.term, then.term, otherwise.term), here);
        Some(Typed {
            term,
            sort,
            set: then.set || otherwise.set,
            values: then.values.or(&otherwise.values),
            reads_next: condition.reads_next || then.reads_next || otherwise.reads_next,
            reads_input: condition.reads_input || then.reads_input || otherwise.reads_input,
        })
    }

    fn exhaustive(&mut self, conditions: &[TermId], span: Span) {
        let Some((&first, rest)) = conditions.split_first() else {
            return;
        };
        if self.quiet {
            return;
        }
        let terms = &mut self.model.terms;
        let any = rest.iter().fold(first, |a, &b| {
            terms.add(Term::Binary(TermOp::Or, a, b), Some(span))
        });
        let otherwise = Diagnostic::error(span, "The conditions of this `case` are not exhaustive")
            .because("none of the conditions may be true")
            .help("Add a last branch `TRUE : value;` for everything else.");
        self.oblige(Requirement::Holds(any), otherwise);
    }
}
