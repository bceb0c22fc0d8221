//! Shows a hunt while it runs: the screen, lines, or JSON.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use howler_campaign::status::{Event, Status};
use howler_toolchain::interrupt;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

use super::log;
use super::screen;

/// Where a hunt is shown.
pub enum Display {
    /// On the whole terminal.
    Screen {
        /// The terminal.
        terminal: Terminal<CrosstermBackend<io::Stdout>>,
        /// Set when the user wants to stop.
        stop: Arc<AtomicBool>,
        /// When it was last drawn, in seconds.
        drawn: f64,
    },
    /// As lines.
    Lines {
        /// When the last line was written, in seconds.
        last: f64,
    },
    /// As JSON, one object a line.
    Json,
}

/// Seconds between two frames.
const FRAME: f64 = 0.25;

impl Display {
    /// The best one for this terminal, unless something else was asked for.
    pub fn open(plain: bool, json: bool, stop: &Arc<AtomicBool>) -> io::Result<Display> {
        if json {
            return Ok(Display::Json);
        }
        let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        if plain || dumb || !io::stdout().is_terminal() {
            return Ok(Display::Lines { last: 0.0 });
        }
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(Display::Screen { terminal, stop: stop.clone(), drawn: f64::NEG_INFINITY })
    }

    /// Shows what has changed.
    pub fn show(&mut self, now: f64, event: Option<&Event>, status: &Status) -> io::Result<()> {
        match self {
            Display::Screen { terminal, stop, drawn } => {
                if now - *drawn >= FRAME {
                    *drawn = now;
                    terminal.draw(|frame| screen::draw(frame, status))?;
                    keys(stop)?;
                }
                Ok(())
            }
            Display::Lines { last } => {
                if let Some(line) = event.and_then(|event| log::line(now, event)) {
                    crate::show::to_stdout(line.as_bytes())?;
                }
                if now - *last >= log::INTERVAL {
                    *last = now;
                    crate::show::to_stdout(log::progress(status).as_bytes())?;
                }
                Ok(())
            }
            Display::Json => match event {
                Some(event) => crate::show::to_stdout(format!("{}\n", log::json(now, event)).as_bytes()),
                None => Ok(()),
            },
        }
    }

    /// Puts the terminal right.
    pub fn close(self) {
        if matches!(self, Display::Screen { .. }) {
            restore();
        }
    }
}

/// Makes the terminal what it was. Nothing can be done if that fails.
pub fn restore() {
    if io::stdout().is_terminal() {
        let _ = disable_raw_mode();
        let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
        let _ = io::stdout().flush();
    }
}

/// In raw mode Ctrl-C is a key: it is made the signal that it is elsewhere. `q` ends a hunt as its time would.
fn keys(stop: &AtomicBool) -> io::Result<()> {
    while event::poll(Duration::ZERO)? {
        if let event::Event::Key(key) = event::read()?
            && key.kind == KeyEventKind::Press
        {
            if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
                interrupt::interrupt_self();
            } else if key.code == KeyCode::Char('q') {
                stop.store(true, Ordering::SeqCst);
            }
        }
    }
    Ok(())
}
