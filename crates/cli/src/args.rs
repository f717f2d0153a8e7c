//! The command line.

mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use regex_lite::Regex;
use wherefore_driver::Opening;
use wherefore_driver::evidence::Measure;
use wherefore_driver::logic::PathRule;
use wherefore_driver::smv::SmvDialect;
use wherefore_driver::strategy::StrategySpec;
use wherefore_driver::view::{View, WhyStyle, export};
use wherefore_driver::{Engine, FRONT_ENDS};

use crate::alloy::{AlloyReading, Alloying, Asking};
use crate::blame::Blame;
use crate::convert::Convert;
use crate::debug::Debug;
use crate::demo::Demo;
use crate::exit;
use crate::live::Living;
use crate::open::Open;
use crate::query::Query;
use crate::show::Show;

pub(crate) use values::{
    Color, Environment, EvidenceKind, FailOn, Format, SplitKind, SuccessorsKind,
    asks_for_exit_codes, exported, format, seconds,
};
use values::{count, environment, regex, text_or_json, view, why};

/// The model checker that tells you why.
#[derive(Debug, Parser)]
#[command(name = "wherefore", version, about, after_long_help = format!("{}\n\n{}", languages(), exit::HELP))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Reads the command line; ends the program where it is not right or asks for help.
///
/// Most runs are a plain `check`, often many of them from a script. They do without the options of all other
/// commands; whatever is to be said about a command line is said with them.
pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Args {
    let words: Vec<OsString> = words.collect();
    if let [_, command, ..] = &words[..]
        && command == "check"
        && let Ok(check) = Check::try_parse_from(&words[1..])
    {
        let command = Command::Check(Box::new(check));
        return Args { command };
    }
    Args::parse_from(words)
}

/// What works for which language.
fn languages() -> String {
    let rows = FRONT_ENDS.iter().map(|front_end| {
        let capabilities = front_end.capabilities().iter();
        let commands: Vec<&str> = capabilities.filter_map(|one| one.command()).collect();
        let (name, endings) = (front_end.language().0, front_end.endings().join(" "));
        format!(
            "  {name:<6} {endings}\n         check, open, {}",
            commands.join(", ")
        )
    });
    let rows: Vec<String> = rows.collect();
    format!("Languages, and what works for each:\n{}", rows.join("\n"))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check the properties of models, and explain each verdict
    Check(Box<Check>),
    /// Explore why a property holds or fails, claim by claim
    Explain(Box<Explain>),
    /// Find what in the text of a model is to blame for a failure, and changes that mend it
    Blame(Box<Blame>),
    /// Look at models in the browser: verdicts, evidence, proofs, states
    Open(Box<Open>),
    /// Debug a labelled transition system: all counterexamples at once, and where good and bad part
    Debug(Box<Debug>),
    /// Ask the counterexamples of a labelled transition system: queries in openCypher or by name
    Query(Box<Query>),
    /// Walk through the states of a model, or through the instances of an Alloy model
    Explore(Explore),
    /// Run saved evidence or a trace again on a model: where does it die, and why?
    Replay(Replay),
    /// Show saved evidence again, or write it in another format
    Show(Box<Show>),
    /// Compare a changed model with a saved check: what became of verdicts and evidence?
    Diff(Diff),
    /// Make the smallest evidence from a long trace
    Shrink(Box<Shrink>),
    /// Compose labelled transition systems, reduce them, and write them in another format
    Convert(Box<Convert>),
    /// List the built-in examples, or write one here and check it
    Demo(Demo),
}

#[derive(Clone, Debug, Default, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Check {
    /// The models to check; files of properties (.mcl) stand after the model they belong to
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Check this property only; of an Alloy model the command with this name or number (may be given
    /// several times)
    #[arg(short = 'p', long = "property", value_name = "NAME")]
    pub(crate) properties: Vec<String>,

    /// Check this formula; its atoms are expressions of the model's language. For an Alloy model: show the
    /// value of this expression in each instance
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "FORMULA",
        allow_hyphen_values = true
    )]
    pub(crate) formulas: Vec<String>,

    /// The label of internal steps of an AUT model, besides i and tau (may be given several times)
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) internal: Vec<String>,

    #[command(flatten)]
    pub(crate) alloying: Alloying,

    #[command(flatten)]
    pub(crate) several: Several,

    #[command(flatten)]
    pub(crate) effort: Effort,

    #[command(flatten)]
    pub(crate) choosing: Choosing,

    /// What to print: text, json or md
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    pub(crate) format: Format,

    /// Also write the JSON document to this file
    #[arg(long, value_name = "F")]
    pub(crate) json: Option<PathBuf>,

    /// Also write the evidence, or the instances of Alloy models, as Graphviz graphs to this file
    #[arg(long, value_name = "F")]
    pub(crate) dot: Option<PathBuf>,

    /// Also write the evidence as ITF traces to this file, and to files next to it when there are
    /// several
    #[arg(long, value_name = "F")]
    pub(crate) itf: Option<PathBuf>,

    /// Also write the evidence to this file, and to files next to it when there are several; the ending of
    /// the name says how: .itf.json, .xml (as NuSMV), .vcd, .csv, .puml, .mmd, .svg, .graphml, .aut or .cypher (may
    /// be given several times)
    #[arg(long, value_name = "F", value_parser = exported)]
    pub(crate) export: Vec<(PathBuf, export::ExportFormat)>,

    /// Also write a page to this file that shows everything in a browser, without a server
    #[arg(long, value_name = "F")]
    pub(crate) html: Option<PathBuf>,

    /// Show every value at every step, and every run
    #[arg(long)]
    pub(crate) full: bool,

    /// Show only variables whose name matches
    #[arg(long, value_name = "REGEX", value_parser = regex)]
    pub(crate) vars: Option<Regex>,

    /// Show the value of this expression at every step (may be given several times)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) show: Vec<String>,

    #[command(flatten)]
    pub(crate) telling: Telling,

    /// Show the steps of witnesses of properties that hold, too
    #[arg(long)]
    pub(crate) all: bool,

    /// For each property that holds on all paths, show a run on which it matters
    #[arg(long)]
    pub(crate) witness: bool,

    /// For each property that holds, make a certificate and have a SAT solver re-check it
    #[arg(long)]
    pub(crate) certificate: bool,

    /// Show the evidence with the fewest steps, nodes (occurrences of states), states or transitions
    #[arg(long, value_name = "MEASURE", default_value = "steps")]
    pub(crate) minimal: Measure,

    /// Take these variables as chosen by the environment, as inputs are, and say who could have avoided
    /// a decisive step: a name, or a regular expression for whole names (may be given several times)
    #[arg(long, value_name = "NAME", value_parser = environment)]
    pub(crate) environment: Vec<Environment>,

    /// Which evidence to show: auto, or abstract (all shortest runs at once, as sets of states)
    #[arg(
        long,
        value_name = "WHICH",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) evidence: EvidenceKind,

    /// With --evidence abstract, which way to take where a claim can be shown in several: left, right,
    /// simpler or both
    #[arg(
        long,
        value_name = "HOW",
        default_value = "both",
        hide_possible_values = true,
        requires = "evidence"
    )]
    pub(crate) split: SplitKind,

    /// With --evidence abstract, how many states a step leads to: all or one
    #[arg(
        long,
        value_name = "HOW",
        default_value = "all",
        hide_possible_values = true,
        requires = "evidence"
    )]
    pub(crate) successors: SuccessorsKind,

    /// Do not look for parts of properties that never matter
    #[arg(long)]
    pub(crate) no_vacuity: bool,

    /// Do not look for changes of the text that mend a failure
    #[arg(long)]
    pub(crate) no_blame: bool,

    /// End with code 5 when nothing fails but a property holds vacuously
    #[arg(long, value_name = "WHAT")]
    pub(crate) fail_on: Option<FailOn>,

    #[command(flatten)]
    pub(crate) screen: Screen,

    /// Say how long it took
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print nothing but errors; the exit code tells the verdict
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Check {
    /// Whether to say why properties hold: of all of them, or of the only one that is asked for.
    pub(crate) fn wants_why(&self) -> bool {
        self.all || self.properties.len() + self.formulas.len() == 1
    }
}

#[derive(Debug, Parser)]
#[command(after_help = "Commands are read from standard input, one on a line; `help` lists them.")]
pub(crate) struct Explore {
    /// The model to walk through
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Of an Alloy model, the command whose instances are shown: its name, or its number from 1; of an AUT
    /// model, a file with properties, as `model.mcl`
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    #[command(flatten)]
    pub(crate) asking: Asking,

    #[command(flatten)]
    pub(crate) effort: Effort,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

#[derive(Debug, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Replay {
    /// The model
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The trace: a JSON document of `check`, an ITF trace, or a trace of NuSMV as XML or text
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,

    /// Replay the evidence of this property only; for other traces, say whether they show it (may be
    /// given several times)
    #[arg(short = 'p', long = "property", value_name = "NAME")]
    pub(crate) properties: Vec<String>,

    #[command(flatten)]
    pub(crate) effort: Effort,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

#[derive(Debug, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Diff {
    /// The model as it is now; or, to compare two documents, the older one
    #[arg(value_name = "FILE")]
    pub(crate) new: PathBuf,

    /// The JSON document that `check --json` wrote; or, to compare two documents, the newer one
    #[arg(value_name = "SAVED")]
    pub(crate) saved: PathBuf,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// What to print: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = text_or_json)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

#[derive(Debug, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Shrink {
    /// The model
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The property that the trace is about
    #[arg(value_name = "PROP")]
    pub(crate) property: String,

    /// The trace, as `replay` takes it
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,

    /// Use the states of the trace only, or those of the whole model: trace or model
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "trace",
        hide_possible_values = true
    )]
    pub(crate) within: Within,

    /// Of several traces in the file, take this one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) number: usize,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// What to print: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = text_or_json)]
    pub(crate) format: Format,

    /// Also write the evidence as an ITF trace to this file
    #[arg(long, value_name = "F")]
    pub(crate) itf: Option<PathBuf>,

    /// Show every value at every step, and every run
    #[arg(long)]
    pub(crate) full: bool,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

#[derive(Debug, Default, Parser)]
#[command(
    after_help = "In a terminal, `?` lists the keys. In a pipe, commands are read from standard input, \
                  one on a line; `help` lists them. Without any, the whole explanation is printed."
)]
pub(crate) struct Explain {
    /// The model
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The property to explain; not needed when the model has only one. Of an AUT model, the file with
    /// its properties, as `model.mcl`
    #[arg(value_name = "PROPERTY", conflicts_with = "formula")]
    pub(crate) property: Option<String>,

    /// Of an AUT model, the property of that file
    #[arg(value_name = "NAME", requires = "property")]
    pub(crate) name: Option<String>,

    /// Explain this formula instead of a property of the model
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "FORMULA",
        allow_hyphen_values = true
    )]
    pub(crate) formula: Option<String>,

    /// Who makes the choices that nobody makes by hand, as for `check`; several narrow the choice one
    /// after the other
    #[arg(long, value_name = "STRATEGY", allow_hyphen_values = true)]
    pub(crate) strategy: Vec<StrategySpec>,

    /// Read commands and print answers, line by line, in a terminal, too
    #[arg(long)]
    pub(crate) plain: bool,

    /// Print the whole explanation as text, json or md, and read nothing
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) format: Option<Format>,

    #[command(flatten)]
    pub(crate) effort: Effort,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// Which states a shrunk run may go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Within {
    Trace,
    Model,
}

/// How much evidence is wanted.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Several {
    /// For a property that fails, show a run for each of its parts that fails
    #[arg(long)]
    pub(crate) each: bool,

    /// Show up to this many different runs for each claim
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    pub(crate) count: usize,

    /// Use with --count to show only one of the runs along which this expression takes the same values
    /// (may be given several times)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) distinct_by: Vec<String>,
}

/// How the model is read, who looks at its states, and how long it may take.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Effort {
    /// How to look at the states: auto, explicit, bdd or sat; for infinite-state models auto, theory, unroll or
    /// induction
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub(crate) engine: Engine,

    /// Which SMV the model is in: new, or old, in which 0 and 1 are truth values (before NuSMV 2.5)
    #[arg(long, value_name = "DIALECT", default_value = "new")]
    pub(crate) smv_dialect: SmvDialect,

    /// Take the order of variables in decision diagrams from this file, one name in each line
    #[arg(long, value_name = "FILE")]
    pub(crate) order: Option<PathBuf>,

    /// Which paths CTL properties are about: fair-infinite, plain-fair, maximal (also those that end in a
    /// deadlock), reach (finite ones) or plain (all); fair, finite and all are other names of the first and
    /// the last two [default: what the language says, for SMV fair-infinite]
    #[arg(long, value_name = "RULE")]
    pub(crate) paths: Option<PathRule>,

    /// Ask properties from the states where this condition is true, instead of the initial states: from the
    /// reachable ones, if there are any. Evidence starts in one of them
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) from: Option<String>,

    /// Give a name to the states where a condition is true, as in 'Idle: floor = 1 & door = closed' (may be
    /// given several times)
    #[arg(long = "name", value_name = "NAME: EXPR", allow_hyphen_values = true)]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) alloy: AlloyReading,

    #[command(flatten)]
    pub(crate) living: Living,

    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,

    /// Stop when this many megabytes are in use [default: nine tenths of what is available]
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<usize>,
}

impl Effort {
    /// How files of models are read.
    pub(crate) fn opening(&self) -> Opening {
        Opening {
            dialect: self.smv_dialect,
            order: self.order.clone(),
            edition: self.alloy.edition,
            scopes: self.alloy.scope.clone(),
            counted: self.alloy.fairness.is_some_and(|fairness| fairness.0),
            bounds: self.living.bound.clone(),
            deadlock: self.living.deadlock,
            paths: self.paths,
            from: self.from.clone(),
            names: self.names.clone(),
            ..Opening::default()
        }
    }
}

/// Who chooses the evidence, and how long that may take.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Choosing {
    /// Who chooses which of the valid proofs is shown, for example avoid:EXPR, random:SEED or
    /// script:FILE; when given several times, each chooses among what those before it like best
    #[arg(long, value_name = "STRATEGY", allow_hyphen_values = true)]
    pub(crate) strategy: Vec<StrategySpec>,

    /// Work on the evidence of a property for this many seconds, and leave open what is not shown then
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) evidence_time: Option<f64>,
}

/// How evidence is told.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Telling {
    /// What to show of a run: trace (a table of changes), states (each state with its variables) or
    /// proof (each state with the part of the proof attached to it)
    #[arg(long, value_name = "VIEW", default_value = "trace", value_parser = view)]
    pub(crate) view: View,

    /// How much to say about why a step is there: rules, reasons, english or none [default: what
    /// suits the view]
    #[arg(long, value_name = "HOW", value_parser = why)]
    pub(crate) why: Option<WhyStyle>,

    /// Take what to show of each state, and what to say of it, from this script
    #[arg(long, value_name = "FILE")]
    pub(crate) tell: Option<PathBuf>,

    /// Mark each value that a failure depends on: another value there could keep the run from refuting the
    /// property
    #[arg(long)]
    pub(crate) causes: bool,

    /// Tell runs from the end back to the start
    #[arg(long)]
    pub(crate) backward: bool,

    /// Show only what explains this part of the property
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,

    /// Leave out what explains this part of the property
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) stop: Option<String>,
}

/// What the screen can show.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Screen {
    /// Use colour: auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) color: Color,

    /// Use plain letters instead of lines and arrows
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Use this many columns instead of the width of the terminal
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<usize>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Args::command().debug_assert();
    }
}
