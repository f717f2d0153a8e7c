//! Certificates in words.

use wherefore_base::Bits;
use wherefore_evidence::Cube;
use wherefore_evidence::certificate::{
    BrokenCondition, Certificate, Certified, ConditionSubject, EndlessStates, How, Layer,
    LayerReason, NoCertificate, Over, Recheck, StateSet, Turns,
};
use wherefore_model::{Domain, Query, VarId};

use super::{Sentence, SentenceAssertion, count};
use crate::Report;
use crate::words::{clean, sub_text};

/// The most texts of cubes that a set is told with.
const CUBES: usize = 12;

/// `certificate: 3 sets, 12 conditions, re-checked`, or why there is none.
pub(crate) fn summary(report: &Report<'_>, certified: &Certified) -> Sentence {
    match certified {
        Certified::None(why) => say!("no certificate: {}", no_certificate(*why)),
        Certified::Given {
            certificate,
            recheck,
            ..
        } => {
            let sets = count(certificate.sets().len(), "set");
            let sentence = match recheck {
                Recheck::Ok(conditions) => {
                    let conditions = count(*conditions, "condition");
                    say!("certificate: {}, {}, re-checked", sets, conditions)
                }
                Recheck::Stopped(stop) => say!(
                    "certificate: {}, not re-checked: {}",
                    sets,
                    stop.to_string()
                ),
                Recheck::Broken(_) => {
                    let note = recheck_note(report, recheck).unwrap_or_default();
                    say!("the certificate found for this verdict is wrong: {}", note)
                }
            };
            sentence.asserting(SentenceAssertion::Certified(recheck.clone()))
        }
    }
}

/// Why there is no certificate.
pub(crate) fn no_certificate(why: NoCertificate) -> Sentence {
    match why {
        NoCertificate::Cubes(most) => say!("it would have more than {} parts", most),
        NoCertificate::Layers(most) => say!("it would have more than {} layers", most),
        NoCertificate::Rule(rule) => say!("there is none under the path rule {}", rule.to_string()),
        NoCertificate::Quantity => "there is none for a number of steps".into(),
        NoCertificate::Engine => "the SAT engine found no invariant that shows it".into(),
        NoCertificate::Effort => "it takes more work than is spent on it".into(),
        NoCertificate::Runs => "the property is about runs".into(),
        NoCertificate::Unproved => "the sets that were found do not prove it".into(),
        NoCertificate::Stopped(stop) => stop.to_string().into(),
    }
}

/// What is wrong with a certificate, or why nobody knows.
pub(crate) fn recheck_note(report: &Report<'_>, recheck: &Recheck) -> Option<Sentence> {
    match recheck {
        Recheck::Ok(_) => None,
        Recheck::Stopped(stop) => Some(stop.to_string().into()),
        Recheck::Broken(broken) => Some(refusal(report, None, broken)),
    }
}

/// The condition that is not true, and the state or step that breaks it.
pub(crate) fn refusal(
    report: &Report<'_>,
    query: Option<&Query>,
    broken: &BrokenCondition,
) -> Sentence {
    let Some(about) = broken.about else {
        return broken.text.clone().into();
    };
    let about: Sentence = match (about, query) {
        (ConditionSubject::Claim(goal), Some(query)) => {
            let text = clean(&sub_text(report, query, goal.sub));
            let truth = if goal.holds { "true" } else { "false" };
            say!(" for the claim that {} is {}", text, truth)
        }
        (ConditionSubject::Unfair, _) => " for the states without a fair path".into(),
        (ConditionSubject::Live, _) => " for the states with a path".into(),
        _ => Sentence::default(),
    };
    let text = say!("it is not so{} that {}", about, &broken.text);
    let state = |values: &[wherefore_base::Value]| {
        // Of the product, what the user knows of it: the variables of the model.
        let values = report.state_vars().zip(values);
        let values =
            values.map(|(var, &value)| format!("{}={}", report.name(var), report.value(value)));
        values.collect::<Vec<_>>().join(" ")
    };
    match (&broken.state, &broken.next) {
        (Some(from), Some(to)) => say!("{}: {} steps to {}", text, state(from), state(to)),
        (Some(at), None) => say!("{}: {}", text, state(at)),
        (None, _) => text,
    }
}

/// The name of a variable of the model, or of the tableau, whose variables come after those of the state.
pub(crate) fn variable(report: &Report<'_>, var: VarId) -> String {
    let states = report.model.state_vars();
    match var.index().checked_sub(states) {
        None => report.model.vars[var].name.clone(),
        Some(at) => format!("<tableau {}>", at + 1),
    }
}

/// What the sets of a certificate speak of, for the names of their variables.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) report: &'a Report<'a>,
    pub(crate) over: Over,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(report: &'a Report<'a>, over: Over) -> Self {
        Self { report, over }
    }

    /// The name of a variable of the model, of the tableau, or of those that watch it.
    pub(crate) fn variable(&self, var: VarId) -> String {
        match self.over {
            Over::Turns(Turns { watches, .. }) | Over::Loops { watches }
                if var.index() >= watches =>
            {
                format!("<watch {}>", var.index() - watches + 1)
            }
            _ => variable(self.report, var),
        }
    }

    /// The values of a variable of the model.
    fn domain(&self, var: VarId) -> Option<&'a Domain> {
        let model = self.report.model;
        (var.index() < model.state_vars()).then(|| &model.vars[var].domain)
    }
}

/// All sets in words, each line with its depth.
pub(crate) fn lines(
    scope: Scope<'_>,
    query: &Query,
    certificate: &Certificate,
) -> Vec<(usize, String)> {
    let report = scope.report;
    let mut told = Lines {
        scope,
        lines: Vec::new(),
    };
    let shown = match scope.over {
        Over::Model | Over::Product => None,
        Over::States => Some("no state of the invariant refutes the property".to_string()),
        Over::Turns(turns) => Some(format!(
            "a run that refutes the property meets all fairness constraints again and again; in the \
             invariant, it does so {} at most",
            count(turns.most, "time")
        )),
        Over::Loops { .. } => Some(
            "a run that refutes the property can come back to a state with all fairness constraints met in \
             between; in the invariant, none does"
                .to_string(),
        ),
    };
    if let Some(shown) = shown {
        told.set(0, "invariant", &certificate.invariant);
        told.lines.push((0, shown));
        return told.lines;
    }
    told.set(0, "invariant", &certificate.invariant);
    if let Some(unfair) = &certificate.unfair {
        told.set(0, "no fair path starts at", &unfair.states);
        told.layers(&unfair.layers);
    }
    if let Some(live) = &certificate.live {
        told.endless("a path starts at", &live.endless);
        told.sets("around them, ring", &live.around);
    }
    for claim in &certificate.claims {
        let text = clean(&sub_text(report, query, claim.goal.sub));
        let truth = if claim.goal.holds { "true" } else { "false" };
        told.set(0, &format!("{text} is {truth} at"), &claim.states);
        match &claim.how {
            How::Step | How::Closed => {}
            How::Leaves(layers) => told.layers(layers),
            How::Reaches { rings, endless } => {
                if let Some(endless) = endless {
                    told.endless("a path stays in", endless);
                }
                told.sets("ring", rings);
            }
            How::Bounded(steps) => told.sets("steps left", steps),
        }
    }
    told.lines
}

struct Lines<'a> {
    scope: Scope<'a>,
    lines: Vec<(usize, String)>,
}

impl Lines<'_> {
    fn set(&mut self, depth: usize, title: &str, set: &StateSet) {
        let text = set_text(self.scope, set);
        self.lines.push((depth, format!("{title}: {text}")));
    }

    fn sets(&mut self, title: &str, sets: &[StateSet]) {
        for (number, set) in (1..).zip(sets) {
            self.set(1, &format!("{title} {number}"), set);
        }
    }

    fn endless(&mut self, title: &str, endless: &EndlessStates) {
        self.set(0, title, &endless.states);
        for (number, rings) in (1..).zip(&endless.rings) {
            self.sets(&format!("fairness constraint {number}, ring"), rings);
        }
    }

    fn layers(&mut self, layers: &[Layer]) {
        let report = self.scope.report;
        let fairness = &report.model.fairness;
        for (number, layer) in (1..).zip(layers) {
            let own = |at: usize| {
                let term = fairness.justice.get(at);
                term.map(|&term| report.fairness_text(term))
            };
            let reason = match layer.reason {
                LayerReason::StepsOut => "every step leads out of what is left".to_string(),
                LayerReason::Justice(at) => match own(at) {
                    Some(term) => format!("never again {}", clean(&term)),
                    None => format!("the tableau puts off constraint {} for ever", at + 1),
                },
                LayerReason::Compassion(at) => match fairness.compassion.get(at) {
                    Some(&(_, q)) => format!("never again {}", clean(&report.term(q))),
                    None => format!("compassion {}", at + 1),
                },
            };
            self.set(1, &format!("layer {number} ({reason})"), &layer.states);
        }
    }
}

/// That the value of a variable has some bits, as conditions: those of a word are `w[3:2] = 0ub2_10`, those of other
/// values stand for the distance from the first value.
pub(super) fn bits_text(name: &str, domain: Option<&Domain>, bits: Bits) -> Vec<String> {
    match domain {
        Some(Domain::Word { .. }) => {
            let runs = bits.runs().into_iter();
            runs.map(|(high, low, text)| format!("{name}[{high}:{low}] = 0ub{}_{text}", text.len()))
                .collect()
        }
        Some(Domain::Range { low, .. }) if *low != 0 => vec![format!("{name} - {low} = 0b{bits}")],
        _ => vec![format!("{name} = 0b{bits}")],
    }
}

/// `!(x = 1 & y = 2)`: a set in words.
fn set_text(scope: Scope<'_>, set: &StateSet) -> String {
    if set.is_everything() {
        return "every state".to_string();
    }
    let whole = set.cubes.iter().any(Cube::is_whole);
    if set.cubes.is_empty() || set.outside && whole {
        return "no state".to_string();
    }
    let alone = set.cubes.len() == 1;
    let cubes = set.cubes.iter().take(CUBES).map(|cube| {
        let conditions = cube.values.iter().map(|(var, values)| {
            let name = clean(&scope.variable(*var));
            let values: Vec<_> = values.iter().map(|&v| scope.report.value(v)).collect();
            match &values[..] {
                [value] => format!("{name} = {value}"),
                _ => format!("{name} in {{{}}}", values.join(", ")),
            }
        });
        let bits = cube.bits.iter().flat_map(|&(var, bits)| {
            let name = clean(&scope.variable(var));
            bits_text(&name, scope.domain(var), bits)
        });
        let text = conditions.chain(bits).collect::<Vec<_>>().join(" & ");
        match (set.outside, alone) {
            (true, _) => format!("!({text})"),
            (false, true) => text,
            (false, false) => format!("({text})"),
        }
    });
    let text = cubes.collect::<Vec<_>>();
    let text = text.join(if set.outside { " & " } else { " | " });
    match set.cubes.len().saturating_sub(CUBES) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
