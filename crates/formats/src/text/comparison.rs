//! Groups of runs beside each other.

use cardiograph_core::compare::{Comparison, Judgement};

use super::layout::{Page, Style, Tone, pad_end, pad_start, plain, width};
use super::verdicts::deciding_figure;
use super::words::level;
use crate::compare::{Notes, Row, Rows, by_level, crossing, differences, fact, group_line, group_name, rows};
use crate::lang::Lang;

/// Between columns.
const GAP: usize = 2;
/// Of two groups, the best first: whether values have with them how well they are known, and whether remarks are short.
const LAYOUTS: [(bool, bool); 4] = [(true, false), (false, false), (true, true), (false, true)];
/// Rows stand so far in.
const INDENT: &str = "  ";

/// The groups, each test with its figures and what is to be said of them, how steady the drives are, what else differs, and what
/// the judgements rest on.
pub fn comparison(comparison: &Comparison, style: &Style) -> String {
    let mut page = Page::new(style);
    let mut notes = Notes::default();
    let names: Vec<String> = comparison.groups.iter().map(group_name).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    for (name, group) in names.iter().zip(&comparison.groups) {
        page.prose(&format!("{}  ", pad_end(name, widest)), &group_line(group, Lang::En));
    }
    let tests: Vec<Rows> =
        comparison.tests.iter().map(|test| rows(comparison, test, Lang::En, false, &mut notes)).collect();
    if tests.is_empty() {
        page.gap();
        page.paragraph("They have no test in common: nothing was measured in the same or a near way.");
    }
    let table = |of: fn(&Rows) -> &Vec<Row>| {
        let rows: Vec<&Row> = tests.iter().flat_map(of).collect();
        Table::of(comparison, names.clone(), &rows, page.style())
    };
    let (speed, stability) = (table(|rows| &rows.speed), table(|rows| &rows.stability));
    for (test, rows) in comparison.tests.iter().zip(&tests) {
        if rows.speed.is_empty() {
            continue;
        }
        page.head(&plain(&test.title));
        for told in differences(comparison, test, Lang::En) {
            page.quiet_prose(INDENT, &told);
        }
        speed.rows(&mut page, &rows.speed);
        for of in &test.distributions {
            for one in &of.crossings {
                page.prose(INDENT, &format!("{}.", crossing(comparison, of, one, Lang::En)));
            }
        }
    }
    if tests.iter().any(|rows| !rows.stability.is_empty()) {
        page.head("Stability");
        for (test, rows) in comparison.tests.iter().zip(&tests).filter(|(_, rows)| !rows.stability.is_empty())
        {
            page.prose(INDENT, &plain(&test.title));
            stability.rows(&mut page, &rows.stability);
        }
    }
    of_purposes(&mut page, comparison, &names);
    of_facts(&mut page, comparison, &names);
    of_unpaired(&mut page, comparison, &names);
    page.gap();
    notes.told(comparison, Lang::En).iter().for_each(|note| page.quiet_prose("", note));
    page.into_text()
}

/// With more groups than this the figures that decided are left out.
const DECIDED_GROUPS_MAX: usize = 3;
/// With less room the figure that decided has a line of its own.
const DECIDED_COLUMNS_MIN: usize = 24;

/// What the drives are good for: a line for each purpose and group with the figure that decided, or, of many groups, those of each
/// level.
fn of_purposes(page: &mut Page, comparison: &Comparison, names: &[String]) {
    if comparison.purposes.is_empty() {
        return;
    }
    page.head("What they are good for");
    let purposes = || comparison.purposes.iter();
    let purpose_columns = GAP + purposes().map(|of| width(&plain(&of.purpose))).max().unwrap_or(0);
    let name_columns = GAP + names.iter().map(|name| width(name)).max().unwrap_or(0);
    let words = purposes().flat_map(|of| of.verdicts.iter().flatten()).map(|of| width(level(of.level).0));
    let level_columns = GAP + words.max().unwrap_or(0);
    let columns = INDENT.len() + purpose_columns + name_columns + level_columns;
    for of in &comparison.purposes {
        let purpose = format!("{INDENT}{}", pad_end(&plain(&of.purpose), purpose_columns));
        if names.len() > DECIDED_GROUPS_MAX {
            page.prose(&purpose, &by_level(comparison, of));
            continue;
        }
        let judged = names.iter().zip(&of.verdicts).filter_map(|(name, of)| Some((name, of.as_ref()?)));
        for (at, (name, verdict)) in judged.enumerate() {
            let style = page.style();
            let first = if at == 0 { purpose.clone() } else { " ".repeat(width(&purpose)) };
            let (word, tone) = level(verdict.level);
            let painted = tone.map_or(word.to_string(), |tone| style.paint(tone, word));
            let figure = deciding_figure(verdict, Lang::En).unwrap_or_default();
            let begin = format!("{first}{}{painted}", pad_end(name, name_columns));
            if columns + DECIDED_COLUMNS_MIN <= style.width {
                let begin = format!("{begin}{}", " ".repeat(level_columns - width(word)));
                page.prose_behind_painted(&begin, columns, &figure);
            } else {
                page.line(&begin);
                page.quiet_prose(&" ".repeat(2 * INDENT.len()), &figure);
            }
        }
    }
}

fn of_facts(page: &mut Page, comparison: &Comparison, names: &[String]) {
    if comparison.facts.is_empty() {
        return;
    }
    page.head("What else differs");
    let facts: Vec<(String, Vec<String>)> = comparison.facts.iter().map(fact).collect();
    let widest = facts.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    for (name, values) in facts {
        let told: Vec<String> = match names.len() {
            2 => values,
            _ => names.iter().zip(values).map(|(name, value)| format!("{name}: {value}")).collect(),
        };
        page.prose(
            &format!("{INDENT}{}  ", pad_end(&name, widest)),
            &told.join(if names.len() == 2 { " | " } else { "; " }),
        );
    }
}

fn of_unpaired(page: &mut Page, comparison: &Comparison, names: &[String]) {
    for (group, name) in names.iter().enumerate() {
        let alone = comparison.unpaired.iter().filter(|test| test.group == group);
        let titles: Vec<String> = alone.map(|test| plain(&test.title)).collect();
        if !titles.is_empty() {
            page.gap();
            page.quiet_prose("", &format!("Only of {name}: {}.", titles.join("; ")));
        }
    }
}

/// How figures of all tests are laid out, so that they stand below each other.
struct Table {
    names: Vec<String>,
    name_columns: usize,
    /// Columns of each group's values.
    columns: Vec<usize>,
    /// Whether values are shown with how well they are known.
    has_reaches: bool,
    /// The one group whose remarks stand beside the values, and whether in a few columns; `None` where they stand below.
    remarked: Option<(usize, bool)>,
    base: usize,
    style: Style,
}

impl Table {
    /// Remarks stand beside the values of two groups where there is room, else below those of each group.
    fn of(comparison: &Comparison, names: Vec<String>, rows: &[&Row], style: Style) -> Self {
        let widest = |of: &dyn Fn(&Row) -> usize| rows.iter().map(|row| of(row)).max().unwrap_or(0);
        let name_columns = widest(&|row| width(&row.name));
        let base = comparison.base;
        let others: Vec<usize> = (0..names.len()).filter(|&group| group != base).collect();
        let columns = |has_reaches: bool, has_remarks: bool| -> Vec<usize> {
            let of = |group: usize| {
                let below = if has_remarks { widest(&|row| width(&row.short_remarks[group])) } else { 0 };
                widest(&|row| width(&cell(row, group, has_reaches))).max(width(&names[group])).max(below)
            };
            (0..names.len()).map(of).collect()
        };
        let needed = |columns: &[usize]| {
            INDENT.len() + name_columns + columns.iter().map(|columns| GAP + columns).sum::<usize>()
        };
        let beside = |group: usize, layout: (bool, bool)| {
            let (has_reaches, is_short) = layout;
            let remark = GAP + widest(&|row| width(remark(row, group, is_short)));
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
        let values = |group: &usize| GAP + columns[*group];
        let of_others = (0..columns.len()).filter(|&group| group != base).map(|group| values(&group)).max();
        let room = style.width.saturating_sub(INDENT.len() + values(&base) + of_others.unwrap_or(0));
        let name_columns = name_columns.min(room);
        Self { names, name_columns, columns, has_reaches, remarked, base, style }
    }

    fn rows(&self, page: &mut Page, rows: &[Row]) {
        for groups in self.chunks() {
            self.head(page, &groups);
            rows.iter().for_each(|row| self.row(page, row, &groups));
        }
    }

    /// The groups that fit beside each other; the base is with all of them.
    fn chunks(&self) -> Vec<Vec<usize>> {
        let room =
            self.style.width.saturating_sub(INDENT.len() + self.name_columns + GAP + self.columns[self.base]);
        let mut chunks: Vec<Vec<usize>> = Vec::new();
        let mut left = 0;
        for group in (0..self.names.len()).filter(|&group| group != self.base) {
            let columns = GAP + self.columns[group];
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
        let names: String = groups
            .iter()
            .map(|&group| {
                format!("{}{}", " ".repeat(GAP), pad_start(&self.names[group], self.columns[group]))
            })
            .collect();
        let style = page.style();
        page.line(&style.paint(Tone::Quiet, &format!("{INDENT}{}{names}", pad_end("", self.name_columns))));
    }

    fn row(&self, page: &mut Page, row: &Row, groups: &[usize]) {
        let style = page.style();
        let values = |of: &dyn Fn(usize) -> String| -> String {
            groups
                .iter()
                .map(|&group| format!("{}{}", " ".repeat(GAP), pad_start(&of(group), self.columns[group])))
                .collect()
        };
        // A name without room stands above its values.
        let is_above = width(&row.name) > self.name_columns;
        if is_above {
            page.prose(INDENT, &row.name);
        }
        let name = pad_end(if is_above { "" } else { &row.name }, self.name_columns);
        let line = format!("{INDENT}{name}{}", values(&|group| cell(row, group, self.has_reaches)));
        match self.remarked {
            Some((group, is_short)) => {
                let remark = paint(&style, row, group, remark(row, group, is_short));
                page.line(&format!("{line}{}{remark}", " ".repeat(GAP)));
            }
            None => {
                page.line(&line);
                let below = values(&|group| row.short_remarks[group].clone());
                let below = format!("{INDENT}{}{below}", pad_end("", self.name_columns));
                if !below.trim().is_empty() {
                    page.line(&style.paint(Tone::Quiet, below.trim_end()));
                }
            }
        }
    }
}

fn cell(row: &Row, group: usize, has_reaches: bool) -> String {
    match row.reaches[group].as_str() {
        "" => row.values[group].clone(),
        _ if !has_reaches => row.values[group].clone(),
        reach => format!("{} {reach}", row.values[group]),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{card_and_ssd, judged, runs_of};
    use crate::golden;

    fn at(columns: usize) -> Style {
        Style { width: columns, color: false }
    }

    #[test]
    fn comparisons_read_as_they_did() {
        golden::check("compare-80.txt", &comparison(&card_and_ssd(), &at(80)));
        golden::check("compare-50.txt", &comparison(&card_and_ssd(), &at(50)));
        let four = runs_of(&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01), (140.0, 0.4)]);
        golden::check("compare-four.txt", &comparison(&four, &at(80)));
    }

    #[test]
    fn what_drives_are_good_for_is_told_of_few_groups_and_of_many() {
        golden::check("compare-purposes-80.txt", &comparison(&judged(2), &at(80)));
        golden::check("compare-purposes-50.txt", &comparison(&judged(2), &at(50)));
        golden::check("compare-purposes-four.txt", &comparison(&judged(4), &at(50)));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for of in [card_and_ssd(), judged(2), judged(4), runs_of(&[(1e7, 0.01); 7]), runs_of(&[(1.0, 0.1)])] {
            for columns in [50, 60, 72, 80, 100, 132] {
                for line in comparison(&of, &at(columns)).lines() {
                    assert!(width(line) <= columns, "{columns}: {line}");
                    assert_eq!(line, line.trim_end());
                }
            }
        }
    }

    #[test]
    fn colour_adds_only_colour() {
        let of = runs_of(&[(100.0, 0.01), (250.0, 0.02)]);
        let coloured = comparison(&of, &Style { width: 80, color: true });
        assert!(coloured.contains("\x1b[32m"), "{coloured}");
        let parts = coloured.split("\x1b[").enumerate();
        let stripped: String = parts
            .map(|(index, part)| if index == 0 { part } else { part.split_once('m').unwrap().1 })
            .collect();
        assert_eq!(stripped, comparison(&of, &at(80)));
    }
}
