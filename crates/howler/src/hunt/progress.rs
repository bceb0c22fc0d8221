//! What goes on before a hunt begins: asking compilers may take seconds, and silence looks like a hang.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// A line on the terminal that changes and goes away again. Elsewhere there is none: a log wants what came of it.
pub struct Progress {
    terminal: bool,
    started: Instant,
    /// What may pass in silence.
    silence: Duration,
    shown: bool,
}

/// Whoever starts a hunt expects a screen.
const SHORT: Duration = Duration::from_millis(200);
/// Whoever waits for a text needs no more than to know that it comes.
const LONG: Duration = Duration::from_secs(2);

impl Progress {
    /// Nothing is shown yet.
    pub fn new() -> Progress {
        let terminal = stderr().is_terminal();
        Progress { terminal, started: Instant::now(), silence: SHORT, shown: false }
    }

    /// Nothing is shown for the first seconds.
    pub fn after_seconds() -> Progress {
        Progress { silence: LONG, ..Progress::new() }
    }

    /// Says what is done now. What cannot be written is not missed.
    pub fn tell(&mut self, what: &str) {
        if self.terminal && self.started.elapsed() >= self.silence {
            let what: String = what.chars().filter(|c| !c.is_control()).take(70).collect();
            // Back to the start of the line, and nothing of what stood there.
            let _ = write!(stderr(), "\r\x1b[Khowler: {what} …");
            self.shown = true;
        }
    }

    /// Leaves nothing on the terminal.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
