//! What changed between two checks: verdicts then and now, and what became of the evidence.

use serde::Serialize;
use wherefore_evidence::Verdict;

use crate::clean;
use crate::explore::Style;
use crate::fate::Fate;
use crate::layout::{Ink, Role, TextLines};

/// The name of the schema of the document.
pub const SCHEMA: &str = "wherefore-diff/1";

/// A property with its verdicts.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The name of the property.
    pub name: String,
    /// Its text, now or, when it is gone, then.
    pub text: String,
    /// The verdict in the saved document; `None`: the property is new.
    pub then: Option<String>,
    /// The verdict now; `None`: the property is gone.
    pub now: Option<String>,
    /// What that means.
    pub change: Change,
    /// What became of the saved evidence.
    pub evidence: Option<Fate>,
}

/// What two verdicts mean together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The property fails, and it did not before.
    Worse,
    /// It was decided, and is not any more.
    Undecided,
    /// It does not fail any more, or is decided at last.
    Better,
    /// The verdict is the same.
    Same,
    /// The property was not there before, and does not fail.
    New,
    /// It is not there any more.
    Gone,
}

impl Change {
    /// What two verdicts mean together, as documents name verdicts.
    pub fn of(then: Option<&str>, now: Option<&str>) -> Self {
        match (then, now) {
            (_, None) => Change::Gone,
            (Some(then), Some(now)) if then == now => Change::Same,
            (_, Some("fails")) => Change::Worse,
            (None, _) => Change::New,
            (_, Some("unknown")) => Change::Undecided,
            _ => Change::Better,
        }
    }
}

/// The name of a verdict in documents.
pub fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Unknown(_) => "unknown",
    }
}

/// All rows of a comparison, and between what.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The name of the schema.
    pub schema: &'static str,
    /// The model, or the newer document.
    pub new: String,
    /// The saved document.
    pub old: String,
    /// One row for each property: those of the saved document in its order, then new ones.
    pub properties: Vec<Row>,
}

impl Comparison {
    /// A comparison of these.
    pub fn new(new: String, old: String, properties: Vec<Row>) -> Self {
        Self {
            schema: SCHEMA,
            new,
            old,
            properties,
        }
    }

    /// How many rows have a change.
    pub fn count(&self, change: Change) -> usize {
        let rows = self.properties.iter();
        rows.filter(|row| row.change == change).count()
    }

    /// The comparison as a document, with a line break at its end.
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        let mut text = text.expect("the document has string keys and no floating point");
        text.push('\n');
        text
    }

    /// The comparison as a table.
    pub fn text(&self, style: Style) -> String {
        let mut page = TextLines::new(style.width, style.color);
        let head = Ink::new(Role::Strong, clean(&self.new));
        let mut line = head.then(Role::Plain, format!(" against {}:", clean(&self.old)));
        let named = [
            (Change::Worse, Role::Bad, "worse"),
            (Change::Undecided, Role::Warn, "undecided"),
            (Change::Better, Role::Good, "better"),
            (Change::New, Role::Plain, "new"),
            (Change::Gone, Role::Warn, "gone"),
            (Change::Same, Role::Plain, "unchanged"),
        ];
        let mut before = " ";
        for (change, role, word) in named {
            let n = self.count(change);
            if n > 0 {
                line = line
                    .then(Role::Plain, before)
                    .then(role, format!("{n} {word}"));
                before = ", ";
            }
        }
        if self.properties.is_empty() {
            line = line.then(Role::Plain, " no property");
        }
        page.line(&line);
        let widest = self
            .properties
            .iter()
            .map(|row| clean(&row.name).chars().count());
        let names = widest.max().unwrap_or(0).clamp("property".len(), 30) + 2;
        let verdicts = names + 2 + 2 * VERDICT;
        if !self.properties.is_empty() {
            let mut header = Ink::new(Role::Dim, "  property");
            header.pad(2 + names);
            header = header.then(Role::Dim, "then");
            header.pad(2 + names + VERDICT);
            header = header.then(Role::Dim, "now");
            header.pad(verdicts);
            page.line(&header.then(Role::Dim, "saved evidence"));
        }
        for row in &self.properties {
            let mut head = Ink::new(Role::Plain, "  ").then(Role::Strong, clean(&row.name));
            head.pad(2 + names);
            head = head.then(Role::Plain, row.then.as_deref().map_or("-".into(), clean));
            head.pad(2 + names + VERDICT);
            let role = match row.change {
                Change::Worse => Role::Bad,
                Change::Better => Role::Good,
                Change::Undecided | Change::Gone => Role::Warn,
                Change::Same | Change::New => Role::Plain,
            };
            head = head.then(role, row.now.as_deref().unwrap_or("gone"));
            // A paragraph puts a space after its head.
            head.pad(verdicts - 1);
            let lines = row.evidence.as_ref().map_or(vec!["-".into()], Fate::lines);
            let hang = if verdicts * 2 > style.width {
                6
            } else {
                verdicts
            };
            for (at, text) in lines.iter().enumerate() {
                let head = match at {
                    0 => std::mem::take(&mut head),
                    _ => Ink::plain(" ".repeat(hang - 1)),
                };
                page.paragraph(head, &Ink::plain(text.clone()), hang);
            }
        }
        page.finish()
    }
}

/// How wide the column of a verdict is.
const VERDICT: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_that_fails_and_did_not_before_is_worse() {
        let cases = [
            (Some("holds"), Some("fails"), Change::Worse),
            (Some("unknown"), Some("fails"), Change::Worse),
            (None, Some("fails"), Change::Worse),
            (None, Some("holds"), Change::New),
            (Some("fails"), Some("fails"), Change::Same),
            (Some("fails"), Some("holds"), Change::Better),
            (Some("holds"), Some("unknown"), Change::Undecided),
            (Some("fails"), None, Change::Gone),
        ];
        for (then, now, change) in cases {
            assert_eq!(Change::of(then, now), change, "{then:?} {now:?}");
        }
    }
}
