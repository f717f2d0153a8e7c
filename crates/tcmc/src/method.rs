//! The methodology of Farheen, Day, Vakili and Abbassi (2020), for commands whose complete system is too large.
//!
//! The command is answered in its own scope first. Then its class says what is worth trying:
//!
//! - *Safety and infinite liveness*: a counterexample is real. Otherwise the scope grows up to the significant
//!   one, the fewest states with which every state can be reached and every operation happens.
//! - *Finite liveness*: the same, and beside it the check in which every state can be reached and states without
//!   a step go to themselves. If that passes with exactly n states, and the check itself with at most n, the
//!   formula holds: a path that never gets there has n different states, which the first has seen, or
//!   fewer, and then it goes around in a system that the second has seen. So the pass is no accident of there being no
//!   system of exactly n states.
//! - *Existential*: an instance is real for the initial states it has; otherwise the scope grows.
//! - *Mixed*: nothing that is found in a scope is real in either direction.

use wherefore_alloy::model::{AlloyBinaryOp, AlloyTermKind, Command};
use wherefore_alloy::reach::{
    Because, Class, CommandReach, ReachMeaning, ReachMethod, Significant, Tried,
};
use wherefore_alloy::{AlloyModel, LoweringOptions, Override, lower, scopes};
use wherefore_base::Budget;
use wherefore_relational::{ProblemRefusal, Search, SearchOptions};
use wherefore_sat::Strongest;

use crate::class::is_universal;
use crate::derive::{Derived, dead_loops, nothing, reachable, significance, turned};
use crate::misfit::TcmcMisfit;
use crate::pair::{broken_promise, check_implications, equal_copies, restricts_pairs};
use crate::property::AskedFormula;
use crate::reading::{SystemReading, TcmcModule};
use crate::states::order_states;

/// The significant scope is looked for up to so many states.
const MOST_STATES: i32 = 16;

/// How often the budget is asked for one derived problem, at most. A count, so that it does not depend on how
/// fast a machine is.
const QUESTIONS: u64 = 300_000;

/// A command that asks for a formula, and how it is solved.
#[derive(Clone, Copy, Debug)]
pub struct MethodCase<'a> {
    /// The model.
    pub model: &'a AlloyModel,
    /// The transition system in it.
    pub reading: &'a SystemReading,
    /// The command.
    pub command: &'a Command,
    /// What it asks for.
    pub asked: &'a AskedFormula,
    /// Scopes from outside, and overflow.
    pub choices: &'a LoweringOptions,
    /// How problems are searched.
    pub options: &'a SearchOptions,
}

/// How systems in a scope and the complete system belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SystemParts {
    /// Every system in a scope is a part of the complete one. Without the axiom that states with equal fields are
    /// equal, atoms may be copies of a state, and `=` in a definition would tell them apart.
    pub are_parts: bool,
    /// Every set of states with an initial one is a system in a scope.
    pub are_all: bool,
}

impl MethodCase<'_> {
    /// How many states the command speaks of, at most, and whether exactly.
    ///
    /// # Errors
    /// When its scopes do not fit.
    pub fn own_scope(&self) -> Result<(i32, bool), TcmcMisfit> {
        let scopes = scopes(self.model, self.command, &self.choices.scopes)?;
        let state = self.reading.state.index();
        Ok((scopes.most[state], scopes.exact[state]))
    }

    /// What the answer in the scope of the command means by itself.
    pub fn meaning(&self, found: Option<bool>, states: i32, parts: SystemParts) -> ReachMeaning {
        let class = self.asked.class();
        match found {
            Some(true) if self.command.check && is_universal(class) && parts.are_parts => {
                ReachMeaning::Fails(Because::Counterexample(states))
            }
            Some(true) if !self.command.check && class == Class::Existential && parts.are_parts => {
                ReachMeaning::HoldsSomewhere(Because::Instance(states))
            }
            _ => ReachMeaning::Ambiguous,
        }
    }

    /// Goes on from the answer in the scope of the command, as its class asks for. When the budget ends, what was
    /// found before stays found.
    ///
    /// # Errors
    /// When something does not fit.
    pub fn grow(&self, found: Option<bool>, budget: &Budget) -> Result<CommandReach, TcmcMisfit> {
        let (own, exactly) = self.own_scope()?;
        let class = self.asked.class();
        let parts = self.parts(budget)?;
        let mut reach = CommandReach::new(Some(class), self.meaning(found, own, parts));
        reach.tried.push(Tried {
            states: own,
            exactly,
            way: ReachMethod::Command,
            found,
        });
        let mut growth = GrowingScope {
            case: *self,
            own,
            parts,
            reach,
            budget,
        };
        let plain = is_plain(self.model, &self.reading.module);
        if !growth.reach.is_real() && plain && parts.are_parts {
            growth.process(found, class)?;
        }
        Ok(growth.reach)
    }

    /// How systems in a scope and the complete system belong together.
    ///
    /// # Errors
    /// When something does not fit, or the budget ends.
    pub fn parts(&self, budget: &Budget) -> Result<SystemParts, TcmcMisfit> {
        let MethodCase {
            model,
            reading,
            command,
            choices,
            ..
        } = *self;
        check_implications(model, reading, command, choices, budget)?;
        let restricted = restricts_pairs(model, reading, command, choices, budget)?;
        let promised = broken_promise(model, reading, command, choices, budget)?;
        let are_parts = !tells_copies_apart(model, reading, command, choices, budget)?;
        Ok(SystemParts {
            are_parts,
            are_all: are_parts
                && restricted.is_none()
                && promised.is_none()
                && reading.whole.is_empty(),
        })
    }

    /// Whether a problem has an instance with so many states; none where that takes too long.
    fn has_instance(
        &self,
        model: &AlloyModel,
        command: &Command,
        (states, exactly): (i32, bool),
        budget: &Budget,
    ) -> Result<Option<bool>, TcmcMisfit> {
        let mut choices = self.choices.clone();
        choices.scopes.push(Override {
            name: model.sigs[self.reading.state].label.clone(),
            number: states,
            exactly,
        });
        let mut lowered = lower(model, command, &choices)?;
        order_states(model, &mut lowered);
        let counted = budget.counted(QUESTIONS);
        let solve = || {
            let mut search = Search::<Strongest>::new(&lowered.problem, self.options, &counted)?;
            search.next(&counted).map(|found| found.is_some())
        };
        match solve() {
            Ok(found) => Ok(Some(found)),
            Err(ProblemRefusal::Stopped(_)) => {
                // Only the count has ended, unless the budget has as well.
                budget.check()?;
                Ok(None)
            }
            Err(refusal) => Err(refusal.into()),
        }
    }
}

/// Whether there may be different states with equal fields, and `=` tells them apart: then systems in a scope are no parts
/// of the complete one, which has each of them once.
///
/// # Errors
/// When something does not fit, or the budget ends.
pub fn tells_copies_apart(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
    choices: &LoweringOptions,
    budget: &Budget,
) -> Result<bool, TcmcMisfit> {
    let compares = compares_states(model, reading);
    Ok(compares && equal_copies(model, reading, command, choices, budget)?.is_some())
}

fn compares_states(model: &AlloyModel, reading: &SystemReading) -> bool {
    let is_state = |term| {
        let products = model.terms[term].ty.products();
        products
            .iter()
            .any(|product| product.contains(&reading.state))
    };
    let span = model.sigs[reading.module.system].span;
    let compares = |kind: &AlloyTermKind| match kind {
        AlloyTermKind::Binary(AlloyBinaryOp::Equal, a, b) => is_state(*a) && is_state(*b),
        AlloyTermKind::Disj(parts) => parts.iter().any(|&part| is_state(part)),
        _ => false,
    };
    let mut terms = model.terms.iter();
    terms.any(|term| term.span.file != span.file && compares(&term.kind))
}

/// Whether the module has the operators of all steps, not of paths or subgraphs cut out of them.
fn is_plain(model: &AlloyModel, module: &TcmcModule) -> bool {
    let owned = model.declared().filter(|(id, _)| module.owns(model, *id));
    owned.count() == 1
}

/// The work on one command.
struct GrowingScope<'a> {
    case: MethodCase<'a>,
    own: i32,
    parts: SystemParts,
    reach: CommandReach,
    budget: &'a Budget,
}

impl GrowingScope<'_> {
    fn process(&mut self, found: Option<bool>, class: Class) -> Result<(), TcmcMisfit> {
        let MethodCase { command, .. } = self.case;
        match (class, command.check) {
            (Class::Mixed, _) => Ok(()),
            (Class::Existential, false) => match found {
                Some(false) => self.instances(self.own + 1, command, ReachMethod::Command),
                _ => Ok(()),
            },
            (Class::Existential, true) => {
                self.instances(self.own, &turned(command), ReachMethod::Run)
            }
            (_, false) => self.no_instance(found),
            (Class::FiniteLiveness, true) if self.parts.are_all => {
                if self.gets_there(1, self.own)? {
                    return Ok(());
                }
                self.counterexamples(found, true)
            }
            (_, true) => self.counterexamples(found, false),
        }
    }

    /// Notes what a problem says in a scope.
    fn ask(
        &mut self,
        model: &AlloyModel,
        command: &Command,
        (states, exactly): (i32, bool),
        way: ReachMethod,
    ) -> Result<Option<bool>, TcmcMisfit> {
        let found = match self
            .case
            .has_instance(model, command, (states, exactly), self.budget)
        {
            // What was found before stays found.
            Err(TcmcMisfit::Stopped(_)) => None,
            found => found?,
        };
        self.reach.tried.push(Tried {
            states,
            exactly,
            way,
            found,
        });
        Ok(found)
    }

    /// Looks for the fewest states with which the significance axioms can hold.
    fn significant(&mut self) -> Result<Option<i32>, TcmcMisfit> {
        let MethodCase {
            model,
            reading,
            command,
            ..
        } = self.case;
        let Some(derived) = significance(model, reading, command)? else {
            self.reach.significant = Significant::NoOperations;
            return Ok(None);
        };
        let Derived { model, command } = derived;
        let reachable = reachable(self.case.model, reading, self.case.command)?;
        for states in 1..=MOST_STATES {
            match self.ask(&model, &command, (states, true), ReachMethod::Axioms)? {
                Some(true) => {
                    self.reach.significant = Significant::At(states);
                    return Ok(Some(states));
                }
                Some(false) => self.reach.significant = Significant::Above(states),
                None => break,
            }
            // Where not so many states can be reached, not more of them can.
            let Derived { model, command } = &reachable;
            let scope = (states, true);
            if self.case.has_instance(model, command, scope, self.budget)? != Some(true) {
                break;
            }
        }
        Ok(None)
    }

    /// Checks in larger scopes, up to the significant one.
    fn counterexamples(&mut self, found: Option<bool>, finite: bool) -> Result<(), TcmcMisfit> {
        if found.is_none() {
            return Ok(());
        }
        let Some(last) = self.significant()? else {
            return Ok(());
        };
        let (model, command) = (self.case.model, self.case.command);
        for states in self.own + 1..=last {
            match self.ask(model, command, (states, true), ReachMethod::Command)? {
                Some(true) => {
                    self.reach.meaning = ReachMeaning::Fails(Because::Counterexample(states));
                    return Ok(());
                }
                Some(false) => {}
                None => return Ok(()),
            }
            if finite && self.gets_there(states, states)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Checks with dead loops; whether that, with the check itself, settles the matter for some number of states.
    fn gets_there(&mut self, first: i32, last: i32) -> Result<bool, TcmcMisfit> {
        let MethodCase {
            model,
            reading,
            command,
            ..
        } = self.case;
        let derived = dead_loops(model, reading, command)?;
        for states in first..=last {
            let looping = self.ask(
                &derived.model,
                &derived.command,
                (states, true),
                ReachMethod::DeadLoops,
            )?;
            match looping {
                Some(true) => continue,
                Some(false) => {}
                None => return Ok(false),
            }
            match self.ask(model, command, (states, false), ReachMethod::Command)? {
                Some(false) => self.reach.meaning = ReachMeaning::Holds(Because::DeadLoops(states)),
                Some(true) => {
                    self.reach.meaning = ReachMeaning::Fails(Because::Counterexample(states));
                }
                None => return Ok(false),
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Looks for an instance of a formula about some path, from a scope on up to the significant one.
    fn instances(
        &mut self,
        first: i32,
        command: &Command,
        way: ReachMethod,
    ) -> Result<(), TcmcMisfit> {
        let model = self.case.model;
        let mut last = first;
        if way == ReachMethod::Command {
            match self.significant()? {
                Some(significant) => last = significant,
                None => return Ok(()),
            }
        }
        let mut states = first;
        while states <= last {
            match self.ask(model, command, (states, true), way)? {
                Some(true) => {
                    let because = Because::Instance(states);
                    self.reach.meaning = ReachMeaning::HoldsSomewhere(because);
                    return Ok(());
                }
                Some(false) => {}
                None => return Ok(()),
            }
            if way == ReachMethod::Run && states == first {
                match self.significant()? {
                    Some(significant) => last = significant,
                    None => return Ok(()),
                }
            }
            states += 1;
        }
        Ok(())
    }

    /// A formula about every path that no system of the scope satisfies fails in the complete system, if there
    /// are systems of the scope: it would hold in each of them.
    fn no_instance(&mut self, found: Option<bool>) -> Result<(), TcmcMisfit> {
        if found != Some(false) || !self.parts.are_all {
            return Ok(());
        }
        let MethodCase {
            model,
            reading,
            command,
            ..
        } = self.case;
        let Derived { model, command } = nothing(model, reading, command);
        let (own, exactly) = self.case.own_scope()?;
        let some = self
            .case
            .has_instance(&model, &command, (own, exactly), self.budget)?;
        if some == Some(true) {
            self.reach.meaning = ReachMeaning::Fails(Because::NoInstance(own));
        }
        Ok(())
    }
}
