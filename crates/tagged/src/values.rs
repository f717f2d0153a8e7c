//! What the states and steps of a system are made of, where they are made of something.
//!
//! The states of a model are values of variables, and a step may have inputs. A view that knows them can
//! say at a neighbourhood what is so there and which values lead right or wrong, where labels alone
//! would not tell.

use std::collections::HashMap;

use wherefore_base::define_id;
use wherefore_model::lts::StateId;

define_id!(
    /// The text of a value.
    pub struct TextId
);
define_id!(
    /// A variable of [`NodeValues`]: those of the state first, then the inputs.
    pub struct ColumnId
);
define_id!(
    /// A set of inputs that lead from one state to another.
    struct InputsId
);

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name, as the user knows it.
    pub name: String,
    /// Whether it is chosen anew at each step.
    pub input: bool,
    /// Whether the property reads it.
    pub watched: bool,
    /// Whether the user did not declare it, so that it is not shown.
    pub hidden: bool,
}

/// The values of all states of a system, and the inputs of its steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeValues {
    columns: Vec<Column>,
    texts: Vec<String>,
    names: HashMap<String, TextId>,
    /// The values of the state variables, state by state.
    states: Vec<TextId>,
    /// Where the steps of each state start, and after them where the last ones end.
    starts: Vec<u32>,
    /// The target of each step, ascending for each state, and its inputs.
    steps: Vec<(StateId, InputsId)>,
    inputs: Vec<Vec<Vec<TextId>>>,
    sets: HashMap<Vec<Vec<TextId>>, InputsId>,
}

impl NodeValues {
    /// Values of these variables; states and steps are added with [`NodeValues::state`] and
    /// [`NodeValues::step`].
    pub fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            starts: vec![0],
            ..Self::default()
        }
    }

    /// Adds the values of the next state.
    pub fn state(&mut self, values: impl Iterator<Item = String>) {
        for value in values {
            let text = self.text_of(value);
            self.states.push(text);
        }
    }

    /// Adds the next step of the next state whose steps are not complete; targets ascend.
    pub fn step(&mut self, to: StateId, inputs: Vec<Vec<String>>) {
        let inputs: Vec<Vec<TextId>> = inputs
            .into_iter()
            .map(|input| input.into_iter().map(|text| self.text_of(text)).collect())
            .collect();
        let id = match self.sets.get(&inputs) {
            Some(&id) => id,
            None => {
                let id = InputsId::new(self.inputs.len());
                self.inputs.push(inputs.clone());
                self.sets.insert(inputs, id);
                id
            }
        };
        self.steps.push((to, id));
    }

    /// Says that the steps of the next state are complete.
    pub fn end_of_steps(&mut self) {
        self.starts.push(self.steps.len() as u32);
    }

    fn text_of(&mut self, text: String) -> TextId {
        if let Some(&id) = self.names.get(&text) {
            return id;
        }
        let id = TextId::new(self.texts.len());
        self.texts.push(text.clone());
        self.names.insert(text, id);
        id
    }

    /// How many of the variables make up a state.
    pub fn width(&self) -> usize {
        self.columns.iter().filter(|column| !column.input).count()
    }

    /// The variables.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = (ColumnId, &Column)> {
        let columns = self.columns.iter().enumerate();
        columns.map(|(at, column)| (ColumnId::new(at), column))
    }

    /// A variable.
    pub fn column(&self, column: ColumnId) -> &Column {
        &self.columns[column.index()]
    }

    /// The text of a value.
    pub fn text(&self, text: TextId) -> &str {
        &self.texts[text.index()]
    }

    /// The values of the state variables in a state; `None`: none were added, as for the place where
    /// runs start before they are in a first state.
    pub fn at(&self, state: StateId) -> Option<&[TextId]> {
        let width = self.width();
        self.states
            .get(state.index() * width..(state.index() + 1) * width)
    }

    /// The inputs that lead from one state to another, in order; none when there are none, or more than
    /// are kept.
    pub fn inputs(&self, from: StateId, to: StateId) -> &[Vec<TextId>] {
        let from = from.index();
        let steps = &self.steps[self.starts[from] as usize..self.starts[from + 1] as usize];
        match steps.binary_search_by_key(&to, |step| step.0) {
            Ok(at) => &self.inputs[steps[at].1.index()],
            Err(_) => &[],
        }
    }
}
