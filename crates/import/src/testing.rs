//! Test helpers for importers: flat results, and checks that apply to all.

use std::collections::BTreeMap;

use cardiograph_core::json;
use cardiograph_core::rng::Rng;
use cardiograph_judge::record::RunFigures;
use cardiograph_testing::part_or_all;

use super::{ImportedTest, Importer, Named, detect, reports};

const NAMED: Named = Named { place: "out.txt" };

/// The tests in a text. Also checks that the text, truncated anywhere, gives tests or problems without a panic, and
/// that no other importer recognises it.
pub(super) fn check_importer(importer: &Importer, text: &str) -> Vec<ImportedTest> {
    let read = |text: &str| importer.read(&mut text.as_bytes(), &NAMED);
    // After each line, and at regular other positions.
    for (_, (at, _)) in text
        .char_indices()
        .enumerate()
        .filter(|(count, (_, c))| *c == '\n' || count % part_or_all(199, 23) == 0)
    {
        let _ = read(&text[..at]);
        let _ = read(&text[at..]);
    }
    // Random significant characters in wrong positions.
    let mut rng = Rng::new(7);
    let characters: Vec<char> = "0919.,:;-+=e/%|[](){}<>\"\\ \n\t\0kMGµ日".chars().collect();
    let letters: Vec<char> = text.chars().collect();
    for _ in 0..part_or_all(20, 100) {
        let mut broken = letters.clone();
        for _ in 0..=rng.below(4) {
            let at = rng.below(broken.len() as u64) as usize;
            broken[at] = characters[rng.below(characters.len() as u64) as usize];
        }
        let _ = read(&broken.into_iter().collect::<String>());
    }
    let detected = detect(text.as_bytes(), &NAMED).map(|figures_by_name| figures_by_name.name);
    assert_eq!(detected, Some(importer.name));
    // CRLF is a line end, too.
    assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), read(text).unwrap());
    read(text).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The figures by drive (with its path), test, direction and name, such as `mmcblk0 disk read.bandwidth`; `-` for an
/// unknown drive, and `mmcblk0#2` in its second checkup.
pub(super) fn figures_by_name(importer: &Importer, text: &str) -> BTreeMap<String, f64> {
    let tests = check_importer(importer, text);
    let mut figures_by_name = BTreeMap::new();
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
        for test in RunFigures::from_report(&report).tests {
            for figure in &test.figures {
                let direction =
                    figure.direction.map_or(String::new(), |direction| format!("{}.", direction.name()));
                let name = format!("{drive} {} {direction}{}", test.test, figure.quantity);
                assert!(figure.estimate.value.is_finite() && figure.estimate.value >= 0.0, "{name}");
                assert_eq!(figures_by_name.insert(name.clone(), figure.estimate.value), None, "{name}");
            }
        }
    }
    figures_by_name
}

/// The problems of a text.
pub(super) fn problems_of(importer: &Importer, text: &str) -> String {
    match importer.read(&mut text.as_bytes(), &NAMED) {
        Ok(tests) => panic!("it was read: {tests:#?}"),
        Err(problems) => problems.to_string(),
    }
}
