//! An interpreter of SMV syntax trees.
//!
//! It reads the tree that the parser makes, as the language says it is to be read, and knows nothing of
//! the model it is lowered to: parameters are looked up by name where they are used, instances are
//! walked, every combination of values is tried. So it catches a wrong lowering, and it is good for
//! small programs only. Programs must be right; anything else panics.

mod declare;
mod structure;
mod value;
mod word;

use std::collections::BTreeMap;

use wherefore_base::{Symbol, Value};
use wherefore_smv::ast::{
    AssignKind, ConstraintKind, DefineDecl, ModuleItem, SmvBinaryOp, SmvExprId, SmvExprKind,
    SmvProgramText, SmvUnaryOp, VarSection,
};

pub use structure::CtlClaim;
pub use value::SmvValue;
use value::{apply, as_bool, as_int, call, one};

/// The values of the state variables by their full names.
pub type SmvState = BTreeMap<String, SmvValue>;

/// A program, elaborated: its instances and variables.
pub struct SmvProgram<'p> {
    program: &'p SmvProgramText,
    instances: Vec<SmvInstance>,
    variables: Vec<SmvVariable>,
    arrays: Vec<(usize, Symbol, ArrayTree)>,
}

struct SmvInstance {
    module: usize,
    /// The process whose assignments its assignments are.
    process: usize,
    /// What comes before the names of its variables: empty, or `sub.`
    prefix: String,
    /// The actual parameters, to be read in the instance that gave them.
    params: Vec<(Symbol, SmvExprId, usize)>,
    /// Instances declared in it.
    children: Vec<(Symbol, usize)>,
}

struct SmvVariable {
    instance: usize,
    symbol: Symbol,
    name: String,
    section: VarSection,
    domain: Vec<SmvValue>,
}

/// An array of variables: its least index and its parts.
enum ArrayTree {
    Variable(usize),
    Array(i64, Vec<ArrayTree>),
}

/// What an expression may be: values (several where a choice is meant), an instance, or an array with
/// its least index.
enum ExprMeaning {
    Values(Vec<SmvValue>),
    Instance(usize),
    Array(i64, Vec<ExprMeaning>),
}

/// Values of all variables, now and in the next state.
#[derive(Clone, Copy)]
struct StepValues<'w> {
    now: &'w [SmvValue],
    next: Option<&'w [SmvValue]>,
    /// The process that runs, where there are processes and this is a step.
    running: Option<usize>,
}

impl<'p> SmvProgram<'p> {
    /// Elaborates a program from its module `main`.
    ///
    /// # Panics
    /// When the program has no `main` or is wrong in another way.
    pub fn new(program: &'p SmvProgramText) -> Self {
        let mut reading = Self {
            program,
            instances: Vec::new(),
            variables: Vec::new(),
            arrays: Vec::new(),
        };
        reading.elaborate("main", String::new(), Vec::new(), None);
        reading
    }

    /// The initial states.
    pub fn initial(&self) -> Vec<SmvState> {
        let states = self.assignments(|variable| variable.section != VarSection::Input);
        let initial = states.into_iter().filter(|now| {
            let world = StepValues {
                now,
                next: None,
                running: None,
            };
            self.is_state(world)
                && self.all_items(|at, item| match item {
                    ModuleItem::Constraint(ConstraintKind::Init, e) => self.truth(*e, at, world),
                    ModuleItem::Assign(assign) if assign.kind == AssignKind::Init => {
                        self.assigned(assign.target, at, now, assign.value, at, world)
                    }
                    _ => true,
                })
        });
        initial.map(|now| self.state(&now)).collect()
    }

    /// The successors of a state, each once.
    pub fn successors(&self, state: &SmvState) -> Vec<SmvState> {
        let steps = self.steps(state, |_| ());
        steps.into_iter().map(|(_, next)| next).collect()
    }

    /// The steps of a state as something that is observed of each, and the next state; each once.
    fn steps<T: PartialEq>(
        &self,
        state: &SmvState,
        observe: impl Fn(StepValues<'_>) -> T,
    ) -> Vec<(T, SmvState)> {
        let mut steps: Vec<(T, SmvState)> = Vec::new();
        let inputs = self.assignments(|variable| variable.section == VarSection::Input);
        let targets = self.assignments(|variable| variable.section != VarSection::Input);
        let targets = targets.into_iter().filter(|next| {
            let world = StepValues {
                now: next,
                next: None,
                running: None,
            };
            self.is_state(world) && self.keeps_frozen(state, next)
        });
        for next in targets {
            for input in &inputs {
                let now = self.combined(state, input);
                for running in self.runs() {
                    let world = StepValues {
                        now: &now,
                        next: Some(&next),
                        running,
                    };
                    if !self.is_step(world, &now, &next) {
                        continue;
                    }
                    let step = (observe(world), self.state(&next));
                    if !steps.contains(&step) {
                        steps.push(step);
                    }
                }
            }
        }
        steps
    }

    /// Which processes may run: none in particular where there are no processes.
    fn runs(&self) -> Vec<Option<usize>> {
        match self.processes() {
            processes if processes.len() > 1 => processes.into_iter().map(Some).collect(),
            _ => vec![None],
        }
    }

    fn is_step(&self, world: StepValues<'_>, now: &[SmvValue], next: &[SmvValue]) -> bool {
        self.all_items(|at, item| match item {
            ModuleItem::Constraint(ConstraintKind::Trans, e) => self.truth(*e, at, world),
            ModuleItem::Assign(assign) if assign.kind == AssignKind::Next => {
                let process = self.instances[at].process;
                if world.running.is_none_or(|running| running == process) {
                    return self.assigned(assign.target, at, next, assign.value, at, world);
                }
                // Another process runs: it assigns the variable, or else the value stays.
                let variable = self.variable(assign.target, at);
                let by_other = !self.all_items(|at, item| match item {
                    ModuleItem::Assign(other) if other.kind == AssignKind::Next => {
                        Some(self.instances[at].process) != world.running
                            || self.variable(other.target, at) != variable
                    }
                    _ => true,
                });
                by_other || next[variable] == now[variable]
            }
            _ => true,
        })
    }

    /// Every combination of values of some variables; the others have any value.
    fn assignments(&self, varies: impl Fn(&SmvVariable) -> bool) -> Vec<Vec<SmvValue>> {
        let mut all = vec![vec![]];
        for variable in &self.variables {
            let varying = if varies(variable) {
                variable.domain.len()
            } else {
                1
            };
            let values = &variable.domain[..varying];
            let longer = |some: Vec<SmvValue>| {
                values.iter().map(move |value| {
                    let mut longer = some.clone();
                    longer.push(value.clone());
                    longer
                })
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }

    fn placeholders(&self) -> Vec<SmvValue> {
        self.variables
            .iter()
            .map(|variable| variable.domain[0].clone())
            .collect()
    }

    /// The values of a state, and of an input for the variables that are not in the state.
    fn combined(&self, state: &SmvState, input: &[SmvValue]) -> Vec<SmvValue> {
        let pairs = self.variables.iter().zip(input);
        let value = |(variable, input): (&SmvVariable, &SmvValue)| {
            state.get(&variable.name).unwrap_or(input).clone()
        };
        pairs.map(value).collect()
    }

    fn state(&self, values: &[SmvValue]) -> SmvState {
        let pairs = self.variables.iter().zip(values);
        let pairs = pairs.filter(|(variable, _)| variable.section != VarSection::Input);
        pairs
            .map(|(variable, value)| (variable.name.clone(), value.clone()))
            .collect()
    }

    fn keeps_frozen(&self, state: &SmvState, next: &[SmvValue]) -> bool {
        let mut pairs = self.variables.iter().zip(next);
        pairs.all(|(variable, value)| {
            variable.section != VarSection::Frozen || state[&variable.name] == *value
        })
    }

    /// `INVAR` and assignments of the present.
    fn is_state(&self, world: StepValues<'_>) -> bool {
        self.all_items(|at, item| match item {
            ModuleItem::Constraint(ConstraintKind::Invar, e) => self.truth(*e, at, world),
            ModuleItem::Assign(assign) if assign.kind == AssignKind::Present => {
                self.assigned(assign.target, at, world.now, assign.value, at, world)
            }
            _ => true,
        })
    }

    fn all_items(&self, holds: impl Fn(usize, &ModuleItem) -> bool) -> bool {
        let mut instances = self.instances.iter().enumerate();
        instances.all(|(at, instance)| {
            let items = self.items(instance.module);
            items.into_iter().all(|item| holds(at, item))
        })
    }

    /// Whether the variable that `target` names has one of the values of an expression.
    fn assigned(
        &self,
        target: SmvExprId,
        target_at: usize,
        values: &[SmvValue],
        value: SmvExprId,
        value_at: usize,
        world: StepValues<'_>,
    ) -> bool {
        let variable = self.variable(target, target_at);
        let possible = self.values(value, value_at, world, false);
        possible.contains(&values[variable])
    }

    /// The variable an assignment names.
    fn variable(&self, target: SmvExprId, at: usize) -> usize {
        match &self.program.exprs[target].kind {
            SmvExprKind::Name(symbol) => match self.parameter(*symbol, at) {
                Some((actual, caller)) => self.variable(actual, caller),
                None => self
                    .find_variable(*symbol, at)
                    .expect("an assignment names a variable"),
            },
            SmvExprKind::Dot(left, field) => {
                let ExprMeaning::Instance(inside) = self.meaning(*left, at, None, false) else {
                    panic!("only instances have fields");
                };
                self.find_variable(field.symbol, inside)
                    .expect("an assignment names a variable")
            }
            SmvExprKind::Index(..) => match self.tree(target, at) {
                ArrayTree::Variable(variable) => *variable,
                ArrayTree::Array(..) => panic!("an assignment names a variable"),
            },
            _ => panic!("an assignment names a variable"),
        }
    }

    /// The array, or the element of one, that an expression names.
    fn tree(&self, id: SmvExprId, at: usize) -> &ArrayTree {
        let named = |symbol: Symbol, at: usize| {
            let mut arrays = self.arrays.iter();
            let found = arrays.find(|(instance, name, _)| (*instance, *name) == (at, symbol));
            &found.expect("an index is into an array").2
        };
        match &self.program.exprs[id].kind {
            SmvExprKind::Name(symbol) => match self.parameter(*symbol, at) {
                Some((actual, caller)) => self.tree(actual, caller),
                None => named(*symbol, at),
            },
            SmvExprKind::Dot(left, field) => {
                let inside = self
                    .instance(*left, at)
                    .expect("only instances have fields");
                match self.parameter(field.symbol, inside) {
                    Some((actual, caller)) => self.tree(actual, caller),
                    None => named(field.symbol, inside),
                }
            }
            SmvExprKind::Index(of, index) => match self.tree(*of, at) {
                ArrayTree::Array(low, items) => &items[(self.constant(*index, at) - low) as usize],
                ArrayTree::Variable(_) => panic!("an index is into an array"),
            },
            _ => panic!("an index is into an array"),
        }
    }

    fn parameter(&self, symbol: Symbol, at: usize) -> Option<(SmvExprId, usize)> {
        let mut params = self.instances[at].params.iter();
        let found = params.find(|(formal, _, _)| *formal == symbol)?;
        Some((found.1, found.2))
    }

    fn find_variable(&self, symbol: Symbol, at: usize) -> Option<usize> {
        let is_it =
            |v: &SmvVariable| v.instance == at && v.symbol == symbol && !v.name.ends_with(']');
        self.variables.iter().position(is_it)
    }

    fn truth(&self, id: SmvExprId, at: usize, world: StepValues<'_>) -> bool {
        as_bool(&one(self.values(id, at, world, false)))
    }

    fn constant(&self, id: SmvExprId, at: usize) -> i64 {
        match self.meaning(id, at, None, false) {
            ExprMeaning::Values(values) => as_int(&one(values)),
            _ => panic!("only values are numbers"),
        }
    }

    fn values(
        &self,
        id: SmvExprId,
        at: usize,
        world: StepValues<'_>,
        in_next: bool,
    ) -> Vec<SmvValue> {
        match self.meaning(id, at, Some(world), in_next) {
            ExprMeaning::Values(values) => values,
            ExprMeaning::Instance(at) => panic!("{} has no value", self.instances[at].prefix),
            ExprMeaning::Array(..) => panic!("an array has no value"),
        }
    }

    /// What an expression means in an instance; without a world for constants and names of instances.
    fn meaning(
        &self,
        id: SmvExprId,
        at: usize,
        world: Option<StepValues<'_>>,
        in_next: bool,
    ) -> ExprMeaning {
        let values = |id: SmvExprId| match self.meaning(id, at, world, in_next) {
            ExprMeaning::Values(values) => values,
            ExprMeaning::Instance(at) => panic!("{} has no value", self.instances[at].prefix),
            ExprMeaning::Array(..) => panic!("an array has no value"),
        };
        let value = |id: SmvExprId| one(values(id));
        let just = |datum: SmvValue| ExprMeaning::Values(vec![datum]);
        match &self.program.exprs[id].kind {
            SmvExprKind::Bool(b) => just(SmvValue::Bool(*b)),
            SmvExprKind::Int(n) => just(SmvValue::Int(*n)),
            SmvExprKind::Word(word) => just(self.datum(Value::Word(*word))),
            SmvExprKind::Fraction(..) => panic!("finite models have no fractions"),
            SmvExprKind::Bits(of, high, low) => match value(*of) {
                SmvValue::Word(_, bits) => {
                    let (high, low) = (as_int(&value(*high)), as_int(&value(*low)));
                    just(SmvValue::Word(
                        false,
                        bits[low as usize..=high as usize].to_vec(),
                    ))
                }
                other => panic!("{other:?} has no bits"),
            },
            SmvExprKind::Name(symbol) => self.name(*symbol, at, world, in_next),
            SmvExprKind::SelfName => ExprMeaning::Instance(at),
            SmvExprKind::Dot(left, field) => match self.meaning(*left, at, world, in_next) {
                ExprMeaning::Instance(inside) => self.name(field.symbol, inside, world, in_next),
                _ => panic!("only instances have fields"),
            },
            SmvExprKind::Index(of, index) => match self.meaning(*of, at, world, in_next) {
                ExprMeaning::Array(low, mut items) => {
                    let place = as_int(&value(*index)) - low;
                    items.swap_remove(usize::try_from(place).expect("the index is in the array"))
                }
                _ => panic!("only arrays have elements"),
            },
            SmvExprKind::Array(items) => {
                let items = items.iter();
                let items = items.map(|&item| self.meaning(item, at, world, in_next));
                ExprMeaning::Array(0, items.collect())
            }
            SmvExprKind::Unary(op, a) if matches!(value(*a), SmvValue::Word(..)) => {
                just(word::unary(*op, &value(*a)))
            }
            SmvExprKind::Unary(SmvUnaryOp::Not, a) => just(SmvValue::Bool(!as_bool(&value(*a)))),
            SmvExprKind::Unary(SmvUnaryOp::Negate, a) => just(SmvValue::Int(-as_int(&value(*a)))),
            SmvExprKind::Binary(SmvBinaryOp::Union, a, b) => {
                let mut all = values(*a);
                all.extend(values(*b));
                ExprMeaning::Values(all)
            }
            SmvExprKind::Binary(SmvBinaryOp::In, a, b) => {
                let members = values(*b);
                just(SmvValue::Bool(
                    values(*a).iter().all(|v| members.contains(v)),
                ))
            }
            SmvExprKind::Binary(SmvBinaryOp::Range, a, b) => {
                let range = as_int(&value(*a))..=as_int(&value(*b));
                ExprMeaning::Values(range.map(SmvValue::Int).collect())
            }
            SmvExprKind::Binary(op, a, b) => just(apply(*op, value(*a), value(*b))),
            SmvExprKind::Ternary(condition, then, otherwise) => {
                let branch = if as_bool(&value(*condition)) {
                    then
                } else {
                    otherwise
                };
                ExprMeaning::Values(values(*branch))
            }
            SmvExprKind::Case(branches) => {
                let mut taken = branches.iter().filter(|b| as_bool(&value(b.condition)));
                ExprMeaning::Values(values(taken.next().expect("a case is exhaustive").value))
            }
            SmvExprKind::Set(members) => {
                ExprMeaning::Values(members.iter().flat_map(|&member| values(member)).collect())
            }
            SmvExprKind::Next(a) => {
                assert!(!in_next, "next is not nested");
                self.meaning(*a, at, world, true)
            }
            SmvExprKind::Call(function, arguments) => {
                let arguments = arguments.iter().map(|&argument| value(argument)).collect();
                just(call(*function, arguments))
            }
            SmvExprKind::Path(..) | SmvExprKind::Linear(..) => {
                panic!("a temporal operator has no value in a state")
            }
        }
    }

    fn name(
        &self,
        symbol: Symbol,
        at: usize,
        world: Option<StepValues<'_>>,
        in_next: bool,
    ) -> ExprMeaning {
        if let Some((actual, caller)) = self.parameter(symbol, at) {
            return self.meaning(actual, caller, world, in_next);
        }
        let mut children = self.instances[at].children.iter();
        if let Some((_, child)) = children.find(|(name, _)| *name == symbol) {
            return ExprMeaning::Instance(*child);
        }
        if let Some(variable) = self.find_variable(symbol, at) {
            let world = world.expect("a variable has a value in a state");
            let values = if in_next {
                assert!(self.variables[variable].section != VarSection::Input);
                world.next.expect("next is read in steps only")
            } else {
                world.now
            };
            return ExprMeaning::Values(vec![values[variable].clone()]);
        }
        let mut arrays = self.arrays.iter();
        if let Some((_, _, tree)) = arrays.find(|(owner, name, _)| (*owner, *name) == (at, symbol))
        {
            let world = world.expect("an array has values in a state");
            return self.elements(tree, world, in_next);
        }
        if let Some((body, written_at)) = self.define(symbol, at) {
            return self.meaning(body, written_at, world, in_next);
        }
        let text = self.program.names.text(symbol).to_string();
        if text == "running" && self.instances[at].process == at {
            let running = world.and_then(|world| world.running);
            return ExprMeaning::Values(vec![SmvValue::Bool(running == Some(at))]);
        }
        ExprMeaning::Values(vec![SmvValue::Symbol(text)])
    }

    /// The values of an array of variables.
    fn elements(&self, tree: &ArrayTree, world: StepValues<'_>, in_next: bool) -> ExprMeaning {
        match tree {
            ArrayTree::Variable(variable) => {
                let values = match in_next {
                    true => world.next.expect("next is read in steps only"),
                    false => world.now,
                };
                ExprMeaning::Values(vec![values[*variable].clone()])
            }
            ArrayTree::Array(low, items) => {
                let items = items.iter().map(|item| self.elements(item, world, in_next));
                ExprMeaning::Array(*low, items.collect())
            }
        }
    }

    /// The body of a define and the instance where it is written, which need not be its owner.
    fn define(&self, symbol: Symbol, owner: usize) -> Option<(SmvExprId, usize)> {
        let mut instances = self.instances.iter().enumerate();
        instances.find_map(|(at, instance)| {
            let items = self.items(instance.module).into_iter();
            let mut defines = items.filter_map(|item| match item {
                ModuleItem::Define(define) => Some(define),
                _ => None,
            });
            let is_it = |define: &&DefineDecl| {
                let owned_by = || match define.owner {
                    None => Some(at),
                    Some(path) => self.instance(path, at),
                };
                define.name.symbol == symbol && owned_by() == Some(owner)
            };
            defines.find(is_it).map(|define| (define.body, at))
        })
    }

    /// The instance that an expression names.
    fn instance(&self, path: SmvExprId, at: usize) -> Option<usize> {
        match self.meaning(path, at, None, false) {
            ExprMeaning::Instance(instance) => Some(instance),
            _ => None,
        }
    }

    fn datum(&self, value: Value) -> SmvValue {
        match value {
            Value::Bool(b) => SmvValue::Bool(b),
            Value::Int(n) => SmvValue::Int(n),
            Value::Symbol(symbol) => SmvValue::Symbol(self.program.names.text(symbol).to_string()),
            Value::Word(word) => {
                let bits = (0..word.width()).map(|place| (word.bits() >> place) & 1 == 1);
                SmvValue::Word(word.is_signed(), bits.collect())
            }
        }
    }
}
