//! Plans that cannot begin.

use cardiograph_core::plan::StartAfter;
use cardiograph_core::workload::FileAction;
use cardiograph_core::{Plan, message};
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Control, RunError, RunRequest, Target, gate};

use super::bench::*;

/// Runs jobs on a 64 MiB file of a plain drive with the first 16 MiB written, and returns the refusal.
fn refusal(options: &[&str]) -> String {
    let drive = plain_drive(1, Vec::new());
    let target = simulated(&drive, 64);
    run_one("rw=write bs=1M size=16M ioengine=sim", &target);
    let jobs: Vec<_> = options.iter().map(|options| job("job", &format!("filename=f {options}"))).collect();
    let before = drive.counters();
    let error = try_run(&jobs, &[target], 7).unwrap_err();
    assert_eq!(drive.counters(), before, "nothing was done");
    error.to_string()
}

#[test]
fn impossible_jobs_are_refused_before_anything_is_done() {
    let cases: [(&[&str], &str); 5] = [
        (
            &["rw=read size=32M ioengine=sim"],
            "run-reads-unwritten(end=Bytes(33554432), filled=Bytes(16777216)",
        ),
        (&["rw=randrw offset=8M size=16M ioengine=sim"], "run-reads-unwritten(end=Bytes(25165824)"),
        (&["rw=write offset=60M size=8M ioengine=sim"], "plan-behind-the-end(end=71303168"),
        (&["rw=write size=1M ioengine=psync"], "run-wrong-target("),
        (&["rw=write size=1M ioengine=sim", "rw=write size=1M ioengine=null"], "run-mixed-time("),
    ];
    for (options, message) in cases {
        let said = refusal(options);
        assert!(said.contains(message), "{options:?}: {said}");
    }
}

/// The refusal of a Plan of two jobs after `spoil` has damaged it.
fn refused(spoil: impl Fn(&mut Plan)) -> RunError {
    let each = "rw=read size=1M ioengine=null";
    let mut plan = plan(&[job("first", each), job("second", each)]);
    spoil(&mut plan);
    let bare = [Target::without_storage(1 << 20)];
    run_plan(&plan, &bare, 7, &Control::default(), &Events::default(), None).unwrap_err()
}

#[test]
fn an_unresolved_plan_is_refused_too() {
    let error = refused(|plan| plan.jobs[1].workload.engine = "warp".to_string());
    assert!(matches!(&error, RunError::NoSuchEngine { name } if name == "warp"), "{error}");
    // An engine that removes files, with a workload that reads; and vice versa.
    for (engine, action) in [("filedelete", None), ("null", Some(FileAction::Delete))] {
        let error = refused(|plan| {
            let workload = &mut plan.jobs[1].workload;
            (workload.engine, workload.file_action) = (engine.to_string(), action);
        });
        let expected = message!("plan-wrong-engine", job = "second", engine);
        assert_eq!(error.message(), expected);
    }
    let error = refused(|plan| plan.jobs[1].clones = vec![Vec::new()]);
    assert_eq!(error.message(), message!("plan-nothing-to-do", job = "second"));
    for job in [1, 2] {
        let error = refused(|plan| plan.jobs[1].start.after = StartAfter::Job { job });
        assert_eq!(error.message(), message!("plan-waits-for-later", job = "second"));
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_found_before_the_first_job() {
    let directory = cardiograph_testing::disk_dir();
    let targets = [
        Target::without_storage(1 << 20),
        Target::create_file(directory.path(), 1 << 20, Naming::Named).unwrap(),
    ];
    let name = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
    let plan = plan(&[
        job("first", "rw=read size=1M ioengine=null filename=bare"),
        job("second", "rw=write size=1M ioengine=psync filename=file stonewall=1"),
    ]);
    let permit = gate::permit(&targets).unwrap();
    std::fs::remove_file(name).unwrap();
    let events = Events::default();
    let control = Control::default();
    let request = RunRequest::new(&plan, &targets, Some(&permit), 1, &control, &events);
    let error = cardiograph_engine::run(&request).unwrap_err();
    assert!(matches!(&error, RunError::OpenTarget { target, .. } if target == targets[1].name()), "{error}");
    assert!(events.0.borrow().is_empty(), "nothing was begun");
}

#[test]
fn a_job_may_not_read_what_another_job_of_its_plan_writes() {
    let jobs = ["rw=write offset=16M size=16M ioengine=sim", "rw=read size=32M ioengine=sim stonewall=1"];
    assert!(refusal(&jobs).contains("run-reads-unwritten(end=Bytes(33554432)"));
}

#[test]
fn random_writes_may_be_read_if_they_cover_everything() {
    let read = job("read", "ioengine=sim rw=read bs=4k size=4M");
    for (writes, is_whole) in [
        ("rw=randwrite bs=4k size=4M iodepth=8", true),
        ("rw=randwrite bs=4k size=4M norandommap=1", false),
        ("rw=randwrite bs=4k size=4M io_size=3M", false),
        ("rw=randwrite bsrange=4k-8k size=4M", false),
        ("rw=randwrite bs=12k size=4M", false),
        ("rw=randrw bs=4k size=4M", false),
    ] {
        let target = simulated(&plain_drive(8, Vec::new()), 4);
        let target = std::slice::from_ref(&target);
        let write = job("write", &format!("ioengine=sim {writes}"));
        // A mix reads unwritten data, and is refused when run alone.
        let written = try_run(&[write], target, 7);
        assert_eq!(written.is_ok(), !writes.contains("randrw"), "{writes}");
        assert_eq!(try_run(std::slice::from_ref(&read), target, 7).is_ok(), is_whole, "{writes}");
    }
}

#[test]
fn a_simulated_engine_needs_a_simulated_drive() {
    let directory = tempfile::tempdir().unwrap();
    let file = Target::create_file(directory.path(), 1 << 20, Naming::Automatic).unwrap();
    for target in [file, Target::without_storage(1 << 20)] {
        let error = try_run(&[job("job", "rw=write size=1M ioengine=sim")], &[target], 7).unwrap_err();
        assert!(matches!(error, RunError::WrongTarget { .. }), "{error}");
    }
    let bare = Target::without_storage(1 << 20);
    let error = try_run(&[job("job", "rw=read size=1M ioengine=psync")], &[bare], 7).unwrap_err();
    assert!(matches!(error, RunError::WrongTarget { .. }), "{error}");
}

#[test]
fn all_jobs_of_a_simulation_share_one_drive() {
    // Each drive has its own time; the run advances only one.
    let (one, other) = (plain_drive(1, Vec::new()), plain_drive(1, Vec::new()));
    let targets = [simulated(&one, 16), simulated(&other, 16)];
    let jobs = [
        job("a", "rw=write size=1M ioengine=sim filename=a"),
        job("b", "rw=write size=1M ioengine=sim filename=b"),
    ];
    let error = try_run(&jobs, &targets, 7).unwrap_err();
    assert_eq!(error.message(), message!("plan-two-simulated-drives", job = "b"));
}

#[test]
fn writing_needs_a_permit_for_that_target() {
    let drive = plain_drive(1, Vec::new());
    let (target, other) = (simulated(&drive, 16), simulated(&drive, 16));
    let plan = plan(&[job("job", "rw=write bs=4k size=1M ioengine=sim")]);
    let control = Control::default();
    let targets = [target];
    let foreign = gate::permit(&[other]).unwrap();
    for permit in [None, Some(&foreign)] {
        let events = Events::default();
        let request = RunRequest::new(&plan, &targets, permit, 1, &control, &events);
        let error = cardiograph_engine::run(&request).unwrap_err();
        assert!(matches!(error, RunError::NotPermitted { .. }), "{error}");
    }
    assert_eq!(drive.counters().write_ios, 0);
}

#[test]
fn an_unopened_target_is_refused() {
    let error = try_run(&[job("job", "rw=read size=1M ioengine=null")], &[], 7).unwrap_err();
    assert_eq!(error.message(), message!("plan-no-target", job = "job"));
}

#[test]
fn reading_needs_no_permit() {
    let (_, target) = filled(1, 16);
    let plan = plan(&[job("job", "rw=read bs=1M size=16M ioengine=sim")]);
    let (targets, control, events) = ([target], Control::default(), Events::default());
    let request = RunRequest::new(&plan, &targets, None, 1, &control, &events);
    assert_eq!(cardiograph_engine::run(&request).unwrap().merged(|_| true).read.ios, 16);
}
