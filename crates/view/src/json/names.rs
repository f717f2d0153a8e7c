//! Names in documents for what the inner crates enumerate.

use wherefore_evidence::{Measure, NoMore, Rule, Shape, Verdict, WayKind, WishBest};
use wherefore_logic::{Class, PathRule};
use wherefore_model::{PropertyKind, SpaceEngine, VarKind};
use wherefore_tagged::{AnalysisOutlook, NeighbourhoodKind, TagReading, Zone, ZoneTag};
use wherefore_wire::{
    ClassName, EngineName, MeasureName, NeighbourhoodName, NoMoreName, OutlookName, PathsName,
    PropertyKindName, ReadingName, RuleName, ShapeName, TagName, VariableName, VerdictName,
    WayName, WishBestName, ZoneName,
};

/// Defines a function from an enumeration to its names in documents.
macro_rules! named {
    ($($(#[$meta:meta])* $visibility:vis $function:ident: $from:ident => $to:ident { $($variant:ident $(($ignored:pat))? => $name:ident),* $(,)? })*) => {$(
        $(#[$meta])*
        $visibility fn $function(value: $from) -> $to {
            match value {
                $($from::$variant $(($ignored))? => $to::$name,)*
            }
        }
    )*};
}

/// The name of a verdict in documents.
pub fn verdict_name(verdict: &Verdict) -> VerdictName {
    match verdict {
        Verdict::Holds => VerdictName::Holds,
        Verdict::Fails => VerdictName::Fails,
        Verdict::Unknown(_) => VerdictName::Unknown,
    }
}

named! {
    pub(crate) engine: SpaceEngine => EngineName { Explicit => Explicit, Bdd => Bdd }

    pub(crate) wish_best: WishBest => WishBestName { Proved => Proved, Limit => Limit, Open => Open }

    pub(crate) paths: PathRule => PathsName {
        FairInfinite => FairInfinite,
        Reach => Reach,
        Plain => Plain,
        PlainFair => PlainFair,
        Maximal => Maximal,
    }

    pub(crate) shape: Shape => ShapeName { Path => Path, Lasso => Lasso, Tree => Tree, Region => Region }

    pub(crate) measure: Measure => MeasureName {
        Steps => Steps,
        Nodes => Nodes,
        States => States,
        Transitions => Transitions,
        TraceSteps => StepsWithinTrace,
        ProductSteps => StepsInProduct,
    }

    pub(crate) rule: Rule => RuleName {
        State => State,
        Branch(_) => Branch,
        Step => Step,
        EveryStep => EveryStep,
        Goal => Goal,
        Continue => Continue,
        DeadEnd => DeadEnd,
        Stop => Stop,
        Region(_) => Region,
        Total => Total,
        Start => Start,
        Run => Run,
    }

    pub(crate) way: WayKind => WayName {
        State => State,
        Branch(_) => Branch,
        Step => Step,
        EveryStep => EveryStep,
        Goal => Goal,
        Continue => Continue,
        Loop(_) => Loop,
        Close(_) => Close,
        DeadEnd => DeadEnd,
        Stop => Stop,
        Region => Region,
        Total => Total,
        Start => Start,
        Run => Run,
    }

    pub(crate) no_more: NoMore => NoMoreName {
        AllFound => AllFound,
        AllDistinct => AllDistinct,
        NotWithinSearch => SearchLimit,
        Stopped => Stopped,
        NoMainRun => NoMainRun,
    }

    pub(crate) class: Class => ClassName {
        Safety => Safety,
        FiniteLiveness => FiniteLiveness,
        InfiniteLiveness => InfiniteLiveness,
        Existential => Existential,
        Mixed => Mixed,
    }

    pub(crate) property_kind: PropertyKind => PropertyKindName {
        Ctl => Ctl,
        Invar => Invar,
        Ltl => Ltl,
        Compute => Compute,
        Psl => Psl,
    }

    pub(crate) variable: VarKind => VariableName { State => State, Frozen => Frozen, Input => Input }

    pub(crate) tag: ZoneTag => TagName { Correct => Correct, Incorrect => Incorrect, Neutral => Neutral }

    pub(crate) neighbourhood: NeighbourhoodKind => NeighbourhoodName { Cn => Cn, In => In, Ci => Ci, Cin => Cin }

    pub(crate) zone: Zone => ZoneName { Good => Good, Open => Open, Bad => Bad }

    pub(crate) reading: TagReading => ReadingName {
        Branching => Branching,
        Fate => Fate,
        Inevitable => Inevitable,
        Linear => Linear,
    }

    pub(crate) outlook: AnalysisOutlook => OutlookName {
        Holds => Holds,
        AlwaysViolated => AlwaysViolated,
        Mixed => Mixed,
        NoGoodStep => NoGoodStep,
    }
}
