//! The simulated disk as a [`FileSystem`].

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_files::{self as files, Directory, Facts, FileSystem, Kind, Open, OwnFile};
use rustix::io::Errno;

use crate::disk::{Answer, Content, Disk, Number};
use crate::locks::Process;
use crate::world::{Effect, State, World, current};

/// The file system of the world in which the calling thread is a process. All files belong to one user.
#[derive(Debug, Clone, Copy, Default)]
pub struct SimulatedFiles;

/// An opened file or directory.
#[derive(Debug)]
struct Opened {
    world: Arc<World>,
    process: Process,
    number: Number,
    handle: usize,
}

fn call<T>(words: &str, effect: Effect, call: impl FnOnce(&mut State) -> Answer<T>) -> io::Result<T> {
    let (world, process) = current();
    Ok(world.call(process, words, effect, call)?)
}

/// Opens the result of `find`.
fn open(words: &str, effect: Effect, find: impl FnOnce(&mut Disk) -> Answer<Number>) -> io::Result<Opened> {
    let (world, process) = current();
    let (number, handle) =
        world.call(process, words, effect, |state| Ok((find(&mut state.disk)?, state.locks.handle())))?;
    Ok(Opened { world, process, number, handle })
}

fn is_directory(disk: &Disk, number: Number) -> Answer<Number> {
    match disk.node(number).content {
        Content::Directory { .. } => Ok(number),
        Content::File { .. } => Err(Errno::NOTDIR),
    }
}

impl FileSystem for SimulatedFiles {
    fn directory(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        let find = |disk: &mut Disk| is_directory(disk, disk.walk(path)?);
        Ok(Box::new(open("directory", Effect::None, find)?))
    }

    fn random(&self) -> u64 {
        // A dead process does not create files.
        call("random", Effect::None, |state| Ok(state.random())).unwrap_or(0)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        call("resolve", Effect::None, |state| state.disk.find_parent(path).map(drop))?;
        Ok(path.to_path_buf())
    }
}

impl Opened {
    fn call<T>(
        &self,
        words: &str,
        effect: Effect,
        call: impl FnOnce(&mut State) -> Answer<T>,
    ) -> io::Result<T> {
        Ok(self.world.call(self.process, words, effect, call)?)
    }

    fn facts_of(&self, number: Number) -> io::Result<Facts> {
        self.call("facts", Effect::None, |state| Ok(facts(&state.disk, number)))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let _ = self.call("close", Effect::None, |state| {
            state.locks.whole.retain(|_, (handle, _)| *handle != self.handle);
            Ok(())
        });
    }
}

fn facts(disk: &Disk, number: Number) -> Facts {
    let node = disk.node(number);
    let (kind, len_bytes) = match &node.content {
        Content::File { seen, .. } => (Kind::File, seen.len() as u64),
        Content::Directory { .. } => (Kind::Directory, 0),
    };
    // As geteuid(2), so that files belong to the caller.
    let user = rustix::process::geteuid().as_raw();
    Facts {
        kind,
        identity: (1, number as u64),
        links: node.links,
        mode: node.mode,
        user,
        group: rustix::process::getegid().as_raw(),
        len_bytes,
        modified_ns: node.modified_ns,
    }
}

impl files::Opened for Opened {
    fn facts(&self) -> io::Result<Facts> {
        self.facts_of(self.number)
    }

    fn sync(&self) -> io::Result<()> {
        self.call("sync", Effect::Change, |state| {
            state.disk.sync(self.number);
            Ok(())
        })
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.call("lock", Effect::None, |state| {
            let holder = state.locks.whole.entry(self.number).or_insert((self.handle, self.process));
            Ok(holder.0 == self.handle)
        })
    }
}

impl Directory for Opened {
    fn open(&self, name: &OsStr, how: Open) -> io::Result<Box<dyn OwnFile>> {
        let words = format!("open {} {how:?}", name.display());
        let effect = if matches!(how, Open::Read | Open::Write) { Effect::None } else { Effect::Change };
        let opened = open(&words, effect, |disk| {
            let found = disk.look_up(self.number, name);
            let number = match (how, found) {
                (Open::Create(_), Ok(_)) => return Err(Errno::EXIST),
                (Open::Create(mode) | Open::OpenOrCreate(mode), Err(Errno::NOENT)) => {
                    disk.create(self.number, name, mode)?
                }
                (_, found) => found?,
            };
            match disk.node(number).content {
                Content::Directory { .. } => Err(Errno::ISDIR),
                Content::File { .. } => Ok(number),
            }
        });
        Ok(Box::new(opened?))
    }

    fn directory(&self, name: &OsStr) -> io::Result<Box<dyn Directory>> {
        let find = |disk: &mut Disk| is_directory(disk, disk.look_up(self.number, name)?);
        Ok(Box::new(open("directory", Effect::None, find)?))
    }

    fn create_directory(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        let words = format!("mkdir {}", name.display());
        self.call(&words, Effect::Change, |state| {
            state.disk.create_directory(self.number, name, mode).map(drop)
        })
    }

    fn facts_of(&self, name: &OsStr) -> io::Result<Facts> {
        self.call("facts of", Effect::None, |state| {
            Ok(facts(&state.disk, state.disk.look_up(self.number, name)?))
        })
    }

    fn names(&self) -> io::Result<Vec<OsString>> {
        self.call("names", Effect::None, |state| state.disk.names(self.number))
    }

    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let words = format!("rename {} {}", from.display(), to.display());
        self.call(&words, Effect::Change, |state| state.disk.rename(self.number, from, to))
    }

    fn remove(&self, name: &OsStr) -> io::Result<()> {
        let words = format!("remove {}", name.display());
        self.call(&words, Effect::Change, |state| state.disk.remove(self.number, name, false))
    }

    fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        let words = format!("rmdir {}", name.display());
        self.call(&words, Effect::Change, |state| state.disk.remove(self.number, name, true))
    }
}

impl OwnFile for Opened {
    fn read_at(&self, bytes: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        self.call("read", Effect::None, |state| {
            let seen = state.disk.bytes(self.number)?;
            let from = (offset_bytes as usize).min(seen.len());
            let len = bytes.len().min(seen.len() - from);
            bytes[..len].copy_from_slice(&seen[from..from + len]);
            Ok(len)
        })
    }

    fn write_all_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
        self.call("write", Effect::Change, |state| {
            state.disk.write(self.number, offset_bytes as usize, bytes)
        })
    }

    fn set_len(&self, len_bytes: u64) -> io::Result<()> {
        self.call("set length", Effect::Change, |state| state.disk.set_len(self.number, len_bytes as usize))
    }

    fn resemble(&self, other: &Facts) -> io::Result<bool> {
        self.call("mode", Effect::Change, |state| {
            state.disk.set_mode(self.number, other.mode);
            Ok(true)
        })
    }
}
