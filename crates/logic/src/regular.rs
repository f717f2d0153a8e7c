//! Regular formulas: sets of finite sequences of actions, as nondeterministic automata.
//!
//! An automaton is put together bottom up out of pieces with one entrance and one exit, each in constant
//! time (Thompson, 1968). What an action means belongs to the model; here it is only a number.

use wherefore_base::define_id;

define_id!(
    /// An action formula: a set of labels that the model knows.
    pub struct ActionId
);

/// A step of an [`Nfa`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NfaStep {
    /// The state it leaves.
    pub from: u32,
    /// The action it reads; `None`: it reads nothing.
    pub reads: Option<ActionId>,
    /// The state it enters.
    pub to: u32,
}

/// A part of an [`Nfa`]: the sequences read on the way from its entrance to its exit. A piece is used
/// once: either in another one or as the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where it is entered.
    pub entrance: u32,
    /// Where it is left.
    pub exit: u32,
}

/// A nondeterministic automaton.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nfa {
    states: u32,
    steps: Vec<NfaStep>,
}

impl Nfa {
    /// An automaton without any piece yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many states there are.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// Its steps, in the order in which they were made.
    pub fn steps(&self) -> &[NfaStep] {
        &self.steps
    }

    /// The empty sequence.
    pub fn nil(&mut self) -> Piece {
        let piece = self.piece();
        self.step(piece.entrance, None, piece.exit);
        piece
    }

    /// No sequence at all.
    pub fn none(&mut self) -> Piece {
        // Nothing leads from the entrance to the exit.
        self.piece()
    }

    /// One action.
    pub fn action(&mut self, action: ActionId) -> Piece {
        let piece = self.piece();
        self.step(piece.entrance, Some(action), piece.exit);
        piece
    }

    /// A sequence of the one and then one of the other.
    pub fn then(&mut self, one: Piece, other: Piece) -> Piece {
        // A piece is used once, so nothing else leaves its exit.
        self.step(one.exit, None, other.entrance);
        Piece {
            entrance: one.entrance,
            exit: other.exit,
        }
    }

    /// A sequence of the one or of the other.
    pub fn or(&mut self, one: Piece, other: Piece) -> Piece {
        let piece = self.piece();
        for part in [one, other] {
            self.step(piece.entrance, None, part.entrance);
            self.step(part.exit, None, piece.exit);
        }
        piece
    }

    /// Any number of sequences of the piece, one after the other; perhaps none.
    pub fn star(&mut self, body: Piece) -> Piece {
        // Entrance and exit are new, since those of the body are passed once in each round.
        let piece = self.piece();
        self.step(piece.entrance, None, body.entrance);
        self.step(piece.entrance, None, piece.exit);
        self.step(body.exit, None, body.entrance);
        self.step(body.exit, None, piece.exit);
        piece
    }

    /// A new state without steps, for automata that are not put together out of pieces.
    pub fn state(&mut self) -> u32 {
        self.states += 1;
        self.states - 1
    }

    fn piece(&mut self) -> Piece {
        Piece {
            entrance: self.state(),
            exit: self.state(),
        }
    }

    /// A step between two states.
    pub fn step(&mut self, from: u32, reads: Option<ActionId>, to: u32) {
        self.steps.push(NfaStep { from, reads, to });
    }
}
