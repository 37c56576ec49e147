//! What there is, and who may: one table.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::http::{Method, Request, Response, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state, map_request};
use axum::routing::{self, MethodRouter};
use cardiograph_core::message;
use futures_util::{StreamExt as _, stream};
use tokio::time::Instant;

use crate::problem::Problem;
use crate::role::Needs;
use crate::server::Server;
use crate::visitor::Visitor;
use crate::{api, assets, guard, pages};

/// The longest form or request, in bytes, except for what is sent to be kept.
const BODY_LEN_BYTES_MAX: usize = 256 << 10;
/// How long it may take to arrive.
const BODY_MAX: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 30 });

/// A path with some of its methods.
pub struct Route {
    pub path: &'static str,
    pub needs: Needs,
    pub methods: Methods,
}

/// Methods, and what answers to them.
pub struct Methods {
    /// Their names.
    pub names: Vec<Method>,
    router: MethodRouter<Arc<Server>>,
    /// Whether the handler bounds what it receives.
    is_bounded: bool,
}

fn get<T: 'static>(handler: impl Handler<T, Arc<Server>>) -> Methods {
    Methods { names: vec![Method::GET], router: routing::get(handler), is_bounded: false }
}

fn post<T: 'static>(handler: impl Handler<T, Arc<Server>>) -> Methods {
    Methods { names: vec![Method::POST], router: routing::post(handler), is_bounded: false }
}

fn delete<T: 'static>(handler: impl Handler<T, Arc<Server>>) -> Methods {
    Methods { names: vec![Method::DELETE], router: routing::delete(handler), is_bounded: false }
}

impl Methods {
    fn post<T: 'static>(mut self, handler: impl Handler<T, Arc<Server>>) -> Self {
        self.names.push(Method::POST);
        Self { router: self.router.post(handler), ..self }
    }

    /// The handler bounds what it receives.
    fn without_limit(self) -> Self {
        Self { router: self.router.layer(DefaultBodyLimit::disable()), is_bounded: true, ..self }
    }
}

/// All routes.
pub fn routes() -> Vec<Route> {
    use Needs::{Administer, Name, Nothing, Operate, Read, Send};
    let route = |path, needs, methods| Route { path, needs, methods };
    vec![
        route("/healthz", Nothing, get(api::health)),
        route("/assets/{name}", Nothing, get(assets::send)),
        route("/favicon.ico", Nothing, get(assets::icon)),
        route("/sign-in", Nothing, get(pages::sign_in::form).post(pages::sign_in::enter)),
        route("/sign-out", Nothing, post(pages::sign_in::leave)),
        route("/language", Nothing, post(pages::sign_in::choose_language)),
        // The first visit brings the one-time token here.
        route("/", Nothing, get(pages::home::show)),
        route("/drives/{key}", Read, get(pages::drive::show)),
        route("/drives/{key}/join", Operate, post(pages::drive::join)),
        route("/drives/{key}/separate", Operate, post(pages::drive::separate)),
        route("/examples/{name}", Read, get(pages::examples::show)),
        route("/shelf", Read, get(pages::shelf::show)),
        route("/checkups", Read, get(pages::checkups::list)),
        route("/checkups/{id}", Read, get(pages::checkups::show)),
        route("/compare", Read, get(pages::compare::show)),
        route("/live/{id}", Read, get(pages::live::show)),
        route("/live/{id}/stop", Operate, post(pages::live::stop)),
        route("/start", Operate, get(pages::start::form).post(pages::start::begin)),
        route("/team", Administer, get(pages::team::show)),
        route("/team/revoke", Administer, post(pages::team::revoke)),
        route("/api/v1/openapi.json", Nothing, get(api::describe)),
        route("/api/v1/me", Name, get(api::ingest::me)),
        route("/metrics", Read, get(api::metrics::send)),
        route("/api/v1/checkups", Read, get(api::lists::checkups)),
        route("/api/v1/checkups", Send, post(api::ingest::take).without_limit()),
        route("/api/v1/checkups/{id}", Read, get(api::checkup)),
        route("/api/v1/drives/{key}/trend", Read, get(api::chart::trend)),
        route("/api/v1/checkups/{id}", Administer, delete(api::lists::remove_checkup)),
        route("/api/v1/drives", Read, get(api::lists::drives)),
        route("/api/v1/drives/{key}", Administer, delete(api::lists::remove_drive)),
        route("/api/v1/events", Read, get(api::events::saved)),
        route("/api/v1/live/{id}/events", Read, get(api::events::live)),
        route("/api/v1/live/{id}/stop", Operate, post(api::stop)),
        route("/api/v1/outline", Operate, post(api::outline)),
        route("/api/v1/start", Operate, post(api::start)),
    ]
}

/// The routes, each behind its guard.
pub fn router(server: &Arc<Server>) -> Router {
    let mut router = Router::new();
    for Route { path, needs, methods } in routes() {
        let guard = from_fn_with_state((server.clone(), needs), guard::check);
        let methods = match methods.is_bounded {
            true => methods.router,
            false => methods.router.layer(map_request(in_time)),
        };
        router = router.route(path, methods.layer(guard));
    }
    let nowhere = from_fn_with_state((server.clone(), Needs::Nothing), guard::check);
    let lost = routing::get(nothing_here).fallback(nothing_here).layer(nowhere);
    router
        .fallback_service(lost.with_state(server.clone()))
        .layer(DefaultBodyLimit::max(BODY_LEN_BYTES_MAX))
        .layer(from_fn(unexpected))
        .with_state(server.clone())
}

/// A request whose body breaks off if it takes too long.
async fn in_time(request: Request<Body>) -> Request<Body> {
    let until = Instant::now() + BODY_MAX;
    request.map(|body| {
        Body::from_stream(stream::unfold(body.into_data_stream(), move |mut parts| async move {
            let part = match tokio::time::timeout_at(until, parts.next()).await {
                Ok(part) => part?.map_err(io::Error::other),
                Err(late) => Err(late.into()),
            };
            Some((part, parts))
        }))
    })
}

async fn nothing_here(visitor: Visitor) -> axum::response::Response {
    pages::problem(&Problem::not_found(message!("serve-no-page", path = &visitor.path)), &visitor)
}

/// Answers that axum makes itself, such as for a method that a path does not have, get the headers of all others.
async fn unexpected(request: Request<Body>, next: axum::middleware::Next) -> Response<axum::body::Body> {
    let mut response = next.run(request).await;
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        guard::harden(response.headers_mut());
    }
    response
}
