//! The purposes that a checkup judges: the shipped ones, and the user's own.

use std::borrow::Cow;
use std::path::Path;

use cardiograph_core::message;
use cardiograph_judge::purpose::{self, Purpose, PurposeError};

use crate::failure::Failure;

/// The shipped purposes, and the user's own in a text.
///
/// # Errors
/// When the text, which `path` is named for, has no valid purposes.
pub fn all(own: Option<&str>, path: &Path) -> Result<Cow<'static, [Purpose]>, Failure> {
    purpose::with_own(own).map_err(|error| invalid(path, error))
}

fn invalid(path: &Path, error: PurposeError) -> Failure {
    let PurposeError { line, column, problem } = error;
    Failure::usage(message!("purpose-file", path, line, column, problem))
}
