//! `check` of real directories: those it measures, and those it refuses, each with one clear message.

use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::report::{Report, ReportState, StepOutcome};
use cardiograph_core::result::EngineNote;
use cardiograph_core::verdict::{FindingOutcome, Level};
use cardiograph_core::{Direction, MIB};
use cardiograph_testing::{LoopMount, skip};

use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, PROGRAM, entries, has_message, run, step, step_ids, verdict};

/// A separate ext4; if there is none, the test is skipped.
fn ext4(what: &str, len_mib: u64) -> Option<LoopMount> {
    let made = LoopMount::new(&["mkfs.ext4", "-q"], len_mib * MIB, "");
    made.map_err(|reason| skip(what, &reason)).ok()
}

/// Fills the file system up to `left_mib` of what unprivileged users may write.
fn use_up(directory: &Path, left_mib: u64) -> PathBuf {
    let space = rustix::fs::statvfs(directory).unwrap();
    let bytes = (space.f_bavail * space.f_frsize).checked_sub(left_mib * MIB).expect("it has more room");
    let path = directory.join("somebody-elses");
    let file = std::fs::File::create(&path).unwrap();
    rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, bytes).unwrap();
    path
}

/// Checks that the deep random read used io_uring, or that its absence is reported.
fn check_engine(report: &Report) {
    let deep = report.steps.iter().find(|step| step.step.id == "random-read-deep");
    let Some(result) = deep.and_then(|step| step.result.as_ref()) else {
        return skip("the engine of the deep random read", "the time limit left the step out");
    };
    let fell_back = result.notes.iter().any(|note| matches!(note, EngineNote::FellBack { .. }));
    let expected = if fell_back { "psync" } else { "io_uring" };
    assert!(result.workers.iter().all(|worker| worker.engine == expected));
    assert_eq!(fell_back, report.notes.iter().any(|note| note.id() == "engine-note-fell-back"));
}

#[test]
fn a_real_drive_is_checked() {
    let bench = Bench::new();
    let outcome = bench.run("check --max-time 7s --label mine --export-json out.json").exits_with(0);
    assert_eq!(bench.entries(), ["out.json"], "no test file is left");
    let report = bench.saved_report();
    assert_eq!(
        crate::common::read_report(&std::fs::read_to_string(bench.work().join("out.json")).unwrap()),
        report
    );
    outcome.says(&["mine", "@step-random-read", "@cleaned-all", &format!("cardiograph show {}", report.id)]);
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);

    let schema = serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap();
    assert!(jsonschema::is_valid(&schema, &serde_json::to_value(&report).unwrap()));
    // The time limit may cut off the last step of a busy machine.
    assert!(matches!(report.state, ReportState::Finished | ReportState::Interrupted));
    assert_eq!(report.steps[0].step.id, "fill");
    let measured = report.steps.iter().skip(1).filter(|step| step.outcome == StepOutcome::Done);
    assert!(measured.clone().count() >= 3, "{:?}", step_ids(&report));
    for step in measured {
        let result = step.result.as_ref().unwrap();
        assert!(!step.figures.as_ref().unwrap().directions.is_empty(), "{}", step.step.id);
        assert!(result.workers.iter().all(|worker| worker.cpu.is_some()), "{}", step.step.id);
        assert!(result.issued_bytes(Direction::Write) <= step.step.write_bytes_max, "{}", step.step.id);
    }
    assert!(report.host.kernel.is_some() && report.started_unix_ms > 1_500_000_000_000);
    check_engine(&report);
    let mount = report.drive.mount.as_ref().unwrap();
    if ["ext4", "xfs"].contains(&mount.fs_type.as_str()) {
        let checks = report.steps.iter().flat_map(|step| &step.counter_checks);
        let reads = checks.filter(|check| check.direction == Direction::Read);
        for check in reads {
            assert_ne!(check.outcome, CounterOutcome::Contradicts, "reads reach the drive: {check:?}");
        }
    }
}

#[test]
fn two_checkups_differ_in_seed_and_content() {
    let bench = Bench::new();
    for _ in 0..2 {
        bench.run("check --max-time 1s").exits_with(0);
    }
    assert_eq!(bench.saved().len(), 2);
    let seeds: Vec<u64> = bench.saved().iter().map(|report| report.seed).collect();
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn buffered_figures_are_not_the_drives() {
    let bench = Bench::new();
    let outcome = bench.run("check --buffered --max-time 5s -v").exits_with(0);
    outcome.says(&["@begin-note.buffered", "--buffered"]);
    let report = bench.saved_report();
    let read = step(&report, "sequential-read");
    match read.counter_checks.iter().find(|check| check.direction == Direction::Read) {
        Some(check) => {
            assert_eq!(check.outcome, CounterOutcome::Contradicts, "{check:?}");
            outcome.says(&["@counted.less-read"]);
        }
        None => {
            skip("a contradiction by the kernel's counters", "they cannot be read for the build directory")
        }
    }
    for purpose in ["os", "db-heavy", "containers", "nas"] {
        let verdict = verdict(&report, purpose);
        assert!(verdict.level <= Level::CannotBeJudged, "{purpose}: {:?}", verdict.level);
        let about_reads = verdict.findings.iter().filter(|finding| {
            let metric = format!("{:?}", finding.metric);
            metric.contains("Read") && finding.measured.is_some()
        });
        for finding in about_reads {
            assert_eq!(finding.outcome, FindingOutcome::NotJudged, "{finding:?}");
            assert!(finding.doubt.is_some());
        }
    }
}

#[test]
fn paths_other_than_directories_are_refused() {
    let bench = Bench::new();
    bench.file("file", "mine");
    let refused = |path: &str, words: &[&str]| {
        let outcome = bench.run(&format!("check {path} --export-json out.json")).exits_with(2);
        outcome.complains(words);
        assert_eq!(outcome.stderr.lines().count(), 1, "one message: {}", outcome.stderr);
    };
    refused("missing/deeper", &["missing/deeper", "@checkup-target-missing"]);
    refused("file", &["file ", "@checkup-target-not-a-directory"]);
    refused("/dev/null", &["/dev/null ", "@checkup-target-not-a-directory"]);
    let devices = std::fs::read_dir("/dev").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let is_block =
        |path: &PathBuf| std::fs::metadata(path).is_ok_and(|data| data.file_type().is_block_device());
    match devices.filter(is_block).min() {
        Some(device) => {
            let device = device.display().to_string();
            refused(&device, &[&device, "@checkup-target-is-a-device"]);
        }
        None => skip("refusing a block device", "there is none here"),
    }
    assert_eq!(bench.entries(), ["file"]);
    assert!(bench.saved().is_empty());
}

#[test]
fn a_directory_in_memory_is_refused() {
    let is_memory = |path: &str| {
        let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
        mounts.lines().any(|line| line.split(' ').skip(1).take(2).eq([path, "tmpfs"]))
    };
    if !is_memory("/dev/shm") {
        return skip("refusing a directory in memory", "/dev/shm is no tmpfs here");
    }
    let bench = Bench::new();
    bench.run("check /dev/shm").exits_with(2).complains(&["/dev/shm", "tmpfs", "@checkup-target-memory"]);
    bench.run("check /dev/shm --dry-run").exits_with(2);
    assert!(bench.saved().is_empty());
}

#[test]
fn a_read_only_file_system_is_refused() {
    let bench = Bench::new();
    let Some(mount) = ext4("refusing a read-only file system", 300) else { return };
    mount.remount("ro").unwrap();
    let outcome = bench.run(&format!("check {}", mount.path().display()));
    outcome.exits_with(2).complains(&["@create-read-only"]);
    assert!(bench.saved().is_empty());
}

#[test]
fn a_directory_of_somebody_else_is_refused() {
    if !rustix::process::geteuid().is_root() {
        return skip("a directory without permission", "needs root to become somebody else");
    }
    // The program and the directories must be accessible to another user.
    let public = tempfile::tempdir().unwrap();
    let open = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    open(public.path(), 0o755);
    let program = public.path().join("cardiograph");
    std::fs::copy(PROGRAM, &program).unwrap();
    let bench = Bench::new();
    for (mode, refusal) in [(0o755, "@create-not-permitted"), (0o700, "@checkup-target-not-permitted")] {
        let locked = public.path().join(format!("locked-{mode:o}"));
        std::fs::create_dir(&locked).unwrap();
        let inside = locked.join("inside");
        std::fs::create_dir(&inside).unwrap();
        open(&inside, 0o755);
        open(&locked, mode);
        let id = ["--reuid=65534", "--regid=65534", "--clear-groups"].map(Into::into);
        let words_of_command =
            [program.as_os_str(), "check".as_ref(), "--no-keep".as_ref(), inside.as_os_str()].map(Into::into);
        let arguments: Vec<std::ffi::OsString> = id.into_iter().chain(words_of_command).collect();
        let mut command = bench.command("setpriv", arguments);
        command.current_dir("/");
        if command.get_program() == "setpriv" && Command::new("setpriv").arg("--version").output().is_err() {
            return skip("a directory without permission", "setpriv is not installed");
        }
        run(command).exits_with(2).complains(&[refusal]);
    }
}

#[test]
fn too_little_space_is_found_before_anything_is_written() {
    let Some(mount) = ext4("too little space", 256) else { return };
    let bench = Bench::new();
    let path = mount.path().display().to_string();
    bench
        .run(&format!("check {path} --yes --suite article"))
        .exits_with(2)
        .complains(&["@note-fixed.too-little-room", "4.45 GiB"]);
    use_up(mount.path(), 20);
    let before = entries(mount.path());
    let outcome = bench.run(&format!("check {path}")).exits_with(2);
    outcome.complains(&["@note-budget.no-room", "67 MB", "@note-quick-needs.free", "68 MiB"]);
    bench
        .run(&format!("check {path} --yes --suite article"))
        .exits_with(2)
        .complains(&["@note-fixed.too-little-room"]);
    assert_eq!(entries(mount.path()), before);
    assert!(bench.saved().is_empty());
}

#[test]
fn a_file_system_that_fills_up_halfway_ends_the_checkup() {
    let Some(mount) = ext4("a file system that fills up", 512) else { return };
    let bench = Bench::new();
    let mut running = bench.start(&format!("check {} --max-time 10s", mount.path().display()));
    bench.wait_for_steps(1, &mut running);
    let filler = use_up(mount.path(), 10);
    let outcome = running.finish().exits_with(3);
    outcome.complains(&["@checkup-target-no-room"]);
    let report = bench.saved_report();
    assert_eq!(report.state, ReportState::Failed);
    let (failed, before) = report.steps.split_last().unwrap();
    assert!(failed.result.is_none(), "it did not begin");
    assert!(
        matches!(&failed.outcome, StepOutcome::Failed { message } if message.id() == "checkup-target-no-room")
    );
    assert_eq!(failed.step.id, "durable-write", "it needs another file");
    assert!(before.len() >= 2 && before.iter().all(|step| step.outcome == StepOutcome::Done));
    assert_eq!(entries(mount.path()), ["lost+found", filler.file_name().unwrap().to_str().unwrap()]);
}

#[test]
fn a_limit_on_the_length_of_files_does_not_kill() {
    let bench = Bench::new();
    // In blocks of 512 or 1,024 bytes, depending on the shell: not even a probe, a probe, a small file.
    for blocks in [0, 8, 3_000] {
        let line = format!("ulimit -f {blocks}; exec '{PROGRAM}' check --max-time 2s --no-keep");
        let outcome = run(bench.command("sh", ["-c", &line])).exits_with(2);
        outcome.complains(&["@file-limit.other"]);
    }
    assert!(bench.entries().is_empty());
    let line = format!("ulimit -f 1; exec '{PROGRAM}' check --simulate sandisk-ultra-64");
    let outcome = run(bench.command("sh", ["-c", &line])).exits_with(2);
    outcome.complains(&["ulimit -f", "--store", "--no-keep"]);
    assert!(!has_message(&outcome.stdout, "step-read"), "it is found before anything is measured");
    assert!(bench.saved().is_empty());
}

#[test]
fn a_store_that_cannot_be_used_is_refused_before_anything_is_measured() {
    let bench = Bench::new();
    let mut command = bench.command(PROGRAM, ["check", "--simulate", "bad-card"]);
    command.env("XDG_DATA_HOME", "/proc/nowhere");
    let outcome = run(command).exits_with(2);
    outcome.complains(&["/proc/nowhere", "--no-keep"]);
    assert!(!has_message(&outcome.stdout, "step-read"));

    let mut command = bench.command(PROGRAM, ["check", "--simulate", "bad-card"]);
    command.env_remove("XDG_DATA_HOME").env_remove("HOME");
    run(command).exits_with(2).complains(&["--no-keep"]);
}

#[test]
fn a_whole_device_is_read_freely_and_written_with_consent() {
    let bench = Bench::new();
    let Some(device) = LoopDevice::with_mib(&bench, 1_200) else {
        return skip("checkups of whole devices", "no loop devices");
    };
    let check = |suite: &str, more: &str| bench.run(&format!("check {} --suite {suite} {more}", device.path));
    check("quick", "").exits_with(2).complains(&["@checkup-target-is-a-device", "gnome-disks"]);

    check("gnome-disks", "-v").exits_with(0).says(&["@table-gnome-disks.along", "90 % to 100 %"]);
    let report = bench.saved_report();
    assert_eq!((report.state, report.tables[0].rows.len()), (ReportState::Finished, 10));
    assert_eq!(step(&report, "surface").result.as_ref().unwrap().workers.len(), 100);

    let rounds = "--set test=throughput --set max=400M --set time=200ms --set rounds=5";
    let before = std::fs::metadata(&device.backing).unwrap().blocks();
    check("steady-short", rounds).exits_with(2).complains(&["@prepare-needs-consent.lost", "--allow-erase="]);
    check("steady-short", &format!("{rounds} --dry-run")).exits_with(0).says(&["@header-writes.device"]);
    assert_eq!(std::fs::metadata(&device.backing).unwrap().blocks(), before, "nothing was written");
    let given = format!("{rounds} --allow-erase {} --json --no-keep", device.id(&bench));
    let report = check("steady-short", &given).exits_with(0).report();
    assert_eq!((report.steps[0].step.id.as_str(), report.tables.len()), ("precondition", 3));
    assert!(std::fs::metadata(&device.backing).unwrap().blocks() > before);
}

/// Sectors written to the device of a mounted file system.
fn sectors_written(mount: &Path) -> u64 {
    let device = std::fs::metadata(mount).unwrap().dev();
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let stat = std::fs::read_to_string(format!("/sys/dev/block/{major}:{minor}/stat")).unwrap();
    stat.split_whitespace().nth(6).unwrap().parse().unwrap()
}

#[test]
fn a_sweep_measures_in_the_directory_that_it_names() {
    let Some(other) = ext4("a sweep over directories", 300) else { return };
    let bench = Bench::new();
    std::fs::create_dir(other.path().join("in")).unwrap();
    for end in ["", "/", "//"] {
        let line = format!(
            "check --suite sweep --set directory={}/in{end} --set mix=randread --set bs=4k --set depth=1 --set time=200ms \
             --set size=64M --no-keep",
            other.path().display()
        );
        let before = sectors_written(other.path());
        std::fs::write(other.path().join("in/.cardiograph-left"), "mine").unwrap();
        bench.run(&format!("{line} --dry-run")).exits_with(0);
        bench.run(&line).exits_with(0);
        rustix::fs::sync();
        let written_mib = (sectors_written(other.path()) - before) * 512 / MIB;
        assert!(written_mib >= 64, "'{end}': {written_mib} MiB");
        assert_eq!(entries(&other.path().join("in")), [".cardiograph-left"]);
    }
}

#[test]
fn free_space_is_trimmed_before_measurements_of_a_trimmed_drive() {
    let Some(mount) = ext4("a trimmed drive", 300) else { return };
    let bench = Bench::new();
    let line = format!(
        "check {} --yes --suite sweep --set state=fresh,trimmed --set mix=write --set bs=1M --set depth=1 --set time=200ms --set size=64M",
        mount.path().display()
    );
    // The file behind the device still holds deleted data until it is trimmed.
    let image = mount.path().parent().unwrap().join("image");
    let held_mib = || std::fs::metadata(&image).unwrap().blocks() * 512 / MIB;
    std::fs::write(mount.path().join("deleted"), vec![1; (100 * MIB) as usize]).unwrap();
    rustix::fs::sync();
    std::fs::remove_file(mount.path().join("deleted")).unwrap();
    rustix::fs::sync();
    let before = held_mib();
    assert!(before >= 100, "{before} MiB");
    bench.run(&format!("{line} --dry-run")).exits_with(0).says(&["@note-sweep.trims"]);
    assert_eq!(held_mib(), before);
    bench.run(&line).exits_with(0).says(&["@sweep-state.trimmed"]);
    rustix::fs::sync();
    assert!(held_mib() <= before - 30, "{} of {before} MiB", held_mib());
    let report = bench.saved_report();
    assert_eq!(step_ids(&report).len(), 2, "{:?}", step_ids(&report));
}
