//! From a command to a problem of relational logic.
//!
//! Signatures become relations with bounds: one with children is the union of them and of a relation for
//! the rest. A field of a signature with one atom has no column for it. What declarations say becomes
//! formulas, as do facts and the goal; predicates and functions are written out where they are called.

mod apart;
mod bounds;
mod choice;
mod constraint;
mod facts;
mod leaf;
mod path;
mod quantified;
mod term;
mod time;
mod told;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, Span, Symbol};
use wherefore_relational::{
    FormulaId, Instance, Integers, Overflow, Problem, RelExprId, RelationId, TupleSet, Universe,
    UniverseAtomId,
};

use self::path::TracePath;
pub use self::term::TermMeaning;
pub use self::time::TraceShape;
use self::time::{Delayed, Times};
use crate::model::{
    AlloyModel, AlloyTermId, AlloyUnaryOp, AlloyVarId, Command, CommandGoal, FieldId, FunctionId,
    SigId,
};
use crate::outside::Override;
use crate::scope::{Scopes, scopes};

/// How a command is lowered.
#[derive(Clone, Debug)]
pub struct LoweringOptions {
    /// Scopes that win over those of the command.
    pub scopes: Vec<Override>,
    /// What happens when arithmetic does not fit the width of integers.
    pub overflow: Overflow,
    /// Whether every formula that is written has its place in the problem, and not only the parts of facts, blocks and
    /// quantified formulas.
    pub places: bool,
}

impl Default for LoweringOptions {
    fn default() -> Self {
        Self {
            scopes: Vec::new(),
            overflow: Overflow::Wrap,
            places: false,
        }
    }
}

/// A command as a problem, with the way back.
#[derive(Clone, Debug)]
pub struct LoweredCommand {
    /// The problem: for `check`, an instance is a counterexample.
    pub problem: Problem,
    /// How many of its requirements, from the first on, are facts, said or implied; the others are the goal.
    pub facts: usize,
    /// The scopes.
    pub scopes: Scopes,
    /// The shape of its traces; a single state where nothing changes.
    pub shape: TraceShape,
    /// The states of a trace, in order.
    pub states: Vec<State>,
    /// A signature whose atoms are equal when all their fields are: what [`LoweredCommand::meaning`] says of `=`.
    pub records: Option<SigId>,
    tables: Vec<LoweredTables>,
    /// Where the last state goes back to, if that is open.
    loops: OpenLoop,
}

/// Where the last state of a trace goes back to, if that is open: to the first state whose relation has
/// a tuple, or else to the last one.
#[derive(Clone, Default, Debug)]
struct OpenLoop {
    relations: Vec<RelationId>,
    /// By state: that it is the one.
    goes: Vec<FormulaId>,
}

/// The values of signatures and fields in a state.
#[derive(Clone, Debug)]
pub struct State {
    /// By signature: its value in an instance.
    pub sigs: Vec<RelExprId>,
    /// By field: its value, with the column of its signature.
    pub fields: Vec<RelExprId>,
}

impl LoweredCommand {
    /// What a term of the model means in a state, in the nodes of the problem; new nodes are added to it.
    /// The state is also the position: what was before it is what the states before it are.
    ///
    /// # Errors
    /// When it cannot be lowered; see [`lower`].
    pub fn meaning(
        &mut self,
        model: &AlloyModel,
        term: AlloyTermId,
        state: usize,
    ) -> Result<TermMeaning, Diagnostic> {
        self.meaning_with(model, term, state, &[])
    }

    /// What a term means where some variables have values; see [`LoweredCommand::meaning`].
    ///
    /// # Errors
    /// As of [`LoweredCommand::meaning`].
    pub fn meaning_with(
        &mut self,
        model: &AlloyModel,
        term: AlloyTermId,
        state: usize,
        given: &[(AlloyVarId, TupleSet)],
    ) -> Result<TermMeaning, Diagnostic> {
        let mut times = Times::default();
        let past = times.past_depth(model, term);
        let path = TracePath::new(self.shape, past, self.loops.goes.clone());
        let mut parked = self.tables.clone();
        // The tables of the state at hand are kept apart from the others.
        let tables = std::mem::take(&mut parked[0]);
        let mut lowering = AlloyLowering {
            model,
            scopes: self.scopes.clone(),
            universe: self.problem.universe().clone(),
            problem: self.problem.clone(),
            tables,
            parked,
            path,
            times,
            env: FxHashMap::default(),
            records: self.records,
            later: FxHashMap::default(),
            calling: Vec::new(),
            calls: FxHashMap::default(),
            parts: 0,
            places: false,
            loops: self.loops.clone(),
        };
        for (var, value) in given {
            let name = model.names.text(model.vars[*var].name);
            let constant = lowering.problem.constant(name, value.clone());
            let constant = lowering.problem.rel(constant);
            lowering.env.insert(*var, TermMeaning::Expr(constant));
        }
        lowering.go(state.min(self.shape.states - 1));
        let meaning = lowering.value(term)?;
        self.problem = lowering.problem;
        Ok(meaning)
    }

    /// The shape of the trace that an instance is.
    pub fn shape_in(&self, instance: &Instance) -> TraceShape {
        if self.loops.goes.is_empty() {
            return self.shape;
        }
        let relations = &self.loops.relations;
        let goes = |&relation: &RelationId| !instance.value(relation).is_empty();
        let back = relations.iter().position(goes);
        TraceShape {
            states: self.shape.states,
            back: back.unwrap_or(self.shape.states - 1),
        }
    }
}

/// Lowers a command of a model in which nothing changes over time.
///
/// # Errors
/// When its scopes do not fit, when a predicate or function calls itself, or when something changes.
pub fn lower(
    model: &AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
) -> Result<LoweredCommand, Diagnostic> {
    if model.has_time() {
        // Scopes that do not fit are told first.
        scopes(model, command, &choices.scopes)?;
        let message = "This command is about traces, of which a shape must be chosen";
        return Err(Diagnostic::error(command.span, message));
    }
    lower_trace(model, command, choices, TraceShape::STILL)
}

/// Lowers a command to the traces of a shape. A command is refuted or shown by a trace of any shape that its
/// scope allows; see [`TraceShape::all`].
///
/// # Errors
/// When its scopes do not fit, or when a predicate or function calls itself.
pub fn lower_trace(
    model: &AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
    shape: TraceShape,
) -> Result<LoweredCommand, Diagnostic> {
    facts_of(model, command, choices, shape, false)?.finish_with(|it| it.goal(command))
}

/// Lowers a command to the traces of so many states, whichever of them the last one goes back to; the problem has
/// an instance if one of the shapes with that many states has one. A trace of fewer states is also one
/// of more states, since the loop can be entered later, so [`TraceShape::longest`] decides the command.
/// [`LoweredCommand::shape_in`] says what shape an instance has.
///
/// # Errors
/// As of [`lower_trace`].
pub fn lower_lassos(
    model: &AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
    states: usize,
) -> Result<LoweredCommand, Diagnostic> {
    facts_of_lassos(model, command, choices, states)?.finish_with(|it| it.goal(command))
}

/// Lowers a command to the traces of so many states with its goal taken apart: the same as [`lower_lassos`] where only
/// the question is whether there is an instance, and which parts of the goal are to blame if there is none.
///
/// # Errors
/// As of [`lower_trace`].
pub fn lower_apart(
    model: &AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
    states: usize,
) -> Result<LoweredCommand, Diagnostic> {
    facts_of_lassos(model, command, choices, states)?.finish_with(|it| it.goal_apart(command))
}

/// Lowers the facts alone, in the scope of a command, for the traces of so many states as [`lower_lassos`]
/// does: without an instance, the facts are inconsistent there, and every check passes for that reason.
///
/// # Errors
/// As of [`lower_trace`].
pub fn lower_facts(
    model: &AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
    states: usize,
) -> Result<LoweredCommand, Diagnostic> {
    facts_of_lassos(model, command, choices, states)?.finish_with(|_| Ok(()))
}

/// Lowers what the declarations of signatures and fields say, in the scope of a command, with the facts of
/// signatures and without any other.
///
/// # Errors
/// As of [`lower`].
pub fn lower_declarations(
    model: &AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
) -> Result<LoweredCommand, Diagnostic> {
    declarations(model, command, choices, TraceShape::STILL, false)?.finish_with(|_| Ok(()))
}

fn facts_of_lassos<'m>(
    model: &'m AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
    states: usize,
) -> AlloyLower<AlloyLowering<'m>> {
    // With several states the loop is left open, and then `back` is not read.
    let shape = TraceShape { states, back: 0 };
    facts_of(model, command, choices, shape, states > 1)
}

fn facts_of<'m>(
    model: &'m AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
    shape: TraceShape,
    open: bool,
) -> AlloyLower<AlloyLowering<'m>> {
    let mut lowering = declarations(model, command, choices, shape, open)?;
    lowering.said_facts()?;
    Ok(lowering)
}

fn declarations<'m>(
    model: &'m AlloyModel,
    command: &Command,
    choices: &LoweringOptions,
    shape: TraceShape,
    open: bool,
) -> AlloyLower<AlloyLowering<'m>> {
    let scopes = scopes(model, command, &choices.scopes)?;
    if let Some((_, None)) = scopes.steps {
        let endless = command.scopes.iter().find(|scope| scope.to.is_none());
        let span = endless.map_or(command.span, |scope| scope.span);
        let message = "Traces of any length are not searched";
        return Err(Diagnostic::error(span, message)
            .because("only traces up to a given number of states are")
            .help("Say how many states a trace may have, as in `1..10 steps`."));
    }
    let goal = match command.goal {
        CommandGoal::Formula(term) => Some(term),
        CommandGoal::Function(function) => model.functions[function].body,
    };
    let facts = model.facts.iter().map(|fact| fact.body);
    let said = model.declared().filter_map(|(_, sig)| sig.fact);
    let all = facts.chain(said).chain(goal);
    let mut times = Times::default();
    let past = all
        .map(|term| times.past_depth(model, term))
        .max()
        .unwrap_or(0);
    let path = TracePath::new(shape, past, Vec::new());
    let mut lowering = AlloyLowering::new(model, scopes, choices.overflow, path);
    lowering.places = choices.places;
    if open {
        lowering.open_loops();
    }
    for state in 0..shape.states {
        lowering.go(state);
        lowering.sigs();
        lowering.fields()?;
        lowering.sizes();
    }
    // Facts may speak of other states, so all states have their relations before any fact is read.
    for state in 0..shape.states {
        lowering.go(state);
        lowering.field_facts()?;
        lowering.sig_facts()?;
    }
    lowering.go(0);
    Ok(lowering)
}

type AlloyLower<T> = Result<T, Diagnostic>;

/// What signatures, fields and constants became.
#[derive(Clone, Default, Debug)]
struct LoweredTables {
    /// By signature: its value, and the atoms it may have.
    sig_exprs: Vec<(RelExprId, TupleSet)>,
    /// By field: its value.
    field_exprs: Vec<RelExprId>,
    /// By field of a signature with one atom: the relation without the column for the atom.
    single_fields: FxHashMap<FieldId, RelationId>,
    /// Fields whose values are known: orders of enumerations.
    fixed: FxHashSet<FieldId>,
    strings: FxHashMap<Symbol, UniverseAtomId>,
    integer_atoms: Vec<(UniverseAtomId, i64)>,
    next: Option<RelExprId>,
    /// The atoms that are there, and each of them with itself.
    live: Option<(RelExprId, RelExprId)>,
}

struct AlloyLowering<'m> {
    model: &'m AlloyModel,
    scopes: Scopes,
    problem: Problem,
    universe: Universe,
    /// The tables of the state at hand.
    tables: LoweredTables,
    /// The tables of the other states.
    parked: Vec<LoweredTables>,
    path: TracePath,
    times: Times,
    env: FxHashMap<AlloyVarId, TermMeaning>,
    /// A signature whose atoms are equal when all their fields are.
    records: Option<SigId>,
    /// Variables whose value depends on when it is asked for.
    later: FxHashMap<AlloyVarId, Delayed>,
    calling: Vec<FunctionId>,
    /// What calls came to, by arguments and position.
    calls: FxHashMap<(FunctionId, Vec<RelExprId>, usize), TermMeaning>,
    /// How many terms were lowered so far.
    parts: usize,
    /// Whether every formula has its place.
    places: bool,
    loops: OpenLoop,
}

impl<'m> AlloyLowering<'m> {
    fn new(model: &'m AlloyModel, scopes: Scopes, overflow: Overflow, path: TracePath) -> Self {
        let mut names = scopes.atoms.clone();
        let half = 1i64 << (scopes.bits - 1);
        let mut integer_atoms = Vec::new();
        for value in -half..half {
            integer_atoms.push((UniverseAtomId::new(names.len()), value));
            names.push(value.to_string());
        }
        let mut strings = FxHashMap::default();
        for &text in &scopes.texts {
            strings.insert(text, UniverseAtomId::new(names.len()));
            names.push(format!("{:?}", model.names.text(text)));
        }
        let wanted = scopes.strings.unwrap_or(0).max(0) as usize;
        for at in strings.len()..wanted {
            names.push(format!("\"String{at}\""));
        }
        let universe = Universe::new(names);
        let tables = LoweredTables {
            strings,
            integer_atoms: integer_atoms.clone(),
            ..LoweredTables::default()
        };
        let integers = Integers {
            width: scopes.bits,
            overflow,
            atoms: integer_atoms,
        };
        Self::over((model, scopes), universe, integers, tables, path)
    }

    /// Nothing is lowered yet, over a universe whose numbers and texts are known.
    fn over(
        (model, scopes): (&'m AlloyModel, Scopes),
        universe: Universe,
        integers: Integers,
        tables: LoweredTables,
        path: TracePath,
    ) -> Self {
        Self {
            model,
            scopes,
            problem: Problem::new(universe.clone(), integers),
            universe,
            parked: vec![tables.clone(); path.shape.states],
            tables,
            path,
            times: Times::default(),
            env: FxHashMap::default(),
            records: None,
            later: FxHashMap::default(),
            calling: Vec::new(),
            calls: FxHashMap::default(),
            parts: 0,
            places: false,
            loops: OpenLoop::default(),
        }
    }

    /// Leaves open where the last state goes back to.
    fn open_loops(&mut self) {
        // Any atom will do: all that counts is whether the relation is empty.
        let atom = self.tables.integer_atoms.first().map(|&(atom, _)| atom);
        let mut none_before = self.problem.and([]);
        for state in 0..self.path.shape.states - 1 {
            let (lower, upper) = (self.universe.no_tuples(1), self.universe.set(atom));
            let relation = self.problem.relation(format!("loop@{state}"), lower, upper);
            let expr = self.problem.rel(relation);
            let (has, has_not) = (self.problem.some(expr), self.problem.no(expr));
            // After the first one, there is no other.
            let only = self.problem.implies(has, none_before);
            self.problem.require(only);
            self.loops.relations.push(relation);
            let goes = self.problem.and([none_before, has]);
            self.loops.goes.push(goes);
            none_before = self.problem.and([none_before, has_not]);
        }
        self.loops.goes.push(none_before);
        self.path.loops.clone_from(&self.loops.goes);
    }

    /// The problem with its facts and a goal.
    fn finish_with(
        mut self,
        goal: impl FnOnce(&mut Self) -> AlloyLower<()>,
    ) -> AlloyLower<LoweredCommand> {
        let facts = self.problem.requirements().len();
        goal(&mut self)?;
        Ok(self.finish(facts))
    }

    fn finish(mut self, facts: usize) -> LoweredCommand {
        self.go(0);
        let shape = self.path.shape;
        let mut tables = self.parked;
        tables[0] = self.tables;
        let states = tables.iter().map(|tables| State {
            sigs: tables.sig_exprs.iter().map(|(expr, _)| *expr).collect(),
            fields: tables.field_exprs.clone(),
        });
        LoweredCommand {
            states: states.collect(),
            problem: self.problem,
            facts,
            scopes: self.scopes,
            shape,
            records: None,
            tables,
            loops: self.loops,
        }
    }

    fn require(&mut self, formula: FormulaId, span: Span) {
        let placed = self.problem.at(formula, span);
        self.problem.require(placed);
    }

    fn set_of(&self, atoms: &[usize]) -> TupleSet {
        self.universe
            .set(atoms.iter().map(|&atom| UniverseAtomId::new(atom)))
    }

    fn is_temporal(op: AlloyUnaryOp) -> bool {
        use AlloyUnaryOp as U;
        matches!(
            op,
            U::Prime | U::Always | U::Eventually | U::After | U::Before | U::Historically | U::Once
        )
    }
}
