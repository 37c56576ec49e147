//! The RAID controller of a drive.

use cardiograph_core::drive::{CacheBackup, Leaf, RaidVolume, WritePolicy};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::Fact;

/// The controller, its cache and the volume.
pub(super) fn facts(leaf: &Leaf) -> Vec<Fact> {
    let Some(controller) = &leaf.controller else { return Vec::new() };
    let who = [
        controller.model.as_ref().map(Message::verbatim),
        Some(message!("raid-controller.driver", driver = &controller.driver)),
        controller.firmware.as_ref().map(|version| message!("raid-controller.firmware", version)),
    ];
    let volume = controller.volume.as_ref().map(volume_facts);
    let backup = Fact::from_phrases(message!("raid-label.backup"), controller.backup.iter().flat_map(backup));
    let controller = Fact::from_phrases(message!("raid-label.controller"), who.into_iter().flatten());
    controller.into_iter().chain(volume.into_iter().flatten().flatten()).chain(backup).collect()
}

fn volume_facts(volume: &RaidVolume) -> [Option<Fact>; 4] {
    let parts = [
        volume.level.as_ref().map(Message::verbatim),
        volume.drives.map(|drives| message!("raid-volume.drives", drives)),
        volume.strip_bytes.map(|bytes| message!("raid-volume.strip", size = Parameter::Bytes(bytes))),
        volume.state.as_ref().map(Message::verbatim),
    ];
    let writes = volume.write_policy.map(|now| writes(now, volume.write_policy_asked));
    let ahead = volume.reads_ahead.map(|ahead| match ahead {
        true => message!("raid-reads.ahead"),
        false => message!("raid-reads.not-ahead"),
    });
    let cached = volume.reads_cached.map(|cached| match cached {
        true => message!("raid-reads.cached"),
        false => message!("raid-reads.not-cached"),
    });
    [
        Fact::from_phrases(message!("raid-label.volume"), parts.into_iter().flatten()),
        Fact::from_phrases(message!("raid-label.writes"), writes.into_iter().flatten()),
        Fact::from_phrases(message!("raid-label.reads"), [ahead, cached].into_iter().flatten()),
        Fact::from_phrases(
            message!("raid-label.drive-caches"),
            volume.drive_cache.as_ref().map(Message::verbatim),
        ),
    ]
}

fn writes(now: WritePolicy, asked: Option<WritePolicy>) -> Vec<Message> {
    let policy = match now {
        WritePolicy::Through => message!("raid-writes.through"),
        WritePolicy::Back => message!("raid-writes.back"),
        WritePolicy::AlwaysBack => message!("raid-writes.always-back"),
    };
    let has_fallen = now == WritePolicy::Through && asked.is_some_and(|asked| asked != WritePolicy::Through);
    std::iter::once(policy).chain(has_fallen.then(|| message!("raid-writes.not-as-set"))).collect()
}

fn backup(backup: &CacheBackup) -> Vec<Message> {
    let kind = if backup.is_flash { message!("raid-backup.flash") } else { message!("raid-backup.battery") };
    let said = [&backup.model, &backup.state].into_iter().flatten().map(Message::verbatim);
    std::iter::once(kind).chain(said).collect()
}
