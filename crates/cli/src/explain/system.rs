//! The proof of a property of a labelled transition system, claim by claim.

use std::io::{self, IsTerminal};
use std::path::Path;

use wherefore_base::Budget;
use wherefore_driver::evidence::Verdict;
use wherefore_driver::registry;
use wherefore_driver::view::lts::walk::SystemProof;
use wherefore_driver::view::lts::{json, markdown};
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::{Input, LtsSubject, Refusal};

use super::{Failure, is_silent, named, stopped};
use crate::args::{Explain, Format};
use crate::exit::Exit;
use crate::explore::lines::{Line, read_input};
use crate::refusal::{refused_file, refused_text};
use crate::screen::Screen;
use crate::terminal;

const HELP: &str = "\
Commands; N is the number of a claim:
  N      show claim N and the claims that it rests on
  all    show all claims
  help   list the commands
  quit   end, as the end of the input does
An empty line shows the next claim.
";

/// Explains a property of a system and returns the exit code.
pub(super) fn guide(args: &Explain, budget: &Budget, screen: &Screen) -> Exit {
    let (subject, property) = match open(args, budget) {
        Ok(opened) => opened,
        Err((text, exit)) => {
            screen.say(&text);
            return exit;
        }
    };
    let color = terminal::error_color(args.screen.color);
    if !subject.warnings().is_empty() {
        let warnings = subject.rejected(subject.warnings().to_vec());
        screen.say(&warnings.render(color));
    }
    let finding = match subject.proved(property, budget) {
        Ok(finding) => finding,
        Err(stop) => {
            screen.say(&stopped(stop));
            return Exit::Undecided;
        }
    };
    let report = subject.report(None, std::slice::from_ref(&finding));
    match args.format {
        Some(Format::Json) => {
            let document = CheckDocument::new(vec![json::model(&report)]);
            screen.print(&document.render());
            return Exit::Good;
        }
        Some(Format::Markdown) => {
            screen.print(&markdown::render(&report));
            return Exit::Good;
        }
        _ => {}
    }
    let style = terminal::style(&args.screen);
    let Some(proof) = SystemProof::of(report, &finding, style) else {
        let text = match finding.verdict {
            Verdict::Unknown(_) => "error: the property is undecided".to_string(),
            _ => "error: the evidence failed its replay, which is a bug".to_string(),
        };
        screen.say(&text);
        return match finding.verdict {
            Verdict::Unknown(_) => Exit::Undecided,
            _ => Exit::Internal,
        };
    };
    screen.print(&proof.opening());
    if is_silent(args) {
        screen.print(&all(&proof));
        return Exit::Good;
    }
    talk(&proof, screen);
    Exit::Good
}

/// Follows commands until there are no more.
fn talk(proof: &SystemProof<'_>, screen: &Screen) {
    let prompt = io::stdin().is_terminal() && io::stdout().is_terminal();
    screen.print(&proof.claim(0).unwrap_or_default());
    let told = proof.told();
    let after = |number: usize| told.iter().copied().find(|&claim| claim > number);
    let mut next = after(0);
    loop {
        let line = screen.listen(|| {
            if prompt {
                terminal::print("> ");
            }
            read_input()
        });
        let line = match line {
            Line::Text(line) => line,
            Line::TooLong => "?".to_string(),
            Line::End => return,
        };
        let text = match line.as_str() {
            "quit" | "q" => return,
            "help" | "h" => HELP.to_string(),
            "all" | "a" => all(proof),
            "" => {
                let text = next.and_then(|number| proof.claim(number));
                next = next.and_then(after);
                text.unwrap_or_else(|| "there are no more claims\n".to_string())
            }
            number => match number.trim_start_matches('#').parse::<usize>() {
                Ok(number) if number < proof.claims() => {
                    next = after(number);
                    let mut text = proof.claim(number).unwrap_or_default();
                    let premises = proof.premises(number).into_iter();
                    text.extend(premises.filter_map(|premise| proof.claim(premise)));
                    text
                }
                Ok(number) => format!(
                    "error: there is no claim {number}; the last is {}\n",
                    proof.claims() - 1
                ),
                Err(_) => "error: there is no such command; `help` lists them\n".to_string(),
            },
        };
        screen.print(&text);
    }
}

fn all(proof: &SystemProof<'_>) -> String {
    let claims = proof.told().into_iter();
    claims.filter_map(|number| proof.claim(number)).collect()
}

/// Reads the system with its properties, and finds the one that is meant.
fn open(args: &Explain, budget: &Budget) -> Result<(LtsSubject, usize), Failure> {
    budget.phase("reading the model");
    let color = terminal::error_color(args.screen.color);
    let refused = |refusal: Refusal| refused_file(&args.file, &refusal, "explained", color);
    let mut input = Input::new(&args.file);
    let file = args.property.as_ref().filter(|name| is_mcl(name));
    input.properties.extend(file.map(Into::into));
    let subject = registry::open(input, &args.effort.opening(), budget).map_err(refused)?;
    let subject = subject.downcast::<LtsSubject>();
    let mut subject = subject.map_err(|_| ("error: this is no system".to_string(), Exit::Model))?;
    if !args.strategy.is_empty() {
        let text = "error: the proof of a system is the shortest; `wherefore check --strategy` shows others";
        return Err((text.to_string(), Exit::Usage));
    }
    if let Some(formula) = &args.formula {
        let added = subject.add_formula(formula);
        added.map_err(|rejected| {
            let refusal = Refusal::Rejected(rejected);
            (refused_text(&refusal, color).0, Exit::Usage)
        })?;
    }
    let names = subject.properties().iter().map(|p| p.name.clone());
    let names: Vec<String> = names.collect();
    let wanted = match file {
        Some(_) => args.name.as_ref(),
        None => args.property.as_ref(),
    };
    let property = named(args.formula.is_some(), wanted, &names);
    let property = property.map_err(|text| (text, Exit::Usage))?;
    Ok((subject, property))
}

fn is_mcl(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "mcl")
}
