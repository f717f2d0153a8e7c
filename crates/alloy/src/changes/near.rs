//! Changes of one or two tokens: operators, quantifiers, multiplicities, numbers, and parts left out.

use wherefore_base::Span;
use wherefore_model::ChangeKind;

use super::{Changes, Surroundings, compares};
use crate::ast::{
    AlloyBinaryOp, AlloyExprId, AlloyExprKind, AlloyQuantifier, AlloyUnaryOp, Constant, SigDecl,
};
use crate::model::{AlloyModel, SigId};
use crate::token::Token;
use crate::types::AlloyType;

const COMPARISONS: [&str; 8] = ["=", "!=", "in", "!in", "<", "<=", ">", ">="];
/// Declarations are rarer to blame than what is said of them.
const DECLARED: usize = 3;
const MULTIPLICITIES: [&str; 4] = ["one", "lone", "some", "set"];

impl Changes<'_> {
    pub(super) fn near(&mut self, id: AlloyExprId, around: Surroundings) {
        use AlloyUnaryOp as U;
        let span = self.span(id);
        match self.kind(id).clone() {
            AlloyExprKind::Number(value) => {
                for other in [value + 1, value - 1] {
                    self.add(span, other.to_string(), span, ChangeKind::Value, 0);
                }
            }
            AlloyExprKind::Unary(op, a) => match op {
                U::Not if self.span(a) == span => self.compared(a, id, around),
                U::Not => {
                    let inner = self.slice(self.outer(self.span(a))).to_string();
                    self.replace(id, &inner, around, ChangeKind::Negation, 0);
                }
                U::No | U::Some | U::Lone | U::One => {
                    self.first_word(span, &["no", "some", "lone", "one"], 0);
                    self.lifted(id, around);
                }
                U::Closure | U::ReflexiveClosure | U::Transpose => {
                    self.first_word(span, &["^", "*", "~"], 0);
                    let inner = self.slice(self.outer(self.span(a))).to_string();
                    self.replace(id, &inner, Surroundings::Operand, ChangeKind::Operator, 0);
                    self.closed(id);
                }
                _ => {}
            },
            AlloyExprKind::Binary(op, ..) if compares(op) => {
                self.compared(id, id, around);
                self.negated(id, around);
            }
            AlloyExprKind::Binary(op, a, b) => self.connected(id, op, (a, b), around),
            AlloyExprKind::Quantified(quantifier, decls, body) => {
                self.quantified(id, quantifier, around, body);
                let decl = &decls[0];
                if decl.names.len() > 1 && !decl.disj && span.start < decl.names[0].span.start {
                    let at = decl.names[0].span.start as usize;
                    let here = Span::new(self.file, at, at);
                    self.add(here, "disj ", span, ChangeKind::Operator, 0);
                }
            }
            AlloyExprKind::IfElse(_, b, c) => {
                let (then, otherwise) = (self.outer(self.span(b)), self.outer(self.span(c)));
                let between = Span::new(self.file, then.end as usize, otherwise.start as usize);
                let swapped = [otherwise, between, then].map(|span| self.slice(span));
                let text = (then.to(otherwise), swapped.concat());
                self.add_within(self.loose.last().copied(), text, span, ChangeKind::Order, 0);
            }
            AlloyExprKind::Name(..) | AlloyExprKind::Join(..) => {
                if self.is_formula(id) {
                    self.negated(id, around);
                } else {
                    self.closed(id);
                }
            }
            _ => {}
        }
    }

    fn negated(&mut self, id: AlloyExprId, around: Surroundings) {
        let text = format!("not ({})", self.slice(self.span(id)));
        self.replace(id, &text, around, ChangeKind::Negation, 0);
    }

    /// A relation of one signature with itself: its closures and its transpose.
    fn closed(&mut self, id: AlloyExprId) {
        let span = self.span(id);
        let columns = self.types.get(&span);
        let columns = columns.and_then(|ty| super::pool::columns(self.model, ty));
        let Some([a, b]) = columns.as_deref() else {
            return;
        };
        let whole = self.slice(self.outer(span));
        let before = span
            .start
            .checked_sub(1)
            .map(|at| self.text.as_bytes()[at as usize]);
        if before.is_some_and(|byte| b"^*~".contains(&byte)) {
            return;
        }
        let operators: &[&str] = if a == b {
            &["^", "*", "~", "^~"]
        } else {
            &["~"]
        };
        let joined = matches!(self.kind(id), AlloyExprKind::Join(..));
        for operator in operators {
            let text = match joined && whole == self.slice(span) {
                true => format!("{operator}({whole})"),
                false => format!("{operator}{whole}"),
            };
            self.add(self.outer(span), text, span, ChangeKind::Operator, 0);
        }
    }

    /// The other words that may stand first in a stretch of text.
    fn first_word(&mut self, span: Span, words: &[&str], size: usize) {
        let at = self.tokens.partition_point(|t| t.start < span.start);
        let Some(token) = self.tokens.get(at).copied() else {
            return;
        };
        let here = self.of_token(token);
        if !words.contains(&self.slice(here)) {
            return;
        }
        for word in words {
            self.add(here, *word, span, ChangeKind::Operator, size);
        }
    }

    fn of_token(&self, token: Token) -> Span {
        Span::new(self.file, token.start as usize, token.end as usize)
    }

    /// The tokens between two operands, without parentheses.
    fn between(&self, left: Span, right: Span) -> Option<Span> {
        let gap = self.tokens.iter().filter(|token| {
            token.start >= left.end
                && token.end <= right.start
                && !matches!(self.slice(self.of_token(**token)), "(" | ")" | "{" | "}")
        });
        let gap: Vec<Span> = gap.map(|token| self.of_token(*token)).collect();
        Some(gap.first()?.to(*gap.last()?))
    }

    /// `a = b`: other comparisons, and `whole` is the formula with its negation.
    fn compared(&mut self, id: AlloyExprId, whole: AlloyExprId, around: Surroundings) {
        let AlloyExprKind::Binary(_, a, b) = *self.kind(id) else {
            return;
        };
        let span = self.span(whole);
        if let Some(operator) = self.between(self.span(a), self.span(b)) {
            for other in COMPARISONS {
                self.add(operator, other, span, ChangeKind::Operator, 0);
            }
        }
        let integer = |id| {
            self.types
                .get(&self.span(id))
                .is_some_and(|ty| ty.is_integer)
        };
        if !integer(a) && !integer(b) {
            let (left, right) = (self.outer(self.span(a)), self.outer(self.span(b)));
            let (left, right) = (self.slice(left), self.slice(right));
            let apart = format!("no {left} & {right}");
            self.replace(whole, &apart, around, ChangeKind::Operator, 1);
            let meet = format!("some {left} & {right}");
            self.replace(whole, &meet, around, ChangeKind::Operator, 1);
        }
        self.lifted(whole, around);
    }

    /// `a op b`
    fn connected(
        &mut self,
        id: AlloyExprId,
        op: AlloyBinaryOp,
        (a, b): (AlloyExprId, AlloyExprId),
        around: Surroundings,
    ) {
        use AlloyBinaryOp as B;
        let span = self.span(id);
        let logical = matches!(op, B::And | B::Or | B::Implies | B::Iff);
        let others: &[&str] = match op {
            _ if logical => &["and", "or", "implies", "iff"],
            B::Union | B::Difference | B::Intersection => &["+", "-", "&"],
            _ => return,
        };
        let Some(operator) = self.between(self.span(a), self.span(b)) else {
            return;
        };
        let word = self.slice(operator).to_string();
        let same = |other: &&str| -> bool {
            let other: &str = other;
            let signs = [
                ("and", "&&"),
                ("or", "||"),
                ("implies", "=>"),
                ("iff", "<=>"),
            ];
            other != word && !signs.contains(&(other, &word))
        };
        // Another operator may bind more loosely, and take with it what is around the formula.
        let within = match logical {
            true => self.loose.last().copied(),
            false => self.formulas.last().copied(),
        };
        for other in others.iter().copied().filter(same) {
            let text = (operator, other.to_string());
            self.add_within(within, text, span, ChangeKind::Operator, 0);
        }
        let kind = ChangeKind::Dropped;
        for part in [a, b] {
            let text = self.slice(self.outer(self.span(part))).to_string();
            self.replace(id, &text, around, kind, 0);
        }
        let (left, right) = (self.outer(self.span(a)), self.outer(self.span(b)));
        let (left, right) = (self.slice(left).to_string(), self.slice(right).to_string());
        let integer = |id| {
            let ty = self.types.get(&self.span(id));
            ty.is_some_and(|ty| ty.is_integer || self.is_int(ty))
        };
        if integer(a) && integer(b) {
            let name = if op == B::Union { "plus" } else { "minus" };
            let text = format!("{name}[{left}, {right}]");
            self.add(span, text, span, ChangeKind::Operator, 0);
        }
        if logical {
            self.negated(id, around);
            // What a quantifier takes with it may be meant for the part before it only.
            self.grouped(id, op, (a, b), around);
        }
    }

    fn is_int(&self, ty: &AlloyType) -> bool {
        let int = SigId::new(AlloyModel::INT);
        super::pool::columns(self.model, ty).as_deref() == Some(&[int])
    }

    /// `a op (b op2 c)` as `(a op b) op2 c`, and the other way round.
    fn grouped(
        &mut self,
        id: AlloyExprId,
        op: AlloyBinaryOp,
        (a, b): (AlloyExprId, AlloyExprId),
        around: Surroundings,
    ) {
        use AlloyBinaryOp as B;
        let logical = |op: AlloyBinaryOp| matches!(op, B::And | B::Or | B::Implies | B::Iff);
        let text = |id| self.slice(self.outer(self.span(id)));
        let word = |op| match op {
            B::And => "and",
            B::Or => "or",
            B::Implies => "implies",
            _ => "iff",
        };
        let mut found = Vec::new();
        if let AlloyExprKind::Binary(inner, b, c) = *self.kind(b)
            && logical(inner)
        {
            let [a, b, c] = [a, b, c].map(text);
            found.push(format!("({a} {} {b}) {} {c}", word(op), word(inner)));
        }
        if let AlloyExprKind::Binary(inner, first, second) = *self.kind(a)
            && logical(inner)
        {
            let [a, b, c] = [first, second, b].map(text);
            found.push(format!("{a} {} ({b} {} {c})", word(inner), word(op)));
        }
        for text in found {
            self.replace(id, &text, around, ChangeKind::Order, 0);
        }
    }

    fn quantified(
        &mut self,
        id: AlloyExprId,
        quantifier: AlloyQuantifier,
        around: Surroundings,
        body: AlloyExprId,
    ) {
        use AlloyQuantifier as Q;
        if matches!(quantifier, Q::Sum | Q::Comprehension) {
            return;
        }
        let span = self.span(id);
        self.first_word(span, &["all", "some", "no", "lone", "one"], 0);
        let inner = self.slice(self.outer(self.span(body))).to_string();
        self.replace(id, &inner, around, ChangeKind::Dropped, 0);
    }

    /// A formula about a whole signature as one about each of its atoms.
    fn lifted(&mut self, id: AlloyExprId, around: Surroundings) {
        let span = self.span(id);
        let mut open = vec![id];
        let mut found = Vec::new();
        while let Some(at) = open.pop() {
            match self.kind(at) {
                AlloyExprKind::Unary(_, a) => open.push(*a),
                AlloyExprKind::Binary(_, a, b) | AlloyExprKind::Join(a, b) => open.extend([*a, *b]),
                AlloyExprKind::Name(..) => {
                    let name = self.slice(self.span(at));
                    let mut sigs = self.model.declared();
                    if sigs.any(|(_, sig)| sig.label == name && sig.mult.is_none()) {
                        found.push(self.span(at));
                    }
                }
                AlloyExprKind::Constant(Constant::Int) => found.push(self.span(at)),
                _ => {}
            }
        }
        for at in found {
            let before = Span::new(self.file, span.start as usize, at.start as usize);
            let after = Span::new(self.file, at.end as usize, span.end as usize);
            let text = format!(
                "all each: {} | {}each{}",
                self.slice(at),
                self.slice(before),
                self.slice(after)
            );
            self.replace(id, &text, around, ChangeKind::Added, 2);
        }
    }

    /// The multiplicities of a signature and of its fields.
    pub(super) fn of_sig(&mut self, sig: &SigDecl) {
        let at = self
            .tokens
            .partition_point(|t| t.start < sig.name.span.start);
        let before: Vec<Span> = (at.saturating_sub(2)..at)
            .map(|at| self.of_token(self.tokens[at]))
            .collect();
        if let [mult, word] = before[..]
            && self.slice(word) == "sig"
        {
            let place = sig.name.span;
            if MULTIPLICITIES.contains(&self.slice(mult)) {
                for other in &MULTIPLICITIES[..3] {
                    self.add(mult, *other, place, ChangeKind::Operator, DECLARED);
                }
                let word = Span::new(self.file, mult.start as usize, word.start as usize);
                self.add(word, "", place, ChangeKind::Dropped, DECLARED);
            } else if !sig.is_enum {
                let here = Span::new(self.file, word.start as usize, word.start as usize);
                for other in ["one ", "lone ", "some "] {
                    self.add(here, other, place, ChangeKind::Operator, DECLARED);
                }
            }
        }
        for decl in &sig.fields {
            let span = self.span(decl.bound);
            match self.kind(decl.bound) {
                AlloyExprKind::Unary(..) => self.first_word(span, &MULTIPLICITIES, DECLARED),
                AlloyExprKind::Name(..) => {
                    let here = Span::new(self.file, span.start as usize, span.start as usize);
                    for other in ["lone ", "some ", "set "] {
                        self.add(here, other, span, ChangeKind::Operator, DECLARED);
                    }
                }
                _ => {}
            }
        }
    }
}
