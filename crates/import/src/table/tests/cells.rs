//! Cells without a plain figure, and rows of such cells.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::words::figure;
use cardiograph_core::{Message, message};

use super::super::Map;
use super::read_text;

/// The result of each cell in the middle of a table.
#[test]
fn cells_are_figures_missing_or_refused() {
    let map = "drive=1; read.bandwidth=2 MB/s";
    let no_figure = "import-table.not-a-figure";
    let limit = "import-table.limit";
    for (cells, expected) in [
        ("12; 12 MB/s; ~12; about 12; About 12 MB/s; ≈12; 約12; 1.2e1; ~1.2e1", "A 5; B 12; C 6"),
        ("; -; –; —; --; …; ?; *; ×; x; n/a; N/A; na; none; null; なし; 未計測", "A 5; C 6"),
        ("failed; error; not measured; Sad; 測定不可", "A 5; C 6"),
        ("ERR 12; error -5; 12 or so; x12; １２; 2 of 3 failed; 12*; 12+; ±12; ~ERR 3", no_figure),
        ("<12; > 12; <= 12 MB/s; ≥12; ＜12; up to 12; Over 12; more than 12 MB/s; at least 12", limit),
        ("12,000,000; 1e300; 10000001 MB/s", ": import-figure.impossible("),
    ] {
        for cell in cells.split("; ") {
            for text in [
                format!("| Card | read |\n|---|---|\n| A | 5 |\n| B | {cell} |\n| C | 6 |\n"),
                format!("Card\tread\nA\t5\nB\t{cell}\nC\t6\n"),
            ] {
                let text_read = read_text(map, &text);
                assert!(text_read.contains(expected), "{cell}: {text_read}");
            }
        }
    }
}

#[test]
fn approximate_figures_and_words_are_noted() {
    let map: Map = "drive=Card; hd.read.bandwidth=read MB/s; read.iops=IOPS IOPS; hd: hdparm -t /dev/sda"
        .parse()
        .unwrap();
    let text =
        "Card | read | IOPS\n---|---|---\nA | ~12 | failed\nB | not measured | 7\nC | - | 8\nD | Sad | n/a\n";
    let tests = map.read(&mut text.as_bytes()).unwrap();
    let notes = |model: &str| {
        let of = tests.iter().filter(|test| test.subject.model.as_deref() == Some(model));
        let notes = of.flat_map(|test| test.notes.iter()).filter(|note| note.parameter("cell").is_some());
        notes.cloned().collect::<Vec<_>>()
    };
    let read = |quantity| figure::with_direction(Some(Direction::Read), quantity);
    let of_hd = || message!("import-table.figure-of-test", figure = read(Quantity::Bandwidth), test = "hd");
    let words = |figure: Message, cell: &str| message!("import-table.words-for-figure", figure, cell);
    assert_eq!(
        notes("A"),
        [
            message!("import-table.about", figure = of_hd(), cell = "~12"),
            words(read(Quantity::Iops), "failed"),
        ]
    );
    assert_eq!(notes("B"), [words(of_hd(), "not measured")]);
    assert_eq!((notes("C").len(), tests.len()), (0, 3));
}

/// Repeated headings, in the middle of a table or after an empty line, and rows that divide it, are not figures.
#[test]
fn repeated_headings_are_not_rows() {
    for (between, expected) in [
        ("Card | read 4K\n", "A 5; B 6"),
        ("card | read 64K\n", "A 5; B 6"),
        (" | QD 32\n", "A 5; B 6"),
        ("Card | 4K read\n", "A 5; B 6"),
        ("\nCards of 2015 | with QD 8\n", "A 5; B 6"),
        ("Cards of 2015 | with QD 8\n---|---\n", "A 5; B 6"),
        ("Cards of 2015 | \n", "A 5; B 6"),
        (
            "Cards of 2015 | with QD 8\n",
            "line 3: import-table.not-a-figure-or-heading(cell=with QD 8, column=2, unit=MB/s)",
        ),
    ] {
        let text_read =
            read_text("drive=1; read.bandwidth=2 MB/s", &format!("Card | read 4K\nA | 5\n{between}B | 6\n"));
        assert!(text_read.starts_with(expected), "{between}: {text_read}");
    }
}

#[test]
fn markdown_emphasis_is_ignored() {
    for (cell, expected) in [
        ("**12**", "A 12; B 5"),
        ("*12*", "A 12; B 5"),
        ("`12 MB/s`", "A 12; B 5"),
        ("__~12__", "A 12; B 5"),
        ("***12***", "A 12; B 5"),
        ("**-**", "B 5"),
        ("**", "B 5"),
        ("*", "B 5"),
        ("**12", "line 3: import-table.not-a-figure-or-heading(cell=**12,"),
        ("12*", "line 3: import-table.not-a-figure(cell=12*,"),
        ("~~12~~", "line 3: import-table.not-a-figure-or-heading(cell=~~12~~,"),
    ] {
        let text = format!("| Card | **read** |\n|---|---|\n| **A** | {cell} |\n| B | 5 |\n");
        let text_read = read_text("drive=Card; read.bandwidth=read MB/s", &text);
        assert!(text_read.starts_with(expected), "{cell}: {text_read}");
    }
}

/// A row without a figure does not change the headings of the figures below.
#[test]
fn rows_without_figures_are_not_headings() {
    let by_name = "drive=Card; read.bandwidth=read MB/s";
    let by_drive = "test=1; r.read.bandwidth=* MB/s";
    for (map, headings, row, expected) in [
        (by_name, "Card,note,read", "A,x,5;B,y,-;C,z,6", ["A 5; C 6"; 2]),
        (by_name, "Card,note,read", "A,x,5;B,y,Sad;C,z,6", ["A 5; C 6"; 2]),
        (by_name, "Card,note,read", "A,x,5;B,y,Not measured;card,note,READ;C,z,6", ["A 5; C 6"; 2]),
        (by_name, "Card,note,read", "A,x,5;card,note,READ;C,z,6", ["A 5; C 6"; 2]),
        ("drive=1; read.bandwidth=3 MB/s", "Card,note,read", "A,x,5;B,y,failed;C,z,6", ["A 5; C 6"; 2]),
        (by_drive, "Test,A,B", "w,5,6;r,-,n/a;r,8,9", ["A 8; B 9"; 2]),
        (by_drive, "Test,A,B", "w,5,6;r,Sad,bad;r,8,9", ["A 8; B 9"; 2]),
        (by_drive, "Test,A,B", "w,5,6;q,Sad,bad;r,8,9", ["A 8; B 9"; 2]),
        (by_drive, "Test,A,B", "w,5,6;q,error,bad;r,8,9", ["A 8; B 9"; 2]),
    ] {
        let rows: Vec<&str> = row.split(';').collect();
        let bars = |line: &str| format!("| {} |\n", line.replace(',', " | "));
        let ruled = format!(
            "{}|---|---|---|\n{}",
            bars(headings),
            rows.iter().map(|row| bars(row)).collect::<String>()
        );
        for (between, at) in [("\t", 0), (",", 0), ("   ", 0), ("ruled", 1)] {
            let lines = std::iter::once(&headings).chain(&rows);
            let text: String = lines.map(|line| line.replace(',', between) + "\n").collect();
            let text_read = read_text(map, if between == "ruled" { &ruled } else { &text });
            assert!(text_read.starts_with(expected[at]), "{map}: {row} between {between:?}: {text_read}");
        }
    }
}
