//! Solvers that misbehave: each leads to an honest trouble, in time, and leaves no process behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Stop};
use wherefore_smtcheck::{
    ProcessLimits, Satisfiability, SmtSolver, SolverDialogue, SolverKind, SolverTrouble, ask_all,
};

/// A folder that is gone with its value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("wherefore-smtcheck-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// A fake solver: a shell script.
    fn solver(&self, name: &str, script: &str) -> SmtSolver {
        let path = self.0.join(name);
        fs::write(&path, script).expect("a script can be written");
        SmtSolver {
            name: name.to_string(),
            version: None,
            command: vec!["sh".to_string(), path.display().to_string()],
            kind: SolverKind::Other,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A script that answers every `(check-sat)` with this and echoes marks.
fn answering(answer: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in\n\
         '(check-sat)') echo '{answer}';;\n\
         '(get-info'*) echo '(:reason-unknown \"too hard\")';;\n\
         '(echo'*) text=${{line#'(echo \"'}}; echo \"${{text%'\")'}}\";;\n\
         esac; done\n"
    )
}

fn ask(
    solver: &SmtSolver,
    limits: ProcessLimits,
    budget: &Budget,
) -> Result<Satisfiability, SolverTrouble> {
    let mut session = SolverDialogue::start(solver, "ALL", limits, budget)?;
    session.assert("true");
    session.check(budget)
}

fn quick() -> ProcessLimits {
    ProcessLimits {
        question: Some(Duration::from_millis(300)),
        memory: None,
    }
}

/// Whether a process with this number is there, alive or as a zombie.
fn exists(pid: &str) -> bool {
    Path::new("/proc").join(pid.trim()).exists()
}

/// The number of the process that a script wrote down.
fn written_pid(path: &Path) -> String {
    let begin = Instant::now();
    loop {
        match fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text,
            _ if begin.elapsed() > Duration::from_secs(20) => panic!("the script wrote no pid"),
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[test]
fn answers_are_heard() {
    let folder = Folder::new("answers");
    let budget = Budget::unlimited();
    for (answer, expected) in [
        ("sat", Satisfiability::Sat),
        ("unsat", Satisfiability::Unsat),
        ("unknown", Satisfiability::Unknown("too hard".to_string())),
    ] {
        let solver = folder.solver(answer, &answering(answer));
        assert_eq!(
            ask(&solver, ProcessLimits::default(), &budget),
            Ok(expected)
        );
    }
}

#[test]
fn a_solver_that_hangs_is_given_up_and_killed_with_its_children() {
    let folder = Folder::new("hangs");
    let (own, child) = (folder.file("own"), folder.file("child"));
    let script = format!(
        "echo $$ > {}; sleep 1000 & echo $! > {}; wait\n",
        own.display(),
        child.display()
    );
    let solver = folder.solver("hangs", &script);
    let begin = Instant::now();
    let limits = ProcessLimits {
        question: Some(Duration::from_millis(1500)),
        memory: None,
    };
    assert_eq!(
        ask(&solver, limits, &Budget::unlimited()),
        Err(SolverTrouble::TimeOut)
    );
    assert!(begin.elapsed() < Duration::from_secs(20));
    let (own, child) = (written_pid(&own), written_pid(&child));
    assert!(!exists(&own), "process {own} is still there");
    let begin = Instant::now();
    // The child has lost its parent: whoever adopts it may take a moment to bury it.
    while exists(&child) && begin.elapsed() < Duration::from_secs(10) {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        if stat.contains(") Z ") {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!exists(&child), "process {child} is still there");
}

#[test]
fn a_cancelled_budget_ends_the_wait_at_once() {
    let folder = Folder::new("cancelled");
    let solver = folder.solver("sleeps", "sleep 1000\n");
    let budget = Budget::unlimited();
    let canceller = budget.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        canceller.stop(Stop::Cancelled);
    });
    let begin = Instant::now();
    let answer = ask(&solver, ProcessLimits::default(), &budget);
    assert_eq!(answer, Err(SolverTrouble::Stopped(Stop::Cancelled)));
    assert!(begin.elapsed() < Duration::from_secs(20));
    thread.join().expect("it ends");
}

#[test]
fn a_solver_that_crashes_is_told_so() {
    let folder = Folder::new("crashes");
    let budget = Budget::unlimited();
    let solver = folder.solver("falls", "echo 'internal trouble' >&2; exit 3\n");
    let died = ask(&solver, ProcessLimits::default(), &budget);
    assert_eq!(
        died,
        Err(SolverTrouble::Died(
            "exit code 3, after \"internal trouble\"".to_string()
        ))
    );
    let solver = folder.solver("killed", "kill -s SEGV $$\n");
    let died = ask(&solver, ProcessLimits::default(), &budget);
    assert_eq!(died, Err(SolverTrouble::Died("signal 11".to_string())));
}

#[test]
fn garbage_is_no_answer() {
    let folder = Folder::new("garbage");
    let budget = Budget::unlimited();
    let solver = folder.solver("mumbles", &answering("maybe"));
    let answer = ask(&solver, ProcessLimits::default(), &budget);
    assert_eq!(answer, Err(SolverTrouble::Garbage("maybe".to_string())));
    let solver = folder.solver("twice", &answering("sat unsat"));
    let answer = ask(&solver, ProcessLimits::default(), &budget);
    assert_eq!(answer, Err(SolverTrouble::Garbage("unsat".to_string())));
    let solver = folder.solver("silent", &answering(""));
    let answer = ask(&solver, ProcessLimits::default(), &budget);
    assert_eq!(answer, Err(SolverTrouble::Garbage("nothing".to_string())));
}

#[test]
fn an_error_about_an_assertion_hides_the_answer_after_it() {
    let folder = Folder::new("error");
    let solver = folder.solver(
        "errs",
        &format!("echo '(error \"line 4: no x\")'\n{}", answering("unsat")),
    );
    let answer = ask(&solver, ProcessLimits::default(), &Budget::unlimited());
    assert_eq!(
        answer,
        Err(SolverTrouble::Error("\"line 4: no x\"".to_string()))
    );
}

#[test]
fn a_solver_that_prints_without_end_is_stopped() {
    let folder = Folder::new("floods");
    let budget = Budget::unlimited();
    let solver = folder.solver("list", "printf '('; yes x\n");
    assert_eq!(
        ask(&solver, ProcessLimits::default(), &budget),
        Err(SolverTrouble::Flood)
    );
    let solver = folder.solver("answers", "yes sat\n");
    let answer = ask(&solver, ProcessLimits::default(), &budget);
    assert_eq!(answer, Err(SolverTrouble::Garbage("sat".to_string())));
}

#[test]
fn a_solver_that_does_not_read_does_not_hold_us_up() {
    let folder = Folder::new("deaf");
    let solver = folder.solver("deaf", "exec sleep 1000\n");
    let budget = Budget::unlimited();
    let mut session = SolverDialogue::start(&solver, "ALL", quick(), &budget).expect("it starts");
    session.tell(&"(assert true)\n".repeat(1 << 18));
    assert_eq!(session.check(&budget), Err(SolverTrouble::TimeOut));
}

#[test]
fn a_solver_that_eats_memory_reaches_its_limit() {
    let folder = Folder::new("eats");
    let script = "exec dd if=/dev/zero of=/dev/null bs=1G count=1\n";
    let solver = folder.solver("eats", script);
    let limits = ProcessLimits {
        memory: Some(64 << 20),
        question: Some(Duration::from_secs(60)),
    };
    assert_eq!(
        ask(&solver, limits, &Budget::unlimited()),
        Err(SolverTrouble::Memory)
    );
}

#[test]
fn a_missing_program_is_missing() {
    let solver = SmtSolver::by_command("/nowhere/no-such-solver --fast").expect("it has a word");
    let answer = ask(&solver, ProcessLimits::default(), &Budget::unlimited());
    assert!(
        matches!(answer, Err(SolverTrouble::Missing(_))),
        "{answer:?}"
    );
    assert_eq!(SmtSolver::by_command("  "), None);
}

#[test]
fn the_first_definite_answer_wins_and_the_others_are_killed() {
    let folder = Folder::new("race");
    let pid = folder.file("pid");
    let slow = folder.solver(
        "slow",
        &format!("echo $$ > {}; sleep 1000\n", pid.display()),
    );
    let unsure = folder.solver("unsure", &answering("unknown"));
    let sure = format!(
        "while [ ! -s {} ]; do sleep 0.01; done; {}",
        pid.display(),
        answering("unsat")
    );
    let sure = folder.solver("sure", &sure);
    let begin = Instant::now();
    let replies = ask_all(
        &[slow, unsure, sure],
        "(assert true)",
        ProcessLimits::default(),
        &Budget::unlimited(),
    );
    assert!(begin.elapsed() < Duration::from_secs(30));
    let last = replies.last().expect("somebody answers");
    assert_eq!(
        (last.solver.name.as_str(), &last.outcome),
        ("sure", &Ok(Satisfiability::Unsat))
    );
    assert!(!exists(&written_pid(&pid)));
}

#[test]
fn nobody_is_asked_when_the_time_is_up() {
    let folder = Folder::new("late");
    let solver = folder.solver("any", &answering("sat"));
    let budget = Budget::new(Some(Duration::ZERO), None);
    let replies = ask_all(&[solver], "", ProcessLimits::default(), &budget);
    assert_eq!(replies, Vec::new());
}

/// Asks a fake solver about a property that real ones decide.
fn decided_by(solver: SmtSolver) -> (wherefore_smtcheck::SmtAnswer, Duration) {
    let text = "
        (define-fun Init ((c Int)) Bool (= c 0))
        (define-fun Next ((c Int) (d Int)) Bool (= d (+ c 1)))
        (define-fun it ((c Int)) Bool (! (ctl.AF (= c 5)) :ctl-property it))";
    let reading = wherefore_smt::read("model", wherefore_base::FileId::new(0), text);
    let choices = wherefore_smtcheck::SmtOptions {
        solvers: vec![solver],
        ..wherefore_smtcheck::SmtOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(2)), None);
    let begin = Instant::now();
    let property = &reading.system.properties[0];
    let answer =
        wherefore_smtcheck::decide(&reading.system, property, &choices, &budget, &mut |_| {});
    (answer, begin.elapsed())
}

#[test]
fn whatever_a_solver_does_the_answer_is_honest_and_in_time() {
    let folder = Folder::new("honest");
    for (name, script) in [
        ("hangs", "exec sleep 1000\n".to_string()),
        ("crashes", "exit 7\n".to_string()),
        ("floods", "printf '('; exec yes x\n".to_string()),
        ("mumbles", answering("maybe")),
        ("doubts", answering("unknown")),
    ] {
        let (answer, time) = decided_by(folder.solver(name, &script));
        assert_eq!(answer.holds(), None, "{name}: {answer:?}");
        let said = !answer.reached.is_empty() || !answer.tried.is_empty();
        assert!(said, "{name}: {answer:?}");
        assert!(time < Duration::from_secs(40), "{name} took {time:?}");
    }
}

#[test]
fn a_solver_that_always_finds_models_gets_nothing_past_our_evaluator() {
    let folder = Folder::new("liar");
    // It says that there is a model and gives every value as 3, which is no run.
    let script = "while read -r line; do case \"$line\" in\n\
         '(check-sat'*) echo sat;;\n\
         '(get-value'*) names=${line#'(get-value ('}; names=${names%'))'}; printf '('; \
            for name in $names; do printf '(%s 3) ' \"$name\"; done; echo ')';;\n\
         '(echo'*) text=${line#'(echo \"'}; echo \"${text%'\")'}\";;\n\
         esac; done\n";
    let (answer, _) = decided_by(folder.solver("liar", script));
    assert_eq!(answer.holds(), None, "{answer:?}");
    let told = answer
        .tried
        .iter()
        .any(|attempt| attempt.outcome.contains("our own evaluator"));
    assert!(told, "{answer:?}");
}
