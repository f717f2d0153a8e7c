//! One-file reports: the page with data inside.
//!
//! A report holds what a server would answer to the routes that only look. It opens from disk and needs
//! nothing else. Its size is bounded: the documents of properties are taken in order, those that fail
//! first, until there is no more room, and the report says what it left out.

use wherefore_driver::evidence::{Finding, SpaceSummary, Verdict};
use wherefore_driver::view::api::report::Responses;
use wherefore_driver::view::api::{About, Detail, Entry, Listed, Start, Variable, models, render};
use wherefore_driver::view::{Report, clean, json, lts};
use wherefore_driver::{LtsSession, Session};

use crate::export::EvidenceFormat;
use crate::page;
use crate::status::CheckState;

/// The most bytes of documents in a report.
pub const MOST_BYTES: usize = 16 << 20;

/// What is reported about one model.
pub enum ReportedModel<'a> {
    /// A model with variables.
    Model {
        /// The model.
        session: &'a Session,
        /// Its space.
        space: Option<&'a SpaceSummary>,
        /// What was found out.
        findings: &'a [Finding],
    },
    /// A labelled transition system.
    System {
        /// The system.
        session: &'a LtsSession,
        /// Its space.
        space: Option<&'a SpaceSummary>,
        /// What was found out.
        findings: &'a [Finding],
    },
    /// Something that has a document and no session of its own: an Alloy model, or a file that cannot be used.
    Document {
        /// The document.
        model: Box<json::Model>,
        /// The text of the model.
        source: Option<&'a str>,
        /// Evidence of properties by their numbers, each about a model of its own.
        shown: Vec<(usize, Report<'a>, &'a Finding)>,
    },
}

/// The report of a check, as the text of an HTML file.
pub fn html(parts: Vec<ReportedModel<'_>>, command: &str) -> String {
    html_within(parts, command, MOST_BYTES)
}

fn html_within(parts: Vec<ReportedModel<'_>>, command: &str, most: usize) -> String {
    let mut entries = Vec::new();
    let mut details: Vec<(bool, Detail)> = Vec::new();
    for (id, part) in parts.into_iter().enumerate() {
        let (entry, more) = tell(id, part);
        entries.push(entry);
        details.extend(more);
    }
    // Those that fail are looked at first; otherwise the order stays.
    details.sort_by_key(|(fails, _)| !fails);
    let start = details.iter().find(|(fails, _)| *fails);
    let start = start.map_or(Start::default(), |(_, detail)| Start {
        model: detail.model,
        property: Some(detail.id),
    });
    let mut responses = Responses::default();
    let about = About::new(command, start, false, EvidenceFormat::list());
    responses.add("about", render(&about));
    responses.add("models", models(&entries.iter().collect::<Vec<_>>()));
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
fn tell(id: usize, part: ReportedModel<'_>) -> (Entry, Vec<(bool, Detail)>) {
    let fails = |finding: &Finding| finding.verdict == Verdict::Fails;
    let mut listed = Vec::new();
    let mut details = Vec::new();
    let mut take = |finding: &Finding, detail: Detail| {
        let mut short = Listed::of(detail.property.clone(), finding, detail.told.as_ref());
        // The list holds what was checked; numbers are those of the model.
        short.id = finding.property;
        listed.push(short);
        details.push((fails(finding), detail));
    };
    let (mut entry, model) = match part {
        ReportedModel::Model {
            session,
            space,
            findings,
        } => {
            let report: Report<'_> = session.report(space, findings);
            for finding in findings {
                take(finding, Detail::of(id, &report, finding));
            }
            let model = json::Model::new(&session.report(space, &[]));
            let model = model.with_diagnostics(session.sources(), session.warnings());
            let mut entry = Entry::unread(id, report.path(), report.language);
            entry.variables = Variable::all(&report);
            entry.show_source(session.sources().file(session.file()).text());
            (entry, model)
        }
        ReportedModel::System {
            session,
            space,
            findings,
        } => {
            let report = session.report(space, findings);
            for finding in findings {
                take(finding, Detail::of_system(id, &report, finding));
            }
            let model = lts::json::model(&session.report(space, &[]));
            let model = model.with_diagnostics(session.sources(), session.warnings());
            (Entry::unread(id, report.path, lts::json::LANGUAGE), model)
        }
        ReportedModel::Document {
            mut model,
            source,
            shown,
        } => {
            let mut entry = Entry::unread(id, &model.path, model.language);
            let properties = std::mem::take(&mut model.properties);
            let properties = properties.into_iter().enumerate();
            for (at, property) in properties {
                let fails = property.verdict == "fails";
                let number = property.command.as_ref().map(|command| command.number);
                let evidence = shown.iter().find(|(of, ..)| number == Some(of + 1));
                let detail = match evidence {
                    Some((_, report, finding)) => Detail {
                        id: at,
                        property,
                        ..Detail::of(id, report, finding)
                    },
                    None => Detail {
                        model: id,
                        id: at,
                        property,
                        told: None,
                        formula: vec![],
                    },
                };
                listed.push(match evidence {
                    Some((_, report, finding)) => {
                        entry.add_variables(Variable::all(report));
                        let told = detail.told.as_ref();
                        let listed = Listed::of(detail.property.clone(), finding, told);
                        Listed { id: at, ..listed }
                    }
                    None => Listed::command(detail.property.clone(), at),
                });
                details.push((fails, detail));
            }
            if let Some(text) = source {
                entry.show_source(text);
            }
            (entry, *model)
        }
    };
    let broken = model
        .diagnostics
        .iter()
        .any(|message| message.severity == "error");
    entry.tell(model, listed);
    let state = if broken {
        CheckState::Failed
    } else {
        CheckState::Done
    };
    entry.checking = state.name();
    (entry, details)
}

#[cfg(test)]
mod tests {
    use wherefore_base::Budget;

    use super::*;

    const NASTY: &str = "MODULE main
        VAR x : {good, bad};
        ASSIGN init(x) := good; next(x) := {good, bad};
        CTLSPEC NAME first := AG x = good
        CTLSPEC NAME second := EF x = bad -- </script><script>alert(1)</script>
        ";

    fn report(most: usize) -> String {
        let session = Session::from_text("a<b>&\"'.smv", NASTY).expect("it is a model");
        let mut findings = Vec::new();
        let job = wherefore_driver::Job::default();
        session.check_all(&job, &Budget::unlimited(), &mut |event| {
            if let wherefore_driver::Event::Finding(finding) = event {
                findings.push(*finding);
            }
        });
        let part = ReportedModel::Model {
            session: &session,
            space: None,
            findings: &findings,
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
