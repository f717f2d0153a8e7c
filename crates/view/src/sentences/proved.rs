//! Why SMT solvers say that a property holds or fails, in words: what carries the proof, and what they were asked.
//!
//! Each line says what queries without a model show; a certificate has a sentence of its own and nothing beyond it.

use wherefore_evidence::{ProofStart, SmtCertificate, SmtStart, SolverReason, StateReason};
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
    told.certificates();
    for claim in &reason.at_states {
        told.at_state(claim);
    }
    let inner = reason.at_states.iter().map(|claim| &claim.reason);
    let asked = std::iter::once(reason).chain(inner).flat_map(|r| &r.claims);
    let asked: Vec<&String> = asked.filter(|_| full).collect();
    if !asked.is_empty() {
        told.push(
            WhyKind::Claim,
            0,
            "solvers were asked, and found no exception:",
        );
    }
    for claim in asked {
        told.push(WhyKind::Clause, 1, claim.as_str());
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

/// "every initial state", "step 3", "step 3 of run 2"
fn of_step(start: ProofStart) -> Sentence {
    match start {
        ProofStart::Initial => "every initial state".into(),
        ProofStart::Step { run: 0, step } => say!("step {}", step),
        ProofStart::Step { run, step } => say!("step {} of run {}", step, run + 1),
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

    fn certificates(&mut self) {
        for certificate in &self.reason.certificates {
            self.certificate(certificate);
        }
    }

    /// What is proved of a state of a run, with its reason below it.
    fn at_state(&mut self, claim: &StateReason) {
        let (here, reason) = (of_step(claim.reason.start), &claim.reason);
        let what = formula(&claim.formula);
        // Who checked the proof of all initial states is said at its head.
        let head = match reason.checked_by == self.reason.checked_by {
            true => say!("{} holds at {}:", what, here),
            false => say!("{} holds at {} ({}):", what, here, reason.standing()),
        };
        self.push(WhyKind::Claim, 0, head);
        let mut below = ProvedLines {
            reason,
            full: self.full,
            lines: Vec::new(),
        };
        below.certificates();
        for line in below.lines {
            self.push(line.kind, line.depth + 1, line.text);
        }
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
                "the solver gave no certificate: its word is the only proof",
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
                "in every state on the way, some step reaches {}, or makes {} smaller, which is 0 or more there",
                formula(goal),
                formula(rank)
            ),
        };
        self.push(WhyKind::CanHappen, 0, text);
    }

    fn visits(&mut self, most: i64, condition: &str) {
        let text = match most {
            0 => say!(
                "{} is true in every state that has a next one",
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

    /// "from every initial state", "from step 3"
    fn start(&self) -> Sentence {
        match self.reason.start {
            ProofStart::Initial => "from every initial state".into(),
            step => say!("from {}", of_step(step)),
        }
    }

    fn bound(&mut self, steps: usize) {
        let text = match steps {
            0 => say!("{} shows it", of_step(self.reason.start)),
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
            SmtStart::Initial => self.start(),
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
        let text = match (states, self.reason.start) {
            (1, ProofStart::Initial) => say!(
                "{} {} true at the start, and {} keeps it so",
                what,
                verb,
                steps
            ),
            (1, step) => say!(
                "{} {} true at {}, and {} keeps it so",
                what,
                verb,
                of_step(step),
                steps
            ),
            (states, start) => say!(
                "{} {} true in the first {} of every run{}, and {} from {} such states in a row keeps it so",
                what,
                verb,
                count(states, "state"),
                match start {
                    ProofStart::Initial => Sentence::default(),
                    step => say!(" from {}", of_step(step)),
                },
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
        let start = match self.reason.start {
            ProofStart::Initial => "true at the start".into(),
            step => say!("true at {}", of_step(step)),
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
            [rank] => say!("{}, {} falls, and is 0 or more before", when, formula(rank)),
            ranks => say!(
                "{}, one of {} falls that is 0 or more before, and none listed before it rises",
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
            [one] if self.reason.start != ProofStart::Initial => {
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
