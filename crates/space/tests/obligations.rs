//! Obligations are discharged, or broken by their least offending value.

mod support;

use support::{Builder, nowhere};
use wherefore_base::{Budget, Diagnostic};
use wherefore_model::{BinaryOp, Obligation, Requirement, TermId};
use wherefore_space::obligation::discharge;

impl Builder {
    fn oblige(&mut self, requires: Requirement, when: &[TermId], message: &str) {
        let otherwise = Diagnostic::error(nowhere(), message)
            .because("it can be {value}")
            .help("Make room for {value}.");
        self.model.obligations.push(Obligation {
            requires,
            when: when.to_vec(),
            otherwise,
        });
    }

    fn messages(&self) -> Vec<String> {
        let broken = discharge(&self.model, &Budget::unlimited()).unwrap();
        broken
            .into_iter()
            .map(|diagnostic| diagnostic.message)
            .collect()
    }
}

/// An assignment `y := x + 1` with its guard `x < high` or without, for `x` in `0..high`.
fn successor(high: i64) -> Builder {
    let mut b = Builder::default();
    let (x, y) = (b.range("x", 0, high), b.range("y", 0, high));
    let (x, one, most) = (b.now(x), b.int(1), b.int(high));
    let more = b.op(BinaryOp::Add, x, one);
    let small = b.op(BinaryOp::Less, x, most);
    b.oblige(Requirement::Assign(y, more), &[small], "guarded: {value}");
    b.oblige(Requirement::Assign(y, more), &[], "open: {value}");
    let two = b.int(2);
    let twice = b.op(BinaryOp::Mul, x, two);
    b.oblige(Requirement::Assign(y, twice), &[], "twice: {value}");
    b.oblige(Requirement::Holds(small), &[small], "sure");
    b.oblige(Requirement::Holds(small), &[], "unsure: {value}");
    let never = b.truth(false);
    b.oblige(Requirement::Holds(small), &[never], "idle");
    b
}

#[test]
fn broken_obligations_name_the_least_offending_value_in_order() {
    // The first range is tried value by value, the second needs decision diagrams.
    for high in [9, 9999] {
        let expected = [
            format!("open: {}", high + 1),
            format!("twice: {}", high + 1),
            "unsure: FALSE".to_string(),
        ];
        assert_eq!(successor(high).messages(), expected);
    }
}

#[test]
fn the_value_is_filled_in_everywhere() {
    let model = successor(3).model;
    let broken = discharge(&model, &Budget::unlimited()).unwrap();
    assert_eq!(broken[0].labels[0].text, "it can be 4");
    assert_eq!(broken[0].help, ["Make room for 4."]);
}

#[test]
fn a_choice_must_fit_with_all_its_values_in_the_next_state_and_with_inputs() {
    let mut b = Builder::default();
    let (x, y) = (b.range("x", 0, 3), b.range("y", 0, 3));
    let input = b.var(
        "i",
        wherefore_model::Domain::Range { low: 0, high: 5 },
        wherefore_model::VarKind::Input,
    );
    let (next, input, minus) = (b.next(y), b.now(input), b.int(-1));
    let fits = b.set(&[next, next]);
    b.oblige(Requirement::Assign(x, fits), &[], "fits");
    let below = b.set(&[next, minus]);
    b.oblige(Requirement::Assign(x, below), &[], "below: {value}");
    b.oblige(Requirement::Assign(x, input), &[], "above: {value}");
    let three = b.int(3);
    let small = b.op(BinaryOp::LessEqual, input, three);
    b.oblige(Requirement::Assign(x, input), &[small], "guarded");
    assert_eq!(b.messages(), ["below: -1", "above: 4"]);
}

#[test]
fn values_of_another_kind_do_not_fit() {
    let mut b = Builder::default();
    let x = b.range("x", 0, 3);
    let idle = b.symbol("idle");
    let (idle, zero, now) = (b.value(idle), b.int(0), b.now(x));
    let positive = b.op(BinaryOp::Greater, now, zero);
    let choice = b.ite(positive, zero, idle);
    b.oblige(Requirement::Assign(x, choice), &[], "{value}");
    assert_eq!(b.messages(), ["idle"]);
}
