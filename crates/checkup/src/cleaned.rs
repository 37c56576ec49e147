//! What became of leftovers in a directory.

use cardiograph_core::schemars;
use std::io;
use std::path::{Path, PathBuf};

use cardiograph_files::leftovers::{self, Stays};
use cardiograph_files::{Directory, system};
use serde::{Deserialize, Serialize};

/// What became of leftovers in a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Cleaned {
    /// What was removed.
    pub removed: Vec<PathBuf>,
    /// What stays, with the reason.
    pub stays: Vec<String>,
}

impl Cleaned {
    /// Opens a directory, and lets `clean` remove what it finds there.
    pub fn of(path: &Path, clean: impl FnOnce(&dyn Directory) -> io::Result<leftovers::Cleaned>) -> Self {
        let cleaned = system().directory(path).and_then(|open| clean(open.as_ref()));
        let (removed, stays) = match cleaned {
            Ok(leftovers::Cleaned { removed, stays }) => (removed, stays),
            Err(error) => {
                let unseen = format!("whatever is in {}, which cannot be read ({error})", path.display());
                return Self { removed: Vec::new(), stays: vec![unseen] };
            }
        };
        let shown = |stays: &Stays| format!("{} ({})", path.join(&stays.path).display(), stays.reason);
        Self {
            removed: removed.iter().map(|name| path.join(name)).collect(),
            stays: stays.iter().map(shown).collect(),
        }
    }

    /// Sentences on what was found before a run.
    pub fn notes(&self) -> Vec<String> {
        let removed = self.removed.iter();
        let removed =
            removed.map(|path| format!("removed {}, left behind by a run that was killed", path.display()));
        let stays = self.stays.iter();
        let stays = stays.map(|stays| format!("not removed: {stays}; look at it and remove it by hand"));
        removed.chain(stays).collect()
    }

    /// A sentence on what is there after a run.
    pub fn sentence(&self) -> String {
        match &self.stays[..] {
            [] => "No test file was left behind.".to_string(),
            stays => format!(
                "Left behind: {}. The next run here tries to remove it again; otherwise remove it by hand.",
                stays.join(", ")
            ),
        }
    }
}
