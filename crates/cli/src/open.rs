//! `wherefore open`: the explorer in the browser.
//!
//! The server is in a crate of its own; here it is started, its address told, a browser opened, and memory
//! and the keyboard watched until somebody ends it.

use std::env;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use wherefore_driver::{FRONT_ENDS, Input};
use wherefore_explorer::{Explorer, ModelFiles, Settings};

use crate::args::Effort;
use crate::exit::Exit;
use crate::models;
use crate::terminal;
use crate::watch::{limits, watch_memory};

/// How often memory and the keyboard are looked at.
const TICK: Duration = Duration::from_millis(40);

/// The endings of files that are no models; what has none of these or of a language is the name of a property.
const ENDINGS: [&str; 4] = [".mcl", ".gz", ".zst", ".bz2"];

#[derive(Debug, Parser)]
#[command(
    after_help = "The server listens on this machine only, and its address has a secret in it: whoever has the \
                  address can look at the models. Ctrl-C ends it."
)]
pub(crate) struct Open {
    /// The models; files of properties (.mcl) stand after the model they belong to, and last the name of the
    /// property to show first
    #[arg(required = true, value_name = "FILE|PROPERTY")]
    pub(crate) files: Vec<PathBuf>,

    /// Check this formula, too, and show it first
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "FORMULA",
        allow_hyphen_values = true
    )]
    pub(crate) formula: Option<String>,

    /// Print the address and open no browser
    #[arg(long)]
    pub(crate) no_browser: bool,

    /// Listen on this port; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,

    #[command(flatten)]
    pub(crate) effort: Effort,
}

/// Somebody wants it to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Serves until somebody ends it, and returns the exit code.
pub(crate) fn open(args: &Open) -> Exit {
    let settings = match settings(args) {
        Ok(settings) => settings,
        Err(message) => {
            terminal::error(&message);
            return Exit::Usage;
        }
    };
    for files in &settings.models {
        if let Some(missing) = missing(files) {
            let path = terminal::shown(&missing);
            terminal::error(&format!("error: {path}: the file cannot be read"));
            return Exit::Usage;
        }
    }
    // Without a handler Ctrl-C ends the process at once, which is good enough.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let explorer = match Explorer::start(settings) {
        Ok(explorer) => explorer,
        Err(error) => {
            terminal::error(&format!("error: {}", refusal(args.port, &error)));
            return Exit::Usage;
        }
    };
    let url = explorer.url();
    terminal::print(&format!(
        "The explorer is at\n\n  {url}\n\nCtrl-C ends it.\n"
    ));
    if !args.no_browser && !show(&url) {
        terminal::error("note: no browser could be started; open the address above in one");
    }
    let until = args.effort.timeout.map(Duration::from_secs_f64);
    let until = until.and_then(|time| Instant::now().checked_add(time));
    while !INTERRUPTED.load(Ordering::Relaxed) && until.is_none_or(|until| Instant::now() < until) {
        explorer.watch(&mut |budget| watch_memory(budget));
        thread::sleep(TICK);
    }
    drop(explorer);
    // Work that does not end in time ends with the process.
    std::process::exit(i32::from(Exit::Good.code()))
}

/// What is to be served; otherwise a message.
fn settings(args: &Open) -> Result<Settings, String> {
    let is_file = |path: &&PathBuf| {
        let input = Input::new(*path);
        let languages = FRONT_ENDS.iter().map(|front_end| front_end.endings());
        let mut endings = languages.chain([&ENDINGS[..]]);
        endings.any(|endings| input.ends_with(endings)) || path.is_file()
    };
    let (first, rest) = args.files.split_first().expect("one is required");
    let (files, names): (Vec<&PathBuf>, Vec<&PathBuf>) = rest.iter().partition(is_file);
    let name = match &names[..] {
        [] => None,
        [name] => Some(name.to_string_lossy().into_owned()),
        [_, name, ..] => {
            return Err(format!(
                "error: one property can be shown first; what is `{}`?",
                terminal::shown(name)
            ));
        }
    };
    let files: Vec<PathBuf> = [first].into_iter().chain(files).cloned().collect();
    let models = models::models(&files)?.into_iter().map(|files| ModelFiles {
        path: files.path,
        properties: files.properties,
    });
    let budget = limits(None, args.effort.memory);
    Ok(Settings {
        models: models.collect(),
        property: name.or_else(|| args.formula.as_ref().map(|_| "formula1".to_string())),
        formulas: args.formula.iter().cloned().collect(),
        opening: args.effort.opening(),
        engine: args.effort.engine,
        extent: args.effort.alloy.extent_alone(),
        port: args.port,
        memory: budget.memory(),
        command: command(),
    })
}

/// The first file of a model that is not there.
fn missing(files: &ModelFiles) -> Option<PathBuf> {
    let mut all = [&files.path].into_iter().chain(&files.properties);
    all.find(|path| !path.is_file()).cloned()
}

/// The command line, for the page.
pub(crate) fn command() -> String {
    let words = env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = ["wherefore".to_string()].into_iter().chain(words).collect();
    words.join(" ")
}

fn refusal(port: u16, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("port {port} is taken; --port 0 takes one that is free")
        }
        _ => format!("the server cannot be started: {error}"),
    }
}

/// Opens an address in the browser of the user; whether that could be tried.
fn show(url: &str) -> bool {
    let program = match env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(url);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().is_ok()
}
