//! Why SMT solvers say that a property holds or fails, in words: what carries the proof, and what they were asked.
//!
//! Each line says what queries without a model show; a certificate has a sentence of its own and nothing beyond it.

use wherefore_evidence::{SmtCertificate, SmtStart, SolverReason};
use wherefore_wire::RunDoc;

use super::why::{WhyKind, WhyLine};
use super::{Sentence, count, formula, joined};

/// The most lines of one list, unless everything is asked for.
const LINES: usize = 8;

/// The lines of a reason.
pub(super) fn lines(reason: &SolverReason, full: bool) -> Vec<WhyLine> {
    let mut told = ProvedLines {
        reason,
        full,
        lines: Vec::new(),
    };
    for certificate in &reason.certificates {
        told.certificate(certificate);
    }
    if full && !reason.claims.is_empty() {
        told.push(
            WhyKind::Claim,
            0,
            "solvers were asked, and found no exception:",
        );
        for claim in &reason.claims {
            told.push(WhyKind::Clause, 1, claim.as_str());
        }
    }
    told.lines
}

/// Why a property fails whose refutation is a run and a proof about its last state.
pub(crate) fn because(reason: &SolverReason, runs: &[RunDoc]) -> Sentence {
    let steps = runs
        .first()
        .map_or(0, |run| run.states.len().saturating_sub(1));
    let recurrent = reason
        .certificates
        .iter()
        .find_map(|certificate| match certificate {
            SmtCertificate::Recurrent(condition) => Some(condition),
            _ => None,
        });
    match (recurrent.map(Vec::as_slice), steps) {
        (Some([one]), _) => say!("a run can stay in {} for ever", formula(one)),
        (Some(_), _) => "a run can stay for ever in states that are described below".into(),
        (None, 0) => "the opposite is proved of the initial state below".into(),
        (None, steps) => say!(
            "the opposite is proved of the state after {}",
            count(steps, "step")
        ),
    }
}

struct ProvedLines<'a> {
    reason: &'a SolverReason,
    full: bool,
    lines: Vec<WhyLine>,
}

impl ProvedLines<'_> {
    fn push(&mut self, kind: WhyKind, depth: usize, text: impl Into<Sentence>) {
        self.lines.push(WhyLine {
            kind,
            depth,
            text: text.into(),
            states: None,
        });
    }

    fn certificate(&mut self, certificate: &SmtCertificate) {
        match certificate {
            SmtCertificate::Bound(steps) => self.bound(*steps),
            SmtCertificate::Paths { count, at_once } => self.paths(*count, *at_once),
            SmtCertificate::Reach {
                every,
                from,
                goal,
                steps,
            } => self.reach(*every, from, goal, *steps),
            SmtCertificate::Induction {
                states,
                condition,
                until,
            } => self.induction(*states, condition, until.as_deref()),
            SmtCertificate::Invariant {
                condition,
                until,
                implies,
            } => self.invariant(condition, until.as_deref(), implies.as_deref()),
            SmtCertificate::OnTheWay { condition, goal } => {
                let head = say!("until {} is reached, always:", formula(goal));
                self.conditions(WhyKind::Invariant, head, condition);
            }
            SmtCertificate::Rank { ranks, goal } => {
                let when = say!("with every step that does not reach {}", formula(goal));
                self.rank(ranks, when);
            }
            SmtCertificate::SettlingRank { ranks, condition } => {
                self.rank(
                    ranks,
                    say!(
                        "with every step from a state without {}",
                        formula(condition)
                    ),
                );
                self.no_rise(ranks);
            }
            SmtCertificate::ChosenRank { rank, goal } => self.chosen_rank(rank, goal),
            SmtCertificate::Distance {
                conditions,
                count,
                goal,
            } => self.distance(conditions, *count, goal),
            SmtCertificate::Fairness(all) => self.push(
                WhyKind::MustHappen,
                0,
                say!("every fair run meets {} again and again", formulas(all)),
            ),
            SmtCertificate::Cases(all) => self.push(
                WhyKind::Layer,
                0,
                say!("cases are told apart by {}", formulas(all)),
            ),
            SmtCertificate::FairRank { ranks, fair, goal } => {
                let when = say!(
                    "until {} is reached: with every step from a state with {}",
                    formula(goal),
                    formula(fair)
                );
                self.rank(ranks, when);
                self.no_rise(ranks);
            }
            SmtCertificate::CaseRank(ranks) => self.push(
                WhyKind::Layer,
                0,
                say!("what falls in one of the cases: {}", formulas(ranks)),
            ),
            SmtCertificate::Tableau => self.push(
                WhyKind::Claim,
                0,
                "the system together with the tableau of the denied formula has no fair run",
            ),
            SmtCertificate::Recurrent(condition) => self.recurrent(condition),
            SmtCertificate::Visits { most, condition } => self.visits(*most, condition),
            SmtCertificate::Counter { name, counts } => self.push(
                WhyKind::Claim,
                0,
                say!(
                    "{} counts {}",
                    formula(name),
                    Sentence::from(counts.as_str())
                ),
            ),
            SmtCertificate::System(values) => self.push(
                WhyKind::Claim,
                0,
                say!("this is about the system with {}", formulas(values)),
            ),
            SmtCertificate::Word => self.push(
                WhyKind::Claim,
                0,
                "nothing but the word of the solver carries the proof",
            ),
        }
    }

    fn chosen_rank(&mut self, rank: &str, goal: &str) {
        let text = match rank {
            "0" => say!(
                "in every state on the way, some step reaches {}",
                formula(goal)
            ),
            rank => say!(
                "in every state on the way, some step reaches {}, or makes {} smaller, which is not negative there",
                formula(goal),
                formula(rank)
            ),
        };
        self.push(WhyKind::CanHappen, 0, text);
    }

    fn visits(&mut self, most: i64, condition: &str) {
        let text = match most {
            0 => say!(
                "{} is false in no state that has a next one",
                formula(condition)
            ),
            most => say!(
                "{} is false in at most {} of every run that have a next one",
                formula(condition),
                count(usize::try_from(most).unwrap_or(usize::MAX), "state")
            ),
        };
        self.push(WhyKind::MustHappen, 0, text);
    }

    /// "from every initial state"
    fn start(&self) -> &'static str {
        match self.reason.after_run {
            true => "from the last state of the run",
            false => "from every initial state",
        }
    }

    fn bound(&mut self, steps: usize) {
        let text = match steps {
            0 => say!(
                "{} shows it",
                match self.reason.after_run {
                    true => "the last state of the run",
                    false => "every initial state",
                }
            ),
            steps => say!(
                "{}, looking {} ahead shows it",
                self.start(),
                count(steps, "step")
            ),
        };
        self.push(WhyKind::Claim, 0, text);
    }

    fn paths(&mut self, paths: usize, at_once: bool) {
        let start = self.start();
        let text = match (at_once, paths) {
            (true, _) => say!(
                "{}, it is so at once, or one of {} can be taken that shows it",
                start,
                count(paths, "path")
            ),
            (false, 1) => say!("{}, a path can be taken that shows it", start),
            (false, paths) => say!(
                "{}, one of {} can be taken, each of which shows it",
                start,
                count(paths, "path")
            ),
        };
        self.push(WhyKind::CanHappen, 0, text);
    }

    fn reach(&mut self, every: bool, from: &SmtStart, goal: &str, steps: usize) {
        let from = match from {
            SmtStart::Initial => self.start().into(),
            SmtStart::Reachable => "from every reachable state".into(),
            SmtStart::Where(condition) => {
                say!("from every reachable state where {}", formula(condition))
            }
        };
        let (kind, run) = match (every, self.reason.endless_only) {
            (true, true) => (WhyKind::MustHappen, "every endless run"),
            (true, false) => (WhyKind::MustHappen, "every run"),
            (false, _) => (WhyKind::CanHappen, "some run"),
        };
        let text = match steps {
            0 => say!("{}, {} holds at once", from, formula(goal)),
            steps => say!(
                "{}, {} reaches {} within {}",
                from,
                run,
                formula(goal),
                count(steps, "step")
            ),
        };
        self.push(kind, 0, text);
    }

    fn induction(&mut self, states: usize, condition: &[String], until: Option<&str>) {
        let (what, verb) = (
            formulas(condition),
            if condition.len() == 1 { "is" } else { "are" },
        );
        let steps = self.steps(until);
        let text = match (states, self.reason.after_run) {
            (1, false) => say!(
                "{} {} true at the start, and {} keeps it so",
                what,
                verb,
                steps
            ),
            (1, true) => say!(
                "{} {} true in the last state of the run, and {} keeps it so",
                what,
                verb,
                steps
            ),
            (states, false) => say!(
                "{} {} true in the first {} of every run, and {} from {} such states in a row keeps it so",
                what,
                verb,
                count(states, "state"),
                steps,
                states
            ),
            (states, true) => say!(
                "{} {} true in the first {} of every run from there, and {} from {} such states in a row keeps it so",
                what,
                verb,
                count(states, "state"),
                steps,
                states
            ),
        };
        self.push(WhyKind::Invariant, 0, text);
    }

    /// "every step", "every step before `q`"
    fn steps(&self, until: Option<&str>) -> Sentence {
        match until {
            Some(until) => say!("every step before {}", formula(until)),
            None => "every step".into(),
        }
    }

    fn invariant(&mut self, condition: &[String], until: Option<&str>, implies: Option<&str>) {
        let start = match self.reason.after_run {
            true => "true in the last state of the run",
            false => "true at the start",
        };
        let implies = match implies {
            Some(implied) if condition != [implied.to_string()] => {
                say!(", and {} follows from it", formula(implied))
            }
            _ => Sentence::default(),
        };
        let head = say!("{}, and kept by {}{}:", start, self.steps(until), implies);
        self.conditions(WhyKind::Invariant, head, condition);
    }

    fn conditions(&mut self, kind: WhyKind, head: Sentence, condition: &[String]) {
        self.push(kind, 0, head);
        let shown = match self.full || condition.len() <= LINES + 1 {
            true => condition.len(),
            false => LINES,
        };
        for part in &condition[..shown] {
            self.push(WhyKind::Clause, 1, formula(part));
        }
        if shown < condition.len() {
            self.push(
                WhyKind::More,
                1,
                say!("and {} more", condition.len() - shown),
            );
        }
    }

    fn rank(&mut self, ranks: &[String], when: Sentence) {
        let text = match ranks {
            [] => say!("{}: there is no such step", when),
            [rank] => say!(
                "{}, {} falls, and is not negative before",
                when,
                formula(rank)
            ),
            ranks => say!(
                "{}, one of {} falls that is not negative before, and none listed before it rises",
                when,
                formulas(ranks)
            ),
        };
        self.push(WhyKind::MustHappen, 0, text);
    }

    fn no_rise(&mut self, ranks: &[String]) {
        let text = match ranks.len() {
            0 => return,
            1 => "it rises with no other step",
            _ => "with other steps none of them rises, unless one listed before it falls",
        };
        self.push(WhyKind::Layer, 1, text);
    }

    fn distance(&mut self, conditions: &[String], all: usize, goal: &str) {
        let text = say!(
            "with every step that does not reach {}, the first of these {} conditions that is true comes earlier in the list:",
            formula(goal),
            all
        );
        self.push(WhyKind::MustHappen, 0, text);
        let (last, first) = match conditions.split_last() {
            Some((last, first)) if conditions.len() < all => (Some(last), first),
            _ => (None, conditions),
        };
        for condition in first {
            self.push(WhyKind::Layer, 1, formula(condition));
        }
        if let Some(last) = last {
            self.push(WhyKind::Layer, 1, say!("... up to {}", formula(last)));
        }
    }

    fn recurrent(&mut self, condition: &[String]) {
        let text = match condition {
            // That a run can stay there is told already.
            [one] if self.reason.after_run => {
                say!(
                    "where {}, some step leads to such a state again",
                    formula(one)
                )
            }
            [one] => say!(
                "a run can stay in {} for ever: from every such state some step leads to such a state",
                formula(one)
            ),
            _ => "a run can stay for ever in the states with:".into(),
        };
        match condition {
            [_] => self.push(WhyKind::CanHappen, 0, text),
            all => {
                self.conditions(WhyKind::CanHappen, text, all);
                self.push(
                    WhyKind::Ring,
                    0,
                    "from every such state some step leads to such a state",
                );
            }
        }
    }
}

fn formulas(all: &[String]) -> Sentence {
    let all: Vec<Sentence> = all.iter().map(formula).collect();
    match all.is_empty() {
        true => joined(&all, ""),
        false => super::list(&all),
    }
}
