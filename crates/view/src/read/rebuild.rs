//! From a document back to evidence: names to variables, texts to rules, numbers to ids.
//!
//! The model may have changed since the document was written. Whatever does not fit any more is told;
//! what fits is evidence that replay can judge.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{IndexVec, Value};
use wherefore_evidence as ev;
use wherefore_evidence::{
    Claim, Cover, Cube, Measure, Minimality, Occurrence, OccurrenceId, ProofId, RegionId, Replay,
    Rule, SegmentEnding, Shape,
};
use wherefore_logic::{Bounds, Goal, SubId, replaced};
use wherefore_model::{Model, Query, VarId, VarKind};
use wherefore_wire::{
    CubeDoc, EndingName, EvidenceDoc, IN_PART, MeasureName, ProofNodeDoc, RuleName, SegmentDoc,
    ShapeName, ValueDoc, ValuesDoc, WitnessDoc,
};

use super::fit::{self, DocumentMisfit};
use super::trace::Datum;
use crate::Report;
use crate::words::sub_text;

/// The property of a witness, with the part replaced, as long as the property still has that part.
pub fn witness_query(witness: &WitnessDoc, report: &Report<'_>, query: &Query) -> Option<Query> {
    let sub = witness.sub.filter(|&sub| sub < query.formula.len());
    let sub = SubId::new(sub?);
    if sub_text(report, query, sub) != witness.replaced {
        return None;
    }
    Some(Query {
        formula: replaced(&query.formula, sub, witness.by),
        ..query.clone()
    })
}

/// The evidence for a query of a model, if its states and numbers fit them. Whether it shows
/// anything is for replay to say.
///
/// # Errors
/// What does not fit.
pub fn rebuild(
    saved: &EvidenceDoc,
    model: &Model,
    query: &Query,
) -> Result<ev::Evidence, DocumentMisfit> {
    let rebuilder = Rebuilder {
        model,
        query,
        saved,
        vars: model
            .vars
            .entries()
            .map(|(id, var)| (var.name.as_str(), id))
            .collect(),
    };
    rebuilder.everything()
}

struct Rebuilder<'a> {
    model: &'a Model,
    query: &'a Query,
    saved: &'a EvidenceDoc,
    vars: BTreeMap<&'a str, VarId>,
}

fn broken<T>(what: &str) -> Result<T, DocumentMisfit> {
    Err(DocumentMisfit::Broken(what.to_string()))
}

impl Rebuilder<'_> {
    fn everything(&self) -> Result<ev::Evidence, DocumentMisfit> {
        let saved = self.saved;
        if saved.formula.len() != self.query.formula.len() {
            return broken("the property has another number of sub-formulas");
        }
        self.names()?;
        let mut occurrences = IndexVec::new();
        for (at, state) in saved.states.iter().enumerate() {
            let truth = saved
                .truth
                .get(&at)
                .filter(|t| t.len() == saved.formula.len());
            let Some(truth) = truth else {
                return broken("a state has no truth values");
            };
            occurrences.push(Occurrence {
                values: self.row(&state.values, false, at)?,
                truth: truth.iter().copied().collect(),
            });
        }
        let edges = saved.edges.iter().map(|edge| {
            Ok(ev::EvidenceEdge {
                from: self.occurrence(edge.from)?,
                to: self.occurrence(edge.to)?,
                input: self.row(&edge.inputs, true, edge.to)?,
            })
        });
        let edges = edges.collect::<Result<_, _>>()?;
        let proof: IndexVec<ProofId, ev::ProofNode> = saved
            .proof
            .iter()
            .map(|node| self.node(node))
            .collect::<Result<_, _>>()?;
        let segments = saved.segments.iter().map(|s| self.segment(s, &proof));
        let segments = segments.collect::<Result<_, _>>()?;
        Ok(ev::Evidence {
            shape: shape(saved.shape),
            occurrences,
            edges,
            segments,
            regions: self.regions()?,
            proof,
            minimal: Minimality {
                measure: measure(saved.minimal.measure),
                length: saved.minimal.length,
                at_least: saved.minimal.at_least,
            },
            replay: replay(saved),
            causes: None,
        })
    }

    /// All states speak of the variables of the model and of no others.
    fn names(&self) -> Result<(), DocumentMisfit> {
        let states = &self.model.vars.as_slice()[..self.model.state_vars()];
        let wanted: BTreeSet<&str> = states.iter().map(|var| var.name.as_str()).collect();
        for state in &self.saved.states {
            let said: BTreeSet<&str> = state.values.names().collect();
            let names = |set: Vec<&&str>| set.into_iter().map(|name| name.to_string()).collect();
            if !wanted.is_subset(&said) {
                return Err(DocumentMisfit::Missing(names(
                    wanted.difference(&said).collect(),
                )));
            }
            if !said.is_subset(&wanted) {
                return Err(DocumentMisfit::Gone(names(
                    said.difference(&wanted).collect(),
                )));
            }
        }
        let inputs = &self.model.vars.as_slice()[self.model.state_vars()..];
        for edge in &self.saved.edges {
            let said: BTreeSet<&str> = edge.inputs.names().collect();
            let open = inputs.iter().filter(|var| !said.contains(&*var.name));
            let open: Vec<String> = open.map(|var| var.name.clone()).collect();
            if !open.is_empty() {
                return Err(DocumentMisfit::Missing(open));
            }
            let known = |name: &str| inputs.iter().any(|var| var.name == name);
            let gone = edge.inputs.names().filter(|name| !known(name));
            let gone: Vec<String> = gone.map(str::to_string).collect();
            if !gone.is_empty() {
                return Err(DocumentMisfit::Gone(gone));
            }
        }
        Ok(())
    }

    /// The values of the state variables, or of the inputs.
    fn row(
        &self,
        values: &ValuesDoc,
        inputs: bool,
        at: usize,
    ) -> Result<Vec<Value>, DocumentMisfit> {
        let by_name: BTreeMap<&str, &ValueDoc> = values.iter().collect();
        let vars = self.model.vars.entries();
        let vars = vars.filter(|(_, var)| (var.kind == VarKind::Input) == inputs);
        let values = vars.map(|(id, var)| match by_name.get(&*var.name) {
            Some(value) => fit::value(self.model, id, &Datum::of(value), at),
            None => Err(DocumentMisfit::Missing(vec![var.name.clone()])),
        });
        values.collect()
    }

    fn occurrence(&self, number: usize) -> Result<OccurrenceId, DocumentMisfit> {
        match number < self.saved.states.len() {
            true => Ok(OccurrenceId::new(number)),
            false => broken("there is no state with the number of one"),
        }
    }

    fn claim(
        &self,
        sub: Option<usize>,
        holds: Option<bool>,
        bounds: Option<Bounds>,
    ) -> Result<Claim, DocumentMisfit> {
        match (sub, holds) {
            (None, None) => Ok(Claim::HasPath),
            (Some(sub), Some(holds)) if sub < self.query.formula.len() => {
                let sub = SubId::new(sub);
                Ok(Claim::Formula(Goal { sub, holds }, bounds))
            }
            _ => broken("a claim is about no sub-formula"),
        }
    }

    fn segment(
        &self,
        segment: &SegmentDoc,
        proof: &IndexVec<ProofId, ev::ProofNode>,
    ) -> Result<ev::Segment, DocumentMisfit> {
        let to = segment.to.map(|to| self.occurrence(to)).transpose()?;
        let from = segment.from.map(|from| self.occurrence(from)).transpose()?;
        let states = segment.states.iter().map(|&at| self.occurrence(at));
        let states: Vec<OccurrenceId> = states.collect::<Result<_, _>>()?;
        let ending = match (segment.ending, to) {
            (EndingName::Goal, None) => SegmentEnding::Goal,
            (EndingName::Loop, Some(to)) => SegmentEnding::Loop(to),
            (EndingName::DeadEnd, None) => SegmentEnding::DeadEnd,
            (EndingName::Joins, Some(to)) => SegmentEnding::Joins(to),
            _ => return broken("a run ends in no way there is"),
        };
        let fair = segment.fair.iter().map(|fair| fair.state);
        let fair = fair.map(|at| at.map(|at| self.occurrence(at)).transpose());
        let mut serves = self.claim(segment.sub, segment.holds, None)?;
        // The document leaves the bounds of a bounded claim to the proof.
        let start = from.or(states.first().copied());
        let same = |claim: Claim| match (claim, serves) {
            (Claim::Formula(a, _), Claim::Formula(b, _)) => a == b,
            _ => false,
        };
        let at_start = proof.iter().filter(|node| Some(node.at) == start);
        let mut claims = at_start.map(|node| node.claim).filter(|&claim| same(claim));
        if !claims.clone().any(|claim| claim == serves)
            && let Some(bounded) = claims.next()
        {
            serves = bounded;
        }
        Ok(ev::Segment {
            from,
            serves,
            states,
            main: segment.main,
            ending,
            fair: fair.collect::<Result<_, _>>()?,
        })
    }

    fn node(&self, node: &ProofNodeDoc) -> Result<ev::ProofNode, DocumentMisfit> {
        let rule = match (node.rule, node.which) {
            (None, None) => None,
            (Some(RuleName::State), None) => Some(Rule::State),
            (Some(RuleName::Branch), Some(branch)) => Some(Rule::Branch(branch)),
            (Some(RuleName::Step), None) => Some(Rule::Step),
            (Some(RuleName::EveryStep), None) => Some(Rule::EveryStep),
            (Some(RuleName::Goal), None) => Some(Rule::Goal),
            (Some(RuleName::Continue), None) => Some(Rule::Continue),
            (Some(RuleName::DeadEnd), None) => Some(Rule::DeadEnd),
            (Some(RuleName::Stop), None) => Some(Rule::Stop),
            (Some(RuleName::Region), Some(region)) if region < self.saved.regions.len() => {
                Some(Rule::Region(RegionId::new(region)))
            }
            (Some(RuleName::Total), None) => Some(Rule::Total),
            (Some(RuleName::Start), None) => Some(Rule::Start),
            (Some(RuleName::Run), None) => Some(Rule::Run),
            _ => return broken("a claim follows by no rule there is"),
        };
        let bounds = match node.bounds {
            Some([least, most]) if least > most => return broken("bounds are upside down"),
            bounds => bounds.map(|[least, most]| Bounds { least, most }),
        };
        if node.premises.iter().any(|&p| p >= self.saved.proof.len()) {
            return broken("a claim follows from no claim there is");
        }
        Ok(ev::ProofNode {
            claim: self.claim(node.sub, node.holds, bounds)?,
            at: self.occurrence(node.state)?,
            rule,
            rank: node.rank,
            premises: node.premises.iter().copied().map(ProofId::new).collect(),
        })
    }

    fn regions(&self) -> Result<IndexVec<RegionId, ev::Region>, DocumentMisfit> {
        let regions = self.saved.regions.iter().map(|region| {
            let cubes = region.cover.iter().map(|cube| self.cube(cube, region.at));
            let states = region.states.as_ref().map(|states| {
                let rows = states.iter().map(|state| self.row(state, false, region.at));
                rows.collect::<Result<Vec<_>, _>>()
            });
            let size = region.size.digits().parse().ok();
            Ok(ev::Region {
                at: self.occurrence(region.at)?,
                claim: self.claim(region.sub, region.holds, None)?,
                size: size.map_or_else(|| broken("a closed set has no size"), Ok)?,
                cover: Cover {
                    cubes: cubes.collect::<Result<_, _>>()?,
                    complete: region.complete,
                },
                states: states.transpose()?,
            })
        });
        regions.collect()
    }

    fn cube(&self, cube: &CubeDoc, at: usize) -> Result<Cube, DocumentMisfit> {
        let mut conditions = Vec::new();
        for (name, values) in cube.iter() {
            let var = self.vars.get(name).filter(|var| {
                let kind = self.model.vars[**var].kind;
                kind != VarKind::Input
            });
            let Some(&var) = var else {
                return Err(DocumentMisfit::Gone(vec![name.to_string()]));
            };
            let values = values.iter();
            let values = values.map(|value| fit::value(self.model, var, &Datum::of(value), at));
            conditions.push((var, values.collect::<Result<Vec<_>, _>>()?));
        }
        conditions.sort_by_key(|(var, _)| *var);
        Ok(Cube::of(conditions))
    }
}

fn shape(name: ShapeName) -> Shape {
    match name {
        ShapeName::Path => Shape::Path,
        ShapeName::Lasso => Shape::Lasso,
        ShapeName::Tree => Shape::Tree,
        ShapeName::Region => Shape::Region,
    }
}

/// The measure with this name.
fn measure(name: MeasureName) -> Measure {
    match name {
        MeasureName::Steps => Measure::Steps,
        MeasureName::Nodes => Measure::Nodes,
        MeasureName::States => Measure::States,
        MeasureName::Transitions => Measure::Transitions,
        MeasureName::StepsWithinTrace => Measure::TraceSteps,
        MeasureName::StepsInProduct => Measure::ProductSteps,
    }
}

fn replay(saved: &EvidenceDoc) -> Replay {
    match (saved.replayed, &saved.replay_note) {
        (true, _) => Replay::Ok,
        (false, None) => Replay::NotDone,
        (false, Some(note)) => match note.strip_prefix(IN_PART) {
            Some(what) => Replay::Partial(what.to_string()),
            None => Replay::Failed(note.clone()),
        },
    }
}
