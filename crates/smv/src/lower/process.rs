//! Processes: which one runs, and what each assigns.

use std::collections::BTreeMap;

use wherefore_base::{Diagnostic, Span, Value};
use wherefore_model::{BinaryOp as TermOp, Constraint, Requirement, Term, TermId, VarId};

use super::{ExprContext, SmvLowering, Time};
use crate::approx::Approx;
use crate::ast::{AssignKind, SmvExprId};
use crate::scope::{InputMonitor, InstanceId, Typed, ValueSort};

/// What processes assign to the next values of variables.
#[derive(Default)]
pub(super) struct ProcessSteps {
    steps: BTreeMap<VarId, Vec<(InstanceId, Typed, Span)>>,
}

impl ProcessSteps {
    pub(super) fn add(&mut self, var: VarId, process: InstanceId, value: Typed, span: Span) {
        let steps = self.steps.entry(var).or_default();
        steps.push((process, value, span));
    }

    /// Whether a process assigns a variable already.
    pub(super) fn has(&self, var: VarId, process: InstanceId) -> bool {
        let steps = self.steps.get(&var);
        steps.is_some_and(|steps| steps.iter().any(|(other, ..)| *other == process))
    }
}

impl SmvLowering<'_> {
    /// `running` of a process.
    pub(super) fn running(
        &mut self,
        context: ExprContext,
        process: InstanceId,
        span: Span,
    ) -> Option<Typed> {
        let problem = if context.time == Time::Next {
            Some("`running` has no next value".to_owned())
        } else if !context.rules.input {
            let place = context.rules.place;
            Some(format!("`running` cannot be used {place}"))
        } else {
            None
        };
        if let Some(message) = problem {
            let diagnostic = Diagnostic::error(span, message)
                .help("Which process runs belongs to steps, not to states.");
            self.report.tell(diagnostic);
            return None;
        }
        let selector = self.scope.processes.as_ref()?.selector;
        Some(Typed {
            term: self.is_process(selector, process, span)?,
            sort: ValueSort::Bool,
            set: false,
            values: Approx::none(),
            reads_next: false,
            reads_input: true,
        })
    }

    /// Joins what processes assign: the one that runs does, and if none of them does the value stays.
    pub(super) fn interleave(&mut self, steps: ProcessSteps) {
        let Some(processes) = &self.scope.processes else {
            return;
        };
        let selector = processes.selector;
        for (var, steps) in steps.steps {
            let Some(&(_, _, span)) = steps.first() else {
                continue;
            };
            let mut term = self.term(Term::Var(var), span);
            for (process, value, span) in steps.into_iter().rev() {
                if let Some(runs) = self.is_process(selector, process, span) {
                    term = self.term(Term::Ite(runs, value.term, term), span);
                }
            }
            let requires = self.assigned(var, term, AssignKind::Next, span);
            self.model.trans.push(Constraint { requires, span });
        }
        if let Some(last) = processes.last {
            let span = self.model.vars[last].span;
            // Before the first step no process has run: `main` stands for that.
            let main = processes.values.get(&InstanceId::new(0)).copied();
            let main = main.map(|main| self.term(Term::Const(Value::Symbol(main)), span));
            let runs = self.term(Term::Var(selector), span);
            self.remember(last, main, runs, span);
        }
    }

    /// A fairness condition that reads inputs, as said of the last step by a state; and of a first state, which no step
    /// leads to. How often it is met for ever does not depend on that.
    pub(super) fn monitored(
        &mut self,
        context: ExprContext,
        expr: SmvExprId,
        monitor: InputMonitor,
        first: bool,
    ) -> Option<Typed> {
        let span = self.exprs[expr].span;
        let condition = self.condition(context, expr)?;
        let term = match monitor {
            InputMonitor::LastProcess => self.said_of_last(condition.term)?,
            InputMonitor::Flag(flag) => {
                let first = self.term(Term::Const(Value::Bool(first)), span);
                self.remember(flag, Some(first), condition.term, span);
                self.term(Term::Var(flag), span)
            }
        };
        Some(Typed {
            term,
            reads_input: false,
            ..condition
        })
    }

    /// Fixes a variable that remembers something of the last step.
    fn remember(&mut self, var: VarId, first: Option<TermId>, then: TermId, span: Span) {
        let assign = |term| Constraint {
            requires: Requirement::Assign(var, term),
            span,
        };
        self.model.init.extend(first.map(assign));
        self.model.trans.push(assign(then));
    }

    /// A condition about which process runs, with the process that ran last in its place.
    fn said_of_last(&mut self, id: TermId) -> Option<TermId> {
        let processes = self.scope.processes.as_ref()?;
        let span = self.model.terms.span(id);
        let term = match *self.model.terms.get(id) {
            Term::Var(var) if var == processes.selector => Term::Var(processes.last?),
            Term::Not(a) => Term::Not(self.said_of_last(a)?),
            Term::Binary(op, a, b) => {
                let a = wherefore_base::deep(|| self.said_of_last(a))?;
                Term::Binary(op, a, self.said_of_last(b)?)
            }
            _ => return Some(id),
        };
        Some(self.model.terms.add(term, span))
    }

    /// The condition that the selector, or what remembers it, is at a process.
    fn is_process(&mut self, selector: VarId, process: InstanceId, span: Span) -> Option<TermId> {
        let value = *self.scope.processes.as_ref()?.values.get(&process)?;
        let selector = self.term(Term::Var(selector), span);
        let value = self.term(Term::Const(Value::Symbol(value)), span);
        Some(self.term(Term::Binary(TermOp::Equal, selector, value), span))
    }
}
