//! The modules that are part of the language.

/// The paths of all modules that are built in.
pub(crate) const PATHS: [&str; 19] = [
    "ctl",
    "ctl_path",
    "ctl_subgraph",
    "ctlfc",
    "ctlfc_def3",
    "ctlfc_path",
    "ctlfc_several",
    "ctlfc_subgraph",
    "util/boolean",
    "util/graph",
    "util/integer",
    "util/natural",
    "util/ordering",
    "util/relation",
    "util/seqrel",
    "util/sequence",
    "util/sequniv",
    "util/ternary",
    "util/time",
];

/// The text of a module that is built in.
pub(crate) fn text(path: &str) -> Option<&'static str> {
    Some(match path {
        "ctl" => include_str!("../temporal/ctl.als"),
        "ctl_path" => include_str!("../temporal/ctl_path.als"),
        "ctl_subgraph" => include_str!("../temporal/ctl_subgraph.als"),
        "ctlfc" => include_str!("../temporal/ctlfc.als"),
        "ctlfc_def3" => include_str!("../temporal/ctlfc_def3.als"),
        "ctlfc_path" => include_str!("../temporal/ctlfc_path.als"),
        "ctlfc_several" => include_str!("../temporal/ctlfc_several.als"),
        "ctlfc_subgraph" => include_str!("../temporal/ctlfc_subgraph.als"),
        "util/boolean" => include_str!("../util/boolean.als"),
        "util/graph" => include_str!("../util/graph.als"),
        "util/integer" => include_str!("../util/integer.als"),
        "util/natural" => include_str!("../util/natural.als"),
        "util/ordering" => include_str!("../util/ordering.als"),
        "util/relation" => include_str!("../util/relation.als"),
        "util/seqrel" => include_str!("../util/seqrel.als"),
        "util/sequence" => include_str!("../util/sequence.als"),
        "util/sequniv" => include_str!("../util/sequniv.als"),
        "util/ternary" => include_str!("../util/ternary.als"),
        "util/time" => include_str!("../util/time.als"),
        _ => return None,
    })
}

/// The module in which a name that is often used is declared.
pub(crate) fn declaring(name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 5] = [
        (
            "util/ordering",
            "first last next prev nexts prevs lt lte gt gte larger smaller",
        ),
        (
            "util/boolean",
            "Bool True False isTrue isFalse Not And Or Xor",
        ),
        (
            "util/relation",
            "dom ran total functional function surjective injective bijection reflexive irreflexive \
             symmetric antisymmetric transitive acyclic complete preorder equivalence partialOrder \
             totalOrder",
        ),
        (
            "util/graph",
            "undirected noSelfLoops weaklyConnected stronglyConnected rootedAt ring dag forest tree \
             treeRootedAt roots leaves innerNodes",
        ),
        ("util/natural", "Natural Zero One"),
    ];
    let declares = |(_, names): &&(&str, &str)| names.split_whitespace().any(|n| n == name);
    NAMES.iter().find(declares).map(|(module, _)| *module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_a_text() {
        assert!(PATHS.iter().all(|path| text(path).is_some()));
        assert_eq!(text("util/none"), None);
    }

    #[test]
    fn names_that_are_often_used_are_declared_where_it_is_said() {
        for name in ["first", "Bool", "acyclic", "dag", "Natural"] {
            let module = declaring(name).expect("it is often used");
            assert!(text(module).is_some_and(|text| text.contains(name)));
        }
        assert_eq!(declaring("anything"), None);
    }
}
