//! What models lower to.

use std::fmt::Write;

use wherefore_base::{Budget, SourceFile, SourceMap, Value, deep};
use wherefore_logic::AtomId;
use wherefore_model::{
    BinaryOp, Constraint, Interpreter, Model, PropertyBody, Requirement, Term, TermId,
};
use wherefore_smv::{LoadedSmv, expression, formula, load};

fn read(text: &str) -> (SourceMap, LoadedSmv) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let loaded = load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_eq!(loaded.diagnostics, [], "{text}");
    (sources, loaded)
}

fn show(model: &Model, id: TermId) -> String {
    deep(|| show_here(model, id))
}

fn show_here(model: &Model, id: TermId) -> String {
    let show = |id: &TermId| show(model, *id);
    let list = |ids: &[TermId]| ids.iter().map(show).collect::<Vec<_>>().join(", ");
    match model.terms.get(id) {
        Term::Const(value) => model.names.show(*value).to_string(),
        Term::Var(var) => model.vars[*var].name.clone(),
        Term::Next(var) => format!("{}'", model.vars[*var].name),
        Term::Not(a) => format!("!{}", show(a)),
        Term::Negate(a) => format!("-{}", show(a)),
        Term::Binary(op, a, b) => {
            let sign = match op {
                BinaryOp::And => "&",
                BinaryOp::Or => "|",
                BinaryOp::Implies => "->",
                BinaryOp::Equal => "=",
                BinaryOp::Unequal => "!=",
                BinaryOp::Less => "<",
                BinaryOp::LessEqual => "<=",
                BinaryOp::Greater => ">",
                BinaryOp::GreaterEqual => ">=",
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Div => "/",
                BinaryOp::Mod => "mod",
                BinaryOp::BitAnd => "bitand",
                BinaryOp::BitOr => "bitor",
                BinaryOp::BitXor => "bitxor",
                BinaryOp::ShiftLeft => "<<",
                BinaryOp::ShiftRight => ">>",
                BinaryOp::Concat => "::",
            };
            format!("({} {sign} {})", show(a), show(b))
        }
        Term::Ite(c, a, b) => format!("if {} then {} else {}", show(c), show(a), show(b)),
        Term::Set(members) => format!("{{{}}}", list(members)),
        Term::Member(a, b) => format!("({} in {})", show(a), show(b)),
        Term::Count(conditions) => format!("count({})", list(conditions)),
        Term::Word(op, a) => format!("{op:?}({})", show(a)),
    }
}

fn requirement(model: &Model, requires: Requirement) -> String {
    match requires {
        Requirement::Assign(var, term) => {
            format!("{} := {}", model.vars[var].name, show(model, term))
        }
        Requirement::Holds(term) => show(model, term),
    }
}

/// Everything in a model, one line each.
fn dump(model: &Model) -> String {
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").expect("a string takes text");
    for var in model.vars.iter() {
        let values: Vec<String> = var
            .domain
            .values()
            .map(|v| model.names.show(v).to_string())
            .collect();
        line(format!(
            "{:?} {} : {}",
            var.kind,
            var.name,
            values.join(" ")
        ));
    }
    for define in &model.defines {
        let step = if define.of_step { "step " } else { "" };
        line(format!(
            "{step}define {} = {}",
            define.name,
            show(model, define.term)
        ));
    }
    let parts: [(&str, &[Constraint]); 3] = [
        ("init", &model.init),
        ("invar", &model.invar),
        ("trans", &model.trans),
    ];
    for (part, constraints) in parts {
        for constraint in constraints {
            line(format!(
                "{part} {}",
                requirement(model, constraint.requires)
            ));
        }
    }
    for fair in &model.fairness.justice {
        line(format!("justice {}", show(model, *fair)));
    }
    for (p, q) in &model.fairness.compassion {
        line(format!(
            "compassion {}, {}",
            show(model, *p),
            show(model, *q)
        ));
    }
    for property in &model.properties {
        let body = match &property.body {
            PropertyBody::Query(query) | PropertyBody::Linear(query) => {
                let atom = |atom: AtomId| show(model, query.atoms[atom]);
                let formula = query.formula.show(query.formula.root(), &atom);
                format!("{} {formula}", query.rule)
            }
            PropertyBody::Distance(distance) => {
                let which = if distance.longest { "most" } else { "fewest" };
                let (from, to) = (show(model, distance.from), show(model, distance.to));
                format!("{which} steps from {from} to {to}")
            }
            PropertyBody::Unsupported(why) => why.clone(),
        };
        let instance = if property.instance.is_empty() {
            "main"
        } else {
            &property.instance
        };
        line(format!(
            "{} {} in {instance}: {} => {body}",
            property.kind.name(),
            property.name,
            property.text
        ));
    }
    for obligation in &model.obligations {
        let when: Vec<String> = obligation.when.iter().map(|t| show(model, *t)).collect();
        let requires = requirement(model, obligation.requires);
        line(format!(
            "oblige [{}] {requires}: {}",
            when.join(", "),
            obligation.otherwise.message
        ));
    }
    out
}

#[test]
fn processes_arrays_and_words_lower() {
    let (_, loaded) = read(include_str!("models/machine.smv"));
    insta::assert_snapshot!(dump(&loaded.model));
}

#[test]
fn the_tour_of_the_language_lowers() {
    let (_, loaded) = read(include_str!("models/tour.smv"));
    insta::assert_snapshot!(dump(&loaded.model));
}

#[test]
fn operators_bind_as_in_the_manual() {
    let text = "MODULE main\nVAR a : boolean; b : boolean; c : boolean; n : 0..9;\nINIT ";
    for (written, lowered) in [
        ("a -> b -> c", "(a -> (b -> c))"),
        ("a <-> b <-> c", "((a = b) = c)"),
        ("a | b xor c", "((a | b) != c)"),
        ("a | b & c", "(a | (b & c))"),
        ("!a = b", "(!a = b)"),
        ("a = b & c", "(a = b)"),
        ("a -> b ? c : a <-> b", "(a -> (if b then c else a = b))"),
        ("a ? b : c ? b : a", "if a then b else if c then b else a"),
        (
            "n + 2 * n mod 3 - 1 < n",
            "(((n + ((2 * n) mod 3)) - 1) < n)",
        ),
        ("-n + 1 = n", "((-n + 1) = n)"),
        ("n in {1} union {2} = a", "((n in {{1}, {2}}) = a)"),
        ("n - -1 in 1..2", "((n - -1) in {1, 2})"),
        ("(a | b) & (c)", "(a | b)"),
    ] {
        let (_, loaded) = read(&format!("{text}{written}\n"));
        let first = loaded.model.init.first().expect("there is a constraint");
        assert_eq!(
            requirement(&loaded.model, first.requires),
            lowered,
            "{written}"
        );
    }
}

#[test]
fn temporal_operators_bind_more_tightly_than_conjunction_and_less_than_comparison() {
    let text = "MODULE main\nVAR a : boolean; n : 0..9;\nSPEC ";
    for (written, lowered) in [
        ("AG n = 1 & a", "AG ((n = 1)) & a"),
        ("AX n < 3 | AX a", "AX ((n < 3)) | AX a"),
        ("!EF a -> a", "(!EF a) -> a"),
        ("AG EF !a", "AG EF !a"),
        ("AG (a -> AF a) & a", "AG (a -> AF a) & a"),
        ("(AG a) != a", "AG a xor a"),
    ] {
        let (_, loaded) = read(&format!("{text}{written}\n"));
        let dumped = dump(&loaded.model);
        let shown = dumped
            .rsplit("fair-infinite ")
            .next()
            .expect("there is a formula");
        let bare = |text: &str| text.replace(['(', ')'], "");
        assert_eq!(bare(shown.trim()), bare(lowered), "{written}");
    }
}

#[test]
fn next_of_psl_speaks_of_the_next_position_and_not_of_a_next_value() {
    let text = "MODULE main\nVAR p : boolean; n : 0..9;\n";
    for (psl, ltl) in [
        ("always (p -> next (n = 2))", "G (p -> X (n = 2))"),
        ("always (p -> next! p)", "G (p -> X p)"),
        ("always (p -> next !p)", "G (p -> X !p)"),
        ("next p & n = 1 -> p", "X (p & n = 1) -> p"),
        ("next next (n) = 3", "X X (n = 3)"),
        ("p until !p", "p W !p"),
        ("p until! p", "p U p"),
    ] {
        let formula = |spec: String| {
            let (_, loaded) = read(&format!("{text}{spec};\n"));
            let dumped = dump(&loaded.model);
            let shown = dumped.rsplit(" => ").next().map(str::to_string);
            shown.expect("there is a formula")
        };
        let [psl, ltl] = [format!("PSLSPEC {psl}"), format!("LTLSPEC {ltl}")].map(formula);
        assert_eq!(psl, ltl);
    }
    let (_, loaded) = read(&format!("{text}PSLSPEC {{p; p}};\nLTLSPEC F p\n"));
    let is_unsupported = |at: usize| {
        let body = &loaded.model.properties[at].body;
        matches!(body, PropertyBody::Unsupported(_))
    };
    assert!(is_unsupported(0) && !is_unsupported(1));
}

#[test]
fn parts_of_a_formula_know_their_place() {
    let (sources, loaded) =
        read("MODULE main\nVAR a : boolean; b : boolean;\nSPEC (AG (a | b)) -- why\n  -> (EF a)\n");
    let property = &loaded.model.properties[0];
    assert_eq!(property.text, "(AG (a | b)) -> (EF a)");
    let PropertyBody::Query(query) = &property.body else {
        panic!("the formula is supported")
    };
    let spans = query
        .formula
        .subs()
        .map(|sub| query.formula.node(sub).span.expect("it is in the text"));
    let texts: Vec<String> = spans
        .map(|span| sources.text_on_one_line(span, "--"))
        .collect();
    assert_eq!(
        texts,
        [
            "a",
            "b",
            "a | b",
            "AG (a | b)",
            "a",
            "EF a",
            "(AG (a | b)) -> (EF a)"
        ]
    );
}

#[test]
fn the_branch_of_a_case_knows_its_place() {
    let text = "MODULE main\nVAR n : 0..3;\nASSIGN next(n) := case n = 0 : 1; (n < 2) : n; TRUE : 0; esac;\n";
    let (sources, loaded) = read(text);
    let mut at = loaded.model.trans[0].requires.term();
    let mut branches = Vec::new();
    while let Term::Ite(_, _, rest) = loaded.model.terms.get(at) {
        branches.push(sources.text(loaded.model.terms.span(at).expect("it is in the text")));
        at = *rest;
    }
    assert_eq!(branches, ["n = 0 : 1", "(n < 2) : n"]);
}

#[test]
fn a_define_is_lowered_once_however_often_it_is_used() {
    let mut text = String::from("MODULE main\nVAR x : boolean;\nDEFINE d0 := x;\n");
    for n in 1..200 {
        let before = n - 1;
        text += &format!("DEFINE d{n} := d{before} & d{before};\n");
    }
    text += "TRANS next(d199) = d199\n";
    let (_, loaded) = read(&text);
    assert!(loaded.model.terms.len() < 1000);
}

#[test]
fn assignments_choose_steps_as_written() {
    let text = "MODULE main\nVAR s : {idle, busy}; n : 0..2;\nIVAR go : boolean;\n\
        ASSIGN init(s) := idle; init(n) := 0;\n\
        next(s) := case go & s = idle : {busy, idle}; TRUE : idle; esac;\n\
        next(n) := next(s) = busy ? (n + 1) mod 3 : n;\n";
    let (_, loaded) = read(text);
    let interpreter = Interpreter::new(&loaded.model);
    let budget = Budget::unlimited();
    let initial = interpreter
        .initial_states(&budget)
        .expect("there is no limit");
    assert_eq!(initial.len(), 1);
    let steps = interpreter
        .steps(&initial[0], &budget)
        .expect("there is no limit");
    let busy = Value::Symbol(loaded.model.names.find("busy").expect("it is a constant"));
    let counts: Vec<(bool, Option<i64>)> = steps
        .iter()
        .map(|s| (s.next[0] == busy, s.next[1].as_int()))
        .collect();
    assert_eq!(
        counts,
        [(false, Some(0)), (false, Some(0)), (true, Some(1))]
    );
}

#[test]
fn values_that_fit_leave_no_obligation() {
    let text = "MODULE main\nVAR n : 0..3; m : {1, 5}; s : {a, b, 1};\n\
        ASSIGN next(n) := (n + 1) mod 4; init(n) := {0, 3}; next(m) := m; next(s) := case n = 0 : {a, b}; TRUE : 1; esac;\n";
    let (_, loaded) = read(text);
    assert_eq!(loaded.model.obligations, []);
}

#[test]
fn what_values_alone_can_tell_becomes_an_obligation_under_its_path() {
    let text = "MODULE main\nVAR n : 0..3; s : {a, b};\n\
        ASSIGN next(n) := case n = 0 : 1; n = 1 : (n > 0 ? 3 / n : 0); n > 1 : n + 1; esac;\n next(s) := lost;\n\
        CONSTANTS lost;\n";
    let (_, loaded) = read(text);
    let dumped = dump(&loaded.model);
    let obligations: Vec<&str> = dumped
        .lines()
        .filter(|line| line.starts_with("oblige"))
        .collect();
    insta::assert_snapshot!(obligations.join("\n"));
}

#[test]
fn formulas_and_expressions_from_outside_use_the_names_of_main() {
    let (mut sources, mut loaded) = read(
        "MODULE main\nVAR c : cell(d); n : 0..3;\nDEFINE d := n = 2; few := {1, 2};\nIVAR go : boolean;\nMODULE cell(p)\nVAR x : boolean;\nDEFINE q := p & x;\n",
    );
    let mut add = |text: &str| sources.add(SourceFile::new("-e", text));
    let good = add("AG (c.q -> EF (n in few & c.p));");
    let value = add("n + 1");
    let wrong = [
        "AG c.y",
        "AG (",
        "AG go",
        "AG n",
        "AG next(d)",
        "AG d d",
        "",
    ]
    .map(&mut add);
    let property =
        formula(&mut loaded.model, &loaded.scope, &sources, good, "mine").expect("it is right");
    assert_eq!(
        (&*property.name, &*property.text),
        ("mine", "AG (c.q -> EF (n in few & c.p))")
    );
    let term = expression(&mut loaded.model, &loaded.scope, &sources, value).expect("it is right");
    assert_eq!(show(&loaded.model, term), "(n + 1)");
    let messages = wrong.map(|file| {
        let told = formula(&mut loaded.model, &loaded.scope, &sources, file, "wrong")
            .expect_err("it is wrong");
        told.iter()
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
            .join("; ")
    });
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_wrong_argument_that_is_never_used_is_only_a_warning() {
    let mut sources = SourceMap::default();
    let text =
        "MODULE main\nVAR c : cell(nowhere, TRUE);\nMODULE cell(p, q)\nVAR x : boolean;\nINIT q\n";
    let file = sources.add(SourceFile::new("model.smv", text));
    let mut loaded = load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_eq!(loaded.diagnostics.len(), 1);
    assert!(!loaded.diagnostics[0].is_error());
    let used = sources.add(SourceFile::new("-e", "c.p"));
    let told =
        expression(&mut loaded.model, &loaded.scope, &sources, used).expect_err("it means nothing");
    assert_eq!(told.len(), 1);
}

#[test]
fn bounds_of_arrays_may_be_named_and_calculated() {
    let text = "MODULE main\nDEFINE last := 2;\nVAR a : array 0..last of boolean; c : cell(3);\n\
                MODULE cell(n)\nVAR b : array (n - 2)..n of 0..n;\n";
    let (_, loaded) = read(text);
    let names = loaded.model.vars.iter().map(|var| var.name.clone());
    let expected = ["a[0]", "a[1]", "a[2]", "c.b[1]", "c.b[2]", "c.b[3]"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}

#[test]
fn formulas_of_linear_time_may_read_the_next_state_and_invariants_say_that_they_may_not() {
    let text = "MODULE main\nVAR s : boolean;\nLTLSPEC G (s -> next(s))\nINVARSPEC s -> next(s)\nINVARSPEC s\n";
    let (_, loaded) = read(text);
    let dump = dump(&loaded.model);
    let of = |name: &str| {
        let line = dump.lines().find(|line| line.contains(name));
        line.unwrap_or_else(|| panic!("{name} is a property: {dump}"))
    };
    assert!(of("spec1").ends_with("G (s -> s')"), "{}", of("spec1"));
    assert!(of("spec2").contains("invariants with `next`"));
    assert!(!of("spec3").contains("not supported"));
}
