//! Whether a place can mend agrees with trying everything that could stand there.

use wherefore_base::{Budget, FileId, SourceFile, SourceMap, Span};
use wherefore_logic::PathRule;
use wherefore_model::{Model, Query};
use wherefore_space::explicit::ExplorationLimits;
use wherefore_testkit::campaign::soaking;
use wherefore_testkit::kripke::{Kripke, StateMask, WithFairness, every, mask, members};
use wherefore_testkit::linear::{KripkeLasso, lassos, truth};
use wherefore_testkit::naive::Naive;

use super::{FreedVerdict, MendGameEffort, can_mend};
use crate::{TermUsers, TextPlaces};

const EFFORT: MendGameEffort = MendGameEffort {
    space: ExplorationLimits {
        states: 10_000,
        transitions: 100_000,
    },
    tables: 1000,
    work: u64::MAX,
};

/// A place of the text that describes a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Initial,
    /// Where the states go to for which the condition with this number is the first true one.
    Branch(usize),
    Condition(usize),
    AllSteps,
    Label,
    Fairness,
}

/// The text of a structure, and where its places are.
struct Written {
    text: String,
    places: Vec<(Place, usize, usize)>,
}

impl Written {
    fn new(kripke: &Kripke, specification: &str) -> Self {
        let mut written = Written {
            text: format!("MODULE main\nVAR s : 0..{};\nDEFINE p := ", kripke.size - 1),
            places: Vec::new(),
        };
        written.put(Place::Label, &format!("s in {}", set(kripke.labels[0])));
        written.text.push_str(";\nASSIGN\n  init(s) := ");
        written.put(Place::Initial, &set(kripke.initial));
        written.text.push_str(";\n  next(s) := ");
        let start = written.text.len();
        written.text.push_str("case ");
        for state in 0..kripke.size {
            match state + 1 < kripke.size {
                true => written.put(Place::Condition(state), &format!("s = {state}")),
                false => written.text.push_str("TRUE"),
            }
            written.text.push_str(" : ");
            written.put(Place::Branch(state), &set(kripke.steps[state]));
            written.text.push_str("; ");
        }
        written.text.push_str("esac");
        written
            .places
            .push((Place::AllSteps, start, written.text.len()));
        written.text.push_str(";\n");
        for &fair in &kripke.fairness.justice {
            written.text.push_str("FAIRNESS ");
            written.put(Place::Fairness, &format!("s in {}", set(fair)));
            written.text.push('\n');
        }
        written.text.push_str(specification);
        written.text.push('\n');
        written
    }

    fn put(&mut self, place: Place, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.places.push((place, start, self.text.len()));
    }
}

/// No set is empty: what is never in it stands for none.
fn set(states: StateMask) -> String {
    let all: Vec<String> = members(states).map(|state| state.to_string()).collect();
    match all.is_empty() {
        true => "{-1}".to_owned(),
        false => format!("{{{}}}", all.join(", ")),
    }
}

/// All structures that the text describes if something else stands at a place.
fn replaced(kripke: &Kripke, place: Place) -> Vec<Kripke> {
    let sets = 0..=mask(kripke.size);
    let nonempty = || 1..=mask(kripke.size);
    let with = |change: &dyn Fn(&mut Kripke)| {
        let mut changed = kripke.clone();
        change(&mut changed);
        changed
    };
    match place {
        Place::Initial => nonempty().map(|set| with(&|k| k.initial = set)).collect(),
        Place::Branch(state) => nonempty()
            .map(|set| with(&|k| k.steps[state] = set))
            .collect(),
        Place::Label => sets.map(|set| with(&|k| k.labels = vec![set])).collect(),
        Place::Fairness => sets
            .map(|set| with(&|k| k.fairness.justice = vec![set]))
            .collect(),
        Place::Condition(which) => sets
            .map(|truth| {
                with(&|k| {
                    for state in 0..k.size {
                        let holds = |condition: usize| match condition == which {
                            true => truth >> state & 1 == 1,
                            false => condition == state || condition + 1 == k.size,
                        };
                        let first = (0..k.size).find(|&condition| holds(condition));
                        k.steps[state] = kripke.steps[first.expect("the last one holds")];
                    }
                })
            })
            .collect(),
        Place::AllSteps => {
            let mut all = vec![kripke.clone()];
            for state in 0..kripke.size {
                let each = all.iter().flat_map(|k| {
                    nonempty().map(move |set| {
                        let mut changed = k.clone();
                        changed.steps[state] = set;
                        changed
                    })
                });
                all = each.collect();
            }
            all
        }
    }
}

/// Whether the query holds in a structure, and whether some run counts.
fn verdict(kripke: &Kripke, query: &Query) -> (bool, bool) {
    let kripke = Kripke {
        labels: vec![kripke.labels[0]; query.atoms.len()],
        ..kripke.clone()
    };
    let naive = Naive::new(&kripke);
    let counted = naive.counted(PathRule::FairInfinite);
    if query.formula.is_linear() {
        // Runs of structures with two states repeat soon.
        let runs = lassos(&kripke, 5);
        let root = query.formula.root().index();
        let holds = |run: &KripkeLasso| truth(&kripke, &query.formula, run, 0)[root];
        return (runs.iter().all(holds), counted != 0);
    }
    let holds = naive.evaluate(&query.formula, query.rule);
    (counted & !holds[query.formula.root()] == 0, counted != 0)
}

fn load(text: &str) -> (Model, FileId) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("there is time");
    assert!(loaded.diagnostics.iter().all(|d| !d.is_error()), "{text}");
    (loaded.model, file)
}

const BRANCHING: [&str; 14] = [
    "CTLSPEC AG p",
    "CTLSPEC AF p",
    "CTLSPEC EF p",
    "CTLSPEC EG p",
    "CTLSPEC AX p",
    "CTLSPEC AG AF p",
    "CTLSPEC AG EF p",
    "CTLSPEC AF AG p",
    "CTLSPEC EF AG p",
    "CTLSPEC AG (p -> AX !p)",
    "CTLSPEC A [!p U p] & EX !p",
    "CTLSPEC AG (EX p & EX !p)",
    "CTLSPEC EG !p & EF p",
    "CTLSPEC AG (p -> AF !p) & AG EF p",
];

const LINEAR: [&str; 8] = [
    "LTLSPEC G p",
    "LTLSPEC F p",
    "LTLSPEC X p",
    "LTLSPEC F G p",
    "LTLSPEC G F p",
    "LTLSPEC G (p -> X !p)",
    "LTLSPEC p U X !p",
    "LTLSPEC F (p & X !p)",
];

fn compare(size: usize, fairness: WithFairness, specifications: &[&str], every_nth: usize) {
    let mut compared = [0, 0];
    let mut number = 0;
    for structure in every(size, fairness).filter(Kripke::is_total) {
        for initial in 0..size {
            for specification in specifications {
                number += 1;
                if number % every_nth != 0 {
                    continue;
                }
                let kripke = Kripke {
                    initial: 1 << initial,
                    ..structure.clone()
                };
                let written = Written::new(&kripke, specification);
                let (model, file) = load(&written.text);
                let query = model.properties[0].body.query().expect("a formula");
                let (holds, counts) = verdict(&kripke, query);
                if holds {
                    continue;
                }
                let users = TermUsers::new(&model);
                let places = TextPlaces::new(&users);
                for &(place, start, end) in &written.places {
                    let span = Span::new(file, start, end);
                    let terms = places.terms(span).expect("terms are written there");
                    let all = replaced(&kripke, place);
                    let expected = all.iter().any(|changed| {
                        let (holds, some) = verdict(changed, query);
                        holds && (some || !counts)
                    });
                    let expected = match expected {
                        true => FreedVerdict::CanMend,
                        false => FreedVerdict::CannotMend,
                    };
                    let budget = Budget::unlimited();
                    let found =
                        can_mend(&model, &terms, &[0], !counts, &mut EFFORT.clone(), &budget);
                    assert_eq!(found, Ok(expected), "{place:?} of\n{}", written.text);
                    compared[usize::from(expected == FreedVerdict::CanMend)] += 1;
                }
            }
        }
    }
    assert!(compared[0] > 20 && compared[1] > 20, "{compared:?}");
}

#[test]
fn can_mend_agrees_with_all_replacements_in_structures_of_two_states() {
    for fairness in [WithFairness::No, WithFairness::Justice] {
        compare(2, fairness, &BRANCHING, 1);
        compare(2, fairness, &LINEAR, 1);
    }
}

#[test]
fn can_mend_agrees_with_all_replacements_in_structures_of_three_states() {
    let part = |share: usize| if soaking() { 1 } else { share };
    compare(3, WithFairness::No, &BRANCHING, part(7));
    compare(3, WithFairness::Justice, &BRANCHING, part(101));
}
