//! The names of a model: instances of modules and what is declared in them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{IndexVec, Span, Symbol, define_id};
use wherefore_model::{Number, TermId, VarId, VarKind};

use crate::SmvDialect;
use crate::approx::Approx;
use crate::ast::{SmvExpr, SmvExprId, SmvExprKind};

define_id!(
    /// An instance of a module; the first one is `main`.
    pub(crate) struct InstanceId
);
define_id!(
    /// An array of variables.
    pub(crate) struct ArrayId
);
define_id!(
    /// A define, or a parameter that stands for an expression.
    pub(crate) struct NamedId
);

/// The names of a model, for reading formulas and expressions given from outside.
#[derive(Clone, Default, Debug)]
pub struct SmvScope {
    /// Which version of the language the model is in.
    pub(crate) dialect: SmvDialect,
    /// The tree of the model, once it is read.
    pub(crate) exprs: Arc<IndexVec<SmvExprId, SmvExpr>>,
    pub(crate) instances: IndexVec<InstanceId, ModuleInstance>,
    pub(crate) named: IndexVec<NamedId, NamedExpr>,
    pub(crate) vars: IndexVec<VarId, VarType>,
    pub(crate) arrays: IndexVec<ArrayId, Array>,
    /// What processes need, if there are any.
    pub(crate) processes: Option<Processes>,
    /// How fairness conditions that read inputs are remembered in the state.
    pub(crate) monitors: FxHashMap<(InstanceId, SmvExprId), InputMonitor>,
    /// All symbolic constants.
    pub(crate) constants: FxHashSet<Symbol>,
}

/// An instance of a module.
#[derive(Clone, Debug)]
pub(crate) struct ModuleInstance {
    /// Which module of the program it is an instance of.
    pub(crate) module: usize,
    /// Its full name, as `lift.door`; empty for `main`.
    pub(crate) path: String,
    /// The process it belongs to: itself, or the nearest instance around it that is a process or
    /// `main`.
    pub(crate) process: InstanceId,
    /// What its names stand for, and where they are declared.
    pub(crate) entities: FxHashMap<Symbol, (Entity, Span)>,
}

impl ModuleInstance {
    /// The full name of something in it.
    pub(crate) fn full_name(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entity {
    Var(VarId),
    Named(NamedId),
    Instance(InstanceId),
    Array(ArrayId),
    /// `running` of a process.
    Running(InstanceId),
}

/// An array: its least index, and what is at each index from there on.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) low: i64,
    /// Variables, or arrays.
    pub(crate) items: Vec<Entity>,
}

/// The interleaving of processes.
#[derive(Clone, Debug)]
pub(crate) struct Processes {
    /// The input that says which process runs.
    pub(crate) selector: VarId,
    /// The variable that says which process ran last, if a fairness condition asks.
    pub(crate) last: Option<VarId>,
    /// The value of both for each process.
    pub(crate) values: FxHashMap<InstanceId, Symbol>,
}

/// How a fairness condition that reads an input is remembered in the state after it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputMonitor {
    /// It is about which process runs, and that is known of the last step.
    LastProcess,
    /// This variable says whether it held in the last step.
    Flag(VarId),
}

/// What is known of a variable by its declaration.
#[derive(Clone, Debug)]
pub(crate) struct VarType {
    pub(crate) sort: ValueSort,
    pub(crate) kind: VarKind,
    pub(crate) values: Approx,
    /// Whether its bounds were given from outside: then there is no step to a value beyond them.
    pub(crate) cut: bool,
}

/// A name that stands for an expression.
#[derive(Clone, Debug)]
pub(crate) struct NamedExpr {
    /// Its full name.
    pub(crate) name: String,
    /// Where it is declared.
    pub(crate) span: Span,
    /// What it stands for.
    pub(crate) body: SmvExprId,
    /// The instance in which the names of the body are to be read.
    pub(crate) context: InstanceId,
    /// Whether it is a define, not a parameter.
    pub(crate) define: bool,
    /// Whether it is a parameter that was replaced by what its argument names.
    pub(crate) alias: bool,
    /// Its lowered form in the present and in the next state; `None` inside if it is wrong.
    pub(crate) lowered: [OnceLock<Option<Typed>>; 2],
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueSort {
    Bool,
    Int,
    Symbolic,
    /// Integers and symbolic constants.
    Mixed,
    /// Words; whether they have a sign, and how many bits.
    Word(bool, u32),
    /// Real numbers; integers are some of them.
    Real,
}

impl ValueSort {
    /// As in "`x` is boolean".
    pub(crate) fn adjective(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            ValueSort::Bool => "boolean",
            ValueSort::Int => "an integer",
            ValueSort::Symbolic => "a symbolic constant",
            ValueSort::Mixed => "an integer or a symbolic constant",
            ValueSort::Real => "a real number",
            ValueSort::Word(signed, width) => {
                let sign = if signed { "a signed" } else { "an unsigned" };
                return Cow::Owned(format!("{sign} word of {width} bits"));
            }
        })
    }

    /// Whether it is a word.
    pub(crate) fn is_word(self) -> bool {
        matches!(self, ValueSort::Word(..))
    }

    /// The sort that includes both, if there is one: truth values and words mix with nothing.
    pub(crate) fn join(self, other: ValueSort) -> Option<ValueSort> {
        match (self, other) {
            _ if self == other => Some(self),
            (ValueSort::Real, ValueSort::Int) | (ValueSort::Int, ValueSort::Real) => {
                Some(ValueSort::Real)
            }
            (ValueSort::Real, _) | (_, ValueSort::Real) => None,
            (ValueSort::Bool | ValueSort::Word(..), _)
            | (_, ValueSort::Bool | ValueSort::Word(..)) => None,
            _ => Some(ValueSort::Mixed),
        }
    }

    /// Whether values of the two may be compared: integers and symbolic constants may not.
    pub(crate) fn meets(self, other: ValueSort) -> bool {
        match (self, other) {
            (ValueSort::Real, ValueSort::Int) | (ValueSort::Int, ValueSort::Real) => true,
            (ValueSort::Bool | ValueSort::Word(..) | ValueSort::Real, _)
            | (_, ValueSort::Bool | ValueSort::Word(..) | ValueSort::Real) => self == other,
            (ValueSort::Mixed, _) | (_, ValueSort::Mixed) => true,
            _ => self == other,
        }
    }
}

/// A lowered expression and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) term: TermId,
    pub(crate) sort: ValueSort,
    /// Whether it may denote several values.
    pub(crate) set: bool,
    pub(crate) values: Approx,
    /// Whether it reads the next state.
    pub(crate) reads_next: bool,
    /// Whether it reads an input.
    pub(crate) reads_input: bool,
}

/// What a path such as `a.b.c` resolves to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolved {
    Entity(Entity),
    Constant(Symbol),
}

/// Why a path cannot be resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unresolved {
    /// Nothing is called so in this instance.
    Undefined(Symbol, Span, InstanceId),
    /// This is no instance and has no parts.
    NoParts(Span),
    /// This is not a path at all.
    NoPath,
}

impl SmvScope {
    /// Which version of the language the model is in.
    pub fn dialect(&self) -> SmvDialect {
        self.dialect
    }

    /// Whether nothing is declared, not even `main`: no model was loaded.
    pub(crate) fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// The variables that are numbers without bounds.
    pub(crate) fn numbers(&self) -> BTreeMap<VarId, Number> {
        let numbers = self.vars.entries().filter_map(|(var, ty)| match ty.sort {
            ValueSort::Real => Some((var, Number::Real)),
            ValueSort::Int if ty.values.is_any() => Some((var, Number::Integer)),
            _ => None,
        });
        numbers.collect()
    }

    /// What a path means in an instance. Parameters must be bound already.
    pub(crate) fn resolve(
        &self,
        exprs: &IndexVec<SmvExprId, SmvExpr>,
        context: InstanceId,
        path: SmvExprId,
    ) -> Result<Resolved, Unresolved> {
        let (mut parts, mut at) = (Vec::new(), path);
        let (mut resolved, mut span) = loop {
            let expr = &exprs[at];
            match expr.kind {
                SmvExprKind::Dot(inner, part) => {
                    parts.push(part);
                    at = inner;
                }
                SmvExprKind::SelfName => {
                    break (Resolved::Entity(Entity::Instance(context)), expr.span);
                }
                SmvExprKind::Name(symbol) => {
                    let found = match self.instances[context].entities.get(&symbol) {
                        Some(&(entity, _)) => Resolved::Entity(entity),
                        None if self.constants.contains(&symbol) => Resolved::Constant(symbol),
                        None => return Err(Unresolved::Undefined(symbol, expr.span, context)),
                    };
                    break (found, expr.span);
                }
                _ => return Err(Unresolved::NoPath),
            }
        };
        for part in parts.into_iter().rev() {
            let Resolved::Entity(Entity::Instance(instance)) = resolved else {
                return Err(Unresolved::NoParts(span));
            };
            let Some(&(entity, _)) = self.instances[instance].entities.get(&part.symbol) else {
                return Err(Unresolved::Undefined(part.symbol, part.span, instance));
            };
            (resolved, span) = (Resolved::Entity(entity), part.span);
        }
        Ok(resolved)
    }
}
