use cardiograph_core::table::Cell;

use super::*;
use crate::next_step::NextStep;
use crate::precondition::PRECONDITION;
use crate::setting::Settings;
use crate::suite::Options;
use crate::testing::{FAST_SSD, GB, Model, SLOW_CARD, card, has, plan, run, run_all, with_context};

fn options(suite: &Form, given: &[(&str, &str)]) -> Options {
    let given: Vec<_> = given.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    let settings = Settings::parse(suite.name(), suite.settings(), &given).unwrap();
    Options { settings, ..Options::default() }
}

fn bare(capacity_bytes: u64) -> cardiograph_core::drive::Drive {
    let mut drive = card(capacity_bytes, 0);
    drive.mount = None;
    drive
}

#[test]
fn the_standard_form_has_the_standards_points_and_times() {
    let (drive, options) = (bare(64 * GB), options(&STEADY, &[]));
    let done = run_all(&STEADY, &drive, &options, &FAST_SSD);
    // WIPC, then five equal rounds.
    assert_eq!((done.len(), done[0].step.id.as_str()), (6, PRECONDITION));
    let jobs = &done[1].step.jobs();
    assert_eq!(jobs.len(), 56);
    let workload = &plan(&done[1].step).jobs[0].workload;
    assert_eq!((workload.stop.time_ns, workload.depth), (Some(60 * NS_PER_S), 16));
    let written: u64 = done[0].result.as_ref().unwrap().merged(|_| true).write.bytes;
    assert_eq!(written, 2 * crate::text::whole_mib(64 * GB));
}

#[test]
fn the_standard_form_refuses_a_directory_and_suggests_the_short_form() {
    let drive = card(64 * GB, 50 * GB);
    let outline = with_context(&drive, &options(&STEADY, &[]), |context| STEADY.outline(context));
    assert!(
        outline.steps.is_empty() && outline.notes[1] == message!("note-steady.short-fits"),
        "{:?}",
        outline.notes
    );
    for (free_bytes, fits) in [(GB, "note-instead.quick"), (50_000_000, "note-quick-needs.free")] {
        let small = card(2 * GB, free_bytes);
        let outline = with_context(&small, &options(&STEADY, &[]), |context| STEADY.outline(context));
        assert_eq!(outline.notes.last().unwrap().id(), fits);
    }
    let done = run_all(&STEADY_SHORT, &drive, &options(&STEADY_SHORT, &[]), &SLOW_CARD);
    let outline = with_context(&drive, &options(&STEADY_SHORT, &[]), |context| STEADY_SHORT.outline(context));
    assert_eq!(done.len(), 6);
    let written: u64 = done
        .iter()
        .map(|step| step.result.as_ref().unwrap().issued_bytes(cardiograph_core::Direction::Write))
        .sum();
    assert!(written <= outline.write_bytes_max, "{written} of {}", outline.write_bytes_max);
    assert!(outline.write_bytes_max <= 64 * GB / 20, "{}", outline.write_bytes_max);
    assert!(has(&outline.notes, "note-steady.not-the-standard"), "{:?}", outline.notes);
    let small = card(2 * GB, GB);
    let outline = with_context(&small, &options(&STEADY_SHORT, &[]), |context| STEADY_SHORT.outline(context));
    // Nothing except the reason.
    let ids: Vec<&str> = outline.notes.iter().map(|note| note.id()).collect();
    let expected = ["note-budget.drive", "note-steady.too-little", "note-more.setting", "note-instead.quick"];
    assert_eq!((outline.steps.len(), &ids[..]), (0, &expected[..]));
}

#[test]
fn unsuitable_settings_are_refused_by_name() {
    for suite in [&STEADY, &STEADY_SHORT] {
        for rounds in ["1", "4", "1001", "4294967297"] {
            let given = [("rounds".to_string(), rounds.to_string())];
            let refused = Settings::parse(suite.name(), suite.settings(), &given).unwrap_err();
            let expected = message!(
                "setting-wrong.range",
                setting = "rounds",
                value = rounds,
                least = 5_u32,
                most = 1_000_u32
            );
            assert_eq!(refused, expected);
        }
    }
    let drive = card(64 * GB, 50 * GB);
    let options = options(&STEADY_SHORT, &[("test", "latency"), ("depth", "8")]);
    let outline = with_context(&drive, &options, |context| STEADY_SHORT.outline(context));
    assert!(outline.steps.is_empty());
    assert_eq!(outline.notes, [message!("note-steady.one-in-flight", setting = "depth", value = "8")]);
}

/// Rounds on a drive whose speed changes by these factors, until the suite ends.
fn rounds(factors: &[f64], given: &[(&str, &str)]) -> (Vec<StepResult>, Options) {
    let (drive, options) = (card(64 * GB, 50 * GB), options(&STEADY_SHORT, given));
    let done = with_context(&drive, &options, |context| {
        let mut done: Vec<StepResult> = Vec::new();
        while let Some(NextStep { step, .. }) = STEADY_SHORT.next(context, &done) {
            let nth = done.len().saturating_sub(1).min(factors.len() - 1);
            let slowed = |iops: u64| (iops as f64 / factors[nth]) as u64;
            let model = Model { random_write_iops: slowed(20_000), ..FAST_SSD };
            done.push(run(step, &model));
            assert!(done.len() < 40);
        }
        done
    });
    (done, options)
}

#[test]
fn rounds_end_as_soon_as_writes_are_steady() {
    let falling = [1.0, 1.5, 2.2, 3.3, 4.0, 4.1, 4.0, 4.05, 4.1, 4.0];
    let (done, options) = rounds(&falling, &[]);
    // Rounds 4 to 8 are the first window within the limits: 3.3 to 4.0 would be 20 % apart, and falling.
    let drive = card(64 * GB, 50 * GB);
    with_context(&drive, &options, |context| {
        let plan = Plan::from_context(&STEADY_SHORT, context);
        let progress = Progress::new(&plan, &done);
        let window = progress.window.unwrap();
        assert!(progress.is_steady() && (3..=4).contains(&window.first), "{window:?}");
        assert_eq!(progress.rounds.len(), window.first + WINDOW_ROUNDS);
        let tables = STEADY_SHORT.tables(context, &done);
        assert_eq!(tables.len(), 3);
        assert_eq!(tables[0].title.id(), "table-steady.in-steady-state");
        assert_eq!((tables[0].rows.len(), tables[0].columns.len()), (3, 3));
        assert_eq!(tables[2].rows.len(), progress.rounds.len());
        // The 4 KiB writes of the window, not of the first rounds.
        let Cell::Figure { estimate, .. } = &tables[0].rows[2].cells[2] else { panic!("no figure") };
        assert!((4_800.0..5_600.0).contains(&estimate.value), "{}", estimate.value);
        let measured = STEADY_SHORT.measure(context, &done);
        assert!(measured.contains_key(&Metric::RandomReadDeepIops));
    });
}

#[test]
fn a_drive_that_never_settles_is_reported_as_unsteady() {
    let restless = [1.0, 2.0].repeat(20);
    let (done, options) = rounds(&restless, &[("rounds", "7")]);
    assert_eq!(done.len(), 8);
    let drive = card(64 * GB, 50 * GB);
    with_context(&drive, &options, |context| {
        let tables = STEADY_SHORT.tables(context, &done);
        let conditions = tables[1].rows.last().unwrap();
        let Cell::Text { text } = &conditions.cells[0] else { panic!("no text") };
        assert_eq!(text.id(), "table-steady.not-reached");
        assert_eq!(
            ["first", "last"].map(|name| text.parameter(name)),
            [Some(&3_u32.into()), Some(&7_u32.into())]
        );
        assert_eq!(tables[0].title.id(), "table-steady.in-last-rounds");
        let measured = STEADY_SHORT.measure(context, &done);
        assert!(!measured.contains_key(&Metric::RandomReadDeepIops), "what is not steady is no evidence");
    });
}

#[test]
fn throughput_and_latency_have_different_points() {
    let drive = card(64 * GB, 50 * GB);
    for (test, points, column, metric) in
        [("throughput", 2, "MB/s", Some(Metric::SustainedWrite)), ("latency", 6, "µs", None)]
    {
        let options = options(&STEADY_SHORT, &[("test", test)]);
        let done = run_all(&STEADY_SHORT, &drive, &options, &FAST_SSD);
        assert_eq!((done.len(), done[1].step.jobs().len()), (6, points), "{test}");
        let (tables, measured) = with_context(&drive, &options, |context| {
            (STEADY_SHORT.tables(context, &done), STEADY_SHORT.measure(context, &done))
        });
        assert_eq!(tables[0].columns[0].unit.sign(), column);
        assert!(metric.is_none_or(|metric| measured.contains_key(&metric)));
        assert!(plan(&done[1].step).jobs.iter().all(|job| test != "latency" || job.workload.depth == 1));
    }
}
