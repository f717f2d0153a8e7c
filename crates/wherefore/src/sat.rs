//! Findings of the SAT engine: verdicts without a space, and evidence from the run that a solver found.
//!
//! The run becomes a model of its own: the same model, restricted to the states and steps of the run. Over
//! it the evidence is told as always, and then replayed in the model that was asked about.

use wherefore_base::{Budget, Run, Value};
use wherefore_check::Tableau;
use wherefore_evidence::certificate::{Certified, NoCertificate};
use wherefore_evidence::{
    Evidence, Finding, Investigator, Options, Replay, Shape, UnknownReason, Verdict, replay,
};
use wherefore_induction::{Bounded, Outcome, Refutation, Trace, bounded, decide, endless};
use wherefore_logic::{Op, PathOp, PathRule, Quantifier, class_of};
use wherefore_model::{
    BinaryOp, Constraint, Model, PropertyBody, Requirement, Term, TermId, VarId,
};
use wherefore_space::explicit::{Explicit, Limits};

use crate::certify::certify;
use crate::engine::{Event, Job, undecided};

/// Answers the properties of a job that are still wanted, without a space.
pub(crate) fn check(
    model: &Model,
    job: &Job,
    wanted: &dyn Fn(usize) -> bool,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    let selection = job.selection(model);
    for property in selection.into_iter().filter(|property| wanted(*property)) {
        budget.check()?;
        let finding = match job.bound {
            Some(most) => investigate_bounded(model, property, most, &job.options, budget),
            None => investigate(model, property, &job.options, budget),
        };
        let finding = finding.unwrap_or_else(|stop| undecided(model, property, stop));
        tell(Event::Finding(Box::new(finding)));
    }
    Ok(())
}

fn investigate(model: &Model, property: usize, options: &Options, budget: &Budget) -> Run<Finding> {
    Ok(match decide(model, property, budget)? {
        Outcome::Holds(proof) => Finding {
            certificate: options.certificate.then(|| {
                let certified = certify(model, property, &proof, budget);
                certified.unwrap_or_else(|stop| Certified::None(NoCertificate::Stopped(stop)))
            }),
            ..holding(model, property)
        },
        Outcome::Fails(refutation) => failing(model, property, options, &refutation, budget),
        Outcome::Unknown(why) => Finding {
            verdict: Verdict::Unknown(UnknownReason::Unsupported(why)),
            ..holding(model, property)
        },
    })
}

/// What runs of at most so many steps say of a property.
fn investigate_bounded(
    model: &Model,
    property: usize,
    most: usize,
    options: &Options,
    budget: &Budget,
) -> Run<Finding> {
    let unknown = |why: String| Finding {
        verdict: Verdict::Unknown(UnknownReason::Unsupported(why)),
        ..holding(model, property)
    };
    Ok(match bounded(model, property, most, budget)? {
        Bounded::Fails(refutation) => failing(model, property, options, &refutation, budget),
        Bounded::Holds(_) => holding(model, property),
        Bounded::Open => unknown(format!(
            "no run of at most {most} steps breaks it, nor one that goes round within them; a longer one may"
        )),
        Bounded::Unfit(why) => unknown(why),
    })
}

/// The finding that a property holds.
pub(crate) fn holding(model: &Model, property: usize) -> Finding {
    Finding::new(property, Verdict::Holds, class(model, property))
}

/// The finding that a property fails, with evidence from the run that refutes it.
pub(crate) fn failing(
    model: &Model,
    property: usize,
    options: &Options,
    refutation: &Refutation,
    budget: &Budget,
) -> Finding {
    // The verdict stays when there is no time left to tell why.
    let told = options
        .evidence
        .then(|| told(model, property, false, options, refutation, budget));
    Finding {
        verdict: Verdict::Fails,
        evidence: told.and_then(|told| told.ok()?.evidence),
        ..holding(model, property)
    }
}

/// Evidence of a verdict that is known, from a run that a solver finds: that a property fails, or that one about some path
/// holds. `None` if no single run of bounded length shows it.
pub(crate) fn shown(
    model: &Model,
    finding: &Finding,
    options: &Options,
    budget: &Budget,
) -> Run<Option<Evidence>> {
    let property = finding.property;
    let holds = finding.verdict == Verdict::Holds;
    let refuted = match holds {
        false => bounded(model, property, usize::MAX, budget)?,
        true => match opposite(&model.properties[property].body) {
            Some(body) => {
                let mut model = model.clone();
                model.properties[property].body = body;
                bounded(&model, property, usize::MAX, budget)?
            }
            None => return Ok(None),
        },
    };
    match refuted {
        Bounded::Fails(refutation) => {
            Ok(told(model, property, holds, options, &refutation, budget)?.evidence)
        }
        Bounded::Holds(_) | Bounded::Open | Bounded::Unfit(_) => Ok(None),
    }
}

/// What fails in a state, with the same runs to show it, if a formula that some path is one way holds there.
fn opposite(body: &PropertyBody) -> Option<PropertyBody> {
    let PropertyBody::Query(query) = body else {
        return None;
    };
    let mut query = query.clone();
    let formula = &mut query.formula;
    let Op::Path(Quantifier::Exists, path) = formula.op(formula.root()) else {
        return None;
    };
    let (PathOp::Finally(inner) | PathOp::Globally(inner)) = path else {
        return None;
    };
    let not = formula.add(Op::Not(inner), None);
    let path = match path {
        PathOp::Finally(_) => PathOp::Globally(not),
        _ => PathOp::Finally(not),
    };
    formula.add(Op::Path(Quantifier::Forall, path), None);
    Some(PropertyBody::Query(query))
}

fn class(model: &Model, property: usize) -> Option<wherefore_logic::Class> {
    let body = &model.properties[property].body;
    let query = body.query()?;
    let fair = !model.fairness.is_empty() && query.rule.globally_is_fair();
    Some(class_of(&query.formula, fair))
}

/// A finding with evidence from the run that refutes a property, or shows that it holds.
fn told(
    model: &Model,
    property: usize,
    holds: bool,
    options: &Options,
    refutation: &Refutation,
    budget: &Budget,
) -> Run<Finding> {
    let body = &model.properties[property].body;
    let query = body.query().expect("only a formula is refuted by a run");
    let may_end = matches!(query.rule, PathRule::Reach | PathRule::Plain);
    let ends = may_end || refutation.trace.back.is_some();
    let trace = match ends {
        true => refutation.trace.clone(),
        // A path of a rule that asks for endless ones: any way to go on will do.
        false => {
            endless(model, &refutation.trace, budget)?.unwrap_or_else(|| refutation.trace.clone())
        }
    };
    let plain = Options {
        vacuity: false,
        witness: false,
        abstraction: None,
        ..options.clone()
    };
    let inner = has_inner(body);
    if inner && let Some(finding) = told_by_states(model, property, &plain, budget)? {
        return Ok(finding);
    }
    let along = restricted(model, &trace);
    let space = explored(&along, budget)?;
    let investigator = Investigator::new(&space)?;
    let mut finding = match (body, &refutation.product) {
        (PropertyBody::Linear(_), Some((tableau, product))) => {
            let along = Tableau {
                model: restricted(&tableau.model, product),
                ..(**tableau).clone()
            };
            let space = explored(&along.model, budget)?;
            investigator.investigate_linear(property, &plain, &along, &space)
        }
        _ => investigator.investigate(property, &plain),
    };
    if let Some(evidence) = &mut finding.evidence {
        let minimal = &mut evidence.minimal;
        // A path that was found as a part of a lasso only may not be the shortest.
        let known = refutation.product.is_none() || evidence.shape == Shape::Lasso;
        let at_least = u32::try_from(refutation.at_least).unwrap_or(u32::MAX);
        minimal.at_least = match known {
            true => at_least.min(minimal.at_least),
            false => 0,
        };
        evidence.replay = replay(model, query, holds, evidence, budget)?;
        if inner && evidence.replay == Replay::Ok {
            let what = "that formulas inside others hold where the run shows nothing else";
            evidence.replay = Replay::Partial(format!("{what} is not re-checked"));
        }
    }
    Ok(finding)
}

/// Whether formulas of CTL stand inside others. What is true along the run may be false where it could
/// have gone, so the run alone does not say where these hold.
fn has_inner(body: &PropertyBody) -> bool {
    let PropertyBody::Query(query) = body else {
        return false;
    };
    let propositional = query.formula.propositional();
    let temporal = query.formula.subs().filter(|&sub| !propositional[sub]);
    let operators = temporal.filter(|&sub| matches!(query.formula.op(sub), Op::Path(..)));
    operators.count() > 1
}

/// The finding from the states of the model, if these are few.
fn told_by_states(
    model: &Model,
    property: usize,
    options: &Options,
    budget: &Budget,
) -> Run<Option<Finding>> {
    let few = Limits {
        states: FEW_STATES,
        transitions: FEW_STATES * 16,
    };
    let Ok(space) = Explicit::explore(model, few, budget)? else {
        return Ok(None);
    };
    let investigator = Investigator::new(&space)?;
    Ok(Some(investigator.investigate(property, options)))
}

/// So many states are listed to know what holds beside a run.
const FEW_STATES: usize = 20_000;

fn explored<'m>(model: &'m Model, budget: &Budget) -> Run<Explicit<'m>> {
    let explored = Explicit::explore(model, Limits::default(), budget)?;
    explored.map_err(|_| wherefore_base::Stop::Memory)
}

/// The model with no states and steps but those of a run.
fn restricted(model: &Model, trace: &Trace) -> Model {
    let mut builder = Builder {
        model: Model {
            obligations: vec![],
            ..model.clone()
        },
        trace,
    };
    builder.restrict();
    builder.model
}

struct Builder<'t> {
    model: Model,
    trace: &'t Trace,
}

impl Builder<'_> {
    fn restrict(&mut self) {
        let Some(first) = self.trace.states.first() else {
            return;
        };
        let vars = (0..self.model.state_vars()).map(VarId::new);
        let Some(span) = self.model.vars.iter().next().map(|var| var.span) else {
            return;
        };
        let constraint = |requires| Constraint { requires, span };
        let mut init = Vec::new();
        for (var, &value) in vars.clone().zip(first) {
            let value = self.constant(value);
            init.push(constraint(Requirement::Assign(var, value)));
        }
        let steps = self.steps();
        let sources: Vec<TermId> = steps
            .iter()
            .map(|(from, _)| self.is(&self.trace.states[*from].clone(), false))
            .collect();
        let mut trans = Vec::new();
        for var in vars {
            let next = self.next(var, &steps, &sources);
            trans.push(constraint(Requirement::Assign(var, next)));
        }
        let along = self.along(&steps, &sources);
        trans.push(constraint(Requirement::Holds(along)));
        // What comes first is tried first: so there is nothing to search.
        init.append(&mut self.model.init);
        trans.append(&mut self.model.trans);
        (self.model.init, self.model.trans) = (init, trans);
    }

    /// The steps of the run, by the positions of their ends.
    fn steps(&self) -> Vec<(usize, usize)> {
        let last = self.trace.states.len() - 1;
        let back = self.trace.back.map(|back| (last, back));
        (0..last).map(|at| (at, at + 1)).chain(back).collect()
    }

    /// The values of a variable after a step of the run; where there is none, nothing is asked.
    fn next(&mut self, var: VarId, steps: &[(usize, usize)], sources: &[TermId]) -> TermId {
        let mut next = self.model.terms.add(Term::Var(var), None);
        for (&(from, _), &source) in steps.iter().zip(sources).rev() {
            let state = &self.trace.states[from];
            let mut values = Vec::new();
            for &(other, to) in steps {
                let value = self.trace.states[to][var.index()];
                if self.trace.states[other] == *state && !values.contains(&value) {
                    values.push(value);
                }
            }
            let values: Vec<TermId> = values.into_iter().map(|v| self.constant(v)).collect();
            let value = match values[..] {
                [value] => value,
                _ => self.model.terms.add(Term::Set(values.into()), None),
            };
            next = self.model.terms.add(Term::Ite(source, value, next), None);
        }
        next
    }

    /// That a step is one of the run.
    fn along(&mut self, steps: &[(usize, usize)], sources: &[TermId]) -> TermId {
        let mut any = self.constant(Value::Bool(false));
        for (&(_, to), &source) in steps.iter().zip(sources) {
            let target = self.is(&self.trace.states[to].clone(), true);
            let step = self.binary(BinaryOp::And, source, target);
            any = self.binary(BinaryOp::Or, any, step);
        }
        any
    }

    /// That the present or the next state has these values.
    fn is(&mut self, values: &[Value], next: bool) -> TermId {
        let mut all = self.constant(Value::Bool(true));
        for (at, &value) in values.iter().enumerate() {
            let var = VarId::new(at);
            let var = match next {
                true => Term::Next(var),
                false => Term::Var(var),
            };
            let var = self.model.terms.add(var, None);
            let value = self.constant(value);
            let equal = self.binary(BinaryOp::Equal, var, value);
            all = self.binary(BinaryOp::And, all, equal);
        }
        all
    }

    fn constant(&mut self, value: Value) -> TermId {
        self.model.terms.add(Term::Const(value), None)
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        self.model.terms.add(Term::Binary(op, a, b), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, check_model};
    use crate::session::Session;

    /// A lift of four floors that goes up and down as it likes, with a lamp that is seldom lit.
    const LIFT: &str = "MODULE main
        VAR floor : 0..3; up : boolean; lamp : {dark, lit};
        IVAR press : boolean;
        ASSIGN
          init(floor) := 0;
          next(floor) := case
              up & floor < 3 : {floor, floor + 1};
              !up & floor > 0 : {floor, floor - 1};
              TRUE : floor;
            esac;
          next(lamp) := press ? lit : dark;
        INVARSPEC floor < 3
        INVARSPEC floor >= 0
        CTLSPEC AG (floor < 2)
        CTLSPEC AG (lamp = lit -> AF lamp = dark)
        CTLSPEC AF floor = 3
        CTLSPEC EF floor = 3
        LTLSPEC G (floor = 0 -> F floor = 3)
        LTLSPEC G (floor = 3 -> O floor = 2)
        LTLSPEC G (press -> X lamp = lit)
        CTLSPEC AG (floor = 1 -> AX floor < 2)
        CTLSPEC AX AX (lamp = dark -> AX lamp = dark)
        CTLSPEC A [lamp = dark W floor = 2] & AG (floor = 3 -> AX AX floor = 3)";

    fn findings(text: &str, engine: Engine) -> Vec<Finding> {
        let session = Session::from_text("lift.smv", text).expect("it is a model");
        let job = Job {
            engine,
            options: Options {
                vacuity: false,
                ..Options::default()
            },
            ..Job::default()
        };
        let mut findings = Vec::new();
        check_model(session.model(), &job, &Budget::unlimited(), &mut |event| {
            if let Event::Finding(finding) = event {
                findings.push(*finding);
            }
        });
        findings
    }

    #[test]
    fn verdicts_and_evidence_are_those_of_the_explicit_engine() {
        for text in [LIFT.to_string(), format!("{LIFT}\n        FAIRNESS up")] {
            let sat = findings(&text, Engine::Sat);
            let explicit = findings(&text, Engine::Explicit);
            assert_eq!(sat.len(), explicit.len());
            for (ours, theirs) in sat.iter().zip(&explicit) {
                if let Verdict::Unknown(_) = ours.verdict {
                    assert_eq!(ours.property, 5, "only branches are not answered");
                    continue;
                }
                assert_eq!(ours.verdict, theirs.verdict, "property {}", ours.property);
                let Some(evidence) = &ours.evidence else {
                    assert_eq!(ours.verdict, Verdict::Holds);
                    continue;
                };
                assert_eq!(evidence.replay, Replay::Ok, "property {}", ours.property);
                if text == LIFT {
                    let told = Some(evidence);
                    assert_eq!(told, theirs.evidence.as_ref(), "property {}", ours.property);
                }
            }
        }
    }
}
