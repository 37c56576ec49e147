//! What a drive is good for: purposes by verdict, each group with the figure that decided, and the answer in a sentence.

use cardiograph_core::card::{Card, Mark};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::Report;
use cardiograph_core::verdict::{Finding, Level, Verdict};
use cardiograph_core::{Message, Parameter, message};
use serde::Serialize;

use crate::doc::Node;
use crate::doc::report::verdicts::{deciding, finding, holding_back, tone};
use crate::gathered::gathered;
use crate::text::layout::Tone;

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

/// The groups, best first, and the sentence. Purposes that cannot be judged are not named.
pub(super) fn nodes(report: &Report) -> Vec<Node> {
    // What is known without measuring says nothing new.
    let is_measured = |finding: &Finding| !matches!(finding.metric, Metric::Capacity | Metric::LifeLeft);
    if !report.verdicts.iter().filter_map(deciding).any(is_measured) {
        return Vec::new();
    }
    let levels = [Level::Good, Level::Enough, Level::NotEnough];
    let verdicts = levels.into_iter().flat_map(|level| at_level(report, level));
    // A group has one verdict, and one figure that holds it back; nothing holds back what is good.
    let key = |verdict: &Verdict| {
        let metric = holding_back(verdict).map(|finding| finding.metric);
        let held = metric.filter(|_| verdict.level != Level::Good);
        (label(verdict.level, metric), verdict.level, held)
    };
    let groups = gathered(verdicts.map(|verdict| (key(verdict), verdict)));
    let groups = groups.into_iter().map(|((label, level, _), verdicts)| (label, level, verdicts));
    let grades: Vec<Grade> = groups.map(grade).collect();
    let sentence = sentence(report).map(Node::paragraph);
    let trap = trap(report).map(Node::paragraph);
    (!grades.is_empty()).then_some(Node::Grades(grades)).into_iter().chain(trap).chain(sentence).collect()
}

/// Random writes a second below which a drive is too slow for a log whose lines are made durable: etcd's "typical" rate
/// (`purposes.toml`).
const LOG_IOPS: f64 = 50.0;
/// Sequential writes above which it is fine in a camera: the lowest class that people still buy.
const CAMERA_BYTES_PER_S: f64 = 4e6;

/// The trap of fast sequential writes that hide slow random ones.
fn trap(report: &Report) -> Option<Message> {
    let known =
        |metric| Some(report.measurements.get(&metric).filter(|known| known.doubt.is_none())?.estimate.value);
    let speed = known(Metric::SustainedWrite).or_else(|| known(Metric::SequentialWrite))?;
    let rate = known(Metric::RandomWriteIops)?;
    if rate >= LOG_IOPS || speed < CAMERA_BYTES_PER_S {
        return None;
    }
    let (speed, iops) = (Parameter::bytes_per_s(speed), Parameter::iops(rate));
    let marks = report.drive.leaves.iter().filter_map(|leaf| match leaf.card.as_ref()? {
        Card::Sd(card) => Some(card.status.as_ref()?.marks()),
        Card::Emmc(_) => None,
    });
    let marks: Vec<String> = marks.flatten().map(Mark::label).collect();
    Some(match marks.is_empty() {
        true => message!("answer-trap", speed = speed, iops = iops),
        false => message!("answer-trap.marked", marks = Parameter::all(marks), speed = speed, iops = iops),
    })
}

fn at_level(report: &Report, level: Level) -> impl Iterator<Item = &Verdict> {
    report.verdicts.iter().filter(move |verdict| verdict.level == level)
}

/// A group, with the figure that is furthest from its limit, or nearest to it if all meet theirs.
fn grade((label, level, verdicts): (Message, Level, Vec<&Verdict>)) -> Grade {
    let all = || verdicts.iter().filter_map(|verdict| holding_back(verdict));
    let figure = least(all()).map(|least| {
        // A limit that is not that of all is none of the group's.
        let is_common = all().all(|other| other.metric != least.metric || other.limit == least.limit);
        let figure = finding::measured(least).filter(|_| !is_common);
        figure.unwrap_or_else(|| finding::brief(least))
    });
    let purposes = verdicts.iter().map(|verdict| verdict.title.clone()).collect();
    Grade { label, tone: tone(level), purposes, figure }
}

fn least<'f>(findings: impl Iterator<Item = &'f Finding>) -> Option<&'f Finding> {
    findings.min_by(|a, b| finding::margin(a).total_cmp(&finding::margin(b)))
}

fn label(level: Level, metric: Option<Metric>) -> Message {
    match (level, metric) {
        (Level::Good, _) => message!("grade.good"),
        (Level::Enough, _) => message!("grade.enough"),
        (_, Some(Metric::Capacity)) => message!("grade.small"),
        (_, Some(Metric::LifeLeft)) => message!("grade.worn"),
        _ => message!("grade.slow"),
    }
}

/// The answer in a sentence: `Good for sensors; too slow for containers: random write 390 IOPS.`
fn sentence(report: &Report) -> Option<Message> {
    let titles = |level| -> Option<Parameter> {
        let titles: Vec<Message> = at_level(report, level).map(|verdict| verdict.title.clone()).collect();
        (!titles.is_empty()).then(|| Parameter::All(titles.into_iter().map(Parameter::from).collect()))
    };
    let [good, enough, slow] = [Level::Good, Level::Enough, Level::NotEnough].map(titles);
    let missed = || at_level(report, Level::NotEnough).filter_map(deciding);
    let is_slow =
        missed().all(|finding| label(Level::NotEnough, Some(finding.metric)) == message!("grade.slow"));
    let bad = if is_slow { message!("answer-bad.slow") } else { message!("answer-bad") };
    let figure = least(missed()).and_then(finding::measured).unwrap_or_default();
    Some(match (good, enough, slow) {
        (Some(good), Some(enough), Some(slow)) => {
            message!("answer.all", good = good, enough = enough, bad = bad, slow = slow, figure = figure)
        }
        (Some(good), Some(enough), None) => message!("answer.good-enough", good = good, enough = enough),
        (Some(good), None, Some(slow)) => {
            message!("answer.good-slow", good = good, bad = bad, slow = slow, figure = figure)
        }
        (None, Some(enough), Some(slow)) => {
            message!("answer.enough-slow", enough = enough, bad = bad, slow = slow, figure = figure)
        }
        (Some(good), None, None) => message!("answer.good", good = good),
        (None, Some(enough), None) => message!("answer.enough", enough = enough),
        (None, None, Some(slow)) if is_slow => message!("answer.slow", slow = slow, figure = figure),
        (None, None, Some(slow)) => message!("answer.bad", slow = slow, figure = figure),
        (None, None, None) => return None,
    })
}
