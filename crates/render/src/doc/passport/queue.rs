//! How the kernel talks to a drive: settings that can change a figure.

use cardiograph_core::drive::{Leaf, Merges, Queue, Zones};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::Fact;

/// Limits and settings of the kernel's queue.
pub(super) fn facts(leaf: &Leaf) -> Vec<Fact> {
    let Some(queue) = &leaf.queue else { return Vec::new() };
    let best =
        queue.optimal_io_bytes.map(|bytes| message!("queue-preferred-io", size = Parameter::Bytes(bytes)));
    let offset = queue.alignment_offset_bytes.filter(|&bytes| bytes > 0);
    let offset = offset.map(|bytes| message!("queue-offset", offset = Parameter::Bytes(bytes)));
    let zones = queue.zones.and_then(|zones| match zones {
        Zones::HostAware => Some(message!("queue-zones.host-aware")),
        Zones::HostManaged => Some(message!("queue-zones.host-managed")),
        Zones::None => None,
    });
    let facts = [
        Fact::from_phrases(message!("queue-label.fua"), queue.fua.map(fua)),
        Fact::from_phrases(message!("queue-label.trim-unit"), discards(queue)),
        Fact::from_phrases(message!("queue-label.preferred-io"), best),
        Fact::from_phrases(message!("queue-label.alignment"), offset),
        Fact::from_phrases(message!("queue-label.zones"), zones),
        Fact::from_phrases(message!("queue-label.queue"), settings(queue)),
    ];
    facts.into_iter().flatten().collect()
}

const fn fua(can: bool) -> Message {
    if can { message!("queue-fua.yes") } else { message!("queue-fua.no") }
}

fn discards(queue: &Queue) -> Vec<Message> {
    let granularity = queue.discard_granularity_bytes.filter(|&bytes| bytes > 0);
    let Some(granularity) = granularity.filter(|_| queue.discard_max_bytes.is_some_and(|bytes| bytes > 0))
    else {
        return Vec::new();
    };
    let provisioning = queue.provisioning.as_ref().map(|command| message!("queue-provisioning", command));
    std::iter::once(Message::quantity(Parameter::Bytes(granularity))).chain(provisioning).collect()
}

fn settings(queue: &Queue) -> Vec<Message> {
    let requests = queue.requests_max.map(|requests| message!("queue-setting.requests", requests));
    let ahead =
        queue.read_ahead_bytes.map(|bytes| message!("queue-setting.ahead", size = Parameter::Bytes(bytes)));
    let throttle = queue.write_throttle_us.filter(|&us| us > 0).map(|us| {
        let latency = Parameter::DurationNs(us.saturating_mul(1_000));
        message!("queue-setting.throttle", latency)
    });
    let merges = (queue.merges == Some(Merges::None)).then(|| message!("queue-setting.no-merges"));
    let polls = (queue.polls == Some(true)).then(|| message!("queue-setting.polled"));
    [requests, ahead, throttle, merges, polls].into_iter().flatten().collect()
}
