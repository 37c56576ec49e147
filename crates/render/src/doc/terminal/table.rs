//! A table in a terminal. If there is no room, columns are dropped by rank, long names stand above their
//! rows, and as a last resort each cell has a line.

use cardiograph_core::Message;

use crate::doc::{Column, Table, Unit};
use crate::grid::Grid;
use crate::lang::Lang;
use crate::text::layout::{Page, SPACE, pad_end, pad_start, widest, width, wrap};

/// Minimum width of a legible name.
const NAME_COLUMNS_MIN: usize = 12;
/// Headings are broken to fit this width, if their words allow it.
const HEADING_COLUMNS: usize = 11;

/// Writes a table onto a page.
pub(super) fn write(page: &mut Page, table: &Table, lang: Lang, indent: &str) {
    let mut grid = table.grid(lang);
    let mut caption = table.caption.as_ref().map(|caption| lang.text(caption));
    let room = page.style().width.saturating_sub(width(indent));
    let unit = common_unit(&table.columns, lang).filter(|_| Layout::fit(table, &grid, room).is_none());
    if let (Some(text), Some(unit)) = (&caption, unit) {
        caption = Some(format!("{text}, {}", unit.sign(lang)));
        grid.headings.splice(1.., table.columns.iter().map(|column| lang.text(&column.heading)));
    }
    caption.iter().for_each(|caption| page.prose(indent, caption));
    let broken = with_broken_headings(&grid);
    let layouts = [&grid, &broken].map(|grid| Layout::fit(table, grid, room).map(|layout| (layout, grid)));
    let named = layouts.iter().flatten().find(|(layout, _)| layout.is_named());
    match named.or(layouts[0].as_ref()) {
        _ if table.rows.is_empty() => {}
        Some((layout, grid)) => {
            layout.write(page, grid, indent);
            for &(at, _) in &layout.columns {
                legend(page, &table.columns[at].legend, lang, indent);
            }
        }
        None => match blocks(table, &broken, room) {
            Some(blocks) => {
                for (at, (from, layout, grid)) in blocks.iter().enumerate() {
                    if at > 0 {
                        page.gap();
                    }
                    layout.write(page, grid, indent);
                    layout
                        .columns
                        .iter()
                        .for_each(|(at, _)| legend(page, &table.columns[from + at].legend, lang, indent));
                }
            }
            None => write_narrow(page, &grid, indent),
        },
    }
    for note in &table.notes {
        page.quiet_prose(&format!("{indent}- "), &lang.text(note));
    }
}

fn legend(page: &mut Page, legend: &[Message], lang: Lang, indent: &str) {
    if !legend.is_empty() {
        page.quiet_prose(indent, &lang.sentences(legend));
    }
}

/// The unit of all columns: its sign can move to the caption if the table is too wide with it in each
/// heading.
fn common_unit(columns: &[Column], lang: Lang) -> Option<Unit> {
    let unit = columns.first()?.unit.filter(|unit| !unit.sign(lang).is_empty())?;
    let is_common = |column: &Column| column.unit == Some(unit) && column.heading != Message::default();
    (columns.len() > 1 && columns.iter().all(is_common)).then_some(unit)
}

/// The same with headings in several lines if they are wider than the figures.
fn with_broken_headings(grid: &Grid) -> Grid {
    let broken = |(at, heading): (usize, &String)| {
        let cells = widest(grid.rows.iter().filter_map(|row| row.get(at)));
        let word = widest(heading.split(' '));
        if at == 0 { heading.clone() } else { wrap(heading, cells.max(HEADING_COLUMNS).max(word)).join("\n") }
    };
    Grid { headings: grid.headings.iter().enumerate().map(broken).collect(), ..grid.clone() }
}

/// As many columns as fit, and the others below with the names repeated, each with the first column's index; `None` if not
/// even one fits.
fn blocks(table: &Table, grid: &Grid, room: usize) -> Option<Vec<(usize, Layout, Grid)>> {
    let part = |from: usize, to: usize| {
        fn cut<T: Clone>(all: &[T], from: usize, to: usize) -> Vec<T> {
            all.first().into_iter().chain(all.get(from + 1..=to).unwrap_or_default()).cloned().collect()
        }
        let grid = Grid {
            headings: cut(&grid.headings, from, to),
            is_number: cut(&grid.is_number, from, to),
            rows: grid.rows.iter().map(|row| cut(row, from, to)).collect(),
        };
        let columns = table.columns[from..to].to_vec();
        let layout = Layout::fit(&Table { columns, ..table.clone() }, &grid, room)?;
        // Fewer columns, next to their names, are easier to read.
        (layout.is_named() || to - from == 1).then_some((layout, grid))
    };
    let mut blocks = Vec::new();
    let (mut from, count) = (0, table.columns.len());
    while from < count {
        let (to, (layout, grid)) = (from + 1..=count).rev().find_map(|to| Some((to, part(from, to)?)))?;
        blocks.push((from, layout, grid));
        from = to;
    }
    (blocks.len() < count || count == 1).then_some(blocks)
}

/// The width of each column.
fn widths(grid: &Grid) -> Vec<usize> {
    let cells = |at: usize| widest(grid.rows.iter().filter_map(move |row| row.get(at)));
    grid.headings.iter().enumerate().map(|(at, heading)| cells(at).max(widest(heading.lines()))).collect()
}

/// The columns shown, and their widths.
struct Layout {
    names: Vec<String>,
    name_columns: usize,
    /// Indexes and widths.
    columns: Vec<(usize, usize)>,
    /// Indexes of dropped columns of phrases.
    below: Vec<usize>,
}

impl Layout {
    /// `None` if there is no room for the columns that must stay.
    fn fit(table: &Table, grid: &Grid, room: usize) -> Option<Self> {
        let [_, widths @ ..] = &widths(grid)[..] else { return None };
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
        below.sort_unstable();
        let left = room.checked_sub(taken(&kept)).filter(|&left| left >= wanted.min(NAME_COLUMNS_MIN))?;
        if widest(&names) > left {
            names = shortened(&names, left);
        }
        let name_widths = names.iter().map(|name| width(name)).chain([width(&grid.headings[0])]);
        let name_columns = name_widths.filter(|&columns| columns <= left).max().unwrap_or(0);
        let columns = kept.into_iter().map(|at| (at, widths[at] + SPACE)).collect();
        Some(Self { names, name_columns, columns, below })
    }

    /// Whether all names stand next to their cells.
    fn is_named(&self) -> bool {
        self.names.iter().all(|name| width(name) <= self.name_columns)
    }

    fn write(&self, page: &mut Page, grid: &Grid, indent: &str) {
        let line = |page: &mut Page, name: &str, row: &[String]| {
            let mut name = name;
            if width(name) > self.name_columns {
                let depth = name.len() - name.trim_start().len();
                page.prose(&format!("{indent}{}", &name[..depth]), name.trim_start());
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
            let lines = grid.headings.iter().map(|heading| heading.lines().count()).max().unwrap_or(0);
            for at in 0..lines {
                // Headings are aligned to the bottom line.
                let text = |heading: &String| {
                    let above = lines - heading.lines().count();
                    at.checked_sub(above)
                        .and_then(|at| heading.lines().nth(at))
                        .unwrap_or_default()
                        .to_string()
                };
                let texts: Vec<String> = grid.headings.iter().map(text).collect();
                line(page, &texts[0], &texts);
            }
        }
        for (name, row) in self.names.iter().zip(&grid.rows) {
            line(page, name, row);
            let below = self.below.iter().map(|at| &row[at + 1]).filter(|cell| !cell.is_empty());
            below.for_each(|cell| page.quiet_prose(&format!("{indent}{}", " ".repeat(2 * SPACE)), cell));
        }
    }
}

/// The width that fits most names; the few longer ones stand above their rows.
fn name_columns(grid: &Grid, names: &[String]) -> usize {
    let has_figures = |row: &[String]| row.iter().skip(1).any(|cell| !cell.is_empty());
    let named = names.iter().zip(&grid.rows).filter(|(_, row)| has_figures(row));
    let mut widths: Vec<usize> = named.map(|(name, _)| width(name)).collect();
    widths.sort_unstable();
    widths.get((widths.len() * 3).div_ceil(4).saturating_sub(1)).copied().unwrap_or(0)
}

/// Long names without a final part in parentheses, unless only that distinguishes them.
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

/// If a row does not fit into a line: its cells below its name, each with its heading; the name has its own.
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
