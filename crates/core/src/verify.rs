//! Content of written blocks that allows checking them when read.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::Request;

/// Length of a block's header without its checksum, in bytes.
pub const HEADER_LEN_BYTES: u64 = 40;

/// Kind of verification, by fio's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Checksum {
    /// A header alone: position and number are checked, the content is not.
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
    /// CRC-7, as used by memory cards.
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
    /// 32-bit xxHash.
    Xxhash,
    /// SHA-1.
    Sha1,
    /// The content itself is a known pattern, without a header.
    Pattern,
    /// A header followed by a known pattern.
    #[serde(rename = "pattern_hdr")]
    PatternHeader,
    /// No check; blocks are read all the same.
    Null,
}

impl Checksum {
    /// All kinds, by fio's name.
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

    /// fio's name.
    pub fn word(self) -> &'static str {
        // Prefer the name without an instruction set.
        Self::WORDS.iter().rev().find(|&&(_, checksum)| checksum == self).map_or("", |&(word, _)| word)
    }

    /// The checksum with this fio name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|&&(known, _)| known == word).map(|&(_, checksum)| checksum)
    }

    /// Length of the checksum in a header, in bytes, as in fio 3.33.
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

    /// Length of a block's header with the checksum, in bytes; 0 if blocks have none.
    pub const fn header_len_bytes(self) -> u64 {
        match self {
            Checksum::Pattern | Checksum::Null => 0,
            _ => HEADER_LEN_BYTES + self.field_len_bytes(),
        }
    }
}

/// Whether and how written data is verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verify {
    /// Content of the blocks.
    pub checksum: Checksum,
    /// Whether reads are compared with the pattern that the job writes.
    pub compares_pattern: bool,
    /// Interval of headers in bytes; 0 is a whole I/O.
    pub interval_bytes: u64,
    /// Offset of the header in a block, in bytes.
    pub header_offset_bytes: u64,
    /// Whether to read blocks back after all writes. Otherwise only the headers are written.
    pub read_back: bool,
    /// Whether to write nothing and check the data of an earlier run of the same job.
    pub only: bool,
    /// When to check blocks before all are written; `None` leaves all to the end.
    pub backlog: Option<Backlog>,
    /// Whether the first bad block ends the job.
    pub fatal: bool,
    /// Whether to save bad blocks, and their expected content, in files.
    pub dump: bool,
    /// Number of the first write, if several runs with one seed write one long sequence: then a position must hold
    /// exactly the write due there. `None` counts the writes of each run from 0, and lets a check of an earlier run
    /// accept any.
    pub first_write: Option<u64>,
    /// Whether to save the progress of the writes for a later check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub saves_state: bool,
    /// Number of writes that an earlier run issued, and the ones that may be incomplete, by clone. Other writes, and
    /// any that overlap incomplete ones, are not checked. `None` checks all writes of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Vec<(u64, Vec<Request>)>>,
}

/// Checks between writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Backlog {
    /// Number of writes between two checks.
    pub writes: u64,
    /// Number of writes to read back each time, earliest first.
    pub batch: u64,
}

impl Verify {
    /// Verification with a checksum for each I/O, read back at the end.
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
    fn names_select_checksums() {
        for &(word, checksum) in Checksum::WORDS {
            assert_eq!(Checksum::from_word(word), Some(checksum));
            assert_eq!(checksum.word(), if word == "crc32c-intel" { "crc32c" } else { word });
        }
        assert_eq!(Checksum::from_word("crc31"), None);
    }

    #[test]
    fn headers_have_the_lengths_of_fio() {
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
