//! What formulas mean, against a direct reading of the definitions.
//!
//! Random formulas are written as text, parsed and lowered; their equations are solved by plain
//! iteration and compared with the sets of states that the definitions give, and the automata of safety
//! properties are compared with sets of words.

use std::collections::BTreeSet;

use wherefore_base::{FileId, SourceFile, SourceMap};
use wherefore_logic::modal::{Fixpoint, ModalOp};
use wherefore_lts::mcl::{self, LoweredMcl};
use wherefore_model::lts::{
    ActionLabel, LabelId, Lts, ModalQuestion, PropertyForm, StateId, Transition,
};

const LABELS: [&str; 4] = ["a", "b", "c", "i"];

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

/// A set of labels, as bits.
type Set = u8;

const ALL: Set = 0b1111;

#[derive(Clone, Debug)]
enum Action {
    True,
    False,
    Tau,
    Visible,
    Label(usize),
    Regex(&'static str, Set),
    Not(Box<Action>),
    And(Box<Action>, Box<Action>),
    Or(Box<Action>, Box<Action>),
    Implies(Box<Action>, Box<Action>),
    Equ(Box<Action>, Box<Action>),
}

#[derive(Clone, Debug)]
enum Regular {
    Action(Action),
    Nil,
    Then(Box<Regular>, Box<Regular>),
    Either(Box<Regular>, Box<Regular>),
    Star(Box<Regular>),
    Plus(Box<Regular>),
    Maybe(Box<Regular>),
    Times(Box<Regular>, usize, Option<usize>),
}

#[derive(Clone, Debug)]
enum State {
    Const(bool),
    Not(Box<State>),
    And(Box<State>, Box<State>),
    Or(Box<State>, Box<State>),
    Implies(Box<State>, Box<State>),
    Equ(Box<State>, Box<State>),
    Box(Regular, Box<State>),
    Diamond(Regular, Box<State>),
    Mu(usize, Box<State>),
    Nu(usize, Box<State>),
    Variable(usize),
    Loop(Regular),
    NoLoop(Regular),
}

fn action(dice: &mut Dice, depth: usize) -> Action {
    let boxed = |dice: &mut Dice| Box::new(action(dice, depth - 1));
    match dice.roll(if depth == 0 { 7 } else { 12 }) {
        0 => Action::True,
        1 => Action::False,
        2 => Action::Tau,
        3 => Action::Visible,
        4 | 5 => Action::Label(dice.roll(4)),
        6 => [
            Action::Regex(".", ALL),
            Action::Regex("[ab]", 0b0011),
            Action::Regex("[^a]", 0b1110),
            Action::Regex(r"a\|c", 0b0101),
        ][dice.roll(4)]
        .clone(),
        7 => Action::Not(boxed(dice)),
        8 => Action::And(boxed(dice), boxed(dice)),
        9 => Action::Or(boxed(dice), boxed(dice)),
        10 => Action::Implies(boxed(dice), boxed(dice)),
        _ => Action::Equ(boxed(dice), boxed(dice)),
    }
}

fn regular(dice: &mut Dice, depth: usize, stars: bool) -> Regular {
    let boxed = |dice: &mut Dice| Box::new(regular(dice, depth - 1, stars));
    match dice.roll(if depth == 0 { 4 } else { 14 }) {
        0..=2 => Regular::Action(action(dice, 1)),
        3 => Regular::Nil,
        4..=7 => Regular::Then(boxed(dice), boxed(dice)),
        8 | 9 => Regular::Either(boxed(dice), boxed(dice)),
        10 => Regular::Maybe(boxed(dice)),
        11 => {
            let low = dice.roll(3);
            let high = match dice.roll(3) {
                0 if stars => None,
                1 => Some(low),
                _ => Some(low + dice.roll(2)),
            };
            Regular::Times(boxed(dice), low, high)
        }
        12 if stars => Regular::Star(boxed(dice)),
        13 if stars => Regular::Plus(boxed(dice)),
        _ => Regular::Action(action(dice, 1)),
    }
}

fn state(dice: &mut Dice, depth: usize, variables: &mut Vec<usize>) -> State {
    if depth == 0 {
        if !variables.is_empty() && dice.roll(3) > 0 {
            return State::Variable(variables[dice.roll(variables.len())]);
        }
        return State::Const(dice.roll(2) == 0);
    }
    let depth = depth - 1;
    match dice.roll(14) {
        0 => State::Not(Box::new(state(dice, depth, variables))),
        1 | 2 => {
            let one = Box::new(state(dice, depth, variables));
            State::And(one, Box::new(state(dice, depth, variables)))
        }
        3 | 4 => {
            let one = Box::new(state(dice, depth, variables));
            State::Or(one, Box::new(state(dice, depth, variables)))
        }
        5 => {
            let one = Box::new(state(dice, depth, &mut Vec::new()));
            State::Implies(one, Box::new(state(dice, depth, variables)))
        }
        6 => {
            let one = Box::new(state(dice, depth, &mut Vec::new()));
            State::Equ(one, Box::new(state(dice, depth, &mut Vec::new())))
        }
        7 | 8 => State::Box(
            regular(dice, 2, true),
            Box::new(state(dice, depth, variables)),
        ),
        9 | 10 => State::Diamond(
            regular(dice, 2, true),
            Box::new(state(dice, depth, variables)),
        ),
        11 => State::Loop(regular(dice, 2, false)),
        12 => State::NoLoop(regular(dice, 2, false)),
        _ => {
            let variable = dice.roll(1000) + 1;
            variables.push(variable);
            let body = Box::new(state(dice, depth, variables));
            variables.pop();
            if dice.roll(2) == 0 {
                State::Mu(variable, body)
            } else {
                State::Nu(variable, body)
            }
        }
    }
}

impl Action {
    fn text(&self) -> String {
        match self {
            Action::True => "true".into(),
            Action::False => "false".into(),
            Action::Tau => "tau".into(),
            Action::Visible => "visible".into(),
            Action::Label(label) => format!("\"{}\"", LABELS[*label]),
            Action::Regex(text, _) => format!("'{text}'"),
            Action::Not(a) => format!("not ({})", a.text()),
            Action::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Action::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
            Action::Implies(a, b) => format!("({}) implies ({})", a.text(), b.text()),
            Action::Equ(a, b) => format!("({}) equ ({})", a.text(), b.text()),
        }
    }

    fn set(&self) -> Set {
        match self {
            Action::True => ALL,
            Action::False => 0,
            Action::Tau => 0b1000,
            Action::Visible => 0b0111,
            Action::Label(label) => 1 << label,
            Action::Regex(_, set) => *set,
            Action::Not(a) => ALL & !a.set(),
            Action::And(a, b) => a.set() & b.set(),
            Action::Or(a, b) => a.set() | b.set(),
            Action::Implies(a, b) => ALL & (!a.set() | b.set()),
            Action::Equ(a, b) => ALL & !(a.set() ^ b.set()),
        }
    }
}

impl Regular {
    fn text(&self) -> String {
        match self {
            Regular::Action(a) => a.text(),
            Regular::Nil => "nil".into(),
            Regular::Then(a, b) => format!("({}) . ({})", a.text(), b.text()),
            Regular::Either(a, b) => format!("({}) | ({})", a.text(), b.text()),
            Regular::Star(a) => format!("({})*", a.text()),
            Regular::Plus(a) => format!("({})+", a.text()),
            Regular::Maybe(a) => format!("({})?", a.text()),
            Regular::Times(a, low, Some(high)) if low == high => {
                format!("({}){{{low}}}", a.text())
            }
            Regular::Times(a, low, Some(high)) => format!("({}){{{low},{high}}}", a.text()),
            Regular::Times(a, low, None) => format!("({}){{{low}...}}", a.text()),
        }
    }

    /// Where a sequence of it leads from a place: the definition, for any steps.
    fn after<T: Ord + Copy>(
        &self,
        from: &BTreeSet<T>,
        step: &impl Fn(&BTreeSet<T>, Set) -> BTreeSet<T>,
    ) -> BTreeSet<T> {
        match self {
            Regular::Action(a) => step(from, a.set()),
            Regular::Nil => from.clone(),
            Regular::Then(a, b) => b.after(&a.after(from, step), step),
            Regular::Either(a, b) => &a.after(from, step) | &b.after(from, step),
            Regular::Maybe(a) => from | &a.after(from, step),
            Regular::Star(a) => {
                let mut all = from.clone();
                loop {
                    let more = &all | &a.after(&all, step);
                    if more == all {
                        return all;
                    }
                    all = more;
                }
            }
            Regular::Plus(a) => Regular::Star(a.clone()).after(&a.after(from, step), step),
            Regular::Times(a, low, high) => {
                let mut now = from.clone();
                for _ in 0..*low {
                    now = a.after(&now, step);
                }
                match high {
                    None => Regular::Star(a.clone()).after(&now, step),
                    Some(high) => {
                        let mut all = now.clone();
                        for _ in *low..*high {
                            now = a.after(&now, step);
                            all = &all | &now;
                        }
                        all
                    }
                }
            }
        }
    }
}

impl State {
    fn text(&self) -> String {
        match self {
            State::Const(truth) => truth.to_string(),
            State::Not(a) => format!("not ({})", a.text()),
            State::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            State::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
            State::Implies(a, b) => format!("({}) implies ({})", a.text(), b.text()),
            State::Equ(a, b) => format!("({}) equ ({})", a.text(), b.text()),
            State::Box(r, a) => format!("[{}] ({})", r.text(), a.text()),
            State::Diamond(r, a) => format!("<{}> ({})", r.text(), a.text()),
            State::Mu(x, a) => format!("mu X{x} . ({})", a.text()),
            State::Nu(x, a) => format!("nu X{x} . ({})", a.text()),
            State::Variable(x) => format!("X{x}"),
            State::Loop(r) => format!("<{}> @", r.text()),
            State::NoLoop(r) => format!("[{}] -|", r.text()),
        }
    }

    /// The states where it holds, by the definition.
    fn states(&self, lts: &Lts, variables: &mut Vec<(usize, Vec<bool>)>) -> Vec<bool> {
        let mut both = |a: &State, b: &State, f: fn(bool, bool) -> bool| -> Vec<bool> {
            let (a, b) = (a.states(lts, variables), b.states(lts, variables));
            a.iter().zip(&b).map(|(a, b)| f(*a, *b)).collect()
        };
        match self {
            State::Const(truth) => vec![*truth; lts.states()],
            State::Not(a) => both(a, a, |a, _| !a),
            State::And(a, b) => both(a, b, |a, b| a && b),
            State::Or(a, b) => both(a, b, |a, b| a || b),
            State::Implies(a, b) => both(a, b, |a, b| !a || b),
            State::Equ(a, b) => both(a, b, |a, b| a == b),
            State::Box(r, a) => {
                let a = a.states(lts, variables);
                modal(lts, r, |to| to.iter().all(|&to| a[to]))
            }
            State::Diamond(r, a) => {
                let a = a.states(lts, variables);
                modal(lts, r, |to| to.iter().any(|&to| a[to]))
            }
            State::Variable(x) => {
                let found = variables.iter().rev().find(|(y, _)| x == y);
                found.expect("it is bound").1.clone()
            }
            State::Mu(x, a) => fixpoint(lts, false, |now| {
                variables.push((*x, now));
                let next = a.states(lts, variables);
                variables.pop();
                next
            }),
            State::Nu(x, a) => fixpoint(lts, true, |now| {
                variables.push((*x, now));
                let next = a.states(lts, variables);
                variables.pop();
                next
            }),
            State::Loop(r) => fixpoint(lts, true, |now| {
                modal(lts, r, |to| to.iter().any(|&to| now[to]))
            }),
            State::NoLoop(r) => fixpoint(lts, false, |now| {
                modal(lts, r, |to| to.iter().all(|&to| now[to]))
            }),
        }
    }
}

fn modal(lts: &Lts, regular: &Regular, holds: impl Fn(&BTreeSet<usize>) -> bool) -> Vec<bool> {
    let step = |from: &BTreeSet<usize>, set: Set| -> BTreeSet<usize> {
        let steps = from.iter().flat_map(|&from| lts.steps(StateId::new(from)));
        let steps = steps.filter(|step| set & bit(lts, step.label) != 0);
        steps.map(|step| step.to.index()).collect()
    };
    (0..lts.states())
        .map(|from| holds(&regular.after(&BTreeSet::from([from]), &step)))
        .collect()
}

fn bit(lts: &Lts, label: LabelId) -> Set {
    let position = LABELS.iter().position(|text| *text == lts.text(label));
    1 << position.expect("only these labels occur")
}

fn fixpoint(lts: &Lts, start: bool, mut next: impl FnMut(Vec<bool>) -> Vec<bool>) -> Vec<bool> {
    let mut now = vec![start; lts.states()];
    // Formulas in which a variable is negated have no fixpoint; they are rejected before.
    for _ in 0..=lts.states() {
        now = next(now);
    }
    now
}

fn random_lts(dice: &mut Dice) -> Lts {
    let states = 1 + dice.roll(5);
    let transitions = dice.roll(3 * states + 1);
    let transitions: Vec<Transition> = (0..transitions)
        .map(|_| Transition {
            from: dice.roll(states).into(),
            label: dice.roll(4).into(),
            to: dice.roll(states).into(),
        })
        .collect();
    lts(states, &transitions)
}

fn lts(states: usize, transitions: &[Transition]) -> Lts {
    let labels = LABELS.map(|text| ActionLabel {
        text: text.into(),
        internal: text == "i",
    });
    Lts::new(labels.into(), states, StateId::new(0), transitions)
}

fn lowered(text: &str, lts: &Lts) -> Result<LoweredMcl, String> {
    let mut sources = SourceMap::default();
    let file: FileId = sources.add(SourceFile::new("p.mcl", text));
    let (parsed, diagnostics) = mcl::parse(file, &mut sources, &|_| None);
    assert_eq!(diagnostics, [], "{text}");
    let parsed = parsed.expect("nothing is wrong");
    let property = parsed.properties().next().expect("there is one");
    mcl::lower(&property, lts).map_err(|wrong| wrong[0].message.clone())
}

/// Solves equations block by block, by plain iteration.
fn solve(question: &ModalQuestion, lts: &Lts) -> Vec<bool> {
    let system = &question.system;
    let mut holds = vec![vec![false; lts.states()]; system.equations.len()];
    for (block, fixpoint) in system.blocks.iter().enumerate() {
        let members: Vec<_> = system
            .equations
            .entries()
            .filter(|(_, equation)| equation.block as usize == block)
            .collect();
        for (id, _) in &members {
            holds[id.index()] = vec![*fixpoint == Fixpoint::Greatest; lts.states()];
        }
        loop {
            let mut changed = false;
            for (id, equation) in &members {
                let next: Vec<bool> = lts
                    .state_ids()
                    .map(|state| {
                        let here = |sub: &wherefore_logic::SubId| holds[sub.index()][state.index()];
                        let steps = || lts.steps(state).iter();
                        match &equation.op {
                            ModalOp::Const(truth) => *truth,
                            ModalOp::All(subs) => subs.iter().all(here),
                            ModalOp::Any(subs) => subs.iter().any(here),
                            ModalOp::Some(action, sub) => steps().any(|step| {
                                question.actions[*action].contains(step.label)
                                    && holds[sub.index()][step.to.index()]
                            }),
                            ModalOp::Every(action, sub) => steps().all(|step| {
                                !question.actions[*action].contains(step.label)
                                    || holds[sub.index()][step.to.index()]
                            }),
                        }
                    })
                    .collect();
                changed |= next != holds[id.index()];
                holds[id.index()] = next;
            }
            if !changed {
                break;
            }
        }
    }
    holds[system.root.index()].clone()
}

fn assert_blocks_are_ordered(question: &ModalQuestion) {
    let equations = &question.system.equations;
    for equation in equations.iter() {
        let subs = match &equation.op {
            ModalOp::Const(_) => Vec::new(),
            ModalOp::All(subs) | ModalOp::Any(subs) => subs.clone(),
            ModalOp::Some(_, sub) | ModalOp::Every(_, sub) => vec![*sub],
        };
        assert!(
            subs.iter()
                .all(|sub| equations[*sub].block <= equation.block)
        );
        assert!((equation.block as usize) < question.system.blocks.len());
    }
}

#[test]
fn state_formulas_hold_where_their_definition_says() {
    let mut dice = Dice(0x5eed);
    let (mut compared, mut rejected) = (0, 0);
    while compared < 20_000 {
        let depth = 1 + dice.roll(5);
        let formula = state(&mut dice, depth, &mut Vec::new());
        let lts = random_lts(&mut dice);
        let text = formula.text();
        match lowered(&text, &lts) {
            Ok(LoweredMcl { question, .. }) => {
                compared += 1;
                assert_blocks_are_ordered(&question);
                let expected = formula.states(&lts, &mut Vec::new());
                assert_eq!(solve(&question, &lts), expected, "{text}\n{lts:?}");
            }
            Err(message) => {
                rejected += 1;
                let known = message.contains("alternation-free") || message.contains("odd number");
                assert!(known, "{text}: {message}");
            }
        }
    }
    assert!(rejected < compared / 4, "{rejected}");
}

/// All words over the labels up to a length.
fn words(longest: usize) -> Vec<Vec<usize>> {
    let mut words = vec![Vec::new()];
    let mut last = words.clone();
    for _ in 0..longest {
        let longer = last.iter().flat_map(|word: &Vec<usize>| {
            (0..LABELS.len()).map(|label| [word.clone(), vec![label]].concat())
        });
        last = longer.collect();
        words.extend(last.iter().cloned());
    }
    words
}

/// Whether the automaton of a safety property reads a word as a whole.
fn reads(question: &ModalQuestion, lts: &Lts, word: &[usize]) -> bool {
    let PropertyForm::Never(nfa, piece) = &question.form else {
        panic!("{:?}", question.form);
    };
    let close = |set: &mut BTreeSet<u32>| {
        let mut open: Vec<u32> = set.iter().copied().collect();
        while let Some(from) = open.pop() {
            for step in nfa.steps() {
                if step.from == from && step.reads.is_none() && set.insert(step.to) {
                    open.push(step.to);
                }
            }
        }
    };
    let mut now = BTreeSet::from([piece.entrance]);
    close(&mut now);
    for &label in word {
        let label = lts.label(LABELS[label]).expect("it exists");
        let steps = nfa.steps().iter().filter(|step| {
            now.contains(&step.from)
                && step
                    .reads
                    .is_some_and(|a| question.actions[a].contains(label))
        });
        now = steps.map(|step| step.to).collect();
        close(&mut now);
    }
    now.contains(&piece.exit)
}

/// Whether a word is a sequence of a regular formula, by the definition.
fn in_regular(regular: &Regular, word: &[usize]) -> bool {
    let step = |from: &BTreeSet<usize>, set: Set| -> BTreeSet<usize> {
        let next = from
            .iter()
            .filter(|&&at| at < word.len() && set & (1 << word[at]) != 0);
        next.map(|at| at + 1).collect()
    };
    regular
        .after(&BTreeSet::from([0]), &step)
        .contains(&word.len())
}

#[test]
fn automata_of_safety_properties_read_the_sequences_of_their_definition() {
    let mut dice = Dice(0xcafe);
    let lts = lts(1, &[]);
    let short = words(4);
    for round in 0..300 {
        let depth = 1 + dice.roll(4);
        let regular = regular(&mut dice, depth, true);
        let ways = [
            format!("[{}] false", regular.text()),
            format!("not <{}> true", regular.text()),
            format!("[nil . ({})] (false and false)", regular.text()),
        ];
        let question = lowered(&ways[round % 3], &lts).expect("it is one").question;
        for word in &short {
            let expected = in_regular(&regular, word);
            assert_eq!(
                reads(&question, &lts, word),
                expected,
                "{} {word:?}",
                regular.text()
            );
        }
        for _ in 0..200 {
            let word: Vec<usize> = (0..5 + dice.roll(2)).map(|_| dice.roll(4)).collect();
            let expected = in_regular(&regular, &word);
            assert_eq!(
                reads(&question, &lts, &word),
                expected,
                "{} {word:?}",
                regular.text()
            );
        }
    }
}
