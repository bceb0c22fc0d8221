//! `preprocess` with a real compiler: whose headers are used, what is passed on, and what errors say.

use std::path::PathBuf;

use howler_lang::target::{Arch, Target};
use howler_toolchain::preprocess::{
    Headers, Input, PreprocessError, PreprocessOptions, Preprocessed, Preprocessor, preprocess,
};

fn options(headers: Headers) -> PreprocessOptions {
    PreprocessOptions { target: Target::X86_64_GCC, defines: Vec::new(), include_dirs: Vec::new(), headers }
}

/// `None` if gcc is not installed.
fn try_text(text: &str, options: &PreprocessOptions) -> Option<Result<Preprocessed, PreprocessError>> {
    howler_testkit::tool("gcc")?;
    let preprocessor = Preprocessor::find(None).unwrap();
    Some(preprocess(&preprocessor, Input::Text { name: "dir/a.c", text }, options))
}

fn text(text: &str, options: &PreprocessOptions) -> Option<Preprocessed> {
    try_text(text, options).map(Result::unwrap)
}

#[test]
fn our_headers_come_first_and_have_a_fixed_name() {
    let Some(done) = text("#include <stdio.h>\nint x;\n", &options(Headers::OursThenSystem)) else { return };
    assert!(!done.system_headers);
    assert!(done.text.contains("\"<howler>/stdio.h\" 1"), "{}", done.text);
    assert!(done.text.contains("\n#include <stdio.h>\n"));
    assert!(done.text.contains("\"dir/a.c\" 2"));
}

#[test]
fn a_header_we_lack_brings_the_systems() {
    let source = "#include <stdio.h>\n#include <sys/stat.h>\nint x;\n";
    let Some(done) = text(source, &options(Headers::OursThenSystem)) else { return };
    assert!(done.system_headers);
    assert!(!done.text.contains("<howler>"), "headers are mixed");
}

#[test]
fn a_header_we_lack_is_an_error_when_only_ours_may_be_used() {
    let Some(result) = try_text("#include <sys/stat.h>\n", &options(Headers::Ours)) else { return };
    let message = result.unwrap_err().to_string();
    assert!(message.contains("dir/a.c:1") && message.contains("sys/stat.h"), "{message}");
}

#[test]
fn a_header_nobody_has_is_an_error() {
    let Some(result) = try_text("#include \"no/such.h\"\n", &options(Headers::OursThenSystem)) else {
        return;
    };
    assert!(matches!(result, Err(PreprocessError::Refused { .. })));
}

#[test]
fn a_macro_we_lack_brings_the_systems() {
    let source = "#include <stdio.h>\n#ifndef P_tmpdir\n#error no files\n#endif\n";
    let Some(done) = text(source, &options(Headers::OursThenSystem)) else { return };
    assert!(done.system_headers);
}

#[test]
fn an_error_directive_is_passed_on() {
    let Some(result) = try_text("\n#error not this way\n", &options(Headers::OursThenSystem)) else { return };
    let message = result.unwrap_err().to_string();
    assert!(message.contains("dir/a.c:2") && message.contains("not this way"), "{message}");
}

#[test]
fn target_and_macros_reach_the_preprocessor() {
    let source = "#include <limits.h>\n[LONG_MAX N CHAR_MAX __STDC_VERSION__]\n";
    let mut options = options(Headers::Ours);
    options.target.arch = Arch::I386;
    options.target.char_signed = false;
    options.defines.push("N=a b".to_owned());
    let Some(done) = text(source, &options) else { return };
    assert!(done.text.contains("[2147483647L a b 255 201710L]"), "{}", done.text);
}

#[test]
fn include_folders_and_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("inc")).unwrap();
    std::fs::write(folder.path().join("inc/own.h"), "#include <stddef.h>\nint own;\n").unwrap();
    let file: PathBuf = folder.path().join("main.c");
    std::fs::write(&file, "#define _GNU_SOURCE\n#include <own.h>\n").unwrap();
    let mut options = options(Headers::OursThenSystem);
    options.include_dirs.push(folder.path().join("inc"));
    if howler_testkit::tool("gcc").is_none() {
        return;
    }
    let preprocessor = Preprocessor::find(None).unwrap();
    let done = preprocess(&preprocessor, Input::File(&file), &options).unwrap();
    assert!(done.text.contains("int own;") && !done.system_headers);
    assert_eq!(done.feature_macros[0].to_string(), "#define _GNU_SOURCE");
    let error = preprocess(&preprocessor, Input::File("no/such.c".as_ref()), &options).unwrap_err();
    assert_eq!(error.to_string(), "no/such.c: No such file or directory (os error 2)");
}

#[test]
fn undefined_macros_are_undefined() {
    if howler_testkit::tool("gcc").is_none() {
        return;
    }
    let mut preprocessor = Preprocessor::find(None).unwrap();
    preprocessor.undefines.push("__linux__".to_owned());
    let input = Input::Text { name: "a.c", text: "[__linux__]\n" };
    let done = preprocess(&preprocessor, input, &options(Headers::Ours)).unwrap();
    assert!(done.text.contains("[__linux__]"), "{}", done.text);
}

#[test]
fn clang_and_the_systems_headers_agree_on_float_names() {
    if howler_testkit::tool("clang-16").is_none() {
        return;
    }
    let preprocessor = Preprocessor::find(Some("clang-16".as_ref())).unwrap();
    let input = Input::Text { name: "a.c", text: "#include <stdlib.h>\n" };
    let done = preprocess(&preprocessor, input, &options(Headers::System)).unwrap();
    assert!(done.text.contains("strtod") && !done.text.contains("typedef float _Float32"));
}
