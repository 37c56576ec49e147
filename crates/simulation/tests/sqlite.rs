//! SQLite itself on the simulated disk: its guarantees hold here, so failures elsewhere are the program's.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use cardiograph_core::rng::Rng;
use cardiograph_simulation::disk::{Disk, ROOT};
use cardiograph_simulation::{Faults, World, vfs};
use rusqlite::{Connection, OpenFlags};

fn open(mode: &str) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags_and_vfs("/d/x.db", OpenFlags::default(), vfs::NAME)?;
    connection.busy_timeout(Duration::from_secs(20))?;
    connection.execute_batch("PRAGMA synchronous = EXTRA")?;
    connection.query_row(&format!("PRAGMA journal_mode = {mode}"), [], |row| row.get::<_, String>(0))?;
    connection.execute_batch("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, text TEXT)")?;
    Ok(connection)
}

/// Acknowledged rows survive all faults, and nothing is damaged.
#[test]
fn committed_rows_survive_kills_and_power_cuts() {
    vfs::register();
    let (mut cuts, mut kept_up) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mode = if seed % 4 == 0 { "DELETE" } else { "WAL" };
        let mut disk = Disk::new();
        disk.create_directory(ROOT, "d".as_ref(), 0o700).unwrap();
        disk.sync(ROOT);
        // The creator of the file must make it durable.
        let file = disk.create(1, "x.db".as_ref(), 0o600).unwrap();
        disk.sync(1);
        let acknowledged = Arc::new(AtomicU64::new(0));
        for _ in 0..3 {
            let writer = |from: u64| -> Box<dyn FnOnce() + Send> {
                let acknowledged = acknowledged.clone();
                Box::new(move || {
                    let Ok(connection) = open(mode) else { return };
                    for n in 0..20 {
                        let text = format!("{from}-{n} {}", "x".repeat(700));
                        if connection.execute("INSERT INTO t (text) VALUES (?1)", [text]).is_ok() {
                            acknowledged.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                })
            };
            let faults = match rng.below(3) {
                0 => Faults { kills_at: vec![rng.below(600)], ..Faults::default() },
                1 => Faults { cuts_at: Some(rng.below(900)), ..Faults::default() },
                _ => Faults { fails_at: vec![rng.below(100), rng.below(100)], ..Faults::default() },
            };
            let (next, stats) = World::new(disk, rng.next_u64(), faults).run(vec![writer(0), writer(1)]);
            cuts += u64::from(stats.was_cut);
            let found = Arc::new(AtomicI64::new(-1));
            let counts = found.clone();
            let look = move || {
                let connection = open(mode).unwrap();
                let whole: String =
                    connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
                assert_eq!(whole, "ok", "seed {seed}");
                let count = connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
                counts.store(count, Ordering::Relaxed);
            };
            (disk, _) = World::new(next, 1, Faults::default()).run(vec![Box::new(look)]);
            let (found, acknowledged) = (found.load(Ordering::Relaxed), acknowledged.load(Ordering::Relaxed));
            assert!(found >= acknowledged as i64, "seed {seed}: {found} of {acknowledged}");
            kept_up += acknowledged;
        }
        assert!(disk.walk(Path::new("/d/x.db")).unwrap() == file);
    }
    assert!(cuts > 100 && kept_up > 4_000, "{cuts} {kept_up}");
}

/// A disk that forgets a sync would be detected.
#[test]
fn without_syncs_rows_are_lost() {
    vfs::register();
    let mut lost = 0;
    for seed in 0..40 {
        let mut disk = Disk::new();
        let acknowledged = Arc::new(AtomicU64::new(0));
        let counts = acknowledged.clone();
        let write = move || {
            let Ok(connection) =
                Connection::open_with_flags_and_vfs("/x.db", OpenFlags::default(), vfs::NAME)
            else {
                return;
            };
            let _ = connection.execute_batch("PRAGMA synchronous = OFF; CREATE TABLE t (text TEXT)");
            for _ in 0..20 {
                if connection.execute("INSERT INTO t (text) VALUES (?1)", ["x".repeat(700)]).is_ok() {
                    counts.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        let cut = Faults { cuts_at: Some(300), ..Faults::default() };
        (disk, _) = World::new(std::mem::take(&mut disk), seed, cut).run(vec![Box::new(write)]);
        let found = Arc::new(AtomicU64::new(0));
        let counts = found.clone();
        let look = move || {
            let Ok(connection) =
                Connection::open_with_flags_and_vfs("/x.db", OpenFlags::default(), vfs::NAME)
            else {
                return;
            };
            let count = connection.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, u32>(0));
            counts.store(u64::from(count.unwrap_or(0)), Ordering::Relaxed);
        };
        World::new(disk, seed, Faults::default()).run(vec![Box::new(look)]);
        lost += u64::from(found.load(Ordering::Relaxed) < acknowledged.load(Ordering::Relaxed));
    }
    assert!(lost > 10, "{lost}");
}
