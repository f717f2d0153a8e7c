//! Commands of Alloy models, as the corpus runner and the bench ask them.
//!
//! A command is decided over all shapes of traces that its scope allows, one after the other; what does
//! not change over time has one shape. Every instance is checked by the evaluator of the relational crate.

use std::io;
use std::path::Path;
use std::time::Duration;

use wherefore_alloy::model::Command;
use wherefore_alloy::{
    LoadedAlloy, LoweringOptions, TraceShape, load, lower_lassos, rounds, scopes,
};
use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_relational::{ProblemRefusal, Search, SearchOptions, Size};
use wherefore_sat::Solver;
use wherefore_tcmc::order_states;

/// What became of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandVerdict {
    /// There is an instance, or a counterexample.
    Sat,
    /// There is none in the scope.
    Unsat,
    /// The budget ended first.
    Stopped,
    /// It cannot be asked.
    Refused(RefusalReason, String),
}

/// Why a command cannot be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalReason {
    /// A quantifier over sets has no witness.
    HigherOrder,
    /// A signature has no scope.
    Scope,
    /// Traces have no bound.
    Unbounded,
    /// Anything else.
    Other,
}

impl RefusalReason {
    /// The reason in a message, of ours or of the peer's.
    pub fn of(message: &str) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
        if has(&[
            "higher-order quantification",
            "stands for a set or a relation",
        ]) {
            RefusalReason::HigherOrder
        } else if has(&["specify a scope"]) {
            RefusalReason::Scope
        } else if has(&["complete model checking", "Traces of any length"]) {
            RefusalReason::Unbounded
        } else {
            RefusalReason::Other
        }
    }
}

/// A decided command, and what it took.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What became of it.
    pub verdict: CommandVerdict,
    /// The largest problem that a solver was given.
    pub size: Size,
    /// From the model to clauses.
    pub translate: Duration,
    /// From clauses to the answer.
    pub solve: Duration,
}

/// A model that was read.
pub struct AlloyFile {
    loaded: LoadedAlloy,
}

impl AlloyFile {
    /// Reads a model; a module that is not found where it should be is looked for in another folder.
    ///
    /// # Errors
    /// When the file itself cannot be read.
    pub fn read(path: &Path, elsewhere: &Path, budget: &Budget) -> io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(path.to_string_lossy(), text));
        let mut find = |name: &str| {
            let base = name.rsplit('/').next().unwrap_or(name);
            let read = |path: &Path| std::fs::read_to_string(path).ok();
            read(Path::new(name)).or_else(|| read(&elsewhere.join(base)))
        };
        let loaded = load(&mut sources, file, None, &mut find, budget);
        let loaded = loaded.map_err(io::Error::other)?;
        Ok(Self { loaded })
    }

    /// The first error of the model.
    pub fn error(&self) -> Option<&str> {
        let error = self.loaded.diagnostics.iter().find(|d| d.is_error());
        error.map(|error| error.message.as_str())
    }

    /// The label of a command.
    pub fn label(&self, number: usize) -> Option<&str> {
        let command = self.loaded.model.commands.get(number)?;
        Some(&command.label)
    }

    /// Decides a command; time is read from a clock.
    pub fn decide<S: Solver>(
        &self,
        number: usize,
        options: &SearchOptions,
        budget: &Budget,
        clock: fn() -> Duration,
    ) -> Decided {
        let mut decided = Decided {
            verdict: CommandVerdict::Unsat,
            size: Size::default(),
            translate: Duration::ZERO,
            solve: Duration::ZERO,
        };
        let found = self.each_round::<S>(number, options, budget, clock, &mut |search, start| {
            let translated = clock();
            decided.translate += translated - start;
            if search.size().clauses >= decided.size.clauses {
                decided.size = search.size();
            }
            let found = search.next(budget);
            decided.solve += clock() - translated;
            Ok(found?.is_some())
        });
        decided.verdict = match found {
            Ok(true) => CommandVerdict::Sat,
            Ok(false) => CommandVerdict::Unsat,
            Err(verdict) => verdict,
        };
        decided
    }

    /// How many instances a command has, up to a number.
    ///
    /// # Errors
    /// What became of the command instead.
    pub fn count<S: Solver>(
        &self,
        number: usize,
        options: &SearchOptions,
        most: usize,
        budget: &Budget,
    ) -> Result<usize, CommandVerdict> {
        let mut count = 0;
        let clock = || Duration::ZERO;
        self.each_round::<S>(number, options, budget, clock, &mut |search, _| {
            while count < most && search.next(budget)?.is_some() {
                count += 1;
            }
            Ok(count == most)
        })?;
        Ok(count)
    }

    /// Translates the command in one round of growing scopes after the other, until it is enough. The longest
    /// traces decide for all.
    fn each_round<S: Solver>(
        &self,
        number: usize,
        options: &SearchOptions,
        budget: &Budget,
        clock: fn() -> Duration,
        then: SearchVisitor<'_, S>,
    ) -> Result<bool, CommandVerdict> {
        if let Some(error) = self.error() {
            return Err(told(error));
        }
        let command = self.command(number)?;
        let model = &self.loaded.model;
        for command in rounds(command) {
            let start = clock();
            let bounds = scopes(model, &command, &[]).map_err(|d| told(&d.message))?;
            let states = TraceShape::longest(&bounds);
            let mut lowered = lower_lassos(model, &command, &LoweringOptions::default(), states)
                .map_err(|d| told(&d.message))?;
            order_states(model, &mut lowered);
            let enough = Search::new(&lowered.problem, options, budget)
                .and_then(|mut search| then(&mut search, start));
            match enough {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(ProblemRefusal::Stopped(_)) => return Err(CommandVerdict::Stopped),
                Err(refusal) => return Err(told(&refusal.to_string())),
            }
        }
        Ok(false)
    }

    fn command(&self, number: usize) -> Result<&Command, CommandVerdict> {
        let command = self.loaded.model.commands.get(number);
        command.ok_or_else(|| told("there is no such command"))
    }
}

/// What is done with a search that began at some time; whether that is enough.
type SearchVisitor<'a, S> =
    &'a mut dyn FnMut(&mut Search<'_, S>, Duration) -> Result<bool, ProblemRefusal>;

fn told(message: &str) -> CommandVerdict {
    CommandVerdict::Refused(RefusalReason::of(message), message.to_string())
}

/// A row of the recorded verdicts of a peer.
#[derive(Clone, Debug)]
pub struct RecordedVerdict {
    /// The model, relative to the folder.
    pub path: String,
    /// Which of its commands, from 0.
    pub number: usize,
    /// The label of the command.
    pub label: String,
    /// What the peer says; nothing if it did not come to an end.
    pub verdict: Option<CommandVerdict>,
    /// Variables that make the instance, all variables, and clauses.
    pub size: [Option<usize>; 3],
    /// CPU milliseconds of the peer to translate and to solve, if both are known.
    pub cpu: Option<f64>,
}

/// Reads a table of recorded verdicts.
pub fn rows(table: &str) -> Vec<RecordedVerdict> {
    table.lines().skip(1).filter_map(row).collect()
}

fn row(line: &str) -> Option<RecordedVerdict> {
    let cells: Vec<String> = line.split('\t').map(unquoted).collect();
    let [path, number, _, label, result, primary, clauses, ..] = &cells[..] else {
        return None;
    };
    let verdict = match result.as_str() {
        "SAT" => Some(CommandVerdict::Sat),
        "UNSAT" => Some(CommandVerdict::Unsat),
        error if error.starts_with("ERROR") => Some(told(error)),
        _ => None,
    };
    let cell = |place: usize| cells.get(place).map_or("", String::as_str);
    let milliseconds = |place: usize| cell(place).parse::<f64>().ok();
    let cpu = milliseconds(12).zip(milliseconds(13)).map(|(a, b)| a + b);
    Some(RecordedVerdict {
        path: path.clone(),
        number: number.parse().ok()?,
        label: label.clone(),
        verdict,
        size: [primary, cell(11), clauses].map(|cell| cell.parse().ok()),
        cpu,
    })
}

/// A cell without the quotation marks around it.
fn unquoted(cell: &str) -> String {
    let inner = cell
        .strip_prefix('"')
        .and_then(|cell| cell.strip_suffix('"'));
    inner.map_or_else(|| cell.to_string(), |cell| cell.replace("\"\"", "\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_verdicts_is_read() {
        let table = "path\tcmd\n\
             a.als\t2\tcheck\t\"Below\"\"\"\tUNSAT\t10\t30\t1\t2\tfor 3\t-1\t20\t5\t7\n\
             b.als\t0\trun\tshow\tTIMEOUT\t10\t30\t1\t-\tfor 3\t-1\t20\t\t\n\
             c.als\t0\trun\tshow\t\"ERROR You must specify a scope for sig \"\"A\"\"\"\t\t\n";
        let rows = rows(table);
        assert_eq!(rows[0].label, "Below\"");
        assert_eq!((rows[0].number, rows[0].cpu), (2, Some(12.0)));
        assert_eq!(rows[0].size, [Some(10), Some(20), Some(30)]);
        assert_eq!(rows[0].verdict, Some(CommandVerdict::Unsat));
        assert_eq!((&rows[1].verdict, rows[1].cpu), (&None, None));
        let refused = matches!(
            rows[2].verdict,
            Some(CommandVerdict::Refused(RefusalReason::Scope, _))
        );
        assert!(refused);
    }
}
