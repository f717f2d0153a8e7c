//! What scripts see: obligations, ways, the proof, the rules.
//!
//! A script holds no reference into the proof. What is cheap is copied into these objects; what costs
//! work is asked for: a question that has no answer yet ends the run of the script, the answer is
//! found, and the same hook runs again, with the same memory, and finds it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, ImmutableString, Map, NativeCallContext, Position,
};
use wherefore_base::{Names, Value};
use wherefore_evidence::{OccurrenceId, ProofId};
use wherefore_model::{Model, VarId};

/// Something a script wants to know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Question {
    /// What is to come at an obligation.
    Outlook(ProofId),
    /// What is to come after a way.
    After(usize),
    /// Whether a condition, by number, is true at an occurrence.
    Truth(usize, OccurrenceId),
    /// The whole proof.
    Nodes,
}

/// Where scripts leave questions and find answers.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) answers: BTreeMap<Question, Dynamic>,
    pub(super) asked: Option<Question>,
    /// What was printed in this run.
    pub(super) said: Vec<String>,
    /// What `init` wants.
    pub(super) draft: Draft,
    /// What the present run of a later hook changes.
    pub(super) changes: Vec<RuleChange>,
    /// How many rules the script has added before.
    pub(super) rules: usize,
    /// Whether `init` is over.
    pub(super) started: bool,
}

/// A change of rules while the proof grows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RuleChange {
    Add(Added),
    /// Takes back a rule, by the number that the script knows it by.
    Drop(usize),
    Remove(&'static str),
    Restore(&'static str),
}

impl Desk {
    /// What `init` wants, while it runs.
    fn draft(&mut self) -> Outcome<&mut Draft> {
        match self.started {
            true => Err("`rules` is for `init`; later, `proof` adds and removes rules".into()),
            false => Ok(&mut self.draft),
        }
    }

    /// Adds a rule; the number that scripts know it by.
    fn add_later(&mut self, added: Added) -> i64 {
        let is_added = |change: &&RuleChange| matches!(change, RuleChange::Add(_));
        let number = self.rules + self.changes.iter().filter(is_added).count();
        self.changes.push(RuleChange::Add(added));
        integer(number)
    }
}

pub(super) type SharedDesk = Rc<RefCell<Desk>>;

type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// The rules that a script asks for. Conditions are texts, by number.
#[derive(Clone, Default, Debug)]
pub(super) struct Draft {
    pub(super) conditions: Vec<(String, Position)>,
    pub(super) added: Vec<Added>,
    pub(super) removed: Vec<&'static str>,
}

/// A rule that a script adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Added {
    Where(usize, bool),
    Explored(bool),
    Here,
    Along(Vec<usize>),
    Through(usize),
}

/// A rule about a condition.
type AboutCondition = fn(usize) -> Added;

/// The rules that are about one condition, by the names of the functions that add them.
const ABOUT_CONDITIONS: [(&str, AboutCondition); 3] = [
    ("add_where", |condition| Added::Where(condition, true)),
    ("add_unless", |condition| Added::Where(condition, false)),
    ("add_through", Added::Through),
];

/// The names that values are shown with.
#[derive(Debug)]
pub(super) struct Vocabulary {
    vars: Vec<ImmutableString>,
    names: Names,
}

impl Vocabulary {
    pub(super) fn of(model: &Model) -> Self {
        let vars =
            (0..model.state_vars()).map(|at| model.vars[VarId::new(at)].name.as_str().into());
        Self {
            vars: vars.collect(),
            names: model.names.clone(),
        }
    }

    /// The values of a state by the names of its variables.
    pub(super) fn state(&self, values: &[Value]) -> Map {
        let entries = self.vars.iter().zip(values);
        entries
            .map(|(name, &value)| (name.as_str().into(), self.value(value)))
            .collect()
    }

    fn value(&self, value: Value) -> Dynamic {
        match value {
            Value::Bool(truth) => truth.into(),
            Value::Int(number) => number.into(),
            Value::Symbol(symbol) => self.names.text(symbol).into(),
            Value::Word(word) => word.to_string().into(),
        }
    }
}

/// A claim at a state.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) claim: ImmutableString,
    pub(super) temporal: usize,
    pub(super) values: Vec<Value>,
}

/// An obligation.
#[derive(Clone)]
pub(super) struct Leaf {
    pub(super) node: ProofId,
    pub(super) at: OccurrenceId,
    pub(super) depth: usize,
    pub(super) facts: Rc<Facts>,
}

/// A way to show an obligation.
#[derive(Clone)]
pub(super) struct WayObject {
    pub(super) number: usize,
    pub(super) kind: &'static str,
    pub(super) size: Option<usize>,
    pub(super) to: Option<Rc<[Value]>>,
    pub(super) by: Option<usize>,
    pub(super) planned: bool,
    pub(super) premises: Rc<[Rc<Facts>]>,
}

/// The proof so far.
#[derive(Clone)]
pub(super) struct ProofObject {
    pub(super) property: ImmutableString,
    pub(super) size: usize,
    pub(super) open: usize,
}

/// A claim that a way leaves.
#[derive(Clone)]
struct Premise(Rc<Facts>);

/// A condition that `init` had read, by number.
#[derive(Clone, Copy)]
struct Condition(usize);

/// What `init` adds rules to.
#[derive(Clone)]
pub(super) struct RulesObject;

/// The kinds of ways, as scripts name them.
pub(super) const KINDS: [&str; 14] = [
    "state",
    "branch",
    "step",
    "every-step",
    "goal",
    "continue",
    "loop",
    "close",
    "dead-end",
    "stop",
    "region",
    "total",
    "start",
    "run",
];

/// Makes the objects known to an engine.
pub(super) fn register(engine: &mut Engine, desk: &SharedDesk, vocabulary: &Rc<Vocabulary>) {
    register_leaves(engine, desk, vocabulary);
    register_ways(engine, desk, vocabulary);
    register_proof(engine, desk);
    register_rules(engine, desk);
    register_changes(engine, desk);
}

fn register_leaves(engine: &mut Engine, desk: &SharedDesk, vocabulary: &Rc<Vocabulary>) {
    let names = Rc::clone(vocabulary);
    engine
        .register_type_with_name::<Leaf>("Leaf")
        .register_get("number", |leaf: &mut Leaf| integer(leaf.node.index()))
        .register_get("claim", |leaf: &mut Leaf| leaf.facts.claim.clone())
        .register_get("temporal", |leaf: &mut Leaf| integer(leaf.facts.temporal))
        .register_get("depth", |leaf: &mut Leaf| integer(leaf.depth))
        .register_get("values", move |leaf: &mut Leaf| {
            names.state(&leaf.facts.values)
        })
        .register_type_with_name::<Condition>("Condition");
    let asked = Rc::clone(desk);
    engine.register_fn("outlook", move |leaf: &mut Leaf| {
        ask(&asked, Question::Outlook(leaf.node))
    });
    let asked = Rc::clone(desk);
    engine.register_fn("is_true", move |leaf: &mut Leaf, condition: Condition| {
        ask(&asked, Question::Truth(condition.0, leaf.at))
    });
}

fn register_ways(engine: &mut Engine, desk: &SharedDesk, vocabulary: &Rc<Vocabulary>) {
    let names = Rc::clone(vocabulary);
    engine
        .register_type_with_name::<WayObject>("Way")
        .register_get("number", |way: &mut WayObject| integer(way.number))
        .register_get("kind", |way: &mut WayObject| way.kind)
        .register_get("size", |way: &mut WayObject| optional(way.size))
        .register_get("to", move |way: &mut WayObject| match &way.to {
            Some(to) => names.state(to).into(),
            None => Dynamic::UNIT,
        })
        .register_get("by", |way: &mut WayObject| optional(way.by))
        .register_get("planned", |way: &mut WayObject| way.planned)
        .register_get("premises", |way: &mut WayObject| premises(way));
    let names = Rc::clone(vocabulary);
    engine
        .register_type_with_name::<Premise>("Premise")
        .register_get("claim", |premise: &mut Premise| premise.0.claim.clone())
        .register_get("temporal", |premise: &mut Premise| {
            integer(premise.0.temporal)
        })
        .register_get("values", move |premise: &mut Premise| {
            names.state(&premise.0.values)
        });
    let asked = Rc::clone(desk);
    engine.register_fn("outlook", move |way: &mut WayObject| {
        ask(&asked, Question::After(way.number))
    });
}

fn register_proof(engine: &mut Engine, desk: &SharedDesk) {
    engine
        .register_type_with_name::<ProofObject>("Proof")
        .register_get("property", |proof: &mut ProofObject| proof.property.clone())
        .register_get("size", |proof: &mut ProofObject| integer(proof.size))
        .register_get("open", |proof: &mut ProofObject| integer(proof.open))
        .register_fn("try_apply", |_: &mut ProofObject, mut way: WayObject| {
            premises(&mut way)
        });
    let asked = Rc::clone(desk);
    engine.register_fn("nodes", move |_: &mut ProofObject| {
        ask(&asked, Question::Nodes)
    });
}

fn register_rules(engine: &mut Engine, desk: &SharedDesk) {
    engine.register_type_with_name::<RulesObject>("Rules");
    let draft = Rc::clone(desk);
    engine.register_fn(
        "condition",
        move |context: NativeCallContext,
              _: &mut RulesObject,
              text: ImmutableString|
              -> Outcome<Condition> {
            let desk = &mut draft.borrow_mut();
            Ok(Condition(desk.draft()?.condition(&text, &context)))
        },
    );
    for (name, added) in ABOUT_CONDITIONS {
        let draft = Rc::clone(desk);
        engine.register_fn(
            name,
            move |context: NativeCallContext,
                  _: &mut RulesObject,
                  text: ImmutableString|
                  -> Outcome<i64> {
                let desk = &mut draft.borrow_mut();
                let draft = desk.draft()?;
                let condition = draft.condition(&text, &context);
                Ok(draft.add(added(condition)))
            },
        );
    }
    let draft = Rc::clone(desk);
    engine.register_fn(
        "add_explored",
        move |_: &mut RulesObject, explored: bool| -> Outcome<i64> {
            Ok(draft.borrow_mut().draft()?.add(Added::Explored(explored)))
        },
    );
    let draft = Rc::clone(desk);
    engine.register_fn("add_here", move |_: &mut RulesObject| -> Outcome<i64> {
        Ok(draft.borrow_mut().draft()?.add(Added::Here))
    });
    let draft = Rc::clone(desk);
    engine.register_fn(
        "add_along",
        move |context: NativeCallContext, _: &mut RulesObject, texts: Array| -> Outcome<i64> {
            let desk = &mut draft.borrow_mut();
            let draft = desk.draft()?;
            let mut conditions = Vec::new();
            for text in texts {
                let Ok(text) = text.into_immutable_string() else {
                    return Err("a path goes along a list of texts".into());
                };
                conditions.push(draft.condition(&text, &context));
            }
            match conditions.is_empty() {
                true => Err("a path goes along at least one condition".into()),
                false => Ok(draft.add(Added::Along(conditions))),
            }
        },
    );
    let draft = Rc::clone(desk);
    engine.register_fn(
        "remove",
        move |_: &mut RulesObject, kind: ImmutableString| -> Outcome<()> {
            let kind = known_kind(&kind)?;
            draft.borrow_mut().draft()?.removed.push(kind);
            Ok(())
        },
    );
}

/// The kind of way with a name.
fn known_kind(kind: &str) -> Outcome<&'static str> {
    let known = KINDS.into_iter().find(|known| *known == kind);
    known.ok_or_else(|| {
        let kinds = KINDS.join(", ");
        format!("there is no kind of way `{kind}`; there are {kinds}").into()
    })
}

/// Rules that are added and removed while the proof grows. Their conditions were read in `init`.
fn register_changes(engine: &mut Engine, desk: &SharedDesk) {
    for (name, added) in ABOUT_CONDITIONS {
        let later = Rc::clone(desk);
        engine.register_fn(name, move |_: &mut ProofObject, condition: Condition| {
            later.borrow_mut().add_later(added(condition.0))
        });
    }
    let later = Rc::clone(desk);
    engine.register_fn(
        "add_explored",
        move |_: &mut ProofObject, explored: bool| {
            later.borrow_mut().add_later(Added::Explored(explored))
        },
    );
    let later = Rc::clone(desk);
    engine.register_fn("add_here", move |_: &mut ProofObject| {
        later.borrow_mut().add_later(Added::Here)
    });
    let later = Rc::clone(desk);
    engine.register_fn(
        "add_along",
        move |_: &mut ProofObject, turns: Array| -> Outcome<i64> {
            let turns = turns.into_iter().map(|turn| turn.try_cast::<Condition>());
            let turns: Option<Vec<usize>> = turns.map(|turn| turn.map(|turn| turn.0)).collect();
            match turns {
                Some(turns) if !turns.is_empty() => {
                    Ok(later.borrow_mut().add_later(Added::Along(turns)))
                }
                _ => Err("a path goes along a list of conditions".into()),
            }
        },
    );
    let later = Rc::clone(desk);
    engine.register_fn(
        "drop",
        move |_: &mut ProofObject, rule: i64| -> Outcome<()> {
            let mut desk = later.borrow_mut();
            match usize::try_from(rule) {
                Ok(rule) => desk.changes.push(RuleChange::Drop(rule)),
                Err(_) => return Err(format!("there is no rule {rule}").into()),
            }
            Ok(())
        },
    );
    for (name, change) in [
        (
            "remove",
            RuleChange::Remove as fn(&'static str) -> RuleChange,
        ),
        ("restore", RuleChange::Restore),
    ] {
        let later = Rc::clone(desk);
        engine.register_fn(
            name,
            move |_: &mut ProofObject, kind: ImmutableString| -> Outcome<()> {
                let kind = known_kind(&kind)?;
                later.borrow_mut().changes.push(change(kind));
                Ok(())
            },
        );
    }
}

impl Draft {
    fn condition(&mut self, text: &str, context: &NativeCallContext<'_>) -> usize {
        self.conditions
            .push((text.to_string(), context.call_position()));
        self.conditions.len() - 1
    }

    /// Adds a rule; the number that scripts know it by.
    fn add(&mut self, added: Added) -> i64 {
        self.added.push(added);
        integer(self.added.len() - 1)
    }
}

/// The answer to a question, or the end of this run.
fn ask(desk: &SharedDesk, question: Question) -> Outcome<Dynamic> {
    let mut desk = desk.borrow_mut();
    match desk.answers.get(&question) {
        Some(answer) => Ok(answer.clone()),
        None => {
            desk.asked = Some(question);
            // Scripts cannot catch this one.
            Err(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into())
        }
    }
}

fn premises(way: &mut WayObject) -> Array {
    let premises = way.premises.iter();
    premises
        .map(|facts| Dynamic::from(Premise(Rc::clone(facts))))
        .collect()
}

fn optional(number: Option<usize>) -> Dynamic {
    number.map_or(Dynamic::UNIT, |number| integer(number).into())
}

/// A count as scripts know it.
pub(super) fn integer(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
