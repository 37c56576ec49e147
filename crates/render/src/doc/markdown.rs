//! A document as Markdown, to paste into an article or an issue.

mod markup;

use cardiograph_core::{Message, Report};

use super::{Doc, Item, Node};
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
                let rows = items.iter().map(|of| item(of, lang));
                line(page, &rows.collect::<Vec<_>>().join("\n"));
            }
            Node::Table(of) => {
                of.caption.iter().for_each(|caption| line(page, &text(caption)));
                table(page, of.indented_grid(lang));
                of.notes.iter().for_each(|note| line(page, &format!("\\- {}", text(note))));
            }
            Node::Commands(commands) => {
                code(page, commands);
                page.push('\n');
            }
            Node::Curve(_) | Node::Pictures(_) => {}
        }
    }
}

fn item(of: &Item, lang: Lang) -> String {
    let text = |message: &Message| inline(&lang.text(message));
    let subject = of.subject.as_ref().map(|of| format!("**{}** ({}): ", text(&of.name), text(&of.about)));
    let first = format!("{}**{}**", subject.unwrap_or_default(), text(&of.label));
    let told = Some(inline(&lang.sentences(&of.text))).filter(|told| !told.is_empty());
    let first = told.map_or_else(|| first.clone(), |told| format!("{first}: {told}"));
    let more = (!of.more.is_empty()).then(|| inline(&lang.sentences(&of.more)));
    let below = of.grounds.iter().map(text).chain(more).map(|line| format!("  \n  {line}"));
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
