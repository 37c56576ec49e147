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

/// What a look at it gives: a warning where it is there, or why it could not be looked for.
type Found = Result<Option<Warning>, &'static str>;

/// Looks for a trap.
type Look = fn(&Evidence<'_>) -> Found;

/// All traps, those first that spoil most: the name of each, what is looked for in a few words, and the function that looks.
const TRAPS: &[(&str, &str, Look)] = &[
    ("bypassed", "fewer bytes at the drive than were asked for, by the kernel's count", bypassed::look),
    ("above_link", "more bytes a second than the link to the drive carries", above_link::look),
    ("paused", "the program stopped, frozen or suspended while it measured", paused::look),
    ("fast_flush", "flushes that return before flash can have stored anything", fast_flush::look),
    ("new_errors", "errors that the drive counted while it was measured", new_errors::look),
    ("file_system_cache", "a file system that does not hand I/O through to a drive", file_system_cache::look),
    ("layers", "encryption, RAID, volumes or files between file system and drive", layers::look),
    ("no_barriers", "a file system that was told not to flush the drive's cache", no_barriers::look),
    ("copy_on_write", "a file system that never overwrites, or compresses", copy_on_write::look),
    (
        "prepared_data",
        "content that repeats or compresses, which some drives store at less cost",
        prepared_data::look,
    ),
    ("controller_cache", "a RAID controller that answers from its own cache", controller_cache::look),
    ("harness", "the program or its processors at their limit, and not the drive", harness::look),
    ("io_limits", "limits of control groups to the I/O of this process", io_limits::look),
    ("background_load", "other programs, a resync or the kernel at work on the drive", background_load::look),
    ("swapping", "swap on the drive, or memory that is swapped meanwhile", swapping::look),
    ("pi_throttling", "a Raspberry Pi that is slowed down by heat or a weak supply", pi_throttling::look),
    ("hot", "a drive at the temperature at which it slows down", hot::look),
    ("link_limit", "figures at the ceiling of the link between host and drive", link_limit::look),
    ("reduced_link", "a link slower than drive and host could make it", reduced_link::look),
    ("card_bus_mode", "an SD card in a slower bus mode than it knows", card_bus_mode::look),
    ("card_reader", "a card in a reader on USB, which may be what limits", card_reader::look),
    ("usb_driver", "a bridge to USB that takes one command at a time", usb_driver::look),
    (
        "boot_settings",
        "an overclocked card slot or an uncertified PCIe generation on a Raspberry Pi",
        boot_settings::look,
    ),
    ("command_queue", "an A2 card on a host that does not use its command queue", command_queue::look),
    ("cache_cliff", "writing that slows down when the drive's cache is full", cache_cliff::look),
    ("open_units", "writing at several places at once that becomes slow", open_units::look),
    ("failing", "a drive that judges itself unfit, or loses sectors", failing::look),
    ("worn", "a drive at the end of its rated life", worn::look),
    ("nearly_full", "a file system that is nearly full", nearly_full::look),
    (
        "misaligned",
        "partitions or volumes that begin within a unit in which the drive erases or spreads",
        misaligned::look,
    ),
    ("skimpy", "a card that claims less than the capacity its label must have", skimpy::look),
    ("zones", "a drive that is written in zones (SMR or ZNS), as far as it says so", zones::look),
    ("shingled", "a hard disk that hides that its tracks overlap (drive-managed SMR)", shingled::look),
    ("discard", "flash that cannot be told which blocks are free (no TRIM)", discard::look),
    ("virtual_disk", "a disk that a host or a cloud provides", virtual_disk::look),
    ("turning_virtual", "a drive that calls itself rotational and is none", turning_virtual::look),
    ("volatile_cache", "a cache that can lose what was acknowledged", volatile_cache::look),
    ("emulated_blocks", "blocks smaller than the drive's own (512e)", emulated_blocks::look),
    ("slow_cores", "slow processors among fast ones, with the drive's interrupts on them", slow_cores::look),
    ("cpu_governor", "a processor that is allowed to slow down", cpu_governor::look),
    ("idle_states", "a processor that wakes up slowly for each I/O of a queue of one", idle_states::look),
    (
        "queue_settings",
        "a scheduler or settings of the kernel's queue that change figures",
        queue_settings::look,
    ),
    ("small_sample", "figures that rest on a handful of I/Os", small_sample::look),
    ("own_wear", "a checkup that takes a noticeable share of the drive's rated life", own_wear::look),
];

/// Looks for all traps. A simulated drive has none but those that its figures show.
pub fn panel(evidence: &Evidence<'_>) -> Vec<TrapCheck> {
    let check = |&(name, title, look): &(&str, &str, Look)| TrapCheck {
        trap: name.to_string(),
        title: title.to_string(),
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
        let names: BTreeSet<&str> = TRAPS.iter().map(|&(name, ..)| name).collect();
        assert_eq!(names.len(), TRAPS.len());
        let is_word = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        assert!(TRAPS.iter().all(|(name, title, _)| is_word(name) && !title.ends_with('.')));
    }

    #[test]
    fn each_trap_has_a_file_of_its_name() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/trust");
        let files: BTreeSet<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .filter(|name| name != "bench")
            .collect();
        assert_eq!(files, TRAPS.iter().map(|(name, ..)| name.to_string()).collect());
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
