//! End conditions of runs.

/// The end condition of a run.
#[derive(Clone, Copy)]
pub enum End {
    /// After this many windows.
    Windows(usize),
    /// When the rate is known to this share.
    Precision(f64),
}
