//! Leaving out what a property does not depend on changes neither its verdict nor which parts matter.

use std::cell::Cell;

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_evidence::{EvidenceOptions, Finding, Investigator, Note, Verdict};
use wherefore_model::{Model, PropertyBody};
use wherefore_space::{StateSpace, discharge};
use wherefore_testkit::{campaign, random_smv};

fn load(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("random.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let broken = discharge(&loaded.model, &Budget::unlimited()).expect("no limit");
    assert!(broken.is_empty(), "{broken:#?}\n{text}");
    loaded.model
}

/// Everything about a property but its evidence, and whether there are remarks about single states.
fn found<S: StateSpace>(space: &S, property: usize) -> (Finding, bool) {
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions {
        evidence: false,
        ..EvidenceOptions::default()
    };
    let mut finding = investigator.investigate(property, &options);
    let remarks = !investigator.summary().notes.is_empty() || !finding.notes.is_empty();
    // How many states there are depends on all variables.
    let counts = |note: &Note| matches!(note, Note::UnfairInitialStates(..));
    finding.notes.retain(|note| !counts(note));
    (finding, remarks)
}

#[test]
fn a_property_is_answered_alike_with_and_without_what_it_does_not_depend_on() {
    let smaller = Cell::new(0);
    campaign("cones", 150, |rng| {
        let text = random_smv::random(rng);
        let model = load(&text);
        for (property, asked) in model.properties.iter().enumerate() {
            let PropertyBody::Query(query) = &asked.body else {
                continue;
            };
            let cone = model.cone(query.atoms.iter().copied());
            if cone.len() == model.vars.len() {
                continue;
            }
            smaller.set(smaller.get() + 1);
            let part = model.within(&cone);
            let whole = found(&explicit(&model), property);
            assert_eq!(whole, found(&explicit(&part), property), "{text}");
            assert_eq!(whole, found(&symbolic(&part), property), "{text}");
        }
    });
    let one_seed = std::env::var_os("WHEREFORE_SEED").is_some();
    assert!(one_seed || smaller.get() > 20, "cones are often smaller");
}

#[test]
fn a_cone_has_what_is_read_what_is_required_and_what_is_fair_and_nothing_else() {
    let model = load(
        "MODULE main
         VAR a : boolean; b : boolean; c : boolean; d : boolean; e : boolean; f : boolean;
         ASSIGN next(a) := b; next(b) := {TRUE, FALSE}; next(c) := a; init(d) := e;
         INIT f
         FAIRNESS e
         SPEC AG a
         SPEC AG c
         SPEC EF d",
    );
    let cone = |property: usize| -> Vec<&str> {
        let query = model.properties[property].body.query().expect("it is CTL");
        let cone = model.cone(query.atoms.iter().copied());
        cone.iter().map(|&v| &*model.vars[v].name).collect()
    };
    assert_eq!(cone(0), ["a", "b", "e", "f"]);
    assert_eq!(cone(1), ["a", "b", "c", "e", "f"]);
    assert_eq!(cone(2), ["d", "e", "f"]);
    let (finding, _) = found(&explicit(&model), 0);
    assert_eq!(finding.verdict, Verdict::Fails);
}
