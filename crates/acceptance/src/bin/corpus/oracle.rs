//! The recorded verdicts.
//!
//! NuSMV lists the properties of a file kind by kind and instances before `main`, prints their
//! formulas in its own way, and a file appears once for every option set that was tried. So a record is
//! matched to a property by what its formula says: the same kind, the same instance, and the same text
//! once parentheses and spaces are dropped; of a text that was cut off when it was recorded, the
//! beginning. Of several properties that look the same, the first not yet matched is taken; a record that fits
//! none takes one with the same words in another order, since sets are printed in any order.

use wherefore_model::{Property, PropertyKind};

/// Longer texts were cut off at this many characters when they were recorded.
const CUT_OFF_AT: usize = 160;

/// A verdict on a property.
pub(crate) struct Claim {
    /// Its place in NuSMV's list.
    number: String,
    /// Its kind; `None` where the run was cut short before it was told.
    pub(crate) kind: Option<PropertyKind>,
    /// The formula as NuSMV prints it, without the instance.
    pub(crate) text: String,
    /// The instance it speaks about; empty for `main`.
    pub(crate) instance: String,
    /// What was found.
    pub(crate) answer: Answer,
    /// The shortest trace that any option set gave.
    pub(crate) trace: Option<Trace>,
}

/// The size of a recorded trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trace {
    /// How many states it has; those that start a loop are counted again at its end.
    pub(crate) states: usize,
    /// Whether it is a lasso.
    pub(crate) lasso: bool,
}

/// What was found about a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// Whether it holds.
    Holds(bool),
    /// A number of steps.
    Steps(u32),
    /// No number of steps is enough.
    Infinite,
}

/// All that is recorded, in the order of the file.
#[derive(Default)]
pub(crate) struct Oracle {
    /// For each model, what is known about its properties.
    pub(crate) claims: Vec<(String, Vec<Claim>)>,
    /// Models named `neg-*` that were rejected.
    pub(crate) rejected: Vec<String>,
    /// Models in the old dialect.
    pub(crate) old: Vec<String>,
    /// Models of which nothing is known.
    pub(crate) open: Vec<String>,
}

/// Reads the table.
pub(crate) fn read(table: &str) -> Oracle {
    let mut oracle = Oracle::default();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let [
            file,
            options,
            _,
            _,
            _,
            number,
            kind,
            verdict,
            states,
            loops,
            text,
            ..,
        ] = cells[..]
        else {
            continue;
        };
        let name = file.rsplit('/').next().unwrap_or(file);
        if verdict == "rejected" && name.starts_with("neg-") {
            oracle.rejected.push(file.to_string());
            continue;
        }
        if !oracle.open.iter().any(|other| other == file) && !file.ends_with(".m4.smv") {
            oracle.open.push(file.to_string());
        }
        let kind = match kind {
            "CTL" => Some(PropertyKind::Ctl),
            "INVAR" => Some(PropertyKind::Invar),
            "LTL" => Some(PropertyKind::Ltl),
            "PSL" => Some(PropertyKind::Psl),
            "COMPUTE" => Some(PropertyKind::Compute),
            "?" => None,
            _ => continue,
        };
        // Without reachability the peer counts steps from states that no run reaches, too.
        if kind == Some(PropertyKind::Compute) && options.split_whitespace().any(|o| o == "-df") {
            continue;
        }
        let answer = match (kind, verdict) {
            (Some(PropertyKind::Compute), "infinite" | "Infinite") => Answer::Infinite,
            (Some(PropertyKind::Compute), steps) => match steps.parse() {
                Ok(steps) => Answer::Steps(steps),
                Err(_) => continue,
            },
            (_, "true") => Answer::Holds(true),
            (_, "false") => Answer::Holds(false),
            _ => continue,
        };
        let lasso = loops == "yes";
        let trace = states.parse().ok().map(|states| Trace { states, lasso });
        if options.split_whitespace().any(|option| option == "-old") {
            oracle.old.push(file.to_string());
        }
        let (text, instance) = match text.rsplit_once(" IN ") {
            Some((text, instance)) => (text, instance.trim()),
            None => (text, ""),
        };
        let claim = Claim {
            number: number.to_string(),
            kind,
            text: text.to_string(),
            instance: instance.to_string(),
            answer,
            trace,
        };
        let at = oracle.claims.iter().position(|(other, _)| other == file);
        let at = at.unwrap_or_else(|| {
            oracle.claims.push((file.to_string(), Vec::new()));
            oracle.claims.len() - 1
        });
        // The same number under another option set is the same property.
        let claims = &mut oracle.claims[at].1;
        match claims.iter_mut().find(|other| other.number == claim.number) {
            Some(known) => known.trace = shorter(known.trace, claim.trace),
            None => claims.push(claim),
        }
    }
    let known = |file: &String| oracle.claims.iter().any(|(other, _)| other == file);
    oracle.open.retain(|file| !known(file));
    oracle
}

/// The shorter of two traces for the same.
fn shorter(one: Option<Trace>, other: Option<Trace>) -> Option<Trace> {
    one.into_iter()
        .chain(other)
        .min_by_key(|trace| trace.states)
}

/// For each claim, the property it is about, if there is one.
pub(crate) fn matched(claims: &[Claim], properties: &[Property]) -> Vec<Option<usize>> {
    let mut taken = vec![false; properties.len()];
    let fits = |claim: &Claim, property: &Property| {
        let (theirs, ours) = (words(&claim.text), words(&property.text));
        let same = if claim.text.chars().count() == CUT_OFF_AT {
            // The last word may be cut off too, and the instance is lost.
            let whole = theirs.len().saturating_sub(1);
            ours.len() > whole && ours[..whole] == theirs[..whole]
        } else {
            claim.instance == property.instance && theirs == ours
        };
        claim.kind.is_none_or(|kind| kind == property.kind) && same
    };
    let mut find = |claim: &Claim, fits: &dyn Fn(&Claim, &Property) -> bool| {
        let mut places = 0..properties.len();
        let at = places.find(|&at| !taken[at] && fits(claim, &properties[at]))?;
        taken[at] = true;
        Some(at)
    };
    let mut found: Vec<Option<usize>> = claims.iter().map(|claim| find(claim, &fits)).collect();
    let shuffled = |claim: &Claim, property: &Property| {
        let sorted = |text: &str| {
            let mut words = words(text);
            words.sort();
            words
        };
        claim.kind == Some(property.kind)
            && claim.instance == property.instance
            && sorted(&claim.text) == sorted(&property.text)
    };
    for (claim, found) in claims.iter().zip(&mut found) {
        *found = found.or_else(|| find(claim, &shuffled));
    }
    found
}

/// A constant of a word type, `0b4_0101` or `0ud4_5`, as its sign, width and value, if it is one.
fn constant(word: &str) -> Option<String> {
    let rest = word.strip_prefix('0')?;
    let (signed, rest) = match rest.strip_prefix('s') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('u').unwrap_or(rest)),
    };
    let (head, digits) = rest.split_once('_')?;
    let (base, width) = head.split_at_checked(1)?;
    let (radix, bits) = match base {
        "b" | "B" => (2, 1),
        "o" | "O" => (8, 3),
        "d" | "D" => (10, 0),
        "h" | "H" => (16, 4),
        _ => return None,
    };
    let digits = digits.replace('_', "");
    let width = match width {
        "" => bits * digits.len(),
        width => width.parse().ok()?,
    };
    let value = u64::from_str_radix(&digits, radix).ok()?;
    Some(format!("{signed} {width} {value}"))
}

/// A formula as its words, in a form that does not depend on who printed it: parentheses and braces are
/// dropped, and the members of a set are joined by `union`.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_$#\\-".contains(c);
        let length = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.find(|c: char| !is_name(c))
        } else {
            Some(first.len_utf8())
        };
        let (word, after) = rest.split_at(length.unwrap_or(rest.len()));
        rest = after;
        match word {
            "(" | ")" | "{" | "}" => {}
            "," => words.push("union".to_string()),
            space if space.trim().is_empty() => {}
            word => words.push(constant(word).unwrap_or_else(|| word.to_string())),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_a_formula_is_printed_does_not_matter() {
        let same = [
            ("AG EF (s=3)", "AG (EF s = 3)"),
            ("AG (x in {red, 1})", "AG x in red union 1"),
            ("A [ s < 3 U s = 7-7]", "A [ s < 3 U s = 7 - 7 ] "),
            ("AG w != 0b4_0101", "AG w != 0ud4_5"),
            ("AG w != 0h_5A", "AG w != 0ud8_90"),
        ];
        for (ours, theirs) in same {
            assert_eq!(words(ours), words(theirs));
        }
        assert_ne!(words("AG a-b"), words("AG a - b"));
    }

    #[test]
    fn a_property_that_several_option_sets_answer_is_one_property() {
        let row = |options: &str, number: usize, text: &str| {
            format!("m.smv\t{options}\tok\t1\t1\t{number}\tCTL\ttrue\t\t\t{text}\n")
        };
        let rows = [
            row("plain", 0, "AG p IN sub"),
            row("plain", 1, "AF p"),
            row("-coi", 0, "AG p IN sub"),
            row("-coi", 1, "AF p"),
        ];
        let oracle = read(&rows.concat());
        assert_eq!(oracle.claims.len(), 1);
        assert_eq!(oracle.claims[0].1.len(), 2);
        assert_eq!(oracle.claims[0].1[0].instance, "sub");
    }
}
