//! Figures as comma-separated values (RFC 4180), in base units.

use cardiograph_core::metric::Unit;
use cardiograph_core::text::plain;
use cardiograph_core::{Direction, Report};
use cardiograph_judge::record::RunFigures;

use crate::lang::Lang;

/// The columns.
const HEADINGS: &str = "run,test,direction,metric,value,unit,n,low,high,doubt";

/// All figures of a Report, a row for each: value and 95 % interval in base units (B/s, 1/s, ns, B), `n` the values behind
/// it. Empty where something is not known, or withheld for the reason that is told under `doubt`.
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

/// The sign of a base unit; empty for a number of things.
const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::BytesPerSecond => "B/s",
        Unit::IosPerSecond => "1/s",
        Unit::Nanoseconds => "ns",
        Unit::Bytes => "B",
        Unit::Count => "",
    }
}

/// A line of cells, ended by a line feed.
pub(crate) fn line(cells: impl Iterator<Item = String>) -> String {
    cells.map(|cell| quoted(&cell)).collect::<Vec<_>>().join(",") + "\n"
}

/// A cell, in quotation marks where it needs them. What a spreadsheet would take for a formula is a text to it, and what would
/// steer a terminal is replaced.
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
            // Every other part is within quotation marks.
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
    fn what_would_break_a_row_is_quoted() {
        assert_eq!(quoted("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        let mut report = samples::contradicted();
        report.id = "x,y".to_string();
        assert!(figures(&report).lines().nth(1).unwrap().starts_with("\"x,y\","));
        report.id = "=1+1".to_string();
        assert!(figures(&report).lines().nth(1).unwrap().starts_with("'=1+1,"));
    }

    #[test]
    fn cells_are_quoted_where_they_must() {
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
