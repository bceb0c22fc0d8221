//! `campaign.toml`: what a hunt does, as data.
//!
//! The file is written by the first hunt in a folder and may be edited. Nothing here looks at the machine it runs on:
//! which compilers exist is asked elsewhere.

use howler_lang::target::Std;
use serde::{Deserialize, Serialize};

/// What a hunt does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Spec {
    /// Which form of this file it is.
    #[serde(default = "default_version")]
    pub version: u64,
    /// All chance of the campaign comes from here.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// The standard that programs are written in, as `-std=` names it.
    #[serde(default = "default_std")]
    pub std: String,
    /// Steps that the machine gives a program.
    #[serde(default = "default_steps")]
    pub steps: u64,
    /// Seconds that a compiler may take for one program.
    #[serde(default = "default_compile_seconds")]
    pub compile_seconds: u64,
    /// Of a hundred tests, how many also get random optimisation flags.
    #[serde(default = "default_swarm")]
    pub swarm: u8,
    /// Of a hundred tests, how many also get one configuration with `-g`, link-time optimisation or a profile for each
    /// compiler.
    #[serde(default = "default_extras")]
    pub extras: u8,
    /// Whether volatile accesses of programs are traced: those to scalars of file scope, on x86-64, of gcc and clang.
    #[serde(default)]
    pub trace_volatile: bool,
    /// Megabytes that the campaign's folder may take.
    #[serde(default = "default_quota")]
    pub quota_megabytes: u64,
    /// The compilers under test.
    #[serde(default, rename = "compiler")]
    pub compilers: Vec<CompilerSpec>,
    /// Where programs come from.
    #[serde(default, rename = "generator")]
    pub generators: Vec<GeneratorSpec>,
}

/// One compiler and the ways it is used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CompilerSpec {
    /// How to call it, as in a shell: `clang-16 -march=native`.
    pub command: String,
    /// Flags of each configuration, one string each; empty is the standard levels.
    #[serde(default)]
    pub levels: Vec<String>,
    /// What runs its binaries, for another machine's: `qemu-aarch64 -L /usr/aarch64-linux-gnu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
}

/// One source of programs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "kind")]
pub enum GeneratorSpec {
    /// A technique of Howler's own.
    Technique {
        /// Its name in the registry.
        name: String,
        /// Its options, as `key=value`.
        #[serde(default)]
        options: Vec<String>,
    },
    /// A program that writes a C program to standard output. `{seed}` stands for a number.
    Command {
        /// What to call it.
        name: String,
        /// The command, as in a shell.
        command: String,
        /// Folders its programs include from.
        #[serde(default)]
        include: Vec<String>,
    },
    /// The files of a folder with their variables used in other ways.
    Siblings {
        /// The folder.
        folder: String,
        /// What is taken of it, as `key=value`.
        #[serde(default)]
        options: Vec<String>,
        /// Folders its programs include from, after their own.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        include: Vec<String>,
    },
    /// A folder of C files, each a test.
    Corpus {
        /// The folder.
        folder: String,
        /// Folders its programs include from, after their own.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        include: Vec<String>,
    },
    /// Variants of the programs of another source that must do the same.
    Variants {
        /// How they are made, as `key=value`.
        #[serde(default)]
        options: Vec<String>,
        /// Where the programs come from.
        from: Box<GeneratorSpec>,
    },
}

impl GeneratorSpec {
    /// A technique as it comes.
    pub fn technique(name: &str) -> GeneratorSpec {
        GeneratorSpec::Technique { name: name.to_owned(), options: Vec::new() }
    }

    /// Variants of another source's programs.
    pub fn variants(options: Vec<String>, from: GeneratorSpec) -> GeneratorSpec {
        GeneratorSpec::Variants { options, from: Box::new(from) }
    }
}

impl Default for Spec {
    fn default() -> Spec {
        Spec {
            version: VERSION,
            seed: default_seed(),
            std: default_std(),
            steps: default_steps(),
            compile_seconds: default_compile_seconds(),
            swarm: default_swarm(),
            extras: default_extras(),
            trace_volatile: false,
            quota_megabytes: default_quota(),
            compilers: Vec::new(),
            generators: Vec::new(),
        }
    }
}

/// The form of the file that this Howler writes, and the newest that it reads.
pub const VERSION: u64 = 1;

/// The greatest seed: TOML's numbers end there.
pub const MOST_SEED: u64 = i64::MAX.unsigned_abs();

fn default_version() -> u64 {
    // Files from before there were versions are of the first one.
    1
}

fn default_seed() -> u64 {
    1
}

fn default_std() -> String {
    Std::GNU17.name().to_owned()
}

fn default_steps() -> u64 {
    10_000_000
}

fn default_compile_seconds() -> u64 {
    20
}

fn default_swarm() -> u8 {
    25
}

fn default_extras() -> u8 {
    10
}

fn default_quota() -> u64 {
    4096
}

/// What is wrong with a `campaign.toml`.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// It is not TOML, or has a key that means nothing.
    #[error("{0}")]
    Syntax(String),
    /// It is from a newer Howler, or from none.
    #[error(
        "version: it is a file of version {0}, and this Howler reads versions 1 to {VERSION}; a newer one wrote it"
    )]
    Version(i64),
    /// A value makes no sense.
    #[error("{key}: {why}")]
    Value {
        /// Where.
        key: &'static str,
        /// Why.
        why: String,
    },
}

impl Spec {
    /// Reads a `campaign.toml`.
    ///
    /// ```
    /// use howler_campaign::spec::Spec;
    /// let spec = Spec::parse("[[compiler]]\ncommand = \"tcc\"\n").unwrap();
    /// assert_eq!((spec.seed, spec.compilers[0].command.as_str()), (1, "tcc"));
    /// assert!(Spec::parse("sede = 3").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        /// What every version has: of a newer one nothing else can be read.
        #[derive(Deserialize)]
        struct Versioned {
            #[serde(default)]
            version: Option<i64>,
        }
        let syntax = |error: toml::de::Error| SpecError::Syntax(error.to_string());
        let form: Versioned = toml::from_str(text).map_err(syntax)?;
        if let Some(version) = form.version.filter(|version| !(1..=VERSION.cast_signed()).contains(version)) {
            return Err(SpecError::Version(version));
        }
        let spec: Spec = toml::from_str(text).map_err(syntax)?;
        spec.check()?;
        Ok(spec)
    }

    /// Says what is wrong with the values.
    pub fn check(&self) -> Result<(), SpecError> {
        let bad = |key, why: String| Err(SpecError::Value { key, why });
        if Std::parse(&self.std).is_none() {
            return bad("std", format!("'{}' is no standard; gnu17, c99 and the like are", self.std));
        }
        if self.seed > MOST_SEED {
            return bad("seed", format!("{} is more than {MOST_SEED}", self.seed));
        }
        if self.swarm > 100 {
            return bad("swarm", format!("{} of 100 tests", self.swarm));
        }
        if self.extras > 100 {
            return bad("extras", format!("{} of 100 tests", self.extras));
        }
        if self.steps == 0 {
            return bad("steps", "no program ends in 0 steps".to_owned());
        }
        if self.compile_seconds == 0 {
            return bad("compile-seconds", "no compiler ends in 0 seconds".to_owned());
        }
        if let Some(compiler) = self.compilers.iter().find(|compiler| compiler.command.trim().is_empty()) {
            return bad("compiler.command", format!("'{}' is no command", compiler.command));
        }
        Ok(())
    }

    /// The file as it is written, with a word on what it is.
    pub fn text(&self) -> String {
        // Only maps with keys that are no strings cannot be written, and there are none.
        let body = toml::to_string(self).unwrap_or_default();
        format!(
            "# What `howler hunt` does in this folder; docs/campaign.md says what each line means.\n\
             # Edit it and hunt again: what is done stays done.\n\n{body}"
        )
    }

    /// The standard.
    pub fn std(&self) -> Std {
        Std::parse(&self.std).unwrap_or(Std::GNU17)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_reads_back() {
        let spec = Spec {
            seed: 9,
            compilers: vec![CompilerSpec {
                command: "gcc-12 -m32".to_owned(),
                levels: vec!["-O0".to_owned(), "-O2 -fwhole-program".to_owned()],
                runner: None,
            }],
            generators: vec![
                GeneratorSpec::Technique { name: "orange".to_owned(), options: vec!["floats=no".to_owned()] },
                GeneratorSpec::Command {
                    name: "csmith".to_owned(),
                    command: "csmith --seed {seed}".to_owned(),
                    include: vec!["/usr/include/csmith".to_owned()],
                },
                GeneratorSpec::Siblings {
                    folder: "tests".to_owned(),
                    options: vec!["files=9".to_owned()],
                    include: Vec::new(),
                },
                GeneratorSpec::Corpus { folder: "tests".to_owned(), include: vec!["headers".to_owned()] },
                GeneratorSpec::variants(vec!["chain=2".to_owned()], GeneratorSpec::technique("smith")),
            ],
            ..Spec::default()
        };
        assert_eq!(Spec::parse(&spec.text()).unwrap(), spec);
        let spec = Spec { seed: MOST_SEED, ..Spec::default() };
        assert_eq!(Spec::parse(&spec.text()).unwrap(), spec);
    }

    #[test]
    fn a_file_of_a_newer_version_is_refused_by_its_version() {
        let why = |text: &str| Spec::parse(text).unwrap_err().to_string();
        assert!(
            why("version = 2\nfrom-the-future = true\n").starts_with("version: it is a file of version 2")
        );
        assert!(why("version = 0").starts_with("version:") && why("version = -1").starts_with("version:"));
        assert!(why("version = \"new\"").contains("version"));
        assert_eq!(Spec::parse("seed = 3").unwrap().version, 1);
        assert!(Spec::default().text().contains("\nversion = 1\n"));
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        let why = |text: &str| Spec::parse(text).unwrap_err().to_string();
        assert!(why("std = \"c++17\"").starts_with("std: 'c++17' is no standard"));
        assert!(why("swarm = 101").contains("101 of 100"));
        assert!(why("extras = 101").starts_with("extras: 101 of 100"));
        assert!(why("steps = 0").starts_with("steps:"));
        assert!(why("[[compiler]]\ncommand = \" \"").starts_with("compiler.command:"));
        assert!(why("[[generator]]\nkind = \"magic\"").contains("magic"));
        assert!(why("seed = -1").contains("seed"));
        let greater = Spec { seed: MOST_SEED + 1, ..Spec::default() };
        assert!(greater.check().unwrap_err().to_string().starts_with("seed:"));
    }
}
