//! The bodies of modules, with inherited ones included.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, Effort, Symbol, deep};

use crate::ast::{ModuleItem, SmvProgramText};
use wherefore_syntax::ParseReport;

/// The items of each module; `ISA` is replaced by the body it names.
pub(crate) struct Bodies<'p> {
    modules: FxHashMap<Symbol, usize>,
    items: Vec<Vec<&'p ModuleItem>>,
}

impl<'p> Bodies<'p> {
    /// The bodies of all modules of a program.
    pub(crate) fn new(
        program: &'p SmvProgramText,
        report: &mut ParseReport,
        effort: &Effort<'_>,
    ) -> Self {
        let mut modules = FxHashMap::default();
        for (index, module) in program.modules.iter().enumerate() {
            let name = module.name;
            if let Some(first) = modules.insert(name.symbol, index) {
                let message = format!(
                    "The module `{}` is declared twice",
                    program.names.text(name.symbol)
                );
                let first = program.modules[first].name.span;
                let diagnostic = Diagnostic::error(name.span, message)
                    .because("declared again here")
                    .see(first, "declared here");
                report.tell(diagnostic);
            }
        }
        let mut bodies = Self {
            modules,
            items: Vec::new(),
        };
        for module in 0..program.modules.len() {
            let mut items = Vec::new();
            let mut seen = FxHashSet::from_iter([module]);
            bodies.include(program, (report, effort), module, &mut seen, &mut items);
            bodies.items.push(items);
        }
        bodies
    }

    /// The module with this name.
    pub(crate) fn find(&self, name: Symbol) -> Option<usize> {
        self.modules.get(&name).copied()
    }

    /// The items of a module in order.
    pub(crate) fn items(&self, module: usize) -> &[&'p ModuleItem] {
        &self.items[module]
    }

    fn include(
        &self,
        program: &'p SmvProgramText,
        (report, effort): (&mut ParseReport, &Effort<'_>),
        module: usize,
        seen: &mut FxHashSet<usize>,
        items: &mut Vec<&'p ModuleItem>,
    ) {
        for item in &program.modules[module].items {
            if effort.spend(size_of::<&ModuleItem>()).is_none() {
                return;
            }
            let ModuleItem::Isa(name) = item else {
                items.push(item);
                continue;
            };
            let text = program.names.text(name.symbol);
            let problem = match self.find(name.symbol) {
                None => format!("There is no module `{text}`"),
                Some(other) if seen.contains(&other) => {
                    format!("The body of `{text}` is already included here")
                }
                Some(other) if !program.modules[other].params.is_empty() => {
                    format!("The module `{text}` has parameters, so its body cannot be included")
                }
                Some(other) => {
                    seen.insert(other);
                    deep(|| self.include(program, (&mut *report, effort), other, seen, items));
                    continue;
                }
            };
            report.tell(Diagnostic::error(name.span, problem));
        }
    }
}
