//! What a worker waits for.

/// What a worker waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Nothing: step again.
    Ready,
    /// The completion of a request in flight.
    Completion,
    /// In simulated time: the completion of a request in flight, or a time in ticks, whichever comes first.
    CompletionOr(u64),
    /// A time, in ticks.
    Until(u64),
    /// Nothing more: it has ended.
    Ended,
}
