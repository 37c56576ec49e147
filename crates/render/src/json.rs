//! Reports of every kind, written as JSON and read again.

use cardiograph_core::json::{ReadError, from_json, to_json};
use cardiograph_core::report::REPORT_VERSION;
use cardiograph_core::report::json::layout::LINE_LEN;

use crate::lang::Lang;
use crate::samples;

#[test]
fn a_report_survives_a_round_trip() {
    for report in samples::all() {
        let text = to_json(&report);
        assert!(text.ends_with("}\n"));
        assert_eq!(from_json(&text).unwrap(), report);
        assert_eq!(from_json(serde_json::to_string(&report).unwrap()).unwrap(), report);
    }
}

#[test]
fn lists_of_numbers_are_gathered_and_nothing_else_changes() {
    let report = samples::card();
    let text = to_json(&report);
    let plain: serde_json::Value = serde_json::to_value(&report).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), plain);
    assert!(text.lines().all(|line| {
        let token = line.trim();
        line.len() <= LINE_LEN || token.starts_with('"')
    }));
    let lonely = text.lines().filter(|line| line.trim_matches([' ', ',']).parse::<f64>().is_ok()).count();
    assert_eq!(lonely, 0, "a number on a line of its own");
    assert!(text.lines().count() * 2 < serde_json::to_string_pretty(&report).unwrap().lines().count());
}

#[test]
fn a_later_version_is_refused_by_name() {
    let mut report = samples::card();
    report.report_version = REPORT_VERSION + 1;
    let error = from_json(to_json(&report)).unwrap_err();
    assert_eq!(error, ReadError::TooNew { found: u64::from(REPORT_VERSION) + 1, known: REPORT_VERSION });
    let other = from_json("{\"shape\": [1], \"report_version\": 99}").unwrap_err();
    assert_eq!(other, ReadError::TooNew { found: 99, known: REPORT_VERSION });
}

#[test]
fn errors_name_their_position() {
    let message = |text: &str| Lang::EN.text(&from_json(text).unwrap_err().message());
    assert_eq!(message(""), "line 1, column 0: not a report: EOF while parsing a value");
    assert_eq!(
        message("{\n \"id\": \"x\"\n}"),
        "line 3, column 1: not a report: missing field `report_version`"
    );
    assert_eq!(message("{\"report_version\": 1}"), "line 1, column 21: not a report: missing field `id`");
    assert!(message("[1").starts_with("line 1, column 2: not a report: "), "{}", message("[1"));
    let damaged = to_json(&samples::card()).replace("\"finished\"", "\"done\"");
    assert!(message(&damaged).contains("unknown variant `done`"), "{}", message(&damaged));
}
