//! Beyond bounds: rings of any size, ranks with a choice, endless runs, refutations from one state.

use wherefore_smtcheck::{SmtCertificate, SmtEngine, SmtVerdict};

use crate::common::{all_as_expected, ask, leader, solvers};

/// A number that is counted down from anywhere and stays at zero.
const DOWN: &str = "
    (declare-fun x () Int)
    (declare-fun x1 () Int)
    (define-fun .x () Int (! x :next x1))
    (define-fun .init () Bool (! (>= x 0) :init true))
    (define-fun .trans () Bool (! (= x1 (ite (> x 0) (- x 1) x)) :trans true))
    (define-fun .settles () Bool (! (= x 0) :live-property 0 :expect holds))
    (define-fun .elsewhere () Bool (! (= x 1) :live-property 1 :expect fails))
    (define-fun .natural () Bool (! (ctl.EG (>= x 0)) :ctl-property 2 :expect holds))
    (define-fun .positive () Bool (! (ctl.EG (>= x 1)) :ctl-property 3 :expect fails))
    (define-fun .arrives () Bool (! (ctl.EF (= x 0)) :ctl-property 4 :expect holds))
    (define-fun .always () Bool (! (ctl.AG (ctl.EF (= x 0))) :ctl-property 5 :expect holds))
    (define-fun .back () Bool (! (ctl.AG (ctl.EF (= x 2))) :ctl-property 6 :expect fails))
    (define-fun .four () Bool (! (ctl.EX (= x 4)) :ctl-property 7 :expect fails))
    (define-fun .next () Bool (! (ctl.EX (>= x 0)) :ctl-property 8 :expect holds))";

#[test]
fn what_no_bound_decides_is_decided_by_ranks_sets_and_single_states() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, DOWN);
}

#[test]
fn a_leader_is_elected_in_a_ring_of_forty_because_the_distance_falls() {
    let Some(solvers) = solvers() else { return };
    let answer = ask(&solvers, &leader(40), "elected", SmtEngine::Induction);
    let SmtVerdict::Holds(proof) = &answer.verdict else {
        panic!("{answer:?}");
    };
    assert_eq!(proof.engine, "distance");
    let rank = |certificate: &SmtCertificate| match certificate {
        SmtCertificate::Distance {
            conditions, count, ..
        } => *count == 40 && conditions.last().is_some_and(|last| last == "x39 = lead"),
        _ => false,
    };
    assert!(proof.certificates.iter().any(rank), "{proof:?}");
}

#[test]
fn nobody_in_a_ring_knows_a_number_greater_than_all_because_nobody_else_does() {
    let Some(solvers) = solvers() else { return };
    let text = leader(24).replace("(ctl.AF (> x0 lead))", "(ctl.AG (<= x0 lead))");
    let answer = ask(&solvers, &text, "wrong", SmtEngine::Induction);
    assert_eq!(answer.holds(), Some(true), "{answer:?}");
}

#[test]
fn a_token_comes_round_whatever_the_size_of_the_ring() {
    let Some(solvers) = solvers() else { return };
    // Nobody knows how many there are: no bound is enough, and the position itself never falls for ever.
    let text = "
        (declare-const n Int)
        (assert (> n 1))
        (define-fun Init ((at Int)) Bool (and (<= 0 at) (< at n)))
        (define-fun Next ((at Int) (then Int)) Bool (= then (ite (= at (- n 1)) 0 (+ at 1))))
        (define-fun comes ((at Int)) Bool (! (ctl.AF (= at 1)) :ctl-property comes :expect holds))
        (define-fun leaves ((at Int)) Bool (! (ctl.AF (= at n)) :ctl-property leaves :expect fails))";
    all_as_expected(&solvers, text);
}

#[test]
fn a_flag_is_handed_down_a_chain() {
    let Some(solvers) = solvers() else { return };
    let text = "
        (define-fun Init ((a Bool) (b Bool) (c Bool) (d Bool)) Bool (or b c d))
        (define-fun Next ((a Bool) (b Bool) (c Bool) (d Bool) (a1 Bool) (b1 Bool) (c1 Bool) (d1 Bool)) Bool
          (and (= a1 b) (= b1 c) (= c1 d) (= d1 a)))
        (define-fun arrives ((a Bool) (b Bool) (c Bool) (d Bool)) Bool (! (ctl.AF a) :ctl-property arrives :expect holds))
        (define-fun stays ((a Bool) (b Bool) (c Bool) (d Bool)) Bool (! (ctl.AF (and a b c d)) :ctl-property stays :expect fails))";
    all_as_expected(&solvers, text);
}

#[test]
fn a_speed_that_changes_by_one_can_reach_any_limit() {
    let Some(solvers) = solvers() else { return };
    let text = "
        (declare-const limit Int)
        (define-fun Init ((v Int)) Bool (>= v 0))
        (define-fun Next ((v Int) (w Int)) Bool (and (>= w 0) (<= w (+ v 1)) (<= (- v 1) w)))
        (define-fun fast ((v Int)) Bool (! (ctl.EF (> v limit)) :ctl-property fast :expect holds))
        (define-fun back ((v Int)) Bool (! (ctl.AG (ctl.EF (= v 0))) :ctl-property back :expect holds))
        (define-fun below ((v Int)) Bool (! (ctl.EF (< v 0)) :ctl-property below :expect fails))
        (define-fun must ((v Int)) Bool (! (ctl.AF (= v 0)) :ctl-property must :expect fails))";
    all_as_expected(&solvers, text);
}

#[test]
fn with_fairness_a_path_that_is_chosen_goes_on_fairly() {
    let Some(solvers) = solvers() else { return };
    // Once broken, nothing good happens again: the broken states are on no fair path.
    let text = "
        (define-fun Init ((x Int) (broken Bool)) Bool (and (= x 0) (not broken)))
        (define-fun Next ((x Int) (broken Bool) (y Int) (breaks Bool)) Bool
          (or (and (not broken) (= y (+ x 1)) (not breaks))
              (and (not broken) (= y 0) (not breaks))
              (and (= y x) breaks)))
        (define-fun again ((x Int) (broken Bool)) Bool (! (not broken) :fair true))
        (define-fun three ((x Int) (broken Bool)) Bool (! (ctl.EF (= x 3)) :ctl-property three :expect holds))
        (define-fun endless ((x Int) (broken Bool)) Bool (! (ctl.EG (< x 2)) :ctl-property endless :expect holds))
        (define-fun whole ((x Int) (broken Bool)) Bool (! (ctl.EF (< x 0)) :ctl-property whole :expect fails))";
    all_as_expected(&solvers, text);
    let text = text.replace("(ctl.EF (= x 3))", "(ctl.EF broken)");
    let answer = ask(&solvers, &text, "three", SmtEngine::Auto);
    assert_ne!(answer.holds(), Some(true), "{answer:?}");
}

#[test]
fn formulas_inside_formulas_are_decided_where_they_are_conditions_after_all() {
    let Some(solvers) = solvers() else { return };
    // A counter that somebody may stop; then it stays as it is.
    let text = "
        (define-fun Init ((x Int) (stopped Bool)) Bool (and (= x 0) (not stopped)))
        (define-fun Next ((x Int) (stopped Bool) (y Int) (stops Bool)) Bool
          (or (and (not stopped) (= y (+ x 1)) (not stops)) (and (= y x) stops)))
        (define-fun stays ((x Int) (stopped Bool)) Bool
          (! (ctl.AG (=> stopped (ctl.AG stopped))) :ctl-property stays :expect holds))
        (define-fun can-stop ((x Int) (stopped Bool)) Bool
          (! (ctl.AG (ctl.EF (ctl.AG stopped))) :ctl-property can-stop :expect holds))
        (define-fun must-stop ((x Int) (stopped Bool)) Bool
          (! (ctl.AF (ctl.AG stopped)) :ctl-property must-stop :expect fails))
        (define-fun goes-on ((x Int) (stopped Bool)) Bool
          (! (ctl.AG (ctl.EF (ctl.EG (not stopped)))) :ctl-property goes-on :expect fails))";
    all_as_expected(&solvers, text);
}
