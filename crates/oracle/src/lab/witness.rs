//! Compilers that are asked what a program does because somebody will ask: gcc and clang without optimisation, hunted or
//! not. What they say convicts nobody.

use howler_case::Case;
use howler_toolchain::compiler::Family;
use howler_toolchain::guard::Finished;

use crate::classify::{Compiled, Ran, ran};
use crate::finding::{Finding, KEPT, Witness};
use crate::judge::Judgements;
use crate::lab::build;
use crate::lab::{Configuration, Lab, LabError, behaviour};
use crate::sighting::Kind;

impl Lab {
    /// Asks each family's compiler: one of the hunt if it has any, otherwise what this machine calls by the plain name.
    pub(super) fn add_witnesses(
        &mut self,
        finding: &mut Finding,
        case: &Case,
        judgements: &Judgements,
        configurations: &[Configuration],
    ) -> Result<(), LabError> {
        for family in [Family::Gcc, Family::Clang] {
            let Some(witness) = self.witness(family, configurations) else { continue };
            let Some(target) = witness.target_for(case) else { continue };
            let of_its_own = match judgements.targets.get(&target) {
                Some(_) => None,
                None => Some(self.judge_again(case, std::slice::from_ref(&witness))),
            };
            let judged = of_its_own.as_ref().unwrap_or(judgements).targets.get(&target);
            let Some(expected) = behaviour(judged) else { continue };
            let kind = finding.sighting.kind;
            let seen = self.once(case, &witness, &finding.files, judged, kind)?;
            let (agrees, same, did) = match (&seen.compiled, &seen.run) {
                (Compiled::Reject(_), _) if kind == Kind::Reject => (false, true, "rejects it".to_owned()),
                (Compiled::Built, _) if kind == Kind::Reject => (true, false, "takes it".to_owned()),
                (Compiled::Built, Some(run)) => match ran(expected, run) {
                    Ran::Right => (true, false, run.end.to_string()),
                    Ran::Wrong(difference) => (false, does_the_same(finding, run), difference.to_string()),
                    Ran::Untried(_) => continue,
                },
                _ => continue,
            };
            let compiler = &witness.configured.compiler;
            finding.witnesses.push(Witness {
                family: family.name().to_owned(),
                configuration: witness.name.clone(),
                version: format!("{} ({})", compiler.version, compiler.triple),
                agrees,
                same,
                did,
            });
        }
        Ok(())
    }

    fn witness(&mut self, family: Family, configurations: &[Configuration]) -> Option<Configuration> {
        let of_family = |known: &&Configuration| {
            known.configured.compiler.family == family && known.target.is_some() && build::can_run(known)
        };
        if let Some(known) = configurations.iter().find(of_family) {
            let mut plain = known.clone();
            let machine = |flag: &String| flag.starts_with("-m") || flag == "-funsigned-char";
            let mut flags: Vec<String> =
                known.configured.flags.iter().filter(|flag| machine(flag)).cloned().collect();
            flags.insert(0, "-O0".to_owned());
            plain.set_flags(flags);
            return Some(plain);
        }
        let known = self.witnesses.entry(family.name()).or_insert_with(|| {
            let found = names(family).into_iter().find_map(|name| {
                let found = Configuration::parse(&format!("{name} -O0")).ok()?;
                (found.configured.compiler.family == family && build::can_run(&found)).then_some(found)
            });
            found.filter(|found| found.target.is_some())
        });
        known.clone()
    }
}

/// Whether a program ran as the finding's own did.
fn does_the_same(finding: &Finding, run: &Finished) -> bool {
    let shown = finding.attempts.first();
    let kept = &run.stdout[..run.stdout.len().min(KEPT)];
    shown.is_some_and(|shown| {
        shown.program_end.as_deref() == Some(run.end.to_string().as_str()) && shown.output == kept
    })
}

/// Whether nobody but the machine says what it says: no compiler that was asked agrees with it, and one of another family
/// does what the finding's does. With one family that can be asked nobody knows.
pub(super) fn is_disputed(finding: &Finding) -> bool {
    let family = &finding.sighting.family;
    let other = |witness: &&Witness| witness.family != *family;
    let nobody = !finding.witnesses.iter().any(|witness| witness.agrees);
    nobody && finding.witnesses.iter().filter(other).any(|witness| witness.same)
}

/// What a family's compiler is called where nobody said which: the plain name, then those with a number, the newest first.
fn names(family: Family) -> Vec<String> {
    let plain = family.name();
    let numbered = (8..40).rev().map(|number| format!("{plain}-{number}"));
    std::iter::once(plain.to_owned()).chain(numbered).collect()
}
