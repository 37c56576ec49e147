//! The list of saved checkups.

use cardiograph_core::metric::Metric;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::changes::{Change, FALSE_ALARM, TREND_MIN, Timeline};
use time::OffsetDateTime;

use super::report::verdicts::finding;
use super::terminal::curve::shape;
use super::words;
use super::{Cell, Column, Doc, Fact, Item, Node, Row, Table};

/// What to do if the store at `location` is empty.
pub fn history_first(location: &str) -> Doc {
    Doc::untitled(vec![
        Node::paragraph(message!("history-first", place = location)),
        Node::Commands(vec![
            "cardiograph check".to_string(),
            "cardiograph check --simulate bad-card".to_string(),
        ]),
    ])
}

/// The saved checkups, how figures of drives went `over_time`, and commands for them. `location` is the store.
pub fn history(runs: &[RunSummary], over_time: Vec<Node>, location: &str) -> Doc {
    if runs.is_empty() {
        return Doc::untitled(vec![Node::paragraph(message!("history-none", place = location))]);
    }
    let mut doc = self::runs(runs);
    if !over_time.is_empty() {
        doc.nodes.extend(over_time);
        let rule = message!("history-rule", share = Parameter::share(FALSE_ALARM));
        doc.nodes.push(Node::paragraph(rule));
    }
    doc.nodes.push(Node::paragraph(message!("history-next")));
    doc
}

/// Figures that are shown over time, if they are measured; others if they changed.
pub const HEADLINES: [Metric; 7] = [
    Metric::RandomReadIops,
    Metric::RandomWriteIops,
    Metric::DurableWriteIops,
    Metric::SequentialRead,
    Metric::SequentialWrite,
    Metric::SustainedWrite,
    Metric::SqliteCommits,
];

/// How the figures of a drive went over its `checkups` with a suite, of which `newest` is the last.
pub fn over_time(newest: &RunSummary, checkups: usize, timelines: &[Timeline]) -> Option<Node> {
    let is_shown = |timeline: &&Timeline| {
        timeline.values.len() > 1
            && (HEADLINES.contains(&timeline.metric)
                || !timeline.changes.is_empty()
                || timeline.trend.is_some())
    };
    let shown: Vec<&Timeline> = timelines.iter().filter(is_shown).collect();
    let rows = shown.iter().map(|timeline| {
        let values: Vec<f64> = timeline.values.iter().map(|(_, value)| *value).collect();
        let latest = values.last().map(|value| finding::in_unit(timeline.metric.unit(), *value));
        let cells =
            vec![Cell::Text(Message::verbatim(shape(&values))), Cell::from_value(latest), trend(timeline)];
        Row { name: finding::metric(timeline.metric), depth: 0, cells }
    });
    let table = Table {
        caption: None,
        names: None,
        columns: vec![
            Column::text(message!("history-column.values"), 1),
            Column::figures(message!("history-column.latest"), 0),
            Column::text(message!("history-column.trend"), 0),
        ],
        rows: rows.collect(),
        notes: Vec::new(),
    };
    let changes =
        shown.iter().flat_map(|timeline| &timeline.changes).map(|(at, change)| self::change(*at, change));
    let changes =
        Node::from_items(changes.map(|text| Item::new(Message::verbatim("-"), vec![text])).collect());
    let heading = message!("history-drive", drive = drive(newest), suite = newest.suite.as_str(), checkups);
    let nodes = if table.rows.is_empty() { Vec::new() } else { vec![Node::Table(table)] };
    Node::section("over-time", heading, nodes.into_iter().chain(changes).collect())
}

fn trend(timeline: &Timeline) -> Cell {
    trend_words(timeline).map_or(Cell::Empty, Cell::Text)
}

/// The drift since the last change; `None` if too little is known.
pub(super) fn trend_words(timeline: &Timeline) -> Option<Message> {
    let begun = timeline.changes.last().map_or(timeline.values[0].0, |(at, _)| *at);
    let since = day(begun).unwrap_or_default();
    let is_known = timeline.values.iter().filter(|(at, _)| *at >= begun).count() >= TREND_MIN;
    Some(match timeline.trend {
        None if is_known => message!("history-trend.none"),
        None => return None,
        Some(factor) if factor < 1.0 => {
            message!("history-trend.down", share = Parameter::share(1.0 - factor), since)
        }
        Some(factor) => message!("history-trend.up", share = Parameter::share(factor - 1.0), since),
    })
}

/// A change, `at` which it was first seen.
fn change(at: u64, change: &Change) -> Message {
    let (metric, day) = (finding::metric(change.metric), day(at).unwrap_or_default());
    let share = Parameter::share((change.factor() - 1.0).abs());
    let [before, after] =
        [change.before, change.after].map(|value| finding::in_unit(change.metric.unit(), value));
    match change.factor() < 1.0 {
        true => message!("history-change.fell", metric, share, day, before, after),
        false => message!("history-change.rose", metric, share, day, before, after),
    }
}

/// Checkups by id, suite and drive, an entry each: the id first, in the form that other commands take.
pub fn runs(runs: &[RunSummary]) -> Doc {
    Doc::untitled(vec![Node::Facts(runs.iter().flat_map(entry).flatten().collect())])
}

fn entry(run: &RunSummary) -> [Option<Fact>; 2] {
    let first = Fact {
        term: Some(Message::verbatim(run.suite.as_str())),
        ..Fact::new(Message::verbatim(run.id.as_str()), drive(run))
    };
    let capacity = run.capacity_bytes.map(|bytes| Message::quantity(Parameter::CapacityBytes(bytes)));
    let first = Fact { value: first.value.into_iter().chain(capacity).collect(), ..first };
    [Some(first), Fact::further(more(run))]
}

/// The drive, by its label if it has one.
fn drive(run: &RunSummary) -> Message {
    let models = run.models.iter().map(|model| model.to_string()).collect::<Vec<_>>().join(" + ");
    let drive = if models.is_empty() { run.path.to_string() } else { models };
    match &run.label {
        Some(label) => message!("history-labelled", label = label.as_str(), drive),
        None => Message::verbatim(drive),
    }
}

/// Further facts that distinguish it from others.
fn more(run: &RunSummary) -> Vec<Message> {
    let tags = run.tags.iter().map(|(name, value)| Message::verbatim(format!("{name}={value}")));
    let host = run.host.as_ref().map(|host| message!("history-host", host = host.as_str()));
    let started = when(run.started_unix_ms).map(Message::verbatim);
    started.into_iter().chain(words::state(run.state)).chain(host).chain(tags).collect()
}

/// The day of a time in UTC; `None` for simulated time.
pub fn day(unix_ms: u64) -> Option<String> {
    when(unix_ms)?.split(' ').next().map(str::to_string)
}

/// A time in UTC: a list does not know its reader's time zone. `None` for simulated time.
pub fn when(unix_ms: u64) -> Option<String> {
    let seconds = i64::try_from(unix_ms / 1_000).ok().filter(|&seconds| seconds > 0)?;
    let began = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    let (year, month, day) = began.to_calendar_date();
    Some(format!("{year}-{:02}-{day:02} {:02}:{:02} UTC", u8::from(month), began.hour(), began.minute()))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::lines::Lines;
    use cardiograph_core::report::ReportState;

    use super::super::terminal;
    use super::*;
    use crate::lang::Lang;
    use crate::text::Style;
    use crate::text::layout::width;

    #[test]
    fn entries_contain_the_words_to_search_for() {
        let run = |id: &str, suite: &str, label: Option<&str>, state| RunSummary {
            id: id.into(),
            started_unix_ms: 1_795_369_444_000,
            suite: suite.into(),
            state,
            label: label.map(Into::into),
            tags: [("board", "Pi 5")].into_iter().collect(),
            host: Some("attic".into()),
            path: "/mnt".into(),
            models: "SD64G".into(),
            drive_ids: Lines::default(),
            capacity_bytes: Some(63_864_569_856),
            steps: 3,
        };
        let kept = [
            run("20261122-175411-c14b71", "quick", Some("カード A"), ReportState::Finished),
            run("20261121-175411-c14b72", "sd-class", None, ReportState::Interrupted),
        ];
        let page =
            |lang, columns| terminal::render(&runs(&kept), lang, &Style { width: columns, color: false });
        let below = " ".repeat(24);
        assert_eq!(
            page(Lang::EN, 80),
            format!(
                "20261122-175411-c14b71  quick     カード A: SD64G, 64 GB\n\
                 {below}2026-11-22 17:44 UTC, on attic, board=Pi 5\n\
                 20261121-175411-c14b72  sd-class  SD64G, 64 GB\n\
                 {below}2026-11-22 17:44 UTC, interrupted, on attic, board=Pi 5\n"
            )
        );
        assert!(page(Lang::JA, 80).contains("2026-11-22 17:44 UTC、中断、ホスト attic、board=Pi 5"));
        let narrow = page(Lang::EN, 44);
        assert!(narrow.lines().all(|line| width(line) <= 44), "{narrow}");
        let list = history(&kept, Vec::new(), "/records");
        assert_eq!(list.nodes[0], runs(&kept).nodes[0]);
        let none = terminal::render(&history(&[], Vec::new(), "/records"), Lang::EN, &Style::default());
        assert_eq!(none, "No such checkup in /records.\n");
    }
}
