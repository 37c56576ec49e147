//! Whole checkups on a machine made of files, whose drive reports its health.

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use cardiograph_core::JobSpec;
use cardiograph_core::Message;
use cardiograph_core::RunResult;
use cardiograph_core::drive::{Drive, Environment, Host};
use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, TestFile, Work};
use cardiograph_core::trust::TrapOutcome;
use cardiograph_drive::System;
use cardiograph_render::lang::Lang;
use cardiograph_render::text::{self, Style};
use cardiograph_suites::{Outline, OutlineStep, Settings, SuiteTraits};

use super::*;
use crate::checkup::{Task, blank_report};
use crate::checkup_target::CheckupTarget;
use crate::local_runner::LocalRunner;
use crate::runner::Terms;

/// Saves nothing.
struct KeepsNothing;

impl Keeper for KeepsNothing {
    fn begin(&self, _: &Report) -> Result<(), Failure> {
        Ok(())
    }

    fn save(&self, _: &Report) -> Result<(), Failure> {
        Ok(())
    }
}

/// Writes 1 MiB.
struct OneWrite;

static ONE_WRITE: OneWrite = OneWrite;
const WRITE_BYTES: u64 = 1 << 20;

impl Suite for OneWrite {
    fn name(&self) -> &'static str {
        "one-write"
    }

    fn summary(&self) -> Message {
        Message::verbatim("Writes once.")
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { judges_all_purposes: true, ..SuiteTraits::default() }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        Outline {
            steps: self.next(context, &[]).into_iter().map(|next| OutlineStep::from(next.step)).collect(),
            write_bytes_max: WRITE_BYTES,
            file_bytes_max: WRITE_BYTES,
            ..Outline::default()
        }
    }

    fn next(&self, _: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let job = JobSpec::for_step("one-write", "write").set("filename", "one.tmp").set("size", WRITE_BYTES);
        let step = Step {
            id: "write".to_string(),
            title: Message::verbatim("Write"),
            work: Work::Jobs(vec![job.set("rw", "write").set("bs", "64k").set("ioengine", "psync")]),
            files: vec![TestFile { name: "one.tmp".to_string(), len_bytes: WRITE_BYTES }],
            write_bytes_max: WRITE_BYTES,
            ..Step::default()
        };
        done.is_empty().then(|| step.into())
    }

    fn measure(&self, _: &Context<'_>, _: &[StepResult]) -> Measurements {
        Measurements::new()
    }
}

/// Output of `smartctl` for a SATA SSD with this temperature, number of CRC errors and sectors written.
fn answer(temperature_c: u32, damaged: u32, written_sectors: u64) -> String {
    format!(
        r#"{{"smartctl":{{"version":[7,4],"exit_status":0}},"model_name":"Samsung SSD 860 EVO 500GB",
        "logical_block_size":512,"rotation_rate":0,"in_smartctl_database":true,"smart_status":{{"passed":true}},
        "ata_smart_attributes":{{"table":[
        {{"id":199,"name":"CRC_Error_Count","value":100,"thresh":0,"raw":{{"value":{damaged}}}}},
        {{"id":241,"name":"Total_LBAs_Written","value":99,"thresh":0,"raw":{{"value":{written_sectors}}}}}]}},
        "temperature":{{"current":{temperature_c}}}}}"#
    )
}

/// A machine with a SATA drive under its root, and a `smartctl` that gives these answers in sequence and
/// repeats the last.
fn machine(answers: &[&str]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let file = |path: &str, content: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    let link = |path: &str, target: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    };
    let device = "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0";
    let disk = format!("sys/devices/{device}/block/sda");
    file(&format!("{disk}/dev"), "8:0\n");
    file(&format!("{disk}/size"), "976773168\n");
    file(&format!("{disk}/queue/rotational"), "0\n");
    file(&format!("sys/devices/{device}/vendor"), "ATA     \n");
    file(&format!("sys/devices/{device}/model"), "Samsung SSD 860 \n");
    link(&format!("{disk}/device"), "../..");
    for path in ["sys/dev/block/8:0", "sys/class/block/sda"] {
        link(path, &format!("../../devices/{device}/block/sda"));
    }
    link("sys/block/sda", &format!("../devices/{device}/block/sda"));
    file("proc/self/mountinfo", "1 0 8:0 / / rw - ext4 /dev/sda rw\n");
    for (index, answer) in answers.iter().enumerate() {
        file(&format!("said/{index}"), answer);
    }
    let said = root.path().join("said").display().to_string();
    let last = answers.len() - 1;
    let script = format!(
        "#!/bin/sh\nn=0\ncd '{said}'\n[ -f asked ] && read n < asked\ncat $n\n\
         [ $n -lt {last} ] && n=$((n + 1))\necho $n > asked\n"
    );
    fs::create_dir(root.path().join("bin")).unwrap();
    cardiograph_testing::write_program(&root.path().join("bin/smartctl"), script.as_bytes());
    root
}

/// Remembers all events.
#[derive(Default)]
struct Heard(RefCell<Vec<Event>>);

impl Sink for Heard {
    fn event(&self, event: Event) {
        self.0.borrow_mut().push(event);
    }
}

/// A checkup there, in a directory of the running machine, and its full text report.
fn check(root: &Path) -> (Report, String) {
    check_and_hear(root, &Heard::default())
}

fn check_and_hear(root: &Path, sink: &Heard) -> (Report, String) {
    let directory = cardiograph_testing::disk_dir();
    let target =
        CheckupTarget::Directory { path: directory.path().to_path_buf(), system: System::rooted_at(root) };
    let traits = ONE_WRITE.traits(&Settings::default());
    let (mut runner, opened) = LocalRunner::with_target(target, ONE_WRITE.name(), traits).unwrap();
    let mut report = blank_report(&Task::default(), ONE_WRITE.name(), opened, 1, 0, &());
    let signals = Signals::default();
    let caller = Caller { sink, signals: &signals };
    report.drive = runner.look(caller).unwrap().drive;
    runner.begin(Terms { direct: false, max_time_ns: None, seed: 1, resumed: None }, caller).unwrap();
    let mut session = Session {
        runner: &mut runner,
        suite: &ONE_WRITE,
        options: Options { direct: false, ..Options::default() },
        purposes: &cardiograph_judge::purpose::PURPOSES,
        caller,
        keeper: Arc::new(KeepsNothing),
    };
    let ending = session.run(&mut report).unwrap();
    assert_eq!((report.state, ending.messages), (ReportState::Finished, Vec::new()));
    // The running machine's name must not appear in compared lines.
    (report.host, report.environment) = (Host::default(), Environment::default());
    let style = Style { width: 120, color: false };
    let shown = [text::report(&report, Lang::EN, &style), text::details(&report, Lang::EN, &style)].concat();
    (report, shown)
}

fn new_errors(report: &Report) -> &TrapOutcome {
    &report.traps.iter().find(|check| check.trap == "new_errors").unwrap().outcome
}

#[test]
fn increased_counters_are_reported() {
    let root = machine(&[&answer(36, 1, 64_777_770_148), &answer(41, 4, 64_777_772_196)]);
    let (report, shown) = check(root.path());
    let before = report.drive.leaves[0].health.as_ref().unwrap();
    assert_eq!((before.temperature_c, before.interface_errors), (Some(36), Some(1)));
    let [after] = report.health_after.as_slice() else { panic!("{:?}", report.health_after) };
    assert_eq!((after.drive.as_str(), after.health.temperature_c), ("sda", Some(41)));
    assert_eq!(after.health.since(before).interface_errors, Some(3));
    assert_eq!(after.health.since(before).written_bytes, Some(WRITE_BYTES));
    for words in [
        "What the drives counted meanwhile",
        "36 °C before, 41 °C after, 1.05 MB written, 3 transfers damaged by the link",
        "While it was measured, drive sda counted 3 transfers damaged by the link.",
    ] {
        assert!(shown.contains(words), "{words:?} is missing in:\n{shown}");
    }
    assert!(new_errors(&report).warning().is_some());
    let stored: Report = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(stored.health_after, report.health_after);
}

#[test]
fn a_healthy_drive_takes_one_line() {
    let root = machine(&[&answer(36, 1, 1_000), &answer(36, 1, 3_048)]);
    let (report, shown) = check(root.path());
    assert!(shown.contains("36 °C before, 36 °C after, 1.05 MB written, no new errors"), "{shown}");
    assert_eq!(new_errors(&report), &TrapOutcome::Absent);
}

#[test]
fn each_step_begins_with_what_is_known_and_a_warning_comes_once() {
    let root = machine(&[&answer(36, 1, 64_777_770_148), &answer(41, 4, 64_777_772_196)]);
    let heard = Heard::default();
    let (report, _) = check_and_hear(root.path(), &heard);
    let events = heard.0.take();
    let begun = events.iter().position(|event| matches!(event, Event::Subject(_))).unwrap();
    let Event::Subject(subject) = &events[begun] else { unreachable!() };
    assert_eq!((subject.suite.as_str(), subject.write_bytes_max), (ONE_WRITE.name(), Some(WRITE_BYTES)));
    assert_eq!(subject.drive, report.drive);
    let stages: Vec<&Event> = events.iter().filter(|event| matches!(event, Event::Stage(_))).collect();
    let [Event::Stage(stage)] = stages[..] else { panic!("{stages:?}") };
    assert_eq!((stage.number, stage.count, stage.written_bytes), (1, Some(1), 0));
    let warned: Vec<&Message> = events
        .iter()
        .filter_map(|event| match event {
            Event::Warning(warning) => Some(warning),
            _ => None,
        })
        .collect();
    let expected: Vec<&Message> = warnings(&report).map(|(_, seen)| seen).collect();
    assert!(expected.iter().any(|seen| new_errors(&report).warning().unwrap().seen.contains(seen)));
    assert_eq!(warned.len(), expected.len(), "{warned:?}");
    assert!(expected.iter().all(|seen| warned.contains(seen)), "{warned:?}");
}

#[test]
fn the_time_left_is_a_bound_that_shrinks_or_an_estimate() {
    let step = |time_ns_max| Step { time_ns_max, ..Step::default() };
    let done = |time_ns_max: Option<u64>, duration_ns| StepResult {
        result: Some(RunResult { duration_ns, ..RunResult::default() }),
        ..StepResult::new(step(time_ns_max), StepOutcome::Done)
    };
    let timed = [done(Some(8), 3), done(Some(6), 6)];
    let untimed = [done(None, 10), done(None, 20)];
    use TimeLeft::{About, AtMost, Unknown};
    for (bounds, count, done, next, expected) in [
        // The first step ended early.
        ((Some(60), None), Some(5), &timed[..1], Some(6), AtMost(52)),
        ((Some(60), None), Some(5), &timed[..], Some(20), AtMost(46)),
        ((Some(60), Some(30)), Some(5), &timed[..], Some(20), AtMost(30)),
        ((None, Some(30)), None, &untimed[..], None, AtMost(30)),
        ((Some(15), None), None, &timed[..], Some(20), AtMost(20)),
        ((None, None), Some(6), &untimed[..], None, About(60)),
        ((None, None), Some(6), &[], None, Unknown),
        ((None, None), None, &untimed[..], None, Unknown),
    ] {
        assert_eq!(time_left(bounds, count, done, &step(next)), expected, "{bounds:?} {count:?}");
    }
}

#[test]
fn a_drive_that_stops_answering_has_no_changes() {
    for rubbish in ["", "{\"smartctl\":", "no device"] {
        let root = machine(&[&answer(36, 1, 1_000), rubbish]);
        let (report, shown) = check(root.path());
        assert_eq!(report.health_after, [], "{rubbish:?}");
        assert!(!shown.contains("counted meanwhile"), "{shown}");
        assert!(matches!(new_errors(&report), TrapOutcome::NotSeen { .. }));
    }
}

#[test]
fn a_checkup_ended_by_the_user_does_not_wait() {
    let root = machine(&[&answer(36, 1, 1_000)]);
    let target =
        CheckupTarget::Directory { path: root.path().to_path_buf(), system: System::rooted_at(root.path()) };
    let mut report = blank_report(&Task::default(), ONE_WRITE.name(), target.opened().unwrap(), 1, 0, &());
    target.inquire(&mut report.drive);
    let signals = Signals::default();
    signals.note(15);
    let asked = fs::metadata(root.path().join("said/asked")).unwrap().modified().unwrap();
    let after = asked_again(&signals, || target.health(&report.drive));
    assert_eq!(after, []);
    assert_eq!(fs::metadata(root.path().join("said/asked")).unwrap().modified().unwrap(), asked);
    assert!(target.health(&Drive::default()).is_empty(), "drives without earlier health are not queried");
}
