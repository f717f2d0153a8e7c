//! One model: load it, ask both engines, the program's own way and the solver, compare.

use std::path::Path;
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Diagnostic, Run, SourceFile, SourceMap, Stop};
use wherefore_check::Tableau;
use wherefore_driver::{Engine, Event, Job, check_model};
use wherefore_evidence::{
    Evidence, EvidenceOptions, Finding, Investigator, Quantity, Replay, Shape, UnknownReason,
    Verdict, is_broken,
};
use wherefore_logic::{Op, PathOp, Quantifier};
use wherefore_model::{Model, PropertyBody, SpaceEngine};
use wherefore_smv::SmvDialect;
use wherefore_space::explicit::{self, Explicit};
use wherefore_space::symbolic::Symbolic;
use wherefore_space::{StateSpace, discharge};

use crate::oracle::{Answer, Claim, matched};

/// The most memory an engine may use.
const MEMORY: usize = 2 << 30;

/// So many of those who are asked are engines over all states; then comes the program, and then the solver.
const ENGINES: usize = 2;

/// The evidence of so many of those who are asked is the same.
const ALIKE: usize = 3;

/// How long each engine, and the program as it chooses itself, may take for a file.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) explicit: Duration,
    pub(crate) symbolic: Duration,
    pub(crate) auto: Duration,
    pub(crate) sat: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            explicit: Duration::from_secs(60),
            symbolic: Duration::from_secs(60),
            auto: Duration::from_secs(120),
            sat: Duration::from_secs(20),
        }
    }
}

/// A verdict that differs from the recorded one for a reason.
struct Difference {
    file: &'static str,
    text: &'static str,
    reason: &'static str,
}

/// The differences we know of. NuSMV ignores COMPASSION in CTL and we do not, but no recorded verdict
/// depends on it.
const DIFFERENCES: [Difference; 0] = [];

/// What became of a recorded verdict.
pub(crate) enum Outcome {
    /// Ours is the same, by so many engines; by none of them alone where the program needs several, or
    /// parts of the model.
    Equal { engines: usize },
    /// Ours differs for a documented reason.
    Documented(&'static str),
    /// Ours differs.
    Differs,
    /// It could not be compared.
    Skipped(String),
}

/// What became of a file.
pub(crate) struct FileReport {
    name: String,
    pub(crate) outcomes: Vec<Outcome>,
    /// What the engines did, as "explicit: 42 states, 0.1 s".
    engines: Vec<String>,
    pub(crate) evidences: usize,
    /// How many paths and lassos could be compared with recorded ones, and how many of them are shorter.
    pub(crate) lengths: (usize, usize),
    /// What is not decided, and why.
    pub(crate) undecided: Vec<String>,
    pub(crate) problems: Vec<String>,
}

impl FileReport {
    /// One line about the file.
    pub(crate) fn line(&self) -> String {
        let equal = |outcome: &&Outcome| matches!(outcome, Outcome::Equal { .. });
        let equal = self.outcomes.iter().filter(equal).count();
        let mut line = format!("{}: {equal} of {} equal", self.name, self.outcomes.len());
        for engine in &self.engines {
            line.push_str(&format!("; {engine}"));
        }
        let mut told: Vec<&str> = Vec::new();
        for outcome in &self.outcomes {
            match outcome {
                Outcome::Skipped(why) if !told.contains(&why.as_str()) => {
                    told.push(why);
                    line.push_str(&format!("; skipped: {why}"));
                }
                Outcome::Documented(why) => {
                    line.push_str(&format!("; differs as documented: {why}"))
                }
                _ => {}
            }
        }
        line
    }
}

/// A model, or what is wrong with it, with the line.
pub(crate) fn load(name: &str, text: &str, dialect: SmvDialect) -> Result<Model, (usize, String)> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, text));
    let budget = Budget::new(Some(Duration::from_secs(60)), Some(MEMORY));
    let stopped = |stop: Stop| (0, format!("it is not read: {stop}"));
    let loaded = wherefore_smv::load_in(dialect, &sources, file, &budget).map_err(stopped)?;
    let told = |diagnostic: &Diagnostic| {
        let line = diagnostic.span().map_or(0, |span| sources.place(span).line);
        (line, diagnostic.message.clone())
    };
    if let Some(error) = loaded.diagnostics.iter().find(|d| d.is_error()) {
        return Err(told(error));
    }
    let broken = discharge(&loaded.model, &budget).map_err(stopped)?;
    match broken.first() {
        Some(error) => Err(told(error)),
        None => Ok(loaded.model),
    }
}

/// Compares the verdicts on one file.
pub(crate) fn file(
    folder: &Path,
    name: &str,
    dialect: SmvDialect,
    claims: &[Claim],
    limits: Limits,
) -> FileReport {
    let mut report = FileReport {
        name: name.to_string(),
        outcomes: Vec::new(),
        engines: Vec::new(),
        evidences: 0,
        lengths: (0, 0),
        undecided: Vec::new(),
        problems: Vec::new(),
    };
    let mut skip_all = |why: String| {
        report.outcomes = claims
            .iter()
            .map(|_| Outcome::Skipped(why.clone()))
            .collect();
    };
    let text = match std::fs::read(folder.join(name)) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            skip_all(error.to_string());
            return report;
        }
    };
    let model = match load(name, &text, dialect) {
        Ok(model) => model,
        Err((line, message)) => {
            skip_all(format!("line {line}: {message}"));
            return report;
        }
    };
    let places = matched(claims, &model.properties);
    let asked: Vec<usize> = places.iter().flatten().copied().collect();
    if asked.is_empty() {
        skip_all("no property reads like those recorded".to_string());
        return report;
    }
    let answers = [
        by_explicit(&model, &asked, limits.explicit, &mut report.engines),
        by_symbolic(&model, &asked, limits.symbolic, &mut report.engines),
        by_program(
            &model,
            &asked,
            Engine::Auto,
            limits.auto,
            &mut report.engines,
        ),
        by_program(&model, &asked, Engine::Sat, limits.sat, &mut report.engines),
    ];
    for (claim, place) in claims.iter().zip(&places) {
        let outcome = match place {
            None => Outcome::Skipped(format!("no property reads `{}`", claim.text)),
            Some(at) => {
                let found = answers.iter().map(|findings| {
                    let mut findings = findings.iter();
                    findings.find(|finding| finding.property == *at)
                });
                let findings: Vec<Option<&Finding>> = found.collect();
                let complete = is_traced(&model.properties[*at].body);
                report.compare(claim, &findings, complete)
            }
        };
        if let Outcome::Skipped(why) = &outcome {
            report.undecided.push(format!("`{}`: {why}", claim.text));
        }
        report.outcomes.push(outcome);
    }
    report
}

/// Tries a model of which nothing is recorded: what each engine says of each of its properties.
pub(crate) fn open(folder: &Path, name: &str, limits: Limits) -> Vec<String> {
    let text = match std::fs::read(folder.join(name)) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return vec![error.to_string()],
    };
    let model = match load(name, &text, SmvDialect::New) {
        Ok(model) => model,
        Err((line, message)) => return vec![format!("line {line}: {message}")],
    };
    let asked: Vec<usize> = (0..model.properties.len()).collect();
    let mut told = Vec::new();
    let answers = [
        by_explicit(&model, &asked, limits.explicit, &mut told),
        by_symbolic(&model, &asked, limits.symbolic, &mut told),
        by_program(&model, &asked, Engine::Auto, limits.auto, &mut told),
        by_program(&model, &asked, Engine::Sat, limits.sat, &mut told),
    ];
    for finding in answers.iter().flatten() {
        let verdict = match &finding.verdict {
            Verdict::Holds => "holds".to_string(),
            Verdict::Fails => "fails".to_string(),
            Verdict::Unknown(UnknownReason::Stopped(stop)) => format!("undecided: {stop}"),
            Verdict::Unknown(UnknownReason::Unsupported(why)) => format!("undecided: {why}"),
        };
        let line = format!("{}: {verdict}", model.properties[finding.property].name);
        if !told.contains(&line) {
            told.push(line);
        }
    }
    told
}

impl FileReport {
    /// Compares what was found, by the engines and by the program as it chooses itself, with what is recorded;
    /// `complete` says whether a recorded trace shows all of a failure.
    fn compare(&mut self, claim: &Claim, found: &[Option<&Finding>], complete: bool) -> Outcome {
        let (mut decided, mut engines) = (0, 0);
        let mut differs = false;
        let mut why = "no engine got that far".to_string();
        for (at, finding) in found.iter().enumerate() {
            let Some(finding) = finding else { continue };
            match &finding.verdict {
                Verdict::Unknown(UnknownReason::Stopped(stop)) => why = stop.to_string(),
                Verdict::Unknown(UnknownReason::Unsupported(text)) => why = text.clone(),
                verdict => {
                    decided += 1;
                    engines += usize::from(at < ENGINES);
                    let answer = match finding.quantity {
                        Some(Quantity::Steps(steps)) => Answer::Steps(steps),
                        Some(Quantity::Infinite) => Answer::Infinite,
                        Some(Quantity::Undefined) | None => {
                            Answer::Holds(*verdict == Verdict::Holds)
                        }
                    };
                    differs |= answer != claim.answer;
                }
            }
            if is_broken(finding) {
                self.problems
                    .push(format!("evidence for `{}` does not replay", claim.text));
            }
            let evidence = finding.evidence.iter();
            self.evidences += evidence.filter(|e| e.replay != Replay::NotDone).count();
        }
        let evidence = found.iter().take(ALIKE).flatten();
        let evidence = evidence.flat_map(|found| &found.evidence);
        let evidence: Vec<&Evidence> = evidence.collect();
        if complete {
            self.compare_length(claim, &evidence);
        }
        if evidence.windows(2).any(|pair| pair[0] != pair[1]) {
            self.problems
                .push(format!("the engines explain `{}` differently", claim.text));
        }
        if !differs && decided > 0 {
            return Outcome::Equal { engines };
        }
        if decided == 0 {
            return Outcome::Skipped(why);
        }
        let known = |d: &&Difference| d.file == self.name && d.text == claim.text;
        match DIFFERENCES.iter().find(known) {
            Some(difference) => Outcome::Documented(difference.reason),
            None => {
                let (text, recorded) = (&claim.text, claim.answer);
                self.problems
                    .push(format!("`{text}`: {recorded:?}, they say; we do not"));
                Outcome::Differs
            }
        }
    }
}

impl FileReport {
    /// A path or lasso is no longer than a recorded one of the same shape. Trees and regions are not
    /// compared: a trace is only a part of what they show.
    fn compare_length(&mut self, claim: &Claim, evidence: &[&Evidence]) {
        let (Some(evidence), Some(theirs)) = (evidence.first(), claim.trace) else {
            return;
        };
        let lasso = match evidence.shape {
            Shape::Path => false,
            Shape::Lasso => true,
            Shape::Tree | Shape::Region => return,
        };
        if lasso != theirs.lasso || claim.answer != Answer::Holds(false) {
            return;
        }
        let ours = evidence.main_run().0.len() + usize::from(lasso);
        self.lengths.0 += 1;
        self.lengths.1 += usize::from(ours < theirs.states);
        if ours > theirs.states {
            let (text, states) = (&claim.text, theirs.states);
            self.problems
                .push(format!("`{text}`: {ours} states, {states} recorded"));
        }
    }
}

/// Whether the traces of the peer show all of a failure of such a property. It follows one path through the
/// formula, and does not look inside what must hold for ever or until something; so a failure that needs
/// more is cut off, and its trace may be shorter than any that shows it.
fn is_traced(body: &PropertyBody) -> bool {
    let PropertyBody::Query(query) = body else {
        return true;
    };
    let formula = &query.formula;
    let plain = formula.propositional();
    let mut sub = formula.root();
    loop {
        sub = match formula.op(sub) {
            _ if plain[sub] => return true,
            Op::Path(Quantifier::Forall, PathOp::Globally(f) | PathOp::Next(f)) => f,
            Op::Path(Quantifier::Forall, PathOp::Finally(f)) => return plain[f],
            Op::Path(Quantifier::Forall, PathOp::Until(f, g)) => return plain[f] && plain[g],
            Op::Implies(f, g) if plain[f] => g,
            Op::Or(f, g) if plain[f] => g,
            Op::Or(f, g) if plain[g] => f,
            _ => return false,
        };
    }
}

fn by_explicit(
    model: &Model,
    asked: &[usize],
    time: Duration,
    told: &mut Vec<String>,
) -> Vec<Finding> {
    let start = Instant::now();
    let budget = Budget::new(Some(time), Some(MEMORY));
    match Explicit::explore(model, explicit::ExplorationLimits::default(), &budget) {
        Ok(Ok(space)) => findings(&space, asked, start, told),
        Ok(Err(large)) => {
            told.push(format!("explicit: {large}"));
            vec![]
        }
        Err(stop) => {
            told.push(format!("explicit: {stop}"));
            vec![]
        }
    }
}

fn by_symbolic(
    model: &Model,
    asked: &[usize],
    time: Duration,
    told: &mut Vec<String>,
) -> Vec<Finding> {
    let start = Instant::now();
    let budget = Budget::new(Some(time), Some(MEMORY));
    match Symbolic::build(model, &budget) {
        Ok(space) => findings(&space, asked, start, told),
        Err(stop) => {
            told.push(format!("bdd: {stop}"));
            vec![]
        }
    }
}

/// The program with one of its ways to answer: as it chooses itself, or by a solver.
fn by_program(
    model: &Model,
    asked: &[usize],
    engine: Engine,
    time: Duration,
    told: &mut Vec<String>,
) -> Vec<Finding> {
    let start = Instant::now();
    let budget = Budget::new(Some(time), Some(MEMORY));
    let job = Job {
        engine,
        options: options(),
        properties: Some(asked.to_vec()),
        bound: None,
    };
    let mut findings = Vec::new();
    check_model(model, &job, &budget, &mut |event| {
        if let Event::Finding(finding) = event {
            findings.push(*finding);
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    told.push(format!("{}: {seconds:.1} s", engine.name()));
    findings
}

/// What is asked for: verdicts with evidence.
fn options() -> EvidenceOptions {
    EvidenceOptions {
        evidence: true,
        vacuity: false,
        witness: false,
        certificate: false,
        ..EvidenceOptions::default()
    }
}

fn findings<S: StateSpace>(
    space: &S,
    asked: &[usize],
    start: Instant,
    told: &mut Vec<String>,
) -> Vec<Finding> {
    let engine = space.engine();
    let investigator = match Investigator::new(space) {
        Ok(investigator) => investigator,
        Err(stop) => {
            told.push(format!("{engine}: {stop}"));
            return vec![];
        }
    };
    let options = options();
    let findings = asked
        .iter()
        .map(|&at| answered(&investigator, at, &options))
        .collect();
    let states = &investigator.summary().states;
    let seconds = start.elapsed().as_secs_f64();
    told.push(format!("{engine}: {states} states, {seconds:.1} s"));
    findings
}

/// What is found about a property; one of linear time is asked of the same engine over its product.
fn answered<S: StateSpace>(
    investigator: &Investigator<'_, S>,
    at: usize,
    options: &EvidenceOptions,
) -> Finding {
    let model = investigator.model();
    let property = &model.properties[at];
    let PropertyBody::Linear(query) = &property.body else {
        return investigator.investigate(at, options);
    };
    let tableau = Tableau::new(model, query, property.span);
    let space = investigator.checker().space();
    let (budget, engine) = (space.budget(), space.engine());
    let over_product = || -> Run<Finding> {
        if engine == SpaceEngine::Bdd {
            let product = Symbolic::build(&tableau.model, budget)?;
            return Ok(investigator.investigate_linear(at, options, &tableau, &product));
        }
        match Explicit::explore(
            &tableau.model,
            explicit::ExplorationLimits::default(),
            budget,
        )? {
            Ok(product) => Ok(investigator.investigate_linear(at, options, &tableau, &product)),
            Err(_) => Err(Stop::Memory),
        }
    };
    over_product().unwrap_or_else(|stop| Finding {
        verdict: Verdict::Unknown(UnknownReason::Stopped(stop)),
        ..investigator.investigate(at, options)
    })
}
