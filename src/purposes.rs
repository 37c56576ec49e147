//! The user's own purposes: `--purposes FILE`.

use std::borrow::Cow;
use std::path::Path;

use cardiograph_checkup::own_purposes;
use cardiograph_core::{Parameter, message};
use cardiograph_files::input;
use cardiograph_judge::purpose::Purpose;

use crate::exit::Failure;

/// More than any set of purposes needs.
const LEN_BYTES_MAX: u64 = 1 << 20;

/// All purposes, and the text of the user's file.
pub type Purposes = (Cow<'static, [Purpose]>, Option<String>);

/// The shipped purposes and those of a file, if one is named.
///
/// # Errors
/// When it cannot be read, or has no valid purposes.
pub fn read(file: Option<&Path>) -> Result<Purposes, Failure> {
    let Some(path) = file else { return Ok((own_purposes::all(None, Path::new(""))?, None)) };
    let kind = message!("input-kind.purposes");
    let bytes = input::open(path).and_then(|file| input::read_limited(file, LEN_BYTES_MAX, kind));
    let bytes = bytes.map_err(|error| {
        Failure::usage(message!("input-unreadable", path, error = Parameter::from(error)))
    })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok((own_purposes::all(Some(&text), path)?, Some(text)))
}
