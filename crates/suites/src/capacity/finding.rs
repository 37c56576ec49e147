//! The claim about the capacity, and the capacity metric for purposes.

use cardiograph_core::Doubt;
use cardiograph_core::claim::{Claim, ClaimEvidence, ClaimOutcome};
use cardiograph_core::metric::{Measured, Measurements, Metric, Unit};
use cardiograph_core::report::StepResult;
use cardiograph_core::verdict::FindingOutcome;
use cardiograph_core::{Estimate, MIB, Message, NS_PER_S, Parameter, message};

use super::evidence::{Evidence, Fake};
use super::miss::{self, CELL_BYTES, MISS_MAX, Sample};
use super::plan::{self, BLOCK_BYTES, Proof, ProofKind};
use crate::measure::measure as facts;
use crate::suite::Context;

/// Id of the claim.
pub(super) const CLAIM: &str = "capacity";
/// Least share of a drive that a full proof must have tested to judge the whole.
const SHARE_MIN: f64 = 0.9;

/// The capacity: as claimed, as measured, or with a doubt.
pub(super) fn measure(context: &Context<'_>, done: &[StepResult]) -> Measurements {
    let mut measurements = facts(context, done, &[]);
    let Ok(proof) = Proof::from_context(context) else { return measurements };
    let evidence = Evidence::collect(&proof, done);
    let Some(capacity) = measurements.get_mut(&Metric::Capacity) else { return measurements };
    if evidence.bad_bytes > 0 {
        let (least, likely, most) = evidence.real_bytes(&proof);
        let blocks = evidence.checked_bytes / BLOCK_BYTES;
        let estimate = Estimate {
            value: likely as f64,
            n: blocks,
            n_effective: blocks as f64,
            low: Some(least as f64),
            high: Some(most as f64),
        };
        let step = done.iter().rfind(|step| has_bad(step)).map(|step| step.step.id.clone());
        *capacity = Measured { estimate, step: step.unwrap_or_default(), doubt: None };
    } else if let Some((step, ended)) = evidence.ended_by {
        capacity.doubt = Some(Doubt::NotProved { step, ended: Box::new(ended) });
    }
    measurements
}

fn has_bad(step: &StepResult) -> bool {
    let workers = step.result.iter().flat_map(|result| &result.workers);
    workers.filter_map(|worker| worker.verified.as_ref()).any(|verified| verified.bad_blocks > 0)
}

/// The claim that the drive has its stated capacity; `None` before anything was read back.
pub(super) fn claim(context: &Context<'_>, done: &[StepResult]) -> Option<Claim> {
    let proof = Proof::from_context(context).ok()?;
    let evidence = Evidence::collect(&proof, done);
    if evidence.checked_bytes == 0 && evidence.ended_by.is_none() {
        return None;
    }
    let (outcome, reasons) = match evidence.fake() {
        Some(fake) => (ClaimOutcome::Broken, broken(&proof, &evidence, fake)),
        None => sound(&proof, &evidence, done),
    };
    let is_bad = evidence.bad_bytes > 0;
    let read_back = ClaimEvidence {
        name: message!("claim-evidence.read-back"),
        unit: Unit::Bytes,
        limit: (evidence.checked_bytes > 0).then_some(evidence.checked_bytes as f64),
        more_is_better: true,
        measured: Some(Estimate::exact(evidence.good_bytes() as f64)),
        tries: Vec::new(),
        outcome: if is_bad { FindingOutcome::Fail } else { FindingOutcome::Pass },
        doubt: None,
    };
    Some(Claim {
        id: CLAIM.to_string(),
        statement: message!(
            "claim-capacity",
            capacity = Parameter::CapacityBytes(proof.ground.claimed_bytes)
        ),
        said_by: Some(message!("claim-said-by.drive-size")),
        outcome,
        reasons,
        evidence: if evidence.checked_bytes > 0 { vec![read_back] } else { Vec::new() },
    })
}

/// The reasons for a drive with bad blocks.
fn broken(proof: &Proof, evidence: &Evidence, fake: Fake) -> Vec<Message> {
    let mut reasons = vec![match fake {
        Fake::Limbo => message!("claim-fake.limbo"),
        Fake::Wrap => message!("claim-fake.wrap"),
        Fake::Chain => message!("claim-fake.chain"),
        Fake::Defect => message!("claim-fake.defect"),
    }];
    if fake != Fake::Defect {
        reasons.push(real_capacity(proof, evidence));
    }
    if let Some(first) = evidence.first_bad_bytes {
        let offset = Parameter::Bytes(first);
        reasons.push(match proof.ground.is_device {
            true => message!("claim-first-wrong.device", offset),
            false => message!("claim-first-wrong.files", offset),
        });
        let (wrong, checked) = (evidence.bad_bytes / BLOCK_BYTES, evidence.checked_bytes / BLOCK_BYTES);
        reasons.push(message!("claim-wrong-blocks", wrong, checked));
    }
    let tail = evidence.good_tail_bytes;
    let is_full = matches!(proof.kind, ProofKind::Full { .. });
    if is_full
        && matches!(fake, Fake::Limbo | Fake::Chain)
        && tail > 0
        && tail < proof.ground.tested_bytes / 8
    {
        reasons.push(message!("claim-intact-tail", tail = Parameter::Bytes(tail)));
    }
    reasons.push(match fake {
        Fake::Defect => message!("claim-advice.defect"),
        _ => message!("claim-advice.fake"),
    });
    reasons
}

/// The real capacity of a fake, in words.
fn real_capacity(proof: &Proof, evidence: &Evidence) -> Message {
    let (least, likely, most) = evidence.real_bytes(proof);
    let is_range = most > least;
    let [least, likely, most] = [least, likely, most].map(Parameter::CapacityBytes);
    match &proof.kind {
        ProofKind::Sample { .. } => message!("claim-real-capacity.sample", likely),
        ProofKind::Full { .. } if !evidence.is_complete => message!("claim-real-capacity.unknown"),
        ProofKind::Full { .. } if is_range => message!("claim-real-capacity.range", likely, least, most),
        ProofKind::Full { .. } => message!("claim-real-capacity.exact", likely),
    }
}

/// The outcome and the reasons for a drive without bad blocks.
fn sound(proof: &Proof, evidence: &Evidence, done: &[StepResult]) -> (ClaimOutcome, Vec<Message>) {
    let ground = &proof.ground;
    if let Some((title, ended)) = &evidence.ended_by {
        let mut reasons = vec![message!("claim-unread.ended", ended = ended.message_of_step(title))];
        if matches!(ended, Doubt::Failed { .. } | Doubt::Hung) {
            reasons.push(message!("claim-unread.defect"));
        }
        return (ClaimOutcome::CannotBeJudged, reasons);
    }
    if !evidence.is_complete {
        return (ClaimOutcome::CannotBeJudged, vec![message!("claim-unread")]);
    }
    if evidence.changed_bytes > 0 {
        let changed = message!("claim-changed", changed = Parameter::Bytes(evidence.changed_bytes));
        return (ClaimOutcome::CannotBeJudged, vec![changed]);
    }
    let unseen = (ground.untested_bytes() >= MIB).then(|| {
        let untested = Parameter::CapacityBytes(ground.untested_bytes());
        match ground.is_device {
            true => message!("claim-untested.device", untested),
            false => message!("claim-untested.files", untested),
        }
    });
    let (outcome, mut reasons) = match &proof.kind {
        ProofKind::Full { .. } => {
            let tested = Parameter::CapacityBytes(evidence.checked_bytes);
            match ground.share() >= SHARE_MIN {
                true => (ClaimOutcome::Kept, vec![message!("claim-tested.full", tested)]),
                false => (ClaimOutcome::CannotBeJudged, vec![message!("claim-tested.part", tested)]),
            }
        }
        ProofKind::Sample { sample, time_ns_max } => {
            let drawn = plan::written_ios(done).unwrap_or(0);
            sampled(ground.share(), Sample { drawn, ..*sample }, *time_ns_max)
        }
    };
    reasons.extend(unseen);
    (outcome, reasons)
}

/// A sample that would take this many times as long is not advised.
const TIMES_MAX: u64 = 20;

/// The outcome and the reasons for a sample of so much time without bad blocks.
fn sampled(share: f64, sample: Sample, time_ns: u64) -> (ClaimOutcome, Vec<Message>) {
    let miss = sample.miss();
    let places = message!(
        "claim-sample.places",
        places = sample.drawn,
        written = Parameter::Bytes(sample.drawn * CELL_BYTES)
    );
    if miss.worst() <= MISS_MAX {
        let front = Parameter::Bytes(sample.front_bytes());
        let risk = message!("claim-sample.cleared", miss = miss::words(miss.worst()), front);
        return (ClaimOutcome::Kept, vec![places, risk]);
    }
    let risk =
        message!("claim-sample.doubtful", limbo = miss::words(miss.limbo), wrap = miss::words(miss.wrap));
    let remedy = match share {
        ..0.6 => message!("claim-sample.make-room"),
        _ => {
            let is_enough =
                |times: &u64| Sample { drawn: sample.drawn * times, ..sample }.miss().worst() <= MISS_MAX;
            match (2..TIMES_MAX).find(is_enough) {
                Some(times) => {
                    let minutes = (time_ns / 60).saturating_mul(times).div_ceil(NS_PER_S);
                    message!("claim-sample.write-more", time = format!("{minutes}m"))
                }
                None => message!("claim-sample.write-all"),
            }
        }
    };
    (ClaimOutcome::CannotBeJudged, vec![places, risk, remedy])
}
