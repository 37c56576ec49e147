//! Tests in rows with bars, and purposes in groups.

use crate::doc::{Bar, Grade};
use crate::lang::Lang;
use crate::text::layout::{INDENT, Page, SPACE, Tone, pad_end, pad_start, plain, widest, width, wrap};
use crate::text::title_within;

const NAME_COLUMNS: usize = 30;
const VALUE_COLUMNS: usize = 12;
const BAR_COLUMNS: usize = 11;
/// Room for what follows the bar.
const NOTE_COLUMNS: usize = 20;
/// Columns in which purposes are legible next to a figure.
const PURPOSES_COLUMNS_MIN: usize = 20;

/// A row for each test, in the same columns in every node: rows may be written one by one.
pub(super) fn write(page: &mut Page, bars: &[Bar], lang: Lang) {
    bars.iter().for_each(|bar| write_bar(page, bar, lang));
}

fn write_bar(page: &mut Page, bar: &Bar, lang: Lang) {
    let columns = page.style().width;
    let names = NAME_COLUMNS.min(columns.saturating_sub(INDENT.len() + 1 + VALUE_COLUMNS));
    let (name, value) = (plain(&lang.text(&bar.name)), plain(&lang.text(&bar.value)));
    let note = bar.note.as_ref().map(|note| plain(&lang.text(note))).unwrap_or_default();
    let mut first = pad_end(&name, names);
    if width(&name) > names {
        page.line(&format!("{INDENT}{}", title_within(&name, columns.saturating_sub(INDENT.len()))));
        first = " ".repeat(names);
    }
    if !bar.is_figure {
        return page.prose(&format!("{INDENT}{first}  "), &value);
    }
    let figure = format!("{INDENT}{first} {}", pad_start(&value, VALUE_COLUMNS));
    let rest = columns.saturating_sub(width(&figure) + 2 * SPACE);
    match rest.checked_sub(NOTE_COLUMNS).map(|room| room.min(BAR_COLUMNS)).filter(|room| *room >= 6) {
        Some(room) => {
            let drawn = bar.share.map(|share| blocks(share, room)).unwrap_or_default();
            page.line(&format!("{figure}  {}  {note}", pad_end(&drawn, room)));
        }
        None if width(&note) <= rest => page.line(&format!("{figure}  {note}")),
        None => {
            page.line(&figure);
            page.prose(&format!("{INDENT}{INDENT}"), &note);
        }
    }
}

/// A bar of eighths of a column. The smallest share has a mark.
fn blocks(share: f64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = ((share.clamp(0.0, 1.0) * columns as f64 * 8.0).round() as usize).max(1);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// A line for each group: verdict, purposes, and the figure that decided.
pub(super) fn write_grades(page: &mut Page, grades: &[Grade], lang: Lang) {
    let columns = page.style().width;
    let text = |grade: &Grade| {
        let label = plain(&lang.text(&grade.label));
        let figure = grade.figure.as_ref().map(|figure| plain(&lang.text(figure))).unwrap_or_default();
        (label, plain(&lang.phrases(&grade.purposes)), figure)
    };
    let texts: Vec<(String, String, String)> = grades.iter().map(text).collect();
    let labels = widest(texts.iter().map(|(label, ..)| label)) + SPACE;
    let before = INDENT.len() + labels;
    let named_columns = widest(texts.iter().map(|(_, purposes, _)| purposes));
    for (grade, (label, named, figure)) in grades.iter().zip(&texts) {
        let label = page.style().paint(grade.tone, &pad_end(label, labels));
        let room = columns.saturating_sub(before + SPACE + width(figure));
        // With less room the figure has a line below.
        let has_room = room >= PURPOSES_COLUMNS_MIN.min(width(named));
        let room = if has_room { room } else { columns.saturating_sub(before).max(10) };
        let purposes = named_columns.min(room);
        let mut lines = wrap(named, purposes).into_iter();
        let first = pad_end(&lines.next().unwrap_or_default(), purposes + SPACE);
        let beside = if has_room { figure.as_str() } else { "" };
        page.line(&format!("{INDENT}{label}{first}{beside}"));
        lines.for_each(|line| page.line(&format!("{}{line}", " ".repeat(before))));
        if !has_room && !figure.is_empty() {
            page.toned(&" ".repeat(before), figure, Some(Tone::Quiet));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_shares_of_their_room() {
        for (share, expected) in [(0.0, "▏"), (0.5, "██"), (0.55, "██▎"), (1.0, "████"), (7.0, "████")]
        {
            assert_eq!(blocks(share, 4), expected, "{share}");
        }
    }
}
