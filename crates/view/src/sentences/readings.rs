//! What a property says, in English: a template over its pattern.

use wherefore_logic::{Goal, as_ctl, stable};
use wherefore_model::Query;

use super::Sentence;
use super::clauses::Mood;
use crate::parts::atom_numbers;
use crate::patterns::{PatternKind, PatternScope, PropertyPattern, pattern};
use crate::words::Telling;

/// What the property says, in a sentence.
pub(crate) fn reading(telling: &Telling<'_>) -> Sentence {
    let formula = &telling.query.formula;
    if formula.is_linear() {
        return telling.linear_reading().whole();
    }
    let root = Goal::holds(formula.root());
    let text = match telling.pattern() {
        Some(pattern) => telling.pattern_text(pattern),
        None => say!("it must be so that {}", telling.clause(root, Mood::Is)),
    };
    text.whole()
}

impl Telling<'_> {
    /// What a property of linear time says. Where it is a known pattern, the same formula of CTL is read.
    fn linear_reading(&self) -> Sentence {
        let over = |formula| Query {
            formula,
            ..self.query.clone()
        };
        let known = as_ctl(&self.query.formula).and_then(|formula| {
            let query = over(formula);
            let telling = self.about(&query);
            Some(telling.pattern_text(telling.pattern()?))
        });
        let known = known.or_else(|| {
            let query = over(stable(&self.query.formula)?);
            let root = Goal::holds(query.formula.root());
            let lasts = self.about(&query).clause(root, Mood::Must);
            Some(say!("from some time on, for ever, {}", lasts))
        });
        known.unwrap_or_else(|| {
            let root = Goal::holds(self.query.formula.root());
            say!("on every run {}", self.clause(root, Mood::Must))
        })
    }

    /// The same of another formula; nothing that it says is about the evidence.
    fn about<'q>(&'q self, query: &'q Query) -> Telling<'q> {
        Telling {
            report: self.report,
            query,
            evidence: self.evidence,
            judge: None,
        }
    }

    fn pattern(&self) -> Option<PropertyPattern> {
        let numbers = atom_numbers(self.report.model, self.query);
        let root = Goal::holds(self.query.formula.root());
        pattern(&self.query.formula, root, &|atom| numbers[atom.index()])
    }
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
