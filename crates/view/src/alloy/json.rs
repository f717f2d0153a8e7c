//! Commands of Alloy models in the JSON document.
//!
//! A command is a property: a run holds if it has an instance, a check if it has no counterexample. What
//! only commands have is in `command`.

use std::collections::BTreeMap;

use serde::Serialize;
use wherefore_alloy::answer::{Answer, Facts, Found, Others, Outcome, Value as Valued, Why};
use wherefore_alloy::reach::{Meaning, Significant, Whole};
use wherefore_alloy::scene::{Moment, Row, Scene};
use wherefore_alloy::{Scopes, model::Model as Source};

use super::Report;
use super::words::role_text;
use crate::json::{Message, Model, OfSystem, Property, Reach, Remark, Stats, TriedScope, message};
use crate::sentences::reach::way_name;

/// The language of Alloy models in the document.
pub const LANGUAGE: &str = "alloy";

/// What only a command has.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Command {
    /// From 1.
    pub number: usize,
    /// The number after `expect`.
    pub expect: Option<i32>,
    pub as_expected: Option<bool>,
    pub scope: Option<Scope>,
    /// `consistent`, `inconsistent` or `unknown`.
    pub facts: &'static str,
    pub instances: Vec<Instance>,
    /// Whether there are more instances than these: `none`, `unknown` or `stopped`.
    pub others: Option<&'static str>,
    pub core: Option<Core>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Message>,
    /// The part of a transition system that the evidence is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// No trace has so few states or fewer, where the search was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<usize>,
}

/// The part of a transition system that shows an answer.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Excerpt {
    /// `path`, `lasso`, `part` or `whole`.
    pub form: &'static str,
    /// Whether its states and steps alone say what happens; null for a whole system.
    pub determined: Option<bool>,
    pub states: usize,
    pub steps: usize,
    /// What it is, in sentences.
    pub text: Vec<String>,
    /// Two trees that use exactly these steps, where the states and steps do not say what happens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<Tree>,
}

/// A finite tree of states, by the numbers of states of the evidence.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tree {
    /// On one line, as `0 → 1 → (0 | 2)`.
    pub text: String,
    /// Whether it shows the answer.
    pub shows: bool,
}

/// The scope of a command.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Scope {
    /// The bits of an integer.
    pub bits: u32,
    pub sequence: i32,
    /// The least and the most states of a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<(i32, Option<i32>)>,
    pub signatures: Vec<SigScope>,
}

/// The scope of a signature.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct SigScope {
    pub name: String,
    pub most: i32,
    pub exactly: bool,
}

/// An instance, or a trace.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Instance {
    pub atoms: Vec<Atom>,
    pub states: Vec<State>,
    /// The index of the state after the last one; null where nothing changes.
    #[serde(rename = "loop")]
    pub loop_start: Option<usize>,
    pub witnesses: Vec<Witness>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
}

/// An atom of an instance.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Atom {
    pub name: String,
    pub signature: String,
}

/// A state: the values of signatures and fields.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct State {
    pub signatures: BTreeMap<String, Vec<String>>,
    /// By signature and field, as `Book.addr`; rows begin with the atom of the signature.
    pub fields: BTreeMap<String, Vec<Vec<String>>>,
}

/// The value of a quantified variable.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Witness {
    /// As Alloy calls it: `$show_b`.
    pub name: String,
    /// As it is written.
    pub variable: String,
    pub line: usize,
    /// How many columns are those of variables it depends on.
    pub outer: usize,
    pub rows: Vec<Vec<String>>,
}

/// The values of an expression, state by state: rows, a truth value, a number, or null.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Value {
    pub text: String,
    pub states: Vec<serde_json::Value>,
}

/// Parts of the model that cannot hold together.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Core {
    /// Whether each part is needed.
    pub minimal: bool,
    pub parts: Vec<Part>,
}

/// A part of the model.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Part {
    pub role: String,
    pub path: String,
    pub line: usize,
    pub column: usize,
    pub text: String,
}

/// What is reported about an Alloy model.
pub fn model(report: &Report<'_>) -> Model {
    let answers = report.answers.iter();
    Model {
        path: report.path.to_string(),
        language: LANGUAGE,
        space: None,
        diagnostics: Vec::new(),
        properties: answers.map(|answer| property(report, answer)).collect(),
        notes: report
            .advice
            .unwrap_or_default()
            .iter()
            .map(|advice| {
                Remark::advice(advice.about.name(), report.advice_text(advice).to_string())
            })
            .collect(),
        hidden: Vec::new(),
        stats: report.seconds.map(|seconds| Stats { seconds }),
    }
}

/// What is reported about a command.
pub fn property(report: &Report<'_>, answer: &Answer) -> Property {
    let source = report.command(answer);
    let place = report.sources.place(source.span);
    let text = report.on_one_line(source.span);
    let (verdict, meaning) = match (answer.holds(source), answer.satisfiable()) {
        (Some(holds), found) => (
            if holds { "holds" } else { "fails" },
            // What is found is there whatever the scope; what is not found may be beyond it.
            Some(if found == Some(true) {
                "real"
            } else {
                "ambiguous"
            }),
        ),
        _ => ("unknown", None),
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
    Property {
        name: source.label.clone(),
        line: (!text.is_empty()).then_some(place.line),
        column: (!text.is_empty()).then_some(place.column),
        text,
        kind: if source.check { "check" } else { "run" },
        verdict,
        reason,
        vacuous: answer.is_vacuous(source).then(|| source.label.clone()),
        reach: (meaning.is_some() || answer.reach.is_some())
            .then(|| reach_of(answer, meaning.unwrap_or("ambiguous"))),
        result: answer
            .satisfiable()
            .map(|found| if found { "sat" } else { "unsat" }),
        command: Some(Box::new(command(report, answer))),
        // The rest is that of the part of the system.
        ..shown.unwrap_or_default()
    }
}

/// What the verdict is about, and what is known of the complete system.
fn reach_of(answer: &Answer, alone: &'static str) -> Reach {
    let Some(known) = &answer.reach else {
        return Reach {
            kind: "scope",
            meaning: alone,
            of_system: None,
        };
    };
    let tried = known.tried.iter().map(|tried| TriedScope {
        states: tried.states,
        exactly: tried.exactly,
        asked: way_name(tried.way),
        found: tried.found,
    });
    Reach {
        kind: match known.whole {
            Whole::Known { .. } => "complete",
            _ => "scope",
        },
        meaning: if known.is_real() { "real" } else { "ambiguous" },
        of_system: Some(Box::new(OfSystem {
            system: match known.meaning {
                Meaning::Holds(_) => "holds",
                Meaning::HoldsSomewhere(_) => "holds-somewhere",
                Meaning::Fails(_) => "fails",
                Meaning::Ambiguous | Meaning::ScopeOnly => "unknown",
            },
            class: known.class.map(|class| class.name()),
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

fn command(report: &Report<'_>, answer: &Answer) -> Command {
    let source = report.command(answer);
    let (found, others) = match &answer.outcome {
        Outcome::Found { found, others } => (
            &found[..],
            Some(match others {
                Others::None => "none",
                Others::Unknown => "unknown",
                Others::Stopped(_) => "stopped",
            }),
        ),
        _ => (&[][..], None),
    };
    let error = match &answer.outcome {
        Outcome::Refused(refused) => Some(message(report.sources, &refused.diagnostic)),
        _ => None,
    };
    let reached = match answer.outcome {
        Outcome::Undecided { reached, .. } => reached,
        _ => None,
    };
    Command {
        number: answer.command + 1,
        expect: source.expect,
        as_expected: answer.as_expected(source),
        scope: answer
            .scopes
            .as_ref()
            .map(|scopes| scope(report.model, scopes)),
        facts: match answer.facts {
            Facts::Consistent => "consistent",
            Facts::Inconsistent => "inconsistent",
            Facts::Unknown => "unknown",
        },
        instances: found.iter().map(|found| instance(report, found)).collect(),
        others,
        core: core(report, answer),
        error,
        excerpt: report.excerpt(answer).map(|part| Excerpt {
            form: part.form,
            determined: part.determined,
            states: part.states,
            steps: part.steps,
            text: part.sentences.clone(),
            trees: (part.trees.iter().cloned())
                .map(|(text, shows)| Tree { text, shows })
                .collect(),
        }),
        reached,
    }
}

fn scope(model: &Source, scopes: &Scopes) -> Scope {
    let sigs = model.declared().filter(|(_, sig)| sig.extends().is_some());
    let signatures = sigs.map(|(id, sig)| SigScope {
        name: sig.label.clone(),
        most: scopes.most[id.index()],
        exactly: scopes.exact[id.index()],
    });
    Scope {
        bits: scopes.bits,
        sequence: scopes.sequence,
        steps: scopes.steps,
        signatures: signatures.collect(),
    }
}

fn core(report: &Report<'_>, answer: &Answer) -> Option<Core> {
    let Why::Core(core) = &answer.why else {
        return None;
    };
    let source = report.command(answer);
    let parts = core.parts.iter().map(|part| {
        let place = report.sources.place(part.span);
        Part {
            role: role_text(report.model, source, &part.role),
            path: report.sources.file(part.span.file).name().to_string(),
            line: place.line,
            column: place.column,
            text: report.on_one_line(part.span),
        }
    });
    Some(Core {
        minimal: core.minimal,
        parts: parts.collect(),
    })
}

fn instance(report: &Report<'_>, found: &Found) -> Instance {
    let (model, scene) = (report.model, &found.scene);
    let atoms = scene.atoms.iter().filter_map(|atom| {
        let sig = atom.sig.filter(|sig| sig.index() >= Source::BUILT_IN)?;
        Some(Atom {
            name: atom.name.clone(),
            signature: model.sigs[sig].label.clone(),
        })
    });
    let witnesses = scene.witnesses.iter().map(|witness| Witness {
        name: witness.name.clone(),
        variable: witness.variable.clone(),
        line: report.sources.place(witness.span).line,
        outer: witness.outer,
        rows: rows(scene, &witness.rows),
    });
    let values = found.values.iter().map(|value| Value {
        text: value.text.clone(),
        states: value
            .states
            .iter()
            .map(|value| valued(scene, value))
            .collect(),
    });
    Instance {
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

fn state(model: &Source, scene: &Scene, moment: &Moment) -> State {
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
    State {
        signatures: sigs
            .map(|(id, sig)| (sig.label.clone(), names(&moment.sigs[id])))
            .collect(),
        fields: fields.collect(),
    }
}

fn rows(scene: &Scene, rows: &[Row]) -> Vec<Vec<String>> {
    let row = |row: &Row| {
        row.iter()
            .map(|&atom| scene.name(atom).to_string())
            .collect()
    };
    rows.iter().map(row).collect()
}

fn valued(scene: &Scene, value: &Result<Valued, String>) -> serde_json::Value {
    match value {
        Ok(Valued::Truth(truth)) => (*truth).into(),
        Ok(Valued::Number(number)) => (*number).into(),
        Ok(Valued::Rows { rows, .. }) => self::rows(scene, rows).into(),
        Err(_) => serde_json::Value::Null,
    }
}
