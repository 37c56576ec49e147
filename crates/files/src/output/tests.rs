//! Replacing files of every kind, and files left by killed writers.

use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use cardiograph_core::{Parameter, errno};
use cardiograph_testing::{LoopMount, run, skip, soon};
use rustix::process::{Gid, Uid, geteuid};

use super::*;
use crate::system;

/// An unprivileged user.
const NOBODY: u32 = 65_534;

fn replaced(path: &Path, bytes: &[u8]) -> Result<(), String> {
    replace(system(), path, bytes, 0o644).map_err(|refused| refused.to_string())
}

/// The expected error for a full disk.
fn full(path: &Path) -> String {
    let error = Parameter::OsError(errno::ENOSPC);
    message!("output-not-written.full", path, error).to_string()
}

/// The names in a directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Creates a directory that everybody can list, with a file in it.
fn directory_with(content: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).unwrap();
    let path = directory.path().join("file");
    fs::write(&path, content).unwrap();
    (directory, path)
}

/// Runs `action` as an unprivileged user if this is root.
fn as_nobody<T: Send>(action: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            if geteuid().is_root() {
                // This changes only the current thread.
                rustix::thread::set_thread_gid(Gid::from_raw(NOBODY)).unwrap();
                rustix::thread::set_thread_uid(Uid::from_raw(NOBODY)).unwrap();
            }
            action()
        });
        thread.join().unwrap()
    })
}

#[test]
fn files_keep_mode_and_owner() {
    for mode in [0o600, 0o640, 0o644, 0o660, 0o666, 0o700, 0o4755] {
        let (directory, path) = directory_with("precious");
        let is_root = geteuid().is_root();
        if is_root {
            chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let old = fs::metadata(&path).unwrap();
        replaced(&path, b"new").unwrap();
        let new = fs::metadata(&path).unwrap();
        // Linux clears the set-user-ID bit when another user writes to a program.
        let kept = if is_root { old.mode() } else { old.mode() & !0o4000 };
        assert_eq!((new.mode(), new.uid(), new.gid()), (kept, old.uid(), old.gid()), "{mode:o}");
        assert_ne!(new.ino(), old.ino(), "replaced, not overwritten");
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(directory.path()), ["file"]);
    }
    if !geteuid().is_root() {
        skip("owners of files that are replaced", "needs root to give files away");
    }
}

#[test]
fn new_files_get_mode_reduced_by_umask() {
    use std::os::unix::fs::OpenOptionsExt;

    let directory = tempfile::tempdir().unwrap();
    for mode in [0o600, 0o644, 0o666] {
        let [ours, usual] = ["ours", "usual"].map(|name| directory.path().join(format!("{name}{mode:o}")));
        replace(system(), &ours, b"new", mode).unwrap();
        fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&usual).unwrap();
        let mode_of = |path: &Path| fs::metadata(path).unwrap().mode();
        assert_eq!(mode_of(&ours), mode_of(&usual));
    }
    assert_eq!(names(directory.path()).len(), 6);
}

#[test]
fn replacements_are_never_more_readable() {
    let (directory, path) = directory_with("secret");
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let mut writer = Writer::open(system(), &path, 0o666).unwrap();
    writer.write_all(b"new secret").unwrap();
    let modes =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().mode());
    assert_eq!(modes.map(|mode| mode & 0o777).collect::<Vec<_>>(), [0o600, 0o600]);
}

#[test]
fn irreplaceable_files_are_overwritten() {
    /// Makes the file one that cannot be replaced; an error says why this is not possible here.
    type Case = (&'static str, fn(&Path) -> Result<(), String>);
    let cases: [Case; 3] = [
        ("two names", |path| fs::hard_link(path, path.with_file_name("other")).map_err(|e| e.to_string())),
        ("an attribute", |path| {
            let flags = rustix::fs::XattrFlags::empty();
            rustix::fs::setxattr(path, "user.note", b"mine", flags).map_err(|error| error.to_string())
        }),
        ("a file mounted on it", |path| {
            let over = path.with_file_name("over");
            fs::write(&over, "precious").unwrap();
            run(std::process::Command::new("mount").arg("--bind").arg(&over).arg(path))
        }),
    ];
    for (what, prepare) in cases {
        let (directory, path) = directory_with("precious");
        if let Err(why) = prepare(&path) {
            skip(&format!("replacing a file with {what}"), &why);
            continue;
        }
        let (old, before) = (fs::metadata(&path).unwrap(), names(directory.path()));
        replaced(&path, b"new").unwrap();
        let written = Writer::open(system(), &path, 0o666).and_then(|mut writer| {
            writer
                .write_all(b"newer, too")
                .and_then(|()| writer.finish())
                .map_err(|e| Refused::system(&path, e))
        });
        let (new, content) = (fs::metadata(&path).unwrap(), fs::read_to_string(&path).unwrap());
        if what.contains("mounted") {
            cardiograph_testing::run_when_free(std::process::Command::new("umount").arg(&path)).unwrap();
        }
        written.unwrap();
        assert_eq!(content, "newer, too", "{what}");
        assert_eq!((new.ino(), new.mode(), new.nlink()), (old.ino(), old.mode(), old.nlink()), "{what}");
        assert_eq!(names(directory.path()), before, "{what}");
    }
}

#[test]
fn files_in_read_only_directories_are_overwritten() {
    let (directory, path) = directory_with("precious");
    fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
    // Neither writable nor listable; then sticky, where only the owner may replace a file.
    for mode in [0o555, 0o311, 0o1777] {
        fs::set_permissions(directory.path(), Permissions::from_mode(mode)).unwrap();
        let old = fs::metadata(&path).unwrap();
        as_nobody(|| try_open(system(), &path).unwrap());
        as_nobody(|| replaced(&path, format!("new {mode:o}").as_bytes())).unwrap();
        let new = fs::metadata(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("new {mode:o}"));
        assert_eq!((new.uid(), new.mode()), (old.uid(), old.mode()));
        let created = directory.path().join("new");
        let refused = as_nobody(|| replaced(&created, b"new"));
        assert_eq!(refused.is_ok(), mode == 0o1777 || (mode == 0o311 && !geteuid().is_root()), "{refused:?}");
        fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).unwrap();
        let _ = fs::remove_file(created);
        assert_eq!(names(directory.path()), ["file"]);
    }
}

#[test]
fn read_only_files_are_not_replaced() {
    let (directory, path) = directory_with("precious");
    fs::set_permissions(directory.path(), Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    let errors = as_nobody(|| {
        let opened = Writer::open(system(), &path, 0o666).map(drop);
        let tried = try_open(system(), &path).map(drop);
        [opened.unwrap_err().to_string(), tried.unwrap_err().to_string(), replaced(&path, b"x").unwrap_err()]
    });
    let (path, error) = (&path.canonicalize().unwrap(), Parameter::OsError(errno::EACCES));
    let expected = message!("output-not-written", path, error).to_string();
    assert_eq!(errors, [expected.clone(), expected.clone(), expected]);
    assert_eq!(fs::read_to_string(path).unwrap(), "precious");
    assert_eq!(names(directory.path()), ["file"]);
}

#[test]
fn links_stay_links() {
    let (directory, path) = directory_with("precious");
    let link = directory.path().join("link");
    std::os::unix::fs::symlink("file", &link).unwrap();
    replaced(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(directory.path()), ["file", "link"]);
}

#[test]
fn only_files_of_killed_writers_are_removed() {
    let (directory, path) = directory_with("precious");
    let root = directory.path();
    let left = || {
        let Ok(Target::File(location, old)) = find_target(system(), &path) else { panic!("it is a file") };
        let left = Temporary::create(system(), location, old.as_ref(), 0o600).unwrap();
        left.file.write_all_at(b"half", 0).unwrap();
        let name = left.abandon().into_string().unwrap();
        // A process started by another test holds the lock until it executes its program.
        soon(|| File::open(root.join(&name)).unwrap().try_lock().ok());
        name
    };
    let dead = left();
    let prefix = dead.rsplitn(3, '-').last().unwrap();
    let put = |name: &str| fs::write(root.join(name), "mine").unwrap();
    let mine = [
        format!("{prefix}-1-0.tmp.bak"),
        format!("{prefix}-1-0"),
        format!("{prefix}-1-zz.tmp"),
        format!("{prefix}-01-0.tmp"),
        format!("{prefix}-1.tmp"),
        ".file.123-0.tmp".to_string(),
    ];
    mine.iter().for_each(|name| put(name));
    put("other");
    fs::hard_link(root.join("other"), root.join(format!("{prefix}-1-1.tmp"))).unwrap();
    fs::create_dir(root.join(format!("{prefix}-1-2.tmp"))).unwrap();
    std::os::unix::fs::symlink("other", root.join(format!("{prefix}-1-3.tmp"))).unwrap();
    if geteuid().is_root() {
        put(&format!("{prefix}-1-4.tmp"));
        chown(root.join(format!("{prefix}-1-4.tmp")), Some(NOBODY), None).unwrap();
    }
    let before = names(root);
    let living = Writer::open(system(), &path, 0o600).unwrap();
    let stay = names(root);
    assert!(before.contains(&dead) && !stay.contains(&dead));
    assert_eq!(stay.len(), before.len(), "the dead one's for the living one's");
    replaced(&path, b"new").unwrap();
    assert_eq!(names(root), stay, "the living writer's, and what is not provably ours");
    drop(living);
    let dead = left();
    replaced(&root.join("another"), b"new").unwrap();
    assert!(names(root).contains(&dead), "another file's");
    replaced(&path, b"new").unwrap();
    assert!(!names(root).contains(&dead));
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q", "-m", "0"], 4 << 20, "") {
        Ok(mount) => mount,
        Err(why) => return skip("replacing files on a full disk", &why),
    };
    let path = mount.path().join("file");
    fs::write(&path, "precious").unwrap();
    let before = names(mount.path());
    let much = vec![7; 8 << 20];
    let refused = replaced(&path, &much).unwrap_err();
    assert_eq!(refused, full(&path.canonicalize().unwrap()));
    let mut writer = Writer::open(system(), &path, 0o666).unwrap();
    writer.write_all(&much).unwrap_err();
    writer.finish().unwrap();
    drop(writer);
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(names(mount.path()), before);
}

#[test]
fn streams_are_written_directly() {
    let (directory, path) = directory_with("before ");
    let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let (mut reader, pipe) = std::io::pipe().unwrap();
    for number in [file.as_raw_fd(), pipe.as_raw_fd()] {
        let path = PathBuf::from(format!("/dev/fd/{number}"));
        assert!(try_open(system(), &path).unwrap().is_some());
        replaced(&path, b"one ").unwrap();
        let mut writer = Writer::open(system(), &path, 0o666).unwrap();
        writer.write_all(b"two").and_then(|()| writer.finish()).unwrap();
    }
    drop(pipe);
    let mut piped = String::new();
    reader.read_to_string(&mut piped).unwrap();
    assert_eq!(piped, "one two");
    assert_eq!(fs::read_to_string(&path).unwrap(), "before one two");
    assert_eq!(names(directory.path()), ["file"]);

    replaced(Path::new("/dev/null"), b"gone").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    // Found before there is anything to write.
    let full = full(Path::new("/dev/full"));
    assert_eq!(try_open(system(), Path::new("/dev/full")).unwrap_err().to_string(), full);
    assert_eq!(Writer::open(system(), Path::new("/dev/full"), 0).unwrap_err().to_string(), full);
    // A read-only descriptor does not lead to its file.
    let read = File::open(&path).unwrap();
    let input = format!("/dev/fd/{}", read.as_raw_fd());
    let refused = Writer::open(system(), Path::new(&input), 0).unwrap_err().to_string();
    assert!(refused.starts_with("output-not-written(") && refused.contains(&input), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "before one two");
}

/// A file with two names is overwritten: if there is no space for the new content, the old one remains.
#[test]
fn a_full_disk_keeps_overwritten_files() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal"], 1 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("a full disk", &reason),
    };
    let path = mount.path().join("old");
    fs::write(&path, "precious").unwrap();
    fs::hard_link(&path, mount.path().join("other")).unwrap();
    let new = vec![b'x'; 200 << 10];
    // Space for one copy of it, but not for two.
    let filler = mount.path().join("filler");
    fs::write(&filler, vec![0; mount.free_bytes() as usize - (300 << 10)]).unwrap();
    let error = replaced(&path, &new).unwrap_err();
    assert_eq!(error, full(&path.canonicalize().unwrap()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    assert!(!names(mount.path()).iter().any(|name| name.starts_with(".cardiograph")), "{error}");
    mount.remove(&filler);
    replaced(&path, &new).unwrap();
    assert_eq!(fs::read(mount.path().join("other")).unwrap(), new);
}
