//! The passport: what is known of drives without measuring.
//!
//! A drive has a page: who it is, what its registers claim, what it is connected with, what lies above it, the machine.
//! Each section is a file; what is not known is left out, unless a user can do something about it.

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

use cardiograph_core::Report;
use cardiograph_core::drive::{Drive, Environment, Host, Passport};

use super::layout::{Page, Style, joined, listed, pad_end, plain};
use super::{imported, traps, words};

/// Columns of the words on the left, with the indent before them.
const LABEL_COLUMNS: usize = 16;
/// Columns of a word that is explained behind it.
const WORD_COLUMNS: usize = 5;

/// What a passport says, in the order in which it is read.
const SECTIONS: &[fn(&Drive, &mut Rows)] = &[identity::rows, card::rows, stack::rows, file_system::rows];

/// A page for each drive of a passport, and the machine.
pub fn passport(passport: &Passport, style: &Style) -> String {
    let mut page = Page::new(style);
    rows(&passport.drives, &passport.host, &passport.environment)
        .0
        .iter()
        .for_each(|part| part.write(&mut page));
    traps::write(&mut page, &passport.traps);
    page.into_text()
}

fn rows(drives: &[Drive], host: &Host, environment: &Environment) -> Rows {
    let mut rows = Rows::default();
    for drive in drives {
        SECTIONS.iter().for_each(|section| section(drive, &mut rows));
    }
    machine::rows(host, environment, &mut rows);
    raspberry_pi::rows(host, &mut rows);
    rows
}

/// What a Report knows of its drive and machine, section by section.
pub(crate) fn facts(report: &Report) -> Vec<Facts> {
    let Rows(mut facts) = rows(std::slice::from_ref(&report.drive), &report.host, &report.environment);
    // Of an imported drive nothing is known but what its source calls it. Its section is the first, or there are several.
    if report.source.is_some() {
        facts.iter_mut().zip(&report.drive.leaves).for_each(|(part, leaf)| part.head = imported::leaf(leaf));
    }
    facts.retain(|part| !part.rows.is_empty());
    facts
}

/// The drives of a passport as a list, with the names and ids that other commands take.
pub fn drives(passport: &Passport, style: &Style) -> String {
    let mut page = Page::new(style);
    passport.drives.iter().for_each(|drive| entry(drive, &mut page));
    if passport.drives.is_empty() {
        page.paragraph("No drive can be seen here. In a container that is so when /sys is not shown to it.");
    } else {
        page.gap();
        page.prose("", "More of one: cardiograph drive DEVICE. Measured: cardiograph check PATH.");
    }
    page.into_text()
}

/// A drive in the list.
fn entry(drive: &Drive, page: &mut Page) {
    let ids = drive.leaves.iter().filter_map(|leaf| leaf.id.as_ref());
    let mounted = mount_points(drive).map(|points| format!("mounted at {points}"));
    let more = ids.map(|id| format!("id {}", plain(id))).chain(mounted);
    page.prose(&pad_end(&plain(&drive.path), LABEL_COLUMNS), &words::drive(drive));
    joined([more], ", ").iter().for_each(|more| page.quiet_prose(&" ".repeat(LABEL_COLUMNS), more));
}

fn mount_points(drive: &Drive) -> Option<String> {
    const SHOWN_MAX: usize = 6;
    let (shown, rest) = drive.mounted_at.split_at(drive.mounted_at.len().min(SHOWN_MAX));
    let mut shown: Vec<String> = shown.iter().map(|point| plain(point)).collect();
    if !rest.is_empty() {
        shown.push(format!("{} more places", rest.len()));
    }
    (!shown.is_empty()).then(|| listed(&shown))
}

/// Labelled facts, section by section.
#[derive(Default)]
struct Rows(Vec<Facts>);

/// A section of a passport: its head and its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    pub head: String,
    pub rows: Vec<Fact>,
}

/// A label and what it stands before. A remark, and what goes on with the fact above, has no label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fact {
    pub label: String,
    /// A word that the text explains; may be empty.
    word: String,
    text: String,
}

impl Rows {
    /// The head of a section.
    fn head(&mut self, text: &str) {
        self.0.push(Facts { head: text.to_string(), rows: Vec::new() });
    }

    /// A fact.
    fn row(&mut self, label: &str, text: &str) {
        self.explained(label, "", text);
    }

    /// A fact, where there is one.
    fn row_of(&mut self, label: &str, text: Option<impl AsRef<str>>) {
        text.iter().for_each(|text| self.row(label, text.as_ref()));
    }

    /// A word that a text explains: further lines begin below the text.
    fn explained(&mut self, label: &str, word: &str, text: &str) {
        let [label, word, text] = [label, word, text].map(str::to_string);
        if let Some(part) = self.0.last_mut() {
            part.rows.push(Fact { label, word, text });
        }
    }

    /// A remark on what stands above.
    fn remark(&mut self, text: &str) {
        self.row("", text);
    }
}

impl Facts {
    fn write(&self, page: &mut Page) {
        page.head(&self.head);
        for Fact { label, word, text } in &self.rows {
            let label_columns = pad_end(&format!("  {label}"), LABEL_COLUMNS);
            match (label.as_str(), word.as_str()) {
                ("", "") => page.paragraph(text),
                (_, "") => page.prose(&label_columns, text),
                _ => page.prose(&format!("{label_columns}{}", pad_end(word, WORD_COLUMNS)), text),
            }
        }
    }
}

impl Fact {
    /// What stands behind the label.
    pub(crate) fn words(&self) -> String {
        if self.word.is_empty() { self.text.clone() } else { format!("{}: {}", self.word, self.text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn page(drive: Drive, width: usize) -> String {
        passport(&samples::passport(vec![drive]), &Style { width, color: false })
    }

    fn list(drives: Vec<Drive>, width: usize) -> String {
        super::drives(&samples::passport(drives), &Style { width, color: false })
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
        assert!(list(Vec::new(), 40).starts_with("No drive can be seen here"));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for (name, drive) in samples::named_drives() {
            for width in [40, 60, 80] {
                let page = page(drive.clone(), width);
                let widest = page.lines().map(super::super::layout::width).max().unwrap();
                assert!(widest <= width, "{name} at {width}: {widest}\n{page}");
            }
        }
    }

    /// Names as drives, labels and volumes can have them.
    const ODD_NAMES: [&str; 6] = [
        "\u{1b}[2J\u{1b}]0;title\u{7}",
        "line\nbreak\r\ttab",
        "\u{202e}desrever\u{2066}",
        "\u{30ab}\u{30fc}\u{30c9}\u{5927}\u{5bb9}\u{91cf}",
        "e\u{301}\u{200b}\u{1f4be}",
        "\u{85}\u{9b}31m\u{0}",
    ];

    #[test]
    fn odd_names_steer_no_terminal_and_keep_to_the_columns() {
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
                    let widest = page.lines().map(super::super::layout::width).max().unwrap();
                    assert!(widest <= 60, "{name} {odd:?}: {widest}\n{page}");
                    // What follows a label begins in the same column, whatever the label takes.
                    let told = page
                        .lines()
                        .filter(|line| line.starts_with("  Serial") || line.starts_with("  Firmware"));
                    assert!(told.clone().all(|line| line.as_bytes()[LABEL_COLUMNS - 1] == b' '), "{page}");
                }
            }
        }
    }
}
