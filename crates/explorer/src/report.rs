//! One-file reports: the page with data inside.
//!
//! A report holds what a server would answer to the routes that only look. It opens from disk and needs
//! nothing else. Its size is bounded: the documents of properties are taken in order, those that fail
//! first, until there is no more room, and the report says what it left out.

use wherefore_driver::evidence::{Finding, Verdict};
use wherefore_driver::view::alloy::ExcerptReport;
use wherefore_driver::view::any::AnyReport;
use wherefore_driver::view::api;
use wherefore_driver::view::api::report::Responses;
use wherefore_driver::view::wire::{
    AboutAnswer, CheckingName, ListedPropertyDoc, ModelDoc, ModelEntryDoc, ModelsAnswer,
    PropertyAnswer, PropertyDoc, SeverityName, StartDoc, VerdictName, to_line,
};
use wherefore_driver::view::{clean, lts};
use wherefore_driver::{Results, Subject};

use crate::export::EvidenceFormat;
use crate::page;

/// The most bytes of documents in a report.
pub const MOST_BYTES: usize = 16 << 20;

/// What is reported about one model.
pub struct ReportedModel<'a> {
    /// The model, if it can be used.
    pub subject: Option<&'a dyn Subject>,
    /// What is known about it.
    pub results: &'a Results,
    /// What the document says of it.
    pub model: ModelDoc,
}

/// The report of a check, as the text of an HTML file.
pub fn html(parts: Vec<ReportedModel<'_>>, command: &str) -> String {
    html_within(parts, command, MOST_BYTES)
}

fn html_within(parts: Vec<ReportedModel<'_>>, command: &str, most: usize) -> String {
    let mut entries = Vec::new();
    let mut details: Vec<(bool, PropertyAnswer)> = Vec::new();
    for (id, part) in parts.into_iter().enumerate() {
        let (entry, more) = tell(id, part);
        entries.push(entry);
        details.extend(more);
    }
    // Those that fail are looked at first; otherwise the order stays.
    details.sort_by_key(|(fails, _)| !fails);
    let start = details.iter().find(|(fails, _)| *fails);
    let start = start.map_or(StartDoc::default(), |(_, detail)| StartDoc {
        model: detail.model,
        property: Some(detail.id),
    });
    let mut responses = Responses::default();
    let about = AboutAnswer::new(command, start, false, EvidenceFormat::list());
    responses.add("about", to_line(&about));
    responses.add("models", to_line(&ModelsAnswer { models: entries }));
    for (_, detail) in details {
        let body = detail.render();
        if responses.size() + body.len() > most {
            let name = clean(&detail.property.name);
            let size = body.len() >> 10;
            let sentence = format!(
                "The evidence of `{name}` is left out, since the file would become too large: it has {size} KB."
            );
            responses.leave_out(sentence);
            continue;
        }
        let route = format!("models/{}/properties/{}", detail.model, detail.id);
        responses.add(&route, body);
    }
    page::report(&responses)
}

/// The entry of a model, and its properties with whether they fail.
fn tell(id: usize, part: ReportedModel<'_>) -> (ModelEntryDoc, Vec<(bool, PropertyAnswer)>) {
    let fails = |finding: &Finding| finding.verdict == Verdict::Fails;
    let mut listed = Vec::new();
    let mut details = Vec::new();
    let mut take = |finding: &Finding, detail: PropertyAnswer| {
        let mut short = api::listed(detail.property.clone(), finding, detail.told.as_ref());
        // The list holds what was checked; numbers are those of the model.
        short.id = finding.property;
        listed.push(short);
        details.push((fails(finding), detail));
    };
    let ReportedModel {
        subject,
        results,
        mut model,
    } = part;
    let report = subject.map(|subject| (subject, subject.report(results)));
    let (mut entry, model) = match &report {
        Some((_, AnyReport::Model(known))) => {
            let report = known;
            for (at, finding) in report.findings.iter().enumerate() {
                let mut detail = api::property(id, report, finding);
                detail.property.runs = report.runs.get(at).cloned().unwrap_or_default();
                take(finding, detail);
            }
            model.properties.clear();
            let mut entry = ModelEntryDoc::unread(id, report.path(), report.language);
            entry.variables = api::variables(report);
            entry.show_source(report.sources.file(report.file).text());
            (entry, model)
        }
        Some((_, AnyReport::Lts(report))) => {
            for finding in report.findings {
                take(finding, api::property_of_system(id, report, finding));
            }
            model.properties.clear();
            (
                ModelEntryDoc::unread(id, report.path, lts::json::LANGUAGE),
                model,
            )
        }
        commands => {
            let parts = match commands {
                Some((_, AnyReport::Commands(commands))) => &commands.excerpts[..],
                _ => &[],
            };
            let mut entry = ModelEntryDoc::unread(id, &model.path, &model.language);
            for (at, property) in std::mem::take(&mut model.properties)
                .into_iter()
                .enumerate()
            {
                let fails = property.verdict == VerdictName::Fails;
                let (short, detail) = tell_command(id, at, property, parts, &mut entry);
                listed.push(short);
                details.push((fails, detail));
            }
            if let Some((subject, file)) = subject.and_then(|it| Some((it, it.file()?))) {
                entry.show_source(subject.sources().file(file).text());
            }
            (entry, model)
        }
    };
    let broken = model
        .diagnostics
        .iter()
        .any(|message| message.severity == SeverityName::Error);
    entry.tell(model, listed);
    let state = if broken {
        CheckingName::Failed
    } else {
        CheckingName::Done
    };
    entry.checking = state;
    (entry, details)
}

/// A command with the part of a transition system that shows its answer, if there is one.
fn tell_command(
    model: usize,
    id: usize,
    property: PropertyDoc,
    excerpts: &[ExcerptReport<'_>],
    entry: &mut ModelEntryDoc,
) -> (ListedPropertyDoc, PropertyAnswer) {
    let number = property.command.as_ref().map(|command| command.number);
    let mut excerpts = excerpts.iter();
    let shown = excerpts.find(|part| number == Some(part.command + 1));
    let shown = shown.and_then(|part| Some((&part.report, part.report.findings.first()?)));
    let Some((report, finding)) = shown else {
        let detail = PropertyAnswer {
            from: None,
            model,
            id,
            property,
            told: None,
            formula: vec![],
        };
        let listed = ListedPropertyDoc::new(detail.property.clone(), id, None);
        return (listed, detail);
    };
    entry.add_variables(api::variables(report));
    let detail = PropertyAnswer {
        id,
        property,
        ..api::property(model, report, finding)
    };
    let told = detail.told.as_ref();
    let listed = api::listed(detail.property.clone(), finding, told);
    (ListedPropertyDoc { id, ..listed }, detail)
}

#[cfg(test)]
mod tests {
    use wherefore_base::Budget;
    use wherefore_driver::{Ask, ModelSubject};

    use super::*;

    const NASTY: &str = "MODULE main
        VAR x : {good, bad};
        ASSIGN init(x) := good; next(x) := {good, bad};
        CTLSPEC NAME first := AG x = good
        CTLSPEC NAME second := EF x = bad -- </script><script>alert(1)</script>
        ";

    fn report(most: usize) -> String {
        let session = ModelSubject::from_text("a<b>&\"'.smv", NASTY).expect("it is a model");
        let mut results = Results::default();
        let questions: Vec<_> = session.questions().ids().collect();
        let unlimited = Budget::unlimited();
        let answered = session.answer_all(&questions, &Ask::default(), &unlimited, &mut results);
        answered.expect("it can be answered");
        let part = ReportedModel {
            subject: Some(&session),
            results: &results,
            model: Subject::report(&session, &results).document(),
        };
        html_within(vec![part], "wherefore check '<x>'", most)
    }

    #[test]
    fn nothing_in_a_model_ends_the_element_of_the_data() {
        let page = report(MOST_BYTES);
        assert!(!page.contains("alert(1)</script>"));
        let plain = page::report(&Responses::default());
        let ends = |page: &str| page.matches("</script>").count();
        assert_eq!(ends(&page), ends(&plain));
        assert!(page.contains("\\u003c/script\\u003e"));
    }

    #[test]
    fn a_report_that_would_become_too_large_says_what_it_left_out() {
        let page = report(MOST_BYTES);
        assert!(page.contains("\"models/0/properties/0\"") && page.contains("\"left_out\":[]"));
        let small = report(100);
        assert!(!small.contains("\"models/0/properties/0\":"));
        assert!(small.contains("The evidence of `first` is left out"));
    }
}
