//! The pipes of a child: reading both outputs up to a limit and feeding its input, never blocking on any.
//!
//! The loop that waits belongs to the callers, which wait for other things too.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStdin};

use rustix::event::{PollFd, PollFlags};

/// One captured pipe.
pub(crate) struct Stream {
    pipe: Option<OwnedFd>,
    /// What has come so far.
    pub bytes: Vec<u8>,
    /// There was more than the limit.
    pub truncated: bool,
}

impl Stream {
    fn new(pipe: Option<OwnedFd>) -> io::Result<Stream> {
        if let Some(pipe) = &pipe {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Stream { pipe, bytes: Vec::new(), truncated: false })
    }

    /// Reads what is there now, up to the limit.
    fn drain(&mut self, limit: usize, buffer: &mut [u8]) -> io::Result<()> {
        let Some(pipe) = &self.pipe else { return Ok(()) };
        loop {
            match rustix::io::read(pipe, &mut *buffer) {
                Ok(0) => {
                    self.pipe = None;
                    return Ok(());
                }
                Ok(count) => {
                    let kept = count.min(limit - self.bytes.len());
                    self.bytes.extend_from_slice(&buffer[..kept]);
                    if kept < count {
                        // The pipe stays open: the child is to be killed, not told that nobody listens.
                        self.truncated = true;
                        return Ok(());
                    }
                    if count < buffer.len() {
                        return Ok(());
                    }
                }
                Err(rustix::io::Errno::AGAIN) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The three pipes of a child.
pub(crate) struct Pipes<'a> {
    /// Standard output.
    pub stdout: Stream,
    /// Standard error.
    pub stderr: Stream,
    input: Option<ChildStdin>,
    unsent: &'a [u8],
    limit: usize,
}

impl<'a> Pipes<'a> {
    /// Takes the pipes that the child was started with. `limit` is for each output.
    pub(crate) fn of(child: &mut Child, stdin: &'a [u8], limit: usize) -> io::Result<Pipes<'a>> {
        let input = child.stdin.take();
        if let Some(pipe) = &input {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Pipes {
            stdout: Stream::new(child.stdout.take().map(Into::into))?,
            stderr: Stream::new(child.stderr.take().map(Into::into))?,
            input,
            unsent: stdin,
            limit,
        })
    }

    /// What to wait for, after the caller's own entries.
    pub(crate) fn wait_for<'p>(&'p self, waits: &mut Vec<PollFd<'p>>) {
        let outputs = [&self.stdout, &self.stderr].into_iter().filter_map(|stream| stream.pipe.as_ref());
        waits.extend(outputs.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        waits.extend(self.input.as_ref().map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::OUT)));
    }

    /// Reads and writes what can be without waiting. Says whether an output is over its limit.
    pub(crate) fn serve(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        self.stdout.drain(self.limit, buffer)?;
        self.stderr.drain(self.limit, buffer)?;
        if let Some(pipe) = &mut self.input {
            match pipe.write(self.unsent) {
                Ok(count) => self.unsent = &self.unsent[count..],
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                // The child does not want the rest.
                Err(_) => self.unsent = &[],
            }
            if self.unsent.is_empty() {
                self.input = None;
            }
        }
        Ok(self.stdout.truncated || self.stderr.truncated)
    }
}
