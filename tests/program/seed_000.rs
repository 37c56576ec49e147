//! The article behind this project: a microSD card and a SATA SSD on a Raspberry Pi 5. Its eight outputs are imported and
//! compared, and the result has every figure of its tables.

use cardiograph_catalogue::english;
use cardiograph_core::verdict::Level;
use cardiograph_core::{Message, message};
use cardiograph_render::lang::Lang;

use crate::common::{Bench, Outcome, PROGRAM, has_message};

const CARD: &str = "microsd";
const SSD: &str = "ssd";
/// Their capacities in the article's list of equipment.
const CARD_CAPACITY: &str = "64GB";
const SSD_CAPACITY: &str = "960GB";
const TESTS: [&str; 4] = ["sdtest", "latp", "fsync", "sustain"];

/// The article's remark on two values: the ratio, and the better drive.
#[derive(Clone, Copy)]
enum Said {
    /// Better by this factor.
    Times(f64, &'static str),
    /// The same or nearly the same.
    Alike,
}

use Said::{Alike, Times};

/// A row of the article: test, figure as named here in English and Japanese, the card's value, the SSD's, and the remark.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, Said);

/// The tables of its section 4, with microseconds as written there.
const ROWS: &[Row] = &[
    ("sdtest", "read bandwidth", "リード 帯域", "22.7 MiB/s", "144 MiB/s", Times(6.3, SSD)),
    ("sdtest", "write bandwidth", "ライト 帯域", "23.2 MiB/s", "147 MiB/s", Times(6.3, SSD)),
    (
        "sdtest",
        "read completion mean",
        "リード 完了レイテンシ 平均",
        "11,133 µs",
        "3,685 µs",
        Times(3.0, SSD),
    ),
    (
        "sdtest",
        "write completion mean",
        "ライト 完了レイテンシ 平均",
        "32,142 µs",
        "3,164 µs",
        Times(10.0, SSD),
    ),
    ("sdtest", "read run time", "リード 実行時間", "4,353 ms", "687 ms", Times(6.0, SSD)),
    ("latp", "read IOPS", "リード IOPS", "3,786 IOPS", "5,275 IOPS", Times(1.4, SSD)),
    ("latp", "read bandwidth", "リード 帯域", "14.8 MiB/s", "20.6 MiB/s", Times(1.4, SSD)),
    ("latp", "read latency mean", "リード レイテンシ 平均", "263.03 µs", "188.53 µs", Times(1.4, SSD)),
    ("latp", "read latency p95", "リード レイテンシ p95", "375 µs", "192 µs", Times(1.95, SSD)),
    ("latp", "read latency p99", "リード レイテンシ p99", "379 µs", "196 µs", Times(1.9, SSD)),
    ("latp", "read latency p99.9", "リード レイテンシ p99.9", "383 µs", "198 µs", Times(1.9, SSD)),
    ("fsync", "write IOPS", "ライト IOPS", "166 IOPS", "178 IOPS", Alike),
    ("fsync", "write bandwidth", "ライト 帯域", "664 KiB/s", "715 KiB/s", Alike),
    // It truncates digits: fio had 4152.80, 5232.38 and 28967.
    ("fsync", "fsync mean", "fsync 平均", "4,152 µs", "5,232 µs", Times(1.3, CARD)),
    ("fsync", "fsync p99", "fsync p99", "7,570 µs", "5,735 µs", Times(1.3, SSD)),
    ("fsync", "fsync p99.9", "fsync p99.9", "28,967 µs", "11,076 µs", Times(2.6, SSD)),
    ("sustain", "write IOPS", "ライト IOPS", "31 IOPS", "197 IOPS", Times(6.35, SSD)),
    ("sustain", "write bandwidth", "ライト 帯域", "31.3 MiB/s", "198 MiB/s", Times(6.3, SSD)),
    ("sustain", "write data", "ライト データ量", "3756 MiB", "23.2 GiB", Times(6.3, SSD)),
];

/// Stability. The article writes "almost constant" and "swings widely"; the ratios are those of its figures.
const STEADY: &[Row] = &[
    ("sustain", "write bandwidth min", "ライト 帯域 最小", "28.0 MiB/s", "6.0 MiB/s", Times(4.7, CARD)),
    ("sustain", "write bandwidth max", "ライト 帯域 最大", "36.0 MiB/s", "324 MiB/s", Times(9.0, SSD)),
    (
        "sustain",
        "write bandwidth deviation",
        "ライト 帯域 標準偏差",
        "1.2 MiB/s",
        "112.8 MiB/s",
        Times(92.5, CARD),
    ),
];

/// Beginning and end of a test's row, both values, its remark, and the rows below it with their remarks.
type Summary = (&'static str, &'static str, &'static str, &'static str, &'static str, Exceptions);
type Exceptions = &'static [(&'static str, &'static str)];

/// The summary of its section 2.
const SUMMARY: &[Summary] = &[
    ("sdtest", ": read", "23 MiB/s", "145 MiB/s", "■ 6.3x", &[]),
    ("sdtest", ": write", "23 MiB/s", "147 MiB/s", "■ 6.3x", &[]),
    ("latp", "", "3,800 IOPS", "5,300 IOPS", "■ 1.4x", &[]),
    ("fsync", "", "166 IOPS", "178 IOPS", "similar", &[("fsync mean", "● 1.3x"), ("fsync p99.9", "■ 2.6x")]),
    ("sustain", "", "31 MiB/s", "198 MiB/s", "■ 6.3x", &[]),
];

/// The header of the table of all tests.
const HEADER: &str = "● microsd | ■ ssd |";

/// The conclusions of its section 5: a purpose, and the levels of the card and the SSD. "Will do" is
/// enough, "recommended for comfort" good; where the SSD is "the only choice", the card is not enough.
const CONCLUSIONS: &[(&str, Level, Level)] = &[
    ("purpose-os", Level::Enough, Level::Good),
    ("purpose-db-light", Level::Enough, Level::Good),
    ("purpose-db-heavy", Level::NotEnough, Level::Enough),
    ("purpose-containers", Level::NotEnough, Level::Good),
    ("purpose-nas", Level::NotEnough, Level::Good),
    ("purpose-sensors", Level::Good, Level::Good),
];

/// A bench with the outputs imported under their labels.
fn bench() -> Bench {
    let bench = Bench::new();
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/import/src/fixtures/pi5");
    for label in [CARD, SSD] {
        let files = TESTS.map(|test| format!("{directory}/{label}-{test}.txt"));
        let capacity = if label == CARD { CARD_CAPACITY } else { SSD_CAPACITY };
        let words = ["import", "--label", label, "--capacity", capacity];
        let words = words.map(str::to_string).into_iter().chain(files);
        crate::common::run(bench.command(PROGRAM, words)).exits_with(0);
    }
    assert_eq!(bench.saved().len(), 2 * TESTS.len());
    bench
}

/// The cells of a Markdown table's row.
fn cells(line: &str) -> Vec<String> {
    let plain = line.replace('\\', "");
    plain.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
}

/// The row of this figure in the chapter with this beginning, below a row that has only this name.
fn row(markdown: &str, chapter: &str, heading: &str, is_it: impl Fn(&[String]) -> bool) -> Vec<String> {
    let begin = markdown.find(chapter).unwrap_or_else(|| panic!("'{chapter}' is missing in:\n{markdown}"));
    let of_chapter = markdown[begin + chapter.len()..].split("\n## ").next().unwrap();
    let is_heading = |row: &Vec<String>| row[1..].iter().all(String::is_empty);
    let rows = of_chapter.lines().filter(|line| line.starts_with('|')).map(cells);
    let mut below =
        rows.skip_while(|row| !(heading.is_empty() || is_heading(row) && row[0].starts_with(heading)));
    if !heading.is_empty() {
        below.next();
    }
    let rows: Vec<Vec<String>> = below.take_while(|row| !is_heading(row)).filter(|row| is_it(row)).collect();
    let [row] = &rows[..] else { panic!("{} rows in:\n{of_chapter}", rows.len()) };
    without_intervals(row)
}

/// A row without the columns of intervals, which only rates have.
fn without_intervals(row: &[String]) -> Vec<String> {
    row.iter().filter(|cell| !cell.is_empty() && !cell.starts_with('±')).cloned().collect()
}

/// A figure with its unit as a number in the base unit, and the value of its last digit.
fn number(figure: &str) -> (f64, f64) {
    let (digits, unit) = figure.split_once(' ').unwrap_or((figure, ""));
    let factor = match unit {
        "KiB/s" => 1_024.0,
        "kB/s" => 1e3,
        "MB/s" | "MB" => 1e6,
        "GB" => 1e9,
        "MiB/s" | "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "s" | "IOPS" | "" => 1.0,
        other => panic!("'{figure}' has the unit '{other}'"),
    };
    let digits = digits.replace(',', "");
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    (digits.parse::<f64>().unwrap() * factor, factor / 10f64.powi(i32::try_from(decimals).unwrap()))
}

/// Whether two figures can be the same one, each rounded or truncated at its last digit.
fn agree(shown: &str, said: &str) -> bool {
    let ((shown, shown_digit), (said, said_digit)) = (number(shown), number(said));
    (shown - said).abs() <= shown_digit.max(said_digit) * (1.0 + 1e-9)
}

/// Whether a remark gives this ratio for this side. Informational ratios are in parentheses.
fn says(remark: &str, said: Said, lang_is_en: bool) -> bool {
    let remark = remark.trim_start_matches('(');
    match said {
        Alike => remark.starts_with(if lang_is_en { "similar" } else { "ほぼ同等" }),
        Times(size, name) => {
            let forms: &[_] = if lang_is_en {
                &[(" ", "x ")]
            } else {
                &[(" が ", "倍"), (" が短い (", "倍"), (" が小さい (", "倍")]
            };
            forms.iter().any(|(before, after)| {
                let ratio = remark.strip_prefix(name).and_then(|rest| rest.strip_prefix(before));
                ratio
                    .and_then(|ratio| ratio.split_once(after))
                    .is_some_and(|(ratio, _)| agree(ratio, &size.to_string()))
            })
        }
    }
}

fn check(row: &[String], (test, english, _, card, ssd, said): Row, lang_is_en: bool) {
    let [_, shown_card, shown_ssd, remark] = row else { panic!("{row:?}") };
    assert!(agree(shown_card, card), "{test}, {english}: {shown_card}, not {card}");
    assert!(agree(shown_ssd, ssd), "{test}, {english}: {shown_ssd}, not {ssd}");
    assert!(says(remark, said, lang_is_en), "{test}, {english}: {remark}");
}

#[test]
fn every_figure_of_its_tables_is_found() {
    let bench = bench();
    for lang_is_en in [true, false] {
        let lang = if lang_is_en { "en" } else { "ja" };
        let markdown = bench
            .run(&format!("compare {CARD} {SSD} --export-markdown - --lang {lang}"))
            .exits_with(0)
            .stdout;
        let name = |row: &Row| if lang_is_en { row.1 } else { row.2 };
        for row_of in ROWS {
            let found = row(&markdown, &format!("\n## {}: ", row_of.0), "", |row| row[0] == name(row_of));
            check(&found, *row_of, lang_is_en);
        }
        let stability = if lang_is_en { "\n## Stability" } else { "\n## 安定性" };
        for row_of in STEADY {
            let found = row(&markdown, stability, &format!("{}: ", row_of.0), |row| row[0] == name(row_of));
            check(&found, *row_of, lang_is_en);
        }
    }
}

#[test]
fn its_summary_is_found() {
    let markdown = bench().run(&format!("compare {CARD} {SSD} --export-markdown -")).exits_with(0).stdout;
    for (test, end, card, ssd, remark, exceptions) in SUMMARY {
        let is_it = |row: &[String]| row[0].starts_with(&format!("{test}: ")) && row[0].ends_with(end);
        let found = row(&markdown, HEADER, "", is_it);
        let rounded = |shown: &str, said: &str| {
            let (shown, said) = (number(shown).0, number(said).0);
            (shown / said - 1.0).abs() < 0.02
        };
        assert!(rounded(&found[1], card) && rounded(&found[2], ssd), "{found:?}");
        assert!(found[3].starts_with(remark), "{remark}: {}", found[3]);
        for (figure, remark) in *exceptions {
            // Below the test's row, before the next one's.
            let below = markdown.split(HEADER).nth(1).and_then(|rows| rows.split(&found[0]).nth(1)).unwrap();
            let own = below.lines().skip(1).map(cells).find(|row| row[0] == *figure);
            let own = own.map(|row| without_intervals(&row));
            assert!(own.is_some_and(|row| row[3].starts_with(remark)), "{figure}: {remark}");
        }
    }
    // Its closing sentence: the SSD is fast, the card predictable.
    let contrast = message!("comparison-answer.contrast", fast = SSD, steady = CARD);
    assert!(markdown.contains(&english(&contrast)), "{markdown}");
    // The article on fsync: the card has the better mean but the slower tail; this is where they cross.
    let crossing = message!(
        "comparison-crossing.first",
        latency = Message::verbatim("fsync latency"),
        below = CARD,
        from = Message::verbatim("80"),
        above = SSD,
        to = Message::verbatim("95")
    );
    assert!(markdown.contains(&english(&crossing)), "{markdown}");
}

#[test]
fn its_conclusions_are_found() {
    let bench = bench();
    for lang in Lang::ALL {
        let line = format!("compare {CARD} {SSD} --export-markdown - --lang {}", lang.code());
        let markdown = bench.run(&line).exits_with(0).stdout;
        let text = |id: &str| lang.text_of(id).unwrap();
        let chapter = format!("\n## {}", text("comparison-heading.purposes"));
        for (purpose, card, ssd) in CONCLUSIONS {
            let purpose = text(purpose);
            let conclusions =
                markdown.split(&chapter).nth(1).unwrap_or_else(|| panic!("{chapter}: {markdown}"));
            let mut lines = conclusions.replace('\\', "");
            lines.drain(
                ..lines.find(&format!("- **{purpose}**: ")).unwrap_or_else(|| panic!("{purpose}: {lines}")),
            );
            let group_text = |name| lines.split(&format!("{name}: ")).nth(1).unwrap_or_default();
            for (cell, level) in [group_text(CARD), group_text(SSD)].into_iter().zip([card, ssd]) {
                let word = match level {
                    Level::NotEnough => "level.not-enough",
                    Level::Enough => "level.enough",
                    Level::Good => "level.good",
                    Level::CannotBeJudged => unreachable!("the article judges each"),
                };
                assert!(cell.starts_with(&text(word)), "{purpose}: {cell}");
            }
        }
    }
    // A single output is judged as far as possible, with a note on what is missing.
    let shown = bench.run("show @last -v").exits_with(0).stdout;
    assert!(has_message(&shown, "not-judged.quick-and-apps"), "{shown}");
}

/// Each output is a checkup of one test, and every test has its counterpart.
#[test]
fn every_test_finds_its_own() {
    let bench = bench();
    let outcome: Outcome = bench.run(&format!("compare {CARD} {SSD} --json")).exits_with(0);
    let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(json["tests"].as_array().unwrap().len(), TESTS.len());
    assert_eq!(json["unpaired"].as_array().unwrap().len(), 0);
}
