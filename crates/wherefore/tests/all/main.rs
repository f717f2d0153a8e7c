//! The library as its users meet it.

mod answers;
mod proofs;
mod reading;

use wherefore::OpenModel;

/// The path of an example of the repository.
fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// An example of the repository, opened.
fn open(name: &str) -> OpenModel {
    wherefore::open(example(name)).expect("an example can be read")
}
