//! Opening modules: which are opened under which names, and with which signatures.

use std::collections::BTreeMap;

use wherefore_base::{Diagnostic, Span, Symbol};

use super::{INTEGERS, MOST_INSTANCES, Opened, World, count};
use crate::ast::{self, Ident, Module};
use crate::model::{Model, SigId};

impl World<'_> {
    /// Opens what a module opens, each as soon as its arguments are known.
    pub(super) fn open_all(&mut self, number: usize, module: &Module, opening: &mut Vec<usize>) {
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
            if still.len() == before {
                for (_, open) in still {
                    self.missing_arguments(number, &open);
                }
                return;
            }
            waiting = still;
        }
    }

    fn missing_arguments(&mut self, number: usize, open: &ast::Open) {
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
        open: &ast::Open,
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
        if arguments.iter().any(|sig| sig.index() == Model::NONE) {
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
        let before = &self.instances[number].path;
        let alias_text = self.names.text(alias);
        let path = if before.is_empty() || self.files[file].name == INTEGERS {
            alias_text.to_owned()
        } else {
            format!("{before}/{alias_text}")
        };
        let instance = wherefore_base::deep(|| self.instantiate(file, arguments, path, opening));
        let private = open.private;
        self.instances[number].opens.push(Opened {
            alias,
            instance,
            private,
        });
    }

    /// What a module opens, each with its alias; integers are opened by every module.
    fn opens(&mut self, module: &Module, number: usize) -> Vec<(Symbol, ast::Open)> {
        let mut list: Vec<ast::Open> = module.opens.clone();
        let top = module
            .name
            .map_or(Span::new(self.main, 0, 0), |name| name.span);
        let mut implicit = |path: &str, alias: &str, span: Span| {
            let path = Ident {
                symbol: self.names.intern(path),
                span,
            };
            let alias = Ident {
                symbol: self.names.intern(alias),
                span,
            };
            ast::Open {
                private: false,
                path,
                arguments: Vec::new(),
                alias: Some(alias),
                span,
            }
        };
        if let Some(span) = module.seq {
            list.push(implicit("util/sequniv", "seq", span));
        }
        let integer = implicit("util/integer", "integer", top);
        let is_integer = self.files[self.instances[number].file].name == INTEGERS;
        if !is_integer
            && !list
                .iter()
                .any(|open| open.path.symbol == integer.path.symbol)
        {
            list.push(integer);
        }
        let explicit: Vec<Symbol> = list
            .iter()
            .filter_map(|open| Some(open.alias?.symbol))
            .collect();
        let mut taken: BTreeMap<Symbol, (Symbol, Vec<Symbol>)> = BTreeMap::new();
        let mut opens = Vec::new();
        for (at, open) in list.into_iter().enumerate() {
            let arguments: Vec<Symbol> = open.arguments.iter().map(|a| a.symbol).collect();
            let key = (open.path.symbol, arguments);
            let alias = match open.alias {
                Some(alias) => alias.symbol,
                None => {
                    let path = self.names.text(open.path.symbol);
                    let base = path.rsplit('/').next().unwrap_or(path).to_owned();
                    let base = self.names.intern(&base);
                    if explicit.contains(&base) || taken.contains_key(&base) {
                        self.names.intern(&format!("open${at}"))
                    } else {
                        base
                    }
                }
            };
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
            opens.push((alias, open));
        }
        opens
    }
}
