use cardiograph_core::Report;
use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::histogram::bucket_of;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::series::over_time::{LatencyRow, ROW_NS};

use super::super::super::{detect, reports};
use super::super::json;
use super::*;

const EACH_JSON: &str = include_str!("../../fixtures/fio/logs/each.json");
const EACH_LAT: &str = include_str!("../../fixtures/fio/logs/each_lat.1.log");
const EACH_BW: &str = include_str!("../../fixtures/fio/logs/each_bw.1.log");
const AVG_JSON: &str = include_str!("../../fixtures/fio/logs/avg.json");
const AVG_LAT: &str = include_str!("../../fixtures/fio/logs/avg_lat.1.log");
const AVG_BW: &str = include_str!("../../fixtures/fio/logs/avg_bw.1.log");
const AVG_IOPS: &str = include_str!("../../fixtures/fio/logs/avg_iops.1.log");
const AVG_HIST: &str = include_str!("../../fixtures/fio/logs/avg_clat_hist.1.log");

fn imported(place: &str, text: &str) -> ImportedTest {
    let named = Named { place };
    assert_eq!(detect(text.as_bytes(), &named).unwrap().name, "fio-log");
    let tests = IMPORTER.read(&mut text.as_bytes(), &named);
    tests.unwrap_or_else(|problems| panic!("{problems}")).remove(0)
}

/// The figures in fio's own summary of the run.
fn summary(text: &str) -> ImportedTest {
    json::IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).unwrap().remove(0)
}

fn value(test: &ImportedTest, direction: Direction, name: &str) -> f64 {
    let quantity: Quantity = name.parse().unwrap();
    let mut figures = test.imported.figures.iter();
    let figure = figures.find(|one| one.direction == Some(direction) && one.quantity == quantity);
    figure.unwrap_or_else(|| panic!("no {direction:?} {name}")).estimate.value
}

fn refused(place: &str, text: &str) -> String {
    IMPORTER.read(&mut text.as_bytes(), &Named { place }).unwrap_err().to_string()
}

#[test]
fn byte_order_marks_and_blank_lines_are_skipped() {
    let plain = imported("each_lat.1.log", EACH_LAT);
    for before in ["\u{feff}", "\n", "\u{feff}\r\n \n"] {
        let found = imported("each_lat.1.log", &format!("{before}{EACH_LAT}"));
        assert_eq!(found.imported, plain.imported, "{before:?}");
    }
    assert!(refused("a_lat.1.log", &format!("1, 2, 0, 4096\n\u{feff}{EACH_LAT}")).starts_with("line 2: "));
}

#[test]
fn file_names_give_the_kind() {
    for (name, expected) in [
        ("a_b_lat.1.log", Some((Kind::Latency(LatencyKind::Total), "a_b"))),
        ("a_clat.12.log", Some((Kind::Latency(LatencyKind::Completion), "a.12"))),
        ("agg-read_bw.log", Some((Kind::Bandwidth, "agg-read"))),
        ("x_clat_hist.1.log", Some((Kind::Histogram, "x"))),
        ("x_iops.log", Some((Kind::Iops, "x"))),
        ("x_iops.txt", None),
        ("lat.log", None),
    ] {
        let expected = expected.map(|(kind, id)| (kind, id.to_string()));
        assert_eq!(Kind::from_file_name(name), expected, "{name}");
    }
    assert!(refused("out.txt", EACH_LAT).starts_with("import-log.name-unknown"));
}

#[test]
fn logs_of_ios_match_fios_summary() {
    let (log, summary) = (imported("/x/each_lat.1.log", EACH_LAT), summary(EACH_JSON));
    for direction in [Direction::Read, Direction::Write] {
        for name in ["ios", "bytes", "latency_min", "latency_mean", "latency_max", "latency_stdev"] {
            let (found, exact) = (value(&log, direction, name), value(&summary, direction, name));
            assert!((found - exact).abs() <= exact * 1e-4, "{direction:?} {name}: {found} and {exact}");
        }
        let rate = value(&log, direction, "iops");
        assert!((rate - value(&summary, direction, "iops")).abs() < 1.0, "{rate}");
        let latency = log.imported.latency[direction].as_ref().unwrap();
        assert_eq!(latency.n() as f64, value(&summary, direction, "ios"));
    }
    let series = log.imported.series.as_ref().unwrap();
    assert_eq!((series.window_ns, series.rows.write.len()), (100_000_000, 30));
    // The bandwidth log of the same run would be ambiguous without its offsets.
    let bandwidth = imported("each_bw.1.log", EACH_BW);
    assert_eq!(value(&bandwidth, Direction::Read, "bytes"), value(&summary, Direction::Read, "bytes"));
    let one_way: String = (1..181).map(|n| format!("{}, 1374, 0, 4096\n", n * 17)).collect();
    assert!(refused("each_bw.1.log", &one_way).contains("import-log.shape-unknown"));
    let named = Named { place: "each_bw.1.log" };
    let chosen = IMPORTER_OF_IOS.read(&mut one_way.as_bytes(), &named).unwrap().remove(0);
    assert_eq!(value(&chosen, Direction::Read, "ios"), value(&summary, Direction::Read, "ios"));
}

#[test]
fn logs_of_windows() {
    let summary = summary(AVG_JSON);
    let bandwidth = imported("avg_bw.1.log", AVG_BW);
    let series = bandwidth.imported.series.as_ref().unwrap();
    assert_eq!(series.window_ns, 500_000_000);
    for direction in [Direction::Read, Direction::Write] {
        let (found, exact) =
            (value(&bandwidth, direction, "bandwidth"), value(&summary, direction, "bandwidth"));
        assert!((found - exact).abs() < exact * 0.02, "{found} and {exact}");
        let iops = value(&imported("avg_iops.1.log", AVG_IOPS), direction, "iops");
        assert!((iops - value(&summary, direction, "iops")).abs() < 4.0, "{iops}");
        assert!(series.rows[direction].iter().all(|row| row.bytes > 0));
    }
    // Means of windows give no distribution.
    let latency = imported("avg_lat.1.log", AVG_LAT);
    assert!(latency.imported.figures.is_empty() && latency.imported.latency.read.is_none());
    assert!(latency.imported.others.contains_key("read_mean_of_windows") && latency.notes.len() == 1);
    let histogram = imported("avg_clat_hist.1.log", AVG_HIST);
    let median = value(&histogram, Direction::Read, "completion_p50") as u64;
    let expected = value(&summary, Direction::Read, "completion_p50") as u64;
    // fio merged eight buckets into one in this log.
    assert!(bucket_of(median).abs_diff(bucket_of(expected)) <= 8, "{median} and {expected}");
    assert!(histogram.imported.latency.read.as_ref().unwrap().n() > 900);
}

#[test]
fn latencies_of_ios_and_short_windows_are_kept_by_second() {
    for (place, text) in [("each_lat.1.log", EACH_LAT), ("avg_clat_hist.1.log", AVG_HIST)] {
        let log = imported(place, text);
        let series = log.imported.series.as_ref().unwrap();
        for direction in [Direction::Read, Direction::Write] {
            let rows = &series.latency[direction];
            let whole = log.imported.latency[direction].as_ref().unwrap();
            assert_eq!(rows.iter().map(LatencyRow::len).sum::<u64>(), whole.n(), "{place} {direction:?}");
            // The runs took three and five seconds.
            assert_eq!(rows.len() as u64, series.duration_ns.div_ceil(ROW_NS), "{place} {direction:?}");
            assert!(rows.iter().all(|row| row.len() > 10), "{place} {direction:?}");
        }
        assert!(series.latency.trim.is_empty());
    }
    // Averages have no distribution, nor have histograms of more than a second or with coarser buckets.
    let means = imported("avg_lat.1.log", AVG_LAT);
    assert_eq!(means.imported.series.as_ref().unwrap().latency, PerDirection::default());
    let counts = |window_ms: u64, bins: usize| {
        let line = |n: u64| format!("{}, 0, 4096{}\n", n * window_ms, ", 1".repeat(bins));
        let text: String = (1..8).map(line).collect();
        let log = imported("x_clat_hist.1.log", &text);
        log.imported.series.unwrap().latency.read.iter().map(LatencyRow::len).sum::<u64>()
    };
    assert_eq!(counts(500, 232), 7 * 232);
    assert_eq!((counts(500, 116), counts(2_000, 1_856), counts(400, 1_856)), (0, 0, 0));
}

#[test]
fn windows_without_io_are_rows_of_zeros() {
    let text: String = [1, 2, 3, 7, 8].iter().map(|n| format!("{}, 64, 1, 0, 0\n", n * 1_000 + n)).collect();
    let log = imported("x_bw.1.log", &text);
    let series = log.imported.series.as_ref().unwrap();
    let bytes: Vec<u64> = series.rows.write.iter().map(|row| row.bytes / 1_024).collect();
    assert_eq!(bytes, [64, 64, 64, 0, 0, 0, 64, 64]);
    assert_eq!(value(&log, Direction::Write, "window_bandwidth_min"), 0.0);
    // Absolute times give the start time.
    let text: String =
        (1..5_u64).map(|n| format!("{}, 64, 1, 0, 0\n", 1_700_000_000_000 + n * 1_000)).collect();
    let log = imported("x_bw.1.log", &text);
    assert_eq!(log.started_unix_ms, Some(1_700_000_000_000));
    assert_eq!(log.imported.series.unwrap().rows.write.len(), 4);
}

#[test]
fn memory_does_not_grow_with_the_log() {
    let line = |at: u64| format!("{}, {}, {}, 4096, 0, 0\n", at / 20, 40_000 + at % 977 * 100, at % 2);
    let text: String = (0..300_000).map(line).collect();
    let log = imported("x_lat.1.log", &text);
    assert_eq!(value(&log, Direction::Read, "ios"), 150_000.0);
    let report: Report =
        reports(vec![log], IMPORTER.name, &Named { place: "x_lat.1.log" }, "cardiograph").remove(0);
    let len = serde_json::to_string(&report).unwrap().len();
    assert!(len < 500_000, "{len} bytes");
}

#[test]
fn errors_name_their_line() {
    for (line, expected) in [
        ("5, 44186", "line 3: import-log.fields-missing"),
        ("5, much, 0, 4096, 0, 0", "line 3: import-value.not-whole(text=much)"),
        (
            "5, 99999999999999999, 0, 4096",
            "line 3: import-log.not-a-latency(latency=DurationNs(99999999999999999))",
        ),
        (
            "999999999999999, 5, 0, 4096",
            "line 3: import-log.time-of-another-run(time=DurationNs(18446744073709551615))",
        ),
        ("5, 6, 9, 4096, 0", "line 3: import-log.unknown-direction(number=4096)"),
        ("\0", "line 3: import-value.not-whole(text=\\u{0})"),
    ] {
        assert_eq!(
            refused("x_lat.1.log", &format!("1, 2, 0, 4096\n2, 3, 0, 4096\n{line}\n3, 4, 0, 4096\n")),
            expected
        );
    }
    let many = refused("x_lat.1.log", &"x\n".repeat(1_000_000));
    assert_eq!(many.lines().count(), PROBLEMS_MAX);
    assert!(refused("x_lat.1.log", &"9".repeat(10_000_000)).contains("import-log.line-too-long"));
    assert!(
        refused("x_clat_hist.1.log", "1, 0, 4096, 1, 2\n")
            .contains("import-log.wrong-bins(bins=1856, count=2)")
    );
    assert_eq!(refused("x_lat.1.log", "\n\n"), "import-text.nothing(format=import-format.fio-log)");
}

#[test]
fn truncated_logs_never_panic() {
    for (place, text) in
        [("each_lat.1.log", EACH_LAT), ("avg_bw.1.log", AVG_BW), ("avg_clat_hist.1.log", AVG_HIST)]
    {
        for at in (0..text.len()).step_by(7) {
            let _ = IMPORTER.read(&mut &text.as_bytes()[..at], &Named { place });
        }
    }
}

/// A truncated number would be another number: lines without an end are ignored.
#[test]
fn truncated_logs_are_read_to_their_last_whole_line() {
    for (place, text) in [
        ("each_lat.1.log", EACH_LAT),
        ("avg_bw.1.log", AVG_BW),
        ("avg_iops.1.log", AVG_IOPS),
        ("avg_clat_hist.1.log", AVG_HIST),
    ] {
        let read = |text: &str| IMPORTER.read(&mut text.as_bytes(), &Named { place });
        let first = text.find('\n').unwrap();
        for at in (first..text.len().min(2_000)).filter(|at| text.as_bytes()[at - 1] != b'\n') {
            let whole = text[..at].rfind('\n').map_or(0, |end| end + 1);
            assert_eq!(read(&text[..at]), read(&text[..whole]), "{place} at {at}");
        }
    }
}
