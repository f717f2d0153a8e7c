//! The same questions about another text.

use wherefore_base::{Budget, FileId, Run, SourceFile, SourceMap};
use wherefore_blame::causes;
use wherefore_evidence::{Finding, ReachableStates, Verdict};
use wherefore_model::TextChange;

use super::{ModelSubject, ask_under};

impl ModelSubject {
    /// Small changes of the text that somebody may have meant to write instead.
    pub(crate) fn changes(&self) -> Vec<TextChange> {
        self.reader.changes(&self.sources, self.file)
    }

    /// Whether the language of the model knows small changes of its texts.
    pub fn lists_changes(&self) -> bool {
        !self.changes().is_empty()
    }

    /// The text of the model with a change.
    pub fn changed_text(&self, change: &TextChange) -> String {
        let text = self.sources.file(self.file).text();
        let (start, end) = (change.span.start as usize, change.span.end as usize);
        [&text[..start], &change.text, &text[end..]].concat()
    }

    /// The model that a changed text describes, with the same formulas added and asked in the same way; `None` if
    /// something is wrong with the text, or if it has other properties.
    ///
    /// # Errors
    /// When the budget ends.
    pub(crate) fn changed(&self, change: &TextChange, budget: &Budget) -> Run<Option<Self>> {
        // What is asked from chosen states would have to be looked up anew.
        if self.from.is_some() {
            return Ok(None);
        }
        let mut sources = SourceMap::default();
        for (at, file) in self.sources.files().iter().enumerate() {
            let changed = FileId::new(at) == self.file;
            sources.add(match changed {
                true => SourceFile::new(file.name(), self.changed_text(change)),
                false => file.clone(),
            });
        }
        let Some((model, reader)) = self.reader.reread(&sources, self.file, budget)? else {
            return Ok(None);
        };
        let mut changed = Self {
            sources,
            model,
            reader,
            explored: ReachableStates::default(),
            ..self.clone()
        };
        for property in self.formulas() {
            let file = self.model.properties[property].span.file;
            let name = &self.model.properties[property].name;
            let read = (changed.reader).formula(&mut changed.model, &changed.sources, file, name);
            match read {
                Ok(formula) => changed.model.properties.push(formula),
                Err(_) => return Ok(None),
            }
        }
        if let Some(rule) = self.paths {
            let properties = changed.model.properties.iter_mut();
            properties.for_each(|property| ask_under(property, rule));
        }
        let texts = |subject: &Self| -> Vec<String> {
            let properties = subject.model.properties.iter();
            properties.map(|property| property.text.clone()).collect()
        };
        Ok((texts(self) == texts(&changed)).then_some(changed))
    }

    /// Finds the values that a failure depends on; there are none if the budget ends.
    pub fn find_causes(&self, finding: &mut Finding, budget: &Budget) {
        let query = self.model.properties[finding.property].body.query();
        let failing = finding.verdict == Verdict::Fails;
        if let (Some(query), Some(evidence), true) = (query, &mut finding.evidence, failing) {
            evidence.causes = causes(&self.model, query, evidence, budget).ok().flatten();
        }
    }
}
