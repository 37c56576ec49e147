//! A Report as Markdown, to paste into an article or an issue.

use std::fmt::Write;

use cardiograph_core::Report;

use crate::grid::Grid;
use crate::lang::Lang;
use crate::{doc, text};

/// What it is, verdicts, figures, tables, warnings and commands.
pub fn report(report: &Report, lang: Lang) -> String {
    doc::markdown::render(&doc::article(report), lang)
}

/// Commands of a shell, as they are.
pub(crate) fn code(page: &mut String, commands: &[impl AsRef<str>]) {
    // A fence is longer than any row of backticks in it.
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
pub(crate) fn heading(page: &mut String, level: usize, text: &str) {
    let _ = writeln!(page, "{} {}\n", "#".repeat(level), inline(text));
}

/// A block of its own.
pub(crate) fn line(page: &mut String, text: &str) {
    let _ = writeln!(page, "{text}\n");
}

/// A table. Columns of numbers are aligned to the right.
pub(crate) fn table(page: &mut String, grid: Grid) {
    let rows = grid.rows.iter().map(|row| row.iter().map(|cell| inline(cell)).collect()).collect();
    markup_table(page, &Grid { rows, ..grid });
}

/// The same of cells that are Markdown already.
pub(crate) fn markup_table(page: &mut String, grid: &Grid) {
    let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let head: Vec<String> = grid.headings.iter().map(|heading| inline(heading)).collect();
    let rule = |&is_number: &bool| if is_number { "---:" } else { "---" }.to_string();
    let rules: Vec<String> = grid.is_number.iter().map(rule).collect();
    let rows = grid.rows.iter().map(|cells| row(cells));
    line(page, &[row(&head), row(&rules)].into_iter().chain(rows).collect::<Vec<_>>().join("\n"));
}

/// Text in which nothing is markup, on one line.
pub(crate) fn inline(text: &str) -> String {
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
    use crate::samples;

    #[test]
    fn markdown_reads_as_it_did() {
        for (name, lang) in [("card.md", Lang::En), ("card-ja.md", Lang::Ja)] {
            cardiograph_testing::check_golden!(name, &report(&samples::card(), lang));
        }
    }

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(inline("a|b*c_<d>\n`"), "a\\|b\\*c\\_\\<d\\>\u{fffd}\\`");
        assert_eq!(inline("a|b *c* [d] _e_ ~f~"), "a\\|b \\*c\\* \\[d\\] \\_e\\_ \\~f\\~");
        assert_eq!(inline("a\nb"), "a\u{fffd}b");
        let mut report_ = samples::card();
        report_.label = Some("](x)|".to_string());
        report_.steps[1].fio_commands = vec!["fio ````\n".to_string()];
        let markdown = report(&report_, Lang::En);
        assert!(markdown.starts_with("# \\](x)\\|: "), "{markdown}");
        assert!(markdown.contains("`````sh\n"), "{markdown}");
    }
}
