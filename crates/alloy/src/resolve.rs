//! From the tree as written to the model in which every name has a meaning.
//!
//! An expression is read in two passes, after the type system of Edwards, Jackson and Torlak (2004).
//! Upwards (`draft`, `visit`), every node gets a type that bounds its value, and a name that may mean several
//! things becomes a choice between them. Downwards (`settle`), each node is told which part of its type
//! matters where it stands, and a choice keeps the one candidate that can matter.

mod bodies;
mod choose;
mod declare;
mod deduce;
mod draft;
mod meta;
mod names;
mod settle;
mod unknown;
mod visit;
mod warn;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, Effort, FileId, IndexVec, Span, Symbol};

use self::draft::{DraftId, DraftTerm};
use crate::Given;
use crate::ast;
use crate::model::{
    AlloyModel, AlloyTerm, AlloyTermId, AlloyTermKind, AlloyVarId, AlloyVariable, Sig, SigId,
};
use crate::types::{AlloyType, Hierarchy};
use crate::world::{ModuleWorld, WorldScope};

/// Resolves everything that was read.
pub(crate) fn resolve(
    world: ModuleWorld<'_>,
    effort: &Effort<'_>,
) -> (AlloyModel, WorldScope, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(world, AlloyModel::default(), effort);
    resolver.declare_all();
    let Resolver { world, model, .. } = resolver;
    let mut model = model;
    let scope = world.scope();
    model.names = world.names;
    model.lent = world.lent;
    (model, scope, world.report.finish())
}

/// Resolves an expression, a formula or an integer of the main module; new terms are added to the model, and
/// a variable for each name that is given.
pub(crate) fn expression(
    mut world: ModuleWorld<'_>,
    file: FileId,
    given: &[Given],
    model: &mut AlloyModel,
    effort: &Effort<'_>,
) -> Result<(AlloyTermId, Vec<AlloyVarId>), Vec<Diagnostic>> {
    let root = world.read_expression(file);
    let mut resolver = Resolver::new(world, std::mem::take(model), effort);
    resolver.about_instance = true;
    resolver.know_all();
    let mut context = ResolveContext::of(0);
    let mut vars = Vec::with_capacity(given.len());
    for Given { name, columns } in given {
        let name = resolver.world.names.intern(name);
        let ty = resolver.hierarchy.of([columns.clone()]);
        let var = resolver.variable(name, ty, Span::new(file, 0, 0));
        let meaning = resolver.local_var(var);
        context.bind(name, meaning);
        vars.push(var);
    }
    let term = root.and_then(|root| {
        let draft = resolver.visit(&mut context, root);
        if resolver.ty(draft).is_formula {
            resolver.settle_formula(draft)
        } else {
            resolver.settle_set(draft)
        }
    });
    resolver.flush();
    let Resolver {
        world,
        model: whole,
        ..
    } = resolver;
    *model = whole;
    model.names = world.names;
    match term {
        Some(term) if !world.report.failed() => Ok((term, vars)),
        _ => Err(world.report.finish()),
    }
}

/// What is being worked on.
pub(crate) struct Resolver<'a, 'e> {
    world: ModuleWorld<'a>,
    effort: &'e Effort<'e>,
    model: AlloyModel,
    hierarchy: Hierarchy,
    drafts: IndexVec<DraftId, DraftTerm>,
    /// What there is to say about the expression at hand; told only when the expression counts.
    log: Vec<Diagnostic>,
    /// The fields declared so far, by name.
    fields: FxHashMap<Symbol, Vec<crate::model::FieldId>>,
    /// The instances that an instance sees.
    nameable: FxHashMap<usize, Vec<usize>>,
    /// Whether a field speaks of integers.
    uses_integers: bool,
    /// What choices came to where a part of their type matters, with what there was to say about it.
    chosen: FxHashMap<(DraftId, AlloyType), (Option<AlloyTermId>, Vec<Diagnostic>)>,
    /// The variables that some term uses.
    used: FxHashSet<AlloyVarId>,
    /// How many macros are being unfolded inside each other, and how many were so far.
    unfolding: usize,
    unfolded: usize,
    /// Functions whose declared result does, or does not, depend on their parameters.
    dependent: FxHashMap<crate::model::FunctionId, bool>,
    /// Names whose declarations have mistakes, which were told.
    failed: FxHashSet<Symbol>,
    /// Whether what is read is about an instance, so that atoms have names.
    about_instance: bool,
}

/// What an expression can refer to.
pub(crate) struct ResolveContext {
    instance: usize,
    /// The signature whose field or fact it is in.
    sig: Option<SigId>,
    /// Whether it bounds a field: `Some(true)` if it defines one.
    field: Option<bool>,
    /// Whether it is the type of a parameter or a result, where nothing can be called.
    header: bool,
    /// Names with local meanings.
    local: FxHashMap<Symbol, Vec<DraftId>>,
}

impl ResolveContext {
    fn of(instance: usize) -> Self {
        Self {
            instance,
            sig: None,
            field: None,
            header: false,
            local: FxHashMap::default(),
        }
    }

    fn bind(&mut self, name: Symbol, meaning: DraftId) {
        self.local.entry(name).or_default().push(meaning);
    }

    fn unbind(&mut self, name: Symbol) {
        if let Some(meanings) = self.local.get_mut(&name) {
            meanings.pop();
        }
    }

    fn local(&self, name: Symbol) -> Option<DraftId> {
        self.local.get(&name)?.last().copied()
    }
}

impl<'a, 'e> Resolver<'a, 'e> {
    fn new(world: ModuleWorld<'a>, model: AlloyModel, effort: &'e Effort<'e>) -> Self {
        Self {
            world,
            effort,
            model,
            hierarchy: Hierarchy::default(),
            drafts: IndexVec::new(),
            log: Vec::new(),
            fields: FxHashMap::default(),
            nameable: FxHashMap::default(),
            uses_integers: false,
            chosen: FxHashMap::default(),
            used: FxHashSet::default(),
            unfolding: 0,
            unfolded: 0,
            dependent: FxHashMap::default(),
            failed: FxHashSet::default(),
            about_instance: false,
        }
    }

    /// Takes over what a model that is resolved already says.
    fn know_all(&mut self) {
        let parents = self.model.sigs.iter().map(Sig::extends).collect();
        self.hierarchy = Hierarchy::new(parents, AlloyModel::NONE);
        for (id, field) in self.model.fields.entries() {
            self.fields.entry(field.name).or_default().push(id);
        }
        self.uses_integers = self.speaks_of_integers();
    }

    fn term(&mut self, kind: AlloyTermKind, ty: AlloyType, span: Span) -> AlloyTermId {
        self.effort.spend(size_of::<AlloyTerm>());
        self.model.terms.push(AlloyTerm { kind, ty, span })
    }

    fn variable(&mut self, name: Symbol, ty: AlloyType, span: Span) -> AlloyVarId {
        self.model.vars.push(AlloyVariable { name, ty, span })
    }

    fn sig_type(&self, index: usize) -> AlloyType {
        self.model.sigs[SigId::new(index)].ty.clone()
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.world.names.text(symbol)
    }

    /// Tells what was logged about an expression that counts.
    fn flush(&mut self) {
        for diagnostic in std::mem::take(&mut self.log) {
            self.world.report.tell(diagnostic);
        }
    }

    fn given_up(&self) -> bool {
        self.world.report.is_full() || self.effort.is_over()
    }

    /// A type as the user would write it.
    fn show(&self, ty: &AlloyType) -> String {
        let product = |product: &Vec<SigId>| {
            let labels = product
                .iter()
                .map(|&sig| self.model.sigs[sig].label.as_str());
            labels.collect::<Vec<_>>().join(" -> ")
        };
        let mut parts: Vec<String> = ty.products().iter().take(8).map(product).collect();
        if ty.products().len() > 8 {
            parts.push("..".to_owned());
        }
        if ty.is_formula {
            parts.push("a formula".to_owned());
        }
        if parts.is_empty() {
            return "nothing".to_owned();
        }
        parts.join(" + ")
    }

    /// The formula of a whole body.
    fn formula(
        &mut self,
        context: &mut ResolveContext,
        body: ast::AlloyExprId,
    ) -> Option<AlloyTermId> {
        if let Some((name, span)) = self.meta_name(context.instance, body) {
            return Some(self.meta_term(name, AlloyType::formula(), span));
        }
        let draft = self.visit(context, body);
        let term = self.settle_formula(draft);
        self.flush();
        term
    }
}
