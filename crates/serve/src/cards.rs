//! What the list shows of each drive, from its newest checkups. Kept for as long as they are the newest: making it reads a Report.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cardiograph_core::Report;
use cardiograph_core::report::ReportState;
use cardiograph_core::summary::RunSummary;
use cardiograph_judge::changes::{self, timelines};
use cardiograph_judge::record::RunFigures;
use cardiograph_render::doc::{self, Bar, Doc};
use cardiograph_store::{DriveSummary, Query, Store, StoreError, over_time};

/// Checkups of a drive that are looked at.
const CHECKUPS_MAX: u64 = 20;
/// Cards that are kept: some ten kilobytes each.
const KEPT_MAX: usize = 500;

/// A drive at its newest checkup.
#[derive(Debug)]
pub struct Card {
    /// The answer and what matters most.
    pub answer: Doc,
    /// The figures that people quote.
    pub figures: Vec<Bar>,
    /// Whether the drive is simulated.
    pub is_simulated: bool,
}

/// A drive, and how many checkups it has up to which.
type Key = (String, u64, String);

/// Cards that were made before.
#[derive(Debug, Default)]
pub struct Cards(Mutex<HashMap<Key, Arc<Card>>>);

impl Cards {
    /// The card of a drive.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find(&self, drive: &DriveSummary, store: &dyn Store) -> Result<Arc<Card>, StoreError> {
        let key = (drive.key.clone(), drive.checkups, drive.newest.clone());
        if let Some(known) = self.lock().get(&key) {
            return Ok(known.clone());
        }
        let query =
            Query { drive_key: Some(drive.key.clone()), limit: Some(CHECKUPS_MAX), ..Query::default() };
        let runs = store.find(&query)?;
        let Some(newest) = newest(&runs) else {
            return Err(StoreError::NoSuchDrive { key: drive.key.clone() });
        };
        let report = store.load(&newest.id)?;
        let card = Arc::new(card(&report, &runs, store)?);
        // One that still runs is saved again with other content.
        if runs.iter().all(|run| run.state != ReportState::Running) {
            let mut known = self.lock();
            if known.len() >= KEPT_MAX {
                known.clear();
            }
            known.insert(key, card.clone());
        }
        Ok(card)
    }

    /// Forgets all cards: a checkup was replaced by another with its id.
    pub fn forget(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Card>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The checkup that speaks for a drive: the newest that ended, else the newest.
pub fn newest(runs: &[RunSummary]) -> Option<&RunSummary> {
    runs.iter().find(|run| run.state == ReportState::Finished).or(runs.first())
}

/// A card from a drive's newest checkup, and the list of its checkups, newest first.
fn card(report: &Report, runs: &[RunSummary], store: &dyn Store) -> Result<Card, StoreError> {
    let groups = over_time::groups(runs);
    let group = groups.iter().find(|group| group[0].id == report.id.as_str());
    let figures = match group {
        Some(group) if group.len() > 1 => over_time::figures(group, group.len(), store)?,
        _ => vec![RunFigures::from_report(report)],
    };
    let changes = match figures.split_last() {
        Some((latest, earlier)) if over_time::can_change(report, &latest.run) => {
            changes::changes(earlier, latest)
        }
        _ => Vec::new(),
    };
    let (answer, figures) = doc::drive_card(report, &timelines(&figures), &changes);
    Ok(Card { answer, figures, is_simulated: report.drive.simulated })
}

/// The card of a simulated example.
pub fn example(report: &Report) -> Card {
    let (answer, figures) = doc::drive_card(report, &[], &[]);
    Card { answer, figures, is_simulated: true }
}
