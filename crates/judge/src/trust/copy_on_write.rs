//! Copy-on-write file systems.

use cardiograph_core::message;

use super::{Evidence, Found, Warning};

const COPY_ON_WRITE: [&str; 4] = ["btrfs", "bcachefs", "zfs", "nilfs2"];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let mount = evidence.mount()?;
    let is_on = |option: &str| mount.options.iter().any(|given| given == option);
    let compression =
        mount.options.iter().find(|option| option.starts_with("compress")).filter(|_| !is_on("compress=no"));
    let copies = COPY_ON_WRITE.contains(&mount.fs_type.as_str()) && !is_on("nodatacow");
    Ok(match compression {
        Some(option) => Some(Warning::caution(
            message!("trap-copy-on-write.compressed", file_system = &mount.fs_type, option),
            message!("trap-copy-on-write.compressed-meaning"),
        )),
        None if copies => Some(Warning::caution(
            message!("trap-copy-on-write.copied", file_system = &mount.fs_type),
            message!("trap-copy-on-write.copied-meaning"),
        )),
        None => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn btrfs_copies_unless_disabled() {
        let copied = Scene::default().on("btrfs", &["rw"]).warning(look);
        assert_eq!(copied.seen, [message!("trap-copy-on-write.copied", file_system = "btrfs")]);
        for (fs_type, option) in [("btrfs", "compress=zstd:1"), ("f2fs", "compress_algorithm=lz4")] {
            let compressed = Scene::default().on(fs_type, &["rw", option]).warning(look);
            let seen = message!("trap-copy-on-write.compressed", file_system = fs_type, option);
            assert_eq!(compressed.seen, [seen]);
        }
        for (fs_type, options) in [("btrfs", &["nodatacow"][..]), ("ext4", &["rw"]), ("xfs", &[])] {
            assert!(Scene::default().on(fs_type, options).is_absent(look), "{fs_type}");
        }
    }
}
