//! Opening modules: which are opened under which names, and with which signatures.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Diagnostic, Span, Symbol};

use super::{INTEGERS, MOST_INSTANCES, ModuleWorld, OpenedModule, count};
use crate::ast::{self, AlloyIdent, AlloyModule};
use crate::model::{AlloyModel, SigId};

impl ModuleWorld<'_> {
    /// Opens what a module opens, each as soon as its arguments are known.
    pub(super) fn open_all(
        &mut self,
        number: usize,
        module: &AlloyModule,
        opening: &mut Vec<usize>,
    ) {
        let mut waiting = self.opens(module, number);
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for (alias, open) in waiting {
                if self.effort.spend(256).is_none() || self.report.is_full() {
                    return;
                }
                let found: Vec<Vec<SigId>> = open
                    .arguments
                    .iter()
                    .map(|argument| self.find_sigs(number, argument.symbol))
                    .collect();
                if found.iter().any(Vec::is_empty) {
                    still.push((alias, open));
                    continue;
                }
                let arguments = found.iter().map(|sigs| sigs[0]).collect();
                self.open(number, alias, &open, arguments, opening);
            }
            // Nothing was opened in this turn, so no argument will be found later.
            if still.len() == before {
                for (_, open) in still {
                    self.missing_arguments(number, &open);
                }
                return;
            }
            waiting = still;
        }
    }

    fn missing_arguments(&mut self, number: usize, open: &ast::OpenDecl) {
        for argument in &open.arguments {
            if self.find_sigs(number, argument.symbol).is_empty() {
                let text = self.names.text(argument.symbol);
                let message = format!("The signature `{text}` is not found");
                self.report.tell(Diagnostic::error(argument.span, message));
            }
        }
    }

    fn open(
        &mut self,
        number: usize,
        alias: Symbol,
        open: &ast::OpenDecl,
        arguments: Vec<SigId>,
        opening: &mut Vec<usize>,
    ) {
        let from = self.instances[number].file;
        let Some(file) = self.find(from, open) else {
            return;
        };
        let wanted = self.files[file].module.params.len();
        let text = self.names.text(open.path.symbol).to_owned();
        if wanted != arguments.len() {
            let message = format!(
                "The module `{text}` takes {}, not {}",
                count(wanted, "signature"),
                arguments.len()
            );
            self.report.tell(Diagnostic::error(open.span, message));
            return;
        }
        if arguments.iter().any(|sig| sig.index() == AlloyModel::NONE) {
            let message = "`none` cannot be given to a module";
            self.report.tell(Diagnostic::error(open.span, message));
            return;
        }
        if opening.contains(&file) {
            let message = format!("The module `{text}` opens itself, perhaps by way of others");
            let diagnostic = Diagnostic::error(open.span, message)
                .help("Move what both need into a module of its own.");
            self.report.tell(diagnostic);
            return;
        }
        if self.instances.len() >= MOST_INSTANCES {
            let message = format!("The model opens more than {MOST_INSTANCES} modules");
            self.report.tell(Diagnostic::error(open.span, message));
            return;
        }
        let instance = wherefore_base::deep(|| self.instantiate(file, arguments, opening));
        let private = open.private;
        self.instances[number].opens.push(OpenedModule {
            alias,
            instance,
            private,
        });
    }

    /// What a module opens, each with its alias; integers are opened by every module.
    fn opens(&mut self, module: &AlloyModule, number: usize) -> Vec<(Symbol, ast::OpenDecl)> {
        let mut list: Vec<ast::OpenDecl> = module.opens.clone();
        let top = module
            .name
            .map_or(Span::new(self.main, 0, 0), |name| name.span);
        let mut implicit = |path: &str, alias: &str, span: Span| {
            let path = AlloyIdent {
                symbol: self.names.intern(path),
                span,
            };
            let alias = AlloyIdent {
                symbol: self.names.intern(alias),
                span,
            };
            ast::OpenDecl {
                private: false,
                path,
                arguments: Vec::new(),
                alias: Some(alias),
                span,
            }
        };
        if let Some(span) = module.seq {
            let at = list.partition_point(|open| open.span.start < span.start);
            list.insert(at, implicit("util/sequniv", "seq", span));
        }
        let integer = implicit("util/integer", "integer", top);
        if self.files[self.instances[number].file].name != INTEGERS {
            list.insert(0, integer);
        }
        self.with_aliases(list)
    }

    /// Modules with the names that they are opened as. One without such a name goes by the last part of its path; where
    /// that is taken, by how many are opened before it, as in Alloy.
    fn with_aliases(&mut self, list: Vec<ast::OpenDecl>) -> Vec<(Symbol, ast::OpenDecl)> {
        let mut taken: BTreeMap<Symbol, (Symbol, Vec<Symbol>)> = BTreeMap::new();
        let mut opens: Vec<(Symbol, bool, ast::OpenDecl)> = Vec::new();
        for open in list {
            let arguments: Vec<Symbol> = open.arguments.iter().map(|a| a.symbol).collect();
            let is_word = arguments.is_empty() && !self.names.text(open.path.symbol).contains('/');
            let given = open.alias.map(|alias| alias.symbol);
            let given = given.or(is_word.then_some(open.path.symbol));
            let numbered = format!("open${}", opens.len() + 1);
            let alias = given.unwrap_or_else(|| self.names.intern(&numbered));
            let key = (open.path.symbol, arguments);
            match taken.get(&alias) {
                Some(other) if *other == key => continue,
                Some(_) => {
                    let text = self.names.text(alias);
                    let message = format!("Two different modules are opened as `{text}`");
                    let diagnostic = Diagnostic::error(open.span, message)
                        .help("Give one of them another name with `as`.");
                    self.report.tell(diagnostic);
                    continue;
                }
                None => {}
            }
            taken.insert(alias, key);
            opens.push((alias, given.is_none(), open));
        }
        let mut taken: BTreeSet<Symbol> = taken.into_keys().collect();
        let named = opens.into_iter().map(|(alias, numbered, open)| {
            let path = self.names.text(open.path.symbol);
            let last = path.rsplit('/').next().unwrap_or(path).to_owned();
            let last = self.names.intern(&last);
            match numbered && taken.insert(last) {
                true => (last, open),
                false => (alias, open),
            }
        });
        named.collect()
    }

    /// Gives every instance the path that Alloy calls it by: of all that lead to it one with real names, then the
    /// shortest, then the first in the order of letters.
    pub(super) fn name_instances(&mut self) {
        // First along real names only, then also along numbers, for what is not reached otherwise.
        for numbered in [false, true] {
            let mut seen = vec![false; self.instances.len()];
            let mut level: BTreeMap<usize, String> = BTreeMap::from([(0, String::new())]);
            while !level.is_empty() {
                let mut next: BTreeMap<usize, String> = BTreeMap::new();
                for (&instance, path) in &level {
                    seen[instance] = true;
                    let own = &mut self.instances[instance].path;
                    if own.is_empty() {
                        own.clone_from(path);
                    }
                }
                for (&instance, path) in &level {
                    for opened in &self.instances[instance].opens {
                        let alias = self.names.text(opened.alias);
                        if seen[opened.instance] || (alias.contains('$') && !numbered) {
                            continue;
                        }
                        let longer = match path.as_str() {
                            "" => alias.to_owned(),
                            path => format!("{path}/{alias}"),
                        };
                        let best = next.entry(opened.instance).or_insert(longer.clone());
                        if in_order(&longer) < in_order(best) {
                            *best = longer;
                        }
                    }
                }
                level = next;
            }
        }
    }
}

/// What paths of one length are compared by.
fn in_order(path: &str) -> (String, &str) {
    (path.to_lowercase(), path)
}
