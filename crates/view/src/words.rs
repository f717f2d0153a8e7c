//! Words for the parts of a model: values, sub-formulas, claims, regions, fairness constraints.

use std::rc::Rc;

pub use wherefore_base::clean;
use wherefore_base::{Span, Value, deep};
use wherefore_evidence::{
    Assertion, Claim, Evidence, EvidenceEdge, Finding, OccurrenceId, PropertyWitness, Region,
    Replay, SentenceBase,
};
use wherefore_logic::{AtomId, Bounds, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{Cube, Env, Interpreter, Property, Query, Step, TermId, VarId};

use crate::Report;
use crate::sentences::checked::SentenceJudge;
use crate::sentences::{Sentence, formula};

/// A formula is quoted up to this many letters.
pub(crate) const LONGEST: usize = 240;

/// What starts a comment in the texts we quote.
const COMMENT: &str = "--";

/// An evidence together with everything it speaks about.
#[derive(Clone)]
pub(crate) struct Telling<'a> {
    pub(crate) report: Report<'a>,
    pub(crate) query: &'a Query,
    pub(crate) evidence: &'a Evidence,
    /// Who decides what is said of it.
    pub(crate) judge: Option<Rc<SentenceJudge<'a>>>,
}

/// A variable with another value after a step.
pub(crate) struct Changed {
    pub(crate) var: VarId,
    pub(crate) old: Value,
    pub(crate) new: Value,
    /// The line that made it change, if known.
    pub(crate) line: Option<usize>,
}

impl<'a> Telling<'a> {
    /// `None` when the property of the finding asks nothing we can answer, and so has no evidence.
    pub(crate) fn new(
        report: Report<'a>,
        finding: &Finding,
        evidence: &'a Evidence,
    ) -> Option<Self> {
        let query = report.property(finding).body.query()?;
        Some(Self::over(report, query, evidence))
    }

    /// An evidence for a query.
    pub(crate) fn over(report: Report<'a>, query: &'a Query, evidence: &'a Evidence) -> Self {
        let base = SentenceJudge::base(&report, query);
        Self::over_base(report, query, evidence, base.as_ref())
    }

    /// The same after others for the same query.
    pub(crate) fn over_base(
        report: Report<'a>,
        query: &'a Query,
        evidence: &'a Evidence,
        base: Option<&Rc<SentenceBase<'a>>>,
    ) -> Self {
        let judge = base.map(|base| SentenceJudge::new(base.clone(), Some(evidence), false));
        Self {
            report,
            query,
            evidence,
            judge,
        }
    }

    /// The evidence of a finding, or otherwise its witness; `None` when there is neither, or when it is
    /// wrong.
    pub(crate) fn of(report: Report<'a>, finding: &'a Finding) -> Option<Self> {
        let telling = match (&finding.evidence, &finding.witness) {
            (Some(evidence), _) => Self::new(report, finding, evidence),
            (None, Some(witness)) => Some(Self::of_witness(report, witness)),
            (None, None) => None,
        };
        telling.filter(|telling| !matches!(telling.evidence.replay, Replay::Failed(_)))
    }

    /// The run on which a property matters: it speaks about the property with a part replaced.
    pub(crate) fn of_witness(report: Report<'a>, witness: &'a PropertyWitness) -> Self {
        Self::over(report, &witness.query, &witness.evidence)
    }

    /// The text of a sub-formula.
    pub(crate) fn sub(&self, sub: SubId) -> String {
        sub_text(&self.report, self.query, sub)
    }

    /// A sub-formula in quotes.
    pub(crate) fn quoted(&self, sub: SubId) -> Sentence {
        formula(shortened(self.sub(sub), LONGEST))
    }

    /// A claim as a sentence: "`req` holds", "`AF ack` is false".
    pub(crate) fn claim(&self, claim: Claim) -> Sentence {
        claim_of(&self.report, self.query, claim)
    }

    /// A claim at an occurrence, which is asserted; of a bounded operator, with the bounds that are left.
    pub(crate) fn claim_at(&self, claim: Claim, at: OccurrenceId) -> Sentence {
        let words = self.claim(claim);
        match claim {
            Claim::Formula(goal, None) => words.asserting(Assertion::at(goal, at)),
            Claim::Formula(goal, Some(bounds)) => {
                let Bounds { least, most } = bounds;
                let words = say!("{} (now within {}..{} steps)", words, least, most);
                words.asserting(Assertion::Left { goal, bounds, at })
            }
            Claim::HasPath => words.asserting(Assertion::GoesOn(at)),
        }
    }

    /// "fair " where only fair runs count.
    pub(crate) fn fair(&self) -> &'static str {
        fair(&self.report, self.query)
    }

    /// The values in an occurrence.
    pub(crate) fn values(&self, at: OccurrenceId) -> &'a [Value] {
        &self.evidence.occurrences[at].values
    }

    /// The values of the inputs of a step, if the evidence has that step.
    pub(crate) fn input(&self, from: OccurrenceId, to: OccurrenceId) -> &'a [Value] {
        let edges = &self.evidence.edges;
        let fits = |edge: &&EvidenceEdge| edge.from == from && edge.to == to;
        // Along a run, steps are mostly in the order of the occurrences they lead from.
        let near = edges.get(from.index()).filter(fits);
        let edge = near.or_else(|| edges.iter().find(fits));
        edge.map_or(&[], |edge| &edge.input)
    }

    /// The variables that have another value after a step.
    pub(crate) fn changes(&self, edge: &EvidenceEdge) -> impl Iterator<Item = Changed> {
        let report = self.report;
        let (old, new) = (self.values(edge.from), self.values(edge.to));
        let step = Step {
            input: edge.input.clone(),
            next: new.to_vec(),
        };
        report.state_vars().filter_map(move |var| {
            let (old_value, new_value) = (old[var.index()], new[var.index()]);
            (old_value != new_value).then(|| Changed {
                var,
                old: old_value,
                new: new_value,
                line: report.cause_line(old, &step, var),
            })
        })
    }

    /// The fairness constraints in the order of [`wherefore_evidence::Segment::fair`].
    pub(crate) fn constraints(&self) -> Vec<String> {
        let fairness = &self.report.model.fairness;
        let report = self.report;
        let justice = fairness
            .justice
            .iter()
            .map(|&term| report.fairness_text(term));
        let compassion = fairness.compassion.iter().map(|&(p, q)| {
            let (p, q) = (self.report.term(p), self.report.term(q));
            format!("({p}, {q})")
        });
        justice.chain(compassion).collect()
    }

    /// The states of a region in words, one text for each part: "floor = 2 & door in {a, b}".
    pub(crate) fn cover(&self, region: &Region) -> Vec<String> {
        let cubes = region.cover.cubes.iter().map(|cube| {
            let conditions = cube.values.iter().filter_map(|(var, values)| {
                if !self.report.model.vars[*var].is_declared() {
                    return self.report.undeclared(*var, values);
                }
                let name = self.report.name(*var);
                let values: Vec<_> = values.iter().map(|&v| self.report.value(v)).collect();
                Some(match &values[..] {
                    [value] => format!("{name} = {value}"),
                    _ => format!("{name} in {{{}}}", values.join(", ")),
                })
            });
            let text = conditions.collect::<Vec<_>>().join(" & ");
            if text.is_empty() {
                "every reachable state".to_string()
            } else {
                text
            }
        });
        // Cubes that differ in what is not shown are one.
        let mut told: Vec<String> = Vec::new();
        for text in cubes {
            if !told.contains(&text) {
                told.push(text);
            }
        }
        told
    }
}

impl<'a> Report<'a> {
    /// A value as the user writes it.
    pub(crate) fn value(&self, value: Value) -> String {
        clean(&self.model.names.show(value).to_string())
    }

    /// The name of a variable.
    pub(crate) fn name(&self, var: VarId) -> String {
        clean(&self.model.vars[var].name)
    }

    /// A cube as a condition in the model's own terms: "door = open & !call".
    pub(crate) fn condition(&self, cube: &Cube) -> String {
        let conditions = cube.values.iter().map(|(var, values)| {
            let (name, domain) = (self.name(*var), &self.model.vars[*var].domain);
            let value = |&value: &Value| self.value(value);
            let left_out = || domain.values().find(|value| !values.contains(value));
            match &values[..] {
                [Value::Bool(true)] => name,
                [Value::Bool(false)] => format!("!{name}"),
                [one] => format!("{name} = {}", value(one)),
                _ if values.len() as u128 + 1 == domain.size() => {
                    let missing = left_out().map_or(String::new(), |missing| value(&missing));
                    format!("{name} != {missing}")
                }
                _ => {
                    let values: Vec<String> = values.iter().map(value).collect();
                    format!("{name} in {{{}}}", values.join(", "))
                }
            }
        });
        conditions.collect::<Vec<_>>().join(" & ")
    }

    /// The variables of the state, in order.
    pub(crate) fn state_vars(&self) -> impl Iterator<Item = VarId> + use<'a> {
        (0..self.model.state_vars()).map(VarId::new)
    }

    /// The action of a step in documents: the names and values of its input, or only the name of a
    /// constant where that is the only input; empty when there is no input.
    pub(crate) fn action_text(&self, input: &[Value]) -> String {
        if let [value @ Value::Symbol(_)] = input {
            return self.value(*value);
        }
        let inputs = self.inputs(input);
        let texts = inputs.map(|(var, value)| format!("{}={}", self.name(var), self.value(value)));
        texts.collect::<Vec<_>>().join(" ")
    }

    /// The inputs with their values.
    pub(crate) fn inputs(&self, input: &[Value]) -> impl Iterator<Item = (VarId, Value)> {
        let first = self.model.state_vars();
        let count = self.model.input_vars();
        let input = input.iter().take(count).enumerate();
        input
            .map(move |(at, &value)| (VarId::new(first + at), value))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The text of a term: what the user wrote, or a placeholder where nothing was written.
    pub(crate) fn term(&self, term: TermId) -> String {
        let span = self.model.terms.span(term);
        let text = span.map(|span| self.slice(span)).unwrap_or_default();
        if text.is_empty() {
            "…".to_string()
        } else {
            text
        }
    }

    /// The text of a span on one line.
    pub(crate) fn slice(&self, span: Span) -> String {
        let text = self.sources.text_on_one_line(span, COMMENT);
        // The parentheses of an s-expression belong to it.
        clean(match self.language {
            "smt" => &text,
            _ => without_outer_parentheses(&text),
        })
    }

    /// The line of a span, if it is in the file of the model.
    pub(crate) fn line(&self, span: Span) -> Option<usize> {
        (span.file == self.file).then(|| self.sources.place(span).line)
    }

    /// The line of the assignment, branch or constraint that made a variable change in a step.
    pub(crate) fn cause_line(&self, from: &[Value], step: &Step, var: VarId) -> Option<usize> {
        // The name of an operation says more than the line of the whole relation.
        if step.input.len() != self.model.input_vars() || self.only_chooses_operation() {
            return None;
        }
        let cause = wherefore_evidence::cause(self.model, from, step, var)?;
        // Steps of runs that a solver found are written nowhere: their place is empty.
        (cause.span.start < cause.span.end).then(|| self.line(cause.span))?
    }

    /// The value of an expression in a state; several values as a set.
    pub(crate) fn shown_value(&self, term: TermId, state: &[Value]) -> String {
        let values = Interpreter::new(self.model).values(term, Env::state(state));
        let texts: Vec<_> = values.iter().map(|&value| self.value(value)).collect();
        match &texts[..] {
            [text] => text.clone(),
            _ => format!("{{{}}}", texts.join(", ")),
        }
    }

    /// The shown values of a state: `floor=1 door=closed`; `full`: all values.
    pub(crate) fn state_text(&self, state: &[Value], full: bool) -> String {
        let things = self.things(full).into_iter();
        let texts = things.map(|thing| {
            format!(
                "{}={}",
                self.thing_name(thing),
                self.thing_value(thing, state)
            )
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// `served (line 41)`: the name of a property and where it is.
    pub(crate) fn title(&self, property: &Property) -> String {
        let line = self.line(property.span).map(|line| format!("line {line}"));
        let instance =
            (!property.instance.is_empty()).then(|| format!("in {}", clean(&property.instance)));
        let place: Vec<_> = line.into_iter().chain(instance).collect();
        let name = clean(&property.name);
        if place.is_empty() {
            name
        } else {
            format!("{name} ({})", place.join(", "))
        }
    }
}

/// A claim as a sentence: "`req` holds", "`AF ack` is false".
pub fn claim_text(report: &Report<'_>, query: &Query, claim: Claim) -> String {
    claim_of(report, query, claim).to_string()
}

fn claim_of(report: &Report<'_>, query: &Query, claim: Claim) -> Sentence {
    match claim {
        Claim::Formula(goal, _) => {
            let text = shortened(sub_text(report, query, goal.sub), LONGEST);
            let truth = if goal.holds { "holds" } else { "is false" };
            say!("{} {}", formula(text), truth)
        }
        // A maximal run may also end where nothing leads on.
        Claim::HasPath if query.rule == PathRule::Maximal => {
            say!("a {}run goes on or ends in a deadlock", fair(report, query))
        }
        Claim::HasPath => say!("a {}run goes on", fair(report, query)),
    }
}

/// "fair " where only fair runs count.
pub(crate) fn fair(report: &Report<'_>, query: &Query) -> &'static str {
    let fair = query.rule.globally_is_fair() && !report.model.fairness.is_empty();
    if fair { "fair " } else { "" }
}

/// The text of a sub-formula: what the user wrote where there is such a text, otherwise made anew.
pub fn sub_text(report: &Report<'_>, query: &Query, sub: SubId) -> String {
    if let Some(span) = query.formula.node(sub).span {
        let text = report.slice(span);
        // An invariant is asked for by its condition alone: then the text of the whole is that of its part.
        let unwritten = match query.formula.op(sub) {
            Op::Path(Quantifier::Forall, PathOp::Globally(f)) => {
                query.formula.node(f).span == Some(span)
            }
            _ => false,
        };
        if unwritten && !text.is_empty() {
            return match text.contains(' ') && !text.starts_with('(') {
                true => format!("AG ({text})"),
                false => format!("AG {text}"),
            };
        }
        if !text.is_empty() {
            return text;
        }
    }
    let atom = |atom: AtomId| report.term(query.atoms[atom]);
    let shown = || query.formula.show(sub, &atom).to_string();
    let mut written = query
        .formula
        .subs()
        .filter_map(|sub| query.formula.node(sub).span);
    let in_alloy = report.language == "alloy" && written.any(|span| span.file == report.file);
    let calls = in_alloy.then(|| deep(|| as_calls(report, query, sub)));
    calls.flatten().unwrap_or_else(shown)
}

/// A sub-formula that nobody wrote, of parts that somebody did, as Alloy models write formulas of CTL.
fn as_calls(report: &Report<'_>, query: &Query, sub: SubId) -> Option<String> {
    let call = |name: &str, operands: &[SubId]| {
        let texts = operands.iter().map(|&sub| sub_text(report, query, sub));
        let texts: Vec<String> = texts.collect();
        Some(format!("{name}[{}]", texts.join(", ")))
    };
    let of_paths =
        |quantifier: Quantifier, every: &'static str, some: &'static str| match quantifier {
            Quantifier::Forall => every,
            Quantifier::Exists => some,
        };
    match query.formula.op(sub) {
        Op::Not(f) => call("not_", &[f]),
        Op::And(f, g) => call("and_", &[f, g]),
        Op::Or(f, g) => call("or_", &[f, g]),
        Op::Implies(f, g) => call("imp_", &[f, g]),
        Op::Path(q, PathOp::Next(f)) => call(of_paths(q, "ax", "ex"), &[f]),
        Op::Path(q, PathOp::Finally(f)) => call(of_paths(q, "af", "ef"), &[f]),
        Op::Path(q, PathOp::Globally(f)) => call(of_paths(q, "ag", "eg"), &[f]),
        Op::Path(q, PathOp::FairGlobally(f)) => call(of_paths(q, "acg", "ecg"), &[f]),
        Op::Path(q, PathOp::Until(f, g)) => call(of_paths(q, "au", "eu"), &[f, g]),
        _ => None,
    }
}

/// At most so many letters of a text, with a sign for the rest.
pub(crate) fn shortened(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()),
        None => text,
    }
}

/// `n step`, `n steps`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{n} {noun}s")
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `(a -> b)` without the parentheses around all of it.
fn without_outer_parentheses(text: &str) -> &str {
    let Some(inner) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    else {
        return text;
    };
    let mut depth = 0i64;
    for c in inner.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    without_outer_parentheses(inner.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parentheses_around_everything_are_dropped() {
        assert_eq!(without_outer_parentheses("((a -> b))"), "a -> b");
        assert_eq!(without_outer_parentheses("(a) & (b)"), "(a) & (b)");
    }

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(clean("a\u{1b}[31mb"), "a\\u{1b}[31mb");
    }
}
