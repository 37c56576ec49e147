//! What the list shows of each drive, from its newest checkups. Kept for as long as they are the newest, in memory and in the
//! store: making it reads a Report.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cardiograph_core::Report;
use cardiograph_core::report::ReportState;
use cardiograph_core::summary::RunSummary;
use cardiograph_judge::changes::{self, timelines};
use cardiograph_judge::record::RunFigures;
use cardiograph_render::doc::{self, DriveCard};
use cardiograph_store::{DriveSummary, KeptCard, Query, Store, StoreError, over_time};

/// Checkups of a drive that are looked at.
const CHECKUPS_MAX: u64 = 20;
/// Cards that are kept in memory: some ten kilobytes each.
const KEPT_MAX: usize = 500;

/// A drive, and what its card was made of.
type Key = (String, String);

/// Cards that were made before.
#[derive(Debug, Default)]
pub struct Cards(Mutex<HashMap<Key, Arc<DriveCard>>>);

impl Cards {
    /// The cards of drives, in their order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find(
        &self,
        drives: &[DriveSummary],
        store: &dyn Store,
    ) -> Result<Vec<Arc<DriveCard>>, StoreError> {
        let mut known: HashMap<Key, Arc<DriveCard>> = {
            let kept = self.lock();
            drives.iter().map(key).filter_map(|key| Some((key.clone(), kept.get(&key)?.clone()))).collect()
        };
        let lacking: Vec<&DriveSummary> =
            drives.iter().filter(|drive| !known.contains_key(&key(drive))).collect();
        if lacking.is_empty() {
            return Ok(drives.iter().map(|drive| known[&key(drive)].clone()).collect());
        }
        let keys: Vec<&str> = lacking.iter().map(|drive| drive.key.as_str()).collect();
        let mut found: HashMap<Key, Arc<DriveCard>> = HashMap::new();
        for KeptCard { drive, made_of, json } in store.access().cards(&keys)? {
            if let Ok(card) = serde_json::from_slice(&json) {
                found.insert((drive, made_of), Arc::new(card));
            }
        }
        let mut made = Vec::new();
        for drive in lacking {
            let key = key(drive);
            if found.contains_key(&key) {
                continue;
            }
            let (card, is_final) = make(drive, store)?;
            if !is_final {
                known.insert(key, Arc::new(card));
                continue;
            }
            let json = serde_json::to_vec(&card).expect("a card is plain data");
            made.push(KeptCard { drive: key.0.clone(), made_of: key.1.clone(), json });
            found.insert(key, Arc::new(card));
        }
        if !made.is_empty() {
            // Where the store cannot be written to, they are made again.
            drop(store.access().keep_cards(&made));
        }
        known.extend(found.iter().map(|(key, card)| (key.clone(), card.clone())));
        let mut kept = self.lock();
        if kept.len() + found.len() > KEPT_MAX {
            kept.clear();
        }
        kept.extend(found);
        Ok(drives.iter().map(|drive| known[&key(drive)].clone()).collect())
    }

    /// Forgets all cards: a checkup was replaced by another with its id.
    pub fn forget(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<DriveCard>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The drive, and what its card is made of: by this program, from how many checkups up to which.
fn key(drive: &DriveSummary) -> Key {
    let DriveSummary { key, checkups, newest, .. } = drive;
    (key.clone(), format!("{} {checkups} {newest}", env!("CARGO_PKG_VERSION")))
}

/// Makes the card of a drive. `false`: a checkup still runs, and is saved again with other content.
fn make(drive: &DriveSummary, store: &dyn Store) -> Result<(DriveCard, bool), StoreError> {
    let query = Query { drive_key: Some(drive.key.clone()), limit: Some(CHECKUPS_MAX), ..Query::default() };
    let runs = store.find(&query)?;
    let Some(newest) = newest(&runs) else {
        return Err(StoreError::NoSuchDrive { key: drive.key.clone() });
    };
    let report = store.load(&newest.id)?;
    let is_final = runs.iter().all(|run| run.state != ReportState::Running);
    Ok((card(&report, &runs, store)?, is_final))
}

/// The checkup that speaks for a drive: the newest that ended, else the newest.
pub fn newest(runs: &[RunSummary]) -> Option<&RunSummary> {
    runs.iter().find(|run| run.state == ReportState::Finished).or(runs.first())
}

/// A card from a drive's newest checkup, and the list of its checkups, newest first.
fn card(report: &Report, runs: &[RunSummary], store: &dyn Store) -> Result<DriveCard, StoreError> {
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
    Ok(doc::drive_card(report, &timelines(&figures), &changes))
}
