//! A message as one command-line argument, which cannot hold every byte.

use std::ffi::OsStr;
use std::io;

use crate::guard::protocol::Message;

/// Two digits for each byte.
pub(crate) fn write(message: &impl Message) -> String {
    let mut bytes = Vec::new();
    message.put(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The message that was written so.
pub(crate) fn read<M: Message>(text: &OsStr) -> io::Result<M> {
    let wrong = || io::Error::from(io::ErrorKind::InvalidInput);
    let digits = text.as_encoded_bytes();
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let bytes: Option<Vec<u8>> = digits
        .chunks(2)
        .map(|pair| match *pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        })
        .collect();
    let bytes = bytes.ok_or_else(wrong)?;
    let mut rest = &*bytes;
    let message = M::get(&mut rest)?;
    if rest.is_empty() { Ok(message) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let message = vec!["a".to_owned(), "\u{0}ü".to_owned()];
        assert_eq!(read::<Vec<String>>(write(&message).as_ref()).unwrap(), message);
        for wrong in ["", "0", "xy", "00"] {
            assert!(read::<Vec<String>>(wrong.as_ref()).is_err());
        }
    }
}
