//! The command line of `wherefore query`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use wherefore::debug::smv::Naming;

use crate::args::Screen;
use crate::debug::{Debug, Limits, ReadingKind, ReduceKind};
use crate::exit;

/// How a tagged graph is asked.
#[derive(Debug, Parser)]
#[command(
    after_long_help = exit::HELP,
    override_usage = "wherefore query [OPTIONS] MODEL PROP QUERY\n       \
                      wherefore query [OPTIONS] MODEL PROP --file F\n       \
                      wherefore query [OPTIONS] MODEL PROP --name NAME [ARGUMENT]\n       \
                      wherefore query --list"
)]
pub(crate) struct Query {
    /// The system: a file in AUT format, perhaps compressed (.gz, .zst), or an SMV model
    #[arg(value_name = "MODEL", required_unless_present = "list")]
    pub(crate) model: Option<PathBuf>,

    /// The property, a file with an MCL formula or the name of a property of the SMV model (not with -e or
    /// --inevitable), then the query in openCypher (not with --file), or what the query of --name is asked with
    #[arg(value_name = "PROP QUERY")]
    pub(crate) rest: Vec<String>,

    /// Ask the queries in this file, one after the other
    #[arg(long, value_name = "F", conflicts_with = "name")]
    pub(crate) file: Option<PathBuf>,

    /// Ask the query with this name; --list lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// List the queries that have names
    #[arg(long)]
    pub(crate) list: bool,

    /// The value of a parameter `$NAME` of the query: a number, true, false, null or a text (may be given
    /// several times)
    #[arg(long = "param", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub(crate) parameters: Vec<String>,

    /// Of several properties in the file, take this one
    #[arg(short = 'p', long = "property", value_name = "NAME")]
    pub(crate) property: Option<String>,

    /// Take this formula instead of a file
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "FORMULA",
        allow_hyphen_values = true,
        conflicts_with = "inevitable"
    )]
    pub(crate) formula: Option<String>,

    /// Ask whether every run performs these actions in this order, as for `debug`
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    pub(crate) inevitable: Option<String>,

    /// When is a step bad? branching or fate, as for `debug`
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub(crate) reading: Option<ReadingKind>,

    /// The label of internal steps, besides i and tau (may be given several times)
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) internal: Vec<String>,

    /// What names the steps of an SMV model, as for `debug`
    #[arg(
        long,
        value_name = "HOW",
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) actions: Naming,

    /// Make the system smaller first: tau-a, strong or weak-trace
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub(crate) reduce: Option<ReduceKind>,

    /// What to print: text, json or csv
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(crate) format: QueryFormat,

    /// Show at most this many rows of a table
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) rows: usize,

    /// Stop when a query has more than this many rows
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_rows: usize,

    /// Stop when the search takes more than this many steps
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) max_steps: u64,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

impl Query {
    /// The same system and property as `debug` takes them, and what is left of the command line.
    pub(crate) fn debug(&self) -> (Debug, &[String]) {
        let given = self.formula.is_some() || self.inevitable.is_some();
        let (property, rest) = match self.rest.split_first() {
            Some((property, rest)) if !given => (Some(PathBuf::from(property)), rest),
            _ => (None, &self.rest[..]),
        };
        let debug = Debug {
            model: self.model.clone().unwrap_or_default(),
            property,
            name: self.property.clone(),
            formula: self.formula.clone(),
            inevitable: self.inevitable.clone(),
            internal: self.internal.clone(),
            reduce: self.reduce,
            actions: self.actions.clone(),
            limits: Limits {
                threads: self.limits.threads,
                ..Limits::default()
            },
            ..Debug::default()
        };
        (debug, rest)
    }
}

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum QueryFormat {
    Text,
    Json,
    Csv,
}
