//! The values a term can have at first sight: a superset, found without asking when it has them.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Value, deep};
use wherefore_model::{Domain, Model, Obligation, Requirement, Term, TermId, apply};

/// Terms with more values, or operators with more pairs of values, are not looked into.
const FEW: usize = 256;

/// Values ascending, each once; `None` when they are too many to list.
type PossibleValues = Option<Arc<[Value]>>;

/// Finds possible values of the terms of a model.
pub(super) struct Possible<'m> {
    model: &'m Model,
    memo: FxHashMap<TermId, PossibleValues>,
}

impl<'m> Possible<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self {
            model,
            memo: FxHashMap::default(),
        }
    }

    /// Whether an obligation is met whatever the variables are; `false` when that is not obvious.
    pub(super) fn surely_met(&mut self, obligation: &Obligation) -> bool {
        let never =
            |values: PossibleValues| matches!(values.as_deref(), Some([Value::Bool(false)]));
        // Under a condition that is never true nothing is asked.
        if obligation.when.iter().any(|&term| never(self.values(term))) {
            return true;
        }
        match obligation.requires {
            Requirement::Holds(term) => {
                matches!(self.values(term).as_deref(), Some([Value::Bool(true)]))
            }
            Requirement::Assign(var, term) => {
                let domain = &self.model.vars[var].domain;
                self.all_within(term, domain)
            }
        }
    }

    fn all_within(&mut self, term: TermId, domain: &Domain) -> bool {
        let model = self.model;
        if let Term::Var(var) | Term::Next(var) = model.terms.get(term)
            && model.vars[*var].domain == *domain
        {
            return true;
        }
        let values = self.values(term);
        values.is_some_and(|values| values.iter().all(|&v| domain.index_of(v).is_some()))
    }

    fn values(&mut self, id: TermId) -> PossibleValues {
        if let Some(known) = self.memo.get(&id) {
            return known.clone();
        }
        let values = deep(|| self.values_here(id)).map(|mut values| {
            values.sort_unstable();
            values.dedup();
            values
        });
        let values = values.filter(|values| values.len() <= FEW).map(Arc::from);
        self.memo.insert(id, values.clone());
        values
    }

    fn values_here(&mut self, id: TermId) -> Option<Vec<Value>> {
        let model = self.model;
        let both = || vec![Value::Bool(false), Value::Bool(true)];
        let values = match model.terms.get(id) {
            Term::Const(value) => vec![*value],
            Term::Var(var) | Term::Next(var) => {
                let domain = &model.vars[*var].domain;
                (domain.size() <= FEW as u128).then(|| domain.values().collect())?
            }
            Term::Not(a) => {
                let flip = |value: &Value| value.as_bool().map(|b| Value::Bool(!b));
                match self.values(*a) {
                    Some(values) => values.iter().map(flip).collect::<Option<_>>()?,
                    None => both(),
                }
            }
            Term::Negate(a) => {
                let flip = |value: &Value| value.as_int().map(|n| Value::Int(n.wrapping_neg()));
                self.values(*a)?.iter().map(flip).collect::<Option<_>>()?
            }
            Term::Word(op, a) => {
                let apply = |value: &Value| value.as_word().map(|word| op.apply(word));
                self.values(*a)?.iter().map(apply).collect::<Option<_>>()?
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.values(*a)?, self.values(*b)?);
                if a.len() * b.len() > FEW * FEW / 4 {
                    return None;
                }
                let pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
                pairs
                    .map(|(x, y)| apply(*op, x, y))
                    .collect::<Option<_>>()?
            }
            Term::Ite(condition, then, otherwise) => match self.values(*condition).as_deref() {
                Some([Value::Bool(true)]) => self.values(*then)?.to_vec(),
                Some([Value::Bool(false)]) => self.values(*otherwise)?.to_vec(),
                _ => [self.values(*then)?, self.values(*otherwise)?].concat(),
            },
            Term::Set(members) => {
                let mut values = Vec::new();
                for &member in members {
                    values.extend_from_slice(&self.values(member)?);
                }
                values
            }
            Term::Member(..) => both(),
            Term::Count(conditions) => (0..=conditions.len() as i64).map(Value::Int).collect(),
        };
        Some(values)
    }
}
