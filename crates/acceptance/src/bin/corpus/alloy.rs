//! Compares our answers to the commands of a folder of Alloy models with those recorded.
//!
//! `FOLDER/oracle.tsv` has a row for each command. A recorded answer must be ours, a recorded error one of
//! the same kind; what the peer did not decide is tried. Numbers of instances, with all symmetric ones, do
//! not depend on the translation, and must be those of the peer.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use wherefore_acceptance::alloy::{AlloyFile, CommandVerdict, RecordedVerdict, rows};
use wherefore_base::Budget;
use wherefore_driver::subjects::alloy::{AlloyOptions, AlloySubject, AnswerExtent, CommandOutcome};
use wherefore_relational::SearchOptions;
use wherefore_sat::Strongest;

/// The most memory a command may use.
const MEMORY: usize = 2 << 30;

/// At least this many recorded answers are ours.
const ANSWERS: usize = 218;
/// So many recorded errors are ours.
const ERRORS: usize = 8;

/// Numbers of instances with all symmetric ones; counting stops at [`MANY`].
const COUNTS: [(&str, usize, usize); 8] = [
    ("extra/book/chapter2/addressBook1a.als", 0, 470),
    ("extra/book/chapter2/addressBook1c.als", 0, 0),
    ("extra/book/chapter2/addressBook2a.als", 0, MANY),
    ("extra/book/appendixA/barbers.als", 0, 0),
    ("extra/book/appendixA/phones.als", 0, MANY),
    ("extra/book/appendixA/prison.als", 0, MANY),
    ("extra/examples/toys/ceilingsAndFloors.als", 0, 4),
    ("extra/examples/toys/ceilingsAndFloors.als", 2, 36),
];
const MANY: usize = 3000;

/// What a comparison came to.
#[derive(Default)]
pub(crate) struct Total {
    rows: usize,
    answers: usize,
    errors: usize,
    counts: usize,
    /// Commands that the peer did not decide, and we do.
    more: usize,
    undecided: Vec<String>,
    pub(crate) problems: usize,
}

impl Total {
    /// The sums, in a sentence.
    pub(crate) fn line(&self) -> String {
        format!(
            "{} of {} Alloy commands answered as recorded, {} refused as recorded, {} more answered; {} numbers \
             of instances equal; {} problems",
            self.answers, self.rows, self.errors, self.more, self.counts, self.problems,
        )
    }

    /// What could not be decided.
    pub(crate) fn undecided(&self) -> &[String] {
        &self.undecided
    }

    /// Why the run does not count, if as much as before could not be compared.
    pub(crate) fn shortfall(&self) -> Option<String> {
        let enough =
            self.answers >= ANSWERS && self.errors == ERRORS && self.counts == COUNTS.len();
        (!enough).then(|| {
            format!("at least {ANSWERS} answers, {ERRORS} errors and all numbers of instances are expected")
        })
    }
}

/// Asks every command of a recorded table whose file is wanted, on all cores.
pub(crate) fn compare(folder: &Path, wanted: impl Fn(&str) -> bool, time: Duration) -> Total {
    let mut total = Total::default();
    let Ok(table) = std::fs::read_to_string(folder.join("oracle.tsv")) else {
        return total;
    };
    let rows: Vec<RecordedVerdict> = rows(&table)
        .into_iter()
        .filter(|row| wanted(&row.path))
        .collect();
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..workers {
            let send = send.clone();
            let (rows, next) = (&rows, &next);
            scope.spawn(move || {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let verdict = answer(folder, row, time);
                    if send.send((row, verdict, start.elapsed())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (row, verdict, took) in receive {
            total.add(row, &verdict, took);
        }
    });
    for (path, number, recorded) in COUNTS.into_iter().filter(|count| wanted(count.0)) {
        match count(folder, path, number, time) {
            Ok(found) if found == recorded => total.counts += 1,
            Ok(found) => total.wrong(&format!(
                "{path} {number}: {recorded} instances, they say; we find {found}"
            )),
            Err(why) => total.wrong(&format!("{path} {number}: not counted: {why}")),
        }
    }
    total
}

impl Total {
    fn add(&mut self, row: &RecordedVerdict, verdict: &CommandVerdict, took: Duration) {
        self.rows += 1;
        let name = format!("{} {} {}", row.path, row.number, row.label);
        println!("{name}: {}, {:.2} s", told(verdict), took.as_secs_f64());
        match (&row.verdict, verdict) {
            (_, CommandVerdict::Stopped) => self.undecided.push(name),
            (None, CommandVerdict::Sat | CommandVerdict::Unsat) => self.more += 1,
            (Some(CommandVerdict::Refused(theirs, _)), CommandVerdict::Refused(ours, _))
                if theirs == ours =>
            {
                self.errors += 1;
            }
            (Some(recorded), ours) if recorded == ours => self.answers += 1,
            (recorded, ours) => {
                let recorded = recorded.as_ref().map_or("nothing".to_string(), told);
                self.wrong(&format!(
                    "{name}: {recorded}, they say; we say {}",
                    told(ours)
                ));
            }
        }
    }

    fn wrong(&mut self, what: &str) {
        println!("    WRONG: {what}");
        self.problems += 1;
    }
}

fn answer(folder: &Path, row: &RecordedVerdict, time: Duration) -> CommandVerdict {
    let budget = Budget::new(Some(time), Some(MEMORY));
    let file = match read(folder, &row.path, &budget) {
        Ok(file) => file,
        Err(why) => return why,
    };
    // What nobody has decided yet is asked as a user asks it: the complete system may say it.
    let told = row.verdict.is_none().then(|| whole(folder, row, &budget));
    if let Some(verdict) = told.flatten() {
        return verdict;
    }
    let decided = file.decide::<Strongest>(row.number, &SearchOptions::default(), &budget, || {
        Duration::ZERO
    });
    let unnamed = row.label.contains('$');
    match file.label(row.number) {
        Some(label) if !unnamed && label != row.label => {
            other(format!("the command is named {label}"))
        }
        _ => decided.verdict,
    }
}

/// What a session says of a command about a transition system; none where it does not know.
fn whole(folder: &Path, row: &RecordedVerdict, budget: &Budget) -> Option<CommandVerdict> {
    let session = AlloySubject::open(&folder.join(&row.path), None, budget).ok()?;
    if !session.describes_system() || row.number >= session.commands().len() {
        return None;
    }
    let choices = AlloyOptions {
        why: false,
        reach: AnswerExtent::Auto,
        ..AlloyOptions::default()
    };
    match session.answer(row.number, &choices, budget).outcome {
        CommandOutcome::Found { .. } => Some(CommandVerdict::Sat),
        CommandOutcome::Nothing => Some(CommandVerdict::Unsat),
        _ => None,
    }
}

fn count(folder: &Path, path: &str, number: usize, time: Duration) -> Result<usize, String> {
    let budget = Budget::new(Some(time), Some(MEMORY));
    let options = SearchOptions {
        symmetry: 0,
        ..SearchOptions::default()
    };
    read(folder, path, &budget)
        .and_then(|file| file.count::<Strongest>(number, &options, MANY, &budget))
        .map_err(|verdict| told(&verdict))
}

fn read(folder: &Path, path: &str, budget: &Budget) -> Result<AlloyFile, CommandVerdict> {
    let modules = folder.join("tcmc-modules");
    let read = AlloyFile::read(&folder.join(path), &modules, budget);
    read.map_err(|error| other(error.to_string()))
}

fn other(message: String) -> CommandVerdict {
    CommandVerdict::Refused(wherefore_acceptance::alloy::RefusalReason::Other, message)
}

fn told(verdict: &CommandVerdict) -> String {
    match verdict {
        CommandVerdict::Sat => "satisfiable".to_string(),
        CommandVerdict::Unsat => "not satisfiable".to_string(),
        CommandVerdict::Stopped => "not decided in time".to_string(),
        CommandVerdict::Refused(_, why) => format!("refused: {why}"),
    }
}
