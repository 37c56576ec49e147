//! All loads on a real file system: their records, how they end, and that nothing remains.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use cardiograph_apps::{AppEnd, AppError, AppLoad, AppRequest, AppRun, LOADS, Patience, run};
use cardiograph_core::app::{AppSpec, Operation};
use cardiograph_core::{Direction, MIB, NS_PER_MS, NS_PER_S};
use cardiograph_testing::{Frozen, LoopMount, disk_dir, skip};

/// Polls often, so that tests are short.
const PATIENCE: Patience =
    Patience { silence_ns_max: 60 * NS_PER_S, grace_ns: 40 * NS_PER_S, tick_ns: 20 * NS_PER_MS };

fn request<'a>(spec: &'a AppSpec, directory: &'a Path) -> AppRequest<'a> {
    AppRequest {
        spec,
        directory,
        seed: 7,
        content_seed: 8,
        write_bytes_max: 80 * MIB,
        time_ns_max: Some(1_500 * NS_PER_MS),
        patience: PATIENCE,
        mark: None,
    }
}

fn run_through(request: &AppRequest<'_>) -> AppRun {
    run(request, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn is_empty(directory: &Path) -> bool {
    std::fs::read_dir(directory)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name() != "lost+found")
        .count()
        == 0
}

fn check_load(load: &AppLoad, time_ns_max: u64) {
    let directory = disk_dir();
    let spec = AppSpec::new(load.name);
    let bounds = AppRequest { time_ns_max: Some(time_ns_max), ..request(&spec, directory.path()) };
    let AppRun { result, end, left_behind } = run_through(&bounds);
    let name = load.name;
    assert!(matches!(end, AppEnd::Done), "{name}: {end:?}");
    assert!(left_behind.is_none() && is_empty(directory.path()), "{name}");
    assert!(!result.parts.is_empty(), "{name}");
    for part in &result.parts {
        let of = &format!("{name} {}", part.id);
        assert!(part.operations > 0 && part.bytes >= part.operations, "{of}: {part:?}");
        assert_eq!(part.latency.n(), part.operations, "{of}");
        let rows = &part.series.rows[part.direction];
        assert_eq!(rows.iter().map(|row| row.ios).sum::<u64>(), part.operations, "{of}");
        assert_eq!(rows.iter().map(|row| row.bytes).sum::<u64>(), part.bytes, "{of}");
        assert!(part.longest_pause_ns > 0 && part.longest_pause_ns <= part.duration_ns, "{of}");
    }
    assert_eq!(result.library.is_some(), name.starts_with("sqlite"), "{name}");
}

#[test]
fn loads_report_their_work_and_leave_nothing() {
    std::thread::scope(|scope| {
        for load in LOADS {
            scope.spawn(move || check_load(load, 1_500 * NS_PER_MS));
            // Preparing takes all the time: each part still has a figure.
            scope.spawn(move || check_load(load, 1));
        }
    });
}

#[test]
fn written_data_is_read_back_once() {
    let directory = disk_dir();
    for (load, operation, mib) in [("unpack", Operation::File, 3), ("photos", Operation::Photo, 60)] {
        let spec = AppSpec::new(load);
        let bounds =
            AppRequest { time_ns_max: None, write_bytes_max: mib * MIB, ..request(&spec, directory.path()) };
        let parts = run_through(&bounds).result.parts;
        let [written, read] = parts.as_slice() else { panic!("{load}: {parts:?}") };
        assert_eq!((written.direction, read.direction), (Direction::Write, Direction::Read));
        assert_eq!((written.operation, written.operations), (operation, read.operations), "{load}");
        assert_eq!(written.bytes, read.bytes, "{load}");
        // If limited by bytes only, it uses the limit up to the last package or photo.
        let used = written.bytes as f64 / (mib * MIB) as f64;
        assert!((0.2..=1.0).contains(&used), "{load}: {used}");
    }
}

#[test]
fn seeds_are_reproducible() {
    let directory = disk_dir();
    for load in ["unpack", "photos", "log-fsync", "sqlite-wal"] {
        let spec = AppSpec::new(load);
        let write_bytes_max = match load {
            "log-fsync" => MIB / 8,
            "unpack" => 2 * MIB,
            _ => 26 * MIB,
        };
        let did = |seed| {
            let bounds =
                AppRequest { seed, time_ns_max: None, write_bytes_max, ..request(&spec, directory.path()) };
            let parts = run_through(&bounds).result.parts;
            parts.iter().map(|part| (part.operations, part.bytes)).collect::<Vec<_>>()
        };
        assert_eq!(did(3), did(3), "{load}");
    }
}

#[test]
fn stopped_loads_leave_nothing() {
    let directory = disk_dir();
    for load in LOADS {
        let spec = AppSpec::new(load.name);
        let endless =
            AppRequest { time_ns_max: None, write_bytes_max: 2 << 30, ..request(&spec, directory.path()) };
        let mut looks = 0;
        let ran = run(&endless, &mut |progress| {
            looks += 1;
            assert!(progress.elapsed_ns > 0);
            if looks < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let AppRun { end, left_behind, .. } = ran.unwrap();
        assert!(matches!(end, AppEnd::Stopped), "{}: {end:?}", load.name);
        assert!(left_behind.is_none() && is_empty(directory.path()), "{}", load.name);
    }
}

#[test]
fn cameras_write_at_their_rate() {
    let directory = disk_dir();
    let spec = AppSpec::new("cameras").set("cameras", 3).set("mbit_per_s", 2);
    let bounds = AppRequest { time_ns_max: Some(3_900 * NS_PER_MS), ..request(&spec, directory.path()) };
    let result = run_through(&bounds).result;
    let part = &result.parts[0];
    // Three seconds of the first two; the last begins two thirds of a second later and has three as well, if it keeps up.
    let least = if part.latency.max_ns() < 500 * NS_PER_MS { 6 } else { 1 };
    assert!((least..=9).contains(&part.operations), "{}", part.operations);
    assert_eq!(part.bytes, part.operations * 250_000);
}

#[test]
fn unknown_loads_and_parameters_are_refused() {
    let directory = disk_dir();
    for (spec, expected) in [
        (AppSpec::new("sqlite"), "app-no-such-load"),
        (AppSpec::new("photos").set("cameras", 2), "app-parameter"),
        (AppSpec::new("cameras").set("cameras", 0), "app-parameter"),
    ] {
        let refused = run(&request(&spec, directory.path()), &mut |_| ControlFlow::Continue(()));
        let refused = refused.unwrap_err().message();
        assert_eq!(refused.id(), expected);
        assert_eq!(refused.parameter("load"), Some(&spec.load.as_str().into()));
        let of_parameter =
            spec.parameters.iter().next().map(|(name, value)| (name.as_str().into(), (*value).into()));
        let parameters = refused.parameter("name").cloned().zip(refused.parameter("amount").cloned());
        assert_eq!(parameters, of_parameter);
    }
    let spec = AppSpec::new("photos");
    let nowhere = run_through(&request(&spec, Path::new("/nonexistent")));
    assert!(matches!(nowhere.end, AppEnd::Failed(AppError::Io { .. })), "{:?}", nowhere.end);
}

#[test]
fn full_file_systems_are_errors_and_emptied() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q", "-m", "0"], 40 * MIB, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("applications on a full file system", &reason),
    };
    // The log would take too long line by line: it gets what the others leave.
    let filler = mount.path().join("filler");
    for load in LOADS.iter().filter(|load| load.name != "log-fsync") {
        let spec = AppSpec::new(load.name).clone();
        let spec = if load.name == "cameras" { spec.set("mbit_per_s", 400) } else { spec };
        let left_bytes = match load.name {
            "cameras" => 30 * MIB,
            // The initial fill takes more.
            "sqlite-wal" | "sqlite-rollback" => MIB / 2,
            _ => 3 * MIB,
        };
        std::fs::write(&filler, vec![1; mount.free_bytes().saturating_sub(left_bytes) as usize]).unwrap();
        let bounds = AppRequest {
            write_bytes_max: 1 << 30,
            time_ns_max: Some(60 * NS_PER_S),
            ..request(&spec, mount.path())
        };
        let AppRun { end, left_behind, .. } = run_through(&bounds);
        let AppEnd::Failed(error) = end else { panic!("{}: {end:?}", load.name) };
        assert!(error.is_full(), "{}: {error}", load.name);
        assert!(left_behind.is_none(), "{}", load.name);
        mount.remove(&filler);
        assert!(is_empty(mount.path()), "{}", load.name);
    }
}

#[test]
fn hanging_drives_are_abandoned() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 64 * MIB, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("an application on a drive that hangs", &reason),
    };
    let spec = AppSpec::new("log-fsync");
    // Longer than a busy machine makes the drive wait.
    let patience = Patience { silence_ns_max: 3 * NS_PER_S, ..PATIENCE };
    let bounds = AppRequest { time_ns_max: Some(60 * NS_PER_S), patience, ..request(&spec, mount.path()) };
    let mut frozen = None;
    let ran = run(&bounds, &mut |progress| {
        if frozen.is_none() && progress.written_bytes > 0 {
            frozen = Some(Frozen::new(&mount));
        }
        ControlFlow::Continue(())
    });
    let frozen = frozen.expect("it was frozen while the load ran");
    if let Err(reason) = &frozen {
        return skip("an application on a drive that hangs", reason);
    }
    let AppRun { result, end, .. } = ran.unwrap();
    assert!(matches!(end, AppEnd::Hung), "{end:?}");
    assert!(result.parts[0].operations > 0, "what was done until then is kept");
    assert!(result.parts[0].longest_pause_ns > 2_900 * NS_PER_MS, "and so is the pause");
    drop(frozen);
    // Its thread continues and ends by itself; the mount must exist until then.
    std::thread::sleep(Duration::from_millis(500));
}
