//! What became of saved evidence: it still runs and shows what it showed, or where it dies and why.
//!
//! A [`Fate`] is the same for people and programs: a kind, a place, and a sentence.

use wherefore_base::{Span, Stop, Value};
use wherefore_evidence::certificate;
use wherefore_evidence::{BrokenConstraint, CauseKind, Claim, Death, Evidence, Flaw, Rule, cause};
use wherefore_model::{Model, Query, Requirement, Step, VarId};
use wherefore_wire::{FateDoc, FateName};

use crate::Report;
use crate::certificate::refusal;
use crate::explore::Style;
use crate::layout::{Ink, TextLines, VariableRole};
use crate::read::{Datum, DocumentMisfit, SavedTrace, Valuation};
use crate::words::{Telling, clean, count};

/// What became of a saved run or evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fate {
    /// What became of it.
    pub kind: FateName,
    /// The step where it dies or where a claim fails.
    pub step: Option<usize>,
    /// The line of the model that forbids it.
    pub line: Option<usize>,
    /// The whole thing as a sentence without its end.
    pub text: String,
    /// What was possible instead, nearest first.
    pub instead: Vec<String>,
}

impl Fate {
    fn plain(kind: FateName, text: impl Into<String>) -> Self {
        Self {
            kind,
            step: None,
            line: None,
            text: text.into(),
            instead: Vec::new(),
        }
    }

    /// The fate in a document.
    pub(crate) fn doc(&self) -> FateDoc {
        FateDoc {
            kind: self.kind,
            step: self.step,
            line: self.line,
            text: self.text.clone(),
            instead: self.instead.clone(),
        }
    }

    /// Whether it is as good as it was.
    pub fn is_good(&self) -> bool {
        matches!(self.kind, FateName::Runs | FateName::Shows)
    }

    /// A run of the model.
    pub fn runs(steps: usize, loops: bool) -> Self {
        let steps = count(steps, "step");
        let ending = if loops {
            ", the last one back to the loop"
        } else {
            ""
        };
        Self::plain(FateName::Runs, format!("runs: {steps}{ending}"))
    }

    /// Evidence that shows what it showed; `now` is the text of the property where that has changed.
    pub fn shows(now: Option<&str>) -> Self {
        match now {
            None => Self::plain(FateName::Shows, "still shows it"),
            Some(now) => {
                let text = format!(
                    "still shows it, although the property is now `{}`",
                    clean(now)
                );
                Self::plain(FateName::Shows, text)
            }
        }
    }

    /// A certificate whose conditions, so many, are all true.
    pub fn certified(conditions: usize, now: Option<&str>) -> Self {
        let shows = Self::shows(now).text;
        let conditions = count(conditions, "condition");
        Self::plain(
            FateName::Shows,
            format!("{shows}: {conditions} of the certificate, re-checked"),
        )
    }

    /// A certificate with a condition that is not true.
    pub fn refused(
        report: &Report<'_>,
        query: &Query,
        broken: &certificate::BrokenCondition,
    ) -> Self {
        let why = refusal(report, Some(query), broken);
        Self::plain(FateName::Refused, format!("no longer shows it: {why}"))
    }

    /// A run of which nobody can say whether it shows the property, and why not.
    pub fn runs_only(why: &str) -> Self {
        Self::plain(FateName::RunsOnly, format!("runs, but {why}"))
    }

    /// Something that nobody had the time to look at.
    pub fn unchecked(stop: Stop) -> Self {
        Self::plain(
            FateName::Unchecked,
            format!("is not re-checked, since {stop}"),
        )
    }

    /// Something that does not fit the model.
    pub fn misfit(misfit: &DocumentMisfit) -> Self {
        let mut fate = Self::plain(
            FateName::Misfit,
            format!("does not fit the model: {misfit}"),
        );
        if let DocumentMisfit::Value { state, .. } = misfit {
            fate.step = Some(*state);
        }
        fate
    }

    /// A trace that leaves too much open before a state.
    pub fn too_open(at: usize) -> Self {
        let text = format!("leaves too much open to find the state at step {at}");
        Self {
            step: Some(at),
            ..Self::plain(FateName::Misfit, text)
        }
    }

    /// A run that dies.
    pub fn dies(report: &Report<'_>, death: &Death) -> Self {
        let at = death.at;
        let because = death.because.as_ref();
        let reason = match (because, &death.from, death.possible) {
            (Some(broken), from, _) => broken_text(report, broken, from.as_deref()),
            (None, None, Some(0)) => "the model has no initial state".to_string(),
            (None, None, _) => "it is no initial state".to_string(),
            (None, Some(_), Some(0)) => "no step leads on from the state before".to_string(),
            (None, Some(_), _) => "no step leads there from the state before".to_string(),
        };
        let instead = death
            .instead
            .iter()
            .map(|step| difference(report, death, step));
        let mut instead: Vec<String> = instead.collect();
        if let Some(possible) = death.possible.filter(|&n| n > instead.len()) {
            instead.push(format!("{} more", possible - instead.len()));
        }
        let line = because
            .and_then(|broken| report.line(broken_span(report, broken, death.from.as_deref())));
        Self {
            step: Some(at),
            line,
            instead,
            ..Self::plain(FateName::Dies, format!("dies at step {at}: {reason}"))
        }
    }

    /// Evidence that runs but does not show any more what it showed.
    pub fn flawed(
        report: &Report<'_>,
        query: &Query,
        evidence: &Evidence,
        flaw: &Flaw,
        now: Option<&str>,
    ) -> Self {
        let telling = Telling::over(*report, query, evidence);
        let node = flaw.node.and_then(|id| evidence.proof.get(id));
        let what = match node {
            None => clean(&flaw.what),
            Some(node) => {
                let at = node.at.index();
                match (node.claim, node.rule) {
                    (Claim::Formula(goal, bounds), Some(Rule::State)) => {
                        let holds = !goal.holds;
                        let goal = wherefore_logic::Goal { holds, ..goal };
                        let claim = telling.claim(Claim::Formula(goal, bounds));
                        format!("{claim} at step {at}")
                    }
                    (claim, _) => {
                        let claim = telling.claim(claim);
                        let why = flaw.what.split_once(": ").map_or(&*flaw.what, |(_, w)| w);
                        format!(
                            "it does not follow that {claim} at step {at}: {}",
                            clean(why)
                        )
                    }
                }
            }
        };
        let now = now.map(|now| format!(" (the property is now `{}`)", clean(now)));
        let now = now.unwrap_or_default();
        let text = format!("runs, but no longer shows it: {what}{now}");
        Self {
            step: node.map(|node| node.at.index()),
            ..Self::plain(FateName::RunsOnly, text)
        }
    }

    /// How an evidence differs from an older one, and from which step on.
    pub fn parted(step: Option<usize>, text: impl Into<String>) -> Self {
        Self {
            step,
            ..Self::plain(FateName::Parts, text)
        }
    }

    /// Where two runs part; values of hidden variables are not told.
    pub fn between(old: &SavedTrace, new: &SavedTrace, hidden: &[String]) -> Self {
        let steps = old.states.iter().zip(&new.states);
        let differ = |(a, b): (&Valuation, &Valuation)| a != b;
        if let Some(step) = steps.clone().position(differ) {
            let (a, b) = (&old.states[step], &new.states[step]);
            let differ = a.iter().filter(|(name, value)| b.get(*name) != Some(value));
            let differ: Vec<_> = differ.collect();
            let told = differ.iter().filter(|(name, _)| !hidden.contains(name));
            let values = told.map(|(name, value)| {
                let now = b.get(*name).map_or("gone".to_string(), Datum::text);
                format!("{} is {now}, was {}", clean(name), value.text())
            });
            let mut values: Vec<String> = values.collect();
            if values.is_empty() && !differ.is_empty() {
                values.push("another step leads to the same values".to_string());
            } else if values.is_empty() {
                values.push("there are other variables".to_string());
            }
            return Self::parted(
                Some(step),
                format!("parts at step {step}: {}", some_of(&values)),
            );
        }
        let (old_steps, new_steps) = (old.steps(), new.steps());
        if (old.states.len(), old.back) != (new.states.len(), new.back) {
            let step = old.states.len().min(new.states.len()) - 1;
            let text = format!(
                "is the same up to step {step}, then has {} instead of {}",
                count(new_steps, "step"),
                count(old_steps, "step"),
            );
            return Self::parted(Some(step), text);
        }
        Self::plain(FateName::Shows, "is the same run")
    }

    /// The fate of something with a title, and notes about it, as text.
    pub fn render(&self, title: &str, notes: &[String], style: Style) -> String {
        let mut page = TextLines::new(style.width, style.color);
        let role = match self.kind {
            FateName::Runs | FateName::Shows => VariableRole::Good,
            FateName::RunsOnly | FateName::Parts | FateName::Unchecked => VariableRole::Warn,
            FateName::Dies | FateName::Misfit | FateName::Refused => VariableRole::Bad,
        };
        let head = Ink::new(VariableRole::Strong, clean(title)).then(VariableRole::Plain, ":");
        let mut lines = self.lines().into_iter();
        let first = lines.next().unwrap_or_default();
        page.paragraph(head, &Ink::new(role, first), 2);
        let notes = notes.iter().map(|note| format!("note: {note}"));
        for line in lines.chain(notes) {
            page.paragraph(Ink::plain(" "), &Ink::plain(line), 4);
        }
        page.finish()
    }

    /// The sentences of the fate: what happened, and what was possible instead.
    pub fn lines(&self) -> Vec<String> {
        let instead = (!self.instead.is_empty())
            .then(|| format!("possible instead: {}", self.instead.join("; ")));
        std::iter::once(self.text.clone()).chain(instead).collect()
    }
}

/// Texts of the model that are quoted are cut here.
const LONGEST: usize = 60;

/// What a constraint allows, and what it does not.
fn broken_text(report: &Report<'_>, broken: &BrokenConstraint, from: Option<&[Value]>) -> String {
    let constraint = broken.constraint;
    let span = broken_span(report, broken, from);
    let text = report.slice(span);
    // The last case has no condition of its own in a model.
    let text = match span == constraint.span || text.contains(':') {
        true => cut(&text),
        false => format!("... : {}", cut(&text)),
    };
    let place = match report.line(span) {
        Some(line) => format!("line {line} `{text}`"),
        None => format!("`{text}`"),
    };
    match constraint.requires {
        Requirement::Assign(var, _) => {
            let name = report.name(var);
            let allowed: Vec<String> = broken.allowed.iter().map(|&v| report.value(v)).collect();
            let wanted = report.value(broken.step.next[var.index()]);
            format!("{place} allows {name} = {}, not {wanted}", some(&allowed))
        }
        Requirement::Holds(_) => {
            let about = match is_of_step(report.model, broken) {
                true => "this step",
                false if from.is_some() => "this state",
                false => "this initial state",
            };
            format!("{place} is not true of {about}")
        }
    }
}

/// The part of a constraint that forbids a step: of an assignment by cases, the case that was taken.
fn broken_span(report: &Report<'_>, broken: &BrokenConstraint, from: Option<&[Value]>) -> Span {
    let constraint = broken.constraint;
    let (Requirement::Assign(var, _), Some(from)) = (constraint.requires, from) else {
        return constraint.span;
    };
    let cause = cause(report.model, from, &broken.step, var);
    let cause = cause.filter(|cause| cause.kind == CauseKind::Branch);
    cause.map_or(constraint.span, |cause| cause.span)
}

fn is_of_step(model: &Model, broken: &BrokenConstraint) -> bool {
    model.trans.contains(&broken.constraint)
}

/// In what a step that is possible differs from the one that is wanted.
fn difference(report: &Report<'_>, death: &Death, step: &Step) -> String {
    let vars = report.seen_vars(false).filter(|var| {
        let wanted = death.wanted[var.index()];
        wanted.is_some_and(|wanted| wanted != step.next[var.index()])
    });
    let differ = vars.map(|var| value_text(report, var.index(), step.next[var.index()]));
    let differ: Vec<String> = differ.collect();
    let input = report.input_text(&step.input);
    let input = match (input.is_empty(), report.input_title()) {
        (true, _) => String::new(),
        (false, "process") => format!(" when {input}"),
        (false, title) => format!(" by {title} {input}"),
    };
    match differ.is_empty() {
        true => format!("the same state{input}"),
        false => format!("{}{input}", differ.join(" ")),
    }
}

fn value_text(report: &Report<'_>, at: usize, value: Value) -> String {
    format!("{}={}", report.name(VarId::new(at)), report.value(value))
}

/// `1`, `1 or 2`, the first few of many.
fn some(values: &[String]) -> String {
    const FEW: usize = 6;
    match values {
        [most @ .., last] if !most.is_empty() && values.len() <= FEW => {
            format!("{} or {last}", most.join(", "))
        }
        _ if values.len() > FEW => format!("{} or others", values[..FEW].join(", ")),
        _ => values.join(""),
    }
}

/// The first few of many texts.
fn some_of(texts: &[String]) -> String {
    const FEW: usize = 3;
    let more = texts.len().saturating_sub(FEW);
    let few = texts[..texts.len() - more].join("; ");
    match more {
        0 => few,
        n => format!("{few}; and {n} more"),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
