//! File systems that write elsewhere than they were told.

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
            format!("{} is mounted with {option}", mount.fs_type),
            "what is written here cannot be compressed, but other files are; compressed files bypass direct I/O",
        )),
        None if copies => Some(Warning::caution(
            format!("{} writes each block to a new place", mount.fs_type),
            "random writes become new extents with checksums of their own: figures are those of the file system, and fall \
             as files break into pieces; a directory without copy-on-write (chattr +C) comes nearer to the drive",
        )),
        None => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn btrfs_copies_unless_told_not_to() {
        assert!(Scene::default().on("btrfs", &["rw"]).warning(look).seen.contains("new place"));
        assert!(Scene::default().on("btrfs", &["rw", "compress=zstd:1"]).warning(look).seen.contains("zstd"));
        assert!(Scene::default().on("f2fs", &["compress_algorithm=lz4"]).warning(look).seen.contains("lz4"));
        for (fs_type, options) in [("btrfs", &["nodatacow"][..]), ("ext4", &["rw"]), ("xfs", &[])] {
            assert!(Scene::default().on(fs_type, options).is_absent(look), "{fs_type}");
        }
    }
}
