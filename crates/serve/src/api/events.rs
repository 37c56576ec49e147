//! Events of the server, as a stream that browsers resume (SSE).
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::watch;

use crate::live::{Running, Sent};
use crate::pages::problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Silence after which a comment shows that the connection lives: proxies end silent ones.
const ALIVE: Duration = Duration::from_secs(15);

/// The events of one checkup that one reader has not had.
struct Reading {
    running: Arc<Running>,
    changes: watch::Receiver<u64>,
    waiting: VecDeque<Arc<Sent>>,
    last: u64,
}

/// Sends the events of a checkup: those after `Last-Event-ID`, else all that are known; then each as it happens.
pub async fn live(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let running = match server.live.find(&id) {
        Ok(running) => running,
        Err(refused) => return problem(&refused, &visitor),
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok()).unwrap_or(0);
    let changes = running.log.watch();
    let reading = Reading { running, changes, waiting: VecDeque::new(), last };
    let language = visitor.language;
    let events = stream::unfold(reading, move |reading| async move {
        let (sent, reading) = reading.next().await?;
        let event = Event::default().id(sent.number.to_string()).event(sent.kind).data(sent.json(language));
        Some((Ok::<_, Infallible>(event), reading))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

impl Reading {
    /// Waits for the next event; `None` after the last.
    async fn next(mut self) -> Option<(Arc<Sent>, Self)> {
        loop {
            if let Some(sent) = self.waiting.pop_front() {
                self.last = sent.number;
                return Some((sent, self));
            }
            // Marked as seen before looking: what happens in between is not missed.
            self.changes.borrow_and_update();
            let (newer, is_ended) = self.running.log.after(self.last);
            self.waiting.extend(newer);
            if self.waiting.is_empty() && (is_ended || self.changes.changed().await.is_err()) {
                return None;
            }
        }
    }
}
