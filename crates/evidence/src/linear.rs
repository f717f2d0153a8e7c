//! Linear-time properties: a fair lasso of the product, told in the variables of the model.
//!
//! A formula of linear time fails exactly if its [`Tableau`] has a fair run from an initial state, so
//! the search for the shortest fair lasso is that of `EG TRUE` over the product. The lasso is then
//! *lifted*: of each state only the variables of the model stay, and what the tableau says of the
//! sub-formulas becomes their truth at that position.

use wherefore_base::Run;
use wherefore_check::{Checker, Tableau};
use wherefore_logic::{Goal, PathRule, as_ctl, class_of, has_past};
use wherefore_model::{PropertyBody, Query, Support, VarKind};
use wherefore_proof::{
    Claim, Evidence, Finding, Measure, Minimality, Occurrence, OccurrenceId, ProofId, ProofNode,
    Rule, Segment, SegmentEnding, Shape, UnknownReason, Verdict,
};
use wherefore_replay::replay;
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use crate::certificate::produce;
use crate::investigate::{EvidenceOptions, Investigator, unanswered};
use crate::minimal::least;

impl<S: StateSpace> Investigator<'_, S> {
    /// A linear-time property of the model, given by its index, that holds because a formula of CTL does which says
    /// the same; `None` if it fails, or there is no such formula, so that its tableau must tell.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn holding_without_tableau(
        &self,
        property: usize,
        options: &EvidenceOptions,
    ) -> Run<Option<Finding>> {
        // A certificate is about the product.
        if options.certificate {
            return Ok(None);
        }
        let Some(branching) = self.branching(self.linear(property)) else {
            return Ok(None);
        };
        let space = self.checker().space();
        space.budget().phase("checking");
        let solution = self.checker().solve(&branching)?;
        let failing = self.checker().failing(&branching, &solution)?;
        if !space.is_empty(&failing) {
            return Ok(None);
        }
        Ok(Some(Finding {
            verdict: Verdict::Holds,
            notes: self.notes(PathRule::FairInfinite, &|| Ok(true))?,
            ..self.open_linear(property)
        }))
    }

    fn linear(&self, property: usize) -> &Query {
        match &self.model().properties[property].body {
            PropertyBody::Linear(query) => query,
            _ => panic!("the property is one of linear time"),
        }
    }

    /// The query of CTL that implies one of linear time, if it speaks of states only.
    pub(crate) fn branching(&self, query: &Query) -> Option<Query> {
        let formula = as_ctl(&query.formula)?;
        // The atoms of CTL read states only.
        self.speaks_of_states(query).then(|| Query {
            formula,
            rule: PathRule::FairInfinite,
            ..query.clone()
        })
    }

    /// Whether the atoms of a formula read states only, not steps.
    fn speaks_of_states(&self, query: &Query) -> bool {
        let model = self.model();
        let support = Support::of(model, query.atoms.iter().copied());
        let mut now = support.now.iter();
        support.next.is_empty() && now.all(|&var| model.vars[var].kind != VarKind::Input)
    }

    fn open_linear(&self, property: usize) -> Finding {
        let fair = !self.model().fairness.is_empty();
        Finding {
            class: Some(class_of(&self.linear(property).formula, fair)),
            ..unanswered(property)
        }
    }

    /// Everything about a linear-time property of the model, given by its index, over the space of its
    /// tableau.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn investigate_linear<P: StateSpace>(
        &self,
        property: usize,
        options: &EvidenceOptions,
        tableau: &Tableau,
        product: &P,
    ) -> Finding {
        let query = self.linear(property);
        let mut finding = self.open_linear(property);
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
        options: &EvidenceOptions,
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
        finding.notes = self.notes(PathRule::FairInfinite, &|| Ok(true))?;
        if holds && options.certificate {
            let certificate = produce(&checker, &tableau.query, &solution, true);
            finding.certificate = Some(certificate);
        }
        if holds || !options.evidence {
            return Ok(());
        }
        product.budget().phase("looking for the shortest evidence");
        let case = ProofCase::new(&checker, &tableau.query, &solution);
        let claim = Claim::Formula(Goal::fails(tableau.query.formula.root()), None);
        let built = least(&case, claim, &refuted, options.minimal)?.built;
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
    // What the tableau adds to the fairness constraints means nothing in the model.
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
    let mut evidence = Evidence {
        shape: Shape::Lasso,
        occurrences: occurrences.collect(),
        edges: lasso.edges.clone(),
        segments: vec![Segment {
            from: None,
            serves: claim,
            states,
            main: true,
            ending: SegmentEnding::Loop(back),
            fair: marks.map(|(_, mark)| *mark).collect(),
        }],
        regions: lasso.regions.clone(),
        proof: [root].into_iter().collect(),
        minimal: lasso.minimal.clone(),
        replay: lasso.replay.clone(),
    };
    let remembers =
        has_past(&query.formula) || tableau.model.memory().any(|var| var.index() < vars);
    evidence.minimal = lifted_minimality(&evidence, remembers);
    evidence
}

/// What is known in the model of what is least in the product.
///
/// The steps of a lasso are counted alike in both, but where past operators or fairness conditions about steps remember
/// something, a loop without that may be shorter. Several states of the product may be the same state of the model.
fn lifted_minimality(evidence: &Evidence, remembers: bool) -> Minimality {
    let minimal = evidence.minimal.clone();
    match minimal.measure {
        Measure::Steps if remembers => Minimality {
            measure: Measure::ProductSteps,
            ..minimal
        },
        Measure::Nodes if !remembers => minimal,
        Measure::Nodes | Measure::States | Measure::Transitions => Minimality {
            length: minimal.measure.of(evidence),
            at_least: 0,
            ..minimal
        },
        _ => minimal,
    }
}
