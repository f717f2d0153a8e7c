//! The strings that a command has atoms for: those that its facts, declarations and goal are written with,
//! and those of what they call.

use rustc_hash::FxHashSet;
use wherefore_base::Symbol;

use crate::model::{AlloyModel, AlloyTermId, AlloyTermKind, Command, CommandGoal, FunctionId};

/// The strings of a command, in the order in which the model has them.
pub(crate) fn texts(model: &AlloyModel, command: &Command) -> Vec<Symbol> {
    let mut walk = TextWalk {
        model,
        seen: FxHashSet::default(),
        called: FxHashSet::default(),
    };
    for (_, sig) in model.declared() {
        let bounds = sig.decls.iter().map(|decl| decl.bound);
        bounds.chain(sig.fact).for_each(|term| walk.term(term));
    }
    let definitions = model.fields.iter().filter_map(|field| field.definition);
    definitions.for_each(|term| walk.term(term));
    for fact in &model.facts {
        walk.term(fact.body);
    }
    match command.goal {
        CommandGoal::Formula(term) => walk.term(term),
        CommandGoal::Function(function) => {
            let function = &model.functions[function];
            let bounds = function.params.iter().map(|binding| binding.bound);
            let terms = bounds.chain(function.result).chain(function.body);
            terms.for_each(|term| walk.term(term));
        }
    }
    let mut found = Vec::new();
    for (id, term) in model.terms.entries() {
        if let AlloyTermKind::Text(text) = term.kind
            && walk.seen.contains(&id)
            && !found.contains(&text)
        {
            found.push(text);
        }
    }
    found
}

struct TextWalk<'m> {
    model: &'m AlloyModel,
    seen: FxHashSet<AlloyTermId>,
    called: FxHashSet<FunctionId>,
}

impl TextWalk<'_> {
    fn term(&mut self, root: AlloyTermId) {
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            let kind = &self.model.terms[term].kind;
            open.extend(kind.operands());
            if let AlloyTermKind::Call(function, _) = kind
                && self.called.insert(*function)
            {
                open.extend(self.model.functions[*function].body);
            }
        }
    }
}
