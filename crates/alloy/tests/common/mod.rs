//! What the tests of this crate share: reading models, and showing what was read.

use std::fmt::Write;

use wherefore_alloy::model::{AlloyPlace, AlloyTermId, AlloyTermKind, CommandGoal};
use wherefore_alloy::{AlloyModel, LoadedAlloy, load};
use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};

/// Reads a model that opens nothing but what is built in.
pub(crate) fn read(name: &str, text: &str) -> (SourceMap, LoadedAlloy) {
    read_with(name, text, &[])
}

/// Reads a model among other files.
pub(crate) fn read_with(
    name: &str,
    text: &str,
    others: &[(&str, &str)],
) -> (SourceMap, LoadedAlloy) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    let mut find = |name: &str| {
        let found = others.iter().find(|(other, _)| *other == name);
        found.map(|(_, text)| (*text).to_owned())
    };
    let loaded = load(&mut sources, file, None, &mut find, &Budget::unlimited());
    (sources, loaded.expect("no limit"))
}

/// Reads a model without mistakes.
pub(crate) fn good(text: &str) -> AlloyModel {
    let (sources, loaded) = read("model.als", text);
    let told = show_all(&sources, &loaded.diagnostics);
    assert!(
        !loaded.diagnostics.iter().any(Diagnostic::is_error),
        "{told}"
    );
    loaded.model
}

/// The messages, each with its places and advice.
pub(crate) fn show_all(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut shown = String::new();
    for diagnostic in diagnostics {
        let kind = if diagnostic.is_error() {
            "error"
        } else {
            "warning"
        };
        let _ = writeln!(shown, "{kind}: {}", diagnostic.message);
        for label in &diagnostic.labels {
            let place = sources.place(label.span);
            let name = sources.file(label.span.file).name();
            let text = sources.text(label.span).replace('\n', " ");
            let text: String = text.chars().take(40).collect();
            let why = if label.text.is_empty() {
                String::new()
            } else {
                format!(": {}", label.text)
            };
            let _ = writeln!(
                shown,
                "  {name}:{}:{} `{text}`{why}",
                place.line, place.column
            );
        }
        for help in &diagnostic.help {
            let _ = writeln!(shown, "  help: {help}");
        }
    }
    shown
}

/// A term with all its parentheses.
pub(crate) fn show(model: &AlloyModel, term: AlloyTermId) -> String {
    let of = |term: AlloyTermId| show(model, term);
    let list = |terms: &[AlloyTermId]| terms.iter().map(|&t| of(t)).collect::<Vec<_>>().join(", ");
    match &model.terms[term].kind {
        AlloyTermKind::Sig(sig) => model.sigs[*sig].label.clone(),
        AlloyTermKind::Field(field) => {
            let field = &model.fields[*field];
            format!(
                "{}<:{}",
                model.sigs[field.sig].label,
                model.names.text(field.name)
            )
        }
        AlloyTermKind::Var(var) => model.names.text(model.vars[*var].name).to_owned(),
        AlloyTermKind::Iden => "iden".to_owned(),
        AlloyTermKind::Empty(arity) => format!("none^{arity}"),
        AlloyTermKind::Number(number) => number.to_string(),
        AlloyTermKind::Text(text) => format!("{:?}", model.names.text(*text)),
        AlloyTermKind::Unary(op, a) => format!("{op:?}({})", of(*a)),
        AlloyTermKind::Mult(mult, a) => format!("{mult:?} {}", of(*a)),
        AlloyTermKind::Binary(op, a, b) => format!("({} {op:?} {})", of(*a), of(*b)),
        AlloyTermKind::Arrow(m, n, a, b) => format!("({} {m:?}->{n:?} {})", of(*a), of(*b)),
        AlloyTermKind::Join(a, b) => format!("({}.{})", of(*a), of(*b)),
        AlloyTermKind::IfElse(c, a, b) => format!("({} ? {} : {})", of(*c), of(*a), of(*b)),
        AlloyTermKind::Let(var, value, body) => {
            let name = model.names.text(model.vars[*var].name);
            format!("(let {name} = {} | {})", of(*value), of(*body))
        }
        AlloyTermKind::Quantified(quantifier, bindings, body) => {
            let bindings: Vec<String> = bindings
                .iter()
                .map(|binding| {
                    let names = binding
                        .vars
                        .iter()
                        .map(|&v| model.names.text(model.vars[v].name));
                    let names = names.collect::<Vec<_>>().join(", ");
                    let disj = if binding.disj { "disj " } else { "" };
                    format!("{disj}{names}: {}", of(binding.bound))
                })
                .collect();
            format!("({quantifier:?} {} | {})", bindings.join(", "), of(*body))
        }
        AlloyTermKind::Call(function, arguments) => {
            format!("{}[{}]", model.functions[*function].label, list(arguments))
        }
        AlloyTermKind::Block(parts) => format!("{{{}}}", list(parts)),
        AlloyTermKind::Disj(parts) => format!("disj[{}]", list(parts)),
        AlloyTermKind::TotalOrder(a, b, c) => format!("totalOrder[{}]", list(&[*a, *b, *c])),
        other => format!("{other:?}"),
    }
}

/// What was read: the main module only.
pub(crate) fn outline(model: &AlloyModel) -> String {
    let mut shown = String::new();
    let main = |label: &str| !label.contains('/');
    for (_, sig) in model.declared().filter(|(_, sig)| main(&sig.label)) {
        let place = match &sig.place {
            AlloyPlace::Extends(parent) => format!("extends {}", model.sigs[*parent].label),
            AlloyPlace::In { of, exactly } => {
                let of: Vec<&str> = of.iter().map(|&p| model.sigs[p].label.as_str()).collect();
                format!("{} {}", if *exactly { "=" } else { "in" }, of.join(" + "))
            }
            AlloyPlace::Top => "top".to_owned(),
        };
        let words = [
            (sig.private, "private "),
            (sig.var, "var "),
            (sig.is_abstract, "abstract "),
            (sig.is_enum, "enum "),
        ];
        let words: String = words
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, w)| *w)
            .collect();
        let mult = sig.mult.map_or(String::new(), |mult| format!("{mult:?} "));
        let _ = writeln!(shown, "{words}{mult}sig {} {place}", sig.label);
        for decl in &sig.decls {
            for &field in &decl.fields {
                let field = &model.fields[field];
                let disj = if decl.disj { "disj " } else { "" };
                let value = if decl.disj_value { "disj " } else { "" };
                let sign = if field.definition.is_some() { "=" } else { ":" };
                let name = model.names.text(field.name);
                let _ = writeln!(
                    shown,
                    "  {disj}{name} {sign} {value}{}",
                    show(model, decl.bound)
                );
            }
        }
        if let Some(fact) = sig.fact {
            let _ = writeln!(shown, "  fact {}", show(model, fact));
        }
    }
    for function in model.functions.iter().filter(|f| main(&f.label)) {
        let params: Vec<String> = function
            .params
            .iter()
            .flat_map(|binding| {
                let bound = show(model, binding.bound);
                let names = binding
                    .vars
                    .iter()
                    .map(|&v| model.names.text(model.vars[v].name));
                names
                    .map(move |name| format!("{name}: {bound}"))
                    .collect::<Vec<_>>()
            })
            .collect();
        let result = function
            .result
            .map_or(String::new(), |r| format!(": {}", show(model, r)));
        let body = function
            .body
            .map_or(String::new(), |body| show(model, body));
        let _ = writeln!(
            shown,
            "{}[{}]{result} = {body}",
            function.label,
            params.join(", ")
        );
    }
    for fact in model.facts.iter().filter(|f| main(&f.label)) {
        let _ = writeln!(shown, "fact {} {}", fact.label, show(model, fact.body));
    }
    for fact in model.assertions.iter().filter(|f| main(&f.label)) {
        let _ = writeln!(shown, "assert {} {}", fact.label, show(model, fact.body));
    }
    for command in &model.commands {
        let kind = if command.check { "check" } else { "run" };
        let goal = match command.goal {
            CommandGoal::Formula(term) => show(model, term),
            CommandGoal::Function(function) => model.functions[function].label.clone(),
        };
        let scopes = command.scopes.iter().map(|scope| {
            let to = scope.to.map_or("..".to_owned(), |to| {
                if to == scope.from {
                    String::new()
                } else {
                    format!("..{to}")
                }
            });
            let exactly = if scope.exactly { "exactly " } else { "" };
            let of = match scope.of {
                wherefore_alloy::model::ScopeOf::Sig(sig) => model.sigs[sig].label.clone(),
                other => format!("{other:?}"),
            };
            format!("{exactly}{}{to} {of}", scope.from)
        });
        let scopes = scopes.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            shown,
            "{kind} {}: {goal} for {:?} but [{scopes}] expect {:?}",
            command.label, command.overall, command.expect
        );
    }
    shown
}
