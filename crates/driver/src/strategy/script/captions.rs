//! Scripts that say how evidence is told: what to show, and what to say of it.
//!
//! The functions are `show(variable)`, `say(state)` and `hide(state)`, all of them optional. They run in the sandbox of
//! strategies.

use std::rc::Rc;

use rhai::{AST, CallFnOptions, Dynamic, Engine, FuncArgs, Scope};
use wherefore_base::{Budget, Diagnostic, Run, Severity, SourceFile, SourceMap, Span, with_stack};
use wherefore_evidence::Finding;
use wherefore_model::Model;
use wherefore_view::{Captions, StateCaption, clean};

use super::objects::{SharedDesk, Vocabulary};
use super::{LARGEST, STACK, definition, describe, range, sandbox, shown_value};
use crate::refusal::Rejected;

/// The functions, with their parameter.
const FUNCTIONS: [(&str, &str); 3] = [("show", "variable"), ("say", "state"), ("hide", "state")];

/// So many states are asked about.
const STATES: usize = 10_000;

/// What a script says of the states of findings, and which variables it does not want to see; what it printed; and what
/// went wrong, if something did. Then everything is shown as without it.
pub struct ToldByScript {
    /// What it says.
    pub captions: Captions,
    /// What it printed.
    pub printed: Vec<String>,
    /// What went wrong: an error if the script cannot be read, a warning if it went wrong later.
    pub wrong: Option<Rejected>,
}

/// Runs a script that says how evidence is told.
///
/// # Errors
/// When the budget ends.
pub fn told_by_script(
    name: &str,
    text: &str,
    model: &Model,
    findings: &[Finding],
    budget: &Budget,
) -> Run<ToldByScript> {
    let desk: SharedDesk = Rc::default();
    let mut told = ToldByScript {
        captions: Captions::default(),
        printed: vec![],
        wrong: None,
    };
    let outcome = with_stack(STACK, || {
        let script = TellingScript::compile(text, budget, &desk);
        let script = script.map_err(|wrong| (Severity::Error, wrong))?;
        let captions = script.captions(model, findings, budget);
        captions.map_err(|wrong| (Severity::Warning, wrong))
    });
    match outcome {
        Ok(captions) => told.captions = captions,
        Err((severity, (message, at))) => {
            budget.check()?;
            let mut sources = SourceMap::default();
            let file = sources.add(SourceFile::new(name, text));
            let span = Span::new(file, at.start, at.end);
            let help = "The evidence is shown as without the script.";
            let diagnostic = match severity {
                Severity::Error => Diagnostic::error(span, message).help(help),
                Severity::Warning => Diagnostic::warning(span, message).help(help),
            };
            told.wrong = Some(Rejected {
                sources,
                diagnostics: vec![diagnostic],
            });
        }
    }
    let said = std::mem::take(&mut desk.borrow_mut().said);
    told.printed = said.iter().map(|line| clean(line)).collect();
    Ok(told)
}

struct TellingScript<'t> {
    engine: Engine,
    ast: AST,
    text: &'t str,
    functions: Vec<&'static str>,
}

impl<'t> TellingScript<'t> {
    fn compile(text: &'t str, budget: &Budget, desk: &SharedDesk) -> Result<Self, super::Wrong> {
        if text.len() > LARGEST {
            let message = format!("the script has more than {} MB", LARGEST >> 20);
            return Err((message, 0..1));
        }
        let engine = sandbox(budget, desk);
        let ast = engine.compile(text).map_err(|error| {
            let message = format!("the script is wrong: {}", error.err_type());
            (message, range(text, error.position()))
        })?;
        let mut functions = Vec::new();
        for function in ast.iter_functions() {
            let known = FUNCTIONS.iter().find(|(name, _)| *name == function.name);
            let Some((name, parameter)) = known else {
                continue;
            };
            if function.params.len() != 1 {
                let message = format!("the function is `{name}({parameter})`");
                return Err((message, definition(text, name)));
            }
            functions.push(*name);
        }
        if functions.is_empty() {
            let names: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
            let message = format!(
                "the script has none of the functions that say how evidence is told: {}",
                names.join(", ")
            );
            return Err((message, 0..text.len().min(1)));
        }
        Ok(Self {
            engine,
            ast,
            text,
            functions,
        })
    }

    fn captions(
        &self,
        model: &Model,
        findings: &[Finding],
        budget: &Budget,
    ) -> Result<Captions, super::Wrong> {
        let mut captions = Captions::default();
        for var in model.vars.iter() {
            if self.truth("show", (var.name.clone(),))? == Some(false) {
                captions.hidden.insert(clean(&var.name));
            }
        }
        let vocabulary = Vocabulary::of(model);
        let evidence = findings.iter().flat_map(Finding::evidences);
        let occurrences = evidence.flat_map(|evidence| evidence.occurrences.iter());
        for state in occurrences.map(|occurrence| &occurrence.values[..]) {
            if captions.states.len() >= STATES || captions.states.contains_key(state) {
                continue;
            }
            if budget.check().is_err() {
                return Err((String::new(), 0..0));
            }
            let text = match self.call("say", (vocabulary.state(state),))? {
                None => String::new(),
                Some(value) if value.is_unit() => String::new(),
                Some(value) => value.into_string().map_err(|other| {
                    let message = format!("`say` returns {other}, which is no text");
                    (message, definition(self.text, "say"))
                })?,
            };
            let hidden = self.truth("hide", (vocabulary.state(state),))? == Some(true);
            captions
                .states
                .insert(state.to_vec(), StateCaption { text, hidden });
        }
        Ok(captions)
    }

    /// What a function returns; nothing when the script does not have it.
    fn call(&self, name: &str, arguments: impl FuncArgs) -> Result<Option<Dynamic>, super::Wrong> {
        if !self.functions.contains(&name) {
            return Ok(None);
        }
        let options = CallFnOptions::new().eval_ast(false);
        let scope = &mut Scope::new();
        let value = self
            .engine
            .call_fn_with_options::<Dynamic>(options, scope, &self.ast, name, arguments);
        value.map(Some).map_err(|error| {
            let (message, at) = describe(*error);
            let at = match at.is_none() {
                true => definition(self.text, name),
                false => range(self.text, at),
            };
            (format!("the script goes wrong: {message}"), at)
        })
    }

    /// The same for a function that says yes or no.
    fn truth(&self, name: &str, arguments: impl FuncArgs) -> Result<Option<bool>, super::Wrong> {
        match self.call(name, arguments)? {
            None => Ok(None),
            Some(value) if value.is_unit() => Ok(None),
            Some(value) => value.as_bool().map(Some).map_err(|_| {
                let message = format!(
                    "`{name}` returns {}, not true or false",
                    shown_value(&value)
                );
                (message, definition(self.text, name))
            }),
        }
    }
}
