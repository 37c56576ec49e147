//! The user's own purposes: `--purposes FILE`.

use std::borrow::Cow;
use std::path::Path;

use cardiograph_core::metric::Metric;
use cardiograph_core::{Parameter, message};
use cardiograph_files::input;
use cardiograph_fio::nearest::nearest;
use cardiograph_judge::purpose::{self, Problem, Purpose, PurposeError};

use crate::exit::Failure;

/// More than any set of purposes needs.
const LEN_BYTES_MAX: u64 = 1 << 20;

/// The text of a file of purposes, after a look at it.
///
/// # Errors
/// When it cannot be read, or has no valid purposes.
pub fn read(file: Option<&Path>) -> Result<Option<String>, Failure> {
    let Some(path) = file else { return Ok(None) };
    let bytes = input::open(path)
        .and_then(|file| input::read_limited(file, LEN_BYTES_MAX, message!("input-kind.purposes")));
    let bytes = bytes.map_err(|error| {
        Failure::usage(message!("input-unreadable", path = path, error = Parameter::from(error)))
    })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    purpose::from_toml(&text).map_err(|error| invalid(path, error))?;
    Ok(Some(text))
}

/// The shipped purposes, and the user's own.
///
/// # Errors
/// When the text, which a Report may have from elsewhere, has no valid purposes.
pub fn all(own: Option<&str>) -> Result<Cow<'static, [Purpose]>, Failure> {
    purpose::with_own(own).map_err(|error| invalid(Path::new("-"), error))
}

fn invalid(path: &Path, error: PurposeError) -> Failure {
    let PurposeError { line, column, problem } = error;
    let problem = match problem {
        Problem::Other(message) => message,
        Problem::UnknownFigure(name) => {
            let known = Metric::ALL.map(Metric::name);
            match nearest(&name, known.iter().map(String::as_str)) {
                Some(meant) => message!("purpose-file.figure-meant", figure = &name, meant = meant),
                None => message!("purpose-file.figure", figure = &name, known = Parameter::all(known)),
            }
        }
    };
    Failure::usage(message!("purpose-file", path = path, line = line, column = column, problem = problem))
}
