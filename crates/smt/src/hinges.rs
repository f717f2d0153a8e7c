//! Which conditions of the text a run hinges on.
//!
//! A condition is a term of sort `Bool` that is written at one place. With the opposite truth value there, the relation is evaluated
//! again at each step of the run: where it is false then, the run hinges on the condition; where it is true at every step, it does not,
//! whatever stands there. What is written twice or stands under a quantifier is left open.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Budget, Run, Span};

use crate::eval::{holds, holds_with};
use crate::reading::PlacedConditions;
use crate::sort::SortId;
use crate::system::TermSystem;
use crate::term::{SmtTerm, SmtTermId, SmtTerms};
use crate::trace::SolverTrace;
use crate::value::SmtValuation;

/// So many terms are evaluated at most, over all conditions and steps.
const MOST_WORK: usize = 50_000_000;

/// A condition that a run hinges on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermHinge {
    /// Where it is written.
    pub span: Span,
    /// The first step that could not be taken, by the position of the state that it leaves; `None`: the run could not begin.
    pub step: Option<usize>,
    /// The truth value of the condition there.
    pub value: bool,
}

/// What a run hinges on.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct TermHinges {
    /// The conditions, in the order of the text.
    pub hinges: Vec<TermHinge>,
    /// The conditions that can be anything without a change of the run, in the order of the text.
    pub excluded: Vec<Span>,
}

/// Finds what a run hinges on among the conditions of the text.
///
/// # Errors
/// When the budget ends first.
pub fn term_hinges(
    system: &TermSystem,
    conditions: &PlacedConditions,
    trace: &SolverTrace,
    budget: &Budget,
) -> Run<TermHinges> {
    let single = single_places(&conditions.places);
    let system = &TermSystem {
        terms: conditions.terms.clone(),
        ..system.clone()
    };
    let mut found = TermHinges::default();
    let mut work = 0;
    let start = [(None, trace.at(system, 0))];
    let steps = 0..trace.steps().len();
    let steps: Vec<(Option<usize>, SmtValuation)> = steps
        .map(|step| (Some(trace.steps()[step].0), trace.in_step(system, step)))
        .collect();
    for (root, points) in [(system.init, &start[..]), (system.trans, &steps[..])] {
        let roots = [system.init, system.trans];
        let (once, size) = used(&system.terms, root, roots, conditions.by_text);
        let mut placed: Vec<(Span, SmtTermId)> = once
            .into_iter()
            .filter_map(|term| Some((*single.get(&term)?, term)))
            .collect();
        placed.sort_unstable_by_key(|(span, _)| (span.start, span.end));
        for (span, term) in placed {
            budget.check()?;
            work += size * points.len();
            if work > MOST_WORK {
                break;
            }
            match hinge(system, root, term, points) {
                Some(Some((step, value))) => found.hinges.push(TermHinge { span, step, value }),
                Some(None) => found.excluded.push(span),
                None => {}
            }
        }
    }
    (found.excluded).sort_by_key(|span| (span.start, span.end));
    found
        .hinges
        .sort_by_key(|hinge| (hinge.span.start, hinge.span.end));
    Ok(found)
}

/// The first point at which a condition matters with its value there, or that it matters at none; `None` if that is not known.
#[allow(clippy::option_option)]
fn hinge(
    system: &TermSystem,
    root: SmtTermId,
    term: SmtTermId,
    points: &[(Option<usize>, SmtValuation)],
) -> Option<Option<(Option<usize>, bool)>> {
    for (step, valuation) in points {
        let value = holds(&system.terms, term, valuation).ok()?;
        if !holds_with(&system.terms, root, valuation, (term, !value)).ok()? {
            return Some(Some((*step, value)));
        }
    }
    Some(None)
}

/// The terms that are written at one place, with their places.
fn single_places(places: &[(SmtTermId, Span)]) -> FxHashMap<SmtTermId, Span> {
    let mut single: FxHashMap<SmtTermId, Span> = FxHashMap::default();
    let mut several: FxHashSet<SmtTermId> = FxHashSet::default();
    for &(term, span) in places {
        if single
            .insert(term, span)
            .is_some_and(|before| before != span)
        {
            several.insert(term);
        }
    }
    single.retain(|term, _| !several.contains(term));
    single
}

/// The conditions in a root that no quantifier is above; unless terms are as they are written, those to which exactly one way leads from
/// all roots. With the number of terms in the root.
fn used(
    terms: &SmtTerms,
    root: SmtTermId,
    roots: [SmtTermId; 2],
    by_text: bool,
) -> (Vec<SmtTermId>, usize) {
    // From above: when a term is looked at, everything that it is an operand of has been.
    let mut ways: FxHashMap<SmtTermId, u32> = FxHashMap::default();
    let mut bound: FxHashSet<SmtTermId> = FxHashSet::default();
    let all = reachable(terms, &roots);
    let inside: FxHashSet<SmtTermId> = reachable(terms, &[root]).into_iter().collect();
    for &root in &roots {
        *ways.entry(root).or_default() += 1;
    }
    for &term in all.iter().rev() {
        let count = ways.get(&term).copied().unwrap_or(0);
        let quantified = matches!(terms.get(term), SmtTerm::Quantified(..));
        let under = quantified || bound.contains(&term);
        for operand in terms.operands(term) {
            let entry = ways.entry(operand).or_default();
            *entry = entry.saturating_add(count).min(2);
            if under {
                bound.insert(operand);
            }
        }
    }
    let once = all.into_iter().filter(|term| {
        let is_condition = terms.sort(*term) == SortId::BOOL && !bound.contains(term);
        is_condition && (by_text || ways.get(term) == Some(&1)) && inside.contains(term)
    });
    (once.collect(), inside.len())
}

/// All terms within some terms, operands before what they are operands of.
fn reachable(terms: &SmtTerms, roots: &[SmtTermId]) -> Vec<SmtTermId> {
    let mut order = Vec::new();
    let mut seen: FxHashSet<SmtTermId> = FxHashSet::default();
    let mut open: Vec<(SmtTermId, bool)> = roots.iter().map(|&root| (root, false)).collect();
    while let Some((term, done)) = open.pop() {
        if done {
            order.push(term);
        } else if seen.insert(term) {
            open.push((term, true));
            open.extend(
                terms
                    .operands(term)
                    .into_iter()
                    .map(|operand| (operand, false)),
            );
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use wherefore_base::FileId;

    use super::*;
    use crate::trace::{TraceFault, TraceMeaning};
    use crate::value::SmtValue;
    use crate::{SmtReading, read};

    fn reading(text: &str) -> SmtReading {
        let read = read("a.vmt", FileId::new(0), text);
        assert!(read.is_usable(), "{:?}", read.diagnostics);
        read
    }

    /// A run through values of the one variable.
    fn run(values: &[i64]) -> SolverTrace {
        let state = |&value: &i64| vec![TraceMeaning::Value(SmtValue::Int(value.into()))];
        SolverTrace {
            states: values.iter().map(state).collect(),
            inputs: vec![vec![]; values.len().saturating_sub(1)],
            ..SolverTrace::default()
        }
    }

    const HEAD: &str =
        "(declare-fun x () Int) (declare-fun y () Int)\n(define-fun .x () Int (! x :next y))\n";

    /// What a run hinges on and what not, as text; each is confirmed with constants in its place.
    fn told(text: &str, values: &[i64]) -> (Vec<String>, Vec<String>) {
        let read = reading(text);
        let conditions = read.scope.conditions(&read.system);
        let system = &read.system;
        let trace = run(values);
        assert_eq!(trace.replay(system, true), Ok(()));
        let found = term_hinges(system, &conditions, &trace, &Budget::unlimited());
        let found = found.expect("no limit");
        let with = |span: Span, value: bool| {
            let mut changed = text.to_string();
            let (start, end) = (span.start as usize, span.end as usize);
            changed.replace_range(start..end, if value { "true" } else { "false" });
            trace.replay(&reading(&changed).system, true)
        };
        for hinge in &found.hinges {
            let now = with(hinge.span, !hinge.value);
            assert!(matches!(now, Err(TraceFault::Broken(_))), "{hinge:?}");
        }
        for &span in &found.excluded {
            assert_eq!([with(span, true), with(span, false)], [Ok(()), Ok(())]);
        }
        let shown = |span: Span| text[span.start as usize..span.end as usize].to_string();
        (
            found.hinges.iter().map(|hinge| shown(hinge.span)).collect(),
            found.excluded.iter().map(|&span| shown(span)).collect(),
        )
    }

    #[test]
    fn a_run_hinges_on_what_lets_it_begin_and_step() {
        let text = format!(
            "{HEAD}(define-fun .i () Bool (! (and (= x 0) (or (< x 9) (> x 20))) :init true))\n\
             (define-fun .t () Bool (! (and (or (< x 5) (> x 100)) (= y (+ x 1))) :trans true))\n"
        );
        let (hinges, excluded) = told(&text, &[0, 1, 2]);
        for wanted in [
            "(= x 0)",
            "(< x 9)",
            "(or (< x 5) (> x 100))",
            "(= y (+ x 1))",
        ] {
            assert!(
                hinges.iter().any(|hinge| hinge == wanted),
                "{wanted}: {hinges:?}"
            );
        }
        assert_eq!(excluded, ["(> x 20)", "(> x 100)"]);
    }

    #[test]
    fn what_stands_twice_or_under_a_quantifier_is_left_open() {
        let text = format!(
            "{HEAD}(define-fun .i () Bool (! (= x 0) :init true))\n\
             (define-fun .t () Bool (! (and (= (> x 3) (> x 3)) (forall ((b Bool)) (or b (not b) (< x 9))) (= y (+ x 1))) :trans true))\n"
        );
        let (hinges, excluded) = told(&text, &[0, 1]);
        assert!(!hinges.iter().any(|hinge| hinge == "(> x 3)"), "{hinges:?}");
        assert!(
            !excluded
                .iter()
                .any(|one| one == "(> x 3)" || one == "(< x 9)"),
            "{excluded:?}"
        );
    }

    #[test]
    fn definitions_and_branches_are_looked_into() {
        let text = format!(
            "{HEAD}(define-fun low () Bool (< x 2))\n\
             (define-fun .i () Bool (! (>= x 0) :init true))\n\
             (define-fun .t () Bool (! (ite low (= y (+ x 1)) (= y (* x 7))) :trans true))\n"
        );
        let (hinges, excluded) = told(&text, &[0, 1, 2]);
        assert!(hinges.iter().any(|hinge| hinge == "(< x 2)"), "{hinges:?}");
        assert_eq!(excluded, ["(= y (* x 7))"]);
    }

    #[test]
    fn a_definition_is_one_place_however_often_it_is_used() {
        let text = format!(
            "{HEAD}(define-fun stays () Bool (= y x))\n\
             (define-fun .i () Bool (! (= x 0) :init true))\n\
             (define-fun .t () Bool (! (or (and (< x 1) (= y (+ x 1))) (and (> x 5) stays) (and (> x 7) stays)) :trans true))\n"
        );
        let (hinges, excluded) = told(&text, &[0, 1]);
        assert!(hinges.iter().any(|hinge| hinge == "(< x 1)"), "{hinges:?}");
        assert!(excluded.iter().any(|one| one == "(= y x)"), "{excluded:?}");
    }

    #[test]
    fn what_a_definition_with_parameters_gives_is_not_taken_for_another_place() {
        let text = format!(
            "{HEAD}(define-fun small ((a Int)) Bool (< a 5))\n\
             (define-fun .i () Bool (! (= x 0) :init true))\n\
             (define-fun .t () Bool (! (and (or (< x 5) (> y 0)) (small x) (= y (+ x 1))) :trans true))\n"
        );
        let (hinges, excluded) = told(&text, &[0, 1]);
        assert!(!hinges.iter().any(|hinge| hinge == "(< x 5)"), "{hinges:?}");
        assert!(!excluded.iter().any(|one| one == "(< x 5)"), "{excluded:?}");
    }
}
