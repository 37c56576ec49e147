//! The list of engines.

use std::fs;
use std::path::Path;

use cardiograph_engine::{ENGINES, find_engine};

#[test]
fn engines_have_distinct_names_and_usable_fallbacks() {
    let mut names: Vec<_> = ENGINES.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ENGINES.len());
    for entry in ENGINES {
        for fallback in entry.fallbacks {
            assert_eq!(find_engine(fallback).expect(fallback).is_simulated, entry.is_simulated);
        }
        if let Some(last) = entry.fallbacks.last().and_then(|name| find_engine(name)) {
            assert_eq!((last.probe)(), Ok(()), "{} must be available everywhere", last.name);
        }
    }
}

/// A file that is missing from the table is not compiled.
#[test]
fn every_engine_file_is_in_the_table() {
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engines")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap().trim_end_matches("_absent");
        let is_engine = path.is_file() && fs::read_to_string(&path).unwrap().contains("pub const ENTRY:");
        let is_listed = name == "skeleton" || find_engine(name).is_some();
        assert!(
            !is_engine || is_listed,
            "add {name} to the table in crates/jobs/src/options/engine_names.rs"
        );
    }
}
