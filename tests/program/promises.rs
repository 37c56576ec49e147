//! What version 1.0 wrote and offered, every later version reads and offers: docs/promises.md. The files in `promises` are
//! never changed; a version that adds something gets a directory of its own.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::Bench;

/// Labels of the checkups in a store.
const LABELS: [&str; 3] = ["card", "class", "imported"];

fn versions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/promises");
    let mut found: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

/// A file of a version, compressed by gzip without a name, put into the bench.
fn unpacked(bench: &Bench, version: &Path, name: &str) -> String {
    let compressed = fs::read(version.join(format!("{name}.gz"))).unwrap();
    let header_len_bytes = 10;
    let content = miniz_oxide::inflate::decompress_to_vec(&compressed[header_len_bytes..]).unwrap();
    let path = bench.work().join(name);
    fs::write(&path, content).unwrap();
    path.display().to_string()
}

/// Rows of a table by the names of its columns.
fn rows(csv: &str) -> Vec<Vec<(String, String)>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_string).collect::<Vec<_>>());
    let names = lines.next().unwrap();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

/// Each figure of the version is there with its value.
fn has_figures(bench: &Bench, version: &Path, store: &str) {
    for label in LABELS {
        let then = rows(&fs::read_to_string(version.join(format!("{label}.csv"))).unwrap());
        let now = bench.run(&format!("show {label} --store {store} --export-csv -")).exits_with(0);
        let now = rows(&now.stdout);
        assert!(then.len() > 20, "{label}");
        for row in &then {
            let is_same = |now: &Vec<(String, String)>| row.iter().all(|cell| now.contains(cell));
            assert!(now.iter().any(is_same), "{label}: {row:?}");
        }
    }
}

#[test]
fn stores_are_read() {
    for version in versions() {
        let bench = Bench::new();
        let store = unpacked(&bench, &version, "store.db");
        has_figures(&bench, &version, &store);
        bench.run(&format!("compare card class --store {store}")).exits_with(0);
        // Writing migrates it.
        bench.run(&format!("tag card kept=yes --store {store}")).exits_with(0);
        has_figures(&bench, &version, &store);
    }
}

#[test]
fn exported_checkups_are_read() {
    for version in versions() {
        let bench = Bench::new();
        let exported = unpacked(&bench, &version, "checkups.jsonl");
        bench.run(&format!("store import {exported} --store new.db")).exits_with(0);
        has_figures(&bench, &version, "new.db");
    }
}

#[test]
fn names_and_the_api_are_still_there() {
    let api =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/serve/openapi.json")).unwrap();
    for version in versions() {
        let then =
            |name: &str| -> Value { serde_json::from_slice(&fs::read(version.join(name)).unwrap()).unwrap() };
        let api = serde_json::from_str(&api).unwrap();
        assert_eq!(missing(&then("openapi.json"), &api, "openapi"), None);
        for list in ["suites", "engines"] {
            let now = Bench::new().run(&format!("{list} --json")).exits_with(0);
            let now = serde_json::from_str(&now.stdout).unwrap();
            assert_eq!(missing(&then(&format!("{list}.json")), &now, list), None);
        }
    }
}

/// The first place in `then` that is not in `now`, which may have more fields and elements.
fn missing(then: &Value, now: &Value, place: &str) -> Option<String> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => then.iter().find_map(|(name, value)| {
            let place = format!("{place}.{name}");
            now.get(name).map_or(Some(place.clone()), |found| missing(value, found, &place))
        }),
        (Value::Array(then), Value::Array(now)) => then.iter().find_map(|value| {
            let is_there = now.iter().any(|now| missing(value, now, place).is_none());
            (!is_there).then(|| format!("{place}: {value}"))
        }),
        _ => (then != now).then(|| place.to_string()),
    }
}

#[test]
fn what_is_missing_is_named() {
    let then: Value = serde_json::from_str(r#"{"a": [1, {"name": "x"}], "b": {}}"#).unwrap();
    for (now, expected) in [
        (r#"{"a": [2, {"more": 1, "name": "x"}, 1], "b": {"c": 1}}"#, None),
        (r#"{"a": [1, {"name": "y"}], "b": {}}"#, Some(r#"list.a: {"name":"x"}"#)),
        (r#"{"a": [1, {"name": "x"}]}"#, Some("list.b")),
        (r#"{"a": [1, {"name": "x"}], "b": 1}"#, Some("list.b")),
    ] {
        assert_eq!(missing(&then, &serde_json::from_str(now).unwrap(), "list").as_deref(), expected, "{now}");
    }
}
