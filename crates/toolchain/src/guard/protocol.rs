//! How the guard and its client talk: messages with a length in front, over one socket.
//!
//! Both ends are the same executable, so the encoding needs no versions; a message that cannot be read is still an
//! error and never a panic.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

use crate::guard::job::{End, Excess, Finished, Input, Job, Limits};
use crate::guard::layers::{Layer, Layers};

/// What the client asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Request {
    /// Run the jobs of each chain one after another as long as each succeeds.
    Run(Vec<Vec<Job>>),
    /// Empty the scratch folder.
    Clear,
}

/// What the guard answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    /// The guard serves: its layers and its scratch folder.
    Ready(Box<Layers>, PathBuf),
    /// The jobs that ran, per chain.
    Ran(Vec<Vec<Finished>>),
    /// The scratch folder is empty.
    Cleared,
    /// The request failed in the guard.
    Failed(String),
}

/// No message is longer: a length above this is garbage.
const LONGEST: u64 = 4 << 30;

/// Sends a message.
pub(crate) fn send(to: &mut impl Write, message: &impl Message) -> io::Result<()> {
    let mut bytes = vec![0; 8];
    message.put(&mut bytes);
    let length = (bytes.len() - 8) as u64;
    bytes[..8].copy_from_slice(&length.to_le_bytes());
    to.write_all(&bytes)
}

/// Receives a message.
pub(crate) fn receive<M: Message>(from: &mut impl Read) -> io::Result<M> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > LONGEST {
        return Err(garbage());
    }
    let mut bytes = Vec::new();
    if from.take(length).read_to_end(&mut bytes)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut rest = &*bytes;
    let message = M::get(&mut rest)?;
    if rest.is_empty() { Ok(message) } else { Err(garbage()) }
}

/// Something that can be sent.
pub(crate) trait Message: Sized {
    /// Adds its bytes.
    fn put(&self, to: &mut Vec<u8>);
    /// Takes its bytes.
    fn get(from: &mut &[u8]) -> io::Result<Self>;
}

fn garbage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message of the guard makes no sense")
}

impl Message for u64 {
    fn put(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.to_le_bytes());
    }
    fn get(from: &mut &[u8]) -> io::Result<u64> {
        let (bytes, rest) = from.split_first_chunk::<8>().ok_or_else(garbage)?;
        *from = rest;
        Ok(u64::from_le_bytes(*bytes))
    }
}

impl Message for u8 {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(*self);
    }
    fn get(from: &mut &[u8]) -> io::Result<u8> {
        let (byte, rest) = from.split_first().ok_or_else(garbage)?;
        *from = rest;
        Ok(*byte)
    }
}

impl Message for u32 {
    fn put(&self, to: &mut Vec<u8>) {
        u64::from(*self).put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<u32> {
        u32::try_from(u64::get(from)?).map_err(|_| garbage())
    }
}

impl Message for i32 {
    fn put(&self, to: &mut Vec<u8>) {
        self.cast_unsigned().put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<i32> {
        Ok(u32::get(from)?.cast_signed())
    }
}

impl Message for usize {
    fn put(&self, to: &mut Vec<u8>) {
        (*self as u64).put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<usize> {
        usize::try_from(u64::get(from)?).map_err(|_| garbage())
    }
}

impl Message for Duration {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_secs().put(to);
        self.subsec_nanos().put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<Duration> {
        let seconds = u64::get(from)?;
        let nanos = u32::get(from)?;
        if nanos < 1_000_000_000 { Ok(Duration::new(seconds, nanos)) } else { Err(garbage()) }
    }
}

/// Bytes go as one block: outputs can be long.
struct Bytes(Vec<u8>);

fn put_bytes(bytes: &[u8], to: &mut Vec<u8>) {
    bytes.len().put(to);
    to.extend_from_slice(bytes);
}

impl Message for Bytes {
    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(&self.0, to);
    }
    fn get(from: &mut &[u8]) -> io::Result<Bytes> {
        let length = usize::get(from)?;
        let (bytes, rest) = from.split_at_checked(length).ok_or_else(garbage)?;
        *from = rest;
        Ok(Bytes(bytes.to_vec()))
    }
}

impl Message for OsString {
    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(OsStr::as_bytes(self), to);
    }
    fn get(from: &mut &[u8]) -> io::Result<OsString> {
        Ok(OsString::from_vec(Bytes::get(from)?.0))
    }
}

impl Message for PathBuf {
    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(self.as_os_str().as_bytes(), to);
    }
    fn get(from: &mut &[u8]) -> io::Result<PathBuf> {
        Ok(OsString::get(from)?.into())
    }
}

impl Message for String {
    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), to);
    }
    fn get(from: &mut &[u8]) -> io::Result<String> {
        String::from_utf8(Bytes::get(from)?.0).map_err(|_| garbage())
    }
}

impl<M: Message> Message for Option<M> {
    fn put(&self, to: &mut Vec<u8>) {
        u8::from(self.is_some()).put(to);
        self.iter().for_each(|inner| inner.put(to));
    }
    fn get(from: &mut &[u8]) -> io::Result<Option<M>> {
        match u8::get(from)? {
            0 => Ok(None),
            1 => Ok(Some(M::get(from)?)),
            _ => Err(garbage()),
        }
    }
}

impl<A: Message, B: Message> Message for (A, B) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<(A, B)> {
        Ok((A::get(from)?, B::get(from)?))
    }
}

/// Lists of anything that takes at least a byte; bytes themselves go as [`Bytes`].
impl<M: Message> Message for Vec<M> {
    fn put(&self, to: &mut Vec<u8>) {
        self.len().put(to);
        self.iter().for_each(|inner| inner.put(to));
    }
    fn get(from: &mut &[u8]) -> io::Result<Vec<M>> {
        let length = usize::get(from)?;
        if length > from.len() {
            return Err(garbage());
        }
        (0..length).map(|_| M::get(from)).collect()
    }
}

impl Message for Input {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Input::Nothing => 0u8.put(to),
            Input::Bytes(bytes) => {
                1u8.put(to);
                put_bytes(bytes, to);
            }
            Input::File(path) => {
                2u8.put(to);
                path.put(to);
            }
        }
    }
    fn get(from: &mut &[u8]) -> io::Result<Input> {
        Ok(match u8::get(from)? {
            0 => Input::Nothing,
            1 => Input::Bytes(Bytes::get(from)?.0),
            2 => Input::File(PathBuf::get(from)?),
            _ => return Err(garbage()),
        })
    }
}

/// Writes a struct's fields one after another.
macro_rules! message {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl Message for $name {
            fn put(&self, to: &mut Vec<u8>) {
                $(self.$field.put(to);)*
            }
            fn get(from: &mut &[u8]) -> io::Result<$name> {
                $(let $field = Message::get(from)?;)*
                Ok($name { $($field),* })
            }
        }
    };
}

message!(Job { program, name, args, env, dir, root, stdin, limits });
message!(Limits { wall, cpu, memory, address_space, stack, file_size, scratch, output, processes });
message!(Layers { processes, fork_bombs, network, writes, rights, calls, scratch_in_memory });

impl Message for Finished {
    fn put(&self, to: &mut Vec<u8>) {
        self.end.put(to);
        self.why.map(Excess::name).map(str::to_owned).put(to);
        put_bytes(&self.stdout, to);
        put_bytes(&self.stderr, to);
        self.wall.put(to);
        self.cpu.put(to);
        self.peak_rss.put(to);
        self.orphans.put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<Finished> {
        let end = End::get(from)?;
        let why = Option::<String>::get(from)?;
        let why = why.map(|name| Excess::ALL.into_iter().find(|why| why.name() == name).ok_or_else(garbage));
        Ok(Finished {
            end,
            why: why.transpose()?,
            stdout: Bytes::get(from)?.0,
            stderr: Bytes::get(from)?.0,
            wall: Message::get(from)?,
            cpu: Message::get(from)?,
            peak_rss: Message::get(from)?,
            orphans: Message::get(from)?,
        })
    }
}

impl Message for End {
    fn put(&self, to: &mut Vec<u8>) {
        let (kind, value) = match self {
            End::Exited(status) => (0u8, i32::from(*status)),
            End::Signalled(signal) => (1, *signal),
            End::NotStarted(errno) => (2, *errno),
        };
        kind.put(to);
        value.put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<End> {
        Ok(match (u8::get(from)?, i32::get(from)?) {
            (0, status) => End::Exited(u8::try_from(status).map_err(|_| garbage())?),
            (1, signal) => End::Signalled(signal),
            (2, errno) => End::NotStarted(errno),
            _ => return Err(garbage()),
        })
    }
}

impl Message for Layer {
    fn put(&self, to: &mut Vec<u8>) {
        let (kind, text) = match self {
            Layer::Active(detail) => (0u8, detail),
            Layer::Missing(why) => (1, why),
        };
        kind.put(to);
        text.put(to);
    }
    fn get(from: &mut &[u8]) -> io::Result<Layer> {
        Ok(match (u8::get(from)?, String::get(from)?) {
            (0, detail) => Layer::Active(detail),
            (1, why) => Layer::Missing(why),
            _ => return Err(garbage()),
        })
    }
}

impl Message for Request {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Request::Run(chains) => {
                0u8.put(to);
                chains.put(to);
            }
            Request::Clear => 1u8.put(to),
        }
    }
    fn get(from: &mut &[u8]) -> io::Result<Request> {
        Ok(match u8::get(from)? {
            0 => Request::Run(Message::get(from)?),
            1 => Request::Clear,
            _ => return Err(garbage()),
        })
    }
}

impl Message for Reply {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Reply::Ready(layers, scratch) => {
                0u8.put(to);
                layers.put(to);
                scratch.put(to);
            }
            Reply::Ran(chains) => {
                1u8.put(to);
                chains.put(to);
            }
            Reply::Cleared => 2u8.put(to),
            Reply::Failed(why) => {
                3u8.put(to);
                why.put(to);
            }
        }
    }
    fn get(from: &mut &[u8]) -> io::Result<Reply> {
        Ok(match u8::get(from)? {
            0 => Reply::Ready(Box::new(Message::get(from)?), Message::get(from)?),
            1 => Reply::Ran(Message::get(from)?),
            2 => Reply::Cleared,
            3 => Reply::Failed(Message::get(from)?),
            _ => return Err(garbage()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        let mut job = Job::new("/bin/sh");
        job.name = Some("sh".into());
        job.args(["-c", "exit 3"]).arg(OsStr::from_bytes(b"\xff"));
        job.env.push(("A".into(), "b".into()));
        job.stdin = Input::Bytes(vec![0, 255]);
        job.limits.address_space = Some(1 << 40);
        job
    }

    fn finished(end: End, why: Option<Excess>) -> Finished {
        let (wall, cpu) = (Duration::new(1, 999_999_999), Duration::from_micros(7));
        Finished { end, why, stdout: vec![1], stderr: vec![], wall, cpu, peak_rss: 1 << 35, orphans: 4 }
    }

    #[test]
    fn messages_survive_the_way() {
        let request = Request::Run(vec![vec![job(), Job::new("x")], vec![]]);
        let mut wire = Vec::new();
        send(&mut wire, &request).unwrap();
        send(&mut wire, &Request::Clear).unwrap();
        let mut wire = &*wire;
        assert_eq!(receive::<Request>(&mut wire).unwrap(), request);
        assert_eq!(receive::<Request>(&mut wire).unwrap(), Request::Clear);

        let mut all: Vec<Finished> =
            Excess::ALL.iter().map(|&why| finished(End::Signalled(9), Some(why))).collect();
        all.push(finished(End::Exited(255), None));
        all.push(finished(End::NotStarted(2), None));
        let layer = || Layer::Missing("no".to_owned());
        let layers = Layers {
            processes: Layer::Active(String::new()),
            fork_bombs: layer(),
            network: layer(),
            writes: layer(),
            rights: Layer::Active(String::new()),
            calls: Layer::Missing("x".into()),
            scratch_in_memory: layer(),
        };
        for reply in [
            Reply::Ran(vec![all]),
            Reply::Cleared,
            Reply::Failed("x".into()),
            Reply::Ready(Box::new(layers), "/dev/shm/x".into()),
        ] {
            let mut wire = Vec::new();
            send(&mut wire, &reply).unwrap();
            assert_eq!(receive::<Reply>(&mut &*wire).unwrap(), reply);
        }
    }

    #[test]
    fn damaged_messages_are_errors() {
        let mut wire = Vec::new();
        send(&mut wire, &Request::Run(vec![vec![job()]])).unwrap();
        for length in 0..wire.len() {
            assert!(receive::<Request>(&mut &wire[..length]).is_err());
        }
        for at in 0..wire.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut damaged = wire.clone();
                damaged[at] = value;
                // Often another message, never a panic or a huge allocation.
                let _ = receive::<Request>(&mut &*damaged);
            }
        }
    }
}
