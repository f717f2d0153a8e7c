//! Words of 64 bits, as wide as they can be: every engine calculates with them as the processor does.

use wherefore_base::Budget;
use wherefore_driver::{Engine, Event, Job, ModelSubject, check_model};
use wherefore_evidence::{EvidenceOptions, Verdict};
use wherefore_testkit::Rng;

/// Numbers near the ends of the words, and others.
fn number(rng: &mut Rng) -> u64 {
    let near: u64 = [0, 1 << 63, u64::MAX, 1 << 32, 3][rng.below(5)];
    match rng.below(3) {
        0 => rng.next(),
        _ => near.wrapping_add(rng.below(5) as u64).wrapping_sub(2),
    }
}

fn unsigned(number: u64) -> String {
    format!("0uh64_{number:x}")
}

fn signed(number: i64) -> String {
    format!("0sh64_{number:x}")
}

/// Expressions over `u`, `v` and, with a sign, `s`, `t`, each with what it is: those that every engine decides at once.
fn light(u: u64, v: u64) -> Vec<(String, String)> {
    let (s, t) = (u as i64, v as i64);
    let truth = |truth: bool| if truth { "TRUE" } else { "FALSE" }.to_string();
    let (high, low) = (u >> 32, v & 0xffff_ffff);
    let cases = [
        ("u + v", unsigned(u.wrapping_add(v))),
        ("u - v", unsigned(u.wrapping_sub(v))),
        ("s - t", signed(s.wrapping_sub(t))),
        ("-s", signed(s.wrapping_neg())),
        ("u & v", unsigned(u & v)),
        ("!(u xor v)", unsigned(!(u ^ v))),
        ("u < v", truth(u < v)),
        ("s < t", truth(s < t)),
        ("u >= v", truth(u >= v)),
        ("s <= t", truth(s <= t)),
        ("u >> 63", unsigned(u >> 63)),
        ("s >> 3", signed(s >> 3)),
        ("u >> 64", unsigned(0)),
        ("s >> 64", signed(s >> 63)),
        ("u << 64", unsigned(0)),
        ("u <<< 5", unsigned(u.rotate_left(5))),
        ("u <<< 0", unsigned(u)),
        ("s >>> 64", signed(s)),
        ("u << by", unsigned(u << (u % 64))),
        ("s >> by", signed(s >> (u % 64))),
        ("u[63:32] :: v[31:0]", unsigned(high << 32 | low)),
        (
            "extend(signed(u[31:0]), 32)",
            signed(i64::from(u as u32 as i32)),
        ),
        ("signed(u)", signed(s)),
        ("u in {v, 0ud64_0}", truth(u == v || u == 0)),
    ];
    cases.map(|(text, value)| (text.to_owned(), value)).into()
}

/// Those that only calculating with known values decides at once.
fn heavy(u: u64, v: u64) -> Vec<(String, String)> {
    let (s, t) = (u as i64, v as i64);
    let mut cases = vec![
        ("u * v".to_owned(), unsigned(u.wrapping_mul(v))),
        ("s * t".to_owned(), signed(s.wrapping_mul(t))),
        (
            "toint(s) < 0".to_owned(),
            if s < 0 { "TRUE" } else { "FALSE" }.to_owned(),
        ),
    ];
    if let (Some(whole), Some(rest)) = (u.checked_div(v), u.checked_rem(v)) {
        cases.push(("v = 0ud64_0 ? u : u / v".to_owned(), unsigned(whole)));
        cases.push(("v = 0ud64_0 ? u : u mod v".to_owned(), unsigned(rest)));
        cases.push((
            "t = 0sd64_0 ? s : s / t".to_owned(),
            signed(s.wrapping_div(t)),
        ));
        cases.push((
            "t = 0sd64_0 ? s : s mod t".to_owned(),
            signed(s.wrapping_rem(t)),
        ));
    }
    cases
}

fn check(u: u64, v: u64, engine: Engine, cases: &[(String, String)]) {
    let mut text = "MODULE main DEFINE by := 0ud58_0 :: u[5:0];\n".to_owned();
    let own = [
        ("u", "unsigned", unsigned(u)),
        ("v", "unsigned", unsigned(v)),
        ("s", "signed", signed(u as i64)),
        ("t", "signed", signed(v as i64)),
    ];
    for (name, sign, value) in own {
        text += &match engine == Engine::Bdd && ["v", "t"].contains(&name) {
            // Of two numbers, diagrams are small only where their bits are side by side.
            true => format!("DEFINE {name} := {value};\n"),
            false => format!(
                "VAR {name} : {sign} word[64]; ASSIGN init({name}) := {value}; next({name}) := {name};\n"
            ),
        };
    }
    for (case, value) in cases {
        text += &format!("INVARSPEC ({case}) = {value}\nINVARSPEC ({case}) != {value}\n");
    }
    let session = ModelSubject::from_text("wide.smv", &text).unwrap_or_else(|_| panic!("{text}"));
    let job = Job {
        engine,
        options: EvidenceOptions {
            vacuity: false,
            ..EvidenceOptions::default()
        },
        properties: None,
        bound: None,
    };
    let mut decided = 0;
    check_model(session.model(), &job, &Budget::unlimited(), &mut |event| {
        if let Event::Finding(finding) = event {
            let expected = match finding.property % 2 {
                0 => Verdict::Holds,
                _ => Verdict::Fails,
            };
            let (case, value) = &cases[finding.property / 2];
            assert_eq!(
                finding.verdict, expected,
                "{engine:?}: {case} = {value} with {u:x} and {v:x}"
            );
            decided += 1;
        }
    });
    assert_eq!(decided, 2 * cases.len());
}

#[test]
fn engines_calculate_with_the_widest_words_as_the_processor_does() {
    let mut rng = Rng::new(64);
    for _ in 0..10 {
        let (u, v) = (number(&mut rng), number(&mut rng));
        let light = light(u, v);
        for engine in [Engine::Explicit, Engine::Bdd, Engine::Sat] {
            check(u, v, engine, &light);
        }
        check(u, v, Engine::Explicit, &heavy(u, v));
    }
}
