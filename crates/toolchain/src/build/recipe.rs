//! The fast way to compile: what a driver would start, learnt once from `-###` and then started without the driver.
//!
//! A recipe is for one compiler under one set of flags. Where the driver would do anything but compile, assemble and
//! link, there is no recipe.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::compiler::{Family, split};
use crate::guard::Job;
use crate::search::{on_path_in, open_in};

/// The source that drivers are asked about; a name that no flag contains.
pub(crate) const SOURCE: &str = "howler-source.i";
/// The executable that they are asked about.
pub(crate) const PROGRAM: &str = "howler-program";

/// The steps of a driver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Recipe {
    compile: Template,
    assemble: Option<Template>,
    link: Template,
    /// libgcc's archive, for arithmetic that the machine has not.
    libgcc: Option<PathBuf>,
    /// The linker's name for the machine.
    machine: String,
    /// gcc's driver gives its compiler more stack than it has itself.
    deep_stack: bool,
}

/// A command with holes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Template {
    program: PathBuf,
    args: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    /// What it reads: one name, or all objects and then the libraries.
    Input,
    Output,
}

/// Flags under which more happens than a recipe knows, or whose objects the small runtime cannot bear.
#[rustfmt::skip]
const UNUSUAL: &[&str] = &[
    "-flto", "-fsanitize", "-fprofile", "-ftest-coverage", "--coverage", "-coverage", "-pg", "-save-temps",
    "--save-temps", "-fcompare-debug", "-fdump", "-fuse-ld", "-B", "-wrapper", "-static", "-shared", "-nostd",
    "-nodefaultlibs", "-nolibc", "-no-integrated-as", "-fno-integrated-as", "-c", "-S", "-E", "-o", "-Wl", "-Wa", "-Wp",
    "-x", "-T", "-fopenmp", "-pthread", "-v", "-###", "-time", "-ftime-report", "-gsplit-dwarf", "-specs", "-mllvm",
    "-Xlinker", "-Xassembler", "-fsave-optimization-record", "-MD", "-MMD", "-M",
];

/// Whether a command line is one that recipes are for.
pub(crate) fn is_usual(family: Family, flags: &[String]) -> bool {
    let unusual =
        |flag: &String| UNUSUAL.iter().any(|start| flag.starts_with(start)) || !flag.starts_with('-');
    matches!(family, Family::Gcc | Family::Clang) && !flags.iter().any(unusual)
}

impl Recipe {
    /// Reads what a driver says to `-###`.
    pub(crate) fn read(root: Option<&Path>, said: &str) -> Option<Recipe> {
        let commands: Vec<Vec<String>> = said
            .lines()
            .filter(|line| line.starts_with(' ') && !line.trim_start().starts_with('('))
            .map(split)
            .collect::<Result<_, _>>()
            .ok()?;
        let (compile, assemble, link) = match commands.as_slice() {
            [compile, link] => (compile, None, link),
            [compile, assemble, link] => (compile, Some(assemble), link),
            _ => return None,
        };
        let (compile, compiled) = Template::read(root, compile, SOURCE)?;
        let (assemble, object) = match assemble {
            Some(assemble) => {
                let (template, object) = Template::read(root, assemble, &compiled)?;
                (Some(template), object)
            }
            None => (None, compiled),
        };
        let (mut link, program) = Template::read(root, link, &object)?;
        if program != PROGRAM {
            return None;
        }
        let gcc = link.program.file_name().is_some_and(|name| name == "collect2");
        if gcc {
            link.program = on_path_in(root, "ld".as_ref())?;
            link.drop_plugin();
        }
        let machine = link.value_of("-m")?;
        let libgcc = link.texts().filter_map(|text| text.strip_prefix("-L")).find_map(|folder| {
            let archive = Path::new(folder).join("libgcc.a");
            open_in(root, &archive).is_ok().then_some(archive)
        });
        Some(Recipe { compile, assemble, link, libgcc, machine, deep_stack: gcc })
    }

    /// Whether the small runtime is for this machine.
    pub(crate) fn has_runtime(&self) -> bool {
        self.machine == "elf_x86_64"
    }

    /// From a source to an object, both named from the job's folder.
    pub(crate) fn compile(&self, source: &str, object: &str) -> Vec<Job> {
        let assembly = format!("{object}.s");
        let compiled = if self.assemble.is_some() { &assembly } else { object };
        let mut compile = self.compile.job(&[source], compiled, &[]);
        if self.deep_stack {
            compile.limits.stack = 64 << 20;
        }
        let assemble = self.assemble.as_ref().map(|template| template.job(&[&assembly], object, &[]));
        std::iter::once(compile).chain(assemble).collect()
    }

    /// From objects to a program with the real library.
    pub(crate) fn link(&self, objects: &[&str], program: &str, libraries: &[String]) -> Job {
        self.link.job(objects, program, libraries)
    }

    /// From objects to a program with the small runtime.
    pub(crate) fn link_small(&self, runtime: &Path, objects: &[&str], program: &str) -> Job {
        let mut job = Job::new(&self.link.program);
        job.args([
            "-m",
            &self.machine,
            "-static",
            "-s",
            "--build-id=none",
            "-z",
            "noseparate-code",
            "-z",
            "norelro",
        ]);
        job.args(["-o", program]).arg(runtime).args(objects);
        job.args(self.libgcc.iter());
        job
    }
}

impl Template {
    /// Makes a template of a command that reads `input`; with the name of what it writes.
    fn read(root: Option<&Path>, command: &[String], input: &str) -> Option<(Template, String)> {
        let (program, args) = command.split_first()?;
        let program = on_path_in(root, program.as_ref())?;
        let mut output = None;
        let mut parts = Vec::with_capacity(args.len());
        let mut inputs = 0;
        let mut before = "";
        for arg in args {
            parts.push(match (before, arg.as_str()) {
                ("-o", name) => {
                    output = Some(name.to_owned());
                    Part::Output
                }
                // Names for messages and dumps, not files.
                ("-dumpbase" | "-main-file-name", name) => Part::Text(name.to_owned()),
                (_, name) if name == input => {
                    inputs += 1;
                    Part::Input
                }
                (_, text) => Part::Text(text.to_owned()),
            });
            before = arg;
        }
        (inputs == 1).then_some((Template { program, args: parts }, output?))
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.args.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Input | Part::Output => None,
        })
    }

    fn value_of(&self, flag: &str) -> Option<String> {
        self.texts().skip_while(|text| *text != flag).nth(1).map(str::to_owned)
    }

    /// The linker's plugin is for objects that are not compiled yet (LTO).
    fn drop_plugin(&mut self) {
        let mut after_plugin = false;
        self.args.retain(|part| {
            let Part::Text(text) = part else { return true };
            let drop = after_plugin || text == "-plugin" || text.starts_with("-plugin-opt=");
            after_plugin = text == "-plugin";
            !drop
        });
    }

    fn job(&self, inputs: &[&str], output: &str, libraries: &[String]) -> Job {
        let mut job = Job::new(&self.program);
        for part in &self.args {
            match part {
                Part::Text(text) => {
                    job.arg(text);
                }
                Part::Input => {
                    job.args(inputs).args(libraries);
                }
                Part::Output => {
                    job.arg(output);
                }
            }
        }
        job
    }
}

/// What to ask a driver for a recipe.
pub(crate) fn question(command_line: Vec<OsString>) -> Vec<OsString> {
    let mut args = command_line;
    args.extend(["-###", SOURCE, "-o", PROGRAM].map(OsString::from));
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_command_lines_have_no_recipe() {
        let flags = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(is_usual(Family::Gcc, &flags("-O2 -g -march=native -fno-tree-vrp -std=gnu17 -w")));
        for line in ["-flto", "-O2 -fsanitize=undefined", "-c", "a.o", "-Wl,-z,now", "-mllvm -x"] {
            assert!(!is_usual(Family::Clang, &flags(line)), "{line}");
        }
        assert!(!is_usual(Family::Tcc, &[]));
    }

    #[test]
    fn what_is_no_answer_is_no_recipe() {
        for said in ["", " ld a", "gcc version 12", " \"unclosed", " /bin/sh -o x y\n /bin/sh -o z w"] {
            assert_eq!(Recipe::read(None, said), None);
        }
    }
}
