//! The targets of a Plan, and what its jobs do to their lengths.

use std::collections::HashMap;

use cardiograph_core::direction::Direction;
use cardiograph_core::plan::FileUse;
use cardiograph_core::workload::{Preallocation, Workload};

use super::{FILES_MAX, FileFacts};

/// The targets of a Plan, each named once.
#[derive(Default)]
pub(super) struct Targets {
    pub names: Vec<String>,
    by_name: HashMap<String, usize>,
    /// What the jobs so far do to the length of each.
    lengths: Vec<Length>,
    /// Files of all clones of all jobs so far.
    uses: u64,
}

/// What jobs do to a file's length.
#[derive(Clone, Copy, Default)]
struct Length {
    /// Up to where they lay it out before any job starts, in bytes.
    laid_out_bytes: u64,
    /// Whether it grows when they run.
    grows: bool,
}

impl Targets {
    /// Whether a Plan holds so many more files.
    pub fn holds(&mut self, more: u64) -> bool {
        let uses = self.uses.saturating_add(more);
        let is_held = uses <= FILES_MAX;
        self.uses = if is_held { uses } else { self.uses };
        is_held
    }

    /// The index of a target, which is added where it is new.
    pub fn index(&mut self, name: String) -> usize {
        *self.by_name.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            self.lengths.push(Length::default());
            self.names.len() - 1
        })
    }

    /// What a later job finds under a name, where `facts` stand under it now: as in fio, the files of all jobs are laid out in
    /// their order.
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

    /// Whether the jobs so far make a file longer when they run.
    pub fn grows(&self, name: &str) -> bool {
        self.length(name).grows
    }

    /// Notes what a job does to the lengths of its files.
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

/// Whether a job's files have their length before it starts: they hold content, or room is made.
fn lays_out(workload: &Workload) -> bool {
    use Preallocation::{Native, Posix, Truncate};
    let has_content = workload.uses(Direction::Read) || workload.files.overwrite;
    let has_room = matches!(workload.files.preallocation, Native | Posix | Truncate) && !workload.fills;
    !workload.files.create_on_open && workload.file_action.is_none() && (has_content || has_room)
}
