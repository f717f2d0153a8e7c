//! Small changes of a model that somebody may have meant to write instead.
//!
//! A change is text for a stretch of the text, so that what is shown to people is what is read and checked again. The
//! kinds of change are those that tools for the repair of Alloy models found useful (Wang, Sullivan, Khurshid 2018; Gutiérrez
//! Brida and others 2021): another operator, quantifier or multiplicity, another variable, field or expression of the same
//! type, a part left out, a guard or a further part. Types are looked at roughly here: a change that does not fit is refused
//! when its text is read.

mod near;
mod pool;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use wherefore_base::{Effort, FileId, Names, SourceMap, Span};
use wherefore_model::{ChangeKind, TextChange};

use crate::ast::{AlloyBinaryOp, AlloyExprId, AlloyExprKind, AlloyModule, AlloyUnaryOp, Decl};
use crate::changes::pool::{Pool, TypedText};
use crate::lexer::{self, Edition};
use crate::model::{AlloyModel, AlloyTermId, AlloyTermKind, Command, CommandGoal, FunctionId};
use crate::parser;
use crate::token::Token;
use crate::types::AlloyType;

/// A change of an Alloy model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AlloyChange {
    /// Whether it changes what only checks speak of, which is rather what is asked than what is described.
    pub asserted: bool,
    /// The change.
    pub change: TextChange,
    /// How much is written anew; 0 for one token in the place of another.
    pub size: usize,
    /// The smallest formula that it is within: the changed text has another formula there, and nothing else differs. None
    /// where it changes a declaration, or a function outside of any formula.
    pub within: Option<Span>,
    /// The predicate or function that it changes, if it does.
    pub function: Option<FunctionId>,
}

/// The changes of the model in a file, in the order of their places. What commands and assertions say is left as it is.
pub fn changes(sources: &SourceMap, file: FileId, model: &AlloyModel) -> Vec<AlloyChange> {
    let (mut names, effort) = (Names::default(), Effort::default());
    let read = parser::module(sources, file, &mut names, None, &effort);
    if read.report.failed() {
        return Vec::new();
    }
    let text = sources.file(file).text();
    let (tokens, _) = lexer::tokens(file, text, Edition::Six, &effort);
    let types = model.terms.iter().filter(|term| term.span.file == file);
    let vars = model.vars.iter().filter(|var| var.span.file == file);
    let described = described(model);
    let own = |id: &FunctionId| model.functions[*id].span.file == file;
    // Where nothing but checks speaks of predicates, they are all that there is to change.
    let only_checks = model.facts.is_empty() && !described.iter().any(own);
    let asserted = model.functions.entries().filter(|(id, function)| {
        own(id) && !described.contains(id) && function.body.is_some() && !only_checks
    });
    let functions = model.functions.entries().filter(|(id, _)| own(id));
    let mut changes = Changes {
        text,
        file,
        names: &names,
        module: &read.module,
        tokens: tokens.iter().filter(|t| t.start < t.end).copied().collect(),
        types: types.map(|term| (term.span, &term.ty)).collect(),
        vars: vars.map(|var| (var.span, &var.ty)).collect(),
        asserted: asserted.map(|(id, _)| id).collect(),
        functions: functions
            .map(|(id, function)| (function.span.start, id))
            .collect(),
        function: None,
        formulas: Vec::new(),
        loose: Vec::new(),
        model,
        scope: Vec::new(),
        pool: Pool::default(),
        found: BTreeMap::new(),
    };
    changes.all();
    changes.found.into_values().collect()
}

/// The predicates and functions that facts, signatures and runs use.
fn described(model: &AlloyModel) -> BTreeSet<FunctionId> {
    let runs = model.commands.iter().filter(|command| !command.check);
    used_by(model, runs)
}

/// The predicates and functions that facts, signatures and some commands use.
pub fn used_by<'m>(
    model: &'m AlloyModel,
    commands: impl IntoIterator<Item = &'m Command>,
) -> BTreeSet<FunctionId> {
    let facts = model.facts.iter().map(|fact| fact.body);
    let bounds = model.sigs.iter().flat_map(|sig| {
        let bounds = sig.decls.iter().map(|decl| decl.bound);
        bounds.chain(sig.fact)
    });
    let mut open: Vec<AlloyTermId> = facts.chain(bounds).collect();
    let mut found = BTreeSet::new();
    for command in commands {
        match command.goal {
            CommandGoal::Formula(term) => open.push(term),
            CommandGoal::Function(function) => {
                found.insert(function);
                open.extend(model.functions[function].body);
            }
        }
    }
    let mut seen: BTreeSet<AlloyTermId> = BTreeSet::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        let kind = &model.terms[term].kind;
        if let AlloyTermKind::Call(function, _) = kind
            && found.insert(*function)
        {
            open.extend(model.functions[*function].body);
        }
        open.extend(kind.operands());
    }
    found
}

/// A text without its comments; what they were is blank.
pub fn without_comments(sources: &SourceMap, file: FileId) -> String {
    let text = sources.file(file).text();
    let (tokens, _) = lexer::tokens(file, text, Edition::Six, &Effort::default());
    let mut bytes: Vec<u8> = text.bytes().collect();
    let mut at = 0;
    let ends = tokens.iter().map(|token| (token.start, token.end));
    for (start, end) in ends.chain([(text.len() as u32, text.len() as u32)]) {
        for byte in &mut bytes[at.min(start as usize)..start as usize] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end as usize;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}

struct Changes<'a> {
    text: &'a str,
    file: FileId,
    names: &'a Names,
    module: &'a AlloyModule,
    tokens: Vec<Token>,
    types: FxHashMap<Span, &'a AlloyType>,
    vars: FxHashMap<Span, &'a AlloyType>,
    /// The predicates and functions that only checks use.
    asserted: BTreeSet<FunctionId>,
    /// Where the names of predicates and functions begin.
    functions: BTreeMap<u32, FunctionId>,
    /// The one at hand.
    function: Option<FunctionId>,
    /// The formulas around the expression at hand, and those of them that end where their line, block or parentheses end: nothing
    /// that is written in these belongs to what is around them.
    formulas: Vec<Span>,
    loose: Vec<Span>,
    model: &'a AlloyModel,
    /// The variables that may be used at hand.
    scope: Vec<TypedText>,
    /// What may be written at hand, made of these variables.
    pool: Pool,
    found: BTreeMap<(Span, String), AlloyChange>,
}

/// What an expression stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surroundings {
    /// It ends where its line or block ends, and any operator may be at its top.
    Loose,
    /// It is an operand.
    Operand,
}

impl<'a> Changes<'a> {
    fn all(&mut self) {
        for sig in &self.module.sigs {
            self.of_sig(sig);
            if let Some(fact) = sig.fact {
                self.paragraph(fact, &[]);
            }
        }
        for (_, body) in &self.module.facts {
            self.paragraph(*body, &[]);
        }
        for function in &self.module.functions {
            self.function = self.functions.get(&function.name.span.start).copied();
            self.paragraph(function.body, &function.params);
            self.function = None;
        }
    }

    fn paragraph(&mut self, body: AlloyExprId, params: &[Decl]) {
        self.scope.clear();
        for decl in params {
            self.declare(decl);
        }
        self.fill_pool();
        self.expression(body, Surroundings::Loose);
    }

    fn declare(&mut self, decl: &Decl) {
        for name in &decl.names {
            let text = self.names.text(name.symbol).to_string();
            self.scope.retain(|known| known.text != text);
            if let Some(ty) = self.vars.get(&name.span)
                && let Some(columns) = pool::columns(self.model, ty)
            {
                self.scope.push(TypedText { text, columns });
            }
        }
    }

    fn fill_pool(&mut self) {
        self.pool = Pool::new(self.model, self.file, &self.scope);
    }

    fn kind(&self, id: AlloyExprId) -> &'a AlloyExprKind {
        &self.module.exprs[id].kind
    }

    fn span(&self, id: AlloyExprId) -> Span {
        self.module.exprs[id].span
    }

    fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// An expression with the parentheses around it.
    fn outer(&self, span: Span) -> Span {
        let mut span = span;
        loop {
            let before = self.tokens.partition_point(|t| t.end <= span.start);
            let after = self.tokens.partition_point(|t| t.start < span.end);
            let (Some(open), Some(close)) = (
                before.checked_sub(1).map(|at| self.tokens[at]),
                self.tokens.get(after),
            ) else {
                return span;
            };
            let sign = |token: &Token| &self.text[token.start as usize..token.end as usize];
            if sign(&open) != "(" || sign(close) != ")" {
                return span;
            }
            span = Span::new(self.file, open.start as usize, close.end as usize);
        }
    }

    fn add(
        &mut self,
        span: Span,
        text: impl Into<String>,
        place: Span,
        kind: ChangeKind,
        size: usize,
    ) {
        let within = self.formulas.last().copied();
        self.add_within(within, (span, text.into()), place, kind, size);
    }

    /// Adds a change that is within a formula.
    fn add_within(
        &mut self,
        within: Option<Span>,
        (span, text): (Span, String),
        place: Span,
        kind: ChangeKind,
        size: usize,
    ) {
        if self.slice(span) == text {
            return;
        }
        let function = self.function;
        let asserted = function.is_some_and(|function| self.asserted.contains(&function));
        let change = TextChange {
            span,
            text: text.clone(),
            place,
            kind,
        };
        let change = AlloyChange {
            asserted,
            change,
            size,
            within,
            function,
        };
        self.found.entry((span, text)).or_insert(change);
    }

    /// Replaces an expression by another one.
    fn replace(
        &mut self,
        id: AlloyExprId,
        by: &str,
        around: Surroundings,
        kind: ChangeKind,
        size: usize,
    ) {
        let span = self.span(id);
        let text = match around {
            Surroundings::Loose => by.to_string(),
            Surroundings::Operand => wrapped(by),
        };
        self.add(span, text, span, kind, size);
    }

    fn is_formula(&self, id: AlloyExprId) -> bool {
        use AlloyBinaryOp as B;
        use AlloyUnaryOp as U;
        match self.kind(id) {
            AlloyExprKind::Binary(op, ..) => {
                compares(*op) || matches!(op, B::And | B::Or | B::Iff | B::Implies)
            }
            AlloyExprKind::Unary(op, _) => {
                matches!(op, U::Not | U::No | U::Some | U::Lone | U::One)
            }
            _ => self
                .types
                .get(&self.span(id))
                .is_some_and(|ty| ty.is_formula),
        }
    }

    /// The changes at an expression and below it.
    fn expression(&mut self, id: AlloyExprId, around: Surroundings) {
        let (formulas, loose) = (self.formulas.len(), self.loose.len());
        let span = self.span(id);
        if self.is_formula(id) {
            self.formulas.push(span);
            if around == Surroundings::Loose || self.outer(span) != span {
                self.loose.push(span);
            }
        }
        self.expression_here(id, around);
        self.formulas.truncate(formulas);
        self.loose.truncate(loose);
    }

    fn expression_here(&mut self, id: AlloyExprId, around: Surroundings) {
        self.near(id, around);
        if self.is_formula(id) {
            self.of_formula(id, around);
        } else {
            self.of_set(id);
        }
        match self.kind(id).clone() {
            AlloyExprKind::Unary(op, a) => {
                let negated = op == AlloyUnaryOp::Not && self.span(a) == self.span(id);
                if !negated {
                    self.expression(a, Surroundings::Operand);
                } else if let AlloyExprKind::Binary(_, left, right) = *self.kind(a) {
                    self.expression(left, Surroundings::Operand);
                    self.expression(right, Surroundings::Operand);
                }
            }
            AlloyExprKind::Binary(_, a, b)
            | AlloyExprKind::Arrow(_, _, a, b)
            | AlloyExprKind::Join(a, b) => {
                self.expression(a, Surroundings::Operand);
                self.expression(b, Surroundings::Operand);
            }
            AlloyExprKind::IfElse(a, b, c) => {
                for part in [a, b, c] {
                    self.expression(part, Surroundings::Operand);
                }
            }
            AlloyExprKind::Let(name, value, body) => {
                self.expression(value, Surroundings::Operand);
                let outside = self.scope.clone();
                let text = self.names.text(name.symbol).to_string();
                self.scope.retain(|known| known.text != text);
                self.expression(body, Surroundings::Loose);
                self.scope = outside;
                self.fill_pool();
            }
            AlloyExprKind::Quantified(_, decls, body) => {
                let outside = self.scope.clone();
                for decl in &decls {
                    self.expression(decl.bound, Surroundings::Operand);
                    self.declare(decl);
                    self.fill_pool();
                }
                self.expression(body, Surroundings::Loose);
                self.scope = outside;
                self.fill_pool();
            }
            AlloyExprKind::Block(parts) => {
                let several = parts.len() > 1;
                for part in parts {
                    let whole = self.outer(self.span(part));
                    // Without its only part, a paragraph would say nothing.
                    if several {
                        let (place, kind) = (self.span(part), ChangeKind::Dropped);
                        self.add_within(Some(place), (whole, String::new()), place, kind, 0);
                    }
                    let around = if whole == self.span(part) {
                        Surroundings::Loose
                    } else {
                        Surroundings::Operand
                    };
                    self.expression(part, around);
                }
            }
            _ => {}
        }
    }

    /// A formula with a guard, with a further part, or another one in its place.
    fn of_formula(&mut self, id: AlloyExprId, around: Surroundings) {
        use AlloyBinaryOp as B;
        let span = self.span(id);
        let own = self.slice(span).to_string();
        let own = match self.kind(id) {
            AlloyExprKind::Block(_) => return,
            AlloyExprKind::Binary(B::And | B::Or | B::Iff | B::Implies, ..)
            | AlloyExprKind::IfElse(..)
            | AlloyExprKind::Quantified(..)
            | AlloyExprKind::Let(..) => format!("({own})"),
            _ => own,
        };
        let guards = self.pool.sets().map(|set| {
            (
                format!("some {} implies {own}", set.text),
                set.text.len() / 3,
            )
        });
        let guards: Vec<(String, usize)> = guards.collect();
        for (text, size) in guards {
            self.replace(id, &text, around, ChangeKind::Added, 2 + size);
        }
        let formulas: Vec<String> = self.pool.formulas().to_vec();
        for formula in formulas {
            let size = 4 + formula.len() / 3;
            for (operator, more) in [("and", 0), ("or", 1)] {
                let text = format!("{own} {operator} {formula}");
                self.replace(id, &text, around, ChangeKind::Added, size + more);
            }
            self.replace(id, &formula, around, ChangeKind::Added, size + 1);
        }
    }

    /// A set or relation, and others of its type in its place.
    fn of_set(&mut self, id: AlloyExprId) {
        let span = self.span(id);
        let Some(columns) = self
            .types
            .get(&span)
            .and_then(|ty| pool::columns(self.model, ty))
        else {
            return;
        };
        let others: Vec<TypedText> = self.pool.of_type(&columns).cloned().collect();
        for other in others {
            let size = other.text.len() / 3;
            let near = other.text.chars().all(|c| c.is_alphanumeric() || c == '_')
                && matches!(self.kind(id), AlloyExprKind::Name(..));
            let (kind, size) = match near {
                true => (ChangeKind::Value, 0),
                false => (ChangeKind::Choice, 1 + size),
            };
            self.replace(id, &other.text, Surroundings::Operand, kind, size);
        }
    }
}

/// A text as an operand: in parentheses unless it is a name or a chain of joins.
fn wrapped(text: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '/' | '^' | '*' | '~');
    let enclosed = text.starts_with('(') && text.ends_with(')') && text.matches('(').count() == 1;
    if text.chars().all(plain) || enclosed {
        text.to_string()
    } else {
        format!("({text})")
    }
}

/// Whether an operator compares two sets or integers.
fn compares(op: AlloyBinaryOp) -> bool {
    use AlloyBinaryOp as B;
    matches!(
        op,
        B::In | B::Equal | B::Less | B::Greater | B::LessEqual | B::GreaterEqual
    )
}
