//! What is said of the drive, beside what was found.

use cardiograph_core::claim::{Claim, ClaimEvidence, ClaimOutcome};
use cardiograph_core::verdict::FindingOutcome;

use super::layout::{Page, SPACE, Tone, pad_end, plain, widest};
use super::words::in_unit;

/// Writes all claims onto `page`: whether each holds, what it rests on, and how sure that is.
pub(super) fn write(page: &mut Page, claims: &[Claim]) {
    if claims.is_empty() {
        return;
    }
    page.head("What is said of it");
    let lines: Vec<Line> = claims.iter().map(Line::of).collect();
    let columns = widest(lines.iter().map(|line| line.word)) + SPACE;
    for line in &lines {
        let word = page.style().paint(line.tone, line.word);
        page.prose(&pad_end(&word, columns), &line.statement);
        let indent = " ".repeat(columns);
        line.evidence.iter().for_each(|of| page.prose(&indent, of));
        if !line.reasons.is_empty() {
            page.quiet_prose(&indent, &line.reasons);
        }
    }
}

/// A claim in words.
pub(crate) struct Line {
    /// Whether it holds.
    pub word: &'static str,
    pub tone: Tone,
    /// What is said, and by whom.
    pub statement: String,
    /// What it rests on.
    pub evidence: Vec<String>,
    /// Why it cannot be judged, and what else there is to say; may be empty.
    pub reasons: String,
}

impl Line {
    pub(crate) fn of(claim: &Claim) -> Self {
        let (word, tone) = match (claim.outcome, claim.said_by.is_some()) {
            (ClaimOutcome::Kept, true) => ("kept", Tone::Good),
            (ClaimOutcome::Kept, false) => ("yes", Tone::Good),
            (ClaimOutcome::Broken, true) => ("broken", Tone::Bad),
            (ClaimOutcome::Broken, false) => ("no", Tone::Bad),
            (ClaimOutcome::CannotBeJudged, _) => ("unknown", Tone::Fair),
        };
        let said_by = claim.said_by.as_ref().map(|by| format!(" ({})", plain(by)));
        Self {
            word,
            tone,
            statement: plain(&claim.statement) + &said_by.unwrap_or_default(),
            evidence: claim.evidence.iter().map(evidence).collect(),
            reasons: claim.reasons.iter().map(|reason| plain(reason)).collect::<Vec<_>>().join(" "),
        }
    }
}

/// `sequential write: 24 MB/s (23 to 25), promised 30 MB/s; tries 23, 25, 24`.
fn evidence(of: &ClaimEvidence) -> String {
    let mut text = format!("{}: ", plain(&of.name));
    match &of.measured {
        Some(estimate) => {
            text += &in_unit(of.unit, estimate.value);
            if let Some((low, high)) = estimate.low.zip(estimate.high).filter(|(low, high)| low < high) {
                text += &format!(" ({} to {})", in_unit(of.unit, low), in_unit(of.unit, high));
            }
        }
        None => text += "not measured",
    }
    if let Some(limit) = of.limit {
        let bound = if of.more_is_better { "at least" } else { "at most" };
        let verdict = match of.outcome {
            FindingOutcome::Pass => "kept",
            FindingOutcome::Fail => "missed",
            FindingOutcome::NotJudged => "not judged",
        };
        text += &format!(", {bound} {}: {verdict}", in_unit(of.unit, limit));
    }
    if of.tries.len() > 1 {
        let tries: Vec<String> = of.tries.iter().map(|&each| in_unit(of.unit, each)).collect();
        text += &format!("; tries: {}", tries.join(", "));
    }
    if let Some(doubt) = &of.doubt {
        text += &format!(" ({})", plain(&doubt.reason()));
    }
    text
}

#[cfg(test)]
mod tests {
    use cardiograph_core::metric::Unit;

    use cardiograph_core::Estimate;

    use super::super::layout::Style;
    use super::*;

    fn claim(said_by: Option<&str>, outcome: ClaimOutcome, evidence: Vec<ClaimEvidence>) -> Claim {
        Claim {
            id: "v30".to_string(),
            statement: "V30: at least 30 MB/s of sequential writing".to_string(),
            said_by: said_by.map(str::to_string),
            outcome,
            reasons: vec!["A file system lies between.".to_string()],
            evidence,
        }
    }

    fn write_speed() -> ClaimEvidence {
        ClaimEvidence {
            name: "sequential write".to_string(),
            unit: Unit::BytesPerSecond,
            limit: Some(30e6),
            more_is_better: true,
            measured: Some(Estimate::mean(&[23e6, 25e6, 24e6])),
            tries: vec![23e6, 25e6, 24e6],
            outcome: FindingOutcome::Fail,
            doubt: None,
        }
    }

    fn text(claims: &[Claim]) -> String {
        let mut page = Page::new(&Style { width: 80, color: false });
        write(&mut page, claims);
        page.into_text()
    }

    #[test]
    fn a_claim_stands_beside_what_was_found() {
        let expected = "\
What is said of it
broken  V30: at least 30 MB/s of sequential writing (the card's SSR register)
        sequential write: 24.0 MB/s (21.5 MB/s to 26.5 MB/s), at least 30.0
        MB/s: missed; tries: 23.0 MB/s, 25.0 MB/s, 24.0 MB/s
        A file system lies between.
";
        assert_eq!(
            text(&[claim(Some("the card's SSR register"), ClaimOutcome::Broken, vec![write_speed()])]),
            expected
        );
    }

    #[test]
    fn what_the_drive_does_not_claim_is_a_question() {
        let words = |outcome| text(&[claim(None, outcome, Vec::new())]).lines().nth(1).unwrap().to_string();
        assert!(words(ClaimOutcome::Kept).starts_with("yes  V30"));
        assert!(words(ClaimOutcome::Broken).starts_with("no  V30"));
        assert!(words(ClaimOutcome::CannotBeJudged).starts_with("unknown  V30"));
        assert_eq!(text(&[]), "");
    }
}
