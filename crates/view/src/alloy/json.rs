//! Commands of Alloy models in the JSON document.
//!
//! A command is a property: a run holds if it has an instance, a check if it has no counterexample. What
//! only commands have is in `command`.

use wherefore_alloy::answer::{Answer, Facts, Found, Others, Outcome, Value, Why};
use wherefore_alloy::reach::{About, Meaning, Significant, Way, Whole};
use wherefore_alloy::scene::{Moment, Row, Scene};
use wherefore_alloy::{Scopes, model::Model};
use wherefore_wire::{
    AtomDoc, CommandDoc, CoreDoc, CorePartDoc, ExcerptDoc, ExpressionDoc, FactsName, InstanceDoc,
    InstanceStateDoc, LanguageName, MeaningName, ModelDoc, NoteDoc, NoteName, OthersName,
    PropertyDoc, PropertyKindName, QuantifiedDoc, ReachDoc, ReachName, RelationalValueDoc,
    ResultName, RowsDoc, ScopeDoc, ScopeQuestionName, SignatureScopeDoc, StatsDoc, SystemReachDoc,
    SystemVerdictName, TreeDoc, TriedScopeDoc, VerdictName,
};

use super::Report;
use super::words::role_text;
use crate::json::{diagnostic, names};

/// The language of Alloy models in the document.
pub const LANGUAGE: &str = LanguageName::Alloy.name();

/// What is reported about an Alloy model.
pub fn model(report: &Report<'_>) -> ModelDoc {
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

fn advice_name(about: About) -> NoteName {
    match about {
        About::Initial => NoteName::AdviceInitial,
        About::Equality => NoteName::AdviceEquality,
        About::Operation => NoteName::AdviceOperation,
        About::Overlap => NoteName::AdviceOverlap,
        About::Cover => NoteName::AdviceCover,
        About::Constraint => NoteName::AdviceConstraint,
        About::Multiplicity => NoteName::AdviceMultiplicity,
        About::Total => NoteName::AdviceTotal,
    }
}

/// What is reported about a command.
pub fn property(report: &Report<'_>, answer: &Answer) -> PropertyDoc {
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
        Outcome::Refused(refused) => Some(refused.diagnostic.message.clone()),
        Outcome::Undecided { stop, .. } => Some(match stop {
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
        // The rest is that of the part of the system.
        ..shown.unwrap_or_default()
    }
}

/// What the verdict is about, and what is known of the complete system.
fn reach_of(answer: &Answer, alone: MeaningName) -> ReachDoc {
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
            Way::Command => ScopeQuestionName::Command,
            Way::DeadLoops => ScopeQuestionName::DeadLoops,
            Way::Run => ScopeQuestionName::Run,
            Way::Axioms => ScopeQuestionName::Axioms,
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
                Meaning::Holds(_) => SystemVerdictName::Holds,
                Meaning::HoldsSomewhere(_) => SystemVerdictName::HoldsSomewhere,
                Meaning::Fails(_) => SystemVerdictName::Fails,
                Meaning::Ambiguous | Meaning::ScopeOnly => SystemVerdictName::Unknown,
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

fn command(report: &Report<'_>, answer: &Answer) -> CommandDoc {
    let source = report.command(answer);
    let (found, others) = match &answer.outcome {
        Outcome::Found { found, others } => (
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
        Outcome::Refused(refused) => Some(diagnostic(report.sources, &refused.diagnostic)),
        _ => None,
    };
    let reached = match answer.outcome {
        Outcome::Undecided { reached, .. } => reached,
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

fn scope(model: &Model, scopes: &Scopes) -> ScopeDoc {
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

fn core(report: &Report<'_>, answer: &Answer) -> Option<CoreDoc> {
    let Why::Core(core) = &answer.why else {
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

fn instance(report: &Report<'_>, found: &Found) -> InstanceDoc {
    let (model, scene) = (report.model, &found.scene);
    let atoms = scene.atoms.iter().filter_map(|atom| {
        let sig = atom.sig.filter(|sig| sig.index() >= Model::BUILT_IN)?;
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

fn state(model: &Model, scene: &Scene, moment: &Moment) -> InstanceStateDoc {
    let names = |atoms: &[wherefore_relational::AtomId]| {
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

fn rows(scene: &Scene, rows: &[Row]) -> RowsDoc {
    let row = |row: &Row| {
        row.iter()
            .map(|&atom| scene.name(atom).to_string())
            .collect()
    };
    rows.iter().map(row).collect()
}

/// A value; nothing where the expression has none.
fn valued(scene: &Scene, value: &Result<Value, String>) -> Option<RelationalValueDoc> {
    let value = value.as_ref().ok()?;
    Some(match value {
        Value::Truth(truth) => RelationalValueDoc::Truth(*truth),
        Value::Number(number) => RelationalValueDoc::Number((*number)?),
        Value::Rows { rows, .. } => RelationalValueDoc::Rows(self::rows(scene, rows)),
    })
}
