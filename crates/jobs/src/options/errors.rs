//! What happens after an error.

use super::OptionDef;
use super::kind::OptionKind;
use super::row::works;

pub(super) const ROWS: &[OptionDef] = &[
    works!("continue_on_error")
        .kind(OptionKind::Word(&["none", "read", "write", "io", "verify", "all", "0", "1"]))
        .default("none")
        .help("After which errors the job goes on; of a full drive, only if ignore_error says so."),
    works!("ignore_error")
        .kind(OptionKind::Errors)
        .help("Errors after which it goes on, for reads, writes and checks."),
    works!("error_dump")
        .kind(OptionKind::Switch)
        .default("0")
        .help("Tell each error after which it goes on."),
];
