//! Random terms of every kind, for tests that compare an encoding of terms with the interpreter.

use wherefore_base::{Symbol, Value, Word};
use wherefore_model::{BinaryOp, Domain, Model, Term, TermId, VarId, VarKind, Variable, WordOp};

use crate::Rng;
use crate::kripke::nowhere;

#[derive(Clone, Copy, PartialEq)]
enum TermKind {
    Bool,
    Int,
    Word(bool),
    Mixed,
}

/// All words have this width.
const WIDTH: u32 = 4;

fn domains() -> Vec<(TermKind, Domain)> {
    let word = |signed| Domain::Word {
        signed,
        width: WIDTH,
    };
    let symbol = |at| Value::Symbol(Symbol::new(at));
    let mixed = [symbol(0), Value::Int(2), symbol(1), Value::Bool(true)];
    let numbers = [7, 3, -1].map(Value::Int);
    vec![
        (TermKind::Bool, Domain::Bool),
        (TermKind::Int, Domain::Range { low: -2, high: 4 }),
        (TermKind::Int, Domain::Enum(numbers.into())),
        (TermKind::Word(true), word(true)),
        (TermKind::Word(false), word(false)),
        (TermKind::Mixed, Domain::Enum(mixed.into())),
    ]
}

struct TermMaker<'r> {
    rng: &'r mut Rng,
    model: Model,
    kinds: Vec<TermKind>,
}

impl TermMaker<'_> {
    fn add(&mut self, term: Term) -> TermId {
        self.model.terms.add(term, None)
    }

    fn variable(&mut self, kind: TermKind) -> TermId {
        let fitting: Vec<usize> = (0..self.kinds.len())
            .filter(|&at| self.kinds[at] == kind)
            .collect();
        let var = VarId::new(fitting[self.rng.below(fitting.len())]);
        let next = var.index() < self.model.state_vars() && self.rng.below(3) == 0;
        self.add(if next {
            Term::Next(var)
        } else {
            Term::Var(var)
        })
    }

    fn constant(&mut self, kind: TermKind) -> TermId {
        let value = match kind {
            TermKind::Bool => Value::Bool(self.rng.below(2) == 1),
            TermKind::Int => Value::Int(self.rng.below(9) as i64 - 4),
            TermKind::Word(signed) => {
                Value::Word(Word::new(signed, WIDTH, self.rng.below(16) as u64))
            }
            TermKind::Mixed => Value::Symbol(Symbol::new(self.rng.below(2))),
        };
        self.add(Term::Const(value))
    }

    fn term(&mut self, kind: TermKind, depth: u32) -> TermId {
        if depth == 0 || self.rng.below(6) == 0 {
            return match self.rng.below(3) {
                0 => self.constant(kind),
                _ => self.variable(kind),
            };
        }
        let depth = depth - 1;
        if self.rng.below(5) == 0 {
            let condition = self.term(TermKind::Bool, depth);
            let (then, otherwise) = (self.term(kind, depth), self.term(kind, depth));
            return self.add(Term::Ite(condition, then, otherwise));
        }
        match kind {
            TermKind::Bool => self.condition(depth),
            TermKind::Int => self.number(depth),
            TermKind::Word(signed) => self.word(signed, depth),
            TermKind::Mixed => {
                let kind = [TermKind::Mixed, TermKind::Bool, TermKind::Int][self.rng.below(3)];
                let condition = self.term(TermKind::Bool, depth);
                let (then, otherwise) = (self.term(TermKind::Mixed, depth), self.term(kind, depth));
                self.add(Term::Ite(condition, then, otherwise))
            }
        }
    }

    fn some_kind(&mut self) -> TermKind {
        let kinds = [
            TermKind::Bool,
            TermKind::Int,
            TermKind::Word(true),
            TermKind::Word(false),
        ];
        match self.rng.below(5) {
            4 => TermKind::Mixed,
            at => kinds[at as usize],
        }
    }

    fn several(&mut self, kind: TermKind, depth: u32) -> TermId {
        let members = 1 + self.rng.below(3);
        let members: Vec<TermId> = (0..members).map(|_| self.term(kind, depth)).collect();
        let set = self.add(Term::Set(members.into()));
        if self.rng.below(3) > 0 {
            return set;
        }
        let condition = self.term(TermKind::Bool, depth);
        let other = self.term(kind, depth);
        self.add(Term::Ite(condition, set, other))
    }

    fn condition(&mut self, depth: u32) -> TermId {
        use BinaryOp as B;
        match self.rng.below(5) {
            0 => {
                let a = self.term(TermKind::Bool, depth);
                self.add(Term::Not(a))
            }
            1 => {
                let op = [B::And, B::Or, B::Implies][self.rng.below(3)];
                let (a, b) = (
                    self.term(TermKind::Bool, depth),
                    self.term(TermKind::Bool, depth),
                );
                self.add(Term::Binary(op, a, b))
            }
            2 => {
                let kind = self.some_kind();
                let op = [B::Equal, B::Unequal][self.rng.below(2)];
                let (a, b) = (self.term(kind, depth), self.term(kind, depth));
                self.add(Term::Binary(op, a, b))
            }
            3 => {
                let kinds = [TermKind::Int, TermKind::Word(true), TermKind::Word(false)];
                let kind = kinds[self.rng.below(3)];
                let ops = [B::Less, B::LessEqual, B::Greater, B::GreaterEqual];
                let op = ops[self.rng.below(4)];
                let (a, b) = (self.term(kind, depth), self.term(kind, depth));
                self.add(Term::Binary(op, a, b))
            }
            _ => {
                let kind = self.some_kind();
                let (a, b) = (self.several(kind, depth), self.several(kind, depth));
                self.add(Term::Member(a, b))
            }
        }
    }

    fn number(&mut self, depth: u32) -> TermId {
        use BinaryOp as B;
        match self.rng.below(4) {
            0 => {
                let a = self.term(TermKind::Int, depth);
                self.add(Term::Negate(a))
            }
            1 => {
                let conditions = 0..self.rng.below(5);
                let conditions = conditions.map(|_| self.term(TermKind::Bool, depth));
                let conditions: Vec<TermId> = conditions.collect();
                self.add(Term::Count(conditions.into()))
            }
            2 => {
                let signed = self.rng.below(2) == 0;
                let word = self.term(TermKind::Word(signed), depth);
                self.add(Term::Word(WordOp::ToInt, word))
            }
            _ => {
                let ops = [B::Add, B::Sub, B::Mul, B::Div, B::Mod];
                let op = ops[self.rng.below(5)];
                let (a, b) = (
                    self.term(TermKind::Int, depth),
                    self.term(TermKind::Int, depth),
                );
                self.add(Term::Binary(op, a, b))
            }
        }
    }

    fn word(&mut self, signed: bool, depth: u32) -> TermId {
        use BinaryOp as B;
        let own = TermKind::Word(signed);
        match self.rng.below(5) {
            0 => {
                let a = self.term(TermKind::Word(!signed), depth);
                let width = WIDTH;
                self.add(Term::Word(WordOp::Convert { signed, width }, a))
            }
            1 => {
                let op = [B::ShiftLeft, B::ShiftRight][self.rng.below(2)];
                let by = [TermKind::Int, TermKind::Word(false)][self.rng.below(2)];
                let (a, b) = (self.term(own, depth), self.term(by, depth));
                self.add(Term::Binary(op, a, b))
            }
            2 if !signed => {
                let (a, b) = (
                    self.term(own, depth),
                    self.term(TermKind::Word(true), depth),
                );
                let a = self.add(Term::Word(WordOp::Select(3, 2), a));
                let b = self.add(Term::Word(WordOp::Select(2, 1), b));
                self.add(Term::Binary(B::Concat, a, b))
            }
            2 => {
                let a = self.term(own, depth);
                let [short, wide] = [3, 6].map(|width| WordOp::Convert { signed, width });
                let same = WordOp::Convert {
                    signed,
                    width: WIDTH,
                };
                let op = [short, wide][self.rng.below(2)];
                let other = self.add(Term::Word(op, a));
                self.add(Term::Word(same, other))
            }
            3 => {
                let op = [B::BitAnd, B::BitOr, B::BitXor][self.rng.below(3)];
                let (a, b) = (self.term(own, depth), self.term(own, depth));
                self.add(Term::Binary(op, a, b))
            }
            _ => {
                let ops = [B::Add, B::Sub, B::Mul, B::Div, B::Mod];
                let op = ops[self.rng.below(5)];
                let (a, b) = (self.term(own, depth), self.term(own, depth));
                self.add(Term::Binary(op, a, b))
            }
        }
    }
}

/// A model with variables of every kind, and terms over them.
pub struct RandomTerms {
    /// The model.
    pub model: Model,
    /// Conditions on a step.
    pub conditions: Vec<TermId>,
    /// Variables with terms that denote values for them.
    pub assigned: Vec<(VarId, TermId)>,
}

impl RandomTerms {
    /// Some of them.
    pub fn new(rng: &mut Rng) -> Self {
        let mut maker = TermMaker {
            rng,
            model: Model::default(),
            kinds: vec![],
        };
        for kind in [VarKind::State, VarKind::Input] {
            for (sort, domain) in domains() {
                maker.kinds.push(sort);
                maker.model.vars.push(Variable {
                    name: String::new(),
                    domain,
                    kind,
                    span: nowhere(),
                    origin: Default::default(),
                });
            }
        }
        let conditions: Vec<TermId> = (0..6).map(|_| maker.condition(3)).collect();
        let assigned = (0..6).map(|at| {
            let kind = maker.kinds[at];
            (VarId::new(at), maker.several(kind, 3))
        });
        let assigned = assigned.collect();
        Self {
            model: maker.model,
            conditions,
            assigned,
        }
    }
}
