//! What each request passes: the name it was sent to, where it comes from, and whether its sender may.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_core::message;

use crate::pages;
use crate::problem::Problem;
use crate::role::Needs;
use crate::server::Server;
use crate::sessions::Person;
use crate::tokens::hash_of;
use crate::visitor::{self, Visitor, cookie};

/// What pages may load and who may show them: only this server. Bars are as wide as their figures by style attributes.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Checks a request to a route that `needs` something.
pub async fn check(
    State((server, needs)): State<(Arc<Server>, Needs)>,
    mut request: Request,
    next: Next,
) -> Response {
    let host = wrong_host(&server, &request);
    // Nothing is asked of the store for whoever calls us by another name.
    let person = if host.is_none() { person_of(&server, request.headers()).await } else { Ok(None) };
    let (person, away) = person.map_or_else(|problem| (None, Some(problem)), |person| (person, None));
    let visitor = visitor_of(&server, person, request.headers(), request.uri());
    let away = away.filter(|_| needs != Needs::Nothing);
    let mut response = match host.or(away).or_else(|| refusal(&server, &request, &visitor, needs)) {
        None => {
            request.extensions_mut().insert(visitor.clone());
            next.run(request).await
        }
        // Whoever is not signed in is asked to.
        Some(problem) if problem.status == StatusCode::UNAUTHORIZED && !visitor.reads_json => {
            Redirect::to("/sign-in").into_response()
        }
        Some(problem) => pages::problem(&problem, &visitor),
    };
    harden(response.headers_mut());
    server.counts.answered(response.status());
    response
}

/// Headers of all answers.
pub fn harden(headers: &mut HeaderMap) {
    let mut add = |name, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    add(header::CONTENT_SECURITY_POLICY, POLICY);
    add(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // Without one at all, browsers would say of forms that they come from "null".
    add(header::REFERRER_POLICY, "same-origin");
    add(header::CACHE_CONTROL, "no-store");
    // Neither embedded by another site, nor opened in a window that it holds.
    add(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    add(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
}

/// Who makes a request: the owner of its token, else whose browser it is. A token that has ended ends its sessions.
async fn person_of(server: &Server, headers: &HeaderMap) -> Result<Option<Person>, Problem> {
    if let Some(secret) = bearer(headers) {
        return match hash_of(secret) {
            Some(hash) => server.owner(hash).await,
            None => Ok(None),
        };
    }
    let Some(secret) = cookie(headers, &server.cookie_name()) else { return Ok(None) };
    match server.sessions.find(secret) {
        Some(Person { token: Some(hash), .. }) => {
            let owner = server.owner(hash).await?;
            if owner.is_none() {
                server.sessions.sign_out(secret);
            }
            Ok(owner)
        }
        person => Ok(person),
    }
}

/// The token of a program.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    match value.split_once(' ') {
        Some((scheme, secret)) if scheme.eq_ignore_ascii_case("bearer") => Some(secret.trim()),
        // Another scheme names nobody.
        _ => Some(""),
    }
}

fn visitor_of(server: &Server, person: Option<Person>, headers: &HeaderMap, uri: &Uri) -> Visitor {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    Visitor {
        person,
        language: visitor::language(headers, server.settings.language),
        reads_json: uri.path().starts_with("/api/") && !accepts.contains("text/html"),
        path: uri.path().to_string(),
        address: shown(uri).to_string(),
    }
}

/// The address that a page may name: without what is asked of it if that is a secret.
fn shown(uri: &Uri) -> &str {
    let has_secret = |query: &str| query.split('&').any(|part| part.starts_with("token="));
    match uri.path_and_query() {
        Some(address) if !uri.query().is_some_and(has_secret) => address.as_str(),
        _ => uri.path(),
    }
}

/// Refuses requests for another host.
fn wrong_host(server: &Server, request: &Request) -> Option<Problem> {
    let host = host_of(request).unwrap_or_default();
    (!is_ours(server, &host))
        .then(|| Problem::new(StatusCode::MISDIRECTED_REQUEST, message!("serve-other-host", host)))
}

fn refusal(server: &Server, request: &Request, visitor: &Visitor, needs: Needs) -> Option<Problem> {
    if !visitor.may(needs) {
        return Some(match visitor.role() {
            None => Problem::new(
                StatusCode::UNAUTHORIZED,
                match bearer(request.headers()) {
                    Some(_) => message!("serve-no-such-token"),
                    None => message!("serve-not-signed-in"),
                },
            ),
            Some(role) => {
                Problem::new(StatusCode::FORBIDDEN, message!("serve-not-allowed", role = role.name()))
            }
        });
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if changes && !is_from_here(server, request.headers()) {
        return Some(Problem::new(StatusCode::FORBIDDEN, message!("serve-other-origin")));
    }
    None
}

/// The host that a request names, without its port.
fn host_of(request: &Request) -> Option<String> {
    let authority = match request.uri().authority() {
        Some(authority) => authority.as_str(),
        None => {
            let mut hosts = request.headers().get_all(header::HOST).iter();
            // Of two, a proxy may have looked at the other.
            hosts.next().filter(|_| hosts.next().is_none())?.to_str().ok()?
        }
    };
    Some(without_port(authority).to_ascii_lowercase())
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// Whether a host is this server.
fn is_ours(server: &Server, host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let listen = server.settings.listen.ip();
    match bare.parse::<IpAddr>() {
        // An address cannot be made to lead elsewhere.
        Ok(address) => {
            address == listen || listen.is_unspecified() || listen.is_loopback() && address.is_loopback()
        }
        Err(_) => bare == "localhost" && listen.is_loopback() || server.settings.hosts.contains(bare),
    }
}

/// Whether a browser sent a request from one of our own pages. Browsers name where a changing request comes from; a program
/// that has no cookie needs no such protection.
fn is_from_here(server: &Server, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    // No browser adds a token by itself.
    if bearer(headers).is_some() {
        return true;
    }
    if text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return false;
    }
    match text("origin") {
        // Another port is another site, which may run scripts. A proxy on the usual port may have changed the host.
        Some(origin) => origin.split_once("://").is_some_and(|(_, authority)| {
            let authority = authority.to_ascii_lowercase();
            text("host").is_some_and(|host| host.eq_ignore_ascii_case(&authority))
                || server.settings.hosts.contains(&authority)
        }),
        None => cookie(headers, &server.cookie_name()).is_none(),
    }
}
