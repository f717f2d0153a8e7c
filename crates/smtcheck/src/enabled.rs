//! When a state has a next one, without quantifiers where that can be said.
//!
//! The next state is eliminated: a variable that an equation defines is replaced by what it is equal to, one that nothing
//! mentions is dropped, alternatives are looked at one by one, and a variable with few values is tried with each. Only what
//! resists stays under a quantifier.

use wherefore_base::deep;
use wherefore_smt::{
    SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, Sort, Substitution, SymbolId, TermSystem,
};

/// The most alternatives that are looked at one by one.
const MOST_CASES: usize = 1024;

/// That the present state has a next one; none where the next state has functions that nothing defines away, since
/// functions cannot be quantified.
pub(crate) fn can_step(system: &mut TermSystem) -> Option<SmtTermId> {
    let mut wanted = system.next();
    wanted.extend(&system.inputs);
    some(&mut system.terms, system.trans, &wanted)
}

/// That there are values of these symbols for which a condition holds.
pub(crate) fn some(
    terms: &mut SmtTerms,
    condition: SmtTermId,
    symbols: &[SymbolId],
) -> Option<SmtTermId> {
    let mut cases = MOST_CASES;
    without(terms, condition, symbols.to_vec(), &mut cases)
}

fn without(
    terms: &mut SmtTerms,
    condition: SmtTermId,
    symbols: Vec<SymbolId>,
    cases: &mut usize,
) -> Option<SmtTermId> {
    let (mut condition, mut left) = (condition, symbols);
    loop {
        let free = terms.free(condition);
        left.retain(|symbol| free.contains(symbol));
        let parts = terms.conjuncts(condition);
        let defined = left
            .iter()
            .find_map(|&symbol| Some((symbol, definition(terms, &parts, symbol)?)));
        let Some((symbol, value)) = defined else {
            break;
        };
        // The value does not mention the symbol, so each turn eliminates one and the loop ends.
        condition = put(terms, condition, symbol, value);
    }
    if left.is_empty() {
        return Some(condition);
    }
    if let Some((alternatives, rest)) = alternatives(terms, condition, &left)
        && *cases >= alternatives.len()
    {
        *cases -= alternatives.len();
        let mut all = Vec::new();
        // An existential quantifier distributes over a disjunction.
        for alternative in alternatives {
            let both = terms.and(&[alternative, rest]);
            all.push(deep(|| without(terms, both, left.clone(), cases))?);
        }
        return Some(terms.or(&all));
    }
    let small = left
        .iter()
        .find_map(|&symbol| Some((symbol, few_values(terms, symbol)?)));
    if let Some((symbol, values)) = small
        && *cases >= values.len()
    {
        *cases -= values.len();
        let mut all = Vec::new();
        for value in values {
            let with = put(terms, condition, symbol, value);
            all.push(deep(|| without(terms, with, left.clone(), cases))?);
        }
        return Some(terms.or(&all));
    }
    let mut by = Substitution::default();
    let mut bound = Vec::new();
    for symbol in left {
        let info = terms.info(symbol).clone();
        if !info.args.is_empty() {
            return None;
        }
        let fresh = terms.bound(info.name, info.sort);
        by.rename(symbol, fresh);
        bound.push(fresh);
    }
    let body = terms.substitute(condition, &by);
    Some(terms.quantified(SmtQuantifier::Exists, &bound, body))
}

fn put(
    terms: &mut SmtTerms,
    condition: SmtTermId,
    symbol: SymbolId,
    value: SmtTermId,
) -> SmtTermId {
    let mut by = Substitution::default();
    by.put(symbol, value);
    terms.substitute(condition, &by)
}

/// What one of the conjuncts says a symbol to be.
pub(crate) fn definition(
    terms: &mut SmtTerms,
    conjuncts: &[SmtTermId],
    symbol: SymbolId,
) -> Option<SmtTermId> {
    if !terms.info(symbol).args.is_empty() {
        return None;
    }
    let var = terms.var(symbol);
    for &part in conjuncts {
        match terms.get(part).clone() {
            SmtTerm::Op(SmtOp::Equal, sides) => {
                for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    if one == var && !terms.free(other).contains(&symbol) {
                        return Some(other);
                    }
                }
            }
            _ if part == var => return Some(terms.bool(true)),
            SmtTerm::Op(SmtOp::Not, inner) if inner[0] == var => return Some(terms.bool(false)),
            _ => {}
        }
    }
    None
}

/// A conjunct that is a disjunction about one of these symbols: its disjuncts, and the other conjuncts.
fn alternatives(
    terms: &mut SmtTerms,
    condition: SmtTermId,
    about: &[SymbolId],
) -> Option<(Vec<SmtTermId>, SmtTermId)> {
    let parts = terms.conjuncts(condition);
    for (at, &part) in parts.iter().enumerate() {
        let Some(disjuncts) = disjuncts(terms, part) else {
            continue;
        };
        let free = terms.free(part);
        if about.iter().any(|symbol| free.contains(symbol)) {
            let mut rest = parts.clone();
            rest.remove(at);
            let rest = terms.and(&rest);
            return Some((disjuncts, rest));
        }
    }
    None
}

/// The disjuncts of a condition that is a disjunction in one way or another.
pub(crate) fn disjuncts(terms: &mut SmtTerms, term: SmtTermId) -> Option<Vec<SmtTermId>> {
    match terms.get(term).clone() {
        SmtTerm::Op(SmtOp::Or, operands) => Some(operands.to_vec()),
        SmtTerm::Op(SmtOp::Implies, sides) => {
            let not = terms.not(sides[0]);
            Some(vec![not, sides[1]])
        }
        SmtTerm::Op(SmtOp::Not, inner) => match terms.get(inner[0]).clone() {
            SmtTerm::Op(SmtOp::And, operands) => {
                let denied = operands.iter().map(|&operand| terms.not(operand));
                Some(denied.collect())
            }
            _ => None,
        },
        SmtTerm::Op(SmtOp::Ite, sides) if terms.sort(sides[1]) == wherefore_smt::SortId::BOOL => {
            let not = terms.not(sides[0]);
            let (then, other) = (
                terms.and(&[sides[0], sides[1]]),
                terms.and(&[not, sides[2]]),
            );
            Some(vec![then, other])
        }
        _ => None,
    }
}

fn few_values(terms: &mut SmtTerms, symbol: SymbolId) -> Option<Vec<SmtTermId>> {
    let info = terms.info(symbol);
    let (sort, plain) = (info.sort, info.args.is_empty());
    match terms.sorts.get(sort).clone() {
        Sort::Bool if plain => Some(vec![terms.bool(false), terms.bool(true)]),
        Sort::Enumeration(_, constants) if plain && constants.len() <= 16 => {
            let count = u32::try_from(constants.len()).ok()?;
            Some(
                (0..count)
                    .map(|at| terms.add(SmtTerm::Constant(sort, at)))
                    .collect(),
            )
        }
        _ => None,
    }
}
