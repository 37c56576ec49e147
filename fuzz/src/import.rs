//! Outputs of other programs: every importer reads them or reports errors, and results can be stored and shown.

use cardiograph_core::json;
use cardiograph_import::shelf;
use cardiograph_import::table::{self, Map};
use cardiograph_import::{IMPORTERS, ImportedTest, Importer, Named, detect, reports};
use cardiograph_render::lang::Lang;
use cardiograph_render::text;

/// Mappings of tables; the first uses headings.
const MAPS: [&str; 3] = [
    "drive=Card; read.iops=4K read IOPS",
    "drive=1; hdparm.read.bandwidth=2 MB/s; dd.write.bandwidth=3 MB/s",
    "test=1; seqread.read.bandwidth=2 KiB/s; seqread.read.iops=* IOPS",
];
/// File names of logs, one for each kind of line.
const LOGS: [&str; 4] = ["x_lat.1.log", "x_bw.1.log", "x_iops.1.log", "x_clat_hist.1.log"];
const OTHERS: [&str; 1] = ["x.txt"];

/// Parsers of other programs' output.
#[derive(Debug, Clone, Copy)]
pub enum Parser {
    /// The importer of one format.
    Importer(&'static Importer),
    /// Tables, with mappings.
    Table,
    /// All of them.
    All,
}

impl Parser {
    /// Finds a parser by name; all parsers without one.
    ///
    /// # Panics
    /// If no parser has this name.
    pub fn find(name: Option<&str>) -> Self {
        match name {
            None => Self::All,
            Some(table::NAME) => Self::Table,
            Some(name) => match cardiograph_import::find(name) {
                Some(importer) => Self::Importer(importer),
                None => panic!("there is no parser '{name}'; cardiograph import --list-formats names them"),
            },
        }
    }

    /// Parses a text, recognised or not.
    ///
    /// # Panics
    /// If a check fails.
    pub fn reads(self, content: &[u8]) {
        match self {
            Self::Importer(importer) => imports(importer, content),
            Self::Table => tables(content),
            Self::All => {
                let _ = detect(content, &Named { place: LOGS[0] });
                let named = Named { place: OTHERS[0] };
                if let Some(importer) = detect(content, &named) {
                    let parts = importer.read_page(&mut &*content, &named).unwrap_or_default();
                    parts.into_iter().for_each(|(importer, tests)| makes_sense(tests, importer.name));
                }
                IMPORTERS.iter().for_each(|importer| imports(importer, content));
                tables(content);
            }
        }
    }
}

fn imports(importer: &Importer, content: &[u8]) {
    let places: &[&str] = if importer.name.starts_with("fio-log") { &LOGS } else { &OTHERS };
    for place in places {
        let named = Named { place };
        let _ = (importer.recognise)(&String::from_utf8_lossy(content), &named);
        match importer.read(&mut &*content, &named) {
            Ok(tests) => makes_sense(tests, importer.name),
            Err(problems) => assert!(!problems.problems.is_empty() && !problems.to_string().is_empty()),
        }
    }
}

fn tables(content: &[u8]) {
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
        let read = json::from_json(json::to_json(&report)).expect("what was written can be read");
        assert_eq!(read, report, "{format}");
        assert!(!text::report(&report, Lang::EN, &text::Style::default()).is_empty());
    }
}
