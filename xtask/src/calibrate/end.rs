//! What ends a run.

/// What ends a run.
#[derive(Clone, Copy)]
pub enum End {
    /// It has so many windows.
    Windows(usize),
    /// Its rate is known to this share.
    Precision(f64),
}
