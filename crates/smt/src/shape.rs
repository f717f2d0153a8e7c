//! The shape of terms: what is free in them, other symbols and terms put for these, definitions written out,
//! conjuncts, and negations moved inwards.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::deep;

use crate::term::{SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SymbolId, SymbolKind};

/// What to put for symbols: a term for a constant or variable, another function for a function.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    terms: FxHashMap<SymbolId, SmtTermId>,
    functions: FxHashMap<SymbolId, SymbolId>,
}

impl Substitution {
    /// Puts a term for a constant or variable of the same sort.
    pub fn put(&mut self, symbol: SymbolId, term: SmtTermId) {
        self.terms.insert(symbol, term);
    }

    /// Puts another function with the same sorts for a function, or a constant for a constant.
    pub fn rename(&mut self, symbol: SymbolId, other: SymbolId) {
        self.functions.insert(symbol, other);
    }

    fn puts_for(&self, symbol: SymbolId) -> bool {
        self.terms.contains_key(&symbol) || self.functions.contains_key(&symbol)
    }
}

impl SmtTerms {
    /// The symbols that are free in a term: declared ones, those of definitions that it uses as they are, and bound
    /// ones that no quantifier inside the term binds.
    pub fn free(&self, term: SmtTermId) -> BTreeSet<SymbolId> {
        self.free_in(&[term])
    }

    /// The symbols that are free in some of the terms.
    pub fn free_in(&self, terms: &[SmtTermId]) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        let mut seen = FxHashSet::default();
        for &term in terms {
            self.collect(term, &mut seen, &mut found);
        }
        found
    }

    fn collect(
        &self,
        term: SmtTermId,
        seen: &mut FxHashSet<SmtTermId>,
        found: &mut BTreeSet<SymbolId>,
    ) {
        if !seen.insert(term) {
            return;
        }
        match self.get(term) {
            SmtTerm::Quantified(_, symbols, body) => {
                // A part that was seen outside may be bound here, and the other way round.
                let mut inner = BTreeSet::new();
                deep(|| self.collect(*body, &mut FxHashSet::default(), &mut inner));
                found.extend(inner.into_iter().filter(|symbol| !symbols.contains(symbol)));
            }
            other => {
                if let SmtTerm::Apply(symbol, _) = other {
                    found.insert(*symbol);
                }
                for &operand in other.operands() {
                    deep(|| self.collect(operand, seen, found));
                }
            }
        }
    }

    /// The term with other terms and functions put for symbols. Nothing is captured: a binder whose symbol is free in
    /// what is put gets a new symbol.
    pub fn substitute(&mut self, term: SmtTermId, by: &Substitution) -> SmtTermId {
        let images: Vec<SmtTermId> = by.terms.values().copied().collect();
        let mut taken = self.free_in(&images);
        taken.extend(by.functions.values());
        let mut work = SubstitutionWork {
            by: by.clone(),
            taken,
            done: FxHashMap::default(),
            inline: false,
        };
        work.term(self, term)
    }

    /// The term with one symbol for each of some others.
    pub fn renamed(
        &mut self,
        term: SmtTermId,
        pairs: impl IntoIterator<Item = (SymbolId, SymbolId)>,
    ) -> SmtTermId {
        let mut by = Substitution::default();
        for (from, to) in pairs {
            by.rename(from, to);
        }
        self.substitute(term, &by)
    }

    /// The term with all definitions written out.
    pub fn inlined(&mut self, term: SmtTermId) -> SmtTermId {
        let mut work = SubstitutionWork {
            by: Substitution::default(),
            taken: BTreeSet::new(),
            done: FxHashMap::default(),
            inline: true,
        };
        work.term(self, term)
    }

    /// Terms with others put for symbols and all definitions written out.
    pub fn all_inlined(&mut self, all: &[SmtTermId], by: &Substitution) -> Vec<SmtTermId> {
        let images: Vec<SmtTermId> = by.terms.values().copied().collect();
        let mut taken = self.free_in(&images);
        taken.extend(by.functions.values());
        let mut work = SubstitutionWork {
            by: by.clone(),
            taken,
            done: FxHashMap::default(),
            inline: true,
        };
        all.iter().map(|&term| work.term(self, term)).collect()
    }

    /// What a defined function is for these arguments, or none for a function that is not defined.
    pub fn expanded(&mut self, symbol: SymbolId, args: &[SmtTermId]) -> Option<SmtTermId> {
        let SymbolKind::Defined { params, body } = self.info(symbol).kind.clone() else {
            return None;
        };
        let mut by = Substitution::default();
        for (&param, &arg) in params.iter().zip(args) {
            by.put(param, arg);
        }
        Some(self.substitute(body, &by))
    }

    /// The conjuncts of a term, in order.
    pub fn conjuncts(&mut self, term: SmtTermId) -> Vec<SmtTermId> {
        let mut out = Vec::new();
        self.split(term, true, &mut out);
        out
    }

    /// The disjuncts of a term, in order.
    pub fn disjuncts(&mut self, term: SmtTermId) -> Vec<SmtTermId> {
        let mut out = Vec::new();
        self.split_or(term, &mut out);
        out
    }

    fn split_or(&mut self, term: SmtTermId, out: &mut Vec<SmtTermId>) {
        match self.get(term).clone() {
            SmtTerm::Bool(false) => {}
            SmtTerm::Op(SmtOp::Or, operands) => {
                for operand in operands {
                    deep(|| self.split_or(operand, out));
                }
            }
            _ => out.push(term),
        }
    }

    fn split(&mut self, term: SmtTermId, positive: bool, out: &mut Vec<SmtTermId>) {
        match (self.get(term).clone(), positive) {
            (SmtTerm::Bool(value), _) if value == positive => {}
            (SmtTerm::Op(SmtOp::Not, inner), _) => deep(|| self.split(inner[0], !positive, out)),
            (SmtTerm::Op(SmtOp::And, operands), true)
            | (SmtTerm::Op(SmtOp::Or, operands), false) => {
                for operand in operands {
                    deep(|| self.split(operand, positive, out));
                }
            }
            (SmtTerm::Op(SmtOp::Implies, operands), false) => {
                deep(|| self.split(operands[0], true, out));
                deep(|| self.split(operands[1], false, out));
            }
            (_, true) => out.push(term),
            (_, false) => {
                let not = self.not(term);
                out.push(not);
            }
        }
    }

    /// The term with negations at atoms only: without `=>`, and without `ite` and `=` between truth values.
    pub fn negation_normal(&mut self, term: SmtTermId) -> SmtTermId {
        self.normal(term, true, &mut FxHashMap::default())
    }

    fn normal(
        &mut self,
        term: SmtTermId,
        positive: bool,
        done: &mut FxHashMap<(SmtTermId, bool), SmtTermId>,
    ) -> SmtTermId {
        if let Some(&found) = done.get(&(term, positive)) {
            return found;
        }
        let is_bool = |terms: &SmtTerms, id: SmtTermId| terms.sort(id) == crate::sort::SortId::BOOL;
        let result = match self.get(term).clone() {
            SmtTerm::Op(SmtOp::Not, inner) => deep(|| self.normal(inner[0], !positive, done)),
            SmtTerm::Op(op @ (SmtOp::And | SmtOp::Or), operands) => {
                let all = (op == SmtOp::And) == positive;
                let operands: Vec<SmtTermId> = operands
                    .iter()
                    .map(|&o| deep(|| self.normal(o, positive, done)))
                    .collect();
                if all {
                    self.and(&operands)
                } else {
                    self.or(&operands)
                }
            }
            SmtTerm::Op(SmtOp::Implies, operands) => {
                let a = deep(|| self.normal(operands[0], !positive, done));
                let b = deep(|| self.normal(operands[1], positive, done));
                if positive {
                    self.or(&[a, b])
                } else {
                    self.and(&[a, b])
                }
            }
            SmtTerm::Op(SmtOp::Ite, operands) if is_bool(self, operands[1]) => {
                // The negation of a choice is the choice between the negations.
                let a = deep(|| self.normal(operands[0], true, done));
                let not_a = deep(|| self.normal(operands[0], false, done));
                let b = deep(|| self.normal(operands[1], positive, done));
                let c = deep(|| self.normal(operands[2], positive, done));
                let (then, other) = (self.and(&[a, b]), self.and(&[not_a, c]));
                self.or(&[then, other])
            }
            SmtTerm::Op(SmtOp::Equal, operands) if is_bool(self, operands[0]) => {
                let a = deep(|| self.normal(operands[0], true, done));
                let not_a = deep(|| self.normal(operands[0], false, done));
                // Denied, the sides differ: it is the second one that is negated.
                let b = deep(|| self.normal(operands[1], positive, done));
                let not_b = deep(|| self.normal(operands[1], !positive, done));
                let (both, neither) = (self.and(&[a, b]), self.and(&[not_a, not_b]));
                self.or(&[both, neither])
            }
            SmtTerm::Quantified(quantifier, symbols, body) => {
                let body = deep(|| self.normal(body, positive, done));
                let quantifier = if positive {
                    quantifier
                } else {
                    quantifier.dual()
                };
                self.quantified(quantifier, &symbols, body)
            }
            _ if positive => term,
            _ => self.not(term),
        };
        done.insert((term, positive), result);
        result
    }

    /// Whether there is a quantifier in the term.
    pub fn has_quantifier(&self, term: SmtTermId) -> bool {
        self.any(term, |term| matches!(term, SmtTerm::Quantified(..)))
    }

    /// Whether some part of the term is such.
    pub fn any(&self, term: SmtTermId, is: impl Fn(&SmtTerm) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                if is(self.get(next)) {
                    return true;
                }
                open.extend(self.get(next).operands());
            }
        }
        false
    }
}

/// A substitution at work.
struct SubstitutionWork {
    by: Substitution,
    /// Symbols that are free in what is put.
    taken: BTreeSet<SymbolId>,
    done: FxHashMap<SmtTermId, SmtTermId>,
    /// Whether definitions are written out.
    inline: bool,
}

impl SubstitutionWork {
    fn term(&mut self, terms: &mut SmtTerms, term: SmtTermId) -> SmtTermId {
        if let Some(&found) = self.done.get(&term) {
            return found;
        }
        let result = match terms.get(term).clone() {
            SmtTerm::Apply(symbol, args) => {
                let args: Vec<SmtTermId> = args
                    .iter()
                    .map(|&arg| deep(|| self.term(terms, arg)))
                    .collect();
                self.apply(terms, symbol, &args)
            }
            SmtTerm::Op(op, operands) => {
                let operands: Vec<SmtTermId> = operands
                    .iter()
                    .map(|&o| deep(|| self.term(terms, o)))
                    .collect();
                terms.op(op, &operands)
            }
            SmtTerm::Quantified(quantifier, symbols, body) => {
                self.quantified(terms, quantifier, &symbols, body)
            }
            _ => term,
        };
        self.done.insert(term, result);
        result
    }

    fn apply(&mut self, terms: &mut SmtTerms, symbol: SymbolId, args: &[SmtTermId]) -> SmtTermId {
        if args.is_empty()
            && let Some(&term) = self.by.terms.get(&symbol)
        {
            return term;
        }
        let symbol = self.by.functions.get(&symbol).copied().unwrap_or(symbol);
        if self.inline
            && let Some(expanded) = terms.expanded(symbol, args)
        {
            // What a definition stands for may use other definitions.
            return deep(|| self.term(terms, expanded));
        }
        terms.apply(symbol, args)
    }

    fn quantified(
        &mut self,
        terms: &mut SmtTerms,
        quantifier: SmtQuantifier,
        symbols: &[SymbolId],
        body: SmtTermId,
    ) -> SmtTermId {
        // A bound symbol is none of those that something is put for, and must not capture what is put.
        let hidden = symbols.iter().any(|symbol| self.by.puts_for(*symbol));
        let captured = symbols.iter().any(|symbol| self.taken.contains(symbol));
        if !hidden && !captured {
            let body = deep(|| self.term(terms, body));
            return terms.quantified(quantifier, symbols, body);
        }
        let mut inner = SubstitutionWork {
            by: self.by.clone(),
            taken: self.taken.clone(),
            done: FxHashMap::default(),
            inline: self.inline,
        };
        let mut fresh = Vec::new();
        for &symbol in symbols {
            let info = terms.info(symbol).clone();
            let new = terms.symbol(info);
            let var = terms.var(new);
            inner.by.put(symbol, var);
            inner.taken.insert(new);
            fresh.push(new);
        }
        let body = deep(|| inner.term(terms, body));
        terms.quantified(quantifier, &fresh, body)
    }
}
