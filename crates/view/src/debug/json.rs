//! The analysis in the document.

use serde::Serialize;
use serde_json::{Map, Value as Json};
use wherefore_model::lts::LabelId;
use wherefore_tagged::{
    Column, ColumnId, Course, Ending, Group, Kind, NodeId, Outlook, Reading, Tag, TextId, Values,
    Way, ways,
};

use super::rows::tag;
use super::{Shown, Story};
use crate::json::{Document, Model, Property, Reach, Space, Stats, number};
use crate::sentences::tagged::percent;

/// All counterexamples of a property at once.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Analysis {
    /// What good and bad mean: `branching`, `fate` or `inevitable`.
    pub reading: &'static str,
    /// How it stands with the property: `holds`, `always-violated`, `mixed` or `no-good-step`.
    pub outlook: &'static str,
    /// What a reader should know of the model that the system was made from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How large the system is.
    pub system: Size,
    /// How large the counterexample LTS is.
    pub counterexamples: Size,
    pub tags: Tags,
    pub neighbourhoods: Neighbourhoods,
    /// The shortest counterexamples; null if there are none.
    pub shortest: Option<Shortest>,
    /// The counterexample, or the way to a neighbourhood, that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
    /// Why there is no such counterexample or way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Labels of correct and incorrect transitions that leave neighbourhoods.
    pub deciding: Vec<Deciding>,
    /// The other labels, which decide nothing.
    pub idle: Vec<String>,
    /// The largest groups of similar neighbourhoods; all, if they were asked for.
    pub groups: Vec<Alike>,
}

/// How large a graph is.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Size {
    pub states: usize,
    pub transitions: usize,
    pub labels: usize,
}

/// How many transitions have which tag.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Tags {
    pub correct: usize,
    pub incorrect: usize,
    pub neutral: usize,
}

/// How many neighbourhoods there are of which type.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Neighbourhoods {
    pub total: usize,
    pub cn: usize,
    #[serde(rename = "in")]
    pub r#in: usize,
    pub ci: usize,
    pub cin: usize,
    /// Of the states of the counterexample LTS, in per cent.
    pub percent: f64,
    /// How many groups of similar ones there are.
    pub groups: usize,
}

/// The shortest counterexamples.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Shortest {
    pub length: usize,
    /// The length of the first one once it is abstracted.
    pub abstracted: usize,
    /// The least and the greatest of these lengths over all of them.
    pub abstracted_range: [usize; 2],
    /// How many there are; null if they are not counted.
    pub count: Option<Json>,
    /// Whether nothing shorter exists.
    pub proved: bool,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Run {
    /// `shortest`, `pattern`, `random`, `given` or `nearest`.
    pub which: &'static str,
    pub length: usize,
    /// How many of its steps are kept.
    pub abstracted: usize,
    /// What comes after the last step: `reached`, `deadlock` or `loop`.
    pub ending: &'static str,
    /// The index in `states` where the loop starts, or null.
    #[serde(rename = "loop")]
    pub back: Option<usize>,
    pub states: Vec<Place>,
    pub steps: Vec<Step>,
}

/// A state of the counterexample LTS.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Place {
    /// The state of the system.
    pub state: usize,
    /// The state of the automaton of the property.
    pub at: u32,
    /// The values of the variables, where the system was made from a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Json>>,
    /// The neighbourhood there, or null.
    pub neighbourhood: Option<Choices>,
}

/// A neighbourhood, with the labels of its steps; a label stands there once for each step.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Choices {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub correct: Vec<String>,
    pub incorrect: Vec<String>,
    pub neutral: Vec<String>,
    /// The same in terms of values, where the system was made from a model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<WayOn>,
}

/// Steps of a neighbourhood that have the same tag, and what they have in common.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct WayOn {
    pub tag: &'static str,
    /// How many steps there are.
    pub steps: usize,
    /// The inputs, and the values after the step, that no step with another tag has.
    pub decides: Map<String, Json>,
    /// What changes in all of them, apart from what decides.
    pub changes: Vec<Changed>,
    /// The variables that differ among them.
    pub free: Vec<String>,
}

/// A change of a variable.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Changed {
    pub variable: String,
    pub old: Json,
    pub new: Json,
}

/// A step of a run.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Step {
    pub action: String,
    pub tag: &'static str,
    /// Whether it enters or leaves a neighbourhood.
    pub kept: bool,
}

/// How often a label decides.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Deciding {
    pub label: String,
    pub correct: usize,
    pub incorrect: usize,
}

/// Neighbourhoods that are alike.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Alike {
    /// How many there are.
    pub count: usize,
    /// The state of the system at the one that is nearest to the start.
    pub state: usize,
    #[serde(flatten)]
    pub choices: Choices,
}

/// The whole document.
pub fn document(story: &Story<'_>) -> Document {
    let lts = story.graph().lts();
    let reach = Reach {
        kind: "complete",
        meaning: "real",
        of_system: None,
    };
    let property = Property {
        name: story.asked.name.to_string(),
        text: story.asked.text.to_string(),
        path: story.asked.path.map(str::to_string),
        line: story.asked.place.map(|(line, _)| line),
        column: story.asked.place.map(|(_, column)| column),
        kind: story.behind.map_or("mcl", |behind| behind.kind),
        class: Some(match story.graph().reading() {
            Reading::Inevitable => "finite-liveness",
            Reading::Branching | Reading::Fate => "safety",
        }),
        verdict: match story.analysis.outlook {
            Outlook::Holds => "holds",
            _ => "fails",
        },
        reach: Some(reach),
        analysis: Some(Analysis::new(story)),
        ..Property::default()
    };
    Document::new(vec![Model {
        path: story.path.to_string(),
        language: story.language,
        space: Some(Space {
            engine: "explicit",
            states: Json::from(lts.states()),
            transitions: Some(Json::from(lts.transitions())),
            symmetries: None,
        }),
        hidden: vec![],
        diagnostics: vec![],
        properties: vec![property],
        notes: vec![],
        stats: story.seconds.map(|seconds| Stats { seconds }),
    }])
}

impl Analysis {
    /// What a story tells.
    pub fn new(story: &Story<'_>) -> Self {
        let graph = story.graph();
        let (lts, counts) = (graph.lts(), graph.counts());
        let run = match &story.shown {
            Shown::Course(which, course) => Some(run(story, which.name(), course)),
            _ => None,
        };
        Self {
            reading: reading_name(graph.reading()),
            outlook: outlook_name(story.analysis.outlook),
            notes: story.behind.map_or(vec![], |behind| behind.notes.to_vec()),
            system: Size {
                states: lts.states(),
                transitions: lts.transitions(),
                labels: lts.labels().len(),
            },
            counterexamples: Size {
                states: counts.states,
                transitions: counts.transitions,
                labels: counts.labels,
            },
            tags: Tags {
                correct: counts.tagged(Tag::Correct),
                incorrect: counts.tagged(Tag::Incorrect),
                neutral: counts.tagged(Tag::Neutral),
            },
            neighbourhoods: Neighbourhoods {
                total: counts.neighbourhoods(),
                cn: counts.of(Kind::Cn),
                r#in: counts.of(Kind::In),
                ci: counts.of(Kind::Ci),
                cin: counts.of(Kind::Cin),
                percent: percent(graph),
                groups: story.analysis.groups.len(),
            },
            shortest: story
                .analysis
                .shortest
                .as_ref()
                .ok()
                .map(|shortest| Shortest {
                    length: shortest.course.len(),
                    abstracted: kept(story, &shortest.course),
                    abstracted_range: [shortest.least, shortest.most],
                    count: shortest
                        .count
                        .as_ref()
                        .map(|count| number(&count.to_string())),
                    proved: shortest.proved,
                }),
            run,
            missing: match &story.shown {
                Shown::Missing(why) => Some(why.clone()),
                _ => None,
            },
            deciding: (story.analysis.labels.deciding.iter())
                .map(|deciding| Deciding {
                    label: graph.label(deciding.label).text.clone(),
                    correct: deciding.correct,
                    incorrect: deciding.incorrect,
                })
                .collect(),
            idle: texts(story, &story.idle()),
            groups: groups(story),
        }
    }
}

pub(crate) fn run(story: &Story<'_>, which: &'static str, course: &Course) -> Run {
    let graph = story.graph();
    let kept = story.kept(course);
    let steps = course.labels.iter().enumerate().map(|(at, &label)| Step {
        action: graph.label(label).text.clone(),
        tag: tag(graph, course.nodes[at], label, course.nodes[at + 1]).name(),
        kept: kept[at],
    });
    Run {
        which,
        length: course.len(),
        abstracted: kept.iter().filter(|kept| **kept).count(),
        ending: match course.ending {
            Ending::Reached => "reached",
            Ending::Deadlock => "deadlock",
            Ending::Loop(_) => "loop",
        },
        back: match course.ending {
            Ending::Loop(at) => Some(at),
            Ending::Reached | Ending::Deadlock => None,
        },
        states: course
            .nodes
            .iter()
            .map(|&node| place(story, node))
            .collect(),
        steps: steps.collect(),
    }
}

fn place(story: &Story<'_>, node: NodeId) -> Place {
    let pair = story.graph().pair(node);
    Place {
        state: pair.state.index(),
        at: pair.at,
        values: values_at(story, node),
        neighbourhood: choices(story, node),
    }
}

/// The values at a node, in the order of the variables.
pub(crate) fn values_at(story: &Story<'_>, node: NodeId) -> Option<Map<String, Json>> {
    let values = story.behind?.values;
    let here = values.at(story.graph().pair(node).state)?;
    let columns = values.columns().zip(here);
    let value = |((_, column), text): ((_, &Column), &TextId)| {
        (column.name.clone(), value_json(values, *text))
    };
    Some(columns.map(value).collect())
}

/// A value: numbers and truth values as such, names as texts.
fn value_json(values: &Values, text: TextId) -> Json {
    match values.text(text) {
        "TRUE" => Json::Bool(true),
        "FALSE" => Json::Bool(false),
        text => match text.parse::<i64>() {
            Ok(number) => Json::from(number),
            Err(_) => Json::from(text),
        },
    }
}

fn ways_on(story: &Story<'_>, node: NodeId) -> Vec<WayOn> {
    let Some(behind) = story.behind else {
        return Vec::new();
    };
    let values = behind.values;
    let name = |column: ColumnId| values.column(column).name.clone();
    let way = |way: &Way| WayOn {
        tag: way.tag.name(),
        steps: way.steps.len(),
        decides: (way.decides.iter())
            .map(|setting| (name(setting.column), value_json(values, setting.value)))
            .collect(),
        changes: (way.changes.iter())
            .map(|change| Changed {
                variable: name(change.column),
                old: value_json(values, change.old),
                new: value_json(values, change.new),
            })
            .collect(),
        free: way.free.iter().map(|&column| name(column)).collect(),
    };
    ways(story.graph(), values, node).iter().map(way).collect()
}

fn choices(story: &Story<'_>, node: NodeId) -> Option<Choices> {
    let graph = story.graph();
    let kind = graph.kind(node)?;
    let with = |tag: Tag| {
        let steps = graph.steps(node).filter(|step| step.tag == tag);
        steps
            .map(|step| graph.label(step.label).text.clone())
            .collect()
    };
    Some(Choices {
        kind: kind.name(),
        correct: with(Tag::Correct),
        incorrect: with(Tag::Incorrect),
        neutral: with(Tag::Neutral),
        ways: ways_on(story, node),
    })
}

/// So many groups are listed when nobody asks for them.
const GROUPS: usize = 5;

fn groups(story: &Story<'_>) -> Vec<Alike> {
    let most = match story.shown {
        Shown::Groups => usize::MAX,
        _ => GROUPS,
    };
    let groups = story.analysis.groups.iter().take(most);
    groups.filter_map(|group| alike(story, group)).collect()
}

/// A group of neighbourhoods; nothing if it has no members.
pub(crate) fn alike(story: &Story<'_>, group: &Group) -> Option<Alike> {
    let first = *group.members.first()?;
    Some(Alike {
        count: group.members.len(),
        state: story.graph().pair(first).state.index(),
        choices: choices(story, first)?,
    })
}

fn kept(story: &Story<'_>, course: &Course) -> usize {
    story.kept(course).iter().filter(|kept| **kept).count()
}

fn texts(story: &Story<'_>, labels: &[LabelId]) -> Vec<String> {
    let texts = labels
        .iter()
        .map(|&label| story.graph().label(label).text.clone());
    texts.collect()
}

fn reading_name(reading: Reading) -> &'static str {
    match reading {
        Reading::Branching => "branching",
        Reading::Fate => "fate",
        Reading::Inevitable => "inevitable",
    }
}

fn outlook_name(outlook: Outlook) -> &'static str {
    match outlook {
        Outlook::Holds => "holds",
        Outlook::AlwaysViolated => "always-violated",
        Outlook::Mixed => "mixed",
        Outlook::NoGoodStep => "no-good-step",
    }
}
