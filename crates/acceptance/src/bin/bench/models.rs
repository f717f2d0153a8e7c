//! Families of models that grow: each is written by a program, for any size.

use std::fmt::Write;

/// A family of models, one for each size.
pub(crate) struct Family {
    /// Its name, also of its files.
    pub(crate) name: &'static str,
    /// What it is, for the title of its picture.
    pub(crate) title: &'static str,
    /// What its size counts.
    pub(crate) unit: &'static str,
    /// The sizes to measure, growing.
    pub(crate) sizes: &'static [usize],
    /// The model of a size.
    pub(crate) model: fn(usize) -> String,
}

/// The families that `bench` measures.
pub(crate) const FAMILIES: [Family; 3] = [
    Family {
        name: "milner",
        title: "Milner's scheduler",
        unit: "cyclers",
        sizes: &[8, 12, 16, 24, 32, 48],
        model: milner,
    },
    Family {
        name: "ring",
        title: "Distributed mutual exclusion on a ring",
        unit: "cells",
        sizes: &[2, 3, 4, 5, 6, 7, 8],
        model: ring,
    },
    Family {
        name: "counter",
        title: "A counter that may be reset at any time",
        unit: "bits",
        sizes: &[4, 8, 12, 16, 20],
        model: counter,
    },
];

/// Milner's scheduler: cyclers pass a token round. Who has it and is not at work starts its task and
/// passes the token on; tasks end at any time, in any order.
fn milner(size: usize) -> String {
    let mut text = String::from(
        "MODULE cycler(here, there)\n\
         VAR working : boolean;\n\
         DEFINE starts := here & !working;\n\
         ASSIGN\n  \
           init(working) := FALSE;\n  \
           next(working) := starts;\n  \
           next(here) := here & !starts;\n  \
           next(there) := there | starts;\n\
         MODULE main\n\
         VAR\n",
    );
    for at in 0..size {
        let next = (at + 1) % size;
        line(
            &mut text,
            format_args!("  t{at} : boolean; c{at} : process cycler(t{at}, t{next});"),
        );
    }
    text.push_str("ASSIGN\n");
    for at in 0..size {
        let first = if at == 0 { "TRUE" } else { "FALSE" };
        line(&mut text, format_args!("  init(t{at}) := {first};"));
    }
    let all: Vec<String> = (0..size).map(|at| format!("c{at}.working")).collect();
    line(&mut text, format_args!("SPEC AG !(t0 & t1)"));
    line(&mut text, format_args!("SPEC AG EF c{}.working", size - 1));
    line(&mut text, format_args!("SPEC AG !({})", all.join(" & ")));
    text
}

/// Distributed mutual exclusion on a ring, in the manner of Martin (1985): the token stays where it was
/// last used; who wants it asks the right neighbour, who hands it over, or asks on. A cell that wants the
/// token for itself when its left neighbour asks too takes one of both first, and need not be fair.
fn ring(size: usize) -> String {
    let mut text = String::from(
        "MODULE cell(here, there, asked)\n\
         VAR\n  \
           user : {idle, wants, critical};\n  \
           asks : {nothing, for_self, for_left};\n\
         DEFINE\n  \
           calling := asks != nothing & !here;\n  \
           enters := here & user = wants & asks != for_left;\n  \
           passes := here & asked & (user = idle | asks = for_left);\n\
         ASSIGN\n  \
           init(user) := idle;\n  \
           next(user) := case\n    \
             user = idle : {idle, wants};\n    \
             enters : critical;\n    \
             user = critical : {critical, idle};\n    \
             TRUE : user;\n  \
           esac;\n  \
           init(asks) := nothing;\n  \
           next(asks) := case\n    \
             here : nothing;\n    \
             asks != nothing : asks;\n    \
             user = wants & asked : {for_self, for_left};\n    \
             user = wants : for_self;\n    \
             asked : for_left;\n    \
             TRUE : nothing;\n  \
           esac;\n  \
           next(here) := here & !passes;\n  \
           next(there) := there | passes;\n\
         FAIRNESS running\n\
         FAIRNESS user != critical\n\
         MODULE main\n\
         VAR\n",
    );
    for at in 0..size {
        let left = (at + size - 1) % size;
        line(
            &mut text,
            format_args!(
                "  t{at} : boolean; c{at} : process cell(t{at}, t{left}, c{left}.calling);"
            ),
        );
    }
    text.push_str("ASSIGN\n");
    for at in 0..size {
        let first = if at == 0 { "TRUE" } else { "FALSE" };
        line(&mut text, format_args!("  init(t{at}) := {first};"));
    }
    let last = size - 1;
    line(
        &mut text,
        format_args!("SPEC AG !(c0.user = critical & c{last}.user = critical)"),
    );
    line(
        &mut text,
        format_args!("SPEC AG (c0.user = wants -> EF c0.user = critical)"),
    );
    line(
        &mut text,
        format_args!("SPEC AG (c0.user = wants -> AF c0.user = critical)"),
    );
    text
}

/// A counter of so many bits, each its own variable, that may be reset at any time.
fn counter(size: usize) -> String {
    let mut text = String::from("MODULE main\nIVAR reset : boolean;\nVAR\n");
    for bit in 0..size {
        line(&mut text, format_args!("  b{bit} : boolean;"));
    }
    text.push_str("DEFINE\n  carry0 := !reset;\n");
    for bit in 1..size {
        line(
            &mut text,
            format_args!("  carry{bit} := carry{0} & b{0};", bit - 1),
        );
    }
    text.push_str("ASSIGN\n");
    for bit in 0..size {
        line(
            &mut text,
            format_args!(
                "  init(b{bit}) := FALSE; next(b{bit}) := !reset & (b{bit} xor carry{bit});"
            ),
        );
    }
    let last = size - 1;
    line(&mut text, format_args!("SPEC AG EF b{last}"));
    line(&mut text, format_args!("SPEC AF b{last}"));
    line(&mut text, format_args!("SPEC AG (b{last} -> AF !b{last})"));
    text
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(text, "{words}").expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use wherefore_base::{Budget, SourceFile, SourceMap};

    use super::*;

    #[test]
    fn every_model_of_every_family_is_read_without_a_complaint() {
        for family in FAMILIES {
            for &size in family.sizes {
                let mut sources = SourceMap::default();
                let file = sources.add(SourceFile::new("model.smv", (family.model)(size)));
                let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited())
                    .expect("there is no limit");
                assert!(loaded.diagnostics.is_empty(), "{} {size}", family.name);
            }
        }
    }
}
