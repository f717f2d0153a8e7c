//! How a problem is translated.

/// How a problem is translated to a circuit.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many pairs of bits are compared to tell an instance from its image under a swap of two
    /// interchangeable atoms; 0 leaves all symmetric instances in.
    pub symmetry: usize,
    /// Below how many universal variables an existential variable still gets a witness.
    pub skolem_depth: usize,
    /// The most gates of the circuit.
    pub most_gates: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            symmetry: 20,
            skolem_depth: 1,
            most_gates: 40_000_000,
        }
    }
}
