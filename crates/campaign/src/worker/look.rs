//! What a worker does about something seen: it is made small, looked at twice, and kept.

use std::sync::atomic::Ordering;

use howler_case::{Case, Status};
use howler_oracle::finding::Finding;
use howler_oracle::interesting::{Answer, Interesting};
use howler_oracle::lab::Configuration;
use howler_oracle::sighting::{Kind, Sighting};
use howler_toolchain::guard::GuardError;

use super::keep::{Noted, noted};
use super::small::{Small, lines};
use super::{WorkError, Worker, locked, one_line};
use crate::known::{Claim, Place};
use crate::setup::Arm;
use crate::status::Event;
use crate::{subset, swarm};

impl Worker<'_> {
    /// Deals with something seen: the first of its signature is confirmed and kept. Gives what is
    /// recorded of it.
    pub(super) fn sighted(
        &mut self,
        arm: &Arm,
        case: &Case,
        sighting: &Sighting,
        configurations: &[Configuration],
    ) -> Result<Noted, WorkError> {
        let index = case.origin.index;
        let (large, seen) = (case, sighting);
        let (small, mut note) = self.small(arm, case, sighting, configurations)?;
        let (case, sighting) =
            small.as_ref().map_or((case, sighting), |small| (&small.case, &small.sighting));
        let mut noted = noted(sighting, case)?;
        let signature = sighting.signature.id();
        let place = Place { suspect: sighting.suspect, arm: arm.row.id(), index };
        let claim = locked(&self.shared.known).claim(signature, place);
        if claim == Claim::Counted {
            self.tell(Event::SeenAgain { signature });
            return Ok(noted);
        }
        self.working(one_line(&format!("confirming: {}", sighting.detail)));
        let mut finding = self.confirmed(case, sighting, configurations)?;
        if sighting.kind == Kind::WrongCode {
            if small.is_some() && finding.status == Status::Flaky {
                let of_large = Sighting { signature: sighting.signature.clone(), ..seen.clone() };
                let again = self.confirmed(large, &of_large, configurations)?;
                if again.status == Status::Confirmed {
                    note = Some("a smaller program did not show it every time".to_owned());
                    finding = again;
                }
            }
        } else if matches!(finding.status, Status::Confirmed | Status::Suspect) {
            // What a compiler says when it fails is known before: only what is kept is made small.
            match self.reduced(case, sighting, configurations)? {
                Ok(small) => {
                    self.working(one_line(&format!("confirming: {}", sighting.detail)));
                    let again = self.confirmed(&small.case, &small.sighting, configurations)?;
                    let same = again.sighting.signature.id() == finding.sighting.signature.id();
                    if same && again.status == finding.status {
                        (finding, note) = (again, Some(small.note));
                    } else {
                        note = Some("not made smaller: what was left did not show it every time".to_owned());
                    }
                }
                Err(why) => note = Some(format!("not made smaller: {why}")),
            }
        }
        if finding.case.files != large.files {
            finding.original.clone_from(&large.files);
        }
        finding.notes.splice(0..0, note);
        self.working(String::new());
        let is_news = self.keep(arm, index, &finding)?;
        // Whatever that was, it does not stand for the signature: the next sighting of it may.
        let stands = matches!(finding.status, Status::Confirmed | Status::Suspect);
        let missed = !stands || finding.sighting.signature.id() != signature;
        if missed && claim == Claim::First {
            locked(&self.shared.known).missed(signature);
        }
        noted.is_new = is_news && claim == Claim::First && stands;
        Ok(noted)
    }

    /// Wrong code is made small before anybody asks whether it is known: what is left tells bugs apart better than which
    /// configurations fail. Each is, however many there are: what is recorded of a test must not depend on the tests before
    /// it. With what is to be told of it.
    fn small(
        &mut self,
        arm: &Arm,
        case: &Case,
        sighting: &Sighting,
        configurations: &[Configuration],
    ) -> Result<(Option<Small>, Option<String>), WorkError> {
        if sighting.kind != Kind::WrongCode {
            return Ok((None, None));
        }
        if !arm.source.minimises() {
            return Ok(match self.reduced(case, sighting, configurations)? {
                Ok(small) => {
                    let note = small.note.clone();
                    (Some(small), Some(note))
                }
                Err(why) => (None, Some(format!("not made smaller: {why}"))),
            });
        }
        let done = self.minimised(arm, case.origin.index, sighting, configurations)?;
        Ok(done.map_or((None, None), |(small, seen)| {
            let note = format!("made smaller from {} lines to {}", lines(&case.files), lines(&small.files));
            (Some(Small { case: small, sighting: seen, note: note.clone() }), Some(note))
        }))
    }

    /// The same for a source that knows how.
    fn minimised(
        &mut self,
        arm: &Arm,
        index: u64,
        sighting: &Sighting,
        configurations: &[Configuration],
    ) -> Result<Option<(Case, Sighting)>, WorkError> {
        if sighting.suspect {
            return Ok(None);
        }
        let shows = configurations.iter().filter(|one| sighting.configurations.contains(&one.name));
        // One is enough, and the cheapest is the first.
        let Some(one) = shows.clone().next().cloned() else { return Ok(None) };
        self.working(one_line(&format!("minimising: {}", sighting.detail)));
        let question = Interesting::of(sighting, vec![one], self.shared.cancelled);
        let mut failure = None;
        let lab = &mut self.lab;
        let fails = &mut |case: &Case| match question.ask(lab, case) {
            Ok(answer) => answer.is_yes(),
            Err(error) => {
                failure = Some(error);
                false
            }
        };
        let recipe = self.shared.setup.recipe();
        let small = arm.source.minimise(recipe, index, fails, self.shared.cancelled);
        if let Some(error) = failure {
            return Err(error.into());
        }
        // Half of a minimisation would make it another test: it is done again the next time.
        if self.shared.cancelled.load(Ordering::SeqCst) {
            return Err(GuardError::Ended.into());
        }
        self.working(String::new());
        let Some(small) = small else { return Ok(None) };
        let shows: Vec<Configuration> = shows.cloned().collect();
        let examined = self.lab.examine(&small.case, &shows)?;
        let seen = examined.sightings.into_iter().find(|seen| seen.kind == sighting.kind);
        Ok(seen.map(|mut seen| {
            seen.signature = howler_oracle::signature::pattern(
                &seen.family,
                (&small.pattern, &small.gist),
                &seen.configurations,
            );
            (small.case, seen)
        }))
    }

    /// Looks twice. Random flags are cut down to those that matter first.
    fn confirmed(
        &mut self,
        case: &Case,
        sighting: &Sighting,
        configurations: &[Configuration],
    ) -> Result<Finding, WorkError> {
        let shows: Vec<&Configuration> =
            configurations.iter().filter(|one| sighting.configurations.contains(&one.name)).collect();
        let standard = |one: &&Configuration| {
            self.shared.setup.configurations.iter().any(|known| known.name == one.name)
        };
        // Of an extra's flags all were chosen by the user but one, which is the question.
        let extra = |one: &&Configuration| self.shared.setup.extras.iter().any(|extras| extras.offers(one));
        if shows.is_empty() || shows.iter().any(|one| standard(one) || extra(one)) {
            return Ok(self.lab.confirm(case, sighting, configurations)?);
        }
        let (small, sighting) = self.fewer_flags(case, sighting, shows[0])?;
        Ok(self.lab.confirm(case, &sighting, &[small])?)
    }

    /// The configuration with the fewest flags that shows the same kind of thing, and what it shows.
    fn fewer_flags(
        &mut self,
        case: &Case,
        sighting: &Sighting,
        configuration: &Configuration,
    ) -> Result<(Configuration, Sighting), WorkError> {
        let fixed = self.shared.setup.fixed_flags(&configuration.configured.compiler.name);
        let drawn = swarm::groups(&configuration.configured.flags[fixed.len()..]);
        let mut failure = None;
        let mut best = (configuration.clone(), sighting.clone());
        let question = Interesting::of(sighting, Vec::new(), self.shared.cancelled);
        subset::smallest(&drawn, |part| {
            let mut one = configuration.clone();
            one.set_flags(fixed.iter().chain(part.iter().flatten()).cloned().collect());
            match question.ask_under(&mut self.lab, case, std::slice::from_ref(&one)) {
                Ok(Answer::Yes(Some(mut seen))) => {
                    // The name in the store is that of the test's own sighting, found in every shard alike.
                    seen.signature = sighting.signature.clone();
                    best = (one, *seen);
                    true
                }
                Ok(_) => false,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(best),
        }
    }
}
