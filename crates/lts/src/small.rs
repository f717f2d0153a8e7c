//! For tests: small systems written down or drawn at random, and plain definitions about them.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_model::lts::{Label, Lts, StateId, Transition};

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
    let labels = texts.iter().map(|text| Label {
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
    let transition =
        |t: Transition| (t.from.index(), lts.text(t.label).to_string(), t.to.index());
    lts.all_transitions().map(transition).collect()
}

/// The transitions of a system on one line, after where it starts if that is not 0.
pub(crate) fn shown(lts: &Lts) -> String {
    let all = listed(lts);
    let all = all.iter().map(|(from, label, to)| format!("{from} {label} {to}"));
    all.collect::<Vec<_>>().join("; ")
}

/// Whether two systems are strongly bisimilar: the greatest relation, pair by pair.
pub(crate) fn bisimilar(a: &Lts, b: &Lts) -> bool {
    let (left, right) = (listed(a), listed(b));
    let mut related: BTreeSet<(usize, usize)> = (0..a.states())
        .flat_map(|s| (0..b.states()).map(move |t| (s, t)))
        .collect();
    loop {
        let covers = |one: &[(usize, String, usize)],
                      s: usize,
                      two: &[(usize, String, usize)],
                      t: usize,
                      meet: &dyn Fn(usize, usize) -> bool| {
            one.iter().filter(|x| x.0 == s).all(|x| {
                two.iter()
                    .any(|y| y.0 == t && x.1 == y.1 && meet(x.2, y.2))
            })
        };
        let kept: BTreeSet<(usize, usize)> = related
            .iter()
            .copied()
            .filter(|&(s, t)| {
                covers(&left, s, &right, t, &|x, y| related.contains(&(x, y)))
                    && covers(&right, t, &left, s, &|y, x| related.contains(&(x, y)))
            })
            .collect();
        if kept.len() == related.len() {
            return related.contains(&(a.initial().index(), b.initial().index()));
        }
        related = kept;
    }
}

/// Numbers that look random and are the same every time (Marsaglia's xorshift, 2003).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % bound as u64) as usize
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
