//! How a problem is translated.

/// How a problem is translated to a circuit.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many pairs of bits are compared to tell an instance from its image under a swap of two
    /// interchangeable atoms; 0 leaves all symmetric instances in.
    pub symmetry: usize,
    /// Below how many universal variables an existential variable still gets a witness.
    pub skolem_depth: usize,
    /// How transitive closures are translated.
    pub closures: Closures,
    /// The most gates of the circuit.
    pub most_gates: usize,
}

/// How transitive closures are translated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Closures {
    /// By a witness where one will do and takes fewer clauses, otherwise by elimination of atoms.
    #[default]
    Smaller,
    /// By elimination of atoms.
    Eliminated,
    /// By a witness wherever one will do.
    Witnessed,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            symmetry: 20,
            skolem_depth: 1,
            closures: Closures::Smaller,
            most_gates: 40_000_000,
        }
    }
}
