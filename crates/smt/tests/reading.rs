//! Models are read as their forms define them, and what is wrong is told with its place.

use wherefore_base::{FileId, SourceFile, SourceMap};
use wherefore_smt::{
    Deadlock, ExpectedVerdict, SmtClass, SmtForm, SmtPropertyKind, SmtReading, SmtValue,
    SolverTrace, TermSystem, TraceMeaning, is_model, print, read,
};

fn usable(text: &str) -> SmtReading {
    let reading = read("model", FileId::new(0), text);
    assert!(reading.is_usable(), "{:?}", reading.diagnostics);
    reading
}

/// The messages of a text, each with line and column.
fn messages(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model", text));
    let reading = read("model", file, text);
    let told = reading.diagnostics.iter().map(|diagnostic| {
        let place = sources.place(diagnostic.span().expect("messages have a place"));
        format!("{}:{} {}", place.line, place.column, diagnostic.message)
    });
    told.collect()
}

fn text(system: &TermSystem, term: wherefore_smt::SmtTermId) -> String {
    print::text(&system.terms, term)
}

const COUNTER: &str = "
    (declare-fun x () Int)
    (declare-fun x1 () Int)
    (declare-fun by () Int)
    (define-fun .x () Int (! x :next x1))
    (define-fun far () Bool (> x 10))
    (define-fun .init () Bool (! (= x 1) :init true))
    (define-fun up () Bool (and (> by 0) (= x1 (+ x by))))
    (define-fun stay () Bool (= x1 x))
    (define-fun .trans () Bool (! (or up stay) :trans true))
    (define-fun .positive () Bool (! (> x 0) :invar-property 0 :expect holds))
    (define-fun eventually () Bool (ctl.AF far))
    (define-fun .grows () Bool (! (=> (= x 1) eventually) :ctl-property 1 :expect fails))
    (define-fun .settles () Bool (! (= x 7) :live-property 2))
    (assert true)";

#[test]
fn a_vmt_file_has_state_inputs_steps_and_properties() {
    let SmtReading {
        mut system, form, ..
    } = usable(COUNTER);
    assert_eq!(form, SmtForm::Vmt);
    assert_eq!(system.state.len(), 1);
    assert_eq!(system.state[0].name, "x");
    assert_eq!(system.inputs.len(), 1);
    assert_eq!(system.parameters, []);
    assert_eq!(text(&system, system.init), "(= x 1)");
    let actions: Vec<&str> = system
        .actions
        .iter()
        .map(|action| action.name.as_str())
        .collect();
    assert_eq!(actions, ["up", "stay"]);
    let kinds: Vec<SmtPropertyKind> = system
        .properties
        .iter()
        .map(|property| property.kind)
        .collect();
    assert_eq!(
        kinds,
        [
            SmtPropertyKind::Invar,
            SmtPropertyKind::Ctl,
            SmtPropertyKind::Live
        ]
    );
    assert_eq!(system.properties[1].text, "(=> (= x 1) eventually)");
    assert_eq!(system.properties[1].expected, Some(ExpectedVerdict::Fails));
    let grows = system.properties[1]
        .clone()
        .ctl(&mut system.terms)
        .expect("a formula of CTL");
    assert_eq!(grows.class(&mut system.terms), SmtClass::Live);
    let positive = system.properties[0]
        .clone()
        .ctl(&mut system.terms)
        .expect("a formula of CTL");
    assert_eq!(positive.class(&mut system.terms), SmtClass::Invariant);
    let settles = system.properties[2].clone();
    assert!(settles.ctl(&mut system.terms).is_none());
    let settled = settles.stable(&mut system.terms).expect("a condition");
    assert_eq!(text(&system, settled), "(= x 7)");
    assert_eq!(
        system.definitions.len(),
        1,
        "`far` speaks of states, `up` and `stay` of steps"
    );
}

#[test]
fn a_run_is_replayed_step_by_step() {
    let SmtReading { system, .. } = usable(COUNTER);
    let int = |n: i64| vec![TraceMeaning::Value(SmtValue::Int(n.into()))];
    let mut trace = SolverTrace {
        states: vec![int(1), int(4), int(4)],
        inputs: vec![int(3), int(0), int(0)],
        back: Some(1),
        ..SolverTrace::default()
    };
    assert_eq!(trace.replay(&system, true), Ok(()));
    let names: Vec<Option<&str>> = trace
        .actions(&system)
        .iter()
        .map(|at| at.map(|at| system.actions[at].name.as_str()))
        .collect();
    assert_eq!(names, [Some("up"), Some("stay"), Some("stay")]);
    trace.states[2] = int(3);
    assert!(trace.replay(&system, true).is_err());
    trace.states = vec![int(2), int(4), int(4)];
    trace.inputs[0] = int(2);
    assert!(
        trace.replay(&system, true).is_err(),
        "it does not start in an initial state"
    );
    assert_eq!(trace.replay(&system, false), Ok(()));
}

#[test]
fn the_dialect_has_functions_as_state_actions_with_frames_and_globals() {
    let SmtReading { system, .. } = usable(
        "(declare-sort node 0)
         (define-fun .node ((S node)) node (! S :sort 3))
         (declare-fun __sent (node node) Bool)
         (declare-fun sent (node node) Bool)
         (declare-fun __done () Bool)
         (declare-fun done () Bool)
         (declare-fun scratch (node) Bool)
         (declare-fun le (node node) Bool)
         (define-fun .sent ((a node) (b node)) Bool (! (__sent a b) :next sent))
         (define-fun .done () Bool (! __done :next done))
         (define-fun .le ((a node) (b node)) Bool (! (le a b) :global true))
         (define-fun .axiom () Bool (! (forall ((x node)) (le x x)) :axiom true))
         (define-fun .init () Bool (! (forall ((a node) (b node)) (not (__sent a b))) :init true))
         (define-fun .action_ext:send () Bool (! (exists ((n node)) (and (scratch n)
            (forall ((a node) (b node)) (= (sent a b) (or (= a n) (__sent a b)))))) :action ext:send))
         (define-fun .action_ext:stop () Bool (! (and (not __done) done) :action ext:stop))
         (define-fun .prop () Bool (! (=> __done (exists ((a node)) (__sent a a))) :invar-property 0))",
    );
    let names: Vec<&str> = system.state.iter().map(|var| var.name.as_str()).collect();
    assert_eq!(names, ["sent", "done"]);
    assert!(system.has_functions());
    assert_eq!(system.parameters.len(), 1);
    assert_eq!(
        system.inputs.len(),
        1,
        "other functions of such files belong to a step"
    );
    assert_eq!(system.axioms.len(), 1);
    assert_eq!(system.actions[0].name, "ext:send");
    let send = text(&system, system.actions[0].term);
    assert!(
        send.contains("(= __done done)"),
        "what it does not speak of stays: {send}"
    );
    let stop = text(&system, system.actions[1].term);
    assert!(stop.contains("(= (__sent a0 a1) (sent a0 a1))"), "{stop}");
}

#[test]
fn relations_that_are_defined_by_equations_are_written_out() {
    for model in [
        "(declare-fun Init (Int Bool) Bool)
         (declare-fun Next (Int Bool Int Bool) Bool)
         (define-fun P1 ((c Int) (cn Int)) Bool (= cn (+ c 2)))
         (define-fun P2 ((c Int) (cn Int)) Bool (= cn (+ c 3)))
         (assert (forall ((c Int) (b Bool)) (= (Init c b) (= c 0))))
         (assert (forall ((c Int) (b Bool) (cn Int) (bn Bool)) (= (Next c b cn bn) (or (P1 c cn) (P2 c cn)))))",
        "(define-fun Init ((c Int) (b Bool)) Bool (= c 0))
         (define-fun P1 ((c Int) (cn Int)) Bool (= cn (+ c 2)))
         (define-fun P2 ((c Int) (cn Int)) Bool (= cn (+ c 3)))
         (define-fun Next ((c Int) (b Bool) (cn Int) (bn Bool)) Bool (or (P1 c cn) (P2 c cn)))",
    ] {
        let model = format!(
            "{model}
             (define-fun big ((x Int) (b Bool)) Bool (! (ctl.AF (> x 5)) :ctl-property 0))
             (define-fun five () Bool (! (ctl.EF (= c 5)) :ctl-property 1))"
        );
        assert!(is_model(&model));
        let SmtReading { mut system, form, mut scope, .. } = usable(&model);
        assert_eq!(form, SmtForm::Relations);
        assert_eq!(text(&system, system.init), "(= c 0)");
        assert_eq!(text(&system, system.trans), "(or (= cn (+ c 2)) (= cn (+ c 3)))");
        assert_eq!((system.axioms.len(), system.parameters.len()), (0, 0));
        let names: Vec<&str> = system.actions.iter().map(|action| action.name.as_str()).collect();
        assert_eq!(names, ["P1", "P2"]);
        assert_eq!(system.properties.len(), 2);
        assert_eq!(text(&system, system.properties[0].atoms.as_slice()[0]), "(< 5 c)");
        let added = scope.property(&mut system, "mine", FileId::new(1), "(ctl.AG (and b (>= c 0)))");
        let added = added.expect("a formula").ctl(&mut system.terms).expect("a formula of CTL");
        assert_eq!(added.class(&mut system.terms), SmtClass::Invariant);
        let wrong = scope.property(&mut system, "mine", FileId::new(1), "(ctl.AG (> cn 0))");
        assert!(wrong.is_err(), "the next state has no name in a formula");
    }
}

#[test]
fn relations_that_are_only_constrained_stay_relations() {
    let SmtReading { system, .. } = usable(
        "(declare-sort State 0)
         (declare-fun Init (State) Bool)
         (declare-fun Next (State State) Bool)
         (declare-fun good (State) Bool)
         (assert (forall ((s State)) (=> (Init s) (good s))))
         (assert (forall ((s State) (t State)) (=> (Next s t) (= (good s) (good t)))))
         (define-fun stays ((s State)) Bool (! (ctl.AX (good s)) :ctl-property 0))",
    );
    assert_eq!(text(&system, system.init), "(Init s)");
    assert_eq!(text(&system, system.trans), "(Next s s.next)");
    assert_eq!((system.axioms.len(), system.parameters.len()), (2, 3));
}

#[test]
fn an_input_that_states_speak_of_is_part_of_the_state() {
    let SmtReading { system, .. } = usable(
        "(declare-fun x () Int) (declare-fun x1 () Int) (declare-fun press () Bool)
         (define-fun .x () Int (! x :next x1))
         (define-fun .i () Bool (! (= x 0) :init true))
         (define-fun .t () Bool (! (= x1 (ite press (+ x 1) x)) :trans true))
         (define-fun .p () Bool (! (ctl.AG (=> press (ctl.AX (> x 0)))) :ctl-property 0))
         (set-info :deadlock fail)",
    );
    assert_eq!(system.inputs, []);
    assert_eq!(system.state[1].name, "press");
    assert_eq!(system.deadlock, Deadlock::Fail);
}

#[test]
fn axioms_about_states_hold_in_all_of_them() {
    let SmtReading { system, .. } = usable(
        "(declare-fun x () Int) (declare-fun x1 () Int) (declare-fun n () Int)
         (define-fun .x () Int (! x :next x1))
         (define-fun .n () Int (! n :global true))
         (define-fun .a () Bool (! (and (> n 0) (<= x n)) :axiom true))
         (define-fun .i () Bool (! (= x 0) :init true))
         (define-fun .t () Bool (! (= x1 (+ x 1)) :trans true))",
    );
    assert_eq!(system.axioms.len(), 1);
    assert_eq!(text(&system, system.init), "(and (= x 0) (<= x n))");
    assert_eq!(
        text(&system, system.trans),
        "(and (= x1 (+ x 1)) (<= x n) (<= x1 n))"
    );
}

#[test]
fn what_is_wrong_is_told_with_place_and_advice() {
    assert_eq!(
        messages("(declare-fun x () Itn)"),
        [
            "1:1 This file has no transition system",
            "1:19 There is no sort `Itn`",
        ]
    );
    let model = |rest: &str| {
        format!(
            "(declare-fun x () Int)\n(declare-fun x1 () Int)\n(define-fun .x () Int (! x :next x1))\n\
             (define-fun .i () Bool (! (= x 0) :init true))\n(define-fun .t () Bool (! (= x1 x) :trans true))\n{rest}"
        )
    };
    for (rest, message) in [
        (
            "(assert (> x true))",
            "6:14 `>` takes numbers here, and this is of sort Bool",
        ),
        (
            "(assert (and x))",
            "6:14 `and` takes a term of sort Bool here, and this is of sort Int",
        ),
        ("(assert (= xx 1))", "6:12 There is no name `xx` here"),
        ("(asert true)", "6:2 There is no command `asert`"),
        ("(declare-fun x () Bool)", "6:14 `x` is declared already"),
        (
            "(define-fun .p () Bool (! (ctl.AF (> x 1)) :invar-property 0))",
            "6:27 `:invar-property` takes a condition on states, and this is a temporal formula",
        ),
        (
            "(define-fun .p () Bool (! (ctl.AQ (> x 1)) :ctl-property 0))",
            "6:27 There is no temporal operator `ctl.AQ`",
        ),
        (
            "(define-fun .p () Bool (! (ctl.AU (> x 1)) :ctl-property 0))",
            "6:27 `ctl.AU` takes 2 operands",
        ),
        (
            "(define-fun .p () Bool (! (ctl.AF (> x1 1)) :ctl-property 0))",
            "6:27 A property speaks of one state, and `x1` is the next one",
        ),
        (
            "(define-fun .p () Bool (! (+ 1 (ctl.AF true)) :ctl-property 0))",
            "6:33 `ctl.AF` stands where a value is needed",
        ),
        (
            "(define-fun .p () Bool (! (> x 1) :ctl-propertyy 0))",
            "6:35 `:ctl-propertyy` has no meaning here and is ignored",
        ),
        (
            "(declare-datatypes ((P 0)) (((pair (first Int)))))",
            "6:30 Constructors with fields are not supported",
        ),
        ("(assert (f 1))", "6:10 There is no name `f` here"),
        ("(assert (< x))", "6:9 `<` takes at least 2 operands"),
    ] {
        let told = messages(&model(rest));
        assert!(told.contains(&message.to_string()), "{rest}: {told:?}");
    }
}

#[test]
fn terms_nested_very_deep_are_only_slow() {
    let depth = 100_000;
    let mut term = String::new();
    for _ in 0..depth {
        term.push_str("(+ 1 ");
    }
    term.push('x');
    term.push_str(&")".repeat(depth));
    let model = format!(
        "(declare-fun x () Int) (declare-fun x1 () Int) (define-fun .x () Int (! x :next x1))
         (define-fun .i () Bool (! (= x 0) :init true))
         (define-fun .t () Bool (! (= x1 {term}) :trans true))
         (define-fun .p () Bool (! (ctl.AF (> {term} 5)) :ctl-property 0))"
    );
    let reading = usable(&model);
    assert!(text(&reading.system, reading.system.trans).len() > depth);
}

#[test]
fn names_that_mean_two_things_are_kept_apart_in_print() {
    let SmtReading { mut system, .. } = usable(
        "(declare-fun x () Int) (declare-fun x1 () Int)
         (define-fun .x () Int (! x :next x1))
         (define-fun above ((y Int)) Bool (forall ((x Int)) (> (+ (* x x) 1) (- y))))
         (define-fun .i () Bool (! (above x) :init true))
         (define-fun .t () Bool (! (= x1 x) :trans true))",
    );
    let init = text(&system, system.init);
    assert!(!init.contains("(- x))) (x"), "{init}");
    assert!(
        init.contains("(- x)") && init.contains("(x!"),
        "the bound variable has another name: {init}"
    );
    let primed = system.primed(system.init);
    assert!(text(&system, primed).contains("(- x1)"));
}
