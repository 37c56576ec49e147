//! Where drives stand among what others published.

use cardiograph_core::method::TOOL;
use cardiograph_core::published::{Other, Ranking, Standing};
use cardiograph_core::{Message, Parameter, message};

use super::words;
use super::{Cell, Column, Doc, Item, Node, Row, Table};
use crate::method;
use crate::text::layout::Tone;

/// So many of the others are shown on each side.
const NEIGHBOURS: usize = 2;

/// Each figure with its place, and those that stand next to it, with their sources and in what they were measured differently.
pub fn standings(standings: &[Standing]) -> Doc {
    document(standings, neighbours)
}

/// The same with all places, as tables.
pub fn places(standings: &[Standing]) -> Doc {
    document(standings, table)
}

fn document(standings: &[Standing], show: fn(&Standing, &Ranking) -> Node) -> Doc {
    // Those of each drive and test stand together.
    let by_test = standings.chunk_by(|one, next| (&one.drive, &one.test) == (&next.drive, &next.test));
    let section = |of_test: &[Standing]| {
        let first = &of_test[0];
        let heading = message!("standing-heading", drive = &first.drive, test = first.title.clone());
        let nodes = of_test.iter().flat_map(|standing| {
            rankings(standing).flat_map(|(ranking, how)| {
                [Node::paragraph(place(standing, ranking, how)), show(standing, ranking)]
            })
        });
        Node::section("standing", heading, nodes.collect())
    };
    Doc::of(by_test.filter_map(section).collect())
}

/// What a drive is ranked among, where somebody else is.
fn rankings(standing: &Standing) -> impl Iterator<Item = (&Ranking, Message)> {
    let all = [
        (&standing.same, message!("standing-likeness.same")),
        (&standing.near, message!("standing-likeness.similar")),
    ];
    all.into_iter().filter(|(ranking, _)| !ranking.others.is_empty())
}

/// All places in their order, `None` for the drive itself; none where nobody else is.
pub(crate) fn in_order(ranking: &Ranking) -> impl Iterator<Item = (usize, Option<&Other>)> {
    let own = ranking.rank.saturating_sub(1);
    let (before, behind) = ranking.others.split_at(own.min(ranking.others.len()));
    let all = before.iter().map(Some).chain([None]).chain(behind.iter().map(Some));
    (1..).zip(all).take(if ranking.others.is_empty() { 0 } else { ranking.others.len() + 1 })
}

/// The place, and whom the drive stands between.
fn place(standing: &Standing, ranking: &Ranking, how: Message) -> Vec<Message> {
    let name = |at: usize| &ranking.others[at].drive;
    let between = match (ranking.rank, ranking.rank == ranking.of) {
        (1, _) => message!("standing-between.first", behind = name(0)),
        (rank, true) => message!("standing-between.last", ahead = name(rank - 2)),
        (rank, false) => {
            message!("standing-between", ahead = name(rank - 2), behind = name(rank - 1))
        }
    };
    let place = message!(
        "standing-place",
        figure = method::of_direction(Some(standing.direction), standing.quantity),
        place = ranking.rank,
        all = ranking.of,
        how = how
    );
    vec![place, between]
}

/// The neighbours in their order, the drive itself among them.
fn neighbours(standing: &Standing, ranking: &Ranking) -> Node {
    let near = in_order(ranking).filter(|(place, _)| place.abs_diff(ranking.rank) <= NEIGHBOURS);
    let item = |(_, other): (usize, Option<&Other>)| {
        let value = words::quantity(value(standing, other));
        match other {
            None => Item {
                tone: Some(Tone::Good),
                ..Item::new(value, vec![message!("standing-own", drive = &standing.drive)])
            },
            Some(other) => Item { more: differences(other), ..Item::new(value, vec![described(other)]) },
        }
    };
    Node::Items(near.map(item).collect())
}

fn value(standing: &Standing, other: Option<&Other>) -> Parameter {
    method::value(standing.quantity, other.map_or(standing.value, |other| other.value))
}

/// A drive with its conditions and its source.
fn described(other: &Other) -> Message {
    let source = match other.tool.as_str() {
        // fio's jobs are cardiograph's own.
        "fio" | TOOL => Message::verbatim(&other.source),
        tool => message!("standing-source", source = &other.source, tool = tool),
    };
    let conditions: Vec<Message> = conditions(other);
    match conditions.is_empty() {
        true => words::as_one(vec![Message::verbatim(&other.drive), source]),
        false => {
            let conditions = words::as_one(conditions);
            message!("standing-drive", drive = &other.drive, conditions = conditions, source = source)
        }
    }
}

fn conditions(other: &Other) -> Vec<Message> {
    let condition = |(name, value): (&String, &String)| format!("{} {value}", name.replace('_', " "));
    other.tags.iter().map(condition).map(Message::verbatim).collect()
}

/// In what it was measured differently, as one phrase.
fn differences(other: &Other) -> Vec<Message> {
    let all = method::differences(&other.differences);
    if all.is_empty() { all } else { vec![words::as_one(all)] }
}

/// All places, with sources and in what the others were measured differently.
fn table(standing: &Standing, ranking: &Ranking) -> Node {
    let columns = vec![
        Column::figures(message!("standing-column.value"), 0),
        Column::text(message!("standing-column.drive"), 0),
        Column::text(message!("standing-column.conditions"), 0),
        Column::text(message!("standing-column.source"), 0),
        Column::text(message!("standing-column.differences"), 0),
    ];
    let phrase = |all: Vec<Message>| match all.is_empty() {
        true => Cell::Empty,
        false => Cell::Text(words::as_one(all)),
    };
    let rows = in_order(ranking).map(|(place, other)| {
        let value = Cell::Value(value(standing, other));
        let cells = match other {
            None => {
                let own = Cell::Text(message!("standing-own", drive = &standing.drive));
                vec![value, own, Cell::Empty, Cell::Empty, Cell::Empty]
            }
            Some(other) => vec![
                value,
                Cell::Text(Message::verbatim(&other.drive)),
                phrase(conditions(other)),
                Cell::Text(Message::verbatim(&other.source)),
                phrase(differences(other)),
            ],
        };
        Row::of(words::quantity(place.into()), cells)
    });
    let names = Some(message!("standing-column.place"));
    Node::Table(Table { caption: None, names, columns, rows: rows.collect(), notes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use cardiograph_import::shelf::{reports, standing};
    use cardiograph_judge::record::RunFigures;

    use super::*;
    use crate::doc::{markdown, terminal};
    use crate::lang::Lang;
    use crate::text::Style;
    use crate::text::layout::width;

    /// The article's card, a tenth faster: it stands between itself and the SSD.
    fn of_card() -> Vec<Standing> {
        let is_it =
            |report: &&cardiograph_core::Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
        let mut runs: Vec<RunFigures> = reports().iter().filter(is_it).map(RunFigures::of).collect();
        let figures = runs.iter_mut().flat_map(|run| &mut run.tests).flat_map(|test| &mut test.figures);
        figures.for_each(|figure| figure.estimate.value *= 1.1);
        standing::standings("my, card", &runs)
    }

    #[test]
    fn places_are_shown_with_their_neighbours() {
        let doc = standings(&of_card());
        let text = terminal::render(&doc, Lang::En, &Style::default());
        cardiograph_testing::check_golden!("standing.txt", &text);
        for (columns, lang) in (40..=120).step_by(10).flat_map(|at| Lang::ALL.map(|lang| (at, lang))) {
            let text = terminal::render(&doc, lang, &Style { width: columns, color: false });
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
        }
    }

    #[test]
    fn every_place_is_in_the_tables() {
        let all = of_card();
        let (en, csv) = (markdown::render(&places(&all), Lang::En), crate::published::csv(&all));
        let ranked = all.iter().flat_map(|of| [&of.same, &of.near]).filter(|of| !of.others.is_empty());
        let (places, own) = ranked.fold((0, 0), |(places, own), of| (places + of.others.len() + 1, own + 1));
        assert_eq!(csv.lines().count(), 1 + places, "{csv}");
        assert_eq!(en.matches("| my, card (this drive) |").count(), own, "{en}");
        for line in en.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(line.replace("\\|", "").matches('|').count(), 7, "{line}");
        }
        assert!(csv.lines().skip(1).all(|line| line.starts_with("\"my, card\",")), "{csv}");
    }
}
