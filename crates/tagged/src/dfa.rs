//! The property automaton: deterministic, minimal, without dead states.
//!
//! Made from the regular formula of a property by the subset construction and partition refinement.
//! Labels that no action formula tells apart are one class. Where the automaton has no step, no word that
//! goes on from there is accepted. Once it accepts it accepts for ever, so there is one such state at
//! most.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Run};
use wherefore_logic::{ActionId, Nfa, Piece};
use wherefore_model::lts::{LabelId, LabelSet, Lts};

use crate::minimal::{AutomatonTable, NONE, Unhopeful};
use crate::subsets::Subsets;

/// A deterministic automaton over the labels of a system. State 0 is initial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dfa {
    /// The class of each label.
    class: IndexVec<LabelId, u32>,
    classes: usize,
    /// The step from each state with each class.
    next: Vec<u32>,
    states: u32,
    /// The state that accepts, if there is one.
    goal: u32,
}

impl Dfa {
    /// The minimal automaton of the words that *begin* with a word of the piece: what follows a
    /// violation does not undo it.
    pub fn beginning_with(
        nfa: &Nfa,
        piece: Piece,
        actions: &IndexVec<ActionId, LabelSet>,
        lts: &Lts,
        budget: &Budget,
    ) -> Run<Self> {
        let used = nfa.steps().iter().filter_map(|step| step.reads);
        let (class, examples) = classes(used, actions, lts);
        let table = Subsets::new(nfa, piece, actions, &examples, budget)?.determined(budget)?;
        Ok(Self::new(class, table.minimal(Unhopeful::Dropped, budget)?))
    }

    /// The minimal automaton of the words in which these actions occur in this order, perhaps with
    /// others in between. It has a step with every label from every state, also where it can never
    /// accept.
    pub fn in_order(
        order: &[ActionId],
        actions: &IndexVec<ActionId, LabelSet>,
        lts: &Lts,
        budget: &Budget,
    ) -> Run<Self> {
        let (class, examples) = classes(order.iter().copied(), actions, lts);
        let mut table = AutomatonTable::default();
        for (at, &action) in order.iter().enumerate() {
            let next = examples.iter().map(|&label| {
                let met = actions[action].contains(label);
                (at + usize::from(met)) as u32
            });
            table.next.extend(next);
            table.accepting.push(false);
        }
        // After the last action every word is accepted.
        let end = order.len() as u32;
        table.next.extend(examples.iter().map(|_| end));
        table.accepting.push(true);
        table.classes = examples.len();
        Ok(Self::new(class, table.minimal(Unhopeful::Kept, budget)?))
    }

    fn new(class: IndexVec<LabelId, u32>, table: AutomatonTable) -> Self {
        let goal = table.accepting.iter().position(|accepting| *accepting);
        Self {
            class,
            classes: table.classes,
            next: table.next,
            states: table.accepting.len() as u32,
            goal: goal.map_or(NONE, |goal| goal as u32),
        }
    }

    /// How many states there are; none when no word is accepted and dead states are dropped.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// Whether a state accepts.
    #[inline]
    pub fn accepting(&self, state: u32) -> bool {
        state == self.goal
    }

    /// The step from a state with a label.
    #[inline]
    pub fn next(&self, state: u32, label: LabelId) -> Option<u32> {
        let class = self.class[label] as usize;
        let next = self.next[state as usize * self.classes + class];
        (next != NONE).then_some(next)
    }

    /// The class of a label: labels of one class lead to the same states everywhere.
    #[inline]
    pub fn class(&self, label: LabelId) -> u32 {
        self.class[label]
    }

    /// How many classes of labels there are.
    pub fn classes(&self) -> usize {
        self.classes
    }
}

/// The class of each label, numbered by their least labels, and that label for each class.
fn classes(
    used: impl Iterator<Item = ActionId>,
    actions: &IndexVec<ActionId, LabelSet>,
    lts: &Lts,
) -> (IndexVec<LabelId, u32>, Vec<LabelId>) {
    let mut used: Vec<ActionId> = used.collect();
    used.sort_unstable();
    used.dedup();
    // Split by one action after the other: linear in labels times actions, whatever the number of classes.
    let mut class = vec![0u32; lts.labels().len()];
    for action in used {
        let mut split: FxHashMap<(u32, bool), u32> = FxHashMap::default();
        for (index, class) in class.iter_mut().enumerate() {
            let key = (*class, actions[action].contains(LabelId::new(index)));
            let count = split.len() as u32;
            *class = *split.entry(key).or_insert(count);
        }
    }
    let mut examples = Vec::new();
    for (index, class) in class.iter().enumerate() {
        // Classes are numbered as they are first met, so a new one has the next number.
        if *class as usize == examples.len() {
            examples.push(LabelId::new(index));
        }
    }
    (class.into(), examples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{system, then_labels};

    #[test]
    fn labels_that_no_action_tells_apart_are_one_class() {
        let lts = system(1, &[(0, "A", 0), (0, "B", 0), (0, "C", 0), (0, "D", 0)]);
        let (nfa, piece, actions) = then_labels(&lts, &["B", "D"]);
        let unlimited = Budget::unlimited();
        let dfa = Dfa::beginning_with(&nfa, piece, &actions, &lts, &unlimited).expect("no limit");
        assert_eq!((dfa.states(), dfa.classes()), (3, 3));
        let [a, b, c, d] = ["A", "B", "C", "D"].map(|text| lts.label(text).expect("it is there"));
        assert_eq!(dfa.class(a), dfa.class(c));
        assert_eq!(dfa.next(0, b), Some(1));
        assert_eq!(dfa.next(1, d), Some(2));
        assert!(dfa.accepting(2) && !dfa.accepting(1));
        assert_eq!(dfa.next(2, a), Some(2));
    }

    #[test]
    fn without_an_accepted_word_there_is_no_state() {
        let lts = system(1, &[(0, "A", 0)]);
        let (nfa, piece, actions) = then_labels(&lts, &["A", "missing"]);
        let unlimited = Budget::unlimited();
        let dfa = Dfa::beginning_with(&nfa, piece, &actions, &lts, &unlimited).expect("no limit");
        assert_eq!(dfa.states(), 0);
    }

    #[test]
    fn what_is_waited_for_may_itself_read() {
        // `X = [true] X and [A] false`: the state behind the one that waits is the one that reads `A`.
        let lts = system(1, &[(0, "A", 0), (0, "B", 0)]);
        let actions: IndexVec<ActionId, LabelSet> = vec![
            LabelSet::new(&lts, |_| true),
            LabelSet::new(&lts, |label| label.text == "A"),
        ]
        .into();
        let mut nfa = Nfa::new();
        let [start, waits, reads, exit] = [(); 4].map(|()| nfa.state());
        nfa.step(start, None, waits);
        nfa.step(start, None, reads);
        nfa.step(waits, Some(ActionId::new(0)), start);
        nfa.step(reads, Some(ActionId::new(1)), exit);
        let piece = Piece {
            entrance: start,
            exit,
        };
        let unlimited = Budget::unlimited();
        let dfa = Dfa::beginning_with(&nfa, piece, &actions, &lts, &unlimited).expect("no limit");
        assert_eq!(dfa.states(), 2);
        let [a, b] = ["A", "B"].map(|text| lts.label(text).expect("it is there"));
        assert_eq!((dfa.next(0, b), dfa.next(0, a)), (Some(0), Some(1)));
        assert!(dfa.accepting(1));
    }

    #[test]
    fn an_order_that_cannot_be_done_still_has_a_state_to_wait_in() {
        let lts = system(1, &[(0, "A", 0)]);
        let (_, _, actions) = then_labels(&lts, &["A", "missing"]);
        let order = [ActionId::new(1), ActionId::new(2)];
        let dfa = Dfa::in_order(&order, &actions, &lts, &Budget::unlimited()).expect("no limit");
        assert_eq!(dfa.states(), 1);
        assert!(!dfa.accepting(0));
        assert_eq!(dfa.next(0, LabelId::new(0)), Some(0));
    }

    #[test]
    fn an_empty_order_accepts_at_once() {
        let lts = system(1, &[(0, "A", 0)]);
        let (_, _, actions) = then_labels(&lts, &[]);
        let dfa = Dfa::in_order(&[], &actions, &lts, &Budget::unlimited()).expect("no limit");
        assert!(dfa.accepting(0));
    }

    #[test]
    fn a_formula_of_a_hundred_thousand_actions_is_no_trouble() {
        let lts = system(1, &[(0, "A", 0), (0, "B", 0)]);
        let texts: Vec<&str> = (0..100_000).map(|at| ["A", "B"][at % 2]).collect();
        let (nfa, piece, actions) = then_labels(&lts, &texts);
        let unlimited = Budget::unlimited();
        let dfa = Dfa::beginning_with(&nfa, piece, &actions, &lts, &unlimited).expect("no limit");
        assert_eq!(dfa.states(), 100_001);
    }

    /// Numbers that look random.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            (self.0 >> 33) as usize % bound
        }
    }

    fn random_piece(nfa: &mut Nfa, random: &mut Random, depth: usize) -> Piece {
        let choice = if depth == 0 { 0 } else { random.below(9) };
        match choice {
            0 | 1 => nfa.action(ActionId::new(random.below(4))),
            2 => nfa.nil(),
            3 => nfa.none(),
            4 => {
                let any = nfa.action(ActionId::new(3));
                nfa.star(any)
            }
            5 => {
                let body = random_piece(nfa, random, depth - 1);
                nfa.star(body)
            }
            6 => {
                let one = random_piece(nfa, random, depth - 1);
                let other = random_piece(nfa, random, depth - 1);
                nfa.or(one, other)
            }
            _ => {
                let one = random_piece(nfa, random, depth - 1);
                let other = random_piece(nfa, random, depth - 1);
                nfa.then(one, other)
            }
        }
    }

    /// The states entered without reading, and whether the exit is among them.
    fn settled(nfa: &Nfa, piece: Piece, mut states: Vec<u32>) -> (Vec<u32>, bool) {
        let mut at = 0;
        while at < states.len() {
            for step in nfa.steps().iter().filter(|step| step.reads.is_none()) {
                if step.from == states[at] && !states.contains(&step.to) {
                    states.push(step.to);
                }
            }
            at += 1;
        }
        let accepts = states.contains(&piece.exit);
        (states, accepts)
    }

    #[test]
    fn the_words_accepted_are_those_that_begin_with_a_word_of_the_formula() {
        let lts = system(1, &[(0, "A", 0), (0, "B", 0), (0, "C", 0)]);
        let sets = [vec!["A"], vec!["B"], vec!["A", "C"], vec!["A", "B", "C"]];
        let sets =
            sets.map(|texts| LabelSet::new(&lts, |label| texts.contains(&label.text.as_str())));
        let actions: IndexVec<ActionId, LabelSet> = sets.into_iter().collect();
        let unlimited = Budget::unlimited();
        let mut random = Random(7);
        for _ in 0..300 {
            let mut nfa = Nfa::new();
            let piece = random_piece(&mut nfa, &mut random, 5);
            let dfa = Dfa::beginning_with(&nfa, piece, &actions, &lts, &unlimited);
            let dfa = dfa.expect("no limit");
            for _ in 0..40 {
                let (mut states, mut accepts) = settled(&nfa, piece, vec![piece.entrance]);
                let mut at = (dfa.states() > 0).then_some(0);
                for _ in 0..8 {
                    assert_eq!(at.is_some_and(|at| dfa.accepting(at)), accepts);
                    let label = LabelId::new(random.below(3));
                    let read = nfa.steps().iter().filter(|step| {
                        let reads = step.reads.is_some_and(|a| actions[a].contains(label));
                        reads && states.contains(&step.from)
                    });
                    let (next, now) = settled(&nfa, piece, read.map(|step| step.to).collect());
                    states = next;
                    accepts |= now;
                    at = at.and_then(|at| dfa.next(at, label));
                }
            }
        }
    }
}
