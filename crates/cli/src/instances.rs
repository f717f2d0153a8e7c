//! Instances of Alloy models in files: which document, and where it goes.

use std::path::Path;

use wherefore_driver::subjects::alloy::{AlloySubject, AnswerInstance};
use wherefore_driver::view::alloy::{ShownInstance, dot, saved, svg, tree, xml};

/// A document about an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Document {
    /// A graph for Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// What the Alloy visualizer reads.
    Xml,
    /// Ours.
    Json,
    /// A tree of text.
    Tree,
}

impl Document {
    /// The document that a file with this name should have.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "dot" | "gv" => Document::Dot,
            "svg" => Document::Svg,
            "xml" => Document::Xml,
            "json" => Document::Json,
            "txt" => Document::Tree,
            _ => return None,
        })
    }

    /// The text of the document for an instance of a command.
    pub(crate) fn render(
        self,
        session: &AlloySubject,
        command: usize,
        found: &AnswerInstance,
    ) -> String {
        let instance = &ShownInstance {
            model: session.model(),
            command: &session.commands()[command],
            scene: &found.scene,
        };
        let path = session.sources().file(session.file()).name();
        match self {
            Document::Dot => dot::render(instance),
            Document::Svg => svg::render(instance),
            Document::Tree => tree::render(instance, false),
            Document::Json => saved::render(instance, path),
            Document::Xml => {
                let named = |name: &str| session.whole_name(name);
                xml::with_sources(instance, session.sources(), path, &named)
            }
        }
    }
}

/// A command as it is written, on one line.
pub(crate) fn command_text(session: &AlloySubject, command: usize) -> String {
    let command = &session.commands()[command];
    let text = session.sources().text_on_one_line(command.span, "--");
    match text.is_empty() {
        true => "run {}".to_string(),
        false => text,
    }
}
