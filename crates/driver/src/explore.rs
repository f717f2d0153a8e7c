//! Walking through the states of a model: where one can go from a state, and what is true there.
//!
//! [`explore`] builds the space of a model and hands it over as a [`World`], which answers questions
//! about one state at a time. A state is named by its values, so nothing of the space leaks out, and
//! a walk survives when the space is built anew because a new formula was added to the model. Every
//! list is in the order of the states, so both engines answer the same.

use std::borrow::Borrow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use wherefore_base::{Budget, IndexVec, Run, Value};
use wherefore_check::{Checker, Solution};
use wherefore_evidence::{Exploring, Investigator, SpaceSummary, Verdict};
use wherefore_logic::SubId;
use wherefore_model::{Model, PropertyBody, Query, Step, VarId};
use wherefore_space::{Rings, StateSpace};

use crate::engines::{Engine, OverSpace, over_space, product};
use crate::explain::OpenedProof;
use crate::refusal::Refusal;
use crate::subjects::model::ModelSubject;

/// Some of many things, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window<T> {
    /// The number of the first item.
    pub first: usize,
    /// The items.
    pub items: Vec<T>,
    /// How many there are in all; `None` when more than a number can count.
    pub total: Option<u64>,
}

/// What is true at a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// Whether each sub-formula of a property holds there.
    pub subs: IndexVec<SubId, bool>,
    /// Whether a path as the property means it (a fair one) starts there.
    pub has_path: bool,
}

/// Where a walk wants to go.
#[derive(Clone, Copy, Debug)]
pub enum WalkTarget<'a> {
    /// To a state where a formula holds.
    Where(&'a Query),
    /// To a state without successor.
    Deadlock,
}

/// What the visitor of a world wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The world again, with the terms that the model has got meanwhile.
    Again,
    /// Nothing more.
    Done,
}

/// The states of a model, seen from one state at a time.
///
/// A state is the list of values of its variables. Methods that take a state panic when it is not
/// reachable; the states they return are.
pub trait World {
    /// The model; its terms are those that the world knows.
    fn model(&self) -> &Model;

    /// How large the space is. Nobody looked for anything to note.
    fn summary(&self) -> Run<SpaceSummary>;

    /// The initial states with these numbers.
    fn initial(&self, window: Range<usize>) -> Run<Window<Vec<Value>>>;

    /// The successors of a state with these numbers, each with the least input that leads there.
    fn successors(&self, state: &[Value], window: Range<usize>) -> Run<Window<Step>>;

    /// The reachable states with a step to this one, with these numbers.
    fn predecessors(&self, state: &[Value], window: Range<usize>) -> Run<Window<Vec<Value>>>;

    /// What is true of a property at a state; `None` when the property cannot be answered.
    ///
    /// # Panics
    /// When the model has no property with this index.
    fn truth(&self, property: usize, state: &[Value]) -> Run<Option<Truth>>;

    /// The shortest way from a state to a target, of several the least; `None` when there is none.
    fn path(&self, from: &[Value], target: WalkTarget<'_>) -> Run<Option<Vec<Step>>>;

    /// Whether there is a reachable state with these values.
    fn has(&self, state: &[Value]) -> Run<bool>;

    /// Decides a property and lets somebody explore its proof, as [`explain`](crate::explain::explain) does,
    /// but over the space that is there already.
    ///
    /// # Panics
    /// When the model has no property with this index.
    fn explain(
        &self,
        property: usize,
        visit: &mut dyn FnMut(OpenedProof<'_>) -> Run<()>,
    ) -> Run<Verdict>;

    /// Whether the world knows the terms of a query.
    fn knows(&self, query: &Query) -> bool {
        let terms = self.model().terms.len();
        query.atoms.iter().all(|term| term.index() < terms)
    }
}

/// Builds the space of a model and lets somebody visit it; again as often as the visitor wants. The
/// visitor gets back what holds the model.
///
/// # Errors
/// When the budget ends, or the model turns out to be wrong once its meaning is looked at.
pub fn explore<H: Borrow<ModelSubject>>(
    holder: &mut H,
    engine: Engine,
    budget: &Budget,
    visit: &mut dyn FnMut(&mut H, &dyn World) -> Run<Next>,
) -> Result<(), Refusal> {
    budget.phase("reading the model");
    (*holder).borrow().examine(budget)?;
    loop {
        let model = (*holder).borrow().model().clone();
        let next = visit_once(&model, engine, budget, &mut |world| visit(holder, world))?;
        if next == Next::Done {
            return Ok(());
        }
    }
}

fn visit_once(
    model: &Model,
    engine: Engine,
    budget: &Budget,
    visit: &mut dyn FnMut(&dyn World) -> Run<Next>,
) -> Run<Next> {
    struct Visit<'v>(&'v mut dyn FnMut(&dyn World) -> Run<Next>);
    impl OverSpace for Visit<'_> {
        type Outcome = Next;

        fn over<S: StateSpace>(self, space: &S) -> Run<Next> {
            (self.0)(&SpaceExplorer::new(space)?)
        }
    }
    over_space(model, engine, budget, Visit(visit))
}

/// The world of a state space.
pub struct SpaceExplorer<'s, S: StateSpace> {
    space: &'s S,
    checker: Checker<'s, S>,
    /// Where the sub-formulas of each property hold, for those that were asked for.
    solutions: RefCell<BTreeMap<usize, Rc<Solution<S::Set>>>>,
    /// Who opens proofs, once somebody asks for one.
    investigator: OnceCell<Investigator<'s, S>>,
}

impl<'s, S: StateSpace> SpaceExplorer<'s, S> {
    /// The world of a space.
    pub fn new(space: &'s S) -> Run<Self> {
        Ok(Self {
            space,
            checker: Checker::new(space)?,
            solutions: RefCell::default(),
            investigator: OnceCell::new(),
        })
    }

    /// The state with these values.
    fn locate(&self, values: &[Value]) -> Run<S::State> {
        let found = self.find(values)?;
        Ok(found.expect("only reachable states are asked about"))
    }

    /// The state with these values, if there is one.
    fn find(&self, values: &[Value]) -> Run<Option<S::State>> {
        let vars = values.iter().enumerate();
        let vars: Vec<_> = vars
            .map(|(at, &value)| (VarId::new(at), vec![value]))
            .collect();
        self.space.first(&self.space.states_with(&vars)?)
    }

    fn investigator(&self) -> Run<&Investigator<'s, S>> {
        if self.investigator.get().is_none() {
            let made = Investigator::new(self.space)?;
            // Nobody else can have set it meanwhile.
            let _ = self.investigator.set(made);
        }
        Ok(self.investigator.get().expect("it was just set"))
    }

    /// Some states of a set, by their numbers in it.
    fn window(&self, set: &S::Set, window: Range<usize>) -> Run<Window<Vec<Value>>> {
        let total = u64::try_from(self.space.count(set)?).ok();
        let mut items = Vec::new();
        let mut left = set.clone();
        let beyond = total.is_some_and(|total| window.start as u64 >= total);
        for at in if beyond { 0..0 } else { 0..window.end } {
            self.space.budget().check()?;
            let Some(state) = self.space.first(&left)? else {
                break;
            };
            left = self.space.minus(&left, &self.space.just(&state)?)?;
            if at >= window.start {
                items.push(self.space.values(&state));
            }
        }
        Ok(Window {
            first: window.start,
            items,
            total,
        })
    }

    /// A step between two states that has one.
    fn step(&self, from: &S::State, to: &S::State) -> Run<Step> {
        let input = self.space.input(from, to)?;
        Ok(Step {
            input: input.expect("there is a step between the two"),
            next: self.space.values(to),
        })
    }

    fn solution(&self, property: usize, query: &Query) -> Run<Rc<Solution<S::Set>>> {
        let known = self.solutions.borrow().get(&property).cloned();
        if let Some(solution) = known {
            return Ok(solution);
        }
        let solution = Rc::new(self.checker.solve(query)?);
        let kept = Rc::clone(&solution);
        self.solutions.borrow_mut().insert(property, kept);
        Ok(solution)
    }

    /// The least successor in a set.
    fn least_successor(&self, from: &S::State, into: &S::Set) -> Run<Option<S::State>> {
        let after = self.space.post(&self.space.just(from)?)?;
        self.space.first(&self.space.meet(&after, into)?)
    }
}

impl<S: StateSpace> World for SpaceExplorer<'_, S> {
    fn model(&self) -> &Model {
        self.space.model()
    }

    fn summary(&self) -> Run<SpaceSummary> {
        Ok(SpaceSummary {
            engine: self.space.engine(),
            states: self.space.count(self.space.reachable())?,
            transitions: self.space.transitions(),
            symmetries: 0,
            initial: self.space.count(self.space.initial())?,
            notes: vec![],
        })
    }

    fn initial(&self, window: Range<usize>) -> Run<Window<Vec<Value>>> {
        self.window(self.space.initial(), window)
    }

    fn successors(&self, state: &[Value], window: Range<usize>) -> Run<Window<Step>> {
        let from = self.locate(state)?;
        let after = self.space.post(&self.space.just(&from)?)?;
        let total = u64::try_from(self.space.count(&after)?).ok();
        let mut items = Vec::new();
        for (at, to) in self.space.successors(&from)?.take(window.end).enumerate() {
            self.space.budget().check()?;
            let to = to?;
            if at >= window.start {
                items.push(self.step(&from, &to)?);
            }
        }
        Ok(Window {
            first: window.start,
            items,
            total,
        })
    }

    fn predecessors(&self, state: &[Value], window: Range<usize>) -> Run<Window<Vec<Value>>> {
        let to = self.space.just(&self.locate(state)?)?;
        self.window(&self.space.pre(&to)?, window)
    }

    fn truth(&self, property: usize, state: &[Value]) -> Run<Option<Truth>> {
        let model = self.space.model();
        let PropertyBody::Query(query) = &model.properties[property].body else {
            return Ok(None);
        };
        let state = self.locate(state)?;
        let solution = self.solution(property, query)?;
        let holds = |set: &S::Set| self.space.contains(set, &state);
        Ok(Some(Truth {
            subs: solution.sat.iter().map(holds).collect(),
            has_path: holds(self.checker.with_path(query.rule)?),
        }))
    }

    fn has(&self, state: &[Value]) -> Run<bool> {
        Ok(self.find(state)?.is_some())
    }

    fn explain(
        &self,
        property: usize,
        visit: &mut dyn FnMut(OpenedProof<'_>) -> Run<()>,
    ) -> Run<Verdict> {
        let investigator = self.investigator()?;
        let summary = investigator.summary();
        let mut visit = |holds: bool, proof: &mut dyn Exploring| {
            visit(OpenedProof {
                summary,
                holds,
                proof,
            })
        };
        let budget = self.space.budget();
        product::explain(investigator, property, Engine::Auto, budget, &mut visit)
    }

    fn path(&self, from: &[Value], target: WalkTarget<'_>) -> Run<Option<Vec<Step>>> {
        let goal = match target {
            WalkTarget::Where(query) => {
                let root = query.formula.root();
                self.checker.solve(query)?.sat[root].clone()
            }
            WalkTarget::Deadlock => self.checker.dead()?.clone(),
        };
        let mut here = self.locate(from)?;
        let rings = self.space.until(self.space.reachable(), &goal)?;
        let Some(distance) = rings.distance(&here) else {
            return Ok(None);
        };
        let mut steps = Vec::new();
        for closer in (0..distance).rev() {
            self.space.budget().check()?;
            let ring = rings.ring(closer).expect("there is a ring this close");
            let next = self.least_successor(&here, &ring)?;
            let next = next.expect("each ring has a step to the next");
            steps.push(self.step(&here, &next)?);
            here = next;
        }
        Ok(Some(steps))
    }
}

#[cfg(test)]
mod tests {
    use wherefore_model::Interpreter;

    use super::*;

    const LAMP: &str = "MODULE main
        VAR lamp : {off, on, broken}; x : 0..1;
        IVAR hit : boolean;
        ASSIGN
          init(lamp) := off;
          next(x) := x;
          next(lamp) := case
              lamp = off : on;
              lamp = on & hit : broken;
              lamp = on : off;
              TRUE : broken;
            esac;
        TRANS lamp = broken -> FALSE
        CTLSPEC AG lamp = off
        ";

    /// Asks the world of the lamp with each engine; the answers must be the same.
    fn ask<T: PartialEq + std::fmt::Debug>(
        question: impl Fn(&mut ModelSubject, &dyn World) -> Run<T>,
    ) -> T {
        let answers = [Engine::Explicit, Engine::Bdd].map(|engine| {
            let mut session = ModelSubject::from_text("lamp.smv", LAMP).expect("it is a model");
            let mut answer = None;
            let outcome = explore(
                &mut session,
                engine,
                &Budget::unlimited(),
                &mut |session, world| {
                    answer = Some(question(session, world)?);
                    Ok(Next::Done)
                },
            );
            outcome.expect("it is sound");
            answer.expect("the world was visited")
        });
        let [explicit, bdd] = answers;
        assert_eq!(explicit, bdd);
        explicit
    }

    #[test]
    fn windows_number_and_count_what_they_leave_out() {
        let window = ask(|_, world| world.initial(1..9));
        assert_eq!((window.first, window.total), (1, Some(2)));
        assert_eq!(window.items.len(), 1);
        let beyond = ask(|_, world| world.initial(7..8));
        assert_eq!(beyond.items, Vec::<Vec<Value>>::new());
    }

    #[test]
    fn steps_forth_lead_back() {
        let (start, back) = ask(|_, world| {
            let start = world.initial(0..1)?.items.remove(0);
            let next = world.successors(&start, 0..1)?.items.remove(0).next;
            Ok((start, world.predecessors(&next, 0..9)?.items))
        });
        assert_eq!(back, [start]);
    }

    #[test]
    fn the_way_to_a_deadlock_has_the_inputs_it_needs() {
        let steps = ask(|_, world| {
            let start = world.initial(0..1)?.items.remove(0);
            world.path(&start, WalkTarget::Deadlock)
        });
        let inputs = steps
            .expect("the lamp breaks")
            .into_iter()
            .map(|step| step.input);
        let inputs: Vec<_> = inputs.collect();
        assert_eq!(inputs, [[Value::Bool(false)], [Value::Bool(true)]]);
    }

    #[test]
    fn the_interpreter_agrees_with_every_step_on_the_way_and_with_the_target() {
        ask(|_, world| {
            let interpreter = Interpreter::new(world.model());
            let start = world.initial(0..1)?.items.remove(0);
            let steps = world.path(&start, WalkTarget::Deadlock)?;
            let mut here = start;
            for step in steps.expect("the lamp breaks") {
                assert_eq!(interpreter.broken_by_step(&here, &step), None);
                here = step.next;
            }
            assert_eq!(interpreter.steps(&here, &Budget::unlimited())?, []);
            Ok(())
        });
    }

    #[test]
    fn a_world_does_not_know_the_terms_of_a_formula_read_later() {
        let knows = ask(|session, world| {
            let read = session.query("EF lamp = on", &Budget::unlimited());
            Ok(world.knows(&read.expect("it is a formula")))
        });
        assert!(!knows);
    }

    #[test]
    fn an_expression_without_a_value_in_some_state_is_rejected_and_leaves_nothing_behind() {
        ask(|session, _| {
            let before = session.model().obligations.len();
            let read = session.expression("1 / x", &Budget::unlimited());
            assert!(read.is_err());
            assert_eq!(session.model().obligations.len(), before);
            Ok(())
        });
    }

    #[test]
    fn a_proof_over_a_world_is_the_proof_of_the_model() {
        let scene = ask(|_, world| {
            let mut scene = None;
            let verdict = world.explain(0, &mut |opened| {
                let mut past = crate::explain::Past::default();
                let mut inquiry = crate::explain::Inquiry::new(opened, &mut past)?;
                inquiry.grow()?;
                scene = Some(inquiry.scene()?);
                Ok(())
            })?;
            Ok((verdict, scene.expect("it was visited").evidence.shape))
        });
        assert_eq!(scene.0, Verdict::Fails);
    }

    #[test]
    fn truth_is_told_of_every_sub_formula() {
        let truth = ask(|_, world| {
            let start = world.initial(0..1)?.items.remove(0);
            world.truth(0, &start)
        });
        let truth = truth.expect("it can be answered");
        assert_eq!(truth.subs.iter().collect::<Vec<_>>(), [&true, &false]);
    }
}
