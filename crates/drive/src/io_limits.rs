//! Control group limits on the I/O of this process, from its own group and all groups above it.
//!
//! Sources: Documentation/admin-guide/cgroup-v2.rst (`io.max`), cgroup-v1/blkio-controller.rst
//! (`blkio.throttle.*_device`).

use std::path::Path;

use cardiograph_core::drive::IoLimit;

use crate::attribute;
use crate::system::System;
use cardiograph_core::drive::DeviceNumber;

/// Files of version 1, and the names of their limits in version 2.
const VERSION_1: [(&str, &str); 4] = [
    ("blkio.throttle.read_bps_device", "rbps"),
    ("blkio.throttle.write_bps_device", "wbps"),
    ("blkio.throttle.read_iops_device", "riops"),
    ("blkio.throttle.write_iops_device", "wiops"),
];

/// All limits in force, starting with those of the process's own group.
pub(crate) fn read(system: &System) -> Vec<IoLimit> {
    let groups = attribute::list_text(&system.under_root("proc/self/cgroup")).unwrap_or_default();
    let mut limits = Vec::new();
    for line in groups.lines() {
        // `0::/path` is of version 2, `7:blkio,cpu:/path` of version 1.
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let is_2 = controllers.is_empty();
        if !is_2 && !controllers.split(',').any(|controller| controller == "blkio") {
            continue;
        }
        let path = Path::new(path.trim_start_matches('/'));
        // A path that leads out of the group tree belongs to another namespace.
        if path.components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
            continue;
        }
        for group in path.ancestors() {
            match is_2 {
                true => ["sys/fs/cgroup", "sys/fs/cgroup/unified"]
                    .iter()
                    .for_each(|root| read_version_2(system, &Path::new(root).join(group), &mut limits)),
                false => ["sys/fs/cgroup/blkio"]
                    .iter()
                    .for_each(|root| read_version_1(system, &Path::new(root).join(group), &mut limits)),
            }
        }
    }
    limits
}

/// Reads lines such as `8:16 rbps=2097152 wbps=max riops=max wiops=120`.
fn read_version_2(system: &System, group: &Path, limits: &mut Vec<IoLimit>) {
    let text = attribute::list_text(&system.under_root(group.join("io.max"))).unwrap_or_default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(device) = words.next().filter(|device| is_device(device)) else { continue };
        for (what, limit) in words.filter_map(|word| word.split_once('=')) {
            if let (true, Ok(per_second)) = (VERSION_1.iter().any(|(_, known)| *known == what), limit.parse())
            {
                limits.push(IoLimit { device: device.to_string(), what: what.to_string(), per_second });
            }
        }
    }
}

/// Reads lines such as `8:16 2097152`, in one file per limit.
fn read_version_1(system: &System, group: &Path, limits: &mut Vec<IoLimit>) {
    for (file, what) in VERSION_1 {
        let text = attribute::list_text(&system.under_root(group.join(file))).unwrap_or_default();
        for (device, limit) in text.lines().filter_map(|line| line.split_once(' ')) {
            if let (true, Ok(per_second)) = (is_device(device), limit.trim().parse()) {
                limits.push(IoLimit { device: device.to_string(), what: what.to_string(), per_second });
            }
        }
    }
}

fn is_device(text: &str) -> bool {
    DeviceNumber::parse(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn limits(fixture: &Fixture) -> Vec<String> {
        let line = |limit: IoLimit| format!("{} {} {}", limit.device, limit.what, limit.per_second);
        read(&fixture.system()).into_iter().map(line).collect()
    }

    #[test]
    fn limits_of_both_versions_are_found_up_to_the_root() {
        let fixture = Fixture::new();
        fixture.file("proc/self/cgroup", "7:cpu,blkio:/docker/abc\n0::/user.slice/box.scope\n");
        fixture.file(
            "sys/fs/cgroup/user.slice/box.scope/io.max",
            "8:16 rbps=2097152 wbps=max riops=max wiops=120\n",
        );
        fixture.file("sys/fs/cgroup/user.slice/io.max", "8:0 rbps=max wbps=1 riops=max wiops=max\n");
        fixture.file("sys/fs/cgroup/other/io.max", "8:0 rbps=7\n");
        fixture.file("sys/fs/cgroup/blkio/docker/abc/blkio.throttle.read_bps_device", "254:0 1048576\n");
        let expected = ["254:0 rbps 1048576", "8:16 rbps 2097152", "8:16 wiops 120", "8:0 wbps 1"];
        assert_eq!(limits(&fixture), expected);
    }

    #[test]
    fn invalid_files_set_no_limits() {
        let fixture = Fixture::new();
        assert_eq!(limits(&fixture), <[&str; 0]>::default());
        fixture.file("proc/self/cgroup", b"0::/../..\n::\n\xff\n0\n0::/a\n");
        fixture.file("io.max", "8:0 rbps=1\n");
        fixture.file("sys/fs/cgroup/a/io.max", "x rbps=1\n8: rbps=1\n8:0 rbps=-1 other=5 rbps= =\n\u{7}\n");
        assert_eq!(limits(&fixture), <[&str; 0]>::default());
    }
}
