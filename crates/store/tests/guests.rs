//! Another user's store, readable but not writable.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use cardiograph_core::message;
use cardiograph_store::{Query, SqliteStore, Store, StoreError};
use cardiograph_testing::reports;

/// Directory of the stores, for the test below run as another user.
const DIRECTORY: &str = "CARDIOGRAPH_TEST_GUEST";
const NOBODY: &str = "65534";

fn fill(file: &Path) -> SqliteStore {
    let store = SqliteStore::new(file);
    let all: Vec<_> = (0..5).map(|n| reports::finished(&format!("r{n}"), 1 + n, 2)).collect();
    store.save_all(&all).unwrap();
    store
}

/// Three stores: intact and closed, with a killed writer, and damaged.
fn make(directory: &Path) {
    for name in ["whole", "killed", "damaged"] {
        fs::create_dir(directory.join(name)).unwrap();
    }
    drop(fill(&directory.join("whole/drives.db")));
    let writer = tempfile::tempdir().unwrap();
    let open = fill(&writer.path().join("drives.db"));
    for name in ["drives.db", "drives.db-wal"] {
        fs::copy(writer.path().join(name), directory.join("killed").join(name)).unwrap();
    }
    drop(open);
    let mut bytes = fs::read(directory.join("whole/drives.db")).unwrap();
    for at in 0..bytes.len() - 8 {
        bytes[at] ^= u8::from(bytes[at..].starts_with(b"finished"));
    }
    fs::write(directory.join("damaged/drives.db"), bytes).unwrap();
}

/// Lets others read files and enter directories, but only root change them.
fn close(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        for file in fs::read_dir(&entry).unwrap() {
            fs::set_permissions(file.unwrap().path(), Permissions::from_mode(0o444)).unwrap();
        }
        fs::set_permissions(&entry, Permissions::from_mode(0o555)).unwrap();
    }
    fs::set_permissions(directory, Permissions::from_mode(0o555)).unwrap();
}

fn read_as_a_guest(directory: &Path) {
    let all = Query::default();
    let store = SqliteStore::new(directory.join("whole/drives.db"));
    assert_eq!(store.find(&all).unwrap().len(), 5);
    assert_eq!(store.load("r3").unwrap().steps.len(), 2);
    assert_eq!(store.figures(&["r1", "r4"]).unwrap().len(), 2);
    let error = store.save(&reports::finished("new", 9, 1)).unwrap_err().message();
    assert_eq!(error, message!("store-database.read-only", path = &directory.join("whole/drives.db")));
    let error = SqliteStore::new(directory.join("killed/drives.db")).find(&all).unwrap_err();
    assert!(matches!(error, StoreError::LogLeft { .. }), "{error}");
    let store = SqliteStore::new(directory.join("damaged/drives.db"));
    assert!(matches!(store.find(&all), Err(StoreError::DamagedStore { .. })));
    assert!(store.repair().is_err());
    println!("read as a guest");
}

#[test]
fn a_read_only_store_is_read() {
    if let Some(directory) = std::env::var_os(DIRECTORY) {
        return read_as_a_guest(Path::new(&directory));
    }
    let directory = tempfile::tempdir().unwrap();
    make(directory.path());
    close(directory.path());
    let is_root = fs::write(directory.path().join("probe"), "").is_ok();
    if is_root {
        // Root may write everywhere, so run as another user.
        let skip = |reason: &str| cardiograph_testing::skip("a store of another user", reason);
        let as_guest = |words: &[&str]| {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]);
            command.arg(std::env::current_exe().unwrap()).args(words);
            command.env(DIRECTORY, directory.path()).current_dir("/").output()
        };
        match as_guest(&["--list"]) {
            Err(error) => return skip(&format!("no setpriv: {error}")),
            Ok(output) if !output.status.success() => {
                return skip("another user may not run the test program");
            }
            Ok(_) => {}
        }
        let output = as_guest(&["a_read_only_store_is_read", "--exact", "--nocapture"]).unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("read as a guest"), "{said}{}", String::from_utf8_lossy(&output.stderr));
    } else {
        read_as_a_guest(directory.path());
    }
    reopen(directory.path());
}

/// Makes it removable again.
fn reopen(directory: &Path) {
    let _ = fs::remove_file(directory.join("probe"));
    fs::set_permissions(directory, Permissions::from_mode(0o755)).unwrap();
    for entry in fs::read_dir(directory).unwrap() {
        fs::set_permissions(entry.unwrap().path(), Permissions::from_mode(0o755)).unwrap();
    }
}
