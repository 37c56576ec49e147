use cardiograph_core::card::{SdCard, SdStatus};
use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::drive::{Alignment, Leaf, LeafKind};
use cardiograph_core::table::Cell;
use cardiograph_core::{Direction, Doubt, Message, message};
use cardiograph_jobs::settings::Settings as _;

use super::*;
use crate::next_step::NextStep;
use crate::setting::Settings;
use crate::suite::Options;
use crate::testing::{GB, Model, SLOW_CARD, card, has, plan, run, settle, with_context};

/// Runs the suite on a drive that writes to up to `limit` units in turn at 30 MiB/s, and to more at 2.
fn run_on(drive: &Drive, options: &Options, limit: u32) -> Vec<StepResult> {
    with_context(drive, options, |context| {
        let mut done: Vec<StepResult> = Vec::new();
        while let Some(NextStep { step, .. }) = FindOpenUnits.next(context, &done) {
            assert!(done.len() < 40, "the suite does not end");
            let units: u32 = step.jobs()[0].last("openfiles").map_or(1, |units| units.parse().unwrap());
            let write_mib_per_s = if units <= limit { 30 } else { 2 };
            done.push(run(step, &Model { write_mib_per_s, ..SLOW_CARD }));
            settle(&mut done, drive, options);
        }
        done
    })
}

fn set(pairs: &[(&str, &str)]) -> Options {
    let pairs: Vec<_> = pairs.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    let settings = Settings::parse(NAME, FindOpenUnits.settings(), &pairs).unwrap();
    Options { settings, ..Options::default() }
}

/// The result, and the notes below it.
fn verdict_of(drive: &Drive, options: &Options, done: &[StepResult]) -> (Message, Vec<Message>) {
    with_context(drive, options, |context| {
        let answer = FindOpenUnits.tables(context, done).swap_remove(0);
        let Cell::Text { text } = &answer.rows[0].cells[0] else { panic!("{answer:?}") };
        (text.clone(), answer.notes)
    })
}

#[test]
fn the_limit_is_reported_with_its_meaning() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    for limit in [1, 2, 4, 5, 11] {
        let (answer, notes) = verdict_of(&drive, &options, &run_on(&drive, &options, limit));
        let share = Parameter::share(0.07);
        let expected = message!("table-open-units.limit", fast = limit, more = limit + 1, share);
        assert_eq!((answer, notes), (expected, vec![message!("table-open-units.advice", fast = limit)]));
    }
}

#[test]
fn a_drive_without_a_limit_gets_no_number() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    let done = run_on(&drive, &options, u32::MAX);
    assert_eq!(verdict_of(&drive, &options, &done).0, message!("table-open-units.no-limit", tried = 16_u32));
    let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(
        ids,
        ["fill", "units-1", "units-2", "units-4", "units-8", "units-16"],
        "nothing is tried twice"
    );
}

#[test]
fn doubtful_or_incomplete_runs_give_no_result() {
    let drive = card(64 * GB, 60 * GB);
    let buffered = Options { direct: false, ..Options::default() };
    let answer = verdict_of(&drive, &buffered, &run_on(&drive, &buffered, 4)).0;
    let unclear = |doubt: Doubt| message!("table-open-units.unclear", reason = doubt.message());
    assert_eq!(answer, unclear(Doubt::PageCache));
    let options = Options::default();
    let mut done = run_on(&drive, &options, 4);
    done.pop();
    let last = done.last_mut().unwrap();
    last.counter_checks = vec![CounterCheck {
        direction: Direction::Write,
        asked_bytes: 100,
        counted_bytes: 10,
        share: 0.1,
        outcome: CounterOutcome::Contradicts,
    }];
    settle(&mut done, &drive, &options);
    let answer = verdict_of(&drive, &options, &done).0;
    assert_eq!(answer, unclear(Doubt::Contradicted { share: 0.1 }));
    with_context(&drive, &options, |context| {
        assert_eq!(FindOpenUnits.next(context, &done), None, "nothing more is written");
    });
    // The search was cut off.
    done.truncate(4);
    assert_eq!(verdict_of(&drive, &options, &done).0, message!("table-open-units.at-least", fast = 4_u32));
    done[3].outcome = StepOutcome::Interrupted;
    assert_eq!(verdict_of(&drive, &options, &done).0, message!("table-open-units.at-least", fast = 2_u32));
    done.truncate(2);
    assert_eq!(verdict_of(&drive, &options, &done).0, message!("table-open-units.open"));
}

#[test]
fn files_take_turns_in_separate_units() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    for step in run_on(&drive, &options, 5) {
        let plan = plan(&step.step);
        let workload = &plan.jobs[0].workload;
        let files: Vec<_> = plan.jobs[0].files().collect();
        assert_eq!(files.len(), step.step.files.len());
        for (file, test_file) in files.iter().zip(&step.step.files) {
            assert_eq!((file.offset_bytes, file.region_len_bytes), (4 * MIB, 4 * MIB));
            assert_eq!(test_file.len_bytes, 8 * MIB, "an unused unit lies before each region");
        }
        assert_eq!(workload.stop.bytes, Some(step.step.write_bytes_max));
        let Some(units) = step.step.jobs()[0].last("openfiles") else { continue };
        let units: usize = units.parse().unwrap();
        assert_eq!(workload.open_files, Some(units as u64));
        assert!(files.len() % units == 0 && files.len() >= 8, "as many take turns to the end");
    }
}

#[test]
fn the_unit_is_the_drives_if_it_reports_one() {
    let with_status = |plain, uhs| {
        let mut drive = card(256 * GB, 200 * GB);
        let status =
            SdStatus { allocation_unit_bytes: plain, uhs_allocation_unit_bytes: uhs, ..SdStatus::default() };
        let card = Card::Sd(SdCard { status: Some(status), ..SdCard::default() });
        drive.leaves = vec![Leaf { kind: LeafKind::SdCard, card: Some(card), ..Leaf::default() }];
        drive
    };
    let preferred = {
        let mut drive = card(256 * GB, 200 * GB);
        drive.alignments =
            vec![Alignment::new("mmcblk0p2", "mmcblk0", MIB, (512 * KIB, UnitSource::PreferredErase))];
        drive
    };
    let convention = {
        let mut drive = card(256 * GB, 200 * GB);
        drive.alignments = vec![Alignment::new("sda1", "sda", MIB, (MIB, UnitSource::Convention))];
        drive
    };
    let cases = [
        (with_status(Some(4 * MIB), Some(8 * MIB)), "", 8 * MIB, UnitOrigin::Card),
        (with_status(Some(4 * MIB), None), "", 4 * MIB, UnitOrigin::Card),
        (with_status(None, None), "", 4 * MIB, UnitOrigin::Assumed),
        // Old cards have smaller units, several of which count as one.
        (with_status(Some(16 * KIB), None), "", MIB, UnitOrigin::Card),
        (with_status(Some(4 * MIB), None), "6M", 6 * MIB, UnitOrigin::User),
        (preferred, "", MIB, UnitOrigin::Kernel),
        (convention, "", 4 * MIB, UnitOrigin::Assumed),
    ];
    for (drive, unit, unit_bytes, origin) in cases {
        let options = if unit.is_empty() { Options::default() } else { set(&[("unit", unit)]) };
        let plan = with_context(&drive, &options, Plan::from_context);
        assert_eq!((plan.unit_bytes, plan.origin), (unit_bytes, origin));
        assert_eq!(plan.notes[0], message!("note-open-units.unit", unit = origin.describe(unit_bytes)));
    }
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    for (name, value, least, most) in [
        ("unit", "5k", Parameter::Bytes(MIB), Parameter::Bytes(1 << 30)),
        ("unit", "1500k", Parameter::Bytes(MIB), Parameter::Bytes(1 << 30)),
        ("unit", "100G", Parameter::Bytes(MIB), Parameter::Bytes(1 << 30)),
        ("most", "1", 2_u32.into(), 64_u32.into()),
        ("most", "65", 2_u32.into(), 64_u32.into()),
    ] {
        let given = [(name.to_string(), value.to_string())];
        let refused = Settings::parse(NAME, FindOpenUnits.settings(), &given).unwrap_err();
        let found = ["setting", "value", "least", "most"].map(|name| refused.parameter(name).cloned());
        assert_eq!(found, [name.into(), value.into(), least, most].map(Some));
    }
}

#[test]
fn writes_stay_within_the_outlined_bounds() {
    let cases = [
        (card(64 * GB, 60 * GB), set(&[]), 16, 4 * MIB),
        (card(8 * GB, 6 * GB), set(&[]), 16, MIB),
        (card(8 * GB, 6 * GB), set(&[("unit", "64M")]), 16, MIB),
        // 120 MB may be written.
        (card(64 * GB, 1_400_000_000), set(&[]), 8, MIB),
        (card(64 * GB, 60 * GB), set(&[("most", "64")]), 64, MIB),
        (card(64 * GB, 60 * GB), set(&[("most", "2")]), 2, 4 * MIB),
        (card(64 * GB, 60 * GB), set(&[("most", "12")]), 12, 4 * MIB),
        (card(64 * GB, 60 * GB), set(&[("unit", "1G")]), 16, 4 * MIB),
        (Drive { mount: None, ..card(8 * GB, 0) }, set(&[("unit", "1G")]), 2, MIB),
    ];
    for (drive, options, most, region_bytes) in cases {
        let plan = with_context(&drive, &options, Plan::from_context);
        assert_eq!(plan.most, most, "{:?}", plan.notes);
        assert!(plan.region_bytes >= region_bytes, "{}", plan.region_bytes);
        let outline = with_context(&drive, &options, |context| FindOpenUnits.outline(context));
        assert!(outline.write_bytes_max <= GIB, "{}", outline.write_bytes_max);
        for limit in 1..=most {
            let done = run_on(&drive, &options, limit);
            let written: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
            assert!(written <= outline.write_bytes_max, "{written} of {}", outline.write_bytes_max);
            let answer = verdict_of(&drive, &options, &done).0;
            let found = (answer.id(), answer.parameter("fast"));
            let expected = match limit < most {
                true => ("table-open-units.limit", Some(Parameter::from(limit))),
                false => ("table-open-units.no-limit", None),
            };
            assert_eq!(found, (expected.0, expected.1.as_ref()), "{limit} of {most}");
        }
    }
    let small = card(GB, 70 * MIB);
    let outline = with_context(&small, &Options::default(), |context| FindOpenUnits.outline(context));
    assert!(outline.steps.is_empty() && has(&outline.notes, "note-instead.quick"));
    assert!(run_on(&small, &Options::default(), 4).is_empty());
}

#[test]
fn the_search_ends_on_a_drive_with_jumping_speed() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    with_context(&drive, &options, |context| {
        let bound = FindOpenUnits.outline(context).write_bytes_max;
        let mut done: Vec<StepResult> = Vec::new();
        while let Some(NextStep { step, .. }) = FindOpenUnits.next(context, &done) {
            // Each number is slow at first, and fast when it is tried again.
            let is_first_of_several = step.title.id() == "step-open-units.run"
                && step.title.parameter("units") != Some(&1_u32.into());
            let write_mib_per_s = if is_first_of_several { 2 } else { 30 };
            done.push(run(step, &Model { write_mib_per_s, ..SLOW_CARD }));
        }
        let written: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
        assert!(written <= bound, "{written} of {bound}");
    });
}

#[test]
fn a_time_limit_is_divided_among_the_runs() {
    let drive = card(64 * GB, 60 * GB);
    let options = Options { max_time_ns: Some(30 * NS_PER_S), ..Options::default() };
    let outline = with_context(&drive, &options, |context| FindOpenUnits.outline(context));
    let measuring = outline.steps.iter().filter_map(|step| step.time_ns_max);
    assert!(measuring.clone().all(|ns| (NS_PER_S..3 * NS_PER_S).contains(&ns)));
    assert!(measuring.sum::<u64>() <= 31 * NS_PER_S);
}

#[test]
fn nothing_follows_a_failure() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    let mut done = run_on(&drive, &options, 4);
    done.truncate(3);
    done[2].outcome = StepOutcome::Interrupted;
    with_context(&drive, &options, |context| assert_eq!(FindOpenUnits.next(context, &done), None));
}
