//! Attributes of devices in sysfs.

use std::fs;
use std::path::PathBuf;

/// A one-line attribute; `None` when it is missing or empty.
pub(super) fn text(path: PathBuf) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes).trim_matches(['\0', ' ', '\n', '\t']).to_string();
    (!text.is_empty()).then_some(text)
}
