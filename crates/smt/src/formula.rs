//! Temporal formulas: s-expressions with `ctl.` operators to formulas whose atoms are terms.

use wherefore_base::{Diagnostic, IndexVec, deep, nearest};
use wherefore_logic::{AtomId, Formula, Op, PathOp, Quantifier, SubId};

use crate::script::{MadeItem, SmtScript, attributes};
use crate::sexp::Sexp;
use crate::term::SmtTermId;

/// The temporal operators with the number of their operands.
const OPERATORS: [(&str, usize); 12] = [
    ("ctl.AX", 1),
    ("ctl.EX", 1),
    ("ctl.AF", 1),
    ("ctl.EF", 1),
    ("ctl.AG", 1),
    ("ctl.EG", 1),
    ("ctl.AU", 2),
    ("ctl.EU", 2),
    ("ctl.AW", 2),
    ("ctl.EW", 2),
    ("ctl.AR", 2),
    ("ctl.ER", 2),
];

/// A formula with what its atoms mean.
pub(crate) type ReadFormula = (Formula, IndexVec<AtomId, SmtTermId>);

/// Reads a formula. Connectives are a part of it, and everything below them is an atom.
pub(crate) fn read(script: &mut SmtScript, sexp: &Sexp) -> MadeItem<ReadFormula> {
    let mut reader = CtlTermReader {
        script,
        formula: Formula::new(),
        atoms: IndexVec::new(),
    };
    reader.sub(sexp)?;
    Ok((reader.formula, reader.atoms))
}

/// The formula that every state satisfies a condition: `AG p`.
pub(crate) fn always(script: &mut SmtScript, sexp: &Sexp) -> MadeItem<ReadFormula> {
    let mut reader = CtlTermReader {
        script,
        formula: Formula::new(),
        atoms: IndexVec::new(),
    };
    let inner = reader.sub(sexp)?;
    let always = Op::Path(Quantifier::Forall, PathOp::Globally(inner));
    reader.formula.add(always, Some(sexp.span));
    Ok((reader.formula, reader.atoms))
}

struct CtlTermReader<'s> {
    script: &'s mut SmtScript,
    formula: Formula,
    atoms: IndexVec<AtomId, SmtTermId>,
}

impl CtlTermReader<'_> {
    fn sub(&mut self, sexp: &Sexp) -> MadeItem<SubId> {
        deep(|| self.node(sexp))
    }

    fn add(&mut self, op: Op, sexp: &Sexp) -> SubId {
        self.formula.add(op, Some(sexp.span))
    }

    fn node(&mut self, sexp: &Sexp) -> MadeItem<SubId> {
        let (inner, _) = attributes(sexp);
        if !std::ptr::eq(inner, sexp) {
            return self.sub(inner);
        }
        // A bound name may hide the definition.
        if let Some(definition) = sexp.symbol().and_then(|name| self.script.temporal(name))
            && self.script.is_temporal(sexp)
        {
            let definition = definition.clone();
            return match &definition.source {
                Some(body) if definition.params.is_empty() => self.sub(body),
                _ => Err(Diagnostic::error(
                    sexp.span,
                    format!(
                        "`{}` has parameters and cannot stand in another formula",
                        definition.name
                    ),
                )),
            };
        }
        let Some([_, args @ ..]) = sexp.list() else {
            return self.atom(sexp);
        };
        match (sexp.head().unwrap_or(""), args) {
            ("not", [f]) => {
                let f = self.sub(f)?;
                Ok(self.add(Op::Not(f), sexp))
            }
            ("and", [_, ..]) => self.fold(args, sexp, Op::And),
            ("or", [_, ..]) => self.fold(args, sexp, Op::Or),
            ("=>" | "implies", [_, _, ..]) => self.implies(args, sexp),
            ("let", [bindings, body]) if self.script.is_temporal(body) => {
                self.let_in(bindings, body)
            }
            (name, _) if name.starts_with("ctl.") => self.temporal(name, args, sexp),
            ("xor", [_, _, ..]) if self.script.is_temporal(sexp) => self.fold(args, sexp, Op::Xor),
            ("=", [f, g]) if self.script.is_temporal(sexp) => {
                let (f, g) = (self.sub(f)?, self.sub(g)?);
                Ok(self.add(Op::Iff(f, g), sexp))
            }
            ("ite", [c, f, g]) if self.script.is_temporal(sexp) => {
                let (condition, f) = (self.sub(c)?, self.sub(f)?);
                let then = self.add(Op::And(condition, f), sexp);
                let (condition, g) = (self.sub(c)?, self.sub(g)?);
                let not = self.add(Op::Not(condition), c);
                let other = self.add(Op::And(not, g), sexp);
                Ok(self.add(Op::Or(then, other), sexp))
            }
            _ => self.atom(sexp),
        }
    }

    /// A name that is bound by `let` may not be a formula, but what it is bound in may.
    fn let_in(&mut self, bindings: &Sexp, body: &Sexp) -> MadeItem<SubId> {
        let mut names = Vec::new();
        let list = bindings.list().unwrap_or(&[]);
        for binding in list {
            let Some([name, term]) = binding.list() else {
                return Err(Diagnostic::error(
                    binding.span,
                    "A binding is written as `(name term)`",
                ));
            };
            let name = crate::script::symbol(name)?.to_string();
            names.push((name, self.script.term(term)?));
        }
        for (name, term) in &names {
            self.script.bind(name.clone(), *term);
        }
        let result = self.sub(body);
        for (name, _) in &names {
            self.script.unbind(name);
        }
        result
    }

    fn fold(
        &mut self,
        args: &[Sexp],
        sexp: &Sexp,
        join: impl Fn(SubId, SubId) -> Op,
    ) -> MadeItem<SubId> {
        let mut result = self.sub(&args[0])?;
        for arg in &args[1..] {
            let next = self.sub(arg)?;
            result = self.add(join(result, next), sexp);
        }
        Ok(result)
    }

    fn implies(&mut self, args: &[Sexp], sexp: &Sexp) -> MadeItem<SubId> {
        let (first, rest) = (&args[0], &args[1..]);
        let f = self.sub(first)?;
        let g = match rest {
            [last] => self.sub(last)?,
            _ => deep(|| self.implies(rest, sexp))?,
        };
        Ok(self.add(Op::Implies(f, g), sexp))
    }

    fn temporal(&mut self, name: &str, args: &[Sexp], sexp: &Sexp) -> MadeItem<SubId> {
        let Some((_, count)) = OPERATORS.iter().find(|(known, _)| *known == name) else {
            let error =
                Diagnostic::error(sexp.span, format!("There is no temporal operator `{name}`"));
            return Err(match nearest(name, OPERATORS.map(|(name, _)| name), 2) {
                Some(near) => error.help(format!("Is `{near}` meant?")),
                None => error.help("There are AX, EX, AF, EF, AG, EG, AU, EU, AW, EW, AR and ER, each after `ctl.`."),
            });
        };
        if args.len() != *count {
            let s = if *count == 1 { "" } else { "s" };
            return Err(Diagnostic::error(
                sexp.span,
                format!("`{name}` takes {count} operand{s}"),
            ));
        }
        let quantifier = match name.as_bytes()[4] {
            b'A' => Quantifier::Forall,
            _ => Quantifier::Exists,
        };
        let f = self.sub(&args[0])?;
        let op = match name.as_bytes()[5] {
            b'X' => PathOp::Next(f),
            b'F' => PathOp::Finally(f),
            b'G' => PathOp::Globally(f),
            b'U' => PathOp::Until(f, self.sub(&args[1])?),
            b'W' => PathOp::WeakUntil(f, self.sub(&args[1])?),
            _ => PathOp::Release(f, self.sub(&args[1])?),
        };
        Ok(self.add(Op::Path(quantifier, op), sexp))
    }

    fn atom(&mut self, sexp: &Sexp) -> MadeItem<SubId> {
        let term = self.script.condition(sexp)?;
        let term = self.script.terms.inlined(term);
        let op = match self.script.terms.as_bool(term) {
            Some(value) => Op::Const(value),
            None => Op::Atom(self.atoms.push(term)),
        };
        Ok(self.add(op, sexp))
    }
}
