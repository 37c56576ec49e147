//! Each request looks a file up by its name. No data is moved.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, CWD, StatxFlags};

use crate::engine::{EngineContext, EngineEntry, IoOp, Opened};
use crate::engines::at_once::{AtOnce, Execute};
use crate::engines::whole_file::handle;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

/// The system call.
#[derive(Debug, Clone, Copy)]
enum Call {
    /// What a symbolic link points to is looked up.
    Stat,
    /// A symbolic link itself is.
    Lstat,
    /// As stat, with all that newer kernels tell.
    Statx,
}

pub(super) fn open(context: &EngineContext) -> io::Result<Opened> {
    let call = match context.word_option("stat_type") {
        Some("lstat") => Call::Lstat,
        Some("statx") => Call::Statx,
        _ => Call::Stat,
    };
    let paths =
        context.named_files()?.into_iter().map(|file| CString::new(file.path().as_os_str().as_bytes()));
    let stat = FileStat { call, paths: paths.collect::<Result<_, _>>()? };
    Ok(Opened::new(AtOnce::new(stat, &context.clock)))
}

struct FileStat {
    call: Call,
    paths: Vec<CString>,
}

impl Execute for FileStat {
    fn execute(&mut self, op: &IoOp) -> i32 {
        let path = &self.paths[op.file as usize];
        handle(op, || match self.call {
            Call::Stat => rustix::fs::stat(path).map(drop),
            Call::Lstat => rustix::fs::lstat(path).map(drop),
            Call::Statx => rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::ALL).map(drop),
        })
    }
}
