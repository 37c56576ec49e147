//! The file system that a path lies on: what it was made with, how it is mounted, how full and how old it is.

use cardiograph_core::drive::{
    BtrfsGeometry, Created, CreatedSource, Drive, ExtGeometry, ExtJournal, FileSystem, Geometry, MountEffect,
    PathFlag, XfsGeometry,
};
use cardiograph_core::units;
use time::OffsetDateTime;

use super::{Rows, unknown};
use crate::text::layout::{joined, listed, plain};

/// The mount, where a path was asked for and not a device.
pub(super) fn rows(drive: &Drive, rows: &mut Rows) {
    let Some(mount) = &drive.mount else { return };
    rows.head(&format!("File system of {}", plain(&drive.path)));
    rows.row("Type", &plain(&mount.fs_type));
    rows.row("Mounted at", &plain(&mount.mount_point));
    rows.row("From", &plain(&mount.source));
    rows.row("Options", &plain(&mount.options.join(", ")));
    let [free, all] = [mount.available_bytes, mount.size_bytes].map(units::bytes);
    rows.row("Free", &format!("{free} of {all}"));
    if let Some(file_system) = &mount.file_system {
        of_file_system(file_system, &drive.tops(), rows);
    }
}

fn of_file_system(file_system: &FileSystem, tops: &[&str], rows: &mut Rows) {
    let inodes = file_system.inodes.map(|inodes| [inodes.free, inodes.total].map(units::count));
    rows.row_of("Inodes free", inodes.map(|[free, all]| format!("{free} of {all}")));
    rows.row_of("Made", file_system.created.map(made));
    match &file_system.geometry {
        Some(Geometry::Xfs(xfs)) => of_xfs(xfs, rows),
        Some(Geometry::Ext(ext)) => of_ext(ext, rows),
        Some(Geometry::Btrfs(btrfs)) => of_btrfs(btrfs, tops, rows),
        Some(Geometry::F2fs(f2fs)) => features(&f2fs.features, rows),
        None => rows.row_of("Blocks", file_system.block_bytes.map(units::bytes)),
    }
    let copies = file_system.copy_on_write.map(|copies| match copies {
        true => "yes: what is written over goes to a new place",
        false => "no",
    });
    rows.row_of("Copy on write", copies);
    let longest = file_system.file_len_bytes_max.map(|bytes| units::bytes(bytes.saturating_add(1)));
    rows.row_of("Longest file", longest.map(|bytes| format!("{bytes} less 1 byte")));
    for effect in &file_system.effects {
        rows.row("Mounted so", &effect_of(effect));
    }
    for flag in &file_system.flags {
        rows.row("Marked so", flag_of(*flag));
    }
    unknown::rows(&file_system.unknown, rows);
}

fn of_xfs(xfs: &XfsGeometry, rows: &mut Rows) {
    rows.row("Blocks", &units::bytes(xfs.block_bytes));
    rows.row("Inodes", &units::bytes(xfs.inode_bytes));
    let place = if xfs.log_is_external { "on a device of its own" } else { "internal" };
    let stripe =
        (xfs.log_stripe_bytes > 1).then(|| format!(", in stripes of {}", units::bytes(xfs.log_stripe_bytes)));
    rows.row("Log", &format!("{}, {place}{}", units::bytes(xfs.log_bytes), stripe.unwrap_or_default()));
    rows.row("Groups", &units::count(xfs.groups));
    rows.row("Sectors", &units::bytes(xfs.sector_bytes));
    stripe_row(xfs.stripe_unit_bytes, xfs.stripe_width_bytes, rows);
    let features = [
        (xfs.has_checksums, "crc"),
        (xfs.has_reflink, "reflink"),
        (xfs.has_reverse_map, "rmapbt"),
        (xfs.has_bigtime, "bigtime"),
    ];
    let is_on = features.iter().filter(|(has, _)| *has).map(|(_, name)| (*name).to_string());
    self::features(&is_on.collect::<Vec<_>>(), rows);
}

fn of_ext(ext: &ExtGeometry, rows: &mut Rows) {
    rows.row("Blocks", &units::bytes(ext.block_bytes));
    rows.row("Inodes", &units::bytes(ext.inode_bytes));
    let journal = match ext.journal {
        ExtJournal::None => "none".to_string(),
        ExtJournal::Internal { len_bytes: Some(bytes) } => format!("{}, internal", units::bytes(bytes)),
        ExtJournal::Internal { len_bytes: None } => "internal".to_string(),
        ExtJournal::External => "on a device of its own".to_string(),
    };
    rows.row("Journal", &journal);
    stripe_row(ext.stride_bytes, ext.stripe_width_bytes, rows);
    rows.row("For root only", &units::bytes(ext.reserved_bytes));
    features(&ext.features, rows);
}

/// `tops` are the names of the devices that it stands on.
fn of_btrfs(btrfs: &BtrfsGeometry, tops: &[&str], rows: &mut Rows) {
    let names: Vec<String> = tops.iter().map(|name| plain(name)).collect();
    rows.row("Devices", &format!("{}: {}", units::count(btrfs.devices), listed(&names)));
    rows.row_of("Nodes", btrfs.node_bytes.map(units::bytes));
    rows.row_of("Sectors", btrfs.sector_bytes.map(units::bytes));
    for (label, profiles) in [("Data", &btrfs.data_profiles), ("Metadata", &btrfs.metadata_profiles)] {
        rows.row_of(label, joined([profiles], ", ").as_deref().map(plain));
    }
    rows.row_of("Checksums", btrfs.checksum.as_deref().map(plain));
    features(&btrfs.features, rows);
}

/// How it was told to spread over a set; 0 when it was not.
fn stripe_row(unit_bytes: u64, width_bytes: u64, rows: &mut Rows) {
    if unit_bytes > 0 || width_bytes > 0 {
        let [unit, width] = [unit_bytes, width_bytes].map(units::bytes);
        rows.row("Stripe", &format!("{unit} a drive, {width} in all"));
    }
}

fn features(names: &[String], rows: &mut Rows) {
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    if !names.is_empty() {
        rows.row("Features", &listed(&names));
    }
}

fn made(created: Created) -> String {
    let date = date(created.unix_s);
    match created.source {
        CreatedSource::Superblock => date,
        CreatedSource::MountRoot => format!("{date}, as its uppermost directory says"),
    }
}

/// The day in UTC.
fn date(unix_s: u64) -> String {
    let moment = i64::try_from(unix_s).ok().and_then(|s| OffsetDateTime::from_unix_timestamp(s).ok());
    moment.map_or_else(|| format!("{unix_s} s after 1970-01-01"), |moment| moment.date().to_string())
}

fn effect_of(effect: &MountEffect) -> String {
    let words = match effect {
        MountEffect::WritesWait => "sync: each write waits for the drive",
        MountEffect::DirectoryChangesWait => "dirsync: each change of a directory waits for the drive",
        MountEffect::DataJournaled => "data=journal: data is written twice",
        MountEffect::DataUnordered => "data=writeback: data may reach a file after its length does",
        MountEffect::NoBarriers => "no barriers: a sync does not flush the drive's cache",
        MountEffect::Discards { in_background: true } => "discard=async: freed blocks are discarded later",
        MountEffect::Discards { in_background: false } => "discard: freed blocks are discarded at once",
        MountEffect::NoAccessTimes => "noatime: reading writes nothing",
        MountEffect::AllAccessTimes => "strictatime: each read writes a time",
        MountEffect::Compresses { method, is_forced } => {
            let forced = if *is_forced { ", even what seems not to shrink" } else { "" };
            return format!("compressed with {}{forced}", plain(method));
        }
        MountEffect::NoCopyOnWrite => "nodatacow: what is written over stays in place",
        MountEffect::Dax => "dax: data goes around the page cache",
        MountEffect::CommitsEvery { seconds } => return format!("commits every {seconds} s"),
    };
    words.to_string()
}

fn flag_of(flag: PathFlag) -> &'static str {
    match flag {
        PathFlag::NoCopyOnWrite => "no copy on write",
        PathFlag::Compressed => "compressed",
        PathFlag::NotCompressed => "not compressed",
        PathFlag::Encrypted => "encrypted by the file system",
        PathFlag::AppendOnly => "files can only grow",
        PathFlag::Immutable => "nothing can be changed",
        PathFlag::WritesWait => "each write waits for the drive",
        PathFlag::DataJournaled => "data is written twice",
        PathFlag::Dax => "data goes around the page cache",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_moment_of_a_superblock_has_a_day() {
        assert_eq!(date(951_868_799), "2000-02-29");
        // Whatever a superblock says, nothing overflows.
        date(u64::MAX);
    }
}
