//! Values of groups in columns, with what is to be said of them beside or below.

use cardiograph_judge::compare::{Comparison, Judgement};

use super::super::layout::{Page, SPACE, Style, Tone, pad_end, pad_start, widest, width};
use crate::compare::Row;

/// Rows stand so far in.
pub(super) const INDENT: &str = "  ";
/// Of two groups, the best first: whether values have with them how well they are known, and whether remarks are short.
const LAYOUTS: [(bool, bool); 4] = [(true, false), (false, false), (true, true), (false, true)];

/// How figures of all tests are laid out, so that they stand below each other.
#[derive(Clone)]
pub(super) struct Table {
    names: Vec<String>,
    name_columns: usize,
    /// Columns of each group's values.
    columns: Vec<usize>,
    /// Whether values are shown with how well they are known.
    has_reaches: bool,
    /// The one group whose remarks stand beside the values, and whether in a few columns; `None` where they stand below.
    remarked: Option<(usize, bool)>,
    /// Whether what stands below values is their bare ratio to the base's, in place of a remark.
    has_ratios: bool,
    /// Whether some value is marked as the best of its row.
    has_best: bool,
    base: usize,
    style: Style,
}

impl Table {
    /// Remarks stand beside the values of two groups where there is room, else below those of each group.
    pub(super) fn of(comparison: &Comparison, names: Vec<String>, rows: &[&Row], style: Style) -> Self {
        let name_columns = widest(rows.iter().map(|row| &row.name));
        let base = comparison.base;
        let has_best = rows.iter().any(|row| row.best.contains(&true));
        let others: Vec<usize> = comparison.others().collect();
        let columns = |has_reaches: bool, has_remarks: bool| -> Vec<usize> {
            let of = |group: usize| {
                let below = rows.iter().filter(|_| has_remarks).map(|row| row.short_remarks[group].clone());
                let cells = rows.iter().map(|row| cell(row, group, has_reaches, has_best));
                widest(cells.chain([names[group].clone()]).chain(below))
            };
            (0..names.len()).map(of).collect()
        };
        let needed = |columns: &[usize]| {
            INDENT.len() + name_columns + columns.iter().map(|columns| SPACE + columns).sum::<usize>()
        };
        let beside = |group: usize, layout: (bool, bool)| {
            let (has_reaches, is_short) = layout;
            let remark = SPACE + widest(rows.iter().map(|row| remark(row, group, is_short)));
            needed(&columns(has_reaches, false)) + remark <= style.width
        };
        let remarked = match others[..] {
            [other] => LAYOUTS.into_iter().find(|&layout| beside(other, layout)).map(|of| (other, of)),
            _ => None,
        };
        let has_reaches = match remarked {
            Some((_, (has_reaches, _))) => has_reaches,
            None => needed(&columns(true, true)) <= style.width,
        };
        let remarked = remarked.map(|(other, (_, is_short))| (other, is_short));
        let columns = columns(has_reaches, remarked.is_none());
        let name_columns = name_columns.min(name_room(&columns, base, style));
        let has_ratios = false;
        Self { names, name_columns, columns, has_reaches, remarked, has_ratios, has_best, base, style }
    }

    /// The same in as few blocks as it takes: where not all groups fit beside each other, with bare ratios in place of remarks, or
    /// with the names of rows above their values, too.
    pub(super) fn in_few_blocks(self, rows: &[&Row]) -> Self {
        if self.remarked.is_some() || self.chunks().len() == 1 {
            return self;
        }
        let of_group = |group: usize| {
            let cells = rows.iter().map(|row| cell(row, group, false, self.has_best));
            let ratios = rows.iter().map(|row| row.ratios[group].clone());
            widest(cells.chain(ratios).chain([self.names[group].clone()]))
        };
        let columns: Vec<usize> = (0..self.names.len()).map(of_group).collect();
        let room = name_room(&columns, self.base, self.style);
        let name_columns = widest(rows.iter().map(|row| &row.name)).min(room);
        let of_ratios = Self { columns, name_columns, has_reaches: false, has_ratios: true, ..self.clone() };
        let named_above = Self { name_columns: 0, ..of_ratios.clone() };
        let all = [self.clone(), of_ratios, named_above];
        all.into_iter().min_by_key(|table| table.chunks().len()).unwrap_or(self)
    }

    /// Whose ratios the table has and to what, where neither they nor its head say so.
    pub(super) fn caption(&self, rows: &[&Row]) -> Option<String> {
        let base = &self.names[self.base];
        let of_each = self.names.len() > 2;
        let told = match self.remarked {
            Some((_, false)) => return None,
            Some((group, true)) if self.says_whose(group).is_some() => return None,
            Some((group, true)) => format!("Beside values: how {} compares with {base}.", self.names[group]),
            None if self.has_ratios => format!("Below a value: its ratio to that of {base}."),
            None if of_each => format!("Below a value: how it compares with that of {base}."),
            None => {
                let other = (0..self.names.len()).find(|&group| group != self.base)?;
                format!("Below values: how {} compares with {base}.", self.names[other])
            }
        };
        let has_any = |row: &&Row| row.short_remarks.iter().any(|remark| !remark.is_empty());
        rows.iter().any(has_any).then_some(told)
    }

    /// That the short remarks are of a group, for the head; `None` where it has no room for that.
    fn says_whose(&self, group: usize) -> Option<String> {
        let taken =
            INDENT.len() + self.name_columns + self.columns.iter().map(|of| SPACE + of).sum::<usize>();
        let told = format!("{}{} is", " ".repeat(SPACE), self.names[group]);
        (taken + width(&told) <= self.style.width).then_some(told)
    }

    /// What stands below a value.
    fn below<'r>(&self, row: &'r Row, group: usize) -> &'r str {
        if self.has_ratios { &row.ratios[group] } else { &row.short_remarks[group] }
    }

    pub(super) fn rows(&self, page: &mut Page, rows: &[Row]) {
        for groups in self.chunks() {
            self.head(page, &groups);
            rows.iter().for_each(|row| self.row(page, row, &groups));
        }
    }

    /// The groups that fit beside each other; the base is with all of them.
    fn chunks(&self) -> Vec<Vec<usize>> {
        let room = self
            .style
            .width
            .saturating_sub(INDENT.len() + self.name_columns + SPACE + self.columns[self.base]);
        let mut chunks: Vec<Vec<usize>> = Vec::new();
        let mut left = 0;
        for group in (0..self.names.len()).filter(|&group| group != self.base) {
            let columns = SPACE + self.columns[group];
            match chunks.last_mut() {
                Some(chunk) if columns <= left => {
                    chunk.push(group);
                    left -= columns;
                }
                _ => {
                    chunks.push(vec![self.base, group]);
                    left = room.saturating_sub(columns);
                }
            }
        }
        chunks
    }

    fn head(&self, page: &mut Page, groups: &[usize]) {
        let style = page.style();
        let mut line = self.line("", groups, |group| self.names[group].clone());
        // A short remark does not say of which it speaks.
        if let Some((group, true)) = self.remarked {
            line += &self.says_whose(group).unwrap_or_default();
        }
        page.line(&style.paint(Tone::Quiet, &line));
    }

    fn line(&self, name: &str, groups: &[usize], cell: impl Fn(usize) -> String) -> String {
        let cells = groups.iter().map(|&group| pad_start(&cell(group), SPACE + self.columns[group]));
        format!("{INDENT}{}{}", pad_end(name, self.name_columns), cells.collect::<String>())
    }

    fn row(&self, page: &mut Page, row: &Row, groups: &[usize]) {
        let style = page.style();
        // A name without room stands above its values.
        let is_above = width(&row.name) > self.name_columns;
        if is_above {
            page.prose(INDENT, &row.name);
        }
        let name = if is_above { "" } else { row.name.as_str() };
        let line = self.line(name, groups, |group| cell(row, group, self.has_reaches, self.has_best));
        match self.remarked {
            Some((group, is_short)) => {
                let remark = paint(&style, row, group, remark(row, group, is_short));
                page.line(&format!("{line}{}{remark}", " ".repeat(SPACE)));
            }
            None => {
                page.line(&line);
                let below = self.line("", groups, |group| self.below(row, group).to_string());
                if !below.trim().is_empty() {
                    page.line(&style.paint(Tone::Quiet, below.trim_end()));
                }
            }
        }
    }
}

/// Columns for the names of rows, so that the base fits beside any other group.
fn name_room(columns: &[usize], base: usize, style: Style) -> usize {
    let others = (0..columns.len()).filter(|&group| group != base).map(|group| SPACE + columns[group]);
    style.width.saturating_sub(INDENT.len() + SPACE + columns[base] + others.max().unwrap_or(0))
}

/// A value, with the mark of the best or room for it where its table has such marks.
fn cell(row: &Row, group: usize, has_reaches: bool, has_best: bool) -> String {
    let mark = match has_best {
        true if row.best[group] => "*",
        true => " ",
        false => "",
    };
    match row.reaches[group].as_str() {
        reach if has_reaches && !reach.is_empty() => format!("{}{mark} {reach}", row.values[group]),
        _ => format!("{}{mark}", row.values[group]),
    }
}

fn remark(row: &Row, group: usize, is_short: bool) -> &str {
    if is_short { &row.short_remarks[group] } else { &row.remarks[group] }
}

fn paint(style: &Style, row: &Row, group: usize, text: &str) -> String {
    match row.judgements[group] {
        Some(Judgement::Better) => style.paint(Tone::Good, text),
        Some(Judgement::Worse) => style.paint(Tone::Bad, text),
        _ => text.to_string(),
    }
}
