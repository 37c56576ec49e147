//! Reaping: minimum, maximum and deadline; and cancelling.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cardiograph_engine::engine::OpKind;
use cardiograph_engine::{Completion, EngineEntry, IoOp};

use super::bench::{BLOCK_RESULT, Bench, Setup, for_all, one_each, op, real};

/// Length of requests that a drive does not finish at once.
const LONG_BYTES: u32 = 4 << 20;
const LONG_DEPTH: u32 = 8;

#[test]
fn reaping_without_requests_returns_at_once() {
    for_all(|name, bench| {
        let mut done = Vec::new();
        bench.engine.reap(1, u32::MAX, None, &mut done).unwrap();
        bench.engine.reap(8, 8, Some(bench.clock.now() + 1), &mut done).unwrap();
        assert!(done.is_empty(), "{name}");
        assert_eq!(bench.engine.submit(&[]).unwrap(), 0, "{name}");
    });
}

#[test]
fn no_more_completions_are_reaped_than_requested() {
    // With the pause all requests are complete before any is reaped, without it hardly any: only `max`
    // decides.
    let pauses = [Duration::ZERO, Duration::from_millis(2)];
    for_all(|name, bench| {
        for (min, max) in [(1, 1), (0, 3), (1, 3), (8, 3), (2, u32::MAX)] {
            for pause in pauses {
                let ops = one_each(bench.depth, OpKind::Write);
                let taken = bench.submit_all(&ops);
                let mut done = Vec::new();
                bench.pause(pause);
                while done.len() < taken {
                    bench.let_time_pass();
                    let before = done.len();
                    bench.engine.reap(min, max, None, &mut done).unwrap();
                    assert!(done.len() - before <= max as usize, "{name}: {min} to {max}");
                }
                let mut slots: Vec<u32> = done.iter().map(|completion| completion.slot).collect();
                slots.sort_unstable();
                slots.dedup();
                assert_eq!(slots.len(), taken, "{name}: {min} to {max}");
                assert!(done.iter().all(|completion| completion.result == BLOCK_RESULT), "{name}");
            }
        }
    });
}

#[test]
fn all_awaited_completions_arrive_in_one_call() {
    for_all(|name, bench| {
        if !bench.is_real {
            return;
        }
        let taken = bench.submit_all(&one_each(bench.depth, OpKind::Write)) as u32;
        let mut done = Vec::new();
        bench.engine.reap(taken, u32::MAX, None, &mut done).unwrap();
        assert_eq!(done.len(), taken as usize, "{name}: no signal disturbs this test");
    });
}

/// Engines whose requests complete while nobody waits for them, with requests that take a millisecond or
/// more.
fn for_long_requests(check: impl Fn(&EngineEntry, &mut dyn FnMut() -> Bench, &[IoOp])) {
    let directory = cardiograph_testing::disk_dir();
    let setup = Setup {
        slot_len_bytes: LONG_BYTES as usize,
        file_len_bytes: u64::from(LONG_DEPTH * LONG_BYTES),
        ..Setup::new(true, LONG_DEPTH)
    };
    let long = |slot: u32| IoOp {
        offset_bytes: u64::from(slot * LONG_BYTES),
        len_bytes: LONG_BYTES,
        ..op(slot, OpKind::Write, 0)
    };
    let ops: Vec<IoOp> = (0..LONG_DEPTH).map(long).collect();
    for entry in real().filter(|entry| entry.is_queueing && !entry.is_batching) {
        check(entry, &mut || Bench::new(entry, setup, directory.path()), &ops);
    }
}

/// Submitting may last until most requests are complete, so that nothing is left to wait for. So there are
/// several attempts, one of which must show that waiting ended without a completion.
fn ends_without_completion(entry: &EngineEntry, bench: &mut Bench, ops: &[IoOp], wait_ns: u64) {
    let mut seen = 0;
    for _ in 0..100 {
        let taken = bench.submit_all(ops);
        let mut done = Vec::new();
        while done.len() < taken {
            let until = bench.clock.now() + bench.clock.ticks(wait_ns);
            let before = done.len();
            bench.engine.reap(1, u32::MAX, Some(until), &mut done).unwrap();
            if done.len() == before {
                assert!(bench.clock.now() >= until, "{} gave up too early", entry.name);
                seen += 1;
            }
        }
        assert!(done.iter().all(|completion| completion.result == LONG_BYTES as i32), "{}", entry.name);
        if seen > 0 {
            return;
        }
    }
    panic!("{}: waiting for {wait_ns} ns never ended without a completion", entry.name);
}

#[test]
fn waiting_ends_at_the_deadline() {
    for_long_requests(|entry, open, ops| ends_without_completion(entry, &mut open(), ops, 20_000));
}

#[test]
fn a_deadline_in_the_past_is_not_waited_for() {
    for_long_requests(|entry, open, ops| ends_without_completion(entry, &mut open(), ops, 0));
}

#[test]
fn cancelling_leaves_nothing_in_flight() {
    let drained = |name: &str, bench: &mut Bench, ops: &[IoOp]| {
        let taken = bench.engine.submit(ops).unwrap();
        bench.engine.cancel().unwrap();
        let mut done = Vec::new();
        while done.len() < taken {
            bench.reap_some(&mut done);
        }
        let whole = ops[0].len_bytes as i32;
        let as_expected = |completion: &Completion| [whole, -libc::ECANCELED].contains(&completion.result);
        assert!(done.iter().all(as_expected), "{name}: {done:?}");
        // Nothing is left that could complete later.
        bench.engine.reap(1, u32::MAX, None, &mut done).unwrap();
        assert_eq!(done.len(), taken, "{name}");
    };
    for_all(|name, bench| {
        let ops = one_each(bench.depth, OpKind::Write);
        for _ in 0..2 {
            drained(name, bench, &ops);
        }
    });
    for_long_requests(|entry, open, ops| drained(entry.name, &mut open(), ops));
}

#[test]
fn dropping_with_requests_in_flight_is_safe() {
    for_all(|_, bench| {
        bench.engine.submit(&one_each(bench.depth, OpKind::Write)).unwrap();
    });
    for_long_requests(|entry, open, ops| {
        for _ in 0..5 {
            let mut bench = open();
            bench.run(ops);
            let reads: Vec<IoOp> = ops.iter().map(|&op| IoOp { kind: OpKind::Read, ..op }).collect();
            assert_eq!(bench.submit_all(&reads), reads.len());
            let Bench { engine, buffers, .. } = bench;
            drop(engine);
            assert_eq!(Arc::strong_count(&buffers), 1, "{} kept the memory", entry.name);
            // A byte of each page, the last read first: quickly, before a read that is still active
            // completes.
            // SAFETY: the engine is gone.
            let slot_bytes = |slot| unsafe { buffers.slot_bytes(slot, LONG_BYTES as usize) };
            let slots = || (0..LONG_DEPTH).rev().map(slot_bytes);
            slots().for_each(|bytes| bytes.iter_mut().step_by(4_096).for_each(|byte| *byte = 0xaa));
            std::thread::sleep(Duration::from_millis(20));
            let is_kept = |bytes: &mut [u8]| bytes.iter().step_by(4_096).all(|&byte| byte == 0xaa);
            assert!(slots().all(is_kept), "{} still reads", entry.name);
        }
    });
}

extern "C" fn ignore(_: libc::c_int) {}

/// Sets a flag on drop, even if a test fails.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn signals_cause_no_errors() {
    // SAFETY: the handler does nothing. Without SA_RESTART it interrupts system calls.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = ignore as *const () as libc::sighandler_t;
        assert_eq!(libc::sigaction(libc::SIGURG, &action, std::ptr::null_mut()), 0);
    }
    // SAFETY: no preconditions.
    let disturbed = unsafe { libc::pthread_self() } as usize;
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = SetAtEnd(&is_over);
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                // SAFETY: that thread waits for this one.
                unsafe { libc::pthread_kill(disturbed as libc::pthread_t, libc::SIGURG) };
                std::thread::sleep(Duration::from_micros(50));
            }
        });
        for_all(|name, bench| {
            let ops = one_each(bench.depth, OpKind::Write);
            for _ in 0..20 {
                let done = bench.run(&ops);
                assert_eq!(done.len(), ops.len(), "{name}");
                assert!(done.iter().all(|completion| completion.result == BLOCK_RESULT), "{name}: {done:?}");
            }
        });
        for_long_requests(|entry, open, ops| {
            let done = open().run(ops);
            assert!(
                done.iter().all(|completion| completion.result == LONG_BYTES as i32),
                "{}: {done:?}",
                entry.name
            );
        });
    });
}
