//! Alloy models that describe a transition system, as a session over the whole of it.

use wherefore_alloy::model::Command;
use wherefore_alloy::{LoweringOptions, Override};
use wherefore_base::{Budget, Diagnostic};
use wherefore_evidence::{UnknownReason, Verdict};
use wherefore_tcmc::{
    AskedFormula, CompleteSystem, SystemReading, TcmcMisfit, TcmcModule, asked, complete,
    complete_as_watched, of_one_system, tells_copies_apart, watched,
};

use super::AlloySubject;
use crate::engines::{Event, Job, check_model};
use crate::opening::Opening;
use crate::refusal::Refusal;
use crate::subject::Language;
use crate::subjects::model::ModelSubject;

/// What a command that asks for something else is told.
const NO_FORMULA: &str = "it asks for no formula of CTL by `ctl_mc[..]` or `ctlfc_mc[..]` alone; without \
     `--reach complete` it is solved in its scope";

/// Why there is no complete system of a model that describes none.
pub fn no_system() -> Refusal {
    let why = "the Alloy model describes no transition system: it opens neither ctl nor ctlfc nor one of \
         their relatives; `check` answers its commands in their scopes";
    Refusal::Unsupported(why.to_string())
}

impl AlloySubject {
    /// Whether the model opens one of the modules that transition systems are described with.
    pub fn describes_system(&self) -> bool {
        TcmcModule::of(self.model()).is_some()
    }

    /// The complete transition system that the model describes, with its commands as properties, in their
    /// order: whatever the scope of the states is, every state that can be is looked at.
    ///
    /// # Errors
    /// When the model describes none state by state, or when the budget ends.
    pub fn complete(&self, scopes: &[Override], budget: &Budget) -> Result<ModelSubject, Refusal> {
        let opening = Opening {
            scopes: scopes.to_vec(),
            ..Opening::default()
        };
        self.complete_with(&opening, None, budget)
    }

    /// The systems that the wanted commands ask of: the first command of each, or nobody where there is only one. They
    /// differ where scopes differ in more than the number of states.
    pub(super) fn leading_commands(&self, opening: &Opening) -> Vec<Option<String>> {
        let names = &opening.commands;
        let leaders = match self.on_disk {
            true => self.leaders(opening).unwrap_or_default(),
            false => Vec::new(),
        };
        if leaders.len() < 2 && (names.is_empty() || leaders.is_empty()) {
            return vec![None];
        }
        leaders.into_iter().map(Some).collect()
    }

    /// The names of the first commands of different systems.
    fn leaders(&self, opening: &Opening) -> Result<Vec<String>, Refusal> {
        let model = self.model();
        let reading = SystemReading::of(model).map_err(|misfit| self.unfit(misfit))?;
        let reading = reading.ok_or_else(no_system)?;
        let choices = chosen(&opening.scopes);
        let names = &opening.commands;
        let wanted = |name: &String| names.is_empty() || names.contains(name);
        let mut leaders: Vec<&Command> = Vec::new();
        for command in self.commands().iter().filter(|one| wanted(&one.label)) {
            let mut known = false;
            for leader in &leaders {
                let pair = (*leader, command);
                let same = of_one_system(model, &reading, pair, &choices);
                known |= same.map_err(|misfit| self.unfit(misfit))?;
            }
            if !known {
                leaders.push(command);
            }
        }
        Ok(leaders.iter().map(|leader| leader.label.clone()).collect())
    }

    /// The complete transition system as [`AlloySubject::complete`] gives it, or, if a command is named, that of its
    /// scopes with only the commands that ask of it. If that is how it is opened, several fairness
    /// constraints are one: a variable counts off which of them were met in turn (Farheen, Day, Vakili and Abbassi
    /// 2020, section 8.3).
    ///
    /// # Errors
    /// As of [`AlloySubject::complete`].
    pub fn complete_with(
        &self,
        opening: &Opening,
        command: Option<&str>,
        budget: &Budget,
    ) -> Result<ModelSubject, Refusal> {
        let (scopes, counted) = (&opening.scopes, opening.counted);
        let model = self.model();
        let reading = SystemReading::of(model).map_err(|misfit| self.unfit(misfit))?;
        let reading = SystemReading {
            counted,
            ..reading.ok_or_else(no_system)?
        };
        let choices = chosen(scopes);
        let mut commands = self.commands().iter();
        let leader = command.and_then(|name| commands.find(|command| command.label == name));
        let mut wanted = Vec::new();
        for command in self.commands() {
            if let Some(leader) = leader {
                let same = of_one_system(model, &reading, (leader, command), &choices);
                if !same.map_err(|misfit| self.unfit(misfit))? {
                    continue;
                }
            }
            let formula = asked(model, &reading, command).map_err(|misfit| self.unfit(misfit))?;
            wanted.push((command, formula.ok_or_else(|| NO_FORMULA.to_owned())));
        }
        let system = self.system(&reading, &wanted, &choices, budget);
        let mut system = system.map_err(|misfit| self.unfit(misfit))?.model;
        for property in &mut system.properties {
            property.text = self.sources().text_on_one_line(property.span, "--");
        }
        let mut warnings = self.warnings().to_vec();
        warnings.extend(self.copies(&reading, (wanted[0].0, &choices), budget)?);
        let sources = self.sources().clone();
        let reading = (Language::ALLOY, reading_of(scopes, counted));
        let made = ModelSubject::new(reading, sources, self.file(), system, warnings);
        Ok(match opening.asymmetric {
            true => made.without_symmetry(),
            false => made,
        })
    }

    /// A warning where what the complete system says need not be true in a scope.
    fn copies(
        &self,
        reading: &SystemReading,
        (command, choices): (&Command, &LoweringOptions),
        budget: &Budget,
    ) -> Result<Option<Diagnostic>, Refusal> {
        let model = self.model();
        let copies = tells_copies_apart(model, reading, command, choices, budget);
        if !copies.map_err(|misfit| self.unfit(misfit))? {
            return Ok(None);
        }
        let state = &model.sigs[reading.state];
        let message = format!(
            "No fact says that two atoms of `{}` with equal fields are equal, and `=` tells them apart.",
            state.label
        );
        let warning = Diagnostic::warning(state.span, message).help(
            "The complete system has each state once. In a scope there may be copies of a state, and the answer may \
             be another.",
        );
        Ok(Some(warning))
    }

    /// The complete system in which commands ask for formulas. What is said of every two states or of all at once is checked
    /// on those that can be reached, if it does not follow from what a state is.
    pub(super) fn system(
        &self,
        reading: &SystemReading,
        wanted: &[(&Command, Result<AskedFormula, String>)],
        choices: &LoweringOptions,
        budget: &Budget,
    ) -> Result<CompleteSystem, TcmcMisfit> {
        let single = SystemReading {
            whole: Vec::new(),
            ..reading.clone()
        };
        let system = match self.system_of_steps(&single, wanted, choices, budget) {
            Err(TcmcMisfit::Pairs { fact, .. }) => {
                let reading = reading.with_pairs_apart(self.model(), fact);
                return self.system(&reading, wanted, choices, budget);
            }
            system => system?,
        };
        self.together(reading, &system, (wanted[0].0, choices), budget)?;
        Ok(system)
    }

    /// The complete system without what is said of all states at once. What is said of every step is checked on the steps that
    /// can be reached, if it does not follow from what a step is.
    fn system_of_steps(
        &self,
        reading: &SystemReading,
        wanted: &[(&Command, Result<AskedFormula, String>)],
        choices: &LoweringOptions,
        budget: &Budget,
    ) -> Result<CompleteSystem, TcmcMisfit> {
        let model = self.model();
        let (span, from, to) = match complete(model, reading, wanted, choices, budget) {
            Err(TcmcMisfit::Cut { span, from, to }) => (span, from, to),
            system => return system,
        };
        let watched = watched(model, reading, wanted[0].0, choices, budget)?;
        let mut verdict = None;
        check_model(&watched.model, &Job::default(), budget, &mut |event| {
            if let Event::Finding(finding) = event {
                verdict = Some(finding);
            }
        });
        let Some(finding) = verdict else {
            return Err(TcmcMisfit::cut(span, &from, &to));
        };
        match finding.verdict {
            Verdict::Holds => complete_as_watched(model, reading, wanted, choices, budget),
            Verdict::Fails => {
                let states = finding.evidence.iter().flat_map(|evidence| {
                    let states = evidence.occurrences.iter();
                    states.map(|state| watched.text(&state.values))
                });
                let states: Vec<String> = states.collect();
                Err(match &states[..] {
                    [.., from, to] => TcmcMisfit::cut(span, from, to),
                    _ => TcmcMisfit::cut(span, &from, &to),
                })
            }
            Verdict::Unknown(UnknownReason::Stopped(stop)) => Err(TcmcMisfit::Stopped(stop)),
            Verdict::Unknown(_) => Err(TcmcMisfit::cut(span, &from, &to)),
        }
    }

    pub(super) fn unfit(&self, misfit: TcmcMisfit) -> Refusal {
        let diagnostic = match misfit {
            TcmcMisfit::Cut { span, from, to } => return self.unfit(TcmcMisfit::cut(span, &from, &to)),
            TcmcMisfit::Pairs { span, .. } => return self.unfit(TcmcMisfit::pairs(span)),
            TcmcMisfit::Stopped(stop) => return Refusal::Stopped(stop),
            TcmcMisfit::Wrong(diagnostic) => diagnostic,
            TcmcMisfit::Shape { message, span } => Diagnostic::error(span, message).help(
                "The complete system cannot be checked then. Without `--reach complete` the commands are \
                 solved in their scopes.",
            ),
            TcmcMisfit::TooLarge(message) => {
                let span = self.commands().first().map(|command| command.span);
                let span = span.unwrap_or(wherefore_base::Span::new(self.file(), 0, 0));
                Diagnostic::error(span, message)
            }
        };
        Refusal::Rejected(self.rejected(vec![diagnostic]))
    }
}

/// What is chosen for the lowering where scopes are given.
fn chosen(scopes: &[Override]) -> LoweringOptions {
    LoweringOptions {
        scopes: scopes.to_vec(),
        ..LoweringOptions::default()
    }
}

/// The options with which the system is had.
fn reading_of(scopes: &[Override], counted: bool) -> String {
    let counted = if counted { " --fairness counter" } else { "" };
    format!(" --reach complete{counted}{}", scopes_as_options(scopes))
}

/// Scopes as the command line takes them.
pub(super) fn scopes_as_options(scopes: &[Override]) -> String {
    let scopes = scopes.iter().map(|scope| format!(" --scope {scope}"));
    scopes.collect()
}
