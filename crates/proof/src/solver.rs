//! What carries the proofs of SMT solvers, in conditions on the state.
//!
//! Conditions are texts as people write them. A solver found each claim to have no counterexample; how many solvers
//! did so is a part of the reason.

/// Why a property of a system with infinitely many states holds: what carries the proof, and who checked it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverReason {
    /// How it was found, as "unrolling".
    pub engine: String,
    /// What carries the proof, in the order in which it is told.
    pub certificates: Vec<SmtCertificate>,
    /// What each of the queries shows that solvers found to have no model.
    pub claims: Vec<String>,
    /// The solvers that found so of all queries.
    pub checked_by: Vec<String>,
    /// Whether runs that end are left out: there may be states without a next one, and nothing is said of runs into them.
    pub endless_only: bool,
    /// Which states the proof begins in.
    pub start: ProofStart,
    /// What is proved of states of the runs that are shown, beside the proof for all initial states.
    pub at_states: Vec<StateReason>,
}

/// Which states a proof begins in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProofStart {
    /// In all initial states.
    #[default]
    Initial,
    /// In a state of a run that is shown.
    Step {
        /// The run, from 0.
        run: usize,
        /// The state of it, from 0.
        step: usize,
    },
}

/// Why something is true in a state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateReason {
    /// What is true there.
    pub formula: String,
    /// Why; the state is where the proof begins.
    pub reason: SolverReason,
}

impl SolverReason {
    /// Whose word it is: "checked by z3 4.8.12 and cvc5 1.0.3" or "one solver, no certificate".
    pub fn standing(&self) -> String {
        match &self.checked_by[..] {
            [] | [_] if self.certificates == [SmtCertificate::Word] => {
                "one solver, no certificate".to_string()
            }
            [] => "not checked".to_string(),
            [one] => format!("one solver, {one}"),
            [all @ .., last] => format!("checked by {} and {last}", all.join(", ")),
        }
    }
}

/// Where what happens within a number of steps is due.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmtStart {
    /// In every initial state.
    Initial,
    /// In every reachable state.
    Reachable,
    /// In every reachable state with this condition.
    Where(String),
}

/// What carries a proof, in words of the model. Conditions are conjunctions of texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmtCertificate {
    /// So many steps from each state that matters settle it.
    Bound(usize),
    /// From every state that matters one of some paths can be taken, each of which shows it.
    Paths {
        /// How many paths there are.
        count: usize,
        /// Whether some of the states show it by themselves.
        at_once: bool,
    },
    /// Every run, or some run, reaches a condition within so many steps.
    Reach {
        /// Whether every run does.
        every: bool,
        /// From where.
        from: SmtStart,
        /// The condition.
        goal: String,
        /// Within how many steps.
        steps: usize,
    },
    /// A condition that holds in the first states of every run, and after so many states in a row with it.
    Induction {
        /// How many states in a row.
        states: usize,
        /// The condition.
        condition: Vec<String>,
        /// Nothing is said of states behind this one.
        until: Option<String>,
    },
    /// A condition that holds at the start and is kept by every step.
    Invariant {
        /// The condition.
        condition: Vec<String>,
        /// Nothing is said of steps from states with this.
        until: Option<String>,
        /// What follows from it, if that is what is to be shown.
        implies: Option<String>,
    },
    /// What holds until a goal is reached.
    OnTheWay {
        /// The condition.
        condition: Vec<String>,
        /// The goal.
        goal: String,
    },
    /// Values, the most significant first: with every step that does not reach the goal one falls that is not negative,
    /// and none before it rises.
    Rank {
        /// The values.
        ranks: Vec<String>,
        /// The goal.
        goal: String,
    },
    /// The same of every step from a state without a condition; no value rises with other steps unless one before it falls.
    SettlingRank {
        /// The values.
        ranks: Vec<String>,
        /// The condition.
        condition: String,
    },
    /// A value that some step makes smaller in every state on the way to a goal.
    ChosenRank {
        /// The value.
        rank: String,
        /// The goal.
        goal: String,
    },
    /// Conditions, the nearest to the goal first: with every step that does not reach the goal, the first that holds is an
    /// earlier one.
    Distance {
        /// The conditions.
        conditions: Vec<String>,
        /// How many there are, of which some may be left out above.
        count: usize,
        /// The goal.
        goal: String,
    },
    /// Fair conditions: a rank falls whenever one of them holds, or no step is left where it does.
    Fairness(Vec<String>),
    /// Conditions that stay once they hold: what comes after is told apart by them.
    Cases(Vec<String>),
    /// Values of which one that is not negative falls, and none before it rises, with every step from a state with a fair
    /// condition; with other steps none rises, unless one before it falls.
    FairRank {
        /// The values.
        ranks: Vec<String>,
        /// The fair condition.
        fair: String,
        /// Until when.
        goal: String,
    },
    /// Values that show it in one of the cases.
    CaseRank(Vec<String>),
    /// The product with the tableau of the denied formula has no fair run; conditions on the tableau are left out.
    Tableau,
    /// A set of states each of which has a next one in the set: a run in it goes on for ever.
    Recurrent(Vec<String>),
    /// A condition is false in at most so many states of a run.
    Visits {
        /// How many.
        most: i64,
        /// The condition.
        condition: String,
    },
    /// A counter that conditions speak of.
    Counter {
        /// Its name.
        name: String,
        /// What it counts, as "steps since `p`".
        counts: String,
    },
    /// The one system of the class that the proof is about: what its parameters are.
    System(Vec<String>),
    /// Only the word of the solver.
    Word,
}
