//! Terms: literals, bindings, quantifiers and applications to terms with sorts.

use num_bigint::BigUint;
use wherefore_base::{Diagnostic, Span, deep, nearest};

use super::{Global, MadeItem, SmtScript, list, symbol, unreadable};
use crate::number::Rational;
use crate::operators::{self, Placed};
use crate::sexp::{Sexp, SexpKind};
use crate::sort::{Sort, SortId};
use crate::term::{SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SymbolId};

impl SmtScript {
    /// A term of sort `Bool`.
    pub(crate) fn condition(&mut self, sexp: &Sexp) -> MadeItem<SmtTermId> {
        let term = self.term(sexp)?;
        match self.terms.sort(term) {
            SortId::BOOL => Ok(term),
            other => {
                let sort = self.terms.sorts.text(other);
                Err(Diagnostic::error(
                    sexp.span,
                    format!("A condition is of sort Bool, and this is of sort {sort}"),
                ))
            }
        }
    }

    /// A term.
    pub(crate) fn term(&mut self, sexp: &Sexp) -> MadeItem<SmtTermId> {
        match &sexp.kind {
            SexpKind::Symbol(name) => self.apply(name, &[], sexp.span, sexp.span),
            SexpKind::Numeral(digits) => {
                let value: num_bigint::BigInt = digits.parse().map_err(|_| unreadable(sexp))?;
                Ok(self.terms.int(value))
            }
            SexpKind::Decimal(text) => {
                let value = Rational::decimal(text).ok_or_else(|| unreadable(sexp))?;
                Ok(self.terms.real(value))
            }
            SexpKind::Hex(digits) => self.vector(digits, 16, 4, sexp),
            SexpKind::Binary(digits) => self.vector(digits, 2, 1, sexp),
            SexpKind::String(_) => Err(Diagnostic::error(sexp.span, "Strings are not supported")
                .help("An enumeration names values: `(declare-datatypes ((Colour 0)) (((red) (green))))`.")),
            SexpKind::Keyword(_) => Err(unreadable(sexp)),
            SexpKind::List(items) => deep(|| self.compound(sexp, items)),
        }
    }

    fn vector(&mut self, digits: &str, radix: u32, bits: u32, sexp: &Sexp) -> MadeItem<SmtTermId> {
        let value =
            BigUint::parse_bytes(digits.as_bytes(), radix).ok_or_else(|| unreadable(sexp))?;
        let width = u32::try_from(digits.len()).map_err(|_| unreadable(sexp))? * bits;
        Ok(self.terms.add(SmtTerm::BitVec(value, width)))
    }

    fn compound(&mut self, sexp: &Sexp, items: &[Sexp]) -> MadeItem<SmtTermId> {
        let Some((head, args)) = items.split_first() else {
            return Err(Diagnostic::error(sexp.span, "An empty list is not a term"));
        };
        match (head.symbol(), args) {
            (Some("let"), [bindings, body]) => self.let_in(bindings, body, Self::term),
            (Some("forall"), [bound, body]) => self.quantified(SmtQuantifier::Forall, bound, body),
            (Some("exists"), [bound, body]) => self.quantified(SmtQuantifier::Exists, bound, body),
            (Some("let" | "forall" | "exists"), _) => Err(Diagnostic::error(
                sexp.span,
                format!(
                    "`{}` takes a list of bindings and a term",
                    head.symbol().unwrap_or("")
                ),
            )),
            (Some("!"), [term, ..]) => self.term(term),
            (Some("as"), [term, _]) => self.term(term),
            (Some("_"), [name, width]) => {
                let digits = name.symbol().and_then(|name| name.strip_prefix("bv"));
                let value = digits.and_then(|digits| digits.parse::<BigUint>().ok());
                match (value, width.number()) {
                    (Some(value), Some(width))
                        if value.bits() <= u64::from(width) && (1..=1 << 16).contains(&width) =>
                    {
                        Ok(self.terms.add(SmtTerm::BitVec(value, width)))
                    }
                    _ => Err(unreadable(sexp)),
                }
            }
            (Some(name), _) => {
                let args = self.args(args)?;
                let term = self.apply(name, &args, head.span, sexp.span)?;
                if self.terms.sort(term) == SortId::BOOL {
                    self.places.push((term, sexp.span));
                }
                Ok(term)
            }
            (None, _) => self.qualified(head, args, sexp),
        }
    }

    fn args(&mut self, args: &[Sexp]) -> MadeItem<Vec<Placed>> {
        args.iter()
            .map(|arg| Ok((self.term(arg)?, arg.span)))
            .collect()
    }

    /// An application whose head is a list: `((_ extract 3 0) x)`, `((as const S) x)`.
    fn qualified(&mut self, head: &Sexp, args: &[Sexp], sexp: &Sexp) -> MadeItem<SmtTermId> {
        let parts = head.list().ok_or_else(|| unreadable(head))?;
        match parts {
            [first, name, indices @ ..] if first.symbol() == Some("_") => {
                let indices: Option<Vec<u32>> = indices.iter().map(Sexp::number).collect();
                let (name, indices) = name.symbol().zip(indices).ok_or_else(|| unreadable(head))?;
                let args = self.args(args)?;
                let made =
                    operators::apply_indexed(&mut self.terms, name, &indices, &args, sexp.span);
                made.unwrap_or_else(|| {
                    Err(Diagnostic::error(
                        head.span,
                        format!("There is no operator `(_ {name} ..)`"),
                    ))
                })
            }
            [first, name, sort]
                if first.symbol() == Some("as") && name.symbol() == Some("const") =>
            {
                let id = self.sort(sort)?;
                let Sort::Array(_, element) = *self.terms.sorts.get(id) else {
                    return Err(Diagnostic::error(
                        sort.span,
                        "Only arrays are made of one value: this is not a sort of arrays",
                    ));
                };
                let [arg] = args else {
                    return Err(Diagnostic::error(
                        sexp.span,
                        "A constant array has one element",
                    ));
                };
                let term = self.term(arg)?;
                if self.terms.sort(term) != element {
                    return Err(Diagnostic::error(
                        arg.span,
                        "The element does not fit the sort of the array",
                    ));
                }
                Ok(self.terms.op(SmtOp::ConstArray(id), &[term]))
            }
            [first, name, _] if first.symbol() == Some("as") => {
                let text = symbol(name)?.to_string();
                let args = self.args(args)?;
                self.apply(&text, &args, name.span, sexp.span)
            }
            _ => Err(unreadable(head)),
        }
    }

    /// Reads something with names bound by a `let`.
    pub(crate) fn let_in<T>(
        &mut self,
        bindings: &Sexp,
        body: &Sexp,
        read: impl FnOnce(&mut Self, &Sexp) -> MadeItem<T>,
    ) -> MadeItem<T> {
        let mut bound = Vec::new();
        for binding in list(bindings, "bindings")? {
            let Some([name, term]) = binding.list() else {
                return Err(Diagnostic::error(
                    binding.span,
                    "A binding is written as `(name term)`",
                ));
            };
            bound.push((symbol(name)?.to_string(), self.term(term)?));
        }
        // The bindings of one `let` do not see each other, so all terms are read before any name is bound.
        for (name, term) in &bound {
            self.bind(name.clone(), *term);
        }
        let result = deep(|| read(self, body));
        for (name, _) in &bound {
            self.unbind(name);
        }
        result
    }

    fn quantified(
        &mut self,
        quantifier: SmtQuantifier,
        bound: &Sexp,
        body: &Sexp,
    ) -> MadeItem<SmtTermId> {
        let bound = self.binders(list(bound, "variables")?)?;
        self.enter(&bound);
        let term = self.condition(body);
        self.leave(&bound);
        Ok(self.terms.quantified(quantifier, &bound, term?))
    }

    fn apply(&mut self, name: &str, args: &[Placed], at: Span, span: Span) -> MadeItem<SmtTermId> {
        if args.is_empty() {
            // A bound name hides everything else of this name.
            if let Some(&term) = self.locals.get(name).and_then(|terms| terms.last()) {
                return Ok(term);
            }
            match name {
                "true" => return Ok(self.terms.bool(true)),
                "false" => return Ok(self.terms.bool(false)),
                _ => {}
            }
        }
        match self.globals.get(name) {
            Some(&Global::Constant(sort, place)) if args.is_empty() => {
                return Ok(self.terms.add(SmtTerm::Constant(sort, place)));
            }
            Some(&Global::Symbol(symbol)) => return self.call(symbol, args, span),
            Some(&Global::Temporal(_)) => {
                return Err(Diagnostic::error(at, format!("`{name}` is a temporal formula and has no value in a state"))
                    .help("It may stand in a formula, under `not`, `and`, `or`, `=>` and temporal operators."));
            }
            _ => {}
        }
        if let Some(made) = operators::apply(&mut self.terms, name, args, span) {
            return made;
        }
        if name.starts_with("ctl.") {
            return Err(Diagnostic::error(at, format!("`{name}` stands where a value is needed"))
                .help("Temporal operators stand in formulas only, under `not`, `and`, `or`, `=>` and other temporal operators."));
        }
        Err(self.unknown(name, at, "name"))
    }

    fn call(&mut self, symbol: SymbolId, args: &[Placed], span: Span) -> MadeItem<SmtTermId> {
        let info = self.terms.info(symbol).clone();
        if info.args.len() != args.len() {
            let error = Diagnostic::error(
                span,
                format!(
                    "`{}` takes {} arguments, and there are {}",
                    info.name,
                    info.args.len(),
                    args.len()
                ),
            );
            return Err(match info.span {
                Some(declared) => error.see(declared, "it is declared here"),
                None => error,
            });
        }
        let mut ids = Vec::with_capacity(args.len());
        for (&wanted, &(arg, at)) in info.args.iter().zip(args) {
            let is = self.terms.sort(arg);
            let arg = match (wanted, is) {
                (SortId::REAL, SortId::INT) => self.terms.op(SmtOp::ToReal, &[arg]),
                _ if wanted == is => arg,
                _ => {
                    let (is, wanted) = (self.terms.sorts.text(is), self.terms.sorts.text(wanted));
                    return Err(Diagnostic::error(
                        at,
                        format!(
                            "`{}` takes a term of sort {wanted} here, and this is of sort {is}",
                            info.name
                        ),
                    ));
                }
            };
            ids.push(arg);
        }
        Ok(self.terms.apply(symbol, &ids))
    }

    /// The error that nothing has this name.
    pub(crate) fn unknown(&self, name: &str, at: Span, what: &str) -> Diagnostic {
        let error = Diagnostic::error(at, format!("There is no {what} `{name}` here"));
        let mut names: Vec<&str> = self.globals.keys().map(String::as_str).collect();
        names.extend(
            self.locals
                .iter()
                .filter(|(_, terms)| !terms.is_empty())
                .map(|(name, _)| name.as_str()),
        );
        names.extend(operators::NAMES);
        // The order of the hash tables must not show in the advice.
        names.sort_unstable();
        match nearest(name, names, 2) {
            Some(near) => error.help(format!("Is `{near}` meant?")),
            None => error,
        }
    }
}
