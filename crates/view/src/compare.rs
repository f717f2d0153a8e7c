//! What changed between two checks: verdicts then and now, and what became of the evidence.

use wherefore_wire::{
    DiffDocument, DiffRowDoc, DiffSchemaName, VerdictChangeName, VerdictChangeName as Change,
    VerdictName, to_page,
};

use crate::clean;
use crate::explore::Style;
use crate::fate::Fate;
use crate::layout::{Ink, TextLines, VariableRole};

/// A property with its verdicts.
#[derive(Clone, Debug)]
pub struct ComparedRow {
    /// The name of the property.
    pub name: String,
    /// Its text, now or, when it is gone, then.
    pub text: String,
    /// The verdict in the saved document; `None`: the property is new.
    pub then: Option<VerdictName>,
    /// The verdict now; `None`: the property is gone.
    pub now: Option<VerdictName>,
    /// What that means.
    pub change: VerdictChangeName,
    /// What became of the saved evidence.
    pub evidence: Option<Fate>,
}

/// What two verdicts mean together.
pub fn change(then: Option<VerdictName>, now: Option<VerdictName>) -> VerdictChangeName {
    match (then, now) {
        (_, None) => Change::Gone,
        (Some(then), Some(now)) if then == now => Change::Same,
        (_, Some(VerdictName::Fails)) => Change::Worse,
        (None, _) => Change::New,
        (_, Some(VerdictName::Unknown)) => Change::Undecided,
        _ => Change::Better,
    }
}

/// All rows of a comparison, and between what.
#[derive(Clone, Debug)]
pub struct RunComparison {
    /// The model, or the newer document.
    pub new: String,
    /// The saved document.
    pub old: String,
    /// One row for each property: those of the saved document in its order, then new ones.
    pub properties: Vec<ComparedRow>,
}

impl RunComparison {
    /// A comparison of these.
    pub fn new(new: String, old: String, properties: Vec<ComparedRow>) -> Self {
        Self {
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
        let rows = self.properties.iter().map(|row| DiffRowDoc {
            name: row.name.clone(),
            text: row.text.clone(),
            then: row.then,
            now: row.now,
            change: row.change,
            evidence: row.evidence.as_ref().map(Fate::doc),
        });
        to_page(&DiffDocument {
            schema: DiffSchemaName::Version1,
            new: self.new.clone(),
            old: self.old.clone(),
            properties: rows.collect(),
        })
    }

    /// The comparison as a table.
    pub fn text(&self, style: Style) -> String {
        let mut page = TextLines::new(style.width, style.color);
        let head = Ink::new(VariableRole::Strong, clean(&self.new));
        let mut line = head.then(
            VariableRole::Plain,
            format!(" against {}:", clean(&self.old)),
        );
        let named = [
            (Change::Worse, VariableRole::Bad, "worse"),
            (Change::Undecided, VariableRole::Warn, "undecided"),
            (Change::Better, VariableRole::Good, "better"),
            (Change::New, VariableRole::Plain, "new"),
            (Change::Gone, VariableRole::Warn, "gone"),
            (Change::Same, VariableRole::Plain, "unchanged"),
        ];
        let mut before = " ";
        for (change, role, word) in named {
            let n = self.count(change);
            if n > 0 {
                line = line
                    .then(VariableRole::Plain, before)
                    .then(role, format!("{n} {word}"));
                before = ", ";
            }
        }
        if self.properties.is_empty() {
            line = line.then(VariableRole::Plain, " no property");
        }
        page.line(&line);
        let widest = self
            .properties
            .iter()
            .map(|row| clean(&row.name).chars().count());
        let names = widest.max().unwrap_or(0).clamp("property".len(), 30) + 2;
        let verdicts = names + 2 + 2 * VERDICT;
        if !self.properties.is_empty() {
            let mut header = Ink::new(VariableRole::Dim, "  property");
            header.pad(2 + names);
            header = header.then(VariableRole::Dim, "then");
            header.pad(2 + names + VERDICT);
            header = header.then(VariableRole::Dim, "now");
            header.pad(verdicts);
            page.line(&header.then(VariableRole::Dim, "saved evidence"));
        }
        for row in &self.properties {
            let mut head =
                Ink::new(VariableRole::Plain, "  ").then(VariableRole::Strong, clean(&row.name));
            head.pad(2 + names);
            head = head.then(VariableRole::Plain, row.then.map_or("-", VerdictName::name));
            head.pad(2 + names + VERDICT);
            let role = match row.change {
                Change::Worse => VariableRole::Bad,
                Change::Better => VariableRole::Good,
                Change::Undecided | Change::Gone => VariableRole::Warn,
                Change::Same | Change::New => VariableRole::Plain,
            };
            head = head.then(role, row.now.map_or("gone", VerdictName::name));
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
    use VerdictName::{Fails, Holds, Unknown};

    use super::*;

    #[test]
    fn a_property_that_fails_and_did_not_before_is_worse() {
        let cases = [
            (Some(Holds), Some(Fails), Change::Worse),
            (Some(Unknown), Some(Fails), Change::Worse),
            (None, Some(Fails), Change::Worse),
            (None, Some(Holds), Change::New),
            (Some(Fails), Some(Fails), Change::Same),
            (Some(Fails), Some(Holds), Change::Better),
            (Some(Holds), Some(Unknown), Change::Undecided),
            (Some(Fails), None, Change::Gone),
        ];
        for (then, now, expected) in cases {
            assert_eq!(change(then, now), expected, "{then:?} {now:?}");
        }
    }
}
