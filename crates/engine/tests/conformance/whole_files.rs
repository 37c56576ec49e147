//! Engines that create, look up, remove and resize files.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use cardiograph_core::workload::FileAction;
use cardiograph_engine::buffers::Arena;
use cardiograph_engine::engine::OpKind;
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Access, Clock, ENGINES, EngineContext, EngineEntry, IoOp, Target, find_engine};
use cardiograph_jobs::options;

use super::bench::{BLOCK_RESULT, Bench, Setup, named_file, op};

const FILES: u32 = 3;

/// A request for a file.
fn on(file: u32) -> IoOp {
    IoOp { file, ..op(0, OpKind::Read, 0) }
}

/// An engine by name, on files in a directory.
fn bench(name: &str, directory: &Path) -> (Bench, Vec<Arc<Target>>) {
    let entry = find_engine(name).unwrap();
    let setup = Setup::new(false, 1);
    let targets: Vec<_> = (0..FILES).map(|_| named_file(entry, setup, directory)).collect();
    (Bench::over(entry, setup, targets.clone(), None), targets)
}

fn context(targets: Vec<Arc<Target>>, options: &[(&str, &str)]) -> EngineContext {
    EngineContext {
        targets,
        access: Access::default(),
        depth: 1,
        buffers: Arena::new(1, 4_096).unwrap(),
        clock: Clock::machine(),
        options: options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
    }
}

fn whole_file_engines() -> impl Iterator<Item = &'static EngineEntry> {
    ENGINES.iter().filter(|entry| entry.file_action.is_some_and(FileAction::is_whole_file))
}

#[test]
fn every_action_has_an_engine() {
    for action in [
        FileAction::Create,
        FileAction::Stat,
        FileAction::Delete,
        FileAction::CreateDirectory,
        FileAction::StatDirectory,
        FileAction::DeleteDirectory,
    ] {
        let names: Vec<_> = whole_file_engines()
            .filter(|entry| entry.file_action == Some(action))
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names.len(), 1, "{action:?}");
        assert_eq!(
            options::engine(names[0]).file_action,
            Some(action),
            "the resolver knows it by the same name"
        );
    }
}

#[test]
fn files_are_created_once_and_then_opened() {
    let directory = cardiograph_testing::disk_dir();
    let (mut bench, targets) = bench("filecreate", directory.path());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is made beforehand");
    for file in 0..FILES {
        let before = bench.clock.now();
        let done = bench.run(&[on(file)])[0];
        assert_eq!(done.result, BLOCK_RESULT);
        assert!((before..=bench.clock.now()).contains(&done.completed_at));
        assert_eq!(fs::metadata(targets[file as usize].name()).unwrap().len(), 0);
    }
    let first = targets[0].name();
    let inode = fs::metadata(first).unwrap().ino();
    fs::write(first, "content").unwrap();
    assert_eq!(bench.result(on(0)), BLOCK_RESULT);
    assert_eq!((fs::metadata(first).unwrap().ino(), fs::read(first).unwrap()), (inode, b"content".to_vec()));
    // Another file with that name is not the one that was created.
    fs::write(directory.path().join("other"), "").unwrap();
    fs::rename(directory.path().join("other"), first).unwrap();
    assert_eq!(bench.result(on(0)), -libc::ESTALE);
    assert_eq!(bench.result(on(1)), BLOCK_RESULT, "it goes on");
}

#[test]
fn a_file_that_appeared_meanwhile_is_not_created() {
    let directory = cardiograph_testing::disk_dir();
    let (mut bench, targets) = bench("filecreate", directory.path());
    fs::write(targets[1].name(), "somebody's").unwrap();
    assert_eq!(bench.result(on(1)), -libc::EEXIST);
    assert_eq!(fs::read(targets[1].name()).unwrap(), b"somebody's");
    assert_eq!(bench.result(on(0)), BLOCK_RESULT, "it goes on");
}

#[test]
fn files_are_looked_up() {
    let directory = cardiograph_testing::disk_dir();
    for call in ["stat", "lstat", "statx"] {
        let (_, targets) = bench("filestat", directory.path());
        let entry = find_engine("filestat").unwrap();
        let mut engine = (entry.open)(&context(targets.clone(), &[("stat_type", call)])).unwrap().engine;
        let mut result = |file: u32| {
            let mut done = Vec::new();
            assert_eq!(engine.submit(&[on(file), on(file)]).unwrap(), 1, "one at a time");
            assert_eq!(engine.submit(&[on(file)]).unwrap(), 0, "full until it was reaped");
            engine.reap(1, 1, None, &mut done).unwrap();
            done[0].result
        };
        assert_eq!(result(2), BLOCK_RESULT, "{call}");
        fs::remove_file(targets[2].name()).unwrap();
        assert_eq!(result(2), -libc::ENOENT, "{call}");
        assert_eq!(result(0), BLOCK_RESULT, "{call} goes on");
        // A dangling link exists, but its target does not.
        std::os::unix::fs::symlink("nowhere", targets[2].name()).unwrap();
        assert_eq!(result(2), if call == "lstat" { BLOCK_RESULT } else { -libc::ENOENT }, "{call}");
    }
}

#[test]
fn files_are_removed_once() {
    let directory = cardiograph_testing::disk_dir();
    let (mut bench, targets) = bench("filedelete", directory.path());
    for left in (0..FILES).rev() {
        assert_eq!(bench.result(on(left)), BLOCK_RESULT);
        assert!(fs::metadata(targets[left as usize].name()).is_err());
        assert_eq!(bench.result(on(left)), -libc::ENOENT, "it is gone");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), left as usize);
    }
    assert_eq!(bench.result(op(0, OpKind::Fsync, 0)), 0);
}

#[test]
fn another_file_with_the_same_name_is_not_removed() {
    let directory = cardiograph_testing::disk_dir();
    let (_, targets) = bench("filedelete", directory.path());
    fs::write(directory.path().join("other"), "somebody's").unwrap();
    fs::rename(directory.path().join("other"), targets[0].name()).unwrap();
    let entry = find_engine("filedelete").unwrap();
    assert!((entry.open)(&context(targets.clone(), &[])).is_err());
    assert_eq!(fs::read(targets[0].name()).unwrap(), b"somebody's");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), FILES as usize);
}

#[test]
fn directories_are_created_looked_up_and_removed() {
    let directory = cardiograph_testing::disk_dir();
    let (mut create, targets) = bench("dircreate", directory.path());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is made beforehand");
    assert_eq!(create.result(on(1)), BLOCK_RESULT);
    assert!(fs::metadata(targets[1].name()).unwrap().is_dir());
    assert_eq!(create.result(on(1)), -libc::EEXIST, "it is made once");
    fs::write(targets[2].name(), "somebody's").unwrap();
    assert_eq!(create.result(on(2)), -libc::EEXIST);
    let (mut stat, targets) = bench("dirstat", directory.path());
    assert_eq!(stat.result(on(0)), BLOCK_RESULT);
    fs::remove_dir(targets[0].name()).unwrap();
    assert_eq!(stat.result(on(0)), -libc::ENOENT);
    let (mut delete, targets) = bench("dirdelete", directory.path());
    fs::write(Path::new(targets[1].name()).join("x"), "somebody's").unwrap();
    assert_eq!(delete.result(on(1)), -libc::ENOTEMPTY);
    assert_eq!(fs::read(Path::new(targets[1].name()).join("x")).unwrap(), b"somebody's");
    assert_eq!((delete.result(on(0)), delete.result(on(0))), (BLOCK_RESULT, -libc::ENOENT));
    assert!(!Path::new(targets[0].name()).exists());
}

#[test]
fn space_is_allocated_and_freed() {
    let directory = cardiograph_testing::disk_dir();
    let (mut bench, targets) = bench("falloc", directory.path());
    let path = targets[0].name();
    fs::write(path, "").unwrap();
    let facts = || fs::metadata(path).map(|found| (found.len(), found.blocks() * 512)).unwrap();
    assert_eq!(bench.result(op(0, OpKind::Read, 4)), BLOCK_RESULT);
    assert_eq!(facts(), (0, 4_096), "a read keeps the length");
    assert_eq!(bench.result(op(0, OpKind::Write, 2)), BLOCK_RESULT);
    assert_eq!(facts(), (3 * 4_096, 8_192), "a write extends the file");
    assert_eq!(bench.result(op(0, OpKind::Trim, 2)), BLOCK_RESULT);
    assert_eq!(facts(), (3 * 4_096, 4_096), "a trim frees a block");
    let far = IoOp { offset_bytes: 1 << 62, ..op(0, OpKind::Write, 0) };
    assert!([-libc::EFBIG, -libc::EINVAL].contains(&bench.result(far)));
    assert_eq!(bench.result(op(0, OpKind::Fsync, 0)), 0, "it continues");
}

#[test]
fn lengths_are_set() {
    let directory = cardiograph_testing::disk_dir();
    let (mut bench, targets) = bench("ftruncate", directory.path());
    let len_bytes = |file: usize| fs::metadata(targets[file].name()).unwrap().len();
    for block in [7, 0, 3] {
        assert_eq!(bench.result(op(0, OpKind::Write, block)), BLOCK_RESULT);
        assert_eq!((len_bytes(0), len_bytes(1)), (block * 4_096, 256 * 4_096));
    }
    for kind in [OpKind::Read, OpKind::Trim] {
        assert_eq!(bench.result(op(0, kind, 0)), -libc::EINVAL);
    }
    assert_eq!(bench.result(op(0, OpKind::Fdatasync, 0)), 0);
    assert_eq!(len_bytes(0), 3 * 4_096);
}

#[test]
fn only_named_files_are_handled() {
    let directory = cardiograph_testing::disk_dir();
    for entry in whole_file_engines() {
        let nameless = Target::create_file(directory.path(), 4_096, Naming::Automatic).unwrap();
        for target in [nameless, Target::without_storage(4_096)] {
            let opened = (entry.open)(&context(vec![target], &[]));
            let error = opened.err().unwrap_or_else(|| panic!("{} took it", entry.name));
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{}", entry.name);
        }
    }
}
