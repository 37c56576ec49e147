//! What a sweep's tables say, in words and in two languages, by their axes. A table without axes keeps its own words.

use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::sweep::{Axis, AxisValue, FileState};
use cardiograph_core::table::{CellUnit, Column, Table, TableRow};
use cardiograph_core::units;

use crate::lang::Lang;
use crate::text::{plain, said};

/// Between two axes' values: with a space in both languages, for lines are broken there.
const COMMA: &str = ", ";

/// What a table shows: `I/Os per second by block length, random read`.
pub(crate) fn title(table: &Table, lang: Lang) -> String {
    let Some(swept) = &table.swept else { return said(&table.title, lang) };
    let (kind, across) = (kind_words(swept.quantity, lang), axis(swept.across, lang));
    let first = match lang {
        Lang::En => format!("{kind} by {across}"),
        Lang::Ja => format!("{kind}（{across}別）"),
    };
    let fixed = swept.fixed.iter().map(|of| value(of, lang));
    std::iter::once(first).chain(fixed).collect::<Vec<_>>().join(COMMA)
}

/// What the names of the rows are, and the unit of the figures: `access pattern, block length (MB/s)`.
pub(super) fn heading(table: &Table, unit: CellUnit, lang: Lang) -> String {
    let axes = match &table.swept {
        Some(swept) => swept.down.iter().map(|&of| axis(of, lang)).collect::<Vec<_>>().join(COMMA),
        None => said(&table.heading, lang),
    };
    match sign(unit, lang) {
        "" => axes,
        sign => format!("{axes} ({sign})").trim().to_string(),
    }
}

/// The headings of the columns: `4 jobs`, `32 in flight`, `64 KiB`.
pub(super) fn columns(table: &Table, lang: Lang) -> Vec<String> {
    let words = |(at, column): (usize, &Column)| {
        let swept = table.swept.as_ref().and_then(|swept| swept.columns.get(at));
        swept.map_or_else(|| said(&column.heading, lang), |of| value(of, lang))
    };
    table.columns.iter().enumerate().map(words).collect()
}

/// The names of the rows: `random read, 4 KiB, 2 jobs`.
pub(super) fn rows(table: &Table, lang: Lang) -> Vec<String> {
    let words =
        |(at, row): (usize, &TableRow)| match table.swept.as_ref().and_then(|swept| swept.rows.get(at)) {
            Some(values) => values.iter().map(|of| row_value(of, lang)).collect::<Vec<_>>().join(COMMA),
            None => said(&row.name, lang),
        };
    table.rows.iter().enumerate().map(words).collect()
}

/// A unit's sign, or what it counts.
pub(super) const fn sign(unit: CellUnit, lang: Lang) -> &'static str {
    match unit {
        CellUnit::PerSecond => lang.pick("I/Os per second", "IOPS"),
        unit => unit.sign(),
    }
}

fn kind_words(quantity: Quantity, lang: Lang) -> String {
    match quantity {
        Quantity::Iops => lang.pick("I/Os per second", "IOPS").to_string(),
        Quantity::Bandwidth => lang.pick("Bandwidth", "帯域").to_string(),
        Quantity::Latency(_, Statistic::Mean) => lang.pick("Mean latency", "平均レイテンシ").to_string(),
        Quantity::Latency(_, of) => format!("{} {of}", lang.pick("Latency", "レイテンシ")),
        other => other.name(),
    }
}

const fn axis(axis: Axis, lang: Lang) -> &'static str {
    match axis {
        Axis::Scheduler => lang.pick("scheduler", "スケジューラ"),
        Axis::Directory => lang.pick("directory", "ディレクトリ"),
        Axis::State => lang.pick("state of the file", "ファイルの状態"),
        Axis::Mix => lang.pick("access pattern", "アクセスパターン"),
        Axis::Engine => lang.pick("engine", "エンジン"),
        Axis::Offset => lang.pick("offset", "オフセット"),
        Axis::Bs => lang.pick("block length", "ブロック長"),
        Axis::Jobs => lang.pick("number of jobs", "ジョブ数"),
        Axis::Depth => lang.pick("depth", "同時 I/O 数"),
    }
}

fn value(value: &AxisValue, lang: Lang) -> String {
    match (value, lang) {
        (AxisValue::Scheduler(name) | AxisValue::Directory(name) | AxisValue::Engine(name), _) => plain(name),
        (AxisValue::State(of), _) => state(*of, lang).to_string(),
        (&AxisValue::Mix { is_random, read_percent }, _) => mix(is_random, read_percent, lang),
        (AxisValue::OffsetBytes(bytes), _) => {
            format!("{} {}", lang.pick("offset", "オフセット"), units::bytes(*bytes))
        }
        (AxisValue::BlockBytes(bytes), _) => units::bytes(*bytes),
        (AxisValue::Jobs(1), Lang::En) => "1 job".to_string(),
        (AxisValue::Jobs(jobs), Lang::En) => format!("{jobs} jobs"),
        (AxisValue::Jobs(jobs), Lang::Ja) => format!("ジョブ {jobs}"),
        (AxisValue::Depth(depth), Lang::En) => format!("{depth} in flight"),
        (AxisValue::Depth(depth), Lang::Ja) => format!("同時 {depth}"),
    }
}

/// The same in the name of a row, where a number and its unit stay in one line.
fn row_value(of: &AxisValue, lang: Lang) -> String {
    match of {
        AxisValue::OffsetBytes(bytes) | AxisValue::BlockBytes(bytes) => {
            let size = units::bytes(*bytes);
            value(of, lang).replace(&size, &size.replace(' ', "\u{a0}"))
        }
        _ => value(of, lang),
    }
}

const fn state(of: FileState, lang: Lang) -> &'static str {
    match of {
        FileState::Fresh => lang.pick("never written", "未書き込み"),
        FileState::Trimmed => lang.pick("trimmed", "TRIM 済み"),
        FileState::Filled => lang.pick("filled in sequence", "順次書き込み済み"),
        FileState::Random => lang.pick("written over at random", "ランダム上書き済み"),
    }
}

fn mix(is_random: bool, read_percent: u32, lang: Lang) -> String {
    let order = match is_random {
        true => lang.pick("random", "ランダム"),
        false => lang.pick("sequential", "シーケンシャル"),
    };
    let direction = match (read_percent, lang) {
        (100, _) => lang.pick(" read", "読み取り").to_string(),
        (0, _) => lang.pick(" write", "書き込み").to_string(),
        (share, Lang::En) => format!(" with {share} % reads"),
        (share, Lang::Ja) => format!("（読み取り {share} %）"),
    };
    format!("{order}{direction}")
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Message;
    use cardiograph_core::quantity::LatencyKind;
    use cardiograph_core::sweep::SweptAxes;

    use super::*;

    const RANDOM_READ: AxisValue = AxisValue::Mix { is_random: true, read_percent: 100 };

    fn table(swept: SweptAxes) -> Table {
        Table {
            columns: vec![Column { heading: Message::verbatim("kept"), unit: CellUnit::PerSecond }],
            rows: vec![TableRow { name: Message::verbatim("kept"), cells: Vec::new() }],
            swept: Some(swept),
            ..Table::default()
        }
    }

    fn swept(quantity: Quantity, across: Axis) -> SweptAxes {
        SweptAxes {
            quantity,
            across,
            columns: Vec::new(),
            down: Vec::new(),
            rows: Vec::new(),
            fixed: Vec::new(),
        }
    }

    #[test]
    fn titles_are_in_words() {
        let sequential = AxisValue::Mix { is_random: false, read_percent: 70 };
        let latency = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.9));
        for (quantity, across, fixed, en, ja) in [
            (Quantity::Iops, Axis::Depth, vec![], "I/Os per second by depth", "IOPS（同時 I/O 数別）"),
            (
                Quantity::Bandwidth,
                Axis::Bs,
                vec![RANDOM_READ, AxisValue::Depth(8)],
                "Bandwidth by block length, random read, 8 in flight",
                "帯域（ブロック長別）, ランダム読み取り, 同時 8",
            ),
            (
                latency,
                Axis::Jobs,
                vec![sequential, AxisValue::BlockBytes(4_096)],
                "Latency p99.9 by number of jobs, sequential with 70 % reads, 4 KiB",
                "レイテンシ p99.9（ジョブ数別）, シーケンシャル（読み取り 70 %）, 4 KiB",
            ),
        ] {
            let table = table(SweptAxes { fixed, ..swept(quantity, across) });
            assert_eq!([Lang::En, Lang::Ja].map(|lang| title(&table, lang)), [en, ja]);
        }
    }

    #[test]
    fn headings_of_rows_are_in_words() {
        for (down, unit, en, ja) in [
            (
                vec![Axis::Mix, Axis::Bs],
                CellUnit::PerSecond,
                "access pattern, block length (I/Os per second)",
                "アクセスパターン, ブロック長 (IOPS)",
            ),
            (vec![Axis::State], CellUnit::Microseconds, "state of the file (µs)", "ファイルの状態 (µs)"),
            (vec![], CellUnit::MegabytesPerSecond, "(MB/s)", "(MB/s)"),
        ] {
            let table = table(SweptAxes { down, ..swept(Quantity::Iops, Axis::Depth) });
            assert_eq!([Lang::En, Lang::Ja].map(|lang| heading(&table, unit, lang)), [en, ja]);
        }
    }

    #[test]
    fn names_of_rows_are_in_words() {
        for (values, en, ja) in [
            (
                vec![RANDOM_READ, AxisValue::BlockBytes(4_096)],
                "random read, 4 KiB",
                "ランダム読み取り, 4 KiB",
            ),
            (
                vec![
                    AxisValue::State(FileState::Random),
                    AxisValue::Mix { is_random: false, read_percent: 0 },
                    AxisValue::Engine("io_uring".to_string()),
                    AxisValue::OffsetBytes(512),
                    AxisValue::BlockBytes(1 << 20),
                    AxisValue::Jobs(1),
                    AxisValue::Depth(32),
                ],
                "written over at random, sequential write, io_uring, offset 512 B, 1 MiB, 1 job, 32 in flight",
                "ランダム上書き済み, シーケンシャル書き込み, io_uring, オフセット 512 B, 1 MiB, ジョブ 1, 同時 32",
            ),
            (
                vec![
                    AxisValue::Scheduler("none".to_string()),
                    AxisValue::Directory("/mnt/a b".to_string()),
                    AxisValue::Mix { is_random: false, read_percent: 100 },
                ],
                "none, /mnt/a b, sequential read",
                "none, /mnt/a b, シーケンシャル読み取り",
            ),
            (
                vec![AxisValue::Mix { is_random: true, read_percent: 50 }],
                "random with 50 % reads",
                "ランダム（読み取り 50 %）",
            ),
        ] {
            let table = table(SweptAxes { rows: vec![values], ..swept(Quantity::Iops, Axis::Depth) });
            let found = |lang| rows(&table, lang).remove(0).replace('\u{a0}', " ");
            assert_eq!([Lang::En, Lang::Ja].map(found), [en, ja]);
        }
    }

    #[test]
    fn columns_are_in_words() {
        for (value, en, ja) in [
            (AxisValue::Depth(4), "4 in flight", "同時 4"),
            (AxisValue::Jobs(4), "4 jobs", "ジョブ 4"),
            (AxisValue::BlockBytes(4_096), "4 KiB", "4 KiB"),
        ] {
            let table = table(SweptAxes { columns: vec![value], ..swept(Quantity::Iops, Axis::Depth) });
            assert_eq!([Lang::En, Lang::Ja].map(|lang| columns(&table, lang).remove(0)), [en, ja]);
        }
    }

    #[test]
    fn what_has_no_axes_keeps_its_words() {
        let words = |table: &Table, lang| {
            let heading = heading(table, CellUnit::Count, lang);
            [title(table, lang), heading, columns(table, lang).concat(), rows(table, lang).concat()]
        };
        let named = Table {
            title: Message::verbatim("Somebody's"),
            heading: Message::verbatim("of others"),
            ..Table::default()
        };
        let bare = Table { swept: None, ..table(swept(Quantity::Iops, Axis::Depth)) };
        let bare = Table { columns: bare.columns, rows: bare.rows, ..named };
        // The same where a Report has fewer values than rows and columns.
        let short = Table { swept: Some(swept(Quantity::Iops, Axis::Depth)), ..bare.clone() };
        for lang in [Lang::En, Lang::Ja] {
            assert_eq!(words(&bare, lang), ["Somebody's", "of others", "kept", "kept"]);
            assert_eq!(words(&short, lang)[2..], ["kept", "kept"]);
        }
        assert_eq!(title(&Table::default(), Lang::En), "");
    }
}
