//! How fast rows go in and out: `cargo run --release -p howler-store --example rate -- FOLDER`. Numbers are only
//! comparable within one run.

use std::path::PathBuf;
use std::time::Instant;

use howler_case::{Id, Status};
use howler_store::{
    Arm, Blob, File, Finding, Ledger, NewFinding, Record, Result, Shard, Sighting, Store, Test, Writer, dump,
    merge,
};

const ALONE: u64 = 20_000;
const BATCHED: u64 = 500_000;
const FINDINGS: u64 = 50;

fn main() -> Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder to be made"));
    let alone = Arm::new("one test at a time")?;
    let batched = Arm::new("500 tests at a time")?;
    let mut store = Store::create(&folder.join("a"), b"")?;
    store.register(&alone)?;
    store.register(&batched)?;

    rate("tests recorded one by one", ALONE, || {
        (0..ALONE).try_for_each(|index| store.record(&[record(&alone, index)]).map(drop))
    })?;
    rate("tests recorded in batches of 500", BATCHED, || {
        (0..BATCHED).step_by(500).try_for_each(|start| {
            let batch: Vec<Record> = (start..start + 500).map(|index| record(&batched, index)).collect();
            store.record(&batch).map(drop)
        })
    })?;
    rate("findings put, two files each", FINDINGS, || {
        (0..FINDINGS).try_for_each(|index| store.put_finding(&finding(&alone, index)?).map(drop))
    })?;
    let writer = Writer::start(store)?;
    rate("tests recorded by 8 threads, one by one", ALONE, || {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let (handle, alone) = (writer.handle(), &alone);
                scope.spawn(move || -> Result<()> {
                    let id = alone.id();
                    while let Some(range) =
                        handle.call(move |store| store.lease(id, Shard::WHOLE, 20, 2 * ALONE))?
                    {
                        range
                            .into_iter()
                            .try_for_each(|index| handle.record(vec![record(alone, index)]).map(drop))?;
                    }
                    Ok(())
                });
            }
        });
        Ok(())
    })?;
    drop(writer.finish()?);

    let mut store = Store::open(&folder.join("a"))?;
    rate("tests looked through for the first lease", BATCHED, || {
        store.lease(batched.id(), Shard::WHOLE, 1, u64::MAX).map(drop)
    })?;
    rate("tests counted", BATCHED + 2 * ALONE, || store.arms().map(drop))?;
    rate("tests dumped", BATCHED + 2 * ALONE, || dump(&store, &mut std::io::sink()))?;
    let mut other = Store::create(&folder.join("b"), b"")?;
    rate("tests merged into an empty folder", BATCHED + 2 * ALONE, || merge(&mut other, &store).map(drop))?;
    rate("tests merged again", BATCHED + 2 * ALONE, || merge(&mut other, &store).map(drop))?;
    println!("{} bytes in the folder", store.size()?);
    Ok(())
}

fn rate(what: &str, count: u64, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    work()?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{what:45} {count:7} in {seconds:7.2} s: {:9.0} a second", count as f64 / seconds);
    Ok(())
}

/// A test; every tenth has a sighting with a program.
fn record(arm: &Arm, index: u64) -> Record {
    let test = Test { arm: arm.id(), index, verdict: "defined".to_owned(), builds: 10, runs: 10 };
    if !index.is_multiple_of(10) {
        return Record { test, sightings: Vec::new(), blobs: Vec::new() };
    }
    let program: String =
        (0..20).map(|line| format!("int x{line} = {};\n", index.wrapping_mul(line))).collect();
    let blob = Blob::new(program.as_bytes()).expect("it is small");
    let sighting = Sighting {
        signature: Id::of(&(index % 1000).to_le_bytes()),
        family: "gcc".to_owned(),
        suspect: false,
        evidence: String::new(),
        kind: "wrong-code".to_owned(),
        configurations: vec!["gcc-12 -O2".to_owned(), "gcc-12 -O3".to_owned()],
        details: "exit status 1, not 0".to_owned(),
        blobs: vec![blob.id()],
    };
    Record { test, sightings: vec![sighting], blobs: vec![blob] }
}

fn finding(arm: &Arm, index: u64) -> Result<NewFinding> {
    let finding = Finding {
        signature: Id::of(&index.to_le_bytes()),
        kind: "wrong-code".to_owned(),
        status: Status::Confirmed,
        arm: arm.id(),
        index,
        title: "wrong code".to_owned(),
        files: Vec::new(),
    };
    let file = |name: &str, bytes: String| File {
        name: name.to_owned(),
        executable: false,
        bytes: bytes.into_bytes(),
    };
    let files =
        [file("test.c", format!("int x = {index};\n")), file("README.txt", format!("finding {index}\n"))];
    NewFinding::new(finding, &files)
}
