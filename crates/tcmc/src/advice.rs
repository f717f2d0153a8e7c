//! Advice on how a transition system is written, after section 5 of Farheen, Day, Vakili and Abbassi (2020).
//!
//! Each piece is the answer of a solver to a question about one state or two, whichever they are, with the scopes
//! of a command for everything else; so it comes with a state as an example.

use wherefore_alloy::model::{
    AlloyTerm, AlloyTermId, AlloyTermKind, AlloyUnaryOp, AlloyVarId, Command,
};
use wherefore_alloy::reach::{Advice, ReachSubject};
use wherefore_alloy::{AlloyModel, LoweringOptions};
use wherefore_base::{Budget, Span, deep};
use wherefore_relational::FormulaId;

use crate::complete::{CompleteSystem, watched};
use crate::derive::{Precondition, preconditions};
use crate::misfit::TcmcMisfit;
use crate::multiplicity::lost_steps;
use crate::operation::Operation;
use crate::pair::{PairSide, StatePair, equal_copies};
use crate::reading::SystemReading;

/// So many pairs of operations that can begin in one state are told.
const MOST_OVERLAPS: usize = 3;

/// What can be said about how a transition system is written, in the scopes of a command.
///
/// # Errors
/// When something does not fit, or the budget ends.
pub fn advice(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<Vec<Advice>, TcmcMisfit> {
    let (model, written) = preconditions(model, reading, command.span);
    let pair = StatePair::new(&model, reading, command, choices, true)?;
    let mut adviser = Adviser {
        model: &model,
        reading,
        pair,
        budget,
        found: Vec::new(),
    };
    adviser.initial()?;
    if let Some(copy) = equal_copies(&model, reading, command, choices, budget)? {
        let state = &model.sigs[reading.state];
        adviser.say(
            ReachSubject::Equality,
            Some(state.span),
            format!(
                "No fact says that two atoms of `{}` with equal fields are equal, so a system may have copies of \
                 a state, as of ({})",
                state.label, copy.now
            ),
        );
    }
    let possible = adviser.operations(&written)?;
    adviser.preconditions(&written, &possible)?;
    adviser.invariants()?;
    for (span, text) in lost_steps(&model, reading, (command, choices), &written, budget)? {
        adviser.say(ReachSubject::Multiplicity, Some(span), text);
    }
    Ok(adviser.found)
}

/// An operation that can happen in some state, and a system that tells whether one of these can be reached.
#[derive(Clone, Debug)]
pub struct AdviceOccurrence {
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub span: Span,
    /// A state in which it can happen.
    pub state: String,
    /// The complete system, whose only property says that it never happens.
    pub system: CompleteSystem,
}

/// The operations that can happen in some state, reached or not.
///
/// # Errors
/// As of [`advice`].
pub fn occurrences(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<Vec<AdviceOccurrence>, TcmcMisfit> {
    let (mut model, written) = preconditions(model, reading, command.span);
    let mut never = Vec::new();
    for operation in &written {
        let happens = model.terms[operation.happens].clone();
        let kind = AlloyTermKind::Unary(AlloyUnaryOp::Not, operation.happens);
        never.push(model.terms.push(AlloyTerm { kind, ..happens }));
    }
    let mut pair = StatePair::new(&model, reading, command, choices, true)?;
    let mut found = Vec::new();
    for (operation, never) in written.into_iter().zip(never) {
        let Precondition { s, t, .. } = operation;
        let happens = pair.formula(
            operation.happens,
            &[(s, PairSide::Now), (t, PairSide::Next)],
        )?;
        let Some(seen) = pair.find(&[happens], &[PairSide::Now, PairSide::Next], budget)? else {
            continue;
        };
        // That the operation never happens takes the place of what is said of every step, so that `watched`
        // tells whether it does.
        let reading = SystemReading {
            promised: vec![(s, t, never)],
            whole: Vec::new(),
            ..reading.clone()
        };
        found.push(AdviceOccurrence {
            name: operation.name,
            span: model.terms[operation.happens].span,
            state: seen.now,
            system: watched(&model, &reading, command, choices, budget)?,
        });
    }
    Ok(found)
}

struct Adviser<'a> {
    model: &'a AlloyModel,
    reading: &'a SystemReading,
    pair: StatePair<'a>,
    budget: &'a Budget,
    found: Vec<Advice>,
}

impl Adviser<'_> {
    fn say(&mut self, about: ReachSubject, span: Option<Span>, text: String) {
        self.found.push(Advice { about, span, text });
    }

    /// Whether some state can be an initial one.
    fn initial(&mut self) -> Result<(), TcmcMisfit> {
        let (s, body) = self.reading.initial;
        let initial = self.pair.formula(body, &[(s, PairSide::Now)])?;
        if self
            .pair
            .find(&[initial], &[PairSide::Now], self.budget)?
            .is_none()
        {
            let span = Some(self.model.terms[body].span);
            let text = "No state can be an initial one, so every check passes".to_string();
            self.say(ReachSubject::Initial, span, text);
        }
        Ok(())
    }

    /// Which operations can ever happen.
    fn operations(&mut self, written: &[Precondition]) -> Result<Vec<bool>, TcmcMisfit> {
        let mut possible = Vec::new();
        for operation in written {
            let states = [(operation.s, PairSide::Now), (operation.t, PairSide::Next)];
            let happens = self.pair.formula(operation.happens, &states)?;
            let found =
                self.pair
                    .find(&[happens], &[PairSide::Now, PairSide::Next], self.budget)?;
            possible.push(found.is_some());
            if found.is_none() {
                let span = Some(self.model.terms[operation.happens].span);
                let text = format!("The operation `{}` can never happen", operation.name);
                self.say(ReachSubject::Operation, span, text);
            }
        }
        Ok(possible)
    }

    /// Whether preconditions overlap, and whether one of them holds in every state.
    fn preconditions(
        &mut self,
        written: &[Precondition],
        possible: &[bool],
    ) -> Result<(), TcmcMisfit> {
        if written.is_empty() {
            return Ok(());
        }
        let mut begins: Vec<(String, FormulaId)> = Vec::new();
        for (operation, possible) in written.iter().zip(possible) {
            let Some(term) = operation.begins.filter(|_| *possible) else {
                if *possible {
                    // It may begin anywhere, as far as it says of the present state alone.
                    return Ok(());
                }
                continue;
            };
            let formula = self.pair.formula(term, &[(operation.s, PairSide::Now)])?;
            begins.push((operation.name.clone(), formula));
        }
        let mut overlaps = 0;
        for (at, (a, first)) in begins.iter().enumerate() {
            for (b, second) in &begins[at + 1..] {
                let seen = self
                    .pair
                    .find(&[*first, *second], &[PairSide::Now], self.budget)?;
                let Some(seen) = seen else {
                    continue;
                };
                overlaps += 1;
                if overlaps <= MOST_OVERLAPS {
                    let text = format!(
                        "The preconditions of `{a}` and `{b}` overlap, as in ({}): joined by `or` either may \
                         happen, joined by `and` as implications both must",
                        seen.now
                    );
                    self.say(ReachSubject::Overlap, None, text);
                }
            }
        }
        if overlaps > MOST_OVERLAPS {
            let text = format!(
                "{} more pairs of operations have preconditions that overlap",
                overlaps - MOST_OVERLAPS
            );
            self.say(ReachSubject::Overlap, None, text);
        }
        let none: Vec<FormulaId> = begins
            .iter()
            .map(|(_, begins)| self.pair.not(*begins))
            .collect();
        if let Some(seen) = self.pair.find(&none, &[PairSide::Now], self.budget)? {
            let text = format!(
                "No precondition holds in the state ({}): joined by `or` nothing can happen there, joined by \
                 `and` as implications anything can",
                seen.now
            );
            self.say(ReachSubject::Cover, None, text);
        }
        Ok(())
    }

    /// Whether a step may lead to values that a fact about every state forbids.
    fn invariants(&mut self) -> Result<(), TcmcMisfit> {
        let (s, t, body) = self.reading.step;
        let step = self
            .pair
            .formula(body, &[(s, PairSide::Now), (t, PairSide::Next)])?;
        for (at, &(_, body)) in self.reading.invariants.iter().enumerate() {
            let kept = self.pair.invariants(PairSide::Next)[at];
            let broken = self.pair.not(kept);
            // The facts are asked of the present state only: whether the next one breaks them is the
            // question.
            let seen = self
                .pair
                .find(&[step, broken], &[PairSide::Now], self.budget)?;
            if let Some(seen) = seen {
                let text = format!(
                    "A step may break this fact about every state, and is then silently left out: from ({}) to \
                     ({})",
                    seen.now, seen.next
                );
                self.say(
                    ReachSubject::Constraint,
                    Some(self.model.terms[body].span),
                    text,
                );
            }
        }
        Ok(())
    }
}

/// The conjuncts of an operation that speak of the present state alone, as terms where the variables of the
/// operation are known; each with what parameters stand for.
pub(crate) fn conjuncts_of_present(
    model: &AlloyModel,
    operation: &Operation,
) -> Vec<(Lets, AlloyTermId)> {
    let mut found = Vec::new();
    collect(
        model,
        operation.call,
        operation.t,
        &mut Vec::new(),
        &mut found,
    );
    found
}

/// Variables with what they stand for, the outermost first.
pub(crate) type Lets = Vec<(AlloyVarId, AlloyTermId)>;

fn collect(
    model: &AlloyModel,
    term: AlloyTermId,
    t: AlloyVarId,
    lets: &mut Lets,
    found: &mut Vec<(Lets, AlloyTermId)>,
) {
    deep(|| {
        for part in crate::reading::conjuncts(model, term) {
            if !mentions(model, part, t) {
                found.push((lets.clone(), part));
                continue;
            }
            let AlloyTermKind::Call(function, arguments) = &model.terms[part].kind else {
                continue;
            };
            let callee = &model.functions[*function];
            let (Some(body), None) = (callee.body, callee.result) else {
                continue;
            };
            let params: Vec<AlloyVarId> = callee.vars().collect();
            let is_next = |argument: &AlloyTermId| matches!(model.terms[*argument].kind, AlloyTermKind::Var(var) if var == t);
            let next: Vec<AlloyVarId> = params
                .iter()
                .zip(arguments)
                .filter(|(_, argument)| is_next(argument))
                .map(|(&param, _)| param)
                .collect();
            let others = params
                .iter()
                .zip(arguments)
                .filter(|(_, argument)| !is_next(argument));
            let others: Lets = others
                .map(|(&param, &argument)| (param, argument))
                .collect();
            // A parameter that is made of the next state would bring it in by another name.
            let plain = others
                .iter()
                .all(|(_, argument)| !mentions(model, *argument, t));
            if let (&[inner], true) = (&next[..], plain) {
                let before = lets.len();
                lets.extend(others);
                collect(model, body, inner, lets, found);
                lets.truncate(before);
            }
        }
    });
}

/// Whether a term reads a variable.
pub(crate) fn mentions(model: &AlloyModel, term: AlloyTermId, var: AlloyVarId) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        let kind = &model.terms[term].kind;
        if matches!(kind, AlloyTermKind::Var(other) if *other == var) {
            return true;
        }
        open.extend(kind.operands());
    }
    false
}
