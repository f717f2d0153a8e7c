//! What is taken out of the systems of a scope: the smallest run, or part, that shows the answer to a command.
//!
//! An [`SystemExcerpt`] is a model of its own with the formula of the command as its only property, so what was found out
//! about it is evidence like any other: every view, every format and every strategy takes it.

use wherefore_base::{Budget, Stop, Value};
use wherefore_evidence::{EvidenceOptions, Finding, Verdict, WishBest};
use wherefore_model::Model;
use wherefore_tcmc::{
    AskedFormula, TcmcExtent, TcmcMisfit, TcmcModule, UnfoldedTree, asked_in_scope, extract,
    fragment, tree_fragment, whole,
};
pub use wherefore_tcmc::{ExtractForm, Extracted};
use wherefore_view::alloy as view;
use wherefore_view::wire::ExcerptFormName;

use super::complete::scopes_as_options;
use super::{AlloySubject, AnswerInstance, CommandQuestion, Hitch};
use crate::engines::{Event, Job, check_model};
use crate::refusal::{Refusal, Rejected};
use crate::strategy::Strategies;
use crate::subject::Language;
use crate::subjects::model::ModelSubject;

/// A part of a transition system that shows the answer to a command.
#[derive(Debug)]
pub struct SystemExcerpt {
    /// The command, by its place.
    pub command: usize,
    /// The part as a model, with the formula as its only property.
    pub session: ModelSubject,
    /// What it looks like.
    pub form: ExtractForm,
    /// How many states it has.
    pub states: usize,
    /// How many steps it has.
    pub steps: usize,
    /// What the formula comes to in it, with its evidence.
    pub findings: Vec<Finding>,
    /// Whether the states and steps alone say what happens; of a whole system nobody asks.
    pub determined: Option<bool>,
    /// Where they do not, two trees that use exactly these steps.
    pub trees: Vec<UnfoldedExcerpt>,
    /// What the formula speaks of.
    extent: TcmcExtent,
}

/// A finite tree that the steps of a part unfold into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfoldedExcerpt {
    /// The tree on one line, as `0 → 1 → (0 | 2)`: states by the steps of the evidence at which they are told.
    pub text: String,
    /// Whether it shows the answer, as the part does.
    pub shows: bool,
}

/// Why nothing is taken out.
#[derive(Debug)]
pub enum NoExcerpt {
    /// The command asks for no formula of a transition system, or for one in other words than `ctl_mc[..]`.
    NoFormula,
    /// There is nothing to show: no system in the scope is one.
    Nothing,
    /// The model could not be read so.
    Misfit(Rejected),
    /// The search was stopped, or is refused.
    Hitch(Hitch),
}

impl SystemExcerpt {
    /// What it is, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let states = count(self.states, "state");
        let steps = count(self.steps, "step");
        let text = match (self.form, self.extent) {
            (ExtractForm::SimplePath, _) => format!(
                "Of all systems in this scope, the smallest run that shows it is a path of {states}."
            ),
            (ExtractForm::Lasso, _) => format!(
                "Of all systems in this scope, the smallest run that shows it is a lasso of {states}."
            ),
            (ExtractForm::Subgraph, _) => format!(
                "No single run shows it. Of all systems in this scope, the smallest part that does has {steps} \
                 between {states}."
            ),
            (ExtractForm::Whole, TcmcExtent::Mixed) => format!(
                "It speaks both of every path and of some path, so nothing can be left out: without a step, what \
                 must be possible somewhere would be lost. This is why in the whole system, {steps} between {states}."
            ),
            (ExtractForm::Whole, TcmcExtent::Existential) => format!(
                "It asks for something to be possible, and that it is not takes the whole system: {steps} between \
                 {states}."
            ),
            (ExtractForm::Whole, TcmcExtent::Universal) => format!(
                "It speaks of every path, so nothing can be left out of the system: {steps} between {states}."
            ),
        };
        let order = match (self.form, &self.trees[..]) {
            (ExtractForm::Subgraph, [a, b]) => {
                let shows = |tree: &UnfoldedExcerpt| match tree.shows {
                    true => "shows it",
                    false => "does not show it",
                };
                Some(format!(
                    "Its states and steps alone do not say which step is taken when: {} has exactly these steps \
                     and {}; {} has them, too, and {}. The order that counts is that of the proof:",
                    a.text,
                    shows(a),
                    b.text,
                    shows(b)
                ))
            }
            (ExtractForm::Subgraph, _) => {
                Some("Its states and steps alone say what happens, branch by branch.".to_string())
            }
            _ => None,
        };
        [text].into_iter().chain(order).collect()
    }

    /// What views take.
    pub fn shown(&self) -> view::ExcerptReport<'_> {
        view::ExcerptReport {
            command: self.command,
            report: self.session.report(None, &self.findings),
            form: match self.form {
                ExtractForm::SimplePath => ExcerptFormName::Path,
                ExtractForm::Lasso => ExcerptFormName::Lasso,
                ExtractForm::Subgraph => ExcerptFormName::Part,
                ExtractForm::Whole => ExcerptFormName::Whole,
            },
            determined: self.determined,
            trees: (self.trees.iter())
                .map(|tree| (tree.text.clone(), tree.shows))
                .collect(),
            states: self.states,
            steps: self.steps,
            sentences: self.sentences(),
        }
    }

    /// The step of the evidence at which a state is told first.
    fn step_of(&self, values: &[Value]) -> String {
        let evidence = self.findings.iter().find_map(|f| f.evidence.as_ref());
        let occurrences = evidence.map(|evidence| evidence.occurrences.iter());
        let at = occurrences.and_then(|mut all| all.position(|state| *state.values == *values));
        at.map_or("?".to_string(), |at| at.to_string())
    }

    /// Asks again, with other options and with evidence as strategies choose it.
    ///
    /// # Errors
    /// When the model turns out to be wrong once its meaning is looked at.
    pub fn check(
        &mut self,
        job: &Job,
        strategies: &Strategies,
        budget: &Budget,
    ) -> Result<(), Rejected> {
        let job = Job {
            engine: job.engine,
            options: EvidenceOptions {
                vacuity: false,
                ..job.options.clone()
            },
            properties: None,
            ..Job::default()
        };
        let (mut findings, mut rejected) = (Vec::new(), None);
        let session = &self.session;
        session.check_all_with(&job, strategies, budget, &mut |event| match event {
            Event::Rejected(diagnostics) => rejected = Some(session.rejected(diagnostics)),
            Event::Finding(finding) => findings.push(*finding),
            Event::Space(_) => {}
        });
        if self.form != ExtractForm::Whole {
            // What else could have been done is not in the part.
            for finding in &mut findings {
                finding.decisions.clear();
                for wish in &mut finding.wishes {
                    wish.best = WishBest::Open;
                }
            }
        }
        self.findings = findings;
        rejected.map_or(Ok(()), Err)
    }
}

impl NoExcerpt {
    /// Why, as a sentence; none where nobody would expect anything else.
    pub fn sentence(&self) -> Option<&'static str> {
        match self {
            NoExcerpt::Hitch(Hitch::Stopped(_)) => {
                Some("The search for the smallest run was stopped.")
            }
            _ => None,
        }
    }

    fn stopped(stop: Stop) -> Self {
        NoExcerpt::Hitch(Hitch::Stopped(stop))
    }
}

impl AlloySubject {
    /// The smallest part of all systems in the scope of a question that shows its answer: a path if there is
    /// one, else any part. That it is the smallest is proved by the solver. Where a part shows nothing, since the
    /// formula needs all steps, it is the whole system of the instance that was found.
    ///
    /// # Errors
    /// Why there is none.
    pub fn excerpt(
        &self,
        question: &CommandQuestion<'_>,
        found: &AnswerInstance,
        budget: &Budget,
    ) -> Result<SystemExcerpt, NoExcerpt> {
        let model = self.model();
        let module = TcmcModule::of(model).ok_or(NoExcerpt::NoFormula)?;
        let others = model
            .declared()
            .any(|(id, _)| module.owns(model, id) && id != module.system);
        let command = question.command();
        let asked =
            asked_in_scope(model, &module, command).map_err(|misfit| self.misfit(misfit))?;
        let asked: AskedFormula = asked.filter(|_| !others).ok_or(NoExcerpt::NoFormula)?;
        let refused = |refused| NoExcerpt::Hitch(Hitch::Refused(Box::new(refused)));
        let extent = TcmcExtent::of(&asked.formula);
        let extracted = match (extent, command.check) {
            (TcmcExtent::Universal, true) | (TcmcExtent::Existential, false) => {
                let lowered = question.lowered(question.last_problem()).map_err(refused)?;
                let options = &question.choices().search;
                budget.phase("looking for the smallest run");
                let asked = (command, &question.choices().lowering);
                extract(model, &module, lowered, asked, options, budget)
                    .map_err(|refusal| NoExcerpt::Hitch(question.hitch(refusal)))?
            }
            _ => {
                let lowered = question.lowered_for(found).map_err(refused)?;
                whole(&module, lowered, &found.instance)
            }
        };
        let extracted = extracted.ok_or(NoExcerpt::Nothing)?;
        let part = fragment(model, &module, &extracted, (command, &asked), budget)
            .map_err(|misfit| self.misfit(misfit))?;
        let (mut part, values) = (part.model, part.states);
        for property in &mut part.properties {
            property.text = self.sources().text_on_one_line(property.span, "--");
        }
        let scopes = scopes_as_options(&question.choices().lowering.scopes);
        let session = ModelSubject::new(
            (Language::ALLOY, format!(" --reach scoped{scopes}")),
            self.sources().clone(),
            self.file(),
            part,
            Vec::new(),
        );
        let mut excerpt = SystemExcerpt {
            command: question.place(),
            form: extracted.form,
            states: extracted.states().len(),
            steps: extracted.steps.len(),
            session,
            findings: Vec::new(),
            determined: (extracted.form != ExtractForm::Whole).then(|| extracted.is_determined()),
            trees: Vec::new(),
            extent,
        };
        let checked = excerpt.check(&Job::default(), &Strategies::default(), budget);
        checked.map_err(NoExcerpt::Misfit)?;
        if let Some(trees) =
            UnfoldedTree::two(&extracted).filter(|_| extracted.form == ExtractForm::Subgraph)
        {
            for tree in trees {
                let own = (&extracted, &tree);
                let unfolded = tree_fragment(model, &module, own, (command, &asked), budget)
                    .map_err(|misfit| self.misfit(misfit))?;
                let shows = verdict_of(&unfolded.model, budget) == Some(!command.check);
                let text = tree.text(&|state| excerpt.step_of(&values[state]));
                excerpt.trees.push(UnfoldedExcerpt { text, shows });
            }
        }
        Ok(excerpt)
    }

    fn misfit(&self, misfit: TcmcMisfit) -> NoExcerpt {
        match self.unfit(misfit) {
            Refusal::Stopped(stop) => NoExcerpt::stopped(stop),
            Refusal::Rejected(rejected) => NoExcerpt::Misfit(rejected),
            _ => NoExcerpt::NoFormula,
        }
    }
}

/// Whether the only property of a model holds.
fn verdict_of(model: &Model, budget: &Budget) -> Option<bool> {
    let job = Job {
        options: EvidenceOptions {
            evidence: false,
            vacuity: false,
            ..EvidenceOptions::default()
        },
        ..Job::default()
    };
    let mut holds = None;
    check_model(model, &job, budget, &mut |event| {
        if let Event::Finding(finding) = event {
            holds = match finding.verdict {
                Verdict::Holds => Some(true),
                Verdict::Fails => Some(false),
                Verdict::Unknown(_) => None,
            };
        }
    });
    holds
}

fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
