//! The suspects of each failure: places with changes that mend it, then places that can mend it, then places of which nobody knows.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Run, Span};
use wherefore_blame::{FreedVerdict, TermUsers, TextPlaces};
use wherefore_evidence::{Blame, Hinge, Mend, PlacePower, Suspect, SuspectRole};
use wherefore_model::{ChangeKind, TextChange};

use super::asked::Purse;
use super::power::PlacePowers;
use super::{BlameEffort, MendSearch, Target, Trial};

/// At most so many pairs of places are told.
const PAIRS: usize = 3;

/// What the suspects of one failure are found with.
struct SuspectSearch<'s, 'a> {
    search: &'s MendSearch<'a>,
    target: usize,
    powers: PlacePowers<'s>,
    purse: &'s Purse,
    /// The lines that are told of, or that are known not to mend.
    lines: BTreeSet<usize>,
    blame: Blame,
}

impl MendSearch<'_> {
    /// The outcome for each target.
    pub(super) fn told(self, effort: BlameEffort, purse: &Purse) -> BTreeMap<usize, Blame> {
        let model = self.subject.model();
        let users = TermUsers::new(model);
        let places = TextPlaces::new(&users);
        let effort = effort.share_of(self.targets.len());
        let told = self.targets.iter().enumerate().map(|(at, target)| {
            let games = self.games(effort);
            let mut suspects = SuspectSearch {
                search: &self,
                target: at,
                powers: PlacePowers::new(&users, &places, self.lacks_runs, games),
                purse,
                lines: BTreeSet::new(),
                blame: target.blame.clone(),
            };
            suspects.mended();
            // What was found before the budget ended stays found.
            let searched = suspects.not_mended(&places, &users);
            if searched.is_ok() && effort.pairs {
                let _ = suspects.pairs();
            }
            let mut blame = suspects.blame;
            let role = |suspect: &Suspect| suspect.role;
            let power = |suspect: &Suspect| match suspect.role {
                SuspectRole::Hinges => Some(suspect.power),
                SuspectRole::Mends | SuspectRole::MendsAtACost => None,
            };
            // Of the same role and power the likeliest stay first.
            blame
                .suspects
                .sort_by_key(|suspect| (role(suspect), power(suspect)));
            (target.property, blame)
        });
        told.collect()
    }

    /// The line that a place begins on.
    fn line(&self, span: Span) -> usize {
        self.subject.sources().place(span).line
    }

    /// The expression that a change is about if it begins on the line of the change, otherwise what is replaced.
    fn shown_place(&self, change: &TextChange) -> Span {
        let same = self.line(change.place) == self.line(change.span);
        if same { change.place } else { change.span }
    }
}

impl SuspectSearch<'_, '_> {
    fn target(&self) -> &Target<'_> {
        &self.search.targets[self.target]
    }

    /// The places where a change mends the property, the best one of each line.
    fn mended(&mut self) {
        let property = self.target().property;
        let trials = self.search.trials.iter();
        let mut trials: Vec<&Trial> = trials
            .filter(|trial| trial.holds.contains(&property))
            .collect();
        trials.sort_by(|a, b| self.search.better(a, b));
        for trial in trials {
            let change = &self.search.changes[trial.change];
            if !self.lines.insert(self.search.line(change.span)) {
                continue;
            }
            let (role, power) = match trial.is_costly() {
                true => (SuspectRole::MendsAtACost, PlacePower::Mends),
                false => (SuspectRole::Mends, PlacePower::MendsAndKeeps),
            };
            self.blame.suspects.push(Suspect {
                span: self.search.shown_place(change),
                role,
                power,
                hinge: self.hinge(change.place),
                steps: vec![],
                mend: Some(Mend {
                    change: change.clone(),
                    holds: trial.holds.len(),
                    of: trial.decided,
                    breaks: trial.breaks.clone(),
                    open: trial.open.clone(),
                    vacuous: trial
                        .vacuous
                        .iter()
                        .flat_map(BTreeMap::keys)
                        .copied()
                        .collect(),
                    ends: trial.ends,
                    diverges: false,
                    loses: vec![],
                    also: vec![],
                }),
            });
        }
    }

    /// The places that no change mends and that are not excluded, and whether these are all.
    fn not_mended(&mut self, places: &TextPlaces<'_, '_>, users: &TermUsers<'_>) -> Run<()> {
        let search = self.search;
        let mut rest: Vec<usize> = (0..search.changes.len()).collect();
        rest.retain(|&change| search.open[change].contains(&self.target));
        // What is known not to mend says nothing for its line.
        let tried = |change: usize| search.tried[change];
        rest.sort_by(|&a, &b| tried(a).cmp(&tried(b)).then(search.likelier(a, b)));
        // The places of each line, in the order in which the likeliest change of each line comes.
        let mut order: Vec<usize> = Vec::new();
        let mut by_line: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for change in rest {
            let change = &search.changes[change];
            // Where a branch is missing nothing is written that could be to blame.
            if change.kind == ChangeKind::Branch {
                continue;
            }
            let line = search.line(change.span);
            let listed = by_line.entry(line).or_insert_with(|| {
                order.push(line);
                Vec::new()
            });
            let shown = search.shown_place(change);
            if !listed.contains(&shown) {
                listed.push(shown);
            }
        }
        let mut stop = Ok(());
        for line in order {
            if self.lines.contains(&line) {
                continue;
            }
            // Without time nothing is excluded any more, and the line is told of all the same.
            let power = match stop {
                Ok(()) => self.power_of_line(&by_line[&line]),
                Err(stop) => Err(stop),
            };
            let power = power.unwrap_or_else(|ended| {
                stop = Err(ended);
                Some((PlacePower::Open, by_line[&line][0]))
            });
            self.tell(line, power);
        }
        stop?;
        self.look_everywhere(places, users)?;
        self.who_keeps()
    }

    /// Tells of a line, if it can mend or if nobody knows.
    fn tell(&mut self, line: usize, power: Option<(PlacePower, Span)>) {
        self.lines.insert(line);
        if let Some((power, span)) = power {
            let hinge = self.hinge(span);
            self.blame.suspects.push(Suspect {
                span,
                role: SuspectRole::Hinges,
                power,
                hinge,
                steps: vec![],
                mend: None,
            });
        }
    }

    /// What the places of a line can do, and the place that can; `None` if it is nothing.
    fn power_of_line(&mut self, places: &[Span]) -> Run<Option<(PlacePower, Span)>> {
        let wanted = [self.target().property];
        let mut found = None;
        for &shown in places {
            match self.powers.of(shown, &wanted, self.purse)? {
                FreedVerdict::CanMend => match self.freed_on_line(shown, self.search.line(shown)) {
                    Some(freed) => return Ok(Some((PlacePower::Mends, freed))),
                    None => found = found.or(Some((PlacePower::Open, shown))),
                },
                FreedVerdict::Undecided => {
                    found = found.or(Some((PlacePower::Open, shown)));
                }
                FreedVerdict::CannotMend => {}
            }
        }
        Ok(found)
    }

    /// What was left free to find out what a place can do, if it begins on a line: it may be more than the place, as a name of
    /// a definition cannot be left free alone.
    fn freed_on_line(&mut self, place: Span, line: usize) -> Option<Span> {
        let freed = self.powers.freeable_around(place).first().copied();
        freed.filter(|&freed| self.search.line(freed) == line)
    }

    /// Looks at every place of the text, so that it can be said that there is no other.
    fn look_everywhere(&mut self, places: &TextPlaces<'_, '_>, users: &TermUsers<'_>) -> Run<()> {
        let wanted = [self.target().property];
        let file = self.search.subject.file();
        let mut all_known = true;
        for (span, terms) in places.all() {
            if self.powers.is_spent() {
                all_known = false;
                break;
            }
            let line = self.search.line(span);
            let told = self.blame.suspects.iter();
            let is_told = told.into_iter().any(|s| self.search.line(s.span) == line);
            let behaves = || terms.iter().any(|&term| users.is_behaviour(term));
            if span.file != file || is_told || !behaves() {
                continue;
            }
            match self.powers.of(span, &wanted, self.purse)? {
                FreedVerdict::CanMend => match self.freed_on_line(span, line) {
                    Some(freed) => self.tell(line, Some((PlacePower::Mends, freed))),
                    None => all_known = false,
                },
                FreedVerdict::CannotMend => {}
                FreedVerdict::Undecided => all_known = false,
            }
        }
        let open = |suspect: &Suspect| suspect.power == PlacePower::Open;
        self.blame.no_others = all_known && !self.blame.suspects.iter().any(open);
        Ok(())
    }

    /// Finds which of the places that can mend can keep what holds, too.
    fn who_keeps(&mut self) -> Run<()> {
        let mut wanted: BTreeSet<usize> = self.search.held.clone();
        wanted.insert(self.target().property);
        let wanted: Vec<usize> = wanted.into_iter().collect();
        for at in 0..self.blame.suspects.len() {
            let suspect = &self.blame.suspects[at];
            if suspect.power == PlacePower::Mends && suspect.role == SuspectRole::Hinges {
                let verdict = self.powers.of(suspect.span, &wanted, self.purse)?;
                if verdict == FreedVerdict::CanMend {
                    self.blame.suspects[at].power = PlacePower::MendsAndKeeps;
                }
            }
        }
        Ok(())
    }

    /// Finds pairs of places that can mend together where neither can alone.
    fn pairs(&mut self) -> Run<()> {
        let wanted = [self.target().property];
        let mut whole: BTreeSet<Span> = BTreeSet::new();
        for change in &self.search.changes {
            whole.extend(self.powers.freeable_around(change.place).last());
        }
        let mut weak: Vec<Span> = Vec::new();
        for span in whole {
            if self.powers.decide(&[span], &wanted, self.purse)? == FreedVerdict::CannotMend {
                weak.push(span);
            }
        }
        for (at, &first) in weak.iter().enumerate() {
            for &second in &weak[at + 1..] {
                if self.blame.pairs.len() == PAIRS {
                    return Ok(());
                }
                let both = self.powers.decide(&[first, second], &wanted, self.purse)?;
                if both == FreedVerdict::CanMend {
                    let first = self.smaller(first, second)?;
                    let second = self.smaller(second, first)?;
                    // Two places may have parts in common.
                    if !self.blame.pairs.contains(&(first, second)) {
                        self.blame.pairs.push((first, second));
                    }
                }
            }
        }
        Ok(())
    }

    /// The smallest part of a place that can mend together with another place.
    fn smaller(&mut self, place: Span, with: Span) -> Run<Span> {
        let wanted = [self.target().property];
        let places = self.search.changes.iter().map(|change| change.place);
        let within = places.filter(|part| {
            part.file == place.file && place.start <= part.start && part.end <= place.end
        });
        let parts: BTreeSet<Span> = within
            .filter_map(|part| self.powers.freeable_around(part).first().copied())
            .collect();
        let mut parts: Vec<Span> = parts.into_iter().collect();
        parts.sort_by_key(|part| (part.end - part.start, part.start));
        for part in parts {
            let both = self.powers.decide(&[part, with], &wanted, self.purse)?;
            if both == FreedVerdict::CanMend {
                return Ok(part);
            }
        }
        Ok(place)
    }

    /// Where the counterexample hinges on a place first.
    fn hinge(&self, span: Span) -> Option<Hinge> {
        let hinges = self.target().hinges.as_ref()?;
        let (terms, values) = self.powers.values(span)?;
        hinges.hinge(&terms, &values)
    }
}
