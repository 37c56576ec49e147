//! The shelf: published results, as a list and as their tables, and the ranks of drives among them. Quoted
//! text stays verbatim.

use std::collections::BTreeMap;

use cardiograph_core::method::TOOL;
use cardiograph_core::published::{
    Other, Published, PublishedCell, PublishedColumn, PublishedRow, PublishedTable, Ranking, Standing,
};
use cardiograph_core::text::unique;
use cardiograph_core::{Message, message};

use super::{Cell, Column, Doc, Fact, Item, Node, Row, Table};
use crate::method;
use crate::published::ranked;
use crate::text::layout::mark;

/// Number of neighbours shown on each side, unless all are shown.
const NEIGHBOURS: usize = 2;

/// The publications of the shelf, an entry each: the name first, in the form that other commands take.
pub fn shelf(sources: &[Published]) -> Doc {
    let entry = |source: &Published| {
        let counts = [
            message!("shelf-list.drives", drives = source.drive_names().len()),
            match source.figure_count() {
                0 => message!("shelf-list.no-figures"),
                figures => message!("shelf-list.figures", figures),
            },
        ];
        let first = Fact::new(Message::verbatim(&source.name), Message::verbatim(&source.title));
        let texts = std::iter::once(&source.program).chain(&source.author).chain(&source.date);
        [Some(first), Fact::further(counts.into_iter().chain(texts.map(Message::verbatim)))]
    };
    let facts = sources.iter().flat_map(entry).flatten().collect();
    Doc::untitled(vec![Node::Facts(facts), Node::paragraph(message!("shelf-list.next"))])
}

/// Whole publications, one below the other; a single one is titled.
pub fn shelf_sources(sources: &[Published]) -> Doc {
    if let [source] = sources {
        return shelf_source(source);
    }
    let section = |source: &Published| {
        Node::section("source", Message::verbatim(&source.title), shelf_source(source).nodes)
    };
    Doc::untitled(sources.iter().filter_map(section).collect())
}

/// A whole publication: its origin, its method, and its tables.
pub fn shelf_source(source: &Published) -> Doc {
    let known = |label, value: &Option<String>| Some(Fact::new(label, Message::verbatim(value.as_ref()?)));
    let origin = [
        known(message!("shelf-source.author"), &source.author),
        known(message!("shelf-source.date"), &source.date),
        known(message!("shelf-source.place"), &source.place),
        Some(Fact::new(message!("shelf-source.preconditioning"), source.preconditioning.message())),
    ];
    let mut nodes = Vec::new();
    let origin: Vec<Fact> = origin.into_iter().flatten().collect();
    nodes.extend((!origin.is_empty()).then_some(Node::Facts(origin)));
    let test = |(id, test): (&String, &cardiograph_core::published::PublishedTest)| Item {
        more: test.command.iter().map(Message::verbatim).collect(),
        ..Item::new(Message::verbatim(id), vec![test.title.clone()])
    };
    let tests: Vec<Item> = source.tests.iter().map(test).collect();
    let tests = if tests.is_empty() { Vec::new() } else { vec![Node::Items(tests)] };
    nodes.extend(Node::section("tests", message!("shelf-source.tests"), tests));
    let drive = |(name, facts)| Fact {
        value: listed(facts),
        ..Fact::new(Message::verbatim(name), Message::default())
    };
    let heading = match source.tables.is_empty() {
        true => message!("shelf-source.drives-only"),
        false => message!("shelf-source.drives"),
    };
    nodes.extend(Node::facts("drives", heading, source.drives.iter().map(drive).collect()));
    nodes.extend(source.tables.iter().filter_map(|table| published_table(table, source)));
    let notes = source.readings.iter().chain(&source.notes).map(|note| Node::paragraph(note.clone()));
    nodes.extend(Node::section("notes", message!("shelf-source.notes"), notes.collect()));
    Doc { title: Some(Message::verbatim(&source.title)), nodes }
}

/// Names and values of tags.
type Tags<'p> = Vec<(&'p String, &'p String)>;

/// Facts or conditions: `board Raspberry Pi 5`, `kind SATA SSD`.
fn listed<'p>(facts: impl IntoIterator<Item = (&'p String, &'p String)>) -> Vec<Message> {
    let phrase = |(name, value): (&String, &String)| message!("shelf-condition", name = tag(name), value);
    facts.into_iter().map(phrase).collect()
}

/// The name of a condition; one that is not among these is shown as the source has it.
fn tag(name: &str) -> Message {
    match name {
        "app_class" => message!("shelf-tag.app-class"),
        "board" => message!("shelf-tag.board"),
        "bus" => message!("shelf-tag.bus"),
        "bus_mode" => message!("shelf-tag.bus-mode"),
        "capacity" => message!("shelf-tag.capacity"),
        "command_queue" => message!("shelf-tag.command-queue"),
        "controller" => message!("shelf-tag.controller"),
        "file_system" => message!("shelf-tag.file-system"),
        "kind" => message!("shelf-tag.kind"),
        "model" => message!("shelf-tag.model"),
        "overclocked" => message!("shelf-tag.overclocked"),
        "raid" => message!("shelf-tag.raid"),
        "read_policy" => message!("shelf-tag.read-policy"),
        "reader" => message!("shelf-tag.reader"),
        "speed_class" => message!("shelf-tag.speed-class"),
        "ssd_controller" => message!("shelf-tag.ssd-controller"),
        "write_policy" => message!("shelf-tag.write-policy"),
        other => Message::verbatim(other.replace('_', " ")),
    }
}

/// A row's conditions, without facts of its drive.
fn conditions<'p>(row: &'p PublishedRow, drives: &BTreeMap<String, BTreeMap<String, String>>) -> Tags<'p> {
    let drive_facts = drives.get(&row.drive);
    let is_own =
        |&(name, value): &(&String, &String)| drive_facts.is_none_or(|facts| facts.get(name) != Some(value));
    row.tags.iter().filter(is_own).collect()
}

fn published_table(table: &PublishedTable, source: &Published) -> Option<Node> {
    let tags: Vec<Tags> = table.rows.iter().map(|row| conditions(row, &source.drives)).collect();
    let is_common = |tag: &(&String, &String)| tags.iter().all(|tags| tags.contains(tag));
    let common: Tags = tags.first().into_iter().flatten().copied().filter(is_common).collect();
    let remarks: Vec<Vec<Message>> =
        table.rows.iter().zip(&tags).map(|(row, tags)| remarks(table, row, tags, &common)).collect();
    let known = unique(remarks.iter().filter(|remarks| !remarks.is_empty()));
    let row = |(row, remarks): (&PublishedRow, &Vec<Message>)| {
        let place = known.iter().position(|known| *known == remarks);
        let drive = row.drive.as_str();
        let cell = |(cell, column): (&PublishedCell, &PublishedColumn)| {
            // The unit is only in the heading.
            let number = cell.text.strip_suffix(column.published.as_str()).unwrap_or(&cell.text);
            Cell::Text(Message::verbatim(number.trim()))
        };
        Row {
            name: match place {
                Some(place) => message!("shelf-row", drive, note = mark(place)),
                None => Message::verbatim(drive),
            },
            depth: 0,
            cells: row.cells.iter().zip(&table.columns).map(cell).collect(),
        }
    };
    let column = |PublishedColumn { heading, published, .. }: &PublishedColumn| {
        let text = match heading == published {
            true => Message::verbatim(heading),
            false => message!("shelf-column", heading = heading.as_str(), unit = published.as_str()),
        };
        Column::figures(text, 0)
    };
    let written = Node::Table(Table {
        caption: None,
        names: None,
        columns: table.columns.iter().map(column).collect(),
        rows: table.rows.iter().zip(&remarks).map(row).collect(),
        notes: Vec::new(),
    });
    let common = (!common.is_empty()).then(|| Node::paragraph(Message::joined(listed(common))));
    let note = |(place, remarks): (usize, &Vec<Message>)| {
        Item::new(Message::verbatim(format!("[{}]", mark(place))), vec![Message::joined(remarks.clone())])
    };
    let notes: Vec<Item> = known.iter().copied().enumerate().map(note).collect();
    let notes = (!notes.is_empty()).then_some(Node::Items(notes));
    let nodes = common.into_iter().chain([written]).chain(notes).collect();
    Node::section("table", Message::verbatim(&table.title), nodes)
}

/// The facts that distinguish a row, and remarks on it.
fn remarks(table: &PublishedTable, row: &PublishedRow, tags: &Tags<'_>, common: &Tags<'_>) -> Vec<Message> {
    let own = listed(tags.iter().copied().filter(|tag| !common.contains(tag)));
    let doubt = |(cell, column): (&PublishedCell, &PublishedColumn)| {
        let doubt = cell.doubt.as_ref()?;
        Some(message!("shelf-doubt", column = &column.heading, doubt = doubt.message()))
    };
    let doubts = row.cells.iter().zip(&table.columns).filter_map(doubt);
    own.into_iter().chain(row.note.clone()).chain(doubts).collect()
}

/// Each figure of drives with its rank among published ones: with `full` all ranks, else the neighbours.
pub fn standings(standings: &[Standing], full: bool) -> Doc {
    let by_test = standings.chunk_by(|one, next| (&one.drive, &one.test) == (&next.drive, &next.test));
    let section = |same_test: &[Standing]| {
        let first = &same_test[0];
        let heading =
            message!("shelf-standing.heading", drive = first.drive.as_str(), test = first.title.clone());
        Node::section(
            "standing",
            heading,
            same_test.iter().flat_map(|standing| figure(standing, full)).collect(),
        )
    };
    Doc::untitled(by_test.filter_map(section).collect())
}

fn figure(standing: &Standing, full: bool) -> Vec<Node> {
    let name = || method::with_direction(Some(standing.direction), standing.quantity);
    let same = |Ranking { rank, of, .. }: &Ranking| {
        message!("shelf-standing.same", figure = name(), rank = *rank, of = *of)
    };
    let similar = |Ranking { rank, of, .. }: &Ranking| {
        message!("shelf-standing.similar", figure = name(), rank = *rank, of = *of)
    };
    let all = [(&standing.same, same(&standing.same)), (&standing.near, similar(&standing.near))];
    let is_ranked = |(ranking, _): &(&Ranking, Message)| !ranking.others.is_empty();
    all.into_iter()
        .filter(is_ranked)
        .map(|(ranking, caption)| ranking_table(standing, ranking, caption, full))
        .collect()
}

fn ranking_table(standing: &Standing, ranking: &Ranking, caption: Message, full: bool) -> Node {
    let is_shown = |(place, _): &(usize, _)| full || place.abs_diff(ranking.rank) <= NEIGHBOURS;
    let row = |(place, other): (usize, Option<&Other>)| {
        let value = |value| Cell::Value(method::value(standing.quantity, value));
        let list =
            |all: Vec<Message>| if all.is_empty() { Cell::Empty } else { Cell::Text(Message::joined(all)) };
        let cells = match other {
            None => {
                let own = message!("shelf-standing.own", drive = standing.drive.as_str());
                vec![value(standing.value), Cell::Text(own), Cell::Empty, Cell::Empty, Cell::Empty]
            }
            Some(other) => vec![
                value(other.value),
                Cell::Text(Message::verbatim(&other.drive)),
                Cell::Text(source(other)),
                list(listed(&other.tags)),
                list(method::differences(&other.differences)),
            ],
        };
        Row { name: Message::quantity(cardiograph_core::Parameter::from(place)), depth: 0, cells }
    };
    Node::Table(Table {
        caption: Some(caption),
        names: Some(message!("shelf-standing.place")),
        columns: vec![
            Column::figures(message!("shelf-standing.value"), 0),
            Column::text(message!("shelf-standing.drive"), 1),
            Column::text(message!("shelf-standing.source"), 2),
            Column::text(message!("shelf-standing.conditions"), 3),
            Column::text(message!("shelf-standing.differences"), 4),
        ],
        rows: ranked(ranking).filter(is_shown).map(row).collect(),
        notes: Vec::new(),
    })
}

/// The origin of a figure; fio jobs are from cardiograph itself.
fn source(other: &Other) -> Message {
    match other.tool.as_str() {
        "fio" | TOOL => Message::verbatim(&other.source),
        tool => message!("shelf-standing.by", source = other.source.as_str(), tool),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use cardiograph_import::shelf as shelves;
    use cardiograph_judge::record::RunFigures;

    use super::super::{markdown, terminal};
    use super::*;
    use crate::lang::Lang;
    use crate::text::Style;
    use crate::text::layout::width;

    /// The article's card, a tenth faster: it ranks between the original and the SSD.
    pub fn card_standings() -> Vec<Standing> {
        let is_sample =
            |report: &&cardiograph_core::Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
        let mut runs: Vec<RunFigures> =
            shelves::reports().iter().filter(is_sample).map(RunFigures::from_report).collect();
        let figures = runs.iter_mut().flat_map(|run| &mut run.tests).flat_map(|test| &mut test.figures);
        figures.for_each(|figure| figure.estimate.value *= 1.1);
        shelves::standing::standings("my card", &runs)
    }

    #[test]
    fn every_line_fits() {
        let sources = shelves::sources();
        let docs =
            sources.iter().map(shelf_source).chain([shelf(sources), standings(&card_standings(), false)]);
        for doc in docs {
            for columns in (40..=140).step_by(10) {
                let text = terminal::render(&doc, Lang::JA, &Style { width: columns, color: false });
                let wide: Vec<&str> = text.lines().filter(|line| width(line) > columns).collect();
                assert!(wide.is_empty(), "{columns}: {wide:?}");
            }
        }
    }

    #[test]
    fn the_shelf_reads_as_before() {
        let source_named = |name: &str| shelves::sources().iter().find(|source| source.name == name).unwrap();
        let show =
            |doc: &Doc, columns| terminal::render(doc, Lang::EN, &Style { width: columns, color: false });
        let mut text = show(&shelf(shelves::sources()), 80);
        for name in ["microsd-vs-ssd", "app-class-cards"] {
            text.push_str(&format!("\n# {name}\n{}", show(&shelf_source(source_named(name)), 80)));
        }
        let part = source_named("server-ssds").for_drive("vertex 3").unwrap();
        text.push_str(&format!("\n# server-ssds, 50 columns\n{}", show(&shelf_source(&part), 50)));
        cardiograph_testing::check_golden!("shelf.txt", &text);
    }

    #[test]
    fn ranks_are_shown_with_their_neighbours() {
        let doc = standings(&card_standings(), false);
        let text = terminal::render(&doc, Lang::EN, &Style::default());
        cardiograph_testing::check_golden!("standing.txt", &text);
        let japanese = terminal::render(&doc, Lang::JA, &Style::default());
        let words = japanese.split(|letter: char| !letter.is_ascii_alphabetic());
        let english: Vec<&str> =
            words.filter(|word| ["the", "of", "in", "same", "by"].contains(word)).collect();
        assert!(english.is_empty(), "{english:?}: {japanese}");
    }

    #[test]
    fn every_rank_is_in_the_full_tables() {
        let all = card_standings();
        let page = markdown::render(&standings(&all, true), Lang::EN);
        let ranked = all
            .iter()
            .flat_map(|standing| [&standing.same, &standing.near])
            .filter(|standing| !standing.others.is_empty());
        let (ranked, tables) =
            ranked.fold((0, 0), |(ranked, own), ranking| (ranked + ranking.others.len() + 1, own + 1));
        let rows = page.lines().filter(|line| line.starts_with("| ")).count();
        assert_eq!(rows, ranked + 2 * tables, "{page}");
    }
}
