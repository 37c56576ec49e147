//! Requests to a simulated drive.

use cardiograph_core::OpKind;

/// A request to a simulated drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimRequest {
    /// The operation.
    pub kind: OpKind,
    /// Offset from the start of the drive, in bytes; ignored for a flush.
    pub position_bytes: u64,
    /// Length in bytes; 0 for a flush.
    pub len_bytes: u32,
}
