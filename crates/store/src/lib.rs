//! A campaign's folder: what was done, what was seen, what was found, and what is still to do.
//!
//! ```text
//! campaign.toml   as the user wrote it
//! howler.db       SQLite: arms, tests, sightings, findings, marks, blobs
//! findings/ID/    a finding with all that a stranger needs to see it
//! lock            held by the one process that writes
//! ```
//!
//! [`Store`] is the folder, [`Ledger`] is what can be asked of it and of any other place that keeps the same rows,
//! [`Writer`] is the one thread that writes while workers hunt. [`merge`](merge::merge) puts folders together.
//!
//! Nothing here knows what a compiler, a verdict or a signature is: rows are plain, and whoever fills them gives them
//! their meaning. There is no clock either: times are given by the caller, and live in the events only.
//!
//! ```
//! use howler_store::{Arm, Ledger, Memory, Record, Shard, Test};
//!
//! let mut ledger = Memory::new();
//! let arm = Arm::new("orange size=3 with gcc-12 -O2")?;
//! ledger.register(&arm)?;
//! let range = ledger.lease(arm.id(), Shard::WHOLE, 10, 1000)?.unwrap();
//! assert_eq!(range, 0..10);
//! for index in range {
//!     let test = Test { arm: arm.id(), index, verdict: "defined".to_owned(), builds: 1, runs: 1 };
//!     ledger.record(&[Record { test, sightings: Vec::new(), blobs: Vec::new() }])?;
//! }
//! assert_eq!(ledger.lease(arm.id(), Shard::WHOLE, 100, 1000)?, Some(10..64));
//! # Ok::<(), howler_store::Error>(())
//! ```
#![deny(missing_docs)]

mod blob;
mod contents;
mod database;
mod dump;
mod error;
mod folder;
mod kept;
mod lease;
mod ledger;
mod mark;
mod marks;
mod memory;
mod merge;
mod query;
mod quota;
mod regroup;
mod row;
mod schema;
mod writer;

pub use blob::{Blob, MAX_BLOB};
pub use dump::dump;
pub use error::{Error, Result};
pub use folder::{Repairs, Store};
pub use kept::PROGRAMS;
pub use lease::{BLOCK, Shard};
pub use ledger::{ArmCounts, Ledger, Outcome, Recorded, SignatureCounts};
pub use mark::{Group, Mark, Marked};
pub use memory::Memory;
pub use merge::{Merged, merge};
pub use quota::Trimmed;
pub use regroup::{Regrouping, Seen, each_sighting};
pub use row::{Arm, DEFERRED, Event, File, FileRow, Finding, NewFinding, Record, Sighting, Test};
pub use writer::{Handle, Writer};
