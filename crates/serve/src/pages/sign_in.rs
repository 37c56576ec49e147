//! Signing in and out, and the language.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use cardiograph_store::Deed;
use serde::Deserialize;

use super::{page, problem, with_cookie, with_session};
use crate::role::Needs;
use crate::server::{Server, Way};
use crate::tokens::hash_of;
use crate::visitor::{LANGUAGE_COOKIE, Visitor, cookie};

/// A year: a language is not a secret.
const LANGUAGE_MAX_AGE_S: u64 = 31_536_000;

/// Asks for a token; says how to sign in.
pub async fn form(State(server): State<Arc<Server>>, visitor: Visitor) -> Response {
    asked(&server, &visitor, None)
}

/// The form, and why it is shown again.
fn asked(server: &Server, visitor: &Visitor, refused: Option<&Message>) -> Response {
    let mut response = page(visitor, &message!("serve-sign-in"), |html| {
        let text = |message: &Message| html.lang.text(message);
        let (label, go) = (text(&message!("serve-sign-in.token")), text(&message!("serve-sign-in")));
        let local = text(&message!("serve-sign-in.local"));
        if let Some(refused) = refused {
            let why = html.lang.text(refused);
            html.words("p", &[("role", "alert")], &why);
        }
        if server.settings.way == Way::Plain {
            html.words("p", &[], &local);
        }
        html.element("form", &[("method", "post"), ("action", "/sign-in")], |html| {
            html.element("p", &[], |html| {
                html.words("label", &[("for", "token")], &label);
                // A password, so that browsers offer to keep it, and nobody reads it over a shoulder.
                let field = [("type", "password"), ("id", "token"), ("name", "token"), ("required", "")];
                html.void("input", &[&field[..], &[("autocomplete", "current-password")]].concat());
            });
            html.element("p", &[], |html| html.words("button", &[], &go));
        });
    });
    if refused.is_some() {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Brought {
    token: String,
}

/// Signs a browser in with a token that may read.
pub async fn enter(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Form(Brought { token }): Form<Brought>,
) -> Response {
    let owner = match hash_of(token.trim()) {
        Some(hash) => server.owner(hash).await,
        None => Ok(None),
    };
    match owner {
        Ok(Some(person)) if person.role.may(Needs::Read) => {
            server.note(&person.name, Deed::SignIn, "").await;
            let secret = server.sessions.sign_in(person);
            with_session(&server, Redirect::to("/").into_response(), Some(&secret))
        }
        Ok(Some(person)) => {
            asked(&server, &visitor, Some(&message!("serve-not-allowed", role = person.role.name())))
        }
        Ok(None) => asked(&server, &visitor, Some(&message!("serve-sign-in.wrong"))),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Signs the browser out.
pub async fn leave(State(server): State<Arc<Server>>, headers: HeaderMap) -> Response {
    cookie(&headers, &server.cookie_name()).iter().for_each(|secret| server.sessions.sign_out(secret));
    with_session(&server, Redirect::to("/sign-in").into_response(), None)
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
        Ok(language) => with_cookie(answer, LANGUAGE_COOKIE, language.code(), LANGUAGE_MAX_AGE_S, ""),
        Err(_) => answer,
    }
}
