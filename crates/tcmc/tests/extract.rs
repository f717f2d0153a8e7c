//! Counterexamples taken out of Alloy models: on random small systems, what is taken out fails by itself, and no
//! smaller part of any kind does, by trying all of them.

mod support;

use wherefore_alloy::{Choices, Model, lower};
use wherefore_base::{Budget, Value};
use wherefore_logic::{Op, PathOp, Quantifier, SubId};
use wherefore_model::{Env, Interpreter, Model as Part};
use wherefore_tcmc::{
    Extent, Extracted, Form, Module, asked_in_scope, extract, fragment, order_states,
};

use support::read;

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
    }
}

impl System {
    fn sets(&self, prop: usize, holds: bool) -> String {
        let there = self.props[prop].iter().enumerate();
        let there = there.filter(|(_, value)| **value == holds);
        let nodes: Vec<String> = there.map(|(at, _)| format!("N{at}")).collect();
        match nodes.is_empty() {
            true => "none".to_owned(),
            false => nodes.join(" + "),
        }
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
        let nodes: Vec<String> = (0..self.states).map(|at| format!("N{at}")).collect();
        let steps = self.steps.iter().map(|(a, b)| format!("N{a} -> N{b}"));
        let steps: Vec<String> = steps.collect();
        let steps = match steps.is_empty() {
            true => "none -> none".to_owned(),
            false => steps.join(" + "),
        };
        format!(
            "open ctl[State]
            abstract sig Node {{}}
            one sig {nodes} extends Node {{}}
            sig State {{ at: one Node }}
            fact {{
              all s: State | s in initialState iff s.at = N0
              all s, t: State | s -> t in nextState iff s.at -> t.at in {steps}
              all s, t: State | s.at = t.at implies s = t
            }}
            check {{ ctl_mc[{formula}] }} for exactly {count} State",
            nodes = nodes.join(", "),
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

    /// The states with an infinite path inside of a set.
    fn eg(&self, p: &[bool], steps: &[(usize, usize)]) -> Vec<bool> {
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
            Formula::Ax(a) => not(self.pre(&not(of(a)), steps)),
            Formula::Af(a) => not(self.eg(&not(of(a)), steps)),
            Formula::Ag(a) => not(self.eu(&every, &not(of(a)), steps)),
            Formula::Au(a, b) => {
                let none = not(of(b));
                let neither = zip(not(of(a)), none.clone(), |a, b| a && b);
                let bad = self.eu(&none, &neither, steps);
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

    /// The smallest part that fails, by trying all of them.
    fn smallest(&self, formula: &Formula) -> Option<(bool, Vec<usize>)> {
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
                paths.push(vec![states, looped]);
            }
            parts.push(vec![steps.len(), states]);
        }
        let path = paths.into_iter().min().map(|counts| (true, counts));
        path.or_else(|| Some((false, parts.into_iter().min()?)))
    }
}

/// What is taken out for a command, after the part was checked and its evidence replayed.
fn taken_out(model: &Model, command: usize) -> Option<Extracted> {
    let budget = Budget::unlimited();
    let command = &model.commands[command];
    let module = Module::of(model).expect("it opens a module");
    let asked = asked_in_scope(model, &module, command).expect("it can be read");
    let asked = asked.expect("it asks for a formula");
    let universal = match Extent::of(&asked.formula) {
        Extent::Universal => command.check,
        Extent::Existential => !command.check,
        Extent::Mixed => false,
    };
    assert!(
        universal,
        "nothing can be taken out for {:?}",
        command.label
    );
    let mut lowered = lower(model, command, &Choices::default()).expect("it has scopes");
    order_states(model, &mut lowered);
    let options = wherefore_relational::Options::default();
    let extracted = extract(model, &module, &lowered, !command.check, &options, &budget);
    let extracted = extracted.expect("no limit")?;
    let part = fragment(model, &module, &extracted, (command, &asked), &budget);
    let part = part.expect("it can be evaluated");
    assert_eq!(holds(&part), !command.check);
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
    let system = System {
        states: states.len(),
        steps: Vec::new(),
        props: [Vec::new(), Vec::new()],
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
                    PathOp::Next(a) => system.pre(&own(a), &steps),
                    PathOp::Finally(a) if exists => system.eu(&every, &of(a), &steps),
                    PathOp::Finally(a) => system.eg(&own(a), &steps),
                    PathOp::Globally(a) if exists => system.eg(&of(a), &steps),
                    PathOp::Globally(a) => system.eu(&every, &own(a), &steps),
                    PathOp::Until(a, b) if exists => system.eu(&of(a), &of(b), &steps),
                    PathOp::Until(a, b) => {
                        let none = not(of(b));
                        let neither = zip(not(of(a)), none.clone(), |a, b| a && b);
                        let bad = system.eu(&none, &neither, &steps);
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

#[test]
fn what_is_taken_out_fails_by_itself_and_nothing_smaller_does() {
    let mut forms = [0; 4];
    for seed in 1..=SEEDS {
        let rng = &mut Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let system = random_system(rng);
        let size = 1 + rng.below(3);
        let formula = match rng.below(3) {
            // What asks for two branches at once.
            0 => {
                let [a, b] = [1, 1].map(|_| Formula::Ax(Box::new(random_formula(rng, 1))));
                Formula::Or(Box::new(a), Box::new(b))
            }
            _ => random_formula(rng, size),
        };
        let text = system.model(&formula);
        let model = read(&text);
        let found = taken_out(&model, 0);
        let expected = system.smallest(&formula);
        let fails = !system.eval(&formula, &system.steps)[0];
        assert_eq!(expected.is_some(), fails, "{text}");
        match (&found, expected) {
            (None, None) => forms[0] += 1,
            (Some(found), Some((path, counts))) => {
                assert_eq!(found.form != Form::Subgraph, path, "{text}");
                assert_eq!(found.counts, counts, "{text}");
                forms[1 + found.form as usize] += 1;
            }
            (found, expected) => panic!("{:?} and {expected:?}\n{text}", found.is_some()),
        }
    }
    assert!(forms.iter().all(|&count| count > 2), "{forms:?}");
}

/// Three states: two with `p` that take turns, and a third one without, which the second can go to for good.
fn three_states() -> System {
    System {
        states: 3,
        steps: vec![(0, 1), (1, 0), (1, 2), (2, 2)],
        props: [vec![true, true, false], vec![false; 3]],
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
        assert_eq!(found.form, Form::Subgraph);
        assert_eq!(found.counts, [3, 3], "three steps between three states");
    }
}

#[test]
fn a_counterexample_that_takes_every_step_is_the_whole_system() {
    // Two loops that share the first state: the run is N0 N1 N0 N2, through every step but the last.
    let system = System {
        states: 3,
        steps: vec![(0, 1), (1, 0), (0, 2), (2, 0)],
        props: [vec![true, false, true], vec![true, true, false]],
    };
    let second = |holds| Box::new(Formula::Prop(1, holds));
    let ax = |f: Box<Formula>| Box::new(Formula::Ax(f));
    let or = |a, b| Box::new(Formula::Or(a, b));
    // After N1 the run is back and goes to N2, and back again.
    let back = ax(or(second(true), ax(or(prop(false), second(false)))));
    let formula = Formula::Ax(or(prop(true), ax(back)));
    let model = read(&system.model(&formula));
    let found = taken_out(&model, 0).expect("it fails");
    assert_eq!(found.form, Form::Subgraph);
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
        let module = Module::of(&model).expect("it opens a module");
        let asked = asked_in_scope(&model, &module, command).expect("it can be read");
        let Some(asked) = asked.filter(|_| command.check) else {
            continue;
        };
        if Extent::of(&asked.formula) == Extent::Universal
            && let Some(found) = taken_out(&model, at)
        {
            forms.push((found.form, found.counts));
        }
    }
    assert!(forms.contains(&(Form::SimplePath, vec![3, 0])), "{forms:?}");
    assert!(forms.contains(&(Form::Lasso, vec![3, 2])), "{forms:?}");
}
