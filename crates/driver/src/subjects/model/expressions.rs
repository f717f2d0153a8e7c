//! Expressions of the user in the language of a model: what is shown, what tells runs apart, conditions on states.

use wherefore_base::{Budget, Diagnostic, SourceFile, Span, Value};
use wherefore_logic::{Goal, Op, SubId};
use wherefore_model::{BinaryOp, Model, PropertyBody, Query, Support, Term, TermId, VarKind};
use wherefore_view::{Shown, StateName, clean, quoted};

use super::{BEFORE, EXPRESSION, FORMULA, ModelSubject, ask_under};
use crate::refusal::{Refusal, Rejected};

impl ModelSubject {
    /// Adds an expression over the present state that every view shows next to the variables.
    pub fn show(&mut self, text: &str) -> Result<(), Rejected> {
        let term = self.term(text)?;
        let text = one_line(text);
        self.shown.push(Shown { text, term });
        Ok(())
    }

    /// Adds an expression over the present state; runs along which all of these take the same values can
    /// be taken as the same.
    pub fn add_distinct_by(&mut self, text: &str) -> Result<(), Rejected> {
        let term = self.term(text)?;
        self.distinct_by.push(term);
        Ok(())
    }

    /// The expressions that [`ModelSubject::add_distinct_by`] added, for the options of a job.
    pub fn distinct_by(&self) -> &[TermId] {
        &self.distinct_by
    }

    /// Reads an expression over the present state and makes sure that it has a value in every state.
    ///
    /// # Errors
    /// What is wrong with the expression, or that the budget ended.
    pub fn expression(&mut self, text: &str, budget: &Budget) -> Result<TermId, Refusal> {
        let before = self.model.obligations.len();
        let term = self.term(text)?;
        self.discharge_new(before, budget)?;
        Ok(term)
    }

    /// Reads a formula without adding it to the properties, and makes sure that its atoms have a value
    /// in every state.
    ///
    /// # Errors
    /// What is wrong with the formula, or that the budget ended.
    pub fn query(&mut self, text: &str, budget: &Budget) -> Result<Query, Refusal> {
        let before = self.model.obligations.len();
        let file = self.sources.add(SourceFile::new(FORMULA, text));
        let read = (self.reader).formula(&mut self.model, &self.sources, file, "");
        let mut property = read.map_err(|diagnostics| self.rejected(diagnostics))?;
        if let Some(rule) = self.paths {
            ask_under(&mut property, rule);
        }
        self.discharge_new(before, budget)?;
        let why = match property.body {
            PropertyBody::Query(query) => return Ok(query),
            PropertyBody::Linear(_) | PropertyBody::Distance(_) => {
                "this asks for a formula about a state, of CTL".to_string()
            }
            PropertyBody::Unsupported(why) => why,
        };
        let wrong = Diagnostic::error(property.span, why);
        Err(self.rejected(vec![wrong]).into())
    }

    /// Reads an expression over the present state.
    fn term(&mut self, text: &str) -> Result<TermId, Rejected> {
        let file = self.sources.add(SourceFile::new(EXPRESSION, text));
        let read = (self.reader).expression(&mut self.model, &self.sources, file);
        let term = read.map_err(|diagnostics| self.rejected(diagnostics))?;
        let support = Support::of(&self.model, [term]);
        let input = |var: &_| self.model.vars[*var].kind == VarKind::Input;
        if !support.next.is_empty() || support.now.iter().any(input) {
            let span = Span::new(file, 0, text.len());
            let message = "a shown expression speaks about one state, but this one reads an input or the next state";
            return Err(self.rejected(vec![Diagnostic::error(span, message)]));
        }
        Ok(term)
    }

    /// Reads a condition on the present state: an expression that is true or false in every state.
    ///
    /// # Errors
    /// What is wrong with the expression, or that the budget ended.
    pub fn condition(&mut self, text: &str, budget: &Budget) -> Result<TermId, Refusal> {
        let term = self.expression(text, budget)?;
        // A part of a formula must be true or false: whoever reads formulas makes sure.
        self.query(&format!("{BEFORE}{text})"), budget)?;
        Ok(term)
    }

    /// Reads the condition that stands at a place; messages speak of that place.
    ///
    /// # Errors
    /// As [`ModelSubject::condition`].
    pub(crate) fn condition_at(&mut self, span: Span, budget: &Budget) -> Result<TermId, Refusal> {
        let text = self.sources.text(span).to_string();
        self.condition(&text, budget).map_err(|refusal| {
            let Refusal::Rejected(mut rejected) = refusal else {
                return refusal;
            };
            let Rejected {
                sources,
                diagnostics,
            } = &mut rejected;
            for label in diagnostics.iter_mut().flat_map(|d| &mut d.labels) {
                let before = match sources.file(label.span.file).name() {
                    EXPRESSION => 0,
                    FORMULA => BEFORE.len(),
                    _ => continue,
                };
                let place = |at: u32| span.start as usize + (at as usize).saturating_sub(before);
                let (start, end) = (place(label.span.start), place(label.span.end));
                label.span = Span::new(span.file, start, end.min(span.end as usize));
            }
            Refusal::Rejected(rejected)
        })
    }

    /// The condition that a proposition of a property is true or false, as a term; `None` when it is no proposition.
    pub(crate) fn proposition(&mut self, property: usize, goal: Goal) -> Option<TermId> {
        let query = self.model.properties[property].body.query()?.clone();
        if !query.formula.propositional()[goal.sub] {
            return None;
        }
        let mut terms: Vec<Option<TermId>> = vec![None; query.formula.len()];
        // Operands come before what is made of them.
        for sub in query.formula.subs() {
            let of = |sub: SubId| terms[sub.index()];
            let binary = |op, f, g| Some(Term::Binary(op, of(f)?, of(g)?));
            let term = match query.formula.op(sub) {
                Op::Atom(atom) => {
                    terms[sub.index()] = Some(query.atoms[atom]);
                    continue;
                }
                Op::Const(truth) => Some(Term::Const(Value::Bool(truth))),
                Op::Not(f) => of(f).map(Term::Not),
                Op::And(f, g) => binary(BinaryOp::And, f, g),
                Op::Or(f, g) => binary(BinaryOp::Or, f, g),
                Op::Implies(f, g) => binary(BinaryOp::Implies, f, g),
                Op::Iff(f, g) => binary(BinaryOp::Equal, f, g),
                Op::Xor(f, g) => binary(BinaryOp::Unequal, f, g),
                Op::Path(..) | Op::Linear(_) => None,
            };
            terms[sub.index()] = term.map(|term| self.model.terms.add(term, None));
        }
        let term = terms[goal.sub.index()]?;
        Some(match goal.holds {
            true => term,
            false => self.model.terms.add(Term::Not(term), None),
        })
    }

    /// Takes a name for states: `Idle: floor = 1 & door = closed`.
    ///
    /// # Errors
    /// When there is no name or the condition is wrong, or that the budget ended.
    pub(super) fn add_name(&mut self, text: &str, budget: &Budget) -> Result<(), Refusal> {
        let text = one_line(text);
        let file = self.add_source("--name", &text);
        let whole = Span::new(file, 0, text.len());
        let wrong = |message: &str| {
            let help =
                "a name stands before its condition, as in `Idle: floor = 1 & door = closed`";
            Diagnostic::error(whole, message).help(help)
        };
        let Some((name, condition)) = text.split_once(':') else {
            return Err(self.rejected(vec![wrong("there is no `:`")]).into());
        };
        let name = name.trim();
        if name.is_empty() || self.names.iter().any(|known| known.name == name) {
            let message = match name.is_empty() {
                true => "there is no name before the `:`".to_string(),
                false => format!("`{}` is the name of other states", clean(name)),
            };
            return Err(self.rejected(vec![wrong(&message)]).into());
        }
        let start = text.len() - condition.trim_start().len();
        let span = Span::new(file, start, text.len());
        let name = StateName {
            name: name.to_string(),
            text: condition.trim().to_string(),
            condition: self.condition_at(span, budget)?,
        };
        self.names.push(name);
        self.reading.push_str(&format!(" --name {}", quoted(&text)));
        Ok(())
    }

    /// Discharges the obligations from a number on, which then are no longer needed.
    fn discharge_new(&mut self, before: usize, budget: &Budget) -> Result<(), Refusal> {
        let fresh = self.model.obligations.split_off(before);
        if fresh.is_empty() {
            return Ok(());
        }
        let probe = Model {
            obligations: fresh,
            ..self.model.clone()
        };
        self.discharge(&probe, budget)
    }
}

/// A text with single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
