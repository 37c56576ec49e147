//! What follows for the claim, and for the capacity that purposes ask for.

use cardiograph_core::Doubt;
use cardiograph_core::claim::{Claim, ClaimEvidence, ClaimOutcome};
use cardiograph_core::metric::{Measured, Measurements, Metric, Unit};
use cardiograph_core::report::StepResult;
use cardiograph_core::units;
use cardiograph_core::verdict::FindingOutcome;
use cardiograph_core::{Estimate, MIB};

use super::evidence::{Evidence, Fake};
use super::miss::{self, CELL_BYTES, MISS_MAX, Sample};
use super::plan::{self, BLOCK_BYTES, Proof, ProofKind};
use crate::measure::measure as facts;
use crate::suite::Context;
use crate::text;

/// Id of the claim.
pub(super) const CLAIM: &str = "capacity";
/// A full proof that has seen less of a drive says nothing of the whole.
const SHARE_MIN: f64 = 0.9;

/// The capacity: as it is claimed, as it was found, or in doubt.
pub(super) fn measure(context: &Context<'_>, done: &[StepResult]) -> Measurements {
    let mut measurements = facts(context, done, &[]);
    let Ok(proof) = Proof::of(context) else { return measurements };
    let evidence = Evidence::of(&proof, done);
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

/// The claim that the drive holds what it says; `None` before anything was read back.
pub(super) fn claim(context: &Context<'_>, done: &[StepResult]) -> Option<Claim> {
    let proof = Proof::of(context).ok()?;
    let evidence = Evidence::of(&proof, done);
    if evidence.checked_bytes == 0 && evidence.ended_by.is_none() {
        return None;
    }
    let (outcome, reasons) = match evidence.fake() {
        Some(fake) => (ClaimOutcome::Broken, broken(&proof, &evidence, fake)),
        None => sound(&proof, &evidence, done),
    };
    let is_bad = evidence.bad_bytes > 0;
    let read_back = ClaimEvidence {
        name: "came back as it was written".to_string(),
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
        statement: format!("holds {}", text::capacity(proof.ground.claimed_bytes)),
        said_by: Some("the size that the drive tells".to_string()),
        outcome,
        reasons,
        evidence: if evidence.checked_bytes > 0 { vec![read_back] } else { Vec::new() },
    })
}

/// What is said of a drive on which blocks came back wrong.
fn broken(proof: &Proof, evidence: &Evidence, fake: Fake) -> Vec<String> {
    let (least, likely, most) = evidence.real_bytes(proof);
    let kind = match fake {
        Fake::Limbo => "It says yes to writes beyond its real end and forgets them.",
        Fake::Wrap => {
            "Beyond its real end it starts again at its front: what is written there overwrites other files."
        }
        Fake::Chain => {
            "Beyond its real end it forgets some writes, and others overwrite what lies at its front."
        }
        Fake::Defect => {
            "Single blocks are lost, which is a defect of the drive, its reader or the cable rather than a wrong capacity."
        }
    };
    let mut reasons = vec![kind.to_string()];
    if fake != Fake::Defect {
        reasons.push(match &proof.kind {
            ProofKind::Full { .. } if evidence.is_complete && most > least => {
                format!(
                    "It holds about {} (at least {}, at most {}).",
                    text::capacity(likely),
                    text::capacity(least),
                    text::capacity(most)
                )
            }
            ProofKind::Full { .. } if evidence.is_complete => format!("It holds {}.", text::capacity(likely)),
            ProofKind::Full { .. } => "How much it holds is not known, as not all was read back.".to_string(),
            ProofKind::Sample { .. } => {
                format!(
                    "By the sample it holds about {}; --set proof=full tells it exactly.",
                    text::capacity(likely)
                )
            }
        });
    }
    if let Some(first) = evidence.first_bad_bytes {
        let place = match first {
            0 => "at the start of".to_string(),
            _ => format!("{} into", text::size(first)),
        };
        reasons.push(format!(
            "The first wrong block lies {place} {}; {} of {} blocks of 4 KiB are wrong.",
            if proof.ground.is_device { "the device" } else { "the test files" },
            units::count(evidence.bad_bytes / BLOCK_BYTES),
            units::count(evidence.checked_bytes / BLOCK_BYTES)
        ));
    }
    let tail = evidence.good_tail_bytes;
    let is_full = matches!(proof.kind, ProofKind::Full { .. });
    if is_full
        && matches!(fake, Fake::Limbo | Fake::Chain)
        && tail > 0
        && tail < proof.ground.tested_bytes / 8
    {
        reasons.push(format!(
            "The last {} came back right: a small cache keeps what was written last, so that a copy looks whole at first.",
            text::size(tail)
        ));
    }
    reasons.push(match fake {
        Fake::Defect => {
            "Save what is on it, and try it in another reader or port before it is used again.".to_string()
        }
        _ => "Save what is on it, give it back, and trust no file that was written when it was that full."
            .to_string(),
    });
    reasons
}

/// What is said of a drive on which all that was read back is right.
fn sound(proof: &Proof, evidence: &Evidence, done: &[StepResult]) -> (ClaimOutcome, Vec<String>) {
    let ground = &proof.ground;
    if let Some((step, ended)) = &evidence.ended_by {
        let mut reasons =
            vec![format!("Not all was read back: {}.", ended.of_step(step).trim_end_matches('.'))];
        if matches!(ended, Doubt::Failed { .. } | Doubt::Hung) {
            reasons.push("A drive, reader or cable that fails has a defect, whatever it holds.".to_string());
        }
        return (ClaimOutcome::CannotBeJudged, reasons);
    }
    if !evidence.is_complete {
        return (ClaimOutcome::CannotBeJudged, vec!["Not all was read back.".to_string()]);
    }
    if evidence.changed_bytes > 0 {
        let changed = format!(
            "{} that an interrupted checkup wrote hold something else now: somebody may have written there since. Once more \
             from the start: --set leftovers=remove, then --set proof=full.",
            text::size(evidence.changed_bytes)
        );
        return (ClaimOutcome::CannotBeJudged, vec![changed]);
    }
    let unseen = (ground.untested_bytes() >= MIB).then(|| {
        let untested = text::capacity(ground.untested_bytes());
        match ground.is_device {
            true => format!("{untested} were not looked at: no more was asked for."),
            false => format!(
                "{untested} could not be looked at: other files, the file system and a margin hold it."
            ),
        }
    });
    let (outcome, mut reasons) = match &proof.kind {
        ProofKind::Full { .. } => {
            let tested = text::capacity(evidence.checked_bytes);
            if ground.share() >= SHARE_MIN {
                let all = format!(
                    "{tested} were written, each block with a mark of its own, before any was read back."
                );
                (ClaimOutcome::Kept, vec![all])
            } else {
                let part = format!(
                    "It holds at least {tested}: no more was free, or asked for. Make room for the rest."
                );
                (ClaimOutcome::CannotBeJudged, vec![part])
            }
        }
        ProofKind::Sample { sample, .. } => {
            let drawn = plan::written_ios(done).unwrap_or(0);
            sampled(ground.share(), Sample { drawn, ..*sample })
        }
    };
    reasons.extend(unseen);
    (outcome, reasons)
}

/// What a sample without a wrong block says.
fn sampled(share: f64, sample: Sample) -> (ClaimOutcome, Vec<String>) {
    let miss = sample.miss();
    let places = format!(
        "64 KiB at each of {} random places were written before any was read back ({}).",
        units::count(sample.drawn),
        text::size(sample.drawn * CELL_BYTES)
    );
    let front = text::size(sample.front_bytes());
    let limits =
        format!("one that holds more, or keeps more than {front} of the last writes in a cache, may pass");
    if miss.worst() <= MISS_MAX {
        let risk = format!(
            "A drive that holds less than half of what it says is missed with a probability {}, whether it forgets, starts \
             again at its front, or both; {limits}: --set proof=full finds those.",
            miss::words(miss.worst())
        );
        return (ClaimOutcome::Kept, vec![places, risk]);
    }
    let risk = format!(
        "That is too little to clear it. The probability to miss one that holds less than half is {} where it forgets, and {} \
         where it starts again at its front.",
        miss::words(miss.limbo),
        miss::words(miss.wrap)
    );
    let remedy = match share {
        ..0.6 => "Too little is free: make room, or test it empty.",
        _ => "--set time=20m writes more places, --set proof=full all of them.",
    };
    (ClaimOutcome::CannotBeJudged, vec![places, risk, remedy.to_string()])
}
