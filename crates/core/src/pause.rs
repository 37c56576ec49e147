//! Times when the program did not run during a measurement, which are not the drive's fault.

use serde::{Deserialize, Serialize};

use crate::{JsonSchema, Message, Parameter, message};

/// A time when the program did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pause {
    /// Start, in nanoseconds from the start of the run, to within 50 ms.
    pub begin_ns: u64,
    /// Length in nanoseconds; it may have been up to 50 ms longer.
    pub duration_ns: u64,
    /// Cause.
    pub cause: PauseCause,
}

/// Cause of a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseCause {
    /// The kernel stopped the process: a signal, a debugger, a frozen control group.
    Stopped,
    /// It was frozen without being woken, as by version 1 of control groups, or the whole virtual machine was paused.
    Frozen,
    /// The machine was suspended.
    Suspended,
    /// Other programs, or a CPU limit, left no time for this one.
    NoProcessor,
    /// The kernel does not report which.
    Unknown,
}

impl PauseCause {
    /// Its name, as in JSON.
    pub fn name(self) -> String {
        crate::text::word_of(&self)
    }

    /// The cause as a phrase that follows the length of a pause.
    pub const fn message(self) -> Message {
        match self {
            Self::Stopped => message!("trap-paused.stopped"),
            Self::Frozen => message!("trap-paused.frozen"),
            Self::Suspended => message!("trap-paused.suspended"),
            Self::NoProcessor => message!("trap-paused.no-processor"),
            Self::Unknown => message!("trap-paused.unknown-cause"),
        }
    }
}

impl Pause {
    /// End, in nanoseconds from the start of the run.
    pub fn end_ns(&self) -> u64 {
        self.begin_ns.saturating_add(self.duration_ns)
    }

    /// Whether it overlaps these nanoseconds from the start of the run.
    pub fn is_within(&self, from_ns: u64, to_ns: u64) -> bool {
        self.begin_ns < to_ns && self.end_ns() > from_ns
    }
}

/// Pauses as a phrase: total, first time and cause; `None` if there are none.
pub fn message(pauses: &[Pause]) -> Option<Message> {
    let first = pauses.first()?;
    let total = Parameter::DurationNs(total_ns(pauses));
    let (at, cause) = (Parameter::DurationNs(first.begin_ns), first.cause.message());
    Some(match pauses.len() {
        1 => message!("paused", total, at, cause),
        times => message!("paused.several", times, total, at, cause),
    })
}

/// Seconds to a tenth, with unit.
pub fn seconds(ns: u64) -> String {
    format!("{:.1} s", ns as f64 / 1e9)
}

/// Total length of pauses, in nanoseconds.
pub fn total_ns(pauses: &[Pause]) -> u64 {
    pauses.iter().fold(0, |sum, pause| sum.saturating_add(pause.duration_ns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NS_PER_MS;

    #[test]
    fn pauses_are_reported_with_their_numbers() {
        let pause = |begin_ms, duration_ms, cause| Pause {
            begin_ns: begin_ms * NS_PER_MS,
            duration_ns: duration_ms * NS_PER_MS,
            cause,
        };
        let stopped = pause(3_200, 6_049, PauseCause::Stopped);
        let frozen = pause(9_900, 1_000, PauseCause::Frozen);
        let of = |pauses: &[Pause]| message(pauses).map(|message| message.to_string());
        assert_eq!(of(&[]), None);
        let once =
            "paused(at=DurationNs(3200000000), cause=trap-paused.stopped, total=DurationNs(6049000000))";
        assert_eq!(of(&[stopped]).as_deref(), Some(once));
        let twice = "paused.several(at=DurationNs(9900000000), cause=trap-paused.frozen, times=2, \
                     total=DurationNs(7049000000))";
        assert_eq!(of(&[frozen, stopped]).as_deref(), Some(twice));
        for (from_ms, to_ms, is_within) in
            [(0, 3_200, false), (0, 3_201, true), (9_000, 10_000, true), (9_249, 10_000, false)]
        {
            assert_eq!(stopped.is_within(from_ms * NS_PER_MS, to_ms * NS_PER_MS), is_within, "{from_ms}");
        }
        let written = serde_json::to_string(&stopped).unwrap();
        assert_eq!(serde_json::from_str::<Pause>(&written).unwrap(), stopped, "{written}");
        use PauseCause::{Frozen, NoProcessor, Stopped, Suspended, Unknown};
        for cause in [Stopped, Frozen, Suspended, NoProcessor, Unknown] {
            assert_eq!(serde_json::to_value(cause).unwrap(), cause.name());
        }
    }
}
