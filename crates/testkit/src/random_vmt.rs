//! Random transition systems in VMT-LIB whose states are finitely many, so that other engines can be asked, too.

use std::fmt::Write as _;

use crate::Rng;

/// The text of a random system over two truth values and an enumeration of three, with one random formula.
pub fn random(rng: &mut Rng, formula_size: usize) -> String {
    let mut text = String::from(
        "(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
         (declare-fun a () Bool) (declare-fun a1 () Bool) (define-fun .a () Bool (! a :next a1))
         (declare-fun b () Bool) (declare-fun b1 () Bool) (define-fun .b () Bool (! b :next b1))
         (declare-fun c () Colour) (declare-fun c1 () Colour) (define-fun .c () Colour (! c :next c1))
         (declare-fun go () Bool)\n",
    );
    let init = condition(rng, 3, false);
    let _ = writeln!(text, "(define-fun .init () Bool (! {init} :init true))");
    let mut steps = Vec::new();
    for _ in 0..2 + rng.below(3) {
        let guard = condition(rng, 2, false);
        let a = rng.pick(&["a", "(not a)", "true", "b", "go"]).to_string();
        let b = rng.pick(&["b", "(not b)", "false", "a", "go"]).to_string();
        let c = rng
            .pick(&["c", "red", "green", "blue", "(ite a red c)"])
            .to_string();
        let mut parts = vec![guard];
        // What a step leaves out may become anything.
        for (next, value) in [("a1", a), ("b1", b), ("c1", c)] {
            if !rng.chance(1, 8) {
                parts.push(format!("(= {next} {value})"));
            }
        }
        steps.push(format!("(and {})", parts.join(" ")));
    }
    let _ = writeln!(
        text,
        "(define-fun .trans () Bool (! (or {}) :trans true))",
        steps.join(" ")
    );
    let formula = formula(rng, formula_size);
    let _ = writeln!(
        text,
        "(define-fun .p () Bool (! {formula} :ctl-property 0))"
    );
    text
}

/// A random condition on states.
fn condition(rng: &mut Rng, size: usize, atoms_only: bool) -> String {
    if size <= 1 || atoms_only {
        let atoms = [
            "a",
            "b",
            "(= c red)",
            "(= c green)",
            "(not (= c blue))",
            "(not a)",
            "(= a b)",
            "true",
        ];
        return rng.pick(&atoms).to_string();
    }
    let left = 1 + rng.below(size - 1);
    let (one, other) = (
        condition(rng, left, false),
        condition(rng, size - left, false),
    );
    let op = *rng.pick(&["and", "or", "=>", "xor"]);
    format!("({op} {one} {other})")
}

/// A random formula of CTL with all operators.
fn formula(rng: &mut Rng, size: usize) -> String {
    if size <= 1 {
        return condition(rng, 1, true);
    }
    if rng.chance(3, 5) {
        let inner = formula(rng, size - 1);
        let op = *rng.pick(&["AX", "EX", "AF", "EF", "AG", "EG", "AF", "EF", "not"]);
        return match op {
            "not" => format!("(not {inner})"),
            op => format!("(ctl.{op} {inner})"),
        };
    }
    let left = 1 + rng.below(size - 1);
    let (one, other) = (formula(rng, left), formula(rng, size - left));
    let op = *rng.pick(&["and", "or", "=>", "ctl.AU", "ctl.EU", "ctl.AW", "ctl.EW"]);
    format!("({op} {one} {other})")
}
