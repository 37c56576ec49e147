//! Takes Reports of senders.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cardiograph_core::message;
use cardiograph_store::Saved;
use serde::Serialize;

use crate::intake::Sent;
use crate::pages::{encoded, problem};
use crate::problem::Problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Whose token it is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Me {
    name: Option<String>,
    /// `viewer`, `sender`, `operator` or `admin`.
    role: Option<&'static str>,
    /// The server's program version.
    version: &'static str,
}

/// What became of a Report that was sent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Taken {
    /// Its id.
    id: String,
    /// `new`, `same` or `replaced`.
    saved: &'static str,
    /// The path of its page.
    page: String,
}

/// Says whose token it is.
pub async fn me(visitor: Visitor) -> Response {
    let role = visitor.role().map(|role| role.name());
    let name = visitor.person.map(|person| person.name);
    Json(Me { name, role, version: env!("CARGO_PKG_VERSION") }).into_response()
}

/// Saves a Report that somebody sends. The answer comes when it is on disk.
pub async fn take(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match taken(&server, &visitor, &headers, body).await {
        Ok((status, answer)) => (status, Json(answer)).into_response(),
        Err(refused) => problem(&refused, &visitor),
    }
}

async fn taken(
    server: &Arc<Server>,
    visitor: &Visitor,
    headers: &HeaderMap,
    body: Body,
) -> Result<(StatusCode, Taken), Problem> {
    let who = visitor.who().to_string();
    server.intake.admit(&who, Instant::now())?;
    let is_packed = is_packed(headers)?;
    let mut received = server.intake.receive(body).await?;
    let sent = Sent::new(std::mem::take(&mut received.bytes), is_packed)?;
    let turn = server.intake.turn(sent.len_bytes()).await;
    let saved = server
        .work(move |store| {
            let report = sent.report()?;
            let saved = store.access().save_from(&report, &who)?;
            let drive = store.drive_of(&report.id)?.unwrap_or_default();
            Ok((report.id, drive, saved))
        })
        .await;
    drop((turn, received));
    let (id, drive, saved) = saved?;
    if saved == Saved::Replaced {
        server.cards.forget();
    }
    if saved != Saved::Same {
        server.counts.accepted.fetch_add(1, Ordering::Relaxed);
        server.feed.saved(&id, &drive);
    }
    let (status, saved) = match saved {
        Saved::New => (StatusCode::CREATED, "new"),
        Saved::Same => (StatusCode::OK, "same"),
        Saved::Replaced => (StatusCode::OK, "replaced"),
    };
    let page = format!("/checkups/{}", encoded(&id));
    Ok((status, Taken { id, saved, page }))
}

/// Whether a body is packed.
///
/// # Errors
/// When it is packed otherwise, or not JSON by its own account.
fn is_packed(headers: &HeaderMap) -> Result<bool, Problem> {
    let text = |name| headers.get(name).map_or(Ok(""), |value| value.to_str().map_err(|_| ()));
    let kind = text(header::CONTENT_TYPE).unwrap_or("?");
    if !kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message!("serve-not-json", kind)));
    }
    match text(header::CONTENT_ENCODING).unwrap_or("?") {
        "" | "identity" => Ok(false),
        "gzip" => Ok(true),
        encoding => {
            let problem = message!("serve-not-packed", encoding);
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, problem))
        }
    }
}
