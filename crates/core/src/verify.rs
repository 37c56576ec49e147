//! What written blocks carry, so that they can be checked when they are read.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::Request;

/// Length of a block's header without its checksum, in bytes.
pub const HEADER_LEN_BYTES: u64 = 40;

/// What stands for the content of a block, by fio's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Checksum {
    /// A header alone: place and number are checked, the content is not.
    Meta,
    /// MD5.
    Md5,
    /// CRC-64 by Jones' polynomial.
    Crc64,
    /// CRC-32, not reflected.
    Crc32,
    /// CRC-32C (Castagnoli).
    Crc32c,
    /// CRC-16 (ARC).
    Crc16,
    /// CRC-7, as memory cards have it.
    Crc7,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// SHA3-224.
    Sha3_224,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// xxHash of 32 bits.
    Xxhash,
    /// SHA-1.
    Sha1,
    /// The content itself is a known pattern, without a header.
    Pattern,
    /// A header alone, and behind it a known pattern.
    #[serde(rename = "pattern_hdr")]
    PatternHeader,
    /// Nothing is carried and nothing compared; blocks are read all the same.
    Null,
}

impl Checksum {
    /// All of them, by fio's word.
    pub const WORDS: &'static [(&'static str, Checksum)] = &[
        ("md5", Checksum::Md5),
        ("crc64", Checksum::Crc64),
        ("crc32", Checksum::Crc32),
        ("crc32c-intel", Checksum::Crc32c),
        ("crc32c", Checksum::Crc32c),
        ("crc16", Checksum::Crc16),
        ("crc7", Checksum::Crc7),
        ("sha1", Checksum::Sha1),
        ("sha256", Checksum::Sha256),
        ("sha512", Checksum::Sha512),
        ("sha3-224", Checksum::Sha3_224),
        ("sha3-256", Checksum::Sha3_256),
        ("sha3-384", Checksum::Sha3_384),
        ("sha3-512", Checksum::Sha3_512),
        ("xxhash", Checksum::Xxhash),
        ("meta", Checksum::Meta),
        ("pattern", Checksum::Pattern),
        ("pattern_hdr", Checksum::PatternHeader),
        ("null", Checksum::Null),
    ];

    /// fio's word for it.
    pub fn word(self) -> &'static str {
        // Of two words the one that names no instruction set.
        Self::WORDS.iter().rev().find(|&&(_, checksum)| checksum == self).map_or("", |&(word, _)| word)
    }

    /// The checksum that a word of fio's names.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|&&(known, _)| known == word).map(|&(_, checksum)| checksum)
    }

    /// Bytes that the checksum takes in a header, as fio 3.33 lays it out.
    pub const fn field_len_bytes(self) -> u64 {
        match self {
            Checksum::Meta | Checksum::Pattern | Checksum::PatternHeader | Checksum::Null => 0,
            Checksum::Crc7 => 1,
            Checksum::Crc16 => 2,
            Checksum::Crc32 | Checksum::Crc32c | Checksum::Xxhash => 4,
            Checksum::Crc64 => 8,
            Checksum::Md5 => 16,
            Checksum::Sha1 => 20,
            Checksum::Sha3_224 => 28,
            Checksum::Sha3_256 => 32,
            Checksum::Sha3_384 => 48,
            Checksum::Sha256 | Checksum::Sha3_512 => 64,
            Checksum::Sha512 => 128,
        }
    }

    /// Length of a block's header with the checksum, in bytes; 0 where blocks have none.
    pub const fn header_len_bytes(self) -> u64 {
        match self {
            Checksum::Pattern | Checksum::Null => 0,
            _ => HEADER_LEN_BYTES + self.field_len_bytes(),
        }
    }
}

/// Whether and how what was written is checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verify {
    /// What blocks carry.
    pub checksum: Checksum,
    /// Whether what is read is compared with the pattern that the job writes.
    pub compares_pattern: bool,
    /// Bytes that have a header of their own; 0 is a whole I/O.
    pub interval_bytes: u64,
    /// Where in a block its header stands, in bytes.
    pub header_offset_bytes: u64,
    /// Whether blocks are read back when all were written. Without, only the headers are written.
    pub read_back: bool,
    /// Whether nothing is written: what an earlier run of the same job wrote is checked.
    pub only: bool,
    /// When blocks are checked before all were written; `None` leaves all to the end.
    pub backlog: Option<Backlog>,
    /// Whether the first bad block ends the job.
    pub fatal: bool,
    /// Whether bad blocks, and what they should be, are kept in files.
    pub dump: bool,
    /// Number of the first write, where several runs with one seed write one long sequence: then a place may hold nothing
    /// but the very write that was due there. `None` counts the writes of each run from 0, and lets checks of what an
    /// earlier run wrote accept any.
    pub first_write: Option<u64>,
    /// Whether how far the writes came is saved for a later check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub saves_state: bool,
    /// How many writes an earlier run issued, and those of them that may be incomplete, by clone. Others, and what overlaps
    /// these, are not checked. `None` checks all writes of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Vec<(u64, Vec<Request>)>>,
}

/// Checks between writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Backlog {
    /// After so many writes.
    pub writes: u64,
    /// So many writes are read back each time, the earliest first.
    pub batch: u64,
}

impl Verify {
    /// Checks with a checksum for each I/O, read back at the end.
    pub const fn new(checksum: Checksum) -> Self {
        Self {
            checksum,
            compares_pattern: false,
            interval_bytes: 0,
            header_offset_bytes: 0,
            read_back: true,
            only: false,
            backlog: None,
            fatal: false,
            dump: false,
            first_write: None,
            saves_state: false,
            known: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_checksums() {
        for &(word, checksum) in Checksum::WORDS {
            assert_eq!(Checksum::from_word(word), Some(checksum));
            assert_eq!(checksum.word(), if word == "crc32c-intel" { "crc32c" } else { word });
        }
        assert_eq!(Checksum::from_word("crc31"), None);
    }

    #[test]
    fn headers_are_as_long_as_those_of_fio() {
        for (checksum, len_bytes) in [
            (Checksum::Meta, 40),
            (Checksum::Crc7, 41),
            (Checksum::Crc32c, 44),
            (Checksum::Md5, 56),
            (Checksum::Sha256, 104),
            (Checksum::Sha512, 168),
            (Checksum::PatternHeader, 40),
            (Checksum::Pattern, 0),
            (Checksum::Null, 0),
        ] {
            assert_eq!(checksum.header_len_bytes(), len_bytes, "{checksum:?}");
        }
    }
}
