//! A checkup while it runs.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_core::message;

use super::{encoded, page, problem};
use crate::api::end;
use crate::role::Needs;
use crate::server::Server;
use crate::visitor::Visitor;

/// Shows a running checkup; one that has ended has its report.
pub async fn show(State(server): State<Arc<Server>>, visitor: Visitor, Path(id): Path<String>) -> Response {
    let Some(running) = server.live.find_running(&id) else {
        return Redirect::to(&format!("/checkups/{}", encoded(&id))).into_response();
    };
    let (events, _) = running.log.after(0);
    let language = visitor.language;
    page(&visitor, &message!("serve-live"), |html| {
        let source = format!("/api/v1/live/{id}");
        html.element("div", &[("data-live", &source)], |html| {
            // Without scripts: what was so far.
            html.words("p", &[], &language.text(&message!("serve-is-running", id = &id)));
            let latest = events.iter().rev().find(|event| event.kind == "stage");
            let stage =
                latest.and_then(|stage| serde_json::from_str::<serde_json::Value>(stage.json(language)).ok());
            let title = stage.as_ref().and_then(|stage| stage["title"].as_str());
            title.iter().for_each(|title| html.words("p", &[], title));
            let again = format!("/live/{id}");
            html.element("p", &[], |html| {
                html.words("a", &[("href", &again)], &language.text(&message!("serve-look-again")));
            });
        });
        if visitor.may(Needs::Operate) {
            let action = format!("/live/{id}/stop");
            html.element("form", &[("method", "post"), ("action", &action), ("data-stop", "")], |html| {
                html.words("button", &[], &language.text(&message!("serve-stop")));
            });
        }
    })
}

/// Asks a checkup to end: what it has is kept.
pub async fn stop(State(server): State<Arc<Server>>, visitor: Visitor, Path(id): Path<String>) -> Response {
    match end(&server, &visitor, &id).await {
        Ok(()) => Redirect::to(&format!("/live/{}", encoded(&id))).into_response(),
        Err(refused) => problem(&refused, &visitor),
    }
}
