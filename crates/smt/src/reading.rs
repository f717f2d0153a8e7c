//! Files of infinite-state models: which form they have, and how they are read.

use wherefore_base::{Diagnostic, FileId, Severity, Span};

use crate::formula;
use crate::script::{Definition, DefinitionBody, ScriptAttribute, SmtScript};
use crate::sexp::{self, Sexp};
use crate::shape::Substitution;
use crate::sort::{Sort, SortId};
use crate::system::{Action, Deadlock, ExpectedVerdict, SmtProperty, SmtPropertyKind, TermSystem};
use crate::term::{SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SymbolId, SymbolKind};
use crate::{paper, vmt};

/// How a model is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SmtForm {
    /// VMT-LIB: definitions with `:next`, `:init`, `:trans` and properties.
    Vmt,
    /// Relations `Init` and `Next`, declared or defined.
    Relations,
}

/// A model that was read, with what there is to say about its text.
pub struct SmtReading {
    /// The system; not to be used where there are errors.
    pub system: TermSystem,
    /// How it is written.
    pub form: SmtForm,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of the model, for formulas that are added.
    pub scope: SmtScope,
}

impl SmtReading {
    /// Whether the system can be used.
    pub fn is_usable(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// The names of a model, for reading further formulas.
#[derive(Clone)]
pub struct SmtScope {
    script: SmtScript,
    /// What the names of state variables stand for, where they are no symbols of the text.
    state: Vec<(String, SmtTermId)>,
}

impl std::fmt::Debug for SmtScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

/// The compound conditions of a text.
#[derive(Clone, Debug)]
pub struct PlacedConditions {
    /// The terms of the system, and further ones.
    pub terms: SmtTerms,
    /// The conditions with their places.
    pub places: Vec<(SmtTermId, Span)>,
    /// Whether every term of the system is as it is written: no definition has parameters for which others are put, and nothing is added
    /// about what actions leave alone. Then a term that is written once stands for this place wherever it is used.
    pub by_text: bool,
}

/// Whether a text looks like a model of this room: an s-expression with `:next`, or with `Init` and `Next`.
pub fn is_model(text: &str) -> bool {
    let first = text
        .lines()
        .map(str::trim_start)
        .find(|line| !line.is_empty() && !line.starts_with(';'));
    first.is_some_and(|line| line.starts_with('('))
        && (text.contains(":next") || (text.contains("Init") && text.contains("Next")))
}

/// Reads a model.
pub fn read(name: &str, file: FileId, text: &str) -> SmtReading {
    let (commands, mut diagnostics) = sexp::read(file, text);
    let mut script = SmtScript::read(&commands);
    diagnostics.append(&mut script.errors);
    let start = Span::new(file, 0, 0);
    let is_vmt = script
        .definitions
        .iter()
        .any(|definition| has(definition, ":next"));
    let relations = paper::relations(&script);
    let form = match is_vmt || relations.is_none() {
        true => SmtForm::Vmt,
        false => SmtForm::Relations,
    };
    let mut maker = SystemMaker {
        script,
        system: TermSystem::new(name),
        diagnostics,
        start,
        state: Vec::new(),
        properties: Vec::new(),
    };
    match (form, relations) {
        (SmtForm::Relations, Some(relations)) => paper::make(&mut maker, relations),
        _ if is_vmt => vmt::make(&mut maker),
        _ => maker.diagnostics.push(
            Diagnostic::error(start, "This file has no transition system")
                .help("In VMT-LIB a definition with `:next` makes a state variable: `(define-fun .x () Int (! x :next x1))`.")
                .help("Otherwise relations `Init` and `Next` over the state say what the system does."),
        ),
    }
    let mut reading = maker.finish(form);
    for property in &mut reading.system.properties {
        let (start, end) = (property.span.start as usize, property.span.end as usize);
        property.text = on_one_line(text.get(start..end).unwrap_or(""));
    }
    reading
}

impl SmtScope {
    /// The compound conditions of the text with their places, with all definitions written out as in the system; those of `Init` and
    /// `Next` are about its state.
    pub fn conditions(&self, system: &TermSystem) -> PlacedConditions {
        let mut terms = system.terms.clone();
        let mut by = Substitution::default();
        let current = system.state.iter().map(|var| var.current);
        let next = system.state.iter().map(|var| var.next);
        let both: Vec<SymbolId> = current.chain(next).collect();
        for name in ["Init", "Next"] {
            let Some(symbol) = self.script.symbol(name) else {
                continue;
            };
            if let SymbolKind::Defined { params, .. } = terms.info(symbol).kind.clone() {
                for (&param, &var) in params.iter().zip(&both) {
                    by.put(param, terms.var(var));
                }
            }
        }
        let written: Vec<SmtTermId> = self.script.places.iter().map(|&(term, _)| term).collect();
        let meant = terms.all_inlined(&written, &by);
        let spans = self.script.places.iter().map(|&(_, span)| span);
        let by_text = self.script.definitions.iter().all(|definition| {
            let relation = matches!(definition.name.as_str(), "Init" | "Next");
            (relation || definition.params.is_empty()) && !has(definition, ":action")
        });
        PlacedConditions {
            terms,
            places: meant.into_iter().zip(spans).collect(),
            by_text,
        }
    }

    /// Reads a further formula about the system, as a property of it.
    pub fn property(
        &mut self,
        system: &mut TermSystem,
        name: &str,
        file: FileId,
        text: &str,
    ) -> Result<SmtProperty, Vec<Diagnostic>> {
        let (items, errors) = sexp::read(file, text);
        if !errors.is_empty() {
            return Err(errors);
        }
        let whole = Span::new(file, 0, text.len());
        let [sexp] = &items[..] else {
            return Err(vec![
                Diagnostic::error(whole, "A formula is one expression")
                    .help("It is written as `(ctl.AF (> x 5))`."),
            ]);
        };
        // Script and system have one set of terms, which is lent to the script while it reads.
        self.script.terms = std::mem::take(&mut system.terms);
        for (name, term) in &self.state {
            self.script.bind(name.clone(), *term);
        }
        let made = formula::read(&mut self.script, sexp);
        for (name, _) in &self.state {
            self.script.unbind(name);
        }
        system.terms = std::mem::take(&mut self.script.terms);
        let (formula, atoms) = made.map_err(|error| vec![error])?;
        let property = SmtProperty {
            name: name.to_string(),
            named: false,
            text: on_one_line(text),
            span: sexp.span,
            kind: SmtPropertyKind::Ctl,
            formula,
            atoms,
            expected: None,
        };
        let errors = present_only(system, &property);
        match errors.is_empty() {
            true => Ok(property),
            false => Err(errors),
        }
    }
}

/// A condition as a solver prints it, in which names stand for terms; `None` if it cannot be read.
pub fn condition_over(
    terms: &mut SmtTerms,
    names: &[(String, SmtTermId)],
    condition: &Sexp,
) -> Option<SmtTermId> {
    let mut script = SmtScript::read(&[]);
    script.terms = std::mem::take(terms);
    let sorts: Vec<SortId> = script.terms.sorts.ids().collect();
    for sort in sorts {
        if let Sort::Enumeration(_, constants) = script.terms.sorts.get(sort).clone() {
            for (at, name) in constants.iter().enumerate() {
                let constant = script.terms.add(SmtTerm::Constant(sort, at as u32));
                script.bind(name.to_string(), constant);
            }
        }
    }
    for (name, term) in names {
        script.bind(name.clone(), *term);
    }
    let made = script.condition(condition).ok();
    *terms = script.terms;
    made
}

/// What is known while a system is made of a script.
pub(crate) struct SystemMaker {
    pub(crate) script: SmtScript,
    pub(crate) system: TermSystem,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The start of the file.
    pub(crate) start: Span,
    /// What names of state variables stand for, where they are no symbols of the text.
    pub(crate) state: Vec<(String, SmtTermId)>,
    pub(crate) properties: Vec<SmtProperty>,
}

impl SystemMaker {
    pub(crate) fn error(&mut self, error: Diagnostic) {
        self.diagnostics.push(error);
    }

    /// The term of a definition without parameters, with all definitions written out.
    pub(crate) fn condition(&mut self, definition: &Definition) -> Option<SmtTermId> {
        match &definition.body {
            DefinitionBody::Term(term) if definition.params.is_empty() => {
                Some(self.script.terms.inlined(*term))
            }
            DefinitionBody::Term(_) => {
                self.error(Diagnostic::error(
                    definition.span,
                    format!("`{}` has parameters, and what it is annotated with speaks of states as such", definition.name),
                ));
                None
            }
            DefinitionBody::Temporal => {
                self.error(
                    Diagnostic::error(definition.span, "A temporal formula cannot stand here")
                        .help("Annotate it with `:ctl-property` and a number."),
                );
                None
            }
        }
    }

    /// Makes a property of a definition that is annotated as one. `names` stand for terms in it.
    pub(crate) fn property(&mut self, definition: &Definition, names: &[(String, SmtTermId)]) {
        let Some(((kind, attribute), body)) = kind_of(definition).zip(definition.source.as_ref())
        else {
            return;
        };
        for (name, term) in names {
            self.script.bind(name.clone(), *term);
        }
        let made = match kind {
            SmtPropertyKind::Ctl => formula::read(&mut self.script, body),
            SmtPropertyKind::Invar | SmtPropertyKind::Live if self.script.is_temporal(body) => {
                Err(Diagnostic::error(
                    body.span,
                    format!(
                        "`{}` takes a condition on states, and this is a temporal formula",
                        attribute.keyword
                    ),
                )
                .help("Annotate it with `:ctl-property` and a number."))
            }
            SmtPropertyKind::Invar => formula::always(&mut self.script, body),
            SmtPropertyKind::Live | SmtPropertyKind::Linear => {
                formula::read(&mut self.script, body)
            }
        };
        for (name, _) in names {
            self.script.unbind(name);
        }
        let (formula, atoms) = match made {
            Ok(made) => made,
            Err(error) => return self.error(error),
        };
        let expected = self.expected(definition);
        self.properties.push(SmtProperty {
            name: shown(&definition.name).to_string(),
            named: true,
            text: String::new(),
            span: body.span,
            kind,
            formula,
            atoms,
            expected,
        });
    }

    fn expected(&mut self, definition: &Definition) -> Option<ExpectedVerdict> {
        let attribute = definition
            .attributes
            .iter()
            .find(|attribute| attribute.keyword == ":expect")?;
        match attribute.value.as_ref().and_then(Sexp::symbol) {
            Some("holds" | "true" | "valid") => Some(ExpectedVerdict::Holds),
            Some("fails" | "false" | "invalid") => Some(ExpectedVerdict::Fails),
            _ => {
                let error = Diagnostic::error(attribute.span, "`:expect` takes `holds` or `fails`");
                self.error(error);
                None
            }
        }
    }

    /// Warns of attributes that look like a slip of the pen; others belong to other tools.
    pub(crate) fn look_at_attributes(&mut self) {
        const KNOWN: [&str; 11] = [
            ":next",
            ":init",
            ":trans",
            ":invar-property",
            ":live-property",
            ":ctl-property",
            ":global",
            ":axiom",
            ":action",
            ":fair",
            ":expect",
        ];
        let mut slips = Vec::new();
        for definition in &self.script.definitions {
            for attribute in &definition.attributes {
                let keyword = attribute.keyword.as_str();
                if matches!(keyword, ":ltl-property") {
                    slips.push(
                        Diagnostic::error(attribute.span, "LTL properties are not supported")
                            .help("`:live-property` says that a condition holds from some time on, `:ctl-property` takes formulas of CTL."),
                    );
                } else if !KNOWN.contains(&keyword)
                    && !matches!(keyword, ":sort" | ":named" | ":pattern")
                    && let Some(near) = wherefore_base::nearest(keyword, KNOWN, 3)
                {
                    slips.push(
                        Diagnostic::warning(
                            attribute.span,
                            format!("`{keyword}` has no meaning here and is ignored"),
                        )
                        .help(format!("Is `{near}` meant?")),
                    );
                }
            }
        }
        self.diagnostics.append(&mut slips);
    }

    /// The disjuncts of a relation that are definitions of the user: kinds of steps with names.
    pub(crate) fn named_steps(&mut self, relation: SmtTermId) -> Vec<Action> {
        let terms = &mut self.script.terms;
        let mut actions = Vec::new();
        for disjunct in terms.disjuncts(relation) {
            let mut inner = disjunct;
            while let SmtTerm::Quantified(SmtQuantifier::Exists, _, body) = terms.get(inner) {
                inner = *body;
            }
            let SmtTerm::Apply(symbol, _) = *terms.get(inner) else {
                continue;
            };
            if let SymbolKind::Defined { .. } = terms.info(symbol).kind {
                let info = terms.info(symbol).clone();
                let term = terms.inlined(disjunct);
                actions.push(Action {
                    name: shown(&info.name).to_string(),
                    term,
                    span: info.span,
                });
            }
        }
        actions
    }

    /// What the file says of dead ends, and conditions that fair paths satisfy.
    pub(crate) fn look_at_infos(&mut self) {
        for (key, value) in std::mem::take(&mut self.script.infos) {
            if key != ":deadlock" {
                continue;
            }
            match value.symbol() {
                Some("vacuous") => self.system.deadlock = Deadlock::Vacuous,
                Some("fail") => self.system.deadlock = Deadlock::Fail,
                Some("error") => self.system.deadlock = Deadlock::Error,
                _ => self.diagnostics.push(Diagnostic::error(
                    value.span,
                    "`:deadlock` is vacuous, fail or error",
                )),
            }
        }
    }

    fn finish(mut self, form: SmtForm) -> SmtReading {
        self.system.terms = std::mem::take(&mut self.script.terms);
        self.system.properties = std::mem::take(&mut self.properties);
        tell_apart(
            self.system
                .properties
                .iter_mut()
                .map(|property| &mut property.name),
        );
        tell_apart(
            self.system
                .actions
                .iter_mut()
                .map(|action| &mut action.name),
        );
        for at in 0..self.system.properties.len() {
            let property = self.system.properties[at].clone();
            let mut errors = present_only(&self.system, &property);
            self.diagnostics.append(&mut errors);
        }
        self.diagnostics.sort_by_key(|diagnostic| {
            let place = diagnostic.span().map_or(u32::MAX, |span| span.start);
            (
                diagnostic.severity != Severity::Error && place == u32::MAX,
                place,
            )
        });
        SmtReading {
            system: self.system,
            form,
            diagnostics: self.diagnostics,
            scope: SmtScope {
                script: self.script,
                state: self.state,
            },
        }
    }
}

/// Gives numbers to names that were given before.
fn tell_apart<'n>(names: impl Iterator<Item = &'n mut String>) {
    let mut known = rustc_hash::FxHashSet::default();
    for name in names {
        let plain = name.clone();
        let mut number = 2;
        while !known.insert(name.clone()) {
            *name = format!("{plain}-{number}");
            number += 1;
        }
    }
}

/// Whether a definition has an attribute.
pub(crate) fn has(definition: &Definition, keyword: &str) -> bool {
    attribute(definition, keyword).is_some()
}

/// An attribute of a definition; one whose value is `false` counts as absent.
pub(crate) fn attribute<'d>(
    definition: &'d Definition,
    keyword: &str,
) -> Option<&'d ScriptAttribute> {
    let mut all = definition.attributes.iter();
    let off = |attribute: &ScriptAttribute| {
        attribute.value.as_ref().and_then(Sexp::symbol) == Some("false")
    };
    all.find(|attribute| attribute.keyword == keyword && !off(attribute))
}

fn kind_of(definition: &Definition) -> Option<(SmtPropertyKind, &ScriptAttribute)> {
    let kinds = [
        (":ctl-property", SmtPropertyKind::Ctl),
        (":invar-property", SmtPropertyKind::Invar),
        (":live-property", SmtPropertyKind::Live),
    ];
    kinds
        .into_iter()
        .find_map(|(keyword, kind)| Some((kind, attribute(definition, keyword)?)))
}

/// Whether a definition is annotated as a property.
pub(crate) fn is_property(definition: &Definition) -> bool {
    kind_of(definition).is_some()
}

/// The name of a definition as people are shown it: without the dot that VMT-LIB puts before it.
pub(crate) fn shown(name: &str) -> &str {
    name.strip_prefix('.')
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name)
}

/// Text on one line: comments left out, white space folded.
pub(crate) fn on_one_line(text: &str) -> String {
    let words = text
        .lines()
        .flat_map(|line| line.split(';').next().unwrap_or("").split_whitespace());
    words.collect::<Vec<_>>().join(" ")
}

/// Errors of a property that reads something else than the present state.
fn present_only(system: &TermSystem, property: &SmtProperty) -> Vec<Diagnostic> {
    let next: Vec<SymbolId> = system.next();
    let mut errors = Vec::new();
    for &atom in property.atoms.iter() {
        let free = system.terms.free(atom);
        if let Some(symbol) = free.iter().find(|symbol| next.contains(symbol)) {
            let name = &system.terms.info(*symbol).name;
            errors.push(
                Diagnostic::error(
                    property.span,
                    format!("A property speaks of one state, and `{name}` is the next one"),
                )
                .help("`ctl.AX` and `ctl.EX` speak of the state after a step."),
            );
        }
        if let Some(symbol) = free.iter().find(|symbol| system.inputs.contains(symbol)) {
            let name = &system.terms.info(*symbol).name;
            errors.push(Diagnostic::error(
                property.span,
                format!(
                    "A property speaks of states, and `{name}` is an input, which belongs to a step"
                ),
            ));
        }
    }
    errors
}
