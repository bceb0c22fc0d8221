//! Prints programs: `smith SEED [COUNT DIR]`.
use howler_choices::Choices;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::target::Target;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let seed: u64 = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(1);
    let count: u64 = args.get(2).and_then(|a| a.parse().ok()).unwrap_or(1);
    let mut bytes = 0;
    let start = std::time::Instant::now();
    for at in seed..seed + count {
        let program = howler_smith::generate(&Default::default(), Target::X86_64_GCC, &Choices::new(at));
        let text = unit(&program, 0, &PrintOptions::default());
        bytes += text.len();
        match args.get(3) {
            Some(dir) if dir == "-" => {}
            Some(dir) => std::fs::write(format!("{dir}/{at:05}.c"), text).unwrap(),
            None => print!("{text}"),
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{bytes} bytes in {seconds:.3} s: {:.1} MB/s", bytes as f64 / seconds / 1e6);
}
