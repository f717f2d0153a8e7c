//! Phrases that several views share: shapes, badges, vacuity, notes.

use wherefore_base::Value;
use wherefore_evidence::{
    Avoidance, Choice, Claim, Decision, Evidence, Finding, Measure, Note, OPEN, ProofNode,
    Quantity, Region, Replay, Rule, Shape, SpaceSummary, Witness,
};
use wherefore_logic::{Kernel, Op, PathOp, PathPattern, Quantifier, SubId, kernel};
use wherefore_model::{Origin, PropertyBody, Query};

use crate::Report;
use crate::strands::{Strand, groups, strands};
use crate::words::{Telling, clean, count, list, sub_text};

/// What part of a property never mattered, in a sentence.
pub(crate) fn vacuity_text(report: &Report<'_>, query: &Query, sub: SubId) -> String {
    let formula = &query.formula;
    let text = |sub| format!("`{}`", sub_text(report, query, sub));
    let parent = formula
        .subs()
        .find(|&p| formula.op(p).operands().any(|operand| operand == sub));
    let never = format!(
        "{}{} never matters",
        which_of_equals(report, query, sub),
        text(sub)
    );
    let Some(parent) = parent else {
        return format!("{never}: the property holds whatever the model does");
    };
    let always = matches!(
        formula.op(formula.root()),
        Op::Path(Quantifier::Forall, PathOp::Globally(body)) if body == parent
    );
    match formula.op(parent) {
        Op::Implies(left, right) if right == sub && always => {
            format!("{} is never true, so {never}", text(left))
        }
        Op::Implies(left, right) if left == sub && always => {
            format!("{} always holds, so {never}", text(right))
        }
        _ => format!("{never}: the property holds whatever its truth"),
    }
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

/// The shape of an evidence in words: "2 steps, then a loop of 2 steps".
pub(crate) fn shape_text(evidence: &Evidence) -> String {
    let strands = strands(evidence);
    let Some(main) = strands.first() else {
        return "no step".to_string();
    };
    let run = run_text(main);
    let branches = groups(&strands)
        .iter()
        .skip(1)
        .filter(|group| !group[0].only_goes_on())
        .count();
    match evidence.shape {
        Shape::Tree if branches == 1 => format!("{run}, and 1 branch"),
        Shape::Tree if branches > 1 => format!("{run}, and {branches} branches"),
        Shape::Region => match evidence.regions.iter().next() {
            Some(region) => format!("{run}, then {}", region_size(region)),
            None => run,
        },
        _ => run,
    }
}

/// A run in words: "2 steps, then a loop of 1 step".
pub(crate) fn run_text(strand: &Strand<'_>) -> String {
    match strand.lasso() {
        Some((0, length)) => format!("a loop of {}", count(length, "step")),
        Some((prefix, length)) => {
            format!(
                "{}, then a loop of {}",
                count(prefix, "step"),
                count(length, "step")
            )
        }
        None if strand.steps() == 0 => "the initial state".to_string(),
        None => count(strand.steps(), "step"),
    }
}

/// A number of steps in words.
pub(crate) fn quantity_text(quantity: Quantity) -> String {
    match quantity {
        Quantity::Steps(steps) => count(steps as usize, "step"),
        Quantity::Infinite => "infinite".to_string(),
        Quantity::Undefined => {
            "undefined: no reachable state to start from has a fair path".to_string()
        }
    }
}

/// The size of a region: "a region of 5 states".
fn region_size(region: &Region) -> String {
    match region.size.to_string().as_str() {
        "1" => "a region of 1 state".to_string(),
        n => format!("a region of {n} states"),
    }
}

/// What a region shows: "`EF p` is false in all 5 states that can follow; there is no way out".
pub(crate) fn region_text(telling: &Telling<'_>, region: &Region) -> String {
    let claim = telling.claim(region.claim);
    let states = match region.size.to_string().as_str() {
        "1" => "the only state".to_string(),
        n => format!("all {n} states"),
    };
    let goal = match region.claim {
        Claim::Formula(goal, _) => goal,
        Claim::HasPath => return format!("{claim} in {states} that can follow"),
    };
    match kernel(&telling.query.formula, goal) {
        Kernel::Bounded(..) => format!("{claim}, as {states} within the bounds show"),
        Kernel::Path(PathPattern {
            goal: Some(goals), ..
        }) => {
            let facts = goals
                .iter()
                .map(|&goal| telling.claim(Claim::Formula(goal, None)));
            let facts = list(&facts.collect::<Vec<_>>());
            format!("{claim} in {states} that can follow; every way out leads to where {facts}")
        }
        _ => format!("{claim} in {states} that can follow; there is no way out"),
    }
}

/// What is known about the length of an evidence and about its re-check.
pub(crate) fn badges(evidence: &Evidence) -> Vec<String> {
    let minimal = &evidence.minimal;
    let least = match minimal.measure {
        Measure::Steps => "shortest".to_string(),
        Measure::TraceSteps => "shortest within the trace".to_string(),
        Measure::ProductSteps => "shortest in the product".to_string(),
        measure => format!("fewest {measure}"),
    };
    let known = || count(minimal.length as usize, minimal.measure.singular());
    let length = match (minimal.proved(), minimal.at_least) {
        (true, _) => format!("[{least}: proved]"),
        (false, _) if minimal.measure == Measure::ProductSteps => {
            format!("[best known in the product: {}]", known())
        }
        (false, 0) => format!("[best known: {}]", known()),
        (false, n) => format!("[best known: {}, at least {n}]", known()),
    };
    let open = evidence.proof.iter().filter(|node| node.rule.is_none());
    let open = match open.count() {
        0 => None,
        1 => Some("1 obligation open".to_string()),
        n => Some(format!("{n} obligations open")),
    };
    let replay = match (&evidence.replay, open) {
        (Replay::Ok, Some(open)) => format!("[shown part replayed, {open}]"),
        (Replay::Partial(what), Some(open)) if what == OPEN => {
            format!("[shown part replayed, {open}]")
        }
        (Replay::NotDone, Some(open)) => format!("[not replayed, {open}]"),
        (replay, _) => replay_text(replay),
    };
    vec![length, replay]
}

fn replay_text(replay: &Replay) -> String {
    match replay {
        Replay::NotDone => "[not replayed]".to_string(),
        Replay::Ok => "[replayed: ok]".to_string(),
        Replay::Partial(what) => format!("[replayed in part, not re-checked: {what}]"),
        Replay::Failed(_) => "[replay FAILED]".to_string(),
    }
}

/// The badges of the evidence of a property, with who chose it. How short it is, is said of whole
/// evidence only.
pub(crate) fn badges_of(report: &Report<'_>, evidence: &Evidence) -> Vec<String> {
    let mut badges = badges(evidence);
    if evidence.proof.iter().any(|node| node.rule.is_none()) {
        badges.remove(0);
    }
    let strategy = clean(&report.strategy.join(", "));
    let is_run = |node: &ProofNode| node.rule == Some(Rule::Run);
    let chosen = !strategy.is_empty() && !evidence.proof.iter().any(is_run);
    badges.extend(chosen.then(|| format!("[chosen by: {strategy}]")));
    badges
}

/// Where a run could still have kept a property, in a sentence.
pub(crate) fn decision_text(telling: &Telling<'_>, decision: &Decision) -> String {
    let it = if decision.sub == telling.query.formula.root() {
        "the property".to_string()
    } else {
        telling.quoted(decision.sub)
    };
    let Choice::Lost {
        from,
        to,
        instead,
        more,
        avoidable,
    } = &decision.choice
    else {
        return match &decision.choice {
            Choice::Fated(at) => {
                format!("no choice: from step {} on, no run keeps {it}", at.index())
            }
            _ => format!(
                "never decided: at every step of this run another one could still keep {it}"
            ),
        };
    };
    let other = |values: &Vec<Value>| other_step(telling, telling.values(*from), values);
    let mut others: Vec<String> = Vec::new();
    for text in instead.iter().map(other) {
        if !others.contains(&text) {
            others.push(text);
        }
    }
    if *more {
        others.push("more".to_string());
    }
    let was = if others.len() == 1 { "was" } else { "were" };
    let who = match avoidable {
        Some(avoidance) => format!("; {}", avoidance_text(telling, avoidance)),
        None => String::new(),
    };
    format!(
        "decided at step {}: {} {was} possible and could still keep {it}, the step to {} cannot{who}",
        from.index(),
        list(&others),
        to.index()
    )
}

/// Who could have avoided a step, in a sentence.
fn avoidance_text(telling: &Telling<'_>, avoidance: &Avoidance) -> String {
    let report = &telling.report;
    let who = match report.only_chooses_process() {
        true => "the choice of the process",
        false => "the environment",
    };
    let Some(choice) = &avoidance.environment else {
        return match avoidance.system {
            true => format!("{who} could not have avoided it, the system could"),
            false => format!("neither {who} nor the system alone could have avoided it"),
        };
    };
    let values = choice.values.iter();
    let values = values.map(|&(var, value)| {
        let (name, shown) = (report.name(var), report.value(value));
        match report.model.vars[var].origin {
            Origin::Process => format!("{shown} runs"),
            Origin::Declared | Origin::Operation | Origin::Hidden => format!("{name} = {shown}"),
        }
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let system = match (choice.sure, avoidance.system) {
        (true, true) => ", whatever the system does, and so could the system",
        (true, false) => ", whatever the system does; the system could not",
        (false, true) => ", if the system goes along, and so could the system",
        (false, false) => ", if the system goes along; the system alone could not",
    };
    format!("{who} could have avoided it with ({values}){system}")
}

/// A step that was not taken, by what it would have changed.
fn other_step(telling: &Telling<'_>, old: &[Value], new: &[Value]) -> String {
    let texts = telling.report.moves(old, new);
    match &texts[..] {
        [] => "(nothing changes)".to_string(),
        texts => format!("({})", texts.join(", ")),
    }
}

/// On which run a property matters, in a sentence.
pub(crate) fn witness_text(report: &Report<'_>, finding: &Finding, witness: &Witness) -> String {
    let by = if witness.by { "TRUE" } else { "FALSE" };
    let part = match &report.property(finding).body {
        PropertyBody::Query(query) => sub_text(report, query, witness.replaced),
        _ => String::new(),
    };
    format!("were `{part}` always {by}, it would fail on this run")
}

/// Why a property that holds by its form does.
pub(crate) const BY_FORM: &str = "by its form: only runs that go on for ever count, and of them it says no \
     more than that they go on; so it holds in every model";

/// Why a property holds where there is nothing that it could be false of.
pub(crate) const NO_START: &str = "only because there is no initial state";

/// What is to be said with a number of states, if symmetric ones are left out.
pub(crate) fn up_to(space: &SpaceSummary) -> String {
    match space.symmetries {
        0 => String::new(),
        1 => " up to 1 symmetry".to_string(),
        n => format!(" up to {n} symmetries"),
    }
}

/// A circumstance as a sentence.
pub(crate) fn note_text(report: &Report<'_>, note: &Note) -> String {
    let state = |values: &[Value]| report.state_text(values, false);
    match note {
        Note::NoInitialState => {
            "the model has no initial state, so every property holds".to_string()
        }
        Note::NoFairState => {
            "no reachable state starts a fair path, so every CTL property holds".to_string()
        }
        Note::UnfairInitialStates(n, least) => {
            let (n, verb) = (
                n.to_string(),
                "not checked, because no fair path starts there",
            );
            match n.as_str() {
                "1" => format!("1 initial state is {verb}: {}", state(least)),
                _ => format!("{n} initial states are {verb}; the first: {}", state(least)),
            }
        }
        Note::Said(sentence) => clean(sentence),
        Note::Unavailable(wishes) => {
            let options: Vec<String> = wishes.iter().map(|w| w.option().to_string()).collect();
            let verb = if options.len() == 1 { "is" } else { "are" };
            format!(
                "{} {verb} for CTL and INVARSPEC only: a property of LTL that fails is shown by one shortest \
                 run, and COMPUTE gives a number",
                list(&options)
            )
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
                    format!("1 reachable state has no successor, {steps} from the start: {state}")
                }
                n => format!(
                    "{n} reachable states have no successor; the nearest, {steps} from the start: {state}"
                ),
            }
        }
    }
}
