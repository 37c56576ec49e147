//! Sequences with unequally popular offsets, files or parts.

use cardiograph_core::workload::{AccessZone, Distribution, ZoneLen};

use super::*;

#[test]
fn a_share_of_random_io_is_sequential() {
    let sequential = |drawn: &[Request], direction: Direction| {
        let own: Vec<&Request> = drawn.iter().filter(|request| request.direction == direction).collect();
        let follows = |pair: &&[&Request]| pair[1].offset_bytes == pair[0].offset_bytes + pair[0].len_bytes;
        own.windows(2).filter(follows).count() as f64 / own.len() as f64
    };
    for (percents, order) in [([30, 80], Order::RandomRepeating), ([90, 10], Order::RandomUnique)] {
        let random_percent =
            PerDirection { read: percents[0], write: percents[1], ..PerDirection::default() };
        let workload = Workload { random_percent, ..workload(order, 50, fixed(4 * KIB)) };
        let drawn = draw(&workload, &[file(KIB, 4 << 30)], 20_000);
        for (direction, percent) in [(Direction::Read, percents[0]), (Direction::Write, percents[1])] {
            let found = sequential(&drawn, direction);
            let expected = f64::from(100 - percent) / 100.0;
            assert!((found - expected).abs() < 0.002, "{direction:?}, {percent} %: {found}");
        }
    }
    // No random I/O is left: each direction goes from the start to the end, and again.
    let none = Workload {
        random_percent: PerDirection::from_fn(|_| 0),
        ..workload(Order::RandomUnique, 100, fixed(4 * KIB))
    };
    let expected = [0, 1, 2, 0, 1].map(|block| KIB + block * 4 * KIB);
    assert_eq!(offsets(&draw(&none, &[file(KIB, 14 * KIB)], 5)), expected);
    // Whole runs are sequential as well.
    let runs = Workload { random_run: 4, random_percent: PerDirection::from_fn(|_| 50), ..none };
    let drawn = draw(&runs, &[file(0, 4 << 30)], 20_000);
    let found = sequential(&drawn, Direction::Read);
    assert!((found - 0.875).abs() < 0.002, "{found}");
    assert_eq!(Requests::pass_len_bytes(&runs, &[file(0, 1 << 30)]), 0);
}

#[test]
fn zones_have_their_shares_and_are_uniform_inside() {
    let zone = |percent, len| AccessZone { percent, len: ZoneLen::Percent { percent: len } };
    let read = vec![zone(60, 10), zone(30, 20), zone(10, 70)];
    let write = vec![zone(0, 50), zone(100, 25)];
    let access_zones = PerDirection { read, write, ..PerDirection::default() };
    let workload = Workload { access_zones, ..workload(Order::RandomRepeating, 50, fixed(4 * KIB)) };
    let drawn = draw(&workload, &[file(KIB, 4_000 * KIB)], 60_000);
    let mut counts = [[0u32; 1_000]; 2];
    for request in &drawn {
        counts[usize::from(request.direction == Direction::Write)]
            [((request.offset_bytes - KIB) / (4 * KIB)) as usize] += 1;
    }
    let sum =
        |direction: usize, blocks: std::ops::Range<usize>| counts[direction][blocks].iter().sum::<u32>();
    assert_eq!([sum(0, 0..100), sum(0, 100..300), sum(0, 300..1_000)], [18_000, 9_000, 3_000]);
    assert_eq!([sum(1, 0..500), sum(1, 500..750), sum(1, 750..1_000)], [0, 30_000, 0]);
    for blocks in [&counts[0][..100], &counts[0][100..300], &counts[1][500..750]] {
        let expected = f64::from(blocks.iter().sum::<u32>()) / blocks.len() as f64;
        let chi_squared: f64 =
            blocks.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum::<f64>();
        // Its mean is the degrees of freedom, its deviation the root of twice that: stay within four deviations.
        let freedom = blocks.len() as f64 - 1.0;
        assert!((chi_squared - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "{chi_squared:.1}, {freedom}");
    }
}

#[test]
fn zones_of_any_length_stay_inside_the_region() {
    let zone = |percent, len_bytes| AccessZone { percent, len: ZoneLen::Bytes { len_bytes } };
    for (zones, places) in [
        // Too short for a block each; longer than the region; ending inside a block.
        (vec![zone(50, 1), zone(50, 1)], vec![0, 1]),
        (vec![zone(100, 1 << 40)], vec![0, 1, 2, 3]),
        (vec![zone(10, 1 << 40), zone(90, 1)], vec![0, 1, 2, 3]),
        (vec![zone(0, 5 * KIB), zone(100, 4 * KIB)], vec![2]),
    ] {
        let access_zones = PerDirection::from_fn(|_| zones.clone());
        let workload = Workload { access_zones, ..workload(Order::RandomRepeating, 100, fixed(4 * KIB)) };
        let drawn = offsets(&draw(&workload, &[file(0, 19 * KIB)], 300));
        let found: std::collections::BTreeSet<u64> = drawn.iter().map(|offset| offset / (4 * KIB)).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), places, "{zones:?}");
    }
}

#[test]
fn popular_offsets_are_inside_and_on_the_grid() {
    for distribution in [
        Distribution::Zipf { theta: 1.2, center: None },
        Distribution::Pareto { hot: 0.2, center: Some(0.5) },
        Distribution::Normal { deviation_percent: 20.0, center: None },
    ] {
        let workload = Workload { distribution, ..workload(Order::RandomRepeating, 50, range()) };
        let drawn = draw(&workload, &[file(512, 400 * KIB), file(512, 400 * KIB)], 10_000);
        for request in &drawn {
            assert_eq!((request.offset_bytes - 512) % (4 * KIB), 0);
            assert!(request.offset_bytes + request.len_bytes <= 512 + 400 * KIB);
        }
        assert_eq!(drawn, draw(&workload, &[file(512, 400 * KIB), file(512, 400 * KIB)], 10_000));
        assert_eq!(Requests::pass_len_bytes(&workload, &[file(0, 1 << 30)]), 0);
        // Reads and writes have the same hot places.
        let hottest = |direction: Direction| {
            let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
            let own = drawn.iter().filter(|request| (request.direction, request.file) == (direction, 0));
            own.for_each(|request| *counts.entry(request.offset_bytes).or_default() += 1);
            counts.into_iter().max_by_key(|&(_, count)| count).unwrap().0
        };
        if !matches!(distribution, Distribution::Normal { .. }) {
            assert_eq!(hottest(Direction::Read), hottest(Direction::Write), "{distribution:?}");
        }
    }
}

#[test]
fn popular_files_are_not_left_out() {
    let distribution = Distribution::Zipf { theta: 1.0, center: Some(0.0) };
    let workload = Workload {
        file_turn: (FileTurn::Skewed(distribution), 1),
        ..workload(Order::Sequential, 100, fixed(4 * KIB))
    };
    let files: Vec<FileUse> = (0..4).map(|_| file(0, 16 * KIB)).collect();
    let mut counts = [0.0f64; 4];
    draw(&workload, &files, 20_000).iter().for_each(|request| counts[request.file as usize] += 1.0);
    // 1, 1/2, 1/3 and 1/4 of 25/12; 16.3 is the 0.1 % point for 3 degrees of freedom.
    let chi_squared: f64 = (0..4)
        .map(|rank| (20_000.0 * 12.0 / 25.0 / (rank + 1) as f64, counts[rank]))
        .map(|(expected, count)| (count - expected).powi(2) / expected)
        .sum();
    assert!(chi_squared < 16.3, "{counts:?}: {chi_squared:.1}");
    assert_eq!(Requests::pass_len_bytes(&workload, &files), 0);
    assert_eq!(Requests::pass_len_bytes(&workload, &files[..1]), 16 * KIB);
    // With fewer open files, the others are not used.
    let open = Workload { open_files: Some(2), ..workload };
    assert!(draw(&open, &files, 1_000).iter().all(|request| request.file < 2));
}
