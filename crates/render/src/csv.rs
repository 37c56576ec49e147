//! Figures as comma-separated values (RFC 4180), in base units.

use cardiograph_core::metric::Unit;
use cardiograph_core::summary::{RunSummary, SmolStr};
use cardiograph_core::text::plain;
use cardiograph_core::{Direction, Report};
use cardiograph_judge::record::RunFigures;

use crate::doc;
use crate::lang::Lang;

/// The columns.
const HEADINGS: &str = "run,test,direction,metric,value,unit,n,low,high,doubt";

/// All figures of a Report, a row for each: value and 95 % interval in base units (B/s, 1/s, ns, B), and the
/// number of samples `n`. A cell is empty if unknown, or withheld for the reason in `doubt`.
pub fn figures(report: &Report) -> String {
    let run = RunFigures::from_report(report);
    let mut csv = format!("{HEADINGS}\r\n");
    for test in &run.tests {
        for figure in &test.figures {
            let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            let is_withheld = figure.is_withheld();
            let number = |value: Option<f64>| number(value.filter(|_| !is_withheld));
            let estimate = &figure.estimate;
            let cells = [
                run.run.id.to_string(),
                test.test.clone(),
                figure.direction.map(Direction::name).unwrap_or_default().to_string(),
                figure.quantity.name(),
                number(Some(estimate.value)),
                unit(figure.quantity.unit()).to_string(),
                if estimate.n > 0 { estimate.n.to_string() } else { String::new() },
                number(estimate.low),
                number(estimate.high),
                figure.doubt.as_ref().map(|doubt| Lang::EN.text(&doubt.message())).unwrap_or_default(),
            ];
            csv.push_str(&cells.map(|cell| quoted(&cell)).join(","));
            csv.push_str("\r\n");
        }
    }
    csv
}

/// Checkups, a row for each. Capacities are in bytes, times in UTC; a cell is empty if unknown.
pub fn history(runs: &[RunSummary]) -> String {
    const HEADINGS: [&str; 9] =
        ["run", "started", "suite", "state", "label", "tags", "host", "drive", "capacity_bytes"];
    let row = |run: &RunSummary| {
        let tags: Vec<String> = run.tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let models: Vec<&str> = run.models.iter().collect();
        let text = |text: &Option<SmolStr>| text.as_ref().map(ToString::to_string).unwrap_or_default();
        line(
            [
                run.id.to_string(),
                doc::when(run.started_unix_ms).unwrap_or_default(),
                run.suite.to_string(),
                serde_json::to_value(run.state)
                    .ok()
                    .and_then(|state| Some(state.as_str()?.to_string()))
                    .unwrap_or_default(),
                text(&run.label),
                tags.join(";"),
                text(&run.host),
                models.join(" + "),
                run.capacity_bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
            ]
            .into_iter(),
        )
    };
    line(HEADINGS.iter().map(ToString::to_string)) + &runs.iter().map(row).collect::<String>()
}

/// The sign of a base unit; empty for counts.
const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::BytesPerSecond => "B/s",
        Unit::IosPerSecond => "1/s",
        Unit::Nanoseconds => "ns",
        Unit::Bytes => "B",
        Unit::Count => "",
    }
}

/// A line of cells, ending with a line feed.
pub(crate) fn line(cells: impl Iterator<Item = String>) -> String {
    cells.map(|cell| quoted(&cell)).collect::<Vec<_>>().join(",") + "\n"
}

/// A cell, quoted if necessary. Formulas are escaped so that spreadsheets read them as text, and control
/// characters are replaced.
fn quoted(cell: &str) -> String {
    let is_formula =
        cell.starts_with(['=', '@', '\t']) || cell.starts_with(['+', '-']) && cell.parse::<f64>().is_err();
    let cell = if is_formula { format!("'{cell}") } else { cell.to_string() };
    let cell = plain(&cell);
    let needs = cell.contains([',', '"', '\n']);
    if needs { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_row_has_every_column() {
        for report in samples::all() {
            let csv = figures(&report);
            let rows: Vec<&str> = csv.split_terminator("\r\n").collect();
            assert_eq!(rows[0], HEADINGS);
            // Every second part is inside quotation marks.
            let commas =
                |row: &str| row.split('"').step_by(2).map(|part| part.matches(',').count()).sum::<usize>();
            assert!(rows.iter().all(|row| commas(row) == 9), "{csv}");
        }
        let csv = figures(&samples::card());
        let row = csv.lines().find(|row| row.contains("durable-write,sync,latency_p99,")).unwrap();
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[4..6], ["7570000", "ns"], "{row}");
    }

    #[test]
    fn text_that_would_break_a_row_is_quoted() {
        assert_eq!(quoted("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        let mut report = samples::contradicted();
        report.id = "x,y".to_string();
        assert!(figures(&report).lines().nth(1).unwrap().starts_with("\"x,y\","));
        report.id = "=1+1".to_string();
        assert!(figures(&report).lines().nth(1).unwrap().starts_with("'=1+1,"));
    }

    #[test]
    fn a_list_of_checkups_has_a_row_for_each() {
        let runs: Vec<RunSummary> = samples::all().iter().map(RunSummary::from_report).collect();
        let csv = history(&runs);
        assert!(csv.starts_with("run,started,suite,") && csv.contains(",interrupted,"), "{csv}");
        assert_eq!(csv.lines().count(), runs.len() + 1);
        assert_eq!(history(&[]).lines().count(), 1);
    }

    #[test]
    fn cells_are_quoted_only_if_necessary() {
        for (cell, expected) in [
            ("plain", "plain"),
            ("a, b", "\"a, b\""),
            ("4\" disk", "\"4\"\" disk\""),
            ("=1+1", "'=1+1"),
            ("-0.5", "-0.5"),
            ("-x", "'-x"),
        ] {
            assert_eq!(quoted(cell), expected);
        }
    }
}
