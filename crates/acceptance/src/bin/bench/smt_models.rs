//! Infinite-state models of any size, and what others needed for the case studies.

use std::fmt::Write;

/// A property of a case study.
pub(crate) struct Case {
    /// What it is called in tables.
    pub(crate) name: &'static str,
    /// The example that it is in, where it has no text of its own.
    pub(crate) file: &'static str,
    /// The text of its model.
    pub(crate) text: Option<String>,
    /// The property.
    pub(crate) property: &'static str,
    /// What z3 4.3.1 and CVC4 1.3 needed (Vakili and Day 2014).
    pub(crate) paper: (&'static str, &'static str),
    /// What z3 5.4 needs for the one query of a model of the same kind.
    pub(crate) one_query: &'static str,
}

/// The case studies.
pub(crate) fn cases() -> Vec<Case> {
    let case = |name, file, property, paper, one_query| Case {
        name,
        file,
        text: None,
        property,
        paper,
        one_query,
    };
    let mut all = vec![
        case("counter", "counter.vmt", "passes-five", ("", ""), "0.03"),
        case("bakery", "bakery.vmt", "served", ("0.08", "8.64"), "0.02"),
        case(
            "collision",
            "collision.vmt",
            "can-brake",
            ("0.58", "none"),
            "0.85",
        ),
        case("files", "files.vmt", "can-write", ("0.15", "0.69"), "0.02"),
        case("ticket", "ticket.vmt", "served", ("> 10800", "> 10800"), ""),
        case("countdown", "countdown.vmt", "ends", ("", ""), "none"),
    ];
    for (name, size, paper, one_query) in [
        ("leader 12", 12, "8.48", "1.44"),
        ("leader 14", 14, "44.4", "4.41"),
        ("leader 16", 16, "205", "24.5"),
        ("leader 18", 18, "3044", "25.4"),
        ("leader 20", 20, "9432", "47.3"),
        ("leader 30", 30, "", ""),
    ] {
        all.push(Case {
            name,
            file: "",
            text: Some(leader_variant(size, Greatest::Named, false)),
            property: "elected0",
            paper: (paper, "none"),
            one_query,
        });
    }
    all
}

/// A way to answer questions about models that grow.
pub(crate) struct GrowthWay {
    pub(crate) name: &'static str,
    /// How the names of its files end.
    pub(crate) ending: &'static str,
    pub(crate) model: fn(usize) -> String,
    /// The options of `check` for a size.
    pub(crate) options: fn(usize) -> Vec<String>,
}

/// A model that grows.
pub(crate) struct Growth {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) sizes: &'static [usize],
    pub(crate) ways: &'static [GrowthWay],
}

/// The models that grow.
pub(crate) const GROWTH: [Growth; 2] = [
    Growth {
        name: "leader-ring",
        title: "Electing a leader: numbers up to n by engines for finite models, any numbers by solvers",
        unit: "processes",
        sizes: &[2, 3, 4, 5, 6, 8, 12, 16, 20],
        ways: &[
            GrowthWay {
                name: "smt, unbounded",
                ending: "vmt",
                model: leader,
                options: |_| words("-p elected0"),
            },
            GrowthWay {
                name: "bdd",
                ending: "vmt",
                model: leader,
                options: |size| {
                    words(&format!(
                        "-p elected0 --no-vacuity --engine bdd --bound Int=1..{size}"
                    ))
                },
            },
            GrowthWay {
                name: "explicit",
                ending: "vmt",
                model: leader,
                options: |size| {
                    words(&format!(
                        "-p elected0 --no-vacuity --engine explicit --bound Int=1..{size}"
                    ))
                },
            },
            GrowthWay {
                name: "relational",
                ending: "als",
                model: leader_relational,
                options: |_| Vec::new(),
            },
        ],
    },
    Growth {
        name: "walk",
        title: "A guard who walks up to a thief: positions up to n by engines for finite models, any position by solvers",
        unit: "positions",
        sizes: &[10, 30, 100, 300, 1000, 3000],
        ways: &[
            GrowthWay {
                name: "smt, unbounded",
                ending: "smv",
                model: |_| chase("integer"),
                options: |_| Vec::new(),
            },
            GrowthWay {
                name: "bdd",
                ending: "smv",
                model: |size| chase(&format!("0..{size}")),
                options: |_| words("--no-vacuity --engine bdd"),
            },
            GrowthWay {
                name: "explicit",
                ending: "smv",
                model: |size| chase(&format!("0..{size}")),
                options: |_| words("--no-vacuity --engine explicit"),
            },
            GrowthWay {
                name: "smt, bounded",
                ending: "smv",
                model: |size| {
                    format!(
                        "{}INVAR thief <= {size} & guard <= {size}\n",
                        chase("integer")
                    )
                },
                options: |_| Vec::new(),
            },
        ],
    },
];

/// How the greatest number of a ring is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Greatest {
    /// A name of its own, with simple conditions.
    Named,
    /// One term that chooses it.
    Chosen,
}

/// The election of a leader in a ring: everybody passes on the greatest number heard of.
fn leader(size: usize) -> String {
    leader_variant(size, Greatest::Named, false)
}

/// The same with the greatest number said in one way or another, and with a property of each process or one of all.
pub(crate) fn leader_variant(size: usize, greatest: Greatest, together: bool) -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").expect("a string grows");
    let all = |one: &dyn Fn(usize) -> String| (0..size).map(one).collect::<Vec<_>>().join(" ");
    for at in 0..size {
        line(format!(
            "(declare-fun x{at} () Int) (declare-fun y{at} () Int) (declare-fun id{at} () Int)"
        ));
        line(format!("(define-fun .x{at} () Int (! x{at} :next y{at}))"));
        line(format!(
            "(define-fun .id{at} () Int (! id{at} :global true))"
        ));
    }
    line(format!(
        "(define-fun .different () Bool (! (distinct {}) :axiom true))",
        all(&|at| format!("id{at}"))
    ));
    match greatest {
        Greatest::Named => {
            line(
                "(declare-fun leader () Int) (define-fun .leader () Int (! leader :global true))"
                    .to_string(),
            );
            let least = all(&|at| format!("(>= leader id{at})"));
            let one = all(&|at| format!("(= leader id{at})"));
            line(format!(
                "(define-fun .greatest () Bool (! (and {least} (or {one})) :axiom true))"
            ));
        }
        Greatest::Chosen => {
            let mut chosen = "id0".to_string();
            for at in 1..size {
                chosen = format!("(let ((m {chosen})) (ite (> id{at} m) id{at} m))");
            }
            line(format!("(define-fun leader () Int {chosen})"));
        }
    }
    line(format!(
        "(define-fun .init () Bool (! (and {}) :init true))",
        all(&|at| format!("(= x{at} id{at})"))
    ));
    let step = all(&|at| {
        let next = (at + 1) % size;
        format!("(= y{at} (ite (> x{next} x{at}) x{next} x{at}))")
    });
    line(format!(
        "(define-fun .trans () Bool (! (and {step}) :trans true))"
    ));
    if together {
        let each = all(&|at| format!("(ctl.AF (= x{at} leader))"));
        line(format!(
            "(define-fun .elected () Bool (! (and {each}) :ctl-property 0))"
        ));
    } else {
        for at in 0..size {
            line(format!(
                "(define-fun .elected{at} () Bool (! (ctl.AF (= x{at} leader)) :ctl-property {at}))"
            ));
        }
    }
    text
}

/// The same with numbers as functions of time and quantifiers over times, as plain SMT-LIB: one query for each process.
pub(crate) fn leader_times(size: usize) -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").expect("a string grows");
    let all = |one: &dyn Fn(usize) -> String| (0..size).map(one).collect::<Vec<_>>().join(" ");
    for at in 0..size {
        line(format!(
            "(declare-fun x{at} (Int) Int) (declare-fun id{at} () Int)"
        ));
    }
    line("(declare-fun leader () Int)".to_string());
    line(format!(
        "(assert (distinct {}))",
        all(&|at| format!("id{at}"))
    ));
    for at in 0..size {
        let next = (at + 1) % size;
        line(format!("(assert (>= leader id{at}))"));
        line(format!("(assert (= (x{at} 0) id{at}))"));
        line(format!(
            "(assert (forall ((t Int)) (=> (>= t 0) (= (x{at} (+ t 1)) (ite (> (x{next} t) (x{at} t)) (x{next} t) (x{at} t))))))"
        ));
    }
    line(format!(
        "(assert (or {}))",
        all(&|at| format!("(= leader id{at})"))
    ));
    for at in 0..size {
        line(format!(
            "(push) (assert (forall ((t Int)) (=> (>= t 0) (not (= (x{at} t) leader))))) (check-sat) (pop)"
        ));
    }
    text
}

/// The same in Alloy, with as many numbers and times as processes.
fn leader_relational(size: usize) -> String {
    let mut text = String::from(
        "open util/ordering[Id] as ids\nopen util/ordering[Time] as times\nsig Id {}\nsig Time {}\n\
         abstract sig Process { id: one Id, neighbour: one Process, heard: Time -> one Id }\n",
    );
    let names: Vec<String> = (0..size).map(|at| format!("P{at}")).collect();
    let _ = writeln!(text, "one sig {} extends Process {{}}", names.join(", "));
    let ring: Vec<String> = (0..size)
        .map(|at| format!("P{at} -> P{}", (at + 1) % size))
        .collect();
    let _ = writeln!(text, "fact {{ neighbour = {} }}", ring.join(" + "));
    text.push_str(
        "fact { all disj p, q: Process | p.id != q.id }\n\
         fact { all p: Process | p.heard[times/first] = p.id }\n\
         fact { all t: Time - times/last, p: Process |\n  \
           p.heard[times/next[t]] = ids/larger[p.heard[t], p.neighbour.heard[t]] }\n\
         assert elected { some t: Time | P0.heard[t] = ids/max[Process.id] }\n",
    );
    let _ = writeln!(
        text,
        "check elected for exactly {size} Id, exactly {size} Time, exactly {size} Process"
    );
    text
}

/// A guard who walks up to a thief who has stopped: how far that is, nobody knows.
fn chase(positions: &str) -> String {
    format!(
        "MODULE main\n\
         VAR thief : {positions}; guard : {positions};\n\
         INIT guard <= thief & guard >= 0\n\
         TRANS next(guard) = (guard < thief ? guard + 1 : guard)\n\
         TRANS next(thief) = thief\n\
         INVARSPEC guard <= thief\n\
         CTLSPEC AF guard = thief\n"
    )
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}
