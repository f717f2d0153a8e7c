//! Random models: several variables of different types, and constraints of every form.
//!
//! Models are small enough for the plain interpreter to list all their states, and right: an assigned
//! value always fits its variable, operands fit their operators.

use wherefore_base::Value;
use wherefore_logic::{Fairness, PathRule};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Query, Requirement, Term, TermId, VarId, VarKind, Variable,
};

use crate::kripke::{nowhere, property};
use crate::{Rng, formulas};

/// How many basic propositions each property of a random model has.
const ATOMS: usize = 3;

/// A random model with a few random properties.
pub fn random(rng: &mut Rng) -> Model {
    let mut maker = ModelMaker {
        rng,
        model: Model::default(),
    };
    maker.variables();
    maker.constraints();
    maker.fairness();
    maker.properties();
    maker.model
}

/// What a term may read.
#[derive(Clone, Copy)]
struct TermScope {
    /// Variables of the present state below this index.
    now: usize,
    /// Variables of the next state below this index.
    next: usize,
    /// Whether inputs too.
    inputs: bool,
}

struct ModelMaker<'r> {
    rng: &'r mut Rng,
    model: Model,
}

impl ModelMaker<'_> {
    fn variables(&mut self) {
        let states = 2 + self.rng.below(3);
        let inputs = self.rng.below(3);
        let mut size = 1;
        for at in 0..states + inputs {
            let kind = if at >= states {
                VarKind::Input
            } else if self.rng.chance(1, 6) {
                VarKind::Frozen
            } else {
                VarKind::State
            };
            // Everything is listed by the naive interpreter: keep the product of all domains small.
            let domain = match self.domain() {
                domain if size * domain.size() <= 96 && kind != VarKind::Input => domain,
                _ => Domain::Bool,
            };
            size *= domain.size();
            self.model.vars.push(Variable {
                name: format!("{}{at}", ["v", "w"][usize::from(kind == VarKind::Input)]),
                domain,
                kind,
                span: nowhere(),
                origin: Default::default(),
            });
        }
    }

    fn domain(&mut self) -> Domain {
        match self.rng.below(3) {
            0 => Domain::Bool,
            1 => {
                let low = self.rng.between(-2, 2);
                let high = low + self.rng.between(0, 4);
                Domain::Range { low, high }
            }
            _ => {
                let names = ["red", "green", "blue", "grey"];
                let count = 1 + self.rng.below(names.len());
                let symbols = names[..count].iter();
                let mut values: Vec<Value> = symbols
                    .map(|name| Value::Symbol(self.model.names.intern(name)))
                    .collect();
                if self.rng.chance(1, 3) {
                    values.push(Value::Int(self.rng.between(0, 9)));
                }
                if self.rng.chance(1, 3) {
                    values.reverse();
                }
                Domain::Enum(values.into())
            }
        }
    }

    fn constraints(&mut self) {
        let states = self.model.state_vars();
        for at in 0..states {
            let var = VarId::new(at);
            let present = TermScope {
                now: at,
                next: 0,
                inputs: false,
            };
            let step = TermScope {
                now: states,
                next: at,
                inputs: true,
            };
            let frozen = self.model.vars[var].kind == VarKind::Frozen;
            if !frozen && self.rng.chance(1, 8) {
                let value = self.value_of(var, present, 2);
                self.model.invar.push(assign(var, value));
                continue;
            }
            if self.rng.chance(2, 3) {
                let value = self.value_of(var, present, 1);
                self.model.init.push(assign(var, value));
            }
            if frozen {
                let same = self.add(Term::Var(var));
                self.model.trans.push(assign(var, same));
            } else if self.rng.chance(5, 6) {
                let value = self.value_of(var, step, 3);
                self.model.trans.push(assign(var, value));
            }
        }
        let state = self.of_state();
        let step = TermScope {
            next: states,
            inputs: true,
            ..state
        };
        if self.rng.chance(1, 4) {
            let term = self.condition(state, 2);
            self.model.init.push(holds(term));
        }
        if self.rng.chance(1, 4) {
            let term = self.weak_condition(state);
            self.model.invar.push(holds(term));
        }
        for _ in 0..self.rng.below(3) {
            let term = self.weak_condition(step);
            self.model.trans.push(holds(term));
        }
    }

    fn fairness(&mut self) {
        let state = self.of_state();
        let justice = self.rng.below(3).saturating_sub(self.rng.below(2));
        let pairs = self.rng.below(3).saturating_sub(1);
        self.model.fairness = Fairness {
            justice: (0..justice).map(|_| self.weak_condition(state)).collect(),
            compassion: (0..pairs)
                .map(|_| (self.condition(state, 1), self.weak_condition(state)))
                .collect(),
        };
    }

    fn properties(&mut self) {
        let state = self.of_state();
        for _ in 0..4 {
            let size = 1 + self.rng.below(6);
            let formula = formulas::random(self.rng, size, ATOMS).formula();
            let atoms = (0..ATOMS).map(|_| self.condition(state, 1)).collect();
            let rule = *self.rng.pick(&PathRule::ALL);
            let query = Query {
                formula,
                atoms,
                rule,
            };
            self.model.properties.push(property(query));
        }
    }

    fn of_state(&self) -> TermScope {
        TermScope {
            now: self.model.state_vars(),
            next: 0,
            inputs: false,
        }
    }

    fn add(&mut self, term: Term) -> TermId {
        self.model.terms.add(term, None)
    }

    fn constant(&mut self, value: Value) -> TermId {
        self.add(Term::Const(value))
    }

    /// The variables a term may read, as terms that read them.
    fn readable(&mut self, scope: TermScope, fits: impl Fn(&Domain) -> bool) -> Vec<Term> {
        let states = self.model.state_vars();
        let inputs = if scope.inputs {
            self.model.vars.len()
        } else {
            states
        };
        let now = (0..scope.now)
            .chain(states..inputs)
            .map(VarId::new)
            .map(Term::Var);
        let next = (0..scope.next).map(VarId::new).map(Term::Next);
        let fitting = |term: &Term| match term {
            Term::Var(var) | Term::Next(var) => fits(&self.model.vars[*var].domain),
            _ => false,
        };
        now.chain(next).filter(fitting).collect()
    }

    /// A term all of whose values fit a variable; perhaps several values.
    fn value_of(&mut self, var: VarId, scope: TermScope, depth: usize) -> TermId {
        let domain = self.model.vars[var].domain.clone();
        let random_value = |rng: &mut Rng| domain.value(rng.below(domain.size() as usize) as u64);
        if depth > 0 && self.rng.chance(2, 3) {
            let condition = self.condition(scope, depth - 1);
            let then = self.value_of(var, scope, depth - 1);
            let otherwise = self.value_of(var, scope, depth - 1);
            return self.add(Term::Ite(condition, then, otherwise));
        }
        match (self.rng.below(4), &domain) {
            (0, Domain::Bool) => self.condition(scope, depth),
            (0, Domain::Range { low, high }) => {
                let number = self.number(scope, depth);
                self.fold_into(number, *low, *high)
            }
            (1, _) => {
                let same = self.readable(scope, |other| *other == domain);
                match same.len() {
                    0 => {
                        let value = random_value(self.rng);
                        self.constant(value)
                    }
                    _ => {
                        let term = self.rng.pick(&same).clone();
                        self.add(term)
                    }
                }
            }
            (2, _) => {
                let members = 1 + self.rng.below(3);
                let members = (0..members).map(|_| {
                    let value = random_value(self.rng);
                    self.constant(value)
                });
                let members = members.collect();
                self.add(Term::Set(members))
            }
            _ => {
                let value = random_value(self.rng);
                self.constant(value)
            }
        }
    }

    /// `((number mod size) + size) mod size + low`: fits `low..=high` whatever the number.
    fn fold_into(&mut self, number: TermId, low: i64, high: i64) -> TermId {
        let size = self.constant(Value::Int(high - low + 1));
        let low = self.constant(Value::Int(low));
        let rest = self.add(Term::Binary(BinaryOp::Mod, number, size));
        let sum = self.add(Term::Binary(BinaryOp::Add, rest, size));
        let rest = self.add(Term::Binary(BinaryOp::Mod, sum, size));
        self.add(Term::Binary(BinaryOp::Add, rest, low))
    }

    /// A condition that is true more often than not.
    fn weak_condition(&mut self, scope: TermScope) -> TermId {
        let a = self.condition(scope, 1);
        let b = self.condition(scope, 1);
        self.add(Term::Binary(BinaryOp::Or, a, b))
    }

    fn condition(&mut self, scope: TermScope, depth: usize) -> TermId {
        if depth > 0 {
            let (a, b) = match self.rng.below(8) {
                0 => {
                    let a = self.condition(scope, depth - 1);
                    return self.add(Term::Not(a));
                }
                1 => {
                    let condition = self.condition(scope, depth - 1);
                    let then = self.condition(scope, depth - 1);
                    let otherwise = self.condition(scope, depth - 1);
                    return self.add(Term::Ite(condition, then, otherwise));
                }
                2 | 3 => {
                    let a = self.number(scope, depth - 1);
                    let b = self.number(scope, depth - 1);
                    let op = *self.rng.pick(&[
                        BinaryOp::Less,
                        BinaryOp::LessEqual,
                        BinaryOp::Greater,
                        BinaryOp::GreaterEqual,
                        BinaryOp::Equal,
                        BinaryOp::Unequal,
                    ]);
                    return self.add(Term::Binary(op, a, b));
                }
                4 | 5 => return self.comparison(scope),
                _ => (
                    self.condition(scope, depth - 1),
                    self.condition(scope, depth - 1),
                ),
            };
            let op = *self.rng.pick(&[
                BinaryOp::And,
                BinaryOp::Or,
                BinaryOp::Implies,
                BinaryOp::Equal,
                BinaryOp::Unequal,
            ]);
            return self.add(Term::Binary(op, a, b));
        }
        let flags = self.readable(scope, |domain| *domain == Domain::Bool);
        if flags.is_empty() || self.rng.chance(1, 3) {
            return self.comparison(scope);
        }
        let term = self.rng.pick(&flags).clone();
        self.add(term)
    }

    /// `v = value` or `v in {values}` for some variable.
    fn comparison(&mut self, scope: TermScope) -> TermId {
        let any = self.readable(scope, |_| true);
        if any.is_empty() {
            let value = self.rng.chance(1, 2);
            return self.constant(Value::Bool(value));
        }
        let term = self.rng.pick(&any).clone();
        let (Term::Var(var) | Term::Next(var)) = term else {
            unreachable!("only variables are readable")
        };
        let variable = self.add(term);
        let domain = self.model.vars[var].domain.clone();
        let members = 1 + self.rng.below(2);
        let members: Vec<TermId> = (0..members)
            .map(|_| {
                let value = domain.value(self.rng.below(domain.size() as usize) as u64);
                self.constant(value)
            })
            .collect();
        if let [value] = members[..] {
            let op = *self.rng.pick(&[BinaryOp::Equal, BinaryOp::Unequal]);
            return self.add(Term::Binary(op, variable, value));
        }
        let set = self.add(Term::Set(members.into()));
        self.add(Term::Member(variable, set))
    }

    fn number(&mut self, scope: TermScope, depth: usize) -> TermId {
        let ranges = self.readable(scope, |domain| matches!(domain, Domain::Range { .. }));
        if depth == 0 {
            if ranges.is_empty() || self.rng.chance(1, 3) {
                let value = self.rng.between(-3, 5);
                return self.constant(Value::Int(value));
            }
            let term = self.rng.pick(&ranges).clone();
            return self.add(term);
        }
        match self.rng.below(6) {
            0 => {
                let a = self.number(scope, depth - 1);
                self.add(Term::Negate(a))
            }
            1 => {
                let conditions = 1 + self.rng.below(3);
                let conditions = (0..conditions).map(|_| self.condition(scope, depth - 1));
                let conditions = conditions.collect();
                self.add(Term::Count(conditions))
            }
            2 => {
                let a = self.number(scope, depth - 1);
                let divisor = *self.rng.pick(&[-3, -2, 2, 3]);
                let divisor = self.constant(Value::Int(divisor));
                let op = *self.rng.pick(&[BinaryOp::Div, BinaryOp::Mod]);
                self.add(Term::Binary(op, a, divisor))
            }
            3 => {
                let condition = self.condition(scope, depth - 1);
                let then = self.number(scope, depth - 1);
                let otherwise = self.number(scope, depth - 1);
                self.add(Term::Ite(condition, then, otherwise))
            }
            _ => {
                let a = self.number(scope, depth - 1);
                let b = self.number(scope, depth - 1);
                let op = *self
                    .rng
                    .pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]);
                self.add(Term::Binary(op, a, b))
            }
        }
    }
}

fn assign(var: VarId, term: TermId) -> Constraint {
    Constraint {
        requires: Requirement::Assign(var, term),
        span: nowhere(),
    }
}

fn holds(term: TermId) -> Constraint {
    Constraint {
        requires: Requirement::Holds(term),
        span: nowhere(),
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::Budget;
    use wherefore_model::Interpreter;

    use super::*;
    use crate::campaign;

    #[test]
    fn the_interpreter_can_read_every_random_model() {
        let budget = Budget::unlimited();
        let some_state = std::cell::Cell::new(0);
        campaign("reading random models", 50, |rng| {
            let model = random(rng);
            let interpreter = Interpreter::new(&model);
            let initial = interpreter.initial_states(&budget).expect("no limit");
            for state in initial.iter().take(3) {
                interpreter.steps(state, &budget).expect("no limit");
                some_state.set(some_state.get() + 1);
            }
        });
        assert!(some_state.get() > 50, "most models have initial states");
    }
}
