//! Who could have avoided a decisive step, against all steps that the plain interpreter lists.

use std::collections::BTreeMap;
use std::fmt::Write;

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::{Budget, SourceFile, SourceMap, Value};
use wherefore_evidence::{DecisiveChoice, EvidenceOptions, Finding, Investigator};
use wherefore_logic::{PathRule, Quantifier};
use wherefore_model::{Interpreter, Model, VarId};
use wherefore_space::StateSpace;
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{self, Kripke, StateMask, members};
use wherefore_testkit::{Rng, campaign, naive};

/// The expression that is true in these states: a state is written with three bits.
fn any_of(states: StateMask, names: [&str; 3]) -> String {
    let bit = |state: usize, at: usize| {
        let not = if state >> (2 - at) & 1 == 1 { "" } else { "!" };
        format!("{not}{}", names[at])
    };
    let cube = |state: usize| format!("({})", [0, 1, 2].map(|at| bit(state, at)).join(" & "));
    let cubes: Vec<String> = members(states).map(cube).collect();
    match cubes.is_empty() {
        true => "FALSE".to_string(),
        false => format!("({})", cubes.join(" | ")),
    }
}

/// A model whose input says which of two structures makes the step.
pub(crate) fn model(structures: &[Kripke; 2], spec: &str) -> Model {
    let [first, _] = structures;
    let now = |states| any_of(states, ["a", "b", "c"]);
    let next = |states| any_of(states, ["next(a)", "next(b)", "next(c)"]);
    let mut text = String::from(
        "MODULE main\nVAR a : boolean; b : boolean; c : boolean;\nIVAR i : boolean;\n",
    );
    let _ = writeln!(text, "DEFINE p := {};", now(first.labels[0]));
    let _ = writeln!(text, "INIT {}", now(first.initial));
    for (structure, guard) in structures.iter().zip(["!i", "i"]) {
        for (state, &after) in structure.steps.iter().enumerate() {
            let _ = writeln!(
                text,
                "TRANS {guard} & {} -> {}",
                now(1 << state),
                next(after)
            );
        }
    }
    let _ = writeln!(text, "{spec}");
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("environment.smv", &text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert!(!loaded.diagnostics.iter().any(|d| d.is_error()), "{text}");
    loaded.model
}

/// A structure with eight states.
pub(crate) fn structure(rng: &mut Rng) -> Kripke {
    let mut structure = kripke::random(rng, 8, 1);
    structure.steps.resize(8, 0);
    structure.size = 8;
    structure.fairness = Default::default();
    structure
}

fn number(values: &[Value]) -> usize {
    let bits = values.iter();
    bits.fold(0, |n, &bit| 2 * n + usize::from(bit == Value::Bool(true)))
}

fn finding<S: StateSpace>(space: &S, environment: &[VarId]) -> Finding {
    let options = EvidenceOptions {
        environment: environment.to_vec(),
        ..EvidenceOptions::default()
    };
    let investigator = Investigator::new(space).expect("no limit");
    investigator.investigate(0, &options)
}

/// What the reactions to each choice of the environment keep: all its values in order, and for each
/// reaction whether it keeps the chance.
type Choices = BTreeMap<Vec<Value>, Vec<bool>>;

fn choices(
    model: &Model,
    own: &[VarId],
    from: &[Value],
    kept: StateMask,
    live: StateMask,
) -> Choices {
    let interpreter = Interpreter::new(model);
    let steps = interpreter.steps(from, &Budget::unlimited());
    let mut choices = Choices::new();
    for step in steps.expect("no limit") {
        let next = number(&step.next);
        if live >> next & 1 == 1 {
            let mut choice = step.input.clone();
            choice.extend(own.iter().map(|var| step.next[var.index()]));
            let reactions = choices.entry(choice).or_default();
            reactions.push(kept >> next & 1 == 1);
        }
    }
    choices
}

/// An operator about some or every path.
type Claim = fn(Quantifier) -> Operator;

#[test]
fn who_could_have_avoided_a_step_is_who_had_another_choice() {
    let claims: [(Claim, &str); 2] = [(Operator::Finally, "AF p"), (Operator::Globally, "AG p")];
    campaign("environment", 300, |rng| {
        let first = structure(rng);
        let second = Kripke {
            steps: structure(rng).steps,
            ..first.clone()
        };
        let mut both = first.clone();
        for (all, more) in both.steps.iter_mut().zip(&second.steps) {
            *all |= more;
        }
        let (operator, spec) = *rng.pick(&claims);
        let claim = |operand| CtlTree::Apply(operator(Quantifier::Exists), vec![operand]).formula();
        let rule = PathRule::FairInfinite;
        let some = claim(CtlTree::Atom(0));
        let kept = naive::evaluate(&both, &some, rule)[some.root()];
        let always = CtlTree::Apply(
            Operator::Globally(Quantifier::Exists),
            vec![CtlTree::Const(true)],
        );
        let always = always.formula();
        let live = naive::evaluate(&both, &always, rule)[always.root()];

        let model = model(&[first, second], &format!("CTLSPEC {spec}"));
        let own: Vec<VarId> = (0..3)
            .map(VarId::new)
            .filter(|_| rng.chance(1, 3))
            .collect();
        let found = finding(&explicit(&model), &own);
        assert_eq!(found, finding(&symbolic(&model), &own));
        let Some(evidence) = &found.evidence else {
            return;
        };
        for decision in &found.decisions {
            let DecisiveChoice::Lost {
                from,
                to,
                avoidable,
                ..
            } = &decision.choice
            else {
                continue;
            };
            let avoidable = avoidable.as_ref().expect("there is an input");
            let edge = evidence
                .edges
                .iter()
                .find(|e| (e.from, e.to) == (*from, *to));
            let mut taken = edge.expect("the step is shown").input.clone();
            let next = &evidence.occurrences[*to].values;
            taken.extend(own.iter().map(|var| next[var.index()]));
            let choices = choices(
                &model,
                &own,
                &evidence.occurrences[*from].values,
                kept,
                live,
            );
            assert_eq!(avoidable.system, choices[&taken].contains(&true));
            let others = || choices.iter().filter(|(choice, _)| **choice != taken);
            let some = others().any(|(_, reactions)| reactions.contains(&true));
            let sure = others().any(|(_, reactions)| !reactions.contains(&false));
            let environment = avoidable.environment.as_ref();
            assert_eq!(environment.is_some(), some);
            assert_eq!(environment.is_some_and(|choice| choice.sure), sure);
            if let Some(choice) = environment {
                let mut other = taken.clone();
                for &(var, value) in &choice.values {
                    let place = own.iter().position(|own| *own == var);
                    other[place.map_or(0, |place| place + 1)] = value;
                }
                assert_ne!(other, taken);
                assert!(choices[&other].contains(&true));
                assert_eq!(!choices[&other].contains(&false), sure);
            }
        }
    });
}
