//! What differs on purpose.

/// Differences that have one reason, which docs/fio.md gives.
pub struct Class {
    pub name: &'static str,
    pub reason: &'static str,
    /// Whether a difference of this fact in such a job belongs to it.
    pub covers: fn(job: &[(&str, &str)], fact: &str) -> bool,
}

pub const CLASSES: &[Class] = &[];
