//! Names in expressions.

use wherefore_base::{Diagnostic, Span, Value, deep};
use wherefore_model::{Term, VarId, VarKind};

use super::{ExprContext, ReadingRules, SmvLowering, Time};
use crate::ast::SmvExprId;
use crate::scope::{Entity, InstanceId, NamedId, Resolved, Typed, Unresolved, ValueSort};
use crate::suggest;

impl SmvLowering<'_> {
    /// What a path means; tells if it means nothing.
    pub(super) fn resolve(&mut self, instance: InstanceId, path: SmvExprId) -> Option<Resolved> {
        let why = match self.scope.resolve(self.exprs, instance, path) {
            Ok(resolved) => return Some(resolved),
            Err(_) if self.report.is_full() => return None,
            Err(why) => why,
        };
        let diagnostic = match why {
            Unresolved::Undefined(symbol, span, at) => {
                let names = &self.model.names;
                suggest::undefined(self.scope, names, symbol, span, at, at != instance)
            }
            Unresolved::NoParts(span) => {
                Diagnostic::error(span, "This is no instance of a module and has no parts")
            }
            Unresolved::NoPath => {
                Diagnostic::error(self.exprs[path].span, "A name is expected here")
            }
        };
        self.report.tell(diagnostic);
        None
    }

    /// A name in an expression.
    pub(super) fn name(&mut self, context: ExprContext, path: SmvExprId) -> Option<Typed> {
        let span = self.exprs[path].span;
        match self.resolve(context.instance, path)? {
            Resolved::Constant(symbol) => Some(self.constant(Value::Symbol(symbol), span)),
            Resolved::Entity(Entity::Var(var)) => self.variable(context, var, span),
            Resolved::Entity(Entity::Named(_)) if self.is_array(context, path) => {
                self.whole_array(span)
            }
            Resolved::Entity(Entity::Named(named)) => self.named(context, named, span),
            Resolved::Entity(Entity::Array(_)) => self.whole_array(span),
            Resolved::Entity(Entity::Running(process)) => self.running(context, process, span),
            Resolved::Entity(Entity::Instance(_)) => {
                let diagnostic = Diagnostic::error(span, "An instance of a module has no value")
                    .help("Name a variable or define in it, as in `instance.variable`.");
                self.report.tell(diagnostic);
                None
            }
        }
    }

    pub(super) fn variable(
        &mut self,
        context: ExprContext,
        var: VarId,
        span: Span,
    ) -> Option<Typed> {
        let known = &self.scope.vars[var];
        let input = known.kind == VarKind::Input;
        let name = &self.model.vars[var].name;
        let problem = if input && context.time == Time::Next {
            Some(format!("The input `{name}` has no next value"))
        } else if input && !context.rules.input {
            Some(format!(
                "The input `{name}` cannot be used {}",
                context.rules.place
            ))
        } else {
            None
        };
        if let Some(message) = problem {
            let declared = self.model.vars[var].span;
            let diagnostic = Diagnostic::error(span, message)
                .see(declared, "it is declared here")
                .help("Inputs belong to steps, not to states.");
            self.report.tell(diagnostic);
            return None;
        }
        let term = match context.time {
            Time::Now => Term::Var(var),
            Time::Next => Term::Next(var),
        };
        Some(Typed {
            term: self.term(term, span),
            sort: known.sort,
            set: false,
            values: known.values.clone(),
            reads_next: context.time == Time::Next,
            reads_input: input,
        })
    }

    fn named(&mut self, context: ExprContext, id: NamedId, span: Span) -> Option<Typed> {
        // What a name reads shows in its present form, and decides whether it may be read in the next state.
        let now = self.named_at(id, Time::Now, span)?;
        let named = &self.scope.named[id];
        let (name, place) = (&named.name, context.rules.place);
        let problem = match context.time {
            Time::Next if now.reads_next => Some(format!(
                "`next` cannot be nested, but `{name}` contains `next`"
            )),
            Time::Next if now.reads_input => {
                Some(format!("`{name}` reads an input and has no next value"))
            }
            Time::Now if now.reads_next && !context.rules.next => Some(format!(
                "`{name}` contains `next` and cannot be used {place}"
            )),
            Time::Now if now.reads_input && !context.rules.input => Some(format!(
                "`{name}` reads an input and cannot be used {place}"
            )),
            _ => None,
        };
        if let Some(message) = problem {
            let diagnostic =
                Diagnostic::error(span, message).see(named.span, "it is declared here");
            self.report.tell(diagnostic);
            return None;
        }
        match context.time {
            Time::Now => Some(now),
            Time::Next => self.named_at(id, Time::Next, span),
        }
    }

    /// The lowered form of a define or parameter, made on first use.
    pub(super) fn named_at(&mut self, id: NamedId, time: Time, span: Span) -> Option<Typed> {
        let named = &self.scope.named[id];
        let slot = &named.lowered[time as usize];
        if let Some(known) = slot.get() {
            return known.clone();
        }
        if !self.open.insert((id, time)) {
            self.recursive(id, span);
            return None;
        }
        // Bodies of names are in the tree of the model, whichever tree is being lowered.
        let here = std::mem::replace(&mut self.exprs, self.program);
        self.lower_needed(id, time);
        self.visiting.push(id);
        // The lowered form serves all uses, so the conditions around this one must not get into it.
        let path = std::mem::take(&mut self.path);
        let quiet = std::mem::replace(&mut self.quiet, time == Time::Next);
        let context = self.context_of(id, time);
        let lowered = deep(|| self.expr(context, named.body));
        self.quiet = quiet;
        self.path = path;
        self.visiting.pop();
        self.open.remove(&(id, time));
        self.exprs = here;
        slot.get_or_init(|| lowered).clone()
    }

    /// How the body of a define or parameter is read.
    pub(super) fn context_of(&self, id: NamedId, time: Time) -> ExprContext {
        let named = &self.scope.named[id];
        let place = if named.define {
            "in a define"
        } else {
            "in an argument of a module"
        };
        ExprContext {
            instance: named.context,
            time,
            rules: ReadingRules::step(place),
        }
    }

    /// Says that a define needs itself.
    pub(super) fn recursive(&mut self, id: NamedId, span: Span) {
        let name = &self.scope.named[id].name;
        let chain = self.visiting.iter().skip_while(|open| **open != id);
        let mut chain: Vec<&str> = chain.map(|open| &*self.scope.named[*open].name).collect();
        chain.push(name);
        let diagnostic = Diagnostic::error(span, format!("`{name}` is recursively defined"))
            .because(show_chain(&chain))
            .see(self.scope.named[id].span, "it is declared here");
        self.report.tell(diagnostic);
    }

    /// A name for a sort with its article, for messages about a target.
    pub(super) fn sort_of(&self, var: VarId) -> ValueSort {
        self.scope.vars[var].sort
    }
}

/// `a needs b needs a`, shortened in the middle if it is long.
pub(super) fn show_chain(chain: &[&str]) -> String {
    match chain {
        [first, .., last] if chain.len() > 8 => {
            let middle = chain[1..4].join("` needs `");
            format!(
                "`{first}` needs `{middle}` needs, over {} more, `{last}`",
                chain.len() - 5
            )
        }
        _ => format!("`{}`", chain.join("` needs `")),
    }
}
