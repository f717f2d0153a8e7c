//! VMT-LIB: transition systems as annotated definitions, after the standard and the dialect of relational protocols.
//!
//! A symbol with `:next` is part of the state. Of other symbols, constants are inputs, functions are parameters, and
//! `:global` makes parameters of both; in files that use `:global` or have functions as state, other functions are
//! inputs, too. `:init`, `:trans`, `:axiom` and `:fair` mark conditions, `:action` names kinds of steps. Where there are
//! actions and no `:trans`, a step is one of them and leaves alone what the action does not speak of.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::Diagnostic;

use crate::reading::{SystemMaker, attribute, has, is_property, shown};
use crate::script::{Definition, DefinitionBody};
use crate::sexp::Sexp;
use crate::system::{Action, StateVar};
use crate::term::{SmtTerm, SmtTermId, SymbolId};

/// Makes a system of the definitions of a script.
pub(crate) fn make(maker: &mut SystemMaker) {
    maker.look_at_attributes();
    maker.look_at_infos();
    let definitions = maker.script.definitions.clone();
    let mut parts = VmtParts::default();
    for definition in &definitions {
        parts.add(maker, definition);
    }
    if parts.trans.is_empty() && parts.actions.is_empty() {
        let error = Diagnostic::error(maker.start, "The model has no transition relation");
        maker
            .error(error.help(
                "Annotate a condition on the present and the next state with `:trans true`.",
            ));
    }
    if parts.init.is_empty() {
        let warning = Diagnostic::warning(
            maker.start,
            "No definition has `:init`, so every state is initial",
        );
        maker.error(warning);
    }
    parts.properties(maker, &definitions);
    parts.roles(maker);
    parts.relations(maker);
    parts.views(maker, &definitions);
}

/// The parts of a system as far as they were found.
#[derive(Default)]
struct VmtParts {
    init: Vec<SmtTermId>,
    trans: Vec<SmtTermId>,
    /// What is marked by `:trans`, with definitions as they are.
    relations: Vec<SmtTermId>,
    axioms: Vec<SmtTermId>,
    actions: Vec<Action>,
    fairness: Vec<SmtTermId>,
    globals: FxHashSet<SymbolId>,
    /// The definitions that say which symbols are state.
    next: FxHashMap<SymbolId, SymbolId>,
}

impl VmtParts {
    fn add(&mut self, maker: &mut SystemMaker, definition: &Definition) {
        if has(definition, ":next") {
            self.state(maker, definition);
        }
        if has(definition, ":global")
            && let Some(symbol) = annotated(maker, definition)
        {
            self.globals.insert(symbol);
        }
        for (keyword, list) in [
            (":init", &mut self.init),
            (":trans", &mut self.trans),
            (":axiom", &mut self.axioms),
            (":fair", &mut self.fairness),
        ] {
            if has(definition, keyword)
                && let Some(term) = maker.condition(definition)
            {
                list.push(term);
            }
        }
        if let DefinitionBody::Term(term) = definition.body
            && has(definition, ":trans")
        {
            self.relations.push(term);
        }
        if let Some(found) = attribute(definition, ":action")
            && let Some(term) = maker.condition(definition)
        {
            let name = found.value.as_ref().and_then(Sexp::symbol);
            let name = name
                .filter(|name| *name != "true")
                .unwrap_or_else(|| shown(&definition.name));
            self.actions.push(Action {
                name: name.to_string(),
                term,
                span: Some(definition.span),
            });
        }
    }

    fn state(&mut self, maker: &mut SystemMaker, definition: &Definition) {
        let Some(current) = annotated(maker, definition) else {
            return;
        };
        let value = attribute(definition, ":next").and_then(|found| found.value.as_ref());
        let Some((value, name)) = value.and_then(|value| Some((value, value.symbol()?))) else {
            let error = Diagnostic::error(
                definition.span,
                "`:next` is followed by the symbol of the next state",
            );
            return maker.error(error);
        };
        let Some(next) = maker.script.symbol(name) else {
            let error = maker.script.unknown(name, value.span, "symbol");
            return maker.error(error);
        };
        let terms = &maker.script.terms;
        let (one, other) = (terms.info(current), terms.info(next));
        if (&one.args, one.sort) != (&other.args, other.sort) {
            let message = format!(
                "`{name}` is the next state of `{}`, and they are of different sorts",
                one.name
            );
            return maker.error(Diagnostic::error(value.span, message));
        }
        // What is its own next state never changes.
        if current == next {
            self.globals.insert(current);
            return;
        }
        let taken =
            self.next.contains_key(&current) || self.next.values().any(|&used| used == next);
        if taken || self.next.contains_key(&next) {
            let message = format!("`{}` or `{name}` has a `:next` already", one.name);
            return maker.error(Diagnostic::error(value.span, message));
        }
        let span = one.span;
        // The dialect calls the present state `__x` and the next one `x`; people know it as `x`.
        let symbol = one.name.clone();
        let name = match definition.name.strip_prefix('.') {
            Some(name)
                if symbol.ends_with(name) && symbol != name && symbol.trim_matches('_') == name =>
            {
                name.to_string()
            }
            _ => symbol,
        };
        self.next.insert(current, next);
        maker.system.state.push(StateVar {
            name,
            current,
            next,
            span,
        });
    }

    fn properties(&mut self, maker: &mut SystemMaker, definitions: &[Definition]) {
        for definition in definitions
            .iter()
            .filter(|definition| is_property(definition))
        {
            if !definition.params.is_empty() {
                let error = Diagnostic::error(definition.span, "A property has no parameters");
                maker.error(error);
                continue;
            }
            maker.property(definition, &[]);
        }
    }

    /// Tells inputs, parameters and state apart.
    fn roles(&mut self, maker: &mut SystemMaker) {
        let functions = |maker: &SystemMaker, symbol: SymbolId| {
            !maker.script.terms.info(symbol).args.is_empty()
        };
        let relational =
            !self.globals.is_empty() || self.next.keys().any(|&symbol| functions(maker, symbol));
        let known: FxHashSet<SymbolId> = self.next.iter().flat_map(|(&a, &b)| [a, b]).collect();
        let mut of_states = self.init.clone();
        of_states.extend(&self.fairness);
        of_states.extend(
            maker
                .properties
                .iter()
                .flat_map(|property| property.atoms.iter()),
        );
        let of_states = maker.script.terms.free_in(&of_states);
        for symbol in maker.script.declared.clone() {
            if known.contains(&symbol) {
                continue;
            }
            let is_function = functions(maker, symbol);
            if self.globals.contains(&symbol) || (is_function && !relational) {
                maker.system.parameters.push(symbol);
            } else if of_states.contains(&symbol) {
                // An input that states speak of is a part of the state that no step restrains.
                let name = maker.script.terms.info(symbol).name.clone();
                let next = maker.script.terms.unused(&format!("{name}.next"));
                let next = maker.script.declare_like(&next, symbol);
                let span = maker.script.terms.info(symbol).span;
                maker.system.state.push(StateVar {
                    name,
                    current: symbol,
                    next,
                    span,
                });
            } else {
                maker.system.inputs.push(symbol);
            }
        }
        if self.next.is_empty() {
            let error = Diagnostic::error(maker.start, "The model has no state variable");
            maker.error(error.help(
                "A definition with `:next` makes one: `(define-fun .x () Int (! x :next x1))`.",
            ));
        }
    }

    fn relations(&mut self, maker: &mut SystemMaker) {
        let assertions: Vec<SmtTermId> =
            maker.script.asserts.iter().map(|(term, _)| *term).collect();
        for term in assertions {
            let term = maker.script.terms.inlined(term);
            self.axioms.push(term);
        }
        let framed = self.trans.is_empty();
        if let ([relation], []) = (&self.relations[..], &self.actions[..]) {
            maker.system.actions = maker.named_steps(*relation);
        }
        let terms = &mut maker.script.terms;
        let mut steps = Vec::new();
        for action in &mut self.actions {
            let free = terms.free(action.term);
            let mut all = vec![action.term];
            for var in maker
                .system
                .state
                .iter()
                .filter(|var| framed && !free.contains(&var.next))
            {
                // An input that was made a part of the state may change with every action.
                if self.next.contains_key(&var.current) {
                    all.push(unchanged(terms, var));
                }
            }
            action.term = terms.and(&all);
            steps.push(action.term);
        }
        let mut trans = std::mem::take(&mut self.trans);
        if !steps.is_empty() {
            trans.push(terms.or(&steps));
        }
        maker.system.actions.append(&mut self.actions);
        let state: FxHashSet<SymbolId> = maker.system.state.iter().map(|var| var.current).collect();
        let mut init = std::mem::take(&mut self.init);
        for axiom in std::mem::take(&mut self.axioms) {
            let conjuncts = maker.script.terms.conjuncts(axiom);
            for conjunct in conjuncts {
                let free = maker.script.terms.free(conjunct);
                if !free.iter().any(|symbol| state.contains(symbol)) {
                    maker.system.axioms.push(conjunct);
                    continue;
                }
                // What is said of every state is said of the first one and of both ends of every step.
                init.push(conjunct);
                trans.push(conjunct);
                let pairs: Vec<(SymbolId, SymbolId)> = maker
                    .system
                    .state
                    .iter()
                    .map(|var| (var.current, var.next))
                    .collect();
                let next = maker.script.terms.renamed(conjunct, pairs);
                trans.push(next);
            }
        }
        let next: Vec<SymbolId> = maker.system.next();
        let terms = &mut maker.script.terms;
        maker.system.init = terms.and(&init);
        maker.system.trans = terms.and(&trans);
        maker.system.fairness = std::mem::take(&mut self.fairness);
        let mut of_states = vec![maker.system.init];
        of_states.extend(&maker.system.fairness);
        let free = terms.free_in(&of_states);
        if let Some(symbol) = free.iter().find(|symbol| next.contains(symbol)) {
            let name = terms.info(*symbol).name.clone();
            let message =
                format!("`:init` and `:fair` speak of one state, and `{name}` is the next one");
            maker.error(Diagnostic::error(maker.start, message));
        }
    }

    /// Keeps the definitions over the present state for views.
    fn views(&self, maker: &mut SystemMaker, definitions: &[Definition]) {
        let state: FxHashSet<SymbolId> = maker.system.state.iter().map(|var| var.current).collect();
        let other: FxHashSet<SymbolId> = maker
            .system
            .state
            .iter()
            .map(|var| var.next)
            .chain(maker.system.inputs.iter().copied())
            .collect();
        for definition in definitions {
            let DefinitionBody::Term(term) = definition.body else {
                continue;
            };
            if !definition.params.is_empty()
                || !definition.attributes.is_empty()
                || definition.name.starts_with('.')
            {
                continue;
            }
            let term = maker.script.terms.inlined(term);
            let free = maker.script.terms.free(term);
            if free.iter().any(|symbol| state.contains(symbol))
                && !free.iter().any(|symbol| other.contains(symbol))
            {
                maker
                    .system
                    .definitions
                    .push((definition.name.clone(), term));
            }
        }
    }
}

/// The symbol that a definition such as `(define-fun .x () Int (! x ..))` annotates.
fn annotated(maker: &mut SystemMaker, definition: &Definition) -> Option<SymbolId> {
    let terms = &maker.script.terms;
    if let DefinitionBody::Term(term) = definition.body
        && let SmtTerm::Apply(symbol, args) = terms.get(term)
    {
        let params: Vec<Option<SymbolId>> = args.iter().map(|&arg| terms.as_symbol(arg)).collect();
        let same = params.len() == definition.params.len()
            && params
                .iter()
                .zip(&definition.params)
                .all(|(arg, param)| *arg == Some(*param));
        if same && maker.script.declared.contains(symbol) {
            return Some(*symbol);
        }
    }
    let error = Diagnostic::error(
        definition.span,
        "`:next` and `:global` annotate a declared symbol, or a function applied to the parameters of the definition",
    );
    maker.error(error.help("Declare it with `declare-fun` and annotate it as it is."));
    None
}

/// That a part of the state stays as it is.
fn unchanged(terms: &mut crate::term::SmtTerms, var: &StateVar) -> SmtTermId {
    let sorts = terms.info(var.current).args.clone();
    let mut bound = Vec::new();
    for (at, &sort) in sorts.iter().enumerate() {
        bound.push(terms.bound(format!("a{at}"), sort));
    }
    let args: Vec<SmtTermId> = bound.iter().map(|&symbol| terms.var(symbol)).collect();
    let (before, after) = (
        terms.apply(var.current, &args),
        terms.apply(var.next, &args),
    );
    let equal = terms.equal(before, after);
    terms.quantified(crate::term::SmtQuantifier::Forall, &bound, equal)
}
