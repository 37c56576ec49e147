//! Names of jobs' files.

use super::reader::Reader;
use crate::options;
use crate::value::split_list;

/// Names of a job's files.
pub(super) struct Names {
    /// Explicit names, used by all clones.
    pub written: Vec<String>,
    /// The files' directories; clones take turns.
    pub directories: Vec<String>,
    format: String,
    /// Number of files per clone without explicit names.
    pub count: u64,
}

impl Names {
    pub fn read(reader: &mut Reader<'_>) -> Self {
        let list = |reader: &mut Reader<'_>, option| reader.read(option, split_list).unwrap_or_default();
        let written = list(reader, "filename");
        let directories = list(reader, "directory");
        let format = reader.text("filename_format");
        let default = options::find("filename_format").map_or("", |def| def.default);
        Self {
            written,
            directories,
            format: format.unwrap_or_else(|| default.to_string()),
            count: reader.count("nrfiles").max(1),
        }
    }

    /// Files of each clone.
    pub fn count(&self) -> u64 {
        if self.written.is_empty() { self.count } else { self.written.len() as u64 }
    }

    /// Names for a clone of the job `job`, which may be a device or directory itself.
    pub fn for_clone(&self, job: &str, is_target: bool, clone: u64) -> Vec<String> {
        let names: Vec<String> = match self.written.is_empty() {
            false => self.written.clone(),
            true if is_target => vec![job.to_string()],
            true => (0..self.count).map(|file| self.formatted(job, clone, file)).collect(),
        };
        let directory = match self.directories.len() as u64 {
            0 => None,
            // All clones share an explicitly named file.
            _ if !self.written.is_empty() => self.directories.first(),
            count => Some(&self.directories[(clone % count) as usize]),
        };
        let placed = |name: String| match directory {
            Some(directory) => format!("{}/{name}", directory.trim_end_matches('/')),
            None => name,
        };
        names.into_iter().map(placed).collect()
    }

    fn formatted(&self, job: &str, clone: u64, file: u64) -> String {
        self.format
            .replace("$jobname", job)
            .replace("$jobnum", &clone.to_string())
            .replace("$filenum", &file.to_string())
            // Only clients of fio's server have one.
            .replace("$clientuid", "")
    }
}
