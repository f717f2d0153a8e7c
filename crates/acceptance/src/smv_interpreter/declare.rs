//! What a program declares: instances, processes, variables and arrays of them.

use wherefore_base::Symbol;
use wherefore_smv::ast::{ExprId, Item, Module, Type, VarSection};

use super::{Datum, Instance, Reading, Tree, Variable, word};

impl<'p> Reading<'p> {
    /// Elaborates an instance of a module; without a process that it belongs to it is one.
    pub(super) fn elaborate(
        &mut self,
        module: &str,
        prefix: String,
        params: Vec<(Symbol, ExprId, usize)>,
        process: Option<usize>,
    ) -> usize {
        let program = self.program;
        let named = |m: &Module| program.names.text(m.name.symbol) == module;
        let module = program
            .modules
            .iter()
            .position(named)
            .expect("the module exists");
        let here = self.instances.len();
        let process = process.unwrap_or(here);
        self.instances.push(Instance {
            module,
            process,
            prefix: prefix.clone(),
            params,
            children: Vec::new(),
        });
        for item in self.items(module) {
            let Item::Var(section, ident, kind) = item else {
                continue;
            };
            let name = format!("{prefix}{}", program.names.text(ident.symbol));
            let (module, arguments, process) = match kind {
                Type::Instance(module, arguments, _) => (module, arguments, Some(process)),
                Type::Process(module, arguments, _) => (module, arguments, None),
                _ => {
                    let tree = self.declare(here, ident.symbol, name, *section, kind);
                    if let Tree::Array(..) = tree {
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
    pub(super) fn items(&self, module: usize) -> Vec<&'p Item> {
        let mut items = Vec::new();
        for item in &self.program.modules[module].items {
            match item {
                Item::Isa(other) => {
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
        kind: &Type,
    ) -> Tree {
        let domain = match kind {
            Type::Bool => vec![Datum::Bool(false), Datum::Bool(true)],
            Type::Enum(values, _) => values.iter().map(|v| self.datum(v.value)).collect(),
            Type::Range(low, high) => {
                let low = self.constant(*low, instance);
                let high = self.constant(*high, instance);
                (low..=high).map(Datum::Int).collect()
            }
            Type::Word(signed, width) => {
                let width = self.constant(*width, instance) as usize;
                let words = (0..1_i64 << width).map(|n| Datum::Word(*signed, word::bits(n, width)));
                words.collect()
            }
            Type::Array(low, high, element) => {
                let low = self.constant(*low, instance);
                let high = self.constant(*high, instance);
                let items = (low..=high).map(|index| {
                    let name = format!("{name}[{index}]");
                    self.declare(instance, symbol, name, section, element)
                });
                return Tree::Array(low, items.collect());
            }
            Type::Instance(..) | Type::Process(..) => panic!("an array holds values"),
            Type::Number(..) => panic!("a number without bounds has no list of values"),
        };
        self.variables.push(Variable {
            instance,
            symbol,
            name,
            section,
            domain,
        });
        Tree::Variable(self.variables.len() - 1)
    }
}
