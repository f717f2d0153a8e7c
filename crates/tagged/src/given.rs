//! A counterexample that somebody has: a sequence of labels, found again in the graph.

use std::fmt;

use fixedbitset::FixedBitSet;
use wherefore_base::{Budget, Run, nearest};
use wherefore_model::lts::LabelId;

use crate::course::{Course, CourseEnding};
use crate::lasso::breaks_round;
use crate::maximal::is_deadlock;
use crate::search::along;
use crate::tagged::{NodeId, TagReading, TagTarget, Tagged, Zone};

/// How many labels a message lists.
const LISTED: usize = 8;

/// Why a sequence of labels is not a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceMisfit {
    /// No label of the system has the text of a step.
    Unknown {
        /// Which step, counted from 0.
        step: usize,
        /// Its text.
        text: String,
        /// A label with a similar text.
        near: Option<String>,
    },
    /// The system cannot do a step after those before it.
    Impossible {
        /// Which step, counted from 0.
        step: usize,
        /// Its text.
        text: String,
        /// The texts of the labels that it could do there, in order.
        possible: Vec<String>,
    },
    /// After a step the property cannot be broken any more.
    Saved {
        /// Which step, counted from 0; `None`: it cannot be broken at all.
        step: Option<usize>,
        /// Its text.
        text: String,
    },
    /// The property is not broken at the end of the sequence, but could be later.
    Unbroken {
        /// How many steps there are.
        steps: usize,
    },
}

impl fmt::Display for TraceMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceMisfit::Unknown { step, text, near } => {
                let step = step + 1;
                write!(f, "step {step}, `{text}`: the system has no such label")?;
                match near {
                    Some(near) => write!(f, "; a similar one is `{near}`"),
                    None => Ok(()),
                }
            }
            TraceMisfit::Impossible {
                step,
                text,
                possible,
            } => {
                let step = step + 1;
                write!(f, "step {step}, `{text}`: not possible here; ")?;
                if possible.is_empty() {
                    return f.write_str("nothing is");
                }
                f.write_str(if possible.len() == 1 {
                    "possible is "
                } else {
                    "possible are "
                })?;
                for (index, text) in possible.iter().take(LISTED).enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}`{text}`")?;
                }
                match possible.len().saturating_sub(LISTED) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            TraceMisfit::Saved { step: None, .. } => {
                f.write_str("the trace keeps the property, as every run does")
            }
            TraceMisfit::Saved {
                step: Some(step),
                text,
            } => {
                let step = step + 1;
                write!(
                    f,
                    "the trace keeps the property: after step {step}, `{text}`, it cannot be broken any more"
                )
            }
            TraceMisfit::Unbroken { steps } => {
                let s = if *steps == 1 { "" } else { "s" };
                write!(
                    f,
                    "the trace keeps the property: it is not broken after its {steps} step{s}, \
                     though it could be later"
                )
            }
        }
    }
}

/// Finds a sequence of labels in the graph. Where steps with the same label lead to several states, all
/// are followed; of the courses that break the property it is one with the fewest kept steps, and of
/// those the one whose nodes come first.
///
/// For what whole runs must do, a sequence breaks the property when it cannot be kept any more at its end, or when
/// it comes back to where it was before and going round like that for ever breaks it.
pub fn given(
    graph: &Tagged<'_>,
    texts: &[String],
    budget: &Budget,
) -> Run<Result<Course, TraceMisfit>> {
    let Some(initial) = graph.initial() else {
        let text = String::new();
        return Ok(Err(TraceMisfit::Saved { step: None, text }));
    };
    let mut meter = budget.meter();
    let lts = graph.lts();
    let mut word: Vec<LabelId> = Vec::with_capacity(texts.len());
    let mut fronts: Vec<Vec<NodeId>> = vec![vec![initial]];
    let mut met = FixedBitSet::with_capacity(graph.nodes().len());
    for (step, text) in texts.iter().enumerate() {
        let Some(label) = lts.label(text) else {
            let names = lts.labels().iter().map(|label| label.text.as_str());
            return Ok(Err(TraceMisfit::Unknown {
                step,
                text: text.clone(),
                near: nearest(text, names, 2).map(str::to_string),
            }));
        };
        let front = fronts.last().expect("it has its start");
        let mut next = Vec::new();
        let mut saved = false;
        for &node in front {
            meter.tick()?;
            for step in graph.steps_with(node, label) {
                match step.to {
                    TagTarget::Node(to) if !met.put(to.index()) => next.push(to),
                    TagTarget::Node(_) => {}
                    TagTarget::Sink(_) => saved = true,
                }
            }
        }
        // Only what was set is cleared, so a step costs no more than its front.
        for node in &next {
            met.remove(node.index());
        }
        if next.is_empty() {
            let text = text.clone();
            return Ok(Err(if saved {
                TraceMisfit::Saved {
                    step: Some(step),
                    text,
                }
            } else {
                TraceMisfit::Impossible {
                    step,
                    text,
                    possible: possible(graph, front),
                }
            }));
        }
        next.sort_unstable();
        word.push(label);
        fronts.push(next);
    }
    let steps = word.len();
    let broken = |node: NodeId| match graph.reading() {
        TagReading::Branching | TagReading::Fate => graph.accepting(node),
        TagReading::Inevitable | TagReading::Linear => graph.zone(node) == Zone::Bad,
    };
    if !graph.reading().is_of_whole_runs() {
        let course = along(graph, &word, &fronts, broken, budget)?;
        return Ok(course.ok_or(TraceMisfit::Unbroken { steps }));
    }
    let mut course = along(graph, &word, &fronts, broken, budget)?;
    // No course is lost at its end, but one may have come back to where it was.
    if course.is_none() {
        course = along(graph, &word, &fronts, |_| true, budget)?;
    }
    let mut course = course.expect("the last front is not empty");
    let last = course.nodes[steps];
    if is_deadlock(graph, last) {
        course.ending = CourseEnding::Deadlock;
        return Ok(Ok(course));
    }
    let returns = (0..steps).filter(|&at| course.nodes[at] == last);
    for back in returns.collect::<Vec<usize>>() {
        if breaks_round(graph, &course, back, budget)? {
            course.ending = CourseEnding::Loop(back);
            return Ok(Ok(course));
        }
    }
    Ok(match broken(last) {
        true => Ok(course),
        false => Err(TraceMisfit::Unbroken { steps }),
    })
}

/// The texts of the labels that are possible at some of these nodes.
fn possible(graph: &Tagged<'_>, front: &[NodeId]) -> Vec<String> {
    let steps = front.iter().flat_map(|&node| graph.steps(node));
    let mut labels: Vec<LabelId> = steps.map(|step| step.label).collect();
    labels.sort_unstable();
    labels.dedup();
    let texts = labels.into_iter().map(|label| graph.lts().text(label));
    texts.map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{system, tagged};

    fn try_it(graph: &Tagged<'_>, texts: &[&str]) -> Result<Course, String> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        let found = given(graph, &texts, &Budget::unlimited()).expect("no limit");
        found.map_err(|misfit| misfit.to_string())
    }

    #[test]
    fn a_trace_is_followed_through_all_states_it_may_be_in() {
        let lts = system(
            5,
            &[
                (0, "a", 1),
                (0, "a", 2),
                (1, "b", 3),
                (2, "b", 4),
                (4, "BAD", 4),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let course = try_it(&graph, &["a", "b", "BAD"]).expect("it is one");
        assert_eq!(graph.pair(course.nodes[2]).state.index(), 4);
        let longer = try_it(&graph, &["a", "b", "BAD", "BAD"]).expect("it goes on");
        assert_eq!(longer.len(), 4);
    }

    #[test]
    fn a_trace_that_does_not_fit_is_told_why() {
        let lts = system(
            4,
            &[
                (0, "RECEIVE", 1),
                (0, "REST", 2),
                (1, "BAD", 3),
                (1, "SEND", 0),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let why = |texts: &[&str]| try_it(&graph, texts).expect_err("it does not fit");
        insta::assert_snapshot!(why(&["RECEIVE", "SEND", "SEND"]), @"step 3, `SEND`: not possible here; possible are `RECEIVE`, `REST`");
        insta::assert_snapshot!(why(&["RECEIVE", "BAD", "BAD"]), @"step 3, `BAD`: not possible here; nothing is");
        insta::assert_snapshot!(why(&["RECIEVE"]), @"step 1, `RECIEVE`: the system has no such label; a similar one is `RECEIVE`");
        insta::assert_snapshot!(why(&["RECEIVE", "SEND", "REST"]), @"the trace keeps the property: after step 3, `REST`, it cannot be broken any more");
        insta::assert_snapshot!(why(&["RECEIVE"]), @"the trace keeps the property: it is not broken after its 1 step, though it could be later");
    }

    #[test]
    fn where_every_run_keeps_the_property_so_does_a_trace() {
        let lts = system(2, &[(0, "a", 1)]);
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        insta::assert_snapshot!(try_it(&graph, &["a"]).expect_err("it holds"), @"the trace keeps the property, as every run does");
    }

    #[test]
    fn a_trace_on_which_it_does_not_happen_ends_or_comes_back() {
        let lts = system(
            4,
            &[(0, "a", 1), (1, "b", 0), (1, "quit", 2), (1, "done", 3)],
        );
        let graph = tagged(&lts, &["done"], TagReading::Inevitable);
        let ending = |texts: &[&str]| try_it(&graph, texts).map(|course| course.ending);
        assert_eq!(ending(&["a", "quit"]), Ok(CourseEnding::Deadlock));
        assert_eq!(ending(&["a", "b"]), Ok(CourseEnding::Loop(0)));
        assert_eq!(ending(&["a", "b", "a"]), Ok(CourseEnding::Loop(1)));
        assert!(ending(&["a"]).is_err());
    }
}
