use cardiograph_core::drive::{FileSystem, Health, Leaf, Mount};
use cardiograph_core::series::Interval;
use cardiograph_jobs::settings::Settings as _;

use super::*;
use crate::next_step::NextStep;
use crate::setting::Settings;
use crate::suite::Options;
use crate::testing::{GB, SLOW_CARD, card, has, run, settle, with_context};

/// Runs the suite on a drive that writes `fast` bytes a second until `fast_bytes` are written, and then `slow`.
fn run_on(drive: &Drive, options: &Options, fast_bytes: u64, fast: u64, slow: u64) -> Vec<StepResult> {
    with_context(drive, options, |context| {
        let (mut done, mut written_bytes): (Vec<StepResult>, u64) = (Vec::new(), 0);
        while let Some(NextStep { step, .. }) = Cliff.next(context, &done) {
            assert!(done.len() < 30, "the suite does not end");
            if step.id == RECOVERY {
                // Half of it came back.
                written_bytes = fast_bytes / 2;
            }
            done.push(written(step, &mut written_bytes, fast_bytes, fast, slow));
        }
        done
    })
}

/// A step's result with the windows that such a drive gives.
fn written(step: Step, before: &mut u64, fast_bytes: u64, fast: u64, slow: u64) -> StepResult {
    let mut result = run(step, &SLOW_CARD);
    let run = result.result.as_mut().unwrap();
    let window_ns = run.workers[0].series.window_ns;
    let (mut left_bytes, mut rows) = (result.step.write_bytes_max, Vec::new());
    while left_bytes > 0 {
        // Real windows are never equal.
        let jitter = 1.0 + 0.01 * ((rows.len() * 7_919 % 13) as f64 - 6.0);
        let speed = if *before < fast_bytes { fast } else { slow };
        let bytes = ((speed as f64 * jitter * window_ns as f64 / 1e9) as u64).min(left_bytes);
        rows.push(Interval { ios: bytes.div_ceil(MIB), bytes, ..Interval::default() });
        (left_bytes, *before) = (left_bytes - bytes, *before + bytes);
    }
    run.duration_ns = rows.len() as u64 * window_ns;
    run.workers[0].series.duration_ns = run.duration_ns;
    run.workers[0].series.rows.write = rows;
    run.workers[0].directions.write.bytes = result.step.write_bytes_max;
    result
}

fn ids(done: &[StepResult]) -> Vec<&str> {
    done.iter().map(|step| step.step.id.as_str()).collect()
}

fn value(table: &Table, column: usize) -> Option<f64> {
    match &table.rows[0].cells[column] {
        Cell::Figure { estimate, .. } => Some(estimate.value),
        _ => None,
    }
}

#[test]
fn the_cache_is_found_with_its_speeds_and_its_recovery() {
    let drive = card(256 * GB, 200 * GB);
    let options = Options::default();
    for fast_bytes in [600 * MIB, 3 * GIB, 9 * GIB] {
        let done = run_on(&drive, &options, fast_bytes, 400_000_000, 80_000_000);
        assert_eq!(done.last().unwrap().step.id, RECOVERY, "{:?}", ids(&done));
        with_context(&drive, &options, |context| {
            let table = &Cliff.tables(context, &done)[0];
            let assert_close = |column, expected: f64, share: f64| {
                let found = value(table, column).unwrap();
                assert!((found / expected - 1.0).abs() < share, "{column}: {found} for {expected}");
            };
            assert_close(0, fast_bytes as f64, 0.05);
            assert_close(1, 400e6, 0.05);
            assert_close(2, 80e6, 0.02);
            assert_close(3, fast_bytes as f64 / 2.0, 0.1);
            let measured = &Cliff.measure(context, &done)[&Metric::SustainedWrite];
            assert!((measured.estimate.value / 80e6 - 1.0).abs() < 0.02, "the speed after the cliff counts");
        });
        let written: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
        assert!(written < 5 * fast_bytes + GIB, "{written}: it stops soon after the fall");
    }
}

#[test]
fn a_drive_without_a_cache_is_written_up_to_the_limit() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    let done = run_on(&drive, &options, 0, 30_000_000, 30_000_000);
    assert!(done.iter().all(|step| step.step.id != RECOVERY));
    let written: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
    let bound = with_context(&drive, &options, |context| Cliff.outline(context).write_bytes_max);
    assert!(written <= bound && bound <= 6_400_000_000, "{written} of {bound}");
    with_context(&drive, &options, |context| {
        let table = &Cliff.tables(context, &done)[0];
        assert_eq!(value(table, 0), None);
        assert!(matches!(&table.rows[0].cells[0], Cell::Absent { why } if why.id() == "table-cliff.no-fall"));
    });
}

#[test]
fn the_write_limit_holds_and_is_explained() {
    let settings = |pairs: &[(&str, &str)]| {
        let pairs: Vec<_> =
            pairs.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
        Options { settings: Settings::parse(NAME, Cliff.settings(), &pairs).unwrap(), ..Options::default() }
    };
    let vfat = {
        let mut drive = card(64 * GB, 60 * GB);
        let mount = drive.mount.as_mut().unwrap();
        mount.fs_type = "vfat".to_string();
        mount.file_system =
            Some(FileSystem { file_len_bytes_max: Some((4 << 30) - 1), ..FileSystem::default() });
        drive
    };
    let cases = [
        (card(64 * GB, 60 * GB), settings(&[]), "note-cliff.tenth"),
        (card(64 * GB, 60 * GB), settings(&[("max", "2G")]), "note-budget.asked"),
        (card(64 * GB, 3 * GB), settings(&[]), "note-budget.room"),
        (vfat, settings(&[("max", "20G")]), "note-cliff.longest-file"),
        (Drive::default(), settings(&[]), "note-cliff.capacity-unknown"),
    ];
    for (drive, options, reason) in cases {
        let (outline, done) = (
            with_context(&drive, &options, |context| Cliff.outline(context)),
            run_on(&drive, &options, 512 * MIB, 300_000_000, 50_000_000),
        );
        assert_eq!(outline.notes[0].id(), reason);
        let written: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
        assert!(written <= outline.write_bytes_max, "{written} of {}", outline.write_bytes_max);
        let file_bytes = done.iter().map(|step| step.step.files[0].len_bytes).max().unwrap();
        assert_eq!(outline.file_bytes_max, file_bytes);
        if let Some(Mount { available_bytes, .. }) = &drive.mount {
            assert!(file_bytes < *available_bytes);
        }
    }
    let small = card(4 * GB, 200 * MIB);
    with_context(&small, &Options::default(), |context| {
        let outline = Cliff.outline(context);
        assert!(outline.steps.is_empty() && has(&outline.notes, "note-instead.quick"));
        assert_eq!(Cliff.next(context, &[]), None);
    });
}

#[test]
fn the_share_of_the_drives_life_is_reported_if_known() {
    let life = |used_percent| {
        let health = Health { used_percent, written_bytes: Some(10 << 40), ..Health::default() };
        let leaf = Leaf { health: Some(health), ..Leaf::default() };
        life(&Drive { leaves: vec![leaf], ..Drive::default() }, 107_374_182_400)
    };
    // 10 TiB were 10 % of its life: 100 GiB are 0.1 %.
    let share = Parameter::share(1.0 / 1_024.0);
    assert_eq!(life(Some(10)), message!("note-cliff.life", share));
    assert_eq!(life(None), message!("note-cliff.life-unknown"));
}

#[test]
fn a_time_limit_ends_the_writing_early() {
    let drive = card(256 * GB, 200 * GB);
    let options = Options { max_time_ns: Some(20 * NS_PER_S), ..Options::default() };
    let done = run_on(&drive, &options, u64::MAX, 400_000_000, 400_000_000);
    let first = done[0].step.jobs()[0].last("runtime");
    assert_eq!(first, Some("20"));
    assert!(done.iter().all(|step| step.step.id != RECOVERY), "there is no time for a rest of a minute");
}

#[test]
fn pieces_before_an_interruption_are_shown() {
    let (drive, options) = (card(256 * GB, 200 * GB), Options::default());
    let mut done = run_on(&drive, &options, u64::MAX, 400_000_000, 400_000_000);
    done.truncate(3);
    let shown = |done: &[StepResult]| {
        let tables = with_context(&drive, &options, |context| Cliff.tables(context, done));
        let doubtful = |cell: &Cell| matches!(cell, Cell::Figure { doubt: Some(_), .. });
        let counts = tables[1].rows.iter().filter(|row| row.cells.iter().any(doubtful)).count();
        (counts, tables[1].rows.len(), tables[0].notes.clone())
    };
    let whole = shown(&done);
    assert!(whole.0 == 0 && whole.2.is_empty(), "{whole:?}");
    done[2].outcome = StepOutcome::Interrupted;
    settle(&mut done, &drive, &options);
    let (doubtful, rows, notes) = shown(&done);
    assert_eq!((doubtful, rows), (0, whole.1));
    assert_eq!(notes, [message!("table-cliff.stopped")]);
    // The last piece is as long as the two before it, whose figures stay.
    done[2].outcome = StepOutcome::Failed { message: cardiograph_core::Message::verbatim("EIO") };
    settle(&mut done, &drive, &options);
    let (doubtful, rows, _) = shown(&done);
    assert!((rows / 2..=rows / 2 + 1).contains(&doubtful), "{doubtful} of {rows}");
}

#[test]
fn a_refusal_says_why_and_what_fits_and_no_more() {
    let full = card(GB, 50 * MIB);
    let outline = with_context(&full, &Options::default(), |context| Cliff.outline(context));
    let amount = |count: u64| Parameter::CapacityBytes(count * MIB);
    let expected = [
        message!("note-budget.no-room", free = amount(50), margin = amount(64)),
        message!("note-cliff.too-little", least = amount(256)),
        message!("note-instead.none"),
        message!("note-quick-needs.free", bytes = Parameter::Bytes(68 * MIB)),
    ];
    assert_eq!(outline.notes, expected);
}

#[test]
fn nothing_follows_a_failure() {
    let (drive, options) = (card(256 * GB, 200 * GB), Options::default());
    let mut done = run_on(&drive, &options, GIB, 400_000_000, 80_000_000);
    done.truncate(2);
    done[1].outcome = StepOutcome::Interrupted;
    settle(&mut done, &drive, &options);
    with_context(&drive, &options, |context| {
        assert_eq!(Cliff.next(context, &done), None);
        assert!(Cliff.measure(context, &done)[&Metric::SustainedWrite].doubt.is_some());
    });
}
