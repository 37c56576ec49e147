//! Requests to the router, as a browser and as others send them.

mod access;
mod pages;
mod sent;
mod told;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use cardiograph_catalogue::Language;
use cardiograph_core::drive::Leaf;
use cardiograph_core::metric::{Measured, Metric};
use cardiograph_core::report::ReportState;
use cardiograph_core::{Doubt, Estimate, Report, json};
use cardiograph_store::{DriveQuery, DriveSummary, KeptCard, Query, Store, Token};
use cardiograph_testing::{LoopMount, skip};
use futures_util::StreamExt as _;
use tower::ServiceExt as _;

use crate::role::{Needs, Role};
use crate::routes::{router, routes};
use crate::server::{Server, Settings, Way};
use crate::sessions::Person;

const LISTEN: &str = "127.0.0.1:7878";

pub struct Bench {
    pub server: Arc<Server>,
    directory: tempfile::TempDir,
}

/// An answer: its status, where it leads, and its text.
struct Answer {
    status: StatusCode,
    location: String,
    cookie: String,
    retry: String,
    text: String,
}

fn settings() -> Settings {
    Settings {
        listen: LISTEN.parse().unwrap(),
        hosts: BTreeSet::from(["drives.example".to_string()]),
        way: Way::Plain,
        retention: None,
        allows_erase: false,
        language: Language::EN,
        png: |svg| Ok(svg.into()),
    }
}

impl Bench {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = cardiograph_store::open(&directory.path().join("drives.db")).unwrap();
        Self { server: Server::new(settings(), store, Box::new(|_| {})), directory }
    }

    fn save(&self, report: &Report) {
        self.store().save(report).unwrap();
    }

    fn drives(&self) -> Vec<DriveSummary> {
        let store = cardiograph_store::open(&self.directory.path().join("drives.db")).unwrap();
        store.drives(&DriveQuery::default()).unwrap()
    }

    fn cookie(&self, role: Role) -> String {
        let secret = self.server.sessions.sign_in(Person { name: "test".to_string(), role, token: None });
        format!("cardiograph-7878={secret}")
    }

    /// Sends a request with these headers.
    fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header(header::HOST, LISTEN);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.into())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let response = router(&self.server).oneshot(request).await.unwrap();
            let policy = response.headers().get(header::CONTENT_SECURITY_POLICY);
            assert!(policy.is_some_and(|policy| !policy.to_str().unwrap().contains("script")), "{path}");
            let text = |name| response.headers().get(name).map_or("", |to| to.to_str().unwrap()).to_string();
            let [location, cookie, retry] =
                [header::LOCATION, header::SET_COOKIE, header::RETRY_AFTER].map(text);
            let status = response.status();
            let is_stream =
                response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            let bytes = if is_stream {
                Default::default()
            } else {
                to_bytes(response.into_body(), 64 << 20).await.unwrap()
            };
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            Answer { status, location, cookie, retry, text }
        })
    }

    fn get(&self, path: &str, role: Role) -> Answer {
        self.send(Method::GET, path, &[("cookie", &self.cookie(role))], "")
    }

    /// Makes a token; returns its header.
    pub fn token(&self, name: &str, role: Role) -> String {
        let (secret, hash) = crate::tokens::new_token();
        let token = Token {
            name: name.to_string(),
            role: role.name().to_string(),
            created_unix_ms: 1,
            expires_unix_ms: None,
            revoked_unix_ms: None,
            used_unix_ms: None,
        };
        self.store().access().add_token(&token, &hash).unwrap();
        format!("Bearer {secret}")
    }

    pub fn store(&self) -> Box<dyn Store> {
        cardiograph_store::open(&self.directory.path().join("drives.db")).unwrap()
    }

    /// Sends a Report with a token.
    fn report(&self, bearer: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Answer {
        let headers: Vec<_> = [("authorization", bearer), ("content-type", "application/json")]
            .into_iter()
            .filter(|(name, _)| !headers.iter().any(|(other, _)| other == name))
            .chain(headers.iter().copied())
            .collect();
        self.send(Method::POST, "/api/v1/checkups", &headers, body)
    }

    fn post(&self, path: &str, role: Role, body: &str) -> Answer {
        let kind =
            if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" };
        let cookie = self.cookie(role);
        let headers = [("cookie", &*cookie), ("origin", "http://127.0.0.1:7878"), ("content-type", kind)];
        self.send(Method::POST, path, &headers, body)
    }
}

fn value(answer: &Answer) -> serde_json::Value {
    serde_json::from_str(&answer.text).unwrap_or_else(|error| panic!("{error}: {}", answer.text))
}
