//! Golden files.

use std::fs;
use std::path::Path;

/// Compares `text` with the file `name` in `tests/golden` of the crate in `directory`. With `UPDATE_GOLDEN=1`
/// in the environment the file is written instead: look at the difference before you commit it.
///
/// # Panics
/// When they differ.
pub fn check_in(directory: &str, name: &str, text: &str) {
    let path = Path::new(directory).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == expected,
        "{} differs; UPDATE_GOLDEN=1 updates it. The new text is:\n{text}",
        path.display()
    );
}

/// The same for the calling crate.
#[macro_export]
macro_rules! check_golden {
    ($name:expr, $text:expr $(,)?) => {
        $crate::golden::check_in(env!("CARGO_MANIFEST_DIR"), $name, $text)
    };
}
