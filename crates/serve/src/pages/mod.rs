//! Pages, each a file; [`frame`] stands around all of them.

pub mod checkups;
pub mod compare;
pub mod drive;
pub mod examples;
mod frame;
pub mod home;
pub mod live;
pub mod shelf;
pub mod sign_in;
pub mod start;
pub mod team;

use axum::Json;
use axum::http::header;
use axum::response::{Html as HtmlAnswer, IntoResponse, Response};
use cardiograph_core::{Message, message};
use cardiograph_render::html::{self, Html};
use serde::Serialize;

pub use frame::Site;

use crate::problem::Problem;
use crate::server::{Server, Way};
use crate::sessions::IDLE_MAX;
use crate::visitor::Visitor;

/// A page of the site: its title, and what `body` adds to `main`.
pub fn page(visitor: &Visitor, title: &Message, body: impl FnOnce(&mut Html)) -> Response {
    page_of(visitor, title, &[("id", "main")], body)
}

/// The same of what is saved: it stays up to date with what others save.
pub fn feed(visitor: &Visitor, title: &Message, body: impl FnOnce(&mut Html)) -> Response {
    page_of(visitor, title, &[("id", "main"), ("data-feed", "/api/v1/events")], body)
}

fn page_of(
    visitor: &Visitor,
    title: &Message,
    main: &[(&'static str, &str)],
    body: impl FnOnce(&mut Html),
) -> Response {
    let language = visitor.language;
    let title = language.text(title);
    let text = html::framed(&title, language, &Site { visitor }, |html| {
        html.element("main", main, |html| {
            html.words("h1", &[], &title);
            body(html);
        });
    });
    HtmlAnswer(text).into_response()
}

/// Why a request is not done, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Refused {
    /// Sentences, each a line, in the language that the request asks for.
    error: String,
    /// The consent that is missing, if that is all.
    needs: Option<Question>,
}

/// A question before a device is written to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Question {
    /// What would be done to it.
    question: String,
    /// What to give as consent.
    id: String,
}

/// The answer to a request that is not done: a page, or for programs JSON.
pub fn problem(problem: &Problem, visitor: &Visitor) -> Response {
    let language = visitor.language;
    let texts: Vec<String> = problem.messages.iter().map(|message| language.text(message)).collect();
    let mut response = if visitor.reads_json {
        let needs = problem.needs.as_ref();
        let needs =
            needs.map(|needs| Question { question: language.text(&needs.question), id: needs.id.clone() });
        Json(Refused { error: texts.join("\n"), needs }).into_response()
    } else {
        page(visitor, &message!("serve-problem"), |html| {
            texts.iter().for_each(|text| html.words("p", &[], text));
            html.element("p", &[], |html| linked(html, "/", &message!("serve-to-home")));
        })
    };
    *response.status_mut() = problem.status;
    if let Some(seconds) = problem.retry_after_s {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// A link.
pub fn linked(html: &mut Html, address: &str, label: &Message) {
    let label = html.lang.text(label);
    html.words("a", &[("href", address)], &label);
}

/// A table that scrolls sideways if it is too wide, with its name for screen readers.
pub fn table(html: &mut Html, label: &Message, headings: &[Message], rows: impl FnOnce(&mut Html)) {
    let language = html.lang;
    html.scrolling(&language.text(label), |html| {
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for heading in headings {
                        html.words("th", &[("scope", "col")], &language.text(heading));
                    }
                });
            });
            html.element("tbody", &[], rows);
        });
    });
}

/// A page that exists already as text.
pub fn made(text: String) -> Response {
    HtmlAnswer(text).into_response()
}

/// An answer with a cookie that scripts cannot read and other sites cannot use; `more` are further attributes.
fn with_cookie(mut response: Response, name: &str, value: &str, max_age_s: u64, more: &str) -> Response {
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age_s}{more}");
    if let Ok(cookie) = cookie.parse() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// An answer with the cookie of a browser that is signed in; without `secret`, it is signed out.
pub fn with_session(server: &Server, response: Response, secret: Option<&str>) -> Response {
    let more = if server.settings.way == Way::Plain { "" } else { "; Secure" };
    let max_age_s = secret.map_or(0, |_| IDLE_MAX.as_secs());
    with_cookie(response, &server.cookie_name(), secret.unwrap_or_default(), max_age_s, more)
}

/// A value in an address.
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
