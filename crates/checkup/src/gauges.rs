//! Readings at the start and end of a run.

use std::cell::RefCell;

use cardiograph_core::drive::{Conditions, ConditionsOfStep, DeviceCounters, Drive};
use cardiograph_engine::Event;

use crate::checkup_target::CheckupTarget;

/// Kernel counters, temperature and voltage around a run.
#[derive(Debug, Default)]
pub struct Gauges {
    before: RefCell<Reading>,
    after: RefCell<Reading>,
}

#[derive(Debug, Default)]
struct Reading {
    counters: Option<DeviceCounters>,
    conditions: Option<Conditions>,
}

impl Gauges {
    /// Takes readings at the start and end events of a run.
    pub fn follow(&self, event: &Event, target: &CheckupTarget, drive: &Drive) {
        let reading = || Reading { counters: target.counters(drive), conditions: target.conditions(drive) };
        match event {
            Event::Started => drop(self.before.replace(reading())),
            Event::Ended => drop(self.after.replace(reading())),
            Event::WorkerEnded { .. } | Event::Progress(_) => {}
        }
    }

    /// The kernel's counters for the run.
    pub fn counted(&self) -> Option<DeviceCounters> {
        Some(self.after.borrow().counters?.since(&self.before.borrow().counters?))
    }

    /// Temperature and voltage before and after the run.
    pub fn conditions(&self) -> Option<ConditionsOfStep> {
        let before = self.before.borrow().conditions.clone()?;
        let after = self.after.borrow().conditions.clone()?;
        Some(ConditionsOfStep { before, after })
    }
}
