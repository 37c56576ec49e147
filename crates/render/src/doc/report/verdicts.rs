//! The verdicts: an entry for each purpose, and its evidence.

pub(crate) mod finding;

use cardiograph_core::metric::Metric;
use cardiograph_core::report::Report;
use cardiograph_core::text::unique;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level, Verdict};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::{Item, Node, Subject, glance};
use crate::text::layout::Tone;

const ID: &str = "verdicts";

/// Each purpose with the deciding figure and, unless the verdict is good, the source of the limit and
/// other missed limits. Reasons for omitted purposes come last.
pub(super) fn section(report: &Report) -> Option<Node> {
    Node::section(ID, message!("verdicts-heading"), nodes(report))
}

/// The same with all limits, even if there is no verdict. Purposes without a verdict are only there.
pub(super) fn section_with_limits(report: &Report) -> Option<Node> {
    let none = report.verdicts.is_empty().then(|| Node::paragraph(message!("verdicts-none")));
    let limits = Node::folded("limits", message!("limits-heading"), limits(report));
    let is_judged = |verdict: &Verdict| verdict.level != Level::CannotBeJudged;
    let nodes = none.into_iter().chain(items(report, is_judged)).chain(not_judged(report)).chain(limits);
    Node::section(ID, message!("verdicts-heading"), nodes.collect())
}

fn nodes(report: &Report) -> Vec<Node> {
    items(report, |_| true).into_iter().chain(not_judged(report)).collect()
}

/// The purposes; none of a fake or failing drive, which is good for nothing.
fn items(report: &Report, is_wanted: fn(&Verdict) -> bool) -> Vec<Node> {
    let wanted =
        report.verdicts.iter().filter(|verdict| is_wanted(verdict) && glance::alarm(report).is_none());
    Node::from_items(wanted.map(item).collect())
}

/// Why purposes were left out.
fn not_judged(report: &Report) -> Option<Node> {
    let why = Some(report.not_judged.clone()).filter(|why| !why.is_empty());
    why.map(|why| Node::toned(Tone::Quiet, why))
}

/// All findings of each verdict, with the sources of their limits.
pub(crate) fn limits(report: &Report) -> Vec<Node> {
    let section = |verdict: &Verdict| {
        let heading = message!(
            "verdict-heading",
            purpose = &verdict.purpose,
            title = verdict.title.clone(),
            level = level(verdict.level)
        );
        let limits = verdict.findings.iter().map(finding::item).collect();
        Node::section("limit", heading, Node::from_items(limits))
    };
    let is_fake =
        |verdict: &&Verdict| verdict.findings.iter().any(|finding| finding.metric == Metric::RealCapacity);
    // A fake is good for nothing, whatever it was compared with.
    report.verdicts.iter().filter(|verdict| !is_fake(verdict)).filter_map(section).collect()
}

fn item(verdict: &Verdict) -> Item {
    let grounds = Grounds::from_verdict(verdict);
    let name = Message::verbatim(&verdict.purpose);
    Item {
        subject: Some(Subject { name, about: verdict.title.clone() }),
        tone: tone(verdict.level),
        more: grounds.reasons(verdict.level),
        ..Item::new(level(verdict.level), grounds.figure().into_iter().collect())
    }
}

/// The word for a level.
pub(crate) fn level(level: Level) -> Message {
    match level {
        Level::Good => message!("level.good"),
        Level::Enough => message!("level.enough"),
        Level::CannotBeJudged => message!("level.cannot-be-judged"),
        Level::NotEnough => message!("level.not-enough"),
    }
}

/// The tone of a level.
pub(crate) const fn tone(level: Level) -> Option<Tone> {
    match level {
        Level::NotEnough => Some(Tone::Bad),
        Level::CannotBeJudged => None,
        Level::Enough => Some(Tone::Fair),
        Level::Good => Some(Tone::Good),
    }
}

/// The deciding figure, with its limit; `None` if there is none.
pub fn deciding_figure(verdict: &Verdict) -> Option<Message> {
    Grounds::from_verdict(verdict).figure()
}

/// The findings that each decide the level: missed limits, else what could not be judged, else the limits that were met.
pub(crate) fn grounds(verdict: &Verdict) -> Vec<&Finding> {
    by_outcome(verdict).into_iter().find(|findings| !findings.is_empty()).unwrap_or_default()
}

/// The findings that matter for a level, each kind by its margin: missed limits, what could not be judged, and limits met.
fn by_outcome(verdict: &Verdict) -> [Vec<&Finding>; 3] {
    let select = |outcome: FindingOutcome, guards: Guards| -> Vec<&Finding> {
        let is = |finding: &&Finding| finding.outcome == outcome && finding.guards == guards;
        let mut found: Vec<_> = verdict.findings.iter().filter(is).collect();
        found.sort_by(nearest);
        found
    };
    // A measured figure that cannot be trusted holds a level back even if the level does not need it.
    let open = |guards| -> Vec<&Finding> {
        let holds_back = |finding: &&Finding| finding.required || finding.measured.is_some();
        select(FindingOutcome::NotJudged, guards).into_iter().filter(holds_back).collect()
    };
    let missed = |guards| select(FindingOutcome::Fail, guards);
    let passed = |guards| select(FindingOutcome::Pass, guards);
    let (more, enough) = (Guards::Good, Guards::Enough);
    match verdict.level {
        Level::NotEnough => [missed(enough), Vec::new(), Vec::new()],
        Level::CannotBeJudged => [Vec::new(), open(enough), Vec::new()],
        Level::Enough => [missed(more), open(more), passed(enough)],
        Level::Good => [Vec::new(), Vec::new(), [passed(more), passed(enough)].concat()],
    }
}

/// By margin, the worst first.
pub(crate) fn nearest(a: &&Finding, b: &&Finding) -> std::cmp::Ordering {
    finding::margin(a).total_cmp(&finding::margin(b))
}

/// The grounds of a level.
#[derive(Default)]
struct Grounds<'a> {
    /// The deciding finding; `None` if there are no findings.
    decided: Option<&'a Finding>,
    /// Others that missed a limit for the same level.
    missed: Vec<&'a Finding>,
    /// Others needed for the same level that were not judged.
    open: Vec<&'a Finding>,
    /// The close call nearest to its limit: another run may miss it. Named only if the deciding finding is
    /// not close itself: a second one says nothing new.
    close: Option<&'a Finding>,
}

impl<'a> Grounds<'a> {
    fn from_verdict(verdict: &'a Verdict) -> Self {
        let [missed, open, passes] = by_outcome(verdict);
        // Findings for enough come first, then open ones for good.
        let is_enough = verdict.level == Level::Enough;
        let first_open = open.first().filter(|_| !is_enough || passes.is_empty());
        let decided = missed.first().or(first_open).or(passes.first()).copied();
        let without_decided = |found: Vec<&'a Finding>| -> Vec<&'a Finding> {
            let is_decided = |finding| decided.is_some_and(|it| std::ptr::eq(it, finding));
            found.into_iter().filter(|&finding| !is_decided(finding)).collect()
        };
        let close_calls = passes.into_iter().filter(|finding| finding.close).collect();
        let close = without_decided(close_calls).into_iter().min_by(nearest);
        Self {
            decided,
            missed: without_decided(missed),
            open: without_decided(open),
            close: close.filter(|_| !decided.is_some_and(|finding| finding.close)),
        }
    }

    /// The deciding figure, with its limit.
    fn figure(&self) -> Option<Message> {
        self.decided.map(finding::short)
    }

    fn reasons(&self, level: Level) -> Vec<Message> {
        let mut reasons = Vec::new();
        if let Some(decided) = self.decided {
            reasons.extend(finding::close(decided));
            match &decided.doubt {
                Some(doubt) if decided.outcome == FindingOutcome::NotJudged => reasons.push(why(doubt)),
                _ if level == Level::Good => {}
                _ => reasons.push(decided.source.clone()),
            }
        }
        reasons.extend(names(&self.missed).map(|metrics| message!("verdict-also.missed", metrics)));
        let is_first_said = self.decided.is_none_or(|decided| decided.outcome != FindingOutcome::Pass);
        reasons.extend(names(&self.open).map(|metrics| match is_first_said {
            true => message!("verdict-also.open", metrics),
            false => message!("verdict-also.open-good", metrics),
        }));
        let doubt = self.open.first().and_then(|open| open.doubt.as_ref()).filter(|_| !is_first_said);
        reasons.extend(doubt.map(why));
        reasons.extend(self.close.and_then(finding::close_call));
        reasons
    }
}

fn names(findings: &[&Finding]) -> Option<Parameter> {
    let names = unique(findings.iter().map(|finding| finding::metric(finding.metric)));
    (!names.is_empty()).then(|| Parameter::all(names))
}

/// Why something was not judged, as a sentence.
fn why(doubt: &Message) -> Message {
    message!("verdict-doubt", doubt = doubt.clone())
}

#[cfg(test)]
mod tests;
