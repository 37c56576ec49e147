use std::collections::BTreeSet;

use cardiograph_core::message::Parameter;
use cardiograph_core::report::StepRole;
use cardiograph_core::table::Cell as TableCell;
use cardiograph_jobs::settings::Settings as _;

use super::*;
use crate::next_step::NextStep;
use crate::setting::Settings;
use crate::suite::{Need, Options};
use crate::testing::{FAST_SSD, GB, card, has, plan as resolved, run_all, with_context, written};

fn options(given: &[(&str, &str)]) -> Options {
    let given: Vec<_> = given.iter().map(|&(name, value)| (name.to_string(), value.to_string())).collect();
    let settings = Settings::parse(NAME, Sweep.settings(), &given).unwrap();
    Options { settings, ..Options::default() }
}

fn outline(given: &[(&str, &str)]) -> Outline {
    with_context(&card(64 * GB, 50 * GB), &options(given), |context| Sweep.outline(context))
}

/// All steps of a sweep, and its tables.
fn swept(given: &[(&str, &str)]) -> (Vec<StepResult>, Vec<Table>) {
    let (drive, options) = (card(64 * GB, 50 * GB), options(given));
    let done = run_all(&Sweep, &drive, &options, &FAST_SSD);
    let tables = with_context(&drive, &options, |context| Sweep.tables(context, &done));
    (done, tables)
}

fn measured(done: &[StepResult]) -> Vec<&StepResult> {
    done.iter().filter(|step| step.step.role == StepRole::Measure).collect()
}

#[test]
fn similar_block_sizes_have_separate_rows() {
    let (done, tables) = swept(&[("bs", "1M,1536k,1800k"), ("depth", "1"), ("mix", "randread")]);
    assert_eq!(measured(&done).len(), 3);
    let cells = |table: &Table| table.rows.len() * table.columns.len();
    assert!(tables.iter().all(|table| cells(table) == 3), "{tables:?}");
}

#[test]
fn all_combinations_are_measured_once() {
    let (done, tables) = swept(&[]);
    let cells = measured(&done);
    assert_eq!((cells.len(), done.len()), (18, 19));
    let titles: BTreeSet<String> = cells.iter().map(|step| step.step.title.to_string()).collect();
    assert_eq!(titles.len(), 18);
    assert_eq!(tables.len(), 2);
    let heads: Vec<Message> = tables[0].columns.iter().map(|column| column.heading.clone()).collect();
    assert_eq!(heads, [1_u32, 4, 32].map(|depth| message!("sweep-value.depth", depth)));
    let axes = [message!("sweep-axis.mix"), message!("sweep-axis.block")];
    assert_eq!(tables[0].heading, Message::joined(axes));
    let row = |mix, bytes| {
        let block = message!("sweep-value.other", value = Parameter::BlockBytes(bytes));
        Message::joined([mix, block])
    };
    let rows: Vec<&Message> = tables[0].rows.iter().map(|row| &row.name).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0], &row(message!("sweep-mix.random-read"), 4_096));
    assert_eq!(rows[5], &row(message!("sweep-mix.random-write"), 1 << 20));
    let TableCell::Figure { estimate, doubt, .. } = &tables[0].rows[0].cells[2] else { panic!("no figure") };
    assert_eq!((estimate.value.round() as u64, doubt), (FAST_SSD.random_read_deep_iops, &None));
    assert!(tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.cells).all(is_figure));
}

fn is_figure(cell: &TableCell) -> bool {
    matches!(cell, TableCell::Figure { .. })
}

#[test]
fn writes_stay_within_the_outlined_bounds() {
    for given in [
        &[][..],
        &[("max", "200M"), ("bs", "4k"), ("depth", "1")],
        &[
            ("state", "fresh,filled,random"),
            ("bs", "4k"),
            ("mix", "randread,write,randwrite"),
            ("jobs", "1,3"),
            ("depth", "1"),
        ],
        &[("mix", "randrw:70"), ("size", "64M")],
    ] {
        let outline = outline(given);
        assert!(!outline.steps.is_empty(), "{given:?}: {:?}", outline.notes);
        let (done, _) = swept(given);
        let written = written(&done);
        assert!(written <= outline.write_bytes_max, "{given:?}: {written} of {}", outline.write_bytes_max);
        let limit = options(given).settings.bytes(&MAX).unwrap_or(64 * GB / 100);
        assert!(outline.write_bytes_max <= limit, "{given:?}: {} of {limit}", outline.write_bytes_max);
        for step in &done {
            resolved(&step.step);
        }
    }
}

#[test]
fn reads_come_first_and_each_state_is_prepared_anew() {
    let (done, _) = swept(&[
        ("state", "fresh,filled,random"),
        ("mix", "randwrite,randread,write"),
        ("bs", "4k"),
        ("depth", "1"),
    ]);
    let order: Vec<String> = done
        .iter()
        .map(|step| {
            step.step.jobs()[0].last("rw").unwrap().to_string()
                + if step.step.role == StepRole::Prepare { "!" } else { "" }
        })
        .collect();
    let expected = [
        "write",
        "randwrite", // fresh
        "write!",
        "randread",
        "write",
        "randwrite", // filled
        "write!",
        "randwrite!",
        "randread",
        "write",
        "randwrite", // random
    ];
    assert_eq!(order, expected);
    let fresh = &done[0].step;
    assert_eq!((fresh.jobs()[0].last("unlink"), done[3].step.jobs()[0].last("unlink")), (Some("1"), None));
    assert_ne!(fresh.files[0].name, done[3].step.files[0].name);
}

#[test]
fn every_axis_reaches_its_jobs() {
    let given = [
        ("bs", "8k"),
        ("depth", "2"),
        ("jobs", "3"),
        ("mix", "randrw:70"),
        ("engine", "libaio"),
        ("offset", "512"),
        ("directory", "/mnt/other"),
        ("scheduler", "none"),
        ("time", "2s"),
    ];
    let drive = card(64 * GB, 50 * GB);
    with_context(&drive, &options(&given), |context| {
        let outline = Sweep.outline(context);
        assert_eq!(outline.steps.len(), 2, "{:?}", outline.notes);
        let fill = Sweep.next(context, &[]).unwrap();
        assert_eq!(fill.step.files[0].name, "/mnt/other/cardiograph-sweep.tmp");
        let cell = &outline.steps[1].work.jobs()[0];
        for (option, value) in [
            ("bs", "8k"),
            ("iodepth", "2"),
            ("numjobs", "3"),
            ("rw", "randrw"),
            ("rwmixread", "70"),
            ("ioengine", "libaio"),
            ("offset", "512"),
            ("filename", "/mnt/other/cardiograph-sweep.tmp"),
            ("runtime", "2"),
        ] {
            assert_eq!(cell.last(option), Some(value), "{option}");
        }
        assert_eq!(fill.scheduler.as_deref(), Some("none"));
        let needs = Sweep.outline(context).needs;
        assert!(
            matches!(&needs[0], Need::Directory { path, file_bytes } if path == "/mnt/other" && *file_bytes > 0)
        );
        assert_eq!(needs[1], Need::Scheduler { name: "none".to_string() });
    });
}

#[test]
fn measured_cells_are_not_measured_again() {
    let (drive, options) =
        (card(64 * GB, 50 * GB), options(&[("state", "filled,random"), ("bs", "4k"), ("depth", "1,4")]));
    let done = run_all(&Sweep, &drive, &options, &FAST_SSD);
    with_context(&drive, &options, |context| {
        // The interrupted checkup removed its files and left only its results.
        let cells: Vec<StepResult> = measured(&done).into_iter().cloned().collect();
        for (count, next, ahead) in
            [(0, "fill", 11), (3, "fill", 8), (4, "fill-2", 6), (7, "fill-2", 3), (8, "", 0)]
        {
            let mut resumed = cells[..count].to_vec();
            assert_eq!(
                Sweep.next(context, &resumed).map_or(String::new(), |next| next.step.id),
                next,
                "{count}"
            );
            let mut steps = 0;
            while let Some(NextStep { step, .. }) = Sweep.next(context, &resumed) {
                resumed.push(crate::testing::run(step, &FAST_SSD));
                steps += 1;
            }
            assert_eq!((steps, measured(&resumed).len()), (ahead, 8), "{count}");
        }
    });
}

#[test]
fn impossible_sweeps_are_refused_with_a_suggestion() {
    for (given, id, value) in [
        (("bs", "4k,100"), "setting-sweep-wrong.block", "100"),
        (("bs", "4q"), "setting-wrong.size", "4q"),
        (("depth", "0"), "setting-wrong.range", "0"),
        (("mix", "sideways"), "setting-wrong.choice", "sideways"),
        (("mix", "read:30"), "setting-sweep-wrong.no-share", "read:30"),
        (("mix", "randrw:100"), "setting-sweep-wrong.share", "randrw:100"),
        (("state", "new"), "setting-wrong.choice", "new"),
        (("engine", "null"), "setting-sweep-wrong.engine", ""),
        (("show", "watts"), "setting-wrong.choice", "watts"),
        (("max", "20M"), "note-more.setting", ""),
        (("size", "8M"), "note-sweep.size-too-short", ""),
        (("offset", "0,511,512"), "setting-sweep-wrong.misaligned", "511"),
        (("bs", "4k,5000"), "setting-sweep-wrong.misaligned", "5000"),
        (("size", "40G"), "note-sweep.shorter-files", ""),
    ] {
        let outline = outline(&[given]);
        assert!(outline.steps.is_empty(), "{given:?}");
        let said = outline.notes.iter().find(|note| note.id() == id);
        let said = said.unwrap_or_else(|| panic!("{given:?}: {:?}", outline.notes));
        assert_eq!(said.parameter("value"), Some(&value.into()).filter(|_| !value.is_empty()), "{given:?}");
    }
    for state in ["fresh", "trimmed", "fresh,trimmed"] {
        let outline = outline(&[("state", state), ("mix", "randread")]);
        let states = Parameter::all(state.split(','));
        assert!(outline.steps.is_empty());
        assert_eq!(outline.notes, [message!("note-sweep.nothing-to-read", states)]);
    }
}

#[test]
fn offsets_and_blocks_must_be_multiples_of_the_logical_block() {
    let mut large = card(64 * GB, 50 * GB);
    large.leaves[0].logical_block_bytes = Some(4_096);
    let refusal = |given: &[(&str, &str)], direct: bool| {
        let options = Options { direct, ..options(given) };
        let outline = with_context(&large, &options, |context| Sweep.outline(context));
        outline.steps.is_empty().then_some(outline.notes)
    };
    let misaligned = |setting: &str| {
        let unit = Parameter::BlockBytes(4_096);
        vec![message!("setting-sweep-wrong.misaligned", setting, value = "512", unit)]
    };
    assert_eq!(refusal(&[("offset", "0,512")], true), Some(misaligned("offset")));
    assert_eq!(refusal(&[("bs", "512,4k")], true), Some(misaligned("bs")));
    assert_eq!(refusal(&[("offset", "0,4k,12k")], true), None);
    // The page cache handles partial blocks.
    assert_eq!(refusal(&[("offset", "0,511")], false), None);
    // Another directory may be on another drive.
    assert_eq!(refusal(&[("offset", "512"), ("directory", "/mnt/other")], true), None);
}

#[test]
fn only_saved_reports_can_be_resumed() {
    let drive = card(64 * GB, 50 * GB);
    let says = |keeps_report: bool| {
        let options = Options { max_time_ns: Some(5_000_000_000), keeps_report, ..options(&[]) };
        with_context(&drive, &options, |context| Sweep.outline(context).notes)
    };
    assert!(has(&says(true), "note-sweep.resumable"));
    assert!(has(&says(false), "note-sweep.cut-off") && !has(&says(false), "note-sweep.resumable"));
}

#[test]
fn the_board_marks_the_next_cell_and_has_all_before() {
    let (drive, options) = (card(64 * GB, 50 * GB), options(&[("bs", "4k,64k"), ("depth", "1,4")]));
    let all = run_all(&Sweep, &drive, &options, &FAST_SSD);
    let mut marked = Vec::new();
    for (at, next) in all.iter().enumerate() {
        let board = with_context(&drive, &options, |context| Sweep.board(context, &all[..at], &next.step));
        let Some(Board::Matrix { table, current }) = board else { panic!("{board:?}") };
        let figures = table.rows.iter().flat_map(|row| &row.cells).filter(|cell| is_figure(cell)).count();
        assert_eq!(figures, measured(&all[..at]).len());
        assert_eq!(current.is_some(), next.step.role == StepRole::Measure);
        marked.extend(current);
    }
    assert_eq!(marked.len(), 8);
    assert_eq!(marked.iter().collect::<BTreeSet<_>>().len(), 8, "{marked:?}");
    assert!(marked.iter().all(|&(row, column)| row < 4 && column < 2), "{marked:?}");
}
