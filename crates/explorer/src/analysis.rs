//! Analyses: threads that have all counterexamples of a property at hand.
//!
//! The worker of an analysis reads the model for itself, so that the worker of the model goes on meanwhile.
//! It keeps the tagged graph until the analysis is closed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::Receiver;

use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_driver::debug::smv::{NotAnalysed, subject};
use wherefore_driver::tagged::query::{self, QueryGraph, QueryLimits, named};
use wherefore_driver::tagged::{
    self, AnalysisOptions, Filter, Incoming, NeighbourhoodKind, NodeId, RunPattern, TagReading,
    TagTarget,
};
use wherefore_driver::view::api::{self, PropertyPlace};
use wherefore_driver::view::debug::{self as view, Behind, ShownGraph, Story, Which};
use wherefore_driver::view::export::TaggedGraph;
use wherefore_driver::view::export::tagged::by_name;
use wherefore_driver::view::query as query_view;
use wherefore_driver::view::wire::{
    AnalyseRequest, CourseAnswer, CourseRequest, NearRequest, NearbyAnswer, NodesRequest,
    QueryRequest, RangeRequest, StepsRequest, WindowAnswer, to_line,
};
use wherefore_driver::{LtsSubject, ModelSubject, Rejected};

use crate::error::RequestError;
use crate::queue::{Attachment, QueuedRequest, RequestAnswer, RequestResult, WorkerControl};
use crate::workspace::ModelSettings;

/// At most so many nodes are shown around one.
const MOST_NODES: usize = 2_000;
/// How many nodes are shown around one unless somebody asks for more or fewer.
const USUAL_NODES: usize = 300;
/// How much a query may do unless somebody says.
const LIMITS: QueryLimits = QueryLimits {
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

/// A request to the worker of an analysis.
#[derive(Clone, Debug)]
pub(crate) enum AnalysisRequest {
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

/// What is analysed, and how.
#[derive(Clone, Debug)]
pub(crate) struct AnalysisSettings {
    /// The number of the analysis.
    pub(crate) number: u64,
    /// The model, with all formulas that were added to it.
    pub(crate) model: ModelSettings,
    pub(crate) property: usize,
    pub(crate) options: AnalyseRequest,
}

/// Makes an analysis for the first request, and answers requests until the queue is closed.
pub(crate) fn serve(
    settings: &AnalysisSettings,
    control: &WorkerControl,
    requests: &Receiver<QueuedRequest<AnalysisRequest>>,
) {
    let Ok(first) = requests.recv() else {
        return;
    };
    if control.begin(first.id).is_err() {
        first.reply(Err(RequestError::CANCELLED));
        return;
    }
    let mut worker = AnalysisWorker {
        settings,
        control,
        requests,
        budget: control.budget(),
        first: Some(first),
    };
    let served = worker.analyse();
    control.end();
    if let (Err(error), Some(first)) = (served, worker.first.take()) {
        first.reply(Err(error));
    }
}

/// The worker of an analysis.
struct AnalysisWorker<'a> {
    settings: &'a AnalysisSettings,
    control: &'a WorkerControl,
    requests: &'a Receiver<QueuedRequest<AnalysisRequest>>,
    budget: Budget,
    /// The request that the analysis is made for, until it is answered.
    first: Option<QueuedRequest<AnalysisRequest>>,
}

impl AnalysisWorker<'_> {
    fn options(&self) -> Result<AnalysisOptions, RequestError> {
        let reading = match self.settings.options.reading.as_deref() {
            None => None,
            Some("branching") => Some(TagReading::Branching),
            Some("fate") => Some(TagReading::Fate),
            Some("inevitable") => Some(TagReading::Inevitable),
            Some(_) => {
                return Err(RequestError::bad(
                    "A reading is one of branching, fate and inevitable.",
                ));
            }
        };
        Ok(AnalysisOptions {
            reading,
            ..AnalysisOptions::default()
        })
    }

    /// Reads the model and analyses it.
    fn analyse(&mut self) -> Result<(), RequestError> {
        let options = self.options()?;
        self.budget.phase("reading the model");
        let settings = &self.settings.model;
        let not_opened = |refusal| RequestError::not_opened(&refusal);
        let subject = settings.read(&self.budget).map_err(not_opened)?;
        match subject.downcast::<LtsSubject>() {
            Ok(system) => self.analyse_system(system, &options),
            Err(subject) => {
                let model = subject.into_model(&settings.opening, &self.budget);
                self.analyse_model(model.map_err(not_opened)?, &options)
            }
        }
    }

    /// Analyses a labelled transition system.
    fn analyse_system(
        &mut self,
        mut session: LtsSubject,
        options: &AnalysisOptions,
    ) -> Result<(), RequestError> {
        let files = &self.settings.model.files;
        for formula in &self.settings.model.formulas {
            session.add_formula(formula)?;
        }
        let Some(property) = session.properties().get(self.settings.property) else {
            return Err(RequestError::missing("There is no such property."));
        };
        self.budget.phase("finding all counterexamples");
        let made = tagged::analyse(session.lts(), &property.question, options, &self.budget)?;
        let analysis = made.map_err(|unfit| RequestError::unsupported(unfit.why))?;
        let place = property.span.map(|span| session.sources().place(span));
        let file = property
            .span
            .map(|span| session.sources().file(span.file).name());
        let path = files.path.display().to_string();
        self.answer_requests(&Story {
            path: &path,
            language: "aut",
            behind: None,
            asked: view::AskedProperty {
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
        })
    }

    /// Analyses a model.
    fn analyse_model(
        &mut self,
        session: ModelSubject,
        options: &AnalysisOptions,
    ) -> Result<(), RequestError> {
        let settings = &self.settings.model;
        let mut session = session.with_engine(settings.engine);
        for formula in &settings.formulas {
            session.add_formula(formula)?;
        }
        let Some(asked) = session.model().properties.get(self.settings.property) else {
            return Err(RequestError::missing("There is no such property."));
        };
        let naming = self.settings.options.actions.as_deref().unwrap_or("auto");
        let naming = naming
            .parse()
            .map_err(|wrong: String| RequestError::bad(format!("{wrong}.")))?;
        self.budget.phase("finding all counterexamples");
        let made = subject(&session, self.settings.property, &naming, &self.budget);
        let made = made.map_err(|refusal| match refusal {
            NotAnalysed::Refused(refusal) => refusal.into(),
            NotAnalysed::Naming(why) => RequestError::wrong(format!("{why}.")),
            NotAnalysed::Unsupported(why) | NotAnalysed::NoRuns(why) => {
                RequestError::unsupported(why)
            }
        })?;
        let analysis = made.analyse(options, &self.budget)?;
        let path = settings.files.path.display().to_string();
        let place = session.sources().place(asked.span);
        let from_file = asked.span.file == session.file();
        self.answer_requests(&Story {
            path: &path,
            language: "smv",
            behind: Some(Behind {
                values: &made.unfolded.values,
                kind: asked.kind,
                class: made.class,
                notes: &made.notes,
            }),
            asked: view::AskedProperty {
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
        })
    }

    /// Answers the request that the analysis was made for, and then others.
    fn answer_requests(&mut self, story: &Story<'_>) -> Result<(), RequestError> {
        let settings = self.settings;
        let place = PropertyPlace {
            model: settings.model.id,
            property: settings.property,
        };
        let made = api::analysis(settings.number, place, story);
        let made = made.map(|made| to_line(&made).into());
        if let Some(first) = self.first.take() {
            first.reply(made.ok_or(RequestError::Internal));
        }
        self.control.end();
        let mut graph = AnalysedGraph {
            story,
            budget: &self.budget,
            incoming: None,
        };
        while let Ok(queued) = self.requests.recv() {
            if queued.is_abandoned() {
                continue;
            }
            if self.control.begin(queued.id).is_err() {
                queued.reply(Err(RequestError::CANCELLED));
                continue;
            }
            let result = graph.answer(&queued.request);
            self.control.end();
            let exhausted = result.as_ref().err().and_then(RequestError::exhausted);
            queued.reply(result);
            if let Some(stop) = exhausted {
                return Err(stop.into());
            }
        }
        Ok(())
    }
}

/// The shortest counterexample is shown.
fn shortest<'a>(analysis: &'a tagged::Analysis<'_>) -> ShownGraph<'a> {
    match &analysis.shortest {
        Ok(shortest) => ShownGraph::Course(Which::Shortest, &shortest.course),
        Err(_) => ShownGraph::Missing(view::NO_COUNTEREXAMPLE.to_string()),
    }
}

/// A tagged graph that requests are answered about.
struct AnalysedGraph<'a> {
    story: &'a Story<'a>,
    budget: &'a Budget,
    /// All steps backwards, once they are asked for.
    incoming: Option<Incoming>,
}

impl AnalysedGraph<'_> {
    fn graph(&self) -> &tagged::Tagged<'_> {
        &self.story.analysis.graph
    }

    fn answer(&mut self, request: &AnalysisRequest) -> RequestResult {
        match request {
            AnalysisRequest::Open => Err(RequestError::Internal),
            AnalysisRequest::Run(wanted) => self.run(wanted),
            AnalysisRequest::Nodes(wanted) => self.nodes(wanted),
            AnalysisRequest::Around(near) => self.around(near),
            AnalysisRequest::Steps(steps) => self.steps(steps),
            AnalysisRequest::Groups(some) => Ok(self.groups(*some)),
            AnalysisRequest::Query(query) => self.query(query),
            AnalysisRequest::Export(name) => self.export(name),
        }
    }

    /// A run of some sort.
    fn run(&self, wanted: &CourseRequest) -> RequestResult {
        let graph = self.graph();
        let filter = self.filter(&wanted.kinds, wanted.pattern.as_deref())?;
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
                return Err(RequestError::bad(why));
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
        Ok(to_line(&found).into())
    }

    fn filter(&self, kinds: &[String], pattern: Option<&str>) -> Result<Filter, RequestError> {
        let kinds = kinds_of(kinds)?;
        let pattern = pattern.map(|text| RunPattern::parse(text, self.graph().lts()));
        let pattern = pattern.transpose();
        Ok(Filter {
            kinds: (!kinds.is_empty()).then(|| kinds.into_iter().collect()),
            pattern: pattern.map_err(|error| RequestError::wrong(error.message))?,
        })
    }

    /// Nodes in the order of their distance.
    fn nodes(&self, wanted: &NodesRequest) -> RequestResult {
        let graph = self.graph();
        let kinds = kinds_of(&wanted.kinds)?;
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
        let first = range.start;
        let total = Some(total as u64);
        Ok(to_line(&WindowAnswer {
            first,
            total,
            items,
        })
        .into())
    }

    /// What is near a node, forth and back.
    fn around(&mut self, near: &NearRequest) -> RequestResult {
        let start = self.node(near.node)?;
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
                TagTarget::Node(to) => seen.contains_key(&to),
                TagTarget::Sink(_) => true,
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
        Ok(to_line(&nearby).into())
    }

    /// The steps of a node.
    fn steps(&self, wanted: &StepsRequest) -> RequestResult {
        let node = self.node(wanted.node)?;
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
    fn groups(&self, some: RangeRequest) -> RequestAnswer {
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
    fn query(&self, wanted: &QueryRequest) -> RequestResult {
        self.budget.phase("preparing the graph");
        let graph = QueryGraph::new(self.graph(), self.budget)?;
        self.budget.phase("asking the graph");
        let limits = QueryLimits {
            rows: wanted.max_rows.unwrap_or(LIMITS.rows).min(LIMITS.rows),
            ..LIMITS
        };
        let answers = match (&wanted.text, &wanted.name) {
            (Some(text), None) => {
                let mut sources = SourceMap::default();
                let file = sources.add(SourceFile::new("<query>", text.as_str()));
                let rejected = |diagnostic| Rejected {
                    sources: sources.clone(),
                    diagnostics: vec![diagnostic],
                };
                let queries = query::parse(text, file, &BTreeMap::new()).map_err(rejected)?;
                let mut answers = Vec::new();
                for query in &queries {
                    let answer = query.run(&graph, limits, self.budget)?.map_err(rejected)?;
                    answers.push((text.clone(), answer));
                }
                answers
            }
            (None, Some(name)) => {
                let arguments = &wanted.arguments;
                let answer = named::ask(&graph, name, arguments, self.budget)?;
                let answer = answer.map_err(|wrong| RequestError::wrong(format!("{wrong}.")))?;
                vec![(format!("{name} {}", arguments.join(" ")), answer)]
            }
            _ => {
                let why = "Say what to ask: either with `text` or with `name`.";
                return Err(RequestError::bad(why));
            }
        };
        let asked = answers.iter().map(|(text, answer)| query_view::AskedQuery {
            text: text.trim().to_string(),
            title: None,
            answer,
        });
        let asked: Vec<_> = asked.collect();
        let property = (self.story.asked.name, self.story.asked.text);
        let document = query_view::document(&graph, self.story.path, property, &asked);
        // In a stream it stands on one line; line breaks inside of texts are escaped.
        let document: String = document.lines().map(str::trim_start).collect();
        Ok(document.into())
    }

    /// The whole graph in a format of other tools.
    fn export(&self, name: &str) -> RequestResult {
        let known = EXPORTS.into_iter().find(|known| *known == name);
        let name = known.ok_or_else(|| RequestError::missing("There is no such format."))?;
        let format = by_name(&format!("graph.{name}"));
        let format = format.ok_or_else(|| RequestError::missing("There is no such format."))?;
        Ok(RequestAnswer::File(Attachment {
            name: wherefore_driver::view::api::file_name(
                self.story.asked.name,
                &format!(".{name}"),
            ),
            media: "text/plain; charset=utf-8",
            text: format.text(&TaggedGraph(self.graph())),
        }))
    }

    fn node(&self, number: usize) -> Result<NodeId, RequestError> {
        if number >= self.graph().counts().states {
            return Err(RequestError::missing("There is no such node."));
        }
        Ok(NodeId::new(number))
    }
}

fn kinds_of(names: &[String]) -> Result<BTreeSet<NeighbourhoodKind>, RequestError> {
    let kind = |name: &String| match name.as_str() {
        "cn" => Ok(NeighbourhoodKind::Cn),
        "in" => Ok(NeighbourhoodKind::In),
        "ci" => Ok(NeighbourhoodKind::Ci),
        "cin" => Ok(NeighbourhoodKind::Cin),
        _ => Err(RequestError::bad(
            "A type of neighbourhood is one of cn, in, ci and cin.",
        )),
    };
    names.iter().map(kind).collect()
}
