//! Which of several meanings of a name is meant.

use std::rc::Rc;

use wherefore_base::{Diagnostic, Span};

use super::Resolver;
use super::draft::{DraftId, DraftKind};
use crate::model::{AlloyTermId, AlloyTermKind, FunctionId};
use crate::types::AlloyType;
use crate::world::count;

impl Resolver<'_, '_> {
    /// Takes the one meaning that can matter; the same question is answered once, since nested choices
    /// ask it again and again.
    pub(super) fn choose_once(
        &mut self,
        id: DraftId,
        candidates: Vec<(DraftId, Rc<str>)>,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<AlloyTermId> {
        let key = (id, wanted.clone());
        if let Some((term, told)) = self.chosen.get(&key) {
            // What there was to say is said again: whoever asked before may have dropped it.
            self.log.extend(told.iter().cloned());
            return *term;
        }
        let mark = self.log.len();
        let term = self.choose(candidates, wanted, span);
        let told = self.log[mark..].to_vec();
        self.chosen.insert(key, (term, told));
        term
    }

    /// Takes the one meaning that can matter.
    fn choose(
        &mut self,
        candidates: Vec<(DraftId, Rc<str>)>,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<AlloyTermId> {
        let mut fit: Vec<&(DraftId, Rc<str>)> = candidates
            .iter()
            .filter(|(id, _)| self.matters(self.ty(*id), wanted))
            .collect();
        if fit.is_empty() {
            // Where no meaning has a tuple that matters, the number of columns still tells meanings apart.
            fit = candidates
                .iter()
                .filter(|(id, _)| self.ty(*id).has_common_arity(wanted))
                .collect();
        }
        let lightest = fit.iter().map(|(id, _)| self.drafts[*id].weight).min();
        fit.retain(|(id, _)| Some(self.drafts[*id].weight) == lightest);
        match fit[..] {
            [] => {
                let diagnostic = self.no_meaning(&candidates, wanted, span);
                self.log.push(diagnostic);
                None
            }
            [(one, _)] => self.settle(*one, wanted),
            _ => self.choose_settled(&fit, wanted, span),
        }
    }

    fn matters(&self, own: &AlloyType, wanted: &AlloyType) -> bool {
        (own.is_formula && wanted.is_formula) || self.hierarchy.intersects(own, wanted)
    }

    /// Settles each of several meanings, since that may narrow their types, and takes the one left.
    fn choose_settled(
        &mut self,
        fit: &[&(DraftId, Rc<str>)],
        wanted: &AlloyType,
        span: Span,
    ) -> Option<AlloyTermId> {
        let mut settled = Vec::new();
        for (id, what) in fit {
            // What is said about a meaning counts only if this is the one that is taken.
            let mark = self.log.len();
            let term = self.settle(*id, wanted);
            let told = self.log.split_off(mark);
            if let Some(term) = term {
                settled.push((term, told, Rc::clone(what)));
            }
        }
        if settled
            .iter()
            .any(|(term, ..)| self.matters(self.type_of(*term), wanted))
        {
            let matters = |term: AlloyTermId| self.matters(self.type_of(term), wanted);
            settled.retain(|(term, ..)| matters(*term));
        }
        // What a model declares wins over the module of integers, which is opened unasked.
        let own = |what: &Rc<str>| !what.starts_with("the function `integer/");
        if settled.iter().filter(|(.., what)| own(what)).count() == 1 {
            settled.retain(|(.., what)| own(what));
        }
        if settled.len() == 1 {
            let (term, told, _) = settled.remove(0);
            self.log.extend(told);
            return Some(term);
        }
        let all_empty = settled.iter().all(|(term, ..)| {
            let ty = self.type_of(*term);
            !ty.is_formula && !self.hierarchy.has_tuple(ty)
        });
        let arity = settled
            .first()
            .and_then(|(term, ..)| self.type_of(*term).arity());
        let same = settled
            .iter()
            .all(|(term, ..)| self.type_of(*term).arity() == arity);
        // All meanings are empty here, so it does not matter which one is meant.
        if let Some(arity) = arity
            && all_empty
            && same
        {
            let ty = self.hierarchy.empty(arity);
            return Some(self.term(AlloyTermKind::Empty(arity), ty, span));
        }
        let mut diagnostic = if settled.is_empty() {
            Diagnostic::error(span, "None of the meanings of this name fits here")
        } else {
            Diagnostic::error(span, "This name can mean several things here")
        };
        let whats: Vec<Rc<str>> = if settled.is_empty() {
            fit.iter().map(|(_, what)| Rc::clone(what)).collect()
        } else {
            settled.iter().map(|(_, _, what)| Rc::clone(what)).collect()
        };
        diagnostic = diagnostic.help(format!("It may be {}.", whats.join(", or ")));
        if !settled.is_empty() {
            let advice = "Say which with the name of its module before it, as in `module/name`, or with `Signature <: field`.";
            diagnostic = diagnostic.help(advice);
        }
        self.log.push(diagnostic);
        None
    }

    fn no_meaning(
        &self,
        candidates: &[(DraftId, Rc<str>)],
        wanted: &AlloyType,
        span: Span,
    ) -> Diagnostic {
        if let [(id, _)] = candidates
            && let DraftKind::Partial(function, arguments) = &self.drafts[*id].kind
        {
            return self.misfit(*function, arguments, span);
        }
        let calls = candidates
            .iter()
            .filter_map(|(id, _)| match &self.drafts[*id].kind {
                DraftKind::Partial(function, arguments) => Some((*function, arguments)),
                _ => None,
            });
        let calls: Vec<_> = calls.collect();
        if calls.len() == candidates.len()
            && let Some((function, arguments)) = calls.iter().max_by_key(|(_, a)| a.len())
        {
            let mut diagnostic = self.misfit(*function, arguments, span);
            for (other, _) in calls.iter().filter(|(other, _)| other != function).take(4) {
                let callee = &self.model.functions[*other];
                diagnostic = diagnostic.see(
                    callee.span,
                    format!("`{}` does not fit either", callee.label),
                );
            }
            return diagnostic;
        }
        for (id, _) in candidates {
            if let (1, DraftKind::Bad(reasons)) = (candidates.len(), &self.drafts[*id].kind)
                && let Some(first) = reasons.first()
            {
                return first.clone();
            }
        }
        let whats: Vec<&str> = candidates.iter().map(|(_, what)| &**what).collect();
        let shown = self.show(wanted);
        Diagnostic::error(span, "None of the meanings of this name fits here")
            .because(format!("{shown} is expected"))
            .help(format!("It may be {}.", whats.join(", or ")))
    }

    /// What to say of an argument after all that a function takes.
    pub(super) fn one_too_many(
        &self,
        function: FunctionId,
        argument: DraftId,
        span: Span,
    ) -> Diagnostic {
        let callee = &self.model.functions[function];
        let kind = if callee.result.is_some() {
            "function"
        } else {
            "predicate"
        };
        let wanted = match callee.arity() {
            0 => "no argument".to_string(),
            some => format!("{}, not more", count(some, "argument")),
        };
        let message = format!("The {kind} `{}` takes {wanted}", callee.label);
        Diagnostic::error(span, message)
            .see(self.drafts[argument].span, "this is one too many")
            .see(callee.span, "it is declared here")
    }

    /// Why a call does not fit.
    pub(super) fn misfit(
        &self,
        function: FunctionId,
        arguments: &[DraftId],
        span: Span,
    ) -> Diagnostic {
        let callee = &self.model.functions[function];
        let kind = if callee.result.is_some() {
            "function"
        } else {
            "predicate"
        };
        let label = &callee.label;
        if arguments.len() < callee.arity() {
            let wanted = count(callee.arity(), "argument");
            let message = format!(
                "The {kind} `{label}` takes {wanted}, not {}",
                arguments.len()
            );
            return Diagnostic::error(span, message).see(callee.span, "it is declared here");
        }
        let message = format!("The arguments do not fit the {kind} `{label}`");
        let mut diagnostic = Diagnostic::error(span, message);
        for (param, &argument) in callee.vars().zip(arguments) {
            let (wanted, given) = (&self.model.vars[param].ty, self.ty(argument));
            if !self.hierarchy.intersects(wanted, given) {
                let name = self.text(self.model.vars[param].name);
                let (wanted, given) = (self.show(wanted), self.show(given));
                let place = self.drafts[argument].span;
                let text = format!("`{name}` takes {wanted}, and this is {given}");
                diagnostic = diagnostic.see(place, text);
            }
        }
        diagnostic.see(callee.span, "it is declared here")
    }
}
