//! The modules that are built in: every name that users know is there, and means what it says.
//!
//! Each assertion states what an operation means in words that do not use the module's own: over
//! all atoms one by one, or by the operators of the language. It is checked in a small scope.

use wherefore_alloy::model::Command;
use wherefore_alloy::{AlloyModel, LoweringOptions, lower, lower_facts};
use wherefore_base::Budget;
use wherefore_relational::{Problem, Search, SearchOptions};
use wherefore_sat::Batsat;

use crate::common::{self, good, show_all};

/// What the modules offer: predicates and functions with the number of their arguments, then macros with
/// theirs, then signatures.
const INTERFACE: [(&str, &str, &str, &str); 11] = [
    (
        "boolean",
        "And/2 Nand/2 Nor/2 Not/1 Or/2 Xor/2 isFalse/1 isTrue/1",
        "",
        "Bool False True",
    ),
    (
        "graph[A]",
        "dag/1 forest/1 innerNodes/1 leaves/1 noSelfLoops/1 ring/1 rootedAt/2 roots/1 stronglyConnected/1 \
         tree/1 treeRootedAt/2 undirected/1 weaklyConnected/1",
        "",
        "",
    ),
    (
        "integer",
        "add/2 div/2 elem2int/2 eq/2 gt/2 gte/2 int2elem/3 larger/2 lt/2 lte/2 max/0 max/1 min/0 min/1 \
         minus/2 mul/2 neg/1 negate/1 next/0 nexts/1 nonneg/1 nonpos/1 plus/2 pos/1 prev/0 prevs/1 rem/2 \
         signum/1 smaller/2 sub/2 zero/1",
        "",
        "",
    ),
    (
        "natural",
        "add/2 dec/1 div/2 gt/2 gte/2 inc/1 lt/2 lte/2 max/1 min/1 mul/2 sub/2",
        "",
        "Natural One Zero",
    ),
    (
        "ordering[A]",
        "first/0 gt/2 gte/2 larger/2 last/0 lt/2 lte/2 max/1 min/1 next/0 nexts/1 prev/0 prevs/1 smaller/2",
        "",
        "",
    ),
    (
        "relation",
        "acyclic/2 antisymmetric/1 bijection/3 bijective/2 complete/2 dom/1 equivalence/2 function/2 \
         functional/2 injective/2 irreflexive/1 partialOrder/2 preorder/2 ran/1 reflexive/2 surjective/2 \
         symmetric/1 total/2 totalOrder/2 transitive/1",
        "",
        "",
    ),
    (
        "seqrel[A]",
        "add/2 afterLastIdx/1 append/2 butlast/1 delete/2 elems/1 finalIdx/0 first/1 firstIdx/0 hasDups/1 \
         idxOf/2 inds/1 indsOf/2 insert/3 isEmpty/1 isSeq/1 last/1 lastIdx/1 lastIdxOf/2 rest/1 setAt/3 \
         subseq/3",
        "",
        "SeqIdx",
    ),
    (
        "sequence[A]",
        "add/3 afterLastIdx/1 allExist/0 allExistNoDuplicates/0 append/3 at/2 copy/3 elems/1 finalIdx/0 \
         first/1 firstIdx/0 hasDups/1 idxOf/2 inds/1 indsOf/2 insert/4 isEmpty/1 last/1 lastIdx/1 \
         lastIdxOf/2 noDuplicates/0 rest/2 setAt/4 startsWith/2 subseq/4",
        "",
        "Seq SeqIdx",
    ),
    (
        "sequniv",
        "add/2 afterLastIdx/1 append/2 butlast/1 delete/2 elems/1 first/1 hasDups/1 idxOf/2 inds/1 indsOf/2 \
         insert/3 isEmpty/1 isSeq/1 last/1 lastIdx/1 lastIdxOf/2 rest/1 setAt/3 subseq/3",
        "",
        "",
    ),
    (
        "ternary",
        "dom/1 flip12/1 flip13/1 flip23/1 mid/1 ran/1 select12/1 select13/1 select23/1",
        "",
        "",
    ),
    (
        "time",
        "",
        "dynamic/1 dynamicSet/1 then/4 while/4 while0/4 while1/4 while2/4 while3/4 while4/4 while5/4 while6/4 \
         while7/4 while8/4 while9/4",
        "Time",
    ),
];

fn satisfiable(problem: &Problem) -> bool {
    let budget = Budget::unlimited();
    let search = Search::<Batsat>::new(problem, &SearchOptions::default(), &budget);
    let found = search.and_then(|mut search| search.next(&budget));
    found.expect("it fits").is_some()
}

fn passes(model: &AlloyModel, command: &Command) -> bool {
    let choices = LoweringOptions::default();
    let lowered = lower(model, command, &choices).unwrap_or_else(|d| panic!("{}", d.message));
    let facts =
        lower_facts(model, command, &choices, 1).unwrap_or_else(|d| panic!("{}", d.message));
    assert!(
        satisfiable(&facts.problem),
        "the facts of {} contradict each other",
        command.label
    );
    !satisfiable(&lowered.problem)
}

/// Every command of a model is a check, and passes.
fn all_pass(text: &str) {
    let model = good(text);
    assert!(!model.commands.is_empty());
    assert!(model.commands.iter().all(|command| command.check));
    let failed = model.commands.iter().filter(|c| !passes(&model, c));
    let failed: Vec<&str> = failed.map(|command| command.label.as_str()).collect();
    assert!(failed.is_empty(), "{failed:?} fail");
}

#[test]
fn every_name_that_users_know_is_there_with_its_arguments() {
    for (path, functions, macros, signatures) in INTERFACE {
        // The module of integers is also opened as `integer`, which comes after this name.
        let model = good(&format!("open util/{path} as i sig A {{}}"));
        let own = |label: &str| {
            let name = label.strip_prefix("i/")?;
            (!name.contains('/')).then(|| name.to_owned())
        };
        let public = model.functions.iter().filter(|f| !f.private);
        let found = public.filter_map(|f| Some(format!("{}/{}", own(&f.label)?, f.arity())));
        let mut found: Vec<String> = found.collect();
        found.sort();
        assert_eq!(found.join(" "), functions, "functions of {path}");
        let public = model.declared().filter(|(_, sig)| !sig.private);
        let mut found: Vec<String> = public.filter_map(|(_, sig)| own(&sig.label)).collect();
        found.sort();
        assert_eq!(found.join(" "), signatures, "signatures of {path}");
        for definition in macros.split_whitespace() {
            let (name, arity) = definition.split_once('/').expect("written so above");
            let arity: usize = arity.parse().expect("written so above");
            let arguments = ["a", "b", "t", "u"][4 - arity..].join(", ");
            let text = format!(
                "open util/{path} as m sig A {{}} pred a[t: Time] {{ t = t }} \
                 pred b[t, u: Time] {{ t = u }} run {{ all t, u: Time | {} }}",
                match arity {
                    1 => format!("A -> u in m/{name}[A]"),
                    _ => format!("m/{name}[{arguments}]"),
                }
            );
            let text = text.replace("then[a, b", "then[b, b");
            let (sources, loaded) = common::read("model.als", &text);
            let told = show_all(&sources, &loaded.diagnostics);
            assert!(!told.contains("error"), "{definition}: {told}");
        }
    }
}

#[test]
fn truth_values_are_what_their_tables_say() {
    all_pass(include_str!("library/boolean.als"));
}

#[test]
fn properties_of_relations_are_what_they_say_of_pairs() {
    all_pass(include_str!("library/relation.als"));
}

#[test]
fn properties_of_graphs_are_what_they_say_of_ways() {
    all_pass(include_str!("library/graph.als"));
}

#[test]
fn integers_are_computed_and_compared() {
    all_pass(include_str!("library/integer.als"));
}

#[test]
fn natural_numbers_count() {
    all_pass(include_str!("library/natural.als"));
}

#[test]
fn an_order_is_total() {
    all_pass(include_str!("library/ordering.als"));
}

#[test]
fn columns_of_ternary_relations_are_taken_and_changed() {
    all_pass(include_str!("library/ternary.als"));
}

#[test]
fn sequences_over_integers_have_their_elements_in_order() {
    all_pass(include_str!("library/sequniv.als"));
}

#[test]
fn sequences_over_indices_have_their_elements_in_order() {
    all_pass(include_str!("library/seqrel.als"));
}

#[test]
fn sequences_as_atoms_have_their_elements_in_order() {
    all_pass(include_str!("library/sequence.als"));
}

#[test]
fn steps_in_time_follow_each_other() {
    all_pass(include_str!("library/time.als"));
}
