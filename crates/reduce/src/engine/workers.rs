//! Work that is shared: the results are in the order of the work, whoever did it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `f` makes of every item, each worker with its own state. A panic of one is handed on.
pub fn share<W: Send, T: Sync, R: Send>(
    workers: &mut [W],
    items: &[T],
    f: impl Fn(&mut W, &T) -> R + Sync,
) -> Vec<R> {
    let Some((first, others)) = workers.split_first_mut() else { return Vec::new() };
    let next = AtomicUsize::new(0);
    let work = |worker: &mut W| {
        let mut done = Vec::new();
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            done.push((at, f(worker, item)));
        }
        done
    };
    let mut all = if items.len() < 2 || others.is_empty() {
        work(first)
    } else {
        std::thread::scope(|scope| {
            let work = &work;
            let more: Vec<_> = others
                .iter_mut()
                .take(items.len() - 1)
                .map(|worker| scope.spawn(move || work(worker)))
                .collect();
            let mut all = work(first);
            for thread in more {
                all.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            all
        })
    };
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
