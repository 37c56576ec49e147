//! A drive: its answer, its figures over time, what changed around it, what it is, and its checkups.

use std::sync::Arc;

use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report, message};
use cardiograph_import::shelf;
use cardiograph_judge::changes::timelines;
use cardiograph_judge::events::events;
use cardiograph_judge::record::RunFigures;
use cardiograph_render::doc::{self, DriveCard, HEADLINES, Node};
use cardiograph_render::html::{self, Html};
use cardiograph_store::{Deed, DriveQuery, DriveSummary, Query, Store, over_time};
use serde::Deserialize;

use super::{checkups, encoded, feed, home, linked, problem};
use crate::api::chart::Chart;
use crate::cards;
use crate::drives;
use crate::problem::Problem;
use crate::role::Needs;
use crate::server::Server;
use crate::visitor::Visitor;

/// Checkups that are looked at for changes, and those of the list.
const CHECKUPS_MAX: u64 = 200;
const LISTED_MAX: usize = 20;
/// Suites whose figures are shown over time.
const SUITES_MAX: usize = 3;
/// Other drives that are offered as the same one.
const OTHERS_MAX: u64 = 20;

/// What is known of a drive.
struct Known {
    drive: DriveSummary,
    card: Arc<DriveCard>,
    newest: Report,
    runs: Vec<RunSummary>,
    /// The figures of its checkups, oldest first.
    figures: Vec<RunFigures>,
    standings: Vec<Node>,
    /// Keys that were joined to this drive, and drives that may be the same one.
    joined: Vec<String>,
    others: Vec<DriveSummary>,
}

/// Shows a drive.
pub async fn show(State(server): State<Arc<Server>>, visitor: Visitor, Path(key): Path<String>) -> Response {
    let asking = server.clone();
    match server.work(move |store| find(&key, &asking, store)).await {
        Ok(known) => {
            let title = Message::verbatim(home::name(&known.drive));
            feed(&visitor, &title, |html| body(html, &known, &visitor))
        }
        Err(refused) => problem(&refused, &visitor),
    }
}

fn find(key: &str, server: &Server, store: &dyn Store) -> Result<Known, Problem> {
    let drive = drives::find(key, store)?;
    let card = server.cards.find(std::slice::from_ref(&drive), store)?.remove(0);
    let query = Query { drive_key: Some(drive.key.clone()), limit: Some(CHECKUPS_MAX), ..Query::default() };
    let runs = store.find(&query)?;
    let newest = cards::newest(&runs).ok_or_else(|| drives::unknown(key))?;
    let newest = store.load(&newest.id)?;
    let mut ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    ids.reverse();
    let figures = store.deciding_figures(&ids)?;
    let name = home::name(&drive);
    let latest = RunFigures::from_report(&newest);
    let standings =
        doc::standings(&shelf::standing::standings(&name, std::slice::from_ref(&latest)), false).nodes;
    let joined = store.joined_drives()?.into_iter().filter(|(_, into)| *into == drive.key);
    let joined = joined.map(|(key, _)| key).collect();
    let others = DriveQuery {
        text: drive.models.lines().next().map(str::to_string),
        limit: Some(OTHERS_MAX),
        ..DriveQuery::default()
    };
    let mut others = store.drives(&others)?;
    others.retain(|other| {
        let is_alike = !drive.models.is_empty() || other.capacity_bytes == drive.capacity_bytes;
        other.key != drive.key && is_alike
    });
    Ok(Known { drive, card, newest, runs, figures, standings, joined, others })
}

fn body(html: &mut Html, known: &Known, visitor: &Visitor) {
    let language = html.lang;
    let Known { drive, card, newest, runs, .. } = known;
    html.words("p", &[("class", "quiet")], &language.text(&home::place(drive)));
    html.words("p", &[("class", "quiet")], &language.text(&home::seen(drive)));
    html.element("div", &[("class", "banner")], |html| home::card(html, card));
    html.element("p", &[("class", "more screen")], |html| {
        linked(html, &format!("/checkups/{}", encoded(&newest.id)), &message!("serve-drive.report"));
        html.text(" ");
        linked(html, &format!("/compare?of=drive:{}", drive.key), &message!("serve-drive.compare"));
    });
    went(html, known);
    let events = Node::from_items(doc::drive_events(&events(&known.figures)));
    let events = Node::section("events", message!("serve-drive.events"), events);
    html::add(html, events.as_slice());
    section(html, "checkups", &message!("serve-checkups"), |html| {
        checkups::rows(html, &runs[..runs.len().min(LISTED_MAX)]);
        if runs.len() > LISTED_MAX {
            linked(html, &format!("/checkups?drive={}", drive.key), &message!("serve-drive.all"));
        }
    });
    html::add(html, &doc::drive_sections(newest));
    if !known.standings.is_empty() {
        section(html, "published", &message!("serve-drive.published"), |html| {
            html.element("details", &[], |html| {
                html.words("summary", &[], &language.text(&message!("serve-drive.ranks")));
                html::add(html, &known.standings);
            });
        });
    }
    if visitor.may(Needs::Operate) && !(known.joined.is_empty() && known.others.is_empty()) {
        joining(html, known);
    }
}

fn section(html: &mut Html, id: &'static str, heading: &Message, inside: impl FnOnce(&mut Html)) {
    let head = format!("{id}-head");
    html.element("section", &[("id", id), ("aria-labelledby", &head)], |html| {
        html.words("h2", &[("id", &head)], &html.lang.text(heading));
        inside(html);
    });
}

/// Figures over time: a table for each suite, and a chart for each figure.
fn went(html: &mut Html, known: &Known) {
    let language = html.lang;
    for group in over_time::groups(&known.runs).iter().filter(|group| group.len() > 1).take(SUITES_MAX) {
        let suite = &group[0].suite;
        let is_shown = |run: &&RunFigures| run.run.suite == *suite && drives::is_dated(&run.run);
        let runs: Vec<RunFigures> = known.figures.iter().filter(is_shown).cloned().collect();
        let is_alike = |run: &&RunFigures| group.iter().any(|one| one.id == run.run.id);
        let alike: Vec<RunFigures> = runs.iter().filter(is_alike).cloned().collect();
        html::add(html, doc::over_time(group[0], group.len(), &timelines(&alike)).as_slice());
        html.element("div", &[("class", "pictures")], |html| {
            for metric in HEADLINES {
                let chart = Chart::trend(metric, &runs, None, language);
                let rows = chart.rows(metric, language);
                if rows.len() > 1 {
                    let address = format!(
                        "/api/v1/drives/{}/trend?suite={}&metric={}",
                        known.drive.key,
                        encoded(suite),
                        metric.name()
                    );
                    html.element("figure", &[("data-chart", &address)], |html| {
                        html.words("figcaption", &[], chart.title());
                        values(html, chart.title(), &rows);
                    });
                }
            }
        });
    }
}

/// The values of a chart, for who has no scripts or wants to read them.
fn values(html: &mut Html, title: &str, rows: &[[String; 3]]) {
    html.scrolling(title, |html| {
        html.element("table", &[], |html| {
            html.element("tbody", &[], |html| {
                for [when, value, note] in rows {
                    html.element("tr", &[], |html| {
                        html.words("th", &[("scope", "row")], when);
                        html.words("td", &[("class", "number")], value);
                        html.words("td", &[], note);
                    });
                }
            });
        });
    });
}

/// Forms that join this drive to another entry, and undo that.
fn joining(html: &mut Html, Known { drive, joined, others, .. }: &Known) {
    let language = html.lang;
    section(html, "joined", &message!("serve-drive.joined"), |html| {
        html.words("p", &[], &language.text(&message!("serve-drive.joined-how")));
        let address = |what: &str| format!("/drives/{}/{what}", drive.key);
        for key in joined {
            html.element("form", &[("method", "post"), ("action", &address("separate"))], |html| {
                html.void("input", &[("type", "hidden"), ("name", "key"), ("value", key)]);
                html.words("button", &[], &language.text(&message!("serve-drive-separate", key)));
            });
        }
        if others.is_empty() {
            return;
        }
        let form = [("class", "stack"), ("method", "post"), ("action", &address("join"))];
        html.element("form", &form, |html| {
            html.element("label", &[], |html| {
                html.text(&language.text(&message!("serve-drive.same")));
                html.element("select", &[("name", "key")], |html| {
                    for other in others {
                        let words = [home::name(other), language.text(&home::place(other))].join(", ");
                        html.words("option", &[("value", &other.key)], &words);
                    }
                });
            });
            html.element("p", &[], |html| {
                html.words("button", &[], &language.text(&message!("serve-drive.join")));
            });
        });
    });
}

/// Another drive.
#[derive(Debug, Deserialize)]
pub struct Other {
    key: String,
}

/// Says that this drive is another one under a second name.
pub async fn join(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(other): Form<Other>,
) -> Response {
    let (own, to) = (key.clone(), other.key.clone());
    let done = server.ask(move |store| store.join_drives(&key, &other.key)).await;
    if done.is_ok() {
        server.note(visitor.who(), Deed::DrivesJoined, &format!("{own} {to}")).await;
    }
    led(done, &to, &visitor)
}

/// Undoes that.
pub async fn separate(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(other): Form<Other>,
) -> Response {
    let own = other.key.clone();
    let done = server.ask(move |store| store.separate_drive(&other.key)).await;
    if done.is_ok() {
        server.note(visitor.who(), Deed::DrivesSeparated, &own).await;
    }
    led(done, &key, &visitor)
}

fn led(done: Result<(), Problem>, key: &str, visitor: &Visitor) -> Response {
    match done {
        Ok(()) => Redirect::to(&format!("/drives/{}", encoded(key))).into_response(),
        Err(refused) => problem(&refused, visitor),
    }
}
