//! File systems that answer from memory whatever is asked.

use super::{Evidence, Found, Warning};

/// File systems, and who stands between their files and a drive.
const BETWEEN: [(&str, &str); 16] = [
    ("tmpfs", "it lives in memory"),
    ("ramfs", "it lives in memory"),
    ("zfs", "its own cache (ARC) answers reads, and before OpenZFS 2.3 O_DIRECT is taken and ignored"),
    ("overlay", "files come from a layer below, and are copied up when they are first written"),
    ("aufs", "files come from a layer below"),
    ("nfs", "a server and its caches answer"),
    ("nfs4", "a server and its caches answer"),
    ("cifs", "a server and its caches answer"),
    ("smb3", "a server and its caches answer"),
    ("9p", "the host of this virtual machine answers"),
    ("virtiofs", "the host of this virtual machine answers"),
    ("ceph", "a cluster of servers answers"),
    ("glusterfs", "a cluster of servers answers"),
    ("ecryptfs", "it encrypts through the page cache"),
    ("squashfs", "it decompresses through the page cache"),
    ("iso9660", "it cannot be written"),
];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let mount = evidence.mount()?;
    let fs_type = mount.fs_type.as_str();
    let known = BETWEEN.iter().find(|(name, _)| *name == fs_type).map(|(_, why)| *why);
    let why =
        known.or_else(|| fs_type.starts_with("fuse").then_some("a program answers for the file system"));
    let warning = if mount.is_memory { Warning::spoils } else { Warning::caution };
    Ok(match why {
        None if mount.is_memory => {
            Some(Warning::spoils("what is written here ends in memory", "nothing of a drive can be measured"))
        }
        None => None,
        Some(why) => Some(warning(
            format!("the file system is {fs_type}: {why}"),
            "the figures are those of the file system with its cache, not of a drive",
        )),
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::LeafKind;

    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn some_file_systems_stand_between() {
        for (fs_type, word) in
            [("zfs", "ARC"), ("overlay", "layer"), ("nfs4", "server"), ("fuse.sshfs", "program")]
        {
            let warning = Scene::default().on(fs_type, &[]).warning(look);
            assert!(warning.seen.contains(word) && warning.weight == Weight::Caution, "{warning:?}");
        }
        let mut memory = Scene::default().on("tmpfs", &[]);
        memory.drive.mount.as_mut().unwrap().is_memory = true;
        assert_eq!(memory.warning(look).weight, Weight::Spoils);
        memory.drive.mount.as_mut().unwrap().fs_type = "ext4".to_string();
        assert_eq!(memory.warning(look).weight, Weight::Spoils);
        for fs_type in ["ext4", "xfs", "vfat", "btrfs", "f2fs"] {
            assert!(Scene::of_kind(LeafKind::Sata).on(fs_type, &[]).is_absent(look), "{fs_type}");
        }
    }
}
