//! The page and the team's server: checkups that are kept, in a browser, and new ones on this host.
//!
//! Everything goes through the same Task, gate, consent and figures as the command line. Reports and comparisons are
//! render's documents as HTML, readable without scripts; `ui/` only draws charts, live views and forms.
//!
//! Reading order: [`Settings`] → [`Server`] → `routes` (what there is, and who may) → `guard` (each request passes it) →
//! `pages`, `api` → `live` (checkups that are running) → [`Listener`] (connections).
#![forbid(unsafe_code)]

mod api;
mod assets;
mod cards;
mod counts;
mod drives;
mod examples;
mod feed;
mod guard;
mod intake;
mod listener;
mod live;
#[cfg(test)]
mod openapi;
mod pages;
mod problem;
mod retention;
mod role;
mod routes;
mod server;
mod sessions;
#[cfg(test)]
mod tests;
mod tls;
mod tokens;
mod visitor;

use cardiograph_core::{Message, Report};

pub use listener::Listener;
pub use role::{Needs, Role};
pub use server::{Retention, Say, Server, Settings, Way};
pub use tls::{Tls, TlsFiles};
pub use tokens::{is_token_name, new_token};

/// Reads what a sender's request has as its body, packed by gzip or not, as the server does.
///
/// # Errors
/// Why it has no valid Report.
pub fn sent_report(body: &[u8], is_packed: bool) -> Result<Report, Vec<Message>> {
    let report = intake::Sent::new(body.to_vec(), is_packed).and_then(intake::Sent::report);
    report.map_err(|problem| problem.messages)
}
