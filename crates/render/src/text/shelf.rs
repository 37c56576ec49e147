//! The shelf: what others published, as a list and as their tables.

use cardiograph_core::published::{Published, PublishedCell, PublishedColumn, PublishedRow, PublishedTable};
use cardiograph_core::text::unique;
use cardiograph_core::units;

use crate::lang::Lang;

use super::layout::{Page, SPACE, Style, cut, joined, mark, pad_end, plain, widest, wrap};

/// A drive's name takes no more columns than this.
pub(super) const NAME_COLUMNS_MAX: usize = 28;
/// A heading is broken so that its column takes no more than this, if its words allow it.
const HEADING_COLUMNS: usize = 11;

/// The publications of the shelf, an entry each: the name first, as other commands take it.
pub fn shelf(sources: &[Published], style: &Style) -> String {
    let mut page = Page::new(style);
    let name_columns = widest(sources.iter().map(|source| &source.name));
    for source in sources {
        page.prose(&format!("{}  ", pad_end(&source.name, name_columns)), &source.title);
        let (drives, figures) = (source.drive_names().len(), source.figure_count());
        let count = |n: usize, one: &str| {
            format!("{} {one}{}", units::count(n as u64), if n == 1 { "" } else { "s" })
        };
        let figures = if figures == 0 { "no figures".to_string() } else { count(figures, "figure") };
        let mut facts = vec![count(drives, "drive"), figures, source.program.clone()];
        facts.extend(by(source));
        page.quiet_prose("    ", &facts.join(", "));
    }
    page.into_text()
}

/// A publication whole: where it is from, how was measured, and its tables.
pub fn shelf_source(source: &Published, style: &Style) -> String {
    let mut page = Page::new(style);
    page.prose("", &source.title);
    let from = joined([by(source).into_iter().chain(source.place.clone())], ", ");
    from.iter().for_each(|from| page.quiet_prose("", from));
    page.head("How it was measured");
    for (id, test) in &source.tests {
        page.prose(&format!("  {id}: "), &test.title);
        if let Some(command) = &test.command {
            page.quiet_prose("      ", command);
        }
    }
    write_drives(&mut page, source);
    source.tables.iter().for_each(|table| write_table(&mut page, table, source));
    let notes: Vec<String> =
        source.readings.iter().chain(&source.notes).map(|note| Lang::En.text(note)).collect();
    page.section("Notes", &notes, Page::prose);
    page.into_text()
}

fn by(source: &Published) -> Vec<String> {
    source.author.iter().chain(&source.date).cloned().collect()
}

/// What is known of the drives themselves.
fn write_drives(page: &mut Page, source: &Published) {
    if source.drives.is_empty() {
        return;
    }
    page.head(if source.tables.is_empty() { "Drives, without figures" } else { "Drives" });
    for (name, facts) in &source.drives {
        page.prose(&format!("  {}: ", cut(&plain(name), NAME_COLUMNS_MAX)), &listed(facts));
    }
}

/// Names and values of what was noted.
type Tags<'p> = Vec<(&'p String, &'p String)>;

/// A row's conditions, without what stands among the drives.
fn conditions<'p>(row: &'p PublishedRow, source: &Published) -> Tags<'p> {
    let of_drive = source.drives.get(&row.drive);
    let is_own =
        |&(name, value): &(&String, &String)| of_drive.is_none_or(|facts| facts.get(name) != Some(value));
    row.tags.iter().filter(is_own).collect()
}

/// Facts or conditions in a line: `board Raspberry Pi 5, kind SATA SSD`.
pub(crate) fn listed<'p>(facts: impl IntoIterator<Item = (&'p String, &'p String)>) -> String {
    let facts = facts.into_iter().map(|(name, value)| format!("{} {value}", name.replace('_', " ")));
    facts.collect::<Vec<_>>().join(", ")
}

fn write_table(page: &mut Page, table: &PublishedTable, source: &Published) {
    page.head(&table.title);
    let tags: Vec<Tags> = table.rows.iter().map(|row| conditions(row, source)).collect();
    let common = common_tags(&tags);
    if !common.is_empty() {
        page.quiet_prose("  ", &listed(common.iter().copied()));
    }
    let rows = || table.rows.iter().zip(&tags);
    let remarks: Vec<Option<String>> = rows().map(|(row, tags)| remark(table, row, tags, &common)).collect();
    let known = unique(remarks.iter().flatten().cloned());
    let name = |(row, remark): (&PublishedRow, &Option<String>)| {
        let place = known.iter().position(|known| remark.as_ref() == Some(known));
        let mark = place.map(|place| format!(" {}", mark(place)));
        cut(&plain(&row.drive), NAME_COLUMNS_MAX) + &mark.unwrap_or_default()
    };
    let names: Vec<String> = table.rows.iter().zip(&remarks).map(name).collect();
    let name_columns = widest(&names);
    let columns: Vec<Column> = (0..table.columns.len()).map(|at| Column::of(table, at)).collect();
    // As many columns beside each other as fit; the others follow below.
    let room = page.style().width.saturating_sub(name_columns);
    let mut rest = columns.as_slice();
    while !rest.is_empty() {
        let mut taken = 0;
        let fits = |column: &&Column| {
            taken += column.columns + SPACE;
            taken <= room
        };
        let shown = rest.iter().take_while(fits).count().max(1);
        if rest.len() < columns.len() {
            page.gap();
        }
        write_columns(page, &names, name_columns, &rest[..shown]);
        rest = &rest[shown..];
    }
    for (place, remark) in known.iter().enumerate() {
        page.quiet_prose(&format!("  {}  ", mark(place)), remark);
    }
}

fn write_columns(page: &mut Page, names: &[String], name_columns: usize, columns: &[Column]) {
    let lines = columns.iter().map(|column| column.heading.len()).max().unwrap_or(0);
    for line in 0..lines {
        // Headings stand on the first row.
        let headings = columns.iter().map(|column| {
            let above = lines - column.heading.len();
            (line.checked_sub(above).map_or("", |at| &column.heading[at]), column.columns + SPACE)
        });
        page.row("", ("", name_columns), headings);
    }
    for (row, name) in names.iter().enumerate() {
        let cells = columns.iter().map(|column| (column.cells[row].as_str(), column.columns + SPACE));
        page.row("", (name, name_columns), cells);
    }
}

/// A column as it is shown.
struct Column {
    heading: Vec<String>,
    cells: Vec<String>,
    columns: usize,
}

impl Column {
    fn of(table: &PublishedTable, at: usize) -> Self {
        let column = &table.columns[at];
        // The unit stands once, below the heading.
        let without_unit = |text: &str| {
            let text = plain(text);
            text.strip_suffix(column.published.as_str())
                .map_or(text.clone(), |number| number.trim().to_string())
        };
        let cells: Vec<String> = table.rows.iter().map(|row| without_unit(&row.cells[at].text)).collect();
        let longest_word = widest(column.heading.split(' '));
        let mut heading = wrap(&column.heading, widest(&cells).max(HEADING_COLUMNS).max(longest_word));
        if column.heading != column.published {
            heading.push(column.published.clone());
        }
        let columns = widest(&heading).max(widest(&cells));
        Self { heading, cells, columns }
    }
}

/// The conditions that all rows share.
fn common_tags<'p>(tags: &[Tags<'p>]) -> Tags<'p> {
    let Some((first, others)) = tags.split_first() else { return Tags::new() };
    first.iter().copied().filter(|tag| others.iter().all(|tags| tags.contains(tag))).collect()
}

/// What tells a row from others, and what there is to say of it; `None` where there is nothing.
fn remark(table: &PublishedTable, row: &PublishedRow, tags: &Tags, common: &Tags) -> Option<String> {
    let own = listed(tags.iter().copied().filter(|tag| !common.contains(tag)));
    let own = Some(own).filter(|own| !own.is_empty());
    let doubt = |(cell, column): (&PublishedCell, &PublishedColumn)| {
        Some(format!("{}: {}", column.heading, Lang::En.text(&cell.doubt.as_ref()?.message())))
    };
    let doubts = row.cells.iter().zip(&table.columns).filter_map(doubt);
    joined([own.into_iter().chain(row.note.iter().map(|note| Lang::En.text(note))).chain(doubts)], "; ")
}

#[cfg(test)]
mod tests {
    use super::super::layout::width;
    use cardiograph_import::shelf as shelves;

    use super::*;

    #[test]
    fn every_line_fits() {
        for columns in [50, 80, 120] {
            let style = Style { width: columns, color: false };
            let mut texts = vec![shelf(shelves::sources(), &style)];
            texts.extend(shelves::sources().iter().map(|source| shelf_source(source, &style)));
            for text in texts {
                let wide: Vec<&str> = text.lines().filter(|line| width(line) > columns).collect();
                assert!(wide.is_empty(), "{columns}: {wide:?}");
            }
        }
    }

    #[test]
    fn as_it_is_read() {
        let style = Style::default();
        let of = |name: &str| shelves::sources().iter().find(|source| source.name == name).unwrap();
        let mut text = shelf(shelves::sources(), &style);
        for name in ["microsd-vs-ssd", "app-class-cards"] {
            text.push_str(&format!("\n# {name}\n{}", shelf_source(of(name), &style)));
        }
        let narrow = Style { width: 50, color: false };
        let part = of("server-ssds").of_drive("vertex 3").unwrap();
        text.push_str(&format!("\n# server-ssds, 50 columns\n{}", shelf_source(&part, &narrow)));
        cardiograph_testing::check_golden!("shelf.txt", &text);
    }
}
