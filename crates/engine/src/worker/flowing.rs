//! Waiting for other jobs of a flow.

use super::Worker;

impl Worker {
    /// Whether the job is ahead of its flow, and issues nothing now.
    pub(super) fn is_ahead(&mut self) -> bool {
        let Some(share) = &self.pace.share else { return false };
        if share.may_go() {
            return false;
        }
        if !self.clock.is_simulated() && self.queue.in_flight == 0 && self.queue.batch.is_empty() {
            let spins_until = self.now.saturating_add(share.spin_ticks).min(self.deadline);
            while self.now < spins_until && !self.stop.is_set() {
                std::hint::spin_loop();
                if share.may_go() {
                    self.now = self.clock.now();
                    return false;
                }
                self.now = self.clock.now();
            }
        }
        self.pace.due_at = self.now.saturating_add(share.look_ticks);
        true
    }
}
