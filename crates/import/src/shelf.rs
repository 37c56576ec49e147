//! The shelf: published results with their source, method and units.
//!
//! A source is a file in `shelf/sources` and a line in `FILES`. It has the tables as published, with all digits, and
//! the command that measured each, which gives the Method. [`reports`] returns the same figures as Reports of the suite
//! [`SUITE`], one per drive and condition, for comparisons.

use std::sync::LazyLock;

use cardiograph_core::Report;
use cardiograph_core::published::Published;
use cardiograph_judge::record::RunFigures;

mod notes;
mod read;
mod report;
pub mod standing;

/// The suite of the shelf's Reports.
pub const SUITE: &str = "published";

/// The sources: name and content of each file.
const FILES: &[(&str, &str)] = &[
    ("app-class-cards", include_str!("shelf/sources/app-class-cards.toml")),
    ("dramble-cards", include_str!("shelf/sources/dramble-cards.toml")),
    ("iot-cards", include_str!("shelf/sources/iot-cards.toml")),
    ("microsd-vs-ssd", include_str!("shelf/sources/microsd-vs-ssd.toml")),
    ("pg-test-fsync", include_str!("shelf/sources/pg-test-fsync.toml")),
    ("pi-card-claims", include_str!("shelf/sources/pi-card-claims.toml")),
    ("pi5-cards", include_str!("shelf/sources/pi5-cards.toml")),
    ("server-ssds", include_str!("shelf/sources/server-ssds.toml")),
];

/// Complete outputs in sources.
const OUTPUTS: &[(&str, &str)] = &[
    ("pi5/microsd-sdtest.txt", include_str!("fixtures/pi5/microsd-sdtest.txt")),
    ("pi5/microsd-latp.txt", include_str!("fixtures/pi5/microsd-latp.txt")),
    ("pi5/microsd-fsync.txt", include_str!("fixtures/pi5/microsd-fsync.txt")),
    ("pi5/microsd-sustain.txt", include_str!("fixtures/pi5/microsd-sustain.txt")),
    ("pi5/ssd-sdtest.txt", include_str!("fixtures/pi5/ssd-sdtest.txt")),
    ("pi5/ssd-latp.txt", include_str!("fixtures/pi5/ssd-latp.txt")),
    ("pi5/ssd-fsync.txt", include_str!("fixtures/pi5/ssd-fsync.txt")),
    ("pi5/ssd-sustain.txt", include_str!("fixtures/pi5/ssd-sustain.txt")),
];

static SOURCES: LazyLock<Vec<Published>> = LazyLock::new(|| {
    // They are compiled in, and a test reads them all.
    FILES
        .iter()
        .map(|(name, text)| read::read(name, text).expect("a file of the shelf can be read"))
        .collect()
});

static REPORTS: LazyLock<Vec<Report>> = LazyLock::new(|| SOURCES.iter().flat_map(report::reports).collect());

/// The figures of each of [`REPORTS`], in the same order.
static FIGURES: LazyLock<Vec<RunFigures>> =
    LazyLock::new(|| REPORTS.iter().map(RunFigures::from_report).collect());

/// All publications, sorted by name.
pub fn sources() -> &'static [Published] {
    &SOURCES
}

/// The published figures as Reports, one per drive and condition.
pub fn reports() -> &'static [Report] {
    &REPORTS
}

#[cfg(test)]
mod tests;
