//! Events of the server, as a stream that browsers resume (SSE).
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use tokio::sync::watch;

use crate::feed::look::{self, Listening};
use crate::live::{Running, Sent};
use crate::pages::problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Silence after which a comment shows that the connection lives: proxies end silent ones.
const ALIVE: Duration = Duration::from_secs(15);

/// How often the token of a stream's reader is looked at.
const TOKEN_EACH: Duration = Duration::from_secs(10);

/// Sends what is saved from now on; who names the last event that it had gets those since, or `reset`, and has to look at
/// everything again.
pub async fn saved(State(server): State<Arc<Server>>, visitor: Visitor, headers: HeaderMap) -> Response {
    let listening = look::listen(&server).await;
    let changes = listening.feed().watch();
    let last = last_id(&headers).unwrap_or_else(|| listening.feed().last());
    stream_of(&server, &visitor, Reading { source: listening, changes, waiting: VecDeque::new(), last })
}

fn last_id(headers: &HeaderMap) -> Option<u64> {
    headers.get("last-event-id")?.to_str().ok()?.parse().ok()
}

/// A stream that ends when the token of its reader does, and is counted while it is open.
fn stream_of<S: Source>(server: &Arc<Server>, visitor: &Visitor, reading: Reading<S>) -> Response {
    let language = visitor.language;
    let events = stream::unfold(reading, move |reading| async move {
        let (sent, reading) = reading.next().await?;
        let event = Event::default().id(sent.number.to_string()).event(sent.kind);
        Some((event.data(sent.json(language)), reading))
    });
    let token = visitor.person.as_ref().and_then(|person| person.token);
    let (asked, counted) = (server.clone(), Counted::new(server));
    let ended = async move {
        match token {
            Some(token) => {
                while asked.owner(token).await.is_ok_and(|owner| owner.is_some()) {
                    tokio::time::sleep(TOKEN_EACH).await;
                }
            }
            None => std::future::pending().await,
        }
    };
    let events = events.take_until(Box::pin(ended)).map(move |event| {
        let _ = &counted;
        Ok::<_, Infallible>(event)
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

/// A stream that is open.
struct Counted(Arc<Server>);

impl Counted {
    fn new(server: &Arc<Server>) -> Self {
        server.counts.streams.fetch_add(1, Ordering::Relaxed);
        Self(server.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.counts.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Where events come from.
trait Source: Send + Sync + 'static {
    /// The events after one, oldest first, and whether there will be no more.
    fn newer(&self, than: u64) -> (Vec<Arc<Sent>>, bool);
}

impl Source for Arc<Running> {
    fn newer(&self, than: u64) -> (Vec<Arc<Sent>>, bool) {
        self.log.after(than)
    }
}

impl Source for Listening {
    fn newer(&self, than: u64) -> (Vec<Arc<Sent>>, bool) {
        let feed = self.feed();
        let reset = || vec![Arc::new(Sent::new(feed.last(), "reset", serde_json::json!({})))];
        (feed.after(than).unwrap_or_else(reset), false)
    }
}

/// The events that one reader has not had.
struct Reading<S> {
    source: S,
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
    let last = last_id(&headers).unwrap_or(0);
    let changes = running.log.watch();
    stream_of(&server, &visitor, Reading { source: running, changes, waiting: VecDeque::new(), last })
}

impl<S: Source> Reading<S> {
    /// Waits for the next event; `None` after the last.
    async fn next(mut self) -> Option<(Arc<Sent>, Self)> {
        loop {
            if let Some(sent) = self.waiting.pop_front() {
                self.last = sent.number;
                return Some((sent, self));
            }
            // Marked as seen before looking: what happens in between is not missed.
            self.changes.borrow_and_update();
            let (newer, is_ended) = self.source.newer(self.last);
            self.waiting.extend(newer);
            if self.waiting.is_empty() && (is_ended || self.changes.changed().await.is_err()) {
                return None;
            }
        }
    }
}
