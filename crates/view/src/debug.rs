//! All counterexamples of a property at once: the screen, the page and the document of `debug`.
//!
//! A [`Story`] is what was found out and what of it is asked for. [`text`] tells it on the screen, in the
//! order of the method of Barbon, Leroy and Salaün (2019, section 4.4): how it stands with the property,
//! how many there are of what, one counterexample without the steps that decide nothing, and what to ask
//! next. [`markdown`] is the same for a page, and [`json`] for programs.

pub(crate) mod choices;
pub(crate) mod hints;
pub mod json;
pub(crate) mod rows;
pub(crate) mod values;

/// The screen of `debug`.
pub mod text {
    use super::Story;
    use crate::explore::Style;
    use crate::page::{tagged, text};

    /// Everything there is to say.
    pub fn render(story: &Story<'_>, style: Style) -> String {
        text::render(&tagged::page(story, false), style)
    }
}

/// The same for a page.
pub mod markdown {
    use super::Story;
    use crate::page::{markdown, tagged};

    /// The whole page.
    pub fn render(story: &Story<'_>) -> String {
        markdown::render(&tagged::page(story, true))
    }
}

use wherefore_model::lts::LabelId;
use wherefore_tagged::{Analysis, AnalysisOutlook, Course, NeighbourhoodKind, NodeId, Tagged};
use wherefore_wire::CourseName;

pub use values::Behind;

pub use crate::sentences::tagged::{
    NO_COUNTEREXAMPLE, no_neighbourhood_at, one_line, unfit_text, unmatched_text,
};

/// What was found out about the counterexamples of a property, and what of it is told.
#[derive(Clone, Debug)]
pub struct Story<'a> {
    /// The name the user knows the system by.
    pub path: &'a str,
    /// The name of its language, as `aut`.
    pub language: &'static str,
    /// What lies behind the system, where it was made from a model.
    pub behind: Option<Behind<'a>>,
    /// The property.
    pub asked: AskedProperty<'a>,
    /// What was found out.
    pub analysis: &'a Analysis<'a>,
    /// What is told besides the counts.
    pub shown: ShownGraph<'a>,
    /// Which types of neighbourhood are looked at; empty: all.
    pub kinds: &'a [NeighbourhoodKind],
    /// How long it took, when the user wants to know.
    pub seconds: Option<f64>,
}

/// The property that a [`Story`] is about.
#[derive(Clone, Copy, Debug)]
pub struct AskedProperty<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The formula as the user wrote it, on one line.
    pub text: &'a str,
    /// The file it stands in, where that is not the file of the model.
    pub path: Option<&'a str>,
    /// Line and column of the formula, from 1; `None`: it was given on the command line.
    pub place: Option<(usize, usize)>,
    /// How the command line asks for it: the words after the system.
    pub command: &'a [String],
}

/// What is told of a tagged graph besides the counts.
#[derive(Clone, Debug)]
pub enum ShownGraph<'a> {
    /// A course, without the steps that decide nothing.
    Course(Which, &'a Course),
    /// There is no such course; the sentence says why.
    Missing(String),
    /// One neighbourhood, or several at the same state, with all their steps.
    Neighbourhood(Vec<NodeId>),
    /// All groups of neighbourhoods.
    Groups,
}

/// Which course is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The shortest counterexample.
    Shortest,
    /// The shortest counterexample on which a pattern happens.
    Pattern,
    /// A random counterexample, with its seed.
    Random(u64),
    /// The counterexample that the user gave.
    Given,
    /// The shortest way to a neighbourhood.
    Nearest,
}

impl Which {
    /// The name used in documents.
    pub(crate) fn wire_name(self) -> CourseName {
        match self {
            Which::Shortest => CourseName::Shortest,
            Which::Pattern => CourseName::Pattern,
            Which::Random(_) => CourseName::Random,
            Which::Given => CourseName::Given,
            Which::Nearest => CourseName::Nearest,
        }
    }
}

impl<'a> Story<'a> {
    /// All counterexamples.
    pub(crate) fn graph(&self) -> &'a Tagged<'a> {
        &self.analysis.graph
    }

    /// Whether the property holds.
    pub(crate) fn holds(&self) -> bool {
        self.analysis.outlook == AnalysisOutlook::Holds
    }

    /// The labels that decide nothing: on no step that leaves a neighbourhood for good or bad.
    pub(crate) fn idle(&self) -> Vec<LabelId> {
        let deciding = &self.analysis.labels.deciding;
        let decides = |label: &LabelId| deciding.binary_search_by_key(label, |d| d.label).is_ok();
        let labels = self.graph().lts().labels().ids();
        labels.filter(|label| !decides(label)).collect()
    }

    /// Whether the neighbourhoods of a type are looked at.
    pub(crate) fn wants(&self, kind: NeighbourhoodKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Which steps of a course are kept; all, where it comes to no neighbourhood, and on the way to one.
    pub(crate) fn kept(&self, course: &Course) -> Vec<bool> {
        let kept = course.kept(self.graph(), |kind| self.wants(kind));
        let nearest = matches!(self.shown, ShownGraph::Course(Which::Nearest, _));
        match kept.contains(&true) && !nearest {
            true => kept,
            false => vec![true; kept.len()],
        }
    }
}
