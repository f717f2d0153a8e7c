//! Abstract runs stand for all shortest runs and for no others, against a list of all runs.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use wherefore_acceptance::agreement::{explicit, list, query, symbolic};
use wherefore_base::Budget;
use wherefore_evidence::{
    AbstractClaim, AbstractOptions, AbstractRun, Abstraction, EvidenceOptions, Investigator,
    NoAbstract, Replay, SetRule, Split, Width, is_broken, replay_set_proof,
};
use wherefore_logic::{Formula, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_testkit::formulas::{self, CtlTree, Operator};
use wherefore_testkit::kripke::{self, Kripke, StateMask, StepEncoding, members};
use wherefore_testkit::naive::Naive;
use wherefore_testkit::{Rng, campaign, random_model};

/// Runs with more steps than this are not listed.
const MOST_STEPS: usize = 8;

/// A claim: the sub-formula holds, or fails.
type Claim = (SubId, bool);

/// What it means for a run to show a claim, read off the operators one by one.
struct Book<'a> {
    formula: &'a Formula,
    holds: &'a dyn Fn(SubId, usize) -> bool,
    live: StateMask,
    fair: StateMask,
}

/// A claim taken apart.
enum Parts {
    Here,
    Any(Vec<Vec<Claim>>),
    Next(Claim),
    /// On the way, at the end, in which bounds, and whether the end must be fair.
    Until(Vec<Claim>, Vec<Claim>, (u32, u32), bool),
    /// Not one finite run.
    Other,
}

impl Book<'_> {
    fn parts(&self, (sub, holds): Claim) -> Parts {
        use Quantifier::{Exists, Forall};
        let is = |sub| (sub, holds);
        let not = |sub| (sub, !holds);
        let far = (0, u32::MAX);
        match (self.formula.op(sub), holds) {
            (Op::Const(_) | Op::Atom(_), _) => Parts::Here,
            (Op::Not(f), _) => Parts::Any(vec![vec![not(f)]]),
            (Op::And(f, g), true) | (Op::Or(f, g), false) => Parts::Any(vec![vec![is(f), is(g)]]),
            (Op::And(f, g), false) | (Op::Or(f, g), true) => {
                Parts::Any(vec![vec![is(f)], vec![is(g)]])
            }
            (Op::Implies(f, g), true) => Parts::Any(vec![vec![not(f)], vec![is(g)]]),
            (Op::Implies(f, g), false) => Parts::Any(vec![vec![not(f), is(g)]]),
            (Op::Iff(f, g), true) | (Op::Xor(f, g), false) => Parts::Any(vec![
                vec![(f, true), (g, true)],
                vec![(f, false), (g, false)],
            ]),
            (Op::Iff(f, g), false) | (Op::Xor(f, g), true) => Parts::Any(vec![
                vec![(f, true), (g, false)],
                vec![(f, false), (g, true)],
            ]),
            (Op::Path(Exists, path), true) => match path {
                PathOp::Next(f) => Parts::Next(is(f)),
                PathOp::Finally(f) => Parts::Until(vec![], vec![is(f)], far, false),
                PathOp::Until(f, g) => Parts::Until(vec![is(f)], vec![is(g)], far, false),
                PathOp::FinallyWithin(b, f) => {
                    Parts::Until(vec![], vec![is(f)], (b.least, b.most), false)
                }
                PathOp::UntilWithin(b, f, g) => {
                    Parts::Until(vec![is(f)], vec![is(g)], (b.least, b.most), false)
                }
                _ => Parts::Other,
            },
            (Op::Path(Forall, path), false) => match path {
                PathOp::Next(f) => Parts::Next(is(f)),
                PathOp::Globally(f) => Parts::Until(vec![], vec![is(f)], far, false),
                PathOp::FairGlobally(f) => Parts::Until(vec![], vec![is(f)], far, true),
                PathOp::WeakUntil(f, g) => {
                    Parts::Until(vec![is(g)], vec![is(f), is(g)], far, false)
                }
                PathOp::Release(f, g) => Parts::Until(vec![is(f)], vec![is(g)], far, false),
                PathOp::GloballyWithin(b, f) => {
                    Parts::Until(vec![], vec![is(f)], (b.least, b.most), false)
                }
                _ => Parts::Other,
            },
            (Op::Path(..) | Op::Linear(_), _) => Parts::Other,
        }
    }

    fn propositional(&self, (sub, _): Claim) -> bool {
        self.formula.propositional()[sub]
    }

    /// Whether the evidence for a claim is one finite run.
    fn has_form(&self, claim: Claim) -> bool {
        let all = |claims: &[Claim]| {
            let steps: Vec<_> = claims.iter().filter(|c| !self.propositional(**c)).collect();
            steps.len() <= 1 && steps.iter().all(|claim| self.has_form(**claim))
        };
        if self.propositional(claim) {
            return true;
        }
        match self.parts(claim) {
            Parts::Here => true,
            Parts::Any(branches) => branches.iter().all(|claims| all(claims)),
            Parts::Next(claim) => self.has_form(claim),
            Parts::Until(stay, goal, ..) => {
                stay.iter().all(|claim| self.propositional(*claim)) && all(&goal)
            }
            Parts::Other => false,
        }
    }

    /// Whether a run shows a claim with its last state.
    fn shows(&self, claim: Claim, run: &[usize]) -> bool {
        let so = |&(sub, holds): &Claim, state: usize| (self.holds)(sub, state) == holds;
        let all = |claims: &[Claim], run: &[usize]| {
            let (here, steps): (Vec<Claim>, Vec<Claim>) =
                claims.iter().partition(|claim| self.propositional(**claim));
            here.iter().all(|claim| so(claim, run[0]))
                && match steps[..] {
                    [] => run.len() == 1,
                    [claim] => self.shows(claim, run),
                    _ => false,
                }
        };
        if self.propositional(claim) {
            return run.len() == 1 && so(&claim, run[0]);
        }
        match self.parts(claim) {
            Parts::Here | Parts::Other => false,
            Parts::Any(branches) => branches.iter().any(|claims| all(claims, run)),
            Parts::Next(claim) => {
                run.len() > 1 && self.live >> run[1] & 1 == 1 && self.shows(claim, &run[1..])
            }
            Parts::Until(stay, goal, (least, most), fair) => (0..run.len()).any(|at| {
                let ends = if fair { self.fair } else { self.live };
                (least..=most).contains(&(at as u32))
                    && run[..at]
                        .iter()
                        .all(|&s| stay.iter().all(|claim| so(claim, s)))
                    && ends >> run[at] & 1 == 1
                    && all(&goal, &run[at..])
            }),
        }
    }
}

/// All runs of so many steps from some states.
fn runs(kripke: &Kripke, starts: StateMask, steps: usize) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = members(starts).map(|state| vec![state]).collect();
    for _ in 0..steps {
        let longer = runs.iter().flat_map(|run| {
            let last = *run.last().expect("a run has a first state");
            members(kripke.steps[last]).map(move |next| [&run[..], &[next]].concat())
        });
        runs = longer.collect();
    }
    runs
}

/// All runs that an abstract run unfolds to; there is always a choice.
fn unfolded<S: StateSpace>(space: &S, abstraction: &Abstraction<'_, S>) -> Vec<Vec<usize>> {
    let number = |state: &S::State| {
        let value = space.values(state)[0].as_int();
        usize::try_from(value.expect("a state is a number")).expect("not negative")
    };
    let states = |set: &S::Set| {
        let mut left = set.clone();
        let mut states = Vec::new();
        while let Some(state) = space.first(&left).expect("no limit") {
            let just = space.just(&state).expect("no limit");
            left = space.minus(&left, &just).expect("no limit");
            states.push(state);
        }
        assert!(!states.is_empty(), "there is always a choice");
        states
    };
    let starts = abstraction.starts();
    let mut open: Vec<_> = states(&starts.states)
        .iter()
        .map(|state| abstraction.choose(&starts, state).expect("a choice"))
        .map(|point| (vec![number(&point.state)], point))
        .collect();
    let mut runs = Vec::new();
    while let Some((run, point)) = open.pop() {
        let Some(choices) = abstraction.next(&point).expect("no limit") else {
            runs.push(run);
            continue;
        };
        for state in states(&choices.states) {
            let point = abstraction.choose(&choices, &state).expect("a choice");
            open.push(([&run[..], &[number(&state)]].concat(), point));
        }
    }
    runs.sort();
    runs
}

const RESTRICTED: [AbstractOptions; 4] = [
    AbstractOptions {
        split: Split::Left,
        width: Width::All,
    },
    AbstractOptions {
        split: Split::Right,
        width: Width::All,
    },
    AbstractOptions {
        split: Split::Simpler,
        width: Width::All,
    },
    AbstractOptions {
        split: Split::Both,
        width: Width::One,
    },
];

/// What is changed of a claim, and how.
type ClaimChange = (&'static str, fn(&mut AbstractClaim));

/// No claim of the proof over sets can be changed without being noticed.
fn changed_claims_are_rejected(model: &Model, run: &AbstractRun) {
    let changes: [ClaimChange; 5] = [
        ("truth", |claim| claim.goal.holds = !claim.goal.holds),
        ("number", |claim| claim.states += 1_u32),
        ("position", |claim| claim.position += 1),
        ("premises", |claim| claim.premises.clear()),
        ("rule", |claim| {
            claim.rule = match claim.rule {
                SetRule::Atomic => SetRule::Step,
                _ => SetRule::Atomic,
            }
        }),
    ];
    for at in 0..run.proof.len() {
        for (what, change) in changes {
            let mut changed = run.clone();
            change(&mut changed.proof[at]);
            if changed.proof[at] == run.proof[at] {
                continue;
            }
            let budget = Budget::unlimited();
            let said = replay_set_proof(model, query(model, 0), &changed, &budget);
            let accepted = said.expect("no limit") == Ok(true);
            assert!(!accepted, "{what} of {:?}", run.proof[at]);
        }
    }
}

/// The runs of an abstraction whose proof is right; `None` when there is no abstract form.
fn told<S: StateSpace>(
    model: &Model,
    space: &S,
    claim: Claim,
    options: &AbstractOptions,
) -> Option<Vec<Vec<usize>>> {
    let investigator = Investigator::new(space).expect("no limit");
    let abstraction = investigator.abstraction(0, options).expect("no limit");
    let abstraction = abstraction.expect("there is evidence").ok()?;
    let run = abstraction.run();
    assert_eq!((run.claim.sub, run.claim.holds), claim);
    let starts = abstraction.states(0).expect("no limit");
    let checked = abstraction
        .proof()
        .check(investigator.checker(), query(model, 0), run.claim, &starts)
        .expect("no limit");
    assert_eq!(checked, Ok(()), "the proof is right");
    let replayed = match (options.split, &run.replay) {
        (Split::Both, replay) => *replay == Replay::Ok,
        (_, Replay::Partial(_)) => true,
        _ => false,
    };
    assert!(replayed, "{:?}", run.replay);
    assert!(run.proof_replayed, "the proof over sets is re-checked");
    changed_claims_are_rejected(model, run);
    let runs = unfolded(space, &abstraction);
    assert_eq!(run.runs, Some(BigUint::from(runs.len())), "number of runs");
    for (at, position) in run.positions.iter().enumerate() {
        let states: BTreeSet<usize> = runs.iter().map(|run| run[at]).collect();
        assert_eq!(position.states, BigUint::from(states.len()));
        let set = abstraction.states(at).expect("no limit");
        let listed = list(space, &set);
        let listed: BTreeSet<usize> = listed
            .iter()
            .map(|values| values[0].as_int().expect("a number") as usize)
            .collect();
        assert_eq!(listed, states, "states of position {at}");
    }
    Some(runs)
}

fn compare(kripke: &Kripke, tree: &CtlTree, rule: PathRule) -> Outcome {
    let formula = tree.formula();
    let naive = Naive::new(kripke);
    let sat = naive.evaluate(&formula, rule);
    let always = |operator: Operator| {
        let tree = CtlTree::Apply(operator, vec![CtlTree::Const(true)]);
        let formula = tree.formula();
        naive.evaluate(&formula, rule)[formula.root()]
    };
    let holds = |sub: SubId, state: usize| sat[sub] >> state & 1 == 1;
    let book = Book {
        formula: &formula,
        holds: &holds,
        live: always(Operator::Finally(Quantifier::Exists)),
        fair: always(Operator::FairGlobally(Quantifier::Exists)),
    };
    let counted = naive.counted(rule);
    let failing = counted & !sat[formula.root()];
    let model = kripke.model(&formula, rule, StepEncoding::Constraint);
    let (by_graph, by_bdd) = (explicit(&model), symbolic(&model));
    let found = Investigator::new(&by_graph).expect("no limit");
    let options = AbstractOptions::default();
    let found = found.abstraction(0, &options).expect("no limit");
    if found.is_none() {
        return Outcome::Nothing;
    }
    let claim = (formula.root(), failing == 0);
    if !book.has_form(claim) {
        for told in [
            told(&model, &by_graph, claim, &options),
            told(&model, &by_bdd, claim, &options),
        ] {
            assert_eq!(told, None, "there is no abstract form");
        }
        return Outcome::NoForm;
    }
    let starts = if failing == 0 { counted } else { failing };
    let shortest = (0..=MOST_STEPS).find_map(|steps| {
        let all = runs(kripke, starts, steps);
        let mut found: Vec<_> = all
            .into_iter()
            .filter(|run| book.shows(claim, run))
            .collect();
        found.sort();
        (!found.is_empty()).then_some(found)
    });
    let Some(shortest) = shortest else {
        return Outcome::Nothing;
    };
    assert_eq!(
        told(&model, &by_graph, claim, &options).as_ref(),
        Some(&shortest)
    );
    assert_eq!(
        told(&model, &by_bdd, claim, &options).as_ref(),
        Some(&shortest)
    );
    let mut narrowed = false;
    for options in &RESTRICTED {
        let some = told(&model, &by_graph, claim, options).expect("it has a form");
        assert_eq!(told(&model, &by_bdd, claim, options).as_ref(), Some(&some));
        assert!(some.iter().all(|run| shortest.contains(run)), "{options:?}");
        narrowed |= options.split != Split::Both && some.len() < shortest.len();
        assert!(options.width == Width::All || some[..] == shortest[..1] || some.len() == 1);
    }
    Outcome::Run {
        several: shortest.len() > 1,
        narrowed,
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// There is no evidence, or it is long.
    Nothing,
    NoForm,
    Run {
        several: bool,
        narrowed: bool,
    },
}

/// A random formula that is likely to have an abstract form.
fn reaching(rng: &mut Rng, size: usize) -> CtlTree {
    use Quantifier::Exists;
    let atom = |rng: &mut Rng| CtlTree::Atom(rng.below(2));
    if size == 0 {
        return atom(rng);
    }
    let inner = reaching(rng, size - 1);
    let bounds = wherefore_logic::Bounds {
        least: rng.below(2) as u32,
        most: 1 + rng.below(3) as u32,
    };
    let operator = *rng.pick(&[
        Operator::Next(Exists),
        Operator::Finally(Exists),
        Operator::Until(Exists),
        Operator::And,
        Operator::Or,
        Operator::Or,
        Operator::UntilWithin(Exists, bounds),
    ]);
    let operands = match operator {
        Operator::Or => vec![reaching(rng, size / 2), inner],
        _ if operator.arity() == 1 => vec![inner],
        _ => vec![atom(rng), inner],
    };
    CtlTree::Apply(operator, operands)
}

#[test]
fn an_abstract_run_stands_for_exactly_the_shortest_runs() {
    let seen = std::cell::RefCell::new(BTreeSet::new());
    campaign("abstract runs", 1500, |rng| {
        let kripke = kripke::random(rng, 6, 2);
        let size = 1 + rng.below(5);
        let mut tree = match rng.chance(3, 4) {
            true => reaching(rng, size),
            false => formulas::random(rng, size, 2),
        };
        if rng.chance(1, 2) {
            tree = CtlTree::Apply(Operator::Not, vec![tree]);
        }
        let rule = *rng.pick(&PathRule::ALL);
        seen.borrow_mut().insert(compare(&kripke, &tree, rule));
    });
    if std::env::var("WHEREFORE_SEED").is_err() {
        assert_eq!(seen.into_inner().len(), 5, "every kind of outcome occurs");
    }
}

#[test]
fn abstract_runs_of_random_models_are_the_same_from_both_engines_and_replay() {
    campaign("abstract runs of models", 300, |rng| {
        let model = random_model::random(rng);
        let options = EvidenceOptions {
            abstraction: Some(AbstractOptions::default()),
            ..EvidenceOptions::default()
        };
        let (by_graph, by_bdd) = (explicit(&model), symbolic(&model));
        let by_graph = Investigator::new(&by_graph).expect("no limit");
        let by_bdd = Investigator::new(&by_bdd).expect("no limit");
        for property in 0..model.properties.len() {
            let finding = by_graph.investigate(property, &options);
            assert!(!is_broken(&finding), "{:?}", finding.abstraction);
            assert_eq!(finding, by_bdd.investigate(property, &options));
        }
    });
}

/// The Button of Chechik and Gurfinkel: pressed, requested, fulfilled.
fn button(property: &str) -> Model {
    let text = format!(
        "MODULE main\nVAR p : boolean; r : boolean; f : boolean;\nINIT !p & !r & !f\nTRANS\n\
         (!p & !r & !f -> !next(r) & !next(f)) &\n\
         (p & !r & !f -> next(r) & !next(f)) &\n\
         (p & r & !f -> next(r) & (!next(p) -> next(f))) &\n\
         (!p & r & !f -> next(r) & (next(p) -> !next(f))) &\n\
         (p & r & f -> next(p) & !next(r) & next(f)) &\n\
         (!p & r & f -> !next(p) & !next(r) & !next(f)) &\n\
         (p & !r & f -> next(p) & !next(r) & !next(f))\n\
         CTLSPEC {property}\n"
    );
    let mut sources = wherefore_base::SourceMap::default();
    let file = sources.add(wherefore_base::SourceFile::new("button.smv", text));
    let budget = wherefore_base::Budget::unlimited();
    let loaded = wherefore_smv::load(&sources, file, &budget).expect("no limit");
    assert_eq!(loaded.diagnostics, []);
    loaded.model
}

#[test]
fn the_two_witnesses_of_the_button_are_one_abstract_witness() {
    let model = button("EF r");
    let space = explicit(&model);
    let investigator = Investigator::new(&space).expect("no limit");
    let options = AbstractOptions::default();
    let abstraction = investigator.abstraction(0, &options).expect("no limit");
    let run = abstraction
        .expect("it holds")
        .expect("it has a form")
        .into_run();
    assert_eq!(run.runs, Some(BigUint::from(2u8)));
    assert_eq!(run.replay, Replay::Ok);
    let literal = |(var, value): &(wherefore_model::VarId, wherefore_base::Value)| {
        let sign = if value.as_bool() == Some(true) {
            ""
        } else {
            "!"
        };
        format!("{sign}{}", model.vars[*var].name)
    };
    let texts = run.positions.iter().map(|position| {
        let literals: Vec<_> = position.common.iter().map(literal).collect();
        literals.join(" & ")
    });
    let texts: Vec<_> = texts.collect();
    assert_eq!(texts, ["!p & !r & !f", "p & !r & !f", "r & !f"]);
    let free = |position: usize| -> Vec<_> {
        let free = run.positions[position].free.iter();
        free.map(|var| model.vars[*var].name.as_str()).collect()
    };
    assert_eq!((free(0), free(1), free(2)), (vec![], vec![], vec!["p"]));
}

#[test]
fn claims_that_take_more_than_one_finite_run_have_no_abstract_form() {
    for (property, names) in [
        ("AG (r -> AF f)", "ForEver"),
        ("AG EF (p & r & f) -> AG !p", "EveryPath"),
        ("EF p & EF r", "SeveralRuns"),
        ("E [EX TRUE U r]", "OnTheWay"),
        ("EBF 0..65 r", "LongBounds"),
    ] {
        let model = button(property);
        let space = explicit(&model);
        let investigator = Investigator::new(&space).expect("no limit");
        let options = AbstractOptions::default();
        let found = investigator.abstraction(0, &options).expect("no limit");
        let why: NoAbstract = match found.expect("there is evidence") {
            Ok(_) => panic!("{property} has an abstract form"),
            Err(why) => why,
        };
        assert!(format!("{why:?}").starts_with(names), "{property}: {why:?}");
    }
}
