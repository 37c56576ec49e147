//! A file system with little free space.

use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

/// Below this share of free space, file systems break files into pieces and drives run short of erased blocks.
const FREE_SHARE_MIN: f64 = 0.1;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let mount = evidence.drive.mount.as_ref().filter(|mount| mount.size_bytes > 0);
    let mount = mount.ok_or_else(|| message!("trap-nearly-full.unknown"))?;
    let share = mount.available_bytes as f64 / mount.size_bytes as f64;
    Ok((share < FREE_SHARE_MIN).then(|| {
        Warning::caution(
            message!("trap-nearly-full.seen", free = Parameter::share(share), mount = &mount.mount_point),
            message!("trap-nearly-full.meaning"),
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn little_free_space_is_reported() {
        let mut scene = Scene::default().on("ext4", &[]);
        assert!(scene.is_absent(look));
        scene.drive.mount.as_mut().unwrap().available_bytes = 50;
        let seen = message!("trap-nearly-full.seen", free = Parameter::share(0.05), mount = "/mnt");
        assert_eq!(scene.warning(look).seen, [seen]);
        scene.drive.mount.as_mut().unwrap().size_bytes = 0;
        assert!(scene.is_not_seen(look));
    }
}
