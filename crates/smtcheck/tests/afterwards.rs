//! Models that were written when the engines were done, and for which nothing was tuned.
//!
//! Each says what is true. An answer may be that nobody knows, but never the wrong one; which questions stay open is printed.

use std::time::Duration;

use wherefore_base::Budget;
use wherefore_smt::ExpectedVerdict;
use wherefore_smtcheck::{SmtOptions, decide};

use crate::common::{check_evidence, solvers, system};

/// A semaphore with two workers; only the number of free places limits how many are inside.
const SEMAPHORE: &str = "
    (declare-datatypes ((At 0)) (((outside) (asking) (inside))))
    (define-fun Init ((p At) (q At) (free Int)) Bool (and (= p outside) (= q outside) (= free 1)))
    (define-fun Next ((p At) (q At) (free Int) (p1 At) (q1 At) (free1 Int)) Bool
      (or (and (= p outside) (= p1 asking) (= q1 q) (= free1 free))
          (and (= q outside) (= q1 asking) (= p1 p) (= free1 free))
          (and (= p asking) (> free 0) (= p1 inside) (= q1 q) (= free1 (- free 1)))
          (and (= q asking) (> free 0) (= q1 inside) (= p1 p) (= free1 (- free 1)))
          (and (= p inside) (= p1 outside) (= q1 q) (= free1 (+ free 1)))
          (and (= q inside) (= q1 outside) (= p1 p) (= free1 (+ free 1)))))
    (define-fun alone ((p At) (q At) (free Int)) Bool
      (! (ctl.AG (not (and (= p inside) (= q inside)))) :ctl-property alone :expect holds))
    (define-fun can ((p At) (q At) (free Int)) Bool
      (! (ctl.AG (=> (= p asking) (ctl.EF (= p inside)))) :ctl-property can :expect holds))
    (define-fun must ((p At) (q At) (free Int)) Bool
      (! (ctl.AG (=> (= p asking) (ctl.AF (= p inside)))) :ctl-property must :expect fails))";

/// A bucket of tokens that fills one by one up to a capacity nobody knows, and may be emptied by a burst of any size.
const BUCKET: &str = "
    (declare-const capacity Int)
    (assert (> capacity 0))
    (define-fun Init ((tokens Int)) Bool (= tokens capacity))
    (define-fun Next ((tokens Int) (then Int)) Bool
      (or (= then (ite (< tokens capacity) (+ tokens 1) tokens))
          (and (<= 0 then) (< then tokens))))
    (define-fun within ((tokens Int)) Bool
      (! (ctl.AG (and (<= 0 tokens) (<= tokens capacity))) :ctl-property within :expect holds))
    (define-fun refills ((tokens Int)) Bool
      (! (ctl.AG (ctl.EF (= tokens capacity))) :ctl-property refills :expect holds))
    (define-fun empties ((tokens Int)) Bool (! (ctl.AF (= tokens 0)) :ctl-property empties :expect fails))
    (define-fun overflows ((tokens Int)) Bool (! (ctl.EF (> tokens capacity)) :ctl-property overflows :expect fails))";

/// A producer and a consumer, counted: what was made, what was taken, with room for three between them.
const PRODUCER: &str = "
    (define-fun Init ((made Int) (taken Int)) Bool (and (= made 0) (= taken 0)))
    (define-fun Next ((made Int) (taken Int) (made1 Int) (taken1 Int)) Bool
      (or (and (< (- made taken) 3) (= made1 (+ made 1)) (= taken1 taken))
          (and (< taken made) (= taken1 (+ taken 1)) (= made1 made))))
    (define-fun ordered ((made Int) (taken Int)) Bool
      (! (ctl.AG (and (<= taken made) (<= made (+ taken 3)))) :ctl-property ordered :expect holds))
    (define-fun some ((made Int) (taken Int)) Bool (! (ctl.AF (> made 0)) :ctl-property some :expect holds))
    (define-fun many ((made Int) (taken Int)) Bool (! (ctl.AF (> (+ made taken) 9)) :ctl-property many :expect holds))
    (define-fun full ((made Int) (taken Int)) Bool
      (! (ctl.AF (= made (+ taken 3))) :ctl-property full :expect fails))
    (define-fun level ((made Int) (taken Int)) Bool
      (! (ctl.AG (ctl.EF (= made taken))) :ctl-property level :expect holds))";

/// Two processes that set a turn and wait, as Fischer's protocol does, with clocks that are reals: whoever sets the turn
/// does so within one unit, and whoever goes in has waited for longer than that.
const FISCHER: &str = "
    (declare-datatypes ((At 0)) (((idle) (trying) (waiting) (critical))))
    (define-fun Init ((p At) (x Real) (q At) (y Real) (turn Int)) Bool
      (and (= p idle) (= q idle) (= x 0.0) (= y 0.0) (= turn 0)))
    (define-fun Next ((p At) (x Real) (q At) (y Real) (turn Int) (p1 At) (x1 Real) (q1 At) (y1 Real) (turn1 Int)) Bool
      (or (exists ((d Real)) (and (> d 0.0) (= x1 (+ x d)) (= y1 (+ y d)) (= p1 p) (= q1 q) (= turn1 turn)
                                  (=> (= p trying) (<= x1 1.0)) (=> (= q trying) (<= y1 1.0))))
          (and (= q1 q) (= y1 y)
               (or (and (= p idle) (= turn 0) (= p1 trying) (= x1 0.0) (= turn1 turn))
                   (and (= p trying) (= p1 waiting) (= x1 0.0) (= turn1 1))
                   (and (= p waiting) (= turn 1) (> x 1.0) (= p1 critical) (= x1 x) (= turn1 turn))
                   (and (= p waiting) (not (= turn 1)) (= p1 idle) (= x1 x) (= turn1 turn))
                   (and (= p critical) (= p1 idle) (= x1 x) (= turn1 0))))
          (and (= p1 p) (= x1 x)
               (or (and (= q idle) (= turn 0) (= q1 trying) (= y1 0.0) (= turn1 turn))
                   (and (= q trying) (= q1 waiting) (= y1 0.0) (= turn1 2))
                   (and (= q waiting) (= turn 2) (> y 1.0) (= q1 critical) (= y1 y) (= turn1 turn))
                   (and (= q waiting) (not (= turn 2)) (= q1 idle) (= y1 y) (= turn1 turn))
                   (and (= q critical) (= q1 idle) (= y1 y) (= turn1 0))))))
    (define-fun alone ((p At) (x Real) (q At) (y Real) (turn Int)) Bool
      (! (ctl.AG (not (and (= p critical) (= q critical)))) :ctl-property alone :expect holds))
    (define-fun enters ((p At) (x Real) (q At) (y Real) (turn Int)) Bool
      (! (ctl.EF (= p critical)) :ctl-property enters :expect holds))
    (define-fun must ((p At) (x Real) (q At) (y Real) (turn Int)) Bool
      (! (ctl.AF (= p critical)) :ctl-property must :expect fails))";

/// The greatest common divisor by subtraction.
const GCD: &str = "
    (define-fun Init ((a Int) (b Int)) Bool (and (> a 0) (> b 0)))
    (define-fun Next ((a Int) (b Int) (a1 Int) (b1 Int)) Bool
      (or (and (> a b) (= a1 (- a b)) (= b1 b))
          (and (> b a) (= b1 (- b a)) (= a1 a))
          (and (= a b) (= a1 a) (= b1 b))))
    (define-fun ends ((a Int) (b Int)) Bool (! (ctl.AF (= a b)) :ctl-property ends :expect holds))
    (define-fun positive ((a Int) (b Int)) Bool (! (ctl.AG (> a 0)) :ctl-property positive :expect holds))
    (define-fun settled ((a Int) (b Int)) Bool
      (! (ctl.AG (=> (= a b) (ctl.AG (= a b)))) :ctl-property settled :expect holds))
    (define-fun one ((a Int) (b Int)) Bool (! (ctl.AF (= a 1)) :ctl-property one :expect fails))";

/// A stack as an array and a depth: anything may be pushed, the top may be taken away.
const STACK: &str = "
    (declare-const mark Int)
    (define-fun Init ((cells (Array Int Int)) (depth Int)) Bool (= depth 0))
    (define-fun Next ((cells (Array Int Int)) (depth Int) (cells1 (Array Int Int)) (depth1 Int)) Bool
      (or (exists ((v Int)) (and (= cells1 (store cells depth v)) (= depth1 (+ depth 1))))
          (and (> depth 0) (= depth1 (- depth 1)) (= cells1 cells))))
    (define-fun natural ((cells (Array Int Int)) (depth Int)) Bool
      (! (ctl.AG (>= depth 0)) :ctl-property natural :expect holds))
    (define-fun deep ((cells (Array Int Int)) (depth Int)) Bool
      (! (ctl.EF (and (= depth 2) (= (select cells 1) mark))) :ctl-property deep :expect holds))
    (define-fun empties ((cells (Array Int Int)) (depth Int)) Bool
      (! (ctl.AG (ctl.EF (= depth 0))) :ctl-property empties :expect holds))
    (define-fun returns ((cells (Array Int Int)) (depth Int)) Bool
      (! (ctl.AX (ctl.AF (= depth 0))) :ctl-property returns :expect fails))";

/// A lift with as many floors as one likes: it goes one floor towards where it is called, and takes a new call there.
const LIFT: &str = "
    (declare-const top Int)
    (assert (> top 0))
    (define-fun Init ((at Int) (call Int)) Bool (and (= at 0) (<= 0 call) (<= call top)))
    (define-fun Next ((at Int) (call Int) (at1 Int) (call1 Int)) Bool
      (or (and (< at call) (= at1 (+ at 1)) (= call1 call))
          (and (> at call) (= at1 (- at 1)) (= call1 call))
          (and (= at call) (= at1 at) (<= 0 call1) (<= call1 top))))
    (define-fun within ((at Int) (call Int)) Bool
      (! (ctl.AG (and (<= 0 at) (<= at top))) :ctl-property within :expect holds))
    (define-fun arrives ((at Int) (call Int)) Bool
      (! (ctl.AG (ctl.AF (= at call))) :ctl-property arrives :expect holds))
    (define-fun anywhere ((at Int) (call Int)) Bool
      (! (ctl.AG (ctl.EF (= at top))) :ctl-property anywhere :expect holds))
    (define-fun top-floor ((at Int) (call Int)) Bool (! (ctl.AF (= at top)) :ctl-property top-floor :expect fails))";

/// A sender that repeats its message until it is acknowledged, over a channel that loses as much as it likes.
const SENDER: &str = "
    (define-fun Init ((sent Int) (got Int) (message Bool) (answer Bool)) Bool
      (and (= sent 0) (= got 0) (not message) (not answer)))
    (define-fun Next ((sent Int) (got Int) (message Bool) (answer Bool)
                      (sent1 Int) (got1 Int) (message1 Bool) (answer1 Bool)) Bool
      (or (and (= sent1 sent) message1 (= got1 got) (= answer1 answer))
          (and message (not message1) (= got1 (ite (= got sent) (+ got 1) got)) answer1 (= sent1 sent))
          (and answer (not answer1) (= sent1 (ite (< sent got) (+ sent 1) sent)) (= got1 got) (= message1 message))
          (and (not message1) (= sent1 sent) (= got1 got) (= answer1 answer))))
    (define-fun close ((sent Int) (got Int) (message Bool) (answer Bool)) Bool
      (! (ctl.AG (and (<= sent got) (<= got (+ sent 1)))) :ctl-property close :expect holds))
    (define-fun far ((sent Int) (got Int) (message Bool) (answer Bool)) Bool
      (! (ctl.EF (= sent 3)) :ctl-property far :expect holds))
    (define-fun delivered ((sent Int) (got Int) (message Bool) (answer Bool)) Bool
      (! (ctl.AF (= got 1)) :ctl-property delivered :expect fails))
    (define-fun never ((sent Int) (got Int) (message Bool) (answer Bool)) Bool
      (! (ctl.EG (= got 0)) :ctl-property never :expect holds))";

/// A room that is heated: the temperature is a real number, the heater has two thresholds.
const HEATER: &str = "
    (define-fun Init ((t Real) (on Bool)) Bool (and (<= 18.0 t) (<= t 22.0)))
    (define-fun Next ((t Real) (on Bool) (u Real) (now Bool)) Bool
      (and (= now (ite (< t 19.0) true (ite (> t 21.0) false on)))
           (= u (ite now (+ t 0.5) (- t 0.5)))))
    (define-fun warm ((t Real) (on Bool)) Bool (! (ctl.AG (>= t 17.0)) :ctl-property warm :expect holds))
    (define-fun cool ((t Real) (on Bool)) Bool (! (ctl.AG (<= t 23.0)) :ctl-property cool :expect holds))
    (define-fun rises ((t Real) (on Bool)) Bool (! (ctl.AF (>= t 20.0)) :ctl-property rises :expect holds))
    (define-fun exact ((t Real) (on Bool)) Bool (! (ctl.AF (= t 20.0)) :ctl-property exact :expect fails))";

/// Three philosophers with one fork between each two: each takes the left one, then the right one, and counts its meals.
const MEALS: &str = "
    (define-fun Init ((a Int) (b Int) (c Int) (meals Int)) Bool (and (= a 0) (= b 0) (= c 0) (= meals 0)))
    (define-fun Next ((a Int) (b Int) (c Int) (meals Int) (a1 Int) (b1 Int) (c1 Int) (meals1 Int)) Bool
      (or (and (= a 0) (not (= c 2)) (= a1 1) (= b1 b) (= c1 c) (= meals1 meals))
          (and (= a 1) (= b 0) (= a1 2) (= b1 b) (= c1 c) (= meals1 (+ meals 1)))
          (and (= a 2) (= a1 0) (= b1 b) (= c1 c) (= meals1 meals))
          (and (= b 0) (not (= a 2)) (= b1 1) (= a1 a) (= c1 c) (= meals1 meals))
          (and (= b 1) (= c 0) (= b1 2) (= a1 a) (= c1 c) (= meals1 (+ meals 1)))
          (and (= b 2) (= b1 0) (= a1 a) (= c1 c) (= meals1 meals))
          (and (= c 0) (not (= b 2)) (= c1 1) (= a1 a) (= b1 b) (= meals1 meals))
          (and (= c 1) (= a 0) (= c1 2) (= a1 a) (= b1 b) (= meals1 (+ meals 1)))
          (and (= c 2) (= c1 0) (= a1 a) (= b1 b) (= meals1 meals))))
    (define-fun apart ((a Int) (b Int) (c Int) (meals Int)) Bool
      (! (ctl.AG (not (and (= a 2) (= b 2)))) :ctl-property apart :expect holds))
    (define-fun ten ((a Int) (b Int) (c Int) (meals Int)) Bool
      (! (ctl.EF (= meals 2)) :ctl-property ten :expect holds))
    (define-fun stuck ((a Int) (b Int) (c Int) (meals Int)) Bool
      (! (ctl.AG (ctl.EX true)) :ctl-property stuck :expect fails))
    (define-fun more ((a Int) (b Int) (c Int) (meals Int)) Bool
      (! (ctl.AG (ctl.EF (> meals 4))) :ctl-property more :expect fails))";

const MODELS: [(&str, &str); 10] = [
    ("semaphore", SEMAPHORE),
    ("bucket", BUCKET),
    ("producer", PRODUCER),
    ("fischer", FISCHER),
    ("gcd", GCD),
    ("stack", STACK),
    ("lift", LIFT),
    ("sender", SENDER),
    ("heater", HEATER),
    ("meals", MEALS),
];

#[test]
fn models_that_nothing_was_tuned_for_are_decided_rightly_or_not_at_all() {
    let Some(solvers) = solvers() else { return };
    let choices = SmtOptions {
        solvers,
        ..SmtOptions::default()
    };
    let (mut asked, mut decided) = (0, 0);
    for (name, text) in MODELS {
        let system = system(text);
        for property in &system.properties {
            let budget = Budget::new(Some(Duration::from_secs(8)), None);
            let answer = decide(&system, property, &choices, &budget, &mut |_| {});
            let expected = property
                .expected
                .map(|expected| expected == ExpectedVerdict::Holds);
            asked += 1;
            decided += u64::from(answer.holds().is_some());
            tell(&format!("{name} {}: {:?}", property.name, answer.holds()));
            if answer.holds().is_some() {
                assert_eq!(answer.holds(), expected, "{name}, {}", property.name);
                check_evidence(&system, &answer);
            }
        }
    }
    assert!(asked >= 30 && decided > 0, "{decided} of {asked}");
}

#[allow(clippy::print_stderr, reason = "what stays open is worth knowing")]
fn tell(line: &str) {
    eprintln!("{line}");
}
