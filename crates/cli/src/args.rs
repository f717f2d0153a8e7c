//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use regex_lite::Regex;
use wherefore::Engine;

use crate::exit;

/// The model checker that tells you why.
#[derive(Debug, Parser)]
#[command(name = "wherefore", version, about, after_long_help = exit::HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check the properties of models, and explain each verdict
    Check(Box<Check>),
    /// Walk through the states of a model, step by step
    Explore(Explore),
    /// List the built-in examples, or write one here and check it
    Demo(Demo),
}

#[derive(Debug, Default, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Check {
    /// The models to check
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Check this property only (may be given several times)
    #[arg(short = 'p', long = "property", value_name = "NAME")]
    pub(crate) properties: Vec<String>,

    /// Check this formula; its atoms are expressions of the model's language
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "FORMULA",
        allow_hyphen_values = true
    )]
    pub(crate) formulas: Vec<String>,

    #[command(flatten)]
    pub(crate) several: Several,

    #[command(flatten)]
    pub(crate) effort: Effort,

    /// What to print: text, json or md
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    pub(crate) format: Format,

    /// Also write the JSON document to this file
    #[arg(long, value_name = "F")]
    pub(crate) json: Option<PathBuf>,

    /// Also write the evidence as a Graphviz graph to this file
    #[arg(long, value_name = "F")]
    pub(crate) dot: Option<PathBuf>,

    /// Also write the evidence as ITF traces to this file, and to files next to it when there are
    /// several
    #[arg(long, value_name = "F")]
    pub(crate) itf: Option<PathBuf>,

    /// Show every value at every step, and every run
    #[arg(long)]
    pub(crate) full: bool,

    /// Show only variables whose name matches
    #[arg(long, value_name = "REGEX", value_parser = regex)]
    pub(crate) vars: Option<Regex>,

    /// Show the value of this expression at every step (may be given several times)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) show: Vec<String>,

    /// Show the steps of witnesses of properties that hold, too
    #[arg(long)]
    pub(crate) all: bool,

    /// For each property that holds on all paths, show a run on which it matters
    #[arg(long)]
    pub(crate) witness: bool,

    /// Do not look for parts of properties that never matter
    #[arg(long)]
    pub(crate) no_vacuity: bool,

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

#[derive(Debug, Parser)]
#[command(after_help = "Commands are read from standard input, one on a line; `help` lists them.")]
pub(crate) struct Explore {
    /// The model to walk through
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) effort: Effort,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// How much evidence is wanted.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Several {
    /// For a property that fails, show a run for each of its parts that fails
    #[arg(long)]
    pub(crate) each: bool,

    /// Show up to this many different runs for each claim
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    pub(crate) count: usize,

    /// Take runs along which this expression takes the same values as the same (may be given several
    /// times)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) distinct_by: Vec<String>,
}

/// Who looks at the states, and how long it may take.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Effort {
    /// How to look at the states: auto, explicit or bdd
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub(crate) engine: Engine,

    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,

    /// Stop when this many megabytes are in use [default: nine tenths of what is available]
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<usize>,
}

/// What the screen can show.
#[derive(Debug, Default, clap::Args)]
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

#[derive(Debug, Parser)]
pub(crate) struct Demo {
    /// The example to write and check
    pub(crate) name: Option<String>,

    /// Replace a file that differs from the example
    #[arg(long)]
    pub(crate) force: bool,
}

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
    Markdown,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// What counts as a failure besides failures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FailOn {
    Vacuous,
}

/// Whether the arguments are `help exit-codes`, a page that belongs to no command.
pub(crate) fn asks_for_exit_codes(args: impl Iterator<Item = OsString>) -> bool {
    args.eq(["help", "exit-codes"])
}

fn format(name: &str) -> Result<Format, String> {
    match name {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "md" => Ok(Format::Markdown),
        "html" => Err("html is not supported yet; take text, json or md".to_string()),
        _ => Err("take text, json or md".to_string()),
    }
}

fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count >= 1 => Ok(count),
        _ => Err("give a number of runs, 1 or more".to_string()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("give a number of seconds, as 10 or 0.5".to_string()),
    }
}

fn regex(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Args::command().debug_assert();
    }
}
