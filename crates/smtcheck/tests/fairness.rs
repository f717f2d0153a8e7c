//! What must happen on fair paths: proofs that use fairness, and none where fairness is not enough.

use wherefore_smtcheck::{SmtCertificate, SmtEngine, SmtSolver, SmtVerdict};

use crate::common::{all_as_expected, ask, solvers};

/// Work that is done by somebody who comes again and again, and not at every step.
const WORKER: &str = "
    (define-fun Init ((work Int) (here Bool)) Bool (>= work 0))
    (define-fun Next ((work Int) (here Bool) (work1 Int) (here1 Bool)) Bool
      (= work1 (ite (and here (> work 0)) (- work 1) work)))
    (define-fun again ((work Int) (here Bool)) Bool (! here :fair true))
    (define-fun done ((work Int) (here Bool)) Bool (! (ctl.AF (= work 0)) :ctl-property done :expect holds))
    (define-fun always ((work Int) (here Bool)) Bool
      (! (ctl.AG (=> (= work 7) (ctl.AF (= work 2)))) :ctl-property always :expect holds))
    (define-fun comes ((work Int) (here Bool)) Bool (! (ctl.AG (ctl.AF here)) :ctl-property comes :expect holds))
    (define-fun goes ((work Int) (here Bool)) Bool (! (ctl.AF (not here)) :ctl-property goes :expect fails))
    (define-fun gone ((work Int) (here Bool)) Bool
      (! (ctl.AG (ctl.AF (not here))) :ctl-property gone :expect fails))";

/// A parcel that is packed by one and carried by another; both come again and again.
const PARCEL: &str = "
    (declare-datatypes ((At 0)) (((shelf) (box) (door))))
    (define-fun Init ((at At) (a Bool) (b Bool)) Bool (= at shelf))
    (define-fun Next ((at At) (a Bool) (b Bool) (at1 At) (a1 Bool) (b1 Bool)) Bool
      (= at1 (ite (and (= at shelf) a) box (ite (and (= at box) b) door at))))
    (define-fun packs ((at At) (a Bool) (b Bool)) Bool (! a :fair true))
    (define-fun carries ((at At) (a Bool) (b Bool)) Bool (! b :fair true))
    (define-fun leaves ((at At) (a Bool) (b Bool)) Bool
      (! (ctl.AF (= at door)) :ctl-property leaves :expect holds))
    (define-fun together ((at At) (a Bool) (b Bool)) Bool
      (! (ctl.AF (and a b)) :ctl-property together :expect fails))";

/// Rounds, each of as many pieces as one likes: one piece whenever somebody works, the next round when none is left.
const ROUNDS: &str = "
    (define-fun Init ((rounds Int) (left Int) (works Bool)) Bool (and (>= rounds 0) (>= left 0)))
    (define-fun Next ((rounds Int) (left Int) (works Bool) (rounds1 Int) (left1 Int) (works1 Bool)) Bool
      (ite (not works) (and (= rounds1 rounds) (= left1 left))
      (ite (> left 0) (and (= rounds1 rounds) (= left1 (- left 1)))
      (and (> rounds 0) (= rounds1 (- rounds 1)) (>= left1 0)))))
    (define-fun again ((rounds Int) (left Int) (works Bool)) Bool (! works :fair true))
    (define-fun ends ((rounds Int) (left Int) (works Bool)) Bool
      (! (ctl.AF (and (= rounds 0) (= left 0))) :ctl-property ends :expect holds))";

#[test]
fn a_rank_that_falls_whenever_the_fair_condition_holds_is_enough() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, WORKER);
    let answer = ask(&solvers, WORKER, "done", SmtEngine::Auto);
    let SmtVerdict::Holds(proof) = &answer.verdict else {
        panic!("{answer:?}");
    };
    assert!(
        proof
            .certificates
            .contains(&SmtCertificate::Fairness(vec!["here".to_string()]))
    );
    assert!(
        proof.certificates.contains(&SmtCertificate::FairRank {
            ranks: vec!["work".to_string()],
            fair: "here".to_string(),
            goal: "work = 0".to_string(),
        }),
        "{proof:?}"
    );
    let titles: Vec<String> = solvers.iter().map(SmtSolver::title).collect();
    assert_eq!(
        proof.checked_by, titles,
        "every solver that is here checks it"
    );
}

#[test]
fn without_fairness_the_same_property_fails() {
    let Some(solvers) = solvers() else { return };
    let unfair = WORKER.replace(":fair true", ":note true");
    let answer = ask(&solvers, &unfair, "done", SmtEngine::Auto);
    assert_eq!(answer.holds(), Some(false), "{answer:?}");
}

#[test]
fn each_of_several_fair_conditions_helps_where_it_is_waited_for() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, PARCEL);
}

#[test]
fn tuples_of_ranks_fall_with_fairness_too() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, ROUNDS);
}
