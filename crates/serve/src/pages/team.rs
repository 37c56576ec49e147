//! Tokens, and the audit list: who may do what, and who did.

use std::sync::Arc;

use axum::Form;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::{Message, message};
use cardiograph_render::doc::when;
use cardiograph_render::html::Html;
use cardiograph_store::{AuditEntry, Deed, Token};
use serde::Deserialize;

use super::{linked, page, problem, table};
use crate::server::Server;
use crate::visitor::Visitor;

/// Entries of the audit list on a page.
const OF_PAGE: u64 = 50;

/// Which part of the audit list.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Page {
    before: Option<u64>,
}

/// Shows both.
pub async fn show(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(Page { before }): Query<Page>,
) -> Response {
    let found = server.ask(move |store| {
        let access = store.access();
        Ok((access.tokens()?, access.audit(before, OF_PAGE + 1)?))
    });
    match found.await {
        Ok((tokens, audit)) => page(&visitor, &message!("serve-team"), |html| {
            html.words("h2", &[], &html.lang.text(&message!("serve-tokens")));
            html.words("p", &[], &html.lang.text(&message!("serve-tokens.how")));
            table_of_tokens(html, &tokens);
            html.words("h2", &[], &html.lang.text(&message!("serve-audit")));
            let shown = &audit[..audit.len().min(OF_PAGE as usize)];
            table_of_audit(html, shown);
            if let Some(last) = shown.last().filter(|_| audit.len() > shown.len()) {
                let address = format!("/team?before={}", last.number);
                let older = message!("serve-audit.older");
                html.element("p", &[("class", "more")], |html| linked(html, &address, &older));
            }
        }),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// Which token.
#[derive(Deserialize)]
pub struct Named {
    name: String,
}

/// Revokes a token.
pub async fn revoke(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Form(Named { name }): Form<Named>,
) -> Response {
    let revoked = name.clone();
    match server.ask(move |store| store.access().revoke_token(&revoked, unix_ms())).await {
        Ok(is_revoked) => {
            server.tokens.forget();
            if is_revoked {
                server.note(visitor.who(), Deed::TokenRevoked, &name).await;
            }
            Redirect::to("/team").into_response()
        }
        Err(refused) => problem(&refused, &visitor),
    }
}

fn table_of_tokens(html: &mut Html, tokens: &[Token]) {
    let language = html.lang;
    let at = |ms: Option<u64>| ms.and_then(when).unwrap_or_else(|| "–".to_string());
    let headings = [
        message!("token-column.name"),
        message!("token-column.role"),
        message!("serve-tokens.until"),
        message!("token-column.used"),
        message!("serve-tokens.end"),
    ];
    table(html, &message!("serve-tokens"), &headings, |html| {
        for token in tokens {
            html.element("tr", &[], |html| {
                html.words("th", &[("scope", "row")], &token.name);
                html.words("td", &[], &token.role);
                html.words("td", &[], &at(token.expires_unix_ms));
                html.words("td", &[], &at(token.used_unix_ms));
                html.element("td", &[], |html| match token.is_valid_at(unix_ms()) {
                    false => html.text(&language.text(&message!("serve-tokens.ended"))),
                    true => revoke_button(html, &token.name),
                });
            });
        }
    });
}

fn revoke_button(html: &mut Html, name: &str) {
    let text = html.lang.text(&message!("serve-tokens.revoke", name));
    html.element("form", &[("method", "post"), ("action", "/team/revoke")], |html| {
        html.words("button", &[("name", "name"), ("value", name)], &text);
    });
}

fn table_of_audit(html: &mut Html, audit: &[AuditEntry]) {
    let language = html.lang;
    let headings = [
        message!("serve-column.when"),
        message!("serve-audit.who"),
        message!("serve-audit.what"),
        message!("serve-audit.subject"),
    ];
    table(html, &message!("serve-audit"), &headings, |html| {
        for entry in audit {
            html.element("tr", &[], |html| {
                html.words("th", &[("scope", "row")], &when(entry.unix_ms).unwrap_or_default());
                html.words("td", &[], &entry.who);
                html.words("td", &[], &language.text(&in_words(&entry.what)));
                html.words("td", &[], &entry.subject);
            });
        }
    });
}

/// A deed in words; one of a later version by its name.
fn in_words(name: &str) -> Message {
    let Some(deed) = Deed::ALL.into_iter().find(|deed| deed.name() == name) else {
        return Message::verbatim(name);
    };
    match deed {
        Deed::SignIn => message!("serve-deed.sign-in"),
        Deed::TokenAdded => message!("serve-deed.token-added"),
        Deed::TokenRevoked => message!("serve-deed.token-revoked"),
        Deed::TokenReplaced => message!("serve-deed.token-replaced"),
        Deed::CheckupStarted => message!("serve-deed.checkup-started"),
        Deed::CheckupStopped => message!("serve-deed.checkup-stopped"),
        Deed::CheckupRemoved => message!("serve-deed.checkup-removed"),
        Deed::DriveRemoved => message!("serve-deed.drive-removed"),
        Deed::DrivesJoined => message!("serve-deed.drives-joined"),
        Deed::DrivesSeparated => message!("serve-deed.drives-separated"),
        Deed::Retention => message!("serve-deed.retention"),
    }
}
