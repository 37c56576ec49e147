//! What others save into the same store: looked for while somebody listens.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{ARRIVALS_MAX, Feed, LOOK_BACK};
use crate::server::Server;

/// How often the store is looked at while somebody listens.
const LOOK_EACH: Duration = Duration::from_secs(2);

/// Somebody who listens.
pub struct Listening(Arc<Feed>);

impl Listening {
    /// What is listened to.
    pub fn feed(&self) -> &Feed {
        &self.0
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Begins to look at the store as long as somebody listens.
pub async fn listen(server: &Arc<Server>) -> Listening {
    let feed = server.feed.clone();
    feed.listeners.fetch_add(1, Ordering::Relaxed);
    let listening = Listening(feed.clone());
    let is_first = !std::mem::replace(&mut feed.lock().is_looking, true);
    if is_first {
        // At once: what is saved from now on is new.
        look(server).await;
        tokio::spawn(keep_looking(Arc::downgrade(server)));
    }
    listening
}

async fn look(server: &Arc<Server>) {
    let after = server.feed.next_look();
    // The first look learns what is there; a store that is away is looked at again.
    if let Ok(mut arrivals) = server.ask(move |store| store.arrivals(after, ARRIVALS_MAX + LOOK_BACK)).await {
        if after.is_none()
            && let Some(last) = arrivals.last().map(|last| last.number)
            && let Ok(before) =
                server.ask(move |store| store.arrivals(Some(last.saturating_sub(LOOK_BACK)), LOOK_BACK)).await
        {
            arrivals = before;
        }
        server.feed.arrived(&arrivals);
    }
}

async fn keep_looking(server: Weak<Server>) {
    loop {
        tokio::time::sleep(LOOK_EACH).await;
        let Some(server) = server.upgrade() else { return };
        {
            let mut kept = server.feed.lock();
            if server.feed.listeners.load(Ordering::Relaxed) == 0 {
                kept.is_looking = false;
                return;
            }
        }
        look(&server).await;
    }
}
