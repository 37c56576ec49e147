//! Signing in and out, and the language.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_catalogue::Language;
use cardiograph_core::message;
use serde::Deserialize;

use super::{page, with_cookie};
use crate::guard::cookie_name;
use crate::server::Server;
use crate::visitor::{LANGUAGE_COOKIE, Visitor, cookie};

/// A year: a language is not a secret.
const LANGUAGE_MAX_AGE_S: u64 = 31_536_000;

/// Says how to sign in.
pub async fn form(visitor: Visitor) -> Response {
    page(&visitor, &message!("serve-sign-in"), |html| {
        html.words("p", &[], &html.lang.text(&message!("serve-sign-in.local")));
    })
}

/// Signs the browser out.
pub async fn leave(State(server): State<Arc<Server>>, headers: HeaderMap) -> Response {
    let name = cookie_name(&server);
    cookie(&headers, &name).iter().for_each(|secret| server.sessions.sign_out(secret));
    with_cookie(Redirect::to("/sign-in").into_response(), &name, "", 0)
}

#[derive(Deserialize)]
pub struct Choice {
    code: String,
    back: String,
}

/// Keeps the chosen language, and leads back.
pub async fn choose_language(Form(Choice { code, back }): Form<Choice>) -> Response {
    // Only to a page of ours: "//host" is another.
    let is_ours = back.starts_with('/') && !back.starts_with("//") && !back.contains(['\\', '\n', '\r']);
    let answer = Redirect::to(if is_ours { &back } else { "/" }).into_response();
    match code.parse::<Language>() {
        Ok(language) => with_cookie(answer, LANGUAGE_COOKIE, language.code(), LANGUAGE_MAX_AGE_S),
        Err(_) => answer,
    }
}
