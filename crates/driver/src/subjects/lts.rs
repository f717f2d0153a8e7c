//! A labelled transition system: an AUT file or a composition of several, properties in MCL, and their findings.

pub(crate) mod network;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use num_bigint::BigUint;
use wherefore_base::{Budget, Diagnostic, FileId, IndexVec, Run, SourceFile, SourceMap, Stop};
use wherefore_evidence::modal::{
    LabelWish, RunAspect, SystemWishes, evidence, investigate, investigate_wished,
};
use wherefore_evidence::{Finding, Mend, SpaceSummary, UnknownReason, Verdict};
use wherefore_lts::{LtsHalt, aut, mcl, reduce};
use wherefore_model::lts::{Lts, ModalQuestion};
use wherefore_model::{SpaceEngine, TextChange};
use wherefore_view::any::AnyReport;
use wherefore_view::lts::{LtsProperty, LtsReport};

use crate::blame::systems::blame;
use crate::compose::{ComposeError, ComposedNetwork, Composition};
use crate::read::{open_file, read_text};
use crate::refusal::{ReadError, Refusal, Rejected};
use crate::results::Results;
use crate::strategy::{Strategies, StrategySpec};
use crate::subject::{
    Answer, Ask, Capability, Explainable, Language, Question, QuestionId, Sink, Subject,
    SubjectEvent, Wishes,
};
use crate::subjects::model::FORMULA;

use self::network::{Component, Network, Wiring};

/// How a labelled transition system is read.
#[derive(Clone, Debug, Default)]
pub struct LtsReading {
    /// Labels of internal steps, besides `i` and `tau`.
    pub internal: Vec<String>,
    /// How many threads read; `None`: as many as the machine runs at once.
    pub threads: Option<usize>,
    /// How it is made smaller.
    pub reduce: Option<reduce::Reduction>,
}

/// A labelled transition system with its properties.
///
/// ```
/// use wherefore_driver::base::Budget;
/// use wherefore_driver::evidence::Verdict;
/// use wherefore_driver::subjects::lts::LtsSubject;
///
/// let text = b"des (0, 2, 2)\n(0, OPEN, 1)\n(1, BANG, 0)\n";
/// let unlimited = Budget::unlimited();
/// let mut session = LtsSubject::read("door.aut", &text[..], &Default::default(), &unlimited)?;
/// session.add_formula("[ true* . \"BANG\" ] false")?;
/// let finding = session.check(0, &unlimited);
/// assert_eq!(finding.verdict, Verdict::Fails);
/// let run = finding.evidence.expect("a failing property has evidence");
/// assert_eq!(run.minimal.length, 2); // OPEN, BANG
/// # Ok::<(), wherefore_driver::Refusal>(())
/// ```
#[derive(Debug)]
pub struct LtsSubject {
    language: Language,
    path: String,
    lts: Lts,
    sources: SourceMap,
    properties: Vec<LtsProperty>,
    /// The texts of properties as they were parsed.
    parsed: Vec<mcl::Parsed>,
    /// For each property, its text and its number there.
    origins: Vec<(usize, usize)>,
    /// The files that the system was read from, if that is known.
    network: Option<Network>,
    warnings: Vec<Diagnostic>,
    wishes: SystemWishes,
}

impl LtsSubject {
    /// What labelled transition systems can do.
    pub const CAPABILITIES: &[Capability] = &[
        Capability::Add,
        Capability::Explain,
        Capability::Explore,
        Capability::Debug,
        Capability::Several,
        Capability::Strategies,
        Capability::Compose,
        Capability::Blame,
        Capability::States,
    ];

    /// Reads a system from a file, compressed or not, and its properties from MCL files.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong, or the budget ends.
    pub fn open(
        path: &Path,
        properties: &[PathBuf],
        reading: &LtsReading,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let name = path.display().to_string();
        let mut subject = Self::read(&name, open_file(path)?, reading, budget)?;
        subject.add_files(properties, budget)?;
        Ok(subject)
    }

    /// Reads a composition file with the files that it names, and its properties from MCL files.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong, a limit is reached, or the budget ends.
    pub fn compose(
        path: &Path,
        properties: &[PathBuf],
        reading: &LtsReading,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let mut composition = Composition::open(path, budget).map_err(ComposeError::refusal)?;
        if let Some(reduction) = reading.reduce {
            let net = composition.net_mut();
            if let Some(root) = net.root() {
                net.reduce(reduction, root);
            }
        }
        let composed = composition.into_network(&options(reading), budget)?;
        let ComposedNetwork {
            lts,
            warnings,
            network,
            sources,
        } = composed;
        let mut subject = Self {
            sources,
            warnings,
            network: Some(network),
            ..Self::new(Language::AUT, &path.display().to_string(), lts)
        };
        subject.add_files(properties, budget)?;
        Ok(subject)
    }

    /// Adds the properties of MCL files.
    ///
    /// # Errors
    /// When one cannot be read or is wrong, or the budget ends.
    pub(crate) fn add_files(&mut self, paths: &[PathBuf], budget: &Budget) -> Result<(), Refusal> {
        for path in paths {
            let added = self.add_file(path, budget);
            added.map_err(|why| why.in_companion("", path))?;
        }
        Ok(())
    }

    /// Reads a system; `name` is what messages call it.
    ///
    /// # Errors
    /// When it is no system, or the budget ends first.
    pub fn read(
        name: &str,
        input: impl Read + Send,
        reading: &LtsReading,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let how = options(reading);
        let read = network::read_input(input, &how, budget)?;
        let (mut lts, text) = read.map_err(|error| {
            let (sources, diagnostic) = error.diagnostic(name);
            rejected_with(sources, vec![diagnostic])
        })?;
        let component = text.is_some().then(|| Arc::new(lts.clone()));
        if let Some(reduction) = reading.reduce {
            lts = reduce::reduce(&lts, reduction, budget).map_err(|halt| match halt {
                LtsHalt::Stopped(stop) => Refusal::Stopped(stop),
                LtsHalt::TooMany(_) => {
                    ReadError::System(std::io::Error::other(halt.to_string())).into()
                }
            })?;
        }
        let mut subject = Self::new(Language::AUT, name, lts);
        let file = text.map(|text| subject.sources.add(SourceFile::new(name, text)));
        subject.network = component.map(|lts| Network {
            wiring: Wiring::Single(reading.reduce),
            components: vec![Component {
                name: name.to_string(),
                file,
                lts,
            }],
            internal: how.internal,
        });
        Ok(subject)
    }

    /// A system that a text in some language describes.
    pub(crate) fn new(language: Language, path: &str, lts: Lts) -> Self {
        Self {
            language,
            path: path.to_string(),
            lts,
            sources: SourceMap::default(),
            properties: Vec::new(),
            parsed: Vec::new(),
            origins: Vec::new(),
            network: None,
            warnings: Vec::new(),
            wishes: SystemWishes::default(),
        }
    }

    /// Adds the properties of an MCL file. One without a name is called as the file is.
    ///
    /// # Errors
    /// When the file cannot be read or is wrong, or the budget ends.
    pub(crate) fn add_file(&mut self, path: &Path, budget: &Budget) -> Result<(), Refusal> {
        let text = read_text(path, budget)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        let library = |name: &str| {
            let path = folder.join(name);
            let text = read_text(&path, budget).ok()?;
            Some(SourceFile::new(path.display().to_string(), text))
        };
        let source = SourceFile::new(path.display().to_string(), text);
        self.add_properties(source, &stem, true, &library)?;
        Ok(())
    }

    /// Adds a property in MCL; returns its index.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn add_formula(&mut self, text: &str) -> Result<usize, Rejected> {
        let name = format!("formula{}", 1 + self.formulas().count());
        self.add_properties(SourceFile::new(FORMULA, text), &name, false, &|_| None)
    }

    /// Adds the properties of a text; returns the index of the first.
    fn add_properties(
        &mut self,
        source: SourceFile,
        unnamed: &str,
        placed: bool,
        library: &dyn Fn(&str) -> Option<SourceFile>,
    ) -> Result<usize, Rejected> {
        let file = self.sources.add(source);
        let (parsed, diagnostics) = mcl::parse(file, &mut self.sources, library);
        let Some(parsed) = parsed else {
            return Err(self.rejected(diagnostics));
        };
        self.warnings.extend(diagnostics);
        let first = self.properties.len();
        for (at, property) in parsed.properties().enumerate() {
            let lowered = mcl::lower(&property, &self.lts);
            let lowered = lowered.map_err(|diagnostics| self.rejected(diagnostics))?;
            self.warnings.extend(lowered.warnings);
            self.properties.push(LtsProperty {
                name: property.name().unwrap_or(unnamed).to_string(),
                text: property.text(),
                span: placed.then(|| property.span()),
                question: lowered.question,
            });
            self.origins.push((self.parsed.len(), at));
        }
        self.parsed.push(parsed);
        Ok(first)
    }

    /// The properties that [`LtsSubject::add_formula`] added, by index.
    pub fn formulas(&self) -> impl Iterator<Item = usize> + '_ {
        let properties = self.properties.iter().enumerate();
        properties
            .filter(|(_, property)| property.span.is_none())
            .map(|(at, _)| at)
    }

    /// What a property means in another system; `None` where it means nothing there.
    pub(crate) fn question_in(&self, property: usize, lts: &Lts) -> Option<ModalQuestion> {
        let (text, at) = *self.origins.get(property)?;
        let property = self.parsed[text].properties().nth(at)?;
        Some(mcl::lower(&property, lts).ok()?.question)
    }

    /// The files that the system was read from, if that is known.
    pub(crate) fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// The text of a file with a change.
    pub fn changed_text(&self, mend: &Mend) -> String {
        let mut text = self.sources.file(mend.change.span.file).text().to_string();
        let mut changes: Vec<&TextChange> = mend.also.iter().chain([&mend.change]).collect();
        // From behind, so that the places of the others stay what they are.
        changes.sort_by_key(|change| std::cmp::Reverse(change.span.start));
        for change in changes {
            let (start, end) = (change.span.start as usize, change.span.end as usize);
            text.replace_range(start..end, &change.text);
        }
        text
    }

    /// Makes sure that what is to blame can be looked for.
    ///
    /// # Errors
    /// When the files are too large, or are not known.
    pub fn can_blame(&self) -> Result<(), Refusal> {
        let why = match &self.network {
            Some(network) => network.is_mute(),
            None => Some(format!(
                "the file is compressed or larger than {} bytes, and changes are tried in plain files up to that size",
                network::LARGEST_TEXT
            )),
        };
        match why {
            Some(why) => Err(Refusal::Unsupported(why)),
            None => Ok(()),
        }
    }

    /// The system.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// Its properties.
    pub fn properties(&self) -> &[LtsProperty] {
        &self.properties
    }

    /// The texts of the properties.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// What is odd about the properties without making them useless.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Messages about the properties together with their texts.
    pub fn rejected(&self, diagnostics: Vec<Diagnostic>) -> Rejected {
        rejected_with(self.sources.clone(), diagnostics)
    }

    /// Everything about one property.
    ///
    /// # Panics
    /// When there is no property with this index.
    pub fn check(&self, property: usize, budget: &Budget) -> Finding {
        let question = &self.properties[property].question;
        investigate(&self.lts, question, property, budget)
    }

    /// The same, with evidence whatever the verdict is: also why what is said of all steps holds.
    ///
    /// # Errors
    /// When the budget ends first.
    ///
    /// # Panics
    /// When there is no property with this index.
    pub fn proved(&self, property: usize, budget: &Budget) -> Run<Finding> {
        let mut finding = self.check(property, budget);
        budget.check()?;
        if finding.evidence.is_none() {
            let question = &self.properties[property].question;
            let solution = wherefore_check::modal::solve(&self.lts, question, budget)?;
            finding.evidence = Some(evidence(&self.lts, question, &solution, budget)?);
        }
        Ok(finding)
    }

    /// The labels that a strategy wants to do without.
    fn label_wish(&self, wish: &StrategySpec) -> Result<LabelWish, Refusal> {
        let Some((text, wanted)) = wish.condition() else {
            return Err(Refusal::Unsupported(format!(
                "the strategy `{wish}` is for models with variables; of a labelled transition system, \
                 `avoid:LABEL` and `prefer:LABEL` work"
            )));
        };
        let text = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .unwrap_or(text);
        let Some(label) = self.lts.label(text) else {
            let labels = self.lts.labels().ids().map(|label| self.lts.text(label));
            let near = wherefore_base::nearest(text, labels, 2);
            let advice = near.map(|near| format!("; did you mean `{near}`?"));
            return Err(Refusal::Unsupported(format!(
                "no step has the label `{text}`, which `{wish}` names{}",
                advice.unwrap_or_default()
            )));
        };
        // Who prefers a label wants to do without all others.
        let labels = self.lts.labels().ids();
        Ok(LabelWish {
            name: wish.text().to_string(),
            unwanted: labels.filter(|&other| (other == label) != wanted).collect(),
        })
    }

    /// What views need to tell these findings.
    pub fn report<'a>(
        &'a self,
        space: Option<&'a SpaceSummary>,
        findings: &'a [Finding],
    ) -> LtsReport<'a> {
        LtsReport {
            path: &self.path,
            lts: &self.lts,
            sources: &self.sources,
            properties: &self.properties,
            space,
            findings,
            names: self.network.as_ref().map(|network| network as _),
            seconds: None,
        }
    }
}

impl Subject for LtsSubject {
    fn name(&self) -> &str {
        &self.path
    }

    fn language(&self) -> Language {
        self.language
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn file(&self) -> Option<FileId> {
        None
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn questions(&self) -> IndexVec<QuestionId, Question> {
        let questions = self.properties.iter().map(|property| Question {
            name: property.name.clone(),
            text: property.text.clone(),
            span: property.span,
            added: property.span.is_none(),
            expected: None,
        });
        questions.collect()
    }

    fn capabilities(&self) -> &'static [Capability] {
        Self::CAPABILITIES
    }

    fn add(&mut self, text: &str) -> Result<QuestionId, Refusal> {
        Ok(QuestionId::new(self.add_formula(text)?))
    }

    fn wish(&mut self, wishes: &Wishes, _: &Budget) -> Result<Strategies, Refusal> {
        self.wishes.labels = wishes
            .strategy
            .iter()
            .map(|wish| self.label_wish(wish))
            .collect::<Result<_, _>>()?;
        self.wishes.distinct = wishes
            .distinct_by
            .iter()
            .map(|aspect| aspect_of(aspect))
            .collect::<Result<_, _>>()?;
        Ok(Strategies::default())
    }

    fn answer_all(
        &self,
        questions: &[QuestionId],
        ask: &Ask,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> Result<(), Refusal> {
        sink.tell(SubjectEvent::Space(SpaceSummary {
            engine: SpaceEngine::Explicit,
            states: BigUint::from(self.lts.states()),
            transitions: Some(self.lts.transitions() as u64),
            symmetries: 0,
            initial: BigUint::from(1u32),
            notes: vec![],
        }));
        let wishes = SystemWishes {
            count: ask.options.several.count,
            ..self.wishes.clone()
        };
        let mut findings = Vec::new();
        for question in questions {
            let asked = &self.properties[question.index()].question;
            let finding = investigate_wished(&self.lts, asked, question.index(), &wishes, budget);
            if ask.blame.is_some() {
                findings.push(Finding {
                    evidence: finding.evidence.clone(),
                    ..Finding::new(finding.property, finding.verdict.clone(), None)
                });
            }
            sink.tell(SubjectEvent::Answer(Box::new(Answer::Finding(Box::new(
                finding,
            )))));
        }
        if let Some(effort) = ask.blame {
            for (property, blame) in blame(self, &findings, effort, budget) {
                let question = QuestionId::new(property);
                sink.tell(SubjectEvent::Blame(question, Box::new(blame)));
            }
        }
        Ok(())
    }

    fn undecided(&self, question: QuestionId, stop: Stop) -> Answer {
        let class = wherefore_check::modal::class_of(&self.properties[question.index()].question);
        let verdict = Verdict::Unknown(UnknownReason::Stopped(stop));
        Answer::Finding(Box::new(Finding::new(
            question.index(),
            verdict,
            Some(class),
        )))
    }

    fn explainable(&self, _: QuestionId, _: &Ask, _: &Budget) -> Result<Explainable, Refusal> {
        let why = "the proof of a property of a labelled transition system has no open claims: it is read, not grown; \
                   `LtsSubject::proved` and `wherefore explain` give it";
        Err(Refusal::Unsupported(why.to_string()))
    }

    fn report<'a>(&'a self, results: &'a Results) -> AnyReport<'a> {
        AnyReport::Lts(LtsReport {
            seconds: results.seconds,
            ..self.report(results.space.as_ref(), &results.findings)
        })
    }
}

/// How AUT files are read.
fn options(reading: &LtsReading) -> aut::ReadOptions {
    let mut how = aut::ReadOptions::default();
    how.internal.extend(reading.internal.iter().cloned());
    how.threads = reading.threads.unwrap_or(how.threads);
    how
}

/// What runs are told apart by.
fn aspect_of(text: &str) -> Result<RunAspect, Refusal> {
    match text.trim() {
        "action" => Ok(RunAspect::Actions),
        "state" => Ok(RunAspect::States),
        other => Err(Refusal::Unsupported(format!(
            "runs of a labelled transition system are told apart by `action` or by `state`, not by `{other}`"
        ))),
    }
}

fn rejected_with(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> Rejected {
    Rejected {
        sources,
        diagnostics,
    }
}

#[cfg(test)]
mod tests;
