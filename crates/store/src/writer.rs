//! The one thread that writes while many work.
//!
//! Workers wait for the answer, so an error reaches the one whose work was not stored, who still has it and can try
//! again. That is cheap: a commit without a sync takes microseconds, and whatever arrives during one commit goes into
//! the next one together.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::error::{Error, Result};
use crate::ledger::{Ledger, Recorded};
use crate::row::Record;

/// Messages that may wait. More than there are workers, so that nobody waits to be allowed to wait.
const QUEUE: usize = 256;

/// Tests in one transaction, at most about.
const GROUP: usize = 1024;

/// The thread that owns a ledger.
#[derive(Debug)]
pub struct Writer<L> {
    handle: Handle<L>,
    thread: JoinHandle<L>,
}

/// A way to reach the writer. Clones reach the same one.
#[derive(Debug)]
pub struct Handle<L> {
    messages: SyncSender<Message<L>>,
}

impl<L> Clone for Handle<L> {
    fn clone(&self) -> Handle<L> {
        Handle { messages: self.messages.clone() }
    }
}

type Work<L> = Box<dyn FnOnce(&mut L) + Send>;

enum Message<L> {
    Record(Vec<Record>, SyncSender<Result<Vec<Recorded>>>),
    Call(Work<L>),
    Finish,
}

impl<L: Ledger + Send + 'static> Writer<L> {
    /// Gives a ledger to a thread of its own.
    pub fn start(ledger: L) -> Result<Writer<L>> {
        let (messages, waiting) = sync_channel(QUEUE);
        let thread =
            std::thread::Builder::new().name("store".to_owned()).spawn(move || serve(ledger, &waiting));
        let thread = thread.map_err(|error| Error::io("start", "the writer thread".as_ref(), &error))?;
        Ok(Writer { handle: Handle { messages }, thread })
    }

    /// A way to reach it.
    pub fn handle(&self) -> Handle<L> {
        self.handle.clone()
    }

    /// Does all that was asked before, and gives the ledger back. Whoever asks later is told that the writer has ended.
    pub fn finish(self) -> Result<L> {
        let _ = self.handle.messages.send(Message::Finish);
        self.thread.join().map_err(|_| Error::WriterGone)
    }
}

impl<L: Ledger + Send + 'static> Handle<L> {
    /// Records tests, all of these or none. When this returns, a kill cannot undo it.
    pub fn record(&self, batch: Vec<Record>) -> Result<Vec<Recorded>> {
        let (answer, answered) = sync_channel(1);
        self.messages.send(Message::Record(batch, answer)).map_err(|_| Error::WriterGone)?;
        answered.recv().map_err(|_| Error::WriterGone)?
    }

    /// Does anything else with the ledger, in its turn: lease work, put a finding, keep a quota.
    pub fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut L) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = sync_channel(1);
        let work = move |ledger: &mut L| {
            // Nobody waits any more if the worker has ended.
            let _ = answer.send(work(ledger));
        };
        self.messages.send(Message::Call(Box::new(work))).map_err(|_| Error::WriterGone)?;
        answered.recv().map_err(|_| Error::WriterGone)?
    }
}

type Waiting = (Vec<Record>, SyncSender<Result<Vec<Recorded>>>);

fn serve<L: Ledger>(mut ledger: L, messages: &Receiver<Message<L>>) -> L {
    let mut next = messages.recv().ok();
    while let Some(message) = next.take() {
        match message {
            Message::Finish => break,
            Message::Call(work) => work(&mut ledger),
            Message::Record(batch, answer) => {
                let mut rows = batch.len();
                let mut group = vec![(batch, answer)];
                while rows < GROUP {
                    match messages.try_recv() {
                        Ok(Message::Record(batch, answer)) => {
                            rows += batch.len();
                            group.push((batch, answer));
                        }
                        Ok(other) => {
                            next = Some(other);
                            break;
                        }
                        Err(_) => break,
                    }
                }
                record(&mut ledger, group);
            }
        }
        if next.is_none() {
            next = messages.recv().ok();
        }
    }
    ledger
}

/// Records a group in one transaction. If one batch spoils it, each is recorded by itself.
fn record(ledger: &mut impl Ledger, mut group: Vec<Waiting>) {
    if group.len() > 1 {
        let parts: Vec<usize> = group.iter().map(|(batch, _)| batch.len()).collect();
        let all: Vec<Record> = group.iter_mut().flat_map(|(batch, _)| std::mem::take(batch)).collect();
        match ledger.record(&all) {
            Ok(recorded) => {
                let mut recorded = recorded.into_iter();
                for ((_, answer), part) in group.into_iter().zip(parts) {
                    let _ = answer.send(Ok(recorded.by_ref().take(part).collect()));
                }
                return;
            }
            // The place failed: it would for each of them.
            Err(error) if error.is_environment() => {
                for (_, answer) in group {
                    let _ = answer.send(Err(error.clone()));
                }
                return;
            }
            Err(_) => {
                let mut all = all.into_iter();
                for ((batch, _), part) in group.iter_mut().zip(parts) {
                    *batch = all.by_ref().take(part).collect();
                }
            }
        }
    }
    for (batch, answer) in group {
        let _ = answer.send(ledger.record(&batch));
    }
}
