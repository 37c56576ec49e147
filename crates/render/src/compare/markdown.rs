//! A Comparison as Markdown, to paste into an article.

use std::ops::Range;

use cardiograph_core::units;
use cardiograph_judge::compare::distribution::Distribution;
use cardiograph_judge::compare::{ComparedTest, Comparison};

use super::words::{crossings, differences, distribution_name, group_line, name};
use super::{Notes, Row, asked, asked_differences, fact, purposes, rows, summary};
use crate::lang::Lang;
use crate::markdown::{inline, markup_lines, table_lines};
use crate::text::layout;

/// A summary, a table for each test, the percentiles of its latencies, how steady the drives are, and what else differs.
pub fn comparison(comparison: &Comparison, lang: Lang) -> String {
    let mut page = Page::default();
    let mut notes = Notes::default();
    page.line(&format!("## {}", lang.pick("Comparison", "比較")));
    let names: Vec<String> = comparison.groups.iter().map(name).collect();
    let groups = comparison.groups.iter().map(|group| vec![name(group), group_line(group, lang)]);
    page.table(&["", lang.pick("Drive", "ドライブ")].map(str::to_string), groups.collect(), 0..0);
    let is_whole = comparison.wanted.is_empty();
    match is_whole {
        true => of_tests(&mut page, comparison, &names, lang, &mut notes),
        false => of_asked(&mut page, comparison, &names, lang, &mut notes),
    }
    if is_whole && !comparison.purposes.is_empty() {
        page.line(&format!("### {}", lang.pick("What they are good for", "用途別の判定")));
        let head = [&[lang.pick("Purpose", "用途").to_string()], &names[..]].concat();
        page.table(&head, purposes::rows(comparison, lang), 0..0);
    }
    if !comparison.facts.is_empty() {
        page.line(&format!("### {}", lang.pick("What else differs", "ほかの違い")));
        let rows = comparison.facts.iter().map(fact).map(|(name, values)| [vec![name], values].concat());
        page.table(&[&[String::new()], &names[..]].concat(), rows.collect(), 0..0);
    }
    of_unpaired(&mut page, comparison, lang);
    notes.told(comparison, lang).iter().for_each(|note| page.line(&inline(note)));
    page.text
}

/// A table for each figure that was asked for.
fn of_asked(page: &mut Page, comparison: &Comparison, names: &[String], lang: Lang, notes: &mut Notes) {
    for asked in &asked(comparison, lang, notes) {
        page.line(&format!("### {}", asked.name));
        page.asked(comparison, names, &asked.rows, lang);
        if asked.has_best() {
            page.line(lang.pick(
                "Bold: the best of its row, and what is about the same.",
                "太字:行の中で最もよい値と、それとほぼ同等の値。",
            ));
        }
    }
    asked_differences(comparison, lang).iter().for_each(|told| page.line(&inline(told)));
}

/// A summary, a section for each test, and how steady the drives are.
fn of_tests(page: &mut Page, comparison: &Comparison, names: &[String], lang: Lang, notes: &mut Notes) {
    page.line(&format!("### {}", lang.pick("Summary", "結果サマリ")));
    let head =
        [&[lang.pick("Test", "テスト").to_string(), lang.pick("Figure", "指標").to_string()], names].concat();
    let head = [&head[..], &[lang.pick("Remark", "備考").to_string()]].concat();
    page.table(&head, summary::rows(comparison, lang, notes), 2..2 + names.len());
    let mut steady: Vec<(&ComparedTest, Vec<Row>)> = Vec::new();
    for test in &comparison.tests {
        let rows = rows(comparison, test, lang, true, notes);
        page.line(&format!("### {}", inline(&test.title)));
        differences(comparison, test, lang).iter().for_each(|told| page.line(&inline(told)));
        page.rows(comparison, names, &rows.speed, lang);
        of_distributions(page, comparison, test, names, lang);
        steady.extend((!rows.stability.is_empty()).then_some((test, rows.stability)));
    }
    if !steady.is_empty() {
        page.line(&format!("### {}", lang.pick("Stability", "安定性")));
    }
    for (test, rows) in &steady {
        page.line(&format!("#### {}", inline(&test.title)));
        page.rows(comparison, names, rows, lang);
    }
}

fn of_distributions(
    page: &mut Page,
    comparison: &Comparison,
    test: &ComparedTest,
    names: &[String],
    lang: Lang,
) {
    /// With fewer, the rows above say it.
    const POINTS_MIN: usize = 4;
    for of in &test.distributions {
        for told in crossings(comparison, of, lang) {
            page.line(&format!("{}{}", inline(&told), lang.pick(".", "。")));
        }
        if of.points.len() < POINTS_MIN {
            continue;
        }
        let head = [&[distribution_name(of, lang)], names].concat();
        page.table(&head, points(of), 1..1 + names.len());
    }
}

fn points(of: &Distribution) -> Vec<Vec<String>> {
    let value = |value: &Option<f64>| value.map_or(units::NO_FIGURE.to_string(), units::duration_f64);
    let row = |point: &cardiograph_judge::compare::distribution::Point| {
        let values = point.values_ns.iter().map(value);
        std::iter::once(format!("p{}", point.percent)).chain(values).collect()
    };
    of.points.iter().map(row).collect()
}

fn of_unpaired(page: &mut Page, comparison: &Comparison, lang: Lang) {
    for (group, of) in comparison.groups.iter().enumerate() {
        let alone = comparison.unpaired.iter().filter(|test| test.group == group);
        let titles: Vec<String> = alone.map(|test| layout::plain(&test.title)).collect();
        if !titles.is_empty() {
            let words = lang.pick("only measured of", "のみの測定");
            let told = match lang {
                Lang::En => format!("{words} {}: {}.", name(of), titles.join("; ")),
                Lang::Ja => format!("{}{words}:{}。", name(of), titles.join("、")),
            };
            page.line(&inline(&told));
        }
    }
}

/// Markdown that grows block by block.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    /// A block of its own.
    fn line(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A table; the columns `right` are aligned to the right.
    fn table(&mut self, head: &[String], rows: Vec<Vec<String>>, right: Range<usize>) {
        self.line(&table_lines(head, |column| right.contains(&column), &rows));
    }

    /// A figure of all tests with the ratios to the base, the best values bold.
    fn asked(&mut self, comparison: &Comparison, names: &[String], rows: &[Row], lang: Lang) {
        let others: Vec<usize> = comparison.others().collect();
        let ratios = others.iter().map(|&group| format!("{} / {}", names[group], names[comparison.base]));
        let first = lang.pick("Test", "テスト").to_string();
        let head: Vec<String> = std::iter::once(first).chain(names.iter().cloned()).chain(ratios).collect();
        let cells = |row: &Row| {
            let value = |group: usize| {
                let value = inline(&row.values[group]);
                let value = if row.best[group] { format!("**{value}**") } else { value };
                match row.reaches[group].as_str() {
                    "" => value,
                    reach => format!("{value} ({reach})"),
                }
            };
            let ratios = others.iter().map(|&group| inline(&row.ratios[group]));
            std::iter::once(inline(&row.name)).chain((0..names.len()).map(value)).chain(ratios).collect()
        };
        let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
        self.line(&markup_lines(&head, |column| column > 0, &rows));
    }

    /// Figures with their remarks.
    fn rows(&mut self, comparison: &Comparison, names: &[String], rows: &[Row], lang: Lang) {
        if rows.is_empty() {
            return;
        }
        let base = &names[comparison.base];
        let others: Vec<usize> = comparison.others().collect();
        let beside = |&group: &usize| match others.len() {
            1 => lang.pick("Comparison", "比較").to_string(),
            _ => format!("{} / {base}", names[group]),
        };
        let remarks: Vec<String> = others.iter().map(beside).collect();
        let head = [&[lang.pick("Figure", "項目").to_string()], names, &remarks[..]].concat();
        let cells = |row: &Row| {
            let values = row.values.iter().zip(&row.reaches).map(|(value, reach)| match reach.as_str() {
                "" => value.clone(),
                reach => format!("{value} ({reach})"),
            });
            let remarks = others.iter().map(|&group| row.remarks[group].clone());
            std::iter::once(row.name.clone()).chain(values).chain(remarks).collect()
        };
        self.table(&head, rows.iter().map(cells).collect(), 1..1 + names.len());
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, judged, of_settings, priced, runs_of};
    use super::*;
    #[test]
    fn an_article_has_the_tables_of_one() {
        cardiograph_testing::check_golden!("compare-en.md", &comparison(&card_and_ssd(), Lang::En));
        cardiograph_testing::check_golden!("compare-ja.md", &comparison(&card_and_ssd(), Lang::Ja));
        cardiograph_testing::check_golden!(
            "compare-three.md",
            &comparison(&runs_of(&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01)]), Lang::En),
        );
        cardiograph_testing::check_golden!("compare-asked-en.md", &comparison(&of_settings(), Lang::En));
        let of = priced(["980JPY", "12800JPY"], [3_786.0, 5_275.0]);
        cardiograph_testing::check_golden!("compare-priced-ja.md", &comparison(&of, Lang::Ja));
        cardiograph_testing::check_golden!("compare-asked-ja.md", &comparison(&of_settings(), Lang::Ja));
    }

    #[test]
    fn what_drives_are_good_for_stands_in_a_table() {
        cardiograph_testing::check_golden!("compare-purposes-en.md", &comparison(&judged(2), Lang::En));
        cardiograph_testing::check_golden!("compare-purposes-ja.md", &comparison(&judged(4), Lang::Ja));
    }

    #[test]
    fn rows_of_a_table_have_its_columns() {
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        let text = comparison;
        let four = runs_of(&[(1.0, 0.1); 4]);
        for text in [text(&card_and_ssd(), Lang::Ja), text(&four, Lang::En), text(&of_settings(), Lang::En)] {
            for block in text.split("\n\n").filter(|block| block.starts_with('|')) {
                let head = columns(block.lines().next().unwrap());
                assert!(block.lines().all(|line| columns(line) == head), "{block}");
            }
        }
    }

    #[test]
    fn titles_are_not_markdown() {
        let mut of = card_and_ssd();
        of.tests[0].title = "<b>*read*".to_string();
        assert!(comparison(&of, Lang::En).contains("\n### \\<b\\>\\*read\\*\n"));
    }
}
