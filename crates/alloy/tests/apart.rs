//! Goals taken apart against goals as they are: there is an instance of one if and only if there is one of the other.

use wherefore_alloy::{LoweringOptions, load, lower_apart, lower_lassos};
use wherefore_base::{Budget, Diagnostic, Rng, SourceFile, SourceMap};
use wherefore_relational::{Overflow, Search, SearchOptions};
use wherefore_sat::Batsat;

fn number(rng: &mut Rng, scope: usize, depth: u32) -> String {
    match rng.below(if depth == 0 { 3 } else { 5 }) {
        0 if scope > 0 => format!("x{}", rng.below(scope)),
        0 | 1 => rng.pick(&["0", "1", "2", "3"]).to_string(),
        2 => rng.pick(&["#A", "(sum A.f)", "#f"]).to_string(),
        _ => {
            let op = rng.pick(&["plus", "minus", "mul"]);
            let (a, b) = (number(rng, scope, depth - 1), number(rng, scope, depth - 1));
            format!("{op}[{a}, {b}]")
        }
    }
}

fn formula(rng: &mut Rng, scope: usize, depth: u32) -> String {
    match rng.below(if depth == 0 { 2 } else { 9 }) {
        0 | 1 => {
            let how = rng.pick(&["<", "=", ">=", "!="]);
            let (a, b) = (number(rng, scope, 2), number(rng, scope, 1));
            format!("({a} {how} {b})")
        }
        2 => format!("(not {})", formula(rng, scope, depth - 1)),
        3 | 4 => {
            let op = rng.pick(&["and", "or", "implies", "iff"]);
            let (a, b) = (
                formula(rng, scope, depth - 1),
                formula(rng, scope, depth - 1),
            );
            format!("({a} {op} {b})")
        }
        _ => {
            let quantifier = rng.pick(&["all", "some", "no"]);
            let bound = match rng.below(4) {
                0 => "A.f".to_string(),
                1 => format!("Int[{}]", number(rng, scope, 1)),
                _ => "Int".to_string(),
            };
            let body = formula(rng, scope + 1, depth - 1);
            format!("({quantifier} x{scope}: {bound} | {body})")
        }
    }
}

#[test]
fn a_goal_taken_apart_has_an_instance_where_the_goal_has_one_in_both_ways_of_overflow() {
    let (budget, options) = (Budget::unlimited(), SearchOptions::default());
    let mut answers = [0, 0];
    for seed in 1..1000 {
        let rng = &mut Rng::new(seed);
        rng.below(2);
        let goal = formula(rng, 0, 3);
        let kind = rng.pick(&["run", "check"]);
        let text = format!("sig A {{ f: Int }}\n{kind} {{ {goal} }} for 2 but 3 Int\n");
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("model.als", text.clone()));
        let loaded = load(&mut sources, file, None, &mut |_| None, &budget);
        let loaded = loaded.expect("nothing stops it");
        let errors = loaded.diagnostics.iter().filter(|d| d.is_error());
        let errors: Vec<&Diagnostic> = errors.collect();
        assert!(errors.is_empty(), "{text}{errors:?}");
        let command = &loaded.model.commands[0];
        for overflow in [Overflow::Wrap, Overflow::Forbid] {
            let choices = LoweringOptions {
                overflow,
                ..LoweringOptions::default()
            };
            let whole = lower_lassos(&loaded.model, command, &choices, 1);
            let apart = lower_apart(&loaded.model, command, &choices, 1);
            let found = [whole, apart].map(|lowered| {
                let lowered = lowered.unwrap_or_else(|d| panic!("{text}{}", d.message));
                let search = Search::<'_, Batsat>::new(&lowered.problem, &options, &budget);
                let mut search = search.unwrap_or_else(|refusal| panic!("{text}{refusal}"));
                let next = search.next(&budget);
                next.unwrap_or_else(|refusal| panic!("{text}{refusal}"))
                    .is_some()
            });
            assert_eq!(found[0], found[1], "{text}{overflow:?}");
            answers[usize::from(found[0])] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 40), "{answers:?}");
}
