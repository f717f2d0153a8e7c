//! Tactics: the strategies that can be chosen by name while a proof is explored.

use std::rc::Rc;

use wherefore_base::{Budget, Run};
use wherefore_evidence::{
    Chain, KnownStrategy, Prefer, Random, Rules, Shortest, SmallestGoal, StayFirst, Strategy,
};
use wherefore_model::TermId;

use crate::refusal::Refusal;
use crate::strategy::{Remark, Strategies, StrategySpec};
use crate::subjects::model::ModelSubject;

/// What stands between strategies that narrow the choice one after the other.
pub const THEN: &str = ", then ";

/// A condition on a state, as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TacticCondition {
    /// Its text.
    pub text: String,
    /// What it means.
    pub term: TermId,
}

/// Who makes the choices that nobody makes by hand: what is to be avoided comes first, then the lead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tactic {
    /// Conditions that the steps of runs avoid where they can.
    pub avoid: Vec<TacticCondition>,
    /// What decides among the rest.
    pub lead: Lead,
}

/// What decides among the ways that are not avoided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Lead {
    /// The shortest evidence that is known.
    #[default]
    Shortest,
    /// The smallest sub-formula.
    Smallest,
    /// Anything; the same seed makes the same choices.
    Random(u64),
    /// Steps to states where a condition is true.
    Prefer(TacticCondition),
    /// Steps to states that are in the proof already.
    Explored,
    /// Steps to states that are not in the proof yet.
    New,
    /// The present state first.
    Stay,
    /// Strategies as `check --strategy` takes them.
    Given(GivenTactic),
}

/// Strategies that were bound to a model, for one of its properties.
#[derive(Clone, Debug)]
pub struct GivenTactic {
    strategies: Rc<Strategies>,
    property: usize,
    /// How many terms the model had when they were bound.
    terms: usize,
}

impl PartialEq for GivenTactic {
    fn eq(&self, other: &Self) -> bool {
        self.strategies.names() == other.strategies.names() && self.property == other.property
    }
}

impl Eq for GivenTactic {}

impl Tactic {
    /// The names that [`Tactic::read`] takes, with what follows them.
    pub const NAMES: [&'static str; 8] = [
        "shortest",
        "smallest",
        "random SEED",
        "prefer EXPR",
        "avoid EXPR",
        "explored",
        "new",
        "stay",
    ];

    /// The tactic with a name; `avoid` adds to what was avoided before.
    ///
    /// # Errors
    /// What is wrong, or that the budget ended.
    pub fn read(
        text: &str,
        before: &Tactic,
        session: &mut ModelSubject,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let text = text.trim();
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let condition = |session: &mut ModelSubject| match rest {
            "" => Err(wrong(format!(
                "`{name}` needs an expression, as `{name} x = 1`"
            ))),
            rest => Tactic::condition(rest, session, budget),
        };
        let plain = |lead: Lead| match rest {
            "" => Ok(lead),
            _ => Err(wrong(format!("`{name}` takes nothing after it"))),
        };
        let lead = match name {
            "shortest" => plain(Lead::Shortest),
            "smallest" => plain(Lead::Smallest),
            "explored" => plain(Lead::Explored),
            "new" => plain(Lead::New),
            "stay" => plain(Lead::Stay),
            "random" => match (rest, rest.parse()) {
                ("", _) => Ok(Lead::Random(1)),
                (_, Ok(seed)) => Ok(Lead::Random(seed)),
                (_, Err(_)) => Err(wrong("`random` takes a number, as `random 7`".to_string())),
            },
            "prefer" => condition(session).map(Lead::Prefer),
            "avoid" => {
                let mut tactic = before.clone();
                tactic.avoid.push(condition(session)?);
                return Ok(tactic);
            }
            _ => Err(wrong(format!(
                "a strategy is one of {}",
                Tactic::NAMES.join(", ")
            ))),
        };
        let avoid = vec![];
        lead.map(|lead| Tactic { avoid, lead })
    }

    /// The tactic of strategies as `check --strategy` takes them, for a property given by its index.
    ///
    /// # Errors
    /// When they cannot be used with the model, or the budget ends.
    pub fn given(
        specs: &[StrategySpec],
        property: usize,
        session: &mut ModelSubject,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        if specs.is_empty() {
            return Ok(Tactic::default());
        }
        let strategies = Rc::new(session.strategies(specs, None, budget)?);
        let terms = session.model().terms.len();
        let given = GivenTactic {
            strategies,
            property,
            terms,
        };
        Ok(Tactic {
            avoid: vec![],
            lead: Lead::Given(given),
        })
    }

    /// A condition on a state.
    ///
    /// # Errors
    /// What is wrong, or that the budget ended.
    pub fn condition(
        text: &str,
        session: &mut ModelSubject,
        budget: &Budget,
    ) -> Result<TacticCondition, Refusal> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // As a formula it must be true or false; as an expression it speaks about one state.
        session.query(&text, budget)?;
        let term = session.expression(&text, budget)?;
        Ok(TacticCondition { text, term })
    }

    /// The name: `shortest`, `avoid p, then random 7`.
    pub fn name(&self) -> String {
        let avoid = self.avoid.iter();
        let avoid = avoid.map(|condition| format!("avoid {}{THEN}", condition.text));
        avoid.collect::<String>() + self.lead.name().as_str()
    }

    /// The conditions it asks about.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        let lead = match &self.lead {
            Lead::Prefer(condition) => Some(condition.term),
            Lead::Given(given) => given.terms.checked_sub(1).map(TermId::new),
            _ => None,
        };
        let avoid = self.avoid.iter().map(|condition| condition.term);
        avoid.chain(lead)
    }

    /// What its strategies have said since somebody asked last.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        match &self.lead {
            Lead::Given(given) => given.strategies.remarks(),
            _ => vec![],
        }
    }

    /// A fresh strategy that chooses so, and the rules it adds and removes.
    pub(super) fn strategy(&self) -> Run<(Box<dyn Strategy>, Rules)> {
        let lead: Box<dyn Strategy> = match &self.lead {
            Lead::Shortest => Box::new(Shortest),
            Lead::Smallest => Box::new(SmallestGoal),
            Lead::Random(seed) => Box::new(Random::new(*seed)),
            Lead::Prefer(condition) => {
                Box::new(Prefer::new(condition.term).named(self.lead.name()))
            }
            Lead::Explored => Box::new(KnownStrategy::explored()),
            Lead::New => Box::new(KnownStrategy::fresh()),
            Lead::Stay => Box::new(StayFirst),
            Lead::Given(given) => given.strategies.strategy(given.property),
        };
        let mut strategy = match self.avoid.is_empty() {
            true => lead,
            false => {
                let avoid = self.avoid.iter();
                let avoid = avoid.map(|c| {
                    let avoid = Prefer::avoiding(c.term).named(format!("avoid {}", c.text));
                    Box::new(avoid) as Box<dyn Strategy>
                });
                Box::new(Chain::new(avoid.chain([lead]).collect()))
            }
        };
        let mut rules = Rules::default();
        strategy.init(&mut rules)?;
        Ok((strategy, rules))
    }
}

fn wrong(why: String) -> Refusal {
    Refusal::Unsupported(why)
}

impl Lead {
    /// The name as [`Tactic::read`] takes it.
    pub fn name(&self) -> String {
        match self {
            Lead::Shortest => "shortest".to_string(),
            Lead::Smallest => "smallest".to_string(),
            Lead::Random(seed) => format!("random {seed}"),
            Lead::Prefer(condition) => format!("prefer {}", condition.text),
            Lead::Explored => "explored".to_string(),
            Lead::New => "new".to_string(),
            Lead::Stay => "stay".to_string(),
            Lead::Given(given) => given.strategies.names().join(THEN),
        }
    }
}
