//! How evidence is told: the parts of properties that the command line names, found in a model.

use wherefore_base::Budget;
use wherefore_driver::model::{PropertyBody, Query};
use wherefore_driver::view::{Manner, clean, part_texts, parts};
use wherefore_driver::{ModelSubject, Refusal};

use crate::args::Telling;

/// Where an explanation starts and stops, as formulas of one model.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    start: Option<Query>,
    stop: Option<Query>,
}

impl Conditions {
    /// Reads the formulas in the language of a model.
    ///
    /// # Errors
    /// What is wrong with a formula, or that the budget ended.
    pub(crate) fn read(
        telling: &Telling,
        session: &mut ModelSubject,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let mut read = |text: &Option<String>| {
            let query = text.as_ref().map(|text| session.query(text, budget));
            query.transpose()
        };
        let (start, stop) = (read(&telling.start)?, read(&telling.stop)?);
        Ok(Self { start, stop })
    }

    /// The manner of telling that the command line asks for.
    pub(crate) fn manner(&self, telling: &Telling) -> Manner<'_> {
        Manner {
            view: telling.view,
            why: telling.why,
            backward: telling.backward,
            start: self.start.as_ref(),
            stop: self.stop.as_ref(),
            causes: telling.causes,
        }
    }
}

/// What is wrong with the parts that the command line names, if none of the selected properties has
/// one of them.
pub(crate) fn missing_part<'s>(
    telling: &Telling,
    selected: impl Iterator<Item = (&'s ModelSubject, &'s Conditions, usize)> + Clone,
) -> Option<String> {
    type Which = fn(&Conditions) -> Option<&Query>;
    let named: [(&str, &Option<String>, Which); 2] = [
        ("--start", &telling.start, |c| c.start.as_ref()),
        ("--stop", &telling.stop, |c| c.stop.as_ref()),
    ];
    for (option, text, which) in named {
        let Some(text) = text else {
            continue;
        };
        let found = selected.clone().any(|(session, conditions, property)| {
            let model = session.model();
            match (which(conditions), &model.properties[property].body) {
                (Some(part), PropertyBody::Query(query)) => !parts(model, query, part).is_empty(),
                _ => false,
            }
        });
        if found {
            continue;
        }
        let mut texts: Vec<String> = Vec::new();
        for (session, _, property) in selected.clone() {
            for text in part_texts(&session.report(None, &[]), property) {
                if texts.len() <= MANY && !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        return Some(told(option, text, texts));
    }
    None
}

/// So many parts are listed.
const MANY: usize = 20;

fn told(option: &str, text: &str, mut texts: Vec<String>) -> String {
    let head = format!(
        "error: {option}: `{}` is not part of a property that is checked",
        clean(text)
    );
    let more = texts.len() > MANY;
    texts.truncate(MANY);
    let mut lines: Vec<String> = texts.iter().map(|text| format!("  {text}")).collect();
    if more {
        lines.push("  and more".to_string());
    }
    match &lines[..] {
        [] => head,
        lines => format!("{head}; its parts are\n{}", lines.join("\n")),
    }
}
