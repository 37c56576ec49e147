//! The file system that a path lies on: what it was made with, how it is mounted, how full and how old it is.

use cardiograph_core::drive::{
    BtrfsGeometry, Created, CreatedSource, Drive, ExtGeometry, ExtJournal, FileSystem, Geometry, MountEffect,
    PathFlag, XfsGeometry,
};
use cardiograph_core::{Message, Parameter, message};
use time::OffsetDateTime;

use super::unknown;
use crate::doc::words::names;
use crate::doc::{Fact, Node};

/// The mount, where a path was asked for and not a device.
pub(super) fn section(drive: &Drive) -> Option<Node> {
    let mount = drive.mount.as_ref()?;
    let [free, size] = [mount.available_bytes, mount.size_bytes].map(Parameter::Bytes);
    let known = [
        Fact::of(message!("fs-label.type"), [Message::verbatim(&mount.fs_type)]),
        Fact::of(message!("drive-label.mounted-at"), [Message::verbatim(&mount.mount_point)]),
        Fact::of(message!("fs-label.source"), [Message::verbatim(&mount.source)]),
        Fact::of(message!("fs-label.options"), names(mount.options.iter())),
        Fact::of(message!("fs-label.free"), [message!("fs-free", free = free, size = size)]),
    ];
    let file_system = mount.file_system.iter().flat_map(|of| of_file_system(of, &drive.tops()));
    let facts = known.into_iter().flatten().chain(file_system);
    Node::facts("file-system", message!("fs-heading", path = &drive.path), facts.collect())
}

fn of_file_system(file_system: &FileSystem, tops: &[&str]) -> Vec<Fact> {
    let inodes = file_system.inodes;
    let inodes = inodes.map(|inodes| message!("fs-free-inodes", free = inodes.free, inodes = inodes.total));
    let geometry = match &file_system.geometry {
        Some(Geometry::Xfs(xfs)) => of_xfs(xfs).into(),
        Some(Geometry::Ext(ext)) => of_ext(ext).into(),
        Some(Geometry::Btrfs(btrfs)) => of_btrfs(btrfs, tops).into(),
        Some(Geometry::F2fs(f2fs)) => vec![features(&f2fs.features)],
        None => vec![Fact::of(message!("fs-label.blocks"), file_system.block_bytes.map(size))],
    };
    let copies = file_system.copy_on_write.map(|copies| match copies {
        true => message!("fs-copy-on-write.yes"),
        false => message!("fs-copy-on-write.no"),
    });
    let longest = file_system
        .file_len_bytes_max
        .map(|bytes| message!("fs-longest-file", size = Parameter::Bytes(bytes.saturating_add(1))));
    let before = [
        Fact::of(message!("fs-label.inodes-free"), inodes),
        Fact::of(message!("fs-label.created"), file_system.created.into_iter().flat_map(created)),
    ];
    let after = [
        Fact::of(message!("fs-label.copy-on-write"), copies),
        Fact::of(message!("fs-label.longest-file"), longest),
    ];
    let effects = file_system.effects.iter().map(effect).map(|of| Fact::new(message!("fs-label.effect"), of));
    let flags = file_system.flags.iter().map(|of| Fact::new(message!("fs-label.flag"), flag(*of)));
    let known = before.into_iter().chain(geometry).chain(after).flatten();
    known.chain(effects).chain(flags).chain(unknown::facts(&file_system.unknown)).collect()
}

fn size(bytes: u64) -> Message {
    Message::quantity(Parameter::Bytes(bytes))
}

fn of_xfs(xfs: &XfsGeometry) -> [Option<Fact>; 7] {
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
        Fact::of(message!("fs-label.blocks"), [size(xfs.block_bytes)]),
        Fact::of(message!("fs-label.inode-size"), [size(xfs.inode_bytes)]),
        Fact::of(message!("fs-label.log"), log),
        Fact::of(message!("fs-label.groups"), [Message::quantity(Parameter::from(xfs.groups))]),
        Fact::of(message!("fs-label.sectors"), [size(xfs.sector_bytes)]),
        stripe_fact(xfs.stripe_unit_bytes, xfs.stripe_width_bytes),
        self::features(&is_on.collect::<Vec<_>>()),
    ]
}

fn of_ext(ext: &ExtGeometry) -> [Option<Fact>; 6] {
    let journal = match ext.journal {
        ExtJournal::None => vec![message!("fs-journal.none")],
        ExtJournal::Internal { len_bytes } => {
            len_bytes.map(size).into_iter().chain([message!("fs-journal.internal")]).collect()
        }
        ExtJournal::External => vec![message!("fs-journal.external")],
    };
    [
        Fact::of(message!("fs-label.blocks"), [size(ext.block_bytes)]),
        Fact::of(message!("fs-label.inode-size"), [size(ext.inode_bytes)]),
        Fact::of(message!("fs-label.journal"), journal),
        stripe_fact(ext.stride_bytes, ext.stripe_width_bytes),
        Fact::of(message!("fs-label.reserved"), [size(ext.reserved_bytes)]),
        features(&ext.features),
    ]
}

/// `tops` are the names of the devices that it stands on.
fn of_btrfs(btrfs: &BtrfsGeometry, tops: &[&str]) -> [Option<Fact>; 7] {
    let devices = [Message::quantity(Parameter::from(btrfs.devices))].into_iter();
    [
        Fact::of(
            message!("fs-label.devices"),
            devices.chain(tops.iter().map(|name| Message::verbatim(*name))),
        ),
        Fact::of(message!("fs-label.nodes"), btrfs.node_bytes.map(size)),
        Fact::of(message!("fs-label.sectors"), btrfs.sector_bytes.map(size)),
        Fact::of(message!("fs-label.data"), names(&btrfs.data_profiles)),
        Fact::of(message!("fs-label.metadata"), names(&btrfs.metadata_profiles)),
        Fact::of(message!("fs-label.checksums"), names(&btrfs.checksum)),
        features(&btrfs.features),
    ]
}

/// How it was told to spread over a set; 0 when it was not.
fn stripe_fact(unit_bytes: u64, width_bytes: u64) -> Option<Fact> {
    let [unit, width] = [unit_bytes, width_bytes].map(Parameter::Bytes);
    let stripe =
        (unit_bytes > 0 || width_bytes > 0).then(|| message!("fs-stripe", unit = unit, width = width));
    Fact::of(message!("fs-label.stripe"), stripe)
}

fn features(features: &[String]) -> Option<Fact> {
    Fact::of(message!("fs-label.features"), names(features))
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
        MountEffect::Compresses { method, is_forced: false } => {
            message!("fs-effect.compress", method = method)
        }
        MountEffect::Compresses { method, is_forced: true } => {
            message!("fs-effect.compress-force", method = method)
        }
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
    fn any_moment_of_a_superblock_has_a_day() {
        assert_eq!(day(951_868_799), Message::verbatim("2000-02-29"));
        // Whatever a superblock says, nothing overflows.
        day(u64::MAX);
    }
}
