//! Commands of SMT-LIB: declarations, definitions and assertions to sorts, symbols and terms.
//!
//! What a definition is there for is left to the readers of [`crate::vmt`] and [`crate::paper`]: a definition keeps the
//! attributes of its body, and bodies that are temporal formulas are kept as they are written.

mod sorts;
mod terms;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, Span, nearest};

use crate::operators;
use crate::sexp::{Sexp, SexpKind};
use crate::sort::{Sort, SortId};
use crate::term::{SmtOp, SmtSymbol, SmtTermId, SmtTerms, SymbolId, SymbolKind};

/// An attribute of a definition, such as `:next x'`.
#[derive(Clone, Debug)]
pub(crate) struct ScriptAttribute {
    /// The keyword with its colon.
    pub(crate) keyword: String,
    /// What follows it, unless another keyword does.
    pub(crate) value: Option<Sexp>,
    /// Where the keyword stands.
    pub(crate) span: Span,
}

/// What a definition stands for.
#[derive(Clone, Debug)]
pub(crate) enum DefinitionBody {
    /// A term over its parameters.
    Term(SmtTermId),
    /// A temporal formula, which stands in the source.
    Temporal,
}

/// A `define-fun`.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) params: Vec<SymbolId>,
    pub(crate) body: DefinitionBody,
    pub(crate) attributes: Vec<ScriptAttribute>,
    /// The body as it is written, without its attributes, where something may be made of it.
    pub(crate) source: Option<Sexp>,
    /// Where the body stands, without its attributes.
    pub(crate) span: Span,
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Global {
    Symbol(SymbolId),
    Constant(SortId, u32),
    /// A definition that is a temporal formula, by its place among the definitions.
    Temporal(usize),
}

/// What the name of a sort stands for.
#[derive(Clone, Debug)]
enum SortName {
    Sort(SortId),
    Alias(Vec<String>, Sexp),
}

/// Commands that were read, with what they declare.
#[derive(Clone, Default)]
pub(crate) struct SmtScript {
    pub(crate) terms: SmtTerms,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) definitions: Vec<Definition>,
    /// Assertions with their places.
    pub(crate) asserts: Vec<(SmtTermId, Span)>,
    /// Compound terms of sort `Bool` with their places.
    pub(crate) places: Vec<(SmtTermId, Span)>,
    /// What `set-info` says, by keyword.
    pub(crate) infos: Vec<(String, Sexp)>,
    /// Declared symbols in order.
    pub(crate) declared: Vec<SymbolId>,
    globals: FxHashMap<String, Global>,
    sorts: FxHashMap<String, SortName>,
    locals: FxHashMap<String, Vec<SmtTermId>>,
}

pub(crate) type MadeItem<T> = Result<T, Diagnostic>;

impl SmtScript {
    /// Reads commands; what is wrong is collected.
    pub(crate) fn read(commands: &[Sexp]) -> Self {
        let mut script = Self::default();
        for (name, sort) in [
            ("Bool", SortId::BOOL),
            ("Int", SortId::INT),
            ("Real", SortId::REAL),
        ] {
            script.sorts.insert(name.to_string(), SortName::Sort(sort));
        }
        for command in commands {
            if let Err(error) = script.command(command) {
                script.errors.push(error);
            }
        }
        script
    }

    fn command(&mut self, command: &Sexp) -> MadeItem<()> {
        let Some(items) = command.list() else {
            return Err(Diagnostic::error(command.span, "This is not a command")
                .help("A command is a list, such as `(declare-fun x () Int)`."));
        };
        let Some(name) = command.head() else {
            return Err(Diagnostic::error(
                command.span,
                "This list is not a command, since it does not start with a name",
            ));
        };
        let args = &items[1..];
        match (name, args) {
            ("declare-sort", [name, arity]) => self.declare_sort(name, arity),
            ("declare-sort", [name]) => {
                let sort = Sort::Uninterpreted(self.new_sort(name)?);
                self.name_sort(name, sort)
            }
            ("define-sort", [name, params, sort]) => self.define_sort(name, params, sort),
            ("declare-datatypes", [names, bodies]) => self.datatypes(names, bodies),
            ("declare-datatype", [name, body]) => self.datatype(name, body),
            ("declare-fun", [name, args, sort]) => {
                let args = list(args, "the sorts of its arguments")?;
                let args: MadeItem<Vec<SortId>> = args.iter().map(|arg| self.sort(arg)).collect();
                self.declare(name, args?, sort)
            }
            ("declare-const", [name, sort]) => self.declare(name, Vec::new(), sort),
            ("define-fun", [name, params, sort, body]) => {
                let params = list(params, "its parameters")?;
                self.define(name, params, sort, body)
            }
            ("define-const", [name, sort, body]) => self.define(name, &[], sort, body),
            ("assert", [body]) => {
                let (body, _) = attributes(body);
                let term = self.condition(body)?;
                self.asserts.push((term, body.span));
                Ok(())
            }
            ("set-info", [key, value]) => {
                if let Some(key) = key.keyword() {
                    self.infos.push((key.to_string(), value.clone()));
                }
                Ok(())
            }
            (
                "set-logic" | "set-option" | "set-info" | "check-sat" | "check-sat-assuming"
                | "get-model" | "get-value" | "get-info" | "get-unsat-core" | "get-proof"
                | "get-assertions" | "echo" | "exit",
                _,
            ) => Ok(()),
            ("define-fun-rec" | "define-funs-rec", _) => Err(Diagnostic::error(
                command.span,
                "Recursive definitions are not supported",
            )
            .help("Declare the function and assert what it is at each argument.")),
            ("push" | "pop" | "reset" | "reset-assertions", _) => Err(Diagnostic::error(
                command.span,
                format!("A model has one set of assertions, so `{name}` has no meaning here"),
            )),
            (
                "declare-sort" | "define-sort" | "declare-datatypes" | "declare-datatype"
                | "declare-fun" | "declare-const" | "define-fun" | "define-const" | "assert",
                _,
            ) => Err(Diagnostic::error(
                command.span,
                format!("`{name}` does not have the parts that it needs"),
            )
            .help(format!("It is written as `{}`.", form(name)))),
            _ => {
                let error =
                    Diagnostic::error(items[0].span, format!("There is no command `{name}`"));
                Err(match nearest(name, COMMANDS, 3) {
                    Some(near) => error.help(format!("Is `{near}` meant?")),
                    None => error,
                })
            }
        }
    }

    fn declare(&mut self, name: &Sexp, args: Vec<SortId>, sort: &Sexp) -> MadeItem<()> {
        let (text, span) = (self.fresh(name)?, name.span);
        let sort = self.sort(sort)?;
        let symbol = self.terms.symbol(SmtSymbol {
            name: text.clone(),
            args: args.into(),
            sort,
            kind: SymbolKind::Declared,
            span: Some(span),
        });
        self.declared.push(symbol);
        self.globals.insert(text, Global::Symbol(symbol));
        Ok(())
    }

    /// A declared symbol by its name.
    pub(crate) fn symbol(&self, name: &str) -> Option<SymbolId> {
        match self.globals.get(name) {
            Some(Global::Symbol(symbol)) => Some(*symbol),
            _ => None,
        }
    }

    /// The declared symbol that an expression is, or applies.
    fn symbol_of(&self, sexp: &Sexp) -> Option<SymbolId> {
        self.symbol(sexp.symbol().or_else(|| sexp.head())?)
    }

    /// Declares a constant or function of the same sorts as another one.
    pub(crate) fn declare_like(&mut self, name: &str, other: SymbolId) -> SymbolId {
        let info = self.terms.info(other).clone();
        let symbol = self.terms.symbol(SmtSymbol {
            name: name.to_string(),
            ..info
        });
        self.globals
            .entry(name.to_string())
            .or_insert(Global::Symbol(symbol));
        symbol
    }

    fn define(&mut self, name: &Sexp, params: &[Sexp], sort: &Sexp, body: &Sexp) -> MadeItem<()> {
        let text = self.fresh(name)?;
        let sort = self.sort(sort)?;
        let bound = self.binders(params)?;
        let (inner, attributes) = attributes(body);
        let span = inner.span;
        let temporal = self.is_temporal(inner);
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.keyword == ":next")
        {
            if let Some(next) = attribute.value.as_ref().and_then(Sexp::symbol)
                && !self.globals.contains_key(next)
                && let Some(current) = self.symbol_of(inner)
            {
                // Some writers leave out the declaration of the next state.
                let next = self.declare_like(next, current);
                self.declared.push(next);
            }
        }
        let source = (temporal || !attributes.is_empty()).then(|| inner.clone());
        let definition = |body| Definition {
            name: text.clone(),
            params: bound.clone(),
            body,
            attributes,
            source,
            span,
        };
        if temporal {
            if sort != SortId::BOOL {
                return Err(Diagnostic::error(
                    span,
                    "A temporal formula is of sort Bool",
                ));
            }
            self.globals
                .insert(text.clone(), Global::Temporal(self.definitions.len()));
            self.definitions.push(definition(DefinitionBody::Temporal));
            return Ok(());
        }
        self.enter(&bound);
        let term = self.term(inner);
        self.leave(&bound);
        let mut term = term?;
        if sort == SortId::REAL && self.terms.sort(term) == SortId::INT {
            term = self.terms.op(SmtOp::ToReal, &[term]);
        }
        if self.terms.sort(term) != sort {
            let (is, wanted) = (
                self.terms.sorts.text(self.terms.sort(term)),
                self.terms.sorts.text(sort),
            );
            return Err(Diagnostic::error(
                span,
                format!("`{text}` is declared to be of sort {wanted}, and this is of sort {is}"),
            ));
        }
        let symbol = self.terms.symbol(SmtSymbol {
            name: text.clone(),
            args: bound
                .iter()
                .map(|&param| self.terms.info(param).sort)
                .collect(),
            sort,
            kind: SymbolKind::Defined {
                params: bound.clone().into(),
                body: term,
            },
            span: Some(name.span),
        });
        self.globals.insert(text.clone(), Global::Symbol(symbol));
        self.definitions
            .push(definition(DefinitionBody::Term(term)));
        Ok(())
    }

    /// The name that a declaration gives, which must not be taken.
    fn fresh(&mut self, name: &Sexp) -> MadeItem<String> {
        let text = symbol(name)?;
        let taken = match self.globals.get(text) {
            None if operators::NAMES.contains(&text) => {
                return Err(Diagnostic::error(
                    name.span,
                    format!("`{text}` is the name of an operator"),
                ));
            }
            None => return Ok(text.to_string()),
            Some(taken) => taken,
        };
        let error = Diagnostic::error(name.span, format!("`{text}` is declared already"));
        let before = match taken {
            Global::Symbol(symbol) => self.terms.info(*symbol).span,
            Global::Constant(..) => None,
            Global::Temporal(at) => Some(self.definitions[*at].span),
        };
        Err(match before {
            Some(before) => error.see(before, "it is declared here"),
            None => error,
        })
    }

    fn binders(&mut self, params: &[Sexp]) -> MadeItem<Vec<SymbolId>> {
        let mut bound = Vec::new();
        for param in params {
            let Some([name, sort]) = param.list() else {
                return Err(Diagnostic::error(
                    param.span,
                    "A variable is written as `(name Sort)`",
                ));
            };
            let (name_text, sort) = (symbol(name)?.to_string(), self.sort(sort)?);
            let symbol = self.terms.bound(name_text, sort);
            bound.push(symbol);
        }
        Ok(bound)
    }

    /// Makes bound symbols known by their names.
    fn enter(&mut self, bound: &[SymbolId]) {
        for &symbol in bound {
            let var = self.terms.var(symbol);
            self.bind(self.terms.info(symbol).name.clone(), var);
        }
    }

    fn leave(&mut self, bound: &[SymbolId]) {
        for &symbol in bound {
            let name = self.terms.info(symbol).name.clone();
            self.unbind(&name);
        }
    }

    /// Lets a name stand for a term, until [`SmtScript::unbind`].
    pub(crate) fn bind(&mut self, name: String, term: SmtTermId) {
        self.locals.entry(name).or_default().push(term);
    }

    /// Ends what [`SmtScript::bind`] began.
    pub(crate) fn unbind(&mut self, name: &str) {
        if let Some(terms) = self.locals.get_mut(name) {
            terms.pop();
        }
    }

    /// Whether an expression is a temporal formula: a temporal operator or the name of a temporal definition occurs in it.
    pub(crate) fn is_temporal(&self, sexp: &Sexp) -> bool {
        let mut open = vec![sexp];
        while let Some(next) = open.pop() {
            match &next.kind {
                SexpKind::Symbol(name) => {
                    let hidden = self.locals.get(name).is_some_and(|terms| !terms.is_empty());
                    if name.starts_with("ctl.") || (!hidden && self.temporal(name).is_some()) {
                        return true;
                    }
                }
                SexpKind::List(items) => open.extend(items),
                _ => {}
            }
        }
        false
    }

    /// The temporal definition of this name.
    pub(crate) fn temporal(&self, name: &str) -> Option<&Definition> {
        match self.globals.get(name) {
            Some(Global::Temporal(at)) => Some(&self.definitions[*at]),
            _ => None,
        }
    }
}

const COMMANDS: [&str; 12] = [
    "declare-sort",
    "define-sort",
    "declare-datatypes",
    "declare-datatype",
    "declare-fun",
    "declare-const",
    "define-fun",
    "define-const",
    "assert",
    "set-logic",
    "set-info",
    "set-option",
];

fn form(command: &str) -> &'static str {
    match command {
        "declare-sort" => "(declare-sort Name 0)",
        "define-sort" => "(define-sort Name (Parameter ..) Sort)",
        "declare-datatypes" => "(declare-datatypes ((Name 0)) (((constant) ..)))",
        "declare-datatype" => "(declare-datatype Name ((constant) ..))",
        "declare-fun" => "(declare-fun name (Sort ..) Sort)",
        "declare-const" => "(declare-const name Sort)",
        "define-fun" => "(define-fun name ((parameter Sort) ..) Sort term)",
        "define-const" => "(define-const name Sort term)",
        _ => "(assert condition)",
    }
}

/// The term of `(! term :key value ..)` with its attributes; any other term has none.
pub(crate) fn attributes(sexp: &Sexp) -> (&Sexp, Vec<ScriptAttribute>) {
    let mut found = Vec::new();
    let mut inner = sexp;
    while let Some([head, term, rest @ ..]) = inner.list()
        && head.symbol() == Some("!")
    {
        let mut rest = rest.iter().peekable();
        while let Some(item) = rest.next() {
            if let Some(keyword) = item.keyword() {
                let value = rest.next_if(|next| next.keyword().is_none()).cloned();
                found.push(ScriptAttribute {
                    keyword: keyword.to_string(),
                    value,
                    span: item.span,
                });
            }
        }
        inner = term;
    }
    (inner, found)
}

pub(crate) fn symbol(sexp: &Sexp) -> MadeItem<&str> {
    sexp.symbol()
        .ok_or_else(|| Diagnostic::error(sexp.span, "A name is needed here"))
}

fn list<'s>(sexp: &'s Sexp, what: &str) -> MadeItem<&'s [Sexp]> {
    sexp.list()
        .ok_or_else(|| Diagnostic::error(sexp.span, format!("A list is needed here: {what}")))
}

fn unreadable(sexp: &Sexp) -> Diagnostic {
    Diagnostic::error(sexp.span, "This is not a term")
}

fn unreadable_span(items: &[Sexp]) -> Span {
    items.first().map_or_else(
        || Span::new(wherefore_base::FileId::new(0), 0, 0),
        |item| item.span,
    )
}
