//! Random finite systems and formulas, and what holds in them by the definitions, read on sets of states.

use wherefore_smt::Deadlock;

/// A small generator of numbers (Marsaglia's xorshift).
pub struct Random(u64);

impl Random {
    /// The numbers that follow from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A finite system: states are bits of sets.
#[derive(Clone)]
pub struct Kripke {
    pub count: usize,
    pub initial: u32,
    pub next: Vec<u32>,
    /// What fair paths visit again and again, if anything.
    pub fair: Option<u32>,
}

/// A formula of CTL; an atom is the set of the states where it holds.
#[derive(Clone)]
pub enum Formula {
    Atom(u32),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Path(bool, &'static str, Box<Formula>, Box<Formula>),
}

impl Kripke {
    /// A system of up to five states; some of them know fairness.
    pub fn random(random: &mut Random) -> Self {
        let count = 1 + random.below(5);
        let all = (1u32 << count) - 1;
        let next = (0..count)
            .map(|_| {
                (0..1 + random.below(2)).fold(0, |set, _| set | 1 << random.below(count + 1)) & all
            })
            .collect();
        let initial = 1 << random.below(count) | 1 << random.below(count);
        let fair = (random.below(4) == 0).then(|| random.below(32) as u32 & all);
        Self {
            count,
            initial,
            next,
            fair,
        }
    }

    fn all(&self) -> u32 {
        (1 << self.count) - 1
    }

    /// The states with a next one in the set.
    fn some_next(&self, set: u32) -> u32 {
        (0..self.count)
            .filter(|&s| self.next[s] & set != 0)
            .fold(0, |found, s| found | 1 << s)
    }

    /// The states all whose next ones are in the set.
    fn all_next(&self, set: u32) -> u32 {
        self.all() & !self.some_next(self.all() & !set)
    }

    fn dead(&self) -> u32 {
        self.all() & !self.some_next(self.all())
    }

    /// The states from which a fair path stays in the set; all of its states where every path is fair.
    fn fairly_in(&self, set: u32) -> u32 {
        let Some(fair) = self.fair else {
            return set;
        };
        let mut found = set;
        loop {
            // Those that can go to a fair state of the set, in at least one step, and then on.
            let mut reach = 0;
            loop {
                let more = set & self.some_next(found & fair | reach);
                if more | reach == reach {
                    break;
                }
                reach |= more;
            }
            let then = found & reach;
            if then == found {
                return found;
            }
            found = then;
        }
    }

    /// The states where a formula holds. Paths that are quantified are fair, where there is fairness.
    pub fn holds(&self, formula: &Formula, deadlock: Deadlock) -> u32 {
        if self.fair.is_some()
            && let Formula::Path(every, op, f, g) = formula
        {
            return self.holds_fairly(*every, op, f, g, deadlock);
        }
        let set = |f: &Formula| self.holds(f, deadlock);
        let ends = if deadlock == Deadlock::Fail {
            self.dead()
        } else {
            0
        };
        match formula {
            Formula::Atom(states) => *states & self.all(),
            Formula::Not(f) => self.all() & !set(f),
            Formula::And(f, g) => set(f) & set(g),
            Formula::Or(f, g) => set(f) | set(g),
            Formula::Path(every, "X", _, g) => match every {
                true => self.all_next(set(g)),
                false => self.some_next(set(g)),
            },
            Formula::Path(every, op, f, g) => {
                let (stay, goal) = match *op {
                    "F" => (self.all(), set(g)),
                    "G" => (set(g), 0),
                    _ => (set(f), set(g)),
                };
                let weak = matches!(*op, "G" | "W");
                let mut found = if weak { self.all() } else { 0 };
                loop {
                    let on = match (every, weak) {
                        (true, true) => self.all_next(found),
                        (true, false) => self.all_next(found) & !ends,
                        (false, true) => self.some_next(found) | ends,
                        (false, false) => self.some_next(found),
                    };
                    let then = goal | (stay & on);
                    if then == found {
                        return found;
                    }
                    found = then;
                }
            }
        }
    }

    fn holds_fairly(
        &self,
        every: bool,
        op: &str,
        f: &Formula,
        g: &Formula,
        deadlock: Deadlock,
    ) -> u32 {
        let (f, g) = (self.holds(f, deadlock), self.holds(g, deadlock));
        let (all, fair) = (self.all(), self.fairly_in(self.all()));
        // Some fair path through the first to the second.
        let until = |stay: u32, goal: u32| {
            let mut found = 0;
            loop {
                let then = goal & fair | stay & self.some_next(found);
                if then == found {
                    return found;
                }
                found = then;
            }
        };
        let weak = |stay: u32, goal: u32| until(stay, goal) | until(stay, self.fairly_in(stay));
        let some = |op: &str, f: u32, g: u32| match op {
            "X" => self.some_next(g & fair),
            "F" => until(all, g),
            "G" => self.fairly_in(g),
            "U" => until(f, g),
            _ => weak(f, g),
        };
        let not = |set: u32| all & !set;
        match (every, op) {
            (false, op) => some(op, f, g),
            (true, "X") => not(some("X", 0, not(g))),
            (true, "F") => not(some("G", 0, not(g))),
            (true, "G") => not(some("F", 0, not(g))),
            // A[f U g] is not E[not g W (neither)], A[f W g] is not E[not g U (neither)].
            (true, "U") => not(weak(not(g), not(f | g))),
            (true, _) => not(until(not(g), not(f | g))),
        }
    }

    /// The system and one formula as a model.
    pub fn text(&self, formula: &Formula) -> String {
        self.texts(std::slice::from_ref(formula))
    }

    /// The system and formulas as a model; its properties are in the order of the formulas.
    pub fn texts(&self, formulas: &[Formula]) -> String {
        let properties: Vec<String> = (formulas.iter().enumerate())
            .map(|(number, formula)| {
                let text = formula.text();
                format!(
                    "(define-fun it{number} ((s Int)) Bool (! {text} :ctl-property it{number}))"
                )
            })
            .collect();
        let fair = self.fair.map_or(String::new(), |fair| {
            format!(
                "(define-fun again ((s Int)) Bool (! {} :fair true))",
                among(fair)
            )
        });
        let edges: Vec<String> = (0..self.count)
            .flat_map(|s| (0..self.count).map(move |t| (s, t)))
            .filter(|&(s, t)| self.next[s] >> t & 1 == 1)
            .map(|(s, t)| format!("(and (= s {s}) (= t {t}))"))
            .collect();
        format!(
            "(define-fun Init ((s Int)) Bool {})
             (define-fun Next ((s Int) (t Int)) Bool (or false {}))
             {fair}
             {}",
            among(self.initial),
            edges.join(" "),
            properties.join("\n")
        )
    }
}

/// That the state is one of these.
fn among(states: u32) -> String {
    let each: Vec<String> = (0..32)
        .filter(|s| states >> s & 1 == 1)
        .map(|s| format!("(= s {s})"))
        .collect();
    format!("(or false {})", each.join(" "))
}

impl Formula {
    /// A formula with operators up to this depth.
    pub fn random(random: &mut Random, depth: usize) -> Self {
        if depth == 0 || random.below(5) == 0 {
            return Formula::Atom(random.below(32) as u32);
        }
        let mut part = || Box::new(Self::random(random, depth - 1));
        let (f, g) = (part(), part());
        match random.below(8) {
            0 => Formula::Not(f),
            1 => Formula::And(f, g),
            2 => Formula::Or(f, g),
            _ => {
                let op = ["X", "F", "F", "G", "U", "U", "W"][random.below(7)];
                Formula::Path(random.below(2) == 0, op, f, g)
            }
        }
    }

    /// The formula as text.
    pub fn text(&self) -> String {
        match self {
            Formula::Atom(states) => among(*states),
            Formula::Not(f) => format!("(not {})", f.text()),
            Formula::And(f, g) => format!("(and {} {})", f.text(), g.text()),
            Formula::Or(f, g) => format!("(or {} {})", f.text(), g.text()),
            Formula::Path(every, op, f, g) => {
                let path = if *every { "A" } else { "E" };
                match *op {
                    "U" | "W" => format!("(ctl.{path}{op} {} {})", f.text(), g.text()),
                    _ => format!("(ctl.{path}{op} {})", g.text()),
                }
            }
        }
    }
}
