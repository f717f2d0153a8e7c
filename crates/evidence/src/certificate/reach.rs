//! Certificates that come down to an invariant: no reachable state satisfies a condition.
//!
//! An engine that looks for an invariant and never for sets of states has nothing else to show, and
//! nothing else is needed: what must never be so is claimed to be so nowhere in the invariant.

use wherefore_base::Budget;
use wherefore_certify::verify;
use wherefore_logic::{Formula, Goal, Kernel, Op, PathOp, PathRule, Quantifier, kernel};
use wherefore_model::{Model, Query, TermId};
use wherefore_proof::certificate::{
    Certificate, Certified, How, NoCertificate, Over, Proved, Recheck, StateSet,
};

use super::make::CUBES;

/// The question whether no reachable state satisfies a condition: `AG !condition` over finite paths.
pub fn never(condition: TermId) -> Query {
    let mut formula = Formula::new();
    let atom = formula.add(Op::Atom(wherefore_logic::AtomId::new(0)), None);
    let not = formula.add(Op::Not(atom), None);
    let globally = PathOp::Globally(not);
    formula.add(Op::Path(Quantifier::Forall, globally), None);
    Query {
        formula,
        atoms: [condition].into_iter().collect(),
        rule: PathRule::Reach,
    }
}

/// The certificate that a query holds since its claims are true everywhere in an invariant. `None`: the
/// query claims more than that something is always so.
pub fn always(query: &Query, invariant: StateSet) -> Option<Certificate> {
    let mut claims = Vec::new();
    claim(query, Goal::holds(query.formula.root()), &mut claims)?;
    Some(Certificate {
        invariant,
        unfair: None,
        live: None,
        claims,
    })
}

/// Has a certificate re-checked by a solver.
pub fn recheck(
    model: &Model,
    query: &Query,
    certificate: Certificate,
    over: Over,
    budget: &Budget,
) -> Certified {
    if certificate.cubes() > CUBES {
        return Certified::None(NoCertificate::Cubes(CUBES));
    }
    budget.phase("re-checking the certificate");
    let recheck = match verify(model, query, &certificate, budget) {
        Ok(Ok(conditions)) => Recheck::Ok(conditions),
        Ok(Err(broken)) => Recheck::Broken(broken),
        Err(stop) => Recheck::Stopped(stop),
    };
    Certified::Given {
        certificate: Box::new(certificate),
        over,
        recheck,
    }
}

fn claim(query: &Query, goal: Goal, claims: &mut Vec<Proved>) -> Option<()> {
    if query.formula.propositional()[goal.sub] {
        return Some(());
    }
    wherefore_base::deep(|| match kernel(&query.formula, goal) {
        Kernel::State => Some(()),
        Kernel::Branches(branches) => match &branches[..] {
            [goals] => goals
                .iter()
                .try_for_each(|&goal| claim(query, goal, claims)),
            _ => None,
        },
        Kernel::Path(pattern)
            if pattern.quantifier == Quantifier::Forall
                && pattern.weak
                && pattern.goal.is_none() =>
        {
            let mut stay = pattern.stay.iter();
            stay.try_for_each(|&goal| claim(query, goal, claims))?;
            claims.push(Proved {
                goal,
                states: StateSet::everything(),
                how: How::Closed,
            });
            Some(())
        }
        Kernel::Step(..) | Kernel::Path(_) | Kernel::Bounded(..) => None,
    })
}
