//! The smallest condition that tells some next states from the others.
//!
//! Conditions are written over the variables that the user declared: `x = v`, `x != v`, conjunctions of few of
//! these (cubes), and disjunctions of few cubes. They are tried from the smallest one on, in declaration order, so
//! the same question has the same answer from every engine.

use wherefore_base::Value;
use wherefore_model::{Cover, Cube, Model, VarId};

/// More states than this are not told apart.
pub(crate) const MOST_STATES: usize = 1_000;
/// Of conditions on single variables so many are combined by twos, and fewer by threes.
const MOST_PAIRED: usize = 256;
const MOST_TRIPLED: usize = 48;
/// A condition with more cubes is no help to a reader.
const MOST_CUBES: usize = 2;
/// Pairs of cubes are tried among so many.
const MOST_CANDIDATES: usize = 400;

/// The states that may follow some states, each with its group and whether it is wanted.
pub(crate) struct NextStates<'m> {
    model: &'m Model,
    states: Vec<Vec<Value>>,
    wanted: StateBits,
    groups: Vec<StateBits>,
}

/// `x in {v, ..}`, and the states where that is so.
struct Literal {
    var: VarId,
    values: Vec<Value>,
    at: StateBits,
}

impl<'m> NextStates<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self {
            model,
            states: vec![],
            wanted: StateBits::default(),
            groups: vec![],
        }
    }

    /// Begins a group of states: those that follow one state.
    pub(crate) fn group(&mut self) {
        self.groups.push(StateBits::default());
    }

    /// Adds a state to the last group; `false`: there are too many.
    pub(crate) fn add(&mut self, values: Vec<Value>, wanted: bool) -> bool {
        let at = self.states.len();
        if wanted {
            self.wanted.insert(at);
        }
        if let Some(group) = self.groups.last_mut() {
            group.insert(at);
        }
        self.states.push(values);
        self.states.len() <= MOST_STATES
    }

    /// The smallest condition that is true of the wanted states and of no other one.
    pub(crate) fn separating(&self) -> Option<Cover> {
        let literals = self.literals();
        let cubes = self.pure_cubes(&literals);
        let covers = |cubes: &[&PureCube]| {
            let mut all = StateBits::default();
            cubes.iter().for_each(|cube| all.join(&cube.at));
            all.has_all(&self.wanted)
        };
        let one = cubes.iter().find(|cube| covers(&[cube]));
        let chosen: Vec<&PureCube> = match one {
            Some(cube) => vec![cube],
            None => {
                let few = &cubes[..cubes.len().min(MOST_CANDIDATES)];
                let pairs = few.iter().enumerate();
                let pairs = pairs.flat_map(|(at, a)| few[at + 1..].iter().map(move |b| [a, b]));
                let fitting = pairs.filter(|pair| covers(pair));
                let size = |pair: &[&PureCube; MOST_CUBES]| pair[0].size() + pair[1].size();
                // The first of the smallest ones.
                fitting.min_by_key(size)?.to_vec()
            }
        };
        let cubes = chosen.iter().map(|cube| cube.written(&literals));
        Some(Cover {
            cubes: cubes.collect(),
            complete: true,
        })
    }

    /// The smallest conjunction that is true of a wanted state in each group, and of no state that is not wanted.
    pub(crate) fn in_every_group(&self) -> Option<Cube> {
        let literals = self.literals();
        let cubes = self.pure_cubes(&literals);
        let meets_all = |cube: &&PureCube| self.groups.iter().all(|group| group.meets(&cube.at));
        let found = cubes.iter().find(meets_all)?;
        Some(found.written(&literals))
    }

    /// Conditions on single variables that some states satisfy and others do not.
    fn literals(&self) -> Vec<Literal> {
        let mut literals = Vec::new();
        for var in self.model.vars.ids().take(self.model.state_vars()) {
            let variable = &self.model.vars[var];
            let mut seen: Vec<Value> = self.states.iter().map(|s| s[var.index()]).collect();
            seen.sort_unstable_by_key(|&value| variable.domain.index_of(value));
            seen.dedup();
            if seen.len() < 2 || !variable.is_declared() {
                continue;
            }
            for &value in &seen {
                let is = |is_so: bool| {
                    let states = self.states.iter().enumerate();
                    let fits = states.filter(|(_, s)| (s[var.index()] == value) == is_so);
                    StateBits::of(fits.map(|(at, _)| at))
                };
                literals.push(Literal {
                    var,
                    values: vec![value],
                    at: is(true),
                });
                // With two values, not to have the one is to have the other.
                let size = variable.domain.size();
                if seen.len() > 2 && size <= MOST_PAIRED as u128 {
                    let others = variable.domain.values().filter(|other| *other != value);
                    literals.push(Literal {
                        var,
                        values: others.collect(),
                        at: is(false),
                    });
                }
            }
        }
        literals
    }

    /// Conjunctions that are true of wanted states only, the smallest first; none contains a smaller one.
    fn pure_cubes(&self, literals: &[Literal]) -> Vec<PureCube> {
        let mut open = vec![PureCube {
            literals: vec![],
            at: StateBits::of(0..self.states.len()),
        }];
        let mut pure: Vec<PureCube> = Vec::new();
        for most in [usize::MAX, MOST_PAIRED, MOST_TRIPLED] {
            if literals.len() > most {
                break;
            }
            let mut longer = Vec::new();
            for cube in &open {
                let first = cube.literals.last().map_or(0, |&last| last + 1);
                for (at, literal) in literals.iter().enumerate().skip(first) {
                    let same_var = |&other: &usize| literals[other].var == literal.var;
                    let more = cube.with(at, &literal.at);
                    // A conjunction that changes nothing or that no wanted state satisfies is of no use.
                    let useful = more.at != cube.at && more.at.meets(&self.wanted);
                    if !useful || cube.literals.iter().any(same_var) {
                        continue;
                    }
                    match self.wanted.has_all(&more.at) {
                        true if !pure.iter().any(|known| known.is_within(&more)) => pure.push(more),
                        true => {}
                        false => longer.push(more),
                    }
                }
            }
            open = longer;
        }
        pure
    }
}

/// A conjunction of literals, by their places, that only wanted states satisfy.
struct PureCube {
    literals: Vec<usize>,
    at: StateBits,
}

impl PureCube {
    fn with(&self, literal: usize, at: &StateBits) -> Self {
        let mut literals = self.literals.clone();
        literals.push(literal);
        Self {
            literals,
            at: self.at.meet(at),
        }
    }

    fn size(&self) -> usize {
        self.literals.len()
    }

    /// Whether another cube has all its literals.
    fn is_within(&self, other: &Self) -> bool {
        self.literals
            .iter()
            .all(|literal| other.literals.contains(literal))
    }

    fn written(&self, literals: &[Literal]) -> Cube {
        let literals = self.literals.iter().map(|&at| &literals[at]);
        Cube::of(literals.map(|l| (l.var, l.values.clone())).collect())
    }
}

/// A set of places.
#[derive(Clone, PartialEq, Eq, Default)]
struct StateBits(Vec<u64>);

impl StateBits {
    fn of(places: impl Iterator<Item = usize>) -> Self {
        let mut bits = Self::default();
        places.for_each(|place| bits.insert(place));
        bits
    }

    fn insert(&mut self, place: usize) {
        let word = place / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (place % 64);
    }

    fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// What both have, without empty words at the end, so that equal sets are equal values.
    fn meet(&self, other: &Self) -> Self {
        let words = self.0.iter().zip(&other.0).map(|(a, b)| a & b);
        let mut words: Vec<u64> = words.collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        Self(words)
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn has_all(&self, other: &Self) -> bool {
        let word = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let mut others = other.0.iter().enumerate();
        others.all(|(at, other)| other & !word(at) == 0)
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::{Budget, SourceFile, SourceMap};

    use super::*;

    /// Next states of a model with three variables, each with its group.
    fn next<'m>(model: &'m Model, states: &[(usize, [i64; 3], bool)]) -> NextStates<'m> {
        let mut next = NextStates::new(model);
        let mut last = None;
        for &(group, values, wanted) in states {
            if last.replace(group) != Some(group) {
                next.group();
            }
            next.add(values.map(Value::Int).to_vec(), wanted);
        }
        next
    }

    fn model() -> Model {
        let text = "MODULE main VAR a : 0..3; b : 0..3; c : 0..3;";
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("test.smv", text));
        let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited());
        let loaded = loaded.expect("no limit");
        loaded.model
    }

    fn text(cube: &Cube) -> String {
        let parts = cube.values.iter();
        let parts = parts.map(|(var, values)| format!("{}:{values:?}", var.index()));
        parts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn one_variable_is_better_than_two() {
        let model = model();
        let states = [
            (0, [0, 1, 1], true),
            (0, [1, 1, 1], true),
            (0, [0, 0, 1], false),
            (0, [1, 0, 0], false),
        ];
        let cover = next(&model, &states).separating().expect("b = 1");
        assert_eq!(cover.cubes.len(), 1);
        assert_eq!(text(&cover.cubes[0]), "1:[Int(1)]");
    }

    #[test]
    fn equal_states_cannot_be_told_apart() {
        let model = model();
        let states = [(0, [0, 1, 1], true), (0, [0, 1, 1], false)];
        assert!(next(&model, &states).separating().is_none());
    }

    #[test]
    fn an_exit_is_in_every_group() {
        let model = model();
        let states = [
            (0, [0, 1, 1], true),
            (0, [0, 0, 2], true),
            (0, [1, 1, 0], false),
            (1, [2, 1, 1], false),
            (1, [3, 0, 2], true),
        ];
        let exit = next(&model, &states).in_every_group().expect("c = 2");
        assert_eq!(text(&exit), "1:[Int(0)]");
    }
}
