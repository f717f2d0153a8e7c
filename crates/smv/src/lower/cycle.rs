//! Circular assignments: a variable whose value needs itself in the same state.
//!
//! The graph has the terms as nodes: a term needs its operands, and a variable that is assigned in
//! the same state needs the assigned term. It is searched three times: for present values alone,
//! for initial values, and for next values, where `x := e` also says what `next(x)` is.

use wherefore_base::{Diagnostic, Effort, Span};
use wherefore_model::{Constraint, Model, Requirement, Term, TermId, VarId};

use super::name::show_chain;
use wherefore_syntax::ParseReport;

/// Tells every circular assignment that a search meets.
pub(crate) fn cycles(model: &Model, report: &mut ParseReport, effort: &Effort<'_>) {
    let vars = model.vars.len();
    let assigned = |constraints: &[Constraint]| {
        let mut result: Vec<Option<(TermId, Span)>> = vec![None; vars];
        for constraint in constraints {
            if let Requirement::Assign(var, term) = constraint.requires {
                result[var.index()] = Some((term, constraint.span));
            }
        }
        result
    };
    let (present, init, next) = (
        assigned(&model.invar),
        assigned(&model.init),
        assigned(&model.trans),
    );
    for (part, of_step) in [(&vec![None; vars], false), (&init, false), (&next, true)] {
        if report.failed() {
            return;
        }
        let mut search = CycleSearch {
            model,
            present: &present,
            part,
            of_step,
            marks: vec![[VisitMark::New; 2]; model.terms.len()],
            vars: Vec::new(),
        };
        for var in model.vars.ids() {
            search.from(var, report, effort);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitMark {
    New,
    /// On the way to the present node; so many variables stand up to it, with the one whose value it is.
    Open(usize),
    Done,
}

/// A term, and whether the variables in it are meant in the state the search is about.
///
/// In a search about next states, `Var` in a step's term is in the present state and leads nowhere,
/// but in the term of `x := e` it is in the same state as `x`.
type DependencyNode = (TermId, bool);

struct CycleSearch<'a> {
    model: &'a Model,
    present: &'a [Option<(TermId, Span)>],
    part: &'a [Option<(TermId, Span)>],
    of_step: bool,
    marks: Vec<[VisitMark; 2]>,
    /// The variables on the way to the present node.
    vars: Vec<VarId>,
}

impl CycleSearch<'_> {
    /// The node of what is assigned to a variable in the state the search is about.
    fn value_of(&self, var: VarId) -> Option<DependencyNode> {
        // Nothing is assigned both ways, so that at most one of these is there.
        let part = self.part[var.index()].map(|(term, _)| (term, !self.of_step));
        part.or(self.present[var.index()].map(|(term, _)| (term, true)))
    }

    fn span_of(&self, var: VarId) -> Option<Span> {
        let assigned = self.part[var.index()].or(self.present[var.index()]);
        assigned.map(|(_, span)| span)
    }

    fn mark(&mut self, (term, same): DependencyNode) -> &mut VisitMark {
        &mut self.marks[term.index()][usize::from(same)]
    }

    fn from(&mut self, var: VarId, report: &mut ParseReport, effort: &Effort<'_>) {
        let Some(start) = self.value_of(var) else {
            return;
        };
        if *self.mark(start) != VisitMark::New {
            return;
        }
        // Each entry is a node and, if it was reached through a variable, that variable.
        let mut stack = vec![(start, Some(var), false)];
        while let Some((node, through, leave)) = stack.pop() {
            if effort.spend(0).is_none() {
                return;
            }
            if leave {
                *self.mark(node) = VisitMark::Done;
                if through.is_some() {
                    self.vars.pop();
                }
                continue;
            }
            match *self.mark(node) {
                VisitMark::Done => continue,
                VisitMark::Open(upto) => {
                    self.tell(upto, through, report);
                    continue;
                }
                VisitMark::New => {}
            }
            if let Some(var) = through {
                self.vars.push(var);
            }
            *self.mark(node) = VisitMark::Open(self.vars.len());
            stack.push((node, through, true));
            let (id, same) = node;
            match self.model.terms.get(id) {
                Term::Var(var) if same => {
                    stack.extend(self.value_of(*var).map(|node| (node, Some(*var), false)));
                }
                Term::Next(var) if self.of_step => {
                    stack.extend(self.value_of(*var).map(|node| (node, Some(*var), false)));
                }
                term => stack.extend(
                    term.operands()
                        .map(|operand| ((operand, same), None, false)),
                ),
            }
        }
    }

    /// Tells a cycle: the variables after the first so many, and the one that leads back, if one does. A definition that
    /// several variables share may lead back, too; terms alone make no cycle, so that there is always a variable.
    fn tell(&self, upto: usize, back: Option<VarId>, report: &mut ParseReport) {
        let cycle = back.into_iter().chain(self.vars[upto..].iter().copied());
        let cycle: Vec<VarId> = cycle.collect();
        let Some((first, span)) = cycle
            .first()
            .and_then(|&var| Some((var, self.span_of(var)?)))
        else {
            return;
        };
        let name = &*self.model.vars[first].name;
        let vars = cycle.iter().map(|var| &*self.model.vars[*var].name);
        let chain: Vec<&str> = vars.chain([name]).collect();
        let message = format!("`{name}` is recursively defined");
        report.tell(Diagnostic::error(span, message).because(show_chain(&chain)));
    }
}
