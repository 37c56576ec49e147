//! A checkup as a person reads it in a terminal.
//!
//! In the order in which it is seen: [`header`] before anything is written, [`step_line`] after each step,
//! [`report`] at the end, and [`details`] for those who want all figures. The text is aligned with spaces, needs no
//! colour and fits into 80 columns; where room is short, the table has short names and leaves columns out. [`report`] says
//! each thing once and in as few lines as it takes; what it leaves out is in [`details`].
//!
//! Two rules keep it truthful. A figure that says more about chance than about the drive (a percentile with too few
//! samples above it) is withheld as `-`. A figure that the kernel's count contradicts is withheld in the same way,
//! and both counts are named.

mod apps;
pub(crate) mod claims;

mod counters;
mod details;
pub(crate) mod findings;
mod header;
mod health_change;
pub(crate) mod imported;
pub(crate) mod layout;
mod precision;
pub(crate) mod report;
pub(crate) mod step_line;
mod sustained;
mod table;
pub(crate) mod tables;
mod title;
pub(crate) mod traps;
pub(crate) mod verdicts;
pub(crate) mod words;

use cardiograph_core::drive::Passport;

use crate::lang::Lang;

pub use apps::app_rate;
pub use details::details;
pub use header::{HeaderFacts, Writes, header};
pub use imported::imported;
pub use layout::{Style, cut, hanging, width};
pub use report::report;
pub use step_line::step_line;
pub use title::title_within;

pub(crate) use layout::{broken, plain, said};

/// The traps of a passport.
pub fn passport_traps(passport: &Passport, lang: Lang, style: &Style) -> String {
    let mut page = layout::Page::new(style);
    traps::write(&mut page, &passport.traps, lang);
    page.into_text()
}

#[cfg(test)]
mod tests {
    use super::layout::width;
    use super::*;
    use crate::samples;
    use cardiograph_core::Message;

    const PLAIN: Style = Style { width: 80, color: false };

    fn facts() -> HeaderFacts {
        HeaderFacts {
            engines: vec!["psync".to_string(), "io_uring".to_string()],
            clock: "generic timer, resolution 18.5 ns".to_string(),
            writes: Writes::ToTestFiles(609 << 20),
            time_ns_max: Some(64_200_000_000),
        }
    }

    fn step_lines(report: &cardiograph_core::Report) -> String {
        report.steps.iter().map(|step| step_line(step, 80) + "\n").collect()
    }

    #[test]
    fn reports_read_as_they_did() {
        cardiograph_testing::check_golden!("card.txt", &report(&samples::card(), &PLAIN));
        cardiograph_testing::check_golden!(
            "card-60.txt",
            &report(&samples::card(), &Style { width: 60, ..PLAIN })
        );
        cardiograph_testing::check_golden!(
            "card-120.txt",
            &report(&samples::card(), &Style { width: 120, ..PLAIN })
        );
        cardiograph_testing::check_golden!("interrupted.txt", &report(&samples::interrupted(), &PLAIN));
        cardiograph_testing::check_golden!("contradicted.txt", &report(&samples::contradicted(), &PLAIN));
        cardiograph_testing::check_golden!("killed.txt", &report(&samples::array(), &PLAIN));
    }

    #[test]
    fn headers_steps_and_details_read_as_they_did() {
        cardiograph_testing::check_golden!("card-header.txt", &header(&samples::card(), &facts(), &PLAIN));
        cardiograph_testing::check_golden!("array-header.txt", &header(&samples::array(), &facts(), &PLAIN));
        cardiograph_testing::check_golden!(
            "contradicted-header.txt",
            &header(&samples::contradicted(), &facts(), &PLAIN)
        );
        cardiograph_testing::check_golden!("card-steps.txt", &step_lines(&samples::card()));
        cardiograph_testing::check_golden!("contradicted-steps.txt", &step_lines(&samples::contradicted()));
        cardiograph_testing::check_golden!("card-details.txt", &details(&samples::card(), &PLAIN));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for sample in samples::all() {
            for columns in [50, 60, 72, 80, 100, 132] {
                let style = Style { width: columns, color: false };
                let mut all = vec![report(&sample, &style), header(&sample, &facts(), &style)];
                // The tables of all latencies need more.
                if columns >= 60 {
                    all.push(details(&sample, &style));
                }
                for line in all.iter().flat_map(|text| text.lines()) {
                    let is_command = line.starts_with("  fio ");
                    assert!(width(line) <= columns || is_command, "{columns}: {line}");
                    assert_eq!(line, line.trim_end(), "{columns}: spaces at the end of a line");
                }
            }
        }
        for step in samples::all().iter().flat_map(|sample| &sample.steps) {
            assert!(!step_line(step, 80).contains('\n'));
        }
        assert!(step_lines(&samples::card()).lines().all(|line| width(line) <= 80));
    }

    #[test]
    fn figures_of_steps_stand_below_the_title_where_there_is_no_room_beside_it() {
        for step in samples::all().iter().flat_map(|sample| &sample.steps) {
            let (wide, narrow) = (step_line(step, 80), step_line(step, 50));
            assert!(narrow.lines().all(|line| width(line) <= 50), "{narrow}");
            if let Some((title, told)) = narrow.split_once("\n  ") {
                assert!(title.starts_with(&wide[..8]) && !told.starts_with(' '), "{narrow}");
                let numbers = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
                assert!(numbers(&wide).ends_with(&numbers(told)), "{narrow}");
            }
        }
    }

    #[test]
    fn figures_of_steps_stand_below_each_other_whatever_the_title() {
        let mut sample = samples::card();
        sample.steps.remove(0);
        sample.steps[1].step.title = Message::verbatim("カードを読む、".repeat(9));
        sample.steps[2].step.title = Message::verbatim("A title that is longer than its columns are wide");
        let lines = step_lines(&sample);
        // Each of the two stands in a line of its own above its figures.
        assert_eq!(lines.lines().count(), sample.steps.len() + 2, "{lines}");
        assert!(lines.contains("A title that is longer than its columns are wide\n"), "{lines}");
        let has_figures = |line: &&str| line.contains("MiB/s") || line.contains("IOPS");
        for line in lines.lines().filter(has_figures) {
            let end = line.find("MiB/s").map(|at| at + 5).or(line.find("IOPS").map(|at| at + 4)).unwrap();
            assert_eq!(width(&line[..end]), 38 + 1 + 14, "{line}");
            assert!(width(line) <= 80, "{line}");
        }
    }

    #[test]
    fn a_report_fits_on_a_page_and_the_details_leave_nothing_out() {
        let sample = samples::card();
        let text = report(&sample, &PLAIN);
        // Before it come the header and a line for each step, about 15 together.
        assert!(text.lines().count() <= 38, "{text}");
        let details = details(&sample, &Style { width: 500, ..PLAIN });
        for finding in sample.verdicts.iter().flat_map(|verdict| &verdict.findings) {
            assert!(details.contains(&crate::lang::Lang::En.text(&finding.source)), "{}", finding.source);
        }
        for sizing in sample.steps.iter().flat_map(|step| &step.step.sizing) {
            assert!(details.contains(&crate::lang::Lang::En.text(sizing)), "{sizing}");
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
            let text =
                report(&sample, &style) + &header(&sample, &facts(), &style) + &details(&sample, &style);
            assert!(!text.contains('\x1b'));
            assert!(
                text.lines().all(|line| width(line) <= columns.max(60) || line.starts_with("  fio ")),
                "{text}"
            );
            assert!(!step_lines(&sample).contains('\x1b'));
        }
    }

    #[test]
    fn colour_adds_only_colour() {
        for sample in samples::all() {
            let coloured = report(&sample, &Style { color: true, ..PLAIN });
            let mut stripped = String::new();
            for (index, part) in coloured.split("\x1b[").enumerate() {
                stripped += if index == 0 { part } else { part.split_once('m').unwrap().1 };
            }
            assert_eq!(stripped, report(&sample, &PLAIN));
        }
        assert!(
            report(&samples::card(), &Style { color: true, ..PLAIN }).contains("\x1b[31mnot enough\x1b[0m")
        );
    }

    #[test]
    fn what_the_kernel_contradicts_is_shown_nowhere() {
        let sample = samples::contradicted();
        let text = report(&sample, &PLAIN) + &step_lines(&sample);
        let table: Vec<_> = text.lines().filter(|line| line.starts_with("Random read")).collect();
        assert!(table.iter().all(|line| !line.contains("3,786") && !line.contains("µs")), "{table:?}");
        assert!(text.contains("3.11 MiB of 444 MiB"), "{text}");
    }
}
