//! Each request looks up a file by name. No data is moved.

use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, CWD, StatxFlags};

use crate::engine::{EngineContext, EngineEntry, IoOp, Opened};
use crate::engines::synchronous::Synchronous;
use crate::engines::whole_file::handle;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

pub(super) fn open(context: &EngineContext) -> io::Result<Opened> {
    let look_up: fn(&CStr) -> rustix::io::Result<()> = match context.word_option("stat_type") {
        // `lstat` looks up a symbolic link itself; the others follow it.
        Some("lstat") => |path| rustix::fs::lstat(path).map(drop),
        Some("statx") => |path| rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::ALL).map(drop),
        _ => |path| rustix::fs::stat(path).map(drop),
    };
    let paths =
        context.named_files()?.into_iter().map(|file| CString::new(file.path().as_os_str().as_bytes()));
    let paths = paths.collect::<Result<Vec<_>, _>>()?;
    let execute = move |op: &IoOp| handle(op, || look_up(&paths[op.file as usize]));
    Ok(Opened::new(Synchronous::new(execute, &context.clock)))
}
