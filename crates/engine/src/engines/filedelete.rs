//! Each request removes a file. No data is moved.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::io::Errno;

use crate::clock::Clock;
use crate::engine::{EngineContext, EngineEntry, IoOp, Opened};
use crate::engines::synchronous::{ExecuteTimed, Synchronous};
use crate::engines::whole_file::handle;
use crate::target::{NamedFile, Target, canonical_path};

pub const ENTRY: EngineEntry = EngineEntry::new(open);

/// Checks all files first, so that no lookup is measured: each path must still refer to the prepared file.
pub(super) fn open(context: &EngineContext) -> io::Result<Opened> {
    let place = |file: &NamedFile| {
        // A file removed by an earlier job is missing for this one too.
        file.identity().map(|identity| canonical_path(file.path(), identity)).transpose()
    };
    let places = context.named_files()?.into_iter().map(place).collect::<io::Result<_>>()?;
    let delete = FileDelete { files: context.targets.clone(), places };
    Ok(Opened::new(Synchronous::new(delete, &context.clock)))
}

struct FileDelete {
    files: Vec<Arc<Target>>,
    /// Path of each file, until it is removed.
    places: Vec<Option<PathBuf>>,
}

impl ExecuteTimed for FileDelete {
    fn execute_timed(&mut self, op: &IoOp, clock: &Clock) -> (i32, u64) {
        let place = &mut self.places[op.file as usize];
        let file = self.files[op.file as usize].named_file();
        let is_directory = file.is_some_and(NamedFile::is_directory);
        let result = handle(op, || {
            let at = place.as_deref().ok_or(Errno::NOENT)?;
            if is_directory { rustix::fs::rmdir(at) } else { rustix::fs::unlink(at) }
        });
        let completed_at = clock.now();
        if result >= 0
            && let Some(file) = file
            && let Some(place) = place.take()
        {
            file.was_removed(place);
        }
        (result, completed_at)
    }
}
