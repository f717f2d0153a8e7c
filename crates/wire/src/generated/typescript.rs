//! Types of TypeScript from schemas.

use serde_json::{Map, Value as Json};

/// A module with a type for each schema.
pub(super) fn module(definitions: &Map<String, Json>, command: &str) -> String {
    let head = format!(
        "// What the page asks and is answered. Generated from the types in crates/wire: `{command}` writes it anew.\n"
    );
    let types = definitions.iter().map(|(name, schema)| {
        let comment = comment(schema, "");
        match fields(schema) {
            Some(fields) => format!("\n{comment}export interface {name} {}\n", block(fields, "")),
            None => format!("\n{comment}export type {name} = {};\n", of(schema, "")),
        }
    });
    head + &types.collect::<String>()
}

/// The description of a schema, as a comment.
fn comment(schema: &Json, indent: &str) -> String {
    let description = schema["description"].as_str().unwrap_or_default();
    let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    match description.as_str() {
        "" => String::new(),
        text => format!("{indent}/** {} */\n", text.replace("*/", "* /")),
    }
}

/// The fields of an object that has no others, with the names of those that are always there.
fn fields(schema: &Json) -> Option<(&Map<String, Json>, &Json)> {
    let fields = schema["properties"].as_object()?;
    Some((fields, &schema["required"]))
}

/// The fields of an object between braces.
fn block((fields, required): (&Map<String, Json>, &Json), indent: &str) -> String {
    if fields.is_empty() {
        return "{}".to_string();
    }
    let inner = format!("{indent}  ");
    let required = required.as_array();
    let lines = fields.iter().map(|(name, schema)| {
        let there = required.is_some_and(|names| names.iter().any(|other| other == name));
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let key = if plain { name.clone() } else { quoted(name) };
        let mark = if there { "" } else { "?" };
        let comment = comment(schema, &inner);
        format!("{comment}{inner}{key}{mark}: {};\n", of(schema, &inner))
    });
    format!("{{\n{}{indent}}}", lines.collect::<String>())
}

/// The type of values that a schema allows.
fn of(schema: &Json, indent: &str) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.trim_start_matches("#/$defs/").to_string();
    }
    if let Some(constant) = schema.get("const") {
        return literal(constant);
    }
    if let Some(values) = schema["enum"].as_array() {
        return union(values.iter().map(literal));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(parts) = schema[keyword].as_array() {
            return union(parts.iter().map(|part| of(part, indent)));
        }
    }
    match &schema["type"] {
        Json::String(kind) => of_kind(kind, schema, indent),
        Json::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Json::as_str);
            union(kinds.map(|kind| of_kind(kind, schema, indent)))
        }
        _ => "unknown".to_string(),
    }
}

fn of_kind(kind: &str, schema: &Json, indent: &str) -> String {
    match kind {
        "integer" | "number" => "number".to_string(),
        "array" => array(schema, indent),
        "object" => match (fields(schema), other_entries(schema)) {
            (Some(fields), _) => block(fields, indent),
            (None, Some(entry)) => format!("{{ [name: string]: {} }}", of(entry, indent)),
            (None, None) => "object".to_string(),
        },
        kind => kind.to_string(),
    }
}

fn array(schema: &Json, indent: &str) -> String {
    if let Some(parts) = schema["prefixItems"].as_array() {
        let parts: Vec<String> = parts.iter().map(|part| of(part, indent)).collect();
        return format!("[{}]", parts.join(", "));
    }
    let item = of(&schema["items"], indent);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(2), Some(2)) => format!("[{item}, {item}]"),
        _ if item.contains(" | ") => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

/// The schema of entries by any name.
fn other_entries(schema: &Json) -> Option<&Json> {
    let patterns = schema["patternProperties"].as_object();
    let pattern = patterns.and_then(|patterns| patterns.values().next());
    pattern.or_else(|| {
        schema
            .get("additionalProperties")
            .filter(|entry| **entry != Json::Bool(false))
    })
}

/// Several types as one, each of them once.
fn union(parts: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for part in parts {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    all.join(" | ")
}

fn literal(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), quoted)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
