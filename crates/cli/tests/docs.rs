//! The documentation is true: its commands are run and print what the pages say, its links lead
//! somewhere, and it leaves nothing out.
//!
//! A block marked `console` holds commands after `$ ` and what they print. A block marked
//! `smv file=NAME` (or any other language) is a file; the commands below it on the page find it under
//! that name, next to the built-in examples and scripts. `UPDATE_DOCS=1 cargo test -p wherefore-cli --test all docs` writes the pages
//! anew; read the difference before you keep it.
//!
//! A block marked `console solver` needs the SMT solvers z3 and cvc5. It is left out, and that is told, where they are not
//! installed; with `CI=true` that is an error. Their versions, and who checked a proof in time, are not compared.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const WHEREFORE: &str = env!("CARGO_BIN_EXE_wherefore");
/// What `make demo` runs once everything is built.
const DEMO: &str = "wherefore demo elevator --force";
/// Stands for the lines of the build before it.
const BUILD: &str = "...";

#[test]
fn every_command_on_every_page_prints_what_the_page_says() {
    let mut complaints = String::new();
    for path in pages() {
        let text = read(&path);
        let folder = Folder::new(&path);
        let mut fresh = String::new();
        for part in parts(&text) {
            match &part {
                Part::Text(line) => writeln!(fresh, "{line}").expect("a string grows"),
                Part::Block { line, info, lines } => {
                    let place = format!("{}:{line}", shown(&path));
                    let now = folder.follow(info, lines, &place, &mut complaints);
                    writeln!(fresh, "```{info}\n{}\n```", now.join("\n")).expect("a string grows");
                }
            }
        }
        if std::env::var_os("UPDATE_DOCS").is_some() && fresh != text {
            fs::write(&path, fresh).expect("the page can be written");
        }
    }
    if std::env::var_os("UPDATE_DOCS").is_none() {
        assert!(
            complaints.is_empty(),
            "{complaints}\nUPDATE_DOCS=1 writes the pages anew."
        );
    }
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut broken = Vec::new();
    for path in pages() {
        let text = read(&path);
        for target in links(&text) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => path.clone(),
                file => path.parent().expect("a page is in a folder").join(file),
            };
            let found = file.exists() && (heading.is_empty() || has_heading(&file, heading));
            if !found {
                broken.push(format!("{}: {target}", shown(&path)));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn the_index_leads_to_every_page() {
    let index = read(&root().join("docs/README.md"));
    let linked: Vec<&str> = links(&index).collect();
    for path in files(&root().join("docs")) {
        let name = path.file_name().expect("a file has a name");
        let name = name.to_str().expect("the names of pages are plain");
        assert!(name == "README.md" || linked.contains(&name), "{name}");
    }
}

#[test]
fn the_guide_speaks_of_every_option() {
    let guide = read(&root().join("docs/guide.md"));
    let help = run("wherefore check --help", Path::new("."));
    let options = help.split_whitespace().filter(|word| {
        word.strip_prefix("--")
            .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    });
    let silent: Vec<&str> = options
        .filter(|option| *option != "--help" && !guide.contains(*option))
        .collect();
    assert_eq!(silent, Vec::<&str>::new());
}

#[test]
fn what_help_says_of_languages_names_commands_and_options_that_exist() {
    let help = run("wherefore --help", Path::new("."));
    let (_, languages) = help
        .split_once("what works for each:")
        .expect("help lists the languages");
    let (languages, _) = languages.split_once("Exit codes").expect("codes follow");
    let (mut command, mut options) = ("", 0);
    for word in languages.split_whitespace() {
        let word = word.trim_end_matches(',');
        match word {
            "check" | "open" | "explain" | "explore" | "debug" | "query" | "convert" => {
                command = word;
            }
            option if option.starts_with('-') => {
                let known = run(&format!("wherefore {command} --help"), Path::new("."));
                let known = known.split([' ', ',', '\n']).any(|word| word == option);
                assert!(known, "`{command}` has no option `{option}`");
                options += 1;
            }
            _ => {}
        }
    }
    assert!(options > 8, "options of {languages}");
}

#[test]
fn the_page_on_json_speaks_of_every_field_of_the_schema() {
    let page = read(&root().join("docs/json.md"));
    let schema = read(&root().join("docs/schema.json"));
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    // The parts of the documents of `check` and `debug`, from the whole on.
    let mut parts = vec!["CheckDocument".to_string()];
    let mut fields = BTreeSet::new();
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        let part = &schema["$defs"][part];
        let named = part["properties"].as_object().into_iter().flatten();
        fields.extend(named.map(|(field, _)| field.clone()));
        let text = part.to_string();
        for used in text.split("#/$defs/").skip(1) {
            let used = used.split('"').next().expect("a name").to_string();
            if !parts.contains(&used) {
                parts.push(used);
            }
        }
        at += 1;
    }
    assert!(fields.len() > 40, "the schema is read wrongly: {fields:?}");
    fields.retain(|field| !page.contains(&format!("`{field}`")));
    assert_eq!(fields, BTreeSet::new());
}

/// A piece of a page.
enum Part<'a> {
    Text(&'a str),
    Block {
        line: usize,
        info: &'a str,
        lines: Vec<&'a str>,
    },
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        parts.push(match line.strip_prefix("```") {
            None => Part::Text(line),
            Some(info) => Part::Block {
                line: at + 1,
                info,
                lines: lines
                    .by_ref()
                    .map(|(_, line)| line)
                    .take_while(|line| *line != "```")
                    .collect(),
            },
        });
    }
    parts
}

/// A folder in which the commands of one page run.
struct Folder(PathBuf);

impl Folder {
    fn new(page: &Path) -> Self {
        let name = shown(page).replace('/', "-");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("docs")
            .join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder can be made");
        let examples = root().join("examples");
        let folders = files(&examples).into_iter().filter(|path| path.is_dir());
        let inside = folders.flat_map(|folder| files(&folder));
        let all = files(&examples).into_iter().chain(inside);
        for example in all.filter(|path| path.is_file()) {
            let name = example.file_name().expect("a file has a name");
            fs::copy(&example, folder.join(name)).expect("an example can be copied");
        }
        Self(folder)
    }

    /// Does what a block says; the block as it should be.
    fn follow(
        &self,
        info: &str,
        lines: &[&str],
        place: &str,
        complaints: &mut String,
    ) -> Vec<String> {
        let mut now = Vec::new();
        let file = info.split_once(" file=").map(|(_, file)| file);
        if let Some(file) = file.filter(|_| info != "console") {
            let text = format!("{}\n", lines.join("\n"));
            fs::write(self.0.join(file), text).expect("a file can be written");
        }
        let solver = info == "console solver";
        if (info != "console" && !solver) || (solver && !has_solvers(place)) {
            return lines.iter().map(ToString::to_string).collect();
        }
        let starts_with_command = lines.first().is_some_and(|line| line.starts_with("$ "));
        assert!(
            starts_with_command,
            "{place}: a console block starts with `$ `"
        );
        for (command, said) in commands(lines) {
            let output = if command[0] == "$ make demo" {
                let _ = fs::remove_file(self.0.join("elevator.smv"));
                format!("{BUILD}\n{}", run(DEMO, &self.0))
            } else {
                let text = command.join("\n").replace("\n> ", "\n");
                run(text.trim_start_matches("$ "), &self.0)
            };
            let output: Vec<&str> = output.trim_end().lines().collect();
            let plain = |lines: &[&str]| {
                lines
                    .iter()
                    .map(|line| unversioned(line))
                    .collect::<Vec<_>>()
            };
            let differ = match solver {
                true => plain(&output) != plain(&said),
                false => output != said,
            };
            if differ {
                complain(complaints, place, command[0], &said, &output);
            }
            let kept = if differ { &output } else { &said };
            now.extend(command.iter().chain(kept).map(ToString::to_string));
        }
        now
    }
}

/// Whether the SMT solvers are there that a block needs.
fn has_solvers(place: &str) -> bool {
    let there = ["z3", "cvc5"]
        .iter()
        .all(|solver| Command::new(solver).arg("--version").output().is_ok());
    let must = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(there || !must, "{place} needs z3 and cvc5");
    if !there {
        let told = format!("\nLEFT OUT: {place} needs z3 and cvc5; apt-get install z3 cvc5\n");
        // Nobody is told if there is no terminal to tell it to.
        let _ = std::io::stderr().write_all(told.as_bytes());
    }
    there
}

/// A line without who checked a proof, which depends on the versions of the solvers and on the load of the machine.
fn unversioned(line: &str) -> String {
    let mut line = line.to_string();
    for begin in ["(checked by ", "(one solver, "] {
        if let Some(start) = line.find(begin)
            && let Some(length) = line[start..].find(')')
        {
            line.replace_range(start..start + length + 1, "(checked)");
        }
    }
    line
}

/// The commands of a console block, each with its continuation lines, and what they are said to
/// print. `make demo` prints a command itself, so everything after it is what it prints.
fn commands<'a>(lines: &[&'a str]) -> Vec<(Vec<&'a str>, Vec<&'a str>)> {
    let mut commands: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for &line in lines {
        let in_demo = commands
            .last()
            .is_some_and(|(command, _)| command[0] == "$ make demo");
        if line.starts_with("$ ") && !in_demo {
            commands.push((vec![line], Vec::new()));
        } else if let Some((command, said)) = commands.last_mut() {
            let goes_on = said.is_empty() && command.last().is_some_and(|c| c.ends_with('\\'));
            if goes_on { command } else { said }.push(line);
        }
    }
    commands
}

fn run(command: &str, folder: &Path) -> String {
    let bin = Path::new(WHEREFORE)
        .parent()
        .expect("a program is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    String::from_utf8(output.stdout).expect("the program prints UTF-8")
}

/// Says where two outputs part.
fn complain(complaints: &mut String, place: &str, command: &str, said: &[&str], now: &[&str]) {
    let same = said.iter().zip(now).take_while(|(a, b)| a == b).count();
    let (said, now) = (&said[same..], &now[same..]);
    let backwards = said.iter().rev().zip(now.iter().rev());
    let tail = backwards.take_while(|(a, b)| a == b).count();
    let mut text = format!("{place}: {command}\n");
    for line in &said[..said.len() - tail] {
        writeln!(text, "  the page says: {line}").expect("a string grows");
    }
    for line in &now[..now.len() - tail] {
        writeln!(text, "  it prints:     {line}").expect("a string grows");
    }
    complaints.push_str(&text);
}

/// The targets of the links of a page that are not addresses on the web.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.split("](").skip(1);
    let targets = starts.filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| !target.contains("://"))
}

/// Whether a page has a heading that a link names so.
fn has_heading(page: &Path, anchor: &str) -> bool {
    let text = read(page);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .any(|heading| {
            let kept = heading.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || "-_".contains(c) => Some(c),
                _ => None,
            });
            kept.eq(anchor.chars())
        })
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages for readers.
fn pages() -> Vec<PathBuf> {
    let top = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"];
    let top = top.into_iter().map(|name| root().join(name));
    let docs = files(&root().join("docs")).into_iter();
    top.chain(docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")))
        .collect()
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path of a page as a reader knows it.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.display().to_string()
}
