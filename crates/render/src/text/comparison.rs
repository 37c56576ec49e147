//! Groups of runs beside each other.

mod table;

use cardiograph_judge::compare::Comparison;
use table::{INDENT, Table};

use super::layout::{Page, SPACE, Style, joined, pad_end, plain, said, widest, width};
use super::verdicts::deciding_figure;
use super::words::{level_tone, level_word};
use crate::compare::{
    Notes, Row, Rows, asked, asked_differences, by_level, crossings, differences, fact, group_line,
    group_name, legend, rows,
};
use crate::lang::Lang;

/// The groups, each test with its figures and what is to be said of them, how steady the drives are, what else differs, and what
/// the judgements rest on.
pub fn comparison(comparison: &Comparison, style: &Style) -> String {
    let mut page = Page::new(style);
    let mut notes = Notes::new(comparison, Lang::En);
    let names: Vec<String> = comparison.groups.iter().map(group_name).collect();
    let columns = widest(&names);
    for (name, group) in names.iter().zip(&comparison.groups) {
        page.prose(&format!("{}  ", pad_end(name, columns)), &group_line(group, Lang::En));
    }
    if comparison.tests.is_empty() {
        page.gap();
        page.paragraph("They have no test in common: nothing was measured in the same or a near way.");
    }
    match comparison.wanted.is_empty() {
        true => {
            of_tests(&mut page, comparison, &names, &mut notes);
            of_purposes(&mut page, comparison, &names);
        }
        false => of_asked(&mut page, comparison, &names, &mut notes),
    }
    of_facts(&mut page, comparison, &names);
    of_unpaired(&mut page, comparison, &names);
    page.gap();
    notes.told().iter().for_each(|note| page.quiet_prose("", note));
    page.into_text()
}

/// A table for each figure that was asked for.
fn of_asked(page: &mut Page, comparison: &Comparison, names: &[String], notes: &mut Notes) {
    let tables = asked(notes);
    let mut told = None;
    for asked in &tables {
        page.head(&asked.name);
        let rows: Vec<&Row> = asked.rows.iter().collect();
        let table = Table::of(comparison, names.to_vec(), &rows, page.style()).in_few_blocks(&rows);
        let caption = table.caption(&rows);
        caption.iter().filter(|_| caption != told).for_each(|caption| page.quiet_prose(INDENT, caption));
        told = caption.or(told);
        table.rows(page, &asked.rows);
    }
    page.gap();
    legend(&tables).iter().for_each(|told| page.quiet_prose("", told));
    asked_differences(comparison, Lang::En).iter().for_each(|told| page.quiet_prose("", told));
}

/// A section for each test, and how steady the drives are.
fn of_tests(page: &mut Page, comparison: &Comparison, names: &[String], notes: &mut Notes) {
    let tests: Vec<Rows> = comparison.tests.iter().map(|test| rows(test, false, notes)).collect();
    let style = page.style();
    let table = |of: fn(&Rows) -> &Vec<Row>| {
        let rows: Vec<&Row> = tests.iter().flat_map(of).collect();
        let table = Table::of(comparison, names.to_vec(), &rows, style);
        let caption = table.caption(&rows);
        (table, caption)
    };
    let ((speed, of_speed), (stability, of_stability)) =
        (table(|rows| &rows.speed), table(|rows| &rows.stability));
    if let Some(caption) = of_speed {
        page.gap();
        page.quiet_prose("", &caption);
    }
    for (test, rows) in comparison.tests.iter().zip(&tests) {
        if rows.speed.is_empty() {
            continue;
        }
        page.head(&said(&test.title, Lang::En));
        for told in differences(comparison, test, Lang::En) {
            page.quiet_prose(INDENT, &told);
        }
        speed.rows(page, &rows.speed);
        for of in &test.distributions {
            for told in crossings(comparison, of, Lang::En) {
                page.prose(INDENT, &format!("{told}."));
            }
        }
    }
    if tests.iter().any(|rows| !rows.stability.is_empty()) {
        page.head("Stability");
        of_stability.iter().for_each(|caption| page.quiet_prose(INDENT, caption));
        for (test, rows) in comparison.tests.iter().zip(&tests).filter(|(_, rows)| !rows.stability.is_empty())
        {
            page.prose(INDENT, &said(&test.title, Lang::En));
            stability.rows(page, &rows.stability);
        }
    }
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
    let purpose_columns = SPACE + widest(purposes().map(|of| plain(&of.purpose)));
    let name_columns = SPACE + widest(names);
    let verdicts = purposes().flat_map(|of| of.verdicts.iter().flatten());
    let level_columns = SPACE + widest(verdicts.map(|of| level_word(of.level, Lang::En)));
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
            let word = level_word(verdict.level, Lang::En);
            let figure = deciding_figure(verdict, Lang::En).unwrap_or_default();
            let level = pad_end(&style.paint(level_tone(verdict.level), word), level_columns);
            let begin = format!("{first}{}{level}", pad_end(name, name_columns));
            if columns + DECIDED_COLUMNS_MIN <= style.width {
                page.prose(&begin, &figure);
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
    let columns = widest(facts.iter().map(|(name, _)| name));
    for (name, values) in facts {
        let told: Vec<String> = match names.len() {
            2 => values,
            _ => names.iter().zip(values).map(|(name, value)| format!("{name}: {value}")).collect(),
        };
        let told = told.join(if names.len() == 2 { " | " } else { "; " });
        page.prose(&format!("{INDENT}{}  ", pad_end(&name, columns)), &told);
    }
}

fn of_unpaired(page: &mut Page, comparison: &Comparison, names: &[String]) {
    for (group, name) in names.iter().enumerate() {
        let alone = comparison.unpaired.iter().filter(|test| test.group == group);
        if let Some(titles) = joined([alone.map(|test| said(&test.title, Lang::En))], "; ") {
            page.gap();
            page.quiet_prose("", &format!("Only of {name}: {titles}."));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{card_and_ssd, judged, of_settings, priced, runs_of};
    fn at(columns: usize) -> Style {
        Style { width: columns, color: false }
    }

    #[test]
    fn comparisons_read_as_they_did() {
        cardiograph_testing::check_golden!("compare-80.txt", &comparison(&card_and_ssd(), &at(80)));
        cardiograph_testing::check_golden!("compare-50.txt", &comparison(&card_and_ssd(), &at(50)));
        let four = runs_of(&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01), (140.0, 0.4)]);
        cardiograph_testing::check_golden!("compare-four.txt", &comparison(&four, &at(80)));
        for columns in [80, 50] {
            let text = comparison(&of_settings(), &at(columns));
            cardiograph_testing::check_golden!(&format!("compare-asked-{columns}.txt"), &text);
            let of = priced(["980JPY", "12800JPY"], [3_786.0, 5_275.0]);
            cardiograph_testing::check_golden!(
                &format!("compare-priced-{columns}.txt"),
                &comparison(&of, &at(columns))
            );
        }
    }

    #[test]
    fn what_drives_are_good_for_is_told_of_few_groups_and_of_many() {
        cardiograph_testing::check_golden!("compare-purposes-80.txt", &comparison(&judged(2), &at(80)));
        cardiograph_testing::check_golden!("compare-purposes-50.txt", &comparison(&judged(2), &at(50)));
        cardiograph_testing::check_golden!("compare-purposes-four.txt", &comparison(&judged(4), &at(50)));
    }

    #[test]
    fn each_part_says_whose_its_short_remarks_are() {
        let of_many = runs_of(&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01)]);
        let ways = [
            (card_and_ssd(), &[" ssd is\n", "how ssd compares with microsd."][..]),
            (of_many, &["how it compares with that of a."]),
            (of_settings(), &["how it compares with that of none.", "its ratio to that of none."]),
        ];
        for (of, said) in ways {
            for columns in 40..=120 {
                let text = comparison(&of, &at(columns));
                for part in text.split("\nStability\n") {
                    // What speaks for itself names the better one: `ssd 1.4 times faster`.
                    let short =
                        ["x better", "x worse", "0.53x"].iter().filter_map(|word| part.find(word)).min();
                    let Some(first) = short else { continue };
                    let before = part[..first].split_whitespace().collect::<Vec<_>>().join(" ");
                    let is_said = said.iter().any(|said| match said.strip_suffix('\n') {
                        Some(_) => part[..first].contains(said),
                        None => before.contains(said),
                    });
                    assert!(is_said, "{columns}: {part}");
                }
            }
        }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let priced = priced(["980JPY", "12800USD"], [3_786.0, 5_275.0]);
        let of_one = [card_and_ssd(), judged(2), judged(4), of_settings(), priced];
        for of in of_one.into_iter().chain([runs_of(&[(1e7, 0.01); 7]), runs_of(&[(1.0, 0.1)])]) {
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
