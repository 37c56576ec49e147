//! The file system of a path: its parameters, mount options, fill level and age.

use cardiograph_core::drive::{
    BtrfsGeometry, Created, CreatedSource, Drive, ExtGeometry, ExtJournal, FileSystem, Geometry, MountEffect,
    PathFlag, XfsGeometry,
};
use cardiograph_core::{Message, Parameter, message};
use time::OffsetDateTime;

use super::unknown;
use crate::doc::words::names;
use crate::doc::{Fact, Node};

/// The mount, if a path was given and not a device.
pub(super) fn section(drive: &Drive) -> Option<Node> {
    let mount = drive.mount.as_ref()?;
    let [free, size] = [mount.available_bytes, mount.size_bytes].map(Parameter::Bytes);
    let known = [
        Fact::from_phrases(message!("fs-label.type"), [Message::verbatim(&mount.fs_type)]),
        Fact::from_phrases(message!("drive-label.mounted-at"), [Message::verbatim(&mount.mount_point)]),
        Fact::from_phrases(message!("fs-label.source"), [Message::verbatim(&mount.source)]),
        Fact::from_phrases(message!("fs-label.options"), names(mount.options.iter())),
        Fact::from_phrases(message!("fs-label.free"), [message!("fs-free", free, size)]),
    ];
    let file_system =
        mount.file_system.iter().flat_map(|file_system| file_system_facts(file_system, &drive.tops()));
    let facts = known.into_iter().flatten().chain(file_system);
    Node::facts("file-system", message!("fs-heading", path = &drive.path), facts.collect())
}

fn file_system_facts(file_system: &FileSystem, tops: &[&str]) -> Vec<Fact> {
    let inodes = file_system.inodes;
    let inodes = inodes.map(|inodes| message!("fs-free-inodes", free = inodes.free, inodes = inodes.total));
    let geometry = match &file_system.geometry {
        Some(Geometry::Xfs(xfs)) => xfs_facts(xfs).into(),
        Some(Geometry::Ext(ext)) => ext_facts(ext).into(),
        Some(Geometry::Btrfs(btrfs)) => btrfs_facts(btrfs, tops).into(),
        Some(Geometry::F2fs(f2fs)) => vec![features(&f2fs.features)],
        None => vec![Fact::from_phrases(message!("fs-label.blocks"), file_system.block_bytes.map(size))],
    };
    let copies = file_system.copy_on_write.map(|copies| match copies {
        true => message!("fs-copy-on-write.yes"),
        false => message!("fs-copy-on-write.no"),
    });
    let longest = file_system
        .file_len_bytes_max
        .map(|bytes| message!("fs-longest-file", size = Parameter::Bytes(bytes.saturating_add(1))));
    let before = [
        Fact::from_phrases(message!("fs-label.inodes-free"), inodes),
        Fact::from_phrases(message!("fs-label.created"), file_system.created.into_iter().flat_map(created)),
    ];
    let after = [
        Fact::from_phrases(message!("fs-label.copy-on-write"), copies),
        Fact::from_phrases(message!("fs-label.longest-file"), longest),
    ];
    let effects =
        file_system.effects.iter().map(effect).map(|text| Fact::new(message!("fs-label.effect"), text));
    let flags =
        file_system.flags.iter().map(|path_flag| Fact::new(message!("fs-label.flag"), flag(*path_flag)));
    let known = before.into_iter().chain(geometry).chain(after).flatten();
    known.chain(effects).chain(flags).chain(unknown::facts(&file_system.unknown)).collect()
}

fn size(bytes: u64) -> Message {
    Message::quantity(Parameter::Bytes(bytes))
}

fn xfs_facts(xfs: &XfsGeometry) -> [Option<Fact>; 7] {
    let place =
        if xfs.log_is_external { message!("fs-journal.external") } else { message!("fs-journal.internal") };
    let stripe = (xfs.log_stripe_bytes > 1)
        .then(|| message!("fs-log-stripe", size = Parameter::Bytes(xfs.log_stripe_bytes)));
    let log = [size(xfs.log_bytes), place].into_iter().chain(stripe);
    let features = [
        (xfs.has_checksums, "crc"),
        (xfs.has_reflink, "reflink"),
        (xfs.has_reverse_map, "rmapbt"),
        (xfs.has_bigtime, "bigtime"),
    ];
    let is_on = features.iter().filter(|(has, _)| *has).map(|(_, name)| (*name).to_string());
    [
        Fact::from_phrases(message!("fs-label.blocks"), [size(xfs.block_bytes)]),
        Fact::from_phrases(message!("fs-label.inode-size"), [size(xfs.inode_bytes)]),
        Fact::from_phrases(message!("fs-label.log"), log),
        Fact::from_phrases(message!("fs-label.groups"), [Message::quantity(Parameter::from(xfs.groups))]),
        Fact::from_phrases(message!("fs-label.sectors"), [size(xfs.sector_bytes)]),
        stripe_fact(xfs.stripe_unit_bytes, xfs.stripe_width_bytes),
        self::features(&is_on.collect::<Vec<_>>()),
    ]
}

fn ext_facts(ext: &ExtGeometry) -> [Option<Fact>; 6] {
    let journal = match ext.journal {
        ExtJournal::None => vec![message!("fs-journal.none")],
        ExtJournal::Internal { len_bytes } => {
            len_bytes.map(size).into_iter().chain([message!("fs-journal.internal")]).collect()
        }
        ExtJournal::External => vec![message!("fs-journal.external")],
    };
    [
        Fact::from_phrases(message!("fs-label.blocks"), [size(ext.block_bytes)]),
        Fact::from_phrases(message!("fs-label.inode-size"), [size(ext.inode_bytes)]),
        Fact::from_phrases(message!("fs-label.journal"), journal),
        stripe_fact(ext.stride_bytes, ext.stripe_width_bytes),
        Fact::from_phrases(message!("fs-label.reserved"), [size(ext.reserved_bytes)]),
        features(&ext.features),
    ]
}

/// `tops` are the names of its devices.
fn btrfs_facts(btrfs: &BtrfsGeometry, tops: &[&str]) -> [Option<Fact>; 7] {
    let devices = [Message::quantity(Parameter::from(btrfs.devices))].into_iter();
    [
        Fact::from_phrases(
            message!("fs-label.devices"),
            devices.chain(tops.iter().map(|name| Message::verbatim(*name))),
        ),
        Fact::from_phrases(message!("fs-label.nodes"), btrfs.node_bytes.map(size)),
        Fact::from_phrases(message!("fs-label.sectors"), btrfs.sector_bytes.map(size)),
        Fact::from_phrases(message!("fs-label.data"), names(&btrfs.data_profiles)),
        Fact::from_phrases(message!("fs-label.metadata"), names(&btrfs.metadata_profiles)),
        Fact::from_phrases(message!("fs-label.checksums"), names(&btrfs.checksum)),
        features(&btrfs.features),
    ]
}

/// Its configured stripe over a RAID set; 0 if not configured.
fn stripe_fact(unit_bytes: u64, width_bytes: u64) -> Option<Fact> {
    let [unit, width] = [unit_bytes, width_bytes].map(Parameter::Bytes);
    let stripe = (unit_bytes > 0 || width_bytes > 0).then(|| message!("fs-stripe", unit, width));
    Fact::from_phrases(message!("fs-label.stripe"), stripe)
}

fn features(features: &[String]) -> Option<Fact> {
    Fact::from_phrases(message!("fs-label.features"), names(features))
}

fn created(created: Created) -> Vec<Message> {
    let source = match created.source {
        CreatedSource::Superblock => None,
        CreatedSource::MountRoot => Some(message!("fs-created.root")),
    };
    std::iter::once(day(created.unix_s)).chain(source).collect()
}

/// The day in UTC.
fn day(unix_s: u64) -> Message {
    let moment = i64::try_from(unix_s).ok().and_then(|s| OffsetDateTime::from_unix_timestamp(s).ok());
    let late = || message!("fs-created.seconds", seconds = unix_s);
    moment.map_or_else(late, |moment| Message::verbatim(moment.date().to_string()))
}

fn effect(effect: &MountEffect) -> Message {
    match effect {
        MountEffect::WritesWait => message!("fs-effect.sync"),
        MountEffect::DirectoryChangesWait => message!("fs-effect.dirsync"),
        MountEffect::DataJournaled => message!("fs-effect.data-journal"),
        MountEffect::DataUnordered => message!("fs-effect.data-writeback"),
        MountEffect::NoBarriers => message!("fs-effect.no-barriers"),
        MountEffect::Discards { in_background: true } => message!("fs-effect.discard-later"),
        MountEffect::Discards { in_background: false } => message!("fs-effect.discard"),
        MountEffect::NoAccessTimes => message!("fs-effect.noatime"),
        MountEffect::AllAccessTimes => message!("fs-effect.strictatime"),
        MountEffect::Compresses { method, is_forced: false } => message!("fs-effect.compress", method),
        MountEffect::Compresses { method, is_forced: true } => message!("fs-effect.compress-force", method),
        MountEffect::NoCopyOnWrite => message!("fs-effect.nodatacow"),
        MountEffect::Dax => message!("fs-effect.dax"),
        MountEffect::CommitsEvery { seconds } => message!("fs-effect.commit", seconds = *seconds),
    }
}

const fn flag(flag: PathFlag) -> Message {
    match flag {
        PathFlag::NoCopyOnWrite => message!("fs-flag.no-copy-on-write"),
        PathFlag::Compressed => message!("fs-flag.compressed"),
        PathFlag::NotCompressed => message!("fs-flag.not-compressed"),
        PathFlag::Encrypted => message!("fs-flag.encrypted"),
        PathFlag::AppendOnly => message!("fs-flag.append-only"),
        PathFlag::Immutable => message!("fs-flag.immutable"),
        PathFlag::WritesWait => message!("fs-flag.sync"),
        PathFlag::DataJournaled => message!("fs-flag.data-journal"),
        PathFlag::Dax => message!("fs-flag.dax"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_time_in_a_superblock_has_a_day() {
        assert_eq!(day(951_868_799), Message::verbatim("2000-02-29"));
        // No value of a superblock overflows.
        day(u64::MAX);
    }
}
