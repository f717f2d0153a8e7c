//! Relations `Init` and `Next` in plain SMT-LIB, as Vakili and Day (2014) write models.
//!
//! The arguments of `Init` are the state. A relation may be defined by `define-fun`, or declared and defined by an
//! assertion `(forall (..) (= (Init ..) ..))`; declared and only constrained, it stays a relation of which the
//! assertions are all that is known. All other declared symbols are parameters, and all other assertions axioms.
//! Properties are definitions over the state with `:ctl-property`, as in VMT-LIB.

use wherefore_base::Diagnostic;

use crate::reading::{SystemMaker, has, is_property};
use crate::script::{Definition, DefinitionBody, SmtScript};
use crate::sort::SortId;
use crate::system::StateVar;
use crate::term::{SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SymbolId, SymbolKind};

/// The relations of initial states and of steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relations {
    init: SymbolId,
    next: SymbolId,
}

/// The relations of a script, if it has them.
pub(crate) fn relations(script: &SmtScript) -> Option<Relations> {
    let find = |names: [&str; 2]| names.iter().find_map(|name| script.symbol(name));
    Some(Relations {
        init: find(["Init", "init"])?,
        next: find(["Next", "next"])?,
    })
}

/// Makes a system of the relations of a script.
pub(crate) fn make(maker: &mut SystemMaker, relations: Relations) {
    maker.look_at_attributes();
    maker.look_at_infos();
    let Relations { init, next } = relations;
    let terms = &maker.script.terms;
    let (start, step) = (terms.info(init).clone(), terms.info(next).clone());
    let twice: Vec<SortId> = start.args.iter().chain(&start.args).copied().collect();
    let fits = start.sort == SortId::BOOL && step.sort == SortId::BOOL && *step.args == twice[..];
    if !fits || start.args.is_empty() {
        let span = step.span.or(start.span).unwrap_or(maker.start);
        let message = "`Next` takes two states and `Init` one: the arguments of `Next` are those of `Init`, twice";
        return maker.error(Diagnostic::error(span, message).help("Both are of sort Bool."));
    }
    let axioms = definitions(maker, relations);
    let names = names(maker, relations);
    for (at, &sort) in start.args.iter().enumerate() {
        let (name, primed) = &names[at];
        let terms = &mut maker.script.terms;
        let (current, next) = (
            terms.unused_by_symbols(name),
            terms.unused_by_symbols(primed),
        );
        let current = terms.declare(current, &[], sort);
        let next = terms.declare(next, &[], sort);
        let var = terms.var(current);
        maker.state.push((name.clone(), var));
        maker.system.state.push(StateVar {
            name: name.clone(),
            current,
            next,
            span: start.span,
        });
    }
    let terms = &mut maker.script.terms;
    let current: Vec<SmtTermId> = maker
        .system
        .state
        .iter()
        .map(|var| terms.var(var.current))
        .collect();
    let after: Vec<SmtTermId> = maker
        .system
        .state
        .iter()
        .map(|var| terms.var(var.next))
        .collect();
    let both: Vec<SmtTermId> = current.iter().chain(&after).copied().collect();
    let (first, step) = (terms.apply(init, &current), terms.apply(next, &both));
    maker.system.init = terms.inlined(first);
    maker.system.trans = terms.inlined(step);
    if let Some(body) = terms.expanded(next, &both) {
        maker.system.actions = maker.named_steps(body);
    }
    for axiom in axioms {
        let axiom = maker.script.terms.inlined(axiom);
        let conjuncts = maker.script.terms.conjuncts(axiom);
        maker.system.axioms.extend(conjuncts);
    }
    let terms = &maker.script.terms;
    let is_open = |symbol: &SymbolId| terms.info(*symbol).kind == SymbolKind::Declared;
    maker.system.parameters = maker
        .script
        .declared
        .iter()
        .copied()
        .filter(is_open)
        .collect();
    for definition in maker.script.definitions.clone() {
        annotated(maker, &definition, &start.args);
    }
}

/// What a definition with an attribute adds to the system.
fn annotated(maker: &mut SystemMaker, definition: &Definition, state: &[SortId]) {
    let is_fair = has(definition, ":fair");
    if !is_property(definition) && !is_fair {
        return;
    }
    let sorts: Vec<SortId> = definition
        .params
        .iter()
        .map(|&param| maker.script.terms.info(param).sort)
        .collect();
    if !sorts.is_empty() && sorts != state {
        let message = format!(
            "`{}` speaks of states, so its parameters are those of `Init`, or it has none",
            definition.name
        );
        return maker.error(Diagnostic::error(definition.span, message));
    }
    let names: Vec<(String, SmtTermId)> = match definition.params.is_empty() {
        true => maker.state.clone(),
        false => {
            let names = definition
                .params
                .iter()
                .map(|&param| maker.script.terms.info(param).name.clone());
            names
                .zip(maker.state.iter().map(|(_, term)| *term))
                .collect()
        }
    };
    if is_fair && let DefinitionBody::Term(term) = definition.body {
        let mut by = crate::shape::Substitution::default();
        for (&param, (_, value)) in definition.params.iter().zip(&names) {
            by.put(param, *value);
        }
        let term = maker.script.terms.substitute(term, &by);
        let term = maker.script.terms.inlined(term);
        maker.system.fairness.push(term);
    }
    maker.property(definition, &names);
}

/// Finds the assertions that define a relation, makes definitions of them, and gives the other assertions.
fn definitions(maker: &mut SystemMaker, relations: Relations) -> Vec<SmtTermId> {
    let mut axioms: Vec<SmtTermId> = maker.script.asserts.iter().map(|(term, _)| *term).collect();
    let terms = &mut maker.script.terms;
    for relation in [relations.init, relations.next] {
        if terms.info(relation).kind != SymbolKind::Declared {
            continue;
        }
        let found = axioms
            .iter()
            .enumerate()
            .find_map(|(at, &axiom)| Some((at, defines(terms, relation, axiom)?)));
        let Some((at, (params, body))) = found else {
            continue;
        };
        let inner = terms.inlined(body);
        let free = terms.free(inner);
        // A body that speaks of the relations themselves defines none of them: it stays an axiom.
        if free.contains(&relations.init) || free.contains(&relations.next) {
            continue;
        }
        terms.define(relation, &params, body);
        axioms.remove(at);
    }
    axioms
}

/// The parameters and the body, if an assertion says for all states what a relation is.
fn defines(
    terms: &mut SmtTerms,
    relation: SymbolId,
    axiom: SmtTermId,
) -> Option<(Vec<SymbolId>, SmtTermId)> {
    let SmtTerm::Quantified(SmtQuantifier::Forall, _, body) = *terms.get(axiom) else {
        return None;
    };
    let is_relation = |terms: &SmtTerms, term: SmtTermId| matches!(terms.get(term), SmtTerm::Apply(symbol, _) if *symbol == relation);
    let (applied, body) = match terms.get(body).clone() {
        SmtTerm::Op(SmtOp::Equal, sides) if is_relation(terms, sides[0]) => (sides[0], sides[1]),
        SmtTerm::Op(SmtOp::Equal, sides) if is_relation(terms, sides[1]) => (sides[1], sides[0]),
        SmtTerm::Apply(symbol, _) if symbol == relation => (body, terms.bool(true)),
        SmtTerm::Op(SmtOp::Not, inner) if is_relation(terms, inner[0]) => {
            (inner[0], terms.bool(false))
        }
        _ => return None,
    };
    let args = terms.operands(applied);
    let mut params = Vec::new();
    for arg in args {
        let symbol = terms.as_symbol(arg)?;
        // Only different bound variables make the equation say what the relation is everywhere.
        if terms.info(symbol).kind != SymbolKind::Bound || params.contains(&symbol) {
            return None;
        }
        params.push(symbol);
    }
    let open = terms.free(body);
    let closed = open
        .iter()
        .all(|symbol| terms.info(*symbol).kind != SymbolKind::Bound || params.contains(symbol));
    closed.then_some((params, body))
}

/// The names of the state variables, with those of the next state.
fn names(maker: &SystemMaker, relations: Relations) -> Vec<(String, String)> {
    let terms = &maker.script.terms;
    let given = |relation: SymbolId| match &terms.info(relation).kind {
        SymbolKind::Defined { params, .. } => params
            .iter()
            .map(|&param| terms.info(param).name.clone())
            .collect(),
        _ => Vec::new(),
    };
    let (init, next): (Vec<String>, Vec<String>) = (given(relations.init), given(relations.next));
    let count = terms.info(relations.init).args.len();
    let mut names = Vec::new();
    for at in 0..count {
        let plain = if count == 1 {
            "s".to_string()
        } else {
            format!("s{}", at + 1)
        };
        let name = init
            .get(at)
            .or_else(|| next.get(at))
            .cloned()
            .unwrap_or(plain);
        let primed = next
            .get(count + at)
            .cloned()
            .filter(|primed| *primed != name);
        let primed = primed.unwrap_or_else(|| format!("{name}.next"));
        names.push((name, primed));
    }
    names
}
