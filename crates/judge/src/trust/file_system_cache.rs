//! File systems that always answer from memory.

use cardiograph_core::{Message, message};

use super::{Evidence, Found, Warning};

/// File systems with a layer between their files and a drive.
const BETWEEN: [(&str, Message); 16] = [
    ("tmpfs", message!("trap-file-system-cache.memory")),
    ("ramfs", message!("trap-file-system-cache.memory")),
    ("zfs", message!("trap-file-system-cache.zfs")),
    ("overlay", message!("trap-file-system-cache.overlay")),
    ("aufs", message!("trap-file-system-cache.union")),
    ("nfs", message!("trap-file-system-cache.server")),
    ("nfs4", message!("trap-file-system-cache.server")),
    ("cifs", message!("trap-file-system-cache.server")),
    ("smb3", message!("trap-file-system-cache.server")),
    ("9p", message!("trap-file-system-cache.host")),
    ("virtiofs", message!("trap-file-system-cache.host")),
    ("ceph", message!("trap-file-system-cache.cluster")),
    ("glusterfs", message!("trap-file-system-cache.cluster")),
    ("ecryptfs", message!("trap-file-system-cache.encrypted")),
    ("squashfs", message!("trap-file-system-cache.compressed")),
    ("iso9660", message!("trap-file-system-cache.read-only")),
];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let mount = evidence.mount()?;
    let fs_type = mount.fs_type.as_str();
    let known = BETWEEN.into_iter().find(|(name, _)| *name == fs_type).map(|(_, why)| why);
    let why =
        known.or_else(|| fs_type.starts_with("fuse").then(|| message!("trap-file-system-cache.program")));
    let warning = if mount.is_memory { Warning::spoils } else { Warning::caution };
    Ok(match why {
        None => mount.is_memory.then(|| {
            Warning::spoils(
                message!("trap-file-system-cache.ends-in-memory"),
                message!("trap-file-system-cache.meaning-memory"),
            )
        }),
        Some(why) => Some(warning(
            vec![message!("trap-file-system-cache.type", file_system = fs_type), why],
            message!("trap-file-system-cache.meaning"),
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
    fn caching_file_systems_are_reported() {
        for (fs_type, why) in [
            ("zfs", message!("trap-file-system-cache.zfs")),
            ("overlay", message!("trap-file-system-cache.overlay")),
            ("nfs4", message!("trap-file-system-cache.server")),
            ("fuse.sshfs", message!("trap-file-system-cache.program")),
        ] {
            let warning = Scene::default().on(fs_type, &[]).warning(look);
            let seen = [message!("trap-file-system-cache.type", file_system = fs_type), why];
            assert!(warning.seen == seen && warning.weight == Weight::Caution, "{warning:?}");
        }
        let mut memory = Scene::default().on("tmpfs", &[]);
        memory.drive.mount.as_mut().unwrap().is_memory = true;
        assert_eq!(memory.warning(look).weight, Weight::Spoils);
        memory.drive.mount.as_mut().unwrap().fs_type = "ext4".to_string();
        assert_eq!(memory.warning(look).weight, Weight::Spoils);
        for fs_type in ["ext4", "xfs", "vfat", "btrfs", "f2fs"] {
            assert!(Scene::with_kind(LeafKind::Sata).on(fs_type, &[]).is_absent(look), "{fs_type}");
        }
    }
}
