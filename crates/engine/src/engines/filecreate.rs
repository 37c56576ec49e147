//! Each request creates a file, or opens it if it exists. No data is moved.

use std::io;
use std::sync::Arc;

use rustix::io::Errno;

use crate::clock::Clock;
use crate::engine::{EngineContext, EngineEntry, IoOp, Opened};
use crate::engines::synchronous::{ExecuteTimed, Synchronous};
use crate::engines::whole_file::handle;
use crate::target::Target;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

pub(super) fn open(context: &EngineContext) -> io::Result<Opened> {
    context.named_files()?;
    Ok(Opened::new(Synchronous::new(FileCreate { files: context.targets.clone() }, &context.clock)))
}

struct FileCreate {
    files: Vec<Arc<Target>>,
}

impl ExecuteTimed for FileCreate {
    /// The request is complete when the file is open. Closing it afterwards is not measured.
    fn execute_timed(&mut self, op: &IoOp, clock: &Clock) -> (i32, u64) {
        let mut opened_at = None;
        let result = handle(op, || match self.files[op.file as usize].named_file() {
            Some(file) => file.create(|| opened_at = Some(clock.now())),
            None => Err(Errno::NOTSUP),
        });
        (result, opened_at.unwrap_or_else(|| clock.now()))
    }
}
