//! The files and devices that jobs name: made, laid out, examined and opened before a run, and removed after it where a
//! job asks for that.
//!
//! What is found is trusted: a file that is long enough is used as it is, and one that is too short is continued at its
//! end, so that what lay in it before still does. Whatever stands against a job is found before anything is written.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use cardiograph_core::Plan;
use cardiograph_core::workload::FileAction;

use crate::control::Control;
use crate::gate::{self, Consent, WritePermit};
use crate::target::Target;

mod alignment;
mod before;
mod error;
mod extents;
mod hold;
mod layout;
mod places;
mod survey;
mod undo;

pub use before::{before_io, between_passes};
pub use error::{FileHold, MisalignedPart, PrepareError};
pub use places::facts;

use places::{Found, Place};
use undo::Undo;

/// What preparing needs.
pub struct PrepareRequest<'a> {
    /// What will run.
    pub plan: &'a Plan,
    /// Which devices may be written to.
    pub consent: &'a Consent,
    /// How it is told to stop.
    pub control: &'a Control,
    /// Who is told how laying out goes.
    pub observer: &'a dyn PrepareObserver,
    /// Seed of what files are filled with.
    pub seed: u64,
    /// Where `proc`, `sys` and `dev` are found: `/` on the machine itself.
    pub root: &'a Path,
}

/// Is told how laying out goes.
pub trait PrepareObserver {
    /// The files of a clone are about to be made or continued.
    fn laying_out(&self, layout: &Layout<'_>);
    /// So many bytes of them have been written.
    fn progress(&self, done_bytes: u64);
}

/// Files that are about to be made or continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout<'a> {
    /// Index of the job in the Plan.
    pub job: usize,
    /// Its name.
    pub name: &'a str,
    /// Which clone.
    pub clone: u32,
    /// How many files.
    pub files: u32,
    /// The length that they will have together, in bytes.
    pub len_bytes: u64,
    /// What will be written for that, in bytes: none where room is made alone.
    pub written_bytes: u64,
}

/// Files that were made or continued for a clone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayoutDone {
    /// Index of the job in the Plan.
    pub job: usize,
    /// Which clone.
    pub clone: u32,
    /// How many files.
    pub files: u32,
    /// What was written for that, in bytes.
    pub written_bytes: u64,
    /// How long it took, in nanoseconds.
    pub ns: u64,
}

/// Something about a file that the reader of a result should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrepareNote {
    /// A part of what will be read was never written: such reads do not reach the drive.
    Unwritten {
        /// Index of the target in the Plan.
        target: usize,
        /// Its path.
        path: PathBuf,
        /// Bytes that were never written.
        bytes: u64,
        /// Of so many bytes that will be read.
        of_bytes: u64,
    },
    /// The file was shorter than needed, and was continued at its end.
    Continued {
        /// Index of the target in the Plan.
        target: usize,
        /// Its path.
        path: PathBuf,
        /// Its length before, in bytes.
        from_bytes: u64,
        /// Its length now, in bytes.
        to_bytes: u64,
    },
    /// Files that a job is to make are there: it opens them instead.
    MadeBefore {
        /// Index of the job in the Plan.
        job: usize,
        /// How many of its files are there.
        files: u64,
        /// Of so many.
        of_files: u64,
    },
    /// The file system says that it cannot bypass the page cache for this file. What happens then is its own affair.
    DirectUnsupported {
        /// Index of the target in the Plan.
        target: usize,
        /// Its path.
        path: PathBuf,
    },
}

/// What is ready for a run. Devices that were taken for writing are held until it is dropped.
#[derive(Debug, Default)]
pub struct Prepared {
    /// The Plan's targets, in its order.
    pub targets: Vec<Arc<Target>>,
    /// Leave to write; `None` when the Plan does not.
    pub permit: Option<WritePermit>,
    /// What was laid out.
    pub layouts: Vec<LayoutDone>,
    /// What should be known.
    pub notes: Vec<PrepareNote>,
    /// Whether it was told to stop before it was done. Then the targets are not complete, and must not be used.
    pub ended_early: bool,
}

/// Makes everything ready for a Plan: looks at all files and devices, makes what is missing, takes devices that will be
/// written to, and lays out what will be read.
///
/// # Errors
/// See [`PrepareError`]. Files that are not complete then are removed, or cut to the length that they had.
pub fn prepare(request: &PrepareRequest<'_>) -> Result<Prepared, PrepareError> {
    check_renewed(request.plan)?;
    let needs = survey::needs(request.plan)?;
    let mut undo = Undo::default();
    let mut prepared = Prepared::default();
    let mut places = places::find(request, needs, &mut undo)?;
    for place in &mut places {
        alignment::check(request, place, &mut prepared.notes)?;
        places::take(request, place)?;
    }
    places.iter().for_each(|place| note_unwritten(place, &mut prepared.notes));
    note_made_before(request.plan, &places, &mut prepared.notes);
    prepared.ended_early = !lay_out(request, &mut places, &mut undo, &mut prepared)?;
    if !prepared.ended_early {
        undo.keep_all();
    }
    open_targets(request, places, &mut prepared)?;
    Ok(prepared)
}

/// Removes the files of jobs that ask for it, each only if it is still the one that was used. Returns what could not be
/// removed.
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

/// Looks for parts that were never written in files that were found.
fn note_unwritten(place: &Place<'_>, notes: &mut Vec<PrepareNote>) {
    let Found::File { is_new: false, len_bytes, .. } = place.found else { return };
    let Some((start_bytes, end_bytes)) = place.need.read_span() else { return };
    let end_bytes = end_bytes.min(len_bytes);
    // Where the file system does not tell, nothing can be said.
    let Some(bytes) = extents::unwritten_bytes(&place.path, start_bytes, end_bytes) else { return };
    if bytes > 0 {
        let (target, path) = (place.need.targets[0], place.path.clone());
        notes.push(PrepareNote::Unwritten { target, path, bytes, of_bytes: end_bytes - start_bytes });
    }
}

/// Refuses jobs that would remove files from under others.
fn check_renewed(plan: &Plan) -> Result<(), PrepareError> {
    for (job, planned) in plan.jobs.iter().enumerate() {
        let renews = planned.workload.renew_every_bytes.is_some();
        let is_shared = |clone: &usize| renews && plan.has_other_users(job, *clone);
        if let Some(clone) = (0..planned.clones.len()).find(is_shared) {
            let file = planned.clones[clone].first();
            let path = file.and_then(|file| plan.targets.get(file.target)).cloned().unwrap_or_default();
            return Err(PrepareError::Shared { job, path: path.into() });
        }
    }
    Ok(())
}

/// Counts the files that are there already of jobs that are to make them.
fn note_made_before(plan: &Plan, places: &[Place<'_>], notes: &mut Vec<PrepareNote>) {
    for (job, planned) in plan.jobs.iter().enumerate() {
        if planned.workload.file_action != Some(FileAction::Create) {
            continue;
        }
        let is_there = |place: &&Place<'_>| matches!(place.found, Found::File { .. });
        let mine = places.iter().filter(|place| place.need.users.iter().any(|user| user.job == job));
        let (files, of_files) = (mine.clone().filter(is_there).count() as u64, mine.count() as u64);
        if files > 0 {
            notes.push(PrepareNote::MadeBefore { job, files, of_files });
        }
    }
}

/// Makes and continues files, for one clone after the other in the order of the Plan. Whether all were.
fn lay_out(
    request: &PrepareRequest<'_>,
    places: &mut [Place<'_>],
    undo: &mut Undo,
    prepared: &mut Prepared,
) -> Result<bool, PrepareError> {
    let mut by_clone: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        if let Some(user) = place.extender() {
            by_clone.entry((user.job, user.clone)).or_default().push(index);
        }
    }
    for ((job, clone), indexes) in by_clone {
        let started = Instant::now();
        let mine = || indexes.iter().map(|&index| &places[index]);
        let layout = Layout {
            job,
            name: &request.plan.jobs[job].workload.name,
            clone,
            files: indexes.len() as u32,
            len_bytes: mine().map(|place| place.need.file_end_bytes()).sum(),
            written_bytes: mine().map(Place::missing_content_bytes).sum(),
        };
        request.observer.laying_out(&layout);
        let mut done_bytes = 0;
        for index in indexes {
            let place = &mut places[index];
            let from_bytes = place.len_bytes();
            if !layout::complete(request, place, undo, done_bytes)? {
                return Ok(false);
            }
            done_bytes += place.written_bytes;
            request.observer.progress(done_bytes);
            let to_bytes = place.len_bytes();
            if matches!(place.found, Found::File { is_new: false, .. }) && to_bytes > from_bytes {
                let (target, path) = (place.need.targets[0], place.path.clone());
                prepared.notes.push(PrepareNote::Continued { target, path, from_bytes, to_bytes });
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

/// Turns places into the Plan's targets, and gives leave to write to those that are written to.
fn open_targets(
    request: &PrepareRequest<'_>,
    places: Vec<Place<'_>>,
    prepared: &mut Prepared,
) -> Result<(), PrepareError> {
    // A target that no job uses has no length either.
    prepared.targets = request.plan.targets.iter().map(|_| Target::without_storage(0)).collect();
    let mut written = Vec::new();
    for place in places {
        let (indexes, is_written) = (place.need.targets.clone(), place.need.is_written());
        let target = place.into_target();
        if is_written {
            written.push(target.clone());
        }
        indexes.into_iter().for_each(|index| prepared.targets[index] = target.clone());
    }
    if !written.is_empty() && !prepared.ended_early {
        prepared.permit = Some(gate::permit(&written).map_err(PrepareError::Refused)?);
    }
    Ok(())
}
