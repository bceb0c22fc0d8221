//! Standard output.

use super::Exec;
use super::lib_stream::Orientation;
use crate::outcome::{Limit, Run, Stop, ub_said};
use crate::ub::UbKind;

impl Exec<'_> {
    /// Adds to standard output.
    pub(super) fn print(&mut self, bytes: &[u8]) -> Run<()> {
        if self.orientation == Some(Orientation::Wide) {
            return ub_said(
                UbKind::StreamUse,
                "bytes and wide characters are written to one stream",
                "7.21.2p4",
            );
        }
        self.orientation = Some(Orientation::Bytes);
        self.put_out(bytes)
    }

    /// Adds wide characters to standard output, which are bytes there. Bytes and wide characters do not mix on one
    /// stream (C17 7.21.2p4).
    pub(super) fn print_wide(&mut self, bytes: &[u8]) -> Run<()> {
        if self.orientation == Some(Orientation::Bytes) {
            return ub_said(
                UbKind::StreamUse,
                "bytes and wide characters are written to one stream",
                "7.21.2p4",
            );
        }
        self.orientation = Some(Orientation::Wide);
        self.put_out(bytes)
    }

    fn put_out(&mut self, bytes: &[u8]) -> Run<()> {
        self.seq.print();
        self.watch_effect("it prints")?;
        if self.output.len() + bytes.len() > self.limits.output {
            let room = self.limits.output - self.output.len();
            self.output.extend_from_slice(&bytes[..room]);
            return Err(Stop::Limit(Limit::Output));
        }
        self.output.extend_from_slice(bytes);
        self.unsettle_errno();
        if self.unbuffered {
            self.flushed = self.output.len();
        }
        Ok(())
    }
}
