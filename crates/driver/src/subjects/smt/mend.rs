//! Changes of the text of an SMV model with variables that have no bounds: those that mend a property are found by solvers.
//!
//! A change under which the run that refutes the property is still a run is dropped by our own evaluator. The others are asked of
//! solvers, each for a while, the likeliest first. Unasked, no solver is: then the lines are told that the run depends on.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use wherefore_base::Budget;
use wherefore_blame::Likeness;
use wherefore_evidence::{Blame, Mend, PlacePower, Suspect, SuspectRole};
use wherefore_model::{ChangeKind, FormulaReader, Model, TermId, TextChange};
use wherefore_satcheck::is_total;
use wherefore_smt::{Deadlock, SmtPropertyKind, SolverTrace};
use wherefore_smtcheck::{SmtAnswer, SmtOptions, SmtVerdict};

use super::{SmtSubject, Smv, Written};
use crate::blame::BlameEffort;

/// How long solvers may take for one question about a changed text.
const EACH: Duration = Duration::from_secs(3);
/// Of the trials that diagrams would have, solvers have one in so many.
const SLOWER: usize = 100;

/// A change that mends a property, and what becomes of the others.
struct SolverTrial {
    change: usize,
    holds: usize,
    of: usize,
    breaks: Vec<usize>,
}

/// The changes of a text, the likeliest first.
struct RankedChanges {
    all: Vec<TextChange>,
    /// The models that they make; `None` where the text is none then, or another one.
    models: BTreeMap<usize, Option<SmtSubject>>,
}

impl SmtSubject {
    /// The places to blame for each property that fails, if the model is written in SMV.
    pub fn mends(
        &self,
        answers: &[(usize, SmtAnswer)],
        choices: &SmtOptions,
        effort: BlameEffort,
        budget: &Budget,
    ) -> BTreeMap<usize, Blame> {
        let Written::Smv(smv) = &self.written else {
            return BTreeMap::new();
        };
        let fails = |(_, answer): &&(usize, SmtAnswer)| answer.holds() == Some(false);
        let failing: Vec<&(usize, SmtAnswer)> = answers.iter().filter(fails).collect();
        let mut changes = self.ranked_changes(smv);
        let asked = effort.slice;
        // A change is judged by all properties, whoever asked for them.
        let verdicts = match asked && !failing.is_empty() {
            true => self.verdicts(answers, choices, budget),
            false => BTreeMap::new(),
        };
        let effort = effort.share_of(failing.len());
        let told = failing.into_iter().map(|(property, answer)| {
            let trials = if asked {
                effort.trials.div_ceil(SLOWER)
            } else {
                0
            };
            let search = SolverMends {
                subject: self,
                smv,
                property: *property,
                run: run_of(answer),
                verdicts: &verdicts,
                choices,
                budget,
            };
            (
                *property,
                search.blame(&mut changes, (effort.texts, trials)),
            )
        });
        told.collect()
    }

    fn ranked_changes(&self, smv: &Smv) -> RankedChanges {
        let mut all = smv.scope().changes(&self.sources, self.file);
        let mut likeness = Likeness::new(self.sources.file(self.file).text());
        // Larger changes come last, and so do further branches.
        let mut keyed: Vec<(bool, bool, f64, TextChange)> = all
            .drain(..)
            .map(|change| {
                let near = change.kind < ChangeKind::Choice;
                let gain = match near {
                    true => likeness.gain(change.span, &change.text),
                    false => 0.0,
                };
                (!near, change.kind == ChangeKind::Branch, gain, change)
            })
            .collect();
        keyed.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        RankedChanges {
            all: keyed.into_iter().map(|(.., change)| change).collect(),
            models: BTreeMap::new(),
        }
    }

    /// What is known of each property: that it holds, or that it fails.
    fn verdicts(
        &self,
        answers: &[(usize, SmtAnswer)],
        choices: &SmtOptions,
        budget: &Budget,
    ) -> BTreeMap<usize, bool> {
        let known = answers.iter();
        let mut known: BTreeMap<usize, bool> = known
            .filter_map(|(property, answer)| Some((*property, answer.holds()?)))
            .collect();
        for property in 0..self.system.properties.len() {
            if !answers.iter().any(|(asked, _)| *asked == property) {
                let answer = self.answer(property, choices, &budget.within(EACH));
                known.extend(answer.holds().map(|holds| (property, holds)));
            }
        }
        known
    }

    /// Whether changes of its text are tried: only those of SMV are known.
    pub fn lists_changes(&self) -> bool {
        matches!(self.written, Written::Smv(_))
    }

    /// The text of the model with a change.
    pub fn changed_text(&self, change: &TextChange) -> String {
        let text = self.sources.file(self.file).text();
        let (start, end) = (change.span.start as usize, change.span.end as usize);
        [&text[..start], &change.text, &text[end..]].concat()
    }

    /// The model of a changed text with the same variables and properties.
    fn with_text_change(&self, smv: &Smv, change: &TextChange, budget: &Budget) -> Option<Self> {
        let name = self.sources.file(self.file).name();
        let text = self.changed_text(change);
        let mut changed = Self::of_smv(smv.scope().dialect(), name, text, budget).ok()?;
        for property in self.formulas() {
            let text = &self.system.properties[property].text;
            changed.add_formula(text).ok()?;
        }
        changed.set_deadlock(self.system.deadlock);
        let Written::Smv(other) = &changed.written else {
            return None;
        };
        let texts = |model: &Model| -> Vec<String> {
            let properties = model.properties.iter();
            properties.map(|property| property.text.clone()).collect()
        };
        let (before, after) = (smv.model(), other.model());
        let declared = |model: &Model| -> Vec<_> {
            let vars = model.vars.iter();
            vars.map(|var| (var.name.clone(), var.domain.clone(), var.kind))
                .collect()
        };
        let same = before.names == after.names
            && declared(before) == declared(after)
            && texts(before) == texts(after);
        same.then_some(changed)
    }
}

/// The run that refutes a property, if that is all there is to it.
fn run_of(answer: &SmtAnswer) -> Option<&SolverTrace> {
    let SmtVerdict::Fails(refutation) = &answer.verdict else {
        return None;
    };
    match &refutation.runs[..] {
        [run] if refutation.closed_by.is_none() => Some(&run.trace),
        _ => None,
    }
}

/// The search for changes that mend a property.
struct SolverMends<'a> {
    subject: &'a SmtSubject,
    smv: &'a Smv,
    property: usize,
    run: Option<&'a SolverTrace>,
    verdicts: &'a BTreeMap<usize, bool>,
    choices: &'a SmtOptions,
    budget: &'a Budget,
}

impl SolverMends<'_> {
    fn blame(&self, changes: &mut RankedChanges, (texts, trials): (usize, usize)) -> Blame {
        let mut blame = Blame::default();
        let mut open: Vec<usize> = Vec::new();
        for at in 0..changes.all.len() {
            if at >= texts || self.budget.check().is_err() {
                blame.untried += changes.all.len() - at;
                break;
            }
            let change = &changes.all[at];
            let changed = changes
                .models
                .entry(at)
                .or_insert_with(|| (self.subject).with_text_change(self.smv, change, self.budget));
            match changed {
                Some(changed) if !self.is_still_refuted(changed) => open.push(at),
                Some(_) | None => blame.tried += 1,
            }
        }
        let (mut found, mut asked) = (Vec::new(), 0);
        for &at in open.iter().take(trials) {
            if self.budget.check().is_err() {
                break;
            }
            asked += 1;
            let Some(Some(changed)) = changes.models.get(&at) else {
                continue;
            };
            found.extend(self.tried(at, changed));
        }
        blame.tried += asked;
        blame.untried += open.len() - asked;
        found.sort_by_key(|trial| (!trial.breaks.is_empty(), usize::MAX - trial.holds));
        self.rank(&mut blame, found, &open, &changes.all);
        blame
    }

    /// Whether the run is one of the changed model, and refutes the property there.
    fn is_still_refuted(&self, changed: &SmtSubject) -> bool {
        let (Some(run), Written::Smv(other)) = (self.run, &changed.written) else {
            return false;
        };
        let conditions = |model: &Model| -> Vec<TermId> {
            let query = model.properties[self.property].body.query();
            let atoms = query
                .into_iter()
                .flat_map(|query| query.atoms.iter().copied());
            let fairness = &model.fairness;
            let pairs = fairness.compassion.iter().flat_map(|(p, q)| [*p, *q]);
            atoms
                .chain(fairness.justice.iter().copied())
                .chain(pairs)
                .collect()
        };
        let (before, after) = (self.smv.model(), other.model());
        let (old, new) = (conditions(before), conditions(after));
        let mut seen = HashSet::new();
        old.len() == new.len()
            && old
                .into_iter()
                .zip(new)
                .all(|pair| same_terms(before, after, pair, &mut seen))
            && run.replay(&changed.system, true).is_ok()
    }

    /// Asks solvers whether a change mends the property, and what becomes of the others.
    fn tried(&self, change: usize, changed: &SmtSubject) -> Option<SolverTrial> {
        let asked = &changed.system.properties[self.property];
        let holds = |property: usize, choices: &SmtOptions| {
            changed.answer(property, choices, &self.budget.within(EACH))
        };
        let answer = holds(self.property, self.choices);
        if answer.holds() != Some(true) || answer.no_run || !self.goes_on(changed, asked.kind) {
            return None;
        }
        let mut trial = SolverTrial {
            change,
            holds: 1,
            of: 1,
            breaks: Vec::new(),
        };
        for (&property, &before) in self.verdicts.iter().filter(|(p, _)| **p != self.property) {
            match holds(property, self.choices).holds() {
                Some(true) => trial.holds += 1,
                Some(false) if before => trial.breaks.push(property),
                Some(false) => {}
                // What held and is not decided any more is not known to be kept.
                None if before => return None,
                None => continue,
            }
            trial.of += 1;
        }
        Some(trial)
    }

    /// Whether it is known that no run of a changed model ends, and that there is one.
    fn goes_on(&self, changed: &SmtSubject, kind: SmtPropertyKind) -> bool {
        let Written::Smv(other) = &changed.written else {
            return false;
        };
        if changed.without_runs(self.choices, self.budget).is_some() {
            return false;
        }
        if is_total(other.model()) || kind == SmtPropertyKind::Invar {
            return true;
        }
        let choices = SmtOptions {
            deadlock: Some(Deadlock::Error),
            dead_ends: false,
            ..self.choices.clone()
        };
        let answer = changed.decide(self.property, &choices, &self.budget.within(EACH));
        answer.holds() == Some(true)
    }

    /// The mends, one for each line, and the other lines that the run depends on.
    fn rank(
        &self,
        blame: &mut Blame,
        found: Vec<SolverTrial>,
        open: &[usize],
        changes: &[TextChange],
    ) {
        let sources = &self.subject.sources;
        let line = |at: usize| sources.place(changes[at].span).line;
        let shown = |change: &TextChange| {
            let same = sources.place(change.place).line == sources.place(change.span).line;
            if same { change.place } else { change.span }
        };
        let mut lines = BTreeSet::new();
        for trial in found
            .into_iter()
            .filter(|trial| lines.insert(line(trial.change)))
        {
            let change = &changes[trial.change];
            let (role, power) = match trial.breaks.is_empty() {
                true => (SuspectRole::Mends, PlacePower::MendsAndKeeps),
                false => (SuspectRole::MendsAtACost, PlacePower::Mends),
            };
            blame.suspects.push(Suspect {
                span: shown(change),
                role,
                power,
                hinge: None,
                steps: vec![],
                mend: Some(Mend {
                    change: change.clone(),
                    holds: trial.holds,
                    of: trial.of,
                    breaks: trial.breaks,
                    open: vec![],
                    vacuous: vec![],
                    ends: false,
                    diverges: false,
                    loses: vec![],
                    also: vec![],
                }),
            });
        }
        for &at in open {
            // Where a branch is missing nothing is written that could be to blame.
            if changes[at].kind != ChangeKind::Branch && lines.insert(line(at)) {
                blame.suspects.push(Suspect {
                    span: shown(&changes[at]),
                    role: SuspectRole::Hinges,
                    power: PlacePower::Open,
                    hinge: None,
                    steps: vec![],
                    mend: None,
                });
            }
        }
    }
}

/// Whether two terms of two models are the same expression of the same variables.
fn same_terms(
    a: &Model,
    b: &Model,
    (x, y): (TermId, TermId),
    seen: &mut HashSet<(TermId, TermId)>,
) -> bool {
    let mut open = vec![(x, y)];
    while let Some((x, y)) = open.pop() {
        if !seen.insert((x, y)) {
            continue;
        }
        let (left, right) = (a.terms.get(x), b.terms.get(y));
        // With its operands blotted out, a term is its operator.
        let blank = TermId::new(0);
        let operator = |term: &wherefore_model::Term| term.with_operands(|_| blank);
        if operator(left) != operator(right) {
            return false;
        }
        open.extend(left.operands().zip(right.operands()));
    }
    true
}
