//! The SMV language: text of a model in, typed transition system out; and [`write()`] back.
//!
//! [`load`] reads a file in the input language of NuSMV 2.6 (Cimatti et al. 2002): modules with
//! parameters by name, processes, variables of finite types, arrays, defines, assignments,
//! constraints, fairness and properties in CTL and LTL. Types are checked as strictly as there. It goes through three stages, each in
//! its own module: `parser` makes the tree of [`ast`], `declare` instantiates modules, and `lower`
//! turns expressions into terms.
//!
//! What only the values of variables can tell (a `case` without a branch for some situation, an
//! assigned value outside of its range) is left in [`Model::obligations`] for others to discharge.

mod approx;
pub mod ast;
mod changes;
mod declare;
mod lexer;
mod lower;
mod parser;
mod scope;
mod suggest;
mod token;
mod write;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use wherefore_base::{Budget, Diagnostic, Effort, FileId, Run, SourceMap, Span};
use wherefore_model::{FormulaReader, Model, Property, TermId, TextChange};

use crate::lower::{ExprContext, ReadingRules, SmvLowering, Time};
use crate::scope::InstanceId;
pub use crate::scope::SmvScope;
use crate::token::{Keyword, SmvToken};
pub use crate::write::write;
use wherefore_syntax::ParseReport;

/// What reading a model gives.
#[derive(Clone, Debug)]
pub struct LoadedSmv {
    /// The model; usable only if no diagnostic is an error.
    pub model: Model,
    /// The names of the model, for formulas given from outside.
    pub scope: SmvScope,
    /// What there is to say about the text, in the order of the places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Which version of the language a file is in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SmvDialect {
    /// That of NuSMV since 2.5: truth values are no integers.
    #[default]
    New,
    /// That of NuSMV 2.4 and before: `0` and `1` are truth values, too.
    Old,
}

impl SmvDialect {
    /// All dialects.
    pub const ALL: [SmvDialect; 2] = [SmvDialect::New, SmvDialect::Old];

    /// The name as `--smv-dialect` takes it.
    pub fn name(self) -> &'static str {
        match self {
            SmvDialect::New => "new",
            SmvDialect::Old => "old",
        }
    }
}

impl fmt::Display for SmvDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SmvDialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let dialect = SmvDialect::ALL.into_iter().find(|d| d.name() == name);
        dialect.ok_or_else(|| format!("there is no dialect `{name}`; take new or old"))
    }
}

/// Reads a model. What is wrong with it is told in the diagnostics.
///
/// # Errors
/// When the budget ends before the model is read. Its bound on memory is compared with a rough
/// count of what is kept.
pub fn load(sources: &SourceMap, file: FileId, budget: &Budget) -> Run<LoadedSmv> {
    load_in(SmvDialect::default(), sources, file, budget)
}

/// Reads a model in a dialect, as [`load`].
///
/// # Errors
/// As [`load`].
pub fn load_in(
    dialect: SmvDialect,
    sources: &SourceMap,
    file: FileId,
    budget: &Budget,
) -> Run<LoadedSmv> {
    let effort = Effort::within(budget);
    let mut loaded = load_with(dialect, sources, file, &[], &effort);
    refuse_unbounded(&mut loaded);
    effort.outcome().map(|()| loaded)
}

/// Bounds given from outside to an integer variable that has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerBounds {
    /// The full name of the variable; `Int` for all that are not named.
    pub name: String,
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
}

/// Reads the finite version of a model within bounds, as [`load_in`]: there is no step to a value beyond them.
///
/// # Errors
/// As [`load`].
pub fn load_within(
    dialect: SmvDialect,
    bounds: &[IntegerBounds],
    sources: &SourceMap,
    file: FileId,
    budget: &Budget,
) -> Run<LoadedSmv> {
    let effort = Effort::within(budget);
    let mut loaded = load_with(dialect, sources, file, bounds, &effort);
    refuse_unbounded(&mut loaded);
    effort.outcome().map(|()| loaded)
}

fn refuse_unbounded(loaded: &mut LoadedSmv) {
    let first = loaded.model.unbounded.vars.keys().next();
    if let Some(variable) = first.map(|&var| &loaded.model.vars[var]) {
        let message = format!(
            "`{}` has no bounds, so the model has infinitely many states",
            variable.name
        );
        let diagnostic = Diagnostic::error(variable.span, message)
            .help("`wherefore check` and `wherefore explain` ask solvers about such models.")
            .help("For a finite version give bounds, as in `0..7`; of integers, also with `--bound NAME=0..7`.");
        loaded.diagnostics.push(diagnostic);
    }
}

/// Reads a model whose variables may have no bounds, as [`load_in`].
///
/// # Errors
/// As [`load`].
pub fn load_unbounded(
    dialect: SmvDialect,
    sources: &SourceMap,
    file: FileId,
    budget: &Budget,
) -> Run<LoadedSmv> {
    let effort = Effort::within(budget);
    let loaded = load_with(dialect, sources, file, &[], &effort);
    effort.outcome().map(|()| loaded)
}

/// Whether a text declares variables without bounds: whether it has the types `integer` or `real`.
pub fn is_unbounded(text: &str) -> bool {
    if !text.contains("integer") && !text.contains("real") {
        return false;
    }
    let (tokens, _) = lexer::tokens(FileId::new(0), text, &Effort::default());
    let number = SmvToken::Keyword(Keyword::Integer);
    let real = SmvToken::Keyword(Keyword::Real);
    tokens
        .iter()
        .any(|token| token.kind == number || token.kind == real)
}

fn load_with(
    dialect: SmvDialect,
    sources: &SourceMap,
    file: FileId,
    bounds: &[IntegerBounds],
    effort: &Effort<'_>,
) -> LoadedSmv {
    let (program, diagnostics) = parser::program(sources, file, effort);
    let mut loaded = LoadedSmv {
        model: Model::default(),
        scope: SmvScope::default(),
        diagnostics,
    };
    if effort.is_over() || loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return loaded;
    }
    let mut report = ParseReport::default();
    loaded.diagnostics.drain(..).for_each(|d| report.tell(d));
    let bodies = declare::Bodies::new(&program, &mut report, effort);
    let start = (Span::new(file, 0, 0), bounds);
    if !report.failed()
        && let Some(declared) = declare::declare(&program, &bodies, &mut report, effort, start)
    {
        loaded.scope = declared.scope;
        loaded.scope.dialect = dialect;
        loaded.model.vars = declared.vars;
        loaded.model.names = declared.names;
        loaded.model.unbounded.vars = loaded.scope.numbers();
        let mut lowerer = SmvLowering::new(
            &loaded.scope,
            &program.exprs,
            &program.exprs,
            &mut loaded.model,
            &mut report,
            effort,
        );
        lower::constraints(&mut lowerer, &bodies);
        lower::properties(&mut lowerer, &bodies, sources);
        // Which parameters are unused is known once everything else is lowered.
        lower::unused_parameters(&mut lowerer);
        if !report.failed() {
            lower::cycles(&loaded.model, &mut report, effort);
        }
    }
    loaded.scope.exprs = Arc::new(program.exprs);
    loaded.diagnostics = report.finish();
    loaded
}

/// Reads a formula given from outside, of LTL or of CTL: the whole text of a file, with names as in `main`.
///
/// On success the terms it needs, and what must be so for it to have a value, were added to the
/// model. The property is returned, not added.
///
/// # Errors
/// What is wrong with the formula.
pub fn formula(
    model: &mut Model,
    scope: &SmvScope,
    sources: &SourceMap,
    file: FileId,
    name: &str,
) -> Result<Property, Vec<Diagnostic>> {
    let single = parser::single(sources, file, &mut model.names)?;
    let span = single.span;
    outside(model, scope, &single, |lowerer| {
        lower::outside_formula(lowerer, sources, single.root, name, span)
    })
}

impl FormulaReader for SmvScope {
    fn formula(
        &mut self,
        model: &mut Model,
        sources: &SourceMap,
        file: FileId,
        name: &str,
    ) -> Result<Property, Vec<Diagnostic>> {
        formula(model, self, sources, file, name)
    }

    fn expression(
        &self,
        model: &mut Model,
        sources: &SourceMap,
        file: FileId,
    ) -> Result<TermId, Vec<Diagnostic>> {
        expression(model, self, sources, file)
    }

    fn changes(&self, sources: &SourceMap, file: FileId) -> Vec<TextChange> {
        changes::changes(sources, file)
    }

    fn reread(
        &self,
        sources: &SourceMap,
        file: FileId,
        budget: &Budget,
    ) -> Run<Option<(Model, Box<dyn FormulaReader>)>> {
        let read = load_in(self.dialect, sources, file, budget)?;
        let wrong = read.diagnostics.iter().any(Diagnostic::is_error);
        Ok((!wrong).then(|| {
            let reader: Box<dyn FormulaReader> = Box::new(read.scope);
            (read.model, reader)
        }))
    }

    fn boxed(&self) -> Box<dyn FormulaReader> {
        Box::new(self.clone())
    }
}

/// Reads an expression over the present state: the whole text of a file, with names as in `main`.
///
/// On success the terms it needs, and what must be so for it to have a value, were added to the
/// model.
///
/// # Errors
/// What is wrong with the expression.
pub fn expression(
    model: &mut Model,
    scope: &SmvScope,
    sources: &SourceMap,
    file: FileId,
) -> Result<TermId, Vec<Diagnostic>> {
    let single = parser::single(sources, file, &mut model.names)?;
    outside(model, scope, &single, |lowerer| {
        let context = ExprContext {
            instance: InstanceId::new(0),
            time: Time::Now,
            rules: ReadingRules::state("in an expression over one state"),
        };
        lowerer.value(context, single.root)
    })
}

/// Lowers something that was read on its own; leaves the model as it was if that fails.
fn outside<T>(
    model: &mut Model,
    scope: &SmvScope,
    single: &parser::Single,
    lower: impl FnOnce(&mut SmvLowering<'_>) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut report = ParseReport::default();
    if scope.is_empty() {
        let message = "There is no model whose names this text could use";
        return Err(vec![Diagnostic::error(single.span, message)]);
    }
    let obligations = model.obligations.len();
    let effort = Effort::default();
    let (exprs, program) = (&single.exprs, &*scope.exprs);
    let mut lowerer = SmvLowering::new(scope, exprs, program, model, &mut report, &effort);
    let lowered = lower(&mut lowerer);
    match lowered {
        Some(lowered) if !report.failed() => Ok(lowered),
        _ => {
            model.obligations.truncate(obligations);
            let mut diagnostics = report.finish();
            if diagnostics.is_empty() {
                let message = "This uses a name whose meaning in the model is wrong";
                diagnostics.push(Diagnostic::error(single.span, message));
            }
            Err(diagnostics)
        }
    }
}
