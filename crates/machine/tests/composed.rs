//! Composed programs on the machine and through gcc: where the judge says what they do, gcc's programs do that.

#[path = "../../lang/tests/composed/mod.rs"]
mod composed;

use howler_case::End;
use howler_lang::print::{self, PrintOptions};
use howler_lang::target::Target;
use howler_machine::judge::{JudgeOptions, Judgement, judge};
use howler_testkit::{Options, Scratch, run, soak, tool};
use std::collections::BTreeMap;

#[test]
fn composed_programs_do_what_gcc_makes_of_them() {
    let Some(gcc) = tool("gcc-12") else { return };
    let scratch = Scratch::new();
    let exe = scratch.path("a.out").display().to_string();
    let (count, compiled) = if soak() { (10_000, 2_000) } else { (400, 40) };
    let mut verdicts: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..count {
        let mut program = composed::program(Target::X86_64_GCC, seed);
        let texts = print::program(&program, &PrintOptions::default());
        let errors = howler_lang::link::link(&mut program);
        assert!(errors.is_empty(), "seed {seed}: {errors:?}");
        let judgement = judge(&program, &JudgeOptions::default()).judgement;
        let word = match &judgement {
            Judgement::Defined { .. } => "defined".to_owned(),
            Judgement::Undefined(ub) => format!("undefined: {}", ub.kind.code()),
            other => format!("{other:?}").chars().take(60).collect(),
        };
        let defined = word == "defined";
        *verdicts.entry(word).or_default() += 1;
        if !defined || seed >= compiled {
            continue;
        }
        let Some(behaviour) = judgement.defined() else { continue };
        let files =
            (0..).zip(&texts).map(|(at, text)| scratch.write(&format!("{at}.c"), text).display().to_string());
        let mut args: Vec<String> = ["-w", "-std=gnu17", "-o", &exe].map(str::to_owned).into();
        args.push((if seed & 1 == 0 { "-O0" } else { "-O2" }).to_owned());
        args.extend(files);
        let built = run(&gcc, &args, &Options::default());
        assert!(built.success(), "seed {seed}: {}\n{}", built.stderr_text(), texts[1]);
        let ran = run(&exe, [""; 0], &Options::default());
        let (code, wanted) = (
            ran.code.map(i64::from),
            match behaviour.end {
                End::Exit(status) => Some(i64::from(status)),
                End::Abort => None,
            },
        );
        assert_eq!(
            (code, ran.stdout_text()),
            (wanted, String::from_utf8_lossy(&behaviour.output).into_owned()),
            "seed {seed}\n{}",
            texts[1]
        );
    }
    let defined = verdicts.get("defined").copied().unwrap_or(0);
    assert!(defined * 5 >= count * 4, "{verdicts:#?}");
}
