//! A repair that is killed, or finds the disk full, at any of its system calls loses nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use cardiograph_core::report::StepResult;
use cardiograph_store::{Query, SqliteStore, Store, Unsent};

use cardiograph_testing::reports;

/// When this names a file, the function below repairs it, in a separate process.
const FILE: &str = "CARDIOGRAPH_TEST_REPAIR";

/// Not a test: runs as a separate process for the tests below.
#[test]
fn repairer() {
    let Some(file) = std::env::var_os(FILE) else { return };
    SqliteStore::new(file).repair().unwrap();
}

/// The calls that change the disk. A kill between them is the same as a kill at the next one.
const CALLS: &str = "pwrite64,ftruncate,fsync,fdatasync,renameat,unlink,unlinkat";

/// Repairs with a fault in the `nth` call; returns whether there were that many calls.
fn repair_with(file: &Path, call: &str, nth: usize, fault: &str, log: &Path) -> bool {
    let words = [
        "-f".to_string(),
        "-o".to_string(),
        log.display().to_string(),
        "-e".to_string(),
        format!("trace={call}"),
        "-P".to_string(),
    ];
    // Only count calls on files in its directory.
    let directory = file.parent().unwrap();
    let mut command = Command::new("strace");
    command.args(&words).arg(directory);
    for name in [
        "drives.db",
        "drives.db-wal",
        "drives.db-shm",
        "drives.db-journal",
        "drives.db-copy",
        "drives.db-copy-wal",
        "drives.db.damaged-1",
        "drives.db.damaged-1-wal",
        "drives.db.damaged-1-shm",
    ] {
        command.arg("-P").arg(directory.join(name));
    }
    command.args(["-e", &format!("inject={call}:{fault}:when={nth}")]);
    command.arg(std::env::current_exe().unwrap()).args(["repair::repairer", "--exact", "--test-threads=1"]);
    command.env(FILE, file).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().unwrap();
    fs::read_to_string(log).unwrap().contains("INJECTED") || !status.success()
}

/// All readable steps.
fn readable(file: &Path) -> BTreeMap<String, Vec<StepResult>> {
    let store = SqliteStore::new(file);
    let runs = store.find(&Query::default()).unwrap();
    runs.iter().filter_map(|run| Some((run.id.to_string(), store.load(&run.id).ok()?.steps))).collect()
}

/// A damaged store: closed, or with a log that a writer left behind.
fn make(directory: &Path, has_log: bool) {
    let file = directory.join("made.db");
    // Enough figures that the log of the last checkup holds none of the first.
    SqliteStore::new(&file).save(&reports::finished("r1", 1, 60)).unwrap();
    let store = SqliteStore::new(&file);
    store.save(&reports::finished("r2", 3, 1)).unwrap();
    let to = directory.join("drives.db");
    if has_log {
        fs::copy(directory.join("made.db-wal"), directory.join("drives.db-wal")).unwrap();
    } else {
        drop(store);
    }
    let mut bytes = fs::read(&file).unwrap();
    // Figures of an earlier checkup.
    for at in 0..bytes.len() - 9 {
        bytes[at] ^= u8::from(bytes[at..].starts_with(b"longest_s"));
    }
    for name in ["made.db", "made.db-wal", "made.db-shm"] {
        let _ = fs::remove_file(directory.join(name));
    }
    fs::write(to, bytes).unwrap();
}

fn with_faults(what: &str, fault: &str, has_log: bool) {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        return cardiograph_testing::skip(what, "no strace");
    }
    let mut faults = 0;
    let made = tempfile::tempdir().unwrap();
    make(made.path(), has_log);
    let copy = |to: &Path| {
        fs::create_dir(to).unwrap();
        for entry in fs::read_dir(made.path()).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
        to.join("drives.db")
    };
    let read = tempfile::tempdir().unwrap();
    let before = readable(&copy(&read.path().join("store")));
    assert_eq!(before.values().map(Vec::len).collect::<Vec<_>>(), [60, 1]);
    for call in CALLS.split(',') {
        let mut nth = 0;
        loop {
            // All pages are written the same way.
            nth += if nth < 3 { 1 } else { cardiograph_testing::part_or_all(67, 1) };
            let place = tempfile::tempdir().unwrap();
            let directory = place.path().join("store");
            let file = copy(&directory);
            if !repair_with(&file, call, nth, fault, &place.path().join("log")) {
                let aside = directory.join("drives.db.damaged-1");
                assert!(aside.exists(), "{call} {nth}, log: {has_log}: it is mended without a fault");
                break;
            }
            faults += 1;
            let case = format!("{what}: {call} {nth}, log: {has_log}");
            let holds = |found: &BTreeMap<String, Vec<StepResult>>| found == &before;
            assert!(holds(&readable(&file)), "{case}");
            SqliteStore::new(&file).repair().unwrap_or_else(|error| panic!("{case}: {error}"));
            assert!(holds(&readable(&file)), "{case}: repaired again");
            assert!(SqliteStore::new(&file).repair().unwrap().is_none(), "{case}");
        }
    }
    assert!(faults > 10, "{what}: only {faults} calls failed");
    println!("{what}: {faults} faults");
}

#[test]
fn a_repair_killed_at_any_call_loses_nothing() {
    with_faults("killed repairs", "signal=KILL", false);
}

#[test]
fn a_repair_killed_with_a_log_present_loses_nothing() {
    with_faults("killed repairs beside a log", "signal=KILL", true);
}

#[test]
fn a_repair_on_a_full_disk_loses_nothing() {
    with_faults("repairs on a full disk", "error=ENOSPC", false);
}

#[test]
fn a_repair_on_a_full_disk_with_a_log_loses_nothing() {
    with_faults("repairs on a full disk beside a log", "error=ENOSPC", true);
}

/// What is not in the Reports.
#[test]
fn a_repair_keeps_joined_drives_senders_tokens_and_the_outbox() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let token = cardiograph_store::Token {
        name: "pi".to_string(),
        role: "sender".to_string(),
        created_unix_ms: 7,
        expires_unix_ms: None,
        revoked_unix_ms: None,
        used_unix_ms: None,
    };
    let joined = {
        let store = SqliteStore::new(&file);
        let mut other = reports::finished("b", 2, 1);
        other.drive.leaves[0].serial = Some("other".to_string());
        store.access().save_from(&reports::finished("a", 1, 1), "pi").unwrap();
        store.save(&other).unwrap();
        store.access().add_token(&token, &[7; 32]).unwrap();
        store.access().add_to_outbox("https://team", &["b"]).unwrap();
        let drives = store.drives(&Default::default()).unwrap();
        store.join_drives(&drives[0].key, &drives[1].key).unwrap();
        store.joined_drives().unwrap()
    };
    // A drive that is not what was saved is damage, which a repair finds.
    rusqlite::Connection::open(&file).unwrap().execute("UPDATE drive SET checkups = 7", []).unwrap();
    let store = SqliteStore::new(&file);
    let damaged = store.drives(&Default::default()).unwrap_err().message();
    assert_eq!(damaged.id(), "store-damaged");
    assert_eq!(store.repair().unwrap().unwrap().saved, 2);
    assert_eq!(store.joined_drives().unwrap(), joined);
    assert_eq!(store.drives(&Default::default()).unwrap()[0].checkups, 2);
    assert_eq!(store.access().sender("a").unwrap().as_deref(), Some("pi"));
    assert_eq!(store.access().token(&[7; 32]).unwrap(), Some(token));
    let unsent = Unsent { server: "https://team".to_string(), id: "b".to_string() };
    assert_eq!(store.access().outbox().unwrap(), [unsent]);
    assert!(store.repair().unwrap().is_none());
}
