//! Compares our analysis of labelled transition systems with what is published and shipped for them.
//!
//! `FOLDER/lts` holds systems with a property each; beside some of them lie the product, the pruned
//! product and the tagged graph that CLEAR made of them. The rows below are those of table 1 of Barbon,
//! Leroy and Salaün (2019) for these systems, and the same figures for their other examples.

use std::borrow::Cow;
use std::path::Path;

use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_lts::{aut, mcl};
use wherefore_model::lts::{Lts, ModalQuestion, StateId, Transition};
use wherefore_tagged::{
    Analysis, AnalysisOptions, Filter, Monitor, NeighbourhoodKind, TagReading, Tagged, analyse,
    nearest,
};
use wherefore_tagged::{NodeId, TagTarget};

use crate::shipped::{self, Counted, Product};

/// What is known of a system and its property.
struct Row {
    /// The model, below the folder.
    model: &'static str,
    /// The property, beside it.
    property: &'static str,
    /// The row of the published table, if it has one.
    published: Option<u32>,
    /// Its figures.
    known: Figures,
}

/// What the analysis of a system comes to.
struct Figures {
    /// States, transitions and labels of the system.
    system: [usize; 3],
    /// States of the property automaton.
    automaton: u32,
    /// States, transitions and labels of the counterexample LTS.
    graph: [usize; 3],
    /// Correct, incorrect and neutral transitions.
    tags: [usize; 3],
    /// Neighbourhoods: cn, in, ci, cin.
    kinds: [usize; 4],
    /// Neighbourhoods in percent of the states, with two decimals.
    percent: Cow<'static, str>,
    /// The length of the shortest counterexample.
    shortest: usize,
    /// How many there are.
    count: u64,
    /// The fewest and the most steps kept of one, and those kept of the canonical one.
    kept: [usize; 3],
    /// How far the nearest neighbourhood is away.
    nearest: usize,
}

#[rustfmt::skip]
const ROWS: [Row; 11] = [
    Row { model: "clear-safety/sanitary_agency/EX153.aut", property: "prop2.mcl", published: Some(3),
          known: Figures { system: [91, 172, 30], automaton: 3, graph: [55, 95, 22], tags: [11, 52, 43], kinds: [5, 5, 2, 0],
          percent: Cow::Borrowed("21.82"), shortest: 19, count: 579, kept: [5, 8, 6], nearest: 6 } },
    Row { model: "clear-safety/multiway_rendezvous_protocol/implem.aut", property: "prop.mcl", published: Some(14),
          known: Figures { system: [1318, 3217, 52], automaton: 4, graph: [539, 1186, 40], tags: [158, 469, 717], kinds: [143, 8, 4, 4],
          percent: Cow::Borrowed("29.50"), shortest: 47, count: 16_513_200, kept: [18, 31, 22], nearest: 4 } },
    Row { model: "shifumi/game_2.aut", property: "game_2.mcl", published: Some(15),
          known: Figures { system: [25, 57, 26], automaton: 5, graph: [60, 130, 26], tags: [15, 66, 64], kinds: [6, 4, 5, 0],
          percent: Cow::Borrowed("25.00"), shortest: 7, count: 108, kept: [4, 4, 4], nearest: 1 } },
    Row { model: "clear-safety/shifumi_3/game_3.aut", property: "prop_v3_game_3.mcl", published: Some(16),
          known: Figures { system: [193, 690, 66], automaton: 9, graph: [499, 1814, 66], tags: [90, 798, 1016], kinds: [30, 53, 10, 18],
          percent: Cow::Borrowed("22.24"), shortest: 7, count: 1080, kept: [2, 3, 2], nearest: 2 } },
    Row { model: "shifumi/game_3.aut", property: "game_3.mcl", published: Some(16),
          known: Figures { system: [193, 690, 66], automaton: 9, graph: [499, 1814, 66], tags: [90, 798, 1016], kinds: [30, 53, 10, 18],
          percent: Cow::Borrowed("22.24"), shortest: 7, count: 1080, kept: [2, 3, 2], nearest: 2 } },
    Row { model: "shifumi/game_4.aut", property: "game_4.mcl", published: Some(17),
          known: Figures { system: [1362, 7206, 124], automaton: 17, graph: [3577, 19_233, 124], tags: [711, 8232, 11_001], kinds: [206, 418, 15, 188],
          percent: Cow::Borrowed("23.12"), shortest: 7, count: 2916, kept: [2, 3, 2], nearest: 2 } },
    Row { model: "shifumi/game_5.aut", property: "game_5.mcl", published: Some(18),
          known: Figures { system: [9693, 70_596, 200], automaton: 33, graph: [25_593, 188_466, 200], tags: [6084, 79_668, 108_798], kinds: [1622, 2999, 20, 1598],
          percent: Cow::Borrowed("24.38"), shortest: 7, count: 5616, kept: [2, 3, 2], nearest: 2 } },
    Row { model: "clear-visual/allbad_bug/ALLBAD.aut", property: "prop.mcl", published: None,
          known: Figures { system: [61, 132, 8], automaton: 3, graph: [61, 132, 8], tags: [0, 132, 0], kinds: [0, 1, 0, 0],
          percent: Cow::Borrowed("1.64"), shortest: 7, count: 20, kept: [1, 1, 1], nearest: 0 } },
    Row { model: "clear-visual/causality_bug/COMMPROC.aut", property: "prop.mcl", published: None,
          known: Figures { system: [249, 646, 17], automaton: 2, graph: [177, 452, 16], tags: [30, 78, 374], kinds: [25, 0, 0, 4],
          percent: Cow::Borrowed("16.38"), shortest: 15, count: 90_090, kept: [4, 12, 4], nearest: 3 } },
    Row { model: "clear-visual/interleaving_bug/INTERLEAVING.aut", property: "prop.mcl", published: None,
          known: Figures { system: [13, 18, 7], automaton: 2, graph: [13, 17, 7], tags: [1, 12, 5], kinds: [0, 5, 1, 0],
          percent: Cow::Borrowed("46.15"), shortest: 1, count: 1, kept: [1, 1, 1], nearest: 0 } },
    Row { model: "clear-visual/uniquechoice_bug/UNIQUECHOICE.aut", property: "prop.mcl", published: None,
          known: Figures { system: [124, 269, 14], automaton: 3, graph: [101, 208, 12], tags: [4, 193, 15], kinds: [0, 0, 1, 0],
          percent: Cow::Borrowed("0.99"), shortest: 3, count: 3, kept: [2, 2, 2], nearest: 1 } },
];

/// Compares all systems below a folder, and says for how many and with how many problems.
pub(crate) fn compare(folder: &Path, wanted: impl Fn(&str) -> bool) -> (usize, usize) {
    let (mut compared, mut problems) = (0, 0);
    println!(
        "row  L_F s/t/l               L_C s/t/l               cn/in/ci/cin        nb%    |Ce| |Cer|    (all)  shortest"
    );
    for row in ROWS.iter().filter(|row| wanted(row.model)) {
        compared += 1;
        match row.compare(folder) {
            Ok(line) => println!("{line}  {}", row.model),
            Err(wrong) => {
                println!("{}\n    WRONG: {wrong}", row.model);
                problems += 1;
            }
        }
    }
    (compared, problems)
}

impl Row {
    fn compare(&self, folder: &Path) -> Result<String, String> {
        let model = folder.join(self.model);
        let lts = system(&model)?;
        let question = question(&model.with_file_name(self.property), &lts)?;
        let budget = Budget::unlimited();
        let options = AnalysisOptions {
            reading: Some(TagReading::Branching),
            ..AnalysisOptions::default()
        };
        let analysis = analyse(&lts, &question, &options, &budget)
            .map_err(|stop| stop.to_string())?
            .map_err(|why| why.to_string())?;
        let ours = Figures::of(&lts, &analysis)?;
        ours.same(&self.known)?;
        self.beside(&model, &analysis.graph)?;
        Ok(ours.line(self.published))
    }

    /// The files that CLEAR made of the system, as far as they lie beside it.
    fn beside(&self, model: &Path, graph: &Tagged<'_>) -> Result<(), String> {
        let stem = |path: &str| {
            path.rsplit_once('.')
                .map_or(path.to_string(), |s| s.0.to_string())
        };
        let name = model
            .file_name()
            .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let (name, property) = (stem(&name), stem(self.property));
        let property = property
            .strip_suffix(&format!("_{name}"))
            .unwrap_or(&property);
        let shipped = |suffix: &str| model.with_file_name(format!("bad_{property}_{name}{suffix}"));
        let pairs = shipped("_unclean.prd");
        if pairs.exists() {
            let product = Product {
                lts: system(&shipped("_unclean.aut"))?,
                system: shipped::pairs(&text(&pairs)?)?,
            };
            product.same(graph)?;
            shipped::isomorphic(&pruned(graph), &system(&shipped(".aut"))?)?;
        }
        let tagged = shipped("_res-dump.autx");
        if tagged.exists() {
            let counts = graph.counts();
            let ours = Counted {
                states: counts.states,
                tags: counts.tags,
                kinds: NeighbourhoodKind::ALL.map(|kind| counts.of(kind)),
            };
            same("tagged graph", ours, shipped::counted(&text(&tagged)?)?)?;
        }
        Ok(())
    }
}

impl Figures {
    fn of(lts: &Lts, analysis: &Analysis<'_>) -> Result<Self, String> {
        let graph = &analysis.graph;
        let Monitor::Labels(automaton) = graph.monitor() else {
            return Err("the property is not read by labels".to_string());
        };
        let mut labels: Vec<_> = lts.all_transitions().map(|t| t.label).collect();
        labels.sort_unstable();
        labels.dedup();
        let counts = graph.counts();
        let percent = 100.0 * counts.neighbourhoods() as f64 / counts.states as f64;
        let shortest = (analysis.shortest.as_ref()).map_err(|_| "no counterexample".to_string())?;
        let kept = shortest.course.kept(graph, |_| true);
        let kept = kept.into_iter().filter(|kept| *kept).count();
        let count = shortest
            .count
            .as_ref()
            .and_then(|count| u64::try_from(count).ok());
        let nearest = nearest(graph, &Filter::default(), &Budget::unlimited())
            .map_err(|stop| stop.to_string())?
            .map_err(|_| "no neighbourhood".to_string())?;
        Ok(Self {
            system: [lts.states(), lts.transitions(), labels.len()],
            automaton: automaton.states(),
            graph: [counts.states, counts.transitions, counts.labels],
            tags: counts.tags,
            kinds: counts.kinds,
            percent: format!("{percent:.2}").into(),
            shortest: shortest.course.len(),
            count: count.ok_or("too many shortest counterexamples")?,
            kept: [shortest.least, shortest.most, kept],
            nearest: nearest.course.len(),
        })
    }

    fn same(&self, known: &Self) -> Result<(), String> {
        same("system", self.system, known.system)?;
        same("automaton", self.automaton, known.automaton)?;
        same("counterexample LTS", self.graph, known.graph)?;
        same("tags", self.tags, known.tags)?;
        same("types", self.kinds, known.kinds)?;
        same("nb%", &self.percent, &known.percent)?;
        same("shortest", self.shortest, known.shortest)?;
        same("how many", self.count, known.count)?;
        same("kept", self.kept, known.kept)?;
        same("nearest neighbourhood", self.nearest, known.nearest)
    }

    /// A line as the published table prints it: labels with the internal one.
    fn line(&self, published: Option<u32>) -> String {
        let sizes = |[s, t, l]: [usize; 3]| format!("{s}/{t}/{}", l + 1);
        let [cn, only, ci, cin] = self.kinds;
        let [least, most, kept] = self.kept;
        format!(
            "{:>3}  {:<23} {:<23} {:<19} {:>5}% {:>5} {:>5} {:>8} {:>9}",
            published.map_or("-".to_string(), |row| row.to_string()),
            sizes(self.system),
            sizes(self.graph),
            format!("{cn}/{only}/{ci}/{cin}"),
            self.percent,
            self.shortest,
            kept,
            format!("({least}-{most})"),
            self.count,
        )
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, known: T) -> Result<(), String> {
    match ours == known {
        true => Ok(()),
        false => Err(format!("{what}: {ours:?}, but {known:?} is known")),
    }
}

fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn system(path: &Path) -> Result<Lts, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let options = aut::ReadOptions::default();
    let lts = aut::parse(&bytes, &options, &Budget::unlimited());
    let lts = lts.map_err(|stop| stop.to_string())?;
    lts.map_err(|error| format!("{}: {error:?}", path.display()))
}

fn question(path: &Path, lts: &Lts) -> Result<ModalQuestion, String> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(path.display().to_string(), text(path)?));
    let (parsed, diagnostics) = mcl::parse(file, &mut sources, &|_| None);
    let parsed = parsed.ok_or_else(|| format!("{diagnostics:?}"))?;
    let property = parsed.properties().next().ok_or("no property")?;
    let lowered = mcl::lower(&property, lts).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    Ok(lowered.question)
}

/// The counterexample LTS alone.
fn pruned(graph: &Tagged<'_>) -> Lts {
    let transitions = graph.nodes().flat_map(|from| {
        graph.steps(from).filter_map(move |step| match step.to {
            TagTarget::Node(to) => Some((from, step.label, to)),
            TagTarget::Sink(_) => None,
        })
    });
    let state = |node: NodeId| StateId::new(node.index());
    let transitions: Vec<Transition> = transitions
        .map(|(from, label, to)| Transition {
            from: state(from),
            label,
            to: state(to),
        })
        .collect();
    let labels = graph.lts().labels().iter().cloned().collect();
    Lts::new(labels, graph.nodes().len(), StateId::new(0), &transitions)
}
