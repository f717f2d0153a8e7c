//! Random models, the same for the same seed.

use wherefore_base::Value;
use wherefore_logic::Fairness;
use wherefore_model::{BinaryOp, Domain, Model, Requirement, Term, TermId, VarId, VarKind};

use super::Builder;

/// Xorshift by Marsaglia (2003).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut rng = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            rng.next();
        }
        rng
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// What a random term may read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    State,
    Step,
}

pub struct Generator {
    pub rng: Rng,
    pub builder: Builder,
    states: Vec<VarId>,
    inputs: Vec<VarId>,
}

/// A model, some conditions on its states, and its fairness constraints inside.
pub fn model(seed: u64) -> (Model, Vec<TermId>) {
    let mut generator = Generator {
        rng: Rng::new(seed),
        builder: Builder::default(),
        states: Vec::new(),
        inputs: Vec::new(),
    };
    generator.variables();
    generator.constraints();
    let conditions: Vec<TermId> = (0..6)
        .map(|_| generator.condition(3, Reads::State))
        .collect();
    let mut fairness = Fairness::default();
    for _ in 0..generator.rng.below(3) {
        fairness.justice.push(*generator.rng.pick(&conditions));
    }
    for _ in 0..generator.rng.below(3) {
        let pair = (
            *generator.rng.pick(&conditions),
            *generator.rng.pick(&conditions),
        );
        fairness.compassion.push(pair);
    }
    generator.builder.model.fairness = fairness;
    (generator.builder.model, conditions)
}

/// A model in which an input chooses who makes a step, and a variable that nobody reads remembers who
/// did; fairness conditions read it.
pub fn processes(seed: u64) -> (Model, Vec<TermId>) {
    let mut generator = Generator {
        rng: Rng::new(seed),
        builder: Builder::default(),
        states: Vec::new(),
        inputs: Vec::new(),
    };
    let who = Domain::Range {
        low: 1,
        high: 2 + generator.rng.below(3) as i64,
    };
    let mut room = 60;
    for at in 0..2 + generator.rng.below(4) {
        let domain = generator.domain();
        room /= domain.size();
        if room == 0 {
            break;
        }
        let name = format!("x{at}");
        let var = generator.builder.var(&name, domain, VarKind::State);
        generator.states.push(var);
    }
    let last = generator.builder.var("last", who.clone(), VarKind::State);
    let chosen = generator.builder.var("chosen", who.clone(), VarKind::Input);
    if generator.rng.chance(30) {
        let domain = generator.domain();
        let other = generator.builder.var("other", domain, VarKind::Input);
        generator.inputs.push(other);
    }
    generator.take_turns(last, chosen, &who);
    let conditions: Vec<TermId> = (0..6)
        .map(|_| generator.condition(3, Reads::State))
        .collect();
    let mut fairness = Fairness::default();
    for value in who.values().filter(|_| generator.rng.chance(70)) {
        let (last, value) = (generator.builder.now(last), generator.builder.value(value));
        fairness.justice.push(generator.builder.equal(last, value));
    }
    if generator.rng.chance(40) {
        fairness.justice.push(*generator.rng.pick(&conditions));
    }
    if generator.rng.chance(10) {
        fairness.compassion.push((conditions[0], conditions[1]));
    }
    generator.builder.model.fairness = fairness;
    (generator.builder.model, conditions)
}

impl Generator {
    fn take_turns(&mut self, last: VarId, chosen: VarId, who: &Domain) {
        for var in self.states.clone() {
            let mut next = self.builder.now(var);
            for value in who.values() {
                if self.rng.chance(30) {
                    let (now, value) = (self.builder.now(chosen), self.builder.value(value));
                    let runs = self.builder.equal(now, value);
                    let term = self.choice(var, 3, Reads::Step);
                    next = self.builder.ite(runs, term, next);
                }
            }
            self.builder.trans(Requirement::Assign(var, next));
            if self.rng.chance(50) {
                let term = self.choice(var, 2, Reads::State);
                self.builder.init(Requirement::Assign(var, term));
            }
        }
        let chosen = self.builder.now(chosen);
        self.builder.trans(Requirement::Assign(last, chosen));
        if self.rng.chance(20) {
            self.states.push(last);
        }
        if self.rng.chance(20) {
            let condition = self.condition(2, Reads::State);
            self.builder.invar(Requirement::Holds(condition));
        }
        if self.rng.chance(20) {
            let condition = self.condition(2, Reads::Step);
            self.builder.trans(Requirement::Holds(condition));
        }
    }

    fn domain(&mut self) -> Domain {
        match self.rng.below(7) {
            0..=2 => Domain::Bool,
            3 | 4 => {
                let low = self.rng.below(4) as i64 - 2;
                let high = low + self.rng.below(5) as i64;
                Domain::Range { low, high }
            }
            _ => {
                let names = ["a", "b", "c"].map(|name| self.builder.symbol(name));
                let mut values = vec![names[0], names[1], names[2], Value::Int(2), Value::Int(0)];
                for _ in 0..self.rng.below(4) {
                    let at = self.rng.below(values.len());
                    values.remove(at);
                }
                let at = self.rng.below(values.len());
                values.rotate_left(at);
                Domain::Enum(values.into())
            }
        }
    }

    fn variables(&mut self) {
        let mut room = 300;
        for at in 0..1 + self.rng.below(5) {
            let domain = self.domain();
            room /= domain.size();
            if room == 0 {
                break;
            }
            let kind = if self.rng.chance(15) {
                VarKind::Frozen
            } else {
                VarKind::State
            };
            let var = self.builder.var(&format!("x{at}"), domain, kind);
            if kind == VarKind::Frozen {
                let now = self.builder.now(var);
                self.builder.trans(Requirement::Assign(var, now));
            }
            self.states.push(var);
        }
        for at in 0..[0, 0, 1, 2][self.rng.below(4)] {
            let domain = self.domain();
            let var = self.builder.var(&format!("i{at}"), domain, VarKind::Input);
            self.inputs.push(var);
        }
    }

    fn constraints(&mut self) {
        for var in self.states.clone() {
            if self.rng.chance(50) {
                let term = self.choice(var, 2, Reads::State);
                self.builder.init(Requirement::Assign(var, term));
            }
            if self.rng.chance(50) {
                let term = self.choice(var, 3, Reads::Step);
                self.builder.trans(Requirement::Assign(var, term));
            }
            if self.rng.chance(10) {
                let term = self.choice(var, 2, Reads::State);
                self.builder.invar(Requirement::Assign(var, term));
            }
        }
        if self.rng.chance(30) {
            let condition = self.condition(2, Reads::State);
            self.builder.init(Requirement::Holds(condition));
        }
        if self.rng.chance(30) {
            let condition = self.condition(2, Reads::State);
            self.builder.invar(Requirement::Holds(condition));
        }
        if self.rng.chance(60) {
            let rules = self.rules();
            self.builder.trans(Requirement::Holds(rules));
        }
        if self.rng.chance(25) {
            let condition = self.condition(3, Reads::Step);
            self.builder.trans(Requirement::Holds(condition));
        }
    }

    /// `guard & x' = 1 & y' = y | ...`
    fn rules(&mut self) -> TermId {
        let mut rules = None;
        for _ in 0..1 + self.rng.below(4) {
            let mut rule = self.condition(1, Reads::State);
            for var in self.states.clone() {
                if self.rng.chance(75) {
                    let value = match self.rng.chance(40) {
                        true => self.builder.now(var),
                        false => self.constant_of(var),
                    };
                    let next = self.builder.next(var);
                    let fixed = match self.rng.chance(50) {
                        true => self.builder.equal(next, value),
                        false => self.builder.equal(value, next),
                    };
                    rule = self.builder.and(rule, fixed);
                }
            }
            rules = Some(match rules {
                None => rule,
                Some(others) => self.builder.or(others, rule),
            });
        }
        rules.expect("there is a rule")
    }

    fn constant_of(&mut self, var: VarId) -> TermId {
        let domain = self.builder.model.vars[var].domain.clone();
        let value = domain.value(self.rng.below(domain.size() as usize) as u64);
        self.builder.value(value)
    }

    fn variable(&mut self, reads: Reads, fits: impl Fn(&Domain) -> bool) -> Option<TermId> {
        let mut terms: Vec<Term> = self.states.iter().map(|&v| Term::Var(v)).collect();
        if reads == Reads::Step {
            terms.extend(self.states.iter().map(|&v| Term::Next(v)));
            terms.extend(self.inputs.iter().map(|&v| Term::Var(v)));
        }
        terms.retain(|term| match term {
            Term::Var(var) | Term::Next(var) => fits(&self.builder.model.vars[*var].domain),
            _ => false,
        });
        if terms.is_empty() {
            return None;
        }
        let term = self.rng.pick(&terms).clone();
        Some(self.builder.term(term))
    }

    /// Values for a variable, some of which may not fit it.
    fn choice(&mut self, var: VarId, depth: usize, reads: Reads) -> TermId {
        if depth == 0 {
            return self.constant_of(var);
        }
        match self.rng.below(7) {
            0 => self.constant_of(var),
            1 | 2 => {
                let condition = self.condition(depth - 1, reads);
                let then = self.choice(var, depth - 1, reads);
                let otherwise = self.choice(var, depth - 1, reads);
                self.builder.ite(condition, then, otherwise)
            }
            3 => {
                let count = 1 + self.rng.below(3);
                let members: Vec<_> = (0..count)
                    .map(|_| self.choice(var, depth - 1, reads))
                    .collect();
                self.builder.set(&members)
            }
            4 if self.builder.model.vars[var].domain == Domain::Bool => {
                self.condition(depth - 1, reads)
            }
            4 => self.integer(depth - 1, reads),
            _ => match self.variable(reads, |_| true) {
                Some(term) => term,
                None => self.constant_of(var),
            },
        }
    }

    pub fn condition(&mut self, depth: usize, reads: Reads) -> TermId {
        use BinaryOp as B;
        if depth == 0 {
            let variable = self.variable(reads, |domain| *domain == Domain::Bool);
            let truth = self.rng.chance(50);
            return variable.unwrap_or_else(|| self.builder.truth(truth));
        }
        match self.rng.below(10) {
            0 => {
                let a = self.condition(depth - 1, reads);
                self.builder.not(a)
            }
            1..=3 => {
                let op = *self
                    .rng
                    .pick(&[B::And, B::Or, B::Implies, B::Equal, B::Unequal]);
                let (a, b) = (
                    self.condition(depth - 1, reads),
                    self.condition(depth - 1, reads),
                );
                self.builder.op(op, a, b)
            }
            4 | 5 => {
                let ops = [
                    B::Equal,
                    B::Unequal,
                    B::Less,
                    B::LessEqual,
                    B::Greater,
                    B::GreaterEqual,
                ];
                let op = *self.rng.pick(&ops);
                let (a, b) = (
                    self.integer(depth - 1, reads),
                    self.integer(depth - 1, reads),
                );
                self.builder.op(op, a, b)
            }
            6 => {
                let condition = self.condition(depth - 1, reads);
                let then = self.condition(depth - 1, reads);
                let otherwise = self.condition(depth - 1, reads);
                self.builder.ite(condition, then, otherwise)
            }
            7 => {
                let var = *self.rng.pick(&self.states.clone());
                let a = self.choice(var, 1, reads);
                let b = self.choice(var, depth - 1, reads);
                self.builder.term(Term::Member(a, b))
            }
            8 => {
                let Some(a) = self.variable(reads, |_| true) else {
                    return self.builder.truth(true);
                };
                let var = *self.rng.pick(&self.states.clone());
                let b = match self.rng.chance(50) {
                    true => self.constant_of(var),
                    false => self.variable(reads, |_| true).expect("there was one"),
                };
                self.builder.equal(a, b)
            }
            _ => self.condition(0, reads),
        }
    }

    fn integer(&mut self, depth: usize, reads: Reads) -> TermId {
        use BinaryOp as B;
        let number = self.rng.below(5) as i64 - 1;
        if depth == 0 || self.rng.chance(40) {
            let variable = self.variable(reads, |d| matches!(d, Domain::Range { .. }));
            return match variable {
                Some(variable) if self.rng.chance(70) => variable,
                _ => self.builder.int(number),
            };
        }
        match self.rng.below(5) {
            0 => {
                let count = 1 + self.rng.below(3);
                let conditions: Vec<_> = (0..count)
                    .map(|_| self.condition(depth - 1, reads))
                    .collect();
                self.builder.term(Term::Count(conditions.into()))
            }
            1 => {
                let a = self.integer(depth - 1, reads);
                self.builder.term(Term::Negate(a))
            }
            2 => {
                let condition = self.condition(depth - 1, reads);
                let then = self.integer(depth - 1, reads);
                let otherwise = self.integer(depth - 1, reads);
                self.builder.ite(condition, then, otherwise)
            }
            _ => {
                let op = *self.rng.pick(&[B::Add, B::Sub, B::Mul, B::Div, B::Mod]);
                let (a, b) = (
                    self.integer(depth - 1, reads),
                    self.integer(depth - 1, reads),
                );
                self.builder.op(op, a, b)
            }
        }
    }
}
