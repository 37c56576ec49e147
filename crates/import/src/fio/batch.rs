//! The table that a script makes of fio's terse output: `job, bandwidth, iops`, a line per job, below the drive's name.
//! Bandwidth is fio's, in KiB/s, which articles call kB/s.
//!
//! A job file in the same text gives the method of the jobs.

use cardiograph_core::method::Pattern;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::{Direction, JobSpec, KIB};
use cardiograph_core::{Message, message};

use super::super::lines::find_line;
use super::super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests};
use super::Figures;
use super::commands::{find_job_file, parse_jobs};
use super::method::{Known, title};
use super::units::number;

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "fio-batch",
    title: &message!("import-format.fio-batch"),
    origin: "fio/cards-2013.txt",
    recognise: |text, _| find_line(text, is_heading),
    reading: Reading::Whole(read),
};

fn cells(line: &str) -> Vec<&str> {
    line.split(',').map(str::trim).collect()
}

fn is_heading(line: &str) -> bool {
    cells(line) == ["job", "bandwidth", "iops"]
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let lines: Vec<&str> = text.lines().collect();
    let mut problems = Problems::default();
    let mut specs: Vec<JobSpec> = Vec::new();
    let mut tests = Tests::default();
    // Headings: the last line of text above a table, and the line above that.
    let mut heading: Option<String> = None;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].trim();
        if let Some((text, used)) = find_job_file(&lines[at..]) {
            specs.extend(parse_jobs(&text));
            at += used;
            continue;
        }
        at += 1;
        if is_heading(line) {
            let first = at;
            while at < lines.len() && !lines[at].trim().is_empty() && !is_heading(lines[at]) {
                match row(lines[at], &specs) {
                    Ok(test) => tests.push(ImportedTest {
                        line: Some(at as u64 + 1),
                        subject: Subject { model: heading.clone(), ..Subject::default() },
                        ..test
                    }),
                    Err(message) => problems.add_at(at as u64 + 1, message),
                }
                at += 1;
            }
            if at == first {
                problems.add_at(first as u64, message!("import-fio.no-job-below"));
            }
        } else if !line.is_empty() && !line.starts_with(['#', '$']) {
            heading = Some(line.to_string());
        }
    }
    problems.result(tests.0)
}

fn row(line: &str, specs: &[JobSpec]) -> Result<ImportedTest, Message> {
    let cells = cells(line);
    let [name, bandwidth, iops] = cells[..] else {
        return Err(message!("import-fio.not-three-cells", line = shown(line), count = cells.len()));
    };
    let known = Known::new(name, specs, &[]);
    let method = known.method(None, None, 0);
    let direction = method.pattern.filter(|pattern| !pattern.is_mixed()).map(|pattern| match pattern {
        Pattern::Trim => Direction::Trim,
        pattern if pattern.writes() => Direction::Write,
        _ => Direction::Read,
    });
    let mut figures = Figures::default();
    figures.add(direction, Quantity::Bandwidth, number(bandwidth)? * KIB as f64, 0);
    figures.add(direction, Quantity::Iops, number(iops)?, 0);
    Ok(ImportedTest {
        imported: figures.into_imported(),
        ..ImportedTest::new(name, title(name, &method), method)
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::method::Method;
    use cardiograph_judge::record::RunFigures;

    use super::super::super::{detect, reports};
    use super::*;

    const CARDS: &str = include_str!("../fixtures/fio/cards-2013.txt");

    #[test]
    fn each_card_gets_a_report_with_the_job_files_method() {
        let named = Named { place: "cards.txt" };
        assert_eq!(detect(CARDS.as_bytes(), &named).unwrap().name, "fio-batch");
        let tests =
            IMPORTER.read(&mut CARDS.as_bytes(), &named).unwrap_or_else(|problems| panic!("{problems}"));
        let reports = reports(tests, IMPORTER.name, &named, "cardiograph");
        let models: Vec<&str> =
            reports.iter().map(|report| report.drive.leaves[0].model.as_deref().unwrap()).collect();
        let expected = [
            "PLEXTOR_PX-256M5",
            "RP-SDAB08GJK",
            "RP-SDWA08GJK",
            "Extreme Pro",
            "SF-8UX",
            "SD-T16GR6WA2",
            "RSDC-16GC10/E",
        ];
        assert_eq!(models, expected);
        for (report, job, direction, kib_per_s, iops) in [
            (0, 8, Direction::Read, 115_801.0, 28_950.0),
            (1, 0, Direction::Read, 18_729.0, 18.0),
            (3, 7, Direction::Write, 1_331.0, 332.0),
            (6, 9, Direction::Write, 5.0, 1.0),
        ] {
            let run = RunFigures::from_report(&reports[report]);
            let test = &run.tests[job];
            let value = |quantity| test.figure(Some(direction), quantity).unwrap().estimate.value;
            assert_eq!((value(Quantity::Bandwidth), value(Quantity::Iops)), (kib_per_s * 1_024.0, iops));
        }
        let methods: Vec<Method> = reports[2].steps.iter().map(cardiograph_jobs::method::from_step).collect();
        let deep = &methods[9];
        assert_eq!(
            (deep.pattern, deep.block_bytes, deep.jobs),
            (Some(Pattern::RandomWrite), Some(4_096), Some(32))
        );
        assert_eq!(
            (deep.direct, deep.size_bytes, deep.others["loops"].as_str()),
            (Some(true), Some(10 << 20), "3")
        );
    }

    #[test]
    fn without_a_job_file_the_method_is_unknown() {
        let text = "Card\n\njob, bandwidth, iops\nseqread, 18729, 18\n";
        let test = IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).unwrap().remove(0);
        assert_eq!((test.method.pattern, test.imported.figures[0].direction), (None, None));
    }

    #[test]
    fn errors_name_their_line() {
        for (text, expected) in [
            ("job, bandwidth, iops\n", "line 1: import-fio.no-job-below"),
            ("job, bandwidth, iops\nseqread, fast, 18", "line 2: import-value.not-a-number(text=fast)"),
            (
                "job, bandwidth, iops\nseqread, 1",
                "line 2: import-fio.not-three-cells(count=2, line=seqread, 1)",
            ),
        ] {
            let problems = IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" }).unwrap_err();
            assert_eq!(problems.to_string(), expected);
        }
        for at in (0..CARDS.len()).step_by(61).filter(|&at| CARDS.is_char_boundary(at)) {
            let _ = IMPORTER.read(&mut &CARDS.as_bytes()[..at], &Named { place: "x" });
        }
    }
}
