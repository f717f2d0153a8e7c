//! Why there is no instance: parts of the model that cannot hold together, and whether the facts can.
//!
//! The parts are what stands in one place of the source. A core is found by leaving parts out one after the
//! other, in a solver that knows each of them by a literal of its own (Torlak, Chang and Jackson 2008).
//! Of traces the longest are asked, since shorter ones are among them.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_alloy::model::{AlloyModel, CommandGoal};
use wherefore_alloy::{LoweredCommand, Override, lower_apart, lower_facts};
use wherefore_base::{Budget, Span, Stop};
use wherefore_relational::{
    CoreEffort, CoreParts, CoreProgress, ProblemRefusal, Reasons, Search, SearchResult, Solving,
    core as core_of,
};
use wherefore_sat::Strongest;
use wherefore_tcmc::{TcmcModule, order_states};

use super::{
    AlloyAnswer, AlloyOptions, AlloySubject, CommandQuestion, Core, CorePart, CoreRole, Facts,
    Refused, WhyNothing,
};

/// A problem with more clauses is asked as it is, without taking its goal apart.
const LARGE: usize = 400_000;
/// How often the search for a core may ask whether it must stop. A count, so that it does not depend on how
/// fast a machine is: a solver asks every few decisions, about 200,000 times a second.
const QUESTIONS: u64 = 400_000;
/// The smallest core is wanted.
const THOROUGH: CoreEffort = CoreEffort {
    look: 16,
    guess: 1 << 13,
    most: QUESTIONS,
};
/// Where somebody grants time, it is looked for beyond that.
const LASTING: CoreEffort = CoreEffort {
    look: 1 << 10,
    guess: 1 << 19,
    most: u64::MAX,
};
/// What it means that a system passes is said by the class of the property, and nobody waits long for the smallest core.
const BRIEF: CoreEffort = CoreEffort {
    look: 2,
    guess: 2,
    most: 16,
};
/// Where it is known soon that there is no instance, a system that passes is looked at more closely.
const CLOSE: CoreEffort = CoreEffort {
    look: 16,
    guess: 64,
    most: 256,
};
/// After so many questions, it is known soon.
const SOON: u64 = 16;
/// So many atoms a signature gets whose scope is missing.
const FILLED: i32 = 3;

impl AlloySubject {
    /// Whether the facts can hold together where a command has no instance, and why it has none.
    pub(super) fn why(
        &self,
        question: &CommandQuestion<'_>,
        search: Option<Search<'_, Strongest>>,
        budget: &Budget,
    ) -> (Facts, WhyNothing) {
        let remembered = self.remembered(question);
        if let Some((Facts::Inconsistent, why @ WhyNothing::Core(_))) = remembered {
            return (Facts::Inconsistent, why);
        }
        let known = remembered.map_or(Facts::Unknown, |(facts, _)| facts);
        match Case::of(question, search, budget) {
            Ok(mut case) => self.judge(question, &mut case, known, true, budget),
            Err(refusal) => (known, WhyNothing::Stopped(stop_of(refusal))),
        }
    }

    /// What a case comes to; `nothing` says that there is no instance for sure.
    fn judge(
        &self,
        question: &CommandQuestion<'_>,
        case: &mut Case,
        known: Facts,
        nothing: bool,
        whole: &Budget,
    ) -> (Facts, WhyNothing) {
        let budget = &whole.counted(QUESTIONS);
        let facts: Vec<usize> = case.groups(|group| !group.goal);
        let every: Vec<usize> = case.groups(|_| true);
        let passes = self.describes_system() && !question.command().expects_instance();
        let not_seen = |case: &mut Case, refusal| match nothing && whole.check().is_ok() {
            true => {
                let effort = if passes { BRIEF } else { THOROUGH };
                WhyNothing::Core(case.least(question, every.clone(), effort, whole, whole))
            }
            false => WhyNothing::Stopped(stop_of(refusal)),
        };
        let (known, failed) = match known {
            Facts::Consistent => (known, None),
            _ => match case.failed(&facts, budget) {
                Ok(None) => (Facts::Consistent, None),
                Ok(Some(failed)) => (Facts::Inconsistent, Some(failed)),
                Err(refusal) => return (known, not_seen(case, refusal)),
            },
        };
        let soon = match failed {
            Some(failed) => Ok(Some(failed)),
            None => case.failed(&every, &whole.counted(SOON)),
        };
        let is_soon = soon.is_ok();
        let failed = soon.or_else(|_| case.failed(&every, budget));
        let why = match failed {
            Ok(Some(failed)) => {
                let effort = match passes && known == Facts::Consistent {
                    true if is_soon => CLOSE,
                    true => BRIEF,
                    false => THOROUGH,
                };
                WhyNothing::Core(case.least(question, failed, effort, budget, whole))
            }
            // What the search found not to be is possible here: nobody knows why.
            Ok(None) => WhyNothing::Unasked,
            Err(refusal) => not_seen(case, refusal),
        };
        let remembered = match known {
            Facts::Inconsistent => why.clone(),
            _ => WhyNothing::Unasked,
        };
        self.remember(question, known, remembered);
        (known, why)
    }

    /// Whether the facts can hold together in the scopes of a command that is not answered, and why not.
    pub(super) fn facts_alone(
        &self,
        question: &CommandQuestion<'_>,
        budget: &Budget,
    ) -> (Facts, WhyNothing) {
        if let Some(remembered) = self.remembered(question) {
            return remembered;
        }
        let part = budget.counted(QUESTIONS);
        match Case::of_facts(question, &part) {
            Ok(Some(mut case)) => self.judge(question, &mut case, Facts::Unknown, false, budget),
            Ok(None) => (Facts::Unknown, WhyNothing::Unasked),
            Err(_) => (Facts::Unknown, WhyNothing::Unasked),
        }
    }
}

impl AlloySubject {
    /// Whether the facts can hold together where a command is refused. If it says nothing of how many atoms some
    /// signatures have: with a few atoms for each of them. If its scopes are wrong: with a few of each signature.
    pub(super) fn facts_with_more_scopes(
        &self,
        answer: &mut AlloyAnswer,
        choices: &AlloyOptions,
        budget: &Budget,
    ) {
        let mut choices = choices.clone();
        let mut filled = Vec::new();
        let labels: Vec<&String> = self.model().declared().map(|(_, sig)| &sig.label).collect();
        let question = loop {
            match self.question(answer.command, &choices) {
                Ok(question) => break question,
                Err(refused) => {
                    let missing = |label: &&&String| {
                        let message = format!("You must specify a scope for sig `{label}`");
                        refused.diagnostic.message == message
                    };
                    let Some(&label) = labels.iter().find(missing) else {
                        filled.clear();
                        match self.with_plain_scopes(answer.command, &choices) {
                            Ok(question) => break question,
                            Err(_) => return,
                        }
                    };
                    if filled.contains(label) {
                        return;
                    }
                    choices.lowering.scopes.push(Override {
                        name: label.clone(),
                        number: FILLED,
                        exactly: false,
                    });
                    filled.push(label.clone());
                }
            }
        };
        let (facts, why) = self.facts_alone(&question, budget);
        if facts == Facts::Inconsistent {
            (answer.facts, answer.why) = (facts, why);
            answer.scopes = Some(question.scopes().clone());
            answer.filled = Some((FILLED, filled));
        }
    }

    /// A command with a few atoms for each signature instead of its scopes.
    fn with_plain_scopes(
        &self,
        place: usize,
        choices: &AlloyOptions,
    ) -> Result<CommandQuestion<'_>, Refused> {
        let mut command = self.commands()[place].clone();
        command.overall = Some(FILLED);
        command.scopes.clear();
        let mut choices = choices.clone();
        choices.lowering.scopes.clear();
        CommandQuestion::scoped(self, place, &command, &choices)
    }
}

fn stop_of(refusal: ProblemRefusal) -> Stop {
    match refusal {
        ProblemRefusal::Stopped(stop) => stop,
        _ => Stop::Memory,
    }
}

/// What stands in one place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Group {
    /// Whether it is a part of the goal.
    goal: bool,
    span: Span,
}

/// The conjuncts of a problem, by where they are written.
struct Case {
    groups: Vec<Group>,
    /// Groups that are never left out: what is declared of the variables of the goal.
    given: Vec<usize>,
    reasons: Reasons<Strongest>,
    /// By group: the places of its conjuncts.
    places: Vec<Vec<usize>>,
    /// The places of conjuncts that nobody wrote, which are never left out: what a trace is.
    unwritten: Vec<usize>,
    /// By place: the group.
    group: Vec<Option<usize>>,
}

impl Case {
    /// The parts of a command. A search that is at hand is asked where taking the goal apart would be too
    /// much work.
    fn of(
        question: &CommandQuestion<'_>,
        search: Option<Search<'_, Strongest>>,
        budget: &Budget,
    ) -> SearchResult<Self> {
        if let Some(search) = &search
            && search.size().clauses > LARGE
        {
            let lowered = lowered(question, question.last_problem())?;
            return Ok(Case::new(question, lowered, search.reasons(budget)?));
        }
        let model = question.session().model();
        let choices = question.choices();
        let (command, states) = (&question.last_round().0, question.longest());
        let mut apart = lower_apart(model, command, &choices.lowering, states);
        let whole = lowered(question, question.last_problem())?;
        let lowered = match &mut apart {
            Ok(apart) => {
                let count = |lowered: &LoweredCommand| lowered.problem.requirements().len();
                if let Some(search) = &search
                    && count(apart) == count(whole)
                    && TcmcModule::of(model).is_some()
                {
                    // The goal is one formula of a transition system: what was translated will do.
                    return Ok(Case::new(question, whole, search.reasons(budget)?));
                }
                order_states(model, apart);
                &*apart
            }
            Err(_) => whole,
        };
        let reasons = Reasons::new(&lowered.problem, &choices.search, budget)?;
        Ok(Case::new(question, lowered, reasons))
    }

    /// The facts alone; none where they cannot be lowered.
    fn of_facts(question: &CommandQuestion<'_>, budget: &Budget) -> SearchResult<Option<Self>> {
        let model = question.session().model();
        let choices = question.choices();
        let (command, states) = (&question.last_round().0, question.longest());
        let Ok(mut lowered) = lower_facts(model, command, &choices.lowering, states) else {
            return Ok(None);
        };
        order_states(model, &mut lowered);
        let reasons = Reasons::new(&lowered.problem, &choices.search, budget)?;
        Ok(Some(Case::new(question, &lowered, reasons)))
    }

    fn new(
        question: &CommandQuestion<'_>,
        lowered: &LoweredCommand,
        reasons: Reasons<Strongest>,
    ) -> Self {
        // Total orders come after the requirements, and are facts.
        let goal = lowered.facts..lowered.problem.requirements().len();
        let (mut groups, mut places) = (Vec::new(), Vec::new());
        let (mut group, mut unwritten) = (Vec::new(), Vec::new());
        let mut known: BTreeMap<Group, usize> = BTreeMap::new();
        for (place, conjunct) in reasons.conjuncts().iter().enumerate() {
            let goal = goal.contains(&conjunct.requirement);
            let span = conjunct.span.or(goal.then_some(question.command().span));
            let Some(span) = span else {
                unwritten.push(place);
                group.push(None);
                continue;
            };
            let written = Group { goal, span };
            let at = *known.entry(written).or_insert_with(|| {
                groups.push(written);
                places.push(Vec::new());
                groups.len() - 1
            });
            places[at].push(place);
            group.push(Some(at));
        }
        let variables = question.session().model().vars.iter();
        let variables: BTreeSet<Span> = variables.map(|variable| variable.span).collect();
        let declares = |group: &Group| group.goal && variables.contains(&group.span);
        Self {
            given: (0..groups.len())
                .filter(|&at| declares(&groups[at]))
                .collect(),
            groups,
            reasons,
            places,
            unwritten,
            group,
        }
    }

    fn groups(&self, wanted: impl Fn(&Group) -> bool) -> Vec<usize> {
        let groups = self.groups.iter().enumerate();
        let wanted = groups.filter(|(at, group)| wanted(group) && !self.given.contains(at));
        wanted.map(|(at, _)| at).collect()
    }

    /// None if some groups can hold together; otherwise those that are to blame.
    fn failed(&mut self, groups: &[usize], budget: &Budget) -> SearchResult<Option<Vec<usize>>> {
        Ok(match self.told(groups, budget)? {
            CoreProgress::Can(_) => None,
            CoreProgress::Cannot(failed) => Some(failed),
        })
    }

    /// Whether some groups can hold together, and which do with them or are to blame.
    fn told(&mut self, groups: &[usize], budget: &Budget) -> SearchResult<CoreProgress> {
        let places = self.asked(groups);
        if self.reasons.can_hold(&places, budget)? {
            return Ok(CoreProgress::Can(self.holding()));
        }
        let failed = self.reasons.failed(&places).into_iter();
        let blamed: BTreeSet<usize> = failed.filter_map(|place| self.group[place]).collect();
        let blamed = groups.iter().filter(|group| blamed.contains(group));
        Ok(CoreProgress::Cannot(blamed.copied().collect()))
    }

    /// The groups that hold in what was found last.
    fn holding(&mut self) -> Vec<usize> {
        let holding: BTreeSet<usize> = self.reasons.holding().into_iter().collect();
        let holds = |group: usize| {
            self.places[group]
                .iter()
                .all(|place| holding.contains(place))
        };
        let declared = self.given.iter().all(|&group| holds(group));
        let with = |&group: &usize| holds(group) && (declared || !self.groups[group].goal);
        (0..self.groups.len()).filter(with).collect()
    }

    /// The places of what is asked about some groups.
    fn asked(&self, groups: &[usize]) -> Vec<usize> {
        let with_given = groups.iter().any(|&group| self.groups[group].goal);
        let asked = self.given.iter().filter(|_| with_given).chain(groups);
        let places = asked.flat_map(|&group| &self.places[group]);
        self.unwritten.iter().chain(places).copied().collect()
    }

    /// As few of some groups that cannot hold together as are needed, and whether all of these are.
    fn shrink(
        &mut self,
        groups: Vec<usize>,
        effort: CoreEffort,
        budget: &Budget,
    ) -> (Vec<usize>, bool) {
        let mut asked = Asked { case: self, budget };
        core_of(&mut asked, groups, effort, budget)
    }

    /// The core of some groups that cannot hold together. Where the whole work has a limit of time, half of what is
    /// left of it may be spent on a core that is not minimal after the counted effort.
    fn least(
        &mut self,
        question: &CommandQuestion<'_>,
        groups: Vec<usize>,
        effort: CoreEffort,
        counted: &Budget,
        whole: &Budget,
    ) -> Core {
        let (mut groups, mut minimal) = self.shrink(groups, effort, counted);
        let granted = whole.time_left().filter(|_| effort == THOROUGH && !minimal);
        if let Some(time) = granted {
            let longer = whole.within(time / 2);
            (groups, minimal) = self.shrink(groups, LASTING, &longer);
        }
        self.core(question, &groups, minimal)
    }

    fn core(&self, question: &CommandQuestion<'_>, groups: &[usize], minimal: bool) -> Core {
        let parts = groups
            .iter()
            .map(|&group| part(question, self.groups[group]));
        let mut parts: Vec<CorePart> = parts.collect();
        parts.sort();
        Core { parts, minimal }
    }
}

/// Groups that a solver is asked about.
struct Asked<'c> {
    case: &'c mut Case,
    budget: &'c Budget,
}

impl CoreParts for Asked<'_> {
    fn ask(
        &mut self,
        groups: &[usize],
        solving: Solving,
        questions: u64,
    ) -> SearchResult<CoreProgress> {
        let budget = self.budget.counted(questions);
        match solving {
            Solving::Again => self.case.told(groups, &budget),
            Solving::Afresh => {
                let places = self.case.asked(groups);
                let can_hold = self.case.reasons.can_hold_alone(&places, &budget)?;
                Ok(match can_hold {
                    true => CoreProgress::Can(groups.to_vec()),
                    false => CoreProgress::Cannot(groups.to_vec()),
                })
            }
        }
    }
}

fn lowered<'q>(
    question: &'q CommandQuestion<'_>,
    place: usize,
) -> SearchResult<&'q LoweredCommand> {
    question
        .lowered(place)
        .map_err(|refused| ProblemRefusal::Misfit {
            message: refused.diagnostic.message,
        })
}

/// What stands in a place, in the words of the model.
fn part(question: &CommandQuestion<'_>, group: Group) -> CorePart {
    let model = question.session().model();
    let role = role(model, question, group);
    CorePart {
        span: group.span,
        role,
    }
}

fn role(
    model: &AlloyModel,
    question: &CommandQuestion<'_>,
    Group { goal, span }: Group,
) -> CoreRole {
    let within =
        |outer: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
    let target = match question.command().goal {
        CommandGoal::Function(function) => Some(function),
        CommandGoal::Formula(_) => None,
    };
    let mut functions = model.functions.entries();
    let inside = functions.find(|(_, function)| {
        let body = function.body.map(|body| model.terms[body].span);
        function.span == span || body.is_some_and(within)
    });
    match inside {
        Some((id, function)) if Some(id) != target => {
            return CoreRole::Function(function.label.clone());
        }
        _ if goal => return CoreRole::Goal,
        _ => {}
    }
    let mut facts = model.facts.iter();
    let fact = |fact: &&_| {
        let fact: &wherefore_alloy::model::Fact = fact;
        within(fact.span) || within(model.terms[fact.body].span)
    };
    if let Some(fact) = facts.find(fact) {
        return CoreRole::Fact(fact.label.clone());
    }
    let mut fields = model.fields.entries();
    if let Some((id, _)) = fields.find(|(_, field)| field.span == span) {
        return CoreRole::Field(id);
    }
    for (id, sig) in model.declared() {
        if sig.span == span {
            return CoreRole::Sig(id);
        }
        if sig.fact.is_some_and(|fact| within(model.terms[fact].span)) {
            return CoreRole::SigFact(id);
        }
    }
    CoreRole::Goal
}
