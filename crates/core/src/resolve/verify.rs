//! Whether what was written is checked.

use crate::workload::{Checksum, Trims, Verify};

use super::motion::Motion;
use super::reader::Reader;

pub(super) fn verify(reader: &mut Reader<'_>, motion: &Motion) -> Option<Verify> {
    let checksum = match reader.text("verify")?.as_str() {
        "0" => return None,
        // Other words were refused by the table.
        _ => Checksum::Crc32c,
    };
    let verify = Verify {
        checksum,
        interval_bytes: reader.bytes("verify_interval").unwrap_or(0),
        read_back: reader.switch("do_verify"),
        fatal: reader.switch("verify_fatal"),
    };
    // A mixed job checks what it wrote; with no writes among its I/Os that is nothing. Nor is it where all is trimmed.
    let has_content = (!motion.is_mixed || motion.read_percent < 100) && motion.trims != Trims::Only;
    has_content.then_some(verify)
}
