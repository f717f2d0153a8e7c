//! Enumerations: texts of which there are only so many.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Defines an enumeration whose variants are written as texts.
macro_rules! names {
    ($($(#[$about:meta])* $name:ident { $($(#[$meta:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[allow(missing_docs)]
        pub enum $name {
            $($(#[$meta])* #[serde(rename = $text)] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The text that stands for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    )*};
}

names! {
    /// The schema of what `check` and `debug` print.
    CheckSchemaName { Version1 = "wherefore/1", }

    /// What a place of the text is to the failure of a property.
    SuspectName {
        /// A change there makes the property hold, and everything that holds holds still.
        Mend = "mend",
        /// A change there makes the property hold at the cost of something else.
        Costly = "costly",
        /// The counterexample could be broken there.
        Suspect = "suspect",
    }

    /// What would be otherwise at a point of a counterexample if an expression had another value there.
    HingeName {
        /// The state could not be initial.
        Start = "start",
        /// The state could not be.
        State = "state",
        /// The step could not be taken.
        Step = "step",
        /// A condition of the property or of fairness would have another truth value.
        Condition = "condition",
    }

    /// What an expression of the text did for a value on a run.
    SliceName {
        /// It comes first, and its condition was false.
        NotTaken = "not_taken",
        /// Its condition was true, and what stands in it gave the value.
        Taken = "taken",
        /// It gave the value.
        Gave = "gave",
        /// With another value it would not have been true.
        Required = "required",
        /// It speaks of the value, and is true with every other one, too.
        Allowed = "allowed",
    }

    /// What is known for sure of a place that may be to blame.
    GuaranteeName {
        /// The property was checked with the change and holds.
        Mended = "mended",
        /// With well chosen values of the expression the property holds, and so does every property that holds now.
        CanMendAndKeep = "can_mend_and_keep",
        /// With well chosen values of the expression the property holds.
        CanMend = "can_mend",
        /// Nobody knows whether a change there can make the property hold.
        Open = "open",
    }

    /// The schema of what `query` prints.
    QuerySchemaName { Version1 = "wherefore-query/1", }

    /// The schema of a saved instance.
    InstanceSchemaName { Version1 = "wherefore-instance/1", }

    /// The schema of what `diff` prints.
    DiffSchemaName { Version1 = "wherefore-diff/1", }

    /// The schema of the explorer's answers.
    ExplorerSchemaName { Version1 = "wherefore-explorer/1", }

    /// The name of the program.
    ToolName { Wherefore = "wherefore", }

    /// The languages of models in documents. Further front ends may add others, so fields are texts.
    LanguageName {
        Smv = "smv",
        /// A labelled transition system.
        Aut = "aut",
        Alloy = "alloy",
        /// An infinite-state system in VMT-LIB or SMT-LIB.
        Smt = "smt",
    }

    /// What holds the states of a model.
    EngineName {
        /// A list of states.
        Explicit = "explicit",
        /// Binary decision diagrams.
        Bdd = "bdd",
    }

    /// How bad a message about a source is.
    SeverityName { Error = "error", Warning = "warning", }

    /// A circumstance that changes what a verdict means.
    NoteName {
        NoInitialState = "no-initial-state",
        NoFairState = "no-fair-state",
        DeadlocksMatter = "deadlocks-matter",
        UnfairInitialStates = "unfair-initial-states",
        Deadlocks = "deadlocks",
        UnavailableOptions = "unavailable-options",
        Said = "said",
        AdviceInitial = "advice-initial",
        AdviceEquality = "advice-equality",
        AdviceOperation = "advice-operation",
        AdviceOverlap = "advice-overlap",
        AdviceCover = "advice-cover",
        AdviceConstraint = "advice-constraint",
        AdviceMultiplicity = "advice-multiplicity",
        AdviceTotal = "advice-total",
    }

    /// Which paths count.
    PathsName {
        FairInfinite = "fair-infinite",
        Reach = "reach",
        Plain = "plain",
        PlainFair = "plain-fair",
        Maximal = "maximal",
    }

    /// The logic of a property, or what a command of an Alloy model asks for.
    #[derive(Default)]
    PropertyKindName {
        #[default]
        Ctl = "ctl",
        Ltl = "ltl",
        Invar = "invar",
        Compute = "compute",
        Psl = "psl",
        Mcl = "mcl",
        Run = "run",
        Check = "check",
    }

    /// The class of a property, after Farheen et al. (2020).
    ClassName {
        Safety = "safety",
        FiniteLiveness = "finite-liveness",
        InfiniteLiveness = "infinite-liveness",
        Existential = "existential",
        Mixed = "mixed",
    }

    /// Whether a property holds.
    #[derive(Default)]
    VerdictName {
        Holds = "holds",
        Fails = "fails",
        #[default]
        Unknown = "unknown",
        /// Only in the explorer's list of properties: not asked yet.
        Unchecked = "unchecked",
    }

    /// Why `compute` has no number.
    QuantityName {
        /// No number of steps is enough.
        Infinite = "infinite",
        /// There is no state to start from.
        Undefined = "undefined",
    }

    /// What a verdict is about.
    ReachName {
        /// All states that can be reached.
        Complete = "complete",
        /// The scope of a command.
        Scope = "scope",
    }

    /// Whether a verdict is about the system or only about the scope that was searched.
    MeaningName {
        Real = "real",
        /// Nothing was found in the scope, and there may be something beyond it.
        Ambiguous = "ambiguous",
    }

    /// What is known of a complete transition system.
    SystemVerdictName {
        Holds = "holds",
        HoldsSomewhere = "holds-somewhere",
        Fails = "fails",
        Unknown = "unknown",
    }

    /// What was asked in a scope.
    ScopeQuestionName {
        Command = "command",
        DeadLoops = "dead-loops",
        Run = "run",
        Axioms = "axioms",
    }

    /// Why there is not as much further evidence as was asked for.
    NoMoreName {
        AllFound = "all-found",
        AllDistinct = "all-distinct",
        SearchLimit = "search-limit",
        Stopped = "stopped",
        NoMainRun = "no-main-run",
    }

    /// What is known of how well other evidence serves a wish.
    WishBestName {
        /// None that is best for the wishes before serves it better.
        Proved = "proved",
        /// The search for the best came to its limit.
        Limit = "limit",
        /// Another strategy chose, something is open, or the evidence is not one run.
        Open = "open",
    }

    /// Whether a run could still have kept the property.
    DecisionName {
        /// The last chance went with a step.
        Lost = "lost",
        /// There was no chance.
        Fated = "fated",
        /// There is one to the end.
        Free = "free",
    }

    /// The shape of evidence.
    ShapeName { Path = "path", Lasso = "lasso", Tree = "tree", Region = "region", }

    /// What evidence has as few of as possible.
    MeasureName {
        Steps = "steps",
        Nodes = "nodes",
        States = "states",
        Transitions = "transitions",
        StepsWithinTrace = "steps within the trace",
        StepsInProduct = "steps in the product",
    }

    /// How a run ends.
    EndingName { Goal = "goal", Loop = "loop", DeadEnd = "dead-end", Joins = "joins", }

    /// The rule by which a claim of a proof follows from its premises.
    RuleName {
        /// The values of the state decide.
        State = "state",
        /// A branch of a disjunction.
        Branch = "branch",
        Step = "step",
        EveryStep = "every-step",
        /// What a path must reach is reached.
        Goal = "goal",
        /// The path goes on.
        Continue = "continue",
        DeadEnd = "dead-end",
        Stop = "stop",
        /// A closed set of states.
        Region = "region",
        /// Every state has a path.
        Total = "total",
        /// The run begins here, so nothing comes before.
        Start = "start",
        /// All states of a run.
        Run = "run",
    }

    /// The rule by which a claim about a set of states follows from its premises.
    SetRuleName {
        Atomic = "atomic",
        Split = "split",
        Branch = "branch",
        Step = "step",
        Goal = "goal",
        Continue = "continue",
    }

    /// The shape of abstract evidence.
    AbstractShapeName { Abstract = "abstract", }

    /// Which part of a disjunction an abstract run shows.
    SplitName { Both = "both", Left = "left", Right = "right", Simpler = "simpler", }

    /// How many states an abstract run has at each position.
    WidthName { All = "all", One = "one", }

    /// What the invariant of a certificate shows where it is not the property itself.
    ShowsName {
        /// No state refutes the property.
        States = "states",
        /// No run that could refute it has more than so many turns of fairness.
        Turns = "turns",
        /// No loop refutes it.
        Loops = "loops",
    }

    /// Why no run stays for ever among states that are taken away.
    LayerReasonName {
        /// Every step leads out.
        StepsOut = "steps-out",
        Justice = "justice",
        Compassion = "compassion",
    }

    /// The rule by which a claim of a certificate is shown.
    CertificateRuleName {
        Step = "step",
        Closed = "closed",
        Leaves = "leaves",
        Reaches = "reaches",
        Bounded = "bounded",
    }

    /// What a sentence says about why a property holds.
    WhyLineName {
        /// What every reachable state satisfies.
        Invariant = "invariant",
        /// One condition of that.
        Clause = "clause",
        /// What must happen, and within how many steps.
        MustHappen = "must-happen",
        /// From where it must happen within fewer steps, or why no run stays there.
        Layer = "layer",
        /// What can happen, and within how many steps.
        CanHappen = "can-happen",
        /// From where it can happen within fewer steps.
        Ring = "ring",
        /// What the next states are like.
        NextStates = "next-states",
        /// Where a sub-formula is true.
        Claim = "claim",
        /// A state from where it takes as many steps as from any.
        Example = "example",
        /// How many sentences are left out.
        More = "more",
    }

    /// What good and bad mean in a tagged graph.
    ReadingName { Branching = "branching", Fate = "fate", Inevitable = "inevitable", Linear = "linear", }

    /// How it stands with a property of which all counterexamples are known.
    OutlookName {
        Holds = "holds",
        AlwaysViolated = "always-violated",
        Mixed = "mixed",
        NoGoodStep = "no-good-step",
    }

    /// Which run through a tagged graph.
    CourseName {
        Shortest = "shortest",
        Pattern = "pattern",
        Random = "random",
        Given = "given",
        Nearest = "nearest",
    }

    /// How a run through a tagged graph ends.
    CourseEndingName { Reached = "reached", Deadlock = "deadlock", Loop = "loop", }

    /// The tag of a transition.
    TagName { Correct = "correct", Incorrect = "incorrect", Neutral = "neutral", }

    /// The type of a neighbourhood: the initials of the tags of its steps.
    NeighbourhoodName { Cn = "cn", In = "in", Ci = "ci", Cin = "cin", }

    /// How it stands with the property at a node of a tagged graph.
    ZoneName {
        /// It cannot be violated any more.
        Good = "good",
        Open = "open",
        /// It is lost.
        Bad = "bad",
    }

    /// Whether a command has an instance.
    ResultName { Sat = "sat", Unsat = "unsat", }

    /// Whether the facts of a model can hold together in the scope.
    FactsName { Consistent = "consistent", Inconsistent = "inconsistent", Unknown = "unknown", }

    /// Whether there are more instances.
    OthersName { None = "none", Unknown = "unknown", Stopped = "stopped", }

    /// The form of a part of a transition system.
    ExcerptFormName {
        /// Without a loop.
        Path = "path",
        Lasso = "lasso",
        /// Some state has two steps.
        Part = "part",
        /// The whole system of the instance.
        Whole = "whole",
    }

    /// How many atoms a signature has.
    MultiplicityName { One = "one", Lone = "lone", Some = "some", }

    /// What became of saved evidence.
    FateName {
        /// The run is one of the model, and nothing more was asked.
        Runs = "runs",
        /// It runs and shows what it showed.
        Shows = "shows",
        /// It runs, but does not show it any more, or nobody could say.
        RunsOnly = "runs-only",
        /// It is no run of the model.
        Dies = "dies",
        /// It does not fit the model.
        Misfit = "misfit",
        /// It is another run than the older one.
        Parts = "parts",
        /// It is a certificate that does not prove the property.
        Refused = "refused",
        /// There was no time to look.
        Unchecked = "unchecked",
    }

    /// What two verdicts mean together.
    VerdictChangeName {
        /// The property fails, and it did not before.
        Worse = "worse",
        /// It was decided, and is not any more.
        Undecided = "undecided",
        /// It does not fail any more, or is decided at last.
        Better = "better",
        /// The verdict is the same.
        Same = "same",
        /// The property was not there before, and does not fail.
        New = "new",
        /// It is not there any more.
        Gone = "gone",
    }

    /// How far the check of a model is.
    CheckingName {
        Waiting = "waiting",
        Running = "running",
        Done = "done",
        Cancelled = "cancelled",
        Failed = "failed",
    }

    /// What the explorer can do with a model.
    AbilityName {
        /// Walk through its states.
        States = "states",
        /// Explore proofs.
        Proofs = "proofs",
        /// Show all counterexamples at once.
        Debug = "debug",
        /// Show instances.
        Instances = "instances",
        /// Say what in its text is to blame for failures.
        Blame = "blame",
    }

    /// What a variable is.
    VariableName {
        State = "state",
        /// Keeps its initial value.
        Frozen = "frozen",
        /// Chosen anew at each step.
        Input = "input",
    }

    /// The kind of a way to show an obligation.
    WayName {
        State = "state",
        Branch = "branch",
        Step = "step",
        EveryStep = "every-step",
        Goal = "goal",
        Continue = "continue",
        /// A loop through this state.
        Loop = "loop",
        /// A step back to an earlier state.
        Close = "close",
        DeadEnd = "dead-end",
        Stop = "stop",
        Region = "region",
        Total = "total",
        /// The run begins here.
        Start = "start",
        /// The run shown refutes the property.
        Run = "run",
    }

    /// What a line of a model that forbids a step constrains.
    BlockerName { Assignment = "assignment", Step = "step", State = "state", }

    /// Why a request has no good answer.
    FailureName {
        BadRequest = "bad-request",
        Forbidden = "forbidden",
        NotFound = "not-found",
        Method = "method",
        Slow = "slow",
        Cancelled = "cancelled",
        TooLarge = "too-large",
        TooMany = "too-many",
        Unsupported = "unsupported",
        Rejected = "rejected",
        Internal = "internal",
        Limit = "limit",
    }
}
