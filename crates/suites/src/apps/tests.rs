use cardiograph_core::app::{AppResult, CamerasOutcome, Operation, PartRecorder};
use cardiograph_core::drive::Drive;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::table::Cell;
use cardiograph_core::verdict::Level;
use cardiograph_core::{GIB, NS_PER_MS};

use super::*;
use crate::board::CameraTrial;
use crate::next_step::NextStep;
use crate::setting::Settings;
use crate::suite::Options;
use crate::testing::{GB, card, settle, with_context};

/// A drive on which each operation takes `operation_ns`, and that keeps up with `cameras`.
#[derive(Clone, Copy)]
struct Model {
    operation_ns: u64,
    cameras: u64,
}

const USUAL: Model = Model { operation_ns: 4 * NS_PER_MS, cameras: 12 };

fn set(pairs: &[(&str, &str)]) -> Options {
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Options { settings: Settings::parse(NAME, Apps.settings(), &pairs).unwrap(), ..Options::default() }
}

fn recorded(id: &str, operation: Operation, direction: Direction, n: u64, each_ns: u64) -> PartRecorder {
    let mut recorder = PartRecorder::new(id, operation, direction, 100 * NS_PER_MS);
    (1..=n).for_each(|number| recorder.done(number * each_ns, each_ns, 100));
    recorder.end(n * each_ns);
    recorder
}

fn app(step: &Step, model: Model) -> AppResult {
    let spec = step.work.app().unwrap();
    let time_ns = step.time_ns_max.unwrap();
    let n = time_ns / model.operation_ns;
    let part = |id, operation, direction| recorded(id, operation, direction, n, model.operation_ns);
    let (write, read) = (Direction::Write, Direction::Read);
    let parts = match spec.load.as_str() {
        "sqlite-wal" | "sqlite-rollback" => vec![part("commits", Operation::Commit, write)],
        "log-fsync" => vec![part("lines", Operation::Line, write)],
        "unpack" => vec![part("unpack", Operation::File, write), part("read", Operation::File, read)],
        "photos" => vec![part("import", Operation::Photo, write), part("view", Operation::Photo, read)],
        _ => vec![cameras(spec, time_ns, model)],
    };
    let parts = parts.into_iter().map(PartRecorder::into_part).collect();
    AppResult { library: None, parts, pauses: Vec::new() }
}

fn cameras(spec: &AppSpec, time_ns: u64, model: Model) -> PartRecorder {
    let cameras = spec.parameter("cameras").unwrap();
    let second_bytes = spec.parameter("mbit_per_s").unwrap() * 125_000;
    let mut recorder = PartRecorder::new("record", Operation::Second, Direction::Write, 100 * NS_PER_MS);
    let seconds = time_ns / NS_PER_S - 1;
    for second in 1..=seconds {
        (0..cameras).for_each(|_| recorder.done(second * NS_PER_S, 10 * NS_PER_MS, second_bytes));
    }
    if cameras > model.cameras {
        recorder.done_late(seconds * NS_PER_S, 5 * NS_PER_S, second_bytes);
    }
    recorder.end(time_ns);
    recorder
}

fn run(step: Step, model: Model) -> StepResult {
    StepResult { app: Some(app(&step, model)), ..StepResult::new(step, StepOutcome::Done) }
}

fn run_all(drive: &Drive, options: &Options, model: Model) -> Vec<StepResult> {
    with_context(drive, options, |context| {
        let mut done = Vec::new();
        while let Some(NextStep { step, .. }) = Apps.next(context, &done) {
            done.push(run(step, model));
            assert!(done.len() < 40, "the suite does not end");
        }
        done
    })
}

#[test]
fn each_application_runs_once_within_the_outlined_bounds() {
    for capacity in [16 * GB, 64 * GB, 4_000 * GB] {
        let (drive, options) = (card(capacity, capacity / 10 * 9), Options::default());
        let outline = with_context(&drive, &options, |context| Apps.outline(context));
        assert_eq!(outline.steps.len(), APPS.len() - 1, "{:?}", outline.notes);
        assert!(outline.write_bytes_max <= (capacity / 20).min(16 * GIB), "{}", outline.write_bytes_max);
        assert!(outline.file_bytes_max <= outline.write_bytes_max);
        assert_eq!(outline.time_ns_max, Some(244 * NS_PER_S));
        let done = run_all(&drive, &options, USUAL);
        let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
        assert_eq!(ids[..5], ["sqlite-wal", "sqlite-rollback", "log-fsync", "unpack", "photos"]);
        assert!(ids[5..].iter().all(|id| id.starts_with("cameras-")), "{ids:?}");
        let bounds = outline.steps.iter().map(|step| (step.write_bytes_max, step.time_ns_max));
        for (step, bounds) in done.iter().zip(bounds).take(5) {
            assert_eq!((step.step.write_bytes_max, step.step.time_ns_max), bounds);
        }
        let total_ns: u64 = done.iter().map(|step| step.step.time_ns_max.unwrap()).sum();
        assert!(total_ns <= 244 * NS_PER_S, "{total_ns}");
        assert_eq!(done[0].step.sizing.len(), 2);
    }
}

#[test]
fn the_search_finds_how_many_cameras_a_drive_keeps_up_with() {
    let options = set(&[("load", "cameras")]);
    let drive = card(4_000 * GB, 3_000 * GB);
    for most in [0, 1, 2, 3, 4, 5, 12, 37, 100, 255] {
        let done = run_all(&drive, &options, Model { cameras: most, ..USUAL });
        let tried: Vec<u64> =
            done.iter().map(|step| step.step.work.app().unwrap().parameter("cameras").unwrap()).collect();
        let kept = tried.iter().copied().filter(|&cameras| cameras <= most).max().unwrap_or(0);
        let missed = tried.iter().copied().filter(|&cameras| cameras > most).min();
        let written: u64 = done.iter().map(|step| step.app.as_ref().unwrap().bytes(Direction::Write)).sum();
        assert!(written <= 12 * GIB, "{written}");
        match missed {
            // Close enough, or as close as the write limit allows.
            Some(missed) => {
                assert!(missed <= kept + (kept / 8).max(1) || kept >= 128, "{most}: {tried:?}");
            }
            // The write limit does not allow more.
            None => assert!(kept > 64, "{most}: {tried:?}"),
        }
        let table = with_context(&drive, &options, |context| Apps.tables(context, &done)).remove(0);
        let answer = &table.notes[0];
        let (expected, cameras) = match (kept, missed) {
            (0, _) => ("table-cameras.missed", 1),
            (kept, Some(_)) => ("table-cameras.kept", kept),
            (kept, None) => ("table-cameras.kept-at-least", kept),
        };
        assert_eq!((answer.id(), answer.parameter("cameras")), (expected, Some(&cameras.into())), "{most}");
        assert_eq!(answer.parameter("mbit"), Some(&8_u64.into()));
        let limit = Parameter::DurationNs(4 * NS_PER_S);
        let why = missed.map(|missed| message!("table-cameras.late", cameras = missed, limit));
        assert_eq!(table.notes.get(1), why.as_ref(), "{most}");
        assert_eq!(table.rows.len(), tried.len());
    }
}

#[test]
fn falling_behind_is_reported_with_the_share_that_was_recorded() {
    let (drive, options) = (card(4_000 * GB, 3_000 * GB), set(&[("load", "cameras")]));
    let mut done = run_all(&drive, &options, Model { cameras: 12, ..USUAL });
    let cameras = |step: &StepResult| step.step.work.app().unwrap().parameter("cameras").unwrap();
    let missed = done.iter_mut().filter(|step| cameras(step) > 12).min_by_key(|step| cameras(step)).unwrap();
    let number = cameras(missed);
    let part = &mut missed.app.as_mut().unwrap().parts[0];
    (part.late, part.operations) = (0, number * 11 * 89 / 100);
    let table = with_context(&drive, &options, |context| Apps.tables(context, &done)).remove(0);
    let why = message!(
        "table-cameras.behind",
        cameras = number,
        share = Parameter::share(0.88),
        least = Parameter::share(0.97)
    );
    assert_eq!((table.notes[0].parameter("missed"), &table.notes[1]), (Some(&number.into()), &why));
    let name = message!("table-count", count = number);
    let row = table.rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!(row.cells[0], Cell::Text { text: message!("table-cameras.too-few") });
}

#[test]
fn the_search_stays_within_the_write_limit() {
    let (drive, options) = (card(16 * GB, 15 * GB), set(&[("load", "cameras"), ("mbit", "16")]));
    let done = run_all(&drive, &options, Model { cameras: 1_000, ..USUAL });
    // 5 % are 800 MB: 4 and 8 cameras of 2 MB/s for 12 s take 288 MB, and the rest is less than 32 more would.
    let tried: Vec<_> =
        done.iter().map(|step| step.step.work.app().unwrap().parameter("cameras").unwrap()).collect();
    assert_eq!(tried[..2], [4, 8]);
    assert!(tried.len() >= 3 && tried[2..].iter().all(|cameras| (9..22).contains(cameras)), "{tried:?}");
    let written: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
    assert!(written <= 800_000_000, "{written}");
}

#[test]
fn the_search_begins_at_the_speed_of_photos() {
    let (drive, options) = (card(64 * GB, 60 * GB), set(&[("load", "photos,cameras")]));
    with_context(&drive, &options, |context| {
        let mut photos = run(Apps.next(context, &[]).unwrap().step, USUAL);
        let part = &mut photos.app.as_mut().unwrap().parts[0];
        part.bytes = 32_000_000 * part.duration_ns / NS_PER_S;
        let mut done = vec![photos];
        while let Some(NextStep { step, .. }) = Apps.next(context, &done) {
            done.push(run(step, Model { cameras: 26, ..USUAL }));
        }
        let tried = done[1..].iter().map(|step| step.step.work.app().unwrap().parameter("cameras").unwrap());
        assert_eq!(tried.collect::<Vec<_>>(), [24, 32, 28, 26]);
    });
}

#[test]
fn a_drive_that_falls_behind_does_not_keep_up_even_if_nothing_is_late_yet() {
    let (drive, options) = (card(64 * GB, 60 * GB), set(&[("load", "cameras")]));
    with_context(&drive, &options, |context| {
        let mut result = run(Apps.next(context, &[]).unwrap().step, USUAL);
        let part = &mut result.app.as_mut().unwrap().parts[0];
        part.operations = part.operations * 4 / 5;
        assert_eq!(Apps.next(context, &[result]).unwrap().step.id, "cameras-2");
    });
}

#[test]
fn impossible_loads_are_refused_with_a_suggestion() {
    let small = card(GB / 2, GB / 2);
    for (drive, options, expected) in [
        (
            &small,
            Options::default(),
            &["note-apps.too-little", "note-budget.drive", "note-apps.alone", "note-instead.quick"][..],
        ),
        (
            &card(GB, 50 * MIB),
            Options::default(),
            &["note-apps.too-little", "note-budget.no-room", "note-instead.none", "note-quick-needs.free"],
        ),
        (
            &small,
            set(&[("load", "photos")]),
            &["note-apps.too-little", "note-budget.drive", "note-instead.quick"],
        ),
        (&card(64 * GB, 60 * GB), set(&[("load", "sqlite,photos")]), &["note-apps.unknown"]),
        (&card(64 * GB, 60 * GB), set(&[("mbit", "2000")]), &["note-apps.mbit"]),
    ] {
        with_context(drive, &options, |context| {
            let outline = Apps.outline(context);
            let ids: Vec<&str> = outline.notes.iter().map(|note| note.id()).collect();
            assert_eq!((outline.steps.len(), &ids[..]), (0, expected));
            assert_eq!(Apps.next(context, &[]), None);
        });
    }
    let log = set(&[("load", "log-fsync")]);
    assert_eq!(with_context(&small, &log, |context| Apps.outline(context)).steps.len(), 1);
}

#[test]
fn a_time_limit_is_divided_among_the_applications() {
    let options = Options { max_time_ns: Some(60 * NS_PER_S), ..Options::default() };
    let outline = with_context(&card(64 * GB, 60 * GB), &options, |context| Apps.outline(context));
    assert!(outline.time_ns_max.unwrap() <= 60 * NS_PER_S);
    let done = run_all(&card(64 * GB, 60 * GB), &options, USUAL);
    let total_ns: u64 = done.iter().map(|step| step.step.time_ns_max.unwrap()).sum();
    assert!(total_ns <= 60 * NS_PER_S && done.len() > APPS.len(), "{total_ns}");
}

#[test]
fn a_failed_step_ends_the_suite() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    with_context(&drive, &options, |context| {
        let mut result = run(Apps.next(context, &[]).unwrap().step, USUAL);
        result.outcome = StepOutcome::Failed { message: cardiograph_core::Message::verbatim("gone") };
        assert_eq!(Apps.next(context, &[result]), None);
    });
}

#[test]
fn commits_are_evidence_for_purposes_that_wait_for_them() {
    let levels = |operation_ns| {
        let (drive, options) = (card(64 * GB, 60 * GB), set(&[("load", "sqlite-wal")]));
        let done = run_all(&drive, &options, Model { operation_ns, ..USUAL });
        with_context(&drive, &options, |context| {
            let measurements = Apps.measure(context, &done);
            let verdicts = Apps.judge(context, &measurements, &cardiograph_judge::purpose::PURPOSES);
            let level =
                |id: &str| verdicts.iter().find(|verdict| verdict.purpose == id).map(|verdict| verdict.level);
            (level("sensors"), level("db-light"), measurements[&Metric::SqliteCommits].estimate.value.round())
        })
    };
    assert_eq!(levels(4 * NS_PER_MS), (Some(Level::Good), Some(Level::Enough), 250.0));
    // 20 commits per second are not evidence against a purpose that needs 50 durable writes.
    assert_eq!(levels(50 * NS_PER_MS), (Some(Level::Good), None, 20.0));
}

#[test]
fn the_number_of_cameras_is_a_figure_if_the_search_found_it() {
    let measured = |options: &Options, most| {
        let drive = card(64 * GB, 60 * GB);
        let done = run_all(&drive, options, Model { cameras: most, ..USUAL });
        let found = with_context(&drive, options, |context| Apps.measure(context, &done));
        let is_of_cameras = |metric: &Metric| matches!(metric, Metric::Cameras | Metric::CamerasAtLeast);
        let mut found = found.into_iter().filter(|(metric, _)| is_of_cameras(metric));
        let first = found.next().map(|(metric, measured)| (metric, measured.estimate.value, measured.step));
        assert_eq!(found.next(), None);
        first
    };
    let alone = set(&[("load", "cameras")]);
    let figure = |metric, number: u64| Some((metric, number as f64, format!("cameras-{}", number.max(1))));
    for most in [0, 1, 3, 4, 7, 8, 12] {
        assert_eq!(measured(&alone, most), figure(Metric::Cameras, most));
    }
    // 5 % of the card are 3.2 GB, and cameras take 12 MB each.
    let (metric, number, _) = measured(&alone, 1_000).unwrap();
    assert!(metric == Metric::CamerasAtLeast && (32.0..256.0).contains(&number), "{number}");
    // One trial decides between four cameras and fewer.
    let short = Options { max_time_ns: Some(7 * NS_PER_S), ..alone.clone() };
    assert_eq!(measured(&short, 6), figure(Metric::CamerasAtLeast, 4));
    assert_eq!(measured(&short, 3), None);
    // Purposes assume the default bit rate.
    assert_eq!(measured(&set(&[("load", "cameras"), ("mbit", "4")]), 12), None);
    assert_eq!(measured(&set(&[("load", "sqlite-wal")]), 12), None);
}

/// By name only: four cameras for ten minutes, on a small card, too.
#[test]
fn a_recording_is_ten_minutes_of_four_cameras() {
    let (drive, options) = (card(16 * GB, 15 * GB), set(&[("load", "recording")]));
    let measured = |most, time_ns: u64| {
        let mut done = run_all(&drive, &options, Model { cameras: most, ..USUAL });
        assert_eq!(done.len(), 1);
        assert_eq!(done[0].step.write_bytes_max, 2_400_000_000);
        let mut step = done.remove(0).step;
        step.time_ns_max = Some(time_ns);
        let done = [run(step, Model { cameras: most, ..USUAL })];
        let measured = with_context(&drive, &options, |context| Apps.measure(context, &done));
        let value = |metric| measured.get(&metric).map(|known| known.estimate.value);
        (value(Metric::RecordingMissed), value(Metric::RecordingStallMax))
    };
    assert_eq!(measured(4, 600 * NS_PER_S), (Some(0.0), Some(1e7)));
    assert_eq!(measured(3, 600 * NS_PER_S), (Some(1.0), Some(5e9)));
    // The last seconds of all cameras end before it.
    assert_eq!(measured(4, 598 * NS_PER_S), (Some(0.0), Some(1e7)));
    // A shorter one proves nothing, unless it missed a deadline.
    assert_eq!(measured(4, 300 * NS_PER_S), (None, None));
    assert_eq!(measured(3, 300 * NS_PER_S), (Some(1.0), Some(5e9)));
}

#[test]
fn cameras_recorded_into_a_cache_are_not_judged() {
    let (drive, options) = (card(64 * GB, 60 * GB), set(&[("load", "cameras")]));
    let mut done = run_all(&drive, &options, USUAL);
    let kept = done.iter_mut().find(|step| step.step.id == "cameras-12").unwrap();
    let check = cardiograph_core::counters::check(Direction::Write, 100, &Default::default()).unwrap();
    kept.counter_checks.push(check);
    settle(&mut done, &drive, &options);
    with_context(&drive, &options, |context| {
        let measurements = Apps.measure(context, &done);
        assert!(measurements[&Metric::Cameras].doubt.is_some());
        let verdicts = Apps.judge(context, &measurements, &cardiograph_judge::purpose::PURPOSES);
        assert!(verdicts.iter().all(|verdict| verdict.purpose != "cameras"), "{verdicts:?}");
    });
}

#[test]
fn tables_are_in_users_units_and_mark_doubtful_figures() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    let mut done = run_all(&drive, &options, USUAL);
    let check = cardiograph_core::counters::check(Direction::Read, 100, &Default::default()).unwrap();
    done[3].counter_checks.push(check);
    settle(&mut done, &drive, &options);
    let tables = with_context(&drive, &options, |context| Apps.tables(context, &done));
    assert_eq!(tables.len(), 2);
    let rows = &tables[0].rows;
    assert_eq!(rows.len(), 7);
    let Cell::Figure { estimate, step, doubt: None } = &rows[0].cells[0] else { panic!("{:?}", rows[0]) };
    assert_eq!((estimate.value.round(), step.as_str()), (250.0, "sqlite-wal"));
    let doubted = |row: usize| matches!(&rows[row].cells[0], Cell::Figure { doubt: Some(_), .. });
    // Reads from memory cast no doubt on writes.
    assert_eq!((doubted(3), doubted(4)), (false, true));
}

#[test]
fn the_board_of_a_search_has_the_trials_before() {
    let (drive, options) = (card(4_000 * GB, 3_000 * GB), set(&[]));
    let done = run_all(&drive, &options, Model { cameras: 12, ..USUAL });
    for (at, next) in done.iter().enumerate() {
        let board = with_context(&drive, &options, |context| Apps.board(context, &done[..at], &next.step));
        let number = next.step.work.app().unwrap().parameter("cameras");
        let Some(Board::Cameras { trials, next }) = board else {
            assert_eq!((board, number), (None, None));
            continue;
        };
        assert_eq!((trials.len(), Some(next)), (at - 5, number), "five other applications come first");
        let kept_up = |trial: &CameraTrial| trial.outcome == Some(CamerasOutcome::InTime);
        assert!(trials.iter().all(|trial| kept_up(trial) == (trial.cameras <= 12)), "{trials:?}");
        assert!(trials.iter().all(|trial| kept_up(trial) == (trial.late == 0)), "{trials:?}");
    }
}
