//! Swaps are proved exactly where they leave a system as it is, and up to them it answers as the whole does.

use std::cell::Cell;

use wherefore_acceptance::agreement::explicit;
use wherefore_base::{Budget, SourceFile, SourceMap, Value};
use wherefore_driver::subjects::alloy::AlloySubject;
use wherefore_driver::{Engine, Event, Job, check_model};
use wherefore_evidence::{EvidenceOptions, Finding, Investigator, Vacuity, Verdict};
use wherefore_logic::{Class, PathRule};
use wherefore_model::{Model, Swap, VarId};
use wherefore_satcheck::symmetries;
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_testkit::kripke::{self, Kripke, StateMask, StepEncoding, members};
use wherefore_testkit::{Rng, campaign, formulas};

/// A renumbering of states that is its own way back.
fn involution(rng: &mut Rng, size: usize) -> Vec<usize> {
    let mut images: Vec<usize> = (0..size).collect();
    for _ in 0..1 + rng.below(3) {
        let (a, b) = (rng.below(size), rng.below(size));
        if images[a] == a && images[b] == b {
            images.swap(a, b);
        }
    }
    images
}

fn image(states: StateMask, by: &[usize]) -> StateMask {
    members(states).fold(0, |image, state| image | 1 << by[state])
}

/// All sets that a swap must keep as they are.
fn kept(kripke: &mut Kripke) -> impl Iterator<Item = &mut StateMask> {
    let fairness = &mut kripke.fairness;
    let pairs = fairness.compassion.iter_mut().flat_map(|(p, q)| [p, q]);
    let single = kripke.labels.iter_mut().chain(&mut fairness.justice);
    single.chain(pairs).chain([&mut kripke.initial])
}

/// Adds images until there is nothing to add.
fn close(kripke: &mut Kripke, group: &[Vec<usize>]) {
    loop {
        let before = kripke.clone();
        for by in group {
            kept(kripke).for_each(|set| *set |= image(*set, by));
            for state in 0..kripke.size {
                kripke.steps[by[state]] |= image(kripke.steps[state], by);
            }
        }
        if *kripke == before {
            return;
        }
    }
}

fn is_symmetry(kripke: &Kripke, by: &[usize]) -> bool {
    let mut states = 0..kripke.size;
    let steps = states.all(|state| kripke.steps[by[state]] == image(kripke.steps[state], by));
    steps && kept(&mut kripke.clone()).all(|set| *set == image(*set, by))
}

fn swap_of(by: &[usize]) -> Swap {
    let pairs = by.iter().enumerate().filter(|(a, b)| a < *b);
    let number = |state: usize| Value::Int(state as i64);
    let pair = |(a, &b): (usize, &usize)| (VarId::new(0), number(a), number(b));
    Swap {
        vars: vec![],
        values: pairs.map(pair).collect(),
    }
}

/// The answer to the only property, with the way in which it matters.
fn answer<S: StateSpace>(space: &S) -> (Verdict, Option<Class>, Vacuity) {
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions {
        evidence: false,
        ..EvidenceOptions::default()
    };
    let finding = investigator.investigate(0, &options);
    (finding.verdict, finding.class, finding.vacuity)
}

/// How many states there are up to the swaps that are proved, and without; the answers are the same.
fn sizes(model: &Model, proved: &[&Swap]) -> (u64, u64) {
    let explored = Explicit::explore_up_to(
        model,
        proved,
        ExplorationLimits::default(),
        &Budget::unlimited(),
    );
    let (reduced, whole) = (explored.expect("no limit").expect("few"), explicit(model));
    assert_eq!(answer(&reduced), answer(&whole));
    assert_eq!(reduced.symmetries(), proved.len());
    let count = |space: &Explicit<'_>| {
        let count = space.count(space.reachable()).expect("no limit");
        u64::try_from(count).expect("few")
    };
    (count(&reduced), count(&whole))
}

#[test]
fn structures_with_a_group_are_answered_alike_with_and_without_symmetric_states() {
    let (smaller, refused) = (Cell::new(0), Cell::new(0));
    campaign("symmetric structures", 400, |rng| {
        let mut kripke = kripke::random(rng, 10, 2);
        let group: Vec<_> = (0..2).map(|_| involution(rng, kripke.size)).collect();
        close(&mut kripke, &group);
        if rng.chance(1, 3) {
            let state = 1 << rng.below(kripke.size);
            let number = rng.below(kept(&mut kripke).count());
            let broken = kept(&mut kripke).nth(number);
            *broken.expect("it is one of them") ^= state;
        }
        if rng.chance(1, 6) {
            kripke.steps[rng.below(kripke.size)] ^= 1 << rng.below(kripke.size);
        }
        let size = 1 + rng.below(6);
        let formula = formulas::random(rng, size, 2).formula();
        for rule in PathRule::ALL {
            let encoding = *rng.pick(&[StepEncoding::Constraint, StepEncoding::Assignment]);
            let mut model = kripke.model(&formula, rule, encoding);
            model.swaps = group.iter().map(|by| swap_of(by)).collect();
            let proved = symmetries(&model, &[0], &Budget::unlimited()).expect("no limit");
            let meant = model.swaps.iter().zip(&group);
            let meant = meant.filter(|(_, by)| is_symmetry(&kripke, by));
            let meant: Vec<&Swap> = meant.map(|(swap, _)| swap).collect();
            assert_eq!(proved[0], meant, "{kripke:?} {group:?}");
            refused.set(refused.get() + usize::from(meant.len() < group.len()));
            let (reduced, whole) = sizes(&model, &meant);
            smaller.set(smaller.get() + usize::from(reduced < whole));
        }
    });
    let one_seed = std::env::var_os("WHEREFORE_SEED").is_some();
    assert!(one_seed || smaller.get() > 100, "states are often left out");
    assert!(one_seed || refused.get() > 100, "swaps are often refused");
}

/// A random condition over three processes of two bits each, as text; with `next`, over a step.
fn condition(rng: &mut Rng, size: usize, next: bool) -> String {
    if size == 0 {
        let bit = format!("{}{}", rng.pick(&["x", "y"]), rng.below(3));
        return match next && rng.chance(1, 2) {
            true => format!("next({bit})"),
            false => bit,
        };
    }
    let op = *rng.pick(&["&", "|", "->", "<->"]);
    let not = *rng.pick(&["", "!"]);
    let left = condition(rng, size / 2, next);
    let right = condition(rng, size - 1 - size / 2, next);
    format!("{not}({left} {op} {right})")
}

/// The condition with the names of two processes exchanged.
fn exchanged(condition: &str, a: char, b: char) -> String {
    let other = |c: char| match c {
        _ if c == a => b,
        _ if c == b => a,
        _ => c,
    };
    condition.chars().map(other).collect()
}

/// A condition of which it does not matter which process is which, mostly.
fn symmetric(rng: &mut Rng, size: usize, next: bool) -> String {
    let one = condition(rng, size, next);
    if rng.chance(1, 12) {
        return one;
    }
    let op = *rng.pick(&["&", "|"]);
    let two = format!("({one}) {op} ({})", exchanged(&one, '0', '1'));
    let [three, four] = [('1', '2'), ('0', '2')].map(|(a, b)| exchanged(&two, a, b));
    format!("({two}) {op} ({three}) {op} ({four})")
}

#[test]
fn processes_that_are_alike_are_answered_alike_with_and_without_symmetric_states() {
    let smaller = Cell::new(0);
    campaign("symmetric processes", 150, |rng| {
        let mut text = String::from(
            "MODULE main VAR x0 : boolean; y0 : boolean; x1 : boolean; y1 : boolean; x2 : boolean; y2 : boolean;\n",
        );
        text += &format!("INIT {}\n", symmetric(rng, 3, false));
        text += &format!(
            "TRANS {} | {}\n",
            symmetric(rng, 6, true),
            symmetric(rng, 4, true)
        );
        if rng.chance(1, 2) {
            text += &format!("FAIRNESS {}\n", symmetric(rng, 2, false));
        }
        // Each part of a formula is an atom, but a case is one as a whole.
        let [p, q] = [(); 2].map(|()| {
            let condition = symmetric(rng, 2, false);
            format!("case {condition} : TRUE; TRUE : FALSE; esac")
        });
        let form = *rng.pick(&[
            "AG ({p} -> AF {q})",
            "AG EF {p}",
            "A [{p} U {q}]",
            "AF EG {p}",
        ]);
        text += &format!("SPEC {}", form.replace("{p}", &format!("({p})")))
            .replace("{q}", &format!("({q})"));
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("random.smv", &*text));
        let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited());
        let mut model = loaded.expect("no limit").model;
        let pair = |a: usize, b: usize| (VarId::new(a), VarId::new(b));
        let swap = |a: usize, b: usize| Swap {
            vars: vec![pair(2 * a, 2 * b), pair(2 * a + 1, 2 * b + 1)],
            values: vec![],
        };
        model.swaps = vec![swap(0, 1), swap(1, 2)];
        let proved = symmetries(&model, &[0], &Budget::unlimited()).expect("no limit");
        let (reduced, whole) = sizes(&model, &proved[0]);
        smaller.set(smaller.get() + usize::from(reduced < whole));
    });
    let one_seed = std::env::var_os("WHEREFORE_SEED").is_some();
    assert!(one_seed || smaller.get() > 5, "states are often left out");
}

/// Workers that take turns at one tool. With fairness, it is given back again and again.
const WORKERS: &str = "open ctl[State]
    sig Worker {}
    one sig Boss extends Worker {}
    sig State { has: lone Worker, waits: set Worker }
    pred asks[s, t: State, w: Worker] { w not in s.has and t.waits = s.waits + w and t.has = s.has }
    pred takes[s, t: State, w: Worker] { no s.has and w in s.waits and t.has = w and t.waits = s.waits - w }
    pred gives[s, t: State] { some s.has and no t.has and t.waits = s.waits }
    fact {
      all s: State | s in initialState iff (no s.has and no s.waits)
      all s, t: State | s -> t in nextState iff ((some w: Worker | asks[s, t, w] or takes[s, t, w]) or gives[s, t])
      all s, t: State | s.has = t.has and s.waits = t.waits implies s = t
    }
    check Apart { ctl_mc[ag[{s: State | no s.has & s.waits}]] } for exactly 4 Worker, 2 State
    check Busy { ctl_mc[af[{s: State | some s.has}]] } for exactly 4 Worker, 2 State
    check BossNever { ctl_mc[ag[{s: State | s.has != Boss}]] } for exactly 4 Worker, 2 State
    check CanRest { ctl_mc[ag[ef[{s: State | no s.has and no s.waits}]]] } for exactly 4 Worker, 2 State
    run Full { ctl_mc[ef[{s: State | s.waits = Worker}]] } for exactly 4 Worker, 2 State
    run Never { ctl_mc[eg[{s: State | no s.has}]] } for exactly 4 Worker, 2 State";

fn fair() -> String {
    let text = WORKERS.replace("ctl_mc", "ctlfc_mc");
    let text = text.replace("open ctl[State]", "open ctlfc[State]");
    text.replace("fact {", "fact { all s: State | s in fc iff no s.has\n")
}

fn system(text: &str) -> Model {
    let session = AlloySubject::from_text("m.als", text.to_owned()).expect("it is a model");
    let complete = session.complete(&[], &Budget::unlimited());
    complete.expect("it is a system").model().clone()
}

/// For each property, how many swaps are proved.
fn proved(text: &str) -> Vec<usize> {
    let model = system(text);
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let proved = symmetries(&model, &all, &Budget::unlimited()).expect("no limit");
    proved.iter().map(Vec::len).collect()
}

#[test]
fn a_name_matters_where_it_is_used() {
    for text in [WORKERS.to_owned(), fair()] {
        assert_eq!(proved(&text), [3, 3, 2, 3, 3, 3]);
        let text = text.replace("w in s.waits", "w in s.waits - Boss");
        assert_eq!(proved(&text), [2; 6]);
    }
    let boss = fair().replace("s in fc iff no s.has", "s in fc iff s.has != Boss");
    assert_eq!(proved(&boss), [2; 6]);
    let waits = WORKERS.replace("(no s.has and no s.waits)", "(no s.has and s.waits = Boss)");
    assert_eq!(proved(&waits), [2; 6]);
    // Alice is one of three players, and there are two chairs.
    let chairs = include_str!("../../../../examples/alloy/musical_chairs.als");
    assert_eq!(proved(chairs), [3, 2, 3, 3, 2]);
}

/// Findings without what is looked for beside the evidence, and numbers of symmetries.
fn found(model: &Model, engine: Engine) -> (Vec<Finding>, Vec<usize>) {
    let job = Job {
        engine,
        ..Job::default()
    };
    let (mut findings, mut spaces) = (Vec::new(), Vec::new());
    check_model(
        model,
        &job,
        &Budget::unlimited(),
        &mut |event| match event {
            Event::Finding(mut finding) => {
                finding.decisions.clear();
                findings.push(*finding);
            }
            Event::Space(summary) => spaces.push(summary.symmetries),
            Event::Rejected(_) => panic!("it is right"),
        },
    );
    findings.sort_by_key(|finding| finding.property);
    (findings, spaces)
}

#[test]
fn verdicts_and_evidence_of_large_systems_are_those_of_decision_diagrams() {
    let chairs = include_str!("../../../../examples/alloy/musical_chairs.als");
    let chairs = chairs.replace(
        "exactly 3 Player, exactly 2 Chair",
        "exactly 5 Player, exactly 4 Chair",
    );
    let model = system(&chairs);
    let (listed, spaces) = found(&model, Engine::Explicit);
    assert_eq!(listed, found(&model, Engine::Bdd).0);
    assert_eq!(spaces, [7, 6]);
}

#[test]
fn examples_are_answered_alike_with_and_without_symmetric_states() {
    let chairs = include_str!("../../../../examples/alloy/musical_chairs.als");
    let telephone = include_str!("../../../../examples/alloy/telephone.als");
    let telephone = telephone.replace("exactly 3 Telephone", "exactly 2 Telephone");
    for text in [chairs.to_owned(), telephone, WORKERS.to_owned(), fair()] {
        let model = system(&text);
        for property in 0..model.properties.len() {
            let mut model = model.clone();
            model.properties = vec![model.properties[property].clone()];
            let proved = symmetries(&model, &[0], &Budget::unlimited()).expect("no limit");
            assert!(!proved[0].is_empty());
            let (reduced, whole) = sizes(&model, &proved[0]);
            assert!(reduced < whole);
        }
    }
}
