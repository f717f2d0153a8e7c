//! Where a run could still have kept a property, in one line.

use wherefore_base::Value;
use wherefore_evidence::{Assertion, Avoidance, Decision, DecisiveChoice};
use wherefore_logic::{Goal, Op, PathOp, Quantifier, SubId};
use wherefore_model::{Cover, Origin};

use super::checked::SentenceKind;
use super::{Sentence, add, formula, joined, list};
use crate::words::Telling;

/// The decisions that are worth a line. Inside a claim whose last chance is named, what was still possible for a
/// part of it came too late.
pub(crate) fn worth_telling<'d>(
    telling: &Telling<'_>,
    decisions: &'d [Decision],
) -> impl Iterator<Item = &'d Decision> {
    let is_late = |decision: &Decision| {
        let mut others = decisions.iter().filter(|other| other.sub != decision.sub);
        others.any(|other| {
            let is_settled = match other.choice {
                DecisiveChoice::StillFree { .. } => false,
                // Where what must always hold is false itself, the question is whether that could have been kept.
                DecisiveChoice::Fated(_) => telling.always(other.sub).is_none(),
                DecisiveChoice::Lost { .. } => true,
            };
            is_settled && telling.has_part(other.sub, decision.sub)
        })
    };
    let late: Vec<bool> = decisions.iter().map(is_late).collect();
    let decisions = decisions.iter().zip(late);
    decisions.filter_map(|(decision, late)| (!late).then_some(decision))
}

/// Where a run could still have kept a property, in a sentence; nothing if that is not known to be true.
pub(crate) fn decision_text(telling: &Telling<'_>, decision: &Decision) -> Sentence {
    let mut sentences = vec![decision_words(telling, decision)];
    if let (DecisiveChoice::Fated(at), Some(part)) =
        (&decision.choice, telling.always(decision.sub))
    {
        let early = say!("already at {} {} is false", *at, telling.quoted(part));
        sentences.insert(0, early.asserting(Assertion::at(Goal::fails(part), *at)));
    }
    telling.first_true(SentenceKind::Decision, sentences)
}

fn decision_words(telling: &Telling<'_>, decision: &Decision) -> Sentence {
    let decided = Assertion::Decided(decision.sub, decision.choice.clone());
    let it = match decision.sub == telling.query.formula.root() {
        true => "the property".into(),
        false => telling.quoted(decision.sub),
    };
    let sentence = match &decision.choice {
        DecisiveChoice::Fated(at) => say!("inevitable: no run from {} keeps {}", *at, it),
        DecisiveChoice::StillFree { exit: Some(exit) } => {
            let exit = formula(telling.report.condition(exit));
            say!(
                "not inevitable: at every step of the loop, a step to {} would end it",
                exit
            )
        }
        DecisiveChoice::StillFree { exit: None } => {
            let kept = match telling.query.formula.op(decision.sub) {
                Op::Path(Quantifier::Forall, PathOp::Finally(goal)) => {
                    say!("reach {}", telling.quoted(goal))
                }
                _ => say!("keep {}", it),
            };
            say!(
                "not inevitable: from every step another run could still {}",
                kept
            )
        }
        DecisiveChoice::Lost {
            from,
            instead,
            more,
            condition,
            avoidable,
            ..
        } => {
            let which = match condition {
                Some(cover) => say!(
                    "a step to {} could still keep {}, no other step could",
                    telling.cover_text(cover),
                    it
                ),
                None => {
                    let old = telling.values(*from);
                    say!(
                        "{} could still keep {}",
                        steps(telling, old, instead, *more),
                        it
                    )
                }
            };
            let who = match avoidable {
                Some(avoidance) => say!("; {}", avoidance_text(telling, avoidance)),
                None => Sentence::default(),
            };
            say!("last chance at {}: {}{}", *from, which, who)
        }
    };
    sentence.asserting(decided)
}

impl Telling<'_> {
    /// Whether a sub-formula is a proper part of another one.
    fn has_part(&self, whole: SubId, part: SubId) -> bool {
        let formula = &self.query.formula;
        let mut open: Vec<SubId> = formula.op(whole).operands().collect();
        while let Some(sub) = open.pop() {
            if sub == part {
                return true;
            }
            open.extend(formula.op(sub).operands());
        }
        false
    }

    /// What must always hold, if that is more than a condition on states: `AF p` of `AG AF p`.
    fn always(&self, sub: SubId) -> Option<SubId> {
        let formula = &self.query.formula;
        match formula.op(sub) {
            Op::Path(Quantifier::Forall, PathOp::Globally(part)) => {
                (!formula.propositional()[part]).then_some(part)
            }
            _ => None,
        }
    }

    /// A condition on states in quotes: "`p & q` or `r`".
    fn cover_text(&self, cover: &Cover) -> Sentence {
        let cubes = cover.cubes.iter();
        let cubes = cubes.map(|cube| formula(self.report.condition(cube)));
        joined(&cubes.collect::<Vec<_>>(), " or ")
    }
}

/// Steps that were not taken: "a step to (p = TRUE) or another one".
fn steps(telling: &Telling<'_>, old: &[Value], instead: &[Vec<Value>], more: bool) -> Sentence {
    let mut others: Vec<Sentence> = Vec::new();
    for values in instead {
        let text: Sentence = match &telling.report.moves(old, values)[..] {
            [] => "a step where nothing changes".into(),
            texts => say!("a step to ({})", texts.join(", ")),
        };
        add(&mut others, text);
    }
    match (&others[..], more) {
        ([first, ..], true) => say!("{}, among others,", first),
        (others, _) => list(others),
    }
}

/// Who could have avoided a step, in a sentence.
fn avoidance_text(telling: &Telling<'_>, avoidance: &Avoidance) -> Sentence {
    let report = &telling.report;
    let who = match report.only_chooses_process() {
        true => "the choice of the process",
        false => "the environment",
    };
    let Some(choice) = &avoidance.environment else {
        return match avoidance.system {
            true => say!("{} could not have avoided it, the system could", who),
            false => say!("neither {} nor the system alone could have avoided it", who),
        };
    };
    let values = choice.values.iter();
    let values = values.map(|&(var, value)| {
        let (name, shown) = (report.name(var), report.value(value));
        match report.model.vars[var].origin {
            Origin::Process => say!("{} runs", shown),
            Origin::Declared | Origin::Operation | Origin::Hidden => say!("{} = {}", name, shown),
        }
    });
    let values = joined(&values.collect::<Vec<_>>(), ", ");
    let system = match (choice.sure, avoidance.system) {
        (true, true) => ", whatever the system does, and so could the system",
        (true, false) => ", whatever the system does; the system could not",
        (false, true) => ", if the system goes along, and so could the system",
        (false, false) => ", if the system goes along; the system alone could not",
    };
    say!("{} could have avoided it with ({}){}", who, values, system)
}
