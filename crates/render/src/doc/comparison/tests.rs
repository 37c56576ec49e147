use cardiograph_core::{Message, Parameter, message};

use super::{Extent, comparison};
use crate::compare::samples::{
    card_and_ssd, controller_settings, judged, measured_differently, priced, random_reads, several_drives,
};
use crate::doc::{Cell, Doc, Node, Table, markdown, terminal};
use crate::lang::Lang;
use crate::text::Style;
use crate::text::layout::width;

const GLANCE: Extent = Extent { is_full: false, has_whole_names: false, has_ratios: false };
const ALL: Extent = Extent { is_full: true, has_whole_names: false, has_ratios: true };

pub fn samples() -> Vec<cardiograph_judge::compare::Comparison> {
    let two_currencies = priced(["980JPY", "12800USD"], [3_786.0, 5_275.0]);
    let many_groups = [
        random_reads(&[(1e7, 0.01); 7]),
        random_reads(&[(1.0, 0.1)]),
        random_reads(&[(100.0, 0.01), (250.0, 0.4)]),
    ];
    let all = [
        card_and_ssd(),
        measured_differently(),
        judged(2),
        judged(4),
        controller_settings(),
        several_drives(),
        two_currencies,
    ];
    all.into_iter().chain(many_groups).collect()
}

fn plain_style(columns: usize) -> Style {
    Style { width: columns, color: false }
}

/// All tables in the sections with this name.
fn tables(nodes: &[Node], id: &str) -> Vec<Table> {
    let section_nodes = |node: &Node| match node {
        Node::Section(section) if section.id == id => section.nodes.clone(),
        _ => Vec::new(),
    };
    let table = |node| if let Node::Table(table) = node { Some(table) } else { None };
    nodes.iter().flat_map(section_nodes).filter_map(table).collect()
}

/// The table with a row for each test.
fn summary(doc: &Doc) -> Table {
    let table = |node: &Node| if let Node::Table(table) = node { Some(table.clone()) } else { None };
    doc.nodes.iter().find_map(table).unwrap()
}

fn paragraphs(doc: &Doc) -> Vec<Message> {
    let text = |node: &Node| match node {
        Node::Paragraph(paragraph) => paragraph.text.clone(),
        _ => Vec::new(),
    };
    doc.nodes.iter().flat_map(text).collect()
}

#[test]
fn comparisons_read_well() {
    for (name, sample) in [
        ("compare", card_and_ssd()),
        ("compare-four", random_reads(&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01), (140.0, 0.4)])),
        ("compare-asked", controller_settings()),
        ("compare-priced", priced(["980JPY", "12800JPY"], [3_786.0, 5_275.0])),
    ] {
        let text = terminal::render(&comparison(&sample, GLANCE), Lang::EN, &plain_style(80));
        cardiograph_testing::check_golden!(&format!("{name}.txt"), &text);
    }
    let japanese = comparison(&card_and_ssd(), GLANCE);
    cardiograph_testing::check_golden!(
        "compare-ja.txt",
        &terminal::render(&japanese, Lang::JA, &plain_style(80))
    );
    let article = comparison(&card_and_ssd(), ALL);
    cardiograph_testing::check_golden!("compare.md", &markdown::render(&article, Lang::EN));
}

#[test]
fn no_line_is_wider_than_the_terminal_and_no_figure_is_lost() {
    for sample in samples() {
        for lang in Lang::ALL {
            let doc = comparison(&sample, ALL);
            let cells = |id| {
                tables(&doc.nodes, id).into_iter().flat_map(|table| table.rows).flat_map(|row| row.cells)
            };
            let figures = ["test", "stability", "asked"].into_iter().flat_map(cells);
            let figures: Vec<String> = figures
                .filter_map(|cell| match cell {
                    Cell::Value(value) => Some(lang.value(&value)),
                    Cell::Text(text) if text.parameter("value").is_some() => Some(lang.text(&text)),
                    _ => None,
                })
                .collect();
            for columns in 40..=200 {
                let text = terminal::render(&doc, lang, &plain_style(columns));
                let wide = text.lines().find(|line| width(line) > columns || *line != line.trim_end());
                assert_eq!(wide, None, "{columns}: {text}");
                let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
                for figure in &figures {
                    assert!(shown.contains(figure.as_str()), "{columns}, {figure}: {text}");
                }
            }
        }
    }
}

#[test]
fn the_answer_comes_first_and_names_exceptions() {
    let doc = comparison(&card_and_ssd(), GLANCE);
    let ids: Vec<String> = paragraphs(&doc).iter().map(|message| message.id().to_string()).collect();
    assert_eq!(
        ids[..3],
        ["comparison-answer.faster", "comparison-answer.similar", "comparison-answer.steadier"]
    );
    let table = summary(&doc);
    let lines: Vec<(u8, &str)> = table.rows.iter().map(|row| (row.depth, row.name.id())).collect();
    let below = (1, "figure.of-sync");
    let test = (0, "verbatim");
    assert_eq!(lines, [test, test, below, below, below, test]);
    let three_groups = comparison(&random_reads(&[(100.0, 0.01), (250.0, 0.02), (99.0, 0.01)]), GLANCE);
    let fastest = message!(
        "comparison-answer.fastest",
        groups = 1_usize,
        group = Parameter::all(["b"]),
        tests = 1_usize,
        all = 1_usize
    );
    assert_eq!(paragraphs(&three_groups)[0], fastest);
}

#[test]
fn tests_measured_differently_have_no_better_side() {
    let doc = comparison(&measured_differently(), GLANCE);
    let rows = summary(&doc).rows;
    let ratio = Message::quantity(Parameter::times(5.0));
    assert_eq!(rows[0].cells.last(), Some(&Cell::Text(ratio)));
    assert_eq!((rows[1].depth, rows[1].name.id()), (1, "comparison-differs.method"));
    let text = terminal::render(&doc, Lang::EN, &plain_style(80));
    assert!(text.contains("Measured differently, so not judged: queue depth (a 2, b 1)."), "{text}");
}

#[test]
fn two_crossings_of_the_same_groups_are_one_sentence() {
    use cardiograph_judge::compare::distribution::Crossing;
    let mut sample = card_and_ssd();
    let crossing = |faster_below, from_percent, faster_above, to_percent| Crossing {
        faster_below,
        faster_above,
        from_percent,
        to_percent,
    };
    let (there, back) = (crossing(1, 99.0, 0, 99.5), crossing(0, 99.5, 1, 99.9));
    for (crossings, expected) in [
        (vec![there], vec![vec!["first"]]),
        (vec![there, back], vec![vec!["first", "again"]]),
        (vec![there, there], vec![vec!["first"], vec!["first"]]),
    ] {
        sample.tests[0].distributions[0].crossings = crossings;
        let doc = comparison(&sample, ALL);
        let Some(Node::Section(section)) =
            doc.nodes.iter().find(|node| matches!(node, Node::Section(section) if section.id == "test"))
        else {
            panic!()
        };
        let ids = |node: &Node| match node {
            Node::Paragraph(paragraph) => Some(
                paragraph
                    .text
                    .iter()
                    .map(|sentence| sentence.id().replace("comparison-crossing.", ""))
                    .collect::<Vec<_>>(),
            ),
            _ => None,
        };
        assert_eq!(section.nodes.iter().filter_map(ids).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_same_difference_is_named_once() {
    use cardiograph_core::method::{Aspect, Difference};
    let mut sample = random_reads(&[(100.0, 0.01), (250.0, 0.02), (50.0, 0.01)]);
    sample.wanted = vec![cardiograph_core::quantity::Quantity::Iops];
    let difference =
        Difference { aspect: Aspect::Size, left: Some("4096".into()), right: Some("8192".into()) };
    sample.tests[0].sides[1].as_mut().unwrap().differences.push(difference);
    let mut other = sample.tests[0].clone();
    other.title = Message::verbatim("Again");
    sample.tests.push(other);
    let text = terminal::render(&comparison(&sample, GLANCE), Lang::EN, &plain_style(200));
    let expected =
        "Measured at different scales: test size (a 4 KiB, b 8 KiB). This applies to: Random read and Again.";
    assert_eq!(text.matches(expected).count(), 1, "{text}");
}

#[test]
fn means_over_several_drives_are_noted() {
    let doc = comparison(&several_drives(), GLANCE);
    let note = message!("comparison-note.several-drives", group = "WB", models = 2_usize);
    assert!(paragraphs(&doc).contains(&note));
    let two_currencies = priced(["980JPY", "90USD"], [3_786.0, 5_275.0]);
    let currencies = Parameter::all(["JPY", "USD"]);
    let note = message!("comparison-note.currencies", currencies);
    assert!(paragraphs(&comparison(&two_currencies, ALL)).contains(&note));
}

#[test]
fn titles_are_not_markdown() {
    let mut sample = card_and_ssd();
    sample.tests[0].title = Message::verbatim("<b>*read*");
    let page = markdown::render(&comparison(&sample, ALL), Lang::EN);
    assert!(page.contains("\n## \\<b\\>\\*read\\*\n"), "{page}");
}

#[test]
fn those_that_share_the_leads_of_the_fastest_are_about_as_fast() {
    let mut comparison = controller_settings();
    comparison.wanted.clear();
    let metric = &mut comparison.tests[0].metrics[0];
    metric.values[1] = metric.values[0].clone();
    metric.best.as_mut().unwrap().against[1].as_mut().unwrap().ratio = Some(1.0);
    let said = paragraphs(&self::comparison(&comparison, GLANCE));
    let name = |name: &str| Parameter::All(vec![name.into()]);
    for expected in [
        message!(
            "comparison-answer.fastest",
            groups = 1_usize,
            group = name("none"),
            tests = 4_usize,
            all = 4_usize
        ),
        message!("comparison-answer.as-fast", group = name("WB"), tests = 1_usize),
    ] {
        assert!(said.contains(&expected), "{expected:?}: {said:?}");
    }
}

#[test]
fn lines_of_dots_have_their_legend_in_blocks_too() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let legend = words(&Lang::EN.text(&message!("comparison-note.scales")));
    for groups in [3, 5, 8] {
        let values: Vec<(f64, f64)> = (1..=groups).map(|at| (f64::from(at) * 100.0, 0.01)).collect();
        for columns in [30, 60, 80] {
            let doc = comparison(&random_reads(&values), GLANCE);
            let text = terminal::render(&doc, Lang::EN, &plain_style(columns));
            assert_eq!(text.contains('─'), words(&text).contains(&legend), "{groups} {columns}:\n{text}");
        }
    }
}
