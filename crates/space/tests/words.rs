//! Words: every operator on all words of small widths, read by both engines.

use wherefore_base::{Budget, Value, Word};
use wherefore_model::{BinaryOp, Domain, Model, Requirement, Term, TermId, VarId, VarKind, WordOp};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;

use crate::support::Builder;

/// Whether a word has a sign, and how many bits it has.
type WordType = (bool, u32);

const TYPES: [WordType; 6] = [
    (false, 1),
    (false, 2),
    (false, 3),
    (true, 1),
    (true, 2),
    (true, 3),
];

fn domain((signed, width): WordType) -> Domain {
    Domain::Word { signed, width }
}

/// Two variables that have any value and keep it.
fn two_words(word: WordType) -> (Builder, VarId, VarId) {
    let mut b = Builder::default();
    let vars = ["a", "b"].map(|name| b.var(name, domain(word), VarKind::State));
    for var in vars {
        let now = b.now(var);
        b.trans(Requirement::Assign(var, now));
    }
    (b, vars[0], vars[1])
}

/// Each operator over two words of one type, with the type of its result.
fn results(b: &mut Builder, a: VarId, other: VarId, word: WordType) -> Vec<(TermId, WordType)> {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Concat, Div, Mod, Mul, ShiftLeft, ShiftRight, Sub};
    let (signed, width) = word;
    let (x, y) = (b.now(a), b.now(other));
    let mut all = vec![(x, word)];
    for op in [Add, Sub, Mul, Div, Mod, BitAnd, BitOr, BitXor] {
        all.push((b.op(op, x, y), word));
    }
    all.push((b.op(Concat, x, y), (false, 2 * width)));
    for op in [ShiftLeft, ShiftRight] {
        for by in 0..=i64::from(width) {
            let by = b.int(by);
            all.push((b.op(op, x, by), word));
        }
        if !signed {
            all.push((b.op(op, x, y), word));
        }
    }
    for low in 0..width {
        for high in low..width {
            let select = Term::Word(WordOp::Select(high, low), x);
            all.push((b.term(select), (false, high - low + 1)));
        }
    }
    for signed in [false, true] {
        for width in 1..=4 {
            let convert = Term::Word(WordOp::Convert { signed, width }, x);
            all.push((b.term(convert), (signed, width)));
        }
    }
    let less = b.op(BinaryOp::Less, x, y);
    let sum = b.op(Add, x, y);
    all.push((b.ite(less, sum, x), word));
    all
}

fn words((signed, width): WordType) -> impl Iterator<Item = Value> {
    (0..1 << width).map(move |bits| Value::Word(Word::new(signed, width, bits)))
}

/// The values of all states of a set, in order.
fn listed<S: StateSpace>(space: &S, set: &S::Set) -> Vec<Vec<Value>> {
    let mut left = set.clone();
    let mut states = Vec::new();
    while let Some(state) = space.first(&left).unwrap() {
        left = space.minus(&left, &space.just(&state).unwrap()).unwrap();
        states.push(space.values(&state));
    }
    states
}

/// Compares the states where conditions hold.
fn compare(model: &Model, conditions: &[TermId]) {
    let budget = Budget::unlimited();
    let explicit = Explicit::explore(model, ExplorationLimits::default(), &budget);
    let explicit = explicit.unwrap().unwrap();
    let symbolic = Symbolic::build(model, &budget).unwrap();
    assert_eq!(
        listed(&explicit, explicit.reachable()),
        listed(&symbolic, symbolic.reachable())
    );
    for &condition in conditions {
        let expected = explicit.states_where(condition).unwrap();
        let got = symbolic.states_where(condition).unwrap();
        assert_eq!(
            listed(&explicit, &expected),
            listed(&symbolic, &got),
            "{:?}",
            model.terms.get(condition)
        );
    }
}

#[test]
fn results_of_all_operators_are_the_same_in_both_engines() {
    for word in TYPES {
        let (mut b, a, other) = two_words(word);
        let mut conditions = Vec::new();
        for (result, of) in results(&mut b, a, other, word) {
            for value in words(of) {
                let value = b.value(value);
                conditions.push(b.equal(result, value));
            }
        }
        compare(&b.model, &conditions);
    }
}

#[test]
fn comparisons_memberships_and_numbers_are_the_same_in_both_engines() {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, Unequal};
    for word in TYPES {
        let (mut b, a, other) = two_words(word);
        let (x, y) = (b.now(a), b.now(other));
        let sum = b.op(BinaryOp::Add, x, y);
        let mut conditions = Vec::new();
        for op in [Equal, Unequal, Less, LessEqual, Greater, GreaterEqual] {
            conditions.push(b.op(op, x, y));
            conditions.push(b.op(op, sum, y));
        }
        let first = words(word).next().expect("there is a word");
        let first = b.value(first);
        let some = b.set(&[y, first]);
        conditions.push(b.term(Term::Member(x, some)));
        conditions.push(b.term(Term::Member(sum, some)));
        let number = b.term(Term::Word(WordOp::ToInt, sum));
        for limit in -4..8 {
            let limit = b.int(limit);
            conditions.push(b.op(Less, number, limit));
            conditions.push(b.equal(number, limit));
        }
        compare(&b.model, &conditions);
    }
}

#[test]
fn variables_that_are_assigned_words_take_the_same_values_in_both_engines() {
    for word in TYPES {
        let (mut probe, a, other) = two_words(word);
        for at in 0..results(&mut probe, a, other, word).len() {
            let (mut b, a, other) = two_words(word);
            let (result, of) = results(&mut b, a, other, word)[at];
            let taker = b.var("taker", domain(of), VarKind::State);
            let zero = words(of).next().expect("there is a word");
            let zero = b.value(zero);
            b.init(Requirement::Assign(taker, zero));
            b.trans(Requirement::Assign(taker, result));
            compare(&b.model, &[]);
        }
    }
}
