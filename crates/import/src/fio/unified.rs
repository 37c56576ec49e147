//! Tests of `unified_rw_reporting` in all formats.

use std::collections::BTreeMap;

use cardiograph_core::direction::Direction;

use super::super::{IMPORTERS, ImportedTest, Importer, Named, detect};

/// A job with `both` and one with `mixed`; the terse ones in versions 3, 2, 4 and 5.
const NORMAL: &str = include_str!("../fixtures/fio/3.33-unified.txt");
const JSON: &str = include_str!("../fixtures/fio/3.33-unified.json");
const TERSE: &str = include_str!("../fixtures/fio/3.33-unified.terse");
const NAMED: Named = Named { place: "x" };

fn read(text: &str) -> (&'static Importer, Vec<ImportedTest>) {
    let importer = detect(text.as_bytes(), &NAMED).unwrap();
    let tests = importer.read(&mut text.as_bytes(), &NAMED);
    (importer, tests.unwrap_or_else(|problems| panic!("{}: {problems}", importer.name)))
}

/// Figures of one quantity by direction; syncs are not part of the sum.
fn by_direction(test: &ImportedTest, name: &str) -> BTreeMap<&'static str, f64> {
    let quantity = name.parse().unwrap();
    let figures = test.imported.figures.iter().filter(|figure| figure.quantity == quantity);
    let named = |direction: Option<Direction>| direction.map_or("all", Direction::name);
    figures.map(|figure| (named(figure.direction), figure.estimate.value)).collect()
}

#[test]
fn sums_are_dropped_where_directions_are_separate() {
    for text in [NORMAL, JSON, TERSE] {
        let (importer, tests) = read(text);
        assert!(tests.len() >= 2 && tests.len().is_multiple_of(2), "{}", importer.name);
        for test in &tests {
            let directions = |name: &str| by_direction(test, name).into_keys().collect::<Vec<_>>();
            let expected = if test.id == "both" { vec!["read", "write"] } else { vec!["all"] };
            for name in ["bandwidth", "iops", "bytes", "completion_mean", "completion_p50", "runtime"] {
                assert_eq!(directions(name), expected, "{} {} {name}", importer.name, test.id);
            }
        }
        // 1,000 reads and 500 writes a second for two seconds. Normal and terse output truncate IOPS.
        for (at, expected) in [(0, vec![1_000.0, 500.0]), (1, vec![1_500.0])] {
            for (found, expected) in by_direction(&tests[at], "iops").into_values().zip(expected) {
                assert!((found - expected).abs() <= 1.0, "{}: {found}", importer.name);
            }
        }
        let is_whole = by_direction(&tests[1], "bytes")["all"] / (3_001.0 * 4_096.0);
        assert!((is_whole - 1.0).abs() < 0.01, "{}: {is_whole}", importer.name);
    }
}

#[test]
fn mixed_streams_are_one_run_without_windows() {
    let (_, last) = JSON.split_once("\n}\n").unwrap();
    let runtime = |text: &str, ms: u64| text.replace("\"runtime\" : 2001", &format!("\"runtime\" : {ms}"));
    let stamp: u64 =
        last.split("\"timestamp_ms\" : ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    let at = |back_ms: u64| {
        let text = last.replace(&stamp.to_string(), &(stamp - back_ms).to_string());
        let text = text.replace("\"total_ios\" : 3001", &format!("\"total_ios\" : {}", 3_001 - back_ms));
        runtime(&text, 2_001 - back_ms)
    };
    let (_, tests) = read(&format!("{}{}{last}", at(1_500), at(1_000)));
    assert_eq!((tests.len(), by_direction(&tests[0], "ios")["all"]), (1, 3_001.0));
    assert_eq!((tests[0].imported.series.as_ref(), tests[0].started_unix_ms), (None, Some(stamp - 2_001)));
}

/// In JSON, the job's options show which syncs the latencies belong to.
#[test]
fn range_syncs_are_not_fsyncs() {
    for (options, is_fsync) in [
        ("\"fsync\" : \"100\"", true),
        ("\"fdatasync\" : \"100\"", true),
        ("\"sync_file_range\" : \"write:100\"", false),
        ("\"sync_file_range\" : \"write:100\", \"fsync\" : \"100\"", true),
    ] {
        let (_, tests) = read(&JSON.replace("\"fsync\" : \"100\"", options));
        // With `mixed`, fio's JSON has no syncs.
        let test = &tests[0];
        assert_eq!(by_direction(test, "latency_p99").contains_key("sync"), is_fsync, "{options}");
        let others = &test.imported.others;
        let p99 = others.get("sync_file_range latency_p99").map(String::as_str);
        assert_eq!(p99, (!is_fsync).then_some("2.16 µs"), "{options}: {others:?}");
        assert_eq!(test.method.others.contains_key("sync_file_range"), options.contains("sync_file_range"));
    }
}

#[test]
fn truncated_lines_are_refused() {
    let importer = IMPORTERS.iter().find(|importer| importer.name == "fio-terse").unwrap();
    for line in TERSE.lines() {
        let fields: Vec<&str> = line.split(';').collect();
        for kept in 41..fields.len() {
            let cut = fields[..kept].join(";");
            let read = importer.read(&mut format!("{cut};\n").as_bytes(), &NAMED);
            assert!(read.is_err(), "{kept} fields of {}", fields.len());
        }
    }
}
