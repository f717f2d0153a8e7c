//! Models that several tests ask about, and the solvers that are here.
#![allow(unreachable_pub)]

pub mod finite;

use std::time::Duration;

use wherefore_base::{Budget, FileId};
use wherefore_smt::{Deadlock, ExpectedVerdict, TermSystem, read};
use wherefore_smtcheck::{SmtAnswer, SmtEngine, SmtOptions, SmtSolver, decide};

/// The solvers that are installed, z3 among them. Without z3 the test says so and ends; on a machine that checks changes
/// that is an error.
pub fn solvers() -> Option<Vec<SmtSolver>> {
    let found = SmtSolver::installed(&Budget::unlimited());
    if found.iter().any(|solver| solver.name == "z3") {
        return Some(found);
    }
    assert!(
        std::env::var("CI").is_err(),
        "z3 is not installed, and nothing may be skipped here"
    );
    #[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
    {
        eprintln!("SKIPPED: z3 is not installed (apt-get install z3 cvc5)");
    }
    None
}

/// A number from the environment.
pub fn given(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The system of a text, which must be in order.
pub fn system(text: &str) -> TermSystem {
    let reading = read("model", FileId::new(0), text);
    assert!(reading.is_usable(), "{:?}", reading.diagnostics);
    reading.system
}

/// Asks about one property of a text.
pub fn ask(solvers: &[SmtSolver], text: &str, property: &str, engine: SmtEngine) -> SmtAnswer {
    ask_with(solvers, text, property, engine, None)
}

/// The same with a rule for dead ends.
pub fn ask_with(
    solvers: &[SmtSolver],
    text: &str,
    property: &str,
    engine: SmtEngine,
    deadlock: Option<Deadlock>,
) -> SmtAnswer {
    let system = system(text);
    let at = system.find(property).expect("the property is there");
    let choices = SmtOptions {
        engine,
        solvers: solvers.to_vec(),
        deadlock,
        recheck: Duration::from_secs(20),
        ..SmtOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    decide(
        &system,
        &system.properties[at],
        &choices,
        &budget,
        &mut |_| {},
    )
}

/// Asks about every property of a text: each is as the text expects, and every run that refutes one replays.
pub fn all_as_expected(solvers: &[SmtSolver], text: &str) {
    let system = system(text);
    for property in &system.properties {
        let answer = ask(solvers, text, &property.name, SmtEngine::Auto);
        let expected = property
            .expected
            .map(|expected| expected == ExpectedVerdict::Holds);
        assert_eq!(answer.holds(), expected, "{}: {answer:?}", property.name);
        check_evidence(&system, &answer);
    }
}

/// Replays what an answer shows.
pub fn check_evidence(system: &TermSystem, answer: &SmtAnswer) {
    if let wherefore_smtcheck::SmtVerdict::Fails(refutation) = &answer.verdict {
        for (number, run) in refutation.runs.iter().enumerate() {
            assert_eq!(run.trace.replay(system, number == 0), Ok(()));
        }
    }
    if let wherefore_smtcheck::SmtVerdict::Holds(proof) = &answer.verdict {
        assert!(!proof.checked_by.is_empty());
        assert!(!proof.obligations.is_empty());
    }
}

/// A counter that two processes push by two and by three.
pub const COUNTER: &str = "
    (define-fun Init ((c Int)) Bool (= c 0))
    (define-fun Next ((c Int) (cn Int)) Bool (or (= cn (+ c 2)) (= cn (+ c 3))))
    (define-fun past ((c Int)) Bool (! (ctl.AF (> c 5)) :ctl-property past :expect holds))
    (define-fun can ((c Int)) Bool (! (ctl.EF (= c 5)) :ctl-property can :expect holds))
    (define-fun never ((c Int)) Bool (! (ctl.EF (= c 1)) :ctl-property never :expect fails))
    (define-fun natural ((c Int)) Bool (! (ctl.AG (>= c 0)) :ctl-property natural :expect holds))
    (define-fun small ((c Int)) Bool (! (ctl.AG (< c 6)) :ctl-property small :expect fails))
    (define-fun soon ((c Int)) Bool (! (ctl.AX (ctl.AX (>= c 4))) :ctl-property soon :expect holds))
    (define-fun later ((c Int)) Bool (! (ctl.AX (ctl.AX (>= c 5))) :ctl-property later :expect fails))
    (define-fun five ((c Int)) Bool (! (ctl.AF (= c 5)) :ctl-property five :expect fails))
    (define-fun below ((c Int)) Bool (! (ctl.AU (< c 9) (> c 5)) :ctl-property below :expect holds))";

/// A number that is counted down from anywhere.
pub const COUNTDOWN: &str = "
    (define-fun Init ((x Int)) Bool (>= x 0))
    (define-fun Next ((x Int) (xn Int)) Bool (and (> x 0) (= xn (- x 1))))
    (define-fun ends ((x Int)) Bool (! (ctl.AF (= x 0)) :ctl-property ends :expect holds))
    (define-fun stays ((x Int)) Bool (! (ctl.EG (>= x 1)) :ctl-property stays :expect fails))
    (define-fun jumps ((x Int)) Bool (! (ctl.AX (= x 7)) :ctl-property jumps :expect fails))";

/// A number that grows or starts again.
pub const RESET: &str = "
    (define-fun Init ((c Int)) Bool (= c 0))
    (define-fun Next ((c Int) (d Int)) Bool (or (= d (+ c 1)) (= d 0)))
    (define-fun again ((c Int)) Bool (! (ctl.AG (ctl.EF (= c 0))) :ctl-property again :expect holds))
    (define-fun three ((c Int)) Bool (! (ctl.AG (ctl.EF (= c 3))) :ctl-property three :expect holds))
    (define-fun must ((c Int)) Bool (! (ctl.AG (ctl.AF (= c 0))) :ctl-property must :expect fails))
    (define-fun until ((c Int)) Bool (! (ctl.AW (>= c 0) (= c 7)) :ctl-property until :expect holds))";

/// A number that grows up to three and stays there.
pub const SETTLING: &str = "
    (declare-fun x () Int)
    (declare-fun x1 () Int)
    (define-fun .x () Int (! x :next x1))
    (define-fun .init () Bool (! (= x 0) :init true))
    (define-fun .trans () Bool (! (= x1 (ite (< x 3) (+ x 1) x)) :trans true))
    (define-fun .settles () Bool (! (= x 3) :live-property 0 :expect holds))
    (define-fun .other () Bool (! (= x 2) :live-property 1 :expect fails))";

/// A vehicle that warns, brakes and stops; every mode can be reached, whatever the limit is.
pub const COLLISION: &str = "
    (declare-datatypes ((Mode 0)) (((off) (broken) (ready) (watch) (warn) (soft) (hard) (driver) (stopped))))
    (declare-const limit Int)
    (assert (> limit 0))
    (define-fun Init ((m Mode) (v Int) (near Bool) (pedal Bool) (on Bool) (fault Bool)) Bool
      (and (= m off) (= v 0) (not near) (not pedal) (not on) (not fault)))
    (define-fun Next ((m Mode) (v Int) (near Bool) (pedal Bool) (on Bool) (fault Bool)
                      (n Mode) (w Int) (nearer Bool) (pedals Bool) (turned Bool) (faulty Bool)) Bool
      (and (>= w 0)
           (or (and (= m off) on (= n ready))
               (and (= m ready) (not fault) (> v limit) (= n watch))
               (and (= m watch) (not fault) near (> v limit) (= n warn))
               (and (= m watch) (not fault) (<= v limit) (= n ready))
               (and (= m warn) (not fault) near (not pedal) (> v limit) (= n soft))
               (and (= m warn) (not fault) pedal (= n driver))
               (and (= m soft) (not fault) near (> v (* 2 limit)) (= n hard))
               (and (or (= m soft) (= m hard)) (not fault) (= v 0) (= n stopped))
               (and (= m driver) (not fault) (not pedal) (= n watch))
               (and (= m stopped) (not fault) pedal (= n ready))
               (and (not (= m off)) (not (= m broken)) fault (= n broken))
               (and (not (= m off)) (not on) (= n off))
               (= n m))))
    (define-fun reached ((m Mode) (v Int) (near Bool) (pedal Bool) (on Bool) (fault Bool)) Bool
      (! (and (ctl.EF (= m off)) (ctl.EF (= m broken)) (ctl.EF (= m ready)) (ctl.EF (= m watch)) (ctl.EF (= m warn))
              (ctl.EF (= m soft)) (ctl.EF (= m hard)) (ctl.EF (= m driver)) (ctl.EF (= m stopped)))
         :ctl-property reached :expect holds))
    (define-fun backwards ((m Mode) (v Int) (near Bool) (pedal Bool) (on Bool) (fault Bool)) Bool
      (! (ctl.EF (< v 0)) :ctl-property backwards :expect fails))";

/// A loop in a loop: the inner number is chosen anew each time.
pub const NESTED: &str = "
    (define-fun Init ((x Int) (y Int)) Bool (and (>= x 0) (>= y 0)))
    (define-fun Next ((x Int) (y Int) (xn Int) (yn Int)) Bool
      (or (and (> x 0) (> y 0) (= xn x) (= yn (- y 1)))
          (and (> x 0) (= y 0) (= xn (- x 1)) (>= yn 0))))
    (define-fun ends ((x Int) (y Int)) Bool (! (ctl.AF (= x 0)) :ctl-property ends :expect holds))";

/// Two customers who draw numbers and wait for the smaller one.
pub const BAKERY: &str = "
    (declare-datatypes ((Phase 0)) (((think) (wait) (shop))))
    (define-fun Init ((p Phase) (a Int) (q Phase) (b Int)) Bool (and (= p think) (= q think) (= a 0) (= b 0)))
    (define-fun Next ((p Phase) (a Int) (q Phase) (b Int) (pn Phase) (an Int) (qn Phase) (bn Int)) Bool
      (or (and (= p think) (= pn wait) (= an (+ b 1)) (= qn q) (= bn b))
          (and (= p wait) (or (< a b) (= q think)) (= pn shop) (= an a) (= qn q) (= bn b))
          (and (= p shop) (= pn think) (= an 0) (= qn q) (= bn b))
          (and (= q think) (= qn wait) (= bn (+ a 1)) (= pn p) (= an a))
          (and (= q wait) (or (< b a) (= p think)) (= qn shop) (= bn b) (= pn p) (= an a))
          (and (= q shop) (= qn think) (= bn 0) (= pn p) (= an a))))
    (define-fun served ((p Phase) (a Int) (q Phase) (b Int)) Bool
      (! (ctl.AG (=> (= p wait) (ctl.AF (= p shop)))) :ctl-property served :expect holds))
    (define-fun alone ((p Phase) (a Int) (q Phase) (b Int)) Bool
      (! (ctl.AG (not (and (= p shop) (= q shop)))) :ctl-property alone :expect holds))
    (define-fun always ((p Phase) (a Int) (q Phase) (b Int)) Bool
      (! (ctl.AG (=> (= p think) (ctl.AF (= p shop)))) :ctl-property always :expect fails))
    (define-fun can ((p Phase) (a Int) (q Phase) (b Int)) Bool
      (! (ctl.EF (= p shop)) :ctl-property can :expect holds))";

/// Two customers who draw tickets from a roll that never ends.
pub const TICKET: &str = "
    (declare-datatypes ((Phase 0)) (((think) (wait) (shop))))
    (define-fun Init ((p Phase) (a Int) (q Phase) (b Int) (roll Int) (turn Int)) Bool
      (and (= p think) (= q think) (= roll turn)))
    (define-fun Next ((p Phase) (a Int) (q Phase) (b Int) (roll Int) (turn Int)
                      (pn Phase) (an Int) (qn Phase) (bn Int) (rolln Int) (turnn Int)) Bool
      (or (and (= p think) (= pn wait) (= an roll) (= rolln (+ roll 1)) (= turnn turn) (= qn q) (= bn b))
          (and (= p wait) (<= a turn) (= pn shop) (= an a) (= rolln roll) (= turnn turn) (= qn q) (= bn b))
          (and (= p shop) (= pn think) (= an a) (= rolln roll) (= turnn (+ turn 1)) (= qn q) (= bn b))
          (and (= q think) (= qn wait) (= bn roll) (= rolln (+ roll 1)) (= turnn turn) (= pn p) (= an a))
          (and (= q wait) (<= b turn) (= qn shop) (= bn b) (= rolln roll) (= turnn turn) (= pn p) (= an a))
          (and (= q shop) (= qn think) (= bn b) (= rolln roll) (= turnn (+ turn 1)) (= pn p) (= an a))))
    (define-fun served ((p Phase) (a Int) (q Phase) (b Int) (roll Int) (turn Int)) Bool
      (! (ctl.AG (=> (= p wait) (ctl.AF (= p shop)))) :ctl-property served :expect holds))
    (define-fun alone ((p Phase) (a Int) (q Phase) (b Int) (roll Int) (turn Int)) Bool
      (! (ctl.AG (not (and (= p shop) (= q shop)))) :ctl-property alone :expect holds))
    (define-fun always ((p Phase) (a Int) (q Phase) (b Int) (roll Int) (turn Int)) Bool
      (! (ctl.AG (=> (= p think) (ctl.AF (= p shop)))) :ctl-property always :expect fails))";

/// Files: a write is what deleting and adding can do.
pub const FILES: &str = "
    (declare-sort Key 0)
    (declare-sort Data 0)
    (declare-const none Data)
    (declare-const key Key)
    (declare-const new Data)
    (declare-const before (Array Key Data))
    (define-fun Init ((files (Array Key Data))) Bool (= files before))
    (define-fun Next ((files (Array Key Data)) (then (Array Key Data))) Bool
      (or (exists ((k Key) (d Data))
            (and (= (select files k) none) (not (= d none)) (= then (store files k d))))
          (exists ((k Key)) (and (not (= (select files k) none)) (= then (store files k none))))))
    (define-fun write ((files (Array Key Data))) Bool
      (! (=> (and (not (= (select before key) none)) (not (= new none)))
             (ctl.EF (= files (store before key new)))) :ctl-property write :expect holds))
    (define-fun clears ((files (Array Key Data))) Bool
      (! (ctl.AF (= (select files key) none)) :ctl-property clears :expect fails))";

/// A ring in which everybody takes over the greater number of the neighbour.
pub fn leader(n: usize) -> String {
    let each = |text: &dyn Fn(usize) -> String| (0..n).map(text).collect::<Vec<_>>().join(" ");
    let now = each(&|i| format!("(x{i} Int)"));
    let then = each(&|i| format!("(y{i} Int)"));
    let some = each(&|i| format!("(= lead x{i})"));
    let most = each(&|i| format!("(>= lead x{i})"));
    let steps = each(&|i| {
        let next = (i + 1) % n;
        format!("(= y{i} (ite (> x{next} x{i}) x{next} x{i}))")
    });
    format!(
        "(declare-const lead Int)
         (define-fun Init ({now}) Bool (and (or {some}) {most}))
         (define-fun Next ({now} {then}) Bool (and {steps}))
         (define-fun elected ({now}) Bool (! (ctl.AF (= x0 lead)) :ctl-property elected :expect holds))
         (define-fun wrong ({now}) Bool (! (ctl.AF (> x0 lead)) :ctl-property wrong :expect fails))"
    )
}
