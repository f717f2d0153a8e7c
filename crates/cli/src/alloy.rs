//! Alloy models on the command line: options, and which of them fit.

use std::path::PathBuf;

use wherefore_driver::Capability;
use wherefore_driver::subjects::alloy::{
    AlloyOptions, AnswerExtent, Edition, LoweringOptions, Overflow, Override, SearchOptions,
};

use crate::args::Check;
use crate::models::{ModelFile, for_variables, names};

/// The heading of these options in the help.
const HEADING: &str = "Alloy models";

/// How Alloy models are read, and how much is looked at.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct AlloyReading {
    /// The edition that all files are in: 4 (a prime is part of a name) or 6 (a prime is the next state)
    /// [default: for each file the one in which it can be read]
    #[arg(long = "alloy", value_name = "N", value_parser = edition, help_heading = HEADING)]
    pub(crate) edition: Option<Edition>,

    /// How far the answers about transition systems reach, for models that open ctl, ctlfc and the like:
    /// scoped (as the commands say), growing (larger scopes as the class of the formula asks for), complete
    /// (every state, with its runs), or auto (every state where that is cheap, otherwise growing) [default: auto]
    #[arg(long, value_name = "HOW", value_parser = reach, help_heading = HEADING)]
    pub(crate) reach: Option<ReachOption>,

    /// Another scope than that of the commands, as Book=4, State=exactly:5, Int=6 (bits), seq=3 or
    /// steps=12 (may be given several times)
    #[arg(long, value_name = "SIG=N", value_parser = scope, help_heading = HEADING)]
    pub(crate) scope: Vec<Override>,

    /// How several fairness constraints are asked for in a complete transition system: direct (all of them again and
    /// again) or counter (one after the other, counted off by a variable) [default: direct]
    #[arg(long, value_name = "HOW", value_parser = counted, help_heading = HEADING)]
    pub(crate) fairness: Option<Counted>,
}

/// Whether several fairness constraints are counted off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counted(pub(crate) bool);

/// How far the answers to commands of Alloy models reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReachOption {
    /// To every state where that is cheap, otherwise to larger scopes.
    Auto,
    /// As far as the scopes of the commands.
    Scoped,
    /// To larger scopes.
    Growing,
    /// To every state of the transition system.
    Complete,
}

impl AlloyReading {
    /// Whether complete transition systems are checked.
    pub(crate) fn is_complete(&self) -> bool {
        self.reach == Some(ReachOption::Complete)
    }

    /// Whether systems are looked at in their scopes alone.
    pub(crate) fn is_scoped(&self) -> bool {
        matches!(self.reach, Some(ReachOption::Scoped | ReachOption::Growing))
    }

    /// How far answers of scopes reach.
    fn extent(&self) -> AnswerExtent {
        match self.reach {
            None | Some(ReachOption::Auto | ReachOption::Complete) => AnswerExtent::Auto,
            Some(ReachOption::Scoped) => AnswerExtent::Scoped,
            Some(ReachOption::Growing) => AnswerExtent::Growing,
        }
    }

    /// How far answers of scopes reach, where the complete system is not wanted.
    pub(crate) fn extent_alone(&self) -> Option<AnswerExtent> {
        matches!(self.reach, Some(ReachOption::Scoped | ReachOption::Growing))
            .then(|| self.extent())
    }

    /// The options that were given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let given = [
            (self.edition.is_some(), "--alloy"),
            (self.reach.is_some(), "--reach"),
            (!self.scope.is_empty(), "--scope"),
            (self.fairness.is_some(), "--fairness"),
        ];
        names(&given)
    }
}

/// How commands of Alloy models are asked.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Asking {
    /// What happens when arithmetic does not fit the bits of integers: wrap (around) or forbid (such
    /// values do not count) [default: wrap]
    #[arg(long, value_name = "HOW", value_parser = overflow, help_heading = HEADING)]
    pub(crate) overflow: Option<Overflow>,

    /// How many pairs of bits are compared to leave out symmetric instances; 0 leaves none out, nor symmetric
    /// states of complete transition systems [default: 20]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) symmetry: Option<usize>,

    /// Below how many universal quantifiers an existential one still gets a witness [default: 1]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) skolem_depth: Option<usize>,
}

impl Asking {
    /// How commands are asked.
    pub(crate) fn choices(&self, reading: &AlloyReading) -> AlloyOptions {
        let defaults = SearchOptions::default();
        AlloyOptions {
            lowering: LoweringOptions {
                scopes: reading.scope.clone(),
                overflow: self.overflow.unwrap_or(Overflow::Wrap),
                ..LoweringOptions::default()
            },
            search: SearchOptions {
                symmetry: self.symmetry.unwrap_or(defaults.symmetry),
                skolem_depth: self.skolem_depth.unwrap_or(defaults.skolem_depth),
                ..defaults
            },
            ..AlloyOptions::default()
        }
    }

    /// The options that were given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let given = [
            (self.overflow.is_some(), "--overflow"),
            (self.symmetry.is_some(), "--symmetry"),
            (self.skolem_depth.is_some(), "--skolem-depth"),
        ];
        names(&given)
    }
}

/// How Alloy models are read, their commands answered, and their instances shown.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Alloying {
    #[command(flatten)]
    pub(crate) asking: Asking,

    /// Show up to this many instances or counterexamples of each command
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = HEADING)]
    pub(crate) instances: Option<usize>,

    /// Show the value of this expression in each instance, as -e does (may be given several times)
    #[arg(
        long,
        value_name = "EXPR",
        allow_hyphen_values = true,
        help_heading = HEADING
    )]
    pub(crate) evaluate: Vec<String>,

    /// Also say what is odd about how the transition system of a model is written: preconditions that overlap or
    /// leave states out, operations that never happen, states without a step, and more
    #[arg(long, help_heading = HEADING)]
    pub(crate) advice: bool,

    /// Look only at runs of at most N steps of the complete transition system, and at those that go round within
    /// them: bounded model checking
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = HEADING)]
    pub(crate) bmc: Option<usize>,

    /// Show instances as trees instead of tables
    #[arg(long, help_heading = HEADING)]
    pub(crate) tree: bool,

    /// Also draw the first instance into this SVG file, and further ones into files next to it
    #[arg(long, value_name = "F", help_heading = HEADING)]
    pub(crate) svg: Option<PathBuf>,

    /// Also write the first instance as XML for the Alloy visualizer and Sterling to this file, and
    /// further ones to files next to it
    #[arg(long, value_name = "F", help_heading = HEADING)]
    pub(crate) xml: Option<PathBuf>,
}

impl Alloying {
    /// The options that were given.
    fn given(&self) -> Vec<&'static str> {
        let given = [
            (self.instances.is_some(), "--instances"),
            (!self.evaluate.is_empty(), "--evaluate"),
            (self.advice, "--advice"),
            (self.bmc.is_some(), "--bmc"),
            (self.tree, "--tree"),
            (self.svg.is_some(), "--svg"),
            (self.xml.is_some(), "--xml"),
        ];
        let asking = self.asking.given().into_iter();
        asking.chain(names(&given)).collect()
    }
}

/// How commands are answered.
pub(crate) fn choices(check: &Check) -> AlloyOptions {
    let alloying = &check.alloying;
    let evaluate = alloying.evaluate.iter().chain(&check.formulas);
    AlloyOptions {
        instances: alloying.instances.unwrap_or(check.several.count).max(1),
        evaluate: evaluate.cloned().collect(),
        reach: check.effort.alloy.extent(),
        ..alloying.asking.choices(&check.effort.alloy)
    }
}

/// Whether complete transition systems are checked.
pub(crate) fn is_complete(check: &Check) -> bool {
    check.effort.alloy.is_complete() || check.alloying.bmc.is_some()
}

/// A message about options that mean nothing for any of the models.
pub(crate) fn misplaced(check: &Check, files: &[ModelFile]) -> Option<String> {
    let alloy = files
        .iter()
        .filter(|files| files.can(Capability::Enumerate))
        .count();
    if let Some(message) = contrary(check).filter(|_| alloy > 0) {
        return Some(format!("error: {message}"));
    }
    let (options, whose) = match alloy {
        0 => (foreign(check), "SMV models or systems"),
        _ if is_complete(check) => (solving(check), "complete transition systems"),
        n if n == files.len() => (elsewhere(check), "Alloy models"),
        _ => return None,
    };
    let (first, rest) = options.split_first()?;
    let have = if rest.is_empty() { "has" } else { "have" };
    let options = rest
        .iter()
        .fold(first.to_string(), |all, option| format!("{all}, {option}"));
    Some(format!("error: {options} {have} no meaning for {whose}"))
}

/// What is wrong with options that do not go together.
fn contrary(check: &Check) -> Option<&'static str> {
    let reading = &check.effort.alloy;
    let bounded = check.alloying.bmc.is_some();
    if bounded
        && reading
            .reach
            .is_some_and(|reach| reach != ReachOption::Complete)
    {
        return Some(
            "--bmc looks at runs of the complete system, and --reach asks for something else",
        );
    }
    if bounded && check.effort.engine != Default::default() {
        return Some("--bmc is an engine of its own, and --engine asks for another");
    }
    if reading.fairness.is_some() && !is_complete(check) {
        return Some("--fairness is about complete transition systems: add --reach complete");
    }
    None
}

/// The options that were given and are for Alloy models alone.
fn foreign(check: &Check) -> Vec<&'static str> {
    let mut given = check.effort.alloy.given();
    given.extend(check.alloying.given());
    // That there are no instances is told of the model.
    given.retain(|option| *option != "--instances");
    given
}

/// The options that were given and are not for complete transition systems of Alloy models.
fn solving(check: &Check) -> Vec<&'static str> {
    let given = [
        (
            check.effort.smv_dialect != Default::default(),
            "--smv-dialect",
        ),
        (!check.formulas.is_empty(), "--formula"),
        (!check.show.is_empty(), "--show"),
        (!check.several.distinct_by.is_empty(), "--distinct-by"),
    ];
    let mut options = check.alloying.given();
    options.retain(|option| !["--bmc", "--symmetry"].contains(option));
    options.extend(names(&given));
    options
}

/// The options that were given and mean nothing for an Alloy model.
fn elsewhere(check: &Check) -> Vec<&'static str> {
    let effort = &check.effort;
    let mut given = vec![
        (effort.engine != Default::default(), "--engine"),
        (effort.smv_dialect != Default::default(), "--smv-dialect"),
        (effort.order.is_some(), "--order"),
        (!check.internal.is_empty(), "--internal"),
        (check.choosing.evidence_time.is_some(), "--evidence-time"),
        (check.no_vacuity, "--no-vacuity"),
    ];
    // What is taken out of a transition system is evidence: these options are about it.
    let about_runs = [RUN_OPTIONS, &["--itf", "--export"]].concat();
    let others = for_variables(check).into_iter();
    given.extend(others.filter(|(_, option)| !about_runs.contains(option)));
    names(&given)
}

/// Options about runs, which an Alloy model has if it describes a transition system.
const RUN_OPTIONS: &[&str] = &["--vars", "--view", "--why", "--backward"];

/// A message about options for runs, where an Alloy model describes no transition system.
pub(crate) fn without_runs(check: &Check) -> Option<String> {
    let given = for_variables(check).into_iter();
    let given = given.filter(|(given, option)| *given && RUN_OPTIONS.contains(option));
    let options: Vec<&str> = given.map(|(_, option)| option).collect();
    let have = if options.len() == 1 { "has" } else { "have" };
    (!options.is_empty()).then(|| {
        let options = options.join(", ");
        format!("error: {options} {have} no meaning for Alloy models without a transition system")
    })
}

fn reach(text: &str) -> Result<ReachOption, String> {
    match text {
        "auto" => Ok(ReachOption::Auto),
        "scoped" => Ok(ReachOption::Scoped),
        "growing" => Ok(ReachOption::Growing),
        "complete" => Ok(ReachOption::Complete),
        _ => Err("take auto, scoped, growing or complete".to_string()),
    }
}

fn counted(text: &str) -> Result<Counted, String> {
    match text {
        "direct" => Ok(Counted(false)),
        "counter" => Ok(Counted(true)),
        _ => Err("take direct or counter".to_string()),
    }
}

fn edition(text: &str) -> Result<Edition, String> {
    match text {
        "4" | "5" => Ok(Edition::Four),
        "6" => Ok(Edition::Six),
        _ => Err("take 4 or 6".to_string()),
    }
}

pub(crate) fn overflow(text: &str) -> Result<Overflow, String> {
    match text {
        "wrap" => Ok(Overflow::Wrap),
        "forbid" => Ok(Overflow::Forbid),
        _ => Err("take wrap or forbid".to_string()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count >= 1 => Ok(count),
        _ => Err("give a number of instances, 1 or more".to_string()),
    }
}

/// `Book=4`, `Book=exactly:4`, `Book=exactly 4`
pub(crate) fn scope(text: &str) -> Result<Override, String> {
    const HOW: &str = "write it as Book=4 or Book=exactly:4";
    let (name, number) = text.split_once('=').ok_or(HOW)?;
    let exact = number.trim().strip_prefix("exactly");
    let number = exact.map_or(number, |rest| rest.trim_start_matches([':', ' ']));
    let number = number.trim().parse::<i32>().ok().filter(|n| *n >= 0);
    match (name.trim(), number) {
        ("", _) | (_, None) => Err(HOW.to_string()),
        (name, Some(number)) => Ok(Override {
            name: name.to_string(),
            number,
            exactly: exact.is_some(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_in_both_ways() {
        let read = |text: &str| scope(text).map(|s| (s.name, s.number, s.exactly));
        assert_eq!(read("Book=4"), Ok(("Book".to_string(), 4, false)));
        assert_eq!(read("Book=exactly:4"), Ok(("Book".to_string(), 4, true)));
        assert_eq!(read("Book=exactly 4"), Ok(("Book".to_string(), 4, true)));
        for wrong in ["Book", "Book=", "=4", "Book=-1", "Book=x", "Book=exactly"] {
            assert!(scope(wrong).is_err(), "{wrong}");
        }
    }
}
