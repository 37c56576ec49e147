//! Tests of the sequence as a whole.

use std::collections::{BTreeMap, HashSet};

use cardiograph_core::direction::PerDirection;
use cardiograph_core::workload::{BlockLen, BlockShare, FileTurn, Order, StopWhen, Trims};

use super::*;

mod skewed;
mod strided;

const KIB: u64 = 1_024;

fn workload(order: Order, read_percent: u32, len: BlockLen) -> Workload {
    let align_bytes = len.min_bytes();
    Workload {
        read_percent,
        order,
        block_len: PerDirection::from_fn(|_| len.clone()),
        align_bytes: PerDirection::from_fn(|_| align_bytes),
        ..Workload::default()
    }
}

fn fixed(len_bytes: u64) -> BlockLen {
    BlockLen::Fixed { len_bytes }
}

fn range() -> BlockLen {
    BlockLen::Range { min_bytes: 4 * KIB, max_bytes: 32 * KIB }
}

fn split() -> BlockLen {
    let parts = [(4 * KIB, 50), (16 * KIB, 50)];
    BlockLen::Split { parts: parts.map(|(len_bytes, percent)| BlockShare { len_bytes, percent }).to_vec() }
}

fn file(offset_bytes: u64, region_len_bytes: u64) -> FileUse {
    FileUse { target: 0, offset_bytes, region_len_bytes }
}

fn draw(workload: &Workload, files: &[FileUse], n: usize) -> Vec<Request> {
    let mut requests = Requests::new(workload, files, 7);
    (0..n).map(|_| requests.next_request()).collect()
}

fn offsets(drawn: &[Request]) -> Vec<u64> {
    drawn.iter().map(|request| request.offset_bytes).collect()
}

#[test]
fn sequential_positions_wrap_and_skip() {
    let positions = |skip_bytes: i64, region_kib: u64, n: usize| {
        let workload = Workload {
            sequential_skip_bytes: skip_bytes * KIB as i64,
            ..workload(Order::Sequential, 0, fixed(4 * KIB))
        };
        let offsets = offsets(&draw(&workload, &[file(KIB, region_kib * KIB)], n));
        offsets.iter().map(|offset| (offset - KIB) / KIB).collect::<Vec<_>>()
    };
    assert_eq!(positions(0, 12, 5), [0, 4, 8, 0, 4]);
    // The rest at the end is too short for an I/O.
    assert_eq!(positions(0, 10, 5), [0, 4, 0, 4, 0]);
    assert_eq!(positions(4, 20, 5), [0, 8, 16, 0, 8]);
    assert_eq!(positions(100, 20, 3), [0, 0, 0]);
    // Backwards, as in Debian's fio: from the start to the end, and down from there.
    assert_eq!(positions(-8, 100, 4), [0, 92, 88, 84]);
    assert_eq!(positions(-8, 100, 26)[23..], [4, 0, 92]);
    assert_eq!(positions(-6, 12, 5), [0, 6, 4, 2, 0]);
}

#[test]
fn a_sequential_pass_of_varied_lengths_leaves_no_gap() {
    for (len, turn) in [(range(), 1), (split(), 1), (range(), 2), (split(), 2)] {
        let workload = workload(Order::Sequential, 0, len);
        let files = &[file(0, 120 * KIB), file(0, 120 * KIB)][..turn];
        let mut requests = Requests::new(&workload, files, 5);
        for pass in 0..20 {
            let mut next_bytes = [0; 2];
            while next_bytes[..turn].iter().sum::<u64>() < turn as u64 * 120 * KIB {
                let request = requests.next_request();
                let next = &mut next_bytes[request.file as usize];
                assert_eq!(request.offset_bytes, *next, "pass {pass}, {turn} files");
                *next += request.len_bytes;
            }
            assert!(next_bytes[..turn].iter().all(|&bytes| bytes == 120 * KIB), "{next_bytes:?}");
        }
    }
}

#[test]
fn each_write_follows_a_trim_of_its_blocks() {
    let trims = Trims::BeforeWrites;
    for (order, len) in [
        (Order::Sequential, fixed(4 * KIB)),
        (Order::Sequential, range()),
        (Order::RandomUnique, fixed(4 * KIB)),
        (Order::RandomRepeating, split()),
    ] {
        let mut workload = Workload { trims, ..workload(order, 0, len) };
        workload.block_len.write = fixed(512);
        let files = [file(0, 400 * KIB), file(4 * KIB, 400 * KIB)];
        for files in [&files[..1], &files] {
            for pair in draw(&workload, files, 400).chunks(2) {
                assert_eq!(pair[0].direction, Direction::Trim);
                assert_eq!(pair[1], Request { direction: Direction::Write, ..pair[0] }, "{order:?}");
            }
        }
        // The offsets are those of a trim-only job.
        let only = Workload { trims: Trims::Only, ..workload.clone() };
        let trimmed: Vec<_> = draw(&workload, &files, 400).into_iter().step_by(2).collect();
        assert_eq!(draw(&only, &files, 200), trimmed);
    }
}

#[test]
fn pairs_start_only_if_both_fit() {
    let workload = Workload { trims: Trims::BeforeWrites, ..workload(Order::Sequential, 0, range()) };
    for left_kib in [8, 15, 16, 100, 999] {
        let mut requests = Requests::new(&workload, &[file(0, 400 * KIB)], 3);
        let (mut left_bytes, mut moved_bytes) = (left_kib * KIB, PerDirection::<u64>::default());
        while let Some(request) = requests.next_within(left_bytes) {
            left_bytes -= request.len_bytes;
            moved_bytes[request.direction] += request.len_bytes;
        }
        assert_eq!(moved_bytes.trim, moved_bytes.write);
        assert_eq!(moved_bytes.trim, left_kib / 8 * 4 * KIB, "{left_kib}");
    }
}

#[test]
fn sequential_reads_and_writes_have_separate_positions() {
    let drawn = draw(&workload(Order::Sequential, 70, fixed(4 * KIB)), &[file(0, 4_000 * KIB)], 200);
    for (direction, expected) in [(Direction::Read, 140), (Direction::Write, 60)] {
        let own: Vec<u64> =
            drawn.iter().filter(|r| r.direction == direction).map(|r| r.offset_bytes).collect();
        assert_eq!(own, (0..expected).map(|n| n * 4 * KIB).collect::<Vec<_>>());
    }
}

#[test]
fn unique_orders_draw_each_block_once_per_pass_across_directions() {
    for read_percent in [0, 50, 100] {
        let drawn =
            draw(&workload(Order::RandomUnique, read_percent, fixed(4 * KIB)), &[file(512, 402 * KIB)], 200);
        for pass in drawn.chunks(100) {
            let mut sorted = offsets(pass);
            sorted.sort_unstable();
            assert_eq!(sorted, (0..100).map(|n| 512 + n * 4 * KIB).collect::<Vec<_>>());
        }
        assert_ne!(offsets(&drawn[..100]), offsets(&drawn[100..]));
    }
}

#[test]
fn regions_without_an_exact_cover_repeat_and_stay_inside() {
    let aligned = |align: u64| Workload {
        align_bytes: PerDirection::from_fn(|_| align),
        ..workload(Order::RandomRepeating, 50, fixed(4 * KIB))
    };
    let mut lens_differ = workload(Order::RandomUnique, 50, fixed(4 * KIB));
    lens_differ.block_len.write = fixed(12 * KIB);
    lens_differ.align_bytes.write = 12 * KIB;
    let region = 101 * KIB;
    for (workload, places) in [
        (workload(Order::RandomRepeating, 50, fixed(4 * KIB)), 25),
        (workload(Order::RandomUnique, 50, range()), 18),
        (workload(Order::RandomUnique, 0, split()), 22),
        (aligned(512), 195),
        (aligned(64 * KIB), 2),
        (lens_differ, 25),
    ] {
        let drawn = draw(&workload, &[file(64, region)], 4_000);
        let distinct: HashSet<u64> = drawn.iter().map(|request| request.offset_bytes).collect();
        assert_eq!(distinct.len(), places, "{:?} {:?}", workload.block_len.write, workload.align_bytes.write);
        for request in drawn {
            assert!(request.offset_bytes + request.len_bytes <= 64 + region, "{request:?}");
            assert_eq!(
                (request.offset_bytes - 64) % workload.align_bytes[request.direction],
                0,
                "{request:?}"
            );
        }
    }
}

#[test]
fn repeating_offsets_are_uniform() {
    let drawn = draw(&workload(Order::RandomRepeating, 100, fixed(4 * KIB)), &[file(0, 400 * KIB)], 100_000);
    let mut counts = BTreeMap::<u64, f64>::new();
    offsets(&drawn).into_iter().for_each(|offset| *counts.entry(offset).or_default() += 1.0);
    assert_eq!(counts.len(), 100);
    let chi_squared: f64 = counts.values().map(|n| (n - 1_000.0).powi(2) / 1_000.0).sum();
    // 99 degrees of freedom: the 0.1 % points.
    assert!((61.0..149.0).contains(&chi_squared), "{chi_squared:.1}");
}

#[test]
fn runs_continue_from_each_random_offset() {
    let runs = Workload { random_run: 4, ..workload(Order::RandomUnique, 0, fixed(4 * KIB)) };
    let drawn = offsets(&draw(&runs, &[file(0, 4_000 * KIB)], 400));
    let breaks = drawn.windows(2).filter(|pair| pair[1] != pair[0] + 4 * KIB).count();
    // 99 new offsets; a few runs are cut short by the region's end, a few offsets happen to be consecutive.
    assert!((96..=104).contains(&breaks), "{breaks}");
    assert!(drawn[..4].windows(2).all(|pair| pair[1] == pair[0] + 4 * KIB));
    assert!(drawn.iter().all(|offset| offset + 4 * KIB <= 4_000 * KIB));
}

#[test]
fn files_take_turns() {
    let turns = |kind: FileTurn, ios: u64, regions_kib: &[u64], n: usize| {
        let workload = Workload { file_turn: (kind, ios), ..workload(Order::Sequential, 0, fixed(4 * KIB)) };
        let files: Vec<FileUse> = regions_kib.iter().map(|kib| file(0, kib * KIB)).collect();
        let drawn = draw(&workload, &files, n);
        drawn.iter().map(|r| (r.file, r.offset_bytes / KIB)).collect::<Vec<_>>()
    };
    assert_eq!(turns(FileTurn::RoundRobin, 1, &[8, 8], 5), [(0, 0), (1, 0), (0, 4), (1, 4), (0, 0)]);
    assert_eq!(turns(FileTurn::RoundRobin, 2, &[12, 12], 5), [(0, 0), (0, 4), (1, 0), (1, 4), (0, 8)]);
    // A finished file waits for the others.
    assert_eq!(
        turns(FileTurn::RoundRobin, 1, &[4, 12, 8], 7),
        [(0, 0), (1, 0), (2, 0), (1, 4), (2, 4), (1, 8), (0, 0)]
    );
    assert_eq!(
        turns(FileTurn::Sequential, 1, &[8, 4, 8], 6),
        [(0, 0), (0, 4), (1, 0), (2, 0), (2, 4), (0, 0)]
    );
    let mut pass = turns(FileTurn::Random, 1, &[400, 400, 800], 400);
    let first_hundred = pass[..100].iter().filter(|(file, _)| *file == 0).count();
    assert!((18..=50).contains(&first_hundred), "{first_hundred} of 100 went to one of three files");
    pass.sort_unstable();
    let all = [(0, 100), (1, 100), (2, 200)];
    let expected = all.iter().flat_map(|&(file, n)| (0..n).map(move |block| (file, block * 4)));
    assert_eq!(pass, expected.collect::<Vec<_>>());
}

#[test]
fn a_finished_file_makes_room_for_the_next() {
    let turns = |open_files: u64, kind: FileTurn, regions_kib: &[u64], n: usize| {
        let workload = Workload {
            file_turn: (kind, 1),
            open_files: Some(open_files),
            ..workload(Order::Sequential, 0, fixed(4 * KIB))
        };
        let files: Vec<FileUse> = regions_kib.iter().map(|kib| file(0, kib * KIB)).collect();
        draw(&workload, &files, n).iter().map(|r| r.file).collect::<Vec<_>>()
    };
    let robin = FileTurn::RoundRobin;
    assert_eq!(turns(1, robin, &[8, 8, 4], 6), [0, 0, 1, 1, 2, 0]);
    assert_eq!(turns(2, robin, &[8, 8, 8, 8], 9), [0, 1, 0, 1, 2, 3, 2, 3, 0]);
    assert_eq!(turns(2, robin, &[4, 12, 8], 7), [0, 1, 2, 1, 2, 1, 0]);
    assert_eq!(turns(3, robin, &[8, 8, 8, 8], 8), [0, 1, 2, 0, 1, 2, 3, 3]);
    assert_eq!(turns(9, robin, &[4, 4, 4], 4), turns(3, robin, &[4, 4, 4], 4));
    assert_eq!(turns(2, FileTurn::Sequential, &[8, 8, 8], 6), [0, 0, 1, 1, 2, 2]);
    let drawn = turns(2, FileTurn::Random, &[400; 4], 400);
    // The fourth file has to wait for the end of two others.
    assert!(drawn[..100].iter().all(|&file| file < 2), "{drawn:?}");
    assert!(drawn[..199].iter().all(|&file| file < 3), "{drawn:?}");
    assert!((0..4).all(|file| drawn.iter().filter(|&&other| other == file).count() == 100));
}

#[test]
fn each_file_has_its_own_order() {
    let workload = workload(Order::RandomUnique, 100, fixed(4 * KIB));
    let drawn = draw(&workload, &[file(0, 400 * KIB), file(0, 400 * KIB)], 200);
    let of = |n: u32| drawn.iter().filter(|r| r.file == n).map(|r| r.offset_bytes).collect::<Vec<_>>();
    assert_eq!(of(0).iter().collect::<HashSet<_>>(), of(1).iter().collect::<HashSet<_>>());
    assert_ne!(of(0), of(1));
}

#[test]
fn a_seed_is_a_sequence() {
    let files = [file(0, 1_000 * KIB), file(0, 1_000 * KIB)];
    for (order, len, turn) in [
        (Order::RandomUnique, fixed(4 * KIB), FileTurn::Random),
        (Order::RandomRepeating, range(), FileTurn::RoundRobin),
        (Order::Sequential, split(), FileTurn::Sequential),
    ] {
        let workload = Workload { file_turn: (turn, 1), ..workload(order, 50, len) };
        let with_seed = |seed: u64| {
            let mut requests = Requests::new(&workload, &files, seed);
            (0..300).map(|_| requests.next_request()).collect::<Vec<_>>()
        };
        assert_eq!(with_seed(1), with_seed(1));
        assert_ne!(with_seed(1), with_seed(2));
    }
}

#[test]
fn passes_have_the_stated_length() {
    let two = [file(0, 410 * KIB), file(0, 102 * KIB)];
    let skipping =
        Workload { sequential_skip_bytes: 4_096, ..workload(Order::Sequential, 0, fixed(4 * KIB)) };
    for (workload, files, expected_kib) in [
        (workload(Order::RandomUnique, 50, fixed(4 * KIB)), &two[..], 508),
        (workload(Order::Sequential, 0, fixed(4 * KIB)), &two[..1], 408),
        (workload(Order::Sequential, 0, range()), &two[..], 70),
        (workload(Order::RandomUnique, 0, range()), &two[..1], 0),
        (workload(Order::RandomRepeating, 0, fixed(4 * KIB)), &two[..1], 0),
        (skipping, &two[..1], 0),
    ] {
        let pass_len_bytes = Requests::pass_len_bytes(&workload, files);
        assert_eq!(pass_len_bytes, expected_kib * KIB);
        let mut requests = Requests::new(&workload, files, 3);
        let (mut moved_bytes, mut seen) = (0, HashSet::new());
        loop {
            let request = requests.next_request();
            moved_bytes += request.len_bytes;
            if moved_bytes > pass_len_bytes {
                break;
            }
            let blocks = (request.offset_bytes..request.offset_bytes + request.len_bytes).step_by(512);
            blocks.for_each(|at| assert!(seen.insert((request.file, at)), "{request:?} overlaps"));
        }
    }
}

/// Lengths of reads and of writes that each vary or differ, and the shortest of all.
fn varied_lens() -> Vec<(BlockLen, BlockLen, u64)> {
    let uneven = [(512, 20), (6 * KIB, 80)];
    let uneven = uneven.map(|(len_bytes, percent)| BlockShare { len_bytes, percent }).to_vec();
    let small = BlockLen::Range { min_bytes: KIB, max_bytes: 16 * KIB };
    vec![
        (small.clone(), small.clone(), KIB),
        (range(), range(), 4 * KIB),
        (split(), split(), 4 * KIB),
        (BlockLen::Split { parts: uneven.clone() }, BlockLen::Split { parts: uneven }, 512),
        (fixed(4 * KIB), fixed(64 * KIB), 4 * KIB),
        (fixed(64 * KIB), fixed(4 * KIB), 4 * KIB),
        (small, range(), KIB),
    ]
}

#[test]
fn the_last_of_varied_lengths_is_truncated_to_the_rest() {
    let one = [file(0, 256 * KIB)];
    let two = [file(0, 256 * KIB), file(0, 128 * KIB)];
    for order in [Order::Sequential, Order::RandomUnique, Order::RandomRepeating] {
        for (read, write, shortest_bytes) in varied_lens() {
            for (seed, files) in (0..40).flat_map(|seed| [(seed, &one[..]), (seed, &two[..])]) {
                let mut workload = workload(order, 50, read.clone());
                workload.block_len.write = write.clone();
                workload.align_bytes.write = write.min_bytes();
                // Not a multiple of any length.
                workload.stop.bytes = Some(1_024 * KIB + 300);
                let bound_bytes = Requests::cut_at_bytes(&workload).unwrap();
                let mut requests = Requests::new(&workload, files, seed);
                let mut left_bytes = bound_bytes;
                let mut cut = 0;
                while let Some(request) = requests.next_within(left_bytes) {
                    let Request { direction, file, offset_bytes, len_bytes } = request;
                    let lens = &workload.block_len[direction];
                    assert!(len_bytes <= left_bytes && len_bytes <= lens.max_bytes(), "{request:?}");
                    assert!(len_bytes >= lens.min_bytes(), "{request:?}");
                    assert!(offset_bytes + len_bytes <= files[file as usize].region_len_bytes);
                    let is_drawn = match lens {
                        BlockLen::Fixed { len_bytes: fixed } => len_bytes == *fixed,
                        BlockLen::Range { min_bytes, .. } => len_bytes.is_multiple_of(*min_bytes),
                        BlockLen::Split { parts } => parts.iter().any(|part| part.len_bytes == len_bytes),
                    };
                    cut += u64::from(!is_drawn);
                    assert!(is_drawn || len_bytes.is_multiple_of(lens.min_bytes()), "{request:?}");
                    left_bytes -= len_bytes;
                }
                assert_eq!(left_bytes, 300, "{order:?}, {read:?}, {write:?}, seed {seed}");
                assert!(left_bytes < shortest_bytes && cut <= 1);
            }
        }
    }
}

#[test]
fn one_direction_continues_if_the_other_does_not_fit() {
    let mut mixed = workload(Order::RandomUnique, 50, fixed(4 * KIB));
    mixed.block_len.write = fixed(64 * KIB);
    let mut requests = Requests::new(&mixed, &[file(0, 1_024 * KIB)], 3);
    assert!((0..20).all(|_| requests.next_direction_within(64 * KIB - 1) == Some(Direction::Read)));
    assert_eq!(requests.next_within(4 * KIB - 1), None);
    // A direction that a job does not have is not an alternative.
    let reads = workload(Order::RandomUnique, 100, range());
    let mut requests = Requests::new(&reads, &[file(0, 1_024 * KIB)], 3);
    assert_eq!(requests.next_within(4 * KIB - 1), None);
    assert_eq!(requests.next_within(9 * KIB).unwrap().direction, Direction::Read);
}

#[test]
fn equal_lengths_are_never_truncated() {
    let bound = |len: BlockLen, bytes: Option<u64>| {
        let stop = StopWhen { bytes, time_ns: None, ios: None };
        Requests::cut_at_bytes(&Workload { stop, ..workload(Order::Sequential, 0, len) })
    };
    assert_eq!(bound(fixed(4 * KIB), Some(KIB)), None);
    assert_eq!(bound(range(), None), None);
    assert_eq!(bound(range(), Some(KIB)), Some(KIB));
}

#[test]
fn a_distant_end_changes_nothing() {
    for len in [fixed(4 * KIB), range(), split()] {
        let workload = workload(Order::RandomUnique, 50, len);
        let files = [file(0, 400 * KIB)];
        let mut bound = Requests::new(&workload, &files, 7);
        let bound: Vec<Request> = (0..500).map_while(|_| bound.next_within(u64::MAX - 1)).collect();
        assert_eq!(bound, draw(&workload, &files, 500));
    }
}
