//! `cargo xtask traces DIRECTORY`: records the I/O of loads on a drive, for simulated drives.
//!
//! Each load runs under strace in DIRECTORY, which must be on a drive. strace shows calls; the resulting I/O
//! of the drive is computed here: written pages stay in memory until their file is synced, and are then
//! written in runs of up to 1 MiB; pages are read up to 128 KiB at a time, like the kernel's default
//! read-ahead.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::workspace;

const PAGE_BYTES: u64 = 4_096;
/// Maximum number of pages written together.
const WRITE_PAGES_MAX: u64 = 256;
/// Maximum number of pages read together.
const READ_PAGES_MAX: u64 = 32;
const CALLS: &str = "trace=openat,write,pwrite64,read,pread64,fsync,fdatasync,rename,statx";
/// Loads, with the limits of written bytes and seconds while they are recorded: just enough for everything
/// that repeats.
const LOADS: &[(&str, u64, u64)] = &[
    // The log is checkpointed into the database every 1,000 pages.
    ("sqlite-wal", 26 << 20, 600),
    ("sqlite-rollback", 19 << 20, 600),
    ("log-fsync", 100 * PAGE_BYTES, 600),
    ("unpack", 5 << 20, 600),
    ("photos", 64_000_000, 600),
    ("cameras", 20_000_000, 60),
];

/// Records one load, or all.
pub fn run(directory: &str, only: Option<&str>) -> Result<ExitCode, String> {
    let chosen = || LOADS.iter().filter(|(load, ..)| only.is_none_or(|only| only == *load));
    if chosen().next().is_none() {
        let known: Vec<&str> = LOADS.iter().map(|(load, ..)| *load).collect();
        return Err(format!("unknown load {}; choose from {}", only.unwrap_or_default(), known.join(", ")));
    }
    let mut build = workspace::cargo();
    build.args(["build", "--package", "cardiograph-apps", "--example", "record"]);
    let built = build.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !built.success() {
        return Err("building the recorder failed".to_string());
    }
    let target = workspace::target_directory()?;
    let program = target.join("debug/examples/record");
    let calls = target.join("traces.strace");
    for &(load, bytes, seconds) in chosen() {
        println!("{load}");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-y", "-s", "0", "-e", CALLS, "-o"]).arg(&calls).arg(&program);
        strace.args([load, directory, &bytes.to_string(), &seconds.to_string()]);
        let library = workspace::stdout_of(&mut strace)?;
        let text =
            std::fs::read_to_string(&calls).map_err(|error| format!("{}: {error}", calls.display()))?;
        let trace = format!("{}{}", header(load, library.trim()), Recorder::default().trace(&text)?);
        let path = workspace::root().join(format!("crates/apps/traces/{load}.trace"));
        write(&path, &trace)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn header(load: &str, library: &str) -> String {
    let by = if library.is_empty() { String::new() } else { format!(" with {library}") };
    format!("# What the load {load} asked of a drive{by}. Recorded by: cargo xtask traces DIRECTORY\n")
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Computes the I/O of a drive.
#[derive(Default)]
struct Recorder {
    /// Numbers of files by their path.
    files: HashMap<String, usize>,
    /// Current position of each descriptor, and length of each file.
    positions: HashMap<String, u64>,
    lens: HashMap<usize, u64>,
    dirty: HashMap<usize, BTreeSet<u64>>,
    read: HashMap<usize, BTreeSet<u64>>,
    is_in_part: bool,
    /// Whether the part's reads miss the page cache. A writing part's reads hit it.
    asks_for_pages: bool,
    out: String,
}

impl Recorder {
    fn trace(mut self, calls: &str) -> Result<String, String> {
        for line in calls.lines() {
            self.call(line).ok_or_else(|| format!("unexpected line of strace: {line}"))?;
        }
        Ok(self.out)
    }

    /// Processes a line of strace; `None` if it is invalid.
    fn call(&mut self, line: &str) -> Option<()> {
        if let Some((_, mark)) = line.split_once("\"/cardiograph-mark/") {
            return self.mark(mark.split('"').next()?);
        }
        if !line.contains("/.cardiograph-") || line.contains(" = -1 ") {
            return Some(());
        }
        let (before, after) = line.split_once('(')?;
        let name = before.split_whitespace().last()?;
        let (inside, result) = after.rsplit_once(") = ")?;
        match name {
            "openat" => {
                let (descriptor, path) = descriptor(result)?;
                let file = self.file(path);
                let is_append = inside.contains("O_APPEND");
                let at = if is_append { self.lens.get(&file).copied().unwrap_or(0) } else { 0 };
                self.positions.insert(descriptor.to_string(), at);
            }
            "rename" => {
                let mut paths = inside.split('"').skip(1).step_by(2);
                let (from, to) = (paths.next()?, paths.next()?);
                let file = self.file(from);
                self.files.remove(from);
                self.files.insert(to.to_string(), file);
            }
            "fsync" | "fdatasync" => {
                let file = self.file(descriptor(inside)?.1);
                self.sync(file, if name == "fsync" { 's' } else { 'd' });
            }
            "write" | "read" | "pwrite64" | "pread64" => {
                let (descriptor, path) = descriptor(inside)?;
                let file = self.file(path);
                let len_bytes: u64 = result.split_whitespace().next()?.parse().ok()?;
                let at = match name {
                    "pwrite64" | "pread64" => inside.rsplit(", ").next()?.parse().ok()?,
                    _ => {
                        let position = self.positions.entry(descriptor.to_string()).or_default();
                        *position += len_bytes;
                        *position - len_bytes
                    }
                };
                self.touch(file, at, len_bytes, name.contains("write"));
            }
            _ => {}
        }
        Some(())
    }

    fn file(&mut self, path: &str) -> usize {
        let next = self.lens.len();
        let file = *self.files.entry(path.to_string()).or_insert(next);
        self.lens.entry(file).or_default();
        file
    }

    fn touch(&mut self, file: usize, at: u64, len_bytes: u64, writes: bool) {
        if len_bytes == 0 || !(writes || self.asks_for_pages) {
            return;
        }
        let end = at + len_bytes;
        let len = self.lens.entry(file).or_default();
        *len = end.max(*len);
        let pages = if writes { &mut self.dirty } else { &mut self.read };
        pages.entry(file).or_default().extend(at / PAGE_BYTES..end.div_ceil(PAGE_BYTES));
    }

    fn sync(&mut self, file: usize, letter: char) {
        let pages = self.dirty.remove(&file).unwrap_or_default();
        if self.is_in_part {
            self.runs('w', file, &pages, WRITE_PAGES_MAX);
            self.out += &format!("{letter} {file}\n");
        }
    }

    fn runs(&mut self, letter: char, file: usize, pages: &BTreeSet<u64>, pages_max: u64) {
        let mut run: Option<(u64, u64)> = None;
        let mut runs = Vec::new();
        for &page in pages {
            match &mut run {
                Some((first, count)) if *first + *count == page && *count < pages_max => *count += 1,
                _ => runs.extend(run.replace((page, 1))),
            }
        }
        runs.extend(run);
        runs.iter().for_each(|(first, count)| self.out += &format!("{letter} {file} {first} {count}\n"));
    }

    fn mark(&mut self, mark: &str) -> Option<()> {
        let words: Vec<&str> = mark.split('/').collect();
        match words.as_slice() {
            ["begin", id, operation, direction] => {
                (self.is_in_part, self.asks_for_pages) = (true, *direction == "read");
                self.out += &format!("part {id} {operation} {direction}\n");
            }
            ["done", bytes] => {
                let read: Vec<_> = self.read.drain().collect();
                read.iter().for_each(|(file, pages)| self.runs('r', *file, pages, READ_PAGES_MAX));
                self.out += &format!("o {bytes}\n");
            }
            ["end"] => self.is_in_part = false,
            _ => return None,
        }
        Some(())
    }
}

/// The descriptor and the path in `5</path>`.
fn descriptor(text: &str) -> Option<(&str, &str)> {
    let (descriptor, rest) = text.split_once('<')?;
    Some((descriptor, rest.split('>').next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_io_of_a_drive_follows_from_the_calls() {
        let calls = "\
7 openat(AT_FDCWD</tmp>, \"/t/.cardiograph-1.dir/a\", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 5</t/.cardiograph-1.dir/a>
7 write(5</t/.cardiograph-1.dir/a>, \"\"..., 5000) = 5000
7 fdatasync(5</t/.cardiograph-1.dir/a>) = 0
7 statx(AT_FDCWD, \"/cardiograph-mark/begin/commits/commit/write\", AT_SYMLINK_NOFOLLOW, STATX_ALL, 0x7) = -1 ENOENT (No such)
7 write(5</t/.cardiograph-1.dir/a>, \"\"..., 100) = 100
7 pwrite64(5</t/.cardiograph-1.dir/a>, \"\"..., 4096, 40960) = 4096
7 pread64(5</t/.cardiograph-1.dir/a>, \"\"..., 16, 0) = 16
7 fdatasync(5</t/.cardiograph-1.dir/a>) = 0
7 rename(\"/t/.cardiograph-1.dir/a\", \"/t/.cardiograph-1.dir/b\") = 0
7 fsync(6</t/.cardiograph-1.dir/b>) = 0
7 write(1</dev/pts/0>, \"\"..., 16) = 16
7 statx(AT_FDCWD, \"/cardiograph-mark/done/140\", AT_SYMLINK_NOFOLLOW, STATX_ALL, 0x7) = -1 ENOENT (No such)
7 statx(AT_FDCWD, \"/cardiograph-mark/end\", AT_SYMLINK_NOFOLLOW, STATX_ALL, 0x7) = -1 ENOENT (No such)
7 pwrite64(5</t/.cardiograph-1.dir/a>, \"\"..., 4096, 0) = 4096
7 statx(AT_FDCWD, \"/cardiograph-mark/begin/read/file/read\", AT_SYMLINK_NOFOLLOW, STATX_ALL, 0x7) = -1 ENOENT (No such)
7 openat(AT_FDCWD</tmp>, \"/t/.cardiograph-1.dir/b\", O_RDONLY|O_CLOEXEC) = 6</t/.cardiograph-1.dir/b>
7 read(6</t/.cardiograph-1.dir/b>, \"\"..., 8192) = 5000
7 read(6</t/.cardiograph-1.dir/b>, \"\"..., 8192) = 0
7 statx(AT_FDCWD, \"/cardiograph-mark/done/5000\", AT_SYMLINK_NOFOLLOW, STATX_ALL, 0x7) = -1 ENOENT (No such)
";
        let expected = "\
part commits commit write
w 0 1 1
w 0 10 1
d 0
s 0
o 140
part read file read
r 0 0 2
o 5000
";
        let trace = Recorder::default().trace(calls).unwrap();
        assert_eq!(trace, expected);
        assert!(Recorder::default().trace("7 write(5</t/.cardiograph-1.dir/a\n").is_err());
    }
}
