//! A document as comma-separated values: a line for each row, fact and item, with the headings above it.

use super::{Doc, Node};
use crate::csv::line;
use crate::lang::Lang;

/// The document as CSV. Tables have a line of headings; labels and values are the cells of other lines.
pub fn render(doc: &Doc, lang: Lang) -> String {
    let mut lines = String::new();
    write(&mut lines, &doc.nodes, "", lang);
    lines
}

fn write(lines: &mut String, nodes: &[Node], heading: &str, lang: Lang) {
    let mut push = |cells: Vec<String>| {
        let heading = Some(heading).filter(|heading| !heading.is_empty()).map(str::to_string);
        lines.push_str(&line(heading.into_iter().chain(cells)));
    };
    for node in nodes {
        match node {
            Node::Section(_) => {}
            Node::Facts(facts) => facts.iter().for_each(|fact| {
                let label = fact.label.iter().chain(&fact.term).map(|label| lang.text(label));
                let label = label.collect::<Vec<_>>().join(" ");
                push(std::iter::once(label).chain(fact.value.iter().map(|value| lang.text(value))).collect());
            }),
            Node::Items(items) => items.iter().for_each(|item| {
                let texts = item.text.iter().chain(&item.grounds).chain(&item.more);
                push(std::iter::once(&item.label).chain(texts).map(|text| lang.text(text)).collect());
            }),
            Node::Bars(bars) => bars.iter().for_each(|bar| {
                push(
                    [Some(&bar.name), Some(&bar.value), bar.note.as_ref()]
                        .into_iter()
                        .flatten()
                        .map(|text| lang.text(text))
                        .collect(),
                );
            }),
            Node::Grades(grades) => grades.iter().for_each(|grade| {
                let texts = std::iter::once(&grade.label).chain(&grade.purposes).chain(&grade.figure);
                push(texts.map(|text| lang.text(text)).collect());
            }),
            Node::Table(table) => {
                let grid = table.grid(lang);
                push(grid.headings);
                grid.rows.into_iter().for_each(&mut push);
            }
            Node::Paragraph(_) | Node::Commands(_) | Node::Curve(_) | Node::Pictures(_) => {}
        }
    }
    for node in nodes {
        if let Node::Section(section) = node {
            let heading = format!("{heading} {}", lang.text(&section.heading));
            write(lines, &section.nodes, heading.trim(), lang);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_label_and_value_is_a_cell() {
        let passport =
            samples::passport(samples::named_drives().into_iter().map(|(_, drive)| drive).collect());
        let doc = crate::doc::passport(&passport);
        let text = render(&doc, Lang::EN);
        let facts = doc.nodes.iter().flat_map(|node| match node {
            Node::Section(section) => section.nodes.clone(),
            _ => Vec::new(),
        });
        let values = facts.flat_map(|node| match node {
            Node::Facts(facts) => facts.into_iter().flat_map(|fact| fact.value).collect(),
            _ => Vec::new(),
        });
        let values: Vec<String> = values.map(|value| Lang::EN.text(&value)).collect();
        assert!(values.len() > 20 && text.lines().all(|line| !line.is_empty()));
        values
            .iter()
            .filter(|value| !value.contains(','))
            .for_each(|value| assert!(text.contains(value), "{value}"));
    }
}
