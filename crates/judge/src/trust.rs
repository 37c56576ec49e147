//! The trust panel: checks for everything that can distort a measurement.
//!
//! Each trap is a file: what it is, how to detect it, what it means. It only uses the Report's data, and
//! returns present, absent or unknown; so the same Report gives the same panel everywhere. A trap is reported
//! with its numbers, and with a remedy.
//!
//! To add one, write a file here and add a line to `TRAPS`.

use cardiograph_core::card::{Card, SdCard};
use cardiograph_core::drive::{
    Drive, DriveHealth, Environment, Health, Host, Leaf, LeafKind, Mount, RaspberryPi,
};
use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::trust::{Standing, TrapCheck, TrapOutcome, Warning, Weight};
use cardiograph_core::{Message, Parameter, message};

use crate::standing;

mod above_link;
mod background_load;
mod boot_settings;
mod bypassed;
mod cache_cliff;
mod card_bus_mode;
mod card_reader;
mod command_queue;
mod controller_cache;
mod copy_on_write;
mod cpu_governor;
mod discard;
mod emulated_blocks;
mod failing;
mod false_rotational;
mod fast_flush;
mod file_system_cache;
mod harness;
mod hot;
mod idle_states;
mod io_limits;
mod layers;
mod link_limit;
mod misaligned;
mod nearly_full;
mod new_errors;
mod no_barriers;
mod open_units;
mod own_wear;
mod paused;
mod pi_throttling;
mod prepared_data;
mod queue_settings;
mod reduced_link;
mod shingled;
mod skimpy;
mod slow_cores;
mod small_sample;
mod swapping;
mod usb_driver;
mod virtual_disk;
mod volatile_cache;
mod worn;
mod zones;

#[cfg(test)]
mod bench;

/// Input of the checks.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The stack under the path.
    pub drive: &'a Drive,
    /// The machine.
    pub host: &'a Host,
    /// The environment.
    pub environment: &'a Environment,
    /// Measured steps; empty when only the drive is inspected.
    pub steps: &'a [StepResult],
    /// Health of the drives after the last step.
    pub health_after: &'a [DriveHealth],
}

/// Result of a check: a warning if present, or why it could not be checked.
type Found = Result<Option<Warning>, Message>;

/// Checks for a trap.
type Look = fn(&Evidence<'_>) -> Found;

/// All traps, most important first: name, description, and check.
const TRAPS: &[(&str, Message, Look)] = &[
    ("bypassed", message!("trap-bypassed"), bypassed::look),
    ("above_link", message!("trap-above-link"), above_link::look),
    ("paused", message!("trap-paused"), paused::look),
    ("fast_flush", message!("trap-fast-flush"), fast_flush::look),
    ("new_errors", message!("trap-new-errors"), new_errors::look),
    ("file_system_cache", message!("trap-file-system-cache"), file_system_cache::look),
    ("layers", message!("trap-layers"), layers::look),
    ("no_barriers", message!("trap-no-barriers"), no_barriers::look),
    ("copy_on_write", message!("trap-copy-on-write"), copy_on_write::look),
    ("prepared_data", message!("trap-prepared-data"), prepared_data::look),
    ("controller_cache", message!("trap-controller-cache"), controller_cache::look),
    ("harness", message!("trap-harness"), harness::look),
    ("io_limits", message!("trap-io-limits"), io_limits::look),
    ("background_load", message!("trap-background-load"), background_load::look),
    ("swapping", message!("trap-swapping"), swapping::look),
    ("pi_throttling", message!("trap-pi-throttling"), pi_throttling::look),
    ("hot", message!("trap-hot"), hot::look),
    ("link_limit", message!("trap-link-limit"), link_limit::look),
    ("reduced_link", message!("trap-reduced-link"), reduced_link::look),
    ("card_bus_mode", message!("trap-card-bus-mode"), card_bus_mode::look),
    ("card_reader", message!("trap-card-reader"), card_reader::look),
    ("usb_driver", message!("trap-usb-driver"), usb_driver::look),
    ("boot_settings", message!("trap-boot-settings"), boot_settings::look),
    ("command_queue", message!("trap-command-queue"), command_queue::look),
    ("cache_cliff", message!("trap-cache-cliff"), cache_cliff::look),
    ("open_units", message!("trap-open-units"), open_units::look),
    ("failing", message!("trap-failing"), failing::look),
    ("worn", message!("trap-worn"), worn::look),
    ("nearly_full", message!("trap-nearly-full"), nearly_full::look),
    ("misaligned", message!("trap-misaligned"), misaligned::look),
    ("skimpy", message!("trap-skimpy"), skimpy::look),
    ("zones", message!("trap-zones"), zones::look),
    ("shingled", message!("trap-shingled"), shingled::look),
    ("discard", message!("trap-discard"), discard::look),
    ("virtual_disk", message!("trap-virtual-disk"), virtual_disk::look),
    ("false_rotational", message!("trap-false-rotational"), false_rotational::look),
    ("volatile_cache", message!("trap-volatile-cache"), volatile_cache::look),
    ("emulated_blocks", message!("trap-emulated-blocks"), emulated_blocks::look),
    ("slow_cores", message!("trap-slow-cores"), slow_cores::look),
    ("cpu_governor", message!("trap-cpu-governor"), cpu_governor::look),
    ("idle_states", message!("trap-idle-states"), idle_states::look),
    ("queue_settings", message!("trap-queue-settings"), queue_settings::look),
    ("small_sample", message!("trap-small-sample"), small_sample::look),
    ("own_wear", message!("trap-own-wear"), own_wear::look),
];

/// The names and titles of all traps.
pub fn trap_titles() -> impl Iterator<Item = (&'static str, Message)> {
    TRAPS.iter().map(|(name, title, _)| (*name, title.clone()))
}

/// Checks for all traps. A simulated drive only has those visible in its figures.
pub fn panel(evidence: &Evidence<'_>) -> Vec<TrapCheck> {
    let check = |(name, title, look): &(&str, Message, Look)| TrapCheck {
        trap: name.to_string(),
        title: title.clone(),
        outcome: outcome(look(evidence)),
    };
    TRAPS.iter().map(check).collect()
}

fn outcome(found: Found) -> TrapOutcome {
    match found {
        Ok(Some(warning)) => TrapOutcome::Present(warning),
        Ok(None) => TrapOutcome::Absent,
        Err(why) => TrapOutcome::not_seen(why),
    }
}

impl<'a> Evidence<'a> {
    /// The steps whose figures are shown.
    fn measured(&self) -> impl Iterator<Item = &'a StepResult> + use<'a> {
        self.steps.iter().filter(|step| step.step.role == StepRole::Measure && step.figures.is_some())
    }

    fn check_measured(&self) -> Result<(), Message> {
        self.measured().next().map(drop).ok_or_else(|| message!("trap-nothing-measured"))
    }

    /// Titles of the measured steps that satisfy `is_so`; `None` if none does.
    fn in_steps(&self, is_so: impl Fn(&StepResult) -> bool) -> Option<Parameter> {
        let mut steps = self.measured().filter(|step| is_so(step)).peekable();
        steps.peek().is_some().then(|| titles(steps))
    }

    /// Titles of the steps with a standing that satisfies `is_so`.
    fn in_steps_with(&self, is_so: impl Fn(&Standing) -> bool) -> Option<Parameter> {
        self.in_steps(|step| step.standings.iter().any(&is_so))
    }

    /// Health of a drive after the last step.
    fn health_after(&self, leaf: &Leaf) -> Option<&'a Health> {
        self.health_after.iter().find(|after| after.drive == leaf.name).map(|after| &after.health)
    }

    /// Change of a drive's counters from before the first step to after the last.
    fn health_change(&self, leaf: &Leaf) -> Option<Health> {
        Some(self.health_after(leaf)?.since(leaf.health.as_ref()?))
    }

    fn leaves(&self) -> Result<&'a [Leaf], Message> {
        let leaves = &self.drive.leaves[..];
        leaves.first().map(|_| leaves).ok_or_else(|| message!("trap-no-drive"))
    }

    fn leaf_of_kind(&self, kind: LeafKind) -> Option<&'a Leaf> {
        self.drive.leaves.iter().find(|leaf| leaf.kind == kind)
    }

    /// Checks each drive: the first that has the trap decides; otherwise it is absent if all could be
    /// checked.
    fn check_leaves(&self, unknown: Message, ask: impl Fn(&Leaf) -> Option<Option<Warning>>) -> Found {
        let found: Vec<Option<Option<Warning>>> = self.leaves()?.iter().map(ask).collect();
        match found.iter().flatten().flatten().next() {
            None if found.contains(&None) => Err(unknown),
            warning => Ok(warning.cloned()),
        }
    }

    /// The first SD card, with its drive.
    fn sd_card(&self) -> Result<Option<(&'a Leaf, &'a SdCard)>, Message> {
        Ok(self.leaves()?.iter().find_map(|leaf| match &leaf.card {
            Some(Card::Sd(card)) => Some((leaf, card)),
            _ => None,
        }))
    }

    fn mount(&self) -> Result<&'a Mount, Message> {
        self.drive.mount.as_ref().ok_or_else(|| message!("trap-no-file-system"))
    }

    /// Combined ceiling of the drives' links.
    fn ceiling_bytes_per_s(&self) -> Result<u64, Message> {
        standing::ceiling_bytes_per_s(self.drive).ok_or_else(|| message!("trap-link-speed-unknown"))
    }

    fn check_host(&self) -> Result<(), Message> {
        self.host.kernel.as_ref().map(drop).ok_or_else(|| message!("trap-machine-unknown"))
    }

    fn raspberry_pi(&self) -> Result<Option<&'a RaspberryPi>, Message> {
        self.check_host().map(|()| self.host.raspberry_pi.as_ref())
    }
}

/// Titles of steps for use in a sentence.
fn titles<'a>(steps: impl Iterator<Item = &'a StepResult>) -> Parameter {
    Parameter::all(steps.map(|step| step.step.title.clone()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn traps_have_unique_names() {
        let names: BTreeSet<&str> = TRAPS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names.len(), TRAPS.len());
        let is_word = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        for (name, title, _) in TRAPS {
            assert!(
                is_word(name) && title.id() == format!("trap-{}", name.replace('_', "-")),
                "{name}: {title}"
            );
        }
    }

    #[test]
    fn each_trap_has_a_file_with_its_name() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/trust");
        let files: BTreeSet<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .filter(|name| name != "bench")
            .collect();
        assert_eq!(files, TRAPS.iter().map(|(name, ..)| name.to_string()).collect());
    }

    #[test]
    fn unknown_facts_give_no_result() {
        let evidence = Evidence {
            drive: &Drive::default(),
            host: &Host::default(),
            environment: &Environment::default(),
            steps: &[],
            health_after: &[],
        };
        for check in panel(&evidence) {
            assert!(matches!(check.outcome, TrapOutcome::NotSeen { .. }), "{check:?}");
        }
    }
}
