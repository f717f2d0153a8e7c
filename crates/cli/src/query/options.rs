//! The command line of `wherefore query`.

use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};

use crate::debug::{DebugAsking, DebugTarget};
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
    #[arg(long, value_name = "F", conflicts_with = "query")]
    pub(crate) file: Option<PathBuf>,

    /// Ask the query with this name; --list lists them
    #[arg(id = "query", long = "name", value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// List the queries that have names
    #[arg(long)]
    pub(crate) list: bool,

    /// The value of a parameter `$NAME` of the query: a number, true, false, null or a text (may be given
    /// several times)
    #[arg(long = "param", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub(crate) parameters: Vec<String>,

    #[command(flatten)]
    pub(crate) asking: DebugAsking,

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
}

impl Query {
    /// The system and the property, and what is left of the command line.
    pub(crate) fn target(&self) -> (DebugTarget<'_>, &[String]) {
        let given = self.asking.formula.is_some() || self.asking.inevitable.is_some();
        let (property, rest) = match self.rest.split_first() {
            Some((property, rest)) if !given => (Some(Path::new(property)), rest),
            _ => (None, &self.rest[..]),
        };
        let target = DebugTarget {
            model: self.model.as_deref().unwrap_or(Path::new("")),
            property,
            asking: &self.asking,
        };
        (target, rest)
    }
}

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum QueryFormat {
    Text,
    Json,
    Csv,
}
