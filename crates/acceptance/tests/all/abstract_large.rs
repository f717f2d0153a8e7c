//! Abstract runs over large spaces: counts are exact, limits are kept.

use std::time::Duration;

use num_bigint::BigUint;
use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::{Budget, SourceFile, SourceMap, Stop};
use wherefore_evidence::{
    AbstractOptions, AbstractRun, Abstracted, EvidenceOptions, Investigator, NoAbstract, Replay,
    Verdict,
};
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_space::symbolic::Symbolic;

fn load(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_eq!(loaded.diagnostics, [], "the model is right");
    loaded.model
}

fn outcome<S: StateSpace>(space: &S, property: usize) -> Result<AbstractRun, NoAbstract> {
    let investigator = Investigator::new(space).expect("no limit");
    let options = AbstractOptions::default();
    let found = investigator
        .abstraction(property, &options)
        .expect("no limit");
    let found = found.expect("there is evidence");
    found.map(|abstraction| abstraction.into_run())
}

fn run<S: StateSpace>(space: &S, property: usize) -> AbstractRun {
    outcome(space, property).expect("there is an abstract form")
}

fn each(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// A counter beside bits that are free in every state but the first.
fn free_bits(bits: usize, steps: usize) -> String {
    format!(
        "MODULE main\nVAR c : 0..{steps};\n{}ASSIGN init(c) := 0; next(c) := c < {steps} ? c + 1 : c;\n\
         INIT TRUE{}\nINVARSPEC c < {steps}\n",
        each(bits, |bit| format!("VAR b{bit} : boolean;\n")),
        each(bits, |bit| format!(" & !b{bit}")),
    )
}

/// Bits of which each step sets one, or none.
fn one_by_one(bits: usize) -> String {
    format!(
        "MODULE main\nIVAR pick : 0..{};\n{}CTLSPEC AG !(TRUE{})\n",
        bits - 1,
        each(bits, |bit| format!(
            "VAR b{bit} : boolean;\n\
             ASSIGN init(b{bit}) := FALSE; next(b{bit}) := b{bit} | pick = {bit};\n"
        )),
        each(bits, |bit| format!(" & b{bit}")),
    )
}

/// Two counters modulo a number that is no power of two, with two inputs that may do the same.
const WALK: &str = "MODULE main
VAR x : 0..99; y : 0..99; z : 0..99;
IVAR a : 0..2; b : boolean;
ASSIGN
  init(x) := 0; init(y) := 0; init(z) := 0;
  next(x) := a > 0 ? (x + 1) mod 100 : x;
  next(y) := b ? (y + 1) mod 100 : y;
  next(z) := {z, (z + 1) mod 100};
CTLSPEC AG !(x + y + z = 60)
CTLSPEC AG !(x = 12 & y = 9)
";

#[test]
fn ten_to_the_thirty_runs_are_counted_exactly() {
    let model = load(&free_bits(110, 5));
    let run = run(&symbolic(&model), 0);
    assert_eq!(run.runs, Some(BigUint::from(1u8) << (5 * 110)));
    assert_eq!(run.positions[3].states, BigUint::from(1u8) << 110);
    assert_eq!(run.positions[3].free.len(), 110, "no bit matters");
    assert!(matches!(run.replay, Replay::Partial(_)), "{:?}", run.replay);
}

#[test]
fn orders_are_counted_as_factorials() {
    let bits = 20u32;
    let model = load(&one_by_one(bits as usize));
    let run = run(&symbolic(&model), 0);
    let factorial: BigUint = (1..=bits).map(BigUint::from).product();
    assert_eq!(run.steps(), bits as usize);
    assert_eq!(run.runs, Some(factorial));
}

#[test]
fn a_million_states_one_by_one_and_as_diagrams_give_the_same() {
    let model = load(WALK);
    let (by_graph, by_bdd) = (explicit(&model), symbolic(&model));
    let straight = run(&by_graph, 0);
    assert_eq!(straight.steps(), 20);
    // Three steps forward each time: one run.
    assert_eq!(straight.runs, Some(BigUint::from(1u8)));
    assert_eq!(straight, run(&by_bdd, 0));
    let wide = run(&by_graph, 1);
    // x goes on in every step, y in all but 3 of 12, and z does what it likes.
    assert_eq!(wide.runs, Some(BigUint::from(220u32 << 12)));
    assert_eq!(wide, run(&by_bdd, 1));
}

#[test]
fn long_runs_and_huge_domains_have_a_clear_end() {
    let near = load(
        "MODULE main\nVAR x : 0..5; y : 0..1000000000;\n\
         ASSIGN init(x) := 0; next(x) := x < 5 ? x + 1 : x;\nINVARSPEC x != 3\n",
    );
    let near = run(&symbolic(&near), 0);
    let any = BigUint::from(1_000_000_001u32);
    assert_eq!(near.runs, Some(any.pow(4)));
    let far = load(
        "MODULE main\nVAR x : 0..2000;\nASSIGN init(x) := 0; next(x) := x < 2000 ? x + 1 : x;\n\
         INVARSPEC x < 1500\n",
    );
    assert_eq!(outcome(&explicit(&far), 0), Err(NoAbstract::TooLong(1000)));
    assert_eq!(outcome(&symbolic(&far), 0), Err(NoAbstract::TooLong(1000)));
}

#[test]
fn many_open_parts_end_with_a_reason() {
    let deep = each(1_200, |_| "EX ".to_string());
    let text = format!("MODULE main\nVAR p : boolean;\nCTLSPEC {deep} p\n");
    let model = load(&text);
    assert_eq!(
        outcome(&explicit(&model), 0),
        Err(NoAbstract::TooManyStages)
    );
}

#[test]
fn when_time_is_up_the_verdict_stays_and_the_abstract_form_says_so() {
    let model = load(&one_by_one(24));
    let budget = Budget::new(Some(Duration::from_secs(3600)), None);
    let space = Symbolic::build(&model, &budget).expect("there is time");
    let investigator = Investigator::new(&space).expect("there is time");
    let plain = EvidenceOptions::default();
    assert_eq!(investigator.investigate(0, &plain).abstraction, None);
    let options = EvidenceOptions {
        abstraction: Some(AbstractOptions::default()),
        evidence: false,
        ..plain
    };
    let stopper = budget.clone();
    let finding = std::thread::scope(|scope| {
        scope.spawn(move || {
            while stopper.progress().phase != "gathering all shortest runs" {
                std::thread::yield_now();
            }
            stopper.stop(Stop::TimeOut);
        });
        investigator.investigate(0, &options)
    });
    assert_eq!(finding.verdict, Verdict::Fails);
    assert_eq!(
        finding.abstraction,
        Some(Abstracted::Stopped(Stop::TimeOut))
    );
}
