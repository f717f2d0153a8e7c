//! Linear-time properties: a fair lasso of the product, told in the variables of the model.
//!
//! A formula of linear time fails exactly if its [`Tableau`] has a fair run from an initial state, so
//! the search for the shortest fair lasso is that of `EG TRUE` over the product. The lasso is then
//! *lifted*: of each state only the variables of the model stay, and what the tableau says of the
//! sub-formulas becomes their truth at that position.

use wherefore_base::Run;
use wherefore_check::{Checker, Tableau};
use wherefore_logic::{Goal, PathRule, class_of, has_past};
use wherefore_model::{PropertyBody, Query};
use wherefore_space::StateSpace;

use crate::case::Case;
use crate::investigate::{Investigator, Options, unanswered};
use crate::measure::Measure;
use crate::minimal::least;
use crate::replay::replay;
use crate::types::{
    Claim, Ending, Evidence, Finding, Occurrence, OccurrenceId, ProofId, ProofNode, Rule, Segment,
    Shape, UnknownReason, Verdict,
};

impl<S: StateSpace> Investigator<'_, S> {
    /// Everything about a linear-time property of the model, given by its index, over the space of its
    /// tableau.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn investigate_linear<P: StateSpace>(
        &self,
        property: usize,
        options: &Options,
        tableau: &Tableau,
        product: &P,
    ) -> Finding {
        let model = self.model();
        let PropertyBody::Linear(query) = &model.properties[property].body else {
            panic!("the property is one of linear time")
        };
        let mut finding = unanswered(property);
        finding.class = Some(class_of(&query.formula, !model.fairness.is_empty()));
        let answered = self.answer_linear(query, options, tableau, product, &mut finding);
        // What was found before time ran out stays found.
        if let (Err(stop), Verdict::Unknown(_)) = (answered, &finding.verdict) {
            finding.verdict = Verdict::Unknown(UnknownReason::Stopped(stop));
        }
        finding
    }

    fn answer_linear<P: StateSpace>(
        &self,
        query: &Query,
        options: &Options,
        tableau: &Tableau,
        product: &P,
        finding: &mut Finding,
    ) -> Run<()> {
        product.budget().phase("checking");
        let checker = Checker::new(product)?;
        let solution = checker.solve(&tableau.query)?;
        let refuted = checker.failing(&tableau.query, &solution)?;
        let holds = product.is_empty(&refuted);
        finding.verdict = if holds {
            Verdict::Holds
        } else {
            Verdict::Fails
        };
        finding.notes = self.notes(PathRule::FairInfinite)?;
        if holds || !options.evidence {
            return Ok(());
        }
        product.budget().phase("looking for the shortest evidence");
        let case = Case::new(&checker, &tableau.query, &solution);
        let claim = Claim::Formula(Goal::fails(tableau.query.formula.root()), None);
        let built = least(&case, claim, &refuted, options.minimal)?;
        let mut evidence = lift(&built.evidence, self.model().state_vars(), query, tableau);
        let (model, budget) = (self.model(), product.budget());
        budget.phase("replaying the evidence");
        evidence.replay = replay(model, query, false, &evidence, budget)?;
        finding.evidence = Some(evidence);
        Ok(())
    }
}

/// A lasso of the product as a run of the model.
fn lift(lasso: &Evidence, vars: usize, query: &Query, tableau: &Tableau) -> Evidence {
    let subs = query.formula.len();
    let occurrences = lasso.occurrences.iter().map(|occurrence| Occurrence {
        values: occurrence.values[..vars].to_vec(),
        truth: occurrence.truth.iter().take(subs).copied().collect(),
    });
    let (states, back) = lasso.main_run();
    let back = back.expect("a run that goes on for ever is a lasso");
    let marks = lasso.segments.iter().flat_map(|segment| &segment.fair);
    let own = tableau.justice..tableau.model.fairness.justice.len();
    let marks = marks
        .enumerate()
        .filter(|(constraint, _)| !own.contains(constraint));
    let claim = Claim::Formula(Goal::fails(query.formula.root()), None);
    let root = ProofNode {
        claim,
        at: OccurrenceId::new(0),
        rule: Some(Rule::Run),
        rank: None,
        premises: Vec::<ProofId>::new(),
    };
    let mut minimal = lasso.minimal.clone();
    if has_past(&query.formula) && minimal.measure == Measure::Steps {
        minimal.measure = Measure::ProductSteps;
    }
    Evidence {
        shape: Shape::Lasso,
        occurrences: occurrences.collect(),
        edges: lasso.edges.clone(),
        segments: vec![Segment {
            from: None,
            serves: claim,
            states,
            main: true,
            ending: Ending::Loop(back),
            fair: marks.map(|(_, mark)| *mark).collect(),
        }],
        regions: lasso.regions.clone(),
        proof: [root].into_iter().collect(),
        minimal,
        replay: lasso.replay.clone(),
    }
}
