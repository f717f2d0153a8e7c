//! Declarations of signatures and fields, and the order in which everything is resolved.

use wherefore_base::{Diagnostic, Span, deep};

use super::{ResolveContext, Resolver};
use crate::ast::{self, Parent};
use crate::model::{AlloyModel, AlloyPlace, Field, FieldDecl, FieldId, Sig, SigId};
use crate::types::{AlloyType, Hierarchy};

impl Resolver<'_, '_> {
    /// Everything, in order.
    pub(super) fn declare_all(&mut self) {
        if self.world.report.failed() {
            return;
        }
        self.sigs();
        if self.world.report.failed() || self.given_up() {
            return;
        }
        for instance in 0..self.world.instances.len() {
            self.macros(instance);
        }
        let order = self.sigs_in_order();
        // Parameters of functions may speak of fields, and the definitions of fields may call functions. So
        // bounded fields come first, then the headers of functions, then defined fields.
        for &sig in &order {
            self.field_decls(sig, false);
        }
        self.uses_integers = self.speaks_of_integers();
        for instance in 0..self.world.instances.len() {
            self.function_headers(instance);
        }
        for &sig in &order {
            self.field_decls(sig, true);
        }
        self.reject_overlapping_fields();
        if self.given_up() {
            return;
        }
        for instance in 0..self.world.instances.len() {
            self.function_bodies(instance);
            self.assertions(instance);
            self.facts(instance);
            if self.given_up() {
                return;
            }
        }
        self.commands();
    }

    /// The path of an instance before a name of it.
    pub(super) fn label(&self, instance: usize, name: &str) -> String {
        let path = &self.world.instances[instance].path;
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}/{name}")
        }
    }

    fn sigs(&mut self) {
        let nowhere = self.world.sigs.first().map(|declared| declared.name.span);
        let nowhere = nowhere.unwrap_or(Span::new(wherefore_base::FileId::new(0), 0, 0));
        let this = self.world.names.intern("this");
        let built_in = ["univ", "Int", "seq/Int", "String", "none"];
        let mut parents = Vec::new();
        for (index, label) in built_in.into_iter().enumerate() {
            let place = match index {
                AlloyModel::UNIV => AlloyPlace::Top,
                AlloyModel::SEQ_INT => AlloyPlace::Extends(SigId::new(AlloyModel::INT)),
                _ => AlloyPlace::Extends(SigId::new(AlloyModel::UNIV)),
            };
            let var = self.variable(this, AlloyType::default(), nowhere);
            self.model.sigs.push(Sig {
                label: label.to_owned(),
                place,
                children: Vec::new(),
                is_abstract: false,
                mult: None,
                is_enum: false,
                var: false,
                private: false,
                decls: Vec::new(),
                this: var,
                fact: None,
                ty: AlloyType::default(),
                span: nowhere,
            });
        }
        for declared in self.world.sigs.clone() {
            let module = self.world.module(declared.instance);
            let ast = declared.place.map(|place| &module.sigs[place]);
            let place = match ast.map(|sig| &sig.parent) {
                None | Some(Parent::None) => {
                    Some(AlloyPlace::Extends(SigId::new(AlloyModel::UNIV)))
                }
                Some(Parent::Extends(parent)) => self
                    .one_sig(declared.instance, *parent)
                    .map(AlloyPlace::Extends),
                Some(Parent::In { of, exactly }) => {
                    let of = of
                        .iter()
                        .map(|&parent| self.one_sig(declared.instance, parent));
                    let of: Option<Vec<SigId>> = of.collect();
                    let exactly = *exactly;
                    of.map(|of| AlloyPlace::In { of, exactly })
                }
            };
            let var = self.variable(this, AlloyType::default(), declared.name.span);
            let name = self.text(declared.name.symbol).to_owned();
            self.model.sigs.push(Sig {
                label: self.label(declared.instance, &name),
                place: place.unwrap_or(AlloyPlace::Extends(SigId::new(AlloyModel::UNIV))),
                children: Vec::new(),
                is_abstract: ast.is_some_and(|sig| sig.is_abstract),
                mult: ast.and_then(|sig| sig.mult),
                is_enum: ast.is_some_and(|sig| sig.is_enum),
                var: ast.is_some_and(|sig| sig.var),
                private: ast.is_some_and(|sig| sig.private),
                decls: Vec::new(),
                this: var,
                fact: None,
                ty: AlloyType::default(),
                span: declared.name.span,
            });
        }
        self.check_hierarchy();
        // The walks upwards below end only if no signature is above itself.
        if self.world.report.failed() {
            return;
        }
        for sig in self.model.sigs.ids() {
            parents.push(self.model.sigs[sig].extends());
        }
        self.hierarchy = Hierarchy::new(parents, AlloyModel::NONE);
        for sig in self.model.sigs.ids() {
            let ty = deep(|| self.type_of_sig(sig));
            let this = self.model.sigs[sig].this;
            self.model.vars[this].ty = ty.clone();
            self.model.sigs[sig].ty = ty;
            if sig.index() >= AlloyModel::BUILT_IN
                && let Some(parent) = self.model.sigs[sig].extends()
            {
                self.model.sigs[parent].children.push(sig);
            }
        }
        for sig in self.world.exact.clone() {
            if self.model.sigs[sig].var {
                let label = &self.model.sigs[sig].label;
                let message = format!(
                    "`{label}` may change over time, and a module it is given to wants it exact"
                );
                let diagnostic = Diagnostic::error(self.model.sigs[sig].span, message);
                self.world.report.tell(diagnostic);
            }
            if sig.index() >= AlloyModel::BUILT_IN && !self.model.exact.contains(&sig) {
                self.model.exact.push(sig);
            }
        }
    }

    /// The one signature with a name.
    pub(super) fn one_sig(&mut self, instance: usize, name: ast::AlloyIdent) -> Option<SigId> {
        let found = self.world.find_sigs(instance, name.symbol);
        let text = self.text(name.symbol).to_owned();
        match found[..] {
            [one] => Some(one),
            [] => {
                let message = format!("The signature `{text}` is not found");
                let mut diagnostic = Diagnostic::error(name.span, message);
                let instances = self.world.nameable(instance);
                let names = instances
                    .iter()
                    .flat_map(|&i| self.world.instances[i].sigs.keys());
                let names = names
                    .map(|&name| self.text(name))
                    .filter(|other| *other != text);
                let near = wherefore_base::nearest(&text, names, (text.len() / 3).clamp(1, 3));
                if let Some(near) = near {
                    diagnostic = diagnostic.help(format!("Is `{near}` meant?"));
                }
                self.world.report.tell(diagnostic);
                None
            }
            _ => {
                let message = format!("The name `{text}` means several signatures here");
                let diagnostic = Diagnostic::error(name.span, message)
                    .help("Write the name of its module before it, as in `module/name`.");
                self.world.report.tell(diagnostic);
                None
            }
        }
    }

    /// No signature is above itself, none extends a subset, and qualifiers fit.
    fn check_hierarchy(&mut self) {
        for sig in self.model.sigs.ids().skip(AlloyModel::BUILT_IN) {
            let this = &self.model.sigs[sig];
            let (label, span) = (this.label.clone(), this.span);
            if let AlloyPlace::Extends(parent) = this.place {
                let above = &self.model.sigs[parent];
                let message = match parent.index() {
                    AlloyModel::NONE
                    | AlloyModel::STRING
                    | AlloyModel::SEQ_INT
                    | AlloyModel::INT => Some(format!("`{}` cannot be extended", above.label)),
                    _ if matches!(above.place, AlloyPlace::In { .. }) => Some(format!(
                        "`{label}` cannot extend `{}`, which is a subset of others",
                        above.label
                    )),
                    _ => None,
                };
                if let Some(message) = message {
                    let diagnostic = Diagnostic::error(span, message)
                        .help("Use `in` instead of `extends` for a subset.");
                    self.world.report.tell(diagnostic);
                }
            } else if this.is_abstract {
                let message = format!("The subset signature `{label}` cannot be abstract");
                self.world.report.tell(Diagnostic::error(span, message));
            }
        }
        // Depth first, with the signatures on the way marked.
        let count = self.model.sigs.len();
        let mut state = vec![0u8; count];
        for start in self.model.sigs.ids() {
            let mut stack = vec![(start, false)];
            while let Some((sig, leaving)) = stack.pop() {
                if leaving {
                    state[sig.index()] = 2;
                    continue;
                }
                match state[sig.index()] {
                    2 => continue,
                    1 => {
                        let message = format!("`{}` is above itself", self.model.sigs[sig].label);
                        let diagnostic = Diagnostic::error(self.model.sigs[sig].span, message)
                            .help("A signature cannot extend itself, nor be a subset of itself, by way of others either.");
                        self.world.report.tell(diagnostic);
                        return;
                    }
                    _ => {}
                }
                state[sig.index()] = 1;
                stack.push((sig, true));
                match &self.model.sigs[sig].place {
                    AlloyPlace::Extends(parent) => stack.push((*parent, false)),
                    AlloyPlace::In { of, .. } => {
                        // A parent on the way is a cycle; one that is done is not.
                        stack.extend(of.iter().map(|&parent| (parent, false)));
                    }
                    AlloyPlace::Top => {}
                }
            }
        }
    }

    fn type_of_sig(&self, sig: SigId) -> AlloyType {
        match &self.model.sigs[sig].place {
            AlloyPlace::In { of, .. } => {
                let mut ty = AlloyType::default();
                for &parent in of {
                    let above = deep(|| self.type_of_sig(parent));
                    ty = self.hierarchy.merge(&ty, &above);
                }
                ty
            }
            _ => self.hierarchy.of([vec![sig]]),
        }
    }

    /// The signatures with those above them first.
    fn sigs_in_order(&self) -> Vec<SigId> {
        let mut order = Vec::new();
        let mut done = vec![false; self.model.sigs.len()];
        for start in self.model.sigs.ids() {
            let mut stack = vec![(start, false)];
            while let Some((sig, leaving)) = stack.pop() {
                if leaving {
                    if !std::mem::replace(&mut done[sig.index()], true) {
                        order.push(sig);
                    }
                    continue;
                }
                if done[sig.index()] {
                    continue;
                }
                // It is popped again after all signatures above it.
                stack.push((sig, true));
                match &self.model.sigs[sig].place {
                    AlloyPlace::Extends(parent) => stack.push((*parent, false)),
                    AlloyPlace::In { of, .. } => {
                        stack.extend(of.iter().map(|&parent| (parent, false)))
                    }
                    AlloyPlace::Top => {}
                }
            }
        }
        order
    }

    pub(super) fn sig_context(&mut self, sig: SigId) -> (ResolveContext, Option<usize>) {
        let declared = self.world.sigs[sig.index() - AlloyModel::BUILT_IN];
        let mut context = ResolveContext::of(declared.instance);
        context.sig = Some(sig);
        let this = self.model.sigs[sig].this;
        let local = self.local_var(this);
        context.bind(self.model.vars[this].name, local);
        (context, declared.place)
    }

    /// The fields of a signature: those that are bounded, or those that are defined.
    fn field_decls(&mut self, sig: SigId, defined: bool) {
        if sig.index() < AlloyModel::BUILT_IN || self.given_up() {
            return;
        }
        let (mut context, Some(place)) = self.sig_context(sig) else {
            return;
        };
        context.field = Some(defined);
        let module = self.world.module(context.instance);
        let decls = &module.sigs[place].fields;
        for decl in decls.iter().filter(|decl| decl.defined == defined) {
            let bound = if defined {
                let draft = self.visit(&mut context, decl.bound);
                self.settle_set(draft)
            } else {
                self.bound(&mut context, decl.bound)
            };
            self.flush();
            let Some(bound) = bound else {
                self.failed.extend(decl.names.iter().map(|n| n.symbol));
                continue;
            };
            let value = self.model.terms[bound].ty.as_set();
            let ty = self.hierarchy.product(&self.model.sigs[sig].ty, &value);
            let mut fields = Vec::new();
            for name in &decl.names {
                let again = self
                    .fields_of(sig)
                    .chain(fields.iter().copied())
                    .find(|&f| self.model.fields[f].name == name.symbol);
                if let Some(again) = again {
                    let text = self.text(name.symbol);
                    let message = format!("The field `{text}` is declared twice in one signature");
                    let diagnostic = Diagnostic::error(name.span, message)
                        .see(self.model.fields[again].span, "declared here first");
                    self.world.report.tell(diagnostic);
                    continue;
                }
                let field = self.model.fields.push(Field {
                    name: name.symbol,
                    sig,
                    definition: defined.then_some(bound),
                    var: decl.var,
                    private: decl.private,
                    ty: ty.clone(),
                    span: name.span,
                });
                self.fields.entry(name.symbol).or_default().push(field);
                fields.push(field);
            }
            self.model.sigs[sig].decls.push(FieldDecl {
                fields,
                disj: decl.disj,
                disj_value: decl.disj_value,
                bound,
            });
        }
    }

    fn fields_of(&self, sig: SigId) -> impl Iterator<Item = FieldId> + '_ {
        let decls = self.model.sigs[sig].decls.iter();
        decls.flat_map(|decl| decl.fields.iter().copied())
    }

    pub(super) fn speaks_of_integers(&self) -> bool {
        let int = SigId::new(AlloyModel::INT);
        self.model.fields.iter().any(|field| {
            let mut columns = field.ty.products().iter().flatten();
            columns.any(|&sig| sig == int || sig.index() == AlloyModel::SEQ_INT)
        })
    }

    /// Fields with one name must be told apart by the signatures they belong to.
    fn reject_overlapping_fields(&mut self) {
        let mut told = Vec::new();
        for fields in self.fields.values() {
            for (at, &one) in fields.iter().enumerate() {
                let a = &self.model.fields[one];
                let mut others = fields[..at].iter().map(|&other| &self.model.fields[other]);
                // Each field is told once: there may be thousands.
                if let Some(b) = others.find(|b| self.hierarchy.first_columns_overlap(&a.ty, &b.ty))
                {
                    let text = self.text(a.name);
                    let message = format!(
                        "Two signatures that overlap have a field `{text}`: `{}` and `{}`",
                        self.model.sigs[a.sig].label, self.model.sigs[b.sig].label
                    );
                    let diagnostic = Diagnostic::error(a.span, message)
                        .see(b.span, "the other one")
                        .help("Give one of the fields another name.");
                    told.push(diagnostic);
                }
            }
        }
        // The order of the hash table must not show.
        told.sort_by_key(Diagnostic::span);
        told.into_iter().for_each(|d| self.world.report.tell(d));
    }
}
