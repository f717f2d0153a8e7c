//! `wherefore convert`: labelled transition systems, composed, reduced, written; transition systems of Alloy
//! models as SMV.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use wherefore_driver::compose::{ComposeError, Composed, Composition};
use wherefore_driver::lts::aut::{self, AutDialect, Compression, ReadOptions};
use wherefore_driver::lts::compose::{
    LabelPattern, Net, PartId, Relabelling, Sync, Template, gate,
};
use wherefore_driver::lts::reduce::{Reduction, reduce};
use wherefore_driver::model::lts::Lts;
use wherefore_driver::registry::{self, FRONT_ENDS, front_end};
use wherefore_driver::smv;
use wherefore_driver::subject::require;
use wherefore_driver::subjects::alloy::Override;
use wherefore_driver::view::clean;
use wherefore_driver::view::export::{GraphFormat, LtsGraph};
use wherefore_driver::{Capability, Input, unsupported};

use crate::alloy::{AlloyReading, ReachOption, scope};
use crate::args::{self, Color, Effort};
use crate::exit::{self, Exit};
use crate::refusal::refused_file;
use crate::saved::{SavedDesk, at_desk};
use crate::terminal;

#[derive(Debug, Default, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Convert {
    /// The systems, as AUT files; or one composition file, whose name ends with .net; or an Alloy model of a
    /// transition system
    #[arg(value_name = "FILE", required_unless_present = "net")]
    files: Vec<PathBuf>,

    /// Write to this file instead of standard output; a name that ends with .gz or .zst is compressed
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Compose the systems: on these gates they all synchronise, or with GATE#2 any two at a time
    #[arg(long, value_name = "GATE,..", value_delimiter = ',', value_parser = sync)]
    sync: Vec<Sync>,

    /// Compose the systems: each goes its own way
    #[arg(long, conflicts_with = "sync")]
    interleave: bool,

    /// Compose systems as this file says, whatever its name
    #[arg(long, value_name = "NET", conflicts_with_all = ["files", "sync", "interleave"])]
    net: Option<PathBuf>,

    /// Rename labels, before any are hidden: RE is a regular expression for whole labels, $1 in NEW its
    /// first group (may be given several times; the first that matches counts)
    #[arg(long, value_name = "RE=NEW", value_parser = renaming)]
    rename: Vec<(LabelPattern, Template)>,

    /// Make the labels internal that this regular expression matches as a whole (may be given several
    /// times)
    #[arg(long, value_name = "RE", value_parser = LabelPattern::regex)]
    hide: Vec<LabelPattern>,

    /// Reduce the system: strong, tau-a or weak-trace
    #[arg(long, value_name = "HOW")]
    reduce: Option<Reduction>,

    /// Take this label as one of internal steps, besides `i` and `tau` (may be given several times)
    #[arg(long, value_name = "LABEL")]
    internal: Vec<String>,

    /// What to write: aut (for CADP), mcrl2 (AUT for mCRL2) or dot; smv for Alloy models [default: what the
    /// name of OUT says, or aut; smv for Alloy models]
    #[arg(
        long = "to",
        visible_alias = "format",
        value_name = "FORMAT",
        hide_possible_values = true
    )]
    format: Option<ConvertFormat>,

    /// Another scope than that of the first command of an Alloy model, as Book=4 or Book=exactly:5 (may be
    /// given several times)
    #[arg(long, value_name = "SIG=N", value_parser = scope)]
    scope: Vec<Override>,

    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = args::seconds)]
    timeout: Option<f64>,

    /// Stop when this many megabytes are in use [default: nine tenths of what is available]
    #[arg(long, value_name = "MB")]
    memory: Option<usize>,

    /// Use colour: auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    color: Color,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ConvertFormat {
    Aut,
    Mcrl2,
    Dot,
    Smv,
}

/// Refuses the first model that cannot be converted so.
fn fit(args: &Convert, wanted: Capability, desk: SavedDesk<'_>) -> Result<(), Exit> {
    for file in args.files.iter().filter(|file| !is_net(file)) {
        let mut input = Input::new(file);
        let front_end = front_end(&mut input);
        let (language, capabilities) = (front_end.language(), front_end.capabilities());
        // What no language claims is read as a system, and its reader says what is wrong with it.
        let takes_all = FRONT_ENDS
            .last()
            .is_some_and(|last| last.language() == language);
        let unknown = takes_all && !input.ends_with(front_end.endings());
        if unknown || capabilities.contains(&wanted) && wanted != Capability::Translate {
            continue;
        }
        // A model may be able to do less than others in its language.
        let refusal = match registry::open(input, desk.opening, desk.budget) {
            Ok(subject) => require(&*subject, wanted).err(),
            Err(_) if capabilities.contains(&wanted) => None,
            Err(_) => Some(unsupported(language, wanted, capabilities)),
        };
        if let Some(refusal) = refusal {
            let (text, exit) = refused_file(file, &refusal, "converted", desk.color);
            desk.screen.say(&text);
            return Err(exit);
        }
    }
    Ok(())
}

/// Converts and returns the exit code.
pub(crate) fn convert(args: &Convert) -> Exit {
    let effort = Effort {
        timeout: args.timeout,
        memory: args.memory,
        alloy: AlloyReading {
            reach: Some(ReachOption::Complete),
            scope: args.scope.clone(),
            ..AlloyReading::default()
        },
        ..Effort::default()
    };
    let looks = args::Screen {
        color: args.color,
        ..args::Screen::default()
    };
    at_desk(&effort, &looks, |desk| convert_at(args, desk))
}

fn convert_at(args: &Convert, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    if args.reduce.is_some() {
        fit(args, Capability::Compose, desk)?;
    }
    let mut files = args.files.iter();
    if let Some(file) = files.find(|file| registry::can(file, Capability::Translate)) {
        return alloy_to_smv(args, file, desk);
    }
    if !args.scope.is_empty() {
        return Err(desk.refuse("--scope is for Alloy models"));
    }
    let format = format_of(args, desk)?;
    let wanted = match format {
        ConvertFormat::Smv => Capability::Translate,
        _ => Capability::Compose,
    };
    fit(args, wanted, desk)?;
    let composition = composition(args, desk)?;
    let mut options = ReadOptions::default();
    options.internal.extend(args.internal.iter().cloned());
    let built = composition.build(&options, desk.budget);
    let Composed { mut lts, warnings } = built.map_err(|error| tell(desk, &error))?;
    if let Some(warnings) = warnings {
        desk.screen.say(&warnings.render(desk.color));
    }
    let done = match args.files.len() {
        1 if !is_net(&args.files[0]) => "read",
        _ => "composed",
    };
    desk.screen.say(&format!("{done}: {}", sizes(&lts)));
    if let Some(reduction) = args.reduce {
        let reduced = reduce(&lts, reduction, desk.budget);
        lts = reduced.map_err(|halt| tell(desk, &ComposeError::Halted(halt)))?;
        desk.screen
            .say(&format!("reduced ({reduction}): {}", sizes(&lts)));
    }
    // Nothing but the output is being waited for, and it may go to the same terminal.
    desk.budget.phase("");
    desk.screen.print("");
    finish(desk, put(args, |out| write_system(&lts, format, out)))
}

/// Writes the complete transition system of an Alloy model.
fn alloy_to_smv(args: &Convert, file: &Path, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    let other = args.net.is_some()
        || args.interleave
        || args.reduce.is_some()
        || !args.sync.is_empty()
        || !args.rename.is_empty()
        || !args.hide.is_empty()
        || !args.internal.is_empty();
    if args.files.len() > 1 || other {
        return Err(desk.refuse("an Alloy model is converted alone, to SMV, as it is"));
    }
    if args
        .format
        .is_some_and(|format| format != ConvertFormat::Smv)
    {
        return Err(desk.refuse("Alloy models are written as SMV; take --to smv"));
    }
    fit(args, Capability::Translate, desk)?;
    let session = desk.open(file)?;
    let model = session.model();
    let title = format!("The transition system of {}.", terminal::shown(file));
    let text = smv::write(model, &title).map_err(|why| desk.refuse(&clean(&why)))?;
    desk.screen.say(&format!(
        "read: {}, {}",
        counted(model.vars.len(), "variable"),
        counted(model.properties.len(), "property")
    ));
    desk.budget.phase("");
    desk.screen.print("");
    finish(desk, put(args, |out| out.write_all(text.as_bytes())))
}

/// The exit code, when something was written or could not be, which is told.
fn finish(desk: SavedDesk<'_>, written: Result<(), String>) -> Result<Exit, Exit> {
    written.map_err(|message| {
        desk.screen.say(&message);
        Exit::Usage
    })?;
    Ok(Exit::Good)
}

/// What is to be written.
fn format_of(args: &Convert, desk: SavedDesk<'_>) -> Result<ConvertFormat, Exit> {
    let output = args.output.as_deref().unwrap_or(Path::new(""));
    let ends = |ending: &str| {
        let found = output.extension().unwrap_or_default();
        found.eq_ignore_ascii_case(ending)
    };
    if ends("bcg") {
        let text = output.with_extension("aut");
        let (text, output) = (terminal::shown(&text), terminal::shown(output));
        return Err(desk.refuse(&format!(
            "only CADP writes BCG files; write {text} and then run `bcg_io {text} {output}`"
        )));
    }
    Ok(match args.format {
        Some(format) => format,
        None if ends("dot") || ends("gv") => ConvertFormat::Dot,
        None => ConvertFormat::Aut,
    })
}

/// What is to be composed, and what becomes of its labels.
fn composition(args: &Convert, desk: SavedDesk<'_>) -> Result<Composition, Exit> {
    let nets = args.files.iter().filter(|file| is_net(file)).count();
    let net = match (&args.net, &args.files[..]) {
        (Some(net), _) => Some(net),
        (None, [file]) if nets == 1 => Some(file),
        _ if nets > 0 => {
            return Err(desk.refuse("a composition file names its systems itself and stands alone"));
        }
        _ => None,
    };
    let mut composition = match net {
        Some(path) => {
            if args.interleave || !args.sync.is_empty() {
                return Err(desk.refuse("a composition file says itself how systems synchronise"));
            }
            Composition::open(path, desk.budget).map_err(|error| tell(desk, &error))?
        }
        None => Composition::of(side_by_side(args, desk)?),
    };
    let net = composition.net_mut();
    if let Some(mut root) = net.root() {
        if !args.rename.is_empty() {
            root = net.relabel(Relabelling::Rename(args.rename.clone()), root);
        }
        if !args.hide.is_empty() {
            let patterns = args.hide.clone();
            let all_but = false;
            net.relabel(Relabelling::Hide { patterns, all_but }, root);
        }
    }
    Ok(composition)
}

/// The files of the command line as branches.
fn side_by_side(args: &Convert, desk: SavedDesk<'_>) -> Result<Net, Exit> {
    let count = args.files.len();
    if count > 1 && args.sync.is_empty() && !args.interleave {
        return Err(desk.refuse(
            "say how the systems run together: on which gates they synchronise (--sync GATE,..), \
             or each its own way (--interleave)",
        ));
    }
    for (at, sync) in args.sync.iter().enumerate() {
        let name = clean(&sync.gate);
        if args.sync[..at].iter().any(|other| other.gate == sync.gate) {
            return Err(desk.refuse(&format!("the gate `{name}` is listed twice")));
        }
        if let Some(together) = sync.together.filter(|&together| together > count) {
            return Err(desk.refuse(&format!(
                "`{name}` needs {together} systems at a time, and there are {count}"
            )));
        }
    }
    let mut net = Net::default();
    let files = args.files.iter();
    let parts: Vec<PartId> = files.map(|file| net.file(file.to_string_lossy())).collect();
    if count > 1 {
        net.par(args.sync.clone(), parts);
    }
    Ok(net)
}

fn is_net(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ending.eq_ignore_ascii_case("net")
}

/// Says why there is no system, and returns the exit code.
fn tell(desk: SavedDesk<'_>, error: &ComposeError) -> Exit {
    match error {
        ComposeError::Unreadable(text) => desk.refuse(&clean(text)),
        ComposeError::Rejected(rejected) => desk.screen.reject(rejected, desk.color, Exit::Model),
        ComposeError::Halted(halt) => {
            let text = format!("error: the work is not finished, since {halt}");
            desk.screen.say(&text);
            Exit::Undecided
        }
    }
}

/// `7 states, 9 transitions, 5 labels`
fn sizes(lts: &Lts) -> String {
    format!(
        "{}, {}, {}",
        counted(lts.states(), "state"),
        counted(lts.transitions(), "transition"),
        counted(lts.labels().len(), "label")
    )
}

/// `1 state`, `7 states`, `2 properties`
fn counted(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// Writes something to where it is to go; the error is a message.
fn put(args: &Convert, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let Some(path) = &args.output else {
        let mut out = BufWriter::new(io::stdout().lock());
        return match write(&mut out).and_then(|()| out.flush()) {
            // A reader that went away is no error.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(format!("error: the system cannot be written: {error}")),
            Ok(()) => Ok(()),
        };
    };
    let compression = Compression::of_name(&path.to_string_lossy());
    let written = File::create(path).and_then(|file| {
        let mut out = compression.writer(BufWriter::new(file))?;
        write(&mut out)?;
        out.flush()?;
        out.finish()?.flush()
    });
    written.map_err(|error| {
        if error.kind() == io::ErrorKind::InvalidInput {
            // Nothing was written, and an empty file would be taken for a result.
            let _ = fs::remove_file(path);
        }
        let path = terminal::shown(path);
        format!(
            "error: {path} cannot be written: {}",
            clean(&error.to_string())
        )
    })
}

fn write_system(lts: &Lts, format: ConvertFormat, mut out: &mut dyn Write) -> io::Result<()> {
    match format {
        ConvertFormat::Aut => aut::write(lts, &mut out, AutDialect::Cadp),
        ConvertFormat::Mcrl2 => aut::write(lts, &mut out, AutDialect::Mcrl2),
        ConvertFormat::Dot => GraphFormat::Dot.write(&LtsGraph(lts), out),
        ConvertFormat::Smv => Err(io::ErrorKind::Unsupported.into()),
    }
}

fn sync(text: &str) -> Result<Sync, String> {
    let (name, together) = match text.split_once('#') {
        None => (text, None),
        Some((name, count)) => match count.trim().parse::<usize>() {
            Ok(count) if count >= 1 => (name, Some(count)),
            _ => return Err("after # there is a number of systems, 1 or more".to_string()),
        },
    };
    let name = name.trim();
    if name.is_empty() || gate(name) != name {
        return Err("a gate is the first word of labels".to_string());
    }
    Ok(Sync {
        gate: name.to_string(),
        together,
        span: None,
    })
}

fn renaming(text: &str) -> Result<(LabelPattern, Template), String> {
    let Some((pattern, new)) = text.split_once('=') else {
        return Err("write RE=NEW; in RE, [=] stands for a =".to_string());
    };
    let pattern = LabelPattern::regex(pattern)?;
    let template = Template::expanding(new, pattern.groups())?;
    Ok((pattern, template))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_may_say_how_many_meet() {
        let game = sync(" GAME #2").expect("it is one");
        assert_eq!((game.gate.as_str(), game.together), ("GAME", Some(2)));
        for wrong in ["", "#2", "GAME#0", "GAME#x", "GAME !1"] {
            assert!(sync(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn renamings_have_a_pattern_and_a_label() {
        let (pattern, template) = renaming("A (.*)=B $1").expect("it is one");
        let groups = pattern.captures("A x=y").expect("it matches");
        assert_eq!(template.fill(&groups), "B x=y");
        for wrong in ["A", "A(=B", "A=$1", "A=$"] {
            assert!(renaming(wrong).is_err(), "{wrong}");
        }
    }
}
