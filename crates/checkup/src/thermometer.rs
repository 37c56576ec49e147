//! The drives' temperature while a step runs.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use cardiograph_core::NS_PER_S;
use cardiograph_core::drive::{Drive, Leaf, LeafKind, Temperature};
use cardiograph_drive::System;

use crate::sink::{Event, Sink};

/// Time between two readings, in nanoseconds.
const EVERY_NS: u64 = 5 * NS_PER_S;

/// Reads temperatures on another thread, because a hanging drive does not answer, until it is dropped.
#[derive(Debug)]
pub struct Thermometer {
    readings: Receiver<Temperature>,
    _end: Sender<()>,
}

impl Thermometer {
    /// For the drives that can be asked during I/O: NVMe drives answer from their memory, where a SATA drive first
    /// completes all queued requests. `None` without any.
    pub fn start(system: &System, drive: &Drive) -> Option<Self> {
        let is_nvme = |leaf: &&Leaf| leaf.kind == LeafKind::Nvme;
        let leaves: Vec<Leaf> = drive.leaves.iter().filter(is_nvme).cloned().collect();
        let ((sender, readings), (_end, ends), system) = (channel(), channel(), system.clone());
        let read = move || {
            let mut is_heard = true;
            while is_heard {
                let now = system.temperatures(&leaves);
                is_heard = !now.is_empty() && now.into_iter().all(|reading| sender.send(reading).is_ok());
                let waited = ends.recv_timeout(Duration::from_nanos(EVERY_NS));
                is_heard &= waited == Err(RecvTimeoutError::Timeout);
            }
        };
        std::thread::Builder::new().spawn(read).ok()?;
        Some(Self { readings, _end })
    }

    /// Reports new readings.
    pub fn report(&self, sink: &dyn Sink) {
        self.readings.try_iter().for_each(|reading| sink.event(Event::Temperature(reading)));
    }
}
