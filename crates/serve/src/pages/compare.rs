//! Drives and checkups side by side; the address holds the choice.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use cardiograph_core::{Report, message};
use cardiograph_judge::compare::{Comparison, compare};
use cardiograph_render::compare::csv;
use cardiograph_render::doc::{self, Doc, Extent, Node};
use cardiograph_render::html::{self, Html};
use cardiograph_render::markdown;
use cardiograph_render::plot::{self, Kind, Theme, View};
use cardiograph_store::groups;

use super::{encoded, page, problem};
use crate::problem::Problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// Drives side by side at once: more have no room, and no colours that can be told apart.
const SIDES_MAX: usize = 8;
/// Width of pictures to take along, in pixels.
const PNG_WIDTH: u32 = 960;

/// Compares what `of=…&of=…` names, as a page or, by `as=csv`, `as=markdown` and `as=png`, to take along.
pub async fn show(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(asked): Query<Vec<(String, String)>>,
) -> Response {
    let of = asked.iter().filter(|(name, value)| name == "of" && !value.trim().is_empty());
    let selectors: Vec<String> = of.map(|(_, value)| value.trim().to_string()).collect();
    let form = asked.iter().find(|(name, _)| name == "as").map(|(_, form)| form.clone());
    if selectors.len() < 2 {
        return page(&visitor, &message!("serve-nav.compare"), |html| choice(html, &selectors));
    }
    if selectors.len() > SIDES_MAX {
        let refused = Problem::bad(message!("serve-too-many", most = SIDES_MAX, given = selectors.len()));
        return problem(&refused, &visitor);
    }
    let (chosen, is_page) = (selectors.clone(), form.is_none());
    let compared = server.work(move |store| {
        let groups = groups::groups(&chosen, store)?;
        let mut newest = Vec::new();
        // Pictures are of the newest checkup of each.
        for run in groups.iter().filter(|_| is_page).filter_map(|group| group.runs.last()) {
            newest.push(store.load(&run.run.id)?);
        }
        Ok((compare(&groups, 0, &[]), newest))
    });
    let (comparison, newest) = match compared.await {
        Ok(compared) => compared,
        Err(refused) => return problem(&refused, &visitor),
    };
    let whole = Extent { is_full: true, has_whole_names: true, has_ratios: false };
    let language = visitor.language;
    match form.as_deref() {
        Some("png") => {
            let view = View { width: PNG_WIDTH, lang: language };
            let drawn = plot::draw_comparison(&comparison, view).map(|picture| picture.file(Theme::Light));
            let png = server.settings.png;
            let made = server.work(move |_| match drawn {
                Some(svg) => png(&svg).map_err(Problem::bad),
                None => Err(Problem::bad(message!("serve-nothing-to-draw"))),
            });
            match made.await {
                Ok(png) => file("image/png", "comparison.png", png),
                Err(refused) => problem(&refused, &visitor),
            }
        }
        Some("csv") => file("text/csv; charset=utf-8", "comparison.csv", csv::table(&comparison)),
        Some("markdown") => {
            let text = markdown::render(&doc::comparison(&comparison, whole), language);
            file("text/markdown; charset=utf-8", "comparison.md", text)
        }
        _ => page(&visitor, &message!("serve-nav.compare"), |html| {
            figures(html, &comparison, whole);
            take_along(html, &selectors);
            pictures(html, &newest);
            choice(html, &selectors);
        }),
    }
}

/// The comparison as the command line shows it, and all figures behind it.
fn figures(html: &mut Html, comparison: &Comparison, whole: Extent) {
    let short = doc::comparison(comparison, Extent { is_full: false, ..whole });
    html::add_comparison(html, comparison, &short);
    let mut rest = doc::comparison(comparison, whole).nodes;
    rest.retain(|node| !short.nodes.contains(node));
    let (pictures, rest): (Vec<Node>, Vec<Node>) =
        rest.into_iter().partition(|node| matches!(node, Node::Pictures(_)));
    html::add_comparison(html, comparison, &Doc::untitled(pictures));
    if !rest.is_empty() {
        html.element("details", &[], |html| {
            html.words("summary", &[], &html.lang.text(&message!("serve-compare.all")));
            html::add(html, &rest);
        });
    }
}

/// The newest checkups side by side.
fn pictures(html: &mut Html, newest: &[Report]) {
    let newest: Vec<&Report> = newest.iter().collect();
    for kind in [Kind::Percentiles, Kind::OverTime] {
        html.element("details", &[], |html| {
            html.words("summary", &[], &kind.title(html.lang));
            html::add_picture(html, kind, &newest);
        });
    }
}

fn file(kind: &'static str, name: &str, content: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, content.into()).into_response()
}

/// Links to the same comparison in other forms.
fn take_along(html: &mut Html, selectors: &[String]) {
    let of: String = selectors.iter().map(|selector| format!("of={}&", encoded(selector))).collect();
    html.element("p", &[("class", "more screen")], |html| {
        for (form, name) in [("markdown", "Markdown"), ("csv", "CSV"), ("png", "PNG")] {
            html.words("a", &[("href", &format!("/compare?{of}as={form}"))], name);
            html.text(" ");
        }
    });
}

/// Fields for what is compared: one more than there is.
fn choice(html: &mut Html, selectors: &[String]) {
    let language = html.lang;
    html.element("form", &[("class", "stack screen"), ("action", "/compare")], |html| {
        html.words("p", &[], &language.text(&message!("serve-compare.how")));
        let fields = (selectors.len() + 1).clamp(2, SIDES_MAX);
        for at in 0..fields {
            let value = selectors.get(at).map_or("", String::as_str);
            html.element("label", &[], |html| {
                html.text(&language.text(&message!("serve-compare-side", number = at + 1)));
                html.void("input", &[("type", "text"), ("name", "of"), ("value", value)]);
            });
        }
        html.element("p", &[], |html| {
            html.words("button", &[("class", "main")], &language.text(&message!("serve-nav.compare")));
        });
    });
}
