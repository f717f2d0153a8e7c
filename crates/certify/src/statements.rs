//! What is said to people about a certificate, as conditions on states.

use wherefore_base::{Budget, Run};
use wherefore_logic::{Kernel, Quantifier, kernel};
use wherefore_model::{Model, Query};
use wherefore_proof::WhyStatement;
use wherefore_proof::certificate::{
    BrokenCondition, Certificate, ConditionSubject, How, LayerReason, Proved, StateSet,
};

use crate::conditions::{
    ConditionForm, ConditionList, StateCondition, VerificationCondition, conditions,
};
use crate::verify::verify_all;

/// Checks a certificate as [`crate::verify()`] does, and statements about it; says how many conditions all have.
///
/// # Errors
/// When the budget ends; inside, the first condition that is not true.
pub fn verify_statements(
    model: &Model,
    query: &Query,
    certificate: &Certificate,
    statements: &[WhyStatement],
    budget: &Budget,
) -> Run<Result<usize, BrokenCondition>> {
    let listed = conditions_with(model, query, certificate, statements);
    verify_all(model, certificate, listed, budget)
}

/// All conditions of a certificate as [`conditions()`] lists them, and those of statements about it.
///
/// # Errors
/// What in the certificate or in the statements makes no sense for this query.
pub fn conditions_with<'c>(
    model: &Model,
    query: &Query,
    certificate: &'c Certificate,
    statements: &'c [WhyStatement],
) -> Result<Vec<VerificationCondition<'c>>, String> {
    let mut listed = conditions(model, query, certificate)?;
    let list = ConditionList::new(model, query, certificate);
    for statement in statements {
        listed.extend(of_statement(&list, statement)?);
    }
    Ok(listed)
}

/// That the claim is made wherever the statement says, and the goal is no farther away than it says.
fn of_statement<'c>(
    list: &ConditionList<'_, 'c>,
    statement: &'c WhyStatement,
) -> Result<Vec<VerificationCondition<'c>>, String> {
    let claim = list.certificate.claims.get(statement.claim);
    let claim = claim.ok_or("a statement is about no claim")?;
    let condition = |text: &str, never: StateCondition<'c>| VerificationCondition {
        about: ConditionSubject::Claim(claim.goal),
        text: text.to_string(),
        what: ConditionForm::Never(never),
    };
    let here = StateCondition::In(&statement.states);
    let outside = StateCondition::Not(Box::new(StateCondition::In(&claim.states)));
    let mut found = vec![condition(
        "the claim is made at every state of a statement",
        StateCondition::All(vec![here.clone(), outside]),
    )];
    let Some(steps) = statement.steps else {
        return match statement.bounds.is_empty() {
            true => Ok(found),
            false => Err("a statement without a number of steps has bounds".into()),
        };
    };
    let (ends, sets) = ladder(list, claim)?;
    let farther = |steps: usize| {
        let near = sets.iter().take(steps).map(|&set| StateCondition::In(set));
        let near = std::iter::once(ends.clone()).chain(near).collect();
        StateCondition::Not(Box::new(StateCondition::Any(near)))
    };
    const NEAR: &str = "the goal is as near as a statement says";
    found.push(condition(
        NEAR,
        StateCondition::All(vec![here.clone(), farther(steps)]),
    ));
    for bound in &statement.bounds {
        let within = StateCondition::In(&bound.states);
        let broken = StateCondition::All(vec![here.clone(), within, farther(bound.steps)]);
        found.push(condition(NEAR, broken));
    }
    Ok(found)
}

/// Where the goal of a claim is reached, and sets by the number of steps to it.
fn ladder<'c>(
    list: &ConditionList<'_, 'c>,
    claim: &'c Proved,
) -> Result<(StateCondition<'c>, Vec<&'c StateSet>), String> {
    let none = "a number of steps is told of a claim that has none";
    let Kernel::Path(pattern) = kernel(&list.query.formula, claim.goal) else {
        return Err(none.into());
    };
    if pattern.weak || list.is_finite(&pattern) && pattern.quantifier == Quantifier::Forall {
        return Err(none.into());
    }
    let fair = list.is_fair(&pattern);
    match &claim.how {
        How::Leaves(layers) if layers.iter().all(|l| l.reason == LayerReason::StepsOut) => {
            let ends = StateCondition::Any(vec![list.goal(&pattern), list.unfair(fair)]);
            Ok((ends, layers.iter().map(|layer| &layer.states).collect()))
        }
        How::Reaches { rings, .. } => {
            let ends = StateCondition::All(vec![list.goal(&pattern), list.live(fair)]);
            Ok((ends, rings.iter().collect()))
        }
        _ => Err(none.into()),
    }
}
