//! The passport: facts on drives that need no measurement.
//!
//! Each drive has a page: its identity, the claims of its registers, its connection, the layers above it, the
//! machine. Each section is a file; unknown facts are left out, unless a user can do something about it.

mod card;
mod controller;
mod file_system;
mod health;
mod identity;
mod link;
mod machine;
mod partition_type;
mod queue;
mod raspberry_pi;
mod segments;
mod stack;
mod unknown;
mod virtual_disk;

use cardiograph_core::drive::{Drive, Environment, Host, Leaf, Passport};
use cardiograph_core::{Message, Parameter, Report, message};

use super::report::source;
use super::{Doc, Fact, Node, Section, words};

/// A page for each drive of a passport, the machine, and measurement warnings.
pub fn passport(passport: &Passport) -> Doc {
    let heading = |leaf: &Leaf| Message::joined(words::leaf(leaf));
    let mut doc = Doc::untitled(sections(&passport.drives, heading, &passport.host, &passport.environment));
    doc.nodes.extend(super::warnings(passport).nodes);
    doc
}

/// A Report's facts on its drive and machine.
pub(crate) fn report_nodes(report: &Report) -> Vec<Node> {
    // An imported drive is known only by its name in the source.
    let heading = |leaf: &Leaf| match report.source {
        Some(_) => source::leaf(leaf),
        None => Message::joined(words::leaf(leaf)),
    };
    let drives = std::slice::from_ref(&report.drive);
    let mut sections = sections(drives, heading, &report.host, &report.environment);
    sections.retain(|node| !matches!(node, Node::Section(section) if section.nodes.is_empty()));
    sections
}

fn sections(
    drives: &[Drive],
    heading: impl Fn(&Leaf) -> Message,
    host: &Host,
    environment: &Environment,
) -> Vec<Node> {
    let drive_section = |drive: &Drive| {
        let above = [stack::section(drive), file_system::section(drive)].into_iter().flatten();
        let identity = identity(drive, &heading);
        identity.into_iter().chain(card::sections(drive)).chain(above).collect::<Vec<_>>()
    };
    let machine = [machine::section(host, environment), raspberry_pi::section(host)];
    drives.iter().flat_map(drive_section).chain(machine.into_iter().flatten()).collect()
}

/// A section for each drive at the bottom, or one if there are none.
fn identity(drive: &Drive, heading: impl Fn(&Leaf) -> Message) -> Vec<Node> {
    let mut sections: Vec<(Message, Vec<Fact>)> =
        drive.leaves.iter().map(|leaf| (heading(leaf), identity::facts(leaf))).collect();
    if sections.is_empty() {
        let kind = Message::joined(words::drive(drive));
        sections.push((message!("drive-of", path = &drive.path, drive = kind), Vec::new()));
    }
    let mounted = mount_points(drive).map(|points| Fact::new(message!("drive-label.mounted-at"), points));
    sections.iter_mut().next_back().into_iter().for_each(|(_, facts)| facts.extend(mounted.clone()));
    let section = |(heading, facts): (Message, Vec<Fact>)| {
        Node::Section(Section { id: "drive", heading, is_folded: false, nodes: Node::from_facts(facts) })
    };
    sections.into_iter().map(section).collect()
}

/// The drives of a passport as a list, with the names and ids for other commands.
pub fn drives(passport: &Passport) -> Doc {
    if passport.drives.is_empty() {
        return Doc::untitled(vec![Node::paragraph(vec![
            message!("drives-none.seen"),
            message!("drives-none.container"),
        ])]);
    }
    let facts = passport.drives.iter().flat_map(entry).flatten().collect();
    let hints = vec![message!("drives-next.passport"), message!("drives-next.check")];
    Doc::untitled(vec![Node::Facts(facts), Node::paragraph(hints)])
}

/// A drive in the list.
fn entry(drive: &Drive) -> [Option<Fact>; 2] {
    let ids = drive.leaves.iter().filter_map(|leaf| leaf.id.as_ref()).map(|id| message!("drives-id", id));
    let mounted = mount_points(drive).map(|points| message!("drives-mounted", points));
    [
        Fact::from_phrases(Message::verbatim(&drive.path), words::drive(drive)),
        Fact::further(ids.chain(mounted)),
    ]
}

fn mount_points(drive: &Drive) -> Option<Message> {
    const SHOWN_MAX: usize = 6;
    let (shown, rest) = drive.mounted_at.split_at(drive.mounted_at.len().min(SHOWN_MAX));
    let rest = (!rest.is_empty()).then(|| message!("drive-mounts-more", places = rest.len()).into());
    let points = shown.iter().map(Parameter::from).chain(rest);
    (!shown.is_empty()).then(|| Message::quantity(Parameter::all(points)))
}

#[cfg(test)]
mod tests {

    use super::super::terminal;
    use super::*;
    use crate::lang::Lang;
    use crate::samples;
    use crate::text::Style;
    use crate::text::layout::width;

    fn page(drive: Drive, columns: usize) -> String {
        let doc = passport(&samples::passport(vec![drive]));
        terminal::render(&doc, Lang::EN, &Style { width: columns, color: false })
    }

    fn list(drives: Vec<Drive>, columns: usize) -> String {
        let doc = super::drives(&samples::passport(drives));
        terminal::render(&doc, Lang::EN, &Style { width: columns, color: false })
    }

    #[test]
    fn pages_of_drives() {
        for (name, drive) in samples::named_drives() {
            cardiograph_testing::check_golden!(&format!("passport-{name}.txt"), &page(drive, 80));
        }
    }

    #[test]
    fn a_list_of_drives() {
        let drives: Vec<Drive> = samples::named_drives().into_iter().map(|(_, drive)| drive).collect();
        cardiograph_testing::check_golden!("passport-list.txt", &list(drives, 80));
        assert!(list(Vec::new(), 40).starts_with("No drive is visible here"));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for (name, drive) in samples::named_drives() {
            for columns in [40, 60, 80] {
                let page = page(drive.clone(), columns);
                let widest = page.lines().map(width).max().unwrap();
                assert!(widest <= columns, "{name} at {columns}: {widest}\n{page}");
            }
        }
    }

    #[test]
    fn a_page_in_japanese() {
        let (_, drive) = samples::named_drives().remove(0);
        let doc = passport(&samples::passport(vec![drive]));
        let page = terminal::render(&doc, Lang::JA, &Style { width: 80, color: false });
        cardiograph_testing::check_golden!("passport-ja.txt", &page);
    }

    /// Possible names of drives, labels and volumes.
    const ODD_NAMES: [&str; 6] = [
        "\u{1b}[2J\u{1b}]0;title\u{7}",
        "line\nbreak\r\ttab",
        "\u{202e}desrever\u{2066}",
        "\u{30ab}\u{30fc}\u{30c9}\u{5927}\u{5bb9}\u{91cf}",
        "e\u{301}\u{200b}\u{1f4be}",
        "\u{85}\u{9b}31m\u{0}",
    ];

    #[test]
    fn odd_names_do_not_control_the_terminal_or_break_columns() {
        for (name, drive) in samples::named_drives() {
            for odd in ODD_NAMES {
                let mut drive = drive.clone();
                drive.path = format!("/mnt/{odd}");
                drive.mounted_at = vec![odd.to_string()];
                for leaf in &mut drive.leaves {
                    for text in [
                        &mut leaf.model,
                        &mut leaf.vendor,
                        &mut leaf.serial,
                        &mut leaf.firmware,
                        &mut leaf.id,
                    ] {
                        *text = Some(odd.to_string());
                    }
                }
                for layer in &mut drive.layers {
                    layer.label = Some(odd.to_string());
                }
                if let Some(mount) = &mut drive.mount {
                    mount.source = odd.to_string();
                    mount.mount_point = odd.to_string();
                }
                for page in [page(drive.clone(), 60), list(vec![drive], 60)] {
                    let steering =
                        |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
                    assert!(!page.contains(steering), "{name} {odd:?}");
                    let widest = page.lines().map(width).max().unwrap();
                    assert!(widest <= 60, "{name} {odd:?}: {widest}\n{page}");
                    // The text after a label begins in the same column, whatever the label's width.
                    let column = page.lines().find_map(|line| line.find("/dev/")).unwrap_or_default();
                    let mut lines = page
                        .lines()
                        .filter(|line| line.starts_with("  Serial") || line.starts_with("  Firmware"));
                    assert!(
                        lines.all(|line| line[..column].ends_with(' ') && !line[column..].starts_with(' ')),
                        "{page}"
                    );
                }
            }
        }
    }
}
