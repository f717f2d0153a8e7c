//! Values of options: their names on the command line, and what is wrong with others.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;
use regex_lite::Regex;
use wherefore_driver::view::{View, WhyStyle, export};

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

/// Variables, by name or by a regular expression for whole names.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// What the user wrote.
    pub(crate) text: String,
    pattern: Regex,
}

impl Environment {
    /// Whether a variable with this name is meant.
    pub(crate) fn means(&self, name: &str) -> bool {
        self.text == name || self.pattern.is_match(name)
    }
}

/// Which evidence is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum EvidenceKind {
    #[default]
    Auto,
    Abstract,
}

/// How a set is split where a claim can be shown in several ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum SplitKind {
    Left,
    Right,
    Simpler,
    #[default]
    Both,
}

/// How large a successor set is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum SuccessorsKind {
    #[default]
    All,
    One,
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

pub(crate) fn format(name: &str) -> Result<Format, String> {
    match name {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "md" => Ok(Format::Markdown),
        "html" => Err("html is not supported yet; take text, json or md".to_string()),
        _ => Err("take text, json or md".to_string()),
    }
}

pub(super) fn view(name: &str) -> Result<View, String> {
    match name {
        "trace" => Ok(View::Trace),
        "states" => Ok(View::States),
        "proof" => Ok(View::Proof),
        _ => Err("take trace, states or proof".to_string()),
    }
}

pub(super) fn why(name: &str) -> Result<WhyStyle, String> {
    match name {
        "rules" => Ok(WhyStyle::Rules),
        "reasons" => Ok(WhyStyle::Reasons),
        "english" => Ok(WhyStyle::English),
        "none" => Ok(WhyStyle::None),
        _ => Err("take rules, reasons, english or none".to_string()),
    }
}

pub(super) fn text_or_json(name: &str) -> Result<Format, String> {
    match name {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        _ => Err("take text or json".to_string()),
    }
}

pub(super) fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count >= 1 => Ok(count),
        _ => Err("give a number of runs, 1 or more".to_string()),
    }
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("give a number of seconds, as 10 or 0.5".to_string()),
    }
}

pub(super) fn environment(text: &str) -> Result<Environment, String> {
    Ok(Environment {
        text: text.to_string(),
        pattern: regex(&format!("^(?:{text})$"))?,
    })
}

/// A file for evidence, and the format that its name tells.
pub(crate) fn exported(name: &str) -> Result<(PathBuf, export::ExportFormat), String> {
    let format = export::ExportFormat::of_name(name).ok_or_else(|| {
        let endings = export::ExportFormat::ALL.map(export::ExportFormat::ending);
        format!("the name ends with none of {}", endings.join(", "))
    })?;
    Ok((PathBuf::from(name), format))
}

pub(super) fn regex(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| error.to_string())
}
