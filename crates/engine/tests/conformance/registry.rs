//! The list of engines.

use cardiograph_engine::{ENGINES, engine};

#[test]
fn engines_are_told_apart_and_explained() {
    let mut names: Vec<_> = ENGINES.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ENGINES.len());
    for entry in ENGINES {
        assert!(!entry.summary.is_empty() && !entry.summary.ends_with('.'), "{}", entry.name);
        if let Some(fallback) = entry.fallback {
            let other = engine::find(fallback).expect(fallback);
            assert_eq!((other.probe)(), Ok(()), "{fallback} must be available everywhere");
            assert_eq!(other.is_simulated, entry.is_simulated);
        }
    }
}
