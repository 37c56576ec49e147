//! Swap: swap areas (`/proc/swaps`), their drives, and swap traffic (`/proc/vmstat`).

use std::path::Path;

use cardiograph_core::KIB;
use cardiograph_core::drive::{Swap, SwapTraffic};
use cardiograph_core::text::unescape;

use crate::mountinfo;
use crate::system::System;
use crate::{attribute, stack};

/// All swap areas. `None` if the kernel does not list them.
pub(crate) fn read(system: &System) -> Option<Vec<Swap>> {
    let list = attribute::list(&system.under_root("proc/swaps")).ok()?;
    let lines = list.split(|&byte| byte == b'\n').skip(1);
    Some(lines.filter_map(|line| describe(system, line)).collect())
}

/// A line: path, type, size and use in KiB, priority.
fn describe(system: &System, line: &[u8]) -> Option<Swap> {
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let path = unescape(fields.next()?);
    let mut kib = fields.skip(1).map(|field| {
        let count: u64 = std::str::from_utf8(field).ok()?.parse().ok()?;
        count.checked_mul(KIB)
    });
    let (size_bytes, used_bytes) = (kib.next()??, kib.next()??);
    let path = path.to_string_lossy();
    let below = drives(system, &path);
    let is_in_memory = !below.is_empty() && below.iter().all(|name| name.starts_with("zram"));
    let drives = if is_in_memory { Vec::new() } else { below };
    let path = attribute::clean(path.as_bytes()).unwrap_or_default();
    Some(Swap { path, size_bytes, used_bytes, drives, is_in_memory })
}

/// The drives of a partition, a volume or a file. In a container a file may be the host's: one that is
/// missing here is on no known drive.
fn drives(system: &System, path: &str) -> Vec<String> {
    let mounts =
        mountinfo::parse(&attribute::list(&system.under_root("proc/self/mountinfo")).unwrap_or_default());
    if let Some(device) = system.block_by_path(path) {
        return stack::leaf_names_of(system, &mounts, &device);
    }
    if !system.under_root(path).exists() {
        return Vec::new();
    }
    let mount = mountinfo::containing(&mounts, Path::new(path));
    mount.map(|mount| stack::leaf_names(system, &mounts, mount)).unwrap_or_default()
}

/// Swap traffic since boot. `None` if the kernel does not count it.
pub(crate) fn traffic(system: &System) -> Option<SwapTraffic> {
    let counts = attribute::list_text(&system.under_root("proc/vmstat"))?;
    let bytes = |name: &str| {
        let pages: u64 = counts.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())?;
        pages.checked_mul(rustix::param::page_size() as u64)
    };
    Some(SwapTraffic { in_bytes: bytes("pswpin ")?, out_bytes: bytes("pswpout ")? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    const HEAD: &str = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";

    fn swap(path: &str, size_kib: u64, used_kib: u64, drives: &[&str]) -> Swap {
        Swap {
            path: path.to_string(),
            size_bytes: size_kib * KIB,
            used_bytes: used_kib * KIB,
            drives: drives.iter().map(ToString::to_string).collect(),
            is_in_memory: false,
        }
    }

    #[test]
    fn a_swap_is_found_on_its_drive() {
        let pi = fixture::raspberry_pi();
        pi.disk("virtual/block", "zram0", "252:0", 4_194_304);
        pi.file("var/swap", "");
        pi.file("mnt/ssd/my swap", "");
        pi.file(
            "proc/swaps",
            format!(
                "{HEAD}/var/swap                               file\t\t102396\t\t0\t\t-2\n\
                 /mnt/ssd/my\\040swap                       file\t\t2048\t\t1024\t\t-3\n\
                 /dev/sda1                               partition\t4096\t\t8\t\t-4\n\
                 /dev/zram0                              partition\t2097136\t512\t\t100\n\
                 /host/swap                              file\t\t64\t\t0\t\t-5\n"
            ),
        );
        let in_memory = Swap { is_in_memory: true, ..swap("/dev/zram0", 2_097_136, 512, &[]) };
        let expected = [
            swap("/var/swap", 102_396, 0, &["mmcblk0"]),
            swap("/mnt/ssd/my swap", 2_048, 1_024, &["sda"]),
            swap("/dev/sda1", 4_096, 8, &["sda"]),
            in_memory,
            swap("/host/swap", 64, 0, &[]),
        ];
        assert_eq!(read(&pi.system()), Some(expected.to_vec()));
    }

    #[test]
    fn none_and_unknown_are_distinguished() {
        let fixture = Fixture::new();
        assert_eq!((read(&fixture.system()), traffic(&fixture.system())), (None, None));
        for garbage in
            ["", HEAD, "x\ny\n", "Filename\n\u{ff} /dev/sda1 file\n/a b -1 2\n/a b 99999999999999999999 2\n"]
        {
            fixture.file("proc/swaps", garbage);
            fixture.file("proc/vmstat", garbage);
            assert_eq!(
                (read(&fixture.system()), traffic(&fixture.system())),
                (Some(vec![]), None),
                "{garbage}"
            );
        }
    }

    #[test]
    fn traffic_is_counted_in_pages() {
        let fixture = Fixture::new();
        fixture.file("proc/vmstat", "nr_free_pages 1\npswpin 3\npswpout 20\npswpout_zero 4\n");
        let page_bytes = rustix::param::page_size() as u64;
        let expected = SwapTraffic { in_bytes: 3 * page_bytes, out_bytes: 20 * page_bytes };
        assert_eq!(traffic(&fixture.system()), Some(expected));
    }
}
