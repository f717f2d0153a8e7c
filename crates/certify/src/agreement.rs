//! The encoder against the interpreter: random terms of every kind, at random values.

use wherefore_base::{Budget, Value, Word};
use wherefore_model::{BinaryOp, Domain, Env, Interpreter, Model, Term, TermId, VarId, WordOp};

use wherefore_testkit::Rng;
use wherefore_testkit::random_terms::RandomTerms;

use crate::encode::{TermReading, reads_next};
use crate::netlist::{Netlist, Wire};
use crate::values::{EncodedValue, FreeVariable};

/// The variables of a step, free or fixed.
struct StepVariables {
    free: Vec<FreeVariable>,
    values: Vec<Value>,
    bits: Vec<bool>,
}

impl StepVariables {
    fn free(netlist: &mut Netlist, model: &Model) -> Self {
        let vars = model.vars.iter();
        let vars = vars.chain(model.vars.iter().take(model.state_vars()));
        let free = vars.map(|var| FreeVariable::new(netlist, &var.domain));
        Self {
            free: free.collect(),
            values: vec![],
            bits: vec![],
        }
    }

    fn reading<'m>(&self, model: &'m Model, budget: &Budget) -> TermReading<'m> {
        let mut now: Vec<EncodedValue> = self.free.iter().map(|f| f.value.clone()).collect();
        let next = now.split_off(model.vars.len());
        TermReading::new(model, &reads_next(model), now, next, budget)
    }

    /// Fixes all variables at random.
    fn pick(&mut self, model: &Model, rng: &mut Rng) {
        self.values.clear();
        self.bits.clear();
        for (at, free) in self.free.iter().enumerate() {
            let domain = &model.vars[VarId::new(at % model.vars.len())].domain;
            let index = rng.below(domain.last() as usize + 1) as u64;
            let value = domain.value(index);
            let number = match (domain, value) {
                (Domain::Range { .. }, Value::Int(number)) => number as u64,
                _ => index,
            };
            let places = 0..free.inputs.len();
            self.bits
                .extend(places.map(|place| number >> place & 1 == 1));
            self.values.push(value);
        }
    }

    fn env(&self, model: &Model) -> Env<'_> {
        let (state, rest) = self.values.split_at(model.state_vars());
        let (input, next) = rest.split_at(model.input_vars());
        Env { state, input, next }
    }
}

fn truth(values: &[bool], wire: Wire) -> bool {
    values[wire.gate()] != wire.is_negated()
}

#[test]
fn wires_agree_with_the_interpreter_on_terms_of_every_kind() {
    let budget = Budget::unlimited();
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let RandomTerms {
            model,
            conditions,
            assigned,
        } = RandomTerms::new(&mut rng);
        let mut netlist = Netlist::new();
        let mut step = StepVariables::free(&mut netlist, &model);
        let mut reading = step.reading(&model, &budget);
        let mut wires = Vec::new();
        for &term in &conditions {
            wires.push(reading.condition(&mut netlist, term).expect("no limits"));
        }
        for &(var, term) in &assigned {
            let next = step.free[model.vars.len() + var.index()].value.clone();
            let among = reading.is_among(&mut netlist, &next, term);
            wires.push(among.expect("no limits"));
        }
        let interpreter = Interpreter::new(&model);
        for _ in 0..10 {
            step.pick(&model, &mut rng);
            let env = step.env(&model);
            let found = netlist.evaluate(&step.bits);
            let found: Vec<bool> = wires.iter().map(|&wire| truth(&found, wire)).collect();
            let truths = conditions.iter().map(|&term| interpreter.truth(term, env));
            let taken = assigned.iter().map(|&(var, term)| {
                let values = interpreter.values(term, env);
                values.contains(&env.next[var.index()])
            });
            let meant: Vec<bool> = truths.chain(taken).collect();
            assert_eq!(found, meant, "seed {seed}");
        }
    }
}

/// Constants whose sums, products and quotients leave the range of what they are written in.
fn extremes(signed: bool, width: u32) -> Vec<Value> {
    let bits = [
        0,
        1,
        2,
        3,
        0x5555_5555_5555_5555,
        u64::MAX,
        u64::MAX >> 1,
        1 << 63,
    ];
    let shifted = [1 << (width - 1), (1 << (width - 1)) - 1, u64::from(width)];
    let all = bits.into_iter().chain(shifted);
    all.map(|bits| Value::Word(Word::new(signed, width, bits)))
        .collect()
}

/// Every operator on every pair of extreme values, as constants: what the wires are is known at once.
fn check_operators(values: &[Value], ops: &[BinaryOp], shifts: &[Value]) {
    use BinaryOp as B;
    let budget = Budget::unlimited();
    let mut model = Model::default();
    let mut terms: Vec<TermId> = Vec::new();
    for &a in values {
        for &op in ops {
            let seconds = match op {
                B::ShiftLeft | B::ShiftRight => shifts,
                _ => values,
            };
            for &b in seconds {
                let [a, b] = [a, b].map(|value| model.terms.add(Term::Const(value), None));
                terms.push(model.terms.add(Term::Binary(op, a, b), None));
            }
        }
    }
    let interpreter = Interpreter::new(&model);
    let env = Env::state(&[]);
    let mut netlist = Netlist::new();
    let mut reading = TermReading::new(&model, &reads_next(&model), vec![], vec![], &budget);
    for term in terms {
        let meant = interpreter.value(term, env);
        let value = reading.value(&mut netlist, term).expect("no limits");
        let same = netlist.same(&value, &EncodedValue::constant(meant));
        assert_eq!(same, Wire::TRUE, "{:?} is {meant:?}", model.terms.get(term));
    }
}

const ARITHMETIC: [BinaryOp; 5] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
];
const ORDER: [BinaryOp; 6] = [
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::Unequal,
];

#[test]
fn words_of_every_width_are_calculated_as_the_interpreter_does() {
    let of_words = [
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
    ];
    let ops = [&ARITHMETIC[..], &ORDER[..], &of_words[..]].concat();
    let numbers = [-3, 0, 1, 2, 7, 8, 31, 63, 64, 65, i64::MAX, i64::MIN];
    let mut shifts: Vec<Value> = numbers.into_iter().map(Value::Int).collect();
    shifts.extend(extremes(false, 64));
    for width in [1, 2, 5, 8, 32, 63, 64] {
        for signed in [false, true] {
            check_operators(&extremes(signed, width), &ops, &shifts);
        }
    }
}

#[test]
fn integers_wrap_as_the_interpreter_does() {
    let numbers = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        7,
        -8,
        1 << 31,
        1 << 32,
        i64::MAX,
        i64::MIN,
        i64::MIN + 1,
    ];
    let values = numbers.map(Value::Int);
    let ops = [&ARITHMETIC[..], &ORDER[..]].concat();
    check_operators(&values, &ops, &[]);
}

#[test]
fn words_are_converted_and_cut_as_the_interpreter_does() {
    let budget = Budget::unlimited();
    let mut model = Model::default();
    let mut terms = Vec::new();
    for width in [1, 3, 8, 33, 64] {
        for signed in [false, true] {
            for value in extremes(signed, width) {
                let word = model.terms.add(Term::Const(value), None);
                let mut ops = vec![WordOp::ToInt, WordOp::Select(width - 1, width / 2)];
                for width in [1, 4, 40, 64] {
                    for signed in [false, true] {
                        ops.push(WordOp::Convert { signed, width });
                    }
                }
                for op in ops {
                    terms.push(model.terms.add(Term::Word(op, word), None));
                }
                if width <= 32 {
                    terms.push(
                        model
                            .terms
                            .add(Term::Binary(BinaryOp::Concat, word, word), None),
                    );
                }
                let number = model.terms.add(Term::Word(WordOp::ToInt, word), None);
                terms.push(model.terms.add(Term::Negate(number), None));
            }
        }
    }
    let interpreter = Interpreter::new(&model);
    let mut netlist = Netlist::new();
    let mut reading = TermReading::new(&model, &reads_next(&model), vec![], vec![], &budget);
    for term in terms {
        let meant = interpreter.value(term, Env::state(&[]));
        let value = reading.value(&mut netlist, term).expect("no limits");
        let same = netlist.same(&value, &EncodedValue::constant(meant));
        assert_eq!(same, Wire::TRUE, "{:?} is {meant:?}", model.terms.get(term));
    }
}

#[test]
fn variables_have_the_values_of_their_domains_and_their_indices() {
    let range = |low, high| Domain::Range { low, high };
    let listed = [
        Value::Int(-3),
        Value::Bool(true),
        Value::Int(40),
        Value::Bool(false),
    ];
    let domains = [
        Domain::Bool,
        range(0, 0),
        range(0, 5),
        range(3, 9),
        range(-4, 3),
        range(-9, -2),
        range(7, 7),
        Domain::Word {
            signed: true,
            width: 3,
        },
        Domain::Enum(listed.into()),
        Domain::Enum([Value::Int(5)].into()),
    ];
    for domain in domains {
        let mut netlist = Netlist::new();
        let free = FreeVariable::new(&mut netlist, &domain);
        let places = 0..domain.bits() as usize + 1;
        let index: Vec<Wire> = places
            .map(|place| netlist.index_bit(&free.value, &domain, place))
            .collect();
        let own: Vec<Wire> = domain
            .values()
            .map(|value| netlist.one_of(&free.value, &[value]))
            .collect();
        let inside = netlist.in_domain(&free.value, &domain);
        let mut found = Vec::new();
        for number in 0..1_u32 << free.inputs.len() {
            let bits = (0..free.inputs.len()).map(|place| number >> place & 1 == 1);
            let bits: Vec<bool> = bits.collect();
            let values = netlist.evaluate(&bits);
            if !truth(&values, free.fits) {
                continue;
            }
            assert!(truth(&values, inside), "{domain:?}");
            let value = free.value_of(&domain, &bits);
            let at = domain.index_of(value).expect("it is in the domain");
            for (place, &bit) in index.iter().enumerate() {
                assert_eq!(
                    truth(&values, bit),
                    at >> place & 1 == 1,
                    "{domain:?} {value:?}"
                );
            }
            for (other, &own) in (0..).zip(&own) {
                assert_eq!(truth(&values, own), at == other, "{domain:?} {value:?}");
            }
            found.push(at);
        }
        found.sort_unstable();
        let all: Vec<u64> = (0..=domain.last()).collect();
        assert_eq!(found, all, "{domain:?}");
    }
}
