//! Sorts: their names, declarations and definitions.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, deep, nearest};

use super::{Global, MadeItem, SmtScript, SortName, list, symbol, unreadable, unreadable_span};
use crate::sexp::Sexp;
use crate::sort::{Sort, SortId};

impl SmtScript {
    pub(super) fn new_sort(&self, name: &Sexp) -> MadeItem<String> {
        let text = symbol(name)?;
        match self.sorts.contains_key(text) {
            true => Err(Diagnostic::error(
                name.span,
                format!("The sort `{text}` is declared already"),
            )),
            false => Ok(text.to_string()),
        }
    }

    pub(super) fn name_sort(&mut self, name: &Sexp, sort: Sort) -> MadeItem<()> {
        let text = self.new_sort(name)?;
        let id = self.terms.sorts.add(sort);
        self.sorts.insert(text, SortName::Sort(id));
        Ok(())
    }

    pub(super) fn declare_sort(&mut self, name: &Sexp, arity: &Sexp) -> MadeItem<()> {
        let sort = Sort::Uninterpreted(self.new_sort(name)?);
        match arity.number() {
            Some(0) => self.name_sort(name, sort),
            _ => Err(
                Diagnostic::error(arity.span, "Sorts with parameters are not supported")
                    .help("Declare a sort of its own for each use: `(declare-sort PairOfInt 0)`."),
            ),
        }
    }

    pub(super) fn define_sort(&mut self, name: &Sexp, params: &Sexp, sort: &Sexp) -> MadeItem<()> {
        let text = self.new_sort(name)?;
        let params: MadeItem<Vec<String>> = list(params, "parameters")?
            .iter()
            .map(|p| Ok(symbol(p)?.to_string()))
            .collect();
        let params = params?;
        let named = match params.is_empty() {
            true => SortName::Sort(self.sort(sort)?),
            false => SortName::Alias(params, sort.clone()),
        };
        self.sorts.insert(text, named);
        Ok(())
    }

    pub(super) fn datatypes(&mut self, names: &Sexp, bodies: &Sexp) -> MadeItem<()> {
        let (names, bodies) = (
            list(names, "names of sorts")?,
            list(bodies, "constructors")?,
        );
        if let Some((body, rest)) = bodies.split_first()
            && names.is_empty()
            && rest.is_empty()
        {
            // The older form: `(declare-datatypes () ((Colour red green)))`.
            let items = list(body, "a sort and its constructors")?;
            let (name, constants) = items.split_first().ok_or_else(|| unreadable(body))?;
            return self.enumeration(name, constants);
        }
        if names.len() != bodies.len() {
            return Err(Diagnostic::error(
                names
                    .first()
                    .or(bodies.first())
                    .map_or_else(|| unreadable_span(bodies), |s| s.span),
                "There must be one list of constructors for each sort",
            ));
        }
        for (name, body) in names.iter().zip(bodies) {
            match name.list() {
                Some([name, arity]) if arity.number() == Some(0) => self.datatype(name, body)?,
                _ => {
                    return Err(Diagnostic::error(
                        name.span,
                        "A sort is written as `(Name 0)` here",
                    )
                    .help("Sorts with parameters are not supported."));
                }
            }
        }
        Ok(())
    }

    pub(super) fn datatype(&mut self, name: &Sexp, body: &Sexp) -> MadeItem<()> {
        let constants = list(body, "constructors")?;
        self.enumeration(name, constants)
    }

    fn enumeration(&mut self, name: &Sexp, constants: &[Sexp]) -> MadeItem<()> {
        let text = self.new_sort(name)?;
        let mut names = Vec::new();
        for constant in constants {
            let constant = match constant.list() {
                None => constant,
                Some([one]) => one,
                Some(_) => {
                    return Err(Diagnostic::error(constant.span, "Constructors with fields are not supported")
                        .help("Use one state variable for each field, and an enumeration for the constructors."));
                }
            };
            names.push(self.fresh(constant)?);
        }
        let mut seen = FxHashSet::default();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(Diagnostic::error(
                name.span,
                format!("The constant `{twice}` stands twice in this enumeration"),
            ));
        }
        if names.is_empty() {
            return Err(Diagnostic::error(
                name.span,
                "An enumeration has at least one constant",
            ));
        }
        let id = self
            .terms
            .sorts
            .add(Sort::Enumeration(text.clone(), names.clone()));
        self.sorts.insert(text, SortName::Sort(id));
        for (at, name) in names.into_iter().enumerate() {
            let at = u32::try_from(at).map_err(|_| {
                Diagnostic::error(constants[0].span, "There are too many constants")
            })?;
            self.globals.insert(name, Global::Constant(id, at));
        }
        Ok(())
    }

    /// A sort.
    pub(crate) fn sort(&mut self, sexp: &Sexp) -> MadeItem<SortId> {
        self.sort_with(sexp, &FxHashMap::default())
    }

    fn sort_with(&mut self, sexp: &Sexp, params: &FxHashMap<String, SortId>) -> MadeItem<SortId> {
        if let Some(name) = sexp.symbol() {
            if let Some(&sort) = params.get(name) {
                return Ok(sort);
            }
            return match self.sorts.get(name) {
                Some(SortName::Sort(sort)) => Ok(*sort),
                Some(SortName::Alias(..)) => Err(Diagnostic::error(
                    sexp.span,
                    format!("The sort `{name}` needs arguments"),
                )),
                None => {
                    let error = Diagnostic::error(sexp.span, format!("There is no sort `{name}`"));
                    let mut names: Vec<&str> = self.sorts.keys().map(String::as_str).collect();
                    names.sort_unstable();
                    Err(match nearest(name, names, 2) {
                        Some(near) => error.help(format!("Is `{near}` meant?")),
                        None => error,
                    })
                }
            };
        }
        let items = list(sexp, "a sort")?;
        match items {
            [head, name, width]
                if head.symbol() == Some("_") && name.symbol() == Some("BitVec") =>
            {
                match width.number() {
                    Some(width) if (1..=1 << 16).contains(&width) => {
                        Ok(self.terms.sorts.add(Sort::BitVec(width)))
                    }
                    _ => Err(Diagnostic::error(
                        width.span,
                        "Bit vectors have from 1 to 65536 bits",
                    )),
                }
            }
            [head, index, element] if head.symbol() == Some("Array") => {
                let index = deep(|| self.sort_with(index, params))?;
                let element = deep(|| self.sort_with(element, params))?;
                Ok(self.terms.sorts.add(Sort::Array(index, element)))
            }
            [head, args @ ..] => {
                let name = symbol(head)?;
                let Some(SortName::Alias(names, body)) = self.sorts.get(name).cloned() else {
                    return Err(Diagnostic::error(
                        head.span,
                        format!("There is no sort `{name}` with parameters"),
                    ));
                };
                if names.len() != args.len() {
                    return Err(Diagnostic::error(
                        sexp.span,
                        format!("The sort `{name}` takes {} arguments", names.len()),
                    ));
                }
                // Arguments are read with the parameters around them, the body with those of the definition
                // only.
                let mut inner = FxHashMap::default();
                for (name, arg) in names.into_iter().zip(args) {
                    inner.insert(name, deep(|| self.sort_with(arg, params))?);
                }
                deep(|| self.sort_with(&body, &inner))
            }
            [] => Err(Diagnostic::error(sexp.span, "An empty list is not a sort")),
        }
    }
}
