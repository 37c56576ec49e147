//! What is said of the drive, beside what was found.

use cardiograph_core::claim::{Claim, ClaimEvidence, ClaimOutcome};
use cardiograph_core::verdict::FindingOutcome;

use super::layout::{Page, SPACE, Tone, pad_end, widest};
use super::words::in_unit;
use crate::lang::Lang;

/// Writes all claims onto `page`: whether each holds, what it rests on, and how sure that is.
pub(super) fn write(page: &mut Page, claims: &[Claim]) {
    if claims.is_empty() {
        return;
    }
    page.head("What is said of it");
    let lines: Vec<Line> = claims.iter().map(|claim| Line::of(claim, Lang::En)).collect();
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
    pub(crate) fn of(claim: &Claim, lang: Lang) -> Self {
        let (word, tone) = match (claim.outcome, claim.said_by.is_some()) {
            (ClaimOutcome::Kept, true) => (lang.pick("kept", "表示どおり"), Tone::Good),
            (ClaimOutcome::Kept, false) => (lang.pick("yes", "満たす"), Tone::Good),
            (ClaimOutcome::Broken, true) => (lang.pick("broken", "表示に反する"), Tone::Bad),
            (ClaimOutcome::Broken, false) => (lang.pick("no", "満たさない"), Tone::Bad),
            (ClaimOutcome::CannotBeJudged, _) => (lang.pick("unknown", "不明"), Tone::Fair),
        };
        let said_by = claim.said_by.as_ref().map(|by| format!(" ({})", lang.text(by)));
        Self {
            word,
            tone,
            statement: lang.text(&claim.statement) + &said_by.unwrap_or_default(),
            evidence: claim.evidence.iter().map(|of| evidence(of, lang)).collect(),
            reasons: lang.sentences(&claim.reasons),
        }
    }
}

/// `sequential write: 24.0 MB/s (23.0 MB/s to 25.0 MB/s), at least 30.0 MB/s: missed; tries: 23.0 MB/s, 25.0 MB/s`.
fn evidence(of: &ClaimEvidence, lang: Lang) -> String {
    let mut text = format!("{}: ", lang.text(&of.name));
    match &of.measured {
        Some(estimate) => {
            text += &in_unit(of.unit, estimate.value);
            if let Some((low, high)) = estimate.low.zip(estimate.high).filter(|(low, high)| low < high) {
                let to = lang.pick(" to ", "～");
                text += &format!(" ({}{to}{})", in_unit(of.unit, low), in_unit(of.unit, high));
            }
        }
        None => text += lang.pick("not measured", "未計測"),
    }
    if let Some(limit) = of.limit {
        let limit = in_unit(of.unit, limit);
        let verdict = match of.outcome {
            FindingOutcome::Pass => lang.pick("kept", "達成"),
            FindingOutcome::Fail => lang.pick("missed", "未達"),
            FindingOutcome::NotJudged => lang.pick("not judged", "判定せず"),
        };
        text += &match (lang, of.more_is_better) {
            (Lang::En, true) => format!(", at least {limit}: {verdict}"),
            (Lang::En, false) => format!(", at most {limit}: {verdict}"),
            (Lang::Ja, true) => format!("、{limit} 以上は{verdict}"),
            (Lang::Ja, false) => format!("、{limit} 以下は{verdict}"),
        };
    }
    if of.tries.len() > 1 {
        let tries: Vec<String> = of.tries.iter().map(|&each| in_unit(of.unit, each)).collect();
        text += &format!("{}{}", lang.pick("; tries: ", "、各回: "), tries.join(", "));
    }
    if let Some(doubt) = &of.doubt {
        text += &format!(" ({})", lang.text(&doubt.message()));
    }
    text
}

#[cfg(test)]
mod tests {
    use cardiograph_core::metric::Unit;

    use cardiograph_core::{Estimate, Message, Parameter, message};

    use super::super::layout::Style;
    use super::*;

    fn claim(said_by: Option<Message>, outcome: ClaimOutcome, evidence: Vec<ClaimEvidence>) -> Claim {
        Claim {
            id: "v30".to_string(),
            statement: message!("claim-mark.speed", mark = "V30", write = Parameter::bytes_per_s(30e6)),
            said_by,
            outcome,
            reasons: vec![message!("claim-class.indication")],
            evidence,
        }
    }

    fn write_speed() -> ClaimEvidence {
        ClaimEvidence {
            name: message!("claim-evidence.sequential-write"),
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
broken  V30: 30 MB/s sequential write (the card's SD status register)
        sequential write: 24.0 MB/s (21.5 MB/s to 26.5 MB/s), at least 30.0
        MB/s: missed; tries: 23.0 MB/s, 25.0 MB/s, 24.0 MB/s
        Measured through a file system: an indication, not a certificate.
";
        assert_eq!(
            text(&[claim(
                Some(message!("claim-said-by.sd-status")),
                ClaimOutcome::Broken,
                vec![write_speed()]
            )]),
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
