//! Why properties hold: whatever is said is true. Of random models the data are decided by brute force over all values;
//! of random programs the sentences themselves are read as formulas, and checked.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::{Budget, Value};
use wherefore_driver::{Event, Job, ModelSubject, check_model};
use wherefore_evidence::certificate::{
    How, LayerReason, NoCertificate, StateSet, verify_statements,
};
use wherefore_evidence::{
    EvidenceOptions, Finding, Investigator, Verdict, Why, WhyHolds, WhyStatement,
};
use wherefore_logic::{Goal, Kernel, Op, Quantifier, SubId, kernel};
use wherefore_model::{Env, Interpreter, Model, Query, VarId};
use wherefore_space::StateSpace;
use wherefore_testkit::campaign::number_from_environment;
use wherefore_testkit::{Rng, campaign, random_model, random_smv};
use wherefore_view::json;
use wherefore_view::wire::{WhyLineDoc, WhyLineName};

fn reasons<S: StateSpace>(space: &S) -> Vec<Option<Why>> {
    let investigator = Investigator::new(space).expect("no limit");
    let all = 0..space.model().properties.len();
    all.map(|property| investigator.why(property).expect("no limit"))
        .collect()
}

/// Whether one seed is tried again: it says nothing about how many there are.
fn is_repeated() -> bool {
    number_from_environment("WHEREFORE_SEED").is_some()
}

/// A model by brute force: every state that its variables allow, and the reachable ones with their steps.
struct Graph<'m> {
    interpreter: Interpreter<'m>,
    all: Vec<Vec<Value>>,
    next: BTreeMap<Vec<Value>, BTreeSet<Vec<Value>>>,
}

impl<'m> Graph<'m> {
    fn new(model: &'m Model) -> Self {
        let (interpreter, budget) = (Interpreter::new(model), Budget::unlimited());
        let mut all: Vec<Vec<Value>> = vec![vec![]];
        for var in (0..model.state_vars()).map(VarId::new) {
            let values: Vec<Value> = model.vars[var].domain.values().collect();
            let longer = all.iter().flat_map(|state| {
                values
                    .iter()
                    .map(move |&value| [&state[..], &[value]].concat())
            });
            all = longer.collect();
        }
        all.retain(|state| interpreter.broken_by_state(state).is_none());
        let mut next = BTreeMap::new();
        for state in &all {
            let steps = interpreter.steps(state, &budget).expect("no limit");
            let steps: BTreeSet<Vec<Value>> = steps.into_iter().map(|step| step.next).collect();
            next.insert(state.clone(), steps);
        }
        Self {
            interpreter,
            all,
            next,
        }
    }

    fn initial(&self) -> Vec<Vec<Value>> {
        let budget = Budget::unlimited();
        self.interpreter.initial_states(&budget).expect("no limit")
    }

    fn reachable(&self) -> BTreeSet<Vec<Value>> {
        let mut found: BTreeSet<Vec<Value>> = BTreeSet::new();
        let mut open = self.initial();
        while let Some(state) = open.pop() {
            if found.insert(state.clone()) {
                open.extend(self.next[&state].iter().cloned());
            }
        }
        found
    }

    fn has(&self, set: &StateSet, state: &[Value]) -> bool {
        let inside = set.cubes.iter().any(|cube| {
            assert!(cube.bits.is_empty(), "variables have few values");
            let mut values = cube.values.iter();
            let mut terms = cube.terms.iter();
            values.all(|(var, values)| values.contains(&state[var.index()]))
                && terms.all(|&(term, so)| self.interpreter.truth(term, Env::state(state)) == so)
        });
        inside != set.outside
    }

    fn is_true(&self, query: &Query, sub: SubId, state: &[Value]) -> bool {
        let of = |sub| self.is_true(query, sub, state);
        match query.formula.op(sub) {
            Op::Const(value) => value,
            Op::Atom(atom) => self.interpreter.truth(query.atoms[atom], Env::state(state)),
            Op::Not(f) => !of(f),
            Op::And(f, g) => of(f) && of(g),
            Op::Or(f, g) => of(f) || of(g),
            Op::Implies(f, g) => !of(f) || of(g),
            Op::Iff(f, g) => of(f) == of(g),
            Op::Xor(f, g) => of(f) != of(g),
            Op::Path(..) | Op::Linear(_) => panic!("no proposition"),
        }
    }

    fn all_true(&self, query: &Query, goals: &[Goal], state: &[Value]) -> bool {
        let mut goals = goals.iter();
        goals.all(|goal| self.is_true(query, goal.sub, state) == goal.holds)
    }

    /// Whether a goal is at most so many steps away from a state: on every path, or on some.
    fn within(
        &self,
        goal: &dyn Fn(&[Value]) -> bool,
        every: bool,
        steps: usize,
        state: &Vec<Value>,
    ) -> bool {
        if goal(state) {
            return true;
        }
        let next = &self.next[state];
        let near = |next: &Vec<Value>| self.within(goal, every, steps - 1, next);
        steps > 0
            && match every {
                true => !next.is_empty() && next.iter().all(near),
                false => next.iter().any(near),
            }
    }
}

/// Decides everything that a reason says; says how many statements have a number of steps.
fn decide(model: &Model, graph: &Graph<'_>, why: &WhyHolds) -> usize {
    let (certificate, reachable) = (&why.certificate, graph.reachable());
    let invariant = &certificate.invariant;
    assert!(invariant.outside && why.own <= invariant.cubes.len());
    for state in graph.initial() {
        assert!(graph.has(invariant, &state), "an initial state");
    }
    for state in graph.all.iter().filter(|state| graph.has(invariant, state)) {
        for next in &graph.next[state] {
            assert!(graph.has(invariant, next), "a step leaves the invariant");
        }
    }
    for at in why.own..invariant.cubes.len() {
        let mut fewer = certificate.clone();
        fewer.invariant.cubes.remove(at);
        let budget = Budget::unlimited();
        let accepted = verify_statements(model, &why.query, &fewer, &why.statements, &budget);
        let accepted = accepted.expect("no limit");
        assert!(accepted.is_err(), "a clause can be left out");
    }
    let statements = why.statements.iter();
    statements
        .filter(|statement| numbers(model, graph, why, statement, &reachable))
        .count()
}

/// Decides the numbers of a statement, where its goal is a proposition; whether it has some.
fn numbers(
    model: &Model,
    graph: &Graph<'_>,
    why: &WhyHolds,
    statement: &WhyStatement,
    reachable: &BTreeSet<Vec<Value>>,
) -> bool {
    let (claim, query) = (&why.certificate.claims[statement.claim], &why.query);
    let here: Vec<&Vec<Value>> = reachable
        .iter()
        .filter(|state| graph.has(&statement.states, state))
        .collect();
    for state in &here {
        assert!(graph.has(&claim.states, state), "no state of the claim");
    }
    let (Some(steps), Kernel::Path(pattern)) =
        (statement.steps, kernel(&query.formula, claim.goal))
    else {
        return false;
    };
    let propositional = query.formula.propositional();
    let goals = pattern.goal.clone().expect("it is to be reached");
    // Where only fair paths count, these are not all.
    if !goals.iter().all(|goal| propositional[goal.sub]) || !model.fairness.is_empty() {
        return false;
    }
    let every = pattern.quantifier == Quantifier::Forall;
    let reached = |state: &[Value]| graph.all_true(query, &goals, state);
    if let How::Leaves(layers) = &claim.how {
        assert!(layers.iter().all(|l| l.reason == LayerReason::StepsOut));
    }
    // Paths that end do not count, and what leads to ends only is not told apart here.
    if reachable.iter().any(|state| graph.next[state].is_empty()) {
        return false;
    }
    for state in &here {
        assert!(graph.within(&reached, every, steps, state), "{steps} steps");
        for bound in &statement.bounds {
            if graph.has(&bound.states, state) {
                let near = graph.within(&reached, every, bound.steps, state);
                assert!(near, "a bound of {} steps", bound.steps);
            }
        }
    }
    let Some(count) = &statement.count else {
        return true;
    };
    let open: Vec<&&Vec<Value>> = here.iter().filter(|state| !reached(state)).collect();
    assert_eq!(count.states, open.len());
    for (bound, counted) in statement.bounds.iter().zip(&count.bounds) {
        let within = open.iter().filter(|state| graph.has(&bound.states, state));
        assert_eq!(*counted, within.count());
    }
    if let Some((state, far)) = &count.farthest {
        assert!(here.contains(&state));
        assert!(graph.within(&reached, every, *far, state));
        assert!(
            !graph.within(&reached, every, far - 1, state),
            "it is nearer"
        );
    }
    true
}

#[test]
fn reasons_are_true_by_brute_force_minimal_and_the_same_from_both_engines() {
    let (shown, hidden, counted) = (Cell::new(0), Cell::new(0), Cell::new(0));
    campaign("why", 400, |rng: &mut Rng| {
        let model = random_model::random(rng);
        let listed = reasons(&explicit(&model));
        assert_eq!(listed, reasons(&symbolic(&model)));
        let graph = Graph::new(&model);
        for why in listed.iter().flatten() {
            match why {
                Why::Shown(why) => {
                    shown.set(shown.get() + 1);
                    counted.set(counted.get() + decide(&model, &graph, why));
                }
                // What certificates do not know has no reason.
                Why::NotShown(NoCertificate::Rule(_)) => hidden.set(hidden.get() + 1),
                Why::NotShown(why) => panic!("no reason: {why:?}"),
                Why::Proved(_) => unreachable!("no solver was asked"),
            }
        }
    });
    if is_repeated() {
        return;
    }
    assert!(shown.get() > 200, "{} are shown", shown.get());
    assert!(counted.get() > 20, "{} have numbers", counted.get());
    assert!(hidden.get() < shown.get(), "{} are not", hidden.get());
}

/// A sentence that is read from left to right.
struct SentenceReader<'t>(&'t str);

impl<'t> SentenceReader<'t> {
    fn skip(&mut self, words: &str) -> bool {
        match self.0.strip_prefix(words) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn quoted(&mut self) -> Option<&'t str> {
        let (text, rest) = self.0.strip_prefix('`')?.split_once('`')?;
        self.0 = rest;
        Some(text)
    }

    fn number(&mut self) -> Option<usize> {
        let end = self.0.find(|c: char| !c.is_ascii_digit())?;
        let number = self.0[..end].parse().ok()?;
        self.0 = &self.0[end..];
        Some(number)
    }

    /// "`a` or `b`", "neither `a` nor `b`".
    fn set(&mut self) -> Option<String> {
        let neither = self.skip("neither ");
        let mut parts = vec![format!("({})", self.quoted()?)];
        let between = if neither { " nor " } else { " or " };
        while self.skip(between) {
            parts.push(format!("({})", self.quoted()?));
        }
        Some(match neither {
            true => format!("!({})", parts.join(" | ")),
            false => format!("({})", parts.join(" | ")),
        })
    }

    /// "`a` and `b`"
    fn goals(&mut self) -> Option<String> {
        let mut parts = vec![format!("({})", self.quoted()?)];
        while self.skip(" and `") {
            let (text, rest) = self.0.split_once('`')?;
            self.0 = rest;
            parts.push(format!("({text})"));
        }
        Some(parts.join(" & "))
    }
}

/// What a sentence of a reason says, as formulas; `None`: it says nothing that a formula says.
fn formulas(line: &WhyLineDoc) -> Option<Vec<String>> {
    let mut text = SentenceReader(&line.text);
    if line.kind == WhyLineName::Invariant {
        let mut said = Vec::new();
        while let Some(own) = text.quoted() {
            said.push(format!("AG ({own})"));
            let _ = text.skip(", ") || text.skip(" and ");
        }
        for item in line.items.iter().filter(|i| i.kind == WhyLineName::Clause) {
            let mut text = SentenceReader(&item.text);
            said.push(if text.skip("never ") {
                format!("AG !({})", text.quoted()?)
            } else if text.skip("always ") {
                format!("AG ({})", text.quoted()?)
            } else {
                assert!(text.skip("where "), "{}", item.text);
                let premise = text.quoted()?;
                assert!(text.skip(", always "), "{}", item.text);
                format!("AG (({premise}) -> ({}))", text.quoted()?)
            });
        }
        return Some(said);
    }
    // Formulas are about the paths that count, as what is said of the states they come to.
    let reachable = text.skip("from every reachable state");
    if !reachable
        && !text.skip("from every state that fair runs come to")
        && !text.skip("from every state that endless runs come to")
    {
        return None;
    }
    let from = match text.skip(" where ") || text.skip(" and where ") {
        true => text.set()?,
        false => "TRUE".to_string(),
    };
    assert!(text.skip(", "), "{}", line.text);
    if text.skip("every step leads to ") || text.skip("every step that they take leads to ") {
        return Some(vec![format!("AG ({from} -> AX ({}))", text.goals()?)]);
    }
    if text.skip("some step leads to ") {
        return Some(vec![format!("AG ({from} -> EX ({}))", text.goals()?)]);
    }
    let path = match (text.skip("every "), text.skip("some ")) {
        (true, _) => "A",
        (_, true) => "E",
        _ => {
            let goals = text.goals()?;
            let holds = matches!(text.0, " holds" | " holds already");
            return holds.then(|| vec![format!("AG ({from} -> ({goals}))")]);
        }
    };
    let _ = text.skip("fair ") || text.skip("endless ");
    if text.skip("run stays in ") {
        return Some(vec![format!("AG ({from} -> {path}G ({}))", text.goals()?)]);
    }
    if !text.skip("run reaches ") {
        return None;
    }
    let goal = text.goals()?;
    if text.skip(" or ") {
        return None;
    }
    if !text.skip(" within ") {
        return Some(vec![format!("AG ({from} -> {path}F ({goal}))")]);
    }
    let steps = text.number()?;
    let mut said = vec![format!("AG ({from} -> {path}BF 0..{steps} ({goal}))")];
    let bounds = line
        .items
        .iter()
        .filter(|item| item.kind != WhyLineName::Example);
    for item in bounds {
        let mut text = SentenceReader(&item.text);
        assert!(text.skip("within "), "{}", item.text);
        let steps = text.number()?;
        assert!(text.skip(" step where ") || text.skip(" steps where "));
        let set = text.set()?;
        said.push(format!(
            "AG (({from}) & {set} -> {path}BF 0..{steps} ({goal}))"
        ));
    }
    Some(said)
}

fn answers(session: &ModelSubject, properties: Vec<usize>, why: bool) -> Vec<Finding> {
    let job = Job {
        properties: Some(properties),
        options: EvidenceOptions {
            evidence: false,
            vacuity: false,
            why,
            ..EvidenceOptions::default()
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
fn sentences_about_random_programs_are_true_when_they_are_read_as_formulas() {
    let (read, unread) = (Cell::new(0), Cell::new(0));
    campaign("why in words", 150, |rng: &mut Rng| {
        let text = random_smv::random(rng);
        let Ok(mut session) = ModelSubject::from_text("random.smv", text) else {
            return;
        };
        // Texts of properties in modules are about their instances.
        let properties = session.model().properties.iter().enumerate();
        let plain = properties.filter(|(_, property)| property.instance.is_empty());
        let plain: Vec<usize> = plain.map(|(at, _)| at).collect();
        let findings = answers(&session, plain, true);
        let mut said: Vec<String> = Vec::new();
        for finding in &findings {
            let findings = [finding.clone()];
            let report = session.report(None, &findings);
            let document = json::property(&report, finding);
            for line in document.why.iter().flat_map(|why| &why.lines) {
                match formulas(line) {
                    Some(formulas) => said.extend(formulas),
                    None => unread.set(unread.get() + 1),
                }
            }
        }
        let mut added = Vec::new();
        for formula in said {
            match session.add_formula(&formula) {
                Ok(property) => added.push(property),
                // What a translation added has no name in the language.
                Err(_) => unread.set(unread.get() + 1),
            }
        }
        for finding in answers(&session, added, false) {
            let formula = &session.model().properties[finding.property].text;
            assert_eq!(finding.verdict, Verdict::Holds, "{formula}");
            read.set(read.get() + 1);
        }
    });
    if is_repeated() {
        return;
    }
    assert!(read.get() > 100, "{} were read", read.get());
    assert!(unread.get() < read.get(), "{} were not", unread.get());
}
