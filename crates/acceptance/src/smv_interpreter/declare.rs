//! What a program declares: instances, processes, variables and arrays of them.

use wherefore_base::Symbol;
use wherefore_smv::ast::{ModuleItem, SmvExprId, SmvModule, TypeDecl, VarSection};

use super::{ArrayTree, SmvInstance, SmvProgram, SmvValue, SmvVariable, word};

impl<'p> SmvProgram<'p> {
    /// Elaborates an instance of a module; without a process that it belongs to it is one.
    pub(super) fn elaborate(
        &mut self,
        module: &str,
        prefix: String,
        params: Vec<(Symbol, SmvExprId, usize)>,
        process: Option<usize>,
    ) -> usize {
        let program = self.program;
        let named = |m: &SmvModule| program.names.text(m.name.symbol) == module;
        let module = program
            .modules
            .iter()
            .position(named)
            .expect("the module exists");
        let here = self.instances.len();
        let process = process.unwrap_or(here);
        self.instances.push(SmvInstance {
            module,
            process,
            prefix: prefix.clone(),
            params,
            children: Vec::new(),
        });
        for item in self.items(module) {
            let ModuleItem::Var(section, ident, kind) = item else {
                continue;
            };
            let name = format!("{prefix}{}", program.names.text(ident.symbol));
            let (module, arguments, process) = match kind {
                TypeDecl::Instance(module, arguments, _) => (module, arguments, Some(process)),
                TypeDecl::Process(module, arguments, _) => (module, arguments, None),
                _ => {
                    let tree = self.declare(here, ident.symbol, name, *section, kind);
                    if let ArrayTree::Array(..) = tree {
                        self.arrays.push((here, ident.symbol, tree));
                    }
                    continue;
                }
            };
            let text = program.names.text(module.symbol);
            let formal = program
                .modules
                .iter()
                .find(|m| m.name.symbol == module.symbol);
            let formal = &formal.expect("the module exists").params;
            let pairs = formal.iter().zip(arguments);
            let params = pairs.map(|(f, &a)| (f.symbol, a, here)).collect();
            let child = self.elaborate(text, format!("{name}."), params, process);
            self.instances[here].children.push((ident.symbol, child));
        }
        here
    }

    /// The items of a module, with those of modules it is a kind of.
    pub(super) fn items(&self, module: usize) -> Vec<&'p ModuleItem> {
        let mut items = Vec::new();
        for item in &self.program.modules[module].items {
            match item {
                ModuleItem::Isa(other) => {
                    let mut modules = self.program.modules.iter();
                    let other = modules.position(|m| m.name.symbol == other.symbol);
                    items.extend(self.items(other.expect("the module exists")));
                }
                _ => items.push(item),
            }
        }
        items
    }

    /// The instances that are processes, `main` first.
    pub(super) fn processes(&self) -> Vec<usize> {
        let instances = self.instances.iter().enumerate();
        let processes = instances.filter(|(at, instance)| instance.process == *at);
        processes.map(|(at, _)| at).collect()
    }

    /// Declares a variable, or the variables of an array.
    fn declare(
        &mut self,
        instance: usize,
        symbol: Symbol,
        name: String,
        section: VarSection,
        kind: &TypeDecl,
    ) -> ArrayTree {
        let domain = match kind {
            TypeDecl::Bool => vec![SmvValue::Bool(false), SmvValue::Bool(true)],
            TypeDecl::Enum(values, _) => values.iter().map(|v| self.datum(v.value)).collect(),
            TypeDecl::Range(low, high) => {
                let low = self.constant(*low, instance);
                let high = self.constant(*high, instance);
                (low..=high).map(SmvValue::Int).collect()
            }
            TypeDecl::Word(signed, width) => {
                let width = self.constant(*width, instance) as usize;
                let words =
                    (0..1_i64 << width).map(|n| SmvValue::Word(*signed, word::bits(n, width)));
                words.collect()
            }
            TypeDecl::Array(low, high, element) => {
                let low = self.constant(*low, instance);
                let high = self.constant(*high, instance);
                let items = (low..=high).map(|index| {
                    let name = format!("{name}[{index}]");
                    self.declare(instance, symbol, name, section, element)
                });
                return ArrayTree::Array(low, items.collect());
            }
            TypeDecl::Instance(..) | TypeDecl::Process(..) => panic!("an array holds values"),
            TypeDecl::Number(..) => panic!("a number without bounds has no list of values"),
        };
        self.variables.push(SmvVariable {
            instance,
            symbol,
            name,
            section,
            domain,
        });
        ArrayTree::Variable(self.variables.len() - 1)
    }
}
