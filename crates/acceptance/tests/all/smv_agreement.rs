//! Random SMV programs: what the syntax tree says is what the lowered model does.

use std::collections::BTreeSet;

use wherefore_acceptance::agreement::{explicit, list, query, symbolic};
use wherefore_acceptance::smv_interpreter::{SmvProgram, SmvState, SmvValue};
use wherefore_base::{Budget, SourceFile, SourceMap, Value};
use wherefore_check::Checker;
use wherefore_logic::PathRule;
use wherefore_model::{Interpreter, Model};
use wherefore_smv::ast;
use wherefore_space::{StateSpace, discharge};
use wherefore_testkit::{Rng, campaign, naive, random_smv};

/// A state of the lowered model with names and values spelt out, without what only the lowering knows.
fn spelt_out(model: &Model, state: &[Value]) -> SmvState {
    let pairs = model.vars.iter().zip(state);
    let spell = |value: Value| match value {
        Value::Bool(b) => SmvValue::Bool(b),
        Value::Int(n) => SmvValue::Int(n),
        Value::Symbol(symbol) => SmvValue::Symbol(model.names.text(symbol).to_string()),
        Value::Word(word) => {
            let bits = (0..word.width()).map(|place| (word.bits() >> place) & 1 == 1);
            SmvValue::Word(word.is_signed(), bits.collect())
        }
    };
    pairs
        .filter(|(var, _)| !var.name.starts_with('_'))
        .map(|(var, &value)| (var.name.clone(), spell(value)))
        .collect()
}

fn program(text: &str) -> (ast::SmvProgramText, Model) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("random.smv", text));
    let (program, diagnostics) = ast::parse(&sources, file);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{text}");
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    let broken = discharge(&loaded.model, &Budget::unlimited()).expect("no limit");
    assert!(broken.is_empty(), "{broken:#?}\n{text}");
    (program, loaded.model)
}

fn compare(text: &str) -> Outcome {
    compare_within(text, 14)
}

/// Compares a program with its model; properties are looked at up to so many states.
fn compare_within(text: &str, most: usize) -> Outcome {
    let (program, model) = program(text);
    let reading = SmvProgram::new(&program);
    let interpreter = Interpreter::new(&model);
    let budget = Budget::unlimited();

    let initial: BTreeSet<SmvState> = reading.initial().into_iter().collect();
    let lowered = interpreter.initial_states(&budget).expect("no limit");
    let spelt: BTreeSet<SmvState> = lowered.iter().map(|s| spelt_out(&model, s)).collect();
    assert_eq!(initial, spelt, "initial states of\n{text}");

    let mut seen: BTreeSet<SmvState> = BTreeSet::new();
    let mut looked_at: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut open = lowered;
    while let Some(state) = open.pop() {
        if !looked_at.insert(state.clone()) {
            continue;
        }
        let here = spelt_out(&model, &state);
        seen.insert(here.clone());
        let successors: BTreeSet<SmvState> = reading.successors(&here).into_iter().collect();
        let steps = interpreter.steps(&state, &budget).expect("no limit");
        let spelt: BTreeSet<SmvState> = steps.iter().map(|s| spelt_out(&model, &s.next)).collect();
        assert_eq!(successors, spelt, "successors of {here:?} in\n{text}");
        open.extend(steps.into_iter().map(|step| step.next));
    }

    let space = explicit(&model);
    let reachable = list(&space, space.reachable());
    let reachable: BTreeSet<SmvState> = reachable.iter().map(|s| spelt_out(&model, s)).collect();
    assert_eq!(seen, reachable, "reachable states of\n{text}");
    let bdds = symbolic(&model);
    let reachable = list(&bdds, bdds.reachable());
    let reachable: BTreeSet<SmvState> = reachable.iter().map(|s| spelt_out(&model, s)).collect();
    assert_eq!(seen, reachable, "reachable states by BDDs of\n{text}");

    let Some((kripke, _, claims)) = reading.structure(most) else {
        return Outcome::StatesOnly;
    };
    assert_eq!(
        claims.len(),
        model.properties.len(),
        "properties of\n{text}"
    );
    let checker = Checker::new(&space).expect("no limit");
    for (at, claim) in claims.iter().enumerate() {
        let formula = claim.formula.formula();
        let (rule, formula) = if claim.invariant {
            (PathRule::Reach, always(formula))
        } else {
            (PathRule::FairInfinite, formula)
        };
        let holds = naive::failing(&kripke, &formula, rule) == 0;
        let query = query(&model, at);
        let solution = checker.solve(query).expect("no limit");
        let failing = checker.failing(query, &solution).expect("no limit");
        let text = || format!("{} in\n{text}", model.properties[at].text);
        assert_eq!(space.is_empty(&failing), holds, "{}", text());
    }
    Outcome::Properties
}

/// `AG f`.
fn always(mut formula: wherefore_logic::Formula) -> wherefore_logic::Formula {
    use wherefore_logic::{Op, PathOp, Quantifier};
    let path = PathOp::Globally(formula.root());
    formula.add(Op::Path(Quantifier::Forall, path), None);
    formula
}

#[derive(PartialEq)]
enum Outcome {
    StatesOnly,
    Properties,
}

#[test]
fn random_programs_mean_what_their_syntax_tree_says() {
    let complete = std::cell::Cell::new(0);
    campaign("random programs", 200, |rng: &mut Rng| {
        if compare_within(&random_smv::random(rng), 12) == Outcome::Properties {
            complete.set(complete.get() + 1);
        }
    });
    let one_seed = std::env::var_os("WHEREFORE_SEED").is_some();
    assert!(
        one_seed || complete.get() > 50,
        "only {} are small",
        complete.get()
    );
}

/// A program that uses what random ones do not: a define of another instance, assignment through a
/// parameter, `self`, an instance as a parameter, a define that reads the next state.
#[test]
fn parameters_by_name_reach_across_instances() {
    let outcome = compare(
        "MODULE main
         VAR a : left(self); b : right(a, n); n : 0..2;
         DEFINE up := next(n) > n; a.shared := n = 1;
         TRANS up -> next(a.on)
         SPEC AG (a.seen -> EF n = 2)
         MODULE left(parent)
         VAR on : boolean;
         DEFINE seen := parent.n > 0 & shared;
         ASSIGN init(on) := FALSE;
         MODULE right(other, target)
         ASSIGN init(target) := 0;
         next(target) := case other.on : (target + 1) mod 3; TRUE : target; esac;
         SPEC EF other.seen
        ",
    );
    assert!(outcome == Outcome::Properties);
}

/// Processes that share a variable, one inside another, with plain instances that belong to them.
#[test]
fn processes_take_turns_and_what_the_others_assign_stays() {
    let outcome = compare(
        "MODULE main
         VAR x : 0..1; a : process outer(x); quiet : boolean;
         ASSIGN init(x) := 0; init(quiet) := FALSE; next(quiet) := TRUE;
         SPEC AF quiet
         SPEC AG EF x = 1
         SPEC AF x = 1
         FAIRNESS running
         MODULE outer(v)
         VAR inner : process step(v);
         ASSIGN next(v) := v < 1 ? v + 1 : v;
         FAIRNESS running & v < 1
         MODULE step(v)
         VAR part : plain(v);
         SPEC EF v = 1
         MODULE plain(v)
         ASSIGN next(v) := 0;
        ",
    );
    assert!(outcome == Outcome::Properties);
}

/// Arrays as parameters, nested, with a constant and with a variable index, in lists of values.
#[test]
fn elements_of_arrays_are_variables() {
    compare(
        "MODULE main
         VAR a : array 1..2 of array 0..1 of boolean; i : 0..1; p : part(a, a[2][1], i);
         DEFINE list := [[i = 0, a[1][0]], [FALSE, TRUE]]; up := next(a)[1][i];
         INIT a[1][0] & !a[1][1] & !a[2][0] & !a[2][1] & i = 0
         ASSIGN next(a[1][0]) := a[2][i]; next(a[1][1]) := list[i][1 - i];
         next(a[2][0]) := p.first;
         TRANS up -> next(i) = 0
         SPEC AG (a[i + 1][i] -> EF a[1][1])
         SPEC EF p.pick
         MODULE part(b, target, n)
         DEFINE first := b[1][0]; pick := b[n + 1][n] & target;
         ASSIGN next(target) := b[1][n];
        ",
    );
}
