//! Refusals, which must leave nothing behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cardiograph_engine::files::{FileHold, MisalignedPart, PrepareError};
use cardiograph_testing::{LoopMount, disk_dir, run, skip, write_program};

use super::bench::*;

fn refused(path: &Path, options: &str) -> PrepareError {
    prepare_one(path, options).unwrap_err()
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).unwrap().next().is_none()
}

#[test]
fn names_that_are_not_files_are_refused() {
    let directory = disk_dir();
    let pipe = directory.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let cases: [(PathBuf, &str); 4] = [
        (directory.path().into(), "a directory"),
        (pipe, "a pipe"),
        ("/dev/null".into(), "a character device"),
        ("/dev/zero".into(), "a character device"),
    ];
    for (path, expected) in cases {
        for rw in ["read", "write"] {
            let error = refused(&path, &format!("rw={rw} size=4k"));
            assert!(matches!(&error, PrepareError::NotAFile { what, .. } if *what == expected), "{error:?}");
        }
    }
    let missing = refused(Path::new("/dev/no-such-drive"), "rw=write size=4k");
    assert!(matches!(missing, PrepareError::NoSuchDevice { .. }), "{missing:?}");
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
            assert!(matches!(error, PrepareError::NoSuchDevice { .. }), "{error:?}");
        }
    }
    assert!(!Path::new("/dev/no-such-drive").exists() && !Path::new("/dev/no-such-directory").exists());
    let circle = directory.path().join("circle");
    std::os::unix::fs::symlink("circle", &circle).unwrap();
    assert!(matches!(refused(&circle, "rw=write size=4k"), PrepareError::Other { call: "look at", .. }));
    let below = refused(&file.join("below"), "rw=write size=4k");
    assert!(matches!(below, PrepareError::Other { call: "look at", .. }), "{below:?}");
}

#[test]
fn files_that_may_not_be_created_are_not() {
    let directory = disk_dir();
    let path = directory.path().join("sub/file");
    let error = refused(&path, "rw=read size=4k allow_file_create=1 create_on_open=1");
    assert!(
        matches!(error, PrepareError::NothingToRead { job: 0, len_bytes: 0, end_bytes: 4_096, .. }),
        "{error:?}"
    );
    assert!(is_empty(directory.path()));
    let mut plan = plan_on(&path, "rw=read size=4k");
    plan.jobs[0].workload.files.may_create = false;
    let error = prepare_watched(&plan, &[], &Watch::default()).unwrap_err();
    assert!(matches!(error, PrepareError::MayNotCreate { job: 0, .. }), "{error:?}");
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
        Err(PrepareError::Misaligned { job: 0, part, value_bytes, align_bytes, .. }) => {
            assert!(align_bytes.is_power_of_two() && (512..=4_096).contains(&align_bytes));
            assert!(is_empty(directory.path()), "{options}");
            Some((part, value_bytes))
        }
        Err(other) => panic!("{other:?}"),
    };
    use MisalignedPart::{BlockLen, Grid, Offset, Skip, Zone};
    assert_eq!(misaligned("rw=write bs=4k"), None);
    assert_eq!(misaligned("rw=write bs=1000"), Some((BlockLen, 1_000)));
    assert_eq!(misaligned("rw=randread bs=4k,100"), None, "writes that do not come do not matter");
    assert_eq!(misaligned("rw=randrw bs=4k,100"), Some((BlockLen, 100)));
    assert_eq!(misaligned("rw=write bsrange=1000-8000"), Some((BlockLen, 1_000)));
    assert_eq!(misaligned("rw=write bssplit=4k/50:700/50"), Some((BlockLen, 700)));
    assert_eq!(misaligned("rw=randread bs=4k blockalign=300"), Some((Grid, 300)));
    assert_eq!(misaligned("rw=read bs=4k offset=100"), Some((Offset, 100)));
    assert_eq!(misaligned("rw=read:1000 bs=4k"), Some((Skip, 1_000)));
    let strided = "rw=read bs=4k zonemode=strided zonesize=4k";
    assert_eq!(misaligned(&format!("{strided} zonerange=8k zoneskip=100")), Some((Zone, 100)));
    assert_eq!(misaligned(&format!("{strided} zonerange=9000")), Some((Zone, 9_000)));
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
    let error = error.unwrap_err();
    assert!(matches!(error, PrepareError::InUse { hold: FileHold::RunningProgram, .. }), "{error:?}");
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
    let error = error.unwrap_err();
    assert!(matches!(error, PrepareError::InUse { hold: FileHold::Swap, .. }), "{error:?}");
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
        assert!(
            matches!(error, PrepareError::NoSpace { needed_bytes, free_bytes, .. }
                if needed_bytes == 64 << 20 && (1 << 20..32 << 20).contains(&free_bytes)),
            "{options}: {error:?}"
        );
        assert!(!path.exists(), "{options}");
    }
    wait_for_free_bytes(mount.path(), 16 << 20);
    fs::write(&path, b"content").unwrap();
    let error = refused(&path, "rw=read size=64M");
    assert!(matches!(error, PrepareError::NoSpace { needed_bytes, .. } if needed_bytes == (64 << 20) - 7));
    assert_eq!(fs::read(&path).unwrap(), b"content");
    // The allocated space is free again.
    wait_for_free_bytes(mount.path(), 16 << 20);

    mount.remount("ro").unwrap();
    let error = refused(&mount.path().join("new"), "rw=write size=4k");
    assert!(matches!(error, PrepareError::ReadOnly { .. }), "{error:?}");
    let error = refused(&path, "rw=write size=4k");
    assert!(matches!(error, PrepareError::ReadOnly { .. }), "{error:?}");
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
        assert!(
            matches!(error, PrepareError::NoSpace { needed_bytes, .. } if needed_bytes == size),
            "{error:?}"
        );
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
    assert!(matches!(error, PrepareError::Simulated { job: 0 }), "{error:?}");
}
