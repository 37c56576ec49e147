//! Each request removes a file. No data is moved.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::io::Errno;

use crate::clock::Clock;
use crate::engine::{EngineContext, EngineEntry, IoOp, Opened};
use crate::engines::at_once::{AtOnce, ExecuteTimed};
use crate::engines::whole_file::handle;
use crate::target::{NamedFile, Target, place_of};

pub const ENTRY: EngineEntry = EngineEntry::new(open);

/// Makes sure of all files first, so that no look at them is measured: each path still means the file that was prepared.
pub(super) fn open(context: &EngineContext) -> io::Result<Opened> {
    let place = |file: &NamedFile| {
        // One that an earlier job has removed is not there for this one either.
        file.identity().map(|identity| place_of(file.path(), identity)).transpose()
    };
    let places = context.named_files()?.into_iter().map(place).collect::<io::Result<_>>()?;
    let delete = FileDelete { files: context.targets.clone(), places };
    Ok(Opened::new(AtOnce::new(delete, &context.clock)))
}

struct FileDelete {
    files: Vec<Arc<Target>>,
    /// Where each file lies, until it was removed.
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
