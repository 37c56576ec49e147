//! Files that are created, extended, left alone and removed.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use cardiograph_core::{Parameter, message};
use cardiograph_engine::Access;
use cardiograph_engine::files::{before_io, facts, finish};
use cardiograph_jobs::resolve::FileFacts;
use cardiograph_testing::disk_dir;

use super::bench::*;

fn shape(path: &Path) -> (u64, u64) {
    let metadata = fs::metadata(path).unwrap();
    (metadata.len(), metadata.blocks() * 512)
}

/// Number of different 512-byte sectors in the file.
fn different_sectors(bytes: &[u8]) -> usize {
    bytes.chunks(512).collect::<std::collections::HashSet<_>>().len()
}

#[test]
fn a_file_to_be_read_gets_content() {
    let directory = disk_dir();
    // Plain writes; the engine with an aligned end; the engine with an unaligned end.
    for (len_bytes, options) in
        [(300 * 1_024 + 7, "bs=1 rw=read"), (24 * MIB, "rw=randrw bs=4k"), (20 * MIB + 4_099, "bs=1 rw=read")]
    {
        let path = directory.path().join(format!("new/deep/{len_bytes}"));
        let watch = Watch::default();
        let plan = plan_on(&path, &format!("{options} size={len_bytes}"));
        let prepared = prepare_watched(&plan, &[], &watch).unwrap();
        assert_eq!(shape(&path).0, len_bytes);
        let bytes = fs::read(&path).unwrap();
        assert_eq!(different_sectors(&bytes), bytes.len().div_ceil(512), "each sector is another");
        assert_eq!(prepared.targets[0].filled_bytes(), len_bytes);
        assert_eq!(prepared.targets[0].name(), path.to_str().unwrap());
        assert_eq!(*watch.layouts.borrow(), [("job".to_string(), 0, 1, len_bytes, len_bytes)]);
        assert_eq!(watch.progress.borrow().last(), Some(&len_bytes));
        assert!(watch.progress.borrow().is_sorted());
        assert_eq!((prepared.layouts.len(), prepared.layouts[0].written_bytes), (1, len_bytes));
        assert_eq!((prepared.notes, prepared.ended_early), (vec![], false));

        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o644 & !cardiograph_testing::umask());
        assert_eq!((mode(path.parent().unwrap()), mode(&directory.path().join("new"))), (0o700, 0o700));

        // The second time it exists, and nothing is done.
        let before = fs::metadata(&path).unwrap();
        let again = prepare_watched(&plan, &[], &watch).unwrap();
        assert_eq!((again.layouts, again.notes), (vec![], vec![]));
        assert_eq!(watch.layouts.borrow().len(), 1);
        let after = fs::metadata(&path).unwrap();
        assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    }
}

#[test]
fn layouts_have_different_content() {
    let directory = disk_dir();
    let paths = ["a", "b"].map(|name| directory.path().join(name));
    paths.iter().for_each(|path| drop(prepare_one(path, "rw=read size=64k").unwrap()));
    let [a, b] = paths.map(|path| fs::read(path).unwrap());
    assert_eq!(different_sectors(&[a, b].concat()), 256);
}

/// Lengths and allocation as with Debian's fio 3.33 on ext4 with `create_only=1`.
#[test]
fn space_is_allocated_as_requested() {
    let directory = disk_dir();
    let of = |options: &str| {
        let path = directory.path().join(options.replace(['=', ' '], "-"));
        let prepared = prepare_one(&path, &format!("bs=4k size=1M {options}")).unwrap();
        assert!(prepared.permit.is_some() && prepared.targets[0].len_bytes() >= MIB);
        (shape(&path), prepared.targets[0].filled_bytes())
    };
    assert_eq!(of("rw=write fallocate=none"), ((0, 0), 0));
    assert_eq!(of("rw=write"), ((MIB, MIB), 0));
    assert_eq!(of("rw=write fallocate=native"), ((MIB, MIB), 0));
    assert_eq!(of("rw=write fallocate=posix"), ((MIB, MIB), 0));
    assert_eq!(of("rw=write fallocate=keep"), ((0, MIB), 0));
    assert_eq!(of("rw=write fallocate=truncate"), ((MIB, 0), 0));
    assert_eq!(of("rw=write offset=1M"), ((2 * MIB, 2 * MIB), 0));
    // With content, if it was requested or will be read.
    for content in ["rw=write overwrite=1", "rw=rw", "rw=rw fallocate=none", "rw=rw fallocate=keep"] {
        assert_eq!(of(content), ((MIB, MIB), MIB), "{content}");
    }
    // Data verified after it was written needs no prior content.
    assert_eq!(of("rw=write verify=crc32c"), ((MIB, MIB), 0));
}

#[test]
fn a_short_file_is_extended_and_keeps_its_content() {
    let directory = disk_dir();
    for (options, old_len) in
        [("rw=read size=1M", 10_001), ("rw=read size=17M", 4_097), ("rw=write size=1M", 5)]
    {
        let path = directory.path().join(format!("f{old_len}"));
        let old = vec![b'x'; old_len];
        fs::write(&path, &old).unwrap();
        let inode = fs::metadata(&path).unwrap().ino();
        let prepared = prepare_one(&path, options).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes[..old_len], old);
        assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
        let (from_bytes, to_bytes) = (old_len as u64, bytes.len() as u64);
        let [from, to] = [from_bytes, to_bytes].map(Parameter::Bytes);
        assert_eq!(prepared.notes, [message!("prepare-note-continued", path = &path, from, to)]);
        let filled_bytes = if options.contains("read") { to_bytes } else { from_bytes };
        assert_eq!(prepared.targets[0].filled_bytes(), filled_bytes);
        if options.contains("read") {
            let new = &bytes[old_len.next_multiple_of(512)..];
            assert_eq!(different_sectors(new), new.len().div_ceil(512));
        }
    }
}

#[test]
fn a_short_file_is_not_extended_without_allocation() {
    let directory = disk_dir();
    let path = directory.path().join("short");
    fs::write(&path, "old").unwrap();
    let prepared = prepare_one(&path, "rw=write size=1M fallocate=none").unwrap();
    assert_eq!((prepared.notes, fs::read(&path).unwrap()), (vec![], b"old".to_vec()));
    assert_eq!((prepared.targets[0].len_bytes(), prepared.targets[0].filled_bytes()), (MIB, 3));
}

#[test]
fn holes_in_files_to_be_read_are_reported() {
    let directory = disk_dir();
    let path = directory.path().join("sparse");
    let file = fs::File::create(&path).unwrap();
    file.set_len(4 * MIB).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &vec![7; MIB as usize], MIB).unwrap();
    rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 3 * MIB, MIB).unwrap();
    let noted = |options: &str| prepare_one(&path, options).unwrap().notes;
    let unwritten = |bytes: u64, of_bytes: u64| {
        let [unwritten, read] = [bytes, of_bytes].map(Parameter::Bytes);
        [message!("prepare-note-unwritten", unwritten, read, path = &path)]
    };
    assert_eq!(noted("rw=read size=4M"), unwritten(3 * MIB, 4 * MIB));
    assert_eq!(noted("rw=read size=2M"), unwritten(MIB, 2 * MIB));
    assert_eq!(noted("rw=read offset=1M size=1M"), []);
    assert_eq!(noted("rw=read offset=2M size=2M"), unwritten(2 * MIB, 2 * MIB));
    assert_eq!(noted("rw=write size=4M"), []);
}

#[test]
fn several_names_of_one_file_are_one_target() {
    let directory = disk_dir();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("real"), b"content").unwrap();
    fs::hard_link(path("real"), path("linked")).unwrap();
    std::os::unix::fs::symlink("real", path("pointing")).unwrap();
    let spec = |name: &str, file: &str, size: &str| {
        job(name, &format!("filename={} rw=randread size={size}", path(file).display()))
    };
    let jobs = [
        spec("a", "real", "64k"),
        spec("b", "linked", "1M"),
        spec("c", "pointing", "128k"),
        spec("d", "new", "64k"),
    ];
    let watch = Watch::default();
    let prepared = prepare_watched(&plan(&jobs), &[], &watch).unwrap();
    let [a, b, c, d] = prepared.targets.as_slice() else { panic!("four names") };
    assert!(Arc::ptr_eq(a, b) && Arc::ptr_eq(b, c) && !Arc::ptr_eq(c, d));
    assert_eq!((a.len_bytes(), shape(&path("real")).0), (MIB, MIB));
    assert_eq!(watch.layouts.borrow().len(), 2);
    assert!(fs::read(path("pointing")).unwrap().starts_with(b"content"));
}

#[test]
fn the_layout_of_each_clone_is_reported() {
    let directory = disk_dir();
    let options = format!("directory={} nrfiles=4 numjobs=2 size=1M rw=read", directory.path().display());
    let watch = Watch::default();
    let prepared = prepare_watched(&plan(&[job("many", &options)]), &[], &watch).unwrap();
    let layout = |clone| ("many".to_string(), clone, 4, MIB, MIB);
    assert_eq!(*watch.layouts.borrow(), [layout(0), layout(1)]);
    assert_eq!(prepared.targets.len(), 8);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 8);
}

#[test]
fn stopping_leaves_no_partial_file() {
    let directory = disk_dir();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("short"), b"as it was").unwrap();
    let jobs = [
        job("a", &format!("filename={} rw=read size=1M", path("whole").display())),
        job("b", &format!("filename={} rw=read size=8M", path("short").display())),
        job("c", &format!("filename={} rw=read size=8M", path("new/half").display())),
    ];
    for (stop_at_bytes, left) in [(2 * MIB, vec!["short", "whole"]), (0, vec!["short"])] {
        let _ = fs::remove_file(path("whole"));
        let watch = Watch { stop_at_bytes: Some(stop_at_bytes), ..Watch::default() };
        if stop_at_bytes == 0 {
            watch.control.stop();
        }
        assert!(prepare_watched(&plan(&jobs), &[], &watch).unwrap().ended_early);
        let mut names: Vec<_> =
            fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, left);
        assert_eq!(fs::read(path("short")).unwrap(), b"as it was");
    }
    // The same during writes by the engine.
    let watch = Watch { stop_at_bytes: Some(1), ..Watch::default() };
    let large = plan_on(&path("large"), "rw=read size=16G");
    assert!(prepare_watched(&large, &[], &watch).unwrap().ended_early);
    assert!(!path("large").exists());
}

#[test]
fn files_are_created_on_opening_if_requested() {
    let directory = disk_dir();
    let path = directory.path().join("late");
    let plan = plan_on(&path, "rw=write size=1M create_on_open=1");
    let watch = Watch::default();
    let prepared = prepare_watched(&plan, &[], &watch).unwrap();
    assert!(!path.exists() && watch.layouts.borrow().is_empty());
    assert!(prepared.permit.as_ref().unwrap().covers(&prepared.targets[0]));
    before_io(&prepared.targets[0], &plan.jobs[0].workload, &plan.jobs[0].clones[0][0]).unwrap();
    assert_eq!(shape(&path), (0, 0));
    let written = prepared.targets[0].open(Access { writes: true, ..Access::default() }).unwrap();
    rustix::io::write(&written, b"1").unwrap();
    // From now on the name must refer to that file.
    fs::rename(&path, directory.path().join("other")).unwrap();
    fs::write(&path, "new").unwrap();
    assert!(prepared.targets[0].open(Access::default()).is_err());
}

#[test]
fn a_file_that_appeared_before_it_was_created_on_opening_is_left_alone() {
    let directory = disk_dir();
    let path = directory.path().join("late");
    let prepared = prepare_one(&path, "rw=write size=1M create_on_open=1").unwrap();
    fs::write(&path, "someone else's").unwrap();
    let open = || prepared.targets[0].open(Access { writes: true, ..Access::default() });
    assert_eq!(open().unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&path).unwrap(), b"someone else's");
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("elsewhere", &path).unwrap();
    assert!(open().is_err());
    assert!(!directory.path().join("elsewhere").exists());
    // If many open it at once, one creates it, and all get the same file.
    fs::remove_file(&path).unwrap();
    std::thread::scope(|scope| {
        let openers: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        openers.into_iter().for_each(|opener| drop(opener.join().unwrap().unwrap()));
    });
}

#[test]
fn dangling_links_get_their_target_created() {
    let directory = disk_dir();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    std::os::unix::fs::symlink("sub/second", path("first")).unwrap();
    std::os::unix::fs::symlink("../file", path("sub/second")).unwrap();
    drop(prepare_one(&path("first"), "rw=write size=64k").unwrap());
    assert_eq!(shape(&path("file")).0, 65_536);
    fs::remove_file(path("file")).unwrap();

    // Names of one missing file, one of which needs it created at once.
    let spec = |name: &str, file: &str, options: &str| {
        job(name, &format!("filename={} rw=write size=64k {options}", path(file).display()))
    };
    for last in ["create_on_open=1", ""] {
        let jobs = [
            spec("a", "first", "create_on_open=1"),
            spec("b", "sub/../file", "create_on_open=1"),
            spec("c", "sub/second", last),
        ];
        let prepared = prepare_watched(&plan(&jobs), &[], &Watch::default()).unwrap();
        assert_eq!(path("file").exists(), last.is_empty());
        let [a, b, c] = prepared.targets.as_slice() else { panic!("three names") };
        assert!(Arc::ptr_eq(a, b) && Arc::ptr_eq(b, c));
        a.open(Access { writes: true, ..Access::default() }).unwrap();
        assert!(path("file").exists());
        fs::remove_file(path("file")).unwrap();
    }
}

#[test]
fn only_files_of_jobs_that_ask_for_it_are_removed() {
    let directory = disk_dir();
    let path = |name: &str| directory.path().join(name);
    let spec = |name: &str, options: &str| {
        job(name, &format!("filename={} rw=write size=64k {options}", path(name).display()))
    };
    let plan = plan(&[
        spec("gone", "unlink=1"),
        spec("stays", ""),
        spec("replaced", "unlink=1"),
        spec("missing", "unlink=1"),
    ]);
    let prepared = prepare_watched(&plan, &[], &Watch::default()).unwrap();
    fs::rename(path("replaced"), path("kept")).unwrap();
    fs::write(path("replaced"), "someone else's").unwrap();
    fs::remove_file(path("missing")).unwrap();
    let failed = finish(&prepared, &plan);
    assert_eq!(failed.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>(), [path("replaced")]);
    let mut left: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["kept", "replaced", "stays"]);
}

#[test]
fn the_cache_is_dropped_or_filled_before_io() {
    let directory = disk_dir();
    let path = directory.path().join("cached");
    fs::write(&path, vec![1; 8 * MIB as usize]).unwrap();
    let is_cached = |offset_bytes: u64| cached_pages(&path).contains(&(offset_bytes / PAGE_LEN_BYTES));
    if !is_cached(0) {
        return cardiograph_testing::skip(
            "the cache before I/O",
            "the file system keeps nothing of a write in it",
        );
    }
    let before = |options: &str| {
        let plan = plan_on(&path, options);
        let prepared = prepare_watched(&plan, &[], &Watch::default()).unwrap();
        before_io(&prepared.targets[0], &plan.jobs[0].workload, &plan.jobs[0].clones[0][0]).unwrap();
    };
    before("rw=read size=8M invalidate=0");
    assert!(is_cached(0));
    // The pages are dirty and must be written before they can be dropped.
    before("rw=read size=4M");
    assert_eq!((is_cached(0), is_cached(6 * MIB)), (false, true));
    before("rw=read offset=4M size=4M");
    assert!(!is_cached(6 * MIB));
    before("rw=read size=8M pre_read=1");
    assert_eq!((is_cached(0), is_cached(8 * MIB - 1)), (true, true));
}

#[test]
fn engines_without_io_need_no_files() {
    let directory = disk_dir();
    let path = directory.path().join("none");
    let prepared = prepare_one(&path, "ioengine=null rw=randrw size=1G").unwrap();
    assert!(!path.exists() && !prepared.targets[0].is_file());
    assert_eq!(prepared.targets[0].len_bytes(), 1 << 30);
    assert!(prepared.permit.unwrap().covers(&prepared.targets[0]));
    assert!(prepare_one(&path, "ioengine=null rw=read size=1G").unwrap().permit.is_none());
}

#[test]
fn facts_are_collected_without_changes() {
    let directory = disk_dir();
    let path = directory.path().join("file");
    fs::write(&path, "12345").unwrap();
    assert_eq!(facts(&path), FileFacts::File { len_bytes: 5 });
    assert_eq!(facts(&directory.path().join("missing")), FileFacts::Missing);
    assert_eq!(facts(&path.join("below a file")), FileFacts::Missing);
    assert_eq!(facts(directory.path()), FileFacts::Other { what: "a directory" });
    assert_eq!(facts(Path::new("/dev/null")), FileFacts::Other { what: "a character device" });
}
