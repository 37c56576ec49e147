//! A document as Markdown, to paste into an article or an issue.

mod markup;

use cardiograph_core::{Message, Report};

use super::{Bar, Doc, Grade, Item, Node, Subject};
use crate::lang::Lang;
use markup::{code, heading, inline, line, table};

/// A Report: what it is, verdicts, figures, tables, warnings and commands.
pub fn report(report: &Report, lang: Lang) -> String {
    render(&super::article(report), lang)
}

/// The document as Markdown.
pub fn render(doc: &Doc, lang: Lang) -> String {
    let mut page = String::new();
    doc.title.iter().for_each(|title| heading(&mut page, 1, &lang.text(title)));
    write(&mut page, &doc.nodes, lang, 2);
    page
}

fn write(page: &mut String, nodes: &[Node], lang: Lang, level: usize) {
    let text = |message: &Message| inline(&lang.text(message));
    for node in nodes {
        match node {
            Node::Section(section) => {
                heading(page, level, &lang.text(&section.heading));
                write(page, &section.nodes, lang, level + 1);
            }
            Node::Paragraph(paragraph) => line(page, &inline(&lang.sentences(&paragraph.text))),
            Node::Facts(facts) => {
                let rows = facts.iter().map(|fact| {
                    let label = fact.label.as_ref().map(text).map(|label| format!("**{label}**: "));
                    let term = fact.term.as_ref().map(text).map(|term| format!("{term}: "));
                    let value = inline(&lang.phrases(&fact.value));
                    let depth = "  ".repeat(fact.depth.into());
                    format!("{depth}- {}{}{value}", label.unwrap_or_default(), term.unwrap_or_default())
                });
                line(page, &rows.collect::<Vec<_>>().join("\n"));
            }
            Node::Items(items) => {
                let rows = items.iter().map(|entry| item(entry, lang));
                line(page, &rows.collect::<Vec<_>>().join("\n"));
            }
            Node::Table(the_table) => {
                the_table.caption.iter().for_each(|caption| line(page, &text(caption)));
                table(page, the_table.indented_grid(lang));
                the_table.legends(lang).for_each(|legend| line(page, &legend));
                the_table.notes.iter().for_each(|note| line(page, &format!("\\- {}", text(note))));
            }
            Node::Bars(bars) => {
                let row = |bar: &Bar| {
                    let note = bar.note.as_ref().map(|note| format!(" ({})", text(note))).unwrap_or_default();
                    format!("- {}: **{}**{note}", text(&bar.name), text(&bar.value))
                };
                line(page, &bars.iter().map(row).collect::<Vec<_>>().join("\n"));
            }
            Node::Grades(grades) => {
                let row = |grade: &Grade| {
                    let figure = grade.figure.as_ref().map(|figure| format!(" ({})", text(figure)));
                    let purposes = inline(&lang.phrases(&grade.purposes));
                    format!("- **{}** {purposes}{}", text(&grade.label), figure.unwrap_or_default())
                };
                line(page, &grades.iter().map(row).collect::<Vec<_>>().join("\n"));
            }
            Node::Commands(commands) => {
                code(page, commands);
                page.push('\n');
            }
            Node::Curve(_) | Node::Pictures(_) => {}
        }
    }
}

fn item(item: &Item, lang: Lang) -> String {
    let text = |message: &Message| inline(&lang.text(message));
    let named = |subject: &Subject| format!("**{}** ({}): ", text(&subject.name), text(&subject.about));
    let subject = item.subject.as_ref().map(named);
    let first = format!("{}**{}**", subject.unwrap_or_default(), text(&item.label));
    let sentences = Some(inline(&lang.sentences(&item.text))).filter(|text| !text.is_empty());
    let first = sentences.map_or_else(|| first.clone(), |text| format!("{first}: {text}"));
    let more = (!item.more.is_empty()).then(|| inline(&lang.sentences(&item.more)));
    let below = item.grounds.iter().map(text).chain(more).map(|line| format!("  \n  {line}"));
    format!("- {first}{}", below.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn markdown_reads_as_it_did() {
        for (name, lang) in [("card.md", Lang::EN), ("card-ja.md", Lang::JA)] {
            cardiograph_testing::check_golden!(name, &report(&samples::card(), lang));
        }
        let labelled = Report { label: Some("](x)|".to_string()), ..samples::card() };
        assert!(report(&labelled, Lang::EN).starts_with("# \\](x)\\|: "), "a label is markup");
    }
}
