//! A Report as Markdown, to paste into an article or an issue.

use std::fmt::Write;

use cardiograph_core::Report;
use cardiograph_core::table::Table;
use cardiograph_judge::record::RunFigures;

use crate::grid::Grid;
use crate::lang::Lang;
use crate::{overview, text};

/// What it is, verdicts, figures, tables, traps and commands. Headings and labels are in a language; what the Report says is
/// English.
pub fn report(report: &Report, lang: Lang) -> String {
    let mut page = String::new();
    heading(&mut page, 1, &text::report::subject_words(report));
    let source = report.source.iter().map(|of| format!("{}, {}", of.program, of.place_in_words()));
    let parts =
        text::report::run_words(report, lang).into_iter().chain([text::report::made_by(report, lang)]);
    let parts: Vec<String> = parts.chain(source).chain(text::report::tags(report)).collect();
    line(&mut page, &inline(&parts.join(", ")));
    verdicts(&mut page, report, lang);
    figures(&mut page, report, lang);
    report.tables.iter().for_each(|table| suite_table(&mut page, table, lang));
    traps(&mut page, report, lang);
    commands(&mut page, report, lang);
    page
}

fn verdicts(page: &mut String, report: &Report, lang: Lang) {
    if report.verdicts.is_empty() && report.not_judged.is_empty() {
        return;
    }
    heading(page, 2, lang.pick("What it is good for", "何に向くか"));
    let headings = [
        lang.pick("purpose", "用途"),
        lang.pick("what it is", "内容"),
        lang.pick("verdict", "判定"),
        lang.pick("figure that decided", "決め手となった値"),
    ];
    let rows = report.verdicts.iter().map(|verdict| text::verdicts::Line::of(verdict, lang));
    let rows = rows.map(|row| vec![row.purpose, row.title, row.level.to_string(), row.figure]);
    if !report.verdicts.is_empty() {
        table(page, Grid::of(headings, 0..0, rows));
    }
    if !report.not_judged.is_empty() {
        line(page, &inline(&lang.sentences(&report.not_judged)));
    }
}

fn figures(page: &mut String, report: &Report, lang: Lang) {
    let run = RunFigures::of(report);
    let grid = overview::grid(&run, lang);
    if grid.rows.is_empty() {
        return;
    }
    heading(page, 2, lang.pick("Figures", "測定値"));
    table(page, grid);
    overview::reasons(&run.tests, lang).iter().for_each(|reason| line(page, &inline(reason)));
    text::report::paragraphs(report).iter().for_each(|told| line(page, &inline(told)));
}

fn suite_table(page: &mut String, of: &Table, lang: Lang) {
    let Some(grid) = text::tables::grid(of, lang) else { return };
    heading(page, 3, &lang.text(&of.title));
    table(page, grid);
    text::tables::reasons(of, lang).iter().for_each(|reason| line(page, &format!("\\- {}", inline(reason))));
    of.notes.iter().for_each(|note| line(page, &inline(&lang.text(note))));
}

fn traps(page: &mut String, report: &Report, lang: Lang) {
    let present = text::traps::warnings(&report.traps);
    let notes = text::report::notes(report);
    if present.is_empty() && notes.is_empty() {
        return;
    }
    heading(page, 2, lang.pick("What a reader should know", "読むときの注意"));
    for warning in present {
        let word = text::traps::weight_word(warning.weight, lang);
        let _ = writeln!(page, "- **{word}**: {}", inline(&text::traps::sentences(warning, lang)));
    }
    for note in &notes {
        let _ = writeln!(page, "- {}", inline(&cardiograph_core::text::as_sentence(note)));
    }
    page.push('\n');
}

fn commands(page: &mut String, report: &Report, lang: Lang) {
    let commands: Vec<&String> = report.steps.iter().flat_map(|step| &step.fio_commands).collect();
    if commands.is_empty() {
        return;
    }
    heading(page, 2, lang.pick("The fio commands that do the same", "同じことをする fio のコマンド"));
    code(page, &commands);
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
    use cardiograph_core::imported::Source;
    use cardiograph_core::message;
    use cardiograph_import::shelf;

    use super::*;
    use crate::samples;

    #[test]
    fn markdown_reads_as_it_did() {
        cardiograph_testing::check_golden!("card.md", &report(&samples::card(), Lang::En));
        let japanese = report(&samples::card(), Lang::Ja);
        assert!(japanese.contains("## 測定値") && japanese.contains("| テスト | 速度 |"), "{japanese}");
    }

    #[test]
    fn what_was_imported_has_the_drive_that_its_source_names() {
        let is_it = |report: &&Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
        let published = shelf::reports().iter().find(is_it).unwrap();
        let told = text::report::subject_words(published);
        assert!(!told.contains("can be seen") && !published.drive.leaves.is_empty(), "{told}");
        for page in [report(published, Lang::En), crate::html::report(published, Lang::En)] {
            assert!(page.contains(&told) && !page.contains("that can be seen"), "{page}");
        }
    }

    #[test]
    fn why_purposes_are_not_judged_is_said_with_and_without_verdicts() {
        let not_judged = vec![message!("not-judged.only-capacity")];
        let why = &Lang::En.sentences(&not_judged);
        let mut part = Report { not_judged, ..samples::card() };
        for _ in 0..2 {
            for page in [report(&part, Lang::En), crate::html::report(&part, Lang::En)] {
                let (before, _) = page.split_once(why).unwrap();
                assert!(before.contains("What it is good for"), "{page}");
            }
            part.verdicts.clear();
        }
    }

    #[test]
    fn tags_are_in_each_form() {
        let report_ = Report {
            tags: [("board", "Pi 5"), ("price", "980JPY")]
                .into_iter()
                .map(|(a, b)| (a.into(), b.into()))
                .collect(),
            ..samples::card()
        };
        let facts = text::HeaderFacts {
            engines: Vec::new(),
            clock: String::new(),
            writes: text::Writes::ToTestFiles(0),
            time_ns_max: None,
        };
        let style = text::Style { width: 500, color: false };
        for page in [
            report(&report_, Lang::En),
            crate::html::report(&report_, Lang::En),
            text::report(&report_, &style),
            text::header(&report_, &facts, &style),
        ] {
            assert!(page.contains("board=Pi 5, price=980JPY"), "{page}");
        }
    }

    #[test]
    fn what_the_text_says_below_its_table_is_said_here_too() {
        let mut contradicted = report(&samples::contradicted(), Lang::En);
        contradicted.retain(|letter| letter != '\\');
        let wide = text::report(&samples::contradicted(), &text::Style { width: 500, color: false });
        let told = text::report::paragraphs(&samples::contradicted());
        assert!(!told.is_empty());
        told.iter().for_each(|told| assert!(wide.contains(told) && contradicted.contains(told), "{told}"));
    }

    #[test]
    fn standard_input_is_not_called_by_a_dash() {
        let source = Source { program: "fio 3.39".to_string(), place: "-".to_string(), ..Source::default() };
        let piped = Report { source: Some(source), ..samples::card() };
        for page in [report(&piped, Lang::En), crate::html::report(&piped, Lang::En)] {
            assert!(page.contains("standard input") && !page.contains("3.39, -"), "{page}");
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
