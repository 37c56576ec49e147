//! Descriptions of system errors.

use cardiograph_core::{Message, errno, message};

/// Common errors. All others are shown in the system's own words.
const COMMON: &[(i32, Message)] = &[
    (1, message!("os-error.eperm")),
    (2, message!("os-error.enoent")),
    (5, message!("os-error.eio")),
    (6, message!("os-error.enxio")),
    (12, message!("os-error.enomem")),
    (13, message!("os-error.eacces")),
    (16, message!("os-error.ebusy")),
    (17, message!("os-error.eexist")),
    (19, message!("os-error.enodev")),
    (20, message!("os-error.enotdir")),
    (21, message!("os-error.eisdir")),
    (22, message!("os-error.einval")),
    (24, message!("os-error.emfile")),
    (27, message!("os-error.efbig")),
    (28, message!("os-error.enospc")),
    (30, message!("os-error.erofs")),
    (32, message!("os-error.epipe")),
    (36, message!("os-error.enametoolong")),
    (40, message!("os-error.eloop")),
    (110, message!("os-error.etimedout")),
    (122, message!("os-error.edquot")),
];

/// An error by its number.
pub fn message(errno: i32) -> Message {
    let common = COMMON.iter().find(|(number, _)| *number == errno).map(|(_, message)| message.clone());
    let number = errno.unsigned_abs();
    common.unwrap_or_else(|| message!("os-error-other", text = errno::words(errno), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn english_matches_the_system() {
        for (errno, message) in COMMON {
            assert_eq!(Language::EN.text(message), errno::words(*errno));
        }
        assert_eq!(Language::JA.text(&message(74)), "Bad message (エラー番号 74)");
    }
}
