//! The first page.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::{checkups, with_cookie};
use crate::guard::cookie_name;
use crate::role::Needs;
use crate::server::Server;
use crate::visitor::Visitor;

/// A week, renewed by none: afterwards the server has forgotten the browser, too.
const COOKIE_MAX_AGE_S: u64 = 7 * 24 * 3_600;

#[derive(Deserialize)]
pub struct Asked {
    token: Option<String>,
}

/// Signs the browser with the one-time token in, or shows the drives.
pub async fn show(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(Asked { token }): Query<Asked>,
) -> Response {
    if let Some(secret) = token.and_then(|token| server.sessions.take_first_token(&token)) {
        server.say_next_address();
        let answer = Redirect::to("/").into_response();
        return with_cookie(answer, &cookie_name(&server), &secret, COOKIE_MAX_AGE_S);
    }
    if !visitor.may(Needs::Read) {
        return Redirect::to("/sign-in").into_response();
    }
    checkups::list(State(server), visitor, Query(checkups::Page::default())).await
}
