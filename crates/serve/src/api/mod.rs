//! The API for programs: JSON.

pub mod chart;
pub mod events;
pub mod ingest;
pub mod lists;
pub mod metrics;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use cardiograph_catalogue::english;
use cardiograph_checkup::checkup::Task;
use cardiograph_checkup::{outline_lines, simulated};
use cardiograph_core::message::with_english;
use cardiograph_core::{Parameter, json, message, units};
use cardiograph_render::doc::Node;
use cardiograph_render::html;
use cardiograph_store::Deed;
use serde::Serialize;

use crate::live::{Planned, Wish};
use crate::pages::problem;
use crate::problem::Problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// The answer to a start.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Started {
    /// The id of the checkup.
    id: String,
}

/// What a checkup would do.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Outlined {
    /// As HTML.
    html: String,
}

/// Says that the server answers.
pub async fn health() -> &'static str {
    "ok\n"
}

/// Sends the description of the API.
pub async fn describe() -> Response {
    let text = include_str!("../../openapi.json");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Sends a checkup as JSON, as `show --json` prints it.
pub async fn checkup(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Response {
    let found = server.ask(move |store| {
        let report = store.load(&id)?;
        Ok(with_english(english, || json::to_json(&report)))
    });
    match found.await {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Asks a checkup to end.
pub async fn stop(State(server): State<Arc<Server>>, visitor: Visitor, Path(id): Path<String>) -> Response {
    match end(&server, &visitor, &id).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Starts a checkup. Answers with its id.
pub async fn start(State(server): State<Arc<Server>>, visitor: Visitor, Json(wish): Json<Wish>) -> Response {
    match begin(&server, &visitor, wish).await {
        Ok(id) => (StatusCode::CREATED, Json(Started { id })).into_response(),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Says what a checkup would do, as HTML and with what it would have to be asked.
pub async fn outline(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Json(task): Json<Task>,
) -> Response {
    match planned(&server, task).await {
        Ok(nodes) => {
            let mut part = html::Html::new(visitor.language);
            html::add(&mut part, &nodes);
            Json(Outlined { html: part.into_text() }).into_response()
        }
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Starts a checkup; returns its id.
pub async fn begin(server: &Arc<Server>, visitor: &Visitor, wish: Wish) -> Result<String, Problem> {
    let wish = Wish { task: allowed(server, wish.task)?, ..wish };
    let starting = server.clone();
    let running = server.work(move |_| starting.live.start(wish)).await?;
    server.note(visitor.who(), Deed::CheckupStarted, running.id()).await;
    Ok(running.id().to_string())
}

/// Asks a checkup to end.
pub async fn end(server: &Arc<Server>, visitor: &Visitor, id: &str) -> Result<(), Problem> {
    server.live.stop(id)?;
    server.note(visitor.who(), Deed::CheckupStopped, id).await;
    Ok(())
}

/// What a checkup would do, as parts of a page.
pub async fn planned(server: &Arc<Server>, task: Task) -> Result<Vec<Node>, Problem> {
    let task = allowed(server, task)?;
    let planning = server.clone();
    server.work(move |_| planning.live.plan(task).map(|planned| outline_nodes(&planned))).await
}

/// A task as this server may do it: only shipped simulated drives, since a model is a file; and no consent unless the
/// server was started with it.
fn allowed(server: &Server, task: Task) -> Result<Task, Problem> {
    let is_shipped = |model: &String| simulated::names().contains(&model.as_str());
    if let Some(model) = task.simulate.as_ref().filter(|model| !is_shipped(model)) {
        return Err(Problem::bad(message!("serve-no-model", model)));
    }
    if task.simulate.is_none() && !task.path.is_absolute() {
        return Err(Problem::bad(message!("serve-not-absolute", path = &task.path)));
    }
    if !task.consents.is_empty() && !server.settings.allows_erase {
        return Err(Problem::new(StatusCode::FORBIDDEN, message!("serve-no-erase")));
    }
    Ok(task)
}

/// The outline for people.
fn outline_nodes(Planned { report, outline, much }: &Planned) -> Vec<Node> {
    let time = outline.time_ns_max.map(units::elapsed);
    let writes = Parameter::CapacityBytes(outline.write_bytes_max);
    let suite = &report.suite;
    let most = match time {
        Some(time) => message!("serve-outline-most", suite, time, writes),
        None => message!("serve-outline-most.untimed", suite, writes),
    };
    let mut nodes = vec![Node::paragraph(most)];
    for line in outline_lines::lines(outline) {
        match (line.depth, nodes.last_mut()) {
            (0, _) => nodes.push(Node::paragraph(line.text)),
            (_, Some(Node::Commands(commands))) => commands.push(english(&line.text)),
            _ => nodes.push(Node::Commands(vec![english(&line.text)])),
        }
    }
    let asks = much.clone().map(|much| message!("check-much-question", much));
    nodes.extend(asks.map(Node::paragraph));
    nodes
}
