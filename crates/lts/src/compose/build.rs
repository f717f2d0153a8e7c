//! From a net to a system.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use wherefore_base::{Budget, Span};
use wherefore_model::lts::{ActionLabel, LabelId, Lts, LtsStep};

use crate::LtsHalt;
use crate::halt::counted;
use crate::reduce::{reachable_from, reduce, with_used_labels};

use super::buffer::{Act, Messages};
use super::explore::{NetworkNode, explore, explore_and_keep};
use super::internal::Internal;
use super::net::{Buffer, Net, NetBranch, NetPart, Sync, Vector};
use super::origins::{Origins, SystemOrigin};
use super::relabel::Relabelling;
use super::rules::SyncRuleMaker;

/// A composed system.
#[derive(Debug)]
pub struct Built {
    /// The system.
    pub lts: Lts,
    /// What is probably not meant.
    pub notes: Vec<BuildNote>,
}

/// Something to say about a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildNote {
    /// Where it is written, if it is.
    pub span: Option<Span>,
    /// A whole sentence without its full stop.
    pub message: String,
    /// Advice, as a whole sentence.
    pub help: Option<String>,
}

/// Why a net gives no system.
#[derive(Debug)]
pub enum BuildFailure<E> {
    /// A system is not given; the place is that of its name.
    File(E, Option<Span>),
    /// The net cannot be meant.
    Wrong(BuildNote),
    /// It does not end, or not within the limits.
    Halted(LtsHalt),
}

impl<E> From<LtsHalt> for BuildFailure<E> {
    fn from(halt: LtsHalt) -> Self {
        BuildFailure::Halted(halt)
    }
}

impl<E: fmt::Display> fmt::Display for BuildFailure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildFailure::File(error, _) => error.fmt(f),
            BuildFailure::Wrong(note) => f.write_str(&note.message),
            BuildFailure::Halted(halt) => halt.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for BuildFailure<E> {}

impl Net {
    /// The system of a net: reachable states only, numbered breadth first in the order of labels. A net
    /// that is only a file is the system of that file as it is.
    ///
    /// `load` gives the systems that the net names, each once. `internal` are the names of internal steps;
    /// in the result they all have the first of these.
    ///
    /// # Errors
    /// When a system is not given, the net cannot be meant, or a limit is reached.
    pub fn build<E>(
        &self,
        load: impl FnMut(&str) -> Result<Lts, E>,
        internal: &[String],
        budget: &Budget,
    ) -> Result<Built, BuildFailure<E>> {
        let mut builder = NetworkBuilder::new(load, internal, false, budget);
        let root = builder.parts(self)?;
        // A system that nobody else holds is given away without a copy.
        builder.loaded.clear();
        let lts = match root {
            Some(root) => explore(&mut builder.nodes, root, budget)?,
            None => Arc::new(Lts::new(vec![], 1, 0.into(), &[])),
        };
        Ok(Built {
            lts: Arc::unwrap_or_clone(lts),
            notes: builder.notes,
        })
    }

    /// The same, with what is needed to say where its states and steps come from.
    ///
    /// # Errors
    /// As [`Net::build`].
    pub fn build_with_origins<E>(
        &self,
        load: impl FnMut(&str) -> Result<Lts, E>,
        internal: &[String],
        budget: &Budget,
    ) -> Result<(Built, Origins), BuildFailure<E>> {
        let mut builder = NetworkBuilder::new(load, internal, true, budget);
        let root = builder.parts(self)?;
        builder.loaded.clear();
        let lts = match root {
            Some(root) => explore_and_keep(&mut builder.nodes, root, budget)?,
            None => Arc::new(Lts::new(vec![], 1, 0.into(), &[])),
        };
        let built = Built {
            lts: Arc::unwrap_or_clone(lts),
            notes: builder.notes,
        };
        Ok((built, Origins::new(builder.nodes, root, builder.files)))
    }
}

struct NetworkBuilder<'a, L> {
    load: L,
    internal: Internal<'a>,
    budget: &'a Budget,
    /// The systems of files, with the numbers of these.
    loaded: BTreeMap<String, (usize, Arc<Lts>)>,
    /// The names of the files, in the order in which they were read.
    files: Vec<String>,
    /// Whether it is kept where systems come from.
    traced: bool,
    nodes: Vec<NetworkNode>,
    notes: Vec<BuildNote>,
}

impl<'a, L> NetworkBuilder<'a, L> {
    fn new(load: L, internal: &'a [String], traced: bool, budget: &'a Budget) -> Self {
        Self {
            load,
            internal: Internal::new(internal),
            budget,
            loaded: BTreeMap::new(),
            files: Vec::new(),
            traced,
            nodes: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Makes the nodes of all parts; returns the place of the last one.
    fn parts<E>(&mut self, net: &Net) -> Result<Option<usize>, BuildFailure<E>>
    where
        L: FnMut(&str) -> Result<Lts, E>,
    {
        // By part, where its node is.
        let mut places: Vec<usize> = Vec::new();
        for part in net.parts.iter() {
            let place = match part {
                NetPart::File(name, span) => self.file(name, *span)?,
                NetPart::Par(syncs, vectors, branches) => {
                    let children = branches.iter().map(|b| places[b.part.index()]);
                    self.par(syncs, vectors, branches, children.collect())?
                }
                NetPart::Relabel(how, part) => self.relabel(how, places[part.index()])?,
                NetPart::Buffer(buffer, part) => self.buffer(buffer, places[part.index()])?,
                NetPart::Reduce(how, part) => {
                    let place = places[part.index()];
                    let origin = (self.traced).then(|| SystemOrigin::reduced(&self.nodes, place));
                    let lts = explore(&mut self.nodes, place, self.budget)?;
                    let lts = Arc::new(reduce(&lts, *how, self.budget)?);
                    self.nodes[place] = NetworkNode::Given(lts, origin);
                    place
                }
            };
            places.push(place);
        }
        Ok(places.last().copied())
    }

    fn file<E>(&mut self, name: &str, span: Option<Span>) -> Result<usize, BuildFailure<E>>
    where
        L: FnMut(&str) -> Result<Lts, E>,
    {
        let (file, read) = match self.loaded.get(name) {
            Some((file, lts)) => (*file, Arc::clone(lts)),
            None => {
                let lts = (self.load)(name).map_err(|error| BuildFailure::File(error, span))?;
                let (file, lts) = (self.files.len(), Arc::new(lts));
                self.files.push(name.to_string());
                let loaded = (file, Arc::clone(&lts));
                self.loaded.insert(name.to_string(), loaded);
                (file, lts)
            }
        };
        let internal = &self.internal;
        let origin = (self.traced).then(|| SystemOrigin::file(file, Arc::clone(&read), internal));
        let lts = with_one_internal_label(read, internal);
        self.nodes.push(NetworkNode::Given(lts, origin));
        Ok(self.nodes.len() - 1)
    }

    fn par<E>(
        &mut self,
        syncs: &[Sync],
        vectors: &[Vector],
        branches: &[NetBranch],
        children: Vec<usize>,
    ) -> Result<usize, BuildFailure<E>> {
        let named = branches.iter().flat_map(|branch| &branch.gates);
        let named = named.map(|(gate, span)| (gate, *span));
        let mut listed = syncs
            .iter()
            .map(|sync| (&sync.gate, sync.span))
            .chain(named);
        if let Some((gate, span)) = listed.find(|(gate, _)| self.internal.is(gate)) {
            return Err(BuildFailure::Wrong(BuildNote {
                span,
                message: format!("Internal steps do not synchronise, and `{gate}` is one"),
                help: None,
            }));
        }
        let labels = children.iter().map(|&child| self.nodes[child].labels());
        let labels: Vec<&[ActionLabel]> = labels.collect();
        let mut maker = SyncRuleMaker::new(&labels, &self.internal, self.budget);
        maker.gates(syncs, branches).map_err(LtsHalt::from)?;
        for vector in vectors {
            maker.vector(vector).map_err(LtsHalt::from)?;
        }
        self.notes.append(&mut maker.notes);
        let rules = maker.finish();
        self.nodes.push(NetworkNode::par(children, rules));
        Ok(self.nodes.len() - 1)
    }

    fn relabel(&mut self, how: &Relabelling, place: usize) -> Result<usize, LtsHalt> {
        let node = &mut self.nodes[place];
        match node.rules_mut() {
            Some(rules) => rules.relabel(how, &self.internal),
            None => {
                if let NetworkNode::Given(lts, origin) = node {
                    let relabelled = relabelled(lts, how, &self.internal);
                    let (whole, states) = match how {
                        // Without the steps that were cut, states may be out of reach.
                        Relabelling::Cut { .. } => {
                            let (whole, states) = reachable_from(&relabelled, self.budget)?;
                            (whole, Some(states))
                        }
                        Relabelling::Hide { .. } | Relabelling::Rename(_) => (relabelled, None),
                    };
                    if let Some(origin) = origin {
                        origin.relabel(how, &self.internal, states);
                    }
                    *lts = Arc::new(whole);
                }
            }
        }
        Ok(place)
    }

    /// A part beside the buffer, which takes part in all that it sends and receives.
    fn buffer<E>(&mut self, buffer: &Buffer, part: usize) -> Result<usize, BuildFailure<E>> {
        let labels = self.nodes[part].labels();
        let (acts, mut notes) = acts(buffer, labels)?;
        let of_buffer: Vec<(ActionLabel, Act)> = acts
            .iter()
            .map(|&(label, act)| (labels[label].clone(), act))
            .collect();
        let messages = Messages::new(buffer.queue, buffer.bound, of_buffer);
        let both = [labels, messages.labels()];
        let mut maker = SyncRuleMaker::new(&both, &self.internal, self.budget);
        for (at, (label, _)) in acts.iter().enumerate() {
            maker.pair([*label, at]);
        }
        let rules = maker.finish();
        self.notes.append(&mut notes);
        self.nodes.push(NetworkNode::buffer(messages));
        let children = vec![part, self.nodes.len() - 1];
        self.nodes.push(NetworkNode::par(children, rules));
        Ok(self.nodes.len() - 1)
    }
}

/// What the labels of a part do with a buffer.
type Acts = Vec<(usize, Act)>;

fn acts<E>(
    buffer: &Buffer,
    labels: &[ActionLabel],
) -> Result<(Acts, Vec<BuildNote>), BuildFailure<E>> {
    let note = |message: String| BuildNote {
        span: buffer.span,
        message,
        help: None,
    };
    let mut messages: BTreeMap<Vec<&str>, u32> = BTreeMap::new();
    let mut acts = Vec::new();
    let (mut sent, mut received) = (vec![], vec![]);
    for (at, label) in labels.iter().enumerate().filter(|(_, l)| !l.internal) {
        let send = buffer.send.captures(&label.text);
        let receive = buffer.receive.captures(&label.text);
        let fresh = messages.len() as u32;
        let mut number = |groups| *messages.entry(groups).or_insert(fresh);
        match (send, receive) {
            (None, None) => {}
            (Some(_), Some(_)) => {
                let message = format!("The label `{}` both sends and receives", label.text);
                return Err(BuildFailure::Wrong(note(message)));
            }
            (Some(message), None) => {
                sent.push(number(message));
                acts.push((at, Act::Send(sent[sent.len() - 1])));
            }
            (None, Some(message)) => {
                received.push((number(message), &label.text));
                acts.push((at, Act::Receive(received[received.len() - 1].0)));
            }
        }
    }
    let mut notes = Vec::new();
    if sent.is_empty() {
        notes.push(note("No label sends into this buffer".to_string()));
    }
    for (message, label) in received {
        if !sent.is_empty() && !sent.contains(&message) {
            let message = format!("`{label}` receives a message that nobody sends");
            notes.push(note(message));
        }
    }
    Ok((acts, notes))
}

/// A system whose internal steps are all called so.
fn with_one_internal_label(lts: Arc<Lts>, internal: &Internal<'_>) -> Arc<Lts> {
    let mut labels = lts.labels().iter();
    match labels.all(|label| label.internal == (label.text == internal.name())) {
        true => lts,
        false => {
            let text = |label: &ActionLabel| match label.internal {
                true => Some(internal.name().to_string()),
                false => Some(label.text.clone()),
            };
            Arc::new(with_texts(&lts, text, internal))
        }
    }
}

fn relabelled(lts: &Lts, how: &Relabelling, internal: &Internal<'_>) -> Lts {
    let text = |label: &ActionLabel| match label.internal {
        true => Some(label.text.clone()),
        false => how.apply(&label.text, internal),
    };
    with_texts(lts, text, internal)
}

/// A system with other labels; the same states, in the same order.
fn with_texts(
    lts: &Lts,
    text: impl Fn(&ActionLabel) -> Option<String>,
    internal: &Internal<'_>,
) -> Lts {
    let texts: Vec<Option<String>> = lts.labels().iter().map(text).collect();
    let labels = internal.labels(texts.iter().flatten().cloned());
    let number = |text: &String| {
        let found = labels.binary_search_by(|label| label.text.cmp(text));
        LabelId::new(found.expect("every label is in the list"))
    };
    let numbers: Vec<Option<LabelId>> = texts.iter().map(|t| t.as_ref().map(number)).collect();
    let mut starts = vec![0];
    let mut steps = Vec::with_capacity(lts.transitions());
    for state in lts.state_ids() {
        for step in lts.steps(state) {
            if let Some(label) = numbers[step.label.index()] {
                steps.push(LtsStep { label, ..*step });
            }
        }
        let end = counted(steps.len(), "transitions").expect("there are no more than before");
        starts.push(end);
    }
    with_used_labels(&labels, lts.initial(), starts, steps)
}
