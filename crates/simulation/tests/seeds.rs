//! Stories of many seeds.

use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_simulation::story::{self, Outcome, PROGRAM, Subject};

/// The default number: as many as fit into a test.
const SEEDS: u64 = 200;

fn seeds() -> u64 {
    let seeds = std::env::var("CARDIOGRAPH_SEEDS").ok();
    seeds.map_or(SEEDS, |seeds| seeds.parse().expect("CARDIOGRAPH_SEEDS is a number"))
}

#[test]
fn acknowledged_data_survives_each_restart() {
    if let Ok(seed) = std::env::var("CARDIOGRAPH_SEED") {
        story::play(seed.parse().expect("CARDIOGRAPH_SEED is a number"), PROGRAM);
        return;
    }
    let seeds = seeds();
    let next = AtomicU64::new(0);
    let play = || {
        let mut sum = Outcome::default();
        while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&seed| seed < seeds) {
            let outcome = story::play(seed, PROGRAM);
            sum.calls += outcome.calls;
            sum.checkups += outcome.checkups;
            sum.cuts += outcome.cuts;
            sum.damaged += outcome.damaged;
        }
        sum
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let sums: Vec<Outcome> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(play)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let sum = |field: fn(&Outcome) -> u64| sums.iter().map(field).sum::<u64>();
    let (calls, checkups) = (sum(|outcome| outcome.calls), sum(|outcome| outcome.checkups));
    let (cuts, damaged) = (sum(|outcome| outcome.cuts), sum(|outcome| outcome.damaged));
    println!("{seeds} seeds: {calls} calls, {checkups} checkups, {cuts} power cuts, {damaged} damaged files");
    // Stories in which nothing happens prove nothing.
    assert!(checkups > seeds && cuts > seeds / 4 && damaged > seeds / 20, "{checkups} {cuts} {damaged}");
}

#[test]
fn a_seed_is_one_story() {
    for seed in 0..10 {
        let [first, again] = [story::play(seed, PROGRAM), story::play(seed, PROGRAM)];
        assert_eq!(first, again, "seed {seed}");
    }
}

/// The purpose of the stories: some of the first seeds find real or possible bugs.
#[test]
fn planted_bugs_are_found() {
    let mistakes = [
        ("a drive that lies", Subject { drive_lies: true, ..PROGRAM }),
        ("a repair that renames first", Subject { repair: story::repair_by_renaming_first, ..PROGRAM }),
    ];
    for (name, subject) in mistakes {
        let is_found = |seed| std::panic::catch_unwind(|| story::play(seed, subject)).is_err();
        assert!((0..SEEDS).any(is_found), "{name} is not found by {SEEDS} seeds");
    }
}
