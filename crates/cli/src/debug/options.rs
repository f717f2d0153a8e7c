//! The command line of `wherefore debug`.

use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use wherefore_driver::Engine;
use wherefore_driver::debug::smv::Naming;
use wherefore_driver::smv::SmvDialect;
use wherefore_driver::tagged::TagReading;

use crate::args::{Effort, Format, Screen, format, seconds};
use crate::exit;

/// How a system is debugged.
#[derive(Debug, Default, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Debug {
    /// The system: a file in AUT format, perhaps compressed (.gz, .zst), or an SMV model
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// The property: a file with an MCL formula, or the name of a property of the SMV model
    #[arg(
        value_name = "PROP",
        required_unless_present_any = ["formula", "inevitable"],
        conflicts_with_all = ["formula", "inevitable"]
    )]
    pub(crate) property: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) which: WhichRun,

    #[command(flatten)]
    pub(crate) asking: DebugAsking,

    /// Also write the tagged graph to this file; the end of its name says how: .autx, .aut, .dot,
    /// .graphml, .csv (two tables), .cypher or memgraph.cypher (may be given several times)
    #[arg(long, value_name = "F")]
    pub(crate) export: Vec<PathBuf>,

    /// What to print: text, json or md
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    pub(crate) format: Format,

    /// Also write the JSON document to this file
    #[arg(long, value_name = "F")]
    pub(crate) json: Option<PathBuf>,

    /// Say how long it took
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print nothing but errors; the exit code tells the verdict
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Which property of which system is meant, and how far one may go for it.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct DebugAsking {
    /// Of several properties in the file, take this one
    #[arg(
        short = 'p',
        long = "property",
        value_name = "NAME",
        conflicts_with_all = ["formula", "inevitable"]
    )]
    pub(crate) name: Option<String>,

    /// Take this formula instead of a file
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "FORMULA",
        allow_hyphen_values = true,
        conflicts_with = "inevitable"
    )]
    pub(crate) formula: Option<String>,

    /// Ask whether every run performs these actions in this order, perhaps with others in between:
    /// labels, separated by commas
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    pub(crate) inevitable: Option<String>,

    /// When is a step bad? branching: nothing good can follow any more; fate: every run breaks the
    /// property [default: branching where there is a good step, otherwise fate]
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub(crate) reading: Option<ReadingKind>,

    /// The label of internal steps, besides i and tau (may be given several times)
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) internal: Vec<String>,

    /// What names the steps of an SMV model: inputs, changes, both or variable=NAME [default: inputs
    /// if it has some, and changes where they leave a choice]
    #[arg(
        long,
        value_name = "HOW",
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) actions: Naming,

    /// How far the states of an SMV model are listed: auto (up to 100000 of them) or explicit (as far
    /// as memory allows)
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub(crate) engine: Engine,

    /// Make the system smaller first: tau-a, strong or weak-trace
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub(crate) reduce: Option<ReduceKind>,

    #[command(flatten)]
    pub(crate) limits: DebugLimits,

    #[command(flatten)]
    pub(crate) screen: Screen,
}

impl DebugAsking {
    /// How zones are read, if the user says so.
    pub(crate) fn reading(&self) -> Option<TagReading> {
        self.reading.map(|reading| match reading {
            ReadingKind::Branching => TagReading::Branching,
            ReadingKind::Fate => TagReading::Fate,
        })
    }
}

/// A system and what is asked about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DebugTarget<'a> {
    /// The file of the system.
    pub(crate) model: &'a Path,
    /// The file of the property, or its name in the model.
    pub(crate) property: Option<&'a Path>,
    /// The rest.
    pub(crate) asking: &'a DebugAsking,
}

impl Debug {
    /// The system and the property.
    pub(crate) fn target(&self) -> DebugTarget<'_> {
        DebugTarget {
            model: &self.model,
            property: self.property.as_deref(),
            asking: &self.asking,
        }
    }
}

/// What is shown of the tagged graph.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct WhichRun {
    /// Show a counterexample chosen at random instead of the shortest one
    #[arg(long, value_name = "SEED", conflicts_with_all = ["trace", "nearest"])]
    pub(crate) random: Option<u64>,

    /// Show the counterexample in this file: its labels, one on a line
    #[arg(long, value_name = "FILE", conflicts_with = "nearest")]
    pub(crate) trace: Option<PathBuf>,

    /// Show the shortest way to a neighbourhood
    #[arg(long)]
    pub(crate) nearest: bool,

    /// Look at neighbourhoods of this type only: cn, in, ci or cin (may be given several times)
    #[arg(long = "type", value_name = "TYPE", hide_possible_values = true)]
    pub(crate) kinds: Vec<KindName>,

    /// Take a run on which these actions happen in this order, with anything in between:
    /// "A ... B"
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) pattern: Option<String>,

    /// Show the neighbourhood at this state of the system with all its steps
    #[arg(long, value_name = "STATE", conflicts_with_all = ["random", "trace", "nearest", "pattern"])]
    pub(crate) neighbourhood: Option<usize>,

    /// List all groups of similar neighbourhoods
    #[arg(long, conflicts_with_all = ["random", "trace", "nearest", "pattern", "neighbourhood"])]
    pub(crate) neighbourhoods: bool,
}

/// How an SMV model is read, and how long it may take.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct DebugLimits {
    /// Which SMV the model is in: new, or old, in which 0 and 1 are truth values (before NuSMV 2.5)
    #[arg(long, value_name = "DIALECT", default_value = "new")]
    pub(crate) smv_dialect: SmvDialect,

    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,

    /// Stop when this many megabytes are in use [default: nine tenths of what is available]
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<usize>,

    /// Use this many threads [default: as many as the machine runs at once]; what is found does not
    /// depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
}

impl DebugLimits {
    /// The limits that all commands share.
    pub(crate) fn effort(&self) -> Effort {
        Effort {
            timeout: self.timeout,
            memory: self.memory,
            smv_dialect: self.smv_dialect,
            ..Effort::default()
        }
    }
}

/// A type of neighbourhood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum KindName {
    Cn,
    In,
    Ci,
    Cin,
}

/// What bad means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReadingKind {
    Branching,
    Fate,
}

/// A reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReduceKind {
    #[value(name = "tau-a")]
    TauA,
    Strong,
    WeakTrace,
}
