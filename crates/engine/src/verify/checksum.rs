//! Checksums as fio 3.33 stores them.
//!
//! | word | kind | bytes | what is stored |
//! |---|---|---|---|
//! | meta | 1 | 0 | nothing |
//! | md5 | 2 | 16 | MD5 |
//! | crc64 | 3 | 8 | CRC-64/REDIS |
//! | crc32 | 4 | 4 | polynomial 0x04c11db7, not reflected, from 0, not inverted |
//! | crc32c | 5 | 4 | CRC-32C, not inverted at the end |
//! | crc16 | 7 | 2 | CRC-16/ARC |
//! | crc7 | 8 | 1 | CRC-7/MMC |
//! | sha256 | 9 | 64 | SHA-256 and zeros; fio stores remains of its working memory, which do not depend on
//! the content |
//! | sha512 | 10 | 128 | SHA-512 and zeros; fio as above |
//! | sha3-224 ... sha3-512 | 11 to 14 | 28, 32, 48, 64 | SHA-3 |
//! | xxhash | 15 | 4 | XXH32 with seed 1 |
//! | sha1 | 16 | 20 | SHA-1, each of its five words with the low byte first |
//! | pattern_hdr | 17 | 0 | nothing; `verify_pattern` alone in fio 3.33 |
//!
//! 6 is crc32c computed by a processor instruction, with the same result.

use cardiograph_core::verify::Checksum;
use crc::{Algorithm, CRC_7_MMC, CRC_16_ARC, CRC_64_REDIS, Crc, Table};
use md5::{Digest, Md5};

/// Length of the longest checksum, in bytes.
pub(super) const FIELD_LEN_BYTES_MAX: usize = 128;

const CRC_32: Algorithm<u32> = Algorithm {
    width: 32,
    poly: 0x04c1_1db7,
    init: 0,
    refin: false,
    refout: false,
    xorout: 0,
    check: 0x89a1_897f,
    residue: 0,
};

static CRC32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32);
static CRC64: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_REDIS);
static CRC16: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_ARC);
static CRC7: Crc<u8, Table<16>> = Crc::<u8, Table<16>>::new(&CRC_7_MMC);

/// CRC-32C as in fio: the register after the last byte. The usual value is its complement.
pub(super) fn crc32c(bytes: &[u8]) -> u32 {
    !crc32c::crc32c(bytes)
}

/// The number of a checksum in a header.
pub(super) fn kind_of(checksum: Checksum) -> u16 {
    match checksum {
        // These have no header.
        Checksum::Null | Checksum::Pattern => 0,
        Checksum::Meta => 1,
        Checksum::Md5 => 2,
        Checksum::Crc64 => 3,
        Checksum::Crc32 => 4,
        Checksum::Crc32c => 5,
        Checksum::Crc16 => 7,
        Checksum::Crc7 => 8,
        Checksum::Sha256 => 9,
        Checksum::Sha512 => 10,
        Checksum::Sha3_224 => 11,
        Checksum::Sha3_256 => 12,
        Checksum::Sha3_384 => 13,
        Checksum::Sha3_512 => 14,
        Checksum::Xxhash => 15,
        Checksum::Sha1 => 16,
        Checksum::PatternHeader => 17,
    }
}

/// Whether the kind in a header is that of a checksum.
pub(super) fn is_kind(kind: u16, checksum: Checksum) -> bool {
    kind == kind_of(checksum) || (kind == 6 && checksum == Checksum::Crc32c)
}

/// Writes the checksum of `bytes` into `field`, which has its length.
#[inline]
pub(super) fn put(checksum: Checksum, bytes: &[u8], field: &mut [u8]) {
    if checksum == Checksum::Crc32c {
        field.copy_from_slice(&crc32c(bytes).to_le_bytes());
    } else {
        put_other(checksum, bytes, field);
    }
}

#[inline(never)]
fn put_other(checksum: Checksum, bytes: &[u8], field: &mut [u8]) {
    match checksum {
        Checksum::Meta | Checksum::Pattern | Checksum::PatternHeader | Checksum::Null => {}
        Checksum::Crc32c => field.copy_from_slice(&crc32c(bytes).to_le_bytes()),
        Checksum::Md5 => field.copy_from_slice(&Md5::digest(bytes)),
        Checksum::Crc64 => field.copy_from_slice(&CRC64.checksum(bytes).to_le_bytes()),
        Checksum::Crc32 => field.copy_from_slice(&CRC32.checksum(bytes).to_le_bytes()),
        Checksum::Crc16 => field.copy_from_slice(&CRC16.checksum(bytes).to_le_bytes()),
        Checksum::Crc7 => field[0] = CRC7.checksum(bytes),
        Checksum::Sha256 => put_front(&sha2::Sha256::digest(bytes), field),
        Checksum::Sha512 => put_front(&sha2::Sha512::digest(bytes), field),
        Checksum::Sha3_224 => field.copy_from_slice(&sha3::Sha3_224::digest(bytes)),
        Checksum::Sha3_256 => field.copy_from_slice(&sha3::Sha3_256::digest(bytes)),
        Checksum::Sha3_384 => field.copy_from_slice(&sha3::Sha3_384::digest(bytes)),
        Checksum::Sha3_512 => field.copy_from_slice(&sha3::Sha3_512::digest(bytes)),
        Checksum::Xxhash => {
            field.copy_from_slice(&twox_hash::XxHash32::oneshot(1, bytes).to_le_bytes());
        }
        Checksum::Sha1 => {
            for (word, place) in sha1::Sha1::digest(bytes).chunks(4).zip(field.chunks_mut(4)) {
                place.copy_from_slice(word);
                place.reverse();
            }
        }
    }
}

fn put_front(digest: &[u8], field: &mut [u8]) {
    let (front, back) = field.split_at_mut(digest.len());
    front.copy_from_slice(digest);
    back.fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published check values, over the digits 1 to 9 unless stated otherwise.
    #[test]
    fn checksums_match_their_published_check_values() {
        let of = |checksum: Checksum, bytes: &[u8]| {
            let mut field = vec![0xaa; checksum.field_len_bytes() as usize];
            put(checksum, bytes, &mut field);
            field.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let digits = b"123456789";
        assert_eq!(of(Checksum::Meta, digits), "");
        assert_eq!(of(Checksum::Crc7, digits), "75");
        assert_eq!(of(Checksum::Crc16, digits), "3dbb");
        // CRC-32/CKSUM is 0x765e7680, inverted at the end.
        assert_eq!(of(Checksum::Crc32, digits), "7f89a189");
        assert_eq!(of(Checksum::Crc32c, digits), "7c6df91c");
        assert_eq!(of(Checksum::Crc64, digits), "cad9b8c414d9c6e9");
        assert_eq!(of(Checksum::Md5, b"abc"), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(of(Checksum::Sha1, b"abc"), "363e99a96a81064771253eba6cc250789dd8d09c");
        assert!(of(Checksum::Sha256, b"abc").starts_with("ba7816bf8f01cfea"));
        assert!(of(Checksum::Sha256, b"abc").ends_with(&"00".repeat(32)));
        assert!(of(Checksum::Sha512, b"abc").starts_with("ddaf35a193617aba"));
        assert!(of(Checksum::Sha3_224, b"abc").starts_with("e642824c3f8cf24a"));
        assert!(of(Checksum::Sha3_256, b"abc").starts_with("3a985da74fe225b2"));
        assert!(of(Checksum::Sha3_384, b"abc").starts_with("ec01498288516fc9"));
        assert!(of(Checksum::Sha3_512, b"abc").starts_with("b751850b1a57168a"));
        for &(_, checksum) in Checksum::WORDS {
            assert!(checksum.field_len_bytes() as usize <= FIELD_LEN_BYTES_MAX);
            assert!(is_kind(kind_of(checksum), checksum));
        }
    }
}
