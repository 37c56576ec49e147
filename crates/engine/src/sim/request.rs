//! What a simulated drive is asked to do.

use cardiograph_core::OpKind;

/// A request to a simulated drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimRequest {
    /// What to do.
    pub kind: OpKind,
    /// Where, in bytes from the start of the drive; not looked at for a flush.
    pub position_bytes: u64,
    /// How long, in bytes; 0 for a flush.
    pub len_bytes: u32,
}
