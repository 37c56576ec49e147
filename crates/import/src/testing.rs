//! For tests of importers: what they read, flat, and what holds for all of them.

use std::collections::BTreeMap;

use cardiograph_core::json;
use cardiograph_core::rng::Rng;
use cardiograph_judge::record::RunFigures;
use cardiograph_testing::of_proof;

use super::{ImportedTest, Importer, Named, detect, reports};

const NAMED: Named = Named { place: "out.txt" };

/// The tests that a text has. Cut off after any line, or in the middle of it, the text gives tests or problems, and nothing
/// worse; and nobody else recognises it.
pub(super) fn all_lines_of(importer: &Importer, text: &str) -> Vec<ImportedTest> {
    let read = |text: &str| importer.read(&mut text.as_bytes(), &NAMED);
    // After each line, and at other places that fall where they may.
    for (_, (at, _)) in
        text.char_indices().enumerate().filter(|(count, (_, c))| *c == '\n' || count % of_proof(199, 23) == 0)
    {
        let _ = read(&text[..at]);
        let _ = read(&text[at..]);
    }
    // Signs that mean something to somebody stand where they should not.
    let mut rng = Rng::new(7);
    let signs: Vec<char> = "0919.,:;-+=e/%|[](){}<>\"\\ \n\t\0kMGµ日".chars().collect();
    let letters: Vec<char> = text.chars().collect();
    for _ in 0..of_proof(20, 100) {
        let mut broken = letters.clone();
        for _ in 0..=rng.below(4) {
            let at = rng.below(broken.len() as u64) as usize;
            broken[at] = signs[rng.below(signs.len() as u64) as usize];
        }
        let _ = read(&broken.into_iter().collect::<String>());
    }
    let detected = detect(text.as_bytes(), &NAMED).map(|found| found.name);
    assert_eq!(detected, Some(importer.name));
    // Windows' ends of lines are ends of lines.
    assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), read(text).unwrap());
    read(text).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The figures by drive (with its path), test, direction and name, as `mmcblk0 disk read.bandwidth`; `-` where no drive is told,
/// and `mmcblk0#2` in its second checkup.
pub(super) fn found(importer: &Importer, text: &str) -> BTreeMap<String, f64> {
    let tests = all_lines_of(importer, text);
    let mut found = BTreeMap::new();
    let mut checkups: BTreeMap<String, u32> = BTreeMap::new();
    for report in reports(tests, importer.name, &NAMED, "cardiograph") {
        assert_eq!(json::from_json(json::to_json(&report)).as_ref(), Ok(&report));
        let drive = report.drive.leaves.first().map_or("-", |leaf| leaf.name.as_str());
        let path = Some(&report.drive.path)
            .filter(|path| !path.is_empty() && **path != drive)
            .map(|path| format!(":{path}"));
        let drive = format!("{drive}{}", path.unwrap_or_default());
        let number = checkups.entry(drive.clone()).and_modify(|number| *number += 1).or_insert(1);
        let drive = if *number > 1 { format!("{drive}#{number}") } else { drive };
        for test in RunFigures::of(&report).tests {
            for figure in &test.figures {
                let direction =
                    figure.direction.map_or(String::new(), |direction| format!("{}.", direction.name()));
                let name = format!("{drive} {} {direction}{}", test.test, figure.quantity);
                assert!(figure.estimate.value.is_finite() && figure.estimate.value >= 0.0, "{name}");
                assert_eq!(found.insert(name.clone(), figure.estimate.value), None, "{name}");
            }
        }
    }
    found
}

/// What is wrong with a text.
pub(super) fn problems_of(importer: &Importer, text: &str) -> String {
    match importer.read(&mut text.as_bytes(), &NAMED) {
        Ok(tests) => panic!("it was read: {tests:#?}"),
        Err(problems) => problems.to_string(),
    }
}
