//! hdparm's timings: `-t` and `-T`, with and without `--direct`.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::{KIB, MIB, NS_PER_S};
use cardiograph_core::{Message, message};
use cardiograph_fio::tools::hdparm::Timing;

use super::figures::Figures;
use super::lines::{find_line, named_title, numbered};
use super::{
    ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests, amount, command,
};

pub(super) const IMPORTER: Importer = Importer {
    name: "hdparm",
    title: &message!("import-format.hdparm"),
    origin: "tools/hdparm.txt",
    recognise: |text, _| find_line(text, |line| label(line.trim_start()).is_some()),
    reading: Reading::Whole(read),
};

/// A timing's label: which timing, whether O_DIRECT, and the offset.
struct Label<'a> {
    timing: Timing,
    direct: bool,
    offset: Option<&'a str>,
    figures: &'a str,
}

/// ` Timing O_DIRECT disk reads (offset 3 GB):  64 MB in  0.07 seconds = 969.70 MB/sec`
fn label(line: &str) -> Option<Label<'_>> {
    let (what, figures) = line.strip_prefix("Timing ")?.split_once(':')?;
    let (what, offset) = match what.split_once(" (offset ") {
        Some((what, offset)) => (what, Some(offset.strip_suffix(')')?)),
        None => (what, None),
    };
    let (timing, direct) = match what {
        "cached reads" | "buffer-cache reads" => (Timing::Cached, false),
        "O_DIRECT cached reads" => (Timing::Cached, true),
        "buffered disk reads" | "buffered disk read" => (Timing::Disk, false),
        "O_DIRECT disk reads" | "O_DIRECT disk read" => (Timing::Disk, true),
        _ => return None,
    };
    Some(Label { timing, direct, offset, figures: figures.trim() })
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    let mut device: Option<String> = None;
    for (number, line) in numbered(text) {
        let line = line.trim_start();
        if let Some(path) = line.strip_suffix(':').filter(|path| path.starts_with('/') && !path.contains(' '))
        {
            device = Some(path.rsplit('/').next().unwrap_or(path).to_string());
        }
        let Some(label) = label(line) else { continue };
        tests.add_output(number, test(&label, device.clone()).map(Some), &mut problems);
    }
    problems.result(tests.0)
}

fn test(label: &Label, device: Option<String>) -> Result<ImportedTest, Message> {
    let (bytes, seconds, bytes_per_s) = figures(label.figures)?;
    let mut method = command::hdparm_method(label.timing, label.direct);
    if let Some(offset) = label.offset {
        method.others.insert("offset".to_string(), shown(offset));
    }
    let id = match label.timing {
        Timing::Disk => "disk",
        Timing::Cached => "cached",
    };
    let read = Some(Direction::Read);
    let mut figures = Figures::default();
    figures.add(read, Quantity::Bandwidth, bytes_per_s, 0);
    figures.add(read, Quantity::Bytes, bytes, 0);
    figures.add(read, Quantity::Runtime, seconds * NS_PER_S as f64, 0);
    Ok(ImportedTest {
        imported: figures.into_imported(),
        subject: Subject { device, ..Subject::default() },
        ..ImportedTest::new(id, title(label), method)
    })
}

/// `hdparm -t --direct: reads from 3 GB`.
fn title(label: &Label) -> Message {
    let option = match label.timing {
        Timing::Disk => "-t",
        Timing::Cached => "-T",
    };
    let direct = if label.direct { " --direct" } else { "" };
    let what = match (label.timing, label.offset) {
        (Timing::Disk, None) => message!("import-hdparm-reads.start"),
        (Timing::Disk, Some(offset)) => message!("import-hdparm-reads.offset", offset = shown(offset)),
        (Timing::Cached, _) if label.direct => message!("import-hdparm-reads.same"),
        (Timing::Cached, _) => message!("import-hdparm-reads.cached"),
    };
    named_title(&format!("hdparm {option}{direct}"), what)
}

/// Bytes, seconds and bytes per second of ` 66 MB in  3.04 seconds =  21.71 MB/sec`. hdparm's MB are 2^20 bytes.
fn figures(text: &str) -> Result<(f64, f64, f64), Message> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [mb, "MB", "in", seconds, "seconds", "=", rate, unit] = words[..] else {
        return Err(message!("import-hdparm.no-figures", text = shown(text)));
    };
    let bytes_per_s =
        amount::in_units(&format!("{rate} {unit}"), &[("MB/sec", MIB as f64), ("kB/sec", KIB as f64)])?;
    Ok((amount::plain(mb)? * MIB as f64, amount::plain(seconds)?, bytes_per_s))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/hdparm.txt");

    #[test]
    fn reads_timings_of_two_devices() {
        let found = figures_by_name(&IMPORTER, TEXT);
        let expected = [
            ("mmcblk0 cached read.bandwidth", 842.51 * MIB as f64),
            ("mmcblk0 disk read.bandwidth", 21.75 * MIB as f64),
            ("mmcblk0 disk read.bytes", 66.0 * MIB as f64),
            ("mmcblk0 disk read.runtime", 3.03e9),
            ("sda disk read.bandwidth", 106.61 * KIB as f64),
            ("sda disk-2 read.bandwidth", 1_782.67 * MIB as f64),
        ];
        for (name, value) in expected {
            assert_eq!(found.get(name).copied(), Some(value), "{name}: {found:#?}");
        }
        assert_eq!(found.len(), 4 * 3);
        let tests = check_importer(&IMPORTER, TEXT);
        assert!(
            tests
                .iter()
                .any(|test| test.method.direct == Some(true) && test.method.others.contains_key("offset"))
        );
        let titles: Vec<String> = tests.iter().map(|test| test.title.to_string()).collect();
        let expected = [
            "import-title(name=hdparm -T, what=import-hdparm-reads.cached)",
            "import-title(name=hdparm -t, what=import-hdparm-reads.start)",
            "import-title(name=hdparm -t, what=import-hdparm-reads.start)",
            "import-title(name=hdparm -t --direct, what=import-hdparm-reads.offset(offset=3 GB))",
        ];
        assert_eq!(titles, expected);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, expected) in [
            ("/dev/sda:\n Timing buffered disk reads: ", "line 2: import-hdparm.no-figures(text=)"),
            (" Timing buffered disk reads:  66 MB in  3.03 seconds =  21.75 MiB/sec", "unit=MiB/sec)"),
            (
                " Timing buffered disk reads:  66 MB in  3.03 seconds =  50.00 MB/sec",
                "import-figure.not-rate(",
            ),
            (
                " Timing buffered disk reads:  x MB in  3.03 seconds =  50.00 MB/sec",
                "import-value.not-a-number(text=x)",
            ),
        ] {
            let problems = problems_of(&IMPORTER, text);
            assert!(problems.contains(expected), "{problems}");
        }
    }
}
