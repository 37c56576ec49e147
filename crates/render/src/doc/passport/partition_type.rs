//! Names of the types of partitions.
//!
//! Sources: UEFI Specification 2.10, 5.3.3; UAPI Group, Discoverable Partitions Specification; the lists of
//! util-linux (`include/pt-gpt-partnames.h` and `pt-mbr-partnames.h`).

use cardiograph_core::{Message, message};

/// Types of a GUID partition table.
const GPT: &[(&str, Message)] = &[
    ("c12a7328-f81f-11d2-ba4b-00a0c93ec93b", message!("partition-type.efi-system")),
    ("21686148-6449-6e6f-744e-656564454649", message!("partition-type.bios-boot")),
    ("bc13c2ff-59e6-4262-a352-b275fd6f7172", message!("partition-type.linux-extended-boot")),
    ("0fc63daf-8483-4772-8e79-3d69d8477de4", message!("partition-type.linux-file-system")),
    ("44479540-f297-41b2-9af7-d131d5f0458a", message!("partition-type.linux-root-x86")),
    ("4f68bce3-e8cd-4db1-96e7-fbcaf984b709", message!("partition-type.linux-root-x86-64")),
    ("69dad710-2ce4-4e3c-b16c-21a1d49abed3", message!("partition-type.linux-root-arm")),
    ("b921b045-1df0-41c3-af44-4c6f280d3fae", message!("partition-type.linux-root-arm-64")),
    ("933ac7e1-2eb4-4f13-b844-0e14e2aef915", message!("partition-type.linux-home")),
    ("3b8f8425-20e0-4f3b-907f-1a25a76f98e8", message!("partition-type.linux-server-data")),
    ("4d21b016-b534-45c2-a9fb-5c16e091fd2d", message!("partition-type.linux-variable-data")),
    ("0657fd6d-a4ab-43c4-84e5-0933c84b4f4f", message!("partition-type.linux-swap")),
    ("a19d880f-05fc-4d3b-a006-743f0f84911e", message!("partition-type.linux-raid")),
    ("e6d6d379-f507-44c2-a23c-238f2a3df928", message!("partition-type.linux-lvm")),
    ("ca7d7ccb-63ed-4c53-861c-1742536059cc", message!("partition-type.linux-luks")),
    ("ebd0a0a2-b9e5-4433-87c0-68b6b72699c7", message!("partition-type.microsoft-basic-data")),
    ("e3c9e316-0b5c-4db8-817d-f92df00215ae", message!("partition-type.microsoft-reserved")),
    ("de94bba4-06d1-4d40-a16a-bfd50179d6ac", message!("partition-type.windows-recovery")),
    ("48465300-0000-11aa-aa11-00306543ecac", message!("partition-type.apple-hfs-plus")),
    ("7c3457ef-0000-11aa-aa11-00306543ecac", message!("partition-type.apple-apfs")),
    ("6a898cc3-1dd2-11b2-99a6-080020736631", message!("partition-type.zfs")),
];

/// Types of an MBR partition table.
const DOS: &[(u8, Message)] = &[
    (0x05, message!("partition-type.extended")),
    (0x06, message!("partition-type.fat16")),
    (0x07, message!("partition-type.ntfs-or-exfat")),
    (0x0b, message!("partition-type.fat32")),
    (0x0c, message!("partition-type.fat32-lba")),
    (0x0e, message!("partition-type.fat16-lba")),
    (0x0f, message!("partition-type.extended-lba")),
    (0x82, message!("partition-type.linux-swap")),
    (0x83, message!("partition-type.linux-file-system")),
    (0x85, message!("partition-type.linux-extended")),
    (0x8e, message!("partition-type.linux-lvm")),
    (0xa5, message!("partition-type.freebsd")),
    (0xee, message!("partition-type.cover-of-a-gpt")),
    (0xef, message!("partition-type.efi-system")),
    (0xfd, message!("partition-type.linux-raid")),
];

/// The name of the type `id` in a table of the kind `scheme` (udev's name for it). `None` for rare types.
pub(super) fn name(scheme: Option<&str>, id: &str) -> Option<Message> {
    match scheme? {
        "gpt" => GPT.iter().find(|(guid, _)| guid.eq_ignore_ascii_case(id)).map(|(_, name)| name.clone()),
        "dos" => {
            let number = u8::from_str_radix(id.strip_prefix("0x")?, 16).ok()?;
            DOS.iter().find(|(of_table, _)| *of_table == number).map(|(_, name)| name.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn usual_types_have_names_and_others_none() {
        let cases = [
            (Some("gpt"), "c12a7328-f81f-11d2-ba4b-00a0c93ec93b", Some("partition-type.efi-system")),
            (Some("gpt"), "E6D6D379-F507-44C2-A23C-238F2A3DF928", Some("partition-type.linux-lvm")),
            (Some("gpt"), "00000000-0000-0000-0000-000000000000", None),
            (Some("gpt"), "0x83", None),
            (Some("dos"), "0x83", Some("partition-type.linux-file-system")),
            (Some("dos"), "0xc", Some("partition-type.fat32-lba")),
            (Some("dos"), "0x1ff", None),
            (Some("dos"), "83", None),
            (Some("mac"), "0x83", None),
            (None, "0x83", None),
        ];
        for (scheme, id, expected) in cases {
            assert_eq!(name(scheme, id).as_ref().map(Message::id), expected, "{scheme:?} {id}");
        }
    }

    #[test]
    fn each_type_stands_once_in_the_form_of_a_guid() {
        let guids: BTreeSet<&str> = GPT.iter().map(|(guid, _)| *guid).collect();
        assert_eq!(guids.len(), GPT.len());
        for guid in guids {
            let lengths: Vec<usize> = guid.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{guid}");
            assert!(
                guid.chars().all(|c| c == '-' || c.is_ascii_digit() || ('a'..='f').contains(&c)),
                "{guid}"
            );
        }
    }
}
