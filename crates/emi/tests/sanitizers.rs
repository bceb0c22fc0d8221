//! What watches for undefined behaviour at run time has nothing to say of variants.

mod common;

use common::{FOREIGN, TARGET, files, made};
use howler_case::{Input, Origin};
use howler_choices::Choices;
use howler_emi::foreign::donors;
use howler_emi::seed::read;
use howler_emi::{Chain, Options};
use howler_machine::Machine;
use howler_testkit::{Scratch, run, soak, tool};

#[test]
fn sanitizers_say_nothing_of_variants() {
    let compilers: Vec<_> = ["gcc-12", "clang-16"].into_iter().filter_map(tool).collect();
    if compilers.is_empty() {
        return;
    }
    let (seeds, each) = if soak() { (50, 4) } else { (3, 1) };
    let judge = Machine::default();
    let foreign = read(&[("foreign.c", FOREIGN)], TARGET).expect("it is C");
    let given = donors(&foreign, 9, &mut Choices::new(1));
    let scratch = Scratch::new();
    let mut quiet = 0;
    for at in 0..seeds {
        let case = match at % 2 {
            0 => made(&howler_smith::TECHNIQUE, &["size=300..2000"], 7000 + at),
            _ => made(&howler_yarp::TECHNIQUE, &["size=200..600"], 7000 + at),
        };
        let program = read(&files(&case), TARGET).expect("techniques write C");
        let with = (Options::default(), given.clone());
        let Ok(mut chain) = Chain::with_donors(program, vec![Input::NOTHING], with, Choices::new(at), &judge)
        else {
            continue;
        };
        for index in 0..each {
            // The last one of a chain has most changes.
            let Ok(subject) = chain.variant(index * 3 + 2, &judge) else { continue };
            let origin = Origin { arm: "emi".to_owned(), version: "0".to_owned(), seed: 0, index };
            let case = subject.case(origin);
            let expected = case.expected_on(TARGET).expect("it was judged").clone();
            let built = scratch.folder().join("variant");
            let compiler = &compilers[(at as usize + index as usize) % compilers.len()];
            let flags =
                ["-O1", "-g0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"];
            let mut args: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
            args.push(built.display().to_string());
            for file in &case.files {
                let path = scratch.folder().join(&file.name);
                std::fs::write(&path, &file.text).unwrap();
                args.push(path.display().to_string());
            }
            args.push("-lm".to_owned());
            let options = howler_testkit::Options::default();
            let said = run(compiler, args.iter().map(String::as_str), &options);
            assert!(said.success(), "{}", said.stderr_text());
            let said = run(&built, std::iter::empty::<&str>(), &options);
            assert_eq!(said.stderr_text(), "", "{at} {index}");
            assert_eq!(said.stdout, expected.output, "{at} {index}");
            quiet += 1;
        }
    }
    println!("{quiet} variants without a word");
    assert!(quiet * 10 >= seeds * each * 8);
}
