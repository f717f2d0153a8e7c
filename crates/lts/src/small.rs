//! For tests: small systems written down or drawn at random, and plain definitions about them.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::Rng;
use wherefore_model::lts::{ActionLabel, Lts, StateId, Transition};

/// A system from its transitions, as `0 a 1; 1 i 0`; `i` is internal, and 0 where it starts.
pub(crate) fn lts(text: &str) -> Lts {
    let mut listed = Vec::new();
    for line in text.split(';').map(str::trim).filter(|l| !l.is_empty()) {
        let (from, rest) = line.split_once(' ').expect("a source");
        let (label, to) = rest.rsplit_once(' ').expect("a label and a target");
        let number = |text: &str| text.parse::<usize>().expect("a number");
        listed.push((number(from), label.trim().to_string(), number(to)));
    }
    from_list(&listed)
}

/// A system from its transitions.
pub(crate) fn from_list(listed: &[(usize, String, usize)]) -> Lts {
    let states = listed.iter().map(|(from, _, to)| from.max(to) + 1);
    let states = states.max().unwrap_or(1);
    let texts: BTreeSet<&String> = listed.iter().map(|(_, label, _)| label).collect();
    let numbers: BTreeMap<&String, usize> = texts.iter().copied().zip(0..).collect();
    let labels = texts.iter().map(|text| ActionLabel {
        text: text.to_string(),
        internal: *text == "i",
    });
    let transitions: Vec<Transition> = listed
        .iter()
        .map(|(from, label, to)| Transition {
            from: (*from).into(),
            label: numbers[label].into(),
            to: (*to).into(),
        })
        .collect();
    Lts::new(labels.collect(), states, StateId::new(0), &transitions)
}

/// The transitions of a system, as the user would list them.
pub(crate) fn listed(lts: &Lts) -> Vec<(usize, String, usize)> {
    let transition = |t: Transition| (t.from.index(), lts.text(t.label).to_string(), t.to.index());
    lts.all_transitions().map(transition).collect()
}

/// The transitions of a system on one line, after where it starts if that is not 0.
pub(crate) fn shown(lts: &Lts) -> String {
    let all = listed(lts);
    let all = all
        .iter()
        .map(|(from, label, to)| format!("{from} {label} {to}"));
    all.collect::<Vec<_>>().join("; ")
}

/// Whether two systems are strongly bisimilar: the greatest relation, pair by pair.
pub(crate) fn bisimilar(a: &Lts, b: &Lts) -> bool {
    let (left, right) = (by_state(a), by_state(b));
    let mut related = vec![vec![true; right.len()]; left.len()];
    loop {
        let before = related.clone();
        let mut changed = false;
        for (s, ones) in left.iter().enumerate() {
            for (t, others) in right.iter().enumerate() {
                let meet =
                    |x: &(String, usize), y: &(String, usize)| x.0 == y.0 && before[x.1][y.1];
                let there = ones.iter().all(|x| others.iter().any(|y| meet(x, y)));
                let back = others.iter().all(|y| ones.iter().any(|x| meet(x, y)));
                changed |= before[s][t] && !(there && back);
                related[s][t] &= there && back;
            }
        }
        if !changed {
            return related[a.initial().index()][b.initial().index()];
        }
    }
}

/// By state, its labels and targets.
fn by_state(lts: &Lts) -> Vec<Vec<(String, usize)>> {
    let mut rows = vec![Vec::new(); lts.states()];
    for (from, label, to) in listed(lts) {
        rows[from].push((label, to));
    }
    rows
}

/// Random systems, the same for the same seed.
pub(crate) struct Random(Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// A system with up to so many states and these labels.
    pub(crate) fn lts(&mut self, states: usize, labels: &[&str]) -> Lts {
        let states = 1 + self.below(states);
        let transitions = self.below(states * 3 + 1);
        let listed: Vec<(usize, String, usize)> = (0..transitions)
            .map(|_| {
                let label = labels[self.below(labels.len())].to_string();
                (self.below(states), label, self.below(states))
            })
            .collect();
        from_list(&listed)
    }
}
