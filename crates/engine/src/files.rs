//! The files and devices of jobs: created, laid out, examined and opened before a run, and removed after it
//! if a job asks for that.
//!
//! Existing files are trusted: one that is long enough is used unchanged, and one that is too short is
//! extended, keeping its content. All checks run before anything is written.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use cardiograph_core::workload::FileAction;
use cardiograph_core::{Message, Parameter, Plan, message};

use crate::control::Control;
use crate::gate::{self, Consent, WritePermit};
use crate::target::Target;

mod alignment;
mod before;
mod error;
mod extents;
mod hold;
mod layout;
mod resolved;
mod survey;
mod undo;

pub use before::{before_io, between_passes};
pub use error::PrepareError;
pub use resolved::facts;

use resolved::{Found, ResolvedTarget};
use undo::Undo;

/// Input of [`prepare`].
pub struct PrepareRequest<'a> {
    /// The Plan to prepare.
    pub plan: &'a Plan,
    /// Which devices may be written to.
    pub consent: &'a Consent,
    /// To stop preparing.
    pub control: &'a Control,
    /// Receives progress of the layout.
    pub observer: &'a dyn PrepareObserver,
    /// Seed of the content of files.
    pub seed: u64,
    /// Where to find `proc`, `sys` and `dev`: `/` on the machine itself.
    pub root: &'a Path,
    /// Whether the jobs are those of another tool, whose users do not know our options.
    pub of_tool: bool,
}

/// Receives progress of the layout.
pub trait PrepareObserver {
    /// The files of a clone are about to be created or extended.
    fn laying_out(&self, layout: &Layout<'_>);
    /// Bytes written so far.
    fn progress(&self, done_bytes: u64);
}

/// Files that are about to be created or extended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout<'a> {
    /// Index of the job in the Plan.
    pub job: usize,
    /// Its name.
    pub name: &'a str,
    /// Number of the clone.
    pub clone: u32,
    /// Number of files.
    pub files: u32,
    /// Their total length afterwards, in bytes.
    pub len_bytes: u64,
    /// Bytes to write: 0 where space is only allocated.
    pub written_bytes: u64,
}

/// Files that were created or extended for a clone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayoutDone {
    /// Index of the job in the Plan.
    pub job: usize,
    /// Number of the clone.
    pub clone: u32,
    /// Number of files.
    pub files: u32,
    /// Bytes written.
    pub written_bytes: u64,
    /// How long it took, in nanoseconds.
    pub ns: u64,
}

/// Everything a run needs. Devices taken for writing are held until it is dropped.
#[derive(Debug, Default)]
pub struct Prepared {
    /// The Plan's targets, in its order.
    pub targets: Vec<Arc<Target>>,
    /// Permit to write; `None` for a read-only Plan.
    pub permit: Option<WritePermit>,
    /// The layouts that were done.
    pub layouts: Vec<LayoutDone>,
    /// Remarks for the report.
    pub notes: Vec<Message>,
    /// Whether it was stopped early. The targets are incomplete then and must not be used.
    pub ended_early: bool,
}

/// Prepares the targets of a Plan: examines all files and devices, creates missing files, takes devices for
/// writing, and lays out what will be read.
///
/// # Errors
/// See [`PrepareError`]. Incomplete files are then removed, or truncated to their former length.
pub fn prepare(request: &PrepareRequest<'_>) -> Result<Prepared, PrepareError> {
    check_renewed(request.plan)?;
    let needs = survey::needs(request.plan)?;
    let mut undo = Undo::default();
    let mut prepared = Prepared::default();
    let mut targets = resolved::find(request, needs, &mut undo)?;
    for resolved in &mut targets {
        alignment::check(request, resolved, &mut prepared.notes)?;
        resolved::take(request, resolved)?;
    }
    targets.iter().for_each(|resolved| note_unwritten(resolved, &mut prepared.notes));
    note_made_before(request.plan, &targets, &mut prepared.notes);
    prepared.ended_early = !lay_out(request, &mut targets, &mut undo, &mut prepared)?;
    if !prepared.ended_early {
        undo.keep_all();
    }
    open_targets(request, targets, &mut prepared)?;
    Ok(prepared)
}

/// Removes the files of jobs that ask for it, if they are still the prepared files. Returns the ones that
/// could not be removed.
pub fn finish(prepared: &Prepared, plan: &Plan) -> Vec<(PathBuf, io::Error)> {
    let mut failed = Vec::new();
    let unlinking = plan.jobs.iter().filter(|job| job.workload.files.unlink);
    let mut indexes: Vec<usize> = unlinking.flat_map(|job| job.files().map(|file| file.target)).collect();
    indexes.sort_unstable();
    indexes.dedup();
    for file in indexes.into_iter().filter_map(|index| prepared.targets.get(index)?.named_file()) {
        match file.remove() {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                failed.push((file.path().to_path_buf(), error));
            }
            _ => {}
        }
    }
    failed
}

/// Notes unwritten parts of existing files.
fn note_unwritten(resolved: &ResolvedTarget<'_>, notes: &mut Vec<Message>) {
    let Found::File { is_new: false, len_bytes, .. } = resolved.found else { return };
    let Some((start_bytes, end_bytes)) = resolved.need.read_span() else { return };
    let end_bytes = end_bytes.min(len_bytes);
    // Unknown if the file system does not report extents.
    let Some(bytes) = extents::unwritten_bytes(&resolved.path, start_bytes, end_bytes) else { return };
    if bytes > 0 {
        let (unwritten, read) = (Parameter::Bytes(bytes), Parameter::Bytes(end_bytes - start_bytes));
        notes.push(message!("prepare-note-unwritten", unwritten, read, path = &resolved.path));
    }
}

/// Refuses jobs that would remove files in use by others.
fn check_renewed(plan: &Plan) -> Result<(), Message> {
    for (job, planned) in plan.jobs.iter().enumerate() {
        let renews = planned.workload.renew_every_bytes.is_some();
        let is_shared = |clone: &usize| renews && plan.has_other_users(job, *clone);
        if let Some(clone) = (0..planned.clones.len()).find(is_shared) {
            let file = planned.clones[clone].first();
            let path = file.and_then(|file| plan.targets.get(file.target)).cloned().unwrap_or_default();
            return Err(message!("prepare-shared", job = &planned.workload.name, path));
        }
    }
    Ok(())
}

/// Notes existing files of jobs that should create them.
fn note_made_before(plan: &Plan, targets: &[ResolvedTarget<'_>], notes: &mut Vec<Message>) {
    for (job, planned) in plan.jobs.iter().enumerate() {
        if planned.workload.file_action != Some(FileAction::Create) {
            continue;
        }
        let is_there = |resolved: &&ResolvedTarget<'_>| matches!(resolved.found, Found::File { .. });
        let mine = targets.iter().filter(|resolved| resolved.need.users.iter().any(|user| user.job == job));
        let (files, all) = (mine.clone().filter(is_there).count(), mine.count());
        if files > 0 {
            notes.push(message!("prepare-note-made-before", job = &planned.workload.name, files, all));
        }
    }
}

/// Creates and extends files, one clone after the other in the order of the Plan. Returns whether all were
/// done.
fn lay_out(
    request: &PrepareRequest<'_>,
    targets: &mut [ResolvedTarget<'_>],
    undo: &mut Undo,
    prepared: &mut Prepared,
) -> Result<bool, Message> {
    let mut by_clone: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
    for (index, resolved) in targets.iter().enumerate() {
        if let Some(user) = resolved.extender() {
            by_clone.entry((user.job, user.clone)).or_default().push(index);
        }
    }
    for ((job, clone), indexes) in by_clone {
        let started = Instant::now();
        let mine = || indexes.iter().map(|&index| &targets[index]);
        let layout = Layout {
            job,
            name: &request.plan.jobs[job].workload.name,
            clone,
            files: indexes.len() as u32,
            len_bytes: mine().map(|resolved| resolved.need.file_end_bytes()).sum(),
            written_bytes: mine().map(ResolvedTarget::missing_content_bytes).sum(),
        };
        request.observer.laying_out(&layout);
        let mut done_bytes = 0;
        for index in indexes {
            let resolved = &mut targets[index];
            let from_bytes = resolved.len_bytes();
            if !layout::complete(request, resolved, undo, done_bytes)? {
                return Ok(false);
            }
            done_bytes += resolved.written_bytes;
            request.observer.progress(done_bytes);
            let to_bytes = resolved.len_bytes();
            if matches!(resolved.found, Found::File { is_new: false, .. }) && to_bytes > from_bytes {
                let [from, to] = [from_bytes, to_bytes].map(Parameter::Bytes);
                let path = &resolved.path;
                prepared.notes.push(message!("prepare-note-continued", path, from, to));
            }
        }
        prepared.layouts.push(LayoutDone {
            job,
            clone,
            files: layout.files,
            written_bytes: done_bytes,
            ns: u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX),
        });
    }
    Ok(true)
}

/// Turns resolved targets into the Plan's targets, and permits writing to those that jobs write to.
fn open_targets(
    request: &PrepareRequest<'_>,
    targets: Vec<ResolvedTarget<'_>>,
    prepared: &mut Prepared,
) -> Result<(), Message> {
    // An unused target has no length.
    prepared.targets = request.plan.targets.iter().map(|_| Target::without_storage(0)).collect();
    let mut written = Vec::new();
    for resolved in targets {
        let (indexes, is_written) = (resolved.need.targets.clone(), resolved.need.is_written());
        let target = resolved.into_target();
        if is_written {
            written.push(target.clone());
        }
        indexes.into_iter().for_each(|index| prepared.targets[index] = target.clone());
    }
    if !written.is_empty() && !prepared.ended_early {
        prepared.permit = Some(gate::permit(&written)?);
    }
    Ok(())
}
