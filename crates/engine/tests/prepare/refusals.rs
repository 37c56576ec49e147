//! Refusals, which must leave nothing behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cardiograph_core::{Message, Parameter, message};
use cardiograph_testing::{LoopMount, disk_dir, run, skip, write_program};

use super::bench::*;

fn refused(path: &Path, options: &str) -> Message {
    refusal(prepare_one(path, options))
}

/// A parameter in bytes.
fn bytes(message: &Message, name: &str) -> u64 {
    match message.parameter(name) {
        Some(Parameter::Bytes(bytes) | Parameter::BlockBytes(bytes)) => *bytes,
        other => panic!("{message}: {name} is {other:?}"),
    }
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).unwrap().next().is_none()
}

#[test]
fn names_that_are_not_files_are_refused() {
    let directory = disk_dir();
    let pipe = directory.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let cases: [(PathBuf, Message); 4] = [
        (directory.path().into(), message!("jobs-file-kind.directory")),
        (pipe, message!("jobs-file-kind.pipe")),
        ("/dev/null".into(), message!("jobs-file-kind.character-device")),
        ("/dev/zero".into(), message!("jobs-file-kind.character-device")),
    ];
    for (path, kind) in cases {
        for rw in ["read", "write"] {
            let error = refused(&path, &format!("rw={rw} size=4k"));
            assert_eq!(error, message!("prepare-not-a-file", path = &path, kind = kind.clone()));
        }
    }
    let no_device = |path: &Path| message!("prepare-no-device", path);
    let missing = Path::new("/dev/no-such-drive");
    assert_eq!(refused(missing, "rw=write size=4k"), no_device(missing));
    assert!(!Path::new("/dev/no-such-drive").exists());
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    // Nor indirectly, in a directory that would be created, or on opening.
    let link = directory.path().join("link");
    std::os::unix::fs::symlink("/dev/no-such-drive", directory.path().join("second")).unwrap();
    std::os::unix::fs::symlink("second", &link).unwrap();
    for path in [link.as_path(), Path::new("/dev/no-such-directory/drive")] {
        for options in ["rw=write", "rw=read", "rw=write create_on_open=1"] {
            let error = refused(path, &format!("{options} size=4k"));
            assert_eq!(error, no_device(path));
        }
    }
    assert!(!Path::new("/dev/no-such-drive").exists() && !Path::new("/dev/no-such-directory").exists());
    let circle = directory.path().join("circle");
    std::os::unix::fs::symlink("circle", &circle).unwrap();
    let unexamined = |path: &Path, errno: i32| {
        let (call, error) = (message!("call.look-at"), Parameter::OsError(errno));
        message!("prepare-failed", call, path, error)
    };
    assert_eq!(refused(&circle, "rw=write size=4k"), unexamined(&circle, libc::ELOOP));
    let (below, advice) = (file.join("below"), message!("advice.other-place"));
    let expected = message!("with-advice", error = unexamined(&below, libc::ENOTDIR), advice);
    assert_eq!(refused(&below, "rw=write size=4k"), expected);
}

#[test]
fn files_that_may_not_be_created_are_not() {
    let directory = disk_dir();
    let path = directory.path().join("sub/file");
    let error = refused(&path, "rw=read size=4k allow_file_create=1 create_on_open=1");
    let [end, length] = [4_096, 0].map(Parameter::Bytes);
    assert_eq!(error, message!("prepare-nothing-to-read", job = "job", path = &path, end, length));
    assert!(is_empty(directory.path()));
    let mut plan = plan_on(&path, "rw=read size=4k");
    plan.jobs[0].workload.files.may_create = false;
    let error = refusal(prepare_watched(&plan, &[], &Watch::default()));
    assert_eq!(error, message!("prepare-may-not-create", job = "job", path = &path));
    assert!(is_empty(directory.path()));
}

#[test]
fn lengths_unsuitable_for_direct_io_are_refused_before_writing() {
    let directory = disk_dir();
    let path = directory.path().join("new/file");
    let misaligned = |options: &str| match prepare_one(&path, &format!("direct=1 size=1M {options}")) {
        Ok(prepared) => {
            drop(prepared);
            fs::remove_file(&path).unwrap();
            fs::remove_dir(path.parent().unwrap()).unwrap();
            None
        }
        error => {
            let error = refusal(error);
            assert_eq!(error.id(), "prepare-misaligned.direct", "{error}");
            assert_eq!(error.parameter("job"), Some(&"job".into()));
            assert_eq!(error.parameter("path"), Some(&(&path).into()));
            let align_bytes = bytes(&error, "align");
            assert!(align_bytes.is_power_of_two() && (512..=4_096).contains(&align_bytes));
            assert!(is_empty(directory.path()), "{options}");
            Some((error.parameter("part").unwrap().clone(), bytes(&error, "bytes")))
        }
    };
    let option = |part: &str, bytes: u64| Some((Parameter::from(part), bytes));
    let zone = |bytes: u64| Some((message!("misaligned-part.zone").into(), bytes));
    assert_eq!(misaligned("rw=write bs=4k"), None);
    assert_eq!(misaligned("rw=write bs=1000"), option("bs", 1_000));
    assert_eq!(misaligned("rw=randread bs=4k,100"), None, "writes that do not come do not matter");
    assert_eq!(misaligned("rw=randrw bs=4k,100"), option("bs", 100));
    assert_eq!(misaligned("rw=write bsrange=1000-8000"), option("bs", 1_000));
    assert_eq!(misaligned("rw=write bssplit=4k/50:700/50"), option("bs", 700));
    assert_eq!(misaligned("rw=randread bs=4k blockalign=300"), option("blockalign", 300));
    assert_eq!(misaligned("rw=read bs=4k offset=100"), option("offset", 100));
    assert_eq!(misaligned("rw=read:1000 bs=4k"), Some((message!("misaligned-part.skip").into(), 1_000)));
    let strided = "rw=read bs=4k zonemode=strided zonesize=4k";
    assert_eq!(misaligned(&format!("{strided} zonerange=8k zoneskip=100")), zone(100));
    assert_eq!(misaligned(&format!("{strided} zonerange=9000")), zone(9_000));
    assert_eq!(misaligned(strided), None);
    assert!(prepare_one(&path, "direct=0 rw=write bs=1000 size=1M").is_ok());
}

#[test]
fn a_running_program_is_not_written_to() {
    let directory = disk_dir();
    let path = directory.path().join("program");
    write_program(&path, &fs::read("/bin/sleep").unwrap());
    let mut child = Command::new(&path).arg("60").spawn().unwrap();
    let error = prepare_one(&path, "rw=write size=4k");
    let reading = prepare_one(&path, "rw=read size=4k");
    child.kill().unwrap();
    child.wait().unwrap();
    let error = refusal(error);
    assert_eq!(error, message!("prepare-in-use.program", path = &path));
    assert!(reading.is_ok());
}

#[test]
fn a_swap_file_is_not_written_to() {
    let directory = disk_dir();
    let path = directory.path().join("swap");
    fs::write(&path, vec![0; 2 << 20]).unwrap();
    rustix::fs::chmod(&path, 0o600.into()).unwrap();
    let on = run(Command::new("mkswap").arg(&path)).and_then(|()| run(Command::new("swapon").arg(&path)));
    if let Err(reason) = on {
        return skip("a swap file as a target", &reason);
    }
    let error = prepare_one(&path, "rw=write size=4k");
    run(Command::new("swapoff").arg(&path)).unwrap();
    assert_eq!(refusal(error), message!("prepare-in-use.swap", path = &path));
}

fn free_bytes(path: &Path) -> u64 {
    let room = rustix::fs::statvfs(path).unwrap();
    room.f_bfree * room.f_frsize
}

/// Waits until this many bytes are free. A process started by another test keeps removed files for a moment.
fn wait_for_free_bytes(path: &Path, len_bytes: u64) {
    let is_free = |_| {
        std::thread::sleep(Duration::from_millis(10));
        free_bytes(path) >= len_bytes
    };
    assert!((0..500).any(is_free), "{} of {len_bytes} bytes are free", free_bytes(path));
}

#[test]
fn a_full_disk_is_reported_and_no_partial_file_remains() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 32 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("laying out on a full disk", &reason),
    };
    let path = mount.path().join("file");
    // Known in advance, or found while allocating.
    for options in ["rw=read", "rw=write", "rw=write overwrite=1", "rw=read fallocate=none"] {
        // The space of a removed file becomes free some time later.
        wait_for_free_bytes(mount.path(), 16 << 20);
        let error = refused(&path, &format!("{options} size=64M"));
        assert_eq!(error.id(), "prepare-no-room", "{options}: {error}");
        assert_eq!(bytes(&error, "needed"), 64 << 20, "{options}");
        assert!((1 << 20..32 << 20).contains(&bytes(&error, "free")), "{options}: {error}");
        assert!(!path.exists(), "{options}");
    }
    wait_for_free_bytes(mount.path(), 16 << 20);
    fs::write(&path, b"content").unwrap();
    let error = refused(&path, "rw=read size=64M");
    assert_eq!((error.id(), bytes(&error, "needed")), ("prepare-no-room", (64 << 20) - 7));
    assert_eq!(fs::read(&path).unwrap(), b"content");
    // The allocated space is free again.
    wait_for_free_bytes(mount.path(), 16 << 20);

    mount.remount("ro").unwrap();
    for path in [mount.path().join("new"), path] {
        assert_eq!(refused(&path, "rw=write size=4k"), message!("prepare-read-only", path = &path));
    }
}

/// ext2 cannot allocate in advance, and needs more blocks than expected, so that only writing shows the
/// shortage.
#[test]
fn a_disk_that_fills_up_while_writing_is_reported() {
    let mount = match LoopMount::new(&["mkfs.ext2", "-q", "-b", "4096"], 48 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("a disk that fills up during a layout", &reason),
    };
    let all_bytes = free_bytes(mount.path());
    let path = |name: &str| mount.path().join(name);
    // By the engine; by plain writes, with a first file that leaves little space; as zeros that allocate.
    for (first_bytes, options) in
        [(0, "rw=read"), (all_bytes - (8 << 20), "rw=read"), (0, "rw=write fallocate=posix")]
    {
        fs::write(path("first"), vec![1; first_bytes as usize]).unwrap();
        let size = free_bytes(mount.path());
        let error = refused(&path("second"), &format!("{options} bs=4k size={size}"));
        assert_eq!((error.id(), bytes(&error, "needed")), ("prepare-no-room", size), "{error}");
        assert!(!path("second").exists());
        fs::write(path("first"), "").unwrap();
        wait_for_free_bytes(mount.path(), all_bytes);
    }
    // Without support for it, native allocation is skipped; the other kind is emulated.
    for (options, len_bytes) in [("fallocate=native", 0), ("fallocate=keep", 0), ("fallocate=posix", MIB)] {
        drop(prepare_one(&path("third"), &format!("rw=write bs=4k size=1M {options}")).unwrap());
        assert_eq!(fs::read(path("third")).unwrap(), vec![0; len_bytes as usize], "{options}");
        fs::remove_file(path("third")).unwrap();
    }
}

#[test]
fn simulated_drives_have_no_files_on_this_machine() {
    let error = refused(Path::new("x"), "ioengine=sim rw=read size=4k");
    assert_eq!(error, message!("prepare-simulated", job = "job"));
}
