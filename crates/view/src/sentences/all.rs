//! Every sentence about a finding, with what the checker says of it.
//!
//! The views show some of them each; tests want all.

use wherefore_evidence::{
    Assertion, Claim, Evidence, Finding, Replay, Rule, SaidStates, StatesFrom, Vacuity, Why,
};
use wherefore_logic::{Goal, Kernel, PathPattern, kernel};

use super::attached::{Wording, attached};
use super::because::because;
use super::checked::{DecidedSentence, SentenceJudge, SentenceKind};
use super::decisions::decision_text;
use super::english::{answer, sentences};
use super::nodes::{by_region, every_successor};
use super::phrases::{
    badges, checked_badges, note_text_by, region_text, shape_of, vacuity_text_by, witness_text,
};
use super::remarks::remarks;
use super::several::pieces;
use super::why::lines_by;
use super::{Sentence, formula};
use crate::Report;
use crate::excerpt::Excerpt;
use crate::lts::rows::rows;
use crate::lts::{LtsReport, SystemTelling};
use crate::manner::Manner;
use crate::page::runs::{branch_claim, group_name};
use crate::strands::{groups, strands};
use crate::words::Telling;

/// Every sentence that some view shows of a finding: as text, in English, and as the claims of the JSON document.
pub fn decided_sentences(report: &Report<'_>, finding: &Finding) -> Vec<DecidedSentence> {
    let mut all = Vec::new();
    let query = report.property(finding).body.query();
    if let (Some(query), Vacuity::Vacuous { sub }) = (query, &finding.vacuity) {
        let base = SentenceJudge::base(report, query);
        let judge = base.map(|base| SentenceJudge::new(base, None, true));
        vacuity_text_by(report, query, *sub, judge.as_deref());
        all.extend(judge.map_or(vec![], |judge| judge.decided()));
    }
    if let Some(Why::Shown(why)) = &finding.why {
        let base = SentenceJudge::base(report, &why.query);
        let judge = base.map(|base| SentenceJudge::new(base, None, true));
        lines_by(report, why, true, judge.as_deref());
        all.extend(judge.map_or(vec![], |judge| judge.decided()));
    }
    if let Some(query) = query {
        let base = SentenceJudge::base(report, query);
        let judge = base.map(|base| SentenceJudge::new(base, None, true));
        for note in &finding.notes {
            note_text_by(report, note, judge.as_deref());
        }
        all.extend(judge.map_or(vec![], |judge| judge.decided()));
    }
    if let Some(evidence) = &finding.evidence {
        for piece in pieces(*report, finding, evidence) {
            let telling = piece.telling.logged();
            of_evidence(&telling);
            for decision in piece.decisions {
                decision_text(&telling, decision);
            }
            all.extend(telling.decided());
        }
    }
    if let Some(witness) = &finding.witness {
        let telling = Telling::of_witness(*report, witness).logged();
        witness_text(&telling, finding, witness);
        of_evidence(&telling);
        all.extend(telling.decided());
    }
    all
}

/// Every sentence that some view shows of a finding about a labelled transition system.
pub fn decided_system_sentences(report: &LtsReport<'_>, finding: &Finding) -> Vec<DecidedSentence> {
    let Some(evidence) = &finding.evidence else {
        return vec![];
    };
    let telling = SystemTelling::logged(*report, report.property(finding), evidence, true);
    telling.because();
    for strand in strands(evidence) {
        rows(&telling, &strand);
    }
    for region in evidence.regions.iter() {
        telling.region(region);
    }
    badges(evidence, false, Some(&telling.judge));
    telling.judge.decided()
}

fn of_evidence(telling: &Telling<'_>) {
    let evidence = telling.evidence;
    if matches!(evidence.replay, Replay::Failed(_)) {
        return;
    }
    because(telling);
    answer(telling);
    shape_of(telling);
    checked_badges(telling);
    let excerpt = Excerpt::new(telling, &Manner::default());
    remarks(telling, &excerpt);
    for backward in [false, true] {
        sentences(telling, &excerpt, backward);
        for rules in [false, true] {
            let wording = Wording {
                rules,
                backward,
                full: true,
            };
            attached(telling, &excerpt, wording);
        }
    }
    let strands = strands(evidence);
    for group in groups(&strands).iter().skip(1) {
        group_name(telling, group);
        branch_claim(telling, group[0], false);
    }
    for region in evidence.regions.iter() {
        region_text(telling, region);
    }
    for node in evidence.proof.iter() {
        match node.rule {
            Some(Rule::EveryStep) => drop(every_successor(telling, node)),
            Some(Rule::Region(region)) => drop(by_region(telling, node, region)),
            _ => {}
        }
    }
    documented(telling, evidence);
}

/// What the JSON document says: claims of the proof, truth at each state, steps, and regions.
fn documented(telling: &Telling<'_>, evidence: &Evidence) {
    let say = |words: &str, assertion: Assertion| {
        let sentence = Sentence::from(words).asserting(assertion);
        telling.if_true(SentenceKind::Document, sentence);
    };
    for node in evidence.proof.iter().filter(|node| node.rule.is_some()) {
        telling.if_true(
            SentenceKind::Document,
            telling.claim_at(node.claim, node.at),
        );
    }
    for (at, occurrence) in evidence.occurrences.entries() {
        for sub in telling.query.formula.subs() {
            if let Some(holds) = occurrence.truth[sub] {
                let words = say!(
                    "{} {}",
                    formula(telling.sub(sub)),
                    if holds { "holds" } else { "is false" }
                );
                let asserted = Assertion::at(Goal { sub, holds }, at);
                telling.if_true(SentenceKind::Document, words.asserting(asserted));
            }
        }
    }
    for edge in &evidence.edges {
        let run = vec![edge.from, edge.to];
        let (keep, arrive) = (vec![], vec![]);
        say("a step", Assertion::Path { run, keep, arrive });
    }
    for (id, region) in evidence.regions.entries() {
        say("the cover of a region", Assertion::Described(id));
        let Claim::Formula(goal, _) = region.claim else {
            continue;
        };
        let which = match kernel(&telling.query.formula, goal) {
            // Of this one only the states that are fair count, whatever the path rule says.
            Kernel::Path(PathPattern { fair: true, .. }) => continue,
            Kernel::Path(PathPattern {
                goal: Some(goals), ..
            }) => StatesFrom::UpTo(goals),
            Kernel::Path(_) => StatesFrom::All,
            Kernel::Bounded(bounds, _) => StatesFrom::Within(bounds.most),
            _ => StatesFrom::Next,
        };
        let of = SaidStates {
            which,
            at: region.at,
            going_on: telling.query.rule.targets_have_paths(),
        };
        let size = region.size.clone();
        say("the size of a region", Assertion::Size { of, size });
    }
}
