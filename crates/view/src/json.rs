//! The document that tools rely on: schema `wherefore/1`, published in `docs/schema.json`.
//!
//! Its types are those of [`wherefore_wire`]; here they are made from findings.

mod abstracted;
mod blame;
mod certificate;
pub(crate) mod evidence;
pub(crate) mod names;
mod why;

pub(crate) use blame::{search as blame_search, suspect_doc};
use num_bigint::BigUint;
use wherefore_base::{Diagnostic, Severity, SourceMap, Value};
use wherefore_evidence::{
    Avoidance, Decision, DecisiveChoice, Finding, FurtherEvidence, Note, Quantity, SpaceSummary,
    UnknownReason, Vacuity, Verdict, WishOutcome,
};
use wherefore_model::{Property, PropertyBody, PropertyKind, Query, VarId};
use wherefore_wire::{
    AvoidableDoc, CountDoc, DecisionDoc, DecisionName, DiagnosticDoc, EvidenceDoc, FromDoc,
    ModelDoc, MoreDoc, NoteDoc, NoteName, OtherChoiceDoc, PartDoc, PathsName, PropertyDoc,
    QuantityDoc, QuantityName, ReachDoc, SeverityName, SpaceDoc, StatsDoc, ValueDoc, ValuesDoc,
    VerdictName, WishDoc, WitnessDoc,
};

use crate::Report;
use crate::nothing::of_nothing_text;
use crate::phrases::{BY_FORM, checked_note};
use crate::report::StartStates;
use crate::sentences::starts::start_text;
use crate::several::part_text;
use crate::words::sub_text;

pub use names::verdict_name;

/// What is reported about a model.
pub fn model(report: &Report<'_>) -> ModelDoc {
    let notes = report.space.iter().flat_map(|space| &space.notes);
    let findings = report.findings.iter();
    ModelDoc {
        space: report.space.map(space),
        from: report.from.map(from),
        hidden: hidden(report),
        properties: findings.map(|finding| property(report, finding)).collect(),
        notes: notes.map(|note| remark(report, None, note)).collect(),
        stats: report.seconds.map(|seconds| StatsDoc { seconds }),
        ..ModelDoc::unread(report.path(), report.language)
    }
}

/// A model that cannot be used, and why.
pub fn rejected(path: &str, language: &str, sources: &SourceMap, wrong: &[Diagnostic]) -> ModelDoc {
    ModelDoc::unread(path, language).with_diagnostics(diagnostics(sources, wrong))
}

/// Messages about sources.
pub fn diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<DiagnosticDoc> {
    let messages = diagnostics.iter();
    messages
        .map(|message| diagnostic(sources, message))
        .collect()
}

pub(crate) fn diagnostic(sources: &SourceMap, diagnostic: &Diagnostic) -> DiagnosticDoc {
    let span = diagnostic.span();
    let place = span.map(|span| sources.place(span));
    DiagnosticDoc {
        severity: match diagnostic.severity {
            Severity::Error => SeverityName::Error,
            Severity::Warning => SeverityName::Warning,
        },
        message: diagnostic.message.clone(),
        path: span.map(|span| sources.file(span.file).name().to_string()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        help: diagnostic.help.clone(),
    }
}

/// How large a space is.
pub(crate) fn space(space: &SpaceSummary) -> SpaceDoc {
    SpaceDoc {
        engine: names::engine(space.engine),
        states: CountDoc::of(&space.states.to_string()),
        transitions: space.transitions.map(|n| CountDoc::of(&n.to_string())),
        symmetries: (space.symmetries > 0).then_some(space.symmetries),
    }
}

/// From which states properties are asked.
pub(crate) fn from(starts: &StartStates) -> FromDoc {
    let count = |n: &BigUint| CountDoc::of(&n.to_string());
    FromDoc {
        condition: starts.text.clone(),
        reachable: count(&starts.reachable),
        unreachable: starts.unreachable.as_ref().map(count),
        only_reachable: starts.only_reachable,
        text: start_text(starts).to_string(),
    }
}

/// Why a verdict is unknown.
pub(crate) fn unknown_reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Holds | Verdict::Fails => None,
        Verdict::Unknown(UnknownReason::Stopped(stop)) => Some(stop.to_string()),
        Verdict::Unknown(UnknownReason::Unsupported(why)) => Some(why.clone()),
    }
}

/// What was found out about a property.
pub fn property(report: &Report<'_>, finding: &Finding) -> PropertyDoc {
    let property = report.property(finding);
    let place = (property.span.file == report.file).then(|| report.sources.place(property.span));
    let query = property.body.query();
    let vacuous = match (&finding.vacuity, query) {
        (Vacuity::Vacuous { sub }, Some(query)) => Some(sub_text(report, query, *sub)),
        _ => None,
    };
    let evidence = finding.evidence.as_ref();
    let witness = finding.witness.as_ref();
    let decided = matches!(finding.verdict, Verdict::Holds | Verdict::Fails);
    PropertyDoc {
        name: property.name.clone(),
        text: property.text.clone(),
        path: None,
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        kind: names::property_kind(property.kind),
        class: finding.class.map(names::class),
        verdict: verdict_name(&finding.verdict),
        reason: unknown_reason(&finding.verdict),
        by_form: finding.by_form.then(|| BY_FORM.to_string()),
        vacuous,
        of_nothing: of_nothing_text(report, finding).map(|why| why.to_string()),
        paths: chosen_paths(report, property),
        value: finding.quantity.map(|quantity| match quantity {
            Quantity::Steps(steps) => QuantityDoc::Steps(steps),
            Quantity::Infinite => QuantityDoc::None(QuantityName::Infinite),
            Quantity::Undefined => QuantityDoc::None(QuantityName::Undefined),
        }),
        reach: decided.then(ReachDoc::complete),
        runs: Vec::new(),
        evidence: query.zip(evidence).map(|(query, e)| EvidenceDoc {
            strategy: report.strategy.to_vec(),
            ..evidence::evidence(report, query, e)
        }),
        abstracted: query
            .zip(finding.abstraction.as_ref())
            .map(|(query, abstracted)| abstracted::abstracted(report, query, abstracted)),
        more: query.map_or(vec![], |query| further(report, query, finding)),
        no_more: finding.more.end.map(names::no_more),
        parts: (finding.more.parts.iter())
            .map(|part| PartDoc {
                text: part_text(report, &part.query),
                verdict: match part.fails {
                    true => VerdictName::Fails,
                    false => VerdictName::Holds,
                },
                no_more: part.end.map(names::no_more),
            })
            .collect(),
        witness: query.zip(witness).map(|(query, w)| WitnessDoc {
            replaced: sub_text(report, query, w.replaced),
            sub: Some(w.replaced.index()),
            by: w.by,
            evidence: evidence::evidence(report, &w.query, &w.evidence),
        }),
        certificate: (finding.certificate.as_ref())
            .map(|certified| certificate::certificate(report, query, certified)),
        why: why::why(report, finding),
        decisions: finding
            .decisions
            .iter()
            .map(|d| decision(report, d))
            .collect(),
        blame: blame::blame(report, finding),
        slice: blame::slice(report, finding),
        blame_search: (finding.blame.as_ref()).map(|found| blame_search(report.sources, found)),
        wishes: finding.wishes.iter().map(wish).collect(),
        notes: finding
            .notes
            .iter()
            .map(|note| remark(report, query, note))
            .collect(),
        analysis: None,
        result: None,
        command: None,
    }
}

/// What became of a wish.
pub(crate) fn wish(outcome: &WishOutcome) -> WishDoc {
    WishDoc {
        wish: outcome.name.clone(),
        met: outcome.is_met(),
        idle: outcome.idle,
        turn: outcome.turn,
        way: outcome.way,
        best: names::wish_best(outcome.best),
    }
}

/// The path rule that the user chose for a property, if that means anything for it.
fn chosen_paths(report: &Report<'_>, property: &Property) -> Option<PathsName> {
    let of_paths = property.kind != PropertyKind::Invar;
    let query = matches!(property.body, PropertyBody::Query(_)) && of_paths;
    report.paths.filter(|_| query).map(names::paths)
}

fn further(report: &Report<'_>, query: &Query, finding: &Finding) -> Vec<MoreDoc> {
    let another = |part, query, another: &FurtherEvidence| MoreDoc {
        part,
        evidence: evidence::evidence(report, query, &another.evidence),
        decisions: (another.decisions.iter())
            .map(|d| decision(report, d))
            .collect(),
    };
    let others = finding.more.others.iter().map(|e| another(None, query, e));
    let parts = finding.more.parts.iter().enumerate();
    let parts = parts.flat_map(|(at, part)| {
        let evidence = part.evidence.iter();
        evidence.map(move |e| another(Some(at), &part.query, e))
    });
    others.chain(parts).collect()
}

fn decision(report: &Report<'_>, decision: &Decision) -> DecisionDoc {
    let (mut avoidable, mut condition) = (None, None);
    let (choice, from, to, others, more) = match &decision.choice {
        DecisiveChoice::Fated(at) => (DecisionName::Fated, Some(*at), None, &[][..], false),
        DecisiveChoice::StillFree { exit } => {
            condition = exit.as_ref().map(|exit| report.condition(exit));
            (DecisionName::Free, None, None, &[][..], false)
        }
        DecisiveChoice::Lost {
            from,
            to,
            instead,
            more,
            condition: separating,
            avoidable: who,
        } => {
            let cubes = separating.iter().flat_map(|cover| &cover.cubes);
            let cubes: Vec<String> = cubes.map(|cube| report.condition(cube)).collect();
            condition = (!cubes.is_empty()).then(|| cubes.join(" | "));
            avoidable = who.as_ref().map(|who| self::avoidable(report, who));
            (
                DecisionName::Lost,
                Some(*from),
                Some(*to),
                &instead[..],
                *more,
            )
        }
    };
    DecisionDoc {
        sub: decision.sub.index(),
        choice,
        from: from.map(|at| at.index()),
        to: to.map(|at| at.index()),
        instead: others.iter().map(|values| state(report, values)).collect(),
        more,
        condition,
        avoidable,
    }
}

fn avoidable(report: &Report<'_>, avoidance: &Avoidance) -> AvoidableDoc {
    let choice = avoidance.environment.as_ref().map(|choice| {
        let values = choice.values.iter();
        let named = |&(var, v): &(VarId, Value)| {
            let name = report.model.vars[var].name.clone();
            (name, value(report, v))
        };
        OtherChoiceDoc {
            values: values.map(named).collect(),
            sure: choice.sure,
        }
    });
    AvoidableDoc {
        environment: choice,
        system: avoidance.system,
    }
}

fn remark(report: &Report<'_>, query: Option<&Query>, note: &Note) -> NoteDoc {
    let (kind, count, values) = match note {
        Note::NoInitialState => (NoteName::NoInitialState, None, None),
        Note::NoFairState(_) => (NoteName::NoFairState, None, None),
        Note::DeadlocksMatter(_) => (NoteName::DeadlocksMatter, None, None),
        Note::UnfairInitialStates(count, least) => {
            (NoteName::UnfairInitialStates, Some(count), Some(least))
        }
        Note::Unavailable { .. } => (NoteName::UnavailableOptions, None, None),
        Note::Said(_) => (NoteName::Said, None, None),
        Note::Deadlocks { count, nearest, .. } => (NoteName::Deadlocks, Some(count), Some(nearest)),
    };
    NoteDoc {
        kind,
        text: checked_note(report, query, note).to_string(),
        count: count.map(|count| CountDoc::of(&count.to_string())),
        values: values.map(|values| state(report, values)),
    }
}

/// The values of a state by the names of its variables.
pub(crate) fn state(report: &Report<'_>, values: &[Value]) -> ValuesDoc {
    let vars = report.state_vars().zip(values);
    vars.map(|(var, &v)| (report.model.vars[var].name.clone(), value(report, v)))
        .collect()
}

/// The names of the variables that the user did not declare.
pub(crate) fn hidden(report: &Report<'_>) -> Vec<String> {
    let vars = report.model.vars.iter().filter(|var| !var.is_declared());
    vars.map(|var| var.name.clone()).collect()
}

/// The values of inputs by their names.
pub(crate) fn inputs(report: &Report<'_>, values: &[Value]) -> ValuesDoc {
    let inputs = report.inputs(values);
    inputs
        .map(|(var, v)| (report.model.vars[var].name.clone(), value(report, v)))
        .collect()
}

/// A value.
pub(crate) fn value(report: &Report<'_>, value: Value) -> ValueDoc {
    match value {
        Value::Bool(truth) => ValueDoc::Bool(truth),
        Value::Int(n) => ValueDoc::int(n),
        Value::Symbol(symbol) => ValueDoc::Text(report.model.names.text(symbol).to_string()),
        Value::Word(word) => ValueDoc::Text(word.to_string()),
    }
}
