//! The screen: counts first, then what fails and why, then the rest in a line each.

use crate::Report;
use crate::explore::Style;
use crate::hints::hints;
use crate::manner::Manner;
use crate::page::{PageExtent, findings as page, text, to_blame as blame_page};

/// How the screen looks and how much it shows.
#[derive(Clone, Copy)]
pub struct TextOptions<'a> {
    /// With colour.
    pub color: bool,
    /// With plain letters instead of lines and arrows.
    pub ascii: bool,
    /// How many columns there are.
    pub width: usize,
    /// All values at every step, and every run that is otherwise folded.
    pub full: bool,
    /// Tables also for properties that hold.
    pub all: bool,
    /// Instances of Alloy models as trees.
    pub tree: bool,
    /// Which variables to show, by name; `None`: all.
    pub vars: Option<&'a dyn Fn(&str) -> bool>,
    /// With commands to try next.
    pub hints: bool,
    /// Which view, how much of the reasons, in which direction, between which parts.
    pub manner: Manner<'a>,
}

impl Default for TextOptions<'_> {
    fn default() -> Self {
        Self {
            color: false,
            ascii: false,
            width: 80,
            full: false,
            all: false,
            tree: false,
            vars: None,
            hints: true,
            manner: Manner::default(),
        }
    }
}

impl TextOptions<'_> {
    /// How text looks.
    pub(crate) fn style(&self) -> Style {
        Style {
            color: self.color,
            ascii: self.ascii,
            width: self.width,
        }
    }
}

/// Everything there is to say about one model.
pub fn render(report: &Report<'_>, options: &TextOptions<'_>) -> String {
    text::render(
        &page::page(report, PageExtent::of_screen(options)),
        options.style(),
    )
}

/// What there is to say about the findings alone, without the name of the model and without advice.
pub fn findings(report: &Report<'_>, options: &TextOptions<'_>) -> String {
    let answers = page::answers(report, PageExtent::of_screen(options));
    text::answers(&answers, options.style())
}

/// The evidence of the findings alone, for a screen that has told the verdicts already.
pub fn evidence(report: &Report<'_>, options: &TextOptions<'_>) -> String {
    let blocks = page::evidence(report, PageExtent::of_screen(options));
    text::render_blocks(&blocks, options.style())
}

/// Everything that is known about who is to blame for failures; `mend`: of the mends of each failure only the one with this
/// number, from 1.
pub fn to_blame(report: &Report<'_>, mend: Option<usize>, style: Style) -> String {
    text::render(&blame_page::page(report, mend), style)
}

/// Commands that go on from what was found out.
pub fn hints_of(report: &Report<'_>) -> Vec<String> {
    let hints = hints(report, false, false).into_iter();
    hints.map(|(command, _)| command).collect()
}
