//! What scripts may do, and what becomes of those that go wrong.

use wherefore_base::{Budget, Stop};
use wherefore_evidence::{Finding, Replay, Verdict};

use crate::strategy::{Refusal, Remark, Strategies, StrategySpec};
use crate::{Event, Job, ModelSubject};

/// Two loops: one of a single step, and one through `b` and `c`.
const MODEL: &str = "
    MODULE main
    VAR s : {a, b, c};
    ASSIGN
      init(s) := a;
      next(s) := case s = a : {a, b}; s = b : c; TRUE : a; esac;
    CTLSPEC NAME done := AF FALSE
    CTLSPEC NAME more := AG (s = c -> AX s = c)
";

/// What comes of a script on the first property: how many steps the evidence has, and the remarks.
fn run(script: &str) -> (Finding, Vec<Remark>) {
    let (mut session, strategies) = bind(script, &Budget::unlimited()).expect("it compiles");
    session.chosen_by(vec![]);
    let mut findings = Vec::new();
    session.check_all_with(
        &Job::default(),
        &strategies,
        &Budget::unlimited(),
        &mut |event| {
            if let Event::Finding(finding) = event {
                findings.push(*finding);
            }
        },
    );
    let finding = findings.swap_remove(0);
    assert_eq!(finding.verdict, Verdict::Fails);
    let evidence = finding.evidence.as_ref().expect("it fails");
    let open = evidence.proof.iter().any(|node| node.rule.is_none());
    assert!(open || evidence.replay == Replay::Ok);
    (finding, strategies.remarks())
}

fn bind(script: &str, budget: &Budget) -> Result<(ModelSubject, Strategies), Refusal> {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("wherefore-script-{}-{number}.rhai", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, script).expect("the script can be written");
    let spec = format!("script:{}", path.display());
    let spec: StrategySpec = spec.parse().expect("it is a strategy");
    let mut session = ModelSubject::from_text("m.smv", MODEL).expect("it is a model");
    let bound = session.strategies(&[spec], None, budget);
    std::fs::remove_file(&path).expect("the script can be removed");
    bound.map(|strategies| (session, strategies))
}

fn steps(finding: &Finding) -> u32 {
    finding.evidence.as_ref().map_or(0, |e| e.minimal.length)
}

/// The only warning, with its line and column.
fn warning(script: &str) -> (String, usize, usize) {
    let (finding, remarks) = run(script);
    assert_eq!(steps(&finding), 1, "the default goes on");
    let [Remark::Warning(rejected)] = &remarks[..] else {
        panic!("there is one warning: {remarks:?}");
    };
    let diagnostic = &rejected.diagnostics[0];
    let span = diagnostic.span().expect("it has a place");
    let place = rejected.sources.place(span);
    let message = diagnostic
        .message
        .trim_start_matches("the script goes wrong: ");
    (message.to_string(), place.line, place.column)
}

fn refusal(script: &str) -> (String, usize, usize) {
    let Err(Refusal::Rejected(rejected)) = bind(script, &Budget::unlimited()) else {
        panic!("it is refused: {script}");
    };
    let diagnostic = &rejected.diagnostics[0];
    let place = rejected
        .sources
        .place(diagnostic.span().expect("it has a place"));
    (diagnostic.message.clone(), place.line, place.column)
}

#[test]
fn a_script_chooses_with_added_rules_and_memory() {
    let (finding, remarks) = run("
        fn init(rules) { this.b = rules.add_where(\"s = b\"); this.n = 0; }
        fn pick_rule(proof, leaf, ways) {
            for way in ways { if way.kind == \"close\" { return way; } }
            for way in ways { if way.by == this.b { return way.number; } }
            for way in ways { if way.kind == \"continue\" { return [way]; } }
        }
        fn rule_applied(proof, leaf, way, premises) { this.n += 1; print(this.n); }
    ");
    assert_eq!(steps(&finding), 3);
    assert!(
        remarks
            .iter()
            .all(|remark| matches!(remark, Remark::Said(_)))
    );
    assert!(remarks.len() > 3);
}

#[test]
fn a_script_sees_the_proof_and_asks_questions() {
    let (_, remarks) = run("
        fn init(rules) { this.a = rules.condition(\"s = a\"); }
        fn pick_rule(proof, leaf, ways) {
            let way = ways[0];
            print(`${proof.property} ${proof.size} ${proof.open} ${proof.nodes().len()}`);
            print(`${leaf.claim} ${leaf.depth} ${leaf.temporal} ${leaf.values.s} ${leaf.is_true(this.a)}`);
            print(`${way.kind} ${way.size} ${way.to} ${way.by} ${way.planned}`);
            print(`${way.outlook().steps} ${leaf.outlook().turn} ${proof.try_apply(way).len()}`);
        }
    ");
    let said: Vec<String> = remarks
        .iter()
        .take(4)
        .map(|remark| match remark {
            Remark::Said(line) => line.split_once(": ").expect("it has a name").1.to_string(),
            Remark::Warning(rejected) => rejected.to_string(),
        })
        .collect();
    assert_eq!(
        said,
        [
            "`AF FALSE` is false 1 1 1",
            "`AF FALSE` is false 0 1 a true",
            "loop 1 #{\"s\": \"a\"}  true",
            "1 1 1",
        ]
    );
}

#[test]
fn a_script_leaves_obligations_open() {
    let (finding, remarks) = run("fn pick_leaf(proof, leaves) { [] }");
    let evidence = finding.evidence.expect("it fails");
    assert!(remarks.is_empty());
    assert!(evidence.proof.iter().any(|node| node.rule.is_none()));
}

#[test]
fn rules_can_be_removed() {
    let (finding, _) = run("fn init(rules) { rules.remove(\"loop\"); rules.remove(\"close\"); }");
    assert!(steps(&finding) > 1);
}

#[test]
fn a_script_that_goes_wrong_is_told_once_and_the_default_goes_on() {
    let rule = |body: &str| warning(&format!("fn pick_rule(proof, leaf, ways) {{\n  {body}\n}}"));
    let cases = [
        ("loop { }", "it takes more than 200000 operations", 1),
        (
            "let s = \"x\"; loop { s += s; }",
            "a value becomes too large",
            1,
        ),
        (
            "let s = [1]; loop { s += s; }",
            "a value becomes too large",
            1,
        ),
        (
            "let s = []; loop { s = [s]; }",
            "a value becomes too large",
            1,
        ),
        (
            "let s = #{}; loop { s = #{x: s}; }",
            "a value becomes too large",
            1,
        ),
        (
            "for i in 0..99 { this.a = [this.a]; }",
            "it keeps a value that is nested",
            1,
        ),
        ("99", "`pick_rule` returns 99, but the ways are 0 to", 1),
        ("-1", "`pick_rule` returns -1, but", 1),
        ("\"first\"", "`pick_rule` returns first, but", 1),
        ("[0, []]", "`pick_rule` returns [], but", 1),
        ("unheard_of(3)", "there is no function unheard_of (i64)", 2),
        ("throw \"enough\"", "enough", 2),
        ("ways[77].kind", "Array index 77 out of bounds", 2),
        ("sleep(1000)", "scripts cannot wait", 2),
        ("leaf.is_true(3)", "there is no function is_true", 2),
    ];
    for (body, message, line) in cases {
        let (said, at, _) = rule(body);
        assert!(said.starts_with(message), "{body}: {said}");
        assert_eq!(at, line, "{body}");
    }
    let deep = "fn pick_rule(proof, leaf, ways) { f(1) }\nfn f(n) { f(n + 1) + 1 }";
    assert!(warning(deep).0.contains("more than 32 deep"));
    let leaf = "fn pick_leaf(proof, leaves) { 12345 }";
    assert!(warning(leaf).0.starts_with("`pick_leaf` returns 12345"));
    let endless = "fn init(rules) { while true { } }";
    assert!(warning(endless).0.contains("operations"));
}

#[test]
fn a_condition_that_cannot_be_read_is_told_with_its_place() {
    let cases = ["s = d", "s =", "next(s) = a", "s"];
    for condition in cases {
        let script = format!("fn init(rules) {{\n  rules.add_where(\"{condition}\");\n}}");
        let (message, line, column) = warning(&script);
        assert!(message.contains("is no condition"), "{message}");
        assert_eq!((line, column), (2, 9));
    }
    let (message, ..) = warning("fn init(rules) { rules.remove(\"magic\"); }");
    assert!(message.contains("there are state, branch"), "{message}");
    let (message, ..) = warning("fn init(rules) { rules.add_along([]); }");
    assert!(message.contains("at least one condition"), "{message}");
}

#[test]
fn what_is_no_script_is_refused_with_its_place() {
    let (message, line, column) = refusal("fn init(rules) {\n  let x = ;\n}");
    assert!(message.contains("Unexpected ';'"), "{message}");
    assert_eq!((line, column), (2, 11));
    let (message, line, column) = refusal("\nfn pick_rule(ways) { }");
    assert_eq!(message, "the hook is `pick_rule(proof, leaf, ways)`");
    assert_eq!((line, column), (2, 4));
    assert!(
        refusal("fn other() { }")
            .0
            .contains("none of the functions")
    );
    assert!(refusal("").0.contains("none of the functions"));
    assert!(
        refusal("fn init(rules) { x }")
            .0
            .contains("Undefined variable")
    );
    for forbidden in ["eval(\"1\")", "import \"x\"", "Fn(\"f\").curry(1)"] {
        let script = format!("fn init(rules) {{ {forbidden}; }}");
        assert_eq!(refusal(&script).1, 1, "{forbidden}");
    }
    let deep = format!(
        "fn init(rules) {{ {}1{} }}",
        "(".repeat(9999),
        ")".repeat(9999)
    );
    assert!(refusal(&deep).0.contains("complexity"));
}

#[test]
fn the_budget_ends_scripts() {
    let budget = Budget::unlimited();
    budget.stop(Stop::Cancelled);
    let bound = bind("fn init(rules) { loop { } }", &budget);
    assert!(matches!(
        bound.map(|_| ()),
        Err(Refusal::Stopped(Stop::Cancelled) | Refusal::Companion { .. })
    ));
}

#[test]
fn a_script_ranks_ways_by_numbers() {
    let (finding, _) = run("fn init(rules) { rules.add_through(\"s = b\"); }
fn rank(proof, leaf, way) { if way.by == 0 { 0 } else { 1 } }");
    assert_eq!(steps(&finding), 3);
    let (finding, _) = run("fn rank(proof, leaf, way) { () }");
    assert_eq!(steps(&finding), 1);
    let text = "fn rank(proof, leaf, way) { \"high\" }";
    let (message, ..) = warning(text);
    assert!(
        message.contains("neither a whole number nor nothing"),
        "{message}"
    );
}

#[test]
fn rules_are_added_and_dropped_while_the_proof_grows() {
    // The rule is not there before the first obligation is picked.
    let late = "fn init(rules) { this.b = rules.condition(\"s = b\"); this.rule = (); }
fn pick_leaf(proof, leaves) { if this.rule == () { this.rule = proof.add_through(this.b); } leaves }
fn pick_rule(proof, leaf, ways) { ways.filter(|way| way.by == 0) }";
    let (finding, remarks) = run(late);
    assert!(remarks.is_empty(), "{remarks:?}");
    assert_eq!(steps(&finding), 3);
    let dropped = late.replace("} leaves }", "} else { proof.drop(this.rule); } leaves }");
    let (_, remarks) = run(&dropped);
    assert!(remarks.is_empty(), "{remarks:?}");
    let removed =
        "fn pick_leaf(proof, leaves) { proof.remove(\"loop\"); proof.restore(\"loop\"); leaves }";
    assert_eq!(steps(&run(removed).0), 1);
}

#[test]
fn rules_of_init_are_closed_later_and_what_is_not_there_is_not_dropped() {
    let kept = "fn init(rules) { this.rules = rules; }
fn pick_leaf(proof, leaves) { this.rules.add_here(); leaves }";
    let (message, line, _) = warning(kept);
    assert!(message.starts_with("`rules` is for `init`"), "{message}");
    assert_eq!(line, 2);
    let (message, ..) = warning("fn pick_leaf(proof, leaves) { proof.drop(7); leaves }");
    assert_eq!(message, "there is no rule 7 to drop");
    let (message, ..) = warning("fn pick_leaf(proof, leaves) { proof.remove(\"jump\"); leaves }");
    assert!(
        message.starts_with("there is no kind of way `jump`"),
        "{message}"
    );
}
