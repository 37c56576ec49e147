//! Requests to engines, and their results.

use cardiograph_core::OpKind;

/// A request to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IoOp {
    /// Slot of the [`Arena`](crate::buffers::Arena) with the data; it also identifies the request. The engine
    /// owns the slot until the request is reaped. Syncs and trims also have a slot, but do not access its
    /// bytes.
    pub slot: u32,
    /// The file: an index into [`EngineContext::targets`](crate::EngineContext::targets).
    pub file: u32,
    /// The operation.
    pub kind: OpKind,
    /// Offset in the file, in bytes; 0 for a sync.
    pub offset_bytes: u64,
    /// Length in bytes; 0 for a sync. A trim may be longer than a slot.
    pub len_bytes: u32,
}

/// The result of a request, with its completion time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// The request's slot.
    pub slot: u32,
    /// Bytes moved, or a negative error number of at least -4,095; 2 GiB moved is stored as the most negative
    /// number, as the kernel does.
    pub result: i32,
    /// Completion time, in ticks of the context's clock.
    pub completed_at: u64,
}
