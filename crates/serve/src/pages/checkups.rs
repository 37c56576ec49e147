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

use super::{Site, encoded, made, page, problem};
use crate::problem::Problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Checkups of a page.
const OF_PAGE: u64 = 50;

/// Which part of the list.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Page {
    skip: u64,
}

/// Lists checkups, the newest first.
pub async fn list(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(Page { skip }): Query<Page>,
) -> Response {
    // One more tells whether there are more.
    let query = Wanted { skip, limit: Some(OF_PAGE + 1), ..Wanted::default() };
    let running: Vec<String> = server
        .live
        .list()
        .iter()
        .filter(|running| !running.log.is_ended())
        .map(|running| running.id().to_string())
        .collect();
    match server.ask(move |store| store.find(&query)).await {
        Ok(runs) => page(&visitor, &message!("serve-checkups"), |html| {
            for id in &running {
                let address = format!("/live/{id}");
                html.element("p", &[], |html| {
                    html.words(
                        "a",
                        &[("href", &address)],
                        &html.lang.text(&message!("serve-is-running", id)),
                    );
                });
            }
            if runs.is_empty() {
                return empty(html);
            }
            table(html, &runs[..runs.len().min(OF_PAGE as usize)]);
            if runs.len() as u64 > OF_PAGE {
                let address = format!("/checkups?skip={}", skip + OF_PAGE);
                html.element("p", &[("class", "more")], |html| {
                    html.words("a", &[("href", &address)], &html.lang.text(&message!("serve-older")));
                });
            }
        }),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Nothing is kept yet: what to do.
fn empty(html: &mut Html) {
    let language = html.lang;
    html.words("p", &[], &language.text(&message!("serve-empty")));
    html.element("p", &[], |html| {
        html.words("a", &[("href", "/start")], &language.text(&message!("serve-nav.start")));
    });
}

/// A row for each checkup.
fn table(html: &mut Html, runs: &[RunSummary]) {
    let language = html.lang;
    let headings = [
        message!("serve-column.when"),
        message!("serve-column.suite"),
        message!("serve-column.drive"),
        message!("serve-column.label"),
        message!("serve-column.host"),
    ];
    let label = language.text(&message!("serve-checkups"));
    html.scrolling(&label, |html| {
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for heading in &headings {
                        html.words("th", &[("scope", "col")], &language.text(heading));
                    }
                });
            });
            html.element("tbody", &[], |html| runs.iter().for_each(|run| row(html, run)));
        });
    });
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
