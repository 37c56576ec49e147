//! The requirements of a Plan's jobs for each target.

use cardiograph_core::plan::FileUse;
use cardiograph_core::workload::{FileAction, FileHandling};
use cardiograph_core::{Direction, Message, Plan, Workload, message};
use cardiograph_jobs::options;

/// A clone's use of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct User<'a> {
    /// Index of the job.
    pub job: usize,
    /// Number of the clone.
    pub clone: u32,
    /// The range that it uses.
    pub file: FileUse,
    /// Its workload.
    pub workload: &'a Workload,
}

impl User<'_> {
    /// Whether its engine does any I/O.
    pub fn does_io(&self) -> bool {
        options::engine(&self.workload.engine).does_io
    }

    /// Whether a missing file is created by this job or an earlier one, rather than before all jobs.
    pub fn makes_file(&self) -> bool {
        let looks_later = self.file.region_len_bytes == 0;
        looks_later
            || self.workload.files.create_on_open
            || self.workload.file_action.is_some_and(FileAction::makes_file)
    }

    /// Whether space for its region must be allocated in advance.
    pub fn needs_room(&self) -> bool {
        let is_whole_file = self.workload.file_action.is_some_and(FileAction::is_whole_file);
        self.needs_content() || (self.workload.is_modifying() && !is_whole_file)
    }

    /// Whether the file must have content in advance.
    pub fn needs_content(&self) -> bool {
        if let Some(action) = self.workload.file_action.filter(|action| action.is_whole_file()) {
            return action.needs_file() && !action.is_for_directories();
        }
        let reads_to_write = || options::engine(&self.workload.engine).reads_to_write;
        let is_overwritten = !self.makes_file() && (self.workload.files.overwrite || reads_to_write());
        self.workload.uses(Direction::Read) || (self.workload.is_modifying() && is_overwritten)
    }
}

/// The combined requirements of all users of a file or device.
#[derive(Debug)]
pub(super) struct Need<'a> {
    /// Its indexes in the Plan: several names can refer to one file.
    pub targets: Vec<usize>,
    /// Its users, in the order of the Plan.
    pub users: Vec<User<'a>>,
}

impl<'a> Need<'a> {
    /// Users that do I/O on it.
    pub fn stored(&self) -> impl Iterator<Item = &User<'a>> {
        self.users.iter().filter(|user| user.does_io())
    }

    /// End of the furthest region, in bytes.
    pub fn end_bytes(&self) -> u64 {
        self.users.iter().map(|user| user.file.end_bytes()).max().unwrap_or(0)
    }

    /// The same, without jobs that need no space there.
    pub fn file_end_bytes(&self) -> u64 {
        self.stored().filter(|user| user.needs_room()).map(|user| user.file.end_bytes()).max().unwrap_or(0)
    }

    /// Required end of the content, in bytes.
    pub fn content_end_bytes(&self) -> u64 {
        let needing = self.stored().filter(|user| user.needs_content());
        needing.map(|user| user.file.end_bytes()).max().unwrap_or(0)
    }

    /// Start and end of the range that is read, in bytes; `None` if nothing is read.
    pub fn read_span(&self) -> Option<(u64, u64)> {
        let reads =
            |user: &&User<'_>| user.workload.uses(Direction::Read) && user.workload.file_action.is_none();
        let readers = || self.stored().filter(reads);
        let start_bytes = readers().map(|user| user.file.offset_bytes).min()?;
        let end_bytes = readers().map(|user| user.file.end_bytes()).max()?;
        Some((start_bytes, end_bytes))
    }

    /// Whether any job, and whether all jobs, need a directory.
    pub fn directory_for(&self) -> (bool, bool) {
        let wants = |user: &User<'_>| user.workload.file_action.is_some_and(FileAction::is_for_directories);
        (self.users.iter().any(wants), self.users.iter().all(wants))
    }

    /// Whether any job changes it, including engines that do no I/O.
    pub fn is_written(&self) -> bool {
        self.users.iter().any(|user| user.workload.is_modifying())
    }

    /// The first user that changes its content.
    pub fn writer(&self) -> Option<&User<'a>> {
        self.stored().find(|user| user.workload.is_modifying())
    }

    /// Whether `says` holds for the file handling of any of its jobs.
    pub fn any(&self, says: impl Fn(&FileHandling) -> bool) -> bool {
        self.stored().any(|user| says(&user.workload.files))
    }
}

/// The needs of each used target of a Plan, in the Plan's order.
pub(super) fn needs(plan: &Plan) -> Result<Vec<Need<'_>>, Message> {
    let mut needs: Vec<Need<'_>> =
        (0..plan.targets.len()).map(|target| Need { targets: vec![target], users: Vec::new() }).collect();
    for (job, planned) in plan.jobs.iter().enumerate() {
        let workload = &planned.workload;
        if options::engine(&workload.engine).is_simulated {
            return Err(message!("prepare-simulated", job = &workload.name));
        }
        for (clone, files) in (0..).zip(&planned.clones) {
            for file in files {
                let no_target = || message!("prepare-no-target", job = &workload.name);
                let need = needs.get_mut(file.target).ok_or_else(no_target)?;
                need.users.push(User { job, clone, file: *file, workload });
            }
        }
    }
    needs.retain(|need| !need.users.is_empty());
    Ok(needs)
}
