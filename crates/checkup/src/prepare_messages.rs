//! What stands against the files and devices of a run, in words.

use std::collections::HashMap;
use std::mem::discriminant;

use cardiograph_core::units;
use cardiograph_core::{Direction, Plan};
use cardiograph_engine::device::DeviceUse;
use cardiograph_engine::files::{FileHold, MisalignedPart, PrepareError, PrepareNote};
use cardiograph_engine::gate::DeviceContent;

use crate::consent::{self, Stake};
use crate::failure::{Failure, NeedsConsent};
use crate::messages;

/// The error as it ends what was asked for; where it is consent that lacks, with what a person is to be asked.
pub fn failure(error: &PrepareError, plan: &Plan, stake: Stake) -> Failure {
    let failure = Failure::usage(prepare_error(error, plan, stake));
    let PrepareError::NeedsConsent { path, id, content, .. } = error else { return failure };
    let question = stake.question(&path.display().to_string(), &device_content(content));
    Failure { needs: Some(Box::new(NeedsConsent { question, id: id.clone() })), ..failure }
}

/// What is wrong, where, and what to do.
pub fn prepare_error(error: &PrepareError, plan: &Plan, stake: Stake) -> String {
    let of_job = |job: usize| of_job(job, plan);
    let trims = |job: usize| plan.jobs.get(job).is_some_and(|job| job.workload.uses(Direction::Trim));
    match error {
        PrepareError::Simulated { job } => format!(
            "{}a simulated drive has a time of its own: run its jobs without those of other engines",
            of_job(*job)
        ),
        PrepareError::TargetMissing { job } => format!("{}it names a file that is not known", of_job(*job)),
        PrepareError::MayNotCreate { job, path } => format!(
            "{}{} does not exist, and allow_file_create=0 forbids to make it: make the file, or leave \
             allow_file_create out",
            of_job(*job),
            path.display()
        ),
        PrepareError::NothingToRead { job, path, len_bytes, end_bytes } => format!(
            "{}it reads {} of {}, which has {} and is made when the job begins: leave create_on_open out",
            of_job(*job),
            units::bytes(*end_bytes),
            path.display(),
            units::bytes(*len_bytes)
        ),
        PrepareError::NotAFile { path, what } => {
            format!("{} is {what}; name a file or a block device with filename", path.display())
        }
        PrepareError::NoSuchDevice { path } => format!(
            "there is no device {}; a file among the devices would fill the memory: see lsblk for the right name",
            path.display()
        ),
        PrepareError::NotPermitted { call, path } => format!(
            "no permission to {call} {}; name a place that you can write to, or become root",
            path.display()
        ),
        PrepareError::ReadOnly { path } => format!(
            "{} lies on a file system that is mounted read-only; mount it read-write, or name another place",
            path.display()
        ),
        PrepareError::NoSpace { path, needed_bytes, free_bytes } => format!(
            "{} needs {} more, and {} are free there: make room, or make size smaller",
            path.display(),
            units::bytes(*needed_bytes),
            units::bytes(*free_bytes)
        ),
        PrepareError::TooLong { path, len_bytes } => format!(
            "{} would have {}, and {}",
            path.display(),
            units::bytes(*len_bytes),
            messages::too_long(path)
        ),
        PrepareError::Shared { job, path } => format!(
            "{}unlink_each_loop removes {} after each loop, while other clones or jobs use it: give each files of its own \
             (leave filename out), or let them wait with stonewall",
            of_job(*job),
            path.display()
        ),
        PrepareError::InUse { path, hold } => {
            let (what, advice) = match hold {
                FileHold::Swap => ("the kernel swaps to it", "swapoff it first"),
                FileHold::RunningProgram => ("it is a program that runs", "name another file"),
                FileHold::LoopDevice => ("the loop device on it is in use", "unmount it first"),
            };
            format!("{} is not written to: {what}; {advice}", path.display())
        }
        PrepareError::OutsideDevice { job, path, end_bytes, len_bytes } => format!(
            "{}it reaches to {} of {}, which has {}: make size or offset smaller",
            of_job(*job),
            units::bytes(*end_bytes),
            path.display(),
            units::bytes(*len_bytes)
        ),
        PrepareError::Misaligned { job, path, part, value_bytes, align_bytes } => format!(
            "{}{} on {} needs multiples of {align_bytes} bytes, and {} is {value_bytes}: change it{}",
            of_job(*job),
            if trims(*job) { "trimming" } else { "direct I/O" },
            path.display(),
            part_name(*part),
            if trims(*job) { "" } else { ", or set direct=0" }
        ),
        PrepareError::DeviceInUse { path, uses, wants_mounted_write } => {
            let uses: Vec<String> = uses.iter().map(use_in_words).collect();
            let wish = if *wants_mounted_write { " (allow_mounted_write does not change that)" } else { "" };
            format!(
                "{} is not written to{wish}: {}; set it free first, or name another device",
                path.display(),
                uses.join(", ")
            )
        }
        PrepareError::NeedsConsent { job, path, id, content } => format!(
            "{}it writes to the device {} ({}), {}: if you want that, add {}",
            of_job(*job),
            path.display(),
            device_content(content),
            stake.reason(),
            consent::how(id)
        ),
        PrepareError::Refused(refused) => refused.to_string(),
        PrepareError::Layout { path, source } => {
            format!("laying out {}: {}", path.display(), messages::run_error(source).message)
        }
        PrepareError::Other { call, path, source } => {
            format!(
                "cannot {call} {}: {}{}",
                path.display(),
                messages::without_number(source),
                advice(source)
            )
        }
    }
}

fn of_job(job: usize, plan: &Plan) -> String {
    plan.jobs.get(job).map_or_else(String::new, |job| format!("job '{}': ", job.workload.name))
}

/// What to do about an error that the path is the cause of.
fn advice(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotADirectory | ErrorKind::NotFound | ErrorKind::InvalidFilename => "; name another place",
        _ => "",
    }
}

fn part_name(part: MisalignedPart) -> &'static str {
    match part {
        MisalignedPart::BlockLen => "bs",
        MisalignedPart::Grid => "blockalign",
        MisalignedPart::Offset => "offset",
        MisalignedPart::Skip => "the number of bytes to skip",
        MisalignedPart::Zone => "the length of a zone or of the gap behind it",
    }
}

fn use_in_words(used: &DeviceUse) -> String {
    match used {
        DeviceUse::Mounted { part, mount_point } => format!("{part} is mounted at {}", mount_point.display()),
        DeviceUse::Swap { part } => format!("{part} is swap"),
        DeviceUse::Holder { part, holder } => format!("{holder} is built on {part}"),
        DeviceUse::Member { part, of } => format!("{part} bears the mark of {of}"),
        DeviceUse::HeldOpen => "another program holds it open exclusively".to_string(),
        DeviceUse::ReadOnly => "the kernel calls it read-only".to_string(),
    }
}

/// What would be lost with a device, in a line.
pub fn device_content(content: &DeviceContent) -> String {
    let part = |part: &cardiograph_engine::gate::PartContent| {
        let found: Vec<String> = part.signatures.iter().map(ToString::to_string).collect();
        match found.is_empty() {
            true => format!("{} of {}", part.name, units::bytes(part.len_bytes)),
            false => {
                format!("{} of {} with {}", part.name, units::bytes(part.len_bytes), found.join(" and "))
            }
        }
    };
    let parts = content.parts.iter().map(part);
    content.model.iter().cloned().chain(parts).collect::<Vec<_>>().join(", ")
}

/// Notes of one kind that are shown one by one. Of more, the first stands for all.
const NOTES_OF_A_KIND_MAX: usize = 3;

/// What a reader of the results should know of how the files were made ready.
pub fn notes(notes: &[PrepareNote], plan: &Plan) -> Vec<String> {
    let mut counts: HashMap<_, usize> = HashMap::new();
    notes.iter().for_each(|note| *counts.entry(discriminant(note)).or_default() += 1);
    // A kind that has been told leaves the counts.
    let mut told = |one: &PrepareNote| match counts.get(&discriminant(one)).copied() {
        Some(count) if count > NOTES_OF_A_KIND_MAX => {
            counts.remove(&discriminant(one));
            Some(format!("{} (and so for {} others)", note(one, plan), count - 1))
        }
        Some(_) => Some(note(one, plan)),
        None => None,
    };
    notes.iter().filter_map(&mut told).collect()
}

/// What a reader of the results should know about a file.
fn note(note: &PrepareNote, plan: &Plan) -> String {
    match note {
        PrepareNote::MadeBefore { job, files, of_files } => format!(
            "{}{files} of its {of_files} files are there already: opening them is measured, not making them",
            of_job(*job, plan)
        ),
        PrepareNote::Unwritten { path, bytes, of_bytes, .. } => format!(
            "{} of the {} that are read of {} were never written: such reads do not reach the drive, and look too fast",
            units::bytes(*bytes),
            units::bytes(*of_bytes),
            path.display()
        ),
        PrepareNote::Continued { path, from_bytes, to_bytes, .. } => format!(
            "{} was {} long and was continued to {}; what lay in it before still does",
            path.display(),
            units::bytes(*from_bytes),
            units::bytes(*to_bytes)
        ),
        PrepareNote::DirectUnsupported { path, .. } => format!(
            "the file system of {} cannot bypass its cache: direct=1 may measure the cache, not the drive",
            path.display()
        ),
    }
}
