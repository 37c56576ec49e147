//! Faults of a simulated drive, and how a program should survive them.
//!
//! | fault | what the program sees | why it is survivable |
//! |---|---|---|
//! | [`Eio`](FaultKind::Eio) | one request fails with `EIO` | the others have not failed: earlier
//! measurements stay valid, the run says where it ended and why |
//! | [`ShortTransfer`](FaultKind::ShortTransfer) | fewer bytes than requested, without an error | the result
//! has the count: only moved bytes may be counted |
//! | [`Stall`](FaultKind::Stall) | the whole drive is silent for a while | it recovers by itself: the time
//! belongs in the maximum and the series, and a limit on silence must be longer |
//! | [`Corrupt`](FaultKind::Corrupt) | other content than was written, without an error | the machine is not
//! harmed: content that names its own location shows it when it is read back |
//! | [`Misdirect`](FaultKind::Misdirect) | content of another location, without an error | as above, at both
//! locations |
//! | [`BitFlip`](FaultKind::BitFlip) | content with one wrong bit, without an error | as above: a checksum shows it |
//! | [`LostWrite`](FaultKind::LostWrite) | the previous content, without an error | as above: a write number
//! shows it |
//! | [`TornWrite`](FaultKind::TornWrite) | half of the previous content, without an error | as above: stamps
//! in each sector show it |
//! | [`Disappear`](FaultKind::Disappear) | `ENODEV` for this and all further requests | the errors come at
//! once: finished steps are kept, nothing waits |
//! | [`Hang`](FaultKind::Hang) | no response to this and all further requests | a limit on silence ends the
//! wait: finished steps are kept, the unfinished one is marked as such |
//! | [`NoSpace`](FaultKind::NoSpace) | a write fails with `ENOSPC` | nothing is lost: data written so far can
//! be removed |

use cardiograph_core::{Direction, Message, message};
use serde::{Deserialize, Serialize};

use super::request::SimRequest;

/// A fault and the requests that it hits. All conditions must hold.
///
/// ```
/// use cardiograph_core::{Direction, Message, message};
/// use cardiograph_engine::sim::{Fault, FaultKind};
///
/// let tenth_write_fails = Fault::new(FaultKind::Eio).on(Direction::Write).nth(10);
/// let bad_spot = Fault::new(FaultKind::Eio).on(Direction::Read).within(1 << 20, 2 << 20);
/// let gone_after_a_minute = Fault::new(FaultKind::Disappear).from_ns(60_000_000_000);
/// # let _ = (tenth_write_fails, bad_spot, gone_after_a_minute);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The fault's kind.
    pub kind: FaultKind,
    /// Only requests of this direction; `None` for all.
    pub on: Option<Direction>,
    /// Only requests that arrive at this time or later, in nanoseconds of the drive's time.
    #[serde(default)]
    pub from_ns: u64,
    /// Only requests that touch a byte at or after this position.
    pub start_bytes: Option<u64>,
    /// Only requests that touch a byte before this position.
    pub end_bytes: Option<u64>,
    /// Only from the nth (from 1) of the requests that meet the other conditions.
    pub nth: Option<u64>,
    /// Number of requests that are hit; `None` means 1 with `nth`, otherwise all.
    pub times: Option<u64>,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The request fails with `EIO` after its usual time and moves nothing.
    Eio,
    /// Half of the bytes are moved, in whole sectors of 512. A request of one sector, or a flush, is served
    /// completely.
    ShortTransfer,
    /// The drive does nothing for this long, then serves the request and those queued behind it.
    Stall {
        /// Duration, in nanoseconds.
        ns: u64,
    },
    /// A write stores other content than it was given; before a read, stored data is corrupted. No error is
    /// reported.
    Corrupt,
    /// A write is stored this many bytes further on, wrapping to 0 at the end of the drive. No error is
    /// reported. Has no effect on reads and flushes.
    Misdirect {
        /// Distance from the right place, in bytes; a multiple of 4,096.
        by_bytes: u64,
    },
    /// A write is stored with one bit flipped; before a read, one stored bit flips. No error is reported.
    BitFlip {
        /// Index of the bit, counted from the start of the request; one beyond its end has no effect.
        bit: u64,
    },
    /// A write is not stored. No error is reported. Has no effect on reads and flushes.
    LostWrite,
    /// Only the first half of a write is stored, in whole sectors of 512; a request of one sector is stored
    /// completely. No error is reported. Has no effect on reads and flushes.
    TornWrite,
    /// This and all further requests fail with `ENODEV` at once.
    Disappear,
    /// This and all further requests never complete.
    Hang,
    /// A write fails with `ENOSPC` after its usual time. Has no effect on reads and flushes.
    NoSpace,
}

impl Fault {
    /// A fault that hits all requests.
    pub const fn new(kind: FaultKind) -> Self {
        Self { kind, on: None, from_ns: 0, start_bytes: None, end_bytes: None, nth: None, times: None }
    }

    /// Hits only requests of this direction.
    pub const fn on(self, direction: Direction) -> Self {
        Self { on: Some(direction), ..self }
    }

    /// Hits only requests that arrive at this time or later, in nanoseconds.
    pub const fn from_ns(self, from_ns: u64) -> Self {
        Self { from_ns, ..self }
    }

    /// Hits only requests that touch `start_bytes..end_bytes`.
    pub const fn within(self, start_bytes: u64, end_bytes: u64) -> Self {
        Self { start_bytes: Some(start_bytes), end_bytes: Some(end_bytes), ..self }
    }

    /// Hits only the nth (from 1) of those that meet the other conditions, or [`times`](Self::times) requests
    /// starting with it.
    pub const fn nth(self, nth: u64) -> Self {
        Self { nth: Some(nth), ..self }
    }

    /// Hits at most this many requests.
    pub const fn times(self, times: u64) -> Self {
        Self { times: Some(times), ..self }
    }

    /// Checks that the fault is valid.
    ///
    /// # Errors
    /// What is wrong with it, as a phrase.
    pub(super) fn check(&self) -> Result<(), Message> {
        match self.kind {
            _ if self.nth == Some(0) => Err(message!("model-fault.nth")),
            _ if self.start_bytes.zip(self.end_bytes).is_some_and(|(start, end)| start >= end) => {
                Err(message!("model-fault.range"))
            }
            _ if (self.start_bytes.is_some() || self.end_bytes.is_some())
                && self.on == Some(Direction::Sync) =>
            {
                Err(message!("model-fault.sync"))
            }
            FaultKind::Stall { ns } if ns > STALL_NS_MAX => Err(message!("model-fault.stall")),
            FaultKind::Misdirect { by_bytes } if by_bytes == 0 || by_bytes % 4_096 != 0 => {
                Err(message!("model-fault.misdirect"))
            }
            _ => Ok(()),
        }
    }

    fn concerns(&self, now_ns: u64, request: &SimRequest) -> bool {
        let direction = request.kind.direction();
        let end = request.position_bytes.saturating_add(u64::from(request.len_bytes));
        let has_place = self.start_bytes.is_some() || self.end_bytes.is_some();
        now_ns >= self.from_ns
            && self.on.is_none_or(|on| on == direction)
            && !(has_place && direction == Direction::Sync)
            && self.start_bytes.is_none_or(|start| end > start)
            && self.end_bytes.is_none_or(|until| request.position_bytes < until)
    }

    /// Whether the `count`th matching request (from 1) is hit.
    fn hits(&self, count: u64) -> bool {
        let first = self.nth.unwrap_or(1);
        let times = self.times.or(self.nth.map(|_| 1));
        count >= first && times.is_none_or(|times| count - first < times)
    }
}

/// Longest stall: a day.
const STALL_NS_MAX: u64 = 86_400_000_000_000;

/// A drive's faults, and the number of matching requests of each.
#[derive(Debug)]
pub(super) struct FaultPlan {
    faults: Vec<(Fault, u64)>,
}

impl FaultPlan {
    pub fn new(faults: Vec<Fault>) -> Self {
        Self { faults: faults.into_iter().map(|fault| (fault, 0)).collect() }
    }

    /// The fault that hits a request; the first of several. Each counts all its matching requests.
    pub fn next(&mut self, now_ns: u64, request: &SimRequest) -> Option<FaultKind> {
        let mut hit = None;
        for (fault, count) in &mut self.faults {
            if fault.concerns(now_ns, request) {
                *count += 1;
                if fault.hits(*count) {
                    hit = hit.or(Some(fault.kind));
                }
            }
        }
        hit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::OpKind;

    /// Indexes of the hit requests among ten: a second apart, 4 KiB each, sequential; even ones read, odd
    /// ones write.
    fn hits(fault: Fault) -> Vec<u64> {
        let mut plan = FaultPlan::new(vec![fault]);
        let mut is_hit = |i: u64| {
            let kind = if i.is_multiple_of(2) { OpKind::Read } else { OpKind::Write };
            plan.next(i * 1_000_000_000, &SimRequest { kind, position_bytes: i * 4_096, len_bytes: 4_096 })
                .is_some()
        };
        (0..10).filter(|&i| is_hit(i)).collect()
    }

    #[test]
    fn all_conditions_must_hold() {
        let eio = Fault::new(FaultKind::Eio);
        let cases: [(Fault, &[u64]); 9] = [
            (eio, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
            (eio.on(Direction::Write), &[1, 3, 5, 7, 9]),
            (eio.on(Direction::Sync), &[]),
            (eio.nth(3), &[2]),
            (eio.nth(3).times(2), &[2, 3]),
            (eio.times(2), &[0, 1]),
            (eio.on(Direction::Write).nth(2).from_ns(4_000_000_000), &[7]),
            (eio.within(4_097, 8_193), &[1, 2]),
            (eio.within(4_096, 8_192), &[1]),
        ];
        for (fault, expected) in cases {
            assert_eq!(hits(fault), expected, "{fault:?}");
        }
    }

    #[test]
    fn a_flush_has_no_position() {
        let mut plan = FaultPlan::new(vec![Fault::new(FaultKind::Eio).within(0, 4_096)]);
        assert_eq!(plan.next(0, &SimRequest { kind: OpKind::Fsync, position_bytes: 0, len_bytes: 0 }), None);
    }

    #[test]
    fn the_first_of_several_faults_wins_and_the_others_still_count() {
        let faults = vec![Fault::new(FaultKind::NoSpace).nth(1), Fault::new(FaultKind::Eio).nth(2)];
        let mut plan = FaultPlan::new(faults);
        let request = SimRequest { kind: OpKind::Write, position_bytes: 0, len_bytes: 512 };
        let hits: Vec<_> = (0..3).map(|_| plan.next(0, &request)).collect();
        assert_eq!(hits, [Some(FaultKind::NoSpace), Some(FaultKind::Eio), None]);
    }
}
