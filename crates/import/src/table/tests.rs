//! Tables of all kinds, as people publish them.

use cardiograph_core::direction::Direction;
use cardiograph_core::method::Pattern;

use super::*;

mod cells;

fn read(map: &str, text: &str) -> Result<Vec<(String, String, String, f64)>, String> {
    let map: Map = map.parse().unwrap_or_else(|error| panic!("{map}: {error}"));
    for (at, _) in text.char_indices() {
        let _ = map.read(&mut &text.as_bytes()[..at]);
    }
    let tests = map.read(&mut text.as_bytes()).map_err(|problems| problems.to_string())?;
    let flat = tests.iter().flat_map(|test| {
        test.imported.figures.iter().map(move |figure| {
            let direction = figure.direction.map_or("", Direction::name);
            let drive = test.subject.model.clone().unwrap_or_default();
            (drive, test.id.clone(), format!("{direction} {}", figure.quantity), figure.estimate.value)
        })
    });
    Ok(flat.collect())
}

fn figure(drive: &str, test: &str, name: &str, value: f64) -> (String, String, String, f64) {
    (drive.to_string(), test.to_string(), name.to_string(), value)
}

#[test]
fn space_separated_tables() {
    let text = "Rasbperry Pi model 2 B\n\nCard Make/Model hdparm buffered dd write 4K rand read 4K rand write\n\
                OWC Envoy SSD (USB) 64GB 34.13 MB/s 34.4 MB/s 7.06 MB/s 8.20 MB/s\n\
                PNY Turbo (C10 90MB/s) 16GB 17.46 MB/s TODO 6.25 MB/s 0.62 MB/s\n\
                No-name (C4) 4GB 13.37 MB/s Sad Painful Excruciating\n";
    let map = "drive=1; hdparm: hdparm -t /dev/mmcblk0; hdparm.read.bandwidth=2 MB/s; dd.write.bandwidth=3 MB/s; \
               iozone.write.bandwidth=5 MB/s";
    assert_eq!(
        read(map, text).unwrap(),
        [
            figure("OWC Envoy SSD (USB) 64GB", "hdparm", "read bandwidth", 34.13 * 1e6),
            figure("OWC Envoy SSD (USB) 64GB", "dd", "write bandwidth", 34.4 * 1e6),
            figure("OWC Envoy SSD (USB) 64GB", "iozone", "write bandwidth", 8.20 * 1e6),
            figure("PNY Turbo (C10 90MB/s) 16GB", "hdparm", "read bandwidth", 17.46 * 1e6),
            figure("PNY Turbo (C10 90MB/s) 16GB", "iozone", "write bandwidth", 0.62 * 1e6),
            figure("No-name (C4) 4GB", "hdparm", "read bandwidth", 13.37 * 1e6),
        ]
    );
    let tests = map.parse::<Map>().unwrap().read(&mut text.as_bytes()).unwrap();
    assert_eq!((tests[0].method.tool.as_str(), tests[0].notes.len()), ("hdparm", 0));
    assert_eq!((tests[1].method.pattern, tests[1].notes.len()), (None, 1));
}

#[test]
fn a_unit_may_mean_another() {
    let text =
        "| Card | read | iops |\n|---|---|---|\n| A | 20 MB/s | 5 |\n| B | 30 | 6 |\n| C | 1 MiB/s | 7 |\n";
    let rows = |unit: &str, rows: usize| {
        let text: String = text.split_inclusive('\n').take(2 + rows).collect();
        read(&format!("drive=1; t.read.bandwidth=2 {unit}"), &text)
    };
    let mib = 1_048_576.0;
    let expected =
        [figure("A", "t", "read bandwidth", 20.0 * mib), figure("B", "t", "read bandwidth", 30.0 * mib)];
    assert_eq!(rows("MB/s=MiB/s", 2).unwrap(), expected);
    assert!(rows("MB/s=MiB/s", 3).unwrap_err().contains("import-table.not-a-figure"));
    assert_eq!(rows("MB/s", 1).unwrap(), [figure("A", "t", "read bandwidth", 20e6)]);
    for (wrong, id) in [
        ("MB/s=ms", "import-map.wrong-unit"),
        ("MB/s=", "import-map.wrong-unit"),
        ("=MB/s", "import-map.unit-missing"),
    ] {
        let map = format!("drive=1; read.bandwidth=2 {wrong}").parse::<Map>().unwrap_err();
        assert!(map.to_string().contains(id), "{wrong}: {map}");
    }
    let map: Map = "drive=1; t.read.bandwidth=2 MB/s=MiB/s; t.read.iops=3 IOPS".parse().unwrap();
    let tests = map.read(&mut text.lines().take(3).collect::<Vec<_>>().join("\n").as_bytes()).unwrap();
    assert_eq!(tests[0].notes.iter().filter(|note| note.id() == "import-table.unit-meant").count(), 1);
}

#[test]
fn tests_are_named_after_the_part_of_a_program() {
    const IOZONE: &str = "iozone -e -I -a -s 100M -r 4k -i 0 -i 1 -i 2";
    let text = "| Card | read | write |\n|---|---|---|\n| A 32GB | 7.06 MB/s | 1.75 MB/s |\n";
    for name in ["random-read", "iozone.random-read"] {
        let map: Map = format!("drive=1; {name}.read.bandwidth=2 MB/s; {name}: {IOZONE}").parse().unwrap();
        let method = map.read(&mut text.as_bytes()).unwrap().remove(0).method;
        assert_eq!((method.pattern, method.block_bytes), (Some(Pattern::RandomRead), Some(4_096)), "{name}");
    }
    let wrong =
        format!("drive=1; iozone.read.bandwidth=2 MB/s; iozone: {IOZONE}").parse::<Map>().unwrap_err();
    assert!(wrong.to_string().contains("import-command.iozone-part"), "{wrong}");
}

#[test]
fn tables_with_headings() {
    let text =
        "| Card | 4K read | p99.9 |\n|:---|---:|---|\n| A 32GB | 4,285 | 2.5 ms |\n| B | 5,589 | - |\n";
    let map = "drive=Card; read.iops=4k READ IOPS; read.latency_p99.9=p99.9 ms";
    assert_eq!(
        read(map, text).unwrap(),
        [
            figure("A 32GB", "table", "read iops", 4_285.0),
            figure("A 32GB", "table", "read latency_p99.9", 2.5e6),
            figure("B", "table", "read iops", 5_589.0),
        ]
    );
}

#[test]
fn tables_with_drives_as_columns() {
    let text = "- | Intel SSD 520 |\nOCZ VERTEX 4 |\n---|---|---|\n4k, sequential read | 152520 | 111856 |\n\
                4k, sequential write | 59567 | 60274 |\n";
    let map = "test=1; 4k, sequential read.read.iops=* IOPS; 4k, sequential write.write.iops=* IOPS; \
               4k, sequential read: fio -name=file1 -rw=read -bs=4k -direct=1";
    assert_eq!(
        read(map, text).unwrap(),
        [
            figure("Intel SSD 520", "4k, sequential read", "read iops", 152_520.0),
            figure("OCZ VERTEX 4", "4k, sequential read", "read iops", 111_856.0),
            figure("Intel SSD 520", "4k, sequential write", "write iops", 59_567.0),
            figure("OCZ VERTEX 4", "4k, sequential write", "write iops", 60_274.0),
        ]
    );
}

#[test]
fn comma_separated_values() {
    let text = "job, bandwidth, iops\nseqread, 18729, 18\nrandread4k32, 2788 ,697\n";
    let map = "test=1; seqread.read.bandwidth=2 KiB/s; randread4k32.read.iops=3 IOPS";
    assert_eq!(
        read(map, text).unwrap(),
        [
            figure("", "seqread", "read bandwidth", 18_729.0 * 1_024.0),
            figure("", "randread4k32", "read iops", 697.0),
        ]
    );
}

#[test]
fn errors_are_reported() {
    for (map, expected) in [
        ("", "import-map.no-figures"),
        ("drive=1", "import-map.no-figures"),
        ("read.speed=2 MB/s", "import-map.unknown-figure(hint=name-choose(known=bandwidth+iops+"),
        (
            "read.bandwith=2 MB/s",
            "import-map.unknown-figure(hint=name-meant(meant=bandwidth), metric=read.bandwith)",
        ),
        ("read.bandwidth=2", "import-map.unit-missing"),
        ("read.bandwidth=2 ms", "import-map.wrong-unit(metric=bandwidth, unit=ms)"),
        ("read.bandwidth=0 MB/s", "import-map.column-from-1(column=0)"),
        ("hello", "import-map.form"),
        ("a: rm -rf /; read.bandwidth=2 MB/s", "program=rm"),
        ("hd: hdparm -t /dev/sda; read.bandwidth=2 MB/s", "import-map.unused-command(test=hd)"),
        ("read.bandwidth=2 MB/s; read.bandwidth=3 MiB/s", "import-map.twice"),
    ] {
        let error = map.parse::<Map>().unwrap_err();
        assert!(error.to_string().contains(expected), "{map}: {error}");
    }
    let map = "drive=1; read.bandwidth=2 MB/s";
    for (text, expected) in [
        ("a | 1 MiB/s\n", "line 1: import-table.not-a-figure(cell=1 MiB/s, column=2, unit=MB/s)"),
        ("x\na | 1,5\n", "line 2: import-table.not-a-figure(cell=1,5,"),
        ("hello\nworld\n", "import-table.no-rows"),
        ("", "import-table.no-rows"),
    ] {
        let error = read(map, text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn tables_are_decoded_and_checked_like_other_formats() {
    let map: Map = "drive=1; read.bandwidth=2 MB/s".parse().unwrap();
    let text = "カード | 1 MB/s\n";
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [text.as_bytes(), format!("\u{feff}{text}").as_bytes(), &utf16] {
        let test = map.read(&mut &bytes[..]).unwrap().remove(0);
        assert_eq!(test.subject.model.as_deref(), Some("カード"));
    }
    let huge = format!("a | 1 MB/s\nb | {} MB/s\n", "9".repeat(305));
    let problems = map.read(&mut huge.as_bytes()).unwrap_err();
    assert_eq!(problems.to_string(), "line 2: import-text.figure-too-large");
}

/// Tables whose columns are drives, with other rows in between.
#[test]
fn unmapped_rows_are_not_headings() {
    let (reads, writes) =
        ("4k, sequential read | 152520 | 111856\n", "4k, sequential write | 59567 | 60274\n");
    let (random, large) =
        ("4k, randam read | 110513 | 113824\n", "32m, sequential read | 971.3MB/s | 751.5MB/s\n");
    let map = "test=1; 4k, sequential read.read.iops=* IOPS; 4k, randam read.read.iops=* IOPS";
    let expected = |first: &str, second: &str| {
        [
            figure(first, "4k, sequential read", "read iops", 152_520.0),
            figure(second, "4k, sequential read", "read iops", 111_856.0),
            figure(first, "4k, randam read", "read iops", 110_513.0),
            figure(second, "4k, randam read", "read iops", 113_824.0),
        ]
    };
    let broken = "- | Intel SSD 520 |\nOCZ VERTEX 4 |\n---|---|---|\n";
    let whole = "| | Intel SSD 520 | OCZ VERTEX 4 |\n|---|---|---|\n";
    for headings in [broken, whole, "test\tIntel SSD 520\tOCZ VERTEX 4\n"] {
        for rows in [
            format!("{reads}{writes}{random}"),
            format!("{large}{reads}{writes}{large}{random}{writes}"),
            format!("{reads}\nthe next ones\n\n{writes}{random}"),
            format!("{reads}4k, sequential write | 59567 ± 3 | ~60274 (average)\n{random}"),
        ] {
            let text = format!("{headings}{rows}");
            assert_eq!(read(map, &text).unwrap(), expected("Intel SSD 520", "OCZ VERTEX 4"), "{text}");
        }
    }
    // Drives named by a number.
    let sizes = format!("- | 240GB | 256GB |\n---|---|---\n{reads}{writes}{random}");
    assert_eq!(read(map, &sizes).unwrap(), expected("240GB", "256GB"));
    // A rule below a row does not make it headings.
    let ruled = format!("{whole}{writes}---|---|---\n{reads}{random}");
    assert_eq!(read(map, &ruled).unwrap(), expected("Intel SSD 520", "OCZ VERTEX 4"));
}

#[test]
fn headings_that_the_map_names_may_be_lengths() {
    let text = "card, 4K, 64K\nA, 1000, 20\nB, 2000, 30\n";
    assert_eq!(
        read("drive=card; read.iops=64K IOPS", text).unwrap(),
        [figure("A", "table", "read iops", 20.0), figure("B", "table", "read iops", 30.0)]
    );
}

#[test]
fn drives_are_not_invented_without_headings() {
    let map = "test=1; seqread.read.iops=* IOPS";
    let error = read(map, "other, 5, 6\nseqread, 7, 8\n").unwrap_err();
    assert!(error.contains("line 2: import-table.no-heading-for-drive(column=2)"), "{error}");
}

/// The figures of a text as `drive value ...`, or its problems.
fn read_text(map: &str, text: &str) -> String {
    match read(map, text) {
        Ok(found) => {
            let figures = found.iter().map(|(drive, _, _, value)| format!("{drive} {}", value / 1e6));
            figures.collect::<Vec<_>>().join("; ")
        }
        Err(problems) => problems,
    }
}

const CARDS: &str = "Card Make/Model hdparm buffered dd write 4K rand read 4K rand write\n\
    OWC Envoy SSD (USB) 64GB 34.13 MB/s 34.4 MB/s 7.06 MB/s 8.20 MB/s\n\
    Samsung 970 EVO 21.75MB/s 18.7 MB/s 8.31 MB/s 1.75 MB/s\n\
    PNY Turbo (C10 90MB/s) 16GB 17.46 MB/s TODO 6.25 MB/s 0.62 MB/s\n\
    NOOBS (1.4, C6) 8GB TODO 6.5 MB/s 5.63 MB/s 1.01 MB/s\n\
    No-name (C4) 4GB 13.37 MB/s Sad Painful Excruciating\n";

#[test]
fn single_spaces_keep_columns_apart() {
    let (owc, samsung, pny, noobs, none) = (
        "OWC Envoy SSD (USB) 64GB",
        "Samsung 970 EVO",
        "PNY Turbo (C10 90MB/s) 16GB",
        "NOOBS (1.4, C6) 8GB",
        "No-name (C4) 4GB",
    );
    for (column, expected) in [
        (2, format!("{owc} 34.13; {samsung} 21.75; {pny} 17.46; {none} 13.37")),
        (3, format!("{owc} 34.4; {samsung} 18.7; {noobs} 6.5")),
        (4, format!("{owc} 7.06; {samsung} 8.31; {pny} 6.25; {noobs} 5.63")),
        (5, format!("{owc} 8.2; {samsung} 1.75; {pny} 0.62; {noobs} 1.01")),
    ] {
        assert_eq!(read_text(&format!("drive=1; read.bandwidth={column} MB/s"), CARDS), expected);
    }
    let text_read = read_text("drive=1; read.bandwidth=6 MB/s", CARDS);
    assert!(text_read.contains("line 2: import-table.too-few-columns(columns=5, wanted=6)"), "{text_read}");
}

/// A figure in the wrong column would not be noticed.
#[test]
fn ambiguous_rows_are_refused() {
    let unsure = "-unknown";
    for (column, text, expected) in [
        (2, "Samsung 21.75 8.31\n", "Samsung 21.75"),
        (3, "Samsung 21.75 8.31\n", "Samsung 8.31"),
        (2, "Samsung Pro Plus 21.75 MB/s 8.31 MB/s\n", "Samsung Pro Plus 21.75"),
        // Part of the model's name, or a figure?
        (2, "Samsung 840 500 300\n", unsure),
        (4, "Samsung 840 500 300\n", "Samsung 300"),
        (2, "OCZ VERTEX 4 150.5 130.1\n", unsure),
        (2, "OCZ VERTEX 4 150 MB/s 130 MB/s\n", "OCZ VERTEX 4 150"),
        (2, "SSD a b\nOCZ VERTEX 4 150 130\nIntel 520 90 80\n", unsure),
        (2, "OCZ VERTEX 4 150 MB/s 130 MB/s\nKingston 90 MB/s 80 MB/s\n", "OCZ VERTEX 4 150; Kingston 90"),
        // A figure in a name, a missing one, and a word in between.
        (
            2,
            "Toshiba 90MB/s 17.6 MB/s\nSony 15.3 MB/s\nPNY 17.4 MB/s\n",
            "line 2: import-table.count-seems-different(columns=2,",
        ),
        (
            2,
            "Sony 15.3 MB/s 8.9 MB/s\nPNY Sad 17.4 MB/s\n",
            "line 2: import-table.count-seems-different(columns=2,",
        ),
        (2, "Sony 15.3 MB/s 64GB 8.9 MB/s\n", unsure),
        (2, "Sony - 15.3 MB/s 8.9 MB/s\n", unsure),
        (2, "Sony 15.3 8.9\nPNY Sad 17.4 Good\n", "line 2: import-table.figures-unknown"),
        (
            2,
            "Sony -5 MB/s 8.9 MB/s\n",
            "line 1: import-table.not-a-figure(cell=-5 MB/s, column=2, unit=MB/s)",
        ),
        (2, "Sony 1e400 8.9\n", "line 1: import-table.not-a-figure(cell=1e400, column=2, unit=MB/s)"),
        (2, "Sony 15.3M 8.9 MB/s\n", unsure),
        (
            2,
            "Sony 15.3Mb/s 8.9 MB/s\n",
            "line 1: import-table.not-a-figure-or-heading(cell=15.3Mb/s, column=2, unit=MB/s)",
        ),
        (2, "Sony 15.3 furlongs 8.9 MB/s\nPNY 3.1 MB/s 7 MB/s\n", "line 1: "),
        // More columns than words above, and sizes that may be a column.
        (2, "Card read\nSamsung 21.75 8.31\n", "Samsung 21.75"),
        (3, "Card size read\nSony 64GB 15.3 MB/s 8.9 MB/s\n", unsure),
        // A word that may be a cell, and headings that are numbers.
        (2, "Card read write\nSony Sad 8.31 MB/s\n", unsure),
        (2, "Card 1 2\nSony 15.3 8.9\n", unsure),
        // Above the first row that can be split, too.
        (
            2,
            "Card read write\nSamsung 850 21.75 8.31\nSony 12.5 3.1\n",
            "line 2: import-table.name-end-unknown(",
        ),
        (
            2,
            "Card read write\nSony 5 MB/s not tested 3 MB/s\nPNY 20 MB/s 3 MB/s\n",
            "line 2: import-table.name-end-unknown(",
        ),
        (2, "Card run 1 run 2\nSony 15.3 8.9\n", "Sony 15.3"),
        // Titles and sentences are not rows.
        (2, "Raspberry Pi 4\n\nCard read\nSony 15.3\n", "Sony 15.3"),
        (2, "Raspberry Pi 4\nCard read\nSony 15.3\n", "Sony 15.3"),
        (2, "Class 10 cards are slow\n\nCard read\nSony 15.3\n", "Sony 15.3"),
        (2, "(see the card of the Pi 3).\n\nSony 15.3\n", "Sony 15.3"),
        (2, "The 840 is at 80 MB/s which\nis slow\n\nSony 15.3 MB/s\n", "Sony 15.3"),
    ] {
        let text_read = read_text(&format!("drive=1; read.bandwidth={column} MB/s"), text);
        let is_expected = if expected == unsure || expected.contains(':') || expected.contains("above") {
            text_read.contains(expected)
        } else {
            text_read == expected
        };
        assert!(is_expected, "column {column} of {text}: {text_read}");
    }
}

#[test]
fn two_spaces_separate_headings() {
    let text = "Card             hdparm      dd write\n\
                ---------------  ----------  --------\n\
                Samsung Pro 840  21.75 MB/s  18.7 MB/s\n\
                Sony             15.38 MB/s  -\n";
    let unruled = text.lines().filter(|line| !line.starts_with('-')).collect::<Vec<_>>().join("\n") + "\n";
    for text in [text, &unruled] {
        assert_eq!(
            read_text("drive=Card; h.read.bandwidth=hdparm MB/s", text),
            "Samsung Pro 840 21.75; Sony 15.38"
        );
        assert_eq!(read_text("drive=1; write.bandwidth=dd write MB/s", text), "Samsung Pro 840 18.7");
        let text_read = read_text("drive=1; write.bandwidth=dd MB/s", text);
        assert!(
            text_read.contains(
                "import-table.headings(headings='Card'+'hdparm'+'dd write'), problem=import-table.no-rows"
            ),
            "{text_read}"
        );
    }
    // An empty cell is invisible, and an overlong one is followed by a single space.
    for row in ["PNY                          18.7 MB/s", "SanDisk Extreme Pro 8GB 18.43 MB/s  17.6 MB/s"] {
        let text_read = read_text("drive=1; write.bandwidth=2 MB/s", &format!("{text}{row}\n"));
        assert!(
            text_read.starts_with("line 5: import-table.count-differs-spaces(columns=2, others=3)"),
            "{text_read}"
        );
    }
    let text_read = read_text("h.read.bandwidth=hdparm MB/s", CARDS);
    assert!(text_read.contains("import-table.by-number"), "{text_read}");
}

#[test]
fn missing_columns_are_reported() {
    let table = "| Card | read | read |\n|---|---|---|\n| A | 5 | 6 |\n| B | 7 | 8 |\n";
    let headings = "import-table.headings(headings='Card'+'read'+'read')";
    for (map, expected) in [
        (
            "drive=Nope; read.bandwidth=2 MB/s",
            format!(
                "line 3: import-table.of-drive(problem=import-table.no-heading-here(heading=Nope, known={headings}))"
            ),
        ),
        (
            "test=Nope; read.bandwidth=2 MB/s",
            format!(
                "line 3: import-table.of-test(problem=import-table.no-heading-here(heading=Nope, known={headings}))"
            ),
        ),
        (
            "drive=9; read.bandwidth=2 MB/s",
            "line 3: import-table.of-drive(problem=import-table.no-column(column=9, columns=3))".to_string(),
        ),
        (
            "read.bandwidth=2 MB/s; write.bandwidth=Nope MB/s",
            "import-table.no-heading-anywhere(heading=Nope, known=import-table.headings(".to_string(),
        ),
        (
            "read.bandwidth=2 MB/s; write.bandwidth=4 MB/s",
            "import-table.no-column-anywhere(column=4, columns=3)".to_string(),
        ),
        (
            "read.bandwidth=read MB/s",
            "line 3: import-table.same-heading(first=2, heading=read, second=3)".to_string(),
        ),
    ] {
        let text_read = read_text(map, table);
        assert!(text_read.contains(&expected), "{map}: {text_read}");
    }
    for map in ["drive=*; read.iops=2 IOPS", "drive=1; drive=2; read.iops=2 IOPS"] {
        assert!(map.parse::<Map>().is_err(), "{map}");
    }
}

#[test]
fn malformed_figures_are_reported() {
    let map = "drive=1; read.bandwidth=2 MB/s";
    for cell in [
        "-5 MB/s",
        "10 furlongs",
        "1e400",
        "12 34",
        "20 GB/s",
        "5 MB/s 7 MB/s",
        "1.2.3",
        "1,5",
        "+5",
        ".5",
        "4K",
    ] {
        for row in [format!("| B | {cell} |"), format!("B\t{cell}")] {
            let figure = format!("(cell={cell}, column=2, unit=MB/s)");
            let text_read = read_text(map, &format!("Card | read\nA | 5 MB/s\n{row}\nC | 6 MB/s\n"));
            assert!(
                text_read.starts_with("line 3: import-table.not-a-figure") && text_read.ends_with(&figure),
                "{text_read}"
            );
        }
    }
    for cell in ["TODO", "Sad", "-", "n/a", "nan", "inf", ""] {
        assert_eq!(read_text(map, &format!("Card | read\nA | 5 MB/s\nB | {cell}\n")), "A 5");
    }
    for (cell, value) in [("1.5e3", "1500"), ("1.5e3 MB/s", "1500"), ("2E-1MB/s", "0.2"), ("1,500", "1500")] {
        assert_eq!(read_text(map, &format!("A | {cell}\n")), format!("A {value}"));
    }
    // Headings have numbers, too.
    assert_eq!(read_text(map, "Card | 4K read\nA | 5\n\nCard | 64K read\nB | 6\n"), "A 5; B 6");
}

#[test]
fn commas_in_names_and_numbers_do_not_separate() {
    let map = "drive=1; read.bandwidth=2 MB/s";
    for (text, expected) in [
        ("Samsung Pro 4,285.5\nSony 1,100.5\n", "Samsung Pro 4285.5; Sony 1100.5"),
        ("card, read\nA, 4,285\n", "A 4285"),
        ("A, 4,285\n", "line 1: import-table.number-or-cells(text=4,285)"),
        ("card, read\nA, 5, 6\n", "line 2: import-table.count-differs-commas(columns=3, others=2)"),
        ("A,187,181\n", "A 187"),
    ] {
        let text_read = read_text(map, text);
        assert!(text_read.starts_with(expected), "{text}: {text_read}");
    }
}
