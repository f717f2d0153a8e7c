//! Obligations are discharged, or broken by their least offending value.

use wherefore_base::{Budget, Diagnostic, Value};
use wherefore_model::{BinaryOp, Obligation, Requirement, Term, TermId, apply};
use wherefore_space::obligation::discharge;

use crate::support::{Builder, nowhere};

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

#[test]
fn wide_numbers_fit_where_conditions_keep_them_in_their_range() {
    let high = 1_000_000_000_000;
    let mut b = Builder::default();
    let x = b.range("x", 0, high);
    let (now, one, zero, most, ten) = (b.now(x), b.int(1), b.int(0), b.int(high), b.int(10));
    let more = b.op(BinaryOp::Add, now, one);
    let below = b.op(BinaryOp::Less, now, most);
    let guarded = b.ite(below, more, zero);
    b.oblige(Requirement::Assign(x, guarded), &[], "guarded");
    let last = b.op(BinaryOp::Equal, now, most);
    let otherwise = b.ite(last, zero, more);
    b.oblige(Requirement::Assign(x, otherwise), &[], "otherwise");
    let (half, rest) = (b.op(BinaryOp::Div, now, ten), b.op(BinaryOp::Mod, now, ten));
    let choice = b.set(&[half, rest]);
    b.oblige(Requirement::Assign(x, choice), &[], "choice");
    let positive = b.op(BinaryOp::Greater, more, zero);
    b.oblige(Requirement::Holds(positive), &[], "positive");
    assert_eq!(b.messages(), [""; 0]);
}

/// Random conditions and integers over two variables.
struct Terms {
    b: Builder,
    vars: [TermId; 2],
    seed: u64,
}

impl Terms {
    fn below(&mut self, bound: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.seed >> 33) % bound
    }

    fn integer(&mut self, depth: u64) -> TermId {
        use BinaryOp::{Add, Div, Mod, Mul, Sub};
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 => {
                let number = self.below(8) as i64 - 3;
                self.b.int(number)
            }
            1 | 2 => self.vars[self.below(2) as usize],
            3..=6 => {
                let op = [Add, Sub, Mul, Div, Mod][self.below(5) as usize];
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                self.b.op(op, left, right)
            }
            _ => {
                let condition = self.condition(depth - 1);
                let (then, otherwise) = (self.integer(depth - 1), self.integer(depth - 1));
                self.b.ite(condition, then, otherwise)
            }
        }
    }

    fn condition(&mut self, depth: u64) -> TermId {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, Implies, Less, LessEqual, Or, Unequal};
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0..=2 => {
                let op = [Equal, Unequal, Less, LessEqual, Greater, GreaterEqual];
                let op = op[self.below(6) as usize];
                let depth = depth.saturating_sub(1);
                let (left, right) = (self.integer(depth), self.integer(depth));
                self.b.op(op, left, right)
            }
            3 => {
                let condition = self.condition(depth - 1);
                self.b.not(condition)
            }
            _ => {
                let op = [And, Or, Implies][self.below(3) as usize];
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                self.b.op(op, left, right)
            }
        }
    }

    fn value(&self, id: TermId, values: [i64; 2]) -> Value {
        let of = |id: TermId| self.value(id, values);
        match self.b.model.terms.get(id) {
            Term::Const(value) => *value,
            Term::Var(var) => Value::Int(values[var.index()]),
            Term::Not(a) => Value::Bool(of(*a) == Value::Bool(false)),
            Term::Binary(op, a, b) => apply(*op, of(*a), of(*b)).expect("it has a value"),
            Term::Ite(condition, then, otherwise) => match of(*condition) {
                Value::Bool(true) => of(*then),
                _ => of(*otherwise),
            },
            other => panic!("{other:?} is not made here"),
        }
    }
}

#[test]
fn what_is_seen_without_trying_values_is_what_trying_them_shows() {
    let range = -2..=3;
    for seed in 0..4000 {
        let mut b = Builder::default();
        let vars = ["x", "y"].map(|name| b.range(name, -2, 3));
        let target = b.range("z", -2, 3);
        let vars = vars.map(|var| b.now(var));
        let mut terms = Terms { b, vars, seed };
        let guard = terms.condition(2);
        let (assigned, required) = (terms.integer(3), terms.condition(3));
        let requires = [
            Requirement::Assign(target, assigned),
            Requirement::Holds(required),
        ];
        let mut expected = Vec::new();
        for (requires, name) in requires.into_iter().zip(["assigned", "required"]) {
            terms
                .b
                .oblige(requires, &[guard], &format!("{name}: {{value}}"));
            let broken = range
                .clone()
                .flat_map(|x| range.clone().map(move |y| [x, y]));
            let broken = broken
                .filter(|&values| terms.value(guard, values) == Value::Bool(true))
                .filter_map(|values| match terms.value(requires.term(), values) {
                    Value::Int(number) => (!range.contains(&number)).then(|| number.to_string()),
                    value => (value == Value::Bool(false)).then(|| "FALSE".to_string()),
                });
            let least = broken.min_by_key(|value| value.parse::<i64>().unwrap_or(0));
            expected.extend(least.map(|value| format!("{name}: {value}")));
        }
        assert_eq!(terms.b.messages(), expected, "seed {seed}");
    }
}
