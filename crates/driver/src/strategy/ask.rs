//! The strategy that asks: whoever answers sees what is to be shown and in which ways.

use std::cell::RefCell;
use std::rc::Rc;

use wherefore_base::{Run, Value};
use wherefore_evidence::{Outlook, Proof, ProofId, Strategy, Way, WayKind};
use wherefore_model::{Model, Origin, VarId, Variable};

use super::words::Words;

/// For so many ways it is said what comes after them.
const SUMMARISED: usize = 20;

/// A choice that somebody is asked to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyQuestion {
    /// What is to be shown, as "`AF done` is false".
    pub claim: String,
    /// The state it is to be shown at, as "floor=1 door=closed".
    pub state: String,
    /// The ways to show it, each in words; the first is the planned one.
    pub ways: Vec<String>,
}

/// What is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StrategyAnswer {
    /// The way that happens when nobody has an opinion.
    Planned,
    /// The way with this number, from 0.
    Way(usize),
    /// Nothing any more: nobody is asked again.
    End,
}

/// Who answers.
pub type Asker = Rc<RefCell<dyn FnMut(&StrategyQuestion) -> StrategyAnswer>>;

/// Asks somebody wherever there is a choice.
pub(super) struct Ask {
    asker: Asker,
    words: Rc<Words>,
    over: bool,
}

impl Ask {
    pub(super) fn new(asker: Asker, words: Rc<Words>) -> Self {
        Self {
            asker,
            words,
            over: false,
        }
    }
}

impl Strategy for Ask {
    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        if self.over {
            return Ok(vec![]);
        }
        let node = &proof.nodes()[leaf];
        let here = proof.values(node.at);
        let mut told = Vec::new();
        for (number, way) in ways.iter().enumerate() {
            let mut text = describe(proof.model(), &here, way);
            if number < SUMMARISED {
                text.push_str(&summary(proof.outlook_after(number)?));
            }
            if way.planned {
                text.push_str(" [planned]");
            }
            told.push(text);
        }
        let asked = StrategyQuestion {
            claim: self.words.claim(proof, node.claim),
            state: state_text(proof.model(), &here),
            ways: told,
        };
        let answer = (self.asker.borrow_mut())(&asked);
        Ok(match answer {
            StrategyAnswer::Planned => vec![0],
            StrategyAnswer::Way(way) => vec![way],
            StrategyAnswer::End => {
                self.over = true;
                vec![]
            }
        })
    }
}

/// What a way does, in words.
fn describe(model: &Model, here: &[Value], way: &Way) -> String {
    let to = match &way.to {
        Some(to) => changes(model, here, to),
        None => String::new(),
    };
    match way.kind {
        WayKind::State => "the values of the state decide".to_string(),
        WayKind::Branch(number) => format!("branch {}", number + 1),
        WayKind::Step => format!("step: {to}"),
        WayKind::EveryStep => "every step".to_string(),
        WayKind::Goal => "the goal is reached here".to_string(),
        WayKind::Continue => format!("go on: {to}"),
        WayKind::Loop(turn) => format!("a loop of {turn} from here: {to}"),
        WayKind::Close(turn) => format!("back to an earlier state, a loop of {turn}: {to}"),
        WayKind::DeadEnd => "the run ends here, without successor".to_string(),
        WayKind::Stop => "the run may end here".to_string(),
        WayKind::Region => "everything that can follow".to_string(),
        WayKind::Total => "every state has a run".to_string(),
        WayKind::Start => "the run begins here".to_string(),
        WayKind::Run => "the run shows it".to_string(),
    }
}

fn summary(outlook: Outlook) -> String {
    match outlook {
        Outlook {
            steps: 0,
            turn: None,
        } => String::new(),
        Outlook { steps, turn: None } => format!(" ({} in all)", steps_text(steps)),
        Outlook {
            steps,
            turn: Some(turn),
        } => {
            format!(" ({} in all, with a loop of {turn})", steps_text(steps))
        }
    }
}

fn steps_text(steps: u32) -> String {
    match steps {
        1 => "1 step".to_string(),
        steps => format!("{steps} steps"),
    }
}

/// The values that differ: `floor=2 door=open`.
fn changes(model: &Model, from: &[Value], to: &[Value]) -> String {
    let differ = from.iter().zip(to).enumerate().filter(|(_, (a, b))| a != b);
    let differ = differ.filter(|(at, _)| shown(model, *at));
    let texts: Vec<String> = differ
        .map(|(at, (_, value))| value_text(model, at, *value))
        .collect();
    match texts.is_empty() {
        true => "nothing changes".to_string(),
        false => texts.join(" "),
    }
}

fn state_text(model: &Model, values: &[Value]) -> String {
    let texts = values
        .iter()
        .enumerate()
        .filter(|(at, _)| shown(model, *at))
        .map(|(at, value)| value_text(model, at, *value));
    texts.collect::<Vec<_>>().join(" ")
}

/// Whether people are shown a variable: all but what fairness remembers of the last step.
fn shown(model: &Model, at: usize) -> bool {
    model.vars[VarId::new(at)].origin != Origin::Hidden
}

fn value_text(model: &Model, at: usize, value: Value) -> String {
    let Variable { name, origin, .. } = &model.vars[VarId::new(at)];
    let value = model.names.show(value);
    wherefore_view::clean(&match origin {
        Origin::Process => format!("{value} ran last"),
        Origin::Declared | Origin::Operation | Origin::Hidden => format!("{name}={value}"),
    })
}
