//! What is taken out of the systems of a scope: the smallest run, or part, that shows the answer to a command.

use wherefore_base::{Budget, Stop};
use wherefore_evidence::Finding;
use wherefore_tcmc::{Extent, Misfit, Module, asked_in_scope, extract, fragment};
pub use wherefore_tcmc::{Extracted, Form};

use super::{AlloySession, Hitch, Question};
use crate::session::{Rejected, Session};

/// The smallest part of a transition system that shows the answer to a command.
#[derive(Debug)]
pub struct Excerpt {
    /// The part as a model, with the formula as its only property.
    pub session: Session,
    /// What it looks like.
    pub form: Form,
    /// How many states it has.
    pub states: usize,
    /// How many steps it has.
    pub steps: usize,
    /// What the formula comes to in it, with its evidence.
    pub finding: Finding,
}

/// Why nothing is taken out.
#[derive(Debug)]
pub enum NoExcerpt {
    /// The command asks for no formula of a transition system, or for one in other words than `ctl_mc[..]`.
    NoFormula,
    /// The formula speaks of every path and of some path, or the command is answered by what is not there:
    /// no part stands for the whole.
    Mixed,
    /// There is nothing to show: no system in the scope is one.
    Nothing,
    /// The model could not be read so.
    Misfit(Rejected),
    /// The search was stopped, or is refused.
    Hitch(Hitch),
}

impl Excerpt {
    /// What it is, as a sentence.
    pub fn sentence(&self) -> String {
        let states = match self.states {
            1 => "1 state".to_owned(),
            states => format!("{states} states"),
        };
        let steps = match self.steps {
            1 => "1 step".to_owned(),
            steps => format!("{steps} steps"),
        };
        match self.form {
            Form::SimplePath => format!(
                "Of all systems in this scope, the smallest run that shows it is a path of {states}."
            ),
            Form::Lasso => format!(
                "Of all systems in this scope, the smallest run that shows it is a lasso of {states}."
            ),
            Form::Subgraph => format!(
                "No single run shows it. Of all systems in this scope, the smallest part that does has {steps} \
                 between {states}; which of its steps are taken when, the states and steps alone do not say."
            ),
        }
    }
}

impl NoExcerpt {
    /// Why, as a sentence; none where nobody would expect anything else.
    pub fn sentence(&self) -> Option<&'static str> {
        match self {
            NoExcerpt::Mixed => Some(
                "The formula needs all steps of the system, so no smaller part of it shows why: with fewer \
                 steps, what must be possible somewhere would be lost.",
            ),
            NoExcerpt::Hitch(Hitch::Stopped(_)) => {
                Some("The search for the smallest run was stopped.")
            }
            _ => None,
        }
    }
}

impl AlloySession {
    /// The smallest part of all systems in the scope of a question that shows its answer: a path if there is
    /// one, else any part. That it is the smallest is proved by the solver.
    ///
    /// # Errors
    /// Why there is none.
    pub fn excerpt(&self, question: &Question<'_>, budget: &Budget) -> Result<Excerpt, NoExcerpt> {
        let model = self.model();
        let module = Module::of(model).ok_or(NoExcerpt::NoFormula)?;
        let others = model
            .declared()
            .any(|(id, _)| module.owns(model, id) && id != module.system);
        let command = question.command();
        let asked =
            asked_in_scope(model, &module, command).map_err(|misfit| self.misfit(misfit))?;
        let asked = asked.filter(|_| !others).ok_or(NoExcerpt::NoFormula)?;
        match (Extent::of(&asked.formula), command.check) {
            (Extent::Universal, true) | (Extent::Existential, false) => {}
            _ => return Err(NoExcerpt::Mixed),
        }
        let lowered = question
            .lowered(question.last_problem())
            .map_err(|refused| NoExcerpt::Hitch(Hitch::Refused(Box::new(refused))))?;
        let options = &question.choices().search;
        budget.phase("looking for the smallest run");
        let extracted = extract(model, &module, lowered, !command.check, options, budget)
            .map_err(|refusal| NoExcerpt::Hitch(question.hitch(refusal)))?
            .ok_or(NoExcerpt::Nothing)?;
        let mut part = fragment(model, &module, &extracted, (command, &asked), budget)
            .map_err(|misfit| self.misfit(misfit))?;
        for property in &mut part.properties {
            property.text = self.sources().text_on_one_line(property.span, "--");
        }
        let session = Session::of_model(
            ("alloy", String::new()),
            self.sources().clone(),
            self.file(),
            part,
            Vec::new(),
        );
        let mut finding = session.check(0).map_err(NoExcerpt::Misfit)?;
        // What else could have been done is not in the excerpt.
        finding.decisions.clear();
        Ok(Excerpt {
            form: extracted.form,
            states: extracted.states().len(),
            steps: extracted.steps.len(),
            session,
            finding,
        })
    }

    fn misfit(&self, misfit: Misfit) -> NoExcerpt {
        match self.unfit(misfit) {
            crate::session::OpenError::Stopped(stop) => NoExcerpt::stopped(stop),
            crate::session::OpenError::Rejected(rejected) => NoExcerpt::Misfit(rejected),
            _ => NoExcerpt::NoFormula,
        }
    }
}

impl NoExcerpt {
    fn stopped(stop: Stop) -> Self {
        NoExcerpt::Hitch(Hitch::Stopped(stop))
    }
}
