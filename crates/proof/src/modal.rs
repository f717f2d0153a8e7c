//! How evidence about a labelled transition system names states and labels.
//!
//! An occurrence has one value, the number of its state; an edge has one, the symbol with the number of
//! its label.

use wherefore_base::{Symbol, Value};
use wherefore_model::lts::{LabelId, Lts, StateId};

/// The state of an occurrence; `None` if its values are not those of a state.
pub fn state(lts: &Lts, values: &[Value]) -> Option<StateId> {
    let [Value::Int(number)] = values else {
        return None;
    };
    let number = usize::try_from(*number).ok()?;
    (number < lts.states()).then(|| StateId::new(number))
}

/// The label of an edge; `None` if its input is not one.
pub fn label(lts: &Lts, input: &[Value]) -> Option<LabelId> {
    let [Value::Symbol(symbol)] = input else {
        return None;
    };
    (symbol.index() < lts.labels().len()).then(|| LabelId::new(symbol.index()))
}

/// A label as the input of an edge.
pub fn action(label: LabelId) -> Vec<Value> {
    vec![Value::Symbol(Symbol::new(label.index()))]
}

/// A state as the values of an occurrence.
pub fn values(state: StateId) -> Vec<Value> {
    vec![Value::Int(state.index() as i64)]
}
