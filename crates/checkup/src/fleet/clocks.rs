//! How far each host's monotonic clock is from that of rank 0.
//!
//! A host asks rank 0 for its time, many times. The answer was given between question and reply, so half of that time bounds the
//! error, whatever the network does: the fastest answer decides. Clocks of the day are not used: nobody knows their error.

use cardiograph_core::fleet::ClockOffset;

use super::Fleet;
use crate::failure::Failure;

/// Questions of each host, at least.
const QUESTIONS_MIN: usize = 20;
/// Questions of a host in a small fleet.
const QUESTIONS_MAX: usize = 200;
/// Questions of all hosts together.
const QUESTIONS_ALL: usize = 20_000;

/// Measures the clock of this host. All hosts do it at the same time.
///
/// # Errors
/// When a host is lost.
pub fn measure(fleet: &dyn Fleet) -> Result<ClockOffset, Failure> {
    let questions = (QUESTIONS_ALL / fleet.size().max(1)).clamp(QUESTIONS_MIN, QUESTIONS_MAX);
    if fleet.rank() == 0 {
        for rank in 1..fleet.size() {
            // Told to begin, so that its first question does not wait until its turn has come.
            fleet.send(rank, 0)?;
            for _ in 0..questions {
                fleet.receive(rank)?;
                fleet.send(rank, fleet.now_ns())?;
            }
        }
        return Ok(ClockOffset::default());
    }
    fleet.receive(0)?;
    let mut best: Option<ClockOffset> = None;
    for _ in 0..questions {
        let asked_ns = fleet.now_ns();
        fleet.send(0, 0)?;
        let of_0_ns = fleet.receive(0)?;
        let answer = offset(asked_ns, of_0_ns, fleet.now_ns());
        if best.is_none_or(|best| answer.uncertainty_ns < best.uncertainty_ns) {
            best = Some(answer);
        }
    }
    Ok(best.unwrap_or_default())
}

/// From one question: when it was asked and answered on this clock, and the time in the answer.
fn offset(asked_ns: u64, of_0_ns: u64, answered_ns: u64) -> ClockOffset {
    let waited_ns = answered_ns.saturating_sub(asked_ns);
    let middle_ns = asked_ns + waited_ns / 2;
    ClockOffset { offset_ns: of_0_ns.wrapping_sub(middle_ns) as i64, uncertainty_ns: waited_ns.div_ceil(2) }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::rng::Rng;

    use super::*;
    use crate::fleet::threads;

    #[test]
    fn the_true_offset_is_within_the_uncertainty_whatever_the_network_does() {
        let mut rng = Rng::new(5);
        for ahead_ns in [0_i64, 1, -3_600_000_000_000, 86_400_000_000_000] {
            for _ in 0..1_000 {
                let (there_ns, back_ns) = (rng.below(1_000_000), rng.below(1_000_000));
                let asked_ns = 1 << 50;
                let arrived_ns = asked_ns + there_ns;
                let of_0_ns = arrived_ns.saturating_add_signed(-ahead_ns);
                let answer = offset(asked_ns, of_0_ns, arrived_ns + back_ns);
                let error_ns = answer.offset_ns.abs_diff(-ahead_ns);
                assert!(error_ns <= answer.uncertainty_ns, "{answer:?} of {ahead_ns}");
            }
        }
    }

    #[test]
    fn hosts_in_a_process_find_how_far_their_clocks_were_set() {
        let ahead_ns = [0, 5_000_000_000, -7_000_000_000, 1];
        let mut hosts = threads::hosts(ahead_ns.len());
        hosts.iter_mut().zip(ahead_ns).for_each(|(host, ahead_ns)| host.ahead_ns = ahead_ns);
        let clocks: Vec<ClockOffset> = std::thread::scope(|scope| {
            let threads: Vec<_> = hosts.into_iter().map(|host| scope.spawn(move || measure(&host))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
        });
        for (clock, ahead_ns) in clocks.iter().zip(ahead_ns) {
            assert!(clock.offset_ns.abs_diff(-ahead_ns) <= clock.uncertainty_ns, "{clocks:?}");
        }
        assert_eq!(clocks[0], ClockOffset::default());
    }
}
