//! Small Kripke structures: a few numbered states, steps between them, and propositions.
//!
//! [`every`] lists all structures of a size up to isomorphism; [`random`] makes larger ones;
//! [`Kripke::model`] turns a structure into a model with one variable, so that the engines can run it.

use wherefore_base::{FileId, IndexVec, Span, Value};
use wherefore_logic::{AtomId, Fairness, Formula, PathRule};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Property, PropertyBody, PropertyKind, Query, Requirement,
    Term, TermId, VarId, VarKind, Variable,
};

use crate::Rng;

/// A set of states: bit `s` says whether state `s` is in it.
pub type StateMask = u64;

/// States `0..size` with steps, propositions and fairness constraints.
///
/// Invariant: `size` is between 1 and 64, and no set has a bit at or above `size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kripke {
    /// How many states there are.
    pub size: usize,
    /// The successors of each state.
    pub steps: Vec<StateMask>,
    /// The initial states.
    pub initial: StateMask,
    /// For each proposition, the states where it is true.
    pub labels: Vec<StateMask>,
    /// The fairness constraints, as sets of states.
    pub fairness: Fairness<StateMask>,
}

/// How the steps of a structure are written in a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepEncoding {
    /// As one constraint on steps.
    Constraint,
    /// As an assignment of the next state by cases, and a constraint that forbids steps from deadlocks.
    Assignment,
}

impl Kripke {
    /// All states.
    pub fn all(&self) -> StateMask {
        mask(self.size)
    }

    /// Whether there is a step.
    pub fn steps_to(&self, from: usize, to: usize) -> bool {
        self.steps[from] >> to & 1 == 1
    }

    /// Whether every state has a successor.
    pub fn is_total(&self) -> bool {
        self.steps.iter().all(|&next| next != 0)
    }

    /// The states that can be reached from the initial ones.
    pub fn reachable(&self) -> StateMask {
        let mut reached = self.initial;
        loop {
            let next = members(reached).fold(reached, |all, state| all | self.steps[state]);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The structure with the states renumbered: state `s` becomes `to[s]`.
    #[must_use]
    pub fn renamed(&self, to: &[usize]) -> Self {
        let set = |states: StateMask| members(states).fold(0, |all, state| all | 1 << to[state]);
        let mut steps = vec![0; self.size];
        for state in 0..self.size {
            steps[to[state]] = set(self.steps[state]);
        }
        let fairness: Result<_, ()> = self.fairness.try_map(|&states| Ok(set(states)));
        Self {
            size: self.size,
            steps,
            initial: set(self.initial),
            labels: self.labels.iter().map(|&states| set(states)).collect(),
            fairness: fairness.expect("renaming never fails"),
        }
    }

    /// Whether no renumbering of the states gives a structure that is smaller when all its sets are
    /// compared in turn: among isomorphic structures exactly one is canonical.
    pub fn is_canonical(&self) -> bool {
        let key = self.key();
        permutations(self.size)
            .iter()
            .all(|to| key <= self.renamed(to).key())
    }

    fn key(&self) -> Vec<StateMask> {
        let pairs = self.fairness.compassion.iter();
        let mut key = self.steps.clone();
        key.push(self.initial);
        key.extend(&self.labels);
        key.extend(&self.fairness.justice);
        key.extend(pairs.flat_map(|&(p, q)| [p, q]));
        key
    }

    /// Structures side by side as one, without steps between them, and where each one starts.
    ///
    /// What a formula means at a state depends on what can be reached from there only, so one check of
    /// the union is a check of each part.
    ///
    /// # Panics
    /// When there are more than 64 states, or the parts have different numbers of propositions or
    /// fairness constraints.
    pub fn union(parts: &[Kripke]) -> (Self, Vec<usize>) {
        let first = parts.first().expect("a union has a part");
        let empty = |sets: &[StateMask]| vec![0; sets.len()];
        let mut union = Kripke {
            size: 0,
            steps: Vec::new(),
            initial: 0,
            labels: empty(&first.labels),
            fairness: Fairness {
                justice: empty(&first.fairness.justice),
                compassion: vec![(0, 0); first.fairness.compassion.len()],
            },
        };
        let mut starts = Vec::new();
        for part in parts {
            let at = union.size;
            assert!(at + part.size <= 64, "a union has at most 64 states");
            assert_eq!(part.labels.len(), union.labels.len());
            assert_eq!(part.fairness.justice.len(), union.fairness.justice.len());
            assert_eq!(
                part.fairness.compassion.len(),
                union.fairness.compassion.len()
            );
            starts.push(at);
            union.size += part.size;
            union
                .steps
                .extend(part.steps.iter().map(|&next| next << at));
            union.initial |= part.initial << at;
            for (all, &own) in union.labels.iter_mut().zip(&part.labels) {
                *all |= own << at;
            }
            for (all, &own) in union
                .fairness
                .justice
                .iter_mut()
                .zip(&part.fairness.justice)
            {
                *all |= own << at;
            }
            let pairs = &part.fairness.compassion;
            for (all, &(p, q)) in union.fairness.compassion.iter_mut().zip(pairs) {
                *all = (all.0 | p << at, all.1 | q << at);
            }
        }
        (union, starts)
    }

    /// The structure as a model with one variable, `s`, and the question as its only property. Atom
    /// `i` of the formula is proposition `i`.
    pub fn model(&self, formula: &Formula, rule: PathRule, encoding: StepEncoding) -> Model {
        let mut writer = KripkeWriter::new(self.size);
        let initial = writer.among(self.initial);
        writer.model.init.push(holds(initial));
        match encoding {
            StepEncoding::Constraint => {
                let steps = writer.steps(self, 0, self.size);
                writer.model.trans.push(holds(steps));
            }
            StepEncoding::Assignment => {
                let next = writer.next(self, 0, self.size);
                let assign = Requirement::Assign(VarId::new(0), next);
                writer.model.trans.push(constraint(assign));
                let alive = (0..self.size).filter(|&state| self.steps[state] != 0);
                let alive = writer.among(alive.fold(0, |all, state| all | 1 << state));
                writer.model.trans.push(holds(alive));
            }
        }
        let fairness: Result<_, ()> = self.fairness.try_map(|&states| Ok(writer.among(states)));
        writer.model.fairness = fairness.expect("writing never fails");
        let atoms: IndexVec<AtomId, TermId> = self
            .labels
            .iter()
            .map(|&states| writer.among(states))
            .collect();
        writer.model.properties.push(property(Query {
            formula: formula.clone(),
            atoms,
            rule,
        }));
        writer.model
    }
}

/// A property made of a query, without a place in any source.
pub fn property(query: Query) -> Property {
    let atom = |atom: AtomId| format!("p{}", atom.index());
    let text = query.formula.show(query.formula.root(), &atom).to_string();
    Property {
        name: "p".to_string(),
        named: false,
        text,
        span: nowhere(),
        instance: String::new(),
        kind: PropertyKind::Ctl,
        body: PropertyBody::Query(query),
    }
}

/// A place for parts of models that stand in no source.
pub fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}

/// The states in a set, in order.
pub fn members(states: StateMask) -> impl Iterator<Item = usize> {
    (0..64).filter(move |state| states >> state & 1 == 1)
}

/// The set of the states `0..size`.
pub fn mask(size: usize) -> StateMask {
    if size >= 64 {
        StateMask::MAX
    } else {
        (1 << size) - 1
    }
}

/// What fairness constraints the structures of [`every`] have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WithFairness {
    /// None.
    No,
    /// One justice condition.
    Justice,
    /// One compassion pair.
    Compassion,
}

impl WithFairness {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::No, Self::Justice, Self::Compassion];
}

/// Every structure of this size with one proposition, up to isomorphism, total or not.
///
/// All states are initial, so that all are reachable: a structure with other initial states is one of
/// these without its unreachable states.
pub fn every(size: usize, fairness: WithFairness) -> impl Iterator<Item = Kripke> {
    let sets = 1u64 << size;
    let relations = 1u64 << (size * size);
    let fairness_choices = match fairness {
        WithFairness::No => 1,
        WithFairness::Justice => sets,
        WithFairness::Compassion => sets * sets,
    };
    let choices = (0..relations).flat_map(move |relation| {
        let labels = 0..sets;
        labels.flat_map(move |label| (0..fairness_choices).map(move |fair| (relation, label, fair)))
    });
    let structures = choices.map(move |(relation, label, fair)| {
        let row = |state: usize| relation >> (state * size) & (sets - 1);
        let constraints = match fairness {
            WithFairness::No => Fairness::default(),
            WithFairness::Justice => Fairness {
                justice: vec![fair],
                compassion: vec![],
            },
            WithFairness::Compassion => Fairness {
                justice: vec![],
                compassion: vec![(fair / sets, fair % sets)],
            },
        };
        Kripke {
            size,
            steps: (0..size).map(row).collect(),
            initial: sets - 1,
            labels: vec![label],
            fairness: constraints,
        }
    });
    structures.filter(Kripke::is_canonical)
}

/// A random structure with up to `most` states, `propositions` propositions and up to three fairness
/// constraints.
pub fn random(rng: &mut Rng, most: usize, propositions: usize) -> Kripke {
    let size = 1 + rng.below(most);
    let all = mask(size);
    let degree = 1 + rng.below(3);
    let steps = (0..size).map(|_| {
        let dead = rng.chance(1, 12);
        let targets = if dead { 0 } else { 1 + rng.below(degree) };
        (0..targets).fold(0, |next, _| next | 1 << rng.below(size))
    });
    let steps = steps.collect();
    let initial = match rng.below(3) {
        0 => all,
        1 => 1 << rng.below(size),
        _ => rng.next() & all,
    };
    let labels = (0..propositions).map(|_| rng.next() & all).collect();
    let justice = rng.below(3).saturating_sub(rng.below(2));
    let pairs = rng.below(3).saturating_sub(1);
    // Conditions that are true in many states leave more states fair.
    let often = |rng: &mut Rng| (rng.next() | rng.next()) & all;
    let fairness = Fairness {
        justice: (0..justice).map(|_| often(rng)).collect(),
        compassion: (0..pairs).map(|_| (rng.next() & all, often(rng))).collect(),
    };
    Kripke {
        size,
        steps,
        initial,
        labels,
        fairness,
    }
}

/// All renumberings of `0..size`.
fn permutations(size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for last in 0..size {
        let insert = |order: &Vec<usize>| {
            (0..=last)
                .map(|at| {
                    let mut longer = order.clone();
                    longer.insert(at, last);
                    longer
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

fn constraint(requires: Requirement) -> Constraint {
    Constraint {
        requires,
        span: nowhere(),
    }
}

fn holds(term: TermId) -> Constraint {
    constraint(Requirement::Holds(term))
}

/// Writes the terms of a structure.
struct KripkeWriter {
    model: Model,
    now: TermId,
    next: TermId,
    numbers: Vec<TermId>,
}

impl KripkeWriter {
    fn new(size: usize) -> Self {
        let mut model = Model::default();
        let var = model.vars.push(Variable {
            name: "s".to_string(),
            domain: Domain::Range {
                low: 0,
                high: size as i64 - 1,
            },
            kind: VarKind::State,
            span: nowhere(),
            origin: Default::default(),
        });
        let now = model.terms.add(Term::Var(var), None);
        let next = model.terms.add(Term::Next(var), None);
        let number = |state| model.terms.add(Term::Const(Value::Int(state as i64)), None);
        let numbers = (0..size).map(number).collect();
        Self {
            model,
            now,
            next,
            numbers,
        }
    }

    fn add(&mut self, term: Term) -> TermId {
        self.model.terms.add(term, None)
    }

    fn truth(&mut self, value: bool) -> TermId {
        self.add(Term::Const(Value::Bool(value)))
    }

    fn set(&mut self, states: StateMask) -> TermId {
        let members = members(states).map(|state| self.numbers[state]).collect();
        self.add(Term::Set(members))
    }

    /// The present state is in a set.
    fn among(&mut self, states: StateMask) -> TermId {
        if states == 0 {
            return self.truth(false);
        }
        let set = self.set(states);
        self.add(Term::Member(self.now, set))
    }

    /// There is a step from the present state, which is in `from..to`, to the next: a decision tree.
    fn steps(&mut self, kripke: &Kripke, from: usize, to: usize) -> TermId {
        self.decide(from, to, &mut |writer, state| match kripke.steps[state] {
            0 => writer.truth(false),
            next => {
                let set = writer.set(next);
                writer.add(Term::Member(writer.next, set))
            }
        })
    }

    /// The possible next states of the present state, which is in `from..to`; itself at a deadlock.
    fn next(&mut self, kripke: &Kripke, from: usize, to: usize) -> TermId {
        self.decide(from, to, &mut |writer, state| match kripke.steps[state] {
            0 => writer.numbers[state],
            next => writer.set(next),
        })
    }

    fn decide(
        &mut self,
        from: usize,
        to: usize,
        leaf: &mut dyn FnMut(&mut Self, usize) -> TermId,
    ) -> TermId {
        if to == from + 1 {
            return leaf(self, from);
        }
        let middle = from.midpoint(to);
        let low = self.decide(from, middle, leaf);
        let high = self.decide(middle, to, leaf);
        let is_low = Term::Binary(BinaryOp::Less, self.now, self.numbers[middle]);
        let is_low = self.add(is_low);
        self.add(Term::Ite(is_low, low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_structures_as_the_orbit_counting_lemma_says() {
        // One state: 2 relations and 2 labels. Two states: (2^4 * 2^2 + 2^2 * 2) / 2.
        assert_eq!(every(1, WithFairness::No).count(), 4);
        assert_eq!(every(2, WithFairness::No).count(), 36);
        // Three states: the identity fixes 2^9 * 2^3, a swap 2^5 * 2^2, a rotation 2^3 * 2.
        assert_eq!(
            every(3, WithFairness::No).count(),
            (4096 + 3 * 128 + 2 * 16) / 6
        );
        // A condition is one more label.
        assert_eq!(every(2, WithFairness::Justice).count(), (256 + 16) / 2);
    }

    #[test]
    fn a_union_keeps_its_parts_apart() {
        let parts: Vec<Kripke> = every(2, WithFairness::Justice).take(20).collect();
        let (union, starts) = Kripke::union(&parts);
        for (part, start) in parts.iter().zip(starts) {
            for state in 0..part.size {
                assert_eq!(union.steps[start + state], part.steps[state] << start);
            }
        }
    }
}
