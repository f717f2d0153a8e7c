//! The document that tools rely on: schema `wherefore/1`, published in `docs/schema.json`.
//!
//! The types here are the only ones that know JSON. Fields are added, never renamed; their order is
//! the order of this file.

mod abstracted;
mod certificate;
pub(crate) mod evidence;
mod runs;

use serde::Serialize;
use serde_json::{Map, Number, Value as Json};
use wherefore_base::{Diagnostic, Severity, SourceMap, Value};
use wherefore_evidence::{
    Choice, Finding, NoMore, Note, Quantity, UnknownReason, Vacuity, Verdict,
};
use wherefore_model::{Query, VarId};

use crate::Report;
use crate::phrases::{BY_FORM, note_text};
use crate::several::part_text;
use crate::words::sub_text;

pub use crate::debug::json::Analysis;
pub use abstracted::{Abstract, AbstractRun, Position, SetClaim};
pub use certificate::{
    Certificate, Claim as CertificateClaim, Endless, Given, Live, Set, TakenAway, Unfair,
};
pub(crate) use evidence::IN_PART;
pub use evidence::{
    Change, Edge, Evidence, Fair, Minimal, ProofNode, Region, Segment, State, SubFormula,
};
pub use runs::{Run, RunState, RunValue};

/// The name of the schema.
pub const SCHEMA: &str = "wherefore/1";

/// The whole document.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Document {
    pub schema: &'static str,
    pub tool: Tool,
    pub models: Vec<Model>,
}

/// Who wrote the document.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tool {
    pub name: &'static str,
    pub version: &'static str,
}

/// One model and its properties, in source order.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Model {
    pub path: String,
    pub language: &'static str,
    pub space: Option<Space>,
    /// Variables that the user did not declare; they are not shown on screens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Message>,
    pub properties: Vec<Property>,
    pub notes: Vec<Remark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// How large the system is. Counts above 2^53 are strings.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Space {
    pub engine: &'static str,
    pub states: Json,
    pub transitions: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetries: Option<usize>,
}

/// A message about the source of a model.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Message {
    pub severity: &'static str,
    pub message: String,
    pub path: Option<String>,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub help: Vec<String>,
}

/// How long it took.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Stats {
    pub seconds: f64,
}

/// A circumstance that changes what a verdict means.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Remark {
    pub kind: &'static str,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Json>>,
}

impl Remark {
    /// Advice on how a transition system is written.
    pub(crate) fn advice(about: &str, text: String) -> Self {
        let kind = match about {
            "initial" => "advice-initial",
            "equality" => "advice-equality",
            "operation" => "advice-operation",
            "overlap" => "advice-overlap",
            "cover" => "advice-cover",
            "constraint" => "advice-constraint",
            "multiplicity" => "advice-multiplicity",
            _ => "advice-total",
        };
        Self {
            kind,
            text,
            count: None,
            values: None,
        }
    }
}

/// What was found out about one property.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs)]
pub struct Property {
    pub name: String,
    pub text: String,
    /// The file it stands in, where that is not the file of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Absent (null) for a formula from the command line.
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub kind: &'static str,
    pub class: Option<&'static str>,
    pub verdict: &'static str,
    /// Why the verdict is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why a property holds in every model, where it does by its form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_form: Option<&'static str>,
    /// The sub-formula that never mattered.
    pub vacuous: Option<String>,
    /// For `compute`: a number of steps, `"infinite"` or `"undefined"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
    pub reach: Option<Reach>,
    pub evidence: Option<Evidence>,
    /// The runs that a solver found, where there is no evidence of which they are the whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
    /// All shortest evidence at once, if asked for.
    #[serde(rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub abstracted: Option<Abstract>,
    /// Further evidence: of the same with `--count`, of each part that fails with `--each`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Another>,
    /// Why there is not as much further evidence as was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_more: Option<&'static str>,
    /// The parts of a property that fails, if it has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// A run on which a property that holds matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Why a property holds, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// Where the runs of the evidence could still have kept the property.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Remark>,
    /// All counterexamples at once, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    /// For a command of an Alloy model: `sat` or `unsat`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
    /// What only a command of an Alloy model has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Box<crate::alloy::json::Command>>,
}

/// Further evidence.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Another {
    /// The part of the property that it is about: an index in `parts`. Absent: the whole property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<usize>,
    pub evidence: Evidence,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
}

/// A part of a property: a claim that can fail by itself.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Part {
    pub text: String,
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_more: Option<&'static str>,
}

/// What a run that refutes a claim about every path had to choose.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Decision {
    /// The claim: the number of a sub-formula.
    pub sub: usize,
    /// `lost`: with the step `from`, `to` the last chance went; `fated`: there was none at `from`;
    /// `free`: there is one to the end.
    pub choice: &'static str,
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// States that the step could have led to instead.
    pub instead: Vec<Map<String, Json>>,
    /// Whether there are more of them.
    pub more: bool,
    /// Who could have avoided it, where there is an environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avoidable: Option<Avoidable>,
}

/// Who could have avoided a decisive step.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Avoidable {
    /// What the environment could have chosen instead; null: nothing.
    pub environment: Option<OtherChoice>,
    /// Whether the system could have, with the same choice of the environment.
    pub system: bool,
}

/// Another choice of the environment.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct OtherChoice {
    /// The variables that it would have chosen differently.
    pub values: Map<String, Json>,
    /// Whether that keeps the chance whatever the system does.
    pub sure: bool,
}

/// A run on which a property that holds matters: it would fail there if a part of it had another truth.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Witness {
    /// The part.
    pub replaced: String,
    /// The number of the part among the sub-formulas.
    pub sub: usize,
    /// The truth it is taken to have.
    pub by: bool,
    /// Why the property would fail; its sub-formulas are those with the part replaced.
    pub evidence: Evidence,
}

/// What the verdict is about.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Reach {
    pub kind: &'static str,
    pub meaning: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub of_system: Option<Box<OfSystem>>,
}

/// What the answer to a command of an Alloy model means for the complete transition system.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct OfSystem {
    /// `holds`, `holds-somewhere`, `fails` or `unknown`.
    pub system: &'static str,
    pub class: Option<&'static str>,
    /// How many states can be reached, where all were looked at.
    pub states: Option<String>,
    pub scopes: Vec<TriedScope>,
    /// The fewest states with which every operation happens and every state can be reached.
    pub significant: Option<i32>,
}

/// A scope of states that was tried.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct TriedScope {
    pub states: i32,
    pub exactly: bool,
    /// `command`, `dead-loops`, `run` or `axioms`.
    pub asked: &'static str,
    /// Whether there is an instance; null when that took too long.
    pub found: Option<bool>,
}

impl Document {
    /// A document about these models.
    pub fn new(models: Vec<Model>) -> Self {
        let tool = Tool {
            name: "wherefore",
            version: env!("CARGO_PKG_VERSION"),
        };
        Self {
            schema: SCHEMA,
            tool,
            models,
        }
    }

    /// The document as text, with a line break at its end.
    pub fn render(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        let mut text = text.expect("the document has string keys and finite numbers only");
        text.push('\n');
        text
    }
}

impl Model {
    /// What is reported about a model.
    pub fn new(report: &Report<'_>) -> Self {
        let space = report.space.map(|space| Space {
            engine: space.engine,
            states: number(&space.states.to_string()),
            transitions: space.transitions.map(|n| number(&n.to_string())),
            symmetries: (space.symmetries > 0).then_some(space.symmetries),
        });
        let notes = report.space.iter().flat_map(|space| &space.notes);
        Self {
            path: report.path().to_string(),
            language: report.language,
            space,
            hidden: hidden(report),
            diagnostics: Vec::new(),
            properties: report
                .findings
                .iter()
                .map(|finding| property(report, finding))
                .collect(),
            notes: notes.map(|note| remark(report, note)).collect(),
            stats: report.seconds.map(|seconds| Stats { seconds }),
        }
    }

    /// A model that cannot be used, and why.
    pub fn rejected(
        path: &str,
        language: &'static str,
        sources: &SourceMap,
        diagnostics: &[Diagnostic],
    ) -> Self {
        Self::empty(path, language).with_diagnostics(sources, diagnostics)
    }

    /// A file that cannot be read, and why.
    pub fn unreadable(path: &str, language: &'static str, why: &str) -> Self {
        let mut model = Self::empty(path, language);
        model.diagnostics.push(Message {
            severity: "error",
            message: why.to_string(),
            path: Some(path.to_string()),
            line: None,
            column: None,
            help: Vec::new(),
        });
        model
    }

    /// The same with messages about its source.
    #[must_use]
    pub fn with_diagnostics(mut self, sources: &SourceMap, diagnostics: &[Diagnostic]) -> Self {
        self.diagnostics.extend(
            diagnostics
                .iter()
                .map(|diagnostic| message(sources, diagnostic)),
        );
        self
    }

    fn empty(path: &str, language: &'static str) -> Self {
        Self {
            path: path.to_string(),
            language,
            space: None,
            hidden: Vec::new(),
            diagnostics: Vec::new(),
            properties: Vec::new(),
            notes: Vec::new(),
            stats: None,
        }
    }
}

pub(crate) fn message(sources: &SourceMap, diagnostic: &Diagnostic) -> Message {
    let span = diagnostic.span();
    let place = span.map(|span| sources.place(span));
    Message {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: diagnostic.message.clone(),
        path: span.map(|span| sources.file(span.file).name().to_string()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        help: diagnostic.help.clone(),
    }
}

pub(crate) fn property(report: &Report<'_>, finding: &Finding) -> Property {
    let property = report.property(finding);
    let place = (property.span.file == report.file).then(|| report.sources.place(property.span));
    let (verdict, reason) = match &finding.verdict {
        Verdict::Holds => ("holds", None),
        Verdict::Fails => ("fails", None),
        Verdict::Unknown(UnknownReason::Stopped(stop)) => ("unknown", Some(stop.to_string())),
        Verdict::Unknown(UnknownReason::Unsupported(why)) => ("unknown", Some(why.clone())),
    };
    let query = property.body.query();
    let vacuous = match (&finding.vacuity, query) {
        (Vacuity::Vacuous { sub }, Some(query)) => Some(sub_text(report, query, *sub)),
        _ => None,
    };
    let evidence = finding.evidence.as_ref();
    let witness = finding.witness.as_ref();
    let reach = matches!(finding.verdict, Verdict::Holds | Verdict::Fails).then_some(Reach {
        kind: "complete",
        meaning: "real",
        of_system: None,
    });
    Property {
        name: property.name.clone(),
        text: property.text.clone(),
        path: None,
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        kind: property.kind.name(),
        class: finding.class.map(|class| class.name()),
        verdict,
        reason,
        by_form: finding.by_form.then_some(BY_FORM),
        vacuous,
        value: finding.quantity.map(|quantity| match quantity {
            Quantity::Steps(steps) => Json::Number(Number::from(steps)),
            Quantity::Infinite => Json::String("infinite".to_string()),
            Quantity::Undefined => Json::String("undefined".to_string()),
        }),
        reach,
        runs: Vec::new(),
        evidence: query.zip(evidence).map(|(query, e)| Evidence {
            strategy: report.strategy.to_vec(),
            ..Evidence::new(report, query, e)
        }),
        abstracted: query
            .zip(finding.abstraction.as_ref())
            .map(|(query, abstracted)| Abstract::new(report, query, abstracted)),
        more: query.map_or(vec![], |query| further(report, query, finding)),
        no_more: finding.more.end.map(no_more),
        parts: (finding.more.parts.iter())
            .map(|part| Part {
                text: part_text(report, &part.query),
                verdict: if part.fails { "fails" } else { "holds" },
                no_more: part.end.map(no_more),
            })
            .collect(),
        witness: query.zip(witness).map(|(query, w)| Witness {
            replaced: sub_text(report, query, w.replaced),
            sub: w.replaced.index(),
            by: w.by,
            evidence: Evidence::new(report, &w.query, &w.evidence),
        }),
        certificate: (finding.certificate.as_ref())
            .map(|certified| Certificate::new(report, query, certified)),
        decisions: finding
            .decisions
            .iter()
            .map(|d| decision(report, d))
            .collect(),
        notes: finding
            .notes
            .iter()
            .map(|note| remark(report, note))
            .collect(),
        analysis: None,
        result: None,
        command: None,
    }
}

fn further(report: &Report<'_>, query: &Query, finding: &Finding) -> Vec<Another> {
    let another = |part, query, another: &wherefore_evidence::Another| Another {
        part,
        evidence: Evidence::new(report, query, &another.evidence),
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

fn no_more(end: NoMore) -> &'static str {
    match end {
        NoMore::AllFound => "all-found",
        NoMore::NotWithinSearch => "search-limit",
        NoMore::Stopped => "stopped",
        NoMore::NoMainRun => "no-main-run",
    }
}

fn decision(report: &Report<'_>, decision: &wherefore_evidence::Decision) -> Decision {
    let mut avoidable = None;
    let (choice, from, to, others, more) = match &decision.choice {
        Choice::Fated(at) => ("fated", Some(*at), None, &[][..], false),
        Choice::StillFree => ("free", None, None, &[][..], false),
        Choice::Lost {
            from,
            to,
            instead,
            more,
            avoidable: who,
        } => {
            avoidable = who.as_ref().map(|who| self::avoidable(report, who));
            ("lost", Some(*from), Some(*to), &instead[..], *more)
        }
    };
    Decision {
        sub: decision.sub.index(),
        choice,
        from: from.map(|at| at.index()),
        to: to.map(|at| at.index()),
        instead: others.iter().map(|values| state(report, values)).collect(),
        more,
        avoidable,
    }
}

fn avoidable(report: &Report<'_>, avoidance: &wherefore_evidence::Avoidance) -> Avoidable {
    let choice = avoidance.environment.as_ref().map(|choice| {
        let values = choice.values.iter();
        let named = |&(var, v): &(VarId, Value)| {
            let name = report.model.vars[var].name.clone();
            (name, value(report, v))
        };
        OtherChoice {
            values: values.map(named).collect(),
            sure: choice.sure,
        }
    });
    Avoidable {
        environment: choice,
        system: avoidance.system,
    }
}

fn remark(report: &Report<'_>, note: &Note) -> Remark {
    let (kind, count, values) = match note {
        Note::NoInitialState => ("no-initial-state", None, None),
        Note::NoFairState => ("no-fair-state", None, None),
        Note::UnfairInitialStates(count, least) => {
            ("unfair-initial-states", Some(count), Some(least))
        }
        Note::Unavailable(_) => ("unavailable-options", None, None),
        Note::Said(_) => ("said", None, None),
        Note::Deadlocks { count, nearest, .. } => ("deadlocks", Some(count), Some(nearest)),
    };
    Remark {
        kind,
        text: note_text(report, note).to_string(),
        count: count.map(|count| number(&count.to_string())),
        values: values.map(|values| state(report, values)),
    }
}

/// The values of a state by the names of its variables.
pub(crate) fn state(report: &Report<'_>, values: &[Value]) -> Map<String, Json> {
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
pub(crate) fn inputs(report: &Report<'_>, values: &[Value]) -> Map<String, Json> {
    let inputs = report.inputs(values);
    inputs
        .map(|(var, v)| (report.model.vars[var].name.clone(), value(report, v)))
        .collect()
}

/// A value; integers beyond 2^53 as `{"#bigint": "..."}`, since many readers have no others.
pub(crate) fn value(report: &Report<'_>, value: Value) -> Json {
    match value {
        Value::Bool(truth) => Json::Bool(truth),
        Value::Int(n) if n.unsigned_abs() <= SAFE => Json::Number(Number::from(n)),
        Value::Int(n) => Json::Object(Map::from_iter([(
            "#bigint".to_string(),
            Json::String(n.to_string()),
        )])),
        Value::Symbol(symbol) => Json::String(report.model.names.text(symbol).to_string()),
        Value::Word(word) => Json::String(word.to_string()),
    }
}

/// The greatest integer up to which all integers are doubles.
const SAFE: u64 = 1 << 53;

/// A count in decimal digits: a number where every reader can hold it, otherwise a string.
pub(crate) fn number(digits: &str) -> Json {
    match digits.parse::<u64>() {
        Ok(n) if n <= SAFE => Json::Number(Number::from(n)),
        _ => Json::String(digits.to_string()),
    }
}
