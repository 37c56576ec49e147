//! The first page: a card for each drive.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_core::{Message, Parameter, Report, message};
use cardiograph_render::doc::{self, DriveCard, Node};
use cardiograph_render::html::{self, Html};
use cardiograph_store::{Deed, DriveOrder, DriveQuery, DriveSummary};
use serde::Deserialize;

use super::{checkups, encoded, feed, linked, problem, with_session};
use crate::drives::{self, ORDERS};
use crate::problem::Problem;
use crate::role::Needs;
use crate::server::Server;
use crate::sessions::HERE;
use crate::visitor::Visitor;

/// Drives of a page.
const OF_PAGE: u64 = 24;
/// Which drives are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The one-time token.
    token: Option<String>,
    /// A part of a name.
    text: String,
    order: String,
    skip: u64,
}

impl Asked {
    fn order(&self) -> (&'static str, DriveOrder) {
        drives::order(&self.order).unwrap_or(ORDERS[0])
    }

    fn query(&self) -> DriveQuery {
        let text = Some(self.text.trim().to_string()).filter(|text| !text.is_empty());
        DriveQuery {
            text,
            order: self.order().1,
            skip: self.skip,
            limit: Some(OF_PAGE),
            ..DriveQuery::default()
        }
    }

    /// The address of this list, sorted so, from a drive on.
    fn address(&self, order: &str, skip: u64) -> String {
        format!("/?text={}&order={order}&skip={skip}", encoded(self.text.trim()))
    }
}

/// What there is to show.
enum Found {
    Drives {
        count: u64,
        drives: Vec<(DriveSummary, Arc<DriveCard>)>,
    },
    /// Nothing is saved: simulated examples.
    Examples(Vec<Arc<Report>>),
}

/// Signs the browser with the one-time token in, or shows the drives.
pub async fn show(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Response {
    if let Some(secret) = asked.token.as_ref().and_then(|token| server.sessions.take_first_token(token)) {
        server.say_next_address();
        let answer = Redirect::to("/").into_response();
        server.note(HERE, Deed::SignIn, "").await;
        return with_session(&server, answer, Some(&secret));
    }
    if !visitor.may(Needs::Read) {
        return Redirect::to("/sign-in").into_response();
    }
    let (query, asking) = (asked.query(), server.clone());
    let found = server.work(move |store| {
        let count = store.count_drives(&query)?;
        if count == 0 && store.count_drives(&DriveQuery::default())? == 0 {
            return asking.examples.all().map(Found::Examples);
        }
        let drives = store.drives(&query)?;
        let cards = asking.cards.find(&drives, store)?;
        Ok::<_, Problem>(Found::Drives { count, drives: drives.into_iter().zip(cards).collect() })
    });
    match found.await {
        Ok(Found::Drives { count, drives }) => feed(&visitor, &message!("serve-drives"), |html| {
            checkups::running(html, &server);
            html.element("form", &[("data-compare", ""), ("action", "/compare")], |html| {
                tools(html, &asked);
                list(html, count, &drives);
            });
            pages(html, &asked, count);
        }),
        Ok(Found::Examples(reports)) => feed(&visitor, &message!("serve-drives"), |html| {
            checkups::running(html, &server);
            examples(html, &reports, visitor.may(Needs::Operate));
        }),
        Err(refused) => problem(&refused, &visitor),
    }
}

/// The filter, the orders, and the button that compares.
fn tools(html: &mut Html, asked: &Asked) {
    let language = html.lang;
    let text = |message: Message| language.text(&message);
    html.element("p", &[("class", "tools screen")], |html| {
        html.element("label", &[], |html| {
            html.text(&text(message!("serve-drives.filter")));
            html.text(" ");
            let input = [
                ("type", "search"),
                ("name", "text"),
                ("value", asked.text.trim()),
                ("data-filter", "#list"),
            ];
            html.void("input", &input);
        });
        let plain = [("formaction", "/"), ("data-plain", "")];
        html.words("button", &plain, &text(message!("serve-drives.find")));
        html.words("button", &[("class", "main")], &text(message!("serve-nav.compare")));
    });
    html.element("p", &[("class", "tools screen")], |html| {
        html.text(&text(message!("serve-drives.order")));
        for (name, order) in ORDERS {
            let label = match order {
                DriveOrder::LastSeen => message!("serve-drives.by-seen"),
                DriveOrder::Name => message!("serve-drives.by-name"),
                DriveOrder::Checkups => message!("serve-drives.by-checkups"),
            };
            let address = asked.address(name, 0);
            let here = [("href", address.as_str()), ("aria-current", "true")];
            html.text(" ");
            html.words("a", &here[..1 + usize::from(asked.order().0 == name)], &text(label));
        }
    });
}

fn list(html: &mut Html, count: u64, drives: &[(DriveSummary, Arc<DriveCard>)]) {
    let language = html.lang;
    html.element("ul", &[("class", "drives"), ("id", "list"), ("data-count", &count.to_string())], |html| {
        if drives.is_empty() {
            html.words("li", &[], &language.text(&message!("serve-drives.none")));
        }
        for (drive, shown) in drives {
            html.element("li", &[("data-key", &drive.key)], |html| {
                let address = format!("/drives/{}", drive.key);
                html.element("h2", &[], |html| html.words("a", &[("href", &address)], &name(drive)));
                html.words("p", &[("class", "quiet")], &language.text(&place(drive)));
                card(html, shown);
                html.element("p", &[("class", "quiet")], |html| {
                    html.text(&language.text(&seen(drive)));
                    html.text(" ");
                    html.element("label", &[("class", "screen")], |html| {
                        let of = format!("drive:{}", drive.key);
                        let label = language.text(&message!("serve-drives.choose", name = name(drive)));
                        let input = [
                            ("type", "checkbox"),
                            ("name", "of"),
                            ("value", of.as_str()),
                            ("aria-label", &label),
                        ];
                        html.void("input", &input);
                        html.text(&language.text(&message!("serve-nav.compare")));
                    });
                });
            });
        }
    });
}

/// A drive's answer and figures.
pub fn card(html: &mut Html, card: &DriveCard) {
    if card.is_simulated {
        let mark = html.lang.text(&message!("serve-simulated"));
        html.element("p", &[], |html| html.words("span", &[("class", "mark")], &mark));
    }
    let answer: Vec<Node> = card.answer.iter().cloned().map(Node::Paragraph).collect();
    html::add(html, &answer);
    html::key_figures(html, &card.figures);
}

/// Links to the drives before and after.
fn pages(html: &mut Html, asked: &Asked, count: u64) {
    let order = asked.order().0;
    let before = (asked.skip > 0).then(|| asked.address(order, asked.skip.saturating_sub(OF_PAGE)));
    let after = asked.skip.saturating_add(OF_PAGE);
    let after = (after < count).then(|| asked.address(order, after));
    if before.is_none() && after.is_none() {
        return;
    }
    html.element("p", &[("class", "more screen")], |html| {
        let ways = [(before, message!("serve-drives.before")), (after, message!("serve-drives.after"))];
        for (address, label) in ways {
            address.iter().for_each(|address| linked(html, address, &label));
            html.text(" ");
        }
    });
}

/// Simulated drives, and what to do for real ones.
fn examples(html: &mut Html, reports: &[Arc<Report>], may_start: bool) {
    let language = html.lang;
    html.words("p", &[], &language.text(&message!("serve-empty")));
    if may_start {
        html.element("p", &[], |html| linked(html, "/start", &message!("serve-empty.start")));
    }
    html.words("p", &[], &language.text(&message!("serve-empty.examples")));
    html.element("ul", &[("class", "drives"), ("id", "list"), ("data-count", "0")], |html| {
        for report in reports {
            let name = report.drive.path.as_str();
            html.element("li", &[("data-key", name)], |html| {
                let address = format!("/examples/{}", encoded(name));
                html.element("h2", &[], |html| html.words("a", &[("href", &address)], name));
                card(html, &doc::drive_card(report, &[], &[]));
            });
        }
    });
}

/// What a drive is called: by its label, else by its model.
pub fn name(drive: &DriveSummary) -> String {
    let models = drive.models.lines().collect::<Vec<_>>().join(" + ");
    match &drive.label {
        Some(label) => label.clone(),
        None if models.is_empty() => drive.path.clone(),
        None => models,
    }
}

/// Its model and capacity, and where it is.
pub fn place(drive: &DriveSummary) -> Message {
    let models = drive.models.lines().map(Message::verbatim).filter(|_| drive.label.is_some());
    let capacity = drive.capacity_bytes.map(|bytes| Message::quantity(Parameter::CapacityBytes(bytes)));
    let place = match &drive.host {
        Some(host) => message!("serve-drives.place", host, path = &drive.path),
        None => Message::verbatim(&drive.path),
    };
    Message::joined(models.chain(capacity).chain([place]))
}

/// When it was seen.
pub fn seen(drive: &DriveSummary) -> Message {
    let checkups = drive.checkups;
    match doc::when(drive.last_unix_ms) {
        Some(when) => message!("serve-drives.seen", when, checkups),
        None => message!("serve-drives.undated", checkups),
    }
}
