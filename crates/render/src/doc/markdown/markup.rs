//! Pieces of Markdown, in which text from outside is escaped.

use std::fmt::Write;

use crate::grid::Grid;
use crate::text;

/// Shell commands, verbatim.
pub(super) fn code(page: &mut String, commands: &[impl AsRef<str>]) {
    // A fence must be longer than any row of backticks in it.
    let longest = commands.iter().map(|command| backticks(command.as_ref())).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(page, "{fence}sh");
    commands.iter().for_each(|command| *page += &(text::plain(command.as_ref()) + "\n"));
    let _ = writeln!(page, "{fence}");
}

/// The longest row of backticks.
fn backticks(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

/// A heading.
pub(super) fn heading(page: &mut String, level: usize, text: &str) {
    let _ = writeln!(page, "{} {}\n", "#".repeat(level), inline(text));
}

/// A separate block.
pub(super) fn line(page: &mut String, text: &str) {
    let _ = writeln!(page, "{text}\n");
}

/// A table. Columns of numbers are aligned to the right.
pub(super) fn table(page: &mut String, grid: Grid) {
    let rows = grid.rows.iter().map(|row| row.iter().map(|cell| inline(cell)).collect()).collect();
    markup_table(page, &Grid { rows, ..grid });
}

/// The same for cells that are already Markdown.
fn markup_table(page: &mut String, grid: &Grid) {
    let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let head: Vec<String> = grid.headings.iter().map(|heading| inline(heading)).collect();
    let rule = |&is_number: &bool| if is_number { "---:" } else { "---" }.to_string();
    let rules: Vec<String> = grid.is_number.iter().map(rule).collect();
    let rows = grid.rows.iter().map(|cells| row(cells));
    line(page, &[row(&head), row(&rules)].into_iter().chain(rows).collect::<Vec<_>>().join("\n"));
}

/// Escaped text, on one line.
pub(super) fn inline(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text::plain(text).chars() {
        if matches!(letter, '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '\\' | '#' | '~') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_is_escaped() {
        assert_eq!(inline("a|b*c_<d>\n`"), "a\\|b\\*c\\_\\<d\\>\u{fffd}\\`");
        assert_eq!(inline("a|b *c* [d] _e_ ~f~"), "a\\|b \\*c\\* \\[d\\] \\_e\\_ \\~f\\~");
        assert_eq!(inline("a\nb"), "a\u{fffd}b");
        let mut page = String::new();
        code(&mut page, &["fio ````\n"]);
        assert!(page.starts_with("`````sh\n"), "{page}");
    }
}
