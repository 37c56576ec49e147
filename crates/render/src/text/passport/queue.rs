//! How the kernel talks to a drive: what can change a figure.

use cardiograph_core::drive::{Leaf, Merges, Queue, Zones};
use cardiograph_core::units;

use super::Rows;
use crate::text::layout::plain;

/// What the kernel's queue allows and how it is set.
pub(super) fn rows(leaf: &Leaf, rows: &mut Rows) {
    let Some(queue) = &leaf.queue else { return };
    rows.row_of("Single flush", queue.fua.map(fua));
    rows.row_of("Discards by", discards(queue));
    rows.row_of(
        "Best size",
        queue.optimal_io_bytes.map(|bytes| format!("multiples of {}", units::bytes(bytes))),
    );
    match queue.alignment_offset_bytes {
        Some(offset) if offset > 0 => {
            rows.row("Alignment", &format!("its blocks are shifted by {}", units::bytes(offset)));
        }
        _ => {}
    }
    match queue.zones {
        Some(Zones::HostAware) => rows.row("Zones", "it prefers writes that follow each other"),
        Some(Zones::HostManaged) => rows.row("Zones", "it refuses writes that do not follow each other"),
        Some(Zones::None) | None => {}
    }
    rows.row_of("Queue", settings(queue));
}

fn fua(can: bool) -> String {
    if can {
        "yes (FUA): one write can be made durable alone"
    } else {
        "no (FUA): each flush is for the whole cache"
    }
    .to_string()
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
    let parts: Vec<String> = [requests, ahead, throttle, merges, polls].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
