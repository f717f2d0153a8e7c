//! Why a property holds, for people: a certificate in the words of the model.
//!
//! The same sets as in a certificate, described with named conditions where these say it in fewer words, with an
//! invariant of which no clause can be left out. What is spent on it is counted, so that it can be had unasked; what is
//! found is re-checked by [`wherefore_certify`] like every certificate, and what cannot be re-checked is not shown.

use wherefore_base::Budget;
use wherefore_certify::{verify, verify_statements};
use wherefore_check::{Checker, Solution};
use wherefore_model::{BinaryOp, Domain, Model, Query, Support, Term, TermId, VarKind};
use wherefore_proof::certificate::{Certificate, NoCertificate};
use wherefore_proof::{Why, WhyHolds};
use wherefore_replay::{Walked, count_statements};
use wherefore_space::{StateSpace, Vocabulary};

use super::invariant::slimmed;
use super::make::{CertificateHalt, CertificateMaker, CertificateResult, MadeCertificate};

/// So many operations on sets are spent on words where there are at most [`FEW`] states, and where there are more.
const OPERATIONS: usize = 60_000;
const FEWER_OPERATIONS: usize = 4_000;
/// Sets of at most so many states are cheap, whatever holds them.
const FEW: u32 = 100_000;
/// So often may the solvers ask whether to go on.
const QUESTIONS: u64 = 100_000;
/// At most so many named conditions are tried.
const NAMED: usize = 60;

/// Why a query holds over a space, within a counted effort.
pub(crate) fn why<S: StateSpace>(
    checker: &Checker<'_, S>,
    query: &Query,
    solution: &Solution<S::Set>,
    walked: &Walked,
) -> Why {
    let space = checker.space();
    space.budget().phase("looking for a short reason");
    let counted = space.budget().counted(QUESTIONS);
    shown(
        find(checker, query, solution, walked, &counted),
        space.budget(),
    )
}

fn shown(found: CertificateResult<WhyHolds>, budget: &Budget) -> Why {
    match found {
        Ok(found) => Why::Shown(Box::new(found)),
        Err(CertificateHalt::No(why)) => Why::NotShown(why),
        // Where the budget has not ended, the counted part of it has.
        Err(CertificateHalt::Stop(stop)) => Why::NotShown(match budget.check() {
            Ok(()) => NoCertificate::Effort,
            Err(_) => NoCertificate::Stopped(stop),
        }),
    }
}

fn find<S: StateSpace>(
    checker: &Checker<'_, S>,
    query: &Query,
    solution: &Solution<S::Set>,
    walked: &Walked,
    counted: &Budget,
) -> CertificateResult<WhyHolds> {
    let space = checker.space();
    let operations = match space.count(space.reachable())? <= FEW.into() {
        true => OPERATIONS,
        false => FEWER_OPERATIONS,
    };
    let words = Vocabulary::new(space, &named(space.model(), query), operations)?;
    let maker = CertificateMaker::new(checker, query, solution, Some(words));
    let MadeCertificate {
        certificate,
        own,
        mut statements,
    } = maker.make(counted)?;
    let model = space.model();
    let conditions = match verify_statements(model, query, &certificate, &statements, counted)? {
        Ok(conditions) => conditions,
        Err(_) => return Err(CertificateHalt::No(NoCertificate::Unproved)),
    };
    let counts = count_statements(walked, model, query, &certificate, &statements, counted)?;
    for (statement, count) in statements.iter_mut().zip(counts.into_iter().flatten()) {
        statement.count = Some(count);
    }
    Ok(WhyHolds {
        query: query.clone(),
        certificate,
        own,
        statements,
        conditions,
    })
}

/// Why a query holds, from a certificate of an engine without sets of states.
pub fn why_of(model: &Model, query: &Query, certificate: Certificate, budget: &Budget) -> Why {
    let counted = budget.counted(QUESTIONS);
    let found = || -> CertificateResult<WhyHolds> {
        let (certificate, own) = slimmed(model, query, certificate, &counted)?;
        let conditions = match verify(model, query, &certificate, &counted)? {
            Ok(conditions) => conditions,
            Err(_) => return Err(CertificateHalt::No(NoCertificate::Unproved)),
        };
        Ok(WhyHolds {
            query: query.clone(),
            certificate,
            own,
            statements: Vec::new(),
            conditions,
        })
    };
    shown(found(), budget)
}

/// The conditions on states that have a name, those of the property first.
fn named(model: &Model, query: &Query) -> Vec<TermId> {
    let defines = model.defines.iter().filter(|define| !define.of_step);
    let defines = defines.map(|define| define.term);
    let mut terms: Vec<TermId> = Vec::new();
    for term in query.atoms.iter().copied().chain(defines) {
        let known = terms.contains(&term);
        if !known && is_condition(model, term) && reads_state_only(model, term) {
            terms.push(term);
        }
    }
    terms.truncate(NAMED);
    terms
}

fn reads_state_only(model: &Model, term: TermId) -> bool {
    let support = Support::of(model, [term]);
    let mut now = support.now.iter();
    // What reads nothing is the same in every state.
    !support.now.is_empty()
        && support.next.is_empty()
        && now.all(|&var| model.vars[var].kind != VarKind::Input)
}

/// Whether a term is a truth value, as its operator shows.
fn is_condition(model: &Model, term: TermId) -> bool {
    wherefore_base::deep(|| match model.terms.get(term) {
        Term::Var(var) => model.vars[*var].domain == Domain::Bool,
        Term::Not(_) | Term::Member(..) => true,
        Term::Binary(op, ..) => BinaryOp::is_condition(*op),
        Term::Ite(_, then, other) => is_condition(model, *then) && is_condition(model, *other),
        _ => false,
    })
}
