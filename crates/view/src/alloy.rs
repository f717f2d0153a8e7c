//! What was found out about the commands of an Alloy model.
//!
//! [`text`] is the screen, piece by piece, so that a verdict is read before it is known why; [`markdown`] is a
//! page and [`json`] a part of the one document. Instances are told as tables, traces as what changes from
//! state to state; atoms are named and tuples are written as Alloy does, so that they can be asked about.
//!
//! One [`ShownInstance`] alone can also be seen as a graph ([`dot`], [`svg`]) and as a tree ([`tree`]), and saved for the
//! Alloy visualizer and Sterling ([`xml`]) or in a document of its own ([`saved`]).

pub mod dot;
pub mod json;
pub mod retold;
pub mod saved;
pub mod svg;
pub mod tree;
pub mod xml;

pub(crate) mod graph;
mod instance;
mod layered;
mod mends;
mod opened;
pub(crate) mod picture;
pub(crate) mod steps;
pub(crate) mod words;

use wherefore_alloy::answer::AlloyAnswer;
use wherefore_alloy::model::{AlloyModel, Command};
use wherefore_alloy::reach::Advice;
use wherefore_base::SourceMap;
use wherefore_wire::ExcerptFormName;

pub use instance::ShownInstance;
pub use words::{role_text, value_text};

/// The screen, piece by piece: for each command its verdict, its instances or why there is none; then a line
/// about all.
pub mod text {
    use wherefore_alloy::answer::{AlloyAnswer, AnswerInstance};
    use wherefore_alloy::scene::Scene;

    use super::{AlloyReport, ExcerptReport};
    use crate::page::commands::CommandPage;
    use crate::page::{PageBlock, PageExtent, text, to_blame as blame_page, totals};
    pub use crate::text::TextOptions;

    fn builder<'a>(report: &AlloyReport<'a>, options: &TextOptions<'a>) -> CommandPage<'a> {
        CommandPage::new(*report, PageExtent::of_screen(options))
    }

    fn print(blocks: &[PageBlock], options: &TextOptions<'_>) -> String {
        text::render_blocks(blocks, options.style())
    }

    /// The verdict on a command, with its instances. It can be told before it is known why there is none.
    pub fn verdict(
        report: &AlloyReport<'_>,
        answer: &AlloyAnswer,
        options: &TextOptions<'_>,
    ) -> String {
        let builder = builder(report, options);
        let mut blocks = builder.head(answer);
        blocks.extend(builder.instances(answer));
        blocks.extend(builder.refusal(answer));
        print(&blocks, options)
    }

    /// The instances of a command, if it has any.
    pub fn instances(
        report: &AlloyReport<'_>,
        answer: &AlloyAnswer,
        options: &TextOptions<'_>,
    ) -> String {
        print(&builder(report, options).instances(answer), options)
    }

    /// The part of a transition system that shows the answer to a command: what it is, then its runs.
    pub fn excerpt(
        report: &AlloyReport<'_>,
        excerpt: &ExcerptReport<'_>,
        options: &TextOptions<'_>,
    ) -> String {
        print(&builder(report, options).excerpt(excerpt), options)
    }

    /// The verdict on a command alone.
    pub fn head(
        report: &AlloyReport<'_>,
        answer: &AlloyAnswer,
        options: &TextOptions<'_>,
    ) -> String {
        let builder = builder(report, options);
        let mut blocks = builder.head(answer);
        blocks.extend(builder.refusal(answer));
        print(&blocks, options)
    }

    /// What there is to add to the verdict once it is known: whether the facts can hold together, and why there
    /// is no instance.
    pub fn reasons(
        report: &AlloyReport<'_>,
        answer: &AlloyAnswer,
        options: &TextOptions<'_>,
    ) -> String {
        print(&builder(report, options).reasons(answer), options)
    }

    /// One instance of a command, as with its verdict; with a number if it has one.
    pub fn instance(
        report: &AlloyReport<'_>,
        command: usize,
        found: &AnswerInstance,
        number: Option<usize>,
        options: &TextOptions<'_>,
    ) -> String {
        let blocks = builder(report, options).instance(command, found, number);
        print(&blocks, options)
    }

    /// One state of an instance, everything in it.
    pub fn state(
        report: &AlloyReport<'_>,
        scene: &Scene,
        state: usize,
        options: &TextOptions<'_>,
    ) -> String {
        print(&builder(report, options).state(scene, state), options)
    }

    /// Who is to blame for a command that is not as expected; empty if nobody knows.
    pub fn to_blame(
        report: &AlloyReport<'_>,
        answer: &AlloyAnswer,
        options: &TextOptions<'_>,
    ) -> String {
        print(&builder(report, options).to_blame(answer), options)
    }

    /// Everything that is known about who is to blame for commands that are not as expected; `mend`: of the mends of each
    /// only the one with this number, from 1.
    pub fn all_to_blame(
        report: &AlloyReport<'_>,
        mend: Option<usize>,
        options: &TextOptions<'_>,
    ) -> String {
        let extent = PageExtent::of_screen(options);
        text::render(
            &blame_page::of_commands(report, mend, extent),
            options.style(),
        )
    }

    /// How many commands there are, and what came of them.
    pub fn total(report: &AlloyReport<'_>, options: &TextOptions<'_>) -> String {
        text::title(&totals::of_commands(report), options.style())
    }

    /// Advice on how the transition system of the model is written; empty if nobody asked.
    pub fn advice(report: &AlloyReport<'_>, options: &TextOptions<'_>) -> String {
        print(&builder(report, options).advice(), options)
    }

    /// Everything there is to say about one model.
    pub fn render(report: &AlloyReport<'_>, options: &TextOptions<'_>) -> String {
        let mut out = String::new();
        for answer in report.answers {
            out.push_str(&verdict(report, answer, options));
            out.push_str(&reasons(report, answer, options));
            if let Some(part) = report.excerpt(answer) {
                out.push_str(&excerpt(report, part, options));
            }
            out.push_str(&to_blame(report, answer, options));
            out.push('\n');
        }
        out.push_str(&advice(report, options));
        out.push_str(&total(report, options));
        out
    }
}

/// A report for a page: a table of verdicts, then the instances, and why there are none.
pub mod markdown {
    use super::AlloyReport;
    use crate::manner::Manner;
    use crate::page::{PageExtent, commands, markdown, to_blame as blame_page};

    /// The report about one model.
    pub fn render(report: &AlloyReport<'_>) -> String {
        markdown::render(&commands::document(report))
    }

    /// Everything that is known about who is to blame for commands that are not as expected; `mend`: of the mends of each
    /// only the one with this number, from 1.
    pub fn all_to_blame(report: &AlloyReport<'_>, mend: Option<usize>) -> String {
        let extent = PageExtent::of_document(false, Manner::default());
        markdown::render(&blame_page::of_commands(report, mend, extent))
    }
}

/// The end of the name of a file that is built in.
pub const BUILT_IN: &str = "(built in)";

/// An Alloy model with everything found out about it.
#[derive(Clone, Copy, Debug)]
pub struct AlloyReport<'a> {
    /// The name the user knows the model by.
    pub path: &'a str,
    /// The model.
    pub model: &'a AlloyModel,
    /// All source texts.
    pub sources: &'a SourceMap,
    /// What was found out, in the order of the commands.
    pub answers: &'a [AlloyAnswer],
    /// Parts of transition systems that show the answers to commands.
    pub excerpts: &'a [ExcerptReport<'a>],
    /// Advice on how the transition system of the model is written, if that was asked for.
    pub advice: Option<&'a [Advice]>,
    /// How long it took, when the user wants to know.
    pub seconds: Option<f64>,
}

/// A part of a transition system that shows the answer to a command.
///
/// It is a model of its own, and its evidence is told as that of every other model.
#[derive(Clone, Debug)]
pub struct ExcerptReport<'a> {
    /// The command, by its place.
    pub command: usize,
    /// The part with what was found out about it.
    pub report: crate::Report<'a>,
    /// What it looks like.
    pub form: ExcerptFormName,
    /// Whether its states and steps alone say what happens.
    pub determined: Option<bool>,
    /// Where they do not, trees that use exactly these steps, each with whether it shows the answer.
    pub trees: Vec<(String, bool)>,
    /// How many states it has.
    pub states: usize,
    /// How many steps it has.
    pub steps: usize,
    /// What it is, in sentences.
    pub sentences: Vec<String>,
}

impl ExcerptReport<'_> {
    /// Whether it says more than the instance does by itself.
    pub fn has_evidence(&self) -> bool {
        let mut findings = self.report.findings.iter();
        findings.any(|finding| finding.evidence.is_some() || finding.certificate.is_some())
    }
}

impl<'a> AlloyReport<'a> {
    /// The part of a system that shows an answer, if there is one.
    pub fn excerpt(&self, answer: &AlloyAnswer) -> Option<&'a ExcerptReport<'a>> {
        let mut excerpts = self.excerpts.iter();
        excerpts.find(|excerpt| excerpt.command == answer.command && excerpt.has_evidence())
    }

    /// The command that an answer is about.
    pub fn command(&self, answer: &AlloyAnswer) -> &'a Command {
        &self.model.commands[answer.command]
    }
}
