//! Published results.

use axum::extract::Query;
use axum::response::Response;
use cardiograph_core::{Message, message};
use cardiograph_import::shelf;
use cardiograph_render::doc;
use cardiograph_render::html;
use serde::Deserialize;

use super::{encoded, linked, page, problem};
use crate::problem::Problem;
use crate::visitor::Visitor;

/// Which source.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    source: String,
}

/// Lists the sources, or shows the tables of one.
pub async fn show(visitor: Visitor, Query(Asked { source }): Query<Asked>) -> Response {
    let all = shelf::sources();
    if source.is_empty() {
        return page(&visitor, &message!("serve-nav.shelf"), |html| {
            html::add(html, &doc::shelf(all).nodes);
            html.element("ul", &[], |html| {
                for source in all {
                    let address = format!("/shelf?source={}", encoded(&source.name));
                    let title = Message::verbatim(&source.title);
                    html.element("li", &[], |html| linked(html, &address, &title));
                }
            });
        });
    }
    match all.iter().find(|known| known.name == source) {
        Some(source) => page(&visitor, &Message::verbatim(&source.title), |html| {
            html::add(html, &doc::shelf_sources(std::slice::from_ref(source)).nodes);
        }),
        None => problem(&Problem::not_found(message!("serve-no-source", source)), &visitor),
    }
}
