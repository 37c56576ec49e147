//! The events that a worker waits for.

/// The event that a worker waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// None: step again.
    Ready,
    /// The completion of a request in flight.
    Completion,
    /// In simulated time: the completion of a request in flight, or a time in ticks, whichever comes first.
    CompletionOr(u64),
    /// A time, in ticks.
    Until(u64),
    /// None: it has ended.
    Ended,
}
