//! The choices that a saved document holds: which rule was applied where, and where it led.
//!
//! The model may have changed since the document was written. What does not fit it any more is left
//! out: a choice that is missing is no error, it is no opinion.

use serde_json::{Map, Value as Json};
use wherefore_base::Value;
use wherefore_evidence::{Claim, LikeChoice, RegionId, Rule};
use wherefore_logic::{Bounds, Goal, SubId};
use wherefore_model::{Model, Property, PropertyBody, VarId};

use super::SCHEMA;

/// Why a text is no document of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What is wrong: a whole sentence without its full stop.
    pub message: String,
    /// Where: the offset of a byte.
    pub offset: usize,
}

/// The choices of a document, for all its properties.
#[derive(Clone, Debug)]
pub struct Choices {
    properties: Vec<Json>,
}

impl Choices {
    /// Reads a document.
    ///
    /// # Errors
    /// When the text is no document of ours.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        let document: Json = serde_json::from_str(text).map_err(|error| Unreadable {
            message: "this is no JSON document".to_string(),
            offset: offset(text, error.line(), error.column()),
        })?;
        let schema = document.get("schema").and_then(Json::as_str);
        if schema != Some(SCHEMA) {
            return Err(Unreadable {
                message: format!(
                    "this is no document of `wherefore check`: its schema is not {SCHEMA}"
                ),
                offset: 0,
            });
        }
        let models = document.get("models").and_then(Json::as_array);
        let properties = models.into_iter().flatten().filter_map(|model| {
            let properties = model.get("properties")?.as_array()?;
            Some(properties.iter().cloned())
        });
        Ok(Self {
            properties: properties.flatten().collect(),
        })
    }

    /// The choices made for a property of a model, if the document has any: the property with its name
    /// and text, or else one with its text.
    pub fn of(&self, model: &Model, property: &Property) -> Option<Vec<LikeChoice>> {
        let is = |saved: &&Json, field: &str, text: &str| {
            saved.get(field).and_then(Json::as_str) == Some(text)
        };
        let same_text = self
            .properties
            .iter()
            .filter(|p| is(p, "text", &property.text));
        let mut same_name = same_text.clone().filter(|p| is(p, "name", &property.name));
        let saved = same_name.next().or_else(|| same_text.clone().next())?;
        let PropertyBody::Query(query) = &property.body else {
            return None;
        };
        let evidence = saved.get("evidence")?;
        if evidence.get("formula")?.as_array()?.len() != query.formula.len() {
            return None;
        }
        let states = evidence.get("states")?.as_array()?.iter();
        let states = states.map(|state| row(model, state.get("values")?.as_object()?));
        let reader = Reader {
            states: states.collect(),
            proof: evidence.get("proof")?.as_array()?,
            subs: query.formula.len(),
        };
        let choices = reader.proof.iter().filter_map(|node| reader.choice(node));
        let choices: Vec<LikeChoice> = choices.collect();
        (!choices.is_empty()).then_some(choices)
    }
}

struct Reader<'a> {
    /// The values of each state, if the model still has such a state.
    states: Vec<Option<Vec<Value>>>,
    proof: &'a [Json],
    subs: usize,
}

impl Reader<'_> {
    fn choice(&self, node: &Json) -> Option<LikeChoice> {
        let which = || index(node.get("which")?);
        let rule = match node.get("rule")?.as_str()? {
            "state" => Rule::State,
            "branch" => Rule::Branch(which()?),
            "step" => Rule::Step,
            "every-step" => Rule::EveryStep,
            "goal" => Rule::Goal,
            "continue" => Rule::Continue,
            "dead-end" => Rule::DeadEnd,
            "stop" => Rule::Stop,
            "region" => Rule::Region(RegionId::new(which()?)),
            "total" => Rule::Total,
            _ => return None,
        };
        let premises = node.get("premises")?.as_array()?;
        let to = match rule {
            Rule::Step => Some(premises.first()?),
            Rule::Continue => Some(premises.last()?),
            _ => None,
        };
        let to = match to {
            Some(premise) => Some(self.values(self.proof.get(index(premise)?)?)?),
            None => None,
        };
        Some(LikeChoice {
            claim: self.claim(node)?,
            values: self.values(node)?,
            rule,
            to,
        })
    }

    fn values(&self, node: &Json) -> Option<Vec<Value>> {
        self.states.get(index(node.get("state")?)?)?.clone()
    }

    fn claim(&self, node: &Json) -> Option<Claim> {
        let (Some(sub), Some(holds)) = (node.get("sub")?.as_u64(), node.get("holds")?.as_bool())
        else {
            return Some(Claim::HasPath);
        };
        let sub = usize::try_from(sub).ok().filter(|&sub| sub < self.subs)?;
        let bound = |bound: &Json| u32::try_from(bound.as_u64()?).ok();
        let bounds = match node.get("bounds") {
            Some(bounds) => Some(Bounds {
                least: bound(bounds.get(0)?)?,
                most: bound(bounds.get(1)?)?,
            }),
            None => None,
        };
        let sub = SubId::new(sub);
        Some(Claim::Formula(Goal { sub, holds }, bounds))
    }
}

/// The values of a state in the order of the model.
fn row(model: &Model, values: &Map<String, Json>) -> Option<Vec<Value>> {
    let vars = (0..model.state_vars()).map(|at| {
        let var = &model.vars[VarId::new(at)];
        let value = match values.get(&var.name)? {
            Json::Bool(truth) => Value::Bool(*truth),
            Json::Number(number) => Value::Int(number.as_i64()?),
            Json::String(name) => Value::Symbol(model.names.find(name)?),
            large => Value::Int(large.get("#bigint")?.as_str()?.parse().ok()?),
        };
        var.domain.index_of(value).map(|_| value)
    });
    vars.collect()
}

fn index(number: &Json) -> Option<usize> {
    usize::try_from(number.as_u64()?).ok()
}

/// The offset of a line and a column, both counted from one; columns count bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let mut offset = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_document_is_refused_with_its_place() {
        let wrong = |text: &str| Choices::read(text).expect_err(text);
        assert_eq!(wrong("{\n  \"é\" }").offset, 9);
        assert!(wrong("{}").message.contains("schema"));
        assert!(wrong("").message.contains("no JSON"));
        assert!(Choices::read("{\"schema\": \"wherefore/1\", \"models\": 3}").is_ok());
    }
}
