//! What was saved, for pages that are open: by this server, and, while somebody listens, by others into the same store.

pub mod look;

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cardiograph_store::Arrival;
use serde_json::json;
use tokio::sync::watch;

use crate::live::Sent;

/// Events that are kept for who was away for a moment.
const KEPT_MAX: usize = 1_000;
/// Numbers looked back: in PostgreSQL, a lower number may be seen later than a higher one.
const LOOK_BACK: u64 = 64;
/// Arrivals of one look: an import of more is one `reset`.
const ARRIVALS_MAX: u64 = 200;

/// The events `saved` of a server, numbered from the time of its start, so that those of an earlier one have lower numbers.
#[derive(Default)]
pub struct Feed {
    kept: Mutex<Kept>,
    latest: watch::Sender<u64>,
    listeners: AtomicUsize,
}

#[derive(Default)]
struct Kept {
    events: VecDeque<Arc<Sent>>,
    last: u64,
    /// The number of the last arrival in the store; `None` before the first look.
    arrived: Option<u64>,
    /// Ids whose first save was reported.
    known: Recent,
    is_looking: bool,
}

/// The latest ids.
#[derive(Default)]
struct Recent {
    order: VecDeque<String>,
    ids: HashSet<String>,
}

impl Recent {
    /// Adds an id; `false` if it was there.
    fn add(&mut self, id: &str) -> bool {
        if !self.ids.insert(id.to_string()) {
            return false;
        }
        self.order.push_back(id.to_string());
        if self.order.len() > KEPT_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
        true
    }
}

impl Feed {
    /// A feed whose events have numbers above `number`.
    pub fn starting_at(number: u64) -> Self {
        let feed = Self::default();
        feed.lock().last = number;
        feed.latest.send_replace(number);
        feed
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the last event.
    pub fn last(&self) -> u64 {
        self.lock().last
    }

    /// The events after one; `None` if some of them are forgotten.
    pub fn after(&self, number: u64) -> Option<Vec<Arc<Sent>>> {
        let kept = self.lock();
        let oldest = kept.events.front().map_or(kept.last + 1, |event| event.number);
        let is_known = number <= kept.last && number + 1 >= oldest;
        is_known.then(|| kept.events.iter().filter(|event| event.number > number).cloned().collect())
    }

    /// Changes with each event.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.latest.subscribe()
    }

    /// This server saved a checkup.
    pub fn saved(&self, id: &str, drive: &str) {
        let mut kept = self.lock();
        kept.known.add(id);
        self.add(&mut kept, "saved", &json!({ "id": id, "drive": drive }));
    }

    fn add(&self, kept: &mut Kept, kind: &'static str, value: &serde_json::Value) {
        kept.last += 1;
        kept.events.push_back(Arc::new(Sent::new(kept.last, kind, value.clone())));
        if kept.events.len() > KEPT_MAX {
            kept.events.pop_front();
        }
        self.latest.send_replace(kept.last);
    }

    /// What others saved since the last look.
    fn arrived(&self, arrivals: &[Arrival]) {
        let mut kept = self.lock();
        let is_first = kept.arrived.is_none();
        let last = arrivals.last().map(|arrival| arrival.number);
        kept.arrived = kept.arrived.max(last).or(Some(0));
        // Before the first look, nobody waited for what was there.
        let fresh: Vec<_> =
            arrivals.iter().filter(|arrival| kept.known.add(&arrival.id) && !is_first).collect();
        if fresh.len() as u64 >= ARRIVALS_MAX {
            return self.add(&mut kept, "reset", &json!({}));
        }
        for Arrival { id, drive, .. } in fresh {
            self.add(&mut kept, "saved", &json!({ "id": id, "drive": drive }));
        }
    }

    /// What to ask the store: arrivals after this number.
    fn next_look(&self) -> Option<u64> {
        self.lock().arrived.map(|arrived| arrived.saturating_sub(LOOK_BACK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(number: u64, id: &str) -> Arrival {
        Arrival { number, id: id.to_string(), drive: "d".to_string() }
    }

    fn ids_after(feed: &Feed, number: u64) -> Option<Vec<String>> {
        let text = |sent: &Arc<Sent>| sent.json(cardiograph_catalogue::Language::EN).to_string();
        let id = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap()["id"].to_string();
        Some(feed.after(number)?.iter().map(|sent| id(text(sent)).replace('"', "")).collect())
    }

    #[test]
    fn each_checkup_arrives_once() {
        let feed = Feed::starting_at(100);
        assert_eq!((feed.last(), ids_after(&feed, 100)), (100, Some(vec![])));
        feed.arrived(&[arrival(7, "old")]);
        assert_eq!(feed.last(), 100, "what was there before is not new");
        feed.saved("ours", "d");
        feed.arrived(&[arrival(7, "old"), arrival(9, "ours"), arrival(10, "theirs")]);
        // A lower number that is seen later.
        feed.arrived(&[arrival(8, "late"), arrival(9, "ours"), arrival(10, "theirs")]);
        assert_eq!(ids_after(&feed, 100).unwrap(), ["ours", "theirs", "late"]);
        assert_eq!(ids_after(&feed, 102).unwrap(), ["late"]);
        assert_eq!(feed.next_look(), Some(0));
    }

    #[test]
    fn who_was_away_too_long_is_told_so() {
        let feed = Feed::starting_at(100);
        (0..=KEPT_MAX).for_each(|number| feed.saved(&number.to_string(), "d"));
        assert_eq!(ids_after(&feed, 101).map(|ids| ids.len()), Some(KEPT_MAX));
        assert_eq!(ids_after(&feed, 100), None, "the first one is forgotten");
        assert_eq!(ids_after(&feed, 5_000), None, "of another server");
    }
}
