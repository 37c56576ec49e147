//! A table in a terminal. Where there is no room, columns give way by their rank, long names stand above their rows, and last each
//! cell has a line.

use cardiograph_core::Message;

use crate::doc::{Column, Table, Unit};
use crate::grid::Grid;
use crate::lang::Lang;
use crate::text::layout::{Page, SPACE, pad_end, pad_start, widest, width};

/// Narrower than this no name is legible.
const NAME_COLUMNS_MIN: usize = 12;

/// Writes a table onto a page.
pub(super) fn write(page: &mut Page, table: &Table, lang: Lang, indent: &str) {
    let mut grid = table.grid(lang);
    let mut caption = table.caption.as_ref().map(|caption| lang.text(caption));
    let room = page.style().width.saturating_sub(width(indent));
    let mut layout = Layout::of(table, &grid, room);
    if let (None, Some(text), Some(unit)) = (&layout, &caption, common_unit(&table.columns)) {
        caption = Some(format!("{text}, {}", unit.sign()));
        grid.headings.splice(1.., table.columns.iter().map(|column| lang.text(&column.heading)));
        layout = Layout::of(table, &grid, room);
    }
    caption.iter().for_each(|caption| page.prose(indent, caption));
    match layout {
        Some(layout) => layout.write(page, &grid, indent),
        None => write_narrow(page, &grid, indent),
    }
    for note in &table.notes {
        page.quiet_prose(&format!("{indent}- "), &lang.text(note));
    }
}

/// The unit of all columns, whose sign can stand in the caption where a table is too wide with it in each heading.
fn common_unit(columns: &[Column]) -> Option<Unit> {
    let unit = columns.first()?.unit.filter(|unit| !unit.sign().is_empty())?;
    let is_common = |column: &Column| column.unit == Some(unit) && column.heading != Message::default();
    (columns.len() > 1 && columns.iter().all(is_common)).then_some(unit)
}

/// Which columns are shown, and how wide they are.
struct Layout {
    names: Vec<String>,
    name_columns: usize,
    /// Places and widths.
    columns: Vec<(usize, usize)>,
    /// Places of phrases that gave way.
    below: Vec<usize>,
}

impl Layout {
    /// `None` where there is no room for the columns that must stay.
    fn of(table: &Table, grid: &Grid, room: usize) -> Option<Self> {
        let [_, widths @ ..] = &grid.widths()[..] else { return None };
        let depths = table.rows.iter().map(|row| usize::from(row.depth));
        let mut names: Vec<String> =
            grid.rows.iter().zip(depths).map(|(row, depth)| " ".repeat(depth * SPACE) + &row[0]).collect();
        let wanted = name_columns(grid, &names).min((room / 3).max(NAME_COLUMNS_MIN));
        let has_figures =
            |&at: &usize| grid.rows.iter().any(|row| row.get(at + 1).is_some_and(|cell| !cell.is_empty()));
        let mut kept: Vec<usize> = (0..table.columns.len()).filter(has_figures).collect();
        let mut below = Vec::new();
        let taken = |kept: &[usize]| kept.iter().map(|&at| widths[at] + SPACE).sum::<usize>();
        while wanted + taken(&kept) > room {
            let first = kept.iter().copied().max_by_key(|&at| (table.columns[at].rank, at));
            let Some(first) = first.filter(|&at| table.columns[at].rank > 0) else { break };
            kept.retain(|&at| at != first);
            below.extend((!table.columns[first].is_number).then_some(first));
        }
        let left = room.checked_sub(taken(&kept)).filter(|&left| left >= wanted.min(NAME_COLUMNS_MIN))?;
        if widest(&names) > left {
            names = shortened(&names, left);
        }
        let beside = names.iter().map(|name| width(name)).chain([width(&grid.headings[0])]);
        let name_columns = beside.filter(|&columns| columns <= left).max().unwrap_or(0);
        let columns = kept.into_iter().map(|at| (at, widths[at] + SPACE)).collect();
        Some(Self { names, name_columns, columns, below })
    }

    fn write(&self, page: &mut Page, grid: &Grid, indent: &str) {
        let line = |page: &mut Page, name: &str, row: &[String]| {
            let mut name = name;
            if width(name) > self.name_columns {
                page.prose(indent, name);
                name = "";
            }
            let mut line = format!("{indent}{}", pad_end(name, self.name_columns));
            for &(at, columns) in &self.columns {
                let cell = row.get(at + 1).map_or("", String::as_str);
                line += &match grid.is_number[at + 1] {
                    true => pad_start(cell, columns),
                    false => pad_end(&format!("{}{cell}", " ".repeat(SPACE)), columns),
                };
            }
            if !line.trim().is_empty() {
                page.line(&line);
            }
        };
        if grid.headings.iter().any(|heading| !heading.is_empty()) {
            line(page, &grid.headings[0], &grid.headings);
        }
        for (name, row) in self.names.iter().zip(&grid.rows) {
            line(page, name, row);
            let below = self.below.iter().map(|at| &row[at + 1]).filter(|cell| !cell.is_empty());
            below.for_each(|cell| page.quiet_prose(&format!("{indent}{}", " ".repeat(2 * SPACE)), cell));
        }
    }
}

/// Columns in which most names fit; the few that are longer stand above their rows.
fn name_columns(grid: &Grid, names: &[String]) -> usize {
    let has_figures = |row: &[String]| row.iter().skip(1).any(|cell| !cell.is_empty());
    let named = names.iter().zip(&grid.rows).filter(|(_, row)| has_figures(row));
    let mut widths: Vec<usize> = named.map(|(name, _)| width(name)).collect();
    widths.sort_unstable();
    widths.get((widths.len() * 3).div_ceil(4).saturating_sub(1)).copied().unwrap_or(0)
}

/// Names that are too long without what stands in parentheses at their end, unless that tells them from others.
fn shortened(names: &[String], columns: usize) -> Vec<String> {
    let short = |name: &String| {
        let is_long = width(name) > columns && name.ends_with(')');
        let end = name.rfind('(').filter(|_| is_long)?;
        Some(name[..end].trim_end().to_string()).filter(|short| !short.trim().is_empty())
    };
    let all: Vec<String> = names.iter().map(|name| short(name).unwrap_or_else(|| name.clone())).collect();
    let is_alone = |short: &String| all.iter().filter(|other| *other == short).count() == 1;
    names.iter().zip(&all).map(|(name, short)| if is_alone(short) { short } else { name }.clone()).collect()
}

/// Where a row does not fit into a line: its cells below its name, each with its heading, as the name has its own.
fn write_narrow(page: &mut Page, grid: &Grid, indent: &str) {
    let columns = widest(&grid.headings[1..]);
    for row in &grid.rows {
        match (grid.headings[0].as_str(), row[0].as_str()) {
            (_, "") => {}
            ("", name) => page.prose(indent, name),
            (heading, name) => page.prose(indent, &format!("{heading}: {name}")),
        }
        for (heading, cell) in grid.headings.iter().zip(row).skip(1) {
            page.prose(&format!("{indent}  {}", pad_end(heading, columns + SPACE)), cell);
        }
    }
}
