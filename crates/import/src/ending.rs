//! Whether a text ends within a number: half of one is another figure, and looks as good.

use super::{ImportProblem, ImportedTest};

/// Why a text cannot be trusted whose last line has no end and ends in a number.
pub(super) const WITHIN_A_NUMBER: &str =
    "the file ends within a number, or right behind it: is it cut off? If not, end it with a newline";

/// What could stand behind the end of a text that may be within a number.
fn rest_of_number(text: &str) -> Option<&'static str> {
    match text.chars().next_back()? {
        '0'..='9' | '.' => Some("7"),
        ',' => Some("777"),
        _ => None,
    }
}

/// A problem where `tests`, which were read from the text, would have other figures if the number at its end went on.
/// Whether that is so is seen by reading a longer one.
pub(super) fn problem<E>(
    text: &str,
    tests: &[ImportedTest],
    read: impl FnOnce(&str) -> Result<Vec<ImportedTest>, E>,
) -> Option<ImportProblem> {
    let longer = read(&format!("{text}{}", rest_of_number(text)?));
    let is_same = longer.is_ok_and(|longer| {
        longer.len() == tests.len()
            && longer.iter().zip(tests).all(|(one, other)| one.imported == other.imported)
    });
    (!is_same).then(|| ImportProblem::at(text.lines().count() as u64, WITHIN_A_NUMBER))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cardiograph_testing::of_proof;

    use super::super::{Importer, Named, detect, reports};

    const NAMED: Named = Named { place: "out.txt" };
    /// Texts of all formats whose figures stand by themselves: a half of one has some of its figures, and no other.
    const TEXTS: [&str; 15] = [
        include_str!("fixtures/fio/cards-2013.txt"),
        include_str!("fixtures/fio/2.1.3-twice.txt"),
        include_str!("fixtures/fio/3.33-groups.txt"),
        include_str!("fixtures/fio/3.33-versions.terse"),
        include_str!("fixtures/pi5/microsd-fsync.txt"),
        include_str!("fixtures/tools/dd.txt"),
        include_str!("fixtures/tools/bonnie-1.03.txt"),
        include_str!("fixtures/tools/bonnie-2.00.txt"),
        include_str!("fixtures/tools/crystaldiskmark-8.txt"),
        include_str!("fixtures/tools/hdparm.txt"),
        include_str!("fixtures/tools/ioping.txt"),
        include_str!("fixtures/tools/iozone.txt"),
        include_str!("fixtures/tools/iozone-throughput.txt"),
        include_str!("fixtures/tools/kdiskmark-3.txt"),
        include_str!("fixtures/tools/sysbench-1.0.txt"),
    ];

    /// The figures as they are told, each with its name.
    fn figures(importer: &Importer, text: &str) -> Option<BTreeSet<String>> {
        let tests = importer.read(&mut text.as_bytes(), &NAMED).ok()?;
        let told = tests.iter().flat_map(|test| {
            let figures = test.imported.figures.iter();
            figures
                .map(|one| format!("{} {:?} {} {}", test.id, one.direction, one.quantity, one.estimate.value))
        });
        Some(told.collect())
    }

    #[test]
    fn half_a_text_has_no_figure_that_the_whole_has_not() {
        let mut wrong = Vec::new();
        for text in TEXTS {
            let importer = detect(text.as_bytes(), &NAMED).unwrap();
            let whole = figures(importer, text).unwrap();
            for (at, _) in text.char_indices().skip(1).step_by(of_proof(7, 1)) {
                let Some(half) = figures(importer, &text[..at]) else { continue };
                if let Some(invented) = half.difference(&whole).next() {
                    let line = text[..at].lines().last().unwrap_or("");
                    wrong.push(format!("{} at {at}: {invented}: {line}", importer.name));
                }
            }
        }
        assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
    }

    /// What has more digits than any number here may have is refused, or what is kept of it can be read back.
    #[test]
    fn numbers_of_many_digits_are_refused_or_kept() {
        let mut wrong = Vec::new();
        for text in TEXTS.into_iter().chain([include_str!("fixtures/tools/sysbench-0.5.txt")]) {
            let importer = detect(text.as_bytes(), &NAMED).unwrap();
            let ends = text
                .as_bytes()
                .windows(2)
                .enumerate()
                .filter(|(_, pair)| pair[0].is_ascii_digit() && !pair[1].is_ascii_digit());
            for (number, (at, _)) in ends.enumerate().step_by(of_proof(11, 1)) {
                let digits = "8".repeat([10, 20, 90][number % 3]);
                let longer = format!("{}{digits}{}", &text[..=at], &text[at + 1..]);
                let Ok(tests) = importer.read(&mut longer.as_bytes(), &NAMED) else { continue };
                for report in reports(tests, importer.name, &NAMED, "cardiograph") {
                    if let Err(error) =
                        cardiograph_core::json::from_json(cardiograph_core::json::to_json(&report))
                    {
                        let line = longer[..at].lines().last().unwrap_or("");
                        wrong.push(format!("{} at {at}: {error:?}: {line}", importer.name));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
    }

    /// A run whose output ends in a way that is known: of a half of it nothing is taken.
    #[test]
    fn a_run_that_was_cut_between_two_lines_is_refused() {
        let first_run = |text: &'static str| {
            // The second prompt begins another run.
            let second = text.match_indices("$ ").nth(1).map_or(text.len(), |(at, _)| at);
            &text[..text[..second].rfind('\n').map_or(second, |at| at + 1)]
        };
        let (table, _) = include_str!("fixtures/tools/iozone.txt").split_once("$ iozone").unwrap();
        let (posted, current) =
            include_str!("fixtures/tools/iozone-throughput.txt").split_once("\nAnd in the form").unwrap();
        for text in [
            include_str!("fixtures/tools/crystaldiskmark-3.txt"),
            include_str!("fixtures/tools/crystaldiskmark-8.txt"),
            include_str!("fixtures/tools/kdiskmark-3.txt"),
            first_run(include_str!("fixtures/tools/hdparm.txt")),
            first_run(include_str!("fixtures/tools/ioping.txt")),
            table,
            posted,
            current,
            include_str!("fixtures/tools/sysbench-0.4.txt"),
            first_run(include_str!("fixtures/tools/sysbench-0.5.txt")),
            first_run(include_str!("fixtures/tools/sysbench-1.0.txt")),
        ] {
            let importer = detect(text.as_bytes(), &NAMED).unwrap();
            let whole = figures(importer, text).unwrap();
            assert!(!whole.is_empty());
            for (at, _) in text.match_indices('\n') {
                let half = &text[..=at];
                let taken = figures(importer, half);
                assert!(taken.is_none_or(|taken| taken == whole), "{}:\n{half}", importer.name);
            }
        }
    }

    #[test]
    fn a_run_that_was_cut_within_a_line_is_refused() {
        for (text, len_bytes, expected) in [
            (include_str!("fixtures/tools/iozone.txt"), 910, "line 22: the row has 4 figures"),
            (include_str!("fixtures/tools/iozone-throughput.txt"), 828, "line 22: below this line the rest"),
            (
                include_str!("fixtures/tools/sysbench-0.4.txt"),
                755,
                "line 15: behind this the latencies have no min",
            ),
        ] {
            let half = &text[..len_bytes];
            let importer = detect(half.as_bytes(), &NAMED).unwrap();
            let problems = importer.read(&mut half.as_bytes(), &NAMED).unwrap_err().to_string();
            assert!(problems.starts_with(expected), "{problems}");
        }
    }

    #[test]
    fn a_text_without_a_newline_at_its_end_is_read() {
        for text in TEXTS {
            let importer = detect(text.as_bytes(), &NAMED).unwrap();
            let last = text.trim_end();
            let whole = figures(importer, text);
            match importer.read(&mut last.as_bytes(), &NAMED) {
                Ok(_) => assert_eq!(figures(importer, last), whole),
                Err(problems) => {
                    let line = last.lines().last().unwrap_or("");
                    let lines = last.lines().count();
                    assert!(line.ends_with(|c: char| c.is_ascii_digit()), "{problems}: {line}");
                    assert_eq!(problems.to_string(), format!("line {lines}: {}", super::WITHIN_A_NUMBER));
                    let expected = ["fio-batch", "bonnie", "iozone"];
                    assert!(expected.contains(&importer.name), "{}: {line}", importer.name);
                }
            }
        }
    }
}
