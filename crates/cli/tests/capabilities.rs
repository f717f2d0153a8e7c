//! What `help` says of languages is so: each capability works, or is refused with the sentence of the table.

use wherefore_driver::subject::Language;
use wherefore_driver::{
    AlloySubject, Capability, FRONT_ENDS, LtsSubject, ModelSubject, SmtSubject, unsupported,
};

use crate::support::Folder;
use crate::support::infinite::has_solver;

/// A model, what it can do, and how its questions are named.
struct Fixture {
    language: Language,
    file: &'static str,
    text: &'static str,
    capabilities: &'static [Capability],
    property: &'static str,
    formula: &'static str,
    wish: &'static str,
    /// Options without which its questions would not be found.
    more: &'static [&'static str],
}

const SMV: Fixture = Fixture {
    language: Language::SMV,
    file: "lamp2.smv",
    text: "MODULE main\nVAR on : boolean;\nASSIGN init(on) := FALSE;\nCTLSPEC NAME dark := AG !on\n",
    capabilities: ModelSubject::CAPABILITIES,
    property: "dark",
    formula: "EF on",
    wish: "avoid:on",
    more: &[],
};

/// A property of runs that no formula of CTL stands for.
const LINEAR: Fixture = Fixture {
    file: "lamp3.smv",
    text: "MODULE main\nVAR on : boolean;\nASSIGN init(on) := FALSE;\nLTLSPEC NAME dark := F G !on\n",
    formula: "F on",
    ..SMV
};

/// What means nothing for a property of runs, and what is said instead.
const NOT_LINEAR: &[(Capability, &str)] = &[
    (
        Capability::Abstract,
        "--evidence abstract has no effect here: whether a formula of LTL is satisfied",
    ),
    (
        Capability::Paths,
        "a formula of linear time is about fair infinite runs, and the path rule `plain`",
    ),
];

const AUT: Fixture = Fixture {
    language: Language::AUT,
    file: "door.aut",
    text: "des (0, 3, 2)\n(0, OPEN, 1)\n(1, SHUT, 0)\n(1, BANG, 0)\n",
    capabilities: LtsSubject::CAPABILITIES,
    property: "door.mcl",
    formula: "[ true* . \"BANG\" ] false",
    wish: "avoid:SHUT",
    more: &["door.mcl"],
};

const SMT: Fixture = Fixture {
    language: Language::SMT,
    file: "up.vmt",
    text: "(declare-fun c () Int) (declare-fun d () Int)\n\
           (define-fun .c () Int (! c :next d))\n\
           (define-fun .init () Bool (! (= c 0) :init true))\n\
           (define-fun .trans () Bool (! (= d (+ c 1)) :trans true))\n\
           (define-fun .low () Bool (! (< c 2) :invar-property 0))\n",
    capabilities: SmtSubject::CAPABILITIES,
    property: "low",
    formula: "(ctl.EF (= c 3))",
    wish: "avoid:c",
    more: &[],
};

/// SMV that solvers are asked about.
const UNBOUNDED: Fixture = Fixture {
    language: Language::SMV,
    file: "up.smv",
    text: "MODULE main\nVAR c : integer;\nASSIGN init(c) := 0; next(c) := c + 1;\nCTLSPEC NAME low := AG c < 2\n",
    capabilities: SmtSubject::CAPABILITIES,
    property: "low",
    formula: "EF c = 3",
    wish: "avoid:c = 1",
    more: &[],
};

const PLAIN: Fixture = Fixture {
    language: Language::ALLOY,
    file: "people.als",
    text: "sig Person { likes: set Person }\nassert loved { all p: Person | some p.~likes }\ncheck loved for 3\n",
    capabilities: AlloySubject::PLAIN,
    property: "loved",
    formula: "Person",
    wish: "avoid:Person",
    more: &[],
};

const SYSTEM: Fixture = Fixture {
    language: Language::ALLOY,
    file: "lamp.als",
    text: "open ctl[Lamp]\nenum Bit { On, Off }\nsig Lamp { bit: one Bit }\n\
           fact { all a, b: Lamp | a.bit = b.bit implies a = b }\n\
           pred dark[l: Lamp] { l.bit = Off }\n\
           fact { all l: Lamp | l in initialState iff dark[l] }\n\
           fact { all a, b: Lamp | a -> b in nextState iff a.bit != b.bit }\n\
           assert stays { ctl_mc[ag[{ l: Lamp | dark[l] }]] }\ncheck stays for 2\n",
    capabilities: AlloySubject::CAPABILITIES,
    property: "stays",
    formula: "Bit",
    wish: "random:7",
    more: &[],
};

/// The command line that makes use of a capability; `None` if no command does.
fn command<'a>(fixture: &'a Fixture, capability: Capability) -> Option<Vec<&'a str>> {
    let file = fixture.file;
    let check = |options: &[&'a str]| {
        let mut all = vec!["check", file];
        all.extend(fixture.more);
        all.extend(options);
        all
    };
    Some(match capability {
        // The formulas of Alloy models are expressions, whose values are shown.
        Capability::Add if fixture.language == Language::ALLOY => return None,
        Capability::Add => vec!["check", file, "-e", fixture.formula],
        Capability::Explain => vec!["explain", file, fixture.property],
        Capability::Explore => vec!["explore", file],
        Capability::Debug => vec!["debug", file, fixture.property],
        Capability::Several => check(&["--count", "2"]),
        Capability::Abstract => check(&["--evidence", "abstract"]),
        Capability::Enumerate => check(&["--instances", "2"]),
        Capability::Strategies => check(&["--strategy", fixture.wish]),
        Capability::Paths => check(&["--paths", "all"]),
        Capability::From => check(&["--from", "on"]),
        Capability::Names => check(&["--name", "Lit: on"]),
        Capability::Certify => check(&["--certificate"]),
        Capability::Theory => check(&["--write-query", "theory.smt2"]),
        Capability::Compose => vec!["convert", file, "--reduce", "strong", "-o", "out.aut"],
        Capability::Translate => vec!["convert", file, "--to", "smv", "-o", "out.smv"],
        Capability::Blame => vec!["blame", file],
        // A trace of its own goes with each model: see the page about traces.
        Capability::Shrink | Capability::Evaluate | Capability::States => return None,
    })
}

fn works_or_is_refused(fixture: &Fixture, except: &[(Capability, &str)]) {
    let folder = Folder::new(fixture.file);
    folder.write(fixture.file, fixture.text.as_bytes());
    folder.write(
        "door.mcl",
        b"property quiet is [ true* . \"BANG\" ] false end property",
    );
    for capability in Capability::ALL {
        let Some(command) = command(fixture, capability) else {
            continue;
        };
        let ran = folder.run(&command);
        let said = format!(
            "{command:?} ends with {:?}:\n{}{}",
            ran.code, ran.out, ran.err
        );
        assert!(!said.contains("panicked"), "{said}");
        if let Some((_, told)) = except.iter().find(|(one, _)| *one == capability) {
            // Lines are broken where the screen ends.
            let words: Vec<&str> = said.split_whitespace().collect();
            assert!(words.join(" ").contains(told), "{said}");
            continue;
        }
        if fixture.capabilities.contains(&capability) {
            assert!(!said.contains("cannot be"), "{said}");
            assert!(!said.contains("no effect"), "{said}");
            assert!(matches!(ran.code, Some(0 | 1)), "{said}");
        } else {
            let refusal = unsupported(fixture.language, capability, fixture.capabilities);
            let expected = format!("error: {}: {refusal}\n", fixture.file);
            assert_eq!(ran.err, expected, "{said}");
            assert_eq!(ran.code, Some(2), "{said}");
            assert_eq!(ran.out, "", "{said}");
        }
    }
}

#[test]
fn each_capability_of_each_language_works_or_is_refused_as_the_table_says() {
    works_or_is_refused(&SMV, &[]);
    works_or_is_refused(&LINEAR, NOT_LINEAR);
    works_or_is_refused(&AUT, &[]);
    works_or_is_refused(&PLAIN, &[]);
    works_or_is_refused(&SYSTEM, &[]);
    if has_solver() {
        works_or_is_refused(&SMT, &[]);
        works_or_is_refused(&UNBOUNDED, &[]);
    }
}

#[test]
fn the_table_of_help_is_that_of_the_languages() {
    for front_end in FRONT_ENDS {
        let fixtures = [&SMV, &AUT, &SMT, &SYSTEM];
        let fixture = fixtures
            .into_iter()
            .find(|f| f.language == front_end.language());
        let fixture = fixture.expect("every language has a fixture");
        assert_eq!(front_end.capabilities(), fixture.capabilities);
    }
}

#[test]
fn of_several_models_those_that_cannot_are_noted_and_the_others_asked() {
    let folder = Folder::new("several");
    folder.write(SMV.file, SMV.text.as_bytes());
    folder.write(AUT.file, AUT.text.as_bytes());
    let ran = folder.run(&["check", SMV.file, AUT.file, "--certificate"]);
    let refusal = unsupported(Language::AUT, Capability::Certify, AUT.capabilities);
    let note = format!("note: {}: {refusal}", AUT.file);
    assert!(ran.err.contains(&note), "{}{}", ran.out, ran.err);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
}
