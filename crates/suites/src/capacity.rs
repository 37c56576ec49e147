//! `capacity`: does the drive hold as much as it claims?
//!
//! Test files take the free space. Every 4 KiB block in them identifies its write and its position, and nothing is read back
//! before everything is written, which exposes a drive that drops data, wraps around, or has nothing behind a small cache.
//! The full proof writes all of the free space, in parts that an interrupted checkup leaves for the next one. The sample
//! writes enough random cells that a fake which holds less than half is missed only with a known probability. On a whole
//! device, the contents of the sample's cells are saved before and restored afterwards; the full proof overwrites
//! everything.

use cardiograph_core::claim::Claim;
use cardiograph_core::metric::{Measurements, Metric};
use cardiograph_core::report::{Step, StepResult};
use cardiograph_core::table::Table;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level};
use cardiograph_core::{Message, NS_PER_S, Verdict, message};
use cardiograph_judge::purpose::Purpose;
use cardiograph_judge::purposes;

use crate::board::Board;
use crate::next_step::NextStep;
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite};
use crate::traits::{OnDevice, SuiteTraits};

mod evidence;
mod finding;
mod ground;
mod map;
mod miss;
mod plan;
mod speed;

#[cfg(test)]
mod tests;

use ground::Ground;
use plan::Proof;

/// The suite.
#[derive(Debug)]
pub struct Capacity;

pub(crate) const NAME: &str = "capacity";

const PROOF: Setting = Setting::new(
    "proof",
    const { &message!("setting-capacity.proof") },
    SettingKind::Choice(&["sample", "full"]),
    "sample",
);
const TIME: Setting =
    Setting::new("time", const { &message!("setting-capacity.time") }, SettingKind::Time, "4m");
const SIZE: Setting =
    Setting::new("size", const { &message!("setting-capacity.size") }, SettingKind::Bytes, "");
const LEFTOVERS: Setting = Setting::new(
    "leftovers",
    const { &message!("setting-capacity.leftovers") },
    SettingKind::Choice(&["resume", "remove"]),
    "resume",
);
const SETTINGS: &[Setting] = &[PROOF, TIME, SIZE, LEFTOVERS];

impl Suite for Capacity {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-capacity")
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn traits(&self, settings: &Settings) -> SuiteTraits {
        let is_full = settings.text(&PROOF) == "full";
        SuiteTraits {
            // The full proof takes hours: a resolution of seconds is enough.
            window_ns: NS_PER_S,
            says_notes_first: true,
            on_device: OnDevice::Writes,
            puts_back: !is_full,
            keeps_parts: is_full,
            only_removes_leftovers: settings.text(&LEFTOVERS) == "remove",
            ..SuiteTraits::default()
        }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        match Proof::from_context(context) {
            Ok(proof) => proof.outline(),
            Err(why) => Outline { notes: why, ..Outline::default() },
        }
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        Proof::from_context(context).ok()?.next(done)
    }

    fn board(&self, context: &Context<'_>, done: &[StepResult], next: &Step) -> Option<Board> {
        Some(map::board(&Proof::from_context(context).ok()?, done, next))
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        finding::measure(context, done)
    }

    fn judge(&self, context: &Context<'_>, measurements: &Measurements, all: &[Purpose]) -> Vec<Verdict> {
        let mut verdicts = purposes::judge(all, measurements);
        // The capacity comes from a step only if it differs from the claim.
        let real = measurements.get(&Metric::Capacity).filter(|measured| !measured.step.is_empty());
        if let (Some(real), Ok(ground)) = (real, Ground::from_context(context)) {
            let finding = Finding {
                metric: Metric::RealCapacity,
                measured: Some(real.estimate),
                limit: ground.claimed_bytes as f64,
                guards: Guards::Enough,
                required: true,
                outcome: FindingOutcome::Fail,
                close: false,
                source: message!("limit-real-capacity"),
                doubt: None,
            };
            for verdict in &mut verdicts {
                verdict.level = Level::NotEnough;
                verdict.findings.insert(0, finding.clone());
            }
        }
        verdicts
    }

    fn claim_ids(&self) -> Vec<String> {
        vec![finding::CLAIM.to_string()]
    }

    fn claims(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Claim> {
        finding::claim(context, done).into_iter().collect()
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        speed::table(context, done).into_iter().collect()
    }
}
