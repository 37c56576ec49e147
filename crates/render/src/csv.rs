//! Figures as comma-separated values (RFC 4180), in base units.

use cardiograph_core::metric::Unit;
use cardiograph_core::text::plain;
use cardiograph_core::{Direction, Report};
use cardiograph_judge::record::RunFigures;

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
