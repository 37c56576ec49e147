//! What engines are asked to do, and what became of it.

use cardiograph_core::OpKind;

/// One request handed to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IoOp {
    /// Slot of the [`Arena`](crate::buffers::Arena) that holds or takes the data; it also names the request. The slot belongs to the engine
    /// until the request was reaped. A sync and a trim have a slot too, and leave its bytes alone.
    pub slot: u32,
    /// Which file: an index into [`EngineContext::targets`](crate::EngineContext::targets).
    pub file: u32,
    /// What to do.
    pub kind: OpKind,
    /// Where, in bytes from the start of the file; 0 for a sync.
    pub offset_bytes: u64,
    /// How long, in bytes; 0 for a sync. A trim may be longer than a slot.
    pub len_bytes: u32,
}

/// The outcome of a request, with its own time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// The request's slot.
    pub slot: u32,
    /// Bytes moved, or a negative error number of at most 4,095; as the kernel has it, 2 GiB are the smallest number.
    pub result: i32,
    /// When it was complete, in ticks of the context's clock.
    pub completed_at: u64,
}
