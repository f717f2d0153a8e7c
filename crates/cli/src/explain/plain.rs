//! The plain form: lines of standard input in, lines of text out.
//!
//! A guide on a thread of its own reads commands and answers them; the first thread watches time,
//! memory and the keyboard.

use std::io::{self, IsTerminal};

use wherefore_base::{Budget, Run};
use wherefore_driver::ModelSubject;
use wherefore_driver::evidence::{OccurrenceId, ProofId, Replay};
use wherefore_driver::explain::{
    Inquiry, Next, OpenedProof, Past, ProofScene, explain as open_proof,
};
use wherefore_driver::strategy::choices_file;
use wherefore_driver::view::explain::{ExplainedNode, Explainer};
use wherefore_driver::view::explore::Style;
use wherefore_driver::view::{Ink, VariableRole, markdown, print};

use super::command::{ExplainCommand, HELP};
use super::desk::{Backdrop, ProofDesk, Reply, Request, step};
use super::{holding, holds_on_every_run, is_silent, open, stopped, the_end};
use crate::args::{Explain, Format};
use crate::choosing;
use crate::exit::Exit;
use crate::explore::lines::{Line, read_input};
use crate::screen::{Screen, watched};
use crate::terminal;

/// So many obligations are listed after a change.
const LISTED: usize = 5;

/// Opens a model, follows the commands and returns the exit code.
///
/// When the guide does not stop in time, the process ends from here.
pub(super) fn explain(args: &Explain) -> Exit {
    watched(&args.effort, stopped, |budget, screen| {
        guide(args, budget, screen)
    })
}

fn guide(args: &Explain, budget: &Budget, screen: &Screen) -> Exit {
    if super::is_system(args) {
        return super::system::guide(args, budget, screen);
    }
    let color = terminal::error_color(args.screen.color);
    let (mut session, property, mut past) = match open(args, budget) {
        Ok(opened) => opened,
        Err((text, exit)) => {
            screen.say(&text);
            return exit;
        }
    };
    if !session.warnings().is_empty() {
        let warnings = session.rejected(session.warnings().to_vec());
        screen.say(&warnings.render(color));
    }
    let mut talk = ProofTalk {
        args,
        budget,
        screen,
        style: Style {
            color: terminal::color(args.screen.color),
            ascii: args.screen.ascii,
            width: args.screen.width.unwrap_or_else(terminal::width),
        },
        prompt: io::stdin().is_terminal() && io::stdout().is_terminal(),
        property,
        opened: false,
        broken: false,
        leaf: None,
        shown: None,
        step: OccurrenceId::new(0),
    };
    let outcome = open_proof(
        &mut session,
        property,
        args.effort.engine,
        budget,
        &mut |session, opened| talk.visit(session, opened, &mut past),
    );
    if talk.broken {
        return Exit::Internal;
    }
    if holds_on_every_run(&outcome, session.model(), property) {
        screen.print(&holding(args, &session, property, budget));
        return Exit::Good;
    }
    let (text, exit) = the_end(outcome, talk.opened, color);
    if !text.is_empty() {
        screen.say(&text);
    }
    exit
}

/// The talk with whoever gives the commands.
struct ProofTalk<'a> {
    args: &'a Explain,
    budget: &'a Budget,
    screen: &'a Screen,
    style: Style,
    prompt: bool,
    property: usize,
    opened: bool,
    /// Evidence failed its replay: a bug of ours.
    broken: bool,
    /// The obligation at hand.
    leaf: Option<ProofId>,
    /// The node that was shown last.
    shown: Option<ProofId>,
    /// The step that was looked at last.
    step: OccurrenceId,
}

impl ProofTalk<'_> {
    /// Follows commands until there are no more, or until the proof must be opened anew.
    fn visit(
        &mut self,
        session: &mut ModelSubject,
        opened: OpenedProof<'_>,
        past: &mut Past,
    ) -> Run<Next> {
        let inquiry = Inquiry::new(opened, past)?;
        let backdrop = Backdrop::new(session, self.property, inquiry.summary());
        let mut desk = ProofDesk {
            session,
            inquiry,
            property: self.property,
            budget: self.budget,
            reason: None,
        };
        let first = !std::mem::replace(&mut self.opened, true);
        if first && is_silent(self.args) {
            return self.everything(&mut desk, &backdrop);
        }
        let mut scene = desk.inquiry.scene()?;
        let said = desk.said();
        if !first {
            self.show_change(&backdrop, &scene, &said);
        } else if !said.is_empty() {
            self.say(&said);
        }
        let mut first = first;
        loop {
            self.budget.check()?;
            if first && self.prompt {
                self.open(&backdrop, &scene);
                first = false;
            }
            let line = self.screen.listen(|| {
                if self.prompt {
                    terminal::print("> ");
                }
                read_input()
            });
            if line == Line::End {
                if self.prompt {
                    terminal::print("\n");
                }
                return match first {
                    true => self.everything(&mut desk, &backdrop),
                    false => Ok(Next::Done),
                };
            }
            if std::mem::take(&mut first) {
                self.open(&backdrop, &scene);
            }
            let command = match line {
                // Lists of choices that were written begin with a line for others.
                Line::Text(line) if line.trim_start().starts_with('#') => continue,
                Line::Text(line) => ExplainCommand::parse(&line),
                _ => Err("the line is too long to be a command".to_string()),
            };
            let command = match command {
                Ok(ExplainCommand::Quit) => return Ok(Next::Done),
                Ok(command) => command,
                Err(wrong) => {
                    self.complain(&wrong);
                    continue;
                }
            };
            let Some(request) = self.follow(&command, &backdrop, &scene) else {
                continue;
            };
            match desk.answer(&request)? {
                Reply::Scene(new, said) => {
                    scene = *new;
                    self.shown = match request {
                        Request::Take(node, _) | Request::Expand(node) | Request::Next(node) => {
                            Some(node)
                        }
                        _ => None,
                    };
                    self.show_change(&backdrop, &scene, &said);
                }
                Reply::Ways(leaf, offers) => {
                    self.leaf = Some(leaf);
                    self.ways(&backdrop, &scene, &offers);
                }
                Reply::Reason(why) => {
                    self.print(&backdrop.explainer(&scene, self.style).why(&why));
                }
                Reply::Said(text) => self.say(&text),
                Reply::Wrong(text) => self.complain(&text),
                Reply::Again => return Ok(Next::Again),
            }
            if let Replay::Failed(why) = &scene.evidence.replay {
                self.screen
                    .say(&format!("internal error: the proof so far is wrong: {why}"));
                self.broken = true;
                return Ok(Next::Done);
            }
        }
    }

    /// Does what a command asks for, or says what the desk must be asked.
    fn follow(
        &mut self,
        command: &ExplainCommand,
        backdrop: &Backdrop,
        scene: &ProofScene,
    ) -> Option<Request> {
        let explainer = backdrop.explainer(scene, self.style);
        let first = scene.open.first().map(|open| open.number);
        let at_hand = self.leaf.or(first);
        let or_at_hand = |leaf: &Option<ProofId>| leaf.or(at_hand);
        let nothing = "nothing is open: everything is shown";
        let request = match command {
            ExplainCommand::Ways(leaf) => or_at_hand(leaf).map(Request::Ways),
            ExplainCommand::Take(way, leaf) => {
                or_at_hand(leaf).map(|leaf| Request::Take(leaf, *way))
            }
            ExplainCommand::Expand(leaf) => or_at_hand(leaf).map(Request::Expand),
            ExplainCommand::All => first.map(|_| Request::All),
            ExplainCommand::Next(node) => {
                let node = node.or(self.shown);
                if node.is_none() {
                    self.complain("say which claim to show another way, as `next #0`");
                    return None;
                }
                node.map(Request::Next)
            }
            ExplainCommand::Undo => Some(Request::Undo),
            ExplainCommand::Close(node) => Some(Request::Close(*node)),
            ExplainCommand::Strategy(name) if name.is_empty() => {
                self.say(&format!("strategy: {}", scene.tactic));
                return None;
            }
            ExplainCommand::Strategy(name) => Some(Request::Strategy(name.clone())),
            ExplainCommand::Eval(text) => {
                let values = scene.evidence.occurrences[self.step].values.clone();
                Some(Request::Evaluate(text.clone(), values))
            }
            ExplainCommand::Avoid(number) => {
                let at = self.look(scene, *number)?;
                let values = scene.evidence.occurrences[at].values.clone();
                Some(Request::Avoid(values))
            }
            ExplainCommand::Write(path) => {
                let beside = || choices_file(&self.args.file);
                Some(Request::Write(path.clone().unwrap_or_else(beside)))
            }
            ExplainCommand::Open => {
                let lines = self.obligations(&explainer, scene, usize::MAX);
                self.print(&lines);
                return None;
            }
            ExplainCommand::Run => {
                let lines = runs(&explainer);
                self.print(&lines);
                return None;
            }
            ExplainCommand::Proof => {
                self.print(&proof(&explainer, scene, None));
                return None;
            }
            ExplainCommand::Why(None) => Some(Request::Reason),
            ExplainCommand::Why(Some(number)) => {
                let at = self.look(scene, *number)?;
                self.print(&proof(&explainer, scene, Some(at)));
                return None;
            }
            ExplainCommand::Formula(number) => {
                let at = self.look(scene, number.unwrap_or(self.step.index()))?;
                self.print(&explainer.formula(at, None));
                return None;
            }
            ExplainCommand::State(number) => {
                let at = self.look(scene, number.unwrap_or(self.step.index()))?;
                self.print(&explainer.state(at));
                return None;
            }
            ExplainCommand::Help => {
                self.say(HELP);
                return None;
            }
            ExplainCommand::Quit => return None,
        };
        if request.is_none() {
            self.complain(nothing);
        }
        request
    }

    /// The step with a number, which is looked at from now on.
    fn look(&mut self, scene: &ProofScene, number: usize) -> Option<OccurrenceId> {
        let at = step(scene, number);
        match at {
            Some(at) => self.step = at,
            None => {
                let last = scene.evidence.occurrences.len() - 1;
                let last = format!("there is no step {number}; the last is {last}");
                self.complain(&last);
            }
        }
        at
    }

    /// Prints the whole explanation.
    fn everything(&mut self, desk: &mut ProofDesk<'_>, backdrop: &Backdrop) -> Run<Next> {
        desk.inquiry.grow()?;
        let scene = desk.inquiry.scene()?;
        let said = desk.said();
        if !said.is_empty() {
            self.screen.say(&said);
        }
        if let Replay::Failed(why) = &scene.evidence.replay {
            self.screen
                .say(&format!("internal error: the proof is wrong: {why}"));
            self.broken = true;
            return Ok(Next::Done);
        }
        let reason = desk.reason()?;
        match self.args.format {
            Some(Format::Json) => self.screen.print(&desk.document()?),
            Some(Format::Markdown) => {
                let findings = [desk.finding()?];
                let summary = desk.inquiry.summary();
                let report = desk.session.report(Some(summary), &findings);
                self.screen.print(&markdown::render(&report, false));
            }
            Some(Format::Text) | None => {
                let explainer = backdrop.explainer(&scene, self.style);
                let property = &backdrop.model().properties[self.property];
                let mut lines = explainer.heading(property, scene.holds);
                if let Some(reason) = &reason {
                    lines.extend(explainer.why(reason));
                    lines.push(Ink::default());
                }
                lines.extend(explainer.summary(scene.open.len()));
                lines.extend(explainer.wishes(&scene.wishes));
                lines.push(Ink::default());
                lines.extend(runs(&explainer));
                lines.push(Ink::default());
                lines.push(Ink::new(VariableRole::Strong, "proof"));
                lines.extend(proof(&explainer, &scene, None));
                self.print(&lines);
            }
        }
        Ok(Next::Done)
    }

    /// The first lines: the verdict and the claim.
    fn open(&mut self, backdrop: &Backdrop, scene: &ProofScene) {
        if let Some(hint) = choosing::hint(&self.args.file, &self.args.strategy) {
            self.screen.say(&hint);
        }
        let explainer = backdrop.explainer(scene, self.style);
        let property = &backdrop.model().properties[self.property];
        let mut lines = explainer.heading(property, scene.holds);
        lines.extend(self.obligations(&explainer, scene, LISTED));
        self.print(&lines);
    }

    /// What has become of the proof: the claim that was shown, and what is open.
    fn show_change(&mut self, backdrop: &Backdrop, scene: &ProofScene, said: &str) {
        self.leaf = None;
        self.step = self
            .step
            .min(OccurrenceId::new(scene.evidence.occurrences.len() - 1));
        let explainer = backdrop.explainer(scene, self.style);
        let shown = self
            .shown
            .and_then(|shown| Some((shown, scene.find(shown)?)));
        let mut lines = Vec::new();
        if let Some((number, node)) = shown {
            lines.extend(claim(&explainer, number, &explainer.node(node)));
            self.step = scene.evidence.proof[node].at;
        } else {
            self.shown = None;
        }
        lines.extend(said.lines().map(Ink::plain));
        lines.extend(self.obligations(&explainer, scene, LISTED));
        lines.extend(explainer.wishes(&scene.wishes));
        self.print(&lines);
    }

    fn obligations(&self, explainer: &Explainer<'_>, scene: &ProofScene, most: usize) -> Vec<Ink> {
        let mut lines = vec![match scene.open.len() {
            0 => Ink::plain(format!("everything is shown  {}", explainer.badge(0))),
            1 => Ink::plain("1 obligation is open:"),
            n => Ink::plain(format!("{n} obligations are open:")),
        }];
        for open in scene.open.iter().take(most) {
            let text = explainer.claim(open.claim, open.at, open.rank);
            lines.extend(claim(explainer, open.number, &text));
        }
        let more = scene.open.len().saturating_sub(most);
        if more > 0 {
            let text = format!("  and {more} more: `open` lists them");
            lines.push(Ink::new(VariableRole::Dim, text));
        }
        lines
    }

    fn ways(
        &self,
        backdrop: &Backdrop,
        scene: &ProofScene,
        offers: &[wherefore_driver::explain::Offer],
    ) {
        let explainer = backdrop.explainer(scene, self.style);
        let at = self.leaf.and_then(|leaf| scene.find(leaf));
        let at = at.map_or(OccurrenceId::new(0), |node| scene.evidence.proof[node].at);
        let lines = offers.iter().enumerate().map(|(number, offer)| {
            let text = explainer.way(at, &offer.way, offer.outlook);
            let head = format!("  {}: ", number + 1);
            let mark = match offer.way.planned && offers.len() > 1 {
                true => " (planned)",
                false => "",
            };
            Ink::new(VariableRole::Strong, head)
                .then(VariableRole::Plain, text)
                .then(VariableRole::Dim, mark)
        });
        self.print(&lines.collect::<Vec<_>>());
    }

    fn print(&self, lines: &[Ink]) {
        self.screen.print(&print(lines, self.style.color));
    }

    fn say(&self, text: &str) {
        self.screen.print(&format!("{}\n", text.trim_end()));
    }

    fn complain(&self, text: &str) {
        let text = text.trim_start_matches("error: ");
        self.say(&format!("error: {text}"));
    }
}

/// All runs, unfolded.
fn runs(explainer: &Explainer<'_>) -> Vec<Ink> {
    let mut lines = Vec::new();
    for line in explainer.run(&|_| true) {
        if matches!(line.about, ExplainedNode::Branch(_)) {
            lines.push(Ink::default());
        }
        lines.push(line.ink);
    }
    lines
}

/// The claims of the proof and why each is so, perhaps only those at a step.
fn proof(explainer: &Explainer<'_>, scene: &ProofScene, at: Option<OccurrenceId>) -> Vec<Ink> {
    let nodes = scene.evidence.proof.ids();
    let nodes = nodes.filter(|&node| at.is_none_or(|at| scene.evidence.proof[node].at == at));
    nodes
        .flat_map(|node| claim(explainer, scene.nodes[node], &explainer.node(node)))
        .collect()
}

/// `  #3 ` and what is claimed.
fn claim(explainer: &Explainer<'_>, number: ProofId, text: &str) -> Vec<Ink> {
    explainer.item(&format!("  #{} ", number.index()), text)
}
