//! Control groups of the kernel.

use std::path::{Path, PathBuf};

/// A new, empty control group, removed on drop.
#[derive(Debug)]
pub struct ControlGroup {
    path: PathBuf,
}

impl ControlGroup {
    /// Creates one in the first of `places` (directories below /sys/fs/cgroup) where groups have the given
    /// file. Returns the index used.
    ///
    /// # Errors
    /// Why there is none.
    ///
    /// # Panics
    /// Where one that was created cannot be removed.
    pub fn new(places: &[(&str, &str)]) -> Result<(Self, usize), String> {
        let mut why = "no control group here does this".to_string();
        for (nth, (place, file)) in places.iter().enumerate() {
            let name = format!("cardiograph-test-{}-{file}", std::process::id());
            let group = Self { path: Path::new("/sys/fs/cgroup").join(place).join(name) };
            match std::fs::create_dir(&group.path) {
                Ok(()) if group.path.join(file).exists() => return Ok((group, nth)),
                Ok(()) => {}
                Err(error) => why = format!("{}: {error}", group.path.display()),
            }
        }
        Err(why)
    }

    /// Moves processes into the group.
    ///
    /// # Panics
    /// When the kernel refuses.
    pub fn take_in(&self, processes: &[u32]) {
        processes.iter().for_each(|process| self.write("cgroup.procs", &process.to_string()));
    }

    /// Writes one of its files.
    ///
    /// # Panics
    /// When the kernel refuses.
    pub fn write(&self, file: &str, text: &str) {
        std::fs::write(self.path.join(file), text).unwrap();
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.path);
    }
}
