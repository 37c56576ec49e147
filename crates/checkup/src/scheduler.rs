//! I/O schedulers of the drives, changed for some steps and always restored.
//!
//! The setting outlives a process. So a separate process restores it: a shell waits for the end of its input,
//! which comes when the checkup closes it or is killed. A reboot resets the setting.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use cardiograph_core::drive::Drive;
use cardiograph_core::system_error::explained;
use cardiograph_core::{Parameter, Plan, message};
use cardiograph_drive::System;

use crate::failure::Failure;

/// Sysfs directory of the drives.
const BLOCK: &str = "/sys/block";
/// Waits for the end of its input, then writes each second argument into the file named by the one before.
const RESTORE_SCRIPT: &str =
    "cat > /dev/null; while [ $# -gt 1 ]; do printf %s \"$2\" > \"$1\"; shift 2; done";

/// A drive's scheduler file, and its value when the checkup began.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SchedulerFile {
    path: PathBuf,
    was: String,
}

/// The schedulers of the drives below a checkup.
#[derive(Debug, Default)]
pub struct Schedulers {
    files: Vec<SchedulerFile>,
    /// Restores them; started at the first change.
    keeper: Option<Child>,
    /// The value set by us.
    set: Option<String>,
}

impl Schedulers {
    /// Checks that the drives support the schedulers `wanted`. Changes nothing.
    ///
    /// # Errors
    /// When a drive does not support one, or the setting cannot be written.
    pub fn for_drive(drive: &Drive, wanted: &[String]) -> Result<Self, Failure> {
        if wanted.is_empty() {
            return Ok(Self::default());
        }
        let paths = drive.leaves.iter().map(|leaf| Path::new(BLOCK).join(&leaf.name).join("queue/scheduler"));
        Self::for_paths(paths, wanted, "scheduler")
    }

    /// `option` is the user's setting.
    fn for_paths(
        paths: impl Iterator<Item = PathBuf>,
        wanted: &[String],
        option: &str,
    ) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Failure::usage(message!("scheduler-not-read", path = &path, error)))?;
            let (known, was) = choices(&text);
            if let Some(other) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
                let known = Parameter::all(known);
                return Err(Failure::usage(message!("scheduler-unknown", path = &path, name = other, known)));
            }
            let open = std::fs::OpenOptions::new().write(true).open(&path);
            open.map_err(|error| {
                let (path, error) = (Parameter::from(&path), Parameter::from(error));
                Failure::usage(message!("scheduler-needs-root", path, error, option))
            })?;
            files.push(SchedulerFile { path, was: was.to_string() });
        }
        match files.is_empty() {
            true => Err(Failure::usage(message!("scheduler-no-drive", option))),
            false => Ok(Self { files, keeper: None, set: None }),
        }
    }

    /// Sets the drives' scheduler; `None` restores it.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn set(&mut self, name: Option<&str>) -> Result<(), Failure> {
        if self.set.as_deref() == name {
            return Ok(());
        }
        let failed =
            |path: &Path, error: &io::Error| Failure::io(message!("scheduler-not-changed", path, error));
        if self.keeper.is_none() {
            self.keeper = Some(keeper(&self.files).map_err(|error| failed(Path::new("/bin/sh"), &error))?);
        }
        for file in &self.files {
            let name = name.unwrap_or(&file.was);
            let is = std::fs::write(&file.path, name).and_then(|()| std::fs::read_to_string(&file.path));
            let is = is.map_err(|error| failed(&file.path, &error))?;
            if choices(&is).1 != name && is.trim() != name {
                let other = message!("scheduler-other", is = choices(&is).1, wanted = name);
                let error = explained(io::ErrorKind::Other, other);
                return Err(failed(&file.path, &error));
            }
        }
        self.set = name.map(str::to_string);
        Ok(())
    }
}

impl Drop for Schedulers {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            // Its input ends here. It writes to a drive that may hang, and continues after this process has
            // ended.
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
    }
}

/// The schedulers that jobs ask for, by name.
#[derive(Debug, Default)]
pub struct JobSchedulers(Vec<(String, Schedulers)>);

impl JobSchedulers {
    /// Checks that the drives of a Plan's files support the schedulers of its jobs. Changes nothing.
    ///
    /// # Errors
    /// As [`Schedulers::for_drive`], and when jobs ask for two schedulers of a drive, which can only have one at a
    /// time.
    pub fn for_plan(plan: &Plan) -> Result<Self, Failure> {
        let mut wanted: BTreeMap<PathBuf, &str> = BTreeMap::new();
        for job in &plan.jobs {
            let Some(name) = &job.workload.io_scheduler else { continue };
            for file in job.files().filter_map(|file| plan.targets.get(file.target)) {
                let paths = paths_under(Path::new(file));
                if paths.is_empty() {
                    return Err(Failure::usage(message!("scheduler-no-drive-under", name, file)));
                }
                for path in paths {
                    let other = wanted.insert(path.clone(), name).filter(|other| other != name);
                    if let Some(other) = other {
                        return Err(Failure::usage(message!(
                            "scheduler-conflict",
                            name,
                            other,
                            path = &path
                        )));
                    }
                }
            }
        }
        let mut by_name: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
        wanted.into_iter().for_each(|(path, name)| by_name.entry(name).or_default().push(path));
        let checked = by_name.into_iter().map(|(name, paths)| {
            let name = name.to_string();
            let schedulers =
                Schedulers::for_paths(paths.into_iter(), std::slice::from_ref(&name), "ioscheduler")?;
            Ok((name, schedulers))
        });
        checked.collect::<Result<_, _>>().map(Self)
    }

    /// Sets them, until this is dropped or the program ends.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn set(&mut self) -> Result<(), Failure> {
        self.0.iter_mut().try_for_each(|(name, schedulers)| schedulers.set(Some(name)))
    }
}

/// The scheduler files for a path that may not exist yet: of its device, else of the drives below, as for an
/// overlay.
fn paths_under(path: &Path) -> Vec<PathBuf> {
    let there = |path: &&Path| path.exists();
    let Some(path) =
        path.ancestors().chain([Path::new(".")]).filter(|path| !path.as_os_str().is_empty()).find(there)
    else {
        return Vec::new();
    };
    let Ok(found) = std::fs::metadata(path) else { return Vec::new() };
    let number = if found.file_type().is_block_device() { found.rdev() } else { found.dev() };
    let device = format!("/sys/dev/block/{}:{}", rustix::fs::major(number), rustix::fs::minor(number));
    if let Ok(device) = std::fs::canonicalize(device) {
        // A partition has the scheduler of its disk.
        let paths = device.ancestors().take(2).map(|device| device.join("queue/scheduler"));
        return paths.filter(|path| path.exists()).take(1).collect();
    }
    let leaves = System::local().identify_named(path).map(|drive| drive.leaves).unwrap_or_default();
    leaves.iter().map(|leaf| Path::new(BLOCK).join(&leaf.name).join("queue/scheduler")).collect()
}

/// The process that restores them.
fn keeper(files: &[SchedulerFile]) -> io::Result<Child> {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(RESTORE_SCRIPT).arg("sh");
    for file in files {
        command.arg(&file.path).arg(&file.was);
    }
    // In a new process group: signals typed at the terminal to end the checkup must not reach it.
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// The choices, and the current one, which the kernel puts in brackets.
fn choices(text: &str) -> (Vec<&str>, &str) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let chosen = words.iter().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    let known = words.iter().map(|word| word.trim_start_matches('[').trim_end_matches(']')).collect();
    (known, chosen.unwrap_or("none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drive(text: &str) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("scheduler");
        std::fs::write(&path, text).unwrap();
        (directory, path)
    }

    #[test]
    fn schedulers_are_restored() {
        let (_directory, path) = drive("none [mq-deadline] bfq\n");
        let wanted = ["none".to_string(), "bfq".to_string()];
        let mut schedulers = Schedulers::for_paths([path.clone()].into_iter(), &wanted, "scheduler").unwrap();
        for name in ["none", "bfq"] {
            schedulers.set(Some(name)).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), name);
        }
        drop(schedulers);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mq-deadline");
    }

    #[test]
    fn schedulers_are_restored_after_a_kill() {
        let (_directory, path) = drive("[none] kyber\n");
        let mut schedulers =
            Schedulers::for_paths([path.clone()].into_iter(), &["kyber".to_string()], "scheduler").unwrap();
        schedulers.set(Some("kyber")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kyber");
        // A killed process closes its pipes and does nothing else.
        let mut keeper = schedulers.keeper.take().unwrap();
        drop(keeper.stdin.take());
        keeper.wait().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "none");
    }

    #[test]
    fn unavailable_schedulers_are_reported_in_advance() {
        let (directory, path) = drive("[none] mq-deadline\n");
        let refused = |path: PathBuf, name: &str| {
            Schedulers::for_paths([path].into_iter(), &[name.to_string()], "scheduler").unwrap_err().message
        };
        let known = Parameter::all(["none", "mq-deadline"]);
        let unknown = message!("scheduler-unknown", path = &path, name = "bfq", known);
        assert_eq!(refused(path, "bfq"), unknown);
        let nothing = directory.path().join("nothing");
        let error = Parameter::OsError(cardiograph_core::errno::ENOENT);
        let unread = message!("scheduler-not-read", path = &nothing, error);
        assert_eq!(refused(nothing, "none"), unread);
        let none = Schedulers::for_paths(std::iter::empty(), &["none".to_string()], "scheduler").unwrap_err();
        assert_eq!(none.message, message!("scheduler-no-drive", option = "scheduler"));
    }
}
