//! What the tests of this room share.

use wherefore_alloy::{AlloyModel, load};
use wherefore_base::{Budget, SourceFile, SourceMap};

/// A model that is right.
pub(crate) fn read(text: &str) -> AlloyModel {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.als", text));
    let budget = Budget::unlimited();
    let loaded = load(&mut sources, file, None, &mut |_| None, &budget).expect("no limit");
    let error = loaded.diagnostics.iter().find(|d| d.is_error());
    assert!(error.is_none(), "{error:?}\n{text}");
    loaded.model
}
