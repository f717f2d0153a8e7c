//! Certificates of the SAT engine: an invariant of clauses as sets of states, and what it is about.
//!
//! The engine proves that no reachable state satisfies a condition: of the model, or of the product with
//! the tableau of a property, watched by a counter of the turns of fairness or for fair loops. Model and condition follow
//! from the property alone, so whoever re-checks a certificate makes them anew and takes nothing but the
//! invariant from it.

use wherefore_base::{Budget, Run};
use wherefore_evidence::Cube;
use wherefore_evidence::certificate::{
    self, Certified, NoCertificate, Over, Recheck, StateSet, Turns, always, never,
};
use wherefore_model::{Model, PropertyBody, Query};
use wherefore_satcheck::{
    self as induction, Clause, NoState, SatQuestion, inductive, loops, question, watch,
};

/// More turns than this are not counted in a certificate.
const TURNS: usize = 4096;

/// Of variables with more values than this, bits are given and values are not listed.
const VALUES: u128 = 64;

/// The certificate for a property that the SAT engine proved.
pub(crate) fn certify(
    model: &Model,
    property: usize,
    proof: &induction::InvariantClauses,
    budget: &Budget,
) -> Run<Certified> {
    let none = Certified::None(NoCertificate::Engine);
    let clauses = match proof {
        induction::InvariantClauses::Turns {
            turns,
            counted,
            clauses,
            ..
        } => {
            let Some((watched, over)) = turns_of(model, property, *turns, *counted) else {
                return Ok(none);
            };
            return Ok(no_state(&watched, clauses, over, budget).unwrap_or(none));
        }
        induction::InvariantClauses::Loops { clauses } => {
            let Some((watched, over)) = loops_of(model, property) else {
                return Ok(none);
            };
            return Ok(no_state(&watched, clauses, over, budget).unwrap_or(none));
        }
        induction::InvariantClauses::Inductive { clauses } => clauses.clone(),
        // Induction over several steps at once is no invariant; there is one, and it is looked for now.
        induction::InvariantClauses::Steps { .. } => match states_of(model, property) {
            Some(asked) => match inductive(&asked, budget)? {
                Some(clauses) => clauses,
                None => return Ok(none),
            },
            None => return Ok(none),
        },
    };
    if let PropertyBody::Query(query) = &model.properties[property].body
        && let Some(made) = always(query, invariant(model, &clauses))
    {
        let certified = certificate::recheck(model, query, made, Over::Model, budget);
        let broken = matches!(
            certified,
            Certified::Given {
                recheck: Recheck::Broken(_),
                ..
            }
        );
        if !broken {
            return Ok(certified);
        }
    }
    let Some(asked) = states_of(model, property) else {
        return Ok(none);
    };
    Ok(no_state(&asked, &clauses, Over::States, budget).unwrap_or(none))
}

/// The certificate that no state satisfies a condition, by an invariant of clauses.
fn no_state(asked: &NoState, clauses: &[Clause], over: Over, budget: &Budget) -> Option<Certified> {
    let query = never(asked.bad);
    let made = always(&query, invariant(&asked.model, clauses))?;
    Some(certificate::recheck(
        &asked.model,
        &query,
        made,
        over,
        budget,
    ))
}

/// The model and the query that a certificate is about which speaks of neither the model nor the product
/// alone; `None`: the property does not ask what it answers.
pub(crate) fn subject(model: &Model, property: usize, over: &Over) -> Option<(Box<Model>, Query)> {
    let asked = match *over {
        Over::Model | Over::Product => None,
        Over::States => states_of(model, property),
        Over::Turns(Turns { most, counted, .. }) => {
            turns_of(model, property, most, counted).map(|(asked, _)| asked)
        }
        Over::Loops { .. } => loops_of(model, property).map(|(asked, _)| asked),
    }?;
    let query = never(asked.bad);
    Some((asked.model, query))
}

/// The condition that no state may satisfy, if the property holds then.
fn states_of(model: &Model, property: usize) -> Option<NoState> {
    match question(model, property).ok()? {
        SatQuestion::NoState(asked) => Some(asked),
        SatQuestion::NoRun { enough, .. } => enough,
    }
}

/// The product of a property, watched for so many turns, and that there were more of them.
fn turns_of(
    model: &Model,
    property: usize,
    most: usize,
    counted: usize,
) -> Option<(NoState, Over)> {
    let SatQuestion::NoRun { tableau, .. } = question(model, property).ok()? else {
        return None;
    };
    if counted > TURNS {
        return None;
    }
    let watched = watch(&tableau.model, counted);
    let bad = *watched.turns.get(most)?;
    let over = Over::Turns(Turns {
        most,
        counted,
        watches: tableau.model.state_vars(),
    });
    let model = Box::new(watched.model);
    Some((NoState { model, bad }, over))
}

/// The product of a property, watched for fair loops, and that one is closed.
fn loops_of(model: &Model, property: usize) -> Option<(NoState, Over)> {
    let SatQuestion::NoRun { tableau, .. } = question(model, property).ok()? else {
        return None;
    };
    let watches = tableau.model.state_vars();
    Some((loops(&tableau.model), Over::Loops { watches }))
}

/// The states that satisfy all clauses.
fn invariant(model: &Model, clauses: &[Clause]) -> StateSet {
    let cubes = clauses.iter().filter_map(|clause| cube(model, clause));
    StateSet {
        cubes: cubes.collect(),
        outside: true,
    }
}

/// The states that satisfy no part of a clause; `None`: there is none.
fn cube(model: &Model, clause: &Clause) -> Option<Cube> {
    let mut cube = Cube::default();
    for &(var, bits) in clause {
        let domain = &model.vars[var].domain;
        if domain.size() > VALUES {
            cube.bits.push((var, bits));
            continue;
        }
        let inside = (0..=domain.last()).filter(|&index| bits.are_of(index));
        let inside: Vec<_> = inside.map(|index| domain.value(index)).collect();
        if inside.is_empty() {
            return None;
        }
        cube.values.push((var, inside));
    }
    cube.values.sort_by_key(|(var, _)| *var);
    cube.bits.sort_by_key(|(var, _)| *var);
    Some(cube)
}

#[cfg(test)]
mod tests {
    use wherefore_evidence::certificate::{Certificate, verify};
    use wherefore_evidence::{EvidenceOptions, Finding, Verdict};

    use super::*;
    use crate::engines::{self, Engine, Job};
    use crate::subjects::model::ModelSubject;

    /// A counter that goes round, a flag that follows it, and a request that is answered within a round.
    const ROUND: &str = "MODULE main
        VAR n : 0..5; high : boolean; wish : boolean;
        IVAR go : boolean;
        ASSIGN
          init(n) := 0; init(high) := FALSE; init(wish) := FALSE;
          next(n) := case n = 4 : 0; n < 5 & (go | wish) : n + 1; TRUE : n; esac;
          next(high) := next(n) > 2;
          next(wish) := case n = 4 : FALSE; TRUE : {wish, TRUE}; esac;
        FAIRNESS n = 0
        INVARSPEC n < 5
        CTLSPEC AG (high -> n > 2)
        CTLSPEC AG (n = 3 -> AF n = 0)
        LTLSPEC G n < 5
        LTLSPEC G (wish -> F n = 4)
        CTLSPEC !EF (n = 5)
        CTLSPEC AG EX TRUE";

    fn session(text: &str) -> ModelSubject {
        ModelSubject::from_text("round.smv", text).expect("it is a model")
    }

    fn findings(session: &ModelSubject) -> Vec<Finding> {
        let job = Job {
            engine: Engine::Sat,
            options: EvidenceOptions {
                vacuity: false,
                certificate: true,
                ..EvidenceOptions::default()
            },
            ..Job::default()
        };
        engines::findings(session.model(), &job)
    }

    fn given(finding: &Finding) -> (&Certificate, &Over) {
        match &finding.certificate {
            Some(Certified::Given {
                certificate,
                over,
                recheck: Recheck::Ok(_),
            }) => (certificate, over),
            other => panic!("property {}: {other:?}", finding.property),
        }
    }

    /// What a certificate is about, whatever that is.
    fn about(model: &Model, finding: &Finding, over: &Over) -> (Model, Query) {
        match (subject(model, finding.property, over), over) {
            (Some((model, query)), _) => (*model, query),
            (None, Over::Model) => {
                let query = model.properties[finding.property].body.query();
                (model.clone(), query.expect("it is a formula").clone())
            }
            (None, over) => panic!("nothing to speak of: {over:?}"),
        }
    }

    #[test]
    fn each_kind_of_proof_becomes_a_certificate_that_a_solver_accepts() {
        let session = session(ROUND);
        let mut kinds = Vec::new();
        for finding in findings(&session) {
            assert_eq!(
                finding.verdict,
                Verdict::Holds,
                "property {}",
                finding.property
            );
            let (_, over) = given(&finding);
            kinds.push(match over {
                Over::Model => "model",
                Over::Product => "product",
                Over::States => "states",
                Over::Turns(_) => "turns",
                Over::Loops { .. } => "loops",
            });
        }
        let expected = [
            "model", "model", "turns", "states", "turns", "model", "turns",
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn a_certificate_without_one_of_its_clauses_is_refused_unless_it_was_not_needed() {
        let session = session(ROUND);
        let budget = Budget::unlimited();
        let mut refused = 0;
        for finding in findings(&session) {
            let (certificate, over) = given(&finding);
            let (model, query) = about(session.model(), &finding, over);
            for at in 0..certificate.invariant.cubes.len() {
                let mut changed = certificate.clone();
                changed.invariant.cubes.remove(at);
                let verdict = verify(&model, &query, &changed, &budget).expect("no limit");
                refused += usize::from(verdict.is_err());
                // A clause that says the contrary is never right beside the others.
                let mut changed = certificate.clone();
                changed.invariant.outside = false;
                let verdict = verify(&model, &query, &changed, &budget).expect("no limit");
                assert!(verdict.is_err(), "property {}", finding.property);
            }
        }
        assert!(refused > 0);
    }

    /// Words with more values than anybody lists, of which the last bits never change.
    const WIDE: &str = "MODULE main
        VAR sum : word[40]; more : word[40]; up : boolean; n : 0..1000000;
        ASSIGN
          init(sum) := 0ud40_0; next(sum) := up ? sum + more : sum - more;
          init(more) := 0ud40_4; next(more) := more + more;
          init(n) := 0; next(n) := n < 999998 ? n + 2 : n;
        INVARSPEC sum[1:0] = 0ub2_0
        LTLSPEC G sum != 0ud40_6
        INVARSPEC n mod 2 = 0";

    #[test]
    fn of_variables_with_many_values_a_certificate_gives_bits_and_each_of_them_is_needed() {
        let session = session(WIDE);
        let budget = Budget::unlimited();
        let mut given_bits = 0;
        for finding in findings(&session) {
            let (certificate, over) = given(&finding);
            let (model, query) = about(session.model(), &finding, over);
            let cubes = &certificate.invariant.cubes;
            given_bits += cubes.iter().filter(|cube| !cube.bits.is_empty()).count();
            for at in 0..cubes.len() {
                // Without its bits, a clause says that there is no state.
                let mut changed = certificate.clone();
                changed.invariant.cubes[at].bits.clear();
                let verdict = verify(&model, &query, &changed, &budget).expect("no limit");
                assert!(verdict.is_err(), "property {}", finding.property);
            }
        }
        assert!(given_bits >= 5, "{given_bits}");
    }

    #[test]
    fn a_certificate_is_refused_for_a_model_that_breaks_it() {
        let budget = Budget::unlimited();
        let other = session(&ROUND.replace("n = 4 : 0; n < 5", "n = 5 : 0; n < 5"));
        for finding in findings(&session(ROUND)) {
            let (certificate, over) = given(&finding);
            let (model, query) = about(other.model(), &finding, over);
            let verdict = verify(&model, &query, certificate, &budget).expect("no limit");
            // The flag still follows the counter there, and runs go on.
            let kept = [1, 6].contains(&finding.property);
            assert_eq!(verdict.is_ok(), kept, "property {}", finding.property);
        }
    }

    #[test]
    fn an_invariant_that_keeps_loops_open_is_a_certificate_and_is_needed() {
        let session = session(ROUND);
        let (model, budget) = (session.model(), Budget::unlimited());
        for property in [2, 4, 6] {
            let (asked, over) = loops_of(model, property).expect("it is about runs");
            let clauses = inductive(&asked, &budget).expect("no limit");
            let clauses = clauses.expect("no fair loop is closed");
            let proof = induction::InvariantClauses::Loops { clauses };
            let certified = certify(model, property, &proof, &budget).expect("no limit");
            let Certified::Given {
                certificate,
                over: given,
                recheck: Recheck::Ok(_),
            } = certified
            else {
                panic!("property {property}: {certified:?}");
            };
            assert_eq!(given, over);
            let (watched, query) = subject(model, property, &over).expect("it is about loops");
            let nothing = StateSet {
                cubes: vec![],
                outside: true,
            };
            let changed = Certificate {
                invariant: nothing,
                ..*certificate
            };
            let verdict = verify(&watched, &query, &changed, &budget).expect("no limit");
            assert!(verdict.is_err(), "property {property}");
        }
    }

    #[test]
    fn a_bound_that_is_too_low_or_not_counted_is_refused() {
        let session = session(ROUND);
        let budget = Budget::unlimited();
        let findings = findings(&session);
        let finding = &findings[4];
        let (certificate, over) = given(finding);
        let Over::Turns(turns) = *over else {
            panic!("it is about turns");
        };
        let at = |most: usize, counted: usize| {
            let over = Over::Turns(Turns {
                most,
                counted,
                ..turns
            });
            subject(session.model(), finding.property, &over)
        };
        assert!(at(turns.counted, turns.counted).is_none());
        assert!(at(0, usize::MAX).is_none());
        if let Some(lower) = turns.most.checked_sub(1) {
            let (model, query) = at(lower, turns.counted).expect("it is counted");
            let verdict = verify(&model, &query, certificate, &budget).expect("no limit");
            assert!(verdict.is_err());
        }
    }
}
