//! Debugging of labelled transition systems: all counterexamples at once, as one tagged graph.
