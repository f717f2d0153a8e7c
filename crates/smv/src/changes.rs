//! Small changes of a program that somebody may have meant to write instead.
//!
//! A change is text for a stretch of the text, so that what is shown to people is what is read and checked again. Nothing
//! is typed here: a change that does not fit is refused when its text is read.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Effort, FileId, SourceMap, Span, Symbol, Value};
use wherefore_model::{ChangeKind, TextChange};

use crate::ast::{
    CaseBranch, ModuleItem, SmvBinaryOp, SmvExprId, SmvExprKind, SmvProgramText, SmvUnaryOp,
    TypeDecl,
};
use crate::lexer;
use crate::token::{SmvToken, Token};

#[cfg(test)]
mod tests;

/// At most so many different values of branches are tried as the values of further ones.
const BRANCH_VALUES: usize = 6;
/// At most so many comparisons of a module are tried as further parts of conditions, and so many of its names.
const PARTS: usize = 24;

/// The changes of the program in a file, in the order of their places.
pub(crate) fn changes(sources: &SourceMap, file: FileId) -> Vec<TextChange> {
    let (program, diagnostics) = crate::ast::parse(sources, file);
    if diagnostics.iter().any(wherefore_base::Diagnostic::is_error) {
        return Vec::new();
    }
    let text = sources.file(file).text();
    let (tokens, _) = lexer::tokens(file, text, &Effort::default());
    let mut changes = Changes {
        text,
        values: values(&program),
        program: &program,
        tokens,
        parts: Vec::new(),
        of_argument: false,
        found: BTreeSet::new(),
    };
    for module in &program.modules {
        let roots: Vec<SmvExprId> = module.items.iter().flat_map(behaviour).collect();
        changes.parts = changes.conditions(&roots);
        for item in &module.items {
            changes.of_argument = matches!(item, ModuleItem::Var(..));
            for root in behaviour(item) {
                changes.of_root(root);
            }
            if let ModuleItem::Constraint(_, body) = item {
                for case in changes.disjuncts(*body) {
                    changes.with_parts(case, &["&"]);
                }
            }
        }
    }
    changes.found.into_iter().collect()
}

/// The expressions of an item that say how the system behaves.
fn behaviour(item: &ModuleItem) -> Vec<SmvExprId> {
    match item {
        ModuleItem::Define(define) => vec![define.body],
        ModuleItem::Assign(assign) => vec![assign.value],
        ModuleItem::Constraint(_, body) | ModuleItem::Justice(body) => vec![*body],
        ModuleItem::Compassion(first, second) => vec![*first, *second],
        ModuleItem::Var(
            _,
            _,
            TypeDecl::Instance(_, arguments, _) | TypeDecl::Process(_, arguments, _),
        ) => arguments.clone(),
        _ => Vec::new(),
    }
}

/// For each symbolic constant the others of its enumerations, in the order in which they are declared.
fn values(program: &SmvProgramText) -> BTreeMap<Symbol, Vec<Symbol>> {
    let mut others: BTreeMap<Symbol, Vec<Symbol>> = BTreeMap::new();
    let items = program.modules.iter().flat_map(|module| &module.items);
    for item in items {
        let ModuleItem::Var(_, _, declared) = item else {
            continue;
        };
        let mut declared = declared;
        while let TypeDecl::Array(_, _, of) = declared {
            declared = of;
        }
        let TypeDecl::Enum(listed, _) = declared else {
            continue;
        };
        let symbols = listed.iter().filter_map(|item| match item.value {
            Value::Symbol(symbol) => Some(symbol),
            _ => None,
        });
        let symbols: Vec<Symbol> = symbols.collect();
        for &symbol in &symbols {
            let known = others.entry(symbol).or_default();
            for &other in symbols.iter().filter(|&&other| other != symbol) {
                if !known.contains(&other) {
                    known.push(other);
                }
            }
        }
    }
    others
}

/// A condition that may be missing somewhere.
#[derive(Clone, Copy)]
struct ConditionPart<'a> {
    text: &'a str,
    negated: bool,
}

impl ConditionPart<'_> {
    fn written(self) -> String {
        let sign = if self.negated { "!" } else { "" };
        format!("{sign}{}", self.text)
    }
}

struct Changes<'a> {
    text: &'a str,
    program: &'a SmvProgramText,
    tokens: Vec<Token>,
    values: BTreeMap<Symbol, Vec<Symbol>>,
    /// Conditions of the module at hand: its comparisons as they are written, then its names, also negated.
    parts: Vec<ConditionPart<'a>>,
    /// Whether the expression at hand is an argument of an instance.
    of_argument: bool,
    found: BTreeSet<TextChange>,
}

impl<'a> Changes<'a> {
    fn kind(&self, id: SmvExprId) -> &'a SmvExprKind {
        &self.program.exprs[id].kind
    }

    fn span(&self, id: SmvExprId) -> Span {
        self.program.exprs[id].span
    }

    fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn add(&mut self, span: Span, text: impl Into<String>, place: Span, kind: ChangeKind) {
        let text = text.into();
        let kind = match self.of_argument {
            true => ChangeKind::Argument,
            false => kind,
        };
        if self.slice(span) != text {
            self.found.insert(TextChange {
                span,
                text,
                place,
                kind,
            });
        }
    }

    /// The conditions under the roots that are no conjunctions or disjunctions of others.
    fn conditions(&self, roots: &[SmvExprId]) -> Vec<ConditionPart<'a>> {
        let (mut comparisons, mut names): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let mut open: Vec<SmvExprId> = roots.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            let kind = self.kind(id);
            let is_case = |operand: &SmvExprId| matches!(self.kind(*operand), SmvExprKind::Case(_));
            let put = |found: &mut Vec<&'a str>, part: SmvExprId| {
                let text = self.slice(self.span(part));
                if !found.contains(&text) && found.len() < PARTS {
                    found.push(text);
                }
            };
            match kind {
                // Nobody would write a whole `case` as a part of a condition.
                SmvExprKind::Binary(op, a, b)
                    if compares(*op) && ![a, b].into_iter().any(is_case) =>
                {
                    put(&mut comparisons, id);
                }
                SmvExprKind::Binary(op, a, b) if connects(*op) => {
                    for part in [*a, *b].into_iter().filter(|&part| self.is_name(part)) {
                        put(&mut names, part);
                    }
                }
                SmvExprKind::Unary(SmvUnaryOp::Not, part) if self.is_name(*part) => {
                    put(&mut names, *part);
                }
                SmvExprKind::Case(branches) => {
                    let conditions = branches.iter().map(|branch| branch.condition);
                    for part in conditions.filter(|&part| self.is_name(part)) {
                        put(&mut names, part);
                    }
                }
                _ => {}
            }
            open.extend(kind.operands().into_iter().rev());
        }
        let part = |negated| move |text| ConditionPart { text, negated };
        let mut parts: Vec<ConditionPart<'_>> = comparisons.into_iter().map(part(false)).collect();
        parts.extend(
            names
                .into_iter()
                .flat_map(|name| [false, true].map(|sign| part(sign)(name))),
        );
        parts
    }

    /// The cases of a constraint: what is joined by `|` only.
    fn disjuncts(&self, body: SmvExprId) -> Vec<SmvExprId> {
        let (mut found, mut open) = (Vec::new(), vec![body]);
        while let Some(id) = open.pop() {
            match self.kind(id) {
                SmvExprKind::Binary(SmvBinaryOp::Or, a, b) => open.extend([*b, *a]),
                _ => found.push(id),
            }
        }
        found
    }

    /// Whether an expression names something that may be a condition.
    fn is_name(&self, id: SmvExprId) -> bool {
        match self.kind(id) {
            SmvExprKind::Name(symbol) => !self.values.contains_key(symbol),
            SmvExprKind::Dot(..) | SmvExprKind::Index(..) | SmvExprKind::Next(_) => true,
            _ => false,
        }
    }

    /// Whether a text is written somewhere in an expression.
    fn mentions(&self, id: SmvExprId, text: &str) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if self.slice(self.span(id)) == text {
                return true;
            }
            open.extend(self.kind(id).operands());
        }
        false
    }

    /// A condition with one more part that must be true, or that is enough.
    fn with_parts(&mut self, condition: SmvExprId, signs: &[&str]) {
        let span = self.span(condition);
        let written = self.slice(span);
        for part in self.parts.clone() {
            if self.mentions(condition, part.text) {
                continue;
            }
            for &sign in signs {
                // `&` binds more than `|`, and both more than the other connectives.
                let grouped = match self.kind(condition) {
                    SmvExprKind::Binary(SmvBinaryOp::And, ..) => false,
                    SmvExprKind::Binary(SmvBinaryOp::Or, ..) => sign == "&",
                    SmvExprKind::Binary(op, ..) => connects(*op),
                    SmvExprKind::Ternary(..) => true,
                    _ => false,
                };
                let with = match grouped {
                    true => format!("({written}) {sign} {}", part.written()),
                    false => format!("{written} {sign} {}", part.written()),
                };
                self.add(span, with, span, ChangeKind::Added);
            }
        }
    }

    /// The changes under an expression that a module has.
    fn of_root(&mut self, root: SmvExprId) {
        // With each expression the outermost one around it that is joined to it by connectives only: another connective
        // may bind otherwise, up to there.
        let mut open = vec![(root, self.span(root))];
        while let Some((id, joined)) = open.pop() {
            let kind = self.kind(id);
            let connects = match kind {
                SmvExprKind::Binary(op, ..) => connects(*op),
                SmvExprKind::Unary(SmvUnaryOp::Not, _) => true,
                _ => false,
            };
            self.of_expression(id, joined);
            for operand in kind.operands() {
                let around = if connects { joined } else { self.span(operand) };
                open.push((operand, around));
            }
        }
    }

    fn of_expression(&mut self, id: SmvExprId, joined: Span) {
        let span = self.span(id);
        match self.kind(id) {
            SmvExprKind::Bool(value) => {
                let other = if *value { "FALSE" } else { "TRUE" };
                self.add(span, other, span, ChangeKind::Value);
            }
            SmvExprKind::Int(number) => {
                for other in [number.checked_sub(1), number.checked_add(1)] {
                    if let Some(other) = other.filter(|&other| other >= 0 || *number < 0) {
                        self.add(span, other.to_string(), span, ChangeKind::Value);
                    }
                }
            }
            SmvExprKind::Name(symbol) => match self.values.get(symbol).cloned() {
                Some(others) => {
                    for other in others {
                        let other = self.program.names.text(other);
                        self.add(span, other, span, ChangeKind::Value);
                    }
                }
                None => self.negate(span),
            },
            SmvExprKind::Dot(..) | SmvExprKind::Index(..) | SmvExprKind::Next(_) => {
                self.negate(span);
            }
            SmvExprKind::Unary(SmvUnaryOp::Not, _) => {
                let sign = Span {
                    end: span.start + 1,
                    ..span
                };
                if self.slice(sign) == "!" {
                    // What binds less than the sign has parentheses, which stay.
                    self.add(sign, "", span, ChangeKind::Negation);
                }
            }
            SmvExprKind::Binary(op, a, b) => self.of_binary(*op, (*a, *b), span, joined),
            SmvExprKind::Set(items) => self.of_set(items, span),
            SmvExprKind::Case(branches) => self.of_case(branches, span),
            _ => {}
        }
    }

    /// A name, negated.
    fn negate(&mut self, span: Span) {
        let at = Span {
            end: span.start,
            ..span
        };
        self.add(at, "!", span, ChangeKind::Negation);
    }

    fn of_binary(
        &mut self,
        op: SmvBinaryOp,
        (a, b): (SmvExprId, SmvExprId),
        span: Span,
        joined: Span,
    ) {
        let others = alternatives(op);
        let place = if connects(op) { joined } else { span };
        if let Some(sign) = self.sign(op, self.span(a), self.span(b)) {
            for other in others {
                self.add(sign, other.sign(), place, ChangeKind::Operator);
            }
        }
        if connects(op) {
            let negated = match self.within_parentheses(span) {
                Some(outer) => (
                    Span {
                        end: outer.start,
                        ..outer
                    },
                    "!".to_owned(),
                ),
                None => (span, format!("!({})", self.slice(span))),
            };
            self.add(negated.0, negated.1, span, ChangeKind::Negation);
        }
        if matches!(op, SmvBinaryOp::And | SmvBinaryOp::Or) {
            for kept in [a, b] {
                let kept = self.span(kept);
                let kept = self.within_parentheses(kept).unwrap_or(kept);
                self.add(span, self.slice(kept), span, ChangeKind::Dropped);
            }
        }
    }

    /// The parentheses right around an expression, if it has some.
    fn within_parentheses(&self, span: Span) -> Option<Span> {
        let before = self.text[..span.start as usize].trim_end();
        let after = self.text[span.end as usize..].trim_start();
        let fits = before.ends_with('(') && after.starts_with(')');
        // The parentheses of `next(..)` and of functions belong to these.
        let free = |byte: u8| !lexer::continues_name(byte);
        let inner = before.strip_suffix('(')?;
        let grouping = inner.trim_end().bytes().last().is_none_or(free);
        (fits && grouping).then(|| {
            Span::new(
                span.file,
                before.len() - 1,
                self.text.len() - after.len() + 1,
            )
        })
    }

    /// The token of an operator between its operands.
    fn sign(&self, op: SmvBinaryOp, left: Span, right: Span) -> Option<Span> {
        let first = self.tokens.partition_point(|token| token.start < left.end);
        let between = self.tokens[first..]
            .iter()
            .take_while(|token| token.end <= right.start && token.kind != SmvToken::End);
        let spans =
            between.map(|token| Span::new(left.file, token.start as usize, token.end as usize));
        spans
            .into_iter()
            .find(|&span| self.slice(span) == op.sign())
    }

    fn of_set(&mut self, items: &[SmvExprId], span: Span) {
        let texts: Vec<&str> = items
            .iter()
            .map(|&item| self.slice(self.span(item)))
            .collect();
        if texts.len() > 1 {
            for left_out in 0..texts.len() {
                let mut kept = texts.clone();
                kept.remove(left_out);
                self.add(
                    span,
                    format!("{{{}}}", kept.join(", ")),
                    span,
                    ChangeKind::Choice,
                );
            }
        }
        let SmvExprKind::Name(symbol) = self.kind(items[0]) else {
            return;
        };
        let Some(others) = self.values.get(symbol).cloned() else {
            return;
        };
        for other in others {
            let other = self.program.names.text(other);
            if !texts.contains(&other) {
                let added = format!("{{{}, {other}}}", texts.join(", "));
                self.add(span, added, span, ChangeKind::Choice);
            }
        }
    }

    fn is_always(&self, branch: &CaseBranch) -> bool {
        *self.kind(branch.condition) == SmvExprKind::Bool(true)
    }

    fn of_case(&mut self, branches: &[CaseBranch], span: Span) {
        for pair in branches.windows(2) {
            if pair.iter().any(|branch| self.is_always(branch)) {
                continue;
            }
            let (first, second) = (pair[0].span, pair[1].span);
            let between = Span {
                start: first.end,
                end: second.start,
                ..first
            };
            let swapped = [second, between, first].map(|part| self.slice(part));
            self.add(first.to(second), swapped.concat(), span, ChangeKind::Order);
        }
        for branch in branches {
            if self.is_always(branch) {
                continue;
            }
            self.with_parts(branch.condition, &["&", "|"]);
        }
        self.further_branches(branches, span);
    }

    /// A branch that is missing: first of all, or right before the one that is taken otherwise.
    fn further_branches(&mut self, branches: &[CaseBranch], span: Span) {
        let mut values: Vec<String> = Vec::new();
        for branch in branches {
            let mut named = vec![self.slice(self.span(branch.value)).to_owned()];
            if let SmvExprKind::Name(symbol) = self.kind(branch.value) {
                let others = self.values.get(symbol).into_iter().flatten();
                named.extend(others.map(|&other| self.program.names.text(other).to_owned()));
            }
            for value in named {
                if !values.contains(&value) && values.len() < BRANCH_VALUES {
                    values.push(value);
                }
            }
        }
        let otherwise = branches.iter().find(|branch| self.is_always(branch));
        let before: BTreeSet<Span> = branches
            .iter()
            .take(1)
            .chain(otherwise)
            .map(|branch| branch.span)
            .collect();
        for next in before {
            let at = Span {
                end: next.start,
                ..next
            };
            // The branch stands on a line of its own if the one after it does.
            let line = self.text[..at.start as usize].rsplit('\n').next();
            let indent = line.filter(|line| line.trim().is_empty());
            let gap = indent.map_or(" ".to_owned(), |indent| format!("\n{indent}"));
            for part in self.parts.clone() {
                for value in &values {
                    let branch = format!("{} : {value};{gap}", part.written());
                    self.add(at, branch, span, ChangeKind::Branch);
                }
            }
        }
    }
}

/// Whether an operator makes a condition of two others.
fn connects(op: SmvBinaryOp) -> bool {
    use SmvBinaryOp as B;
    matches!(op, B::And | B::Or | B::Xor | B::Xnor | B::Implies | B::Iff)
}

/// Whether an operator compares two values.
fn compares(op: SmvBinaryOp) -> bool {
    use SmvBinaryOp as B;
    matches!(
        op,
        B::Equal | B::Unequal | B::Less | B::LessEqual | B::Greater | B::GreaterEqual
    )
}

/// The operators that are easily written for another.
fn alternatives(op: SmvBinaryOp) -> &'static [SmvBinaryOp] {
    use SmvBinaryOp as B;
    match op {
        B::And => &[B::Or],
        B::Or => &[B::And],
        B::Implies => &[B::Iff, B::And],
        B::Iff => &[B::Implies, B::Xor],
        B::Xor => &[B::Iff],
        B::Equal => &[B::Unequal],
        B::Unequal => &[B::Equal],
        B::Less => &[B::LessEqual, B::Greater],
        B::LessEqual => &[B::Less, B::GreaterEqual],
        B::Greater => &[B::GreaterEqual, B::Less],
        B::GreaterEqual => &[B::Greater, B::LessEqual],
        B::Add => &[B::Sub],
        B::Sub => &[B::Add],
        _ => &[],
    }
}
