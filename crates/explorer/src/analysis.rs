//! Analysts: threads that have all counterexamples of a property at hand.
//!
//! An analyst reads the model for itself, so that the clerk of the model goes on meanwhile, and keeps the
//! tagged graph until it is let go.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::Receiver;

use wherefore_base::{Budget, Run, SourceFile, SourceMap};
use wherefore_driver::debug::smv::{NotAnalysed, subject};
use wherefore_driver::registry::language_of;
use wherefore_driver::subjects::lts::LtsReading;
use wherefore_driver::tagged::query::{self as asking, Graph, Limits, named};
use wherefore_driver::tagged::{
    self, Filter, Incoming, Kind, NodeId, Options, Pattern, Reading, Target,
};
use wherefore_driver::view::api;
use wherefore_driver::view::api::Place;
use wherefore_driver::view::debug::{self as view, Behind, Shown, Story, Which};
use wherefore_driver::view::query as query_view;
use wherefore_driver::view::wire::{
    AnalyseRequest, CourseAnswer, CourseRequest, NearRequest, NearbyAnswer, NodesRequest,
    QueryRequest, RangeRequest, StepsRequest, WindowAnswer, to_line,
};
use wherefore_driver::{Language, LtsSubject, ModelSubject, Refusal, Rejected};

use crate::clerk::{Answer, Desk, File, Job, Outcome};
use crate::problem::Problem;
use crate::smv::Plan;

/// At most so many nodes are shown around one.
const MOST_NODES: usize = 2_000;
/// How many nodes are shown around one unless somebody asks for more or fewer.
const USUAL_NODES: usize = 300;
/// How much a query may do unless somebody says.
const LIMITS: Limits = Limits {
    rows: 10_000,
    steps: 20_000_000,
};

/// The formats of the whole graph.
const EXPORTS: [&str; 8] = [
    "aut",
    "autx",
    "dot",
    "graphml",
    "cypher",
    "memgraph.cypher",
    "nodes.csv",
    "relationships.csv",
];

/// What an analyst can be asked.
#[derive(Clone, Debug)]
pub(crate) enum Inquire {
    /// Make the analysis.
    Open,
    Run(CourseRequest),
    Nodes(NodesRequest),
    Around(NearRequest),
    Steps(StepsRequest),
    Groups(RangeRequest),
    Query(QueryRequest),
    /// The whole graph in a format of other tools.
    Export(String),
}

/// What is to be analysed.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// The number of the analysis.
    pub(crate) id: u64,
    /// The model, with all formulas that were added to it.
    pub(crate) plan: Plan,
    pub(crate) property: usize,
    pub(crate) wishes: AnalyseRequest,
}

/// Makes an analysis for the first request, and answers until nobody asks any more.
pub(crate) fn serve(subject: &Subject, desk: &Desk, jobs: &Receiver<Job<Inquire>>) {
    let Ok(first) = jobs.recv() else {
        return;
    };
    if desk.begin(first.id).is_err() {
        first.tell(Err(Problem::cancelled()));
        return;
    }
    let budget = desk.budget();
    let mut analyst = Analyst {
        subject,
        desk,
        jobs,
        budget: &budget,
        first: Some(first),
    };
    let outcome = match language_of(&subject.plan.files.path) {
        Language::AUT => analyst.system(),
        _ => analyst.model(),
    };
    desk.end();
    if let (Err(problem), Some(first)) = (outcome, analyst.first.take()) {
        first.tell(Err(problem));
    }
}

/// An analyst at work.
struct Analyst<'a> {
    subject: &'a Subject,
    desk: &'a Desk,
    jobs: &'a Receiver<Job<Inquire>>,
    budget: &'a Budget,
    /// The request that the analysis is made for, until it is answered.
    first: Option<Job<Inquire>>,
}

impl Analyst<'_> {
    fn options(&self) -> Result<Options, Problem> {
        let reading = match self.subject.wishes.reading.as_deref() {
            None => None,
            Some("branching") => Some(Reading::Branching),
            Some("fate") => Some(Reading::Fate),
            Some("inevitable") => Some(Reading::Inevitable),
            Some(_) => {
                return Err(Problem::bad(
                    "A reading is one of branching, fate and inevitable.",
                ));
            }
        };
        Ok(Options {
            reading,
            ..Options::default()
        })
    }

    /// Analyses a labelled transition system.
    fn system(&mut self) -> Result<(), Problem> {
        let options = self.options()?;
        let files = &self.subject.plan.files;
        self.budget.phase("reading the model");
        let reading = LtsReading::default();
        let opened = LtsSubject::open(&files.path, &files.properties, &reading, self.budget);
        let mut session = opened.map_err(|error| not_opened(&error))?;
        for formula in &self.subject.plan.formulas {
            let added = session.add_formula(formula);
            added.map_err(|rejected| Problem::rejected(&rejected))?;
        }
        let Some(property) = session.properties().get(self.subject.property) else {
            return Err(Problem::missing("There is no such property."));
        };
        self.budget.phase("finding all counterexamples");
        let made = tagged::analyse(session.lts(), &property.question, &options, self.budget)?;
        let analysis = made.map_err(|unfit| Problem::unsupported(&unfit.why))?;
        let place = property.span.map(|span| session.sources().place(span));
        let file = property
            .span
            .map(|span| session.sources().file(span.file).name());
        let path = files.path.display().to_string();
        self.attend(&Story {
            path: &path,
            language: "aut",
            behind: None,
            asked: view::Asked {
                name: &property.name,
                text: &property.text,
                path: file,
                place: place.map(|place| (place.line, place.column)),
                command: &[],
            },
            analysis: &analysis,
            shown: shortest(&analysis),
            kinds: &[],
            seconds: None,
        })?;
        Ok(())
    }

    /// Analyses a model.
    fn model(&mut self) -> Result<(), Problem> {
        let options = self.options()?;
        let plan = &self.subject.plan;
        self.budget.phase("reading the model");
        let opened = ModelSubject::open_as(&plan.opening, &plan.files.path, self.budget);
        let mut session = opened
            .map_err(|error| not_opened(&error))?
            .with_engine(plan.engine);
        for formula in &plan.formulas {
            let added = session.add_formula(formula);
            added.map_err(|rejected| Problem::rejected(&rejected))?;
        }
        let Some(asked) = session.model().properties.get(self.subject.property) else {
            return Err(Problem::missing("There is no such property."));
        };
        let naming = self.subject.wishes.actions.as_deref().unwrap_or("auto");
        let naming = naming
            .parse()
            .map_err(|wrong: String| Problem::bad(&format!("{wrong}.")))?;
        self.budget.phase("finding all counterexamples");
        let made = subject(&session, self.subject.property, &naming, self.budget);
        let made = made.map_err(|refusal| match refusal {
            NotAnalysed::Refused(refusal) => Problem::from(refusal),
            NotAnalysed::Naming(why) => Problem::wrong(&format!("{why}.")),
            NotAnalysed::Unsupported(why) | NotAnalysed::NoRuns(why) => Problem::unsupported(&why),
        })?;
        let analysis = made.analyse(&options, self.budget)?;
        let path = plan.files.path.display().to_string();
        let place = session.sources().place(asked.span);
        let from_file = asked.span.file == session.file();
        self.attend(&Story {
            path: &path,
            language: "smv",
            behind: Some(Behind {
                values: &made.unfolded.values,
                kind: asked.kind,
                notes: &made.notes,
            }),
            asked: view::Asked {
                name: &asked.name,
                text: &asked.text,
                path: None,
                place: from_file.then_some((place.line, place.column)),
                command: &[],
            },
            analysis: &analysis,
            shown: shortest(&analysis),
            kinds: &[],
            seconds: None,
        })?;
        Ok(())
    }

    /// Answers the request that the analysis was made for, and then others.
    fn attend(&mut self, story: &Story<'_>) -> Run<()> {
        let Subject {
            id, plan, property, ..
        } = self.subject;
        let made = api::analysis(
            *id,
            Place {
                model: plan.id,
                property: *property,
            },
            story,
        );
        let made = made.map(|made| to_line(&made).into());
        if let Some(first) = self.first.take() {
            first.tell(made.ok_or_else(Problem::internal));
        }
        self.desk.end();
        let mut room = Room {
            story,
            budget: self.budget,
            incoming: None,
        };
        while let Ok(job) = self.jobs.recv() {
            if self.desk.begin(job.id).is_err() {
                job.tell(Err(Problem::cancelled()));
                continue;
            }
            let outcome = room.answer(&job.ask);
            self.desk.end();
            job.settle(outcome)?;
        }
        Ok(())
    }
}

fn not_opened(error: &Refusal) -> Problem {
    match error {
        Refusal::Stopped(stop) => (*stop).into(),
        error => Problem::unsupported(&error.to_string()),
    }
}

/// The shortest counterexample is shown.
fn shortest<'a>(analysis: &'a tagged::Analysis<'_>) -> Shown<'a> {
    match &analysis.shortest {
        Ok(shortest) => Shown::Course(Which::Shortest, &shortest.course),
        Err(_) => Shown::Missing(view::NO_COUNTEREXAMPLE.to_string()),
    }
}

/// A graph that is asked about.
struct Room<'a> {
    story: &'a Story<'a>,
    budget: &'a Budget,
    /// All steps backwards, once somebody wants to see them.
    incoming: Option<Incoming>,
}

impl Room<'_> {
    fn graph(&self) -> &tagged::Tagged<'_> {
        &self.story.analysis.graph
    }

    fn answer(&mut self, ask: &Inquire) -> Run<Outcome> {
        match ask {
            Inquire::Open => Ok(Err(Problem::internal())),
            Inquire::Run(wanted) => self.run(wanted),
            Inquire::Nodes(wanted) => self.nodes(wanted),
            Inquire::Around(near) => self.around(near),
            Inquire::Steps(steps) => Ok(self.steps(steps)),
            Inquire::Groups(some) => Ok(Ok(self.groups(*some))),
            Inquire::Query(query) => self.query(query),
            Inquire::Export(name) => Ok(self.export(name)),
        }
    }

    /// A run of some sort.
    fn run(&self, wanted: &CourseRequest) -> Run<Outcome> {
        let graph = self.graph();
        let filter = match self.filter(&wanted.kinds, wanted.pattern.as_deref()) {
            Ok(filter) => filter,
            Err(problem) => return Ok(Err(problem)),
        };
        let found = match wanted.which.as_deref().unwrap_or("shortest") {
            _ if graph.initial().is_none() => Err(view::NO_COUNTEREXAMPLE.to_string()),
            "shortest" => {
                let found = tagged::shortest_matching(graph, &filter, self.budget)?;
                let which = match filter.pattern {
                    Some(_) => Which::Pattern,
                    None => Which::Shortest,
                };
                let found = found.map(|shortest| (which, shortest.course));
                found.map_err(|unmatched| view::unmatched_text(&filter, &unmatched, false))
            }
            "nearest" => {
                let found = tagged::nearest(graph, &filter, self.budget)?;
                let found = found.map(|nearest| (Which::Nearest, nearest.course));
                found.map_err(|unmatched| view::unmatched_text(&filter, &unmatched, true))
            }
            "random" => {
                let seed = wanted.seed.unwrap_or(1);
                let found = tagged::random(graph, seed, self.budget)?;
                let found = found.map(|course| (Which::Random(seed), course));
                found.ok_or_else(|| view::NO_COUNTEREXAMPLE.to_string())
            }
            "given" => {
                let found = tagged::given(graph, &wanted.trace, self.budget)?;
                let found = found.map(|course| (Which::Given, course));
                found.map_err(|misfit| format!("It is no counterexample: {misfit}."))
            }
            _ => {
                let why = "A run is one of shortest, nearest, random and given.";
                return Ok(Err(Problem::bad(why)));
            }
        };
        let found = match &found {
            Ok((which, course)) => api::course(self.story, *which, course),
            Err(why) => CourseAnswer {
                run: None,
                nodes: vec![],
                missing: Some(why.clone()),
            },
        };
        Ok(Ok(to_line(&found).into()))
    }

    fn filter(&self, kinds: &[String], pattern: Option<&str>) -> Result<Filter, Problem> {
        let kinds = kinds_of(kinds)?;
        let pattern = pattern.map(|text| Pattern::parse(text, self.graph().lts()));
        let pattern = pattern.transpose();
        Ok(Filter {
            kinds: (!kinds.is_empty()).then(|| kinds.into_iter().collect()),
            pattern: pattern.map_err(|error| Problem::wrong(&error.message))?,
        })
    }

    /// Nodes in the order of their distance.
    fn nodes(&self, wanted: &NodesRequest) -> Run<Outcome> {
        let graph = self.graph();
        let kinds = match kinds_of(&wanted.kinds) {
            Ok(kinds) => kinds,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut meter = self.budget.meter();
        let range = wanted.range().range();
        let (mut total, mut items) = (0, Vec::new());
        for node in graph.nodes() {
            meter.tick()?;
            let kind = graph.kind(node);
            if kinds.is_empty() || kind.is_some_and(|kind| kinds.contains(&kind)) {
                if range.contains(&total) {
                    items.push(api::graph_node(self.story, node));
                }
                total += 1;
            }
        }
        Ok(Ok(to_line(&WindowAnswer {
            first: range.start,
            total: Some(total as u64),
            items,
        })
        .into()))
    }

    /// What is near a node, forth and back.
    fn around(&mut self, near: &NearRequest) -> Run<Outcome> {
        let Some(start) = self.node(near.node) else {
            return Ok(Err(no_node()));
        };
        if self.incoming.is_none() {
            self.budget.phase("looking backwards");
            let all = Incoming::of(self.graph(), |_| true, self.budget)?;
            self.incoming = Some(all);
        }
        let incoming = self.incoming.as_ref().expect("it was just set");
        let limit = near.limit.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES);
        let hops = near.hops.unwrap_or(2);
        let graph = self.graph();
        let mut seen = BTreeMap::from([(start, 0)]);
        let mut queue = VecDeque::from([start]);
        let mut left_out = BTreeSet::new();
        let mut order = vec![start];
        while let Some(node) = queue.pop_front() {
            self.budget.check()?;
            let hop = seen[&node];
            if hop == hops {
                continue;
            }
            let forth = graph.moves(node).map(|(_, to)| to);
            let back = incoming.steps(node).iter().map(|step| step.from);
            for next in forth.chain(back) {
                if seen.contains_key(&next) {
                    continue;
                }
                if order.len() >= limit {
                    left_out.insert(next);
                    continue;
                }
                seen.insert(next, hop + 1);
                order.push(next);
                queue.push_back(next);
            }
        }
        let links = order.iter().flat_map(|&node| {
            let steps = graph.steps(node).filter(|step| match step.to {
                Target::Node(to) => seen.contains_key(&to),
                Target::Sink(_) => true,
            });
            steps.map(move |step| (node, step))
        });
        // Parallel steps can be many; what cannot be drawn is not sent.
        let links = links.take(limit.saturating_mul(8));
        let nearby = NearbyAnswer {
            nodes: order
                .iter()
                .map(|&node| api::graph_node(self.story, node))
                .collect(),
            edges: links
                .map(|(node, step)| api::graph_edge(self.story, node, step))
                .collect(),
            left_out: left_out.len(),
        };
        Ok(Ok(to_line(&nearby).into()))
    }

    /// The steps of a node.
    fn steps(&self, wanted: &StepsRequest) -> Outcome {
        let node = self.node(wanted.node).ok_or_else(no_node)?;
        let graph = self.graph();
        let some = wanted.range();
        let total = graph.steps(node).count();
        let steps = graph.steps(node).skip(some.first()).take(some.count());
        Ok(to_line(&WindowAnswer {
            first: some.first(),
            total: Some(total as u64),
            items: steps
                .map(|step| api::graph_edge(self.story, node, step))
                .collect::<Vec<_>>(),
        })
        .into())
    }

    /// Groups of similar neighbourhoods.
    fn groups(&self, some: RangeRequest) -> Answer {
        let total = self.story.analysis.groups.len();
        let range = some.range();
        let range = range.start.min(total)..range.end.min(total);
        let first = range.start;
        let items = range.filter_map(|number| api::group(self.story, number));
        to_line(&WindowAnswer {
            first,
            total: Some(total as u64),
            items: items.collect::<Vec<_>>(),
        })
        .into()
    }

    /// Asks the graph in openCypher, or by the name of a query.
    fn query(&self, wanted: &QueryRequest) -> Run<Outcome> {
        self.budget.phase("preparing the graph");
        let graph = Graph::new(self.graph(), self.budget)?;
        self.budget.phase("asking the graph");
        let limits = Limits {
            rows: wanted.max_rows.unwrap_or(LIMITS.rows).min(LIMITS.rows),
            ..LIMITS
        };
        let answers = match (&wanted.text, &wanted.name) {
            (Some(text), None) => {
                let mut sources = SourceMap::default();
                let file = sources.add(SourceFile::new("<query>", text.as_str()));
                let rejected = |diagnostic| {
                    Problem::rejected(&Rejected {
                        sources: sources.clone(),
                        diagnostics: vec![diagnostic],
                    })
                };
                let queries = match asking::parse(text, file, &BTreeMap::new()) {
                    Ok(queries) => queries,
                    Err(wrong) => return Ok(Err(rejected(wrong))),
                };
                let mut answers = Vec::new();
                for query in &queries {
                    match query.run(&graph, limits, self.budget)? {
                        Ok(answer) => answers.push((text.clone(), answer)),
                        Err(wrong) => return Ok(Err(rejected(wrong))),
                    }
                }
                answers
            }
            (None, Some(name)) => {
                let arguments = &wanted.arguments;
                match named::ask(&graph, name, arguments, self.budget)? {
                    Ok(answer) => vec![(format!("{name} {}", arguments.join(" ")), answer)],
                    Err(wrong) => return Ok(Err(Problem::wrong(&format!("{wrong}.")))),
                }
            }
            _ => {
                let why = "Say what to ask: either with `text` or with `name`.";
                return Ok(Err(Problem::bad(why)));
            }
        };
        let asked = answers.iter().map(|(text, answer)| query_view::Asked {
            text: text.trim().to_string(),
            title: None,
            answer,
        });
        let asked: Vec<_> = asked.collect();
        let property = (self.story.asked.name, self.story.asked.text);
        let document = query_view::document(&graph, self.story.path, property, &asked);
        // In a stream it stands on one line; line breaks inside of texts are escaped.
        let document: String = document.lines().map(str::trim_start).collect();
        Ok(Ok(document.into()))
    }

    /// The whole graph in a format of other tools.
    fn export(&self, name: &str) -> Outcome {
        let known = EXPORTS.into_iter().find(|known| *known == name);
        let name = known.ok_or_else(|| Problem::missing("There is no such format."))?;
        let format = tagged::export::by_name(&format!("graph.{name}"));
        let format = format.ok_or_else(|| Problem::missing("There is no such format."))?;
        let mut bytes = Vec::new();
        let written = format.write(self.graph(), &mut bytes);
        let text = written.ok().and_then(|()| String::from_utf8(bytes).ok());
        Ok(Answer::File(File {
            name: wherefore_driver::view::api::file_name(
                self.story.asked.name,
                &format!(".{name}"),
            ),
            media: "text/plain; charset=utf-8",
            text: text.ok_or_else(Problem::internal)?,
        }))
    }

    fn node(&self, number: usize) -> Option<NodeId> {
        (number < self.graph().counts().states).then(|| NodeId::new(number))
    }
}

fn no_node() -> Problem {
    Problem::missing("There is no such node.")
}

fn kinds_of(names: &[String]) -> Result<BTreeSet<Kind>, Problem> {
    let kind = |name: &String| match name.as_str() {
        "cn" => Ok(Kind::Cn),
        "in" => Ok(Kind::In),
        "ci" => Ok(Kind::Ci),
        "cin" => Ok(Kind::Cin),
        _ => Err(Problem::bad(
            "A type of neighbourhood is one of cn, in, ci and cin.",
        )),
    };
    names.iter().map(kind).collect()
}
