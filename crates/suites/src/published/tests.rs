use cardiograph_core::drive::{Drive, FileSystem, Geometry, Mount, XfsGeometry};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{Step, StepOutcome, StepResult, StepRole};
use cardiograph_core::table::{Cell, Table, TableRow};
use cardiograph_core::{Direction, MIB, Message, NS_PER_S, message};
use cardiograph_jobs::settings::Settings as _;

use crate::suite::Options;
use crate::tabulate::{NOT_RUN, absent};
use crate::testing::{FAST_SSD, GB, SLOW_CARD, card, has, plan, run_all, settle, suite, with_context};

#[test]
fn every_data_file_is_valid() {
    let (drive, options) = (card(256 * GB, 200 * GB), Options::default());
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/published")).unwrap();
    let files = files.filter_map(|file| file.unwrap().file_name().into_string().ok());
    let names: Vec<String> = files.filter_map(|file| Some(file.strip_suffix(".toml")?.to_string())).collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        let done = run_all(suite(&name), &drive, &options, &FAST_SSD);
        let (measured, tables) = with_context(&drive, &options, |context| {
            (suite(&name).measure(context, &done), suite(&name).tables(context, &done))
        });
        assert!(measured.contains_key(&Metric::Capacity), "{name}");
        for table in tables {
            let is_full =
                |row: &TableRow| row.cells.len() == table.columns.len() && row.name != Message::default();
            assert!(table.rows.iter().all(is_full), "{name}: {table:?}");
        }
    }
}

/// The options of a job as a command line, without the file name.
fn words(step: &Step) -> String {
    let job = &step.jobs()[0];
    let settings = job.settings.iter().filter(|setting| setting.option != "filename");
    let words: Vec<_> = settings.map(|setting| format!("--{}={}", setting.option, setting.value)).collect();
    format!("--name={} {}", job.name, words.join(" "))
}

#[test]
fn the_experiments_are_the_published_ones() {
    let done = run_all(suite("article"), &card(64 * GB, 50 * GB), &Options::default(), &SLOW_CARD);
    let measured = done.iter().filter(|step| step.step.role == StepRole::Measure);
    let lines: Vec<_> = measured.map(|step| words(&step.step)).collect();
    assert_eq!(
        lines,
        [
            "--name=sdtest --size=200M --bs=1M --rw=readwrite --direct=1 --numjobs=1",
            "--name=latp --size=1G --bs=4k --rw=randread --iodepth=1 --direct=1 --time_based=1 --runtime=30 \
             --lat_percentiles=1 --percentile_list=95:99:99.9",
            "--name=fsync --size=256M --bs=4k --rw=write --direct=1 --iodepth=1 --fsync=1 --runtime=30 --time_based=1",
            "--name=sustain --size=3G --bs=1M --rw=write --direct=1 --time_based=1 --runtime=120 --iodepth=2",
        ]
    );
}

#[test]
fn files_are_laid_out_before_they_are_read() {
    let done = run_all(suite("article"), &card(64 * GB, 50 * GB), &Options::default(), &SLOW_CARD);
    let ids: Vec<_> = done.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(ids, ["layout-sdtest", "sdtest", "layout-latp", "latp", "fsync", "sustain"]);
    for (index, step) in done.iter().enumerate() {
        let job = &plan(&step.step).jobs[0];
        let (workload, region_len_bytes) = (&job.workload, job.clones[0][0].region_len_bytes);
        assert_eq!(region_len_bytes, step.step.files[0].len_bytes);
        if workload.uses(Direction::Read) {
            let layout = &done[index - 1].step;
            assert_eq!((&layout.files, layout.role), (&step.step.files, StepRole::Prepare));
            let written = plan(layout).jobs[0].workload.clone();
            assert_eq!(written.stop.bytes, Some(region_len_bytes));
        }
    }
}

#[test]
fn bounds_hold_and_a_time_limit_changes_no_step() {
    let none = Drive::default();
    let drives = [(card(64 * GB, 50 * GB), SLOW_CARD), (none, FAST_SSD)];
    for (drive, model) in drives {
        let done = run_all(suite("article"), &drive, &Options::default(), &model);
        let outline = with_context(&drive, &Options::default(), |context| suite("article").outline(context));
        for (outlined, step) in outline.steps.iter().zip(&done) {
            let written = step.result.as_ref().unwrap().issued_bytes(Direction::Write);
            assert!(step.step.write_bytes_max >= written, "{}", step.step.id);
            assert_eq!(outlined.write_bytes_max, step.step.write_bytes_max);
        }
        let sum: u64 = done.iter().map(|step| step.step.write_bytes_max).sum();
        assert_eq!(outline.write_bytes_max, sum);
        let hurried = Options { max_time_ns: Some(NS_PER_S), ..Options::default() };
        let limited = run_all(suite("article"), &drive, &hurried, &model);
        assert_eq!(
            limited.iter().map(|step| &step.step).collect::<Vec<_>>(),
            done.iter().map(|s| &s.step).collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_bandwidth_of_the_bus_bounds_the_writes() {
    let card = card(64 * GB, 50 * GB);
    let outline = with_context(&card, &Options::default(), |context| suite("article").outline(context));
    // UHS-II: 312 MB/s for 120 s and for 30 s, plus the two layouts and the mixed test.
    let bound = 312_000_000 * 150 + 1_424 * MIB;
    assert_eq!(outline.write_bytes_max, bound);
    let mut card = card;
    card.mount.as_mut().unwrap().fs_type = "exfat".to_string();
    let filled = with_context(&card, &Options::default(), |context| suite("article").outline(context));
    assert_eq!(filled.write_bytes_max, bound + outline.file_bytes_max);
    assert!(has(&filled.notes, "note-zeros"), "{:?}", filled.notes);
}

#[test]
fn nothing_follows_a_failure_and_replaying_gives_the_same_steps() {
    let drive = card(64 * GB, 50 * GB);
    let options = Options::default();
    let mut done = run_all(suite("article"), &drive, &options, &SLOW_CARD);
    with_context(&drive, &options, |context| {
        for (index, step) in done.iter().enumerate() {
            assert_eq!(suite("article").next(context, &done[..index]), Some(step.step.clone().into()));
        }
        assert_eq!(suite("article").next(context, &done), None);
        done.truncate(2);
        done[1].outcome = StepOutcome::Interrupted;
        assert_eq!(suite("article").next(context, &done), None);
    });
}

#[test]
fn figures_become_metrics() {
    let drive = card(64 * GB, 50 * GB);
    let options = Options::default();
    let done = run_all(suite("article"), &drive, &options, &SLOW_CARD);
    let measured = with_context(&drive, &options, |context| suite("article").measure(context, &done));
    let metrics: Vec<_> = measured.keys().copied().collect();
    assert_eq!(
        metrics,
        [
            Metric::Capacity,
            Metric::MixedSequentialRead,
            Metric::MixedSequentialWrite,
            Metric::SustainedWrite,
            Metric::RandomReadIops,
            Metric::RandomReadP99,
            Metric::DurableWriteIops,
            Metric::SyncP99,
            Metric::WriteStallMax,
        ]
    );
    assert!((measured[&Metric::MixedSequentialRead].estimate.value / (45 * MIB) as f64 - 1.0).abs() < 0.02);
    assert!((measured[&Metric::SustainedWrite].estimate.value / (31 * MIB) as f64 - 1.0).abs() < 0.02);
    assert!(measured.values().all(|measured| measured.doubt.is_none()));
}

#[test]
fn buffered_runs_are_noted() {
    let options = Options { direct: false, ..Options::default() };
    let done = run_all(suite("article"), &card(64 * GB, 50 * GB), &options, &SLOW_CARD);
    for step in &done {
        assert!(!plan(&step.step).jobs[0].workload.direct);
        assert!(has(&step.step.sizing, "note-fixed.buffered"));
    }
}

fn figures(table: &Table, row: usize) -> Vec<f64> {
    let value = |cell: &Cell| match cell {
        Cell::Figure { estimate, doubt: None, .. } => estimate.value,
        cell => panic!("{cell:?}"),
    };
    table.rows[row].cells.iter().map(value).collect()
}

#[test]
fn each_block_has_a_column_and_the_total_is_the_sum() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    let done = run_all(suite("yabs"), &drive, &options, &FAST_SSD);
    let tables = with_context(&drive, &options, |context| suite("yabs").tables(context, &done));
    let headings = |table: &Table| -> Vec<String> {
        table.columns.iter().filter_map(|column| column.heading.as_verbatim().map(str::to_string)).collect()
    };
    assert_eq!(tables.len(), 2);
    assert_eq!(headings(&tables[0]), ["4k", "(IOPS)", "64k", "(IOPS)"]);
    assert_eq!(headings(&tables[1]), ["512k", "(IOPS)", "1m", "(IOPS)"]);
    for table in &tables {
        let (read, write, total) = (figures(table, 0), figures(table, 1), figures(table, 2));
        let sums = read.iter().zip(&write).map(|(read, write)| read + write);
        assert_eq!(sums.collect::<Vec<_>>(), total);
        assert!(total.iter().all(|&value| value > 0.0));
    }
    let few = &done[..2];
    let tables = with_context(&drive, &options, |context| suite("yabs").tables(context, few));
    assert_eq!(tables[0].rows[2].cells[2], absent(NOT_RUN));
}

#[test]
fn a_doubt_in_one_direction_is_a_doubt_in_the_total() {
    let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
    let mut done = run_all(suite("yabs"), &drive, &options, &FAST_SSD);
    let check = cardiograph_core::counters::check(Direction::Read, 100, &Default::default()).unwrap();
    done[1].counter_checks.push(check);
    settle(&mut done, &drive, &options);
    let table = with_context(&drive, &options, |context| suite("yabs").tables(context, &done)).remove(0);
    let is_doubted = |row: usize| matches!(table.rows[row].cells[0], Cell::Figure { doubt: Some(_), .. });
    assert_eq!([0, 1, 2].map(is_doubted), [true, false, true]);
}

#[test]
fn the_commands_are_the_published_ones() {
    let done = run_all(suite("server-ssd"), &card(256 * GB, 200 * GB), &Options::default(), &FAST_SSD);
    let line = |step: &StepResult| {
        let settings = step.step.jobs()[0].settings.iter().filter(|setting| setting.option != "filename");
        settings.map(|setting| format!("-{}={}", setting.option, setting.value)).collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = done[1..].iter().map(line).collect();
    let command = |rw, bs, jobs| {
        format!("-direct=1 -rw={rw} -bs={bs} -size=5G -numjobs={jobs} -runtime=10 -group_reporting=1")
    };
    let expected = [
        command("read", "4k", 64),
        command("write", "4k", 64),
        command("randread", "4k", 64),
        command("randwrite", "4k", 64),
        command("read", "32m", 16),
        command("write", "32m", 16),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn both_file_systems_are_reported() {
    let xfs =
        XfsGeometry { block_bytes: 4_096, inode_bytes: 512, log_bytes: 64 << 20, ..XfsGeometry::default() };
    let mut drive = card(256 * GB, 200 * GB);
    drive.mount = Some(Mount {
        fs_type: "xfs".to_string(),
        options: vec!["rw".to_string(), "noatime".to_string()],
        file_system: Some(FileSystem { geometry: Some(Geometry::Xfs(xfs)), ..FileSystem::default() }),
        ..drive.mount.unwrap_or_default()
    });
    let tables =
        with_context(&drive, &Options::default(), |context| suite("server-ssd").tables(context, &[]));
    let notes = &tables[1].notes;
    assert_eq!(notes[1], message!("note-published.server-ssd-mkfs"));
    let made = "mkfs.xfs -b size=4096 -i size=512 -l size=64M";
    assert_eq!(notes[2], message!("note-server-ssd.file-system", made, options = "rw,noatime"));
}

#[test]
fn the_table_is_the_wikis() {
    let (mut drive, options) = (card(32 * GB, 30 * GB), Options::default());
    drive.leaves[0].model = Some("Samsung Evo+".to_string());
    let done = run_all(suite("dramble"), &drive, &options, &SLOW_CARD);
    assert_eq!(done.len(), 9);
    let tables = with_context(&drive, &options, |context| suite("dramble").tables(context, &done));
    let wiki = &tables[0];
    let headings: Vec<&str> = wiki.columns.iter().filter_map(|column| column.heading.as_verbatim()).collect();
    assert_eq!(headings, ["hdparm buffered", "dd write", "4K rand read", "4K rand write"]);
    let size = Parameter::CapacityBytes(32 * GB);
    assert_eq!(wiki.rows[0].name, message!("table-dramble.card", name = "Samsung Evo+", size));
    let value = |table: &Table, column: usize| match &table.rows[0].cells[column] {
        Cell::Figure { estimate, .. } => (estimate.value / table.columns[column].unit.scale()).round(),
        cell => panic!("{cell:?}"),
    };
    // 31 MiB/s are 32.5 MB/s; 3,800 and 500 reads and writes of 4 KiB are 14.8 and 1.95 MiB/s.
    assert_eq!([0, 1, 2, 3].map(|column| value(wiki, column)), [90.0, 33.0, 15.0, 2.0]);
    assert_eq!([4, 5].map(|column| value(&tables[1], column)), [15_200.0, 2_000.0]);
}

#[test]
fn it_repeats_the_commands_of_the_tools() {
    let outline = with_context(&card(32 * GB, 30 * GB), &Options::default(), |context| {
        suite("dramble").outline(context)
    });
    assert_eq!(outline.file_bytes_max, (512 + 400 + 100) * MIB);
    assert_eq!(outline.write_bytes_max, (512 + 400 + 3 * 100) * MIB);
    let dd = &outline.steps[0].work.jobs()[0];
    assert_eq!((dd.last("bs"), dd.last("end_fsync"), dd.last("direct")), (Some("8k"), Some("1"), Some("0")));
    assert_eq!(51_200 * 8_192, 400 * MIB);
}
