//! Why there is no instance: the lines of the model that cannot hold together.

use wherefore_alloy::answer::{AlloyAnswer, CommandOutcome, Core, Facts, WhyNothing};
use wherefore_base::{Label, Span};

use super::{Sentence, SentenceAssertion, formula};
use crate::alloy::{AlloyReport, role_text};
use crate::words::{clean, count};
use wherefore_diagnostics::render_note;

/// So many parts of a core are shown with their source lines unless all are wanted.
const MOST: usize = 30;

impl AlloyReport<'_> {
    /// The parts of a core with what they are, each kept to one line of the source.
    pub(crate) fn labels(&self, answer: &AlloyAnswer, core: &Core) -> Vec<Label> {
        let command = self.command(answer);
        let labels = core.parts.iter().map(|part| {
            let mut text = role_text(self.model, command, &part.role);
            let (span, whole) = self.first_line(part.span);
            if !whole {
                let lines = self.sources.text(part.span).lines().count();
                text.push_str(&format!(" ({})", count(lines, "line")));
            }
            Label { span, text }
        });
        labels.collect()
    }

    /// The part of a span that is on its first line, and whether that is all.
    fn first_line(&self, span: Span) -> (Span, bool) {
        let text = self.sources.text(span);
        let Some(line) = text.lines().next().filter(|line| line.len() < text.len()) else {
            return (span, true);
        };
        let length = u32::try_from(line.trim_end().len()).unwrap_or(0);
        let end = span.start + length.max(1);
        (Span { end, ..span }, false)
    }

    /// The title of a core: a sentence without its full stop.
    pub(crate) fn core_title(&self, answer: &AlloyAnswer, core: &Core) -> Sentence {
        let whose = match answer.facts {
            Facts::Inconsistent => "of the facts ",
            _ => "",
        };
        let asserted = SentenceAssertion::Core {
            parts: core.parts.len(),
            minimal: core.minimal,
        };
        let parts = match core.parts.len() {
            0 => return "The scope alone leaves no instance".into(),
            1 => {
                return match core.minimal {
                    true => say!("This part {}cannot hold in this scope", whose),
                    false => say!("This part {}is among those that cannot hold", whose),
                };
            }
            n => say!("{} parts {}cannot hold together in this scope", n, whose),
        };
        let sentence = match core.minimal {
            true => say!("These {}, and each of them is needed for that", parts),
            false => say!(
                "These {}; perhaps not all of them are needed for that",
                parts
            ),
        };
        sentence.asserting(asserted)
    }

    /// Whether the search for a smaller core goes on where it is given more time. What a transition system rests on is
    /// looked for briefly.
    fn may_take_longer(&self, answer: &AlloyAnswer, core: &Core) -> bool {
        !core.minimal && answer.reach.is_none()
    }

    /// An earlier answer with the same core of facts, if there is one.
    pub(crate) fn same_as(&self, answer: &AlloyAnswer) -> Option<Sentence> {
        let core = matches!(answer.why, WhyNothing::Core(_)) && answer.facts == Facts::Inconsistent;
        let mut earlier = self.answers.iter();
        let same = earlier.find(|other| {
            other.command < answer.command
                && other.facts == Facts::Inconsistent
                && other.why == answer.why
        });
        let same = self.command(same.filter(|_| core)?);
        let (_, place) = self.title(same);
        let place = place.map_or(String::new(), |place| format!(" ({place})"));
        let name = clean(&same.label);
        Some(say!(
            "The same parts are to blame as for {}{}.",
            formula(name),
            place
        ))
    }

    /// Why there is no instance, with source lines.
    pub(crate) fn blame(&self, answer: &AlloyAnswer, full: bool, color: bool) -> Option<String> {
        match &answer.why {
            WhyNothing::Unasked => None,
            WhyNothing::Core(core) => {
                let mut labels = self.labels(answer, core);
                let mut help = Vec::new();
                if labels.len() > MOST && !full {
                    help.push(format!(
                        "{} more are left out; `--full` shows them.",
                        labels.len() - MOST
                    ));
                    labels.truncate(MOST);
                }
                if self.may_take_longer(answer, core) {
                    help.push("A longer `--timeout` looks on for fewer.".to_string());
                }
                let title = self.core_title(answer, core).to_string();
                Some(render_note(self.sources, &title, &labels, &help, color))
            }
            WhyNothing::Stopped(_) => Some("note: Why takes too long to find out.".to_string()),
        }
    }

    /// The lines that a check rests on, in one sentence.
    pub(crate) fn rests_on(&self, answer: &AlloyAnswer) -> Option<Sentence> {
        let WhyNothing::Core(core) = &answer.why else {
            return match &answer.why {
                WhyNothing::Stopped(_) if matches!(answer.outcome, CommandOutcome::Nothing) => {
                    Some("what it rests on takes too long to find out".into())
                }
                _ => None,
            };
        };
        let mut lines: Vec<String> = Vec::new();
        for part in &core.parts {
            let file = self.sources.file(part.span.file).name();
            let line = self.sources.place(part.span).line;
            let text = match file == self.path {
                true => line.to_string(),
                false => {
                    let file = file.rsplit('/').next().unwrap_or(file);
                    format!("{}:{line}", clean(file))
                }
            };
            if lines.last() != Some(&text) {
                lines.push(text);
            }
        }
        const FEW: usize = 12;
        let more = lines.len().saturating_sub(FEW);
        lines.truncate(FEW);
        let mut list = lines.join(", ");
        if more > 0 {
            list.push_str(&format!(" and {more} more"));
        }
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let perhaps = match core.minimal {
            true => "",
            false if self.may_take_longer(answer, core) => {
                ", perhaps on fewer: a longer `--timeout` looks on"
            }
            false => ", perhaps on fewer",
        };
        let sentence: Sentence = match core.parts.is_empty() {
            true => "it rests on the scope alone".into(),
            false => say!("it rests on {} {}{}", word, list, perhaps),
        };
        Some(sentence.asserting(SentenceAssertion::Core {
            parts: core.parts.len(),
            minimal: core.minimal,
        }))
    }
}
