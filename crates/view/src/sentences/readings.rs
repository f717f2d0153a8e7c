//! What a property says, in English: a template over its pattern.

use wherefore_logic::Goal;

use super::Sentence;
use super::clauses::Mood;
use crate::parts::atom_numbers;
use crate::patterns::{PatternKind, PatternScope, PropertyPattern, pattern};
use crate::words::Telling;

/// What the property says, in a sentence.
pub(crate) fn reading(telling: &Telling<'_>) -> Sentence {
    let formula = &telling.query.formula;
    let numbers = atom_numbers(telling.report.model, telling.query);
    let root = Goal::holds(formula.root());
    let text: Sentence = match pattern(formula, root, &|atom| numbers[atom.index()]) {
        Some(pattern) => telling.pattern_text(pattern),
        None => say!("it must be so that {}", telling.clause(root, Mood::Is)),
    };
    text.whole()
}

impl Telling<'_> {
    fn pattern_text(&self, pattern: PropertyPattern) -> Sentence {
        let is = |goal| self.clause(goal, Mood::Is);
        let must = |goal| self.clause(goal, Mood::Must);
        let text = match pattern.kind {
            PatternKind::Absence(p) => say!("it must never happen that {}", is(p)),
            PatternKind::Universality(p) => say!("at all times {}", must(p)),
            PatternKind::Implication(p, q) => {
                say!("whenever {}, {} at the same time", is(p), must(q))
            }
            PatternKind::Exclusion(p, q) => {
                say!(
                    "it must never happen that {} and {} at the same time",
                    is(p),
                    is(q)
                )
            }
            PatternKind::Existence(p) => say!("sooner or later {}", must(p)),
            PatternKind::AtMost(p, 0) => say!("it must never come to be that {}", is(p)),
            PatternKind::AtMost(p, 1) => say!("at most once may it come to be that {}", is(p)),
            PatternKind::AtMost(p, n) => {
                say!("at most {} times may it come to be that {}", n, is(p))
            }
            PatternKind::Precedence(first, then) => {
                say!(
                    "it must never happen that {} before {}",
                    is(then),
                    is(first)
                )
            }
            PatternKind::Response(p, s) => say!("whenever {}, sooner or later {}", is(p), must(s)),
            PatternKind::NextResponse(p, s) => {
                say!("whenever {}, in every next state {}", is(p), must(s))
            }
            PatternKind::PossibleResponse(p, s) => {
                say!(
                    "whenever {}, it must be possible that later {}",
                    is(p),
                    is(s)
                )
            }
            PatternKind::Recurrence(p) => say!("again and again, for ever, {}", must(p)),
            PatternKind::Reset(p) => say!(
                "whatever has happened, it must be possible to come to where {}",
                is(p)
            ),
            PatternKind::Reachable(p) => say!("it must be possible to come to where {}", is(p)),
            PatternKind::Lasting(p) => {
                say!("it must be possible that from the start {} for ever", is(p))
            }
            PatternKind::NoDeadlock => "at all times it must be possible to make a step".into(),
        };
        match pattern.scope {
            PatternScope::Globally => text,
            PatternScope::Before(r) => {
                say!(
                    "before the first time that {}, if there is one, {}",
                    is(r),
                    text
                )
            }
            PatternScope::After(q) => say!("once it was so that {}, {}", is(q), text),
        }
    }
}
