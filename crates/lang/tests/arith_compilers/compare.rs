//! Compiling the program with each compiler, feeding the results' operands, comparing what comes back.

use crate::expected::{Overflow, expected};
use crate::kernels::{Arch, Kernel, Kind, Operation, RECORD, Slot, kernels, program};
use crate::operands::{Edges, Random, operands};
use howler_lang::arith::{Format, Num};
use howler_lang::program::BinaryOp;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Quad;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub const COMPILERS: [&str; 2] = ["gcc-12", "clang-16"];
const CHUNK: usize = 4096;

/// A scratch folder of this test's own.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arith-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a scratch folder");
    path
}

/// Compiles `source`; `None` (with a notice) if this compiler cannot make programs for the target at all.
pub fn compile(folder: &Path, compiler: &str, arch: Arch, flags: &[&str], source: &str) -> Option<PathBuf> {
    let build = |name: &str, text: &str| {
        let stem = format!("{compiler}-{}-{name}", arch.name());
        let (file, program) = (folder.join(format!("{stem}.c")), folder.join(stem));
        std::fs::write(&file, text).expect("the scratch folder is writable");
        let mut command = Command::new(compiler);
        command.args(arch.flags()).args(["-O0", "-std=gnu17", "-w", "-ffp-contract=off"]).args(flags);
        command.arg(file).arg("-o").arg(&program).output().map(|output| (program, output))
    };
    match build("probe", "#include <stdio.h>\nint main(void) { return printf(\"\"); }\n") {
        Ok((_, output)) if output.status.success() => {}
        _ => {
            howler_testkit::skip(&format!("{compiler} {} cannot build a program", arch.flags().join(" ")));
            return None;
        }
    }
    let (program, output) = build("test", source).expect("the compiler ran before");
    assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

struct Runner {
    compiler: &'static str,
    arch: Arch,
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    results: u64,
    misrounded: u64,
}

impl Runner {
    fn start(compiler: &'static str, arch: Arch, program: &Path) -> Runner {
        let mut command = Command::new(program);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let output = child.stdout.take().expect("piped");
        Runner { compiler, arch, child, input, output, results: 0, misrounded: 0 }
    }

    fn computes_f128(&self) -> bool {
        self.arch == Arch::X86_64 || self.compiler.starts_with("gcc")
    }
}

/// Runs every kernel over its share: the operators alone get `pairs` operand pairs, the rest comes on top.
pub fn compare(arch: Arch, label: &str, overflow: Overflow, pairs: usize) {
    let kernels = kernels(arch);
    let source = program(&kernels);
    let flags: &[&str] = if overflow == Overflow::Wraps { &["-fwrapv"] } else { &[] };
    let folder = folder(label);
    let mut runners: Vec<Runner> = COMPILERS
        .into_iter()
        .filter_map(|compiler| {
            let program = compile(&folder, compiler, arch, flags, &source)?;
            Some(Runner::start(compiler, arch, &program))
        })
        .collect();
    if runners.is_empty() {
        return;
    }
    let units: usize =
        kernels.iter().filter(|kernel| kernel.kind == Kind::Operators).map(Kernel::units).sum();
    let mut source = Random(0x9e37_79b9_7f4a_7c15);
    let (mut done, mut mistakes) = (BTreeMap::new(), Vec::new());
    for (number, kernel) in kernels.iter().enumerate() {
        let edges = Edges::new(kernel);
        let share = (pairs * kernel.units()).div_ceil(units);
        let (mut sent, mut compared) = (0, 0);
        while sent < share {
            let count = CHUNK.min(share - sent);
            let chunk: Vec<[u128; 4]> = (sent..sent + count)
                .map(|index| operands(kernel, &edges, index, share, &mut source))
                .collect();
            compared += exchange(kernel, number, overflow, &chunk, &mut runners, &mut mistakes);
            let shown = mistakes.len().min(20);
            assert!(mistakes.is_empty(), "{}\n{}", arch.name(), mistakes[..shown].join("\n"));
            sent += count;
        }
        *done.entry(kernel.kind).or_insert(0) += sent;
        println!("{label:>12} {:40} {sent:>8} operands {compared:>9} results", kernel.name);
    }
    println!("{label}: operands sent: {done:?}");
    for Runner { compiler, results, misrounded, .. } in &runners {
        println!("{label} {compiler}: {results} results agree");
        if *misrounded > 0 {
            println!(
                "{label} {compiler}: {misrounded} binary128 quotients of the library are one last place off"
            );
        }
    }
    for mut runner in runners {
        drop(runner.input);
        assert!(runner.child.wait().expect("a child").success());
    }
    std::fs::remove_dir_all(folder).expect("the scratch folder can go");
}

/// Sends one chunk to every compiler's program and compares what comes back; returns how many results were compared.
fn exchange(
    kernel: &Kernel,
    number: usize,
    overflow: Overflow,
    chunk: &[[u128; 4]],
    runners: &mut [Runner],
    mistakes: &mut Vec<String>,
) -> usize {
    let mut input = Vec::with_capacity(8 + chunk.len() * RECORD);
    for head in [number, chunk.len()] {
        input.extend(u32::try_from(head).expect("small").to_le_bytes());
    }
    let (mut results, mut compared) = (Vec::new(), 0);
    for operands in chunk {
        let mut defined = 0u32;
        for (bit, slot) in kernel.slots.iter().enumerate() {
            let result = expected(kernel, slot, overflow, operands);
            if result.is_some() {
                defined |= 1 << bit;
                compared += 1;
            }
            results.push(result);
        }
        input.extend(defined.to_le_bytes());
        input.extend(operands.iter().flat_map(|operand| operand.to_le_bytes()));
    }
    for runner in runners.iter_mut() {
        runner.input.write_all(&input).expect("the program reads");
        runner.input.flush().expect("the program reads");
    }
    let size: usize = kernel.slots.iter().map(|slot| slot.size * slot.parts).sum();
    let mut output = vec![0; size * chunk.len()];
    for runner in runners.iter_mut() {
        if runner.output.read_exact(&mut output).is_err() {
            mistakes.push(format!("{}: the program died in {}", runner.compiler, kernel.name));
            continue;
        }
        let mut rest = output.as_slice();
        for (index, result) in results.iter().enumerate() {
            let slot = &kernel.slots[index % kernel.slots.len()];
            let mut theirs = [0; 2];
            for part in &mut theirs[..slot.parts] {
                let (raw, after) = rest.split_at(slot.size);
                let mut wide = [0; 16];
                wide[..slot.size].copy_from_slice(raw);
                (*part, rest) = (u128::from_le_bytes(wide), after);
            }
            let Some(ours) = *result else { continue };
            if kernel.uses_f128(slot) && !runner.computes_f128() {
                continue;
            }
            let operands = &chunk[index / kernel.slots.len()];
            if same(slot, ours, theirs) {
                runner.results += 1;
            } else if runner.arch == Arch::I386 && is_misrounded_quotient(slot, operands, ours[0], theirs[0])
            {
                runner.misrounded += 1;
            } else {
                mistakes.push(format!(
                    "{}: {} [{} in {}] {operands:#x?}: {theirs:#x?}, here {ours:#x?}",
                    runner.compiler, kernel.name, slot.code, slot.result
                ));
            }
        }
    }
    compared
}

/// Equal bits, or NaNs both.
fn same(slot: &Slot, ours: [u128; 2], theirs: [u128; 2]) -> bool {
    ours.into_iter().zip(theirs).all(|(ours, theirs)| {
        ours == theirs
            || matches!(slot.num, Num::Float(format) if format.is_nan(ours) && format.is_nan(theirs))
    })
}

/// Whether both are quotients next to each other and `ours` is nearer to the exact one: libgcc's `__divtf3` of i386
/// rounds wrongly now and then. The remainder `a - q * b` of such a quotient `q` is exact in one fused operation.
fn is_misrounded_quotient(slot: &Slot, &[a, b, ..]: &[u128; 4], ours: u128, theirs: u128) -> bool {
    let quotient =
        slot.num == Num::Float(Format::F128) && matches!(slot.operation, Operation::Binary(BinaryOp::Div));
    let quad = Quad::from_bits;
    let remainder = |q: u128| (-quad(q)).mul_add(quad(b), quad(a)).value.abs();
    quotient && ours.abs_diff(theirs) == 1 && remainder(ours) < remainder(theirs)
}
