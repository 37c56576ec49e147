//! A drive's kernel queue in sysfs (Documentation/ABI/stable/sysfs-block).

use cardiograph_core::drive::{CompletesOn, Merges, Queue, Zones};

use crate::attribute;
use crate::block::{self, BlockDevice};

/// The queue of a drive. `None` without information.
pub(crate) fn read(device: &BlockDevice) -> Option<Queue> {
    let number = |name: &str| device.number(&format!("queue/{name}"));
    let switch = |name: &str| match number(name)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    };
    let queue = Queue {
        fua: switch("fua"),
        discard_granularity_bytes: number("discard_granularity"),
        discard_max_bytes: number("discard_max_bytes"),
        provisioning: provisioning(device),
        zones: match device.text("queue/zoned").as_deref() {
            Some("none") => Some(Zones::None),
            Some("host-aware") => Some(Zones::HostAware),
            Some("host-managed") => Some(Zones::HostManaged),
            _ => None,
        },
        minimum_io_bytes: number("minimum_io_size").filter(|&bytes| bytes > 0),
        // 0 means none.
        optimal_io_bytes: number("optimal_io_size").filter(|&bytes| bytes > 0),
        // -1, which is not a number here, means unaligned.
        alignment_offset_bytes: device.number("alignment_offset"),
        read_ahead_bytes: number("read_ahead_kb").and_then(|kib| kib.checked_mul(1 << 10)),
        requests_max: number("nr_requests").and_then(|requests| requests.try_into().ok()),
        completes_on: match number("rq_affinity") {
            Some(0) => Some(CompletesOn::Any),
            Some(1) => Some(CompletesOn::Group),
            Some(2) => Some(CompletesOn::Same),
            _ => None,
        },
        merges: match number("nomerges") {
            Some(0) => Some(Merges::All),
            Some(1) => Some(Merges::Simple),
            Some(2) => Some(Merges::None),
            _ => None,
        },
        polls: switch("io_poll"),
        write_throttle_us: number("wbt_lat_usec"),
    };
    (queue != Queue::default()).then_some(queue)
}

/// Discard method of a SCSI drive.
fn provisioning(device: &BlockDevice) -> Option<String> {
    block::entries(&device.dir.join("device/scsi_disk"))
        .iter()
        .find_map(|disk| attribute::text(&disk.join("provisioning_mode")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    const DIR: &str = "pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda";

    fn sda(attributes: &[(&str, &str)]) -> Option<Queue> {
        let fixture = Fixture::new();
        fixture.disk(DIR.strip_suffix("/sda").unwrap(), "sda", "8:0", 8);
        fixture.drive(DIR, 2, &[]);
        fixture.remove(&format!("sys/devices/{DIR}/queue"));
        for (name, value) in attributes {
            fixture.file(&format!("sys/devices/{DIR}/{name}"), format!("{value}\n"));
        }
        read(&fixture.system().block_by_name("sda").unwrap())
    }

    #[test]
    fn all_attributes_are_read() {
        let mode = "../../scsi_disk/0:0:0:0/provisioning_mode";
        let attributes = [
            ("queue/fua", "1"),
            ("queue/discard_granularity", "4096"),
            ("queue/discard_max_bytes", "2147450880"),
            ("queue/zoned", "host-managed"),
            ("queue/minimum_io_size", "65536"),
            ("queue/optimal_io_size", "131072"),
            ("alignment_offset", "512"),
            ("queue/read_ahead_kb", "128"),
            ("queue/nr_requests", "64"),
            ("queue/rq_affinity", "2"),
            ("queue/nomerges", "1"),
            ("queue/io_poll", "0"),
            ("queue/wbt_lat_usec", "75000"),
            (mode, "unmap"),
        ];
        let expected = Queue {
            fua: Some(true),
            discard_granularity_bytes: Some(4_096),
            discard_max_bytes: Some(2_147_450_880),
            provisioning: Some("unmap".to_string()),
            zones: Some(Zones::HostManaged),
            minimum_io_bytes: Some(65_536),
            optimal_io_bytes: Some(131_072),
            alignment_offset_bytes: Some(512),
            read_ahead_bytes: Some(131_072),
            requests_max: Some(64),
            completes_on: Some(CompletesOn::Same),
            merges: Some(Merges::Simple),
            polls: Some(false),
            write_throttle_us: Some(75_000),
        };
        assert_eq!(sda(&attributes), Some(expected));
    }

    #[test]
    fn implausible_values_are_not_reported() {
        assert_eq!(sda(&[]), None);
        let names = [
            "queue/fua",
            "queue/zoned",
            "queue/optimal_io_size",
            "queue/minimum_io_size",
            "alignment_offset",
            "queue/read_ahead_kb",
            "queue/nr_requests",
            "queue/rq_affinity",
            "queue/nomerges",
            "queue/wbt_lat_usec",
        ];
        for garbage in ["", "-1", "\0\0", "99999999999999999999999", "\u{1b}[2J"] {
            let attributes: Vec<_> = names.iter().map(|&name| (name, garbage)).collect();
            assert_eq!(sda(&attributes), None, "{garbage:?}");
        }
        for (name, value) in [("queue/rq_affinity", "3"), ("queue/optimal_io_size", "0"), ("queue/fua", "2")]
        {
            assert_eq!(sda(&[(name, value)]), None, "{name}");
        }
    }

    #[test]
    fn the_queue_of_this_machine_is_read() {
        for device in crate::system::System::local().block_devices() {
            let Some(queue) = read(&device) else { continue };
            assert!(queue.minimum_io_bytes.is_none_or(|bytes| bytes >= 512), "{}: {queue:?}", device.name);
            assert!(queue.read_ahead_bytes.is_some(), "{}: {queue:?}", device.name);
        }
    }
}
