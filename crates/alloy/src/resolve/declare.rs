//! Declarations: signatures, fields, functions, facts, assertions and commands, in the order in which
//! they may refer to each other.

use wherefore_base::{Diagnostic, Span, deep};

use super::{Context, Resolver};
use crate::ast::{self, Parent, Target};
use crate::model::{
    Command, Fact, Field, FieldDecl, FieldId, Function, Goal, Model, Place, Scope, ScopeOf, Sig,
    SigId, TermKind,
};
use crate::types::{Hierarchy, Type};

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
        let order = self.sigs_in_order();
        for &sig in &order {
            self.field_decls(sig, false);
        }
        self.uses_integers = self.speaks_of_integers();
        for instance in 0..self.world.instances.len() {
            self.macros(instance);
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
    fn label(&self, instance: usize, name: &str) -> String {
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
                Model::UNIV => Place::Top,
                Model::SEQ_INT => Place::Extends(SigId::new(Model::INT)),
                _ => Place::Extends(SigId::new(Model::UNIV)),
            };
            let var = self.variable(this, Type::default(), nowhere);
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
                ty: Type::default(),
                span: nowhere,
            });
        }
        for declared in self.world.sigs.clone() {
            let module = self.world.module(declared.instance);
            let ast = declared.place.map(|place| &module.sigs[place]);
            let place = match ast.map(|sig| &sig.parent) {
                None | Some(Parent::None) => Some(Place::Extends(SigId::new(Model::UNIV))),
                Some(Parent::Extends(parent)) => {
                    self.one_sig(declared.instance, *parent).map(Place::Extends)
                }
                Some(Parent::In { of, exactly }) => {
                    let of = of
                        .iter()
                        .map(|&parent| self.one_sig(declared.instance, parent));
                    let of: Option<Vec<SigId>> = of.collect();
                    let exactly = *exactly;
                    of.map(|of| Place::In { of, exactly })
                }
            };
            let var = self.variable(this, Type::default(), declared.name.span);
            let name = self.text(declared.name.symbol).to_owned();
            self.model.sigs.push(Sig {
                label: self.label(declared.instance, &name),
                place: place.unwrap_or(Place::Extends(SigId::new(Model::UNIV))),
                children: Vec::new(),
                is_abstract: ast.is_some_and(|sig| sig.is_abstract),
                mult: ast.and_then(|sig| sig.mult),
                is_enum: ast.is_some_and(|sig| sig.is_enum),
                var: ast.is_some_and(|sig| sig.var),
                private: ast.is_some_and(|sig| sig.private),
                decls: Vec::new(),
                this: var,
                fact: None,
                ty: Type::default(),
                span: declared.name.span,
            });
        }
        self.check_hierarchy();
        if self.world.report.failed() {
            return;
        }
        for sig in self.model.sigs.ids() {
            parents.push(self.model.sigs[sig].extends());
        }
        self.hierarchy = Hierarchy::new(parents, Model::NONE);
        for sig in self.model.sigs.ids() {
            let ty = deep(|| self.type_of_sig(sig));
            let this = self.model.sigs[sig].this;
            self.model.vars[this].ty = ty.clone();
            self.model.sigs[sig].ty = ty;
            if sig.index() >= Model::BUILT_IN
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
            if sig.index() >= Model::BUILT_IN && !self.model.exact.contains(&sig) {
                self.model.exact.push(sig);
            }
        }
    }

    /// The one signature with a name.
    fn one_sig(&mut self, instance: usize, name: ast::Ident) -> Option<SigId> {
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
        for sig in self.model.sigs.ids().skip(Model::BUILT_IN) {
            let this = &self.model.sigs[sig];
            let (label, span) = (this.label.clone(), this.span);
            if let Place::Extends(parent) = this.place {
                let above = &self.model.sigs[parent];
                let message = match parent.index() {
                    Model::NONE | Model::STRING | Model::SEQ_INT | Model::INT => {
                        Some(format!("`{}` cannot be extended", above.label))
                    }
                    _ if matches!(above.place, Place::In { .. }) => Some(format!(
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
                    Place::Extends(parent) => stack.push((*parent, false)),
                    Place::In { of, .. } => {
                        // A parent on the way is a cycle; one that is done is not.
                        stack.extend(of.iter().map(|&parent| (parent, false)));
                    }
                    Place::Top => {}
                }
            }
        }
    }

    fn type_of_sig(&self, sig: SigId) -> Type {
        match &self.model.sigs[sig].place {
            Place::In { of, .. } => {
                let mut ty = Type::default();
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
                stack.push((sig, true));
                match &self.model.sigs[sig].place {
                    Place::Extends(parent) => stack.push((*parent, false)),
                    Place::In { of, .. } => stack.extend(of.iter().map(|&parent| (parent, false))),
                    Place::Top => {}
                }
            }
        }
        order
    }

    fn sig_context(&mut self, sig: SigId) -> (Context, Option<usize>) {
        let declared = self.world.sigs[sig.index() - Model::BUILT_IN];
        let mut context = Context::of(declared.instance);
        context.sig = Some(sig);
        let this = self.model.sigs[sig].this;
        let local = self.local_var(this);
        context.bind(self.model.vars[this].name, local);
        (context, declared.place)
    }

    /// The fields of a signature: those that are bounded, or those that are defined.
    fn field_decls(&mut self, sig: SigId, defined: bool) {
        if sig.index() < Model::BUILT_IN || self.given_up() {
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
                continue;
            };
            let value = self.model.terms[bound].ty.as_set();
            let ty = self.hierarchy.product(&self.model.sigs[sig].ty, &value);
            let mut fields = Vec::new();
            for name in &decl.names {
                let again = self
                    .fields_of(sig)
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

    fn speaks_of_integers(&self) -> bool {
        let int = SigId::new(Model::INT);
        self.model.fields.iter().any(|field| {
            let mut columns = field.ty.products().iter().flatten();
            columns.any(|&sig| sig == int || sig.index() == Model::SEQ_INT)
        })
    }

    /// Fields with one name must be told apart by the signatures they belong to.
    fn reject_overlapping_fields(&mut self) {
        let mut told = Vec::new();
        for fields in self.fields.values() {
            for (at, &one) in fields.iter().enumerate() {
                for &other in &fields[..at] {
                    let (a, b) = (&self.model.fields[one], &self.model.fields[other]);
                    if self.hierarchy.first_columns_overlap(&a.ty, &b.ty) {
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
        }
        told.sort_by_key(Diagnostic::span);
        told.into_iter().for_each(|d| self.world.report.tell(d));
    }

    fn macros(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for (place, definition) in module.macros.iter().enumerate() {
            let name = definition.name;
            let before = self.world.instances[instance]
                .macros
                .insert(name.symbol, place);
            if before.is_some() {
                let message = format!("The macro `{}` is declared twice", self.text(name.symbol));
                self.world
                    .report
                    .tell(Diagnostic::error(name.span, message));
            }
        }
    }

    fn function_headers(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for function in &module.functions {
            if self.given_up() {
                return;
            }
            let mut context = Context::of(instance);
            context.header = true;
            let mut params = Vec::new();
            let mut whole = true;
            for decl in &function.params {
                match self.binding(&mut context, decl) {
                    Some(binding) => params.push(binding),
                    None => whole = false,
                }
            }
            self.flush();
            let mut result = None;
            if let Some(expr) = function.result {
                result = self.bound(&mut context, expr);
                self.flush();
                whole &= result.is_some();
            }
            self.repeated_params(&function.params);
            if !whole {
                continue;
            }
            let name = self.text(function.name.symbol).to_owned();
            let id = self.model.functions.push(Function {
                label: self.label(instance, &name),
                params,
                result,
                body: None,
                private: function.private,
                span: function.name.span,
            });
            let functions = &mut self.world.instances[instance].functions;
            functions.entry(function.name.symbol).or_default().push(id);
        }
    }

    fn repeated_params(&mut self, decls: &[ast::Decl]) {
        let names: Vec<ast::Ident> = decls.iter().flat_map(|d| d.names.iter().copied()).collect();
        for (at, name) in names.iter().enumerate() {
            if names[..at].iter().any(|other| other.symbol == name.symbol) {
                let message = format!(
                    "The parameter `{}` is declared twice",
                    self.text(name.symbol)
                );
                self.world
                    .report
                    .tell(Diagnostic::error(name.span, message));
            }
        }
    }

    fn function_bodies(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for function in &module.functions {
            if self.given_up() {
                return;
            }
            let known = self.world.instances[instance]
                .functions
                .get(&function.name.symbol);
            let id = known.and_then(|ids| {
                let here = |&&id: &&_| self.model.functions[id].span == function.name.span;
                ids.iter().find(here).copied()
            });
            let Some(id) = id else {
                continue;
            };
            let mut context = Context::of(instance);
            for var in self.model.functions[id].vars().collect::<Vec<_>>() {
                let local = self.local_var(var);
                context.bind(self.model.vars[var].name, local);
            }
            let body = match self.model.functions[id].result {
                None => self.formula(&mut context, function.body),
                Some(result) => {
                    let draft = self.visit(&mut context, function.body);
                    let body = self.settle_set(draft);
                    if let Some(body) = body {
                        self.check_result(body, result);
                    }
                    self.flush();
                    body
                }
            };
            self.model.functions[id].body = body;
        }
    }

    fn check_result(&mut self, body: crate::model::TermId, result: crate::model::TermId) {
        let (given, wanted) = (&self.model.terms[body], &self.model.terms[result]);
        let (shown, declared) = (self.show(&given.ty), self.show(&wanted.ty));
        if !given.ty.has_common_arity(&wanted.ty) {
            let diagnostic = Diagnostic::error(given.span, "The function returns something else")
                .because(format!("this is of type {shown}"))
                .see(wanted.span, format!("{declared} is declared here"));
            self.log.push(diagnostic);
        } else if self.hierarchy.has_tuple(&given.ty)
            && self.hierarchy.has_tuple(&wanted.ty)
            && !self.hierarchy.intersects(&given.ty, &wanted.ty)
        {
            let message = "What the function returns has nothing in common with what is declared";
            let diagnostic = Diagnostic::warning(given.span, message)
                .because(format!("this is of type {shown}"))
                .see(wanted.span, format!("{declared} is declared here"));
            self.log.push(diagnostic);
        }
    }

    fn assertions(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for (name, body) in &module.assertions {
            let mut context = Context::of(instance);
            let Some(term) = self.formula(&mut context, *body) else {
                continue;
            };
            let text = name.map_or(String::new(), |name| self.text(name.symbol).to_owned());
            let place = self.model.assertions.len();
            self.model.assertions.push(Fact {
                label: self.label(instance, &text),
                body: term,
                span: name.map_or(module.exprs[*body].span, |name| name.span),
            });
            if let Some(name) = name {
                let before = self.world.instances[instance]
                    .assertions
                    .insert(name.symbol, place);
                if before.is_some() {
                    let message = format!("The assertion `{text}` is declared twice");
                    self.world
                        .report
                        .tell(Diagnostic::error(name.span, message));
                }
            }
        }
    }

    fn facts(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for (name, body) in &module.facts {
            let mut context = Context::of(instance);
            let Some(term) = self.formula(&mut context, *body) else {
                continue;
            };
            let text = name.map_or(String::new(), |name| self.text(name.symbol).to_owned());
            self.model.facts.push(Fact {
                label: self.label(instance, &text),
                body: term,
                span: name.map_or(module.exprs[*body].span, |name| name.span),
            });
        }
        for (sig, place) in self.world.instances[instance].declared.clone() {
            if let Some(fact) = module.sigs[place].fact {
                let (mut context, _) = self.sig_context(sig);
                let term = self.formula(&mut context, fact);
                self.model.sigs[sig].fact = term;
            }
        }
    }

    fn commands(&mut self) {
        let module = self.world.module(0);
        if module.commands.is_empty() {
            self.default_command();
        }
        for (number, command) in module.commands.iter().enumerate() {
            if self.given_up() {
                return;
            }
            let kind = if command.check { "check" } else { "run" };
            let goal = match command.target {
                Target::Formula(body) => {
                    let mut context = Context::of(0);
                    self.formula(&mut context, body).map(Goal::Formula)
                }
                Target::Name(name) => self.target(name, command.check),
            };
            let scopes = self.scopes(command);
            let (Some(goal), Some(scopes)) = (goal, scopes) else {
                continue;
            };
            let label = match (command.label, command.target) {
                (Some(label), _) => self.text(label.symbol).to_owned(),
                (None, Target::Name(name)) => self.text(name.symbol).to_owned(),
                (None, Target::Formula(_)) => format!("{kind}${}", number + 1),
            };
            self.model.commands.push(Command {
                label,
                check: command.check,
                goal,
                overall: command.overall,
                scoped: command.scoped,
                scopes,
                expect: command.expect,
                follows: command.follows,
                span: command.span,
            });
        }
    }

    /// A file without a command is run as it is.
    fn default_command(&mut self) {
        let file = self.world.main;
        let span = Span::new(file, 0, 0);
        let everything = TermKind::Block(Vec::new());
        let goal = self.term(everything, Type::formula(), span);
        self.model.commands.push(Command {
            label: "Default".to_owned(),
            check: false,
            goal: Goal::Formula(goal),
            overall: None,
            scoped: false,
            scopes: Vec::new(),
            expect: None,
            follows: false,
            span,
        });
    }

    fn target(&mut self, name: ast::Ident, check: bool) -> Option<Goal> {
        let text = self.text(name.symbol).to_owned();
        if !check {
            let functions = self.find_functions(0, name.symbol);
            let own = |&id: &_| {
                let functions = self.world.instances[0].functions.values().flatten();
                functions.copied().any(|other| other == id)
            };
            let mine: Vec<_> = functions.iter().copied().filter(own).collect();
            let candidates = if mine.is_empty() { functions } else { mine };
            match candidates[..] {
                [one] => return Some(Goal::Function(one)),
                [] => {}
                _ => {
                    let message = format!("Several predicates or functions are called `{text}`");
                    self.world
                        .report
                        .tell(Diagnostic::error(name.span, message));
                    return None;
                }
            }
        } else {
            let (places, last) = self.world.places(0, name.symbol);
            if let Some(last) = self.world.names.find(&last) {
                let found = places
                    .iter()
                    .find_map(|&place| self.world.instances[place].assertions.get(&last));
                if let Some(&found) = found {
                    return Some(Goal::Formula(self.model.assertions[found].body));
                }
            }
        }
        let module = self.world.module(0);
        let (what, names): (&str, Vec<_>) = if check {
            let names = module.assertions.iter().filter_map(|(name, _)| *name);
            ("assertion", names.map(|name| name.symbol).collect())
        } else {
            let names = module.functions.iter().map(|function| function.name.symbol);
            ("predicate or function", names.collect())
        };
        if names.contains(&name.symbol) {
            // It is declared, and what is wrong with it was told.
            return None;
        }
        let mut diagnostic =
            Diagnostic::error(name.span, format!("The {what} `{text}` is not found"));
        let names = names.iter().map(|&name| self.text(name));
        if let Some(near) = wherefore_base::nearest(&text, names, (text.len() / 3).clamp(1, 3)) {
            diagnostic = diagnostic.help(format!("Is `{near}` meant?"));
        }
        self.world.report.tell(diagnostic);
        None
    }

    fn scopes(&mut self, command: &ast::Command) -> Option<Vec<Scope>> {
        let mut scopes = Vec::new();
        let mut whole = true;
        for scope in &command.scopes {
            let of = match scope.what {
                ast::Scoped::Int => ScopeOf::Int,
                ast::Scoped::Seq => ScopeOf::Seq,
                ast::Scoped::String => ScopeOf::String,
                ast::Scoped::Steps => ScopeOf::Steps,
                ast::Scoped::Sig(name) => match self.one_sig(0, name) {
                    Some(sig) => ScopeOf::Sig(sig),
                    None => {
                        whole = false;
                        continue;
                    }
                },
            };
            scopes.push(Scope {
                of,
                exactly: scope.exactly,
                from: scope.from,
                to: scope.to,
                span: scope.span,
            });
        }
        whole.then_some(scopes)
    }
}
