//! Yarp against the optimizers: what its policies do to the counters of the paper's tables 5 and 6, what becomes of its loops,
//! and what its programs reach that smith's and orange's do not.

use super::remarks::{Counts, Said, said};
use super::smith::made;
use anyhow::{Context, Result};
use howler_case::Technique;
use howler_lang::program::{Entity, ExprId, ExprKind, Item, ObjId, Program, StmtId, StmtKind, UnaryOp};
use howler_lang::target::Target;
use howler_lang::visit::{Node, Walk};
use howler_machine::Machine;
use howler_testkit::Scratch;
use howler_yarp::options::FEATURES;
use howler_yarp::{Options, TECHNIQUE, judged};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of C of each kind, if `HOWLER_BYTES` does not say otherwise.
const BYTES: usize = 2_000_000;

/// Parts that the bytes are divided into, for the confidence of a difference.
const PARTS: usize = 10;

/// Student's t for 95 % with as many degrees of freedom as two times nine parts leave.
const CONFIDENT: f64 = 2.101;

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Counters of one kind of programs, by part.
struct Counted {
    programs: u32,
    parts: [Vec<Counts>; 2],
}

impl Counted {
    fn total(&self, compiler: usize, kind: &str) -> u64 {
        self.parts[compiler].iter().filter_map(|part| part.get(kind)).sum()
    }

    fn kinds(&self, compiler: usize) -> BTreeSet<String> {
        self.parts[compiler].iter().flat_map(|part| part.keys().cloned()).collect()
    }

    /// Mean and variance over the parts.
    fn spread(&self, compiler: usize, kind: &str) -> (f64, f64) {
        let values: Vec<f64> =
            self.parts[compiler].iter().map(|part| part.get(kind).copied().unwrap_or(0) as f64).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (mean, square / (values.len() as f64 - 1.0))
    }
}

/// Compiles programs until there are so many bytes of them, in parts as large as each other.
fn counted(label: &str, technique: &Technique, words: &[&str], bytes: usize) -> Result<Counted> {
    let scratch = Scratch::new();
    let mut all = Counted { programs: 0, parts: [vec![Counts::new()], vec![Counts::new()]] };
    let (mut sum, mut failed) = (0, 0);
    for seed in 1.. {
        if sum >= bytes {
            break;
        }
        let text = made(technique, words, Target::X86_64_GCC, seed)?;
        sum += text.len();
        all.programs += 1;
        let file = scratch.write("made.c", text);
        let Said { clang, gcc, failed: now } = said(&scratch, &format!("{label}, seed {seed}"), &file)?;
        failed += now;
        for (parts, counts) in all.parts.iter_mut().zip([clang, gcc]) {
            let last = parts.last_mut().context("a part")?;
            counts.into_iter().for_each(|(kind, count)| *last.entry(kind).or_default() += count);
        }
        if sum >= bytes / PARTS * all.parts[0].len() && all.parts[0].len() < PARTS {
            all.parts.iter_mut().for_each(|parts| parts.push(Counts::new()));
            eprintln!("{label}: {sum} of {bytes} bytes");
        }
    }
    if failed > 0 {
        println!("({label}: {failed} compiles failed or took more than five minutes)");
    }
    Ok(all)
}

/// The same bytes with and without policies: ratios of counters.
pub(super) fn policies() -> Result<()> {
    let bytes = number("HOWLER_BYTES", BYTES);
    let names: Vec<&str> = FEATURES.iter().filter(|info| info.policy).map(|info| info.name).collect();
    let without = format!("without={}", names.join(","));
    let mut base = vec!["swarm=no"];
    // For tuning: `HOWLER_WORDS='without=loops;size=1000..3000'`.
    let words = std::env::var("HOWLER_WORDS").unwrap_or_default();
    base.extend(words.split(';').filter(|word| !word.is_empty()));
    let with = counted("with policies", &TECHNIQUE, &base, bytes)?;
    base.push(&without);
    let plain = counted("without policies", &TECHNIQUE, &base, bytes)?;
    println!("{bytes} bytes of C each: {} programs with policies, {} without", with.programs, plain.programs);
    println!(
        "| -O3 | counters | geometric mean of ratios | better | worse | equal at 95 % | only with | only without | the paper |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    let paper = ["1.2; of 222, 94 better, 108 worse", "1.4"];
    for (at, compiler) in ["clang-16, remarks", "gcc-12, statistics"].into_iter().enumerate() {
        compare(at, compiler, paper[at], &with, &plain);
    }
    Ok(())
}

fn compare(at: usize, compiler: &str, paper: &str, with: &Counted, plain: &Counted) {
    let kinds: BTreeSet<String> = with.kinds(at).union(&plain.kinds(at)).cloned().collect();
    let (mut logs, mut better, mut worse, mut equal, mut only) = (Vec::new(), 0, 0, 0, [0, 0]);
    let mut far: Vec<(f64, String)> = Vec::new();
    for kind in &kinds {
        let (a, b) = (with.total(at, kind), plain.total(at, kind));
        match (a, b) {
            (_, 0) => only[0] += 1,
            (0, _) => only[1] += 1,
            _ => {
                let ratio = a as f64 / b as f64;
                logs.push(ratio.ln());
                far.push((ratio, kind.clone()));
            }
        }
        let ((one, of_one), (other, of_other)) = (with.spread(at, kind), plain.spread(at, kind));
        let error = ((of_one + of_other) / PARTS as f64).sqrt();
        match (one - other) / error {
            t if t > CONFIDENT => better += 1,
            t if t < -CONFIDENT => worse += 1,
            _ => equal += 1,
        }
    }
    let mean = (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
    println!(
        "| {compiler} | {} | {mean:.2} | {better} | {worse} | {equal} | {} | {} | {paper} |",
        kinds.len(),
        only[0],
        only[1]
    );
    far.sort_by(|one, other| one.0.total_cmp(&other.0));
    let show = |(ratio, kind): &(f64, String)| format!("{kind} ×{ratio:.2}");
    let least: Vec<String> = far.iter().take(6).map(show).collect();
    let most: Vec<String> = far.iter().rev().take(6).map(show).collect();
    eprintln!("{compiler}: most {}; least {}", most.join("; "), least.join("; "));
}

/// What becomes of loops.
pub(super) fn loops() -> Result<()> {
    let programs = number("HOWLER_PROGRAMS", 200) as u64;
    let options = Options { size: (600, 6000), swarm: false, ..Options::default() };
    let scratch = Scratch::new();
    let (mut all, mut carried, mut defined, mut rounds) = (0, 0, 0, BTreeMap::<u32, u32>::new());
    let (mut sites, mut mended) = (0, 0);
    let (mut clang, mut gcc) = (Counts::new(), Counts::new());
    for seed in 1..=programs {
        let watcher = Machine { runs: 1, ..Machine::default() };
        let choices = howler_choices::Choices::new(seed);
        let made = judged(&options, Target::X86_64_GCC, &choices, (&watcher, &Machine::default()));
        defined += u32::from(made.behaviour.is_some());
        *rounds.entry(made.rounds).or_default() += 1;
        sites += made.sites.0;
        mended += made.sites.1;
        for (stmt, found) in made.program.stmts.iter() {
            // The checksum's loops are in `main`, and named so.
            if let StmtKind::For { body, step: Some(_), .. } = found.kind
                && !is_checksum(&made.program, stmt)
            {
                all += 1;
                carried += u32::from(carries(&made.program, body));
            }
        }
        let file = scratch.write("made.c", made.text(0));
        let said = said(&scratch, &format!("seed {seed}"), &file)?;
        said.clang.into_iter().for_each(|(kind, count)| *clang.entry(kind).or_default() += count);
        said.gcc.into_iter().for_each(|(kind, count)| *gcc.entry(kind).or_default() += count);
    }
    println!(
        "{programs} programs, {defined} of them defined; {all} loops, {carried} of which carry something along"
    );
    println!(
        "made so often (rounds: programs): {rounds:?}; {sites} operations of unknown operands, {mended} replaced"
    );
    println!("| clang-16 -O3 | remarks | per 100 loops |\n|---|---|---|");
    let passes = ["loop-", "slp-vectorizer", "licm", "indvars", "gvn", "transform-warning"];
    let told = |kind: &str| passes.iter().any(|pass| kind.starts_with(pass));
    for (kind, count) in clang.iter().filter(|(kind, _)| told(kind)) {
        println!("| {kind} | {count} | {:.1} |", *count as f64 * 100.0 / f64::from(all));
    }
    println!("| gcc-12 -O3 | statistics | per 100 loops |\n|---|---|---|");
    let passes = [
        "vect",
        "slp",
        "ldist",
        "linterchange",
        "ifcvt",
        "cunroll",
        "lim",
        "ivcanon",
        "pcom",
        "unrolljam",
        "lsplit",
        "loop",
    ];
    for (kind, count) in gcc.iter().filter(|(kind, _)| passes.iter().any(|pass| kind.contains(pass))) {
        println!("| {kind} | {count} | {:.1} |", *count as f64 * 100.0 / f64::from(all));
    }
    Ok(())
}

/// Whether a loop is one of those that add arrays to the checksum: their counters are `i0`, `i1`, `i2`.
fn is_checksum(program: &Program, stmt: StmtId) -> bool {
    let StmtKind::For { init: Some(init), .. } = program.stmts[stmt].kind else { return false };
    let StmtKind::Decls(list) = program.stmts[init].kind else { return false };
    let counter = program.block(list).first().and_then(|&stmt| declared(program, stmt));
    let name = counter.and_then(|object| program.objects[object].name);
    name.is_some_and(|name| ["i0", "i1", "i2"].contains(&program.name(name)))
}

/// The object that a statement declares.
fn declared(program: &Program, stmt: StmtId) -> Option<ObjId> {
    let StmtKind::Item(Item::Decl(decl)) = program.stmts[stmt].kind else { return None };
    match program.decls[decl].entity {
        Entity::Object(object) => Some(object),
        _ => None,
    }
}

/// Whether a round may read what another one has written: the body assigns something that it reads too, and that lives
/// longer than a round.
fn carries(program: &Program, body: StmtId) -> bool {
    let (mut written, mut read, mut own) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    // The expressions that only say where something goes.
    let mut targets = BTreeSet::new();
    for part in Walk::stmt(program, body) {
        match part.node {
            Node::Stmt(stmt) => own.extend(declared(program, stmt)),
            Node::Expr(e) => {
                let (place, also) = match program.exprs[e].kind {
                    ExprKind::Assign(place, _) => (place, false),
                    ExprKind::Compound { lhs, .. } => (lhs, true),
                    ExprKind::Unary(
                        UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                        place,
                    ) => (place, true),
                    ExprKind::Object(object) => {
                        if !targets.contains(&e) {
                            read.insert(object);
                        }
                        continue;
                    }
                    _ => continue,
                };
                if let Some((at, object)) = base(program, place) {
                    written.insert(object);
                    targets.insert(at);
                    if also {
                        read.insert(object);
                    }
                }
            }
            _ => {}
        }
    }
    written.intersection(&read).any(|object| !own.contains(object))
}

/// The object that an lvalue is a part of, and the expression that names it.
fn base(program: &Program, place: ExprId) -> Option<(ExprId, ObjId)> {
    Walk::expr(program, place).expressions().find_map(|e| match program.exprs[e].kind {
        ExprKind::Object(object) => Some((e, object)),
        _ => None,
    })
}

/// Kinds that only one of two reaches, on as many bytes.
pub(super) fn differs() -> Result<()> {
    let bytes = number("HOWLER_BYTES", BYTES);
    let yarp = counted("yarp", &TECHNIQUE, &[], bytes)?;
    let smith = counted("smith", &howler_smith::TECHNIQUE, &[], bytes)?;
    let orange = counted("orange", &howler_orange::TECHNIQUE, &[], bytes)?;
    println!(
        "| {bytes} bytes of C, swarm | programs | clang-16: kinds of remarks | gcc-12: kinds of statistics |\n|---|---|---|---|"
    );
    for (name, all) in [("yarp", &yarp), ("smith", &smith), ("orange", &orange)] {
        println!("| {name} | {} | {} | {} |", all.programs, all.kinds(0).len(), all.kinds(1).len());
    }
    for (at, compiler) in ["clang-16", "gcc-12"].into_iter().enumerate() {
        for (name, other) in [("smith", &smith), ("orange", &orange)] {
            let (ours, theirs) = (yarp.kinds(at), other.kinds(at));
            let list = |set: Vec<&String>| {
                let words: Vec<&str> = set.iter().map(|kind| kind.as_str()).collect();
                format!("{}: {}", words.len(), words.join("; "))
            };
            println!("\n{compiler}: of yarp and not of {name}: {}", list(ours.difference(&theirs).collect()));
            println!("{compiler}: of {name} and not of yarp: {}", list(theirs.difference(&ours).collect()));
        }
    }
    Ok(())
}
