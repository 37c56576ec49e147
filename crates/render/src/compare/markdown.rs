//! A Comparison as Markdown, to paste into an article.

use cardiograph_core::units;
use cardiograph_judge::compare::distribution::{Distribution, Point};
use cardiograph_judge::compare::{ComparedTest, Comparison};

use super::words::{crossings, differences, group_line, name};
use super::{Notes, Row, asked, asked_differences, fact, purposes, rows, summary};
use crate::grid::Grid;
use crate::lang::Lang;
use crate::markdown::{heading, inline, line, markup_table, table};
use crate::method;
use crate::text::layout::{joined, said};

/// A summary, a table for each test, the percentiles of its latencies, how steady the drives are, and what else differs.
pub fn comparison(comparison: &Comparison, lang: Lang) -> String {
    let names = comparison.groups.iter().map(name).collect();
    let mut page = Page { text: String::new(), comparison, lang, names, notes: Notes::new(comparison, lang) };
    page.heading(2, lang.pick("Comparison", "比較"));
    let groups = comparison.groups.iter().map(|group| vec![name(group), group_line(group, lang)]);
    page.table(Grid::of(["", lang.pick("Drive", "ドライブ")], 0..0, groups));
    match comparison.wanted.is_empty() {
        true => {
            page.of_tests();
            page.of_purposes();
        }
        false => page.of_asked(),
    }
    page.of_facts();
    page.of_unpaired();
    page.notes.told().iter().for_each(|note| line(&mut page.text, &inline(note)));
    // Each block has an empty line behind it, and the last one none.
    page.text.pop();
    page.text
}

/// Markdown that grows block by block.
struct Page<'c> {
    text: String,
    comparison: &'c Comparison,
    lang: Lang,
    names: Vec<String>,
    notes: Notes<'c>,
}

impl Page<'_> {
    fn heading(&mut self, level: usize, text: &str) {
        heading(&mut self.text, level, text);
    }

    fn line(&mut self, text: &str) {
        line(&mut self.text, &inline(text));
    }

    fn table(&mut self, grid: Grid) {
        table(&mut self.text, grid);
    }

    /// Headings of a table with a column for each group.
    fn headings(&self, first: &str) -> Vec<String> {
        std::iter::once(first).chain(self.names.iter().map(String::as_str)).map(str::to_string).collect()
    }

    /// A table for each figure that was asked for.
    fn of_asked(&mut self) {
        for asked in &asked(&mut self.notes) {
            self.heading(3, &asked.name);
            self.rows(&asked.rows, true);
            if asked.has_best() {
                self.line(self.lang.pick(
                    "Bold: the best of its row, and what is about the same.",
                    "太字:行の中で最もよい値と、それとほぼ同等の値。",
                ));
            }
        }
        asked_differences(self.comparison, self.lang).iter().for_each(|told| self.line(told));
    }

    /// A summary, a section for each test, and how steady the drives are.
    fn of_tests(&mut self) {
        let (comparison, lang) = (self.comparison, self.lang);
        self.heading(3, lang.pick("Summary", "結果サマリ"));
        let mut head = self.headings(lang.pick("Figure", "指標"));
        head.insert(0, lang.pick("Test", "テスト").to_string());
        head.push(lang.pick("Remark", "備考").to_string());
        let rows_of = summary::rows(&mut self.notes);
        self.table(Grid::of(head, 2..2 + self.names.len(), rows_of));
        let mut steady: Vec<(&ComparedTest, Vec<Row>)> = Vec::new();
        for test in &comparison.tests {
            let rows = rows(test, true, &mut self.notes);
            self.heading(3, &lang.text(&test.title));
            differences(comparison, test, lang).iter().for_each(|told| self.line(told));
            self.rows(&rows.speed, false);
            test.distributions.iter().for_each(|of| self.of_distribution(of));
            steady.extend((!rows.stability.is_empty()).then_some((test, rows.stability)));
        }
        if !steady.is_empty() {
            self.heading(3, lang.pick("Stability", "安定性"));
        }
        for (test, rows) in &steady {
            self.heading(4, &lang.text(&test.title));
            self.rows(rows, false);
        }
    }

    fn of_distribution(&mut self, of: &Distribution) {
        /// With fewer, the rows above say it.
        const POINTS_MIN: usize = 4;
        for told in crossings(self.comparison, of, self.lang) {
            self.line(&format!("{told}{}", self.lang.pick(".", "。")));
        }
        let value = |value: &Option<f64>| value.map_or(units::NO_FIGURE.to_string(), units::duration_f64);
        let row = |point: &Point| {
            std::iter::once(format!("p{}", point.percent)).chain(point.values_ns.iter().map(value)).collect()
        };
        if of.points.len() >= POINTS_MIN {
            let head = self.headings(&self.lang.text(&method::latencies(of.direction, of.kind)));
            self.table(Grid::of(head, 1..1 + self.names.len(), of.points.iter().map(row)));
        }
    }

    fn of_purposes(&mut self) {
        if !self.comparison.purposes.is_empty() {
            self.heading(3, self.lang.pick("What they are good for", "用途別の判定"));
            let head = self.headings(self.lang.pick("Purpose", "用途"));
            self.table(Grid::of(head, 0..0, purposes::rows(self.comparison, self.lang)));
        }
    }

    fn of_facts(&mut self) {
        if !self.comparison.facts.is_empty() {
            self.heading(3, self.lang.pick("What else differs", "ほかの違い"));
            let facts = self.comparison.facts.iter().map(fact);
            let rows = facts.map(|(name, values)| std::iter::once(name).chain(values).collect());
            self.table(Grid::of(self.headings(""), 0..0, rows));
        }
    }

    fn of_unpaired(&mut self) {
        for (group, name) in self.names.clone().iter().enumerate() {
            let alone = self.comparison.unpaired.iter().filter(|test| test.group == group);
            let titles = joined([alone.map(|test| said(&test.title, self.lang))], self.lang.pick("; ", "、"));
            let told = titles.map(|titles| match self.lang {
                Lang::En => format!("only measured of {name}: {titles}."),
                Lang::Ja => format!("{name}のみの測定:{titles}。"),
            });
            told.iter().for_each(|told| self.line(told));
        }
    }

    /// Figures with their remarks, or those that were asked for with their ratios to the base. The best values are bold.
    fn rows(&mut self, rows: &[Row], is_asked: bool) {
        if rows.is_empty() {
            return;
        }
        let (lang, groups) = (self.lang, self.names.len());
        let others: Vec<usize> = self.comparison.others().collect();
        let base = &self.names[self.comparison.base];
        let beside = |&group: &usize| match is_asked || others.len() > 1 {
            true => format!("{} / {base}", self.names[group]),
            false => lang.pick("Comparison", "比較").to_string(),
        };
        let first = if is_asked { lang.pick("Test", "テスト") } else { lang.pick("Figure", "項目") };
        let head = self.headings(first).into_iter().chain(others.iter().map(beside));
        let cells = |row: &Row| {
            let value = |group: usize| {
                let value = inline(&row.values[group]);
                let value = if row.best[group] { format!("**{value}**") } else { value };
                match row.reaches[group].as_str() {
                    "" => value,
                    reach => format!("{value} ({reach})"),
                }
            };
            let told = if is_asked { &row.ratios } else { &row.remarks };
            let told = others.iter().map(|&group| inline(&told[group]));
            std::iter::once(inline(&row.name)).chain((0..groups).map(value)).chain(told).collect()
        };
        let numbers = 1..1 + groups + if is_asked { others.len() } else { 0 };
        markup_table(&mut self.text, &Grid::of(head, numbers, rows.iter().map(cells)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, judged, of_settings, priced, runs_of};
    use super::*;
    use cardiograph_core::Message;
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
        of.tests[0].title = Message::verbatim("<b>*read*");
        assert!(comparison(&of, Lang::En).contains("\n### \\<b\\>\\*read\\*\n"));
    }
}
