//! What a drive is good for: purposes by verdict, each group with the figure that decided, and the answer in a sentence.

use cardiograph_core::card::{Card, Mark, SdStatus};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::Report;
use cardiograph_core::table::{Cell, Table};
use cardiograph_core::verdict::{Finding, Guards, Level};
use cardiograph_core::{Message, Parameter, message};
use serde::Serialize;

use crate::doc::Node;
use crate::doc::report::claims;
use crate::doc::report::verdicts::{finding, grounds, nearest, tone};
use crate::gathered::gathered;
use crate::lang::Lang;
use crate::text::layout::{Tone, wrap};

/// Purposes with one verdict that one figure decided.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grade {
    /// The verdict: "Good for".
    pub label: Message,
    /// How good it is.
    pub tone: Option<Tone>,
    /// The purposes.
    pub purposes: Vec<Message>,
    /// The figure that decided.
    pub figure: Option<Message>,
}

/// Purposes of a level, with the figure that decides the verdicts of all of them.
struct Group<'r> {
    level: Level,
    purposes: Vec<Message>,
    /// What decided: of several limits of one figure, that which is furthest from it. `None` if there are no limits.
    decisive: Option<&'r Finding>,
    /// Whether all have this limit.
    is_common: bool,
}

/// The groups, best first, and the sentence. Purposes that were not measured are not named.
pub(super) fn nodes(report: &Report) -> Vec<Node> {
    let levels = [Level::Good, Level::Enough, Level::NotEnough, Level::CannotBeJudged];
    let mut groups: Vec<Group<'_>> = levels.into_iter().flat_map(|level| groups(report, level)).collect();
    // What is known without measuring says nothing new.
    let is_fact = |finding: &Finding| matches!(finding.metric, Metric::Capacity | Metric::LifeLeft);
    if groups.iter().all(|group| group.decisive.is_none_or(is_fact)) {
        groups.clear();
    }
    let grades: Vec<Grade> = groups.iter().map(grade).collect();
    let grades = (!grades.is_empty()).then_some(Node::Grades(grades));
    let trap = trap(report).filter(|_| grades.is_some()).map(Node::paragraph);
    let own = claims::answer(report).or_else(|| fall_off(report));
    let answer: Vec<Message> = own.into_iter().chain(sentence(&groups)).collect();
    let answer = (!answer.is_empty()).then(|| Node::paragraph(answer));
    grades.into_iter().chain(trap).chain(answer).collect()
}

/// The fall-off that the suite `cliff` looked for.
fn fall_off(report: &Report) -> Option<Message> {
    let is_cliff = |table: &&Table| table.title.id() == "table-cliff.title";
    let row = report.tables.iter().find(is_cliff)?.rows.first()?;
    match &row.cells[..] {
        [
            Cell::Figure { estimate: fast, .. },
            Cell::Figure { estimate: before, .. },
            Cell::Figure { estimate: after, .. },
            ..,
        ] => Some(message!(
            "sustained-fall.found",
            written = Parameter::CapacityBytes(fast.value as u64),
            before = Parameter::bytes_per_s(before.value),
            after = Parameter::bytes_per_s(after.value)
        )),
        [Cell::Absent { why }, ..] => Some(match why.parameter("bytes") {
            Some(searched) => message!("sustained-fall.none", searched = searched.clone()),
            None => message!("sustained-fall.too-short"),
        }),
        _ => None,
    }
}

/// Random writes a second below which a drive is too slow for a log whose lines are made durable: etcd's "typical" rate
/// (`purposes.toml`).
const LOG_IOPS: f64 = 50.0;
/// Sequential writes above which it is fine in a camera: class 10.
const CAMERA_BYTES_PER_S: u64 = 10_000_000;
/// Weight of signs of a counterfeit that genuine cards seldom show.
const SUSPECT: u8 = 2;

/// The trap of fast sequential writes that hide slow random ones. A card that may be a fake, or breaks its marks in sequence,
/// is not fine in a camera.
fn trap(report: &Report) -> Option<Message> {
    let known =
        |metric| Some(report.measurements.get(&metric).filter(|known| known.doubt.is_none())?.estimate.value);
    let speed = known(Metric::SustainedWrite).or_else(|| known(Metric::SequentialWrite))?;
    let rate = known(Metric::RandomWriteIops)?;
    let cards = || {
        report.drive.leaves.iter().filter_map(|leaf| match leaf.card.as_ref()? {
            Card::Sd(card) => Some(card),
            Card::Emmc(_) => None,
        })
    };
    let marks: Vec<Mark> =
        cards().filter_map(|card| card.status.as_ref()).flat_map(SdStatus::marks).collect();
    let promised =
        marks.iter().map(|mark| mark.sequential_write_bytes_per_s_min()).fold(CAMERA_BYTES_PER_S, u64::max);
    let is_suspect = cards().flat_map(|card| &card.hints).any(|hint| hint.weight >= SUSPECT);
    if rate >= LOG_IOPS || speed < promised as f64 || is_suspect {
        return None;
    }
    let (speed, iops) = (Parameter::bytes_per_s(speed), Parameter::iops(rate));
    let marks: Vec<String> = marks.into_iter().map(Mark::label).collect();
    Some(match marks.is_empty() {
        true => message!("answer-trap", speed, iops),
        false => message!("answer-trap.marked", marks = Parameter::all(marks), speed, iops),
    })
}

/// The purposes of a level by the figure that decides, that furthest from its limit first.
fn groups(report: &Report, level: Level) -> Vec<Group<'_>> {
    let verdicts = report.verdicts.iter().filter(|verdict| verdict.level == level);
    let all = verdicts.map(|verdict| (verdict.title.clone(), grounds(verdict)));
    let is_tried = |grounds: &[&Finding]| grounds.iter().all(|finding| finding::is_tried(finding));
    let mut left: Vec<_> =
        all.filter(|(_, grounds)| level != Level::CannotBeJudged || is_tried(grounds)).collect();
    let mut groups = Vec::new();
    while !left.is_empty() {
        // Limits for good say more about what is good than those for enough.
        let rank = |finding: &&Finding| level == Level::Good && finding.guards == Guards::Enough;
        let by_rank = |a: &&Finding, b: &&Finding| rank(a).cmp(&rank(b)).then_with(|| nearest(a, b));
        let metric = left.iter().flat_map(|(_, grounds)| grounds).copied().min_by(by_rank);
        let metric = metric.map(|finding| finding.metric);
        let is_it = |finding: &&&Finding| Some(finding.metric) == metric;
        let (these, others): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|(_, grounds)| metric.is_none() || grounds.iter().any(|one| is_it(&one)));
        let furthest = |grounds: &Vec<_>| grounds.iter().filter(is_it).copied().min_by(nearest);
        let findings: Vec<&Finding> = these.iter().filter_map(|(_, grounds)| furthest(grounds)).collect();
        groups.push(Group {
            level,
            purposes: these.iter().map(|(title, _)| title.clone()).collect(),
            decisive: findings.iter().copied().min_by(nearest),
            is_common: findings.iter().all(|finding| finding.limit == findings[0].limit),
        });
        left = others;
    }
    groups
}

fn grade(group: &Group<'_>) -> Grade {
    let figure = group.decisive.map(|finding| {
        // A limit that is not that of all is none of the group's.
        let figure = finding::measured(finding).filter(|_| !group.is_common);
        figure.unwrap_or_else(|| finding::brief(finding))
    });
    let label = match (group.level, bad(group)) {
        (Level::Good, _) => message!("grade.good"),
        (Level::Enough, _) => message!("grade.enough"),
        (Level::CannotBeJudged, _) => message!("grade.open"),
        (_, Bad::Slow) => message!("grade.slow"),
        (_, Bad::Small) => message!("grade.small"),
        (_, Bad::Worn) => message!("grade.worn"),
    };
    Grade { label, tone: tone(group.level), purposes: group.purposes.clone(), figure }
}

/// What a drive that is not enough is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bad {
    Slow,
    Small,
    Worn,
}

fn bad(group: &Group<'_>) -> Bad {
    match group.decisive.map(|finding| finding.metric) {
        Some(Metric::Capacity) => Bad::Small,
        Some(Metric::LifeLeft) => Bad::Worn,
        _ => Bad::Slow,
    }
}

/// Lines that the answer may take with its reasons, at 80 columns.
const ANSWER_LINES: usize = 3;

/// The answer in a sentence: `Good for sensors; too slow for containers: random write 390 IOPS.` Without reasons, which the
/// rows have, if it would be long.
fn sentence(groups: &[Group<'_>]) -> Option<Message> {
    let full = answer(groups, true)?;
    let fits = |lang: Lang| wrap(&lang.text(&full), 80).len() <= ANSWER_LINES;
    if Lang::ALL.into_iter().all(fits) { Some(full) } else { answer(groups, false) }
}

fn answer(groups: &[Group<'_>], has_reasons: bool) -> Option<Message> {
    let at = |level| groups.iter().filter(move |group| group.level == level);
    let titles = |level| {
        let titles: Vec<&Message> = at(level).flat_map(|group| &group.purposes).collect();
        (!titles.is_empty())
            .then(|| Parameter::All(titles.into_iter().cloned().map(Parameter::from).collect()))
    };
    let (good, enough) = (titles(Level::Good), titles(Level::Enough));
    let reason = |group: &Group<'_>| group.decisive.and_then(finding::measured).filter(|_| has_reasons);
    let parts = gathered(at(Level::NotEnough).map(|group| ((bad(group), reason(group)), &group.purposes)));
    let mut is_first = good.is_none() && enough.is_none();
    let parts = parts.into_iter().map(|((bad, reason), purposes)| {
        let purposes = Parameter::all(purposes.into_iter().flatten().cloned());
        let what = match (bad, std::mem::take(&mut is_first)) {
            (Bad::Slow, true) => message!("answer-bad.slow-first", purposes),
            (Bad::Slow, false) => message!("answer-bad.slow", purposes),
            (Bad::Small, true) => message!("answer-bad.small-first", purposes),
            (Bad::Small, false) => message!("answer-bad.small", purposes),
            (Bad::Worn, true) => message!("answer-bad.worn-first", purposes),
            (Bad::Worn, false) => message!("answer-bad.worn", purposes),
        };
        match reason {
            Some(figure) => message!("answer-why", what, figure),
            None => what,
        }
    });
    let bad = parts.reduce(|head, tail| message!("list-clauses", head, tail));
    Some(match (good, enough, bad) {
        (Some(good), Some(enough), Some(bad)) => {
            message!("answer.all", good, enough, bad)
        }
        (Some(good), Some(enough), None) => message!("answer.good-enough", good, enough),
        (Some(good), None, Some(bad)) => message!("answer.good-bad", good, bad),
        (None, Some(enough), Some(bad)) => message!("answer.enough-bad", enough, bad),
        (Some(good), None, None) => message!("answer.good", good),
        (None, Some(enough), None) => message!("answer.enough", enough),
        (None, None, Some(bad)) => message!("answer.bad", bad),
        (None, None, None) => return None,
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Estimate;
    use cardiograph_core::card::{CounterfeitHint, SdCard};
    use cardiograph_core::metric::Measured;
    use cardiograph_core::table::TableRow;
    use cardiograph_core::verdict::FindingOutcome;

    use super::*;
    use crate::samples::verdicts::{finding, verdict};

    use Guards::{Enough, Good};
    use Metric::{
        Capacity, DurableWriteIops as Durable, RandomReadIops as Read, RandomWriteIops as Write,
        SustainedWrite,
    };

    /// Purposes with their levels and findings (figure, value, guarded level, limit), the rows (purposes, figure, limit), and
    /// the answer. A value that is not a number is in doubt.
    type Verdicts<'a> = &'a [(&'a str, Level, &'a [(Metric, Option<f64>, Guards, f64)])];
    type Rows<'a> = &'a [(&'a str, Option<&'a str>)];
    const CASES: &[(Verdicts<'_>, Rows<'_>, &str)] = &[
        // Of several missed limits, one that others miss, too.
        (
            &[
                (
                    "db",
                    Level::NotEnough,
                    &[(Read, Some(90.0), Enough, 100.0), (Write, Some(5.0), Enough, 100.0)],
                ),
                ("vm", Level::NotEnough, &[(Write, Some(5.0), Enough, 100.0)]),
                ("nas", Level::NotEnough, &[(SustainedWrite, Some(8e6), Enough, 10e6)]),
            ],
            &[
                ("db, vm", Some("random write 5.00 IOPS (100)")),
                ("nas", Some("sustained write 8 MB/s (10 MB/s)")),
            ],
            "Too slow for db and vm: random write 5.00 IOPS; too slow for nas: sustained write 8 MB/s.",
        ),
        // Limits that differ are not those of the row; capacity has another verdict.
        (
            &[
                (
                    "os",
                    Level::Enough,
                    &[(Write, Some(500.0), Good, 1_000.0), (Durable, Some(10.0), Enough, 5.0)],
                ),
                ("db", Level::Enough, &[(Write, Some(500.0), Good, 2_000.0)]),
                ("nas", Level::NotEnough, &[(Capacity, Some(64e9), Enough, 128e9)]),
            ],
            &[("os, db", Some("random write 500 IOPS")), ("nas", Some("capacity 64 GB (128 GB)"))],
            "Enough for os and db; too small for nas: capacity 64 GB.",
        ),
        // What was measured, but could not be judged, has its reason; what was not is not named.
        (
            &[
                ("os", Level::Enough, &[(Write, None, Good, 1_000.0), (Durable, Some(10.0), Enough, 5.0)]),
                ("nas", Level::CannotBeJudged, &[(SustainedWrite, Some(f64::NAN), Enough, 9e6)]),
                ("cam", Level::CannotBeJudged, &[(Durable, None, Enough, 5.0)]),
            ],
            &[
                ("os", Some("good not proven: random write not measured")),
                ("nas", Some("sustained write is in doubt")),
            ],
            "Enough for os.",
        ),
        // What is good has a limit on the figure, whatever the limit is for.
        (
            &[
                ("os", Level::Good, &[(Read, Some(500.0), Good, 400.0), (Durable, Some(50.0), Enough, 10.0)]),
                (
                    "vm",
                    Level::Good,
                    &[(Read, Some(500.0), Enough, 400.0), (SustainedWrite, Some(9e6), Good, 2e6)],
                ),
                ("log", Level::Good, &[(Durable, Some(50.0), Good, 5.0)]),
                ("free", Level::Good, &[]),
            ],
            &[
                ("os, vm", Some("random read 500 IOPS (400)")),
                ("log", Some("durable write 50.0 IOPS (5)")),
                ("free", None),
            ],
            "Good for os, vm, log and free.",
        ),
    ];

    #[test]
    fn a_figure_is_named_for_the_purposes_that_it_decides() {
        for (verdicts, rows, answer) in CASES {
            let one = |(metric, value, guards, limit): &(Metric, Option<f64>, Guards, f64)| {
                let mut finding = finding(*metric, *value, *limit, *guards, Message::default());
                if value.is_some_and(f64::is_nan) {
                    finding.outcome = FindingOutcome::NotJudged;
                }
                finding
            };
            let verdicts = verdicts.iter().map(|(name, level, findings)| {
                verdict(name, Message::verbatim(*name), *level, findings.iter().map(one).collect())
            });
            let mut report = crate::samples::card();
            report.verdicts = verdicts.collect();
            let nodes = nodes(&report);
            let [Node::Grades(grades), .., Node::Paragraph(last)] = &nodes[..] else { panic!("{nodes:?}") };
            let text = |message: &Message| Lang::EN.text(message);
            let shown = grades
                .iter()
                .map(|grade| (Lang::EN.phrases(&grade.purposes), grade.figure.as_ref().map(text)));
            let expected = rows.iter().map(|(named, figure)| (named.to_string(), figure.map(str::to_string)));
            assert_eq!(shown.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            assert_eq!(Lang::EN.sentences(&last.text), *answer);
        }
    }

    #[test]
    fn the_answer_of_the_suite_cliff_is_the_fall_off() {
        let figure =
            |value| Cell::Figure { estimate: Estimate::exact(value), step: String::new(), doubt: None };
        let none = |why| Cell::Absent { why };
        let bytes = Parameter::CapacityBytes;
        for (cells, expected) in [
            ([2e8, 24e6, 8e6].map(figure), "Falls off after 200 MB, from 24 MB/s to 8 MB/s."),
            (
                [1, 2, 3].map(|_| none(message!("table-cliff.no-fall", bytes = bytes(9_000_000)))),
                "No fall-off in the first 9 MB; one in the rest would not show.",
            ),
            ([1, 2, 3].map(|_| none(message!("table-cliff.too-little"))), "Too short to show a fall-off."),
        ] {
            let row = TableRow { name: Message::default(), cells: cells.to_vec() };
            let table = Table { title: message!("table-cliff.title"), rows: vec![row], ..Table::default() };
            let report = Report { tables: vec![table], ..crate::samples::card() };
            assert_eq!(fall_off(&report).map(|text| Lang::EN.text(&text)).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_card_that_breaks_its_marks_or_may_be_a_fake_is_not_fine_in_a_camera() {
        // Sequential and random writes, the weight of a sign of a counterfeit, and whether the trap is named: of a V30 card.
        for (speed, iops, weight, expected) in [
            (32e6, 40.0, None, true),
            (32e6, 60.0, None, false),
            (29e6, 40.0, None, false),
            (32e6, 40.0, Some(1), true),
            (32e6, 40.0, Some(2), false),
        ] {
            let mut report = crate::samples::card();
            let known = report.measurements[&SustainedWrite].clone();
            for (metric, value) in [(SustainedWrite, speed), (Write, iops)] {
                let known = Measured { estimate: Estimate::exact(value), ..known.clone() };
                report.measurements.insert(metric, known);
            }
            let mut card = SdCard::default();
            card.status.get_or_insert_default().video_class = Some(30);
            let hint = |weight| CounterfeitHint { weight, text: Message::default() };
            card.hints = weight.map(hint).into_iter().collect();
            report.drive.leaves[0].card = Some(Card::Sd(card));
            assert_eq!(trap(&report).is_some(), expected, "{speed} {iops} {weight:?}");
        }
    }
}
