//! Result of cleaning up leftovers in a directory.

use cardiograph_core::{Message, Parameter, message, schemars};
use std::io;
use std::path::{Path, PathBuf};

use cardiograph_files::leftovers::{self, NotRemoved};
use cardiograph_files::{Directory, system};
use serde::{Deserialize, Serialize};

/// Result of cleaning up leftovers in a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Cleaned {
    /// What was removed.
    pub removed: Vec<PathBuf>,
    /// What remains, with the reason, as phrases.
    pub stays: Vec<Message>,
}

impl Cleaned {
    /// Opens a directory, and lets `clean` remove leftovers there.
    pub fn clean_up(
        path: &Path,
        clean: impl FnOnce(&dyn Directory) -> io::Result<leftovers::Cleaned>,
    ) -> Self {
        let cleaned = system().directory(path).and_then(|open| clean(open.as_ref()));
        let (removed, stays) = match cleaned {
            Ok(leftovers::Cleaned { removed, stays }) => (removed, stays),
            Err(error) => {
                let unseen = message!("cleaned-stays.unseen", path, reason = &error);
                return Self { removed: Vec::new(), stays: vec![unseen] };
            }
        };
        let shown = |left: &NotRemoved| {
            message!("cleaned-stays", path = &path.join(&left.path), reason = &left.reason)
        };
        Self {
            removed: removed.iter().map(|name| path.join(name)).collect(),
            stays: stays.iter().map(shown).collect(),
        }
    }

    /// Sentences about leftovers found before a run.
    pub fn notes(&self) -> Vec<Message> {
        let removed = self.removed.iter().map(|path| message!("cleaned-removed", path));
        let stays = self.stays.iter().map(|left| message!("cleaned-by-hand", stays = left.clone()));
        removed.chain(stays).collect()
    }

    /// A sentence about leftovers after a run.
    pub fn sentence(&self) -> Message {
        match &self.stays[..] {
            [] => message!("cleaned-all"),
            stays => message!("cleaned-left", stays = Parameter::all(stays.iter().cloned())),
        }
    }
}
