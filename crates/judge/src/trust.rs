//! The trust panel: what can spoil a figure, looked for one by one.
//!
//! Each trap is a file: what it is, how it shows, what it means. It sees only what has been read and measured, and answers
//! present, absent or not seen; so the same Report gives the same panel, wherever it is looked at. A trap is told with its
//! numbers, and with what can be done.
//!
//! Adding one is a file here and a line in `TRAPS`.

use cardiograph_core::card::{Card, SdCard};
use cardiograph_core::drive::{
    Drive, DriveHealth, Environment, Health, Host, Leaf, LeafKind, Mount, RaspberryPi,
};
use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::trust::{Standing, TrapCheck, TrapOutcome, Warning, Weight};

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
mod turning_virtual;
mod usb_driver;
mod virtual_disk;
mod volatile_cache;
mod worn;
mod zones;

#[cfg(test)]
mod bench;

/// Everything that traps are looked for in.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What stands under the path.
    pub drive: &'a Drive,
    /// The machine.
    pub host: &'a Host,
    /// The surroundings.
    pub environment: &'a Environment,
    /// What was measured; nothing when only the drive is looked at.
    pub steps: &'a [StepResult],
    /// How the drives said they were after the last step.
    pub health_after: &'a [DriveHealth],
}

/// A trap, and how it is looked for.
struct Trap {
    /// Its name.
    name: &'static str,
    /// What is looked for, in a few words.
    title: &'static str,
    look: fn(&Evidence<'_>) -> Found,
}

/// What a look at it gives: a warning where it is there, or why it could not be looked for.
type Found = Result<Option<Warning>, &'static str>;

/// All traps, those first that spoil most.
const TRAPS: &[Trap] = &[
    bypassed::TRAP,
    above_link::TRAP,
    paused::TRAP,
    fast_flush::TRAP,
    new_errors::TRAP,
    file_system_cache::TRAP,
    layers::TRAP,
    no_barriers::TRAP,
    copy_on_write::TRAP,
    prepared_data::TRAP,
    controller_cache::TRAP,
    harness::TRAP,
    io_limits::TRAP,
    background_load::TRAP,
    swapping::TRAP,
    pi_throttling::TRAP,
    hot::TRAP,
    link_limit::TRAP,
    reduced_link::TRAP,
    card_bus_mode::TRAP,
    card_reader::TRAP,
    usb_driver::TRAP,
    boot_settings::TRAP,
    command_queue::TRAP,
    cache_cliff::TRAP,
    open_units::TRAP,
    failing::TRAP,
    worn::TRAP,
    nearly_full::TRAP,
    misaligned::TRAP,
    skimpy::TRAP,
    zones::TRAP,
    shingled::TRAP,
    discard::TRAP,
    virtual_disk::TRAP,
    turning_virtual::TRAP,
    volatile_cache::TRAP,
    emulated_blocks::TRAP,
    slow_cores::TRAP,
    cpu_governor::TRAP,
    idle_states::TRAP,
    queue_settings::TRAP,
    small_sample::TRAP,
    own_wear::TRAP,
];

/// Looks for all traps. A simulated drive has none but those that its figures show.
pub fn panel(evidence: &Evidence<'_>) -> Vec<TrapCheck> {
    let check = |trap: &Trap| TrapCheck {
        trap: trap.name.to_string(),
        title: trap.title.to_string(),
        outcome: trap.outcome(evidence),
    };
    TRAPS.iter().map(check).collect()
}

impl Trap {
    const fn new(name: &'static str, title: &'static str, look: fn(&Evidence<'_>) -> Found) -> Self {
        Self { name, title, look }
    }

    fn outcome(&self, evidence: &Evidence<'_>) -> TrapOutcome {
        match (self.look)(evidence) {
            Ok(Some(warning)) => TrapOutcome::Present(warning),
            Ok(None) => TrapOutcome::Absent,
            Err(why) => TrapOutcome::not_seen(why),
        }
    }
}

impl<'a> Evidence<'a> {
    /// The steps whose figures are shown.
    fn measured(&self) -> impl Iterator<Item = &'a StepResult> + use<'a> {
        self.steps.iter().filter(|step| step.step.role == StepRole::Measure && step.figures.is_some())
    }

    fn check_measured(&self) -> Result<(), &'static str> {
        self.measured().next().map(drop).ok_or("nothing was measured")
    }

    /// The titles of those measured steps that are so; `None` where none is.
    fn in_steps(&self, is_so: impl Fn(&StepResult) -> bool) -> Option<String> {
        let mut steps = self.measured().filter(|step| is_so(step)).peekable();
        steps.peek().is_some().then(|| titles(steps))
    }

    /// The titles of those with a figure of which something is known that is so.
    fn in_steps_of(&self, is_so: impl Fn(&Standing) -> bool) -> Option<String> {
        self.in_steps(|step| step.standings.iter().any(&is_so))
    }

    /// How a drive said it was after the last step.
    fn health_after(&self, leaf: &Leaf) -> Option<&'a Health> {
        self.health_after.iter().find(|after| after.drive == leaf.name).map(|after| &after.health)
    }

    /// What a drive counted from before the first step to after the last.
    fn health_change(&self, leaf: &Leaf) -> Option<Health> {
        Some(self.health_after(leaf)?.since(leaf.health.as_ref()?))
    }

    fn leaves(&self) -> Result<&'a [Leaf], &'static str> {
        let leaves = &self.drive.leaves[..];
        leaves.first().map(|_| leaves).ok_or("no drive can be seen under the path")
    }

    fn leaf_of_kind(&self, kind: LeafKind) -> Option<&'a Leaf> {
        self.drive.leaves.iter().find(|leaf| leaf.kind == kind)
    }

    /// What a question about each drive gives: the first that has the trap decides; where none has, it is absent if all could
    /// be asked.
    fn of_leaves(&self, unknown: &'static str, ask: impl Fn(&Leaf) -> Option<Option<Warning>>) -> Found {
        let found: Vec<Option<Option<Warning>>> = self.leaves()?.iter().map(ask).collect();
        match found.iter().flatten().flatten().next() {
            None if found.contains(&None) => Err(unknown),
            warning => Ok(warning.cloned()),
        }
    }

    /// The first SD card, with the drive that it is.
    fn sd_card(&self) -> Result<Option<(&'a Leaf, &'a SdCard)>, &'static str> {
        Ok(self.leaves()?.iter().find_map(|leaf| match &leaf.card {
            Some(Card::Sd(card)) => Some((leaf, card)),
            _ => None,
        }))
    }

    fn mount(&self) -> Result<&'a Mount, &'static str> {
        self.drive.mount.as_ref().ok_or("no file system was asked for")
    }

    /// What the links to the drives carry together.
    fn ceiling_bytes_per_s(&self) -> Result<u64, &'static str> {
        standing::ceiling_bytes_per_s(self.drive).ok_or("the speed of the link is not known")
    }

    fn check_host(&self) -> Result<(), &'static str> {
        self.host.kernel.as_ref().map(drop).ok_or("the machine is not known")
    }

    fn raspberry_pi(&self) -> Result<Option<&'a RaspberryPi>, &'static str> {
        self.check_host().map(|()| self.host.raspberry_pi.as_ref())
    }
}

/// Titles of steps as they are named in a sentence.
fn titles<'a>(steps: impl Iterator<Item = &'a StepResult>) -> String {
    steps.map(|step| step.step.title.as_str()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn traps_have_names_of_their_own() {
        let names: BTreeSet<&str> = TRAPS.iter().map(|trap| trap.name).collect();
        assert_eq!(names.len(), TRAPS.len());
        let is_word = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        assert!(TRAPS.iter().all(|trap| is_word(trap.name) && !trap.title.ends_with('.')));
    }

    #[test]
    fn each_trap_has_a_file_of_its_name() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/trust");
        let files: BTreeSet<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .filter(|name| name != "bench")
            .collect();
        assert_eq!(files, TRAPS.iter().map(|trap| trap.name.to_string()).collect());
    }

    #[test]
    fn nothing_is_claimed_of_what_is_not_known() {
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
