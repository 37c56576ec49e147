//! Queue depths.

use cardiograph_core::result::DepthCounts;

use super::latency::Count;

/// Histograms of queue depth, and of submission and reaping batches.
#[derive(Debug, Default)]
pub(super) struct DepthRecorder {
    in_flight: [Count; 7],
    submitted: [Count; 7],
    completed: [Count; 7],
}

impl DepthRecorder {
    /// Records a call that submitted `n` requests with `before` in flight.
    pub fn handed_over(&self, before: u32, n: u32) {
        self.submitted[batch_place(n)].add(1);
        for in_flight in before + 1..=before + n {
            self.in_flight[depth_place(in_flight)].add(1);
        }
    }

    /// Records a call that reaped `n` requests.
    pub fn taken(&self, n: u32) {
        self.completed[batch_place(n)].add(1);
    }

    /// Resets all counters.
    pub fn start_over(&self) {
        let all = self.in_flight.iter().chain(&self.submitted).chain(&self.completed);
        all.for_each(|count| count.set(0));
    }

    pub fn snapshot(&self) -> DepthCounts {
        let read = |counts: &[Count; 7]| std::array::from_fn(|place| counts[place].get());
        DepthCounts {
            in_flight: read(&self.in_flight),
            submitted: read(&self.submitted),
            completed: read(&self.completed),
        }
    }
}

/// The counts of a synchronous engine after `ios` I/Os.
pub(super) fn one_at_a_time(ios: u64) -> DepthCounts {
    let at = |place: usize| std::array::from_fn(|i| if i == place { ios } else { 0 });
    DepthCounts { in_flight: at(0), submitted: at(batch_place(1)), completed: at(batch_place(1)) }
}

/// Buckets for 1, 2 to 3, 4 to 7, and so on.
fn depth_place(in_flight: u32) -> usize {
    (in_flight.max(1).ilog2() as usize).min(6)
}

/// Buckets for 0, 1 to 4, 5 to 8, 9 to 16, and so on.
fn batch_place(n: u32) -> usize {
    match n {
        0 => 0,
        1..=4 => 1,
        _ => (u32::BITS - (n - 1).leading_zeros()) as usize - 1,
    }
    .min(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_in_fios_buckets() {
        let depths = [(1, 0), (2, 1), (3, 1), (4, 2), (7, 2), (8, 3), (63, 5), (64, 6), (5_000, 6)];
        for (in_flight, place) in depths {
            assert_eq!(depth_place(in_flight), place, "{in_flight}");
        }
        let batches =
            [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (16, 3), (32, 4), (64, 5), (65, 6), (9_000, 6)];
        for (n, place) in batches {
            assert_eq!(batch_place(n), place, "{n}");
        }
    }

    #[test]
    fn each_request_counts_with_those_already_in_flight() {
        let recorder = DepthRecorder::default();
        recorder.handed_over(0, 1);
        recorder.handed_over(1, 4);
        recorder.handed_over(5, 3);
        recorder.taken(8);
        recorder.taken(0);
        assert_eq!(
            recorder.snapshot(),
            DepthCounts {
                in_flight: [1, 2, 4, 1, 0, 0, 0],
                submitted: [0, 3, 0, 0, 0, 0, 0],
                completed: [1, 0, 1, 0, 0, 0, 0],
            }
        );
        assert_eq!(one_at_a_time(9).in_flight, [9, 0, 0, 0, 0, 0, 0]);
        assert_eq!(one_at_a_time(9).submitted, [0, 9, 0, 0, 0, 0, 0]);
    }
}
