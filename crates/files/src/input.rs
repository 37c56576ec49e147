//! Opens inputs named by users. They may exceed memory, never end (`/dev/zero`), or come from a pipe, so each kind of
//! input has a limit, defined with its parser and listed in `docs/limits.md`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use cardiograph_core::message;
use cardiograph_core::message::{Message, Parameter};
use cardiograph_core::system_error::explained;

/// Opens a path, `-` for standard input. Pipes and devices are opened, too.
/// Fails like open(2); a directory is refused.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path)?;
    match file.metadata()?.is_dir() {
        true => Err(explained(io::ErrorKind::IsADirectory, message!("input-directory"))),
        false => Ok(Box::new(file)),
    }
}

/// Reads all bytes of a source up to a limit. `kind` names the kind of input in the plural: a phrase.
/// Fails like read(2), and with [`io::ErrorKind::FileTooLarge`] above the limit, beyond which nothing is read.
pub fn read_limited(source: impl Read, len_bytes_max: u64, kind: Message) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(len_bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > len_bytes_max {
        let reason = message!("input-too-long", limit = Parameter::Bytes(len_bytes_max), kind);
        return Err(explained(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_input_stops_at_the_limit() {
        let tests = || Message::verbatim("tests");
        let too_long = |limit: u64| {
            Parameter::from(message!("input-too-long", limit = Parameter::Bytes(limit), kind = tests()))
        };
        for (len_bytes, is_read) in
            [(0, true), (2_047, true), (2_048, true), (2_049, false), (1 << 40, false)]
        {
            let read = read_limited(io::repeat(b'x').take(len_bytes), 2_048, tests());
            match read {
                Ok(bytes) => assert!(is_read && bytes.len() as u64 == len_bytes, "{len_bytes}"),
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
                    assert_eq!((is_read, Parameter::from(&error)), (false, too_long(2_048)));
                }
            }
        }
        let zeros = open(Path::new("/dev/zero")).unwrap();
        let error = read_limited(zeros, 3 << 20, tests()).unwrap_err();
        assert_eq!(Parameter::from(&error), too_long(3 << 20));
    }

    #[test]
    fn directories_are_refused_and_pipes_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let error = open(directory.path()).map(drop).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert_eq!(open(&directory.path().join("x")).map(drop).unwrap_err().kind(), io::ErrorKind::NotFound);
        let (reader, mut writer) = io::pipe().unwrap();
        io::Write::write_all(&mut writer, b"piped").unwrap();
        drop(writer);
        let path = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        assert_eq!(
            read_limited(open(Path::new(&path)).unwrap(), 9, Message::verbatim("tests")).unwrap(),
            b"piped"
        );
    }
}
