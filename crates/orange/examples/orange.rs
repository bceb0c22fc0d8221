//! Prints one test: `cargo run -p howler-orange --example orange -- SEED OPERATIONS`.

use howler_choices::Choices;
use howler_lang::target::Target;
use howler_orange::{Options, generate};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let (seed, size) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(10) as u32);
    let options = Options { operations: (size, size), ..Options::default() };
    let test = generate(&options, Target::X86_64_GCC, &mut Choices::new(seed));
    for (name, text) in test.render() {
        println!("// {name}\n{text}");
    }
}
