//! Claims about the drive, and whether they hold.

use cardiograph_core::claim::{Claim, ClaimEvidence, ClaimOutcome};
use cardiograph_core::report::Report;
use cardiograph_core::verdict::FindingOutcome;
use cardiograph_core::{Message, Parameter, message};

use super::verdicts::finding::in_unit;
use crate::doc::{Item, Node};
use crate::text::layout::Tone;

/// Each claim, with its evidence and certainty.
pub(super) fn section(report: &Report) -> Option<Node> {
    let items = report.claims.iter().map(item).collect();
    Node::section("claims", message!("claims-heading"), Node::from_items(items))
}

/// The drive's own claims, or all that was judged if it makes none, without their evidence.
pub(crate) fn short(report: &Report) -> Vec<Item> {
    let shown = wanted(report);
    // How certain a kept claim is, the full report says.
    let reasons = |claim: &Claim| match claim.outcome {
        ClaimOutcome::Kept => Vec::new(),
        _ => claim.reasons.clone(),
    };
    shown.map(|claim| Item { grounds: Vec::new(), more: reasons(claim), ..item(claim) }).collect()
}

/// The drive's own claims, or all that was judged if it makes none.
fn wanted(report: &Report) -> impl Iterator<Item = &Claim> {
    let has_own = report.claims.iter().any(|claim| claim.said_by.is_some());
    report.claims.iter().filter(move |claim| claim.said_by.is_some() || !has_own)
}

/// The outcome of the claims in a sentence, broken ones first: `U3 and V30: broken; C10: kept.`
pub(crate) fn answer(report: &Report) -> Option<Message> {
    let outcomes = [ClaimOutcome::Broken, ClaimOutcome::CannotBeJudged, ClaimOutcome::Kept];
    let parts = outcomes.into_iter().filter_map(|outcome| {
        let these = || wanted(report).filter(|claim| claim.outcome == outcome);
        let is_own = these().next()?.said_by.is_some();
        let claims = Parameter::all(these().map(short_name));
        Some(match (outcome, is_own) {
            (ClaimOutcome::Kept, true) => message!("answer-claims.kept", claims),
            (ClaimOutcome::Kept, false) => message!("answer-claims.met", claims),
            (ClaimOutcome::Broken, true) => message!("answer-claims.broken", claims),
            (ClaimOutcome::Broken, false) => message!("answer-claims.missed", claims),
            (ClaimOutcome::CannotBeJudged, _) => message!("answer-claims.unknown", claims),
        })
    });
    let parts = parts.reduce(|head, tail| message!("list-clauses", head, tail));
    parts.map(|parts| message!("answer-claims", parts))
}

fn short_name(claim: &Claim) -> Message {
    let statement = &claim.statement;
    match (statement.id(), statement.parameter("capacity").or(statement.parameter("mark"))) {
        ("claim-capacity", Some(capacity)) => message!("answer-claim.capacity", capacity = capacity.clone()),
        ("claim-flush", _) => message!("answer-claim.flush"),
        ("claim-rpdiags", _) => message!("answer-claim.rpdiags"),
        (_, Some(mark)) => Message::quantity(mark.clone()),
        (_, None) => statement.clone(),
    }
}

fn item(claim: &Claim) -> Item {
    let (label, tone) = match (claim.outcome, claim.said_by.is_some()) {
        (ClaimOutcome::Kept, true) => (message!("claim-outcome.kept"), Tone::Good),
        (ClaimOutcome::Kept, false) => (message!("claim-outcome.yes"), Tone::Good),
        (ClaimOutcome::Broken, true) => (message!("claim-outcome.broken"), Tone::Bad),
        (ClaimOutcome::Broken, false) => (message!("claim-outcome.no"), Tone::Bad),
        (ClaimOutcome::CannotBeJudged, _) => (message!("claim-outcome.unknown"), Tone::Fair),
    };
    let statement = claim.statement.clone();
    let statement = match &claim.said_by {
        Some(by) => message!("claim-stated", statement, by = by.clone()),
        None => statement,
    };
    Item {
        tone: Some(tone),
        grounds: claim.evidence.iter().map(evidence).collect(),
        more: claim.reasons.clone(),
        ..Item::new(label, vec![statement])
    }
}

/// The measured value, the limit, and further remarks.
fn evidence(evidence: &ClaimEvidence) -> Message {
    let shown = |value: f64| in_unit(evidence.unit, value);
    let measured = evidence.measured.map_or(message!("evidence.none"), |estimate| {
        let value = shown(estimate.value);
        match estimate.low.zip(estimate.high).filter(|(low, high)| low < high) {
            Some((low, high)) => message!("interval-of", value, low = shown(low), high = shown(high)),
            None => Message::quantity(value),
        }
    });
    let named = message!("evidence", name = evidence.name.clone(), measured);
    let limit = evidence.limit.map(|limit| {
        let outcome = match evidence.outcome {
            FindingOutcome::Pass => message!("finding-outcome.met"),
            FindingOutcome::Fail => message!("finding-outcome.missed"),
            FindingOutcome::NotJudged => message!("finding-outcome.open"),
        };
        let limit = shown(limit);
        match evidence.more_is_better {
            true => message!("evidence.at-least", limit, outcome),
            false => message!("evidence.at-most", limit, outcome),
        }
    });
    let tries = (evidence.tries.len() > 1).then(|| {
        message!("evidence.tries", tries = Parameter::all(evidence.tries.iter().map(|&each| shown(each))))
    });
    let doubt: Option<Message> = evidence.doubt.as_ref().map(|doubt| doubt.message());
    Message::joined(std::iter::once(named).chain(limit).chain(tries).chain(doubt))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Estimate;
    use cardiograph_core::metric::Unit;

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

    #[test]
    fn a_claim_is_shown_with_its_evidence() {
        let by = message!("claim-said-by.sd-status");
        let measured = Estimate::mean(&[23e6, 25e6, 24e6]);
        let evidence = ClaimEvidence {
            name: message!("claim-evidence.sequential-write"),
            unit: Unit::BytesPerSecond,
            limit: Some(30e6),
            more_is_better: true,
            measured: Some(measured),
            tries: vec![23e6, 25e6],
            outcome: FindingOutcome::Fail,
            doubt: None,
        };
        let item = item(&claim(Some(by.clone()), ClaimOutcome::Broken, vec![evidence]));
        let speed = Parameter::bytes_per_s;
        let statement = message!("claim-mark.speed", mark = "V30", write = speed(30e6));
        assert_eq!(item.text, [message!("claim-stated", statement, by)]);
        assert_eq!((item.label, item.tone), (message!("claim-outcome.broken"), Some(Tone::Bad)));
        assert_eq!(item.more, [message!("claim-class.indication")]);
        let (low, high) = (measured.low.unwrap(), measured.high.unwrap());
        let interval =
            message!("interval-of", value = speed(measured.value), low = speed(low), high = speed(high));
        let name = message!("claim-evidence.sequential-write");
        let missed = message!("finding-outcome.missed");
        let parts = vec![
            message!("evidence", name, measured = interval),
            message!("evidence.at-least", limit = speed(30e6), outcome = missed),
            message!("evidence.tries", tries = Parameter::all([speed(23e6), speed(25e6)])),
        ];
        assert_eq!(item.grounds, [Message::joined(parts)]);
    }

    #[test]
    fn the_answer_names_broken_claims_first() {
        use ClaimOutcome::{Broken, CannotBeJudged, Kept};
        let by = || Some(message!("claim-said-by.sd-status"));
        for (said_by, outcomes, expected) in [
            (by(), &[Kept, Broken][..], Some("V30: broken; V30: kept.")),
            (by(), &[CannotBeJudged], Some("V30: not proven.")),
            (None, &[Broken, Kept, Kept], Some("V30: missed; V30 and V30: met.")),
            (None, &[], None),
        ] {
            let claims =
                outcomes.iter().map(|&outcome| claim(said_by.clone(), outcome, Vec::new())).collect();
            let report = Report { claims, ..crate::samples::card() };
            assert_eq!(answer(&report).map(|text| crate::lang::Lang::EN.text(&text)).as_deref(), expected);
        }
    }

    #[test]
    fn an_unclaimed_property_is_a_question() {
        let label = |outcome| item(&claim(None, outcome, Vec::new())).label;
        assert_eq!(label(ClaimOutcome::Kept), message!("claim-outcome.yes"));
        assert_eq!(label(ClaimOutcome::Broken), message!("claim-outcome.no"));
        assert_eq!(label(ClaimOutcome::CannotBeJudged), message!("claim-outcome.unknown"));
    }
}
