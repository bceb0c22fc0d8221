//! What goes on before a hunt begins: asking compilers may take seconds, and silence looks like a hang.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// A line that changes on a terminal; elsewhere lines, once it has taken a while.
pub struct Progress {
    terminal: bool,
    started: Instant,
    shown: bool,
}

/// What may pass in silence on a terminal, and elsewhere.
const SILENCE: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(2)];

impl Progress {
    /// Nothing is shown yet.
    pub fn new() -> Progress {
        Progress { terminal: stderr().is_terminal(), started: Instant::now(), shown: false }
    }

    /// Says what is done now. What cannot be written is not missed.
    pub fn tell(&mut self, what: &str) {
        let [terminal, elsewhere] = SILENCE;
        let what: String = what.chars().filter(|c| !c.is_control()).take(70).collect();
        if self.terminal && self.started.elapsed() >= terminal {
            // Back to the start of the line, and nothing of what stood there.
            let _ = write!(stderr(), "\r\x1b[Khowler: {what} …");
            self.shown = true;
        } else if !self.terminal && self.started.elapsed() >= elsewhere {
            let _ = writeln!(stderr(), "howler: {what} …");
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
