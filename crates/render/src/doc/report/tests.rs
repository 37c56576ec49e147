use cardiograph_core::Parameter;
use cardiograph_core::imported::Source;
use cardiograph_import::shelf;

use super::*;
use crate::doc::{Item, Section};
use crate::lang::Lang;
use crate::samples;

#[test]
fn every_size_has_the_content_of_the_report() {
    for sample in samples::all() {
        let (report, article, page) = (report(&sample), article(&sample), page(&sample));
        for node in &report.nodes {
            assert!(article.nodes.contains(node), "{node:?}");
            // In a page verdicts have all limits, and warnings all checks.
            let Node::Section(section) = node else { continue };
            let in_page = page.nodes.iter().find_map(|other| match other {
                Node::Section(other) if other.id == section.id => Some(other),
                _ => None,
            });
            let in_page = in_page.unwrap_or_else(|| panic!("{}", section.id));
            let items = |section: &Section| -> Vec<Item> {
                let items = section.nodes.iter().filter_map(|node| match node {
                    Node::Items(items) => Some(items.clone()),
                    _ => None,
                });
                items.flatten().collect()
            };
            let is_shown = |node: &Node| match node {
                // Purposes without a verdict are only among the limits.
                Node::Items(all) if section.id == "verdicts" => {
                    let judged = all.iter().filter(|item| item.tone.is_some());
                    judged.eq(items(in_page).iter())
                }
                node => in_page.nodes.contains(node),
            };
            assert!(section.nodes.iter().all(is_shown), "{}", section.id);
        }
    }
}

#[test]
fn an_import_has_the_drive_named_by_its_source() {
    let is_sample = |report: &&Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
    let published = shelf::reports().iter().find(is_sample).unwrap();
    assert!(!published.drive.leaves.is_empty());
    let drive = source::drive(published).unwrap();
    let label = Parameter::from("SanDisk Ultra 64GB");
    assert_eq!(title::title(published), message!("history-labelled", label, drive));
    let unknown = Source { place: "-".to_string(), ..Source::default() };
    assert_eq!(source::location(&unknown), message!("source-standard-input"));
}

#[test]
fn tags_come_last() {
    let tags = [("board", "Pi 5"), ("price", "980JPY")].map(|(name, value)| (name.into(), value.into()));
    let tagged = Report { tags: tags.into_iter().collect(), ..samples::card() };
    let run = Lang::EN.sentences(match &report(&tagged).nodes[0] {
        Node::Paragraph(paragraph) => &paragraph.text,
        other => panic!("{other:?}"),
    });
    assert!(run.ends_with(", board=Pi 5, price=980JPY"), "{run}");
}
