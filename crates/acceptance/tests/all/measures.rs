//! Evidence that is called least in states or transitions is so, against a search through all pieces of
//! the graph.

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_evidence::{Evidence, EvidenceOptions, Finding, Investigator, Measure};
use wherefore_logic::{Formula, Goal, Kernel, Op, PathPattern, PathRule, Quantifier, kernel};
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_testkit::formulas;
use wherefore_testkit::kripke::{self, Kripke, StateMask, StepEncoding, members};
use wherefore_testkit::{campaign, naive};

const RULE: PathRule = PathRule::FairInfinite;
/// Structures with more steps than this have too many pieces.
const MOST_STEPS: u32 = 10;

/// A structure of which only some steps may be used to show that something can happen.
struct Piece<'k> {
    kripke: &'k Kripke,
    formula: &'k Formula,
    /// Where each sub-formula holds, by the definitions.
    truth: &'k [StateMask],
    /// Where a fair path starts, in the whole structure.
    live: StateMask,
    /// The steps of the piece.
    steps: Vec<StateMask>,
}

impl Piece<'_> {
    /// Where a goal can be shown within the piece; what is claimed of every path needs no piece.
    fn shown(&self, goal: Goal) -> StateMask {
        let all = self.kripke.all();
        let truth = self.truth[goal.sub.index()];
        let truth = if goal.holds { truth } else { all & !truth };
        match kernel(self.formula, goal) {
            Kernel::State => truth,
            Kernel::Branches(branches) => {
                let branches = branches.iter().map(|goals| self.all_shown(goals));
                branches.fold(0, |any, states| any | states)
            }
            Kernel::Step(Quantifier::Exists, next) => {
                let next = self.shown(next) & self.live;
                self.where_some(|_, after| after & next != 0)
            }
            Kernel::Step(Quantifier::Forall, next) => {
                let next = self.shown(next);
                self.where_some(|state, after| {
                    let listed = self.kripke.steps[state] & self.live;
                    listed & !after == 0 && listed & !next == 0
                })
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Forall => truth,
            Kernel::Path(pattern) => self.path_shown(&pattern),
            Kernel::Bounded(..) => unreachable!("formulas of this test have no bounds"),
        }
    }

    fn all_shown(&self, goals: &[Goal]) -> StateMask {
        let goals = goals.iter().map(|&goal| self.shown(goal));
        goals.fold(self.kripke.all(), |all, states| all & states)
    }

    fn where_some(&self, is_so: impl Fn(usize, StateMask) -> bool) -> StateMask {
        let states = (0..self.kripke.size).filter(|&state| is_so(state, self.steps[state]));
        states.fold(0, |all, state| all | 1 << state)
    }

    fn path_shown(&self, pattern: &PathPattern) -> StateMask {
        let stay = self.all_shown(&pattern.stay);
        let mut good = match &pattern.goal {
            Some(goals) => self.all_shown(goals) & self.live,
            None => 0,
        };
        if pattern.weak {
            let sets = 1..=self.kripke.all();
            let loops = sets.filter(|&set| set & !stay == 0 && self.is_fair_loop(set));
            good = loops.fold(good, |all, set| all | set);
        }
        loop {
            let before = self.where_some(|_, after| after & good != 0) & stay;
            if good | before == good {
                return good;
            }
            good |= before;
        }
    }

    fn is_fair_loop(&self, set: StateMask) -> bool {
        let reached = |from: usize| {
            let mut reached = self.steps[from] & set;
            loop {
                let more = members(reached).fold(reached, |all, s| all | self.steps[s] & set);
                if more == reached {
                    return reached;
                }
                reached = more;
            }
        };
        let fairness = &self.kripke.fairness;
        members(set).all(|state| reached(state) == set)
            && fairness.justice.iter().all(|&p| p & set != 0)
            && fairness
                .compassion
                .iter()
                .all(|&(p, q)| p & set == 0 || q & set != 0)
    }
}

/// The fewest states, and the fewest transitions, of a piece that shows that the formula fails.
fn least(kripke: &Kripke, formula: &Formula) -> (u32, u32) {
    let mut always = Formula::new();
    let holds = always.add(Op::Const(true), None);
    let some = wherefore_logic::PathOp::Globally(holds);
    always.add(Op::Path(Quantifier::Exists, some), None);
    let live = naive::evaluate(kripke, &always, RULE)[always.root()];
    let truth = naive::evaluate(kripke, formula, RULE);
    let starts = naive::failing(kripke, formula, RULE);
    let steps: Vec<(usize, usize)> = (0..kripke.size)
        .flat_map(|from| members(kripke.steps[from]).map(move |to| (from, to)))
        .collect();
    let mut best = (u32::MAX, u32::MAX);
    for chosen in 0..1u64 << steps.len() {
        let mut piece = Piece {
            kripke,
            formula,
            truth: truth.as_slice(),
            live,
            steps: vec![0; kripke.size],
        };
        let mut states = 0;
        for at in members(chosen) {
            let (from, to) = steps[at];
            piece.steps[from] |= 1 << to;
            states |= 1 << from | 1 << to;
        }
        for start in members(piece.shown(Goal::fails(formula.root())) & starts) {
            let states: StateMask = states | 1 << start;
            best.0 = best.0.min(states.count_ones());
            best.1 = best.1.min(chosen.count_ones());
        }
    }
    best
}

fn finding<S: StateSpace>(space: &S, minimal: Measure) -> Finding {
    let options = EvidenceOptions {
        minimal,
        ..EvidenceOptions::default()
    };
    let investigator = Investigator::new(space).expect("no limit");
    investigator.investigate(0, &options)
}

/// The evidence in a measure, the same from both engines.
fn evidence(model: &Model, minimal: Measure) -> Evidence {
    let found = finding(&explicit(model), minimal);
    assert_eq!(found, finding(&symbolic(model), minimal));
    let evidence = found.evidence.expect("the formula fails");
    assert_eq!(evidence.minimal.measure, minimal);
    assert_eq!(evidence.minimal.length, minimal.of(&evidence));
    evidence
}

#[test]
fn fewest_states_and_fewest_transitions_are_the_fewest() {
    let has_bounds = |formula: &Formula| {
        formula.subs().any(|sub| {
            let goal = Goal::holds(sub);
            matches!(kernel(formula, goal), Kernel::Bounded(..))
        })
    };
    campaign("measures", 600, |rng| {
        let kripke = kripke::random(rng, 4, 2);
        let formula = formulas::random(rng, 5, 2).formula();
        let steps: u32 = kripke.steps.iter().map(|next| next.count_ones()).sum();
        let fails = naive::failing(&kripke, &formula, RULE) != 0;
        if steps > MOST_STEPS || !fails || has_bounds(&formula) {
            return;
        }
        let (states, transitions) = least(&kripke, &formula);
        let model = kripke.model(&formula, RULE, StepEncoding::Constraint);
        for (measure, least) in [
            (Measure::States, states),
            (Measure::Transitions, transitions),
        ] {
            let minimal = evidence(&model, measure).minimal;
            assert_eq!(minimal.length, least, "{measure} of {kripke:?} {formula:?}");
            assert!(minimal.proved(), "small systems are searched");
        }
        for (measure, least) in [(Measure::Steps, transitions), (Measure::Nodes, states)] {
            let minimal = evidence(&model, measure).minimal;
            assert!(minimal.length >= least);
            assert!(minimal.at_least <= minimal.length);
        }
    });
}
