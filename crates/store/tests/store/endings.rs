//! Stores whose writer is killed, whose disk is full or read-only, whose file is damaged, or that two processes use
//! at once.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cardiograph_core::message;
use cardiograph_core::rng::Rng;
use cardiograph_store::{Query, SqliteStore, Store, StoreError};
use cardiograph_testing::LoopMount;

use cardiograph_testing::reports;

/// When this names a file, the function below writes to it, in a separate process.
const WRITER: &str = "CARDIOGRAPH_TEST_WRITER";
const NAME: &str = "CARDIOGRAPH_TEST_WRITER_NAME";

/// Not a test: runs as a separate process for the tests below. Saves checkups step by step, and prints each saved
/// step.
#[test]
fn writer() {
    let Some(file) = std::env::var_os(WRITER) else { return };
    let name = std::env::var(NAME).unwrap();
    let store = SqliteStore::new(file);
    for run in 0.. {
        let mut report = reports::report(&format!("{name}-{run:04}"), 1 + run);
        for number in 0..6 {
            report.steps.push(reports::step(number, run * 10 + number as u64, 200));
            let began = Instant::now();
            store.save(&report).unwrap();
            println!("saved {} {}", report.id, report.steps.len());
            // Like a real measurement, leave the store free between two steps, for as long as the save took on a busy
            // machine.
            std::thread::sleep(began.elapsed().max(Duration::from_millis(1)));
        }
    }
}

fn start_writer(file: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["endings::writer", "--exact", "--nocapture"])
        .env(WRITER, file)
        .env(NAME, name)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The steps that a writer reports as saved: id and number of steps. A killed writer may stop within a line.
fn saved(child: &mut Child) -> impl Iterator<Item = (String, usize)> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    lines.filter_map(|line: String| {
        // The test harness prints the test's name before the first line.
        let mut words = line.split_once("saved ")?.1.split(' ').map(str::to_string);
        Some((words.next()?, words.next()?.parse().ok()?))
    })
}

fn check(store: &SqliteStore, saved: &[(String, usize)]) {
    for (id, steps) in saved {
        let report = store.load(id).unwrap();
        assert!(report.steps.len() >= *steps, "{id} has {} of {steps} steps", report.steps.len());
        let seed = |number: usize| (report.started_unix_ms - 1) * 10 + number as u64;
        for (number, step) in report.steps.iter().enumerate() {
            assert_eq!(*step, reports::step(number, seed(number), 200), "{id}");
        }
    }
}

#[test]
fn a_writer_killed_at_any_moment_loses_no_step_that_was_saved() {
    let kills = cardiograph_testing::part_or_all(40, 200);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let mut rng = Rng::new(7);
    let mut steps = 0;
    for kill in 0..kills {
        let mut child = start_writer(&file, &format!("w{kill}"));
        let mut lines = saved(&mut child);
        // Kill it while it starts, or within one of its first steps, which come late on a busy machine.
        let steps_before = rng.below(8) as usize;
        let mut saved: Vec<_> = lines.by_ref().take(steps_before).collect();
        let longest_us = if steps_before == 0 { 30_000 } else { 3_000 };
        std::thread::sleep(Duration::from_micros(rng.below(longest_us)));
        child.kill().unwrap();
        child.wait().unwrap();
        saved.extend(lines);
        steps += saved.len();
        let store = SqliteStore::new(&file);
        check(&store, &saved);
        assert!(store.remarks().is_empty(), "nothing was damaged");
        if kill % 20 == 19 {
            let quick: String = rusqlite::Connection::open(&file)
                .and_then(|c| c.query_row("PRAGMA integrity_check", [], |row| row.get(0)))
                .unwrap();
            assert_eq!(quick, "ok");
        }
    }
    assert!(steps > kills, "only {steps} steps were saved: the kills came too early to prove anything");
}

#[test]
fn two_writers_and_a_reader_do_not_disturb_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let mut writers = [start_writer(&file, "a"), start_writer(&file, "b")];
    let reader = SqliteStore::new(&file);
    let until = Instant::now() + Duration::from_secs(60);
    let has_both = || {
        let runs = reader.find(&Query::default()).unwrap();
        ["a-", "b-"].iter().all(|name| runs.iter().filter(|run| run.id.starts_with(name)).count() > 3)
    };
    while !has_both() {
        assert!(Instant::now() < until, "the writers are stuck");
        for run in reader.find(&Query { limit: Some(3), ..Query::default() }).unwrap() {
            reader.load(&run.id).unwrap();
        }
    }
    for child in &mut writers {
        child.kill().unwrap();
        child.wait().unwrap();
        let saved: Vec<_> = saved(child).collect();
        assert!(saved.len() > 12);
        check(&reader, &saved);
    }
}

/// The damaged step belongs to an earlier checkup, which the writer does not touch.
#[test]
fn a_repair_loses_nothing_from_a_concurrent_writer() {
    for round in 0..cardiograph_testing::part_or_all(2, 6) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("drives.db");
        let earlier = reports::finished("earlier", 1, 3);
        SqliteStore::new(&file).save(&earlier).unwrap();
        let mut bytes = fs::read(&file).unwrap();
        let at = bytes.windows(9).position(|window| window == b"longest_s").unwrap();
        bytes[at] ^= 1;
        fs::write(&file, bytes).unwrap();
        let mut writer = start_writer(&file, "w");
        std::thread::sleep(Duration::from_millis(20 + 60 * round));
        let mended = SqliteStore::new(&file).repair().unwrap();
        assert_eq!(mended.expect("it is damaged").lost_steps, 0);
        std::thread::sleep(Duration::from_millis(50));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let saved: Vec<_> = saved(&mut writer).collect();
        let store = SqliteStore::new(&file);
        check(&store, &saved);
        assert_eq!(store.load("earlier").unwrap(), earlier);
        assert!(store.find(&Query::default()).is_ok() && store.remarks().is_empty());
        assert!(store.repair().unwrap().is_none(), "it was mended under the writer's feet, and stays whole");
    }
}

#[test]
fn only_the_owner_may_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("data/drives.db");
    let store = SqliteStore::new(&file);
    store.save(&reports::finished("a", 1, 1)).unwrap();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o077;
    assert_eq!((mode(file.clone()), mode(file.parent().unwrap().to_path_buf())), (0, 0));
    let log = PathBuf::from(format!("{}-wal", file.display()));
    assert_eq!(mode(log), 0, "the log holds the same");
}

fn fill(file: &Path, reports: u64) {
    let store = SqliteStore::new(file);
    let all: Vec<_> = (0..reports).map(|n| reports::finished(&format!("r{n:03}"), 1 + n, 4)).collect();
    store.save_all(&all).unwrap();
}

#[test]
fn a_damaged_file_is_set_aside_and_its_readable_part_saved() {
    let directory = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(5);
    let mut saved_some = 0;
    for round in 0..12 {
        let file = directory.path().join(format!("drives-{round}.db"));
        fill(&file, 40);
        let mut bytes = fs::read(&file).unwrap();
        // A few garbage pages anywhere but in the first, as worn cards have.
        for _ in 0..1 + round % 3 {
            let page = 1 + rng.below(bytes.len() as u64 / 4_096 - 1) as usize;
            bytes[page * 4_096..(page + 1) * 4_096].iter_mut().for_each(|byte| *byte = rng.below(256) as u8);
        }
        fs::write(&file, &bytes).unwrap();
        let store = SqliteStore::new(&file);
        let whole = |n: u64| reports::finished(&format!("r{n:03}"), 1 + n, 4);
        for n in 0..40 {
            match store.load(&format!("r{n:03}")) {
                Ok(report) => assert_eq!(report, whole(n), "what is read is what was saved"),
                Err(error) => assert!(matches!(error, StoreError::DamagedStore { .. }), "{error}"),
            }
        }
        assert_eq!(fs::read(&file).unwrap(), bytes, "reading changes nothing");
        if let Some(mended) = store.repair().unwrap() {
            assert_eq!(fs::read(mended.aside).unwrap(), bytes, "the damaged file is as it was");
            let listed = store.find(&Query::default()).unwrap();
            assert_eq!(listed.len(), mended.saved, "round {round}");
            let mut lost_steps = 0;
            for run in &listed {
                let report = store.load(&run.id).unwrap();
                let whole = whole(run.id[1..].parse().unwrap());
                let lost = report.notes.iter().filter(|note| note.id() == "store-step-lost").count();
                assert_eq!(report.steps.len() + lost, 4, "{}: notes say what is lost", run.id);
                assert!(report.steps.iter().all(|step| whole.steps.contains(step)), "{}", run.id);
                lost_steps += lost;
            }
            assert_eq!(lost_steps, mended.lost_steps, "round {round}");
            saved_some += usize::from(!listed.is_empty());
        }
        store.save(&reports::finished("new", 99, 1)).unwrap();
        assert_eq!(store.load("new").unwrap().steps.len(), 1);
    }
    assert!(saved_some >= 6, "{saved_some}: too few rounds had a damage that matters");
}

#[test]
fn a_file_that_is_not_a_database_is_set_aside() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let text = b"This is somebody's diary, and long enough to be looked at as a database.".repeat(40);
    fs::write(&file, &text).unwrap();
    let store = SqliteStore::new(&file).in_our_place();
    assert!(matches!(store.save(&reports::finished("a", 1, 1)), Err(StoreError::DamagedStore { .. })));
    assert_eq!(fs::read(&file).unwrap(), text);
    let mended = store.repair().unwrap().unwrap();
    assert_eq!(fs::read(mended.aside).unwrap(), text);
    store.save(&reports::finished("a", 1, 1)).unwrap();
    assert_eq!(SqliteStore::new(&file).find(&Query::default()).unwrap().len(), 1);
}

#[test]
fn another_programs_file_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let diary = b"This is somebody's diary, and long enough to be looked at as a database.".repeat(40);
    let database = directory.path().join("theirs.db");
    let theirs = rusqlite::Connection::open(&database).unwrap();
    theirs.execute_batch("CREATE TABLE entry (day TEXT); INSERT INTO entry VALUES ('Monday')").unwrap();
    drop(theirs);
    let marked = directory.path().join("marked.db");
    rusqlite::Connection::open(&marked).unwrap().execute_batch("PRAGMA application_id = 77").unwrap();
    // As a signed number, SQLite's type for it, it is below 0.
    let negative = directory.path().join("negative.db");
    rusqlite::Connection::open(&negative).unwrap().execute_batch("PRAGMA application_id = -77").unwrap();
    let cases = [
        ("diary.txt", diary),
        ("theirs.db", fs::read(&database).unwrap()),
        ("marked.db", fs::read(&marked).unwrap()),
        ("negative.db", fs::read(&negative).unwrap()),
    ];
    for (name, bytes) in cases {
        let file = directory.path().join(name);
        fs::write(&file, &bytes).unwrap();
        let store = SqliteStore::new(&file);
        let found = store.find(&Query::default()).unwrap_err();
        assert!(matches!(found, StoreError::NotAStore { .. }), "{name}: {found}");
        assert_eq!(found.message().id(), "store-foreign", "{found}");
        assert!(store.save(&reports::finished("a", 1, 1)).is_err(), "{name}");
        assert!(matches!(store.repair(), Err(StoreError::NotAStore { .. })), "{name}");
        assert_eq!(fs::read(&file).unwrap(), bytes, "{name}");
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 4, "nothing else is made");
}

#[test]
fn a_truncated_file_keeps_its_other_checkups() {
    let directory = tempfile::tempdir().unwrap();
    for (round, kept_pages) in [(0, 9), (1, 7), (2, 5)] {
        let file = directory.path().join(format!("drives-{round}.db"));
        fill(&file, 40);
        let bytes = fs::read(&file).unwrap();
        let len = bytes.len() / 4_096 * kept_pages / 10 * 4_096;
        fs::write(&file, &bytes[..len]).unwrap();
        let store = SqliteStore::new(&file);
        assert!(matches!(store.find(&Query::default()), Err(StoreError::DamagedStore { .. })));
        let saved = store.repair().unwrap().unwrap().saved;
        assert_eq!(store.find(&Query::default()).unwrap().len(), saved);
        assert!(saved * 10 >= 40 * kept_pages / 2, "{saved} of 40 in {kept_pages} tenths of the file");
    }
}

fn mounted(what: &str, len_bytes: u64) -> Option<LoopMount> {
    match LoopMount::new(&["mkfs.ext4", "-q"], len_bytes, "") {
        Ok(mounted) => Some(mounted),
        Err(reason) => {
            cardiograph_testing::skip(what, &reason);
            None
        }
    }
}

#[test]
fn a_full_disk_keeps_what_was_saved() {
    let Some(mounted) = mounted("a full disk", 6 << 20) else { return };
    let file = mounted.path().join("drives.db");
    let store = SqliteStore::new(&file);
    let mut kept = 0;
    let error = loop {
        match store.save(&reports::finished(&format!("r{kept:04}"), 1 + kept, 6)) {
            Ok(()) => kept += 1,
            Err(error) => break error.message(),
        }
        assert!(kept < 10_000);
    };
    assert_eq!(error, message!("store-database.full", path = &file));
    drop(store);
    let store = SqliteStore::new(&file);
    assert_eq!(store.find(&Query::default()).unwrap().len() as u64, kept);
    for n in 0..kept {
        assert_eq!(store.load(&format!("r{n:04}")).unwrap().steps.len(), 6);
    }
    assert!(store.remarks().is_empty());
}

#[test]
fn a_read_only_file_system_can_be_read() {
    let Some(mounted) = mounted("a read-only file system", 16 << 20) else { return };
    let file = mounted.path().join("drives.db");
    fill(&file, 5);
    mounted.remount("ro").unwrap();
    let store = SqliteStore::new(&file);
    assert_eq!(store.find(&Query::default()).unwrap().len(), 5);
    assert_eq!(store.load("r003").unwrap().steps.len(), 4);
    let error = store.save(&reports::finished("new", 9, 1)).unwrap_err().message();
    assert_eq!(error, message!("store-database.read-only", path = &file));
}

#[test]
fn ten_minutes_of_windows_are_small() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let mut report = reports::report("long", 1);
    report.steps.push(reports::step(0, 3, 6_000));
    SqliteStore::new(&file).save(&report).unwrap();
    let len_bytes = fs::metadata(&file).unwrap().len();
    assert!(len_bytes < 500_000, "{len_bytes}");
}

#[test]
fn testing_a_store_saves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::new(directory.path().join("drives.db"));
    let report = reports::finished("r1", 1, 2);
    for kept in [0, 1] {
        store.try_save(&report).unwrap();
        assert_eq!(store.find(&Query::default()).unwrap().len(), kept);
        store.save(&report).unwrap();
    }
}
