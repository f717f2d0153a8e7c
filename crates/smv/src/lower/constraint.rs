//! Assignments, constraints and fairness.

use wherefore_base::{Diagnostic, Severity, Span};
use wherefore_model::{Constraint, Define, Requirement, Term, TermId, VarId, VarKind};

use super::process::ProcessSteps;
use super::{ExprContext, ReadingRules, SmvLowering, Time};
use crate::ast::{
    Assign, AssignKind, ConstraintKind, ModuleItem, SmvBinaryOp, SmvExprId, SmvExprKind,
};
use crate::declare::Bodies;
use crate::scope::{Entity, InstanceId, Resolved, Typed, ValueSort};

/// What is assigned.
struct Assigned {
    /// Where each variable is assigned, by kind of assignment.
    spans: Vec<[Option<Span>; 3]>,
    /// What processes assign to next values.
    steps: ProcessSteps,
}

/// About how many bytes are kept of a constraint or a define, besides its terms.
const CONSTRAINT: usize = 64;

/// Lowers everything but the properties: defines, assignments, constraints, fairness.
pub(crate) fn constraints(lowerer: &mut SmvLowering<'_>, bodies: &Bodies<'_>) {
    defines(lowerer);
    frozen(lowerer);
    let mut assigned = Assigned {
        spans: vec![[None; 3]; lowerer.model.vars.len()],
        steps: ProcessSteps::default(),
    };
    for instance in lowerer.scope.instances.ids() {
        for item in bodies.items(lowerer.scope.instances[instance].module) {
            if lowerer.report.is_full() || lowerer.effort.spend(CONSTRAINT).is_none() {
                return;
            }
            match item {
                ModuleItem::Assign(assign) => lowerer.assign(instance, assign, &mut assigned),
                ModuleItem::Constraint(kind, expr) => lowerer.constraint(instance, *kind, *expr),
                ModuleItem::Justice(expr) => {
                    // A loop of one step meets the condition, so it closes where a first state says so, too.
                    let fair = lowerer.fair(instance, *expr, true);
                    lowerer
                        .model
                        .fairness
                        .justice
                        .extend(fair.map(|fair| fair.term));
                }
                ModuleItem::Compassion(first, second) => {
                    let (first, second) = (
                        lowerer.fair(instance, *first, false),
                        lowerer.fair(instance, *second, false),
                    );
                    let pair = first.zip(second).map(|(a, b)| (a.term, b.term));
                    lowerer.model.fairness.compassion.extend(pair);
                }
                _ => {}
            }
        }
    }
    lowerer.interleave(assigned.steps);
}

/// Lowers all parameters that nothing used so far.
///
/// A mistake in the argument of a parameter that is never used does no harm, so it is a warning.
pub(crate) fn unused_parameters(lowerer: &mut SmvLowering<'_>) {
    let scope = lowerer.scope;
    for (id, named) in scope.named.entries() {
        let used = named.lowered[Time::Now as usize].get().is_some();
        if named.define || named.alias || used {
            continue;
        }
        if lowerer.effort.spend(0).is_none() {
            return;
        }
        let told = std::mem::take(lowerer.report);
        let obligations = lowerer.model.obligations.len();
        lowerer.named_at(id, Time::Now, named.span);
        let mistakes = std::mem::replace(lowerer.report, told);
        // Nobody uses the value, so nothing has to be shown of it.
        lowerer.model.obligations.truncate(obligations);
        for mut mistake in mistakes.finish() {
            mistake.severity = Severity::Warning;
            let advice = format!(
                "The parameter `{}` is never used, so this does no harm yet.",
                named.name
            );
            lowerer.report.tell(mistake.help(advice));
        }
    }
}

/// Lowers all defines, used or not.
fn defines(lowerer: &mut SmvLowering<'_>) {
    let scope = lowerer.scope;
    for (id, named) in scope.named.entries().filter(|(_, named)| named.define) {
        if lowerer.effort.spend(CONSTRAINT).is_none() {
            return;
        }
        let values = match lowerer.listed(id) {
            Some(values) => values,
            None => vec![(
                named.name.clone(),
                lowerer.named_at(id, Time::Now, named.span),
            )],
        };
        for (name, typed) in values {
            if let Some(typed) = typed.filter(|typed| !typed.set) {
                lowerer.model.defines.push(Define {
                    name,
                    term: typed.term,
                    of_step: typed.reads_next || typed.reads_input,
                });
            }
        }
    }
}

/// Frozen variables keep their values.
fn frozen(lowerer: &mut SmvLowering<'_>) {
    let model = &mut *lowerer.model;
    for var in model.vars.ids() {
        if model.vars[var].kind == VarKind::Frozen {
            let span = model.vars[var].span;
            let term = model.terms.add(Term::Var(var), Some(span));
            let requires = Requirement::Assign(var, term);
            model.trans.push(Constraint { requires, span });
        }
    }
}

impl SmvLowering<'_> {
    fn fair(&mut self, instance: InstanceId, expr: SmvExprId, first: bool) -> Option<Typed> {
        let rules = ReadingRules {
            input: true,
            ..ReadingRules::state("in a fairness constraint")
        };
        let context = ExprContext {
            instance,
            time: Time::Now,
            rules,
        };
        match self.scope.monitors.get(&(instance, expr)) {
            Some(monitor) => self.monitored(context, expr, *monitor, first),
            None => self.condition(context, expr),
        }
    }

    fn assign(&mut self, instance: InstanceId, assign: &Assign, assigned: &mut Assigned) {
        let target = self.assignable(instance, assign);
        if let Some(var) = target {
            self.assigned_once(instance, var, assign, assigned);
        }
        let rules = match assign.kind {
            AssignKind::Present => ReadingRules::state("in the assignment of a present value"),
            AssignKind::Init => ReadingRules::state("in the assignment of an initial value"),
            AssignKind::Next => ReadingRules::step("in an assignment"),
        };
        let context = ExprContext {
            instance,
            time: Time::Now,
            rules,
        };
        let value = self.expr(context, assign.value);
        let (Some(var), Some(value)) = (target, value) else {
            return;
        };
        let wanted = self.sort_of(var);
        let value = self.adapted(value, wanted);
        // Every integer is a real number, but not the other way round.
        if !wanted.meets(value.sort) || (value.sort == ValueSort::Real && wanted != ValueSort::Real)
        {
            return self.wrong_type(var, wanted, value.sort, self.exprs[assign.value].span);
        }
        let span = assign.span;
        let requires = self.assigned(var, value.term, assign.kind, span);
        let cut = matches!(requires, Requirement::Holds(_));
        // Where the approximation fits the variable, nothing is left to show.
        if wanted != ValueSort::Real && !cut && !value.values.fits(&self.scope.vars[var].values) {
            let otherwise = self.misfit(var, assign.span);
            self.oblige(requires, otherwise);
        }
        let constraint = Constraint { requires, span };
        match assign.kind {
            AssignKind::Present => self.model.invar.push(constraint),
            AssignKind::Init => self.model.init.push(constraint),
            AssignKind::Next if self.scope.processes.is_some() => {
                // `interleave` joins this with what other processes assign.
                let process = self.scope.instances[instance].process;
                assigned.steps.add(var, process, value, assign.span);
            }
            AssignKind::Next => self.model.trans.push(constraint),
        }
    }

    /// That a variable has one of the assigned values. Where its bounds were given from outside, a value beyond them
    /// is no mistake: there is no such state.
    pub(super) fn assigned(
        &mut self,
        var: VarId,
        value: TermId,
        kind: AssignKind,
        span: Span,
    ) -> Requirement {
        let ty = &self.scope.vars[var];
        if !ty.cut || ty.values.is_any() || ty.sort == ValueSort::Real {
            return Requirement::Assign(var, value);
        }
        let target = match kind {
            AssignKind::Next => Term::Next(var),
            AssignKind::Init | AssignKind::Present => Term::Var(var),
        };
        let target = self.term(target, span);
        Requirement::Holds(self.term(Term::Member(target, value), span))
    }

    /// The variable an assignment is to, if it may be assigned so.
    fn assignable(&mut self, instance: InstanceId, assign: &Assign) -> Option<VarId> {
        let span = self.exprs[assign.target].span;
        let resolved = match self.exprs[assign.target].kind {
            SmvExprKind::Index(of, index) => {
                let context = ExprContext {
                    instance,
                    time: Time::Now,
                    rules: ReadingRules::state("in an index of an assigned element"),
                };
                Resolved::Entity(Entity::Var(self.assigned_element(context, of, index)?))
            }
            _ => self.resolve(instance, assign.target)?,
        };
        let (what, declared) = match resolved {
            Resolved::Entity(Entity::Var(var)) => {
                let variable = &self.model.vars[var];
                let problem = match (variable.kind, assign.kind) {
                    (VarKind::Input, _) => "is an input and cannot be assigned",
                    (VarKind::Frozen, AssignKind::Next | AssignKind::Present) => {
                        "is frozen: only its initial value can be assigned"
                    }
                    _ => return Some(var),
                };
                (problem, Some(variable.span))
            }
            Resolved::Entity(Entity::Named(named)) => {
                let named = &self.scope.named[named];
                let problem = if named.define {
                    "is a define and cannot be assigned"
                } else {
                    "stands for an expression and cannot be assigned"
                };
                (problem, Some(named.span))
            }
            Resolved::Entity(Entity::Instance(_)) => {
                ("is an instance of a module and cannot be assigned", None)
            }
            Resolved::Entity(Entity::Array(_)) => {
                ("is an array: its elements are assigned one by one", None)
            }
            Resolved::Entity(Entity::Running(_)) => {
                ("says which process runs and cannot be assigned", None)
            }
            Resolved::Constant(_) => ("is a symbolic constant and cannot be assigned", None),
        };
        let text = self.show_path(assign.target);
        let mut diagnostic = Diagnostic::error(span, format!("`{text}` {what}"));
        if let Some(declared) = declared {
            diagnostic = diagnostic.see(declared, "it is declared here");
        }
        self.report.tell(diagnostic);
        None
    }

    fn show_path(&self, path: SmvExprId) -> String {
        match self.exprs[path].kind {
            SmvExprKind::Name(symbol) => self.model.names.text(symbol).to_owned(),
            SmvExprKind::Dot(_, part) => self.model.names.text(part.symbol).to_owned(),
            SmvExprKind::Index(of, _) => self.show_path(of),
            _ => "self".to_owned(),
        }
    }

    /// Tells a second assignment: `x :=` fixes all, `init(x)` and `next(x)` a part each.
    ///
    /// Several processes may assign the next value: whichever runs does.
    fn assigned_once(
        &mut self,
        instance: InstanceId,
        var: VarId,
        assign: &Assign,
        assigned: &mut Assigned,
    ) {
        let spans = &mut assigned.spans[var.index()];
        let process = self.scope.instances[instance].process;
        let apart = self.scope.processes.is_some() && !assigned.steps.has(var, process);
        let clash = match assign.kind {
            AssignKind::Present => spans.iter().flatten().next(),
            AssignKind::Next if apart => spans[AssignKind::Present as usize].iter().next(),
            kind => spans[kind as usize]
                .iter()
                .chain(&spans[AssignKind::Present as usize])
                .next(),
        };
        match clash {
            Some(&first) => {
                let message = format!("`{}` is assigned twice", self.model.vars[var].name);
                let diagnostic = Diagnostic::error(assign.span, message);
                let diagnostic = if first == assign.span {
                    diagnostic.because("assigned here by more than one instance of the module")
                } else {
                    let diagnostic = diagnostic.because("assigned again here");
                    diagnostic.see(first, "assigned here")
                };
                self.report.tell(diagnostic);
            }
            None => spans[assign.kind as usize] = Some(assign.span),
        }
    }

    fn wrong_type(&mut self, var: VarId, wanted: ValueSort, found: ValueSort, span: Span) {
        let variable = &self.model.vars[var];
        let message = format!(
            "`{}` is {}, but the value assigned to it is {}",
            variable.name,
            wanted.adjective(),
            found.adjective()
        );
        let diagnostic = Diagnostic::error(span, message).see(variable.span, "it is declared here");
        self.report
            .tell(self.truth_advice(diagnostic, wanted, found));
    }

    /// What to tell when an assigned value is none of the variable's.
    fn misfit(&self, var: VarId, span: Span) -> Diagnostic {
        let variable = &self.model.vars[var];
        let message = format!(
            "The value {{value}} cannot be assigned to the variable `{}`",
            variable.name
        );
        let diagnostic = Diagnostic::error(span, message).see(variable.span, "it is declared here");
        match self.scope.vars[var].sort {
            ValueSort::Int => diagnostic
                .help("Declare a larger range, or keep the value in it with `case` or `mod`."),
            _ => diagnostic.help("Add the value to the declaration, or assign another one."),
        }
    }

    /// A constraint; the parts of a conjunction are constraints of their own.
    fn constraint(&mut self, instance: InstanceId, kind: ConstraintKind, expr: SmvExprId) {
        let rules = match kind {
            ConstraintKind::Init => ReadingRules::state("in an `INIT` constraint"),
            ConstraintKind::Invar => ReadingRules::state("in an `INVAR` constraint"),
            ConstraintKind::Trans => ReadingRules::step("in a `TRANS` constraint"),
        };
        let context = ExprContext {
            instance,
            time: Time::Now,
            rules,
        };
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            if let SmvExprKind::Binary(SmvBinaryOp::And, a, b) = self.exprs[expr].kind {
                open.extend([b, a]);
                continue;
            }
            let Some(typed) = self.condition(context, expr) else {
                continue;
            };
            let constraint = Constraint {
                requires: Requirement::Holds(typed.term),
                span: self.exprs[expr].span,
            };
            match kind {
                ConstraintKind::Init => self.model.init.push(constraint),
                ConstraintKind::Invar => self.model.invar.push(constraint),
                ConstraintKind::Trans => self.model.trans.push(constraint),
            }
        }
    }
}
