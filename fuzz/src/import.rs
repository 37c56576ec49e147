//! Outputs of other programs: every importer reads them or says what is wrong, and what comes out can be kept and shown.

use cardiograph_formats::import::table::{self, Map};
use cardiograph_formats::import::{IMPORTERS, ImportedTest, Named, detect, reports};
use cardiograph_formats::{json, shelf, text};

/// Mappings of tables; the first makes use of headings.
const MAPS: [&str; 3] = [
    "drive=Card; read.iops=4K read IOPS",
    "drive=1; hdparm.read.bandwidth=2 MB/s; dd.write.bandwidth=3 MB/s",
    "test=1; seqread.read.bandwidth=2 KiB/s; seqread.read.iops=* IOPS",
];

/// Has a text read by all importers, recognised or not.
pub fn reads(content: &[u8]) {
    let named = Named { place: "out_lat.1.log" };
    let _ = detect(content, &named);
    for importer in IMPORTERS {
        match importer.read(&mut &*content, &named) {
            Ok(tests) => makes_sense(tests, importer.name),
            Err(problems) => assert!(!problems.problems.is_empty() && !problems.to_string().is_empty()),
        }
    }
    for map in MAPS {
        let map: Map = map.parse().expect("it is a mapping");
        if let Ok(tests) = map.read(&mut &*content) {
            makes_sense(tests, table::NAME);
        }
    }
    // A text may be a mapping, too.
    if let Ok(content) = std::str::from_utf8(content) {
        let _ = content.parse::<Map>();
    }
}

fn makes_sense(tests: Vec<ImportedTest>, format: &str) {
    assert!(!tests.is_empty(), "{format}: tests, but none");
    for test in &tests {
        for figure in &test.imported.figures {
            let value = figure.estimate.value;
            assert!(value.is_finite() && value >= 0.0, "{format}: {figure:?}");
        }
    }
    for report in reports(tests, format, &Named { place: "x" }, "fuzz") {
        assert_ne!(report.suite, shelf::SUITE);
        let read = json::from_json(&json::to_json(&report)).expect("what was written can be read");
        assert_eq!(read, report, "{format}");
        assert!(!text::report(&report, &text::Style::default()).is_empty());
    }
}
