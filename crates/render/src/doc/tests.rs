use std::collections::BTreeMap;

use cardiograph_core::message;

use super::*;
use crate::html::Html;
use crate::lang::Lang;
use crate::text::Style;
use crate::text::layout::width;

fn quote(text: &str) -> Message {
    Message::verbatim(text)
}

/// A document with every kind of node.
fn sample() -> Doc {
    let column = |heading, rank| Column::figures(quote(heading), rank);
    let rows = [("Random read 4K QD1", 0, 3_786.0), ("fsync", 1, 240.0)];
    let table = Table {
        caption: Some(quote("Figures of each test")),
        names: Some(quote("Test")),
        columns: vec![
            Column::with_unit(quote("speed"), Unit::BytesPerS),
            column("IOPS", 0),
            column("mean", 3),
            column("p50", 2),
            column("p99", 1),
            column("max", 1),
        ],
        rows: rows
            .map(|(name, depth, iops)| Row {
                name: quote(name),
                depth,
                cells: vec![
                    Cell::Value(Parameter::bytes_per_s(iops * 4_096.0)),
                    Cell::Value(Parameter::number(iops)),
                    Cell::Value(Parameter::DurationNs(264_000)),
                    Cell::Withheld,
                    Cell::Empty,
                    Cell::Text(quote("long")),
                ],
            })
            .to_vec(),
        notes: vec![quote("fewer than 10 samples lie above this percentile.")],
    };
    let item = |label, tone, text| Item {
        tone: Some(tone),
        more: vec![quote("Seen in two tests."), quote("That is rare.")],
        ..Item::new(quote(label), vec![quote(text), quote("Measure again.")])
    };
    let subject = |name, about| Subject { name: quote(name), about: quote(about) };
    let verdicts = vec![
        Item {
            subject: Some(subject("os", "Operating system")),
            grounds: vec![quote("random write: 472 IOPS"), quote("fsync: 25 ms")],
            ..item("enough", Tone::Good, "472 IOPS, enough from 100.")
        },
        Item { subject: Some(subject("nas", "File server")), ..Item::new(quote("unknown"), Vec::new()) },
    ];
    let step_picture =
        Picture { caption: quote("Speed over time"), drawing: Drawing::Step(0, Kind::OverTime) };
    let folded = [
        Node::paragraph(quote("Nothing more.")),
        Node::Curve(vec![1e6, 2e6, 4e6]),
        Node::Pictures(vec![step_picture]),
    ];
    let facts = vec![
        Fact::new(quote("Maker"), quote("SanDisk")),
        Fact {
            label: Some(quote("Marks")),
            depth: 0,
            term: Some(quote("C10")),
            value: vec![quote("10 MB/s"), quote("any host")],
        },
        Fact {
            label: None,
            depth: 0,
            term: Some(quote("A1")),
            value: vec![quote("runs programs | a system")],
        },
        Fact { depth: 1, ..Fact::new(quote("sda1"), quote("partition")) },
    ];
    let sections = [
        ("facts", "The card", vec![Node::Facts(facts), Node::paragraph(quote("Registers can be copied."))]),
        (
            "warnings",
            "Warnings",
            vec![
                Node::Items(vec![item("Caution", Tone::Fair, "The drive was hot.")]),
                Node::folded("checks", quote("All checks"), folded.to_vec()).unwrap(),
            ],
        ),
        ("verdicts", "Verdicts", vec![Node::Items(verdicts)]),
        (
            "tests",
            "Seen in tests",
            vec![Node::Items(vec![Item::new(quote("Random read 4K QD32"), vec![quote("It is slow.")])])],
        ),
        ("figures", "Figures", vec![Node::Table(table)]),
        ("commands", "Commands", vec![Node::Commands(vec!["fio --name=`x`".to_string()])]),
        ("empty", "Nothing", vec![]),
    ];
    let sections =
        sections.into_iter().filter_map(|(id, heading, nodes)| Node::section(id, quote(heading), nodes));
    let list = Node::Facts(vec![Fact::new(quote("/dev/sda"), quote("another drive"))]);
    let nodes = sections.chain([list, Node::paragraph(quote("That is all."))]).collect();
    Doc { title: Some(quote("SanDisk SC64G")), nodes }
}

#[test]
fn every_kind_of_node_is_written_in_every_medium() {
    let doc = sample();
    let narrow = Style { width: 50, color: false };
    let mut html = Html::new(Lang::EN);
    super::html::write(&mut html, &doc.nodes, &|html, _| html.words("figure", &[], "drawn"));
    let json = serde_json::to_string_pretty(&doc).unwrap();
    for (name, text) in [
        ("doc.txt", terminal::render(&doc, Lang::EN, &Style { width: 80, color: true })),
        ("doc-50.txt", terminal::render(&doc, Lang::EN, &narrow)),
        ("doc.md", markdown::render(&doc, Lang::EN)),
        ("doc.html", html.into_text()),
        ("doc.json", json + "\n"),
    ] {
        cardiograph_testing::check_golden!(name, &text);
    }
}

#[test]
fn columns_are_dropped_if_there_is_no_room() {
    for columns in 40..=200 {
        let text = terminal::render(&sample(), Lang::JA, &Style { width: columns, color: false });
        assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
    }
}

#[test]
fn json_contains_the_english() {
    let doc = Doc::untitled(vec![Node::paragraph(message!("list-last", head = "a", tail = "b"))]);
    let json = cardiograph_core::message::with_english(cardiograph_catalogue::english, || {
        serde_json::to_value(&doc).unwrap()
    });
    let text = &json["nodes"][0]["paragraph"]["text"][0];
    let known: BTreeMap<&str, &str> = BTreeMap::from([("id", "list-last"), ("text", "a and b")]);
    known.into_iter().for_each(|(key, value)| assert_eq!(text[key], value));
}
