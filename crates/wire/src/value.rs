//! Values, counts, and entries by name.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

/// The greatest integer up to which all integers are doubles.
const SAFE: u64 = 1 << 53;

/// A value of a variable: a truth value, an integer, or the name of a constant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum ValueDoc {
    Bool(bool),
    Int(i64),
    Text(String),
    Big(BigIntDoc),
    /// Something that no variable has. It is never written; readers say what is wrong with it.
    #[cfg_attr(test, schemars(skip))]
    Other(Json),
}

/// An integer beyond 2^53, which many readers of JSON cannot hold.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BigIntDoc {
    /// Its digits.
    #[serde(rename = "#bigint")]
    pub digits: String,
}

impl ValueDoc {
    /// An integer; a big one where a double cannot hold it.
    pub fn int(number: i64) -> Self {
        if number.unsigned_abs() <= SAFE {
            Self::Int(number)
        } else {
            let digits = number.to_string();
            Self::Big(BigIntDoc { digits })
        }
    }
}

/// A number; a string of digits when it is above 2^53.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum CountDoc {
    Number(u64),
    Digits(String),
}

impl CountDoc {
    /// The count with these decimal digits.
    pub fn of(digits: &str) -> Self {
        match digits.parse::<u64>() {
            Ok(number) if number <= SAFE => Self::Number(number),
            _ => Self::Digits(digits.to_string()),
        }
    }

    /// Its decimal digits.
    pub fn digits(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Digits(digits) => digits.clone(),
        }
    }
}

impl From<usize> for CountDoc {
    fn from(count: usize) -> Self {
        Self::Number(count as u64)
    }
}

/// Values by the names of variables.
pub type ValuesDoc = ByName<ValueDoc>;

/// A set of states: those in which each variable has one of its values.
pub type CubeDoc = ByName<Vec<ValueDoc>>;

/// Entries by name, in the order in which they were added: `{"name": entry, ...}`.
#[derive(Clone, PartialEq, Debug)]
pub struct ByName<T>(Vec<(String, T)>);

impl<T> ByName<T> {
    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> + Clone {
        self.0.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.iter().map(|(name, _)| name)
    }

    /// The entry with a name; of several the last, as readers of JSON take it.
    pub fn get(&self, name: &str) -> Option<&T> {
        let entry = self.0.iter().rfind(|(other, _)| other == name);
        entry.map(|(_, entry)| entry)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<(String, T)> for ByName<T> {
    /// Of several entries with a name, the last takes the place of the first.
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut all: Vec<(String, T)> = Vec::new();
        for (name, entry) in entries {
            match places.get(&name) {
                Some(&at) => all[at].1 = entry,
                None => {
                    places.insert(name.clone(), all.len());
                    all.push((name, entry));
                }
            }
        }
        Self(all)
    }
}

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = ByName<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByName<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(ByName(entries))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order_and_the_last_of_a_name_counts() {
        let text = r##"{"b":1,"a":true,"b":{"#bigint":"9007199254740993"},"c":[1]}"##;
        let values: ValuesDoc = serde_json::from_str(text).expect("values");
        assert_eq!(serde_json::to_string(&values).expect("text"), text);
        assert_eq!(values.get("b"), Some(&ValueDoc::int((1 << 53) + 1)));
        assert!(matches!(values.get("c"), Some(ValueDoc::Other(_))));
    }

    #[test]
    fn a_name_is_written_once() {
        let entries = [("a", 1), ("b", 2), ("a", 3)];
        let named: ByName<i32> = entries
            .map(|(name, n)| (name.to_string(), n))
            .into_iter()
            .collect();
        assert_eq!(named.iter().collect::<Vec<_>>(), [("a", &3), ("b", &2)]);
    }

    #[test]
    fn counts_that_a_double_cannot_hold_are_strings() {
        assert_eq!(CountDoc::of("9007199254740992"), CountDoc::Number(SAFE));
        let large = CountDoc::of("9007199254740993");
        assert_eq!(large, CountDoc::Digits("9007199254740993".to_string()));
        assert_eq!(large.digits(), "9007199254740993");
    }
}

#[cfg(test)]
mod schema {
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::ByName;

    impl<T: JsonSchema> JsonSchema for ByName<T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> std::borrow::Cow<'static, str> {
            format!("{}ByName", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let entry = generator.subschema_for::<T>();
            json_schema!({"type": "object", "additionalProperties": entry})
        }
    }
}
