//! What the drive is good for: a line for each purpose, and on request all that it rests on.

use cardiograph_core::Message;
use cardiograph_core::text::unique;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level, Verdict};

use super::layout::{Page, SPACE, Tone, joined, pad_end, plain, widest, width};
use super::{findings, words};
use crate::lang::{Lang, sentence};

/// With less room the figures get a line of their own.
const FIGURE_COLUMNS_MIN: usize = 24;

/// Writes a line for each purpose onto `page`, with the figure that decided. Where that is not comfortable, a second one
/// says where the limit comes from and what else is missing. What a purpose is stands beside it if there is room. Last
/// comes why purposes are left out, if some are.
pub(super) fn write(page: &mut Page, verdicts: &[Verdict], not_judged: &[Message]) {
    if !verdicts.is_empty() {
        write_lines(page, verdicts);
    } else if !not_judged.is_empty() {
        page.head("What it is good for");
    }
    if !not_judged.is_empty() {
        page.quiet_prose("", &Lang::En.sentences(not_judged));
    }
}

fn write_lines(page: &mut Page, verdicts: &[Verdict]) {
    let lines: Vec<Line> = verdicts.iter().map(|verdict| Line::of(verdict, Lang::En)).collect();
    let widest = |text: fn(&Line) -> &str| widest(lines.iter().map(text));
    let purpose_columns = widest(|line| &line.purpose) + SPACE;
    let title_columns = widest(|line| &line.title) + SPACE;
    let level_columns = widest(|line| line.level) + SPACE;
    let columns = purpose_columns + level_columns;
    let has_titles = columns + title_columns + widest(|line| &line.figure) <= page.style().width;
    page.head(match has_titles {
        true => "What it is good for (all limits: --verbose)",
        false => "What it is good for (purposes: cardiograph suites; all limits: --verbose)",
    });
    for line in &lines {
        let mut first = pad_end(&line.purpose, purpose_columns);
        if has_titles {
            first += &page.style().paint(Tone::Quiet, &pad_end(&line.title, title_columns));
        }
        first += &pad_end(&page.style().paint(line.tone, line.level), level_columns);
        if width(&first) + FIGURE_COLUMNS_MIN <= page.style().width {
            page.prose(&first, &line.figure);
        } else {
            page.line(&first);
            page.prose("  ", &line.figure);
        }
        if !line.reasons.is_empty() {
            page.quiet_prose("  ", &line.reasons);
        }
    }
}

/// Writes all findings of each verdict onto `page`, with the sources of their limits.
pub(super) fn write_all(page: &mut Page, verdicts: &[Verdict]) {
    for verdict in verdicts {
        let level = words::level_word(verdict.level, Lang::En);
        page.head(&format!("{}: {level} ({})", plain(&verdict.purpose), Lang::En.text(&verdict.title)));
        for finding in &verdict.findings {
            page.prose("  ", &findings::sentence(finding, Lang::En));
            page.quiet_prose("    ", &Lang::En.text(&finding.source));
        }
    }
}

/// A verdict in words.
pub(crate) struct Line {
    /// Id of the purpose.
    pub purpose: String,
    /// What it is.
    pub title: String,
    /// How good the drive is for it.
    pub level: &'static str,
    pub tone: Option<Tone>,
    /// The figure that decided, beside its limit.
    pub figure: String,
    /// Why that is the limit, and what else there is to say; may be empty.
    pub reasons: String,
}

impl Line {
    pub(crate) fn of(verdict: &Verdict, lang: Lang) -> Self {
        let grounds = Grounds::of(verdict);
        Self {
            purpose: plain(&verdict.purpose),
            title: lang.text(&verdict.title),
            level: words::level_word(verdict.level, lang),
            tone: words::level_tone(verdict.level),
            figure: grounds.figure(lang).unwrap_or_default(),
            reasons: grounds.reasons(verdict.level, lang),
        }
    }
}

/// The figure that decided, beside its limit; `None` where a verdict rests on none.
pub(crate) fn deciding_figure(verdict: &Verdict, lang: Lang) -> Option<String> {
    Grounds::of(verdict).figure(lang)
}

/// What a level rests on.
#[derive(Default)]
struct Grounds<'a> {
    /// The finding that decided; `None` when there are no findings.
    decided: Option<&'a Finding>,
    /// Others that missed a limit for the same level.
    missed: Vec<&'a Finding>,
    /// Others that are needed for the same level and were not judged.
    open: Vec<&'a Finding>,
    /// Of the others that another run may see miss their limit, the one that comes nearest to it. It is told only where
    /// the deciding one is not close itself: a second says nothing new.
    close: Option<&'a Finding>,
}

impl<'a> Grounds<'a> {
    fn of(verdict: &'a Verdict) -> Self {
        let nearest = |a: &&Finding, b: &&Finding| findings::margin(a).total_cmp(&findings::margin(b));
        let select = |outcome: FindingOutcome, guards: Guards| -> Vec<&Finding> {
            let is = |finding: &&Finding| finding.outcome == outcome && finding.guards == guards;
            let mut found: Vec<_> = verdict.findings.iter().filter(is).collect();
            found.sort_by(nearest);
            found
        };
        // A figure that is there but cannot be believed holds a level back even if the level would do without it.
        let open = |guards| -> Vec<&Finding> {
            let holds_back = |finding: &&Finding| finding.required || finding.measured.is_some();
            select(FindingOutcome::NotJudged, guards).into_iter().filter(holds_back).collect()
        };
        let missed = |guards| select(FindingOutcome::Fail, guards);
        let passed = |guards| select(FindingOutcome::Pass, guards);
        let (more, enough) = (Guards::Comfortable, Guards::Enough);
        let (missed, open, passes) = match verdict.level {
            Level::NotEnough => (missed(enough), Vec::new(), Vec::new()),
            Level::CannotBeJudged => (Vec::new(), open(enough), Vec::new()),
            Level::Enough => (missed(more), open(more), passed(enough)),
            Level::Comfortable => (Vec::new(), Vec::new(), [passed(more), passed(enough)].concat()),
        };
        // What is enough stands first, and then what is open for more.
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

    /// The figure that decided, beside its limit.
    fn figure(&self, lang: Lang) -> Option<String> {
        self.decided.map(|decided| findings::short(decided, lang))
    }

    fn reasons(&self, level: Level, lang: Lang) -> String {
        let close = |call: String| match lang {
            Lang::En => format!("Close: {call}."),
            Lang::Ja => format!("僅差: {call}。"),
        };
        let mut reasons = Vec::new();
        if let Some(decided) = self.decided {
            reasons.extend(findings::close_interval(decided, lang).map(close));
            match &decided.doubt {
                Some(doubt) if decided.outcome == FindingOutcome::NotJudged => {
                    reasons.push(sentence(doubt, lang));
                }
                _ if level == Level::Comfortable => {}
                _ => reasons.push(lang.text(&decided.source)),
            }
        }
        let mut list = |head: &str, found: &[&Finding]| {
            let names = found.iter().map(|finding| words::metric(finding.metric, lang).to_string());
            let names = joined([unique(names)], lang.pick(", ", "、"));
            reasons.extend(names.map(|names| format!("{head}: {names}{}", lang.pick(".", "。"))));
        };
        list(lang.pick("Also missed", "ほかに未達"), &self.missed);
        let is_first_said = self.decided.is_none_or(|decided| decided.outcome != FindingOutcome::Pass);
        let open = match is_first_said {
            true => lang.pick("Also open", "ほかに未確認"),
            false => lang.pick("Open whether comfortable", "余裕があるか未確認"),
        };
        list(open, &self.open);
        let doubt = self.open.first().and_then(|open| open.doubt.as_ref()).filter(|_| !is_first_said);
        reasons.extend(doubt.map(|doubt| sentence(doubt, lang)));
        reasons.extend(self.close.and_then(|of| findings::close_call(of, lang)).map(close));
        reasons.join(lang.pick(" ", ""))
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Estimate;
    use cardiograph_core::metric::Metric;

    use super::*;
    use crate::text::Style;

    /// A finding that asks for 100 of a rate, with the given rate.
    fn finding(metric: Metric, guards: Guards, measured: Option<f64>) -> Finding {
        Finding {
            metric,
            measured: measured.map(Estimate::exact),
            limit: 100.0,
            guards,
            required: true,
            outcome: match measured {
                None => FindingOutcome::NotJudged,
                Some(value) if value >= 100.0 => FindingOutcome::Pass,
                Some(_) => FindingOutcome::Fail,
            },
            close: false,
            source: Message::verbatim("A source."),
            doubt: measured.is_none().then(|| Message::verbatim("too few samples")),
        }
    }

    fn shown(level: Level, findings: Vec<Finding>) -> String {
        let verdict = Verdict { purpose: "os".into(), title: Message::verbatim("Programs"), level, findings };
        let mut page = Page::new(&Style { width: 72, color: false });
        write(&mut page, &[verdict], &[]);
        page.into_text().lines().skip(1).map(|line| format!("{line}\n")).collect()
    }

    use Guards::{Comfortable, Enough};
    use Metric::{DurableWriteIops as Durable, RandomReadIops as Read, RandomWriteIops as Write};

    #[test]
    fn the_figure_furthest_from_its_limit_decides_and_the_others_are_named() {
        let findings = vec![
            finding(Read, Enough, Some(90.0)),
            finding(Write, Enough, Some(2.0)),
            finding(Write, Comfortable, Some(2.0)),
            finding(Durable, Enough, None),
        ];
        let expected = "os  not enough  random write 2.00 IOPS; enough from 100\n  A source. Also missed: random read.\n";
        assert_eq!(shown(Level::NotEnough, findings), expected.replace("os  ", "os  Programs  "));
    }

    #[test]
    fn what_stands_in_the_way_of_comfortable_is_said() {
        let findings = vec![
            finding(Read, Enough, Some(500.0)),
            finding(Write, Comfortable, Some(50.0)),
            finding(Durable, Comfortable, None),
        ];
        let shown = shown(Level::Enough, findings);
        let expected = "os  Programs  enough  random write 50.0 IOPS; comfortable from 100\n  \
                        A source. Also open: durable write.\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_enough_stands_before_what_is_open_for_more() {
        let findings = vec![
            finding(Read, Enough, Some(500.0)),
            finding(Durable, Enough, Some(120.0)),
            finding(Write, Comfortable, None),
        ];
        let expected = "os  Programs  enough  durable write 120 IOPS; enough from 100\n  \
                        A source. Open whether comfortable: random write. Too few samples.\n";
        assert_eq!(shown(Level::Enough, findings), expected);
    }

    #[test]
    fn what_is_not_judged_is_said_with_and_without_a_verdict() {
        let text = |verdicts: &[Verdict], why: &[Message]| {
            let mut page = Page::new(&Style { width: 40, color: false });
            write(&mut page, verdicts, why);
            page.into_text()
        };
        let why = &[Message::verbatim("Only the capacity is judged here: --suite quick does the rest.")][..];
        let expected =
            "What it is good for\nOnly the capacity is judged here:\n--suite quick does the rest.\n";
        assert_eq!(text(&[], why), expected);
        assert_eq!(text(&[], &[]), "");
        let findings = vec![finding(Read, Enough, Some(90.0))];
        let verdict = Verdict {
            purpose: "os".into(),
            title: Message::verbatim("Programs"),
            level: Level::NotEnough,
            findings,
        };
        let shown = text(&[verdict], why);
        let end = "  A source.\nOnly the capacity is judged here:\n--suite quick does the rest.\n";
        assert!(shown.ends_with(end), "{shown}");
    }

    #[test]
    fn titles_and_sources_fit_on_their_lines_in_every_language() {
        for lang in Lang::ALL {
            for purpose in cardiograph_judge::rules::PURPOSES {
                let title = lang.text(&purpose.title);
                assert!(width(&title) <= 45, "{title}");
                for rule in purpose.rules {
                    let source = lang.text(&rule.source);
                    assert!(source.ends_with(lang.pick(".", "。")) && width(&source) > 30, "{source}");
                    assert!(width(&source) <= 76, "not one line below a verdict: {source}");
                }
            }
        }
    }

    #[test]
    fn a_drive_that_holds_less_is_told_what_it_claims() {
        let lies =
            Finding { metric: Metric::RealCapacity, limit: 512e9, ..finding(Read, Enough, Some(16e9)) };
        let lies = Finding { outcome: FindingOutcome::Fail, ..lies };
        let expected = "os  Programs  not enough  real capacity 16 GB; 512 GB are claimed\n  A source.\n";
        assert_eq!(shown(Level::NotEnough, vec![lies]), expected);
    }

    #[test]
    fn a_missing_figure_comes_with_its_reason() {
        let doubtful = Finding {
            doubt: Some(Message::verbatim("the kernel counted less")),
            outcome: FindingOutcome::NotJudged,
            required: false,
            ..finding(Write, Enough, Some(500.0))
        };
        let needless = Finding { required: false, ..finding(Read, Enough, None) };
        let shown_of = |findings| shown(Level::CannotBeJudged, findings);
        assert_eq!(
            shown_of(vec![needless.clone(), doubtful]),
            "os  Programs  cannot be judged  random write is in doubt\n  The kernel counted less.\n"
        );
        assert_eq!(
            shown_of(vec![needless, finding(Durable, Enough, None)]),
            "os  Programs  cannot be judged  durable write is missing\n  Too few samples.\n"
        );
    }

    #[test]
    fn only_what_is_close_has_its_interval_shown() {
        let close = |guards, value: f64| Finding {
            close: true,
            measured: Some(Estimate { low: Some(60.0), high: Some(140.0), ..Estimate::exact(value) }),
            ..finding(Durable, guards, Some(value))
        };
        let comfortable = vec![finding(Read, Comfortable, Some(400.0)), finding(Write, Enough, Some(101.0))];
        let line = "os  Programs  comfortable  random read 400 IOPS; comfortable from 100\n";
        assert_eq!(shown(Level::Comfortable, comfortable.clone()), line);
        let with_close = [comfortable, vec![close(Comfortable, 110.0)]].concat();
        let line = "os  Programs  comfortable  durable write 110 IOPS; comfortable from 100\n  \
                    Close: 95 % interval 60.0 to 140 IOPS.\n";
        assert_eq!(shown(Level::Comfortable, with_close), line);
        let enough = vec![finding(Read, Comfortable, Some(50.0)), close(Enough, 110.0)];
        let line = "os  Programs  enough  random read 50.0 IOPS; comfortable from 100\n  \
                    A source. Close: durable write, enough from 100, 95 % interval 60.0 to\n  \
                    140 IOPS.\n";
        assert_eq!(shown(Level::Enough, enough), line);
    }
}
