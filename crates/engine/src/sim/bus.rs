//! The bus between host and drive: one transfer at a time.

/// Transfers on the bus.
///
/// Requests are served in order of arrival, but one that spends longer inside the drive reaches the bus later
/// than one that arrived after it, so a transfer takes the first gap that is long enough, rather than the end
/// of the queue.
#[derive(Debug, Default)]
pub(super) struct Bus {
    /// Start and end of each transfer in progress or planned, in order of time.
    taken_ns: Vec<(u64, u64)>,
}

impl Bus {
    /// Reserves the bus for `len_ns` at `ready_ns` or as soon as possible afterwards, and returns the end of
    /// the transfer. No later call is ready before `now_ns`.
    pub fn transfer(&mut self, now_ns: u64, ready_ns: u64, len_ns: u64) -> u64 {
        self.taken_ns.retain(|&(_, end)| end > now_ns);
        let mut start = ready_ns;
        let mut place = self.taken_ns.len();
        for (index, &(taken, end)) in self.taken_ns.iter().enumerate() {
            if start.saturating_add(len_ns) <= taken {
                place = index;
                break;
            }
            start = start.max(end);
        }
        let end = start.saturating_add(len_ns);
        self.taken_ns.insert(place, (start, end));
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_do_not_overlap_and_use_gaps() {
        let mut bus = Bus::default();
        assert_eq!(bus.transfer(0, 100, 10), 110);
        assert_eq!(bus.transfer(0, 100, 10), 120);
        // Ready earlier: fits before the first.
        assert_eq!(bus.transfer(0, 80, 20), 100);
        // Ready earlier, too long for the gap.
        assert_eq!(bus.transfer(0, 70, 11), 131);
        assert_eq!(bus.transfer(0, 70, 10), 80);
    }

    #[test]
    fn past_transfers_are_forgotten() {
        let mut bus = Bus::default();
        for i in 0..1_000 {
            assert_eq!(bus.transfer(i * 10, i * 10, 10), i * 10 + 10);
        }
        assert_eq!(bus.taken_ns.len(), 1);
    }
}
