//! Verification in a worker: sealing writes, checking reads.

use std::io;

use cardiograph_core::rng::derive_seed;
use cardiograph_core::verify::Verify;
use cardiograph_core::workload::Content;
use cardiograph_core::{Direction, FileUse, Workload};

use super::checks::Checks;
use super::read_back::ReadBack;
use crate::buffers::Arena;
use crate::clock::Clock;
use crate::content::{ContentSeeds, Filler};
use crate::verify::{BlockForm, Checker, Sealer, tag_of};

/// Verification in a worker: sealing writes, checking reads.
pub(super) struct Checking {
    pub sealer: Option<Box<Sealer>>,
    pub checker: Option<Checker>,
    /// Whether reads are compared.
    pub is_comparing: bool,
    pub read_back: Option<Box<ReadBack>>,
    /// Verification between writes.
    pub backlog: Option<Box<Checks>>,
    /// Number of the write that each slot holds or reads back.
    pub numbers: Box<[u64]>,
    /// Maximum number of writes issued while one write was in flight, including itself.
    pub issued_meanwhile_max: u64,
    pub before_read_back: Option<Box<dyn FnMut() -> io::Result<()>>>,
}

impl Checking {
    /// The verification of a workload, with this block form.
    pub fn new(
        workload: &Workload,
        form: impl Fn(&Verify) -> BlockForm,
        shares_files: bool,
        depth: u32,
    ) -> Self {
        let (verify, writes) = (workload.verify.as_ref(), workload.uses(Direction::Write));
        let sealer = verify.filter(|_| writes).map(|verify| Box::new(Sealer::new(form(verify))));
        let checker = verify.filter(|verify| !writes || verify.read_back);
        let checker = checker.map(|verify| Checker::new(form(verify), shares_files));
        let backlog = verify.and_then(|verify| verify.backlog);
        let backlog = backlog.filter(|_| sealer.is_some() && checker.is_some());
        let numbers = vec![0; if checker.is_some() { depth as usize } else { 0 }];
        Self {
            sealer,
            is_comparing: checker.is_some() && !writes,
            checker,
            read_back: None,
            backlog: backlog.map(|backlog| Box::new(Checks::new(backlog))),
            numbers: numbers.into_boxed_slice(),
            issued_meanwhile_max: 0,
            before_read_back: None,
        }
    }

    /// Creates the filler. `seeds` are those of the worker and of the run; `depth` is the number of slots.
    pub fn filler(
        &self,
        workload: &Workload,
        files: &[FileUse],
        buffers: &Arena,
        clock: &Clock,
        (seed, run_seed, depth): (u64, u64, u32),
    ) -> Filler {
        // Content derives from the run's seed: it must differ between runs, even if offsets repeat.
        let content_seed = derive_seed(seed ^ run_seed, 2);
        // Sealed content derives from its header: the sealer sets the stamps.
        let (content, content_seed) = match (&self.sealer, &workload.content) {
            (Some(_), Content::Stamped | Content::Repeated) => (&Content::Repeated, tag_of(run_seed)),
            // Without verification a simulated drive keeps only the stamps.
            (None, Content::Refilled) if clock.is_simulated() => (&Content::Stamped, content_seed),
            (_, content) => (content, content_seed),
        };
        let seeds = ContentSeeds { own: content_seed, shared: run_seed };
        let filled_slots = if workload.uses(Direction::Write) { depth as usize } else { 0 };
        let files_len_bytes = files.iter().map(|file| file.region_len_bytes).fold(0, u64::saturating_add);
        let keeps_stamps_alone = clock.is_simulated() && self.sealer.is_none();
        let mut filler =
            Filler::new(buffers, content, seeds, filled_slots, files_len_bytes, keeps_stamps_alone);
        if self.sealer.is_some()
            && workload.verify.as_ref().is_some_and(|verify| verify.header_offset_bytes > 0)
        {
            // A header that is swapped with a part of the pattern leaves a copy in the slot.
            filler.refill_pattern();
        }
        filler
    }
}
