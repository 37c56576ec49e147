//! What a sweep's tables say, in words and in two languages. A kept table has them in English, with the names of settings
//! (`I/Os per second by bs, randread`); what is not known here stays as it is.

use cardiograph_core::table::{CellUnit, Column, Table};

use crate::lang::Lang;
use crate::text::plain;

/// Between two axes' values: with a space in both languages, for lines are broken there.
const COMMA: &str = ", ";

/// What a table shows: `I/Os per second by block length, random read`.
pub(crate) fn title(table: &Table, lang: Lang) -> String {
    let whole = plain(&table.title);
    let Some((kind, rest)) = whole.split_once(" by ") else { return whole };
    let mut parts = rest.split(", ");
    let (Some(kind), Some(across)) = (kind_words(kind, lang), parts.next().and_then(|of| axis(of, lang)))
    else {
        return whole;
    };
    let fixed = parts.map(|part| mix(part, lang).or(in_flight(part, lang)).unwrap_or(part.to_string()));
    let first = match lang {
        Lang::En => format!("{kind} by {across}"),
        Lang::Ja => format!("{kind}（{across}別）"),
    };
    std::iter::once(first).chain(fixed).collect::<Vec<_>>().join(COMMA)
}

/// What the names of the rows are, and the unit of the figures: `access pattern, block length (MB/s)`.
pub(super) fn heading(table: &Table, unit: CellUnit, lang: Lang) -> String {
    let axes = plain(&table.heading);
    let words: Option<Vec<&str>> = axes.split_whitespace().map(|name| axis(name, lang)).collect();
    let axes = words.map_or(axes.clone(), |words| words.join(COMMA));
    match sign(unit, lang) {
        "" => axes,
        sign => format!("{axes} ({sign})").trim().to_string(),
    }
}

/// A unit's sign, or what it counts.
pub(super) const fn sign(unit: CellUnit, lang: Lang) -> &'static str {
    match unit {
        CellUnit::PerSecond => lang.pick("I/Os per second", "IOPS"),
        unit => unit.sign(),
    }
}

/// The heading of a column: `4 jobs`, `32 in flight`, `64 KiB`.
pub(super) fn column(table: &Table, column: &Column, lang: Lang) -> String {
    let heading = plain(&column.heading);
    let across = table.title.split_once(" by ").map(|(_, rest)| rest.split(", ").next().unwrap_or(rest));
    let words = match across {
        Some("jobs") => jobs(&heading, lang),
        _ => in_flight(&heading, lang),
    };
    words.unwrap_or(heading)
}

/// The name of a row: `randread 4 KiB 2` is `random read, 4 KiB, 2 jobs` where the heading is `mix bs jobs`. It is read from its
/// end: directories, which have their place at the beginning, may have spaces.
pub(super) fn row(table: &Table, name: &str, lang: Lang) -> String {
    let whole = plain(name);
    let mut words: Vec<&str> = whole.split(' ').collect();
    let mut parts: Vec<String> = Vec::new();
    for axis in table.heading.split_whitespace().rev() {
        let part = match axis {
            "depth" => words.pop().and_then(|word| in_flight(&format!("{word} in flight"), lang)),
            "jobs" => words.pop().and_then(|word| jobs(word, lang)),
            "bs" => size(&mut words),
            "offset" => size(&mut words).map(|size| format!("{} {size}", lang.pick("offset", "オフセット"))),
            "engine" => words.pop().map(str::to_string),
            "mix" => words.pop().and_then(|word| mix(word, lang)),
            "state" => words.pop().and_then(|word| state(word, lang)),
            // All that is left.
            _ => break,
        };
        let Some(part) = part else { return whole };
        parts.push(part);
    }
    if !words.is_empty() {
        parts.push(words.join(" "));
    }
    parts.reverse();
    parts.join(COMMA)
}

/// A number and its unit, from the end, which stay in one line.
fn size(words: &mut Vec<&str>) -> Option<String> {
    let (unit, number) = (words.pop()?, words.pop()?);
    number.starts_with(|first: char| first.is_ascii_digit()).then(|| format!("{number}\u{a0}{unit}"))
}

fn kind_words(kind: &str, lang: Lang) -> Option<String> {
    Some(match kind {
        "I/Os per second" => lang.pick("I/Os per second", "IOPS").to_string(),
        "Bandwidth" => lang.pick("Bandwidth", "帯域").to_string(),
        "Mean latency" => lang.pick("Mean latency", "平均レイテンシ").to_string(),
        _ => {
            let percent = kind.strip_prefix("Latency of ")?.strip_suffix(" %")?;
            format!("{} p{percent}", lang.pick("Latency", "レイテンシ"))
        }
    })
}

fn axis(name: &str, lang: Lang) -> Option<&'static str> {
    Some(match name {
        "scheduler" => lang.pick("scheduler", "スケジューラ"),
        "directory" => lang.pick("directory", "ディレクトリ"),
        "state" => lang.pick("state of the file", "ファイルの状態"),
        "mix" => lang.pick("access pattern", "アクセスパターン"),
        "engine" => lang.pick("engine", "エンジン"),
        "offset" => lang.pick("offset", "オフセット"),
        "bs" => lang.pick("block length", "ブロック長"),
        "jobs" => lang.pick("number of jobs", "ジョブ数"),
        "depth" => lang.pick("depth", "同時 I/O 数"),
        _ => return None,
    })
}

fn state(word: &str, lang: Lang) -> Option<String> {
    let words = match word {
        "fresh" => lang.pick("never written", "未書き込み"),
        "trimmed" => lang.pick("trimmed", "TRIM 済み"),
        "filled" => lang.pick("filled in sequence", "順次書き込み済み"),
        "random" => lang.pick("written over at random", "ランダム上書き済み"),
        _ => return None,
    };
    Some(words.to_string())
}

/// An access pattern, as the setting `mix` names it: `randread`, `rw:70`.
fn mix(word: &str, lang: Lang) -> Option<String> {
    let (word, share) =
        word.split_once(':').map_or((word, "50"), |(word, share)| (word, share.trim_end_matches('%')));
    let order = match word.starts_with("rand") {
        true => lang.pick("random", "ランダム"),
        false => lang.pick("sequential", "シーケンシャル"),
    };
    let direction = match word.trim_start_matches("rand") {
        "read" => lang.pick(" read", "読み取り").to_string(),
        "write" => lang.pick(" write", "書き込み").to_string(),
        "rw" | "readwrite" => match lang {
            Lang::En => format!(" with {share} % reads"),
            Lang::Ja => format!("（読み取り {share} %）"),
        },
        _ => return None,
    };
    Some(format!("{order}{direction}"))
}

fn in_flight(words: &str, lang: Lang) -> Option<String> {
    let depth: u64 = words.strip_suffix(" in flight")?.parse().ok()?;
    Some(match lang {
        Lang::En => format!("{depth} in flight"),
        Lang::Ja => format!("同時 {depth}"),
    })
}

fn jobs(word: &str, lang: Lang) -> Option<String> {
    let jobs: u64 = word.parse().ok()?;
    Some(match lang {
        Lang::En if jobs == 1 => "1 job".to_string(),
        Lang::En => format!("{jobs} jobs"),
        Lang::Ja => format!("ジョブ {jobs}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(title: &str, heading: &str) -> Table {
        Table { title: title.to_string(), heading: heading.to_string(), ..Table::default() }
    }

    #[test]
    fn titles_are_in_words() {
        for (kept, en, ja) in [
            ("I/Os per second by depth", "I/Os per second by depth", "IOPS（同時 I/O 数別）"),
            (
                "Bandwidth by bs, randread, 8 in flight",
                "Bandwidth by block length, random read, 8 in flight",
                "帯域（ブロック長別）, ランダム読み取り, 同時 8",
            ),
            (
                "Latency of 99.9 % by jobs, rw:70%, 4 KiB",
                "Latency p99.9 by number of jobs, sequential with 70 % reads, 4 KiB",
                "レイテンシ p99.9（ジョブ数別）, シーケンシャル（読み取り 70 %）, 4 KiB",
            ),
            ("Somebody's by depth", "Somebody's by depth", "Somebody's by depth"),
            ("", "", ""),
        ] {
            assert_eq!([Lang::En, Lang::Ja].map(|lang| title(&table(kept, ""), lang)), [en, ja]);
        }
    }

    #[test]
    fn headings_of_rows_are_in_words() {
        for (kept, unit, en, ja) in [
            (
                "mix bs",
                CellUnit::PerSecond,
                "access pattern, block length (I/Os per second)",
                "アクセスパターン, ブロック長 (IOPS)",
            ),
            ("state", CellUnit::Microseconds, "state of the file (µs)", "ファイルの状態 (µs)"),
            ("", CellUnit::MegabytesPerSecond, "(MB/s)", "(MB/s)"),
            ("of others", CellUnit::Count, "of others", "of others"),
        ] {
            let told = |lang| heading(&table("", kept), unit, lang);
            assert_eq!([Lang::En, Lang::Ja].map(told), [en, ja]);
        }
    }

    #[test]
    fn names_of_rows_are_in_words() {
        for (heading, kept, en, ja) in [
            ("mix bs", "randread 4 KiB", "random read, 4 KiB", "ランダム読み取り, 4 KiB"),
            (
                "state mix engine offset bs jobs depth",
                "random write io_uring 512 B 1 MiB 1 32",
                "written over at random, sequential write, io_uring, offset 512 B, 1 MiB, 1 job, 32 in flight",
                "ランダム上書き済み, シーケンシャル書き込み, io_uring, オフセット 512 B, 1 MiB, ジョブ 1, 同時 32",
            ),
            (
                "scheduler directory mix",
                "none /mnt/a b read",
                "none /mnt/a b, sequential read",
                "none /mnt/a b, シーケンシャル読み取り",
            ),
            ("mix", "randrw", "random with 50 % reads", "ランダム（読み取り 50 %）"),
            ("mix bs", "nothing of ours", "nothing of ours", "nothing of ours"),
            ("mix bs", "", "", ""),
        ] {
            let told = |lang| row(&table("", heading), kept, lang).replace('\u{a0}', " ");
            assert_eq!([Lang::En, Lang::Ja].map(told), [en, ja]);
        }
    }

    #[test]
    fn columns_are_in_words() {
        let of = |title: &str, heading: &str| {
            let head = Column { heading: heading.to_string(), unit: CellUnit::PerSecond };
            [Lang::En, Lang::Ja].map(|lang| column(&table(title, ""), &head, lang))
        };
        assert_eq!(of("Bandwidth by depth", "4 in flight"), ["4 in flight", "同時 4"]);
        assert_eq!(of("Bandwidth by jobs, randread", "4"), ["4 jobs", "ジョブ 4"]);
        assert_eq!(of("Bandwidth by bs", "4 KiB"), ["4 KiB", "4 KiB"]);
    }
}
