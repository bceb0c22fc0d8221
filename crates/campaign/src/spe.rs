//! Variants of small programs of smith's: skeletal program enumeration for who has no programs to begin with.
//!
//! Each test is another program and one of its variants. Most variants of a program are undefined: some are drawn until
//! one is defined, and in some tests the first one drawn is taken whatever it means, for compilers must survive those too.

use howler_case::options::{Kind, Opt, Table, Values};
use howler_case::{Behaviour, Case, Generator, Origin, Technique};
use howler_choices::Choices;
use howler_lang::diag::Severity;
use howler_lang::link;
use howler_lang::print::Includes;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::{Input, Judge, Limits, Machine};
use howler_smith as smith;
use howler_spe::c::{self, CProgram};
use howler_spe::sample::Shuffled;
use howler_spe::space::Space;
use howler_spe::template::{Renderer, Template};

/// Spe, as it is known by name.
pub const TECHNIQUE: Technique = Technique {
    name: "spe",
    about: "variants of small programs: the same program with its variables used in another way",
    options: TABLE,
    sizes: &[],
    extensions: smith::TECHNIQUE.extensions,
    settle: |_| {},
    generator: |values| Ok(Box::new(Variants::of(values)?)),
};

/// What spe can be told when it starts from the files of a folder.
pub const FROM: Table = Table(&[
    Opt {
        key: "files",
        kind: Kind::Number { default: 1000, limits: (1, 1_000_000) },
        help: "with --from: files that are looked at, drawn by the seed, small ones first",
    },
    Opt {
        key: "limit",
        kind: Kind::Number { default: 10_000, limits: (1, 1_000_000_000) },
        help: "with --from: variants of one file at most, drawn evenly if it has more",
    },
]);

/// What programs may have is smith's affair.
const WITH: Opt = smith::TECHNIQUE.options.0[1];

const TABLE: Table = Table(&[
    Opt {
        key: "size",
        kind: Kind::Range { default: (60, 300), limits: (10, 10_000) },
        help: "tokens of a program, about",
    },
    WITH,
    Opt {
        key: "tries",
        kind: Kind::Number { default: 8, limits: (1, 1000) },
        help: "variants that are judged until one is defined",
    },
    Opt {
        key: "undefined",
        kind: Kind::Number { default: 25, limits: (0, 100) },
        help: "of a hundred tests, how many take the first variant, whatever it means",
    },
]);

/// Steps that a variant may take: one that loops for ever is soon given up.
const STEPS: u64 = 1_000_000;

/// What its options say.
struct Variants {
    smith: smith::Options,
    tries: u64,
    undefined: u32,
}

impl Variants {
    fn of(values: &Values) -> Result<Variants, String> {
        let Kind::Set { only, members, .. } = WITH.kind else {
            return Err("smith has no features".to_owned());
        };
        let (least, most) = values.range("size");
        let chosen = members.iter().zip(values.set_of(WITH.key)).filter(|(_, on)| **on);
        let mut names: Vec<&str> = chosen.map(|(member, _)| member.name).collect();
        // A variant is one text.
        names.retain(|&name| name != "units");
        let words = [format!("size={least}..{most}"), format!("{only}={}", names.join(","))];
        let read = smith::TECHNIQUE.options.read(words).map_err(|error| error.to_string())?;
        Ok(Variants {
            smith: smith::Options::of(&read),
            tries: values.number("tries"),
            // The table has the limit.
            undefined: u32::try_from(values.number("undefined")).unwrap_or(0),
        })
    }
}

impl Generator for Variants {
    fn generate(&self, target: Target, choices: &mut Choices, origin: Origin) -> Case {
        let machine = Machine { limits: Limits { steps: STEPS, ..Limits::default() }, ..Machine::default() };
        let made = smith::judged(&self.smith, target, &choices.sub("program"), &machine);
        // What is judged is the text, which needs no preprocessor.
        let options = c::Options { includes: Includes::Expand, ..c::Options::default() };
        let template = CProgram::new(&made.program, 0, options);
        let space = template.skeleton().ok().and_then(|skeleton| Space::new(skeleton).ok());
        let mut drawing = choices.sub("variant");
        let any = drawing.chance("any", self.undefined, 100);
        let mut best: Option<(String, Option<Behaviour>)> = None;
        if let Some(space) = space {
            let shuffled = Shuffled::new(space.count().clone(), &mut drawing);
            for place in 0..self.tries {
                let Some(number) = shuffled.get(&place.into()) else { break };
                let Some(filled) = space.unrank(&number) else { break };
                let text = Renderer::new(&template, &filled).text().to_owned();
                let behaviour = behaviour(&machine, target, &text);
                let found = behaviour.is_some();
                if best.is_none() || found {
                    best = Some((text, behaviour));
                }
                if found || any {
                    break;
                }
            }
        }
        // What cannot be counted is a test all the same.
        let (text, behaviour) = best.unwrap_or_else(|| (template.text().to_owned(), made.behaviour));
        let mut case = Case::new("test.c", text, target.std, origin);
        if let Some(behaviour) = behaviour {
            case.expect(target, behaviour);
        }
        case
    }
}

/// What a text does, if every compiler must make it do that.
fn behaviour(machine: &Machine, target: Target, text: &str) -> Option<Behaviour> {
    let mut program = Program::new(target);
    let front = howler_front::Options { pedantic_errors: false };
    let report = howler_front::parse(&mut program, "test.c", text.into(), &front);
    let mut said = report.diagnostics.into_iter().chain(link::link(&mut program));
    if said.any(|one| one.severity >= Severity::Unsupported) {
        return None;
    }
    machine.behaviour(&program, Input::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(words: &[&str], count: u64) -> Vec<Case> {
        let values = TABLE.read(words).unwrap();
        let generator = Variants::of(&values).unwrap();
        let origin = |index| Origin { arm: "spe".to_owned(), version: "0".to_owned(), seed: 1, index };
        let choices = Choices::new(1);
        (0..count)
            .map(|index| {
                let mut choices = choices.sub_indexed("test", index);
                generator.generate(Target::X86_64_GCC, &mut choices, origin(index))
            })
            .collect()
    }

    #[test]
    fn what_programs_may_have_is_smiths_option() {
        assert_eq!(WITH.key, "with");
        let Kind::Set { members, .. } = WITH.kind else { panic!("{WITH:?}") };
        assert!(members.iter().any(|member| member.name == "units"));
    }

    #[test]
    fn the_same_choices_make_the_same_variant() {
        assert_eq!(cases(&[], 5), cases(&[], 5));
    }

    /// With patience most tests are defined, and what they are expected to do is known.
    #[test]
    fn most_variants_are_defined_if_that_is_wanted() {
        let defined = |words: &[&str]| {
            cases(words, 40).iter().filter(|case| case.expected_on(Target::X86_64_GCC).is_some()).count()
        };
        let (patient, hasty) = (defined(&["undefined=0", "tries=20"]), defined(&["undefined=100"]));
        assert!(patient >= 20 && patient > hasty, "{patient} and {hasty} of 40");
    }
}
