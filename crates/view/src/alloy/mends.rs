//! Who is to blame for a command that is not as expected.

use wherefore_alloy::answer::AlloyAnswer;
use wherefore_evidence::{Blame, Mend, Suspect, SuspectRole};
use wherefore_wire::SuspectDoc;

use super::AlloyReport;
use crate::json::suspect_doc;
use crate::page::PageBlock;
use crate::page::to_blame::{self as page, BlameWords};
use crate::sentences::{Sentence, to_blame};
use crate::words::clean;

/// So many lines say who is to blame, unless somebody asks for all.
const LINES: usize = 3;
/// So many of the places that an instance may hinge on are told with what stands there.
const PLACES: usize = 8;

impl AlloyReport<'_> {
    /// The lines that say who is to blame for a command, and what they are called; none if nobody found a change that
    /// mends it and costs nothing. With `all`, changes that cost something are told as well.
    pub(crate) fn to_blame(
        self,
        answer: &AlloyAnswer,
        all: bool,
    ) -> Option<(Sentence, Vec<Sentence>)> {
        let blame = answer.blame.as_ref()?;
        let mends = blame.mends();
        let told = mends.filter(|(suspect, _)| all || suspect.role == SuspectRole::Mends);
        let lines: Vec<Sentence> = told
            .take(if all { usize::MAX } else { LINES })
            .map(|(_, mend)| self.mended(mend))
            .collect();
        let name = clean(&self.command(answer).label).to_string();
        let title = say!("To blame for `{}`:", name);
        (!lines.is_empty()).then_some((title, lines))
    }

    /// Everything that is known about who is to blame for a command; `only`: of the mends the one with this number, from 1.
    pub(crate) fn all_to_blame(
        &self,
        answer: &AlloyAnswer,
        blame: &Blame,
        only: Option<usize>,
    ) -> Vec<PageBlock> {
        let mends = blame.mends().next().is_some();
        let nothing = say!("no change that was tried mends the command");
        let rest =
            Some(self.further_places(answer, blame)).filter(|(_, places)| !places.is_empty());
        let told = BlameWords {
            sources: self.sources,
            mended: &|mend| self.mended(mend),
            rest,
            others: if mends { vec![] } else { vec![nothing] },
            search: to_blame::tried(blame, self.why_excluded(answer)),
        };
        page::all(blame, told, only)
    }

    /// The formulas and declarations that the instances of a command may hinge on, where no change mends it, the likeliest first.
    fn further_places(&self, answer: &AlloyAnswer, blame: &Blame) -> (Sentence, Vec<Sentence>) {
        let title = say!(
            "What else the {} may hinge on, the likeliest first; no change that was tried there mends the command:",
            self.shown_instance(answer)
        );
        let place = |suspect: &Suspect| {
            say!(
                "line {}: {}",
                self.sources.place(suspect.span).line.to_string(),
                to_blame::quoted_place(self.sources, suspect.span)
            )
        };
        let rest = blame
            .suspects
            .iter()
            .filter(|suspect| suspect.mend.is_none());
        let mut told: Vec<Sentence> = rest.clone().take(PLACES).map(place).collect();
        let more: Vec<String> = rest
            .skip(PLACES)
            .map(|suspect| self.sources.place(suspect.span).line.to_string())
            .collect();
        if let Some(lines) = to_blame::listed_lines(&more) {
            told.push(say!("then {}", lines));
        }
        (title, told)
    }

    /// What an instance of the command is called.
    fn shown_instance(&self, answer: &AlloyAnswer) -> &'static str {
        match self.command(answer).check {
            true => "counterexample",
            false => "instance",
        }
    }

    /// Why changes were left out.
    fn why_excluded(&self, answer: &AlloyAnswer) -> &'static str {
        match (answer.satisfiable(), self.command(answer).check) {
            (Some(true), true) => "a counterexample stays one whatever stands at their places",
            (Some(true), false) => "an instance stays one whatever stands at their places",
            _ => "neither the command nor a fact uses their places",
        }
    }

    /// ``line 9: `n in n.next` → `n in n.^next` [2 of 2 commands as expected]``
    fn mended(&self, mend: &Mend) -> Sentence {
        let (before, after) = to_blame::before_and_after(self.sources, &mend.change);
        let line = self.sources.place(mend.change.span).line.to_string();
        let broken = mend.breaks.iter().map(|&command| {
            let label = clean(&self.model.commands[command].label);
            format!("`{label}`")
        });
        let broken: Vec<String> = broken.collect();
        let mut cost = match broken.is_empty() {
            true => String::new(),
            false => format!("; {} no longer", broken.join(", ")),
        };
        let open = self.model.commands.len().saturating_sub(mend.of);
        if open > 0 {
            cost.push_str(&format!("; {open} not decided"));
        }
        let becomes = match after.is_empty() {
            true => "left out".to_string(),
            false => format!("→ `{after}`"),
        };
        say!(
            "line {}: `{}` {} [{} of {} commands as expected{}]",
            line,
            before,
            becomes,
            mend.holds.to_string(),
            mend.of.to_string(),
            cost
        )
    }

    /// The places that may be to blame for a command, the likeliest first.
    pub(super) fn suspects(&self, answer: &AlloyAnswer) -> Vec<SuspectDoc> {
        let suspects = answer.blame.iter().flat_map(|blame| &blame.suspects);
        let shown = self.shown_instance(answer);
        suspects
            .map(|suspect| self.suspect(suspect, shown))
            .collect()
    }

    fn suspect(&self, suspect: &Suspect, shown: &str) -> SuspectDoc {
        let why = match &suspect.mend {
            Some(mend) => self.mended(mend),
            None => say!(
                "The {} may hinge on what stands here, and no change that was tried here mends the command.",
                shown
            ),
        };
        let name = |command: usize| self.model.commands[command].label.clone();
        suspect_doc(self.sources, suspect, &why, &name)
    }
}
