//! The parts of files that each clone of a job uses.
//!
//! Names: all clones of a job use its `filename`; otherwise each clone has separate files, named after job, clone and
//! file. Lengths: `size` is the total of all files of a clone; by default it is the length of the file or device, as
//! laid out by earlier jobs. `filesize` sets the length of each file, drawn from a range if it is one.

use cardiograph_core::{Message, message};
use std::collections::HashMap;

use cardiograph_core::direction::Direction;
use cardiograph_core::plan::FileUse;
use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::text::shown_path;
use cardiograph_core::workload::{FileAction, Order, Workload};

use super::file_names::Names;
use super::reader::Reader;
use super::stop::{Moved, StopWritten, percent_of, writes_factor};
use super::targets::Targets;
use super::{DIRECTORY, FILE_LEN_BYTES_MAX, FILES_MAX, FileFacts, Problem, ResolveContext};
use crate::options;
use crate::value::{Amount, ValueError, parse_amount, parse_bytes_range};

const NOTHING_LEFT: &Message = &message!("jobs-refused.nothing-left");
const ONLY_FILES: &Message = &message!("jobs-refused.only-files");

/// Settings of lengths and offsets.
struct Written {
    size: Option<Amount>,
    file_len_bytes: Option<(u64, u64)>,
    offset: Amount,
    increment: Amount,
    align_bytes: u64,
    /// Alignment of blocks.
    block_bytes: u64,
}

/// The files of each clone. Also sets the end of the workload, which depends on the regions' lengths.
pub(super) fn clones(
    reader: &mut Reader<'_>,
    workload: &mut Workload,
    stop: &StopWritten,
    targets: &mut Targets,
    context: &ResolveContext<'_>,
) -> Option<Vec<Vec<FileUse>>> {
    let names = Names::read(reader);
    let is_without_files = !options::engine(&workload.engine).is_on_files();
    if !is_without_files
        && let Some(path) = names.directories.iter().find(|path| !context.surroundings.is_directory(path))
    {
        let path = shown_path(path);
        let problem = Problem::OfFile(message!("jobs-problem-of-job.not-a-directory", path));
        reader.report("directory", problem);
        return None;
    }
    let written = written(reader, workload)?;
    let clones = reader.count("numjobs").max(1);
    if !targets.holds(clones.saturating_mul(names.count())) {
        let option = if names.count() > clones && names.written.is_empty() { "nrfiles" } else { "numjobs" };
        reader.report(option, Problem::TooManyFiles { max: FILES_MAX });
        return None;
    }
    let renews = renews(reader, workload, stop);
    let job = reader.spec.section.as_ref().unwrap_or(&reader.spec.name).clone();
    let is_alone = !is_without_files && names.written.is_empty() && names.count == 1;
    let is_target = is_alone && is_target(context.surroundings.file(&job));
    let looks_later = looks_later(reader, &written, workload);
    let mut files = Files { written, is_without_files, renews, looks_later, context, found: HashMap::new() };
    let mut all = Vec::with_capacity(clones as usize);
    for clone in 0..clones {
        let names = names.for_clone(&job, is_target, clone);
        let count = names.len() as u64;
        let clone_files = (0..count).zip(names);
        let clone_files = clone_files
            .map(|(index, name)| files.file_use(reader, workload, targets, name, (clone, index, count)));
        all.push(clone_files.collect::<Option<Vec<FileUse>>>()?);
    }
    let Files { written, .. } = files;
    if let (Some(Amount::Bytes(bytes)), Some(_)) = (written.size, written.file_len_bytes)
        && bytes < written.block_bytes
    {
        let block_len_bytes = written.block_bytes;
        reader.report("size", Problem::RegionTooSmall { region_len_bytes: bytes, block_len_bytes });
        return None;
    }
    if !is_without_files {
        all.iter().for_each(|files| targets.lengthen(files, workload));
    }
    set_end(workload, stop, &written, all.first()?, renews);
    Some(all)
}

/// Properties common to a job's files.
struct Files<'a> {
    written: Written,
    is_without_files: bool,
    /// Whether they are removed after each loop except the last.
    renews: bool,
    /// Whether the job uses the length that they have after the earlier jobs.
    looks_later: bool,
    context: &'a ResolveContext<'a>,
    /// The object at each path.
    found: HashMap<String, FileFacts>,
}

impl Files<'_> {
    /// The part of a file that a clone uses. `of`: index of the clone, of the file, and number of files.
    fn file_use(
        &mut self,
        reader: &mut Reader<'_>,
        workload: &Workload,
        targets: &mut Targets,
        name: String,
        of: (u64, u64, u64),
    ) -> Option<FileUse> {
        let surroundings = self.context.surroundings;
        let facts = match self.is_without_files {
            true => FileFacts::Missing,
            false => *self
                .found
                .entry(name.clone())
                .or_insert_with(|| targets.found_later(&name, surroundings.file(&name))),
        };
        let facts = as_handled(facts, workload);
        let is_file = !self.is_without_files && matches!(facts, FileFacts::Missing | FileFacts::File { .. });
        if is_file && workload.uses(Direction::Trim) && workload.file_action.is_none() {
            reader.report("rw", Problem::TrimsFile { path: name });
            return None;
        }
        if is_file && self.renews && needs_what_files_hold(workload) {
            reader.report("unlink_each_loop", Problem::Refused { why: NOTHING_LEFT });
            return None;
        }
        if is_file && self.looks_later && targets.grows(&name) {
            return Some(FileUse { target: targets.index(name), offset_bytes: 0, region_len_bytes: 0 });
        }
        let (offset_bytes, region_len_bytes) = region(reader, &self.written, facts, &name, of, workload)?;
        Some(FileUse { target: targets.index(name), offset_bytes, region_len_bytes })
    }
}

/// Sets the end of a workload, from the files of a clone.
fn set_end(workload: &mut Workload, stop: &StopWritten, written: &Written, files: &[FileUse], renews: bool) {
    let pass_bytes = pass_len_bytes(files, workload);
    let region_bytes = files.iter().map(|file| file.region_len_bytes).fold(0, u64::saturating_add);
    // At most `size`, and the rest of its last block.
    let size_bytes = match written.size {
        Some(Amount::Bytes(bytes)) => bytes,
        Some(Amount::Percent(percent)) if workload.strided.is_some() => percent_of(percent, region_bytes),
        _ => u64::MAX,
    };
    let moved = Moved {
        pass_bytes,
        once_bytes: pass_bytes.min(size_bytes),
        asked_bytes: region_bytes.min(size_bytes),
    };
    workload.stop = stop.stop_when(&moved, workload);
    let every_bytes = stop.limit_bytes(&moved).min(moved.once_bytes);
    workload.renew_every_bytes = renews.then(|| every_bytes.saturating_mul(writes_factor(workload.trims)));
    if workload.block_len_bytes_min() < workload.block_len_bytes_max() {
        // Varying lengths are truncated to the rest, but a job has at least one I/O.
        workload.stop.bytes = workload.stop.bytes.map(|bytes| bytes.max(written.block_bytes));
    }
}

/// Whether a job of this name uses it as its file: a device, or something else that exists and is not a file.
fn is_target(facts: FileFacts) -> bool {
    matches!(facts, FileFacts::Device { .. } | FileFacts::Other { .. })
}

/// The object at a path, as seen by a job that handles directories.
fn as_handled(facts: FileFacts, workload: &Workload) -> FileFacts {
    match facts {
        _ if !workload.file_action.is_some_and(FileAction::is_for_directories) => facts,
        FileFacts::Other { what: DIRECTORY } => FileFacts::File { len_bytes: 0 },
        FileFacts::File { .. } => FileFacts::Other { what: "a file" },
        _ => facts,
    }
}

/// Whether a job uses the length that its files have after the earlier jobs.
fn looks_later(reader: &mut Reader<'_>, written: &Written, workload: &Workload) -> bool {
    let waits = reader.switch("stonewall") || reader.find("wait_for").is_some();
    let takes_length = written.file_len_bytes.is_none()
        && !matches!(written.size, Some(Amount::Bytes(_)))
        && !workload.fills;
    !reader.switch("create_serialize") && waits && takes_length && workload.file_action.is_none()
}

/// Whether files are removed after each loop except the last. A time-based run is one loop, as in fio, which removes
/// its files at the end.
fn renews(reader: &mut Reader<'_>, workload: &mut Workload, stop: &StopWritten) -> bool {
    let is_wanted = reader.switch("unlink_each_loop");
    workload.files.unlink |= is_wanted && stop.time_based;
    is_wanted && !stop.time_based && stop.loops > 1
}

/// Whether a job needs existing content.
fn needs_what_files_hold(workload: &Workload) -> bool {
    workload.file_action.map_or_else(|| workload.uses(Direction::Read), FileAction::needs_file)
}

/// Bytes of a clone's pass through its files: whole blocks of each.
fn pass_len_bytes(files: &[FileUse], workload: &Workload) -> u64 {
    let drawn = files.iter().map(|file| workload.drawn_part(file));
    drawn.map(|file| workload.pass_len_bytes(&file)).fold(0, u64::saturating_add)
}

fn written(reader: &mut Reader<'_>, workload: &Workload) -> Option<Written> {
    let kb_base = reader.kb_base;
    let amount = |reader: &mut Reader<'_>, option| reader.read(option, |text| parse_amount(text, kb_base));
    let size = amount(reader, "size").filter(|size| *size != Amount::Bytes(0));
    let written = Written {
        size,
        file_len_bytes: reader
            .read("filesize", |text| parse_bytes_range(text, kb_base))
            .filter(|range| range.1 > 0),
        offset: amount(reader, "offset").unwrap_or(Amount::Bytes(0)),
        increment: amount(reader, "offset_increment").unwrap_or(Amount::Bytes(0)),
        align_bytes: reader.bytes("offset_align").unwrap_or(0),
        block_bytes: workload.block_len_bytes_min().max(1),
    };
    // An unreadable size is not a missing one.
    let bad = ["size", "filesize", "offset", "offset_increment", "offset_align"]
        .into_iter()
        .any(|option| reader.is_bad(option));
    (!bad).then_some(written)
}

/// Offset and length of a file's region, in bytes. `(clone, index, count)`: index of the clone, of the file, and number
/// of files.
fn region(
    reader: &mut Reader<'_>,
    written: &Written,
    facts: FileFacts,
    name: &str,
    (clone, index, count): (u64, u64, u64),
    workload: &Workload,
) -> Option<(u64, u64)> {
    let existing_bytes = existing_bytes(reader, facts, name, workload)?;
    let asked_bytes = asked_bytes(written, (clone, index, count), workload);
    // Percentages are of the file's current or future length.
    let whole_bytes = if existing_bytes > 0 { existing_bytes } else { asked_bytes.unwrap_or(0) };
    let offset_bytes = offset(written, whole_bytes, clone);
    let mut len_bytes = match (asked_bytes, written.size) {
        // The length of a file counts from its start.
        (Some(bytes), _) if written.file_len_bytes.is_some() => bytes.saturating_sub(offset_bytes),
        (Some(bytes), _) => bytes,
        // The job ends when the file system is full.
        (None, None)
            if workload.fills
                && workload.order == Order::Sequential
                && !matches!(facts, FileFacts::Device { .. }) =>
        {
            let longest_bytes = FILE_LEN_BYTES_MAX.saturating_sub(offset_bytes);
            longest_bytes - longest_bytes % written.block_bytes
        }
        (None, _) => existing_bytes.saturating_sub(offset_bytes),
    };
    if let Some(Amount::Percent(percent)) = written.size {
        len_bytes = percent_of(percent, whole_bytes).min(len_bytes);
        len_bytes -= len_bytes % written.block_bytes;
    }
    if let FileFacts::Device { len_bytes: device_bytes } = facts {
        if offset_bytes >= device_bytes {
            reader.report("offset", Problem::BehindTheEnd { offset_bytes, len_bytes: device_bytes });
            return None;
        }
        len_bytes = len_bytes.min(device_bytes - offset_bytes);
    }
    let there_bytes = existing_bytes.saturating_sub(offset_bytes);
    len_bytes = match workload.strided {
        // `size` limits the bytes moved; the zones are those of the whole file.
        Some(_) => len_bytes.max(there_bytes - there_bytes % written.block_bytes),
        None => begun_len_bytes(len_bytes, there_bytes, workload),
    };
    let only_checks = workload.verify.as_ref().is_some_and(|verify| verify.only);
    let is_simulated = options::engine(&workload.engine).is_simulated;
    let is_stored = matches!(facts, FileFacts::Missing | FileFacts::File { .. }) && !is_simulated;
    if only_checks && is_stored && existing_bytes < offset_bytes.saturating_add(len_bytes) {
        let end_bytes = offset_bytes.saturating_add(len_bytes);
        let path = name.to_string();
        reader.report("verify_only", Problem::NothingToVerify { path, len_bytes: existing_bytes, end_bytes });
        return None;
    }
    check(
        reader,
        offset_bytes,
        len_bytes,
        asked_bytes.is_some() || existing_bytes > 0 || len_bytes > 0,
        workload,
    )
}

/// Current length of a file or device, in bytes.
fn existing_bytes(reader: &mut Reader<'_>, facts: FileFacts, name: &str, workload: &Workload) -> Option<u64> {
    match facts {
        FileFacts::Missing if !workload.files.may_create && options::engine(&workload.engine).does_io => {
            reader.report("allow_file_create", Problem::FileMissing { path: name.to_string() });
            None
        }
        FileFacts::Other { what } => {
            reader.report("filename", Problem::NotAFile { path: name.to_string(), what });
            None
        }
        FileFacts::Device { .. } if workload.file_action.is_some() => {
            reader.report("filename", Problem::Refused { why: ONLY_FILES });
            None
        }
        FileFacts::Missing => Some(0),
        FileFacts::File { len_bytes } | FileFacts::Device { len_bytes } => Some(len_bytes),
    }
}

/// The requested length of a file or its region in bytes; `None` if not set.
fn asked_bytes(
    written: &Written,
    (clone, index, count): (u64, u64, u64),
    workload: &Workload,
) -> Option<u64> {
    let asked_bytes = match (written.size, written.file_len_bytes) {
        (_, Some((low, high))) if low == high => Some(low),
        (_, Some((low, high))) => {
            let seed = derive_seed(derive_seed(workload.seed, clone), index);
            let drawn = low + Rng::new(seed).below(high - low + 1);
            // A length within the range is truncated to whole blocks.
            Some((drawn - drawn % written.block_bytes).max(written.block_bytes))
        }
        (Some(Amount::Bytes(bytes)), None) => Some(share(bytes, index, count, written.block_bytes)),
        _ => None,
    };
    // Files that are only created stay empty and need no length, nor do directories.
    match workload.file_action {
        Some(action) if action.makes_file() || action.is_for_directories() => {
            asked_bytes.or(Some(written.block_bytes))
        }
        _ => asked_bytes,
    }
}

/// Length of a sequential region in a file that continues for `rest_bytes`: the last block that starts in it is
/// complete, as in fio, and if bytes are skipped, the region ends with it.
fn begun_len_bytes(len_bytes: u64, rest_bytes: u64, workload: &Workload) -> u64 {
    let goes_forwards = workload.order == Order::Sequential && workload.sequential_skip_bytes >= 0;
    let block_bytes = workload.block_len_bytes_max();
    if !goes_forwards
        || workload.strided.is_some()
        || workload.block_len_bytes_min() != block_bytes
        || !(block_bytes..rest_bytes).contains(&len_bytes)
    {
        return len_bytes;
    }
    let (_, end_bytes) = workload.blocks_begun(len_bytes);
    if end_bytes <= rest_bytes { end_bytes } else { len_bytes }
}

/// The part of `bytes` for one of `count` files: equal parts, and whole blocks of the remainder to the first.
fn share(bytes: u64, index: u64, count: u64, block_bytes: u64) -> u64 {
    let equal_bytes = bytes / count;
    let left_over_blocks = bytes % count / block_bytes;
    equal_bytes + if index < left_over_blocks { block_bytes } else { 0 }
}

fn offset(written: &Written, whole_bytes: u64, clone: u64) -> u64 {
    let of_whole = |amount: Amount| match amount {
        Amount::Bytes(bytes) => bytes,
        Amount::Percent(percent) => percent_of(percent, whole_bytes),
    };
    let is_share = |amount: Amount| matches!(amount, Amount::Percent(_));
    let offset = of_whole(written.offset).saturating_add(of_whole(written.increment).saturating_mul(clone));
    let align_bytes = match (written.align_bytes, is_share(written.offset) || is_share(written.increment)) {
        // Bytes are used as set.
        (_, false) => return offset,
        // A percentage is rarely aligned to a block.
        (0, true) => written.block_bytes,
        (align_bytes, true) => align_bytes,
    };
    offset.checked_next_multiple_of(align_bytes).unwrap_or(u64::MAX)
}

fn check(
    reader: &mut Reader<'_>,
    offset_bytes: u64,
    len_bytes: u64,
    has_len: bool,
    workload: &Workload,
) -> Option<(u64, u64)> {
    let option =
        if reader.find("size").is_none() && reader.find("filesize").is_some() { "filesize" } else { "size" };
    let block_len_bytes = workload.block_len_bytes_max();
    if !has_len {
        reader.report("size", Problem::SizeMissing);
        return None;
    }
    if offset_bytes.checked_add(len_bytes).is_none_or(|end| end > FILE_LEN_BYTES_MAX) {
        let error = ValueError::OutOfRange { min: 1, max: FILE_LEN_BYTES_MAX };
        reader.report(option, Problem::BadValue(error));
        return None;
    }
    if len_bytes < block_len_bytes {
        reader.report(option, Problem::RegionTooSmall { region_len_bytes: len_bytes, block_len_bytes });
        return None;
    }
    // Zones used one after the other are separate regions.
    let zone_len_bytes = workload.strided.map_or(len_bytes, |zones| zones.zone_len_bytes.min(len_bytes));
    let zones_bytes = workload.access_zones_bytes(zone_len_bytes);
    if zones_bytes > zone_len_bytes {
        let problem = Problem::ZonesTooLong { zones_bytes, region_len_bytes: zone_len_bytes };
        reader.report("random_distribution", problem);
        return None;
    }
    Some((offset_bytes, len_bytes))
}
