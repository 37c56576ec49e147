use cardiograph_core::imported::Figure;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::report::Work;
use cardiograph_core::{Direction, Report, message};
use cardiograph_jobs::method as jobs_method;
use cardiograph_judge::record::{RunFigures, TestFigures};

use super::super::super::reports;
use super::*;

const MIB: f64 = 1_048_576.0;

/// The eight outputs of an article that compares a memory card with an SSD.
const PI5: [(&str, &str); 8] = [
    ("mmcblk0", include_str!("../../fixtures/pi5/microsd-sdtest.txt")),
    ("sda", include_str!("../../fixtures/pi5/ssd-sdtest.txt")),
    ("mmcblk0", include_str!("../../fixtures/pi5/microsd-latp.txt")),
    ("sda", include_str!("../../fixtures/pi5/ssd-latp.txt")),
    ("mmcblk0", include_str!("../../fixtures/pi5/microsd-fsync.txt")),
    ("sda", include_str!("../../fixtures/pi5/ssd-fsync.txt")),
    ("mmcblk0", include_str!("../../fixtures/pi5/microsd-sustain.txt")),
    ("sda", include_str!("../../fixtures/pi5/ssd-sustain.txt")),
];
const MIXED: &str = include_str!("../../fixtures/fio/3.33-mixed-group.txt");
const TWICE: &str = include_str!("../../fixtures/fio/2.1.3-twice.txt");
const FLAT: &str = include_str!("../../fixtures/fio/2.1.11-without-indentation.txt");
const GROUPS: &str = include_str!("../../fixtures/fio/3.33-groups.txt");
const WINDOWS: &str = include_str!("../../fixtures/fio/3.41-windows.txt");
const STATUS: &str = include_str!("../../fixtures/fio/3.33-status-interval.txt");

fn imported(text: &str) -> Vec<Report> {
    let named = Named { place: "out.txt" };
    let tests = IMPORTER.read(&mut text.as_bytes(), &named).unwrap_or_else(|problems| panic!("{problems}"));
    reports(tests, IMPORTER.name, &named, "cardiograph")
}

fn article() -> String {
    let part = |(_, text): &(&str, &str)| {
        format!("実験\n\n項目 説明\n{text}SSD(SATA)実験結果\n- 結果: 5,275 IOPS\n\n")
    };
    PI5.iter().map(part).collect()
}

fn value(test: &TestFigures, direction: Option<Direction>, name: &str) -> f64 {
    let figure = test.figure(direction, name.parse().unwrap());
    figure.unwrap_or_else(|| panic!("{}: no {direction:?} {name}", test.test)).estimate.value
}

fn is_about(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= expected.abs() * 1e-9
}

#[test]
fn windows_messages_separate_runs() {
    let tests = IMPORTER.read(&mut WINDOWS.as_bytes(), &Named { place: "out.txt" }).unwrap();
    let [read, write] = &tests[..] else { panic!("{tests:#?}") };
    let value = |test: &ImportedTest, name: &str| {
        let mut figures = test.imported.figures.iter();
        figures.find(|figure| figure.quantity == name.parse().unwrap()).unwrap().estimate.value
    };
    assert_eq!((value(read, "iops"), value(read, "completion_max")), (7_379.0, 12_993e3));
    assert_eq!((value(write, "iops"), value(write, "completion_p50")), (55_500.0, 6_496.0));
    let known = |test: &ImportedTest| (test.method.engine.clone(), test.method.tool_version.clone());
    assert_eq!(known(write), (Some("windowsaio".to_string()), Some("3.41".to_string())));
    assert_eq!(known(read), known(write));
}

#[test]
fn articles_give_a_report_for_each_drive() {
    let text = article();
    let all: Vec<RunFigures> = imported(&text).iter().map(RunFigures::from_report).collect();
    let [card, ssd] = &all[..] else { panic!("{} reports", all.len()) };
    for run in [card, ssd] {
        let ids: Vec<&str> = run.tests.iter().map(|test| test.test.as_str()).collect();
        assert_eq!(ids, ["sdtest", "latp", "fsync", "sustain"]);
    }
    let (read, write, sync) = (Some(Direction::Read), Some(Direction::Write), Some(Direction::Sync));
    for (test, direction, name, of_card, of_ssd) in [
        (0, read, "bandwidth", 22.7 * MIB, 144.0 * MIB),
        (0, write, "bandwidth", 23.2 * MIB, 147.0 * MIB),
        (0, read, "completion_mean", 11_133_290.0, 3_684_800.0),
        (0, write, "completion_mean", 32_142_150.0, 3_164_000.0),
        (0, read, "runtime", 4_353e6, 687e6),
        (0, write, "window_bandwidth_stdev", 1_876.22 * 1_024.0, 0.0),
        (0, read, "ios", 99.0, 99.0),
        (1, read, "iops", 3_786.0, 5_275.0),
        (1, read, "completion_mean", 263_030.0, 188_530.0),
        (1, read, "completion_p95", 375_000.0, 192_000.0),
        (1, read, "latency_p99", 379_000.0, 196_000.0),
        (1, read, "latency_p99.9", 383_000.0, 198_000.0),
        (2, write, "iops", 166.0, 178.0),
        (2, write, "bandwidth", 664.0 * 1_024.0, 715.0 * 1_024.0),
        (2, sync, "latency_mean", 4_152_800.0, 5_232_380.0),
        (2, sync, "latency_p99", 7_570_000.0, 5_735_000.0),
        (2, sync, "latency_p99.9", 28_967_000.0, 11_076_000.0),
        (3, write, "bandwidth", 31.3 * MIB, 198.0 * MIB),
        (3, write, "window_bandwidth_min", 28_672.0 * 1_024.0, 6_144.0 * 1_024.0),
        (3, write, "window_bandwidth_max", 36_864.0 * 1_024.0, 331_776.0 * 1_024.0),
        (3, write, "window_iops_stdev", 1.22, 112.8),
        (3, write, "bytes", 3_756.0 * MIB, 23.2 * 1_024.0 * MIB),
    ] {
        let found = (value(&card.tests[test], direction, name), value(&ssd.tests[test], direction, name));
        assert!(is_about(found.0, of_card) && is_about(found.1, of_ssd), "{test} {name}: {found:?}");
    }
    // lat_percentiles did not ask for it.
    assert!(card.tests[1].figure(read, "completion_p50".parse().unwrap()).is_none());
    assert!(card.tests[0].figure(read, "submission_mean".parse().unwrap()).is_none());
}

#[test]
fn methods_come_from_the_command_lines() {
    let reports = imported(&article());
    let methods: Vec<Method> = reports[0].steps.iter().map(jobs_method::from_step).collect();
    let fsync = &methods[2];
    assert_eq!((fsync.pattern, fsync.durability), (Some(Pattern::Write), Some(Durability::Fsync)));
    assert_eq!((fsync.block_bytes, fsync.direct, fsync.jobs), (Some(4_096), Some(true), Some(1)));
    assert_eq!(fsync.tool_version.as_deref(), Some("3.39"));
    // `iodepth=2` of an engine that has a queue depth of 1.
    assert_eq!((methods[3].depth, methods[3].time_ns), (Some(1), Some(120_000_000_000)));
    let windows = reports[0].steps[3].imported.as_ref().unwrap().figures.iter();
    let lengths: Vec<_> = windows.filter_map(|figure| figure.window_ns).collect();
    assert_eq!(lengths, [500_000_000; 8]);
    assert_eq!(reports[0].steps[1].fio_commands[0].split("--").count(), 12);
    assert_eq!(reports[0].source.as_ref().unwrap().program, "fio 3.39");
    assert!(reports[0].id.starts_with("20251105-121856-"), "{}", reports[0].id);
    // Without a command line, only the settings in the output are known.
    let without: String = PI5[4].1.lines().skip(2).map(|line| format!("{line}\n")).collect();
    let method = jobs_method::from_step(&imported(&without)[0].steps[0]);
    assert_eq!((method.pattern, method.block_bytes), (Some(Pattern::Write), Some(4_096)));
    assert_eq!((method.direct, method.durability, method.size_bytes), (None, None, None));
}

#[test]
fn version_2_and_outputs_without_indentation() {
    let twice = imported(TWICE);
    let tests: Vec<TestFigures> =
        twice.iter().flat_map(|report| RunFigures::from_report(report).tests).collect();
    let ids: Vec<&str> = tests.iter().map(|test| test.test.as_str()).collect();
    assert_eq!((twice.len(), &ids[..]), (2, &["test", "test"][..]));
    let write = Some(Direction::Write);
    for (test, name, expected) in [
        (0, "bandwidth", 163_092.0 * 1_024.0),
        (1, "bandwidth", 165_147.0 * 1_024.0),
        (0, "iops", 40_773.0),
        (0, "completion_max", 3_549_000.0),
        (0, "latency_stdev", 15_000.0),
        (0, "completion_p99.99", 177_000.0),
        (0, "window_bandwidth_mean", 163_065.05 * 1_024.0),
        (0, "bytes", 3_072.0 * MIB),
        (0, "ios", 786_432.0),
    ] {
        assert!(is_about(value(&tests[test], write, name), expected), "{test} {name}");
    }
    assert_eq!(tests[0].method.engine.as_deref(), Some("sync"));
    assert_eq!((tests[0].method.block_bytes, tests[0].method.depth), (Some(4_096), Some(1)));
    let flat = RunFigures::from_report(&imported(FLAT)[0]);
    let test = &flat.tests[0];
    assert_eq!(value(test, write, "bandwidth"), 3_566.2 * 1_024.0);
    assert_eq!(value(test, write, "submission_mean"), 22_570.0);
    assert_eq!(value(test, write, "completion_p1"), 708_000.0);
    assert_eq!(test.method.pattern, None);
}

#[test]
fn groups_failures_and_job_files() {
    let reports = imported(GROUPS);
    let report = &reports[0];
    let ids: Vec<&str> = report.steps.iter().map(|step| step.step.id.as_str()).collect();
    assert_eq!(ids, ["first", "first-2", "group-0", "second", "third", "fourth"]);
    let of = |at: usize| jobs_method::from_step(&report.steps[at]);
    // One of two jobs that ran together is not the same test as one job alone.
    assert_eq!((of(0).jobs, of(0).others["jobs_beside"].as_str()), (Some(1), "1"));
    assert_eq!((of(2).jobs, of(2).depth, of(2).durability), (Some(2), Some(4), Some(Durability::NowAndThen)));
    assert_eq!((of(5).jobs, of(5).size_bytes), (Some(3), Some(2 << 20)));
    let tests = RunFigures::from_report(report).tests;
    assert_eq!(value(&tests[2], Some(Direction::Read), "bandwidth"), 12.2 * MIB);
    assert_eq!(value(&tests[0], Some(Direction::Sync), "latency_max"), 11_650_000.0);
    let cardiograph_core::report::StepOutcome::Failed { message } = &report.steps[4].outcome else {
        panic!()
    };
    assert_eq!(message.to_string(), "import-fio-failed.said(code=28, said=No space left on device)");
    assert!(tests[3].figures.is_empty());
}

#[test]
fn the_last_status_of_a_run_counts() {
    let reports = imported(STATUS);
    let [step] = &reports[0].steps[..] else { panic!("{} steps", reports[0].steps.len()) };
    let Work::Imported(method) = &step.step.work else { panic!() };
    assert_eq!(method.others["rate_iops"], "2000");
    let runtime = value(&RunFigures::from_report(&reports[0]).tests[0], Some(Direction::Read), "runtime");
    assert_eq!(runtime, 3_001e6);
}

/// Partial copies give the figures that they contain.
#[test]
fn partial_outputs_are_read() {
    let figures = |text: &str| -> Option<Vec<String>> {
        let tests = IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).ok()?;
        let named = |test: &ImportedTest| {
            let name = |one: &Figure| {
                format!("{} {:?} {} {}", test.id, one.direction, one.quantity, one.estimate.value)
            };
            test.imported.figures.iter().map(name).collect::<Vec<_>>()
        };
        Some(tests.iter().flat_map(named).collect())
    };
    for text in PI5.iter().map(|(_, text)| *text).chain([TWICE, FLAT, GROUPS]) {
        let whole = figures(text).unwrap();
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let found: Vec<Vec<String>> = ends.iter().filter_map(|&at| figures(&text[..at])).collect();
        assert!(found.len() > ends.len() / 4, "of {} parts {} were read", ends.len(), found.len());
        for part in found {
            let other = part.iter().find(|figure| !whole.contains(figure));
            assert_eq!(other, None);
        }
        // Truncated within lines, too.
        for at in (0..text.len()).step_by(37).filter(|&at| text.is_char_boundary(at)) {
            let _ = IMPORTER.read(&mut &text.as_bytes()[..at], &Named { place: "x" });
        }
    }
}

#[test]
fn parts_say_what_is_missing() {
    const SUMMARY: &str = "bw=22.7MiB/s (23.8MB/s), 22.7MiB/s-22.7MiB/s (23.8MB/s-23.8MB/s), io=99.0MiB (104MB), run=4353-4353msec";
    const DATA: &str = "  read: IOPS=22, BW=22.7MiB/s (23.8MB/s)(99.0MiB/4353msec)";
    const OLD: &str = "  write: io=3072.0MB, bw=163092KB/s, iops=40773, runt= 19288msec\n    bw (KB  /s): min=155640, max=165624, per=99.98%, avg=163065.05, stdev=3112.59";
    let command = "$ fio --name=a --rw=read --bs=1M --direct=1\n";
    for (text, id, figures, missing) in [
        (format!("READ: {SUMMARY}\n"), "group-0", 3, &["jobs"][..]),
        (format!("Run status group 1 (all jobs):\n   READ: {SUMMARY}\n"), "group-1", 3, &["jobs"]),
        (format!("I get READ: fast\nREAD: {}\n", &SUMMARY[..23]), "group-0", 1, &["jobs", "amounts"]),
        (format!("{DATA}\n"), "job", 4, &["summary", "job-line", "job-end"]),
        (format!("{command}{DATA}\n"), "a", 4, &["summary", "job-line", "job-end"]),
        (
            format!("{DATA}\nRun status group 0 (all jobs):\n   READ: {SUMMARY}\n"),
            "job",
            4,
            &["job-line", "job-end"],
        ),
        (format!("{OLD}\n"), "job", 8, &["summary", "job-line", "job-end"]),
    ] {
        let tests = IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).unwrap();
        let [test] = &tests[..] else { panic!("{text}: {tests:#?}") };
        assert_eq!((test.id.as_str(), test.imported.figures.len()), (id, figures), "{text}");
        let notes: String = test.notes.iter().map(ToString::to_string).collect();
        for part in missing {
            assert!(notes.contains(&format!("import-part.{part}")), "{text}: {notes}");
        }
        assert_eq!(notes.matches("import-part.").count(), missing.len(), "{text}: {notes}");
    }
    // Two pasted one after the other are two runs, in the units of their version.
    let both =
        IMPORTER.read(&mut format!("{DATA}\nand\n{DATA}\n").as_bytes(), &Named { place: "x" }).unwrap();
    assert_eq!(both.len(), 2);
    let old = IMPORTER.read(&mut OLD.as_bytes(), &Named { place: "x" }).unwrap().remove(0);
    let window =
        old.imported.figures.iter().find(|one| one.quantity == "window_bandwidth_min".parse().unwrap());
    assert_eq!(window.unwrap().estimate.value, 155_640.0 * 1_024.0);
}

#[test]
fn errors_name_their_line() {
    let text = PI5[0].1;
    for (from, to, expected) in [
        ("BW=22.7MiB/s (", "BW=22.7XiB/s (", "line 8: import-value.unknown-unit(text=22.7XiB, unit=XiB)"),
        (
            "BW=22.7MiB/s (",
            "BW=227MiB/s (",
            "line 7: import-figure.not-rate(expected=BytesPerS(Real(23847696.760854583)), figure=figure.of(direction=direction.read, figure=figure.bandwidth), found=BytesPerS(Real(238026752.0)), runtime=DurationNs(4353000000))",
        ),
        (
            "clat (usec): min=11046",
            "clat (parsec): min=11046",
            "line 9: import-value.not-a-unit-of-time(unit=parsec, units=nsec+usec+msec+sec)",
        ),
        ("avg=11133.29", "avg=nan", "line 9: import-value.unknown-unit(text=nan, unit=nan)"),
        (
            "read: IOPS=22,",
            "read: IOPS=22k,",
            "line 7: import-figure.not-rate(expected=Iops(Real(22.742935906271537)), figure=figure.of(direction=direction.read, figure=figure.iops), found=Iops(Real(22000.0)), runtime=DurationNs(4353000000))",
        ),
        ("50.00th=[11076]", "50.00th=[-11076]", "line 13: import-value.not-a-number(text=-11076)"),
        (
            "99.00th=[16581]",
            "990.0th=[16581]",
            "line 15: import-value.no-such-percentile(percent=Number(Real(990.0)))",
        ),
        ("err= 0", "err= x", "line 7: import-value.not-an-error-number(text=)"),
        ("run=4353-4353msec\n  WRITE", "run=4353-4353\n  WRITE", "line 39: import-value.not-msec(text=4353)"),
        ("total=99,101", "total=99,1e9", "line 35: import-value.not-whole(text=1e9)"),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let problems = IMPORTER.read(&mut broken.as_bytes(), &Named { place: "x" }).unwrap_err();
        assert_eq!(problems.problems[0].to_string(), expected, "{problems}");
    }
}

/// fio prints the block size of the options; a replay has that of the recording.
#[test]
fn impossible_latencies_are_refused() {
    for (text, from, to, expected) in [
        (
            PI5[0].1,
            "50.00th=[11076]",
            "50.00th=[91076]",
            "line 7: import-figure.shorter(figure=figure.of(direction=direction.read, figure=figure.completion(statistic=statistic.percentile(percent=60))), \
             other=figure.of(direction=direction.read, figure=figure.completion(statistic=statistic.percentile(percent=50))))",
        ),
        (
            PI5[0].1,
            "clat (usec): min=11046",
            "clat (usec): min=910460",
            "line 7: import-figure.shorter(figure=figure.of(direction=direction.read, figure=figure.completion(",
        ),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let problems = IMPORTER.read(&mut broken.as_bytes(), &Named { place: "x" }).unwrap_err();
        let problem = problems.problems[0].to_string();
        assert!(problem.starts_with(expected), "{problem}");
    }
}

#[test]
fn different_jobs_have_no_common_method() {
    let named = |text: &str| {
        let mut tests = RunFigures::from_report(&imported(text)[0]).tests;
        (tests.remove(0).method, imported(text)[0].steps[0].step.title.to_string())
    };
    let (method, title) = named(MIXED);
    assert_eq!((method.pattern, method.block_bytes, method.jobs), (None, None, Some(2)));
    assert!(!title.contains("128 KiB") && !title.contains("sequential"), "{title}");
    assert!(imported(MIXED)[0].notes.iter().any(|note| *note == message!("import-fio.mixed-jobs")));
    // Both did the same: then there is one method.
    let same_job = MIXED.replacen("rw=randread", "rw=read", 1).replacen("4096B-4096B", "128KiB-128KiB", 3);
    let broken = IMPORTER.read(&mut same_job.as_bytes(), &Named { place: "x" }).unwrap_err();
    assert!(broken.to_string().contains("import-figure.not-ios(block=Bytes(131072)"), "{broken}");
}

#[test]
fn replays_do_not_take_block_sizes_from_options() {
    let text =
        PI5[0].1.replacen("(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB", "(R) 4096B-4096B, (W) 4096B-4096B", 1);
    let read = |text: &str| IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).is_ok();
    assert!(!read(&text));
    let replays = text.replacen("--bs=1M --rw=readwrite", "--bs=4k --rw=readwrite --read_iolog=trace", 1);
    assert_ne!(replays, text);
    assert!(read(&replays));
}

#[test]
fn figures_that_overflow_are_refused() {
    let huge = format!("avg={}.0, ", "9".repeat(307));
    let text = PI5[0].1.replacen("avg=11133.29, ", &huge, 1);
    let problems = IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).unwrap_err();
    assert_eq!(problems.to_string(), "line 7: import-text.figure-too-large");
}

#[test]
fn hostile_texts_are_refused_quickly() {
    let begin = "a: (groupid=0, jobs=1): err= 0: pid=1: Wed Nov  5 12:19:01 2025\n";
    let huge = "9".repeat(400);
    let many: String = begin.repeat(20_000);
    for text in [
        format!("{begin}  read: IOPS={huge}, BW={huge}MiB/s ({huge}MB/s)({huge}MiB/{huge}msec)\n"),
        format!("{begin}  read: IOPS=1, BW=1MiB/s (1MB/s)(1MiB/18446744073709551615msec)\n"),
        format!("{begin}{}\n", "|".repeat(10_000_000)),
        format!("{begin}    clat (usec): min=\0, max=1, avg=1, stdev=1\n"),
        format!("{begin}\r\r\r\u{feff}"),
        format!("$ fio --name=a {}\n{begin}", "\\\n".repeat(100_000)),
        many,
    ] {
        assert!(IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).is_err());
    }
}

/// fio truncates IOPS to whole numbers; the I/Os issued and the time give the rate.
#[test]
fn rates_below_one_io_per_second_are_computed() {
    let slow = |iops: &str, issued: &str| {
        format!(
            "a: (groupid=0, jobs=1): err= 0: pid=1: Wed Nov  5 12:19:01 2025\n  read: IOPS={iops}, BW=1638B/s \
             (1638B/s)(8192B/5001msec)\n     issued rwts: total={issued},0,0,0 short=0,0,0,0 dropped=0,0,0,0\n\n\
             Run status group 0 (all jobs):\n   READ: bw=1638B/s (1638B/s), 1638B/s-1638B/s (1638B/s-1638B/s), \
             io=8192B (8192B), run=5001-5001msec\n"
        )
    };
    for (iops, issued, expected) in [("0", "2", 2.0 / 5.001), ("0", "0", 0.0), ("1", "6", 1.0)] {
        let test = RunFigures::from_report(&imported(&slow(iops, issued))[0]).tests.remove(0);
        let found = value(&test, Some(Direction::Read), "iops");
        assert!(is_about(found, expected), "{iops} {issued}: {found}");
    }
}

/// Figures under fio's heading `fsync/fdatasync/sync_file_range` belong to the kind of sync that the job requested.
#[test]
fn range_syncs_are_not_fsyncs() {
    let (_, text) = PI5[4];
    for (options, is_fsync) in [
        ("--fsync=1", true),
        ("--sync_file_range=write:1", false),
        ("--sync_file_range=write:1 --fsync=0", false),
        ("--sync_file_range=write:1 --fdatasync=8", true),
        ("--buffered=0", true),
    ] {
        let changed = text.replacen("--fsync=1", options, 1);
        assert!(options == "--fsync=1" || changed != text, "the command has --fsync=1");
        let report = imported(&changed).remove(0);
        let others = report.steps[0].imported.as_ref().unwrap().others.clone();
        let test = RunFigures::from_report(&report).tests.remove(0);
        let p99 = test.figure(Some(Direction::Sync), "latency_p99".parse().unwrap());
        assert_eq!(p99.is_some(), is_fsync, "{options}");
        let of_ranges = others.get("sync_file_range latency_p99");
        assert_eq!(of_ranges.is_some(), !is_fsync, "{options}: {others:?}");
    }
}
