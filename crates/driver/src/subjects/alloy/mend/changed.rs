//! Changed texts of Alloy models, and what instances of one text are to another.

use std::collections::BTreeMap;

use wherefore_alloy::LoweredCommand;
use wherefore_base::{Budget, Diagnostic, Run, SourceFile, SourceMap};
use wherefore_model::TextChange;
use wherefore_relational::{Instance, RelEvaluator};

use super::Standing;
use crate::subjects::alloy::{AlloySubject, CommandQuestion};

/// What an instance is to a command of a changed model; nothing if the models have other relations.
pub(super) fn standing(
    question: &CommandQuestion<'_>,
    problem: usize,
    instance: &Instance,
    budget: &Budget,
) -> Run<Option<Standing>> {
    match question.lowered(problem) {
        Ok(lowered) => holds_in(lowered, instance, budget),
        Err(_) => Ok(None),
    }
}

/// What an instance of one problem is to another one with the same relations.
pub(super) fn holds_in(
    lowered: &LoweredCommand,
    instance: &Instance,
    budget: &Budget,
) -> Run<Option<Standing>> {
    let problem = &lowered.problem;
    if instance.values().len() != problem.relations().len() {
        return Ok(None);
    }
    if !instance.fits(problem) {
        return Ok(Some(Standing::Excluded));
    }
    let Ok(mut evaluator) = RelEvaluator::new(problem, instance, budget) else {
        return Ok(None);
    };
    for (at, &formula) in problem.requirements().iter().enumerate() {
        let holds = evaluator.holds(formula);
        budget.check()?;
        match holds {
            Ok(true) => {}
            Ok(false) if at < lowered.facts => return Ok(Some(Standing::Excluded)),
            Ok(false) => return Ok(Some(Standing::OtherGoal)),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(Standing::Instance))
}

/// Two changes as one, if they are apart, or if one of them adds something to what the other one changes.
pub(super) fn together(text: &str, one: &TextChange, other: &TextChange) -> Option<TextChange> {
    nested(text, one, other)
        .or_else(|| nested(text, other, one))
        .or_else(|| apart(text, one, other))
}

/// A change that keeps the text it is about, as a guard before a formula does, with the other change in that text.
fn nested(text: &str, outer: &TextChange, inner: &TextChange) -> Option<TextChange> {
    let within = outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;
    if !within || outer.span == inner.span {
        return None;
    }
    let (start, end) = (outer.span.start as usize, outer.span.end as usize);
    let own = text.get(start..end).filter(|own| !own.is_empty())?;
    let at = outer.text.find(own)?;
    let before = text.get(start..inner.span.start as usize)?;
    let after = text.get(inner.span.end as usize..end)?;
    let changed = [before, &inner.text, after].concat();
    let rest = &outer.text[at + own.len()..];
    Some(TextChange {
        text: [&outer.text[..at], &changed, rest].concat(),
        ..outer.clone()
    })
}

fn apart(text: &str, one: &TextChange, other: &TextChange) -> Option<TextChange> {
    let (first, second) = if one.span.start <= other.span.start {
        (one, other)
    } else {
        (other, one)
    };
    let between = text.get(first.span.end as usize..second.span.start as usize)?;
    // Further apart they are two mends, not one.
    if between.lines().count() > 12 || first.span.end > second.span.start {
        return None;
    }
    Some(TextChange {
        span: first.span.to(second.span),
        text: [&first.text, between, &second.text].concat(),
        place: first.place.to(second.place),
        kind: first.kind.max(second.kind),
    })
}

impl AlloySubject {
    /// The text of the model with a change.
    pub fn changed_text(&self, change: &TextChange) -> String {
        let text = self.sources.file(self.file).text();
        let (start, end) = (change.span.start as usize, change.span.end as usize);
        [&text[..start], &change.text, &text[end..]].concat()
    }

    /// The model that a changed text describes; `None` if something is wrong with it, or if it has other commands.
    ///
    /// # Errors
    /// When the budget ends.
    pub(super) fn changed(&self, change: &TextChange, budget: &Budget) -> Run<Option<Self>> {
        let mut sources = SourceMap::default();
        let name = self.sources.file(self.file).name();
        let file = sources.add(SourceFile::new(name, self.changed_text(change)));
        let texts: BTreeMap<&str, &str> = (self.sources.files().iter())
            .map(|file| (file.name(), file.text()))
            .collect();
        let mut find = |name: &str| texts.get(name).map(|text| (*text).to_string());
        let loaded = wherefore_alloy::load(&mut sources, file, self.edition, &mut find, budget)?;
        let odd = |loaded: &wherefore_alloy::LoadedAlloy| loaded.diagnostics.len();
        if loaded.diagnostics.iter().any(Diagnostic::is_error) || odd(&loaded) > odd(&self.loaded) {
            return Ok(None);
        }
        let labels = |loaded: &wherefore_alloy::LoadedAlloy| -> Vec<String> {
            let commands = loaded.model.commands.iter();
            commands.map(|command| command.label.clone()).collect()
        };
        let same = labels(&loaded) == labels(&self.loaded);
        Ok(same.then(|| Self {
            sources,
            file,
            loaded,
            edition: self.edition,
            on_disk: false,
            facts: Default::default(),
        }))
    }
}
