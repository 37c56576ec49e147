//! File systems mounted without flushes.

use cardiograph_core::message;

use super::{Evidence, Found, Warning};

/// Mount options that disable flushes (ext4, xfs before Linux 4.19, btrfs, f2fs).
const OPTIONS: [&str; 4] = ["nobarrier", "barrier=0", "nobarriers", "fsync_mode=nobarrier"];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let mount = evidence.mount()?;
    let given = mount.options.iter().find(|option| OPTIONS.contains(&option.as_str()));
    Ok(given.map(|option| {
        Warning::caution(
            message!("trap-no-barriers.seen", mount = &mount.mount_point, option),
            message!("trap-no-barriers.meaning"),
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn mounts_without_flushes_are_reported() {
        for option in OPTIONS {
            let warning = Scene::default().on("ext4", &["rw", option]).warning(look);
            assert_eq!(warning.seen, [message!("trap-no-barriers.seen", mount = "/mnt", option)]);
        }
        assert!(Scene::default().on("ext4", &["rw", "barrier=1"]).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
