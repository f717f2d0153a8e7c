//! Circuits against the interpreter: random terms of every kind, at random values.

use wherefore_base::{Budget, Value};
use wherefore_model::{Env, Interpreter, VarId};
use wherefore_sat::{Blaster, Side};
use wherefore_testkit::Rng;
use wherefore_testkit::random_terms::RandomTerms;

#[test]
fn circuits_agree_with_the_interpreter_on_terms_of_every_kind() {
    let budget = Budget::unlimited();
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let RandomTerms {
            model,
            conditions,
            assigned,
        } = RandomTerms::new(&mut rng);
        let mut blaster = Blaster::new(&model, &budget);
        let mut edges = Vec::new();
        for &term in &conditions {
            edges.push(blaster.condition(term).expect("no limits"));
        }
        for &(var, term) in &assigned {
            edges.push(blaster.takes(var, Side::Next, term).expect("no limits"));
        }
        let interpreter = Interpreter::new(&model);
        let states = model.state_vars();
        for _ in 0..20 {
            let mut inputs = rustc_hash::FxHashMap::default();
            let mut pick = |vars: std::ops::Range<usize>, side: Side| -> Vec<Value> {
                let pick = |at: usize| {
                    let var = VarId::new(at);
                    let domain = &model.vars[var].domain;
                    let index = rng.below(domain.last() as usize + 1) as u64;
                    for (place, edge) in blaster.bits(var, side).iter().enumerate() {
                        inputs.insert(edge.gate(), index >> place & 1 == 1);
                    }
                    domain.value(index)
                };
                vars.map(pick).collect()
            };
            let state = pick(0..states, Side::Now);
            let input = pick(states..model.vars.len(), Side::Now);
            let next = pick(0..states, Side::Next);
            let env = Env {
                state: &state,
                input: &input,
                next: &next,
            };
            let found = blaster.circuit().evaluate(&inputs, &edges);
            let truths = conditions.iter().map(|&term| interpreter.truth(term, env));
            let taken = assigned.iter().map(|&(var, term)| {
                let values = interpreter.values(term, env);
                values.contains(&next[var.index()])
            });
            let meant: Vec<bool> = truths.chain(taken).collect();
            assert_eq!(found, meant, "seed {seed}");
        }
    }
}
