//! The labels of a sweep's tables, from their axes. A table without axes keeps its own labels.

use cardiograph_core::message::Parameter;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::sweep::{AxisValue, FileState};
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Message, message};

use crate::doc::Unit;
use crate::lang::Lang;
use crate::text::{plain, said};

/// The title of a table: `IOPS by block size: random read`.
pub(in super::super) fn title(table: &Table) -> Message {
    let Some(swept) = &table.swept else { return table.title.clone() };
    let title = message!("table-sweep.by", figure = figure(swept.quantity), axis = swept.across.message());
    match swept.fixed.is_empty() {
        true => title,
        false => {
            let conditions = Parameter::all(swept.fixed.iter().map(value));
            message!("table-sweep.at", table = title, conditions = conditions)
        }
    }
}

/// The heading of the rows' names, with the unit of the figures: `access pattern, block size (MB/s)`.
pub(super) fn heading(table: &Table, unit: CellUnit, lang: Lang) -> String {
    let axes = match &table.swept {
        Some(swept) => lang.phrases(&swept.down.iter().map(|&axis| axis.message()).collect::<Vec<_>>()),
        None => lang.text(&table.heading),
    };
    match (axes.as_str(), sign(unit, lang)) {
        (_, "") => plain(&axes),
        ("", sign) => sign.to_string(),
        (_, sign) => plain(&lang.text(&message!("picture-axis", what = &axes, unit = sign))),
    }
}

/// The headings of the columns: `4 jobs`, `QD32`, `64K`.
pub(super) fn columns(table: &Table, lang: Lang) -> Vec<String> {
    let swept = |at| table.swept.as_ref().and_then(|swept| swept.columns.get(at)).map(value);
    let columns = table.columns.iter().enumerate();
    columns.map(|(at, column)| said(&swept(at).unwrap_or_else(|| column.heading.clone()), lang)).collect()
}

/// The names of the rows: `random read, 4K, 2 jobs`.
pub(super) fn rows(table: &Table, lang: Lang) -> Vec<String> {
    let swept = |at| table.swept.as_ref().and_then(|swept| swept.rows.get(at));
    let rows = table.rows.iter().enumerate().map(|(at, row)| match swept(at) {
        Some(values) => plain(&lang.phrases(&values.iter().map(value).collect::<Vec<_>>())),
        None => said(&row.name, lang),
    });
    rows.collect()
}

/// A unit's sign, or the thing counted.
pub(super) const fn sign(unit: CellUnit, lang: Lang) -> &'static str {
    match unit {
        CellUnit::PerSecond => "IOPS",
        unit => Unit::Of(unit).sign(lang),
    }
}

fn figure(quantity: Quantity) -> Message {
    match quantity {
        Quantity::Iops => message!("table-figure.iops"),
        Quantity::Bandwidth => message!("table-figure.bandwidth"),
        Quantity::Latency(_, Statistic::Mean) => message!("table-figure.mean-latency"),
        Quantity::Latency(_, Statistic::Percentile(percentile)) => {
            message!("table-figure.percentile", percentile = Parameter::number(percentile))
        }
        other => Message::verbatim(other.name()),
    }
}

fn value(value: &AxisValue) -> Message {
    match value {
        AxisValue::Scheduler(name) | AxisValue::Directory(name) | AxisValue::Engine(name) => {
            Message::verbatim(name)
        }
        AxisValue::State(FileState::Fresh) => message!("picture-sweep-state.fresh"),
        AxisValue::State(FileState::Trimmed) => message!("picture-sweep-state.trimmed"),
        AxisValue::State(FileState::Filled) => message!("picture-sweep-state.filled"),
        AxisValue::State(FileState::Random) => message!("picture-sweep-state.random"),
        &AxisValue::Mix { is_random, read_percent } => mix(is_random, read_percent),
        &AxisValue::OffsetBytes(bytes) => {
            message!("picture-sweep-offset", offset = Parameter::BlockBytes(bytes))
        }
        &AxisValue::BlockBytes(bytes) => {
            message!("table-sweep.value", value = Parameter::BlockBytes(bytes))
        }
        &AxisValue::Jobs(jobs) => message!("picture-sweep-jobs", jobs = jobs),
        &AxisValue::Depth(depth) => message!("table-sweep.depth", depth = depth),
    }
}

fn mix(is_random: bool, read_percent: u32) -> Message {
    let reads = Parameter::share(f64::from(read_percent) / 100.0);
    match (is_random, read_percent) {
        (true, 100) => message!("picture-sweep-mix.random-read"),
        (true, 0) => message!("picture-sweep-mix.random-write"),
        (true, _) => message!("picture-sweep-mix.random", reads = reads),
        (false, 100) => message!("picture-sweep-mix.read"),
        (false, 0) => message!("picture-sweep-mix.write"),
        (false, _) => message!("picture-sweep-mix.sequential", reads = reads),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::quantity::LatencyKind;
    use cardiograph_core::sweep::{Axis, SweptAxes};
    use cardiograph_core::table::{Column, TableRow};

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
            (Quantity::Iops, Axis::Depth, vec![], "IOPS by queue depth", "IOPS (キュー深さ別)"),
            (
                Quantity::Bandwidth,
                Axis::Bs,
                vec![RANDOM_READ, AxisValue::Depth(8)],
                "Bandwidth by block size: random read and QD8",
                "帯域 (ブロックサイズ別): ランダムリード、QD8",
            ),
            (
                latency,
                Axis::Jobs,
                vec![sequential, AxisValue::BlockBytes(4_096)],
                "Latency p99.9 by number of jobs: sequential, 70 % reads and 4K",
                "レイテンシ p99.9 (ジョブ数別): シーケンシャル (リード 70 %)、4K",
            ),
        ] {
            let table = table(SweptAxes { fixed, ..swept(quantity, across) });
            assert_eq!([Lang::EN, Lang::JA].map(|lang| lang.text(&title(&table))), [en, ja]);
        }
    }

    #[test]
    fn headings_of_rows_are_in_words() {
        for (down, unit, en, ja) in [
            (
                vec![Axis::Mix, Axis::Bs],
                CellUnit::PerSecond,
                "access pattern, block size (IOPS)",
                "アクセスパターン、ブロックサイズ (IOPS)",
            ),
            (vec![Axis::State], CellUnit::Microseconds, "state of the file (µs)", "ファイルの状態 (µs)"),
            (vec![], CellUnit::MegabytesPerSecond, "MB/s", "MB/s"),
        ] {
            let table = table(SweptAxes { down, ..swept(Quantity::Iops, Axis::Depth) });
            assert_eq!([Lang::EN, Lang::JA].map(|lang| heading(&table, unit, lang)), [en, ja]);
        }
    }

    #[test]
    fn names_of_rows_are_in_words() {
        for (values, en, ja) in [
            (vec![RANDOM_READ, AxisValue::BlockBytes(4_096)], "random read, 4K", "ランダムリード、4K"),
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
                "overwritten at random, sequential write, io_uring, offset 512B, 1M, 1 job, QD32",
                "ランダムに上書き済み、シーケンシャルライト、io_uring、オフセット 512B、1M、1 ジョブ、QD32",
            ),
            (
                vec![
                    AxisValue::Scheduler("none".to_string()),
                    AxisValue::Directory("/mnt/a b".to_string()),
                    AxisValue::Mix { is_random: false, read_percent: 100 },
                ],
                "none, /mnt/a b, sequential read",
                "none、/mnt/a b、シーケンシャルリード",
            ),
            (
                vec![AxisValue::Mix { is_random: true, read_percent: 50 }],
                "random, 50 % reads",
                "ランダム (リード 50 %)",
            ),
        ] {
            let table = table(SweptAxes { rows: vec![values], ..swept(Quantity::Iops, Axis::Depth) });
            assert_eq!([Lang::EN, Lang::JA].map(|lang| rows(&table, lang).remove(0)), [en, ja]);
        }
    }

    #[test]
    fn columns_are_in_words() {
        for (value, en, ja) in [
            (AxisValue::Depth(4), "QD4", "QD4"),
            (AxisValue::Jobs(4), "4 jobs", "4 ジョブ"),
            (AxisValue::BlockBytes(4_096), "4K", "4K"),
        ] {
            let table = table(SweptAxes { columns: vec![value], ..swept(Quantity::Iops, Axis::Depth) });
            assert_eq!([Lang::EN, Lang::JA].map(|lang| columns(&table, lang).remove(0)), [en, ja]);
        }
    }

    #[test]
    fn a_table_without_axes_keeps_its_labels() {
        let words = |table: &Table, lang| {
            let heading = heading(table, CellUnit::Count, lang);
            [lang.text(&title(table)), heading, columns(table, lang).concat(), rows(table, lang).concat()]
        };
        let named = Table {
            title: Message::verbatim("Somebody's"),
            heading: Message::verbatim("of others"),
            ..Table::default()
        };
        let bare = Table { swept: None, ..table(swept(Quantity::Iops, Axis::Depth)) };
        let bare = Table { columns: bare.columns, rows: bare.rows, ..named };
        // The same if a Report has fewer values than rows and columns.
        let short = Table { swept: Some(swept(Quantity::Iops, Axis::Depth)), ..bare.clone() };
        for lang in [Lang::EN, Lang::JA] {
            assert_eq!(words(&bare, lang), ["Somebody's", "of others", "kept", "kept"]);
            assert_eq!(words(&short, lang)[2..], ["kept", "kept"]);
        }
        assert_eq!(title(&Table::default()), Message::default());
    }
}
