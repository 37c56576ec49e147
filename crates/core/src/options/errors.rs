//! What happens after an error.

use super::OptionDef;
use super::kind::OptionKind;
use super::row::not_yet;

pub(super) const ROWS: &[OptionDef] = &[
    not_yet("continue_on_error")
        .kind(OptionKind::Word(&["none", "read", "write", "io", "verify", "all", "0", "1"]))
        .default("none")
        .help("After which errors the job goes on."),
    not_yet("ignore_error").help("Errors that do not count, for reads, writes and checks."),
    not_yet("error_dump").kind(OptionKind::Switch).default("0").help("Show each error that is ignored."),
];
