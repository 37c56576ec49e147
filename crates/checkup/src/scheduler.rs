//! The I/O scheduler of the drives, changed for some steps and put back whatever happens.
//!
//! The setting outlives a process. So the one that puts it back is another process than the one that measures: a shell that
//! waits for the end of its input, which comes when the checkup closes it, and also when the checkup is killed. A restart
//! of the machine forgets the setting by itself.

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

/// Where the kernel shows the drives.
const BLOCK: &str = "/sys/block";
/// Waits for the end of its input, then writes each second word into the file that the word before it names.
const PUT_BACK: &str = "cat > /dev/null; while [ $# -gt 1 ]; do printf %s \"$2\" > \"$1\"; shift 2; done";

/// A drive's file of the scheduler, and what was set when the checkup began.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    path: PathBuf,
    was: String,
}

/// The schedulers of the drives below a checkup.
#[derive(Debug, Default)]
pub struct Schedulers {
    places: Vec<Place>,
    /// Who puts them back; there once something was changed.
    keeper: Option<Child>,
    /// What is set now, by us.
    set: Option<String>,
}

impl Schedulers {
    /// Makes sure that the drives can be given the schedulers `wanted`. Changes nothing.
    ///
    /// # Errors
    /// Where a drive does not know one, or the setting cannot be written.
    pub fn of(drive: &Drive, wanted: &[String]) -> Result<Self, Failure> {
        if wanted.is_empty() {
            return Ok(Self::default());
        }
        let paths = drive.leaves.iter().map(|leaf| Path::new(BLOCK).join(&leaf.name).join("queue/scheduler"));
        Self::at(paths, wanted, "scheduler")
    }

    /// `option` is what the user has set.
    fn at(paths: impl Iterator<Item = PathBuf>, wanted: &[String], option: &str) -> Result<Self, Failure> {
        let mut places = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|error| {
                Failure::usage(message!("scheduler-not-read", path = &path, error = error))
            })?;
            let (known, was) = choices(&text);
            if let Some(other) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
                let known = Parameter::all(known);
                return Err(Failure::usage(message!(
                    "scheduler-unknown",
                    path = &path,
                    name = other,
                    known = known
                )));
            }
            let open = std::fs::OpenOptions::new().write(true).open(&path);
            open.map_err(|error| {
                let (path, error) = (Parameter::from(&path), Parameter::from(error));
                Failure::usage(message!("scheduler-needs-root", path = path, error = error, option = option))
            })?;
            places.push(Place { path, was: was.to_string() });
        }
        match places.is_empty() {
            true => Err(Failure::usage(message!("scheduler-no-drive", option = option))),
            false => Ok(Self { places, keeper: None, set: None }),
        }
    }

    /// Gives the drives a scheduler; `None`: the one that they had.
    ///
    /// # Errors
    /// Where the kernel refuses.
    pub fn set(&mut self, name: Option<&str>) -> Result<(), Failure> {
        if self.set.as_deref() == name {
            return Ok(());
        }
        let failed = |path: &Path, error: &io::Error| {
            Failure::io(message!("scheduler-not-changed", path = path, error = error))
        };
        if self.keeper.is_none() {
            self.keeper = Some(keeper(&self.places).map_err(|error| failed(Path::new("/bin/sh"), &error))?);
        }
        for place in &self.places {
            let name = name.unwrap_or(&place.was);
            let is = std::fs::write(&place.path, name).and_then(|()| std::fs::read_to_string(&place.path));
            let is = is.map_err(|error| failed(&place.path, &error))?;
            if choices(&is).1 != name && is.trim() != name {
                let other = message!("scheduler-other", is = choices(&is).1, wanted = name);
                let error = explained(io::ErrorKind::Other, other);
                return Err(failed(&place.path, &error));
            }
        }
        self.set = name.map(str::to_string);
        Ok(())
    }
}

impl Drop for Schedulers {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            // Its input ends here. It writes to a drive that may hang, and goes on by itself when this process has ended.
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
    }
}

/// The schedulers that jobs ask for, by name.
#[derive(Debug, Default)]
pub struct JobSchedulers(Vec<(String, Schedulers)>);

impl JobSchedulers {
    /// Makes sure that the drives under the files of a Plan can have the schedulers that its jobs ask for. Changes nothing.
    ///
    /// # Errors
    /// As [`Schedulers::of`], and where jobs ask for two schedulers of a drive: it has one at a time, which holds for all that
    /// is done with it.
    pub fn of(plan: &Plan) -> Result<Self, Failure> {
        let mut wanted: BTreeMap<PathBuf, &str> = BTreeMap::new();
        for job in &plan.jobs {
            let Some(name) = &job.workload.io_scheduler else { continue };
            for file in job.files().filter_map(|file| plan.targets.get(file.target)) {
                let paths = paths_under(Path::new(file));
                if paths.is_empty() {
                    return Err(Failure::usage(message!(
                        "scheduler-no-drive-under",
                        name = name,
                        file = file
                    )));
                }
                for path in paths {
                    let other = wanted.insert(path.clone(), name).filter(|other| other != name);
                    if let Some(other) = other {
                        return Err(Failure::usage(message!(
                            "scheduler-conflict",
                            name = name,
                            other = other,
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
            let schedulers = Schedulers::at(paths.into_iter(), std::slice::from_ref(&name), "ioscheduler")?;
            Ok((name, schedulers))
        });
        checked.collect::<Result<_, _>>().map(Self)
    }

    /// Sets them, until this is dropped or the program ends.
    ///
    /// # Errors
    /// Where the kernel refuses.
    pub fn set(&mut self) -> Result<(), Failure> {
        self.0.iter_mut().try_for_each(|(name, schedulers)| schedulers.set(Some(name)))
    }
}

/// The files of the schedulers under a path that may not be there yet: of the device that it is or lies on, else of the drives
/// below, as under an overlay.
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

/// The process that puts back what was.
fn keeper(places: &[Place]) -> io::Result<Child> {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(PUT_BACK).arg("sh");
    for place in places {
        command.arg(&place.path).arg(&place.was);
    }
    // In a group of its own: what is typed at the terminal to end the checkup is not for it.
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// What can be chosen, and what is: the kernel puts that into brackets.
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
    fn what_was_chosen_is_put_back() {
        let (_directory, path) = drive("none [mq-deadline] bfq\n");
        let wanted = ["none".to_string(), "bfq".to_string()];
        let mut schedulers = Schedulers::at([path.clone()].into_iter(), &wanted, "scheduler").unwrap();
        for name in ["none", "bfq"] {
            schedulers.set(Some(name)).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), name);
        }
        drop(schedulers);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mq-deadline");
    }

    #[test]
    fn what_was_chosen_is_put_back_after_a_kill() {
        let (_directory, path) = drive("[none] kyber\n");
        let mut schedulers =
            Schedulers::at([path.clone()].into_iter(), &["kyber".to_string()], "scheduler").unwrap();
        schedulers.set(Some("kyber")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kyber");
        // A process that is killed closes its pipes and does nothing else.
        let mut keeper = schedulers.keeper.take().unwrap();
        drop(keeper.stdin.take());
        keeper.wait().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "none");
    }

    #[test]
    fn what_cannot_be_set_is_told_beforehand() {
        let (directory, path) = drive("[none] mq-deadline\n");
        let refused = |path: PathBuf, name: &str| {
            Schedulers::at([path].into_iter(), &[name.to_string()], "scheduler").unwrap_err().message
        };
        let known = Parameter::all(["none", "mq-deadline"]);
        let unknown = message!("scheduler-unknown", path = &path, name = "bfq", known = known);
        assert_eq!(refused(path, "bfq"), unknown);
        let nothing = directory.path().join("nothing");
        let error = Parameter::OsError(cardiograph_core::errno::ENOENT);
        let unread = message!("scheduler-not-read", path = &nothing, error = error);
        assert_eq!(refused(nothing, "none"), unread);
        let none = Schedulers::at(std::iter::empty(), &["none".to_string()], "scheduler").unwrap_err();
        assert_eq!(none.message, message!("scheduler-no-drive", option = "scheduler"));
    }
}
