//! Scopes of commands, and what commands come to.

use wherefore_alloy::model::Command;
use wherefore_alloy::{
    AlloyModel, LoweredCommand, LoweringOptions, Override, Scopes, TermMeaning, TraceShape,
    expression, lower, lower_facts, lower_lassos, lower_trace, rounds, scopes,
};
use wherefore_base::{Budget, Diagnostic};
use wherefore_relational::{Instance, Overflow, RelEvaluator, Search, SearchOptions};
use wherefore_sat::Batsat;

use crate::common::{self, good};

fn scoped(text: &str) -> (AlloyModel, Result<Scopes, Diagnostic>) {
    scoped_with(text, &[])
}

fn scoped_with(text: &str, outside: &[Override]) -> (AlloyModel, Result<Scopes, Diagnostic>) {
    let model = good(text);
    let scopes = scopes(&model, &model.commands[0], outside);
    (model, scopes)
}

/// How many atoms a signature must have, and how many it may have, as "2..3".
fn bounds(text: &str, sig: &str) -> String {
    let (model, scopes) = scoped(text);
    let scopes = scopes.unwrap_or_else(|d| panic!("{}", d.message));
    let (id, _) = model
        .declared()
        .find(|(_, s)| s.label == sig)
        .expect("it is declared");
    format!(
        "{}..{}",
        scopes.lower[id.index()].len(),
        scopes.upper[id.index()].len()
    )
}

fn refused(text: &str) -> String {
    let (_, scopes) = scoped(text);
    scopes.expect_err("the scope does not fit").message
}

/// How many instances the first command has, with all symmetric ones, at most 2000.
fn instances(text: &str) -> usize {
    instances_with(text, &LoweringOptions::default())
}

fn instances_with(text: &str, choices: &LoweringOptions) -> usize {
    let model = good(text);
    let lowered = lower(&model, &model.commands[0], choices);
    let lowered = lowered.unwrap_or_else(|d| panic!("{}", d.message));
    let options = SearchOptions {
        symmetry: 0,
        ..SearchOptions::default()
    };
    let budget = Budget::unlimited();
    let mut search = Search::<Batsat>::new(&lowered.problem, &options, &budget).expect("it fits");
    let next = || search.next(&budget).expect("no limit");
    std::iter::from_fn(next).take(2000).count()
}

#[test]
fn the_scope_is_three_unless_the_command_says_otherwise() {
    assert_eq!(bounds("sig A {} run {}", "A"), "0..3");
    assert_eq!(bounds("sig A {} run {} for 5", "A"), "0..5");
    assert_eq!(bounds("sig A {} run {} for 5 but 2 A", "A"), "0..2");
    assert_eq!(bounds("sig A {} run {} for exactly 2 A", "A"), "2..2");
    assert_eq!(bounds("sig A {} run {} for 5 Int", "A"), "0..3");
    assert_eq!(bounds("sig A {}", "A"), "0..3");
}

#[test]
fn scopes_follow_from_those_that_are_given() {
    let family = "abstract sig P {} sig A, B extends P {} one sig C extends P {}";
    assert_eq!(
        bounds(&format!("{family} run {{}} for 5 but 1 A"), "B"),
        "0..4"
    );
    assert_eq!(
        bounds(&format!("{family} run {{}} for 1 A, 1 B"), "P"),
        "1..3"
    );
    assert_eq!(
        bounds("sig P {} sig A extends P {} run {} for 4", "A"),
        "0..4"
    );
    assert_eq!(
        bounds("sig P {} one sig A, B extends P {} run {} for 1", "P"),
        "2..2"
    );
    assert_eq!(bounds("enum E { X, Y } run {}", "E"), "2..2");
    assert_eq!(bounds("lone sig A {} run {} for 4", "A"), "0..1");
}

#[test]
fn an_ordered_signature_has_an_exact_scope() {
    assert_eq!(
        bounds("open util/ordering[A] sig A {} run {} for 4", "A"),
        "4..4"
    );
}

#[test]
fn scopes_that_do_not_fit_are_refused() {
    let told = refused("sig A {} sig B {} run {} for 3 A");
    assert_eq!(told, "You must specify a scope for sig `B`");
    let told = refused("one sig A {} run {} for 2 A");
    assert_eq!(told, "A scope of 2 does not fit `one sig A`");
    let told = refused("sig A {} sig B in A {} run {} for 3 but 2 B");
    assert_eq!(
        told,
        "`B` is a subset of others and has no scope of its own"
    );
    let told = refused("enum E { X } run {} for 3 but 2 E");
    assert_eq!(told, "The enumeration `E` has a fixed size");
    let told = refused("sig A { s: seq A } run {} for 3 but 9 seq");
    assert_eq!(
        told,
        "Sequences of length 9 need integers up to 9, and those of 4 bits end at 7"
    );
    let told = refused("sig A {} run {} for 3 but 2 String");
    assert_eq!(told, "The scope of `String` must be exact");
    let told = refused("sig A {} run {} for 3 but 4 steps");
    assert_eq!(
        told,
        "`steps` has no meaning in a model in which nothing changes over time"
    );
    let told = refused("sig A {} run {} for 200000");
    assert_eq!(
        told,
        "The scopes come to 200000 atoms, which is more than 100000"
    );
}

#[test]
fn scopes_from_outside_win() {
    let outside = |name: &str, number, exactly| Override {
        name: name.to_owned(),
        number,
        exactly,
    };
    let text = "sig A {} sig B {} run {} for 2 A, 2 B";
    let (model, scopes) = scoped_with(text, &[outside("A", 4, true), outside("Int", 6, false)]);
    let scopes = scopes.expect("it fits");
    let (id, _) = model.declared().next().expect("there is one");
    assert_eq!(scopes.lower[id.index()].len(), 4);
    assert_eq!(scopes.bits, 6);
    let (_, scopes) = scoped_with(text, &[outside("C", 4, true)]);
    assert_eq!(
        scopes.expect_err("no such signature").message,
        "There is no signature `C`"
    );
}

#[test]
fn sets_of_atoms_are_counted() {
    assert_eq!(instances("sig A {} run {}"), 8);
    assert_eq!(
        instances("sig A {} sig B in A {} run {} for exactly 2 A"),
        4
    );
    assert_eq!(
        instances("sig A {} sig B extends A {} run {} for exactly 2 A"),
        4
    );
    assert_eq!(
        instances("abstract sig A {} sig B, C extends A {} run {} for exactly 2 A, 2 B, 2 C"),
        4
    );
    assert_eq!(instances("some sig A {} run {} for 2"), 3);
    assert_eq!(instances("sig A {} sig B = A {} run { some B } for 1"), 1);
}

#[test]
fn multiplicities_of_fields_are_kept() {
    let count =
        |bound: &str| instances(&format!("sig A {{ f: {bound} }} run {{}} for exactly 2 A"));
    assert_eq!(count("A"), 4);
    assert_eq!(count("lone A"), 9);
    assert_eq!(count("some A"), 9);
    assert_eq!(count("set A"), 16);
    assert_eq!(count("A -> lone A"), 81);
    assert_eq!(count("A one -> one A"), 4);
    assert_eq!(count("A -> (A some -> lone A)"), 16);
    assert_eq!(
        instances("sig A { disj f, g: lone A } run {} for exactly 1 A"),
        3
    );
    assert_eq!(
        instances("sig A { f: disj set A } run {} for exactly 2 A"),
        9
    );
    assert_eq!(
        instances("sig A { f: lone A, g: set f } run {} for exactly 1 A"),
        3
    );
}

#[test]
fn the_order_of_an_enumeration_is_that_of_its_declaration() {
    let text = "open util/ordering[E] as o enum E { X, Y, Z } run { o/first = X and X.(o/next) = Y and o/last = Z }";
    assert_eq!(instances(text), 1);
    let text = "open util/ordering[E] as o enum E { X, Y } run { o/first = Y }";
    assert_eq!(instances(text), 0);
}

#[test]
fn an_order_has_one_first_and_one_last() {
    let text =
        "open util/ordering[A] sig A {} run { one first and one last and no last.next } for 3";
    assert_eq!(instances(text), 6);
    let text =
        "open util/ordering[A] sig A {} check { all x: A | lt[x, x.next] or x = last } for 3";
    assert_eq!(instances(text), 0);
}

#[test]
fn integers_wrap_or_are_kept_from_overflowing() {
    assert_eq!(instances("run { plus[7, 1] = -8 }"), 1);
    assert_eq!(
        instances("run { 2.plus[3] = 5 and mul[2, 3] = 6 and div[7, 2] = 3 and rem[7, 2] = 1 }"),
        1
    );
    assert_eq!(instances("sig A {} run { #A = 2 }"), 3);
    assert_eq!(instances("sig A {} run { (sum x: A | 2) = 6 }"), 1);
    assert_eq!(instances("run { max = 7 and min = -8 and 3.next = 4 }"), 1);
    assert_eq!(instances("run { #Int = 0 }"), 1);
    let shifts = "run { 3 << 5 = 6 and -8 >> 5 = -4 and -1 >>> 3 = 1 and 1 << -4 = 1 }";
    assert_eq!(instances(shifts), 1);
    let keep = LoweringOptions {
        overflow: Overflow::Forbid,
        ..LoweringOptions::default()
    };
    assert_eq!(
        instances_with("run { some x: Int | plus[x, 1] < x }", &keep),
        0
    );
    assert_eq!(instances("run { some x: Int | plus[x, 1] < x }"), 1);
    let model = good("run { 9 = 9 }");
    let told = lower(&model, &model.commands[0], &LoweringOptions::default())
        .expect_err("it is too large");
    assert_eq!(told.message, "The number 9 does not fit integers of 4 bits");
}

/// What the Analyzer of Alloy 6.1 says of these commands where overflow is prevented.
#[test]
fn overflow_that_is_forbidden_means_what_it_means_to_the_analyzer() {
    let keep = LoweringOptions {
        overflow: Overflow::Forbid,
        ..LoweringOptions::default()
    };
    let commands = [
        (
            "run { all x: Int | (plus[x, 1] > 0 implies x in S.v) and 3 not in S.v } for 3 Int",
            false,
        ),
        (
            "run { all x: Int | some y: Int | plus[x, y] = 0 } for 2 Int",
            true,
        ),
        (
            "run { some x: Int | all y: Int | plus[x, y] = y } for 3 Int",
            true,
        ),
        ("run { not (some x: Int | plus[x, 1] < x) } for 3 Int", true),
        ("run { sum[Int] = -4 } for 3 Int", false),
        ("run { not sum[Int] = -4 } for 3 Int", false),
        ("run { sum[Int] = 1 iff sum[Int] = 2 } for 3 Int", true),
        ("run { all x: Int | plus[x, 1] > x } for 3 Int", true),
        ("run { all x: Int | not plus[x, 1] < x } for 3 Int", true),
        ("run { one x: Int | plus[x, 1] > x } for 3 Int", false),
        ("run { lone x: Int | plus[x, 1] < x } for 3 Int", true),
        (
            "run { (plus[3, 1] = 0) implies no S.v and some S.v } for 3 Int",
            true,
        ),
        (
            "run { not (plus[3, 1] = 0 implies some S.v) } for 3 Int",
            true,
        ),
        (
            "run { all x, y: Int | not (plus[x, 1] = y and plus[y, 1] = x) } for 3 Int",
            true,
        ),
        (
            "run { all x: Int | plus[x, 1] != minus[x, 1] iff x != x } for 3 Int",
            false,
        ),
        (
            "run { some x: Int | all y: Int | not plus[x, 3] = plus[y, 3] } for 3 Int",
            false,
        ),
        (
            "run { all y: Int | some S.v => (plus[y, 1] > y => plus[y, 3] > y else some none) } for 3 Int",
            true,
        ),
        (
            "run { plus[sum[S.v & (some S.v => plus[3, 1] else 0)], 1] = 1 and some S.v } for 3 Int",
            true,
        ),
        (
            "run { all x: Int | all y: Int | some z: Int | plus[x, z] = y } for 2 Int",
            false,
        ),
    ];
    for (command, found) in commands {
        let text = format!("one sig S {{ v: set Int }} {command}");
        assert_eq!(instances_with(&text, &keep) > 0, found, "{command}");
    }
}

#[test]
fn an_integer_beside_a_set_is_the_set_of_its_atom() {
    assert_eq!(instances("run { #univ = 0 + 0 }"), 1);
    assert_eq!(instances("sig A {} run { #A = 1 + 2 }"), 0);
    assert_eq!(instances("sig A {} run { #A in 1 + 2 }"), 6);
    let choice = |first: &str| {
        let text = format!("sig A {{}} run {{ #(some none => {first} else 1 + 2) = 2 and no A }}");
        instances(&text)
    };
    for set in ["1", "plus[0, 1]", "int[1]", "sum[Int]", "max"] {
        assert_eq!(choice(set), 1, "{set}");
    }
    for integer in ["#A", "(sum x: A | 1)", "(1 << 1)"] {
        assert_eq!(choice(integer), 0, "{integer}");
    }
}

#[test]
fn sequences_have_no_gaps() {
    let text = "sig A { s: seq A } run {} for exactly 1 A, 2 seq";
    assert_eq!(instances(text), 3);
    let text = "one sig A { s: seq A } check { A.s.isEmpty or A.s.first = A } for 3";
    assert_eq!(instances(text), 0);
}

#[test]
fn strings_are_atoms_of_their_own() {
    let text = "one sig A { n: String } run { A.n in \"x\" + \"y\" }";
    assert_eq!(instances(text), 2);
    assert_eq!(
        instances("one sig A { n: lone String } run {} for exactly 3 String"),
        4
    );
}

#[test]
fn a_command_has_the_strings_that_it_is_written_with() {
    let model = "sig A { n: set (\"d\" + String) } fact { p } pred p { f[A] != \"p\" }
        fun f[a: A]: set String { \"f\" & a.n } pred other { A.n = \"other\" }
        pred takes[s: set \"bound\"] { some s & String } assert a { A.n = \"a\" }";
    let strings = |command: &str| {
        let (model, scopes) = scoped(&format!("{model} {command}"));
        let texts = scopes.expect("it fits").texts;
        let texts = texts.iter().map(|&text| model.names.text(text).to_owned());
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts.join(" ")
    };
    assert_eq!(strings("run {}"), "d f p");
    assert_eq!(strings("run other"), "d f other p");
    assert_eq!(strings("check a"), "a d f p");
    assert_eq!(strings("run takes"), "bound d f p");
    assert_eq!(strings("run { takes[\"x\"] }"), "d f p x");
    assert_eq!(strings("run { let x = \"x\" | no none }"), "d f p x");
    let two = "one sig A { n: lone String } run { \"x\" in String } run { \"y\" in String }";
    assert_eq!(instances(two), 2);
}

#[test]
fn what_follows_a_semicolon_is_no_part_of_a_quantified_formula() {
    let run = |goal: &str| {
        traces(&format!(
            "var sig A {{}} run {{ {goal} }} for 1 but 2 steps"
        ))
    };
    assert_eq!(run("always no A and (all a: A | a = a ; some A)"), [""; 0]);
    assert_eq!(run("always no A and (let x = A | no x ; some A)"), [""; 0]);
    assert_eq!(
        run("no A and all a: A | (some a ; no A)"),
        ["1/0", "2/0", "2/1"]
    );
    assert_eq!(run("no A and all a: A | some a ; some A"), ["2/0", "2/1"]);
}

#[test]
fn a_function_is_run_with_some_arguments_and_its_result() {
    let text = "sig A { f: set A } fun g[x: A]: one A { x.f } run g for exactly 1 A";
    assert_eq!(instances(text), 1);
    let text = "sig A {} pred p[disj x, y: A] { some x } run p for exactly 1 A";
    assert_eq!(instances(text), 0);
}

#[test]
fn predicates_that_call_themselves_are_refused() {
    let model = good("sig A { f: A } pred p[x: A] { p[x.f] } run p");
    let told = lower(&model, &model.commands[0], &LoweringOptions::default())
        .expect_err("it is recursive");
    assert_eq!(told.message, "`p` calls itself");
}

#[test]
fn commands_about_time_are_refused_and_others_are_not() {
    let model = good("var sig A {} run { always some A }");
    let told =
        lower(&model, &model.commands[0], &LoweringOptions::default()).expect_err("it changes");
    assert_eq!(
        told.message,
        "This command is about traces, of which a shape must be chosen"
    );
}

/// The shapes of the traces of the first command, as "states/back".
fn traces(text: &str) -> Vec<String> {
    let model = good(text);
    let command = &model.commands[0];
    let scopes = scopes(&model, command, &[]).unwrap_or_else(|d| panic!("{}", d.message));
    let (options, budget) = (SearchOptions::default(), Budget::unlimited());
    let mut found = Vec::new();
    for shape in TraceShape::all(&scopes) {
        let lowered = lower_trace(&model, command, &LoweringOptions::default(), shape);
        let lowered = lowered.unwrap_or_else(|d| panic!("{}", d.message));
        let mut search =
            Search::<Batsat>::new(&lowered.problem, &options, &budget).expect("it fits");
        if search.next(&budget).expect("no limit").is_some() {
            found.push(format!("{}/{}", shape.states, shape.back));
        }
    }
    found
}

#[test]
fn traces_go_round_as_the_operators_of_time_want() {
    let lamp = "one sig Lamp {} var sig On in Lamp {}";
    let run = |goal: &str| traces(&format!("{lamp} run {{ {goal} }} for 3 but 3 steps"));
    assert_eq!(
        run("always no On"),
        ["1/0", "2/0", "2/1", "3/0", "3/1", "3/2"]
    );
    assert_eq!(run("no On and always (On' = Lamp - On)"), ["2/0", "3/1"]);
    assert_eq!(
        run("no On and eventually always some On"),
        ["2/1", "3/1", "3/2"]
    );
    assert_eq!(run("no On ; some On ; no On"), ["2/0", "3/0", "3/1", "3/2"]);
    assert_eq!(
        run("some On and after always (no On and once some On)"),
        ["2/1", "3/1", "3/2"]
    );
    assert_eq!(
        run("no On and (no On until some On) and always (some On => before no On)"),
        ["2/0", "3/0", "3/1", "3/2"]
    );
    assert_eq!(
        run("some On and (no On releases some On) and eventually no On"),
        Vec::<String>::new()
    );
    assert_eq!(
        run("eventually (some On and historically some On and before no On)"),
        Vec::<String>::new()
    );
}

#[test]
fn arguments_are_asked_for_again_at_other_times() {
    let text = "one sig Lamp {} var sig On in Lamp {} pred stays[s: set Lamp] { always some s } \
                run { stays[On] and eventually no On } for 3 but 3 steps";
    assert_eq!(traces(text), Vec::<String>::new());
    let text = "one sig Lamp {} var sig On in Lamp {} \
                run { let s = On | some s and after no s } for 3 but 2 steps";
    assert_eq!(traces(text), ["2/0", "2/1"]);
}

#[test]
fn facts_that_contradict_each_other_have_no_instance_of_their_own() {
    let consistent = |text: &str| {
        let model = good(text);
        let command = &model.commands[0];
        let lowered = lower_facts(&model, command, &LoweringOptions::default(), 1);
        let lowered = lowered.unwrap_or_else(|d| panic!("{}", d.message));
        let (options, budget) = (SearchOptions::default(), Budget::unlimited());
        let search = Search::<Batsat>::new(&lowered.problem, &options, &budget);
        let found = search.and_then(|mut search| search.next(&budget));
        found.expect("no limit").is_some()
    };
    assert!(consistent("sig A {} fact { some A } check { no none }"));
    assert!(!consistent(
        "sig A {} fact { some A } fact { no A } check { no none }"
    ));
}

#[test]
fn traces_without_a_bound_are_refused() {
    let model = good("var sig A {} run {} for 2 A, 1.. steps");
    let told = lower_trace(
        &model,
        &model.commands[0],
        &LoweringOptions::default(),
        TraceShape::STILL,
    );
    let told = told.expect_err("there is no bound");
    assert_eq!(told.message, "Traces of any length are not searched");
}

#[test]
fn variables_of_one_name_are_kept_apart_where_calls_are_written_out() {
    let text = "sig A { f: set A } \
                fun image[s: set A]: set A { { y: A | some x: s | y in x.f } } \
                check { all x: A | image[image[x]] = x.f.f } for 3";
    assert_eq!(instances(text), 0);
}

#[test]
fn reflexive_closure_has_the_atoms_that_are_there() {
    let text = "sig A { f: set A } check { *f = ^f + iden and (all a: A | a.*f = a + a.^f) } for 2";
    assert_eq!(instances(text), 0);
    assert_eq!(instances("sig A {} run { #(iden & A -> A) = 1 } for 2"), 2);
}

#[test]
fn expressions_from_outside_have_a_value_in_an_instance() {
    let text = "sig A { f: set A } pred loop[x: A] { x in x.f } let all_of = A run { #A = 2 and f = A -> A } for exactly 2 A";
    let (mut sources, mut loaded) = common::read("model.als", text);
    let mut value = |text: &str| {
        let file = sources.add(wherefore_base::SourceFile::new("expression", text));
        let term = expression(&mut sources, file, &mut loaded).map_err(|d| d[0].message.clone())?;
        let command = &loaded.model.commands[0];
        let mut lowered =
            lower(&loaded.model, command, &LoweringOptions::default()).expect("it fits");
        let meaning = lowered
            .meaning(&loaded.model, term, 0)
            .map_err(|d| d.message)?;
        let (options, budget) = (SearchOptions::default(), Budget::unlimited());
        let mut search =
            Search::<Batsat>::new(&lowered.problem, &options, &budget).expect("it fits");
        let instance = search
            .next(&budget)
            .expect("no limit")
            .expect("there is one");
        let mut evaluator =
            RelEvaluator::new(&lowered.problem, &instance, &budget).expect("no limit");
        Ok::<_, String>(match meaning {
            TermMeaning::Expr(expr) => {
                let tuples = evaluator.tuples(expr).expect("it has a value");
                tuples.len().to_string()
            }
            TermMeaning::Formula(formula) => {
                let holds = evaluator.holds(formula).expect("it has a value");
                holds.to_string()
            }
            TermMeaning::Int(int) => {
                let number = evaluator.integer(int).expect("it has a value");
                number.expect("it does not overflow").to_string()
            }
        })
    };
    assert_eq!(value("A.f"), Ok("2".to_owned()));
    assert_eq!(value("#all_of"), Ok("2".to_owned()));
    assert_eq!(value("all x: A | loop[x]"), Ok("true".to_owned()));
    assert_eq!(value("A$0 + A$1 = A"), Ok("true".to_owned()));
    assert_eq!(value("#A$1.f"), Ok("2".to_owned()));
    assert_eq!(
        value("A$2"),
        Err("There is no atom `A$2` in this scope".to_owned())
    );
    assert_eq!(
        value("B$0"),
        Err("The name `B$0` is not known here".to_owned())
    );
    assert_eq!(
        value("A.g"),
        Err("The name `g` is not known here".to_owned())
    );
    assert_eq!(
        value("A."),
        Err("The text ends where an expression is expected".to_owned())
    );
}

#[test]
fn macros_are_written_out() {
    let text = "sig A { f: set A } let both[x, y] = x.f & y.f let lots { #A > 1 } \
                run { lots and some both[A, A] and no f } for exactly 2 A";
    assert_eq!(instances(text), 0);
}

/// The scopes of signatures in each round of the first command.
fn grown(text: &str) -> Vec<Vec<i32>> {
    let model = good(text);
    let numbers = |command: &Command| command.scopes.iter().map(|scope| scope.from).collect();
    rounds(&model.commands[0]).map(|c| numbers(&c)).collect()
}

#[test]
fn growing_scopes_are_tried_in_order() {
    let sigs = "sig A {} sig B {} run {} for";
    assert_eq!(
        grown(&format!("{sigs} 3..5 A, 2 B")),
        [[3, 2], [4, 2], [5, 2]]
    );
    assert_eq!(
        grown(&format!("{sigs} 1..6:2 A, 1..2 B")),
        [[1, 1], [3, 2], [5, 2], [6, 2]]
    );
    assert_eq!(grown(&format!("{sigs} 4 A, 1 B")), [[4, 1]]);
    assert_eq!(grown("var sig A {} run {} for 3 but 2..4 steps"), [[2]]);
    let model = good("sig A {} run { #A = 4 } for 2..5 A");
    let answers = rounds(&model.commands[0]).map(|command| {
        let lowered = lower(&model, &command, &LoweringOptions::default()).expect("it fits");
        let budget = Budget::unlimited();
        let search = Search::<Batsat>::new(&lowered.problem, &SearchOptions::default(), &budget);
        let mut search = search.expect("it fits");
        search.next(&budget).expect("no limit").is_some()
    });
    assert_eq!(answers.collect::<Vec<_>>(), [false, false, true, true]);
}

#[test]
fn growing_scopes_that_make_no_sense_are_refused() {
    assert_eq!(
        refused("sig A {} run {} for 5..3 A"),
        "This scope ends before it begins"
    );
    assert_eq!(
        refused("sig A {} run {} for 3.. A"),
        "This scope grows without end"
    );
    assert_eq!(
        refused("sig A {} run {} for 3..5:0 A"),
        "This scope grows by 0, so it does not grow"
    );
    assert_eq!(
        refused("var sig A {} run {} for 3 but 4..2 steps"),
        "This scope ends before it begins"
    );
}

#[test]
fn what_is_not_supported_is_refused_for_the_command_that_needs_it() {
    let model = good(
        "sig A { f: A } pred meta { some A$.subfields } pred plain { some A } \
         run plain run meta run { all s: sig$ | some s.value } run { some A }",
    );
    let told = model.commands.iter().map(|command| {
        let lowered = lower(&model, command, &LoweringOptions::default());
        lowered.err().map(|diagnostic| diagnostic.message)
    });
    let refusal = |name: &str| Some(format!("The meta-level name `{name}` is not supported"));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [None, refusal("A$"), refusal("sig$"), None]
    );
    let model = good("var sig A {} run { some A } for 1.. steps run { some A } for 2 steps");
    let told = model.commands.iter().map(|command| {
        let lowered = lower_trace(
            &model,
            command,
            &LoweringOptions::default(),
            TraceShape::STILL,
        );
        lowered.err().map(|diagnostic| diagnostic.message)
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            Some("Traces of any length are not searched".to_owned()),
            None
        ]
    );
}

#[test]
fn an_override_of_sets_is_their_union() {
    assert_eq!(
        instances("sig A {} sig B, C in A {} check { B ++ C = B + C } for 2"),
        0
    );
}

#[test]
fn a_trace_with_an_open_loop_is_one_of_some_shape() {
    let model = "var sig A {} one sig B { var f: set A } pred step { #A' != #A } ";
    let formulas = [
        "always step",
        "always eventually no A and always eventually some A",
        "some A; no A; some A and always (some A iff before no A)",
        "eventually always (some A and before some A)",
        "always (some A implies once no A) and eventually some A",
        "no A until some f",
        "always (no f since some A) and eventually some f",
        "some A releases no f and eventually some f",
        "always (some f triggered some A) and eventually no A",
        "historically some A and always (before historically some A implies no f) and some f'",
        "always (some A' iff no A) and always after (before some A iff no A)",
        "always (once (some A and before no A)) and no A",
        "eventually (some A and once (no A and once (some A and once no A)))",
        "always (f' = f + B -> A and some A) and no f and eventually no A",
        "always (some A implies after no A) and always eventually (some A and before before some A)",
    ];
    for formula in formulas {
        for check in ["run", "check"] {
            let model = good(&format!(
                "{model} {check} {{ {formula} }} for 2 but 4 steps"
            ));
            let command = &model.commands[0];
            let mut any = false;
            for states in 1..=4 {
                for back in 0..states {
                    let shape = TraceShape { states, back };
                    let lowered = lower_trace(&model, command, &LoweringOptions::default(), shape);
                    any |= has_instance(&lowered.expect("it fits")).is_some();
                }
                let lowered = lower_lassos(&model, command, &LoweringOptions::default(), states);
                let lowered = lowered.expect("it fits");
                let found = has_instance(&lowered);
                assert_eq!(
                    found.is_some(),
                    any,
                    "{check} {formula} with {states} states"
                );
                if let Some(instance) = found {
                    let shape = lowered.shape_in(&instance);
                    assert_eq!(shape.states, states);
                    let lowered = lower_trace(&model, command, &LoweringOptions::default(), shape);
                    let same = has_instance(&lowered.expect("it fits"));
                    assert!(same.is_some(), "{check} {formula} in {shape:?}");
                }
            }
        }
    }
}

fn has_instance(lowered: &LoweredCommand) -> Option<Instance> {
    let budget = Budget::unlimited();
    let search = Search::<Batsat>::new(&lowered.problem, &SearchOptions::default(), &budget);
    search.expect("it fits").next(&budget).expect("no limit")
}

#[test]
fn facts_about_traces_are_consistent_if_one_shape_has_an_instance() {
    for (fact, consistent) in [
        ("always (some A iff after no A)", true),
        ("always (some A iff after no A) and always some A", false),
    ] {
        let model = good(&format!(
            "var sig A {{}} fact {{ {fact} }} run {{ some A and no A }} for 2 but 3 steps"
        ));
        let command = &model.commands[0];
        let scopes = scopes(&model, command, &[]).expect("it fits");
        let states = TraceShape::longest(&scopes);
        assert_eq!(states, 3);
        let facts = lower_facts(&model, command, &LoweringOptions::default(), states);
        assert_eq!(has_instance(&facts.expect("it fits")).is_some(), consistent);
        let whole = lower_lassos(&model, command, &LoweringOptions::default(), states);
        assert!(has_instance(&whole.expect("it fits")).is_none());
    }
}
