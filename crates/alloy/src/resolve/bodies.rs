//! What is said with the names that are declared: functions, assertions, facts and commands.

use wherefore_base::{Diagnostic, Span};

use super::{ResolveContext, Resolver};
use crate::ast::{self, CommandTarget};
use crate::model::{
    AlloyTermId, AlloyTermKind, Command, CommandGoal, Fact, Function, ScopeOf, SigScope,
};
use crate::types::AlloyType;

impl Resolver<'_, '_> {
    pub(super) fn macros(&mut self, instance: usize) {
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

    pub(super) fn function_headers(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for function in &module.functions {
            if self.given_up() {
                return;
            }
            let mut context = ResolveContext::of(instance);
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
                self.failed.insert(function.name.symbol);
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
        let names: Vec<ast::AlloyIdent> =
            decls.iter().flat_map(|d| d.names.iter().copied()).collect();
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

    pub(super) fn function_bodies(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for function in &module.functions {
            if self.given_up() {
                return;
            }
            let known = self.world.instances[instance]
                .functions
                .get(&function.name.symbol);
            let id = known.and_then(|ids| {
                // Several functions may have this name: the place tells which one is meant.
                let here = |&&id: &&_| self.model.functions[id].span == function.name.span;
                ids.iter().find(here).copied()
            });
            let Some(id) = id else {
                continue;
            };
            let mut context = ResolveContext::of(instance);
            for var in self.model.functions[id].vars().collect::<Vec<_>>() {
                let local = self.local_var(var);
                context.bind(self.model.vars[var].name, local);
            }
            let body = match self.model.functions[id].result {
                None => self.formula(&mut context, function.body),
                Some(result) => {
                    let body = match self.meta_name(instance, function.body) {
                        Some((name, span)) => {
                            let ty = self.model.terms[result].ty.clone();
                            Some(self.meta_term(name, ty, span))
                        }
                        None => {
                            let draft = self.visit(&mut context, function.body);
                            self.settle_set(draft)
                        }
                    };
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

    fn check_result(&mut self, body: AlloyTermId, result: AlloyTermId) {
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

    pub(super) fn assertions(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for (name, body) in &module.assertions {
            let mut context = ResolveContext::of(instance);
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

    pub(super) fn facts(&mut self, instance: usize) {
        let module = self.world.module(instance);
        for (name, body) in &module.facts {
            let mut context = ResolveContext::of(instance);
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

    pub(super) fn commands(&mut self) {
        // Only the commands of the main module count.
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
                CommandTarget::Formula(body) => {
                    let mut context = ResolveContext::of(0);
                    self.formula(&mut context, body).map(CommandGoal::Formula)
                }
                CommandTarget::Name(name) => self.target(name, command.check),
            };
            // Goal and scopes are both resolved before either counts, so that the mistakes of both are told.
            let scopes = self.scopes(command);
            let (Some(goal), Some(scopes)) = (goal, scopes) else {
                continue;
            };
            let label = match (command.label, command.target) {
                (Some(label), _) => self.text(label.symbol).to_owned(),
                (None, CommandTarget::Name(name)) => self.text(name.symbol).to_owned(),
                (None, CommandTarget::Formula(_)) => format!("{kind}${}", number + 1),
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
        let everything = AlloyTermKind::Block(Vec::new());
        let goal = self.term(everything, AlloyType::formula(), span);
        self.model.commands.push(Command {
            label: "Default".to_owned(),
            check: false,
            goal: CommandGoal::Formula(goal),
            overall: None,
            scoped: false,
            scopes: Vec::new(),
            expect: None,
            follows: false,
            span,
        });
    }

    fn target(&mut self, name: ast::AlloyIdent, check: bool) -> Option<CommandGoal> {
        let text = self.text(name.symbol).to_owned();
        if !check {
            let functions = self.find_functions(0, name.symbol);
            let own = |&id: &_| {
                let functions = self.world.instances[0].functions.values().flatten();
                functions.copied().any(|other| other == id)
            };
            let mine: Vec<_> = functions.iter().copied().filter(own).collect();
            // What the main module declares wins over what it opens.
            let candidates = if mine.is_empty() { functions } else { mine };
            match candidates[..] {
                [one] => return Some(CommandGoal::Function(one)),
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
                    return Some(CommandGoal::Formula(self.model.assertions[found].body));
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
        if let Some(advice) = self.other_target(name, check) {
            self.world.report.tell(diagnostic.help(advice));
            return None;
        }
        let names = names.iter().map(|&name| self.text(name));
        if let Some(near) = wherefore_base::nearest(&text, names, (text.len() / 3).clamp(1, 3)) {
            diagnostic = diagnostic.help(format!("Is `{near}` meant?"));
        }
        self.world.report.tell(diagnostic);
        None
    }

    /// What to do about a name that stands for something else than the command wants.
    fn other_target(&self, name: ast::AlloyIdent, check: bool) -> Option<String> {
        let text = self.text(name.symbol);
        let module = self.world.module(0);
        let asserts = |(other, _): &(Option<ast::AlloyIdent>, _)| {
            other.is_some_and(|other| other.symbol == name.symbol)
        };
        if check && !self.find_functions(0, name.symbol).is_empty() {
            return Some(format!(
                "`{text}` is a predicate or function: write `run {text}`, or `check {{ {text} }}`."
            ));
        }
        if !check && module.assertions.iter().any(asserts) {
            return Some(format!("`{text}` is an assertion: write `check {text}`."));
        }
        if !self.world.find_sigs(0, name.symbol).is_empty() {
            return Some(format!(
                "`{text}` is a signature: write `run {{ some {text} }}`."
            ));
        }
        None
    }

    fn scopes(&mut self, command: &ast::CommandDecl) -> Option<Vec<SigScope>> {
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
            scopes.push(SigScope {
                of,
                exactly: scope.exactly,
                from: scope.from,
                to: scope.to,
                step: scope.step,
                span: scope.span,
            });
        }
        whole.then_some(scopes)
    }
}
