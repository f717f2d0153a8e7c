//! Why a property holds, in words: an invariant as a list of conditions, what must happen as layers, what can happen as
//! rings.
//!
//! Each line says what a certificate shows, all of whose conditions were re-checked; numbers of states are those that the
//! plain interpreter counted.

mod runs;

use wherefore_evidence::certificate::{How, NoCertificate, Recheck, StateSet};
use wherefore_evidence::{
    Assertion, Cube, Note, SaidOfReached, SaidRun, Why, WhyHolds, WhyStatement,
};
use wherefore_logic::{Goal, Kernel, PathPattern, PathRule, Quantifier, kernel};

use self::runs::said_run;
use super::checked::{SentenceJudge, SentenceKind};
use super::literals::{literals, negated};
use super::{Sentence, SentenceAssertion, formula, joined};
use crate::Report;
use crate::words::{LONGEST, clean, shortened, sub_text};

/// The most lines of one list, unless everything is asked for.
const LINES: usize = 8;
/// The most cubes that a set is told with, unless everything is asked for.
const CUBES: usize = 3;

/// What a line of a reason is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhyKind {
    /// What every reachable state satisfies, and why.
    Invariant,
    /// One condition of that.
    Clause,
    /// What must happen, and within how many steps.
    MustHappen,
    /// States from where it happens sooner or later, or within so many steps.
    Layer,
    /// What can happen, and within how many steps.
    CanHappen,
    /// States from where it can happen within so many steps.
    Ring,
    /// What the next states are like.
    NextStates,
    /// Where a sub-formula is true.
    Claim,
    /// A state from where it takes as many steps as from any.
    Example,
    /// How many lines are not told.
    More,
}

/// A line of a reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WhyLine {
    pub(crate) kind: WhyKind,
    /// 1 for an item of the line before it.
    pub(crate) depth: usize,
    pub(crate) text: Sentence,
    /// How many states a layer or ring has, if they were counted.
    pub(crate) states: Option<usize>,
}

/// Why there is no reason to show.
pub(crate) fn not_shown(why: NoCertificate) -> Sentence {
    match why {
        NoCertificate::Runs => {
            "no reason in terms of states: the property is about runs; --certificate gives one as data"
                .into()
        }
        NoCertificate::Effort => {
            "no short reason was found within the usual effort; --certificate looks longer"
                .into()
        }
        why => say!(
            "no short reason was found: {}",
            super::certificate::no_certificate(why)
        ),
    }
}

/// The lines of a reason; `None`: there is none to show.
pub(crate) fn lines(report: &Report<'_>, why: &Why, full: bool) -> Option<Vec<WhyLine>> {
    let why = match why {
        Why::Shown(why) => why,
        Why::Proved(reason) => return Some(super::proved::lines(reason, full)),
        Why::NotShown(_) => return None,
    };
    let base = SentenceJudge::base(report, &why.query);
    let judge = base.map(|base| SentenceJudge::new(base, None, false));
    Some(lines_by(report, why, full, judge.as_deref()))
}

/// The same, as somebody decides what is true.
pub(crate) fn lines_by(
    report: &Report<'_>,
    why: &WhyHolds,
    full: bool,
    judge: Option<&SentenceJudge<'_>>,
) -> Vec<WhyLine> {
    let mut told = WhyLines {
        report,
        why,
        full,
        judge,
        lines: Vec::new(),
    };
    // What the property itself requires of every state comes first, what else it takes last.
    if why.own > 0 {
        told.invariant();
    }
    // Operands come first in a certificate; people read what the property says first.
    for statement in why.statements.iter().rev() {
        told.statement(statement);
    }
    told.without_path();
    if why.own == 0 {
        told.invariant();
    }
    if told.lines.is_empty() {
        let everywhere = why.certificate.invariant.is_everything()
            && why
                .certificate
                .claims
                .iter()
                .all(|claim| claim.states.is_everything());
        let text = match everywhere {
            true => "it holds in every state that the variables can have, reachable or not",
            false => "its reason takes too many words; --certificate --full lists all of it",
        };
        told.push(WhyKind::Claim, 0, text);
    }
    if let Some(first) = told.lines.first_mut() {
        let recheck = SentenceAssertion::Certified(Recheck::Ok(why.conditions));
        first.text = std::mem::take(&mut first.text).asserting(recheck);
    }
    told.lines
}

struct WhyLines<'a> {
    report: &'a Report<'a>,
    why: &'a WhyHolds,
    full: bool,
    /// Who decides what is said of the reachable states.
    judge: Option<&'a SentenceJudge<'a>>,
    lines: Vec<WhyLine>,
}

impl WhyLines<'_> {
    /// A line about the reachable states of a set, unless it is known to be false; whether it is there.
    fn tell(
        &mut self,
        (kind, depth): (WhyKind, usize),
        text: Sentence,
        states: &[&StateSet],
        says: SaidOfReached,
    ) -> bool {
        let assertion = Assertion::Reached {
            states: states.iter().map(|&set| set.clone()).collect(),
            going_on: self.leaves_out(),
            says,
        };
        let text = self.certified(text.asserting(assertion));
        let is_shown = !text.is_empty();
        self.push(kind, depth, text);
        is_shown
    }

    /// A sentence that a solver has confirmed, unless the checker refutes it.
    fn certified(&self, text: Sentence) -> Sentence {
        match self.judge {
            Some(judge) => judge.certified(SentenceKind::Why, text),
            None => text,
        }
    }

    /// A line, if there is something to say.
    fn push(&mut self, kind: WhyKind, depth: usize, text: impl Into<Sentence>) {
        let text = text.into();
        if !text.is_empty() {
            self.lines.push(WhyLine {
                kind,
                depth,
                text,
                states: None,
            });
        }
    }

    /// Whether states without a path do not count.
    fn leaves_out(&self) -> bool {
        self.why.certificate.unfair.is_some() && self.why.query.rule.targets_have_paths()
    }

    /// Whether there may be runs that end, and such runs do not count.
    fn some_end(&self) -> bool {
        let ends = |note: &Note| matches!(note, Note::Deadlocks { .. });
        let total = self
            .report
            .space
            .is_some_and(|space| !space.notes.iter().any(ends));
        self.why.query.rule == PathRule::Plain && !total
    }

    /// "run", and what runs are called that count where not all do.
    fn runs(&self) -> &'static str {
        match (self.leaves_out(), self.report.model.fairness.is_empty()) {
            (false, _) if self.some_end() => "endless run",
            (false, _) => "run",
            (true, true) => "endless run",
            (true, false) => "fair run",
        }
    }

    /// The number of lines of a list that are told.
    fn shown(&self, all: usize) -> usize {
        // One line more is as long as the line that says so.
        match self.full || all <= LINES + 1 {
            true => all,
            false => LINES,
        }
    }

    fn more(&mut self, all: usize, shown: usize) {
        if shown < all {
            let more = all - shown;
            self.push(WhyKind::More, 1, say!("and {} more", more));
        }
    }

    fn invariant(&mut self) {
        let (cubes, own) = (&self.why.certificate.invariant.cubes, self.why.own);
        let clauses = &cubes[own.min(cubes.len())..];
        let required = self.required();
        match (&required[..], clauses.len()) {
            ([], 0) => {}
            (required, 0) => {
                let text = say!(
                    "{} true at the start, and every step keeps it so",
                    are(required)
                );
                self.push(WhyKind::Invariant, 0, text);
            }
            ([], _) => {
                let text = "true at the start, and kept by every step:";
                self.push(WhyKind::Invariant, 0, text);
            }
            (required, _) => {
                let text = say!(
                    "{} true at the start, and kept by every step together with:",
                    are(required)
                );
                self.push(WhyKind::Invariant, 0, text);
            }
        }
        let shown = self.shown(clauses.len());
        for cube in &clauses[..shown] {
            let text = self.clause(cube);
            let states = StateSet {
                cubes: vec![cube.clone()],
                outside: false,
            };
            let assertion = Assertion::Reached {
                states: vec![states],
                going_on: false,
                says: SaidOfReached::Never,
            };
            self.push(
                WhyKind::Clause,
                1,
                self.certified(text.asserting(assertion)),
            );
        }
        self.more(clauses.len(), shown);
    }

    /// States that do not count, since no run goes on for ever from there.
    fn without_path(&mut self) {
        if let Some(unfair) = &self.why.certificate.unfair {
            let runs = match self.report.model.fairness.is_empty() {
                true => "run that goes on for ever",
                false => "fair run",
            };
            let text = match unfair.states.is_everything() {
                true => say!("there is no {}", runs),
                false => {
                    let set = self.set(&unfair.states);
                    say!("no {} comes to a state where {}", runs, set)
                }
            };
            let assertion = Assertion::Reached {
                states: vec![unfair.states.clone()],
                going_on: false,
                says: SaidOfReached::NoFairPath,
            };
            self.push(WhyKind::Claim, 0, self.certified(text.asserting(assertion)));
        }
    }

    /// What the property itself requires of every state, where that is a part of the invariant.
    fn required(&self) -> Vec<Sentence> {
        if self.why.own == 0 {
            return vec![];
        }
        let formula = &self.why.query.formula;
        let propositional = formula.propositional();
        let mut required = Vec::new();
        for claim in self.why.certificate.claims.iter().rev() {
            let everywhere = claim.how == How::Closed && claim.states.is_everything();
            if let (true, Kernel::Path(pattern)) = (everywhere, kernel(formula, claim.goal)) {
                let stay = pattern.stay.iter();
                let stay = stay.filter(|goal| propositional[goal.sub] && pattern.goal.is_none());
                required.extend(stay.map(|&goal| self.goal(goal)));
            }
        }
        required
    }

    fn statement(&mut self, statement: &WhyStatement) {
        let claim = &self.why.certificate.claims[statement.claim];
        let kernel = kernel(&self.why.query.formula, claim.goal);
        let rule = self.why.query.rule;
        // Where all paths count elsewhere, what fair ones do takes more words than there are here.
        if matches!(&kernel, Kernel::Path(pattern) if pattern.fair && !rule.globally_is_fair()) {
            return;
        }
        let from = self.from(&statement.states);
        match (&claim.how, kernel) {
            (How::Leaves(layers), Kernel::Path(pattern)) => {
                self.must_happen(statement, &pattern, layers);
            }
            (How::Reaches { rings, endless }, Kernel::Path(pattern)) => {
                self.can_happen(statement, &pattern, rings, endless.as_ref());
            }
            (How::Step, Kernel::Step(quantifier, next)) => {
                let goal = self.goal(next);
                let taken = match self.leaves_out() {
                    true => " that they take",
                    false => "",
                };
                let (text, says) = match quantifier {
                    Quantifier::Forall => (
                        say!("{} every step{} leads to {}", from, taken, goal),
                        SaidOfReached::EveryStep(next),
                    ),
                    Quantifier::Exists => (
                        say!("{} some step leads to {}", from, goal),
                        SaidOfReached::SomeStep(next),
                    ),
                };
                self.tell((WhyKind::NextStates, 0), text, &[&statement.states], says);
            }
            (How::Closed, Kernel::Path(pattern)) if !claim.states.is_everything() => {
                let stay = self.goals(&pattern.stay);
                let text = match &pattern.goal {
                    None => say!("{} {} holds for ever", from, stay),
                    Some(goals) => {
                        let goals = self.goals(goals);
                        say!("{} {} holds at least until {}", from, stay, goals)
                    }
                };
                let says = SaidOfReached::EveryRun(SaidRun {
                    stays: true,
                    ..said_run(&pattern, None)
                });
                self.tell((WhyKind::Claim, 0), text, &[&statement.states], says);
            }
            (How::Bounded(_), _) => {
                let text = say!("{} {} holds", from, self.goal(claim.goal));
                let says = SaidOfReached::Goals(vec![claim.goal]);
                self.tell((WhyKind::Claim, 0), text, &[&statement.states], says);
            }
            _ => {}
        }
    }

    /// "from every state with `x`,"
    fn from(&self, states: &StateSet) -> Sentence {
        let some = match self.leaves_out() {
            false => say!("from every reachable state"),
            true => say!("from every state that {}s come to", self.runs()),
        };
        match (states.is_everything(), self.leaves_out()) {
            (true, _) => say!("{},", some),
            (false, false) => say!("{} where {},", some, self.set(states)),
            (false, true) => say!("{} and where {},", some, self.set(states)),
        }
    }

    fn pattern_goal(&self, pattern: &PathPattern) -> Sentence {
        self.goals(pattern.goal.as_deref().unwrap_or_default())
    }

    fn goals(&self, goals: &[Goal]) -> Sentence {
        let goals: Vec<Sentence> = goals.iter().map(|&goal| self.goal(goal)).collect();
        joined(&goals, " and ")
    }

    /// A sub-formula or its negation, in quotes.
    fn goal(&self, goal: Goal) -> Sentence {
        let text = clean(&sub_text(self.report, &self.why.query, goal.sub));
        let text = match goal.holds {
            true => text,
            false => negated(&text),
        };
        formula(shortened(text, LONGEST))
    }

    /// A condition that every reachable state satisfies: that it is in no state of a cube.
    fn clause(&self, cube: &Cube) -> Sentence {
        let literals = literals(self.report, cube);
        if let [one] = &literals[..] {
            return say!("always {}", formula(one.opposite.clone()));
        }
        // The conclusion is what is said more plainly when it is turned round.
        let conclusion = literals.iter().rposition(|literal| literal.is_negative);
        let texts = |skipped: Option<usize>| {
            let kept = literals
                .iter()
                .enumerate()
                .filter(|(at, _)| Some(*at) != skipped);
            let texts: Vec<&str> = kept.map(|(_, literal)| literal.text.as_str()).collect();
            formula(texts.join(" & "))
        };
        match conclusion {
            Some(at) => say!(
                "where {}, always {}",
                texts(Some(at)),
                formula(literals[at].opposite.clone())
            ),
            None => say!("never {}", texts(None)),
        }
    }

    /// A set in words.
    fn set(&self, set: &StateSet) -> Sentence {
        if set.is_everything() {
            return "every state".into();
        }
        let most = match self.full {
            true => set.cubes.len(),
            false => CUBES,
        };
        let cubes: Vec<Sentence> = set
            .cubes
            .iter()
            .take(most)
            .map(|cube| {
                let literals = literals(self.report, cube);
                let alone = set.cubes.len() == 1 && set.outside;
                match (&literals[..], alone) {
                    ([one], true) => formula(one.opposite.clone()),
                    (literals, _) => {
                        let texts: Vec<&str> = literals.iter().map(|l| l.text.as_str()).collect();
                        let text = match texts.is_empty() {
                            true => "TRUE".to_string(),
                            false => texts.join(" & "),
                        };
                        formula(match alone {
                            true => negated(&text),
                            false => text,
                        })
                    }
                }
            })
            .collect();
        let text = match (set.outside, cubes.len()) {
            (_, 0 | 1) => joined(&cubes, ""),
            (false, _) => joined(&cubes, " or "),
            (true, _) => say!("neither {}", joined(&cubes, " nor ")),
        };
        match set.cubes.len().saturating_sub(most) {
            0 => text,
            more => say!("{} (and {} more)", text, more),
        }
    }
}

/// "`a` is", "`a` and `b` are".
fn are(conditions: &[Sentence]) -> Sentence {
    let verb = if conditions.len() == 1 { "is" } else { "are" };
    say!("{} {}", super::list(conditions), verb)
}
