//! What may be written in the place of an expression: small expressions made of variables, fields and signatures.

use wherefore_base::FileId;

use crate::model::{AlloyModel, Mult, SigId};
use crate::types::AlloyType;

/// At most so many sets are made for the variables at a place.
const SETS: usize = 150;
/// At most so many formulas are.
const FORMULAS: usize = 260;

/// A text, and the top-level signatures of its columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TypedText {
    pub(super) text: String,
    pub(super) columns: Vec<SigId>,
}

/// The top-level signatures of the columns of a type, if it is clear.
pub(super) fn columns(model: &AlloyModel, ty: &AlloyType) -> Option<Vec<SigId>> {
    let mut products = ty.products().iter();
    let roots = |product: &Vec<SigId>| -> Vec<SigId> {
        product.iter().map(|&sig| root(model, sig)).collect()
    };
    let first = roots(products.next()?);
    products.all(|other| roots(other) == first).then_some(first)
}

/// The top-level signature that a signature is within.
fn root(model: &AlloyModel, sig: SigId) -> SigId {
    use crate::model::AlloyPlace;
    let univ = SigId::new(AlloyModel::UNIV);
    let mut at = sig;
    loop {
        let up = match &model.sigs[at].place {
            AlloyPlace::Extends(parent) => *parent,
            AlloyPlace::In { of, .. } if of.len() == 1 => of[0],
            _ => return at,
        };
        if up == univ {
            return at;
        }
        at = up;
    }
}

/// Expressions and formulas over the variables of a place.
#[derive(Clone, Default)]
pub(super) struct Pool {
    sets: Vec<TypedText>,
    relations: Vec<TypedText>,
    formulas: Vec<String>,
}

impl Pool {
    pub(super) fn new(model: &AlloyModel, file: FileId, scope: &[TypedText]) -> Self {
        let mut pool = Self::default();
        pool.make_relations(model, file);
        pool.make_sets(model, file, scope);
        pool.make_formulas(scope);
        pool
    }

    /// Sets, the shortest ones first.
    pub(super) fn sets(&self) -> impl Iterator<Item = &TypedText> {
        self.sets.iter()
    }

    pub(super) fn formulas(&self) -> &[String] {
        &self.formulas
    }

    /// What has the given columns.
    pub(super) fn of_type<'p>(
        &'p self,
        columns: &'p [SigId],
    ) -> impl Iterator<Item = &'p TypedText> {
        let all = self.sets.iter().chain(&self.relations);
        all.filter(move |one| one.columns == columns)
    }

    fn make_relations(&mut self, model: &AlloyModel, file: FileId) {
        let fields = model.fields.iter().filter(|field| field.span.file == file);
        for field in fields {
            if let Some(columns) = columns(model, &field.ty) {
                let text = model.names.text(field.name).to_string();
                self.relations.push(TypedText { text, columns });
            }
        }
        let plain = self.relations.clone();
        for (at, one) in plain.iter().enumerate() {
            for other in &plain[at + 1..] {
                if is_endo(one) && one.columns == other.columns && self.relations.len() < 24 {
                    let text = format!("({} + {})", one.text, other.text);
                    let columns = one.columns.clone();
                    self.relations.push(TypedText { text, columns });
                }
            }
        }
    }

    fn make_sets(&mut self, model: &AlloyModel, file: FileId, scope: &[TypedText]) {
        let mut bases: Vec<TypedText> = scope
            .iter()
            .rev()
            .filter(|var| var.columns.len() == 1)
            .cloned()
            .collect();
        let mut sigs = Vec::new();
        for (id, sig) in model.declared().filter(|(_, sig)| sig.span.file == file) {
            let one = TypedText {
                text: sig.label.clone(),
                columns: vec![root(model, id)],
            };
            match sig.mult {
                Some(Mult::One) => bases.push(one),
                _ => sigs.push(one),
            }
        }
        let single = self.joined(&bases);
        let double = self.joined(&single);
        self.sets.extend(bases);
        self.sets.extend(single);
        self.sets.extend(sigs);
        self.sets.extend(double);
        self.sets.truncate(SETS);
    }

    /// What is reached from sets by a relation, its transpose or its closures.
    fn joined(&self, sets: &[TypedText]) -> Vec<TypedText> {
        let mut found: Vec<TypedText> = Vec::new();
        let mut push = |text: String, column: SigId| {
            if !found.iter().any(|known| known.text == text) {
                let columns = vec![column];
                found.push(TypedText { text, columns });
            }
        };
        for set in sets {
            let from = set.columns[0];
            for relation in &self.relations {
                let text = &relation.text;
                match relation.columns[..] {
                    [a, b] if a == from => {
                        push(format!("{}.{text}", set.text), b);
                        if a == b {
                            push(format!("{}.^{text}", set.text), b);
                            push(format!("{}.*{text}", set.text), b);
                            push(format!("{}.~{text}", set.text), b);
                            push(format!("{}.^~{text}", set.text), b);
                        }
                    }
                    [a, b] if b == from && !set.text.contains('.') => {
                        push(format!("{text}.{}", set.text), a);
                    }
                    [a, b, c] if a == from && !set.text.contains('.') => {
                        // The domain of the relation that belongs to one atom.
                        push(format!("{}.{text}.univ", set.text), b);
                        push(format!("univ.({}.{text})", set.text), c);
                    }
                    _ => {}
                }
            }
        }
        found
    }

    fn make_formulas(&mut self, scope: &[TypedText]) {
        let mut found: Vec<String> = Vec::new();
        let mut members = Vec::new();
        for set in &self.sets {
            let variable = scope.iter().any(|var| var.text == set.text);
            if !variable {
                for word in ["no", "some", "lone", "one"] {
                    found.push(format!("{word} {}", set.text));
                }
            }
            for var in scope.iter().filter(|var| var.columns == set.columns) {
                if var.text != set.text {
                    members.push(format!("{} in {}", var.text, set.text));
                    members.push(format!("{} !in {}", var.text, set.text));
                    members.push(format!("{} = {}", var.text, set.text));
                }
            }
        }
        // Both kinds in turn, so that neither is left out where there are many.
        let (mut first, mut second) = (found.into_iter(), members.into_iter());
        loop {
            let next: Vec<String> = first
                .by_ref()
                .take(4)
                .chain(second.by_ref().take(4))
                .collect();
            if next.is_empty() || self.formulas.len() >= FORMULAS {
                return;
            }
            self.formulas.extend(next);
        }
    }
}

fn is_endo(relation: &TypedText) -> bool {
    matches!(relation.columns[..], [a, b] if a == b)
}
