//! The table of results.

use super::ratio::Ratio;

/// A figure of a row.
#[derive(Debug, Default)]
pub struct Line {
    /// The row's name.
    pub row: &'static str,
    /// The quantity measured.
    pub figure: &'static str,
    /// Ours, with its unit.
    pub ours: String,
    /// The peer and its figure, with its unit.
    pub theirs: String,
    /// Ours to theirs.
    pub ratio: Option<Ratio>,
    /// The target; empty if the figure is for information.
    pub target: String,
    /// Whether it is met; `None` if not judged.
    pub met: Option<bool>,
}

impl Line {
    /// Less is better: the ratio to the peer's figure must not exceed `limit`.
    pub fn at_most(self, limit: f64) -> Self {
        let met = self.ratio.map(|ratio| ratio.median <= limit);
        Self { target: format!("≤ {limit}"), met, ..self }
    }

    /// More is better: the ratio to the peer's figure must be at least `limit`.
    pub fn at_least(self, limit: f64) -> Self {
        let met = self.ratio.map(|ratio| ratio.median >= limit);
        Self { target: format!("≥ {limit}"), met, ..self }
    }
}

/// The lines under a heading, in columns.
pub fn render(lines: &[Line]) -> String {
    let heading = ["row", "figure", "ours", "theirs", "ratio [95 %]", "target", "met"].map(str::to_string);
    let cells: Vec<[String; 7]> = std::iter::once(heading).chain(lines.iter().map(cells)).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &cells {
        let padded = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn cells(line: &Line) -> [String; 7] {
    let ratio = match line.ratio {
        None => String::new(),
        Some(Ratio { median, interval: None }) => format!("{median:.3}"),
        Some(Ratio { median, interval: Some((low, high)) }) => format!("{median:.3} [{low:.3}, {high:.3}]"),
    };
    let met = match line.met {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "-",
    };
    [
        line.row.to_string(),
        line.figure.to_string(),
        line.ours.clone(),
        line.theirs.clone(),
        ratio,
        line.target.clone(),
        met.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let ratio = Some(Ratio { median: 0.41, interval: Some((0.4, 0.425)) });
        let line = Line {
            row: "null",
            figure: "time per I/O",
            ours: "62 ns".into(),
            theirs: "fio 150 ns".into(),
            ..Line::default()
        };
        let lines = [
            Line { ratio, ..line }.at_most(0.45),
            Line { row: "memory", ours: "1.50 µs".into(), ..Line::default() },
        ];
        let expected = "\
row     figure        ours     theirs      ratio [95 %]          target  met
null    time per I/O  62 ns    fio 150 ns  0.410 [0.400, 0.425]  ≤ 0.45  yes
memory                1.50 µs                                            -
";
        assert_eq!(render(&lines), expected);
    }

    #[test]
    fn the_median_decides() {
        let line =
            |median| Line { ratio: Some(Ratio { median, interval: Some((0.0, 9.0)) }), ..Line::default() };
        assert_eq!(line(1.08).at_most(1.08).met, Some(true));
        assert_eq!(line(1.09).at_most(1.08).met, Some(false));
        assert_eq!(line(0.97).at_least(0.97).met, Some(true));
        assert_eq!(line(0.96).at_least(0.97).met, Some(false));
        assert_eq!(Line::default().at_least(1.0).met, None);
    }
}
