//! Bytes that a thread has handed to the kernel to write, as counted by the kernel.

/// Bytes written by system calls of this thread so far; `None` if the kernel does not count them.
pub(crate) fn thread_write_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("wchar:")?.trim().parse().ok())
}

/// Keeps the writes of a library within a limit.
pub(crate) struct Allowance {
    before: Option<u64>,
    bytes_max: u64,
    /// Maximum written by one operation.
    operation_bytes_max: u64,
    operations: u64,
    /// Operations that are certain to fit before the kernel is asked again.
    sure: u64,
}

impl Allowance {
    pub fn new(bytes_max: u64, operation_bytes_max: u64) -> Self {
        Self { before: thread_write_bytes(), bytes_max, operation_bytes_max, operations: 0, sure: 0 }
    }

    /// Whether one more operation is certain to fit. The kernel is asked rarely: only when the operations since the last time
    /// could have used half of what was left.
    pub fn has_room(&mut self) -> bool {
        if self.sure == 0 {
            let written_bytes = match (self.before, thread_write_bytes()) {
                (Some(before), Some(now)) => now.saturating_sub(before),
                _ => self.operations.saturating_mul(self.operation_bytes_max),
            };
            let left = self.bytes_max.saturating_sub(written_bytes) / self.operation_bytes_max;
            self.sure = left.div_ceil(2);
        }
        if self.sure == 0 {
            return false;
        }
        self.sure -= 1;
        self.operations += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn allowances_are_kept_and_used_up() {
        let mut file = tempfile::tempfile().unwrap();
        let mut allowance = Allowance::new(1 << 20, 1 << 12);
        let mut written = 0;
        while allowance.has_room() {
            file.write_all(&[1; 1 << 10]).unwrap();
            written += 1 << 10;
        }
        assert!(written <= 1 << 20, "{written}");
        // With the kernel's count the limit is nearly used up; without it each operation counts as the largest.
        let least = if thread_write_bytes().is_some() { (1 << 20) - (1 << 14) } else { 1 << 17 };
        assert!(written >= least, "{written}");
        assert!(!Allowance::new(1 << 11, 1 << 12).has_room());
    }
}
