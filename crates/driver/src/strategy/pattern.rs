//! A strategy that the pattern of a property suggests.
//!
//! Chechik and Gurfinkel (2005) propose to connect strategies with the property patterns of Dwyer, Avrunin and Corbett
//! (1999): what a property says tells which of its counterexamples is worth seeing.
//!
//! | pattern | what is shown |
//! |---|---|
//! | `AG (p -> AF q)` | a loop through `p`: it is asked again and again and never answered |
//! | `AG AF q` | a run on which `q` was so and then never is again |

use wherefore_evidence::{Arrow, Automaton, BestLoop, Follow, Strategy};
use wherefore_logic::Goal;
use wherefore_model::{PropertyBody, TermId};
use wherefore_view::patterns::{PatternKind, PatternScope, pattern};
use wherefore_view::sub_text;

use crate::subjects::model::ModelSubject;

/// What the pattern of a property suggests.
#[derive(Clone, Debug)]
pub(super) struct Suggestion {
    /// What is wished for, in the words of the property.
    name: String,
    kind: SuggestedKind,
}

#[derive(Clone, Copy, Debug)]
enum SuggestedKind {
    /// A loop through states where the condition is true.
    Through(TermId),
    /// A run on which the condition was true and then never is.
    ThenNever(TermId),
}

impl Suggestion {
    /// What is suggested for a property of a model, if its pattern is one of those that suggest something.
    pub(super) fn of(session: &mut ModelSubject, property: usize) -> Option<Self> {
        let PropertyBody::Query(query) = &session.model().properties[property].body else {
            return None;
        };
        let formula = &query.formula;
        let root = Goal {
            sub: formula.root(),
            holds: true,
        };
        let found = pattern(formula, root, &|atom| atom.index())?;
        if found.scope != PatternScope::Globally {
            return None;
        }
        let goal = match found.kind {
            PatternKind::Response(asked, _) => asked,
            PatternKind::Recurrence(goal) => goal,
            _ => return None,
        };
        let text = sub_text(&session.report(None, &[]), query, goal.sub);
        let text = match (goal.holds, text.contains(' ')) {
            (true, _) => text,
            (false, true) => format!("!({text})"),
            (false, false) => format!("!{text}"),
        };
        let term = session.proposition(property, goal)?;
        Some(match found.kind {
            PatternKind::Response(..) => Self {
                name: format!("pattern: a loop through {text}"),
                kind: SuggestedKind::Through(term),
            },
            _ => Self {
                name: format!("pattern: {text}, then never again"),
                kind: SuggestedKind::ThenNever(term),
            },
        })
    }

    /// The strategy.
    pub(super) fn strategy(&self) -> Box<dyn Strategy> {
        match self.kind {
            SuggestedKind::Through(condition) => {
                Box::new(BestLoop::through(condition).named(&self.name))
            }
            SuggestedKind::ThenNever(condition) => {
                let arrow = |truth, to| Arrow {
                    condition,
                    truth,
                    to,
                };
                // The automaton waits for the condition, and a loop is to enter the state after it.
                let automaton = Automaton {
                    arrows: vec![
                        vec![arrow(true, 1), arrow(false, 0)],
                        vec![arrow(true, 1), arrow(false, 1)],
                    ],
                    again: vec![1],
                };
                Box::new(Follow::automaton(automaton).named(&self.name))
            }
        }
    }
}
