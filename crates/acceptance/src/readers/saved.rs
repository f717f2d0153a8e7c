//! Saved evidence: our documents, ITF, traces of other model checkers, and instances of Alloy models.

use std::sync::LazyLock;

use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_driver::{Event, Job, ModelSubject};
use wherefore_evidence::{first_flaw, rerun};
use wherefore_model::PropertyBody;
use wherefore_view::read::{SavedFile, certificate, fit, main_run_of, read, rebuild};
use wherefore_view::wire::{CheckDocument, VerdictName};
use wherefore_view::{alloy, itf, json};

use super::languages::little;
use super::text;

const COUNTER: &str = "
MODULE main
VAR x : 0..3; mood : {calm, wild};
IVAR go : boolean;
DEFINE far := x > 1;
ASSIGN
  init(x) := 0;
  next(x) := case go & x < 3 : x + 1; TRUE : x; esac;
CTLSPEC NAME grows := AF x = 3
CTLSPEC NAME small := AG !far
CTLSPEC NAME back := AG EF mood = calm
";

static SESSION: LazyLock<ModelSubject> = LazyLock::new(|| {
    let session = ModelSubject::from_text("counter.smv", COUNTER);
    session.expect("the model is right")
});

const XML: &str = r#"<?xml version="1.0"?>
<counter-example type="0" desc="a loop">
<node><state id="1"><value variable="x">0</value></state>
<input id="2"><value variable="go">FALSE</value></input></node>
<node><state id="2"><value variable="x">0</value><value variable="mood">calm</value></state></node>
<loops>1</loops></counter-example>
"#;

const LISTING: &str = "\
-- specification AG !far  is false
-- as demonstrated by the following execution sequence
Trace Description: CTL Counterexample
Trace Type: Counterexample
-> State: 1.1 <-
  x = 0
  mood = calm
-> Input: 1.2 <-
  go = TRUE
-- Loop starts here
-> State: 1.2 <-
  x = 1
  far = FALSE
";

/// The documents and traces of a small model, and a trace in each format of others.
pub(super) fn documents() -> Vec<String> {
    let job = Job::default();
    let mut findings = Vec::new();
    SESSION.check_all(&job, &Budget::unlimited(), &mut |event| {
        if let Event::Finding(finding) = event {
            findings.push(*finding);
        }
    });
    let report = SESSION.report(None, &findings);
    let mut texts = vec![XML.to_string(), LISTING.to_string()];
    texts.push(CheckDocument::new(vec![json::model(&report)]).render());
    for finding in &findings {
        texts.extend(
            itf::render(&report, finding)
                .into_iter()
                .map(|trace| trace.document),
        );
    }
    texts
}

/// Any text is saved evidence, or is refused with a place within it; what is read fits a model and runs there, or is
/// refused.
pub fn document(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let saved = match read(text) {
        Ok(saved) => saved,
        Err(error) => {
            assert!(text.is_char_boundary(error.offset), "{error:?}");
            return;
        }
    };
    let (model, budget) = (SESSION.model(), little());
    let mut traces = Vec::new();
    match saved {
        SavedFile::Traces(read) => traces = read,
        SavedFile::Document(document) => {
            for saved in document.models.iter().flat_map(|model| &model.properties) {
                traces.extend(main_run_of(saved));
                for property in &model.properties {
                    let PropertyBody::Query(query) = &property.body else {
                        continue;
                    };
                    let evidence = saved.evidence.as_ref().map(|e| rebuild(e, model, query));
                    if let Some(Ok(evidence)) = evidence {
                        let holds = saved.verdict == VerdictName::Holds;
                        let _ = first_flaw(model, query, holds, &evidence, &budget);
                    }
                }
                if let Some(given) = &saved.certificate {
                    let _ = certificate::rebuild(given, model);
                    let _ = certificate::over(given);
                }
            }
        }
    }
    for trace in &traces {
        if let Ok(fitted) = fit(model, trace) {
            let _ = rerun(model, &fitted.track, &budget);
        }
    }
}

const LAMPS: &str = include_str!("../../../view/tests/models/lamps.als");

/// None beside those of the snapshots.
pub(super) fn alloy_documents() -> Vec<String> {
    Vec::new()
}

/// Any text is an instance of an Alloy model as we or the visualizer write it, or is refused; what is read fits a model,
/// or is refused.
pub fn alloy_document(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Some(Ok(saved)) = alloy::retold::read(text) else {
        return;
    };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("lamps.als", LAMPS));
    let budget = Budget::unlimited();
    let loaded = wherefore_alloy::load(&mut sources, file, None, &mut |_| None, &budget);
    let model = loaded.expect("no limit").model;
    for instance in &saved {
        let _ = instance.command_in(&model, &sources);
        let _ = instance.found(&model);
    }
}
