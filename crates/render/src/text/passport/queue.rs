//! How the kernel talks to a drive: what can change a figure.

use cardiograph_core::drive::{Leaf, Merges, Queue, Zones};
use cardiograph_core::units;

use super::Rows;
use crate::text::layout::{joined, plain};

/// What the kernel's queue allows and how it is set.
pub(super) fn rows(leaf: &Leaf, rows: &mut Rows) {
    let Some(queue) = &leaf.queue else { return };
    rows.row_of("Single flush", queue.fua.map(fua));
    rows.row_of("Discards by", discards(queue));
    let best = queue.optimal_io_bytes.map(|bytes| format!("multiples of {}", units::bytes(bytes)));
    rows.row_of("Best size", best);
    let offset = queue.alignment_offset_bytes.filter(|&bytes| bytes > 0).map(units::bytes);
    rows.row_of("Alignment", offset.map(|offset| format!("its blocks are shifted by {offset}")));
    let zones = queue.zones.and_then(|zones| match zones {
        Zones::HostAware => Some("it prefers writes that follow each other"),
        Zones::HostManaged => Some("it refuses writes that do not follow each other"),
        Zones::None => None,
    });
    rows.row_of("Zones", zones);
    rows.row_of("Queue", settings(queue));
}

const fn fua(can: bool) -> &'static str {
    match can {
        true => "yes (FUA): one write can be made durable alone",
        false => "no (FUA): each flush is for the whole cache",
    }
}

fn discards(queue: &Queue) -> Option<String> {
    let granularity = queue.discard_granularity_bytes.filter(|&bytes| bytes > 0)?;
    queue.discard_max_bytes.filter(|&bytes| bytes > 0)?;
    let provisioning = queue.provisioning.as_deref().map(|mode| format!(", through {}", plain(mode)));
    Some(format!("{}{}", units::bytes(granularity), provisioning.unwrap_or_default()))
}

fn settings(queue: &Queue) -> Option<String> {
    let requests =
        queue.requests_max.map(|requests| format!("{} requests", units::count(u64::from(requests))));
    let ahead = queue.read_ahead_bytes.map(|bytes| format!("{} read ahead", units::bytes(bytes)));
    let throttle = queue.write_throttle_us.filter(|&us| us > 0);
    let throttle =
        throttle.map(|us| format!("writes held back for reads above {}", units::duration(us * 1_000)));
    let merges = (queue.merges == Some(Merges::None)).then(|| "nothing merged".to_string());
    let polls = (queue.polls == Some(true)).then(|| "polled".to_string());
    joined([requests, ahead, throttle, merges, polls], ", ")
}
