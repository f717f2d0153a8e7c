//! Counterexamples taken out of Alloy models: on random small systems, with and without fairness, what is taken out
//! fails by itself, no smaller part of any kind does, and none that is as small comes before it, by trying all of them.

use wherefore_alloy::{AlloyModel, LoweringOptions, lower};
use wherefore_base::{Budget, Value};
use wherefore_logic::{Op, PathOp, Quantifier, SubId};
use wherefore_model::{Env, Interpreter, Model as Part};
use wherefore_relational::{RelEvaluator, UniverseAtomId};
use wherefore_tcmc::{
    ExtractForm, Extracted, TcmcExtent, TcmcModule, UnfoldedTree, asked_in_scope, extract,
    fragment, order_states,
};

use crate::support::read;

/// Numbers that look random and are the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// So many systems are tried.
const SEEDS: u64 = 150;

/// A universal formula over two propositions.
#[derive(Clone, Debug)]
enum Formula {
    Prop(usize, bool),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Ax(Box<Formula>),
    Af(Box<Formula>),
    Ag(Box<Formula>),
    Au(Box<Formula>, Box<Formula>),
}

/// A system over at most four states, the first of which is initial.
#[derive(Clone, Debug)]
struct System {
    states: usize,
    steps: Vec<(usize, usize)>,
    /// For each proposition, where it holds.
    props: [Vec<bool>; 2],
    /// The states that fair paths visit again and again, if paths have to be fair.
    fair: Option<Vec<bool>>,
}

/// The smallest part: whether it is a path, its counts, its states in order, and its steps between their places.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Smallest {
    counts: Vec<usize>,
    states: Vec<usize>,
    /// For each pair of places whether there is no step: what is there comes first.
    missing: Vec<bool>,
}

fn random_formula(rng: &mut Rng, size: usize) -> Formula {
    let inner = |rng: &mut Rng| Box::new(random_formula(rng, size - 1));
    if size == 0 {
        return Formula::Prop(rng.below(2), rng.below(2) == 0);
    }
    match rng.below(6) {
        0 => Formula::And(inner(rng), inner(rng)),
        1 => Formula::Or(inner(rng), inner(rng)),
        2 => Formula::Ax(inner(rng)),
        3 => Formula::Af(inner(rng)),
        4 => Formula::Ag(inner(rng)),
        _ => Formula::Au(inner(rng), inner(rng)),
    }
}

fn random_system(rng: &mut Rng) -> System {
    let states = 2 + rng.below(3);
    let mut steps = Vec::new();
    for from in 0..states {
        for to in 0..states {
            if steps.len() < 7 && rng.below(5) < 2 {
                steps.push((from, to));
            }
        }
    }
    let mut prop = || (0..states).map(|_| rng.below(2) == 0).collect();
    System {
        states,
        steps,
        props: [prop(), prop()],
        fair: None,
    }
}

fn nodes(there: impl Iterator<Item = usize>) -> String {
    let nodes: Vec<String> = there.map(|at| format!("N{at}")).collect();
    match nodes.is_empty() {
        true => "none".to_owned(),
        false => nodes.join(" + "),
    }
}

impl System {
    fn sets(&self, prop: usize, holds: bool) -> String {
        let there = self.props[prop].iter().enumerate();
        let there = there.filter(|(_, value)| **value == holds);
        nodes(there.map(|(at, _)| at))
    }

    fn text(&self, formula: &Formula) -> String {
        let unary = |op: &str, f: &Formula| format!("{op}[{}]", self.text(f));
        let binary = |op: &str, a: &Formula, b: &Formula| {
            format!("{op}[{}, {}]", self.text(a), self.text(b))
        };
        match formula {
            Formula::Prop(prop, holds) => {
                format!("{{s: State | s.at in {}}}", self.sets(*prop, *holds))
            }
            Formula::And(a, b) => binary("and_", a, b),
            Formula::Or(a, b) => binary("or_", a, b),
            Formula::Ax(a) => unary("ax", a),
            Formula::Af(a) => unary("af", a),
            Formula::Ag(a) => unary("ag", a),
            Formula::Au(a, b) => binary("au", a, b),
        }
    }

    fn model(&self, formula: &Formula) -> String {
        let names: Vec<String> = (0..self.states).map(|at| format!("N{at}")).collect();
        let steps = self.steps.iter().map(|(a, b)| format!("N{a} -> N{b}"));
        let steps: Vec<String> = steps.collect();
        let steps = match steps.is_empty() {
            true => "none -> none".to_owned(),
            false => steps.join(" + "),
        };
        let (module, fair) = match &self.fair {
            None => ("ctl", String::new()),
            Some(fair) => {
                let fair = nodes((0..self.states).filter(|&at| fair[at]));
                (
                    "ctlfc",
                    format!("all s: State | s in fc iff s.at in {fair}"),
                )
            }
        };
        format!(
            "open {module}[State]
            abstract sig Node {{}}
            one sig {nodes} extends Node {{}}
            sig State {{ at: one Node }}
            fact {{
              all s: State | s in initialState iff s.at = N0
              all s, t: State | s -> t in nextState iff s.at -> t.at in {steps}
              all s, t: State | s.at = t.at implies s = t
              {fair}
            }}
            check {{ {module}_mc[{formula}] }} for exactly {count} State",
            nodes = names.join(", "),
            formula = self.text(formula),
            count = self.states,
        )
    }

    /// The states with a step into a set.
    fn pre(&self, set: &[bool], steps: &[(usize, usize)]) -> Vec<bool> {
        let has = |s| steps.iter().any(|&(from, to)| from == s && set[to]);
        (0..self.states).map(has).collect()
    }

    /// The states with a path through the first set to the second.
    fn eu(&self, p: &[bool], q: &[bool], steps: &[(usize, usize)]) -> Vec<bool> {
        let mut set = q.to_vec();
        for _ in 0..self.states {
            let before = self.pre(&set, steps);
            for s in 0..self.states {
                set[s] |= p[s] && before[s];
            }
        }
        set
    }

    /// The states from which an infinite path begins that counts.
    fn counting(&self, steps: &[(usize, usize)]) -> Vec<bool> {
        match self.fair {
            None => vec![true; self.states],
            Some(_) => self.eg(&vec![true; self.states], steps),
        }
    }

    /// The states with a step into a set, from where a path that counts goes on.
    fn ex(&self, p: &[bool], steps: &[(usize, usize)]) -> Vec<bool> {
        let goal = zip(p.to_vec(), self.counting(steps), |a, b| a && b);
        self.pre(&goal, steps)
    }

    /// The states with a path through the first set to the second, from where a path that counts goes on.
    fn eu_on(&self, p: &[bool], q: &[bool], steps: &[(usize, usize)]) -> Vec<bool> {
        let goal = zip(q.to_vec(), self.counting(steps), |a, b| a && b);
        self.eu(p, &goal, steps)
    }

    /// The states with an infinite path inside of a set that counts.
    fn eg(&self, p: &[bool], steps: &[(usize, usize)]) -> Vec<bool> {
        if let Some(fair) = &self.fair {
            // A cycle inside of the set through a fair state.
            let inside: Vec<(usize, usize)> =
                steps.iter().copied().filter(|step| p[step.0]).collect();
            let every = vec![true; self.states];
            let around = |s: usize| {
                let only: Vec<bool> = (0..self.states).map(|t| t == s).collect();
                fair[s] && self.pre(&self.eu(&every, &only, &inside), &inside)[s]
            };
            let goal: Vec<bool> = (0..self.states).map(around).collect();
            return self.eu(p, &goal, &inside);
        }
        let mut set = p.to_vec();
        for _ in 0..=self.states {
            let before = self.pre(&set, steps);
            for s in 0..self.states {
                set[s] &= before[s];
            }
        }
        set
    }

    /// Where a formula holds along some steps, by the definitions.
    fn eval(&self, formula: &Formula, steps: &[(usize, usize)]) -> Vec<bool> {
        let of = |f: &Formula| self.eval(f, steps);
        let every = vec![true; self.states];
        match formula {
            Formula::Prop(prop, holds) => {
                let values = self.props[*prop].iter();
                values.map(|value| value == holds).collect()
            }
            Formula::And(a, b) => zip(of(a), of(b), |a, b| a && b),
            Formula::Or(a, b) => zip(of(a), of(b), |a, b| a || b),
            Formula::Ax(a) => not(self.ex(&not(of(a)), steps)),
            Formula::Af(a) => not(self.eg(&not(of(a)), steps)),
            Formula::Ag(a) => not(self.eu_on(&every, &not(of(a)), steps)),
            Formula::Au(a, b) => {
                let none = not(of(b));
                let neither = zip(not(of(a)), none.clone(), |a, b| a && b);
                let bad = self.eu_on(&none, &neither, steps);
                not(zip(self.eg(&none, steps), bad, |a, b| a || b))
            }
        }
    }

    /// What is reached from the initial state.
    fn reached(&self, steps: &[(usize, usize)]) -> Vec<usize> {
        let mut found = vec![0];
        let mut at = 0;
        while at < found.len() {
            for &(from, to) in steps {
                if from == found[at] && !found.contains(&to) {
                    found.push(to);
                }
            }
            at += 1;
        }
        found
    }

    /// Whether the formula fails along some steps, all of which are reached.
    fn shows(&self, formula: &Formula, steps: &[(usize, usize)]) -> bool {
        let reached = self.reached(steps);
        steps.iter().all(|(from, _)| reached.contains(from)) && !self.eval(formula, steps)[0]
    }

    /// The smallest part that fails and whether it is a path, by trying all of them; `rank` orders the states.
    fn smallest(
        &self,
        formula: &Formula,
        rank: &dyn Fn(usize) -> usize,
    ) -> Option<(bool, Smallest)> {
        let mut paths = Vec::new();
        let mut parts = Vec::new();
        for chosen in 0..1usize << self.steps.len() {
            let steps: Vec<(usize, usize)> = (0..self.steps.len())
                .filter(|at| chosen >> at & 1 == 1)
                .map(|at| self.steps[at])
                .collect();
            if !self.shows(formula, &steps) {
                continue;
            }
            let states = self.reached(&steps).len();
            let mut sources: Vec<usize> = steps.iter().map(|step| step.0).collect();
            sources.sort();
            sources.dedup();
            if sources.len() == steps.len() {
                let around = |s: usize| {
                    let mut at = s;
                    for _ in 0..self.states {
                        match steps.iter().find(|step| step.0 == at) {
                            Some(step) => at = step.1,
                            None => return false,
                        }
                        if at == s {
                            return true;
                        }
                    }
                    false
                };
                let looped = (0..self.states).filter(|&s| around(s)).count();
                let along = self.reached(&steps);
                paths.push(self.part(vec![states, looped], along, &[], rank));
            }
            let mut placed = self.reached(&steps);
            placed[1..].sort_by_key(|&state| rank(state));
            parts.push(self.part(vec![steps.len(), states], placed, &steps, rank));
        }
        let path = paths.into_iter().min().map(|part| (true, part));
        path.or_else(|| Some((false, parts.into_iter().min()?)))
    }

    fn part(
        &self,
        counts: Vec<usize>,
        states: Vec<usize>,
        steps: &[(usize, usize)],
        rank: &dyn Fn(usize) -> usize,
    ) -> Smallest {
        let pairs = states
            .iter()
            .flat_map(|&a| states.iter().map(move |&b| (a, b)));
        Smallest {
            counts,
            missing: pairs.map(|pair| !steps.contains(&pair)).collect(),
            states: states.iter().map(|&state| rank(state)).collect(),
        }
    }
}

/// What is taken out for a command, after the part was checked and its evidence replayed.
fn taken_out(model: &AlloyModel, command: usize) -> Option<Extracted> {
    let budget = Budget::unlimited();
    let command = &model.commands[command];
    let module = TcmcModule::of(model).expect("it opens a module");
    let asked = asked_in_scope(model, &module, command).expect("it can be read");
    let asked = asked.expect("it asks for a formula");
    let universal = match TcmcExtent::of(&asked.formula) {
        TcmcExtent::Universal => command.check,
        TcmcExtent::Existential => !command.check,
        TcmcExtent::Mixed => false,
    };
    assert!(
        universal,
        "nothing can be taken out for {:?}",
        command.label
    );
    let choices = LoweringOptions::default();
    let mut lowered = lower(model, command, &choices).expect("it has scopes");
    order_states(model, &mut lowered);
    let options = wherefore_relational::SearchOptions::default();
    let extracted = extract(
        model,
        &module,
        &lowered,
        (command, &choices),
        &options,
        &budget,
    );
    let extracted = extracted.expect("no limit")?;
    let part = fragment(model, &module, &extracted, (command, &asked), &budget);
    let part = part.expect("it can be evaluated");
    assert_eq!(holds(&part.model), !command.check);
    Some(extracted)
}

/// Whether the only property of a model holds in its initial state, read literally.
fn holds(model: &Part) -> bool {
    let budget = Budget::unlimited();
    let interpreter = Interpreter::new(model);
    let mut states = interpreter.initial_states(&budget).expect("no limit");
    assert_eq!(states.len(), 1, "a part begins in one state");
    let mut steps = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let from = states[at].clone();
        for step in interpreter.steps(&from, &budget).expect("no limit") {
            let known = states.iter().position(|state| *state == step.next);
            let to = known.unwrap_or_else(|| {
                states.push(step.next.clone());
                states.len() - 1
            });
            steps.push((at, to));
        }
        at += 1;
    }
    let query = model.properties[0].body.query().expect("it is a formula");
    let atom = |id| {
        let truth = |state: &Vec<Value>| interpreter.truth(query.atoms[id], Env::state(state));
        states.iter().map(truth).collect::<Vec<bool>>()
    };
    let justice = model.fairness.justice.first();
    let fair = justice.map(|&term| {
        let truth = |state: &Vec<Value>| interpreter.truth(term, Env::state(state));
        states.iter().map(truth).collect()
    });
    let system = System {
        states: states.len(),
        steps: Vec::new(),
        props: [Vec::new(), Vec::new()],
        fair,
    };
    let mut values: Vec<Vec<bool>> = Vec::new();
    for sub in query.formula.subs() {
        let of = |id: SubId| values[id.index()].clone();
        let value = match query.formula.op(sub) {
            Op::Const(value) => vec![value; states.len()],
            Op::Atom(id) => atom(id),
            Op::Not(a) => not(of(a)),
            Op::And(a, b) => zip(of(a), of(b), |a, b| a && b),
            Op::Or(a, b) => zip(of(a), of(b), |a, b| a || b),
            Op::Implies(a, b) => zip(of(a), of(b), |a, b| !a || b),
            Op::Path(quantifier, path) => {
                let every = vec![true; states.len()];
                let exists = quantifier == Quantifier::Exists;
                let own = |a: SubId| match exists {
                    true => of(a),
                    false => not(of(a)),
                };
                let found = match path {
                    PathOp::Next(a) => system.ex(&own(a), &steps),
                    PathOp::Finally(a) if exists => system.eu_on(&every, &of(a), &steps),
                    PathOp::Finally(a) => system.eg(&own(a), &steps),
                    PathOp::Globally(a) if exists => system.eg(&of(a), &steps),
                    PathOp::Globally(a) => system.eu_on(&every, &own(a), &steps),
                    PathOp::Until(a, b) if exists => system.eu_on(&of(a), &of(b), &steps),
                    PathOp::Until(a, b) => {
                        let none = not(of(b));
                        let neither = zip(not(of(a)), none.clone(), |a, b| a && b);
                        let bad = system.eu_on(&none, &neither, &steps);
                        zip(system.eg(&none, &steps), bad, |a, b| a || b)
                    }
                    other => panic!("{other:?} is not asked here"),
                };
                match exists {
                    true => found,
                    false => not(found),
                }
            }
            other => panic!("{other:?} is not asked here"),
        };
        values.push(value);
    }
    values[query.formula.root().index()][0]
}

fn not(set: Vec<bool>) -> Vec<bool> {
    set.into_iter().map(|value| !value).collect()
}

fn zip(a: Vec<bool>, b: Vec<bool>, f: fn(bool, bool) -> bool) -> Vec<bool> {
    a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
}

/// The part as it is compared: its states by the order of their nodes.
fn placed(found: &Extracted, count: usize) -> (Smallest, Vec<usize>) {
    let universe = found.lowered.problem.universe();
    let budget = Budget::unlimited();
    let problem = &found.lowered.problem;
    let instance = found.instance.completed(problem);
    let mut evaluator = RelEvaluator::new(problem, &instance, &budget).expect("it is small");
    let field = found.lowered.states[0].fields[0];
    let rows: Vec<_> = evaluator
        .tuples(field)
        .expect("it is a field")
        .iter()
        .collect();
    let node = |state: UniverseAtomId| {
        let row = rows.iter().find(|row| row[0] == state);
        row.expect("every state has a node")[1]
    };
    // Where the nodes are in the order of atoms.
    let ranks: Vec<usize> = (0..count)
        .map(|at| {
            let name = format!("N{at}$0");
            let mut atoms = (0..universe.len()).map(UniverseAtomId::new);
            let atom = atoms.find(|&atom| universe.name(atom) == name);
            atom.expect("every node is an atom").index()
        })
        .collect();
    let mut states = found.states();
    if found.form == ExtractForm::Subgraph {
        states[1..].sort_by_key(|&state| node(state));
    }
    let steps = match found.form {
        ExtractForm::Subgraph => &found.steps[..],
        _ => &[],
    };
    let pairs = states
        .iter()
        .flat_map(|&a| states.iter().map(move |&b| [a, b]));
    let smallest = Smallest {
        counts: found.counts.clone(),
        missing: pairs.map(|pair| !steps.contains(&pair)).collect(),
        states: states.iter().map(|&state| node(state).index()).collect(),
    };
    (smallest, ranks)
}

/// Compares what is taken out of a random system with all of its parts; says what it looks like.
fn compared(seed: u64, fair: bool) -> Option<ExtractForm> {
    let rng = &mut Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut system = random_system(rng);
    let size = 1 + rng.below(3);
    let formula = match rng.below(3) {
        // What asks for two branches at once.
        0 => {
            let [a, b] = [1, 1].map(|_| Formula::Ax(Box::new(random_formula(rng, 1))));
            Formula::Or(Box::new(a), Box::new(b))
        }
        _ => random_formula(rng, size),
    };
    if fair {
        system.fair = Some((0..system.states).map(|_| rng.below(3) > 0).collect());
    }
    let text = system.model(&formula);
    let model = read(&text);
    let fails = !system.eval(&formula, &system.steps)[0];
    let Some(found) = taken_out(&model, 0) else {
        assert!(!fails, "{text}");
        return None;
    };
    let (smallest, ranks) = placed(&found, system.states);
    let expected = system.smallest(&formula, &|state| ranks[state]);
    let path = found.form != ExtractForm::Subgraph;
    assert_eq!(Some((path, smallest)), expected, "{text}");
    assert!(fails, "{text}");
    Some(found.form)
}

#[test]
fn what_is_taken_out_fails_by_itself_and_nothing_smaller_or_before_it_does() {
    let mut forms = [0; 4];
    for seed in 1..=SEEDS {
        forms[compared(seed, false).map_or(0, |form| 1 + form as usize)] += 1;
    }
    assert!(forms.iter().all(|&count| count > 2), "{forms:?}");
}

#[test]
fn what_is_taken_out_under_fairness_fails_by_itself_and_nothing_smaller_or_before_it_does() {
    let mut forms = [0; 4];
    for seed in 1..=SEEDS {
        forms[compared(seed, true).map_or(0, |form| 1 + form as usize)] += 1;
    }
    // A fair path never ends, so a path without a loop shows only what is false at once.
    assert!(forms[0] > 2 && forms[2] > 2 && forms[3] > 2, "{forms:?}");
}

/// Three states: two with `p` that take turns, and a third one without, which the second can go to for good.
fn three_states() -> System {
    System {
        states: 3,
        steps: vec![(0, 1), (1, 0), (1, 2), (2, 2)],
        props: [vec![true, true, false], vec![false; 3]],
        fair: None,
    }
}

fn prop(holds: bool) -> Box<Formula> {
    Box::new(Formula::Prop(0, holds))
}

#[test]
fn a_branching_counterexample_is_no_path_and_has_the_three_states() {
    // Either p ends some time, or from some time on it holds for ever.
    let ag = Box::new(Formula::Ag(prop(true)));
    let branching = Formula::Af(Box::new(Formula::Or(prop(false), ag)));
    let twice = |holds| {
        let ax = Formula::Ax(Box::new(Formula::Ax(prop(holds))));
        Box::new(ax)
    };
    let finite = Formula::Or(twice(true), twice(false));
    for formula in [branching, finite] {
        let model = read(&three_states().model(&formula));
        let found = taken_out(&model, 0).expect("it fails");
        assert_eq!(found.form, ExtractForm::Subgraph);
        assert_eq!(found.counts, [3, 3], "three steps between three states");
        let [tree, run] = UnfoldedTree::two(&found).expect("the states and steps do not say which");
        assert_eq!(tree.text(&|at| at.to_string()), "0 → 1 → (0 | 2)");
        assert_eq!(run.text(&|at| at.to_string()), "0 → 1 → 0 → 1 → 2");
    }
}

#[test]
fn a_counterexample_that_takes_every_step_is_the_whole_system() {
    // Two loops that share the first state: the run is N0 N1 N0 N2, through every step but the last.
    let system = System {
        states: 3,
        steps: vec![(0, 1), (1, 0), (0, 2), (2, 0)],
        props: [vec![true, false, true], vec![true, true, false]],
        fair: None,
    };
    let second = |holds| Box::new(Formula::Prop(1, holds));
    let ax = |f: Box<Formula>| Box::new(Formula::Ax(f));
    let or = |a, b| Box::new(Formula::Or(a, b));
    // After N1 the run is back and goes to N2, and back again.
    let back = ax(or(second(true), ax(or(prop(false), second(false)))));
    let formula = Formula::Ax(or(prop(true), ax(back)));
    let model = read(&system.model(&formula));
    let found = taken_out(&model, 0).expect("it fails");
    assert_eq!(found.form, ExtractForm::Subgraph);
    assert_eq!(found.counts, [4, 3]);
}

#[test]
fn a_lost_acknowledgment_is_a_path_and_noise_for_ever_a_lasso() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/alloy/data_transfer.als"
    );
    let model = read(&std::fs::read_to_string(path).expect("the example is there"));
    let mut forms = Vec::new();
    for (at, command) in model.commands.iter().enumerate() {
        let module = TcmcModule::of(&model).expect("it opens a module");
        let asked = asked_in_scope(&model, &module, command).expect("it can be read");
        let Some(asked) = asked.filter(|_| command.check) else {
            continue;
        };
        if TcmcExtent::of(&asked.formula) == TcmcExtent::Universal
            && let Some(found) = taken_out(&model, at)
        {
            forms.push((found.form, found.counts));
        }
    }
    assert!(
        forms.contains(&(ExtractForm::SimplePath, vec![3, 0])),
        "{forms:?}"
    );
    assert!(
        forms.contains(&(ExtractForm::Lasso, vec![3, 2])),
        "{forms:?}"
    );
}
