//! Errors of applications, as Messages for people.

use cardiograph_apps::AppError;
use cardiograph_core::{Message, message};

use super::{advised, with_advice};

/// Why an application could not continue: what, where, why, and what to do.
pub fn app_failure(error: &AppError) -> Message {
    match error {
        AppError::Io { source, .. } => advised(error.message(), source.raw_os_error().unwrap_or(0)),
        AppError::Database { is_full: true, .. } => {
            with_advice(error.message(), Some(message!("advice.full")))
        }
        _ => error.message(),
    }
}

/// A test directory that could not be removed.
pub fn app_directory_remains(error: &AppError) -> Message {
    message!("app-stays", error = app_failure(error))
}
