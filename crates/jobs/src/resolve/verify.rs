//! Verification of written data.

use cardiograph_core::message;
use cardiograph_core::verify::{Backlog, Checksum, Verify};
use cardiograph_core::workload::{Trims, Workload};

use super::Problem;
use super::motion::Motion;
use super::reader::Reader;
use crate::options::EngineDef;
use crate::value::ValueError;

/// The checksum of blocks, if they are verified.
fn checksum(reader: &mut Reader<'_>) -> Option<Checksum> {
    if reader.find("verify").is_none() && reader.find("verify_pattern").is_some() {
        // fio's default for a pattern without a checksum.
        return Some(Checksum::PatternHeader);
    }
    // "0" is not a checksum; other words were refused by the table.
    Checksum::from_word(&reader.text("verify")?)
}

/// Whether blocks are verified.
pub(super) fn is_checked(reader: &mut Reader<'_>) -> bool {
    checksum(reader).is_some_and(|checksum| checksum != Checksum::Null)
}

/// Whether and how writes are verified.
pub(super) fn verify(reader: &mut Reader<'_>, motion: &Motion, engine: &EngineDef) -> Option<Verify> {
    let checksum = checksum(reader)?;
    let pattern = reader.find("verify_pattern");
    let needs_pattern = matches!(checksum, Checksum::Pattern | Checksum::PatternHeader);
    if needs_pattern && pattern.is_none() {
        reader.report("verify", Problem::Needs { other: "verify_pattern=0xdeadbeef" });
    }
    let is_kept = engine.does_io;
    if !is_kept {
        reader.remark("verify", message!("jobs-remark.no-content", engine = engine.name));
    }
    let verify = Verify {
        checksum: if is_kept { checksum } else { Checksum::Null },
        // A checksum covers its block without a pattern.
        compares_pattern: is_kept && (needs_pattern || (checksum == Checksum::Meta && pattern.is_some())),
        interval_bytes: reader.bytes("verify_interval").unwrap_or(0),
        header_offset_bytes: reader.bytes("verify_offset").unwrap_or(0),
        read_back: reader.switch("do_verify"),
        only: reader.switch("verify_only"),
        backlog: backlog(reader),
        fatal: reader.switch("verify_fatal"),
        dump: reader.switch("verify_dump"),
        // Not an option: set by a checkup that continues its own sequence.
        first_write: None,
        saves_state: false,
        known: None,
    };
    let only_reads = !motion.is_mixed && motion.read_percent == 100;
    let loads_state = reader.switch("verify_state_load");
    // Read-only jobs only verify anyway; with a loaded state, only a part.
    let only = if only_reads { loads_state } else { verify.only };
    let saves_state = reader.switch("verify_state_save") && !(only || loads_state || only_reads);
    let verify = Verify { only, saves_state, known: (only && loads_state).then(Vec::new), ..verify };
    if loads_state && !only {
        reader.remark("verify_state_load", message!("jobs-remark.verify-state-load"));
    }
    // A mixed job verifies its writes; without any, or if all are trimmed, there is nothing to verify.
    let has_content = (!motion.is_mixed || motion.read_percent < 100) && motion.trims != Trims::Only;
    has_content.then_some(verify)
}

fn backlog(reader: &mut Reader<'_>) -> Option<Backlog> {
    let writes = reader.count("verify_backlog");
    let batch = reader.count("verify_backlog_batch");
    // By default all existing data is verified.
    (writes > 0).then_some(Backlog { writes, batch: if batch > 0 { batch } else { writes } })
}

/// Reports blocks that are too small for their headers.
pub(super) fn check_room(reader: &mut Reader<'_>, workload: &Workload) {
    let Some(verify) = &workload.verify else { return };
    let header_len_bytes = verify.checksum.header_len_bytes();
    let block_len_bytes = cardiograph_core::checked::block_len_bytes(verify, workload, &[]);
    if !block_len_bytes.is_multiple_of(verify.interval_bytes.max(1)) {
        reader.remark("verify_interval", message!("jobs-remark.verify-interval"));
    }
    if block_len_bytes < header_len_bytes {
        let option = if reader.find("verify_interval").is_some() { "verify_interval" } else { "verify" };
        reader.report(option, Problem::NoRoomForHeader { header_len_bytes, block_len_bytes });
        return;
    }
    // The header is exchanged with the data at its offset, so the two must not overlap.
    let max = block_len_bytes - header_len_bytes;
    if verify.header_offset_bytes != 0 && !(header_len_bytes..=max).contains(&verify.header_offset_bytes) {
        let error = ValueError::OutOfRange { min: header_len_bytes, max };
        reader.report("verify_offset", Problem::BadValue(error));
    }
}
