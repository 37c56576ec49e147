//! One suite over all engines: what each must do, whatever it is made of.

use std::sync::Arc;

use cardiograph_core::Direction;
use cardiograph_engine::buffers::Arena;
use cardiograph_engine::engine::OpKind;
use cardiograph_engine::sim::{DriveModel, SimDrive};
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Clock, Completion, ENGINES, EngineContext, EngineEntry, IoEngine, IoOp, Target};

const BLOCK: usize = 4_096;
const LEN_BYTES: u64 = 1 << 20;

/// An engine over something to use it on, and the memory that it shares with the test.
struct Bench {
    engine: Box<dyn IoEngine>,
    buffers: Arc<Arena>,
    clock: Clock,
    drive: Option<Arc<SimDrive>>,
    depth: u32,
}

impl Bench {
    fn new(entry: &EngineEntry, direct: bool, depth: u32, directory: &std::path::Path) -> Self {
        let (target, clock, drive) = match entry.name {
            "null" => (Target::without_storage(LEN_BYTES), Clock::machine(), None),
            "sim" => {
                let drive = SimDrive::new(DriveModel::named("sandisk-ultra-64").unwrap(), 1);
                let file = drive.create_file(LEN_BYTES).unwrap();
                (Target::simulated(file), Clock::simulated(drive.time()), Some(drive))
            }
            _ => {
                let target = Target::create_file(directory, LEN_BYTES, Naming::Automatic).unwrap();
                (target, Clock::machine(), None)
            }
        };
        let buffers = Arena::new(depth as usize, BLOCK * 2).unwrap();
        let context = EngineContext { target, direct, depth, buffers: buffers.clone(), clock: clock.clone() };
        let engine = (entry.open)(&context).unwrap().engine;
        Self { engine, buffers, clock, drive, depth }
    }

    fn fill(&self, slot: u32, byte: u8) {
        // SAFETY: nothing is in flight for this slot.
        unsafe { self.buffers.slot_bytes(slot, BLOCK) }.fill(byte);
    }

    fn first_bytes(&self, slot: u32) -> [u8; 16] {
        // SAFETY: nothing is in flight for this slot.
        *unsafe { self.buffers.slot_bytes(slot, BLOCK) }.first_chunk().unwrap()
    }

    /// Submits all and reaps all, whatever the engine takes at a time.
    fn run(&mut self, ops: &[IoOp]) -> Vec<Completion> {
        let mut left = ops;
        let mut done = Vec::new();
        while done.len() < ops.len() {
            let taken = self.engine.submit(left).unwrap();
            left = &left[taken..];
            self.reap_some(&mut done);
        }
        done
    }

    fn reap_some(&mut self, done: &mut Vec<Completion>) {
        if let (Some(drive), Some(at)) = (&self.drive, self.engine.next_completion_at()) {
            drive.time().store(at, std::sync::atomic::Ordering::Relaxed);
        }
        let until = self.clock.now() + self.clock.ticks(5_000_000_000);
        self.engine.reap(1, Some(until), done).unwrap();
    }
}

fn op(slot: u32, kind: OpKind, block: u64) -> IoOp {
    let len_bytes = if kind.direction() == Direction::Sync { 0 } else { BLOCK as u32 };
    IoOp { slot, kind, offset_bytes: block * BLOCK as u64, len_bytes }
}

/// Runs `check` over each engine that is available, buffered and direct, at depth 1 and 8.
fn for_all(check: impl Fn(&str, &mut Bench)) {
    let directory = cardiograph_testing::disk_dir();
    let mut checked = 0;
    for entry in ENGINES {
        if let Err(unavailable) = (entry.probe)() {
            cardiograph_testing::skip(&format!("conformance of {}", entry.name), &unavailable.reason);
            continue;
        }
        for (direct, depth) in [(false, 1), (true, 1), (false, 8), (true, 8)] {
            let mut bench = Bench::new(entry, direct, depth, directory.path());
            check(&format!("{} direct={direct} depth={depth}", entry.name), &mut bench);
            checked += 1;
        }
    }
    assert!(checked >= 4 * 3, "psync, null and sim are always there");
}

#[test]
fn every_request_completes_once_with_its_own_slot() {
    for_all(|name, bench| {
        for round in 0..3 {
            let ops: Vec<IoOp> =
                (0..bench.depth).map(|slot| op(slot, OpKind::Write, u64::from(slot) + round)).collect();
            let before = bench.clock.now();
            let mut done = bench.run(&ops);
            let after = bench.clock.now();
            done.sort_by_key(|completion| completion.slot);
            let slots: Vec<u32> = done.iter().map(|completion| completion.slot).collect();
            assert_eq!(slots, (0..bench.depth).collect::<Vec<_>>(), "{name}");
            for completion in done {
                assert_eq!(completion.result, BLOCK as i32, "{name}");
                assert!((before..=after).contains(&completion.completed_at), "{name}");
            }
        }
    });
}

#[test]
fn what_was_written_is_read() {
    for_all(|name, bench| {
        if name.starts_with("null") {
            return;
        }
        for slot in 0..bench.depth {
            bench.fill(slot, slot as u8 + 1);
        }
        let writes: Vec<IoOp> =
            (0..bench.depth).map(|slot| op(slot, OpKind::Write, u64::from(slot) * 3)).collect();
        bench.run(&writes);
        bench.run(&[op(0, OpKind::Fsync, 0)]);
        for slot in 0..bench.depth {
            bench.fill(slot, 0xff);
        }
        // The last block first: nothing may depend on the order.
        let last = bench.depth - 1;
        let reads: Vec<IoOp> =
            (0..bench.depth).map(|slot| op(slot, OpKind::Read, u64::from(last - slot) * 3)).collect();
        bench.run(&reads);
        for slot in 0..bench.depth {
            assert_eq!(bench.first_bytes(slot), [(last - slot) as u8 + 1; 16], "{name}");
        }
    });
}

#[test]
fn the_last_block_can_be_used() {
    for_all(|name, bench| {
        let last = LEN_BYTES / BLOCK as u64 - 1;
        for kind in [OpKind::Write, OpKind::Read] {
            assert_eq!(bench.run(&[op(0, kind, last)])[0].result, BLOCK as i32, "{name}");
        }
    });
}

#[test]
fn syncs_move_no_bytes() {
    for_all(|name, bench| {
        for kind in [OpKind::Fsync, OpKind::Fdatasync] {
            assert_eq!(bench.run(&[op(0, kind, 0)])[0].result, 0, "{name}");
        }
    });
}

#[test]
fn a_failed_request_is_a_completion() {
    for_all(|name, bench| {
        if name.starts_with("null") || name.starts_with("sim") {
            return;
        }
        // A length that ends outside the slot's registered memory is a fault of the request, not of the engine; a
        // read behind the end of the file moves nothing.
        let behind = bench.run(&[op(0, OpKind::Read, LEN_BYTES / BLOCK as u64)]);
        assert_eq!(behind[0].result, 0, "{name}");
        let far = IoOp { offset_bytes: 1 << 62, ..op(0, OpKind::Write, 0) };
        let result = bench.run(&[far])[0].result;
        assert!(result < 0, "{name}: {result}");
        assert_eq!(bench.run(&[op(0, OpKind::Write, 0)])[0].result, BLOCK as i32, "{name} goes on");
    });
}

#[test]
fn reaping_without_requests_gives_none_and_does_not_wait() {
    for_all(|name, bench| {
        let mut done = Vec::new();
        bench.engine.reap(1, None, &mut done).unwrap();
        assert!(done.is_empty(), "{name}");
        assert_eq!(bench.engine.submit(&[]).unwrap(), 0, "{name}");
    });
}

#[test]
fn cancelling_leaves_nothing_in_flight() {
    for_all(|name, bench| {
        let ops: Vec<IoOp> = (0..bench.depth).map(|slot| op(slot, OpKind::Write, u64::from(slot))).collect();
        let taken = bench.engine.submit(&ops).unwrap();
        bench.engine.cancel().unwrap();
        let mut done = Vec::new();
        while done.len() < taken {
            bench.reap_some(&mut done);
        }
        let as_expected =
            |completion: &Completion| [BLOCK as i32, -libc::ECANCELED].contains(&completion.result);
        assert!(done.iter().all(as_expected), "{name}: {done:?}");
    });
}

#[test]
fn dropping_with_requests_in_flight_is_safe() {
    for_all(|_, bench| {
        let ops: Vec<IoOp> = (0..bench.depth).map(|slot| op(slot, OpKind::Write, u64::from(slot))).collect();
        bench.engine.submit(&ops).unwrap();
    });
}

#[test]
fn engines_are_told_apart_and_explained() {
    let mut names: Vec<_> = ENGINES.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ENGINES.len());
    for entry in ENGINES {
        assert!(!entry.summary.is_empty() && !entry.summary.ends_with('.'), "{}", entry.name);
        if let Some(fallback) = entry.fallback {
            let other = cardiograph_engine::engine::find(fallback).expect(fallback);
            assert_eq!((other.probe)(), Ok(()), "{fallback} must be available everywhere");
            assert_eq!(other.is_simulated, entry.is_simulated);
        }
    }
}
