//! Toy, a language of one line for each step: the smallest thing that can be asked.
//!
//! ```text
//! start red
//! red -> green
//! green -> amber
//! amber -> red amber
//! never amber
//! ```

use std::collections::BTreeSet;

use wherefore_base::{Budget, Diagnostic, FileId, IndexVec, Run, SourceMap, Span, Value};
use wherefore_logic::{Formula, Op, PathOp, PathRule, Quantifier};
use wherefore_model::{
    BinaryOp, Constraint, Described, DescribedSystem, Domain, Model, ModelLanguage, Origin,
    Property, PropertyBody, PropertyKind, Query, Requirement, Term, TermId, VarId, VarKind,
    Variable,
};

/// The language.
pub struct Toy;

impl ModelLanguage for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".toy"]
    }

    fn load(&self, sources: &mut SourceMap, file: FileId, _: &Budget) -> Run<Described> {
        let text = sources.file(file).text().to_string();
        let mut reader = ToyReader::new(&text, file);
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let words: Vec<&str> = line.split_whitespace().collect();
            let span = Span::new(file, offset, offset + line.trim_end().len());
            reader.line(&words, span);
            offset += line.len();
        }
        Ok(reader.described())
    }
}

struct ToyReader {
    model: Model,
    place: VarId,
    diagnostics: Vec<Diagnostic>,
    /// The step relation so far: the values of the next state, where no line of the rest applies.
    next: TermId,
    whole: Span,
}

impl ToyReader {
    /// A reader whose variable takes all names that stand left or right of an arrow.
    fn new(text: &str, file: FileId) -> Self {
        let steps = text.lines().filter_map(|line| line.split_once("->"));
        let names: BTreeSet<&str> = steps
            .flat_map(|(from, to)| from.split_whitespace().chain(to.split_whitespace()))
            .collect();
        let mut model = Model::default();
        let values = names
            .iter()
            .map(|name| Value::Symbol(model.names.intern(name)));
        let values: Box<[Value]> = values.collect();
        let whole = Span::new(file, 0, text.len());
        let place = model.vars.push(Variable {
            name: "place".to_string(),
            domain: if values.is_empty() {
                Domain::Bool
            } else {
                Domain::Enum(values)
            },
            kind: VarKind::State,
            span: whole,
            origin: Origin::Declared,
        });
        let next = model.terms.add(Term::Var(place), None);
        Self {
            model,
            place,
            diagnostics: Vec::new(),
            next,
            whole,
        }
    }

    fn line(&mut self, words: &[&str], span: Span) {
        match words {
            [] => {}
            ["start", name] => {
                let value = self.constant(name, span);
                let requires = Requirement::Assign(self.place, value);
                self.model.init.push(Constraint { requires, span });
            }
            ["never", name] => self.never(name, span),
            [from, "->", to @ ..] if !to.is_empty() => {
                let targets: Vec<TermId> = to.iter().map(|to| self.constant(to, span)).collect();
                let targets = self.term(Term::Set(targets.into()), span);
                let here = self.is(from, span);
                self.next = self.term(Term::Ite(here, targets, self.next), span);
            }
            [word, ..] => {
                let message = format!("`{word}` begins no line of the language");
                let help = "write `start A`, `A -> B C` or `never A`";
                self.diagnostics
                    .push(Diagnostic::error(span, message).help(help));
            }
        }
    }

    /// Asks whether a place is never reached.
    fn never(&mut self, name: &str, span: Span) {
        let atom = self.is(name, span);
        let mut atoms = IndexVec::default();
        let atom = atoms.push(atom);
        let mut formula = Formula::new();
        let atom = formula.add(Op::Atom(atom), Some(span));
        let not = formula.add(Op::Not(atom), Some(span));
        formula.add(
            Op::Path(Quantifier::Forall, PathOp::Globally(not)),
            Some(span),
        );
        self.model.properties.push(Property {
            name: format!("never_{name}"),
            named: true,
            text: format!("never {name}"),
            span,
            instance: String::new(),
            kind: PropertyKind::Ctl,
            body: PropertyBody::Query(Query {
                formula,
                atoms,
                rule: PathRule::default(),
            }),
        });
    }

    fn is(&mut self, name: &str, span: Span) -> TermId {
        let here = self.term(Term::Var(self.place), span);
        let value = self.constant(name, span);
        self.term(Term::Binary(BinaryOp::Equal, here, value), span)
    }

    fn constant(&mut self, name: &str, span: Span) -> TermId {
        let symbol = self.model.names.intern(name);
        self.term(Term::Const(Value::Symbol(symbol)), span)
    }

    fn term(&mut self, term: Term, span: Span) -> TermId {
        self.model.terms.add(term, Some(span))
    }

    fn described(mut self) -> Described {
        if self.model.init.is_empty() {
            let error = Diagnostic::error(self.whole, "no line says where the system starts");
            self.diagnostics.push(error.help("write `start A`"));
        }
        let requires = Requirement::Assign(self.place, self.next);
        let span = self.whole;
        self.model.trans.push(Constraint { requires, span });
        Described {
            system: DescribedSystem::Model(Box::new(self.model), None),
            diagnostics: self.diagnostics,
        }
    }
}
