//! Strategies as scripts.
//!
//! A script is a Rhai program with the hooks of a [`Strategy`](wherefore_evidence::Strategy) as functions, all of them optional:
//! `init(rules)`, `pick_leaf(proof, leaves)`, `pick_rule(proof, leaf, ways)`, `rank(proof, leaf, way)` and
//! `rule_applied(proof, leaf, way, premises)`. Its memory is the map `this`. It runs in a sandbox: no
//! files, no clock, no other programs, and bounds on steps, calls and the size of values. A script
//! that goes wrong is told so once and has no opinion from then on.

mod objects;
mod scripted;

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use rhai::packages::{Package, StandardPackage};
use rhai::{
    AST, Array, CallFnOptions, Dynamic, Engine, EvalAltResult, FuncArgs, ImmutableString, Map,
    Position, Scope,
};
use wherefore_base::{Budget, Diagnostic, FileId, Run, SourceFile, SourceMap, Span, with_stack};
use wherefore_evidence::{Arrow, Automaton, Guide, Outlook, Proof, Rule};
use wherefore_model::{Model, TermId};
use wherefore_view::clean;

use super::Remark;
use super::words::Words;
use crate::refusal::Rejected;
pub(super) use scripted::Scripted;

use objects::{Added, Desk, Question, RuleChange, RulesObject, SharedDesk, Vocabulary, integer};

/// A hook may take so many operations.
const OPERATIONS: u64 = 200_000;
/// Functions may call one another so deep.
const CALLS: usize = 32;
/// Expressions may be nested so deep, in functions and outside.
const NESTING: usize = 48;
/// Texts may have so many characters.
const LETTERS: usize = 1 << 16;
/// Lists and maps may have so many entries, those of the values in them included.
const SIZE: usize = 1 << 11;
/// Values that outlive a hook may be nested so deep.
const DEPTH: usize = 64;
/// The stack that the deepest values need.
const STACK: usize = 32 << 20;
/// A script may have so many bytes.
const LARGEST: usize = 1 << 20;
/// So many nodes of a proof are shown to a script.
const NODES: usize = 100;
/// So many questions are answered in one hook.
const QUESTIONS: usize = 1_000;
/// So many printed lines are kept.
const LINES: usize = 100;

/// The hooks, with their parameters.
const HOOKS: [(&str, &[&str]); 5] = [
    ("init", &["rules"]),
    ("pick_leaf", &["proof", "leaves"]),
    ("pick_rule", &["proof", "leaf", "ways"]),
    ("rank", &["proof", "leaf", "way"]),
    ("rule_applied", &["proof", "leaf", "way", "premises"]),
];

/// A script that was compiled, and what it asked for when it started.
pub(super) struct Program {
    engine: Engine,
    ast: AST,
    hooks: Vec<String>,
    sources: SourceMap,
    file: FileId,
    desk: SharedDesk,
    words: Rc<Words>,
    budget: Budget,
    remarks: Rc<RefCell<Vec<Remark>>>,
    lines: Cell<usize>,
    broken: Cell<bool>,
    ready: RefCell<Ready>,
}

/// What came of `init`.
#[derive(Clone, Default)]
struct Ready {
    memory: Dynamic,
    conditions: Vec<TermId>,
    guides: Vec<Guide>,
    removed: Vec<&'static str>,
}

/// What is wrong with a script, and where.
type Wrong = (String, Range<usize>);

/// A text that `init` wants to have read, and where it asked.
type Wanted = (String, Position);

impl Program {
    /// Compiles a script.
    pub(super) fn compile(
        name: &str,
        text: &str,
        model: &Model,
        words: Rc<Words>,
        remarks: Rc<RefCell<Vec<Remark>>>,
        budget: &Budget,
    ) -> Result<Self, Wrong> {
        if text.len() > LARGEST {
            let message = format!("the script has more than {} MB", LARGEST >> 20);
            return Err((message, 0..1));
        }
        let desk: SharedDesk = Rc::default();
        let mut engine = sandbox(budget, &desk);
        objects::register(&mut engine, &desk, &Rc::new(Vocabulary::of(model)));
        let ast = engine.compile(text).map_err(|error| {
            let message = format!("the script is wrong: {}", error.err_type());
            (message, range(text, error.position()))
        })?;
        let hooks = hooks(&ast, text)?;
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(name, text));
        Ok(Self {
            engine,
            ast,
            hooks,
            sources,
            file,
            desk,
            words,
            budget: budget.clone(),
            remarks,
            lines: Cell::new(0),
            broken: Cell::new(false),
            ready: RefCell::default(),
        })
    }

    /// Runs `init`; returns the texts that it wants to have read as conditions.
    pub(super) fn prepare(&self) -> Run<Vec<Wanted>> {
        let mut memory = Dynamic::from(Map::new());
        self.call(&mut memory, "init", None, || (RulesObject,))?;
        self.ready.borrow_mut().memory = memory;
        Ok(self.desk.borrow().draft.conditions.clone())
    }

    /// Says that a text is no condition of the model.
    pub(super) fn cannot_read(&self, text: &str, rejected: &Rejected, at: Position) {
        let why = rejected.diagnostics.first().map(|d| d.message.clone());
        let why = why.unwrap_or_default();
        self.complain(&format!("`{}` is no condition: {why}", clean(text)), at);
    }

    /// Takes the conditions that were read, in order; those of a broken script may be fewer.
    pub(super) fn conditions(&self, conditions: Vec<TermId>) {
        let draft = std::mem::take(&mut self.desk.borrow_mut().draft);
        self.desk.borrow_mut().started = true;
        if self.broken.get() || conditions.len() < draft.conditions.len() {
            return;
        }
        let guides = draft.added.iter().map(|added| guide(added, &conditions));
        let guides: Vec<Guide> = guides.collect();
        let mut ready = self.ready.borrow_mut();
        ready.guides = guides;
        ready.removed = draft.removed;
        ready.conditions = conditions;
    }

    /// The changes of rules that the last hook made; nothing if it went wrong.
    fn take_changes(&self) -> Vec<RuleChange> {
        let changes = std::mem::take(&mut self.desk.borrow_mut().changes);
        match self.broken.get() {
            true => vec![],
            false => changes,
        }
    }

    /// Calls a hook with memory; nothing when there is no such hook or it goes wrong. Questions are
    /// answered and the hook is called again, as if it had never run.
    fn call<A: FuncArgs>(
        &self,
        memory: &mut Dynamic,
        hook: &str,
        proof: Option<&dyn Proof>,
        arguments: impl Fn() -> A,
    ) -> Run<Option<Dynamic>> {
        if self.broken.get() || !self.hooks.iter().any(|known| known == hook) {
            return Ok(None);
        }
        self.desk.borrow_mut().answers.clear();
        with_stack(STACK, || self.call_deep(memory, hook, proof, arguments))
    }

    fn call_deep<A: FuncArgs>(
        &self,
        memory: &mut Dynamic,
        hook: &str,
        proof: Option<&dyn Proof>,
        arguments: impl Fn() -> A,
    ) -> Run<Option<Dynamic>> {
        for _ in 0..QUESTIONS {
            let mut now = memory.clone();
            // A hook that is run again has changed nothing before.
            self.desk.borrow_mut().changes.clear();
            let options = CallFnOptions::new().eval_ast(false).bind_this_ptr(&mut now);
            let outcome = self.engine.call_fn_with_options::<Dynamic>(
                options,
                &mut Scope::new(),
                &self.ast,
                hook,
                arguments(),
            );
            let said = std::mem::take(&mut self.desk.borrow_mut().said);
            let asked = self.desk.borrow_mut().asked.take();
            if let (Some(question), Some(proof), Err(_)) = (asked, proof, &outcome) {
                let answer = self.answer(question, proof)?;
                self.desk.borrow_mut().answers.insert(question, answer);
                continue;
            }
            self.say(said);
            return match outcome {
                Ok(value) if is_flat(&value, DEPTH) && is_flat(&now, DEPTH) => {
                    *memory = now;
                    Ok(Some(value))
                }
                Ok(_) => {
                    let message = format!("it keeps a value that is nested more than {DEPTH} deep");
                    self.complain_about(hook, &message);
                    Ok(None)
                }
                Err(error) => {
                    self.budget.check()?;
                    match describe(*error) {
                        (message, at) if at.is_none() => self.complain_about(hook, &message),
                        (message, at) => self.complain(&message, at),
                    }
                    Ok(None)
                }
            };
        }
        let message = format!("`{hook}` asks more than {QUESTIONS} questions");
        self.complain_about(hook, &message);
        Ok(None)
    }

    fn answer(&self, question: Question, proof: &dyn Proof) -> Run<Dynamic> {
        Ok(match question {
            Question::Outlook(leaf) => outlook(proof.outlook(leaf)?),
            Question::After(way) => outlook(proof.outlook_after(way)?),
            Question::Truth(condition, at) => {
                let condition = self.ready.borrow().conditions.get(condition).copied();
                match condition {
                    Some(condition) => proof.is_true(condition, at)?.into(),
                    None => Dynamic::UNIT,
                }
            }
            Question::Nodes => self.nodes(proof),
        })
    }

    /// The nodes of the proof as maps.
    fn nodes(&self, proof: &dyn Proof) -> Dynamic {
        let vocabulary = Vocabulary::of(proof.model());
        let nodes = proof.nodes().entries().take(NODES).map(|(id, node)| {
            let premises = node.premises.iter().map(|p| integer(p.index()).into());
            let premises: Array = premises.collect();
            let rule = node
                .rule
                .map_or(Dynamic::UNIT, |rule| rule_name(rule).into());
            let claim: ImmutableString = self.words.claim(proof, node.claim).into();
            let mut map = Map::new();
            map.insert("number".into(), integer(id.index()).into());
            map.insert("claim".into(), claim.into());
            map.insert(
                "values".into(),
                vocabulary.state(&proof.values(node.at)).into(),
            );
            map.insert("rule".into(), rule);
            map.insert("premises".into(), premises.into());
            Dynamic::from(map)
        });
        nodes.collect::<Array>().into()
    }

    fn say(&self, said: Vec<String>) {
        for line in said {
            let lines = self.lines.get();
            if lines < LINES {
                let name = self.sources.file(self.file).name();
                let line = format!("{}: {}", clean(name), clean(&line));
                self.remarks.borrow_mut().push(Remark::Said(line));
            }
            self.lines.set(lines.saturating_add(1));
        }
    }

    fn text(&self) -> &str {
        self.sources.file(self.file).text()
    }

    /// Says once what is wrong with the script, which has no opinion from then on.
    fn complain(&self, message: &str, at: Position) {
        let at = range(self.text(), at);
        self.complain_at(message, at);
    }

    /// The same about a hook as a whole.
    fn complain_about(&self, hook: &str, message: &str) {
        let at = definition(self.text(), hook);
        self.complain_at(message, at);
    }

    fn complain_at(&self, message: &str, at: Range<usize>) {
        if self.broken.replace(true) {
            return;
        }
        let span = Span::new(self.file, at.start, at.end);
        let diagnostic = Diagnostic::warning(span, format!("the script goes wrong: {message}"))
            .help("The script has no opinion from here on; verdicts do not depend on it.");
        self.remarks.borrow_mut().push(Remark::Warning(Rejected {
            sources: self.sources.clone(),
            diagnostics: vec![diagnostic],
        }));
    }
}

/// The rule that a script asks for, over the conditions that were read.
fn guide(added: &Added, conditions: &[TermId]) -> Guide {
    match added {
        Added::Where(condition, truth) => Guide::Where(conditions[*condition], *truth),
        Added::Explored(explored) => Guide::Explored(*explored),
        Added::Here => Guide::Here,
        Added::Through(condition) => Guide::Through(conditions[*condition]),
        Added::Along(turns) => {
            let count = turns.len();
            let arrows = turns.iter().enumerate().map(|(at, turn)| {
                vec![Arrow {
                    condition: conditions[*turn],
                    truth: true,
                    to: (at + 1) % count,
                }]
            });
            Guide::Along(Automaton {
                arrows: arrows.collect(),
                again: vec![],
            })
        }
    }
}

/// An engine that can do nothing but compute, for a while.
fn sandbox(budget: &Budget, desk: &SharedDesk) -> Engine {
    let mut engine = Engine::new_raw();
    engine.register_global_module(StandardPackage::new().as_shared_module());
    engine
        .set_max_operations(OPERATIONS)
        .set_max_call_levels(CALLS)
        .set_max_expr_depths(NESTING, NESTING)
        .set_max_string_size(LETTERS)
        .set_max_array_size(SIZE)
        .set_max_map_size(SIZE)
        .set_max_variables(256)
        .set_max_functions(256)
        .set_strict_variables(true)
        .disable_symbol("eval")
        .disable_symbol("curry");
    // The standard functions can wait, which no strategy needs to do.
    engine.register_fn("sleep", |_: i64| -> Result<(), Box<EvalAltResult>> {
        Err("scripts cannot wait".into())
    });
    let clock = budget.clone();
    engine.on_progress(move |operations| {
        let stop = operations % 256 == 0 && clock.check().is_err();
        stop.then_some(Dynamic::UNIT)
    });
    let said = Rc::clone(desk);
    engine.on_print(move |line| said.borrow_mut().say(line));
    let said = Rc::clone(desk);
    engine.on_debug(move |line, _, _| said.borrow_mut().say(line));
    engine
}

impl Desk {
    fn say(&mut self, line: &str) {
        if self.said.len() < LINES {
            self.said.push(line.to_string());
        }
    }
}

/// The hooks that a script has, if each has the parameters it needs.
fn hooks(ast: &AST, text: &str) -> Result<Vec<String>, Wrong> {
    let mut found = Vec::new();
    for function in ast.iter_functions() {
        let hook = HOOKS.iter().find(|(name, _)| *name == function.name);
        let Some((name, parameters)) = hook else {
            continue;
        };
        if function.params.len() != parameters.len() {
            let message = format!("the hook is `{name}({})`", parameters.join(", "));
            return Err((message, definition(text, name)));
        }
        found.push(name.to_string());
    }
    if found.is_empty() {
        let names: Vec<&str> = HOOKS.iter().map(|(name, _)| *name).collect();
        let message = format!(
            "the script has none of the functions that strategies have: {}",
            names.join(", ")
        );
        return Err((message, 0..text.len().min(1)));
    }
    Ok(found)
}

/// What went wrong, in words, and where.
fn describe(mut error: EvalAltResult) -> (String, Position) {
    let mut at = error.position();
    while let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = error {
        error = *inner;
        if !error.position().is_none() {
            at = error.position();
        }
    }
    let _ = error.take_position();
    let message = match &error {
        EvalAltResult::ErrorTooManyOperations(_) => {
            format!("it takes more than {OPERATIONS} operations")
        }
        EvalAltResult::ErrorStackOverflow(_) => {
            format!("its functions call one another more than {CALLS} deep")
        }
        EvalAltResult::ErrorDataTooLarge(what, _) => {
            format!("a value becomes too large ({what})")
        }
        EvalAltResult::ErrorFunctionNotFound(what, _) => format!("there is no function {what}"),
        EvalAltResult::ErrorRuntime(value, _) => shown_value(value),
        _ => error.to_string(),
    };
    (clean(&message), at)
}

/// Whether lists and maps are nested at most so deep.
fn is_flat(value: &Dynamic, depth: usize) -> bool {
    let inner = |value: &Dynamic| depth > 0 && is_flat(value, depth - 1);
    if let Some(array) = value.read_lock::<Array>() {
        return array.iter().all(inner);
    }
    match value.read_lock::<Map>() {
        Some(map) => map.values().all(inner),
        None => true,
    }
}

fn shown_value(value: &Dynamic) -> String {
    const LONGEST: usize = 240;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}

fn outlook(outlook: Outlook) -> Dynamic {
    let mut map = Map::new();
    map.insert("steps".into(), i64::from(outlook.steps).into());
    let turn = outlook
        .turn
        .map_or(Dynamic::UNIT, |turn| i64::from(turn).into());
    map.insert("turn".into(), turn);
    map.into()
}

fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::State => "state",
        Rule::Branch(_) => "branch",
        Rule::Step => "step",
        Rule::EveryStep => "every-step",
        Rule::Goal => "goal",
        Rule::Continue => "continue",
        Rule::DeadEnd => "dead-end",
        Rule::Stop => "stop",
        Rule::Region(_) => "region",
        Rule::Total => "total",
        Rule::Start => "start",
        Rule::Run => "run",
    }
}

/// The character at a position of a script.
fn range(text: &str, position: Position) -> Range<usize> {
    let Some(line) = position.line() else {
        return 0..text.len().min(1);
    };
    let start: usize = text
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let rest = &text[start..];
    let column = position.position().unwrap_or(1);
    let offset = rest
        .char_indices()
        .nth(column - 1)
        .map_or(rest.len(), |(at, _)| at);
    let at = start + offset;
    let width = text[at..].chars().next().map_or(0, char::len_utf8);
    at..at + width
}

/// Where a function is defined.
fn definition(text: &str, name: &str) -> Range<usize> {
    let found = text.match_indices(name).map(|(at, _)| at);
    let mut found = found.filter(|&at| text[..at].trim_end().ends_with("fn"));
    let at = found.next().unwrap_or(0);
    let end = at + name.len();
    if end <= text.len() { at..end } else { 0..0 }
}

#[cfg(test)]
mod tests;
