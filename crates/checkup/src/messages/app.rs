//! What became of an application, as messages for people.

use cardiograph_apps::{AppError, LOADS};

use super::{advice, without_number};

/// Why an application could not go on: what, where, why, and what to do.
pub fn app_failure(error: &AppError) -> String {
    match error {
        AppError::Io { action, path, source } => {
            let advice = source.raw_os_error().map_or("", advice);
            format!("cannot {action} {}: {}{advice}", path.display(), without_number(source))
        }
        AppError::Database { is_full: true, .. } => format!("{error}; the file system is full: make room"),
        AppError::NoSuchLoad { .. } => {
            let names: Vec<&str> = LOADS.iter().map(|load| load.name).collect();
            format!("{error}; there are: {}", names.join(", "))
        }
        AppError::Content { .. } => format!(
            "{error}: the drive lost or changed what it was to keep; --suite capacity looks for what is wrong with it"
        ),
        AppError::Parameter { .. } | AppError::Database { .. } | AppError::Lost => error.to_string(),
    }
}

/// A test directory that could not be removed.
pub fn app_stays(error: &AppError) -> String {
    format!("{}; the next checkup here removes what is left, or remove it by hand", app_failure(error))
}
