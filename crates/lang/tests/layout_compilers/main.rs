//! Sizes, alignments, offsets and bit-field places of random declarations, as the compilers see them and as
//! `lang::layout` computes them.
//!
//! `HOWLER_SOAK=1` raises the number of records for each compiler and target from 400 to 20,000.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

mod fixed;
mod generator;
mod questions;

use generator::Generator;
use howler_lang::layout::{self, Layouts};
use howler_lang::target::{Arch, Compiler, Std, Target};
use howler_lang::ty::TypeKind;
use questions::Query;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const RECORDS_PER_FILE: usize = 200;

#[test]
fn gcc_12_x86_64() {
    compare("gcc-12", Compiler::Gcc, Arch::X86_64);
}

#[test]
fn gcc_12_i386() {
    compare("gcc-12", Compiler::Gcc, Arch::I386);
}

#[test]
fn clang_16_x86_64() {
    compare("clang-16", Compiler::Clang, Arch::X86_64);
}

#[test]
fn clang_16_i386() {
    compare("clang-16", Compiler::Clang, Arch::I386);
}

#[test]
fn clang_19_x86_64() {
    compare("clang-19", Compiler::Clang, Arch::X86_64);
}

#[test]
fn clang_19_i386() {
    compare("clang-19", Compiler::Clang, Arch::I386);
}

fn compare(command: &str, compiler: Compiler, arch: Arch) {
    if !is_installed(command, arch) {
        howler_testkit::skip(&format!("{command} for {arch:?} cannot build a program"));
        return;
    }
    let files = if howler_testkit::soak() { 100 } else { 2 };
    let folder = folder(command, arch);
    let (mut queries, mut wrong) = (0, String::new());
    for seed in 0..files {
        let target = Target { arch, compiler, std: Std::GNU17, char_signed: true };
        let mut generator = Generator::new(target, seed);
        generator.add_rare();
        for _ in 0..RECORDS_PER_FILE {
            generator.add_record();
        }
        let theirs = ask(command, arch, &folder, &generator, seed);
        let layouts = Layouts::new(target);
        assert_eq!(theirs.len(), generator.queries.len(), "{command} answered every question of seed {seed}");
        for (query, theirs) in generator.queries.iter().zip(&theirs) {
            let ours = answer(&layouts, &generator, query);
            queries += 1;
            if ours != *theirs {
                writeln!(wrong, "seed {seed}: {query:?}\n  {command} {theirs}, ours {ours}").unwrap();
                writeln!(wrong, "{}", generator.text_of(query)).unwrap();
            }
        }
    }
    let records = files as usize * RECORDS_PER_FILE;
    println!("{command} {arch:?}: {records} records, {queries} questions");
    let shown: String = wrong.chars().take(6000).collect();
    assert!(
        wrong.is_empty(),
        "{} lines of disagreement in {records} records:\n{shown}",
        wrong.lines().count()
    );
}

/// What `lang::layout` says.
fn answer(layouts: &Layouts, generator: &Generator, query: &Query) -> String {
    let types = &generator.types;
    let number = |value: Option<u64>| value.map_or("none".to_owned(), |value| value.to_string());
    match *query {
        Query::Size(_, ty) => number(layouts.size_of(types, ty)),
        Query::Align(_, ty) => number(layouts.align_of(types, ty)),
        Query::PreferredAlign(_, ty) => number(layouts.preferred_align_of(types, ty)),
        Query::Offset(record, name) | Query::Bits(record, name) => {
            let mut record = record;
            let mut offset = 0;
            let mut width = None;
            for index in layout::find_field(types, record, name).expect("the member exists") {
                let field =
                    layouts.record(types, record).expect("the record is complete").fields[index as usize];
                offset += field.bit_offset;
                width = field.width;
                if let TypeKind::Record(inner) = types.kind(types.records[record].fields[index as usize].ty) {
                    record = inner;
                }
            }
            match width {
                Some(width) => format!("{offset}..{}:{width}", offset + u64::from(width)),
                None => (offset / 8).to_string(),
            }
        }
    }
}

/// What the compiler says.
fn ask(command: &str, arch: Arch, folder: &Path, generator: &Generator, seed: u64) -> Vec<String> {
    let source = folder.join(format!("{seed}.c"));
    let program = folder.join(format!("{seed}.out"));
    std::fs::write(&source, generator.program()).unwrap();
    let output = Command::new(command)
        .args(["-O0", "-w", "-Wno-psabi", "-std=gnu17", "-msse2", machine_flag(arch), "-o"])
        .args([&program, &source])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command} refuses {}:\n{errors}", source.display());
    let run = Command::new(&program).output().unwrap();
    assert!(run.status.success(), "{} fails", program.display());
    std::fs::remove_file(&program).unwrap();
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn machine_flag(arch: Arch) -> &'static str {
    match arch {
        Arch::X86_64 => "-m64",
        Arch::I386 => "-m32",
    }
}

fn is_installed(command: &str, arch: Arch) -> bool {
    let folder = folder(command, arch);
    let source = folder.join("probe.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let program = folder.join("probe.out");
    let built = Command::new(command).arg(machine_flag(arch)).arg("-o").args([&program, &source]).output();
    built.is_ok_and(|output| output.status.success())
        && Command::new(&program).status().is_ok_and(|status| status.success())
}

fn folder(command: &str, arch: Arch) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("layout-{command}-{arch:?}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
