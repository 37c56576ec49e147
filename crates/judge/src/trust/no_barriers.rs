//! File systems that were told not to flush.

use super::{Evidence, Found, Warning};

/// Mount options that switch flushes off (ext4, xfs before Linux 4.19, btrfs, f2fs).
const OPTIONS: [&str; 4] = ["nobarrier", "barrier=0", "nobarriers", "fsync_mode=nobarrier"];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let mount = evidence.mount()?;
    let told = mount.options.iter().find(|option| OPTIONS.contains(&option.as_str()));
    Ok(told.map(|option| {
        Warning::caution(
            format!("{} is mounted with {option}", mount.mount_point),
            "what counts as durable is only in the drive's cache: figures of durable writes are those of writes that are not",
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn mounts_without_flushes_are_told() {
        for option in OPTIONS {
            assert!(Scene::default().on("ext4", &["rw", option]).warning(look).seen.ends_with(option));
        }
        assert!(Scene::default().on("ext4", &["rw", "barrier=1"]).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
