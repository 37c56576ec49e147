//! Lists of checkups and drives, and what removes from them.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use cardiograph_core::message;
use cardiograph_core::summary::RunSummary;
use cardiograph_store::{Deed, DriveQuery, DriveSummary, Query as CheckupQuery, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::drives::{self, ORDERS};
use crate::pages::problem;
use crate::problem::Problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Entries of a list, unless asked for another number, and at most.
const LIMIT: u64 = 100;
const LIMIT_MAX: u64 = 1_000;

/// Which checkups.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Checkups {
    label: Option<String>,
    /// A part of a model or an id.
    drive: Option<String>,
    /// The key of a drive.
    drive_key: Option<String>,
    suite: Option<String>,
    host: Option<String>,
    /// `NAME=VALUE`.
    tag: Option<String>,
    since_unix_ms: Option<u64>,
    /// The `next` of the list before.
    after: Option<String>,
    /// At most; 100 unless given, 1000 at most.
    limit: Option<u64>,
}

/// Which drives.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Drives {
    /// A part of a model, an id, the label or the host.
    text: Option<String>,
    label: Option<String>,
    host: Option<String>,
    /// `NAME=VALUE`.
    tag: Option<String>,
    /// `last_seen`, `name` or `checkups`.
    order: Option<String>,
    /// The `next` of the list before.
    after: Option<u64>,
    /// At most; 100 unless given, 1000 at most.
    limit: Option<u64>,
}

/// A list of checkups.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckupList {
    checkups: Vec<RunSummary>,
    /// What as `after` continues the list; nothing at its end.
    next: Option<String>,
}

/// A list of drives.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DriveList {
    drives: Vec<DriveSummary>,
    /// What as `after` continues the list; nothing at its end.
    next: Option<u64>,
}

fn tags(tag: Option<String>) -> Result<Vec<(String, String)>, Problem> {
    let Some(tag) = tag else { return Ok(Vec::new()) };
    let pair = tag.split_once('=').map(|(name, value)| vec![(name.to_string(), value.to_string())]);
    pair.ok_or_else(|| Problem::bad(message!("serve-not-a-setting", line = tag)))
}

/// Lists checkups, the newest first, with what continues the list.
pub async fn checkups(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(wanted): Query<Checkups>,
) -> Response {
    let found = async {
        let limit = wanted.limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX);
        let query = CheckupQuery {
            label: wanted.label,
            drive: wanted.drive,
            drive_key: wanted.drive_key,
            suite: wanted.suite,
            host: wanted.host,
            tags: tags(wanted.tag)?,
            since_unix_ms: wanted.since_unix_ms,
            after: wanted.after,
            // One more says whether there are more.
            limit: Some(limit + 1),
            ..CheckupQuery::default()
        };
        let mut runs = server.ask(move |store| store.find(&query)).await?;
        let has_more = runs.len() as u64 > limit;
        runs.truncate(limit as usize);
        let next = runs.last().filter(|_| has_more).map(|run| run.id.to_string());
        Ok(Json(CheckupList { checkups: runs, next }).into_response())
    };
    found.await.unwrap_or_else(|refused| problem(&refused, &visitor))
}

/// Lists drives, with what continues the list.
pub async fn drives(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(wanted): Query<Drives>,
) -> Response {
    let found = async {
        let limit = wanted.limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX);
        let skip = wanted.after.unwrap_or(0);
        let named =
            |order: &str| drives::order(order).ok_or_else(|| Problem::bad(message!("serve-no-order", order)));
        let order = wanted.order.as_deref().map(named).transpose()?.unwrap_or(ORDERS[0]).1;
        let query = DriveQuery {
            text: wanted.text,
            host: wanted.host,
            label: wanted.label,
            tags: tags(wanted.tag)?,
            order,
            skip,
            key: None,
            limit: Some(limit + 1),
        };
        let mut drives = server.ask(move |store| store.drives(&query)).await?;
        let has_more = drives.len() as u64 > limit;
        drives.truncate(limit as usize);
        let next = has_more.then_some(skip + limit);
        Ok(Json(DriveList { drives, next }).into_response())
    };
    found.await.unwrap_or_else(|refused| problem(&refused, &visitor))
}

/// Removes a checkup.
pub async fn remove_checkup(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Response {
    let wanted = id.clone();
    let done = server.ask(move |store| store.remove(&[&wanted])).await;
    removed(done, &server, &visitor, (Deed::CheckupRemoved, &id)).await
}

/// Removes a drive: all of its checkups.
pub async fn remove_drive(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Response {
    let wanted = key.clone();
    let done = server.ask(move |store| remove_all(store, &wanted)).await;
    removed(done, &server, &visitor, (Deed::DriveRemoved, &key)).await
}

/// Notes what was removed.
async fn removed(
    done: Result<(), Problem>,
    server: &Server,
    visitor: &Visitor,
    (deed, subject): (Deed, &str),
) -> Response {
    match done {
        Ok(()) => {
            server.note(visitor.who(), deed, subject).await;
            StatusCode::NO_CONTENT.into_response()
        }
        Err(refused) => problem(&refused, visitor),
    }
}

fn remove_all(store: &dyn Store, key: &str) -> Result<(), StoreError> {
    let query = CheckupQuery { drive_key: Some(key.to_string()), ..CheckupQuery::default() };
    let runs = store.find(&query)?;
    if runs.is_empty() {
        return Err(StoreError::NoSuchDrive { key: key.to_string() });
    }
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    store.remove(&ids)
}
