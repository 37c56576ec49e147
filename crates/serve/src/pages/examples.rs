//! Reports of simulated drives, for who has none yet.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use cardiograph_render::html;

use super::{Site, made, problem};
use crate::server::Server;
use crate::visitor::Visitor;

/// Shows the report of an example.
pub async fn show(State(server): State<Arc<Server>>, visitor: Visitor, Path(name): Path<String>) -> Response {
    let (reader, asking) = (visitor.clone(), server.clone());
    let shown = server.work(move |_| {
        let report = asking.examples.find(&name)?;
        Ok(html::report_in(&Site { visitor: &reader }, &report, reader.language))
    });
    match shown.await {
        Ok(text) => made(text),
        Err(refused) => problem(&refused, &visitor),
    }
}
