//! Solvers: which there are, and a conversation with one.
//!
//! A [`SolverDialogue`] speaks SMT-LIB with one process: definitions and assertions go in, and after each question it
//! asks the solver to echo a mark of its own. Only an answer that stands alone between two marks counts, so an
//! error about an earlier assertion can never be taken for the answer that follows it.

use std::time::Duration;

use wherefore_base::Budget;

use crate::process::{Process, ProcessLimits, speaks_of_memory};
use crate::trouble::SolverTrouble;

/// What z3 may spend on one question where time is not limited: about ten seconds or twenty.
const Z3_EFFORT: u64 = 100_000_000;

/// The same for cvc5.
const CVC5_EFFORT: u64 = 8_000_000;

/// A solver that can be started: `z3 4.8.12: z3 -in -smt2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtSolver {
    /// What it is called.
    pub name: String,
    /// Its version, if it told one.
    pub version: Option<String>,
    /// The program and its arguments; it reads SMT-LIB from its input.
    pub command: Vec<String>,
    /// What it can do beyond SMT-LIB.
    pub kind: SolverKind,
}

/// The kind of a solver: what may be asked of it beyond SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverKind {
    /// Z3, with its tactics and with Spacer.
    Z3,
    /// cvc5, with its induction.
    Cvc5,
    /// Any other.
    Other,
}

impl SmtSolver {
    /// z3, as it is found on the path.
    pub fn z3() -> Self {
        Self::named("z3", SolverKind::Z3, &["z3", "-in", "-smt2"])
    }

    /// cvc5, as it is found on the path.
    pub fn cvc5() -> Self {
        let command = [
            "cvc5",
            "--lang=smt2",
            "--incremental",
            "--produce-models",
            "--quiet",
        ];
        Self::named("cvc5", SolverKind::Cvc5, &command)
    }

    /// A solver started by a command line, whose words are separated by spaces. A program called `z3` or `cvc5`
    /// is known by its name; if it comes without arguments, it gets those it needs to read its input.
    pub fn by_command(line: &str) -> Option<Self> {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let program = words.first()?;
        let name = program.rsplit('/').next().unwrap_or(program).to_string();
        let known = match name.as_str() {
            "z3" => Some(Self::z3()),
            "cvc5" => Some(Self::cvc5()),
            _ => None,
        };
        Some(match known {
            Some(known) if words.len() == 1 => {
                let mut command = known.command;
                command[0].clone_from(program);
                Self { command, ..known }
            }
            Some(known) => Self {
                command: words,
                ..known
            },
            None => Self {
                name,
                version: None,
                command: words,
                kind: SolverKind::Other,
            },
        })
    }

    /// The solvers among z3 and cvc5 that can be started here, with their versions.
    pub fn installed(budget: &Budget) -> Vec<Self> {
        let known = [Self::z3(), Self::cvc5()];
        let with_version = known.into_iter().filter_map(|solver| {
            let version = solver.ask_version(budget)?;
            Some(Self {
                version: Some(version),
                ..solver
            })
        });
        with_version.collect()
    }

    /// The same solver with more arguments.
    #[must_use]
    pub fn with(&self, arguments: &[&str]) -> Self {
        let mut other = self.clone();
        let more = arguments.iter().map(|argument| (*argument).to_string());
        other.command.extend(more);
        other
    }

    /// `z3 4.8.12`.
    pub fn title(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }

    /// The option that limits what one question may cost where nobody limits its time; in units of the solver, so that the
    /// answer does not depend on the machine.
    fn effort(&self) -> Option<String> {
        match self.kind {
            SolverKind::Z3 => Some(format!("(set-option :rlimit {Z3_EFFORT})")),
            SolverKind::Cvc5 => Some(format!("(set-option :rlimit-per {CVC5_EFFORT})")),
            SolverKind::Other => None,
        }
    }

    fn named(name: &str, kind: SolverKind, command: &[&str]) -> Self {
        Self {
            name: name.to_string(),
            version: None,
            command: command.iter().map(|word| (*word).to_string()).collect(),
            kind,
        }
    }

    /// The first thing in the answer to `--version` that looks like a version.
    fn ask_version(&self, budget: &Budget) -> Option<String> {
        let command = [self.command[0].clone(), "--version".to_string()];
        let mut process = Process::start(&command, ProcessLimits::default(), budget).ok()?;
        process.finish();
        let soon = std::time::Instant::now().checked_add(Duration::from_secs(10));
        loop {
            let word = process.receive(soon, budget).ok()?;
            let looks = |c: char| c.is_ascii_digit() || c == '.';
            let version: String = word.chars().take_while(|&c| looks(c)).collect();
            if version.contains('.') && version.starts_with(|c: char| c.is_ascii_digit()) {
                return Some(version);
            }
        }
    }
}

/// What a solver says about the satisfiability of what it was told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Satisfiability {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// It cannot say: why.
    Unknown(String),
}

/// A conversation with one solver.
#[derive(Debug)]
pub struct SolverDialogue {
    process: Process,
    solver: SmtSolver,
    marks: u64,
    /// Commands that are not sent yet.
    pending: String,
    said: Option<String>,
}

impl SolverDialogue {
    /// Starts a solver and agrees on a logic.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(
        solver: &SmtSolver,
        logic: &str,
        limits: ProcessLimits,
        budget: &Budget,
    ) -> Result<Self, SolverTrouble> {
        let process = Process::start(&solver.command, limits, budget)?;
        let mut session = Self {
            process,
            solver: solver.clone(),
            marks: 0,
            pending: String::new(),
            said: None,
        };
        session.tell("(set-option :print-success false)");
        session.tell("(set-option :produce-models true)");
        if budget.time_left().is_none()
            && let Some(option) = solver.effort()
        {
            session.tell(&option);
        }
        session.tell(&format!("(set-logic {logic})"));
        Ok(session)
    }

    /// Keeps what is said from now on, for [`SolverDialogue::transcript`].
    pub fn keep_transcript(&mut self) {
        self.said.get_or_insert_default();
    }

    /// What was told since [`SolverDialogue::keep_transcript`].
    pub fn transcript(&self) -> &str {
        self.said.as_deref().unwrap_or_default()
    }

    /// The solver it is with.
    pub fn solver(&self) -> &SmtSolver {
        &self.solver
    }

    /// Sends a command that has no answer.
    pub fn tell(&mut self, command: &str) {
        for text in [Some(&mut self.pending), self.said.as_mut()]
            .into_iter()
            .flatten()
        {
            text.push_str(command);
            text.push('\n');
        }
        // Long definitions go ahead while we still write.
        if self.pending.len() > 1 << 16 {
            self.flush();
        }
    }

    /// Asserts a formula.
    pub fn assert(&mut self, formula: &str) {
        self.tell(&format!("(assert {formula})"));
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.tell("(push 1)");
    }

    /// Leaves the innermost scope.
    pub fn pop(&mut self) {
        self.tell("(pop 1)");
    }

    /// Whether what was told has a model.
    ///
    /// # Errors
    /// Whatever keeps the solver from answering; after that nothing more can be asked of it.
    pub fn check(&mut self, budget: &Budget) -> Result<Satisfiability, SolverTrouble> {
        self.check_by("(check-sat)", budget)
    }

    /// The same with another command, as `(check-sat-using qsat)`.
    ///
    /// # Errors
    /// As for [`SolverDialogue::check`].
    pub fn check_by(
        &mut self,
        command: &str,
        budget: &Budget,
    ) -> Result<Satisfiability, SolverTrouble> {
        let answer = self.ask(command, budget)?;
        match answer.as_str() {
            "sat" => Ok(Satisfiability::Sat),
            "unsat" => Ok(Satisfiability::Unsat),
            "unknown" => Ok(Satisfiability::Unknown(self.reason(budget))),
            "timeout" => Err(SolverTrouble::TimeOut),
            _ => Err(SolverTrouble::Garbage(shortened(&answer))),
        }
    }

    /// The values of terms in the model that was found: `((x 4) (y (- 1)))`.
    ///
    /// # Errors
    /// As for [`SolverDialogue::check`].
    pub fn values(&mut self, terms: &[String], budget: &Budget) -> Result<String, SolverTrouble> {
        self.ask(&format!("(get-value ({}))", terms.join(" ")), budget)
    }

    /// Asks something that has one response.
    ///
    /// # Errors
    /// As for [`SolverDialogue::check`].
    pub fn ask(&mut self, command: &str, budget: &Budget) -> Result<String, SolverTrouble> {
        self.marks += 1;
        let mark = format!("wherefore-{}", self.marks);
        self.tell(command);
        // The mark goes past `tell`, since it is no part of the transcript.
        self.pending.push_str(&format!("(echo \"{mark}\")\n"));
        self.flush();
        let until = self.process.until();
        let mut answer = None;
        loop {
            let response = self.process.receive(until, budget)?;
            if response.trim_matches('"') == mark {
                break;
            }
            if response.starts_with("(error") {
                let said = shortened(
                    response
                        .trim_start_matches("(error")
                        .trim_end_matches(')')
                        .trim(),
                );
                return Err(match speaks_of_memory(&said) {
                    true => SolverTrouble::Memory,
                    false => SolverTrouble::Error(said),
                });
            }
            if answer.is_some() {
                return Err(SolverTrouble::Garbage(shortened(&response)));
            }
            answer = Some(response);
        }
        answer.ok_or_else(|| SolverTrouble::Garbage("nothing".to_string()))
    }

    fn flush(&mut self) {
        self.process.send(std::mem::take(&mut self.pending));
    }

    fn reason(&mut self, budget: &Budget) -> String {
        let reason = self
            .ask("(get-info :reason-unknown)", budget)
            .unwrap_or_default();
        let inner = reason
            .trim_start_matches("(:reason-unknown")
            .trim_end_matches(')');
        let inner = inner.trim().trim_matches('"');
        match inner {
            "" => "no reason given".to_string(),
            "max. resource limit exceeded" | "canceled" | "resourceout" => {
                "that takes too much effort".to_string()
            }
            _ => shortened(inner),
        }
    }
}

/// The beginning of what a solver said, on one line.
fn shortened(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(160) {
        Some((at, _)) => format!("{}...", &line[..at]),
        None => line,
    }
}
