//! Runs that are stopped while they measure.

use std::path::Path;
use std::time::Duration;

use cardiograph_core::pause::{Pause, PauseCause};
use cardiograph_core::report::StepRole;
use cardiograph_core::trust::TrapOutcome;
use cardiograph_testing::control_group::ControlGroup;
use cardiograph_testing::skip;

use crate::common::{Bench, PROGRAM, Running, has_message, start};

const STOPPED_FOR: Duration = Duration::from_millis(1_200);
const MEMORY: &str = "/dev/shm";

/// A job of 3 s, in text and JSON, at a rate that leaves the processors to other tests.
fn job(directory: &Path) -> String {
    format!(
        "fio --name=job --directory={} --rw=randread --bs=4k --size=4M --time_based --runtime=3 --unlink=1 \
         --rate_iops=2k --output-format=normal,json",
        directory.display()
    )
}

fn started(bench: &Bench, line: &str) -> Running {
    start(bench.command(PROGRAM, line.split_whitespace()))
}

/// Stops a job of 3 s in the middle. Returns its text and its pauses.
fn stopped(directory: &Path, stop: impl FnOnce(&mut Running)) -> (String, Vec<Pause>) {
    let bench = Bench::new();
    let file = directory.join("job.0.0");
    let mut running = started(&bench, &job(directory));
    running.wait_until(|| file.exists(), "the file of the job");
    std::thread::sleep(Duration::from_millis(1_000));
    stop(&mut running);
    let outcome = running.finish().exits_with(0);
    assert_eq!(outcome.stderr, "", "what is said of a pause stands with the figures");
    let (_, json) = outcome.stdout.split_once("\n{\n").expect("JSON follows the beginning of the text");
    let json = json.split_once("\n}\n").expect("it ends").0;
    let json: serde_json::Value = serde_json::from_str(&format!("{{{json}}}")).unwrap();
    let own = &json["jobs"][0]["cardiograph"];
    let pauses = own.get("pauses").map_or(Ok(Vec::new()), |pauses| serde_json::from_value(pauses.clone()));
    (outcome.stdout.clone(), pauses.unwrap())
}

fn check_noted(text: &str, pauses: &[Pause]) {
    let [pause] = pauses else { panic!("{pauses:?}") };
    assert!(matches!(pause.cause, PauseCause::Stopped | PauseCause::Frozen), "{pause:?}");
    assert!((900_000_000..3_000_000_000).contains(&pause.duration_ns), "{pause:?}");
    let has_cause =
        ["trap-paused.stopped", "trap-paused.frozen"].iter().any(|cause| has_message(text, cause));
    assert!(text.contains("  cardiograph  : ") && has_message(text, "paused") && has_cause, "{text}");
}

#[test]
fn a_stopped_job_notes_it_with_its_figures() {
    let stop = |running: &mut Running| {
        running.signal("STOP");
        std::thread::sleep(STOPPED_FOR);
        running.signal("CONT");
    };
    let disk = cardiograph_testing::disk_dir();
    let mut directories = vec![disk.path().to_path_buf()];
    let memory = tempfile::tempdir_in(MEMORY);
    match &memory {
        Ok(memory) => directories.push(memory.path().to_path_buf()),
        Err(error) => skip("a stopped job in memory", &error.to_string()),
    }
    for directory in directories {
        let (text, pauses) = stopped(&directory, stop);
        check_noted(&text, &pauses);
        let (text, pauses) = stopped(&directory, |_| {});
        assert!(pauses.iter().all(|pause| pause.cause != PauseCause::Stopped), "{text}");
    }
}

/// Where control groups are frozen: a directory below /sys/fs/cgroup, a file, and the values that freeze and thaw.
const FREEZERS: [(&str, &str, [&str; 2]); 3] = [
    ("", "cgroup.freeze", ["1", "0"]),
    ("unified", "cgroup.freeze", ["1", "0"]),
    ("freezer", "freezer.state", ["FROZEN", "THAWED"]),
];

#[test]
fn a_job_in_a_frozen_control_group_says_so() {
    let (freezer, nth) = match ControlGroup::new(&FREEZERS.map(|(place, file, _)| (place, file))) {
        Ok(made) => made,
        Err(reason) => return skip("a frozen control group", &reason),
    };
    let disk = cardiograph_testing::disk_dir();
    let (text, pauses) = stopped(disk.path(), |running| {
        freezer.take_in(&[running.id(), running.io_id()]);
        let (_, file, [freeze, thaw]) = FREEZERS[nth];
        freezer.write(file, freeze);
        std::thread::sleep(STOPPED_FOR);
        freezer.write(file, thaw);
    });
    check_noted(&text, &pauses);
}

#[test]
fn a_checkup_that_was_stopped_does_not_blame_the_drive() {
    let bench = Bench::new();
    let mut running = bench.start("check --max-time 12s");
    bench.wait_for_steps(1, &mut running);
    std::thread::sleep(Duration::from_millis(600));
    running.signal("STOP");
    std::thread::sleep(STOPPED_FOR);
    running.signal("CONT");
    let outcome = running.finish().exits_with(0);
    let report = bench.saved_report();
    let paused: Vec<_> = report.steps.iter().filter(|step| !step.pauses().is_empty()).collect();
    if !paused.iter().any(|step| step.step.role == StepRole::Measure) {
        return skip(
            "a checkup that is stopped within a step",
            "no step that measures ran when it was stopped",
        );
    }
    outcome.says(&["@trap-paused.seen", "@step-line-why.paused"]);
    let trap = report.traps.iter().find(|trap| trap.trap == "paused").unwrap();
    assert!(matches!(trap.outcome, TrapOutcome::Present(_)), "{trap:?}");
    for step in paused {
        let measured = report.measurements.values().filter(|measured| measured.step == step.step.id);
        for measured in measured {
            assert!(measured.doubt.is_some(), "{measured:?}");
        }
        let tests = cardiograph_judge::record::tests_of(step);
        assert!(
            tests
                .iter()
                .flat_map(|test| &test.figures)
                .all(|of| of.quantity.is_amount() || of.doubt.is_some())
        );
    }
}
