//! Runs that show the answers to commands of Alloy models, and instances where these say more.

use wherefore_driver::alloy::{Excerpt, Form, NoExcerpt};
use wherefore_driver::view::{alloy, text};

use super::Collected;
use crate::alloy as commands;
use crate::args::Format;

impl Collected<'_> {
    /// Takes the part of a system that shows the answer to a command, or why there is none, and prints it; the
    /// instance only where it says more.
    pub(super) fn tell_excerpt(&mut self, at: usize, excerpt: Result<Excerpt, NoExcerpt>) {
        self.progress.clear();
        let (why, part, whole) = match &excerpt {
            Ok(part) => (None, true, part.form == Form::Whole),
            Err(none) => (none.sentence(), false, false),
        };
        self.files[at].excerpts.extend(excerpt.ok());
        let Some(session) = self.files[at].alloy().cloned() else {
            return;
        };
        if self.check.format != Format::Text {
            return;
        }
        let wanted = |name: &str| {
            let vars = self.check.vars.as_ref();
            vars.is_none_or(|regex| regex.is_match(name))
        };
        let options = text::Options {
            all: true,
            vars: Some(&wanted),
            manner: self.files[at].conditions.manner(&self.check.telling),
            ..self.screen()
        };
        let shown = self.files[at].excerpts.last().map(Excerpt::shown);
        let shown = shown.filter(|shown| part && shown.has_evidence());
        let shown = shown.map(|part| {
            let report = commands::report(&session, &[], None);
            alloy::text::excerpt(&report, &part, &options)
        });
        if let Some(shown) = &shown {
            self.print(&format!("{}\n\n", shown.trim_end()));
        }
        if whole || shown.is_none() || self.wants_instances() {
            self.show_instances(at);
        }
        self.files[at].unshown = None;
        if let Some(why) = why {
            self.print(&format!("{why}\n\n"));
        }
    }

    /// Whether somebody asks for more of instances than that there is one.
    pub(super) fn wants_instances(&self) -> bool {
        let alloying = &self.check.alloying;
        let several = alloying.instances.is_some() || self.check.several.count > 1;
        let valued = !alloying.evaluate.is_empty() || !self.check.formulas.is_empty();
        self.check.full || alloying.tree || several || valued
    }

    /// Prints instances that nobody needs to wait for any longer.
    pub(super) fn show_instances(&mut self, at: usize) {
        let session = self.files[at].alloy().cloned();
        if let (Some(session), Some(answer)) = (session, self.files[at].unshown.take()) {
            let report = commands::report(&session, &[], None);
            let shown = alloy::text::instances(&report, &answer, &self.screen());
            self.print(&format!("{shown}\n"));
        }
    }
}
