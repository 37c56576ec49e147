//! Errors of preparing files and devices, as Messages.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::mem::discriminant;
use std::path::Path;

use cardiograph_core::{Direction, Message, Parameter, Plan, message};
use cardiograph_engine::device::DeviceUse;
use cardiograph_engine::files::{FileHold, MisalignedPart, PrepareError, PrepareNote};
use cardiograph_engine::gate::{DeviceContent, PartContent};

use crate::consent::{self, Stake};
use crate::failure::{Failure, NeedsConsent};
use crate::messages;

/// The error as a Failure; if only consent is missing, with the question for the user.
pub fn failure(error: &PrepareError, plan: &Plan, stake: Stake) -> Failure {
    let failure = Failure::usage(prepare_error(error, plan, stake));
    let PrepareError::NeedsConsent { path, id, content, .. } = error else { return failure };
    let question = stake.question(path, device_content(content));
    Failure { needs: Some(Box::new(NeedsConsent { question, id: id.clone() })), ..failure }
}

/// What is wrong, where, and what to do.
pub fn prepare_error(error: &PrepareError, plan: &Plan, stake: Stake) -> Message {
    let name = |job: usize| job_name(job, plan);
    match error {
        PrepareError::Simulated { job } => message!("prepare-simulated", job = name(*job)),
        PrepareError::TargetMissing { job } => message!("prepare-no-target", job = name(*job)),
        PrepareError::MayNotCreate { job, path } => {
            message!("prepare-may-not-create", job = name(*job), path)
        }
        PrepareError::NothingToRead { job, path, len_bytes, end_bytes } => message!(
            "prepare-nothing-to-read",
            job = name(*job),
            path,
            end = Parameter::Bytes(*end_bytes),
            length = Parameter::Bytes(*len_bytes)
        ),
        PrepareError::NotAFile { path, what } => message!("prepare-not-a-file", path, kind = file_kind(what)),
        PrepareError::NoSuchDevice { path } => message!("prepare-no-device", path),
        PrepareError::NotPermitted { call, path } => {
            message!("prepare-not-permitted", call = call_name(call), path)
        }
        PrepareError::ReadOnly { path } => message!("prepare-read-only", path),
        PrepareError::NoSpace { path, needed_bytes, free_bytes } => message!(
            "prepare-no-room",
            path,
            needed = Parameter::Bytes(*needed_bytes),
            free = Parameter::Bytes(*free_bytes)
        ),
        PrepareError::TooLong { path, len_bytes } => message!(
            "prepare-too-long",
            path,
            length = Parameter::Bytes(*len_bytes),
            reason = messages::too_long(path)
        ),
        PrepareError::Shared { job, path } => message!("prepare-shared", job = name(*job), path),
        PrepareError::InUse { path, hold: FileHold::Swap } => message!("prepare-in-use.swap", path),
        PrepareError::InUse { path, hold: FileHold::RunningProgram } => {
            message!("prepare-in-use.program", path)
        }
        PrepareError::InUse { path, hold: FileHold::LoopDevice } => {
            message!("prepare-in-use.loop-device", path)
        }
        PrepareError::OutsideDevice { job, path, end_bytes, len_bytes } => message!(
            "prepare-outside",
            job = name(*job),
            path,
            end = Parameter::Bytes(*end_bytes),
            length = Parameter::Bytes(*len_bytes)
        ),
        PrepareError::Misaligned { .. } => misaligned(error, plan),
        PrepareError::DeviceInUse { path, uses, wants_mounted_write } => {
            let uses = Parameter::all(uses.iter().map(device_use));
            match wants_mounted_write {
                true => message!("prepare-device-in-use.mounted-write", path, uses),
                false => message!("prepare-device-in-use", path, uses),
            }
        }
        PrepareError::NeedsConsent { job, path, id, content } => {
            needs_consent(&name(*job), (path, id), device_content(content), stake)
        }
        PrepareError::Refused(refused) => refused.clone(),
        PrepareError::Other { call, path, source } => {
            let failed = message!("prepare-failed", call = call_name(call), path, error = source);
            // For these the path is the cause.
            let is_of_path = [ErrorKind::NotADirectory, ErrorKind::NotFound, ErrorKind::InvalidFilename]
                .contains(&source.kind());
            messages::with_advice(failed, is_of_path.then(|| message!("advice.other-place")))
        }
    }
}

fn job_name(job: usize, plan: &Plan) -> String {
    plan.jobs.get(job).map_or_else(String::new, |job| job.workload.name.clone())
}

fn misaligned(error: &PrepareError, plan: &Plan) -> Message {
    let PrepareError::Misaligned { job, path, part, value_bytes, align_bytes } = error else {
        unreachable!("it is asked for nothing else")
    };
    let trims = plan.jobs.get(*job).is_some_and(|job| job.workload.uses(Direction::Trim));
    let job = job_name(*job, plan);
    let [align, bytes] = [align_bytes, value_bytes].map(|bytes| Parameter::BlockBytes(*bytes));
    let part = misaligned_part(*part);
    match trims {
        true => message!("prepare-misaligned.trim", job, path, align, part, bytes),
        false => message!("prepare-misaligned.direct", job, path, align, part, bytes),
    }
}

fn misaligned_part(part: MisalignedPart) -> Parameter {
    match part {
        MisalignedPart::BlockLen => "bs".into(),
        MisalignedPart::Grid => "blockalign".into(),
        MisalignedPart::Offset => "offset".into(),
        MisalignedPart::Skip => message!("misaligned-part.skip").into(),
        MisalignedPart::Zone => message!("misaligned-part.zone").into(),
    }
}

fn needs_consent(job: &str, (path, id): (&Path, &str), content: Parameter, stake: Stake) -> Message {
    let variable = consent::VARIABLE;
    match stake {
        Stake::Lost => message!("prepare-needs-consent.lost", job, path, content, id, variable),
        Stake::Restored => message!("prepare-needs-consent.restored", job, path, content, id, variable),
    }
}

/// Kind of a file, from the engine's word for it.
fn file_kind(what: &str) -> Message {
    match what {
        "a file" => message!("file-kind.file"),
        "a directory" => message!("file-kind.directory"),
        "a character device" => message!("file-kind.character-device"),
        "a pipe" => message!("file-kind.pipe"),
        "a socket" => message!("file-kind.socket"),
        _ => message!("file-kind.other"),
    }
}

/// A failed call, from the engine's word for it.
fn call_name(call: &str) -> Parameter {
    Parameter::from(match call {
        "open" => message!("call.open"),
        "look at" => message!("call.look-at"),
        "find the length of" => message!("call.find-length"),
        "find the users of" => message!("call.find-users"),
        "make" => message!("call.make"),
        "list" => message!("call.list"),
        "write" => message!("call.write"),
        "set the length of" => message!("call.set-length"),
        "make room in" => message!("call.make-room"),
        "fsync" => message!("call.sync"),
        _ => return call.into(),
    })
}

fn device_use(used: &DeviceUse) -> Message {
    match used {
        DeviceUse::Mounted { part, mount_point } => message!("device-use-mounted", part, path = mount_point),
        DeviceUse::Swap { part } => message!("device-use-swap", part),
        DeviceUse::Holder { part, holder } => message!("device-use-holder", holder, part),
        DeviceUse::Member { part, of } => message!("device-use-member", part, of = of.to_string()),
        DeviceUse::HeldOpen => message!("device-use-open"),
        DeviceUse::ReadOnly => message!("device-use-read-only"),
    }
}

/// What would be lost on a device.
pub fn device_content(content: &DeviceContent) -> Parameter {
    let part = |part: &PartContent| {
        let (name, length) = (&part.name, Parameter::Bytes(part.len_bytes));
        let found: Vec<String> = part.signatures.iter().map(ToString::to_string).collect();
        match found.is_empty() {
            true => message!("device-part", name, length),
            false => {
                let signatures = Parameter::all(found);
                message!("device-part.signed", name, length, signatures)
            }
        }
    };
    let model = content.model.iter().map(Parameter::from);
    Parameter::all(model.chain(content.parts.iter().map(|one| part(one).into())))
}

/// Maximum number of notes of a kind shown one by one. Beyond that, the first represents all.
const NOTES_OF_A_KIND_MAX: usize = 3;

/// Remarks for the report on how the files were prepared, as sentences.
pub fn notes(notes: &[PrepareNote], plan: &Plan) -> Vec<Message> {
    let mut counts: HashMap<_, usize> = HashMap::new();
    notes.iter().for_each(|note| *counts.entry(discriminant(note)).or_default() += 1);
    let mut shown = Vec::new();
    for one in notes {
        // A kind already reported is no longer counted.
        let Some(count) = counts.get(&discriminant(one)).copied() else { continue };
        shown.push(note(one, plan));
        if count > NOTES_OF_A_KIND_MAX {
            counts.remove(&discriminant(one));
            shown.push(message!("prepare-note-others", others = count - 1));
        }
    }
    shown
}

/// A remark for the report about a file.
fn note(note: &PrepareNote, plan: &Plan) -> Message {
    match note {
        PrepareNote::MadeBefore { job, files, of_files } => {
            message!("prepare-note-made-before", job = job_name(*job, plan), files = *files, all = *of_files)
        }
        PrepareNote::Unwritten { path, bytes, of_bytes, .. } => message!(
            "prepare-note-unwritten",
            unwritten = Parameter::Bytes(*bytes),
            read = Parameter::Bytes(*of_bytes),
            path
        ),
        PrepareNote::Continued { path, from_bytes, to_bytes, .. } => message!(
            "prepare-note-continued",
            path,
            from = Parameter::Bytes(*from_bytes),
            to = Parameter::Bytes(*to_bytes)
        ),
        PrepareNote::DirectUnsupported { path, .. } => message!("prepare-note-no-direct", path),
    }
}
