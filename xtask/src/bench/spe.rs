//! How fast variants are made: going over all of them and rendering each, and finding the one with a huge number.

use anyhow::{Context, Result, bail};
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_spe::c::{CProgram, Options};
use howler_spe::space::Space;
use howler_spe::template::{Renderer, Template};
use howler_spe::variants::Variants;
use num_bigint::BigUint;
use std::fmt::Write;
use std::hint::black_box;

use super::front::{seconds, status};

/// A test as GCC's suite has them, of thirty lines.
const TYPICAL: &str = "\
int printf(const char *, ...);

int limit = 12;
int sum;
long total = 3;
static int table[4] = { 1, 2, 3, 4 };

static int step(int x, int y)
{
    int best = x;
    for (int i = 0; i < limit; i++) {
        int next = y + i;
        if (next > best)
            best = next;
    }
    return best;
}

int main(void)
{
    int a = 5, b = 7;
    long p = 1;
    while (a < b) {
        sum = sum + step(a, b);
        p = p + total;
        a = a + 1;
    }
    table[a & 3] = sum;
    printf(\"%d %ld\\n\", table[b & 3], p);
    return 0;
}
";

/// Goals: variants per second of one core, and milliseconds.
const GOAL: f64 = 300_000.0;
const SOON: f64 = 10.0;
/// Variants that are rendered.
const COUNT: u64 = 3_000_000;

pub(super) fn run() -> Result<()> {
    let template = template(TYPICAL)?;
    let space = space(&template)?;
    println!(
        "a test of {} lines: {} holes, {} variants",
        TYPICAL.lines().count(),
        template.shape().holes,
        space.count()
    );
    println!("| what | | goal | ratio |\n|---|---|---|---|");
    let before = status("VmRSS:")?;
    let mut bytes = 0;
    let mut best = f64::MAX;
    for round in 0..3u32 {
        // From the beginning, from the middle, near the end: changes are near the end of the order everywhere.
        let start = space.count() * round / 4u32;
        let mut variants = Variants::from(&space, &start).context("there are so many")?;
        let mut renderer = Renderer::new(&template, variants.filled());
        best = best.min(seconds(|| {
            for _ in 0..COUNT {
                if !variants.advance() {
                    bail!("the test has too few variants");
                }
                renderer.update(variants.filled(), variants.changed());
                bytes += black_box(renderer.text()).len();
            }
            Ok(())
        })?);
    }
    let rate = COUNT as f64 / best;
    println!(
        "| rendered variants a second, of {} bytes each | {rate:.0} | {GOAL:.0} | {:.2} |",
        bytes as u64 / COUNT / 3,
        rate / GOAL
    );
    println!(
        "| kilobytes more after {} variants | {} | 0 | |",
        3 * COUNT,
        (status("VmRSS:")?.saturating_sub(before)) / 1024
    );
    let large = large()?;
    let program = self::template(&large)?;
    let space = self::space(&program)?;
    let index = BigUint::from(10u32).pow(70);
    if *space.count() <= index {
        bail!("the large file has {} variants only", space.count());
    }
    let mut shortest = f64::MAX;
    for _ in 0..5 {
        shortest = shortest
            .min(seconds(|| black_box(space.unrank(&index)).map(drop).context("there is such a variant"))?);
    }
    let milliseconds = shortest * 1000.0;
    println!(
        "| milliseconds for number 10^70 of {} bytes with {} holes and 10^{} variants | {milliseconds:.3} | {SOON} | {:.1} |",
        large.len(),
        program.shape().holes,
        space.count().to_string().len() - 1,
        SOON / milliseconds
    );
    Ok(())
}

fn template(text: &str) -> Result<CProgram> {
    let mut program = Program::new(Target::X86_64_GCC);
    let front = howler_front::Options { pedantic_errors: false };
    let report = howler_front::parse(&mut program, "test.c", text.into(), &front);
    if let Some(said) = report.diagnostics.first() {
        bail!("{}", said.message);
    }
    Ok(CProgram::new(&program, 0, Options::default()))
}

fn space(template: &CProgram) -> Result<Space> {
    Ok(Space::new(template.skeleton()?)?)
}

/// A file of some hundred holes.
fn large() -> Result<String> {
    let mut text = String::from("int g0, g1, g2, g3;\nlong h0, h1;\n");
    for number in 0..12 {
        writeln!(text, "int f{number}(int a, int b)\n{{\n    int c, d;\n    long e, k;")?;
        writeln!(text, "    c = a + g0;\n    d = b - c;\n    e = h0;\n    k = h1 + e;")?;
        writeln!(text, "    while (c < d) {{ int i, j; i = c; j = i + g1; c = j; g2 = d; }}")?;
        writeln!(text, "    h0 = k;\n    return c + d + g3;\n}}")?;
    }
    Ok(text)
}
