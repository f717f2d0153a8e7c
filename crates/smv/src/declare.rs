//! Instantiating modules: which variables, defines and instances there are.
//!
//! Parameters are passed by name: a parameter whose argument is a path means whatever the path
//! means for the caller, and one whose argument is another expression behaves like a define that is
//! read in the caller's context.

mod array;
mod body;
mod constant;
mod domain;
mod process;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, Effort, IndexVec, Names, Span, Symbol, deep};
use wherefore_model::{Domain, Number, Origin, VarId, VarKind, Variable};

pub(crate) use self::body::Bodies;
use crate::approx::Approx;
use crate::ast::{
    DefineDecl, ModuleItem, SmvExprId, SmvExprKind, SmvIdent, SmvProgramText, TypeDecl, VarSection,
};
use crate::scope::{
    Entity, InputMonitor, InstanceId, ModuleInstance, NamedExpr, NamedId, Resolved, SmvScope,
    Unresolved, ValueSort, VarType,
};
use crate::{IntegerBounds, suggest};
use wherefore_syntax::ParseReport;

/// The most instances a model may have.
const MOST_INSTANCES: usize = 200_000;
/// The most declarations all instances together may have.
const MOST_ITEMS: usize = 20_000_000;
/// The most letters the full names of all declarations together may have.
const MOST_LETTERS: usize = 1 << 30;
/// About how many bytes are kept of a declaration, besides its name.
const ITEM: usize = 256;
/// About how many bytes are kept of a variable, besides its declaration.
const VARIABLE: usize = 128;
/// The deepest nesting of instances.
const DEEPEST: usize = 1_000;

/// All that is declared.
pub(crate) struct Declarations {
    pub(crate) scope: SmvScope,
    pub(crate) vars: IndexVec<VarId, Variable>,
    /// The names of the program, and those of its processes.
    pub(crate) names: Names,
}

/// Instantiates `main` and everything in it; `None` when there is no telling what is declared.
pub(crate) fn declare(
    program: &SmvProgramText,
    bodies: &Bodies<'_>,
    report: &mut ParseReport,
    effort: &Effort<'_>,
    (file, bounds): (Span, &[IntegerBounds]),
) -> Option<Declarations> {
    let main = program
        .names
        .find("main")
        .and_then(|name| bodies.find(name));
    let main = main.or_else(|| {
        let diagnostic = match &*program.modules {
            [] => Diagnostic::error(file, "The file has no module")
                .help("A model starts with `MODULE main`."),
            [module, ..] => Diagnostic::error(module.name.span, "There is no module `main`")
                .help("The module called `main` is the model; the others are its parts."),
        };
        report.tell(diagnostic);
        None
    })?;
    let module = &program.modules[main];
    if let Some(param) = module.params.first() {
        let diagnostic = Diagnostic::error(param.span, "The module `main` cannot have parameters");
        report.tell(diagnostic);
        return None;
    }
    let mut builder = DeclarationBuilder {
        program,
        bodies,
        report,
        effort,
        scope: SmvScope::default(),
        names: program.names.clone(),
        raw: Vec::new(),
        elsewhere: Vec::new(),
        open: Vec::new(),
        items: 0,
        elements: 0,
        letters: 0,
        bound: FxHashMap::default(),
        bounds,
    };
    let instance = builder.instance(main, String::new(), None);
    builder.fill(instance);
    // The owner of a define may be declared later, so these wait until all instances are there.
    builder.define_elsewhere();
    builder.main_is_clear(instance);
    builder.processes();
    // An argument may name anything, so parameters are bound when all names are entered.
    builder.bind_parameters();
    // Whether a condition reads an input can be told once parameters are bound.
    builder.monitors();
    // Monitors are variables too: ids are given when all variables are there.
    let order = builder.order_variables();
    let vars = builder.variables(&order);
    if builder.report.failed() || effort.is_over() {
        return None;
    }
    let DeclarationBuilder { scope, names, .. } = builder;
    Some(Declarations { scope, vars, names })
}

/// A variable as declared; its place in the list is its id until the variables are put in order.
struct RawVariable<'p> {
    name: String,
    section: VarSection,
    span: Span,
    ty: RawType<'p>,
    context: InstanceId,
}

/// The type of a variable.
enum RawType<'p> {
    Written(&'p TypeDecl),
    /// Of a variable that no text declares.
    Given(Domain, ValueSort, Origin),
}

struct DeclarationBuilder<'p, 'r> {
    program: &'p SmvProgramText,
    bodies: &'r Bodies<'p>,
    report: &'r mut ParseReport,
    effort: &'r Effort<'r>,
    scope: SmvScope,
    names: Names,
    raw: Vec<RawVariable<'p>>,
    /// Defines of names in other instances, with the instance they are written in.
    elsewhere: Vec<(InstanceId, &'p DefineDecl)>,
    /// The modules being instantiated, outermost first.
    open: Vec<usize>,
    items: usize,
    /// How many elements arrays have.
    elements: usize,
    letters: usize,
    /// What each parameter means; `None` while it is being found out.
    bound: FxHashMap<NamedId, Option<Entity>>,
    /// Bounds given from outside.
    bounds: &'r [IntegerBounds],
}

impl<'p> DeclarationBuilder<'p, '_> {
    /// A new instance, which belongs to a process or is one.
    fn instance(&mut self, module: usize, path: String, of: Option<InstanceId>) -> InstanceId {
        let new = InstanceId::new(self.scope.instances.len());
        self.scope.instances.push(ModuleInstance {
            module,
            path,
            process: of.unwrap_or(new),
            entities: FxHashMap::default(),
        })
    }

    fn text(&self, symbol: Symbol) -> &'p str {
        self.program.names.text(symbol)
    }

    /// Enters a name into an instance.
    fn enter(&mut self, instance: InstanceId, name: SmvIdent, entity: Entity) {
        let entities = &mut self.scope.instances[instance].entities;
        if let Some(&(_, first)) = entities.get(&name.symbol) {
            let message = format!("`{}` is declared twice", self.text(name.symbol));
            let diagnostic = Diagnostic::error(name.span, message)
                .because("declared again here")
                .see(first, "declared here");
            self.report.tell(diagnostic);
        } else {
            entities.insert(name.symbol, (entity, name.span));
        }
    }

    /// Declares what the body of an instance declares.
    fn fill(&mut self, instance: InstanceId) {
        let module = self.scope.instances[instance].module;
        let items = self.bodies.items(module);
        self.items += items.len();
        self.open.push(module);
        for &item in items {
            if self.effort.spend(ITEM).is_none() {
                break;
            }
            match item {
                ModuleItem::Var(section, name, ty) => self.variable(instance, *section, *name, ty),
                ModuleItem::Define(define) if define.owner.is_some() => {
                    self.elsewhere.push((instance, define))
                }
                ModuleItem::Define(DefineDecl { name, body, .. }) => {
                    let named = self.named(instance, instance, *name, *body, true);
                    self.enter(instance, *name, Entity::Named(named));
                }
                ModuleItem::Constant(name) => {
                    self.scope.constants.insert(name.symbol);
                }
                _ => {}
            }
        }
        self.open.pop();
    }

    fn full_name(&mut self, owner: InstanceId, name: SmvIdent) -> String {
        let full = self.scope.instances[owner].full_name(self.text(name.symbol));
        self.letters += full.len();
        self.effort.spend(full.len());
        full
    }

    fn named(
        &mut self,
        owner: InstanceId,
        context: InstanceId,
        name: SmvIdent,
        body: SmvExprId,
        define: bool,
    ) -> NamedId {
        let full = self.full_name(owner, name);
        self.scope.named.push(NamedExpr {
            name: full,
            span: name.span,
            body,
            context,
            define,
            alias: false,
            lowered: [OnceLock::new(), OnceLock::new()],
        })
    }

    fn variable(
        &mut self,
        context: InstanceId,
        section: VarSection,
        name: SmvIdent,
        ty: &'p TypeDecl,
    ) {
        let full = self.full_name(context, name);
        let process = self.scope.instances[context].process;
        match ty {
            TypeDecl::Instance(module, arguments, span) => {
                let of = Some(process);
                self.child((context, of), full, name, *module, arguments, *span);
            }
            TypeDecl::Process(module, arguments, span) => {
                self.child((context, None), full, name, *module, arguments, *span);
            }
            _ => {
                if let Some(entity) = self.storage(context, section, full, name.span, ty) {
                    self.enter(context, name, entity);
                }
            }
        }
    }

    /// An instance in another; it is a process unless the process it belongs to is given.
    fn child(
        &mut self,
        (context, of): (InstanceId, Option<InstanceId>),
        path: String,
        name: SmvIdent,
        module: SmvIdent,
        arguments: &[SmvExprId],
        span: Span,
    ) {
        if self.report.is_full() || self.effort.is_over() {
            return;
        }
        let Some(index) = self.bodies.find(module.symbol) else {
            let message = format!("There is no module `{}`", self.text(module.symbol));
            let diagnostic = Diagnostic::error(module.span, message).help(
                "A type is `boolean`, `{a, b}`, `0..7` or the name of a module of this file.",
            );
            return self.report.tell(diagnostic);
        };
        let params = &self.program.modules[index].params;
        let message = if self.open.contains(&index) {
            let chain = self.open.iter().skip_while(|open| **open != index);
            let mut chain: Vec<&str> = chain
                .map(|m| self.text(self.program.modules[*m].name.symbol))
                .collect();
            chain.push(self.text(module.symbol));
            format!(
                "The module `{}` contains itself: {}",
                self.text(module.symbol),
                chain.join(" contains ")
            )
        } else if params.len() != arguments.len() {
            let noun = if params.len() == 1 {
                "parameter"
            } else {
                "parameters"
            };
            let given_noun = if arguments.len() == 1 {
                "argument is"
            } else {
                "arguments are"
            };
            let (module, count, given) = (self.text(module.symbol), params.len(), arguments.len());
            format!("The module `{module}` has {count} {noun}, but {given} {given_noun} given")
        } else if self.open.len() >= DEEPEST {
            format!("Instances of modules are nested more than {DEEPEST} deep here")
        } else if self.scope.instances.len() >= MOST_INSTANCES
            || self.items > MOST_ITEMS
            || self.letters > MOST_LETTERS
        {
            "The model has too many instances of modules".to_owned()
        } else {
            let child = self.instance(index, path, of);
            self.enter(context, name, Entity::Instance(child));
            // Parameters are entered before the body, whose names must differ from theirs.
            for (param, argument) in params.iter().zip(arguments) {
                let named = self.named(child, context, *param, *argument, false);
                self.enter(child, *param, Entity::Named(named));
            }
            return deep(|| self.fill(child));
        };
        let diagnostic = Diagnostic::error(span, message);
        let declared = self.program.modules[index].name.span;
        self.report
            .tell(diagnostic.see(declared, "the module is declared here"));
    }

    /// A name of `main` may not also be a symbolic constant.
    fn main_is_clear(&mut self, main: InstanceId) {
        let entities = &self.scope.instances[main].entities;
        let both = entities
            .iter()
            .filter(|(symbol, _)| self.scope.constants.contains(symbol));
        let mut both: Vec<(Span, Symbol)> =
            both.map(|(&symbol, &(_, span))| (span, symbol)).collect();
        // The order of the hash table must not show in the messages.
        both.sort_unstable();
        for (span, symbol) in both {
            let message = format!(
                "`{}` is declared here, but it is a symbolic constant too",
                self.text(symbol)
            );
            self.report
                .tell(Diagnostic::error(span, message).help("Rename one of them."));
        }
    }

    /// Enters `owner.name := body` into the owner; the body is read where it is written.
    fn define_elsewhere(&mut self) {
        for (context, define) in std::mem::take(&mut self.elsewhere) {
            let owner = define.owner.and_then(|owner| self.path(context, owner));
            if let Some(Entity::Instance(owner)) = owner {
                let named = self.named(owner, context, define.name, define.body, true);
                self.enter(owner, define.name, Entity::Named(named));
            } else {
                let span = define
                    .owner
                    .map_or(define.name.span, |owner| self.program.exprs[owner].span);
                let message =
                    "A define can only be added to an instance of a module, and this is none";
                self.report.tell(Diagnostic::error(span, message));
            }
        }
    }

    /// Replaces each parameter whose argument is a path by what the path means.
    fn bind_parameters(&mut self) {
        for at in self.scope.named.ids() {
            if self.effort.spend(0).is_none() {
                break;
            }
            if !self.scope.named[at].define {
                self.bind(at);
            }
        }
        let bound = std::mem::take(&mut self.bound);
        for instance in self.scope.instances.ids() {
            for (entity, _) in self.scope.instances[instance].entities.values_mut() {
                if let Entity::Named(named) = *entity
                    && let Some(&Some(meaning)) = bound.get(&named)
                {
                    *entity = meaning;
                }
            }
        }
        for (&param, &meaning) in &bound {
            self.scope.named[param].alias = meaning != Some(Entity::Named(param));
        }
    }

    /// What a parameter means: itself, or what its argument names.
    fn bind(&mut self, param: NamedId) -> Option<Entity> {
        if let Some(&known) = self.bound.get(&param) {
            if known.is_none() {
                let NamedExpr { name, span, .. } = &self.scope.named[param];
                let message = format!("The parameter `{name}` stands for itself");
                self.report.tell(Diagnostic::error(*span, message));
            }
            return known;
        }
        self.bound.insert(param, None);
        let NamedExpr { body, context, .. } = self.scope.named[param];
        let meaning = deep(|| self.path(context, body)).unwrap_or(Entity::Named(param));
        self.bound.insert(param, Some(meaning));
        Some(meaning)
    }

    /// What a path means, parameters on the way included; `None` if it is no path to an entity.
    fn path(&mut self, context: InstanceId, path: SmvExprId) -> Option<Entity> {
        let found = match self.program.exprs[path].kind {
            SmvExprKind::SelfName => return Some(Entity::Instance(context)),
            SmvExprKind::Name(symbol) => self.scope.instances[context].entities.get(&symbol),
            SmvExprKind::Dot(inner, part) => {
                let Some(Entity::Instance(instance)) = deep(|| self.path(context, inner)) else {
                    return None;
                };
                self.scope.instances[instance].entities.get(&part.symbol)
            }
            SmvExprKind::Index(inner, index) => {
                let Some(Entity::Array(array)) = deep(|| self.path(context, inner)) else {
                    return None;
                };
                let index = self.constant_index(context, index)?;
                let array = &self.scope.arrays[array];
                let place = usize::try_from(index.checked_sub(array.low)?).ok()?;
                return array.items.get(place).copied();
            }
            _ => None,
        };
        match found.map(|(entity, _)| *entity) {
            Some(Entity::Named(named)) if !self.scope.named[named].define => self.bind(named),
            other => other,
        }
    }

    /// Puts inputs last and gives every variable its id; returns the places in the raw list.
    fn order_variables(&mut self) -> Vec<usize> {
        let is_input = |at: &usize| self.raw[*at].section == VarSection::Input;
        let (inputs, mut order): (Vec<usize>, Vec<usize>) = (0..self.raw.len()).partition(is_input);
        order.extend(inputs);
        let mut ids = vec![VarId::new(0); order.len()];
        for (id, &at) in order.iter().enumerate() {
            ids[at] = VarId::new(id);
        }
        for instance in self.scope.instances.ids() {
            for (entity, _) in self.scope.instances[instance].entities.values_mut() {
                if let Entity::Var(var) = entity {
                    *var = ids[var.index()];
                }
            }
        }
        for array in self.scope.arrays.ids() {
            for item in &mut self.scope.arrays[array].items {
                if let Entity::Var(var) = item {
                    *var = ids[var.index()];
                }
            }
        }
        if let Some(processes) = &mut self.scope.processes {
            processes.selector = ids[processes.selector.index()];
            processes.last = processes.last.map(|last| ids[last.index()]);
        }
        for monitor in self.scope.monitors.values_mut() {
            if let InputMonitor::Flag(var) = monitor {
                *var = ids[var.index()];
            }
        }
        order
    }

    fn variables(&mut self, order: &[usize]) -> IndexVec<VarId, Variable> {
        let mut vars = IndexVec::new();
        let mut known = FxHashMap::default();
        for &at in order {
            if self.effort.spend(VARIABLE).is_none() {
                break;
            }
            let context = self.raw[at].context;
            let (domain, sort, origin) = match &self.raw[at].ty {
                RawType::Written(ty) => {
                    let ty = *ty;
                    let (domain, sort) = self.domain(context, ty, &mut known);
                    (domain, sort, Origin::Declared)
                }
                RawType::Given(domain, sort, origin) => (domain.clone(), *sort, *origin),
            };
            let number = match self.raw[at].ty {
                RawType::Written(TypeDecl::Number(number, _)) => Some(*number),
                _ => None,
            };
            let within = number.and_then(|number| self.within(&self.raw[at].name, number));
            let (domain, values) = match (within, number) {
                (Some(domain), _) => (domain.clone(), Approx::domain(&domain)),
                (None, Some(Number::Integer)) => (domain, Approx::any()),
                (None, Some(Number::Real)) => (domain, Approx::none()),
                (None, None) => (domain.clone(), Approx::domain(&domain)),
            };
            let cut = number.is_some();
            let RawVariable {
                name,
                section,
                span,
                ..
            } = &mut self.raw[at];
            let kind = match section {
                VarSection::State => VarKind::State,
                VarSection::Frozen => VarKind::Frozen,
                VarSection::Input => VarKind::Input,
            };
            self.scope.vars.push(VarType {
                sort,
                kind,
                values,
                cut,
            });
            vars.push(Variable {
                name: std::mem::take(name),
                domain,
                kind,
                span: *span,
                origin,
            });
        }
        vars
    }

    /// The bounds that were given from outside for a variable that has none.
    fn within(&self, name: &str, number: Number) -> Option<Domain> {
        let named = |wanted: &str| self.bounds.iter().find(|within| within.name == wanted);
        let within = named(name).or_else(|| named("Int").or_else(|| named("integer")))?;
        (number == Number::Integer).then_some(Domain::Range {
            low: within.low,
            high: within.high,
        })
    }

    /// Tells why a path has no meaning.
    fn tell_unresolved(&mut self, context: InstanceId, why: Unresolved, span: Span) {
        let diagnostic = match why {
            Unresolved::Undefined(symbol, span, instance) => {
                let names = &self.program.names;
                suggest::undefined(
                    &self.scope,
                    names,
                    symbol,
                    span,
                    instance,
                    instance != context,
                )
            }
            Unresolved::NoParts(span) => {
                Diagnostic::error(span, "This is no instance of a module and has no parts")
            }
            Unresolved::NoPath => Diagnostic::error(span, "A constant is expected here"),
        };
        self.report.tell(diagnostic);
    }
}
