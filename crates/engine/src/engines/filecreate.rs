//! Each request makes a file, or opens it where it is there. No data is moved.

use std::io;
use std::sync::Arc;

use rustix::io::Errno;

use crate::clock::Clock;
use crate::engine::{EngineContext, EngineEntry, IoOp, Opened};
use crate::engines::at_once::{AtOnce, ExecuteTimed};
use crate::engines::whole_file::handle;
use crate::target::Target;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

pub(super) fn open(context: &EngineContext) -> io::Result<Opened> {
    context.named_files()?;
    Ok(Opened::new(AtOnce::new(FileCreate { files: context.targets.clone() }, &context.clock)))
}

struct FileCreate {
    files: Vec<Arc<Target>>,
}

impl ExecuteTimed for FileCreate {
    /// The file is open when a request is complete. Closing it, which comes after that, is not what is measured.
    fn execute_timed(&mut self, op: &IoOp, clock: &Clock) -> (i32, u64) {
        let mut opened_at = None;
        let result = handle(op, || match self.files[op.file as usize].named_file() {
            Some(file) => file.create(|| opened_at = Some(clock.now())),
            None => Err(Errno::NOTSUP),
        });
        (result, opened_at.unwrap_or_else(|| clock.now()))
    }
}
