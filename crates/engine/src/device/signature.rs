//! Signatures at the start and end of a device that identify its content.
//!
//! Offsets and values come from the formats' own documents: the Linux headers `md_p.h` and `magic.h`, the
//! LVM2 label, the LUKS on-disk format, UEFI for GPT, and blkid(8)'s manual for which of them count as
//! members of an array.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The meaning of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Name of the format, such as `ext4` or `md`.
    pub name: &'static str,
    /// Whether the device belongs to an array, a volume group or the device mapper.
    pub is_member: bool,
}

/// Where to look for a signature.
enum Location {
    /// The number of bytes from the start.
    Start(u64),
    /// The number of bytes before the end, after the length was rounded down to a multiple of the second
    /// value.
    End(u64, u64),
}

use Location::{End, Start};

/// A signature: name, whether it is a member's, location, and bytes.
type Row = (&'static str, bool, Location, &'static [u8]);

/// md's magic number 0xa92b4efc in little-endian and in big-endian order, which format 0.90 may use.
const MD: &[u8] = &[0xfc, 0x4e, 0x2b, 0xa9];
const MD_BIG_ENDIAN: &[u8] = &[0xa9, 0x2b, 0x4e, 0xfc];

const ROWS: &[Row] = &[
    ("md", true, Start(0), MD),
    ("md", true, Start(4_096), MD),
    ("md", true, End(8_192, 4_096), MD),
    ("md", true, End(65_536, 65_536), MD),
    ("md", true, End(65_536, 65_536), MD_BIG_ENDIAN),
    ("md (Intel RAID)", true, End(1_024, 512), b"Intel Raid ISM Cfg Sig. "),
    ("md (DDF)", true, End(512, 512), &[0xde, 0x11, 0xde, 0x11]),
    ("LVM2", true, Start(24), b"LVM2 001"),
    ("LVM2", true, Start(512 + 24), b"LVM2 001"),
    ("LVM2", true, Start(1_024 + 24), b"LVM2 001"),
    ("LVM2", true, Start(1_536 + 24), b"LVM2 001"),
    ("LUKS", true, Start(0), b"LUKS\xba\xbe"),
    ("dm-integrity", true, Start(0), b"integrt\0"),
    ("dm-verity", true, Start(0), b"verity\0\0"),
    ("dm-snapshot", true, Start(0), b"SnAp"),
    ("bcache", false, Start(4_120), b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"),
    ("zfs", false, Start(131_072), &[0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0]),
    ("zfs", false, Start(131_072), &[0, 0, 0, 0, 0, 0xba, 0xb1, 0x0c]),
    ("swap", false, Start(4_086), b"SWAPSPACE2"),
    ("ext2/3/4", false, Start(1_080), &[0x53, 0xef]),
    ("xfs", false, Start(0), b"XFSB"),
    ("btrfs", false, Start(65_600), b"_BHRfS_M"),
    ("f2fs", false, Start(1_024), &[0x10, 0x20, 0xf5, 0xf2]),
    ("vfat", false, Start(82), b"FAT32   "),
    ("vfat", false, Start(54), b"FAT16   "),
    ("vfat", false, Start(54), b"FAT12   "),
    ("exfat", false, Start(3), b"EXFAT   "),
    ("ntfs", false, Start(3), b"NTFS    "),
    ("iso9660", false, Start(32_769), b"CD001"),
    ("squashfs", false, Start(0), b"hsqs"),
    ("GPT", false, Start(512), b"EFI PART"),
    ("GPT", false, Start(4_096), b"EFI PART"),
    ("boot sector", false, Start(510), &[0x55, 0xaa]),
];

/// The signatures in a part of a device that starts at `start_bytes` and is `len_bytes` long, each once.
///
/// # Errors
/// When the device cannot be read.
pub(crate) fn find(device: &File, start_bytes: u64, len_bytes: u64) -> io::Result<Vec<Signature>> {
    let mut found: Vec<Signature> = Vec::new();
    for (name, is_member, location, mark) in ROWS {
        let mark_len_bytes = mark.len() as u64;
        let offset_bytes = match location {
            Start(offset_bytes) => Some(*offset_bytes),
            End(before_bytes, grid_bytes) => (len_bytes - len_bytes % grid_bytes).checked_sub(*before_bytes),
        };
        let inside = offset_bytes.filter(|offset_bytes| offset_bytes + mark_len_bytes <= len_bytes);
        let Some(offset_bytes) = inside else { continue };
        let mut bytes = [0; 32];
        let bytes = &mut bytes[..mark.len()];
        device.read_exact_at(bytes, start_bytes + offset_bytes)?;
        if bytes == *mark && found.iter().all(|signature| signature.name != *name) {
            found.push(Signature { name, is_member: *is_member });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::*;

    const LEN_BYTES: u64 = 320 << 20;

    fn image(directory: &Path) -> File {
        let options = File::options().read(true).write(true).create(true).truncate(true).clone();
        let image = options.open(directory.join("image")).unwrap();
        image.set_len(LEN_BYTES).unwrap();
        image
    }

    fn names(image: &File, start_bytes: u64, len_bytes: u64) -> Vec<&'static str> {
        find(image, start_bytes, len_bytes).unwrap().iter().map(|signature| signature.name).collect()
    }

    /// Images written by the formats' own tools.
    #[test]
    fn real_formats_are_recognised() {
        let directory = tempfile::tempdir().unwrap();
        for (command, name) in [
            (&["mkfs.ext4", "-q", "-F"][..], "ext2/3/4"),
            (&["mkfs.xfs", "-q"], "xfs"),
            (&["mkfs.btrfs", "-q"], "btrfs"),
            (&["mkfs.vfat"], "vfat"),
            (&["mkfs.exfat"], "exfat"),
            (&["mkfs.f2fs", "-q"], "f2fs"),
            (&["mkswap"], "swap"),
        ] {
            let image = image(directory.path());
            let made = cardiograph_testing::run(
                Command::new(command[0]).args(&command[1..]).arg(directory.path().join("image")),
            );
            match made {
                Ok(()) => assert!(names(&image, 0, LEN_BYTES).contains(&name), "{name}"),
                Err(reason) => cardiograph_testing::skip(&format!("the signature of {name}"), &reason),
            }
        }
    }

    #[test]
    fn signatures_count_only_at_their_offset_and_in_their_part() {
        let directory = tempfile::tempdir().unwrap();
        let image = image(directory.path());
        assert_eq!(names(&image, 0, LEN_BYTES), Vec::<&str>::new());
        // 10 MiB and three sectors: format 1.0 lies on the last multiple of 4 KiB that leaves 8 KiB.
        let len_bytes = (10 << 20) + 3 * 512;
        image.write_all_at(MD, (1 << 20) + (10 << 20) - 8_192).unwrap();
        assert_eq!(names(&image, 1 << 20, len_bytes), ["md"]);
        assert_eq!(names(&image, 0, len_bytes), Vec::<&str>::new());
        assert_eq!(names(&image, 1 << 20, len_bytes + 4_096), Vec::<&str>::new());
        // A part too short for a signature holds none.
        assert_eq!(names(&image, 0, 0), Vec::<&str>::new());
        assert_eq!(names(&image, 0, 1_024), Vec::<&str>::new());
        // Several marks of one format are reported once, in the order of the table.
        image.write_all_at(b"EFI PART", 512).unwrap();
        image.write_all_at(b"EFI PART", 4_096).unwrap();
        image.write_all_at(&[0x55, 0xaa], 510).unwrap();
        image.write_all_at(b"LVM2 001", 1_024 + 24).unwrap();
        assert_eq!(names(&image, 0, LEN_BYTES), ["LVM2", "GPT", "boot sector"]);
        let members = find(&image, 0, LEN_BYTES).unwrap();
        assert_eq!(members.iter().map(|found| found.is_member).collect::<Vec<_>>(), [true, false, false]);
        // Unreadable is not the same as empty.
        assert!(find(&image, LEN_BYTES, 1 << 20).is_err());
    }
}
