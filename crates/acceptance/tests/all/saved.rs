//! Saved evidence comes back as it was, from every format we write, and runs again.

use wherefore_acceptance::agreement::explicit;
use wherefore_base::{Budget, FileId, SourceFile, SourceMap};
use wherefore_evidence::{
    Evidence, EvidenceOptions, Finding, Investigator, ReachableStates, Rerun, SpaceSummary,
    broken_step, first_flaw, rerun,
};
use wherefore_logic::PathRule;
use wherefore_model::{Model, PropertyBody, Query, VarId};
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, StepEncoding};
use wherefore_testkit::{Rng, campaign, formulas, random_model};
use wherefore_view::read::{SavedFile, fit, read, rebuild, witness_query};
use wherefore_view::wire::{CheckDocument, VerdictName};
use wherefore_view::{Report, itf, json};

/// Everything about the properties of a space.
fn findings<S: StateSpace>(space: &S) -> (SpaceSummary, Vec<Finding>) {
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions {
        witness: true,
        ..EvidenceOptions::default()
    };
    let all = 0..space.model().properties.len();
    let findings = all.map(|property| investigator.investigate(property, &options));
    (investigator.summary().clone(), findings.collect())
}

fn with_report(model: &Model, use_it: impl FnOnce(&Report<'_>)) {
    let space = explicit(model);
    let (summary, findings) = findings(&space);
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("random", ""));
    use_it(&Report {
        strategy: &[],
        sources: &sources,
        file: FileId::new(0),
        language: "smv",
        reading: "",
        model,
        space: Some(&summary),
        findings: &findings,
        runs: &[],
        shown: &[],
        paths: None,
        from: None,
        names: &[],
        seconds: None,
        explored: Some(&ReachableStates::default()),
    });
}

fn saved(report: &Report<'_>) -> CheckDocument {
    let text = CheckDocument::new(vec![json::model(report)]).render();
    match read(&text) {
        Ok(SavedFile::Document(document)) => document,
        other => panic!("our own document is read as {other:?}"),
    }
}

fn query(model: &Model, finding: &Finding) -> Query {
    match &model.properties[finding.property].body {
        PropertyBody::Query(query) => query.clone(),
        other => panic!("no question about states: {other:?}"),
    }
}

/// Evidence that was read back is what it was, and still shows it.
fn same(model: &Model, query: &Query, holds: bool, back: &Evidence, evidence: &Evidence) {
    assert_eq!(back, evidence);
    let budget = Budget::unlimited();
    let death = broken_step(model, back, &budget).expect("no limit");
    assert_eq!(death, None);
    let flaw = first_flaw(model, query, holds, back, &budget).expect("no limit");
    assert_eq!(flaw, None);
}

fn documents_come_back(model: &Model) {
    with_report(model, |report| {
        let document = saved(report);
        for (finding, saved) in report.findings.iter().zip(&document.models[0].properties) {
            let query = query(model, finding);
            let holds = saved.verdict == VerdictName::Holds;
            if let Some(evidence) = &finding.evidence {
                let back = saved.evidence.as_ref().expect("evidence is written");
                let back = rebuild(back, model, &query).expect("it fits");
                same(model, &query, holds, &back, evidence);
            }
            if let Some(witness) = &finding.witness {
                let back = saved.witness.as_ref().expect("the witness is written");
                let query = witness_query(back, report, &query).expect("it is the same property");
                assert_eq!(query.formula, witness.query.formula);
                let back = rebuild(&back.evidence, model, &query).expect("it fits");
                same(model, &query, false, &back, &witness.evidence);
            }
        }
    });
}

fn traces_run_again(model: &Model) {
    with_report(model, |report| {
        for finding in report.findings {
            let Some(evidence) = finding.evidences().next() else {
                continue;
            };
            for trace in itf::render(report, finding) {
                let Ok(SavedFile::Traces(traces)) = read(&trace.document) else {
                    panic!("our own trace is read");
                };
                let fitted = fit(model, &traces[0]).expect("it fits");
                assert_eq!(fitted.notes, Vec::<String>::new());
                let ran = rerun(model, &fitted.track, &Budget::unlimited()).expect("no limit");
                let Rerun::Runs(walk) = ran else {
                    panic!("{ran:?}");
                };
                if trace.branch == 0 {
                    let run = evidence.main_run().0;
                    let states = run.iter().map(|&at| &evidence.occurrences[at].values);
                    assert!(walk.states.iter().eq(states));
                    assert_eq!(walk.steps(), evidence.main_steps());
                }
            }
        }
    });
}

#[test]
fn every_evidence_of_random_models_is_read_back_as_it_was() {
    campaign("documents of models", 150, |rng| {
        documents_come_back(&random_model::random(rng));
    });
}

#[test]
fn every_evidence_of_random_structures_is_read_back_as_it_was() {
    campaign("documents of structures", 200, |rng| {
        let kripke = kripke::random(rng, 7, 2);
        let size = 1 + rng.below(5);
        let formula = formulas::random(rng, size, 2).formula();
        for rule in PathRule::ALL {
            documents_come_back(&kripke.model(&formula, rule, StepEncoding::Constraint));
        }
    });
}

#[test]
fn every_trace_of_random_models_runs_again() {
    campaign("traces of models", 150, |rng| {
        traces_run_again(&random_model::random(rng));
    });
}

/// The main run of an evidence as NuSMV prints it, and as its XML; values are left out now and then.
fn foreign(rng: &mut Rng, model: &Model, evidence: &Evidence) -> [String; 2] {
    let (mut run, back) = evidence.main_run();
    let start = run.iter().position(|&at| Some(at) == back);
    // The last state repeats the one where the loop starts.
    run.extend(back);
    let (mut listing, mut xml) = (String::new(), String::from("<counter-example>"));
    let states = model.state_vars();
    for (number, &at) in (1..).zip(&run) {
        let before = (number > 1).then(|| run[number - 2]);
        let edge = before.and_then(|from| {
            let mut edges = evidence.edges.iter();
            edges.find(|edge| edge.from == from && edge.to == at)
        });
        if let Some(edge) = edge.filter(|edge| !edge.input.is_empty()) {
            listing += &format!("  -> Input: 1.{number} <-\n");
            xml += &format!("<input id=\"{number}\">");
            for (offset, &value) in edge.input.iter().enumerate() {
                let name = &model.vars[VarId::new(states + offset)].name;
                let value = model.names.show(value);
                listing += &format!("    {name} = {value}\n");
                if rng.chance(1, 2) {
                    xml += &format!("<value variable=\"{name}\">{value}</value>");
                }
            }
            xml += "</input>";
        }
        if start == Some(number - 1) {
            listing += "  -- Loop starts here\n";
        }
        listing += &format!("  -> State: 1.{number} <-\n");
        xml += &format!("<node><state id=\"{number}\">");
        let values = &evidence.occurrences[at].values;
        for (offset, &value) in values.iter().enumerate() {
            let changed =
                before.is_none_or(|from| evidence.occurrences[from].values[offset] != value);
            let name = &model.vars[VarId::new(offset)].name;
            let value = model.names.show(value);
            if changed {
                listing += &format!("    {name} = {value}\n");
            }
            // Of a repeated state all is said: otherwise nobody sees that it is the same.
            if back.is_some() || offset == 0 || rng.chance(1, 2) {
                xml += &format!("<value variable=\"{name}\">{value}</value>");
            }
        }
        xml += "</state></node>";
    }
    let start = start.map_or(String::new(), |start| (start + 1).to_string());
    [
        listing,
        format!("{xml}<loops>{start}</loops></counter-example>"),
    ]
}

#[test]
fn every_run_of_random_models_runs_again_as_nusmv_writes_it() {
    campaign("traces of NuSMV", 150, |rng| {
        let model = random_model::random(rng);
        with_report(&model, |report| {
            for evidence in report.findings.iter().flat_map(Finding::evidences) {
                let [listing, xml] = foreign(rng, &model, evidence);
                for (text, exact) in [(&listing, true), (&xml, false)] {
                    let Ok(SavedFile::Traces(traces)) = read(text) else {
                        panic!("{text}");
                    };
                    let fitted = fit(&model, &traces[0]).expect("it fits");
                    let ran = rerun(&model, &fitted.track, &Budget::unlimited());
                    let Ok(Rerun::Runs(walk)) = ran else {
                        panic!("{ran:?}\n{text}");
                    };
                    assert_eq!(walk.steps(), evidence.main_steps(), "{text}");
                    let run = evidence.main_run().0;
                    let states = run.iter().map(|&at| &evidence.occurrences[at].values);
                    let states: Vec<_> = states.cloned().collect();
                    assert!(
                        !exact || walk.states == states,
                        "{:?} {states:?} {text}",
                        walk.states
                    );
                }
            }
        });
    });
}

#[test]
fn documents_with_a_byte_changed_are_no_danger() {
    campaign("changed documents", 60, |rng| {
        let model = random_model::random(rng);
        with_report(&model, |report| {
            let text = CheckDocument::new(vec![json::model(report)]).render();
            for _ in 0..40 {
                let mut bytes = text.clone().into_bytes();
                let at = rng.below(bytes.len());
                bytes[at] = *rng.pick(b"0123456789{}[],:\"truefalsn-");
                let Ok(text) = String::from_utf8(bytes) else {
                    continue;
                };
                let Ok(SavedFile::Document(document)) = read(&text) else {
                    continue;
                };
                let properties = document.models.iter().flat_map(|m| &m.properties);
                for (saved, finding) in properties.zip(report.findings) {
                    let query = query(&model, finding);
                    let evidence = saved.evidence.as_ref();
                    let Some(Ok(back)) = evidence.map(|e| rebuild(e, &model, &query)) else {
                        continue;
                    };
                    let budget = Budget::unlimited();
                    let holds = saved.verdict == VerdictName::Holds;
                    broken_step(&model, &back, &budget).expect("no limit");
                    first_flaw(&model, &query, holds, &back, &budget).expect("no limit");
                }
            }
        });
    });
}
