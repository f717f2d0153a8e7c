//! What an instance does not hinge on can be anything: every change there leaves it an instance.

use wherefore_alloy::changes;
use wherefore_base::{Budget, Rng};

use super::super::changed::standing;
use super::super::{Kept, Standing};
use super::InstanceHinges;
use crate::subjects::alloy::{AlloyOptions, AlloySubject};

/// The first instances of a command.
fn instances(subject: &AlloySubject, command: usize, count: usize) -> Vec<Kept> {
    let (options, budget) = (AlloyOptions::default(), Budget::unlimited());
    let Ok(question) = subject.question(command, &options) else {
        return Vec::new();
    };
    let mut instances = question.instances();
    let mut kept = Vec::new();
    while kept.len() < count
        && let Ok(Some(next)) = instances.next(&budget)
    {
        kept.push((next.problem, next.instance));
    }
    kept
}

/// How many changes are at places that instances of the first command do not hinge on, and how many are not; each of the
/// first leaves the instance one. Of the changes, each is looked at that comes after so many others.
fn counts(text: &str, every: usize) -> (usize, usize) {
    let subject = AlloySubject::from_text("model.als", text).expect("it is a model");
    let (options, budget) = (AlloyOptions::default(), Budget::unlimited());
    let (command, mut excluded, mut open) = (0, 0, 0);
    for kept in instances(&subject, command, 3) {
        let mut hinges = InstanceHinges::of(&subject, command, &options);
        let kept = [kept];
        let all = changes(subject.sources(), subject.file(), subject.model());
        for one in all.into_iter().step_by(every) {
            if !hinges
                .excludes(&[&one], &kept, &budget)
                .expect("there is no limit")
            {
                open += 1;
                continue;
            }
            let changed = subject.changed(&one.change, &budget);
            let Some(changed) = changed.expect("there is no limit") else {
                continue;
            };
            let Ok(question) = changed.question(command, &options) else {
                continue;
            };
            let (problem, instance) = &kept[0];
            let stands = standing(&question, *problem, instance, &budget);
            let stands = stands.expect("there is no limit");
            let text = subject.changed_text(&one.change);
            assert!(
                matches!(stands, None | Some(Standing::Instance)),
                "{:?} leaves no instance:\n{text}",
                one.change
            );
            excluded += 1;
        }
    }
    (excluded, open)
}

#[test]
fn what_an_instance_does_not_hinge_on_can_be_anything() {
    let text = "sig Node { next: lone Node, mark: set Node } { this not in mark or some mark }
fact Ends { some n: Node | no n.next or n in n.mark and some mark }
fun marked: set Node { { n: Node | n in n.mark or some n.next } }
pred linked[n: Node] { some n.next implies n.next != n else no n.mark }
pred unused { no Node }
pred fine { all n: Node | linked[n] or n in n.^next and no marked & n.mark }
assert Fine { fine implies (let m = marked | no m or some m.mark) and no next & iden }
check Fine for 3
run fine for 3
";
    let (excluded, open) = counts(text, 1);
    assert!(excluded > 100 && open > 100, "{excluded} {open}");
}

#[test]
fn what_a_trace_does_not_hinge_on_can_be_anything() {
    let text = "var sig Hot {}
sig Lamp { var lit: set Hot }
fact { always (some lit or after no Hot) }
pred cools { eventually (no Hot or no lit) }
check { cools and some Lamp implies always no Hot } for 2 but 1..3 steps
";
    let (excluded, open) = counts(text, 1);
    assert!(excluded > 0 && open > 0, "{excluded} {open}");
}

/// A random formula without more parentheses than needed, so that operators stand next to each other.
fn formula(rng: &mut Rng, depth: usize, variables: &mut Vec<String>) -> String {
    const SETS: [&str; 6] = ["A", "A.r", "s.A", "r.A", "A.^r", "A.s"];
    let set = |rng: &mut Rng| match variables.last() {
        Some(last) if rng.below(2) == 0 => last.clone(),
        _ => SETS[rng.below(SETS.len())].to_string(),
    };
    if depth == 0 {
        let (one, other) = (set(rng), set(rng));
        return match rng.below(6) {
            0 => format!("some {one}"),
            1 => format!("no {one}"),
            2 => format!("{one} in {other}"),
            3 => format!("{one} !in {other}"),
            4 => format!("lone {one} & {other}"),
            _ => format!("{one} != {other}"),
        };
    }
    let operator = ["and", "or", "implies", "iff"][rng.below(4)];
    match rng.below(6) {
        0 => {
            let name = format!("x{}", variables.len());
            variables.push(name.clone());
            let body = formula(rng, depth - 1, variables);
            variables.pop();
            let quantifier = ["all", "some", "no", "lone", "one"][rng.below(5)];
            format!("({quantifier} {name}: A | {body})")
        }
        1 => format!("not ({})", formula(rng, depth - 1, variables)),
        2 => {
            let condition = formula(rng, 0, variables);
            let (yes, no) = (
                formula(rng, 0, variables),
                formula(rng, depth - 1, variables),
            );
            format!("({condition} implies {yes} else {no})")
        }
        _ => {
            let left = formula(rng, depth - 1, variables);
            let right = formula(rng, depth - 1, variables);
            format!("{left} {operator} {right}")
        }
    }
}

#[test]
fn what_instances_of_random_models_do_not_hinge_on_can_be_anything() {
    let (mut excluded, mut open) = (0, 0);
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let mut formula = || formula(&mut rng, 3, &mut Vec::new());
        let text = format!(
            "sig A {{ r: set A, s: lone A }}\nfact {{ {} or some A }}\npred p {{ {}\n {} }}\ncheck {{ p implies {} }} for 2\n",
            formula(),
            formula(),
            formula(),
            formula()
        );
        let (more, rest) = counts(&text, 29);
        excluded += more;
        open += rest;
    }
    assert!(excluded > 100 && open > 100, "{excluded} {open}");
}
