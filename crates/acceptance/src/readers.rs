//! Every reader of the workspace, as something that takes any bytes at all.
//!
//! A [`FuzzTarget`] panics only where a reader does: when it panics itself, names a place outside of its text, or makes
//! something that its own re-check refuses. The targets in `fuzz/` are led by coverage and call these functions; the test
//! `readers` gives them texts that [`FuzzTarget::seeds`] start from, torn apart and put together again.

mod http;
mod languages;
mod saved;
mod strategies;

use std::fs;
use std::path::Path;

use wherefore_base::{Diagnostic, SourceMap};

pub use http::http;
pub use languages::{alloy, aut, mcl, net, query, smt, smv, smv_formula};
pub use saved::{alloy_document, document};
pub use strategies::{order, script, strategy};

/// A reader that is given any bytes, and where texts for it are.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// The name: that of the program in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Reads something.
    pub read: fn(&[u8]),
    /// Folders below the root of the repository, each with how the names of its files end.
    folders: &'static [(&'static str, &'static str)],
    /// Texts beside those in files.
    texts: fn() -> Vec<String>,
}

/// All readers.
pub const TARGETS: [FuzzTarget; 14] = [
    FuzzTarget {
        name: "smv_load",
        read: smv,
        folders: &[
            ("examples", ".smv"),
            ("crates/smv/tests/models", ".smv"),
            ("crates/smv/tests/broken", ".smv"),
        ],
        texts: Vec::new,
    },
    FuzzTarget {
        name: "smv_formula",
        read: smv_formula,
        folders: &[],
        texts: languages::formulas,
    },
    FuzzTarget {
        name: "aut_read",
        read: aut,
        folders: &[("examples/lts", ".aut"), ("examples/net", ".aut")],
        texts: Vec::new,
    },
    FuzzTarget {
        name: "mcl",
        read: mcl,
        folders: &[("examples/lts", ".mcl")],
        texts: Vec::new,
    },
    FuzzTarget {
        name: "net",
        read: net,
        folders: &[("examples/net", ".net")],
        texts: languages::nets,
    },
    FuzzTarget {
        name: "alloy_load",
        read: alloy,
        folders: &[
            ("examples/alloy", ".als"),
            ("crates/alloy/tests/models", ".als"),
            ("crates/alloy/tests/broken", ".als"),
        ],
        texts: Vec::new,
    },
    FuzzTarget {
        name: "smt_read",
        read: smt,
        folders: &[("examples/smt", ".vmt"), ("examples/smt", ".smt2")],
        texts: Vec::new,
    },
    FuzzTarget {
        name: "query",
        read: query,
        folders: &[],
        texts: languages::queries,
    },
    FuzzTarget {
        name: "document",
        read: document,
        folders: &[("crates/view/tests/snapshots", ".snap")],
        texts: saved::documents,
    },
    FuzzTarget {
        name: "alloy_document",
        read: alloy_document,
        folders: &[("crates/view/tests/snapshots", ".snap")],
        texts: saved::alloy_documents,
    },
    FuzzTarget {
        name: "http",
        read: http,
        folders: &[],
        texts: http::requests,
    },
    FuzzTarget {
        name: "strategy",
        read: strategy,
        folders: &[],
        texts: strategies::specs,
    },
    FuzzTarget {
        name: "script",
        read: script,
        folders: &[("examples/strategies", ".rhai")],
        texts: Vec::new,
    },
    FuzzTarget {
        name: "order",
        read: order,
        folders: &[],
        texts: strategies::orders,
    },
];

impl FuzzTarget {
    /// The target with a name.
    pub fn named(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// Texts to start from. Of a snapshot it is what was printed.
    ///
    /// # Panics
    /// When a folder cannot be read.
    pub fn seeds(&self) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut seeds = (self.texts)();
        for (folder, ending) in self.folders {
            let entries = fs::read_dir(root.join(folder)).expect("the folder is there");
            let paths = entries.map(|entry| entry.expect("it is readable").path());
            let mut paths: Vec<_> = paths
                .filter(|path| path.to_string_lossy().ends_with(ending))
                .collect();
            paths.sort();
            for path in paths {
                let text = fs::read_to_string(path).expect("it is text");
                let printed = text.splitn(3, "---\n").nth(2);
                seeds.push(match printed {
                    Some(printed) if *ending == ".snap" => printed.to_string(),
                    _ => text,
                });
            }
        }
        seeds
    }
}

/// The bytes as text, where they are text.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Every place lies within its text, and the message can be shown.
fn assert_well_placed(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        for label in &diagnostic.labels {
            let text = sources.file(label.span.file).text();
            let range = label.span.start as usize..label.span.end as usize;
            assert!(text.get(range).is_some(), "{diagnostic:?}");
        }
        let _ = wherefore_view::render_diagnostic(sources, diagnostic, false);
    }
}
