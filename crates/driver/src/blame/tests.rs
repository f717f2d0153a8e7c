//! What is excluded mends nothing, and what mends is found.

use wherefore_base::Budget;
use wherefore_blame::{FreedVerdict, TermUsers, TextPlaces};
use wherefore_evidence::{Finding, Note, PlacePower, SuspectRole, Verdict};

use super::asked::Purse;
use super::power::PlacePowers;
use super::{BlameEffort, MendSearch, blame};
use crate::engines::{Event, Job};
use crate::subjects::model::ModelSubject;

const LAMP: &str = "MODULE main
VAR lamp : {off, on, broken}; power : boolean; turns : 0..2;
DEFINE works := power & lamp != broken;
ASSIGN
  init(lamp) := off;
  next(lamp) := case
    lamp = off & works : on;
    lamp = on & !power : broken;
    lamp = on          : {on, off};
    TRUE               : lamp;
  esac;
  init(power) := TRUE;
  next(power) := {TRUE, FALSE};
  init(turns) := 0;
  next(turns) := case
    lamp = on & turns < 2 : turns + 1;
    TRUE : turns;
  esac;
INVARSPEC NAME whole := lamp != broken
CTLSPEC NAME few := AG turns < 2
CTLSPEC NAME again := AG AF lamp = off
LTLSPEC NAME quiet := F G lamp = off
CTLSPEC NAME possible := EF lamp = on
";

fn findings(subject: &ModelSubject) -> (Vec<Finding>, bool) {
    let (mut found, mut ends) = (Vec::new(), false);
    subject.check_all(
        &Job::default(),
        &Budget::unlimited(),
        &mut |event| match event {
            Event::Finding(finding) => found.push(*finding),
            Event::Space(space) => {
                ends = space.notes.iter().any(|note| {
                    matches!(
                        note,
                        Note::Deadlocks { .. } | Note::NoFairState(_) | Note::NoInitialState
                    )
                });
            }
            Event::Rejected(_) => {}
        },
    );
    (found, ends)
}

fn failing(findings: &[Finding]) -> Vec<&Finding> {
    let failing = findings.iter().filter(|f| f.verdict == Verdict::Fails);
    failing.collect()
}

#[test]
fn changes_at_excluded_places_mend_nothing() {
    let elevator = include_str!("../../../../examples/elevator.smv");
    let philosophers = include_str!("../../../../examples/philosophers.smv");
    let (mut excluded, mut tried) = (0, 0);
    for text in [LAMP, elevator, philosophers] {
        let subject = ModelSubject::from_text("model.smv", text).expect("the text is right");
        let (found, _) = findings(&subject);
        let failing = failing(&found);
        let mut search = MendSearch::new(&subject, &failing);
        let excluded_by = search.exclude(u64::MAX, &Budget::unlimited());
        excluded_by.expect("there is time");
        for (at, change) in search.changes.iter().enumerate() {
            tried += search.open[at].len();
            if search.open[at].len() == search.targets.len() {
                continue;
            }
            let changed = subject.changed(change, &Budget::unlimited());
            let Ok(Some(changed)) = changed else { continue };
            let (after, ends) = findings(&changed);
            for (target_at, target) in search.targets.iter().enumerate() {
                if search.open[at].contains(&target_at) {
                    continue;
                }
                let verdict = after.iter().find(|f| f.property == target.property);
                // Where runs end, those that do turns no more.
                let fails = verdict.is_none_or(|f| f.verdict == Verdict::Fails) || ends;
                assert!(fails, "{}: {change:?}", subject.changed_text(change));
                excluded += 1;
            }
        }
    }
    assert!(excluded > 200 && tried > 300, "{excluded} {tried}");
}

#[test]
fn no_change_mends_where_a_place_is_said_to_be_unable_to() {
    let protocol = include_str!("../../../../examples/protocol.smv");
    let crossing = include_str!("../../../../examples/crossing.smv");
    let slips = [LAMP, protocol, crossing];
    let (mut able, mut unable) = (0, 0);
    for text in slips {
        let subject = ModelSubject::from_text("model.smv", text).expect("the text is right");
        let (found, _) = findings(&subject);
        let failing = failing(&found);
        let budget = Budget::unlimited();
        let mut search = MendSearch::new(&subject, &failing);
        let mut purse = Purse::new(BlameEffort::ASKED, &budget);
        let searched = search.run(&found, BlameEffort::ASKED, &mut purse, &budget);
        searched.expect("there is time");
        let users = TermUsers::new(subject.model());
        let places = TextPlaces::new(&users);
        let games = search.games(BlameEffort::ASKED);
        let mut powers = PlacePowers::new(&users, &places, search.lacks_runs, games);
        for target in &search.targets {
            let wanted = [target.property];
            for trial in &search.trials {
                let change = &search.changes[trial.change];
                if trial.holds.contains(&target.property) && !trial.ends {
                    let power = powers.of(change.place, &wanted, &purse);
                    assert_ne!(power, Ok(FreedVerdict::CannotMend), "{change:?}");
                    able += 1;
                }
            }
            for change in &search.changes {
                let power = powers.of(change.place, &wanted, &purse);
                unable += usize::from(power == Ok(FreedVerdict::CannotMend));
            }
        }
    }
    assert!(able > 20 && unable > 20, "{able} {unable}");
}

#[test]
fn a_slip_is_found_where_it_was_made() {
    let right = include_str!("../../../../examples/elevator.smv");
    let slips = [
        ("floor = 3 & btn3.r);", "floor = 2 & btn3.r);", "rest"),
        (
            "below                    : down;",
            "below                    : up;",
            "home",
        ),
    ];
    for (good, bad, property) in slips {
        let text = right.replacen(good, bad, 1);
        assert_ne!(text, right, "the slip is made");
        let line = 1 + text[..text.find(bad).expect("it stands there")]
            .matches('\n')
            .count();
        let subject = ModelSubject::from_text("model.smv", text).expect("the text is right");
        let (found, _) = findings(&subject);
        let blamed = blame(&subject, &found, BlameEffort::SHARE, &Budget::unlimited());
        let at = subject.find_property(property, None).expect("it is there");
        let first = &blamed[&at].suspects[0];
        assert_eq!(subject.sources().place(first.span).line, line, "{property}");
        assert_eq!(first.role, SuspectRole::Mends);
        let mend = first.mend.as_ref().expect("it has a change");
        assert_eq!(subject.changed_text(&mend.change), right);
    }
}

#[test]
fn what_nobody_looked_at_is_not_excluded() {
    let subject = ModelSubject::from_text("model.smv", LAMP).expect("the text is right");
    let (found, _) = findings(&subject);
    let failing = failing(&found);
    let mut search = MendSearch::new(&subject, &failing);
    // The budget ends before the first place is looked at.
    let ended = Budget::unlimited().counted(0);
    assert!(search.exclude(u64::MAX, &ended).is_err());
    assert!(!search.changes.is_empty());
    for (at, target) in search.targets.iter().enumerate() {
        assert_eq!(target.blame.excluded, 0);
        assert!(search.open.iter().all(|open| open.contains(&at)));
    }
}

#[test]
fn what_was_not_decided_with_a_change_is_not_counted_as_kept_or_broken() {
    // A formula whose automaton is large, next to one that is decided at once.
    let untils = (0..6).map(|n| format!("(turns = {} U lamp = on)", n % 3));
    let many: Vec<String> = untils
        .map(|until| format!("F ({until} & X F {until})"))
        .collect();
    let text = format!(
        "{LAMP}LTLSPEC NAME hard := G (lamp in {{off, on, broken}}) | {}\n",
        many.join(" & ")
    );
    let subject = ModelSubject::from_text("model.smv", text).expect("the text is right");
    let (found, _) = findings(&subject);
    let failing = failing(&found);
    let hard = subject.find_property("hard", None).expect("it is there");
    let (mut open, mut decided) = (0, 0);
    for listing in [1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000] {
        let effort = BlameEffort {
            listing,
            ..BlameEffort::SHARE
        };
        let budget = Budget::unlimited();
        let mut search = MendSearch::new(&subject, &failing);
        let mut purse = Purse::new(effort, &budget);
        let _ = search.run(&found, effort, &mut purse, &budget);
        assert!(search.held.contains(&hard));
        for trial in &search.trials {
            for held in &search.held {
                let known = [
                    trial.holds.contains(held),
                    trial.breaks.contains(held),
                    trial.open.contains(held),
                ];
                let places = known.into_iter().filter(|&known| known).count();
                assert_eq!(places, 1, "{held} is in one of these: {known:?}");
            }
            assert!(trial.decided >= trial.holds.len() + trial.breaks.len());
            assert!(trial.decided + trial.open.len() <= search.decided.len());
            assert!(trial.open.is_empty() || trial.is_costly());
            open += trial.open.len();
            decided += usize::from(trial.holds.contains(&hard));
        }
    }
    assert!(open > 0 && decided > 0, "{open} {decided}");
}

#[test]
fn what_is_said_to_mend_is_what_was_left_free() {
    // The pump is never switched on. Another condition in the place of `low` does not help, another branch does.
    let text = "\
MODULE main
VAR
  level : 0..7;
  pump : {off, on};
IVAR rain : boolean;
DEFINE
  high := level >= 6;
  low := level <= 1;
ASSIGN
  init(level) := 3;
  init(pump) := off;
  next(level) := case
    rain & pump = off & level < 7 : level + 1;
    !rain & pump = on & level > 0 : level - 1;
    TRUE : level;
  esac;
  next(pump) := case
    high : off;
    low : off;
    TRUE : pump;
  esac;
CTLSPEC AG level < 7
";
    let subject = ModelSubject::from_text("model.smv", text).expect("the text is right");
    let (found, _) = findings(&subject);
    let blamed = blame(&subject, &found, BlameEffort::ASKED, &Budget::unlimited());
    let suspects = &blamed[&0].suspects;
    let able = suspects.iter().filter(|suspect| suspect.mend.is_none());
    let able: Vec<&str> = able
        .filter(|suspect| suspect.power < PlacePower::Open)
        .map(|suspect| &text[suspect.span.start as usize..suspect.span.end as usize])
        .collect();
    assert!(able.contains(&"low : off"), "{able:?}");
    let users = TermUsers::new(subject.model());
    let places = TextPlaces::new(&users);
    for suspect in suspects.iter().filter(|suspect| suspect.hinge.is_some()) {
        let around = places.around(suspect.span);
        assert_eq!(around[0].0, suspect.span, "the value is that of the place");
    }
}
