//! Commands of Alloy models in the JSON document.
//!
//! A command is a property: a run holds if it has an instance, a check if it has no counterexample. What
//! only commands have is in `command`.

use wherefore_alloy::answer::{
    AlloyAnswer, AnswerInstance, CommandOutcome, ExpressionValue, Facts, Others, WhyNothing,
};
use wherefore_alloy::reach::{ReachMeaning, ReachMethod, ReachSubject, Significant, Whole};
use wherefore_alloy::scene::{Moment, Scene, SceneRow};
use wherefore_alloy::{Scopes, model::AlloyModel};
use wherefore_wire::{
    AtomDoc, CommandDoc, CoreDoc, CorePartDoc, ExcerptDoc, ExpressionDoc, FactsName, InstanceDoc,
    InstanceStateDoc, LanguageName, MeaningName, ModelDoc, NoteDoc, NoteName, OthersName,
    PropertyDoc, PropertyKindName, QuantifiedDoc, ReachDoc, ReachName, RelationalValueDoc,
    ResultName, RowsDoc, ScopeDoc, ScopeQuestionName, SignatureScopeDoc, StatsDoc, SystemReachDoc,
    SystemVerdictName, TreeDoc, TriedScopeDoc, VerdictName,
};

use super::AlloyReport;
use super::words::role_text;
use crate::json::{diagnostic, names};

/// The language of Alloy models in the document.
pub const LANGUAGE: &str = LanguageName::Alloy.name();

/// What is reported about an Alloy model.
pub fn model(report: &AlloyReport<'_>) -> ModelDoc {
    let answers = report.answers.iter();
    ModelDoc {
        properties: answers.map(|answer| property(report, answer)).collect(),
        notes: report
            .advice
            .unwrap_or_default()
            .iter()
            .map(|advice| {
                let text = report.advice_text(advice).to_string();
                NoteDoc::said(advice_name(advice.about), text)
            })
            .collect(),
        stats: report.seconds.map(|seconds| StatsDoc { seconds }),
        ..ModelDoc::unread(report.path, LANGUAGE)
    }
}

fn advice_name(about: ReachSubject) -> NoteName {
    match about {
        ReachSubject::Initial => NoteName::AdviceInitial,
        ReachSubject::Equality => NoteName::AdviceEquality,
        ReachSubject::Operation => NoteName::AdviceOperation,
        ReachSubject::Overlap => NoteName::AdviceOverlap,
        ReachSubject::Cover => NoteName::AdviceCover,
        ReachSubject::Constraint => NoteName::AdviceConstraint,
        ReachSubject::Multiplicity => NoteName::AdviceMultiplicity,
        ReachSubject::Total => NoteName::AdviceTotal,
    }
}

/// What is reported about a command.
pub fn property(report: &AlloyReport<'_>, answer: &AlloyAnswer) -> PropertyDoc {
    let source = report.command(answer);
    let place = report.sources.place(source.span);
    let text = report.on_one_line(source.span);
    let (verdict, meaning) = match (answer.holds(source), answer.satisfiable()) {
        (Some(holds), found) => (
            if holds {
                VerdictName::Holds
            } else {
                VerdictName::Fails
            },
            // What is found is there whatever the scope; what is not found may be beyond it.
            Some(if found == Some(true) {
                MeaningName::Real
            } else {
                MeaningName::Ambiguous
            }),
        ),
        _ => (VerdictName::Unknown, None),
    };
    let reason = match &answer.outcome {
        CommandOutcome::Refused(refused) => Some(refused.diagnostic.message.clone()),
        CommandOutcome::Undecided { stop, .. } => Some(match stop {
            Some(stop) => stop.to_string(),
            None => "the complete system is known, and this scope takes too long".to_string(),
        }),
        _ => None,
    };
    let part = report.excerpt(answer);
    let shown = part.and_then(|part| Some((part, part.report.findings.first()?)));
    let shown = shown.map(|(part, finding)| crate::json::property(&part.report, finding));
    PropertyDoc {
        name: source.label.clone(),
        line: (!text.is_empty()).then_some(place.line),
        column: (!text.is_empty()).then_some(place.column),
        text,
        kind: if source.check {
            PropertyKindName::Check
        } else {
            PropertyKindName::Run
        },
        verdict,
        reason,
        vacuous: answer.is_vacuous(source).then(|| source.label.clone()),
        reach: (meaning.is_some() || answer.reach.is_some())
            .then(|| reach_of(answer, meaning.unwrap_or(MeaningName::Ambiguous))),
        result: answer.satisfiable().map(|found| {
            if found {
                ResultName::Sat
            } else {
                ResultName::Unsat
            }
        }),
        command: Some(Box::new(command(report, answer))),
        blame: report.suspects(answer),
        blame_search: (answer.blame.as_ref())
            .map(|blame| crate::json::blame_search(report.sources, blame)),
        // The rest is that of the part of the system.
        ..shown.unwrap_or_default()
    }
}

/// What the verdict is about, and what is known of the complete system.
fn reach_of(answer: &AlloyAnswer, alone: MeaningName) -> ReachDoc {
    let Some(known) = &answer.reach else {
        return ReachDoc {
            kind: ReachName::Scope,
            meaning: alone,
            of_system: None,
        };
    };
    let tried = known.tried.iter().map(|tried| TriedScopeDoc {
        states: tried.states,
        exactly: tried.exactly,
        asked: match tried.way {
            ReachMethod::Command => ScopeQuestionName::Command,
            ReachMethod::DeadLoops => ScopeQuestionName::DeadLoops,
            ReachMethod::Run => ScopeQuestionName::Run,
            ReachMethod::Axioms => ScopeQuestionName::Axioms,
        },
        found: tried.found,
    });
    ReachDoc {
        kind: match known.whole {
            Whole::Known { .. } => ReachName::Complete,
            _ => ReachName::Scope,
        },
        meaning: if known.is_real() {
            MeaningName::Real
        } else {
            MeaningName::Ambiguous
        },
        of_system: Some(Box::new(SystemReachDoc {
            system: match known.meaning {
                ReachMeaning::Holds(_) => SystemVerdictName::Holds,
                ReachMeaning::HoldsSomewhere(_) => SystemVerdictName::HoldsSomewhere,
                ReachMeaning::Fails(_) => SystemVerdictName::Fails,
                ReachMeaning::Ambiguous | ReachMeaning::ScopeOnly => SystemVerdictName::Unknown,
            },
            class: known.class.map(names::class),
            states: match &known.whole {
                Whole::Known { states, .. } if !states.is_empty() => Some(states.clone()),
                _ => None,
            },
            scopes: tried.collect(),
            significant: match known.significant {
                Significant::At(states) => Some(states),
                _ => None,
            },
        })),
    }
}

fn command(report: &AlloyReport<'_>, answer: &AlloyAnswer) -> CommandDoc {
    let source = report.command(answer);
    let (found, others) = match &answer.outcome {
        CommandOutcome::Found { found, others } => (
            &found[..],
            Some(match others {
                Others::None => OthersName::None,
                Others::Unknown => OthersName::Unknown,
                Others::Stopped(_) => OthersName::Stopped,
            }),
        ),
        _ => (&[][..], None),
    };
    let error = match &answer.outcome {
        CommandOutcome::Refused(refused) => Some(diagnostic(report.sources, &refused.diagnostic)),
        _ => None,
    };
    let reached = match answer.outcome {
        CommandOutcome::Undecided { reached, .. } => reached,
        _ => None,
    };
    CommandDoc {
        number: answer.command + 1,
        expect: source.expect,
        as_expected: answer.as_expected(source),
        scope: answer
            .scopes
            .as_ref()
            .map(|scopes| scope(report.model, scopes)),
        facts: match answer.facts {
            Facts::Consistent => FactsName::Consistent,
            Facts::Inconsistent => FactsName::Inconsistent,
            Facts::Unknown => FactsName::Unknown,
        },
        instances: found.iter().map(|found| instance(report, found)).collect(),
        others,
        core: core(report, answer),
        error,
        excerpt: report.excerpt(answer).map(|part| ExcerptDoc {
            form: part.form,
            determined: part.determined,
            states: part.states,
            steps: part.steps,
            text: part.sentences.clone(),
            trees: (part.trees.iter().cloned())
                .map(|(text, shows)| TreeDoc { text, shows })
                .collect(),
        }),
        reached,
    }
}

fn scope(model: &AlloyModel, scopes: &Scopes) -> ScopeDoc {
    let sigs = model.declared().filter(|(_, sig)| sig.extends().is_some());
    let signatures = sigs.map(|(id, sig)| SignatureScopeDoc {
        name: sig.label.clone(),
        most: scopes.most[id.index()],
        exactly: scopes.exact[id.index()],
    });
    ScopeDoc {
        bits: scopes.bits,
        sequence: scopes.sequence,
        steps: scopes.steps,
        signatures: signatures.collect(),
    }
}

fn core(report: &AlloyReport<'_>, answer: &AlloyAnswer) -> Option<CoreDoc> {
    let WhyNothing::Core(core) = &answer.why else {
        return None;
    };
    let source = report.command(answer);
    let parts = core.parts.iter().map(|part| {
        let place = report.sources.place(part.span);
        CorePartDoc {
            role: role_text(report.model, source, &part.role),
            path: report.sources.file(part.span.file).name().to_string(),
            line: place.line,
            column: place.column,
            text: report.on_one_line(part.span),
        }
    });
    Some(CoreDoc {
        minimal: core.minimal,
        parts: parts.collect(),
    })
}

fn instance(report: &AlloyReport<'_>, found: &AnswerInstance) -> InstanceDoc {
    let (model, scene) = (report.model, &found.scene);
    let atoms = scene.atoms.iter().filter_map(|atom| {
        let sig = atom.sig.filter(|sig| sig.index() >= AlloyModel::BUILT_IN)?;
        Some(AtomDoc {
            name: atom.name.clone(),
            signature: model.sigs[sig].label.clone(),
        })
    });
    let witnesses = scene.witnesses.iter().map(|witness| QuantifiedDoc {
        name: witness.name.clone(),
        variable: witness.variable.clone(),
        line: report.sources.place(witness.span).line,
        outer: witness.outer,
        rows: rows(scene, &witness.rows),
    });
    let values = found.values.iter().map(|value| ExpressionDoc {
        text: value.text.clone(),
        states: value
            .states
            .iter()
            .map(|value| valued(scene, value))
            .collect(),
    });
    InstanceDoc {
        atoms: atoms.collect(),
        states: scene
            .moments
            .iter()
            .map(|m| state(model, scene, m))
            .collect(),
        loop_start: scene.back,
        witnesses: witnesses.collect(),
        values: values.collect(),
    }
}

fn state(model: &AlloyModel, scene: &Scene, moment: &Moment) -> InstanceStateDoc {
    let names = |atoms: &[wherefore_relational::UniverseAtomId]| {
        let names = atoms.iter().map(|&atom| scene.name(atom).to_string());
        names.collect()
    };
    let sigs = model.declared();
    let fields = model.fields.entries().map(|(id, field)| {
        let owner = &model.sigs[field.sig].label;
        let name = format!("{owner}.{}", model.names.text(field.name));
        (name, rows(scene, &moment.fields[id]))
    });
    InstanceStateDoc {
        signatures: sigs
            .map(|(id, sig)| (sig.label.clone(), names(&moment.sigs[id])))
            .collect(),
        fields: fields.collect(),
    }
}

fn rows(scene: &Scene, rows: &[SceneRow]) -> RowsDoc {
    let row = |row: &SceneRow| {
        row.iter()
            .map(|&atom| scene.name(atom).to_string())
            .collect()
    };
    rows.iter().map(row).collect()
}

/// A value; nothing where the expression has none.
fn valued(scene: &Scene, value: &Result<ExpressionValue, String>) -> Option<RelationalValueDoc> {
    let value = value.as_ref().ok()?;
    Some(match value {
        ExpressionValue::Truth(truth) => RelationalValueDoc::Truth(*truth),
        ExpressionValue::Number(number) => RelationalValueDoc::Number((*number)?),
        ExpressionValue::Rows { rows, .. } => RelationalValueDoc::Rows(self::rows(scene, rows)),
    })
}
