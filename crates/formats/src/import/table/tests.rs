//! Tables of all kinds, as people publish them.

use super::*;

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
fn a_table_of_spaces() {
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
fn a_table_with_headings() {
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
fn a_table_whose_columns_are_drives() {
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
fn values_with_commas_between() {
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
fn what_is_wrong_is_told() {
    for (map, expected) in [
        ("", "names no column"),
        ("drive=1", "names no column"),
        ("read.speed=2 MB/s", "is no figure"),
        ("read.bandwidth=2", "its unit is missing"),
        ("read.bandwidth=2 ms", "bandwidth is not in ms"),
        ("read.bandwidth=0 MB/s", "count from 1"),
        ("hello", "write it as NAME=COLUMN"),
        ("a: rm -rf /; read.bandwidth=2 MB/s", "'rm'"),
    ] {
        let error = map.parse::<Map>().unwrap_err();
        assert!(error.contains(expected), "{map}: {error}");
    }
    let map = "drive=1; read.bandwidth=2 MB/s";
    for (text, expected) in [
        ("a | 1 MiB/s\n", "line 1: '1 MiB/s' is no figure in MB/s"),
        ("x\na | 1,5\n", "line 2: '1,5' is no figure"),
        ("hello\nworld\n", "no row of it"),
        ("", "no row of it"),
    ] {
        let error = read(map, text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn it_is_read_and_checked_as_every_text_is() {
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
    assert_eq!(problems.to_string(), "line 2: a figure is too large to be one");
}

/// The tables of the drives whose columns they are, with rows that are not asked for between.
#[test]
fn rows_that_are_not_wanted_are_no_headings() {
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
    // Drives that are called by a number.
    let sizes = format!("- | 240GB | 256GB |\n---|---|---\n{reads}{writes}{random}");
    assert_eq!(read(map, &sizes).unwrap(), expected("240GB", "256GB"));
    // A rule below a row is none below headings.
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
fn without_headings_no_drive_is_invented() {
    let map = "test=1; seqread.read.iops=* IOPS";
    let error = read(map, "other, 5, 6\nseqread, 7, 8\n").unwrap_err();
    assert!(error.contains("line 2: no heading stands above column 2"), "{error}");
}

#[test]
fn a_table_that_ends_within_a_figure_is_refused() {
    let map = "drive=1; read.iops=2 IOPS";
    let read = |text: &str| read(map, text).map(|found| found.len());
    assert_eq!(read("A, 152290\n"), Ok(1));
    assert!(read("A, 1522").unwrap_err().contains("the file ends within a number"));
    assert_eq!(read("| A | 152290 |"), Ok(1), "it is closed");
}
