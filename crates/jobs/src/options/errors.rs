//! Error handling.

use super::row::rows;

rows! {
    "Errors";
    works "continue_on_error": Word(&["none", "read", "write", "io", "verify", "all", "0", "1"]), "none",
        "After which errors the job continues; for a full drive, only if ignore_error lists that.";
    works "ignore_error": Errors, "", "Errors after which it continues, for reads, writes and checks.";
    works "error_dump": Switch, "0", "Print each error after which it continues.";
}
