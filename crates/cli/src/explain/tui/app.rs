//! The explorer as a value: keys change it, and it says what it wants.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use regex_lite::Regex;
use wherefore_base::Progress;
use wherefore_driver::evidence::{OccurrenceId, ProofId, Replay, Why};
use wherefore_driver::explain::{Offer, OpenObligation, ProofScene, Tactic};
use wherefore_driver::strategy::choices_file;
use wherefore_driver::view::explain::{ExplainedNode, RunLine};
use wherefore_driver::view::explore::Style;

use crate::explain::desk::{Backdrop, Reply, Request};

/// What the engine does when it may build the states of the model anew.
const STARTING: &str = "starting anew";
const CHANGING: &str = "changing the strategy";

/// What a key leads to, besides another screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing.
    Nothing,
    /// The engine is asked for something.
    Ask(Request),
    /// What the engine is doing is no longer wanted.
    Cancel,
    /// The end.
    Quit,
}

/// The part of the screen that keys move in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pane {
    Run,
    Claims,
}

/// A line of the list of claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// An obligation.
    Open(OpenObligation),
    /// A node of the evidence that is shown.
    Shown(ProofId),
}

/// What keys are for at present.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Normal,
    Help,
    /// Why the property holds is shown.
    Reason(Box<Why>),
    /// A strategy is picked.
    Menu(usize),
    /// A line is typed.
    Prompt(Purpose, String),
}

/// What a line is typed for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Filter,
    Evaluate,
    Write,
    /// The rest of the name of a strategy.
    Strategy(&'static str),
}

impl Purpose {
    /// What stands before the line.
    pub(super) fn label(&self) -> String {
        match self {
            Purpose::Filter => "show variables that match: ".to_string(),
            Purpose::Evaluate => "value here of: ".to_string(),
            Purpose::Write => "write evidence to: ".to_string(),
            Purpose::Strategy(name) => format!("{name}: "),
        }
    }
}

/// The explorer.
pub(super) struct App {
    pub(super) backdrop: Arc<Backdrop>,
    pub(super) style: Style,
    pub(super) scene: ProofScene,
    /// The ways of an obligation that were asked for.
    pub(super) offers: Option<(ProofId, Vec<Offer>)>,
    /// Whose ways are asked for, or cannot be told.
    asked: Option<ProofId>,
    pub(super) pane: Pane,
    pub(super) mode: Mode,
    /// The step whose truth is shown.
    pub(super) step: OccurrenceId,
    /// The selected line of the run.
    pub(super) spot: ExplainedNode,
    /// The selected claim.
    pub(super) cursor: usize,
    pub(super) unfolded: BTreeSet<usize>,
    pub(super) full: bool,
    pub(super) backward: bool,
    pub(super) filter: Option<Regex>,
    /// What is said until the next key.
    pub(super) message: Option<String>,
    /// What the engine is asked to do, in words.
    pub(super) busy: Option<&'static str>,
    pub(super) progress: Option<Progress>,
    /// The lines of the run and the width they were made for.
    pub(super) run: Option<(usize, Vec<RunLine>)>,
    pub(super) run_top: usize,
    pub(super) claims_top: usize,
}

impl App {
    /// The explorer of a proof.
    pub(super) fn new(backdrop: Arc<Backdrop>, scene: ProofScene, style: Style) -> Self {
        let mut app = Self {
            backdrop,
            style,
            scene,
            offers: None,
            asked: None,
            pane: Pane::Claims,
            mode: Mode::Normal,
            step: OccurrenceId::new(0),
            spot: ExplainedNode::Step(OccurrenceId::new(0)),
            cursor: 0,
            unfolded: BTreeSet::new(),
            full: false,
            backward: false,
            filter: None,
            message: None,
            busy: None,
            progress: None,
            run: None,
            run_top: 0,
            claims_top: 0,
        };
        app.refresh();
        app
    }

    /// The proof was opened anew.
    pub(super) fn reopen(&mut self, backdrop: Arc<Backdrop>, scene: ProofScene, said: String) {
        self.backdrop = backdrop;
        self.hear(Reply::Scene(Box::new(scene), said));
    }

    /// What the replay says of the evidence so far.
    pub(super) fn replay(&self) -> &Replay {
        &self.scene.evidence.replay
    }

    /// What the engine is doing.
    pub(super) fn set_progress(&mut self, progress: Option<Progress>) {
        self.progress = progress;
    }

    /// What is asked for in the background: the ways of the selected obligation.
    pub(super) fn wants(&mut self) -> Option<Request> {
        let Some(Entry::Open(open)) = self.entry() else {
            return None;
        };
        if self.busy.is_some() || self.asked == Some(open.number) {
            return None;
        }
        self.asked = Some(open.number);
        Some(Request::Ways(open.number))
    }

    /// Takes an answer.
    pub(super) fn hear(&mut self, reply: Reply) {
        match reply {
            Reply::Scene(scene, said) => {
                self.busy = None;
                self.scene = *scene;
                // What became of the wishes is said where a strategy has nothing to say.
                let explainer = self.backdrop.explainer(&self.scene, self.style);
                let wishes = explainer.wishes(&self.scene.wishes);
                let wishes = wishes.iter().map(|ink| ink.text().trim().to_string());
                let wishes = wishes.collect::<Vec<_>>().join(" ");
                let said = [said, wishes].into_iter().find(|said| !said.is_empty());
                self.message = said;
                self.offers = None;
                self.asked = None;
                self.cursor = 0;
                self.refresh();
            }
            Reply::Ways(leaf, offers) => self.offers = Some((leaf, offers)),
            Reply::Said(text) => {
                self.busy = None;
                self.message = Some(text);
            }
            Reply::Wrong(text) => {
                self.busy = None;
                let text = text.lines().next().unwrap_or_default();
                self.message = Some(text.trim_start_matches("error: ").to_string());
            }
            Reply::Reason(why) => {
                self.busy = None;
                self.mode = Mode::Reason(why);
            }
            Reply::Again => {}
        }
    }

    /// A request was cancelled.
    pub(super) fn cancelled(&mut self, request: Option<&Request>) {
        if matches!(request, Some(Request::Ways(_))) {
            self.asked = None;
            return;
        }
        self.busy = None;
        self.message = Some("cancelled; nothing has changed".to_string());
    }

    /// The claims in the list: what is open, then what is shown at the selected step.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let proof = &self.scene.evidence.proof;
        let here = proof
            .ids()
            .filter(|&node| proof[node].at == self.step && proof[node].rule.is_some());
        let open = self.scene.open.iter().copied().map(Entry::Open);
        open.chain(here.map(Entry::Shown)).collect()
    }

    /// The selected claim.
    pub(super) fn entry(&self) -> Option<Entry> {
        self.entries().get(self.cursor).copied()
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> Effect {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            return self.interrupt();
        }
        self.message = None;
        match self.mode.clone() {
            Mode::Normal if self.is_rebuilding() && key.code == KeyCode::Esc => {
                self.say("this cannot be cancelled; q quits")
            }
            Mode::Normal if self.busy.is_some() && key.code == KeyCode::Esc => Effect::Cancel,
            Mode::Normal => self.normal_key(key.code),
            Mode::Help | Mode::Reason(_) => {
                self.mode = Mode::Normal;
                Effect::Nothing
            }
            Mode::Menu(at) => self.menu_key(at, key.code),
            Mode::Prompt(purpose, text) if !control => self.prompt_key(purpose, text, key.code),
            Mode::Prompt(..) => Effect::Nothing,
        }
    }

    /// Ctrl-C: ends what is being done, or everything.
    fn interrupt(&mut self) -> Effect {
        match (&self.mode, self.busy) {
            (_, Some(_)) if self.is_rebuilding() => Effect::Quit,
            (_, Some(_)) => Effect::Cancel,
            (Mode::Normal, None) => Effect::Quit,
            _ => {
                self.mode = Mode::Normal;
                Effect::Nothing
            }
        }
    }

    /// Whether the states of the model may be built anew, which leaves nothing to go back to meanwhile.
    fn is_rebuilding(&self) -> bool {
        self.busy == Some(STARTING) || self.busy == Some(CHANGING)
    }

    fn normal_key(&mut self, code: KeyCode) -> Effect {
        match code {
            KeyCode::Char('q') => return Effect::Quit,
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Up | KeyCode::Char('k') => self.move_by(-1),
            KeyCode::Down | KeyCode::Char('j') => self.move_by(1),
            KeyCode::PageUp => self.move_by(-10),
            KeyCode::PageDown => self.move_by(10),
            KeyCode::Home => self.move_by(isize::MIN),
            KeyCode::End => self.move_by(isize::MAX),
            KeyCode::Tab | KeyCode::BackTab => {
                self.pane = match self.pane {
                    Pane::Run => Pane::Claims,
                    Pane::Claims => Pane::Run,
                }
            }
            KeyCode::Right | KeyCode::Enter | KeyCode::Char('l') => return self.expand(),
            KeyCode::Left | KeyCode::Char('h') => return self.collapse(),
            KeyCode::Char(digit @ '1'..='9') => return self.take(digit as usize - '1' as usize),
            KeyCode::Char('n') => return self.next(),
            KeyCode::Char('y') => return self.ask("looking for a reason", Request::Reason),
            KeyCode::Char('u') => return self.ask("undoing", Request::Undo),
            KeyCode::Char('x') if self.scene.open.is_empty() => {
                self.say("everything is shown");
            }
            KeyCode::Char('x') => return self.ask("showing everything", Request::All),
            KeyCode::Char('s') => self.mode = Mode::Menu(0),
            KeyCode::Char('a') => {
                let values = self.scene.evidence.occurrences[self.step].values.clone();
                return self.ask(STARTING, Request::Avoid(values));
            }
            KeyCode::Char('b') => {
                self.backward = !self.backward;
                self.run = None;
            }
            KeyCode::Char('d') => {
                self.full = !self.full;
                self.run = None;
            }
            KeyCode::Char('/') => self.mode = Mode::Prompt(Purpose::Filter, String::new()),
            KeyCode::Char('e') => self.mode = Mode::Prompt(Purpose::Evaluate, String::new()),
            KeyCode::Char('w') => {
                let beside = choices_file(Path::new(self.backdrop.path()));
                let name = beside.to_string_lossy().into_owned();
                self.mode = Mode::Prompt(Purpose::Write, name);
            }
            _ => {}
        }
        Effect::Nothing
    }

    fn menu_key(&mut self, at: usize, code: KeyCode) -> Effect {
        let last = Tactic::NAMES.len() - 1;
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.mode = Mode::Menu(at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.mode = Mode::Menu((at + 1).min(last)),
            KeyCode::Enter | KeyCode::Right => {
                let name = Tactic::NAMES[at];
                match name.split_once(' ') {
                    Some((name, _)) => {
                        let purpose = Purpose::Strategy(name);
                        self.mode = Mode::Prompt(purpose, String::new());
                    }
                    None => {
                        self.mode = Mode::Normal;
                        return self.ask(CHANGING, Request::Strategy(name.into()));
                    }
                }
            }
            KeyCode::Esc | KeyCode::Char('q' | 's') | KeyCode::Left => self.mode = Mode::Normal,
            _ => {}
        }
        Effect::Nothing
    }

    fn prompt_key(&mut self, purpose: Purpose, mut text: String, code: KeyCode) -> Effect {
        /// Longer lines are not typed.
        const LONGEST: usize = 1 << 12;
        match code {
            KeyCode::Esc => self.mode = Mode::Normal,
            KeyCode::Enter => {
                self.mode = Mode::Normal;
                return self.typed(&purpose, text.trim());
            }
            KeyCode::Backspace => {
                text.pop();
                self.mode = Mode::Prompt(purpose, text);
            }
            KeyCode::Char(c) if text.len() < LONGEST && !c.is_control() => {
                text.push(c);
                self.mode = Mode::Prompt(purpose, text);
            }
            _ => {}
        }
        Effect::Nothing
    }

    /// A line was typed.
    fn typed(&mut self, purpose: &Purpose, text: &str) -> Effect {
        match purpose {
            Purpose::Filter if text.is_empty() => {
                self.filter = None;
                self.run = None;
                Effect::Nothing
            }
            Purpose::Filter => {
                match Regex::new(text) {
                    Ok(regex) => {
                        self.filter = Some(regex);
                        self.run = None;
                    }
                    Err(error) => {
                        self.say(&format!("this is not a regular expression: {error}"));
                    }
                }
                Effect::Nothing
            }
            Purpose::Strategy(name) => {
                let request = Request::Strategy(format!("{name} {text}"));
                self.ask(CHANGING, request)
            }
            _ if text.is_empty() => Effect::Nothing,
            Purpose::Evaluate => {
                let values = self.scene.evidence.occurrences[self.step].values.clone();
                self.ask("evaluating", Request::Evaluate(text.to_string(), values))
            }
            Purpose::Write => self.ask("writing", Request::Write(PathBuf::from(text))),
        }
    }

    fn expand(&mut self) -> Effect {
        if self.pane == Pane::Run {
            if let ExplainedNode::Branch(branch) = self.spot {
                self.unfolded.insert(branch);
                self.run = None;
                return Effect::Nothing;
            }
            let here = self.scene.open.iter().find(|open| open.at == self.step);
            return match here.map(|open| open.number) {
                Some(leaf) => self.ask("expanding", Request::Expand(leaf)),
                None => self.say("nothing is open at this step"),
            };
        }
        match self.entry() {
            Some(Entry::Open(open)) => self.ask("expanding", Request::Expand(open.number)),
            Some(Entry::Shown(_)) => self.say("this is shown already; n shows it another way"),
            None => self.say("nothing is open: everything is shown"),
        }
    }

    fn collapse(&mut self) -> Effect {
        if let (Pane::Run, ExplainedNode::Branch(branch)) = (self.pane, self.spot) {
            self.unfolded.remove(&branch);
            self.run = None;
            return Effect::Nothing;
        }
        match self.shown_node() {
            Some(node) => self.ask("collapsing", Request::Close(node)),
            None => self.say("nothing is shown here"),
        }
    }

    fn take(&mut self, way: usize) -> Effect {
        match self.entry() {
            Some(Entry::Open(open)) => self.ask("expanding", Request::Take(open.number, way)),
            _ => self.say("select an obligation to take one of its ways"),
        }
    }

    fn next(&mut self) -> Effect {
        match self.shown_node() {
            Some(node) => self.ask("looking for another way", Request::Next(node)),
            None => self.say("nothing is shown here"),
        }
    }

    /// The lasting number of the node that is meant: the selected one if it is shown; for an
    /// obligation, the node that it is a premise of; in the run, the first that is shown at the step.
    fn shown_node(&self) -> Option<ProofId> {
        let proof = &self.scene.evidence.proof;
        let node = match (self.pane, self.entry()) {
            (Pane::Claims, Some(Entry::Shown(node))) => Some(node),
            (Pane::Claims, Some(Entry::Open(open))) => {
                let leaf = self.scene.find(open.number)?;
                proof.ids().find(|&id| proof[id].premises.contains(&leaf))
            }
            _ => {
                let here = |id: &ProofId| proof[*id].at == self.step && proof[*id].rule.is_some();
                proof.ids().find(here)
            }
        };
        node.map(|node| self.scene.nodes[node])
    }

    fn ask(&mut self, what: &'static str, request: Request) -> Effect {
        if let Some(busy) = self.busy {
            self.message = Some(format!("{busy} goes on; Esc cancels it"));
            return Effect::Nothing;
        }
        self.busy = Some(what);
        Effect::Ask(request)
    }

    fn say(&mut self, text: &str) -> Effect {
        self.message = Some(text.to_string());
        Effect::Nothing
    }

    fn move_by(&mut self, by: isize) {
        let moved = |at: usize, len: usize| {
            let last = len.saturating_sub(1) as isize;
            (at as isize).saturating_add(by).clamp(0, last) as usize
        };
        match self.pane {
            Pane::Claims => {
                self.cursor = moved(self.cursor, self.entries().len());
                if let Some(Entry::Open(open)) = self.entry() {
                    self.look_at(open.at);
                }
            }
            Pane::Run => {
                let spots = self.spots();
                let at = spots.iter().position(|spot| *spot == self.spot);
                let at = at.map_or(0, |at| moved(at, spots.len()));
                if let Some(&spot) = spots.get(at) {
                    self.spot = spot;
                }
                if let ExplainedNode::Step(step) = self.spot {
                    self.step = step;
                    // The list of claims shows those at the step.
                    self.cursor = self.scene.open.len();
                    if self.entries().len() == self.cursor {
                        let here = self.scene.open.iter().position(|open| open.at == step);
                        self.cursor = here.unwrap_or(0);
                    }
                }
            }
        }
    }

    /// The lines of the run that can be selected, each once.
    fn spots(&self) -> Vec<ExplainedNode> {
        let lines = self.run.iter().flat_map(|(_, lines)| lines);
        let mut spots: Vec<ExplainedNode> = Vec::new();
        for line in lines {
            if line.about != ExplainedNode::Nothing && !spots.contains(&line.about) {
                spots.push(line.about);
            }
        }
        spots
    }

    fn look_at(&mut self, step: OccurrenceId) {
        self.step = step;
        self.spot = ExplainedNode::Step(step);
    }

    /// Brings what is selected in line with the scene.
    fn refresh(&mut self) {
        self.run = None;
        let last = OccurrenceId::new(self.scene.evidence.occurrences.len() - 1);
        match self.scene.open.first() {
            Some(open) => self.look_at(open.at),
            None => self.look_at(self.step.min(last)),
        }
    }
}
