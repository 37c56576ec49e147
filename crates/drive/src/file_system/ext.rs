//! The superblock of ext2, ext3 and ext4.
//!
//! Source: the kernel's Documentation/filesystems/ext4/super.rst. Little-endian.

use cardiograph_core::drive::{ExtGeometry, ExtJournal};

/// The superblock follows space for a boot loader.
pub(super) const SUPERBLOCK_OFFSET_BYTES: u64 = 1_024;
/// Length of the superblock, in bytes.
pub(super) const SUPERBLOCK_LEN_BYTES: usize = 1_024;

const MAGIC: u16 = 0xef53;
/// Offset of its checksum, which covers everything before it.
const CHECKSUM_AT: usize = 0x3fc;
const HAS_JOURNAL: u32 = 0x4;
const IS_64BIT: u32 = 0x80;
const METADATA_CSUM: u32 = 0x400;
/// The maximum block size of the format is 64 KiB.
const LOG_BLOCK_SIZE_MAX: u32 = 6;

/// Names of the features in bit order, as printed by dumpe2fs.
const COMPATIBLE: [&str; 13] = [
    "dir_prealloc",
    "imagic_inodes",
    "has_journal",
    "ext_attr",
    "resize_inode",
    "dir_index",
    "lazy_bg",
    "",
    "snapshot_bitmap",
    "sparse_super2",
    "fast_commit",
    "stable_inodes",
    "orphan_file",
];
const INCOMPATIBLE: [&str; 18] = [
    "compression",
    "filetype",
    "needs_recovery",
    "journal_dev",
    "meta_bg",
    "",
    "extent",
    "64bit",
    "mmp",
    "flex_bg",
    "ea_inode",
    "",
    "dirdata",
    "metadata_csum_seed",
    "large_dir",
    "inline_data",
    "encrypt",
    "casefold",
];
const READ_ONLY_COMPATIBLE: [&str; 17] = [
    "sparse_super",
    "large_file",
    "",
    "huge_file",
    "uninit_bg",
    "dir_nlink",
    "extra_isize",
    "",
    "quota",
    "bigalloc",
    "metadata_csum",
    "replica",
    "read-only",
    "project",
    "shared_blocks",
    "verity",
    "orphan_present",
];

/// Content of a superblock.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Superblock {
    /// Geometry of the file system.
    pub geometry: ExtGeometry,
    /// Creation time, in seconds since 1970; `None` if not stored.
    pub created_unix_s: Option<u64>,
}

/// Parses a superblock. `None` if it is missing, damaged or implausible.
pub(super) fn parse(bytes: &[u8]) -> Option<Superblock> {
    let bytes: &[u8; SUPERBLOCK_LEN_BYTES] = bytes.get(..SUPERBLOCK_LEN_BYTES)?.try_into().ok()?;
    let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let [compatible, incompatible, read_only] = [word(0x5c), word(0x60), word(0x64)];
    let log_block_size = word(0x18);
    // crc32c without the final inversion, as in the kernel.
    let is_damaged =
        read_only & METADATA_CSUM != 0 && word(CHECKSUM_AT) != !crc32c::crc32c(&bytes[..CHECKSUM_AT]);
    if half(0x38) != MAGIC || log_block_size > LOG_BLOCK_SIZE_MAX || is_damaged {
        return None;
    }
    let block_bytes = 1_024 << log_block_size;
    // The first revision had a fixed inode size.
    let inode_bytes = if word(0x4c) == 0 { 128 } else { u64::from(half(0x58)) };
    if !inode_bytes.is_power_of_two() || !(128..=block_bytes).contains(&inode_bytes) {
        return None;
    }
    let wide = |low: usize, high: usize| {
        let high = if incompatible & IS_64BIT != 0 { u64::from(word(high)) << 32 } else { 0 };
        high | u64::from(word(low))
    };
    let journal = if compatible & HAS_JOURNAL == 0 {
        ExtJournal::None
    } else if word(0xe0) == 0 {
        ExtJournal::External
    } else {
        // A backup of the journal's inode, if marked as such; its length is in the last two words.
        let len_bytes = u64::from(word(0x148)) << 32 | u64::from(word(0x14c));
        let is_noted = bytes[0xfd] == 1 && len_bytes > 0;
        ExtJournal::Internal { len_bytes: is_noted.then_some(len_bytes) }
    };
    let created = u64::from(bytes[0x276]) << 32 | u64::from(word(0x108));
    let features =
        [(compatible, &COMPATIBLE[..]), (incompatible, &INCOMPATIBLE), (read_only, &READ_ONLY_COMPATIBLE)];
    Some(Superblock {
        geometry: ExtGeometry {
            block_bytes,
            inode_bytes,
            features: features.iter().flat_map(|(bits, names)| named(*bits, names)).collect(),
            journal,
            stride_bytes: u64::from(half(0x164)) * block_bytes,
            stripe_width_bytes: u64::from(word(0x170)) * block_bytes,
            reserved_bytes: wide(0x8, 0x154).checked_mul(block_bytes)?,
        },
        created_unix_s: (created > 0).then_some(created),
    })
}

/// Names of the set bits. An unnamed bit has its number.
fn named<'a>(bits: u32, names: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    (0..u32::BITS).filter(move |bit| bits >> bit & 1 == 1).map(|bit| match names.get(bit as usize) {
        Some(name) if !name.is_empty() => (*name).to_string(),
        _ => format!("bit {bit}"),
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    /// A file system of 64 MiB created by mkfs.ext4 with `arguments`, and dumpe2fs's output for it.
    fn made(arguments: &[&str]) -> Result<(Vec<u8>, String), String> {
        let dir = tempfile::tempdir().unwrap();
        let image = dir.path().join("image");
        std::fs::File::create(&image).and_then(|file| file.set_len(64 << 20)).unwrap();
        cardiograph_testing::run(Command::new("mkfs.ext4").arg("-q").args(arguments).arg(&image))?;
        let output = Command::new("dumpe2fs").arg("-h").arg(&image).env("TZ", "UTC").output();
        let output = String::from_utf8(output.map_err(|error| error.to_string())?.stdout).unwrap();
        Ok((std::fs::read(&image).unwrap()[1_024..2_048].to_vec(), output))
    }

    fn field<'a>(page: &'a str, label: &str) -> &'a str {
        page.lines().find_map(|line| line.strip_prefix(label)?.strip_prefix(':')).map_or("", str::trim)
    }

    #[test]
    fn superblocks_match_dumpe2fs() {
        let cases: [&[&str]; 7] = [
            &[],
            &["-b", "4096", "-I", "512", "-m", "1"],
            &["-O", "^has_journal"],
            &["-t", "ext2"],
            &["-t", "ext3", "-I", "128"],
            &["-b", "4096", "-E", "stride=16,stripe_width=32", "-J", "size=8"],
            &["-O", "^metadata_csum,^64bit,quota,project,encrypt,casefold,inline_data,mmp"],
        ];
        for arguments in cases {
            let (bytes, page) = match made(arguments) {
                Ok(made) => made,
                Err(reason) => return cardiograph_testing::skip("superblocks of ext4", &reason),
            };
            let read = parse(&bytes).unwrap_or_else(|| panic!("{arguments:?}"));
            let geometry = &read.geometry;
            assert_eq!(field(&page, "Block size"), geometry.block_bytes.to_string(), "{arguments:?}");
            assert_eq!(field(&page, "Inode size"), geometry.inode_bytes.to_string(), "{arguments:?}");
            let reserved = geometry.reserved_bytes / geometry.block_bytes;
            assert_eq!(field(&page, "Reserved block count"), reserved.to_string(), "{arguments:?}");
            assert_eq!(field(&page, "Filesystem features"), geometry.features.join(" "), "{arguments:?}");
            let stride = |label: &str, bytes: u64| {
                let blocks = field(&page, label);
                assert_eq!(
                    if blocks.is_empty() { "0" } else { blocks },
                    (bytes / geometry.block_bytes).to_string()
                );
            };
            stride("RAID stride", geometry.stride_bytes);
            stride("RAID stripe width", geometry.stripe_width_bytes);
            let journal = match field(&page, "Total journal size") {
                "" => ExtJournal::None,
                size => {
                    // In whole MiB it says `8M`, otherwise `4096k`.
                    let (number, shift) =
                        size.strip_suffix('M').map_or((&size[..size.len() - 1], 10), |mib| (mib, 20));
                    ExtJournal::Internal {
                        len_bytes: number.parse::<u64>().ok().map(|number| number << shift),
                    }
                }
            };
            assert_eq!(geometry.journal, journal, "{arguments:?}");
            // dumpe2fs prints a date; the file was created in this minute.
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
            let created = read.created_unix_s.unwrap();
            assert!(created <= now && now - created < 600, "{created}");
        }
    }

    #[test]
    fn a_damaged_superblock_is_rejected() {
        let (bytes, _) = match made(&[]) {
            Ok(made) => made,
            Err(reason) => return cardiograph_testing::skip("a damaged superblock of ext4", &reason),
        };
        // Anywhere before the checksum, and the checksum itself.
        for at in [0, 0x38, 0x58, 0x108, 0x170, CHECKSUM_AT - 1, CHECKSUM_AT] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(parse(&damaged), None, "{at:#x}");
        }
        assert_eq!(parse(&bytes[..1_023]), None);
        assert_eq!(parse(&[0; 1_024]), None);
    }

    proptest! {
        #[test]
        fn random_superblocks_are_plausible_or_rejected(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..1_100),
            has_magic in any::<bool>(),
        ) {
            if has_magic && bytes.len() > 0x67 {
                bytes[0x38..0x3a].copy_from_slice(&MAGIC.to_le_bytes());
                bytes[0x18..0x1c].copy_from_slice(&[2, 0, 0, 0]);
                bytes[0x4c..0x50].fill(0);
                // Without a checksum everything else is accepted.
                bytes[0x65] &= !4;
            }
            if let Some(superblock) = parse(&bytes) {
                let geometry = superblock.geometry;
                prop_assert!(geometry.block_bytes.is_power_of_two() && geometry.block_bytes <= 64 << 10);
                prop_assert!(geometry.inode_bytes <= geometry.block_bytes);
                prop_assert!(geometry.features.iter().all(|name| !name.contains(char::is_control)));
            }
        }
    }
}
