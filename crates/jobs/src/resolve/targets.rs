//! The targets of a Plan, and the effect of its jobs on their lengths.

use std::collections::HashMap;

use cardiograph_core::direction::Direction;
use cardiograph_core::plan::FileUse;
use cardiograph_core::workload::{Preallocation, Workload};

use super::{FILES_MAX, FileFacts};

/// The targets of a Plan, each once.
#[derive(Default)]
pub(super) struct Targets {
    pub names: Vec<String>,
    by_name: HashMap<String, usize>,
    /// The effect of the jobs so far on each length.
    lengths: Vec<Length>,
    /// Number of files of all clones of all jobs so far.
    uses: u64,
}

/// The effect of jobs on a file's length.
#[derive(Clone, Copy, Default)]
struct Length {
    /// Length laid out before any job starts, in bytes.
    laid_out_bytes: u64,
    /// Whether it grows while they run.
    grows: bool,
}

impl Targets {
    /// Whether a Plan may have this many more files.
    pub fn holds(&mut self, more: u64) -> bool {
        let uses = self.uses.saturating_add(more);
        let is_held = uses <= FILES_MAX;
        self.uses = if is_held { uses } else { self.uses };
        is_held
    }

    /// The index of a target, which is added if new.
    pub fn index(&mut self, name: String) -> usize {
        *self.by_name.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.lengths.push(Length::default());
            self.names.len() - 1
        })
    }

    /// What a later job finds at a path that is `facts` now: as in fio, the files of all jobs are laid out in order.
    pub fn found_later(&self, name: &str, facts: FileFacts) -> FileFacts {
        let laid_out_bytes = self.length(name).laid_out_bytes;
        match facts {
            FileFacts::Missing if laid_out_bytes > 0 => FileFacts::File { len_bytes: laid_out_bytes },
            FileFacts::File { len_bytes } => FileFacts::File { len_bytes: len_bytes.max(laid_out_bytes) },
            facts => facts,
        }
    }

    fn length(&self, name: &str) -> Length {
        self.by_name.get(name).map(|&index| self.lengths[index]).unwrap_or_default()
    }

    /// Whether the jobs so far extend a file while they run.
    pub fn grows(&self, name: &str) -> bool {
        self.length(name).grows
    }

    /// Records the effect of a job on the lengths of its files.
    pub fn lengthen(&mut self, files: &[FileUse], workload: &Workload) {
        for file in files {
            let length = &mut self.lengths[file.target];
            match lays_out(workload) {
                true => length.laid_out_bytes = length.laid_out_bytes.max(file.end_bytes()),
                false => length.grows |= workload.is_modifying(),
            }
        }
    }
}

/// Whether a job's files have their length before it starts: they have content or are preallocated.
fn lays_out(workload: &Workload) -> bool {
    use Preallocation::{Native, Posix, Truncate};
    let has_content = workload.uses(Direction::Read) || workload.files.overwrite;
    let has_room = matches!(workload.files.preallocation, Native | Posix | Truncate) && !workload.fills;
    !workload.files.create_on_open && workload.file_action.is_none() && (has_content || has_room)
}
