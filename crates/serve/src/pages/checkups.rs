//! Checkups: the list, and each.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Parameter, message};
use cardiograph_render::doc;
use cardiograph_render::html::{self, Html};
use cardiograph_store::Query as Wanted;
use serde::Deserialize;

use super::{Site, encoded, feed, linked, made, problem, table};
use crate::problem::Problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Checkups of a page.
const OF_PAGE: u64 = 50;

/// Which checkups, and which part of the list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The key of a drive, or nothing.
    drive: String,
    skip: u64,
}

/// Lists checkups, the newest first.
pub async fn list(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(Asked { drive, skip }): Query<Asked>,
) -> Response {
    let drive_key = Some(drive.clone()).filter(|drive| !drive.is_empty());
    // One more tells whether there are more.
    let query = Wanted { drive_key, skip, limit: Some(OF_PAGE + 1), ..Wanted::default() };
    match server.ask(move |store| store.find(&query)).await {
        Ok(runs) => feed(&visitor, &message!("serve-checkups"), |html| {
            running(html, &server);
            if runs.is_empty() {
                html.words("p", &[], &html.lang.text(&message!("serve-empty")));
                return;
            }
            rows(html, &runs[..runs.len().min(OF_PAGE as usize)]);
            if runs.len() as u64 > OF_PAGE {
                let address = format!("/checkups?drive={}&skip={}", encoded(&drive), skip + OF_PAGE);
                let older = message!("serve-older");
                html.element("p", &[("class", "more")], |html| linked(html, &address, &older));
            }
        }),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Links to the checkups that are running.
pub fn running(html: &mut Html, server: &Server) {
    let all = server.live.list();
    for running in all.iter().filter(|running| !running.log.is_ended()) {
        let id = running.id();
        let label = message!("serve-is-running", id);
        html.element("p", &[], |html| linked(html, &format!("/live/{id}"), &label));
    }
}

/// A row for each checkup.
pub fn rows(html: &mut Html, runs: &[RunSummary]) {
    let headings = [
        message!("serve-column.when"),
        message!("serve-column.suite"),
        message!("serve-column.drive"),
        message!("serve-column.label"),
        message!("serve-column.host"),
    ];
    table(html, &message!("serve-checkups"), &headings, |html| runs.iter().for_each(|run| row(html, run)));
}

fn row(html: &mut Html, run: &RunSummary) {
    let address = format!("/checkups/{}", run.id);
    let when = doc::when(run.started_unix_ms).unwrap_or_else(|| run.id.to_string());
    let models: Vec<&str> = run.models.iter().collect();
    let capacity = run.capacity_bytes.map(|bytes| html.lang.value(&Parameter::CapacityBytes(bytes)));
    let drive = if models.is_empty() { run.path.to_string() } else { models.join(", ") };
    html.element("tr", &[], |html| {
        html.element("th", &[("scope", "row")], |html| html.words("a", &[("href", &address)], &when));
        html.words("td", &[], &run.suite);
        html.words("td", &[], &[Some(drive), capacity].into_iter().flatten().collect::<Vec<_>>().join(", "));
        html.words("td", &[], run.label.as_deref().unwrap_or_default());
        html.words("td", &[], run.host.as_deref().unwrap_or_default());
    });
}

/// Shows a checkup: its report.
pub async fn show(State(server): State<Arc<Server>>, visitor: Visitor, Path(id): Path<String>) -> Response {
    if server.live.find_running(&id).is_some() {
        return Redirect::to(&format!("/live/{}", encoded(&id))).into_response();
    }
    let reader = visitor.clone();
    let shown = server.work(move |store| {
        let report = store.load(&id).map_err(Problem::from)?;
        Ok(html::report_in(&Site { visitor: &reader }, &report, reader.language))
    });
    match shown.await {
        Ok(text) => made(text),
        Err(refused) => problem(&refused, &visitor),
    }
}
