//! What a name may mean where it stands.

use std::rc::Rc;

use wherefore_base::{Span, Symbol};

use super::draft::{DraftId, DraftKind};
use super::{ResolveContext, Resolver};
use crate::model::{AlloyModel, AlloyTermKind, FieldId, FunctionId, SigId};
use crate::types::AlloyType;

impl Resolver<'_, '_> {
    /// A name; with `alone`, a field stands for itself also where `this` would be joined to it.
    pub(super) fn name(
        &mut self,
        context: &ResolveContext,
        name: Symbol,
        alone: bool,
        span: Span,
    ) -> DraftId {
        if !alone && let Some(local) = context.local(name) {
            let kind = self.drafts[local].kind.clone();
            let (ty, weight) = (self.drafts[local].ty.clone(), self.drafts[local].weight);
            return self.draft(kind, ty, weight, span);
        }
        if let Some((instance, place)) = self.find_macro(context, name) {
            return self.draft(
                DraftKind::Macro(instance, place, Vec::new()),
                AlloyType::default(),
                0,
                span,
            );
        }
        let mut candidates = Vec::new();
        for sig in self.world.find_sigs(context.instance, name) {
            let ty = self.model.sigs[sig].ty.clone();
            let what = format!("the signature `{}`", self.model.sigs[sig].label);
            let leaf = self.leaf(AlloyTermKind::Sig(sig), ty, 0, span);
            candidates.push((leaf, Rc::from(what)));
        }
        // Where a field is bounded or a function is declared, functions are not known yet.
        let may_call = match (context.sig, context.field) {
            (Some(_), field) => field != Some(false),
            (None, _) => !context.header,
        };
        if may_call {
            for function in self.find_functions(context.instance, name) {
                self.function_candidates(context, function, span, &mut candidates);
            }
        }
        for field in self.find_fields(context.instance, name) {
            if let Some(candidate) = self.field_candidate(context, field, alone, span) {
                let field = &self.model.fields[field];
                let sig = &self.model.sigs[field.sig].label;
                let what = format!("the field `{}` of `{sig}`", self.text(field.name));
                candidates.push((candidate, Rc::from(what)));
            }
        }
        if candidates.is_empty() {
            if let Some(atom) = self.atom(name, span) {
                return atom;
            }
            return self.unknown(context, name, span);
        }
        self.choice(candidates, span)
    }

    /// The meaning of `this`, if it has one here.
    pub(super) fn this(&mut self, context: &ResolveContext) -> Option<DraftId> {
        let this = self.world.names.intern("this");
        context.local(this)
    }

    fn function_candidates(
        &mut self,
        context: &ResolveContext,
        function: FunctionId,
        span: Span,
        candidates: &mut Vec<(DraftId, Rc<str>)>,
    ) {
        let callee = &self.model.functions[function];
        let kind = if callee.result.is_some() {
            "function"
        } else {
            "predicate"
        };
        let what: Rc<str> = Rc::from(format!("the {kind} `{}`", callee.label));
        // In a signature, `this` may be the first argument.
        let first = callee.vars().next();
        if context.sig.is_some()
            && let (Some(first), Some(this)) = (first, self.this(context))
        {
            let (first, given) = (&self.model.vars[first].ty, self.ty(this));
            if given.has_arity(1) && self.hierarchy.intersects(first, given) {
                // A `this` that is not written is more far-fetched than none.
                let call = self.call(function, vec![this], 1, span);
                candidates.push((call, Rc::clone(&what)));
            }
        }
        let call = self.call(function, Vec::new(), 0, span);
        candidates.push((call, what));
    }

    fn field_candidate(
        &mut self,
        context: &ResolveContext,
        field: FieldId,
        alone: bool,
        span: Span,
    ) -> Option<DraftId> {
        let ty = self.model.fields[field].ty.clone();
        let owner = self.model.fields[field].sig;
        let Some(sig) = context.sig else {
            return Some(self.leaf(AlloyTermKind::Field(field), ty, 0, span));
        };
        if self.is_same_or_below(sig, owner) {
            let leaf = self.leaf(AlloyTermKind::Field(field), ty, 0, span);
            return match self.this(context) {
                Some(this) if !alone => Some(self.plain_join(this, leaf, span)),
                _ => Some(leaf),
            };
        }
        if context.field == Some(false) {
            return None;
        }
        // A field of another signature is more far-fetched than one of this signature.
        Some(self.leaf(AlloyTermKind::Field(field), ty, 1, span))
    }

    /// Whether a signature is another one, extends it, or is a subset of what does.
    fn is_same_or_below(&self, sig: SigId, other: SigId) -> bool {
        let mut waiting = vec![sig];
        while let Some(sig) = waiting.pop() {
            if self.model.is_within(sig, other) {
                return true;
            }
            let mut at = Some(sig);
            while let Some(sig) = at {
                if let crate::model::AlloyPlace::In { of, .. } = &self.model.sigs[sig].place {
                    waiting.extend(of);
                }
                at = self.model.sigs[sig].extends();
            }
        }
        false
    }

    pub(super) fn nameable(&mut self, instance: usize) -> Vec<usize> {
        let world = &self.world;
        let known = self.nameable.entry(instance);
        known.or_insert_with(|| world.nameable(instance)).clone()
    }

    pub(super) fn find_functions(&self, from: usize, name: Symbol) -> Vec<FunctionId> {
        let (places, last) = self.world.places(from, name);
        let Some(last) = self.world.names.find(&last) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for place in places {
            let functions = self.world.instances[place].functions.get(&last);
            for &function in functions.into_iter().flatten() {
                if place == from || !self.model.functions[function].private {
                    found.push(function);
                }
            }
        }
        found
    }

    fn find_fields(&mut self, from: usize, name: Symbol) -> Vec<FieldId> {
        let Some(fields) = self.fields.get(&name).cloned() else {
            return Vec::new();
        };
        let places = self.nameable(from);
        let visible = |&field: &FieldId| {
            let field = &self.model.fields[field];
            // The signatures of the world begin after those that are built in.
            let home = self.world.sigs[field.sig.index() - AlloyModel::BUILT_IN].instance;
            let private = field.private || self.model.sigs[field.sig].private;
            places.contains(&home) && (home == from || !private)
        };
        fields.into_iter().filter(visible).collect()
    }

    fn find_macro(&self, context: &ResolveContext, name: Symbol) -> Option<(usize, usize)> {
        let from = context.instance;
        let (places, last) = self.world.places(from, name);
        let last = self.world.names.find(&last)?;
        places.into_iter().find_map(|instance| {
            let &place = self.world.instances[instance].macros.get(&last)?;
            let private = self.world.module(instance).macros[place].private;
            (instance == from || !private).then_some((instance, place))
        })
    }
}
