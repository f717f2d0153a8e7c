//! SMV models whose variables have no bounds: the same model is written once with ranges and once with integers that
//! an invariant keeps in the ranges; exploring the states of the one and asking solvers about the other must agree.

use std::time::Duration;

use wherefore_acceptance::has_solver;
use wherefore_base::Budget;
use wherefore_driver::ModelSubject;
use wherefore_driver::smt::Bound;
use wherefore_driver::subjects::smt::{SmtOptions, SmtSolver, SmtSubject};
use wherefore_evidence::Verdict as Found;
use wherefore_testkit::{Rng, campaign};

use crate::tally::Tally;

fn choices() -> Option<SmtOptions> {
    has_solver().then(|| SmtOptions {
        solvers: SmtSolver::installed(&Budget::unlimited()),
        bound: 20,
        recheck: Duration::ZERO,
        ..SmtOptions::default()
    })
}

/// A random model in which numbers go from 0 to 3: how they are declared is left open as `NUMBER`, and what keeps them in
/// their range as `KEPT`.
fn random(rng: &mut Rng) -> String {
    let mut text = String::from(
        "MODULE cell(other)\nVAR n : NUMBER;\nASSIGN next(n) := case n < other : n + 1; n = 3 : {0, 1}; TRUE : n; esac;\n\
         MODULE main\nVAR x : NUMBER; y : NUMBER; b : boolean; c : {red, blue, green};\n",
    );
    let part = rng.chance(1, 4);
    if part {
        text.push_str("p : cell(x);\n");
    }
    if rng.chance(1, 4) {
        text.push_str("FROZENVAR k : 0..3;\n");
    } else {
        text.push_str("DEFINE k := 2;\n");
    }
    text.push_str(&format!(
        "DEFINE far := x - y > {};\nASSIGN\n",
        rng.between(-1, 2)
    ));
    if rng.chance(2, 3) {
        text.push_str(&format!(
            "  init(x) := {};\n",
            rng.pick(&["0", "1", "k", "{0, 2}", "{k, 3}"])
        ));
    }
    text.push_str(&format!("  next(x) := {};\n", number(rng, 2)));
    if rng.chance(3, 4) {
        let (when, then, other) = (condition(rng, 1), number(rng, 1), number(rng, 1));
        text.push_str(&format!(
            "  next(y) := case {when} : {{{then}, y}}; TRUE : {other}; esac;\n"
        ));
    }
    if rng.chance(2, 3) {
        text.push_str(&format!(
            "  next(c) := {} ? {{red, blue}} : green;\n",
            condition(rng, 1)
        ));
    }
    if rng.chance(1, 3) {
        text.push_str(&format!("TRANS {} -> next(y) != x\n", condition(rng, 1)));
    }
    if rng.chance(1, 3) {
        text.push_str(&format!("INIT {}\n", condition(rng, 1)));
    }
    if rng.chance(1, 4) {
        text.push_str(&format!("FAIRNESS {}\n", condition(rng, 0)));
    }
    let kept = if part {
        "KEPT(x) & KEPT(y) & KEPT(p.n)"
    } else {
        "KEPT(x) & KEPT(y)"
    };
    text.push_str(&format!("INVAR {kept}\n"));
    let (p, q) = (condition(rng, 1), condition(rng, 1));
    for property in [
        format!("INVARSPEC {p}"),
        format!("CTLSPEC AF ({p})"),
        format!("CTLSPEC AG ({p} -> AF ({q}))"),
        format!("CTLSPEC EF ({p} & {q})"),
        format!("CTLSPEC A [({p}) U ({q})]"),
        format!("CTLSPEC AG EF ({q})"),
        format!("LTLSPEC G F ({p})"),
        format!("LTLSPEC F G ({q})"),
        format!("LTLSPEC G ({p} -> X ({q}))"),
    ] {
        if rng.chance(1, 3) {
            text.push_str(&property);
            text.push('\n');
        }
    }
    text
}

/// An expression whose values are in 0..3 where those of the variables are.
fn number(rng: &mut Rng, depth: usize) -> String {
    let inner = |rng: &mut Rng| match depth {
        0 => ["x", "y", "k", "0", "1", "2", "3"][rng.below(7)].to_string(),
        _ => number(rng, depth - 1),
    };
    match rng.below(6) {
        0 => format!("(({} + {}) mod 4)", inner(rng), inner(rng)),
        1 => format!("(3 - {})", inner(rng)),
        2 => format!("({} < 3 ? x + 1 : {})", "x", inner(rng)),
        3 => format!("({} ? {} : {})", condition(rng, 0), inner(rng), inner(rng)),
        4 => format!("(({} * {}) / 3)", inner(rng), inner(rng)),
        _ => inner(rng),
    }
}

fn condition(rng: &mut Rng, depth: usize) -> String {
    match (rng.below(8), depth) {
        (0, _) => "b".to_string(),
        (1, _) => format!("c in {{red, {}}}", ["blue", "green"][rng.below(2)]),
        (2, _) => "far".to_string(),
        (3, 1..) => format!("!({})", condition(rng, depth - 1)),
        (4, 1..) => format!(
            "({} & {})",
            condition(rng, depth - 1),
            condition(rng, depth - 1)
        ),
        (5, 1..) => format!(
            "({} | {})",
            condition(rng, depth - 1),
            condition(rng, depth - 1)
        ),
        (6, _) => format!("x {} y", ["<", "=", "!=", ">="][rng.below(4)]),
        _ => format!(
            "{} {} {}",
            ["x", "y"][rng.below(2)],
            ["<", "=", ">"][rng.below(3)],
            rng.between(0, 3)
        ),
    }
}

fn with_ranges(text: &str) -> String {
    let text = text.replace("NUMBER", "0..3");
    text.replace("KEPT(x)", "TRUE")
        .replace("KEPT(y)", "TRUE")
        .replace("KEPT(p.n)", "TRUE")
}

fn with_integers(text: &str) -> String {
    let mut text = text.replace("NUMBER", "integer");
    for name in ["x", "y", "p.n"] {
        text = text.replace(&format!("KEPT({name})"), &format!("{name} in 0..3"));
    }
    text
}

#[test]
fn integers_kept_in_a_range_are_as_good_as_the_range() {
    let Some(choices) = choices() else {
        return;
    };
    let tally = Tally::default();
    campaign("smv numbers", 12, |rng| {
        let text = random(rng);
        let ranges = with_ranges(&text);
        let finite = ModelSubject::from_text("ranges.smv", ranges.as_str())
            .unwrap_or_else(|rejected| panic!("{rejected}\n{ranges}"));
        let integers = with_integers(&text);
        let infinite = SmtSubject::from_text("integers.smv", integers.as_str())
            .unwrap_or_else(|rejected| panic!("{rejected}\n{integers}"));
        for property in 0..infinite.properties().len() {
            let budget = Budget::new(Some(Duration::from_secs(5)), None);
            let answer = infinite.answer(property, &choices, &budget);
            let expected =
                finite.check(property).expect("the model is right").verdict == Found::Holds;
            let what = &infinite.properties()[property].text;
            let about = format!("{what}\n{integers}");
            tally.compare(&infinite, (property, answer), expected, &about);
        }
    });
    tally.is_enough();
}

#[test]
fn bounds_from_outside_are_as_good_as_a_range() {
    campaign("smv bounds", 40, |rng| {
        let text = random(rng);
        let ranges = with_ranges(&text);
        let finite = ModelSubject::from_text("ranges.smv", ranges.as_str()).expect("it is a model");
        let integers = with_ranges(&text.replace("NUMBER", "integer"));
        let infinite =
            SmtSubject::from_text("integers.smv", integers.as_str()).expect("it is a model");
        let bound: Bound = "Int=0..3".parse().expect("it is a bound");
        let bounded = infinite
            .finite(&[bound])
            .unwrap_or_else(|rejected| panic!("{rejected}\n{integers}"));
        for property in 0..infinite.properties().len() {
            let verdicts = [&finite, &bounded]
                .map(|session| session.check(property).expect("the model is right").verdict);
            assert_eq!(verdicts[0], verdicts[1], "{integers}");
        }
    });
}
