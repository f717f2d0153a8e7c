//! SMV models with variables that have no bounds, as systems that solvers are asked about.
//!
//! In SMV, paths are endless and fair, and states from which no such path starts do not count. Solvers are asked about
//! systems in which paths may end. So an answer is given where the difference does not show: what is said of all paths
//! and holds of those that end, too, holds; a run that goes on for ever, fairly, is a run of both; and everything is the
//! same in a system without a dead end, which is proved first.

use std::sync::OnceLock;

use wherefore_base::{Budget, Diagnostic, FileId, SourceFile, SourceMap, Span};
use wherefore_model::{Model, PropertyBody, Requirement};
use wherefore_smt::eval::holds;
use wherefore_smt::{
    Bound, Deadlock, SmtPropertyKind, SolverTrace, TermSystem, Translated, of_model,
};
use wherefore_smtcheck::{SmtAnswer, SmtOptions, SmtRefutation, SmtVerdict, Sought, find};
use wherefore_smv::{IntegerBounds, LoadedSmv, SmvDialect, SmvScope};

use super::telling::is_existential;
use super::{SmtSubject, Written, options};
use crate::refusal::{Refusal, Rejected};
use crate::subjects::model::ModelSubject;

/// An SMV model and the system that it describes.
#[derive(Debug)]
pub(super) struct Smv {
    model: Model,
    scope: SmvScope,
    translated: Translated,
    right: OnceLock<Right>,
    /// Whether no dead end is reached, once that is proved.
    total: OnceLock<()>,
}

/// Whether a model is right where that depends on values.
#[derive(Clone, Debug)]
pub(super) enum Right {
    Yes,
    /// This is wrong.
    No(Diagnostic),
    /// Nobody can say: a whole sentence.
    Unknown(String),
}

impl SmtSubject {
    /// Reads an SMV model.
    pub(super) fn of_smv(
        dialect: SmvDialect,
        name: &str,
        text: String,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(name, text));
        let loaded = wherefore_smv::load_unbounded(dialect, &sources, file, budget)?;
        let LoadedSmv {
            model,
            scope,
            diagnostics,
        } = loaded;
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Refusal::Rejected(Rejected {
                sources,
                diagnostics,
            }));
        }
        let translated = match of_model(name, &model) {
            Ok(translated) => translated,
            Err((why, var)) => {
                let span = var.map_or(Span::new(file, 0, 0), |var| model.vars[var].span);
                let message = format!("Solvers cannot be asked about this model, since {why}");
                let error = Diagnostic::error(span, message)
                    .help("A model whose variables all have bounds is checked without solvers.");
                return Err(Refusal::Rejected(Rejected {
                    sources,
                    diagnostics: vec![error],
                }));
            }
        };
        Ok(Self {
            sources,
            file,
            system: translated.system.clone(),
            written: Written::Smv(Box::new(Smv {
                model,
                scope,
                translated,
                right: OnceLock::new(),
                total: OnceLock::new(),
            })),
            warnings: diagnostics,
            unanswered: OnceLock::new(),
            without_runs: OnceLock::new(),
        })
    }

    /// The finite version of an SMV model within bounds.
    pub(super) fn finite_smv(&self, smv: &Smv, bounds: &[Bound]) -> Result<ModelSubject, Rejected> {
        let known = |name: &str| {
            matches!(name, "Int" | "integer") || smv.model.vars.iter().any(|var| var.name == name)
        };
        if let Some(bound) = bounds.iter().find(|bound| !known(&bound.name)) {
            let message = format!(
                "There is no finite version of this model, since there is no variable `{}` that a bound could be for",
                bound.name
            );
            let start = Span::new(self.file, 0, 0);
            return Err(self.rejected(vec![Diagnostic::error(start, message)]));
        }
        let within: Vec<IntegerBounds> = bounds
            .iter()
            .map(|bound| IntegerBounds {
                name: bound.name.clone(),
                low: bound.low,
                high: bound.high,
            })
            .collect();
        let dialect = smv.scope.dialect();
        let budget = Budget::unlimited();
        let loaded =
            wherefore_smv::load_within(dialect, &within, &self.sources, self.file, &budget);
        let loaded = loaded.expect("nobody stops this budget");
        if loaded.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(self.rejected(loaded.diagnostics));
        }
        let mut session = ModelSubject::of_smv(
            (dialect, options(bounds)),
            self.sources.clone(),
            self.file,
            loaded,
        );
        for property in self.formulas() {
            session.add_formula(&self.system.properties[property].text)?;
        }
        Ok(session)
    }

    /// Asks solvers about a property of an SMV model.
    pub(super) fn decide_smv(
        &self,
        smv: &Smv,
        property: usize,
        choices: &SmtOptions,
        budget: &Budget,
    ) -> SmtAnswer {
        if let Some(why) = &smv.translated.refused[property] {
            return SmtAnswer::unknown(vec![why.clone()]);
        }
        if choices.solvers.is_empty() {
            return self.decide(property, choices, budget);
        }
        match smv.discharged(&self.system, choices, budget) {
            Right::Yes => {}
            Right::No(diagnostic) => {
                return SmtAnswer::unknown(vec![format!("{}.", diagnostic.message)]);
            }
            Right::Unknown(why) => return SmtAnswer::unknown(vec![why.clone()]),
        }
        let policy = choices.deadlock.unwrap_or(self.system.deadlock);
        let with = |deadlock| SmtOptions {
            deadlock: Some(deadlock),
            dead_ends: false,
            ..choices.clone()
        };
        let asked = &self.system.properties[property];
        if policy != Deadlock::Error {
            return self.decide(property, choices, budget);
        }
        if asked.kind == SmtPropertyKind::Invar {
            // Of an invariant, finite runs count, whether they go on fairly or not.
            let system = TermSystem {
                fairness: Vec::new(),
                ..self.system.clone()
            };
            let mut progress = |phase: &str| budget.phase(phase);
            let choices = with(Deadlock::Vacuous);
            return wherefore_smtcheck::decide(&system, asked, &choices, budget, &mut progress);
        }
        if smv.total.get().is_none()
            && let Some(proof) = self.without_runs(choices, budget)
        {
            return SmtAnswer {
                verdict: SmtVerdict::Holds(proof.clone()),
                no_run: true,
                ..SmtAnswer::unknown(Vec::new())
            };
        }
        let mut terms = self.system.terms.clone();
        let universal = matches!(asked.kind, SmtPropertyKind::Live | SmtPropertyKind::Linear)
            || asked
                .ctl(&mut terms)
                .is_some_and(|formula| is_existential(&formula.negated(&mut terms)));
        let mut answer = None;
        if universal || smv.total.get().is_some() {
            let found = self.decide(property, &with(Deadlock::Vacuous), budget);
            let goes_on = |refutation: &SmtRefutation| {
                let mut runs = refutation.runs.iter();
                runs.all(|branch| branch.trace.back.is_some())
            };
            match &found.verdict {
                SmtVerdict::Holds(_) | SmtVerdict::Unknown => answer = Some(found),
                SmtVerdict::Fails(_) if smv.total.get().is_some() => answer = Some(found),
                SmtVerdict::Fails(refutation) if goes_on(refutation) => answer = Some(found),
                SmtVerdict::Fails(_) => {}
            }
        }
        let mut answer = answer.unwrap_or_else(|| {
            let found = self.decide(property, &with(Deadlock::Error), budget);
            if found.holds().is_some() {
                // Somebody else may have proved it meanwhile.
                let _ = smv.total.set(());
            }
            found
        });
        if let SmtVerdict::Fails(refutation) = &answer.verdict
            && !self.starts_fairly(refutation)
        {
            answer = SmtAnswer::unknown(vec![
                "A run refutes the property, and it is not known whether a fair path starts where the run does.".to_string(),
            ]);
        }
        answer
    }

    /// Whether the first run of a refutation is a fair path.
    fn starts_fairly(&self, refutation: &SmtRefutation) -> bool {
        let fairness = &self.system.fairness;
        let is_fair = |trace: &SolverTrace| {
            let Some(back) = trace.back else {
                return false;
            };
            fairness.iter().all(|&condition| {
                (back..trace.states.len()).any(|state| {
                    let at = trace.at(&self.system, state);
                    holds(&self.system.terms, condition, &at) == Ok(true)
                })
            })
        };
        fairness.is_empty()
            || refutation
                .runs
                .first()
                .is_some_and(|branch| is_fair(&branch.trace))
    }
}

impl Smv {
    /// How its text is read.
    pub(super) fn scope(&self) -> &SmvScope {
        &self.scope
    }

    /// The model as it is written.
    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    /// Adds a formula of the command line to the system.
    pub(super) fn add_formula(
        &mut self,
        system: &mut TermSystem,
        sources: &SourceMap,
        file: FileId,
        name: &str,
    ) -> Result<(), Vec<Diagnostic>> {
        let property = wherefore_smv::formula(&mut self.model, &self.scope, sources, file, name)?;
        let added = self.translated.add_property(&self.model, &property);
        added.map_err(|why| {
            let message = format!("Solvers cannot be asked this, since {why}");
            vec![Diagnostic::error(property.span, message)]
        })?;
        self.model.properties.push(property);
        self.right = OnceLock::new();
        let deadlock = system.deadlock;
        *system = TermSystem {
            deadlock,
            ..self.translated.system.clone()
        };
        Ok(())
    }

    /// Whether the model is right where that depends on values; found out once.
    pub(super) fn discharged(
        &self,
        system: &TermSystem,
        choices: &SmtOptions,
        budget: &Budget,
    ) -> &Right {
        self.right
            .get_or_init(|| self.discharge(system, choices, budget))
    }

    fn discharge(&self, system: &TermSystem, choices: &SmtOptions, budget: &Budget) -> Right {
        let mut terms = system.terms.clone();
        let mut unknown = None;
        for obliged in &self.translated.obligations {
            let symbols: Vec<_> = obliged.value.into_iter().collect();
            match find(&mut terms, obliged.denied, &symbols, choices, budget) {
                Sought::Nothing => {}
                Sought::Values(values) => {
                    let value = values.into_iter().flatten().next();
                    let shown = value.map_or("of the expression".to_string(), |value| {
                        value.show(&terms).to_string()
                    });
                    return Right::No(told(obliged.otherwise.clone(), &shown));
                }
                Sought::Unknown(why) => {
                    let message = obliged
                        .otherwise
                        .message
                        .replace("{value}", "of an expression");
                    unknown = Some(format!(
                        "It is not known whether this is so: {message} ({why})."
                    ));
                }
            }
        }
        unknown.map_or(Right::Yes, Right::Unknown)
    }

    /// Gives a model that was made of runs of the system the words and the places of SMV.
    pub(super) fn reword(&self, model: &mut Model) {
        for constraint in &mut model.trans {
            if let Requirement::Assign(var, _) = constraint.requires {
                let place = self.assigned_at(&model.vars[var].name);
                constraint.span = place.unwrap_or(constraint.span);
            }
        }
        let pairs = model.properties.iter_mut().zip(&self.model.properties);
        for ((made, asked), refused) in pairs.zip(&self.translated.refused) {
            made.instance.clone_from(&asked.instance);
            made.kind = asked.kind;
            if let Some(why) = refused {
                made.body = PropertyBody::Unsupported(why.trim_end_matches('.').to_string());
            }
        }
    }
}

impl Smv {
    /// Where the next value of a variable is assigned, or else where the variable is declared.
    fn assigned_at(&self, name: &str) -> Option<Span> {
        let (var, variable) = self
            .model
            .vars
            .entries()
            .find(|(_, variable)| variable.name == name)?;
        let mut steps = self.model.trans.iter();
        let assigned = steps.find(|constraint| {
            matches!(constraint.requires, Requirement::Assign(assigned, _) if assigned == var)
        });
        Some(assigned.map_or(variable.span, |constraint| constraint.span))
    }
}

/// A message about a value.
fn told(mut diagnostic: Diagnostic, value: &str) -> Diagnostic {
    let put = |text: &mut String| *text = text.replace("{value}", value);
    put(&mut diagnostic.message);
    diagnostic.help.iter_mut().for_each(put);
    diagnostic
}
