//! The installed compilers, found and read.

use howler_lang::target::{Arch, Compiler as Dialects, Std, Target};
use howler_toolchain::compiler::{Compiler, CompilerError, Configured, Dialect, Family, detect};

fn dialect(command: &str) -> Dialect {
    Configured::parse(command).unwrap().dialect().unwrap()
}

fn target(command: &str) -> Target {
    match dialect(command) {
        Dialect::Known(target) => target,
        Dialect::CrashOnly(why) => panic!("{command}: {why}"),
    }
}

#[test]
fn every_installed_compiler_is_found_once() {
    let found = detect();
    for (name, family) in [
        ("gcc-11", Family::Gcc),
        ("gcc-12", Family::Gcc),
        ("clang-14", Family::Clang),
        ("clang-16", Family::Clang),
        ("clang-19", Family::Clang),
        ("tcc", Family::Tcc),
        ("pcc", Family::Pcc),
    ] {
        if howler_testkit::tool(name).is_none() {
            continue;
        }
        let compiler = found.iter().find(|compiler| compiler.name == name);
        let compiler = compiler.unwrap_or_else(|| panic!("{name} is not among {found:#?}"));
        assert_eq!(compiler.family, family);
        assert!(compiler.is_runnable() && compiler.triple.contains("linux"), "{compiler:?}");
        if let Some((_, version)) = name.split_once('-') {
            assert!(compiler.version.starts_with(&format!("{version}.")), "{compiler:?}");
        }
    }
    let mut real: Vec<_> = found.iter().map(|compiler| compiler.path.canonicalize().unwrap()).collect();
    real.sort();
    let all = real.len();
    real.dedup();
    assert_eq!(real.len(), all);
}

#[test]
fn versions_are_numbers() {
    for (name, version) in [("tcc", "0.9."), ("pcc", "1.2.")] {
        if howler_testkit::tool(name).is_some() {
            let compiler = Compiler::find(name).unwrap();
            assert!(compiler.version.starts_with(version), "{compiler:?}");
        }
    }
}

#[test]
fn dialects_follow_the_flags() {
    let gcc = Target::X86_64_GCC;
    let cases = [
        ("gcc-12", gcc),
        ("gcc-12 -O2 -std=c99", Target { std: Std::parse("c99").unwrap(), ..gcc }),
        ("gcc-12 -ansi", Target { std: Std::parse("c89").unwrap(), ..gcc }),
        ("gcc-12 -funsigned-char", Target { char_signed: false, ..gcc }),
        ("gcc-12 -m32 -msse2 -mfpmath=sse", Target { arch: Arch::I386, ..gcc }),
        ("gcc-12 -O3 -march=haswell", gcc),
        // More programs have a meaning then; those that have one keep it.
        ("gcc-12 -O2 -fwrapv", gcc),
        ("gcc-12 -O2 -fno-strict-aliasing -fno-strict-overflow -fwrapv-pointer", gcc),
        ("gcc-12 -O2 -fno-delete-null-pointer-checks -fcommon", gcc),
        ("clang-16 -O2 -fwrapv -fno-strict-aliasing", Target { compiler: Dialects::Clang, ..gcc }),
        ("clang-16", Target { compiler: Dialects::Clang, ..gcc }),
        (
            "clang-16 -std=gnu11",
            Target { compiler: Dialects::Clang, std: Std::parse("gnu11").unwrap(), ..gcc },
        ),
        ("tcc -std=gnu17", gcc),
        // Every compile names the standard, whatever the compiler's own choice is.
        ("tcc", gcc),
        ("tcc -funsigned-char -std=gnu17", Target { char_signed: false, ..gcc }),
        ("pcc -std=c11", Target { std: Std::parse("c11").unwrap(), ..gcc }),
    ];
    for (command, expected) in cases {
        let tool = command.split(' ').next().unwrap();
        if howler_testkit::tool(tool).is_some() {
            assert_eq!(target(command), expected, "{command}");
        }
    }
}

#[test]
fn what_the_model_does_not_know_is_for_crashes_only() {
    for (command, why) in [
        ("gcc-12 -O2 -ffast-math", "-ffast-math"),
        ("gcc-12 -Ofast", "-Ofast"),
        ("gcc-12 -fpack-struct=2", "-fpack-struct=2"),
        ("gcc-12 -fshort-enums", "-fshort-enums"),
        ("gcc-12 -ftrapv", "-ftrapv"),
        ("gcc-12 -m32", "-msse2 -mfpmath=sse"),
        ("gcc-12 -mfpmath=387", "method 2"),
        ("gcc-12 -std=c2x", "-std=c2x"),
        ("gcc-12 -mfma -ffp-contract=fast", "-ffp-contract=off"),
        ("clang-16 -march=haswell -ffp-contract=on", "-ffp-contract=off"),
        ("clang-16 -O2 -ffp-contract=on", "-ffp-contract=off"),
        ("gcc-12 -mlong-double-64", "-mlong-double-64"),
        ("gcc-12 --unsigned-bitfields", "--unsigned-bitfields"),
        ("gcc-12 -O2 @/dev/null", "@/dev/null"),
        ("i386-tcc", "in which format floating expressions are evaluated"),
    ] {
        let tool = command.split(' ').next().unwrap();
        if howler_testkit::tool(tool).is_some() {
            match dialect(command) {
                Dialect::CrashOnly(said) => assert!(said.contains(why), "{command}: {said}"),
                known => panic!("{command}: {known:?}"),
            }
        }
    }
}

#[test]
fn commands_that_are_no_compilers_are_refused() {
    assert!(matches!(Configured::parse("no-such-compiler -O2"), Err(CompilerError::NotFound(_))));
    assert!(matches!(Configured::parse(""), Err(CompilerError::NotFound(_))));
    assert!(matches!(Configured::parse("gcc '"), Err(CompilerError::Split { .. })));
    assert!(matches!(Configured::parse("true"), Err(CompilerError::NoCompiler { .. })));
    assert!(matches!(Configured::parse("false"), Err(CompilerError::NoCompiler { .. })));
    if howler_testkit::tool("gcc-12").is_some() {
        let error = Configured::parse("gcc-12 -fno-such-flag").unwrap_err().to_string();
        assert!(error.contains("-fno-such-flag"), "{error}");
    }
}

#[test]
fn flags_that_leave_nothing_to_run_are_refused() {
    // Refused before any compiler is asked: none of this name exists.
    for flag in [
        "-E",
        "-S",
        "-c",
        "-r",
        "-fsyntax-only",
        "-M",
        "-MM",
        "-MD",
        "-###",
        "-run",
        "-o x",
        "-ox",
        "-shared",
        "--help=target",
        "--version",
        "-print-search-dirs",
    ] {
        let refused = Configured::parse(&format!("no-such-compiler -O2 {flag}"));
        assert!(matches!(refused, Err(CompilerError::NoProgram { .. })), "{flag}: {refused:?}");
    }
    if howler_testkit::tool("gcc-12").is_some() {
        let mut configured = Configured::parse("gcc-12 -O2 -mavx -static").unwrap();
        assert!(configured.add_flags(vec!["-c".to_owned()]).is_err());
        assert!(configured.add_flags(vec!["-O3".to_owned()]).is_ok());
    }
}

#[test]
fn sanitizers_that_stop_right_programs_are_not_compared() {
    if howler_testkit::tool("gcc-12").is_some() {
        target("gcc-12 -O1 -fsanitize=address,undefined -fsanitize=leak");
        for command in ["gcc-12 -fsanitize=thread", "gcc-12 -fsanitize=undefined,float-divide-by-zero"] {
            assert!(matches!(dialect(command), Dialect::CrashOnly(_)), "{command}");
        }
        assert!(matches!(dialect("gcc-12 -finput-charset=latin1"), Dialect::CrashOnly(_)));
    }
}

#[test]
fn a_hunt_and_the_doctor_name_the_same_flags() {
    for compiler in detect() {
        let hunted = Configured::parse(&compiler.name).unwrap();
        let found = Configured::completed(compiler, Vec::new()).unwrap();
        assert_eq!(found.flags, hunted.flags);
    }
}

#[test]
fn every_compiler_takes_its_flag_for_a_standard() {
    for compiler in detect() {
        for name in ["c89", "gnu89", "c99", "gnu99", "c11", "gnu11", "c17", "gnu17"] {
            let flag = compiler.std_flag(Std::parse(name).unwrap());
            compiler.macros(std::slice::from_ref(&flag)).unwrap_or_else(|error| panic!("{flag}: {error}"));
        }
    }
}

#[test]
fn a_command_prints_as_it_is_read() {
    if howler_testkit::tool("gcc-12").is_some() {
        let configured = Configured::parse("gcc-12  -O2 '-DX=\"a b\"'").unwrap();
        assert_eq!(configured.to_string(), "gcc-12 -O2 '-DX=\"a b\"'");
    }
}
