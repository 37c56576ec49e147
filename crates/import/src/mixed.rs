//! Whether a text has results of several formats: the one that reads it would leave out the others.

use cardiograph_core::quantity::Quantity;

use super::{IMPORTERS, ImportProblem, ImportedTest, Importer, Named, Reading};

/// How far a figure may be off that is told with three digits, as a share.
const ROUNDED: f64 = 0.02;
/// How far a speed may be off that is told in whole KiB/s.
const ROUNDED_BYTES_PER_S: f64 = 1_024.0;

/// A problem where something in a text that `chosen` has read `tests` from is of another importer, and not told by these.
pub(super) fn problem(
    chosen: &Importer,
    text: &str,
    named: &Named,
    tests: &[ImportedTest],
) -> Option<ImportProblem> {
    // Where there is nothing at all, that is what is wrong.
    if tests.is_empty() {
        return None;
    }
    IMPORTERS.iter().filter(|other| other.name != chosen.name).find_map(|other| {
        let Reading::Whole(read) = other.reading else { return None };
        let line = (other.recognise)(text, named)?;
        let are_of_fio = [chosen, other].iter().all(|importer| importer.name.starts_with("fio-"));
        let is_told = read(text, named).is_ok_and(|found| {
            found.iter().all(|one| are_of_fio && tests.iter().any(|test| is_the_same(test, one)))
        });
        let message = format!(
            "this is of {}, and the text is read as {}: put each format into a file of its own",
            other.name, chosen.name
        );
        (!is_told).then(|| ImportProblem::at(line, message))
    })
}

/// Whether two tests are one job of fio's, which writes several formats at once if it is asked to.
fn is_the_same(one: &ImportedTest, other: &ImportedTest) -> bool {
    let of = |test: &ImportedTest, like: &cardiograph_core::imported::Figure| {
        let figures = test.imported.figures.iter();
        let mut alike =
            figures.filter(|figure| (figure.direction, figure.quantity) == (like.direction, like.quantity));
        alike.next().map(|figure| figure.estimate.value)
    };
    one.id == other.id
        && other.imported.figures.iter().all(|figure| {
            let (Some(known), told) = (of(one, figure), figure.estimate.value) else { return true };
            let off = (known - told).abs();
            match figure.quantity {
                Quantity::Ios => off == 0.0,
                Quantity::Iops => off <= (ROUNDED * known).max(1.0),
                Quantity::Bandwidth => off <= (ROUNDED * known).max(ROUNDED_BYTES_PER_S),
                _ => true,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::super::detect;
    use super::*;

    const NAMED: Named = Named { place: "out.txt" };
    const NORMAL: &str = include_str!("fixtures/pi5/microsd-fsync.txt");
    const OTHER_NORMAL: &str = include_str!("fixtures/pi5/ssd-fsync.txt");
    const DD: &str = include_str!("fixtures/tools/dd.txt");
    const JSON: &str = include_str!("fixtures/fio/3.33-same-run.json");
    /// A text of each format that can stand beside others, with its name.
    const TEXTS: [(&str, &str); 12] = [
        ("fio-json", JSON),
        ("fio-normal", NORMAL),
        ("fio-terse", include_str!("fixtures/fio/3.33-same-run.terse")),
        ("fio-batch", include_str!("fixtures/fio/cards-2013.txt")),
        ("hdparm", include_str!("fixtures/tools/hdparm.txt")),
        ("dd", DD),
        ("iozone", include_str!("fixtures/tools/iozone.txt")),
        ("ioping", include_str!("fixtures/tools/ioping.txt")),
        ("bonnie", include_str!("fixtures/tools/bonnie-2.00.txt")),
        ("sysbench", include_str!("fixtures/tools/sysbench-1.0.txt")),
        ("crystaldiskmark", include_str!("fixtures/tools/crystaldiskmark-8.txt")),
        ("kdiskmark", include_str!("fixtures/tools/kdiskmark-3.txt")),
    ];

    fn read(text: &str) -> Result<usize, String> {
        let importer = detect(text.as_bytes(), &NAMED).unwrap();
        let tests = importer.read(&mut text.as_bytes(), &NAMED);
        tests.map(|tests| tests.len()).map_err(|problems| problems.to_string())
    }

    /// Whichever comes first, and whichever reads it.
    #[test]
    fn two_formats_are_refused() {
        for (name, first) in TEXTS {
            assert!(read(first).is_ok(), "{name}");
            for (other, second) in TEXTS.iter().filter(|(other, _)| *other != name) {
                // What fio writes of one run in several formats is one result.
                let of_one_run = [name, other].iter().all(|name| ["fio-json", "fio-terse"].contains(name));
                let text = format!("{first}\n{second}");
                match read(&text) {
                    Ok(_) => assert!(of_one_run, "{name} and {other}"),
                    Err(why) => assert!(why.contains("line ") && !of_one_run, "{name} and {other}: {why}"),
                }
            }
        }
        let yabs = include_str!("fixtures/tools/yabs.json");
        assert!(read(&format!("{DD}{yabs}")).is_err_and(|why| why.contains("this is of yabs")));
    }

    #[test]
    fn what_is_there_beside_is_told_with_its_line() {
        let at =
            NORMAL.lines().count() + DD.lines().position(|line| line.contains("+0 records")).unwrap() + 1;
        assert_eq!(
            read(&format!("{NORMAL}{DD}")).unwrap_err(),
            format!(
                "line {at}: this is of dd, and the text is read as fio-normal: put each format into a file of its own"
            )
        );
    }

    /// A command line is no result: people prepare files with other programs.
    #[test]
    fn commands_of_other_programs_are_no_results() {
        let commands =
            "$ dd if=/dev/zero of=file bs=1M count=64\n$ ioping -c 5 .\n$ sudo hdparm -t /dev/sda\n";
        assert_eq!(read(&format!("{commands}{NORMAL}{commands}")), read(NORMAL));
    }

    #[test]
    fn several_formats_of_one_run_are_one_result_and_of_two_runs_are_not() {
        for text in [
            include_str!("fixtures/fio/3.42-json-and-normal.txt"),
            &format!("{JSON}{}", include_str!("fixtures/fio/3.33-same-run.txt")),
            &format!("{}{}", include_str!("fixtures/fio/3.33-same-run.txt"), TEXTS[2].1),
        ] {
            assert!(read(text).is_ok(), "{:?}", read(text));
        }
        assert!(read(&format!("{JSON}{OTHER_NORMAL}")).is_err());
        // Of the same job, but of another run.
        let again = include_str!("fixtures/fio/3.33-same-run.txt")
            .replace("issued rwts: total=", "issued rwts: total=1");
        assert!(read(&format!("{JSON}{again}")).is_err());
    }
}
