//! Shared test helpers: skipping with a reason shown at the end of the run, directories on a real disk,
//! separate file systems, drive models, a team's server, and sample Reports.
#![forbid(unsafe_code)]

pub mod control_group;
pub mod drives;
pub mod golden;
pub mod postgres;
pub mod reports;
pub mod team;

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The list of skipped tests. `cargo test` is the parent of all its test programs, so its process id
/// identifies this run; the last test program of the workspace (`xtask/tests/zz_skipped.rs`) shows the list.
pub fn skip_list() -> PathBuf {
    skip_list_of(rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get() as u32))
}

/// The list of tests skipped under the cargo with this process id.
pub fn skip_list_of(cargo: u32) -> PathBuf {
    std::env::temp_dir().join(format!("cardiograph-skipped-{cargo}"))
}

/// Shows a list of skipped tests, and removes it.
pub fn show_skipped(list: &Path) {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    let skipped: BTreeSet<&str> = text.lines().collect();
    println!("\n{} tests skipped{}", skipped.len(), if skipped.is_empty() { "" } else { ":" });
    skipped.iter().for_each(|line| println!("  {line}"));
    println!();
    let _ = std::fs::remove_file(list);
}

/// Records that `what` was not tested here, and why.
pub fn skip(what: &str, reason: &str) {
    let line = format!("{what}: {reason}\n");
    let list = OpenOptions::new().create(true).append(true).open(skip_list());
    // One write of a short line: lines of parallel test programs do not mix.
    if let Err(error) = list.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("skipped {what}: {reason} (and could not be noted: {error})");
    }
}

/// How much of a long proof to run: a part, or all if `CARDIOGRAPH_TEST_ALL` is set, as by `cargo xtask soak
/// tests`.
pub fn part_or_all<T>(part: T, all: T) -> T {
    if std::env::var_os("CARDIOGRAPH_TEST_ALL").is_some() { all } else { part }
}

/// Creates an executable file. A separate process writes it: while ours has it open, any process started by
/// another test inherits it for a moment, and the kernel does not execute a file open for writing.
///
/// # Panics
/// When it cannot be written.
pub fn write_program(path: &Path, content: &[u8]) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut child = shell.spawn().expect("there is a shell");
    child.stdin.take().expect("it is a pipe").write_all(content).expect("the shell reads all");
    assert!(child.wait().expect("it is our child").success(), "{} cannot be written", path.display());
}

/// The umask.
///
/// # Panics
/// Where Linux does not report it.
pub fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux shows each process");
    let umask = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    u32::from_str_radix(umask.expect("its umask is shown").trim(), 8).expect("it is octal")
}

/// A directory on the disk of the build, which supports O_DIRECT where `/tmp` may not; if that path has
/// blanks, in `/var/tmp`: many tests split command lines at blanks.
///
/// # Panics
/// When it cannot be created.
pub fn disk_dir() -> tempfile::TempDir {
    let program = std::env::current_exe().expect("a test program has a path");
    let directory = program.parent().expect("it lies in a directory");
    let has_blanks = directory.to_string_lossy().contains(char::is_whitespace);
    let directory = if has_blanks { Path::new("/var/tmp") } else { directory };
    tempfile::tempdir_in(directory).expect("the build directory, or /var/tmp, is writable")
}

/// A file system in a file, mounted. It is unmounted on drop.
#[derive(Debug)]
pub struct LoopMount {
    image: tempfile::TempDir,
    mount_point: PathBuf,
}

impl LoopMount {
    /// Creates and mounts a file system of `len_bytes` with `mkfs` (such as `mkfs.ext4`, with arguments).
    ///
    /// # Errors
    /// When that is not possible here, with the reason: no root, no loop device, no mkfs.
    pub fn new(mkfs: &[&str], len_bytes: u64, mount_options: &str) -> Result<Self, String> {
        if !rustix::process::geteuid().is_root() {
            return Err("needs root to mount a file system".to_string());
        }
        let image = disk_dir();
        let file = image.path().join("image");
        let create = std::fs::File::create(&file).and_then(|image| image.set_len(len_bytes));
        create.map_err(|error| format!("no image file: {error}"))?;
        let (program, arguments) = mkfs.split_first().ok_or("no mkfs named")?;
        run(Command::new(program).args(arguments).arg(&file))?;
        let mount_point = image.path().join("mnt");
        std::fs::create_dir(&mount_point).map_err(|error| error.to_string())?;
        let options =
            if mount_options.is_empty() { "loop".to_string() } else { format!("loop,{mount_options}") };
        run(Command::new("mount").args(["-o", &options]).arg(&file).arg(&mount_point))?;
        Ok(Self { image, mount_point })
    }

    /// Its mount point.
    pub fn path(&self) -> &Path {
        &self.mount_point
    }

    /// Free space in bytes.
    ///
    /// # Panics
    /// When it is no longer mounted.
    pub fn free_bytes(&self) -> u64 {
        let space = rustix::fs::statvfs(&self.mount_point).expect("it is mounted");
        space.f_bavail * space.f_frsize
    }

    /// Removes the file at `path` in it, and waits until its space is free: a process started by another test has the
    /// file open until it executes. Half of the space is enough: others may use it at once.
    ///
    /// # Panics
    /// When there is no such file, or its space does not become free.
    #[track_caller]
    pub fn remove(&self, path: &Path) {
        let (before_bytes, file) = (self.free_bytes(), path.metadata().expect("it is there"));
        std::fs::remove_file(path).expect("it can be removed");
        soon(|| (self.free_bytes() > before_bytes + file.blocks() * 512 / 2).then_some(()));
    }

    /// Remounts it with other options, such as `ro`.
    ///
    /// # Errors
    /// When mount refuses.
    pub fn remount(&self, options: &str) -> Result<(), String> {
        let mut mount = Command::new("mount");
        run_when_free(mount.args(["-o", &format!("remount,{options}")]).arg(&self.mount_point))
    }
}

impl Drop for LoopMount {
    fn drop(&mut self) {
        // Lazily: a test that failed may still have files open.
        let _ = run(Command::new("umount").arg("--lazy").arg(&self.mount_point));
        let _ = self.image.path();
    }
}

/// Freezes a mounted file system until dropped: writers hang in the kernel.
#[derive(Debug)]
pub struct Frozen<'a>(&'a LoopMount);

impl<'a> Frozen<'a> {
    /// Freezes it.
    ///
    /// # Errors
    /// When that is not possible here, with the reason.
    pub fn new(mount: &'a LoopMount) -> Result<Self, String> {
        run(Command::new("fsfreeze").arg("--freeze").arg(mount.path()))?;
        Ok(Self(mount))
    }
}

impl Drop for Frozen<'_> {
    fn drop(&mut self) {
        let _ = run(Command::new("fsfreeze").arg("--unfreeze").arg(self.0.path()));
    }
}

/// Runs a command.
///
/// # Errors
/// When it cannot be started or fails, with its output.
pub fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    let said = || String::from_utf8_lossy(&output.stderr).trim().to_string();
    if output.status.success() { Ok(()) } else { Err(format!("{name}: {}", said())) }
}

/// Retries `look` until it succeeds, where other activity may interfere: a released lock is held a moment
/// longer by a process that another test is starting; a busy machine distorts timings.
///
/// # Panics
/// When it never succeeds.
#[track_caller]
pub fn soon<T>(look: impl FnMut() -> Option<T>) -> T {
    look_often(look).expect("one of many looks finds it")
}

fn look_often<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    (0..250).find_map(|_| {
        look().or_else(|| {
            std::thread::sleep(Duration::from_millis(20));
            None
        })
    })
}

/// Runs a command that needs an idle file system. A process started by another test has our files open until
/// it executes, so a busy file system is retried.
///
/// # Errors
/// Its output.
pub fn run_when_free(command: &mut Command) -> Result<(), String> {
    let is_free = |done: &Result<(), String>| done.as_ref().err().is_none_or(|why| !why.contains("busy"));
    look_often(|| Some(run(command)).filter(is_free)).unwrap_or_else(|| run(command))
}
