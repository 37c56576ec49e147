//! The end of a job: by bytes, loops, I/Os or time.

use cardiograph_core::direction::Direction;
use cardiograph_core::message;
use cardiograph_core::workload::{Order, StopWhen, Trims, Workload};

use super::reader::Reader;
use crate::value::{Amount, parse_amount};

/// Settings of a job's end.
pub(super) struct StopWritten {
    io_size: Option<Amount>,
    pub loops: u64,
    pub time_based: bool,
    time_ns: Option<u64>,
    ios: Option<u64>,
}

impl StopWritten {
    pub fn read(reader: &mut Reader<'_>) -> Self {
        let kb_base = reader.kb_base;
        let time_ns = reader.duration_ns("runtime").filter(|&ns| ns > 0);
        let mut time_based = reader.switch("time_based");
        // An unreadable time is not a missing one.
        if time_based && reader.find("runtime").is_none_or(|setting| setting.value.trim() == "0") {
            reader.remark("time_based", message!("jobs-remark.needs-runtime"));
            time_based = false;
        }
        Self {
            io_size: reader.read("io_size", |text| parse_amount(text, kb_base)),
            loops: reader.count("loops").max(1),
            time_based,
            time_ns,
            ios: reader.count_if("number_ios").filter(|&ios| ios > 0),
        }
    }

    /// A replay ends with its recording, or earlier.
    pub fn replay_stop_when(&self) -> StopWhen {
        StopWhen { bytes: None, time_ns: self.time_ns, ios: self.ios }
    }

    /// The end of a job.
    pub fn stop_when(&self, moved: &Moved, workload: &Workload) -> StopWhen {
        let factor = writes_factor(workload.trims);
        let bytes = self.bytes(moved, workload).saturating_mul(factor);
        // It applies to each loop, and time-based runs restart after it.
        let ios = self.ios.filter(|_| !self.time_based);
        let ios = ios.map(|ios| ios.saturating_mul(factor).saturating_mul(self.loops));
        StopWhen { bytes: (!self.time_based).then_some(bytes), time_ns: self.time_ns, ios }
    }

    /// Bytes moved per loop: `io_size`, if set.
    pub fn limit_bytes(&self, moved: &Moved) -> u64 {
        match self.io_size {
            Some(Amount::Bytes(bytes)) if bytes > 0 => bytes,
            Some(Amount::Percent(percent)) => percent_of(percent, moved.once_bytes),
            _ => moved.once_bytes,
        }
    }

    /// Bytes of all passes, as counted by fio: a pass per loop, and more while a whole I/O of `io_size` is left,
    /// including data read back after each pass; but at most the limit of all loops.
    fn bytes(&self, moved: &Moved, workload: &Workload) -> u64 {
        let is_written = workload.uses(Direction::Write);
        let (mut pass_bytes, mut limit_bytes) = (moved.pass_bytes, self.limit_bytes(moved));
        let mut counted_bytes = pass_bytes;
        match workload.verify.as_ref().filter(|_| is_written && workload.has_passes()) {
            Some(verify) if verify.read_back => {
                let read_back_bytes = percent_of(100 - workload.read_percent, pass_bytes);
                counted_bytes = counted_bytes.saturating_add(read_back_bytes);
                limit_bytes = if self.io_size.is_some() { limit_bytes } else { moved.asked_bytes };
            }
            // Without reading back there is no further pass.
            Some(_) => counted_bytes = u64::MAX,
            // Random writes that repeat blocks are one pass.
            None if is_written && workload.order == Order::RandomRepeating => {
                pass_bytes = pass_bytes.max(limit_bytes);
            }
            None => {}
        }
        let left_bytes = limit_bytes.saturating_sub(workload.block_len_bytes_max());
        let passes = left_bytes.checked_div(counted_bytes).unwrap_or(0).saturating_add(1);
        let passes_bytes = pass_bytes.saturating_mul(passes.max(self.loops));
        passes_bytes.min(limit_bytes.saturating_mul(self.loops))
    }
}

/// Bytes moved by a clone.
pub(super) struct Moved {
    /// Per pass through its files.
    pub pass_bytes: u64,
    /// As `pass_bytes`, limited to `size`.
    pub once_bytes: u64,
    /// `size`, or the total of its regions.
    pub asked_bytes: u64,
}

/// The factor on lengths and counts of writes that includes a trim before each.
pub(super) fn writes_factor(trims: Trims) -> u64 {
    if trims == Trims::BeforeWrites { 2 } else { 1 }
}

pub(super) fn percent_of(percent: u32, bytes: u64) -> u64 {
    (u128::from(bytes) * u128::from(percent) / 100) as u64
}
