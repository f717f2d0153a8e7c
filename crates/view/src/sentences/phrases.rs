//! Phrases that several views share: shapes, badges, vacuity, notes.

use wherefore_base::Value;
use wherefore_evidence::{
    Assertion, Claim, Evidence, Finding, Note, OPEN, OccurrenceId, ProofId, PropertyWitness,
    Quantity, Region, Replay, SaidStates, Shape, SpaceSummary, StatesFrom,
};
use wherefore_logic::{Goal, Kernel, LinearOp, Op, PathOp, PathPattern, Quantifier, SubId, kernel};
use wherefore_model::{PropertyBody, Query};

use super::checked::{SentenceJudge, SentenceKind};
use super::length::KnownLength;
use super::nothing::{deadlocks_matter, no_run};
use super::paths::ClaimPath;
use super::{Sentence, SentenceAssertion, count, formula, list};
use crate::Report;
use crate::strands::{Strand, groups, strands};
use crate::words::{Telling, clean, fair, sub_text};

/// What part of a property never mattered, in a sentence.
pub(crate) fn vacuity_text(report: &Report<'_>, query: &Query, sub: SubId) -> Sentence {
    let base = SentenceJudge::base(report, query);
    let judge = base.map(|base| SentenceJudge::new(base, None, false));
    vacuity_text_by(report, query, sub, judge.as_deref())
}

/// The same, as somebody decides what is true.
pub(crate) fn vacuity_text_by(
    report: &Report<'_>,
    query: &Query,
    sub: SubId,
    judge: Option<&SentenceJudge<'_>>,
) -> Sentence {
    let text = |sub| formula(sub_text(report, query, sub));
    let formula = &query.formula;
    let parent = formula
        .subs()
        .find(|&p| formula.op(p).operands().any(|operand| operand == sub));
    let which = which_of_equals(report, query, sub);
    let never =
        say!("{}{} has no effect", which, text(sub)).asserting(Assertion::NeverMatters(sub));
    let checked = |sentences: Vec<Sentence>| match judge {
        Some(judge) => {
            // The verdict says that it holds vacuously, and the weakest sentence says no more than that.
            let found = say!("{}{} never matters, as the engine found", which, text(sub));
            let sentences = [sentences, vec![found]].concat();
            judge.first_true(SentenceKind::Vacuity, sentences)
        }
        None => sentences.into_iter().next().unwrap_or_default(),
    };
    let Some(parent) = parent else {
        return checked(vec![say!(
            "{}: the property holds whatever the model does",
            never
        )]);
    };
    let always = matches!(
        formula.op(formula.root()),
        Op::Path(Quantifier::Forall, PathOp::Globally(body)) | Op::Linear(LinearOp::Globally(body))
            if body == parent
    );
    // What is so along runs is not said of states.
    let of_states = |goal: Goal| !formula.is_linear() || formula.propositional()[goal.sub];
    let everywhere = |goal: Goal, words: &str, counted: bool| {
        let come = match (counted, fair(report, query)) {
            (false, _) => Sentence::default(),
            (true, "") => " on endless runs".into(),
            (true, fair) => say!(" on {}runs", fair),
        };
        let words = say!("{} {}{}, so {}", text(goal.sub), words, come, &never);
        words.asserting(Assertion::Every {
            of: SaidStates {
                which: StatesFrom::Initial,
                at: OccurrenceId::new(0),
                going_on: counted,
            },
            goals: vec![goal],
        })
    };
    let (goal, words) = match formula.op(parent) {
        Op::Implies(left, right) if right == sub && always => (Goal::fails(left), "is never true"),
        Op::Implies(left, right) if left == sub && always => (Goal::holds(right), "always holds"),
        _ => {
            let words = say!("{}: the property holds whatever its truth", never);
            return checked(vec![words]);
        }
    };
    if !of_states(goal) {
        return checked(vec![never]);
    }
    checked(vec![
        everywhere(goal, words, false),
        everywhere(goal, words, true),
        never.clone(),
    ])
}

/// "the second " where a property has several sub-formulas with the same text.
fn which_of_equals(report: &Report<'_>, query: &Query, sub: SubId) -> &'static str {
    let text = sub_text(report, query, sub);
    let mut equals: Vec<SubId> = query
        .formula
        .subs()
        .filter(|&s| sub_text(report, query, s) == text)
        .collect();
    equals.sort_by_key(|&s| query.formula.node(s).span.map(|span| span.start));
    match (equals.len(), equals.iter().position(|&s| s == sub)) {
        (2.., Some(0)) => "the first ",
        (2.., Some(1)) => "the second ",
        (2.., Some(2)) => "the third ",
        (2.., Some(_)) => "a further ",
        _ => "",
    }
}

/// The same for the evidence of a telling.
pub(crate) fn shape_of(telling: &Telling<'_>) -> Sentence {
    let words = shape_text(telling.report.start(), telling.evidence);
    let (run, back) = telling.evidence.main_run();
    let back = back.and_then(|back| run.iter().position(|&at| at == back));
    let path = ClaimPath {
        run,
        back,
        end: ProofId::new(0),
    };
    let words = match path.run.is_empty() {
        true => words,
        false => words.asserting(path.asserted(&[], &[], false)),
    };
    telling.if_true(SentenceKind::Shape, words)
}

/// The shape of an evidence in words: "2 steps, then a loop of 2 steps".
pub(crate) fn shape_text(start: &str, evidence: &Evidence) -> Sentence {
    let strands = strands(evidence);
    let Some(main) = strands.first() else {
        return "no step".into();
    };
    let run = run_text(start, main);
    let branches = groups(&strands)
        .iter()
        .skip(1)
        .filter(|group| !group[0].only_goes_on())
        .count();
    match evidence.shape {
        Shape::Tree if branches == 1 => say!("{}, and 1 branch", run),
        Shape::Tree if branches > 1 => say!("{}, and {} branches", run, branches),
        Shape::Region => match evidence.regions.iter().next() {
            Some(region) => say!("{}, then {}", run, region_size(region)),
            None => run,
        },
        _ => run,
    }
}

/// A run in words: "2 steps, then a loop of 1 step".
pub(crate) fn run_text(start: &str, strand: &Strand<'_>) -> Sentence {
    match strand.lasso() {
        Some((0, length)) => say!("a loop of {}", count(length, "step")),
        Some((prefix, length)) => {
            say!(
                "{}, then a loop of {}",
                count(prefix, "step"),
                count(length, "step")
            )
        }
        None if strand.steps() == 0 => say!("the {}", start),
        None => count(strand.steps(), "step"),
    }
}

/// The number of steps that a property asks for, in words; whether it was counted again is said.
pub(crate) fn quantity_text(
    report: &Report<'_>,
    finding: &Finding,
    quantity: Quantity,
) -> Sentence {
    let words: Sentence = match quantity {
        Quantity::Steps(steps) => count(steps as usize, "step"),
        Quantity::Infinite => "infinite".into(),
        Quantity::Undefined => "undefined: no reachable state to start from has a fair path".into(),
    };
    let PropertyBody::Distance(distance) = report.property(finding).body else {
        return words;
    };
    let checked = words
        .clone()
        .asserting(Assertion::Distance(distance, quantity));
    let weaker = say!("{} (not re-checked: too many states)", &words);
    SentenceJudge::with(report, None, |judge| match judge {
        Some(judge) => judge.first_true(SentenceKind::Note, vec![checked, weaker]),
        None => words,
    })
}

/// The size of a region: "a region of 5 states".
fn region_size(region: &Region) -> Sentence {
    match region.size.to_string().as_str() {
        "1" => "a region of 1 state".into(),
        n => say!("a region of {} states", n),
    }
}

/// What a region shows: "`EF p` is false in all 5 states from there on; there is no way out".
pub(crate) fn region_text(telling: &Telling<'_>, region: &Region) -> Sentence {
    let claim = telling.claim_at(region.claim, region.at);
    let Claim::Formula(goal, _) = region.claim else {
        return telling.if_true(SentenceKind::Region, claim);
    };
    let facts = |goals: &[Goal]| {
        let facts = goals.iter();
        let facts = facts.map(|&goal| telling.claim(Claim::Formula(goal, None)));
        list(&facts.collect::<Vec<_>>())
    };
    let sentence = |counted: bool| {
        let states = telling.shown_states(goal, region, counted)?;
        let show = match region.size.to_string().as_str() {
            "1" => "shows",
            _ => "show",
        };
        // A claim about the states of the region, one by one.
        let in_all = |which: StatesFrom| Assertion::Every {
            of: telling.said(which, region.at, counted),
            goals: vec![goal],
        };
        Some(match kernel(&telling.query.formula, goal) {
            Kernel::Path(PathPattern {
                goal: Some(goals), ..
            }) if region.size.to_string() == "1" && telling.are_known(&goals, region.at) => {
                let here = goals.iter().map(|&goal| Assertion::at(goal, region.at));
                let words = say!("{}, since {} there", &claim, facts(&goals));
                here.fold(words, Sentence::asserting)
            }
            Kernel::Path(PathPattern {
                goal: Some(goals), ..
            }) => {
                let words = say!("{} in {}, up to where {}", &claim, states, facts(&goals));
                words.asserting(in_all(StatesFrom::UpTo(goals)))
            }
            Kernel::Path(_) => {
                let words = say!("{} in {}; there is no way out", &claim, states);
                words.asserting(in_all(StatesFrom::All))
            }
            _ => say!("{}, as {} {}", &claim, states, show),
        })
    };
    let sentences = [false, true].into_iter().filter_map(sentence);
    let sentences: Vec<Sentence> = sentences.chain([claim.clone()]).collect();
    telling.first_true(SentenceKind::Region, sentences)
}

/// What is known about the length of an evidence, which somebody may have chosen, and about its re-check.
pub(crate) fn badges(
    evidence: &Evidence,
    chosen: bool,
    judge: Option<&SentenceJudge<'_>>,
) -> Vec<Sentence> {
    let length = KnownLength::of(evidence, judge).sentence(chosen);
    let open = evidence.proof.iter().filter(|node| node.rule.is_none());
    let open = Some(open.count()).filter(|open| *open > 0);
    let open = open.map(|open| say!("{} open", count(open, "obligation")));
    let replay = match (&evidence.replay, open) {
        (Replay::Ok, Some(open)) => say!("[shown part replayed, {}]", open),
        (Replay::Partial(what), Some(open)) if what == OPEN => {
            say!("[shown part replayed, {}]", open)
        }
        (Replay::NotDone, Some(open)) => say!("[not replayed, {}]", open),
        (replay, _) => replay_text(replay),
    };
    vec![
        length,
        replay.asserting(SentenceAssertion::Replayed(evidence.replay.clone())),
    ]
}

/// The same for the evidence of a telling.
pub(crate) fn checked_badges(telling: &Telling<'_>) -> Vec<Sentence> {
    let chosen = !telling.report.strategy.is_empty();
    badges(telling.evidence, chosen, telling.judge.as_deref())
}

pub(crate) fn replay_text(replay: &Replay) -> Sentence {
    match replay {
        Replay::NotDone => "[not replayed]".into(),
        Replay::Ok => "[replayed: ok]".into(),
        Replay::Partial(what) => say!("[replayed in part, not re-checked: {}]", what),
        Replay::Failed(_) => "[replay FAILED]".into(),
    }
}

/// The badges of the evidence of a property, with who chose it. How short it is, is said of whole
/// evidence only.
pub(crate) fn badges_of(telling: &Telling<'_>) -> Vec<Sentence> {
    let (report, evidence) = (&telling.report, telling.evidence);
    let mut badges = checked_badges(telling);
    if evidence.proof.iter().any(|node| node.rule.is_none()) {
        badges.remove(0);
    }
    let strategy = clean(&report.strategy.join(", "));
    badges.extend((!strategy.is_empty()).then(|| say!("[chosen by: {}]", strategy)));
    badges
}

/// On which run a property matters, in a sentence.
pub(crate) fn witness_text(
    telling: &Telling<'_>,
    finding: &Finding,
    witness: &PropertyWitness,
) -> Sentence {
    let report = &telling.report;
    let by = if witness.by { "TRUE" } else { "FALSE" };
    let part = match &report.property(finding).body {
        PropertyBody::Query(query) | PropertyBody::Linear(query) => {
            sub_text(report, query, witness.replaced)
        }
        _ => String::new(),
    };
    let words = say!(
        "were {} always {}, it would fail on this run",
        formula(part),
        by
    );
    // The query of the witness has that constant in its place.
    let fails = Goal::fails(witness.query.formula.root());
    let words = words.asserting(Assertion::at(fails, OccurrenceId::new(0)));
    telling.if_true(SentenceKind::Badge, words)
}

/// Why a property that holds by its form does.
pub(crate) const BY_FORM: &str = "by its form: only runs that go on for ever count, and of them it says no \
     more than that they go on; so it holds in every model";

/// What is to be said with a number of states, if symmetric ones are left out.
pub(crate) fn up_to(space: &SpaceSummary) -> Sentence {
    match space.symmetries {
        0 => Sentence::default(),
        1 => " up to 1 symmetry".into(),
        n => say!(" up to {} symmetries", n),
    }
}

/// A circumstance that belongs to a verdict, or to a model, as a sentence; nothing if it is refuted.
pub(crate) fn checked_note(report: &Report<'_>, query: Option<&Query>, note: &Note) -> Sentence {
    SentenceJudge::with(report, query, |judge| note_text_by(report, note, judge))
}

/// The same, with the checker that decides it.
pub(crate) fn note_text_by(
    report: &Report<'_>,
    note: &Note,
    judge: Option<&SentenceJudge<'_>>,
) -> Sentence {
    let words = note_text(report, note);
    match (judge, note) {
        (None, _) | (_, Note::Said(_) | Note::Unavailable { .. }) => words,
        (Some(judge), note) => {
            let words = words.asserting(Assertion::Noted(note.clone()));
            judge.certified(SentenceKind::Note, words)
        }
    }
}

fn note_text(report: &Report<'_>, note: &Note) -> Sentence {
    let state = |values: &[Value]| report.state_text(values, false);
    match note {
        Note::NoInitialState => "the model has no initial state, so every property holds".into(),
        Note::NoFairState(why) => no_run(report, *why),
        Note::DeadlocksMatter(holds) => deadlocks_matter(*holds),
        Note::UnfairInitialStates(n, least) => {
            let (n, verb) = (
                n.to_string(),
                "not checked, because no fair path starts there",
            );
            match n.as_str() {
                "1" => say!("1 {} is {}: {}", report.start(), verb, state(least)),
                _ => say!(
                    "{} {}s are {}; the first: {}",
                    n,
                    report.start(),
                    verb,
                    state(least)
                ),
            }
        }
        Note::Said(sentence) => clean(sentence).into(),
        Note::Unavailable { wishes, why } => {
            let options: Vec<Sentence> = wishes.iter().map(|w| w.option().into()).collect();
            let verb = if options.len() == 1 { "has" } else { "have" };
            say!("{} {} no effect here: {}", list(&options), verb, clean(why))
        }
        Note::Deadlocks {
            count: n,
            nearest,
            distance,
        } => {
            let steps = count(*distance as usize, "step");
            let state = state(nearest);
            match n.to_string().as_str() {
                "1" => {
                    say!(
                        "1 reachable state has no successor, {} from the start: {}",
                        steps,
                        state
                    )
                }
                n => say!(
                    "{} reachable states have no successor; the nearest, {} from the start: {}",
                    n,
                    steps,
                    state
                ),
            }
        }
    }
}
