//! Handling of files and the page cache.

use cardiograph_core::workload::{
    FileHandling, OrderAdvice, Preallocation, SyncEvery, SyncMethod, WriteThrough,
};

use super::Problem;
use super::motion::Motion;
use super::reader::Reader;

/// Whether a job writes until the file system is full.
pub(super) fn fills(reader: &mut Reader<'_>, motion: &Motion) -> bool {
    reader.switch("fill_device") && !motion.is_mixed && motion.read_percent == 0
}

pub(super) fn file_handling(reader: &mut Reader<'_>, motion: &Motion) -> FileHandling {
    let preallocation =
        match reader.word("fallocate", &["native", "none", "0", "posix", "1", "keep", "truncate"]) {
            // A file to fill has no length for preallocation yet.
            _ if fills(reader, motion) => Preallocation::None,
            "none" | "0" => Preallocation::None,
            "posix" | "1" => Preallocation::Posix,
            "keep" => Preallocation::Keep,
            "truncate" => Preallocation::Truncate,
            _ => Preallocation::Native,
        };
    let pre_read = reader.switch("pre_read");
    FileHandling {
        preallocation,
        overwrite: reader.switch("overwrite"),
        create_fsync: reader.switch("create_fsync"),
        may_create: reader.switch("allow_file_create"),
        create_on_open: reader.switch("create_on_open"),
        create_only: reader.switch("create_only"),
        unlink: reader.switch("unlink"),
        // Keep data that was just read into the cache.
        invalidate: reader.switch("invalidate") && !pre_read,
        advice: match reader.word("fadvise_hint", &["1", "0", "random", "sequential"]) {
            "0" => OrderAdvice::None,
            "random" => OrderAdvice::Random,
            "sequential" => OrderAdvice::Sequential,
            _ => OrderAdvice::AsDone,
        },
        pre_read,
        allow_mounted_write: reader.switch("allow_mounted_write"),
    }
}

pub(super) fn direct(reader: &mut Reader<'_>) -> bool {
    // Two names for the same setting: the later one decides.
    match reader.later_of("direct", "buffered") {
        Some("buffered") => !reader.switch("buffered"),
        _ => reader.switch("direct"),
    }
}

pub(super) fn write_through(reader: &mut Reader<'_>) -> WriteThrough {
    match reader.word("sync", &["none", "0", "sync", "1", "dsync"]) {
        "sync" | "1" => WriteThrough::All,
        "dsync" => WriteThrough::Data,
        _ => WriteThrough::None,
    }
}

pub(super) fn sync_every(reader: &mut Reader<'_>) -> Option<SyncEvery> {
    let every = |writes, method| (writes > 0).then_some(SyncEvery { writes, method });
    let fsync = every(reader.count("fsync"), SyncMethod::Fsync);
    let fdatasync = every(reader.count("fdatasync"), SyncMethod::Fdatasync);
    if fsync.is_some() && fdatasync.is_some() {
        reader.report("fdatasync", Problem::Contradicts { other: "fsync" });
    }
    fsync.or(fdatasync)
}
