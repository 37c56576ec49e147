//! What the jobs of a Plan need of each target.

use cardiograph_core::plan::FileUse;
use cardiograph_core::workload::{FileAction, FileHandling};
use cardiograph_core::{Direction, Plan, Workload};
use cardiograph_jobs::options;

use super::error::PrepareError;

/// A clone's use of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct User<'a> {
    /// Index of the job.
    pub job: usize,
    /// Which clone.
    pub clone: u32,
    /// The part that it uses.
    pub file: FileUse,
    /// What it does there.
    pub workload: &'a Workload,
}

impl User<'_> {
    /// Whether its engine does I/O at all.
    pub fn does_io(&self) -> bool {
        options::engine(&self.workload.engine).does_io
    }

    /// Whether a missing file is made by the job itself or by one before it, and not before all jobs.
    pub fn makes_file(&self) -> bool {
        let looks_later = self.file.region_len_bytes == 0;
        looks_later
            || self.workload.files.create_on_open
            || self.workload.file_action.is_some_and(FileAction::makes_file)
    }

    /// Whether there must be room for its region before it begins.
    pub fn needs_room(&self) -> bool {
        let is_whole_file = self.workload.file_action.is_some_and(FileAction::is_whole_file);
        self.needs_content() || (self.workload.is_modifying() && !is_whole_file)
    }

    /// Whether there must be content before it begins.
    pub fn needs_content(&self) -> bool {
        if let Some(action) = self.workload.file_action.filter(|action| action.is_whole_file()) {
            return action.needs_file() && !action.is_for_directories();
        }
        let reads_to_write = || options::engine(&self.workload.engine).reads_to_write;
        let is_overwritten = !self.makes_file() && (self.workload.files.overwrite || reads_to_write());
        self.workload.uses(Direction::Read) || (self.workload.is_modifying() && is_overwritten)
    }
}

/// What is needed of a file or device, over all that use it.
#[derive(Debug)]
pub(super) struct Need<'a> {
    /// Its indexes in the Plan: several names can stand for one file.
    pub targets: Vec<usize>,
    /// Who uses it, in the order of the Plan.
    pub users: Vec<User<'a>>,
}

impl<'a> Need<'a> {
    /// Those who do I/O on it.
    pub fn stored(&self) -> impl Iterator<Item = &User<'a>> {
        self.users.iter().filter(|user| user.does_io())
    }

    /// Where the furthest region ends, in bytes.
    pub fn end_bytes(&self) -> u64 {
        self.users.iter().map(|user| user.file.end_bytes()).max().unwrap_or(0)
    }

    /// The same without jobs that need no room there.
    pub fn file_end_bytes(&self) -> u64 {
        self.stored().filter(|user| user.needs_room()).map(|user| user.file.end_bytes()).max().unwrap_or(0)
    }

    /// Up to where there must be content, in bytes.
    pub fn content_end_bytes(&self) -> u64 {
        let needing = self.stored().filter(|user| user.needs_content());
        needing.map(|user| user.file.end_bytes()).max().unwrap_or(0)
    }

    /// From where to where it is read, in bytes; `None` when it is not.
    pub fn read_span(&self) -> Option<(u64, u64)> {
        let reads =
            |user: &&User<'_>| user.workload.uses(Direction::Read) && user.workload.file_action.is_none();
        let readers = || self.stored().filter(reads);
        let start_bytes = readers().map(|user| user.file.offset_bytes).min()?;
        let end_bytes = readers().map(|user| user.file.end_bytes()).max()?;
        Some((start_bytes, end_bytes))
    }

    /// Whether it is to be a directory for any job, and whether for all.
    pub fn directory_for(&self) -> (bool, bool) {
        let wants = |user: &User<'_>| user.workload.file_action.is_some_and(FileAction::is_for_directories);
        (self.users.iter().any(wants), self.users.iter().all(wants))
    }

    /// Whether any job changes it, engines that do no I/O included.
    pub fn is_written(&self) -> bool {
        self.users.iter().any(|user| user.workload.is_modifying())
    }

    /// The first who changes what is stored.
    pub fn writer(&self) -> Option<&User<'a>> {
        self.stored().find(|user| user.workload.is_modifying())
    }

    /// Whether any of its jobs says so of its files.
    pub fn any(&self, says: impl Fn(&FileHandling) -> bool) -> bool {
        self.stored().any(|user| says(&user.workload.files))
    }
}

/// What is needed of each target of a Plan that is used, in the Plan's order.
pub(super) fn needs(plan: &Plan) -> Result<Vec<Need<'_>>, PrepareError> {
    let mut needs: Vec<Need<'_>> =
        (0..plan.targets.len()).map(|target| Need { targets: vec![target], users: Vec::new() }).collect();
    for (job, planned) in plan.jobs.iter().enumerate() {
        let workload = &planned.workload;
        if options::engine(&workload.engine).is_simulated {
            return Err(PrepareError::Simulated { job });
        }
        for (clone, files) in (0..).zip(&planned.clones) {
            for file in files {
                let need = needs.get_mut(file.target).ok_or(PrepareError::TargetMissing { job })?;
                need.users.push(User { job, clone, file: *file, workload });
            }
        }
    }
    needs.retain(|need| !need.users.is_empty());
    Ok(needs)
}
