//! The programs of the machine's catalogue that have no one meaning, as a corpus needs them. The machine's own tests
//! explain the files and check them; this reads only what a hunt can use.

use std::path::Path;

/// A program of one file that is undefined, or depends on what the standard leaves open.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The catalogue's file and line, fit for the name of a file.
    pub name: String,
    pub text: String,
    pub std: String,
    pub i386: bool,
    /// Whether compilers or levels were seen to make different things of it.
    pub differs: bool,
    /// Whether a hunt cannot use it: several files, or flags that change its meaning.
    unfit: bool,
}

impl Program {
    /// What a compiler is told besides the file.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = vec!["-w".to_owned(), format!("-std={}", self.std)];
        flags.extend(self.i386.then(|| "-m32".to_owned()));
        flags
    }
}

/// All of them, in the order of the files' names.
pub fn programs() -> Vec<Program> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../machine/tests/catalogue"));
    let entries = std::fs::read_dir(folder).expect("the catalogue is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder opened").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    let mut programs: Vec<Program> = paths.iter().flat_map(|path| split(path)).collect();
    programs.retain(|program| !program.unfit);
    programs
}

fn split(path: &Path) -> Vec<Program> {
    let text = std::fs::read_to_string(path).expect("the catalogue is text");
    let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("names are plain");
    let mut programs: Vec<Program> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(header) = line.strip_prefix("//=== ") {
            let kind = header.split(':').next().unwrap_or_default();
            if kind == "file" {
                programs.iter_mut().last().expect("a file belongs to a program").unfit = true;
            } else {
                let name = format!("{stem}-{}", number + 1);
                let unfit = kind != "fail" && kind != "open";
                programs.push(Program { name, unfit, std: "gnu17".to_owned(), ..Program::default() });
            }
            continue;
        }
        let Some(program) = programs.last_mut() else { continue };
        program.text.push_str(line);
        program.text.push('\n');
        match line.trim_start().strip_prefix("// ") {
            Some("target: i386") => program.i386 = true,
            Some("exploited" | "differs") => program.differs = true,
            Some("wrapv") => program.unfit = true,
            Some(other) => {
                if let Some(std) = other.strip_prefix("std: ") {
                    program.std = std.to_owned();
                }
            }
            None => {}
        }
    }
    programs
}
