//! The JSON of yabs.sh (`-w`, `-j`): its disk test with fio.
//!
//! Speeds are fio's KiB/s, labelled `KBps`.

use cardiograph_core::KIB;
use cardiograph_core::NS_PER_S;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};
use cardiograph_jobs::value::parse_bytes;
use serde::Deserialize;

use super::figures::Figures;
use super::lines::{find_line, title};
use super::moment::Moment;
use super::{
    ImportProblem, ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests,
};

pub(super) const IMPORTER: Importer = Importer {
    name: "yabs",
    title: &message!("import-format.yabs"),
    origin: "tools/yabs.json",
    recognise: |text, _| {
        let is_object = text.trim_start().starts_with('{') || text.contains("\n{");
        find_line(text, |line| line.contains("\"speed_units\""))
            .filter(|_| is_object && text.contains("\"fio\""))
    },
    reading: Reading::Whole(read),
};

#[derive(Deserialize)]
struct File {
    version: Option<String>,
    time: Option<String>,
    os: Option<Os>,
    partition: Option<String>,
    #[serde(default)]
    fio: Vec<Row>,
}

#[derive(Deserialize)]
struct Os {
    distro: Option<String>,
    kernel: Option<String>,
    vm: Option<String>,
}

#[derive(Deserialize)]
struct Row {
    bs: String,
    speed_r: f64,
    iops_r: f64,
    speed_w: f64,
    iops_w: f64,
    speed_units: String,
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    // Other text may surround the document.
    let at = if text.trim_start().starts_with('{') { 0 } else { text.find("\n{").map_or(0, |at| at + 1) };
    let line = 1 + text[..at].matches('\n').count() as u64;
    let mut documents = serde_json::Deserializer::from_str(&text[at..]).into_iter::<File>();
    let file = documents.next().transpose().map_err(|error| ImportProblem::from_json(&error, line))?;
    let Some(file) = file else { return Ok(Vec::new()) };
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    for row in &file.fio {
        match test(row, &file) {
            Ok(test) => tests.push(test),
            Err(message) => problems.add(ImportProblem::whole_text(message)),
        }
    }
    problems.result(tests.0)
}

fn test(row: &Row, file: &File) -> Result<ImportedTest, Message> {
    let bs = shown(&row.bs);
    let block_bytes = parse_bytes(&row.bs.to_lowercase().replace("ib", "")).ok().filter(|bytes| *bytes > 0);
    let block_bytes = block_bytes.ok_or_else(|| message!("import-yabs.block-size", block = &bs))?;
    if row.speed_units != "KBps" {
        return Err(message!("import-yabs.unknown-unit", block = &bs, unit = shown(&row.speed_units)));
    }
    let mut figures = Figures::default();
    for (direction, speed, iops) in
        [(Direction::Read, row.speed_r, row.iops_r), (Direction::Write, row.speed_w, row.iops_w)]
    {
        let bytes_per_s = speed * KIB as f64;
        figures.add(Some(direction), Quantity::Bandwidth, bytes_per_s, 0);
        figures.add(Some(direction), Quantity::Iops, iops, 0);
    }
    let method = Method {
        tool: "yabs".to_string(),
        tool_version: file.version.as_deref().map(shown),
        pattern: Some(Pattern::RandomReadWrite),
        read_percent: Some(50),
        block_bytes: Some(block_bytes),
        depth: Some(64),
        jobs: Some(2),
        direct: Some(true),
        durability: Some(Durability::Never),
        engine: Some("libaio".to_string()),
        time_ns: Some(30 * NS_PER_S),
        ..Method::default()
    };
    Ok(ImportedTest {
        imported: figures.into_imported(),
        subject: subject(file),
        started_unix_ms: start(file).map(|start| start.unix_ms),
        notes: notes(file),
        ..ImportedTest::new(bs, title(&method), method)
    })
}

fn subject(file: &File) -> Subject {
    let device = file.partition.as_deref().and_then(|path| path.strip_prefix("/dev/")).map(shown);
    let date = file.time.as_deref().and_then(|time| {
        let day = time.get(..8).filter(|day| day.bytes().all(|byte| byte.is_ascii_digit()))?;
        Some(format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]))
    });
    Subject { device, date, ..Subject::default() }
}

/// Start in the local time of the machine: `20260831-221500`.
fn start(file: &File) -> Option<Moment> {
    Moment::parse(file.time.as_deref()?)
}

fn notes(file: &File) -> Vec<Message> {
    let mut notes: Vec<Message> = start(file).map(|start| start.note("yabs")).into_iter().collect();
    let Some(os) = &file.os else { return notes };
    let known: Vec<String> =
        [&os.distro, &os.kernel, &os.vm].into_iter().flatten().map(|text| shown(text)).collect();
    if !known.is_empty() {
        notes.push(message!("import-moment.measured-on", machine = known.join(", ")));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/yabs.json");

    #[test]
    fn reads_four_block_sizes() {
        let found = figures_by_name(&IMPORTER, TEXT);
        for (name, value) in [
            ("vda1 4k read.bandwidth", 418_200.0 * 1_024.0),
            ("vda1 4k write.iops", 105_325.0),
            ("vda1 1m write.bandwidth", 2_070_000.0 * 1_024.0),
        ] {
            assert_eq!(found.get(name).copied(), Some(value), "{name}: {found:#?}");
        }
        assert_eq!(found.len(), 4 * 4);
        let test = check_importer(&IMPORTER, TEXT).remove(0);
        assert_eq!(
            (test.method.depth, test.method.jobs, test.method.read_percent),
            (Some(64), Some(2), Some(50))
        );
        assert_eq!(test.subject.date.as_deref(), Some("2026-08-31"));
        assert_eq!(test.started_unix_ms, Some(1_788_214_500_000));
        assert_eq!(test.notes[0], message!("import-moment.no-zone", tool = "yabs"));
    }

    #[test]
    fn errors_are_reported() {
        for (from, to, expected) in [
            ("KBps", "MBps", "import-yabs.unknown-unit(block=4k, unit=MBps)"),
            ("\"speed_r\":418200", "\"speed_r\":4182", "import-figure.not-ios(block=Bytes(4096)"),
            ("\"bs\":\"4k\"", "\"bs\":\"four\"", "import-yabs.block-size(block=four)"),
            ("\"speed_r\":418200", "\"speed_r\":\"fast\"", "line 1, column"),
            ("\"elapsed\":552}}", "\"elapsed\":552}", "line "),
        ] {
            let problems = problems_of(&IMPORTER, &TEXT.replacen(from, to, 1));
            assert!(problems.contains(expected), "{problems}");
        }
    }
}
