use cardiograph_core::metric::Metric;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level, Verdict};
use cardiograph_core::{Estimate, Message};

use super::layout::width;
use super::*;
use crate::samples;

const PLAIN: Style = Style { width: 80, color: false };

fn facts() -> HeaderFacts {
    HeaderFacts {
        engines: ["psync", "io_uring"].map(Message::verbatim).to_vec(),
        clock: samples::card().steps[0].result.as_ref().unwrap().clock.clone(),
        writes: Writes::ToTestFiles(609 << 20),
        time_ns_max: Some(64_200_000_000),
    }
}

fn step_lines(report: &Report, lang: Lang) -> String {
    report.steps.iter().map(|one| step(one, lang, &PLAIN)).collect()
}

#[test]
fn reports_read_as_before() {
    let page = |sample: Report, lang, width| report(&sample, lang, &Style { width, ..PLAIN });
    let short =
        |sample: Report, lang, width| glance(&sample, &Additions::default(), lang, &Style { width, ..PLAIN });
    for (name, text) in [
        ("card.txt", page(samples::card(), Lang::EN, 80)),
        ("card-60.txt", page(samples::card(), Lang::EN, 60)),
        ("card-ja.txt", page(samples::card(), Lang::JA, 80)),
        ("interrupted.txt", page(samples::interrupted(), Lang::EN, 80)),
        ("contradicted.txt", page(samples::contradicted(), Lang::EN, 80)),
        ("card-header.txt", header(&samples::card(), &facts(), Lang::EN, &PLAIN)),
        ("array-header.txt", header(&samples::array(), &facts(), Lang::EN, &PLAIN)),
        ("card-steps.txt", step_lines(&samples::card(), Lang::EN)),
        ("card-glance.txt", short(samples::card(), Lang::EN, 80)),
        ("card-glance-50.txt", short(samples::card(), Lang::EN, 50)),
        ("card-glance-ja.txt", short(samples::card(), Lang::JA, 80)),
        ("interrupted-glance.txt", short(samples::interrupted(), Lang::EN, 80)),
        ("contradicted-glance.txt", short(samples::contradicted(), Lang::EN, 80)),
        ("card-announcement.txt", announcement(&samples::card(), &facts(), Lang::EN, &PLAIN)),
        ("card-details.txt", details(&samples::card(), Lang::EN, &PLAIN)),
    ] {
        cardiograph_testing::check_golden!(name, &text);
    }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for (sample, lang) in samples::all().iter().flat_map(|report| Lang::ALL.map(|lang| (report, lang))) {
        for columns in (40..=200).step_by(4) {
            let style = Style { width: columns, color: false };
            let all = [
                report(sample, lang, &style),
                header(sample, &facts(), lang, &style),
                details(sample, lang, &style),
                announcement(sample, &facts(), lang, &style),
                glance(sample, &Additions::default(), lang, &style),
            ];
            for line in all.iter().flat_map(|text| text.lines()) {
                let is_command = line.starts_with("  fio ");
                assert!(width(line) <= columns || is_command, "{columns}: {line}");
                assert_eq!(line, line.trim_end(), "{columns}: spaces at the end of a line");
            }
        }
    }
}

#[test]
fn a_first_glance_is_short_and_ends_with_the_answer() {
    for (sample, lang) in samples::all().iter().flat_map(|report| Lang::ALL.map(|lang| (report, lang))) {
        let text = glance(sample, &Additions::default(), lang, &PLAIN);
        assert!(text.lines().count() <= 20, "{text}");
        let is_unknown = |verdict: &&Verdict| {
            let is_measured = verdict.findings.iter().any(|finding| finding.measured.is_some());
            verdict.level == Level::CannotBeJudged && !is_measured
        };
        let unknown = sample.verdicts.iter().filter(is_unknown);
        for verdict in unknown {
            assert!(!text.contains(&lang.text(&verdict.title)), "{}: {text}", verdict.purpose);
        }
    }
    let text = glance(&samples::card(), &Additions::default(), Lang::EN, &PLAIN);
    let last = text.lines().rev().take_while(|line| !line.starts_with(' ')).collect::<Vec<_>>();
    assert!((1..=3).contains(&last.len()) && text.trim_end().ends_with('.'), "{text}");
}

#[test]
fn a_fake_drive_is_one_loud_line() {
    let mut sample = samples::card();
    let lie = Finding {
        metric: Metric::RealCapacity,
        measured: Some(Estimate::exact(16e9)),
        limit: 512e9,
        guards: Guards::Enough,
        required: true,
        outcome: FindingOutcome::Fail,
        close: false,
        source: Message::verbatim("."),
        doubt: None,
    };
    for verdict in &mut sample.verdicts {
        (verdict.level, verdict.findings) = (Level::NotEnough, vec![lie.clone()]);
    }
    let text = ending(&sample, &Additions::default(), Lang::EN, &PLAIN);
    assert!(text.starts_with("\nFAKE: claims 512 GB, holds about 16 GB."), "{text}");
    assert_eq!(text.matches("16 GB").count(), 1, "{text}");
    // Longer forms have it once, too, and no purposes.
    let full = report(&sample, Lang::EN, &PLAIN) + &details(&sample, Lang::EN, &PLAIN);
    for text in [full, doc::markdown::report(&sample, Lang::EN)] {
        assert_eq!(text.matches("FAKE: claims 512 GB").count(), 1, "{text}");
        assert!(!text.contains(&Lang::EN.text(&sample.verdicts[0].title)), "{text}");
    }
    assert!(!crate::html::report(&sample, Lang::EN).contains("verdicts"));
}

#[test]
fn figures_of_steps_are_aligned_whatever_the_title() {
    let mut sample = samples::card();
    sample.steps.remove(0);
    sample.steps[1].step.title = Message::verbatim("カードを読む、".repeat(9));
    sample.steps[2].step.title = Message::verbatim("A title that is longer than its columns are wide");
    let lines = step_lines(&sample, Lang::EN);
    // Each of the two has a separate line above its figures.
    assert_eq!(lines.lines().count(), sample.steps.len() + 2, "{lines}");
    assert!(lines.contains("A title that is longer than its columns are wide\n"), "{lines}");
    let has_figures = |line: &&str| line.contains("MB/s") || line.contains("IOPS");
    for line in lines.lines().filter(has_figures) {
        let end = line.find("MB/s").map(|at| at + 4).or(line.find("IOPS").map(|at| at + 4)).unwrap();
        assert_eq!(width(&line[..end]), 2 + 30 + 1 + 12, "{line}");
        assert!(width(line) <= 80, "{line}");
    }
}

#[test]
fn a_report_fits_on_a_page_and_the_details_leave_nothing_out() {
    let sample = samples::card();
    let text = report(&sample, Lang::EN, &PLAIN);
    // The header and a line for each step come before it, about 15 in total.
    assert!(text.lines().count() <= 38, "{text}");
    let details = details(&sample, Lang::EN, &Style { width: 500, ..PLAIN });
    for finding in sample.verdicts.iter().flat_map(|verdict| &verdict.findings) {
        assert!(details.contains(&Lang::EN.text(&finding.source)), "{}", finding.source);
    }
    for sizing in sample.steps.iter().flat_map(|step| &step.step.sizing) {
        assert!(details.contains(&Lang::EN.text(sizing)), "{sizing}");
    }
}

#[test]
fn odd_reports_are_shown_without_a_panic() {
    let mut sample = samples::card();
    sample.label = Some("\x1b[31mred\n".repeat(30));
    sample.drive.path = "/very".repeat(40);
    sample.drive.leaves.clear();
    sample.started_unix_ms = u64::MAX;
    for step in &mut sample.steps {
        let title = format!("{}, {}", "An uncommonly long title ".repeat(4), "word".repeat(30));
        step.step.title = Message::verbatim(title);
        let figures = step.figures.as_mut().unwrap();
        for direction in &mut figures.directions {
            direction.iops.value = f64::NAN;
            direction.bandwidth_bytes_per_s.value = f64::INFINITY;
            (direction.ios, direction.runtime_ns) = (0, u64::MAX);
            direction.total.percentiles.clear();
            direction.total.max_ns = u64::MAX;
            direction.windows = None;
        }
    }
    sample.steps[1].figures.as_mut().unwrap().directions.clear();
    sample.steps[2].figures = None;
    sample.verdicts[0].findings.clear();
    for columns in [0, 1, 40, 60, 80, 500] {
        let style = Style { width: columns, color: false };
        let text = report(&sample, Lang::EN, &style)
            + &header(&sample, &facts(), Lang::EN, &style)
            + &details(&sample, Lang::EN, &style);
        assert!(!text.contains('\x1b'));
        assert!(
            text.lines().all(|line| width(line) <= columns.max(60) || line.starts_with("  fio ")),
            "{text}"
        );
        assert!(!step_lines(&sample, Lang::EN).contains('\x1b'));
    }
}

#[test]
fn colour_adds_only_colour() {
    for sample in samples::all() {
        let coloured = report(&sample, Lang::EN, &Style { color: true, ..PLAIN });
        let mut stripped = String::new();
        for (index, part) in coloured.split("\x1b[").enumerate() {
            stripped += if index == 0 { part } else { part.split_once('m').unwrap().1 };
        }
        assert_eq!(stripped, report(&sample, Lang::EN, &PLAIN));
    }
    assert!(
        report(&samples::card(), Lang::EN, &Style { color: true, ..PLAIN })
            .contains("\x1b[31mnot enough\x1b[0m")
    );
}

#[test]
fn contradicted_figures_are_not_shown() {
    let sample = samples::contradicted();
    let text = report(&sample, Lang::EN, &PLAIN) + &step_lines(&sample, Lang::EN);
    let table: Vec<_> = text.lines().filter(|line| line.starts_with("  Random read")).collect();
    assert!(table.iter().all(|line| !line.contains("3,786") && !line.contains("µs")), "{table:?}");
    assert!(text.contains("3.11 MiB of 444 MiB"), "{text}");
}
