//! Exploring why a property holds or fails: a proof that grows where somebody looks.
//!
//! [`explain`] builds the space of a model, decides one property and hands over its proof, which at
//! first is nothing but the claim itself. An [`Inquiry`] is the proof in the hands of a person: it
//! lists obligations and the ways to show them, goes one of them, takes changes back, and tells the
//! evidence so far as a [`ProofScene`]. What was done survives in a [`Past`] when the space is built anew
//! because a new condition was added to the model. The idea of a proof that people explore is that of
//! Chechik and Gurfinkel (2005).

mod inquiry;
mod tactic;

use wherefore_base::{Budget, IndexVec, Run};
use wherefore_evidence::{
    Claim, Evidence, Exploring, Investigator, OccurrenceId, Outlook, ProofId, SpaceSummary,
    Verdict, Way, WishOutcome,
};
use wherefore_model::Model;
use wherefore_space::StateSpace;

use crate::engines::{Engine, OverSpace, over_space, product};
use crate::refusal::Refusal;
use crate::subjects::model::ModelSubject;

pub use crate::explore::Next;
pub use inquiry::{Inquiry, InquiryChoice, Past};
pub use tactic::{GivenTactic, Lead, THEN, Tactic, TacticCondition};

/// A proof that is about to be explored.
pub struct OpenedProof<'p> {
    /// How large the space is, and what every property is subject to.
    pub summary: &'p SpaceSummary,
    /// Whether the property holds.
    pub holds: bool,
    /// Its proof, of which nothing is shown yet but the claim.
    pub proof: &'p mut dyn Exploring,
}

/// What is shown of a proof at some moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofScene {
    /// Whether the property holds.
    pub holds: bool,
    /// The evidence as far as it is shown, replayed.
    pub evidence: Evidence,
    /// For each node of the proof in the evidence, its lasting number.
    pub nodes: IndexVec<ProofId, ProofId>,
    /// The obligations, in the order in which they are best shown.
    pub open: Vec<OpenObligation>,
    /// Who makes choices that nobody makes by hand, in words.
    pub tactic: String,
    /// What became of each wish about whole runs, once everything is shown.
    pub wishes: Vec<WishOutcome>,
    /// How many changes can be undone.
    pub changes: usize,
}

impl ProofScene {
    /// The node of the evidence with a lasting number.
    pub fn find(&self, number: ProofId) -> Option<ProofId> {
        self.nodes.ids().find(|&node| self.nodes[node] == number)
    }
}

/// An obligation: a claim that nobody has shown yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenObligation {
    /// Its lasting number.
    pub number: ProofId,
    /// What is claimed.
    pub claim: Claim,
    /// Where, in the evidence of the scene.
    pub at: OccurrenceId,
    /// How many steps the goal is away, for claims that must reach one.
    pub rank: Option<u32>,
}

/// A way to show an obligation, with what is to come after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The way.
    pub way: Way,
    /// What is to come; `None` when nobody looked.
    pub outlook: Option<Outlook>,
}

/// Decides a property of a model, given by its index, and lets somebody explore its proof; again as
/// often as the visitor wants. Returns the verdict; nobody is asked when there is nothing to prove.
///
/// # Errors
/// When the budget ends, or the model turns out to be wrong once its meaning is looked at.
///
/// # Panics
/// When the model has no property with this index.
pub fn explain(
    session: &mut ModelSubject,
    property: usize,
    engine: Engine,
    budget: &Budget,
    visit: &mut dyn FnMut(&mut ModelSubject, OpenedProof<'_>) -> Run<Next>,
) -> Result<Verdict, Refusal> {
    budget.phase("reading the model");
    session.examine(budget)?;
    loop {
        let model: Model = session.model().clone();
        let mut next = Next::Done;
        let mut visit = |opened: OpenedProof<'_>| {
            next = visit(session, opened)?;
            Ok(())
        };
        let visit = Visit {
            property,
            engine,
            budget,
            visit: &mut visit,
        };
        let verdict = over_space(&model, engine, budget, visit)?;
        // That every run satisfies a formula is shown by the formula of CTL that says the same, if there is one.
        if verdict == Verdict::Holds
            && let Some(asked) = session.in_ctl(property)
        {
            *session = asked;
            continue;
        }
        if next == Next::Done {
            return Ok(verdict);
        }
    }
}

struct Visit<'v> {
    property: usize,
    engine: Engine,
    budget: &'v Budget,
    visit: &'v mut dyn FnMut(OpenedProof<'_>) -> Run<()>,
}

impl OverSpace for Visit<'_> {
    type Outcome = Verdict;

    fn over<S: StateSpace>(self, space: &S) -> Run<Verdict> {
        let investigator = Investigator::new(space)?;
        let summary = investigator.summary();
        let mut visit = |holds: bool, proof: &mut dyn Exploring| {
            (self.visit)(OpenedProof {
                summary,
                holds,
                proof,
            })
        };
        let (engine, budget) = (self.engine, self.budget);
        product::explain(&investigator, self.property, engine, budget, &mut visit)
    }
}

#[cfg(test)]
mod tests;
