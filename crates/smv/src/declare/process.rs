//! Processes: the hidden input that chooses which one runs, and what fairness remembers of it.
//!
//! With processes, each step is a step of one of them, and `main` is one too. An input chooses it, and
//! `running` says in each process whether it is the chosen one. Fairness conditions that read an input
//! are about steps; a variable of the state remembers what they ask about the last step, so that for
//! everybody else fairness is about states.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, Symbol, Value};
use wherefore_model::{Domain, Origin, VarId};

use super::{DeclarationBuilder, RawType};
use crate::ast::{
    ModuleItem, SmvBinaryOp, SmvExprId, SmvExprKind, SmvIdent, SmvUnaryOp, VarSection,
};
use crate::parser::RUNNING;
use crate::scope::{Entity, InputMonitor, InstanceId, NamedId, Processes, Resolved, ValueSort};

/// The input that says which process runs, as other tools call it.
const SELECTOR: &str = "_process_selector_";
/// The variable that says which process ran last.
const LAST: &str = "_last_process_";

impl<'p> DeclarationBuilder<'p, '_> {
    /// Declares `running` in each process, and the input that chooses among them.
    pub(super) fn processes(&mut self) {
        let instances = self.scope.instances.entries();
        let processes = instances.filter(|(id, instance)| instance.process == *id);
        let processes: Vec<InstanceId> = processes.map(|(id, _)| id).collect();
        let Some(running) = self.program.names.find(RUNNING) else {
            return;
        };
        // `main` is a process as well: alone it always runs, and nothing has to be chosen.
        if processes.len() < 2 {
            return;
        }
        let mut values = FxHashMap::default();
        let mut domain: Vec<Value> = Vec::new();
        for process in processes {
            let path = match &*self.scope.instances[process].path {
                "" => "main",
                path => path,
            };
            let value = self.names.intern(path);
            domain.push(Value::Symbol(value));
            values.insert(process, value);
            let module = self.scope.instances[process].module;
            let name = SmvIdent {
                symbol: running,
                span: self.program.modules[module].name.span,
            };
            self.enter(process, name, Entity::Running(process));
        }
        let selector = self.hidden(VarSection::Input, SELECTOR, Domain::Enum(domain.into()));
        self.scope.processes = Some(Processes {
            selector,
            last: None,
            values,
        });
    }

    /// Declares what fairness conditions that read inputs need to be remembered.
    pub(super) fn monitors(&mut self) {
        if !self.raw.iter().any(|raw| raw.section == VarSection::Input) {
            return;
        }
        for instance in self.scope.instances.ids() {
            let bodies = self.bodies;
            for item in bodies.items(self.scope.instances[instance].module) {
                let conditions = match item {
                    ModuleItem::Justice(condition) => [Some(*condition), None],
                    ModuleItem::Compassion(first, second) => [Some(*first), Some(*second)],
                    _ => continue,
                };
                for condition in conditions.into_iter().flatten() {
                    let monitor = if self.is_about_processes(instance, condition) {
                        self.remember_last();
                        InputMonitor::LastProcess
                    } else if self.reads_input(instance, condition) {
                        let name = format!("_fairness_{}_", self.scope.monitors.len() + 1);
                        InputMonitor::Flag(self.hidden(VarSection::State, &name, Domain::Bool))
                    } else {
                        continue;
                    };
                    self.scope.monitors.insert((instance, condition), monitor);
                }
            }
        }
    }

    fn hidden(&mut self, section: VarSection, name: &str, domain: Domain) -> VarId {
        let main = InstanceId::new(0);
        let span = self.program.modules[self.scope.instances[main].module]
            .name
            .span;
        let (sort, origin) = match domain {
            Domain::Bool => (ValueSort::Bool, Origin::Hidden),
            _ => (ValueSort::Symbolic, Origin::Process),
        };
        if let Some(taken) = self.raw.iter().find(|raw| raw.name == name) {
            let message = format!("The name `{name}` is taken");
            let diagnostic = Diagnostic::error(taken.span, message)
                .because("a variable with this name keeps track of processes and inputs")
                .help("Choose another name for this variable.");
            self.report.tell(diagnostic);
        }
        let ty = RawType::Given(domain, sort, origin);
        self.hold(main, section, name.to_owned(), span, ty)
    }

    /// Declares the variable that says which process ran last.
    fn remember_last(&mut self) {
        let Some(Processes {
            last: None, values, ..
        }) = &self.scope.processes
        else {
            return;
        };
        let mut values: Vec<(InstanceId, Symbol)> = values.iter().map(|(&p, &v)| (p, v)).collect();
        // The order of the hash table must not show in the domain.
        values.sort_unstable();
        let domain = values.into_iter().map(|(_, value)| Value::Symbol(value));
        let last = self.hidden(VarSection::State, LAST, Domain::Enum(domain.collect()));
        if let Some(processes) = &mut self.scope.processes {
            processes.last = Some(last);
        }
    }

    /// Whether a condition speaks of nothing but which process runs, in so many words.
    fn is_about_processes(&self, context: InstanceId, condition: SmvExprId) -> bool {
        let mut open = vec![condition];
        let mut found = false;
        while let Some(id) = open.pop() {
            if self.effort.spend(0).is_none() {
                return false;
            }
            match self.program.exprs[id].kind {
                SmvExprKind::Unary(SmvUnaryOp::Not, a) => open.push(a),
                SmvExprKind::Binary(SmvBinaryOp::And | SmvBinaryOp::Or, a, b) => {
                    open.extend([a, b])
                }
                SmvExprKind::Name(_) | SmvExprKind::Dot(..) => {
                    let resolved = self.scope.resolve(&self.program.exprs, context, id);
                    if !matches!(resolved, Ok(Resolved::Entity(Entity::Running(_)))) {
                        return false;
                    }
                    found = true;
                }
                _ => return false,
            }
        }
        found
    }

    /// Whether an expression reads an input, by its own words or those of names in it.
    fn reads_input(&self, context: InstanceId, expr: SmvExprId) -> bool {
        let mut seen: FxHashSet<NamedId> = FxHashSet::default();
        let mut open = vec![(context, expr)];
        while let Some((context, id)) = open.pop() {
            if self.effort.spend(0).is_none() {
                return false;
            }
            let expr = &self.program.exprs[id];
            if !matches!(expr.kind, SmvExprKind::Name(_) | SmvExprKind::Dot(..)) {
                open.extend(expr.kind.operands().into_iter().map(|id| (context, id)));
                continue;
            }
            let Ok(Resolved::Entity(mut entity)) =
                self.scope.resolve(&self.program.exprs, context, id)
            else {
                continue;
            };
            // All elements are declared in one section, so the first one stands for all.
            while let Entity::Array(array) = entity
                && let Some(first) = self.scope.arrays[array].items.first()
            {
                entity = *first;
            }
            match entity {
                Entity::Running(_) => return true,
                Entity::Var(var) if self.raw[var.index()].section == VarSection::Input => {
                    return true;
                }
                Entity::Named(named) if seen.insert(named) => {
                    let named = &self.scope.named[named];
                    open.push((named.context, named.body));
                }
                _ => {}
            }
        }
        false
    }
}
